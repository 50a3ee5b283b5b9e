"""Grading by hand: comments on lines, rubrics and what they make of a score, and the queue that its staff share."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import delete, func, select, update
from sqlalchemy import text as sql

from app.classes.api.assignments import GradebookOut
from app.classes.assignments import Assignment
from app.classes.classes import Class
from app.classes.comments import LineComment
from app.classes.gradebook import gradebook_of
from app.classes.grading import GradingClaim, essay_key
from app.db import Database
from app.quizzes.responses import SittingResponse, response_at
from app.quizzes.sittings import Sitting
from app.settings import Settings
from tests.app.classes import GATHER, SOFTMAX, ClassAtHand, account, close_clients, id_of, judged
from tests.conftest import BACKENDS, Running, running, scratch_postgres
from tests.sittings import begin, save, submit
from tests.waiting import LIMIT_SECONDS, until, until_ended

WRITTEN = """---
title: A quiz
kind: quiz
---
::::{question} why
:type: essay
:points: 4
Why does attention need positions?
:::{rubric}
- secret-rubric: 3 points
:::
::::

::::{question} count
:type: count
:answer: 6
How many in 2 times 3?
::::
"""
SOURCE = "import numpy as np\n\n\ndef f(x):\n    return x[:4]\n"
QUIZ = "/api/v1/quizzes/written/quiz"


def write_course(folder: Path) -> Path:
    course = folder / "written"
    course.mkdir(parents=True)
    (course / "course.toml").write_text('title = "Written"\nblurb = "Of the tests."\n')
    (course / "01-quiz.md").write_text(WRITTEN)
    return folder


@pytest.fixture(scope="module", params=BACKENDS)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("by-hand")
    lessons = write_course(data / "lessons")
    with ExitStack() as open_ones:
        url = open_ones.enter_context(scratch_postgres()) if request.param == "postgresql" else ""
        settings = Settings(workers=0, data=data, database_url=url, lessons=(lessons,), rate_limits="off")
        yield open_ones.enter_context(running(settings))


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_clients()


NUMBERS = iter(range(10_000))


def person(server: Running, role: str = "student") -> tuple[str, httpx.Client]:
    email = f"h{next(NUMBERS)}@example.org"
    return email, account(server, email, role)


def new_class(server: Running) -> ClassAtHand:
    _, ada = person(server, "instructor")
    made = ada.post("/api/v1/classes", json={"course": "written", "title": "Spring"}).raise_for_status().json()
    return ClassAtHand(made["id"], made["join_code"], ada)


def joined(server: Running, class_: ClassAtHand, role: str = "student", name: str = "") -> tuple[str, httpx.Client]:
    email, client = person(server)
    class_.join(client)
    body = {"role": role, "name": name}
    class_.instructor.patch(f"{class_.url}/roster/{id_of(server, email)}", json=body).raise_for_status()
    return email, client


def rubric(class_: ClassAtHand, *points: float, percent: str = "50", **more: str) -> list[str]:
    """Criteria of an exercise, worth so much each. Returns the names of their fields in the form of points."""
    place = f"/classes/{class_.id}/rubrics/exercise/{GATHER}"
    form = {"percent": percent, **more}
    keys = keys_of(class_)
    for number, worth in enumerate(points):
        key = keys[number].removeprefix("points-") if number < len(keys) else ""
        form |= {f"title-{number}": f"Criterion {number}", f"points-{number}": f"{worth:g}", f"key-{number}": key}
    done = class_.instructor.post(place, data=form)
    assert done.status_code == 303, done.text
    return keys_of(class_)


def keys_of(class_: ClassAtHand) -> list[str]:
    page = class_.instructor.get(f"/classes/{class_.id}/rubrics/exercise/{GATHER}").text
    keys = [part.partition('value="')[2].partition('"')[0] for part in page.split('name="key-')[1:]]
    assert keys
    return [f"points-{key}" for key in keys if key]


def past(**delta: float) -> datetime:
    return datetime.now(UTC) - timedelta(**delta)


def make_due(server: Running, class_: ClassAtHand, slug: str = GATHER) -> None:
    with server.state.db.writing() as db:
        mine = Assignment.class_id == class_.id, Assignment.slug == slug
        db.execute(update(Assignment).where(*mine).values(due_at=past(seconds=1)))


def essay(client: httpx.Client, text: str = "Since order <b>matters</b>.") -> dict[str, Any]:
    sitting = begin(client, QUIZ)
    save(client, sitting, "why", text)
    save(client, sitting, "count", "6")
    return submit(client, sitting)


# ---- comments -------------------------------------------------------------------------------------------------


def test_staff_comment_on_a_line_and_the_student_reads_it_beside_their_code(server: Running) -> None:
    class_ = new_class(server)
    _, eve = joined(server, class_)
    _, helper = joined(server, class_, "assistant", "Bob B.")
    class_.assign()
    id = judged(server, eve, 0.5, source=SOURCE)
    page = f"/classes/{class_.id}/submissions/{id}"
    shown = helper.get(page)
    assert shown.status_code == 200
    assert f'href="{page}?line=5#line-5"' in shown.text
    assert '<textarea id="new-comment"' not in shown.text
    assert '<textarea id="new-comment"' in helper.get(f"{page}?line=5").text
    text = "Use `x[:T]` <script>alert(1)</script>"
    done = helper.post(f"{page}/comments", data={"line": "5", "text": text})
    assert (done.status_code, "#comment-" in done.headers["location"]) == (303, True)
    number = done.headers["location"].rpartition("-")[2]
    mine = eve.get(f"/submissions/{id}").text
    assert "<code>x[:T]</code>" in mine
    assert "<script>alert" not in mine
    assert "Bob B." in mine
    assert "One comment" in mine
    changed = helper.post(f"/classes/{class_.id}/comments/{number}", data={"text": "Look at *T* here."})
    assert changed.status_code == 303
    assert "Look at <em>T</em> here." in eve.get(f"/submissions/{id}").text
    assert class_.instructor.post(f"/classes/{class_.id}/comments/{number}", data={"text": "x"}).status_code == 403
    assert class_.instructor.post(f"/classes/{class_.id}/comments/{number}/delete").status_code == 303
    assert "One comment" not in eve.get(f"/submissions/{id}").text
    with server.state.db.reading() as db:
        row = db.get_one(LineComment, int(number))
    assert (row.text, row.deleted_at is not None) == ("", True)
    assert helper.post(f"/classes/{class_.id}/comments/{number}", data={"text": "again"}).status_code == 404


def test_only_the_staff_of_the_students_own_class_read_and_comment(server: Running) -> None:
    class_, other = new_class(server), new_class(server)
    _, eve = joined(server, class_)
    _, mallory = joined(server, class_)
    class_.assign()
    other.assign()
    id, unassigned = judged(server, eve, source=SOURCE), judged(server, eve, exercise=SOFTMAX)
    page = f"/classes/{class_.id}/submissions/{id}"
    form = {"line": "1", "text": "x"}
    for client in (eve, mallory):
        assert client.get(page).status_code == 403
        assert client.post(f"{page}/comments", data=form).status_code == 403
        assert client.post(f"{page}/grade", data={}).status_code == 403
    assert other.instructor.get(page).status_code == 404
    assert other.instructor.get(f"/classes/{other.id}/submissions/{id}").status_code == 404
    assert other.instructor.post(f"/classes/{other.id}/submissions/{id}/comments", data=form).status_code == 404
    assert class_.instructor.get(f"/classes/{class_.id}/submissions/{unassigned}").status_code == 404
    written = class_.instructor.post(f"{page}/comments", data=form).headers["location"].rpartition("-")[2]
    for odd in (f"/classes/{other.id}/comments/{written}", f"/classes/{other.id}/comments/{written}/delete"):
        assert other.instructor.post(odd, data={"text": "mine"}).status_code == 404
    for line, text in (("0", "x"), ("99", "x"), ("1", "  "), ("1", "x" * 5001), ("x", "x")):
        refused = class_.instructor.post(f"{page}/comments", data={"line": line, "text": text})
        assert refused.status_code == 422, (line, text[:5])
    assert mallory.get(f"/submissions/{id}").status_code == 404


# ---- rubrics --------------------------------------------------------------------------------------------------


def test_points_by_hand_join_the_automatic_score_and_wait_until_they_are_given(server: Running) -> None:
    class_ = new_class(server)
    email, eve = joined(server, class_)
    class_.assign(due_at=(datetime.now(UTC) + timedelta(days=1)).isoformat())
    id = judged(server, eve, 0.5, source=SOURCE)
    assert (class_.cell(email) or {})["score"] == 0.5
    keys = rubric(class_, 3, 1, percent="40")
    waiting = class_.cell(email) or {}
    assert (waiting["score"], waiting["waiting"]) == (0.3, True)
    page = f"/classes/{class_.id}/submissions/{id}"
    bad = class_.instructor.post(f"{page}/grade", data={keys[0]: "3.5", keys[1]: "1", "comment": "kept-comment"})
    assert (bad.status_code, "kept-comment" in bad.text) == (422, True)
    assert class_.instructor.post(f"{page}/grade", data={keys[0]: "3"}).status_code == 422
    form = {keys[0]: "2", keys[1]: "1", "comment": "Good *names*."}
    assert class_.instructor.post(f"{page}/grade", data=form).status_code == 303
    graded = class_.cell(email) or {}
    assert (graded["score"], graded["waiting"]) == (0.6, False)  # 0.6 * 0.5 + 0.4 * 3/4
    mine = eve.get(f"/submissions/{id}").text
    assert "3 of 4 points by hand" in mine
    assert "Good <em>names</em>." in mine
    # a better one waits again, and the points hold meanwhile
    better = judged(server, eve, 1.0, source=SOURCE + "\n")
    again = class_.cell(email) or {}
    assert (again["submission"], again["score"], again["waiting"]) == (better, 0.9, True)
    # a criterion that is new waits; one that is gone counts for nothing
    rubric(class_, 3, 1, 4, percent="40")
    assert (class_.cell(email) or {})["score"] == 0.6
    rubric(class_, 3, percent="100")
    assert round((class_.cell(email) or {})["score"], 4) == round(2 / 3, 4)


def test_a_late_day_takes_off_what_it_takes_off_points_by_hand_too(server: Running) -> None:
    class_ = new_class(server)
    email, eve = joined(server, class_)
    class_.assign(due_at=past(hours=30).isoformat(), late={"per_day": 0.1})
    id = judged(server, eve, 1.0, source=SOURCE)
    (key,) = rubric(class_, 2)
    class_.instructor.post(f"/classes/{class_.id}/submissions/{id}/grade", data={key: "1"})
    cell = class_.cell(email) or {}
    assert (cell["late_days"], cell["raw"], cell["score"]) == (2, 0.75, 0.6)


def test_a_kept_row_is_what_another_process_would_compute_whatever_changes(server: Running) -> None:
    """A process keeps the rows of the gradebook: after each change it answers as one that has just started."""
    class_ = new_class(server)
    (email, eve), (other, bob) = joined(server, class_, name="Eve"), joined(server, class_, name="Bob")
    user = id_of(server, email)
    soon, instructor = datetime.now(UTC) + timedelta(days=1), class_.instructor
    place = f"{class_.url}/scores/{user}/exercise/{GATHER}"
    extension = f"{class_.url}/extensions/{user}/exercise/{GATHER}"
    changes: list[Callable[[], Any]] = [
        lambda: class_.assign(due_at=soon.isoformat()),
        lambda: class_.assign(SOFTMAX, weight=2),
        lambda: class_.assign("written.quiz", "quiz", weight=3),
        lambda: judged(server, eve, 0.5, source=SOURCE),
        lambda: judged(server, bob, 1.0, source=SOURCE, exercise=SOFTMAX),
        lambda: essay(eve),
        lambda: rubric(class_, 3, percent="40"),
        lambda: instructor.put(place, json={"score": 0.9, "reason": "a power cut"}).raise_for_status(),
        lambda: judged(server, eve, 1.0, source=SOURCE + "\n"),
        lambda: instructor.delete(place).raise_for_status(),
        lambda: class_.assign(due_at=soon.isoformat(), attempts=1),
        lambda: instructor.put(extension, json={"attempts": 2}).raise_for_status(),
        lambda: instructor.put(extension, json={"excused": True}).raise_for_status(),
        lambda: instructor.delete(extension).raise_for_status(),
        lambda: make_due(server, class_),
        lambda: class_.assign(GATHER, due_at=past(hours=30).isoformat(), late={"per_day": 0.1}),
        lambda: instructor.patch(class_.url, json={"drop_lowest": 1}).raise_for_status(),
        lambda: instructor.patch(f"{class_.url}/roster/{user}", json={"name": "Eva"}).raise_for_status(),
        lambda: instructor.delete(f"{class_.url}/roster/{id_of(server, other)}").raise_for_status(),
    ]
    before = class_.gradebook()
    for number, change in enumerate(changes):
        change()
        book = class_.gradebook()
        assert book != before, number
        assert book == freshly_computed(server, class_), number
        assert book == GradebookOut(**book).model_dump(mode="json")  # as documented, though it is written by hand
        before = book


def freshly_computed(server: Running, class_: ClassAtHand) -> dict[str, Any]:
    """The gradebook as a process computes it that has kept nothing."""
    database = Database(server.state.settings.database)
    try:
        with database.reading() as db:
            held = db.get_one(Class, class_.id)
        found: dict[str, Any] = gradebook_of(database, server.state.catalog, held).as_json()
    finally:
        database.close()
    return found


def test_a_copy_of_the_class_is_graded_by_the_same_rubrics(server: Running) -> None:
    class_ = new_class(server)
    class_.assign()
    keys = rubric(class_, 3, 1, percent="40", anonymous="1")
    copied = class_.instructor.post(f"{class_.url}/copies", json={"title": "Autumn"}).raise_for_status().json()
    copy = ClassAtHand(copied["id"], copied["join_code"], class_.instructor)
    assert keys_of(copy) == keys
    rubric(copy, 5)
    assert keys_of(class_) == keys  # the old one keeps its own


def test_a_rubric_is_for_instructors_and_refuses_what_is_none(server: Running) -> None:
    class_ = new_class(server)
    _, helper = joined(server, class_, "assistant")
    class_.assign()
    class_.assign("quiz", "quiz")
    place = f"/classes/{class_.id}/rubrics/exercise/{GATHER}"
    assert helper.get(place).status_code == 403
    assert helper.post(place, data={"percent": "50"}).status_code == 403
    for form in (
        {"percent": "101"}, {"percent": "x"}, {"percent": "50", "title-0": "t", "points-0": "0"},
        {"percent": "50", "title-0": "", "points-0": "3"}, {"percent": "50", "title-0": "t", "points-0": "-1"},
    ):  # fmt: skip
        refused = class_.instructor.post(place, data=form)
        assert refused.status_code == 422, form
        assert 'role="alert"' in refused.text
    quiz = class_.instructor.post(f"/classes/{class_.id}/rubrics/quiz/quiz", data={"anonymous": "yes"})
    assert quiz.status_code == 303
    assert "names hidden" in class_.instructor.get(f"/classes/{class_.id}/rubrics").text


# ---- the queue ------------------------------------------------------------------------------------------------


def test_class_staff_grade_essays_of_their_students_and_take_one_after_the_other(server: Running) -> None:
    class_ = new_class(server)
    email, eve = joined(server, class_)
    _, bob = joined(server, class_)
    _, stranger = person(server)
    _, helper = joined(server, class_, "assistant")
    class_.assign("quiz", "quiz")
    first, second, strange = essay(eve), essay(bob, "Otherwise."), essay(stranger)
    assert (class_.cell(email) or {})["waiting"] is True
    listed = helper.get(f"/classes/{class_.id}/grading").text
    assert f"/classes/{class_.id}/essays/{first['id']}/1" in listed
    assert f"essays/{strange['id']}/" not in listed
    assert helper.get("/essays").status_code == 403, "a role in a class opens nothing of the site"
    taken = helper.post(f"/classes/{class_.id}/grading/next").headers["location"]
    assert taken == f"/classes/{class_.id}/essays/{first['id']}/1"
    page = helper.get(taken).text
    assert "secret-rubric" in page
    assert "Since order &lt;b&gt;matters" in page
    assert email in page
    bad = helper.post(f"{taken}/grade", data={"points": "9", "comment": "kept", "go": "next"})
    assert (bad.status_code, "kept" in bad.text) == (422, True)
    done = helper.post(f"{taken}/grade", data={"points": "3", "comment": "Say why.", "go": "next"})
    assert done.headers["location"] == f"/classes/{class_.id}/essays/{second['id']}/1"
    cell = class_.cell(email) or {}
    assert (cell["score"], cell["waiting"]) == (0.8, False)
    last = helper.post(f"{done.headers['location']}/grade", data={"points": "4", "go": "next"})
    assert last.headers["location"] == f"/classes/{class_.id}/grading?done=1"
    assert "everything is graded" in helper.get(last.headers["location"]).text
    for client in (eve, bob):
        assert client.get(f"/classes/{class_.id}/grading").status_code == 403
        assert client.post(f"/classes/{class_.id}/grading/next").status_code == 403
        assert client.post(f"{taken}/grade", data={"points": "4"}).status_code == 403
    assert helper.get(f"/classes/{class_.id}/essays/{strange['id']}/1").status_code == 404
    other = new_class(server)
    assert other.instructor.get(f"/classes/{other.id}/essays/{first['id']}/1").status_code == 404


def test_nobody_grades_an_answer_that_counts_where_they_do_not_grade(server: Running) -> None:
    """attack: a student who helps in another class grades a friend's answer there, which an exam here counts."""
    exam, friends = new_class(server), new_class(server)
    email, eve = joined(server, exam)
    friends.join(eve)
    _, mallory = joined(server, friends, "instructor")
    for class_ in (exam, friends):
        class_.assign("quiz", "quiz")
    sitting = essay(eve)
    place = f"/classes/{friends.id}/essays/{sitting['id']}/1"
    assert mallory.get(place).status_code == 200
    refused = mallory.post(f"{place}/grade", data={"points": "4"})
    assert (refused.status_code, "counts in another class" in refused.text) == (403, True)
    taken = mallory.post(f"/classes/{friends.id}/grading/next").headers["location"]
    assert "/essays/" not in taken
    assert (exam.cell(email) or {})["waiting"] is True
    assert friends.instructor.post(f"{place}/grade", data={"points": "3"}).status_code == 303, (
        "who may create classes may"
    )
    assert (exam.cell(email) or {})["waiting"] is False


