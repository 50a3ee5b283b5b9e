"""What the folders hold now, and what stands for a folder whose last state did not pass."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import structlog

from app.content.course import course_slug
from app.content.reading import Instead, Proof, ReadCourse, Reader, ReadExercise, Unsound, require_one_folder
from app.db import Database
from app.reading.snapshots import current_id, files_of, from_elsewhere, hash_of
from graders.exercise.fault import Fault
from graders.text import escaped

log = structlog.get_logger("lectern.content")

MAX_LOGGED = 10  # faults of one folder

Content = TypeVar("Content", ReadExercise, ReadCourse)
Faults = dict[tuple[str, str], tuple[Fault, ...]]  # by kind and slug


class Truth(Protocol):
    """Who decides between a folder and what was written elsewhere under its name."""

    def files(self, kind: str, slug: str, folder_files: Mapping[str, bytes]) -> Mapping[str, bytes] | None:
        """What is served instead of these files of the folder; None: these."""


class FoldersAlone:
    def files(self, kind: str, slug: str, folder_files: Mapping[str, bytes]) -> Mapping[str, bytes] | None:
        return None


@dataclass(frozen=True)
class Way(Generic[Content]):
    """How content of one kind is read: from its folder, and from the files of a snapshot. Both raise Unsound."""

    kind: str
    read: Callable[[Path, Instead], Content]
    read_files: Callable[[str, Mapping[str, bytes]], Content]


def exercises_by(reader: Reader) -> Way[ReadExercise]:
    return Way("exercise", reader.exercise, reader.exercise_of)


def courses_by(reader: Reader) -> Way[ReadCourse]:
    return Way("course", reader.course, reader.course_of)


class Folders:
    """The folders under `roots`. What a folder holds is published if nothing in it is an error, or if it was
    published before."""

    def __init__(self, database: Database, truth: Truth, roots: Mapping[str, Sequence[Path]]) -> None:
        self._database, self._truth, self._roots = database, truth, roots

    def slug(self, kind: str, folder: Path) -> str:
        return folder.name if kind == "exercise" else course_slug(folder.name)

    def named(self, kind: str, slug: str) -> list[Path]:
        """The folders of this name: one, none, or several, of which neither is the right one by chance."""
        return self._by_slug(kind).get(slug, [])

    def read_all(self, way: Way[Content]) -> tuple[dict[str, Content], Faults]:
        """What is served of this kind, by slug, and why a folder is not served as it is.

        What has not passed stops nobody else's work: it stays as it last was, or is left out where it never passed;
        either is logged, with file and line.
        """
        found: dict[str, Content] = {}
        held: Faults = {}
        for slug, folders in self._by_slug(way.kind).items():
            content = None
            try:
                content = self.read(way, slug, folders)
            except Unsound as unsound:
                content = self._last_sound(way, slug)
                for fault in unsound.faults[:MAX_LOGGED]:
                    log_unsound(way.kind, folders[0], fault, is_kept=content is not None)
                held[way.kind, content.slug if content else slug] = unsound.faults
            if content is not None:
                found[content.slug] = content
        return found | self._read_others(way, found), held

    def read(self, way: Way[Content], slug: str, folders: Sequence[Path]) -> Content:
        """What the folder of this name holds, or what stands for it. Raises Unsound where that has not passed."""
        require_one_folder(way.kind, slug, folders)
        content = way.read(folders[0], lambda slug, files: self._truth.files(way.kind, slug, files))
        if not self._has_passed(way.kind, content):
            raise Unsound(*content.proof.errors)
        _log_faults(way.kind, slug, content.proof)
        return content

    def _by_slug(self, kind: str) -> dict[str, list[Path]]:
        found: dict[str, list[Path]] = {}
        for folder in _folders(self._roots.get(kind, ())):
            found.setdefault(self.slug(kind, folder), []).append(folder)
        return found

    def _has_passed(self, kind: str, content: ReadCourse | ReadExercise) -> bool:
        """Whether this content may be published: nothing in it is an error, or it was published before.

        That a snapshot of it is served is the record that it passed: a release that finds more faults than the one
        before takes no course from those who read it.
        """
        if not content.proof.errors:
            return True
        with self._database.reading() as db:
            id = current_id(db, kind, content.slug)
            return id is not None and hash_of(db, id) == content.content_hash

    def _read_others(self, way: Way[Content], found: Mapping[str, Content]) -> dict[str, Content]:
        """What came by another way than a folder, and is served all the same; a folder of that name goes first."""
        with self._database.reading() as db:
            stored = {slug: files_of(db, id) for id, slug in from_elsewhere(db, way.kind) if slug not in found}
        others = {}
        for slug, files in stored.items():
            try:
                others[slug] = way.read_files(slug, files)
            except Unsound as unsound:
                log_unsound(way.kind, Path(slug), unsound.fault, is_kept=False)
        return others

    def _last_sound(self, way: Way[Content], slug: str) -> Content | None:
        """What the server last served of this folder, if it is still sound."""
        if escaped(slug) != slug:
            return None  # no database was ever asked to keep such a name
        with self._database.reading() as db:
            id = current_id(db, way.kind, slug)
            files = files_of(db, id) if id is not None else None
        try:
            return way.read_files(slug, files) if files else None
        except Unsound:
            return None


def log_unsound(kind: str, folder: Path, fault: Fault, is_kept: bool) -> None:
    name = escaped(folder.name)
    log.error(
        f"{kind}_stays_as_it_was" if is_kept else f"{kind}_left_out",
        **{kind: name}, file=f"{name}/{fault.path}" if fault.path else name, line=fault.line, reason=fault.message,
        hint=fault.hint, remedy=f"./lectern check {folder.parent / name}",
    )  # fmt: skip


def _log_faults(kind: str, slug: str, proof: Proof) -> None:
    """What is served with a gap in it: a formula that cannot be set, a link that leads nowhere."""
    errors = [fault for fault in proof.faults if fault.severity == "error"]
    for fault in errors[:MAX_LOGGED]:
        place = f"{slug}/{fault.path}" if fault.path else slug
        log.warning("content_fault", **{kind: slug}, file=place, line=fault.line, reason=fault.message, hint=fault.hint)


def _folders(roots: Iterable[Path]) -> list[Path]:
    return [
        path
        for root in roots
        if root.is_dir()
        for path in sorted(root.iterdir())
        if path.is_dir() and not path.name.startswith((".", "_"))
    ]
