"""Inputs and expected outputs, built once per `judging_hash`, in boxes of their own.

Instructors are not root: `cases.py`, `reference.py` and `mistakes/` run behind the same walls as a submission. What
comes out is kept in memory and, where the judge has a cache folder, on disk in wire format (never a pickle).

These are the fixed cases. Those that one submission alone meets are drawn in fresh.py, from the same generators.
"""

import ast
import contextlib
import hashlib
import os
import struct
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.metadata import version
from itertools import islice, product
from typing import Any, Generic, TypeVar

import numpy as np

from graders import warmth
from graders.arrays import Named
from graders.cache import CacheFolder, Newest
from graders.compare import arrays_of, view
from graders.exercise import BrokenExercise, Exercise, Limits, Source
from graders.inside import wire
from graders.literal import Literals, example, literals
from graders.pool import Judge
from graders.reply import (
    Answer,
    Done,
    Misplaced,
    Missing,
    Outcome,
    Raised,
    Reply,
    Returned,
    Stopped,
    Uncallable,
    Unreadable,
    ended_by,
    outcome_of,
    pack,
    unpack,
    why_not_done,
)
from graders.sandbox import Box
from graders.signature import Array, Dict, Dims, Misfit, Parameter, Scalar, Tuple, Type, dim_size, match
from graders.verdict import ArrayView
from graders.warmth import Warmth

T = TypeVar("T")

MAX_CASES = 100
RETURNS = "returns"  # as `[signature]` has it: no argument has this name
ARRAYS_SHOWN = 12  # of one value: a dict may have any number
MAX_INPUT_CHARACTERS = 65_536
KEPT_IN_MEMORY = 256
CASES_SECONDS = 20.0
SEED_BITS = 63
PROBES = 8  # draws of the hidden cases that tell which of them are drawn at random
TICK_SECONDS = 1 / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Case:
    """One named input. `expected` is the reference's answer, plain Python and NumPy; it never enters a box."""

    name: str
    sample: bool
    inputs: Mapping[str, Any]
    dims: Dims
    expected: Any
    notes: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)  # worked out once, by diagnose.py
    own: bool = False  # of the student's own input
    fresh: bool = False  # drawn for one submission alone

    @cached_property
    def expected_view(self) -> ArrayView:
        return view(self.expected)

    @cached_property
    def inputs_text(self) -> str:
        """The inputs as a student reads them, a name each."""

        def text(value: Any) -> str:
            seen = view(value)
            return seen.text if seen.shape is None else f"{seen.dtype} {seen.shape}\n{seen.text}"

        return "\n".join(f"{name} = {text(value)}" for name, value in self.inputs.items())

    def arguments(self, exercise: Exercise) -> list[Any]:
        return [self.inputs[parameter.name] for parameter in exercise.signature.parameters]


@dataclass(frozen=True)
class Measured:
    """What an instructor's file took of the limits on the cases, and each case's outcomes, one a turn."""

    outcomes: tuple[tuple[Outcome, ...], ...]
    load_ms: float  # of wall clock, or of processor time where that is less: others may keep this machine busy
    calls_ms: tuple[float, ...]  # likewise, of the first turn, a case each
    memory_kb: int  # at most, beyond what the framework itself has
    output_kb: float  # the largest value returned


@dataclass(frozen=True)
class SampleCase:
    """A sample case as a student reads it before they write a line."""

    name: str
    inputs: Mapping[str, ArrayView]
    expected: ArrayView
    literals: Literals  # to be changed, and run on
    arrays: Mapping[str, tuple[Named, ...]]  # the numbers, for figures: by argument, and as "returns"


@dataclass(frozen=True)
class Built:
    """The fixed cases, samples first, and which of the hidden ones differ in every draw: by their place among them."""

    cases: tuple[Case, ...]
    drawn: tuple[int, ...]


def built_of(judge: Judge, exercise: Exercise) -> Built:
    """The exercise's cases, built now if they are not at hand. Raises BrokenExercise, BoxLost, JudgeUnavailable."""
    return _cases.get(judge, exercise, lambda: _build_cases(judge, exercise))


