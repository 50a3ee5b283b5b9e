"""New names: an exercise, a course or a lesson is called something else, and its old addresses lead to the new one.

The cases of an exercise are drawn by its name, so under a new name it is proved again: a rename first makes a draft
under the new name, and nothing changes for students. Once that draft is published, in one transaction, what students
have done goes with it (submissions, drafts, hints, answers, notes, discussions), and the old addresses lead on. A
submission keeps the snapshot that judged it, which keeps its old name: no verdict changes.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import structlog
from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint, and_, delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, aliased, mapped_column

from app.db import Base, Database, Moment, now
from app.discussions.mistakes import MistakeReport
from app.discussions.posts import Thread
from app.people.audit import note
from app.people.identity import Caller
from app.people.users import User
from app.practice.drafts import Draft
from app.practice.efforts import Effort
from app.practice.hints import HintOpened
from app.practice.outcomes import WrongOutcome
from app.practice.shared_solutions import SharedSolution
from app.practice.solutions import GiveUp
from app.practice.standings import BestTime
from app.practice.submissions import Submission
from app.quizzes.answers import Answer
from app.quizzes.reviews import ReviewCard
from app.quizzes.sittings import Sitting
from app.reading.catalog import Catalog
from app.reading.lessons import LessonRead
from app.reading.notes import Note
from app.teaching.authors import list_as, require_author
from app.teaching.outcomes import NamedOutcome
from app.teaching.revisions import begin, content_of, files_of, newest, require_content
from app.teaching.subjects import Subject, require_new_slug

log = structlog.get_logger("lectern.teaching")

Named = Literal["exercise", "course", "lesson"]
LONGEST_CHAIN = 10
_PLACE = re.compile(
    r"(?P<before>(?:/api/v1)?/(?P<kind>exercises|courses|lessons)/)(?P<slug>[^/]+)(?:/(?P<lesson>[^/]+))?"
)


class Redirect(Base):
    """`old` and `new`: a slug, of a lesson `course/lesson`. `since` None: the new name is not published yet."""

    __tablename__ = "redirect"
    __table_args__ = (
        CheckConstraint("kind IN ('exercise', 'course', 'lesson')", "kind"),
        UniqueConstraint("kind", "old", name="uq_redirect_kind_old"),
        Index("ix_redirect_kind_new", "kind", "new"),
        Index("ix_redirect_author_id", "author_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    old: Mapped[str] = mapped_column(String(241))
    new: Mapped[str] = mapped_column(String(241))
    author_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id", ondelete="SET NULL"))
    asked_at: Mapped[datetime] = mapped_column(Moment, default=now)
    since: Mapped[datetime | None] = mapped_column(Moment, default=None)


# Every table in which students' work is under a name. A test finds a table that is missing here.
BY_EXERCISE = (
    Submission, Draft, HintOpened, GiveUp, SharedSolution, BestTime, WrongOutcome, NamedOutcome, Effort,
)  # fmt: skip
BY_LESSON = (LessonRead, Note, Sitting)
BY_QUESTION = (Answer, ReviewCard)  # `question`: course.lesson.slug
BY_SUBJECT = (Thread, MistakeReport)  # `subject`: exercise/slug, question/course.lesson.slug


# (db, kind, old, new, course): called as names move, by rooms that this one does not know. `course`: of a lesson.
Follows = Callable[[Session, Named, str, str, str], None]
_followers: list[Follows] = []


def on_moved(follower: Follows) -> None:
    _followers.append(follower)


def _tell(db: Session, kind: Named, old: str, new: str, course: str = "") -> None:
    for follower in _followers:
        follower(db, kind, old, new, course)


# ---- asking for a new name ----------------------------------------------------------------------------------------


def rename(db: Session, person: User, subject: Subject, slug: str) -> Subject:
    """A draft under the new name, with the same files and the same authors. Raises Invalid, Conflict, NotFound."""
    renamed = Subject(subject.kind, require_new_slug(slug))
    require_content(db, subject, writes=True)
    begin(db, person, renamed, files_of(db, newest(db, subject).id), f"Renamed from {subject.slug}")
    list_as(db, renamed, subject)
    lead(db, person, subject.kind, subject.slug, renamed.slug)
    note(db, person, subject, "rename asked for", {"to": renamed.slug})
    return renamed


def rename_lesson(db: Session, person: User, subject: Subject, old: str, new: str) -> None:
    """A lesson's file has another name in a draft; its address changes when the course is published."""
    if old != new:
        lead(db, person, "lesson", f"{subject.slug}/{old}", f"{subject.slug}/{new}")


