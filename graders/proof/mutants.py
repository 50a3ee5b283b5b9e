"""Mutants of the reference, and which of them the cases let live.

A mutant is the reference with one small change, such as a student might make: `axis=-1` for `axis=0`, `[:T - 1]` for
`[:T]`, sin for cos. Cases that accept it would accept the student too. `mutants_of` makes them, in the author's own
text; `try_mutants` runs them in boxes, on the cases, and judges them as submissions are judged (compare.py).

Killed       some case rejects it: another value, an exception, no end. A mutant that loops has five times the
             reference's own processor time, not the whole limit.
Equivalent   it lives, and gives the reference's answer on every further input that we could think of: the generators
             of cases.py under other seeds, and the cases' own inputs with their values drawn again (those within
             lists, tuples, dicts and texts too) and their dimensions resized, there to a hundredth of the tolerance;
             and, there within the tolerance, with their numbers enlarged and with the reference's own constants among
             them. Such a change is none.
Argued       it lives, and the author says why that must be, in a comment on its line or the line above:
             `# mutants: rows beyond T are never read`. Shown with its argument; out of the score, as an equivalent is.
Surviving    everything else. Shown as a diff, with the case that came nearest to telling it apart.

The score is killed / (all - equivalent - argued). Mutants of one reference share two boxes, which have then compiled
each shape. What earlier ones left there is not held against the next: one that runs out of memory or of time, or ends
such a box, is tried again in a box of its own.
"""

import ast
import io
import math
import re
import threading
import time
import tokenize
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from graders.boxes.pool import Judge
from graders.boxes.reply import CallOutcome, Stopped, is_out_of_memory
from graders.boxes.sandbox import Box, BoxLost
from graders.exercise.built import NoAnswer, answer_of
from graders.exercise.cases import Case, fit, warmth_of
from graders.exercise.checker import checker_of
from graders.exercise.definition import BrokenExercise, Exercise, Source
from graders.exercise.runs import Measurement, inputs_of, run
from graders.exercise.signature import Array, Scalar, Type
from graders.frameworks import compiles
from graders.inside import wire
from graders.reasons.answers import share

T = TypeVar("T")
Change = tuple[str, int, int, int, str]  # operator, line, the bytes from start to end, and what to put there

MAX_MUTANTS = 300
SEEDS = 20  # of the generators, for inputs that tell a survivor from an equivalent
VARIATIONS = 6  # of each case's inputs, for the same
LEAST_INPUTS, MAX_INPUTS = 30, 150  # between them as many as the reference answers in
PROBING_SECONDS = 15.0
MAX_NEW_SHAPES = 12  # each costs JAX a compilation
ENLARGED = 100.0
MAX_TEXTS = 8  # of the reference's own that take the place of an input, one after the other
LONGEST_TEXT = 20  # of the reference's own that may stand among the values: longer ones are docstrings
EQUIVALENT = 0.01  # of the tolerance
LEAST_SECONDS = 0.5  # of processor time that any mutant may take, to load and for each call
LANES = 2  # boxes side by side
SILENT_SECONDS = 5.0  # between two lines of progress
TRIES = 3  # boxes lost by no fault of the mutant's


@dataclass(frozen=True)
class Mutant:
    """One change: what kind it is, the line it starts on, the whole mutated text, and the change as `-`/`+` lines."""

    operator: str
    line: int
    text: str
    diff: str


@dataclass(frozen=True)
class Found:
    """An input, with the reference's answer to it, and what a mutant came to; `beyond`: they differ by more than the
    tolerance."""

    case: Case
    outcome: CallOutcome
    beyond: bool


@dataclass(frozen=True)
class Survivor:
    """A mutant that no case rejects. `share`: of the tolerance, that it used on the case that came nearest to it.

    `found` is another input that does tell it apart. `argument`: the author's.
    """

    mutant: Mutant
    nearest: str
    share: float
    found: Found
    argument: str | None = None

    @property
    def told_by(self) -> str:
        return self.found.case.name

    @property
    def beyond(self) -> bool:
        return self.found.beyond


@dataclass(frozen=True)
class Trial:
    mutants: int
    killed: int
    survivors: tuple[Survivor, ...]
    argued: tuple[Survivor, ...]
    equivalents: tuple[Mutant, ...]
    inputs: int  # that the equivalents were tried on beside the cases
    stale: tuple[int, ...] = ()  # lines whose argument speaks of no survivor

    @property
    def counted(self) -> int:
        """Those that could be killed."""
        return self.mutants - self.excluded

    @property
    def score(self) -> float | None:
        """Killed of those that could be; None where there is none, which says nothing about the cases."""
        return self.killed / self.counted if self.counted else None

    @property
    def excluded(self) -> int:
        return len(self.equivalents) + len(self.argued)


# ------------------------------------------------------------------ trying them


@dataclass(frozen=True)
class _Probe:
    """A further input with the reference's answer; `far`: with numbers that no case of the author's holds."""

    case: Case
    far: bool


