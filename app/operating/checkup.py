"""`lectern doctor` for the whole installation: the database, the broker, workers, disk and clocks, each with a remedy.

It changes nothing: no table is migrated, no stream is made.
"""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from app.db import Database, newest_revision
from app.operating.disk import existing
from app.settings import Settings
from app.web.allowances import CONNECTIONS as ALLOWANCE_CONNECTIONS

CLOCK_SECONDS = 2.0  # a difference that leases and tokens do not feel
FREE_BYTES = 2 << 30
LISTEN_SECONDS = 12.0  # workers beat oftener


@dataclass(frozen=True)
class Finding:
    """`remedy` "": nothing is wrong."""

    name: str
    about: str
    remedy: str = ""

    @property
    def is_well(self) -> bool:
        return not self.remedy


def checkup(settings: Settings, say: Callable[[Finding], None], listen_seconds: float = LISTEN_SECONDS) -> bool:
    """Each finding as it is made; whether all is well."""
    is_well = True
    for finding in _findings(settings, listen_seconds):
        say(finding)
        is_well = is_well and finding.is_well
    return is_well


def _findings(settings: Settings, listen_seconds: float) -> Iterator[Finding]:
    yield _disk(settings)
    if settings.database_url or (settings.data / "lectern.sqlite3").exists():
        yield from _database(settings)
    if settings.queue != "local":
        from app.queue.inspection import inspect  # the client of a broker is for those who have one

        yield from (Finding(*found) for found in inspect(settings, listen_seconds))


def _disk(settings: Settings) -> Finding:
    folder = existing(settings.data)
    status = os.statvfs(folder)
    free = status.f_bavail * status.f_frsize
    about = f"{free / 1e9:.1f} GB are free for {settings.data}"
    if free < FREE_BYTES:
        remedy = "Free some space, or move LECTERN_DATA to a larger disk: a full disk stores nothing more."
        return Finding("disk", about, remedy)
    return Finding("disk", about)


def _database(settings: Settings) -> Iterator[Finding]:
    database = Database(settings.database, settings.database_connections, settings.statement_seconds)
    try:
        with database.engine.connect() as connection:
            name = "SQLite" if database.is_sqlite else "PostgreSQL"
            yield Finding("database", f"{name} answers")
            yield _migrated(connection)
            if not database.is_sqlite:
                yield _pool(connection, settings.database_connections)
                yield _clock(connection)
    except SQLAlchemyError as error:
        # attack: the password of a URL in what is printed. defence: the driver's own first line, which has none.
        reason = str(getattr(error, "orig", error)).strip().split("\n")[0]
        yield Finding("database", f"does not answer: {reason}", "Start it, or correct DATABASE_URL.")
    finally:
        database.close()


def _migrated(connection: object) -> Finding:
    wanted = newest_revision()
    try:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()  # type: ignore[attr-defined]
    except SQLAlchemyError:
        connection.rollback()  # type: ignore[attr-defined]
        return Finding("tables", "there are none yet", "Start ./lectern serve once: it creates them.")
    if found == wanted:
        return Finding("tables", f"are those of this release ({found})")
    remedy = "Older: start ./lectern serve, which updates them. Newer: install the newer release."
    return Finding("tables", f"are of another release: {found}, not {wanted}", remedy)


def _pool(connection: object, wanted: int) -> Finding:
    """Each web process may open so many connections, and a few for allowances besides."""
    execute, each = connection.execute, wanted + ALLOWANCE_CONNECTIONS  # type: ignore[attr-defined]
    most = int(execute(text("SHOW max_connections")).scalar())
    reserved = int(execute(text("SHOW superuser_reserved_connections")).scalar())
    used = int(execute(text("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'")).scalar())
    room = (most - reserved) // each
    about = f"{used} of {most - reserved} connections are used; each web process may open {each}: room for {room}"
    if not room:
        return Finding("connections", about, "Lower LECTERN_DATABASE_CONNECTIONS, or raise max_connections.")
    return Finding("connections", about)


def _clock(connection: object, *, wall_clock: Callable[[], float] = time.time) -> Finding:
    began = wall_clock()
    theirs = connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar()  # type: ignore[attr-defined]
    asked_seconds = wall_clock() - began
    difference = abs(float(theirs) - (began + asked_seconds / 2))
    about = f"the database's clock is {difference:.1f} s off this machine's ({datetime.now(UTC):%H:%M:%S} UTC)"
    if difference > CLOCK_SECONDS + asked_seconds:
        return Finding("clock", about, "Set both clocks with NTP: deadlines and sessions depend on them.")
    return Finding("clock", about)
