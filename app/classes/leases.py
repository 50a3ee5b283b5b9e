"""Work in the background that one process does at a time, as rows with a lease: regradings, and reports of variants.

Such a row has an `id`, a `state` (queued, running, finished, failed), a `why` of a failure, an `owner` and
`leased_until`. A process renews its lease while it lives (`Tended`). Where one is killed its lease runs out, and
another takes the work over; one that shuts down cleanly gives it back. Leases end by the database's clock.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal, TypeVar

import structlog
from sqlalchemy import select, text, update
from sqlalchemy.orm import Session

from app.db import Base, Database, FromNow
from graders.text import storable

log = structlog.get_logger("lectern.regrading")

LEASE_SECONDS = 15.0
RENEWALS = 3  # in the time of a lease
State = Literal["queued", "running", "finished", "failed"]
UNFINISHED = text("state IN ('queued', 'running')")  # in the words of the tables' indexes
Row = TypeVar("Row", bound=Base)


def claim(db: Session, table: type[Row], owner: str) -> Row | None:
    """The oldest that nobody works on is this process's now. To be called in a transaction of its own."""
    rows: Any = table
    free = rows.leased_until.is_(None) | (rows.leased_until < FromNow(0.0)) | (rows.owner == owner)
    id = db.scalar(select(rows.id).where(UNFINISHED, free).order_by(rows.id).limit(1))
    if id is None:
        return None
    taken = update(rows).where(rows.id == id, UNFINISHED, free)
    taken = taken.values(owner=owner, leased_until=FromNow(LEASE_SECONDS), state="running").returning(rows)
    found: Row | None = db.scalar(taken.execution_options(synchronize_session=False, populate_existing=True))
    return found


def renew(db: Session, table: type[Base], id: int, owner: str) -> bool:
    """False: it was deleted, has ended, or is another process's."""
    rows: Any = table
    mine = update(rows).where(rows.id == id, rows.owner == owner, UNFINISHED)
    return bool(db.execute(mine.values(leased_until=FromNow(LEASE_SECONDS))).rowcount)  # type: ignore[attr-defined]


def end(db: Session, table: type[Base], id: int, owner: str, state: State, why: str = "", **more: Any) -> None:
    """`more`: other columns. Nothing happens to what is another process's."""
    rows: Any = table
    mine = update(rows).where(rows.id == id, rows.owner == owner, UNFINISHED)
    db.execute(mine.values(state=state, why=storable(why)[:500], owner=None, leased_until=None, **more))


def release(db: Session, table: type[Base], owner: str) -> None:
    """Everything that this process holds becomes free."""
    rows: Any = table
    db.execute(update(rows).where(rows.owner == owner, UNFINISHED).values(owner=None, leased_until=None))


class Tended:
    """Renews the lease of what this process works on, by a thread of its own: a submission may wait for longer than a
    lease until students leave it a box."""

    def __init__(self, database: Database, owner: str, tables: Iterable[type[Base]]) -> None:
        self._database, self._owner, self._tables = database, owner, tuple(tables)
        self._row: tuple[type[Base], int] | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="regrader-lease", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self, seconds: float) -> None:
        """Everything that this process holds becomes free, if the database is there."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(seconds)

    @contextmanager
    def working_on(self, table: type[Base], id: int) -> Iterator[None]:
        self._row = table, id
        try:
            yield
        finally:
            self._row = None

    def _run(self) -> None:
        while not self._closed.wait(LEASE_SECONDS / RENEWALS):
            if (row := self._row) is not None:
                self._try(partial(renew, table=row[0], id=row[1]))
        for table in self._tables:
            self._try(partial(release, table=table))

    def _try(self, step: Callable[..., object]) -> None:
        try:
            with self._database.writing(durable=False) as db:
                step(db=db, owner=self._owner)
        except Exception as error:  # noqa: BLE001 (logged; a thread that ended here would lose the lease)
            log.warning("lease_not_tended", cause=str(error))
