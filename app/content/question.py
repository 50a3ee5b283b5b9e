"""A question: shown in one of its variants, and judged. (`question_reader` reads one from its directive.)

A variant is a number: which values of `given`, and in which order the options stand. `present` gives what the student
sees before answering and holds no answer, explanation or feedback; `judge_answer` gives the rest. `read_answer` says
how an answer is understood, and knows the answer as little as the student does.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from app.content.answer import (
    Shape,
    author_count,
    author_number,
    first_difference,
    is_percentage,
    numbers_in,
    read_count,
    read_number,
    read_output,
    read_shape,
    read_text,
    shown_names,
    spellings,
    whole,
    written_shape,
)
from app.content.credit import choices_credit, moves_needed, order_credit
from app.content.expression import UnreadableAnswer as UnreadableAnswer
from app.content.expression import read_lengths
from app.content.markdown import render, render_inline, substitute
from app.content.page import Links

LEAST_ORDERINGS = 8
MAX_CHARACTERS = 2000  # of an answer typed


class UnknownVariant(Exception):
    """The question has no such variant (any more)."""


@dataclass(frozen=True)
class Mistake:
    expression: str
    text: str
    line: int


@dataclass(frozen=True)
class Choice:
    """One option, or one line to put in order, as written. The key is made from its text, so that it stays when the
    others change."""

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
    choices: tuple[Choice, ...] = ()  # of `order`: the lines in their right order
    explanation: str | None = None
    explanation_line: int = 0
    shuffle: bool = True
    atol: Fraction = Fraction(0)
    rtol: Fraction = Fraction(0)
    framework: str = "numpy"  # that the code of `predict` runs in
    links: Links | None = None

    @cached_property
    def content_hash(self) -> str:
        """Of all that decides what is asked and what is right, 64 hexadecimal digits. What is told afterwards
        (explanation, feedback, a mistake's text) is no part of it: wording that better makes no other question."""
        asked = (self.type, self.prompt, self.given, self.answer, [(one.text, one.right) for one in self.choices])
        judged = (self.shuffle, str(self.atol), str(self.rtol))  # a framework decides nothing: `predict` is proved
        return hashlib.sha256(json.dumps([asked, judged]).encode()).hexdigest()

    @property
    def draws(self) -> int:
        """How many combinations of given values there are."""
        count = 1
        for _, values in self.given:
            count *= len(values)
        return count

    @property
    def orderings(self) -> int:
        """As many as make every option stand in every place equally often."""
        options = len(self.choices)
        return -(-LEAST_ORDERINGS // options) * options if options and self.shuffle else 1

    @property
    def variants(self) -> int:
        return self.draws * self.orderings


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
        Option(choice.key, _unbroken(render_inline(choice.text, links=question.links, given=values)))
        for choice in _ordered(question, variant)
    )
    prompt = _unbroken(render(question.prompt, links=question.links, given=values).html)
    rounded = question.type == "count" and (question.atol or question.rtol)
    placeholder = "such as 1.2M or 1200 * 1000" if rounded else _PLACEHOLDERS[question.type]
    return Presented(question.id, question.type, variant, prompt, options, placeholder)


def _unbroken(html: str) -> str:
    """`T = 6` on one line; what may be wider than a phone is broken where it must be."""
    return _SHORT_CODE.sub(r'<code class="unbroken">\1</code>', html)


_SHORT_CODE = re.compile(r"<code>([^<>\n]{1,24})</code>")
_PLACEHOLDERS = {
    "choice": "",
    "choices": "",
    "shape": "such as (A, B) or (4, 5)",
    "count": "such as 1024 or 32 * 32",
    "number": "such as 0.25 or 1/4",
    "text": "a word or two",
    "order": "",
    "predict": "what it prints",
}


# ---- what was answered ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reading:
    """An answer as it was understood: `value` for the judge, `read_as` for the student where the two may differ."""

    value: object
    read_as: str | None = None


@dataclass(frozen=True)
class Outcome:
    score: float
    feedback: str | None = None  # Markdown


def read_answer(question: Question, variant: int, answer: object) -> str | None:
    """How this answer is understood; None where there is nothing to understand. It depends on what the student can see
    and on nothing else. Raises UnknownVariant; raises UnreadableAnswer with the remedy."""
    return _read(question, values_of(question, variant), answer).read_as


def judge_answer(question: Question, variant: int, answer: object) -> Judged:
    """Raises UnknownVariant; raises UnreadableAnswer, which costs the student nothing, with the remedy."""
    values = values_of(question, variant)
    reading = _read(question, values, answer)
    outcome = _TYPES[question.type].judge(question, values, reading.value)
    told = {**values, "answer": answer_text(question, values)}
    return Judged(
        correct=outcome.score == 1,
        score=outcome.score,
        read_as=reading.read_as,
        feedback_html=render(outcome.feedback, links=question.links, given=told).html if outcome.feedback else None,
        explanation_html=explanation_of(question, variant),
    )


@lru_cache(maxsize=4096)
def explanation_of(question: Question, variant: int) -> str | None:
    """What is told afterwards, HTML, whatever was answered, or nothing. Raises UnknownVariant."""
    if not question.explanation:
        return None
    values = values_of(question, variant)
    told = {**values, "answer": answer_text(question, values)}
    return render(question.explanation, links=question.links, given=told).html


def outcome_of(question: Question, variant: int, answer: object) -> Outcome:
    """As `judge_answer`, with the feedback as it was written: for whoever tries out many."""
    values = values_of(question, variant)
    return _TYPES[question.type].judge(question, values, _read(question, values, answer).value)


def _read(question: Question, values: Mapping[str, str], answer: object) -> Reading:
    """attack: a megabyte of digits or brackets, lists in lists, text that is no text. defence: its size is looked at
    first, then every kind is read by rules of its own, each bounded."""
    if question.type in ("choices", "order"):
        if isinstance(answer, list | tuple) and len(answer) > 2 * len(question.choices) + 1:
            raise UnreadableAnswer("There are more keys than options.", "Send each option's key once.")
        if not isinstance(answer, list | tuple) or not all(isinstance(key, str) for key in answer):
            raise UnreadableAnswer("The answer is not a list.", "Send the options' keys, as strings in a list.")
    elif not isinstance(answer, str):
        raise UnreadableAnswer("The answer is not text.", "Send the option's key, or what was typed, as a string.")
    elif len(answer) > MAX_CHARACTERS:
        raise UnreadableAnswer(f"That is {len(answer)} characters long.", f"An answer has at most {MAX_CHARACTERS}.")
    elif _UNSEEN.search(answer):
        raise UnreadableAnswer("There is a character in it that cannot be seen.", "Type it anew instead of pasting it.")
    return _TYPES[question.type].read(question, values, answer)


_UNSEEN = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f\\ud800-\\udfff]")  # which a database need not keep


