"""The migrations make the tables that the models speak of, in both databases, on the run-time engine."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text
from sqlalchemy.exc import IntegrityError

from app.db import MIGRATIONS, Base, Database

GRADING = "(submission_id, attempt, state, cases, queued_at)"


def test_tables_are_as_the_models_say(database_url: str) -> None:
    database = Database(database_url)
    database.migrate()
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
    database.close()


def test_checks_are_as_the_models_say(database_url: str) -> None:
    database = Database(database_url)
    database.migrate()
    inspector = inspect(database.engine)
    for table in Base.metadata.tables.values():
        stated = {str(one.name) for one in table.constraints if type(one).__name__ == "CheckConstraint"}
        found = {str(one["name"]) for one in inspector.get_check_constraints(table.name)}
        assert found == stated, table.name
    database.close()


def test_going_back_and_forth_changes_nothing(database_url: str) -> None:
    database = Database(database_url)
    database.migrate()
    tables = set(inspect(database.engine).get_table_names())
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with database.engine.execution_options(lectern_writes="FULL").begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    assert set(inspect(database.engine).get_table_names()) <= {"alembic_version", "sqlite_sequence"}
    database.migrate()
    assert set(inspect(database.engine).get_table_names()) == tables
    database.close()


def test_two_servers_that_start_at_once_migrate_once(database_url: str) -> None:
    databases = [Database(database_url) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(Database.migrate, databases))
    for database in databases:
        assert database.answers()
        database.close()


def test_sqlite_is_told_to_be_careful(database_url: str) -> None:
    database = Database(database_url)
    if not database.is_sqlite:
        pytest.skip("about SQLite")
    with database.engine.connect() as connection:
        said = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    database.close()
    assert said == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 20_000}


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO user_account (role, created_at) VALUES ('root', '2026-01-01')",
        "INSERT INTO user_account (role, created_at) VALUES ('student', '2026-01-01')",
        "INSERT INTO user_account (role, email, created_at) VALUES ('guest', 'a@b.c', '2026-01-01')",
        f"INSERT INTO grading {GRADING} VALUES (1, 0, 'lost', '[]', '2026-01-01')",
        f"INSERT INTO grading {GRADING} VALUES (9, 0, 'queued', '[]', '2026-01-01')",
        f"INSERT INTO grading {GRADING} VALUES (1, 0, 'finished', '[]', '2026-01-01')",
    ],
)
def test_the_database_refuses_what_cannot_be(database_url: str, statement: str) -> None:
    database = Database(database_url)
    database.migrate()
    with pytest.raises(IntegrityError), database.writing() as db:
        db.execute(text(statement))
    database.close()
