"""An exercise's worked solution, if you solved it or gave it up; and what others sent, if you solved it."""

from dataclasses import dataclass

from fastapi import APIRouter, Request
from markupsafe import Markup
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from app.content.exercise import page
from app.content.highlight import rows
from app.people import identity
from app.people.users import User
from app.practice.exercises import met
from app.practice.pages.standings import performance_whole, took
from app.practice.shared_solutions import Seen, fastest, share, shortest, take_back
from app.practice.solutions import access_of, give_up
from app.practice.submissions import Shown, load_submission
from app.state import AppState, state_of
from app.web.errors import Conflict
from app.web.rendering import is_partial, render
from graders.exercise.definition import BrokenExercise

router = APIRouter()


@router.get("/exercises/{slug}/solution")
def show(request: Request, slug: str) -> Response:
    """Before it is earned: 403, with the two ways to it."""
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        exercise = met(state.catalog, viewer, slug, request.query_params.get("variant"))
        access = access_of(db, viewer, slug)
    if not access.to_solution:
        return render(request, "practice/solutions/give_up.html", status=403, exercise=exercise)
    return render(
        request,
        "practice/solutions/show.html",
        exercise=exercise,
        access=access,
        solution_html=page(exercise).solution_html,
    )


@router.get("/exercises/{slug}/give-ups/new")
def new_give_up(request: Request, slug: str) -> Response:
    """What giving up means, and the button that does it."""
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        exercise = met(state.catalog, viewer, slug, request.query_params.get("variant"))
        access = access_of(db, viewer, slug)
    if access.to_solution:
        return RedirectResponse(f"/exercises/{slug}/solution", 303)
    return render(request, "practice/solutions/give_up.html", exercise=exercise)


@router.post("/exercises/{slug}/give-ups")
def create_give_up(request: Request, slug: str) -> Response:
    state = state_of(request)
    state.catalog.exercise(slug)
    with state.db.writing() as db:
        give_up(db, identity.require_user(db, request), slug)
    return RedirectResponse(f"/exercises/{slug}/solution", 303)


@dataclass(frozen=True)
class Ranked:
    """A solution in its place: its code in colour, its time in words."""

    code: Markup
    took: str | None
    tokens: int
    is_own: bool


@router.get("/exercises/{slug}/solutions")
def index(request: Request, slug: str) -> Response:
    """What classmates let others see: the fastest and the shortest in each framework. Before it is earned: 403.

    Of an exercise with variants only what answers the person's own: another's code is wrong for them, and who has
    another variant would find the answer to theirs here before they look for it.
    """
    state = state_of(request)
    with state.db.reading() as db:
        person = identity.viewer(db, request)
        exercise = met(state.catalog, person, slug, request.query_params.get("variant"))
        if person is None or not access_of(db, person, slug).to_others:
            return render(request, "practice/solutions/closed.html", status=403, exercise=exercise)
        found = [
            (name, fastest(db, person, exercise, name), shortest(db, person, exercise, name))
            for name in exercise.frameworks
        ]
    frameworks = [
        (name, [(heading, which, _ranked(seen)) for heading, which, seen in _named(quick, short) if seen])
        for name, quick, short in found
        if short
    ]
    return render(request, "practice/solutions/index.html", exercise=exercise, frameworks=frameworks)


@router.post("/submissions/{id}/shares")
def create_share(request: Request, id: str) -> Response:
    """Let others see this accepted submission."""
    state = state_of(request)
    with state.db.writing() as db:
        person, shown = _own(db, request, id)
        share(db, person, shown, _judging_hash(state, shown))
    return _standing(request, shown, person)


@router.post("/submissions/{id}/shares/delete")
def delete_share(request: Request, id: str) -> Response:
    with state_of(request).db.writing() as db:
        person, shown = _own(db, request, id)
        take_back(db, person, shown)
    return _standing(request, shown, person)


def _own(db: Session, request: Request, id: str) -> tuple[User, Shown]:
    """Raises NotFound, for nobody in particular too."""
    person = identity.viewer(db, request, writes=True)
    shown = load_submission(db, id, person)
    assert person is not None  # nobody loads no submission
    return person, shown


def _judging_hash(state: AppState, shown: Shown) -> str:
    try:
        return state.catalog.judged_by(shown.submission.snapshot_id).judging_hash
    except BrokenExercise:
        raise Conflict("The exercise has changed since this was accepted.", "Submit it once more.") from None


def _standing(request: Request, shown: Shown, person: User) -> Response:
    if not is_partial(request):
        return RedirectResponse(f"/submissions/{shown.id}#standing", 303)
    state = state_of(request)
    with state.db.reading() as db:
        performance = performance_whole(state, db, shown, person)
    return render(request, "practice/submissions/_standing.html", performance=performance)


def _named(quick: list[Seen], short: list[Seen]) -> tuple[tuple[str, str, list[Seen]], ...]:
    return (("Fastest", "fastest", quick), ("Shortest", "shortest", short))


def _ranked(seen: list[Seen]) -> list[Ranked]:
    return [
        Ranked(
            Markup("\n").join(rows(one.source)),
            took(one.wall_ms) if one.wall_ms is not None else None,
            one.tokens,
            one.is_own,
        )
        for one in seen
    ]
