"""A folder as bytes, and the hash that names it: what an import stores, so that a verdict names what judged it."""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

MAX_FILE_BYTES = 8 * 1024 * 1024


class FolderUnreadable(Exception):
    """The folder cannot become a snapshot; the message says which file, and why."""


def files_of(folder: Path) -> dict[str, bytes]:
    """Relative path → content, sorted by path. Hidden files and caches are left out; links are not followed."""
    if not folder.is_dir():
        raise FolderUnreadable(f"{folder} is not a folder.")
    return {path.relative_to(folder).as_posix(): _content(path) for path in sorted(_files(folder))}


def content_hash(files: Mapping[str, bytes]) -> str:
    """SHA-256 over names and contents, each preceded by its length: no two folders share one."""
    digest = hashlib.sha256()
    for name in sorted(files):
        for part in (name.encode(), files[name]):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return digest.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name.startswith(".") or path.name == "__pycache__" or path.is_symlink():
            continue
        if path.is_dir():
            yield from _files(path)
        elif path.is_file():
            yield path


def _content(path: Path) -> bytes:
    if path.stat().st_size > MAX_FILE_BYTES:
        raise FolderUnreadable(f"{path} is larger than {MAX_FILE_BYTES // 1024**2} MB.")
    return path.read_bytes()
