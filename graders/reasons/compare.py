"""Expected against actual: None, or the first Mismatch, in words.

The checks run in this order until one fails: returned nothing → type → shape → dtype → non-finite → closeness. The wire
has made both values plain Python and plain ndarrays. No check first converts one to the other's type or shape, so that
nothing broadcasts, casts or loses an imaginary part on the way to "equal".
"""

import ast
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from graders.exercise.dims import Dims, dim_size
from graders.exercise.limits import Tolerance
from graders.exercise.signature import (
    ANY,
    NONE,
    WIDTHS,
    Array,
    Dict,
    List,
    Record,
    Scalar,
    Set,
    Tuple,
    Type,
    describe,
    is_scalar,
    resolved,
    scalar_of,
)
from graders.reasons.arrays import MAX_ELEMENTS, ArrayBlock, ComparedArrays, NamedArray, elements_each
from graders.verdict import ArrayView, Mismatch

VIEW_CHARACTERS = 1_500
VIEW_NUMBERS = 1_000  # mutants: compared with powers of 8, 6 and 4, of which none is near
_STEPS = {"float16": 2.0**-10, "bfloat16": 2.0**-7}  # from 1 to the next number


def compare(
    expected: Any, actual: Any, declared: Type, dims: Dims, tolerance: Tolerance, where: str = ""
) -> Mismatch | None:
    """The first difference between `expected` and `actual`, both of the type `declared`.

    `dims` names the expected sizes for the text. Closeness is |actual - expected| <= atol + rtol * |expected|. Which
    alternative of `A | B` holds is fixed by `expected`, as is what `any` stands for.
    """
    type_ = resolved(declared, expected)
    if actual is None and type_ != NONE:
        return Mismatch("type", f"{_of(where)}returned nothing (None): is a `return` missing?", _name(declared), "None")
    if isinstance(type_, Array):
        return _compare_array(expected, actual, type_, dims, tolerance, where)
    if isinstance(type_, Scalar):
        return _compare_scalar(expected, actual, type_, tolerance, where)
    if isinstance(type_, Set):
        return _compare_sets(expected, actual, type_, tolerance, where)
    if mismatch := _unlike(expected, actual, type_, where):
        return mismatch
    local = dims if isinstance(type_, Tuple | Record) else {}
    for key, part in children(type_, expected):
        if mismatch := compare(expected[key], actual[key], part, local, tolerance.of(key), f"{where}[{key!r}]"):
            return mismatch
    return None


def children(declared: Type, expected: Any) -> list[tuple[Any, Type]]:
    """The keys or places of an expected value's items, each with its type. None for a number, an array or a set."""
    match resolved(declared, expected):
        case Tuple(items=items):
            return list(enumerate(items))
        case List(item=item):
            return [(n, item) for n in range(len(expected))]
        case Dict(value=value):
            return [(key, value) for key in expected]
        case Record(fields=fields):
            return list(fields)
    return []


def leaves(declared: Type, expected: Any, actual: Any, where: str = "") -> Iterator[tuple[Type, Any, Any, str]]:
    """The parts of a value that are compared as a whole: (type, expected, actual, place), at any depth.

    Where the two are not alike (another length, other keys), that whole part is one leaf.
    """
    type_ = resolved(declared, expected)
    inner = children(type_, expected)
    if not inner or _unlike(expected, actual, type_, where):
        yield type_, expected, actual, where
        return
    for key, part in inner:
        yield from leaves(part, expected[key], actual[key], f"{where}[{key!r}]")


def _unlike(expected: Any, actual: Any, declared: Type, where: str) -> Mismatch | None:
    """The mismatch of two sequences of other lengths, of two dicts with other keys, or of another kind of value."""
    if isinstance(declared, Dict | Record):
        if not isinstance(actual, dict):
            return _type_mismatch("a dict", actual, where)
        if _typed_keys(expected) == _typed_keys(actual):
            return None
        keys = _keys_text(expected), _keys_text(actual)
        return Mismatch("type", f"{_of(where)}expected the keys {keys[0]}, yours are {keys[1]}.", *keys)
    noun = "tuple" if isinstance(declared, Tuple) or isinstance(expected, tuple) else "list"
    if not isinstance(actual, tuple | list) or (isinstance(declared, Tuple) and len(actual) != len(expected)):
        return _type_mismatch(f"a {noun} of {len(expected)}", actual, where)
    if len(actual) != len(expected):
        sizes = _items(len(expected)), _items(len(actual))
        return Mismatch("shape", f"{_of(where)}expected {sizes[0]}, yours has {sizes[1]}.", *sizes)
    return None


