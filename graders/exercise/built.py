"""Inputs and expected outputs, built once per `judging_hash`, in boxes of their own.

Instructors are not root: `cases.py`, `reference.py` and `mistakes/` run behind the same walls as a submission. What
comes out is kept in memory and, where the judge has a cache folder, on disk in wire format (never a pickle).

These are the fixed cases. fresh.py draws the cases that one submission alone meets, from the same generators.
"""

import contextlib
import hashlib
import struct
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from graders.boxes.pool import Judge
from graders.boxes.reply import (
    CallOutcome,
    Disallowed,
    Raised,
    Ran,
    Returned,
    Step,
    Stopped,
    ended_by,
    pack,
    raised_from,
    unpack,
    why_not_done,
)
from graders.boxes.sandbox import Box
from graders.cache import CacheFolder, RecentCache
from graders.exercise.cases import Case, Drawn, ExpectedError, Rules, digest, fit, warmth_of
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.dims import Dims
from graders.exercise.limits import Tolerance
from graders.exercise.runs import Deadline, hidden_draws, inputs_of, is_late, run, seed_for
from graders.exercise.signature import match, plain_numbers
from graders.frameworks import releases
from graders.inside import wire

T = TypeVar("T")

MAX_CASES = 100
KEPT_IN_MEMORY = 256
PROBES = 8  # draws of the hidden cases, to find out which are random


@dataclass(frozen=True)
class BuiltCases:
    """The fixed cases, samples first. `drawn`: the places, among the hidden ones, of those that every draw changes."""

    cases: tuple[Case, ...]
    drawn: tuple[int, ...]


class Keeps(Protocol):
    """Where what was built is kept between runs: a judge, or a process that has others build for it."""

    @property
    def cache_folder(self) -> Path | None: ...


@dataclass(frozen=True)
class Shelf:
    """What was built elsewhere, for a process without a judge."""

    cache_folder: Path | None


def built_of(judge: Judge, exercise: Exercise) -> BuiltCases:
    """The exercise's cases, built now if they are not at hand. Raises BrokenExercise, BoxLost, JudgeUnavailable."""
    return _cases.get(judge, exercise, lambda: _build_cases(judge, exercise))


def cases_of(judge: Judge, exercise: Exercise) -> tuple[Case, ...]:
    """The exercise's fixed cases, samples first. Raises as `built_of` does."""
    return built_of(judge, exercise).cases


def mistakes_of(judge: Judge, exercise: Exercise) -> dict[str, tuple[CallOutcome, ...]]:
    """The outcomes of each known mistake on the fixed cases, by its name. Raises as `built_of` does."""
    return _mistakes.get(judge, exercise, lambda: _run_mistakes(judge, exercise))


def mistakes_at_hand(judge: Keeps, exercise: Exercise) -> dict[str, tuple[CallOutcome, ...]] | None:
    """Those outcomes if they are known already, else None. Runs nothing."""
    return _mistakes.at_hand(judge, exercise)


def cases_at_hand(judge: Keeps, exercise: Exercise) -> tuple[Case, ...] | None:
    """The fixed cases if they have already been built, else None. Runs nothing."""
    built = _cases.at_hand(judge, exercise)
    return built.cases if built else None


def draws_any(judge: Judge, exercise: Exercise) -> bool:
    """Whether any of its hidden cases is drawn at random; True while it is not built."""
    built = _cases.at_hand(judge, exercise)
    return built is None or bool(built.drawn)


def is_broken(exercise: Exercise) -> bool:
    """Whether building its cases has failed."""
    return exercise.judging_hash in _cases.faults


def is_built(judge: Judge, exercise: Exercise) -> bool:
    """Whether both cases and mistakes are either at hand or found broken, so that nobody has to wait for them."""
    return all(store.is_settled(judge, exercise) for store in (_cases, _mistakes))


def encoded_cases(judge: Judge, exercise: Exercise) -> bytes:
    """The fixed cases for a process that has no judge, built now if they are not at hand. Raises as `built_of` does."""
    return _cases.encoded(built_of(judge, exercise))


def encoded_mistakes(judge: Judge, exercise: Exercise) -> bytes:
    """The outcomes of known mistakes, likewise."""
    return _mistakes.encoded(mistakes_of(judge, exercise))


def keep_cases(shelf: Keeps, exercise: Exercise, encoded: bytes) -> None:
    """From now on these cases are at hand. Raises ValueError for what `encoded_cases` did not write."""
    _cases.keep(shelf, exercise, encoded)


