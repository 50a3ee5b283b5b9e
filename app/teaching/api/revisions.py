"""Files and revisions of exercises and courses, for their authors; the same calls for both."""

import difflib
from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session
from starlette.responses import JSONResponse, Response

from app.people.belongings import plain
from app.people.identity import Caller
from app.people.users import User
from app.state import AppState, state_of
from app.teaching.authors import require_any_author, require_author
from app.teaching.files import Encoded, decode, encode
from app.teaching.folders import Keep, settle
from app.teaching.revisions import (
    MAX_MESSAGE,
    FileChange,
    Newest,
    Outdated,
    Revision,
    content_of,
    difference,
    files_of,
    list_revisions,
    newest,
    require_content,
    revision_of,
    save,
)
from app.teaching.subjects import Kind, Subject, require_new_slug, subject_of
from app.web.errors import ErrorBody

router = APIRouter(tags=["authoring"])

LISTED = 100
MAX_DIFF_LINES = 3000  # of both sides together; comparing takes the square of it at worst


class Base64(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    base64: str


Content = str | Base64


class NewRevision(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    base: str | None = Field(None, max_length=64, description="The revision that you changed; none for something new.")
    files: dict[str, Content | None] = Field(description="The files that change, by path; null removes one.")
    message: str = Field("", max_length=MAX_MESSAGE)


class NewAgreement(BaseModel):
    """How a conflict of folder and browser ends."""

    model_config = ConfigDict(extra="forbid", strict=True)

    keep: Literal["folder", "browser"]
    folder: str = Field(max_length=64, description="The folder's state, as you saw it.")
    base: str = Field(max_length=64, description="The newest revision, as you saw it.")


class FilesOut(BaseModel):
    revision: str
    origin: Literal["folder", "browser", "import"]
    files: dict[str, Content]


class SavedOut(BaseModel):
    revision: str
    state: Literal["draft", "published"]


class RevisionOut(SavedOut):
    origin: Literal["folder", "browser", "import"]
    author: str | None
    message: str
    created_at: str = Field(description="RFC 3339, UTC")


class RevisionsOut(BaseModel):
    """The newest first."""

    revisions: list[RevisionOut]
    conflict: str | None = Field(description="The folder's state, where folder and browser have both changed.")


class FileChangeOut(BaseModel):
    path: str
    change: Literal["added", "removed", "changed"]
    diff: str | None = Field(description="Unified; null for what is no text, or too long to compare.")


class FaultOut(BaseModel):
    severity: Literal["error", "warning"]
    path: str
    line: int | None
    code: str
    message: str
    hint: str


class CheckOut(BaseModel):
    state: Literal["queued", "running", "finished"]
    ok: bool | None
    faults: list[FaultOut]
    mutants: int | None
    killed: int | None
    equivalent: int | None


class OneRevisionOut(RevisionOut):
    """With what it changed, and what the gate says of it; null: the gate has not been asked."""

    against: str | None
    difference: list[FileChangeOut]
    check: CheckOut | None


class OutdatedOut(BaseModel):
    """What somebody has saved since `base`."""

    error: ErrorBody
    newest: FilesOut


CONFLICT: dict[int | str, dict[str, Any]] = {
    409: {"model": OutdatedOut, "description": "A newer revision was saved since `base`; this is it."}
}


def _add_routes(kind: Kind, prefix: str) -> None:
    def named(function: Callable[..., Response], name: str) -> Callable[..., Response]:
        function.__name__ = f"{name}_of_{kind}"
        return function

    def show_files(request: Request, slug: str) -> Response:
        """The newest revision, whole."""
        state, subject = state_of(request), subject_of(kind, slug)
        with state.db.reading() as db:
            require_author(db, Caller(request), subject)
            return _json(_files(newest(db, subject), files_of(db, newest(db, subject).id)))

    def list_all(request: Request, slug: str, first: Annotated[int, Query(ge=0, le=10**6)] = 0) -> Response:
        """A hundred at a time, the newest first."""
        state, subject = state_of(request), subject_of(kind, slug)
        with state.db.reading() as db:
            require_author(db, Caller(request), subject)
            content = require_content(db, subject)
            listed = list_revisions(db, subject, first, LISTED)
            conflict = db.get(Revision, content.conflict_id) if content.conflict_id is not None else None
            revisions = [_revision(revision, email, content.published_id) for revision, email in listed]
        return _json({"revisions": revisions, "conflict": conflict.content_hash if conflict else None})

    def show_one(
        request: Request, slug: str, revision: str, against: Annotated[str | None, Query(max_length=64)] = None
    ) -> Response:
        """Compared with the revision that it began from, or with `against`."""
        return _json(_one(state_of(request), Caller(request), subject_of(kind, slug), revision, against))

    def create(request: Request, slug: str, sent: NewRevision) -> Response:
        """Save a change as a draft. What cannot be read as content is kept all the same."""
        return _save(state_of(request), Caller(request), subject_of(kind, slug), sent)

    def agree(request: Request, slug: str, sent: NewAgreement) -> Response:
        """End a conflict of folder and browser: say whose state is right. For a merge, save it first."""
        state, subject = state_of(request), subject_of(kind, slug)
        try:
            with state.db.writing() as db:
                person = require_author(db, Caller(request), subject, writes=True)
                revision = settle(db, person, subject, Keep(sent.keep), sent.folder, sent.base)
                published = require_content(db, subject).published_id == revision.id
        except Outdated as outdated:
            return _outdated(state, outdated)
        return _json({"revision": revision.content_hash, "state": "published" if published else "draft"}, 201)

    place = f"/{prefix}/{{slug}}"
    router.get(f"{place}/files", response_model=FilesOut)(named(show_files, "files"))
    router.get(f"{place}/revisions", response_model=RevisionsOut)(named(list_all, "revisions"))
    router.get(f"{place}/revisions/{{revision}}", response_model=OneRevisionOut)(named(show_one, "revision"))
    router.post(f"{place}/revisions", status_code=201, response_model=SavedOut, responses=CONFLICT)(
        named(create, "save")
    )
    router.post(f"{place}/agreements", status_code=201, response_model=SavedOut, responses=CONFLICT)(
        named(agree, "agree")
    )


_add_routes("exercise", "exercises")
_add_routes("course", "courses")


def _save(state: AppState, caller: Caller, subject: Subject, sent: NewRevision) -> Response:
    changes = {
        path: None if content is None else decode(path, content if isinstance(content, str) else content.model_dump())
        for path, content in sent.files.items()
    }
    try:
        with state.db.writing() as db:
            if sent.base is None and content_of(db, subject) is None:
                person = require_any_author(db, caller, writes=True)
                require_new_slug(subject.slug)
            else:
                person = require_author(db, caller, subject, writes=True)
            revision = save(db, person, subject, sent.base, changes, sent.message)
            state.limits.spend_bytes(caller.address, sum(len(content or b"") for content in changes.values()))
            published = require_content(db, subject).published_id == revision.id
    except Outdated as outdated:
        return _outdated(state, outdated)
    return _json({"revision": revision.content_hash, "state": "published" if published else "draft"}, 201)


def _outdated(state: AppState, outdated: Outdated) -> Response:
    with state.db.reading() as db:
        files = files_of(db, outdated.newest.id)
    return _json({**outdated.public(), "newest": _files(outdated.newest, files)}, 409)


def _one(state: AppState, caller: Caller, subject: Subject, content_hash: str, against: str | None) -> dict[str, Any]:
    with state.db.reading() as db:
        require_author(db, caller, subject)
        revision = revision_of(db, subject, content_hash)
        other = _compared_with(db, subject, revision, against)
        before = files_of(db, other.id) if other is not None else {}
        after = files_of(db, revision.id)
        check = state.checks.of(db, subject.kind, subject.slug, content_hash)
        listed = _revision(revision, _email(db, revision), require_content(db, subject).published_id)
    return {
        **listed,
        "against": other.content_hash if other is not None else None,
        "difference": [_change(change) for change in difference(before, after)],
        "check": check.as_json() if check is not None else None,
    }


def _compared_with(db: Session, subject: Subject, revision: Revision, against: str | None) -> Revision | None:
    if against is not None:
        return revision_of(db, subject, against)
    return db.get(Revision, revision.parent_id) if revision.parent_id is not None else None


def _email(db: Session, revision: Revision) -> str | None:
    author = db.get(User, revision.author_id) if revision.author_id is not None else None
    return author.email if author is not None else None


def _revision(revision: Revision, email: str | None, published_id: int | None) -> dict[str, Any]:
    return {
        "revision": revision.content_hash,
        "state": "published" if revision.id == published_id else "draft",
        "origin": revision.origin,
        "author": email,
        "message": revision.message,
        "created_at": plain(revision.created_at),
    }


def _files(revision: Revision | Newest, files: dict[str, bytes]) -> dict[str, Any]:
    encoded: dict[str, Encoded] = {path: encode(content) for path, content in files.items()}
    return {"revision": revision.content_hash, "origin": revision.origin, "files": encoded}


def _change(change: FileChange) -> dict[str, Any]:
    word = "added" if change.before is None else "removed" if change.after is None else "changed"
    return {"path": change.path, "change": word, "diff": _diff(change)}


def _diff(change: FileChange) -> str | None:
    before, after = encode(change.before or b""), encode(change.after or b"")
    if not isinstance(before, str) or not isinstance(after, str):
        return None
    left, right = before.splitlines(keepends=True), after.splitlines(keepends=True)
    if len(left) + len(right) > MAX_DIFF_LINES:
        return None
    return "".join(difflib.unified_diff(left, right, change.path, change.path))


def _json(answer: dict[str, Any], status: int = 200) -> Response:
    return JSONResponse(answer, status, {"Cache-Control": "no-store"})
