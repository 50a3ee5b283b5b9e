"""Expected against actual: None, or the first Mismatch, in words.

The checks run in this order until one fails: returned nothing → type → shape → dtype → non-finite → closeness. The wire
has made both values plain Python and plain ndarrays. No check first converts one to the other's type or shape, so that
nothing broadcasts, casts or loses an imaginary part on the way to "equal".
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from graders.exercise.limits import Tolerance
from graders.exercise.signature import Array, Dict, Dims, Scalar, Tuple, Type, describe, dim_size
from graders.reasons.arrays import MAX_ELEMENTS, ArrayBlock, ComparedArrays, NamedArray, elements_each
from graders.verdict import ArrayView, Mismatch

VIEW_CHARACTERS = 1_500
VIEW_NUMBERS = 1_000


def compare(
    expected: Any, actual: Any, declared: Type, dims: Dims, tolerance: Tolerance, where: str = ""
) -> Mismatch | None:
    """The first difference between `expected` and `actual`, both of the type `declared`.

    `dims` names the expected sizes for the text. Closeness is |actual - expected| <= atol + rtol * |expected|.
    """
    if actual is None:
        return Mismatch("type", f"{_of(where)}returned nothing (None): is a `return` missing?", _name(declared), "None")
    if isinstance(declared, Array):
        return _compare_array(expected, actual, declared, dims, tolerance, where)
    if isinstance(declared, Tuple):
        if not isinstance(actual, tuple | list) or len(actual) != len(declared.items):
            expected_text = f"a tuple of {len(declared.items)}"
            return _type_mismatch(expected_text, actual, where)
        for n, (item, part, type_) in enumerate(zip(expected, actual, declared.items, strict=True)):
            if mismatch := compare(item, part, type_, dims, tolerance, f"{where}[{n}]"):
                return mismatch
        return None
    if isinstance(declared, Dict):
        if not isinstance(actual, dict):
            return _type_mismatch("a dict", actual, where)
        if expected.keys() != actual.keys():
            keys = _cut(f"{sorted(expected)}"), _cut(f"{sorted(actual)}")
            return Mismatch("type", f"{_of(where)}expected the keys {keys[0]}, yours are {keys[1]}.", *keys)
        for key in expected:
            if mismatch := compare(expected[key], actual[key], declared.value, dims, tolerance, f"{where}[{key!r}]"):
                return mismatch
        return None
    return _compare_scalar(expected, actual, declared, tolerance, where)


def share_of_tolerance(expected: Any, actual: Any, declared: Type, dims: Dims, tolerance: Tolerance) -> float:
    """The largest |actual - expected| / (atol + rtol * |expected|): 0 for the same numbers, above 1 for a mismatch.

    Infinite for a mismatch without such a number: another type, shape or dtype, an unexpected NaN, another integer.
    """
    if compare(expected, actual, declared, dims, _ANY) is not None:
        return math.inf
    share = 0.0
    for e, a in zip(_inexact(declared, expected), _inexact(declared, actual), strict=True):
        with np.errstate(all="ignore"):
            distance = np.where(np.isfinite(e) & (e != a), np.abs(a - e), 0.0)
            allowed = tolerance.atol + tolerance.rtol * np.abs(np.where(np.isfinite(e), e, 0))
            share = max(share, float(np.where(distance > 0, distance / allowed, 0.0).max(initial=0.0)))
    return share


_ANY = Tolerance(rtol=0, atol=math.inf)


def _inexact(declared: Type, value: Any) -> Iterator[Any]:
    """The numbers of a value that the tolerance applies to, in 64 bits."""
    if isinstance(declared, Tuple):
        for type_, item in zip(declared.items, value, strict=True):
            yield from _inexact(type_, item)
    elif isinstance(declared, Dict):
        for key in sorted(value):
            yield from _inexact(declared.value, value[key])
    elif isinstance(declared, Array):
        if declared.dtype.startswith("complex"):
            yield value.astype(np.complex128)
        elif "float" in declared.dtype:
            yield value.astype(np.float64)
    elif declared.name == "float":
        yield np.asarray(value, np.float64)


def arrays(
    expected: Any, actual: Any, declared: Type, dims: Dims, tolerance: Tolerance, mismatch: Mismatch, samples: int
) -> ComparedArrays | None:
    """The numbers of the two arrays that `mismatch` is about, or None where it is not about two arrays.

    `samples` is the number of sample cases, which share the space that a submission has.
    """
    parts = _parts(expected, actual, declared, dims, tolerance, "")
    if parts is None:
        return None
    expected, actual, array, where = parts
    wrong = differing(expected, actual, tolerance) if expected.shape == actual.shape else None
    cap = elements_each(samples, expected.dtype.itemsize, actual.dtype.itemsize)
    return ComparedArrays.of(where, array.dims, expected, actual, wrong, mismatch.index, cap)


def arrays_of(value: Any, declared: Type, where: str = "") -> Iterator[NamedArray]:
    """The arrays of a value of its declared type, at any depth; the first block of each."""
    match declared:
        case Array(dims=dims):
            yield NamedArray(where, dims, ArrayBlock.of(value, MAX_ELEMENTS))
        case Tuple(items=items):
            for n, type_ in enumerate(items):
                yield from arrays_of(value[n], type_, f"{where}[{n}]")
        case Dict(value=type_):
            for key in value:
                yield from arrays_of(value[key], type_, f"{where}[{key!r}]")


def _parts(
    expected: Any, actual: Any, declared: Type, dims: Dims, tolerance: Tolerance, where: str
) -> tuple[Any, Any, Array, str] | None:
    """The first part of a value that differs, if it is an array on both sides, else None."""
    inner: list[tuple[Any, Any, Type, str]] = []
    match declared:
        case Array():
            return (expected, actual, declared, where) if isinstance(actual, np.ndarray) else None
        case Tuple(items=items) if isinstance(actual, tuple | list) and len(actual) == len(items):
            inner = [(expected[n], actual[n], type_, f"{where}[{n}]") for n, type_ in enumerate(items)]
        case Dict(value=value) if isinstance(actual, dict) and expected.keys() == actual.keys():
            inner = [(expected[key], actual[key], value, f"{where}[{key!r}]") for key in expected]
    for e, a, type_, at in inner:
        if compare(e, a, type_, dims, tolerance) is not None:
            return _parts(e, a, type_, dims, tolerance, at)
    return None


def differing(expected: Any, actual: Any, tolerance: Tolerance) -> Any:
    """Which elements of two arrays of one shape differ, as a boolean array. Their dtypes may differ."""
    kinds = expected.dtype.kind + actual.dtype.kind
    if set(kinds) <= set("biu"):
        return expected != actual
    wide = np.complex128 if "c" in kinds else np.float64
    e, a = expected.astype(wide), actual.astype(wide)
    strange, unequal = _non_finite(e, a)
    distance, allowed = _distances(e, a, strange, tolerance)
    return unequal | (distance > allowed)


def odd_return(odd: str, declared: Type) -> Mismatch:
    """The mismatch of a return value that could not leave the box. `odd` names it."""
    return Mismatch("type", f"Expected {_name(declared)}, yours is {odd}.", _name(declared), odd)


def view(value: Any) -> ArrayView:
    """A value as a page shows it. NumPy shortens long arrays with dots.

    attack: eight dimensions of size four, which the dots do not shorten; a list of ten thousand arrays.
    defence: no more is turned into text than is shown.
    """
    if isinstance(value, np.ndarray):
        return ArrayView(value.shape, value.dtype.name, _cut(_numbers(value)))
    return ArrayView(None, type(value).__name__, _cut(_repr(value)))


def _numbers(array: Any) -> str:
    edge = next((edge for edge in (4, 3, 2) if (2 * edge) ** array.ndim <= VIEW_NUMBERS), 1)
    return np.array2string(array, threshold=200, edgeitems=edge, precision=6, max_line_width=72, separator=", ")


def _repr(value: Any) -> str:
    """Like `repr`, but ends early when it is longer than is shown."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype.name} {_numbers(value)}"
    if not isinstance(value, list | tuple | dict):
        return repr(value)
    text = ""
    for key in value:
        if len(text) > VIEW_CHARACTERS:
            break
        text += ", " if text else ""
        text += f"{key!r}: {_repr(value[key])}" if isinstance(value, dict) else _repr(key)
    if isinstance(value, dict):
        return f"{{{text}}}"
    if isinstance(value, list):
        return f"[{text}]"
    return f"({text},)" if len(value) == 1 else f"({text})"


