"""The data folder is nobody else's business: addresses, hashes of passwords, students' work, hidden cases.

attack: another user of this machine reads the database, its write-ahead log, or the hidden cases in the cache, or
takes hold of a file before it is written. defence: what is written here only this user may read (umask 077), the
folders are closed (0700), and what an older installation left open is closed before anything is served.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import make_url

from app.settings import Settings

OTHERS = 0o077
# By these a folder is known as one that Lectern made; what it did not make it does not close by itself.
OURS = ("server.lock", "lectern.sqlite3", "cache", "cells", "content", "jax")
# Boxes of another user read compiled programs there: behind a closed folder, and nothing of anybody's (warmth.py).
SHARED_WITH_BOXES = "jax"


@dataclass(frozen=True)
class Exposed(Exception):
    """What others can get at, and what to do."""

    message: str
    hint: str


def keep_private(settings: Settings) -> None:
    """For every command that writes there. Makes the folders, closes them, and all that is written from now on.
    Raises Exposed for what cannot be closed, or is not ours to close."""
    os.umask(OTHERS)
    for folder in (settings.data, settings.cache_folder):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _close_folder(folder, _is_ours(folder, settings))
        except OSError as error:
            raise _not_ours(folder, error) from None
    for file in _files(settings):
        _close(file)


def exposed(settings: Settings) -> str | None:
    """What others than this user can read, in words; None where nothing is. Changes nothing."""
    for path in (settings.data, settings.cache_folder, *_files(settings)):
        try:
            mode = path.lstat().st_mode
        except OSError:
            continue
        if mode & OTHERS:
            return f"{path} is accessible to other users (mode {stat.S_IMODE(mode):04o})"
    return None


def _files(settings: Settings) -> Iterator[Path]:
    """What holds people's data or hidden cases, wherever it is."""
    yield settings.data / "server.lock"
    database = make_url(settings.database)
    if database.get_backend_name() == "sqlite" and database.database not in (None, "", ":memory:"):
        for suffix in ("", "-wal", "-shm", "-journal"):
            yield Path(f"{database.database}{suffix}")
    for path in settings.cache_folder.rglob("*") if settings.cache_folder.is_dir() else ():
        if path.relative_to(settings.cache_folder).parts[0] != SHARED_WITH_BOXES:
            yield path


def _is_ours(folder: Path, settings: Settings) -> bool:
    names = {path.name for path in folder.iterdir()} - {"lost+found"}  # a volume's own
    return folder == settings.data / "cache" or not names or any(name in names for name in OURS)


def _close_folder(folder: Path, is_ours: bool) -> None:
    mode = folder.stat().st_mode
    if not mode & OTHERS:
        return
    if not is_ours or mode & stat.S_ISVTX or folder.parent == folder:
        raise Exposed(
            f"Other users can access {folder}, and it holds more than Lectern's data.",
            f"Close it (chmod 700 {folder}), or set LECTERN_DATA or LECTERN_CACHE to a folder used only by Lectern.",
        )
    folder.chmod(0o700)


def _close(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
        if mode & OTHERS and not stat.S_ISLNK(mode):
            path.chmod(mode & 0o700)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _not_ours(path, error) from None


def _not_ours(path: Path, error: OSError) -> Exposed:
    return Exposed(
        f"Other users can access {path}, and it cannot be made private: {(error.strerror or str(error)).lower()}.",
        f"Make it yours (chown -R $(id -un) {path}), or set LECTERN_DATA or LECTERN_CACHE to another folder.",
    )