def test_who_has_one_is_shown_and_nobody_else_grades_it_until_it_is_put_back_or_expires(server: Running) -> None:
    class_ = new_class(server)
    _, eve = joined(server, class_)
    _, one = joined(server, class_, "assistant", "Grace H.")
    _, two = joined(server, class_, "assistant", "Alan T.")
    class_.assign("quiz", "quiz")
    sitting = essay(eve)
    place = f"/classes/{class_.id}/essays/{sitting['id']}/1"
    assert one.post(f"/classes/{class_.id}/grading/next").headers["location"] == place
    assert one.post(f"/classes/{class_.id}/grading/next").headers["location"] == place, "one's own comes back"
    assert two.post(f"/classes/{class_.id}/grading/next").headers["location"].endswith("?done=1")
    assert "Grace H." in two.get(f"/classes/{class_.id}/grading").text
    assert "Grace H. is grading this" in two.get(place).text
    refused = two.post(f"{place}/grade", data={"points": "1"})
    assert (refused.status_code, "Grace H. is grading this right now." in refused.text) == (409, True)
    key = f"essay:{sitting['id']}:1"
    two.post(f"/classes/{class_.id}/grading/release", data={"item": key})
    assert two.post(f"{place}/grade", data={"points": "1"}).status_code == 409, "nobody puts back what others have"
    one.post(f"/classes/{class_.id}/grading/release", data={"item": key})
    assert two.post(f"/classes/{class_.id}/grading/next").headers["location"] == place
    with server.state.db.writing() as db:
        db.execute(update(GradingClaim).where(GradingClaim.item == key).values(until=past(seconds=1)))
    assert one.post(f"/classes/{class_.id}/grading/next").headers["location"] == place, "it has expired"
    assert two.post(f"{place}/grade", data={"points": "1"}).status_code == 409
    assert one.post(f"{place}/grade", data={"points": "2"}).status_code == 303
    with server.state.db.reading() as db:
        assert db.scalar(select(func.count()).select_from(GradingClaim).where(GradingClaim.item == key)) == 0
        row = db.get_one(SittingResponse, (sitting["id"], 1))
    assert row.score == 0.5