def try_mutants(
    judge: Judge,
    exercise: Exercise,
    cases: Sequence[Case],
    reference: Measurement,
    say: Callable[[str], None] = lambda line: None,
) -> Trial:
    """Run every mutant of the reference. `reference`: how it did itself on these cases. `say`: how far this is.

    Raises BoxLost, JudgeUnavailable.
    """
    mutants = mutants_of(exercise.reference.text)
    slowest_ms = max(reference.calls_ms, default=0.0)
    seconds = min(exercise.limits.cpu_seconds, max(LEAST_SECONDS, 5 * max(slowest_ms, reference.load_ms) / 1000))
    # By the processor, not by the clock: on a busy machine a slow equivalent would pass for one that was killed.
    limits = replace(exercise.limits, cpu_seconds=seconds)
    hurried = replace(exercise, limits=limits)
    lanes = [_Lane(judge, hurried, cases) for _ in range(LANES)]
    try:
        with ThreadPoolExecutor(LANES) as side_by_side:
            on_cases = _each(side_by_side, lanes, mutants, lambda lane, mutant: lane.reach(mutant, cases))
            reach: dict[Mutant, Any] = dict(_counted(on_cases, len(mutants), "mutants tried on the cases", say))
            alive = [mutant for mutant in mutants if reach[mutant] is not None]
            most = int(max(LEAST_INPUTS, min(MAX_INPUTS, PROBING_SECONDS * 1000 / max(slowest_ms, 1.0))))
            probes = _probes(judge, exercise, lanes[0], cases, most) if alive else []
            on_probes = _each(side_by_side, lanes, alive, lambda lane, mutant: lane.told_by(mutant, probes))
            outcomes: dict[Mutant, Any] = dict(_counted(on_probes, len(alive), "that live, on further inputs", say))
    finally:
        for lane in lanes:
            lane.close()
            if lane.checker is not None:
                lane.checker.close()
    arguments = arguments_of(exercise.reference.text)
    found: list[Survivor] = []
    for mutant in alive:
        if outcomes[mutant] is not None:
            nearest, used = reach[mutant]
            found.append(Survivor(mutant, nearest, used, outcomes[mutant], arguments.get(mutant.line)))
    equivalents = tuple(mutant for mutant in alive if outcomes[mutant] is None)
    return Trial(
        mutants=len(mutants),
        killed=len(mutants) - len(alive),
        survivors=tuple(one for one in found if one.argument is None),
        argued=tuple(one for one in found if one.argument is not None),
        equivalents=equivalents,
        inputs=len(probes),
        stale=_stale(exercise.reference.text, {mutant.line for mutant in alive}),
    )


