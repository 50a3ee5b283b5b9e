"""The files of an instructor's folder, as bytes: which may be there, how many, how large, and under which names.

attack: a link to the server's own files, or a folder that becomes one while it is read; a pipe, whose opening waits
for ever; a sparse file of a terabyte; a million files; names that no database and no page can hold.
defence: every name is opened from its folder's descriptor, without following a link and without waiting. It is checked
again once it is open, and everything is counted before it is kept.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from graders.text import escaped

MAX_FILES = 2000
MAX_FOLDERS_DEEP = 8
MAX_PATH_CHARACTERS = 240
MAX_TEXT_BYTES = 256 << 10  # of a text, which is parsed; no chapter of a book is that long
MAX_DATA_BYTES = 64 << 10  # of TOML
MAX_FOLDER_BYTES = 128 << 20
TEXTS = {".md": MAX_TEXT_BYTES, ".py": MAX_TEXT_BYTES, ".toml": MAX_DATA_BYTES}


class FolderUnreadable(Exception):
    """The folder cannot be read. `path` is within the folder, "" for the folder itself."""

    def __init__(self, path: str, message: str, hint: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path, self.message, self.hint = path, message, hint


@dataclass(frozen=True)
class Files:
    """Contents by path within the folder, sorted. `links` are the symbolic links, which were not followed."""

    contents: dict[str, bytes]
    links: tuple[str, ...]


def read_files(folder: Path, largest: int) -> Files:
    """Every file except hidden ones and caches, each of at most `largest` bytes. Raises FolderUnreadable."""
    try:
        # The folder itself may be a link: it lies where the operator keeps all folders.
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        message = f"{escaped(str(folder))} is not a folder that can be read: {error.strerror}"
        raise FolderUnreadable("", message, "make it a folder that the server's user may read") from None
    reader = _FolderReader(largest)
    try:
        reader.read(descriptor, "", MAX_FOLDERS_DEEP)
    except OSError as error:
        raise FolderUnreadable("", f"the folder cannot be listed: {error.strerror}", _READABLE) from None
    finally:
        os.close(descriptor)
    return Files(dict(sorted(reader.contents.items())), tuple(sorted(reader.links)))


def hash_files(files: Mapping[str, bytes]) -> str:
    """SHA-256 over names and contents, each with its length before it, so that different folders never look alike."""
    digest = hashlib.sha256()
    for name in sorted(files):
        encoded = name.encode()
        digest.update(b"%d:%s%d:" % (len(encoded), encoded, len(files[name])))
        digest.update(files[name])
    return digest.hexdigest()


class _FolderReader:
    def __init__(self, largest: int) -> None:
        self.largest, self.bytes, self.entries = largest, 0, 0
        self.contents: dict[str, bytes] = {}
        self.links: list[str] = []

    def read(self, folder: int, above: str, deeper: int) -> None:
        for name in sorted(self._names(folder, above)):
            path = f"{above}{name}"
            _require_name(path)
            if _is_link(name, folder):
                self.links.append(path)
                continue
            descriptor = _opened(name, folder, path)
            try:
                self._take(descriptor, path, deeper)
            finally:
                os.close(descriptor)

    def _names(self, folder: int, above: str) -> Iterator[str]:
        with os.scandir(folder) as entries:
            for entry in entries:
                self.entries += 1
                if self.entries > MAX_FILES:
                    message = f"holds more than {MAX_FILES:,} files"
                    raise FolderUnreadable(escaped(above.rstrip("/")), message, "move what is no part of it elsewhere")
                if not entry.name.startswith(".") and entry.name != "__pycache__":
                    yield entry.name

    def _take(self, descriptor: int, path: str, deeper: int) -> None:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            if not deeper:
                message = f"is more than {MAX_FOLDERS_DEEP} folders deep"
                raise FolderUnreadable(path, message, "put its files into fewer folders")
            self.read(descriptor, f"{path}/", deeper - 1)
        else:
            _require_file(status, path)
            self.contents[path] = self._content(descriptor, path)

    def _content(self, descriptor: int, path: str) -> bytes:
        """attack: a file that grows while it is read. defence: never read more than its limit."""
        most = min(self.largest, TEXTS.get(Path(path).suffix, self.largest))
        content = b""
        if os.fstat(descriptor).st_size <= most:
            with open(descriptor, "rb", closefd=False) as file:
                try:
                    content = file.read(most + 1)
                except OSError as error:
                    raise FolderUnreadable(path, f"cannot be read: {error.strerror}", _READABLE) from None
        if len(content) > most or os.fstat(descriptor).st_size > most:
            raise FolderUnreadable(path, f"is larger than {_size(most)}", "make it smaller, or split it")
        self.bytes += len(content)
        if self.bytes > MAX_FOLDER_BYTES:
            message = f"is larger than {_size(MAX_FOLDER_BYTES)} with all its files"
            raise FolderUnreadable("", f"the folder {message}", "make its pictures smaller, or split it")
        return content


_READABLE = "let the server's user read it"


def _require_name(path: str) -> None:
    try:
        path.encode()
    except UnicodeEncodeError:
        message = "has a name that is not UTF-8"
        raise FolderUnreadable(escaped(path), message, "rename it in plain letters") from None
    if len(path) > MAX_PATH_CHARACTERS:
        message = f"has a path of {len(path)} characters; {MAX_PATH_CHARACTERS} are allowed"
        raise FolderUnreadable(path, message, "give its folders and the file shorter names")
    if not path.isprintable():
        raise FolderUnreadable(escaped(path), "has a name that cannot be printed", "rename it in plain letters")


def _is_link(name: str, folder: int) -> bool:
    try:
        return stat.S_ISLNK(os.lstat(name, dir_fd=folder).st_mode)
    except OSError:
        return False


def _opened(name: str, folder: int, path: str) -> int:
    """A descriptor of `name`, which is checked before it is opened, since opening a device can have effects. The caller
    checks it again, when it can no longer be replaced."""
    try:
        status = os.lstat(name, dir_fd=folder)
        if not stat.S_ISDIR(status.st_mode):
            _require_file(status, path)
        # O_NONBLOCK: opening a pipe does not wait; for a file it changes nothing
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError as error:
        raise FolderUnreadable(path, f"cannot be opened: {error.strerror}", _READABLE) from None


def _require_file(status: os.stat_result, path: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise FolderUnreadable(path, "is a pipe, a socket or a device", "put a file here, or remove it")


def _size(number: int) -> str:
    return f"{number >> 20} MB" if number >= 1 << 20 else f"{number >> 10} KiB"
