"""The installation at one look, for admins."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.operating.installation import installation
from app.operating.operators import require_operator
from app.people.identity import Caller
from app.state import state_of
from app.web.rendering import render

router = APIRouter()


@router.get("/admin")
def show(request: Request) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        person = require_operator(db, Caller(request))
        found = installation(db, state, person, state.disk.read())
    return render(request, "operating/installation/show.html", found=found)
