"""The database: one engine for the server, the command line and the migrations.

A transaction begins and ends inside one `with`, in one thread, and nothing waits in between: neither a stream nor
a judge nor an `await`. That is also why there is no session dependency: FastAPI closes those in another turn of the
thread pool, and writers that wait for SQLite's lock would hold every thread that its holder needs to commit.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    ColumnElement,
    DateTime,
    Engine,
    Executable,
    Float,
    MetaData,
    Select,
    create_engine,
    event,
    literal,
    make_url,
    text,
)
from sqlalchemy.engine import Connection, Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase, Session, class_mapper, make_transient_to_detached, sessionmaker
from sqlalchemy.orm.attributes import instance_dict
from sqlalchemy.orm.util import identity_key
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

from app.settings import CONNECTIONS, STATEMENT_SECONDS

BUSY_MS = 20_000
KEPT_OPEN = 20  # connections, while nobody needs them
WAIT_SECONDS = 30.0
MIGRATIONS = Path(__file__).resolve().parent.parent / "migrations"
ID_MAX = 2**31 - 1  # PostgreSQL raises past the 32 bits of the column


def read_id(text: int | str) -> int | None:
    """The number of a row, as an address or a form names it; None for what no row can have."""
    digits = str(text)
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 10):
        return None
    return number if (number := int(digits)) <= ID_MAX else None


class Database:
    """`reading()` sees one consistent moment; `writing()` is alone among writers and commits on success."""

    def __init__(self, url: str, connections: int = CONNECTIONS, statement_seconds: float = STATEMENT_SECONDS) -> None:
        """`connections`: at most so many at once. `statement_seconds`: PostgreSQL gives up a statement that takes
        longer; 0: never."""
        self.engine = make_engine(url, connections, statement_seconds)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self.file = _file_of(self.engine)  # None: no file of this machine
        self._reading = sessionmaker(self.engine, expire_on_commit=False)
        self._changing = {durable: self.engine.execution_options(**_writes(durable)) for durable in (True, False)}
        self._writing = {
            durable: sessionmaker(engine, expire_on_commit=False) for durable, engine in self._changing.items()
        }
        # SQLite lets waiting writers sleep and try again; a lock of our own wakes them in turn.
        self._turn = threading.Lock()
        self._kept: dict[bool, Connection] = {}  # by `durable`; used by the thread that has the turn
        self._is_closed = False
        event.listen(self.engine, "checkin", self._on_checkin)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        with self._reading() as session:
            yield session

    @contextmanager
    def snapshot(self) -> Iterator[Session]:
        """As `reading`, and what others commit meanwhile is not seen by any later question either."""
        with self._reading() as session:
            if not self.is_sqlite:  # there each transaction is one
                session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
            yield session

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[Session]:
        """Commits once, at the end; whatever is raised inside rolls everything back.

        Not `durable`: survives a crash of the server but perhaps not a power cut, and spares the wait for the disk.
        For what the next start makes good by itself.
        """
        if self.file is not None:
            with self._writer(durable) as kept, Session(kept, expire_on_commit=False) as session, session.begin():
                yield session
            return
        with self._turn if self.is_sqlite else nullcontext(), self._writing[durable].begin() as session:
            if not durable and not self.is_sqlite:
                session.execute(text("SET LOCAL synchronous_commit = off"))
            yield session

    @contextmanager
    def changing(self, *, durable: bool = True) -> Iterator[Connection]:
        """As `writing`, for statements alone: without the session, which tracks objects, it costs half."""
        if self.file is not None:
            with self._writer(durable) as connection, connection.begin():
                yield connection
            return
        with self._turn if self.is_sqlite else nullcontext(), self._changing[durable].begin() as connection:
            if not durable and not self.is_sqlite:
                connection.execute(text("SET LOCAL synchronous_commit = off"))
            yield connection

    @contextmanager
    def _writer(self, durable: bool) -> Iterator[Connection]:
        """The connection by which all threads write to SQLite's file, one after the other. We keep it: taking one from
        the pool and resetting it afterwards costs as much as writing a row."""
        with self._turn:
            connection = self._kept.get(durable)
            if connection is None or connection.closed:
                connection = self._kept[durable] = self._changing[durable].connect()
            try:
                yield connection
            finally:
                if self._is_closed:
                    self._close_kept()

    def _close_kept(self) -> None:
        for connection in self._kept.values():
            connection.close()

    def migrate(self) -> None:
        """Bring the tables up to date. Two servers that start at once: the second waits, then finds it done."""
        with self.engine.connect() as connection:
            if MigrationContext.configure(connection).get_current_revision() == newest_revision():
                return
        config = _migrations()
        with _without_foreign_keys(self.engine) as connection:
            if not self.is_sqlite:
                connection.execute(text("SET LOCAL statement_timeout = 0"))  # a large table takes its time
                connection.execute(text("SELECT pg_advisory_xact_lock(7265747274)"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def answers(self) -> bool:
        """Whether the database can be asked at all (for /readyz)."""
        with self.engine.connect() as connection:
            return connection.execute(text("SELECT 1")).scalar() == 1

    def close(self) -> None:
        """A thread that is still at it has its connection until it gives it back: then that is closed too."""
        self._is_closed = True
        if self._turn.acquire(blocking=False):  # else the thread that has the turn sees that it is closed
            try:
                self._close_kept()
            finally:
                self._turn.release()
        self.engine.dispose()

    def _on_checkin(self, connection: Any, record: ConnectionPoolEntry) -> None:
        if self._is_closed and connection is not None:
            record.invalidate()


@dataclass(frozen=True)
class Executed:
    """What a statement did. `key`: of the row that it added. `rows`: of a SELECT, as SQLAlchemy would give them; of
    RETURNING, as the driver does, so read only numbers and plain text from them (and from PostgreSQL JSON, which its
    driver reads)."""

    rows: Sequence[Sequence[Any]]
    count: int
    key: int | None = None


@dataclass(frozen=True)
class _Compiled:
    """A statement in a database's own words: which values it takes, and how each is made ready for the driver."""

    text: str
    names: Sequence[str]
    by_place: bool  # values are numbered; else they go by their names
    fixed: Mapping[str, Any]  # those that the statement itself has, made ready
    makers: Mapping[str, Callable[[Any], Any]]
    returns_key: bool  # the database adds the key of a new row to its answer

    @classmethod
    def of(cls, statement: Executable, dialect: Dialect, columns: Sequence[str] | None) -> "_Compiled":
        clause: Any = statement
        compiled = clause.compile(dialect=dialect, column_keys=columns)
        if getattr(compiled, "insert_prefetch", None) or getattr(compiled, "update_prefetch", None):
            raise TypeError("A column has a default that Python makes: name the column.")
        makers = {}
        for name, bind in compiled.binds.items():
            if make := bind.type.dialect_impl(dialect).bind_processor(dialect):
                makers[name] = make
        fixed = {
            name: makers[name](bind.effective_value) if name in makers else bind.effective_value
            for name, bind in compiled.binds.items()
            if not bind.required
        }
        return cls(
            compiled.string,
            tuple(compiled.positiontup if compiled.positional else compiled.binds),
            bool(compiled.positional),
            fixed,
            makers,
            bool(columns is not None and getattr(compiled, "implicit_returning", None)),
        )

    def ready(self, values: Mapping[str, Any]) -> Sequence[Any] | Mapping[str, Any]:
        """The values as the driver takes them."""
        made = []
        for name in self.names:
            if name in values:
                made.append(self.makers[name](values[name]) if name in self.makers else values[name])
            else:
                made.append(self.fixed[name])
        return made if self.by_place else dict(zip(self.names, made, strict=True))


