"""One fault in what an instructor wrote: where it is, what it is, and what to do about it."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from graders.exercise.definition import BrokenExercise
from graders.text import escaped, headline

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Fault:
    severity: Severity
    path: str
    line: int | None
    code: str
    message: str  # a sentence; further lines may show a change, as `-` and `+` lines
    hint: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        sentence, *more = self.message.split("\n")
        return "\n    ".join([f"{place}: {self.severity}: {sentence} {self.hint}".rstrip(), *more])


def fault_of(broken: BrokenExercise, slug: str) -> Fault:
    """The fault's `path` is within the folder; "" where the folder's own name is wrong."""
    hint = f"{headline(broken.hint)}."
    message = f"`{broken.subject}` {broken.about_it}." if broken.subject else f"{headline(broken.message)}."
    return Fault("error", "" if broken.path == slug else broken.path, broken.line, "broken-exercise", message, hint)


def faults_of(broken: BrokenExercise, slug: str) -> list[Fault]:
    """All of them, as `fault_of` says the first."""
    return [fault_of(one, slug) for one in (broken, *broken.more)]


def placed(folder: Path, fault: Fault) -> Fault:
    """A fault of a file in `folder`, with the path from here."""
    return replace(fault, path=escaped(str(folder / fault.path)))
