"""Quizzes as sittings: begun once, saved answer by answer, handed in once; nothing right leaves before that."""

import itertools
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import event, text

from app.db import Base
from app.people import accounts
from app.people.users import User
from app.quizzes import extra_time, responses
from app.quizzes.answers import Answer
from app.quizzes.responses import SittingResponse
from app.quizzes.reviews import ReviewCard
from app.quizzes.sittings import GRACE, Sitting, close_due
from app.reading.search import SearchEntry
from app.settings import Settings
from app.web import limits
from app.web.errors import Invalid, NotFound
from app.web.limits import Rate, RateLimits
from tests.conftest import BACKENDS, Running, Serve, running, scratch_postgres
from tests.sittings import FREE, LAST, QUESTIONS, TIMED, begin, put_off, save, submit, write_course


@pytest.fixture(scope="module")
def kept_quizzes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Running]]:
    with ExitStack() as servers:

        @cache
        def kept(backend: str) -> Running:
            data = tmp_path_factory.mktemp("quizzes")
            url = servers.enter_context(scratch_postgres()) if backend == "postgresql" else ""
            lessons = write_course(data / "lessons")
            exercises = data / "exercises"
            exercises.mkdir()
            settings = Settings(workers=0, data=data, database_url=url, lessons=(lessons,), exercises=(exercises,))
            return servers.enter_context(running(settings))

        yield kept


@pytest.fixture(params=BACKENDS)
def server(request: pytest.FixtureRequest, kept_quizzes: Callable[[str], Running]) -> Iterator[Running]:
    server = kept_quizzes(request.param)
    yield server
    with server.state.db.writing(durable=False) as db:
        for table in reversed(Base.metadata.sorted_tables):
            if table.name not in ("snapshot", "snapshot_file", "search_entry"):
                db.execute(table.delete())
    server.app.state.limits = RateLimits()


def question(sitting: dict[str, Any], slug: str) -> dict[str, Any]:
    return next(one for one in sitting["questions"] if one["slug"] == slug)


def right_count(server: Running, one: dict[str, Any]) -> str:
    words = one["prompt_html"].replace("?", " ").split()
    return " * ".join(word for word in words if word.isdecimal())


def right_option(sitting: dict[str, Any]) -> str:
    options = question(sitting, "pick")["options"]
    return next(str(option["key"]) for option in options if option["html"] == "this-is-right")


def test_a_sitting_from_start_to_review(server: Running) -> None:
    with server.guest() as client:
        quiz = client.get(TIMED).json()
        assert (quiz["questions"], quiz["time_limit_seconds"], quiz["attempts_left"]) == (3, 1200, 3)
        sitting = begin(client)
        assert (sitting["state"], sitting["number"]) == ("open", 1)
        assert 1190 < sitting["remaining_seconds"] <= 1200
        assert [one["slug"] for one in sitting["questions"]] == ["shape", "count", "pick"]
        assert [one["section"] for one in sitting["questions"]] == ["The table", "The table", "Words"]
        assert "max_len" in question(sitting, "count")["context_html"]
        assert client.post(f"{TIMED}/sittings").status_code == 200
        assert "secret" not in client.get(f"/api/v1/sittings/{sitting['id']}").text
        saved = save(client, sitting, "shape", "[T, N]", flagged=True, seconds=7.5).json()
        assert (saved["read_as"], saved["problem"], saved["flagged"], saved["revision"]) == ("(T, N)", None, True, 1)
        assert save(client, sitting, "shape", "N,T", 1, flagged=False).json()["read_as"] == "(N, T)"
        unreadable = save(client, sitting, "count", "a dozen?")
        assert unreadable.status_code == 200
        assert unreadable.json()["problem"]
        count = right_count(server, question(sitting, "count"))
        assert save(client, sitting, "count", count, 1).json()["problem"] is None
        now_open = client.get(f"/api/v1/sittings/{sitting['id']}").json()
        assert "secret" not in str(now_open)
        assert [one["score"] for one in now_open["questions"]] == [None] * 3
        done = submit(client, sitting)
        assert (done["state"], done["score"]) == ("submitted", 2.0)
        assert [one["correct"] for one in done["questions"]] == [True, True, False]
        assert "secret-explanation" in question(done, "shape")["explanation"]
        assert submit(client, sitting) == done
        quiz = client.get(TIMED).json()
        assert (quiz["attempts_left"], quiz["attempts"][0]["score"], quiz["attempts"][0]["counts"]) == (2, 2.0, True)
        assert client.get("/api/v1/me/progress").json()["lessons_read"][0]["lesson"] == "timed"
    with server.state.db.reading() as db:
        answers = db.query(Answer).order_by(Answer.question).all()
    assert [(one.question, one.occasion, one.sitting_id) for one in answers] == [
        ("demo.timed.count", "sitting", sitting["id"]), ("demo.timed.shape", "sitting", sitting["id"])
    ]  # fmt: skip
    assert answers[1].seconds == 7.5


def test_what_is_off_in_an_answer_is_told_after_a_sitting_that_counts_and_not_in_it(server: Running) -> None:
    with server.guest() as client:
        sitting = begin(client)
        saved = save(client, sitting, "count", f"{right_count(server, question(sitting, 'count'))} * 10")
        shape = save(client, sitting, "shape", "(N, T, T)")
        now_open = client.get(f"/api/v1/sittings/{sitting['id']}")
        page = client.get(f"/sittings/{sitting['id']}/questions/2")
        for shown in (saved.text, shape.text, now_open.text, page.text):
            assert "factor of ten" not in shown
            assert "too many" not in shown
        done = submit(client, sitting)
        assert "It is off by a factor of ten" in question(done, "count")["feedback"]
        assert "One axis is too many" in question(done, "shape")["feedback"]
        assert question(done, "pick")["feedback"] is None


