"""One case's outcome against its answer, whatever the answer is: a value, a script's steps, an exception, or all that a
checker accepts."""

import math
from typing import Any

from graders.boxes.reply import CallOutcome, Raised, Ran, Returned
from graders.exercise.cases import Case
from graders.exercise.checker import Checker
from graders.exercise.definition import Exercise
from graders.exercise.signature import ANY, Type, describe, match
from graders.reasons.compare import compare, share_of_tolerance
from graders.reasons.script import compare_steps, first_different, steps_share, wrong_error
from graders.verdict import Mismatch


def difference(
    exercise: Exercise, case: Case, outcome: Returned | Ran | Raised, checker: Checker | None = None
) -> Mismatch | Raised | None:
    """What is wrong with an outcome: a mismatch, or an exception that is not the expected answer. None if it is right.

    Raises BrokenExercise, BoxLost, JudgeUnavailable where a checker does.
    """
    tolerance = case.tolerance(exercise)
    if isinstance(outcome, Ran):
        if case.script is None:
            return Mismatch("type", "The program answered something else than a call.", None, None)
        return compare_steps(case.script, case.expected, outcome.steps, tolerance, exercise.messages)
    if isinstance(outcome, Raised):
        if case.error is None:
            return outcome
        return wrong_error(case.error.name, case.error.message, outcome, exercise.messages)
    if case.error is not None:
        name = case.error.name
        yours = f"your function returned {describe(outcome.value)}"
        return Mismatch("type", f"Expected {name} to be raised, but {yours}.", name, describe(outcome.value))
    if checker is None:
        return compare(case.expected, outcome.value, exercise.signature.parsed_returns, case.dims, tolerance)
    return _checked(exercise, case, outcome.value, checker)


def share(exercise: Exercise, case: Case, outcome: CallOutcome, checker: Checker | None = None) -> float:
    """The part of the tolerance that an outcome uses: 0 for the reference's own bits, above 1 for what the judge
    rejects."""
    tolerance = case.tolerance(exercise)
    if isinstance(outcome, Ran) and case.script is not None:
        return steps_share(case.expected, outcome.steps, tolerance, exercise.messages)
    if isinstance(outcome, Returned) and case.error is None and checker is None:
        declared = exercise.signature.parsed_returns
        return share_of_tolerance(case.expected, outcome.value, declared, case.dims, tolerance)
    if isinstance(outcome, Returned | Raised):
        return 0.0 if difference(exercise, case, outcome, checker) is None else math.inf
    return math.inf


def compared_values(exercise: Exercise, case: Case, outcome: CallOutcome) -> tuple[Type, Any, Any] | None:
    """The type, the expected and the actual value that a wrong outcome is about; None where it is about no value."""
    if isinstance(outcome, Ran) and case.script is not None:
        values = first_different(case.expected, outcome.steps, case.tolerance(exercise))
        return (ANY, *values) if values is not None else None
    if isinstance(outcome, Returned) and case.error is None and case.script is None:
        return exercise.signature.parsed_returns, case.expected, outcome.value
    return None


def _checked(exercise: Exercise, case: Case, value: Any, checker: Checker) -> Mismatch | None:
    """The declared type first, then the author's own rule."""
    declared = exercise.signature.parsed_returns
    try:
        fitted = match(declared, value, dict(case.dims), "your answer")
    except ValueError as error:
        step = "type" if value is None or not hasattr(value, "shape") else "shape"
        return Mismatch(step, f"Expected {declared}: {error}.", str(declared), describe(value))
    sentence = checker.sentence(case, fitted)
    return Mismatch("closeness", sentence, None, None) if sentence is not None else None