def _counted(
    done: Iterator[T],
    total: int,
    what: str,
    say: Callable[[str], None],
    *,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[T]:
    """A line now and then: enough for a person who waits, and few in a log."""
    next_at = clock() + SILENT_SECONDS
    for count, one in enumerate(done, 1):
        yield one
        if clock() >= next_at:
            say(f"{count} of {total} {what}")
            next_at = clock() + SILENT_SECONDS


def _each(side_by_side: ThreadPoolExecutor, lanes: list["_Lane"], mutants: list[Mutant], ask: Any) -> Iterator[Any]:
    """What `ask` says of each mutant, in its order; each lane takes the next one when it is done with its own."""
    idle = list(lanes)
    guard = threading.Lock()

    def one(mutant: Mutant) -> tuple[Mutant, Any]:
        with guard:
            lane = idle.pop()
        try:
            return mutant, ask(lane, mutant)
        finally:
            with guard:
                idle.append(lane)

    yield from side_by_side.map(one, mutants)


class _Lane:
    """A box that serves one mutant after another, replaced when one breaks it."""

    def __init__(self, judge: Judge, exercise: Exercise, cases: Sequence[Case]) -> None:
        self.judge, self.exercise = judge, exercise
        self.warmth = warmth_of(exercise, cases, exercise.reference.framework)
        self.checker = checker_of(judge, exercise)
        self.box: Box | None = None
        self.served = 0  # texts that this box has run

    def reach(self, mutant: Mutant, cases: Sequence[Case]) -> tuple[str, float] | None:
        """None for a mutant that some case rejects; else the case that came nearest, and its share of the tolerance."""
        nearest, most = cases[0].name, 0.0
        for case, outcome in zip(cases, self.outcomes(mutant.text, [case.inputs for case in cases]), strict=False):
            used = share(self.exercise, case, outcome, self.checker)
            if used > 1:
                return None
            if used > most:
                nearest, most = case.name, used
        return nearest, most

    def told_by(self, mutant: Mutant, probes: Sequence[_Probe]) -> Found | None:
        """The first input on which the mutant is not the reference, if possible beyond the tolerance; or None."""
        within = None
        outcomes = self.outcomes(mutant.text, [probe.case.inputs for probe in probes])
        for probe, outcome in zip(probes, outcomes, strict=False):
            used = share(self.exercise, probe.case, outcome, self.checker)
            if used > 1:
                return Found(probe.case, outcome, True)
            if used > EQUIVALENT and not probe.far and within is None:
                within = Found(probe.case, outcome, False)
        return within

    def outcomes(self, text: str, inputs: list[Mapping[str, Any]]) -> Iterator[CallOutcome]:
        """What the text comes to on each input, as far as anybody asks; ends after one that broke the box."""
        source = Source("reference.py", text, self.exercise.reference.framework)
        done = lost = 0
        self.served += 1
        while done < len(inputs):
            try:
                if self.box is None:
                    self.box, self.served = self.judge.take(source.framework, warmth=self.warmth), 1
                for outcome in run(self.judge, self.exercise, source, inputs[done:], self.box):
                    is_stopped = isinstance(outcome, Stopped)
                    if self.served > 1 and (is_stopped or is_out_of_memory(outcome)):
                        self.close()
                        break
                    done += 1
                    if is_stopped:
                        self.close()
                        yield outcome
                        return
                    yield outcome
            except BoxLost:
                self.close()
                lost += 1
                if lost == TRIES:
                    raise

    def close(self) -> None:
        if self.box is not None:
            self.box.close()
            self.box = None


# ------------------------------------------------------------------ inputs that tell a survivor from an equivalent


def _probes(judge: Judge, exercise: Exercise, lane: _Lane, cases: Sequence[Case], most: int) -> list[_Probe]:
    """At most so many further inputs that the reference answers as declared; the same ones at each run."""
    seen = {_bytes(case.inputs) for case in cases}
    shapes = {_shape(case.inputs) for case in cases}
    new_shapes = 0
    chosen: list[tuple[str, Mapping[str, Any], bool]] = []
    try:
        drawn = [
            (f"{drawn.name!r} with another seed", drawn.inputs, False)
            for drawn in inputs_of(judge, exercise, range(SEEDS))
        ]
    except BrokenExercise:  # generators that work under their own seed only
        drawn = []
    # In turns, so that generators with many cases leave room for the variations, and the other way round
    for named in _in_turns(drawn, list(_variations(exercise, cases))):
        inputs = named[1]
        try:
            inputs, _ = fit(exercise, inputs)
        except ValueError:
            continue
        if (key := _bytes(inputs)) in seen:
            continue
        if (shape := _shape(inputs)) not in shapes:
            if compiles(exercise.reference.framework) and new_shapes == MAX_NEW_SHAPES:
                continue
            new_shapes += 1
            shapes.add(shape)
        seen.add(key)
        chosen.append(named)
        if len(chosen) == most:
            break
    probes = []
    for (name, inputs, far), outcome in zip(chosen, _all_outcomes(lane, exercise, chosen), strict=True):
        fitted, dims = fit(exercise, inputs)
        try:
            answer, error = answer_of(exercise, dims, outcome)
            case = Case(name, False, fitted, dims, answer, error)
            is_right = share(exercise, case, outcome, lane.checker) <= 1
        except (ValueError, NoAnswer, BrokenExercise):
            continue
        if is_right:  # a checker may reject the reference itself on an input that the statement rules out
            probes.append(_Probe(case, far))
    return probes


def _all_outcomes(
    lane: _Lane, exercise: Exercise, chosen: list[tuple[str, Mapping[str, Any], bool]]
) -> list[CallOutcome]:
    """The reference's on every input, those included that broke a box."""
    done: list[CallOutcome] = []
    while len(done) < len(chosen):
        done += lane.outcomes(exercise.reference.text, [inputs for _, inputs, _ in chosen[len(done) :]])
    return done


def _variations(exercise: Exercise, cases: Sequence[Case]) -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    """The cases' inputs otherwise: values drawn again from what the parameter holds in any case; each named dimension
    longer, shorter or 1; numbers that are not whole enlarged a hundredfold; and the reference's own constants among
    the values, since there a comparison turns."""
    rng = np.random.default_rng(20_261_121)
    constants = _constants(exercise.reference.text)
    texts = [one for one in constants if isinstance(one, str)][:MAX_TEXTS]
    are_arrays = all(isinstance(p.parsed, Array) for p in exercise.signature.parameters)
    pools = {
        parameter.name: [case.inputs[parameter.name] for case in cases if parameter.name in case.inputs]
        for parameter in exercise.signature.parameters
    }
    for turn in range(VARIATIONS):
        for case in (case for case in cases if case.script is None):
            parameters = [p for p in exercise.signature.parameters if p.name in case.inputs]
            again = {
                p.name: _again(p.parsed, case.inputs[p.name], pools[p.name], p.name in case.dims, rng)
                for p in parameters
            }
            yield f"{case.name!r} with other values", again, False
            names = sorted({dim for p in parameters for dim in _dims(p.parsed)} & case.dims.keys())
            if names:
                name = names[int(rng.integers(len(names)))]
                size = case.dims[name]
                other = (1, max(1, size - 1), size + 1, 2 * size)[turn % 4]
                kept = np.sort(rng.integers(0, size, other)) if size else np.zeros(0, np.int64)
                resized = {p.name: _resized(p.parsed, p.name, case.inputs[p.name], name, kept) for p in parameters}
                yield f"{case.name!r} with {name} = {len(kept)}", resized, False
            if turn == 0:
                enlarged = {p.name: _enlarged(case.inputs[p.name]) for p in parameters}
                yield f"{case.name!r} with numbers {ENLARGED:g} times as large", enlarged, True
            for text in texts if turn == 0 else ():
                turning = {name: text if isinstance(value, str) else value for name, value in case.inputs.items()}
                yield f"{case.name!r} with the text {text!r}", turning, True
            for what, change in _TEXT_CHANGES.items() if turn == 0 and str in _leaves(case.inputs.values()) else ():
                changed = {name: _texts_changed(value, change) for name, value in case.inputs.items()}
                yield f"{case.name!r} with its texts {what}", changed, True
            if (turn < 2 or not are_arrays) and constants:
                turning = {p.name: _among(case.inputs[p.name], constants, rng) for p in parameters}
                yield f"{case.name!r} with the reference's constants among its values", turning, True


def _again(declared: Type, value: Any, pool: Sequence[Any], is_dim: bool, rng: Any) -> Any:
    if is_dim or (not isinstance(declared, Array | Scalar) and rng.integers(4) == 0):
        return pool[int(rng.integers(len(pool)))]
    leaves = _leaves(pool)
    return _otherwise(value, leaves if isinstance(declared, Array | Scalar) else _widened(leaves), rng)


def _widened(leaves: dict[type, list[Any]]) -> dict[type, list[Any]]:
    """Where all numbers in the cases are one and the same: its neighbours too."""
    return {
        kind: [one for leaf in found[:1] for one in (leaf - 1, leaf, leaf + 1)]
        if kind in (int, float) and len(set(found)) == 1
        else found
        for kind, found in leaves.items()
    }


def _otherwise(value: Any, leaves: Mapping[type, list[Any]], rng: Any) -> Any:
    """A value with others in its place, at any depth: of a list, items may go or come twice, or be in another order."""
    if isinstance(value, list | tuple) and value:
        items = [_otherwise(item, leaves, rng) for item in value]
        if isinstance(value, tuple):
            return tuple(items)
        turn = int(rng.integers(4))
        if turn == 0:
            return [items[n] for n in rng.permutation(len(items))]
        if turn == 1:
            return [items[n] for n in sorted(rng.integers(0, len(items), int(rng.integers(0, len(items) + 2))))]
        return items
    if isinstance(value, dict):
        keys = _among_keys(list(value), leaves, rng)
        return {key: _otherwise(item, leaves, rng) for key, item in zip(keys, value.values(), strict=True)}
    if isinstance(value, set | frozenset):
        return type(value)(_otherwise(item, leaves, rng) for item in value)
    return _drawn_again(value, leaves, rng)


def _among_keys(keys: list[Any], leaves: Mapping[type, list[Any]], rng: Any) -> list[Any]:
    """The same names, or once in a while others."""
    again = [_drawn_again(key, leaves, rng) for key in keys] if rng.integers(3) == 0 else keys
    return again if len(set(again)) == len(keys) else keys


def _drawn_again(value: Any, leaves: Mapping[type, list[Any]], rng: Any) -> Any:
    """One array, number or text, drawn from what the parameter holds in any case."""
    pool = leaves.get(type(value), [value])
    if isinstance(value, np.ndarray):
        alike = [item.ravel() for item in pool if item.size and item.dtype == value.dtype]
        values = np.concatenate(alike) if alike else value.ravel()
        return rng.choice(values, value.shape) if values.size else value
    if isinstance(value, str):
        return _text_again(value, pool, rng)
    if type(value) is int:
        return int(rng.integers(min(pool), max(pool), endpoint=True))
    if isinstance(value, float) and all(map(math.isfinite, pool)):
        return float(rng.uniform(min(pool), max(pool)))
    return pool[int(rng.integers(len(pool)))]


def _text_again(value: str, pool: list[str], rng: Any) -> str:
    """Another of the texts, or as many of their letters, or this one with a letter more or less."""
    letters = "".join(pool) or "a"
    at = int(rng.integers(len(value) + 1))
    match int(rng.integers(4)):
        case 0:
            return pool[int(rng.integers(len(pool)))]
        case 1:
            return "".join(letters[n] for n in rng.integers(0, len(letters), len(value)))
        case 2:
            return value[:at] + value[at + 1 :]
    return value[:at] + letters[int(rng.integers(len(letters)))] + value[at:]


_TEXT_CHANGES: dict[str, Callable[[str], str]] = {
    "in the other case": str.swapcase,
    "in capitals": str.upper,
    "between spaces": lambda text: f" {text} ",
    "turned round": lambda text: text[::-1],
    "twice": lambda text: text + text,
    "with the words turned round": lambda text: " ".join(reversed(text.split(" "))),
    "empty": lambda text: "",
}


def _texts_changed(value: Any, change: Callable[[str], str]) -> Any:
    return change(value) if isinstance(value, str) else _within(value, lambda item: _texts_changed(item, change))


def _leaves(values: Iterable[Any]) -> dict[type, list[Any]]:
    """The arrays, numbers and texts in values, at any depth, by their type."""
    found: dict[type, list[Any]] = {}
    pending = list(values)
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending += [*value, *value.values()]
        elif isinstance(value, list | tuple | set | frozenset):
            pending += value
        else:
            found.setdefault(type(value), []).append(value)
    return found


def _resized(declared: Type, name: str, value: Any, dim: str, kept: Any) -> Any:
    if isinstance(declared, Array):
        for axis, named in enumerate(declared.dims):
            if named == dim:
                value = np.take(value, kept, axis=axis)
        return value
    return len(kept) if declared == Scalar("int") and name == dim else value


def _enlarged(value: Any) -> Any:
    """Numbers that are not whole, enlarged; whole ones are mostly counts, ids and sizes."""
    if isinstance(value, np.ndarray) and value.dtype.name in ("float32", "float64"):
        finite = value[np.isfinite(value)]
        return value if np.array_equal(finite, np.round(finite)) else (value * ENLARGED).astype(value.dtype)
    if isinstance(value, float) and math.isfinite(value) and value != round(value):
        return value * ENLARGED
    return _within(value, _enlarged)


def _within(value: Any, change: Callable[[Any], Any]) -> Any:
    """A list, tuple or dict with each of its items changed."""
    if isinstance(value, list | tuple):
        return type(value)(map(change, value))
    return {key: change(item) for key, item in value.items()} if isinstance(value, dict) else value


def _among(value: Any, constants: list[Any], rng: Any) -> Any:
    """Half of the numbers and texts, a third of an array's, replaced by the reference's own constants if they fit."""
    if isinstance(value, list | tuple | dict):
        return _within(value, lambda item: _among(item, constants, rng))
    numbers = [one for one in constants if isinstance(one, float)]
    if isinstance(value, str | int | float) and not isinstance(value, bool) and rng.random() < 1 / 2:
        alike = [one for one in constants if isinstance(one, str)] if isinstance(value, str) else numbers
        whole = [int(one) for one in numbers if one == int(one)] if isinstance(value, int) else alike
        return whole[int(rng.integers(len(whole)))] if whole else value
    return _array_among(value, numbers, rng) if numbers else value


def _array_among(value: Any, constants: list[float], rng: Any) -> Any:
    """A third of an array's numbers replaced by constants that its dtype can hold."""
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "iuf":
        return value
    with np.errstate(all="ignore"):
        drawn = rng.choice(constants, value.shape)
        cast = drawn.astype(value.dtype)
    chosen = (rng.random(value.shape) < 1 / 3) & np.isfinite(drawn)
    if value.dtype.kind != "f":
        chosen &= cast.astype(np.float64) == drawn
    return np.where(chosen, cast, value)


def _constants(source: str) -> list[Any]:
    """The numbers that stand in a text, and their negatives, in order; then its short texts."""
    values = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    found = {float(one) for one in values if isinstance(one, int | float) and abs(one) < 1e300}
    texts = {one for one in values if isinstance(one, str) and len(one) <= LONGEST_TEXT}
    return [*sorted(found | {-one for one in found}), *sorted(texts)]


def _dims(declared: Type) -> Iterator[str]:
    if isinstance(declared, Array):
        yield from (dim for dim in declared.dims if dim.isidentifier())


def _in_turns(*lists: list[Any]) -> Iterator[Any]:
    for n in range(max(map(len, lists))):
        yield from (items[n] for items in lists if n < len(items))


def _bytes(inputs: Mapping[str, Any]) -> bytes:
    return wire.encode({name: inputs[name] for name in sorted(inputs)})


def _shape(inputs: Mapping[str, Any]) -> str:
    """What JAX compiles again for: shapes, and integers, which often are sizes."""

    def text_of(value: Any) -> str:
        if isinstance(value, np.ndarray):
            return f"{value.shape}"
        if isinstance(value, tuple | list):
            return f"({','.join(map(text_of, value))})"
        return str(value) if isinstance(value, int) and abs(value) < 1_000 else ""

    return ";".join(f"{name}{text_of(inputs[name])}" for name in sorted(inputs))


# ------------------------------------------------------------------ the author's arguments

_ARGUMENT = re.compile(r"#\s*mutants:\s*(\S.*?)\s*$")


def arguments_of(source: str) -> dict[int, str]:
    """By the line spoken of: the comment's own, or the next where the comment stands alone."""
    return {line: text for line, text, _ in _comments(source)}


def _stale(source: str, lines: set[int]) -> tuple[int, ...]:
    return tuple(own for line, _, own in _comments(source) if line not in lines)


def _comments(source: str) -> Iterator[tuple[int, str, int]]:
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and (found := _ARGUMENT.match(token.string)):
            own = token.start[0]
            alone = lines[own - 1].lstrip().startswith("#")
            yield own + alone, found[1], own


# ------------------------------------------------------------------ making them


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "//"), ast.Pow: ("**", "*"), ast.MatMult: ("@", "*"), ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"), ast.BitXor: ("^", "|"), ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
}  # fmt: skip
_ONE_SIDED = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult)
_COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")), ast.LtE: ("<=", ("<", ">")), ast.Gt: (">", (">=", "<=")), ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)), ast.NotEq: ("!=", ("==",)), ast.Is: ("is", ("is not",)), ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)), ast.NotIn: ("not in", ("in",)),
}  # fmt: skip
_PAIRS = (
    "sin cos", "sinh cosh", "tan tanh", "arcsin arccos", "min max", "amin amax", "minimum maximum", "fmin fmax",
    "nanmin nanmax", "argmin argmax", "sum mean", "nansum nanmean", "prod sum", "mean median", "exp expm1",
    "log log1p", "log2 log10", "logaddexp maximum", "zeros ones", "zeros_like ones_like", "floor ceil", "round floor",
    "tril triu", "tril_indices triu_indices", "any all", "std var", "sqrt square", "rsqrt sqrt", "cumsum cumprod",
    "normal uniform", "standard_normal random", "add subtract", "multiply divide", "hstack vstack", "repeat tile",
    "logical_and logical_or", "sigmoid tanh", "softmax log_softmax", "relu gelu", "sort argsort", "abs square",
    "greater greater_equal", "less less_equal", "rfft fft", "fft ifft", "float64 float32", "float32 float16",
    "truncated_normal normal", "roll flip", "int64 int8", "int32 int16", "lower upper", "startswith endswith",
    "lstrip rstrip", "find rfind", "union intersection", "keys values",
)  # fmt: skip
_METHODS = _words(
    "astype to float double half long int type transpose permute swapaxes moveaxis movedim reshape view ravel flatten "
    "squeeze unsqueeze clip clamp round t flip roll repeat expand exp log sqrt square abs pow cumsum softmax sigmoid "
    "tanh relu conj mean sum strip lstrip rstrip lower upper casefold title capitalize"
)
_FUNCTIONS = _words(
    "transpose permute_dims swapaxes moveaxis movedim reshape ravel flatten squeeze expand_dims unsqueeze clip clamp "
    "round rint abs absolute exp log sqrt square rsqrt negative reciprocal tanh sigmoid relu softmax log_softmax "
    "nan_to_num flip flipud fliplr roll rot90 sort cumsum cumprod tril triu conj float32 float64 float16 int32 int64 "
    "float int normalize broadcast_to tile repeat asarray array floor ceil sorted reversed"
)
_PROPERTIES = ("T", "mT", "H", "mH", "real", "imag")
_AXES = ("axis", "dim", "axes", "dims", "axis1", "axis2", "dim0", "dim1")
_SEEDS = ("PRNGKey", "key", "default_rng", "RandomState", "manual_seed", "seed", "fold_in")
_RANGES = ("range", "arange")
_ATOMS = (ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Dict, ast.ListComp)