def _read_choice(question: Question, values: Mapping[str, str], answer: str) -> Reading:
    if any(choice.key == answer for choice in question.choices):
        return Reading(answer)
    raise UnreadableAnswer("No option is picked.", "Pick one of the options, then send the answer.")


def _judge_choice(question: Question, values: Mapping[str, str], picked: str) -> Outcome:
    choice = next(choice for choice in question.choices if choice.key == picked)
    return Outcome(float(choice.right), choice.feedback)


def _read_choices(question: Question, values: Mapping[str, str], answer: list[str]) -> Reading:
    picked = frozenset(answer)
    if not picked:
        raise UnreadableAnswer("No option is picked.", "Pick all that are right, then send the answer.")
    if picked - {choice.key for choice in question.choices}:
        raise UnreadableAnswer("That is none of the options.", "Load the question again, then pick.")
    return Reading(picked)


def _judge_choices(question: Question, values: Mapping[str, str], picked: frozenset[str]) -> Outcome:
    right = [choice.key for choice in question.choices if choice.right]
    wrong = [choice.key for choice in question.choices if not choice.right]
    score = choices_credit(picked, right, wrong)
    told = [
        f"- {_indented(choice.text)}\n\n  {_indented(choice.feedback)}"
        for choice in question.choices
        if choice.key in picked and choice.feedback
    ]
    counted = [] if score == 1 else [_counted(len(picked & set(right)), len(right), len(picked & set(wrong)))]
    return Outcome(score, "\n\n".join([*counted, *told]) or None)


def _counted(hits: int, right: int, misses: int) -> str:
    """Of how many, not of which: `You picked 3 of the 4 right ones, and one that is wrong.`"""
    found = f"the {'one' if right == 1 else right} right {'one' if right == 1 else 'ones'}"
    found = found if hits == right else f"{hits or 'none'} of {found}"
    wrong = "one that is wrong" if misses == 1 else f"{misses} that are wrong"
    return f"You picked {found}{f', and {wrong}' if misses else ''}."