def test_partial_credit_counts_and_lists_go_through_forms_too(server: Running) -> None:
    with server.guest() as client:
        client.headers["Sec-Fetch-Site"] = "same-origin"
        sitting = begin(client, "/api/v1/quizzes/demo/partial")
        keys = {
            slug: {option["html"]: option["key"] for option in question(sitting, slug)["options"]}
            for slug in ("several", "lines")
        }
        saved = save(client, sitting, "several", [keys["several"]["right-one"]])
        assert saved.json()["problem"] is None
        is_shown = list(keys["lines"]) == ["first", "third", "second"]  # which would earn nothing
        mine = ("second", "first", "third") if is_shown else ("first", "third", "second")
        ranks = {f"rank-{keys['lines'][line]}": str(rank) for rank, line in enumerate(mine, 1)}
        address = f"/sittings/{sitting['id']}"
        page = client.get(f"{address}/questions/2").text
        assert all(line in page for line in ("first", "second", "third"))
        first, second, third = (f"rank-{keys['lines'][line]}" for line in ("first", "second", "third"))
        for revision, (typed, shown) in enumerate((({first: "2", second: "2"}, {}), ({third: "3"}, {third: "3"}))):
            form = {first: "", second: "", third: "", **typed, "revision": str(revision), "base": "", "go": "stay"}
            assert client.post(f"{address}/questions/2", data=form).status_code == 303
            page = client.get(f"{address}/questions/2").text
            assert "Number the lines from 1 to 3, each once." in page
            assert dict(re.findall(r'name="(rank-\w+)"[^>]* value="(\d)"', page)) == shown
            assert "1 cannot be read" in client.get(address).text, "what was begun is not lost without a word"
        form = {**ranks, "revision": "2", "base": "", "go": "next"}
        assert client.post(f"{address}/questions/2", data=form).headers["location"] == address
        assert "checked" in client.get(f"{address}/questions/1").text
        assert "All 2 questions are answered." in client.get(address).text
        done = submit(client, sitting)
        scores = [one["score"] for one in done["questions"]]
        assert all(0 < score < 1 for score in scores), scores
        assert done["score"] == pytest.approx(sum(scores))
        review = client.get(address).text
        assert review.count("Partly right") == 2
        assert review.count("your answer") == 1
        assert review.count("</svg> right</span>") == 2, "both of the right options are marked, picked or not"
        given = review[review.index("Your order") : review.index("The right order")]
        assert re.search(".*".join(f"<li>.*{line}" for line in mine), given, re.DOTALL), "each line in its place"
        rights = review[review.index("The right order") :]
        assert re.search("first.*second.*third", rights, re.DOTALL)


WEIGHTED = """
::::{question} heavy
:type: count
:points: 4
:answer: 6
:partly: 50% 5 -> One short.
How many in 2 times 3?
::::

::::{question} light
:type: count
:points: 0.5
:answer: 4
How many in 2 times 2?
::::
"""


def test_points_weigh_the_questions_of_a_sitting(serve: Serve, tmp_path: Path) -> None:
    server = serve(lessons=write_course(tmp_path / "lessons", questions=WEIGHTED))
    with server.guest() as client:
        sitting = begin(client)
        assert (sitting["points"], [one["points"] for one in sitting["questions"]]) == (4.5, [4.0, 0.5])
        assert "4 points" in client.get(f"/sittings/{sitting['id']}/questions/1").text
        save(client, sitting, "heavy", "5")
        save(client, sitting, "light", "4")
        done = submit(client, sitting)
        assert (done["score"], [one["score"] for one in done["questions"]]) == (2.5, [0.5, 1.0])
        review = client.get(f"/sittings/{sitting['id']}").text
        assert "<h1>2.5 of 4.5</h1>" in review
        assert "2 of 4" in review
        line = client.get(TIMED).json()["attempts"][0]
        assert (line["score"], line["points"], line["questions"]) == (2.5, 4.5, 2)


def test_an_older_answer_never_replaces_a_newer_one(server: Running) -> None:
    with server.guest() as client:
        sitting = begin(client)
        assert save(client, sitting, "shape", "(N, T)").status_code == 200
        stale = save(client, sitting, "shape", "(older,)")
        assert (stale.status_code, stale.json()["error"]["code"]) == (409, "conflict")
        assert (stale.json()["response"]["answer"], stale.json()["response"]["revision"]) == ("(N, T)", 1)
        assert save(client, sitting, "shape", "(N, T)").json()["revision"] == 1  # the answer to the first was lost
        assert save(client, sitting, "shape", None, 1).json()["answer"] is None
        for body in ({}, {"answer": 1, "revision": 1}, {"answer": "1"}, {"answer": "1", "revision": -1},
                     {"answer": "1" * 3000, "revision": 2}, {"answer": "1", "revision": 2, "score": 1}):  # fmt: skip
            answer = client.put(f"/api/v1/sittings/{sitting['id']}/answers/shape", json=body)
            assert answer.status_code == 422, body
        assert save(client, sitting, "shape", "\0\u202e(N", 2).json()["problem"]
        assert save(client, sitting, "nothing", "1").status_code == 404


