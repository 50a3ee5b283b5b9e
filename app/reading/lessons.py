"""Lessons read: that someone is through with one, as they say themselves or by submitting the quiz that it is."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.people.belongings import Belonging, register, take_over_new, wrote
from app.people.users import User


class LessonRead(Base):
    __tablename__ = "lesson_read"

    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    course: Mapped[str] = mapped_column(String(120), primary_key=True)
    lesson: Mapped[str] = mapped_column(String(120), primary_key=True)
    read_at: Mapped[datetime] = mapped_column(Moment, default=now)


def lessons_read(db: Session, user: User) -> list[LessonRead]:
    """Earliest first."""
    return list(db.scalars(select(LessonRead).where(LessonRead.user_id == user.id).order_by(LessonRead.read_at)))


def mark_read(db: Session, user: User, course: str, lesson: str) -> None:
    """Reading twice is reading once."""
    if db.get(LessonRead, (user.id, course, lesson)) is None:
        db.add(LessonRead(user_id=user.id, course=course, lesson=lesson))
        db.flush()


register(
    Belonging(
        10,
        "lessons_read",
        "Lessons read",
        "So that you can continue where you left off.",
        LessonRead,
        merge=take_over_new(LessonRead),
        worked=wrote(LessonRead.user_id, LessonRead.read_at),
    )
)
