"""Retention: what has a limit is deleted in time, in lots, and told; what somebody goes on with stays; and by default
nothing is deleted that was not before. However much is stored, no statement walks a large table."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import event, insert, select, update

from app.db import Base, Database, now
from app.operating.retention import rules, run_retention
from app.people import accounts
from app.people.audit import AuditEntry, Wanted, search
from app.people.resets import PasswordReset, open_reset
from app.people.users import Login, User, add_guest
from app.practice import drafts, old_sources
from app.practice.drafts import Draft
from app.practice.gradings import Grading
from app.practice.outcomes import WrongOutcome
from app.practice.shared_solutions import SharedSolution
from app.practice.submissions import Submission
from app.reading.snapshots import Snapshot
from app.settings import Settings
from graders.grade import Finished
from graders.verdict import CaseResult, SubmissionResult, Verdict
from tests.app.plans import walked
from tests.conftest import Running

SOURCE = "def softmax(x):\n    return x  # mine\n"
PATH = "/api/v1/exercises/softmax-rows"


def retain(server: Running, at: datetime | None = None, **settings: int) -> dict[str, int]:
    wanted = Settings.model_validate({"guest_days": 0, **settings})
    return run_retention(server.state.db, rules(wanted), at or now())


def submit(server: Running, client: httpx.Client, source: str = SOURCE, framework: str = "numpy") -> int:
    """Judged, with something printed."""
    body = {"source": source, "framework": framework}
    id = int(client.post(f"{PATH}/submissions", json=body).raise_for_status().json()["id"])
    job = server.state.jobs.claim(5)
    assert job is not None
    case = CaseResult("one", True, Verdict.wrong_answer, stdout="printed " * 20)
    server.state.jobs.record(job, Finished(SubmissionResult(Verdict.wrong_answer, 0.0, "No.", None, None, (case,))))
    return id


def sources(server: Running) -> dict[int, tuple[bytes, bool]]:
    with server.state.db.reading() as db:
        rows = db.execute(select(Submission.id, Submission.source, Submission.erased_at))
        return {id: (source, erased_at is not None) for id, source, erased_at in rows}


def stored_bytes(server: Running, email: str) -> int:
    with server.state.db.reading() as db:
        return db.scalars(select(User.stored_bytes).where(User.email == email)).one()


def account(server: Running, email: str) -> httpx.Client:
    accounts.add_user(server.state.db, email, "student", None)
    return server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, email)}")


def test_by_default_only_what_is_over_goes(server: Running) -> None:
    with account(server, "eve@example.org") as eve:
        ids = [submit(server, eve) for _ in range(2)]
        eve.put(f"{PATH}/drafts/numpy", json={"source": "x", "revision": 0})
    with server.state.db.reading() as db:
        entries = len(db.scalars(select(AuditEntry.id)).all())
    run = retain(server, now() + timedelta(days=3000), guest_days=Settings().guest_days)
    assert run == {"guests": 0, "sessions": 1, "letters": 0}, "a token of a year is over"
    assert sources(server) == {id: (SOURCE.encode(), False) for id in ids}
    with server.state.db.reading() as db:
        assert len(db.scalars(select(AuditEntry.id)).all()) == entries


def test_sessions_and_links_go_when_they_are_over(server: Running) -> None:
    with account(server, "eve@example.org"), server.state.db.writing() as db:
        open_reset(db, db.scalars(select(User)).one())
    assert retain(server)["sessions"] == 0
    assert retain(server, now() + timedelta(hours=2))["sessions"] == 1
    assert retain(server, now() + timedelta(days=366))["sessions"] == 1
    with server.state.db.reading() as db:
        assert not db.scalars(select(Login)).all()
        assert not db.scalars(select(PasswordReset)).all()


def test_an_old_source_is_erased_with_what_it_printed_and_the_verdict_stays(server: Running) -> None:
    with account(server, "eve@example.org") as eve:
        first, newest, other = submit(server, eve), submit(server, eve), submit(server, eve, framework="torch")
        assert retain(server, now() + timedelta(days=29), source_days=30)["sources"] == 0
        before = stored_bytes(server, "eve@example.org")
        assert retain(server, now() + timedelta(days=31), source_days=30)["sources"] == 1
        assert retain(server, now() + timedelta(days=31), source_days=30)["sources"] == 0
        assert sources(server) == {
            first: (b"", True),
            newest: (SOURCE.encode(), False),
            other: (SOURCE.encode(), False),
        }
        page = eve.get(f"/submissions/{first}").text
        shown = eve.get(f"/api/v1/submissions/{first}").json()
        assert eve.get("/me/export").status_code == 200
    assert "We deleted this code and its output" in page
    assert (shown["verdict"], shown["cases"]) == ("wrong_answer", [])
    with server.state.db.reading() as db:
        assert "printed" not in str(db.scalars(select(Grading.cases).where(Grading.submission_id == first)).one())
        told = search(db, Wanted(action="retention"))
    assert [one.entry.detail["erased"] for one in told] == [1]
    after = stored_bytes(server, "eve@example.org")
    assert before - after > len(SOURCE) + len("printed " * 20)
    assert after == 2 * (before - after), "of three alike one is gone"


def test_what_is_not_judged_yet_and_what_is_shared_stays(server: Running) -> None:
    with account(server, "eve@example.org") as eve:
        waiting = int(eve.post(f"{PATH}/submissions", json={"source": SOURCE}).json()["id"])
        eve.post(f"{PATH}/submissions", json={"source": SOURCE})
    assert retain(server, now() + timedelta(days=31), source_days=30)["sources"] == 0
    assert sources(server)[waiting] == (SOURCE.encode(), False)


def test_sources_of_many_people_go_in_lots(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(old_sources, "LOT", 2)
    with account(server, "eve@example.org") as eve, account(server, "sam@example.org") as sam:
        for _ in range(3):
            submit(server, eve)
            submit(server, sam)
    assert retain(server, now() + timedelta(days=31), source_days=30)["sources"] == 4
    assert stored_bytes(server, "eve@example.org") == stored_bytes(server, "sam@example.org") > 0
    with server.state.db.reading() as db:
        told = search(db, Wanted(action="retention"))
    assert [one.entry.detail["erased"] for one in told] == [2, 2]


def test_what_somebody_went_on_with_goes_once_they_have_sent_a_newer_one(server: Running) -> None:
    later = now() + timedelta(days=31)
    with account(server, "eve@example.org") as eve:
        first = submit(server, eve)
        assert retain(server, later, source_days=30)["sources"] == 0
        newest = submit(server, eve)
    assert retain(server, later, source_days=30)["sources"] == 1
    assert sources(server) == {first: (b"", True), newest: (SOURCE.encode(), False)}


def test_sources_stop_between_two_lots_and_the_next_run_goes_on(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(old_sources, "LOT", 2)
    with account(server, "eve@example.org") as eve:
        ids = [submit(server, eve) for _ in range(6)]

    def erased() -> list[int]:
        return [id for id, (_, is_erased) in sources(server).items() if is_erased]

    before = now() + timedelta(days=1)
    assert old_sources.erase_sources(server.state.db, before, lambda: bool(erased())) == 2
    assert erased() == ids[:2]
    assert old_sources.erase_sources(server.state.db, before) == 3
    assert erased() == ids[:5]


def test_one_clock_that_was_ahead_does_not_keep_what_came_after_it(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(old_sources, "LOOKED_AT", 2)
    with account(server, "eve@example.org") as eve:
        ids = [submit(server, eve) for _ in range(4)]
    with server.state.db.writing() as db:
        db.get_one(Submission, ids[1]).created_at = now() + timedelta(days=999)
    assert retain(server, now() + timedelta(days=31), source_days=30)["sources"] == 2
    assert [id for id, (_, is_erased) in sources(server).items() if is_erased] == [ids[0], ids[2]]


PEOPLE, SUBMISSIONS, OLD = 1_000, 50_000, 25_000  # the first OLD of them are old
ERASED, SHARED = range(1, 10_001), range(13_001, 25_001)
LARGE = 10_000  # rows of a table
READ = 5_000  # rows, at most by one statement


@pytest.fixture
def grown(database_url: str) -> Iterator[Database]:
    """Everybody has sent two or three submissions to each of 20 exercises, in turn."""
    database = Database(database_url)
    long_ago, lately = now() - timedelta(days=400), now() - timedelta(days=1)
    filled: dict[type[Base], Callable[[int], dict[str, Any]]] = {
        User: lambda g: {"id": g, "role": "guest", "created_at": long_ago},
        Submission: lambda g: {
            "id": g, "user_id": 1 + g % PEOPLE, "snapshot_id": 1, "exercise": f"exercise-{g // PEOPLE % 20}",
            "framework": "numpy", "kind": "submit", "source": b"" if g in ERASED else b"x = 1",
            "created_at": (long_ago if g <= OLD else lately) + timedelta(seconds=g),
            "erased_at": lately if g in ERASED else None,
        },
        Grading: lambda g: {"id": g, "submission_id": g, "state": "finished", "verdict": "accepted", "cases": [],
                            "queued_at": long_ago},
        WrongOutcome: lambda g: {"submission_id": 4 * g, "exercise": "exercise-1"},
        SharedSolution: lambda g: {
            "submission_id": SHARED[g - 1], "user_id": 1 + SHARED[g - 1] % PEOPLE, "exercise": "exercise-1",
            "framework": "numpy", "judging_hash": "", "tokens": 1, "digest": str(g), "shared_at": long_ago,
        },
        Draft: lambda g: {"user_id": 1 + g % PEOPLE, "exercise": f"exercise-{g // PEOPLE}", "framework": "numpy",
                          "source": b"x", "revision": 1, "saved_at": long_ago if g % 2 else lately},
        AuditEntry: lambda g: {"id": g, "at": (long_ago if g <= LARGE else lately) + timedelta(seconds=g), "kind": "k",
                               "slug": "s", "action": "saved", "detail": {}},
    }  # fmt: skip
    counts = {User: PEOPLE, WrongOutcome: LARGE, SharedSolution: len(SHARED), Draft: 2 * LARGE}
    with database.writing() as db:
        db.add(Snapshot(id=1, kind="exercise", slug="exercise-1", content_hash="h", is_current=True))
        db.flush()
        for table, row in filled.items():
            db.execute(insert(table), [row(g) for g in range(1, 1 + counts.get(table, SUBMISSIONS))])
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
        db.exec_driver_sql("ANALYZE")
    if not database.is_sqlite:
        with database.writing() as db:  # ids were given, which PostgreSQL's sequence does not know
            db.connection().exec_driver_sql("SELECT setval('audit_entry_id_seq', max(id)) FROM audit_entry")
    yield database
    database.close()


@contextmanager
def noted(database: Database) -> Iterator[list[tuple[str, Any]]]:
    """The statements that are executed meanwhile, each with its values."""
    asked: list[tuple[str, Any]] = []

    def note(connection: object, cursor: object, statement: str, parameters: Any, *more: object) -> None:
        if re.match(r"SELECT|UPDATE|DELETE", statement):
            asked.append((statement, parameters))

    event.listen(database.engine, "before_cursor_execute", note)
    yield asked
    event.remove(database.engine, "before_cursor_execute", note)


@pytest.mark.extra
def test_no_statement_of_retention_walks_a_large_table(grown: Database) -> None:
    settings = Settings(source_days=100, draft_days=100, audit_days=100)
    wanted = tuple(rule for rule in rules(settings) if rule.name in ("sources", "drafts", "audit"))
    with noted(grown) as asked:
        counts = run_retention(grown, wanted, now())
    assert counts == {"sources": 3_000, "drafts": LARGE, "audit": LARGE}
    with noted(grown) as again:
        assert run_retention(grown, wanted, now()) == {"sources": 0, "drafts": 0, "audit": 0}
    walks = {statement: found for statement, values in asked + again if (found := walks_of(grown, statement, values))}
    assert not walks
    looks = sum("FROM submission \n" in statement for statement, _ in again)
    assert looks <= 2 * len(SHARED) / old_sources.LOOKED_AT + 2, "what is erased, or too new, is looked at no more"


def walks_of(database: Database, statement: str, values: Any) -> list[str]:
    with database.engine.connect() as db:
        if database.is_sqlite:
            steps = db.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
            return [step.detail for step in steps if re.match(rf"SCAN ({'|'.join(Base.metadata.tables)})", step.detail)]
        how = "ANALYZE, FORMAT JSON" if statement.startswith("SELECT") else "FORMAT JSON"
        (plan,) = db.exec_driver_sql(f"EXPLAIN ({how}) {statement}", values).scalar_one()
        large = set(db.exec_driver_sql(f"SELECT relname FROM pg_class WHERE reltuples >= {LARGE}").scalars())
        assert {"submission", "grading", "wrong_outcome", "shared_solution", "draft", "audit_entry"} <= large
    found = list(walked(plan["Plan"], large))
    return found if (count := rows_read(plan["Plan"])) <= READ else [*found, f"{count} rows are read"]


def rows_read(node: dict[str, Any]) -> int:
    """By a plan that was executed, with those that were read in vain."""
    own = node.get("Actual Rows", 0) + node.get("Rows Removed by Filter", 0) if "Relation Name" in node else 0
    inner = sum(rows_read(one) for one in node.get("Plans", ()))
    return int(own * node.get("Actual Loops", 0)) + inner


def test_drafts_go_that_nobody_changes(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "LOT", 1)
    for name in ("eve", "sam", "ann"):
        with account(server, f"{name}@example.org") as client:
            client.put(f"{PATH}/drafts/numpy", json={"source": name, "revision": 0}).raise_for_status()
    with server.state.db.writing() as db:
        db.execute(update(Draft).where(Draft.source != b"sam").values(saved_at=now() - timedelta(days=8)))
    assert retain(server, draft_days=9)["drafts"] == 0
    assert retain(server, draft_days=7)["drafts"] == 2
    with server.state.db.reading() as db:
        assert [draft.source for draft in db.scalars(select(Draft))] == [b"sam"]


def test_old_entries_of_the_audit_log_go_and_that_is_told(server: Running) -> None:
    for name in ("eve", "sam"):
        accounts.add_user(server.state.db, f"{name}@example.org", "student", None)
    assert retain(server, now() + timedelta(days=9), audit_days=10)["audit"] == 0
    assert retain(server, now() + timedelta(days=11), audit_days=10)["audit"] >= 2
    with server.state.db.reading() as db:
        (left,) = search(db, Wanted())
    assert (left.entry.action, left.entry.slug) == ("retention", "audit log")


def test_guests_go_as_before_and_that_is_told(server: Running) -> None:
    with server.state.db.writing() as db:
        add_guest(db)
    assert retain(server, now() + timedelta(days=29), guest_days=30)["guests"] == 0
    assert retain(server, now() + timedelta(days=31), guest_days=30)["guests"] == 1
    with server.state.db.reading() as db:
        assert [one.entry.slug for one in search(db, Wanted(action="retention"))] == ["guests"]


def test_a_rule_that_fails_stops_no_other(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    with server.state.db.changing() as db:
        db.exec_driver_sql("ALTER TABLE draft RENAME TO draft_away")
    try:
        assert retain(server, draft_days=1, audit_days=1).keys() == {"sessions", "letters", "audit"}
    finally:
        with server.state.db.changing() as db:
            db.exec_driver_sql("ALTER TABLE draft_away RENAME TO draft")
