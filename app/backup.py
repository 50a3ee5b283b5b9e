"""A backup: one file with everything that a server holds and cannot compute again, which is its database.

Content, revisions and pictures are rows; besides the database the data folder holds locks and caches. SQLite copies
itself while others write (its online backup, in one read transaction); PostgreSQL has `pg_dump`, `pg_restore` and
`psql`.

attack: another user of this machine reads a backup, or the password of the database in the list of processes. defence:
the file is this user's alone from its first byte, and a password goes to a program by its environment.
"""

import fcntl
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psycopg
from sqlalchemy import URL, make_url

from app.settings import Settings
from graders.text import headline

SQLITE, POSTGRESQL = b"SQLite format 3\0", b"PGDMP"  # how their files begin
PRIVATE = 0o600
AGAIN = "Nothing was changed. Correct that, then run the same command again."
ANOTHER = "Nothing was changed. Restore another backup."


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
            _run("pg_dump", ["--format=custom", "--no-owner", f"--file={part}"], url, AGAIN)
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
        remedy = (
            "Unset DATABASE_URL to restore it, then run ./lectern move-data."
            if is_sqlite
            else "Set DATABASE_URL to postgresql://user@host/name."
        )
        raise NoBackup(f"{backup} is of {held}, and this installation uses {other}.", remedy)
    with alone(settings.data):
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
        raise NoBackup(f"{backup} cannot be restored: {error}.", ANOTHER) from None


# ---- PostgreSQL -----------------------------------------------------------------------------------------------


# All that is in Lectern's schema, but for what is somebody else's or an extension's. Parts of another thing go with it.
_DROP_ALL = """
DO $$
DECLARE
    dropping text;
BEGIN
    SELECT string_agg(format('DROP %s IF EXISTS %s CASCADE;', named.type, named.identity), ' ') INTO dropping
    FROM (
        SELECT 'pg_class'::regclass AS catalog, oid, relowner AS owner FROM pg_class
        WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
        UNION ALL SELECT 'pg_type'::regclass, oid, typowner FROM pg_type
        WHERE typnamespace = quote_ident(current_schema())::regnamespace AND typtype IN ('d', 'e', 'r')
        UNION ALL SELECT 'pg_proc'::regclass, oid, proowner FROM pg_proc
        WHERE pronamespace = quote_ident(current_schema())::regnamespace
    ) AS held, pg_identify_object(held.catalog, held.oid, 0) AS named
    WHERE pg_has_role(held.owner, 'USAGE') AND NOT EXISTS (
        SELECT FROM pg_depend
        WHERE classid = held.catalog AND objid = held.oid AND deptype IN ('e', 'i')
    );
    IF dropping IS NOT NULL THEN
        EXECUTE dropping;
    END IF;
END $$
"""
_EXTENSION = re.compile(r"\d+; \d+ \d+ (?:EXTENSION -|COMMENT - EXTENSION) (\S+)")


def _restore_postgresql(backup: Path, url: URL, *, force: bool) -> None:
    others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() " \
             "AND backend_type = 'client backend'"  # fmt: skip
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
    try:
        with psycopg.connect(_libpq(url)) as db:
            connected, held = (db.execute(question).fetchone() or (0,) for question in (others, tables))
            extensions = {str(name) for (name,) in db.execute("SELECT extname FROM pg_extension")}
    except psycopg.Error as error:
        raise NoBackup(f"The database cannot be reached: {headline(str(error))}", "Correct DATABASE_URL.") from None
    if connected[0]:
        raise NoBackup(f"{connected[0]} others are connected to this database.", "Stop the servers on it first.")
    if held[0] and not force:
        raise _in_use(f"the database {url.database}")
    entries = _run("pg_restore", ["--list", str(backup)], url, ANOTHER).splitlines(keepends=True)
    # An extension that is there stays: often only the administrator may drop it.
    wanted = [entry for entry in entries if (its := _EXTENSION.match(entry)) is None or its[1] not in extensions]
    with tempfile.NamedTemporaryFile("w", suffix=".list") as listed:
        listed.writelines(wanted)
        listed.flush()
        _replace_all(["--no-owner", f"--use-list={listed.name}", str(backup)], url)


def _replace_all(arguments: list[str], url: URL) -> None:
    """pg_restore writes its statements to psql, inside a transaction that we end. By itself it would drop only what is
    in the backup, and trip over the tables of a newer release. psql's own --single-transaction would commit what it
    got before pg_restore failed or this process was killed."""
    environment = _environment(url)
    into = [_path("psql"), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
    into += ["--command=BEGIN", f"--command={_DROP_ALL}", "--file=-"]
    out = [_path("pg_restore"), "--clean", "--if-exists", "--file=-", *arguments]
    with tempfile.TemporaryFile("w+") as errors:
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        with subprocess.Popen(into, stdin=pipe, stdout=nowhere, stderr=errors, env=environment, text=True) as database:
            read = subprocess.run(out, stdout=database.stdin, stderr=pipe, env=environment, text=True, check=False)
            database.communicate("" if read.returncode else "COMMIT;\n")
        errors.seek(0)
        output = errors.read()
    if database.returncode:  # pg_restore then failed only because nobody read on
        found = re.search(r"(?:ERROR|FATAL|error): .*", output)
        raise NoBackup(f"psql failed: {headline(found[0] if found else output.strip())}", AGAIN)
    if read.returncode:
        raise NoBackup(f"pg_restore failed: {headline(read.stderr.strip())}", ANOTHER)


def _libpq(url: URL) -> str:
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def _run(program: str, arguments: list[str], url: URL, remedy: str) -> str:
    command = [_path(program), *arguments]
    done = subprocess.run(command, env=_environment(url), capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoBackup(f"{program} failed: {headline(done.stderr.strip())}", remedy)
    return done.stdout


def _path(program: str) -> str:
    if (path := shutil.which(program)) is None:
        raise NoBackup(
            f"{program} is not installed here.",
            "Install PostgreSQL's client programs, of the server's version or newer: apt install postgresql-client.",
        )
    return path


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
def alone(*folders: Path) -> Iterator[None]:
    """No server uses these data folders, nor begins to meanwhile (app/web/server.py)."""
    with ExitStack() as locks:
        for folder in sorted({folder.resolve() for folder in folders}):  # none twice: our own lock would refuse us
            try:
                lock = locks.enter_context((folder / "server.lock").open("w"))
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise NoBackup(f"A server runs on {folder}.", "Stop it first.") from None
            except OSError as error:
                hint = "Run this as the user of the server."
                raise NoBackup(f"Cannot lock {folder}: {error.strerror}.", hint) from None
        yield
