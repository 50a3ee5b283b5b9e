"""What the wrong places share: where an input is 0, masked, not finite, repeated, or where they lie in the output.

A condition is said if, in every wrong case, exactly the places that fulfil it are wrong, and if no place fulfils it in
a right case. Two conditions that fit are silent, but for a rare value (-inf, NaN, a mask) beside a common one that it
implies: -inf is negative, and the smallest of its row.
"""

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from graders.reasons.compared import Compared, Comparisons, Found, Input, Sentence

RARE = ("NaN", "-inf", "inf", "True", "False")
BITS = 6.0  # of evidence that the places are no accident; see _evidence
RARE_BITS = 3.0


@dataclass(frozen=True)
class Candidate:
    """A condition on an argument, looked at along some axes: the places of which it holds `any` along the others."""

    argument: str
    condition: str
    kept: tuple[str, ...]

    @property
    def is_rare(self) -> bool:
        return self.condition in RARE


@dataclass(frozen=True)
class Places:
    """Of one case: which places fulfil the condition, and which are wrong, both along the kept axes."""

    fulfilled: Any
    wrong: Any


@dataclass(frozen=True)
class Region:
    """A part of the output: `marks` is True in it, along `axes`. `words` say that it alone is wrong."""

    axes: tuple[int, ...]
    marks: Any
    words: str


_WORDS: Mapping[str, str] = {
    "True": "is True", "False": "is False", "NaN": "is NaN", "-inf": "is -inf", "inf": "is inf", "zero": "is 0",
    "negative": "is negative", "positive": "is positive", "above 127": "is above 127", "above 255": "is above 255",
    "largest": "is largest in its row", "smallest": "is smallest in its row",
    "repeated": "repeats a number from earlier in its row",
}  # fmt: skip
_HOLDS: Mapping[str, str] = {  # of whole rows: what most rows hold anyway would prove nothing
    "True": "holds True", "False": "holds False", "NaN": "holds NaN", "-inf": "holds -inf", "inf": "holds inf",
    "zero": "holds a 0", "above 127": "holds a number above 127", "above 255": "holds a number above 255",
    "repeated": "holds a number twice",
}  # fmt: skip


def places(comparisons: Comparisons) -> Iterator[Found]:
    """The condition on an input, or the place in the output, that all wrong places share."""
    if not comparisons.same_shape:
        return
    fitting = _on_inputs(comparisons)
    ends = list(_geometry(comparisons))
    if len(fitting) == 1 and (fitting[0].is_rare or not ends):
        (candidate,) = fitting
        detail = f"{candidate.argument} {candidate.condition} {candidate.kept}"
        yield Found("only_where", detail, {each.number: _sentence(each, candidate) for each in comparisons.wrong})
    elif not fitting and len(ends) == 1:
        (key,) = ends
        yield Found("only_there", key, {each.number: _geometric_sentence(each, key) for each in comparisons.wrong})


# ------------------------------------------------------------------ conditions on inputs


def _on_inputs(comparisons: Comparisons) -> list[Candidate]:
    """The conditions that fit, on as many axes as possible."""
    first = comparisons.wrong[0]
    if len(set(first.names)) < len(first.names):
        return []
    candidates = [candidate for each in first.inputs for candidate in _candidates(first, each)]
    for count in range(len(first.names), 0, -1):
        fitting = [each for each in candidates if len(each.kept) == count and _fits(comparisons, each)]
        rare = [each for each in fitting if each.is_rare]
        if len({each.argument for each in fitting}) == 1 and rare:
            return rare
        if fitting:
            return fitting
    return []


def _candidates(first: Compared, source: Input) -> Iterator[Candidate]:
    """Only those that are true of the wrong places of this case."""
    shared = [name for name in first.names if name in source.dims]
    for condition, holds in _marks(source).items():
        if not holds.any():
            continue
        for count in range(len(shared), 0, -1):
            for kept in itertools.combinations(shared, count):
                if count == len(source.dims) == len(shared) or condition in _HOLDS:
                    yield Candidate(source.name, condition, kept)


def _marks(source: Input) -> dict[str, Any]:
    """The conditions on an argument, computed once."""
    if not source.marks:
        source.marks.update(conditions(source.array))
    return source.marks


def conditions(values: Any) -> Iterator[tuple[str, Any]]:
    """Each condition by name, with the places of an array (of at least one axis) at which it holds."""
    if values.dtype.kind == "b":
        yield "True", values
        yield "False", ~values
        return
    numbers = values.astype(np.float64)
    with np.errstate(all="ignore"):
        yield "NaN", np.isnan(numbers)
        yield "-inf", np.isneginf(numbers)
        yield "inf", np.isposinf(numbers)
        yield "zero", numbers == 0
        yield "negative", numbers < 0
        yield "positive", numbers > 0
        if np.array_equal(numbers, np.rint(numbers)):
            yield "above 127", numbers > 127
            yield "above 255", numbers > 255
            yield "repeated", _repeated(numbers)
        if numbers.ndim and numbers.shape[-1] > 1:
            yield "largest", numbers == numbers.max(axis=-1, keepdims=True)
            yield "smallest", numbers == numbers.min(axis=-1, keepdims=True)


def _repeated(numbers: Any) -> Any:
    """Where a number stands earlier in the same row. Rows longer than 512 numbers are not examined."""
    length = numbers.shape[-1] if numbers.ndim else 0
    if not 1 < length <= 512 or numbers.size * length > 1 << 18:
        return np.zeros(numbers.shape, bool)
    same = numbers[..., :, None] == numbers[..., None, :]
    return (same & np.tri(length, k=-1, dtype=bool)).any(axis=-1)


