"""What a student typed, read by the rules of each type of question: counts, shapes, numbers, words.

Every refusal is an `UnreadableAnswer` that names the remedy; it costs the student nothing.
"""

import re
from collections.abc import Mapping
from fractions import Fraction

from app.content.expression import FULL_WIDTH, Quotient, UnreadableAnswer, read_length, read_lengths

_GROUP_MARKS = ",_ '’\u00a0\u2009\u202f"
_GROUPED = re.compile(
    rf"(?<![\w.,])[0-9]{{1,3}}([{_GROUP_MARKS}])[0-9]{{3}}(?:\1[0-9]{{3}})*(?![\w]|[{_GROUP_MARKS}]?[0-9])"
)


def ungrouped(text: str) -> str:
    """`393,216`, `393 216` and `393_216` without their marks; a number grouped in another way stays as it is."""
    return _GROUPED.sub(lambda match: match[0].replace(match[1], ""), text)


def read_count(text: str) -> tuple[int, str]:
    """What the student typed as a whole number, and how it was understood."""
    plain = text.translate(FULL_WIDTH).strip().rstrip(".").removeprefix("=").strip()
    if "=" in plain:
        raise UnreadableAnswer("An equals sign has two sides; a count is one number.", "Write one side: 3 * 5, or 15.")
    if re.fullmatch(r"[(\[[0-9\s]+(,[0-9\s]*)+[)\]]", plain):
        raise UnreadableAnswer("That is a shape; a count is one number.", "Multiply the lengths, as in 3 * 5.")
    if re.search(r"[a-z]{4,}", plain) and (amount := re.match(r"([0-9][0-9,_ '’]*[0-9]|[0-9])\s+[a-z]+$", plain)):
        plain = amount[1]  # "393216 parameters"
    plain = re.sub(r"(?<=[0-9])(?<!\b0)\s*[xX]\s*(?=[1-9])", " * ", ungrouped(plain))
    if re.search(r"[0-9],[0-9]", plain):
        raise UnreadableAnswer(
            f"`{text.strip()}` has a comma where none groups thousands.",
            "Write 12,000 or 12000; a count has no decimals.",
        )
    if shorthand := re.fullmatch(r"[0-9.]+\s*([kKmMbB]|[eE]\+?[0-9]+)", plain):
        raise UnreadableAnswer(
            f"`{shorthand[0]}` is rounded or short for a number.",
            "Write the number in full, or as a product, as in 3 * 5.",
        )
    value = read_length(plain)
    if value.symbols:
        name = min(value.symbols)
        if name.casefold() in _NUMBER_WORDS:
            raise UnreadableAnswer(f"`{name}` is a word.", "Write the number in digits.")
        raise UnreadableAnswer(f"`{name}` is a name; a count is a number.", "Put the numbers in, as in 3 * 5.")
    count = value.number
    assert count is not None
    if count.denominator != 1 or count < 0:
        raise UnreadableAnswer(
            f"That comes to {float(count):g}; a count is a whole number, zero or more.",
            "Check the signs, and write thousands with a comma or without a mark.",
        )
    is_plain = re.fullmatch(r"[0-9]+", plain) is not None
    formula = re.sub(r"\s*\*\s*(?!\*)(?<!\*\*)", " × ", plain) if "**" not in plain else plain
    return int(count), f"{int(count):,}" if is_plain else f"{formula} = {int(count):,}"


_NUMBER_WORDS = frozenset(
    ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
)


def author_count(expression: str, given: Mapping[str, Quotient]) -> Quotient:
    return read_length(ungrouped(expression), given)


def whole(value: Quotient) -> int:
    count = value.number
    if count is None:
        raise UnreadableAnswer(f"`{min(value.symbols)}` has no value.", "Add it to `:given:`.")
    if count.denominator != 1 or count < 0:
        raise UnreadableAnswer(f"The answer comes to {count}.", "A count is a whole number, zero or more.")
    return int(count)


