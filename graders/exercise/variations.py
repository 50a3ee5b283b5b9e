"""Sample cases with one input changed, and what the reference makes of them: what an answer should depend on.

Of each argument its numbers change places and shrink a little, so that they stay numbers that the exercise can take;
of an array also those of its first and its last part along each dimension that the answer has too. The reference shows
which parts of the answer change then. By that a student's function is examined (`graders/reasons/experiments.py`).

Made once for each exercise, from samples alone, while nobody waits.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from graders.boxes.pool import Judge
from graders.boxes.reply import CallOutcome, Returned
from graders.exercise.built import Store, cases_of
from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.exercise.runs import Deadline, run
from graders.exercise.signature import Array

MAX_SAMPLES = 2  # the first ones
MAX_NUMBERS = 1 << 14  # of an array that is varied, or looked at

Part = Literal["all", "first", "last"]


@dataclass(frozen=True)
class Variation:
    """One changed input of a sample case. `part`: all of the argument, or its first or last part along `axis` (a name).

    `moves`: along the answer's `axis`, the places that change for the reference; () where all of it is varied.
    """

    case: int
    argument: str
    part: Part
    axis: str
    value: Any
    moves: tuple[int, ...] = ()

    def inputs(self, case: Case) -> dict[str, Any]:
        return {**case.inputs, self.argument: self.value}


def variations_of(judge: Judge, exercise: Exercise) -> tuple[Variation, ...]:
    """Raises BrokenExercise, BoxLost, JudgeUnavailable."""
    return _variations.get(judge, exercise, lambda: _make(judge, exercise))


def variations_at_hand(judge: Judge, exercise: Exercise) -> tuple[Variation, ...]:
    """Those that are made already: nobody waits for them."""
    return _variations.at_hand(judge, exercise) or ()


def moved(before: Any, after: Any, axis: int) -> tuple[int, ...] | None:
    """The places along an axis of two arrays at which they differ to the bit; None if their shapes or types differ."""
    if not isinstance(before, np.ndarray) or not isinstance(after, np.ndarray):
        return None
    if before.shape != after.shape or before.dtype != after.dtype or before.size > MAX_NUMBERS:
        return None
    with np.errstate(invalid="ignore"):
        apart = (before != after) & ~((before != before) & (after != after))
    others = tuple(other for other in range(before.ndim) if other != axis)
    return tuple(int(place) for place in np.flatnonzero(apart.any(axis=others)))


def axis_of(exercise: Exercise, axis: str) -> int | None:
    """Which dimension of the answer is called so; None unless there is just one."""
    declared = exercise.signature.parsed_returns
    if not isinstance(declared, Array) or declared.dims.count(axis) != 1:
        return None
    return declared.dims.index(axis)


def _make(judge: Judge, exercise: Exercise) -> tuple[Variation, ...]:
    samples = [case for case in cases_of(judge, exercise) if case.sample][:MAX_SAMPLES]
    planned = [
        (n, variation)
        for n, case in enumerate(samples)
        if case.script is None and case.error is None
        for variation in _planned(exercise, n, case)
    ]
    inputs: list[Mapping[str, Any]] = [variation.inputs(samples[n]) for n, variation in planned]
    found = []
    what, step_seconds = "the samples with other values", exercise.limits.wall_seconds
    deadline = Deadline.to_build(judge, exercise.reference.path, what, step_seconds)
    with closing(run(judge, exercise, exercise.reference, inputs, deadline=deadline)) as outcomes:
        for (n, variation), outcome in zip(planned, outcomes, strict=True):
            if (kept := _with_moves(exercise, samples[n], variation, outcome)) is not None:
                found.append(kept)
    return tuple(found)


def _planned(exercise: Exercise, n: int, case: Case) -> Iterator[Variation]:
    for parameter in exercise.signature.parameters:
        value = case.inputs.get(parameter.name)
        for other in (_turned(value), _turned_further(value)):
            if other is not None:
                yield Variation(n, parameter.name, "all", "", other)
        shape = parameter.parsed.dims if isinstance(parameter.parsed, Array) else ()
        if not isinstance(value, np.ndarray):
            continue
        for axis, name in enumerate(shape):
            if axis_of(exercise, name) is not None and shape.count(name) == 1 and value.shape[axis] > 1:
                yield from _of_parts(n, parameter.name, value, axis, name)


def _of_parts(n: int, argument: str, value: Any, axis: int, name: str) -> Iterator[Variation]:
    parts: tuple[Part, Part] = ("first", "last")
    for part in parts:
        if (turned := _turned_part(value, axis, part)) is not None:
            yield Variation(n, argument, part, name, turned)


def _turned(value: Any) -> Any:
    """Another value of the same kind and shape; None if there is none that is surely allowed."""
    if isinstance(value, np.ndarray):
        if value.size < 2 or value.size > MAX_NUMBERS:
            return None
        turned = _mixed(value.ravel()).reshape(value.shape)
        return None if turned.tobytes() == value.tobytes() else turned
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return value * 1.5 + 0.25 if np.isfinite(value) else None
    if isinstance(value, list):
        return _other([*value[1:], *value[:1]], value)
    if isinstance(value, str):
        return _other(value[1:] + value[:1], value)
    return None


def _turned_further(value: Any) -> Any:
    """Another one still, which keeps less: all numbers are the largest, an order is turned round, a number is lower."""
    if isinstance(value, np.ndarray):
        if value.size < 2 or value.size > MAX_NUMBERS or value.dtype.kind not in "biuf" or not np.isfinite(value).all():
            return None
        turned = np.full_like(value, value.max())
        return None if turned.tobytes() == value.tobytes() else turned
    if isinstance(value, int) and not isinstance(value, bool):
        return value - 1
    if isinstance(value, list) and value and all(type(item) in (int, float) for item in value):
        return [item + 1 for item in reversed(value)]
    return _other(value[::-1], value) if isinstance(value, list | str) else None


def _other(turned: Any, value: Any) -> Any:
    return turned if differs(turned, value) else None


def _mixed(numbers: Any) -> Any:
    """The numbers, each in the place of the next, and with another sum and another maximum: floats are made smaller,
    and of others one stands twice. Shape (n,)."""
    turned = np.roll(numbers, 1)
    if turned.dtype.kind in "fc":
        return (turned * 0.75).astype(turned.dtype)
    if turned.size > 1:
        turned[0] = turned[1]
    return turned


def _turned_part(value: Any, axis: int, part: Part) -> Any:
    """The array with its first or last part along an axis turned by one place."""
    if value.size > MAX_NUMBERS:
        return None
    place = 0 if part == "first" else value.shape[axis] - 1
    at = (*[slice(None)] * axis, place)
    changed = value.copy()
    numbers = np.asarray(value[at])
    # one number alone has no place to go to: another takes its place
    source = numbers.ravel() if numbers.size > 1 else np.asarray(value.take(place - 1, axis)).ravel()
    changed[at] = _mixed(source)[: numbers.size].reshape(numbers.shape)
    return None if changed.tobytes() == value.tobytes() else changed


def _with_moves(exercise: Exercise, case: Case, variation: Variation, outcome: CallOutcome) -> Variation | None:
    """With what it moves; None where it moves nothing, or the reference does not answer it."""
    if not isinstance(outcome, Returned):
        return None
    if variation.part == "all":
        return variation if differs(case.expected, outcome.value) else None
    axis = axis_of(exercise, variation.axis)
    places = moved(case.expected, outcome.value, axis) if axis is not None else None
    if not places:
        return None
    return Variation(variation.case, variation.argument, variation.part, variation.axis, variation.value, places)


def differs(before: Any, after: Any) -> bool:
    """Whether two answers differ, to the bit or in their shape."""
    if isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        if before.shape != after.shape or before.dtype != after.dtype:
            return True
        with np.errstate(invalid="ignore"):
            return bool(((before != after) & ~((before != before) & (after != after))).any())
    if isinstance(before, list | tuple) and isinstance(after, list | tuple):
        return len(before) != len(after) or any(map(differs, before, after))
    if isinstance(before, dict) and isinstance(after, dict):
        return before.keys() != after.keys() or any(differs(before[key], after[key]) for key in before)
    if isinstance(before, float) and isinstance(after, float) and before != before and after != after:
        return False
    return type(before) is not type(after) or bool(before != after)


def _pack(variations: Sequence[Variation]) -> dict[str, Any]:
    return {"all": [[v.case, v.argument, v.part, v.axis, v.value, list(v.moves)] for v in variations]}


def _unpack(message: Mapping[str, Any]) -> tuple[Variation, ...]:
    return tuple(
        Variation(case, argument, part, axis, value, tuple(moves))
        for case, argument, part, axis, value, moves in message["all"]
    )


_variations: Store[tuple[Variation, ...]] = Store("variations", _pack, _unpack)