def test_the_deadline_is_the_servers_and_a_late_answer_is_told_so(server: Running) -> None:
    with server.guest() as client:
        sitting = begin(client)
        save(client, sitting, "shape", "(N, T)")
        put_off(server, sitting, seconds=-1)
        assert save(client, sitting, "pick", "in the grace", flagged=True).status_code == 200
        assert client.get(f"/api/v1/sittings/{sitting['id']}").json()["remaining_seconds"] == 0
        put_off(server, sitting, seconds=-1 - GRACE.total_seconds())
        late = save(client, sitting, "shape", "(later,)", 1)
        assert (late.status_code, late.json()["error"]["code"]) == (409, "conflict")
        assert "time" in late.json()["error"]["message"]
        done = client.get(f"/api/v1/sittings/{sitting['id']}").json()
        assert (done["state"], done["score"], question(done, "shape")["answer"]) == ("submitted", 1.0, "(N, T)")
        assert done["submitted_at"] == done["deadline_at"]


@pytest.mark.parametrize("look", ["sitting", "quiz", "start", "sweep", "progress"])
def test_the_next_look_closes_what_is_past_its_time(server: Running, look: str) -> None:
    with server.guest() as client:
        sitting = begin(client)
        save(client, sitting, "shape", "(N, T)")
        put_off(server, sitting, minutes=-1)
        if look == "sitting":
            assert client.get(f"/api/v1/sittings/{sitting['id']}").json()["state"] == "submitted"
        elif look == "quiz":
            assert client.get(TIMED).json()["attempts"][0]["state"] == "submitted"
        elif look == "start":
            assert begin(client)["number"] == 2
        elif look == "sweep":
            assert close_due(server.state.db, server.state.catalog) == 1
            assert close_due(server.state.db, server.state.catalog) == 0
        else:
            assert client.get("/api/v1/me/progress").json()["questions_right"][0]["question"] == "demo.timed.shape"
    with server.state.db.reading() as db:
        closed = db.get_one(Sitting, sitting["id"])
        assert closed.submitted_at == closed.deadline_at
        assert db.query(Answer).count() == 1


def at_once(calls: list[Callable[[], httpx.Response]]) -> list[httpx.Response]:
    answers: list[httpx.Response] = []
    gate = threading.Barrier(len(calls))

    def run(call: Callable[[], httpx.Response]) -> None:
        gate.wait()
        answers.append(call())

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_of_many_starts_and_submissions_at_once_one_counts(server: Running) -> None:
    with server.guest() as client:
        begun = at_once([lambda: client.post(f"{TIMED}/sittings")] * 8)
        assert sorted(one.status_code for one in begun) == [200] * 7 + [201]
        assert len({one.json()["id"] for one in begun}) == 1
        sitting = begun[0].json()
        save(client, sitting, "shape", "(N, T)")
        put_off(server, sitting, seconds=-1)
        path = f"/api/v1/sittings/{sitting['id']}/submission"
        done = at_once([lambda: client.post(path)] * 6)
        close_due(server.state.db, server.state.catalog)
        assert {(one.status_code, one.json()["score"]) for one in done} == {(200, 1.0)}
    with server.state.db.reading() as db:
        assert db.query(Answer).count() == 1
        assert db.query(Sitting).count() == 1


def test_many_answers_at_once_lose_none(server: Running) -> None:
    clients = [server.guest() for _ in range(12)]
    sittings = [begin(client) for client in clients]
    answers = at_once([
        partial(save, client, sitting, slug, f"({sitting['id']},)")
        for client, sitting in zip(clients, sittings, strict=True)
        for slug in ("shape", "count")
    ])  # fmt: skip
    assert {one.status_code for one in answers} == {200}
    for client, sitting in zip(clients, sittings, strict=True):
        kept = client.get(f"/api/v1/sittings/{sitting['id']}").json()
        assert question(kept, "shape")["answer"] == question(kept, "count")["answer"] == f"({sitting['id']},)"
        client.close()


def test_each_sitting_asks_in_other_numbers_until_none_is_left(server: Running) -> None:
    with server.guest() as client:
        prompts = []
        for number in (1, 2, 3):
            sitting = begin(client)
            assert sitting["number"] == number
            prompts.append(question(sitting, "count")["prompt_html"])
            submit(client, sitting)
        assert len(set(prompts)) == 3
        none_left = client.post(f"{TIMED}/sittings")
        assert (none_left.status_code, none_left.json()["error"]["code"]) == (409, "conflict")


FEW_NUMBERS = """
::::{question} few
:type: choice
:given: n = 2 | 3 | 5
How many in {{n}} times 1?
- [x] {{n}} -- Yes.
- [ ] one -- No.
- [ ] none -- No.
::::

::::{question} none
:type: choice
Which one?
- [x] this -- Yes.
- [ ] that -- No.
- [ ] neither -- No.
::::
"""


def test_numbers_come_again_when_all_were_had_and_never_those_of_the_last_time(serve: Serve, tmp_path: Path) -> None:
    server = serve(lessons=write_course(tmp_path / "lessons", questions=FEW_NUMBERS))
    with server.guest() as client:
        prompts, variants = [], []
        for _ in range(9):
            sitting = begin(client, FREE)
            prompts.append(question(sitting, "few")["prompt_html"])
            variants.append(question(sitting, "none")["variant"])
            submit(client, sitting)
    for three in (prompts[:3], prompts[3:6], prompts[6:]):
        assert len(set(three)) == 3, "those that they had least"
    for before, after in (*itertools.pairwise(prompts), *itertools.pairwise(variants)):
        assert before != after, "without numbers, at least in another order"