def _indented(text: str) -> str:
    """As what a list item goes on with."""
    return text.replace("\n", "\n  ")


def _read_order(question: Question, values: Mapping[str, str], answer: list[str]) -> Reading:
    places = {choice.key: place for place, choice in enumerate(question.choices)}
    if set(answer) - set(places) - {""}:  # a place that no line has yet
        raise UnreadableAnswer("That is none of the lines.", "Load the question again, then order them.")
    if len(answer) != len(places) or set(answer) != set(places):
        raise UnreadableAnswer(
            "Not every line has a place of its own.", f"Number the lines from 1 to {len(places)}, each once."
        )
    return Reading(tuple(places[key] for key in answer))


def _judge_order(question: Question, values: Mapping[str, str], order: tuple[int, ...]) -> Outcome:
    score = order_credit(order)
    if score == 1:
        return Outcome(score)
    first = next(place for place, right in enumerate(order) if place != right)
    moves = moves_needed(order)
    begun = {0: "The first line is not the right one yet.", 1: "The first line is right; the second is not yet."}
    said = begun.get(first, f"The first {first} lines are right; line {first + 1} is not yet.")
    more = "Moving one line is enough." if moves == 1 else f"Moving {moves} lines is enough."
    return Outcome(score, f"{said} {more}" if score else said)


def _read_count(question: Question, values: Mapping[str, str], answer: str) -> Reading:
    return Reading(*read_count(answer, rounded=bool(question.atol or question.rtol)))


def _judge_count(question: Question, values: Mapping[str, str], typed: Fraction) -> Outcome:
    given = numbers_in(values)
    wanted = whole(author_count(question.answer, given))
    if abs(typed - wanted) <= question.atol + question.rtol * wanted:
        return Outcome(1.0)
    return Outcome(0.0, _told(question, lambda expression: author_count(expression, given).number == typed))


def _read_shape(question: Question, values: Mapping[str, str], answer: str) -> Reading:
    # attack: a name that only the answer has is tried out, letter by letter, for nothing. defence: names are known
    # from what is shown; `question_faults` refuses an answer that needs another.
    given = {name: value for name, value in values.items() if name in shown_names(question.prompt)}
    known = shown_names(substitute(question.prompt, values)) | set(given)
    shape = read_shape(answer, numbers_in(given), frozenset(known))
    return Reading(shape, written_shape(shape))


def _judge_shape(question: Question, values: Mapping[str, str], shape: Shape) -> Outcome:
    given = numbers_in(values)
    right = read_lengths(question.answer, given)
    if shape == right:
        return Outcome(1.0)
    told = _told(question, lambda expression: read_lengths(expression, given) == shape)
    return Outcome(0.0, told or first_difference(shape, right))


def _read_number(question: Question, values: Mapping[str, str], answer: str) -> Reading:
    return Reading(*read_number(answer, percent=is_percentage(question.answer)))


def _judge_number(question: Question, values: Mapping[str, str], typed: Fraction) -> Outcome:
    given = numbers_in(values)

    def is_met(expression: str) -> bool:
        wanted = author_number(expression, given).number
        return wanted is not None and abs(typed - wanted) <= question.atol + question.rtol * abs(wanted)

    return Outcome(1.0) if is_met(question.answer) else Outcome(0.0, _told(question, is_met))


def _read_text(question: Question, values: Mapping[str, str], answer: str) -> Reading:
    typed = read_text(answer)
    if not typed:
        raise UnreadableAnswer("There is no answer yet.", "Type one, then send it.")
    return Reading(typed, " ".join(answer.split()))


def _judge_text(question: Question, values: Mapping[str, str], typed: str) -> Outcome:
    if typed in spellings(substitute(question.answer, values)):
        return Outcome(1.0)
    return Outcome(0.0, _told(question, lambda spelled: typed in spellings(substitute(spelled, values))))


def _read_predict(question: Question, values: Mapping[str, str], answer: str) -> Reading:
    if not answer.strip():
        raise UnreadableAnswer("There is no answer yet.", "Type what the code prints, line by line.")
    return Reading(read_output(answer))


def _judge_predict(question: Question, values: Mapping[str, str], typed: str) -> Outcome:
    right = read_output(substitute(question.answer, values))
    if typed == right:
        return Outcome(1.0)
    told = _told(question, lambda output: read_output(substitute(output, values).replace("\\n", "\n")) == typed)
    return Outcome(0.0, told or _first_line_off(typed.split("\n"), right.split("\n")))


