"""The history of an exercise or a course, what changed between two states, and two states that have to become one."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from app.people.identity import Caller
from app.practice.differences import Differences, differences
from app.state import state_of
from app.teaching.authors import require_author
from app.teaching.folders import Keep, conflict_of, settle
from app.teaching.overview import title_in
from app.teaching.revisions import (
    FileChange,
    Revision,
    count_revisions,
    difference,
    files_of,
    list_revisions,
    newest,
    require_content,
    restore,
    revision_of,
    save,
)
from app.teaching.subjects import Subject, subject_of
from app.teaching.unsaved import clashes_of, forget_unsaved, unsaved_of
from app.web.errors import Conflict, Invalid
from app.web.rendering import render

router = APIRouter()

LISTED = 50
SHOWN_FILES = 60  # of one difference; the rest is named
Text = Annotated[str, Form()]


@dataclass(frozen=True)
class FileDifference:
    """`lines` None: it is no text, or there are too many."""

    path: str
    change: str
    lines: Differences | None


@dataclass(frozen=True)
class TwoTexts:
    """One file of which there are two states; None: it is not there on that side. `is_text`: both can be read."""

    path: str
    left: str | None
    right: str | None
    is_text: bool
    lines: Differences | None


@router.get("/author/{kind}/{slug}/revisions")
def index(request: Request, kind: str, slug: str, first: Annotated[int, Query(ge=0, le=10**6)] = 0) -> Response:
    state, subject = state_of(request), subject_of(kind, slug)
    with state.db.reading() as db:
        require_author(db, Caller(request), subject)
        content = require_content(db, subject)
        listed = list_revisions(db, subject, first, LISTED)
        newest_id, published_id = content.newest_id, content.published_id
        newest_hash = newest(db, subject).content_hash
        older = first + LISTED if count_revisions(db, subject) > first + LISTED else None
        checks = {
            revision.content_hash: state.checks.of(db, subject.kind, subject.slug, revision.content_hash)
            for revision, _ in listed
        }
        title = title_in(files_of(db, newest_id), subject)
        parents = {revision.id: revision.content_hash for revision, _ in listed}
        for revision, _ in listed:
            if revision.parent_id is not None and revision.parent_id not in parents:
                parent = db.get(Revision, revision.parent_id)
                parents[revision.parent_id] = parent.content_hash if parent else ""
    return render(
        request, "teaching/revisions/index.html", subject=subject, title=title, listed=listed, checks=checks,
        newest_id=newest_id, newest_hash=newest_hash, published_id=published_id, parents=parents, first=first,
        older=older,
    )  # fmt: skip


@router.get("/author/{kind}/{slug}/differences")
def show_difference(
    request: Request, kind: str, slug: str, pick: Annotated[list[str] | None, Query()] = None
) -> Response:
    """Between two revisions; of the two the older stands on the left."""
    state, subject = state_of(request), subject_of(kind, slug)
    with state.db.reading() as db:
        require_author(db, Caller(request), subject)
        title = title_in(files_of(db, newest(db, subject).id), subject)
        picked = sorted({revision_of(db, subject, one).id for one in pick or ()})
        if len(picked) != 2:
            raise Invalid("Two revisions are compared.", "Go back and tick two of the list.")
        left, right = (db.get_one(Revision, id) for id in picked)
        changes = difference(files_of(db, left.id), files_of(db, right.id))
        newest_hash = newest(db, subject).content_hash
    return render(
        request, "teaching/revisions/difference.html", subject=subject, title=title, left=left, right=right,
        newest_hash=newest_hash, files=[_shown(one) for one in changes[:SHOWN_FILES]],
        unseen=[one.path for one in changes[SHOWN_FILES:]],
    )  # fmt: skip


@router.post("/author/{kind}/{slug}/restorations")
def create_restoration(request: Request, kind: str, slug: str, revision: Text, base: Text) -> Response:
    """That state becomes the newest revision. What one has typed and not saved stays typed."""
    state, subject = state_of(request), subject_of(kind, slug)
    with state.db.writing() as db:
        person = require_author(db, Caller(request), subject, writes=True)
        restore(db, person, subject, base, revision)
    return RedirectResponse(f"{subject.desk_url}/revisions", 303)


def _shown(change: FileChange) -> FileDifference:
    word = "added" if change.before is None else "removed" if change.after is None else "changed"
    before, after = _text(change.before), _text(change.after)
    lines = differences(before or "", after or "") if before is not None and after is not None else None
    return FileDifference(change.path, word, lines)


def _text(content: bytes | None) -> str | None:
    """ "" for what is not there; None for what is no text."""
    try:
        text = (content or b"").decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


# ---- folder and browser -------------------------------------------------------------------------------------------


@router.get("/author/{kind}/{slug}/conflict")
def show_conflict(request: Request, kind: str, slug: str) -> Response:
    state, subject = state_of(request), subject_of(kind, slug)
    with state.db.reading() as db:
        require_author(db, Caller(request), subject)
        folder, latest = conflict_of(db, subject), newest(db, subject)
        if folder is None:
            return RedirectResponse(subject.desk_url, 303)
        ours, theirs = files_of(db, latest.id), files_of(db, folder.id)
    return render(
        request, "teaching/revisions/two.html", subject=subject, title=title_in(ours, subject),
        texts=[_two(one.path, one.before, one.after) for one in difference(theirs, ours)],
        left_name="The folder’s", right_name="The browser’s", heading="The folder and the browser have both changed",
        words="Nothing was overwritten. Students keep what was published. Choose for each file; what you choose becomes"
        " a new revision, and both of these states stay in the history.",
        action=f"{subject.desk_url}/conflict", folder=folder.content_hash, base=latest.content_hash,
    )  # fmt: skip


@router.post("/author/{kind}/{slug}/conflict")
async def end_conflict(request: Request, kind: str, slug: str) -> Response:
    form = await request.form()
    return await run_in_threadpool(_end_conflict, request, subject_of(kind, slug), form)


def _end_conflict(request: Request, subject: Subject, form: FormData) -> Response:
    state = state_of(request)
    seen, base = _field(form, "folder"), _field(form, "base")
    with state.db.writing() as db:
        person = require_author(db, Caller(request), subject, writes=True)
        require_content(db, subject, writes=True)
        folder = conflict_of(db, subject)
        if folder is None or folder.content_hash != seen or newest(db, subject).content_hash != base:
            raise Conflict("One of the two has changed again.", "Go back and reload the page.")
        ours, theirs = files_of(db, newest(db, subject).id), files_of(db, folder.id)
        changed = difference(theirs, ours)
        chosen = _chosen(form, {one.path: (one.before, one.after) for one in changed})
        if all(chosen[one.path] == one.before for one in changed):
            settle(db, person, subject, Keep.folder, seen, base)
        else:
            changes = {path: content for path, content in chosen.items() if ours.get(path) != content}
            revision = save(db, person, subject, base, changes, "Folder and browser brought together")
            settle(db, person, subject, Keep.browser, seen, revision.content_hash)
    return RedirectResponse(subject.desk_url, 303)


# ---- two authors --------------------------------------------------------------------------------------------------


@router.get("/author/{kind}/{slug}/clashes")
def show_clashes(request: Request, kind: str, slug: str) -> Response:
    state, subject = state_of(request), subject_of(kind, slug)
    with state.db.reading() as db:
        person = require_author(db, Caller(request), subject)
        latest = newest(db, subject)
        clashes, files = clashes_of(db, person, subject), files_of(db, latest.id)
        by = next((email for revision, email in list_revisions(db, subject, 0, 1)), None)
    if not clashes:
        return RedirectResponse(subject.desk_url, 303)
    return render(
        request, "teaching/revisions/two.html", subject=subject, title=title_in(files, subject),
        texts=[_two(one.path, _bytes(one.mine), _bytes(one.theirs)) for one in clashes],
        left_name="Yours", right_name=f"{by or 'Another author'}’s", heading="Somebody has saved these files meanwhile",
        words="Both texts are kept. Choose for each file; what you do not choose stays in the history.",
        action=f"{subject.desk_url}/clashes", folder="", base=latest.content_hash,
    )  # fmt: skip


@router.post("/author/{kind}/{slug}/clashes")
async def end_clashes(request: Request, kind: str, slug: str) -> Response:
    form = await request.form()
    return await run_in_threadpool(_end_clashes, request, subject_of(kind, slug), form)


def _end_clashes(request: Request, subject: Subject, form: FormData) -> Response:
    """What is given up is saved first, so that the history has it; then what was chosen."""
    state = state_of(request)
    with state.db.writing() as db:
        person = require_author(db, Caller(request), subject, writes=True)
        require_content(db, subject, writes=True)
        latest = newest(db, subject)
        if latest.content_hash != _field(form, "base"):
            return RedirectResponse(f"{subject.desk_url}/clashes", 303)  # changed once more: look again
        clashes = clashes_of(db, person, subject)
        both = {one.path: (_bytes(one.mine), _bytes(one.theirs)) for one in clashes}
        chosen = _chosen(form, both)
        texts = {path: row.text.encode() for path, row in unsaved_of(db, person, subject).items()}
        if any(chosen[path] != mine for path, (mine, _) in both.items()):
            latest = save(db, person, subject, latest.content_hash, texts, "Set aside: what was typed at the same time")
        save(db, person, subject, latest.content_hash, {**texts, **chosen}, "Two authors’ texts brought together")
        forget_unsaved(db, person, subject)
    return RedirectResponse(subject.desk_url, 303)


def _chosen(form: FormData, both: dict[str, tuple[bytes | None, bytes | None]]) -> dict[str, bytes | None]:
    """For each path what is to be there: the left, the right, or what was written of the two. Raises Invalid."""
    chosen: dict[str, bytes | None] = {}
    for path, (left, right) in both.items():
        match _field(form, f"keep:{path}"):
            case "left":
                chosen[path] = left
            case "right":
                chosen[path] = right
            case "both":
                chosen[path] = _field(form, f"text:{path}").replace("\r\n", "\n").encode("utf-8", "replace")
            case _:
                raise Invalid(f"Nothing was chosen for {path}.", "Go back and choose for each file.")
    return chosen


def _field(form: FormData, name: str) -> str:
    value = form.get(name)
    return value if isinstance(value, str) else ""


def _two(path: str, left: bytes | None, right: bytes | None) -> TwoTexts:
    before, after = _text(left), _text(right)
    is_text = before is not None and after is not None
    return TwoTexts(
        path,
        None if left is None else before,
        None if right is None else after,
        is_text,
        differences(before or "", after or "") if is_text else None,
    )


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()
