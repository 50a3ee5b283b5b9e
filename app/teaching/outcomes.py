"""Wrong outcomes that nobody has named: clustered, counted by people, each with an example; and one made a mistake.

Of an exercise the newest wrong submissions are looked at, a bounded number: what a page costs does not grow with what
was ever sent, and what is old is about an exercise that has changed since.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import String, exists, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now, read_id
from app.practice.gradings import Grading
from app.practice.outcomes import WrongOutcome
from app.practice.standings import BestTime
from app.practice.submissions import Submission
from app.teaching.revisions import RevisionFile, content_of
from app.teaching.subjects import Subject
from graders.cache import RecentCache
from graders.exercise.built import Keeps, cases_at_hand, mistakes_at_hand
from graders.exercise.definition import Exercise
from graders.reasons.fingerprint import HALF, fingerprint
from graders.verdict import CaseResult, Mismatch, StudentError, Verdict

LOOKED_AT = 5000  # wrong submissions of an exercise, the newest
LOOKED_INTO = 300  # of those without a fingerprint: their cases are read
SHOWN = 30


class NamedOutcome(Base):
    """An outcome for which an author began a mistake: `mistakes/<mistake>.py`."""

    __tablename__ = "named_outcome"

    exercise: Mapped[str] = mapped_column(String(120), primary_key=True)
    outcome: Mapped[str] = mapped_column(String(64), primary_key=True)
    mistake: Mapped[str] = mapped_column(String(200))
    named_at: Mapped[datetime] = mapped_column(Moment, default=now)


@dataclass(frozen=True)
class Seen:
    """A wrong submission. `outcome`: its fingerprint, or what stands for it where it has none."""

    submission_id: int
    user_id: int
    outcome: str
    created_at: datetime
    has_solved: bool  # its author, at any time


@dataclass(frozen=True)
class WrongCase:
    """How a case is wrong: what its call ended in, or where its value differs."""

    error: StudentError | None
    mismatch: Mismatch | None


@dataclass(frozen=True)
class Example:
    """The newest submission of a cluster, and what its author was told."""

    submission_id: int
    framework: str
    source: str
    verdict: Verdict
    diagnosis: str | None
    wrong: WrongCase | None  # the first of its cases


@dataclass(frozen=True)
class Cluster:
    """Submissions with one outcome. `named`: the mistake that an author began for it, or that it is today."""

    submissions: int
    people: int
    solved: int
    first_seen: datetime
    last_seen: datetime
    example: Example
    is_sure: bool  # by fingerprint; else grouped by what was told
    named: str | None = None


@dataclass(frozen=True)
class Recognised:
    """A mistake that has its sentence: whom it was told, and how many of them have solved the exercise."""

    mistake: str
    people: int
    solved: int


@dataclass(frozen=True)
class Outcomes:
    """`clusters`: those without a name, the most frequent first; `named`: those that got one since."""

    looked_at: int
    is_all: bool
    clusters: tuple[Cluster, ...]
    others: int  # clusters that are not shown
    named: tuple[Cluster, ...]
    recognised: tuple[Recognised, ...]


def outcomes_of(db: Session, exercise: Exercise, shelf: Keeps | None) -> Outcomes:
    """For those whom `require_author` let in."""
    slug = exercise.slug
    rows = _newest_wrong(db, slug)
    with_mistake = [(row.mistake, row.user_id, row.has_solved) for row in rows if row.mistake is not None]
    old = [row.submission_id for row in rows if row.mistake is None and row.fingerprint is None][:LOOKED_INTO]
    stand_ins = _stand_ins(db, old)
    seen = [
        Seen(row.submission_id, row.user_id, outcome, row.created_at, bool(row.has_solved))
        for row in rows
        if row.mistake is None and (outcome := row.fingerprint or stand_ins.get(row.submission_id))
    ]
    names = {**_begun(db, slug), **known_outcomes(exercise, shelf)}
    groups = sorted(alike(seen), key=lambda group: (-_people(group), -max(one.submission_id for one in group)))
    with_names = [(group, _name_of(group, names)) for group in groups]
    unnamed = [group for group, name in with_names if name is None]
    named = [(group, name) for group, name in with_names if name is not None][:SHOWN]
    examples = examples_of(db, [_newest(group) for group in [*unnamed[:SHOWN], *(group for group, _ in named)]])
    return Outcomes(
        len(rows),
        len(rows) < LOOKED_AT,
        tuple(_cluster(group, examples) for group in unnamed[:SHOWN]),
        max(0, len(unnamed) - SHOWN),
        tuple(_cluster(group, examples, name) for group, name in named),
        tuple(_recognised(with_mistake)),
    )


def example_of(db: Session, slug: str, id: str) -> tuple[Example, str] | None:
    """A wrong submission to this exercise, as an address names it, and its outcome; None for any other."""
    submission_id = read_id(id)
    if submission_id is None:
        return None
    row = db.execute(
        select(WrongOutcome.fingerprint).where(
            WrongOutcome.submission_id == submission_id, WrongOutcome.exercise == slug
        )
    ).one_or_none()
    if row is None:
        return None
    outcome = row.fingerprint or _stand_ins(db, [submission_id]).get(submission_id)
    example = examples_of(db, [submission_id]).get(submission_id)
    return (example, outcome) if example is not None and outcome else None


def name_outcome(db: Session, slug: str, outcome: str, mistake: str) -> None:
    """An author has begun this mistake for it."""
    row = db.get(NamedOutcome, (slug, outcome))
    if row is None:
        db.add(NamedOutcome(exercise=slug, outcome=outcome, mistake=mistake))
    else:
        row.mistake, row.named_at = mistake, now()
    db.flush()


# ---- rows -----------------------------------------------------------------------------------------------------


def _newest_wrong(db: Session, slug: str) -> Sequence[Any]:
    solved = exists().where(BestTime.user_id == Submission.user_id, BestTime.exercise == slug)
    wrong = (WrongOutcome.submission_id, WrongOutcome.fingerprint, WrongOutcome.mistake)
    rows = (
        select(*wrong, Submission.user_id, Submission.created_at, solved.label("has_solved"))
        .join(Submission, Submission.id == WrongOutcome.submission_id)
        .where(WrongOutcome.exercise == slug)
        .order_by(WrongOutcome.submission_id.desc())
        .limit(LOOKED_AT)
    )
    return db.execute(rows).all()


def _gradings_of(db: Session, submission_ids: Sequence[int]) -> dict[int, Any]:
    """The newest of each."""
    columns = (Grading.submission_id, Grading.verdict, Grading.diagnosis, Grading.cases)
    rows = select(*columns).where(Grading.submission_id.in_(submission_ids)).order_by(Grading.id)
    return {row.submission_id: row for row in db.execute(rows)} if submission_ids else {}


def _stand_ins(db: Session, submission_ids: Sequence[int]) -> dict[int, str]:
    """What stands for the outcome of submissions from before fingerprints: verdict, step and sentence."""
    found = {}
    for id, row in _gradings_of(db, submission_ids).items():
        wrong = _first_wrong(row.cases)
        step = wrong.mismatch.step if wrong and wrong.mismatch else wrong.error.type if wrong and wrong.error else None
        outcome = json.dumps([row.verdict, step, row.diagnosis])
        found[id] = f"told:{hashlib.sha256(outcome.encode()).hexdigest()[:HALF]}"
    return found


def _first_wrong(rows: Iterable[Mapping[str, Any]]) -> WrongCase | None:
    """In a grading's row: what is on its sheet is not read, for none of it is shown here."""
    wrong = (row for row in rows if row.get("verdict", Verdict.accepted) not in (None, Verdict.accepted))
    first = next(wrong, None)
    if first is None:
        return None
    case = CaseResult.from_row({"name": "", "sample": False, **first})
    return WrongCase(case.error, case.mismatch)


