"""Values that are expensive to make: the most recent in memory, and files that outlive the process.

Both are bounded and may be used from several threads; the folder may be used from several processes. Where the folder
cannot be written, everything works, only slower: nothing here raises for it.
"""

import contextlib
import os
import threading
from collections import OrderedDict
from collections.abc import Hashable
from pathlib import Path
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class RecentCache(Generic[K, V]):
    """The `most` values that were put or got most recently."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[K, V] = OrderedDict()
        self._turn = threading.Lock()

    def get(self, key: K) -> V | None:
        with self._turn:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: K, value: V) -> V:
        with self._turn:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self.most:
                self._values.popitem(last=False)
        return value

    def pop(self, key: K) -> None:
        with self._turn:
            self._values.pop(key, None)

    def clear(self) -> None:
        with self._turn:
            self._values.clear()

    def __contains__(self, key: K) -> bool:
        with self._turn:
            return key in self._values


class CacheFolder:
    """Files by name, each complete or absent; of those with this suffix, the `most` that were used last.

    `folder` None keeps nothing.
    """

    def __init__(self, folder: Path | None, suffix: str, most: int = 4_000) -> None:
        self.folder, self.suffix, self.most = folder, suffix, most

    def read(self, name: str) -> bytes | None:
        if self.folder is None:
            return None
        path = self.folder / f"{name}{self.suffix}"
        try:
            content = path.read_bytes()
        except OSError:
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return content

    def write(self, name: str, content: bytes) -> str:
        """Returns why the file could not be written, in the system's words; "" when it was."""
        if self.folder is None:
            return ""
        part = self.folder / f".{name}{self.suffix}.{os.getpid()}.{threading.get_ident()}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            part.write_bytes(content)
            part.replace(self.folder / f"{name}{self.suffix}")
            self._prune(self.folder)
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            return str(error)
        return ""

    def _prune(self, folder: Path) -> None:
        """Above the limit, delete a tenth of the files at once, so that the next writes have nothing to do."""
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.name.endswith(self.suffix)]
        if len(names) <= self.most:
            return
        files: list[tuple[float, str]] = []
        for name in names:
            with contextlib.suppress(OSError):  # another process has deleted it
                files.append(((folder / name).stat().st_mtime, name))
        for _, name in sorted(files)[: len(names) - self.most + self.most // 10]:
            (folder / name).unlink(missing_ok=True)