def _items(count: int) -> str:
    return f"{count} item{'' if count == 1 else 's'}"


def _typed_keys(value: dict[Any, Any]) -> set[tuple[type, Any]]:
    """Keys with their types, since True equals 1."""
    return {(type(key), key) for key in value}


def _keys_text(value: dict[Any, Any]) -> str:
    return _cut(f"{sorted(value, key=lambda key: (str(type(key)), repr(key)))}")


def _compare_sets(expected: Any, actual: Any, declared: Set, tolerance: Tolerance, where: str) -> Mismatch | None:
    if not isinstance(actual, set):
        return _type_mismatch(f"a set of {len(expected)}", actual, where)
    missing, extra = _unpaired(expected, actual, declared.item, tolerance)
    if not missing and not extra:
        return None
    texts = [f"is missing {_cut(repr(missing[0]), 80)}"] if missing else []
    texts += [f"should not have {_cut(repr(extra[0]), 80)}"] if extra else []
    counts = f"{len(missing)} missing, {len(extra)} too many" if len(missing) + len(extra) > 2 else ""
    text = f"{_of(where)}your set {' and '.join(texts)}{f' ({counts})' if counts else ''}."
    return Mismatch("closeness", text, _cut(repr(expected), 80), _cut(repr(actual), 80))


def _unpaired(expected: Any, actual: Any, item: Type, tolerance: Tolerance) -> tuple[list[Any], list[Any]]:
    """The items of two sets without an equal on the other side. Floats are equal within the tolerance."""
    exact = {(type(one), one) for one in expected} & {(type(one), one) for one in actual}
    missing = sorted((one for one in expected if (type(one), one) not in exact), key=repr)
    extra = sorted((one for one in actual if (type(one), one) not in exact), key=repr)
    for one in list(missing):
        near = next((other for other in extra if compare(one, other, item, {}, tolerance) is None), None)
        if near is not None:
            missing.remove(one)
            extra.remove(near)
    return missing, extra


def share_of_tolerance(expected: Any, actual: Any, declared: Type, dims: Dims, tolerance: Tolerance) -> float:
    """The largest |actual - expected| / (atol + rtol * |expected|): 0 for the same numbers, above 1 for a mismatch.

    Infinite for a mismatch without such a number: another type, shape or dtype, an unexpected NaN, another integer.
    """
    if compare(expected, actual, declared, dims, _ANY) is not None:
        return math.inf
    share = 0.0
    for type_, part, answer, where in leaves(declared, expected, actual):
        own = to_the_last_digit(tolerance_at(tolerance, where), part)
        if isinstance(type_, Set):
            share = max(share, 0.0 if compare(part, answer, type_, dims, own) is None else math.inf)
        elif (numbers := _inexact(type_, part, answer)) is not None:
            e, a = numbers
            with np.errstate(all="ignore"):
                # mutants: what is alike so far is finite on both sides or on neither, and equals are 0 apart
                distance = np.where(np.isfinite(e) & (e != a), np.abs(a - e), 0.0)
                # mutants: nor does it matter what is allowed where it is not finite
                allowed = own.atol + own.rtol * np.abs(np.where(np.isfinite(e), e, 0))
                share = max(share, float(np.where(distance > 0, distance / allowed, 0.0).max(initial=0.0)))
    return share


# mutants: infinity and any share of a number is infinity
_ANY = Tolerance(rtol=0, atol=math.inf)


