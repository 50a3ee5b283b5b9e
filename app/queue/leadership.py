"""At most one process says whose turn it is: the one that holds the lock. The lock ends with its holder, however that
ends, so that the next leads within a moment.

attack: the leader stands still (a stopped container), another leads, then the first goes on. defence: PostgreSQL ends a
connection that asks nothing for STILL_SECONDS, and the lock with it. Both may hand out gradings for a moment, and the
rows decide: a grading is taken by one, and each write is fenced.
"""

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sqlalchemy import text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from app.db import Database

LOCK = 7265747276  # PostgreSQL's advisory lock of this database; 7265747274 is migrations', 7265747275 content's
STILL_SECONDS = 15
ASK_SECONDS = 0.1  # between two questions whether it still leads; the rows decide anyway
_STILL = text("SELECT 1")


class Leadership:
    """Used by one thread."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._database, self._clock = database, clock
        self._connection: Connection | None = None
        self._lock: IO[str] | None = None
        self._asked_at = 0.0

    def is_mine(self) -> bool:
        """Take it if it is free. False as well where the database cannot be asked."""
        if self._database.is_sqlite:
            return self._has_file()
        try:
            return self._has_row()
        except SQLAlchemyError:
            self.resign()
            return False

    @contextmanager
    def taking(self) -> Iterator[Connection]:
        """For one statement, while it leads. On PostgreSQL it is made by the connection that holds the lock: a process
        that leads no more takes nothing, and nothing is said but the statement itself, which commits without waiting
        for the disk."""
        if self._connection is None:
            with self._database.changing(durable=False) as connection:
                yield connection
            return
        yield self._connection
        self._asked_at = self._clock()

    def resign(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()  # closed for good: PostgreSQL lets go of the lock with it
            self._connection.close()
            self._connection = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _has_row(self) -> bool:
        if self._connection is not None:
            now = self._clock()
            if now > self._asked_at + ASK_SECONDS:
                self._connection.execute(_STILL)  # with the connection the lock would be gone
                self._asked_at = now
            return True
        connection = self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        connection.execute(text(f"SET idle_session_timeout = '{STILL_SECONDS}s'"))
        if connection.scalar(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": LOCK}):
            connection.execute(text("SET synchronous_commit = off"))
            self._connection = connection
            return True
        connection.execute(text("RESET idle_session_timeout"))  # it goes back to the pool
        connection.close()
        return False

    def _has_file(self) -> bool:
        if self._lock is not None:
            return True
        file = self._database.file
        path = file.with_name(f"{file.name}.leader") if file else Path("/dev/null")
        lock = path.open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            return False
        self._lock = lock
        return True
