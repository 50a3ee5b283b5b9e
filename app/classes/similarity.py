"""Which accepted submissions of a class are alike: a report to begin a talk with, never a verdict.

Of each student the newest accepted submission to an assigned exercise is compared (`resemblance` says how, and why an
honest class is not accused). What the exercise itself holds is nobody's: starters, reference, solutions, `provided/`
and the code in its texts. A submission whose source retention has erased is named, and not compared.

A report is kept in memory until somebody's verdict, or who is in the class, changes; it holds no source. One is made at
a time in a process, in the thread of who asked, which lets others on after each program. Who opens one is noted in
the audit log first.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.classes.assignments import Assignment, assignments_of
from app.classes.classes import Class, Member
from app.classes.resemblance import Pair, Resemblance, Run, common_above, resemblance_of, runs
from app.classes.roster import Listed, students_of
from app.classes.winnowing import VERSION, Program, program_of
from app.db import Database, read_id
from app.people.audit import note
from app.people.belongings import plain
from app.practice.efforts import Effort
from app.practice.gradings import Grading
from app.practice.submissions import Submission
from app.reading.catalog import Catalog
from app.web.errors import NotFound
from graders.cache import RecentCache
from graders.exercise.definition import Exercise
from graders.verdict import Verdict

READ_AT_ONCE = 100  # people in one statement, of which each may have sent hundreds
OVERVIEW_SECONDS = 0.15  # spent on reports that are not kept yet, before the overview is shown without the rest
KEPT_REPORTS = 512
_FENCE = re.compile(r"^(```+|~~~+)[^\n]*\n(.*?)^\1", re.MULTILINE | re.DOTALL)

MISSING = NotFound(
    "There is no such accepted submission to this exercise in this class.",
    "Open the page of the exercise again: somebody may have left the class.",
)
ERASED = NotFound(
    "The source of one of these two has been erased: it was older than this Lectern keeps sources.",
    "Their verdicts are still in the gradebook.",
)


@dataclass(frozen=True)
class Sent:
    """A student's newest accepted submission. `first_at`: when their first one that was accepted was sent. `own`: how
    many of its tokens are not the exercise's; None where nothing is left to read."""

    user_id: int
    submission: int
    at: datetime
    first_at: datetime
    own: int | None = None


@dataclass(frozen=True)
class Alike:
    """Two of a cluster: on the left, who had theirs accepted first."""

    left: Sent
    right: Sent
    share: float
    tokens: int
    longest: int
    runs: tuple[Run, ...]


@dataclass(frozen=True)
class Cluster:
    """By who was first. `pairs`: the most alike first; what is alike only by way of others has none."""

    members: tuple[Sent, ...]
    pairs: tuple[Alike, ...]


@dataclass(frozen=True)
class Report:
    """`students`: in the class. `common_above`: what more than so many have counts for nothing. `is_cut`: it would
    have taken too long to look at everything that many share."""

    slug: str
    students: int
    compared: int
    too_short: tuple[Sent, ...]
    erased: tuple[Sent, ...]
    clusters: tuple[Cluster, ...]
    common_above: int
    is_cut: bool

    @property
    def people(self) -> int:
        """In clusters."""
        return sum(len(cluster.members) for cluster in self.clusters)

    def as_json(self, names: Mapping[int, Listed]) -> dict[str, Any]:
        return {
            "slug": self.slug,
            "students": self.students,
            "compared": self.compared,
            "too_short": [_sent_json(one, names) for one in self.too_short],
            "erased": [_sent_json(one, names) for one in self.erased],
            "common_above": self.common_above,
            "is_cut": self.is_cut,
            "clusters": [
                {
                    "members": [_sent_json(one, names) for one in cluster.members],
                    "pairs": [_pair_json(pair) for pair in cluster.pairs],
                }
                for cluster in self.clusters
            ],
        }


@dataclass(frozen=True)
class Beside:
    """Two submissions, with their sources, as they are shown beside each other."""

    left: Sent
    right: Sent
    left_source: str
    right_source: str
    runs: tuple[Run, ...]
    pair: Alike | None  # where the report has these two


@dataclass(frozen=True)
class _Kept:
    """`signature`: of what it was made from."""

    signature: tuple[Any, ...]
    report: Report
    submissions: tuple[int, ...]  # whose sources were read


