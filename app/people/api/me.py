"""All that is the caller's: to be taken along, and to be deleted."""

from typing import Annotated

from fastapi import APIRouter, Body, Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import StreamingResponse

from app.people import sessions
from app.people.export import EXPORT_HEADERS, chunks, export_file
from app.people.identity import Caller
from app.state import state_of

router = APIRouter(tags=["me"])


class Leaving(BaseModel):
    """An account's password, once more; a guest has none."""

    model_config = ConfigDict(extra="forbid", strict=True)

    password: str = ""


@router.get("/me/export", response_class=StreamingResponse)
def export(request: Request) -> StreamingResponse:
    """Everything of the caller's as one JSON object, a key for each kind of thing, as at one moment."""
    file = export_file(state_of(request), Caller(request))
    return StreamingResponse(chunks(file), media_type="application/json", headers=EXPORT_HEADERS)


@router.delete("/me", status_code=204)
async def delete(request: Request, leaving: Annotated[Leaving | None, Body()] = None) -> None:
    """The caller, and all that is theirs, for good. An account gives its password again; a wrong one is 403."""
    await sessions.leave(request, leaving.password if leaving else "")