def lead(db: Session, person: User | None, kind: Named, old: str, new: str) -> None:
    """The old name leads to the new one, once that is published; what led away from the new name does so no more."""
    db.execute(delete(Redirect).where(Redirect.kind == kind, Redirect.old.in_([old, new])))
    db.add(Redirect(kind=kind, old=old, new=new, author_id=person.id if person else None, asked_at=now()))
    db.flush()


def leads_to(db: Session, kind: Named, old: str) -> Redirect | None:
    return db.scalar(select(Redirect).where(Redirect.kind == kind, Redirect.old == old))


def require_both_names(db: Session, caller: Caller, subject: Subject) -> None:
    """attack: a draft under a new name, begun while all staff might author the exercise, is published once its authors
    are listed: students' work goes to somebody who is none of them. defence: who publishes it may author both.

    Raises NotFound.
    """
    if (row := comes_from(db, subject)) is not None:
        require_author(db, caller, Subject(subject.kind, row.old))


def comes_from(db: Session, subject: Subject) -> Redirect | None:
    """The name that waits to lead here."""
    waits = Redirect.kind == subject.kind, Redirect.new == subject.slug, Redirect.since.is_(None)
    return db.scalar(select(Redirect).where(*waits).limit(1))


def asked_for(db: Session) -> dict[tuple[str, str], Redirect]:
    """By kind and old name: of exercises and courses, every new name."""
    return {(row.kind, row.old): row for row in db.scalars(select(Redirect).where(Redirect.kind != "lesson"))}


# ---- when it is published -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Renames:
    """Told by the catalog what is served now, in every process; the first that hears of it moves the work."""

    database: Database
    catalog: Catalog

    def follow(self, kind: str, slug: str) -> None:
        if slug not in (self.catalog.exercises if kind == "exercise" else self.catalog.courses):
            return
        with self.database.reading() as db:
            waiting = [*_waiting(db, kind, slug), *_waiting_lessons(db, kind, slug)]
            written = self._written(db, slug) if kind == "course" else []
        if not waiting and not written:
            return
        with self.database.writing() as db:
            for old, new in written:
                lead(db, None, "lesson", old, new)
            left = [self._settle(db, row) for row in _waiting(db, kind, slug)]
            # A course's own name first: what is done in its lessons is under the new one only then.
            left += [self._settle(db, row) for row in _waiting_lessons(db, kind, slug)]
        for subject in filter(None, left):
            log.info("content_renamed", content=str(subject), to=slug)
            self.catalog.retire(subject.kind, subject.slug)

    def follow_all(self) -> None:
        """At the start: folders may hold new names."""
        for slug in list(self.catalog.courses):
            self.follow("course", slug)

    def _written(self, db: Session, slug: str) -> list[tuple[str, str]]:
        """What course.toml says of lessons' names and the rows do not: for authors who write in folders."""
        names = [(f"{slug}/{old}", f"{slug}/{new}") for old, new in self.catalog.courses[slug].renamed]
        known = [leads_to(db, "lesson", old) for old, _ in names]
        return [name for name, row in zip(names, known, strict=True) if row is None or row.new != name[1]]

    def _settle(self, db: Session, row: Redirect) -> Subject | None:
        """The name that nobody is served under any more, for an exercise or a course."""
        if row.kind == "lesson":
            course, _, old = row.old.partition("/")
            new = row.new.partition("/")[2]
            served = self.catalog.courses[course]
            if served.lesson(old) is None and served.lesson(new) is not None:
                move_lesson(db, course, old, new)
                row.since = now()
            return None
        subject = Subject("exercise" if row.kind == "exercise" else "course", row.old)
        list_as(db, Subject(subject.kind, row.new), subject)
        if subject.kind == "exercise":
            move_exercise(db, row.old, row.new)
        else:
            move_course(db, row.old, row.new)
        row.since = now()
        if (content := content_of(db, subject, writes=True)) is not None:
            content.published_id = None
        note(db, None, subject, "renamed", {"to": row.new})
        return subject


def _waiting(db: Session, kind: str, slug: str) -> list[Redirect]:
    waits = Redirect.since.is_(None), Redirect.kind == kind, Redirect.new == slug
    return list(db.scalars(select(Redirect).where(*waits)))


