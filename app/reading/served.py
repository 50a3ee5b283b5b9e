"""What this server offers: exercises and courses by slug, and each state of them that something refers to."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path

from app.content.cell import Cell
from app.content.course import Course
from app.content.lesson import Lesson
from app.content.questions.question import Question
from app.content.reading import Reader, Unsound
from app.db import Database, now
from app.people.permission import Wish, may
from app.people.users import User
from app.reading.draws import drawing_key, drawn
from app.reading.snapshots import files_of, has_file, hash_of, served_lately, slug_of, snapshot_by_hash
from app.web.errors import Forbidden, NotFound
from graders.cache import RecentCache
from graders.exercise.built import Keeps, cases_at_hand
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.folder import hash_files
from graders.exercise.limits import CEILINGS, Limits
from graders.exercise.samples import SampleCase, sample_cases
from graders.exercise.variants import MARKER, counterpart, marked

KEPT_EXERCISES = 256
STAYS_OPEN = timedelta(days=1)  # a state that was replaced, to those who began with it
KEPT_COURSES = 16  # as sittings of them began, whose lessons have changed since


class Served:
    """The current exercises and courses, by slug.

    Requests read while others change what is served: a dictionary is never changed, another takes its place.
    """

    def __init__(self, database: Database, cache: Path | None = None, ceilings: Limits = CEILINGS) -> None:
        """`cache`: where it is kept which content is proved sound; None: in this process alone. `ceilings`: the most
        that an exercise's limits may ask for."""
        self._database = database
        self._cache, self._ceilings = cache, ceilings
        self._kept: RecentCache[int, Exercise] = RecentCache(KEPT_EXERCISES)
        self._kept_courses: RecentCache[int, Course] = RecentCache(KEPT_COURSES)
        self._variant_ids: RecentCache[tuple[str, str], int] = RecentCache(KEPT_EXERCISES)  # by slug and content hash
        self._drawing_key: bytes | None = None
        self._samples: RecentCache[str, list[SampleCase]] = RecentCache(KEPT_EXERCISES)
        self.exercises: Mapping[str, Exercise] = {}
        self.snapshot_ids: Mapping[str, int] = {}
        self.courses: Mapping[str, Course] = {}
        self.course_snapshot_ids: Mapping[str, int] = {}

    def render_lessons(self, course_slug: str | None = None) -> None:
        """Render every lesson now, or those of one course, so that no reader waits for the first rendering."""
        for course in self._courses(course_slug):
            for lesson in course.lessons:
                lesson.render()

    def exercise(self, slug: str) -> Exercise:
        """As lists and the search show it: of an exercise with variants the first one. Raises NotFound."""
        if slug not in self.exercises:
            link = "/exercises", "Go to the exercises"
            raise NotFound("There is no such exercise.", "See the list of exercises.", link=link)
        return self.exercises[slug]

    def for_person(self, slug: str, person: User | None) -> Exercise:
        """As this person meets it: in their variant. Raises NotFound."""
        exercise = self.exercise(slug)
        return exercise.in_variant(self.variant_of(person, exercise))

    def variant_of(self, person: User | None, exercise: Exercise) -> int:
        """Which variant of the exercise this person has, in the state that is given."""
        count = exercise.variants.count
        return drawn(self._key(), person, exercise.slug, count) if count > 1 else 0

    def _key(self) -> bytes:
        if self._drawing_key is None:
            with self._database.reading() as db:
                self._drawing_key = drawing_key(db)
        if self._drawing_key is None:
            raise RuntimeError("nothing was served by this installation, so there is nothing to draw")
        return self._drawing_key

    def begun(self, slug: str, content_hash: str | None, person: User | None) -> tuple[Exercise, int]:
        """The exercise as this person began it, and its snapshot: what was replaced a day ago at most stays open to
        those who have its page. None, or any other hash: as it is now. Called with no transaction open. Raises
        NotFound.

        attack: send the hash of a classmate's variant with the classmate's file. defence: a hash chooses among states
        of the exercise, and in none of them another variant than the person's own. (Staff may send to any.)
        """
        own = self.for_person(slug, person)
        if content_hash is not None and content_hash != own.content_hash:
            earlier = self._begun_earlier(slug, content_hash, person)
            if earlier is not None:
                return earlier
        return own, self.snapshot_of(own)

    def _begun_earlier(self, slug: str, content_hash: str, person: User | None) -> tuple[Exercise, int] | None:
        with self._database.reading() as db:
            snapshot_id = snapshot_by_hash(db, slug, content_hash)
            if snapshot_id is None:
                return None
            first = content_hash  # of the first variant, which stands for all of its state
            if has_file(db, snapshot_id, MARKER):
                first = hash_files(marked(files_of(db, snapshot_id), 0))
            is_served = first == self.exercise(slug).content_hash
            if not is_served and served_lately(db, slug, first, now() - STAYS_OPEN) is None:
                return None
        try:
            exercise = self.judged_by(snapshot_id)
        except BrokenExercise:  # we read it otherwise now
            return None
        is_theirs = may(person, Wish.choose_variant) or exercise.variant == self.variant_of(person, exercise)
        return (exercise, snapshot_id) if is_theirs else None

    def snapshot_of(self, exercise: Exercise) -> int:
        """The snapshot of what is served, or of a variant of it. Called with no transaction open."""
        slug, content_hash = exercise.slug, exercise.content_hash
        if not exercise.variant:
            return self.snapshot_ids[slug]
        if (known := self._variant_ids.get((slug, content_hash))) is not None:
            return known
        with self._database.reading() as db:
            found = snapshot_by_hash(db, slug, content_hash)
        if found is None:
            raise RuntimeError(f"{slug} is served, and a variant of it has no snapshot")
        self._kept.put(found, exercise)
        return self._variant_ids.put((slug, content_hash), found)

    def current_for(self, slug: str, snapshot_id: int) -> Exercise | None:
        """What is served now to somebody who has that snapshot's variant; None where it is served no more. Raises
        BrokenExercise where we read the snapshot otherwise now."""
        current = self.exercises.get(slug)
        if current is None or current.variants.count == 1:
            return current
        return counterpart(self.judged_by(snapshot_id), current)

    def in_state(self, first: Exercise, snapshot_id: int) -> Exercise:
        """Of a state of an exercise, given by its first variant: the one by which what was sent to that snapshot, of
        the same exercise, is judged. Called with no transaction open."""
        if first.variants.count == 1:
            return first
        try:
            return counterpart(self.judged_by(snapshot_id), first)
        except BrokenExercise:  # we read it otherwise now: nobody can say which values it had
            return first

    def has_changed(self, slug: str, snapshot_id: int) -> bool:
        """Whether that snapshot of an exercise was judged otherwise than what is served now, in the same variant."""
        if slug not in self.exercises or self.snapshot_ids.get(slug) == snapshot_id:
            return False
        try:
            current = self.current_for(slug, snapshot_id)
            return current is not None and self.judged_by(snapshot_id).judging_hash != current.judging_hash
        except BrokenExercise:
            return True

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

    def all_questions(self) -> Iterator[Question]:
        """Those of quizzes that count too: for this server's own use, and for no page."""
        for course in self._courses(None):
            yield from course.questions

    def cells(self, course_slug: str | None = None) -> Iterator[Cell]:
        """Every cell of every lesson, or of those of one course."""
        for course in self._courses(course_slug):
            for lesson in course.lessons:
                yield from lesson.cells.values()

    def _courses(self, slug: str | None) -> list[Course]:
        return [course for course in self.courses.values() if slug in (None, course.slug)]

    def frameworks(self) -> set[str]:
        """What submissions are likely to be in, and NumPy, in which cases are made."""
        return {"numpy"}.union(*(exercise.frameworks for exercise in self.exercises.values()))

    def judged_by(self, snapshot_id: int) -> Exercise:
        """The exercise as that snapshot holds it. Raises BrokenExercise where we read it otherwise now."""
        if (kept := self._kept.get(snapshot_id)) is not None:
            return kept
        with self._database.reading() as db:
            slug, content_hash = slug_of(db, snapshot_id), hash_of(db, snapshot_id)
            served = self.exercises.get(slug)
            for variant in served.others if served is not None else ():
                if variant.content_hash == content_hash:
                    return self._kept.put(snapshot_id, variant)
            files = files_of(db, snapshot_id)
        with Reader(self._cache, self._ceilings) as reader:
            try:
                return self._kept.put(snapshot_id, reader.exercise_of(slug, files).exercise)
            except Unsound as unsound:
                fault = unsound.fault
                raise BrokenExercise(fault.path or slug, fault.message, fault.hint, fault.line) from None

    def samples(self, exercise: Exercise, shelf: Keeps | None) -> list[SampleCase]:
        """The sample cases, values and all; none until they have been made, which no page waits for. `shelf`: where
        this process finds them; None: nowhere."""
        known = self._samples.get(exercise.judging_hash)
        if known is None:
            cases = cases_at_hand(shelf, exercise) if shelf is not None else None
            if cases is None:
                return []
            known = self._samples.put(exercise.judging_hash, sample_cases(exercise, cases))
        return known
