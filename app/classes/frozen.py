"""Frozen copies of the gradebook: what everybody's scores were at a deadline, kept as they were then.

One is made by itself for each assignment, shortly after it has closed, or after it was due where it never closes; and
by hand whenever an instructor wants one. Nothing here changes a copy: there is no verb for it. A person's line goes
with their account, as everything of theirs does.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

import structlog
from sqlalchemy import JSON, CheckConstraint, Double, ForeignKey, Index, String, and_, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.assignments import Assignment, require_assignment
from app.classes.classes import Class, Enrolment, Member
from app.classes.evidence_kept import kept
from app.classes.gradebook import Gradebook, gradebook_of
from app.classes.rights import ClassRole
from app.db import Base, Database, Moment, now, read_id
from app.people.audit import note
from app.people.belongings import Belonging, Row, exported, plain, register, take_over_new
from app.people.users import User
from app.practice.gradings import Grading, unfinished
from app.practice.submissions import Submission
from app.reading.catalog import Catalog
from app.web.csv_file import write_csv
from app.web.errors import Invalid, NotFound
from graders.text import storable

log = structlog.get_logger("lectern.classes")

MAX_WHY, LISTED = 500, 200
SETTLED = timedelta(minutes=1)  # what was sent in the last second is stored, and an open quiz attempt closed
PATIENCE = timedelta(hours=1)  # how long what is still to be judged is waited for
LOOKED_BACK = timedelta(days=31)  # a server that was off for longer makes no copies of what was over before


class FrozenGradebook(Base):
    """One copy. `kind` and `slug`: of the one assignment that it is of; None: of all. `occasion`: the deadline that it
    was made for by itself, so that it is made once; None: by hand. `columns`: what each score is of."""

    __tablename__ = "frozen_gradebook"
    __table_args__ = (
        CheckConstraint("(kind IS NULL) = (slug IS NULL)", "one_or_all"),
        Index("ix_frozen_gradebook_class_id", "class_id", "id"),
        Index("ix_frozen_gradebook_occasion", "class_id", "occasion", unique=True),
        Index("ix_frozen_gradebook_by_id", "by_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    class_id: Mapped[int] = mapped_column(ForeignKey("class.id", ondelete="CASCADE"))
    kind: Mapped[str | None] = mapped_column(String(16))
    slug: Mapped[str | None] = mapped_column(String(120))
    at: Mapped[datetime] = mapped_column(Moment, default=now)
    occasion: Mapped[str | None] = mapped_column(String(200))
    why: Mapped[str] = mapped_column(String(MAX_WHY))
    by_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id", ondelete="SET NULL"))
    columns: Mapped[list[dict[str, Any]]] = mapped_column(JSON)


class FrozenRow(Base):
    """One student's line in it: `cells` in the order of its columns, `total` where it is of all assignments."""

    __tablename__ = "frozen_row"
    __table_args__ = (Index("ix_frozen_row_user_id", "user_id"),)

    frozen_id: Mapped[int] = mapped_column(ForeignKey("frozen_gradebook.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    email: Mapped[str | None] = mapped_column(String(254))
    name: Mapped[str] = mapped_column(String(200))
    section: Mapped[str] = mapped_column(String(80))
    cells: Mapped[list[dict[str, Any] | None]] = mapped_column(JSON)
    total: Mapped[float | None] = mapped_column(Double)

    @property
    def label(self) -> str:
        return self.name or self.email or f"guest {self.user_id}"


@dataclass(frozen=True)
class FrozenLine:
    """A row as it was read."""

    label: str
    user_id: int
    email: str | None
    name: str
    section: str
    cells: Sequence[dict[str, Any] | None]
    total: float | None

    @cached_property  # a line is kept from one request to the next
    def percentages(self) -> tuple[float | None, ...]:
        """Of each cell; None for what was excused or had no score."""
        scores = map(_score, self.cells)
        return tuple(None if score is None else round(100 * score, 4) for score in scores)

    @cached_property
    def json_text(self) -> str:
        line = {
            "user": self.user_id, "email": self.email, "name": self.name, "section": self.section,
            "cells": self.cells, "total": self.total,
        }  # fmt: skip
        return json.dumps(line, ensure_ascii=False, allow_nan=False)


@dataclass(frozen=True)
class Compared:
    """A student's score then and now, in one assignment, in percent. None: there was none, or is none."""

    label: str
    column: str
    then: float | None
    today: float | None
    is_gone: bool

    @property
    def is_same(self) -> bool:
        return self.then == self.today and not self.is_gone


def freeze(
    database: Database,
    catalog: Catalog,
    class_: Class,
    assignment: Assignment | None,
    why: str,
    *,
    by: User | None = None,
    occasion: str | None = None,
) -> int | None:
    """Its number; None where it was made for this occasion already. Opens transactions of its own."""
    only = [assignment.key] if assignment is not None else None
    book = gradebook_of(database, catalog, class_, only=only)
    try:
        with database.writing() as db:
            row = FrozenGradebook(
                class_id=class_.id,
                kind=assignment.kind if assignment is not None else None,
                slug=assignment.slug if assignment is not None else None,
                occasion=occasion,
                why=why,
                by_id=by.id if by is not None else None,
                columns=[column.as_json() for column in book.columns],
            )
            db.add(row)
            db.flush()
            db.add_all(_rows(row.id, book, has_total=assignment is None))
            detail = {"kind": row.kind, "slug": row.slug, "number": row.id}
            note(db, by, class_.as_thing, "gradebook frozen", detail)
            return row.id
    except IntegrityError:  # another process was first, or a student's account has just gone: the next look sees
        return None


def _rows(frozen_id: int, book: Gradebook, *, has_total: bool) -> list[FrozenRow]:
    return [
        FrozenRow(
            frozen_id=frozen_id,
            user_id=row.student.user,
            email=row.student.email,
            name=row.student.name,
            section=row.student.section,
            cells=[cell.as_json() for cell in row.cells],
            total=row.total.score if has_total else None,
        )
        for row in book.rows
        if row.student.user is not None
    ]


def freeze_by_hand(
    database: Database, catalog: Catalog, member: Member, assignment: Assignment | None, why: str
) -> int:
    """Raises Invalid."""
    number = freeze(database, catalog, member.class_, assignment, why, by=member.user)
    if number is None:
        raise Invalid("The class changed while it was copied.", "Try again.")
    return number


def read_wanted(db: Session, member: Member, what: str, why: str) -> tuple[Assignment | None, str]:
    """What a form names: `exercise/softmax-rows`, or "" for all. Raises NotFound, Invalid."""
    why = " ".join(storable(why).split())
    if not 0 < len(why) <= MAX_WHY:
        raise Invalid(f"why: say what it is for, in 1 to {MAX_WHY} characters.", "For example: before the appeals.")
    if not what:
        return None, why
    kind, _, slug = what.partition("/")
    return require_assignment(db, member, kind, slug), why


# ---- by itself, as time passes --------------------------------------------------------------------------------


def freeze_due(database: Database, catalog: Catalog, at: datetime | None = None) -> int:
    """Of each assignment whose deadline has passed, in classes that go on; returns how many. It waits a while for what
    is still to be judged. One that cannot be made keeps none of the others from being made."""
    at = at or now()
    made = 0
    with database.reading() as db:
        found = [one for one in _deadlines(db, at) if not _waits_for_judge(db, one, at)]
    for one in found:
        try:
            why = f"{'Closed' if one.assignment.closes_at is not None else 'Due'} {one.deadline:%Y-%m-%d %H:%M} UTC"
            occasion = one.occasion
            made += freeze(database, catalog, one.class_, one.assignment, why, occasion=occasion) is not None
        except Exception as error:
            log.error("gradebook_not_frozen", class_id=one.class_.id, slug=one.assignment.slug, exc_info=error)
    return made


@dataclass(frozen=True)
class _Deadline:
    class_: Class
    assignment: Assignment
    deadline: datetime

    @property
    def occasion(self) -> str:
        """Another date makes another copy."""
        return f"{self.assignment.kind}/{self.assignment.slug}/{self.deadline:%Y-%m-%dT%H:%M:%S}"


def _deadlines(db: Session, at: datetime) -> list[_Deadline]:
    ends_at = func.coalesce(Assignment.closes_at, Assignment.due_at)
    rows = (
        select(Class, Assignment)
        .join(Assignment, Assignment.class_id == Class.id)
        .where(Class.archived_at.is_(None), ends_at <= at - SETTLED, ends_at > at - LOOKED_BACK)
    )
    found = []
    for class_, assignment in db.execute(rows):
        ends = assignment.closes_at or (assignment.due_at and assignment.due_at + _grace(assignment))
        if ends is not None and ends <= at - SETTLED:
            found.append(_Deadline(class_, assignment, ends))
    known = select(FrozenGradebook.class_id, FrozenGradebook.occasion).where(
        FrozenGradebook.class_id.in_({one.class_.id for one in found}), FrozenGradebook.occasion.is_not(None)
    )
    made = {(class_id, occasion) for class_id, occasion in db.execute(known)} if found else set()
    return [one for one in found if (one.class_.id, one.occasion) not in made]


def _grace(assignment: Assignment) -> timedelta:
    return timedelta(minutes=assignment.grace_minutes)


def _waits_for_judge(db: Session, one: _Deadline, at: datetime) -> bool:
    if one.assignment.kind != "exercise" or at > one.deadline + PATIENCE:
        return False
    sent = (
        unfinished(Grading.id)
        .join(Submission, Submission.id == Grading.submission_id)
        .join(Enrolment, and_(Enrolment.user_id == Submission.user_id, Enrolment.class_id == one.class_.id))
        .where(Enrolment.role == ClassRole.student, Submission.kind == "submit")
        .where(Submission.exercise == one.assignment.slug, Submission.created_at <= one.deadline)
    )
    return db.scalar(sent.limit(1)) is not None


# ---- read -----------------------------------------------------------------------------------------------------


def frozen_of(db: Session, class_: Class) -> list[FrozenGradebook]:
    """The newest first."""
    found = select(FrozenGradebook).where(FrozenGradebook.class_id == class_.id)
    return list(db.scalars(found.order_by(FrozenGradebook.id.desc()).limit(LISTED)))


def require_frozen(db: Session, member: Member, id: str) -> tuple[FrozenGradebook, Sequence[FrozenLine]]:
    """Raises NotFound."""
    number = read_id(id)
    frozen = db.get(FrozenGradebook, number) if number is not None else None
    if frozen is None or frozen.class_id != member.class_.id:
        raise NotFound("There is no such copy in this class.", "GET …/frozen lists them.")
    # A line never changes; but it goes with its person, and follows a guest into an account.
    whose = select(func.count(), func.sum(FrozenRow.user_id)).where(FrozenRow.frozen_id == frozen.id)
    stamp = tuple(db.execute(whose).one())
    return frozen, kept(db, ("frozen", frozen.id), stamp, lambda: _lines(db, number), is_book=True)


def _lines(db: Session, number: int | None) -> Sequence[FrozenLine]:
    lines = [
        FrozenLine(row.label, row.user_id, row.email, row.name, row.section, row.cells, row.total)
        for row in db.scalars(select(FrozenRow).where(FrozenRow.frozen_id == number))
    ]
    return sorted(lines, key=lambda line: (line.label.casefold(), line.user_id))


def frozen_csv(frozen: FrozenGradebook, rows: Sequence[FrozenLine]) -> str:
    """A line a student, scores in percent; a cell that does not count is empty."""
    has_total = frozen.kind is None
    head = ["email", "name", "section", *(column["title"] for column in frozen.columns)]
    lines: list[list[object]] = [[*head, "total"] if has_total else list(head)]
    for row in rows:
        line: list[object] = [
            row.email or "",
            row.name,
            row.section,
            *("" if one is None else one for one in row.percentages),
        ]
        lines.append([*line, _percent(row.total)] if has_total else line)
    return write_csv(lines)


def compare(
    database: Database,
    catalog: Catalog,
    class_: Class,
    frozen: FrozenGradebook,
    rows: Sequence[FrozenLine],
    *,
    only_differing: bool,
) -> list[Compared]:
    """What was frozen, and what it is today: all scores, or those that differ. Opens transactions of its own."""
    keys = [(column["kind"], column["slug"]) for column in frozen.columns]
    # of all assignments, the gradebook keeps its rows
    book = gradebook_of(database, catalog, class_, only=None if frozen.kind is None else keys)
    place = {column.key: number for number, column in enumerate(book.columns)}
    places = [place.get(key) for key in keys]
    today = {row.student.user: row.percentages for row in book.rows}
    found = []
    for row in rows:
        scores = today.get(row.user_id)
        for column, then, number in zip(frozen.columns, row.percentages, places, strict=True):
            is_gone = scores is None or number is None
            score = None if scores is None or number is None else scores[number]
            if is_gone or then != score or not only_differing:
                found.append(Compared(row.label, column["title"], then, score, is_gone))
    return found


def _score(cell: Mapping[str, Any] | None) -> float | None:
    if cell is None or cell["excused"]:
        return None
    score: float | None = cell["score"]
    return score


def _percent(score: float | None) -> object:
    return "" if score is None else round(100 * score, 4)


def _exported(db: Session, user_id: int) -> Iterator[Row]:
    """Each line with what it is a line of."""
    mine = (
        select(FrozenRow, FrozenGradebook)
        .join(FrozenGradebook, FrozenGradebook.id == FrozenRow.frozen_id)
        .where(FrozenRow.user_id == user_id)
        .order_by(FrozenRow.frozen_id)
    )
    for row, frozen in db.execute(mine):
        yield {"at": plain(frozen.at), "why": frozen.why, "columns": frozen.columns, **exported(row)}


register(
    Belonging(
        392,
        "frozen_scores",
        "Frozen scores",
        "What your scores in a class were at a deadline: kept, so that what was true then can be told later.",
        FrozenRow,
        rows=_exported,
        merge=take_over_new(FrozenRow),
    )
)