def cases_of(judge: Judge, exercise: Exercise) -> tuple[Case, ...]:
    """The exercise's fixed cases, samples first. Raises as `built_of` does."""
    return built_of(judge, exercise).cases


def mistakes_of(judge: Judge, exercise: Exercise) -> dict[str, tuple[Outcome, ...]]:
    """What each known mistake comes to on each fixed case, by the mistake's name. Raises as `built_of` does."""
    return _mistakes.get(judge, exercise, lambda: _run_mistakes(judge, exercise))


def cases_at_hand(judge: Judge, exercise: Exercise) -> tuple[Case, ...] | None:
    """The fixed cases where they have been built already; None otherwise. Runs nothing."""
    built = _cases.at_hand(judge, exercise)
    return built.cases if built else None


def draws_any(judge: Judge, exercise: Exercise) -> bool:
    """Whether any of its hidden cases is drawn, as far as is known without building it."""
    built = _cases.at_hand(judge, exercise)
    return built is None or bool(built.drawn)


def is_broken(exercise: Exercise) -> bool:
    """Whether its cases were tried, and cannot be built."""
    return exercise.judging_hash in _cases.broken


def is_built(judge: Judge, exercise: Exercise) -> bool:
    """Whether cases and mistakes are at hand, or have turned out to be broken: nobody has to wait for either."""
    return all(store.is_settled(judge, exercise) for store in (_cases, _mistakes))


def forget_fault(exercise: Exercise) -> None:
    """Build again what was broken: the machine may only have been busy."""
    for store in (_cases, _mistakes):
        store.forget_fault(exercise)


def warmth_of(exercise: Exercise, cases: Iterable[Case]) -> Warmth | None:
    """What JAX may have compiled for this exercise: from the sample cases' sizes alone. None where it has no JAX."""
    if "jax" not in exercise.frameworks:
        return None
    samples = [{**case.dims, **_integers(case)} for case in cases if case.sample]
    return warmth.warmth_of(exercise.warm, exercise.signature, samples)


def _integers(case: Case) -> Dims:
    return {name: value for name, value in case.inputs.items() if type(value) is int}


def sample_cases(exercise: Exercise, cases: Iterable[Case]) -> list[SampleCase]:
    """The sample cases of all `cases`, values and all, as texts."""
    return [
        SampleCase(
            case.name,
            {name: view(value) for name, value in case.inputs.items()},
            case.expected_view,
            literals(exercise.signature, case.inputs, case.dims),
            {
                **arrays_of_inputs(exercise, case.inputs),
                RETURNS: _shown(case.expected, exercise.signature.parsed_returns),
            },
        )
        for case in cases
        if case.sample
    ]


def arrays_of_inputs(exercise: Exercise, inputs: Mapping[str, Any]) -> dict[str, tuple[Named, ...]]:
    """The first arrays of each argument, by its name; `inputs` are as declared."""
    return {one.name: _shown(inputs[one.name], one.parsed) for one in exercise.signature.parameters}


def _shown(value: Any, declared: Type) -> tuple[Named, ...]:
    return tuple(islice(arrays_of(value, declared), ARRAYS_SHOWN))


def own_case(judge: Judge, exercise: Exercise, given: Mapping[str, Any]) -> Case:
    """A case of the student's own input: `{name: literal}`, a literal being text or plain JSON.

    Raises ValueError, in words for the student; BrokenExercise where the reference fails on any input.
    """
    inputs = read_inputs(exercise, given)
    dims = exercise.signature.bind(inputs)
    (outcome,) = run(judge, exercise, exercise.reference, [inputs])
    if not isinstance(outcome, Returned):
        why = outcome.type if isinstance(outcome, Raised) else ended_by(outcome) or why_not_done(outcome)
        raise ValueError(f"The reference has no answer for this input ({why}).")
    try:
        match(exercise.signature.parsed_returns, outcome.value, dict(dims), "its answer")
    except ValueError as error:  # an input that the author did not think of
        raise ValueError(f"The reference has no answer for this input ({error}).") from None
    return Case("your input", True, inputs, dims, outcome.value, own=True)


