"""The input that tells a surviving mutant from the reference, made small, and written as a case for cases.py.

try_mutants has found such an input among those that it derived from the cases; it may be as large as a case is. Here it
is made smaller, in a bounded number of draws: dimensions cut, numbers rounded, as long as both still differ on it.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from itertools import islice
from typing import Any

import numpy as np

from graders.boxes.pool import Judge
from graders.boxes.reply import CallOutcome
from graders.exercise.built import NoAnswer, answer_of
from graders.exercise.cases import Case, fit
from graders.exercise.checker import checker_of
from graders.exercise.definition import BrokenExercise, Exercise, Source
from graders.exercise.runs import run
from graders.exercise.signature import Array, Scalar
from graders.frameworks import compiles
from graders.proof.mutants import Found, Mutant
from graders.proof.report import Telling, shown_expected, shown_inputs, shown_outcome
from graders.reasons.answers import share

ROUNDS = 3
COMPILED_ROUNDS = 1
DRAWS = 16  # of each round: inputs that are smaller than the one before
COMPILED_DRAWS = 4  # each is a shape that JAX compiles
DIGITS = (0, 1, 3)
MAX_CHARACTERS = 1_500  # of a case that somebody reads and copies
LINE = 100


def telling_of(judge: Judge, exercise: Exercise, mutant: Mutant, found: Found, *, in_small: bool = True) -> Telling:
    """`in_small`: made smaller first. Raises BoxLost, JudgeUnavailable."""
    case, outcome = found.case, found.outcome
    if in_small and case.script is None and found.beyond:
        for _ in range(COMPILED_ROUNDS if compiles(exercise.reference.framework) else ROUNDS):
            smaller = _smaller(judge, exercise, mutant, case)
            if smaller is None:
                break
            case, outcome = smaller
    actual, words = shown_outcome(exercise, case, outcome)
    snippet = snippet_of(exercise, case, f"line {mutant.line} of the reference")
    inputs, expected = shown_inputs(exercise, case.inputs), shown_expected(exercise, case)
    return Telling(inputs, expected, actual, words, snippet, case.script)


def _smaller(judge: Judge, exercise: Exercise, mutant: Mutant, case: Case) -> tuple[Case, CallOutcome] | None:
    """A smaller input on which they differ by more than the tolerance, with what the mutant came to."""
    most = COMPILED_DRAWS if compiles(exercise.reference.framework) else DRAWS
    drawn: list[Mapping[str, Any]] = [*islice(_candidates(exercise, case), most)]
    if not drawn:
        return None
    mutated = Source("reference.py", mutant.text, exercise.reference.framework)
    with (
        closing(run(judge, exercise, exercise.reference, drawn)) as right,
        closing(run(judge, exercise, mutated, drawn)) as wrong,
        checker_of(judge, exercise) or nullcontext() as checker,
    ):
        for inputs, answer, outcome in zip(drawn, right, wrong, strict=True):
            fitted, dims = fit(exercise, inputs)
            try:
                expected, error = answer_of(exercise, dims, answer)
                smaller = Case(case.name, False, fitted, dims, expected, error)
                if share(exercise, smaller, answer, checker) <= 1 < share(exercise, smaller, outcome, checker):
                    return smaller, outcome
            except (ValueError, NoAnswer, BrokenExercise):
                continue
    return None


def _candidates(exercise: Exercise, case: Case) -> Iterator[dict[str, Any]]:
    """Inputs that are shorter to write, the shortest first: each fits the signature."""
    length = _length(case.inputs)
    changed = [*_resized(exercise, case), *_shortened(case.inputs), *_rounded(case.inputs)]
    for inputs in sorted(changed, key=_length):
        try:
            fitted, _ = fit(exercise, inputs)
        except ValueError:
            continue
        if _length(fitted) < length:
            yield fitted


def _resized(exercise: Exercise, case: Case) -> Iterator[dict[str, Any]]:
    """One dimension cut to each size, from either end; then all of them at once."""
    parameters = [one for one in exercise.signature.parameters if one.name in case.inputs]
    arrays = {one.name: one.parsed.dims for one in parameters if isinstance(one.parsed, Array)}
    names = sorted({dim for dims in arrays.values() for dim in dims if dim.isidentifier()} & case.dims.keys())
    whole = {one.name for one in parameters if one.parsed == Scalar("int")}
    for size in (1, 2, 3, 4):
        for chosen in ({name} for name in names):
            yield from _cut_to(case, arrays, whole, chosen, size)
        if len(names) > 1:
            yield from _cut_to(case, arrays, whole, set(names), size)


def _cut_to(
    case: Case, arrays: Mapping[str, Sequence[str]], whole: set[str], chosen: set[str], size: int
) -> Iterator[dict[str, Any]]:
    for is_end in (False, True):
        inputs = dict(case.inputs)
        for name, dims in arrays.items():
            for axis, dim in enumerate(dims):
                if dim in chosen and case.dims[dim] > size:
                    at = np.arange(case.dims[dim])[-size:] if is_end else np.arange(size)
                    inputs[name] = np.take(inputs[name], at, axis=axis)
        for name in whole & chosen:
            inputs[name] = min(size, case.dims[name])
        yield inputs


def _shortened(inputs: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """One text or list cut to half, from either end, or to one of its first items."""
    for name, value in inputs.items():
        if isinstance(value, str | list) and len(value) > 1:
            half = len(value) // 2
            for shorter in (value[:half], value[half:], value[:1], value[1:], value[:-1], value[-1:]):
                yield {**inputs, name: shorter}


def _rounded(inputs: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for digits in DIGITS:
        yield {name: _to(value, digits) for name, value in inputs.items()}


def _to(value: Any, digits: int) -> Any:
    match value:
        case np.ndarray() if value.dtype.name in ("float16", "float32", "float64"):
            return np.round(value, digits) + value.dtype.type(0)  # no minus zero
        case float() if math.isfinite(value):
            return round(value, digits) + 0.0
        case list() | tuple():
            return type(value)(_to(item, digits) for item in value)
        case dict():
            return {key: _to(item, digits) for key, item in value.items()}
    return value


def _length(inputs: Mapping[str, Any]) -> int:
    return sum(len(code_of(value)) for value in inputs.values())


# ------------------------------------------------------------------ as Python


def snippet_of(exercise: Exercise, case: Case, about: str) -> str | None:
    """A line for `hidden_cases`; None for a script, and for what nobody would want to read."""
    if case.script is not None:
        return None
    items = [f'"{name}": {code_of(value, LINE - 20 - len(name))}' for name, value in case.inputs.items()]
    one = ", ".join(items)
    inputs = f"{{{one}}}" if len(one) < LINE - 20 and "\n" not in one else "{\n" + "".join(
        f"        {item.replace(chr(10), chr(10) + ' ' * 8)},\n" for item in items
    ) + "    }"  # fmt: skip
    if len(inputs) > MAX_CHARACTERS:
        return None
    needed = "" if re.search(r"^import numpy as np\b", exercise.cases.text, re.M) else "# needs: import numpy as np\n"
    return f'{needed}    yield "{about}", {inputs}\n'


def code_of(value: Any, width: int = LINE) -> str:
    """Python that makes this value, with NumPy as `np`."""
    match value:
        case np.ndarray():
            dtype = "bool" if value.dtype.name == "bool" else f"np.{value.dtype.name}"
            if not value.size:
                return f"np.zeros({value.shape}, {dtype})"
            return f"np.array({_nested(value, width, 10)}, {dtype})"
        case float() if not math.isfinite(value):
            return f'float("{value}")'
        case list():
            return f"[{', '.join(map(code_of, value))}]"
        case tuple():
            return f"({', '.join(map(code_of, value))}{',' * (len(value) == 1)})"
        case dict():
            return f"{{{', '.join(f'{code_of(key)}: {code_of(item)}' for key, item in value.items())}}}"
        case set() if value:
            return f"{{{', '.join(sorted(map(code_of, value)))}}}"
    return repr(value)


def _nested(array: Any, width: int, indent: int) -> str:
    if not array.ndim:
        return _number(array)
    parts = [_nested(part, width, indent + 1) for part in array]
    line = f"[{', '.join(parts)}]"
    if array.ndim == 1 or (len(line) <= width and "\n" not in line):
        return line
    between = ",\n" + " " * indent
    return f"[{between.join(parts)}]"


_SPECIAL: Mapping[str, str] = {"nan": "np.nan", "inf": "np.inf", "-inf": "-np.inf"}


def _number(number: Any) -> str:
    """In as many digits as tell it from its neighbours of its own dtype."""
    text = str(number.astype(np.float32) if number.dtype.name == "bfloat16" else number)
    if number.dtype.kind == "c":
        return repr(number.item())
    return _SPECIAL.get(text, text)