def tolerance_at(tolerance: Tolerance, where: str) -> Tolerance:
    """The tolerance of a leaf, by its place: `[0]['mean']`."""
    if not where or not tolerance.outputs:
        return tolerance
    return tolerance.of(ast.literal_eval(where.split("]")[0].removeprefix("[")))


def to_the_last_digit(tolerance: Tolerance, expected: Any) -> Tolerance:
    """The tolerance, and for an expected float16 or bfloat16 at least one step in its last digit, about 0.1% or 0.8%.

    A finer one would accept only the same operations in the same order. With `rtol = 0` the author asks for just that.
    """
    step = _STEPS.get(expected.dtype.name) if isinstance(expected, np.ndarray) else None
    if step is None or tolerance.rtol == 0:
        return tolerance
    return replace(tolerance, rtol=max(tolerance.rtol, step))


def _inexact(declared: Type, expected: Any, actual: Any) -> tuple[Any, Any] | None:
    """The numbers of a leaf on both sides, in 64 bits, if the tolerance applies to them."""
    e, a = np.asarray(expected), np.asarray(actual)
    if isinstance(declared, Array | Scalar) and is_inexact(declared) and {e.dtype.kind, a.dtype.kind} <= set("iufcV"):
        wide = np.complex128 if e.dtype.kind == "c" else np.float64
        return e.astype(wide), a.astype(wide)
    return None


def is_inexact(declared: Type) -> bool:
    """Whether the tolerance applies to a number or an array of this type."""
    if isinstance(declared, Array):
        return "float" in declared.dtype or declared.dtype.startswith("complex")
    return isinstance(declared, Scalar) and declared.name in ("float", "number", "complex")


def arrays(
    expected: Any, actual: Any, declared: Type, dims: Dims, tolerance: Tolerance, mismatch: Mismatch, samples: int
) -> ComparedArrays | None:
    """The numbers of the two arrays that `mismatch` is about, or None where it is not about two arrays.

    `samples` is the number of sample cases, which share the space that a submission has.
    """
    parts = _first_array(expected, actual, declared, dims, tolerance)
    if parts is None:
        return None
    expected, actual, array, where = parts
    wrong = differing(expected, actual, tolerance) if expected.shape == actual.shape else None
    cap = elements_each(samples, expected.dtype.itemsize, actual.dtype.itemsize)
    return ComparedArrays.of(where, axes_of(array, expected), expected, actual, wrong, mismatch.index, cap)


def arrays_of(value: Any, declared: Type, where: str = "") -> Iterator[NamedArray]:
    """The arrays of a value of its declared type, at any depth; the first block of each."""
    for type_, array, _, place in leaves(declared, value, value, where):
        if isinstance(type_, Array):
            yield NamedArray(place, axes_of(type_, array), ArrayBlock.of(array, MAX_ELEMENTS))


def axes_of(declared: Array, array: Any) -> tuple[str, ...]:
    """The names of an array's axes; numbers for those of `float32[...]`."""
    return tuple(map(str, array.shape)) if declared.any_rank else declared.dims


def _first_array(
    expected: Any, actual: Any, declared: Type, dims: Dims, tolerance: Tolerance
) -> tuple[Any, Any, Array, str] | None:
    """The first part of a value that differs, if it is an array on both sides, else None."""
    for type_, part, answer, where in leaves(declared, expected, actual):
        if compare(part, answer, type_, dims, tolerance_at(tolerance, where)) is not None:
            is_array = isinstance(type_, Array) and isinstance(answer, np.ndarray)
            return (part, answer, type_, where) if is_array and isinstance(type_, Array) else None
    return None


def differing(expected: Any, actual: Any, tolerance: Tolerance) -> Any:
    """Which elements of two arrays of one shape differ, as a boolean array. Their dtypes may differ."""
    kinds = expected.dtype.kind + actual.dtype.kind
    if set(kinds) <= set("biu"):
        return expected != actual
    wide = np.complex128 if "c" in kinds else np.float64
    e, a = expected.astype(wide), actual.astype(wide)
    strange, unequal = _non_finite(e, a)
    distance, allowed = _distances(e, a, strange, to_the_last_digit(tolerance, expected))
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


