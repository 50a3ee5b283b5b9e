"""Wall times: moments as the clocks in a class's time zone show them, in words and in forms.

Where summer time begins, an hour does not exist; where it ends, one comes twice. Neither is guessed at.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from app.web.errors import Invalid


def moment_at(wall: datetime, zone: ZoneInfo) -> datetime:
    """The moment, in UTC, at which the clocks show this; an aware one is its own. Raises Invalid."""
    if wall.tzinfo is not None:
        return wall.astimezone(UTC)
    first, second = wall.replace(tzinfo=zone, fold=0), wall.replace(tzinfo=zone, fold=1)
    if first.utcoffset() == second.utcoffset():
        return first.astimezone(UTC)
    words = f"{wall:%H:%M} on {_day(wall)}"
    if first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == wall:
        times = " or ".join(at.isoformat() for at in (first, second))
        raise Invalid(
            f"{words} comes twice in {zone.key}, where the clocks go back then.",
            f"Choose a time that comes once, or write {times} in schedule.toml.",
        )
    after = first.astimezone(UTC).astimezone(zone)
    raise Invalid(
        f"{words} does not exist in {zone.key}, where the clocks go forward then.",
        f"Choose another time: {after:%H:%M} is the same moment, and exists.",
    )


def comes_twice(at: datetime, zone: ZoneInfo) -> bool:
    """Whether the clocks show this moment's time twice that day."""
    wall = at.astimezone(zone)
    return wall.replace(fold=0).utcoffset() != wall.replace(fold=1).utcoffset()


@dataclass(frozen=True)
class Clocks:
    """Those of a class, and how far those of its reader are from UTC; None where their browser has not said."""

    zone: ZoneInfo
    offset_minutes: int | None

    def words(self, at: datetime) -> str:
        return wall_words(at, self.zone)

    def are_readers(self, at: datetime) -> bool:
        """Whether the reader's clocks show the same then."""
        return at.astimezone(self.zone).utcoffset() == timedelta(minutes=self.offset_minutes or 0)


def wall_words(at: datetime, zone: ZoneInfo) -> str:
    """`Thu 8 April 2027, 18:00`."""
    wall = at.astimezone(zone)
    return f"{wall:%a} {_day(wall)}, {wall:%H:%M}"


def wall_short(at: datetime, zone: ZoneInfo) -> str:
    """`8 Apr`: over a column."""
    wall = at.astimezone(zone)
    return f"{wall.day} {wall:%b}"


def wall_field(at: datetime | None, zone: ZoneInfo) -> str:
    """As a field `datetime-local` has it."""
    if at is None:
        return ""
    wall = at.astimezone(zone).replace(tzinfo=None)
    return wall.isoformat(timespec="seconds" if wall.second or wall.microsecond else "minutes")


def read_wall_field(text: str, zone: ZoneInfo, before: datetime | None = None) -> datetime | None:
    """The moment that a field names; None for an empty one. `before`: what it named when the form was made, which it
    still does where nobody touched it, though its time comes twice. Raises Invalid."""
    text = text.strip()
    if not text:
        return None
    if before is not None and text == wall_field(before, zone):
        return before
    try:
        wall = datetime.fromisoformat(text)
        if not 1970 <= wall.year <= 2999 or len(text) < len("2027-04-08T18:00"):
            raise ValueError
    except ValueError:
        raise Invalid(f"{text[:40]!r} is no date and time.", "Write it as 2027-04-08T18:00.") from None
    return moment_at(wall, zone)


def _day(wall: datetime) -> str:
    return f"{wall.day} {wall:%B %Y}"