def test_the_best_or_the_last_sitting_counts(server: Running) -> None:
    with server.guest() as client:
        for quiz, expected in ((TIMED, [True, False]), (LAST, [False, True])):
            first = begin(client, quiz)
            save(client, first, "shape", "(N, T)")
            submit(client, first)
            submit(client, begin(client, quiz))
            assert [one["counts"] for one in client.get(quiz).json()["attempts"]] == expected


def test_what_counts_is_asked_in_a_sitting_only(server: Running) -> None:
    with server.guest() as client:
        refused = [
            client.get("/api/v1/lessons/demo/timed/questions"),
            client.post("/api/v1/questions/demo.timed.shape/answers", json={"variant": 0, "answer": "(N, T)"}),
            client.get("/api/v1/lessons/demo/last/questions"),
        ]
        for answer in refused:
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")
            assert "Start an attempt" in answer.json()["error"]["hint"]
        browser = {"Sec-Fetch-Site": "same-origin"}
        path = "/questions/demo.timed.shape"
        assert client.get(path, headers={"Lectern-Partial": "1"}).status_code == 403
        assert client.post(f"{path}/answers", data={"variant": "0", "answer": "1"}, headers=browser).status_code == 403
        page = client.get("/courses/demo/timed").text
        assert "What is told before" in page
        assert "What shape" not in page
        assert "this-is-right" not in page
        assert "max_len" not in page
        for cell in ("hidden", "next"):
            own = client.post(f"/api/v1/courses/demo/code/cells/{cell}/runs", json={"source": "print(secret)"})
            assert own.status_code == 404
        assert "secret" not in client.get("/courses/demo/code").text
        assert len(client.get("/api/v1/lessons/demo/free/questions").json()) == 3
        body = {"variant": 0, "answer": "(N, T)"}
        assert client.post("/api/v1/questions/demo.free.shape/answers", json=body).json()["correct"]
    with server.state.db.reading() as db:
        entries = db.query(SearchEntry).all()
    assert {one.url for one in entries if one.kind == "question"} == {"/courses/demo/free", "/courses/demo/partial"}
    assert not [one for one in entries if "What shape" in one.text and "free" not in one.url]


def test_a_sitting_is_its_owners_and_staff_see_what_is_submitted(server: Running) -> None:
    accounts.add_user(server.state.db, "staff@example.org", "instructor", None)
    token = accounts.make_token(server.state.db, "staff@example.org")
    with server.guest() as owner, server.guest() as other, server.client(Authorization=f"Bearer {token}") as staff:
        sitting = begin(owner)
        path = f"/api/v1/sittings/{sitting['id']}"
        for client in (other, staff):
            pages = [client.get(f"/sittings/{sitting['id']}{rest}") for rest in ("", "/questions/1")]
            calls = [client.get(path), save(client, sitting, "shape", "(1,)"), client.post(f"{path}/submission")]
            for answer in (*pages, *calls):
                assert answer.status_code == 404
        with server.client() as nobody:
            assert nobody.get(path).status_code == 401
        submit(owner, sitting)
        assert other.get(path).status_code == 404
        assert staff.get(path).json()["state"] == "submitted"
        assert staff.get(f"/sittings/{sitting['id']}").status_code == 200
        assert save(staff, sitting, "shape", "(1,)").status_code == 404
        for id in ("0", "x", "9" * 40, "-1", "²"):
            assert owner.get(f"/api/v1/sittings/{id}").status_code == 404


def test_the_old_address_of_a_sitting_leads_to_the_new_one_and_tells_nothing(server: Running) -> None:
    with server.guest() as owner, server.client() as nobody:
        sitting = begin(owner)
        for client in (owner, nobody):
            for id in (str(sitting["id"]), "999999", "x%0d%0aSet-Cookie:a", "%3Fa%23"):
                for rest in ("", "/questions/2"):
                    old = client.get(f"/attempts/{id}{rest}")
                    assert old.status_code == 308
                    assert "set-cookie" not in old.headers
                    assert old.headers["location"].lower() == f"/sittings/{id}{rest}".lower().replace(":", "%3a")
        followed = owner.get(f"/attempts/{sitting['id']}/questions/2", follow_redirects=True)
        assert followed.status_code == 200
        assert followed.url.path == f"/sittings/{sitting['id']}/questions/2"


def test_a_page_that_was_open_over_an_update_saves_and_submits_at_the_addresses_of_before(server: Running) -> None:
    with server.guest() as owner, server.guest() as other:
        sitting = owner.post("/api/v1/quizzes/demo/timed/attempts", follow_redirects=True).json()
        path = f"/api/v1/attempts/{sitting['id']}"
        body = {"answer": "(N, T)", "revision": 0}
        assert owner.put(f"{path}/answers/shape", json=body, follow_redirects=True).json()["revision"] == 1
        assert owner.get(path, follow_redirects=True).json()["id"] == sitting["id"]
        for client, status in ((other, 404), (owner, 200)):
            assert client.post(f"{path}/submission", follow_redirects=True).status_code == status
        handed_in = owner.get(f"/api/v1/sittings/{sitting['id']}").json()
        assert (handed_in["state"], handed_in["score"]) == ("submitted", 1.0)
        assert owner.post("/courses/demo/timed/attempts").headers["location"] == "/courses/demo/timed/sittings"
        assert not [path for path in owner.get("/api/v1/openapi.json").json()["paths"] if "attempts" in path]


