"""Pages stay flat as rows grow: what they ask is answered from an index, whatever the tables hold."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlalchemy import event, text

from app.content.course import read_course
from app.db import Database, now
from app.people.export import counts_of
from app.people.guests import let_go_of_guests
from app.people.users import User, add_guest, open_login, user_by_token
from app.practice.drafts import newest_source
from app.practice.gradings import Grading, judged_elsewhere, recover
from app.practice.hints import HintOpened, hints_of
from app.practice.outcomes import WrongOutcome
from app.practice.shared_solutions import fastest, shortest
from app.practice.solutions import access_of
from app.practice.standings import standing_of
from app.practice.submissions import (
    Submission,
    has_history,
    let_go_of_runs,
    load_submission,
    submissions_of,
    waiting,
)
from app.progress.activity import activity_of
from app.progress.left_off import left_off
from app.progress.progress import best_scores, progress_of
from app.quizzes.answers import attempts
from app.quizzes.questions import reviewed_by
from app.quizzes.quizzes import submitted_by, taken_by
from app.quizzes.reviews import today_of
from app.reading.catalog import Catalog
from app.teaching import answers, outcomes
from app.teaching.hints import hint_outcomes
from app.teaching.reports import reports_of_exercise, reports_of_questions
from graders.exercise.reader import read_exercise
from tests.conftest import CATALOG


@contextmanager
def statements(database: Database) -> Iterator[list[tuple[str, tuple[object, ...]]]]:
    seen: list[tuple[str, tuple[object, ...]]] = []

    def note(connection: object, cursor: object, statement: str, parameters: tuple[object, ...], *more: object) -> None:
        if statement.startswith("SELECT"):
            seen.append((statement, parameters))

    event.listen(database.engine, "before_cursor_execute", note)
    yield seen
    event.remove(database.engine, "before_cursor_execute", note)


def test_nothing_walks_a_table(database_url: str) -> None:
    database = Database(database_url)
    if not database.is_sqlite:
        pytest.skip("PostgreSQL's planner rightly walks tables as small as a test's")
    with database.writing() as db:
        user = add_guest(db)
        token = open_login(db, user, 1)
        staff = User(role="admin", email="a@example.org")
    catalog = Catalog(database)
    catalog.exercises = {"softmax-rows": read_exercise(CATALOG / "exercises" / "softmax-rows")}
    quiz = read_course(CATALOG / "lessons" / "positions").lesson("test-your-understanding")
    assert quiz
    with statements(database) as asked, database.reading() as db:
        user_by_token(db, token)
        submissions_of(db, user)
        submissions_of(db, user, exercise="x", before=10)
        newest_source(db, user, "x", "numpy")
        progress_of(db, user)
        today_of(db, user, catalog.reviewed)
        left_off(db, catalog, user, progress_of(db, user))
        activity_of(db, user, 60)
        best_scores(db, user)
        submitted_by(db, user)
        taken_by(db, user, quiz, before=100)
        reviewed_by(db, user, catalog)
        counts_of(db, user.id)
        attempts(db, user.id, ["a.b.c", "a.b.d"])
        hints_of(db, user, "x", ("a", "b"))
        access_of(db, user, "x")
        standing_of(db, Submission(exercise="x", framework="numpy", user_id=1), "hash", 1.0)
        exercise = read_exercise(CATALOG / "exercises" / "softmax-rows")
        fastest(db, user, exercise, "numpy")
        shortest(db, user, exercise, "numpy")
        waiting(db)
        waiting(db, [1, 2])
        recover(db)
        recover(db, is_alone=True)
        judged_elsewhere(db, "somebody")
        has_history(db, user)
        let_go_of_runs(db, user, "x")
        positions = read_course(CATALOG / "lessons" / "positions")
        outcomes.outcomes_of(db, exercise, None)
        outcomes.example_of(db, "softmax-rows", "1")
        hint_outcomes(db, "softmax-rows", 2)
        answers.counts_of(db, positions)
        answers.outcomes_of(db, positions.questions[0])
        reports_of_exercise(db, "softmax-rows", "hash", {})
        reports_of_questions(db, [(question, {}) for question in positions.questions])
        for viewer in (user, staff):
            with pytest.raises(Exception, match="no such submission"):
                load_submission(db, 1, viewer)
    with statements(database) as swept:
        assert let_go_of_guests(database, now() - timedelta(days=30)) == 0
    assert len(swept) == 3
    asked += swept
    assert len(asked) >= 9
    with database.engine.connect() as connection:
        for statement, parameters in asked:
            plan = connection.exec_driver_sql("EXPLAIN QUERY PLAN " + statement, parameters).all()
            for step in plan:
                walks = step.detail.startswith("SCAN") and "USING" not in step.detail
                assert not walks, (statement, step.detail)
        assert connection.execute(text("SELECT 1")).scalar() == 1
    database.close()


def test_what_is_let_go_is_found_by_an_index_of_runs_alone(database_url: str) -> None:
    """A hundred thousand submissions of one person in one exercise are not walked over to find the runs among them."""
    database = Database(database_url)
    if not database.is_sqlite:
        pytest.skip("PostgreSQL's planner rightly walks tables as small as a test's")
    with database.writing() as db:
        user = add_guest(db)
    with statements(database) as asked, database.reading() as db:
        let_go_of_runs(db, user, "x")
    ((statement, parameters),) = asked
    with database.engine.connect() as connection:
        (step,) = connection.exec_driver_sql("EXPLAIN QUERY PLAN " + statement, parameters).all()
    assert "USING INDEX ix_submission_runs" in step.detail
    database.close()


def test_what_students_did_costs_as_many_questions_however_many_they_were(database_url: str) -> None:
    """And reads a bounded number of rows: those of the newest wrong submissions, by an index."""
    database = Database(database_url)
    exercise = read_exercise(CATALOG / "exercises" / "softmax-rows")
    counts = []
    with database.writing() as db:
        user = add_guest(db)
        db.execute(text("INSERT INTO snapshot (id, kind, slug, content_hash, is_current, imported_at) "
                        "VALUES (1, 'exercise', 'softmax-rows', 'hash', true, '2026-11-21 12:00:00')"))  # fmt: skip
    for wrong in (20, 400):
        with database.writing() as db:
            for place in range(wrong):
                submission = Submission(user_id=user.id, snapshot_id=1, exercise="softmax-rows", framework="numpy",
                                        kind="submit", source=b"")  # fmt: skip
                db.add(submission)
                db.flush()
                db.add(Grading(submission_id=submission.id, state="finished", verdict="wrong_answer", score=0.0))
                halves = f"{place:016x}" * 2
                db.add(WrongOutcome(submission_id=submission.id, exercise="softmax-rows", fingerprint=halves))
            db.add(HintOpened(user_id=user.id, exercise="softmax-rows", number=1 + wrong // 400))
        with statements(database) as asked, database.reading() as db:
            found = outcomes.outcomes_of(db, exercise, None)
            hint_outcomes(db, "softmax-rows", 2)
        counts.append(len(asked))
        assert len(found.clusters) == min(wrong, outcomes.SHOWN)
        assert [statement for statement, _ in asked if "FROM wrong_outcome" in statement and "LIMIT" in statement]
        if database.is_sqlite:
            plans = plan_of(database, asked)
            assert [step for step in plans if "ix_wrong_outcome_exercise_submission_id" in step]
            assert not [step for step in plans if step.startswith("SCAN") and "USING" not in step], plans
    assert counts[0] == counts[1]
    database.close()


def plan_of(database: Database, asked: list[tuple[str, tuple[object, ...]]]) -> list[str]:
    with database.engine.connect() as connection:
        explained = (connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {one}", given) for one, given in asked)
        return [str(step.detail) for plan in explained for step in plan]