def mutants_of(source: str) -> list[Mutant]:
    """Every mutant of a module's text, in the order of its lines, no two alike; at most MAX_MUTANTS, evenly chosen.

    Imports, docstrings, annotations, decorators, messages of exceptions, and the names of functions stay as they are.
    """
    finder = Finder(source)
    return _evenly(mutants_by(finder, _evenly(finder.found(), 2 * MAX_MUTANTS)), MAX_MUTANTS)


def mutants_by(finder: "Finder", changes: Iterable[Change]) -> list[Mutant]:
    """The mutants that these changes make of the finder's text, no two alike and none like the text."""
    source = finder.data.decode()
    seen = {ast.dump(finder.tree)}
    mutants = []
    for operator, line, start, end, text in changes:
        mutated, meaning = finder.changed(start, end, text)
        if mutated and meaning not in seen:
            seen.add(meaning)
            mutants.append(Mutant(operator, line, mutated, _diff(source, mutated)))
    return mutants


def _evenly(items: list[T], most: int) -> list[T]:
    if len(items) <= most:
        return items
    return [items[n * len(items) // most] for n in range(most)]


def _diff(before: str, after: str) -> str:
    """The lines between the first and the last that differ."""
    old, new = before.splitlines(), after.splitlines()
    first = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    rest = min(len(old), len(new)) - first
    same = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
    gone, come = old[first : len(old) - same], new[first : len(new) - same]
    return "\n".join([f"- {line.rstrip()}" for line in gone] + [f"+ {line.rstrip()}" for line in come])


def _swaps() -> dict[str, tuple[str, ...]]:
    """Both ways, but a narrower dtype is never widened: what has room for the digits gives the same ones."""
    found: dict[str, tuple[str, ...]] = {}
    for one, other in (pair.split() for pair in _PAIRS):
        found[one] = (*found.get(one, ()), other)
        if not one[-1].isdigit() or one == "log2":
            found[other] = (*found.get(other, ()), one)
    return {name: others[:2] for name, others in found.items()}


_SWAPS = _swaps()


class Finder(ast.NodeVisitor):
    """Walks a module and notes changes."""

    def __init__(self, source: str) -> None:
        self.data = source.encode()
        self.tree = ast.parse(source)
        self.starts = [0]
        for line in self.data.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.modules = {
            (alias.asname or alias.name).partition(".")[0]
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        self.changes: list[Change] = []

    def found(self) -> list[Change]:
        """Every change, in the order of its place; some come to the same, and some are no Python."""
        self.visit(self.tree)
        return sorted(self.changes, key=lambda change: change[2])

    # -------------------------------------------------------------- text

    def start(self, node: Any) -> int:
        return self.starts[int(node.lineno) - 1] + int(node.col_offset)

    def end(self, node: Any) -> int:
        return self.starts[int(node.end_lineno) - 1] + int(node.end_col_offset)

    def plain(self, node: Any) -> str:
        return self.data[self.start(node) : self.end(node)].decode()

    def text(self, node: ast.expr) -> str:
        """The author's own text of an expression, in parentheses where it needs them anywhere."""
        text = self.plain(node)
        if isinstance(node, _ATOMS) or (isinstance(node, ast.Tuple) and text.startswith("(")):
            return text
        return f"({text})"

    def changed(self, start: int, end: int, text: str) -> tuple[str, str]:
        """The module with `text` there, with as few parentheses as mean the same, and its tree; nothing where that is
        no Python."""
        found = "", ""
        for candidate in (text, text[1:-1]) if text.startswith("(") and text.endswith(")") else (text,):
            try:
                whole = (self.data[:start] + candidate.encode() + self.data[end:]).decode()
                tree = ast.dump(ast.parse(whole))
            except (SyntaxError, ValueError):
                continue
            if not found[1] or tree == found[1]:
                found = whole, tree
        return found

    def note(self, operator: str, node: Any, text: str) -> None:
        self.changes.append((operator, node.lineno, self.start(node), self.end(node), text))

    def note_between(self, operator: str, left: Any, right: Any, old: str, new: str) -> None:
        """Change the sign between two operands."""
        start, end = self.end(left), self.start(right)
        gap = self.data[start:end].decode()
        if old in gap and "#" not in gap:
            self.changes.append((operator, left.end_lineno, start, end, gap.replace(old, new, 1)))

    # -------------------------------------------------------------- statements

    def visit_Import(self, node: ast.Import) -> None: ...

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None: ...

    def visit_Raise(self, node: ast.Raise) -> None: ...

    def visit_Assert(self, node: ast.Assert) -> None: ...

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None: ...

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self.visit(default)
        self.visit_all(node.body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.visit_all(node.body)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.note("statement", node, "pass")
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        own = {one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)}
        read = {one.id for one in ast.walk(node.value) if isinstance(one, ast.Name)}
        if own & read or any(isinstance(target, ast.Subscript) for target in node.targets):
            self.note("statement", node, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.note("statement", node, "pass")
        if type(node.op) in _ARITHMETIC:
            old, new = _ARITHMETIC[type(node.op)]
            self.note_between("arithmetic", node.target, node.value, f"{old}=", f"{new}=")
        self.visit(node.target)
        self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        if "__name__" in self.plain(node.test) or "TYPE_CHECKING" in self.plain(node.test):
            return
        for forced in ("True", "False"):
            self.note("branch", node.test, forced)
        self.visit(node.test)
        self.visit_all([*node.body, *node.orelse])

    def visit_Break(self, node: ast.Break) -> None:
        self.note("statement", node, "pass")

    def visit_Continue(self, node: ast.Continue) -> None:
        self.note("statement", node, "pass")

    def visit_all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    # -------------------------------------------------------------- expressions

    def visit_BinOp(self, node: ast.BinOp) -> None:
        kind = type(node.op)
        old, new = _ARITHMETIC[kind]
        self.note_between("arithmetic", node.left, node.right, old, new)
        left, right = self.text(node.left), self.text(node.right)
        if kind in (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod, ast.FloorDiv, ast.Pow):
            self.note("term", node, left)
        if kind in (ast.Add, ast.Mult):
            self.note("term", node, right)
        if kind in _ONE_SIDED:
            self.note("order", node, f"({right} {old} {left})")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            old, others = _COMPARISONS[type(op)]
            for new in others:
                self.note_between("comparison", left, right, old, new)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = " or " if isinstance(node.op, ast.And) else " and "
        self.note("comparison", node, f"({other.join(map(self.text, node.values))})")
        for value in node.values:
            self.note("branch", node, self.text(value))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        operand = node.operand.value if isinstance(node.operand, ast.Constant) else None
        if isinstance(node.op, ast.USub) and isinstance(operand, int | float):
            self._number(node, -operand)
        elif isinstance(node.op, ast.USub | ast.Not | ast.Invert):
            self.note("unary", node, self.text(node.operand))
            self.visit(node.operand)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self.note("constant", node, str(not value))
        elif isinstance(value, int | float):
            self._number(node, value)
        elif isinstance(value, str) and "->" in value:
            self._subscripts(node, value)

    def _number(self, node: ast.expr, value: Any) -> None:
        if isinstance(value, int):
            for other in (value + 1, value - 1):
                self.note("constant", node, str(other))
        elif isinstance(value, float) and math.isfinite(2 * value):
            self.note("constant", node, repr(2 * value) if value else "1.0")
        if value < 0:
            self.note("unary", node, repr(-value))

    def _subscripts(self, node: ast.Constant, value: str) -> None:
        """Of an einsum: two letters of the answer, or of an operand, the other way round."""
        left, _, right = value.partition("->")
        parts = [*left.split(","), right]
        for n, part in enumerate(parts):
            if swapped := re.sub(r"([A-Za-z])(\s*)([A-Za-z])(?=[^A-Za-z]*$)", r"\3\2\1", part):
                others = [*parts[:n], swapped, *parts[n + 1 :]]
                self.note("order", node, repr(f"{','.join(others[:-1])}->{others[-1]}"))

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.note("branch", node, self.text(node.body))
        self.note("branch", node, self.text(node.orelse))
        self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        if isinstance(node.ctx, ast.Load) and not any(isinstance(item, ast.Slice) for item in node.elts):
            self._neighbours("order", node.elts)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for condition in node.ifs:
            self.note("branch", condition, "True")
        self.visit(node.iter)
        self.visit_all(node.ifs)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(parts) > 1:
            self._neighbours("order", parts)
        for part in parts:
            if isinstance(part, ast.Slice):
                self.slice(part)
            elif isinstance(part, ast.Name | ast.BinOp | ast.Attribute | ast.Call):
                self.note("index", part, f"{self.text(part)} + 1")
                self.note("index", part, f"{self.text(part)} - 1")
                self.visit(part)
            else:
                self.visit(part)

    def slice(self, node: ast.Slice) -> None:
        lower, upper = node.lower, node.upper
        for bound, shifts in ((lower, (1, -1)), (upper, (-1, 1))):
            if bound is None:
                continue
            number = _integer(bound)
            for shift in shifts:
                sign = "+" if shift > 0 else "-"
                self.note("slice", bound, f"{self.text(bound)} {sign} 1" if number is None else str(number + shift))
            if number is None:
                self.visit(bound)
        if lower is None and upper is not None:
            self.note("slice", node, f"1{self.plain(node)}")
            if node.step is None:
                self.note("slice", node, f"-{self.text(upper)}:" if _integer(upper) is None else f"{-_must(upper)}:")
        if upper is None and lower is not None and node.step is None:
            self.note("slice", node, f"{self.text(lower)}:-1")
            self.note("slice", node, ":")
        if node.step is not None:
            self.visit(node.step)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr in _PROPERTIES and not self._is_module(node.value):
            self.note("dropped", node, self.text(node.value))
        self.swap_name(node)
        self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        name, args = _called(node.func), node.args
        of_module = isinstance(node.func, ast.Name) or (
            isinstance(node.func, ast.Attribute) and self._is_module(node.func.value)
        )
        if isinstance(node.func, ast.Attribute):
            if not of_module and name in _METHODS:
                self.note("dropped", node, self.text(node.func.value))
            self.swap_name(node.func)
            if not of_module:
                self.visit(node.func.value)
        else:
            self.swap_name(node.func)
        if of_module and name in _FUNCTIONS and args and not isinstance(args[0], ast.Starred):
            self.note("dropped", node, self.text(args[0]))
        if name == "where" and len(args) == 3:
            for branch in args[1:]:
                self.note("branch", node, self.text(branch))
        if name in _RANGES and args:
            self._range(args)
        if name in _SEEDS and args:
            self.note("seed", args[0], f"{self.text(args[0])} + 1")
            self.note("seed", args[0], "0")
        if not any(isinstance(arg, ast.Starred) for arg in args):
            self._neighbours("order", args)
        self._keywords(node)
        self.visit_all(args)

    def _range(self, args: list[ast.expr]) -> None:
        if len(args) == 1:
            text = self.text(args[0])
            self.note("slice", args[0], f"{text} - 1")
            self.note("slice", args[0], f"1, {text}")
            self.note("slice", args[0], f"1, {text} + 1")
        else:
            self.note("slice", args[0], f"{self.text(args[0])} + 1")
            self.note("slice", args[1], f"{self.text(args[1])} - 1")

    def _keywords(self, node: ast.Call) -> None:
        given = sorted([*node.args, *node.keywords], key=self.start)
        for keyword in node.keywords:
            if keyword.arg is None:
                self.visit(keyword.value)
                continue
            n = given.index(keyword)
            if n:
                start, end = self.end(given[n - 1]), self.end(keyword)
            else:
                start, end = self.start(keyword), self.start(given[1]) if len(given) > 1 else self.end(keyword)
            keeps = keyword.arg in ("keepdims", "keepdim")
            operator = "keepdims" if keeps else "axis" if keyword.arg in _AXES else "dropped"
            self.changes.append((operator, keyword.lineno, start, end, ""))
            axis = _integer(keyword.value)
            if keyword.arg in _AXES and axis is not None:
                other = {-1: 0, 0: 1}.get(axis, axis + 1 if axis < 0 else axis - 1)
                self.note("axis", keyword.value, str(other))
            elif not keeps:
                self.visit(keyword.value)

    def swap_name(self, node: ast.expr) -> None:
        """sin for cos, at the end of a dotted name or alone."""
        name = _called(node)
        for other in _SWAPS.get(name, ()):
            end = self.end(node)
            start = end - len(name.encode())
            self.changes.append(("function", node.end_lineno or node.lineno, start, end, other))

    def _neighbours(self, operator: str, items: Sequence[ast.expr]) -> None:
        """Each two neighbours the other way round."""
        for one, other in pairwise(items):
            start, end = self.start(one), self.end(other)
            between = self.data[self.end(one) : self.start(other)].decode()
            if "(" in between or ")" in between or "#" in between:
                continue
            text = f"{self.plain(other)}{between}{self.plain(one)}"
            self.changes.append((operator, one.lineno, start, end, text))

    def _is_module(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.modules


def _called(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _integer(node: ast.expr) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _integer(node.operand)
        return None if value is None else -value
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def _must(node: ast.expr) -> int:
    value = _integer(node)
    assert value is not None
    return value
