"""Grading by hand: the rubric of an assigned exercise, and the points that each student was given by it.

The points join the automatic score by `hand_weight`: 0.3 makes them three tenths of it. They are kept criterion by
criterion and added up where they are read, so that a rubric that changes changes every score by the same rule: a
criterion that is new waits for its points, one that is gone counts for nothing.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Double, ForeignKey, Index, String, Text, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.assignments import Assignment
from app.classes.classes import Class, Enrolment, Member
from app.classes.comments import require_submission, staff_name
from app.content.posted import post_html
from app.db import Base, Moment, now
from app.people.audit import note
from app.people.belongings import Belonging, register, take_over_new
from app.practice.feedback import Assessment, Feedback, Mark, ask_for_feedback
from app.web.errors import Conflict, Invalid
from graders.text import storable

MAX_CRITERIA, MAX_POINTS = 30, 1000.0
MAX_TITLE, MAX_DESCRIPTION, MAX_COMMENT = 200, 2000, 5000


@dataclass(frozen=True)
class Criterion:
    """`key` names it in the points that were given by it; "" for a new one."""

    title: str
    points: float
    text: str = ""
    key: str = ""


class Rubric(Base):
    """How an assignment is graded by hand. Of a quiz, whose questions say what earns points, only whether names are
    hidden. `is_anonymous`: anyone who grades does not see whose work it is."""

    __tablename__ = "rubric"
    __table_args__ = (
        CheckConstraint("kind IN ('exercise', 'quiz')", "kind"),
        CheckConstraint("hand_weight >= 0 AND hand_weight <= 1", "hand_weight"),
    )

    class_id: Mapped[int] = mapped_column(ForeignKey("class.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    slug: Mapped[str] = mapped_column(String(120), primary_key=True)
    hand_weight: Mapped[float] = mapped_column(Double, default=0.5)
    is_anonymous: Mapped[bool] = mapped_column(default=False)
    rows: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    changed_at: Mapped[datetime] = mapped_column(Moment, default=now)

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        return tuple(Criterion(row["title"], row["points"], row["text"], row["key"]) for row in self.rows)

    @property
    def points(self) -> float:
        return sum(criterion.points for criterion in self.criteria)

    @property
    def is_graded(self) -> bool:
        """Whether there is something to grade by it."""
        return bool(self.rows)


class HandGrade(Base):
    """What a student's submission was given, by the keys of the rubric's criteria."""

    __tablename__ = "hand_grade"
    __table_args__ = (
        Index("ix_hand_grade_user_id", "user_id"),
        Index("ix_hand_grade_submission_id", "submission_id"),
        Index("ix_hand_grade_by_id", "by_id"),
    )

    class_id: Mapped[int] = mapped_column(ForeignKey("class.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    slug: Mapped[str] = mapped_column(String(120), primary_key=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submission.id", ondelete="CASCADE"))
    points: Mapped[dict[str, float]] = mapped_column(JSON)
    comment: Mapped[str] = mapped_column(Text, default="", server_default="")
    by_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id", ondelete="SET NULL"))
    graded_at: Mapped[datetime] = mapped_column(Moment, default=now)

    def share_by(self, rubric: Rubric) -> float | None:
        """Of the rubric's points, from 0 to 1; None while one of its criteria has none yet."""
        if not rubric.rows or any(criterion.key not in self.points for criterion in rubric.criteria):
            return None
        earned = sum(min(self.points[criterion.key], criterion.points) for criterion in rubric.criteria)
        return earned / rubric.points if rubric.points else 0.0


def put_rubric(
    db: Session,
    member: Member,
    assignment: Assignment,
    criteria: Sequence[Criterion],
    *,
    hand_weight: float,
    is_anonymous: bool,
) -> Rubric:
    """From now on it is graded so. Points that were given stay, by the keys of the criteria. Raises Invalid."""
    if assignment.kind == "quiz" and criteria:
        raise Invalid("A quiz has no rubric here.", "Each question of type essay says itself what earns points.")
    if not 0 <= hand_weight <= 1:
        raise Invalid("hand_weight: this is not a number from 0 to 1.", "0.3 makes it three tenths of the score.")
    if len(criteria) > MAX_CRITERIA:
        raise Invalid(f"A rubric has at most {MAX_CRITERIA} criteria.", "Put some together.")
    row = db.get(Rubric, (member.class_.id, assignment.kind, assignment.slug))
    if row is None:
        row = Rubric(class_id=member.class_.id, kind=assignment.kind, slug=assignment.slug, rows=[])
        db.add(row)
    known = {criterion.key for criterion in row.criteria}
    row.rows = [_row(one, known) for one in criteria]
    row.hand_weight, row.is_anonymous, row.changed_at = hand_weight, is_anonymous, now()
    db.flush()
    detail = {"kind": row.kind, "slug": row.slug, "criteria": len(row.rows), "hand_weight": hand_weight}
    note(db, member.user, member.class_.as_thing, "rubric changed", {**detail, "anonymous": is_anonymous})
    return row


