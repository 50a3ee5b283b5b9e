"""A question: shown in one of its variants, and judged. (`question_reader` reads one from its directive.)

A variant is a number: which values of `given`, and for a choice in which order the options stand. `present` gives
what the student sees before answering and holds no answer, explanation or feedback; `judge_answer` gives the rest.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from app.content.answer import (
    author_count,
    first_difference,
    numbers_in,
    read_count,
    read_number,
    read_shape,
    read_text,
    shown_names,
    spellings,
    whole,
    written_shape,
)
from app.content.expression import UnreadableAnswer as UnreadableAnswer
from app.content.expression import read_lengths
from app.content.markdown import render, render_inline, substitute
from app.content.page import Links

ORDERINGS = 8


class UnknownVariant(Exception):
    """The question has no such variant (any more)."""


@dataclass(frozen=True)
class Mistake:
    expression: str
    text: str
    line: int


@dataclass(frozen=True)
class Choice:
    """One option as written. The key is made from its text, so that it stays when the others change."""

    key: str
    text: str
    feedback: str | None
    right: bool
    line: int


@dataclass(frozen=True)
class Question:
    id: str
    slug: str
    type: str
    path: str
    line: int
    prompt: str
    given: tuple[tuple[str, tuple[str, ...]], ...] = ()
    answer: str = ""
    mistakes: tuple[Mistake, ...] = ()
    choices: tuple[Choice, ...] = ()
    explanation: str | None = None
    explanation_line: int = 0
    shuffle: bool = True
    atol: Fraction = Fraction(0)
    rtol: Fraction = Fraction(0)
    links: Links | None = None

    @property
    def draws(self) -> int:
        """How many combinations of given values there are."""
        count = 1
        for _, values in self.given:
            count *= len(values)
        return count

    @property
    def variants(self) -> int:
        return self.draws * (ORDERINGS if self.choices and self.shuffle else 1)


@dataclass(frozen=True)
class Option:
    key: str
    html: str


@dataclass(frozen=True)
class Presented:
    id: str
    type: str
    variant: int
    prompt_html: str
    options: tuple[Option, ...]
    placeholder: str


@dataclass(frozen=True)
class Judged:
    correct: bool
    score: float
    read_as: str | None
    feedback_html: str | None
    explanation_html: str | None


def draw(question: Question, seed: str) -> int:
    """The variant for this seed (a student and an attempt), the same whenever it is asked."""
    return int.from_bytes(hashlib.sha256(f"{question.id}:{seed}".encode()).digest()[:8]) % question.variants


@lru_cache(maxsize=4096)
def present(question: Question, variant: int) -> Presented:
    """What may be seen before answering. Raises UnknownVariant."""
    values = values_of(question, variant)
    options = tuple(
        Option(choice.key, render_inline(choice.text, links=question.links, given=values))
        for choice in _ordered(question, variant)
    )
    prompt = render(question.prompt, links=question.links, given=values).html
    return Presented(question.id, question.type, variant, prompt, options, _PLACEHOLDERS[question.type])


_PLACEHOLDERS = {
    "choice": "",
    "shape": "such as (A, B) or (4, 5)",
    "count": "such as 1024 or 32 * 32",
    "number": "such as 0.25 or 1/4",
    "text": "a word or two",
}


def judge_answer(question: Question, variant: int, answer: object) -> Judged:
    """Raises UnknownVariant; raises UnreadableAnswer, which costs the student nothing, with the remedy."""
    values = values_of(question, variant)
    if not isinstance(answer, str):
        raise UnreadableAnswer("The answer is not text.", "Send the option's key, or what was typed, as a string.")
    right, read_as, feedback = _JUDGES[question.type](question, values, answer)
    told = {**values, "answer": answer_text(question, values)}
    return Judged(
        correct=right,
        score=1.0 if right else 0.0,
        read_as=read_as,
        feedback_html=render(feedback, links=question.links, given=told).html if feedback else None,
        explanation_html=(
            render(question.explanation, links=question.links, given=told).html if question.explanation else None
        ),
    )


Outcome = tuple[bool, str | None, str | None]  # right?, read as, feedback


def _judge_choice(question: Question, values: Mapping[str, str], answer: str) -> Outcome:
    for choice in question.choices:
        if choice.key == answer:
            return choice.right, None, choice.feedback
    raise UnreadableAnswer("No option is picked.", "Pick one of the options, then send the answer.")


def _judge_count(question: Question, values: Mapping[str, str], answer: str) -> Outcome:
    given = numbers_in(values)
    count, read_as = read_count(answer)
    told = _told(question, lambda expression: author_count(expression, given).number == count)
    right = count == whole(author_count(question.answer, given))
    return right, read_as, None if right else told


def _judge_shape(question: Question, values: Mapping[str, str], answer: str) -> Outcome:
    given = numbers_in(values)
    right = read_lengths(question.answer, given)
    answers = frozenset(name for length in right for name in length.symbols)
    shape = read_shape(answer, given, answers | shown_names(question.prompt))
    if shape == right:
        return True, written_shape(shape), None
    told = _told(question, lambda expression: read_lengths(expression, given) == shape)
    return False, written_shape(shape), told or first_difference(shape, right)


def _judge_number(question: Question, values: Mapping[str, str], answer: str) -> Outcome:
    given = numbers_in(values)
    typed, read_as = read_number(answer)

    def is_met(expression: str) -> bool:
        wanted = author_count(expression, given).number
        return wanted is not None and abs(typed - wanted) <= question.atol + question.rtol * abs(wanted)

    right = is_met(question.answer)
    return right, read_as, None if right else _told(question, is_met)


def _judge_text(question: Question, values: Mapping[str, str], answer: str) -> Outcome:
    typed = read_text(answer)
    if not typed:
        raise UnreadableAnswer("There is no answer yet.", "Type one, then send it.")
    right = typed in spellings(substitute(question.answer, values))
    told = _told(question, lambda expression: typed in spellings(substitute(expression, values)))
    return right, " ".join(answer.split()), None if right else told


def _told(question: Question, is_met: Callable[[str], bool]) -> str | None:
    """What the first known mistake that the answer equals has to say."""
    return next((mistake.text for mistake in question.mistakes if is_met(mistake.expression)), None)


_JUDGES: dict[str, Callable[[Question, Mapping[str, str], str], Outcome]] = {
    "choice": _judge_choice,
    "shape": _judge_shape,
    "count": _judge_count,
    "number": _judge_number,
    "text": _judge_text,
}
TYPES = tuple(_JUDGES)


# ---- variants -------------------------------------------------------------------------------------------------


def values_of(question: Question, variant: int) -> dict[str, str]:
    """The given values of this variant, as written."""
    if not 0 <= variant < question.variants:
        raise UnknownVariant(f"Question {question.id} has no variant {variant}.")
    index = variant % question.draws
    values: dict[str, str] = {}
    for name, choices in question.given:
        index, place = divmod(index, len(choices))
        values[name] = choices[place]
    return values


def _ordered(question: Question, variant: int) -> list[Choice]:
    if not question.shuffle:
        return list(question.choices)
    ordering = variant // question.draws

    def place(choice: Choice) -> bytes:
        return hashlib.sha256(f"{question.id}:{ordering}:{choice.key}".encode()).digest()

    return sorted(question.choices, key=place)


def right_position(question: Question) -> int | None:
    """Where the right option stands, from 0, if it always stands there."""
    if question.shuffle or not question.choices:
        return None
    return [choice.right for choice in question.choices].index(True)


def answer_text(question: Question, values: Mapping[str, str]) -> str:
    """The right answer of this variant, as `{{answer}}` shows it."""
    given = numbers_in(values)
    match question.type:
        case "count":
            return str(whole(author_count(question.answer, given)))
        case "shape":
            return written_shape(read_lengths(question.answer, given))
        case "number":
            value = author_count(question.answer, given).number
            if value is None:
                raise UnreadableAnswer("The answer has names without a value.", "Add them to `:given:`.")
            return f"{float(value):.6g}"
        case "text":
            return substitute(question.answer.split("|")[0].strip(), values)
        case _:
            return substitute(next(choice.text for choice in question.choices if choice.right), values)
