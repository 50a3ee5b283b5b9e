"""`number`: with decimals and within a tolerance, such as `0.02`, `2e-2`, `1/50`, `2 %`, `π/4` or `sin(30°)`."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from app.content.expression import CONSTANTS, Quotient, UnreadableAnswer, number, read_length, read_real, ungrouped
from app.content.questions import typed
from app.content.questions.kind import Outcome, Reading, Try, Written
from app.content.questions.nearly import near_number
from app.content.questions.numerals import SHORTHAND, agreed, decimal, last_digit, sides_of, without_unit
from app.content.questions.question import Question, Values
from app.content.questions.signs import without_signs
from app.content.substitution import numbers_in
from graders.exercise.fault import Fault

NAME = "number"
WRITTEN = Written("answer", settings=typed.SETTINGS | {"tolerance", "rtol"}, is_number=True)
WIDGET = typed.READ_LINE
REMEDY = "Nobody can write all its digits: give a `:tolerance:` or `:rtol:`."


def placeholder(question: Question) -> str:
    return "such as 0.25 or 1/4"


def read(question: Question, values: Values, answer: str) -> Reading:
    taken = {name: read_length(name) for name in CONSTANTS if name in values}
    return Reading(*read_number(answer, _is_percentage(question.answer), taken))


def read_number(text: str, percent: bool = False, names: Mapping[str, Quotient] | None = None) -> tuple[Fraction, str]:
    """A number, and how it was understood. `percent`: the question asks for a percentage, and a bare number is one."""
    sides, _ = sides_of(without_signs(typed.short(text)))
    percent = percent and not any("%" in side for side in sides[1:])
    scale = 100 if percent else 1
    return agreed(
        [(*_read_side(side, percent, names or {}), last_digit(side) / (1 if "%" in side else scale)) for side in sides]
    )


def _read_side(text: str, percent: bool, names: Mapping[str, Quotient]) -> tuple[Fraction, str]:
    plain = text
    if amount := re.fullmatch(r"(.*[0-9)\]])\s*(?:%|per ?cent)", plain, re.DOTALL):
        plain, percent = amount[1], True
    elif amount := _WITH_UNIT.fullmatch(plain):
        plain = amount[1]
    else:
        plain = without_unit(plain)
    plain = _SCIENTIFIC.sub(_spelled_out, ungrouped(plain))
    if re.search(r"[0-9],[0-9]", plain):
        message = f"The comma in `{text.strip()}` does not group thousands."
        raise UnreadableAnswer(message, "Write decimals with a point.")
    if shorthand := SHORTHAND.fullmatch(plain):
        raise UnreadableAnswer(f"`{shorthand[0]}` is short for a number.", "Write it in full, or as 1.5e6.")
    value = read_real(plain, names)
    if value.symbols:
        raise UnreadableAnswer(f"`{min(value.symbols)}` is a name.", "Write its value.")
    assert value.number is not None
    if percent:
        return value.number / 100, f"{decimal(value.number)} % = {decimal(value.number / 100)}"
    return value.number, decimal(value.number)


_WITH_UNIT = re.compile(
    r"(.*(?:[0-9)]|\bpi))(?:\s*(?:[mµun]?s|min|h|[kKMGT]i?B|bits?|nats?|bytes?|[kMG]?Hz|[kMGT]?FLOPs?|rad|deg|°|px))",
    re.DOTALL,
)
_SCIENTIFIC = re.compile(r"(?<![\w.])([0-9]+(?:\.[0-9]+)?)[eE]([+-]?)([0-9]{1,2})(?![\w.])")


def _spelled_out(match: re.Match[str]) -> str:
    return f"({match[1]} {'/' if match[2] == '-' else '*'} 10**{int(match[3])})"


def judge(question: Question, values: Values, typed_number: Fraction) -> Outcome:
    numbers = numbers_in(values)

    def is_met(expression: str) -> bool:
        wanted = _valued(expression, numbers).number
        return wanted is not None and _is_within(question, typed_number, wanted)

    if is_met(question.answer):
        return Outcome(1.0)
    return typed.missed(question, is_met, lambda: _near(question, numbers, typed_number))


def _is_within(question: Question, value: Fraction, wanted: Fraction) -> bool:
    return abs(value - wanted) <= question.atol + question.rtol * abs(wanted)


def _near(question: Question, numbers: Mapping[str, Quotient], typed_number: Fraction) -> str | None:
    right = _valued(question.answer, numbers).number
    if right is None:
        return None
    scale = 100 if _is_percentage(question.answer) else 1

    def compute(formula: str) -> Fraction | None:
        value = read_real(formula, numbers).number
        return None if value is None else value / scale

    formula = ungrouped(question.answer.strip().removesuffix("%"))
    return near_number(typed_number, right, lambda value: _is_within(question, value, right), formula, compute)


def _is_percentage(written: str) -> bool:
    """Whether an author asks for a percentage: `:answer: 25%`."""
    return written.rstrip().endswith("%")


def _computed(expression: str, values: Values) -> Quotient:
    """What an author writes, in these values: `1/d`, `25%`."""
    return _valued(expression, numbers_in(values))


def _valued(expression: str, numbers: Mapping[str, Quotient]) -> Quotient:
    value = read_real(ungrouped(expression.strip().removesuffix("%")), numbers)
    if not _is_percentage(expression) or value.number is None:
        return value
    return number(value.number / 100)


def answer_text(question: Question, values: Values) -> str:
    return shown_answer(question, values).replace("%", "\\%")


def shown_answer(question: Question, values: Values) -> str:
    value = _computed(question.answer, values).number
    if value is None:
        raise UnreadableAnswer("The answer has names without a value.", "Add them to `:given:`.")
    return f"{float(100 * value):.6g}%" if _is_percentage(question.answer) else f"{float(value):.6g}"


def faults(question: Question) -> Iterator[Fault]:
    return typed.answer_faults(question, lambda written, values: typed.valued(_computed(written, values)))


def tries(question: Question, values: Values) -> Iterator[Try]:
    def spellings(mistake: str) -> Iterator[str]:
        value = _computed(mistake, values).number
        if value is not None:
            yield f"{100 * value}%" if _is_percentage(question.answer) else f"{value}"

    return typed.tries(question, [shown_answer(question, values)], spellings)
