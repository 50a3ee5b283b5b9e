"""A question as a value, and its variants. (`reader` reads one from its directive, `asking` shows and judges it.)

A variant is a number: which values of `given`, and in which order the options stand.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm

from app.content.page import Links
from graders.exercise.fault import Fault, Severity

LEAST_ORDERINGS = 8
Values = Mapping[str, str]  # of `given`, as written, in one variant


class UnknownVariant(Exception):
    """The question has no such variant (any more)."""


@dataclass(frozen=True)
class Given:
    """Names, and the values that they take together: one of `draws` each time."""

    names: tuple[str, ...]
    draws: tuple[tuple[str, ...], ...]

    @property
    def asked(self) -> object:
        """As a question's hash takes it."""
        return (self.names[0], [draw[0] for draw in self.draws]) if len(self.names) == 1 else (self.names, self.draws)


@dataclass(frozen=True)
class Mistake:
    """An answer that is not right, or not quite: `credit` is the share of the points that it earns."""

    expression: str
    text: str
    line: int
    credit: Fraction = Fraction(0)


@dataclass(frozen=True)
class Remark:
    """Markdown that a student is told after an answer."""

    text: str
    line: int


@dataclass(frozen=True)
class Choice:
    """One option, or one line to put in order, as written. The key is made from its text, so that it stays when the
    others change. `credit`: the share of the points that its author gives it; None: what its type gives."""

    key: str
    text: str
    feedback: str | None
    right: bool
    line: int
    credit: Fraction | None = None


@dataclass(frozen=True)
class Pair:
    """An item to be matched, and the key of the option that belongs to it."""

    key: str
    text: str
    partner: str
    feedback: str | None
    line: int


