"""A grading's row holds what is its own; what is the exercise's is kept once, and shown as ever."""

import json
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import func, select, text

from app.db import MIGRATIONS, Database, _without_foreign_keys
from app.people.users import add_guest
from app.practice.gradings import Grading
from app.practice.sheets import CaseSheet, kept_cases, read_cases, sheets_of
from app.practice.submissions import load_submission, read_order, submit
from app.queue.turns import Waiting
from graders.grade import Finished
from graders.verdict import ArrayView, CaseResult, Mismatch, StudentError, SubmissionResult, Verdict
from tests.app.desk import GATHER, Desk

SHOWN = ArrayView((2, 3), "float64", "[[0.090031, 0.244728, 0.665241],\n [0.786986, 0.106507, 0.106507]]")
INPUTS = "x = float64 (2, 3)\n[[0., 1., 2.],\n [3., 1., 1.]]"
STEP = Mismatch("closeness", "1 of 6 values is wrong.", "0.09", "0.1", (0, 0))


def results(sample: Verdict | None = Verdict.accepted, inputs: str = INPUTS) -> tuple[CaseResult, ...]:
    """Of three samples and sixteen hidden cases; of the first sample, as `sample` says."""
    views: dict[str, Any] = {"expected": SHOWN, "inputs": inputs}
    wrong: dict[str, Any] = {}
    if sample == Verdict.wrong_answer:
        wrong = {"mismatch": STEP, "actual": ArrayView((2, 3), "float64", "[[0.1]]"), "diagnosis": "Look at row 0."}
    elif sample == Verdict.runtime_error:
        wrong = {"error": StudentError("ValueError", "no", 2), "stdout": "é" * 10}
    cases = [CaseResult("two rows of three", True, sample, 3.87, **views, **wrong)]
    cases += [CaseResult(f"sample {n}", True, Verdict.accepted, 0.5, **views) for n in (2, 3)]
    return (*cases, *(CaseResult(f"hidden {n}", False, Verdict.accepted) for n in range(1, 17)))


UNJUDGED = (CaseResult("one", True, Verdict.time_limit, 5000.0, inputs=INPUTS), CaseResult("two", True))
ALL = (results(), results(Verdict.wrong_answer), results(Verdict.runtime_error), UNJUDGED, ())


@pytest.mark.parametrize("has_own_input", [False, True])
@pytest.mark.parametrize("cases", ALL, ids=lambda cases: str(cases[0].verdict if cases else None))
def test_the_two_parts_are_the_whole_again(cases: tuple[CaseResult, ...], has_own_input: bool) -> None:
    kept = kept_cases(cases, has_own_input=has_own_input)
    rows, sheet = json.loads(json.dumps([kept.rows, kept.sheet]))
    assert read_cases(rows, sheet) == cases
    assert (sheet is None) == (has_own_input or not cases)
    assert read_cases(json.loads(json.dumps([case.row() for case in cases])), None) == cases, "rows from before"


def test_an_accepted_row_is_small_and_says_nothing_of_the_exercise() -> None:
    kept = json.dumps(kept_cases(results(), has_own_input=False).rows)
    assert len(kept) < 150 < len(json.dumps([case.row() for case in results()])) / 20
    assert not [word for word in ("rows of three", "hidden", "float64") if word in kept]


def judged(desk: Desk, cases: tuple[CaseResult, ...], **more: Any) -> int:
    """The submission that ended so."""
    queue = desk.queue()
    person = desk.guest()
    with desk.db.writing() as db:
        order = read_order(desk.exercise, "x = 1", **more)
        _, grading = submit(db, person, order, desk.catalog.snapshot_ids[GATHER], None)
    queue.put(Waiting(grading.id, grading.submission_id, person.id))
    job = queue.claim(5)
    assert job is not None
    assert job.grading_id == grading.id
    verdict = max((case.verdict for case in cases if case.verdict), key=lambda one: one != Verdict.accepted)
    assert queue.record(job, Finished(SubmissionResult(verdict, 0.0, "So it is.", None, None, cases)))
    return grading.submission_id


def test_equal_sheets_are_kept_once_and_a_submission_is_shown_whole(desk: Desk) -> None:
    sent = {judged(desk, cases): cases for cases in (*ALL[:4], *ALL[:2])}
    with desk.db.reading() as db:
        assert db.scalar(select(func.count()).select_from(CaseSheet)) == 2, "one where all cases ran, one for the rest"
        for id, cases in sent.items():
            grading = db.scalars(select(Grading).where(Grading.submission_id == id)).one()
            assert read_cases(grading.cases, sheets_of(db, [grading.sheet_id])[grading.sheet_id]) == cases
            with desk.db.writing() as owner:
                staff = add_guest(owner)
                staff.role, staff.email = "admin", f"a{id}@example.org"
            assert load_submission(db, id, staff).cases == cases


