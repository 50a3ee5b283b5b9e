"""Essays: a sitting waits for the grade, staff alone give it, and the student sees points, comment and rubric."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.content.course import read_course
from app.people import accounts
from app.settings import Settings
from tests.conftest import BACKENDS, Running, running, scratch_postgres
from tests.sittings import begin, save, submit

QUESTIONS = """
::::{question} why
:type: essay
:points: 5
Why does attention need positions?
:::{rubric}
- secret-rubric: 3 points
:::
:::{explain}
It is secret-explanation.
:::
::::

::::{question} count
:type: count
:answer: 6
How many in 2 times 3?
:::{explain}
Six.
:::
::::
"""
QUIZ = "/api/v1/quizzes/written/quiz"


def write_course(folder: Path, head: str = "kind: quiz\nattempts: 9\n") -> Path:
    course = folder / "written"
    course.mkdir(parents=True)
    (course / "course.toml").write_text('title = "Written"\nblurb = "Of the tests."\n')
    (course / "01-quiz.md").write_text(f"---\ntitle: A quiz\n{head}---\n{QUESTIONS}")
    return folder


@pytest.fixture(scope="module", params=BACKENDS)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("essays")
    (data / "exercises").mkdir()
    lessons = write_course(data / "lessons")
    with ExitStack() as open_ones:
        url = open_ones.enter_context(scratch_postgres()) if request.param == "postgresql" else ""
        settings = Settings(workers=0, data=data, database_url=url, lessons=(lessons,), exercises=(data / "exercises",))
        yield open_ones.enter_context(running(settings))


@pytest.fixture(scope="module")
def token(server: Running) -> str:
    accounts.add_user(server.state.db, "staff@example.org", "instructor", None)
    return accounts.make_token(server.state.db, "staff@example.org")


def why(sitting: dict[str, Any]) -> dict[str, Any]:
    return next(one for one in sitting["questions"] if one["slug"] == "why")


def written(client: httpx.Client, text: str = "Since order <b>matters</b>.") -> dict[str, Any]:
    sitting = begin(client, QUIZ)
    assert save(client, sitting, "why", text).json()["problem"] is None
    save(client, sitting, "count", "6")
    return submit(client, sitting)


def test_a_sitting_waits_and_is_graded_by_hand(server: Running, token: str) -> None:
    with server.guest() as student, server.client(Authorization=f"Bearer {token}") as staff:
        done = written(student)
        assert (done["score"], done["points"], done["waiting"]) == (1, 6, 1)
        assert (why(done)["correct"], why(done)["score"]) == (None, None)
        review = student.get(f"/sittings/{done['id']}").text
        assert "Waiting for grading" in review
        assert "One answer is waiting for grading, so this score is not final." in review
        assert "secret-rubric" not in review + str(done)
        listed = staff.get("/essays").text
        address = f"/essays/{done['id']}/1"
        assert f'href="{address}"' in listed
        page = staff.get(address).text
        assert "secret-rubric" in page
        assert "Since order &lt;b&gt;matters" in page
        refused = staff.post(f"{address}/grade", data={"points": "5.5", "comment": "kept-comment"})
        assert refused.status_code == 422
        assert "kept-comment" in refused.text
        assert staff.post(f"{address}/grade", data={"points": "3.5", "comment": "Say <i>why</i>."}).status_code == 303
        graded = student.get(f"/api/v1/sittings/{done['id']}").json()
        assert (graded["score"], graded["waiting"], why(graded)["score"]) == (4.5, 0, 0.7)
        assert why(graded)["comment"] == "Say <i>why</i>."
        review = student.get(f"/sittings/{done['id']}").text
        assert "<h1>4.5 of 6</h1>" in review
        assert "3.5 of 5" in review
        assert "Say &lt;i&gt;why&lt;/i&gt;." in review
        assert "secret-rubric" in review
        assert "Waiting for grading" not in review
        again = staff.put(f"/api/v1{address}/grade", json={"points": 5, "comment": ""})
        assert (again.status_code, again.json()["earned"]) == (200, 5)
        assert student.get(f"/api/v1/sittings/{done['id']}").json()["score"] == 6
        assert f'href="{address}"' not in staff.get("/essays").text


def test_staff_alone_grade_and_only_what_was_submitted(server: Running, token: str) -> None:
    with server.guest() as student, server.client(Authorization=f"Bearer {token}") as staff:
        done = written(student)
        begun = begin(student, QUIZ)
        save(student, begun, "why", "Not yet.")
        address = f"/essays/{done['id']}/1"
        for path in ("/essays", address, "/api/v1/essays"):
            assert student.get(path).status_code == 403
        assert student.post(f"{address}/grade", data={"points": "5"}).status_code == 403
        assert student.put(f"/api/v1{address}/grade", json={"points": 5}).status_code == 403
        assert [one["answer"] for one in staff.get("/api/v1/essays").json() if one["sitting"] == done["id"]]
        assert not [one for one in staff.get("/api/v1/essays").json() if one["sitting"] == begun["id"]]
        for odd in (f"/essays/{begun['id']}/1", f"/essays/{done['id']}/2", f"/essays/{done['id']}/9", "/essays/x/1"):
            assert staff.get(odd).status_code == 404
            assert staff.put(f"/api/v1{odd}/grade", json={"points": 1}).status_code == 404
        for points in (-1, 5.01, 1.005, "5"):
            assert staff.put(f"/api/v1{address}/grade", json={"points": points}).status_code == 422
        assert student.get(f"/api/v1/sittings/{done['id']}").json()["score"] == 1


def test_nothing_written_earns_nothing_and_waits_for_nobody(server: Running) -> None:
    with server.guest() as student:
        sitting = begin(student, QUIZ)
        assert save(student, sitting, "why", "x" * 20_001).status_code == 422
        assert save(student, sitting, "why", "word " * 4000).json()["read_as"] == "4,000 words"
        assert save(student, sitting, "why", "  ", 1).status_code == 200
        done = submit(student, sitting)
        assert (done["waiting"], why(done)["score"], why(done)["correct"]) == (0, 0, False)
        assert student.get("/api/v1/me/reviews").status_code == 200


def test_an_essay_belongs_into_a_quiz(tmp_path: Path) -> None:
    quiz = read_course(write_course(tmp_path / "quiz") / "written").lessons[0]
    assert quiz.faults == ()
    lesson = read_course(write_course(tmp_path / "lesson", head="") / "written").lessons[0]
    assert [(fault.line, fault.message) for fault in lesson.faults] == [
        (5, "Nobody grades a question of type essay in a lesson.")
    ]
