"""Guests: one who turns out to have an account, whose work becomes that account's, and those who have left."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, not_, select
from sqlalchemy.orm import Session

from app.db import Database
from app.people.audit import Thing, note
from app.people.belongings import belongings, merge_all
from app.people.quota import add_stored
from app.people.users import Role, User, hold

LOT = 200  # mutants: a choice. Guests looked at, and perhaps deleted, in one transaction


def keep_work(db: Session, catalog: Any, guest: User, user: User) -> None:
    """Everything moves, each table by its own merge (belongings.py); the guest's row and sessions go. Where both have
    the same thing, the account's stays; of two drafts the newer."""
    hold(db, guest.id, user.id)
    merge_all(db, catalog, guest, user)
    db.flush()
    add_stored(db, user.id, db.get_one(User, guest.id, populate_existing=True).stored_bytes)
    db.execute(delete(User).where(User.id == guest.id).execution_options(synchronize_session=False))


def let_go_of_guests(database: Database, since: datetime, should_stop: Callable[[], bool] = lambda: False) -> int:
    """Deletes the guests who have handed in, answered and saved nothing since, with all that is theirs; returns how
    many. Some at a time, each lot in a transaction of its own, so that nobody waits long for it."""
    count = 0
    for first, last in _lots(database):
        if should_stop():
            break
        with database.writing() as db:
            idle = (User.id.between(first, last), *_without_work(since))
            # PostgreSQL: who writes now is held by their own transaction, and passed over until the next round
            ids = list(db.scalars(select(User.id).where(*idle).with_for_update(of=User, skip_locked=True)))
            if ids:
                db.execute(delete(User).where(User.id.in_(ids)).execution_options(synchronize_session=False))
                note(db, None, Thing("installation", "guests"), "retention", {"deleted": len(ids)})
        count += len(ids)
    return count


def _lots(database: Database) -> Iterator[tuple[int, int]]:
    """Ranges of ids that have guests in them."""
    last = 0
    while True:
        lot = select(User.id).where(User.id > last, User.role == Role.guest).order_by(User.id).limit(LOT)
        with database.reading() as db:
            ids = list(db.scalars(lot))
        if not ids:
            return
        yield ids[0], ids[-1]
        last = ids[-1]


def _without_work(since: datetime) -> tuple[ColumnElement[bool], ...]:
    worked = (asked(since) for belonging in belongings() for asked in belonging.worked)
    return User.role == Role.guest, User.created_at < since, *(not_(wrote) for wrote in worked)
