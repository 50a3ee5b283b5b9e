"""How much room the database and the cache take, and how much is left."""

import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from sqlalchemy import text

from app.db import Database

COUNTED_SECONDS = 60.0  # for so long the cache is not counted again: it has thousands of files


@dataclass(frozen=True)
class Disk:
    """In bytes. `total_bytes` and `free_bytes`: of the file system that the data folder is on."""

    database_bytes: int
    cache_bytes: int
    total_bytes: int
    free_bytes: int

    @property
    def is_short(self) -> bool:
        """Less than a tenth is free, and less than 5 GiB."""
        return self.free_bytes < min(self.total_bytes // 10, 5 << 30)


class DiskFigures:
    def __init__(
        self, database: Database, data: Path, cache: Path, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._database, self._data, self._cache, self._clock = database, data, cache, clock
        self._counting = Lock()
        self._counted = (float("-inf"), 0)

    def read(self) -> Disk:
        usage = shutil.disk_usage(existing(self._data))
        return Disk(database_bytes(self._database), self._cache_bytes(), usage.total, usage.free)

    def _cache_bytes(self) -> int:
        with self._counting:
            counted_at, size = self._counted
            if self._clock() > counted_at + COUNTED_SECONDS:
                size = _folder_bytes(self._cache)
                self._counted = self._clock(), size
            return size


def database_bytes(database: Database) -> int:
    """With its indexes; of SQLite, with the log of what was written last."""
    if database.file is not None:
        files = (database.file, database.file.with_name(f"{database.file.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())
    if database.is_sqlite:
        return 0
    with database.engine.connect() as connection:
        return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())


def existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    return next((each for each in (folder, *folder.parents) if each.exists()), Path("/"))


def _folder_bytes(folder: Path) -> int:
    """What others delete meanwhile counts as nothing."""
    size = 0
    folders = [str(folder)]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    else:
                        size += entry.stat(follow_symlinks=False).st_size
        except OSError:
            continue
    return size