def read_shape(text: str, given: Mapping[str, Quotient], known: frozenset[str]) -> tuple[Quotient, ...]:
    """What the student typed; `known` are the names that the question uses."""
    text = text.translate(FULL_WIDTH).strip().strip("`$.").strip()
    text = re.sub(r"^shape(?:\s*(?:is|[=:])\s*|\s+)(?=[\[(])", "", text, flags=re.IGNORECASE)
    if not re.search(r"[,(\[]", text) and _AXES_WITHOUT_COMMAS.search(text):
        raise UnreadableAnswer(
            "It is not clear whether that is one length or several.",
            "Put commas between the axes: (A, B, C).",
        )
    shape = read_lengths(text, given)
    for length in shape:
        value = length.number
        if value is not None and (value.denominator != 1 or value < 0):
            raise UnreadableAnswer(
                f"{value} is not a length.", "Each axis has a whole length, zero or more: write it out."
            )
    for name in sorted({name for length in shape for name in length.symbols} - known):
        alike = [other for other in sorted(known) if other.lower() == name.lower()]
        remedy = f"Capitals count: `{alike[0]}` is there." if alike else "Use the question's own names, or numbers."
        raise UnreadableAnswer(f"The question has no `{name}`.", remedy)
    return shape


# `512×768`, `512x768`, `N x T`, `N T d_model`
_AXES_WITHOUT_COMMAS = re.compile(r"[×·]|[\w\s]\s[xX]\s[\w\s]|[0-9][xX][0-9]|^\w+(?:\s+\w+)+$")


def shown_names(prompt: str) -> set[str]:
    plain = re.sub(
        r"\\(?:text|mathrm|mathit|operatorname)|\\_|[{}\\]", lambda match: "_" if match[0] == "\\_" else "", prompt
    )
    return set(re.findall(r"[A-Za-z_][A-Za-z0-9_]*", plain))


def written_shape(shape: tuple[Quotient, ...]) -> str:
    return f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(map(str, shape))})"


def first_difference(shape: tuple[Quotient, ...], right: tuple[Quotient, ...]) -> str:
    if len(shape) != len(right):
        return f"Your shape has {_axes(len(shape))}; the right one has {len(right)}."
    left = list(right)
    for length in shape:
        if length in left:
            left.remove(length)
    if not left:
        return "Those are the right lengths in another order."
    axis = next(index for index, (mine, theirs) in enumerate(zip(shape, right, strict=True)) if mine != theirs)
    return f"Axis {axis}, counted from 0, is not `{shape[axis]}`."


def _axes(count: int) -> str:
    return "1 axis" if count == 1 else f"{count} axes"


def read_number(text: str) -> tuple[Fraction, str]:
    """A number with decimals, such as `0.02`, `2e-2` or `1/50`, and how it was understood."""
    plain = _SCIENTIFIC.sub(_spelled_out, ungrouped(text.translate(FULL_WIDTH).strip()))
    if re.search(r"[0-9],[0-9]", plain):
        message = f"`{text.strip()}` has a comma where none groups thousands."
        raise UnreadableAnswer(message, "Write decimals with a point.")
    value = read_length(plain)
    if value.symbols:
        raise UnreadableAnswer(f"`{min(value.symbols)}` is a name.", "Put its value in.")
    assert value.number is not None
    return value.number, f"{float(value.number):.12g}"


_SCIENTIFIC = re.compile(r"(?<![\w.])([0-9]+(?:\.[0-9]+)?)[eE]([+-]?)([0-9]{1,2})(?![\w.])")


def _spelled_out(match: re.Match[str]) -> str:
    return f"({match[1]} {'/' if match[2] == '-' else '*'} 10**{match[3]})"


def spellings(text: str) -> frozenset[str]:
    """The accepted spellings in `one | another`, without case and outer space."""
    return frozenset(map(read_text, text.split("|")))


def read_text(text: str) -> str:
    return " ".join(text.split()).casefold()


def numbers_in(values: Mapping[str, str]) -> dict[str, Quotient]:
    """Those of the given values that are numbers or formulas; others are words to put in."""
    read: dict[str, Quotient] = {}
    for name, value in values.items():
        try:
            read[name] = read_length(ungrouped(value))
        except UnreadableAnswer:
            continue
    return read
