"""A lesson: its text, its questions in place, and that it has been read. A quiz is a lesson too: how it is begun."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.db import read_id
from app.discussions.threads import folds_in
from app.people import identity
from app.progress.lessons import OwnRun, lesson_page
from app.quizzes.quizzes import overview_of
from app.reading.lessons import mark_read
from app.state import state_of
from app.web.rendering import render

router = APIRouter()


@router.get("/courses/{course}/{lesson}")
def show(request: Request, course: str, lesson: str) -> Response:
    return show_lesson(request, course, lesson)


@router.post("/courses/{course}/{lesson}/reads")
def create_read(request: Request, course: str, lesson: str) -> Response:
    """The lesson counts as read, and the next one opens."""
    state = state_of(request)
    found, read = state.catalog.lesson(course, lesson)
    with state.db.writing() as db:
        mark_read(db, identity.require_user(db, request), course, lesson)
    following = found.after(read)
    return RedirectResponse(following.url if following else f"/courses/{course}", 303)


def show_lesson(request: Request, course: str, lesson: str, own_run: OwnRun | None = None) -> Response:
    """The lesson's page; with `own_run`, that cell shows what came of it."""
    state = state_of(request)
    if state.catalog.lesson(course, lesson)[1].is_quiz:
        return _show_quiz(request, course, lesson)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        page = lesson_page(db, viewer, state.catalog, state.cells, course, lesson, own_run=own_run)
        discussions = folds_in(db, state, course, lesson)
    status = own_run.problem.status if own_run and own_run.problem else 200
    return render(
        request,
        "reading/lessons/show.html",
        page=page,
        discussions=discussions,
        here=page.lesson.url,
        status=status,
    )


def _show_quiz(request: Request, course: str, lesson: str) -> Response:
    """What is known of the quiz before it begins, and one's sittings so far, the newest first; `?before=` a number:
    the older ones. No question stands on this page."""
    state, before = state_of(request), read_id(request.query_params.get("before", ""))
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
    overview = overview_of(state.db, viewer, state.catalog, course, lesson, before)
    return render(
        request, "quizzes/quizzes/show.html", overview=overview, before=before, problem=None, here=overview.lesson.url
    )