def read_inputs(exercise: Exercise, given: Mapping[str, Any]) -> dict[str, Any]:
    """The student's literals as the signature's types. Only literals: nothing is evaluated."""
    names = [parameter.name for parameter in exercise.signature.parameters]
    for name in given:
        if name not in names:
            raise ValueError(f"There is no input {name!r}; the inputs are {', '.join(names)}.")
    inputs = {}
    for parameter in exercise.signature.parameters:
        if parameter.name not in given:
            raise ValueError(f"The input {parameter.name!r} ({parameter.type}) is missing.")
        inputs[parameter.name] = _literal(parameter.name, parameter.parsed, given[parameter.name])
    exercise.signature.bind(inputs)
    return inputs


def input_faults(exercise: Exercise, given: Mapping[str, Any]) -> dict[str, str]:
    """What is wrong with a student's literals, and what would be right, by argument; empty where all can be read."""
    faults: dict[str, str] = {}
    dims: Dims = {}
    fixed_by: dict[str, str] = {}  # which argument said how large a dimension is
    for parameter in exercise.signature.parameters:
        known = dict(dims)
        try:
            value = _literal(parameter.name, parameter.parsed, given.get(parameter.name, ""))
            match(parameter.parsed, value, known, parameter.name)
        except (ValueError, RecursionError, MemoryError) as error:
            faults[parameter.name] = _fault(parameter, error, fixed_by)
            continue
        fixed_by |= dict.fromkeys(known.keys() - dims.keys(), parameter.name)
        dims = known
    return faults


def _fault(parameter: Parameter, error: Exception, fixed_by: Mapping[str, str]) -> str:
    name = parameter.name
    if not isinstance(error, Misfit):
        said = str(error).rstrip(".") or f"{name} is nested too deep"
        return f"{said}. Right would be, for example: {example(parameter.parsed)}"
    if error.dim.isdigit():
        return f"Axis {error.axis} of {name} has {error.size} entries; {parameter.type} wants {error.expected}."
    if error.dim not in fixed_by:
        return f"{error.dim} is {error.expected}, but axis {error.axis} of {name} has {error.size} entries."
    return f"{error.dim} is {error.expected} in {fixed_by[error.dim]} but {error.size} in {name}."


def run(
    judge: Judge,
    exercise: Exercise,
    source: Source,
    inputs: list[Mapping[str, Any]],
    box: Box | None = None,
    total_seconds: float | None = None,
) -> Generator[Outcome, None, None]:
    """Call an instructor's file on each input, in one box (a new one when it was lost). Yields an outcome each.

    `total_seconds` bounds all of it together. Raises BrokenExercise where that is not enough.
    """
    given = box
    deadline = time.monotonic() + total_seconds if total_seconds is not None else None
    try:
        loaded = False
        for arguments in inputs:
            if deadline is not None and time.monotonic() > deadline:
                raise BrokenExercise(
                    source.path,
                    f"takes more than {total_seconds:g} s for all cases together",
                    "make the cases smaller or fewer, or have the operator raise LECTERN_BUILD_SECONDS",
                )
            if box is None:
                box, loaded = judge.take(source.framework), False
            if not loaded:
                answer = load(box, source.text, exercise.entry, exercise, source.framework).answer
                if not isinstance(answer, Done):
                    yield from [answer] * len(inputs)
                    return
                loaded = True
            ordered = [arguments[parameter.name] for parameter in exercise.signature.parameters]
            reply = box.ask({"op": "call", "args": ordered}, exercise.limits.wall_seconds, exercise.limits)
            yield outcome_of(reply)
            if isinstance(reply.answer, Stopped):
                box.close()
                box = None
    finally:
        if box is not None and box is not given:
            box.close()


