"""Letters, switched off in one click by the mail program that shows them (RFC 8058)."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.people.outbox import STOP, stop
from app.state import state_of
from app.web.credentials import address_of
from app.web.errors import NotFound

router = APIRouter(tags=["letters"])


@router.post(f"{STOP}/{{token}}", status_code=204)
def create(request: Request, token: str) -> None:
    """Switches off letters of the kind in which this link came. Needs no session: the token is all."""
    state = state_of(request)
    state.limits.spend("token", address=address_of(request))
    with state.db.writing() as db:
        if stop(db, token) is None:
            raise NotFound("This link is not valid, or is too old.", "Choose your letters at /me/letters.")


@router.get(f"{STOP}/{{token}}", status_code=303, response_class=RedirectResponse)
def show(token: str) -> Response:
    """Leads to the page with the button, for mail programs without the one click."""
    return RedirectResponse(f"{STOP}/{token[:100]}", 303, {"Referrer-Policy": "no-referrer"})