def keep_mistakes(shelf: Keeps, exercise: Exercise, encoded: bytes) -> None:
    """Likewise what `encoded_mistakes` wrote."""
    _mistakes.keep(shelf, exercise, encoded)


def note_fault(exercise: Exercise, broken: BrokenExercise) -> None:
    """Its cases could not be built elsewhere."""
    _cases.faults.put(exercise.judging_hash, broken.again())


def forget_memory() -> None:
    """Forget what is in memory and use only what is on disk, like a process that has just begun."""
    for store in (_cases, _mistakes):
        store.values.clear()


def forget_fault(exercise: Exercise) -> None:
    """Allow a broken exercise to be built again: the machine may only have been busy."""
    for store in (_cases, _mistakes):
        store.forget_fault(exercise)


# ------------------------------------------------------------------ building


def _build_cases(judge: Judge, exercise: Exercise) -> BuiltCases:
    drawn = inputs_of(judge, exercise)
    if not drawn or len(drawn) > MAX_CASES:
        raise BrokenExercise("cases.py", f"yields {len(drawn)} cases", f"yield between 1 and {MAX_CASES}")
    cases = tuple(answers(judge, exercise, drawn))
    return BuiltCases(cases, _drawn_at_random(judge, exercise, [case for case in cases if not case.sample]))


def answers(judge: Judge, exercise: Exercise, drawn: Sequence[Drawn], fresh: bool = False) -> Iterator[Case]:
    """Each case, with the reference's answer. Raises BrokenExercise."""
    bound = [_fitted(exercise, one) for one in drawn]
    inputs: list[Mapping[str, Any]] = [inputs for inputs, _ in bound]
    # always closed: otherwise the box would stay open as long as a caller keeps the error
    step_seconds = exercise.limits.wall_seconds
    deadline = Deadline.to_build(judge, exercise.reference.path, "all cases together", step_seconds)
    with closing(run(judge, exercise, exercise.reference, inputs, deadline=deadline, at_once=fresh)) as outcomes:
        for one, (fitted, dims), outcome in zip(drawn, bound, outcomes, strict=True):
            try:
                answer, error = answer_of(exercise, dims, outcome)
            except ValueError as wrong:
                raise BrokenExercise(
                    "reference.py", f"on the case {one.name!r}, {wrong}", "return what [signature] declares"
                ) from None
            except NoAnswer:
                raise _broken_reference(one.name, outcome) from None
            yield Case(one.name, one.sample, fitted, dims, answer, error, one.rules, fresh=fresh)


class NoAnswer(Exception):
    """The reference's outcome is no answer: it was stopped, or raised what is not listed in `raises`."""


def answer_of(exercise: Exercise, dims: Dims, outcome: CallOutcome) -> tuple[Any, ExpectedError | None]:
    """The expected value, and the expected exception if that is the answer. Raises NoAnswer; ValueError, in words, for
    a value of another type than declared."""
    match_ = partial(match, exercise.signature.parsed_returns, dims=dict(dims), where="its answer")
    if isinstance(outcome, Returned):
        return match_(value=outcome.value), None
    if isinstance(outcome, Ran):
        return tuple(_planned(exercise, step) for step in outcome.steps), None
    if isinstance(outcome, Raised) and (name := _listed_in(exercise, outcome)):
        return None, ExpectedError(name, outcome.message)
    raise NoAnswer


def _planned(exercise: Exercise, step: Step) -> Step:
    line, kind, content = step
    if kind == "value":
        return line, kind, plain_numbers(content)
    if kind == "raised":
        raised = raised_from(content)
        if (name := _listed_in(exercise, raised)) is None:
            raise NoAnswer
        return line, kind, {"type": name, "message": raised.message}
    return step


def _listed_in(exercise: Exercise, raised: Raised) -> str | None:
    """The exception of `raises` that this is."""
    return next((name for name in exercise.raises if raised.is_a(name) and not raised.memory), None)


def _fitted(exercise: Exercise, drawn: Drawn) -> tuple[dict[str, Any], Dims]:
    """A case's inputs as [signature] declares them, and the sizes that they fix. Raises BrokenExercise."""
    name = drawn.name
    try:
        return fit(exercise, drawn.inputs)
    except ValueError as error:
        raise BrokenExercise(
            "cases.py", f"the case {name!r} does not fit [signature]: {error}", "give the declared dtype and shape"
        ) from None


