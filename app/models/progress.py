"""How far someone has come: lessons read, questions right, exercises solved."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ForeignKey, String, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.models.answer import Answer
from app.models.grading import Grading
from app.models.submission import Submission
from app.models.user import User


class LessonRead(Base):
    __tablename__ = "lesson_read"

    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    course: Mapped[str] = mapped_column(String(120), primary_key=True)
    lesson: Mapped[str] = mapped_column(String(120), primary_key=True)
    read_at: Mapped[datetime] = mapped_column(Moment, default=now)


@dataclass(frozen=True)
class Read:
    course: str
    lesson: str
    read_at: datetime


@dataclass(frozen=True)
class Right:
    """A question that was answered right at least once."""

    question: str
    first_right_at: datetime


@dataclass(frozen=True)
class Solved:
    """An exercise with at least one accepted submission."""

    exercise: str
    first_solved_at: datetime


@dataclass(frozen=True)
class Progress:
    lessons_read: tuple[Read, ...] = ()
    questions_right: tuple[Right, ...] = ()
    exercises_solved: tuple[Solved, ...] = ()

    def has_read(self, course: str, lesson: str) -> bool:
        return any((one.course, one.lesson) == (course, lesson) for one in self.lessons_read)

    def has_solved(self, exercise: str) -> bool:
        return any(one.exercise == exercise for one in self.exercises_solved)

    def is_right(self, question: str) -> bool:
        return any(one.question == question for one in self.questions_right)


def progress_of(db: Session, user: User | None) -> Progress:
    """Earliest first. Nobody in particular has made none."""
    if user is None:
        return Progress()
    read = select(LessonRead).where(LessonRead.user_id == user.id).order_by(LessonRead.read_at)
    right = (
        select(Answer.question, func.min(Answer.created_at))
        .where(Answer.user_id == user.id, Answer.correct)
        .group_by(Answer.question)
        .order_by(func.min(Answer.created_at))
    )
    solved = (
        select(Submission.exercise, func.min(Submission.created_at))
        .join(Grading, Grading.submission_id == Submission.id)
        .where(Submission.user_id == user.id, Submission.kind == "submit", Grading.verdict == "accepted")
        .group_by(Submission.exercise)
        .order_by(func.min(Submission.created_at))
    )
    return Progress(
        tuple(Read(row.course, row.lesson, row.read_at) for row in db.scalars(read)),
        tuple(Right(question, at) for question, at in db.execute(right)),
        tuple(Solved(exercise, at) for exercise, at in db.execute(solved)),
    )


def mark_read(db: Session, user: User, course: str, lesson: str) -> None:
    """Reading twice is reading once."""
    if db.get(LessonRead, (user.id, course, lesson)) is None:
        db.add(LessonRead(user_id=user.id, course=course, lesson=lesson))
        db.flush()
