"""A case: one named input, and the reference's answer to it."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from graders.boxes import warmth
from graders.boxes.warmth import Warmth
from graders.exercise.definition import Exercise
from graders.exercise.dims import Dims
from graders.frameworks import compiles
from graders.inside import wire
from graders.reasons.compare import view
from graders.verdict import ArrayView


@dataclass(frozen=True)
class Case:
    """One named input. `expected` is the reference's answer, plain Python and NumPy; it never enters a box."""

    name: str
    sample: bool
    inputs: Mapping[str, Any]
    dims: Dims
    expected: Any
    notes: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)  # computed once, by diagnose.py
    own: bool = False  # made of the student's own input
    fresh: bool = False  # drawn for one submission alone

    @cached_property
    def expected_view(self) -> ArrayView:
        return view(self.expected)

    @cached_property
    def inputs_text(self) -> str:
        """The inputs as a student reads them, each with its name."""

        def text(value: Any) -> str:
            array = view(value)
            return array.text if array.shape is None else f"{array.dtype} {array.shape}\n{array.text}"

        return "\n".join(f"{name} = {text(value)}" for name, value in self.inputs.items())

    def arguments(self, exercise: Exercise) -> list[Any]:
        return exercise.signature.arguments(self.inputs)


def digest(inputs: Mapping[str, Any]) -> bytes:
    """Equal for inputs that are equal to the bit."""
    return hashlib.sha256(wire.encode(dict(inputs))).digest()


def call_seed(exercise: Exercise, inputs: Mapping[str, Any]) -> int | None:
    """Where the exercise says `seed = true`: the seed of a call's random numbers, the same for everyone's code."""
    return int.from_bytes(digest(inputs)[:8], "big") >> 1 if exercise.is_seeded else None


def warmth_of(exercise: Exercise, cases: Iterable[Case]) -> Warmth | None:
    """What JAX may compile ahead for this exercise, from the sample cases' sizes only. None where it has no JAX."""
    if not any(map(compiles, exercise.frameworks)):
        return None
    samples = [{**case.dims, **_integers(case)} for case in cases if case.sample]
    return warmth.warmth_of(exercise.warm, exercise.signature, samples)


def _integers(case: Case) -> Dims:
    return {name: value for name, value in case.inputs.items() if type(value) is int}
