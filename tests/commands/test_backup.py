"""A backup while others write, and the same rows again from it; in both databases."""

import threading
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import inspect, text

from app.backup import restore
from app.db import MIGRATIONS, Base, Database
from app.people.users import add_guest
from app.settings import Settings
from tests.commands.conftest import Command
from tests.conftest import BACKENDS, POSTGRES, scratch_postgres

OLDER = "202611250600"  # before tables that refer to older ones (variant_report_item), and one that refers to none

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


def test_the_backup_of_an_older_release_leads_back_to_it(lectern: Command, urls: list[str], tmp_path: Path) -> None:
    database, config = Database(urls[0]), Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with database.engine.execution_options(lectern_writes="FULL").begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, OLDER)
        insert = "INSERT INTO user_account (id, role, created_at) VALUES (7, 'guest', '2026-11-25 12:00:00')"
        connection.execute(text(insert))
    older = set(inspect(database.engine).get_table_names())
    database.close()
    done = lectern("backup", tmp_path / "older", DATABASE_URL=urls[0])
    assert done.code == 0, done.err
    database = grown(urls[0], 3)
    newer = set(inspect(database.engine).get_table_names())
    assert {"variant_report_item", "installation_secret"} <= newer - older
    database.close()

    settings = Settings(data=tmp_path / "data", database_url=urls[0])
    restore(settings, tmp_path / "older", force=True)
    database = Database(urls[0])
    assert set(inspect(database.engine).get_table_names()) == older
    with database.reading() as db:
        assert db.execute(text("SELECT id FROM user_account")).scalars().all() == [7]
        assert db.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == OLDER
    database.migrate()
    assert set(inspect(database.engine).get_table_names()) == newer
    database.close()
    done = lectern("restore", tmp_path / "older", "--force", DATABASE_URL=urls[0])
    assert done.code == 0, done.err
    assert len(rows_of(urls[0])["user_account"]) == 1


@pytest.mark.parametrize("kept", [0.6, 0.97])
def test_a_damaged_backup_changes_nothing(lectern: Command, urls: list[str], tmp_path: Path, kept: float) -> None:
    grown(urls[0], 30).close()
    assert lectern("backup", tmp_path / "copy", DATABASE_URL=urls[0]).code == 0
    whole = (tmp_path / "copy").read_bytes()
    (tmp_path / "copy").write_bytes(whole[: int(len(whole) * kept)])
    grown(urls[0], 5).close()
    before = rows_of(urls[0])
    refused = lectern("restore", tmp_path / "copy", "--force", DATABASE_URL=urls[0])
    assert refused.code == 2
    assert "another backup" in refused.err
    assert rows_of(urls[0]) == before


@pytest.fixture
def guarded() -> Iterator[tuple[str, str]]:
    """A database of somebody else's, with an extension of theirs: the URL for its owner, and that for a plain user."""
    user = f"lectern_test_{uuid.uuid4().hex[:12]}"
    with scratch_postgres() as url:
        with psycopg.connect(url) as db:
            db.execute(f"CREATE ROLE {user} LOGIN")
            db.execute(f"GRANT ALL ON SCHEMA public TO {user}")
            db.execute("CREATE EXTENSION pg_stat_statements")
        yield url, f"postgresql+psycopg://{user}@{url.rpartition('@')[2]}"
    with psycopg.connect(POSTGRES) as db:
        db.execute(f"DROP ROLE {user}")


def test_what_others_installed_in_the_database_stays(
    lectern: Command, guarded: tuple[str, str], tmp_path: Path
) -> None:
    owners, url = guarded
    grown(url, 3).close()
    before = rows_of(url)
    assert lectern("backup", tmp_path / "copy", DATABASE_URL=url).code == 0
    with psycopg.connect(url.replace("+psycopg", "")) as db:  # as a newer release might have made them
        db.execute(
            "CREATE TYPE mood AS ENUM ('good'); CREATE DOMAIN word AS text; CREATE TYPE span AS RANGE (SUBTYPE = int)"
        )
        db.execute("CREATE TABLE newer (id serial REFERENCES user_account, mood mood, word word, span span)")
        db.execute("CREATE VIEW newest AS SELECT * FROM newer; CREATE SEQUENCE numbers")
        db.execute("CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'")
    done = lectern("restore", tmp_path / "copy", "--force", DATABASE_URL=url)
    assert done.code == 0, done.err
    assert but_for_its_own_entry(rows_of(url)) == before
    with psycopg.connect(owners) as db:
        count = "SELECT count(*) FROM {} WHERE {} = 'public'::regnamespace AND {} IN ({})"
        newer = "'mood', 'word', 'span', 'newer', 'newest', 'numbers', 'one'"
        for catalog, prefix in (("pg_class", "rel"), ("pg_type", "typ"), ("pg_proc", "pro")):
            found = db.execute(count.format(catalog, f"{prefix}namespace", f"{prefix}name", newer))
            assert found.fetchone() == (0,), catalog
        assert db.execute("SELECT count(*) FROM pg_extension WHERE extname = 'pg_stat_statements'").fetchone() == (1,)


def test_a_database_that_refuses_a_statement_is_unchanged(
    lectern: Command, guarded: tuple[str, str], tmp_path: Path
) -> None:
    owners, url = guarded
    grown(url, 3).close()
    assert lectern("backup", tmp_path / "copy", DATABASE_URL=url).code == 0
    with psycopg.connect(owners) as db:
        db.execute("ALTER TABLE user_account OWNER TO CURRENT_USER")
    owners = owners.replace("postgresql://", "postgresql+psycopg://")
    before = rows_of(owners)
    refused = lectern("restore", tmp_path / "copy", "--force", DATABASE_URL=url)
    assert refused.code == 2
    assert "must be owner" in refused.err
    assert "Nothing was changed. Correct that" in refused.err
    assert rows_of(owners) == before


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_backup_of_the_other_kind_names_the_way(lectern: Command, tmp_path: Path, backend: str) -> None:
    (tmp_path / "copy").write_bytes(b"SQLite format 3\0" if backend == "sqlite" else b"PGDMP")
    other = "postgresql://nobody@127.0.0.1/none" if backend == "sqlite" else ""
    refused = lectern("restore", tmp_path / "copy", DATABASE_URL=other)
    assert refused.code == 2
    remedy = "Unset DATABASE_URL" if backend == "sqlite" else "Set DATABASE_URL to postgresql://user@host/name."
    assert remedy in refused.err


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
