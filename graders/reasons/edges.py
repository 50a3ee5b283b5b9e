"""Which inputs go wrong: a property that all wrong cases share and no right one has, such as an empty list.

Said where nothing else is known and every sample is right, so that the student cannot see an input that fails. The
sentences are fixed and hold the names of arguments and dimensions only.

Some property separates any two handfuls of cases, so the rarer a property is, the fewer cases it needs. Whether two
sizes happen to be equal is never said: samples are drawn with sizes that differ, and it tells nothing of the fault.

    attack: learn a hidden input. defence: it is told that such an input is among them (empty, of size 1, negative, not
            finite), which the statement lets everybody expect; no number of it is told.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from graders.exercise.cases import Case

# How many cases must be wrong, and how many right, for a property to be told.
EXTREME = 1, 4  # that authors put there on purpose: something empty, not finite, of size 1
RARE = 2, 4
COMMON = 4, 5  # that many inputs have by chance
MAX_NUMBERS = 1 << 14


def edge(cases: Sequence[Case], right: Sequence[int], wrong: Sequence[int]) -> str | None:
    """The sentence for the first property that tells wrong and right cases apart; None if there is none."""
    if not wrong:
        return None
    of_wrong = [dict(_properties(cases[n])) for n in wrong]
    of_right = [dict(_properties(cases[n])) for n in right]
    for words, (enough_wrong, enough_right) in of_wrong[0].items():
        everywhere = all(words in found for found in of_wrong) and not any(words in found for found in of_right)
        if everywhere and len(wrong) >= enough_wrong and len(right) >= enough_right:
            return f"Your answer is wrong in just those cases in which {words}: think through what your code does then."
    return None


def _properties(case: Case) -> Iterator[tuple[str, tuple[int, int]]]:
    """What holds for a case, in words, the most telling first; and how many cases it needs."""
    if case.script is not None:
        return
    for name, value in case.inputs.items():
        for words in _of_value(name, value):
            yield words, EXTREME if words.endswith(_EXTREME) else RARE
    lists = {name: value for name, value in case.inputs.items() if isinstance(value, list | str)}
    for name, value in case.inputs.items():
        if type(value) is int:
            for other, items in lists.items():
                if value > len(items):
                    yield f"`{name}` is larger than `{other}` is long", RARE
    if case.error is not None:
        yield "an exception is expected", EXTREME
    elif case.expected is None:
        yield "None is expected", EXTREME
    elif isinstance(case.expected, list | dict | str | tuple) and not case.expected:
        yield "an empty answer is expected", EXTREME
    yield from _of_sizes(case)
    for name, value in case.inputs.items():
        yield from ((words, COMMON) for words in _of_common(name, value))


_EXTREME = ("is empty", "something empty", "NaN", "inf", "one item")


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


def _of_sizes(case: Case) -> Iterator[tuple[str, tuple[int, int]]]:
    sizes = {name: size for name, size in case.dims.items() if name.isidentifier()}
    for name, size in sizes.items():
        if size == 1:
            yield f"{name} is 1", EXTREME
    for name, size in sizes.items():
        yield f"{name} is {'odd' if size % 2 else 'even'}", COMMON


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
