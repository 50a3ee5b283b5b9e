"""Hints, opened one at a time: in place where scripts run, on the desk shown again where they do not."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app.content.exercise import page
from app.people import identity
from app.people.permission import Wish, may
from app.practice.exercises import met
from app.practice.hints import hints_of, open_hint
from app.practice.pages.exercises import desk, own_input, typed_inputs
from app.state import state_of
from app.web.rendering import is_partial, render

router = APIRouter()


@router.post("/exercises/{slug}/hints")
async def create(
    request: Request,
    slug: str,
    number: Annotated[int | None, Form(ge=1)] = None,
    source: Annotated[str | None, Form()] = None,
    framework: Annotated[str | None, Form()] = None,
) -> Response:
    """The next hint; a `number` that is open already stays open, so that a double click counts once.

    With `source`, from the form that holds the code: the desk with it, and with the input of one's own, as they were
    typed. Neither is judged or saved.
    """
    typed = typed_inputs(await request.form())
    return await run_in_threadpool(_create, request, slug, number, source, framework, typed)


def _create(
    request: Request, slug: str, number: int | None, source: str | None, framework: str | None, typed: dict[str, str]
) -> Response:
    state, variant = state_of(request), request.query_params.get("variant")
    state.catalog.exercise(slug)  # before anybody waits for their turn
    with state.db.writing() as db:
        user = identity.require_user(db, request)
        exercise = met(state.catalog, user, slug, variant)
        words = page(exercise).hints_html
        person_id = user.id
        opened = open_hint(db, user, slug, words, number)
        hints = hints_of(db, user, slug, words)
        is_chosen = variant is not None and may(user, Wish.choose_variant)
    if is_partial(request):
        return render(
            request, "practice/exercises/_hints.html", exercise=exercise, hints=hints, variants_shown=is_chosen
        )
    if source is None:
        at = f"?variant={exercise.variant + 1}" if is_chosen else ""
        return RedirectResponse(f"/exercises/{slug}{at}#hint-{opened}", 303)
    own = own_input(exercise, state.catalog.samples(exercise, state.shelf), typed)
    return desk(request, slug, framework, source.replace("\r\n", "\n"), own, person_id=person_id)


@router.get("/exercises/{slug}/hints")
def show(slug: str) -> Response:
    """They are on the desk: for a person who comes back to the address that the form above left in the browser."""
    return RedirectResponse(f"/exercises/{slug}#hints", 303)
