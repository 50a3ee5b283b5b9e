"""A backup while others write, and the same rows again from it; in both databases."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import text

from app.db import Base, Database
from app.people.users import add_guest
from tests.commands.conftest import Command
from tests.conftest import BACKENDS, scratch_postgres

Rows = dict[str, list[tuple[object, ...]]]


@pytest.fixture(params=BACKENDS)
def urls(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[str]]:
    """Of two databases: one to be backed up, and an empty one."""
    with ExitStack() as stack:
        if request.param == "sqlite":
            yield [f"sqlite+pysqlite:///{tmp_path / name}.sqlite3" for name in ("one", "two")]
            return
        found = [stack.enter_context(scratch_postgres()) for _ in range(2)]
        yield [url.replace("postgresql://", "postgresql+psycopg://") for url in found]


def rows_of(url: str) -> Rows:
    database = Database(url)
    with database.snapshot() as db:
        found = {
            table.name: sorted((tuple(row) for row in db.execute(table.select())), key=repr)
            for table in Base.metadata.sorted_tables
        }
        found["version"] = [tuple(row) for row in db.execute(text("SELECT version_num FROM alembic_version"))]
    database.close()
    return found


def but_for_its_own_entry(rows: Rows) -> Rows:
    """Without what the audit log tells of the restore itself, which must be there once."""
    (own,) = [entry for entry in rows["audit_entry"] if "restored" in entry]
    assert "command line" in own
    return {**rows, "audit_entry": [entry for entry in rows["audit_entry"] if entry is not own]}


def grown(url: str, people: int) -> Database:
    database = Database(url)
    database.migrate()
    for _ in range(people):
        with database.writing(durable=False) as db:
            add_guest(db)
    return database


def test_a_backup_comes_back_row_by_row(lectern: Command, urls: list[str], tmp_path: Path) -> None:
    grown(urls[0], 30).close()
    done = lectern("backup", tmp_path / "copy", DATABASE_URL=urls[0])
    assert done.code == 0, done.err
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o600
    before = rows_of(urls[0])
    assert len(before["user_account"]) == 30
    done = lectern("restore", tmp_path / "copy", DATABASE_URL=urls[1])
    assert done.code == 0, done.err
    assert but_for_its_own_entry(rows_of(urls[1])) == before
    with (again := grown(urls[1], 1)).reading() as db:
        assert db.execute(text("SELECT max(id) FROM user_account")).scalar_one() == 31, "no id is given twice"
    again.close()
    refused = lectern("restore", tmp_path / "copy", DATABASE_URL=urls[1])
    assert refused.code == 2
    assert "--force" in refused.err
    assert len(rows_of(urls[1])["user_account"]) == 31, "nothing was changed"
    assert lectern("restore", tmp_path / "copy", "--force", DATABASE_URL=urls[1]).code == 0
    assert but_for_its_own_entry(rows_of(urls[1])) == before
    taken = lectern("backup", tmp_path / "copy", DATABASE_URL=urls[0])
    assert taken.code == 2
    assert "exists" in taken.err


def test_a_backup_while_others_write_is_one_moment(lectern: Command, urls: list[str], tmp_path: Path) -> None:
    """Each transaction adds two people: it is there whole, or not at all."""
    database, ended = grown(urls[0], 0), threading.Event()

    def write() -> None:
        while not ended.is_set():
            with database.writing(durable=False) as db:
                add_guest(db)
                add_guest(db)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        (tmp_path / "kept").mkdir()
        done = lectern("backup", tmp_path / "kept", DATABASE_URL=urls[0])
    finally:
        ended.set()
        writer.join()
    assert done.code == 0, done.err
    (file,) = (tmp_path / "kept").iterdir()
    assert file.name.startswith("lectern-20")
    assert lectern("restore", file, DATABASE_URL=urls[1]).code == 0
    database.close()
    kept, now = (rows_of(url)["user_account"] for url in reversed(urls))
    assert len(kept) % 2 == 0
    assert set(kept) <= set(now)


def test_what_is_no_backup_is_refused(lectern: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing of the kind")
    refused = lectern("restore", tmp_path / "notes.txt")
    assert (refused.code, "is no backup" in refused.err) == (2, True)
    assert "no database" in lectern("backup", tmp_path / "copy").err
    assert not [path for path in tmp_path.iterdir() if "copy" in path.name]
    (tmp_path / "half.sqlite3").write_bytes(b"SQLite format 3\0" + bytes(5000))
    assert lectern("restore", tmp_path / "half.sqlite3").code == 2


def test_without_the_clients_programs_the_remedy_is_named(lectern: Command, tmp_path: Path) -> None:
    done = lectern("backup", tmp_path / "copy", DATABASE_URL="postgresql://nobody@127.0.0.1/none", PATH=str(tmp_path))
    assert done.code == 2
    assert "apt install postgresql-client" in done.err
