"""`count`: a whole number, exact unless its author gives a tolerance: `393216`, `393,216`, `512 × 768`, `0.39M`, or a
formula in the names that the prompt shows with their values, `max_len * d_model`."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from app.content.expression import Quotient, UnreadableAnswer, read_length, ungrouped
from app.content.questions import typed
from app.content.questions.kind import Outcome, Reading, Try, Written
from app.content.questions.names import shown_numbers, with_products
from app.content.questions.nearly import near_number
from app.content.questions.numerals import (
    NUMBER_WORDS,
    SHORTHAND,
    agreed,
    last_digit,
    power_of_ten,
    sides_of,
    without_unit,
)
from app.content.questions.question import Question, Values
from app.content.substitution import numbers_in
from graders.exercise.fault import Fault

NAME = "count"
WRITTEN = Written("answer", settings=typed.SETTINGS | {"tolerance", "rtol"}, is_number=True)
WIDGET = typed.READ_LINE
REMEDY = typed.REMEDY


def placeholder(question: Question) -> str:
    return "such as 1.2M or 1200 * 1000" if _is_rounded(question) else "such as 1024 or 32 * 32"


def _is_rounded(question: Question) -> bool:
    return bool(question.atol or question.rtol)


def read(question: Question, values: Values, answer: str) -> Reading:
    """Where the question asks for no more digits than that, `0.39M`, `3.9e5` and `about 393k` are read, too."""
    rounded = _is_rounded(question)
    sides, is_about = sides_of(typed.short(answer))
    if is_about and not rounded:
        raise UnreadableAnswer("That is a rounded number; this count is exact.", "Write every digit, or a product.")
    names = shown_numbers(question, values)
    return Reading(*agreed([(*_read_side(side, rounded, names), last_digit(side)) for side in sides]))


def _read_side(text: str, rounded: bool, names: Mapping[str, Quotient]) -> tuple[Fraction, str]:
    plain = without_unit(text)
    if re.fullmatch(r"[(\[][0-9 ]+(,[0-9 ]*)+[)\]]", plain):
        raise UnreadableAnswer("That is a shape; a count is one number.", "Multiply the lengths, as in 3 * 5.")
    if rounded and (short := _shortened(plain)) is not None:
        return _whole_or_refused(short), f"{int(short):,}"
    plain = _TIMES.sub(" * ", ungrouped(plain))
    if re.search(r"[0-9],[0-9]", plain):
        raise UnreadableAnswer(
            f"The comma in `{text.strip()}` does not group thousands.",
            "Write 12,000 or 12000; a count has no decimals.",
        )
    if shorthand := SHORTHAND.fullmatch(plain):
        raise UnreadableAnswer(
            f"`{shorthand[0]}` is rounded or short for a number.",
            "Write the number in full, or as a product, as in 3 * 5.",
        )
    plain = _named_product(plain, names)
    value = read_length(plain, names)
    if value.symbols:
        name = min(value.symbols)
        if name.casefold() in NUMBER_WORDS:
            raise UnreadableAnswer(f"`{name}` is a word.", "Write the number in digits.")
        if alike := next((other for other in sorted(names) if other.casefold() == name.casefold()), None):
            raise UnreadableAnswer(f"`{name}` is not `{alike}` here.", "Check the capitals.")
        raise UnreadableAnswer(f"`{name}` is a name; a count is a number.", "Write its value, as in 3 * 5.")
    count = value.number
    assert count is not None
    count = _whole_or_refused(count)
    is_plain = re.fullmatch(r"[0-9]+", plain) is not None
    formula = re.sub(r"\s*[*×·]\s*", " × ", plain) if "**" not in plain else plain
    return count, f"{int(count):,}" if is_plain else f"{formula} = {int(count):,}"


def _named_product(plain: str, names: Mapping[str, Quotient]) -> str:
    """`max_len * d_model` for `max_len x d_model`, `2*d_model` for `2d_model`."""
    if not names:
        return plain
    return with_products(plain if "x" in names or "by" in names else _NAMED_TIMES.sub(" * ", plain), names.keys())


_NAMED_TIMES = re.compile(r"(?<=[\w)\]]) (?:x|by|times) (?=[\w(\[])")
# `512 x 768`, `512 by 768`, `512 times 768`; not the x of `0x10`
_TIMES = re.compile(r"(?<=[0-9)\]])(?<!\b0)(?:\s*(?:[xX]|by)\s*|\s+(?:times|multiplied by)\s+)(?=[0-9(\[])")


def _whole_or_refused(count: Fraction) -> Fraction:
    if count.denominator == 1 and count >= 0:
        return count
    raise UnreadableAnswer(
        f"That comes to {float(count):g}; a count is a whole number, zero or more.",
        "Check the signs, and write thousands with a comma or without a mark.",
    )


def _shortened(plain: str) -> Fraction | None:
    """`0.39M`, `393k`, `3.9e5`, `0.39 million`."""
    found = SHORTHAND.fullmatch(ungrouped(plain))
    return Fraction(found[1].rstrip(".")) * 10 ** power_of_ten(found) if found else None


def judge(question: Question, values: Values, count: Fraction) -> Outcome:
    wanted = _answer(question, values)
    numbers = numbers_in(values)

    def is_right(value: Fraction) -> bool:
        return abs(value - wanted) <= question.atol + question.rtol * wanted

    def compute(expression: str) -> Fraction | None:
        return read_length(ungrouped(expression), numbers).number

    if is_right(count):
        return Outcome(1.0)
    return typed.missed(
        question,
        lambda expression: compute(expression) == count,
        lambda: near_number(count, Fraction(wanted), is_right, ungrouped(question.answer), compute),
    )


def _computed(expression: str, values: Values) -> Quotient:
    """What an author writes, in these values."""
    return read_length(ungrouped(expression), numbers_in(values))


def _answer(question: Question, values: Values) -> int:
    return _whole(_computed(question.answer, values))


def _whole(value: Quotient) -> int:
    count = typed.valued(value).number
    assert count is not None
    if count.denominator != 1 or count < 0:
        raise UnreadableAnswer(f"The answer comes to {count}.", "A count is a whole number, zero or more.")
    return int(count)


def answer_text(question: Question, values: Values) -> str:
    return str(_answer(question, values))


def shown_answer(question: Question, values: Values) -> str:
    return f"{_answer(question, values):,}"


def faults(question: Question) -> Iterator[Fault]:
    def whole(expression: str, values: Values) -> Fraction | None:
        return Fraction(_whole(_computed(expression, values)))

    def valued(expression: str, values: Values) -> Fraction | None:
        return typed.valued(_computed(expression, values)).number

    return typed.answer_faults(question, whole, valued)


def tries(question: Question, values: Values) -> Iterator[Try]:
    count = _answer(question, values)
    right = (str(count), f"{count:,}", f"{count:,}".replace(",", " "), f"{count:,}".replace(",", "\u202f"))

    def spellings(mistake: str) -> Iterator[str]:
        value = _computed(mistake, values).number
        if value is not None and value.denominator == 1 and value >= 0:
            yield str(value)

    return typed.tries(question, right, spellings)
