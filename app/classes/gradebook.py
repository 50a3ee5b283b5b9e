"""The gradebook: for each student and assignment what counts, after lateness, and each student's total in one sentence.

What an exercise comes to is computed from all that a student sent to it, once: `gradebook_cell` keeps it until they
send something else (`effort.changes`) or the assignment's terms change, for them or for all. Quiz attempts are few, and
computed each time; and so is what points given by hand add to an exercise, which is kept nowhere but with the points.

A process keeps each student's finished row as well, with all that it was computed from: for a whole class, only the
rows of those are made who did something since.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlalchemy import CheckConstraint, Double, ForeignKey, Index, String, and_, func, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.assignments import Assignment, Extension, Kind, assignments_of, extensions_of, own_slug, title_of
from app.classes.classes import Class, Member
from app.classes.evidence_kept import kept
from app.classes.lateness import PRECISION, Attempt, Counted, Terms, best_of
from app.classes.rights import ClassRole
from app.classes.roster import Listed, require_enrolled, students_of
from app.classes.rubrics import HandGrade, Rubric, hand_grades_of, rubrics_of
from app.db import Base, Database, Moment, now
from app.people.audit import note
from app.people.belongings import Belonging, plain, register, take_over_new
from app.practice.efforts import Effort, judged_submissions
from app.quizzes.sittings import Sitting, has_met
from app.reading.catalog import Catalog
from app.web.errors import Invalid, NotFound
from graders.text import storable

AT_ONCE = 400  # people in one statement
READ_AT_ONCE = 20  # people whose submissions are read in one, of which each may have hundreds

Key = tuple[str, str]  # kind and slug


class GradebookCell(Base):
    """What a student's submissions to an assigned exercise come to, as long as `changes` and `terms` are the same."""

    __tablename__ = "gradebook_cell"
    __table_args__ = (Index("ix_gradebook_cell_user_id", "user_id"),)

    class_id: Mapped[int] = mapped_column(ForeignKey("class.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    slug: Mapped[str] = mapped_column(String(120), primary_key=True)
    changes: Mapped[int]
    terms: Mapped[str] = mapped_column(String(32))
    score: Mapped[float | None] = mapped_column(Double)
    raw: Mapped[float | None] = mapped_column(Double)
    late_days: Mapped[int] = mapped_column(default=0)
    attempts: Mapped[int] = mapped_column(default=0)
    submission_id: Mapped[int | None]


class ScoreOverride(Base):
    """A score that an instructor gave in place of what was computed."""

    __tablename__ = "score_override"
    __table_args__ = (
        CheckConstraint("kind IN ('exercise', 'quiz')", "kind"),
        CheckConstraint("score >= 0 AND score <= 1", "score"),
        Index("ix_score_override_user_id", "user_id"),
        Index("ix_score_override_by_id", "by_id"),
    )

    class_id: Mapped[int] = mapped_column(ForeignKey("class.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    slug: Mapped[str] = mapped_column(String(120), primary_key=True)
    score: Mapped[float] = mapped_column(Double)
    reason: Mapped[str] = mapped_column(String(500))
    by_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id", ondelete="SET NULL"))
    at: Mapped[datetime] = mapped_column(Moment, default=now)


@dataclass(frozen=True, slots=True)
class Cell:
    """`score`: in [0, 1], after lateness; an instructor's, where `override` tells why. `raw`: before lateness.
    `submission` or `sitting`: the one that counts. `is_waiting`: a person has yet to grade a part of it."""

    score: float | None = None
    raw: float | None = None
    late_days: int = 0
    attempts: int = 0
    submission: int | None = None
    sitting: int | None = None
    override: str | None = None
    is_waiting: bool = False
    is_excused: bool = False
    is_missing: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.attempts and self.score is None and not self.is_excused

    def as_json(self) -> dict[str, Any] | None:
        if self.is_empty:
            return None
        return {
            "score": self.score,
            "late_days": self.late_days,
            "attempts": self.attempts,
            "submission": self.submission,
            "sitting": self.sitting,
            "raw": self.raw,
            "override": self.override,
            "waiting": self.is_waiting,
            "excused": self.is_excused,
        }


EMPTY = Cell()


@dataclass(frozen=True)
class Column:
    """An assignment as a column of the gradebook."""

    assignment: Assignment
    title: str

    @cached_property  # each is asked for in every row
    def key(self) -> Key:
        return self.assignment.key

    @cached_property
    def weight(self) -> float:
        return self.assignment.weight

    def as_json(self) -> dict[str, Any]:
        row = self.assignment
        return {
            "kind": row.kind,
            "slug": row.slug,
            "title": self.title,
            "weight": row.weight,
            "due_at": plain(row.due_at),
        }


@dataclass(frozen=True)
class Total:
    """`score`: in [0, 1]; None before anything counts. `dropped`: the columns that were left out as the lowest."""

    score: float | None
    counted: int
    missing: int
    excused: int
    dropped: frozenset[Key]
    earned: float
    possible: float

    @property
    def sentence(self) -> str:
        """How it came about, for the student."""
        if self.score is None:
            return "Nothing counts yet: a score counts once you have one, or once its due date has passed."
        assignments = "1 assignment" if self.counted == 1 else f"{self.counted} assignments"
        parts = [f"{_percent(self.score)}: {self.earned:g} of {self.possible:g} points of weight in {assignments}"]
        if self.missing:
            parts.append(f"{self.missing} missing, which counts as 0")
        if self.dropped:
            lowest = "the lowest score is" if len(self.dropped) == 1 else f"the {len(self.dropped)} lowest scores are"
            parts.append(f"{lowest} left out")
        if self.excused:
            parts.append(f"{self.excused} excused")
        return "; ".join(parts) + "."


def _percent(score: float) -> str:
    return f"{round(100 * score, 1):g}%"


@dataclass(frozen=True)
class Row:
    student: Listed
    cells: tuple[Cell, ...]
    total: Total

    def as_json(self) -> dict[str, Any]:
        return {
            "user": self.student.user,
            "email": self.student.email,
            "name": self.student.name,
            "section": self.student.section,
            "cells": [cell.as_json() for cell in self.cells],
            "total": self.total.score,
            "total_text": self.total.sentence,
        }

    @cached_property  # a row is kept from one request to the next
    def json_text(self) -> str:
        return json.dumps(self.as_json(), ensure_ascii=False, allow_nan=False)

    @cached_property
    def percentages(self) -> tuple[float | None, ...]:
        """Of each cell; None for what is excused or has no score."""
        scores = (None if cell.is_excused else cell.score for cell in self.cells)
        return tuple(None if score is None else round(100 * score, 4) for score in scores)


@dataclass(frozen=True)
class Gradebook:
    class_: Class
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    def as_json(self) -> dict[str, Any]:
        return {"columns": [column.as_json() for column in self.columns], "rows": [row.as_json() for row in self.rows]}

    @property
    def json_text(self) -> str:
        """`as_json`, written."""
        columns = json.dumps([column.as_json() for column in self.columns], ensure_ascii=False)
        return f'{{"columns": {columns}, "rows": [{", ".join(row.json_text for row in self.rows)}]}}'


@dataclass(frozen=True)
class _Computed:
    """What is to be kept of one student's exercise."""

    user_id: int
    slug: str
    changes: int
    terms: str
    counted: Counted | None


def gradebook_of(
    database: Database,
    catalog: Catalog,
    class_: Class,
    students: Sequence[Listed] | None = None,
    *,
    at: datetime | None = None,
    hides_hidden: bool = False,
    only: Collection[Key] | None = None,
) -> Gradebook:
    """Of these students, or of all. `hides_hidden`: as a student sees it. `only`: these assignments. What had to be
    computed is kept.

    Opens transactions of its own: it is called with none open."""
    at = at or now()
    with database.reading() as db:
        people = list(students) if students is not None else students_of(db, class_)
        assignments = [row for row in assignments_of(db, class_) if not (hides_hidden and row.is_hidden_at(at))]
        if only is not None:
            assignments = [row for row in assignments if row.key in only]
        columns = tuple(Column(row, title_of(catalog, class_, row.kind, row.slug)) for row in assignments)
        user_ids = [one.user for one in people if one.user is not None]
        some = user_ids if students is not None else None
        sources = _Sources(
            class_,
            columns,
            at,
            extensions_of(db, class_, some),
            _overrides(db, class_, some),
            *_hand_grading(db, class_, assignments, some),
            _sittings(db, class_, user_ids, assignments),
        )
        # Of all assignments as staff see them: what is asked for again and again.
        rows: dict[int, tuple[Hashable, Row]] = {}
        marks: Mapping[int, Hashable] = {}
        if only is None and not hides_hidden:
            rows = kept(db, ("gradebook", class_.id), None, dict, is_book=True)
            marks = _marks(db, user_ids, assignments)
        stamps = {one.user: (one, sources.stamp_of(one.user), marks.get(one.user)) for one in people if one.user}
        stale = {id for id, stamp in stamps.items() if id not in rows or rows[id][0] != stamp}
        cells, computed = _exercise_cells(db, class_, sorted(stale), assignments, sources.extensions)
    if computed:
        _keep(database, class_.id, computed)
    made = []
    for one in people:
        user_id = one.user or 0
        if user_id in stale or user_id not in rows:
            rows[user_id] = stamps.get(user_id), sources.row_of(one, user_id, cells)
        made.append(rows[user_id][1])
    return Gradebook(class_, columns, tuple(made))


@dataclass(frozen=True)
class _Sources:
    """What rows are computed from, but for the submissions to exercises."""

    class_: Class
    columns: tuple[Column, ...]
    at: datetime
    extensions: Mapping[int, Mapping[Key, Extension]]
    overrides: Mapping[int, Mapping[Key, tuple[float, str]]]
    rubrics: Mapping[str, Rubric]
    hand_grades: Mapping[int, Mapping[str, HandGrade]]
    sittings: Mapping[int, Mapping[str, Sequence[Any]]]

    @cached_property
    def general(self) -> tuple[Terms, ...]:
        return tuple(column.assignment.terms(self.class_.timezone) for column in self.columns)

    @cached_property
    def _common(self) -> bytes:
        """Of every row: the columns in their order, and which of them are due by now."""
        columns = tuple(
            (column.key, column.weight, column.assignment.late_per_day, column.assignment.access_code is not None)
            for column in self.columns
        )
        due = tuple(terms.is_due_at(self.at) for terms in self.general)
        rubrics = tuple((slug, repr(rubric.rows), rubric.hand_weight) for slug, rubric in sorted(self.rubrics.items()))
        common = (columns, self.general, due, rubrics, self.class_.drop_lowest)
        return hashlib.sha256(repr(common).encode()).digest()

    def stamp_of(self, user_id: int) -> Hashable:
        """The same as long as all that is here of a student is the same."""
        own: Hashable = ()
        if (extensions := self.extensions.get(user_id)) is not None:
            terms = [self._terms(*one, extensions) for one in zip(self.columns, self.general, strict=True)]
            own = tuple((repr(one), one.is_due_at(self.at)) for one in terms)
        sittings = tuple((slug, *map(tuple, some)) for slug, some in sorted(self.sittings.get(user_id, {}).items()))
        hand = tuple(
            (slug, grade.submission_id, repr(sorted(grade.points.items())))
            for slug, grade in sorted(self.hand_grades.get(user_id, {}).items())
        )
        return self._common, own, tuple(sorted(self.overrides.get(user_id, {}).items())), sittings, hand

    def row_of(self, student: Listed, user_id: int, exercise_cells: Mapping[tuple[int, str], Cell]) -> Row:
        extensions, overrides = self.extensions.get(user_id, {}), self.overrides.get(user_id, {})
        line = []
        for column, terms in zip(self.columns, self.general, strict=True):
            terms = self._terms(column, terms, extensions)
            if column.key[0] == "quiz":
                cell = _quiz_cell(terms, self.sittings.get(user_id, {}).get(column.key[1], ()))
            else:
                cell = self._with_hand_grade(column, user_id, exercise_cells.get((user_id, column.key[1]), EMPTY))
            line.append(_finished(cell, terms, overrides.get(column.key), self.at))
        return Row(student, tuple(line), total_of(self.columns, line, self.class_.drop_lowest))

    def _terms(self, column: Column, general: Terms, extensions: Mapping[Key, Extension]) -> Terms:
        extension = extensions.get(column.key) if extensions else None
        return general if extension is None else column.assignment.terms(self.class_.timezone, extension)

    def _with_hand_grade(self, column: Column, user_id: int, cell: Cell) -> Cell:
        rubric = self.rubrics.get(column.key[1])
        if rubric is None or cell.raw is None:
            return cell
        grade = self.hand_grades.get(user_id, {}).get(column.key[1])
        return with_hand_grade(cell, column.assignment.late_per_day, rubric, grade)


def _finished(cell: Cell, terms: Terms, override: tuple[float, str] | None, at: datetime) -> Cell:
    if override is not None:
        cell = replace(cell, score=override[0], override=override[1])
    if terms.excused:
        return replace(cell, is_excused=True)
    if cell.score is None and not cell.attempts and terms.is_due_at(at):
        return replace(cell, is_missing=True)
    return cell


def total_of(columns: Sequence[Column], cells: Sequence[Cell], drop_lowest: int) -> Total:
    """The mean by weight of what counts: what has a score, and what is missing after its due date, as 0. Of these the
    `drop_lowest` lowest scores are left out, of equals the lighter ones; but never the last that is left."""
    counted = [
        (cell.score or 0.0, column.weight, column.key)
        for column, cell in zip(columns, cells, strict=True)
        if not cell.is_excused and (cell.score is not None or cell.is_missing) and column.weight > 0
    ]
    by_score = sorted(counted, key=lambda one: (one[0], one[1], one[2]))
    dropped = frozenset(key for _, _, key in by_score[: min(drop_lowest, max(0, len(counted) - 1))])
    left = [one for one in counted if one[2] not in dropped]
    possible = sum(weight for _, weight, _ in left)
    earned = sum(score * weight for score, weight, _ in left)
    keys = {key for _, _, key in left}
    missing = sum(cell.is_missing and column.key in keys for column, cell in zip(columns, cells, strict=True))
    excused = sum(cell.is_excused for cell in cells)
    score = round(earned / possible, PRECISION) if possible else None
    return Total(score, len(left), missing, excused, dropped, round(earned, 4), round(possible, 4))


# ---- exercises ------------------------------------------------------------------------------------------------


def _exercise_cells(
    db: Session,
    class_: Class,
    user_ids: Sequence[int],
    assignments: Iterable[Assignment],
    extensions: Mapping[int, Mapping[Key, Extension]],
) -> tuple[dict[tuple[int, str], Cell], list[_Computed]]:
    """By person and exercise; and what was not kept yet."""
    wanted = {row.slug: row for row in assignments if row.kind == "exercise"}
    cells: dict[tuple[int, str], Cell] = {}
    if not wanted or not user_ids:
        return cells, []
    general = {slug: row.terms(class_.timezone) for slug, row in wanted.items()}
    digests = {slug: _digest(terms) for slug, terms in general.items()}
    stale: list[tuple[int, str, int, Terms, str]] = []
    kept = (GradebookCell.changes, GradebookCell.terms, GradebookCell.score, GradebookCell.raw)
    kept_too = (GradebookCell.late_days, GradebookCell.attempts, GradebookCell.submission_id)
    same = and_(
        GradebookCell.class_id == class_.id,
        GradebookCell.user_id == Effort.user_id,
        GradebookCell.slug == Effort.exercise,
    )
    efforts = select(Effort.user_id, Effort.exercise, Effort.changes.label("now"), *kept, *kept_too)
    efforts = efforts.outerjoin(GradebookCell, same)
    for some in _lots(user_ids):
        asked = efforts.where(Effort.user_id.in_(some), Effort.exercise.in_(wanted))
        for user_id, slug, changes, was, digest, score, raw, late, attempts, submission in db.execute(asked):
            extension = extensions[user_id].get(("exercise", slug)) if user_id in extensions else None
            if extension is None:
                terms, expected = general[slug], digests[slug]
            else:
                terms = wanted[slug].terms(class_.timezone, extension)
                expected = _digest(terms)
            if was == changes and digest == expected:
                cells[user_id, slug] = Cell(score, raw, late, attempts, submission)
            else:
                stale.append((user_id, slug, changes, terms, expected))
    computed = _computed(db, stale)
    for one in computed:
        if (found := one.counted) is not None:
            cell = Cell(found.score, found.raw, found.late_days, found.attempts, found.id)
            cells[one.user_id, one.slug] = cell
    return cells, computed


def _computed(db: Session, stale: Sequence[tuple[int, str, int, Terms, str]]) -> list[_Computed]:
    pairs = {(user_id, slug) for user_id, slug, *_ in stale}
    attempts: dict[tuple[int, str], list[Attempt]] = defaultdict(list)
    slugs = sorted({slug for _, slug in pairs})
    for some in _lots(sorted({user_id for user_id, _ in pairs}), READ_AT_ONCE):
        for row in db.execute(judged_submissions(some, slugs)):
            if (row.user_id, row.exercise) in pairs:
                attempts[row.user_id, row.exercise].append(Attempt(row.id, row.created_at, row.score or 0.0))
    return [
        _Computed(user_id, slug, changes, digest, best_of(terms, attempts[user_id, slug]))
        for user_id, slug, changes, terms, digest in stale
    ]


def _marks(db: Session, user_ids: Sequence[int], assignments: Iterable[Assignment]) -> Mapping[int, Hashable]:
    """By person: another one with each verdict on their submissions to these, since `changes` only grow."""
    slugs = [row.slug for row in assignments if row.kind == "exercise"]
    marks: dict[int, Hashable] = {}
    sums = (func.count(), func.sum(Effort.changes), func.sum(Effort.attempts), func.max(Effort.last_at))
    for some in _lots(user_ids) if slugs else ():
        asked = select(Effort.user_id, *sums).where(Effort.user_id.in_(some), Effort.exercise.in_(slugs))
        for user_id, *mark in db.execute(asked.group_by(Effort.user_id)):
            marks[user_id] = tuple(mark)
    return marks


def _hand_grading(
    db: Session, class_: Class, assignments: Iterable[Assignment], user_ids: Sequence[int] | None
) -> tuple[dict[str, Rubric], dict[int, dict[str, HandGrade]]]:
    """The rubrics of exercises that have points to give, and the points given, by person and exercise."""
    rubrics = {slug: row for (kind, slug), row in rubrics_of(db, class_).items() if kind == "exercise"}
    graded = {row.slug for row in assignments if row.kind == "exercise" and row.slug in rubrics}
    rubrics = {slug: rubrics[slug] for slug in graded if rubrics[slug].is_graded}
    grades: dict[int, dict[str, HandGrade]] = defaultdict(dict)
    for (user_id, slug), grade in hand_grades_of(db, class_, rubrics, user_ids).items() if rubrics else ():
        grades[user_id][slug] = grade
    return rubrics, grades


def with_hand_grade(cell: Cell, late_per_day: float, rubric: Rubric, grade: HandGrade | None) -> Cell:
    """What counts once the points given by hand have joined the automatic score. Until they are there it waits, with
    the automatic part alone; points for an earlier submission than the one that counts now hold until new ones."""
    share = grade.share_by(rubric) if grade is not None else None
    raw = (1 - rubric.hand_weight) * (cell.raw or 0.0) + rubric.hand_weight * (share or 0.0)
    score = round(raw * max(0.0, 1.0 - late_per_day * cell.late_days), PRECISION)
    waits = share is None or grade is None or grade.submission_id != cell.submission
    return replace(cell, raw=round(raw, PRECISION), score=score, is_waiting=waits)


_KEEP = text("""
    INSERT INTO gradebook_cell (class_id, user_id, slug, changes, terms, score, raw, late_days, attempts, submission_id)
    VALUES (:class_id, :user_id, :slug, :changes, :terms, :score, :raw, :late_days, :attempts, :submission_id)
    ON CONFLICT (class_id, user_id, slug) DO UPDATE SET
        changes = excluded.changes, terms = excluded.terms, score = excluded.score, raw = excluded.raw,
        late_days = excluded.late_days, attempts = excluded.attempts, submission_id = excluded.submission_id
""")


def _keep(database: Database, class_id: int, computed: Sequence[_Computed]) -> None:
    """Nobody needs it: it can be computed again. So it need not survive a power cut, and where a student or the class
    is deleted at this very moment, it is let go."""
    with suppress(IntegrityError), database.changing(durable=False) as db:
        db.execute(_KEEP, [_row(class_id, one) for one in computed])


def _row(class_id: int, one: _Computed) -> dict[str, Any]:
    found = one.counted
    return {
        "class_id": class_id,
        "user_id": one.user_id,
        "slug": one.slug,
        "changes": one.changes,
        "terms": one.terms,
        "score": found.score if found else None,
        "raw": found.raw if found else None,
        "late_days": found.late_days if found else 0,
        "attempts": found.attempts if found else 0,
        "submission_id": found.id if found else None,
    }


def _digest(terms: Terms) -> str:
    return hashlib.sha256(repr(terms).encode()).hexdigest()[:32]


# ---- quizzes --------------------------------------------------------------------------------------------------


def _sittings(
    db: Session, class_: Class, user_ids: Sequence[int], assignments: Iterable[Assignment]
) -> dict[int, dict[str, list[Any]]]:
    """Submitted attempts by person and quiz."""
    wanted = {row.slug: row for row in assignments if row.kind == "quiz"}
    taken: dict[int, dict[str, list[Any]]] = {}
    if not wanted:
        return taken
    columns = (Sitting.id, Sitting.user_id, Sitting.lesson, Sitting.submitted_at, Sitting.score, Sitting.points)
    coded = {slug for slug, row in wanted.items() if row.access_code is not None}
    for some in _lots(user_ids):
        sittings = select(*columns, Sitting.waiting, Sitting.was_guests, Sitting.met, Sitting.started_at).where(
            Sitting.user_id.in_(some), Sitting.course == class_.course, Sitting.lesson.in_(wanted),
            Sitting.submitted_at.is_not(None),
        )  # fmt: skip
        for row in db.execute(sittings.order_by(Sitting.id)):
            # attack: sit it as a guest, or before joining, or by the terms of another class, where nobody asks for
            # this class's code. defence: that one does not count.
            if row.lesson not in coded or (has_met(row.met, class_.id) and not row.was_guests):
                taken.setdefault(row.user_id, {}).setdefault(row.lesson, []).append(row)
    return taken


def _quiz_cell(terms: Terms, sittings: Sequence[Any]) -> Cell:
    # attack: begin it where another class has opened it already, and submit it once it is open here. defence: what was
    # begun before does not count
    begun = [row for row in sittings if terms.opens_at is None or row.started_at >= terms.opens_at]
    attempts = [Attempt(row.id, row.submitted_at, row.score / row.points if row.points else 0.0) for row in begun]
    found = best_of(terms, attempts)
    if found is None:
        return EMPTY
    waiting = any(row.waiting for row in sittings)
    return Cell(found.score, found.raw, found.late_days, found.attempts, None, found.id, is_waiting=waiting)


# ---- scores that an instructor gives --------------------------------------------------------------------------


def override_score(
    db: Session, member: Member, user_id: int, assignment: Assignment, score: float, reason: str
) -> ScoreOverride:
    """From now on this counts, whatever is computed. Raises NotFound, Invalid."""
    enrolment = require_enrolled(db, member.class_, user_id)
    if enrolment.role != ClassRole.student:
        raise Invalid("user: only students have scores.", None)
    if not 0 <= score <= 1:
        raise Invalid("score: this is not a number from 0 to 1.", "0.8 is 80%.")
    reason = " ".join(storable(reason).split())
    if not 0 < len(reason) <= 500:
        raise Invalid("reason: say why, in 1 to 500 characters.", "The student reads it beside their score.")
    key = (member.class_.id, user_id, assignment.kind, assignment.slug)
    row = db.get(ScoreOverride, key)
    if row is None:
        row = ScoreOverride(class_id=key[0], user_id=key[1], kind=key[2], slug=key[3])
        db.add(row)
    before = row.score
    row.score, row.reason, row.by_id, row.at = score, reason, member.user.id, now()
    db.flush()
    detail = {"person": user_id, "kind": row.kind, "slug": row.slug, "from": before, "to": score}
    note(db, member.user, member.class_.as_thing, "score replaced", detail)
    return row


def withdraw_override(db: Session, member: Member, user_id: int, kind: Kind | str, slug: str) -> None:
    """What is computed counts again. Raises NotFound."""
    row = db.get(ScoreOverride, (member.class_.id, user_id, kind, own_slug(member.class_, kind, slug)))
    if row is None:
        raise NotFound("There is no score to withdraw here.", "Reload the page.")
    db.delete(row)
    detail = {"person": user_id, "kind": row.kind, "slug": row.slug, "from": row.score}
    note(db, member.user, member.class_.as_thing, "score withdrawn", detail)
    db.flush()


def _overrides(db: Session, class_: Class, user_ids: Sequence[int] | None) -> dict[int, dict[Key, tuple[float, str]]]:
    found = select(
        ScoreOverride.user_id, ScoreOverride.kind, ScoreOverride.slug, ScoreOverride.score, ScoreOverride.reason
    ).where(ScoreOverride.class_id == class_.id)
    if user_ids is not None:
        found = found.where(ScoreOverride.user_id.in_(user_ids))
    overrides: dict[int, dict[Key, tuple[float, str]]] = defaultdict(dict)
    for user_id, kind, slug, score, reason in db.execute(found):
        overrides[user_id][kind, slug] = score, reason
    return overrides


def _lots(items: Sequence[Any], size: int = AT_ONCE) -> Iterable[Sequence[Any]]:
    return (items[start : start + size] for start in range(0, len(items), size))


register(
    Belonging(
        320,
        "gradebook",
        "Gradebook",
        "What your submissions to a class's exercises come to: computed from them.",
        GradebookCell,
        merge=take_over_new(GradebookCell),
    )
)
register(
    Belonging(
        330,
        "scores_given",
        "Scores given by hand",
        "Scores that an instructor gave you in place of a computed one, each with its reason.",
        ScoreOverride,
        frozenset({"by_id"}),
        merge=take_over_new(ScoreOverride),
    )
)
