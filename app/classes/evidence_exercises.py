"""Evidence of exercises: who solved one, after how many attempts and how long, on what they failed, and what helped.

All of it is counted in people of the class, over all that they ever sent to the exercise for credit.
"""

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, case, func, literal, select
from sqlalchemy.orm import Session

from app.classes.classes import Enrolment
from app.classes.evidence_kept import kept
from app.classes.evidence_scope import Scope
from app.content.exercise import split_hints
from app.practice.efforts import Effort
from app.practice.gradings import Grading
from app.practice.hints import HintOpened
from app.practice.outcomes import WrongOutcome
from app.practice.sheets import sheets_of
from app.practice.solutions import GiveUp
from app.practice.submissions import Submission
from app.teaching.hints import HintOutcome, hint_outcomes
from app.teaching.outcomes import Seen, alike, examples_of, halves_of, known_outcomes
from graders.exercise.built import Keeps
from graders.exercise.definition import Exercise
from graders.verdict import Verdict

MANY_ATTEMPTS = 10  # and more are one bar
SHOWN = 20  # mistakes
LOOKED_INTO = 400  # submissions whose cases are read


@dataclass(frozen=True)
class Standing:
    """An exercise in people: `students` are all of the class. `gave_up`: opened the worked solution and have not solved
    it; `came_back`: solved it after that; `gave_up_untried`: and never sent anything."""

    exercise: str
    title: str
    students: int
    tried: int = 0
    solved: int = 0
    gave_up: int = 0
    came_back: int = 0
    gave_up_untried: int = 0

    @property
    def trying(self) -> int:
        """Sent something, have not solved it, and have not given up."""
        return self.tried - self.solved - (self.gave_up - self.gave_up_untried)

    @property
    def not_begun(self) -> int:
        return self.students - self.tried - self.gave_up_untried

    @property
    def unsolved(self) -> int:
        """Met it, and have not solved it."""
        return self.trying + self.gave_up


@dataclass(frozen=True)
class Quartiles:
    """Of `count` numbers, between neighbours by linear interpolation."""

    count: int
    lower: float
    median: float
    upper: float


@dataclass(frozen=True)
class MistakeHit:
    """`mistake`: its name; None for an outcome that nobody has named, of which `told` is what its newest example was
    told. `people`: who made it; `solved`: how many of them have solved the exercise."""

    mistake: str | None
    told: str
    people: int
    solved: int
    submissions: int
    who: tuple[int, ...]


@dataclass(frozen=True)
class CaseHit:
    """`people`: of those who have not solved it, whose newest wrong submission fails this case."""

    name: str
    people: int


@dataclass(frozen=True)
class ExerciseEvidence:
    """`attempts`: people by how many attempts they needed, the last bar for `MANY_ATTEMPTS` and more. `minutes`: from
    the first attempt to the one that solved it; None where nobody did. `failing`: of how many people `cases` tells."""

    standing: Standing
    wrong: int  # submissions that were not accepted
    attempts: tuple[int, ...]
    seconds: tuple[float, ...]  # from the first attempt to solved, ascending
    minutes: Quartiles | None
    mistakes: tuple[MistakeHit, ...]
    other_mistakes: int  # that are not shown
    failing: int
    cases: tuple[CaseHit, ...]
    hints: tuple[HintOutcome, ...]
    unsolved: tuple[int, ...]  # who sent something and have not solved it


def standings_of(db: Session, scope: Scope, only: str | None = None) -> list[Standing]:
    """Of all exercises that the class has, in their order; or of this one."""
    efforts = select(Effort.exercise, func.count(), func.count(Effort.solved_at)).where(scope.has(Effort.user_id))
    if only is not None:
        efforts = efforts.where(Effort.exercise == only)
    met = {slug: (people, solvers) for slug, people, solvers in db.execute(efforts.group_by(Effort.exercise))}
    given = Counter(_given_up(db, scope))
    standings = []
    for slug, title in scope.exercises.items():
        if only in (None, slug):
            tried, solved = met.get(slug, (0, 0))
            untried, came_back = given[slug, _UNTRIED], given[slug, _SOLVED]
            gave_up = untried + given[slug, _UNSOLVED]
            standings.append(Standing(slug, title, scope.students, tried, solved, gave_up, came_back, untried))
    return standings


