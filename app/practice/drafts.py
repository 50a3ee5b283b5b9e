"""Drafts: what a person last had in the editor, for each exercise and framework, kept so that nobody types it twice.

Two tabs, or two devices, may hold the same draft. Each says which revision its text began from, and is turned down
when that is no longer the newest: nothing is overwritten by somebody who never saw it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, LargeBinary, String, delete, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Database, Moment, now
from app.people.audit import Thing, note
from app.people.belongings import Belonging, register, wrote
from app.people.users import User
from app.practice.submissions import Order, Submission

LOT = 50  # people whose drafts are looked at in one transaction


class Draft(Base):
    """Never a submission: it is not judged, costs no attempt, and only its author ever sees it."""

    __tablename__ = "draft"

    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    exercise: Mapped[str] = mapped_column(String(120), primary_key=True)
    framework: Mapped[str] = mapped_column(String(16), primary_key=True)
    source: Mapped[bytes] = mapped_column(LargeBinary)
    revision: Mapped[int] = mapped_column(default=1)  # one more each time it is written; 0 is what never was
    saved_at: Mapped[datetime] = mapped_column(Moment, default=now)
    # Of two that met when a guest signed in, the one that gave way: the desk offers it until the next save.
    aside: Mapped[bytes | None] = mapped_column(LargeBinary)


@dataclass(frozen=True)
class Saved:
    """A draft as the server has it now. `yours`: it is what was just sent; otherwise another's came between."""

    source: bytes
    revision: int
    saved_at: datetime
    yours: bool


@dataclass(frozen=True)
class Newest:
    """What a person wrote last in one framework, draft or submission: what the editor opens with."""

    source: str | None  # None: nothing yet
    revision: int  # of the draft; 0: there is none
    submission_id: int | None  # the newest submission
    written_at: datetime | None
    is_draft: bool
    aside: str | None = None  # the other of two drafts that met when a guest signed in


NOTHING = Newest(None, 0, None, None, False)


def save_draft(
    db: Session, user: User, exercise: str, framework: str, source: bytes, revision: int, *, at: datetime | None = None
) -> Saved:
    """Compare and set: written if `revision` is still the newest, or else left alone and given back as it is."""
    saved_at = at or now()
    mine = (Draft.user_id == user.id, Draft.exercise == exercise, Draft.framework == framework)
    newer = update(Draft).where(*mine, Draft.revision == revision).execution_options(synchronize_session=False)
    number = db.scalar(
        newer.values(source=source, revision=Draft.revision + 1, saved_at=saved_at, aside=None).returning(
            Draft.revision
        )
    )
    if number is not None:
        return Saved(source, number, saved_at, yours=True)
    stored = load_draft(db, user, exercise, framework)
    if stored is None:  # no other transaction of this person's comes between: `require_user` waits for its turn
        db.add(Draft(user_id=user.id, exercise=exercise, framework=framework, source=source, saved_at=saved_at))
        db.flush()
        return Saved(source, 1, saved_at, yours=True)
    # The same text is no conflict: it was saved before, and the answer was lost on the way.
    return Saved(stored.source, stored.revision, stored.saved_at, yours=stored.source == source)


def load_draft(db: Session, user: User | None, exercise: str, framework: str) -> Draft | None:
    """One's own: there is no door to another's."""
    return db.get(Draft, (user.id, exercise, framework)) if user is not None else None


def newest(db: Session, user: User | None, exercise: str, framework: str) -> Newest:
    if user is None:
        return NOTHING
    draft = load_draft(db, user, exercise, framework)
    sent = db.execute(
        select(Submission.id, Submission.source, Submission.created_at)
        .where(Submission.user_id == user.id, Submission.exercise == exercise, Submission.framework == framework)
        .order_by(Submission.id.desc())
        .limit(1)
    ).one_or_none()
    revision, submission_id = draft.revision if draft else 0, sent.id if sent else None
    aside = draft.aside.decode("utf-8", "replace") if draft and draft.aside is not None else None
    if draft and (sent is None or draft.saved_at > sent.created_at):
        return Newest(draft.source.decode("utf-8", "replace"), revision, submission_id, draft.saved_at, True, aside)
    if sent is None:
        return NOTHING
    return Newest(sent.source.decode("utf-8", "replace"), revision, submission_id, sent.created_at, False, aside)


def newest_source(db: Session, user: User | None, exercise: str, framework: str) -> str | None:
    return newest(db, user, exercise, framework).source


def keep_draft(db: Session, user: User, order: Order) -> None:
    """What could not be judged when it was sent: it was sent on purpose, and overwrites."""
    stored = load_draft(db, user, order.exercise, order.framework)
    save_draft(db, user, order.exercise, order.framework, order.source, stored.revision if stored else 0)


def delete_drafts(database: Database, before: datetime, should_stop: Callable[[], bool] = lambda: False) -> int:
    """Those that were last saved before; returns how many. Some people at a time, each lot in a transaction of its
    own."""
    count, last = 0, 0
    while not should_stop():
        with database.reading() as db:
            lot = select(Draft.user_id).where(Draft.user_id > last).distinct().order_by(Draft.user_id).limit(LOT)
            people = list(db.scalars(lot))
        if not people:
            break
        old = Draft.user_id > last, Draft.user_id <= people[-1], Draft.saved_at < before
        last = people[-1]
        with database.writing() as db:
            gone = db.execute(delete(Draft).where(*old).execution_options(synchronize_session=False))
            if deleted := gone.rowcount:  # type: ignore[attr-defined]
                note(db, None, Thing("installation", "drafts"), "retention", {"deleted": deleted})
                count += deleted
    return count


def _merge(db: Session, _catalog: Any, guest: User, user: User) -> None:
    """They typed it before they remembered their account: the newer one is what they want to go on with, and the other
    may be hours of work, which one key at a desk where they were not signed in must not cost."""
    for draft in db.scalars(select(Draft).where(Draft.user_id == guest.id)).all():
        stored = load_draft(db, user, draft.exercise, draft.framework)
        if stored is None:
            save_draft(db, user, draft.exercise, draft.framework, draft.source, 0, at=draft.saved_at)
        elif stored.source != draft.source:
            if stored.saved_at < draft.saved_at:
                stored.aside, stored.source = stored.source, draft.source
                stored.saved_at, stored.revision = draft.saved_at, stored.revision + 1
            else:
                stored.aside = draft.source
            db.flush()


register(
    Belonging(
        60,
        "drafts",
        "Drafts",
        "What is in your editors, so that you do not lose it. Only you can see it.",
        Draft,
        merge=_merge,
        worked=wrote(Draft.user_id, Draft.saved_at),
    )
)
