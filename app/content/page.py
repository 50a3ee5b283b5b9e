"""One rendering under way: what the parser's rules and the renderer put down while they work."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from graders.exercise.fault import Fault, Severity

Links = Callable[[str], str | None]
"""Where a relative link leads on the site; None if nowhere. Must be hashable: results are cached by it."""


@runtime_checkable
class Measured(Protocol):
    """Links that know how large a picture is, so that the page keeps its place free while it loads, and whether it
    moves by itself."""

    def __call__(self, href: str) -> str | None: ...

    def size(self, href: str) -> tuple[int, int] | None:
        """Width and height in pixels of the picture at a relative link."""

    def moves(self, href: str) -> bool: ...


class TooSlow(BaseException):
    """A trial's time is up (app/content/trial.py). Not an Exception: nothing on the way takes it for a fault."""

    def __init__(self, what: str = "", line: int | None = None, remedy: str = "") -> None:
        super().__init__(what)
        self.what, self.line, self.remedy = what, line, remedy


@dataclass(frozen=True)
class Heading:
    level: int
    text: str
    anchor: str


@dataclass(frozen=True)
class Directive:
    """A block handed to the caller as written. `line` is its opening fence; its body begins on the next line."""

    name: str
    argument: str
    body: str
    line: int


@dataclass
class Page:
    """One rendering under way: what the parser's rules and the renderer's put down."""

    path: str
    first_line: int
    links: Links | None
    blocks: frozenset[str]
    word: str = field(default_factory=lambda: secrets.token_hex(16))
    inserts: list[str] = field(default_factory=list)
    directives: list[Directive] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    outline: list[Heading] = field(default_factory=list)
    words: int = 0
    depth: int = 0  # how many directives are open

    def fault(self, line: int, code: str, message: str, hint: str, severity: Severity = "error") -> None:
        self.faults.append(Fault(severity, self.path, self.first_line + line, code, message, hint))

    def insert(self, html: str) -> str:
        self.inserts.append(html)
        return f"insert-{self.word}-{len(self.inserts) - 1}-"

    def hand_over(self, directive: Directive) -> str:
        self.directives.append(directive)
        return f"block-{self.word}-{len(self.directives) - 1}-"
