"""Calendar feeds: what is due for a person, as iCalendar, at a secret address that their calendar asks again and again.

attack: find the address in the database, or try some, and read where somebody studies. defence: it has 256 random bits,
and is stored as its hash; its owner can renew it or take it away, and the old one is nobody's from then on.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from icalendar import Calendar, Event
from sqlalchemy import ForeignKey, LargeBinary, String, delete, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.assignments import extensions_of, shown_to, title_of, url_of
from app.classes.classes import Member, classes_of
from app.db import Base, Database, Moment, now
from app.people.audit import note, person
from app.people.belongings import Belonging, register
from app.people.users import User, hash_token, new_token
from app.people.ways_in import on_close
from app.reading.catalog import Catalog
from app.web.errors import NotFound

PATH = "/calendar"
MISSING = NotFound("There is no calendar at this address.", "Make a new one at /me/calendar.")


class CalendarFeed(Base):
    """`digest`: of what was in it when it was read last; `changed_at`: since when it has been that."""

    __tablename__ = "calendar_feed"

    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    made_at: Mapped[datetime] = mapped_column(Moment, default=now)
    digest: Mapped[str] = mapped_column(String(64), default="", server_default="")
    changed_at: Mapped[datetime] = mapped_column(Moment, default=now)


@dataclass(frozen=True)
class DueDate:
    """`uid`: the same for as long as the assignment is there."""

    uid: str
    at: datetime
    title: str
    class_title: str
    url: str


@dataclass(frozen=True)
class Feed:
    """As it is sent. `etag` and `changed_at` say whether a calendar has it already."""

    body: bytes
    etag: str
    changed_at: datetime

    @property
    def last_modified(self) -> str:
        return format_datetime(self.changed_at.replace(microsecond=0), usegmt=True)

    def is_known(self, if_none_match: str | None, if_modified_since: str | None) -> bool:
        """By what a request says; the date counts only where it names no ETag (RFC 9110)."""
        if if_none_match is not None:
            tags = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
            return bool({self.etag, "*"} & tags)
        try:
            since = parsedate_to_datetime(if_modified_since or "")
        except ValueError:
            return False
        return since.tzinfo is not None and self.changed_at.replace(microsecond=0) <= since


def feed_of(db: Session, user: User) -> CalendarFeed | None:
    return db.get(CalendarFeed, user.id)


def renew_feed(db: Session, user: User) -> str:
    """The path of this person's new feed, which is stored nowhere; one that they had is gone. The person is held."""
    token = new_token()
    row = feed_of(db, user)
    if row is None:
        row = CalendarFeed(user_id=user.id, token_hash=b"")
        db.add(row)
    row.token_hash, row.made_at, row.changed_at = hash_token(token), now(), now()
    db.flush()
    note(db, user, person(user.id), "calendar made")
    return f"{PATH}/{token}.ics"


def remove_feed(db: Session, user: User) -> None:
    row = feed_of(db, user)
    if row is not None:
        db.delete(row)
        note(db, user, person(user.id), "calendar removed")
        db.flush()


def read_feed(database: Database, catalog: Catalog, token: str, origin: str) -> Feed:
    """What a calendar gets at this address. Raises NotFound."""
    with database.reading() as db:
        row = db.scalar(select(CalendarFeed).where(CalendarFeed.token_hash == hash_token(token)))
        user = db.get(User, row.user_id) if row is not None else None
        if row is None or user is None or user.disabled_at is not None:
            raise MISSING
        due = due_dates(db, catalog, user, origin)
    digest = hashlib.sha256(repr((origin, due)).encode()).hexdigest()
    changed_at = row.changed_at
    if row.digest != digest:
        changed_at = now()
        same = CalendarFeed.user_id == row.user_id, CalendarFeed.token_hash == row.token_hash
        with database.writing(durable=False) as db:  # it can be told again
            db.execute(update(CalendarFeed).where(*same).values(digest=digest, changed_at=changed_at))
    return Feed(_as_ical(due, changed_at), f'"{digest[:32]}"', changed_at)


def due_dates(db: Session, catalog: Catalog, user: User, origin: str) -> list[DueDate]:
    """In the classes that this person is in and that go on; by their own dates."""
    host = urlsplit(origin).hostname or "lectern"
    found = []
    for class_, enrolment in classes_of(db, user):
        if class_.archived_at is not None:
            continue
        theirs = extensions_of(db, class_, [user.id]).get(user.id, {})
        for row in shown_to(db, Member(class_, enrolment, user)):
            terms = row.terms(class_.timezone, theirs.get(row.key))
            if terms.due_at is None or terms.excused:
                continue
            uid = f"class-{class_.id}-{row.kind}-{row.slug}@{host}"
            title = title_of(catalog, class_, row.kind, row.slug)
            found.append(DueDate(uid, terms.due_at, title, class_.title, origin + url_of(class_, row.kind, row.slug)))
    return sorted(found, key=lambda one: (one.at, one.uid))


def _as_ical(due: Iterable[DueDate], changed_at: datetime) -> bytes:
    """Moments are in UTC: each calendar shows them in the time zone of anyone who looks."""
    calendar = Calendar()
    fields: dict[str, Any] = {
        "prodid": "-//Lectern//Due dates//EN",
        "version": "2.0",
        "method": "PUBLISH",
        "x-wr-calname": "Lectern",
        "refresh-interval;value=duration": "PT1H",
        "x-published-ttl": "PT1H",
    }
    for name, value in fields.items():
        calendar.add(name, value)
    for one in due:
        event = Event()
        event.add("uid", one.uid)
        event.add("dtstamp", changed_at.replace(microsecond=0))
        event.add("last-modified", changed_at.replace(microsecond=0))
        event.add("dtstart", one.at.astimezone(UTC).replace(microsecond=0))
        event.add("summary", f"Due: {one.title}")
        event.add("description", f"{one.class_title}\n{one.url}")
        event.add("url", one.url)
        event.add("transp", "TRANSPARENT")  # nobody is busy because something is due
        calendar.add_component(event)
    body: bytes = calendar.to_ical()
    return body


def _merge(db: Session, _catalog: Any, guest: User, user: User) -> None:
    """Where the account has a feed, the guest's ends."""
    if feed_of(db, user) is None:
        theirs = update(CalendarFeed).where(CalendarFeed.user_id == guest.id).values(user_id=user.id)
        db.execute(theirs.execution_options(synchronize_session=False))


def _close(db: Session, user_id: int) -> None:
    db.execute(delete(CalendarFeed).where(CalendarFeed.user_id == user_id))


on_close(_close)
register(
    Belonging(
        373,
        "calendar",
        "Your calendar link",
        "That you have one, and since when. Your calendar reads your due dates from it.",
        CalendarFeed,
        frozenset({"token_hash", "digest"}),
        merge=_merge,
    )
)
