"""A backup: one file with everything that a server holds and cannot compute again, which is its database.

Content, revisions and pictures are rows; besides the database the data folder holds locks and caches. SQLite copies
itself while others write (its online backup, in one read transaction); PostgreSQL has `pg_dump` and `pg_restore`.

attack: another user of this machine reads a backup, or the password of the database in the list of processes. defence:
the file is this user's alone from its first byte, and a password goes to a program by its environment.
"""

import fcntl
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psycopg
from sqlalchemy import URL, make_url

from app.settings import Settings
from graders.text import headline

SQLITE, POSTGRESQL = b"SQLite format 3\0", b"PGDMP"  # how their files begin
PRIVATE = 0o600


@dataclass(eq=False)
class NoBackup(Exception):
    """Why there is none, or it is not restored, and what to do."""

    message: str
    hint: str


def back_up(settings: Settings, to: Path) -> Path:
    """Returns the file: `to`, or one in the folder `to` that is named after the time. Raises NoBackup; then there is no
    file, nor half of one."""
    url = make_url(settings.database)
    if to.is_dir():
        suffix = "sqlite3" if _is_sqlite(url) else "dump"
        to = to / f"lectern-{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}.{suffix}"
    if to.exists():
        raise NoBackup(f"{to} exists.", "Name another file, or a folder.")
    part = to.with_name(f".{to.name}.{os.getpid()}.part")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
        if _is_sqlite(url):
            _copy_sqlite(_existing(url), part)
        else:
            _run("pg_dump", ["--format=custom", "--no-owner", f"--file={part}"], url)
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.rename(to)
    except OSError as error:
        raise NoBackup(f"Cannot write {to}: {error.strerror}.", "Name a file in a folder of yours.") from None
    finally:
        part.unlink(missing_ok=True)
    return to


def restore(settings: Settings, backup: Path, *, force: bool) -> None:
    """What the database holds becomes what the backup holds: at once, or, where anything fails, not at all. Raises
    NoBackup, for a database that holds something too, unless by `force`."""
    url = make_url(settings.database)
    try:
        with backup.open("rb") as file:
            begins = file.read(len(SQLITE))
    except OSError as error:
        raise NoBackup(f"Cannot read {backup}: {error.strerror}.", "Name a file that `backup` wrote.") from None
    is_sqlite = begins == SQLITE
    if not is_sqlite and not begins.startswith(POSTGRESQL):
        raise NoBackup(f"{backup} is no backup.", "Name a file that `backup` wrote.")
    if is_sqlite != _is_sqlite(url):
        held, other = ("SQLite", "PostgreSQL") if is_sqlite else ("PostgreSQL", "SQLite")
        raise NoBackup(f"{backup} is of {held}, and this installation uses {other}.", f"Set DATABASE_URL to {held}.")
    with alone(settings):
        if is_sqlite:
            _restore_sqlite(backup, Path(url.database or ""), force=force)
        else:
            _restore_postgresql(backup, url, force=force)


# ---- SQLite ---------------------------------------------------------------------------------------------------


def _existing(url: URL) -> Path:
    file = Path(url.database or "")
    if not file.is_file():
        raise NoBackup(f"There is no database at {file}.", "Set LECTERN_DATA or DATABASE_URL as for the server.")
    return file


def _copy_sqlite(source: Path, target: Path) -> None:
    try:
        with closing(sqlite3.connect(source)) as held, closing(sqlite3.connect(target)) as copy:
            held.backup(copy)  # all pages in one go: in parts it would begin again whenever somebody has written
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
    except sqlite3.Error as error:
        raise NoBackup(f"{source} cannot be copied: {error}.", "Look at the disk, then try again.") from None


def _restore_sqlite(backup: Path, target: Path, *, force: bool) -> None:
    try:
        with closing(sqlite3.connect(f"{backup.absolute().as_uri()}?mode=ro", uri=True)) as kept:
            if faults := [row[0] for row in kept.execute("PRAGMA quick_check") if row[0] != "ok"]:
                raise NoBackup(f"{backup} is damaged: {headline(faults[0])}", "Restore another backup.")
            with closing(sqlite3.connect(target)) as held:
                if held.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() and not force:
                    raise _in_use(str(target))
                held.execute("PRAGMA journal_mode = WAL")
                held.execute("PRAGMA synchronous = FULL")
                kept.backup(held)  # one transaction of the target's
    except sqlite3.Error as error:
        raise NoBackup(f"{backup} cannot be restored: {error}.", "Nothing was changed. Try another backup.") from None


# ---- PostgreSQL -----------------------------------------------------------------------------------------------


def _restore_postgresql(backup: Path, url: URL, *, force: bool) -> None:
    others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() " \
             "AND backend_type = 'client backend'"  # fmt: skip
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
    try:
        with psycopg.connect(_libpq(url)) as db:
            connected, held = (db.execute(question).fetchone() or (0,) for question in (others, tables))
    except psycopg.Error as error:
        raise NoBackup(f"The database cannot be reached: {headline(str(error))}", "Correct DATABASE_URL.") from None
    if connected[0]:
        raise NoBackup(f"{connected[0]} others are connected to this database.", "Stop the servers on it first.")
    if held[0] and not force:
        raise _in_use(f"the database {url.database}")
    arguments = ["--clean", "--if-exists", "--no-owner", "--single-transaction", "--exit-on-error"]
    _run("pg_restore", [*arguments, f"--dbname={url.database}", str(backup)], url)


def _libpq(url: URL) -> str:
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def _run(program: str, arguments: list[str], url: URL) -> None:
    if (path := shutil.which(program)) is None:
        raise NoBackup(
            f"{program} is not installed here.",
            "Install PostgreSQL's client programs, of the server's version or newer: apt install postgresql-client.",
        )
    done = subprocess.run([path, *arguments], env=_environment(url), capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoBackup(f"{program} failed: {headline(done.stderr)}", "Nothing was changed or written.")


def _environment(url: URL) -> Mapping[str, str]:
    query = {name: value for name, value in url.query.items() if isinstance(value, str)}
    named = {
        "PGHOST": url.host or query.get("host"),
        "PGPORT": str(url.port) if url.port else query.get("port"),
        "PGUSER": url.username or query.get("user"),
        "PGPASSWORD": str(url.password) if url.password is not None else query.get("password"),
        "PGDATABASE": url.database,
        "PGSSLMODE": query.get("sslmode"),
    }
    return {**os.environ, **{name: value for name, value in named.items() if value}}


# ---- both -----------------------------------------------------------------------------------------------------


def _is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _in_use(what: str) -> NoBackup:
    return NoBackup(f"There is something in {what}.", "Back that up, then add --force to replace it.")


@contextmanager
def alone(settings: Settings) -> Iterator[None]:
    """No server uses this data folder, nor begins to meanwhile (app/web/server.py)."""
    with (settings.data / "server.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NoBackup("A server runs on this data folder.", "Stop it first.") from None
        yield
