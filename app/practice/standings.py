"""Where an accepted solution stands among the others': each person's best time in an exercise, in a framework."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ForeignKey, Index, String, bindparam, func, select, text
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Statement
from app.people.belongings import Belonging, adopt, register
from app.people.users import User
from app.practice.submissions import Submission
from graders.grade import Usage

# Nobody is ranked among a handful: it would tell who was slow rather than what is.
FEWEST_OTHERS = 5
# Measured again, the same program differs by more than this: within it two are level.
NOISE = 0.05


class BestTime(Base):
    """One row a person, so that counting is a walk over an index and does not grow with what they send.

    `judging_hash`: the cases it was measured on. When they change, what was measured before is compared no more.
    """

    __tablename__ = "best_time"
    __table_args__ = (Index("ix_best_time_standing", "exercise", "framework", "judging_hash", "wall_ms", "user_id"),)

    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    exercise: Mapped[str] = mapped_column(String(120), primary_key=True)
    framework: Mapped[str] = mapped_column(String(16), primary_key=True)
    judging_hash: Mapped[str] = mapped_column(String(64))
    wall_ms: Mapped[float]


@dataclass(frozen=True)
class Standing:
    """Of so many others, each at their best, how many took longer, and how many as long within the noise."""

    others: int
    slower: int
    level: int

    @property
    def is_told(self) -> bool:
        return self.others >= FEWEST_OTHERS


# Whose submission it is, is read where it is written: signing in may have given a guest's to an account meanwhile.
_KEEP = Statement(
    text("""
    INSERT INTO best_time (user_id, exercise, framework, judging_hash, wall_ms)
    SELECT user_id, exercise, framework, :judging_hash, :wall_ms FROM submission
    WHERE id = :submission_id AND kind = 'submit'
    ON CONFLICT (user_id, exercise, framework)
    DO UPDATE SET judging_hash = excluded.judging_hash, wall_ms = excluded.wall_ms
    WHERE excluded.wall_ms < best_time.wall_ms OR excluded.judging_hash <> best_time.judging_hash
""").bindparams(bindparam("submission_id"), bindparam("judging_hash"), bindparam("wall_ms"))
)


def keep_best(db: Session | Connection, submission_id: int, judging_hash: str, usage: Usage) -> None:
    """An accepted submission's time, where it is its author's best."""
    _KEEP.run(db, {"submission_id": submission_id, "judging_hash": judging_hash, "wall_ms": usage.wall_ms})


def standing_of(db: Session, submission: Submission, judging_hash: str, wall_ms: float) -> Standing:
    """This submission's time among the others' best."""
    longer, shorter = wall_ms * (1 + NOISE), wall_ms * (1 - NOISE)
    counted = select(
        func.count(),
        func.count().filter(BestTime.wall_ms > longer),
        func.count().filter(BestTime.wall_ms.between(shorter, longer)),
    ).where(
        BestTime.exercise == submission.exercise,
        BestTime.framework == submission.framework,
        BestTime.judging_hash == judging_hash,
        BestTime.user_id != submission.user_id,
    )
    return Standing(*db.execute(counted).one())


def _merge(db: Session, _catalog: Any, guest: User, user: User) -> None:
    """The better of two, where both were judged by the same cases; else the account's."""
    for best in db.scalars(select(BestTime).where(BestTime.user_id == guest.id)).all():
        if adopt(db, best, user) is None:
            known = db.get_one(BestTime, (user.id, best.exercise, best.framework))
            if known.judging_hash == best.judging_hash:
                known.wall_ms = min(known.wall_ms, best.wall_ms)


register(
    Belonging(
        90,
        "best_times",
        "Best times",
        "To compare times, for you and, without your name, for others.",
        BestTime,
        merge=_merge,
    )
)
