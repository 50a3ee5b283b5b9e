"""Whose submissions to an exercise with variants fit the variant of somebody else in the class: a report to begin a
talk with, never a verdict. Nothing that counts is changed by it.

It has two halves. Accepted submissions that were judged by another variant than their author's are found in the rows:
most were made as a guest, who has the first. Rejected ones, the last few of each student, are judged by each variant
that somebody else in the class has, after students' own submissions (`regrader.py`). To ask again replaces the report.

attack: a student joins many classes, or sends without end, so that a report keeps the judge busy. defence: few of each
student are judged, and few of a class; what is left out is counted, and students' own submissions come first.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, String, delete, func, select, text, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.assignments import require_assignment
from app.classes.classes import Class, Member, require_writer
from app.classes.leases import UNFINISHED
from app.classes.rights import Right
from app.classes.roster import students_of
from app.db import Base, Database, Moment, now
from app.people.audit import note
from app.people.belongings import Belonging, register, take_over
from app.people.identity import Caller
from app.people.users import User
from app.practice.gradings import Grading
from app.practice.submissions import Submission
from app.reading.catalog import Catalog
from app.web.errors import NotFound
from graders.exercise.definition import BrokenExercise, Exercise
from graders.verdict import Verdict

LEFT = text("fits IS NULL")
OF_EACH = 3  # rejected submissions of a student that are judged: the newest
OF_CLASS = 300  # of all students together
READ_AT_ONCE = 100  # people in one statement, of which each may have sent hundreds


class VariantReport(Base):
    """`snapshot_id`: the state of the exercise, by its first variant. `left_out`: rejected submissions that are not
    looked at. `owner` and `leased_until`: which process works on it."""

    __tablename__ = "variant_report"
    __table_args__ = (
        CheckConstraint("state IN ('queued', 'running', 'finished', 'failed')", "state"),
        Index("ix_variant_report_class_id", "class_id", "slug", unique=True),
        Index("ix_variant_report_unfinished", "id", sqlite_where=UNFINISHED, postgresql_where=UNFINISHED),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    class_id: Mapped[int] = mapped_column(ForeignKey("class.id", ondelete="CASCADE"))
    slug: Mapped[str] = mapped_column(String(120))
    snapshot_id: Mapped[int] = mapped_column(ForeignKey("snapshot.id"))
    state: Mapped[str] = mapped_column(String(16), default="queued")
    why: Mapped[str] = mapped_column(String(500), default="", server_default="")
    left_out: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    finished_at: Mapped[datetime | None] = mapped_column(Moment)
    owner: Mapped[str | None] = mapped_column(String(32))
    leased_until: Mapped[datetime | None] = mapped_column(Moment)


class VariantReportItem(Base):
    """A submission. `judged_in`, `own`: the values that it was judged with, and those of its author, in words. `fits`:
    the numbers of other students' variants in which it is right; None until they are known. `failed`: in how many it
    could not be judged."""

    __tablename__ = "variant_report_item"
    __table_args__ = (
        Index("ix_variant_report_item_submission_id", "submission_id"),
        Index("ix_variant_report_item_user_id", "user_id"),
        Index(
            "ix_variant_report_item_left", "report_id", "submission_id", sqlite_where=LEFT, postgresql_where=LEFT
        ),
    )  # fmt: skip

    report_id: Mapped[int] = mapped_column(ForeignKey("variant_report.id", ondelete="CASCADE"), primary_key=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submission.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    is_accepted: Mapped[bool]
    judged_in: Mapped[str] = mapped_column(String(400))
    own: Mapped[str] = mapped_column(String(400))
    fits: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    failed: Mapped[int] = mapped_column(default=0, server_default="0")


@dataclass(frozen=True)
class Elsewhere:
    """An accepted submission that was judged by another variant than its author's."""

    user_id: int
    submission: int
    judged_in: str
    own: str


@dataclass(frozen=True)
class Fitting:
    """A rejected submission that is right in the variant of others: its values in words, and who has it."""

    user_id: int
    submission: int
    judged_in: str
    right_in: str
    others: tuple[int, ...]


@dataclass(frozen=True)
class Shown:
    """A report as its page shows it. `looked_at`: rejected submissions, of which `done` are judged. `is_current`:
    whether the exercise is still the one that it was made for."""

    report: VariantReport
    looked_at: int
    done: int
    failed: int
    elsewhere: tuple[Elsewhere, ...]
    fitting: tuple[Fitting, ...]
    is_current: bool