def _row(criterion: Criterion, known: set[str]) -> dict[str, Any]:
    title, text = " ".join(storable(criterion.title).split()), storable(criterion.text).strip()
    if not 0 < len(title) <= MAX_TITLE:
        raise Invalid(f"title: give each criterion one of 1 to {MAX_TITLE} characters.", "For example: readable names.")
    if not 0 < criterion.points <= MAX_POINTS:
        raise Invalid(f"points: `{title[:40]}` needs more than 0 and at most 1000.", "Leave a row empty to remove it.")
    if len(text) > MAX_DESCRIPTION:
        raise Invalid(f"text: `{title[:40]}` has more than {MAX_DESCRIPTION} characters.", "Shorten it.")
    key = criterion.key if criterion.key in known else secrets.token_hex(4)
    return {"key": key, "title": title, "points": criterion.points, "text": text}


def copy_rubrics(db: Session, old: Class, new: Class) -> None:
    """For a copy of the class, which has the same assignments: how they are graded, and no points."""
    for row in rubrics_of(db, old).values():
        db.add(
            Rubric(
                class_id=new.id, kind=row.kind, slug=row.slug, hand_weight=row.hand_weight,
                is_anonymous=row.is_anonymous, rows=row.rows,
            )
        )  # fmt: skip
    db.flush()


def rubric_of(db: Session, class_: Class, kind: str, slug: str) -> Rubric | None:
    return db.get(Rubric, (class_.id, kind, slug))


def rubrics_of(db: Session, class_: Class) -> Mapping[tuple[str, str], Rubric]:
    """By kind and slug."""
    found = db.scalars(select(Rubric).where(Rubric.class_id == class_.id))
    return {(row.kind, row.slug): row for row in found}


def hand_grades_of(
    db: Session, class_: Class, slugs: Iterable[str], user_ids: Sequence[int] | None = None
) -> Mapping[tuple[int, str], HandGrade]:
    """By person and exercise."""
    found = select(HandGrade).where(HandGrade.class_id == class_.id, HandGrade.slug.in_(list(slugs)))
    if user_ids is not None:
        found = found.where(HandGrade.user_id.in_(user_ids))
    return {(row.user_id, row.slug): row for row in db.scalars(found)}


def grade_submission(
    db: Session, member: Member, id: str, points: Mapping[str, float], comment: str
) -> tuple[HandGrade, Rubric]:
    """`points` by the keys of the rubric's criteria, all of them. It holds for the student's work on this exercise
    until it is given again. Raises NotFound, Invalid, Conflict."""
    shown, assignment = require_submission(db, member, id)
    rubric = rubric_of(db, member.class_, "exercise", assignment.slug)
    if rubric is None or not rubric.is_graded:
        raise Conflict("This assignment has no rubric.", "Its instructor writes one first.")
    for criterion in rubric.criteria:
        if criterion.key not in points:
            raise Invalid(f"points: `{criterion.title}` has none yet.", "Give each criterion its points, 0 if need be.")
        if not 0 <= points[criterion.key] <= criterion.points:
            raise Invalid(
                f"points: `{criterion.title}` is not a number from 0 to {criterion.points:g}.",
                "Use at most two decimals.",
            )
    if len(comment) > MAX_COMMENT:
        raise Invalid("comment: this is too long.", f"A comment may have at most {MAX_COMMENT} characters.")
    key = (member.class_.id, shown.submission.user_id, assignment.slug)
    row = db.get(HandGrade, key)
    if row is None:
        row = HandGrade(class_id=key[0], user_id=key[1], slug=key[2])
        db.add(row)
    row.submission_id, row.by_id, row.graded_at = shown.id, member.user.id, now()
    row.points = {criterion.key: points[criterion.key] for criterion in rubric.criteria}
    row.comment = storable(comment).strip()
    db.flush()
    detail = {"person": row.user_id, "slug": row.slug, "submission": shown.id, "share": row.share_by(rubric)}
    note(db, member.user, member.class_.as_thing, "graded by hand", detail)
    return row, rubric


def assessment_of(db: Session, class_: Class, grade: HandGrade, rubric: Rubric) -> Assessment:
    place = db.get(Enrolment, (class_.id, grade.by_id)) if grade.by_id is not None else None
    marks = (Mark(one.title, one.text, one.points, grade.points.get(one.key)) for one in rubric.criteria)
    comment = post_html(grade.comment) if grade.comment else ""
    return Assessment(class_.title, tuple(marks), rubric.hand_weight, comment, staff_name(place), grade.graded_at)


def _for_its_author(db: Session, submission_id: int) -> Feedback:
    found = (
        select(Class, HandGrade, Rubric)
        .join(HandGrade, HandGrade.class_id == Class.id)
        .join(
            Rubric,
            (Rubric.class_id == Class.id) & (Rubric.kind == "exercise") & (Rubric.slug == HandGrade.slug),
        )
        .where(HandGrade.submission_id == submission_id)
        .order_by(Class.id)
    )
    assessments = (
        assessment_of(db, class_, grade, rubric) for class_, grade, rubric in db.execute(found) if rubric.is_graded
    )
    return Feedback(assessments=tuple(assessments))


ask_for_feedback(_for_its_author)
register(
    Belonging(
        391,
        "hand_grades",
        "Points given by hand",
        "What a class's staff gave your submissions by a rubric, and their comments.",
        HandGrade,
        frozenset({"by_id"}),
        merge=take_over_new(HandGrade),
    )
)