def measure(judge: Judge, exercise: Exercise, source: Source, cases: tuple[Case, ...], turns: int = 1) -> Measured:
    """Run an instructor's file on every case, as often as `turns` says, in one box. Raises BoxLost.

    What breaks the box is the outcome of the rest as well.
    """
    warmth = warmth_of(exercise, cases) if source.framework == "jax" else None
    outcomes: list[list[Outcome]] = [[] for _ in cases]
    calls_ms = []
    output_kb = 0.0
    with closing(judge.take(source.framework, warmth=warmth)) as box:
        spent = box.cpu_seconds()
        loaded = load(box, source.text, exercise.entry, exercise, source.framework)
        load_ms = min(loaded.wall_ms, (box.cpu_seconds() - spent + TICK_SECONDS) * 1000)
        broken = loaded.answer if not isinstance(loaded.answer, Done) else None
        for turn, (case, found) in product(range(turns), zip(cases, outcomes, strict=True)):
            if broken is None:
                spent = box.cpu_seconds()
                request = {"op": "call", "args": case.arguments(exercise)}
                reply = box.ask(request, exercise.limits.wall_seconds, exercise.limits)
                outcome = outcome_of(reply)
                broken = outcome if isinstance(outcome, Stopped) else None
                if turn == 0:
                    took_ms = (box.cpu_seconds() - spent + TICK_SECONDS) * 1000
                    calls_ms.append(reply.wall_ms if broken else min(reply.wall_ms, took_ms))
                if isinstance(outcome, Returned):
                    output_kb = max(output_kb, len(wire.encode({"v": outcome.value})) / 1024)
            found.append(broken or outcome)
        memory_kb = 0 if broken else box.peak_kb()
    return Measured(tuple(map(tuple, outcomes)), load_ms, tuple(calls_ms), memory_kb, output_kb)


def inputs_of(
    judge: Judge, exercise: Exercise, turns: Iterable[int | None] = (None,)
) -> list[tuple[bool, str, Mapping[str, Any]]]:
    """What cases.py yields, samples first: whether it is one, its name and its inputs.

    Each number of `turns` seeds the generators otherwise, for inputs beside the cases. Raises BrokenExercise.
    """
    both = (("sample_cases", True), ("hidden_cases", False))
    with _generators(judge, exercise) as draw:
        return [
            (sample, name, inputs)
            for turn, (generator, sample) in product(turns, both)
            for name, inputs in draw(generator, _seed(exercise, sample, turn), None)
        ]


def hidden_draws(
    judge: Judge, exercise: Exercise, asked: Iterable[tuple[int, Sequence[int] | None]]
) -> list[list[tuple[str, Mapping[str, Any]]]]:
    """Names and inputs that `hidden_cases` yields under each seed: at the places named, in order, or all of them.

    Raises BrokenExercise.
    """
    with _generators(judge, exercise) as draw:
        return [draw("hidden_cases", seed, places) for seed, places in asked]


_Draw = Callable[[str, int, Sequence[int] | None], list[tuple[str, Mapping[str, Any]]]]


@contextmanager
def _generators(judge: Judge, exercise: Exercise) -> Iterator[_Draw]:
    """cases.py, loaded in a box of its own: calls one of its generators under a seed. Raises BrokenExercise."""
    with closing(judge.take("numpy")) as box:
        generous = Limits(memory_mb=exercise.limits.memory_mb, output_kb=256 << 10)
        loaded = load(box, exercise.cases.text, None, exercise, "numpy", CASES_SECONDS).answer
        if reason := why_not_done(loaded):
            raise BrokenExercise("cases.py", reason, "correct that line", _line(loaded))
        deadline = time.monotonic() + judge.build_seconds

        def draw(generator: str, seed: int, only: Sequence[int] | None) -> list[tuple[str, Mapping[str, Any]]]:
            request = {"op": "cases", "generator": generator, "seed": seed, "only": None if only is None else [*only]}
            seconds = min(CASES_SECONDS, max(0.0, deadline - time.monotonic()))
            answer = box.ask(request, seconds, generous).answer
            if isinstance(answer, Missing):
                raise BrokenExercise("cases.py", f"does not define {generator}", f"write def {generator}(rng): …")
            if not isinstance(answer, Returned):
                reason = why_not_done(answer)
                raise BrokenExercise("cases.py", str(reason), "correct that line", _line(answer), generator)
            return _listed(answer.value)

        yield draw


def _seed(exercise: Exercise, sample: bool, turn: int | str | None = None) -> int:
    """An own generator each, seeded by its name: a comma elsewhere changes no case."""
    return seed_of(f"{exercise.slug}:{'sample' if sample else 'hidden'}{'' if turn is None else f':{turn}'}")