def exercise_evidence(
    db: Session, scope: Scope, slug: str, exercise: Exercise | None, shelf: Keeps | None
) -> ExerciseEvidence:
    """`exercise`: as it is served, if it is. Raises NotFound."""
    scope.require_exercise(slug)
    (standing,) = standings_of(db, scope, slug)
    efforts = _efforts(db, scope, slug)
    needed = Counter(min(row.until_solved, MANY_ATTEMPTS) for row in efforts if row.until_solved is not None)
    seconds = sorted((row.solved_at - row.first_at).total_seconds() for row in efforts if row.solved_at is not None)
    count = len(split_hints(exercise.hints)) if exercise is not None else 0
    opened = _hints_opened(db, scope, slug, count)
    stamp = (scope.whose, tuple((row.user_id, row.changes) for row in efforts), opened)
    key = ("exercise", scope.class_.id, slug, exercise and exercise.judging_hash, shelf is not None)
    troubles = kept(db, key, stamp, lambda: _troubles(db, scope, slug, exercise, shelf, efforts, opened, count))
    return ExerciseEvidence(
        standing,
        sum(row.wrong for row in efforts),
        tuple(needed[number] for number in range(1, MANY_ATTEMPTS + 1)),
        tuple(seconds),
        quartiles([one / 60 for one in seconds]),
        troubles.mistakes[:SHOWN],
        max(0, len(troubles.mistakes) - SHOWN),
        troubles.failing,
        troubles.cases,
        troubles.hints,
        tuple(row.user_id for row in efforts if row.solved_at is None),
    )


def quartiles(values: Sequence[float]) -> Quartiles | None:
    """By linear interpolation between neighbours, as `numpy.quantile` does it (Hyndman and Fan, "Sample quantiles in
    statistical packages", The American Statistician 50, 1996: definition 7). `values`: ascending."""
    if not values:
        return None
    lower, median, upper = (
        statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else (values[0],) * 3
    )
    return Quartiles(len(values), lower, median, upper)


# ---- rows -----------------------------------------------------------------------------------------------------

_UNTRIED, _UNSOLVED, _SOLVED = "-", "0", "1"  # what became of an exercise that somebody gave up


def _given_up(db: Session, scope: Scope) -> Iterator[tuple[str, str]]:
    """(exercise, what became of it) of each student. Asked for each student by their number: few have given up, and
    joined, all that anybody ever gave up might be read."""
    same = and_(Effort.user_id == GiveUp.user_id, Effort.exercise == GiveUp.exercise)
    became = case((Effort.user_id.is_(None), _UNTRIED), (Effort.solved_at.is_(None), _UNSOLVED), else_=_SOLVED)
    theirs = (
        select(func.aggregate_strings(GiveUp.exercise + literal(" ") + became, ","))
        .outerjoin(Effort, same)
        .where(GiveUp.user_id == Enrolment.user_id)
        .correlate(Enrolment)
    )
    for text in db.scalars(select(theirs.scalar_subquery()).where(*scope.of_class)):
        for one in text.split(",") if text else ():
            exercise, _, state = one.partition(" ")
            yield exercise, state


@dataclass(frozen=True)
class _Opened:
    """A hint that a student opened."""

    user_id: int
    number: int
    opened_at: datetime


def _hints_opened(db: Session, scope: Scope, slug: str, count: int) -> tuple[_Opened, ...]:
    """Asked for each student and hint by its key, for the same reason."""
    if not count:
        return ()
    at = [
        select(HintOpened.opened_at)
        .where(HintOpened.user_id == Enrolment.user_id, HintOpened.exercise == slug, HintOpened.number == number)
        .correlate(Enrolment)
        .scalar_subquery()
        for number in range(1, count + 1)
    ]
    rows = db.execute(select(Enrolment.user_id, *at).where(*scope.of_class).order_by(Enrolment.user_id))
    return tuple(
        _Opened(user_id, number, opened_at)
        for user_id, *theirs in rows
        for number, opened_at in enumerate(theirs, 1)
        if opened_at is not None
    )


@dataclass(frozen=True)
class _Troubles:
    """What is computed from submissions, and stays the same until the next verdict."""

    mistakes: tuple[MistakeHit, ...]
    failing: int
    cases: tuple[CaseHit, ...]
    hints: tuple[HintOutcome, ...]


def _troubles(
    db: Session,
    scope: Scope,
    slug: str,
    exercise: Exercise | None,
    shelf: Keeps | None,
    efforts: Sequence[Any],
    opened: Sequence[_Opened],
    count: int,
) -> _Troubles:
    solvers = {row.user_id for row in efforts if row.solved_at is not None}
    wrong = _wrong(db, scope, slug, solvers)
    known = known_outcomes(exercise, shelf) if exercise is not None else {}
    failing, cases = _cases(db, wrong, solvers)
    hints = hint_outcomes(db, slug, count, opened)
    return _Troubles(tuple(_mistakes(db, wrong, known)), failing, cases, tuple(hints))


