"""Zeros and NaN where numbers belong: which rows they fill, and what those rows of the input have in common."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from graders.reasons.pairs import FEW, Diagnosis, Pair

# Where `exp` leaves the range of a dtype: (the logarithm of its largest number, of its smallest).
EXP_RANGE = {"float16": (11.0, -17.0), "float32": (88.7, -103.9), "float64": (709.7, -745.0)}


def gaps(pair: Pair) -> Iterator[Diagnosis]:
    """The looks of this module, on two arrays of one shape."""
    if pair.av is None or pair.e.dtype.kind != "f" or pair.a.dtype.kind != "f":
        return
    if bool((pair.matched == 0).any()):
        yield from _left_zero(pair, _right(pair))
    if bool(np.isnan(pair.matched).any()):
        yield from _nan_rows(pair, _right(pair))


def _right(pair: Pair) -> Any:
    """Where yours agrees with what is expected, as bool of the pair's shape."""
    rtol, atol = pair.tolerances
    with np.errstate(all="ignore"):
        return (np.abs(pair.ev - pair.matched) <= atol + rtol * np.abs(pair.ev)) | (pair.ev == pair.matched)


# ------------------------------------------------------------------ zeros


def _left_zero(pair: Pair, right: Any) -> Iterator[Diagnosis]:
    """The first or the last slices are right, and all others hold only zeros, as before a loop."""
    if not pair.finite or not pair.rich:
        return
    for axis, (name, size) in enumerate(zip(pair.names, pair.shape, strict=True)):
        yours, good = (np.moveaxis(x, axis, 0).reshape(size, -1) for x in (pair.matched, right))
        expected = np.moveaxis(pair.ev, axis, 0).reshape(size, -1)
        zero = (yours == 0).all(axis=1)
        filled = int((~zero).sum())
        if size < 2 or not 0 < filled < size or not good[~zero].all() or not (expected[zero] != 0).any(axis=1).all():
            continue
        if filled == 1 and not zero[-1]:
            yield pair.says(
                "left_zero", f"{name} last",
                f"Along {name}, only the last is there and right, and the others are zero: it looks as if the output "
                "were made again inside a loop, in each pass.",
            )  # fmt: skip
        elif not zero[:filled].any():
            only = "only the first is" if filled == 1 else "only the first ones are"
            yield pair.says(
                "left_zero", f"{name} first" if filled == 1 else f"{name} early",
                f"Along {name}, {only} there and right, and the others are still zero: it looks as if a loop "
                "ended too early, by its range or by a `return` inside it.",
            )  # fmt: skip


# ------------------------------------------------------------------ NaN


@dataclass(frozen=True)
class _Rows:
    """An input along the axis in question: each row's largest and smallest number, shape (rows,), and where NaN is."""

    input: str
    axis: str
    x: Any  # (rows, n)
    nan: Any  # (rows, n), bool
    overflow: float
    underflow: float

    @property
    def filled(self) -> Any:
        return self.nan.all(axis=1)

    @property
    def hit(self) -> Any:
        return self.nan.any(axis=1)


def _nan_rows(pair: Pair, right: Any) -> Iterator[Diagnosis]:
    nan = np.isnan(pair.matched) & ~np.isnan(pair.ev)
    if not nan.any() or int(nan.sum()) + int(right.sum()) < FEW:
        return
    for rows in _rows(pair, nan):
        for look in (_all_masked, _not_shifted, _underflow, _overflow):
            found = list(look(pair, rows))
            yield from found
            if found:
                break


def _rows(pair: Pair, nan: Any) -> Iterator[_Rows]:
    """The only input of the output's shape, along each axis along which expected rows sum to 1, or to 0."""
    inputs = [
        (name, value)
        for name, value in pair.case.inputs.items()
        if isinstance(value, np.ndarray) and value.shape == pair.shape and value.dtype.kind == "f" and value.ndim
    ]
    if len(inputs) != 1 or inputs[0][1].dtype.name not in EXP_RANGE:
        return
    name, value = inputs[0]
    overflow, underflow = EXP_RANGE[value.dtype.name]
    for axis, size in enumerate(pair.shape):
        expected = np.moveaxis(pair.ev, axis, -1).reshape(-1, size)
        sums = np.nansum(expected, axis=1)
        if size > 1 and sums.any() and bool((np.abs(sums * (sums - 1)) < 1e-3).all()):
            x = np.moveaxis(value.astype(np.float64), axis, -1).reshape(-1, size)
            yield _Rows(name, pair.names[axis], x, np.moveaxis(nan, axis, -1).reshape(-1, size), overflow, underflow)


