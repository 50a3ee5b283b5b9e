"""What someone answered to a question: one row an attempt, kept as given."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, String, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now


class Answer(Base):
    __tablename__ = "answer"
    __table_args__ = (
        CheckConstraint("score >= 0 AND score <= 1", "score"),
        Index("ix_answer_user_id_question", "user_id", "question"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    question: Mapped[str] = mapped_column(String(300))  # course.lesson.slug
    variant: Mapped[int]
    given: Mapped[object] = mapped_column(JSON)
    correct: Mapped[bool]
    score: Mapped[float]
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)


def add_answer(
    db: Session, user_id: int, question: str, variant: int, given: object, correct: bool, score: float
) -> Answer:
    answer = Answer(user_id=user_id, question=question, variant=variant, given=given, correct=correct, score=score)
    db.add(answer)
    db.flush()
    return answer


def attempts(db: Session, user_id: int | None, questions: Sequence[str]) -> dict[str, int]:
    """How often this person has answered each of these questions (absent: never)."""
    if user_id is None or not questions:
        return {}
    counted = select(Answer.question, func.count().label("times")).where(
        Answer.user_id == user_id, Answer.question.in_(questions)
    )
    return {row.question: row.times for row in db.execute(counted.group_by(Answer.question))}


def variant_seed(user_id: int | None, question: str, attempt: int) -> str:
    """What a question's variant is drawn from: another one for each person and each attempt, the same on reload."""
    return f"{user_id or 'visitor'}:{question}:{attempt}"
