"""A question as it is asked: shown in one of its variants, its answer read, judged and explained.

`present` gives what the student sees before answering and holds no answer, explanation or feedback; `judge_answer`
gives the rest. `read_answer` says how an answer is understood, and knows the answer as little as the student does.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from app.content.expression import UnreadableAnswer
from app.content.markdown import render, render_inline
from app.content.questions.kind import Outcome, Reading, Reply, Widget, with_remark
from app.content.questions.question import Choice, Question, Values, shuffled, values_of
from app.content.questions.table import KINDS, kind_of
from app.content.substitution import substitute


@dataclass(frozen=True)
class ShownOption:
    key: str
    html: str


@dataclass(frozen=True)
class Part:
    """An item to be matched, or a gap to be filled: by typing, or with one of its options."""

    key: str
    html: str
    options: tuple[ShownOption, ...] = ()
    placeholder: str = ""


@dataclass(frozen=True)
class Presented:
    id: str
    type: str
    variant: int
    points: float
    prompt_html: str
    options: tuple[ShownOption, ...]
    placeholder: str
    parts: tuple[Part, ...] = ()

    @property
    def pieces(self) -> list[str]:
        """The prompt, cut where its gaps are."""
        return GAP.split(self.prompt_html)

    @property
    def is_plain(self) -> bool:
        """Whether all options, of its parts too, can be set as plain text, as in a menu."""
        options = [*self.options, *(option for part in self.parts for option in part.options)]
        return not any("<math" in option.html for option in options)

    @property
    def widget(self) -> Widget:
        return KINDS[self.type].WIDGET


@dataclass(frozen=True)
class Judged:
    correct: bool
    score: float
    read_as: str | None
    feedback_html: str | None
    explanation_html: str | None
    parts: tuple[float, ...] = ()


@dataclass(frozen=True)
class RightAnswer:
    """What is right: the keys of the right options, in their order; the text where no option shows it, else "";
    of a question with parts that of each, as HTML."""

    keys: tuple[str, ...]
    text: str
    parts: tuple[str, ...]


@lru_cache(maxsize=4096)
def present(question: Question, variant: int) -> Presented:
    """What may be seen before answering. Raises UnknownVariant."""
    values = values_of(question, variant)
    prompt = _unbroken(render(question.prompt, links=question.links, given=values).html)
    for place, gap in enumerate(question.gaps, 1):
        prompt = prompt.replace(f"[[{gap.slug}]]", f'<span class="gap" data-gap="{place}">[{place}]</span>')
    return Presented(
        id=question.id,
        type=question.type,
        variant=variant,
        points=float(question.points),
        prompt_html=prompt,
        options=_options(question, variant, values),
        placeholder=kind_of(question).placeholder(question),
        parts=(
            *(Part(pair.key, _inline(question, pair.text, values)) for pair in question.pairs),
            *(
                Part(str(place), "", _options(gap, variant, values), kind_of(gap).placeholder(gap))
                for place, gap in enumerate(question.gaps, 1)
            ),
        ),
    )


def _options(question: Question, variant: int, values: Values) -> tuple[ShownOption, ...]:
    return tuple(
        ShownOption(choice.key, _inline(question, choice.text, values)) for choice in _shown_options(question, variant)
    )


def _inline(question: Question, text: str, values: Values) -> str:
    return _unbroken(render_inline(text, links=question.links, given=values))


def _shown_options(question: Question, variant: int) -> list[Choice]:
    """Lines to be ordered never stand in their right order."""
    options = shuffled(question, variant)
    is_solved = kind_of(question).WRITTEN.options.is_ordered and options == list(question.choices)
    return options[1:] + options[:1] if is_solved else options


def _shown_places(question: Question, variant: int) -> tuple[int, ...]:
    """The order in which lines are shown, as the places where they belong."""
    return tuple(question.choices.index(choice) for choice in _shown_options(question, variant))


def _unbroken(html: str) -> str:
    """`T = 6` on one line; what may be wider than a phone is broken where it must be."""
    return _SHORT_CODE.sub(r'<code class="unbroken">\1</code>', html)


GAP = re.compile(r'<span class="gap" data-gap="[0-9]+">\[[0-9]+\]</span>')
_SHORT_CODE = re.compile(r"<code>([^<>\n]{1,24})</code>")


# ---- what was answered ----------------------------------------------------------------------------------------


def read_answer(question: Question, variant: int, answer: object) -> str | None:
    """How this answer is understood; None where there is nothing to understand. It depends on what the student can see
    and on nothing else. Raises UnknownVariant; raises UnreadableAnswer with the remedy."""
    return _read(question, values_of(question, variant), answer).read_as


def judge_answer(question: Question, variant: int, answer: object) -> Judged:
    """Raises UnknownVariant; raises UnreadableAnswer, which costs the student nothing, with the remedy."""
    values = values_of(question, variant)
    reading = _read(question, values, answer)
    outcome = _judge(question, variant, values, reading)
    known = {**values, "answer": answer_text(question, values)}
    return Judged(
        correct=outcome.score == 1,
        score=outcome.score,
        read_as=reading.read_as,
        feedback_html=render(outcome.feedback, links=question.links, given=known).html if outcome.feedback else None,
        explanation_html=_explained(question, variant, values),
        parts=outcome.parts,
    )


@lru_cache(maxsize=4096)
def explanation_of(question: Question, variant: int) -> str | None:
    """What is told afterwards, HTML, whatever was answered, or nothing. Raises UnknownVariant."""
    if not question.explanation:
        return None
    values = values_of(question, variant)
    known = {**values, "answer": answer_text(question, values)}
    return render(question.explanation, links=question.links, given=known).html


def _explained(question: Question, variant: int, values: Values) -> str | None:
    """The explanation after an answer; before it the right output, where that is what is asked for and it lacks it."""
    explanation = explanation_of(question, variant)
    if not kind_of(question).WRITTEN.is_output or "{{answer}}" in (question.explanation or ""):
        return explanation
    output = answer_text(question, values)
    if output in substitute(question.explanation or "", values):
        return explanation
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", output))])
    printed = render(f"It prints:\n\n{fence}text\n{output}\n{fence}\n").html
    return f"{printed}{explanation or ''}"


def longest_answer(question: Question) -> int:
    """In characters."""
    return kind_of(question).WIDGET.most_characters


def is_graded_by_hand(question: Question) -> bool:
    return kind_of(question).WRITTEN.is_graded_by_hand


def rubric_of(question: Question, variant: int) -> str:
    """What earns points where a person grades, HTML, or nothing. Not to be told before. Raises UnknownVariant."""
    values = values_of(question, variant)
    return render(question.rubric.text, links=question.links, given=values).html if question.rubric else ""


def outcome_of(question: Question, variant: int, answer: object) -> Outcome:
    """As `judge_answer`, with the feedback as it was written: to try out many answers."""
    values = values_of(question, variant)
    return _judge(question, variant, values, _read(question, values, answer))


def _judge(question: Question, variant: int, values: Values, reading: Reading) -> Outcome:
    if kind_of(question).WRITTEN.options.is_ordered and reading.value == _shown_places(question, variant):
        return Outcome(0.0, _UNTOUCHED)
    return with_remark(question, kind_of(question).judge(question, values, reading.value))


_UNTOUCHED = "The lines stand as you found them. That earns nothing, even where part of it is right: move them."


def right_answer(question: Question, variant: int) -> RightAnswer:
    """To be told after an answer only. Raises UnknownVariant."""
    values = values_of(question, variant)
    keys = tuple(choice.key for choice in question.choices if choice.right)
    texts = {choice.key: _inline(question, choice.text, values) for choice in question.choices}
    pairs = tuple(texts[pair.partner] for pair in question.pairs)
    gaps = tuple(_right_html(gap, values) for gap in question.gaps)
    return RightAnswer(keys, kind_of(question).shown_answer(question, values), (*pairs, *gaps))


def _right_html(gap: Question, values: Values) -> str:
    shown = kind_of(gap).shown_answer(gap, values)
    if shown:
        return f"<code>{escape(shown)}</code>"
    return ", ".join(_inline(gap, choice.text, values) for choice in gap.choices if choice.right)


def answer_text(question: Question, values: Values) -> str:
    """The right answer of this variant, as `{{answer}}` shows it."""
    return kind_of(question).answer_text(question, values)


def _read(question: Question, values: Values, answer: object) -> Reading:
    """attack: a megabyte of digits or brackets, lists in lists, text that is no text. defence: its size is looked at
    first, then every type reads it by rules of its own, each bounded."""
    kind = kind_of(question)
    return kind.read(question, values, _TAKEN[kind.WIDGET.takes](question, answer))


def _taken_keys(question: Question, answer: object) -> list[str]:
    if isinstance(answer, list | tuple) and len(answer) > 2 * len(question.choices) + 1:
        raise UnreadableAnswer("There are more keys than options.", "Send each option's key once.")
    if not isinstance(answer, list | tuple) or not all(isinstance(key, str) for key in answer):
        raise UnreadableAnswer("The answer is not a list.", "Send the options' keys, as strings in a list.")
    return list(answer)


def _taken_text(question: Question, answer: object) -> str:
    if not isinstance(answer, str):
        raise UnreadableAnswer("The answer is not text.", "Send the option's key, or what was typed, as a string.")
    most = kind_of(question).WIDGET.most_characters
    if len(answer) > most:
        raise UnreadableAnswer(f"That is {len(answer)} characters long.", f"An answer has at most {most}.")
    if _UNSEEN.search(answer):
        raise UnreadableAnswer("It contains an invisible character.", "Type it instead of pasting it.")
    return answer


def _taken_pairs(question: Question, answer: object) -> dict[str, str]:
    hint = "Send an object: of each item's key, the key of its answer."
    if not isinstance(answer, dict):
        raise UnreadableAnswer("The answer is not an object.", hint)
    if len(answer) > len(question.pairs):
        raise UnreadableAnswer("There are more keys than items.", hint)
    if not all(isinstance(key, str) and isinstance(partner, str) for key, partner in answer.items()):
        raise UnreadableAnswer("A key is not text.", hint)
    return dict(answer)


def _taken_gaps(question: Question, answer: object) -> list[str]:
    if not isinstance(answer, list | tuple):
        raise UnreadableAnswer("The answer is not a list.", "Send what was typed into each gap, in their order.")
    if len(answer) > len(question.gaps):
        raise UnreadableAnswer("There are more answers than gaps.", "Send one for each gap.")
    return [_taken_text(question, typed) for typed in answer]


_TAKEN: Mapping[str, Callable[[Question, object], Reply]] = {
    "text": _taken_text,
    "keys": _taken_keys,
    "pairs": _taken_pairs,
    "gaps": _taken_gaps,
}
_UNSEEN = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f\\ud800-\\udfff]")  # which a database need not keep
