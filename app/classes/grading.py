"""The queue of what a class's staff grade by hand: essays in assigned quizzes, and submissions to exercises that have a
rubric. Several people share it: who takes one has it for a while, and the next one gets another.

attack: a student who was made an instructor of a class grades a friend's answer there, and the answer is the same one
that an exam in another class counts. defence: who grades an answer may grade it in each class that counts it, or may
create classes, as the site's staff may (`counts_where_they_may_not_grade`).

attack: two assistants take the same one at the same moment, and one's work is lost. defence: a claim is one row, taken
by compare and set in one statement: of two, one has it, and the other is given the next.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import ForeignKey, Index, Select, String, bindparam, delete, select, text
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.assignments import Assignment, assigned_to, assignments_of, extensions_of, title_of
from app.classes.classes import Class, Enrolment, Member
from app.classes.comments import require_submission
from app.classes.gradebook import Gradebook, gradebook_of
from app.classes.rights import ClassRole, Right, may_in_class
from app.classes.roster import Listed, students_of
from app.classes.rubrics import HandGrade, Rubric, grade_submission, rubrics_of
from app.db import Base, Database, Moment, now, read_id
from app.people.permission import Wish, may
from app.people.users import User, hold
from app.practice.submissions import Submission
from app.quizzes.essays import Essay, essay_in, essays_in, put_grade
from app.quizzes.responses import response_at
from app.quizzes.sittings import Sitting
from app.reading.catalog import Catalog
from app.web.errors import Conflict, Forbidden, NotFound

CLAIMED = timedelta(minutes=15)
SITTINGS = 500  # that wait longest: a page lists no more


class GradingClaim(Base):
    """Who is grading it, until when. `item`: `essay:12:3` is the answer at place 3 of sitting 12; `rubric:5:7:softmax`
    what person 7 sent to that exercise of class 5."""

    __tablename__ = "grading_claim"
    __table_args__ = (Index("ix_grading_claim_holder_id", "holder_id"), Index("ix_grading_claim_class_id", "class_id"))

    item: Mapped[str] = mapped_column(String(160), primary_key=True)
    class_id: Mapped[int] = mapped_column(ForeignKey("class.id", ondelete="CASCADE"))
    holder_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    until: Mapped[datetime] = mapped_column(Moment)


@dataclass(frozen=True)
class Claim:
    """`holder`: as the class calls them."""

    holder_id: int
    holder: str
    until: datetime


@dataclass(frozen=True)
class Item:
    """One that waits. `since`: when it was sent. `student` None: names are hidden."""

    key: str
    url: str
    kind: str
    slug: str
    title: str
    what: str
    since: datetime
    user_id: int
    student: str | None
    claim: Claim | None = None

    def is_held_from(self, member: Member) -> bool:
        return self.claim is not None and self.claim.holder_id != member.user.id


def essay_key(sitting_id: int, place: int) -> str:
    return f"essay:{sitting_id}:{place}"


def rubric_key(class_id: int, user_id: int, slug: str) -> str:
    return f"rubric:{class_id}:{user_id}:{slug}"


# ---- what waits -----------------------------------------------------------------------------------------------


def waiting_items(database: Database, catalog: Catalog, class_: Class, at: datetime | None = None) -> list[Item]:
    """What waits longest first. A submission waits once its assignment is due for the student: until then they may
    send a better one. Opens transactions of its own."""
    at = at or now()
    with database.reading() as db:
        assignments = {row.key: row for row in assignments_of(db, class_)}
        rubrics = rubrics_of(db, class_)
        students = {one.user: one for one in students_of(db, class_) if one.user is not None}
        titles = {key: title_of(catalog, class_, *key) for key in assignments}
        items = list(_essays(db, catalog, class_, assignments, rubrics, students, titles))
    graded = [key for key, row in rubrics.items() if key in assignments and row.is_graded]
    if graded:
        book = gradebook_of(database, catalog, class_, only=graded)
        with database.reading() as db:
            items += _submissions(db, class_, book, rubrics, titles, at)
    items.sort(key=lambda item: (item.since, item.key))
    with database.reading() as db:
        claims = claims_on(db, class_, [item.key for item in items], at)
    return [replace(item, claim=claims.get(item.key)) for item in items]


def _essays(
    db: Session,
    catalog: Catalog,
    class_: Class,
    assignments: Mapping[tuple[str, str], Assignment],
    rubrics: Mapping[tuple[str, str], Rubric],
    students: Mapping[int, Listed],
    titles: Mapping[tuple[str, str], str],
) -> Iterator[Item]:
    """In attempts that count."""
    quizzes = {slug: row for (kind, slug), row in assignments.items() if kind == "quiz"}
    if not quizzes or not students:
        return
    waiting = select(Sitting).where(text("waiting > 0"), Sitting.course == class_.course, Sitting.lesson.in_(quizzes))
    oldest = waiting.where(Sitting.user_id.in_(_students_of(class_))).order_by(Sitting.submitted_at, Sitting.id)
    extensions = extensions_of(db, class_)
    for sitting in db.scalars(oldest.limit(SITTINGS)).all():
        key = ("quiz", sitting.lesson)
        terms = assignments[key].terms(class_.timezone, extensions.get(sitting.user_id, {}).get(key))
        if sitting.submitted_at is None or not terms.is_open_at(sitting.submitted_at):
            continue
        hides = key in rubrics and rubrics[key].is_anonymous
        for essay in essays_in(db, catalog, sitting):
            place = essay.response.place
            yield Item(
                key=essay_key(sitting.id, place),
                url=f"/classes/{class_.id}/essays/{sitting.id}/{place}",
                kind="quiz",
                slug=sitting.lesson,
                title=titles[key],
                what="Answer",
                since=sitting.submitted_at,
                user_id=sitting.user_id,
                student=None if hides or sitting.user_id not in students else students[sitting.user_id].label,
            )


def _submissions(
    db: Session,
    class_: Class,
    book: Gradebook,
    rubrics: Mapping[tuple[str, str], Rubric],
    titles: Mapping[tuple[str, str], str],
    at: datetime,
) -> Iterator[Item]:
    extensions = extensions_of(db, class_)
    waiting = [
        (row.student, column, cell)
        for row in book.rows
        for column, cell in zip(book.columns, row.cells, strict=True)
        if cell.is_waiting and not cell.is_excused and cell.submission is not None and row.student.user is not None
    ]
    sent = _sent_at(db, [cell.submission for _, _, cell in waiting if cell.submission is not None])
    for student, column, cell in waiting:
        user_id, submission_id = student.user or 0, cell.submission or 0
        terms = column.assignment.terms(class_.timezone, extensions.get(user_id, {}).get(column.key))
        if submission_id not in sent or (terms.due_at is not None and not terms.is_due_at(at)):
            continue
        yield Item(
            key=rubric_key(class_.id, user_id, column.assignment.slug),
            url=f"/classes/{class_.id}/submissions/{submission_id}",
            kind="exercise",
            slug=column.assignment.slug,
            title=titles[column.key],
            what="Submission",
            since=sent[submission_id],
            user_id=user_id,
            student=None if rubrics[column.key].is_anonymous else student.label,
        )


def _sent_at(db: Session, ids: Sequence[int]) -> dict[int, datetime]:
    found: dict[int, datetime] = {}
    for start in range(0, len(ids), 400):
        rows = db.execute(
            select(Submission.id, Submission.created_at).where(Submission.id.in_(ids[start : start + 400]))
        )
        found.update((id, at) for id, at in rows)
    return found


def _students_of(class_: Class) -> Select[int]:
    found = select(Enrolment.user_id)
    return found.where(Enrolment.class_id == class_.id, Enrolment.role == ClassRole.student)


# ---- claims ---------------------------------------------------------------------------------------------------


def claims_on(db: Session, class_: Class, keys: Iterable[str], at: datetime) -> dict[str, Claim]:
    """Those that hold at this moment, by item."""
    wanted, found = list(keys), dict[str, Claim]()
    for start in range(0, len(wanted), 400):
        rows = (
            select(GradingClaim, Enrolment, User.email)
            .join(User, User.id == GradingClaim.holder_id)
            .outerjoin(Enrolment, (Enrolment.user_id == GradingClaim.holder_id) & (Enrolment.class_id == class_.id))
            .where(GradingClaim.item.in_(wanted[start : start + 400]), GradingClaim.until > at)
        )
        for claim, place, email in db.execute(rows):
            name = (place.name if place is not None else "") or email or "Somebody"
            found[claim.item] = Claim(claim.holder_id, name, claim.until)
    return found


# attack: the clock of another process is a little ahead. defence: none is needed, for the row is taken or not taken as
# a whole; a claim ends a little sooner or later.
_CLAIM = text("""
    INSERT INTO grading_claim (item, class_id, holder_id, until) VALUES (:item, :class_id, :holder_id, :until)
    ON CONFLICT (item) DO UPDATE SET
        class_id = excluded.class_id, holder_id = excluded.holder_id, until = excluded.until
    WHERE grading_claim.until <= :at OR grading_claim.holder_id = excluded.holder_id
    RETURNING holder_id
