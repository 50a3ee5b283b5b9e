"""The catalog: the current exercises and courses, read from folders, kept as snapshots, handed out by slug."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import structlog

from app.content.cell import Cell
from app.content.course import Course, course_slug
from app.content.lesson import Lesson
from app.content.questions.question import Question
from app.content.reading import Proof, ReadCourse, Reader, ReadExercise, Unsound, require_one_folder
from app.db import Database
from app.people.permission import Wish, may
from app.people.users import User
from app.reading.search import index_content
from app.reading.snapshots import (
    current_id,
    files_of,
    from_elsewhere,
    hash_of,
    is_proved,
    note_proof,
    proved_before,
    serve_only,
    slug_of,
    store,
)
from app.web.errors import Forbidden, NotFound
from graders.boxes.pool import Judge
from graders.cache import RecentCache
from graders.exercise.built import cases_at_hand
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.fault import Fault
from graders.exercise.limits import CEILINGS, Limits
from graders.exercise.samples import SampleCase, sample_cases
from graders.text import escaped

log = structlog.get_logger("lectern.content")

MAX_LOGGED = 10  # faults of one folder
KEPT_EXERCISES = 256
KEPT_COURSES = 16  # as sittings of them began, whose lessons have changed since


Content = TypeVar("Content", ReadExercise, ReadCourse)


@dataclass(frozen=True)
class Held:
    """A folder whose last state did not pass. `is_live`: an earlier one is shown in its place."""

    kind: str
    slug: str
    is_live: bool
    faults: tuple[Fault, ...]


class Catalog:
    """What this server offers: the current exercises and courses, by slug."""

    def __init__(self, database: Database, cache: Path | None = None, ceilings: Limits = CEILINGS) -> None:
        """`cache`: where it is kept which content is proved sound; None: in this process alone. `ceilings`: the most
        that an exercise's limits may ask for."""
        self._database = database
        self._cache, self._ceilings = cache, ceilings
        self._kept: RecentCache[int, Exercise] = RecentCache(KEPT_EXERCISES)
        self._samples: dict[str, list[SampleCase]] = {}
        self.exercises: dict[str, Exercise] = {}
        self.snapshot_ids: dict[str, int] = {}
        self.courses: dict[str, Course] = {}
        self.course_snapshot_ids: dict[str, int] = {}
        self.held: dict[tuple[str, str], tuple[Fault, ...]] = {}  # by kind and slug: why a folder is not published
        self._unpublished: dict[str, tuple[Exercise, int]] = {}  # not admitted, or not yet; with their snapshots
        self._kept_courses: RecentCache[int, Course] = RecentCache(KEPT_COURSES)

    def import_folders(self, exercises: Sequence[Path], lessons: Sequence[Path], *, is_judged: bool = False) -> None:
        """Store what the folders hold now. What has not passed stops nobody else's work: it stays as it last was, or is
        left out where it never passed; either is logged, with file and line. So is a slug that two folders have:
        neither is the right one by chance.

        `is_judged`: whether `judged` will be called for each exercise. Then one that has changed stays as it last was
        admitted until the judge admits what it is now.
        """
        self.held, self._unpublished = {}, {}
        with Reader(self._cache, self._ceilings) as reader:
            found = self._read_all("exercise", exercises, reader.exercise, reader.exercise_of)
            meanwhile = self._admitted_before(found, reader) if is_judged else {}
            courses = self._read_all("course", lessons, reader.course, reader.course_of)
        with self._database.writing() as db:
            ids = store(db, "exercise", {slug: one.exercise for slug, one in found.items()})
            course_ids = store(db, "course", {slug: one.course for slug, one in courses.items()})
            entries = {ids[slug]: one.proof.entries for slug, one in found.items()}
            for slug, (id, one) in meanwhile.items():
                serve_only(db, id, "exercise", slug)
                entries[id] = one.proof.entries
            index_content(db, entries | {course_ids[slug]: one.proof.entries for slug, one in courses.items()})
        self.exercises = {slug: one.exercise for slug, one in found.items()}
        self.courses = {slug: one.course for slug, one in courses.items()}
        self.snapshot_ids, self.course_snapshot_ids = ids, course_ids
        for slug, exercise in self.exercises.items():
            self._kept.put(ids[slug], exercise)
        for slug, (id, one) in meanwhile.items():
            self._unpublished[slug] = self.exercises[slug], ids[slug]
            self.exercises[slug], self.snapshot_ids[slug] = self._kept.put(id, one.exercise), id

    def _admitted_before(
        self, found: Mapping[str, ReadExercise], reader: Reader
    ) -> dict[str, tuple[int, ReadExercise]]:
        """Of the exercises that have changed since the judge admitted them: that state, and its snapshot."""
        states = {}
        with self._database.reading() as db:
            for slug, one in found.items():
                if (id := proved_before(db, slug, one.content_hash)) is not None:
                    states[slug] = id, files_of(db, id)
        earlier = {}
        for slug, (id, files) in states.items():
            with suppress(Unsound):  # we read it otherwise now
                earlier[slug] = id, reader.exercise_of(slug, files)
        return earlier

    def _read_all(
        self,
        kind: str,
        roots: Sequence[Path],
        read: Callable[[Path], Content],
        read_again: Callable[[str, Mapping[str, bytes]], Content],
    ) -> dict[str, Content]:
        found = {}
        for slug, folders in _folders_by_slug(kind, roots).items():
            folder, one = folders[0], None
            try:
                require_one_folder(kind, slug, folders)
                one = read(folder)
                if not self._has_passed(kind, one):
                    raise Unsound(*one.proof.errors)
                _log_faults(kind, slug, one.proof)
            except Unsound as unsound:
                one = self._last_sound(kind, slug, read_again)
                for fault in unsound.faults[:MAX_LOGGED]:
                    _log_unsound(kind, folder, fault, is_kept=one is not None)
                self.held[kind, one.slug if one else slug] = unsound.faults
            if one is not None:
                found[one.slug] = one
        return found | self._read_others(kind, found, read_again)

    def _has_passed(self, kind: str, one: ReadCourse | ReadExercise) -> bool:
        """Whether this content may be published: nothing in it is an error, or it was published before.

        That a snapshot of it is served is the record that it passed: a release that finds more faults than the one
        before takes no course from those who read it.
        """
        if not one.proof.errors:
            return True
        with self._database.reading() as db:
            id = current_id(db, kind, one.slug)
            return id is not None and hash_of(db, id) == one.content_hash

    def _read_others(
        self, kind: str, found: Mapping[str, Content], read: Callable[[str, Mapping[str, bytes]], Content]
    ) -> dict[str, Content]:
        """What came by another way than a folder, and is served all the same; a folder of that name goes first."""
        with self._database.reading() as db:
            stored = {slug: files_of(db, id) for id, slug in from_elsewhere(db, kind) if slug not in found}
        others = {}
        for slug, files in stored.items():
            try:
                others[slug] = read(slug, files)
            except Unsound as unsound:
                _log_unsound(kind, Path(slug), unsound.fault, is_kept=False)
        return others

    def _last_sound(self, kind: str, slug: str, read: Callable[[str, Mapping[str, bytes]], Content]) -> Content | None:
        """What the server last served of this folder, if it is still sound."""
        if escaped(slug) != slug:
            return None  # no database was ever asked to keep such a name
        with self._database.reading() as db:
            id = current_id(db, kind, slug)
            files = files_of(db, id) if id is not None else None
        try:
            return read(slug, files) if files else None
        except Unsound:
            return None

    def awaited(self) -> list[Exercise]:
        """Every exercise that is served, or will be once the judge admits it."""
        return [*self.exercises.values(), *(exercise for exercise, _ in self._unpublished.values())]

    def is_proved(self, exercise: Exercise) -> bool:
        """Whether the judge has admitted this state before; True for what is not awaited, which needs no proof."""
        snapshot_id = self._snapshot_of(exercise)
        with self._database.reading() as db:
            return snapshot_id is None or is_proved(db, snapshot_id)

    def judged(self, exercise: Exercise, faults: Sequence[Fault]) -> None:
        """The judge has admitted the exercise (no faults), or has not: then its last proved state is served in its
        place, and where there is none, nothing is. Staff read why, and it may still be admitted.

        What was proved once stays: the machine may only be busy.
        """
        snapshot_id = self._snapshot_of(exercise)
        if snapshot_id is None:
            return  # another state has taken its place
        if faults:
            self._hold(exercise, snapshot_id, faults)
            return
        slug = exercise.slug
        with self._database.writing() as db:
            note_proof(db, snapshot_id)
            serve_only(db, snapshot_id, "exercise", slug)
        if self._unpublished.pop(slug, None) is not None:
            self.held.pop(("exercise", slug), None)
            self.exercises = {**self.exercises, slug: exercise}
            self.snapshot_ids = {**self.snapshot_ids, slug: snapshot_id}
            log.info("exercise_is_published", exercise=slug)

    def _hold(self, exercise: Exercise, snapshot_id: int, faults: Sequence[Fault]) -> None:
        slug = exercise.slug
        with self._database.writing() as db:
            stays = is_proved(db, snapshot_id)
            earlier = None if stays else proved_before(db, slug, exercise.content_hash)
            if not stays:
                serve_only(db, earlier, "exercise", slug)
        self.held["exercise", slug] = tuple(faults)
        event = "exercise_stays_as_it_was" if stays or earlier else "exercise_is_not_published"
        for fault in faults[:MAX_LOGGED]:
            path = f"{slug}/{fault.path}"
            log.error(event, exercise=slug, file=path, line=fault.line, reason=fault.message, hint=fault.hint)
        if stays:
            return
        self._unpublished[slug] = exercise, snapshot_id
        others = {name: other for name, other in self.exercises.items() if name != slug}
        if earlier is not None:
            others[slug] = self.judged_by(earlier)
            self.snapshot_ids = {**self.snapshot_ids, slug: earlier}
        self.exercises = others

    def _snapshot_of(self, exercise: Exercise) -> int | None:
        """The snapshot of what is served under this name, or will be once the judge admits it; None for another."""
        slug = exercise.slug
        if slug in self._unpublished:
            awaited, snapshot_id = self._unpublished[slug]
            return snapshot_id if awaited is exercise else None
        return self.snapshot_ids[slug] if self.exercises.get(slug) is exercise else None

    def held_for(self, person: User | None, course: str | None = None) -> list[Held]:
        """The folders that are not published as they are, for those who may know why; of one course, if it is named."""
        if not may(person, Wish.see_what_is_held):
            return []
        return [
            Held(kind, slug, slug in (self.exercises if kind == "exercise" else self.courses), faults[:MAX_LOGGED])
            for (kind, slug), faults in sorted(self.held.items())
            if course is None or (kind, slug) == ("course", course)
        ]

    def render_lessons(self) -> None:
        """Render every lesson now, so that no reader waits for the first rendering."""
        for course in list(self.courses.values()):
            for lesson in course.lessons:
                lesson.render()

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
                "The questions of this quiz are only asked in an attempt.",
                f"Start an attempt on its page, {found.url}.",
            )
        return found.questions

    def question(self, id: str) -> Question:
        """By its id, `course.lesson.slug`; as `questions`. Raises NotFound, Forbidden."""
        course, _, rest = id.partition(".")
        lesson, _, slug = rest.partition(".")
        question = self.questions(course, lesson).get(slug)
        if question is None:
            raise NotFound("There is no such question.", "Reload the lesson.")
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
        if (kept := self._kept_courses.get(snapshot_id)) is not None:
            return kept
        with self._database.reading() as db:
            slug, files = slug_of(db, snapshot_id), files_of(db, snapshot_id)
        with Reader(self._cache) as reader:
            try:
                course = reader.course_of(slug, files).course
            except Unsound as unsound:  # by this version of Lectern: an older one read it
                raise NotFound(f"This course can no longer be read: {unsound.fault}", "Tell its author.") from None
        return self._kept_courses.put(snapshot_id, course)

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
        if (kept := self._kept.get(snapshot_id)) is not None:
            return kept
        with self._database.reading() as db:
            slug, files = slug_of(db, snapshot_id), files_of(db, snapshot_id)
        with Reader(self._cache, self._ceilings) as reader:
            try:
                return self._kept.put(snapshot_id, reader.exercise_of(slug, files).exercise)
            except Unsound as unsound:
                fault = unsound.fault
                raise BrokenExercise(fault.path or slug, fault.message, fault.hint, fault.line) from None

    def samples(self, exercise: Exercise, judge: Judge | None) -> list[SampleCase]:
        """The sample cases, values and all; none until they have been made, which no page waits for."""
        known = self._samples.get(exercise.judging_hash)
        if known is None:
            cases = cases_at_hand(judge, exercise) if judge is not None else None
            if cases is None:
                return []
            known = self._samples[exercise.judging_hash] = sample_cases(exercise, cases)
        return known