def shown(value: Any) -> str:
    """A value as Python would print it, but ending early where it is longer than a page shows."""
    return _numbers(value) if isinstance(value, np.ndarray) else _cut(_repr(value))


def _numbers(array: Any) -> str:
    # mutants: 4 fits up to three dimensions, and 3 would not fit a fourth
    edge = next((edge for edge in (4, 3, 2) if (2 * edge) ** array.ndim <= VIEW_NUMBERS), 1)
    return np.array2string(array, threshold=200, edgeitems=edge, precision=6, max_line_width=72, separator=", ")


def _repr(value: Any) -> str:
    """Like `repr`, but ends early when it is longer than is shown."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype.name} {_numbers(value)}"
    if isinstance(value, set):
        return "{" + ", ".join(sorted(map(_repr, value))) + "}" if value else "set()"
    if not isinstance(value, list | tuple | dict):
        return _cut(repr(value))
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
    if actual.dtype == expected.dtype:
        if (actual == expected).all():
            return None  # as most right answers do, to the bit: no NaN is among them, and any tolerance allows 0
    elif actual.dtype.name != expected.dtype.name and not (declared.dtype in WIDTHS and declared.takes(actual.dtype)):
        names = expected.dtype.name, actual.dtype.name
        return Mismatch("dtype", f"{_of(where)}expected dtype {names[0]}, yours is {names[1]}.", *names)
    if expected.dtype.kind in "biu":
        return _report(expected, actual, expected != actual, where, "exactly")
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    e, a = expected.astype(wide), actual.astype(wide)
    strange, unequal = _non_finite(e, a)
    if unequal.any():
        index = _first(unequal)
        is_like = [np.isfinite(values) == np.isfinite(values[index]) for values in (e, a)]
        alike = unequal & is_like[0] & is_like[1]  # and not those where it is the other way round
        rest = int(unequal.sum() - alike.sum())
        text = (
            f"{_of(where)}{_at(index)} is {_number(actual[index])}, expected {_number(expected[index])}; "
            f"{int(alike.sum())} of {expected.size} values are like this"
            f"{f', and {rest} more differ in what is NaN or infinite' if rest else ''}."
        )
        return Mismatch("non_finite", text, _number(expected[index]), _number(actual[index]), index)
    distance, allowed = _distances(e, a, strange, to_the_last_digit(tolerance, expected))
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
        # mutants: it is as far from the one to the other as back
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
    number = scalar_of(actual)
    if not is_scalar(declared.name, number):
        return _type_mismatch(_a(declared.name), actual, where)
    if declared.name == "number" and type(expected) is int and type(number) is int:
        declared = Scalar("int")
    if is_inexact(declared):
        try:
            e, a = (np.array(complex(n) if declared.name == "complex" else float(n)) for n in (expected, number))
        except OverflowError:
            return _unequal(expected, number, where)
        return _compare_array(e, a, Array(e.dtype.name, ()), {}, tolerance, where)
    return _unequal(expected, number, where) if expected != number else None


def _unequal(expected: Any, actual: Any, where: str) -> Mismatch:
    values = _cut(repr(expected), 80), _cut(repr(actual), 80)
    return Mismatch("closeness", f"{_of(where)}expected {values[0]}, yours is {values[1]}.", *values)


def _a(name: str) -> str:
    return name if name == "None" else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _type_mismatch(expected_text: str, actual: Any, where: str) -> Mismatch:
    actual_text = describe(actual)
    return Mismatch(
        "type", f"{_of(where)}expected {expected_text}, yours is {actual_text}.", expected_text, actual_text
    )


def _shape(declared: Array, dims: Dims, shape: tuple[int, ...]) -> str:
    """`(N, T, d_model) = (2, 4, 6)`, or only the numbers where the dimensions have no names."""
    sizes = [dim_size(dim, dims) for dim in declared.dims]
    if declared.any_rank or all(dim.isdigit() for dim in declared.dims) or len(sizes) != len(shape):
        return str(shape)
    return f"{declared.dims_text()} = {shape}"


def _name(declared: Type) -> str:
    if declared == ANY:
        return "a value"
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
