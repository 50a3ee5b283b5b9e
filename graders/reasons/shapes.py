"""An answer of another shape, in the names of its axes: which is missing, twice, exchanged, or one too long.

A name belongs to an axis if it has that axis's size in every case. Where two names do, and neither is the expected one,
there is silence: sizes that agree by chance prove nothing.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from graders.exercise.dims import dim_size, is_name
from graders.reasons.compared import Compared, Comparisons, Found

_Dims = tuple[str, ...]


def shapes(comparisons: Comparisons) -> Iterator[Found]:
    """How the axes of your output differ from the expected ones."""
    first = comparisons.wrong[0]
    expected = first.dims
    if all(each.same_shape for each in comparisons.wrong) or any(dim.isdigit() for dim in expected):
        return
    yours = _named(comparisons, expected)
    if yours is None or yours == expected:
        return
    text = _sentence(expected, yours) or _other_axis(first, expected, yours)
    like = _input_of_shape(first, yours)
    if not text and like:
        text = f"Your output has the axes of `{like}`"
    elif text and like:
        text += f", and your axes are those of `{like}`"
    if text:
        full = f"{text}: your output is {_text(yours)}, not {_text(expected)}."
        yield Found("shape_named", " ".join(yours), {each.number: each.sentence(full) for each in comparisons.wrong})


def _text(dims: _Dims) -> str:
    return f"({dims[0]},)" if len(dims) == 1 else f"({', '.join(dims)})"


# ------------------------------------------------------------------ the names of your axes


def _named(comparisons: Comparisons, expected: _Dims) -> _Dims | None:
    """The names of the axes of your output, the same in all cases; None where one has no name, or two."""
    ranks = {each.actual.ndim for each in comparisons.every}
    if len(ranks) > 1:
        return None
    (rank,) = ranks
    named: list[str] = []
    for axis in range(rank):
        own = expected[axis] if rank == len(expected) else ""
        name = _name_of(comparisons, axis, own, expected)
        if not name:
            return None
        named.append(name)
    return tuple(named)


def _name_of(comparisons: Comparisons, axis: int, own: str, expected: _Dims) -> str:
    """The first kind of name that fits wins: the axis's own, another's or 1, a product of two, one more or less."""
    names = sorted(_known_names(comparisons.wrong[0], expected))
    products = [f"{one}*{other}" for one, other in itertools.pairwise(expected)]
    tiers = (
        [own] if own else [],
        [*names, "1"],
        [name for name in products if all(map(is_name, name.split("*")))],
        [f"{name} {sign} 1" for name in expected for sign in "+-"],
    )
    for tier in tiers:
        fitting = [name for name in tier if all(_has_size(each, axis, name) for each in comparisons.every)]
        if fitting:
            return fitting[0] if len(fitting) == 1 else ""
    return ""


def _known_names(compared: Compared, expected: _Dims) -> set[str]:
    of_inputs = {dim for each in compared.inputs for dim in each.dims if not dim.isdigit()}
    return {*expected, *of_inputs}


def _has_size(compared: Compared, axis: int, name: str) -> bool:
    """`name` is a dimension, or one with " + 1" or " - 1" after it."""
    step = {" + 1": 1, " - 1": -1}.get(name[-4:], 0)
    base = name[:-4] if step else name
    size = dim_size(base, compared.case.dims)
    size = _size_of(compared, base) if size is None else size
    return size is not None and bool(compared.actual.shape[axis] == size + step)


def _size_of(compared: Compared, name: str) -> int | None:
    """The size of an expected axis by its name, where the case's dimensions do not tell it."""
    sizes: dict[str, Any] = dict(zip(compared.dims, compared.expected.shape, strict=True))
    return sizes.get(name)


# ------------------------------------------------------------------ sentences


def _sentence(expected: _Dims, yours: _Dims) -> str:
    """What differs, without a full stop; "" where it is more than one thing."""
    if sorted(expected) == sorted(yours):
        return _reordered(expected, yours)
    if len(yours) == len(expected):
        return _replaced(expected, yours)
    if len(yours) == len(expected) - 1:
        return _lost(expected, yours)
    if len(yours) == len(expected) + 1:
        return _extra(expected, yours)
    return ""


def _reordered(expected: _Dims, yours: _Dims) -> str:
    moved = [name for name, other in zip(expected, yours, strict=True) if name != other]
    what = f"{moved[0]} and {moved[1]} are exchanged" if len(moved) == 2 else "The axes are in another order"
    return f"{what}, and the numbers are not just transposed"


def _replaced(expected: _Dims, yours: _Dims) -> str:
    differing = [(name, other) for name, other in zip(expected, yours, strict=True) if name != other]
    names = " and ".join(name for name, _ in differing)
    axes, are = (f"The axis {names}", "is") if len(differing) == 1 else (f"The axes {names}", "are")
    if all(other == "1" for _, other in differing):
        return f"{axes} {are} only of size 1, as after a reduction that keeps its axis"
    for sign, words in (("+", "too long"), ("-", "too short")):
        if all(other == f"{name} {sign} 1" for name, other in differing):
            return f"{axes} {are} one place {words}"
    missing, foreign = (sorted(set(one) - set(other)) for one, other in ((expected, yours), (yours, expected)))
    if len(missing) == 1 and not foreign and len(differing) == 1:
        return f"The axis {differing[0][1]} is there twice, and {missing[0]} is missing"
    return ""


def _other_axis(compared: Compared, expected: _Dims, yours: _Dims) -> str:
    """One name in place of another, at any axis, and which argument has both."""
    missing, foreign = (sorted(set(one) - set(other)) for one, other in ((expected, yours), (yours, expected)))
    if len(yours) != len(expected) or len(missing) != 1 or len(foreign) != 1:
        return ""
    if not all(is_name(name) for name in (*missing, *foreign)):
        return ""
    both = [each.name for each in compared.inputs if {missing[0], foreign[0]} <= set(each.dims)]
    which = f", the other axis of `{both[0]}`," if len(both) == 1 else ""
    return f"The axis {missing[0]} is missing, and {foreign[0]}{which} is there instead"


def _lost(expected: _Dims, yours: _Dims) -> str:
    for axis, name in enumerate(expected):
        if expected[:axis] + expected[axis + 1 :] == yours:
            return f"The axis {name} is missing"
    for axis in range(len(yours)):
        if yours == (*expected[:axis], f"{expected[axis]}*{expected[axis + 1]}", *expected[axis + 2 :]):
            return f"The axes {expected[axis]} and {expected[axis + 1]} are run together"
    return ""


def _extra(expected: _Dims, yours: _Dims) -> str:
    for axis, name in enumerate(yours):
        if yours[:axis] + yours[axis + 1 :] == expected:
            if name == "1":
                return "There is an axis of size 1 too many, and the numbers differ too"
            return f"The axis {name} is there twice" if name in expected else f"The axis {name} is too many"
    return ""


def _input_of_shape(compared: Compared, yours: Sequence[str]) -> str:
    """The argument whose axes yours are, if there is just one."""
    names = [each.name for each in compared.inputs if yours and each.dims == tuple(yours)]
    return names[0] if len(names) == 1 else ""
