"""An exercise that has been read: the types that the rest of the judge works with."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from graders.boxes.warmth import DeclaredCall
from graders.exercise.limits import Limits, Tolerance
from graders.exercise.signature import Signature
from graders.exercise.source_rules import SourceRule
from graders.verdict import Verdict

# Part of the judging hash: raise it when the judge itself changes in a way that can change a verdict.
JUDGE_VERSION = "6"


class BrokenExercise(Exception):
    """The exercise itself is at fault, which is never charged to a student.

    `subject` is the key of exercise.toml, or the function, that the message is about. The message continues after it.
    `more`: what else is wrong in the same file.
    """

    def __init__(self, path: str, message: str, hint: str, line: int | None = None, subject: str = "") -> None:
        self.subject, self.about_it = subject, message
        message = f"{subject} {message}" if subject else message
        place = f"{path}:{line}" if line else path
        super().__init__(f"{place}: {message}")
        self.path, self.line, self.message, self.hint = path, line, message, hint
        self.more: tuple[BrokenExercise, ...] = ()

    def again(self) -> "BrokenExercise":
        """A copy, to be raised again."""
        copy = BrokenExercise(self.path, self.about_it, self.hint, self.line, self.subject)
        copy.more = self.more
        return copy


@dataclass(frozen=True)
class Source:
    """A Python file of the exercise: `path` within the folder, and the framework it is written for."""

    path: str
    text: str
    framework: str


@dataclass(frozen=True)
class KnownMistake:
    """A known wrong solution: its name, the verdict it must get, and the feedback for a student who makes it."""

    name: str
    source: Source
    verdict: Verdict
    feedback: str


@dataclass(frozen=True)
class Exercise:
    slug: str
    title: str
    entry: str  # the function that is called, or the first name that scripts use
    entries: tuple[str, ...]  # all names that students write
    is_scripted: bool  # `entry` is a list: every case is a script, and there is no signature
    difficulty: str
    minutes: int
    tags: tuple[str, ...]
    frameworks: tuple[str, ...]
    related: tuple[str, ...]
    discussions: bool  # people may ask and answer below it
    credit: str
    signature: Signature
    tolerance: Tolerance
    limits: Limits
    warm: tuple[DeclaredCall, ...]
    source_rules: tuple[SourceRule, ...]
    raises: tuple[str, ...]  # exceptions which are an answer where the reference raises them
    messages: bool  # their text is compared too
    returns_any_framework: bool  # arrays of another framework than the submission's are right too
    is_seeded: bool  # random numbers are seeded before each call
    statement: str
    hints: str
    solution: str
    cases: Source
    reference: Source
    solutions: tuple[Source, ...]
    mistakes: tuple[KnownMistake, ...]
    checker: Source | None
    files: Mapping[str, bytes] = field(repr=False)
    content_hash: str
    judging_hash: str

    def starter(self, framework: str) -> str:
        """The source that the editor opens with: `starters/<framework>.py` if there is one, else `starter.py`."""
        own = self.files.get(f"starters/{framework}.py", self.files["starter.py"])
        return own.decode("utf-8-sig")
