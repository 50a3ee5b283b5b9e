"""What every expected output is, and yours is not: rows that sum to 1, a symmetric matrix, numbers that are sorted.

An invariant counts only if the expected output of every case has it, those that you got right included, and if each of
your wrong outputs breaks it clearly. It says less than a cause does, so it ranks below most diagnoses.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.reasons.pairs import Diagnosis, Pair

MAX_NUMBERS = 1 << 13  # of an array that is examined
MAX_EXPECTED = 40  # expected outputs that must have it
ENOUGH = 24  # numbers in all of them: fewer have many things in common by chance
CLEARLY = 1e-3  # a smaller deviation is rounding, and no other invariant


@dataclass(frozen=True)
class _Invariant:
    """What holds of arrays, shape (…, n). Of `deviation` the largest counts; it is far from 0 where it does not hold.

    `expected` and `yours` are words, of which `yours` may hold a number: `{value:.4g}`.
    """

    name: str
    deviation: Callable[[Any], Any]
    expected: str
    yours: str
    value: Callable[[Any], Any] | None = None
    square: bool = False  # about the last two axes
    whole: bool = False  # about all numbers, whatever the axis
    telling: Callable[[Sequence[Any]], bool] = lambda _: True  # whether the expected outputs are no accident


def broken_invariants(
    exercise: Exercise, cases: Sequence[Case], pairs: Mapping[int, Pair]
) -> Iterator[tuple[int, Diagnosis]]:
    """The most telling invariant that every wrong output breaks, for each of them, by index into `cases`."""
    examined = {n: pair for n, pair in pairs.items() if pair.rich and pair.finite and not pair.where}
    expected = [case.expected for case in cases[:MAX_EXPECTED] if case.error is None]
    if exercise.checker is not None or not examined or not _comparable(expected, list(pairs.values())):
        return
    arrays = sorted((array.astype(np.float64) for array in expected if array.size), key=lambda array: int(array.size))
    for invariant in _INVARIANTS:
        for axis in _axes_of(invariant, arrays[0].ndim):
            if _holds(invariant, arrays, axis) and all(_breaks(invariant, pair, axis) for pair in examined.values()):
                yield from ((n, _sentence(invariant, pair, axis)) for n, pair in examined.items())
                return


def _comparable(expected: Sequence[Any], pairs: Sequence[Pair]) -> bool:
    numbers = all(isinstance(array, np.ndarray) and array.dtype.kind in "biuf" for array in expected)
    return (
        numbers
        and all(np.isfinite(array).all() and array.size <= MAX_NUMBERS for array in expected)
        and len({array.ndim for array in expected}) == 1
        and expected[0].ndim > 0
        and sum(array.size for array in expected) >= ENOUGH
        and all(pair.a.shape == pair.e.shape and pair.a.dtype.kind == "f" for pair in pairs)
    )


def _axes_of(invariant: _Invariant, ndim: int) -> range:
    """The last axis first: most rows lie along it."""
    if invariant.whole or invariant.square:
        return range(ndim - 1, ndim - 1 - int(ndim > int(invariant.square)), -1)
    return range(ndim - 1, -1, -1)


def _holds(invariant: _Invariant, arrays: Sequence[Any], axis: int) -> bool:
    moved = [np.moveaxis(array, axis, -1) for array in arrays]
    if invariant.square and any(array.shape[-1] != array.shape[-2] for array in moved):
        return False
    return (
        max(array.shape[-1] for array in moved) > 2
        and all(float(np.max(invariant.deviation(array))) < 1e-4 for array in moved)
        and invariant.telling(moved)
    )


def _breaks(invariant: _Invariant, pair: Pair, axis: int) -> bool:
    return float(np.max(invariant.deviation(np.moveaxis(pair.a, axis, -1)))) > CLEARLY


def _sentence(invariant: _Invariant, pair: Pair, axis: int) -> Diagnosis:
    name = pair.declared.dims[axis]
    name = f"axis {axis}" if name.isdigit() else name
    about_all = invariant.whole or invariant.square
    start = "The" if about_all else f"Along {name}, the"
    yours = invariant.yours
    if invariant.value is not None:
        moved = np.moveaxis(pair.a, axis, -1)
        deviations = np.ravel(invariant.deviation(moved))
        values = np.ravel(invariant.value(moved))
        yours = f"{yours}, such as {float(values[int(deviations.argmax()) % values.size]):.4g}"
    return pair.says(
        "invariant", invariant.name if about_all else f"{invariant.name} {name}",
        f"{start} expected values {invariant.expected}; yours {yours}.",
        f"{start} expected values {invariant.expected}; yours {invariant.yours}.",
    )  # fmt: skip


# ------------------------------------------------------------------ the invariants


def _is_not(holds: Any) -> Any:
    return np.where(holds, 0.0, 1.0)


def _sum(x: Any) -> Any:
    return x.sum(-1)


def _length(x: Any) -> Any:
    return np.sqrt((x * x).sum(-1))


def _one_hot(x: Any) -> Any:
    return np.abs(np.sort(x, -1) - np.append(np.zeros(x.shape[-1] - 1), 1.0))


def _permutation(x: Any) -> Any:
    return np.abs(np.sort(x, -1) - np.arange(x.shape[-1]))


def _mixture(x: Any) -> Any:
    """Of rows that are never negative and sum to 1; the sum decides whether yours break it."""
    return np.abs(_sum(x) - 1)


def _symmetric(x: Any) -> Any:
    return np.abs(x - np.swapaxes(x, -1, -2)) / _scale(x)


def _orthogonal(x: Any) -> Any:
    """Of rows of length 1 at right angles."""
    return np.abs(x @ np.swapaxes(x, -1, -2) - np.eye(x.shape[-2]))


def _scale(x: Any) -> float:
    return max(float(np.abs(x).max()), 1e-12)


def _below(x: Any, low: float) -> Any:
    return np.maximum(low - x, 0)


def _outside(x: Any, low: float, high: float) -> Any:
    return np.maximum(np.maximum(low - x, x - high), 0)


def _reaches(low: float, high: float) -> Callable[[Sequence[Any]], bool]:
    """Whether the expected outputs come close to both ends of a range, so that it is no accident of small numbers."""

    def near_both_ends(arrays: Sequence[Any]) -> bool:
        room = 0.1 * (high - low)
        return min(float(x.min()) for x in arrays) < low + room and max(float(x.max()) for x in arrays) > high - room

    return near_both_ends


def _varied(arrays: Sequence[Any]) -> bool:
    """Whether there are many different numbers: a constant is symmetric and sorted too."""
    return sum(len(np.unique(x)) > 3 for x in arrays) * 2 >= len(arrays)


def _positive(arrays: Sequence[Any]) -> bool:
    return _varied(arrays) and all(bool((x >= 0).all()) for x in arrays)


def _full(arrays: Sequence[Any]) -> bool:
    """Whether the last two axes hold a matrix that is more than its diagonal."""
    return _varied(arrays) and any(float(np.abs(x - x * np.eye(x.shape[-1])).max()) > 0 for x in arrays)


def _not_all_zero(arrays: Sequence[Any]) -> bool:
    return _varied(arrays) and all(bool((x[..., 1:] != 0).any()) for x in arrays if x.shape[-1] > 1)


_INVARIANTS: tuple[_Invariant, ...] = (
    _Invariant("one-hot", _one_hot, "are a single 1 and zeros", "are not"),
    _Invariant("permutation", _permutation, "are 0, 1, 2, … in some order", "are not"),
    _Invariant("sum", _mixture, "sum to 1", "have other sums", _sum, telling=_positive),
    _Invariant("length", lambda x: np.abs(_length(x) - 1), "have squares that sum to 1",
               "have another length (the root of that sum)", _length, telling=_varied),
    _Invariant("mean", lambda x: np.abs(x.mean(-1)) / _scale(x), "have the mean 0", "have other means",
               lambda x: x.mean(-1), telling=_varied),
    _Invariant("variance", lambda x: np.abs(x.var(-1) - 1) * (x.var(-1) > 1e-6), "have the variance 1",
               "have other variances", lambda x: x.var(-1), telling=_varied),
    _Invariant("orthogonal", _orthogonal, "are rows at right angles, each of length 1", "are not", square=True,
               telling=_varied),
    _Invariant("symmetric", _symmetric, "are symmetric, the same on both sides of the diagonal", "are not",
               square=True, telling=_full),
    _Invariant("lower", lambda x: np.abs(np.triu(x, 1)) / _scale(x), "are zero above the diagonal", "are not",
               square=True, telling=_full),
    _Invariant("upper", lambda x: np.abs(np.tril(x, -1)) / _scale(x), "are zero below the diagonal", "are not",
               square=True, telling=_full),
    _Invariant("first zero", lambda x: np.abs(x[..., 0]) / _scale(x), "start with zero", "do not",
               telling=_not_all_zero),
    _Invariant("ascending", lambda x: _below(np.diff(x, append=x[..., -1:]), 0) / _scale(x), "never decrease",
               "do in some place", telling=_varied),
    _Invariant("descending", lambda x: _below(-np.diff(x, append=x[..., -1:]), 0) / _scale(x), "never increase",
               "do in some place", telling=_varied),
    _Invariant("whole", lambda x: np.abs(x - np.rint(x)), "are whole numbers", "are not", whole=True,
               telling=_varied),
    _Invariant("0 to 1", lambda x: _outside(x, 0, 1), "lie between 0 and 1", "go beyond", whole=True,
               telling=_reaches(0, 1)),
    _Invariant("-1 to 1", lambda x: _outside(x, -1, 1), "lie between -1 and 1", "go beyond", whole=True,
               telling=_reaches(-1, 1)),
    _Invariant("not negative", lambda x: _below(x, 0) / _scale(x), "are never negative", "are in some places",
               whole=True, telling=_varied),
)  # fmt: skip
