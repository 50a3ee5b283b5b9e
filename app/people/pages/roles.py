"""People and their roles, for admins."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.db import read_id
from app.people.accounts import ACCOUNT_ROLES
from app.people.identity import Caller
from app.people.roles import PAGE, change_role, list_accounts, require_manager
from app.state import state_of
from app.web.errors import Conflict, Invalid, NotFound, Problem
from app.web.rendering import render

router = APIRouter()


@router.get("/users")
def index(request: Request, q: str = "", page: str = "1", changed: str = "") -> Response:
    return _list(request, q, read_id(page) or 1, changed, None)


@router.post("/users/{id}/role")
def update(
    request: Request,
    id: str,
    role: Annotated[str, Form()] = "",
    q: Annotated[str, Form()] = "",
    page: Annotated[str, Form()] = "1",
) -> Response:
    number = read_id(page) or 1
    try:
        email = change_role(state_of(request).db, Caller(request), read_id(id) or 0, role)
    except (Conflict, Invalid, NotFound) as problem:
        return _list(request, q, number, "", problem)
    return RedirectResponse(f"/users?{urlencode({'q': q, 'page': number, 'changed': email})}", 303)


def _list(request: Request, q: str, page: int, changed: str, problem: Problem | None) -> Response:
    """`changed`: whose role has just been changed; they are named only if they are on this page."""
    with state_of(request).db.reading() as db:
        require_manager(db, Caller(request))
        found = list_accounts(db, q, (page - 1) * PAGE, PAGE + 1)
    accounts = found[:PAGE]
    return render(
        request,
        "people/roles/index.html",
        status=problem.status if problem else 200,
        headers=problem.headers if problem else None,
        accounts=accounts,
        changed=next((account for account in accounts if account.email == changed), None),
        problem=problem,
        q=q,
        page=page,
        has_next=len(found) > PAGE,
        roles=ACCOUNT_ROLES,
    )
