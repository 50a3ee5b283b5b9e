"""One post: changed or deleted by its author, marked as the answer, reported, hidden and shown."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.discussions.moderation import hide_post, show_post
from app.discussions.posts import MAX_TEXT, Post, change_post, choose_answer, delete_post, find_post, require_own
from app.discussions.reports import report_post
from app.discussions.subjects import Subject
from app.people import identity
from app.people.identity import Caller
from app.state import state_of
from app.web.errors import Forbidden, Invalid, Problem, RateLimited, TooLarge
from app.web.rendering import own_path, render

router = APIRouter()


@router.get("/posts/{id}")
def show(request: Request, id: str) -> Response:
    """It in its discussion."""
    state = state_of(request)
    with state.db.reading() as db:
        post, subject = find_post(db, state, identity.viewer(db, request), id)
    return _back_to(post, subject)


@router.get("/posts/{id}/edit")
def edit(request: Request, id: str) -> Response:
    return _edit(request, id)


@router.post("/posts/{id}")
def update(
    request: Request, id: str, text: Annotated[str, Form()] = "", spoiler: Annotated[str, Form()] = ""
) -> Response:
    """What cannot be kept is shown again as it was typed."""
    try:
        post, subject = change_post(state_of(request), Caller(request), id, text, is_spoiler=bool(spoiler))
    except (Invalid, RateLimited, TooLarge) as problem:
        return _edit(request, id, problem, text, bool(spoiler))
    return _back_to(post, subject)


@router.post("/posts/{id}/delete")
def delete(request: Request, id: str) -> Response:
    return RedirectResponse(delete_post(state_of(request), Caller(request), id).url, 303)


@router.post("/posts/{id}/answer")
def update_answer(request: Request, id: str, answer: Annotated[str, Form()] = "") -> Response:
    post, subject = choose_answer(state_of(request), Caller(request), id, is_answer=answer == "yes")
    return _back_to(post, subject)


@router.post("/posts/{id}/reports")
def create_report(request: Request, id: str, reason: Annotated[str, Form()] = "") -> Response:
    return RedirectResponse(report_post(state_of(request), Caller(request), id, reason).url, 303)


@router.post("/posts/{id}/visibility")
def update_visibility(
    request: Request,
    id: str,
    reason: Annotated[str, Form()] = "",
    visible: Annotated[str, Form()] = "",
    back: Annotated[str, Form()] = "",
) -> Response:
    """Hide it, or show it; back to the queue of reports, or to where it stands."""
    decide = show_post if visible == "yes" else hide_post
    post = decide(state_of(request), Caller(request), id, reason)
    return RedirectResponse(own_path(back) if back else f"/posts/{post.id}", 303)


def _back_to(post: Post, subject: Subject) -> Response:
    return RedirectResponse(f"{subject.url}?at={post.id}#post-{post.id}", 303)


def _edit(
    request: Request, id: str, problem: Problem | None = None, text: str | None = None, is_spoiler: bool = False
) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        person = identity.require_viewer(db, request)
        post, subject = find_post(db, state, person, id)
        require_own(person, post)
    if post.hidden_at is not None:
        raise Forbidden("This post is hidden, so it cannot be changed.", "Write another one, or delete it.")
    return render(
        request,
        "discussions/edit.html",
        status=problem.status if problem else 200,
        headers=problem.headers if problem else None,
        post=post,
        subject=subject,
        text=post.text if text is None else text,
        is_spoiler=post.is_spoiler if text is None else is_spoiler,
        problem=problem,
        longest=MAX_TEXT,
    )