def test_more_time_reaches_open_sittings_and_is_never_taken_back(server: Running) -> None:
    accounts.add_user(server.state.db, "slow@example.org", "student", None)
    with server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, 'slow@example.org')}") as client:
        sitting = begin(client)
        assert extra_time.give_time(server.state.db, "slow@example.org", 1.5) == 1
        assert 1790 < client.get(f"/api/v1/sittings/{sitting['id']}").json()["remaining_seconds"] <= 1800
        assert client.get(TIMED).json()["time_limit_seconds"] == 1800
        assert extra_time.give_time(server.state.db, "slow@example.org", 1) == 0
        assert client.get(f"/api/v1/sittings/{sitting['id']}").json()["remaining_seconds"] > 1790
        put_off(server, sitting, minutes=-1)
        assert extra_time.give_time(server.state.db, "slow@example.org", 2) == 0  # what is over stays over
    for wrong in (0.5, 11, float("nan")):
        with pytest.raises(Invalid):
            extra_time.give_time(server.state.db, "slow@example.org", wrong)


def test_a_guests_sittings_go_with_them(server: Running) -> None:
    account = {"email": "ada@example.org", "password": "a well kept secret"}
    accounts.add_user(server.state.db, account["email"], "student", account["password"])
    extra_time.give_time(server.state.db, account["email"], 2)
    with server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, account['email'])}") as known:
        kept_open = begin(known)
        with server.guest() as guest:
            other = begin(guest)
            save(guest, other, "shape", "(N, T)")
            alone = begin(guest, LAST)
            assert guest.post("/api/v1/sessions", json=account).status_code == 201
        quiz = known.get(TIMED).json()
        assert [(one["id"], one["number"], one["state"]) for one in quiz["attempts"]] == [
            (kept_open["id"], 1, "open"), (other["id"], 2, "submitted")
        ]  # fmt: skip
        assert quiz["attempts"][1]["score"] == 1.0
        assert known.get(LAST).json()["attempts"][0]["id"] == alone["id"]
        assert known.get(f"/api/v1/sittings/{alone['id']}").json()["state"] == "open"
    with server.state.db.reading() as db:
        assert db.query(Answer).one().user_id == db.query(User).filter(User.email == account["email"]).one().id


