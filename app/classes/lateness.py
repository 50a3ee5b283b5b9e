"""What an attempt is worth by when it came: one policy, without HTTP, SQL or a clock.

A due date is a wall time in the class's time zone. A day late ends at the same wall time on the next day, so that it
has 23 or 25 hours where summer time begins or ends: "due at 18:00, minus 10% a day" means 18:00 every day.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

PRECISION = 10  # decimals of a score: 1 - 3 * 0.1 is 0.7


@dataclass(frozen=True)
class Terms:
    """Of one assignment for one person. Moments are aware, and None where there is no such limit.

    `per_day`: the part of the score, from 0 to 1, that each day late takes off. `grace_minutes`: after `due_at`, that
    cost nothing. `attempts`: how many count; None for all. `excused`: it does not count for this person.
    """

    opens_at: datetime | None = None
    due_at: datetime | None = None
    closes_at: datetime | None = None
    per_day: float = 0.0
    grace_minutes: int = 0
    attempts: int | None = None
    timezone: str = "UTC"
    excused: bool = False

    def extended(self, due_at: datetime | None, attempts: int | None, *, excused: bool) -> "Terms":
        """These with one person's extension. Closing moves by as much as the due date does, so that who has another
        date may be late as everybody may. An extension never takes anything away."""
        found = replace(self, excused=self.excused or excused)
        if due_at is not None and self.due_at is not None and due_at > self.due_at:
            closes_at = self.closes_at
            if closes_at is not None:
                closes_at = max(due_at, self._moved(closes_at, self.due_at, due_at))
            found = replace(found, due_at=due_at, closes_at=closes_at)
        elif due_at is not None and self.due_at is None:
            closes_at = max(due_at, self.closes_at) if self.closes_at is not None else None
            found = replace(found, due_at=due_at, closes_at=closes_at)
        if attempts is not None and self.attempts is not None:
            found = replace(found, attempts=max(attempts, self.attempts))
        return found

    def is_open_at(self, at: datetime) -> bool:
        """Whether an attempt at this moment can count."""
        return (self.opens_at is None or at >= self.opens_at) and (self.closes_at is None or at <= self.closes_at)

    def is_due_at(self, at: datetime) -> bool:
        """Whether the due date, with its grace, is over."""
        return self.due_at is not None and at > self.due_at + timedelta(minutes=self.grace_minutes)

    def days_late(self, at: datetime) -> int:
        """Days begun since the due date; 0 within the grace."""
        if self.due_at is None or not self.is_due_at(at):
            return 0
        zone = ZoneInfo(self.timezone)
        due = self.due_at.astimezone(zone)
        days = max(1, (at.astimezone(zone).date() - due.date()).days)  # it is this, or one more or less
        while days > 1 and at <= _days_after(due, days - 1):
            days -= 1
        while at > _days_after(due, days):
            days += 1
        return days

    def _moved(self, at: datetime, before: datetime, after: datetime) -> datetime:
        """As much later, in wall time, as `after` is than `before`."""
        zone = ZoneInfo(self.timezone)
        wall_at, wall_before, wall_after = (
            moment.astimezone(zone).replace(tzinfo=None) for moment in (at, before, after)
        )
        return (wall_at + (wall_after - wall_before)).replace(tzinfo=zone).astimezone(UTC)

    def worth(self, score: float, at: datetime) -> float:
        """A score in [0, 1] after lateness."""
        return round(score * max(0.0, 1.0 - self.per_day * self.days_late(at)), PRECISION)


def _days_after(due: datetime, days: int) -> datetime:
    """The same wall time so many days later, in UTC. Where summer time leaves that wall time out, the moment an hour
    on; where it comes twice, the first."""
    wall = due.replace(tzinfo=None) + timedelta(days=days)
    return wall.replace(tzinfo=due.tzinfo, fold=due.fold if days == 0 else 0).astimezone(UTC)


@dataclass(frozen=True)
class Attempt:
    """`at`: when it was sent, or a quiz attempt was submitted. `score`: in [0, 1], before lateness."""

    id: int
    at: datetime
    score: float


@dataclass(frozen=True)
class Counted:
    """The attempt that counts. `score`: after lateness; `raw`: before. `attempts`: how many were made in time."""

    id: int
    score: float
    raw: float
    late_days: int
    attempts: int


def best_of(terms: Terms, attempts: Iterable[Attempt]) -> Counted | None:
    """Of the first `terms.attempts` attempts that came while it was open, the one that is worth most; of equals, the
    earliest. None where there is none."""
    made = sorted((one for one in attempts if terms.is_open_at(one.at)), key=lambda one: (one.at, one.id))
    if not made:
        return None
    best = max(made[: terms.attempts], key=lambda one: (terms.worth(one.score, one.at), -one.at.timestamp(), -one.id))
    return Counted(best.id, terms.worth(best.score, best.at), best.score, terms.days_late(best.at), len(made))
