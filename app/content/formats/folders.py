"""Folders of ours, in a zip: exercises and courses as they are, in and out."""

import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from app.content.course import MAX_FILE_BYTES
from app.content.formats.draft import slug_of
from app.content.formats.kind import Item, NoCounterpart, Refused
from app.content.formats.package import below, folders_with, packed, unpacked
from graders.exercise.folder import read_files

NAME = "folders"
SUFFIX = ".zip"
COVERS = ("exercise.toml", "course.toml")


def recognises(path: Path) -> bool:
    """A zip; a folder of ours is content already."""
    if not path.is_file() or path.suffix.lower() != SUFFIX:
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return bool(folders_with(archive.namelist(), *COVERS))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False


def items(path: Path) -> Iterator[Item | Refused]:
    try:
        files = unpacked(path)
    except NoCounterpart as error:
        yield Refused(path.name, str(error))
        return
    for folder in folders_with(files, *COVERS):
        name = folder.rpartition("/")[2] or slug_of(path.stem)
        inside = below(files, folder)
        if not name or name.startswith(".") or name != name.strip():
            yield Refused(folder or path.name, "Its name cannot be that of a folder here: rename it in plain letters.")
        else:
            yield Item(name, inside, "exercise" if "exercise.toml" in inside else "course")


def zip_of(folders: Iterable[Path]) -> bytes:
    """The folders with all their files. Raises FolderUnreadable."""
    files: dict[str, bytes] = {}
    for folder in folders:
        contents = read_files(folder, MAX_FILE_BYTES).contents
        files.update({f"{folder.resolve().name}/{path}": content for path, content in contents.items()})
    return packed(files)
