"""All that is the caller's: to be taken along, and to be deleted."""

from collections.abc import Iterator
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from typing import IO, Annotated

from fastapi import APIRouter, Body, Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import StreamingResponse

from app.people import identity, sessions
from app.people.export import write_export
from app.state import state_of
from app.web import credentials

router = APIRouter(tags=["me"])

IN_MEMORY_BYTES = 1 << 20  # what is longer waits on disk
CHUNK_BYTES = 1 << 16


class Leaving(BaseModel):
    """An account's password, once more; a guest has none."""

    model_config = ConfigDict(extra="forbid", strict=True)

    password: str = ""


@router.get("/me/export", response_class=StreamingResponse)
def export(request: Request) -> StreamingResponse:
    """Everything of the caller's as one JSON object, a key for each kind of thing, as at one moment."""
    state = state_of(request)
    state.limits.spend("export", address=credentials.address_of(request))
    # Written whole before it is sent: whoever reads slowly holds neither a transaction nor a connection.
    with state.db.snapshot() as db, ExitStack() as on_failure:
        person = identity.require_viewer(db, request)
        state.limits.spend("export", person=person.id)
        file = on_failure.enter_context(SpooledTemporaryFile(IN_MEMORY_BYTES))
        write_export(db, person, file)
        on_failure.pop_all()  # from here on whoever sends it closes it
    return StreamingResponse(
        _sent(file),
        media_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="lectern.json"', "Cache-Control": "no-store"},
    )


@router.delete("/me", status_code=204)
async def delete(request: Request, leaving: Annotated[Leaving | None, Body()] = None) -> None:
    """The caller, and all that is theirs, for good. An account gives its password again; a wrong one is 403."""
    await sessions.leave(request, leaving.password if leaving else "")


def _sent(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while chunk := file.read(CHUNK_BYTES):
            yield chunk
