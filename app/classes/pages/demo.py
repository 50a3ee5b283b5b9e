"""The links of a demo, which sign in anyone who opens them. The route is there with `serve --demo` alone."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.people import identity
from app.people.users import open_login
from app.state import state_of
from app.web.errors import NotFound

router = APIRouter()


@router.get("/demo/{token}")
def enter(request: Request, token: str) -> Response:
    """Signs in, once, and leads to the class."""
    state = state_of(request)
    if state.demo is None:
        raise NotFound("This is no demo.", None)
    with state.db.writing() as db:
        person, path = state.demo.enter(db, token, identity.viewer(db, request))
        opened = open_login(db, person, days=1) if person is not None else None
    if opened is not None:  # only once it is stored
        request.state.set_cookie = opened
    return RedirectResponse(path, 303, headers={"Referrer-Policy": "no-referrer"})
