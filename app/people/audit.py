"""The audit log: who did what to whom or to what, and when. This module alone writes it; entries are only ever added.

An entry is written in the transaction of what it tells: neither is stored without the other. It names things by their
ids and says what changed, never with a secret, a source or a text of somebody's. The database itself refuses to change
an entry (migrations/), but for its actor, who is forgotten with their account. Retention deletes the oldest
(app/operating/retention.py).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from sqlalchemy import JSON, ColumnElement, ForeignKey, Index, String, and_, delete, false, func, or_, select
from sqlalchemy.orm import Mapped, Session, aliased, mapped_column

from app.db import Base, Database, Moment, now
from app.people.users import User

LISTED = 100
LOT = 500  # deleted in one transaction


class Via(StrEnum):
    """Where it was done. `visitor`: on the web, by somebody who is not signed in. `server`: by itself, as time passes,
    or because a folder has changed."""

    web = "web"
    visitor = "visitor"
    command_line = "command line"
    server = "server"


class AuditEntry(Base):
    """`actor_id` is None for the command line, for the server itself, and once the person has deleted their account.
    `kind` and `slug` name what it was done to: an exercise, a person by their id."""

    __tablename__ = "audit_entry"
    __table_args__ = (
        Index("ix_audit_entry_kind_slug", "kind", "slug", "id"),
        Index("ix_audit_entry_actor_id", "actor_id"),
        Index("ix_audit_entry_action", "action", "id"),
        Index("ix_audit_entry_at", "at"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment, default=now)
    actor_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id", ondelete="SET NULL"))
    via: Mapped[str] = mapped_column(String(16), server_default="web")
    kind: Mapped[str] = mapped_column(String(16))
    slug: Mapped[str] = mapped_column(String(120))
    action: Mapped[str] = mapped_column(String(40))
    detail: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)


class Target(Protocol):
    """What something is done to."""

    @property
    def kind(self) -> str: ...

    @property
    def slug(self) -> str: ...


@dataclass(frozen=True)
class Thing:
    """A target that has no type of its own: a person, a post, a part of the installation."""

    kind: str
    slug: str


def person(user_id: int) -> Thing:
    """As a target, who is listed with their e-mail address for as long as they have an account."""
    return Thing("person", str(user_id))


@dataclass(frozen=True)
class Wanted:
    """Which entries. Empty: all. `email`: of who did it, or to whom it was done."""

    kind: str = ""
    action: str = ""
    email: str = ""


@dataclass(frozen=True)
class Told:
    """An entry as it is read. `actor`: their e-mail address; None where there is no account. `to`: what it was done to;
    a person by their e-mail address, or by their id where the account is gone."""

    entry: AuditEntry
    actor: str | None
    to: str

    @property
    def who(self) -> str:
        """Who did it, in words."""
        if self.actor is not None:
            return self.actor
        if self.entry.actor_id is not None:
            return "a guest"
        return _NOBODYS[Via(self.entry.via)]


_NOBODYS = {
    Via.web: "a deleted account",
    Via.visitor: "somebody who was not signed in",
    Via.command_line: "the command line",
    Via.server: "the server",
}


# (db, entry): who tells others what was done, in the transaction in which it was. Other rooms register here.
on_note: list[Callable[[Session, AuditEntry], None]] = []


def note(
    db: Session,
    actor: User | None,
    target: Target,
    action: str,
    detail: Mapping[str, Any] | None = None,
    via: Via | None = None,
) -> None:
    """`via`: the web for a person's action, the server for one of nobody's, unless it is said."""
    via = via or (Via.web if actor is not None else Via.server)
    entry = AuditEntry(
        actor_id=actor.id if actor is not None else None,
        via=via.value,
        kind=target.kind,
        slug=target.slug,
        action=action,
        detail=dict(detail or {}),
    )
    db.add(entry)
    for tell in on_note:
        tell(db, entry)


def entries_of(db: Session, target: Target, first: int = 0) -> list[Told]:
    """Of one thing, the newest first."""
    here = AuditEntry.kind == target.kind, AuditEntry.slug == target.slug
    entries = select(AuditEntry).where(*here).order_by(AuditEntry.id.desc())
    return _told(db, list(db.scalars(entries.offset(first).limit(LISTED))))


def search(db: Session, wanted: Wanted, before: int | None = None, count: int = LISTED) -> list[Told]:
    """The newest first, `count` of them; of those older than the entry `before`, if it is named."""
    entries = select(AuditEntry).where(*_conditions(db, wanted)).order_by(AuditEntry.id.desc())
    if before is not None:
        entries = entries.where(AuditEntry.id < before)
    return _told(db, list(db.scalars(entries.limit(count))))


def delete_entries(database: Database, before: datetime, should_stop: Callable[[], bool] = lambda: False) -> int:
    """The oldest, by retention: how many. It is told in an entry that stays."""
    count = 0
    with database.reading() as db:
        newest = db.scalar(select(func.max(AuditEntry.id))) or 0  # what is told below is not deleted
    while not should_stop():
        with database.writing() as db:
            old = AuditEntry.at < before, AuditEntry.id <= newest
            oldest = select(AuditEntry.id).where(*old).order_by(AuditEntry.at).limit(LOT)
            ids = list(db.scalars(oldest))
            if not ids:
                break
            db.execute(delete(AuditEntry).where(AuditEntry.id.in_(ids)).execution_options(synchronize_session=False))
            count += len(ids)
            note(db, None, Thing("installation", "audit log"), "retention", {"deleted": len(ids)})
    return count


def _conditions(db: Session, wanted: Wanted) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.kind:
        conditions.append(AuditEntry.kind == wanted.kind)
    if wanted.action:
        conditions.append(AuditEntry.action == wanted.action)
    if wanted.email:
        id = db.scalar(select(User.id).where(User.email == wanted.email))
        done_to = and_(AuditEntry.kind == "person", AuditEntry.slug == str(id))
        conditions.append(or_(AuditEntry.actor_id == id, done_to) if id is not None else false())
    return conditions


def _told(db: Session, entries: list[AuditEntry]) -> list[Told]:
    ids = {entry.actor_id for entry in entries if entry.actor_id is not None}
    ids |= {int(entry.slug) for entry in entries if entry.kind == "person"}
    known = aliased(User)
    rows = db.execute(select(known.id, known.email).where(known.id.in_(ids))).all() if ids else []
    emails = {row.id: row.email for row in rows}
    return [
        Told(
            entry,
            emails.get(entry.actor_id) if entry.actor_id is not None else None,
            (emails.get(int(entry.slug)) if entry.kind == "person" else None) or entry.slug,
        )
        for entry in entries
    ]