def _waiting_lessons(db: Session, kind: str, slug: str) -> list[Redirect]:
    waits = Redirect.since.is_(None), Redirect.kind == "lesson", Redirect.new.startswith(f"{slug}/", autoescape=True)
    return list(db.scalars(select(Redirect).where(*waits).order_by(Redirect.id))) if kind == "course" else []


def move_exercise(db: Session, old: str, new: str) -> None:
    for table in BY_EXERCISE:
        move_rows(db, table, {"exercise": new}, table.exercise == old)
    for by_subject in BY_SUBJECT:
        move_rows(db, by_subject, {"subject": f"exercise/{new}"}, by_subject.subject == f"exercise/{old}")
    _tell(db, "exercise", old, new)


def move_course(db: Session, old: str, new: str) -> None:
    for table in BY_LESSON:
        move_rows(db, table, {"course": new}, table.course == old)
    _move_questions(db, f"{old}.", f"{new}.")
    _tell(db, "course", old, new)
    db.flush()
    # What was asked for under the course's new name is the later word: a name leads to one place.
    twin = aliased(Redirect)
    is_asked = select(twin.id).where(twin.kind == "lesson", twin.old == new + func.substr(Redirect.old, len(old) + 1))
    of_old = Redirect.kind == "lesson", Redirect.old.startswith(f"{old}/", autoescape=True)
    taken = db.scalars(select(Redirect.id).where(*of_old, is_asked.exists())).all()
    db.execute(delete(Redirect).where(Redirect.id.in_(taken)).execution_options(synchronize_session=False))
    for column in (Redirect.old, Redirect.new):  # a lesson that had another name before its course had
        end = func.substr(column, len(old) + 1)
        of_lessons = Redirect.kind == "lesson", column.startswith(f"{old}/", autoescape=True)
        renamed = update(Redirect).where(*of_lessons).values({column: new + end})
        db.execute(renamed.execution_options(synchronize_session=False))


def move_lesson(db: Session, course: str, old: str, new: str) -> None:
    for table in BY_LESSON:
        move_rows(db, table, {"lesson": new}, and_(table.course == course, table.lesson == old))
    _move_questions(db, f"{course}.{old}.", f"{course}.{new}.")
    _tell(db, "lesson", old, new, course)


def _move_questions(db: Session, old: str, new: str) -> None:
    for table in BY_QUESTION:
        moved = {"question": new + func.substr(table.question, len(old) + 1)}
        move_rows(db, table, moved, table.question.startswith(old, autoescape=True))
    for by_subject in BY_SUBJECT:
        key = f"question/{old}"
        moved = {"subject": f"question/{new}" + func.substr(by_subject.subject, len(key) + 1)}
        move_rows(db, by_subject, moved, by_subject.subject.startswith(key, autoescape=True))


def move_rows(db: Session, table: Any, values: dict[str, Any], which: Any) -> None:
    """What somebody did under the new name before it was this one's stays as it is, and so does its twin."""
    key = tuple(table.__table__.primary_key.columns)
    try:
        with db.begin_nested():
            db.execute(update(table).where(which).values(**values).execution_options(synchronize_session=False))
    except IntegrityError:
        for row in db.execute(select(*key).where(which)).all():
            one = update(table).where(*(column == value for column, value in zip(key, row, strict=True)))
            with suppress(IntegrityError), db.begin_nested():
                db.execute(one.values(**values).execution_options(synchronize_session=False))


# ---- where an old address leads -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Moved:
    """Asked for each address at which there is nothing."""

    database: Database

    def __call__(self, path: str) -> str | None:
        """Where what used to be there is now; None: nowhere that we know."""
        found = _PLACE.match(path)
        if found is None:
            return None
        kind: Named = "exercise" if found["kind"] == "exercises" else "course"
        with self.database.reading() as db:
            slug = _end(db, kind, found["slug"])
            lesson = found["lesson"]
            if kind == "course" and lesson is not None:
                slug, _, lesson = _end(db, "lesson", f"{slug}/{lesson}").partition("/")
        rest = path[found.end() :]
        place = found["before"] + slug + (f"/{lesson}" if lesson is not None else "") + rest
        return place if place != path else None


def _end(db: Session, kind: Named, name: str) -> str:
    """attack: names that lead round in a circle. defence: ten steps, none twice."""
    seen = {name}
    for _ in range(LONGEST_CHAIN):
        row = leads_to(db, kind, name)
        if row is None or row.since is None or row.new in seen:
            break
        name = row.new
        seen.add(name)
    return name
