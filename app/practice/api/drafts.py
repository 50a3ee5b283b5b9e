"""Drafts: saved as they are typed, never judged. Of two writers the second is told what it would lose."""

import json
from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from app.people import identity
from app.people.identity import Caller
from app.practice.drafts import load_draft
from app.practice.editor import keep, require_offered
from app.state import state_of
from app.web.errors import Conflict, ErrorBody, NotFound

router = APIRouter(tags=["drafts"])

REVISION_MAX = 2**31 - 2


class NewDraft(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    source: str
    revision: int = Field(ge=0, le=REVISION_MAX, description="The revision this text is based on; 0: none.")


class SavedOut(BaseModel):
    revision: int
    saved_at: str = Field(description="RFC 3339, UTC")


class DraftOut(SavedOut):
    source: str


class OtherDraftOut(BaseModel):
    """What another tab or device has saved since."""

    error: ErrorBody
    draft: DraftOut


@router.put(
    "/exercises/{slug}/drafts/{framework}",
    response_model=SavedOut,
    responses={
        409: {"model": OtherDraftOut, "description": "Another save came after `revision`; this is the saved draft."}
    },
)
def update(request: Request, slug: str, framework: str, draft: NewDraft) -> Response:
    """Keep a source as this exercise's draft, if nobody saved since `revision`. It is not judged and costs nothing."""
    saved = keep(state_of(request), Caller(request), slug, framework, draft.source, draft.revision)
    if saved.yours:
        return _json({"revision": saved.revision, "saved_at": _moment(saved.saved_at)})
    problem = Conflict(
        "Another tab or device has saved a newer version of this draft.",
        f"Save again with revision {saved.revision} to replace it, or use that version.",
    )
    other = {
        "source": saved.source.decode("utf-8", "surrogatepass"),
        "revision": saved.revision,
        "saved_at": _moment(saved.saved_at),
    }
    return _json({**problem.public(), "draft": other}, problem.status)


@router.get("/exercises/{slug}/drafts/{framework}", response_model=DraftOut)
def show(request: Request, slug: str, framework: str) -> Response:
    """Your own, and nobody else's."""
    state = state_of(request)
    require_offered(state.catalog.exercise(slug), framework)
    with state.db.reading() as db:
        draft = load_draft(db, identity.viewer(db, request), slug, framework)
    if draft is None:
        raise NotFound(
            "You have no draft of this exercise in this framework.", "Send one with PUT to the same address."
        )
    return _json(
        {
            "source": draft.source.decode("utf-8", "surrogatepass"),
            "revision": draft.revision,
            "saved_at": _moment(draft.saved_at),
        }
    )


def _json(answer: dict[str, Any], status: int = 200) -> Response:
    """In ASCII: half a surrogate pair has no UTF-8, and must come back as it was sent."""
    return Response(json.dumps(answer), status, {"Cache-Control": "no-store"}, "application/json")


def _moment(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")