def _compare_array(
    expected: Any, actual: Any, declared: Array, dims: Dims, tolerance: Tolerance, where: str
) -> Mismatch | None:
    if not isinstance(actual, np.ndarray):
        return _type_mismatch(f"an array {declared.dtype} {_shape(declared, dims, expected.shape)}", actual, where)
    if actual.shape != expected.shape:
        expected_text = _shape(declared, dims, expected.shape)
        text = f"{_of(where)}expected shape {expected_text}, yours is {actual.shape}."
        return Mismatch("shape", text, expected_text, str(actual.shape))
    if actual.dtype.name != expected.dtype.name:
        names = expected.dtype.name, actual.dtype.name
        return Mismatch("dtype", f"{_of(where)}expected dtype {names[0]}, yours is {names[1]}.", *names)
    if expected.dtype.kind in "biu":
        return _report(expected, actual, expected != actual, where, "exactly")
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    e, a = expected.astype(wide), actual.astype(wide)
    strange, unequal = _non_finite(e, a)
    if unequal.any():
        index = _first(unequal)
        bad = int(unequal.sum())
        text = (
            f"{_of(where)}{_at(index)} is {_number(actual[index])}, expected {_number(expected[index])}; "
            f"{bad} of {expected.size} values are like this."
        )
        return Mismatch("non_finite", text, _number(expected[index]), _number(actual[index]), index)
    distance, allowed = _distances(e, a, strange, tolerance)
    wrong = distance > allowed
    if not wrong.any():
        return None
    with np.errstate(all="ignore"):
        excess = np.where(wrong, distance / np.maximum(allowed, np.finfo(np.float64).tiny), 0.0)
    index = tuple(int(i) for i in np.unravel_index(int(np.argmax(excess)), excess.shape))
    off = f"off by {distance[index]:.3g}, allowed {np.broadcast_to(allowed, distance.shape)[index]:.3g}"
    return _report(expected, actual, wrong, where, off, index)


