"""Inputs and expected outputs, built once per `judging_hash`, in boxes of their own.

Instructors are not root: `cases.py`, `reference.py` and `mistakes/` run behind the same walls as a submission. What
comes out is kept in memory and, where the judge has a cache folder, on disk in wire format (never a pickle).
"""

import ast
import hashlib
import os
import struct
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.metadata import version
from itertools import islice, product
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from graders import warmth
from graders.arrays import Named
from graders.compare import arrays_of, view
from graders.exercise import BrokenExercise, Exercise, Limits, Source
from graders.inside import wire
from graders.literal import Literals, example, literals
from graders.pool import Judge
from graders.sandbox import Box, Reply
from graders.signature import Array, Dict, Dims, Misfit, Parameter, Scalar, Tuple, Type, dim_size, match
from graders.verdict import ArrayView
from graders.warmth import Warmth

T = TypeVar("T")

MAX_CASES = 100
RETURNS = "returns"  # as `[signature]` has it: no argument has this name
ARRAYS_SHOWN = 12  # of one value: a dict may have any number
MAX_INPUT_CHARACTERS = 65_536
KEPT_IN_MEMORY = 64
CASES_SECONDS = 20.0
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
class Outcome:
    """What one call came to: exactly one of `value` (in a tuple), `raised`, `odd`, `stopped`, `too_large`."""

    value: tuple[Any] | None = None
    raised: Mapping[str, Any] | None = None
    odd: str | None = None
    stopped: str | None = None
    changed: tuple[str, ...] = ()  # beside a value: the arguments that the call wrote into


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


def cases_of(judge: Judge, exercise: Exercise) -> tuple[Case, ...]:
    """The exercise's cases, samples first. Raises BrokenExercise, BoxLost, JudgeUnavailable."""
    return _cases.get(judge, exercise, lambda: _build_cases(judge, exercise), _pack_cases, _unpack_cases)


def mistakes_of(judge: Judge, exercise: Exercise) -> dict[str, tuple[Outcome, ...]]:
    """What each known mistake comes to on each case, by the mistake's name."""
    return _mistakes.get(judge, exercise, lambda: _run_mistakes(judge, exercise), _pack_mistakes, _unpack_mistakes)


def warmth_of(exercise: Exercise, cases: Iterable[Case]) -> Warmth | None:
    """What JAX may have compiled for this exercise: from the sample cases' sizes alone. None where it has no JAX."""
    if "jax" not in exercise.frameworks:
        return None
    samples = [{**case.dims, **_integers(case)} for case in cases if case.sample]
    return warmth.warmth_of(exercise.warm, exercise.signature, samples)


def _integers(case: Case) -> Dims:
    return {name: value for name, value in case.inputs.items() if type(value) is int}


def sample_cases(judge: Judge, exercise: Exercise) -> list[SampleCase]:
    """The sample cases, values and all, as texts. Raises as `cases_of` does."""
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
        for case in cases_of(judge, exercise)
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
    if outcome.value is None:
        error = outcome.raised or {}
        raise ValueError(f"The reference has no answer for this input ({error.get('type', outcome.stopped)}).")
    try:
        match(exercise.signature.parsed_returns, outcome.value[0], dict(dims), "its answer")
    except ValueError as error:  # an input that the author did not think of
        raise ValueError(f"The reference has no answer for this input ({error}).") from None
    return Case("your input", True, inputs, dims, outcome.value[0], own=True)


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
    judge: Judge, exercise: Exercise, source: Source, inputs: list[Mapping[str, Any]], box: Box | None = None
) -> Iterator[Outcome]:
    """Call an instructor's file on each input, in one box (a new one when it was lost). Yields an outcome each."""
    given = box
    try:
        loaded = False
        for arguments in inputs:
            if box is None:
                box, loaded = judge.take(source.framework), False
            if not loaded:
                reply = load(box, source.text, exercise.entry, exercise, source.framework)
                if outcome := _failure(reply):
                    yield from [outcome] * len(inputs)
                    return
                loaded = True
            ordered = [arguments[parameter.name] for parameter in exercise.signature.parameters]
            reply = box.ask({"op": "call", "args": ordered}, exercise.limits.wall_seconds, exercise.limits)
            yield _outcome(reply)
            if reply.stopped:
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
        broken = _failure(loaded)
        for turn, (case, found) in product(range(turns), zip(cases, outcomes, strict=True)):
            if broken is None:
                spent = box.cpu_seconds()
                request = {"op": "call", "args": case.arguments(exercise)}
                reply = box.ask(request, exercise.limits.wall_seconds, exercise.limits)
                outcome = _outcome(reply)
                broken = outcome if reply.stopped else None
                if turn == 0:
                    took_ms = (box.cpu_seconds() - spent + TICK_SECONDS) * 1000
                    calls_ms.append(reply.wall_ms if reply.stopped else min(reply.wall_ms, took_ms))
                if outcome.value is not None:
                    output_kb = max(output_kb, len(wire.encode({"v": outcome.value[0]})) / 1024)
            found.append(broken or outcome)
        memory_kb = 0 if broken else box.peak_kb()
    return Measured(tuple(map(tuple, outcomes)), load_ms, tuple(calls_ms), memory_kb, output_kb)


