"""The audit log: who changed what of the content, and when. Entries are only ever added."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.people.users import User
from app.teaching.subjects import Subject

LISTED = 100


class AuditEntry(Base):
    """`actor_id` is None for the command line, for folders, and once the person has deleted their account."""

    __tablename__ = "audit_entry"
    __table_args__ = (
        Index("ix_audit_entry_kind_slug", "kind", "slug", "id"),
        Index("ix_audit_entry_actor_id", "actor_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment, default=now)
    actor_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id", ondelete="SET NULL"))
    kind: Mapped[str] = mapped_column(String(16))
    slug: Mapped[str] = mapped_column(String(120))
    action: Mapped[str] = mapped_column(String(40))
    detail: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)


def note(
    db: Session, actor: User | None, subject: Subject, action: str, detail: Mapping[str, Any] | None = None
) -> None:
    """In the transaction of what it notes: neither is stored without the other."""
    actor_id = actor.id if actor is not None else None
    entry = AuditEntry(
        actor_id=actor_id, kind=subject.kind, slug=subject.slug, action=action, detail=dict(detail or {})
    )
    db.add(entry)


def entries_of(db: Session, subject: Subject, first: int = 0) -> list[tuple[AuditEntry, str | None]]:
    """The newest first, each with the actor's e-mail address."""
    entries = (
        select(AuditEntry, User.email)
        .outerjoin(User, User.id == AuditEntry.actor_id)
        .where(AuditEntry.kind == subject.kind, AuditEntry.slug == subject.slug)
        .order_by(AuditEntry.id.desc())
    )
    return [(entry, email) for entry, email in db.execute(entries.offset(first).limit(LISTED))]
