"""A grown SQLite moved to PostgreSQL: every row, even if the move is killed in the middle, and none that differs."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from app.db import Database
from app.moving import AT_A_TIME, filled_later, tables
from app.people.users import add_guest
from app.practice.drafts import keep_draft
from app.practice.gradings import Grading, finish, held, take
from app.practice.replacements import newest_gradings, replace_verdict
from app.practice.submissions import Submission, read_order, submit
from app.reading.catalog import Catalog
from graders.grade import Finished
from graders.verdict import CaseResult, SubmissionResult, Verdict
from tests.commands.conftest import Command
from tests.conftest import CATALOG, scratch_postgres
from tests.server_process import one_exercise
from tests.waiting import until

pytestmark = pytest.mark.extra  # to PostgreSQL
PEOPLE = AT_A_TIME + 100
REPLACED = (2, 3, 2)  # these submissions' verdicts, in this order
RIGHT = SubmissionResult(
    Verdict.accepted, 1.0, "All right: π, \u2028 and 🎓.", None, None, (CaseResult("one", True, Verdict.accepted, 0.1),)
)
Rows = dict[str, list[str]]


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which people have submitted, saved and gone, and verdicts were replaced."""
    folder = tmp_path_factory.mktemp("grown")
    database = Database(f"sqlite+pysqlite:///{folder / 'lectern.sqlite3'}")
    database.migrate()
    catalog = Catalog(database)
    catalog.import_folders([one_exercise(folder)], [CATALOG / "lessons"])
    slug, exercise = next(iter(catalog.exercises.items()))
    with database.writing() as db:
        for number in range(PEOPLE):
            user = add_guest(db)
            order = read_order(exercise, f"# π {number}\n")
            submission, grading = submit(db, user, order, catalog.snapshot_ids[slug], f"key {number}")
            keep_draft(db, user, order)
            attempt = take(db, grading.id, "owner", 60)
            assert attempt is not None
            if number % 3:
                finish(db, held(grading.id, attempt, "owner"), RIGHT)
            if number == AT_A_TIME:  # each by a grading of a later batch
                for sent in REPLACED:
                    (before,) = newest_gradings(db, [sent]).values()
                    replace_verdict(
                        db, db.get_one(Submission, sent), before, Finished(RIGHT), catalog.snapshot_ids[slug]
                    )
        db.flush()
        for gone in (grading, submission, user):  # the newest of each: their ids were given, and are never given again
            db.delete(db.get_one(type(gone), gone.id))
            db.flush()
    database.close()
    return folder


@pytest.fixture
def target() -> Iterator[str]:
    with scratch_postgres() as url:
        yield url


def rows_of(url: str) -> Rows:
    database = Database(url)
    with database.snapshot() as db:
        found = {table.name: sorted(repr(tuple(row)) for row in db.execute(table.select())) for table in tables()}
    database.close()
    return found


def moving(data: Path, target: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "LECTERN_DATA": str(data), "DATABASE_URL": target}
    command = [sys.executable, "-P", "-m", "app", "move-data"]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def killed_at(table: str, data: Path, target: str) -> None:
    """Moves until it comes to this table, and is killed there."""
    with psycopg.connect(target) as holding:
        migrate(target)
        holding.execute(f"LOCK TABLE {table} IN SHARE MODE")  # it can be read, and not written
        killed_once_it_waits(holding, data, target)


def killed_between_the_passes(data: Path, target: str) -> None:
    """Moves until all rows are there, and is killed before the first of them refers to a later one."""
    with psycopg.connect(target, autocommit=True) as holding:
        migrate(target)
        holding.execute(
            "CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS "
            "'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NEW; END'"
        )
        holding.execute("CREATE TRIGGER waits BEFORE UPDATE ON grading FOR EACH ROW EXECUTE FUNCTION wait_for_test()")
        holding.execute("SELECT pg_advisory_lock(7)")
        killed_once_it_waits(holding, data, target)
        holding.execute("SELECT pg_advisory_unlock(7)")
        holding.execute("DROP FUNCTION wait_for_test CASCADE")


def killed_once_it_waits(holding: "psycopg.Connection[tuple[Any, ...]]", data: Path, target: str) -> None:
    process = moving(data, target)
    waits = (
        "SELECT count(*) FROM pg_locks WHERE NOT granted"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )

    def waiting() -> int:
        assert process.poll() is None, process.communicate()
        (count,) = holding.execute(waits).fetchone() or (0,)
        return int(count)

    until(waiting)
    process.kill()
    process.communicate()


def migrate(target: str) -> None:
    with closing(Database(target.replace("postgresql://", "postgresql+psycopg://"))) as database:
        database.migrate()


def test_every_row_is_moved_and_new_ones_get_new_ids(lectern: Command, grown: Path, target: str) -> None:
    done = lectern("move-data", LECTERN_DATA=str(grown), DATABASE_URL=target)
    assert done.code == 0, done.err
    assert "all of them compared" in done.out
    before = rows_of(f"sqlite+pysqlite:///{grown / 'lectern.sqlite3'}")
    assert len(before["grading"]) == PEOPLE - 1 + len(REPLACED)
    url = target.replace("postgresql://", "postgresql+psycopg://")
    assert rows_of(url) == before
    database = Database(url)
    with database.writing() as db:
        assert add_guest(db).id == PEOPLE + 1, "not the id of somebody who is gone"
        assert not db.scalar(text("SELECT to_regclass('data_move')"))
    database.close()
    again = lectern("move-data", LECTERN_DATA=str(grown), DATABASE_URL=target)
    assert again.code == 2
    assert "not empty" in again.err