def _all_masked(pair: Pair, rows: _Rows) -> Iterator[Diagnosis]:
    masked = np.isneginf(rows.x).all(axis=1)
    if masked.any() and np.array_equal(masked, rows.hit):
        yield pair.says(
            "masked_rows", rows.axis,
            f"NaN fills just the rows of `{rows.input}` that are all -inf: there, infinity is subtracted from "
            "infinity, or zero is divided by zero.",
        )  # fmt: skip


def _not_shifted(pair: Pair, rows: _Rows) -> Iterator[Diagnosis]:
    """NaN is just in the rows in which `exp` of the input itself is infinite, or 0 everywhere."""
    largest = rows.x.max(axis=1)
    out_of_range = (largest > rows.overflow) | (np.isfinite(largest) & (largest < rows.underflow))
    if out_of_range.any() and np.array_equal(out_of_range, rows.hit):
        yield pair.says(
            "not_shifted", rows.axis,
            f"NaN appears just in the rows in which `exp({rows.input})` overflows to infinity, or is 0 everywhere: "
            "what is subtracted before `exp` must be each row's own largest number.",
            f"NaN appears just in the rows in which `exp({rows.input})` overflows to infinity, or is zero everywhere: "
            "what is subtracted before `exp` must be each row's own largest number.",
        )  # fmt: skip


def _underflow(pair: Pair, rows: _Rows) -> Iterator[Diagnosis]:
    """Whole rows are NaN, and their largest number is so low that every exponential in them is 0."""
    hit = rows.hit
    if not np.array_equal(hit, rows.filled) or not np.isfinite(rows.x[hit]).any(axis=1).all():
        return
    largest = rows.x.max(axis=1)
    rest = largest[~hit]
    low = float(largest[hit].max())
    gap = max(float(np.max(rows.x[np.isfinite(rows.x)])) - low, float(-low))
    if gap > -rows.underflow / 2 and (not rest.size or low < float(rest.min())):
        yield pair.says(
            "underflow", rows.axis,
            f"NaN fills whole rows along {rows.axis}, just those whose numbers in `{rows.input}` are lowest: every "
            f"`exp` in them is 0, and 0 / 0 is NaN: what is subtracted first must be each row's own largest number.",
        )  # fmt: skip


def _overflow(pair: Pair, rows: _Rows) -> Iterator[Diagnosis]:
    """In every row with NaN, its largest number has one, and it or the row's range is too large for `exp`."""
    hit = rows.hit
    x = rows.x[hit]
    if not np.isfinite(x).any(axis=1).all():
        return
    largest = x.max(axis=1)
    lowest = np.where(np.isfinite(x), x, np.inf).min(axis=1)
    at_largest = rows.nan[hit][np.arange(len(x)), x.argmax(axis=1)]
    others = rows.x[~hit]
    if not at_largest.all() or (rows.filled & hit).all():
        return
    by_level = _all_above(largest, others.max(axis=1), rows.overflow - 20)
    by_range = _all_above(largest - lowest, others.max(axis=1) - others.min(axis=1), rows.overflow / 2)
    if by_level or by_range:
        yield pair.says(
            "overflow", rows.axis,
            f"NaN appears where `{rows.input}` is largest along {rows.axis}: `exp` overflows to infinity there, and "
            "infinity / infinity is NaN: what is subtracted first must be each row's own largest number.",
        )  # fmt: skip


def _all_above(numbers: Any, others: Any, limit: float) -> bool:
    """Whether the numbers of the rows with NaN are above the limit, and above those of all other rows."""
    return bool((numbers > limit).all()) and (not others.size or float(others.max()) < float(numbers.min()))
