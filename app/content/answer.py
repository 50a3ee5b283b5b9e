"""What a student typed, read by the rules of each type of question: counts, shapes, numbers, words.

Every refusal is an `UnreadableAnswer` that names the remedy; it costs the student nothing.
"""

import re
from collections.abc import Mapping
from fractions import Fraction

from app.content.expression import (
    FULL_WIDTH,
    MAX_CHARACTERS,
    Quotient,
    UnreadableAnswer,
    number,
    read_length,
    read_lengths,
)

Shape = tuple[Quotient, ...]

_GROUP_MARKS = ",_ '’\u00a0\u2009\u202f"
_GROUPED = re.compile(
    rf"(?<![\w.,])[0-9]{{1,3}}([{_GROUP_MARKS}])[0-9]{{3}}(?:\1[0-9]{{3}})*(?![\w]|[{_GROUP_MARKS}]?[0-9])"
)


def ungrouped(text: str) -> str:
    """`393,216`, `393 216` and `393_216` without their marks; a number grouped in another way stays as it is."""
    return _GROUPED.sub(lambda match: match[0].replace(match[1], ""), text)


def read_count(text: str, rounded: bool = False) -> tuple[Fraction, str]:
    """What the student typed as a whole number, and how it was understood. `rounded`: `0.39M`, `3.9e5` and `about 393k`
    are read, too, for a question that asks for no more digits than that."""
    sides, is_about = _sides(_short(text))
    if is_about and not rounded:
        raise UnreadableAnswer("That says that it is rounded; this count is exact.", "Write every digit, or a product.")
    return _agreed([(*_read_count(side, rounded), _last_digit(side)) for side in sides])


def _read_count(text: str, rounded: bool) -> tuple[Fraction, str]:
    plain = _without_unit(text)
    if re.fullmatch(r"[(\[][0-9 ]+(,[0-9 ]*)+[)\]]", plain):
        raise UnreadableAnswer("That is a shape; a count is one number.", "Multiply the lengths, as in 3 * 5.")
    if rounded and (short := _shortened(plain)) is not None:
        return _whole_or_refused(short), f"{int(short):,}"
    plain = _TIMES.sub(" * ", ungrouped(plain))
    if re.search(r"[0-9],[0-9]", plain):
        raise UnreadableAnswer(
            f"`{text.strip()}` has a comma where none groups thousands.",
            "Write 12,000 or 12000; a count has no decimals.",
        )
    if shorthand := _SHORTHAND.fullmatch(plain):
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
    count = _whole_or_refused(count)
    is_plain = re.fullmatch(r"[0-9]+", plain) is not None
    formula = re.sub(r"\s*[*×·]\s*", " × ", plain) if "**" not in plain else plain
    return count, f"{int(count):,}" if is_plain else f"{formula} = {int(count):,}"


# `512 x 768`, `512 by 768`, `512 times 768`; not the x of `0x10`
_TIMES = re.compile(r"(?<=[0-9)\]])(?<!\b0)(?:\s*(?:[xX]|by)\s*|\s+(?:times|multiplied by)\s+)(?=[0-9(\[])")
_ABOUT = re.compile(r"\A(?:[~∼≈≃≅]|(?:about|around|roughly|approximately|approx\.?|circa|ca\.?)\s)\s*", re.IGNORECASE)
_EQUALS = re.compile(r"~=|==?|[≈≃≅]")
_MOST_SIDES = 4


def _sides(plain: str) -> tuple[list[str], bool]:
    """(`512 × 768 = 393,216` in two; whether one says that it is rounded). `= 5`, `5 =` and `about 5` are `5`."""
    plain = plain.rstrip(".").removeprefix("=").removesuffix("=").strip()
    exact = _ABOUT.sub("", plain)
    said = [side.strip() for side in _EQUALS.split(exact, maxsplit=_MOST_SIDES)]
    sides = [_ABOUT.sub("", side) for side in said]
    if len(sides) > _MOST_SIDES or (len(sides) > 1 and not all(sides)):
        raise UnreadableAnswer("An equals sign stands where nothing is equal.", "Write one number: 3 * 5, or 15.")
    return sides, exact != plain or sides != said


