"""Previews: an exercise, a course or a lesson as a student would meet it, in its newest state or in any revision."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from app.content.exercise import page
from app.content.highlight import listing
from app.content.picture import figure_in
from app.people.identity import Caller
from app.practice.exercises import numbered
from app.state import state_of
from app.teaching.previews import Preview, find_preview, lesson_of, previewed_blocks, previewed_cases
from app.web.errors import NotFound
from app.web.pictures import picture
from app.web.rendering import render
from graders.exercise.materials import data_in

router = APIRouter()

Revision = Annotated[str | None, Query(pattern="^[0-9a-f]{64}$")]


@router.get("/preview/exercises/{slug}")
def show_exercise(
    request: Request, slug: str, framework: str | None = None, variant: str = "1", revision: Revision = None
) -> Response:
    """`variant`: which of an exercise's variants, counted from 1."""
    state = state_of(request)
    preview = find_preview(state, Caller(request), "exercise", slug, revision)
    exercise = preview.exercise
    if exercise is None:
        return _show_faults(request, preview)
    exercise = numbered(exercise, variant)
    words = page(exercise)
    framework = framework if framework in exercise.frameworks else exercise.frameworks[0]
    return render(
        request,
        "teaching/previews/exercise.html",
        preview=preview,
        exercise=exercise,
        statement_html=preview.within(words.statement_html),
        hints=[preview.within(hint) for hint in words.hints_html],
        solution_html=preview.within(words.solution_html),
        provided=words.provided_html,
        data=sorted(data_in(exercise.files)),
        framework=framework,
        starter_html=listing(exercise.starter(framework)),
        cases=previewed_cases(state, exercise),
    )


@router.get("/preview/courses/{course}")
def show_course(request: Request, course: str, revision: Revision = None) -> Response:
    preview = find_preview(state_of(request), Caller(request), "course", course, revision)
    if preview.course is None:
        return _show_faults(request, preview)
    return render(request, "teaching/previews/course.html", preview=preview, course=preview.course)


@router.get("/preview/courses/{course}/{lesson}")
def show_lesson(
    request: Request,
    course: str,
    lesson: str,
    variant: Annotated[int, Query(ge=1, le=10_000_000)] = 1,
    revision: Revision = None,
) -> Response:
    """`variant`: which of each question's, counted from 1."""
    state = state_of(request)
    preview = find_preview(state, Caller(request), "course", course, revision)
    if preview.course is None:
        return _show_faults(request, preview)
    found, its = lesson_of(preview, lesson)
    return render(
        request,
        "teaching/previews/lesson.html",
        preview=preview,
        course=found,
        lesson=its,
        outline=its.render().outline,
        blocks=previewed_blocks(preview, its, state.cells, variant),
        variant=variant,
    )


@router.get("/preview/{kinds}/{slug}/figures/{name}")
def show_figure(request: Request, kinds: str, slug: str, name: str, revision: Revision = None) -> Response:
    kind = {"exercises": "exercise", "courses": "course"}.get(kinds)
    if kind is None:
        raise NotFound("There is no such figure.")
    preview = find_preview(state_of(request), Caller(request), kind, slug, revision)
    return picture(figure_in(preview.files, name))


def _show_faults(request: Request, preview: Preview) -> Response:
    return render(request, "teaching/previews/faults.html", preview=preview)