def _fits(comparisons: Comparisons, candidate: Candidate) -> bool:
    bits = 0.0
    for compared in comparisons.every:
        found = _places_of(compared, candidate)
        if compared.is_wrong:
            if found is None or not np.array_equal(found.fulfilled, found.wrong):
                return False
            bits += _evidence(found.wrong)
        elif found is not None:
            if bool(found.fulfilled.any()):
                return False
            bits += 0.5
    return bits >= (RARE_BITS if candidate.is_rare else BITS)


def _evidence(wrong: Any) -> float:
    """How unlikely it is that a condition fits by accident: log2 of the ways to choose as many places."""
    return math.log2(math.comb(min(wrong.size, 64), min(int(wrong.sum()), 64)))


def _places_of(compared: Compared, candidate: Candidate) -> Places | None:
    """Along the kept axes, in the order of the output's axes. None where the case has no such argument."""
    source = compared.input(candidate.argument)
    if source is None or not set(candidate.kept) <= set(source.dims):
        return None
    holds = _marks(source).get(candidate.condition)
    if holds is None:
        holds = np.zeros(source.array.shape, bool)
    dims = _told_apart(source.dims)
    left = [name for name in dims if name in candidate.kept]
    away = tuple(n for n, name in enumerate(dims) if name not in candidate.kept)
    fulfilled = np.asarray(holds.any(axis=away)).transpose([left.index(name) for name in candidate.kept])
    others = tuple(n for n, name in enumerate(compared.names) if name not in candidate.kept)
    wrong = compared.wrong.any(axis=others)
    return Places(fulfilled, wrong) if fulfilled.shape == wrong.shape else None


def _told_apart(dims: tuple[str, ...]) -> tuple[str, ...]:
    """The names of axes; the second of one name, such as the columns of (T, T), is no axis of the output."""
    return tuple(name if name not in dims[:axis] else f"{name} again" for axis, name in enumerate(dims))


def _sentence(compared: Compared, candidate: Candidate) -> Sentence:
    source = compared.input(candidate.argument)
    is_whole = source is not None and len(candidate.kept) == len(source.dims)
    if is_whole:
        text = f"Only the places where `{candidate.argument}` {_WORDS[candidate.condition]} are wrong"
    else:
        along = " and ".join(candidate.kept)
        text = f"Only the places along {along} where `{candidate.argument}` {_HOLDS[candidate.condition]} are wrong"
    stands = _stands_there(compared)
    if candidate.condition == "zero" and is_whole and stands == ": yours is 0 there":
        stands += ", though 0 counts like any other number"
    return compared.sentence(f"{text}{stands}.", f"{text}.")


def _stands_there(compared: Compared) -> str:
    """What yours and the expected array hold in all wrong places, if that is one number each."""
    yours, expected = (_only_number(numbers[compared.wrong]) for numbers in (compared.a, compared.e))
    if yours and expected:
        return f": yours is {yours} there, expected {expected}"
    if yours:
        return f": yours is {yours} there"
    return f": they should be {expected}" if expected else ""


def _only_number(numbers: Any) -> str:
    """The number that all are, or "" where they differ."""
    first = numbers.ravel()[0]
    alike = bool(np.isnan(numbers).all()) or bool((numbers == first).all())
    return f"{first:.6g}".replace("nan", "NaN") if alike else ""


# ------------------------------------------------------------------ where in the output


def _geometry(comparisons: Comparisons) -> Iterator[str]:
    """The keys of the regions that are just what is wrong, in each case."""
    regions = [(each, _regions(each)) for each in comparisons.every]
    for key in regions[0][1]:
        sizes = [min(found[key].marks.shape) for each, found in regions if each.is_wrong and key in found]
        if max(sizes) > 2 and all(_is_just(each, found.get(key)) for each, found in regions):
            yield key


def _is_just(compared: Compared, region: Region | None) -> bool:
    """Whether just this region is wrong. Of a right case: whether it has no such region."""
    if region is None:
        return not compared.is_wrong
    if not compared.is_wrong:
        return not bool(region.marks.any())
    others = tuple(axis for axis in range(compared.wrong.ndim) if axis not in region.axes)
    return bool(region.marks.any()) and np.array_equal(compared.wrong.any(axis=others), region.marks)


def _regions(compared: Compared) -> dict[str, Region]:
    """The regions of one case, by a key that has no size in it."""
    regions = {}
    for axis, (name, size) in enumerate(compared.axes):
        for end, place in (("first", 0), ("last", size - 1)):
            words = f"Only the {end} place along {name} is wrong"
            regions[f"{end} {name}"] = Region((axis,), np.arange(size) == place, words)
    if len(compared.axes) > 1:
        (rows, height), (columns, width) = compared.axes[-2:]
        down, right = np.arange(height)[:, None], np.arange(width)
        for key, marks, words in (
            ("diagonal", down == right, "Only the diagonal of ({}, {}) is wrong"),
            ("above", right > down, "Only what is above the diagonal of ({}, {}) is wrong"),
            ("below", right < down, "Only what is below the diagonal of ({}, {}) is wrong"),
        ):
            axes = (len(compared.axes) - 2, len(compared.axes) - 1)
            regions[key] = Region(axes, marks, words.format(rows, columns))
    return regions


def _geometric_sentence(compared: Compared, key: str) -> Sentence:
    text = _regions(compared)[key].words
    return compared.sentence(f"{text}{_stands_there(compared)}.", f"{text}.")