def _agreed(sides: list[tuple[Fraction, str, Fraction]]) -> tuple[Fraction, str]:
    """Of an equation's sides (value, how it was understood, one in its last digit) the most exact one, where they come
    to the same: `1/3 = 0.333` do, as far as the digits go."""
    value, read_as, _ = min(sides, key=lambda side: side[2])
    for other, _, step in sides:
        if other == value:
            continue
        is_rounded = abs(other - value) <= step / 2
        if not is_rounded and not 0 <= abs(value) - abs(other) < step:  # nor cut off
            raise UnreadableAnswer(
                f"The two sides are not equal: one comes to {_said(value)}, the other to {_said(other)}.",
                "Check them, or write one side alone.",
            )
    return value, read_as


def _said(value: Fraction) -> str:
    return f"{int(value):,}" if value.denominator == 1 else _decimal(value)


def _last_digit(side: str) -> Fraction:
    """0.01 of `0.39` and of `2 %`, 10,000 of `0.39M`; 0 of a whole number and of a formula, which are what they say."""
    bare = _without_unit(ungrouped(side))
    if short := _SHORTHAND.fullmatch(bare):
        return Fraction(10) ** (_power(short) - len(short[1].partition(".")[2]))
    if decimal := re.fullmatch(r"-?[0-9]*\.?([0-9]*)\s*(%?)", bare):
        is_whole = "." not in bare and not decimal[2]
        return Fraction(0) if is_whole else Fraction(1, 10 ** (len(decimal[1]) * ("." in bare) + 2 * bool(decimal[2])))
    return Fraction(0)


def _without_unit(plain: str) -> str:
    """`512*768` of `512*768 trainable parameters`; what a word multiplies or counts by is no unit: `2 million`."""
    rest, has_noun = plain, False
    for _ in range(_MOST_WORDS):
        before, _, word = rest.rpartition(" ")
        is_noun = re.fullmatch(r"[A-Za-z][a-z]{3,}", word) is not None and word.lower() not in _NO_UNITS
        if not before or not (is_noun or word in ("in", "of", "the", "all")):
            break
        rest, has_noun = before.rstrip(), has_noun or is_noun
    return rest if has_noun and _ENDS_A_NUMBER.search(rest) else plain


def _whole_or_refused(count: Fraction) -> Fraction:
    if count.denominator == 1 and count >= 0:
        return count
    raise UnreadableAnswer(
        f"That comes to {float(count):g}; a count is a whole number, zero or more.",
        "Check the signs, and write thousands with a comma or without a mark.",
    )


_THOUSANDS = {"k": 3, "thousand": 3, "m": 6, "million": 6, "b": 9, "billion": 9}
_SHORTHAND = re.compile(
    r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(?:([kKmMbB]|thousand|million|billion)|[eE]\+?([0-9]{1,2}))"
)


def _shortened(plain: str) -> Fraction | None:
    """`0.39M`, `393k`, `3.9e5`, `0.39 million`."""
    found = _SHORTHAND.fullmatch(ungrouped(plain))
    return Fraction(found[1].rstrip(".")) * 10 ** _power(found) if found else None


def _power(shorthand: re.Match[str]) -> int:
    """Of ten."""
    return _THOUSANDS[shorthand[2].lower()] if shorthand[2] else int(shorthand[3])


def _short(text: str) -> str:
    """In plain characters, without space around it. What is too long for a formula is too long for every rule here."""
    text = text.strip()
    if len(text) > MAX_CHARACTERS:
        raise UnreadableAnswer(f"That is {len(text)} characters long.", f"An answer here has at most {MAX_CHARACTERS}.")
    return text.translate(FULL_WIDTH).strip()


_NUMBER_WORDS = frozenset(
    ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
)
_NO_UNITS = _NUMBER_WORDS | frozenset([
    "hundred", "thousand", "million", "billion", "trillion", "dozen", "half", "third", "thirds", "quarter", "quarters",
    "percent", "cent", "times", "plus", "minus", "over", "squared", "cubed", "more", "less", "than", "point",
])  # fmt: skip
_MOST_WORDS = 4
_ENDS_A_NUMBER = re.compile(r"(?:[0-9)\]%][kKmMbB]?|[0-9] [kKmMbB]|thousand|million|billion)$")


def author_count(expression: str, given: Mapping[str, Quotient]) -> Quotient:
    return read_length(ungrouped(expression), given)


