"""A quiz: the page from which its sittings are begun. (`quiz_attempts` are the sittings.)"""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.content.course import Course
from app.content.lesson import Lesson
from app.content.quiz import quiz_of
from app.db import read_id
from app.quizzes.api.quizzes import attempts_left, find_sitting, own_taken, start, time_limit_seconds
from app.web.rendering import render

router = APIRouter()


def show_quiz(request: Request, course: Course, lesson: Lesson) -> Response:
    """What is known of the quiz before it begins, and one's sittings so far, the newest first; `?before=` a number:
    the older ones. No question stands on this page."""
    before = read_id(request.query_params.get("before", ""))
    viewer, taken = own_taken(request, lesson, before)
    place = course.lessons.index(lesson)
    quiz = quiz_of(lesson)
    return render(
        request,
        "quizzes/quizzes/show.html",
        course=course,
        lesson=lesson,
        number=place + 1,
        quiz=quiz,
        time_limit_seconds=time_limit_seconds(lesson, viewer),
        multiplier=viewer.time_multiplier if viewer else 1.0,
        taken=taken,
        before=before,
        left=attempts_left(lesson, taken.count),
        previous=course.lessons[place - 1] if place else None,
        next=course.lessons[place + 1] if place + 1 < len(course.lessons) else None,
        here=lesson.url,
    )


@router.post("/courses/{course}/{lesson}/attempts")
def create_attempt(request: Request, course: str, lesson: str) -> Response:
    """A new sitting opens at its first question, one that is open already at the first without an answer."""
    attempt, is_new = start(request, course, lesson)
    address = f"/attempts/{attempt.id}"
    if is_new:
        return RedirectResponse(f"{address}/questions/1", 303)
    empty = next((one.place for one in find_sitting(request, str(attempt.id)).questions if not one.is_answered), None)
    return RedirectResponse(f"{address}/questions/{empty}" if empty else address, 303)
