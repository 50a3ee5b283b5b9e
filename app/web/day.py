"""A person's days: where they are, not where the server is.

A script tells the browser's distance from UTC in a cookie (js/day.js), and a person who writes is remembered with it.
Without script or cookie days are those of UTC.
"""

import re
from datetime import UTC, date, datetime, timedelta

from starlette.requests import Request

COOKIE = "lectern_offset"
OFFSET_MAX_MINUTES = 14 * 60  # Kiribati; nobody is further away


def offset_in(request: Request) -> int | None:
    """Minutes east of UTC as the browser says, None where it says nothing that could be true."""
    text = request.cookies.get(COOKIE, "")
    if not re.fullmatch(r"-?[0-9]{1,3}", text) or abs(int(text)) > OFFSET_MAX_MINUTES:
        return None
    return int(text)


def day_of(at: datetime, offset_minutes: int) -> date:
    return (at.astimezone(UTC) + timedelta(minutes=offset_minutes)).date()


def start_of(day: date, offset_minutes: int) -> datetime:
    """The moment at which this day begins."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(minutes=offset_minutes)


def until(days: int) -> str:
    """When something comes that is so many days away: `today`, `tomorrow`, `in 3 days`, `in about 5 weeks`."""
    if days <= 0:
        return "today"
    if days == 1:
        return "tomorrow"
    if days < 14:
        return f"in {days} days"
    return f"in about {round(days / 7)} weeks" if days < 70 else f"in about {round(days / 30.4)} months"
