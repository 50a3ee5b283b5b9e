"""A folder as bytes, and the hash that names it: what an import stores, so that a verdict names what judged it."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from graders.folder import FolderUnreadable as FolderUnreadable
from graders.folder import read_files

MAX_FILE_BYTES = 8 * 1024 * 1024


def files_of(folder: Path) -> dict[str, bytes]:
    """Relative path → content, sorted by path. Hidden files and caches are left out; links are not followed.

    Raises FolderUnreadable.
    """
    return read_files(folder, MAX_FILE_BYTES).contents


def content_hash(files: Mapping[str, bytes]) -> str:
    """SHA-256 over names and contents, each preceded by its length: no two folders share one."""
    digest = hashlib.sha256()
    for name in sorted(files):
        for part in (name.encode(), files[name]):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return digest.hexdigest()
