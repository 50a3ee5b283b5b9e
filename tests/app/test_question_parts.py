"""Matching and cloze through pages and the API: asked without what is right, answered by form and by JSON, reviewed."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from app.settings import Settings
from tests.conftest import Running, running
from tests.sittings import begin, save, submit

QUESTIONS = """
::::{question} pairs
:type: matching
Match each item.
- The ids => `(N, T)` -- secret-feedback
- The rows => `(N, T, d)`
- => `spare-one`
:::{explain}
It is secret-explanation.
:::
::::

::::{question} gaps
:type: cloze
Two times three is [[product]], and a table is [[kind]].
:::{gap} product
:type: count
:answer: 6
:mistake: 5 -> secret-mistake
:::
:::{gap} kind
:type: choice
- [x] learned -- secret-yes
- [ ] computed -- secret-no
:::
:::{explain}
It is secret-explanation.
:::
::::
"""
API = "/api/v1/lessons/parts/lesson/questions"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("parts")
    course = data / "lessons" / "parts"
    course.mkdir(parents=True)
    (course / "course.toml").write_text('title = "Parts"\nblurb = "Of the tests."\n')
    (course / "01-lesson.md").write_text(f"---\ntitle: A lesson\n---\n{QUESTIONS}")
    (course / "02-quiz.md").write_text(f"---\ntitle: A quiz\nkind: quiz\nattempts: 9\n---\n{QUESTIONS}")
    (data / "exercises").mkdir()
    with running(
        Settings(workers=0, data=data, lessons=(data / "lessons",), exercises=(data / "exercises",))
    ) as server:
        yield server


def asked(questions: list[dict[str, Any]], slug: str) -> dict[str, Any]:
    return next(one for one in questions if one["id"].endswith(slug))


def right_pairs(question: dict[str, Any]) -> dict[str, str]:
    options = {re.sub("<[^>]*>", "", one["html"]): one["key"] for one in question["options"]}
    lefts = {part["html"]: part["key"] for part in question["parts"]}
    return {lefts["The ids"]: options["(N, T)"], lefts["The rows"]: options["(N, T, d)"]}


def right_gaps(question: dict[str, Any]) -> list[str]:
    return ["6", next(one["key"] for one in question["parts"][1]["options"] if one["html"] == "learned")]


def test_they_are_asked_without_what_is_right_and_judged_part_by_part(server: Running) -> None:
    with server.guest() as student:
        assert "secret" not in student.get("/courses/parts/lesson").text
        assert "secret" not in student.get(API).text
        questions = student.get(API).json()
        pairs, gaps = asked(questions, "pairs"), asked(questions, "gaps")
        assert (len(pairs["parts"]), len(pairs["options"]), pairs["parts"][0]["options"]) == (2, 3, [])
        assert [len(part["options"]) for part in gaps["parts"]] == [0, 2]
        right = right_pairs(pairs)
        one_right = dict(list(right.items())[:1])
        for question, answer, score in (
            (pairs, right, 1.0),
            (pairs, one_right, 0.5),
            (gaps, right_gaps(gaps), 1.0),
            (gaps, ["5", right_gaps(gaps)[1]], 0.5),
        ):
            body = {"variant": question["variant"], "answer": answer}
            judged = student.post(f"/api/v1/questions/{question['id']}/answers", json=body).json()
            assert (judged["score"], judged["correct"]) == (score, score == 1), judged
            assert "secret-explanation" in judged["explanation"]
        assert "secret-mistake" in judged["feedback"]
        for odd in ({"x": "y"}, {}, ["6"], "6"):
            body = {"variant": pairs["variant"], "answer": odd}
            assert student.post(f"/api/v1/questions/{pairs['id']}/answers", json=body).status_code == 422


def test_a_form_without_scripts_answers_them_in_a_lesson(server: Running) -> None:
    with server.guest() as student:
        questions = student.get(API).json()
        pairs, gaps = asked(questions, "pairs"), asked(questions, "gaps")
        forms = {
            "pairs": {f"match-{left}": key for left, key in right_pairs(pairs).items()},
            "gaps": {f"gap-{n}": text for n, text in enumerate(right_gaps(gaps), 1)},
        }
        for question, slug in ((pairs, "pairs"), (gaps, "gaps")):
            form = {"variant": question["variant"], **forms[slug]}
            page = student.post(f"/questions/{question['id']}/answers", data=form).text
            assert "<b>Right</b>" in page
            assert page.count(" selected>") == (2 if slug == "pairs" else 1)
        assert 'name="gap-1" value="6"' in page


def test_a_sitting_keeps_them_as_they_are_filled_and_reviews_each_part(server: Running) -> None:
    with server.guest() as student:
        sitting = begin(student, "/api/v1/quizzes/parts/quiz")
        pairs, gaps = asked(sitting["questions"], "pairs"), asked(sitting["questions"], "gaps")
        right = right_pairs(pairs)
        half = dict(list(right.items())[:1])
        saved = save(student, sitting, "pairs", dict(reversed(right.items()))).json()
        assert (saved["answer"], saved["problem"]) == (right, None)
        assert list(saved["answer"]) == sorted(right), "in one order, whatever order they came in"
        assert save(student, sitting, "pairs", half, 1).json()["read_as"] == "1 of 2 matched"
        assert save(student, sitting, "gaps", ["six", ""]).json()["problem"].startswith("Gap 1: ")
        page = student.get(f"/sittings/{sitting['id']}/questions/2").text
        assert page.count('id="q-prompt"') == 1
        assert 'value="six"' in page
        address = f"/sittings/{sitting['id']}/questions/2"
        form = {
            "gap-1": "2*3",
            "gap-2": gaps["parts"][1]["options"][0]["key"],
            "revision": "1",
            "base": "",
            "go": "stay",
        }
        assert student.post(address, data=form).status_code == 303
        assert "[1] 2 × 3 = 6" in student.get(address).text
        stale = student.post(address, data={**form, "gap-1": "7"})
        assert stale.status_code == 409
        assert "<code>2*3</code>, " in stale.text
        assert "secret" not in stale.text
        done = submit(student, sitting)
        assert asked(done["questions"], "pairs")["score"] == 0.5
        review = student.get(f"/sittings/{sitting['id']}").text
        assert "secret-explanation" in review
        assert "<code>2*3</code> " in review
        assert re.search(r"right answer:</span> <code[^>]*>\(N, T(, d)?\)</code>", review)


def test_an_answer_to_a_part_is_text_wherever_it_is_shown(server: Running) -> None:
    with server.guest() as student:
        sitting = begin(student, "/api/v1/quizzes/parts/quiz")
        for answer in (["<b>", "<i>"], {"<b>": "<i>"}):
            assert save(student, sitting, "gaps", answer, 0 if isinstance(answer, list) else 1).status_code == 200
            assert save(student, sitting, "pairs", answer, 0 if isinstance(answer, list) else 1).status_code == 200
            for path in ("", "/questions/1", "/questions/2"):
                page = student.get(f"/sittings/{sitting['id']}{path}")
                assert page.status_code == 200
                assert "<i>" not in page.text
        submit(student, sitting)
        review: httpx.Response = student.get(f"/sittings/{sitting['id']}")
        assert review.status_code == 200
        assert "<i>" not in review.text
