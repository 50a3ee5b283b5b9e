"""People: who has an account, their roles, and who can sign in. For admins."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.db import read_id
from app.people import access
from app.people.accounts import ACCOUNT_ROLES
from app.people.identity import Caller
from app.people.roles import PAGE, change_role, list_accounts, require_manager
from app.state import state_of
from app.web.errors import Conflict, Invalid, NotFound, Problem
from app.web.rendering import render

router = APIRouter()

DONE = {
    "role": "{email} is now {a} {role}.",
    "sessions": "{email} is signed out everywhere. Their API tokens no longer work.",
    "disabled": "{email} is disabled: they are signed out, and cannot sign in.",
    "enabled": "{email} can sign in again.",
}


@router.get("/users")
def index(
    request: Request, q: str = "", of: str = "", page: str = "1", changed: str = "", done: str = "role"
) -> Response:
    return _list(request, q, of, read_id(page) or 1, changed, done, None)


@router.post("/users/{id}/role")
def update(
    request: Request,
    id: str,
    role: Annotated[str, Form()] = "",
    q: Annotated[str, Form()] = "",
    of: Annotated[str, Form()] = "",
    page: Annotated[str, Form()] = "1",
) -> Response:
    number = read_id(page) or 1
    try:
        email = change_role(state_of(request).db, Caller(request), read_id(id) or 0, role)
    except (Conflict, Invalid, NotFound) as problem:
        return _list(request, q, of, number, "", "", problem)
    return _back(q, of, number, email, "role")


@router.post("/users/{id}/access")
def update_access(
    request: Request,
    id: str,
    what: Annotated[str, Form()] = "",
    q: Annotated[str, Form()] = "",
    of: Annotated[str, Form()] = "",
    page: Annotated[str, Form()] = "1",
) -> Response:
    """`what`: `sessions` ends them; `disabled` or `enabled` is what the account then is."""
    number = read_id(page) or 1
    verbs = {"sessions": access.end_sessions, "disabled": access.disable, "enabled": access.enable}
    try:
        if what not in verbs:
            raise Invalid("what: this is nothing that can be done here.", "Use sessions, disabled or enabled.")
        email = verbs[what](state_of(request).db, Caller(request), read_id(id) or 0)
    except (Conflict, Invalid, NotFound) as problem:
        return _list(request, q, of, number, "", "", problem)
    return _back(q, of, number, email, what)


def _back(q: str, of: str, page: int, email: str, done: str) -> Response:
    return RedirectResponse(
        f"/users?{urlencode({'q': q, 'of': of, 'page': page, 'changed': email, 'done': done})}", 303
    )


def _list(request: Request, q: str, of: str, page: int, changed: str, done: str, problem: Problem | None) -> Response:
    """`of`: the one role that is listed, or all. `changed`: who has just been changed, and `done` how; they are named
    only if they are on this page."""
    of = of if of in ACCOUNT_ROLES else ""
    with state_of(request).db.reading() as db:
        require_manager(db, Caller(request))
        found = list_accounts(db, q, (page - 1) * PAGE, PAGE + 1, of)
    accounts = found[:PAGE]
    account = next((account for account in accounts if account.email == changed), None)
    notice = ""
    if account is not None and done in DONE:
        a = "a" if account.role == "student" else "an"
        notice = DONE[done].format(email=account.email, a=a, role=account.role)
    return render(
        request,
        "people/roles/index.html",
        status=problem.status if problem else 200,
        headers=problem.headers if problem else None,
        accounts=accounts,
        notice=notice,
        problem=problem,
        q=q,
        of=of,
        page=page,
        has_next=len(found) > PAGE,
        roles=ACCOUNT_ROLES,
    )
