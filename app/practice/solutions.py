"""Who may read an exercise's worked solution: those who solved it, or gave it up in so many words."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ForeignKey, String, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.people.belongings import Belonging, register, take_over_new, wrote
from app.people.permission import Wish, may
from app.people.users import User
from app.practice.gradings import Grading
from app.practice.submissions import Submission
from graders.verdict import Verdict


class GiveUp(Base):
    """Someone asked for the worked solution before they had one. They may still solve the exercise, and it counts."""

    __tablename__ = "give_up"

    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    exercise: Mapped[str] = mapped_column(String(120), primary_key=True)
    given_up_at: Mapped[datetime] = mapped_column(Moment, default=now)


@dataclass(frozen=True)
class Access:
    """What someone has earned in one exercise, and so what of its answers they may see."""

    is_staff: bool = False
    solved: bool = False
    gave_up: bool = False

    @property
    def to_solution(self) -> bool:
        """The worked one, of the exercise's author."""
        return self.is_staff or self.solved or self.gave_up

    @property
    def to_others(self) -> bool:
        """What classmates sent: giving up opens the author's solution, not theirs."""
        return self.is_staff or self.solved


def access_of(db: Session, user: User | None, exercise: str) -> Access:
    """The one door to answers."""
    if user is None:
        return Access()
    accepted = (
        select(Submission.id)
        .join(Grading, Grading.submission_id == Submission.id)
        .where(Submission.user_id == user.id, Submission.exercise == exercise)
        .where(Submission.kind == "submit", Grading.verdict == Verdict.accepted, Grading.replaced_by_id.is_(None))
        .limit(1)
    )
    gave_up = db.get(GiveUp, (user.id, exercise)) is not None
    return Access(may(user, Wish.read_answers_unsolved), db.scalar(accepted) is not None, gave_up)


def give_up(db: Session, user: User, exercise: str) -> None:
    """Counts once; a person who has solved it has nothing to give up."""
    if not access_of(db, user, exercise).to_solution:
        db.add(GiveUp(user_id=user.id, exercise=exercise))
        db.flush()


register(
    Belonging(
        80,
        "give_ups",
        "Solutions opened",
        "So that a worked solution stays open to you.",
        GiveUp,
        merge=take_over_new(GiveUp),
        worked=wrote(GiveUp.user_id, GiveUp.given_up_at),
    )
)
