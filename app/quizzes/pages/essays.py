"""Staff grade what students wrote: which answers wait, and one of them."""

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app.people import identity
from app.people.identity import Caller
from app.quizzes.essays import find_essay, grade_essay, waiting_essays
from app.state import state_of
from app.web.errors import Invalid
from app.web.rendering import render

router = APIRouter()


@router.get("/essays")
def index(request: Request) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        essays = waiting_essays(db, identity.require_viewer(db, request), state.catalog)
    return render(request, "quizzes/essays/index.html", essays=essays)


@router.get("/essays/{id}/{place}")
def show(request: Request, id: str, place: str) -> Response:
    return _show(request, id, place)


@router.post("/essays/{id}/{place}/grade")
async def update(request: Request, id: str, place: str) -> Response:
    form = {name: str(value) for name, value in (await request.form()).items()}
    return await run_in_threadpool(_update, request, id, place, form)


def _update(request: Request, id: str, place: str, form: dict[str, str]) -> Response:
    """On to the answers that still wait; what cannot be kept is shown again with what was typed."""
    try:
        grade_essay(state_of(request), Caller(request), id, place, form.get("points", ""), form.get("comment", ""))
    except Invalid as problem:
        return _show(request, id, place, problem, form)
    return RedirectResponse("/essays", 303)


def _show(
    request: Request, id: str, place: str, problem: Invalid | None = None, form: dict[str, str] | None = None
) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        essay = find_essay(db, identity.require_viewer(db, request), state.catalog, id, place)
    status = problem.status if problem else 200
    return render(
        request, "quizzes/essays/show.html", essay=essay, problem=problem, form=form or {}, has_math=True, status=status
    )
