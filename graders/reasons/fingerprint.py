"""What came out of a wrong program, on the fixed cases, as a short text: two that are equal went wrong in the same way.

For an exercise's author, who reads which wrong outcomes are frequent. It is told to staff alone: two of them that are
equal, or differ, say something about what hidden cases made of a program.

Numbers are rounded first, since programs that do the same in another order differ in their last digits. Rounding each
number would not do: of a thousand, some always lie where it goes either way. So of each array the size of the deviation
from the expected one is taken, and its sum under two fixed sets of random weights, each to one part in a hundred and
never finer than the tolerance. A fingerprint has two halves, made on two grids, one shifted by half a step: what falls
on an edge of the one is in the middle of a step of the other. **Equal in either half is the same outcome.**
"""

import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

import numpy as np

from graders.boxes.reply import (
    CallOutcome,
    Disallowed,
    Misplaced,
    Missing,
    Odd,
    Raised,
    Ran,
    Returned,
    ReturnTooLarge,
    Stopped,
    TraceTooSlow,
    Uncallable,
    Unreadable,
    ended_by,
)
from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.exercise.limits import Tolerance
from graders.verdict import CaseResult, Verdict

HALF = 16  # hexadecimal digits of one grid
MAX_NUMBERS = 1 << 12  # of an array that are looked at, spread over it
MAX_PARTS = 1000  # numbers, texts and arrays of one outcome that are looked at
MAX_TEXT = 500
STEP = 100.0  # steps in which a deviation doubles, about
NARROWEST = 1e-12  # what an exercise without a tolerance rounds to, as a part of the numbers themselves

_WEIGHTS = np.random.default_rng(0).standard_normal((2, MAX_NUMBERS * 2))  # twice for complex ones
_SMALLEST = float(np.finfo(np.float64).tiny)
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+")


def fingerprint(exercise: Exercise, cases: Sequence[Case], outcomes: Mapping[int, CallOutcome]) -> str:
    """`outcomes` by index into `cases`; of fresh cases, which no two submissions share, nothing is taken."""
    made = _Fingerprint()
    arrays: set[str] = set()
    for n in sorted(outcomes):
        if cases[n].fresh:
            continue
        made.exactly("case", n)
        _add_outcome(made, exercise, cases[n], outcomes[n])
        if isinstance(outcomes[n], Stopped):
            break  # a known mistake's outcomes go on, a submission's do not
        arrays.update(getattr(outcomes[n], "arrays", ()))
    if made.is_right:  # wrong all the same: as arrays of another framework are
        made.exactly(*sorted(arrays))
    return made.text()


def fingerprint_unloaded(results: Iterable[CaseResult]) -> str:
    """Of a program that ended while its file was read: its error is all that came out."""
    made = _Fingerprint()
    for result in results:
        if result.verdict not in (None, Verdict.accepted):
            error = result.error
            made.exactly("loading", result.verdict, error and error.type, error and _message(error.message or ""))
            break
    return made.text()


class _Fingerprint:
    """Two hashes that are told the same, but for what is rounded."""

    def __init__(self) -> None:
        self._grids = (hashlib.sha256(), hashlib.sha256())
        self.is_right = True  # so far: nothing that was told differs from what was expected
        self.parts_left = MAX_PARTS

    def exactly(self, *parts: object) -> None:
        for grid in self._grids:
            grid.update(repr([str(part) for part in parts]).encode("utf-8", "replace"))

    def roughly(self, steps: float) -> None:
        """A number of steps, of which the fraction is left out."""
        for grid, shift in zip(self._grids, (0.0, 0.5), strict=True):
            grid.update(b"%d;" % math.floor(steps + shift) if math.isfinite(steps) else b"?;")

    def text(self) -> str:
        return "".join(grid.hexdigest()[:HALF] for grid in self._grids)


def _add_outcome(made: _Fingerprint, exercise: Exercise, case: Case, outcome: CallOutcome) -> None:
    tolerance = case.tolerance(exercise)
    match outcome:
        case Returned():
            with np.errstate(all="ignore"):  # a student's numbers may be anything
                _add_value(made, case.expected, outcome.value, tolerance)
        case Ran():
            expected = case.expected if case.script is not None else ()
            with np.errstate(all="ignore"):
                _add_steps(made, expected, outcome, tolerance)
        case Raised():
            if case.error is None or not outcome.is_a(case.error.name):
                made.is_right = False
            made.exactly("raised", outcome.type, _message(outcome.message))
        case Odd():
            made.is_right = False
            made.exactly("odd", _message(outcome.text))
        case Stopped() | ReturnTooLarge() | TraceTooSlow():
            made.is_right = False
            made.exactly("ended", ended_by(outcome))
        case Unreadable() | Disallowed() | Missing() | Misplaced() | Uncallable():
            raise AssertionError("no answer to a call")
        case _:
            assert_never(outcome)


def _add_steps(made: _Fingerprint, expected: Sequence[Any], outcome: Ran, tolerance: Tolerance) -> None:
    for place, (line, kind, content) in enumerate(outcome.steps):
        made.exactly("step", line, kind)
        theirs = expected[place] if place < len(expected) else (line, "", None)
        if kind == "value":
            _add_value(made, theirs[2] if theirs[1] == "value" else None, content, tolerance)
        elif kind == "raised":
            made.is_right = made.is_right and theirs[1] == "raised"
            made.exactly(content.get("type"), _message(str(content.get("message", ""))))
        else:
            made.is_right = False
            made.exactly(_message(str(content)))
    if len(outcome.steps) != len(expected):
        made.is_right = False


