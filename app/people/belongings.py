"""What is a person's: each table with a `user_id` registers its part of exports, of merges, and of when they worked.

A merge is what becomes of a guest's rows when they turn out to have an account. Deletion needs no part: a person's rows
go with theirs, by ON DELETE CASCADE.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, exists, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.db import Base
from app.people.users import Login, User

Row = dict[str, Any]
# (db, catalog, guest, account). The catalog is app.reading.catalog's; this room imports no other.
Merge = Callable[[Session, Any, User, User], None]
# Whether the `User` of the statement wrote something since.
Worked = Callable[[datetime], ColumnElement[bool]]


@dataclass(frozen=True)
class Belonging:
    """One table with a `user_id`: the key in the export, and in plain words what is kept and what for.

    `place` orders the export and the page. `left_out`: columns, beside `user_id`. `rows`: how they are exported, where
    a row is more than its columns.
    """

    place: int
    key: str
    title: str
    why: str
    table: type[Base]
    left_out: frozenset[str] = frozenset()
    rows: Callable[[Session, int], Iterator[Row]] | None = None
    merge: Merge | None = None
    merges_first: bool = False
    worked: tuple[Worked, ...] = ()


_registered: dict[str, Belonging] = {}


def register(belonging: Belonging) -> None:
    """Raises ValueError for a key or a place that another table has."""
    if any(belonging.key == other.key or belonging.place == other.place for other in _registered.values()):
        raise ValueError(f"{belonging.key}: this key or place is taken")
    _registered[belonging.key] = belonging


def belongings() -> tuple[Belonging, ...]:
    """All that is registered, in order. app/tables.py imports every module that registers one."""
    return tuple(sorted(_registered.values(), key=lambda belonging: belonging.place))


def merge_all(db: Session, catalog: Any, guest: User, user: User) -> None:
    for belonging in sorted(belongings(), key=lambda belonging: (not belonging.merges_first, belonging.place)):
        if belonging.merge is not None:
            belonging.merge(db, catalog, guest, user)


def wrote(person: InstrumentedAttribute[int], *moments: InstrumentedAttribute[Any]) -> tuple[Worked, ...]:
    """For rows whose columns say who wrote them and when; each of these is asked by the person, from an index."""

    def since(at: InstrumentedAttribute[Any]) -> Worked:
        return lambda start: exists(select(person).where(and_(person == User.id, at >= start)))

    return tuple(since(at) for at in moments)


def take_over(table: Any) -> Merge:
    """A merge that gives all of the guest's rows to the account."""

    def merge(db: Session, _catalog: Any, guest: User, user: User) -> None:
        moved = update(table).where(table.user_id == guest.id).values(user_id=user.id)
        db.execute(moved.execution_options(synchronize_session=False))

    return merge


def take_over_new(table: Any) -> Merge:
    """A merge that gives the account the guest's rows which it has none like: those of no key of its own."""

    def merge(db: Session, _catalog: Any, guest: User, user: User) -> None:
        for row in db.scalars(select(table).where(table.user_id == guest.id)).all():
            adopt(db, row, user)

    return merge


def adopt(db: Session, row: Any, user: User) -> Any | None:
    """A copy of the row for this person, or None and theirs is left alone where they have one of the same key."""
    table = type(row).__table__
    key = tuple(user.id if column.name == "user_id" else getattr(row, column.name) for column in table.primary_key)
    if db.get(type(row), key) is not None:
        return None
    columns = {column.name: getattr(row, column.name) for column in table.columns if column.name != "user_id"}
    copy = type(row)(user_id=user.id, **columns)
    db.add(copy)
    return copy


def exported(row: Base, left_out: frozenset[str] = frozenset()) -> Row:
    """The row's columns as JSON has them."""
    names = (column.name for column in row.__table__.columns)
    return {name: plain(getattr(row, name)) for name in names if name != "user_id" and name not in left_out}


def plain(value: Any) -> Any:
    """As JSON has it. A source is text; one that is not UTF-8 is given as its bytes in hexadecimal digits."""
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return {"hex": value.hex()}
    return value


register(
    Belonging(
        110,
        "sessions",
        "Sessions",
        "Where you are signed in: when each began and when it ends. We do not record your IP address or browser.",
        Login,
        frozenset({"token_hash"}),
        worked=wrote(Login.user_id, Login.created_at),
    )
)
