"""More time in quizzes for a person who needs it."""

from app.db import Database
from app.people.accounts import account_of
from app.people.audit import Via, note, person
from app.people.users import hold
from app.quizzes import sittings
from app.web.errors import Invalid

TIME_MULTIPLIER_MIN, TIME_MULTIPLIER_MAX = 1, 10


def give_time(database: Database, email: str, multiplier: float) -> int:
    """For the command line: of a quiz's time limit this person has so many times as much, from now on and in sittings
    that are open; returns in how many of these. Raises Invalid, NotFound."""
    if not TIME_MULTIPLIER_MIN <= multiplier <= TIME_MULTIPLIER_MAX:
        raise Invalid(
            f"{multiplier:g} is not a valid time multiplier.",
            f"Use a number from {TIME_MULTIPLIER_MIN} to {TIME_MULTIPLIER_MAX}, such as 1.5.",
        )
    with database.writing() as db:
        user = account_of(db, email)
        hold(db, user.id)
        detail = {"from": user.time_multiplier, "to": multiplier}
        note(db, None, person(user.id), "quiz time changed", detail, Via.command_line)
        return sittings.give_time(db, user, multiplier)
