"""The way on: what comes after a lesson that is read, an exercise that is solved, a course that is finished.

Each says in one sentence what is done, and leads to the next thing. All of it is found from the catalog and what is
known of a person's progress; nothing here asks the database.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from app.content.course import Course
from app.content.lesson import Lesson
from app.db import now
from app.progress.left_off import first_unread
from app.progress.progress import Progress
from app.reading.catalog import Catalog
from app.reading.embedded import Place, exercises_in, places_of
from graders.exercise.definition import Exercise


@dataclass(frozen=True)
class Step:
    """Where to go next: `words` say what it is ("Next lesson"), `title` which."""

    url: str
    words: str
    title: str = ""


ALL_EXERCISES = Step("/exercises", "All exercises")
A_MOMENT = timedelta(minutes=1)  # so long the next page says what was finished


@dataclass(frozen=True)
class WayOn:
    """A sentence about what is done, and the next step. `places`: the lessons that have the exercise."""

    sentence: str
    step: Step
    places: tuple[Place, ...] = ()


@dataclass(frozen=True)
class CourseEnd:
    """How much of a course is left: the first unread lesson, and its exercises that are not solved, in order."""

    unread: Lesson | None
    unsolved: tuple[Exercise, ...]
    lessons: int
    exercises: int

    @property
    def is_finished(self) -> bool:
        return self.lessons > 0 and self.unread is None and not self.unsolved


def course_end(course: Course, catalog: Catalog, progress: Progress) -> CourseEnd:
    offered = [catalog.exercises[slug] for slug in exercises_in(course) if slug in catalog.exercises]
    unsolved = tuple(one for one in offered if not progress.has_solved(one.slug))
    return CourseEnd(first_unread(course, progress), unsolved, len(course.lessons), len(offered))


def after_course(course: Course, catalog: Catalog, progress: Progress) -> WayOn | None:
    """For someone who has read every lesson of the course; None before that, and where it has none."""
    end = course_end(course, catalog, progress)
    if end.unread is not None or not end.lessons:
        return None
    if not end.unsolved:
        return WayOn(_finished(course, end), _beyond(course, catalog, progress))
    count = len(end.unsolved)
    still_open = "One of its exercises is" if count == 1 else f"{count} of its exercises are"
    return WayOn(f"You have read every lesson. {still_open} not solved yet.", _to_exercise(end.unsolved[0]))


def after_lesson(course: Course, lesson: Lesson, catalog: Catalog, progress: Progress) -> WayOn | None:
    """For someone who has read the lesson: its exercises that are still open first, then the next lesson."""
    if not progress.has_read(course.slug, lesson.slug):
        return None
    unsolved = _unsolved_in(lesson, catalog, progress)
    if unsolved:
        return WayOn(f"You have read this lesson. {_still_open(lesson, unsolved)}", _to_exercise(unsolved[0]))
    if course_end(course, catalog, progress).is_finished:
        return after_course(course, catalog, progress)
    what = "quiz" if lesson.is_quiz else "lesson"
    return WayOn(f"You have finished this {what}.", _next_lesson(course, lesson, catalog, progress))


def just_finished(course: Course, opened: Lesson, catalog: Catalog, progress: Progress) -> WayOn | None:
    """Of the lesson of this course that they marked as read a moment ago, for the page of the next one."""
    last = next((read for read in reversed(progress.lessons_read) if read.course == course.slug), None)
    lesson = course.lesson(last.lesson) if last and last.lesson != opened.slug else None
    if last is None or lesson is None or now() - last.read_at > A_MOMENT:
        return None
    unsolved = _unsolved_in(lesson, catalog, progress)
    if unsolved:
        step = _to_exercise(unsolved[0])
        return WayOn(f"You have read “{lesson.title}”. {_still_open(lesson, unsolved)}", step)
    read = sum(progress.has_read(course.slug, one.slug) for one in course.lessons)
    return WayOn(f"You have finished “{lesson.title}”: {read} of {len(course.lessons)} lessons.", Step("", ""))


def _still_open(lesson: Lesson, unsolved: Sequence[Exercise]) -> str:
    if len(unsolved) > 1:
        return f"{len(unsolved)} of its exercises are not solved yet."
    return f"{'Its exercise' if len(lesson.render().exercises) == 1 else 'One of its exercises'} is not solved yet."


def after_exercise(slug: str, catalog: Catalog, progress: Progress) -> WayOn:
    """For someone who has solved the exercise. What comes next is looked for in the first lesson with it that still
    has something to do, then in its course.
    """
    places = places_of(catalog.courses, slug)
    if not places:
        return WayOn("You have solved this exercise.", ALL_EXERCISES)
    place = next((one for one in places if _has_more(one, catalog, progress)), places[0])
    course, lesson = place.course, place.lesson
    end = course_end(course, catalog, progress)
    if end.is_finished:
        return WayOn(_finished(course, end), _beyond(course, catalog, progress), places)
    if not progress.has_read(course.slug, lesson.slug):
        return WayOn("You have solved this exercise.", Step(place.url, "Read on in", lesson.title), places)
    unsolved = _unsolved_in(lesson, catalog, progress, after=slug)
    if unsolved:
        return WayOn("You have solved this exercise.", _to_exercise(unsolved[0]), places)
    return WayOn(
        f"You have finished the lesson “{lesson.title}”.", _next_lesson(course, lesson, catalog, progress), places
    )


def _has_more(place: Place, catalog: Catalog, progress: Progress) -> bool:
    is_read = progress.has_read(place.course.slug, place.lesson.slug)
    return not is_read or bool(_unsolved_in(place.lesson, catalog, progress))


def _unsolved_in(lesson: Lesson, catalog: Catalog, progress: Progress, after: str | None = None) -> list[Exercise]:
    """In reading order; with `after`, those that come after that one first."""
    slugs = list(lesson.render().exercises)
    if after in slugs:
        cut = slugs.index(after) + 1
        slugs = slugs[cut:] + slugs[:cut]
    return [catalog.exercises[slug] for slug in slugs if slug in catalog.exercises and not progress.has_solved(slug)]


def _next_lesson(course: Course, lesson: Lesson, catalog: Catalog, progress: Progress) -> Step:
    """The next unread lesson of the course, counted from this one; else an exercise of the course; else beyond it."""
    for other in _in_turn(course, lesson):
        if not progress.has_read(course.slug, other.slug):
            return Step(other.url, "Next lesson:", other.title)
    end = course_end(course, catalog, progress)
    return _to_exercise(end.unsolved[0]) if end.unsolved else _beyond(course, catalog, progress)


def _in_turn(course: Course, lesson: Lesson) -> Iterator[Lesson]:
    at = next((n for n, one in enumerate(course.lessons) if one.slug == lesson.slug), -1)
    yield from (*course.lessons[at + 1 :], *course.lessons[: max(at, 0)])


def _beyond(course: Course, catalog: Catalog, progress: Progress) -> Step:
    """The first unread lesson of another course; where there is none, the list of exercises."""
    for other in catalog.courses.values():
        lesson = first_unread(other, progress) if other.slug != course.slug else None
        if lesson is not None:
            return Step(lesson.url, f"On to {other.title}:", lesson.title)
    return ALL_EXERCISES


def _to_exercise(exercise: Exercise) -> Step:
    return Step(f"/exercises/{exercise.slug}", "Next exercise:", exercise.title)


def _finished(course: Course, end: CourseEnd) -> str:
    solved = ", and every exercise in it solved" if end.exercises else ""
    return f"You have finished the course “{course.title}”: every lesson is read{solved}."
