"""Where a folder and the browser meet: which of them is right, and when neither is.

The state of a folder that both sides last agreed on is kept. What has changed since on one side alone is right. Where
both have changed, that is a conflict: the folder's state is kept as a revision beside the newest, students keep what
was published, and an author decides, with both side by side. Neither side ever overwrites the other.
"""

from collections.abc import Mapping
from enum import StrEnum

import structlog
from sqlalchemy.orm import Session

from app.content.reading import Unsound
from app.db import Database
from app.people.audit import note
from app.people.users import User
from app.reading.snapshots import take_turn
from app.teaching.files import Files
from app.teaching.revisions import (
    Content,
    Outdated,
    Revision,
    add_folder_state,
    begin,
    content_of,
    files_of,
    require_content,
    revision_of,
)
from app.teaching.subjects import Subject, subject_of
from app.web.errors import Conflict, NotFound
from graders.exercise.fault import Fault
from graders.exercise.folder import hash_files
from graders.text import escaped

log = structlog.get_logger("lectern.teaching")


class Keep(StrEnum):
    folder = "folder"
    browser = "browser"


class FolderTruth:
    """Asked by the catalog for every folder that it reads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def files(self, kind: str, slug: str, folder_files: Mapping[str, bytes]) -> Mapping[str, bytes] | None:
        """What to serve under this name in the folder's place; None: what the folder holds.

        Raises Unsound where that waits for an author.
        """
        if not folder_files or escaped(slug) != slug:
            return None  # nothing that a revision could hold; the reader says what is wrong with it
        try:
            subject = subject_of(kind, slug)
        except NotFound:
            return None
        with self._database.reading() as db:
            content = content_of(db, subject)
            agrees = content is not None and content.conflict_id is None
            is_new = content is None or not agrees or content.folder_hash != hash_files(folder_files)
        if is_new:
            with self._database.writing() as db:
                take_turn(db)
                meet(db, subject, folder_files)
        with self._database.reading() as db:
            return _published_instead(db, require_content(db, subject))


def meet(db: Session, subject: Subject, folder_files: Files) -> None:
    """Keep what the folder holds, and which side is right."""
    content = content_of(db, subject, writes=True)
    if content is None:
        begin(db, None, subject, folder_files, "First seen in the folder", "folder")
        content = require_content(db, subject)
        content.folder_hash, content.published_id = hash_files(folder_files), content.newest_id
        return
    state = hash_files(folder_files)
    newest = db.get_one(Revision, content.newest_id)
    if state == content.folder_hash:
        content.conflict_id = None  # the folder has gone back to what was agreed
    elif state == newest.content_hash:
        _take(db, subject, content, newest)
    elif newest.content_hash == content.folder_hash:
        _take(db, subject, content, add_folder_state(db, content, subject, folder_files))
    elif _is_known_since(db, subject, content, state):
        content.folder_hash, content.conflict_id = state, None
    else:
        _keep_apart(db, subject, content, folder_files, state)


def settle(db: Session, person: User | None, subject: Subject, keep: Keep, folder_state: str, base: str) -> Revision:
    """An author has decided. `folder_state` and `base` are the two revisions that they saw.

    `Keep.folder`: the folder's state becomes the newest revision, to be proved and published like any other.
    `Keep.browser`: the newest revision stays; a merge is saved as a revision first.
    Raises Conflict, Outdated, NotFound.
    """
    content = require_content(db, subject, writes=True)
    newest = db.get_one(Revision, content.newest_id)
    if newest.content_hash != base:
        raise Outdated(newest)
    conflict = db.get(Revision, content.conflict_id) if content.conflict_id is not None else None
    if conflict is None or conflict.content_hash != folder_state:
        raise Conflict("The folder has changed again, or the conflict is settled.", "Reload the page.")
    content.folder_hash, content.conflict_id = conflict.content_hash, None
    if keep is Keep.folder:
        content.newest_id = conflict.id
    db.flush()
    detail = {"kept": keep.value, "folder": conflict.content_hash, "browser": newest.content_hash}
    note(db, person, subject, "conflict settled", detail)
    return db.get_one(Revision, content.newest_id)


def conflict_of(db: Session, subject: Subject) -> Revision | None:
    """The folder's state, where it and the browser have both changed."""
    content = content_of(db, subject)
    return db.get(Revision, content.conflict_id) if content is not None and content.conflict_id is not None else None


def _published_instead(db: Session, content: Content) -> Files | None:
    """What is published, unless it is what the folder held when both sides last agreed and holds now.

    Raises Unsound where nothing is published, and the folder's state waits for an author.
    """
    if content.published_id is None:
        raise Unsound(_undecided(content))
    published = db.get_one(Revision, content.published_id)
    if content.conflict_id is None and published.content_hash == content.folder_hash:
        return None
    return files_of(db, published.id)


def _undecided(content: Content) -> Fault:
    address = f"/author/{content.kind}/{content.slug}"
    if content.conflict_id is not None:
        message = "The folder and the browser have both changed."
        return Fault("error", "", None, "conflict", message, f"Decide which is right at {address}/conflict.")
    message = "It was begun in the browser, and is not published yet."
    return Fault("error", "", None, "draft", message, f"Publish it at {address}.")


def _is_known_since(db: Session, subject: Subject, content: Content, state: str) -> bool:
    """Whether the folder has gone to a state that was saved in the browser: it lost nothing, and has nothing new."""
    try:
        known = revision_of(db, subject, state)
    except NotFound:
        return False
    return known.id != content.conflict_id and known.origin != "folder"


def _take(db: Session, subject: Subject, content: Content, revision: Revision) -> None:
    content.newest_id = content.published_id = revision.id
    content.folder_hash, content.conflict_id = revision.content_hash, None
    db.flush()
    note(db, None, subject, "taken from its folder", {"revision": revision.content_hash})


def _keep_apart(db: Session, subject: Subject, content: Content, files: Files, state: str) -> None:
    known = db.get(Revision, content.conflict_id) if content.conflict_id is not None else None
    if known is not None and known.content_hash == state:
        return
    content.conflict_id = add_folder_state(db, content, subject, files).id
    db.flush()
    note(db, None, subject, "conflict", {"folder": state})
    log.warning("folder_and_browser_conflict", content=str(subject), remedy=f"Decide at {subject.desk_url}/conflict.")
