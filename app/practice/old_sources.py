"""Old submissions: their verdict stays, what was sent and what it printed is erased.

What somebody goes on with is left alone however old it is: the newest submission of each person to an exercise in a
framework, with which their editor opens, and solutions that they share.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import delete, exists, func, select, update
from sqlalchemy.orm import Session, aliased

from app.db import Database, now
from app.people.audit import Thing, note
from app.people.quota import add_stored
from app.people.users import hold
from app.practice.gradings import Grading
from app.practice.outcomes import WrongOutcome
from app.practice.shared_solutions import SharedSolution
from app.practice.submissions import Submission, lengths_of
from graders.verdict import State

LOT = 500  # submissions looked at, and perhaps erased, in one transaction
SOURCES = Thing("installation", "sources")


def erase_sources(database: Database, before: datetime, should_stop: Callable[[], bool] = lambda: False) -> int:
    """Of what was sent before. Returns how many submissions have lost their source; each lot in a transaction of its
    own, so that nobody waits long for it."""
    count, last = 0, 0
    while not should_stop():
        with database.reading() as db:
            lot = select(Submission.id).where(Submission.id > last, Submission.created_at < before)
            ids = list(db.scalars(lot.order_by(Submission.id).limit(LOT)))
            old = _erasable(db, ids)
        if not ids:
            return count
        last = ids[-1]
        if old:
            with database.writing() as db:
                count += _erase(db, old, before)
    return count


def _erasable(db: Session, ids: list[int]) -> list[Any]:
    """Who sent what, of those among `ids` that nobody goes on with."""
    newer = aliased(Submission)
    same = newer.user_id == Submission.user_id, newer.exercise == Submission.exercise
    is_gone_on_with = ~exists(select(newer.id).where(*same, newer.framework == Submission.framework,
                                                     newer.id > Submission.id))  # fmt: skip
    is_shared = exists(select(SharedSolution.submission_id).where(SharedSolution.submission_id == Submission.id))
    is_judged = exists(
        select(Grading.id).where(Grading.submission_id == Submission.id, Grading.state != State.finished)
    )
    chosen = select(Submission.id, Submission.user_id).where(Submission.id.in_(ids), Submission.erased_at.is_(None))
    return list(db.execute(chosen.where(~is_gone_on_with, ~is_shared, ~is_judged)).all())


def _erase(db: Session, old: list[Any], before: datetime) -> int:
    """People first, then their rows: the order in which everybody else takes them."""
    people = sorted({row.user_id for row in old})
    hold(db, *people)
    still = _erasable(db, [row.id for row in old])
    for person in people:
        ids = [row.id for row in still if row.user_id == person]
        add_stored(db, person, -_stored(db, ids))
    ids = [row.id for row in still]
    sent = update(Submission).where(Submission.id.in_(ids)).values(source=b"", inputs=None, erased_at=now())
    told = update(Grading).where(Grading.submission_id.in_(ids)).values(cases=[], sheet_id=None, trace=None)
    for change in (sent, told, delete(WrongOutcome).where(WrongOutcome.submission_id.in_(ids))):
        db.execute(change.execution_options(synchronize_session=False))
    if ids:
        note(db, None, SOURCES, "retention", {"erased": len(ids), "before": before.isoformat(timespec="seconds")})
    return len(ids)


def _stored(db: Session, ids: list[int]) -> int:
    sent = db.scalar(select(func.sum(lengths_of(Submission.source, Submission.inputs))).where(Submission.id.in_(ids)))
    judged = select(func.sum(lengths_of(Grading.cases, Grading.trace))).where(Grading.submission_id.in_(ids))
    return int(sent or 0) + int(db.scalar(judged) or 0)
