"""A check while PostgreSQL restarts: what was found is kept until it can be stored, and nothing false is told."""

import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from app.db import Database
from app.teaching import checks as module
from app.teaching.checks import Check, Checks
from benchmarks.services import Postgres, ServiceMissing, own_postgres
from graders.boxes.pool import Judge
from graders.exercise.folder import hash_files
from graders.exercise.limits import CEILINGS
from graders.proof.admitted import Admitted
from tests.conftest import require_boxes
from tests.needs import missing
from tests.waiting import LIMIT_SECONDS, until

UNREADABLE = {"exercise.toml": b"title = ["}  # found out within a second
HASH = hash_files(UNREADABLE)


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    with Judge(tmp_path_factory.mktemp("cache"), ["numpy"], parked={"numpy": 1}) as judge:
        require_boxes(judge)
        yield judge


@pytest.fixture(scope="module")
def postgres_of_ours() -> Iterator[Postgres]:
    """One that may be stopped. It runs as another user than root, and pytest keeps its own folders to root."""
    with tempfile.TemporaryDirectory(prefix="lectern-checks-") as name:
        Path(name).chmod(0o711)
        try:
            with own_postgres(Path(name) / "postgres") as server:
                with psycopg.connect(server.url(), autocommit=True) as admin:
                    admin.execute("CREATE DATABASE lectern")
                yield server
        except ServiceMissing as error:
            missing("services", str(error))


@pytest.fixture
def database(postgres_of_ours: Postgres) -> Iterator[Database]:
    """Which is there, whatever the test before has left."""
    postgres_of_ours.stop()
    postgres_of_ours.start()
    database = Database(postgres_of_ours.url("lectern").replace("postgresql://", "postgresql+psycopg://"))
    database.migrate()
    with database.writing() as db:
        db.query(module.ContentCheck).delete()
    yield database
    database.close()


Begin = Callable[[Callable[[], set[str]]], Checks]


@pytest.fixture
def begin(database: Database, judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    """Checks that ask once, as they begin, which exercises there are: there, a test may do what it likes."""
    monkeypatch.setattr(module, "AGAIN_SECONDS", 0.2)
    begun = []

    def started(siblings: Callable[[], set[str]]) -> Checks:
        checks = Checks(database, judge, tmp_path / "content", CEILINGS, siblings, Admitted(tmp_path / "ok"))
        checks.start()
        begun.append(checks)
        return checks

    yield started
    for checks in begun:
        checks.close()


def execute(database: Database, statement: str) -> None:
    with database.changing() as db:
        db.exec_driver_sql(statement)


def look(database: Database, checks: Checks) -> Check | None:
    with database.reading() as db:
        return checks.of(db, "exercise", "odd", HASH)


def waits_for_the_database(database: Database, checks: Checks) -> bool:
    check = look(database, checks)  # of what is wanted the database is asked nothing
    assert check is not None
    assert check.state != "finished"
    return check.step == "waits until the database can store the result"


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "checks"]


def test_what_was_found_while_the_database_is_away_is_stored_once_it_is_back(
    begin: Begin, database: Database, postgres_of_ours: Postgres
) -> None:
    made, tried = [], []

    def stop_it() -> set[str]:
        made.append(HASH)
        postgres_of_ours.stop()
        return set()

    checks = begin(stop_it)
    checks.on_change.append(lambda kind, slug, content_hash: tried.append(content_hash) if made else None)
    checks.want("exercise", "odd", UNREADABLE)
    until(  # longer than a fault of ours is put up with
        lambda: len(tried) > 4 * module.TRIES or len(made) > 1, "it is tried no more"
    )
    postgres_of_ours.start()
    check = checks.wait("exercise", "odd", HASH, LIMIT_SECONDS)
    assert (check.state, check.ok) == ("finished", False)
    assert [(fault.path, fault.code) for fault in check.faults] == [("statement.md", "broken-exercise")]
    assert made == [HASH], "it was checked again"
    assert look(database, checks) == check


def test_who_looks_is_told_that_the_result_waits_for_the_database(
    begin: Begin, database: Database, postgres_of_ours: Postgres
) -> None:
    def stop_it() -> set[str]:
        postgres_of_ours.stop()
        return set()

    checks = begin(stop_it)
    checks.want("exercise", "odd", UNREADABLE)

    until(lambda: waits_for_the_database(database, checks), "it waits for nothing")
    postgres_of_ours.start()
    assert checks.wait("exercise", "odd", HASH, LIMIT_SECONDS).state == "finished"


def test_a_process_that_closes_while_the_database_is_away_ends_and_has_found_nothing(
    begin: Begin, database: Database, postgres_of_ours: Postgres
) -> None:
    def stop_it() -> set[str]:
        postgres_of_ours.stop()
        return set()

    others = threads()
    checks = begin(stop_it)
    (thread,) = [thread for thread in threads() if thread not in others]
    checks.want("exercise", "odd", UNREADABLE)
    until(lambda: waits_for_the_database(database, checks), "it has not tried to store what it has found")
    checks.close(LIMIT_SECONDS)
    assert not thread.is_alive()
    postgres_of_ours.start()
    again = begin(set)
    assert look(database, again) is None
    again.want("exercise", "odd", UNREADABLE)
    assert again.wait("exercise", "odd", HASH, LIMIT_SECONDS).ok is False


def test_a_fault_of_ours_is_still_told_after_three_tries(begin: Begin, database: Database) -> None:
    made = []

    def fail() -> set[str]:
        made.append(HASH)
        raise ArithmeticError("a fault of ours")

    checks = begin(fail)
    checks.want("exercise", "odd", UNREADABLE)
    check = checks.wait("exercise", "odd", HASH, LIMIT_SECONDS)
    assert [fault.code for fault in check.faults] == ["internal"]
    assert len(made) == module.TRIES


def test_what_the_database_refuses_each_time_is_a_fault_of_ours(begin: Begin, database: Database) -> None:
    """A table that is not as we know it: to try again for ever would keep the check from its author."""
    made = []

    def rename() -> set[str]:
        made.append(HASH)
        if len(made) == 1:
            execute(database, "ALTER TABLE content_check RENAME COLUMN edition TO another")
        return set()

    checks = begin(rename)
    checks.want("exercise", "odd", UNREADABLE)
    check = checks.wait("exercise", "odd", HASH, LIMIT_SECONDS)
    execute(database, "ALTER TABLE content_check RENAME COLUMN another TO edition")
    assert [fault.code for fault in check.faults] == ["internal"]