class Statement:
    """A statement that runs with each submission or each verdict. It is compiled once.

    SQLite is in this process and needs 0.02 ms for it, PostgreSQL 0.2. SQLAlchemy, whose code is cold whenever a
    student comes, takes 0.1 to 0.4 ms to find what it has made of the statement and to wrap the answer: of thirteen
    statements that was a tenth of the way to a verdict. So the driver is asked directly, on SQLAlchemy's connection and
    in its transaction; and through SQLAlchemy where somebody listens to what is asked. `columns`: of an INSERT, all
    that it is given.
    """

    def __init__(self, statement: Executable, columns: Sequence[str] | None = None) -> None:
        self.statement, self.columns = statement, columns
        # By the database's name, as are the places of a SELECT's rows whose values are not as Python has them
        self._compiled: dict[str, _Compiled] = {}
        self._readers: dict[str, list[tuple[int, Callable[[Any], Any]]]] = {}

    def run(self, db: Session | Connection, values: Mapping[str, Any]) -> Executed:
        """Execute it. Raises what SQLAlchemy makes of the database's refusal."""
        if isinstance(db, Session):
            db.flush()  # as before each of its own statements
            connection = db.connection()
        else:
            connection = db
        if _is_listened_to(connection):
            result = connection.execute(self.statement, values)
            added = result.inserted_primary_key if self.columns is not None else None
            answer = [tuple(row) for row in result] if result.returns_rows else []
            return Executed(answer, result.rowcount, None if added is None else added[0])
        dialect = connection.dialect
        known = self._compiled.get(dialect.name)
        if known is None:
            self._compiled[dialect.name] = known = _Compiled.of(self.statement, dialect, self.columns)
        if not connection.in_transaction():
            raise RuntimeError("Begin a transaction first: this would be committed at once, or never.")
        driver = dialect.dbapi
        assert driver is not None
        raw: Any = connection.connection.dbapi_connection
        try:
            cursor = raw.execute(known.text, known.ready(values))
            rows = self._read(cursor, dialect) if cursor.description else []
        except driver.Error as error:
            raise _refused(connection, known.text, error) from error
        if known.returns_key:
            return Executed([], cursor.rowcount, rows[0][0])
        return Executed(rows, cursor.rowcount, None if self.columns is None else getattr(cursor, "lastrowid", None))

    def _read(self, cursor: Any, dialect: Dialect) -> Sequence[Sequence[Any]]:
        rows = cursor.fetchall()
        if not rows or not isinstance(self.statement, Select):
            return rows  # type: ignore[no-any-return]
        readers = self._readers.get(dialect.name)
        if readers is None:
            columns = zip(self.statement.selected_columns, cursor.description, strict=True)
            made = [column.type.dialect_impl(dialect).result_processor(dialect, about[1]) for column, about in columns]
            readers = [(place, reader) for place, reader in enumerate(made) if reader is not None]
            self._readers[dialect.name] = readers
        if readers:
            rows = [list(row) for row in rows]
            for row, (place, reader) in product(rows, readers):
                row[place] = reader(row[place])
        return rows  # type: ignore[no-any-return]


