"""Exercises: the list, the desk to work one at, its worked solution, and what is sent from it."""

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Header, Request
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app import auth
from app.content.exercise import page
from app.models.progress import progress_of
from app.models.submission import Kind, load_submission, newest_source, submissions_of
from app.models.user import User
from app.rendering import is_partial, render
from app.routes.api.exercises import chosen
from app.routes.api.submissions import take_in, verdict_within
from app.routes.submissions import panel_of
from app.state import state_of
from graders.exercise import FRAMEWORKS, Exercise

router = APIRouter()

VERDICT_WAIT_SECONDS = 0.3


@dataclass(frozen=True)
class ExerciseLine:
    exercise: Exercise
    solved: bool
    tried: bool


@dataclass(frozen=True)
class Choices:
    """What the list can be filtered by."""

    difficulties: list[str]
    frameworks: list[str]
    tags: list[str]


@router.get("/exercises")
def index(
    request: Request, difficulty: str | None = None, framework: str | None = None, tag: str | None = None
) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        viewer = auth.viewer(db, request)
        progress = progress_of(db, viewer)
        tried = {one.exercise for one in submissions_of(db, viewer, limit=500)}
    found = chosen(state, difficulty=difficulty, framework=framework, tag=tag)
    return render(
        request,
        "exercises/index.html",
        filters={"difficulty": difficulty, "framework": framework, "tag": tag},
        choices=_choices(state.catalog.exercises.values()),
        exercises=[ExerciseLine(one, progress.has_solved(one.slug), one.slug in tried) for one in found],
    )


@router.get("/exercises/{slug}")
def show(request: Request, slug: str, framework: str | None = None) -> Response:
    """The desk. It opens with what this person wrote last, or with the submission named by `from`."""
    state = state_of(request)
    exercise = state.catalog.exercise(slug)
    with state.db.reading() as db:
        viewer = auth.viewer(db, request)
        solved = progress_of(db, viewer).has_solved(slug)
        framework, sources = _opened(db, viewer, exercise, framework, request.query_params.get("from"))
    return render(
        request,
        "exercises/show.html",
        exercise=exercise,
        page=page(exercise),
        solved=solved,
        framework=framework,
        sources=sources,
        samples=state.catalog.samples(exercise, state.judge),
        judge_is_ready=state.judge is None or state.judge.ready() or state.judge.why_not() is not None,
        related=[state.catalog.exercises[other] for other in exercise.related if other in state.catalog.exercises],
        idempotency_key=secrets.token_hex(16),
    )


@router.get("/exercises/{slug}/solution")
def show_solution(request: Request, slug: str) -> Response:
    state = state_of(request)
    exercise = state.catalog.exercise(slug)
    with state.db.reading() as db:
        solved = progress_of(db, auth.viewer(db, request)).has_solved(slug)
    return render(request, "exercises/solution.html", exercise=exercise, page=page(exercise), solved=solved)


@router.post("/exercises/{slug}/submissions")
async def create_submission(
    request: Request,
    slug: str,
    source: Annotated[str, Form()] = "",
    framework: Annotated[str | None, Form()] = None,
    kind: Annotated[Literal["submit", "run"], Form()] = "submit",
    idempotency_key: Annotated[str, Form(max_length=100)] = "",
    key_header: Annotated[str, Header(alias="Idempotency-Key", max_length=100)] = "",
) -> Response:
    """Take the source in; the answer carries its panel, finished if the verdict is there within 300 ms."""
    source = source.replace("\r\n", "\n")  # how forms send line ends
    key = _key(key_header or idempotency_key, source, framework, kind)
    taken = await run_in_threadpool(take_in, request, slug, source, framework=framework, kind=kind, key=key)
    shown = await verdict_within(request, taken, VERDICT_WAIT_SECONDS)
    if not is_partial(request):
        return RedirectResponse(f"/submissions/{shown.id}", 303)
    return render(request, "submissions/_status.html", panel=panel_of(state_of(request), shown))


def _opened(
    db: Session, viewer: User | None, exercise: Exercise, framework: str | None, submission_id: str | None
) -> tuple[str, dict[str, str]]:
    """(the framework picked, what the editor holds in each): what was written last, else the starter."""
    sources = {
        name: newest_source(db, viewer, exercise.slug, name) or exercise.starter(name) for name in exercise.frameworks
    }
    if submission_id:
        shown = load_submission(db, submission_id, viewer)
        if shown.submission.exercise == exercise.slug and shown.submission.framework in sources:
            framework = shown.submission.framework
            sources[framework] = shown.source
    if framework not in sources:
        last = submissions_of(db, viewer, exercise=exercise.slug, limit=1)
        framework = last[0].framework if last and last[0].framework in sources else exercise.frameworks[0]
    return framework, sources


def _key(attempt: str, source: str, framework: str | None, kind: Kind) -> str | None:
    """One key for a page and a source: sent twice it is one submission, changed and sent again another."""
    if not attempt:
        return None
    return hashlib.sha256(repr((attempt, source, framework, kind)).encode()).hexdigest()


def _choices(exercises: Iterable[Exercise]) -> Choices:
    exercises = list(exercises)
    return Choices(
        [level for level in ("easy", "medium", "hard") if any(one.difficulty == level for one in exercises)],
        [name for name in FRAMEWORKS if any(name in one.frameworks for one in exercises)],
        sorted({tag for one in exercises for tag in one.tags}),
    )