# ---- asked for ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SentTo:
    """A submission of the class that counts, with its verdict."""

    id: int
    user_id: int
    snapshot_id: int
    is_accepted: bool
    is_erased: bool


def begin_report(database: Database, catalog: Catalog, caller: Caller, class_id: int | str, slug: str) -> int:
    """The report is made from now on, in the place of an earlier one. Opens transactions of its own: it is called with
    none open. Raises Unauthenticated, NotFound, Forbidden, Conflict, RateLimited."""
    with database.writing() as db:
        member = require_writer(db, caller, class_id, Right.see_similarity)
        require_assignment(db, member, "exercise", slug)
    first = catalog.exercise(slug)
    if first.variants.count == 1:
        raise NotFound("This exercise has no variants.", "Every student has the same.")
    snapshot_id = catalog.snapshot_of(first)
    with database.reading() as db:
        students = _students_of(db, member.class_)
        sent = sent_to(db, slug, sorted(students))
    items, left_out = _chosen(catalog, first, students, sent)
    with database.writing() as db:
        return _stored(db, member, slug, snapshot_id, items, left_out)


def _stored(
    db: Session, member: Member, slug: str, snapshot_id: int, items: Sequence[VariantReportItem], left_out: int
) -> int:
    class_ = db.get_one(Class, member.class_.id, with_for_update=True)  # of two who ask at once, the second replaces
    earlier = delete(VariantReport).where(VariantReport.class_id == class_.id, VariantReport.slug == slug)
    db.execute(earlier.execution_options(synchronize_session=False))
    is_judged = any(item.fits is None for item in items)
    row = VariantReport(class_id=class_.id, slug=slug, snapshot_id=snapshot_id, left_out=left_out)
    if not is_judged:
        row.state, row.finished_at = "finished", now()
    db.add(row)
    db.flush()
    for item in items:
        item.report_id = row.id
        db.add(item)
    note(db, db.get_one(User, member.user.id), class_.as_thing, "variants compared", {"slug": slug})
    db.flush()
    return row.id


def _students_of(db: Session, class_: Class) -> dict[int, User]:
    ids = [one.user for one in students_of(db, class_) if one.user is not None]
    found: dict[int, User] = {}
    for some in _lots(ids, 400):
        found.update((one.id, one) for one in db.scalars(select(User).where(User.id.in_(some))))
    return found


def sent_to(db: Session, slug: str, user_ids: Sequence[int]) -> list[SentTo]:
    """What these people sent to it for credit, the newest first, by its newest grading; without what waits for a
    verdict, and what could not be judged."""
    newest = select(func.max(Grading.id)).where(Grading.submission_id == Submission.id).correlate(Submission)
    found: list[SentTo] = []
    for some in _lots(user_ids, READ_AT_ONCE):
        rows = (
            select(
                Submission.id, Submission.user_id, Submission.snapshot_id,
                (Grading.verdict == Verdict.accepted).label("is_accepted"),
                Submission.erased_at.is_not(None).label("is_erased"),
            )
            .join(Grading, Grading.id == newest.scalar_subquery())
            .where(Submission.user_id.in_(some), Submission.exercise == slug, Submission.kind == "submit")
            .where(Grading.verdict.is_not(None), Grading.verdict != Verdict.internal_error)
        )  # fmt: skip
        found += [SentTo(*row) for row in db.execute(rows)]
    return sorted(found, key=lambda one: -one.id)


def _chosen(
    catalog: Catalog, first: Exercise, students: Mapping[int, User], sent: Iterable[SentTo]
) -> tuple[list[VariantReportItem], int]:
    """What the report is about, and how many rejected submissions it leaves out."""
    found: list[VariantReportItem] = []
    rejected: list[tuple[int, VariantReportItem]] = []  # each with its place among its author's
    of_each: Counter[int] = Counter()
    told: set[int] = set()  # whose accepted submission is found already: the newest is enough
    left_out = 0
    for one in sent:
        try:
            judged_in = catalog.judged_by(one.snapshot_id)
        except BrokenExercise:  # we read it otherwise now: nobody can say which values it had
            left_out += not one.is_accepted
            continue
        own = judged_in.variants.words_of(catalog.variant_of(students[one.user_id], judged_in))
        item = VariantReportItem(
            submission_id=one.id, user_id=one.user_id, is_accepted=one.is_accepted, own=own,
            judged_in=judged_in.variant_words, fits=[] if one.is_accepted else None,
        )  # fmt: skip
        if one.is_accepted:
            if item.own != item.judged_in and one.user_id not in told:
                told.add(one.user_id)
                found.append(item)
        elif one.is_erased or of_each[one.user_id] == OF_EACH:
            left_out += 1
        else:
            of_each[one.user_id] += 1
            rejected.append((of_each[one.user_id], item))
    rejected.sort(key=lambda each: (each[0], -each[1].submission_id))  # the newest of everybody comes first
    left_out += max(0, len(rejected) - OF_CLASS)
    return [*found, *(item for _, item in rejected[:OF_CLASS])], left_out


