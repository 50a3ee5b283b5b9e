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
    message: str
    hint: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.severity}: {self.message} {self.hint}".rstrip()
