"""What an answer that no author listed has in common with the right one: one sentence, or none.

Any type of question may ask: `typed.missed` takes the sentence, after the author's own mistakes. (`printed` does the
same for what programs print.) A type calls

    near_number     numbers: sign, powers of ten, a factor of two, reciprocal, unit of an angle, off by one, and slips
                    in the formula of `:answer:` (a sum for a product, a factor that is missing, names swapped)
    near_shape      shapes: axes missing, too many, swapped, joined; the one length that is wrong
    near_words      words: the spelling

A sentence names a slip only if nothing else explains the answer as well, and how two numbers are related only if
nothing else does or they are too large for chance; else it says at most on which side the answer is. It states no right
value. It is feedback as an author's is: a quiz shows it when it shows the explanation.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from app.content.expression import Quotient, UnreadableAnswer, read_length
from app.content.questions.slips import slips
from app.content.trigonometry import PI

MOST_BY_CHANCE = 12
IsRight = Callable[[Fraction], bool]
Compute = Callable[[str], Fraction | None]


# ---- numbers --------------------------------------------------------------------------------------------------


def near_number(
    typed: Fraction, right: Fraction, is_right: IsRight, formula: str = "", compute: Compute | None = None
) -> str | None:
    """`is_right`: whether a number is accepted, with the question's tolerance. `formula`: the answer as its author
    wrote it; `compute` gives the value of another formula, None where it has none, and may raise UnreadableAnswer."""
    if right == 0 or _is_blurred(right, is_right):
        return _side(typed, right)
    relations = list(_related(typed, right, is_right))
    causes = list(dict.fromkeys([*relations, *_slipped(typed, right, formula, compute)]))
    if len(causes) == 1 or (len(relations) == 1 and relations != [_OFF_BY_ONE] and not _are_small(typed, right)):
        return causes[0]
    return _side(typed, right)


def _are_small(*numbers: Fraction) -> bool:
    """Whether chance relates them, as it does 2, 3, 4 and 6."""
    return all(number.denominator == 1 and abs(number) <= MOST_BY_CHANCE for number in numbers)


def _is_blurred(right: Fraction, is_right: IsRight) -> bool:
    """Whether the tolerance is so wide that a factor explains what chance does as well."""
    return is_right(right * Fraction(11, 10)) or is_right(right * Fraction(9, 10))


def _related(typed: Fraction, right: Fraction, is_right: IsRight) -> Iterator[str]:
    """The sentence of each relation that, undone, makes the answer right."""
    if typed == 0:
        return
    if is_right(-typed):
        yield "The size is right; the sign is not."
    for power, check in _POWERS:
        if any(is_right(typed * factor) for factor in (Fraction(10) ** power, Fraction(10) ** -power)):
            yield check
    if is_right(typed * 2) or is_right(typed / 2):
        yield "It is off by a factor of two."
    if abs(right) != 1 and is_right(1 / typed):
        yield "It is the reciprocal of the right number: check what you divide by what."
    if right.denominator == 1 and abs(typed - right) == 1:
        yield _OFF_BY_ONE
    if typed.denominator != 1 or right.denominator != 1:
        yield from _related_fractions(typed, right, is_right)


_OFF_BY_ONE = "It is off by one."
_POWERS = (
    (1, "It is off by a factor of ten: check the powers of ten."),
    (2, "It is off by a factor of a hundred: check the powers of ten, and whether it is in percent."),
    (3, "It is off by a factor of a thousand: check the powers of ten, and the unit."),
    (6, "It is off by a factor of a million: check the powers of ten, and the unit."),
    (9, "It is off by a factor of a billion: check the powers of ten, and the unit."),
)


def _related_fractions(typed: Fraction, right: Fraction, is_right: IsRight) -> Iterator[str]:
    if is_right(typed * PI / 180) or is_right(typed * 180 / PI):
        yield "Check the unit of the angle: degrees or radians?"
    if 0 < right < 1 and is_right(1 - typed):
        yield "Your number and the right one add up to 1: check which of the two is asked for."
    if typed > 0 and right not in (0, 1) and is_right(typed * typed):
        yield "You have the square root of the right number."
    if typed > 0 and right not in (0, 1) and abs(typed - right * right) * 200 <= typed:
        yield "You have the square of the right number."


def _slipped(typed: Fraction, right: Fraction, formula: str, compute: Compute | None) -> Iterator[str]:
    if compute is None:
        return
    for slip in slips(formula):
        try:
            value = compute(slip.formula)
        except UnreadableAnswer:
            continue
        if value is not None and value not in (0, right) and _is_equal(typed, value, right):
            yield slip.sentence


def _is_equal(typed: Fraction, value: Fraction, right: Fraction) -> bool:
    """As exactly as people type: to one part in a thousand, or to their last digit, where it is no whole number."""
    if value.denominator == 1 or typed.denominator == 1:
        return typed == value
    is_near = abs(typed - value) * 1000 <= abs(value) or is_rounded(typed, value)
    return is_near and abs(right - value) * 100 > abs(value)


def _side(typed: Fraction, right: Fraction) -> str | None:
    if is_rounded(typed, right):
        return "It is near, but rounded too far: give more digits."
    if right < 0 or typed < 0:
        return "The right number has another sign." if typed * right < 0 else None
    return "That is too large." if typed > right else "That is too small."


def is_rounded(typed: Fraction, right: Fraction) -> bool:
    """Whether the answer is the right number with fewer digits, at least two of them: 3.14 for 3.14159, 393,000.
    (830 for 832 is as likely a slip.)"""
    for places in range(-9, 10):
        step = Fraction(1, 10) ** places
        if typed % step == 0 and typed % (10 * step) != 0:
            has_digits = abs(typed) >= 10 * step and (step < 1 or step >= 100 or right.denominator > 1)
            return has_digits and typed != right and abs(typed - right) * 2 <= step
    return False


# ---- shapes ---------------------------------------------------------------------------------------------------

Lengths = Sequence[Quotient]


def near_shape(typed: Lengths, right: Lengths, batch: bool = False) -> str:
    """`batch`: whether the first axis of the right shape counts the examples of a batch."""
    if len(typed) != len(right):
        return _other_rank(typed, right, batch)
    if _are_same_lengths(typed, right):
        return _other_order(typed, right)
    off = [axis for axis, (mine, theirs) in enumerate(zip(typed, right, strict=True)) if mine != theirs]
    if len(off) > 1 and _product(typed) == _product(right) is not None:
        return "Your shape holds the right number of entries, but divides them among its axes in another way."
    rest = "; the other axes are right." if len(off) == 1 < len(right) else "."
    return f"Axis {off[0]}, counted from 0, is not `{typed[off[0]]}`{rest}{_length_off(typed[off[0]], right[off[0]])}"


def _other_rank(typed: Lengths, right: Lengths, batch: bool) -> str:
    counted = f"Your shape has {_axes(len(typed))}; the right one has {len(right)}."
    if not typed or not right:
        return counted
    if len(typed) == len(right) - 1:
        if batch and list(typed) == list(right[1:]):
            return f"{counted} The batch is missing."
        if _places_to_drop(right, typed):
            return f"{counted} One axis is missing; the others are right."
    if len(typed) == len(right) + 1 and (places := _places_to_drop(typed, right)):
        which = f"Axis {places[0]}, counted from 0," if len(places) == 1 else "One axis"
        return f"{counted} {which} is too many; the others are right."
    entries = _product(right)
    if entries is None or _product(typed) != entries:
        return counted
    if len(typed) == 1:
        return f"{counted} You have flattened it: the number of entries is right."
    if _is_joined(right, typed):
        return f"{counted} You have joined two axes into one."
    if _is_joined(typed, right):
        return f"{counted} You have split an axis in two."
    return f"{counted} The number of entries is right."


def _is_joined(longer: Lengths, shorter: Lengths) -> bool:
    return len(longer) == len(shorter) + 1 and any(
        [*longer[:at], _product(longer[at : at + 2]), *longer[at + 2 :]] == list(shorter) for at in range(len(shorter))
    )


def _places_to_drop(longer: Lengths, shorter: Lengths) -> list[int]:
    """The axes of `longer` without any one of which it is `shorter`."""
    return [at for at in range(len(longer)) if [*longer[:at], *longer[at + 1 :]] == list(shorter)]


def _are_same_lengths(typed: Lengths, right: Lengths) -> bool:
    left = list(right)
    for length in typed:
        if length in left:
            left.remove(length)
    return not left


def _other_order(typed: Lengths, right: Lengths) -> str:
    moved = sum(mine != theirs for mine, theirs in zip(typed, right, strict=True))
    if len(right) == 2:
        return "Those are the right lengths in another order: rows and columns are swapped."
    return f"Those are the right lengths in another order{': two axes are swapped' if moved == 2 else ''}."


def _length_off(typed: Quotient, right: Quotient) -> str:
    if str(typed).casefold() == str(right).casefold():
        return f" Check the capitals: `{typed}` is another name here."
    try:
        apart = read_length(f"({typed})-({right})").number
    except UnreadableAnswer:
        return ""
    return " It is off by one." if apart in (1, -1) else ""


def _product(lengths: Lengths) -> Quotient | None:
    """None where it is 0, or too long to work out."""
    try:
        product = read_length("*".join(f"({length})" for length in lengths) or "1")
    except UnreadableAnswer:
        return None
    return None if product.number == 0 else product


def _axes(count: int) -> str:
    return "1 axis" if count == 1 else f"{count} axes"


# ---- words ----------------------------------------------------------------------------------------------------

LEAST_LETTERS = 6


def near_words(typed: str, accepted: Sequence[str]) -> str | None:
    """Words in small letters. Of two words that begin alike, one letter apart, chance makes few: `casual`, `causal`."""
    if any(_is_misspelled(typed, word) for word in accepted):
        return "It is one letter away from the answer: check the spelling."
    return None


def _is_misspelled(typed: str, word: str) -> bool:
    if min(len(typed), len(word)) < LEAST_LETTERS or typed[0] != word[0] or typed == word:
        return False
    start = next((at for at, (a, b) in enumerate(zip(typed, word, strict=False)) if a != b), min(len(typed), len(word)))
    mine, theirs = typed[start:], word[start:]
    while mine and theirs and mine[-1] == theirs[-1]:
        mine, theirs = mine[:-1], theirs[:-1]
    if not (mine + theirs).isalpha():
        return False
    is_turned = len(mine) == 2 and mine == theirs[::-1]
    return is_turned or (len(mine) <= 1 and len(theirs) <= 1)
