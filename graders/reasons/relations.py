"""How all of your numbers follow from the expected ones: a number for each row, a power, another norm, a reduction.

Every look yields what a case does not contradict. A case in which two relations agree, such as a single row, leaves the
choice to the other cases: `diagnose` shows a relation only if all of them allow it.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from graders.reasons.pairs import Diagnosis, Pair

MAX_AXES = 4
MAX_RELATED = 1 << 13  # numbers of an array that is examined
ENOUGH = 4  # numbers that show a factor or an offset, beyond one in each row
SLIGHT = 0.02  # a factor this close to 1 may be a small number that was added to the divisor
SIGNIFICANT = 1e-3  # of the largest in its row: what is smaller tells nothing about a factor


def related(pair: Pair) -> Iterator[Diagnosis]:
    """The looks of this module at one case, on two arrays of floats of one shape, shape (…) as expected."""
    if not _comparable(pair):
        return
    yield from _signs(pair)
    yield from _degrees_of_freedom(pair)
    yield from _clipped(pair)
    if pair.rich and pair.finite and 1 <= len(pair.shape) <= MAX_AXES:
        yield from _largest_alone(pair)
        yield from _power(pair)
        norms = tuple(_norm_of(pair.ev, axis) for axis in range(len(pair.shape)))
        yield from _epsilon(pair, norms)
        yield from _other_norm(pair, norms)


def related_by_rows(pairs: Mapping[int, Pair], is_divided: bool = False) -> Iterator[tuple[int, Diagnosis]]:
    """A factor or an offset for each row, in all wrong cases alike, by index of the case.

    `is_divided`: the source divides something, so that a sentence may be about what it divides by.
    """
    examined = list(pairs.values())
    if not examined or not all(_comparable(pair) and pair.finite for pair in examined):
        return
    counts = {len(pair.shape) for pair in examined}
    if len(counts) != 1 or not 1 <= max(counts) <= MAX_AXES or any(pair.where for pair in examined):
        return
    for by_factor in (True, False):
        for axes in _subsets(max(counts)):
            if _allowed(examined, axes, by_factor):
                yield from ((n, _of_each(pair, axes, by_factor, is_divided)) for n, pair in pairs.items())


def reduced(pair: Pair) -> Iterator[Diagnosis]:
    """A sum, mean or extreme of the expected output over one axis, or the other way round."""
    if pair.e.dtype.kind == "f" and pair.a.dtype.kind == "f" and pair.finite:
        yield from _reduced_over(pair)
        yield from _not_reduced(pair)


def _comparable(pair: Pair) -> bool:
    return (
        pair.av is not None
        and pair.e.size <= MAX_RELATED
        and not pair.exact
        and pair.expected.dtype.name == pair.actual.dtype.name
        and pair.e.dtype.kind == "f"
    )


# ------------------------------------------------------------------ a number for each row


def _of_each(pair: Pair, axes: tuple[int, ...], by_factor: bool, is_divided: bool) -> Diagnosis:
    how = "times" if by_factor else "plus"
    if not axes:
        return pair.says(
            "scaled" if by_factor else "moved", "",
            f"All your values are the expected ones {how} one number, but a different one in each case: "
            f"{_why(pair, by_factor, is_divided)}.",
        )  # fmt: skip
    names = [pair.names[axis] for axis in axes]
    if len(pair.shape) == 2:
        what = "row" if axes == (0,) else "column"
        text = f"Each {what} of yours is the expected {what} {how} a number of its own"
    else:
        text = f"For each place along {' and '.join(names)}, yours is the expected slice {how} a number of its own"
    several = ("factor" if by_factor else "offset") + ("_of_rows" if len(names) > 1 else "_along")
    return pair.says(several, ", ".join(names), f"{text}: {_why(pair, by_factor, is_divided)}.")


def _why(pair: Pair, by_factor: bool, is_divided: bool) -> str:
    if not by_factor:
        return "look for a term that is missing, or one too many"
    if is_divided and any(_has_norm(pair.ev, axis, "sum") for axis in range(len(pair.shape))):
        return "what you divide by is wrong, and what you divide is right"
    return "look for what scales it, such as a norm, a sum or a largest value"


def _subsets(count: int) -> Iterator[tuple[int, ...]]:
    """The axes, of `count`, along which the number may change: none, one, or all but one."""
    yield ()
    if count > 1:
        yield from ((axis,) for axis in range(count))
    if count > 2:
        yield from itertools.combinations(range(count), count - 1)


def _allowed(pairs: Sequence[Pair], axes: tuple[int, ...], by_factor: bool) -> bool:
    """Whether every case allows the relation, and all together show it."""
    evidence = 0
    for pair in pairs:
        found = _allowing(pair, axes, by_factor)
        if found is None:
            return False
        evidence += found
    return evidence >= ENOUGH


def _allowing(pair: Pair, axes: tuple[int, ...], by_factor: bool) -> int | None:
    """How many numbers speak for a factor or an offset for each place along `axes`. None where they contradict it."""
    rest = tuple(axis for axis in range(len(pair.shape)) if axis not in axes)
    e, a = pair.ev, pair.matched
    fit = _factors if by_factor else _offsets
    first, first_of_yours = (_first_row(x, axes) for x in (e, a))
    if not _near(pair, _applied(first, fit(first, first_of_yours, rest), by_factor), first_of_yours, rest):
        return None
    numbers = fit(e, a, rest)
    if not _near(pair, _applied(e, numbers, by_factor), a, rest) or (by_factor and not (np.abs(numbers) > 1e-9).all()):
        return None
    if _alike_in_rows(pair, e, axes, by_factor):
        return 0
    size = np.abs(e) > SIGNIFICANT * np.abs(e).max(rest, keepdims=True) if by_factor else np.ones(e.shape)
    changed = np.abs(numbers - int(by_factor)) > 1e-6 * (1.0 if by_factor else float(np.abs(e).max()))
    return int(np.maximum(size.sum(rest, keepdims=True) - 1, 0)[changed].sum())


def _applied(e: Any, numbers: Any, by_factor: bool) -> Any:
    return e * numbers if by_factor else e + numbers


def _first_row(x: Any, axes: tuple[int, ...]) -> Any:
    """The first place along `axes`, which keep the size 1: enough to see that most relations do not hold."""
    return x[tuple(slice(0, 1) if axis in axes else slice(None) for axis in range(x.ndim))]


def _factors(e: Any, a: Any, rest: tuple[int, ...]) -> Any:
    """The factor of each row that fits best. It is 1 where the expected row is all zeros."""
    norms = (e * e).sum(rest, keepdims=True)
    return np.where(norms > 0, (e * a).sum(rest, keepdims=True) / np.where(norms > 0, norms, 1), 1.0)


def _offsets(e: Any, a: Any, rest: tuple[int, ...]) -> Any:
    return (a - e).mean(rest, keepdims=True)


def _near(pair: Pair, numbers: Any, a: Any, rest: tuple[int, ...]) -> bool:
    """Whether both agree, with room for what rounding does to a fitted number."""
    rtol = 1e-5 if pair.expected.dtype.itemsize >= 4 else 1e-2
    scale = np.abs(a).max(rest, keepdims=True)
    return bool((np.abs(numbers - a) <= rtol * np.abs(a) + 0.1 * rtol * scale).all())


def _alike_in_rows(pair: Pair, e: Any, axes: tuple[int, ...], by_factor: bool) -> bool:
    """Whether the expected rows differ by such a number themselves: then a wrong row looks like a wrong number."""
    if not axes:
        return False
    rest = tuple(axis for axis in range(len(pair.shape)) if axis not in axes)
    rows = np.transpose(e, (*axes, *rest)).reshape(-1, int(np.prod([pair.shape[axis] for axis in rest])))
    if len(rows) < 2 or bool((rows == rows[:1]).all()):
        return False
    if by_factor:
        norms = np.sqrt((rows * rows).sum(1, keepdims=True))
        rows = rows / np.where(norms > 0, norms, 1)
    else:
        rows = rows - rows.mean(1, keepdims=True)
    first = rows[int(np.abs(rows).sum(1).argmax())]
    alike = (np.abs(rows - first) <= 1e-5 * max(float(np.abs(rows).max()), 1e-300)).all(axis=1)
    return int(alike.sum()) > max(1, len(rows) // 2)


# ------------------------------------------------------------------ norms


def _has_norm(x: Any, axis: int | tuple[int, ...], norm: str) -> bool:
    """Whether each row along `axis`, of more than one number, has the norm 1: a sum, a length, a largest or a mean."""
    rows = _norms(x, axis, norm)
    size = x.size // max(rows.size, 1)
    return size > 1 and (norm not in ("sum", "mean") or bool((x >= 0).all())) and bool((np.abs(rows - 1) < 1e-4).all())


def _norms(x: Any, axis: int | tuple[int, ...], norm: str) -> Any:
    with np.errstate(all="ignore"):
        if norm == "length":
            return np.sqrt((x * x).sum(axis, keepdims=True))
        if norm == "largest":
            return np.abs(x).max(axis, keepdims=True)
        sums = np.abs(x).sum(axis, keepdims=True)
        return sums / (x.size / sums.size) if norm == "mean" else sums


_NORMS: Mapping[str, tuple[str, str]] = {  # what has the value 1, and what they are divided by
    "sum": ("your values sum to 1", "the sum"),
    "length": ("the squares of your values sum to 1", "the square root of the sum of squares"),
    "largest": ("your largest value is 1", "the largest"),
    "mean": ("the mean of your values is 1", "the mean"),
}


def _norm_of(x: Any, axis: int | tuple[int, ...]) -> str | None:
    """The only norm that x has along an axis; None where there is none, or where several agree, as for one-hot rows."""
    norms = [norm for norm in _NORMS if _has_norm(x, axis, norm)]
    return norms[0] if len(norms) == 1 else None


def _other_norm(pair: Pair, norms: Sequence[str | None]) -> Iterator[Diagnosis]:
    """Rows that are the expected ones, divided by something else. Rows that sum to 1 along the other axis."""
    for axis, name in enumerate(pair.names):
        right = norms[axis]
        if right is None:
            continue
        axes = tuple(other for other in range(len(pair.shape)) if other != axis)
        yours = _norm_of(pair.matched, axis)
        if yours not in (None, right) and _allowing(pair, axes, by_factor=True) is not None:
            text = f"Along {name}, {_NORMS[yours or right][0]}: divide by {_NORMS[right][1]}"
            yield pair.says("wrong_norm", f"{name} {yours}", f"{text}, not by {_NORMS[yours or right][1]}.")
        yield from _other_axis(pair, axis, name, right)


def _other_axis(pair: Pair, axis: int, name: str, norm: str) -> Iterator[Diagnosis]:
    if _has_norm(pair.matched, axis, norm):
        return
    what = _NORMS[norm][0]
    for other, other_name in enumerate(pair.names):
        if other_name != name and pair.shape[other] > 1 and _norm_of(pair.matched, other) == norm:
            yield pair.says(
                "wrong_norm", f"{other_name} for {name}",
                f"Along {other_name}, {what}, and they should along {name}: divide by {_NORMS[norm][1]} along {name}.",
            )  # fmt: skip
    whole = tuple(range(len(pair.shape)))
    is_filled = bool((np.abs(pair.matched).max(axis) > 0).all())  # with rows of zeros, all of it may sum up to one row
    if len(whole) > 1 and is_filled and _norm_of(pair.matched, whole) == norm:
        yield pair.says(
            "wrong_norm", f"everything for {name}",
            f"Over all axes together, {what}, and they should along {name} alone: divide each row by its own.",
        )  # fmt: skip


def _epsilon(pair: Pair, norms: Sequence[str | None]) -> Iterator[Diagnosis]:
    """Rows a little smaller than the expected ones: something is added to what they are divided by."""
    for axis, name in enumerate(pair.names):
        right = norms[axis] or ("spread" if _is_standard(pair.ev, axis) else None)
        if right is None:
            continue
        ratio, spread = _ratios(pair, axis)
        off = 1 - ratio
        largest = float(np.abs(off).max())
        noise = 8 * float(np.finfo(pair.expected.dtype).eps)
        slightly = 20 * noise < largest < SLIGHT and bool((off > -20 * noise).all())
        if right == "sum":  # of all of it, and not of the large values alone
            total = pair.matched.sum(axis, keepdims=True)
            slightly = slightly and bool((np.abs(total - ratio) <= 0.1 * largest + noise).all())
        if slightly and spread <= max(0.02 * largest, noise):
            what = "the sum" if right == "sum" else "what"
            text = "sum to slightly less than 1" if right == "sum" else "are slightly too small"
            yield pair.says(
                "epsilon", name,
                f"Along {name}, your values {text}, each row by a factor such as {1 - largest:.6g}: a small number is "
                f"added to {what} you divide by.",
                f"Along {name}, your values {text}: a small number is added to {what} you divide by.",
            )  # fmt: skip


def _ratios(pair: Pair, axis: int) -> tuple[Any, float]:
    """The ratio of yours to expected in each row along `axis`, and how much it changes within a row at most."""
    e, a = pair.ev, pair.matched
    large = np.abs(e) > SIGNIFICANT * np.abs(e).max(axis, keepdims=True)
    with np.errstate(all="ignore"):
        ratio = np.where(large, a / np.where(large, e, 1), np.nan)
        middle = np.nanmean(ratio, axis, keepdims=True)
        return middle, float(np.nanmax(np.abs(ratio - middle)))


def _is_standard(x: Any, axis: int) -> bool:
    """Whether rows along `axis` have mean 0 and variance 1. A constant row, all zeros, may be among them."""
    mean, variance = x.mean(axis), x.var(axis)
    usual = np.abs(variance - 1) < 1e-2
    return bool((np.abs(mean) < 1e-4).all() and usual.any() and (usual | (variance < 1e-6)).all())


# ------------------------------------------------------------------ a power


def _power(pair: Pair) -> Iterator[Diagnosis]:
    """Rows that are a power of the expected ones, divided by their sum: another base or temperature of a softmax."""
    for axis, name in enumerate(pair.names):
        if not _has_norm(pair.ev, axis, "sum") or not _has_norm(pair.matched, axis, "sum"):
            continue
        if bool((np.maximum(pair.ev, pair.matched) > 1 - 1e-6).sum(axis).all()):
            continue  # one-hot rows stay what they are
        fitted = _fitted(pair, axis)
        candidates = dict(_usual_powers(pair))
        for power in candidates.values():
            likely = not fitted or power.exponent < 0 or abs(fitted / power.exponent - 1) < 0.1
            if likely and _is_power(pair, axis, power.exponent):
                yield _of_power(pair, name, power)
        known = any(abs(fitted / power.exponent - 1) < 1e-3 for power in candidates.values()) if fitted else True
        if fitted and not known and _is_power(pair, axis, fitted):
            yield _of_power(pair, name, _Power(fitted, "", f"{fitted:.4g}"))


@dataclass(frozen=True)
class _Power:
    exponent: float
    formula: str  # in names of dimensions, "" for a number
    number: str

    @cached_property
    def base(self) -> int | None:
        return next((base for base in (2, 10) if abs(self.exponent / np.log(base) - 1) < 1e-3), None)


def _usual_powers(pair: Pair) -> Iterator[tuple[str, _Power]]:
    for exponent in (np.log(2), np.log(10), 0.5, 2.0, -1.0):
        yield f"{exponent:.4g}", _Power(float(exponent), "", f"{exponent:.4g}")
    for name, size in pair.case.dims.items():
        if size > 2:
            exponents = {
                f"divided by {name}": 1 / size, f"divided by sqrt({name})": size**-0.5,
                f"multiplied by {name}": size, f"multiplied by sqrt({name})": size**0.5,
            }  # fmt: skip
            for formula, exponent in exponents.items():
                yield formula, _Power(float(exponent), formula, "")


def _is_power(pair: Pair, axis: int, exponent: float) -> bool:
    """Whether yours is that power, normalised. A zero stays zero: it is masked, or too small for its dtype."""
    e, a = (np.moveaxis(x, axis, -1).reshape(-1, pair.shape[axis]) for x in (pair.ev, pair.matched))
    if exponent < 0:  # a number too small to be seen becomes the largest of its row
        lost = np.where(e == 0, a, 0).sum(axis=1) > 0.999
        e, a = e[~lost], a[~lost]
    if not len(e) or not (e > 0).any(axis=1).all():
        return False
    logs = np.where(e > 0, np.log(np.where(e > 0, e, 1)) * exponent, -np.inf)
    numbers = np.exp(logs - logs.max(axis=1, keepdims=True))
    numbers /= numbers.sum(axis=1, keepdims=True)
    return _near(pair, numbers, a, (1,))


def _fitted(pair: Pair, axis: int) -> float:
    """The exponent that fits best in the ordinary range of numbers; 0 where too few are in it."""
    e, a = pair.ev, pair.matched
    usable = (e > 1e-6) & (a > 1e-6)
    if int(usable.sum()) - e.size // pair.shape[axis] < 2:
        return 0.0
    logs = [np.where(usable, np.log(np.where(usable, x, 1)), 0.0) for x in (e, a)]
    count = np.maximum(usable.sum(axis, keepdims=True), 1)
    e_log, a_log = (np.where(usable, log - log.sum(axis, keepdims=True) / count, 0.0) for log in logs)
    norm = float((e_log * e_log).sum())
    fitted = float((e_log * a_log).sum()) / norm if norm > 1e-12 else 0.0
    return fitted if 0.01 < fitted < 100 and abs(fitted - 1) > 1e-3 else 0.0


def _of_power(pair: Pair, name: str, power: _Power) -> Diagnosis:
    start = f"Along {name}, your values are a power of the expected ones, divided by their sum"
    if power.base:
        return pair.says(
            "power", f"{name} base {power.base}",
            f"{start}, as a softmax of base {power.base} gives: take powers of e, with `exp`.",
            f"{start}, as a softmax of another base gives: take powers of e, with `exp`.",
        )  # fmt: skip
    if power.exponent == -1:
        return pair.says(
            "power", f"{name} negative",
            f"Along {name}, the smallest of your values are where the largest should be, as if the scores of a softmax "
            "had the other sign: look for an extra or a missing minus inside `exp`.",
        )  # fmt: skip
    if power.formula:
        scaled = f"as if the scores of a softmax were {power.formula}"
        return pair.says("power", f"{name} {power.formula}", f"{start}, {scaled}: leave that out.")
    return pair.says(
        "power", f"{name} {power.number}",
        f"{start}, as if the scores of a softmax were multiplied by {power.number}: look for a factor inside `exp`.",
        f"{start}, as if the scores of a softmax were multiplied by a number: look for a factor inside `exp`.",
    )  # fmt: skip


# ------------------------------------------------------------------ cut off


def _clipped(pair: Pair) -> Iterator[Diagnosis]:
    """The expected values, but none is above or below a number: they are clipped, or a ReLU is taken."""
    if not pair.finite or not pair.rich:
        return
    e, a = pair.e, pair.a
    for side, end, others in (("below", float(a.min()), e < a), ("above", float(a.max()), e > a)):
        rtol, atol = pair.tolerances
        wrong = np.abs(e - a) > atol + rtol * np.abs(e)
        if int(wrong.sum()) < 2 or not others[wrong].all() or not (a[wrong] == end).all():
            continue
        if len(np.unique(a)) < 2 or len(np.unique(e[wrong])) < 2:
            continue
        if side == "below" and end == 0:
            text = "Your values are right, but 0 where negative ones are expected: leave out the ReLU or the maximum."
            yield pair.says("clipped", "negative", text, text.replace("0 where", "zero where"))
        else:
            text = "Your values are right, but none is"
            why = "they are clipped, and should not be"
            yield pair.says("clipped", side, f"{text} {side} {end:.6g}: {why}.", f"{text} {side} some number: {why}.")


def _largest_alone(pair: Pair) -> Iterator[Diagnosis]:
    """One-hot rows: 1 at the largest expected value, and zeros."""
    for axis, (name, size) in enumerate(zip(pair.names, pair.shape, strict=True)):
        if size < 2 or not _has_norm(pair.ev, axis, "sum") or bool((pair.ev.max(axis) > 1 - 1e-6).all()):
            continue
        places = np.expand_dims(pair.ev.argmax(axis), axis)
        hot = np.zeros(pair.shape)
        np.put_along_axis(hot, places, 1.0, axis)
        if np.array_equal(hot, pair.matched):
            yield pair.says(
                "largest_alone", name,
                f"Along {name}, yours is 1 at the largest and 0 elsewhere, where every place keeps a share: an "
                "`argmax` or a rounding takes all.",
                f"Along {name}, only the largest gets everything, where every place keeps a share: an `argmax` or a "
                "rounding takes all.",
            )  # fmt: skip


# ------------------------------------------------------------------ signs, and n - 1 for n


def _signs(pair: Pair) -> Iterator[Diagnosis]:
    signs = np.sign(pair.e)
    if (
        np.array_equal(signs, pair.a)
        and len(np.unique(signs)) > 1
        and not np.array_equal(np.abs(pair.e), np.abs(signs))
    ):
        yield pair.says(
            "signs_only", "",
            "Your values are only the signs of the expected ones, 1 and -1: how large they are is lost.",
            "Your values are only the signs of the expected ones: how large they are is lost.",
        )  # fmt: skip


def _degrees_of_freedom(pair: Pair) -> Iterator[Diagnosis]:
    """A variance or a standard deviation of n - 1 where n belongs, or the other way round, in or under a fraction."""
    if not pair.finite:
        return
    norm = float((pair.e * pair.e).sum())
    factor = float((pair.e * pair.a).sum()) / norm if norm > 0 else 0.0
    middle = pair.a.size // 2
    if not np.isfinite(factor) or not np.isclose(
        pair.a.item(middle), factor * pair.e.item(middle), rtol=1e-4, atol=1e-6
    ):
        return
    if not np.allclose(pair.a, factor * pair.e, rtol=1e-5, atol=1e-6 * np.abs(pair.a).max()):
        return
    for name, size in pair.case.dims.items():
        if size < 2:
            continue
        share = (size - 1) / size
        for right, number in (("", share), ("sqrt ", share**0.5), ("1/", 1 / share), ("1/sqrt ", share**-0.5)):
            if abs(factor / number - 1) < 1e-5:
                yield pair.says(
                    "degrees_of_freedom", f"{right}{name}",
                    f"Every value is the expected one times a number that is due to {name} - 1 in place of {name}, or "
                    "the other way round: look at how the mean, the variance or the standard deviation counts "
                    "(`ddof`, `correction`).",
                    f"Every value differs by what counting {name} less one in place of {name} makes, or the other way "
                    "round: look at how the mean, the variance or the standard deviation counts (`ddof`, "
                    "`correction`).",
                )  # fmt: skip


# ------------------------------------------------------------------ reduced over an axis

_REDUCTIONS: Mapping[str, Callable[[Any, int], Any]] = {
    "summed": lambda x, axis: x.sum(axis), "averaged": lambda x, axis: x.mean(axis),
    "reduced to the largest": lambda x, axis: x.max(axis), "reduced to the smallest": lambda x, axis: x.min(axis),
}  # fmt: skip


def _reduced_over(pair: Pair) -> Iterator[Diagnosis]:
    """The expected output reduced over one axis, which is then missing, kept with size 1, or filled with copies."""
    e, a = pair.e, pair.a
    if e.ndim != len(pair.declared.dims) or pair.equal(e, a):
        return
    for axis, name in enumerate(pair.declared.dims):
        if e.shape[axis] < 2 or (e.size == e.shape[axis] and a.size > 1):
            continue
        missing, kept = e.shape[:axis] + e.shape[axis + 1 :], (*e.shape[:axis], 1, *e.shape[axis + 1 :])
        if a.shape not in (missing, kept, e.shape) or _constant_along(e, axis):
            continue
        if a.shape == e.shape and not _constant_along(a, axis):
            continue
        shown = f"axis {axis}" if name.isdigit() else name
        for how, function in _REDUCTIONS.items():
            numbers = np.expand_dims(function(e, axis), axis)
            wanted = np.broadcast_to(numbers, e.shape) if a.shape == e.shape else numbers.reshape(a.shape)
            if pair.equal(wanted, a):
                copies = " and copied along it" if a.shape == e.shape else ""
                yield pair.says(
                    "reduced", f"{shown} {how}",
                    f"Your output is the expected one, {how} over {shown}{copies}: leave that out.",
                )  # fmt: skip


def _constant_along(x: Any, axis: int) -> bool:
    return bool((x == x.take([0], axis)).all())


def _not_reduced(pair: Pair) -> Iterator[Diagnosis]:
    """Yours, reduced over the axis that it has too many, is the expected output."""
    e, a = pair.e, pair.a
    if a.ndim != e.ndim + 1:
        return
    for axis in range(a.ndim):
        if a.shape[axis] < 2 or a.shape[:axis] + a.shape[axis + 1 :] != e.shape or _constant_along(a, axis):
            continue
        names = [name for name, size in pair.case.dims.items() if size == a.shape[axis]]
        names = [name for name in names if name not in pair.declared.dims] or names
        where = f"along {names[0]}" if len(names) == 1 else "along one axis"
        for how, function in (("sum", a.sum), ("mean", a.mean), ("largest", a.max), ("smallest", a.min)):
            if pair.equal(e, function(axis)):
                yield pair.says(
                    "not_reduced", f"{how} {where}",
                    f"The {how} of your values {where} is the expected output: that last step is missing.",
                )  # fmt: skip
