"""Values for their names in what an author writes: `{{T}}`, and arithmetic with them, `{{T - 1}}`."""

import re
from collections.abc import Mapping

from app.content.expression import FUNCTIONS, Quotient, UnreadableAnswer, read_length, ungrouped


def substitute(text: str, values: Mapping[str, str]) -> str:
    """`{{name}}` becomes its value and `{{name - 1}}` what it comes to, in mathematics too; what is not given, or no
    number, stays."""

    def put_in(match: re.Match[str]) -> str:
        expression = match[1].strip()
        if expression in values or expression.isidentifier():
            return values.get(expression, match[0])
        try:
            return computed(expression, values)
        except UnreadableAnswer:
            return match[0]

    return SUBSTITUTION.sub(put_in, text)


# Arithmetic with a name in it. Other braces in braces are code's and mathematics' own: `{{"a": 1}}`, `{{0}}`.
SUBSTITUTION = re.compile(r"\{\{(?=[^{}\n]*[A-Za-z_])([A-Za-z0-9_+\-*/(). ×·−÷^]+)\}\}")


def computed(expression: str, values: Mapping[str, str]) -> str:
    """What arithmetic with given names comes to, in digits: `T - 1` is `5` where T is `6`. Of whole numbers it is
    whole; where one has a point, a decimal of at most six places; of `sqrt` and its kin six digits that count. Raises
    UnreadableAnswer, with the author's remedy."""
    names = NAME.findall(expression)
    numbers = numbers_in({name: values[name] for name in names if name in values})
    for name in names:
        if name not in values:
            raise UnreadableAnswer(f"`{name}` is not given.", "Add it to `:given:`, or correct its name.")
        if name not in numbers or numbers[name].symbols:
            raise UnreadableAnswer(f"`{name}` is `{values[name]}`, which is not a number.", "Use numbers only.")
    value = read_length(expression, numbers).number
    assert value is not None
    if value.denominator == 1:
        return str(value.numerator)
    if _FUNCTION.search(expression):
        return f"{float(value):.{MOST_PLACES}g}"
    are_whole = all(one.number is not None and one.number.denominator == 1 for one in numbers.values())
    if are_whole and "." not in expression:
        hint = "Choose values that divide, write `//`, which rounds down, or write a decimal point: `T / 2.0`."
        raise UnreadableAnswer(f"It comes to {value}, which is not whole.", hint)
    millionths = value * 10**MOST_PLACES
    if millionths.denominator != 1:
        message = f"It comes to {value}, which has more than {MOST_PLACES} decimal places."
        raise UnreadableAnswer(message, "Choose other values, or write the rounded number yourself.")
    digits = f"{abs(millionths.numerator):0{MOST_PLACES + 1}}"
    return f"{'-' if value < 0 else ''}{digits[:-MOST_PLACES]}.{digits[-MOST_PLACES:].rstrip('0')}"


_FUNCTION = re.compile(rf"\b(?:{'|'.join(FUNCTIONS)})\s*\(")
NAME = re.compile(rf"(?!{_FUNCTION.pattern})\b[A-Za-z_][A-Za-z0-9_]*")
MOST_PLACES = 6


def numbers_in(values: Mapping[str, str]) -> dict[str, Quotient]:
    """Those of the given values that are numbers or formulas; others are words to put in."""
    read: dict[str, Quotient] = {}
    for name, value in values.items():
        try:
            read[name] = read_length(ungrouped(value))
        except UnreadableAnswer:
            continue
    return read
