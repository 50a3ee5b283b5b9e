"""Questions that a format found, as values of ours, written as Markdown (docs/authoring.md).

Prompts, options and feedback are Markdown already (`from_html`); an answer is a text that somebody types.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from app.content.formats.kind import NoCounterpart
from app.content.questions.question import Choice, Mistake, Pair, Question, Remark
from app.content.questions.table import KINDS

POINTS_MAX = 1000


def asked(type: str, prompt: str, answer: str = "") -> Question:
    """A question of this type, to be completed by `replace`."""
    return Question("", "", type, "", 0, prompt, answer=answer)


def option(text: str, right: bool, feedback: str = "", credit: Fraction | None = None) -> Choice:
    return Choice(text, text, feedback or None, right, 0, credit)


def mistake(answer: str, feedback: str, credit: Fraction = Fraction(0)) -> Mistake:
    return Mistake(answer, feedback or ("Not quite." if credit else "That is not the answer."), 0, credit)


def remark(text: str) -> Remark | None:
    return Remark(text, 0) if text.strip() else None


# ------------------------------------------------------------------ what each picks and earns


def choice_of(prompt: str, options: Iterable[tuple[str, Fraction, str]]) -> tuple[Question, list[str]]:
    """One right of several (its text, the share that it earns, its feedback), and what was lost."""
    written = list(options)
    if sum(share == 1 for _, share, _ in written) > 1:
        raise NoCounterpart("Several options are right, each for itself; here one is, or all that are must be picked.")
    found = [option(text, share == 1, feedback, share if 0 < share < 1 else None) for text, share, feedback in written]
    costs = any(share < 0 for _, share, _ in written)
    lost = ["what a wrong option costs: here it earns nothing"] if costs else []
    return replace(asked("choice", prompt), choices=tuple(found)), lost


def choices_of(prompt: str, options: Iterable[tuple[str, Fraction, str]]) -> tuple[Question, list[str]]:
    """Several right of several; percentages are written where they are not those that go without saying."""
    written = list(options)
    right = [share for _, share, _ in written if share > 0]
    wrong = [share for _, share, _ in written if share <= 0]
    are_even = bool(right) and all(_alike(share, Fraction(1, len(right))) for share in right)
    are_full = bool(wrong) and all(_alike(share, Fraction(-1, len(wrong))) for share in wrong)
    found = [
        option(text, share > 0, feedback, None if share == 0 or (are_even if share > 0 else are_full) else share)
        for text, share, feedback in written
    ]
    lost = ["that a wrong pick costs nothing: here it costs a part"] if any(share == 0 for share in wrong) else []
    return replace(asked("choices", prompt), choices=tuple(found)), lost


def _alike(one: Fraction, other: Fraction) -> bool:
    return abs(one - other) < Fraction(1, 10_000)


def true_or_false(prompt: str, is_true: bool, if_true: str = "", if_false: str = "") -> Question:
    options = (option("True", is_true, if_true), option("False", not is_true, if_false))
    return replace(asked("choice", prompt), choices=options, shuffle=False)


def matching_of(prompt: str, pairs: Iterable[tuple[str, str]]) -> Question:
    """Items with their answers; an answer without an item is spare."""
    found = [(item, answer) for item, answer in pairs if answer]
    choices = {answer: option(answer, False) for _, answer in found}
    choices.update({answer: option(answer, True) for item, answer in found if item})
    kept = tuple(Pair(item, item, answer, None, 0) for item, answer in found if item)
    return replace(asked("matching", prompt), pairs=kept, choices=tuple(choices.values()))


def order_of(prompt: str, lines: Iterable[str]) -> Question:
    return replace(asked("order", prompt), choices=tuple(option(line, True) for line in lines))


def typed_of(type: str, prompt: str, answers: Sequence[tuple[str, Fraction, str]]) -> Question:
    """`text`, `number` or `count`: each answer with the share that it earns and its feedback.

    The feedback of a right answer is told after every right answer.
    """
    for answer, _, _ in answers:
        if "|" in answer or "->" in answer or "\n" in answer:
            raise NoCounterpart(f"An answer holds `|`, `->` or a line's end, which separate answers here: {answer!r}.")
    right = [answer for answer, share, _ in answers if share == 1]
    if not right:
        raise NoCounterpart("No answer is right.")
    remarks = list(dict.fromkeys(feedback for _, share, feedback in answers if share == 1 and feedback))
    wrong = [mistake(text, feedback, max(share, Fraction(0))) for text, share, feedback in answers if share < 1]
    kept = [each for each in wrong if each.credit or each.text != "That is not the answer."]
    question = asked(type, prompt, " | ".join(dict.fromkeys(right)) if type == "text" else right[0])
    return replace(question, mistakes=tuple(kept), right=remark(" ".join(remarks)))


def cloze_of(prompt: str, gaps: Sequence[Question]) -> Question:
    """`prompt` holds `[[slug]]` of each gap."""
    return replace(asked("cloze", prompt), gaps=tuple(gaps))


def points_of(text: str) -> tuple[Fraction, list[str]]:
    """What a question counts, and what is lost where it cannot be that here."""
    try:
        points = Fraction(text.strip() or "1").limit_denominator(10**6)
    except (ValueError, ZeroDivisionError):
        return Fraction(1), [f"its points, {text[:20]!r}"]
    if 0 < points <= POINTS_MAX and (points * 100).denominator == 1:
        return points, []
    rounded = Fraction(round(points * 100), 100)
    kept = rounded if 0 < rounded <= POINTS_MAX else Fraction(1)
    return kept, [f"its points, {text[:20]}: here {float(kept):g}"]


# ------------------------------------------------------------------ as Markdown


def markdown_of(question: Question) -> str:
    """The question as it stands in a lesson's file."""
    body = "\n".join(_body(question))
    inner = max((len(found) for found in re.findall(r"^(:{3,})", body, re.MULTILINE)), default=3)
    fence = ":" * (inner + 1)
    return f"{fence}{{question}} {question.slug}\n{body}\n{fence}"