def inputs_of(
    judge: Judge, exercise: Exercise, turns: Iterable[int | None] = (None,)
) -> list[tuple[bool, str, Mapping[str, Any]]]:
    """What cases.py yields, samples first: whether it is one, its name and its inputs.

    Each number of `turns` seeds the generators otherwise, for inputs beside the cases. Raises BrokenExercise.
    """
    drawn: list[tuple[bool, str, Mapping[str, Any]]] = []
    with closing(judge.take("numpy")) as box:
        generous = Limits(memory_mb=exercise.limits.memory_mb, output_kb=256 << 10)
        reply = load(box, exercise.cases.text, None, exercise, "numpy", CASES_SECONDS)
        if reason := _why(reply):
            raise BrokenExercise("cases.py", reason, "mend the line named", _line(reply))
        both = (("sample_cases", True), ("hidden_cases", False))
        for turn, (generator, sample) in product(turns, both):
            # An own generator each, seeded by its name: a comma elsewhere changes no case
            name = f"{exercise.slug}:{'sample' if sample else 'hidden'}{'' if turn is None else f':{turn}'}"
            seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") >> 1
            reply = box.ask({"op": "cases", "generator": generator, "seed": seed}, CASES_SECONDS, generous)
            if reply.message and reply.message.get("problem"):
                raise BrokenExercise("cases.py", f"does not define {generator}", f"write def {generator}(rng): …")
            if reason := _why(reply):
                raise BrokenExercise("cases.py", f"{generator}: {reason}", "mend the line named", _line(reply))
            assert reply.message
            drawn += [(sample, name, inputs) for name, inputs in _listed(reply.message.get("value"))]
    return drawn


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


def _build_cases(judge: Judge, exercise: Exercise) -> tuple[Case, ...]:
    drawn = inputs_of(judge, exercise)
    if not drawn or len(drawn) > MAX_CASES:
        raise BrokenExercise("cases.py", f"yields {len(drawn)} cases", f"yield between 1 and {MAX_CASES}")

    bound = []
    for _, name, inputs in drawn:
        try:
            bound.append(exercise.signature.bind(dict(inputs)))
        except ValueError as error:
            raise BrokenExercise(
                "cases.py",
                f"the case {name!r} does not fit [signature]: {error}",
                "give the declared dtype and shape",
            ) from None
    cases = []
    outcomes = run(judge, exercise, exercise.reference, [inputs for _, _, inputs in drawn])
    for (sample, name, inputs), dims, outcome in zip(drawn, bound, outcomes, strict=True):
        if outcome.value is None:
            raise _broken_reference(name, outcome)
        try:
            match(exercise.signature.parsed_returns, outcome.value[0], dict(dims), "its answer")
        except ValueError as error:
            raise BrokenExercise(
                "reference.py", f"on the case {name!r}, {error}", "return what [signature] declares"
            ) from None
        cases.append(Case(name, sample, inputs, dims, outcome.value[0]))
    return tuple(cases)


def _broken_reference(case: str, outcome: Outcome) -> BrokenExercise:
    if outcome.raised:
        text = f"raises {outcome.raised['type']} on the case {case!r}: {outcome.raised['message']}"
        return BrokenExercise("reference.py", text, "mend the line named", outcome.raised.get("line"))
    return BrokenExercise(
        "reference.py", f"does not answer the case {case!r}: {outcome.odd or outcome.stopped}",
        "make it return what [signature] declares, within [limits]",
    )  # fmt: skip


def _run_mistakes(judge: Judge, exercise: Exercise) -> dict[str, tuple[Outcome, ...]]:
    """All mistakes of one framework share a box, which has then compiled each shape already."""
    inputs = [case.inputs for case in cases_of(judge, exercise)]
    found: dict[str, tuple[Outcome, ...]] = {}
    boxes: dict[str, Box] = {}
    try:
        for mistake in exercise.mistakes:
            framework = mistake.source.framework
            box = boxes[framework] = boxes.get(framework) or judge.take(framework)
            found[mistake.name] = outcomes = tuple(run(judge, exercise, mistake.source, inputs, box))
            if any(outcome.stopped for outcome in outcomes):
                boxes.pop(framework).close()
    finally:
        for box in boxes.values():
            box.close()
    return found


