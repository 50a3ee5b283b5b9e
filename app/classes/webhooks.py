"""Webhooks of a class: made, changed, tested and removed by its instructors."""

import secrets
from collections.abc import Iterable, Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.classes.addresses import read_url
from app.classes.classes import Class, Member
from app.classes.events import EVENTS, TEST, Delivery, Webhook, put
from app.db import read_id
from app.people.audit import note
from app.web.errors import Conflict, Invalid, NotFound

MAX_WEBHOOKS = 10
LISTED = 20  # deliveries of each


def webhooks_of(db: Session, class_: Class) -> list[Webhook]:
    return list(db.scalars(select(Webhook).where(Webhook.class_id == class_.id).order_by(Webhook.id)))


def deliveries_of(db: Session, webhook: Webhook) -> list[Delivery]:
    """The newest first."""
    theirs = select(Delivery).where(Delivery.webhook_id == webhook.id).order_by(Delivery.id.desc())
    return list(db.scalars(theirs.limit(LISTED)))


def add_webhook(db: Session, member: Member, url: str, events: Iterable[str]) -> Webhook:
    """With a secret of ours, which its page shows once. Raises Invalid, Conflict."""
    url, wanted = read_url(url), read_events(events)
    count = select(func.count()).select_from(Webhook).where(Webhook.class_id == member.class_.id)
    if (db.scalar(count) or 0) >= MAX_WEBHOOKS:
        raise Conflict(f"A class has at most {MAX_WEBHOOKS} webhooks.", "Remove one first.")
    row = Webhook(class_id=member.class_.id, url=url, events=" ".join(wanted), secret=_new_secret())
    db.add(row)
    db.flush()
    note(db, member.user, member.class_.as_thing, "connection added", {"webhook": row.id, "events": list(wanted)})
    return row


def change_webhook(db: Session, member: Member, row: Webhook, events: Iterable[str]) -> None:
    """Which events it gets; and whatever stopped it is forgotten. Raises Invalid."""
    wanted = read_events(events)
    row.events = " ".join(wanted)
    row.disabled_at = row.failing_since = row.retry_at = None
    row.failures = 0
    note(db, member.user, member.class_.as_thing, "connection changed", {"webhook": row.id, "events": list(wanted)})
    db.flush()


def renew_secret(db: Session, member: Member, row: Webhook) -> None:
    """What is sent from now on is signed with another one."""
    row.secret = _new_secret()
    note(db, member.user, member.class_.as_thing, "connection changed", {"webhook": row.id, "secret": "renewed"})
    db.flush()


def remove_webhook(db: Session, member: Member, row: Webhook) -> None:
    """With what is still on its way."""
    note(db, member.user, member.class_.as_thing, "connection removed", {"webhook": row.id})
    db.delete(row)
    db.flush()


def test_webhook(db: Session, member: Member, row: Webhook) -> None:
    """Raises Conflict for one that is switched off."""
    if row.disabled_at is not None:
        raise Conflict("This webhook is switched off.", "Save it to switch it on again.")
    row.retry_at = None
    put(db, row.id, member.class_.id, TEST, {"text": f"A test from the class {member.class_.title}."})
    db.flush()


def require_webhook(db: Session, member: Member, id: str) -> Webhook:
    """Raises NotFound."""
    row = db.get(Webhook, read_id(id) or 0)
    if row is None or row.class_id != member.class_.id:
        raise NotFound("There is no such webhook in this class.", "Reload the page.")
    return row


def read_events(events: Iterable[str]) -> Sequence[str]:
    """Raises Invalid."""
    wanted = set(events)
    if odd := sorted(wanted - EVENTS.keys()):
        raise Invalid(f"events: there is no event {odd[0][:40]!r}.", f"Use some of {', '.join(EVENTS)}.")
    if not wanted:
        raise Invalid("events: choose at least one.", "A webhook without events would send nothing.")
    return [name for name in EVENTS if name in wanted]


def _new_secret() -> str:
    return f"whsec_{secrets.token_urlsafe(32)}"