def test_two_who_take_at_once_never_have_the_same_one(server: Running) -> None:
    class_ = new_class(server)
    _, eve = joined(server, class_)
    class_.assign("quiz", "quiz")
    count, graders = 6, [joined(server, class_, "assistant")[1] for _ in range(3)]
    sittings = [essay(eve, str(n)) for n in range(count)]
    graded: dict[str, list[int]] = {}
    barrier, lock = threading.Barrier(len(graders)), threading.Lock()

    def grade(number: int) -> None:
        barrier.wait(LIMIT_SECONDS)
        place = graders[number].post(f"/classes/{class_.id}/grading/next").headers["location"]
        while "/essays/" in place:
            with lock:
                graded.setdefault(place, []).append(number)
            done = graders[number].post(f"{place}/grade", data={"points": "4", "go": "next"})
            assert done.status_code == 303, done.text
            place = done.headers["location"]

    threads = [threading.Thread(target=grade, args=(number,)) for number in range(len(graders))]
    for thread in threads:
        thread.start()
    until_ended(*threads)
    assert sorted(graded) == sorted(f"/classes/{class_.id}/essays/{one['id']}/1" for one in sittings)
    assert [whose for whose in graded.values() if len(whose) != 1] == []
    assert "everything is graded" in graders[0].get(f"/classes/{class_.id}/grading?done=1").text


