"""Courses and exercises: files that instructors write, stored as content-addressed snapshots.

The judge reads a snapshot and never the live folder, so that a verdict names what it was judged by, whatever
happens to the folder in the meantime.
"""

import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from threading import Lock

import structlog
from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, String, UniqueConstraint, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.content.cell import Cell
from app.content.course import Course, course_from_files, read_course
from app.content.lesson import Lesson
from app.content.question import Question
from app.content.snapshot import FolderUnreadable
from app.db import Base, Database, Moment, now
from app.errors import Forbidden, NotFound
from app.models.search import index_content
from graders.cases import SampleCase, sample_cases
from graders.exercise import BrokenExercise, Exercise, exercise_from_files, read_exercise
from graders.pool import Judge, JudgeUnavailable
from graders.sandbox import BoxLost

log = structlog.get_logger("lectern.content")

KEPT_EXERCISES = 256
KEPT_COURSES = 16  # as sittings of them began, whose lessons have changed since
ASK_AGAIN_SECONDS = 30.0  # for the samples of a broken exercise: a box a page view would be dear


class Snapshot(Base):
    """One state of a folder. `is_current`: what the folder held when the server last started."""

    __tablename__ = "snapshot"
    __table_args__ = (
        CheckConstraint("kind IN ('exercise', 'course')", "kind"),
        UniqueConstraint("kind", "slug", "content_hash", name="uq_snapshot_kind_slug_content_hash"),
        Index("ix_snapshot_kind_is_current", "kind", "is_current"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    slug: Mapped[str] = mapped_column(String(120))
    content_hash: Mapped[str] = mapped_column(String(64))
    is_current: Mapped[bool]
    imported_at: Mapped[datetime] = mapped_column(Moment, default=now)


class SnapshotFile(Base):
    __tablename__ = "snapshot_file"

    snapshot_id: Mapped[int] = mapped_column(ForeignKey("snapshot.id", ondelete="CASCADE"), primary_key=True)
    path: Mapped[str] = mapped_column(String(500), primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class Catalog:
    """What this server offers: the current exercises and courses, by slug."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: OrderedDict[int, Exercise] = OrderedDict()
        self._samples: dict[str, list[SampleCase]] = {}
        self._samples_failed_at: dict[str, float] = {}
        self._lock = Lock()
        self.exercises: dict[str, Exercise] = {}
        self.snapshot_ids: dict[str, int] = {}
        self.courses: dict[str, Course] = {}
        self.course_snapshot_ids: dict[str, int] = {}
        self._kept_courses: OrderedDict[int, Course] = OrderedDict()

    def import_folders(self, exercises: Path, lessons: Path) -> None:
        """Store what the folders hold now. What is broken is logged and left out: it stops nobody else's work."""
        found = {exercise.slug: exercise for exercise in _read_exercises(exercises)}
        courses = {course.slug: course for course in _read_courses(lessons)}
        with self._database.writing() as db:
            ids = _store(db, "exercise", {slug: (one.content_hash, one.files) for slug, one in found.items()})
            course_ids = _store(db, "course", {slug: (one.content_hash, one.files) for slug, one in courses.items()})
            index_content(
                db,
                {ids[slug]: exercise for slug, exercise in found.items()},
                {course_ids[slug]: course for slug, course in courses.items()},
            )
        self.exercises, self.snapshot_ids, self.courses = found, ids, courses
        self.course_snapshot_ids = course_ids
        for slug, exercise in found.items():
            self._keep(ids[slug], exercise)

    def render_lessons(self) -> None:
        """Render every lesson now, so that no reader waits for the first rendering."""
        for course in list(self.courses.values()):
            for lesson in course.lessons:
                lesson.render(course)

    def exercise(self, slug: str) -> Exercise:
        """Raises NotFound."""
        if slug not in self.exercises:
            raise NotFound("There is no such exercise.", "See the list of exercises.")
        return self.exercises[slug]

    def lesson(self, course: str, lesson: str) -> tuple[Course, Lesson]:
        """Raises NotFound."""
        found = self.courses.get(course)
        page = found.lesson(lesson) if found else None
        if found is None or page is None:
            raise NotFound("There is no such lesson.", "See the list of courses.")
        return found, page

    def questions(self, course: str, lesson: str) -> Mapping[str, Question]:
        """By slug, in reading order: those of a lesson that anyone may try at any time.

        attack: try a quiz that counts until the answers are known, then sit it. defence: its questions are had in a
        sitting alone (`lesson_at`), and whatever asks for them by course or by id is refused here.
        Raises NotFound, Forbidden.
        """
        found = self.lesson(course, lesson)[1]
        if found.is_counted:
            raise Forbidden(
                "The questions of this quiz are asked in a sitting only.", f"Start a sitting on its page, {found.url}."
            )
        return found.questions

    def question(self, id: str) -> Question:
        """By its id, `course.lesson.slug`; as `questions`. Raises NotFound, Forbidden."""
        course, _, rest = id.partition(".")
        lesson, _, slug = rest.partition(".")
        question = self.questions(course, lesson).get(slug)
        if question is None:
            raise NotFound("There is no such question.", "Load its lesson again.")
        return question

    def reviewed(self, id: str, content_hash: str) -> Question | None:
        """The question that comes back to someone who answered it in that content; None: it is no longer there.

        Of a quiz that counts only what they have met in a submitted sitting, which told them its answer.
        attack: an edited question is seen, and explained, before the sitting that it is for. defence: not until then.
        """
        course, _, rest = id.partition(".")
        lesson, _, slug = rest.partition(".")
        try:
            found = self.lesson(course, lesson)[1]
        except NotFound:
            return None
        question = found.questions.get(slug)
        if question is None or (found.is_counted and question.content_hash != content_hash):
            return None
        return question

    def lesson_at(self, snapshot_id: int, lesson: str) -> Lesson:
        """The lesson as that snapshot of its course holds it: for sittings, which show what they began with."""
        found = self._course_at(snapshot_id).lesson(lesson)
        if found is None:
            raise NotFound("There is no such lesson.", "See the list of courses.")
        return found

    def _course_at(self, snapshot_id: int) -> Course:
        for slug, id in self.course_snapshot_ids.items():
            if id == snapshot_id:
                return self.courses[slug]
        with self._lock:
            kept = self._kept_courses.get(snapshot_id)
            if kept is not None:
                self._kept_courses.move_to_end(snapshot_id)
                return kept
        with self._database.reading() as db:
            slug = db.scalars(select(Snapshot.slug).where(Snapshot.id == snapshot_id)).one()
            course = course_from_files(slug, _files(db, snapshot_id))
        with self._lock:
            self._kept_courses[snapshot_id] = course
            while len(self._kept_courses) > KEPT_COURSES:
                self._kept_courses.popitem(last=False)
        return course

    def cells(self) -> Iterator[Cell]:
        """Every cell of every lesson."""
        for course in list(self.courses.values()):
            for lesson in course.lessons:
                yield from lesson.cells.values()

    def frameworks(self) -> set[str]:
        """What submissions are likely to be in, and NumPy, in which cases are made."""
        return {"numpy"}.union(*(exercise.frameworks for exercise in self.exercises.values()))

    def judged_by(self, snapshot_id: int) -> Exercise:
        """The exercise as that snapshot holds it. Raises BrokenExercise where we read it otherwise now."""
        with self._lock:
            kept = self._kept.get(snapshot_id)
            if kept is not None:
                self._kept.move_to_end(snapshot_id)
                return kept
        with self._database.reading() as db:
            slug = db.scalars(select(Snapshot.slug).where(Snapshot.id == snapshot_id)).one()
            files = _files(db, snapshot_id)
        return self._keep(snapshot_id, exercise_from_files(slug, files))

    def samples(self, exercise: Exercise, judge: Judge | None) -> list[SampleCase]:
        """The sample cases, values and all; none while the judge, which makes them, cannot."""
        known = self._samples.get(exercise.judging_hash)
        if known is None:
            asked_at = self._samples_failed_at.get(exercise.judging_hash)
            if judge is None or not judge.ready() or (asked_at and time.monotonic() < asked_at + ASK_AGAIN_SECONDS):
                return []
            try:
                known = self._samples[exercise.judging_hash] = sample_cases(judge, exercise)
            except (BrokenExercise, JudgeUnavailable, BoxLost) as error:
                log.error("samples_not_made", exercise=exercise.slug, reason=str(error))
                self._samples_failed_at[exercise.judging_hash] = time.monotonic()
                return []
        return known

    def _keep(self, snapshot_id: int, exercise: Exercise) -> Exercise:
        with self._lock:
            self._kept[snapshot_id] = exercise
            while len(self._kept) > KEPT_EXERCISES:
                self._kept.popitem(last=False)
        return exercise


def _files(db: Session, snapshot_id: int) -> dict[str, bytes]:
    rows = db.execute(select(SnapshotFile.path, SnapshotFile.content).where(SnapshotFile.snapshot_id == snapshot_id))
    return {row.path: row.content for row in rows}


def _read_exercises(folder: Path) -> list[Exercise]:
    found = []
    for path in _folders(folder):
        try:
            found.append(read_exercise(path))
        except (BrokenExercise, OSError) as error:
            log.error("exercise_left_out", exercise=path.name, reason=str(error), remedy=f"./lectern check {path}")
    return found


def _read_courses(folder: Path) -> list[Course]:
    found = []
    for path in _folders(folder):
        try:
            found.append(read_course(path))
        except (FolderUnreadable, OSError) as error:
            log.error("course_left_out", course=path.name, reason=str(error), remedy=f"./lectern check {path}")
    return found


def _folders(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return [path for path in sorted(folder.iterdir()) if path.is_dir() and not path.name.startswith((".", "_"))]


def _store(db: Session, kind: str, folders: Mapping[str, tuple[str, Mapping[str, bytes]]]) -> dict[str, int]:
    """The current snapshots of this kind become exactly these; returns their ids by slug."""
    db.execute(update(Snapshot).where(Snapshot.kind == kind, Snapshot.is_current).values(is_current=False))
    ids = {}
    for slug, (content_hash, files) in folders.items():
        known = db.scalar(
            select(Snapshot).where(Snapshot.kind == kind, Snapshot.slug == slug, Snapshot.content_hash == content_hash)
        )
        if known is None:
            known = Snapshot(kind=kind, slug=slug, content_hash=content_hash, is_current=True)
            db.add(known)
            db.flush()
            db.add_all(
                SnapshotFile(snapshot_id=known.id, path=path, content=content) for path, content in files.items()
            )
        known.is_current = True
        ids[slug] = known.id
    return ids
