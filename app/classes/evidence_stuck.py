"""Who is stuck now: who has failed at one exercise again and again within the last half hour, and not solved it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from app.classes.evidence_scope import Person, Scope, people_of
from app.db import now
from app.practice.efforts import Effort
from app.practice.outcomes import WrongOutcome
from app.practice.submissions import Submission

WITHIN = timedelta(minutes=30)
LEAST_FAILED = 6
LOOKED_AT = 5000  # failed submissions, the newest

NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@dataclass(frozen=True)
class Stuck:
    """`mistake`: the known one, if it is the same each time; `is_same`: whether the outcome is."""

    person: Person
    exercise: str
    title: str
    failed: int
    since: datetime
    last: datetime
    submission: int  # the last one
    mistake: str | None
    is_same: bool

    @property
    def sentence(self) -> str:
        count = NUMBERS[self.failed] if self.failed < len(NUMBERS) else str(self.failed)
        same = ", same mistake" if self.mistake else ", same result each time" if self.is_same else ""
        return f"{count} failed submissions in half an hour{same}"


def stuck_now(db: Session, scope: Scope, at: datetime | None = None) -> list[Stuck]:
    """Most failures first. Who has solved the exercise once is not stuck in it."""
    since = (at or now()) - WITHIN
    failed: dict[tuple[int, str], list[Any]] = defaultdict(list)
    for row in db.execute(_failures(scope, since)):
        if row.exercise in scope.exercises:
            failed[row.user_id, row.exercise].append(row)
    held = {key: rows for key, rows in failed.items() if len(rows) >= LEAST_FAILED}
    people = people_of(db, scope, [user_id for user_id, _ in held]) if held else {}
    found = [_stuck(scope, people[user_id], slug, rows) for (user_id, slug), rows in held.items() if user_id in people]
    return sorted(found, key=lambda one: (-one.failed, one.person.name.casefold(), one.exercise))


def _failures(scope: Scope, since: datetime) -> Any:
    """The newest first."""
    effort = and_(Effort.user_id == Submission.user_id, Effort.exercise == Submission.exercise)
    outcome = (WrongOutcome.mistake, WrongOutcome.fingerprint)
    return (
        select(Submission.user_id, Submission.exercise, Submission.id, Submission.created_at, *outcome)
        .join(WrongOutcome, WrongOutcome.submission_id == Submission.id)
        .outerjoin(Effort, effort)
        .where(scope.has(Submission.user_id), Submission.created_at > since, Submission.kind == "submit")
        .where(Effort.solved_at.is_(None))
        .order_by(Submission.created_at.desc(), Submission.id.desc())
        .limit(LOOKED_AT)
    )


def _stuck(scope: Scope, person: Person, slug: str, rows: Sequence[Any]) -> Stuck:
    mistakes = {row.mistake for row in rows}
    outcomes = {row.mistake or row.fingerprint for row in rows}
    mistake = next(iter(mistakes)) if len(mistakes) == 1 else None
    is_same = len(outcomes) == 1 and None not in outcomes
    title = scope.exercises[slug]
    return Stuck(person, slug, title, len(rows), rows[-1].created_at, rows[0].created_at, rows[0].id, mistake, is_same)