def test_an_input_of_ones_own_is_on_no_sheet(desk: Desk) -> None:
    case = (CaseResult("your input", True, Verdict.accepted, inputs="x = 1", expected=SHOWN, actual=SHOWN),)
    inputs = {"p": "[[0, 1]]", "t": "[[1.0], [2.0]]"}
    names = [parameter.name for parameter in desk.exercise.signature.parameters]
    id = judged(desk, case, kind="run", inputs=dict(zip(names, inputs.values(), strict=True)))
    with desk.db.reading() as db:
        assert db.scalar(select(func.count()).select_from(CaseSheet)) == 0
        grading = db.scalars(select(Grading).where(Grading.submission_id == id)).one()
        assert read_cases(grading.cases, None) == case


OLD, AT = "202611231620", "2026-11-23 12:00:00"
OLD_ROWS = [json.dumps([case.row() for case in cases]) for cases in ALL]
MANY = 600  # more than one batch


def test_rows_from_before_are_divided_and_made_whole_again(empty_database_url: str) -> None:
    database, config = Database(empty_database_url), Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    own = [json.dumps([case.row() for case in results(inputs="mine")])]
    rows = {n: (OLD_ROWS + own)[n % 6] for n in range(1, MANY + 1)}
    with _without_foreign_keys(database.engine) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, OLD)
        for person in (1, 2):
            theirs = sum(len(row) for n, row in rows.items() if n % 2 + 1 == person)
            connection.execute(
                text("INSERT INTO user_account (id, role, created_at, stored_bytes) VALUES (:id, 'guest', :at, :size)"),
                {"id": person, "at": AT, "size": theirs},
            )
        connection.execute(text("INSERT INTO snapshot (id, kind, slug, content_hash, is_current, imported_at) "
                                f"VALUES (1, 'exercise', 'one', 'hash', true, '{AT}')"))  # fmt: skip
        sent = [{"id": n, "user": n % 2 + 1, "inputs": '{"x": "1"}' if n % 6 == 5 else None} for n in rows]
        submission = text(
            "INSERT INTO submission (id, user_id, snapshot_id, exercise, framework, kind, source, "
            f"inputs, created_at) VALUES (:id, :user, 1, 'one', 'numpy', 'run', '', :inputs, '{AT}')"
        )
        connection.execute(submission, sent)
        finished = text("INSERT INTO grading (id, submission_id, attempt, state, verdict, cases, queued_at) VALUES "
                        f"(:id, :id, 1, 'finished', 'accepted', :cases, '{AT}')")  # fmt: skip
        connection.execute(finished, [{"id": n, "cases": row} for n, row in rows.items()])
        connection.execute(text("INSERT INTO grading (id, submission_id, attempt, state, cases, queued_at) VALUES "
                                f"(9999, 1, 1, 'running', :cases, '{AT}')"), {"cases": OLD_ROWS[1]})  # fmt: skip
    database.migrate()
    with database.reading() as db:
        assert db.scalar(select(func.count()).select_from(CaseSheet)) == 2
        gradings = db.scalars(select(Grading).where(Grading.id <= MANY).order_by(Grading.id)).all()
        sheets = sheets_of(db, [one.sheet_id for one in gradings])
        for grading in gradings:
            cases = [case.row() for case in read_cases(grading.cases, sheets[grading.sheet_id])]
            assert json.dumps(cases) == rows[grading.id]
        kept = {person: sum(len(json.dumps(one.cases)) for one in gradings if one.id % 2 + 1 == person)
                for person in (1, 2)}  # fmt: skip
        assert dict(db.execute(text("SELECT id, stored_bytes FROM user_account")).all()) == kept, "what there really is"
        assert read_cases(db.get_one(Grading, 9999).cases, None) == ALL[1], "what runs is as it was"
    with _without_foreign_keys(database.engine) as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, OLD)
        again = connection.execute(text(f"SELECT id, CAST(cases AS TEXT) AS cases FROM grading WHERE id <= {MANY}"))
        assert {row.id: row.cases for row in again} == rows
        stored = connection.execute(text("SELECT sum(stored_bytes) FROM user_account")).scalar_one()
        assert stored == sum(map(len, rows.values()))
    database.close()
