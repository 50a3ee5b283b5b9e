"""One thing wrong in what an instructor wrote: where, what, and what to do about it."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Fault:
    severity: Severity
    path: str
    line: int | None
    code: str
    message: str  # its first line is a sentence; what may follow is a change, as `-` and `+` lines
    hint: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        sentence, *more = self.message.split("\n")
        return "\n    ".join([f"{place}: {self.severity}: {sentence} {self.hint}".rstrip(), *more])