Row = TypeVar("Row")


def as_read(class_: type[Row], values: Mapping[str, Any]) -> Row:
    """An object that says what a row holds. It is in no session: what is changed in it is not written.

    It is made as SQLAlchemy makes what it loads. The constructor, which tells listeners of each value, takes ten times
    as long."""
    made: Row = class_mapper(class_).class_manager.new_instance()
    instance_dict(made).update(values)
    return made


def as_loaded(db: Session, class_: type[Row], values: Mapping[str, Any]) -> Row:
    """The object of a row that a `Statement` has read, as if the session had loaded it: changes to it are written.
    `values`: of all columns, by name; one of them is "id"."""
    known = db.identity_map.get(identity_key(class_, values["id"]))
    if known is not None:
        return known
    made = as_read(class_, values)
    make_transient_to_detached(made)
    db.add(made)
    return made


def _is_listened_to(connection: Connection) -> bool:
    return bool(connection.dispatch.before_cursor_execute or connection.dialect.dispatch.handle_error)


def _refused(connection: Connection, statement: str, error: Exception) -> Exception:
    """What SQLAlchemy makes of a refusal by the driver. Values are not in it, as elsewhere. A connection that is lost
    is given up."""
    dialect = connection.dialect
    driver = dialect.dbapi
    assert driver is not None
    is_lost = dialect.is_disconnect(error, connection.connection.dbapi_connection, None)  # type: ignore[arg-type]
    made = DBAPIError.instance(
        statement, None, error, driver.Error, hide_parameters=True, connection_invalidated=is_lost, dialect=dialect
    )
    if is_lost:
        connection.invalidate(error)
    return made if isinstance(made, Exception) else error


