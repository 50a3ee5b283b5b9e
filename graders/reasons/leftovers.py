"""Yours is the expected output with an input left in it: added, subtracted, multiplied or divided once too often.

Numbers alone show this only if that input differs from place to place, or from case to case. Each relation must hold in
every wrong case.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from graders.reasons.compared import Compared, Comparisons, Found, Input

ENOUGH = 3  # different numbers that the input must have, in all wrong cases together

_WORDS = {
    "plus": "plus `{0}`: `{0}` is added where it should not be, or once too often",
    "minus": "minus `{0}`: `{0}` is subtracted where it should not be, or is not added",
    "times": "times `{0}`: a multiplication by `{0}` is extra, or a division by it is missing",
    "divided by": "divided by `{0}`: a division by `{0}` is extra, or a multiplication by it is missing",
}


def leftovers(comparisons: Comparisons) -> Iterator[Found]:
    """The one input and operation that turn what is expected into yours."""
    if not comparisons.same_shape or not all(_is_examined(each) for each in comparisons.wrong):
        return
    first = comparisons.wrong[0]
    fitting = [
        (each.name, how)
        for each in first.inputs
        for how in _WORDS
        if all(_fits(compared, each.name, how) for compared in comparisons.wrong) and _is_rich(comparisons, each.name)
    ]
    if len(fitting) == 1:
        ((name, how),) = fitting
        text = f"Your output is the expected one {_WORDS[how].format(name)}."
        yield Found(
            "input_left_over", f"{how} {name}", {each.number: each.sentence(text) for each in comparisons.wrong}
        )


def _is_examined(compared: Compared) -> bool:
    return compared.expected.dtype.kind == "f" and bool(np.isfinite(compared.e).all() and np.isfinite(compared.a).all())


def _is_rich(comparisons: Comparisons, name: str) -> bool:
    values = [each.array.ravel()[:256] for compared in comparisons.wrong if (each := compared.input(name)) is not None]
    return len(np.unique(np.concatenate(values))) >= ENOUGH


def _fits(compared: Compared, name: str, how: str) -> bool:
    source = compared.input(name)
    factor = spread_over(compared, source) if source is not None else None
    if factor is None:
        return False
    tolerance = compared.case.tolerance(compared.exercise)
    with np.errstate(all="ignore"):
        match how:
            case "plus":
                guess = compared.e + factor
            case "minus":
                guess = compared.e - factor
            case "times":
                guess = compared.e * factor
            case _:
                guess = compared.e / factor
        size = np.maximum(np.abs(compared.e), np.abs(guess))
        return bool((np.abs(compared.a - guess) <= tolerance.atol + 4 * tolerance.rtol * size).all())


def spread_over(compared: Compared, source: Input) -> Any | None:
    """An input as float64 with an axis for each of the expected array's, of size 1 where the input has none.

    None where its axes are not among them, or a name stands for two axes.
    """
    names = compared.names
    if len(set(names)) < len(names) or len(set(source.dims)) < len(source.dims) or not set(source.dims) <= set(names):
        return None
    order = sorted(range(len(source.dims)), key=lambda axis: names.index(source.dims[axis]))
    shape = [size if name in source.dims else 1 for name, size in zip(names, compared.e.shape, strict=True)]
    values = source.array.astype(np.float64).transpose(order)
    return values.reshape(shape) if values.size == np.prod(shape) else None