def examples_of(db: Session, submission_ids: Sequence[int]) -> dict[int, Example]:
    """By submission. For those who may read what others sent."""
    if not submission_ids:
        return {}
    columns = (Submission.id, Submission.framework, Submission.source)
    judged = _gradings_of(db, submission_ids)
    return {
        row.id: Example(
            row.id,
            row.framework,
            row.source.decode("utf-8", "replace"),
            Verdict(judged[row.id].verdict),
            judged[row.id].diagnosis,
            _first_wrong(judged[row.id].cases),
        )
        for row in db.execute(select(*columns).where(Submission.id.in_(submission_ids)))
        if row.id in judged and judged[row.id].verdict
    }


# ---- clusters -------------------------------------------------------------------------------------------------


def halves_of(outcome: str) -> tuple[str, ...]:
    """Two fingerprints are one outcome where they are equal in either half."""
    return (outcome,) if outcome.startswith("told:") else (f"1:{outcome[:HALF]}", f"2:{outcome[HALF:]}")


def alike(seen: Iterable[Seen]) -> list[list[Seen]]:
    """Those of one outcome together."""
    group_at: dict[str, list[Seen]] = {}  # by half
    for one in seen:
        halves = halves_of(one.outcome)
        known = [group_at[half] for half in halves if half in group_at]
        group = known[0] if known else []
        if len(known) == 2 and known[1] is not group:
            group.extend(known[1])
            group_at.update((half, group) for other in known[1] for half in halves_of(other.outcome))
        group.append(one)
        group_at.update((half, group) for half in halves)
    return list({id(group): group for group in group_at.values()}.values())