def make_engine(
    url: str,
    connections: int = CONNECTIONS,
    statement_seconds: float = STATEMENT_SECONDS,
    wait_seconds: float = WAIT_SECONDS,
) -> Engine:
    """`wait_seconds`: for a connection, while all are used."""
    parsed = make_url(url)
    kept = min(connections, KEPT_OPEN)
    pool: dict[str, Any] = {"pool_size": kept, "max_overflow": connections - kept, "hide_parameters": True}
    pool["pool_timeout"] = wait_seconds
    if parsed.get_backend_name() != "sqlite":
        limited = {"options": f"-c statement_timeout={round(statement_seconds * 1000)}"}
        return create_engine(parsed, pool_pre_ping=True, connect_args=limited, **pool)
    if parsed.database and parsed.database != ":memory:":
        Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(parsed, connect_args={"timeout": BUSY_MS / 1000}, **pool)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _file_of(engine: Engine) -> Path | None:
    name = engine.url.database if engine.dialect.name == "sqlite" else None
    return Path(name) if name and name != ":memory:" else None


def _prepare_sqlite(connection: Any, record: object) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves: Python's sqlite3 would not for reads and DDL
    _write_ahead(connection)
    for pragma in (
        "synchronous = FULL",
        f"busy_timeout = {BUSY_MS}",
        "foreign_keys = ON",
        "cache_size = -16000",
        "temp_store = MEMORY",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _write_ahead(connection: Any, *, clock: Callable[[], float] = time.monotonic) -> None:
    """A new file is turned to write-ahead logging by the first connection; for that change SQLite does not wait by
    itself until another has written, whatever its busy timeout."""
    deadline = clock() + BUSY_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or clock() > deadline:
                raise
            time.sleep(0.01)


def _begin_sqlite(connection: Connection) -> None:
    """A reader that turns writer fails at once when another wrote in between; a writer says so from the start.

    Said to SQLite's own connection: through SQLAlchemy the two words cost more than the writing of a row. Raises what
    SQLAlchemy makes of a refusal."""
    level = connection.get_execution_options().get("lectern_writes")
    raw: Any = connection.connection.dbapi_connection
    statement = "BEGIN IMMEDIATE" if level else "BEGIN"
    try:
        if level and connection.info.get("synchronous") != level:
            connection.info["synchronous"] = None
            raw.execute(f"PRAGMA synchronous = {level}")
            connection.info["synchronous"] = level
        raw.execute(statement)
    except sqlite3.Error as error:
        raise _refused(connection, statement, error) from error


def _migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


@cache
def newest_revision() -> str | None:
    """The revision that `migrate` leads to."""
    return ScriptDirectory.from_config(_migrations()).get_current_head()


@contextmanager
def _without_foreign_keys(engine: Engine) -> Iterator[Connection]:
    """A transaction for migrations. SQLite changes a table by copying it and dropping the old one, and dropping
    cascades: submissions would take their gradings along. It cannot be told otherwise once a transaction has begun.
    """
    if engine.dialect.name != "sqlite":
        with engine.begin() as connection:
            yield connection
        return
    with engine.execution_options(**_writes(durable=True)).connect() as connection:
        raw: Any = connection.connection.dbapi_connection
        raw.execute("PRAGMA foreign_keys = OFF")
        try:
            with connection.begin():
                yield connection
                if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").all():
                    raise RuntimeError(f"The migration left rows that refer to missing rows: {broken[:3]}")
        finally:
            raw.execute("PRAGMA foreign_keys = ON")


def _writes(durable: bool) -> dict[str, Any]:
    return {"lectern_writes": "FULL" if durable else "NORMAL"}


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class Moment(TypeDecorator[datetime]):
    """A point in time: aware and UTC in Python, plain UTC in both databases."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC).replace(tzinfo=None) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value else None


def now() -> datetime:
    return datetime.now(UTC)


class FromNow(FunctionElement[datetime]):
    """In a statement: so many seconds from now by the database's clock, which is the same for every process."""

    type = Moment()
    inherit_cache = True

    def __init__(self, seconds: float | ColumnElement[float]) -> None:
        super().__init__(seconds if isinstance(seconds, ColumnElement) else literal(seconds, Float))


@compiles(FromNow, "postgresql")
def _from_now_in_postgresql(element: FromNow, compiler: SQLCompiler, **options: Any) -> str:
    seconds = compiler.process(element.clauses, **options)
    return f"(timezone('utc', clock_timestamp()) + make_interval(secs => {seconds}))"


@compiles(FromNow, "sqlite")
def _from_now_in_sqlite(element: FromNow, compiler: SQLCompiler, **options: Any) -> str:
    seconds = compiler.process(element.clauses, **options)
    return f"strftime('%Y-%m-%d %H:%M:%f000', 'now', {seconds} || ' seconds')"  # as Moment writes: microseconds
