"""What a class is connected with: its webhooks, and how their last deliveries went."""

from collections.abc import Callable
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Form, Request
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from app.classes import webhooks
from app.classes.classes import Member, require_member, require_writer
from app.classes.events import EVENTS, Webhook
from app.classes.rights import Right
from app.classes.webhooks import add_webhook, deliveries_of, require_webhook, webhooks_of
from app.people.identity import Caller
from app.state import state_of
from app.web.errors import Conflict, Invalid, Problem
from app.web.rendering import render

router = APIRouter()

PLACE = "/classes/{class_id}/connections"
DONE = {
    "changed": "Saved.",
    "removed": "The webhook is removed.",
    "tested": "A test is on its way. Reload this page in a moment to see what came back.",
}


@router.get(PLACE)
def show(request: Request, class_id: str, done: str = "") -> Response:
    return _show(request, class_id, done=done)


@router.post(f"{PLACE}/webhooks")
def create(
    request: Request,
    class_id: str,
    url: Annotated[str, Form()] = "",
    events: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """The answer is the page with the secret, which is shown once."""
    try:
        with state_of(request).db.writing() as db:
            row = add_webhook(db, _writer(db, request, class_id), url, events or [])
    except (Invalid, Conflict) as problem:
        return _show(request, class_id, problem=problem, url=url, events=events or [])
    return _show(request, class_id, new=row)


@router.post(f"{PLACE}/webhooks/{{id}}")
def update(request: Request, class_id: str, id: str, events: Annotated[list[str] | None, Form()] = None) -> Response:
    return _do(request, class_id, id, "changed", partial(webhooks.change_webhook, events=events or []))


@router.post(f"{PLACE}/webhooks/{{id}}/secret")
def update_secret(request: Request, class_id: str, id: str) -> Response:
    with state_of(request).db.writing() as db:
        member = _writer(db, request, class_id)
        row = require_webhook(db, member, id)
        webhooks.renew_secret(db, member, row)
    return _show(request, class_id, new=row)


@router.post(f"{PLACE}/webhooks/{{id}}/tests")
def create_test(request: Request, class_id: str, id: str) -> Response:
    return _do(request, class_id, id, "tested", webhooks.test_webhook)


@router.post(f"{PLACE}/webhooks/{{id}}/deletion")
def delete(request: Request, class_id: str, id: str) -> Response:
    return _do(request, class_id, id, "removed", webhooks.remove_webhook)


def _do(
    request: Request, class_id: str, id: str, done: str, verb: Callable[[Session, Member, Webhook], None]
) -> Response:
    try:
        with state_of(request).db.writing() as db:
            member = _writer(db, request, class_id)
            verb(db, member, require_webhook(db, member, id))
    except (Invalid, Conflict) as problem:
        return _show(request, class_id, problem=problem)
    return RedirectResponse(f"/classes/{class_id}/connections?done={done}", 303)


def _writer(db: Session, request: Request, class_id: str) -> Member:
    caller = Caller(request)
    member = require_writer(db, caller, class_id, Right.connect)
    state_of(request).limits.spend("webhook", person=member.user.id, address=caller.address)
    return member


def _show(
    request: Request,
    class_id: str,
    *,
    done: str = "",
    problem: Problem | None = None,
    new: Webhook | None = None,
    url: str = "",
    events: list[str] | None = None,
) -> Response:
    """`new`: the webhook whose secret is shown."""
    with state_of(request).db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.connect)
        hooks = [(hook, deliveries_of(db, hook)) for hook in webhooks_of(db, member.class_)]
    return render(
        request,
        "classes/connections/show.html",
        status=problem.status if problem else 200,
        headers={**(problem.headers if problem else {}), "Cache-Control": "no-store"},
        member=member,
        tab="connections",
        hooks=hooks,
        known=EVENTS,
        notice=DONE.get(done, ""),
        problem=problem,
        new=new,
        url=url,
        chosen=events if events is not None else list(EVENTS),
    )
