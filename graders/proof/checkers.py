"""A checker proved: it rejects the reference's answer as soon as something in it is changed.

That it accepts the reference and the solutions, and rejects every mistake, is proved with them (gate.py). This is about
what nobody wrote down: a place that the checker does not look at, or an answer on which it fails.

- one number or text changed, by a thousand times the tolerance, one item dropped, one item more: `changes` makes these
  of the expected value, and the checker must reject them. An author who knows better says so in checker.py, in a
  comment `# mutants: any number of items is right`;
- zeros, NaN, infinity, huge numbers and empty lists in the expected value's places: the checker must answer.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from graders.boxes.pool import Judge
from graders.boxes.reply import Returned
from graders.exercise.cases import Case
from graders.exercise.checker import UNREADABLE, Checker
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.fault import Fault, fault_of, placed
from graders.exercise.limits import Tolerance
from graders.exercise.signature import match
from graders.reasons.answers import difference

MAX_CASES = 8
MAX_CHANGES = 40  # of one case's answer
OUTSIDE = 1_000.0  # times the tolerance, that a number is changed by
_ARGUMENT = re.compile(r"#\s*mutants:\s*(\S.*?)\s*$", re.M)

T = TypeVar("T")
Change = tuple[str, Any]  # what was changed, in words, and the changed answer


def checker_faults(
    judge: Judge, exercise: Exercise, cases: Sequence[Case], folder: Path
) -> tuple[list[Fault], list[str]]:
    """The faults of checker.py, and a finding in words. Raises BoxLost, JudgeUnavailable."""
    if exercise.checker is None:
        return [], []
    answered = [case for case in cases if case.error is None and case.script is None][:MAX_CASES]
    path = folder / "checker.py"
    with Checker(judge, exercise) as checker:
        tried, accepted = _accepted(exercise, answered, checker)
        faults = _odd_faults(exercise, answered, checker, folder)
    finding = f"the checker rejects {tried - len(accepted)} of {tried} answers with one change"
    argument = _ARGUMENT.search(exercise.checker.text)
    if tried and len(accepted) == tried:
        message = f"Accepts each of {tried} answers that are the reference's with one change: {accepted[0]}."
        hint = "Compare the answer with `inputs` or `expected`, and return a sentence where it is wrong."
        faults.append(Fault("error", str(path), None, "checker-accepts-all", message, hint))
    elif accepted and argument is None:
        message = f"Accepts {len(accepted)} of {tried} answers that are the reference's with one change: {accepted[0]}."
        hint = "Reject it, or say in a comment why it is right: `# mutants: …`."
        faults.append(Fault("warning", str(path), None, "checker-accepts", message, hint))
    elif accepted and argument is not None:
        finding += f", for the reason given: {argument[1]}"
    return faults, [finding]


def _accepted(exercise: Exercise, cases: Sequence[Case], checker: Checker) -> tuple[int, list[str]]:
    """How many changed answers were tried, and those that were accepted, in words."""
    tried, accepted = 0, []
    for case in cases:
        tolerance = case.tolerance(exercise)
        count = sum(1 for _ in changes(case.expected, tolerance))  # counted first: all at once take too much memory
        for words, answer in islice(changes(case.expected, tolerance), 0, None, _stride(count)):
            tried += 1
            if difference(exercise, case, Returned(answer), checker) is None:
                accepted.append(f"on the case {case.name!r}, {words}")
    return tried, accepted


def _odd_faults(exercise: Exercise, cases: Sequence[Case], checker: Checker, folder: Path) -> list[Fault]:
    """A fault if the checker fails on an answer of the declared type."""
    declared = exercise.signature.parsed_returns
    for case in cases:
        for words, answer in odd_answers(case.expected):
            try:
                fitted = match(declared, answer, dict(case.dims), "the answer")
            except ValueError:
                continue
            try:
                checker.ask(case.inputs, fitted, case.expected, case.name)
            except BrokenExercise as broken:
                fault = placed(folder, fault_of(broken, exercise.slug))
                message = f"Fails on an answer with {words}: {broken.message}. A student is told: “{UNREADABLE}”"
                return [Fault("warning", fault.path, fault.line, "checker-fails", message, fault.hint)]
    return []


def _some(items: Sequence[T]) -> Sequence[T]:
    """At most MAX_CHANGES of them, from beginning to end."""
    return items[:: _stride(len(items))]


def _stride(count: int) -> int:
    return max(1, math.ceil(count / MAX_CHANGES))


# ------------------------------------------------------------------ changed answers


def changes(value: Any, tolerance: Tolerance, where: str = "the answer") -> Iterator[Change]:
    """The value with one change, in each place in turn."""
    match value:
        case bool():
            yield f"{where} is {not value}", not value
        case int():
            yield f"{where} is {value + 1}", value + 1
        case float() | complex():
            moved = value + OUTSIDE * (tolerance.atol + tolerance.rtol * abs(value))
            if moved != value:
                yield f"{where} is {moved:.6g}", moved
        case str():
            yield f"{where} is {value + '?'!r}", value + "?"
        case np.ndarray():
            yield from _array_changes(value, tolerance, where)
        case list():
            yield from _list_changes(value, tolerance, where)
        case tuple():
            for place, item in enumerate(value):
                for words, changed in changes(item, tolerance, f"{where}[{place}]"):
                    yield words, (*value[:place], changed, *value[place + 1 :])
        case dict():
            for key, item in value.items():
                for words, changed in changes(item, tolerance.of(key), f"{where}[{key!r}]"):
                    yield words, {**value, key: changed}
        case set() if value:
            dropped = next(iter(sorted(value, key=repr)))
            yield f"{where} lacks {dropped!r}", value - {dropped}


def _list_changes(value: list[Any], tolerance: Tolerance, where: str) -> Iterator[Change]:
    for place in _some(range(len(value))):
        for words, changed in changes(value[place], tolerance, f"{where}[{place}]"):
            yield words, [*value[:place], changed, *value[place + 1 :]]
    if value:
        yield f"{where} lacks its first item", value[1:]
        yield f"{where} lacks its last item", value[:-1]
        yield f"{where} has its last item twice", [*value, value[-1]]


def _array_changes(value: Any, tolerance: Tolerance, where: str) -> Iterator[Change]:
    for place in (np.unravel_index(n, value.shape) for n in _some(range(value.size))):
        number = value[place].item() if value.dtype.name != "bfloat16" else float(value[place])
        for _, moved in changes(number, tolerance):
            array = value.copy()
            with np.errstate(all="ignore"):
                array[place] = moved
            if array[place] != value[place]:
                yield f"{where}{[int(n) for n in place] if place else ''} is {array[place]}", array
    if value.ndim and len(value):
        yield f"{where} lacks its last row", value[:-1]
        yield f"{where} has its last row twice", np.concatenate([value, value[-1:]])


# ------------------------------------------------------------------ answers that nobody expects


def odd_answers(value: Any) -> Iterator[Change]:
    """The value with all of its numbers or lists replaced by what a checker may not think of."""
    for number in (math.nan, math.inf, 0.0, 1e300):
        yield f"{number} for every float", _replaced(value, _float_of(number))
    for whole in (0, -1, 10**30):
        yield f"{whole} for every int", _replaced(value, _int_of(whole))
    yield "no items", _replaced(value, lambda leaf: leaf, empty=True)


def _replaced(value: Any, put: Callable[[Any], Any], empty: bool = False) -> Any:
    match value:
        case list():
            return [] if empty else [_replaced(item, put) for item in value]
        case tuple():
            return tuple(_replaced(item, put, empty) for item in value)
        case dict():
            return {key: _replaced(item, put, empty) for key, item in value.items()}
    return put(value)


def _float_of(number: float) -> Callable[[Any], Any]:
    def put(leaf: Any) -> Any:
        if isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f":
            with np.errstate(over="ignore"):
                return np.full_like(leaf, number)
        return number if type(leaf) is float else leaf

    return put


def _int_of(whole: int) -> Callable[[Any], Any]:
    def put(leaf: Any) -> Any:
        if isinstance(leaf, np.ndarray) and leaf.dtype.kind in "iu":
            info = np.iinfo(leaf.dtype)
            return np.full_like(leaf, min(max(whole, info.min), info.max))
        return whole if type(leaf) is int else leaf

    return put
