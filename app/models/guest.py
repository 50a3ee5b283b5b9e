"""A guest who turns out to have an account: what they did as a guest becomes that account's."""

from sqlalchemy import delete, exists, select, update
from sqlalchemy.orm import Session, aliased

from app.models.answer import Answer
from app.models.progress import LessonRead
from app.models.submission import Draft, Submission
from app.models.user import User


def keep_work(db: Session, guest: User, user: User) -> None:
    """Everything moves; the guest's row and sessions go. Where both have the same thing, the account's stays."""
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
        if db.get(Draft, (user.id, draft.exercise, draft.framework)) is None:
            db.add(
                Draft(
                    user_id=user.id,
                    exercise=draft.exercise,
                    framework=draft.framework,
                    source=draft.source,
                    saved_at=draft.saved_at,
                )
            )
    db.flush()
    db.execute(delete(User).where(User.id == guest.id).execution_options(synchronize_session=False))
