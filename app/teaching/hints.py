"""Hints by how often they led on: of those who opened one, how many had their next submission better, or accepted."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.practice.gradings import Grading
from app.practice.hints import HintOpened
from app.practice.submissions import Submission
from graders.verdict import Verdict

LOOKED_AT = 1000  # hints opened of an exercise, the newest


@dataclass(frozen=True)
class HintOutcome:
    """`opened`: by how many people. Of these, `went_on` sent something afterwards. With the first that they sent then,
    `better` had a higher score than with the last before, and `accepted` solved the exercise."""

    number: int
    opened: int
    went_on: int
    better: int
    accepted: int


@dataclass(frozen=True)
class _Sent:
    at: datetime
    score: float
    is_accepted: bool


def hint_outcomes(db: Session, exercise: str, count: int, opened: Sequence[Any] | None = None) -> list[HintOutcome]:
    """A line for each of the exercise's `count` hints. `opened`: those that count, as (user_id, number,
    opened_at); None: the newest."""
    opened = _newest_opened(db, exercise) if opened is None else opened
    sent = _sent_by(db, exercise, sorted({row.user_id for row in opened}))
    found = {number: [0, 0, 0, 0] for number in range(1, count + 1)}
    for row in opened:
        if (line := found.get(row.number)) is None:
            continue  # of a hint that is no longer there
        theirs = sent[row.user_id]
        place = bisect_left(theirs, row.opened_at, key=lambda one: one.at)
        line[0] += 1
        if place < len(theirs):
            after, before = theirs[place], theirs[place - 1] if place else None
            line[1] += 1
            line[2] += after.is_accepted or after.score > (before.score if before else 0.0)
            line[3] += after.is_accepted
    return [HintOutcome(number, *line) for number, line in found.items()]


def _newest_opened(db: Session, exercise: str) -> Sequence[Any]:
    columns = (HintOpened.user_id, HintOpened.number, HintOpened.opened_at)
    rows = select(*columns).where(HintOpened.exercise == exercise)
    return db.execute(rows.order_by(HintOpened.opened_at.desc()).limit(LOOKED_AT)).all()


def _sent_by(db: Session, exercise: str, user_ids: Sequence[int]) -> dict[int, list[_Sent]]:
    """What these people sent for credit, in its order, as far as it was judged."""
    newest = select(func.max(Grading.id)).where(Grading.submission_id == Submission.id).correlate(Submission)
    rows = (
        select(Submission.user_id, Submission.created_at, Grading.verdict, Grading.score)
        .join(Grading, Grading.id == newest.scalar_subquery())
        .where(Submission.user_id.in_(user_ids), Submission.exercise == exercise, Submission.kind == "submit")
        .where(Grading.verdict.is_not(None))
        .order_by(Submission.user_id, Submission.id)
    )
    sent: dict[int, list[_Sent]] = defaultdict(list)
    for row in db.execute(rows) if user_ids else ():
        sent[row.user_id].append(_Sent(row.created_at, row.score or 0.0, row.verdict == Verdict.accepted))
    return sent
