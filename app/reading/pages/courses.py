"""Home, and a course with its table of contents."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.content.course import Course, in_reading_order
from app.content.lesson import Lesson
from app.people import identity
from app.progress.going_on import going_on
from app.progress.left_off import first_unread
from app.progress.progress import Progress, progress_of
from app.progress.way import after_course
from app.reading.embedded import exercises_in
from app.state import AppState, state_of
from app.teaching.authors import closed_to
from app.web.errors import NotFound
from app.web.pictures import picture
from app.web.rendering import render
from graders.exercise.definition import Exercise

router = APIRouter()


EXERCISES_SHOWN = 6  # on the home page; all of them have a page of their own


@dataclass(frozen=True)
class CourseEntry:
    """`before`: the courses to take first. `exercises`: how many there are of those that it embeds."""

    course: Course
    before: tuple[Course, ...]
    exercises: int
    read: int


@dataclass(frozen=True)
class ExerciseEntry:
    exercise: Exercise
    solved: bool


@dataclass(frozen=True)
class FirstLesson:
    """Where someone new begins."""

    course: Course
    lesson: Lesson


@router.get("/")
def index(request: Request) -> Response:
    """What Lectern is, what there is to read, and where this person left off."""
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        progress = progress_of(db, viewer)
        begun = going_on(db, state.catalog, viewer, progress)
        held = state.catalog.held_for(viewer, partial(closed_to, db, viewer))
    courses = in_reading_order(state.catalog.courses.values())
    exercises = _in_turn(state, courses)
    unsolved = [one for one in exercises if not progress.has_solved(one.slug)]
    return render(
        request,
        "reading/courses/index.html",
        courses=[_entry(state, course, progress) for course in courses],
        exercises=[
            ExerciseEntry(one, progress.has_solved(one.slug)) for one in (unsolved or exercises)[:EXERCISES_SHOWN]
        ],
        exercise_count=len(exercises),
        solved_count=len(exercises) - len(unsolved),
        going_on=begun,
        first=None if progress.lessons_read else _first(state),
        held=held,
    )


@router.get("/courses/{course}")
def show(request: Request, course: str) -> Response:
    state = state_of(request)
    found = course_named(state, course)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        progress = progress_of(db, viewer)
        held = state.catalog.held_for(viewer, partial(closed_to, db, viewer), course)
    return render(
        request,
        "reading/courses/show.html",
        course=found,
        entry=_entry(state, found, progress),
        read=read_slugs(progress, found),
        next_lesson=first_unread(found, progress),
        way=after_course(found, state.catalog, progress),
        held=held,
    )


@router.get("/courses/{course}/figures/{name}")
def figure(request: Request, course: str, name: str) -> Response:
    return picture(course_named(state_of(request), course).figure(name))


def course_named(state: AppState, slug: str) -> Course:
    course = state.catalog.courses.get(slug)
    if course is None:
        raise NotFound("There is no such course.", "See the list of courses.")
    return course


def read_slugs(progress: Progress, course: Course) -> set[str]:
    """The lessons of this course that were read, less those that it no longer has."""
    return {read.lesson for read in progress.lessons_read if read.course == course.slug} & {
        lesson.slug for lesson in course.lessons
    }


def _entry(state: AppState, course: Course, progress: Progress) -> CourseEntry:
    catalog = state.catalog
    before = tuple(catalog.courses[slug] for slug in course.comes_after if slug in catalog.courses)
    exercises = sum(slug in catalog.exercises for slug in exercises_in(course))
    return CourseEntry(course, before, exercises, len(read_slugs(progress, course)))


def _in_turn(state: AppState, courses: Iterable[Course]) -> list[Exercise]:
    """All exercises: those of the courses in reading order, then those that are in none."""
    catalog = state.catalog
    embedded = dict.fromkeys(slug for course in courses for slug in exercises_in(course) if slug in catalog.exercises)
    return [catalog.exercises[slug] for slug in dict.fromkeys([*embedded, *catalog.exercises])]


def _first(state: AppState) -> FirstLesson | None:
    courses = in_reading_order(state.catalog.courses.values())
    return next((FirstLesson(one, one.lessons[0]) for one in courses if one.lessons), None)
