"""The migrations make the tables that the models speak of, in both databases, on the run-time engine."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.util import CommandError
from sqlalchemy import inspect, text
from sqlalchemy.exc import IntegrityError

from app.db import MIGRATIONS, Base, Database, _without_foreign_keys
from app.people.users import User
from app.reading.search import is_beside_the_models

GRADING = "(submission_id, attempt, state, cases, queued_at)"


def test_tables_are_as_the_models_say(database_url: str) -> None:
    database = Database(database_url)
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "include_name": _is_a_model})
        assert compare_metadata(context, Base.metadata) == []
    database.close()


def _is_a_model(name: str | None, kind: str, parents: object) -> bool:
    return kind != "table" or not is_beside_the_models(name)


def test_checks_are_as_the_models_say(database_url: str) -> None:
    database = Database(database_url)
    inspector = inspect(database.engine)
    for table in Base.metadata.tables.values():
        stated = {str(one.name) for one in table.constraints if type(one).__name__ == "CheckConstraint"}
        found = {str(one["name"]) for one in inspector.get_check_constraints(table.name)}
        assert found == stated, table.name
    database.close()


def test_going_back_and_forth_changes_nothing(empty_database_url: str) -> None:
    database = Database(empty_database_url)
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


def test_a_migration_keeps_every_row(empty_database_url: str) -> None:
    database = Database(empty_database_url)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with database.engine.execution_options(lectern_writes="FULL").begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "202611210930")
        connection.execute(
            text("INSERT INTO user_account (id, role, created_at) VALUES (1, 'guest', '2026-11-21 12:00:00')")
        )
        connection.execute(
            text(
                "INSERT INTO snapshot (id, kind, slug, content_hash, is_current, imported_at) "
                "VALUES (1, 'exercise', 'one', 'hash', true, '2026-11-21 12:00:00')"
            )
        )
        connection.execute(
            text(
                "INSERT INTO submission (id, user_id, snapshot_id, exercise, framework, kind, source, created_at) "
                "VALUES (7, 1, 1, 'one', 'numpy', 'run', '', '2026-11-21 12:00:00')"
            )
        )
        connection.execute(
            text(
                "INSERT INTO grading (submission_id, attempt, state, cases, queued_at) "
                "VALUES (7, 1, 'queued', '[]', '2026-11-21 12:00:00')"
            )
        )
    database.migrate()
    with database.engine.connect() as connection:
        assert connection.execute(text("SELECT kind FROM submission")).all() == [("run",)]
        assert connection.execute(text("SELECT submission_id, stages FROM grading")).all() == [(7, None)]
        if database.is_sqlite:
            assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1
            made = connection.execute(text("SELECT sql FROM sqlite_master WHERE name = 'submission'")).scalar_one()
            assert "AUTOINCREMENT" in made
    database.close()


def test_quiz_attempts_become_sittings_and_come_back(empty_database_url: str) -> None:
    """With their ids, their responses and the answers that name them; no id is given twice."""
    database = Database(empty_database_url)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    at = "2026-11-22 12:00:00"
    attempt = (
        "INSERT INTO quiz_attempt (user_id, course, lesson, snapshot_id, number, started_at, questions, {}) VALUES"
    )
    before = [
        f"INSERT INTO user_account (id, role, created_at) VALUES (1, 'guest', '{at}')",
        "INSERT INTO snapshot (id, kind, slug, content_hash, is_current, imported_at) "
        f"VALUES (1, 'course', 'demo', 'hash', true, '{at}')",
        f"{attempt.format('submitted_at, score')} (1, 'demo', 'quiz', 1, 1, '{at}', 2, '{at}', 1.5)",
        f"{attempt.format('deadline_at')} (1, 'demo', 'quiz', 1, 2, '{at}', 2, '{at}')",
        f"{attempt.format('deadline_at')} (1, 'demo', 'other', 1, 1, '{at}', 2, '{at}')",
        "DELETE FROM quiz_attempt WHERE id = 3",
        "INSERT INTO quiz_response (attempt_id, place, slug, variant, given, flagged, revision) "
        "VALUES (1, 1, 'shape', 7, '\"(N, T)\"', true, 3), (2, 1, 'shape', 8, NULL, false, 0)",
        "INSERT INTO answer (id, user_id, question, variant, attempt, occasion, given, correct, score, created_at, "
        f"quiz_attempt_id) VALUES (5, 1, 'demo.quiz.shape', 7, 1, 'sitting', '\"(N, T)\"', true, 1, '{at}', 1)",
    ]
    with database.engine.execution_options(lectern_writes="FULL").begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "202611222230")
        for statement in before:
            connection.execute(text(statement))
    database.migrate()
    with database.reading() as db:
        sittings = "SELECT id, number, points, score, submitted_at IS NULL FROM sitting ORDER BY id"
        assert [tuple(row) for row in db.execute(text(sittings))] == [(1, 1, 2, 1.5, False), (2, 2, 2, None, True)]
        responses = (
            "SELECT sitting_id, place, slug, variant, flagged, revision FROM sitting_response ORDER BY sitting_id"
        )
        assert [tuple(row) for row in db.execute(text(responses))] == [
            (1, 1, "shape", 7, True, 3),
            (2, 1, "shape", 8, False, 0),
        ]
        assert db.execute(text("SELECT id, sitting_id, occasion FROM answer")).all() == [(5, 1, "sitting")]
    sitting = "INSERT INTO sitting (user_id, course, lesson, snapshot_id, number, started_at, questions, points) VALUES"
    for refused in (
        f"{sitting} (1, 'demo', 'quiz', 1, 3, '{at}', 2, 2)",
        f"{sitting} (9, 'demo', 'new', 1, 1, '{at}', 2, 2)",
    ):
        with pytest.raises(IntegrityError), database.writing() as db:
            db.execute(text(refused))
    with database.writing() as db:
        db.execute(text(f"{sitting} (1, 'demo', 'other', 1, 1, '{at}', 2, 8)"))
        db.execute(text(f"UPDATE sitting SET score = 6, submitted_at = '{at}' WHERE course = 'demo' AND points = 8"))
        assert db.execute(text("SELECT max(id) FROM sitting")).scalar_one() > 3
        db.execute(text("DELETE FROM sitting WHERE id = 1"))
        assert db.execute(text("SELECT sitting_id FROM sitting_response")).all() == [(2,)], "they go with it"
        assert db.execute(text("SELECT id, sitting_id FROM answer")).all() == [(5, None)], "and an answer stays"
    with _without_foreign_keys(database.engine) as connection:  # as `Database.migrate` goes forward
        config.attributes["connection"] = connection
        command.downgrade(config, "202611222230")
        assert connection.execute(text("SELECT attempt_id, variant FROM quiz_response")).all() == [(2, 8)]
        assert connection.execute(text("SELECT score FROM quiz_attempt WHERE id > 3")).all() == [(1.5,)], "of 2"
        names = {one["name"] for one in inspect(connection).get_indexes("quiz_attempt")}
        assert {"ix_quiz_attempt_open", "ix_quiz_attempt_due"} <= names
    database.close()


def test_two_servers_that_start_at_once_migrate_once(empty_database_url: str) -> None:
    databases = [Database(empty_database_url) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(Database.migrate, databases))
    for database in databases:
        assert database.answers()
        database.close()


def test_tables_that_are_up_to_date_are_looked_at_while_somebody_writes(sqlite_url: str) -> None:
    writer, starting = Database(sqlite_url), Database(sqlite_url)
    with writer.writing() as db:
        db.add(User(role="guest"))
        db.flush()
        starting.migrate()
    writer.close()
    starting.close()


def test_a_database_of_a_newer_release_is_refused(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    with database.writing() as db:
        db.execute(text("UPDATE alembic_version SET version_num = '999912312359'"))
    with pytest.raises(CommandError, match="999912312359"):
        database.migrate()
    database.close()


def test_connections_to_a_new_file_wait_for_one_another(tmp_path: Path) -> None:
    """SQLite alone refuses one in some ten rounds: see `_write_ahead`."""
    with ThreadPoolExecutor(8) as pool:
        for turn in range(60):
            databases = [Database(f"sqlite:///{tmp_path}/{turn}.db") for _ in range(8)]
            assert all(pool.map(Database.answers, databases))
            for database in databases:
                database.close()


def test_sqlite_is_told_to_be_careful(empty_database_url: str) -> None:
    database = Database(empty_database_url)
    if not database.is_sqlite:
        pytest.skip("about SQLite")
    with database.engine.connect() as connection:
        said = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    database.close()
    assert said == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 20_000}


def test_the_database_refuses_what_cannot_be(database_url: str) -> None:
    database = Database(database_url)

    def is_refused(statement: str) -> bool:
        try:
            with database.writing() as db:
                db.execute(text(statement))
        except IntegrityError:
            return True
        return False

    statements = (
        "INSERT INTO user_account (role, created_at) VALUES ('root', '2026-01-01')",
        "INSERT INTO user_account (role, created_at) VALUES ('student', '2026-01-01')",
        "INSERT INTO user_account (role, email, created_at) VALUES ('guest', 'a@b.c', '2026-01-01')",
        f"INSERT INTO grading {GRADING} VALUES (1, 0, 'lost', '[]', '2026-01-01')",
        f"INSERT INTO grading {GRADING} VALUES (9, 0, 'queued', '[]', '2026-01-01')",
        f"INSERT INTO grading {GRADING} VALUES (1, 0, 'finished', '[]', '2026-01-01')",
    )
    assert [statement for statement in statements if not is_refused(statement)] == []
    database.close()
