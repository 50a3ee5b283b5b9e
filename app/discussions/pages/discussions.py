"""A discussion: its page, or the part that an exercise or a lesson opens in place; and what is written in it."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.db import read_id
from app.discussions.moderation import lock_thread, open_report_count
from app.discussions.names import MAX_NAME, name_of
from app.discussions.posts import MAX_TEXT, change_name, open_subject, preview, write_post
from app.discussions.threads import ShownThread, show_thread
from app.people import identity
from app.people.identity import Caller
from app.state import state_of
from app.web.errors import Conflict, Invalid, Problem, RateLimited, Unauthenticated
from app.web.rendering import is_partial, render

router = APIRouter()


@dataclass(frozen=True)
class Written:
    """What stands in a form that is shown again: `topic` says in which one, `html` is its preview."""

    topic: str = ""
    text: str = ""
    own_name: str = ""
    is_spoiler: bool = False
    html: str | None = None


@router.get("/discussions/{kind}/{name}")
def show(request: Request, kind: str, name: str, before: str = "", at: str = "") -> Response:
    return _show(request, kind, name, before=read_id(before), at=read_id(at))


@router.post("/discussions/{kind}/{name}/posts")
def create_post(
    request: Request,
    kind: str,
    name: str,
    text: Annotated[str, Form()] = "",
    topic: Annotated[str, Form()] = "",
    own_name: Annotated[str, Form()] = "",
    spoiler: Annotated[str, Form()] = "",
    do: Annotated[str, Form()] = "post",
) -> Response:
    """Post it, or show how it will look; what cannot be kept is shown again as it was typed."""
    state, caller, is_spoiler = state_of(request), Caller(request), bool(spoiler)
    try:
        if do == "preview":
            html = preview(state, caller, text)
            return _show(request, kind, name, Written(topic, text, own_name, is_spoiler, html))
        post = write_post(state, caller, kind, name, text, topic=topic, own_name=own_name, is_spoiler=is_spoiler)
    except Unauthenticated:
        raise
    except Problem as problem:
        return _show(request, kind, name, Written(topic, text, own_name, is_spoiler), problem)
    return RedirectResponse(f"/discussions/{kind}/{name}?at={post.id}#post-{post.id}", 303)


@router.get("/me/name")
def edit_name(request: Request) -> Response:
    return _name(request)


@router.post("/me/name")
def update_name(request: Request, own_name: Annotated[str, Form()] = "") -> Response:
    """The name beside this person's posts: on those there are, too."""
    try:
        change_name(state_of(request), Caller(request), own_name)
    except (Invalid, Conflict, RateLimited) as problem:
        return _name(request, own_name, problem)
    return RedirectResponse("/me/name?changed=1", 303)


@router.post("/discussions/{id}/lock")
def update_lock(request: Request, id: str, locked: Annotated[str, Form()] = "") -> Response:
    subject = lock_thread(state_of(request), Caller(request), id, is_locked=locked == "yes")
    return RedirectResponse(f"/discussions/{subject}", 303)


def _name(request: Request, typed: str | None = None, problem: Problem | None = None) -> Response:
    with state_of(request).db.reading() as db:
        name = name_of(db, identity.require_viewer(db, request))
    return render(
        request,
        "discussions/name.html",
        status=problem.status if problem else 200,
        headers=problem.headers if problem else None,
        name=name if typed is None else typed,
        has_changed="changed" in request.query_params,
        problem=problem,
        longest_name=MAX_NAME,
    )


def _is_lost(written: Written | None, thread: ShownThread) -> bool:
    """Whether what was written has no form to stand in any more: its topic is gone, or the discussion is closed."""
    topics = {str(topic.id) for topic in thread.topics}
    return bool(written and written.text and (not thread.may_write or (written.topic and written.topic not in topics)))


def _show(
    request: Request, kind: str, name: str, written: Written | None = None, problem: Problem | None = None,
    *, before: int | None = None, at: int | None = None,
) -> Response:  # fmt: skip
    state = state_of(request)
    subject = open_subject(state, kind, name)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        topic = read_id(written.topic) if written else None
        thread = show_thread(db, viewer, subject, before=before, post=at, topic=topic)
        waiting = open_report_count(db) if thread.may_moderate else 0
    return render(
        request,
        "discussions/_thread.html" if is_partial(request) else "discussions/show.html",
        status=problem.status if problem else 200,
        headers=problem.headers if problem else None,
        thread=thread,
        at=at,
        written=written or Written(),
        is_lost=_is_lost(written, thread),
        problem=problem,
        waiting=waiting,
        longest=MAX_TEXT,
        longest_name=MAX_NAME,
        here=subject.place.partition("#")[0],
    )