# ---- shown ----------------------------------------------------------------------------------------------------


def shown_report(database: Database, catalog: Catalog, class_: Class, slug: str) -> Shown | None:
    """None where nobody has asked for it. Of people who have left the class nothing is shown. Called with no
    transaction open."""
    with database.reading() as db:
        named = VariantReport.class_id == class_.id, VariantReport.slug == slug
        report = db.scalar(select(VariantReport).where(*named))
        if report is None:
            return None
        students = _students_of(db, class_)
        asked = select(VariantReportItem).where(VariantReportItem.report_id == report.id)
        rows = db.scalars(asked.order_by(VariantReportItem.submission_id.desc())).all()
    items = [row for row in rows if row.user_id in students]
    try:
        first = catalog.judged_by(report.snapshot_id)
    except BrokenExercise:
        return Shown(report, 0, 0, 0, (), (), is_current=False)
    holders = _holders(catalog, first, students.values())
    rejected = [item for item in items if not item.is_accepted]
    return Shown(
        report,
        len(rejected),
        sum(item.fits is not None for item in rejected),
        sum(item.failed > 0 for item in rejected),
        tuple(Elsewhere(one.user_id, one.submission_id, one.judged_in, one.own) for one in items if one.is_accepted),
        tuple(
            Fitting(item.user_id, item.submission_id, item.judged_in, first.variants.words_of(number), others)
            for item in rejected
            for number in item.fits or ()
            if number < first.variants.count and (others := tuple(id for id in holders[number] if id != item.user_id))
        ),
        is_current=catalog.snapshot_ids.get(slug) == report.snapshot_id,
    )


def _holders(catalog: Catalog, first: Exercise, students: Collection[User]) -> dict[int, list[int]]:
    """By the number of a variant: who has it."""
    found: dict[int, list[int]] = defaultdict(list)
    for one in students:
        found[catalog.variant_of(one, first)].append(one.id)
    return found


# ---- for the regrader -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Due:
    """A rejected submission that is to be judged in these variants."""

    item: VariantReportItem
    submission: Submission
    numbers: tuple[int, ...]


def due_of(database: Database, catalog: Catalog, report: VariantReport, first: Exercise, count: int) -> list[Due]:
    """What is not judged yet, by whose variants somebody else in the class has."""
    with database.reading() as db:
        students = _students_of(db, db.get_one(Class, report.class_id))
        left = (
            select(VariantReportItem, Submission)
            .join(Submission, Submission.id == VariantReportItem.submission_id)
            .where(VariantReportItem.report_id == report.id, LEFT)
            .order_by(VariantReportItem.submission_id.desc())
            .limit(count)
        )
        rows = [(item, submission) for item, submission in db.execute(left)]
    numbers = {id: catalog.variant_of(user, first) for id, user in students.items()}
    found = []
    for item, submission in rows:
        of_others = {number for id, number in numbers.items() if id != item.user_id}
        own = {catalog.in_state(first, submission.snapshot_id).variant, numbers.get(item.user_id)}
        is_wanted = item.user_id in students and submission.erased_at is None
        found.append(Due(item, submission, tuple(sorted(of_others - own)) if is_wanted else ()))
    return found


def store_fits(db: Session, item: VariantReportItem, fits: Sequence[int], failed: int) -> None:
    found = update(VariantReportItem).where(
        VariantReportItem.report_id == item.report_id, VariantReportItem.submission_id == item.submission_id
    )
    db.execute(found.values(fits=list(fits), failed=failed).execution_options(synchronize_session=False))


def _lots(ids: Sequence[int], size: int) -> Iterable[Sequence[int]]:
    return (ids[begin : begin + size] for begin in range(0, len(ids), size))


register(
    Belonging(
        336,
        "variant_reports",
        "Compared with other variants",
        "Which of your submissions were looked at when a class's instructor asked whose answers fit whose variant.",
        VariantReportItem,
        frozenset({"fits", "failed"}),
        merge=take_over(VariantReportItem),
    )
)