def seed_of(name: str) -> int:
    """The seed of SEED_BITS bits that belongs to a name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") >> (64 - SEED_BITS)


def load(
    box: Box, source: str, entry: str | None, exercise: Exercise, framework: str, seconds: float | None = None
) -> Reply:
    """Have the box load a module; its memory is bounded from here on."""
    limits = exercise.limits
    request = {
        "op": "load",
        "source": source,
        "entry": entry,
        "parameters": len(exercise.signature.parameters),
        "framework": framework,
        "wide": exercise.signature.is_wide,
        "data_bytes": box.data_bytes() + (limits.memory_mb << 20),
        "output_bytes": limits.output_kb << 10,
    }
    return box.ask(request, seconds if seconds is not None else limits.wall_seconds, limits)


# ------------------------------------------------------------------ building


def _build_cases(judge: Judge, exercise: Exercise) -> Built:
    drawn = inputs_of(judge, exercise)
    if not drawn or len(drawn) > MAX_CASES:
        raise BrokenExercise("cases.py", f"yields {len(drawn)} cases", f"yield between 1 and {MAX_CASES}")
    cases = tuple(
        Case(name, sample, inputs, dims, expected)
        for (sample, name, inputs), (dims, expected) in zip(drawn, answers(judge, exercise, drawn), strict=True)
    )
    return Built(cases, _drawn_at_random(judge, exercise, [case for case in cases if not case.sample]))


def answers(
    judge: Judge, exercise: Exercise, drawn: Sequence[tuple[bool, str, Mapping[str, Any]]]
) -> Iterator[tuple[Dims, Any]]:
    """The sizes of each case's inputs, and the reference's answer to them. Raises BrokenExercise."""
    bound = [_bound(exercise, name, inputs) for _, name, inputs in drawn]
    inputs = [inputs for _, _, inputs in drawn]
    # closed whatever comes: a box would otherwise stay open for as long as somebody holds the error
    with closing(run(judge, exercise, exercise.reference, inputs, total_seconds=judge.build_seconds)) as outcomes:
        for (_, name, _), dims, outcome in zip(drawn, bound, outcomes, strict=True):
            if not isinstance(outcome, Returned):
                raise _broken_reference(name, outcome)
            try:
                match(exercise.signature.parsed_returns, outcome.value, dict(dims), "its answer")
            except ValueError as error:
                raise BrokenExercise(
                    "reference.py", f"on the case {name!r}, {error}", "return what [signature] declares"
                ) from None
            yield dims, outcome.value


def _bound(exercise: Exercise, name: str, inputs: Mapping[str, Any]) -> Dims:
    try:
        return exercise.signature.bind(dict(inputs))
    except ValueError as error:
        raise BrokenExercise(
            "cases.py", f"the case {name!r} does not fit [signature]: {error}", "give the declared dtype and shape"
        ) from None


def _drawn_at_random(judge: Judge, exercise: Exercise, hidden: Sequence[Case]) -> tuple[int, ...]:
    """The hidden cases whose inputs are others in each of some draws, by their place.

    Where there is none, those that are others now and then. The seeds are fixed, so that it is the same on every
    machine.
    """
    probes = [(_seed(exercise, False, f"probe:{n}"), None) for n in range(PROBES)]
    draws = [[digest(inputs) for _, inputs in draw] for draw in hidden_draws(judge, exercise, probes)]
    draws.append([digest(case.inputs) for case in hidden])
    different = [len(set(at_place)) for at_place in zip(*draws, strict=False)]
    always = tuple(place for place, count in enumerate(different) if count == len(draws))
    return always or tuple(place for place, count in enumerate(different) if count > 1)


def digest(inputs: Mapping[str, Any]) -> bytes:
    """The same for the same inputs, to the bit."""
    return hashlib.sha256(wire.encode(dict(inputs))).digest()


def _broken_reference(case: str, outcome: Outcome) -> BrokenExercise:
    if isinstance(outcome, Raised):
        text = f"raises {outcome.type} on the case {case!r}: {outcome.message}"
        return BrokenExercise("reference.py", text, "correct that line", outcome.line)
    return BrokenExercise(
        "reference.py", f"does not answer the case {case!r}: {ended_by(outcome) or why_not_done(outcome)}",
        "make it return what [signature] declares, within [limits]",
    )  # fmt: skip


def _run_mistakes(judge: Judge, exercise: Exercise) -> dict[str, tuple[Outcome, ...]]:
    """All mistakes of one framework share a box, which has then compiled each shape already."""
    inputs = [case.inputs for case in cases_of(judge, exercise)]
    found: dict[str, tuple[Outcome, ...]] = {}
    boxes: dict[str, Box] = {}
    deadline = time.monotonic() + judge.build_seconds
    try:
        for mistake in exercise.mistakes:
            framework = mistake.source.framework
            box = boxes[framework] = boxes.get(framework) or judge.take(framework)
            seconds = max(0.0, deadline - time.monotonic())
            found[mistake.name] = outcomes = tuple(run(judge, exercise, mistake.source, inputs, box, seconds))
            if any(isinstance(outcome, Stopped) for outcome in outcomes):
                boxes.pop(framework).close()
    finally:
        for box in boxes.values():
            box.close()
    return found


def _line(answer: Answer) -> int | None:
    return answer.line if isinstance(answer, Raised | Unreadable | Misplaced | Uncallable) else None


def _listed(value: Any) -> list[tuple[str, Mapping[str, Any]]]:
    return [(str(name), inputs) for name, inputs in value or []]


# ------------------------------------------------------------------ a student's own input


def _literal(name: str, declared: Type, given: Any) -> Any:
    value = given
    if isinstance(given, str) and declared != Scalar("str"):
        if len(given) > MAX_INPUT_CHARACTERS:
            raise ValueError(f"{name} is longer than {MAX_INPUT_CHARACTERS} characters.")
        try:
            value = ast.literal_eval(given.strip())
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            raise ValueError(f"{name} is not a Python literal such as [[0, 1], [2, 3]].") from None
    return _typed(name, declared, value)


def _typed(name: str, declared: Type, value: Any) -> Any:
    if isinstance(declared, Array):
        if isinstance(value, str | bytes | dict | set) or value is None:
            raise ValueError(f"{name} must be nested lists of numbers, for {declared}.")
        try:
            with np.errstate(all="ignore"):
                array = np.array(value, dtype=wire.dtype_of(declared.dtype))
        except (ValueError, TypeError, OverflowError):
            raise ValueError(f"{name} must be nested lists of numbers, all rows alike, for {declared}.") from None
        _require_kept(name, declared, value, array)
        if array.size == 0 and len(declared.dims) > 1:
            sizes = [dim_size(dim, {}) or 0 for dim in declared.dims]
            array = array.reshape(sizes) if 0 in sizes else array
        return array
    if isinstance(declared, Tuple) and isinstance(value, list | tuple) and len(value) == len(declared.items):
        return tuple(_typed(name, type_, item) for type_, item in zip(declared.items, value, strict=True))
    if isinstance(declared, Dict) and isinstance(value, dict):
        return {str(key): _typed(name, declared.value, item) for key, item in value.items()}
    if declared == Scalar("float") and type(value) is int:
        try:
            return float(value)
        except OverflowError:
            raise ValueError(f"{name} is too large for a float.") from None
    return value


def _require_kept(name: str, declared: Array, value: Any, array: "np.ndarray[Any, Any]") -> None:
    """Raises ValueError where a number would be another one in whole numbers or truth values: 0.5 is not 0."""
    if array.dtype.kind not in "iub" or array.size == 0:
        return
    given = np.array(value, dtype=object).ravel()
    changed = next((one for one, kept in zip(given, array.ravel(), strict=True) if one != kept), None)
    if changed is not None:
        wanted = "True or False" if array.dtype.kind == "b" else "whole numbers"
        raise ValueError(f"{name} holds {changed!r}, and {declared} takes {wanted}.")


# ------------------------------------------------------------------ keeping


class _Store(Generic[T]):
    """What was built, by judging hash: in memory, and on disk where there is a cache folder. Built once at a time.

    That an exercise is broken is remembered too: who comes next need not wait to learn it again.
    """

    def __init__(
        self, kind: str, pack: Callable[[T], dict[str, Any]], unpack: Callable[[Mapping[str, Any]], T]
    ) -> None:
        self.kind, self.pack, self.unpack = kind, pack, unpack
        self.kept: Newest[str, T] = Newest(KEPT_IN_MEMORY)
        self.broken: Newest[str, BrokenExercise] = Newest(KEPT_IN_MEMORY)
        self.locks: dict[str, threading.Lock] = {}
        self.guard = threading.Lock()

    def get(self, judge: Judge, exercise: Exercise, build: Callable[[], T]) -> T:
        key = exercise.judging_hash
        if (kept := self.kept.get(key)) is not None:
            return kept
        with self.guard:
            lock = self.locks.setdefault(key, threading.Lock())
        with lock:
            found = self.at_hand(judge, exercise)
            if found is not None:
                return found
            if broken := self.broken.get(key):
                raise broken.again()
            try:
                found = build()
            except BrokenExercise as broken:
                self.broken.put(key, broken.again())  # without the frames that it came through
                raise
            self._write(judge, key, found)
        self.kept.put(key, found)
        with self.guard:
            self.locks.pop(key, None)
        return found

    def at_hand(self, judge: Judge, exercise: Exercise) -> T | None:
        """What was built before, here or by another process. Builds nothing."""
        key = exercise.judging_hash
        found = self.kept.get(key)
        if found is None and (found := self._read(judge, key)) is not None:
            self.kept.put(key, found)
        return found

    def is_settled(self, judge: Judge, exercise: Exercise) -> bool:
        return exercise.judging_hash in self.broken or self.at_hand(judge, exercise) is not None

    def forget_fault(self, exercise: Exercise) -> None:
        self.broken.pop(exercise.judging_hash)

    def _folder(self, judge: Judge) -> CacheFolder:
        return CacheFolder(judge.cache_folder, f"-{_versions()}.{self.kind}")

    def _read(self, judge: Judge, key: str) -> T | None:
        data = self._folder(judge).read(key) or b""
        try:
            text, blob = wire.lengths(data[: wire.HEADER.size], len(data))
            start = wire.HEADER.size
            return self.unpack(wire.decode(data[start : start + text], data[start + text : start + text + blob]))
        except (ValueError, KeyError, TypeError, struct.error):
            return None  # not there, cut short by a full disk, or of another version: built again

    def _write(self, judge: Judge, key: str, found: T) -> None:
        with contextlib.suppress(wire.WireError):  # too large for a file: it stays in memory alone
            self._folder(judge).write(key, wire.encode(self.pack(found)))


@cache
def _versions() -> str:
    """The frameworks that computed what is kept: another release may round, draw or complain otherwise."""
    named = ",".join(f"{name}={version(name)}" for name in ("numpy", "jax", "jaxlib", "flax", "torch"))
    return hashlib.sha256(named.encode()).hexdigest()[:12]


def _pack_cases(built: Built) -> dict[str, Any]:
    cases = [[c.name, c.sample, dict(c.inputs), dict(c.dims), c.expected] for c in built.cases]
    return {"cases": cases, "drawn": [*built.drawn]}


def _unpack_cases(message: Mapping[str, Any]) -> Built:
    cases = tuple(
        Case(name, sample, inputs, dims, expected) for name, sample, inputs, dims, expected in message["cases"]
    )
    return Built(cases, tuple(message["drawn"]))


def _pack_mistakes(found: dict[str, tuple[Outcome, ...]]) -> dict[str, Any]:
    return {"mistakes": {name: [pack(outcome) for outcome in outcomes] for name, outcomes in found.items()}}


def _unpack_mistakes(message: Mapping[str, Any]) -> dict[str, tuple[Outcome, ...]]:
    return {name: tuple(unpack(packed) for packed in rows) for name, rows in message["mistakes"].items()}


_cases: _Store[Built] = _Store("cases", _pack_cases, _unpack_cases)
_mistakes: _Store[dict[str, tuple[Outcome, ...]]] = _Store("mistakes", _pack_mistakes, _unpack_mistakes)
