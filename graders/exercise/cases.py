"""A case: one named input, and the reference's answer to it."""

import ast
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from graders.boxes import warmth
from graders.boxes.warmth import Warmth
from graders.exercise.definition import Exercise
from graders.exercise.dims import Dims
from graders.exercise.limits import Tolerance
from graders.frameworks import compiles
from graders.inside import wire
from graders.inside.wire import SCRIPT
from graders.reasons.compare import view
from graders.reasons.script import transcript
from graders.verdict import ArrayView


@dataclass(frozen=True)
class Rules:
    """What holds for one case alone: its weight, its tolerance if it has its own, and the author's sentence for those
    who fail it."""

    weight: float = 1.0
    tolerance: Tolerance | None = None
    message: str = ""


@dataclass(frozen=True)
class Drawn:
    """What cases.py yields: a named input, or a script under the key SCRIPT, with the values that it uses."""

    sample: bool
    name: str
    inputs: Mapping[str, Any]
    rules: Rules = Rules()


@dataclass(frozen=True)
class ExpectedError:
    """The exception that the reference raises, if that is the expected answer. `name` is listed in `raises`."""

    name: str
    message: str


@dataclass(frozen=True)
class Case:
    """One named input. `expected` is the reference's answer, plain Python and NumPy; it never enters a box. Of a script
    it is the tuple of its steps (graders/boxes/reply.py)."""

    name: str
    sample: bool
    inputs: Mapping[str, Any]
    dims: Dims
    expected: Any
    error: ExpectedError | None = None
    rules: Rules = Rules()
    notes: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)  # computed once, by diagnose.py
    own: bool = False  # made of the student's own input
    fresh: bool = False  # drawn for one submission alone

    @cached_property
    def expected_view(self) -> ArrayView:
        if self.script is not None:
            return ArrayView(None, "script", transcript(self.script, self.expected))
        if self.error is not None:
            return ArrayView(None, "exception", self.error.name)
        return view(self.expected)

    @property
    def script(self) -> str | None:
        """The statements of a script; None for a call."""
        return self.inputs.get(SCRIPT)

    def tolerance(self, exercise: Exercise) -> Tolerance:
        return self.rules.tolerance or exercise.tolerance

    @cached_property
    def inputs_text(self) -> str:
        """The inputs as a student reads them, each with its name."""

        def text(value: Any) -> str:
            array = view(value)
            return array.text if array.shape is None else f"{array.dtype} {array.shape}\n{array.text}"

        return "\n".join(f"{name} = {text(value)}" for name, value in self.inputs.items() if name != SCRIPT)


def request_of(exercise: Exercise, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """What a box is asked for one case: to call the entry point, or to run a script."""
    seed = call_seed(exercise, inputs)
    if SCRIPT in inputs:
        values = {name: value for name, value in inputs.items() if name != SCRIPT}
        return {"op": "script", "script": inputs[SCRIPT], "values": values, "seed": seed}
    return {"op": "call", "args": exercise.signature.arguments(inputs), "seed": seed}


def fit(exercise: Exercise, inputs: Mapping[str, Any]) -> tuple[dict[str, Any], Dims]:
    """One case's inputs as the exercise declares them, and the dimensions that they fix. Raises ValueError."""
    if SCRIPT not in inputs:
        if exercise.is_scripted:
            raise ValueError('is no script, and `entry` is a list of names: write script("…")')
        return exercise.signature.fit(inputs)
    try:
        ast.parse(inputs[SCRIPT])
    except SyntaxError as error:
        raise ValueError(f"has a script that Python cannot read: {error.msg}, line {error.lineno}") from None
    except (ValueError, RecursionError, MemoryError):
        raise ValueError("has a script that Python cannot read") from None
    return dict(inputs), {}


def digest(inputs: Mapping[str, Any]) -> bytes:
    """Equal for inputs that are equal to the bit."""
    return hashlib.sha256(wire.encode(dict(inputs))).digest()


def call_seed(exercise: Exercise, inputs: Mapping[str, Any]) -> int | None:
    """Where the exercise says `seed = true`: the seed of a call's random numbers, the same for everyone's code."""
    return int.from_bytes(digest(inputs)[:8], "big") >> 1 if exercise.is_seeded else None


def warmth_of(exercise: Exercise, cases: Iterable[Case], framework: str | None = None) -> Warmth | None:
    """What JAX may compile ahead for this exercise, from the sample cases' sizes only. None where it has no JAX, and
    where the box is for a `framework` that compiles nothing."""
    if not any(map(compiles, exercise.frameworks if framework is None else (framework,))):
        return None
    samples = [{**case.dims, **_integers(case)} for case in cases if case.sample]
    return warmth.warmth_of(exercise.warm, exercise.signature, samples)


def _integers(case: Case) -> Dims:
    return {name: value for name, value in case.inputs.items() if type(value) is int}
