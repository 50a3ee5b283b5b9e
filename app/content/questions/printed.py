"""Arrays as programs print them, and as people write down what is printed: which are the same, and what is off.

NumPy prints `[1 2 3]`. People write `[1, 2, 3]`, or leave out the outermost brackets, and mean that. A list has commas,
so where the right output has one, commas are looked at; so are brackets around a single item, which make another shape.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Union

MOST_DEPTH = 12
MOST_NUMBERS = 400
_NUMBER = r"[-+]?(?:[0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})(?:e[-+]?[0-9]{1,2})?(?![\w.])"
_TOKENS = re.compile(rf"[\[\]()]|{_NUMBER}|nan|[-+]?inf|True|False|[\s,]+")
_TENSOR = re.compile(r"tensor\((.*?)(?:, ?dtype=[\w.]+)?\)")
Nested = Union["Values", Fraction, str]
Values = tuple[Nested, ...]


def set_closely(line: str) -> str:
    """The line with all that stands between its first bracket and the last one set closely."""
    start = min((at for sign in "([{" if (at := line.find(sign)) >= 0), default=0)
    end = max(line.rfind(sign) for sign in ")]}") + 1
    if end <= start:
        return line
    inside = re.sub(r"\s+", " ", line[start:end])
    inside = re.sub(r" ?([(\[{)\]},:]) ?", r"\1", inside)
    return line[:start] + inside + line[end:]


# ---- the same in other marks ----------------------------------------------------------------------------------


def is_same_print(typed: str, right: str) -> bool:
    """Whether `typed` is an array as NumPy prints it, `right`, but with commas or without the outermost brackets."""
    if re.search(r"\[[^\]]*,|['\"]", right):
        return False
    mine, theirs = typed.split("\n"), right.split("\n")
    if len(theirs) == 1 and len(mine) > 1:
        mine = [" ".join(mine)]
    return len(mine) == len(theirs) and all(map(_is_same_line, mine, theirs))


def _is_same_line(typed: str, right: str) -> bool:
    if typed == right:
        return True
    array = read_printed(right)
    if array is None or not right.startswith("["):
        return False
    if _without_commas(typed) == right:
        return True
    outermost = array.values[0] if len(array.values) == 1 else ()
    return isinstance(outermost, tuple) and len(outermost) > 1 and _without_commas(f"[{typed}]") == right


def _without_commas(line: str) -> str:
    return set_closely(re.sub(r" ?, ?", " ", line)) if line.startswith("[") else line


# ---- what is off ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Printed:
    """A line of numbers: `values` as its brackets hold them."""

    values: Values
    brackets: str
    has_points: bool
    has_commas: bool


def read_printed(line: str) -> Printed | None:
    """None of a line that has other than numbers and brackets, or more than anyone types."""
    stack: list[list[Nested]] = [[]]
    at = count = 0
    while at < len(line):
        token = _TOKENS.match(line, at)
        if token is None or count > MOST_NUMBERS or len(stack) > MOST_DEPTH:
            return None
        at, text = token.end(), token[0]
        if text in "[(":
            stack.append([])
        elif text in "])":
            if len(stack) == 1:
                return None
            inner = tuple(stack.pop())
            stack[-1].append(inner)
        elif text.strip(", \t"):
            count += 1
            stack[-1].append(Fraction(text) if re.search("[0-9]", text) else text)
    brackets = "".join(sign for sign in line if sign in "[]()")
    return Printed(tuple(stack[0]), brackets, "." in line, "," in line) if len(stack) == 1 and count else None


def near_line(typed: str, right: str) -> str | None:
    """What a line of numbers has in common with the right one."""
    mine, theirs = read_printed(typed), read_printed(right)
    if tensor := _TENSOR.fullmatch(right):
        if typed_tensor := _TENSOR.fullmatch(typed):
            return near_line(typed_tensor[1], tensor[1]) if typed_tensor[1] != tensor[1] else None
        theirs = read_printed(tensor[1])
        is_same = mine is not None and theirs is not None and mine.values == theirs.values
        return "The numbers are right; PyTorch prints `tensor(…)` around them." if is_same else None
    if mine is None or theirs is None:
        return None
    if mine.values == theirs.values and mine.brackets == theirs.brackets:
        return _same_values(mine, theirs)
    return _other_values(mine, theirs)


def _same_values(mine: Printed, theirs: Printed) -> str:
    if mine.has_points != theirs.has_points:
        return "What you typed has the right value, but not the right type: look at the decimal points."
    if mine.has_commas != theirs.has_commas:
        return "The numbers are right; look at the commas between them."
    return "The numbers are right, but they are printed in another way."


def _other_values(mine: Printed, theirs: Printed) -> str | None:
    ours, right = _flat(mine.values), _flat(theirs.values)
    if ours == right:
        return "The numbers are right, but not the brackets: check the shape."
    if len(right) < 2:
        return None
    if len(ours) != len(right):
        return f"It prints {len(right)} numbers; you typed {len(ours)}."
    if _transposed(mine.values) == theirs.values:
        return "The numbers are right, but rows and columns are swapped."
    if sorted(map(str, ours)) == sorted(map(str, right)):
        return "The numbers are right, but they stand in another order."
    is_one_off = sum(a != b for a, b in zip(ours, right, strict=True)) == 1
    return "All of the numbers but one are right." if is_one_off and len(right) > 2 else None


def _flat(values: Values) -> list[Fraction | str]:
    return [leaf for value in values for leaf in (_flat(value) if isinstance(value, tuple) else [value])]


def _transposed(values: Values) -> Values | None:
    """Of a single array with rows and columns; None of anything else."""
    array = values[0] if len(values) == 1 else None
    if not isinstance(array, tuple):
        return None
    rows = [row for row in array if isinstance(row, tuple)]
    if len(rows) != len(array) or len({len(row) for row in rows}) != 1:
        return None
    return (tuple(zip(*rows, strict=True)),)