def test_each_person_starts_and_saves_so_often_and_each_address_hands_in_so_often(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server.guest() as client, server.guest() as other:
        monkeypatch.setitem(limits.PERSON, "sitting", Rate(3, 1e-6))
        sitting = begin(client)
        assert client.post(f"{TIMED}/sittings").status_code == 200
        assert save(client, sitting, "shape", "(N, T)").status_code == 200
        assert save(client, sitting, "shape", "(T, N)", 1).status_code == 429
        assert client.post(f"{TIMED}/sittings").status_code == 429
        assert [other.post(f"{TIMED}/sittings").status_code for _ in range(4)] == [201, 200, 200, 429]
        monkeypatch.setitem(limits.ADDRESS, "sitting", Rate(2, 1e-6))
        server.app.state.limits = RateLimits()
        assert submit(client, sitting)["score"] == 1.0, "the answer before"
        assert submit(client, sitting)["score"] == 1.0
        assert client.post(f"/api/v1/sittings/{sitting['id']}/submission").status_code == 429


def test_an_edit_changes_nothing_in_a_sitting_that_began_before(serve: Serve, tmp_path: Path) -> None:
    exercises = tmp_path / "exercises"
    exercises.mkdir()
    first = serve(lessons=write_course(tmp_path / "lessons"), exercises=exercises)
    with first.guest() as client:
        token = client.headers["Authorization"]
        sitting = begin(client)
        save(client, sitting, "shape", "(N, T)")
    edited = QUESTIONS.replace(":answer: (N, T)", ":answer: (N, T, 3)").replace("What shape", "Now what shape")
    edited = edited.replace("{question} pick", "{question} picked").replace("secret-explanation", "another one")
    second = serve(lessons=write_course(tmp_path / "lessons", questions=edited), exercises=exercises)
    with second.client(Authorization=token) as client:
        now_open = client.get(f"/api/v1/sittings/{sitting['id']}").json()
        prompts = [[one["prompt_html"] for one in shown["questions"]] for shown in (now_open, sitting)]
        assert prompts[0] == prompts[1]
        assert save(client, sitting, "pick", question(sitting, "pick")["options"][0]["key"]).status_code == 200
        done = submit(client, sitting)
        assert question(done, "shape")["correct"]
        assert "secret-explanation" in question(done, "shape")["explanation"]
        again = begin(client)
        assert [one["slug"] for one in again["questions"]] == ["shape", "count", "picked"]


def test_forms_alone_will_do(server: Running) -> None:
    with server.guest() as client:
        client.headers["Sec-Fetch-Site"] = "same-origin"
        started = client.post("/courses/demo/timed/sittings")
        assert started.status_code == 303
        first = started.headers["location"]
        sitting = {"id": first.split("/")[2]}
        form = {"revision": "0", "base": "[null, false]", "answer": "(N, T)", "flagged": "yes", "go": "next"}
        assert client.post(first, data=form).headers["location"] == f"/sittings/{sitting['id']}/questions/2"
        assert client.post("/courses/demo/timed/sittings").headers["location"].endswith("/questions/2")
        older = client.post(first, data={**form, "answer": "(older,)"})
        assert older.status_code == 409
        assert "(older,)" in older.text
        assert "(N, T)" in older.text
        untouched = client.post(first, data={"revision": "0", "base": "[null, false]", "answer": "", "go": "3"})
        assert untouched.headers["location"].endswith("/questions/3")
        overview = client.get(f"/sittings/{sitting['id']}").text
        assert "1 of 3 questions is answered, 2 are not." in overview
        assert client.post(f"/sittings/{sitting['id']}/submission").status_code == 303
        review = client.get(f"/sittings/{sitting['id']}").text
        assert "secret-explanation" in review
        assert re.search(r"Right answer: <code>1,[1-6]\d\d</code>", review), "of the count, which was not answered"
        assert "Right answer: <code>(N, T)</code>" not in review, "which they had right"
        again = client.post("/courses/demo/timed/sittings").headers["location"]
        client.post(again, data={"revision": "0", "base": "", "answer": "(N, T", "go": "2"})
        client.post(f"{again.rsplit('/', 2)[0]}/submission")
        review = client.get(again.rsplit("/", 2)[0]).text
        said = ["Your answer: <code>(N, T</code>", "A bracket has no partner.", "Right answer: <code>(N, T)</code>"]
        assert sorted(said, key=review.index) == said, "why it could not be read stands with what was typed"
        late = client.post(first, data={**form, "answer": "(late,)", "revision": "1"})
        assert late.status_code == 409
        assert "(late,)" not in late.text
        assert client.get(first).status_code == 303
    with server.state.db.reading() as db:
        assert db.query(SittingResponse).filter(SittingResponse.flagged).count() == 1


def answer(client: httpx.Client, one: dict[str, Any], given: str) -> httpx.Response:
    body = {"variant": one["variant"], "answer": given}
    return client.post(f"/api/v1/questions/{one['id']}/answers", json=body)


def make_due(server: Running) -> None:
    with server.state.db.writing() as db:
        for card in db.query(ReviewCard):
            card.due_at, card.last_at = card.due_at - timedelta(days=3), card.last_at - timedelta(days=3)


def test_what_a_sitting_missed_comes_back_from_a_quiz_that_counts_too(server: Running) -> None:
    with server.guest() as client:
        sitting = begin(client)
        save(client, sitting, "shape", "(T, N)")
        save(client, sitting, "count", right_count(server, question(sitting, "count")))
        save(client, sitting, "pick", right_option(sitting))
        asked = {"id": "demo.timed.shape", "variant": question(sitting, "shape")["variant"]}
        assert answer(client, asked, "(N, T)").status_code == 403
        submit(client, sitting)
        assert client.get("/api/v1/me/reviews").json() == []
        assert answer(client, asked, "(N, T)").status_code == 403  # tomorrow
        make_due(server)
        (due,) = client.get("/api/v1/me/reviews").json()
        assert due["id"] == "demo.timed.shape"
        assert "secret" not in str(due)
        page = client.get("/review").text
        assert 'action="/review/questions/demo.timed.shape/answers' in page
        assert "secret" not in page
        reading = client.post(
            f"/api/v1/questions/{due['id']}/readings", json={"variant": due["variant"], "answer": "[N,T]"}
        )
        assert reading.json()["read_as"] == "(N, T)"
        browser = {"Sec-Fetch-Site": "same-origin"}
        form = {"variant": due["variant"], "answer": "(N, T)"}
        told = client.post(f"/review/questions/{due['id']}/answers", data=form, headers=browser)
        assert "secret-explanation" in told.text
        assert "Comes back <b>" in told.text
        assert answer(client, asked, "(N, T)").status_code == 403  # once a day
    with server.guest() as other:
        assert answer(other, asked, "(N, T)").status_code == 403
        assert other.get("/api/v1/me/reviews").json() == []


def test_what_a_sitting_left_unanswered_comes_back_like_what_it_missed(server: Running) -> None:
    with server.guest() as client:
        sitting = begin(client)
        save(client, sitting, "shape", "(N, T)")
        save(client, sitting, "count", "a dozen?")
        put_off(server, sitting, hours=-1)
        assert client.get(f"/api/v1/sittings/{sitting['id']}").json()["state"] == "submitted"
        assert client.get("/api/v1/me/reviews").json() == []
        make_due(server)
        due = client.get("/api/v1/me/reviews").json()
        assert {one["id"] for one in due} == {"demo.timed.count", "demo.timed.pick"}
        with server.state.db.reading() as db:
            before = {card.question: (card.due_at, card.stability) for card in db.query(ReviewCard)}
        submit(client, begin(client))  # nothing at all: what is known already says nothing new, and right stays right
        with server.state.db.reading() as db:
            assert {card.question: (card.due_at, card.stability) for card in db.query(ReviewCard)} == before
        with server.state.db.writing() as db:
            for card in db.query(ReviewCard):
                card.question_hash = "0" * 64
        submit(client, begin(client))
        with server.state.db.reading() as db:
            assert all(card.question_hash != "0" * 64 for card in db.query(ReviewCard)), "edited: it begins again"


def test_an_edited_question_of_a_quiz_that_counts_waits_for_its_sitting(server: Running) -> None:
    with server.guest() as client:
        for quiz in (TIMED, FREE):
            sitting = begin(client, quiz)
            save(client, sitting, "shape", "(T, N)")
            save(client, sitting, "count", right_count(server, question(sitting, "count")))
            save(client, sitting, "pick", right_option(sitting))
            submit(client, sitting)
        with server.state.db.writing() as db:
            for card in db.query(ReviewCard):
                card.question_hash = "0" * 64
        make_due(server)
        assert [one["id"] for one in client.get("/api/v1/me/reviews").json()] == ["demo.free.shape"]
        asked = {"id": "demo.timed.shape", "variant": 0}
        assert answer(client, asked, "(N, T)").status_code == 403


def test_progress_tells_what_counts_and_leads_back_into_an_open_sitting(server: Running) -> None:
    with server.guest() as client:
        for given in ("(N, T)", "(T, N)"):
            sitting = begin(client)
            save(client, sitting, "shape", given)
            submit(client, sitting)
        page = " ".join(client.get("/progress").text.split())
        assert "1 of 3 points</a>, the best of 2 attempts" in page
        sitting = begin(client, FREE)
        for path, title in (("/progress", "Quiz free"), ("/", "“Quiz free”")):
            page = client.get(path).text
            assert f'href="/sittings/{sitting["id"]}">Continue' in page
            assert f"{title}: a quiz; your attempt is open" in page
        timed = begin(client)
        save(client, sitting, "shape", "(N, T)")
        page = client.get("/progress").text
        assert f'href="/sittings/{timed["id"]}">Continue' in page
        assert "the clock is running" in page
        put_off(server, timed, seconds=-60)
        assert f'href="/sittings/{timed["id"]}">Continue' not in client.get("/").text


def test_the_review_tells_nothing_of_a_quiz_while_it_is_sat(server: Running) -> None:
    with server.guest() as client:
        first = begin(client)
        save(client, first, "shape", "(N, T)")
        save(client, first, "count", "1")
        save(client, first, "pick", right_option(first))
        submit(client, first)
        make_due(server)
        second = begin(client)
        asked = question(second, "count")
        assert client.get("/api/v1/me/reviews").json() == []
        assert answer(client, asked, "1").status_code == 403
        body = {"variant": asked["variant"], "answer": "1"}
        assert client.post(f"/api/v1/questions/{asked['id']}/readings", json=body).status_code == 403
        page = client.get("/review")
        assert page.status_code == 200
        assert "demo.timed" not in page.text
        form = {"variant": asked["variant"], "answer": "1"}
        browser = {"Sec-Fetch-Site": "same-origin"}
        posted = client.post(f"/review/questions/{asked['id']}/answers", data=form, headers=browser)
        assert posted.status_code == 403
        begin(client, FREE)  # anyone may try what does not count, at any time
        assert client.get("/progress").status_code == 200
        submit(client, second)
        assert [one["id"] for one in client.get("/api/v1/me/reviews").json()] == [asked["id"]]


def test_what_no_page_can_say_is_kept_as_unreadable(server: Running) -> None:
    with server.guest() as client:
        sitting = begin(client)
        for slug, said in (("shape", '"(N, \\ud800)"'), ("pick", '["\\udfff\\u0000"]')):
            body = f'{{"answer": {said}, "revision": 0}}'
            path = f"/api/v1/sittings/{sitting['id']}/answers/{slug}"
            kept = client.put(path, content=body, headers={"Content-Type": "application/json"})
            assert kept.status_code == 200, kept.text
            assert "\ufffd" in str(kept.json()["answer"])
        for path in (f"/api/v1/sittings/{sitting['id']}", f"/sittings/{sitting['id']}/questions/1"):
            assert client.get(path).status_code == 200
        submit(client, sitting)
        assert client.get(f"/sittings/{sitting['id']}").status_code == 200
        assert client.get("/api/v1/me/export").json()["sittings"][0]["responses"][2]["given"] == ["\ufffd\ufffd"]


@contextmanager
def responses_asked_for(server: Running) -> Iterator[list[tuple[str, Any]]]:
    """The statements that read or write responses, with their parameters, as the database gets them."""
    seen: list[tuple[str, Any]] = []

    def note(connection: object, cursor: object, statement: str, parameters: Any, *more: object) -> None:
        if "sitting_response" in statement:
            seen.append((statement, parameters))

    event.listen(server.state.db.engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(server.state.db.engine, "before_cursor_execute", note)


@pytest.mark.parametrize(
    ("place", "go", "to", "rows"),
    [
        (1, "next", "/questions/2", 2),
        (3, "next", "", 1),
        (3, "previous", "/questions/2", 2),
        (1, "previous", "/questions/1", 1),
        (1, "3", "/questions/3", 2),
        (1, "9", "", 1),
        (2, "stay", "/questions/2", 1),
        (2, "overview", "", 1),
    ],
)
def test_to_leave_an_untouched_question_reads_it_and_the_next_one_only(
    server: Running, place: int, go: str, to: str, rows: int
) -> None:
    with server.guest() as client:
        client.headers["Sec-Fetch-Site"] = "same-origin"
        address = f"/sittings/{begin(client)['id']}"
        form = {"revision": "0", "base": "[null, false]", "answer": "", "go": go}
        with responses_asked_for(server) as statements:
            answer = client.post(f"{address}/questions/{place}", data=form)
        assert (answer.status_code, answer.headers["location"]) == (303, f"{address}{to}")
        assert all(statement.startswith("SELECT") for statement, _ in statements)
        with server.state.db.engine.connect() as connection:
            read = [connection.exec_driver_sql(statement, asked).all() for statement, asked in statements]
        assert sum(map(len, read)) == rows


def test_odd_addresses_and_places_are_nowhere(server: Running) -> None:
    with server.guest() as client:
        client.headers["Sec-Fetch-Site"] = "same-origin"
        sitting = begin(client)
        address = f"/sittings/{sitting['id']}"
        for go in ("9" * 5000, "\u0663", "-1", "1\r\nX: y"):
            form = {"answer": "(N, T)", "revision": "0", "base": "[null, false]", "go": go}
            assert client.post(f"{address}/questions/1", data=form).headers["location"] == address
        for place in ("0", "4", "01", "x", "9" * 40):
            assert client.post(f"{address}/questions/{place}", data={"answer": "1", "go": "next"}).status_code == 404
        body = {"answer": "1", "revision": 0}
        assert client.put(f"/api/v1{address}/answers/%00", json=body).status_code == 404
        assert answer(client, {"id": "demo.timed.%00", "variant": 0}, "1").status_code == 404
        assert client.get("/courses/demo/%00").status_code == 404


def test_a_sitting_that_cannot_be_closed_keeps_no_other_open(server: Running) -> None:
    with server.guest() as unlucky, server.guest() as other:
        lost, due = begin(unlucky), begin(other)
        for sitting in (lost, due):
            put_off(server, sitting, minutes=-1)
        with server.state.db.writing() as db:
            db.get_one(Sitting, lost["id"]).lesson = "which-no-release-reads"
        with pytest.raises(NotFound):
            close_due(server.state.db, server.state.catalog)
        with server.state.db.reading() as db:
            assert not db.get_one(Sitting, due["id"]).is_open


@pytest.mark.parametrize("way", ["its time is over", "its person hands it in"])
def test_a_sitting_is_judged_before_it_keeps_other_writers_waiting(server: Running, way: str) -> None:
    """On SQLite nobody writes while a sitting is closed, and judging takes as long as the question lets it."""
    judged: list[tuple[int, int]] = []  # as the transaction begins that closes a sitting, and as it closes it

    def begin_noted(connection: Any) -> None:
        connection.info["judged"] = responses._judged.cache_info().misses

    def statement_noted(connection: Any, cursor: object, statement: str, *more: object) -> None:
        if statement.startswith("UPDATE sitting SET"):
            judged.append((connection.info["judged"], responses._judged.cache_info().misses))

    engine = server.state.db.engine
    with server.guest() as client:
        sitting = begin(client)
        save(client, sitting, "shape", "(N, T)")
        save(client, sitting, "count", "7")
        if way == "its time is over":
            put_off(server, sitting, minutes=-1)
        responses._judged.cache_clear()
        event.listen(engine, "begin", begin_noted)
        event.listen(engine, "before_cursor_execute", statement_noted)
        try:
            if way == "its time is over":
                close_due(server.state.db, server.state.catalog)
            else:
                submit(client, sitting)
        finally:
            event.remove(engine, "begin", begin_noted)
            event.remove(engine, "before_cursor_execute", statement_noted)
    assert judged == [(2, 2)], "both answers, before it began to write"


def test_of_more_sittings_than_allowed_none_is_told_to_count(server: Running) -> None:
    accounts.add_user(server.state.db, "ada@example.org", "student", "a well kept secret")
    with server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, 'ada@example.org')}") as known:
        submit(known, begin(known, LAST))
        begin(known, LAST)
        with server.guest() as guest:
            third = begin(guest, LAST)
            save(guest, third, "shape", "(N, T)")
            submit(guest, third)
            account = {"email": "ada@example.org", "password": "a well kept secret"}
            assert guest.post("/api/v1/sessions", json=account).status_code == 201
        assert [one["counts"] for one in known.get(LAST).json()["attempts"]] == [True, False, False]
        page = " ".join(known.get("/progress").text.split())
        assert "0 of 3 points" in page


