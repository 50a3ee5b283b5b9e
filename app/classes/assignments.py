"""Assignments: exercises and quizzes of a class, with their dates, weights and late policies; and a person's own.

What is not assigned stays open for practice, and so does what has closed: dates say what counts, and nobody is kept
from trying.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, Literal

from sqlalchemy import CheckConstraint, Double, ForeignKey, Index, String, and_, func, or_, select
from sqlalchemy.orm import Mapped, Session, aliased, mapped_column

from app.classes.classes import Class, Enrolment, Member
from app.classes.lateness import Terms
from app.classes.rights import RULES, ClassRole, Right
from app.classes.roster import require_enrolled
from app.db import Base, Moment, now
from app.people.audit import note
from app.people.belongings import Belonging, plain, register, take_over_new
from app.people.readers import Work, let_read
from app.people.users import User, hold
from app.quizzes.sittings import Sitting, extend_deadlines
from app.reading.catalog import Catalog
from app.web.errors import Invalid, NotFound
from graders.text import storable

Kind = Literal["exercise", "quiz"]
KINDS: tuple[Kind, ...] = ("exercise", "quiz")
SHOWN = ("submitted", "due", "closed")
MAX_ASSIGNMENTS = 500
MAX_WEIGHT, MAX_GRACE, MAX_ATTEMPTS = 1000.0, 7 * 24 * 60, 1000


class Assignment(Base):
    """`slug`: of the exercise, or of the quiz's lesson in the class's course. `hidden_until`: students do not see it in
    the class before. `answers_shown`: from when a quiz's answers are told: once it is "submitted", or when it is "due"
    or "closed". `place` orders the schedule."""

    __tablename__ = "assignment"
    __table_args__ = (
        CheckConstraint("kind IN ('exercise', 'quiz')", "kind"),
        CheckConstraint("weight >= 0", "weight"),
        CheckConstraint("late_per_day >= 0 AND late_per_day <= 1", "late_per_day"),
        CheckConstraint("grace_minutes >= 0", "grace_minutes"),
        CheckConstraint("attempts >= 1", "attempts"),
        CheckConstraint("answers_shown IN ('submitted', 'due', 'closed')", "answers_shown"),
        Index("ix_assignment_kind_slug", "kind", "slug"),
        Index("ix_assignment_due_at", "due_at"),
    )

    class_id: Mapped[int] = mapped_column(ForeignKey("class.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    slug: Mapped[str] = mapped_column(String(120), primary_key=True)
    place: Mapped[int] = mapped_column(default=0)
    opens_at: Mapped[datetime | None] = mapped_column(Moment)
    due_at: Mapped[datetime | None] = mapped_column(Moment)
    closes_at: Mapped[datetime | None] = mapped_column(Moment)
    hidden_until: Mapped[datetime | None] = mapped_column(Moment)
    weight: Mapped[float] = mapped_column(Double, default=1.0)
    late_per_day: Mapped[float] = mapped_column(Double, default=0.0)
    grace_minutes: Mapped[int] = mapped_column(default=0)
    attempts: Mapped[int | None]
    access_code: Mapped[str | None] = mapped_column(String(80))
    answers_shown: Mapped[str] = mapped_column(String(16), default="submitted", server_default="submitted")

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.slug

    def is_hidden_at(self, at: datetime) -> bool:
        return self.hidden_until is not None and at < self.hidden_until

    def terms(self, timezone: str, extension: "Extension | None" = None) -> Terms:
        """What it asks of a person: with their extension, if they have one."""
        found = Terms(
            self.opens_at, self.due_at, self.closes_at, self.late_per_day, self.grace_minutes, self.attempts, timezone
        )
        if extension is None:
            return found
        return found.extended(extension.due_at, extension.attempts, excused=extension.excused)


class Extension(Base):
    """One person's other date, or more attempts, or that it does not count for them."""

    __tablename__ = "extension"
    __table_args__ = (
        CheckConstraint("kind IN ('exercise', 'quiz')", "kind"),
        CheckConstraint("attempts >= 1", "attempts"),
        Index("ix_extension_user_id", "user_id"),
    )

    class_id: Mapped[int] = mapped_column(ForeignKey("class.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    slug: Mapped[str] = mapped_column(String(120), primary_key=True)
    due_at: Mapped[datetime | None] = mapped_column(Moment)
    attempts: Mapped[int | None]
    excused: Mapped[bool] = mapped_column(default=False)
    reason: Mapped[str] = mapped_column(String(500), default="", server_default="")
    given_at: Mapped[datetime] = mapped_column(Moment, default=now)

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.slug

    def as_json(self) -> dict[str, Any]:
        return {
            "user": self.user_id,
            "kind": self.kind,
            "slug": self.slug,
            "due_at": plain(self.due_at),
            "attempts": self.attempts,
            "excused": self.excused,
            "reason": self.reason,
        }


@dataclass(frozen=True)
class Schedule:
    """How an assignment is to be. Moments are aware."""

    opens_at: datetime | None = None
    due_at: datetime | None = None
    closes_at: datetime | None = None
    hidden_until: datetime | None = None
    weight: float = 1.0
    late_per_day: float = 0.0
    grace_minutes: int = 0
    attempts: int | None = None
    access_code: str | None = None
    answers_shown: str = "submitted"

    def require_sound(self) -> None:
        """Raises Invalid."""
        order = [("opens_at", self.opens_at), ("due_at", self.due_at), ("closes_at", self.closes_at)]
        known = [(name, at) for name, at in order if at is not None]
        for (name, at), (later_name, later) in pairwise(known):
            if at > later:
                raise Invalid(f"{later_name}: this is before {name}.", "An assignment opens, is due, and then closes.")
        if not 0 <= self.weight <= MAX_WEIGHT:
            raise Invalid(f"weight: this is not a number from 0 to {MAX_WEIGHT:g}.", "1 is usual; 2 counts twice.")
        if not 0 <= self.late_per_day <= 1:
            raise Invalid("late: per_day is not a number from 0 to 1.", "0.1 takes 10% off for each day late.")
        if not 0 <= self.grace_minutes <= MAX_GRACE:
            raise Invalid("late: grace_minutes is not a number from 0 to 10080.", "At most a week.")
        if self.attempts is not None and not 1 <= self.attempts <= MAX_ATTEMPTS:
            raise Invalid("attempts: this is not a number from 1 to 1000.", "Leave it out for as many as they like.")
        if self.answers_shown not in SHOWN:
            raise Invalid(f"answers_shown: {self.answers_shown[:40]!r} is unknown.", f"Use one of {', '.join(SHOWN)}.")
        if self.access_code is not None and not 0 < len(self.access_code) <= 80:
            raise Invalid("access_code: use 1 to 80 characters.", "Leave it out where everybody may begin.")


def put_assignment(
    db: Session, member: Member, catalog: Catalog, kind: str, slug: str, schedule: Schedule
) -> Assignment:
    """Assigns an exercise or a quiz, or changes how it is assigned. Raises NotFound, Invalid."""
    kind, slug = find_assignable(catalog, member.class_, kind, slug)
    schedule.require_sound()
    row = db.get(Assignment, (member.class_.id, kind, slug))
    is_new = row is None
    if row is None:
        last = select(func.max(Assignment.place), func.count()).where(Assignment.class_id == member.class_.id)
        place, count = db.execute(last).one()
        if count >= MAX_ASSIGNMENTS:
            raise Invalid(f"A class has at most {MAX_ASSIGNMENTS} assignments.", "Remove one first.")
        row = Assignment(class_id=member.class_.id, kind=kind, slug=slug, place=(place or 0) + 1)
        db.add(row)
    for name, value in vars(schedule).items():
        setattr(row, name, storable(value) if isinstance(value, str) else value)
    db.flush()
    _extend_sittings(db, member.class_, row)
    done = "assigned" if is_new else "assignment changed"
    note(db, member.user, member.class_.as_thing, done, {"kind": kind, "slug": slug, "due_at": plain(row.due_at)})
    return row


def remove_assignment(db: Session, member: Member, kind: str, slug: str) -> None:
    """It stays open for practice. What was sent stays, and counts again if it is assigned again. Raises NotFound."""
    row = require_assignment(db, member, kind, slug)
    db.delete(row)
    note(db, member.user, member.class_.as_thing, "assignment removed", {"kind": row.kind, "slug": row.slug})
    db.flush()


def require_assignment(db: Session, member: Member, kind: str, slug: str) -> Assignment:
    """As this member sees it: what is hidden yet is none for students. Raises NotFound."""
    row = db.get(Assignment, (member.class_.id, kind, own_slug(member.class_, kind, slug)))
    if row is None or (row.is_hidden_at(now()) and not member.may(Right.see_hidden_assignments)):
        raise NotFound("There is no such assignment in this class.", "Its assignments are listed on the class's page.")
    return row


def assignments_of(db: Session, class_: Class) -> list[Assignment]:
    """In their order: by due date, those without one last."""
    rows = list(db.scalars(select(Assignment).where(Assignment.class_id == class_.id)))
    never = datetime.max.replace(tzinfo=UTC)
    return sorted(rows, key=lambda row: (row.due_at or row.closes_at or never, row.place))


def shown_to(db: Session, member: Member, at: datetime | None = None) -> list[Assignment]:
    """Those that this member may see by now."""
    at, sees_all = at or now(), member.may(Right.see_hidden_assignments)
    return [row for row in assignments_of(db, member.class_) if sees_all or not row.is_hidden_at(at)]


def give_extension(
    db: Session,
    member: Member,
    user_id: int,
    kind: str,
    slug: str,
    *,
    due_at: datetime | None,
    attempts: int | None,
    excused: bool = False,
    reason: str = "",
) -> Extension:
    """Raises NotFound, Invalid."""
    assignment = require_assignment(db, member, kind, slug)
    enrolment = require_enrolled(db, member.class_, user_id)
    if enrolment.role != ClassRole.student:
        raise Invalid("user: only students have extensions.", None)
    if attempts is not None and not 1 <= attempts <= MAX_ATTEMPTS:
        raise Invalid("attempts: this is not a number from 1 to 1000.", "Leave it out to change nothing.")
    if due_at is not None and assignment.due_at is not None and due_at < assignment.due_at:
        raise Invalid("due_at: this is before everybody's.", "An extension only ever gives more time.")
    if len(reason) > 500:
        raise Invalid("reason: this is longer than 500 characters.", "Shorten it.")
    row = db.get(Extension, (member.class_.id, user_id, assignment.kind, assignment.slug))
    if row is None:
        row = Extension(class_id=member.class_.id, user_id=user_id, kind=assignment.kind, slug=assignment.slug)
        db.add(row)
    row.due_at, row.attempts, row.excused, row.reason = due_at, attempts, excused, storable(reason).strip()
    row.given_at = now()
    db.flush()
    _extend_sittings(db, member.class_, assignment, user_id)
    detail = {"person": user_id, "kind": row.kind, "slug": row.slug, "due_at": plain(due_at), "attempts": attempts}
    note(db, member.user, member.class_.as_thing, "extension given", {**detail, "excused": excused})
    return row


def take_extension_back(db: Session, member: Member, user_id: int, kind: str, slug: str) -> None:
    """Raises NotFound."""
    row = db.get(Extension, (member.class_.id, user_id, kind, own_slug(member.class_, kind, slug)))
    if row is None:
        raise NotFound("This person has no extension here.", "Reload the page.")
    db.delete(row)
    note(db, member.user, member.class_.as_thing, "extension taken back", {"person": user_id, "slug": row.slug})
    db.flush()


def _extend_sittings(db: Session, class_: Class, assignment: Assignment, user_id: int | None = None) -> None:
    """Attempts at a quiz that are open end later where its dates now say so, of one student or of all; never earlier.
    Those who sit are held alone."""
    if assignment.kind != "quiz":
        return
    sat = select(Sitting.user_id).where(Sitting.course == class_.course, Sitting.lesson == assignment.slug)
    sat = sat.where(Sitting.submitted_at.is_(None), Sitting.deadline_at.is_not(None))
    if user_id is not None:
        sat = sat.where(Sitting.user_id == user_id)
    students = select(Enrolment.user_id).where(Enrolment.class_id == class_.id, Enrolment.role == ClassRole.student)
    ids = sorted(db.scalars(sat.where(Sitting.user_id.in_(students))))
    if ids:
        hold(db, *ids)
        for user in db.scalars(select(User).where(User.id.in_(ids))).all():
            extend_deadlines(db, user)


def extensions_of(
    db: Session, class_: Class, user_ids: Iterable[int] | None = None
) -> Mapping[int, Mapping[tuple[str, str], Extension]]:
    """By person and assignment."""
    found = select(Extension).where(Extension.class_id == class_.id)
    if user_ids is not None:
        found = found.where(Extension.user_id.in_(list(user_ids)))
    extensions: dict[int, dict[tuple[str, str], Extension]] = {}
    for row in db.scalars(found):
        extensions.setdefault(row.user_id, {})[row.key] = row
    return extensions


def assigned_to(
    db: Session, user_id: int, kind: Kind, *, slug: str | None = None, course: str | None = None
) -> Iterator[tuple[Class, Assignment, Extension | None]]:
    """What classes assign to this person as their student, each with their own extension: those that are not archived,
    the oldest first. None: whatever it is, of whichever course."""
    theirs = and_(
        Extension.class_id == Assignment.class_id,
        Extension.user_id == Enrolment.user_id,
        Extension.kind == Assignment.kind,
        Extension.slug == Assignment.slug,
    )
    found = (
        select(Class, Assignment, Extension)
        .select_from(Enrolment)
        .join(Class, Class.id == Enrolment.class_id)
        .join(Assignment, and_(Assignment.class_id == Class.id, Assignment.kind == kind))
        .outerjoin(Extension, theirs)
        .where(Enrolment.user_id == user_id, Enrolment.role == ClassRole.student, Class.archived_at.is_(None))
    )
    if slug is not None:
        found = found.where(Assignment.slug == slug)
    if course is not None:
        found = found.where(Class.course == course)
    rows = db.execute(found.order_by(Class.id))
    yield from ((class_, assignment, extension) for class_, assignment, extension in rows)


def copy_schedule(db: Session, old: Class, new: Class, days: int) -> int:
    """The assignments of a class for its copy, each moment so many days later at the same wall time. Returns how many.
    Extensions and access codes are not copied."""

    def later(at: datetime | None) -> datetime | None:
        if at is None:
            return None
        wall = at.astimezone(new.zone).replace(tzinfo=None) + timedelta(days=days)
        return wall.replace(tzinfo=new.zone).astimezone(UTC)

    rows = assignments_of(db, old)
    for row in rows:
        db.add(
            Assignment(
                class_id=new.id, kind=row.kind, slug=row.slug, place=row.place, opens_at=later(row.opens_at),
                due_at=later(row.due_at), closes_at=later(row.closes_at), hidden_until=later(row.hidden_until),
                weight=row.weight, late_per_day=row.late_per_day, grace_minutes=row.grace_minutes,
                attempts=row.attempts, answers_shown=row.answers_shown,
            )
        )  # fmt: skip
    db.flush()
    return len(rows)


def find_assignable(catalog: Catalog, class_: Class, kind: str, slug: str) -> tuple[Kind, str]:
    """Raises NotFound for what is no exercise of the site, and no quiz of the class's course."""
    slug = own_slug(class_, kind, slug)
    if kind == "exercise" and slug in catalog.exercises:
        return "exercise", slug
    if kind == "quiz" and slug in quizzes_of(catalog, class_):
        return "quiz", slug
    what = "exercise" if kind == "exercise" else f"quiz in the course {class_.course}"
    raise NotFound(f"There is no {what} called {slug[:120]!r}.", "Check the spelling of its address.")


def quizzes_of(catalog: Catalog, class_: Class) -> dict[str, str]:
    """The quizzes of the class's course: titles by slug, in reading order."""
    course = catalog.courses.get(class_.course)
    lessons = course.lessons if course is not None else ()
    return {lesson.slug: lesson.title for lesson in lessons if lesson.kind == "quiz"}


def title_of(catalog: Catalog, class_: Class, kind: str, slug: str) -> str:
    """What it is called today; its slug where it is not there any more."""
    if kind == "quiz":
        return quizzes_of(catalog, class_).get(slug, slug)
    exercise = catalog.exercises.get(slug)
    return exercise.title if exercise is not None else slug


def url_of(class_: Class, kind: str, slug: str) -> str:
    """Its page for students."""
    return f"/exercises/{slug}" if kind == "exercise" else f"/courses/{class_.course}/{slug}"


def public(catalog: Catalog, class_: Class, row: Assignment, terms: Terms, *, for_staff: bool) -> dict[str, Any]:
    """Its JSON. `terms`: of the person who asks."""
    return {
        "kind": row.kind,
        "slug": row.slug,
        "title": title_of(catalog, class_, row.kind, row.slug),
        "url": url_of(class_, row.kind, row.slug),
        "opens_at": plain(terms.opens_at),
        "due_at": plain(terms.due_at),
        "closes_at": plain(terms.closes_at),
        "weight": row.weight,
        "late": {"per_day": row.late_per_day, "grace_minutes": row.grace_minutes},
        "attempts": terms.attempts,
        "answers_shown": row.answers_shown,
        "excused": terms.excused,
        "needs_access_code": row.access_code is not None,
        **({"hidden_until": plain(row.hidden_until), "access_code": row.access_code} if for_staff else {}),
    }


def terms_for(db: Session, class_: Class, user: User, row: Assignment) -> Terms:
    extension = db.get(Extension, (class_.id, user.id, row.kind, row.slug))
    return row.terms(class_.timezone, extension)


def reads_work(db: Session, person: User, work: Work) -> bool:
    """Whether they are on the staff of a class in which the owner is a student and to which this is assigned.

    attack: an assistant of one class reads another's, or what a student practises. defence: one class has all three,
    the reader, the owner and the assignment; the doors ask only for what was handed in.
    """
    staff, student = aliased(Enrolment), aliased(Enrolment)
    found = (
        select(staff.class_id)
        .join(student, and_(student.class_id == staff.class_id, student.user_id == work.owner_id))
        .join(Class, Class.id == staff.class_id)
        .join(Assignment, Assignment.class_id == staff.class_id)
        .where(staff.user_id == person.id, staff.role.in_(RULES[Right.read_work]))
        .where(student.role == ClassRole.student)
        .where(Assignment.kind == work.kind, Assignment.slug == work.slug)
        .where(or_(Assignment.kind == "exercise", Class.course == work.course))
    )
    return db.execute(found.limit(1)).first() is not None


def own_slug(class_: Class, kind: str, slug: str) -> str:
    """A quiz may be named with its course: `positions.test-your-understanding`."""
    return slug.removeprefix(f"{class_.course}.") if kind == "quiz" else slug


register(
    Belonging(
        310,
        "extensions",
        "Extensions",
        "Other dates and more attempts that a class has given you.",
        Extension,
        merge=take_over_new(Extension),
    )
)
let_read(reads_work)
