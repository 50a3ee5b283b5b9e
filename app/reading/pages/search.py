"""Search: a page of its own, and the lines that the palette shows while someone types."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from app.people import identity
from app.reading.search import MAX_RESULTS, search
from app.state import state_of
from app.web.rendering import is_partial, render
from graders.text import storable

router = APIRouter()

PALETTE_RESULTS = 8


@router.get("/search")
def index(request: Request, q: Annotated[str, Query()] = "", as_typed: Annotated[str, Query()] = "") -> Response:
    """`as_typed`, not empty: typing errors are looked for as they are."""
    state = state_of(request)
    partial = is_partial(request)
    with state.db.reading() as db:
        identity.viewer(db, request)
        found = search(db, q, PALETTE_RESULTS if partial else MAX_RESULTS, as_typed=bool(as_typed))
    template = "reading/search/_options.html" if partial else "reading/search/index.html"
    return render(request, template, asked=storable(q).strip(), found=found, most=PALETTE_RESULTS)