def test_a_start_reads_the_last_sittings_only(server: Running) -> None:
    with server.guest() as client:
        first = begin(client, FREE)
        submit(client, first)
        copy_sitting(server, first, 66_000)
        assert begin(client, FREE)["number"] == 66_001


def copy_sitting(server: Running, sitting: dict[str, Any], up_to: int) -> None:
    """A first sitting as the others, too, up to this number."""
    with server.state.db.writing(durable=False) as db:
        table = Sitting.__table__
        copied = [name for name in table.columns.keys() if name not in ("id", "number")]  # noqa: SIM118
        names = ", ".join(copied)
        db.execute(
            text(
                f"INSERT INTO sitting (number, {names}) "
                "WITH RECURSIVE counted(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM counted WHERE n < :up_to) "
                f"SELECT n, {names} FROM sitting, counted WHERE id = :id"
            ),
            {"id": sitting["id"], "up_to": up_to},
        )


def test_the_page_of_a_quiz_lists_the_last_sittings_and_leads_to_the_older_ones(server: Running) -> None:
    def listed(page: str) -> list[int]:
        return list(map(int, re.findall(r"<li>\s*<a [^>]*>Attempt (\d+)</a>", page)))

    with server.guest() as client:
        first = begin(client, FREE)
        save(client, first, "shape", "(N, T)")
        submit(client, first)
        copy_sitting(server, first, 45)
        with server.state.db.writing(durable=False) as db:
            for number, score in {3: 2.0, 7: 2.0, 45: 0.0}.items():
                found = db.query(Sitting).filter(Sitting.lesson == "free", Sitting.number == number)
                found.update({"score": score})
        page = client.get("/courses/demo/free").text
        assert listed(page) == list(range(45, 25, -1))
        said = " ".join(re.sub(r"<[^>]*>", "", page).split())
        assert "Attempt 3 counts: 2 of 3." in said, "the first of the best, wherever it stands"
        pages = [page]
        while older := re.search(r'href="(/courses/demo/free\?before=\d+)#sittings">Older', pages[-1]):
            pages.append(client.get(older[1]).text)
        assert [number for one in pages for number in listed(one)] == list(range(45, 0, -1))
        assert re.search(r"Attempt 3</a>(?:(?!</li>).)*counts", pages[-1], re.DOTALL)
        for odd in ("x", "-1", "9" * 99, "\u0663"):
            assert listed(client.get("/courses/demo/free", params={"before": odd}).text)[:1] == [45]
        assert client.get(FREE).json()["attempts"][2]["counts"]
        assert "2 of 3 points</a>, the best of 45 attempts" in " ".join(client.get("/progress").text.split())
