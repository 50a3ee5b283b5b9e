"""The sample cases whole, for a test on a student's own machine: values as JSON, to the last bit.

A number, a text, true, false, null and a list are themselves. All else is an object of one key that names it: `array`,
`tuple`, `dict`, `set`, `complex`, and `float` for what JSON has no number for.
"""

import math
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.state import AppState
from app.web.errors import JudgeCannotRun
from graders.boxes.reply import Step
from graders.exercise.built import cases_at_hand
from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.exercise.materials import data_in, provided_in

MAX_NUMBERS = 1 << 16  # of all samples of an exercise, which one answer carries


class NotPortable(Exception):
    """A value that this format does not hold, or too many numbers."""


@dataclass(frozen=True)
class WholeSamples:
    """`entries` are the names that students write. `left_out` names the sample cases that are not sent. `provided` and
    `data`: what the exercise brings, by path; data in base64."""

    entries: tuple[str, ...]
    raises: tuple[str, ...]
    messages: bool
    cases: tuple[Mapping[str, Any], ...]
    left_out: tuple[str, ...]
    provided: Mapping[str, str]
    data: Mapping[str, str]


def whole_samples(state: AppState, exercise: Exercise) -> WholeSamples:
    """Raises JudgeCannotRun until the judge has made the cases."""
    built = cases_at_hand(state.shelf, exercise) if state.shelf is not None else None
    if built is None:
        raise JudgeCannotRun("The sample cases of this exercise have not been made yet.", "Try again in a minute.")
    sent, left_out, numbers = [], [], 0
    for case in [case for case in built if case.sample]:
        size = count_numbers([case.expected, *case.inputs.values()])
        try:
            if numbers + size > MAX_NUMBERS:
                raise NotPortable(case.name)
            sent.append(_whole(exercise, case))
            numbers += size
        except NotPortable:
            left_out.append(case.name)
    data = {path: b64encode(content).decode() for path, content in data_in(exercise.files).items()}
    return WholeSamples(
        exercise.entries, exercise.raises, exercise.messages, tuple(sent), tuple(left_out),
        provided_in(exercise.files), data,
    )  # fmt: skip


def _whole(exercise: Exercise, case: Case) -> Mapping[str, Any]:
    # attack: a student asks for more than the samples. defence: only they come this way, and nothing that is drawn.
    assert case.sample
    own = {"tolerance": vars(case.rules.tolerance)} if case.rules.tolerance else {}
    if case.script is not None:
        values = {name: portable(value) for name, value in case.inputs.items() if name.isidentifier()}
        steps = [_step(step) for step in case.expected]
        return {"name": case.name, "script": case.script, "values": values, "expected": steps, **own}
    arguments = [portable(value) for value in exercise.signature.arguments(case.inputs)]
    return {"name": case.name, "arguments": arguments, **_answer(exercise, case), **own}


def _answer(exercise: Exercise, case: Case) -> dict[str, Any]:
    """Nothing where a checker decides: what the reference returns is one answer of many."""
    if case.error is not None:
        return {"expected": {"raised": case.error.name, "message": case.error.message}}
    return {"expected": {"value": portable(case.expected)}} if exercise.checker is None else {}


def _step(step: Step) -> dict[str, Any]:
    line, kind, content = step
    if kind == "raised":
        return {"line": line, "raised": content["type"], "message": content["message"]}
    return {"line": line, "odd": True} if kind == "odd" else {"line": line, "value": portable(content)}


def portable(value: Any) -> Any:
    """Raises NotPortable."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else {"float": str(value)}
        case complex():
            return {"complex": [portable(value.real), portable(value.imag)]}
        case list():
            return [portable(item) for item in value]
        case tuple():
            return {"tuple": [portable(item) for item in value]}
        case set() | frozenset():
            return {"set": [portable(item) for item in value]}
        case dict():
            return {"dict": [[portable(key), portable(item)] for key, item in value.items()]}
        case np.ndarray():
            return {"array": {"dtype": value.dtype.name, "shape": list(value.shape), "values": _numbers(value)}}
    raise NotPortable(type(value).__name__)


def _numbers(array: Any) -> list[Any]:
    """In C order. Every float of a smaller width is a Python float, and is the same number again on its way back."""
    wide = array.astype(np.float64) if array.dtype.name == "bfloat16" else array
    return [portable(number) for number in wide.ravel().tolist()]


def count_numbers(value: Any) -> int:
    match value:
        case np.ndarray():
            return int(value.size)
        case str():
            return len(value)
        case dict():
            return sum(count_numbers(item) for pair in value.items() for item in pair)
        case list() | tuple() | set() | frozenset():
            return 1 + sum(map(count_numbers, value))
    return 1