def whole(value: Quotient) -> int:
    count = value.number
    if count is None:
        raise UnreadableAnswer(f"`{min(value.symbols)}` has no value.", "Add it to `:given:`.")
    if count.denominator != 1 or count < 0:
        raise UnreadableAnswer(f"The answer comes to {count}.", "A count is a whole number, zero or more.")
    return int(count)


def read_shape(text: str, given: Mapping[str, Quotient], known: frozenset[str]) -> Shape:
    """What the student typed; `known` are the names that the question shows."""
    text = _short(text).strip("`$.").strip()
    text = _SHAPE_IS.sub("", text)
    if dtyped := _DTYPED.fullmatch(text):
        text = dtyped[1]
    if braced := re.fullmatch(r"\{([^{}]*)\}", text):
        text = f"({braced[1]})"
    if "," not in text:  # nobody says `by` for a product where a shape is asked for
        text = _BY.sub(", ", text)
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
        raise UnreadableAnswer(f"The question has no `{name}`.", _other_name(name, known))
    return shape


def _other_name(name: str, known: frozenset[str]) -> str:
    alike = [other for other in sorted(known) if other.lower() == name.lower()]
    if alike:
        return f"Capitals count: `{alike[0]}` is there."
    longer = [other for other in sorted(known) if "_" in other and _bare(other).startswith(_bare(name))]
    shown = f": `{longer[0]}` is one." if len(longer) == 1 else ", or numbers."
    return f"Use the question's own names{shown}"


def _bare(name: str) -> str:
    return name.replace("_", "").lower()


# `shape (2, 3)`, `x.shape == (2, 3)`, `Shape: [2, 3]`
_SHAPE_IS = re.compile(r"^(?:[A-Za-z_]\w*\.)?shape(?:\s*(?:is|==?|:)\s*|\s+(?=[\[({]))", re.IGNORECASE)
_BY = re.compile(r"(?<=[\w)\]])\s+by\s+(?=[\w(\[])|(?<=[0-9])by(?=[0-9])")
# `float32[2, 3]`, `f32[2,3]`, as JAX writes them and as exercises declare them
_DTYPED = re.compile(r"(?:bool|pred|(?:b?f|float|bfloat|i|s|u|int|uint|c|complex)[0-9]{1,3})\s*(\[.*\])")
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


def read_number(text: str, percent: bool = False) -> tuple[Fraction, str]:
    """A number with decimals, such as `0.02`, `2e-2`, `1/50` or `2 %`, and how it was understood. `percent`: the
    question asks for a percentage, and a bare number is one."""
    sides, _ = _sides(_short(text).translate(_VULGAR))
    percent = percent and not any("%" in side for side in sides[1:])
    scale = 100 if percent else 1
    return _agreed([
        (*_read_number(side, percent), _last_digit(side) / (1 if "%" in side else scale)) for side in sides
    ])  # fmt: skip


def _read_number(text: str, percent: bool) -> tuple[Fraction, str]:
    plain = text
    if amount := re.fullmatch(r"(.*[0-9)\]])\s*(?:%|per ?cent)", plain, re.DOTALL):
        plain, percent = amount[1], True
    elif amount := _WITH_UNIT.fullmatch(plain):
        plain = amount[1]
    else:
        plain = _without_unit(plain)
    plain = _SCIENTIFIC.sub(_spelled_out, ungrouped(plain))
    if re.search(r"[0-9],[0-9]", plain):
        message = f"`{text.strip()}` has a comma where none groups thousands."
        raise UnreadableAnswer(message, "Write decimals with a point.")
    if shorthand := _SHORTHAND.fullmatch(plain):
        raise UnreadableAnswer(f"`{shorthand[0]}` is short for a number.", "Write it in full, or as 1.5e6.")
    value = read_length(plain)
    if value.symbols:
        raise UnreadableAnswer(f"`{min(value.symbols)}` is a name.", "Put its value in.")
    assert value.number is not None
    if percent:
        return value.number / 100, f"{_decimal(value.number)} % = {_decimal(value.number / 100)}"
    return value.number, _decimal(value.number)


def _decimal(value: Fraction) -> str:
    return f"{float(value):.12g}"


