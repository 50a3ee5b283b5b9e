"""What happens in a class, for other systems: an event for each, put into the line of each webhook that wants it.

What is worth an entry in the audit log of a class is what they are told, as far as this table names it; besides that,
each accepted submission to an assigned exercise. The line is written in the transaction of what it tells
(deliveries.py sends it). Events name people by their numbers, as the roster does, and hold no source and no address.
"""

import json
import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, Select, String, Text, bindparam, insert, select, text
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.assignments import Assignment
from app.classes.classes import Class, Enrolment
from app.classes.rights import ClassRole
from app.db import Base, Moment, Statement, now
from app.people.audit import AuditEntry, on_note
from app.people.belongings import plain
from app.practice.efforts import on_accepted
from app.practice.submissions import Submission

EVENTS: Mapping[str, str] = {
    "submission.accepted": "a student’s submission to an assigned exercise was accepted",
    "grade.changed": "an instructor replaced a score, or withdrew it",
    "grade.frozen": "a copy of the gradebook was frozen",
    "class.roster_changed": "somebody joined, left, or has another role",
    "regrading.applied": "work was judged again and the result applied, or taken back",
}
TEST = "ping"
# By the action in the audit log: the event, and what of the entry's detail is told.
_TOLD: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "class joined": ("class.roster_changed", ("person",)),
    "person removed": ("class.roster_changed", ("person",)),
    "class role changed": ("class.roster_changed", ("person", "from", "to")),
    "roster replaced": ("class.roster_changed", ("added", "changed", "removed", "expected")),
    "score replaced": ("grade.changed", ("person", "kind", "slug", "from", "to")),
    "score withdrawn": ("grade.changed", ("person", "kind", "slug", "from")),
    "graded by hand": ("grade.changed", ("person", "slug", "submission", "share")),
    "gradebook frozen": ("grade.frozen", ("number", "kind", "slug")),
    "regrading applied": ("regrading.applied", ("regrading", "exercise", "quiz", "keep", "changed")),
    "regrading taken back": ("regrading.applied", ("regrading", "exercise", "quiz")),
}
_WAITING = text("delivered_at IS NULL AND given_up_at IS NULL")


class Webhook(Base):
    """`secret` signs what is sent: both sides need it, so it is stored as it is. `events`: names, divided by spaces.
    `failures`: in a row; `failing_since`: the first of them; `retry_at`: nothing is sent to it before."""

    __tablename__ = "webhook"
    __table_args__ = (Index("ix_webhook_class_id", "class_id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    class_id: Mapped[int] = mapped_column(ForeignKey("class.id", ondelete="CASCADE"))
    url: Mapped[str] = mapped_column(String(500))
    secret: Mapped[str] = mapped_column(String(64))
    events: Mapped[str] = mapped_column(String(300))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    disabled_at: Mapped[datetime | None] = mapped_column(Moment)
    failures: Mapped[int] = mapped_column(default=0, server_default="0")
    failing_since: Mapped[datetime | None] = mapped_column(Moment)
    retry_at: Mapped[datetime | None] = mapped_column(Moment)

    @property
    def wanted(self) -> tuple[str, ...]:
        return tuple(self.events.split())


class Delivery(Base):
    """An event on its way to one webhook. `key` names it to the receiver, in each try. `body` is emptied once it has
    arrived. `status`: of the newest answer."""

    __tablename__ = "webhook_delivery"
    __table_args__ = (
        Index("ix_webhook_delivery_webhook_id", "webhook_id", "id"),
        Index("ix_webhook_delivery_due_at", "due_at", sqlite_where=_WAITING, postgresql_where=_WAITING),
        Index("ix_webhook_delivery_created_at", "created_at"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    webhook_id: Mapped[int] = mapped_column(ForeignKey("webhook.id", ondelete="CASCADE"))
    key: Mapped[str] = mapped_column(String(32))
    event: Mapped[str] = mapped_column(String(40))
    body: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    due_at: Mapped[datetime] = mapped_column(Moment, default=now)
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    delivered_at: Mapped[datetime | None] = mapped_column(Moment)
    given_up_at: Mapped[datetime | None] = mapped_column(Moment)
    status: Mapped[int | None]
    last_error: Mapped[str] = mapped_column(String(120), default="", server_default="")


def announce(db: Session | Connection, class_id: int, event: str, data: Mapping[str, Any]) -> None:
    """Puts the event into the line of each webhook of the class that wants it, in this transaction."""
    hooks = select(Webhook.id, Webhook.events).where(Webhook.class_id == class_id, Webhook.disabled_at.is_(None))
    wanted = [id for id, events in db.execute(hooks).all() if event in events.split()]
    for webhook_id in wanted:
        put(db, webhook_id, class_id, event, data)


def put(db: Session | Connection, webhook_id: int, class_id: int, event: str, data: Mapping[str, Any]) -> None:
    """Into the line of one webhook, whatever it wants."""
    key, at = secrets.token_hex(16), now()
    payload = {"id": key, "event": event, "class": class_id, "at": plain(at), "data": dict(data)}
    row = {"webhook_id": webhook_id, "key": key, "event": event, "body": json.dumps(payload), "created_at": at}
    db.execute(insert(Delivery).values(**row, due_at=at, attempts=0, last_error=""))


def _on_note(db: Session, entry: AuditEntry) -> None:
    if entry.kind != "class" or entry.action not in _TOLD or not entry.slug.isdecimal():
        return
    event, names = _TOLD[entry.action]
    detail = {name: entry.detail[name] for name in names if name in entry.detail}
    announce(db, int(entry.slug), event, {"what": entry.action, **detail})


def _classes_to_tell() -> Select[int, int, str, datetime]:
    """The classes with a webhook that the author of the submission `sent` is a student of and that assign its exercise.
    Made once: it is asked with each verdict, and to make it cost more than to ask."""
    columns = Class.id, Submission.user_id, Submission.exercise, Submission.created_at
    found = select(*columns).distinct().select_from(Submission)
    found = found.join(Enrolment, Enrolment.user_id == Submission.user_id).join(Class, Class.id == Enrolment.class_id)
    here = Assignment.class_id == Class.id, Assignment.kind == "exercise", Assignment.slug == Submission.exercise
    found = found.join(Assignment, here[0] & here[1] & here[2]).join(Webhook, Webhook.class_id == Class.id)
    found = found.where(Submission.id == bindparam("sent"), Enrolment.role == ClassRole.student)
    return found.where(Class.archived_at.is_(None), Webhook.disabled_at.is_(None))


_CLASSES_TO_TELL = _classes_to_tell()
_IS_ANY_TO_TELL = Statement(_CLASSES_TO_TELL)


def _on_accepted(db: Session | Connection, submission_id: int) -> None:
    """In each class that its author is a student of and that assigns its exercise."""
    # Mostly there is none, and this asks in less time. The rows are read below, where their times are converted.
    if not _IS_ANY_TO_TELL.run(db, {"sent": submission_id}).rows:
        return
    for class_id, user_id, slug, at in db.execute(_CLASSES_TO_TELL, {"sent": submission_id}).all():
        data = {"person": user_id, "kind": "exercise", "slug": slug, "submission": submission_id, "sent_at": plain(at)}
        announce(db, class_id, "submission.accepted", data)


on_note.append(_on_note)
on_accepted.append(_on_accepted)
