"""Numbers with a tolerance, as other systems write them: `3.14`, `1e-5`, `3,14`; several with what each earns."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from app.content.formats.asked import asked, mistake, remark
from app.content.formats.kind import NoCounterpart
from app.content.questions.question import Mistake, Question

MAX_DIGITS = 60
Answer = tuple[str, str, Fraction, str]  # a number, its tolerance, the share that it earns, its feedback


def number_in(text: str) -> Decimal | None:
    """Its value, or None for what is no number of a bounded length."""
    plain = re.sub(r"\s", "", text).replace("−", "-")
    if re.fullmatch(r"-?[0-9]+,[0-9]+", plain):
        plain = plain.replace(",", ".")
    try:
        value = Decimal(plain)
    except InvalidOperation:
        return None
    return value if value.is_finite() and len(f"{value:f}") <= MAX_DIGITS else None


def numerical_of(prompt: str, answers: Iterable[Answer]) -> tuple[Question, list[str]]:
    """A `count` of what is whole and exact, else a `number`; and what was lost. `*` stands for any other answer."""
    written = list(answers)
    others = [feedback for text, _, _, feedback in written if text.strip() == "*"]
    numbers = [(_required(text), _tolerance(tolerance), share, feedback) for text, tolerance, share, feedback in written
               if text.strip() != "*"]  # fmt: skip
    right = [answer for answer in numbers if answer[2] == 1]
    if len({value for value, *_ in right}) != 1:
        raise NoCounterpart("Several numbers are right." if right else "No answer is right.")
    value, tolerance, _, feedback = right[0]
    mistakes, lost = _mistakes(numbers, value, tolerance)
    is_count = not tolerance and all(_is_whole(other) for other, *_ in numbers)
    question = replace(
        asked("count" if is_count else "number", prompt, f"{value:f}"),
        atol=Fraction(tolerance),
        mistakes=tuple(mistakes),
        right=remark(feedback),
        other=remark(" ".join(others)),
    )
    return question, lost


def _mistakes(
    numbers: Sequence[tuple[Decimal, Decimal, Fraction, str]], value: Decimal, tolerance: Decimal
) -> tuple[list[Mistake], list[str]]:
    found: list[Mistake] = []
    lost: list[str] = []
    for other, near, share, feedback in numbers:
        if share == 1:
            continue
        if abs(other - value) <= tolerance:
            lost.append(f"the part that {other:f} within {near:f} earns, which is the right answer")
            continue
        if any(abs(other - Decimal(known.expression)) <= tolerance for known in found):
            lost.append(f"what it says of {other:f}, which is as near to another wrong answer")
            continue
        if near != tolerance:
            lost.append(f"the tolerance of {other:f}: it has that of the right answer")
        if share or feedback:
            found.append(mistake(f"{other:f}", feedback, max(share, Fraction(0))))
    return found, lost


def _required(text: str) -> Decimal:
    if (value := number_in(text)) is None:
        raise NoCounterpart(f"{text[:40]!r} is not a number.")
    return value


def _tolerance(text: str) -> Decimal:
    return abs(number_in(text) or Decimal(0))


def _is_whole(value: Decimal) -> bool:
    return value >= 0 and value == value.to_integral_value()
