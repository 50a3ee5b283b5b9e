"""What has changed in the folders, told to the pages that are open: with `--edit`, and to nobody otherwise."""

import json
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from app.state import state_of
from app.teaching.live import Live
from app.web.errors import NotFound

router = APIRouter()


def watching(request: Request) -> Live:
    """Raises NotFound."""
    live = state_of(request).live
    if live is None:
        raise NotFound("There is nothing at this address.", "Start the server with --edit to see what you save.")
    return live


@router.get("/live/events", response_class=EventSourceResponse)
async def events(live: Annotated[Live, Depends(watching)]) -> AsyncIterator[ServerSentEvent]:
    """Which exercise or course has changed; the page asks for itself again."""
    async for changed in live.follow():
        yield ServerSentEvent(raw_data=json.dumps({"kind": changed.kind, "slug": changed.slug}))
