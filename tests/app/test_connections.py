"""How many connections a process has to its database, and how long a statement may take."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection

from app.db import Database


def test_no_more_connections_than_are_set(database_url: str) -> None:
    database = Database(database_url, connections=2)
    database.engine.pool._timeout = 0.01  # type: ignore[attr-defined]
    with database.engine.connect(), database.engine.connect(), pytest.raises(NoConnection):
        database.engine.connect()
    database.close()


def test_postgresql_gives_up_a_statement_that_takes_too_long(database_url: str) -> None:
    database = Database(database_url, statement_seconds=1)
    if database.is_sqlite:
        pytest.skip("SQLite runs a statement in our own thread")
    with pytest.raises(OperationalError, match="statement timeout"), database.reading() as db:
        db.execute(text("SELECT pg_sleep(60)"))
    database.close()


def test_a_connection_that_is_given_back_after_the_end_is_closed(database_url: str) -> None:
    """A thread may outlast the server's end for a moment."""
    database = Database(database_url)
    with database.engine.connect() as before:
        before.execute(text("SELECT 1"))
        late = before.connection.dbapi_connection
        database.close()
        with database.engine.connect() as after:
            after.execute(text("SELECT 1"))
            later = after.connection.dbapi_connection
    for closed in (late, later):
        with pytest.raises(Exception, match="closed"):
            closed.execute("SELECT 1")  # type: ignore[union-attr]
