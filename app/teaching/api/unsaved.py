"""What an author types, kept as it is typed; of two writers the second is told what it would lose."""

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from app.people.belongings import plain
from app.people.identity import Caller
from app.state import state_of
from app.teaching.authors import require_author
from app.teaching.subjects import Kind, Subject, subject_of
from app.teaching.unsaved import keep, newest_hash
from app.web.errors import Conflict, ErrorBody

router = APIRouter(tags=["authoring"])

REVISION_MAX = 2**31 - 2


class NewText(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    text: str
    base: str = Field(max_length=64, description="The revision of the content that this text began from.")
    revision: int = Field(
        ge=0, le=REVISION_MAX, description="The revision of the text that this one is based on; 0: none."
    )


class KeptOut(BaseModel):
    revision: int
    saved_at: str = Field(description="RFC 3339, UTC")
    newest: str | None = Field(description="The newest revision of the content now.")


class TextOut(BaseModel):
    text: str
    revision: int
    saved_at: str


class OtherTextOut(BaseModel):
    """What another tab or device of yours has kept since."""

    error: ErrorBody
    unsaved: TextOut


def _add_route(kind: Kind, prefix: str) -> None:
    def update(request: Request, slug: str, path: str, sent: NewText) -> Response:
        """Keep what is typed in one file, if no other tab of yours did since `revision`. It is no revision yet."""
        return _keep(request, subject_of(kind, slug), path, sent)

    update.__name__ = f"keep_text_of_{kind}"
    router.put(
        f"/{prefix}/{{slug}}/unsaved/{{path:path}}",
        response_model=KeptOut,
        responses={409: {"model": OtherTextOut, "description": "Another tab kept another text; this is it."}},
    )(update)


_add_route("exercise", "exercises")
_add_route("course", "courses")


def _keep(request: Request, subject: Subject, path: str, sent: NewText) -> Response:
    state = state_of(request)
    with state.db.writing() as db:
        person = require_author(db, Caller(request), subject, writes=True, spends="draft")
        kept = keep(db, person, subject, path, sent.text, sent.base, sent.revision)
        newest = newest_hash(db, subject)
    answer: dict[str, Any] = {"revision": kept.revision, "saved_at": plain(kept.saved_at)}
    if kept.yours:
        return _json({**answer, "newest": newest})
    problem = Conflict("Another tab of yours has typed something else into this file.", "Choose one of the two.")
    return _json({**problem.public(), "unsaved": {**answer, "text": kept.text}}, problem.status)


def _json(answer: dict[str, Any], status: int = 200) -> Response:
    return JSONResponse(answer, status, {"Cache-Control": "no-store"})