def _drawn_at_random(judge: Judge, exercise: Exercise, hidden: Sequence[Case]) -> tuple[int, ...]:
    """The places of the hidden cases whose inputs differ in every draw, of several.

    If there are none, the places of those that differ in some. The seeds are fixed, so the result is the same on every
    machine.
    """
    probes = [(seed_for(exercise, False, f"probe:{n}"), None) for n in range(PROBES)]
    draws = [[digest(drawn.inputs) for drawn in draw] for draw in hidden_draws(judge, exercise, probes)]
    draws.append([digest(case.inputs) for case in hidden])
    different = [len(set(at_place)) for at_place in zip(*draws, strict=False)]
    always = tuple(place for place, count in enumerate(different) if count == len(draws))
    return always or tuple(place for place, count in enumerate(different) if count > 1)


def _broken_reference(case: str, outcome: CallOutcome) -> BrokenExercise:
    outcome = (outcome.error() if isinstance(outcome, Ran) else None) or outcome
    if isinstance(outcome, Raised):
        text = f"raises {outcome.type} on the case {case!r}: {outcome.message}"
        return BrokenExercise("reference.py", text, "correct that line", outcome.line)
    if isinstance(outcome, Disallowed):
        return BrokenExercise("reference.py", str(why_not_done(outcome)), "change it, or the pattern", outcome.line)
    broken = BrokenExercise(
        "reference.py", f"does not answer the case {case!r}: {ended_by(outcome) or why_not_done(outcome)}",
        "make it return what [signature] declares, within [limits]",
    )  # fmt: skip
    broken.is_late = is_late(outcome)
    return broken


def _run_mistakes(judge: Judge, exercise: Exercise) -> dict[str, tuple[CallOutcome, ...]]:
    """All mistakes of one framework share a box, so that each shape is compiled only once."""
    cases = cases_of(judge, exercise)
    inputs = [case.inputs for case in cases]
    by_mistake: dict[str, tuple[CallOutcome, ...]] = {}
    boxes: dict[str, Box] = {}
    deadline = Deadline.to_build(judge, "mistakes", "all known mistakes together", exercise.limits.wall_seconds)
    try:
        for mistake in exercise.mistakes:
            framework = mistake.source.framework
            warmth = warmth_of(exercise, cases, framework)
            box = boxes[framework] = boxes.get(framework) or judge.take(framework, warmth=warmth)
            by_mistake[mistake.name] = outcomes = tuple(run(judge, exercise, mistake.source, inputs, box, deadline))
            if any(isinstance(outcome, Stopped) for outcome in outcomes):
                boxes.pop(framework).close()
    finally:
        for box in boxes.values():
            box.close()
    return by_mistake


# ------------------------------------------------------------------ keeping


