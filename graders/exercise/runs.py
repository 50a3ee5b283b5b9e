"""An instructor's files in a box: call them on inputs, measure them, and have them draw cases."""

import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import product, takewhile
from typing import Any

from graders.boxes.pool import Judge
from graders.boxes.reply import (
    BoxAnswer,
    CallOutcome,
    Disallowed,
    Done,
    Misplaced,
    Missing,
    Raised,
    Ran,
    Reply,
    Returned,
    Stopped,
    Uncallable,
    Unreadable,
    outcome_of,
    why_not_done,
)
from graders.boxes.sandbox import Box
from graders.exercise import materials
from graders.exercise.cases import Case, Drawn, Rules, request_of, warmth_of
from graders.exercise.definition import BrokenExercise, Exercise, Source
from graders.exercise.limits import Limits
from graders.frameworks import compiles
from graders.inside import wire
from graders.inside.wire import SCRIPT

CASES_SECONDS = 20.0
SLACK_SECONDS = 10.0  # beyond the longest call: after that it was the machine that stood still
SEED_BITS = 63
# Draws, or calls, that one question asks for, if they take no longer: a submission may wait for it
AT_ONCE, AT_ONCE_MS = 16, 4.0


@dataclass(frozen=True)
class Deadline:
    """Until when, on the judge's clock, an instructor's files may be called. After that `path` is too slow."""

    at: float
    seconds: float  # how far away it was when it was set
    path: str
    what: str  # takes more than these seconds
    step_seconds: float  # one call takes at most so long

    @classmethod
    def to_build(cls, judge: Judge, path: str, what: str, step_seconds: float) -> "Deadline":
        return cls(judge.clock() + judge.build_seconds, judge.build_seconds, path, what, step_seconds)

    def check(self, judge: Judge) -> None:
        """Raises BrokenExercise once it has passed; one that is late where no call can have taken so long."""
        over = judge.clock() - self.at
        if over <= 0:
            return
        broken = BrokenExercise(
            self.path,
            f"takes more than {self.seconds:g} s for {self.what}",
            "make the cases smaller or fewer, or ask the operator to raise LECTERN_BUILD_SECONDS",
        )
        broken.is_late = over > self.step_seconds + SLACK_SECONDS
        raise broken


@dataclass(frozen=True)
class Measurement:
    """What an instructor's file used of the limits on the cases, and for each case one outcome a turn."""

    outcomes: tuple[tuple[CallOutcome, ...], ...]
    load_ms: float  # of wall clock, or of processor time if that is less, since other work may keep this machine busy
    calls_ms: tuple[float, ...]  # the same for each case, in the first turn
    slowest_ms: tuple[float, float]  # the slowest of these calls: by the clock, and of processor time
    memory_kb: int  # the most, in addition to the framework's own
    output_kb: float  # the largest value returned
    further: tuple[CallOutcome, ...] = ()  # of the further inputs, in order; none after one that broke the box


def run(
    judge: Judge,
    exercise: Exercise,
    source: Source,
    inputs: list[Mapping[str, Any]],
    box: Box | None = None,
    deadline: Deadline | None = None,
    *,
    at_once: bool = False,
) -> Generator[CallOutcome, None, None]:
    """Call an instructor's file on each input, in one box, or a new one after it was stopped. Yields the outcomes.

    `at_once`: where the calls are quick, one question asks for many of them. Such an outcome is the value alone. It
    does not say what the call did to its arguments, or whose arrays it returned.

    Raises BrokenExercise once `deadline` has passed.
    """
    callers_box = box
    # What compiles takes much longer for a size that it has not met
    count, most = 1, AT_ONCE if at_once and not compiles(source.framework) else 1
    over = 0
    try:
        loaded = False
        while rest := inputs[over:]:
            if deadline is not None:
                deadline.check(judge)
            if box is None:
                box, loaded = judge.take(source.framework), False
            if not loaded:
                answer = load(box, source.text, exercise.entries, exercise, source.framework).answer
                if not isinstance(answer, Done):
                    yield from [answer] * len(rest)
                    return
                loaded = True
            # A script is asked alone: its answer is the answers of its statements
            some = list(takewhile(lambda arguments: SCRIPT not in arguments, rest[:count])) or rest[:1]
            requests = [request_of(exercise, arguments) for arguments in some]
            try:
                reply = box.ask(_together(requests), exercise.limits.wall_seconds, exercise.limits)
            except wire.WireError:  # together they are too large, or too deep, for one question
                if len(some) == 1:
                    raise
                count = most = 1
                continue
            if len(some) == 1:
                outcomes = [outcome_of(reply)]
            elif (values := _values(reply.answer, len(some))) is not None:
                outcomes = [Returned(value) for value in values]
            else:
                outcomes, most = [], 1  # one call gave no value: ask each alone, to learn which
            yield from outcomes
            over += len(outcomes)
            count = max(1, min(most, int(AT_ONCE_MS * len(some) / max(reply.wall_ms, 0.01))))
            if isinstance(reply.answer, Stopped):
                box.close()
                box = None
    finally:
        if box is not None and box is not callers_box:
            box.close()


