"""Numbers as people write them, before the rules of a type: units, equations, `about`, `0.39M`."""

import re
from fractions import Fraction

from app.content.expression import UnreadableAnswer, ungrouped

_ABOUT = re.compile(r"\A(?:[~∼≈≃≅]|(?:about|around|roughly|approximately|approx\.?|circa|ca\.?)\s)\s*", re.IGNORECASE)
_EQUALS = re.compile(r"~=|==?|[≈≃≅]")
_MOST_SIDES = 4


def sides_of(plain: str) -> tuple[list[str], bool]:
    """(`512 × 768 = 393,216` in two; whether one says that it is rounded). `= 5`, `5 =` and `about 5` are `5`."""
    plain = plain.rstrip(".").removeprefix("=").removesuffix("=").strip()
    exact = _ABOUT.sub("", plain)
    written = [side.strip() for side in _EQUALS.split(exact, maxsplit=_MOST_SIDES)]
    sides = [_ABOUT.sub("", side) for side in written]
    if len(sides) > _MOST_SIDES or (len(sides) > 1 and not all(sides)):
        raise UnreadableAnswer("There is an equals sign where nothing is equal.", "Write one number: 3 * 5, or 15.")
    return sides, exact != plain or sides != written


def agreed(sides: list[tuple[Fraction, str, Fraction]]) -> tuple[Fraction, str]:
    """Of an equation's sides (value, how it was understood, one in its last digit) the most exact one, where they come
    to the same: `1/3 = 0.333` do, as far as the digits go."""
    value, read_as, _ = min(sides, key=lambda side: side[2])
    for other, _, step in sides:
        if other == value:
            continue
        is_rounded = abs(other - value) <= step / 2
        if not is_rounded and not 0 <= abs(value) - abs(other) < step:  # nor cut off
            raise UnreadableAnswer(
                f"The two sides are not equal: one comes to {_shown(value)}, the other to {_shown(other)}.",
                "Check them, or write one side only.",
            )
    return value, read_as


def _shown(value: Fraction) -> str:
    return f"{int(value):,}" if value.denominator == 1 else decimal(value)


def decimal(value: Fraction) -> str:
    return f"{float(value):.12g}"


def last_digit(side: str) -> Fraction:
    """0.01 of `0.39` and of `2 %`, 10,000 of `0.39M`; 0 of a whole number and of a formula, which are what they say."""
    bare = without_unit(ungrouped(side))
    if short := SHORTHAND.fullmatch(bare):
        return Fraction(10) ** (power_of_ten(short) - len(short[1].partition(".")[2]))
    if plain := re.fullmatch(r"-?[0-9]*\.?([0-9]*)\s*(%?)", bare):
        is_whole = "." not in bare and not plain[2]
        return Fraction(0) if is_whole else Fraction(1, 10 ** (len(plain[1]) * ("." in bare) + 2 * bool(plain[2])))
    return Fraction(0)


def without_unit(plain: str) -> str:
    """`512*768` of `512*768 trainable parameters`; what a word multiplies or counts by is no unit: `2 million`."""
    rest, has_noun = plain, False
    for _ in range(_MOST_WORDS):
        before, _, word = rest.rpartition(" ")
        is_noun = re.fullmatch(r"[A-Za-z][a-z]{3,}", word) is not None and word.lower() not in _NO_UNITS
        if not before or not (is_noun or word in ("in", "of", "the", "all")):
            break
        rest, has_noun = before.rstrip(), has_noun or is_noun
    return rest if has_noun and _ENDS_A_NUMBER.search(rest) else plain


_THOUSANDS = {"k": 3, "thousand": 3, "m": 6, "million": 6, "b": 9, "billion": 9}
SHORTHAND = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(?:([kKmMbB]|thousand|million|billion)|[eE]\+?([0-9]{1,2}))")


def power_of_ten(shorthand: re.Match[str]) -> int:
    """`k` is 3, as `e3` is."""
    return _THOUSANDS[shorthand[2].lower()] if shorthand[2] else int(shorthand[3])


NUMBER_WORDS = frozenset(
    ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
)
_NO_UNITS = NUMBER_WORDS | frozenset([
    "hundred", "thousand", "million", "billion", "trillion", "dozen", "half", "third", "thirds", "quarter", "quarters",
    "percent", "cent", "times", "plus", "minus", "over", "squared", "cubed", "more", "less", "than", "point",
])  # fmt: skip
_MOST_WORDS = 4
_ENDS_A_NUMBER = re.compile(r"(?:[0-9)\]%][kKmMbB]?|[0-9] [kKmMbB]|thousand|million|billion)$")