def _people(group: Iterable[Seen]) -> int:
    return len({one.user_id for one in group})


def _newest(group: Iterable[Seen]) -> int:
    return max(one.submission_id for one in group)


def _cluster(group: Sequence[Seen], examples: Mapping[int, Example], named: str | None = None) -> Cluster:
    times = [one.created_at for one in group]
    return Cluster(
        len(group),
        _people(group),
        _people(one for one in group if one.has_solved),
        min(times),
        max(times),
        examples[_newest(group)],
        not group[0].outcome.startswith("told:"),
        named,
    )


def _recognised(with_mistake: Iterable[tuple[str, int, bool]]) -> Iterator[Recognised]:
    people: dict[str, dict[int, bool]] = defaultdict(dict)
    for mistake, user_id, has_solved in with_mistake:
        people[mistake][user_id] = bool(has_solved)
    for mistake, solved in sorted(people.items(), key=lambda item: (-len(item[1]), item[0])):
        yield Recognised(mistake, len(solved), sum(solved.values()))


# ---- names ----------------------------------------------------------------------------------------------------


def _name_of(group: Iterable[Seen], names: Mapping[str, str]) -> str | None:
    return next((names[half] for one in group for half in halves_of(one.outcome) if half in names), None)


def _begun(db: Session, slug: str) -> dict[str, str]:
    """The mistakes that authors began for outcomes, by half, if their file is still there."""
    content = content_of(db, Subject("exercise", slug))
    if content is None:
        return {}
    begun = db.execute(select(NamedOutcome.outcome, NamedOutcome.mistake).where(NamedOutcome.exercise == slug)).all()
    paths = {f"mistakes/{row.mistake}.py" for row in begun}
    kept = select(RevisionFile.path).where(RevisionFile.revision_id == content.newest_id, RevisionFile.path.in_(paths))
    there = set(db.scalars(kept)) if paths else set()
    return {
        half: row.mistake for row in begun if f"mistakes/{row.mistake}.py" in there for half in halves_of(row.outcome)
    }


def known_outcomes(exercise: Exercise, shelf: Keeps | None) -> dict[str, str]:
    """The outcomes of the mistakes that it has today, by half; none until the judge has built them, which no page waits
    for. So what was wrong before a mistake was written is recognised now."""
    if shelf is None:
        return {}
    if (known := _known.get(exercise.judging_hash)) is not None:
        return known
    cases, outcomes = cases_at_hand(shelf, exercise), mistakes_at_hand(shelf, exercise)
    if cases is None or outcomes is None:
        return {}
    found: dict[str, str] = {}
    for name, of_cases in outcomes.items():
        for half in halves_of(fingerprint(exercise, cases, dict(enumerate(of_cases)))):
            found.setdefault(half, name)
    return _known.put(exercise.judging_hash, found)


_known: RecentCache[str, dict[str, str]] = RecentCache(256)