def _values(answer: BoxAnswer, count: int) -> list[Any] | None:
    """The values of `count` calls; None for any other answer."""
    values = answer.value if isinstance(answer, Returned) else None
    return values if isinstance(values, list) and len(values) == count else None


def _together(requests: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The question for one call, or for several."""
    if len(requests) == 1:
        return requests[0]
    return {"op": "calls", "args": [each["args"] for each in requests], "seeds": [each["seed"] for each in requests]}


def measure(
    judge: Judge,
    exercise: Exercise,
    source: Source,
    cases: tuple[Case, ...],
    turns: int = 1,
    further: Sequence[Mapping[str, Any]] = (),
) -> Measurement:
    """Run an instructor's file on every case, `turns` times, in one box. Raises BoxLost.

    If a call breaks the box, its outcome counts for all later cases.

    `further`: inputs on which it is called after that, unmeasured, until the box is broken. In JAX they cost little
    there: the box has compiled what they need.
    """
    warmth = warmth_of(exercise, cases, source.framework)
    outcomes: list[list[CallOutcome]] = [[] for _ in cases]
    calls_ms = []
    both_ms = [(0.0, 0.0)]
    output_kb = 0.0
    beyond: list[CallOutcome] = []
    with closing(judge.take(source.framework, warmth=warmth)) as box:
        cpu_before = box.cpu_seconds()
        loaded = load(box, source.text, exercise.entries, exercise, source.framework)
        load_ms = min(loaded.wall_ms, (box.cpu_seconds() - cpu_before) * 1000)
        failure = loaded.answer if not isinstance(loaded.answer, Done) else None
        for turn, (case, case_outcomes) in product(range(turns), zip(cases, outcomes, strict=True)):
            if failure is None:
                cpu_before = box.cpu_seconds()
                reply = box.ask(request_of(exercise, case.inputs), exercise.limits.wall_seconds, exercise.limits)
                outcome = outcome_of(reply)
                failure = outcome if isinstance(outcome, Stopped) else None
                if turn == 0:
                    cpu_ms = (box.cpu_seconds() - cpu_before) * 1000
                    calls_ms.append(reply.wall_ms if failure else min(reply.wall_ms, cpu_ms))
                    both_ms.append((reply.wall_ms, cpu_ms))
                if isinstance(outcome, Returned | Ran):
                    value = outcome.value if isinstance(outcome, Returned) else list(outcome.steps)
                    output_kb = max(output_kb, len(wire.encode({"v": value})) / 1024)
            case_outcomes.append(failure or outcome)
        memory_kb = 0 if failure else box.peak_kb()
        for inputs in further if failure is None else ():
            reply = box.ask(request_of(exercise, inputs), exercise.limits.wall_seconds, exercise.limits)
            beyond.append(outcome_of(reply))
            if isinstance(reply.answer, Stopped):
                break
    return Measurement(
        tuple(map(tuple, outcomes)), load_ms, tuple(calls_ms), max(both_ms), memory_kb, output_kb, tuple(beyond)
    )


def inputs_of(judge: Judge, exercise: Exercise, turns: Iterable[int | None] = (None,)) -> list[Drawn]:
    """What cases.py yields, samples first.

    Each number in `turns` seeds the generators differently, for inputs beside the cases. Raises BrokenExercise.
    """
    both = (("sample_cases", True), ("hidden_cases", False))
    with _generators(judge, exercise) as draw:
        return [
            replace(drawn, sample=sample)
            for turn, (generator, sample) in product(turns, both)
            for drawn in draw(generator, [(seed_for(exercise, sample, turn), None)])[0]
        ]


def hidden_draws(
    judge: Judge, exercise: Exercise, draws: Iterable[tuple[int, Sequence[int] | None]]
) -> list[list[Drawn]]:
    """What `hidden_cases` yields under each seed: at the given places, in order, or at all.

    Raises BrokenExercise.
    """
    with _generators(judge, exercise) as draw:
        return draw("hidden_cases", list(draws))


_Request = tuple[int, Sequence[int] | None]  # a seed, and the places that are wanted; None: all
_Draw = Callable[[str, Sequence[_Request]], list[list[Drawn]]]


@contextmanager
def _generators(judge: Judge, exercise: Exercise) -> Iterator[_Draw]:
    """cases.py, loaded in a box of its own: a function that calls one of its generators, once for each request. Where
    that is quick, one question asks for many draws, since a question costs more than a draw. Raises BrokenExercise."""
    with closing(judge.take("numpy")) as box:
        generous = Limits(memory_mb=exercise.limits.memory_mb, output_kb=256 << 10)
        loaded = load(box, exercise.cases.text, None, exercise, "numpy", CASES_SECONDS).answer
        if reason := why_not_done(loaded):
            raise _broken(loaded, reason)
        deadline = Deadline.to_build(judge, "cases.py", "all cases together", CASES_SECONDS)

        def ask(generator: str, draws: Sequence[_Request]) -> Reply:
            wanted = [[seed, None if only is None else [*only]] for seed, only in draws]
            deadline.check(judge)
            seconds = min(CASES_SECONDS, max(0.0, deadline.at - judge.clock()))
            return box.ask({"op": "cases", "generator": generator, "draws": wanted}, seconds, generous)

        def draw(generator: str, draws: Sequence[_Request]) -> list[list[Drawn]]:
            drawn: list[list[Drawn]] = []
            count, most = 1, AT_ONCE
            while rest := draws[len(drawn) :]:
                some = rest[:count]
                reply = ask(generator, some)
                if isinstance(reply.answer, Missing):
                    raise BrokenExercise("cases.py", f"does not define {generator}", f"write def {generator}(rng): …")
                if isinstance(reply.answer, Returned):
                    drawn += [[_drawn(exercise, *case) for case in cases or []] for cases in reply.answer.value]
                    count = max(1, min(most, int(AT_ONCE_MS * len(some) / max(reply.wall_ms, 0.01))))
                elif len(some) > 1 and not isinstance(reply.answer, Stopped):
                    count = most = 1  # together they may be too large for one answer
                else:
                    raise _broken(reply.answer, str(why_not_done(reply.answer)), generator)
            return drawn

        yield draw


def seed_for(exercise: Exercise, sample: bool, turn: int | str | None = None) -> int:
    """A seed for each generator, from the exercise's name: changes elsewhere in a file change no case."""
    return seed_of(f"{exercise.slug}:{'sample' if sample else 'hidden'}{'' if turn is None else f':{turn}'}")


def seed_of(name: str) -> int:
    """The seed of SEED_BITS bits that belongs to a name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") >> (64 - SEED_BITS)


def load(
    box: Box,
    source: str,
    entries: Sequence[str] | None,
    exercise: Exercise,
    framework: str,
    seconds: float | None = None,
    parameters: Sequence[int] | None = None,
    lines: int = 0,
) -> Reply:
    """Have the box load a module. From here on its memory is limited. `lines`: as for `Box.ask`.

    `entries`: the names that it must define; None for cases.py. `parameters`: with how many arguments the function must
    be callable; by default as many as [signature] declares, with and without those that have a default.
    """
    limits = exercise.limits
    request = {
        "op": "load",
        "source": source,
        "entries": None if entries is None else [*entries],
        "parameters": [*(_counts(exercise) if parameters is None else parameters)],
        "rules": [rule.json() for rule in exercise.source_rules] if entries == exercise.entries else [],
        **materials.for_box(exercise, box),
        "framework": framework,
        "wide": exercise.signature.is_wide,
        "data_bytes": box.data_bytes() + (limits.memory_mb << 20),
        "output_bytes": limits.output_kb << 10,
    }
    return box.ask(request, seconds if seconds is not None else limits.wall_seconds, limits, lines=lines)


def _broken(answer: BoxAnswer, reason: str, subject: str = "") -> BrokenExercise:
    """What is wrong with cases.py, whose box answered so."""
    line = answer.line if isinstance(answer, Raised | Unreadable | Disallowed | Misplaced | Uncallable) else None
    return BrokenExercise("cases.py", reason, "correct that line", line, subject)


def is_late(outcome: BoxAnswer | CallOutcome) -> bool:
    """Whether a limit of time stopped it, which a machine that stands still reaches too."""
    return isinstance(outcome, Stopped) and outcome.reason == "time_limit"


def _counts(exercise: Exercise) -> list[int]:
    """How many arguments a case may have. Nothing is known of a script's calls."""
    signature = exercise.signature
    return [] if exercise.is_scripted else sorted({signature.required, len(signature.parameters)})


def _drawn(exercise: Exercise, name: str, inputs: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Drawn:
    """A case as cases.py yields it. Raises BrokenExercise for options that no case has."""
    known = {"weight": (int, float), "rtol": (int, float), "atol": (int, float), "message": (str,)}
    hint = 'write for example {"weight": 2, "atol": 1e-3, "message": "…"}'
    for key, value in (options or {}).items():
        if key not in known:
            raise BrokenExercise("cases.py", f"gives the case {name!r} the unknown option {key!r}", hint)
        if type(value) not in known[key] or (not isinstance(value, str) and not 0 <= value < 1e308):
            raise BrokenExercise("cases.py", f"gives the case {name!r} an option {key} of {value!r}", hint)
    fields = dict(options or {})
    own = {key: float(fields[key]) for key in ("rtol", "atol") if key in fields}
    tolerance = replace(exercise.tolerance, outputs={}, **own) if own else None
    return Drawn(False, name, inputs, Rules(float(fields.get("weight", 1.0)), tolerance, fields.get("message", "")))
