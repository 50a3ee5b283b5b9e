"""What your numbers are, whatever is expected: values of half or single precision, rounded, or whole.

The property must hold of all wrong outputs, and must not hold of the expected ones. But for whole numbers, yours must
also be close to what is expected: then the precision explains the difference.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from graders.reasons.pairs import Diagnosis, Pair

MAX_DECIMALS = 8
AT_FIRST = 64  # numbers that mostly show that a property does not hold
ENOUGH = 6  # expected numbers that do not have the property


def own_precision(pairs: Mapping[int, Pair]) -> Iterator[tuple[int, Diagnosis]]:
    """What all your wrong outputs have in common, by index of the case."""
    examined = {n: pair for n, pair in pairs.items() if _comparable(pair)}
    if len(examined) != len(pairs) or not examined:
        return
    decimals = _decimals(list(examined.values()))
    words: Sequence[tuple[str, str, str]] = ()
    if decimals:
        places = "one decimal place" if decimals == 1 else f"{decimals} decimal places"
        words = (
            ("rounded", f"Your values are rounded to {places}: leave the rounding out.",
             "Your values are rounded to a few decimal places: leave the rounding out."),
        )  # fmt: skip
    elif _throughout(examined, _is_half, 0.05, 2):
        words = (_in_precision("half_values", "float16", "about three digits"),)
    elif _throughout(examined, _is_brain_half, 0.1, 2):
        words = (_in_precision("half_values", "bfloat16", "two to three digits"),)
    elif _throughout(examined, _is_single, 1e-3, 4):
        words = (_in_single(examined) or _in_precision("single_values", "float32", "about seven digits"),)
    elif _throughout(examined, _is_whole, np.inf, 0) and all(_several(pair.a) for pair in examined.values()):
        text = (
            "All your values are whole numbers, and the expected ones are not: look for `//`, an integer dtype or a "
            "rounding."
        )
        words = (("whole_numbers", text, text),)
    for name, text, hidden in words:
        yield from ((n, pair.says(name, "", text, hidden)) for n, pair in examined.items())


def _in_precision(name: str, dtype: str, digits: str) -> tuple[str, str, str]:
    text = f"a step on the way uses {dtype}, which keeps {digits}: compute in the dtype that is expected throughout."
    hidden = "a step on the way uses a narrower dtype: compute in the dtype that is expected throughout."
    return name, f"Your values are no finer than {dtype}: {text}", f"Your values have too few digits: {hidden}"


def _in_single(pairs: Mapping[int, Pair]) -> tuple[str, str, str] | None:
    """For outputs of dtype float32, which a cast at the end would not repair."""
    if not all(pair.actual.dtype.name == "float32" for pair in pairs.values()):
        return None
    text = "Your values are float32 and were computed in it, so that digits are lost: compute in float64 throughout."
    return "single_values", text, "Your values have too few digits: compute in the dtype that is expected throughout."


def _comparable(pair: Pair) -> bool:
    return pair.finite and pair.a.shape == pair.e.shape and not pair.exact and pair.e.dtype.kind == pair.a.dtype.kind


def _several(x: Any) -> bool:
    """Whether there are more than two values: zeros and ones may be on purpose."""
    return len(np.unique(x.ravel()[:256])) > 2


def _throughout(pairs: Mapping[int, Pair], has: Callable[[Any], Any], close: float, itemsize: int) -> bool:
    """Whether all of yours have the property, and the expected ones, of a wider dtype, often do not.

    `close` is how far yours may be from expected, as a part of the largest; `itemsize` in bytes.
    """
    others = 0
    for pair in pairs.values():
        if pair.expected.dtype.itemsize <= itemsize or not bool(has(pair.a.ravel()[:AT_FIRST]).all()):
            return False
        if not bool(has(pair.a).all()):
            return False
        if float(np.abs(pair.a - pair.e).max()) > close * float(np.abs(pair.e).max()):
            return False
        others += int((~has(pair.e)).sum())
    return others >= ENOUGH


def _is_half(x: Any) -> Any:
    with np.errstate(all="ignore"):
        return x.astype(np.float16).astype(np.float64) == x


def _is_brain_half(x: Any) -> Any:
    with np.errstate(all="ignore"):
        single = x.astype(np.float32)
        return (single == x) & ((np.ascontiguousarray(single).view(np.uint32) & 0xFFFF) == 0)


def _is_single(x: Any) -> Any:
    with np.errstate(all="ignore"):
        return x.astype(np.float32).astype(np.float64) == x


def _is_whole(x: Any) -> Any:
    return np.rint(x) == x


def _decimals(pairs: Sequence[Pair]) -> int:
    """To how many decimal places, at least 1, all of yours are rounded; 0 where they are not, or not near enough."""
    places = []
    for pair in pairs:
        places.append(_decimals_of(pair))
        if not places[-1]:
            return 0
    most = max(places)
    finer = sum(int((np.abs(pair.e - np.round(pair.e, most)) > 10.0 ** -(most + 3)).sum()) for pair in pairs)
    near = all(float(np.abs(pair.a - pair.e).max()) <= 0.51 * 10.0**-most for pair in pairs)
    return most if near and finer >= ENOUGH else 0


def _decimals_of(pair: Pair) -> int:
    dtype = pair.actual.dtype
    digits = np.finfo(dtype).precision if dtype.kind == "f" else 0
    first, scale = pair.a.ravel()[:AT_FIRST], float(np.abs(pair.a).max())
    for places in range(1, min(MAX_DECIMALS, digits - int(np.ceil(np.log10(max(scale, 1)))) - 1) + 1):
        if all(_is_rounded(x.astype(dtype), places) for x in (first, pair.a)):
            return places
    return 0


def _is_rounded(x: Any, places: int) -> bool:
    """Up to the last bits: JAX rounds 0.121 to the float32 beside the one that NumPy gives."""
    return bool((np.abs(np.round(x, places) - x) <= 2 * np.spacing(np.abs(x))).all())
