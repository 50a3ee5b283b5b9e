"""The way through: what a run is called, where an exercise leads back to and on to, and what a home page offers."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import current_thread
from typing import Any

import httpx
import pytest
from sqlalchemy import event, select, text, update
from sqlalchemy.engine import Connection

from app.people.users import User
from app.practice.submissions import submissions_of
from app.practice.tried import tried_of
from app.progress.progress import Progress, Read, Solved, progress_along, progress_of
from app.progress.way import after_course, after_exercise, after_lesson
from app.quizzes.answers import Answer
from app.reading.embedded import places_of
from app.reading.lessons import LessonRead
from app.web.filters import ticks
from graders.grade import Finished
from graders.verdict import CaseResult, SubmissionResult, Verdict
from tests.app.student import GATHER, LESSON, miss, right_answer, send, send_accepted, single, wrong_answer
from tests.conftest import Running, Serve
from tests.sittings import FREE, TIMED, begin, save, submit, write_course

BROWSER = {"Sec-Fetch-Site": "same-origin"}
FLAX = "flax-learned-pos"
SOFTMAX = "softmax-rows"
SAMPLE_PASSES = SubmissionResult(
    Verdict.accepted, 1.0, "The case is right.", None, None, (CaseResult("one", True, Verdict.accepted),)
)


def send_run(server: Running, client: httpx.Client, kind: str = "run", **more: object) -> int:
    """A run or a trace that is right."""
    body = {"source": "def f(): pass", "framework": "numpy", "kind": kind, **more}
    id = int(client.post(f"/api/v1/exercises/{GATHER}/submissions", json=body).raise_for_status().json()["id"])
    job = server.state.jobs.claim(1)
    assert job is not None
    assert server.state.jobs.record(job, Finished(SAMPLE_PASSES))
    return id


def only_user(server: Running) -> User:
    with server.state.db.reading() as db:
        return db.scalars(select(User)).one()


def progress(server: Running, lessons: int = 0, solved: tuple[str, ...] = ()) -> Progress:
    """Of someone who has read so many lessons of the course, the first ones first, and solved these exercises."""
    course = server.state.catalog.courses["positions"]
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return Progress(
        tuple(Read("positions", lesson.slug, moment) for lesson in course.lessons[:lessons]),
        (),
        tuple(Solved(slug, moment) for slug in solved),
    )


@pytest.mark.parametrize(("kind", "words"), [("run", "Samples pass"), ("trace", "Sample passes")])
def test_a_run_that_is_right_is_never_called_accepted(server: Running, kind: str, words: str) -> None:
    with server.guest() as client:
        id = send_run(server, client, kind)
        assert client.get(f"/api/v1/submissions/{id}").json()["verdict"] == "accepted"
        for path in (f"/submissions/{id}", f"/exercises/{GATHER}/submissions?which=runs"):
            page = client.get(path).text
            assert words in page, path
            assert "Accepted" not in page, path
        page = client.get(f"/submissions/{id}").text
        assert 'class="panel trial"' in page
        assert "Not submitted: this earns no credit." in page
        assert "way-on" not in page
        accepted = client.get(f"/submissions/{send_accepted(server, client)}").text
        assert "Accepted" in accepted
        assert 'class="panel good"' in accepted
        assert "Not submitted" not in accepted


def test_history_has_submissions_and_runs_apart(server: Running) -> None:
    with server.guest() as client:
        path = f"/exercises/{GATHER}/submissions"
        run = send_run(server, client)
        assert f'href="/submissions/{run}"' in client.get(path).text  # nothing is submitted: the runs, at once
        assert "Nothing submitted yet" in client.get(path, params={"which": "submissions"}).text
        sent = send_accepted(server, client)
        listed = {
            which: re.findall(
                r'href="/submissions/(\d+)"', client.get(path, params={"which": which} if which else {}).text
            )
            for which in ("", "submissions", "runs", "all")
        }
        assert listed == {
            "": [str(sent)], "submissions": [str(sent)], "runs": [str(run)], "all": [str(sent), str(run)]
        }  # fmt: skip
        assert client.get(path, params={"which": "nonsense"}).status_code == 422
        desk = client.get(f"/exercises/{GATHER}").text
        assert f'href="{path}?which=runs"' in desk


def test_the_runs_of_someone_who_submits_a_lot_are_found_by_their_index(server: Running) -> None:
    with server.guest() as client:
        send_run(server, client)
    user = only_user(server)
    asked: list[tuple[str, Any]] = []
    with server.state.db.reading() as db:
        connection = db.connection()
        event.listen(connection, "before_cursor_execute", lambda *call: asked.append((call[2], call[3])))
        assert len(submissions_of(db, user, exercise=GATHER, which="runs", limit=12)) == 1
        assert tried_of(db, user, [GATHER, SOFTMAX]) == {GATHER}
        if connection.dialect.name != "sqlite":
            return  # its planner looks at how much there is, and here there is nothing
        runs, tried = [one for one in asked if "FROM submission" in one[0]]
        assert "ix_submission_runs" in (plan := _plan(connection, *runs))
        assert "TEMP B-TREE" not in plan
        assert "SCAN submission" not in _plan(connection, *tried)


def _plan(connection: Connection, statement: str, values: Any) -> str:
    return str(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all())


def test_an_exercise_leads_back_to_every_lesson_that_has_it(server: Running) -> None:
    places = places_of(server.state.catalog.courses, GATHER)
    assert [place.lesson.slug for place in places] == ["learned-embeddings"]
    with server.client() as client:
        page = client.get(f"/exercises/{GATHER}").text
        assert f'href="/courses/positions/learned-embeddings#exercise-{GATHER}"' in page
        assert f'id="exercise-{GATHER}"' in client.get("/courses/positions/learned-embeddings").text
        assert "in the lesson" not in client.get(f"/exercises/{SOFTMAX}").text


def test_after_an_exercise_comes_what_is_next_in_its_lesson_and_course(server: Running) -> None:
    catalog = server.state.catalog
    lessons = catalog.courses["positions"].lessons

    def step(slug: str, *, read: int, solved: tuple[str, ...]) -> str:
        return after_exercise(slug, catalog, progress(server, read, solved)).step.url

    assert step(SOFTMAX, read=0, solved=(SOFTMAX,)) == "/exercises"
    assert step(GATHER, read=2, solved=(GATHER,)) == f"{lessons[2].url}#exercise-{GATHER}"  # the lesson is not read
    assert step(GATHER, read=3, solved=(GATHER,)) == f"/exercises/{FLAX}"
    assert step(FLAX, read=3, solved=(FLAX,)) == f"/exercises/{GATHER}"
    assert step(FLAX, read=3, solved=(FLAX, GATHER)) == lessons[3].url
    end = after_exercise(FLAX, catalog, progress(server, len(lessons), (FLAX, GATHER)))
    assert "finished the course" in end.sentence
    assert end.step.url == "/exercises"


def test_a_lesson_and_a_course_are_finished_when_nothing_in_them_is_left(server: Running) -> None:
    catalog = server.state.catalog
    course = catalog.courses["positions"]
    learned = course.lessons[2]
    assert after_lesson(course, learned, catalog, progress(server, 2)) is None
    unsolved = after_lesson(course, learned, catalog, progress(server, 3, (GATHER,)))
    assert unsolved is not None
    assert "One of its exercises is not solved yet." in unsolved.sentence
    assert unsolved.step.url == f"/exercises/{FLAX}"
    done = after_lesson(course, learned, catalog, progress(server, 3, (GATHER, FLAX)))
    assert done is not None
    assert (done.sentence, done.step.url) == ("You have finished this lesson.", course.lessons[3].url)
    count = len(course.lessons)
    assert after_course(course, catalog, progress(server, count - 1, (GATHER, FLAX))) is None
    half = after_course(course, catalog, progress(server, count, (FLAX,)))
    assert half is not None
    assert "finished" not in half.sentence
    whole = after_course(course, catalog, progress(server, count, (GATHER, FLAX)))
    assert whole is not None
    assert "You have finished the course" in whole.sentence


def test_an_accepted_submission_shows_its_author_the_way_on_and_nobody_else(server: Running) -> None:
    with server.guest() as client:
        id = send_accepted(server, client)
        page = client.get(f"/submissions/{id}").text
        assert "You have solved this exercise." in page
        assert "Read on in Learned embeddings" in page
        assert "Next:" in client.get(f"/exercises/{GATHER}").text
        part = client.get(f"/submissions/{id}/standing", headers={"Lectern-Partial": "1"}).text
        assert "Read on in" in part


def test_the_narrow_look_at_progress_finds_what_the_whole_one_does(server: Running) -> None:
    with server.client(**BROWSER) as client:
        client.post("/courses/positions/why-order-matters/reads")
        first = send_accepted(server, client)
        assert send_accepted(server, client) > first
        send_run(server, client)
    user = only_user(server)
    with server.state.db.reading() as db:
        whole, narrow = progress_of(db, user), progress_along(db, user, [SOFTMAX, GATHER, GATHER])
        assert narrow.exercises_solved == whole.exercises_solved
        assert narrow.lessons_read == whole.lessons_read
        assert narrow.has_solved(GATHER)
        assert not progress_along(db, user, [SOFTMAX]).has_solved(GATHER)
        assert progress_along(db, None, [GATHER]) == Progress()


def test_a_quiz_that_is_submitted_leads_on(serve: Serve, tmp_path: Path) -> None:
    server = serve(lessons=write_course(tmp_path / "lessons"))
    with server.guest() as client:
        sitting = begin(client, FREE)
        assert "way-on" not in client.get(f"/sittings/{sitting['id']}").text
        submit(client, sitting)
        page = client.get(f"/sittings/{sitting['id']}").text
        assert "You have finished this quiz." in page
        assert "Next lesson: Quiz last" in page


def test_a_lesson_shows_what_became_of_its_exercises(server: Running) -> None:
    path = "/courses/positions/learned-embeddings"
    with server.guest() as client:
        assert client.get(path).text.count("not tried yet") == 2
        send_run(server, client)
        page = client.get(path).text
        assert (page.count("not tried yet"), page.count("tried, not solved yet")) == (1, 1)
        send_accepted(server, client)
        page = client.get(path).text
        assert (page.count("tried, not solved yet"), page.count("</svg> solved")) == (0, 1)


def test_the_next_lesson_says_for_a_moment_what_was_finished(server: Running) -> None:
    with server.client(**BROWSER) as client:
        answer = client.post("/courses/positions/why-order-matters/reads")
        page = client.get(answer.headers["location"]).text
        assert "You have finished “Why order matters”: 1 of 5 lessons." in page
        assert "You have finished this lesson." in client.get("/courses/positions/why-order-matters").text
        with server.state.db.writing() as db:
            for read in db.scalars(select(LessonRead)):
                read.read_at -= timedelta(minutes=5)
        assert "You have finished “" not in client.get(answer.headers["location"]).text


def test_home_is_a_poster_for_a_newcomer_and_a_way_on_for_those_who_have_begun(server: Running) -> None:
    with server.client(**BROWSER) as client:
        assert "see why." in client.get("/").text
        body = {"source": "x = 1"}
        client.post(f"/api/v1/exercises/{SOFTMAX}/submissions", json=body).raise_for_status()
        client.post("/courses/positions/why-order-matters/reads")
        home = client.get("/").text
        main = home[home.index("<main") : home.index("</main>")]
        assert "Welcome back." in main
        assert "What you see when an answer is wrong" not in main
        assert 'href="/courses/positions/sinusoidal-encodings">Continue' in main
        assert f'href="/exercises/{SOFTMAX}"' in main
        assert 'href="/review"' not in main
        missed = miss(server, client, 1)
        with server.state.db.writing() as db:
            db.execute(text("UPDATE review_card SET due_at = added_at"))
        assert missed
        assert "1 question to review today" in client.get("/").text
        begun = client.post("/courses/positions/test-your-understanding/sittings", follow_redirects=False)
        sitting = begun.headers["location"].partition("/questions")[0]
        assert f'href="{sitting}"' in client.get("/").text


def test_home_asks_as_many_statements_however_much_was_done(server: Running) -> None:
    counts: list[int] = []
    statements: list[str] = []

    def hear(*call: Any) -> None:
        if current_thread().name.startswith("AnyIO"):  # a page's; others look each second what has changed
            statements.append(call[2])

    with server.client(**BROWSER) as client:
        for times in (1, 6):
            for _ in range(times):
                send_run(server, client)
                miss(server, client, 1)
            with server.state.db.reading() as db:
                engine = db.get_bind()
            event.listen(engine, "before_cursor_execute", hear)
            statements.clear()
            for path in ("/", "/courses/positions/learned-embeddings", f"/exercises/{GATHER}/submissions"):
                client.get(path).raise_for_status()
            counts.append(len(statements))
            event.remove(engine, "before_cursor_execute", hear)
    assert counts[0] >= counts[1] > 0  # the first look may cost more, never the seventh


def test_practice_asks_what_was_missed_first_and_changes_no_day_of_review(server: Running) -> None:
    with server.client(**BROWSER) as client:
        assert "Nothing to practise yet." in client.get("/review/practice").text
        assert "Practise now" not in client.get("/review").text
        right, missed = single(client.get(LESSON).json())[:2]
        send(client, right, right_answer(server, right))
        send(client, missed, wrong_answer(server, missed))
        assert "Practise now" in client.get("/review").text
        with server.state.db.writing() as db:
            for answer in db.scalars(select(Answer)):
                answer.created_at -= timedelta(days=2)
        before = _due(server)

        def asked() -> str:
            page = client.get("/review/practice").text
            found = re.search(r'action="/review/practice/([^/"]+)/answers', page)
            assert found
            return found[1]

        assert asked() == missed["id"]
        form = {"variant": str(missed["variant"]), "answer": "999983"}
        for _ in range(2):
            page = client.post(f"/review/practice/{missed['id']}/answers", data=form)
            assert page.status_code in (200, 422)
        assert asked() == right["id"]  # the other one was asked today
        assert _due(server) == before


def _due(server: Running) -> list[tuple[object, ...]]:
    with server.state.db.reading() as db:
        return [tuple(row) for row in db.execute(text("SELECT question, due_at FROM review_card"))]


def test_a_question_of_a_quiz_that_counts_is_never_practised(serve: Serve, tmp_path: Path) -> None:
    server = serve(lessons=write_course(tmp_path / "lessons"))
    with server.guest() as client:
        client.headers.update(BROWSER)
        for quiz, is_practised in ((TIMED, False), (FREE, True)):
            sitting = begin(client, quiz)
            for number, one in enumerate(sitting["questions"]):
                save(client, sitting, one["slug"], "41" if number else "(N, T)")
            submit(client, sitting)
            assert ("/answers" in client.get("/review/practice").text) is is_practised, quiz
        assert client.post("/review/practice/demo.timed.shape/answers", data={"variant": "0"}).status_code == 403
        with server.state.db.writing() as db:
            db.execute(update(Answer).values(question="demo.free.gone"))
        assert "Nothing to practise yet." in client.get("/review/practice").text


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("the output is too small.", "The output is too small."),
        ("solve(x, axis) takes 2 arguments.", "solve(x, axis) takes 2 arguments."),
        ("x.shape is (3,).", "x.shape is (3,)."),
        ("d_model is missing.", "d_model is missing."),
        ("x = 3 is not used.", "x = 3 is not used."),
        ("a value, or two.", "A value, or two."),
        ("`solve(x)` is called.", "<code>solve(x)</code> is called."),
    ],
)
def test_a_sentence_begins_with_a_capital_unless_it_begins_with_code(written: str, shown: str) -> None:
    assert ticks(written) == shown