def _non_finite(e: Any, a: Any) -> tuple[Any, Any]:
    """(where either is NaN or infinite, where only one is or the two differ)."""
    # NaN equals NaN, and inf equals inf, only where the reference has them
    strange = ~np.isfinite(a) | ~np.isfinite(e)
    return strange, strange & ~((a == e) | (np.isnan(a) & np.isnan(e)))


def _distances(e: Any, a: Any, strange: Any, tolerance: Tolerance) -> tuple[Any, Any]:
    """(|a - e|, what the tolerance allows), elementwise; the distance is 0 where it is `strange`."""
    with np.errstate(all="ignore"):
        distance = np.where(strange, 0.0, np.abs(a - e))
        # mutants: where it is strange the distance is 0, so whatever is allowed there allows it
        return distance, tolerance.atol + tolerance.rtol * np.abs(np.where(strange, 0, e))


def _report(
    expected: Any, actual: Any, wrong: Any, where: str, off: str, index: tuple[int, ...] | None = None
) -> Mismatch | None:
    """The closeness mismatch for the boolean array `wrong`; None when no element is."""
    count = int(np.count_nonzero(wrong))
    if not count:
        return None
    index = index if index is not None else _first(wrong)
    expected_text, actual_text = _number(expected[index]), _number(actual[index])
    how = "must be equal" if off == "exactly" else off
    worst = "Worst" if off != "exactly" else "First"
    place = f"{worst} at {_at(index)}: " if index else ""
    values = f"expected {expected_text}, yours is {actual_text} ({how})"
    text = f"{_of(where)}{count} of {wrong.size} values differ. {place}{values}."
    return Mismatch("closeness", text, expected_text, actual_text, index)


def _compare_scalar(expected: Any, actual: Any, declared: Scalar, tolerance: Tolerance, where: str) -> Mismatch | None:
    kinds = {"int": "iu", "float": "f", "bool": "b", "str": ""}[declared.name]
    if isinstance(actual, np.ndarray) and actual.ndim == 0 and actual.dtype.kind in kinds:
        actual = actual.item() if actual.dtype.name != "bfloat16" else float(actual)
    if type(actual) is not type(expected):
        return _type_mismatch(f"{'an' if declared.name == 'int' else 'a'} {declared.name}", actual, where)
    if isinstance(expected, float):
        return _compare_array(np.array(expected), np.array(actual), Array("float64", ()), {}, tolerance, where)
    if expected != actual:
        values = _cut(repr(expected), 80), _cut(repr(actual), 80)
        return Mismatch("closeness", f"{_of(where)}expected {values[0]}, yours is {values[1]}.", *values)
    return None


def _type_mismatch(expected_text: str, actual: Any, where: str) -> Mismatch:
    actual_text = describe(actual)
    return Mismatch(
        "type", f"{_of(where)}expected {expected_text}, yours is {actual_text}.", expected_text, actual_text
    )


def _shape(declared: Array, dims: Dims, shape: tuple[int, ...]) -> str:
    """`(N, T, d_model) = (2, 4, 6)`, or only the numbers where the dimensions have no names."""
    sizes = [dim_size(dim, dims) for dim in declared.dims]
    if all(dim.isdigit() for dim in declared.dims) or len(sizes) != len(shape):
        return str(shape)
    return f"{declared.dims_text()} = {shape}"


def _name(declared: Type) -> str:
    return f"an array {declared}" if isinstance(declared, Array) else f"a value of type {declared}"


def _of(where: str) -> str:
    return f"In result{where}: " if where else ""


def _at(index: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, index))}]" if index else "the value"


def _first(mask: Any) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(mask)), mask.shape))


def _number(value: Any) -> str:
    """A number with enough digits to tell it from its neighbours: `0.018200001`, never `np.float32(…)`."""
    return _cut(str(value), 60)


def _cut(text: str, limit: int = VIEW_CHARACTERS) -> str:
    return text if len(text) <= limit else f"{text[:limit]} …"
