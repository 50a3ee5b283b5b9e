"""What every foreign format is. A format is a module of this package that meets a Protocol below; `table` lists it.

A `Format` only reads: it recognises a path, and yields one item for each exercise or course that it finds there.
app/importing.py has them judged, and writes them. An `Export` makes one file of a course's questions.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from app.content.course import Course
from graders.exercise.folder import FolderUnreadable, read_files

MAX_FILE_BYTES = 4 << 20


@dataclass(frozen=True)
class OwnTests:
    """The tests that an item came with, for a box: do they agree with the answer that it came with?

    `program` runs as a lesson's cell does, with `inputs` as names, and leaves in `result` what `disagreements` reads.
    `count`: how many tests there are.
    """

    count: int
    program: str
    inputs: Mapping[str, Any]
    framework: str
    disagreements: Callable[[Any], list[str]]


@dataclass(frozen=True)
class Item:
    """What has a counterpart here. `name`: of the folder; `files`: by path within it."""

    name: str
    files: Mapping[str, bytes]
    kind: Literal["exercise", "course"] = "exercise"
    warnings: tuple[str, ...] = ()
    own_tests: OwnTests | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Refused:
    """What has no counterpart here. `name` is what its own system calls it."""

    name: str
    why: str


class NoCounterpart(Exception):
    """Raised while an item is converted: `str(error)` becomes the `why` of its refusal."""


@runtime_checkable
class Format(Protocol):
    NAME: str

    def recognises(self, path: Path) -> bool:
        """Whether the file or folder is of this format, from names and a first look."""

    def items(self, path: Path) -> Iterator[Item | Refused]:
        """Each exercise or course at `path`, in a stable order."""


@dataclass(frozen=True)
class Lost:
    """What another system does not show of a question, or of a lesson."""

    name: str
    what: str


@dataclass(frozen=True)
class Exported:
    """A file in another system's format. `questions`: how many are in it; `left_out`: those that it cannot hold."""

    content: bytes
    questions: int
    lost: tuple[Lost, ...] = ()
    left_out: tuple[Refused, ...] = ()


@runtime_checkable
class Export(Protocol):
    NAME: str
    SUFFIX: str  # of its files

    def exported(self, course: Course) -> Exported:
        """The same bytes for the same course, always."""


def files_of(folder: Path, *hidden: str) -> dict[str, bytes]:
    """The files of a foreign folder, and of its `hidden` folders such as `.meta`. Raises NoCounterpart.

    attack: a link in a foreign repository to a file of this machine, copied into an exercise and published.
    defence: a link is not followed, and what it names is missing.
    """
    try:
        found = dict(read_files(folder, MAX_FILE_BYTES).contents)
        for name in hidden:
            if (folder / name).is_dir() and not (folder / name).is_symlink():
                inner = read_files(folder / name, MAX_FILE_BYTES).contents
                found.update({f"{name}/{path}": content for path, content in inner.items()})
    except FolderUnreadable as error:
        raise NoCounterpart(f"It cannot be read: {error}; {error.hint}.") from None
    return found


def text_of(files: Mapping[str, bytes], path: str) -> str:
    """A file's text. Raises NoCounterpart where it is missing or not UTF-8."""
    if path not in files:
        raise NoCounterpart(f"{path} is missing.")
    try:
        return files[path].decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise NoCounterpart(f"{path} is not UTF-8.") from None
