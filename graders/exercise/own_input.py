"""A student's own input: literals, read as the signature declares them and never evaluated."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from graders.boxes.pool import Judge
from graders.boxes.reply import (
    Raised,
    ended_by,
    why_not_done,
)
from graders.exercise.built import NoAnswer, answer_of
from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.exercise.dims import Dims, dim_size
from graders.exercise.literal import WIDEST, example
from graders.exercise.literal_reader import holds_floats, not_finite, read_literal
from graders.exercise.runs import run
from graders.exercise.signature import (
    Array,
    Dict,
    List,
    Misfit,
    Parameter,
    Record,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
    float_of,
    match,
)
from graders.inside import wire

MAX_INPUT_CHARACTERS = 65_536


def own_case(judge: Judge, exercise: Exercise, literals: Mapping[str, Any]) -> Case:
    """A case of the student's own input: `{name: literal}`, where a literal is text or plain JSON.

    Raises ValueError, in words for the student; BrokenExercise where the reference fails on any input.
    """
    inputs = read_inputs(exercise, literals)
    dims = exercise.signature.bind(inputs)
    (outcome,) = run(judge, exercise, exercise.reference, [inputs])
    try:
        answer, expected_error = answer_of(exercise, dims, outcome)
    except ValueError as error:  # the author did not think of this input
        raise ValueError(f"The reference has no answer for this input ({error}).") from None
    except NoAnswer:
        why = outcome.type if isinstance(outcome, Raised) else ended_by(outcome) or why_not_done(outcome)
        raise ValueError(f"The reference has no answer for this input ({why}).") from None
    return Case("your input", True, inputs, dims, answer, expected_error, own=True)


def read_inputs(exercise: Exercise, literals: Mapping[str, Any]) -> dict[str, Any]:
    """The student's literals as values of the signature's types. Nothing is evaluated. Raises ValueError."""
    if exercise.is_scripted:
        # attack: a script of a student's own, run beside the reference, prints the reference's source.
        # defence: only the exercise's own scripts are run
        raise ValueError("This exercise has no inputs to change: its cases are scripts.")
    names = [parameter.name for parameter in exercise.signature.parameters]
    for name in literals:
        if name not in names:
            raise ValueError(f"There is no input {name!r}; the inputs are {', '.join(names)}.")
    inputs = {}
    for parameter in exercise.signature.parameters:
        if parameter.has_default and literals.get(parameter.name, "") == "":
            continue
        if parameter.name not in literals:
            raise ValueError(f"The input {parameter.name!r} ({parameter.type}) is missing.")
        inputs[parameter.name] = _literal(parameter.name, parameter.parsed, literals[parameter.name])
    return exercise.signature.fit(inputs)[0]


def input_faults(exercise: Exercise, literals: Mapping[str, Any]) -> dict[str, str]:
    """By argument, what is wrong with a student's literal, and an example of a right one. Empty if all can be read."""
    faults: dict[str, str] = {}
    dims: Dims = {}
    fixed_by: dict[str, str] = {}  # dimension → the argument that fixed its size
    for parameter in exercise.signature.parameters:
        if parameter.has_default and literals.get(parameter.name, "") == "":
            continue
        bound = dict(dims)
        try:
            value = _literal(parameter.name, parameter.parsed, literals.get(parameter.name, ""))
            match(parameter.parsed, value, bound, parameter.name)
        except (ValueError, RecursionError, MemoryError) as error:
            faults[parameter.name] = _fault(parameter, error, fixed_by)
            continue
        fixed_by |= dict.fromkeys(bound.keys() - dims.keys(), parameter.name)
        dims = bound
    return faults


def _fault(parameter: Parameter, error: Exception, fixed_by: Mapping[str, str]) -> str:
    name = parameter.name
    if not isinstance(error, Misfit):
        message = str(error).rstrip(".") or f"{name} is nested too deep"
        return f"{message}. For example: {example(parameter.parsed)}"
    if error.dim.isdigit():
        return f"Axis {error.axis} of {name} has {error.size} entries; {parameter.type} wants {error.expected}."
    if error.dim not in fixed_by:
        return f"{error.dim} is {error.expected}, but axis {error.axis} of {name} has {error.size} entries."
    return f"{error.dim} is {error.expected} in {fixed_by[error.dim]} but {error.size} in {name}."