def _body(question: Question) -> Iterator[str]:
    yield from _settings(question)
    yield ""
    yield question.prompt.strip("\n")
    options = list(_options(question))
    if options:
        yield from ["", *options]
    for gap in question.gaps:
        inside = [*_settings(gap), *_options(gap)]
        yield from [f":::{{gap}} {gap.slug}", *inside, ":::"]
    for name, text in (("rubric", question.rubric.text if question.rubric else ""), ("explain", question.explanation)):
        if text:
            inner = max((len(found) for found in re.findall(r"^(:{3,})", text, re.MULTILINE)), default=2)
            yield from [f"{':' * (inner + 1)}{{{name}}}", text.strip("\n"), ":" * (inner + 1)]


def _settings(question: Question) -> Iterator[str]:
    yield f":type: {question.type}"
    if question.points != 1:
        yield f":points: {_decimal(question.points)}"
    if question.answer:
        yield f":answer: {question.answer}"
    if question.atol:
        yield f":tolerance: {_decimal(question.atol)}"
    if not question.shuffle:
        yield ":shuffle: false"
    for known in question.mistakes:
        part = f"partly: {_percent(known.credit)} " if known.credit else "mistake: "
        yield f":{part}{known.expression} -> {known.text}"
    for name, feedback in (("right", question.right), ("other", question.other)):
        if feedback:
            yield f":{name}: {feedback.text}"


def _options(question: Question) -> Iterator[str]:
    if question.pairs:
        answers = {choice.key: choice.text for choice in question.choices}
        yield from (f"- {pair.text} => {answers[pair.partner]}" for pair in question.pairs)
        yield from (f"- => {choice.text}" for choice in question.choices if not choice.right)
    elif KINDS[question.type].WRITTEN.options.is_ordered:
        yield from (f"{n}. {choice.text}" for n, choice in enumerate(question.choices, 1))
    else:
        yield from (_option(choice) for choice in question.choices)


def _option(choice: Choice) -> str:
    mark = ("x" if choice.right else " ") if choice.credit is None else _percent(choice.credit)
    return f"- [{mark}] {choice.text}" + (f" -- {choice.feedback}" if choice.feedback else "")


def _percent(share: Fraction) -> str:
    """With five places, as Moodle writes it: thirds and sixths still come to 100%."""
    return f"{_decimal(Fraction(round(share * 10**7), 10**5))}%"


def _decimal(value: Fraction) -> str:
    """With at most ten places, and without an exponent."""
    return f"{float(value):.10f}".rstrip("0").rstrip(".")