def _outcome(reply: Reply) -> Outcome:
    message = reply.message
    if message is None:
        assert reply.stopped
        return Outcome(stopped=reply.stopped.reason)
    if "raised" in message:
        return Outcome(raised=message["raised"])
    if "too_large" in message:
        return Outcome(stopped="output_limit")
    if "odd" in message:
        return Outcome(odd=str(message["odd"]))
    return Outcome(value=(message.get("value"),))


def _failure(reply: Reply) -> Outcome | None:
    """The outcome of every call when the module did not load; None when it did."""
    if reply.message is not None and reply.message.get("ok"):
        return None
    if reply.message is not None and "problem" in reply.message:
        return Outcome(stopped=f"invalid_submission: {reply.message['problem'].get('kind')}")
    return _outcome(reply)


def _why(reply: Reply) -> str | None:
    if reply.stopped:
        return reply.stopped.text
    assert reply.message is not None
    if raised := reply.message.get("raised"):
        return f"raises {raised['type']}: {raised['message']}"
    if problem := reply.message.get("problem"):
        return str(problem.get("message") or problem.get("kind"))
    return None


def _line(reply: Reply) -> int | None:
    raised = (reply.message or {}).get("raised") or {}
    line = raised.get("line")
    return line if isinstance(line, int) else None


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
    """What was built, by judging hash: in memory, and on disk where there is a cache folder. Built once at a time."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.kept: OrderedDict[str, T] = OrderedDict()
        self.locks: dict[str, threading.Lock] = {}
        self.guard = threading.Lock()

    def get(
        self,
        judge: Judge,
        exercise: Exercise,
        build: Callable[[], T],
        pack: Callable[[T], dict[str, Any]],
        unpack: Callable[[Mapping[str, Any]], T],
    ) -> T:
        key = exercise.judging_hash
        with self.guard:
            if key in self.kept:
                self.kept.move_to_end(key)
                return self.kept[key]
            lock = self.locks.setdefault(key, threading.Lock())
        with lock:
            if key in self.kept:
                return self.kept[key]
            path = judge.cache_folder / f"{key}-{_versions()}.{self.kind}" if judge.cache_folder else None
            found = self._read(path, unpack)
            if found is None:
                found = build()
                self._write(path, pack(found))
        with self.guard:
            self.kept[key] = found
            self.locks.pop(key, None)
            while len(self.kept) > KEPT_IN_MEMORY:
                self.kept.popitem(last=False)
        return found

    def _read(self, path: Path | None, unpack: Callable[[Mapping[str, Any]], T]) -> T | None:
        try:
            data = path.read_bytes() if path else b""
            text, blob = wire.lengths(data[: wire.HEADER.size], len(data))
            start = wire.HEADER.size
            return unpack(wire.decode(data[start : start + text], data[start + text : start + text + blob]))
        except (OSError, ValueError, KeyError, TypeError, struct.error):
            return None  # not there, cut short by a full disk, or of another version: built again

    def _write(self, path: Path | None, message: dict[str, Any]) -> None:
        if path is None:
            return
        part = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(wire.encode(message))
            part.replace(path)
        except (OSError, wire.WireError):
            part.unlink(missing_ok=True)  # a cache that cannot be written is only slower


@cache
def _versions() -> str:
    """The frameworks that computed what is kept: another release may round, draw or complain otherwise."""
    named = ",".join(f"{name}={version(name)}" for name in ("numpy", "jax", "jaxlib", "flax", "torch"))
    return hashlib.sha256(named.encode()).hexdigest()[:12]


_cases: _Store[tuple[Case, ...]] = _Store("cases")
_mistakes: _Store[dict[str, tuple[Outcome, ...]]] = _Store("mistakes")


def _pack_cases(cases: tuple[Case, ...]) -> dict[str, Any]:
    return {"cases": [[c.name, c.sample, dict(c.inputs), dict(c.dims), c.expected] for c in cases]}


def _unpack_cases(message: Mapping[str, Any]) -> tuple[Case, ...]:
    return tuple(
        Case(name, sample, inputs, dims, expected) for name, sample, inputs, dims, expected in message["cases"]
    )


def _pack_mistakes(found: dict[str, tuple[Outcome, ...]]) -> dict[str, Any]:
    return {
        "mistakes": {
            name: [[[*o.value] if o.value else None, o.raised and dict(o.raised), o.odd, o.stopped] for o in outcomes]
            for name, outcomes in found.items()
        }
    }


def _unpack_mistakes(message: Mapping[str, Any]) -> dict[str, tuple[Outcome, ...]]:
    return {
        name: tuple(
            Outcome(tuple(value) if value else None, raised, odd, stopped) for value, raised, odd, stopped in rows
        )
        for name, rows in message["mistakes"].items()
    }