def _message(text: str) -> str:
    """Its first line, without addresses, which differ in each process."""
    return _ADDRESS.sub("0x", text.strip().partition("\n")[0][:MAX_TEXT])


# ---- values ---------------------------------------------------------------------------------------------------


def _add_value(made: _Fingerprint, expected: Any, actual: Any, tolerance: Tolerance) -> None:
    """A value beside the expected one, part by part."""
    made.parts_left -= 1
    if made.parts_left < 0:
        return
    if isinstance(actual, np.ndarray) or type(actual) in (float, complex):
        _add_numbers(made, expected, actual, tolerance)
    elif isinstance(actual, list | tuple):
        made.exactly(type(actual).__name__, len(actual))
        items = expected if type(expected) is type(actual) and len(expected) == len(actual) else None
        made.is_right = made.is_right and items is not None
        for place, item in enumerate(actual):
            _add_value(made, None if items is None else items[place], item, tolerance.of(place))
            if made.parts_left < 0:
                return
    elif isinstance(actual, dict):
        named = expected if isinstance(expected, dict) else {}
        made.is_right = made.is_right and actual.keys() == named.keys()
        made.exactly("dict", len(actual))
        for key in sorted(actual, key=repr)[:MAX_PARTS]:
            made.exactly(repr(key)[:MAX_TEXT])
            _add_value(made, named.get(key), actual[key], tolerance.of(key))
    elif isinstance(actual, set | frozenset):
        made.is_right = made.is_right and actual == expected
        made.exactly("set", *sorted(_brief(item) for item in actual)[:MAX_PARTS])
    else:
        is_same = type(actual) is type(expected) and actual == expected
        made.is_right = made.is_right and is_same
        made.exactly(*("=",) if is_same else (type(actual).__name__, repr(actual)[:MAX_TEXT]))


def _brief(item: Any) -> str:
    return f"{item:.4g}" if type(item) is float else repr(item)[:MAX_TEXT]


def _add_numbers(made: _Fingerprint, expected: Any, actual: Any, tolerance: Tolerance) -> None:
    """An array or a number. Whole numbers are not rounded: there is no other order in which they come out otherwise."""
    mine, name = np.asarray(actual), type(actual).__name__
    theirs = np.asarray(expected) if type(expected) is type(actual) else None
    if theirs is not None and (theirs.shape != mine.shape or theirs.dtype != mine.dtype):
        theirs = None
    numbers = _spread(mine)
    wanted = None if theirs is None else _spread(theirs)
    if wanted is not None and _is_close(wanted, numbers, tolerance):
        made.exactly("=")
        return
    made.is_right = False
    made.exactly(name, mine.dtype.name, mine.shape)
    if mine.dtype.kind in "biuSU":
        made.exactly(hashlib.sha256(numbers.tobytes()).hexdigest())
        return
    _add_deviation(made, _finite(made, _as_floats(numbers)), wanted, tolerance)


def _finite(made: _Fingerprint, numbers: Any) -> Any:
    """The numbers, with 0 for those that are not finite: of these it counts which they are, and where."""
    finite = np.isfinite(numbers)
    if finite.all():
        return numbers
    marks = np.where(finite, 0, np.where(np.isnan(numbers), 1, np.where(numbers > 0, 2, 3))).astype(np.uint8)
    made.exactly(hashlib.sha256(marks.tobytes()).hexdigest())
    return np.where(finite, numbers, 0.0)


def _add_deviation(made: _Fingerprint, numbers: Any, wanted: Any, tolerance: Tolerance) -> None:
    if not numbers.size:
        return
    deviation, scale = numbers, _root_mean_square(numbers)
    if wanted is not None:
        right = _as_floats(wanted)
        right = right if np.isfinite(right).all() else np.nan_to_num(right, nan=0.0, posinf=0.0, neginf=0.0)
        deviation, scale = numbers - right, _root_mean_square(right)
    size = _root_mean_square(deviation)
    least = max(tolerance.atol + tolerance.rtol * scale, NARROWEST * max(scale, size), _SMALLEST)
    made.roughly(math.asinh(size / (STEP * least)) * STEP)
    step = math.hypot(size / STEP, least) * math.sqrt(deviation.size)
    for total in _WEIGHTS[:, : deviation.size] @ deviation:
        made.roughly(float(total) / step)


def _spread(numbers: Any) -> Any:
    """All of an array's numbers, in their order, or some from everywhere in it."""
    flat = numbers.reshape(-1)
    return flat[:: -(-flat.size // MAX_NUMBERS)] if flat.size > MAX_NUMBERS else flat


def _as_floats(numbers: Any) -> Any:
    if numbers.dtype.kind == "c":
        return np.ascontiguousarray(numbers.astype(np.complex128)).view(np.float64)
    return numbers.astype(np.float64)


def _is_close(wanted: Any, numbers: Any, tolerance: Tolerance) -> bool:
    if numbers.dtype.kind in "biuSU":
        return bool((wanted == numbers).all())
    kind = np.complex128 if numbers.dtype.kind == "c" else np.float64
    wanted, numbers = wanted.astype(kind), numbers.astype(kind)
    near = np.abs(numbers - wanted) <= tolerance.atol + tolerance.rtol * np.abs(wanted)
    if near.all():
        return True
    return bool((near | (wanted == numbers) | (np.isnan(wanted) & np.isnan(numbers))).all())


def _root_mean_square(numbers: Any) -> float:
    return math.sqrt(float(numbers @ numbers) / numbers.size)