_VULGAR = {ord(sign): f"({over}/{under})" for sign, over, under in (
    ("½", 1, 2), ("⅓", 1, 3), ("⅔", 2, 3), ("¼", 1, 4), ("¾", 3, 4), ("⅕", 1, 5), ("⅛", 1, 8))}  # fmt: skip
_WITH_UNIT = re.compile(
    r"(.*[0-9)])(?:\s*(?:[mµun]?s|min|h|[kKMGT]i?B|bits?|nats?|bytes?|[kMG]?Hz|[kMGT]?FLOPs?|rad|deg|°|px))",
    re.DOTALL,
)


def is_percentage(written: str) -> bool:
    """Whether an author asks for a percentage: `:answer: 25%`."""
    return written.rstrip().endswith("%")


def author_number(expression: str, given: Mapping[str, Quotient]) -> Quotient:
    """`1/d`, `25%`."""
    value = read_length(ungrouped(expression.strip().removesuffix("%")), given)
    if not is_percentage(expression) or value.number is None:
        return value
    return number(value.number / 100)


_SCIENTIFIC = re.compile(r"(?<![\w.])([0-9]+(?:\.[0-9]+)?)[eE]([+-]?)([0-9]{1,2})(?![\w.])")


def _spelled_out(match: re.Match[str]) -> str:
    return f"({match[1]} {'/' if match[2] == '-' else '*'} 10**{int(match[3])})"


def spellings(text: str) -> frozenset[str]:
    """The accepted spellings in `one | another`, without case and outer space."""
    return frozenset(map(read_text, text.split("|")))


def read_text(text: str) -> str:
    return " ".join(text.split()).casefold()


def read_output(text: str) -> str:
    """What a program prints, as it is compared: without space at the ends of lines and empty lines around it. Inside
    brackets space and line ends count only where they part two words: `(2,3)` is `(2, 3)`, and `[[1 2]` above `[3 4]]`
    is `[[1 2] [3 4]]`."""
    lines: list[str] = []
    depth = 0
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if depth and lines:
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line.rstrip())
        depth = max(0, depth + sum(line.count(sign) for sign in "([{") - sum(line.count(sign) for sign in ")]}"))
    return "\n".join(map(_in_brackets, lines)).strip("\n")


def _in_brackets(line: str) -> str:
    """The line with all that stands between its first bracket and the last one set closely."""
    start = min((at for sign in "([{" if (at := line.find(sign)) >= 0), default=0)
    end = max(line.rfind(sign) for sign in ")]}") + 1
    if end <= start:
        return line
    inside = re.sub(r"\s+", " ", line[start:end])
    inside = re.sub(r" ?([(\[{)\]},:]) ?", r"\1", inside)
    return line[:start] + inside + line[end:]


def computed(expression: str, values: Mapping[str, str]) -> str:
    """What arithmetic with given names comes to, in digits: `T - 1` is `5` where T is `6`. Of whole numbers it is
    whole; where one has a point, a decimal of at most six places. Raises UnreadableAnswer, with the author's remedy."""
    names = NAME.findall(expression)
    numbers = numbers_in({name: values[name] for name in names if name in values})
    for name in names:
        if name not in values:
            raise UnreadableAnswer(f"`{name}` is not given.", "Add it to `:given:`, or correct its name.")
        if name not in numbers or numbers[name].symbols:
            raise UnreadableAnswer(f"`{name}` is `{values[name]}`, which is no number.", "Compute with numbers only.")
    value = read_length(expression, numbers).number
    assert value is not None
    if value.denominator == 1:
        return str(value.numerator)
    are_whole = all(one.number is not None and one.number.denominator == 1 for one in numbers.values())
    if are_whole and "." not in expression:
        hint = "Choose values that divide, write `//`, which rounds down, or put a point in: `T / 2.0`."
        raise UnreadableAnswer(f"It comes to {value}, which is not whole.", hint)
    millionths = value * 10**MOST_PLACES
    if millionths.denominator != 1:
        message = f"It comes to {value}, which has more than {MOST_PLACES} decimal places."
        raise UnreadableAnswer(message, "Choose other values, or put in what it is rounded to yourself.")
    digits = f"{abs(millionths.numerator):0{MOST_PLACES + 1}}"
    return f"{'-' if value < 0 else ''}{digits[:-MOST_PLACES]}.{digits[-MOST_PLACES:].rstrip('0')}"


NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
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