@dataclass(frozen=True)
class Question:
    """`type` is a name in `table`. `points` are what it counts in a sitting. `right` is told after a right answer,
    `other` after an answer that is neither right nor a known mistake. `gaps` are questions of their own, in the order
    in which `[[their-slug]]` stands in the prompt, and have its prompt and its given values."""

    id: str
    slug: str
    type: str
    path: str
    line: int
    prompt: str
    given: tuple[Given, ...] = ()
    answer: str = ""
    mistakes: tuple[Mistake, ...] = ()
    choices: tuple[Choice, ...] = ()  # lines to be ordered stand in their right order
    pairs: tuple[Pair, ...] = ()
    gaps: tuple["Question", ...] = ()
    rubric: Remark | None = None  # what earns points where a person grades
    explanation: str | None = None
    explanation_line: int = 0
    shuffle: bool = True
    atol: Fraction = Fraction(0)
    rtol: Fraction = Fraction(0)
    framework: str = "numpy"  # that code in the prompt runs in
    points: Fraction = Fraction(1)
    pool: str = ""  # of a quiz, which asks some of its questions
    right: Remark | None = None
    other: Remark | None = None
    links: Links | None = None

    def moved(self, by: int) -> "Question":
        """The same question, so many lines further down in its file."""
        return replace(
            self,
            line=self.line + by,
            mistakes=tuple(replace(mistake, line=mistake.line + by) for mistake in self.mistakes),
            choices=tuple(replace(choice, line=choice.line + by) for choice in self.choices),
            pairs=tuple(replace(pair, line=pair.line + by) for pair in self.pairs),
            gaps=tuple(gap.moved(by) for gap in self.gaps),
            explanation_line=self.explanation_line + by,
            rubric=self.rubric and replace(self.rubric, line=self.rubric.line + by),
            right=self.right and replace(self.right, line=self.right.line + by),
            other=self.other and replace(self.other, line=self.other.line + by),
        )

    @cached_property
    def content_hash(self) -> str:
        """Of all that decides what is asked and what is right, 64 hexadecimal digits. What is told afterwards
        (explanation, feedback, a mistake's text) is no part of it: wording that better makes no other question. What
        few questions have is a part only where it is there, so that the others keep the hash they had before. The empty
        lines that settings, options and sections leave in the prompt are no part of it either: who adds a sentence for
        a wrong answer asks nothing else."""
        return self._hash(_closed_up(self.prompt), [gap.content_hash for gap in self.gaps])

    @property
    def former_hash(self) -> str:
        """As it was made until empty lines were left out of it: rows of those days hold it."""
        return self._hash(self.prompt, [gap.former_hash for gap in self.gaps])

    def _hash(self, prompt: str, gaps: list[str]) -> str:
        asked = (
            self.type,
            prompt,
            [given.asked for given in self.given],
            self.answer,
            [(choice.text, choice.right) for choice in self.choices],
        )
        judged = (self.shuffle, str(self.atol), str(self.rtol))  # a framework decides nothing: output is proved
        return hashlib.sha256(json.dumps([asked, judged, *self._credits, *self._parts(gaps)]).encode()).hexdigest()

    @property
    def _credits(self) -> list[object]:
        options = [(choice.text, str(choice.credit)) for choice in self.choices if choice.credit is not None]
        answers = [(mistake.expression, str(mistake.credit)) for mistake in self.mistakes if mistake.credit]
        return [["credits", options, answers]] if options or answers else []

    def _parts(self, hashes: list[str]) -> list[object]:
        pairs = [("pairs", [(pair.text, pair.partner) for pair in self.pairs])] if self.pairs else []
        told = [(gap.slug, made, str(gap.points)) for gap, made in zip(self.gaps, hashes, strict=True)]
        return [*pairs, *([("gaps", told)] if told else [])]

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """All that a student may be told of an answer, whatever it is."""
        return (
            *(Remark(choice.feedback, choice.line) for choice in self.choices if choice.feedback),
            *(Remark(mistake.text, mistake.line) for mistake in self.mistakes),
            *(Remark(pair.feedback, pair.line) for pair in self.pairs if pair.feedback),
            *(remark for gap in self.gaps for remark in gap.remarks),
            *(remark for remark in (self.right, self.other, self.rubric) if remark),
        )

    @property
    def draws(self) -> int:
        """How many combinations of given values there are."""
        count = 1
        for given in self.given:
            count *= len(given.draws)
        return count

    @property
    def given_names(self) -> list[str]:
        return [name for given in self.given for name in given.names]

    @property
    def orderings(self) -> int:
        """As many as make every option stand in every place equally often."""
        lists = [question for question in (self, *self.gaps) if question.choices and question.shuffle]
        turns = lcm(*(len(question.choices) for question in lists))
        return -(-LEAST_ORDERINGS // turns) * turns if lists else 1

    @property
    def variants(self) -> int:
        return self.draws * self.orderings

    def fault(self, line: int, message: str, hint: str, severity: Severity = "error") -> Fault:
        return Fault(severity, self.path, line, "question", message, hint)


def _closed_up(prompt: str) -> str:
    """With no empty line before or after it, and one where several stand together, but for what a code fence holds: a
    program may print its empty lines."""
    kept: list[str] = []
    fence = ""
    for line in prompt.split("\n"):
        if mark := re.match(r"\s*(`{3,}|~{3,})", line):
            fence = "" if fence and line.strip().startswith(fence) else fence or mark[1]
        if line.strip() or fence:
            kept.append(line)
        elif kept and kept[-1].strip():
            kept.append("")
    return "\n".join(kept).rstrip("\n")


def draw(question: Question, seed: str) -> int:
    """The variant for this seed (a student and an attempt), the same whenever it is asked."""
    return int.from_bytes(hashlib.sha256(f"{question.id}:{seed}".encode()).digest()[:8]) % question.variants


def values_of(question: Question, variant: int) -> dict[str, str]:
    """The given values of this variant, as written. Raises UnknownVariant."""
    if not 0 <= variant < question.variants:
        raise UnknownVariant(f"Question {question.id} has no variant {variant}.")
    index = variant % question.draws
    values: dict[str, str] = {}
    for given in question.given:
        index, place = divmod(index, len(given.draws))
        values.update(zip(given.names, given.draws[place], strict=True))
    return values


def where(values: Values) -> str:
    """` for n = 2, m = 3`, as a fault says in which variant it is."""
    return " for " + ", ".join(f"{name} = {value}" for name, value in values.items()) if values else ""


def shuffled(question: Question, variant: int) -> list[Choice]:
    """Shuffled by hash, then turned place by place: every option stands in every place equally often, so that no place
    is the right one more often than another."""
    if not question.shuffle or not question.choices:
        return list(question.choices)
    shuffle, turn = divmod(variant // question.draws, len(question.choices))

    def place(choice: Choice) -> bytes:
        return hashlib.sha256(f"{question.id}:{shuffle}:{choice.key}".encode()).digest()

    order = sorted(question.choices, key=place)
    return order[turn:] + order[:turn]


def right_positions(question: Question) -> tuple[int, ...]:
    """Where the right options stand, from 0, if they always stand there."""
    if question.shuffle:
        return ()
    return tuple(place for place, choice in enumerate(question.choices) if choice.right)