""").bindparams(bindparam("until", type_=Moment()), bindparam("at", type_=Moment()))


def claim(db: Session, member: Member, key: str, at: datetime | None = None) -> bool:
    """Whether this member has it now, for as long as CLAIMED says: it was free, or theirs."""
    at = at or now()
    values = {"item": key, "class_id": member.class_.id, "holder_id": member.user.id, "until": at + CLAIMED, "at": at}
    return db.scalar(_CLAIM, values) is not None


def release(db: Session, member: Member, key: str) -> None:
    """One's own; somebody else's stays."""
    mine = delete(GradingClaim).where(GradingClaim.item == key, GradingClaim.holder_id == member.user.id)
    db.execute(mine.execution_options(synchronize_session=False))


def take_next(database: Database, catalog: Catalog, member: Member) -> Item | None:
    """The one that this member has already, or else the one that waits longest and nobody has. None: there is none.
    Opens transactions of its own: it is called with none open."""
    items = waiting_items(database, catalog, member.class_)
    items.sort(key=lambda item: item.claim is None or item.is_held_from(member))  # one's own first, else in order
    for item in items:
        if item.is_held_from(member):
            continue
        with database.writing() as db:
            course = member.class_.course
            if item.kind == "quiz" and counts_where_they_may_not_grade(db, member, course, item.slug, item.user_id):
                continue
            # A grade and the end of its claim are committed together. So the claim comes first, which waits for them:
            # what is read after it has the grade.
            if claim(db, member, item.key):
                if _still_waits(db, member.class_, item):
                    return item
                release(db, member, item.key)
    return None


def _still_waits(db: Session, class_: Class, item: Item) -> bool:
    """Somebody may have graded it since it was listed."""
    parts = item.key.split(":")
    if parts[0] == "essay":
        response = response_at(db, int(parts[1]), parts[2])
        return response is not None and response.score is None
    grade = db.get(HandGrade, (class_.id, item.user_id, item.slug))
    return grade is None or grade.submission_id != int(item.url.rpartition("/")[2])


def require_claim(db: Session, member: Member, key: str) -> None:
    """This member has it from now on. Raises Conflict where somebody else has."""
    if not claim(db, member, key):
        held = claims_on(db, member.class_, [key], now()).get(key)
        who = held.holder if held is not None else "Somebody else"
        raise Conflict(f"{who} is grading this right now.", "Take another one; theirs is free again in 15 minutes.")


# ---- grades ---------------------------------------------------------------------------------------------------


def counts_where_they_may_not_grade(db: Session, member: Member, course: str, lesson: str, user_id: int) -> bool:
    """Whether this student's answers in this quiz count in another class too, in which this member does not grade."""
    if may(member.user, Wish.teach_class):
        return False
    others = [
        class_.id
        for class_, _, _ in assigned_to(db, user_id, "quiz", slug=lesson, course=course)
        if class_.id != member.class_.id
    ]
    mine = select(Enrolment.class_id, Enrolment.role)
    mine = mine.where(Enrolment.user_id == member.user.id, Enrolment.class_id.in_(others))
    grades = {id for id, role in db.execute(mine) if may_in_class(role, Right.grade_by_hand)} if others else set()
    return not grades.issuperset(others)


