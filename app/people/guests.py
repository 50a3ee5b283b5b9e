"""Guests: one who turns out to have an account, whose work becomes that account's, and those who have left."""

from collections.abc import Callable, Iterator
from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete, exists, not_, select, update
from sqlalchemy.orm import Session, aliased

from app.db import Database
from app.people.quota import add_stored
from app.people.users import Login, Role, User
from app.practice.drafts import Draft, load_draft, save_draft
from app.practice.hints import HintOpened
from app.practice.solutions import GiveUp
from app.practice.standings import BestTime
from app.practice.submissions import Submission
from app.quizzes.answers import Answer
from app.quizzes.responses import SittingResponse
from app.quizzes.reviews import ReviewCard
from app.quizzes.sittings import Sitting, hold, move_sittings
from app.reading.catalog import Catalog
from app.reading.lessons import LessonRead

LOT = 200  # guests looked at, and perhaps deleted, in one transaction


def keep_work(db: Session, catalog: Catalog, guest: User, user: User) -> None:
    """Everything moves; the guest's row and sessions go. Where both have the same thing, the account's stays;
    of two drafts the newer."""
    hold(db, guest.id, user.id)
    move_sittings(db, catalog, guest, user)
    theirs = aliased(Submission)
    clash = exists(
        select(theirs.id).where(theirs.user_id == user.id, theirs.idempotency_key == Submission.idempotency_key)
    )
    db.execute(
        update(Submission)
        .where(Submission.user_id == guest.id, clash)
        .values(idempotency_key=None, body_hash=None)
        .execution_options(synchronize_session=False)
    )
    for table in (Submission, Answer):
        db.execute(
            update(table)
            .where(table.user_id == guest.id)
            .values(user_id=user.id)
            .execution_options(synchronize_session=False)
        )
    read = {(one.course, one.lesson) for one in db.scalars(select(LessonRead).where(LessonRead.user_id == user.id))}
    for one in db.scalars(select(LessonRead).where(LessonRead.user_id == guest.id)).all():
        if (one.course, one.lesson) not in read:
            db.add(LessonRead(user_id=user.id, course=one.course, lesson=one.lesson, read_at=one.read_at))
    for draft in db.scalars(select(Draft).where(Draft.user_id == guest.id)).all():
        # They typed it before they remembered their account: the newer one is what they want to go on with.
        held = load_draft(db, user, draft.exercise, draft.framework)
        if held is None or held.saved_at < draft.saved_at:
            revision = held.revision if held else 0
            save_draft(db, user, draft.exercise, draft.framework, draft.source, revision, at=draft.saved_at)
    for hint in db.scalars(select(HintOpened).where(HintOpened.user_id == guest.id)).all():
        if db.get(HintOpened, (user.id, hint.exercise, hint.number)) is None:
            db.add(HintOpened(user_id=user.id, exercise=hint.exercise, number=hint.number, opened_at=hint.opened_at))
    for card in db.scalars(select(ReviewCard).where(ReviewCard.user_id == guest.id)).all():
        kept = db.get(ReviewCard, (user.id, card.question))
        if kept is None:
            columns = {name: getattr(card, name) for name in ReviewCard.__table__.columns.keys() if name != "user_id"}  # noqa: SIM118
            db.add(ReviewCard(user_id=user.id, **columns))
        else:
            kept.due_at = min(kept.due_at, card.due_at)
    for given in db.scalars(select(GiveUp).where(GiveUp.user_id == guest.id)).all():
        if db.get(GiveUp, (user.id, given.exercise)) is None:
            db.add(GiveUp(user_id=user.id, exercise=given.exercise, given_up_at=given.given_up_at))
    for best in db.scalars(select(BestTime).where(BestTime.user_id == guest.id)).all():
        known = db.get(BestTime, (user.id, best.exercise, best.framework))
        if known is None:
            known = BestTime(user_id=user.id, exercise=best.exercise, framework=best.framework)
            known.judging_hash, known.wall_ms = best.judging_hash, best.wall_ms
            db.add(known)
        elif known.judging_hash == best.judging_hash:
            known.wall_ms = min(known.wall_ms, best.wall_ms)
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
    """Each of these is asked by the person, from an index."""
    written = (
        (Submission.user_id, Submission.created_at),
        (Answer.user_id, Answer.created_at),
        (Draft.user_id, Draft.saved_at),
        (LessonRead.user_id, LessonRead.read_at),
        (HintOpened.user_id, HintOpened.opened_at),
        (GiveUp.user_id, GiveUp.given_up_at),
        (ReviewCard.user_id, ReviewCard.last_at),
        (Sitting.user_id, Sitting.started_at),
        (Sitting.user_id, Sitting.submitted_at),
        (Login.user_id, Login.created_at),
    )
    saved = select(SittingResponse.sitting_id).join(Sitting, Sitting.id == SittingResponse.sitting_id)
    return (
        User.role == Role.guest,
        User.created_at < since,
        not_(exists(saved.where(Sitting.user_id == User.id, SittingResponse.saved_at >= since))),
        *(not_(exists(select(person).where(and_(person == User.id, at >= since)))) for person, at in written),
    )