class Store(Generic[T]):
    """What was built, by judging hash: in memory, and on disk where there is a cache folder. Nothing is built twice.

    Broken exercises are remembered too, so that the next caller learns it without waiting.
    """

    def __init__(
        self, suffix: str, pack: Callable[[T], dict[str, Any]], unpack: Callable[[Mapping[str, Any]], T]
    ) -> None:
        self.suffix, self.pack, self.unpack = suffix, pack, unpack
        self.values: RecentCache[str, T] = RecentCache(KEPT_IN_MEMORY)
        self.faults: RecentCache[str, BrokenExercise] = RecentCache(KEPT_IN_MEMORY)
        self.locks: dict[str, threading.Lock] = {}
        self.guard = threading.Lock()

    def get(self, judge: Judge, exercise: Exercise, build: Callable[[], T]) -> T:
        key = exercise.judging_hash
        if (value := self.values.get(key)) is not None:
            return value
        with self.guard:
            lock = self.locks.setdefault(key, threading.Lock())
        with lock:
            value = self.at_hand(judge, exercise)
            if value is not None:
                return value
            if broken := self.faults.get(key):
                raise broken.again()
            try:
                value = self._built(build)
            except BrokenExercise as broken:
                self.faults.put(key, broken.again())  # without the frames that it came through
                raise
            self._write(judge, key, value)
        self.values.put(key, value)
        with self.guard:
            self.locks.pop(key, None)
        return value

    def _built(self, build: Callable[[], T]) -> T:
        """What was stopped at a limit of time is tried once more. Raises BrokenExercise."""
        try:
            return build()
        except BrokenExercise as broken:
            if not broken.is_late:
                raise
        return build()

    def encoded(self, value: T) -> bytes:
        """Raises WireError where it is too large."""
        return wire.encode(self.pack(value))

    def keep(self, shelf: Keeps, exercise: Exercise, encoded: bytes) -> None:
        """Raises ValueError."""
        try:
            value = self._decoded(encoded)
        except (KeyError, TypeError, struct.error) as error:
            raise ValueError(f"not what was built: {error!r}") from None
        self.faults.pop(exercise.judging_hash)
        self.values.put(exercise.judging_hash, value)
        self._folder(shelf).write(exercise.judging_hash, encoded)

    def at_hand(self, judge: Keeps, exercise: Exercise) -> T | None:
        """What was built before, by this or another process, else None. Builds nothing."""
        key = exercise.judging_hash
        value = self.values.get(key)
        if value is None and (value := self._read(judge, key)) is not None:
            self.values.put(key, value)
        return value

    def is_settled(self, judge: Judge, exercise: Exercise) -> bool:
        return exercise.judging_hash in self.faults or self.at_hand(judge, exercise) is not None

    def forget_fault(self, exercise: Exercise) -> None:
        self.faults.pop(exercise.judging_hash)

    def _folder(self, judge: Keeps) -> CacheFolder:
        return CacheFolder(judge.cache_folder, f"-{versions()}.{self.suffix}")

    def _read(self, judge: Keeps, key: str) -> T | None:
        try:
            return self._decoded(self._folder(judge).read(key) or b"")
        except (ValueError, KeyError, TypeError, struct.error):
            return None  # missing, cut short by a full disk, or of another version: built again

    def _decoded(self, data: bytes) -> T:
        """Raises ValueError, KeyError, TypeError or struct.error for what is not whole."""
        text, blob = wire.lengths(data[: wire.HEADER.size], len(data))
        start = wire.HEADER.size
        return self.unpack(wire.decode(data[start : start + text], data[start + text : start + text + blob]))

    def _write(self, judge: Keeps, key: str, value: T) -> None:
        with contextlib.suppress(wire.WireError):  # too large for a file: kept in memory only
            self._folder(judge).write(key, self.encoded(value))


@cache
def versions() -> str:
    """A digest of the frameworks' releases: another release may round, draw or complain differently."""
    versions = ",".join(f"{name}={version(name)}" for name in releases())
    return hashlib.sha256(versions.encode()).hexdigest()[:12]


def _packed_error(error: ExpectedError | None) -> list[str] | None:
    return [error.name, error.message] if error else None


def _packed_rules(rules: Rules) -> list[Any]:
    return [rules.weight, [rules.tolerance.rtol, rules.tolerance.atol] if rules.tolerance else None, rules.message]


def _case_from(
    name: str, sample: bool, inputs: dict[str, Any], dims: Dims, expected: Any, error: Any, rules: list[Any]
) -> Case:
    weight, tolerance, message = rules
    own = Tolerance(rtol=tolerance[0], atol=tolerance[1]) if tolerance else None
    return Case(
        name, sample, inputs, dims, expected, ExpectedError(*error) if error else None, Rules(weight, own, message)
    )


def _pack_cases(built: BuiltCases) -> dict[str, Any]:
    cases = [
        [c.name, c.sample, dict(c.inputs), dict(c.dims), c.expected, _packed_error(c.error), _packed_rules(c.rules)]
        for c in built.cases
    ]
    return {"cases": cases, "drawn": [*built.drawn]}


def _unpack_cases(message: Mapping[str, Any]) -> BuiltCases:
    cases = tuple(_case_from(*fields) for fields in message["cases"])
    return BuiltCases(cases, tuple(message["drawn"]))


def _pack_mistakes(by_mistake: dict[str, tuple[CallOutcome, ...]]) -> dict[str, Any]:
    return {"mistakes": {name: [pack(outcome) for outcome in outcomes] for name, outcomes in by_mistake.items()}}


def _unpack_mistakes(message: Mapping[str, Any]) -> dict[str, tuple[CallOutcome, ...]]:
    return {name: tuple(unpack(packed) for packed in rows) for name, rows in message["mistakes"].items()}


_cases: Store[BuiltCases] = Store("cases", _pack_cases, _unpack_cases)
_mistakes: Store[dict[str, tuple[CallOutcome, ...]]] = Store("mistakes", _pack_mistakes, _unpack_mistakes)
