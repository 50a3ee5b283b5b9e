"""Work in the background that one process does at a time, as rows with a lease: regradings, and reports of variants.

Such a row has an `id`, a `state` (queued, running, finished, failed), a `why` of a failure, an `owner` and
`leased_until`. A process that ends leaves its lease to run out, and another takes the work over.
"""

from datetime import datetime
from typing import Any, Literal, TypeVar

from sqlalchemy import select, text, update
from sqlalchemy.orm import Session

from app.db import Base, now
from graders.text import storable

State = Literal["queued", "running", "finished", "failed"]
UNFINISHED = text("state IN ('queued', 'running')")  # in the words of the tables' indexes
Row = TypeVar("Row", bound=Base)


def claim(db: Session, table: type[Row], owner: str, until: datetime) -> Row | None:
    """The oldest that nobody works on is this process's now. To be called in a transaction of its own."""
    rows: Any = table
    free = rows.leased_until.is_(None) | (rows.leased_until < now()) | (rows.owner == owner)
    id = db.scalar(select(rows.id).where(UNFINISHED, free).order_by(rows.id).limit(1))
    if id is None:
        return None
    taken = update(rows).where(rows.id == id, UNFINISHED, free)
    taken = taken.values(owner=owner, leased_until=until, state="running").returning(rows)
    found: Row | None = db.scalar(taken.execution_options(synchronize_session=False, populate_existing=True))
    return found


def renew(db: Session, table: type[Base], id: int, owner: str, until: datetime) -> bool:
    """False: it was deleted, has ended, or is another process's."""
    rows: Any = table
    mine = update(rows).where(rows.id == id, rows.owner == owner, UNFINISHED)
    return bool(db.execute(mine.values(leased_until=until)).rowcount)  # type: ignore[attr-defined]


def end(db: Session, table: type[Base], id: int, owner: str, state: State, why: str = "", **more: Any) -> None:
    """`more`: other columns. Nothing happens to what is another process's."""
    rows: Any = table
    mine = update(rows).where(rows.id == id, rows.owner == owner, UNFINISHED)
    db.execute(mine.values(state=state, why=storable(why)[:500], owner=None, leased_until=None, **more))
