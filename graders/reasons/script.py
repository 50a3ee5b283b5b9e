"""Scripts: expected steps against the student's, and how both are shown.

A step is the value of one expression statement, or the exception that ends the script. What holds for a value returned
holds for each step's value, with the type that the expected value shows. Where the reference's own value cannot leave
the box (an object of a class of its own), the student's is not compared either.
"""

import ast
import math
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from graders.boxes.reply import Raised, Step, raised_from
from graders.exercise.limits import Tolerance
from graders.exercise.signature import ANY, describe
from graders.reasons.compare import compare, odd_return, share_of_tolerance, shown
from graders.verdict import Mismatch

MAX_CHARACTERS = 1_500


def compare_steps(
    script: str, expected: Sequence[Step], actual: Sequence[Step], tolerance: Tolerance, messages: bool
) -> Mismatch | Raised | None:
    """The first step that differs: a mismatch, or the exception that is not the expected answer. None if all agree.

    `messages`: an expected exception must have the reference's text too.
    """
    for planned, step in zip_longest(expected, actual):
        if step is not None and step[1] == "raised" and (planned is None or planned[1] != "raised"):
            return raised_from(step[2])
        difference = _difference(planned, step, tolerance, messages)
        if isinstance(difference, Mismatch):
            statement = _statement(script, planned[0]) if planned is not None else ""
            text = f"`{statement}`: {difference.text}" if statement else difference.text
            return Mismatch(difference.step, text, difference.expected, difference.actual, difference.index)
        if difference is not None:
            return difference
    return None


def steps_share(expected: Sequence[Step], actual: Sequence[Step], tolerance: Tolerance, messages: bool) -> float:
    """The largest part of the tolerance that any step uses; infinite for any other difference."""
    if len(expected) != len(actual):
        return math.inf
    most = 0.0
    for planned, step in zip(expected, actual, strict=True):
        if step[1] == "raised" and planned[1] != "raised":
            return math.inf
        if planned[1] == step[1] == "value":
            most = max(most, share_of_tolerance(planned[2], step[2], ANY, {}, tolerance))
        elif _difference(planned, step, tolerance, messages) is not None:
            return math.inf
    return most


def first_different(expected: Sequence[Step], actual: Sequence[Step], tolerance: Tolerance) -> tuple[Any, Any] | None:
    """Expected and actual value of the first step whose values differ; None where it is not about two values."""
    for planned, step in zip(expected, actual, strict=False):
        if planned[1] == "odd":
            continue
        if planned[1] != "value" or step[1] != "value":
            return None
        if compare(planned[2], step[2], ANY, {}, tolerance) is not None:
            return planned[2], step[2]
    return None


def transcript(script: str, steps: Sequence[Step]) -> str:
    """The script as Python's prompt shows it: `>>> a.balance`, and below it `5`."""
    by_line = {line: (kind, value) for line, kind, value in steps}
    lines: list[str] = []
    for statement in ast.parse(script).body:
        source = ast.get_source_segment(script, statement) or ""
        first, *rest = source.split("\n")
        lines += [f">>> {first}", *(f"... {line}" for line in rest)]
        if statement.lineno in by_line:
            kind, value = by_line[statement.lineno]
            lines += _result(kind, value)
        if by_line.get(statement.lineno, ("", None))[0] == "raised":
            break
    text = "\n".join(lines)
    return text if len(text) <= MAX_CHARACTERS else f"{text[:MAX_CHARACTERS]} …"


def _result(kind: str, value: Any) -> Iterator[str]:
    if kind == "odd":
        yield f"({value})"
    elif kind == "raised":
        yield f"{value['type']}: {value['message']}" if value.get("message") else str(value["type"])
    elif value is not None:
        yield shown(value)


def _difference(
    planned: Step | None, step: Step | None, tolerance: Tolerance, messages: bool
) -> Mismatch | Raised | None:
    if planned is None:
        return Mismatch("type", "Your program answered after the script's end.", None, None)
    if step is None:
        return Mismatch("type", "The script ended early.", None, None)
    match planned[1], step[1]:
        case "raised", "raised":
            return _other_error(planned[2], raised_from(step[2]), messages)
        case "raised", _:
            yours = step[2] if step[1] == "odd" else describe(step[2])
            name = planned[2]["type"]
            return Mismatch("type", f"expected {name} to be raised, yours is {yours}.", name, yours)
        case "value", "odd":
            return odd_return(step[2], ANY)
        case "value", "value":
            return compare(planned[2], step[2], ANY, {}, tolerance)
    return None


def _other_error(planned: dict[str, Any], error: Raised, messages: bool) -> Mismatch | Raised | None:
    return wrong_error(planned["type"], planned["message"], error, messages)


def wrong_error(name: str, message: str, error: Raised, messages: bool) -> Mismatch | Raised | None:
    """None where `error` is the expected exception; the exception itself where it is of another type."""
    if not error.is_a(name):
        return error
    if messages and error.message != message:
        text = f"{name} is right, with the message {message!r}; yours is {error.message!r}."
        return Mismatch("type", text, message, error.message)
    return None


def _statement(script: str, line: int) -> str:
    statement = next((node for node in ast.parse(script).body if node.lineno == line), None)
    source = (ast.get_source_segment(script, statement) or "") if statement is not None else ""
    return " ".join(source.split())[:120]
