"""`move-data`: all rows of a grown SQLite into an empty PostgreSQL, each of them compared afterwards.

A batch of rows and the note of how far it came are one transaction of the target's: killed at any moment, the next run
goes on where the last one stopped. A column that may name a row that comes later is empty at first, and filled in a
second pass, once all rows are there: PostgreSQL checks each reference at once. The target belongs to the move until
that is finished: a database with anything else in it is refused, and so is a move from another file.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Integer,
    MetaData,
    Select,
    String,
    Table,
    Text,
    bindparam,
    func,
    insert,
    inspect,
    or_,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.exc import DBAPIError

import app.tables  # noqa: F401 (every table is known from here on)
from app.db import Base, Database
from graders.text import headline

AT_A_TIME = 500
SAY_SECONDS = 2.0
# What the next start makes again from the rest, and what lasts for minutes.
DERIVED = frozenset({"search_entry", "search_vocabulary", "allowance"})

_LEDGER = Table(
    "data_move",
    MetaData(),
    Column("name", String(64), primary_key=True),
    Column("source", Text, nullable=False),
    Column("moved", BigInteger, nullable=False),
    Column("last", JSON),
)


@dataclass(eq=False)
class NotMoved(Exception):
    """Why the data is not moved, or not all of it, and what to do."""

    message: str
    hint: str


def tables() -> list[Table]:
    """What is moved, in an order in which no row comes before one that it refers to."""
    return [table for table in Base.metadata.sorted_tables if table.name not in DERIVED]


def filled_later(table: Table) -> list[Column[Any]]:
    """What refers to a row of the same table, or of one that is moved after it: that row may not be there yet."""
    names = [one.name for one in tables()]
    not_yet = names[names.index(table.name) :]
    keys = [set(key.columns) for key in table.foreign_key_constraints if key.referred_table.name in not_yet]
    return [column for column in table.columns if column.nullable and any(column in key for key in keys)]


def half_moved(database: Database) -> NotMoved | None:
    """Why a server must not start on this database: rows are still being moved into it. None: it may."""
    with database.reading() as db:
        if database.is_sqlite or not inspect(db.connection()).has_table(_LEDGER.name):
            return None
        source = db.scalar(select(_LEDGER.c.source).limit(1))
    return NotMoved(
        f"A move of {source} into this database was begun and has not come to its end.",
        "Run ./lectern move-data again: it goes on where it stopped. Or name an empty database and begin there.",
    )


def move(file: Path, target_url: str, say: Callable[[str], None]) -> int:
    """Move what the SQLite `file` holds into the database at `target_url`; returns the number of rows. The server must
    be stopped. Raises NotMoved; what has been moved by then need not be moved again."""
    if not file.is_file():
        raise NotMoved(f"There is no database at {file}.", "Set LECTERN_DATA as for the server, or give --from.")
    with closing(Database(f"sqlite+pysqlite:///{file}")) as source, closing(Database(target_url)) as target:
        if target.is_sqlite:
            raise NotMoved("The target is SQLite too.", "Set DATABASE_URL to postgresql://user@host/name.")
        try:
            source.migrate()
            target.migrate()
            with source.snapshot() as rows:
                moving = _Move(rows.connection(), target, str(file.resolve()), say)
                moving.begin()
                for table in tables():
                    moving.copy(table)
                for table in tables():
                    moving.fill(table)
                for table in tables():
                    moving.compare(table)
                moving.finish()
                return moving.total
        except DBAPIError as error:
            reason = headline(str(error.orig))
            raise NotMoved(f"A database refused: {reason}", "Correct that, then run the same command again.") from None


class _Move:
    def __init__(
        self,
        source: Connection,
        target: Database,
        name: str,
        say: Callable[[str], None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._source, self._target, self._name, self._say, self._clock = source, target, name, say, clock
        counts = [source.scalar(select(func.count()).select_from(table)) or 0 for table in tables()]
        self._counts = dict(zip([table.name for table in tables()], counts, strict=True))
        self.total = sum(counts)
        self._done = self._at_start = 0
        self._began = self._said_at = clock()

    def begin(self) -> None:
        """Take possession of the target, or find one's own half-done work there."""
        with self._target.writing() as db:
            if inspect(db.connection()).has_table(_LEDGER.name):
                others = set(db.scalars(select(_LEDGER.c.source))) - {self._name}
                if others:
                    raise NotMoved(
                        f"A move of {others.pop()} was begun there.", "Finish that one, or empty the target."
                    )
                self._done = self._at_start = int(db.scalar(select(func.sum(_LEDGER.c.moved))) or 0)
                if self._done:
                    self._say(f"Going on after {self._done:,} rows.")
                return
            for table in tables():
                if db.execute(select(table).limit(1)).first() is not None:
                    message = f"The target is not empty: there are rows in {table.name}."
                    raise NotMoved(message, "Name a new database: createdb lectern.")
            _LEDGER.create(db.connection())
            names = [name for table in tables() for name in (table.name, _second_pass(table))]
            db.execute(
                insert(_LEDGER), [{"name": name, "source": self._name, "moved": 0, "last": None} for name in names]
            )

    def copy(self, table: Table) -> None:
        key, empty = list(table.primary_key), {column.name: None for column in filled_later(table)}
        last = self._last(table.name)
        while rows := self._after(select(table), key, last):
            last = [rows[-1][column.name] for column in key]
            with self._target.changing(durable=False) as db:
                db.execute(insert(table), [{**row, **empty} for row in rows])
                _note(db, table.name, len(rows), last)
            self._done += len(rows)
            self._say_how_far(table.name)

    def fill(self, table: Table) -> None:
        """The second pass: what `copy` left empty. The rows are counted already."""
        key, later = list(table.primary_key), filled_later(table)
        if not later:
            return
        asked = select(*key, *later).where(or_(*(column.is_not(None) for column in later)))
        # a parameter may not have the name of a column that is set
        named = update(table).where(*(column == bindparam(f"its_{column.name}") for column in key))
        filling = named.values({column: bindparam(f"its_{column.name}") for column in later})
        last = self._last(_second_pass(table))
        while rows := self._after(asked, key, last):
            last = [rows[-1][column.name] for column in key]
            with self._target.changing(durable=False) as db:
                db.execute(filling, [{f"its_{name}": value for name, value in row.items()} for row in rows])
                _note(db, _second_pass(table), 0, last)

    def _last(self, name: str) -> Sequence[Any] | None:
        """The key of the last row that this pass has done."""
        with self._target.reading() as db:
            last: Sequence[Any] | None = db.scalar(select(_LEDGER.c.last).where(_LEDGER.c.name == name))
        return last

    def _after(
        self, asked: Select[Any], key: Sequence[Column[Any]], last: Sequence[Any] | None
    ) -> list[dict[str, Any]]:
        asked = asked.order_by(*key).limit(AT_A_TIME)
        if last is not None:
            asked = asked.where(tuple_(*key) > tuple_(*last))
        return [dict(row._mapping) for row in self._source.execute(asked)]

    def _say_how_far(self, name: str) -> None:
        now = self._clock()
        if now - self._said_at < SAY_SECONDS:
            return
        self._said_at = now
        per_second = (self._done - self._at_start) / (now - self._began)
        left = (self.total - self._done) / per_second if per_second else 0.0
        self._say(f"{name}: {self._done:,} of {self.total:,} rows, about {left:.0f} s left")

    def compare(self, table: Table) -> None:
        """Row by row. Raises NotMoved at the first that differs."""
        with self._target.snapshot() as db:
            there = _ordered(db.connection(), table, is_sqlite=False)
            for row in _ordered(self._source, table, is_sqlite=True):
                other = next(there, None)
                if other != row and repr(other) != repr(row):
                    raise self._differs(table, row)
            if next(there, None) is not None:
                raise self._differs(table, None)
        self._say(f"{table.name}: {self._counts[table.name]:,} rows compared")

    def _differs(self, table: Table, row: tuple[Any, ...] | None) -> NotMoved:
        places = [list(table.columns).index(column) for column in table.primary_key]
        which = f"row {', '.join(str(row[place]) for place in places)}" if row is not None else "one row too many"
        return NotMoved(
            f"{table.name}: {which} is not the same in both databases.",
            "Something else writes to one of them. Stop it, empty the target, and move again.",
        )

    def finish(self) -> None:
        """The next id of each table is one that has never been used, and the target is a server's."""
        with self._target.writing() as db:
            for table in tables():
                key = list(table.primary_key)
                if len(key) == 1 and isinstance(key[0].type, Integer) and key[0].autoincrement is not False:
                    sequence = select(func.pg_get_serial_sequence(table.name, key[0].name))
                    if (name := db.scalar(sequence)) is not None and (used := self._last_id(table)) > 0:
                        db.execute(select(func.setval(name, used)))
            _LEDGER.drop(db.connection())
            db.execute(text("ANALYZE"))

    def _last_id(self, table: Table) -> int:
        """SQLite remembers ids of rows that are gone: an id once given is never given again."""
        column: ColumnElement[Any] = next(iter(table.primary_key))
        remembered = text("SELECT seq FROM sqlite_sequence WHERE name = :name").bindparams(name=table.name)
        return max(self._source.scalar(select(func.max(column))) or 0, self._source.scalar(remembered) or 0)


def _second_pass(table: Table) -> str:
    return f"{table.name}, second pass"


def _note(db: Connection, name: str, moved: int, last: Sequence[Any]) -> None:
    row = update(_LEDGER).where(_LEDGER.c.name == name)
    db.execute(row.values(moved=_LEDGER.c.moved + moved, last=last))


def _ordered(db: Connection, table: Table, *, is_sqlite: bool) -> Iterator[tuple[Any, ...]]:
    """All rows by their key. PostgreSQL's order of words is its locale's; SQLite's is of bytes."""
    key = [
        column.collate("C") if isinstance(column.type, String) and not is_sqlite else column
        for column in table.primary_key
    ]
    streamed = db.execution_options(stream_results=True, yield_per=AT_A_TIME)
    return (tuple(row) for row in streamed.execute(select(table).order_by(*key)))