def _first_line_off(typed: list[str], right: list[str]) -> str | None:
    if len(typed) != len(right):
        prints = "1 line" if len(right) == 1 else f"{len(right)} lines"
        return f"It prints {prints}; you typed {len(typed)}."
    place = next(n for n, (mine, theirs) in enumerate(zip(typed, right, strict=True), 1) if mine != theirs)
    return f"Line {place} is the first that is not what it prints." if len(right) > 1 else None


def _told(question: Question, is_met: Callable[[str], bool]) -> str | None:
    """What the first known mistake that the answer equals has to say."""
    return next((mistake.text for mistake in question.mistakes if is_met(mistake.expression)), None)


@dataclass(frozen=True)
class Type:
    """Reading comes first and needs no answer; judging gets what reading gave."""

    read: Callable[[Question, Mapping[str, str], Any], Reading]
    judge: Callable[[Question, Mapping[str, str], Any], Outcome]


_TYPES = {
    "choice": Type(_read_choice, _judge_choice),
    "choices": Type(_read_choices, _judge_choices),
    "shape": Type(_read_shape, _judge_shape),
    "count": Type(_read_count, _judge_count),
    "number": Type(_read_number, _judge_number),
    "text": Type(_read_text, _judge_text),
    "order": Type(_read_order, _judge_order),
    "predict": Type(_read_predict, _judge_predict),
}
TYPES = tuple(_TYPES)


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
    """Shuffled by hash, then turned place by place: every option stands in every place equally often, so that no place
    is the right one more often than another. Lines to be ordered never stand in their right order."""
    if not question.shuffle or not question.choices:
        return list(question.choices)
    shuffle, turn = divmod(variant // question.draws, len(question.choices))

    def place(choice: Choice) -> bytes:
        return hashlib.sha256(f"{question.id}:{shuffle}:{choice.key}".encode()).digest()

    shuffled = sorted(question.choices, key=place)
    turned = shuffled[turn:] + shuffled[:turn]
    is_solved = question.type == "order" and turned == list(question.choices)
    return turned[1:] + turned[:1] if is_solved else turned


def predicted_code(question: Question, values: Mapping[str, str]) -> str | None:
    """The Python whose output is asked for: all of the prompt's fences in Python, one after the other."""
    found = _PYTHON_FENCE.findall(substitute(question.prompt, values))
    return "\n".join(source for _, source in found) or None


_PYTHON_FENCE = re.compile(r"^(`{3,}|~{3,})python\s*\n(.*?)^\1\s*$", re.DOTALL | re.MULTILINE)


def right_positions(question: Question) -> tuple[int, ...]:
    """Where the right options stand, from 0, if they always stand there."""
    if question.shuffle or question.type not in ("choice", "choices"):
        return ()
    return tuple(place for place, choice in enumerate(question.choices) if choice.right)


def right_answer(question: Question, variant: int) -> tuple[tuple[str, ...], str]:
    """(the keys of the right options, for `order` in their order; else none; what is right where one types, else "").
    For whoever has answered. Raises UnknownVariant."""
    if question.choices:
        return tuple(one.key for one in question.choices if one.right or question.type == "order"), ""
    text = answer_text(question, values_of(question, variant)).replace("\\%", "%")
    return (), f"{int(text):,}" if question.type == "count" else text


def answer_text(question: Question, values: Mapping[str, str]) -> str:
    """The right answer of this variant, as `{{answer}}` shows it."""
    given = numbers_in(values)
    match question.type:
        case "count":
            return str(whole(author_count(question.answer, given)))
        case "shape":
            return written_shape(read_lengths(question.answer, given))
        case "number":
            value = author_number(question.answer, given).number
            if value is None:
                raise UnreadableAnswer("The answer has names without a value.", "Add them to `:given:`.")
            return f"{float(100 * value):.6g}\\%" if is_percentage(question.answer) else f"{float(value):.6g}"
        case "text":
            return substitute(question.answer.split("|")[0].strip(), values)
        case "predict":
            return substitute(question.answer, values)
        case "order":
            return "; ".join(substitute(choice.text, values) for choice in question.choices)
        case _:
            return "; ".join(substitute(choice.text, values) for choice in question.choices if choice.right)
