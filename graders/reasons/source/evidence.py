"""The outcomes of a submission, as the looks ask for them."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from graders.boxes.reply import CallOutcome, Odd, Raised, Returned, Stopped
from graders.boxes.where import NOWHERE, Where
from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.exercise.dims import Dims
from graders.exercise.signature import Array
from graders.reasons.compare import differing
from graders.reasons.diagnose import MAX_CASES
from graders.reasons.pairs import MAX_NUMBERS


@dataclass(frozen=True)
class WrongCase:
    """A case that was not answered as expected, by its index."""

    index: int
    case: Case
    outcome: CallOutcome

    @property
    def odd(self) -> str:
        """What was returned if it could not cross the wall, with its article: “a Softmax”; else ""."""
        return self.outcome.text if isinstance(self.outcome, Odd) else ""

    @property
    def returned(self) -> Any:
        """The value returned; None also where there is none."""
        return self.outcome.value if isinstance(self.outcome, Returned) else None

    @property
    def is_nothing(self) -> bool:
        """Whether None was returned in place of something."""
        is_none = isinstance(self.outcome, Returned) and self.outcome.value is None
        return is_none and self.case.expected is not None and self.case.error is None

    @property
    def raised(self) -> Raised | None:
        return self.outcome if isinstance(self.outcome, Raised) else None

    @property
    def is_out_of_time(self) -> bool:
        return isinstance(self.outcome, Stopped) and self.outcome.reason == "time_limit"

    @property
    def where(self) -> Where:
        """Where it was when its time was up, if it was asked."""
        return self.outcome.where if isinstance(self.outcome, Stopped) else NOWHERE

    @property
    def arrays(self) -> tuple[Any, Any] | None:
        """The expected and the returned array of numbers, if both are one and are small enough to be examined."""
        pair = self.case.expected, self.returned
        if all(isinstance(array, np.ndarray) and array.dtype.kind in "biuf" for array in pair):
            return pair if 0 < max(array.size for array in pair) <= MAX_NUMBERS else None
        return None

    @property
    def sizes(self) -> dict[str, int]:
        return dict(self.case.dims)


@dataclass(frozen=True)
class Evidence:
    """The cases of one submission: `right` by index, and the first of those that are `wrong`, samples first."""

    exercise: Exercise
    framework: str
    cases: Sequence[Case]
    right: tuple[int, ...]
    wrong: tuple[WrongCase, ...]
    wrong_count: int

    def may_have_been_in(self, node: ast.stmt) -> bool:
        """Whether a program that ran out of time was in these lines at each moment at which it was asked, if it was."""
        return not any(case.where.has_returned for case in self.wrong) and all(
            any(node.lineno <= line <= (node.end_lineno or node.lineno) for line in stack)
            for case in self.wrong
            for stack in case.where.stacks
        )

    @property
    def is_mostly_wrong(self) -> bool:
        """Whether at least half of the cases judged are wrong, as by a fault that every call runs into."""
        return self.wrong_count >= len(self.right)

    @property
    def returned(self) -> tuple[WrongCase, ...]:
        """The wrong cases with a value, be it a wrong one."""
        return tuple(case for case in self.wrong if isinstance(case.outcome, Returned))

    @cached_property
    def right_parts(self) -> tuple[tuple[WrongCase, tuple[Any, ...]], ...]:
        """For each wrong case with arrays of the expected shape: along each axis, which slices are right."""
        found = []
        for case in self.wrong:
            if case.arrays is None or case.arrays[0].shape != case.arrays[1].shape:
                continue
            right = ~differing(*case.arrays, case.case.tolerance(self.exercise))
            axes = [
                right.all(axis=tuple(other for other in range(right.ndim) if other != n)) for n in range(right.ndim)
            ]
            found.append((case, tuple(axes)))
        return tuple(found)

    @property
    def has_right_shapes(self) -> bool:
        """Whether each wrong answer that is an array has the expected shape, and there is one."""
        pairs = [case.arrays for case in self.wrong if case.arrays is not None]
        return bool(pairs) and all(expected.shape == actual.shape for expected, actual in pairs)

    def sequences(self) -> Iterator[tuple[WrongCase, list[Any], list[Any]]]:
        """The expected and the returned items of wrong cases whose answers are lists, tuples or arrays."""
        for case in self.returned:
            expected, actual = (_items(value) for value in (case.case.expected, case.returned))
            if expected is not None and actual is not None:
                yield case, expected, actual

    def same(self, expected: Any, actual: Any) -> bool:
        """Whether two items are equal, within the tolerance of the exercise."""
        if isinstance(expected, str | bool | dict | None) or isinstance(actual, str | bool | dict | None):
            return bool(type(expected) is type(actual) and expected == actual)
        try:
            one, other = np.asarray(expected), np.asarray(actual)
            tolerance = self.exercise.tolerance
            return one.shape == other.shape and bool(np.allclose(other, one, tolerance.rtol, tolerance.atol, True))
        except (ValueError, TypeError, OverflowError):
            return repr(expected) == repr(actual)

    def sizes_of_sample(self) -> Dims:
        return self.cases[0].dims

    @property
    def returns_floats(self) -> bool:
        declared = self.exercise.signature.parsed_returns
        return isinstance(declared, Array) and "float" in declared.dtype


def _items(value: Any) -> list[Any] | None:
    if isinstance(value, np.ndarray):
        return list(value) if value.ndim and value.size <= MAX_NUMBERS else None
    return list(value) if isinstance(value, list | tuple) and len(value) <= 1000 else None


def evidence_of(
    exercise: Exercise,
    framework: str,
    cases: Sequence[Case],
    outcomes: Mapping[int, CallOutcome],
    wrong: Sequence[int],
) -> Evidence:
    examined = tuple(WrongCase(n, cases[n], outcomes[n]) for n in wrong[:MAX_CASES] if n in outcomes)
    right = tuple(n for n in outcomes if n not in wrong)
    return Evidence(exercise, framework, cases, right, examined, len(wrong))
