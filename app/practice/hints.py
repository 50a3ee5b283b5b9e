"""Hints that someone opened, a row each: strictly in order, from gentle to concrete."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.people.belongings import Belonging, register, take_over_new, wrote
from app.people.users import User
from app.web.errors import Conflict, NotFound


class HintOpened(Base):
    __tablename__ = "hint_opened"
    __table_args__ = (
        CheckConstraint("number >= 1", "number"),
        Index("ix_hint_opened_exercise_opened_at", "exercise", "opened_at"),
    )

    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    exercise: Mapped[str] = mapped_column(String(120), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    opened_at: Mapped[datetime] = mapped_column(Moment, default=now)


@dataclass(frozen=True)
class Hints:
    """The hints that someone has opened, as HTML, and how many there are. The others' words are not in here."""

    opened: tuple[str, ...]
    of: int

    @property
    def next(self) -> int | None:
        """The number of the hint that opens next."""
        return len(self.opened) + 1 if len(self.opened) < self.of else None


def hints_of(db: Session, user: User | None, exercise: str, hints_html: tuple[str, ...]) -> Hints:
    """`hints_html` are all that the exercise has."""
    count = _count(db, user, exercise) if user and hints_html else 0
    return Hints(hints_html[:count], len(hints_html))


def open_hint(db: Session, user: User, exercise: str, hints_html: tuple[str, ...], number: int | None) -> int:
    """Opens hint `number`, or the next one; returns its number. One that is open already stays so, and counts once.

    Raises NotFound where there is no such hint, Conflict for one whose turn has not come.
    """
    opened = min(_count(db, user, exercise), len(hints_html))
    wanted = number if number is not None else min(opened + 1, len(hints_html))
    if not 1 <= wanted <= len(hints_html):
        raise NotFound(f"There is no hint {wanted}.", f"This exercise has {len(hints_html) or 'no'} hints.")
    if wanted > opened + 1:
        raise Conflict("Hints open one after the other.", f"Open hint {opened + 1} first.")
    if wanted > opened:
        db.add(HintOpened(user_id=user.id, exercise=exercise, number=wanted))
        db.flush()
    return wanted


def _count(db: Session, user: User, exercise: str) -> int:
    """They open in order: the highest number is how many."""
    highest = select(func.max(HintOpened.number)).where(HintOpened.user_id == user.id, HintOpened.exercise == exercise)
    return db.scalar(highest) or 0


register(
    Belonging(
        70,
        "hints_opened",
        "Hints opened",
        "So that they stay open.",
        HintOpened,
        merge=take_over_new(HintOpened),
        worked=wrote(HintOpened.user_id, HintOpened.opened_at),
    )
)
