"""Learning management systems that are registered here, and the keys that we sign with. For admins."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from starlette.responses import RedirectResponse, Response

from app.classes.lti.keys import replace_key, signing_key
from app.classes.lti.platforms import (
    Described,
    add_platform,
    change_platform,
    platforms,
    remove_platform,
    require_admin,
    require_platform,
)
from app.classes.lti.registrations import invite
from app.people.identity import Caller
from app.state import state_of
from app.web.edge import own_origin
from app.web.errors import Conflict, Invalid, Problem
from app.web.rendering import render

router = APIRouter()

DONE = {
    "added": "The platform is registered. Its people can come in.",
    "changed": "The platform is changed.",
    "removed": "The platform is removed. Its people stay, and need another way to sign in.",
    "key": "A new key signs from now on. The old one stays published for a day.",
}


def _described(
    name: Annotated[str, Form()] = "",
    issuer: Annotated[str, Form()] = "",
    client_id: Annotated[str, Form()] = "",
    auth_url: Annotated[str, Form()] = "",
    token_url: Annotated[str, Form()] = "",
    token_audience: Annotated[str, Form()] = "",
    jwks_url: Annotated[str, Form()] = "",
    deployments: Annotated[str, Form()] = "",
    frames: Annotated[str, Form()] = "",
    trusts_email: Annotated[str, Form()] = "",
) -> Described:
    """The form, as it was sent."""
    return Described(
        name, issuer.strip(), client_id.strip(), auth_url.strip(), token_url.strip(), token_audience.strip(),
        jwks_url.strip(), tuple(dict.fromkeys(deployments.split())), tuple(dict.fromkeys(frames.split())),
        trusts_email == "on",
    )  # fmt: skip


Sent = Annotated[Described, Depends(_described)]


@router.get("/lti/platforms")
def index(request: Request, done: str = "") -> Response:
    return _list(request, DONE.get(done, ""), None, Described(), "")


@router.post("/lti/platforms")
def create(request: Request, described: Sent) -> Response:
    state = state_of(request)
    try:
        with state.db.writing() as db:
            add_platform(db, require_admin(db, Caller(request), writes=True), described, state.lti.outgoing)
    except (Conflict, Invalid) as problem:
        return _list(request, "", problem, described, "")
    return RedirectResponse("/lti/platforms?done=added", 303)


@router.post("/lti/platforms/invitations")
def create_invitation(request: Request) -> Response:
    try:
        with state_of(request).db.writing() as db:
            token = invite(db, require_admin(db, Caller(request), writes=True), "")
    except Conflict as problem:
        return _list(request, "", problem, Described(), "")
    return _list(request, "", None, Described(), f"{own_origin(request)}/lti/register/{token}")


@router.post("/lti/keys")
def create_key(request: Request) -> Response:
    with state_of(request).db.writing() as db:
        replace_key(db, require_admin(db, Caller(request), writes=True))
    return RedirectResponse("/lti/platforms?done=key", 303)


@router.get("/lti/platforms/{id}")
def show(request: Request, id: str) -> Response:
    return _show(request, id, None, None)


@router.post("/lti/platforms/{id}")
def update(request: Request, id: str, described: Sent) -> Response:
    state = state_of(request)
    try:
        with state.db.writing() as db:
            admin = require_admin(db, Caller(request), writes=True)
            change_platform(db, admin, require_platform(db, id), described, state.lti.outgoing)
    except (Conflict, Invalid) as problem:
        return _show(request, id, problem, described)
    state.lti.forget_keys()
    return RedirectResponse("/lti/platforms?done=changed", 303)


@router.post("/lti/platforms/{id}/delete")
def delete(request: Request, id: str) -> Response:
    with state_of(request).db.writing() as db:
        admin = require_admin(db, Caller(request), writes=True)
        remove_platform(db, admin, require_platform(db, id))
    return RedirectResponse("/lti/platforms?done=removed", 303)


def _list(request: Request, notice: str, problem: Problem | None, described: Described, invitation: str) -> Response:
    with state_of(request).db.reading() as db:
        require_admin(db, Caller(request))
        found, key = platforms(db), signing_key(db)
    return render(
        request,
        "classes/lti/platforms.html",
        status=problem.status if problem else 200,
        headers={"Cache-Control": "no-store", **(problem.headers if problem else {})},
        platforms=found,
        key=key,
        notice=notice,
        problem=problem,
        described=described,
        invitation=invitation,
        origin=own_origin(request),
    )


def _show(request: Request, id: str, problem: Problem | None, described: Described | None) -> Response:
    with state_of(request).db.reading() as db:
        require_admin(db, Caller(request))
        platform = require_platform(db, id)
    return render(
        request,
        "classes/lti/platform.html",
        status=problem.status if problem else 200,
        headers=problem.headers if problem else None,
        platform=platform,
        origin=own_origin(request),
        described=described or platform,
        problem=problem,
    )
