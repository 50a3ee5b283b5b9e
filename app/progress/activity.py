"""On which days someone did something here. A day off is a day off: nothing is lost by it.

Counted from what there is anyway (answers, submissions, lessons read), over a year, from indexes alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Date, DateTime, cast, func, select, type_coerce, union
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.db import now
from app.people.users import User
from app.practice.submissions import Submission
from app.quizzes.answers import Answer
from app.reading.lessons import LessonRead
from app.web.day import day_of, start_of

SHOWN_DAYS = 14
LOOKED_AT_DAYS = 365
DAYS_OFF = 2  # so many in a row belong to a streak: a weekend is one


@dataclass(frozen=True)
class Activity:
    """`last_days`: the days shown, oldest first, and whether they were here. `streak`: see `streak_of`."""

    last_days: tuple[tuple[date, bool], ...]
    streak: int
    last: date | None

    @property
    def present(self) -> int:
        return sum(was_here for _, was_here in self.last_days)


def activity_of(db: Session, user: User, offset_minutes: int) -> Activity:
    today = day_of(now(), offset_minutes)
    days = _days(db, user, today - timedelta(days=LOOKED_AT_DAYS), offset_minutes)
    shown = [today - timedelta(days=ago) for ago in range(SHOWN_DAYS - 1, -1, -1)]
    return Activity(tuple((day, day in days) for day in shown), streak_of(days, today), max(days, default=None))


def streak_of(days: Iterable[date], today: date) -> int:
    """How many of the days up to today they were here, back to the first time that more than DAYS_OFF days in a row
    went without. A day off within it is not counted and ends nothing; today is no day off before it is over."""
    count, after = 0, today
    for day in sorted((day for day in days if day <= today), reverse=True):
        if (after - day).days - 1 > DAYS_OFF:
            break
        count, after = count + 1, day
    return count


def _days(db: Session, user: User, since: date, offset_minutes: int) -> set[date]:
    on_sqlite = db.get_bind().dialect.name == "sqlite"

    def day(at: InstrumentedAttribute[Any]) -> Any:
        if on_sqlite:
            return func.date(at, f"{offset_minutes} minutes")
        return cast(type_coerce(at, DateTime) + timedelta(minutes=offset_minutes), Date)

    begins = start_of(since, offset_minutes)
    dates = union(
        *(
            select(day(at)).where(table.user_id == user.id, at >= begins)
            for table, at in (
                (Answer, Answer.created_at),
                (Submission, Submission.created_at),
                (LessonRead, LessonRead.read_at),
            )
        )
    )
    return {day if isinstance(day, date) else date.fromisoformat(day) for day in db.scalars(dates)}
