"""Reports: the staff's queue, what somebody has reported themselves, and the form for a mistake in the content."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.discussions.mistakes import MAX_TEXT, mistakes_of, report_mistake
from app.discussions.moderation import report_queue, require_moderator, resolve_mistake
from app.discussions.subjects import find_subject
from app.people import identity
from app.people.identity import Caller
from app.practice.submissions import submissions_of
from app.state import state_of
from app.web.errors import Invalid, Problem, RateLimited, TooLarge
from app.web.rendering import render

router = APIRouter()

SUBMISSIONS = 10  # to choose from


@router.get("/reports")
def index(request: Request) -> Response:
    """What waits, for staff."""
    return _queue(request)


@router.post("/reports/{id}/resolution")
def create_resolution(request: Request, id: str, note: Annotated[str, Form()] = "") -> Response:
    try:
        resolve_mistake(state_of(request), Caller(request), id, note)
    except Invalid as problem:
        return _queue(request, problem)
    return RedirectResponse("/reports", 303)


@router.get("/me/reports")
def show_own(request: Request, sent: str = "") -> Response:
    """The mistakes that this person has reported, and what became of each."""
    with state_of(request).db.reading() as db:
        reports = mistakes_of(db, identity.viewer(db, request))
    return render(request, "discussions/own_reports.html", reports=reports, sent=bool(sent))


@router.get("/discussions/{kind}/{name}/mistakes/new")
def new_mistake(request: Request, kind: str, name: str) -> Response:
    return _form(request, kind, name)


@router.post("/discussions/{kind}/{name}/mistakes")
def create_mistake(
    request: Request,
    kind: str,
    name: str,
    text: Annotated[str, Form()] = "",
    framework: Annotated[str, Form()] = "",
    submission: Annotated[str, Form()] = "",
) -> Response:
    """What cannot be kept is shown again as it was typed."""
    try:
        report_mistake(state_of(request), Caller(request), kind, name, text, framework, submission)
    except (Invalid, RateLimited, TooLarge) as problem:
        return _form(request, kind, name, text, framework, submission, problem)
    return RedirectResponse("/me/reports?sent=1", 303)


def _queue(request: Request, problem: Problem | None = None) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        require_moderator(db, Caller(request))
        queue = report_queue(db, state.catalog)
    status = problem.status if problem else 200
    return render(request, "discussions/reports.html", status=status, queue=queue, problem=problem)


def _form(
    request: Request, kind: str, name: str, text: str = "", framework: str = "", submission: str = "",
    problem: Problem | None = None,
) -> Response:  # fmt: skip
    state = state_of(request)
    subject = find_subject(state.catalog, kind, name)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        sent = submissions_of(db, viewer, exercise=name, limit=SUBMISSIONS) if kind == "exercise" else []
    return render(
        request,
        "discussions/new_mistake.html",
        status=problem.status if problem else 200,
        headers=problem.headers if problem else None,
        subject=subject,
        submissions=sent,
        text=text,
        framework=framework,
        submission=submission,
        problem=problem,
        longest=MAX_TEXT,
    )