def _literal(name: str, declared: Type, literal: Any) -> Any:
    value = literal
    if isinstance(literal, str) and declared != Scalar("str"):
        if len(literal) > MAX_INPUT_CHARACTERS:
            raise ValueError(f"{name} is longer than {MAX_INPUT_CHARACTERS} characters.")
        try:
            value = read_literal(literal)
        except ValueError as error:
            if not _takes_text(declared):
                raise ValueError(f"{name} {error}.") from None
        if _takes_text(declared) and not holds_floats(declared) and [*not_finite(value)]:
            value = literal  # a word, such as a name that is `nan`
    return _typed(name, declared, value)


def _takes_text(declared: Type) -> bool:
    """Whether a text without quotes may be meant: for `str | None`."""
    return isinstance(declared, Union) and Scalar("str") in declared.options


def _typed(name: str, declared: Type, value: Any) -> Any:
    _require_holdable(name, declared, value)
    if isinstance(declared, Array):
        if isinstance(value, str | bytes | dict | set) or value is None:
            raise ValueError(f"{name} must be nested lists of numbers, for {declared}.")
        try:
            with np.errstate(all="ignore"):
                array = np.array(value, dtype=wire.dtype_of(WIDEST.get(declared.dtype, declared.dtype)))
        except (ValueError, TypeError, OverflowError):
            raise ValueError(f"{name} must be nested lists of numbers, all rows alike, for {declared}.") from None
        _require_kept(name, declared, value, array)
        if array.size == 0 and len(declared.dims) > 1:
            sizes = [dim_size(dim, {}) or 0 for dim in declared.dims]
            array = array.reshape(sizes) if 0 in sizes else array
        return array
    if isinstance(declared, Tuple) and isinstance(value, list | tuple) and len(value) == len(declared.items):
        return tuple(_typed(name, type_, item) for type_, item in zip(declared.items, value, strict=True))
    if isinstance(declared, List) and isinstance(value, list | tuple):
        return [_typed(name, declared.item, item) for item in value]
    if isinstance(declared, Set) and isinstance(value, set):
        return {_typed(name, declared.item, item) for item in value}
    if isinstance(declared, Dict) and isinstance(value, dict):
        return {_typed(name, declared.key, key): _typed(name, declared.value, item) for key, item in value.items()}
    if isinstance(declared, Record) and isinstance(value, dict):
        types = dict(declared.fields)
        return {key: _typed(name, types[key], item) if key in types else item for key, item in value.items()}
    if isinstance(declared, Union):
        return _alternative(name, declared, value)
    if declared == Scalar("float") and type(value) is int:
        return float_of(value, name)
    return value


def _alternative(name: str, declared: Union, value: Any) -> Any:
    """The value as the first alternative that takes it."""
    for option in declared.options:
        try:
            return match(option, _typed(name, option, value), {}, name)
        except ValueError:
            continue
    return value


def _require_holdable(name: str, declared: Type, value: Any) -> None:
    """Raises ValueError for infinity or NaN where no float is declared: as an array's entry, or by itself."""
    if not isinstance(declared, Array) and isinstance(value, list | tuple):
        return  # its items are looked at one by one
    number = None if holds_floats(declared) else next(not_finite(value), None)
    if number is None:
        return
    kind = declared.dtype if isinstance(declared, Array) else str(declared)
    allowed = "True or False" if kind == "bool" else "whole numbers" if "int" in kind else "no floats"
    raise ValueError(f"{name} holds {number}, and {declared} takes {allowed}.")


def _require_kept(name: str, declared: Array, value: Any, array: "np.ndarray[Any, Any]") -> None:
    """Raises ValueError where conversion to whole numbers or truth values changed a number: 0.5 is not 0."""
    if array.dtype.kind not in "iub" or array.size == 0:
        return
    numbers = np.array(value, dtype=object).ravel()
    changed = next(
        (number for number, converted in zip(numbers, array.ravel(), strict=True) if number != converted), None
    )
    if changed is not None:
        allowed = "True or False" if array.dtype.kind == "b" else "whole numbers"
        raise ValueError(f"{name} holds {changed!r}, and {declared} takes {allowed}.")
