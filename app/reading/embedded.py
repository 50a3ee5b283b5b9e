"""Exercises in lessons: which lessons have an exercise in their text, and which exercises a course has."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.content.course import Course
from app.content.lesson import Lesson


@dataclass(frozen=True)
class Place:
    """A lesson that has the exercise in its text; `url` leads to that place in it."""

    course: Course
    lesson: Lesson
    exercise: str

    @property
    def url(self) -> str:
        return f"{self.lesson.url}#exercise-{self.exercise}"


def places_of(courses: Mapping[str, Course], exercise: str) -> tuple[Place, ...]:
    """In reading order. A quiz shows no exercise, so it is none of them."""
    return tuple(
        Place(course, lesson, exercise)
        for course in list(courses.values())
        for lesson in course.lessons
        if not lesson.is_quiz and exercise in lesson.render().exercises
    )


def exercises_along(courses: Mapping[str, Course], exercise: str) -> tuple[str, ...]:
    """It, and all exercises of the courses that have it in a lesson."""
    own = {place.course.slug: place.course for place in places_of(courses, exercise)}
    return (exercise, *(slug for course in own.values() for slug in exercises_in(course)))


def exercises_in(course: Course) -> tuple[str, ...]:
    """The slugs of all exercises in the course's lessons, in reading order, each once."""
    found = (slug for lesson in course.lessons if not lesson.is_quiz for slug in lesson.render().exercises)
    return tuple(dict.fromkeys(found))