def report_of(database: Database, catalog: Catalog, class_: Class, slug: str) -> tuple[Report, dict[int, Listed]]:
    """Of an assigned exercise; and the students by id. Opens transactions of its own: it is called with none open.
    Raises NotFound where the exercise is not published any more."""
    exercise = _require_exercise(catalog, slug)
    with database.reading() as db:
        people = {one.user: one for one in students_of(db, class_) if one.user is not None}
        kept = _kept(database, db, class_, exercise, list(people))
    if kept is not None:
        return kept.report, people
    with _turn:
        with database.reading() as db:
            signature = _signatures(db, list(people), [slug]).get(slug, ())
            kept = _kept(database, db, class_, exercise, list(people))
            sent, sources = ([], {}) if kept is not None else _read(db, slug, list(people))
        if kept is None:
            report = _made(exercise, sent, sources, len(people))
            key = (*signature, tuple(people), exercise.content_hash)
            _reports_of(database).put((class_.id, slug), kept := _Kept(key, report, tuple(sources)))
    return kept.report, people


def overview_of(
    database: Database,
    catalog: Catalog,
    class_: Class,
    seconds: float = OVERVIEW_SECONDS,
    *,
    clock: Callable[[], float] = time.monotonic,
) -> list[tuple[Assignment, Report | None]]:
    """The assigned exercises, each with its report, or None where that would take longer than these seconds."""
    until = clock() + seconds
    # Erased sources are missed here, and by the page of the exercise not: that would be as many questions.
    with database.reading() as db:
        rows = [row for row in assignments_of(db, class_) if row.kind == "exercise" and row.slug in catalog.exercises]
        user_ids = [one.user for one in students_of(db, class_) if one.user is not None]
        signatures = _signatures(db, user_ids, [row.slug for row in rows])
    found: list[tuple[Assignment, Report | None]] = []
    for row in rows:
        exercise = catalog.exercises[row.slug]
        kept = _reports_of(database).get((class_.id, row.slug))
        is_valid = kept is not None and kept.signature == (
            *signatures.get(row.slug, ()), tuple(user_ids), exercise.content_hash,
        )  # fmt: skip
        if kept is not None and is_valid:
            found.append((row, kept.report))
        elif clock() < until:
            found.append((row, report_of(database, catalog, class_, row.slug)[0]))
        else:
            found.append((row, None))
    return found


def beside(
    database: Database, catalog: Catalog, class_: Class, slug: str, left: str, right: str
) -> tuple[Beside, dict[int, Listed]]:
    """Two accepted submissions to this exercise by two students of this class, as an address names them, who was first
    on the left. Raises NotFound.

    attack: the number of somebody's submission in another class, or to another exercise. defence: what is shown is
    looked up among what this class's students sent to this exercise, and nothing else is.
    """
    report, people = report_of(database, catalog, class_, slug)
    with database.reading() as db:
        found = _named(db, slug, people, [left, right])
        sources = _sources(db, [one.submission for one in found])
    if len(found) != 2 or found[0].user_id == found[1].user_id:
        raise MISSING
    if len(sources) != 2:
        raise ERASED
    first, second = sorted(found, key=lambda one: (one.first_at, one.submission))
    ours = base_of(_require_exercise(catalog, slug))
    programs = [program_of(sources[one.submission]) for one in (first, second)]
    theirs = {gram for program in programs for gram in program.fingerprints if gram not in ours}
    both = {first.submission, second.submission}
    pairs = (pair for cluster in report.clusters for pair in cluster.pairs)
    pair = next((one for one in pairs if {one.left.submission, one.right.submission} == both), None)
    shown = pair.runs if pair is not None else runs(programs[0], programs[1], theirs)
    texts = [sources[one.submission].decode("utf-8", "replace") for one in (first, second)]
    return Beside(first, second, texts[0], texts[1], shown, pair), people


def note_opened(database: Database, member: Member, **what: Any) -> None:
    """Before anything is shown. `what`: the exercise's `slug`, and the two `submissions`."""
    with database.writing() as db:
        note(db, member.user, member.class_.as_thing, "similarity opened", what)


def note_exported(database: Database, member: Member, **what: Any) -> None:
    """Before anything is sent."""
    with database.writing() as db:
        note(db, member.user, member.class_.as_thing, "similarity exported", what)


def sources_of(database: Database, catalog: Catalog, class_: Class, slug: str) -> list[tuple[Sent, Listed, bytes]]:
    """All that can be compared, the first first, for another program to compare. Raises NotFound."""
    _require_exercise(catalog, slug)
    with database.reading() as db:
        people = {one.user: one for one in students_of(db, class_) if one.user is not None}
        sent, sources = _read(db, slug, list(people))
    return [(one, people[one.user_id], sources[one.submission]) for one in sent if one.submission in sources]


