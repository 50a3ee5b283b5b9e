"""Pictures that are pasted or dropped into a text, or picked from a form."""

import re
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.responses import JSONResponse, RedirectResponse, Response

from app.people.identity import Caller
from app.state import state_of
from app.teaching.authors import require_author
from app.teaching.pictures import safe_picture
from app.teaching.revisions import content_of, files_of, newest, save
from app.teaching.subjects import Subject, subject_of
from app.web.credentials import address_of
from app.web.errors import Invalid, NotFound

router = APIRouter()
MAX_NAME = 60


class PictureOut(BaseModel):
    """`path`: what a text writes between the brackets. `revision`: the one that holds it."""

    path: str
    revision: str


@router.post("/author/{kind}/{slug}/pictures")
async def create(request: Request, kind: str, slug: str, name: Annotated[str, Query(max_length=300)] = "") -> Response:
    """The picture is the request's body, or in a form the field `picture`. Its name is made safe and free."""
    subject = subject_of(kind, slug)
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        sent = (await request.form()).get("picture")
        if not isinstance(sent, UploadFile):
            raise Invalid("No picture was chosen.", "Choose a file and try again.")
        path, _ = await run_in_threadpool(_store, request, subject, sent.filename or "", await sent.read())
        return RedirectResponse(f"{subject.desk_url}?file={path}", 303)
    path, revision = await run_in_threadpool(_store, request, subject, name, await request.body())
    return JSONResponse({"path": path, "revision": revision}, 201, {"Cache-Control": "no-store"})


def _store(request: Request, subject: Subject, name: str, content: bytes) -> tuple[str, str]:
    state = state_of(request)
    with state.db.reading() as db:
        require_author(db, Caller(request), subject)
    state.limits.spend("draft", address=address_of(request))
    picture = safe_picture(content)
    with state.db.writing() as db:
        person = require_author(db, Caller(request), subject, writes=True)
        if content_of(db, subject, writes=True) is None:
            raise NotFound(f"There is no {subject.kind} of this name.", "See the list at /author.")
        revision = newest(db, subject)
        files = files_of(db, revision.id)
        path = next(
            (path for path, held in files.items() if held == picture.content and path.startswith("figures/")), ""
        )
        if not path:
            path = _free(files, name, picture.suffix)
            revision = save(db, person, subject, revision.content_hash, {path: picture.content}, f"New picture: {path}")
            state.limits.spend_bytes(address_of(request), len(picture.content))
        return path, revision.content_hash


def _free(files: dict[str, bytes], name: str, suffix: str) -> str:
    """`figures/` and the name, in letters that need no escaping in a link; a number where that is taken."""
    stem = (
        re.sub(r"[^a-z0-9]+", "-", name.rpartition(".")[0].lower() or name.lower()).strip("-")[:MAX_NAME] or "picture"
    )
    number = 1
    while (path := f"figures/{stem}{f'-{number}' if number > 1 else ''}{suffix}") in files:
        number += 1
    return path