def find_class_essay(db: Session, member: Member, catalog: Catalog, id: str, place: str) -> tuple[Essay, Assignment]:
    """An answer of a student of this class in a quiz that is assigned in it, for its staff. Raises NotFound."""
    number = read_id(id)
    sitting = db.get(Sitting, number) if number is not None else None
    if sitting is not None and sitting.course == member.class_.course:
        student = db.get(Enrolment, (member.class_.id, sitting.user_id))
        assignment = db.get(Assignment, (member.class_.id, "quiz", sitting.lesson))
        if student is not None and student.role == ClassRole.student and assignment is not None:
            essay = essay_in(db, catalog, sitting, place)
            if essay is not None:
                return essay, assignment
    raise NotFound("There is no such answer to grade in this class.", "See what waits, on the class's grading page.")


def grade_class_essay(
    db: Session, member: Member, catalog: Catalog, id: str, place: str, points: str, comment: str
) -> None:
    """Raises NotFound, Forbidden, Invalid, Conflict."""
    essay, _ = find_class_essay(db, member, catalog, id, place)
    if counts_where_they_may_not_grade(db, member, essay.sitting.course, essay.sitting.lesson, essay.sitting.user_id):
        raise Forbidden(
            "This answer counts in another class of this student too, in which you do not grade.",
            "Leave it to somebody who grades there, or who may create classes.",
        )
    hold(db, *{member.user.id, essay.sitting.user_id})
    db.refresh(essay.sitting)
    db.refresh(essay.response)
    key = essay_key(essay.sitting.id, essay.response.place)
    require_claim(db, member, key)
    put_grade(db, catalog, member.user, essay, points, comment)
    release(db, member, key)


def grade_class_submission(db: Session, member: Member, id: str, points: Mapping[str, float], comment: str) -> None:
    """Raises NotFound, Invalid, Conflict."""
    shown, assignment = require_submission(db, member, id)
    key = rubric_key(member.class_.id, shown.submission.user_id, assignment.slug)
    require_claim(db, member, key)
    grade_submission(db, member, id, points, comment)
    release(db, member, key)