# ---- what is nobody's -----------------------------------------------------------------------------------------


def base_of(exercise: Exercise) -> frozenset[int]:
    """The grams of the exercise's own code, in every framework, and of the code in what it tells students; of all its
    variants, since a class has them side by side."""
    if (known := _bases.get((exercise.content_hash, VERSION))) is not None:
        return known
    texts = {text for variant in (exercise, *exercise.others) for text in _own_code(variant)}
    grams = {gram for text in texts for gram in program_of(text.encode()).grams}
    return _bases.put((exercise.content_hash, VERSION), frozenset(grams))


def _own_code(exercise: Exercise) -> Iterable[str]:
    yield from (exercise.starter(framework) for framework in exercise.frameworks)
    yield from (source.text for source in (exercise.reference, *exercise.solutions))
    for path, content in exercise.files.items():
        if path.startswith("provided/") and path.endswith(".py"):
            yield content.decode("utf-8", "replace")
    for text in (exercise.statement, exercise.hints, exercise.solution):
        yield from (fence[2] for fence in _FENCE.finditer(text))


# ---- making a report ------------------------------------------------------------------------------------------


def _made(exercise: Exercise, sent: Sequence[Sent], sources: Mapping[int, bytes], students: int) -> Report:
    base = base_of(exercise)
    programs: dict[int, Program] = {}
    for one in sent:
        if one.submission in sources:
            programs[one.submission] = program_of(sources[one.submission])
            time.sleep(0)  # others' requests come first
    found = resemblance_of(programs, base)
    by_id = {
        one.submission: Sent(one.user_id, one.submission, one.at, one.first_at, found.own.get(one.submission))
        for one in sent
    }
    return Report(
        exercise.slug,
        students,
        len(programs) - len(found.too_short),
        tuple(one for one in by_id.values() if one.submission in found.too_short),
        tuple(one for one in by_id.values() if one.submission not in programs),
        tuple(_cluster(keys, found, by_id) for keys in found.clusters),
        common_above(len(programs)),
        found.is_cut,
    )


def _cluster(keys: Sequence[int], found: Resemblance, by_id: Mapping[int, Sent]) -> Cluster:
    inside = frozenset(keys)
    pairs = tuple(_alike(pair, by_id) for pair in found.pairs if pair.left in inside)
    return Cluster(tuple(one for one in by_id.values() if one.submission in inside), pairs)


def _alike(pair: Pair, by_id: Mapping[int, Sent]) -> Alike:
    return Alike(by_id[pair.left], by_id[pair.right], pair.share, pair.tokens, pair.longest, pair.runs)


def _sent_json(one: Sent, names: Mapping[int, Listed]) -> dict[str, Any]:
    return {
        "user": one.user_id,
        "name": names[one.user_id].label if one.user_id in names else "",
        "submission": one.submission,
        "sent_at": plain(one.at),
        "first_accepted_at": plain(one.first_at),
        "tokens": one.own,
    }


def _pair_json(pair: Alike) -> dict[str, Any]:
    return {
        "left": pair.left.submission,
        "right": pair.right.submission,
        "share": round(pair.share, 4),
        "tokens": pair.tokens,
        "longest": pair.longest,
        "runs": [vars(run) for run in pair.runs],
    }


# ---- rows -----------------------------------------------------------------------------------------------------


def _kept(database: Database, db: Session, class_: Class, exercise: Exercise, user_ids: Sequence[int]) -> _Kept | None:
    """The report that is kept, if it would come out the same today."""
    kept = _reports_of(database).get((class_.id, exercise.slug))
    if kept is None:
        return None
    now = _signatures(db, user_ids, [exercise.slug]).get(exercise.slug, ())
    if kept.signature != (*now, tuple(user_ids), exercise.content_hash):
        return None
    erased = select(func.count()).where(Submission.erased_at.is_not(None))
    is_erased = any(db.scalar(erased.where(Submission.id.in_(some))) for some in _lots(kept.submissions, 400))
    return None if is_erased else kept