def _log_unsound(kind: str, folder: Path, fault: Fault, is_kept: bool) -> None:
    name = escaped(folder.name)
    log.error(
        f"{kind}_stays_as_it_was" if is_kept else f"{kind}_left_out",
        **{kind: name}, file=f"{name}/{fault.path}" if fault.path else name, line=fault.line, reason=fault.message,
        hint=fault.hint, remedy=f"./lectern check {folder.parent / name}",
    )  # fmt: skip


def _log_faults(kind: str, slug: str, proof: Proof) -> None:
    """What is served with a gap in it: a formula that cannot be set, a link that leads nowhere."""
    errors = [fault for fault in proof.faults if fault.severity == "error"]
    for fault in errors[:MAX_LOGGED]:
        place = f"{slug}/{fault.path}" if fault.path else slug
        log.warning("content_fault", **{kind: slug}, file=place, line=fault.line, reason=fault.message, hint=fault.hint)


def _folders_by_slug(kind: str, roots: Iterable[Path]) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for root in roots:
        for folder in _folders(root):
            found.setdefault(folder.name if kind == "exercise" else course_slug(folder.name), []).append(folder)
    return found


def _folders(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return [path for path in sorted(folder.iterdir()) if path.is_dir() and not path.name.startswith((".", "_"))]
