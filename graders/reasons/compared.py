"""What the cases of one submission show together: each with its inputs, what was expected, and what came.

The looks in `origins`, `places`, `leftovers` and `shapes` examine all of them at once. So a sentence is said only if it
holds for every wrong case, and no right case contradicts it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from graders.boxes.reply import CallOutcome, Ran, Returned
from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.exercise.dims import dim_size, factors_of
from graders.exercise.signature import Array
from graders.reasons.answers import compared_values
from graders.reasons.compare import axes_of, compare, differing, leaves, tolerance_at

MAX_NUMBERS = 1 << 15  # of an array that is examined
MAX_WRONG = 12  # cases that are examined
MAX_RIGHT = 16


@dataclass(frozen=True)
class Sentence:
    """`text` is for a sample case. `hidden` is for a hidden case: no number in it comes from a case."""

    text: str
    hidden: str


@dataclass(frozen=True)
class Found:
    """A diagnosis of all wrong cases: its name, what tells two of that name apart, and a sentence for each case."""

    name: str
    detail: str
    sentences: Mapping[int, Sentence]


@dataclass(frozen=True)
class Input:
    """An array argument with the names of its axes; a number has no axes. `marks` is filled by `places`, once."""

    name: str
    dims: tuple[str, ...]
    array: Any
    marks: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True)
class Compared:
    """The expected and the actual array of one case, as real numbers. `where` is their place in a tuple or dict.

    `dims` are the declared dimensions, and `names` those with products split: T*d_model becomes T, d_model.
    """

    number: int
    exercise: Exercise
    case: Case
    dims: tuple[str, ...]
    expected: Any
    actual: Any
    where: str
    is_wrong: bool

    @cached_property
    def same_shape(self) -> bool:
        return bool(self.expected.shape == self.actual.shape)

    @cached_property
    def axes(self) -> list[tuple[str, int]]:
        """The name and size of each axis, with products split."""
        axes: list[tuple[str, int]] = []
        for place, (dim, size) in enumerate(zip(self.dims, self.expected.shape, strict=True)):
            factors = [(factor, dim_size(factor, self.case.dims)) for factor in factors_of(dim)]
            known = [(factor, length) for factor, length in factors if length is not None]
            if len(factors) > 1 and len(known) == len(factors):
                axes += known
            else:
                axes.append((f"axis {place}" if dim.isdigit() else dim, size))
        return axes

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.axes)

    @cached_property
    def e(self) -> Any:
        """The expected numbers, float64, an axis for each of `names`."""
        return self.expected.astype(np.float64).reshape([size for _, size in self.axes])

    @cached_property
    def a(self) -> Any:
        """The student's numbers as `e`. Only where `same_shape` holds."""
        return self.actual.astype(np.float64).reshape(self.e.shape)

    @cached_property
    def wrong(self) -> Any:
        """Which numbers differ, in the shape of `e`. Only where `same_shape` holds."""
        tolerance = tolerance_at(self.case.tolerance(self.exercise), self.where)
        return differing(self.expected, self.actual, tolerance).reshape(self.e.shape)

    @cached_property
    def inputs(self) -> tuple[Input, ...]:
        """The arguments that are real numbers or arrays of them, of at most MAX_NUMBERS."""
        return tuple(self._inputs())

    def _inputs(self) -> Iterator[Input]:
        for parameter in self.exercise.signature.parameters:
            value = self.case.inputs.get(parameter.name)
            if isinstance(value, np.ndarray) and value.dtype.kind in "biuf" and 0 < value.size <= MAX_NUMBERS:
                yield Input(parameter.name, self._dims_of(parameter.parsed, value), value)
            elif type(value) in (int, float):
                yield Input(parameter.name, (), np.array(value, np.float64))

    @staticmethod
    def _dims_of(declared: Any, value: Any) -> tuple[str, ...]:
        options = getattr(declared, "options", (declared,))
        fitting = [option for option in options if isinstance(option, Array) and not option.any_rank]
        alike = [option.dims for option in fitting if len(option.dims) == value.ndim]
        return alike[0] if len(alike) == 1 else tuple(map(str, value.shape))

    def input(self, name: str) -> Input | None:
        return next((each for each in self.inputs if each.name == name), None)

    def sentence(self, text: str, hidden: str | None = None) -> Sentence:
        place = f"In result{self.where}: " if self.where else ""
        return Sentence(place + text, place + (hidden if hidden is not None else text))


@dataclass(frozen=True)
class Comparisons:
    """The cases of a submission whose answers are arrays. There is at least one wrong case."""

    wrong: tuple[Compared, ...]
    right: tuple[Compared, ...]

    @property
    def every(self) -> tuple[Compared, ...]:
        return self.wrong + self.right

    @cached_property
    def same_shape(self) -> bool:
        return all(each.same_shape and bool(each.wrong.any()) for each in self.wrong)


def comparisons(
    exercise: Exercise, cases: Sequence[Case], outcomes: Mapping[int, CallOutcome], wrong: Sequence[int]
) -> Comparisons | None:
    """None where a wrong case has another kind of answer, or the first difference is not at the same place in each.

    `outcomes` and `wrong` use indices into `cases`. A case that raised an exception is left out.
    """
    returned = [n for n in wrong if isinstance(outcomes.get(n), Returned | Ran)][:MAX_WRONG]
    found = [_differing_arrays(n, exercise, cases[n], outcomes[n]) for n in returned]
    pairs = [each for each in found if each is not None]
    if not pairs or len(pairs) < len(found) or len({(each.where, each.dims) for each in pairs}) > 1:
        return None
    others = [n for n in outcomes if n not in wrong and isinstance(outcomes[n], Returned)][:MAX_RIGHT]
    same_place = (_arrays_at(n, exercise, cases[n], outcomes[n], pairs[0].where) for n in others)
    return Comparisons(tuple(pairs), tuple(each for each in same_place if each is not None))


def _differing_arrays(n: int, exercise: Exercise, case: Case, outcome: CallOutcome) -> Compared | None:
    """The first arrays of a case that differ; None where the first difference is not between two arrays."""
    values = compared_values(exercise, case, outcome)
    if values is None or not isinstance(outcome, Returned):
        return None
    for declared, expected, actual, where in leaves(*values):
        tolerance = tolerance_at(case.tolerance(exercise), where)
        if compare(expected, actual, declared, case.dims, tolerance) is not None:
            return _compared(n, exercise, case, declared, expected, actual, where, is_wrong=True)
    return None


def _arrays_at(n: int, exercise: Exercise, case: Case, outcome: CallOutcome, place: str) -> Compared | None:
    values = compared_values(exercise, case, outcome)
    for declared, expected, actual, where in leaves(*values) if values is not None else ():
        if where == place:
            return _compared(n, exercise, case, declared, expected, actual, where, is_wrong=False)
    return None


def _compared(
    n: int, exercise: Exercise, case: Case, declared: Any, expected: Any, actual: Any, where: str, is_wrong: bool
) -> Compared | None:
    if not isinstance(declared, Array) or not all(_is_examined(array) for array in (expected, actual)):
        return None
    dims = axes_of(declared, expected)
    return Compared(n, exercise, case, dims, expected, actual, where, is_wrong)


def _is_examined(array: Any) -> bool:
    if not isinstance(array, np.ndarray) or not 0 < array.size <= MAX_NUMBERS:
        return False
    return array.dtype.kind in "biuf" or array.dtype.name == "bfloat16"
