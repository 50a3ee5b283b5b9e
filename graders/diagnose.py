"""Why it is wrong, in one sentence: the outcome of a known mistake, or the expected array put another way.

Silent when nothing fits. A sentence is for every case, hidden ones too: it names steps and shapes, never values.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graders.cases import Case, Outcome
from graders.compare import compare
from graders.exercise import Exercise, Mistake
from graders.signature import Array


def known_mistake(
    exercise: Exercise,
    cases: Sequence[Case],
    outcomes: Mapping[int, Outcome],
    wrong: Sequence[int],
    mistakes: Mapping[str, tuple[Outcome, ...]],
    framework: str,
) -> Mistake | None:
    """The one known mistake whose outcome is the student's on every case judged; None for none, or for two.

    `outcomes` and `wrong` are by index into `cases`. Where two mistakes fit, the one in the student's framework wins.
    """
    if not wrong:
        return None
    fitting = [
        mistake
        for mistake in exercise.mistakes
        if mistake.name in mistakes
        and all(_same(exercise, cases[n], outcomes[n], mistakes[mistake.name][n]) for n in outcomes)
    ]
    own = [mistake for mistake in fitting if mistake.source.framework == framework]
    fitting = own or fitting
    return fitting[0] if len(fitting) == 1 else None


def rearranged(exercise: Exercise, case: Case, outcome: Outcome) -> str | None:
    """The expected array transposed, flattened, without its batch dimension, scaled or negated."""
    declared, expected = exercise.signature.parsed_returns, case.expected
    if outcome.value is None or not isinstance(declared, Array) or not isinstance(outcome.value[0], np.ndarray):
        return None
    actual = outcome.value[0]
    if actual.dtype.name != expected.dtype.name or not expected.size or expected.dtype.kind not in "biufc":
        return None
    found = [text for text, other in _arrangements(declared, expected) if _close(exercise, other, actual)]
    if not found and actual.shape == expected.shape and (factor := _factor(expected, actual)):
        # a factor that the program chose can carry an input: of a hidden case it is not told
        times = f"{factor:.6g}" if case.sample else "one and the same number"
        found = [f"Every value is the expected one times {times}: look for a factor too many or too few."]
    return found[0] if len(found) == 1 else None


def _arrangements(declared: Array, expected: Any) -> list[tuple[str, Any]]:
    names = declared.dims_text()
    found: list[tuple[str, Any]] = []
    if expected.ndim > 1:
        found.append((f"The values are right but flattened: return them in the shape {names}.", expected.ravel()))
        by_column = expected.ravel(order="F")
        if not np.array_equal(by_column, expected.ravel()):
            found.append((f"The values are there, flattened column by column; the shape is {names}.", by_column))
        first = declared.dims[0]
        found.append((f"This is the first of {first} only: keep the leading dimension {first}.", expected[0]))
    if expected.ndim == 2 and not np.array_equal(expected, expected.T):
        found.append((f"This is the expected array transposed: the order of dimensions is {names}.", expected.T))
    if expected.ndim == 3:
        for axes in ((0, 2, 1), (1, 0, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1)):
            other = expected.transpose(axes)
            if not np.array_equal(other, expected):
                yours = ", ".join(declared.dims[axis] for axis in axes)
                found.append((f"The dimensions are in the order ({yours}); they should be {names}.", other))
    return found


def _factor(expected: Any, actual: Any) -> float | None:
    """The one number that all of `actual` is of `expected`, if there is one and it is not 1."""
    if expected.dtype.kind != "f" or expected.size < 2:
        return None
    e, a = expected.astype(np.float64), actual.astype(np.float64)
    with np.errstate(all="ignore"):
        norm = float((e * e).sum())
        factor = float((e * a).sum()) / norm if norm > 0 else 0.0
        if not np.isfinite(factor) or abs(factor) < 1e-6 or abs(factor - 1) < 1e-4:
            return None
        return factor if np.allclose(a, factor * e, rtol=1e-5, atol=1e-5 * float(np.abs(a).max())) else None


def _close(exercise: Exercise, expected: Any, actual: Any) -> bool:
    if expected.shape != actual.shape:
        return False
    plain = Array(expected.dtype.name, tuple(str(size) for size in expected.shape))
    return compare(expected, actual, plain, {}, exercise.tolerance) is None


def _same(exercise: Exercise, case: Case, yours: Outcome, theirs: Outcome) -> bool:
    """Whether two outcomes are one: the same value within the tolerance, or the same error in the same words."""
    if yours.value is not None and theirs.value is not None:
        return _alike(exercise, yours.value[0], theirs.value[0])
    if yours.raised and theirs.raised:
        return all(yours.raised.get(key) == theirs.raised.get(key) for key in ("type", "message"))
    return bool(yours.odd and yours.odd == theirs.odd) or bool(yours.stopped and yours.stopped == theirs.stopped)


def _alike(exercise: Exercise, mine: Any, other: Any) -> bool:
    if type(mine) is not type(other):
        return False
    if isinstance(mine, np.ndarray):
        return mine.dtype == other.dtype and _close(exercise, other, mine)
    if isinstance(mine, list | tuple):
        return len(mine) == len(other) and all(map(lambda a, b: _alike(exercise, a, b), mine, other))
    if isinstance(mine, dict):
        return mine.keys() == other.keys() and all(_alike(exercise, mine[key], other[key]) for key in mine)
    return repr(mine) == repr(other)
