"""What common slips make of an expected Python value: reversed, one short, nested, counted instead of named.

Each alteration of one value has a key, the value that the slip would return, and a sentence. The sentences are fixed:
they hold no number and no text of a case.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

MAX_ITEMS = 2_000
_ORDINALS = ("first", "second", "third", "fourth")


@dataclass(frozen=True)
class Alteration:
    """`value` is what the slip makes of the expected value. `is_vague`: it says less, and so comes after all others."""

    key: str
    value: Any
    text: str
    is_vague: bool = False


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal, with floats as near as rounding leaves them. True is not 1, and 1.0 is 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other or _near(one, other)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return type(one) is type(other) and isinstance(one, str | set | complex | type(None)) and bool(one == other)


def _near(one: float, other: float) -> bool:
    try:
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)
    except OverflowError:  # a whole number that no float holds
        return False


def alterations(expected: Any, yours: Any, lengths: Sequence[tuple[str, int]]) -> Iterator[Alteration]:
    """The alterations of an expected value. `yours` shows what cannot be foreseen, such as what stands beside it.

    `lengths` are the names and lengths of the arguments that have one.
    """
    if (
        isinstance(expected, str | int | float | list | tuple | dict)
        and isinstance(yours, list | tuple)
        and len(yours) > 1
    ):
        for place, which in _ends(yours):
            if same(yours[place], expected):
                text = f"Your answer holds the expected one as its {which} item: take that item alone."
                yield Alteration(f"inside {which}", yours, text)
    if isinstance(expected, bool):
        yield Alteration("opposite", not expected, "You return True for False, and False for True.")
    elif isinstance(expected, int | float):
        yield from _of_number(expected, yours, lengths)
    elif isinstance(expected, str):
        yield from _of_text(expected)
    elif isinstance(expected, list | tuple) and len(expected) <= MAX_ITEMS:
        yield from _of_items(expected, yours)
    elif isinstance(expected, dict):
        yield from _of_dict(expected)
    elif isinstance(expected, set) and isinstance(yours, list | tuple):
        if len(yours) <= MAX_ITEMS and all(any(same(one, other) for other in expected) for one in yours):
            yield Alteration("set", yours, "Your items belong to the set, but they are in a list: return a set.")
    elif expected is None:
        yield from _of_none(yours)


def _ends(items: Sequence[Any]) -> tuple[tuple[int, str], ...]:
    return (0, "first"), (len(items) - 1, "last")


def _of_none(yours: Any) -> Iterator[Alteration]:
    for value, words in ((0, "0"), (-1, "-1"), (False, "False")):
        if same(value, yours):
            yield Alteration(f"None {words}", yours, f"Where there is no answer, you return {words}: return None.")
    if isinstance(yours, list | tuple | dict | str) and not yours:
        text = "Where there is no answer, you return an empty value: return None."
        yield Alteration("None empty", yours, text)


def _of_number(expected: float, yours: Any, lengths: Sequence[tuple[str, int]]) -> Iterator[Alteration]:
    yield Alteration("text", str(expected), "The number is right, but it is text: return the number itself.")
    if isinstance(expected, int) and expected in (0, 1):
        yield Alteration("bool", bool(expected), "You return True or False: return the number 1 or 0.")
    if not abs(expected) < 2**53:
        return
    yield Alteration("plus one", expected + 1, "Your number is one too high.")
    yield Alteration("minus one", expected - 1, "Your number is one too low.")
    yield Alteration("negative", -expected, "Your number has the wrong sign.")
    if isinstance(expected, float):
        yield Alteration("cut", math.trunc(expected), "Your number is cut to a whole one.")
        yield Alteration("floor", math.floor(expected), "Your number is rounded down to a whole one, as `//` does.")
        yield Alteration("rounded", round(expected), "Your number is rounded to a whole one.")
    for name, length in lengths:
        if length > 1:
            text = f"Your number is the expected one times the length of `{name}`: a division by it is missing."
            yield Alteration(f"times {name}", expected * length, text)
            text = f"Your number is the expected one divided by the length of `{name}`: you divide once too often."
            yield Alteration(f"by {name}", expected / length, text)


def _of_text(expected: str) -> Iterator[Alteration]:
    yield Alteration("letters", list(expected), "Your text is a list of its letters: join them.")
    yield Alteration("reversed", expected[::-1], "Your text runs backwards.")
    yield Alteration("lower", expected.lower(), "Your text is right but for its capital letters.")
    yield Alteration("upper", expected.upper(), "Your text is right, but in capital letters.")
    yield Alteration("unspaced", expected.replace(" ", ""), "Your text has no spaces.")
    yield Alteration("stripped", expected.strip(), "Your text has lost the space at its ends.")
    yield Alteration("without first", expected[1:], "The first letter of your text is missing.")
    yield Alteration("without last", expected[:-1], "The last letter of your text is missing.")
    yield Alteration("spaced", f"{expected} ", "Your text ends with a space too many.")


def _of_dict(expected: dict[Any, Any]) -> Iterator[Alteration]:
    if len(expected) > MAX_ITEMS:
        return
    yield Alteration("pairs", list(expected.items()), "Your answer is a list of pairs: return a dict of them.")
    yield Alteration("keys", list(expected), "Your answer holds only the keys of the dict.")
    yield Alteration("values", list(expected.values()), "Your answer holds only the values of the dict.")
    if not all(isinstance(key, str) for key in expected):
        texts = {str(key): value for key, value in expected.items()}
        yield Alteration("text keys", texts, "Your keys are text: keep them as they are.")
    if all(isinstance(value, str | int | float) for value in expected.values()):
        turned = {value: key for key, value in expected.items()}
        yield Alteration("turned", turned, "The keys and values of your dict are exchanged.")


# ------------------------------------------------------------------ lists and tuples


def _of_items(expected: Sequence[Any], yours: Any) -> Iterator[Alteration]:
    items = list(expected)
    yield Alteration("nested", [items], "Your answer is one list too deep: it is a list with the expected one in it.")
    yield Alteration("count", len(items), "You return how many items there are: return the items.")
    if items:
        yield Alteration("first item", items[0], "You return only the first item: return a list of all.")
        yield Alteration("last item", items[-1], "You return only the last item: return a list of all.")
        yield Alteration("empty", [], "Your list is empty: no item is ever put into it, or a new list takes its place.")
        yield Alteration("None", None, "You return None: return the list.")
        yield Alteration("without first", items[1:], "The first item is missing.")
        yield Alteration("without last", items[:-1], "The last item is missing.")
        yield Alteration("first only", items[:1], "Only the first item is there.")
        yield Alteration("last only", items[-1:], "Only the last item is there.")
        yield Alteration("doubled", items + items, "All items are there twice, one run after the other.")
    yield from _reordered(items)
    yield from _grown(items, yours)
    yield from _each(items, yours)
    if all(isinstance(item, list | tuple) for item in items):
        yield from _in_parts(items, yours)


def _reordered(items: list[Any]) -> Iterator[Alteration]:
    yield Alteration("reversed", items[::-1], "Your items are in reverse order.")
    kinds = {type(item) for item in items}
    if len(kinds) == 1 and kinds <= {int, float, str}:
        yield Alteration("ascending", sorted(items), "Your items are sorted: keep the order that is asked for.")
        yield Alteration(
            "descending", sorted(items, reverse=True), "Your items are sorted, the largest first: keep the order."
        )


def _grown(items: list[Any], yours: Any) -> Iterator[Alteration]:
    """What can only be seen in your items: others beside the expected ones, or the same in any order."""
    unique = _unique(items)
    yield Alteration("unique", unique, "Items that occur several times are there only once.")
    if not isinstance(yours, list | tuple) or len(yours) > MAX_ITEMS:
        return
    if len(yours) == len(items) + 1:
        for kept, words in ((yours[:-1], "last"), (yours[1:], "first")):
            if same(kept, items):
                yield Alteration(f"extra {words}", yours, f"Your {words} item is one too many; the others are right.")
    if len(yours) > len(items) and same(_unique(yours), items):
        yield Alteration("repeated", yours, "Your items are right, but some are there several times.")
    if len(yours) == len(items) > 1 and Counter(map(repr, yours)) == Counter(map(repr, items)):
        yield Alteration("other order", yours, "Your items are the right ones, but in another order.", is_vague=True)


def _unique(items: Sequence[Any]) -> list[Any]:
    first: dict[str, Any] = {}
    for item in items[:MAX_ITEMS]:
        first.setdefault(repr(item), item)
    return list(first.values())


def _each(items: list[Any], yours: Any) -> Iterator[Alteration]:
    yield Alteration("each nested", [[item] for item in items], "Each of your items is in a list of its own.")
    yield Alteration("each numbered", list(enumerate(items)), "Each of your items is a pair of its place and itself.")
    if all(isinstance(item, list | tuple) for item in items):
        yield from _each_short(items, yours)
        flat = [part for item in items for part in item]
        yield Alteration("flat", flat, "Your lists are run together into one.")
        return
    if not all(isinstance(item, str) for item in items):
        yield Alteration("each text", [str(item) for item in items], "Your items are text: keep them as they are.")
    if all(type(item) in (int, float) for item in items):
        yield Alteration("each plus one", [item + 1 for item in items], "Each of your numbers is one too high.")
        yield Alteration("each minus one", [item - 1 for item in items], "Each of your numbers is one too low.")
        yield Alteration("each negative", [-item for item in items], "Each of your numbers has the wrong sign.")
        yield Alteration("places", list(range(len(items))), "Your items are 0, 1, 2, …: their places, not themselves.")


def _each_short(items: list[Any], yours: Any) -> Iterator[Alteration]:
    """Lists of which some lack their last item, or their first, and the others are right."""
    if not isinstance(yours, list | tuple) or len(yours) != len(items):
        return
    for cut, which in ((slice(None, -1), "last"), (slice(1, None), "first")):
        fits = [
            same(own, item) or (bool(item) and same(own, item[cut])) for own, item in zip(yours, items, strict=True)
        ]
        if all(fits) and not same(yours, items):
            yield Alteration(f"some without {which}", yours, f"The {which} item of some of your lists is missing.")


def _in_parts(items: list[Any], yours: Any) -> Iterator[Alteration]:
    """Items that are pairs, or longer, all of one length."""
    widths = {len(item) for item in items}
    if len(widths) != 1 or not 2 <= min(widths) <= len(_ORDINALS):
        return
    (width,) = widths
    yield Alteration("turned", [item[::-1] for item in items], "The parts of each item are in reverse order.")
    for place, which in zip(range(width), _ORDINALS, strict=False):
        alone = [item[place] for item in items]
        yield Alteration(f"{which} alone", alone, f"Only the {which} part of each item is there.")
        yield from _of_part(items, place, f"The {which} part of each item", yours)


def _of_part(items: list[Any], place: int, words: str, yours: Any) -> Iterator[Alteration]:
    def replaced(parts: Sequence[Any]) -> list[Any]:
        return [(*item[:place], part, *item[place + 1 :]) for item, part in zip(items, parts, strict=True)]

    parts = [item[place] for item in items]
    if all(type(part) is int for part in parts):
        text = f"{words} is just 0, 1, 2, …: number the items before you sort or select them."
        yield Alteration(f"{place} counted", replaced(range(len(items))), text)
    if all(type(part) in (int, float) for part in parts):
        yield Alteration(f"{place} plus one", replaced([part + 1 for part in parts]), f"{words} is one too high.")
        yield Alteration(f"{place} minus one", replaced([part - 1 for part in parts]), f"{words} is one too low.")
        yield Alteration(f"{place} negative", replaced([-part for part in parts]), f"{words} has the wrong sign.")
    if isinstance(yours, list | tuple) and len(yours) == len(items) > 1:
        theirs = [item[place] for item in yours if isinstance(item, list | tuple) and len(item) == len(items[0])]
        rest = [tuple(part for n, part in enumerate(item) if n != place) for item in items]
        others = [n for n, pair in enumerate(zip(theirs, parts, strict=False)) if not same(*pair)]
        is_tied = len(theirs) == len(items) and all(rest.count(rest[n]) > 1 for n in others)
        if is_tied and 0 < len(others) < len(items) and same(replaced(theirs), yours):
            text = f"{words} is right but for items that are equal otherwise: of those, you take them in another order."
            if any(theirs.count(part) > 1 and parts.count(part) < 2 for part in theirs):
                text = f"{words} is right but for items that are equal otherwise: these get the same one several times."
            yield Alteration(f"{place} tied", yours, text)
        wrong = len(theirs) == len(items) and not any(map(same, theirs, parts))
        if wrong and same(replaced(theirs), yours):
            text = f"{words} is wrong; the rest is right."
            yield Alteration(f"{place} wrong", yours, text, is_vague=True)