def _signatures(db: Session, user_ids: Sequence[int], slugs: Sequence[str]) -> dict[str, tuple[Any, ...]]:
    """By exercise, what changes with each verdict."""
    found: dict[str, list[Any]] = {}
    for some in _lots(user_ids, 400):
        of_class = (Effort.user_id.in_(some), Effort.exercise.in_(slugs))
        counted = select(Effort.exercise, func.count(), func.sum(Effort.changes)).where(*of_class)
        for slug, count, changes in db.execute(counted.group_by(Effort.exercise)):
            found.setdefault(slug, []).extend((int(count), int(changes)))
    return {slug: tuple(parts) for slug, parts in found.items()}


def _read(db: Session, slug: str, user_ids: Sequence[int]) -> tuple[list[Sent], dict[int, bytes]]:
    """Each one's newest accepted submission, by who was first; and the sources that are not erased."""
    solved = select(Effort.user_id).where(Effort.exercise == slug, Effort.solved_at.is_not(None))
    sent: list[Any] = []
    for some in _lots(user_ids, READ_AT_ONCE):
        people = list(db.scalars(solved.where(Effort.user_id.in_(some))))
        accepted = _accepted(slug, people).with_only_columns(
            Submission.user_id, func.max(Submission.id).label("id"), func.min(Submission.created_at).label("first_at")
        )
        sent += db.execute(accepted.group_by(Submission.user_id)).all()
    times: dict[int, datetime] = {}
    for some in _lots([row.id for row in sent], READ_AT_ONCE):
        rows = select(Submission.id, Submission.created_at).where(Submission.id.in_(some))
        times.update((row.id, row.created_at) for row in db.execute(rows))
    found = [Sent(row.user_id, row.id, times[row.id], row.first_at) for row in sent]
    found.sort(key=lambda one: (one.first_at, one.submission))
    return found, _sources(db, [one.submission for one in found])


def _accepted(slug: str, user_ids: Sequence[int]) -> Any:
    """What these people sent to it for credit that was accepted, by its newest grading."""
    newest = select(func.max(Grading.id)).where(Grading.submission_id == Submission.id).correlate(Submission)
    return (
        select(Submission.id)
        .join(Grading, Grading.id == newest.scalar_subquery())
        .where(Submission.user_id.in_(user_ids), Submission.exercise == slug, Submission.kind == "submit")
        .where(Grading.verdict == Verdict.accepted)
    )


def _named(db: Session, slug: str, people: Mapping[int, Listed], names: Sequence[str]) -> list[Sent]:
    """Those of the submissions that an address names that are accepted ones to this exercise, by these people."""
    ids = [number for name in names if (number := read_id(name)) is not None]
    whose = select(Submission.id, Submission.user_id).where(Submission.id.in_(ids), Submission.exercise == slug)
    user_ids = [row.user_id for row in db.execute(whose) if row.user_id in people]
    if not user_ids:
        return []
    columns = (Submission.id, Submission.user_id, Submission.created_at)
    rows = db.execute(_accepted(slug, user_ids).with_only_columns(*columns)).all()
    first: dict[int, datetime] = {}
    for row in rows:
        first[row.user_id] = min(first.get(row.user_id, row.created_at), row.created_at)
    return [Sent(row.user_id, row.id, row.created_at, first[row.user_id]) for row in rows if row.id in ids]


def _sources(db: Session, ids: Sequence[int]) -> dict[int, bytes]:
    found: dict[int, bytes] = {}
    for some in _lots(ids, READ_AT_ONCE):
        rows = select(Submission.id, Submission.source).where(Submission.id.in_(some), Submission.erased_at.is_(None))
        found.update((row.id, row.source) for row in db.execute(rows))
    return found


def _lots(ids: Sequence[int], size: int) -> Iterable[Sequence[int]]:
    return (ids[begin : begin + size] for begin in range(0, len(ids), size))


def _require_exercise(catalog: Catalog, slug: str) -> Exercise:
    """Raises NotFound: without the exercise's own code everybody who began with it would look alike."""
    exercise = catalog.exercises.get(slug)
    if exercise is None:
        raise NotFound("This exercise is not published any more, so nothing can be compared.", "Publish it again.")
    return exercise


def _reports_of(database: Database) -> RecentCache[tuple[int, str], _Kept]:
    with _opening:
        return _reports.setdefault(database, RecentCache(KEPT_REPORTS))


_turn, _opening = Lock(), Lock()
_reports: WeakKeyDictionary[Database, RecentCache[tuple[int, str], _Kept]] = WeakKeyDictionary()
_bases: RecentCache[tuple[str, int], frozenset[int]] = RecentCache(256)