def test_killed_in_the_middle_it_goes_on_where_it_stopped(lectern: Command, grown: Path, target: str) -> None:
    killed_at("grading", grown, target)
    with psycopg.connect(target) as db:
        moved: dict[str, int] = dict(db.execute("SELECT name, moved FROM data_move").fetchall())
    assert moved["submission"] == PEOPLE - 1
    assert moved["grading"] == 0
    for command in (("serve", "--port", "0"), ("users", "list")):
        refused = lectern(*command, LECTERN_DATA=str(grown / "another"), DATABASE_URL=target)
        assert refused.code == 2
        assert "has not come to its end" in refused.err
        assert "move-data" in refused.err
    done = lectern("move-data", LECTERN_DATA=str(grown), DATABASE_URL=target)
    assert done.code == 0, done.err
    assert "Going on after" in done.err
    before = rows_of(f"sqlite+pysqlite:///{grown / 'lectern.sqlite3'}")
    assert rows_of(target.replace("postgresql://", "postgresql+psycopg://")) == before


def test_killed_between_the_passes_it_goes_on_where_it_stopped(lectern: Command, grown: Path, target: str) -> None:
    killed_between_the_passes(grown, target)
    counts = "SELECT count(*), count(replaced_by_id) FROM grading"
    with psycopg.connect(target) as db:
        assert db.execute(counts).fetchone() == (PEOPLE - 1 + len(REPLACED), 0)
    done = lectern("move-data", LECTERN_DATA=str(grown), DATABASE_URL=target)
    assert done.code == 0, done.err
    before = rows_of(f"sqlite+pysqlite:///{grown / 'lectern.sqlite3'}")
    assert rows_of(target.replace("postgresql://", "postgresql+psycopg://")) == before
    with psycopg.connect(target) as db:
        assert db.execute(counts).fetchone() == (PEOPLE - 1 + len(REPLACED), len(REPLACED))


def test_what_may_refer_to_a_later_row_is_filled_later() -> None:
    there: set[str] = set()
    for table in tables():
        at_once = [key for key in table.foreign_key_constraints if not set(key.columns) & set(filled_later(table))]
        assert {key.referred_table.name for key in at_once} <= there, table.name
        there.add(table.name)
    found = {str(column) for table in tables() for column in filled_later(table)}
    assert {"grading.replaced_by_id", "revision.parent_id"} <= found


def test_a_server_that_runs_beside_the_file_is_noticed(
    lectern: Command, grown: Path, target: str, tmp_path: Path
) -> None:
    with (grown / "server.lock").open("w") as lock:  # as a server of that folder holds it
        fcntl.flock(lock, fcntl.LOCK_EX)
        source = grown / "lectern.sqlite3"
        refused = lectern("move-data", "--from", source, LECTERN_DATA=str(tmp_path), DATABASE_URL=target)
    assert (refused.code, f"A server runs on {grown}" in refused.err) == (2, True), refused.err
    with psycopg.connect(target) as db:
        assert db.execute("SELECT to_regclass('grading')").fetchone() == (None,), "nothing was moved"


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("UPDATE submission SET source = 'x' WHERE id = 7", "submission: row 7 is not the same"),
        ("DELETE FROM grading WHERE id = 7; DELETE FROM submission WHERE id = 7", "submission: row 7 is not the same"),
    ],
)
def test_a_row_that_differs_is_noticed(lectern: Command, grown: Path, target: str, damage: str, says: str) -> None:
    killed_at("grading", grown, target)
    with psycopg.connect(target) as db:
        db.execute(damage)
    done = lectern("move-data", LECTERN_DATA=str(grown), DATABASE_URL=target)
    assert done.code == 2
    assert says in done.err or "refused" in done.err


def test_what_cannot_be_moved_is_said_before_anything_is(
    lectern: Command, grown: Path, target: str, tmp_path: Path
) -> None:
    nowhere = lectern("move-data", LECTERN_DATA=str(grown), DATABASE_URL="")
    assert (nowhere.code, "DATABASE_URL" in nowhere.err) == (2, True)
    sqlite = lectern("move-data", LECTERN_DATA=str(grown), DATABASE_URL=f"sqlite+pysqlite:///{tmp_path}/x.sqlite3")
    assert (sqlite.code, "SQLite too" in sqlite.err) == (2, True)
    nothing = lectern(
        "move-data", "--from", tmp_path / "none" / "none.sqlite3", LECTERN_DATA=str(grown), DATABASE_URL=target
    )
    assert (nothing.code, "no database at" in nothing.err) == (2, True)
    url = target.replace("postgresql://", "postgresql+psycopg://")
    database = Database(url)
    database.migrate()
    with database.writing() as db:
        add_guest(db)
        before = db.query(Grading).count()
    database.close()
    taken = lectern("move-data", LECTERN_DATA=str(grown), DATABASE_URL=target)
    assert (taken.code, "not empty" in taken.err) == (2, True)
    assert before == 0
