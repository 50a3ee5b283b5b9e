"""Which inputs go wrong: a property that all wrong cases share and no right one has, such as an empty list.

Said where nothing else is known and every sample is right, so that the student cannot see an input that fails. The
sentences are fixed and hold the names of arguments and dimensions only.

    attack: learn a hidden input. defence: it is told that such an input is among them (empty, of size 1, negative, not
            finite), which the statement lets everybody expect; no number of it is told.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from graders.exercise.cases import Case

ENOUGH_RIGHT = 3
ENOUGH_WRONG = 2  # for a property that many inputs have by chance
MAX_NUMBERS = 1 << 14


def edge(cases: Sequence[Case], right: Sequence[int], wrong: Sequence[int]) -> str | None:
    """The sentence for the first property that tells wrong and right cases apart; None if there is none."""
    if len(right) < ENOUGH_RIGHT or not wrong:
        return None
    of_wrong = [dict(_properties(cases[n])) for n in wrong]
    of_right = [dict(_properties(cases[n])) for n in right]
    for words, is_rare in of_wrong[0].items():
        everywhere = all(words in found for found in of_wrong)
        if everywhere and not any(words in found for found in of_right) and (is_rare or len(wrong) >= ENOUGH_WRONG):
            return f"Your answer is wrong in just those cases in which {words}: think through what your code does then."
    return None


def _properties(case: Case) -> Iterator[tuple[str, bool]]:
    """What holds for a case, in words, the most telling first; and whether it is rare."""
    if case.script is not None:
        return
    for name, value in case.inputs.items():
        yield from ((words, True) for words in _of_value(name, value))
    lists = {name: value for name, value in case.inputs.items() if isinstance(value, list | str)}
    for name, value in case.inputs.items():
        if type(value) is int:
            for other, items in lists.items():
                if value > len(items):
                    yield f"`{name}` is larger than `{other}` is long", True
                elif value == len(items):
                    yield f"`{name}` is as large as `{other}` is long", True
    if case.error is not None:
        yield "an exception is expected", True
    elif case.expected is None:
        yield "None is expected", True
    elif isinstance(case.expected, list | dict | str | tuple) and not case.expected:
        yield "an empty answer is expected", True
    yield from _of_sizes(case)
    for name, value in case.inputs.items():
        yield from ((words, False) for words in _of_common(name, value))


def _of_value(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, np.ndarray):
        yield from _of_array(name, value)
    elif isinstance(value, list | str):
        if not value:
            yield f"`{name}` is empty"
        elif isinstance(value, list):
            if any(isinstance(item, list | str) and not item for item in value):
                yield f"`{name}` holds something empty"
            if any(isinstance(item, list | str) for item in value) and all(len(item) < 2 for item in value):
                yield f"everything in `{name}` has one item at most"
            if all(type(item) in (int, float) and item < 0 for item in value):
                yield f"all of `{name}` is negative"
        if len(value) == 1:
            yield f"`{name}` has one item"
    elif isinstance(value, int | float) and not isinstance(value, bool):
        if value == 0:
            yield f"`{name}` is 0"
        elif value < 0:
            yield f"`{name}` is negative"


def _of_array(name: str, value: Any) -> Iterator[str]:
    if value.dtype.kind not in "biuf" or value.size > MAX_NUMBERS:
        return
    tests: Mapping[str, Callable[[Any], Any]] = {
        "is empty": lambda x: x.size == 0,
        "holds NaN": lambda x: np.isnan(x).any(),
        "holds -inf": lambda x: np.isneginf(x).any(),
        "holds inf": lambda x: np.isposinf(x).any(),
        "holds nothing but zeros": lambda x: not x.any(),
        "holds one number over and over": lambda x: x.size > 1 and (x == x.flat[0]).all(),
        "is negative everywhere": lambda x: (x < 0).all(),
        "holds very large numbers": lambda x: np.abs(x).max() > 88,
    }
    number = value.astype(np.float64)
    for words, holds in tests.items():
        if (value.size or words == "is empty") and bool(holds(number)):
            yield f"`{name}` {words}"


def _of_sizes(case: Case) -> Iterator[tuple[str, bool]]:
    sizes = dict(case.dims)
    for name, size in sizes.items():
        if size == 1 and name.isidentifier():
            yield f"{name} is 1", True
    names = [name for name in sizes if name.isidentifier()]
    for place, name in enumerate(names):
        for other in names[place + 1 :]:
            words = "equals" if sizes[name] == sizes[other] else "does not equal"
            yield f"{name} {words} {other}", False
    for name in names:
        yield f"{name} is {'odd' if sizes[name] % 2 else 'even'}", False


def _of_common(name: str, value: Any) -> Iterator[str]:
    yield f"`{name}` is {'left out' if value is None else 'given'}"
    if isinstance(value, list):
        kinds = {type(item) for item in value}
        if kinds <= {int, float, str} and len(set(value)) < len(value):
            yield f"`{name}` holds something several times"
        if kinds and kinds <= {int, float} and any(item < 0 for item in value):
            yield f"`{name}` holds a negative number"
        if kinds and kinds <= {int, float} and any(item == 0 for item in value):
            yield f"`{name}` holds a 0"
    is_array = isinstance(value, np.ndarray) and value.dtype.kind in "if" and 1 < value.size <= MAX_NUMBERS
    if is_array and len(np.unique(value)) < value.size:
        yield f"`{name}` holds a number several times"
