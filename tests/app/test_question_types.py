"""Every type of question through the API: right, wrong, partly right and absurd; and how an answer is read."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.people.users import User
from app.quizzes.answers import Answer
from app.settings import Settings
from app.web.limits import RateLimits
from tests.asked import API, QUESTIONS, id_of, write_course
from tests.conftest import Running, running


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("asked")
    settings = Settings(workers=0, data=folder / "var", lessons=(write_course(folder / "lessons"),))
    with running(settings) as server:
        yield server


@pytest.fixture
def student(asked: Running) -> Iterator[httpx.Client]:
    asked.app.state.limits = RateLimits()
    with asked.guest() as client:
        yield client


def keys(client: httpx.Client, slug: str, *texts: str) -> list[str]:
    question = next(one for one in client.get(API).json() if one["id"] == id_of(slug))
    return [next(option["key"] for option in question["options"] if text in option["html"]) for text in texts]


def send(client: httpx.Client, slug: str, answer: Any, **more: Any) -> httpx.Response:
    variant = next(one["variant"] for one in client.get(API).json() if one["id"] == id_of(slug))
    return client.post(f"/api/v1/questions/{id_of(slug)}/answers", json={"variant": variant, "answer": answer, **more})


def product(client: httpx.Client, sign: str) -> str:
    prompt = next(one["prompt_html"] for one in client.get(API).json() if one["id"] == id_of("a-count"))
    rows = "512" if "512 rows" in prompt else "1024"
    return f"{rows}{sign}{'768' if 'of 768' in prompt else '1280'}"


STEPS = ("Project", "Multiply", "softmax", "Weigh")
Answers = Callable[[httpx.Client], Any]
RIGHT: list[tuple[str, Answers, str | None]] = [
    ("one-right", lambda client: keys(client, "one-right", "learned")[0], None),
    ("several-right", lambda client: keys(client, "several-right", "token", "head"), None),
    ("a-shape", lambda client: "torch.Size([N, T, d_model])", "(N, T, d_model)"),
    ("a-count", lambda client: product(client, " × "), " × "),
    ("a-rounded-count", lambda client: "0.39M", "390,000"),
    ("a-number", lambda client: "25 %", "25 % = 0.25"),
    ("a-text", lambda client: " Learnt ", "Learnt"),
    ("an-order", lambda client: keys(client, "an-order", *STEPS), None),
    ("an-output", lambda client: "(2,3)\r\n[[0 0 0]\r\n [0 0 0]]\r\n", None),
]
WRONG: list[tuple[str, Answers, str]] = [
    ("one-right", lambda client: keys(client, "one-right", "Both")[0], "Only one of them"),
    ("several-right", lambda client: keys(client, "several-right", "indices"), "These are given."),
    ("a-shape", lambda client: "[N, T]", "shape of the ids"),
    ("a-count", lambda client: product(client, "+"), "Multiply them."),
    ("a-rounded-count", lambda client: "500k", ""),
    ("a-number", lambda client: "4", "Turn it over."),
    ("a-text", lambda client: "Sinusoidal", "Those are computed."),
    ("an-order", lambda client: keys(client, "an-order", *STEPS[::-1]), "The first line is not"),
    ("an-output", lambda client: "(3, 2)\n[[0 0]\n [0 0]\n [0 0]]", "Rows come first."),
]
PARTLY: list[tuple[str, Answers, float, str]] = [
    ("several-right", lambda client: keys(client, "several-right", "token"), 0.5, "1 of the 2 right ones"),
    (
        "several-right",
        lambda client: keys(client, "several-right", "token", "head", "indices"),
        0.5,
        "one that is wrong",
    ),
    ("an-order", lambda client: keys(client, "an-order", *STEPS[1:], STEPS[0]), 2 / 3, "Moving one line is enough."),
    (
        "an-order",  # no variant shows this order, or the one above
        lambda client: keys(client, "an-order", STEPS[0], *STEPS[2:], STEPS[1]),
        2 / 3,
        "the second is not yet",
    ),
]
ABSURD: list[object] = ["", "9**9**9", "(" * 300, "\0", [], ["", ""], ["nokey"] * 3, "\u202e)d ,T ,N(", "🙂" * 50]
SLUGS = [slug for slug, _, _ in RIGHT]


@pytest.mark.parametrize(("slug", "answer", "read_as"), RIGHT)
def test_right(student: httpx.Client, slug: str, answer: Answers, read_as: str | None) -> None:
    judged = send(student, slug, answer(student)).json()
    assert (judged["correct"], judged["score"]) == (True, 1.0), judged
    assert judged["read_as"] == read_as or (read_as and read_as in judged["read_as"])
    assert judged["explanation"]


@pytest.mark.parametrize(("slug", "answer", "told"), WRONG)
def test_wrong(student: httpx.Client, slug: str, answer: Answers, told: str) -> None:
    judged = send(student, slug, answer(student)).json()
    assert (judged["correct"], judged["score"]) == (False, 0.0), judged
    assert told in (judged["feedback"] or "")


@pytest.mark.parametrize(("slug", "answer", "score", "told"), PARTLY)
def test_partly_right(student: httpx.Client, slug: str, answer: Answers, score: float, told: str) -> None:
    judged = send(student, slug, answer(student)).json()
    assert (judged["correct"], judged["score"]) == (False, pytest.approx(score))
    assert told in judged["feedback"]
    assert student.get("/api/v1/me/progress").json()["questions_right"] == []


def test_an_order_that_was_not_touched_earns_nothing(student: httpx.Client) -> None:
    shown = next(one for one in student.get(API).json() if one["id"] == id_of("an-order"))
    judged = send(student, "an-order", [option["key"] for option in shown["options"]]).json()
    assert judged["score"] == 0
    assert "as you found them" in judged["feedback"]


def test_feedback_is_the_sentence_for_an_answer_that_no_author_listed(student: httpx.Client) -> None:
    judged = send(student, "a-count", product(student, "*10*")).json()
    assert judged["feedback"] == "<p>It is off by a factor of ten: check the powers of ten.</p>\n"
    assert set(judged) == {"correct", "score", "read_as", "feedback", "explanation"}


@pytest.mark.parametrize("slug", SLUGS)
def test_absurd(asked: Running, student: httpx.Client, slug: str) -> None:
    for answer in ABSURD:
        sent = send(student, slug, answer)
        assert sent.status_code in (200, 422), sent.text
        if sent.status_code == 200:
            assert slug in ("a-text", "an-output")  # where any words are an answer
            assert not sent.json()["correct"]
        else:
            assert sent.json()["error"]["hint"]
    address = f"/api/v1/questions/{id_of(slug)}/answers"
    lone = student.post(
        address, content=b'{"variant": 0, "answer": "\\ud800"}', headers={"Content-Type": "application/json"}
    )
    assert lone.status_code == 422
    for answer in (None, 5, {"key": 1}, [1], True, "x" * 100_000):
        assert send(student, slug, answer).status_code == 422


# ---- readings


def reading(client: httpx.Client, slug: str, answer: object, variant: int = 0) -> httpx.Response:
    return client.post(f"/api/v1/questions/{id_of(slug)}/readings", json={"variant": variant, "answer": answer})


@pytest.mark.parametrize(
    ("slug", "typed", "read_as"),
    [
        ("a-shape", "[N,T , d_model]", "(N, T, d_model)"),
        ("a-shape", "(T, 2*T/2)", "(T, T)"),
        ("a-count", "12 x 7", "12 × 7 = 84"),
        ("a-rounded-count", "393k", "393,000"),
        ("a-number", "1/3", "0.333333333333"),
        ("a-text", "  any   word ", "any word"),
        ("an-output", "(2, 3)", None),
    ],
)
def test_what_is_typed_is_read_and_nothing_else_happens(
    asked: Running, slug: str, typed: str, read_as: str | None
) -> None:
    with asked.client() as visitor:
        with asked.state.db.reading() as db:
            before = (db.query(User).count(), db.query(Answer).count())
        answer = reading(visitor, slug, typed)
        assert answer.status_code == 200
        assert answer.json() == {"read_as": read_as, "problem": None}
        assert not answer.cookies
        assert "set-cookie" not in answer.headers
        with asked.state.db.reading() as db:
            assert (db.query(User).count(), db.query(Answer).count()) == before


def test_what_cannot_be_read_is_a_problem_with_its_remedy_and_no_error(asked: Running) -> None:
    with asked.client() as visitor:
        for slug in SLUGS:
            for answer in (*ABSURD, "x" * 100_000, "393k", "12,34"):
                sent = reading(visitor, slug, answer)
                assert sent.status_code == 200, sent.text
                problem = sent.json()["problem"]
                assert problem is None or (problem["message"] and problem["hint"])
                assert problem is None or sent.json()["read_as"] is None
        assert "in full" in reading(visitor, "a-count", "393k").json()["problem"]["hint"]
        assert reading(visitor, "a-shape", "(N, T)", variant=10**6).status_code == 409
        assert reading(visitor, "nothing", "(N, T)").status_code == 404
        assert reading(visitor, "a-shape", 5).status_code == 422


def test_a_reading_does_not_depend_on_what_is_right(asked: Running, tmp_path: Path) -> None:
    """The same question with other answers reads everything alike."""
    others = QUESTIONS.replace(":answer: (N, T, d_model)", ":answer: (d_model, 7)")
    others = others.replace(":answer: max_len * d_model", ":answer: 3 * max_len").replace(
        ":answer: 1/4", ":answer: 0.9"
    )
    others = others.replace(":answer: learned | learnt", ":answer: frozen").replace(":answer: 512 * 768", ":answer: 7")
    assert others != QUESTIONS
    settings = Settings(workers=0, data=tmp_path / "var", lessons=(write_course(tmp_path / "lessons", others),))
    typed = ["(N, T, d_model)", "(d_model, 7)", "7", "x", "learned", "393,216", "25%", "0.39M", "(a, b)", "max_len"]
    typed += ["512 by 768", "512*768 = 393,216", "512*768 = 7", "3*512 = 7", "0.9 = 0.25", "~0.9", "{N, T}", "7 by 7"]
    with running(settings) as twin, twin.client() as other, asked.client() as one:
        for slug in ("a-shape", "a-count", "a-rounded-count", "a-number", "a-text"):
            for text in typed:
                assert reading(one, slug, text).json() == reading(other, slug, text).json()


def test_readings_have_a_limit_of_their_own(asked: Running) -> None:
    asked.app.state.limits = RateLimits()
    with asked.guest() as student:
        for _ in range(130):  # more than anyone may answer at once
            assert reading(student, "a-shape", "(N, T)").status_code == 200
        assert send(student, "a-shape", "(N, T)").status_code == 200


def test_how_long_it_took_is_kept_as_it_was_claimed(asked: Running, student: httpx.Client) -> None:
    send(student, "a-text", "learned", seconds=12.5)
    send(student, "a-text", "learned", seconds=1e9)
    send(student, "a-text", "learned")
    assert send(student, "a-text", "learned", seconds=-1).status_code == 422
    with asked.state.db.reading() as db:
        kept = [row.seconds for row in db.query(Answer).order_by(Answer.id.desc()).limit(3)]
    assert kept == [None, 86_400.0, 12.5]


def test_what_cannot_be_read_is_quoted_as_code_on_the_page(student: httpx.Client) -> None:
    asked = next(one for one in student.get(API).json() if one["type"] == "count")
    form = {"variant": asked["variant"], "answer": "<b>"}
    page = student.post(f"/questions/{asked['id']}/answers", data=form).text
    assert "The character <code>&lt;</code> has no meaning here." in page


@pytest.mark.parametrize(
    ("claimed", "least", "most"),
    [
        ({"seconds": "7.5", "shown_at": "1"}, 7.5, 7.5),
        ({"seconds": "", "ago": "100"}, 100, 160),
        ({"ago": str(-(10**6))}, 0, 0),
        ({"seconds": "1e999", "shown_at": "-1"}, None, None),
        ({"seconds": "99999999", "shown_at": "0"}, 86_400, 86_400),
        ({}, None, None),
    ],
)
def test_a_page_without_scripts_counts_from_when_it_was_made(
    asked: Running, student: httpx.Client, claimed: dict[str, str], least: float | None, most: float | None
) -> None:
    variant = next(one["variant"] for one in student.get(API).json() if one["id"] == id_of("a-text"))
    form = {"variant": variant, "answer": "learned", **claimed}
    if ago := form.pop("ago", None):
        form["shown_at"] = str(int(time.time()) - int(ago))
    assert student.post(f"/questions/{id_of('a-text')}/answers", data=form).status_code == 200
    with asked.state.db.reading() as db:
        kept = db.query(Answer).order_by(Answer.id.desc()).limit(1).one().seconds
    if least is None or most is None:
        assert kept is None
    else:
        assert kept is not None
        assert least <= kept <= most
