"""An exercise that has been read: the types that the rest of the judge works with."""

import math
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
    `more`: what else is wrong in the same file. `is_late`: it was stopped at a limit of time, which a machine that
    stands still reaches too.
    """

    is_late = False

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


MAX_NAMES = 4  # of variants
MAX_VALUES = 8  # of a name
VariantValue = int | float | str


@dataclass(frozen=True)
class Variants:
    """The constants that differ from student to student: each name with its values, as `[variants]` lists them.

    Every combination of values is a variant. They are numbered from 0; the values of the last name change first.
    """

    names: tuple[tuple[str, tuple[VariantValue, ...]], ...] = ()

    @property
    def count(self) -> int:
        """1 where nothing differs."""
        return math.prod(len(values) for _, values in self.names)

    def values_of(self, number: int) -> dict[str, VariantValue]:
        found: dict[str, VariantValue] = {}
        for name, values in reversed(self.names):
            number, place = divmod(number, len(values))
            found[name] = values[place]
        return dict(reversed(found.items()))

    def number_of(self, values: Mapping[str, VariantValue]) -> int | None:
        """The variant with just these values; None if there is none."""
        return next((number for number in range(self.count) if self.values_of(number) == values), None)

    def words_of(self, number: int) -> str:
        """`window = 7, base = 10000`"""
        return ", ".join(f"{name} = {value}" for name, value in self.values_of(number).items())


@dataclass(frozen=True)
class Exercise:
    """One variant of an exercise; of most there is only one.

    `files` are what students are shown and judged by. `stored` are what the author wrote, which alone say what it is
    (variants.py); without variants they are the same. `others`: the other variants, in order, where this is the first.
    """

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
    stored: Mapping[str, bytes] = field(repr=False)
    content_hash: str  # of what is stored
    judging_hash: str
    variants: Variants = Variants()
    variant: int = 0
    others: tuple["Exercise", ...] = field(default=(), repr=False)

    def starter(self, framework: str) -> str:
        """The source that the editor opens with: `starters/<framework>.py` if there is one, else `starter.py`."""
        own = self.files.get(f"starters/{framework}.py", self.files["starter.py"])
        return own.decode("utf-8-sig")

    def in_variant(self, number: int) -> "Exercise":
        """Of the first variant: the one with this number."""
        return (self, *self.others)[number]

    @property
    def variant_words(self) -> str:
        """`window = 7, base = 10000`; empty where nothing differs."""
        return self.variants.words_of(self.variant)
