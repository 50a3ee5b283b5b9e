"""Content out of the database into folders, and back: `./lectern export DIR` and `./lectern import DIR`.

Both may be repeated: what is the same already is left as it is. Neither overwrites what it does not know: a folder that
holds a state which no revision holds stays as it is, and so does a draft in the browser that is newer than what is
imported. Either is refused, and named.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.content.course import MAX_FILE_BYTES, course_slug
from app.content.reading import MAX_SLUG_CHARACTERS
from app.db import Database
from app.teaching.files import Files
from app.teaching.revisions import (
    Content,
    Revision,
    begin,
    content_of,
    files_of,
    replace_all,
    revision_of,
)
from app.teaching.subjects import Subject, subject_of
from app.web.errors import NotFound
from graders.exercise.folder import FolderUnreadable, hash_files, read_files
from graders.text import escaped

Outcome = Literal["written", "unchanged", "refused"]
SHELVES = {"exercises": ("exercise", "exercise.toml"), "lessons": ("course", "course.toml")}


@dataclass(frozen=True)
class Exchanged:
    """What became of one exercise or course; `why` says what to do about one that was refused."""

    kind: str
    slug: str
    path: str
    outcome: Outcome
    why: str | None = None

    def as_json(self) -> dict[str, str | None]:
        return {"kind": self.kind, "slug": self.slug, "path": self.path, "outcome": self.outcome, "why": self.why}


# ---- out ------------------------------------------------------------------------------------------------------


def export_all(database: Database, root: Path, *, drafts: bool = False) -> Iterator[Exchanged]:
    """Write what is published (`drafts`: the newest revision of each) below `root`, as `exercises/` and `lessons/`.

    Raises OSError where that cannot be written to.
    """
    with database.reading() as db:
        contents = [
            (subject_of(row.kind, row.slug), row.newest_id if drafts else row.published_id)
            for row in db.scalars(select(Content).order_by(Content.kind, Content.slug))
        ]
    for subject, revision_id in contents:
        if revision_id is not None:
            with database.reading() as db:
                yield _export(db, subject, files_of(db, revision_id), root)


def _export(db: Session, subject: Subject, files: Files, root: Path) -> Exchanged:
    folder = _folder_of(root, subject)

    def outcome(word: Outcome, why: str | None = None) -> Exchanged:
        return Exchanged(subject.kind, subject.slug, str(folder), word, why)

    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        return outcome("refused", "It is not a folder. Move it.")
    there: Files = {}
    if folder.exists():
        try:
            found = read_files(folder, MAX_FILE_BYTES)
        except FolderUnreadable as error:
            return outcome("refused", f"{error}. Remove it, or export elsewhere.")
        if found.links:
            return outcome("refused", f"{found.links[0]} is a symbolic link. Remove it.")
        there = found.contents
        if there and not _is_known(db, subject, hash_files(there)):
            return outcome("refused", "It holds changes that no revision holds. Import it first, or move it.")
    if there == files:
        return outcome("unchanged")
    _write(folder, there, files)
    return outcome("written")


def _folder_of(root: Path, subject: Subject) -> Path:
    """Where it lies already, with the number that its folder may begin with; or where it is written."""
    shelf = root / ("exercises" if subject.kind == "exercise" else "lessons")
    if subject.kind == "course" and shelf.is_dir():
        for folder in sorted(shelf.iterdir()):
            if re.fullmatch(r"\d+-.*", folder.name) and course_slug(folder.name) == subject.slug:
                return folder
    return shelf / subject.slug


def _is_known(db: Session, subject: Subject, state: str) -> bool:
    try:
        revision_of(db, subject, state)
    except NotFound:
        return False
    return True


def _write(folder: Path, before: Files, after: Files) -> None:
    """Each file as a whole or not at all; what a file system can name was checked when it was saved."""
    for path in before.keys() - after.keys():
        (folder / path).unlink()
        for above in (folder / path).parents:
            if above == folder or any(above.iterdir()):
                break
            above.rmdir()
    for path, content in after.items():
        if before.get(path) != content:
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            written = target.with_name(f".{target.name}.lectern")
            written.write_bytes(content)
            written.replace(target)


# ---- in -------------------------------------------------------------------------------------------------------


def import_all(database: Database, root: Path, *, replace: bool = False) -> Iterator[Exchanged]:
    """Save what lies below `root`, in `exercises/` and `lessons/`, as the newest revisions, of the origin `import`."""
    for kind, slug, folder in find(root):
        yield _import(database, kind, slug, folder, replace)


def find(root: Path) -> Iterator[tuple[str, str, Path]]:
    """(kind, slug, folder) of the content below `root`; also where it is one of the two shelves itself."""
    shelves = [root / name for name in SHELVES] if any((root / name).is_dir() for name in SHELVES) else [root]
    for shelf in shelves:
        for folder in sorted(shelf.iterdir()) if shelf.is_dir() else []:
            for kind, cover in SHELVES.values():
                if not folder.name.startswith(".") and (folder / cover).is_file():
                    yield kind, folder.name if kind == "exercise" else course_slug(folder.name), folder


def _import(database: Database, kind: str, slug: str, folder: Path, replace: bool) -> Exchanged:
    def outcome(word: Outcome, why: str | None = None) -> Exchanged:
        return Exchanged(kind, escaped(slug), escaped(str(folder)), word, why)

    if escaped(slug) != slug or len(slug) > MAX_SLUG_CHARACTERS:
        return outcome("refused", "Its name cannot be stored. Rename it, using plain letters.")
    subject = subject_of(kind, slug)
    try:
        found = read_files(folder, MAX_FILE_BYTES)
    except FolderUnreadable as error:
        return outcome("refused", f"{error}: {error.hint}.")
    if found.links:
        return outcome("refused", f"{found.links[0]} is a symbolic link. Put the file itself there.")
    files, state = found.contents, hash_files(found.contents)
    with database.writing() as db:
        content = content_of(db, subject, writes=True)
        if content is None:
            begin(db, None, subject, files, "Imported", "import")
            return outcome("written")
        newest = db.get_one(Revision, content.newest_id)
        if newest.content_hash == state:
            return outcome("unchanged")
        if not replace and newest.origin == "browser" and newest.id != content.published_id:
            why = "The browser has a newer draft. Export it with --drafts and merge, or import with --replace."
            return outcome("refused", why)
        if not replace and _is_known(db, subject, state):
            return outcome("refused", "It is an older revision. To restore it, import with --replace.")
        replace_all(db, None, subject, newest.content_hash, files, "Imported", "import")
    return outcome("written")