@dataclass(frozen=True)
class _Wrong:
    """What one person got wrong in one way. `newest`: their last submission with it."""

    user_id: int
    mistake: str | None
    fingerprint: str | None
    submissions: int
    newest: int
    at: datetime
    has_solved: bool


def _efforts(db: Session, scope: Scope, slug: str) -> Sequence[Any]:
    columns = (Effort.user_id, Effort.changes, Effort.wrong, Effort.until_solved, Effort.first_at, Effort.solved_at)
    found = select(*columns).where(Effort.exercise == slug, scope.has(Effort.user_id))
    return db.execute(found.order_by(Effort.user_id)).all()


def _wrong(db: Session, scope: Scope, slug: str, solvers: set[int]) -> list[_Wrong]:
    by = (Submission.user_id, WrongOutcome.mistake, WrongOutcome.fingerprint)
    found = (
        select(*by, func.count(), func.max(Submission.id), func.max(Submission.created_at))
        .join(WrongOutcome, WrongOutcome.submission_id == Submission.id)
        .where(Submission.exercise == slug, scope.has(Submission.user_id))
        .group_by(*by)
    )
    return [_Wrong(*row, row.user_id in solvers) for row in db.execute(found)]


# ---- mistakes -------------------------------------------------------------------------------------------------


def _mistakes(db: Session, wrong: Iterable[_Wrong], known: Mapping[str, str]) -> list[MistakeHit]:
    """Those of most people first. An outcome is named by what the exercise knows today, too."""
    named: dict[str, list[_Wrong]] = defaultdict(list)
    unnamed: dict[int, _Wrong] = {}
    for one in wrong:
        name = one.mistake or next((known[half] for half in _halves(one) if half in known), None)
        if name is not None:
            named[name].append(one)
        elif one.fingerprint is not None:
            unnamed[one.newest] = one
    seen = [Seen(one.newest, one.user_id, one.fingerprint or "", one.at, one.has_solved) for one in unnamed.values()]
    groups = [[unnamed[one.submission_id] for one in group] for group in alike(seen)]
    groups = sorted(groups, key=lambda group: -len({one.user_id for one in group}))
    examples = examples_of(db, [max(one.newest for one in group) for group in groups[:SHOWN]])
    hits = [_hit(name, "", rows) for name, rows in named.items()]
    for group in groups:
        example = examples.get(max(one.newest for one in group))
        hits.append(_hit(None, (example.diagnosis or "") if example is not None else "", group))
    return sorted(hits, key=lambda hit: (-hit.people, hit.mistake is None, hit.mistake or "", hit.who))


def _halves(one: _Wrong) -> tuple[str, ...]:
    return halves_of(one.fingerprint) if one.fingerprint is not None else ()


def _hit(mistake: str | None, told: str, rows: Sequence[_Wrong]) -> MistakeHit:
    who = {row.user_id: row.has_solved for row in rows}
    return MistakeHit(
        mistake, told, len(who), sum(who.values()), sum(row.submissions for row in rows), tuple(sorted(who))
    )


def _cases(db: Session, wrong: Iterable[_Wrong], solvers: set[int]) -> tuple[int, tuple[CaseHit, ...]]:
    """Of whom, and on which cases the newest wrong submission of each who has not solved it fails."""
    newest: dict[int, int] = {}
    for one in wrong:
        if one.user_id not in solvers:
            newest[one.user_id] = max(newest.get(one.user_id, 0), one.newest)
    asked = sorted(newest.values(), reverse=True)[:LOOKED_INTO]
    if not asked:
        return 0, ()
    columns = (Grading.submission_id, Grading.cases, Grading.sheet_id)
    judged = select(*columns).where(Grading.submission_id.in_(asked), Grading.verdict.is_not(None)).order_by(Grading.id)
    by_submission = {row.submission_id: row for row in db.execute(judged)}  # the newest grading comes last
    sheets = sheets_of(db, {row.sheet_id for row in by_submission.values()})
    failed: Counter[str] = Counter()
    order: dict[str, int] = {}
    for row in by_submission.values():
        theirs = sheets.get(row.sheet_id) or [{}] * len(row.cases)
        for place, (of_all, own) in enumerate(zip(theirs, row.cases, strict=False)):
            if own.get("verdict", Verdict.accepted) not in (None, Verdict.accepted):
                name = str({**of_all, **own}.get("name", place + 1))
                failed[name] += 1
                order.setdefault(name, place)
    hits = [CaseHit(name, people) for name, people in failed.items()]
    return len(by_submission), tuple(sorted(hits, key=lambda hit: (-hit.people, order[hit.name])))