class Turn:
    """The turn of SQLite's writers, which tells that somebody waits for it."""

    def __init__(self) -> None:
        self._lock, self.is_awaited = threading.Lock(), threading.Event()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            self.is_awaited.set()
            self._lock.acquire()

    def __exit__(self, *raised: object) -> None:
        self._lock.release()


def until_somebody_waits(server: Running, turn: Turn) -> None:
    """For the row on PostgreSQL. SQLite has one writer: who asks waits with the beginning."""
    if server.state.db.is_sqlite:
        assert turn.is_awaited.wait(LIMIT_SECONDS), "nobody waits"
        return
    waiting = sql(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )

    def is_awaited() -> bool:
        with server.state.db.reading() as db:
            return bool(db.scalar(waiting))

    until(is_awaited, "nobody waits")


def test_what_is_graded_while_another_asks_for_the_next_is_not_given_to_them(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who listed what waits before it was claimed, and asks for the claim as it ends, had seen no grade."""
    class_ = new_class(server)
    _, eve = joined(server, class_)
    _, asking = joined(server, class_, "assistant")
    class_.assign("quiz", "quiz")
    sitting = essay(eve)
    monkeypatch.setattr(server.state.db, "_turn", turn := Turn())
    with ThreadPoolExecutor() as pool:
        with server.state.db.writing() as db:
            response, owner = response_at(db, sitting["id"], "1"), db.get_one(Sitting, sitting["id"]).user_id
            assert response is not None
            key, later = essay_key(sitting["id"], 1), datetime.now(UTC) + timedelta(minutes=5)
            db.add(GradingClaim(item=key, class_id=class_.id, holder_id=owner, until=later))
            response.score = 1.0
            db.flush()
            asked = pool.submit(asking.post, f"/classes/{class_.id}/grading/next")
            until_somebody_waits(server, turn)
            db.execute(delete(GradingClaim).where(GradingClaim.item == key))
        assert asked.result(LIMIT_SECONDS).headers["location"].endswith("?done=1")


def test_submissions_wait_once_they_are_due_and_names_may_be_hidden(server: Running) -> None:
    class_ = new_class(server)
    email, eve = joined(server, class_)
    _, helper = joined(server, class_, "assistant")
    class_.assign(due_at=(datetime.now(UTC) + timedelta(days=1)).isoformat())
    id = judged(server, eve, 0.5, source=SOURCE)
    (key,) = rubric(class_, 2, anonymous="yes")
    assert "Nothing waits" in helper.get(f"/classes/{class_.id}/grading").text
    make_due(server, class_)
    listed = helper.get(f"/classes/{class_.id}/grading").text
    assert "name hidden" in listed
    assert email not in listed
    place = helper.post(f"/classes/{class_.id}/grading/next").headers["location"]
    assert place == f"/classes/{class_.id}/submissions/{id}"
    assert email not in helper.get(place).text
    assert helper.post(f"{place}/grade", data={key: "2", "go": "next"}).headers["location"].endswith("?done=1")
    assert (class_.cell(email) or {})["waiting"] is False
    rubric(class_, 2)
    assert email in helper.get(place).text


def test_the_api_does_what_the_pages_do(server: Running) -> None:
    class_ = new_class(server)
    email, eve = joined(server, class_)
    _, helper = joined(server, class_, "assistant", "Grace H.")
    class_.assign(due_at=past(minutes=1).isoformat())
    class_.assign("quiz", "quiz")
    id, sitting = judged(server, eve, 0.5, source=SOURCE, at=past(minutes=2)), essay(eve)
    place = f"{class_.url}/rubrics/exercise/{GATHER}"
    assert helper.get(place).status_code == 404
    body = {"criteria": [{"title": "Names", "points": 4}], "hand_weight": 0.5}
    assert helper.put(place, json=body).status_code == 403
    made = class_.instructor.put(place, json=body).raise_for_status().json()
    key = made["criteria"][0]["key"]
    assert helper.get(place).json() == made
    assert [one["kind"] for one in helper.get(f"{class_.url}/grading").json()] == ["exercise", "quiz"]
    taken = helper.post(f"{class_.url}/grading/claims")
    assert (taken.status_code, taken.json()["url"]) == (201, f"/classes/{class_.id}/submissions/{id}")
    claim = class_.instructor.get(f"{class_.url}/grading").json()[0]["claim"]
    assert (claim["holder"], claim["is_yours"]) == ("Grace H.", False)
    grade = f"{class_.url}/submissions/{id}/grade"
    assert class_.instructor.put(grade, json={"points": {key: 4}}).status_code == 409
    assert helper.put(grade, json={"points": {key: 4.5}}).status_code == 422
    assert helper.put(grade, json={"points": {key: 4}}).status_code == 204
    assert (class_.cell(email) or {})["score"] == 0.75
    answer = helper.post(f"{class_.url}/grading/claims").json()["item"]
    assert helper.delete(f"{class_.url}/grading/claims/{answer}").status_code == 204
    done = class_.instructor.put(f"{class_.url}/essays/{sitting['id']}/1/grade", json={"points": 4})
    assert done.status_code == 204
    assert helper.post(f"{class_.url}/grading/claims").status_code == 404
    comments = f"{class_.url}/submissions/{id}/comments"
    written = helper.post(comments, json={"line": 2, "text": "*Why?*"})
    assert (written.status_code, written.json()["html"]) == (201, "<p><em>Why?</em></p>\n")
    one = f"{class_.url}/comments/{written.json()['id']}"
    assert helper.put(one, json={"text": "Because."}).json()["edited_at"] is not None
    assert [row["line"] for row in helper.get(comments).json()] == [2]
    assert helper.delete(one).status_code == 204
    assert helper.get(comments).json() == []
    frozen = class_.instructor.post(f"{class_.url}/frozen", json={"why": "Why not"})
    assert frozen.status_code == 201
    copy = helper.get(f"{class_.url}/frozen/{frozen.json()['id']}").json()
    assert [cell["score"] for cell in copy["rows"][0]["cells"]] == [0.75, 1.0]
    assert helper.post(f"{class_.url}/frozen", json={"why": "Why not"}).status_code == 403
    for call in (f"{class_.url}/grading", place, comments, f"{class_.url}/frozen"):
        assert eve.get(call).status_code == 403, call
