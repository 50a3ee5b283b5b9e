"""The sample cases, as a student reads them before writing code."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.exercise.literal import Literals, literals
from graders.exercise.signature import Type
from graders.inside.wire import SCRIPT
from graders.reasons.arrays import NamedArray
from graders.reasons.compare import arrays_of, view
from graders.verdict import ArrayView

RETURNS = "returns"  # a key of `[signature]`, so no argument has this name
ARRAYS_SHOWN = 12  # of one value: a dict may hold any number of arrays


@dataclass(frozen=True)
class SampleCase:
    """A sample case as a student reads it before writing code."""

    name: str
    inputs: Mapping[str, ArrayView]
    expected: ArrayView
    literals: Literals  # for the student to change and run the code on
    arrays: Mapping[str, tuple[NamedArray, ...]]  # the numbers, for figures: by argument, and under "returns"


def sample_cases(exercise: Exercise, cases: Iterable[Case]) -> list[SampleCase]:
    """The sample cases among `cases`, with their values as texts."""
    return [shown_case(exercise, case) for case in cases if case.sample]


def shown_case(exercise: Exercise, case: Case) -> SampleCase:
    """Any case as a sample case is shown. Of a hidden one this is for its author."""
    return SampleCase(
        case.name,
        {name: view(value) for name, value in case.inputs.items() if name != SCRIPT},
        case.expected_view,
        literals(exercise.signature, case.inputs, case.dims),
        {**arrays_of_inputs(exercise, case.inputs), RETURNS: _returned(exercise, case)},
    )


def _returned(exercise: Exercise, case: Case) -> tuple[NamedArray, ...]:
    if case.script is not None or case.error is not None:
        return ()
    return _shown(case.expected, exercise.signature.parsed_returns)


def arrays_of_inputs(exercise: Exercise, inputs: Mapping[str, Any]) -> dict[str, tuple[NamedArray, ...]]:
    """The first arrays of each argument, by its name. `inputs` match the signature."""
    return {
        parameter.name: _shown(inputs[parameter.name], parameter.parsed)
        for parameter in exercise.signature.parameters
        if parameter.name in inputs
    }


def _shown(value: Any, declared: Type) -> tuple[NamedArray, ...]:
    return tuple(islice(arrays_of(value, declared), ARRAYS_SHOWN))
