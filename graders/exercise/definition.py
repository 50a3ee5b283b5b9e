"""What an exercise is, once it has been read: the words that the rest of the judge has for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from graders.boxes.warmth import DeclaredCall
from graders.exercise.limits import Limits, Tolerance
from graders.exercise.signature import Signature
from graders.verdict import Verdict

# What can change a verdict. The judge's own version is in it too: a judge that compares otherwise judges otherwise.
JUDGE_VERSION = "4"


class BrokenExercise(Exception):
    """The exercise itself is at fault: never charged to a student.

    `subject` is the name in the file that the message is about, a key of exercise.toml or a function: the message goes
    on from it.
    """

    def __init__(self, path: str, message: str, hint: str, line: int | None = None, subject: str = "") -> None:
        self.subject, self.about_it = subject, message
        message = f"{subject} {message}" if subject else message
        place = f"{path}:{line}" if line else path
        super().__init__(f"{place}: {message}")
        self.path, self.line, self.message, self.hint = path, line, message, hint

    def again(self) -> "BrokenExercise":
        """The same, to be raised once more."""
        return BrokenExercise(self.path, self.about_it, self.hint, self.line, self.subject)


@dataclass(frozen=True)
class Source:
    """A Python file of the exercise: `path` within the folder, and the framework it is written for."""

    path: str
    text: str
    framework: str


@dataclass(frozen=True)
class KnownMistake:
    """A known wrong solution: its name, what it must be judged as, and what a student who makes it is told."""

    name: str
    source: Source
    verdict: Verdict
    feedback: str


@dataclass(frozen=True)
class Exercise:
    slug: str
    title: str
    entry: str
    difficulty: str
    minutes: int
    tags: tuple[str, ...]
    frameworks: tuple[str, ...]
    related: tuple[str, ...]
    credit: str
    signature: Signature
    tolerance: Tolerance
    limits: Limits
    warm: tuple[DeclaredCall, ...]
    statement: str
    hints: str
    solution: str
    cases: Source
    reference: Source
    solutions: tuple[Source, ...]
    mistakes: tuple[KnownMistake, ...]
    files: Mapping[str, bytes] = field(repr=False)
    content_hash: str
    judging_hash: str

    def starter(self, framework: str) -> str:
        """What the editor opens with: `starters/<framework>.py` where there is one, else `starter.py`."""
        own = self.files.get(f"starters/{framework}.py", self.files["starter.py"])
        return own.decode("utf-8-sig")
