"""Old submissions: their verdict stays, what was sent and what it printed is erased.

What somebody goes on with is left alone however old it is: the newest submission of each person to an exercise in a
framework, with which their editor opens, and solutions that they share.

A round walks what is not erased yet, by id, in an index that has nothing else in it: what earlier rounds erased costs
nothing, and a round that was cut off is gone on with. What they left alone is looked at again, for its author may have
sent a newer one since. Ids grow with time: the first lot that is too new ends the round.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import chain, islice
from typing import Any

from sqlalchemy import delete, func, select, update
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

LOOKED_AT = 500  # submissions in one statement that reads
LOT = 100  # erased in one transaction, which holds their authors
SOURCES = Thing("installation", "sources")


def erase_sources(database: Database, before: datetime, should_stop: Callable[[], bool] = lambda: False) -> int:
    """Of what was sent before. Returns how many submissions have lost their source; each lot in a transaction of its
    own, so that nobody waits long for it."""
    count, old = 0, _old(database, before, should_stop)
    while (lot := list(islice(old, LOT))) and not should_stop():
        with database.writing() as db:
            count += _erase(db, lot, before)
    return count


def _old(database: Database, before: datetime, should_stop: Callable[[], bool]) -> Iterator[Any]:
    """Who sent what, of all that may be erased. No transaction is open while somebody has a row of it."""
    last = 0
    while not should_stop():
        with database.reading() as db:
            left = select(Submission.id, Submission.created_at).where(Submission.id > last)
            lot = db.execute(left.where(Submission.erased_at.is_(None)).order_by(Submission.id).limit(LOOKED_AT)).all()
            ids = [row.id for row in lot if row.created_at < before]
            old = _erasable(db, ids) if ids else []
        if not ids:  # there are none, or all are too new: one alone may be of a process whose clock was ahead
            return
        last = lot[-1].id
        yield from old


def _erasable(db: Session, ids: list[int]) -> list[Any]:
    """Who sent what, of those among `ids` that nobody goes on with.

    Each statement finds its rows by an index for each id. In one with joins PostgreSQL may rather read the tables.
    """
    same = aliased(Submission)
    newest = select(func.max(same.id)).where(
        same.user_id == Submission.user_id,
        same.exercise == Submission.exercise,
        same.framework == Submission.framework,
    )
    chosen = select(Submission.id, Submission.user_id).where(Submission.id.in_(ids), Submission.erased_at.is_(None))
    chosen = chosen.where(Submission.id < newest.scalar_subquery()).order_by(Submission.id)
    shared = select(SharedSolution.submission_id).where(SharedSolution.submission_id.in_(ids))
    judged = select(Grading.submission_id).where(Grading.submission_id.in_(ids), Grading.state != State.finished)
    kept = {*db.scalars(shared), *db.scalars(judged)}
    return [row for row in db.execute(chosen) if row.id not in kept]


def _erase(db: Session, old: list[Any], before: datetime) -> int:
    """People first, then their rows: the order in which everybody else takes them."""
    hold(db, *{row.user_id for row in old})
    still = _erasable(db, [row.id for row in old])
    ids = [row.id for row in still]
    for person, stored in sorted(_stored(db, {row.id: row.user_id for row in still}).items()):
        add_stored(db, person, -stored)
    sent = update(Submission).where(Submission.id.in_(ids)).values(source=b"", inputs=None, erased_at=now())
    judged = update(Grading).where(Grading.submission_id.in_(ids)).values(cases=[], sheet_id=None, trace=None)
    for change in (sent, judged, delete(WrongOutcome).where(WrongOutcome.submission_id.in_(ids))):
        db.execute(change.execution_options(synchronize_session=False))
    if ids:
        note(db, None, SOURCES, "retention", {"erased": len(ids), "before": before.isoformat(timespec="seconds")})
    return len(ids)


def _stored(db: Session, authors: dict[int, int]) -> Counter[int]:
    """By person, how many bytes are stored of the submissions that `authors` names with who sent each."""
    sent = select(Submission.id, lengths_of(Submission.source, Submission.inputs)).where(Submission.id.in_(authors))
    judged = select(Grading.submission_id, lengths_of(Grading.cases, Grading.trace))
    judged = judged.where(Grading.submission_id.in_(authors))
    stored: Counter[int] = Counter()
    for id, count in chain(db.execute(sent), db.execute(judged)):
        stored[authors[id]] += count
    return stored
