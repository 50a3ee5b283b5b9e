"""Grading one submission, as a generator of events: `Began`, a `CaseFinished` each, `Finished`.

The web's worker, `lectern grade`, `lectern check` and the tests all consume the same events.
"""

import logging
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, assert_never

from graders.boxes.pool import Judge
from graders.boxes.reply import (
    CallOutcome,
    Disallowed,
    Done,
    Misplaced,
    Missing,
    Odd,
    Raised,
    Ran,
    Reply,
    Returned,
    ReturnTooLarge,
    Stopped,
    TraceTooSlow,
    Uncallable,
    Unloadable,
    Unreadable,
    outcome_of,
)
from graders.boxes.sandbox import Box, BoxLost, TriesSpent
from graders.boxes.warmth import Warmth
from graders.boxes.where import NOWHERE
from graders.exercise.built import cases_of, mistakes_at_hand, mistakes_of
from graders.exercise.cases import Case, request_of, warmth_of
from graders.exercise.checker import Checker, checker_of
from graders.exercise.definition import BrokenExercise, Exercise, KnownMistake
from graders.exercise.fresh import ON_DEMAND, Stock, draw
from graders.exercise.own_input import own_case
from graders.exercise.reader import framework_mark
from graders.exercise.runs import load
from graders.exercise.variations import variations_at_hand
from graders.frameworks import BY_NAME, compiles
from graders.reasons.answers import compared_values, difference
from graders.reasons.arrays import ComparedArrays
from graders.reasons.compare import arrays, odd_return, view
from graders.reasons.diagnose import diagnose, known_mistake, more_telling
from graders.reasons.edges import edge
from graders.reasons.experiments import Experiments
from graders.reasons.fingerprint import fingerprint, fingerprint_unloaded
from graders.reasons.pairs import Diagnosis
from graders.reasons.plain import plain
from graders.reasons.repairs.edit import Edit
from graders.reasons.repairs.repair import Repairs
from graders.reasons.script import transcript
from graders.reasons.source.finding import BEFORE_ERRORS
from graders.reasons.source.look import beside_mistake, explanation, look_at_source, with_repair
from graders.reasons.source.place import line_of, sentence
from graders.reasons.source.program import read_program
from graders.reasons.trace import Trace
from graders.reasons.trace import read as read_trace
from graders.verdict import (
    UNGRADED,
    ArrayView,
    CaseResult,
    Mismatch,
    StudentError,
    SubmissionResult,
    Verdict,
    summary_of,
    worst,
)

log = logging.getLogger("lectern.diagnosis")
boxes_log = logging.getLogger("lectern.boxes")

MAX_SOURCE_BYTES = 64 << 10
DISALLOWED = "NotAllowed"  # the type that a case names when the source breaks [source]
TRIES = 3  # boxes lost through no fault of the submission before we give up on it
# The tracer ends the traced call in time; on a busy machine its report takes a moment longer.
REPORT_SECONDS = 1.0


@dataclass(frozen=True)
class CaseName:
    name: str
    sample: bool


@dataclass(frozen=True)
class Began:
    cases: tuple[CaseName, ...]


@dataclass(frozen=True)
class CaseFinished:
    index: int
    result: CaseResult


@dataclass
class Stages:
    """Where the time of one grading went, in milliseconds of wall clock. The queue adds how long it was queued."""

    cases: float = 0.0  # the exercise's cases and expected outputs: built once, then at hand
    box: float = 0.0  # until a warm box was ours
    load: float = 0.0
    calls: list[float] = field(default_factory=list)  # one for each case: there and back
    compare: float = 0.0  # of all cases together
    diagnose: float = 0.0


@dataclass(frozen=True)
class Usage:
    """What the calls of all cases took together.

    `wall_ms`: wall clock on this machine, from sending the inputs to having the outputs back, without loading the
    module. `peak_mb`: the most memory at any time, including loading, beyond what the box had before the submission
    came, so without the framework's. None where the box was gone before it could be asked.

    attack: take so much time, or memory, that the amount says what a hidden input was. defence: a student reads two
    significant figures.
    """

    wall_ms: float
    peak_mb: float | None


@dataclass(frozen=True)
class Finished:
    result: SubmissionResult
    reason: str | None = field(default=None)  # for the instructor: why it is an internal_error
    stages: Stages = field(default_factory=Stages)
    trace: Trace | None = field(default=None)  # of kind "trace" only
    usage: Usage | None = field(default=None)  # where every case was called
    seed: int | None = field(default=None)  # of the fresh cases: by it this can be judged again
    fingerprint: str | None = field(default=None)  # of a wrong outcome, for staff alone: graders/reasons/fingerprint.py


Event = Began | CaseFinished | Finished


def grade(
    exercise: Exercise,
    source: bytes,
    framework: str | None,
    judge: Judge,
    kind: str = "submit",
    inputs: Mapping[str, Any] | None = None,
    case_name: str | None = None,
    stock: Stock = ON_DEMAND,
    seed: int | None = None,
    *,
    keeps_box: bool = False,
) -> Iterator[Event]:
    """Judge `source`. `kind` "run" judges the sample cases, or the one given by `inputs`, and earns no credit.

    "trace" judges one sample case (the first, or the one named by `case_name`) or `inputs`, line by line. "submit"
    judges all cases and fresh ones from `stock`; to repeat a verdict, `seed` draws the same fresh cases again.

    `keeps_box`: the caller goes on to the end after `Finished`. Where all is right, the box is taken away then: to kill
    it, and to have the next one forked, took a tenth of the time that a student waited for the verdict.

    Raises JudgeUnavailable, and BoxLost where no box was available: our failure, to be tried again.
    """
    stages = Stages()
    text, problem = read_source(source)
    framework = framework or framework_mark(text) or exercise.frameworks[0]
    if framework not in exercise.frameworks:
        problem = f"This exercise is not for {framework}: choose one of {', '.join(exercise.frameworks)}."
    try:
        began = time.monotonic()
        cases, seed = _chosen_cases(judge, exercise, kind, inputs, case_name, stock, seed)
        # attack: run on your own inputs, so that boxes warm up for those sizes and for nobody else's.
        # defence: boxes warm up for the exercise's own samples, no matter which inputs are judged.
        warmth = warmth_of(exercise, cases_of(judge, exercise)) if compiles(framework) else None
        stages.cases = _since(began)
    except BrokenExercise as broken:
        yield Finished(SubmissionResult(Verdict.internal_error, 0.0, UNGRADED, None, None, ()), str(broken))
        return
    except ValueError as error:
        yield Finished(SubmissionResult(Verdict.invalid_submission, 0.0, str(error), None, None, ()))
        return
    names = _names(cases)
    yield Began(tuple(names))
    if problem:
        yield _finished(exercise, [CaseResult(name.name, name.sample) for name in names], invalid=problem)
        return

    judging = _Judging(
        judge, exercise, text, framework, cases, names, stages, warmth, kind == "trace", keeps_box=keeps_box
    )  # fmt: skip
    try:
        judging.checker = checker_of(judge, exercise, exercise.limits.total_seconds)
        yield from _judged(judging, kind, seed)
    finally:
        judging.close()


def _judged(judging: "_Judging", kind: str, seed: int | None) -> Iterator[Event]:
    """The results, and the end. What is wrong lets go of its box first: explaining takes its time, and may want boxes
    of its own."""
    exercise, cases, names, stages = judging.exercise, judging.cases, judging.names, judging.stages
    try:
        yield from judging.run()
    except _InvalidSubmission as invalid:
        in_words = _in_words(invalid.error, judging.framework, judging.source)
        first = CaseResult(names[0].name, names[0].sample, Verdict.invalid_submission, error=in_words)
        rest = [CaseResult(name.name, name.sample) for name in names[1:]]
        yield CaseFinished(0, first)
        yield _finished(exercise, [first, *rest], invalid=invalid.summary)
        return
    except BrokenExercise as broken:  # its checker fails on an answer
        yield Finished(SubmissionResult(Verdict.internal_error, 0.0, UNGRADED, None, None, ()), str(broken))
        return
    except TriesSpent as error:
        for _ in judging.leave_rest():
            pass
        yield Finished(
            SubmissionResult(Verdict.internal_error, 0.0, UNGRADED, None, None, tuple(judging.results)), str(error)
        )
        return
    if not (judging.keeps_box and judging.is_right()):
        judging.close()
    began = time.monotonic()
    last = _diagnosed(judging)
    stages.diagnose += _since(began)
    if judging.is_traced and judging.outcomes:
        last = replace(last, trace=read_trace(judging.trace, exercise.signature, cases[0].dims))
    is_whole = len(stages.calls) == len(cases)
    usage = Usage(_two_figures(sum(stages.calls)), judging.peak_mb) if is_whole else None
    wrong = _fingerprint_of(exercise, cases, judging) if kind == "submit" else None
    yield replace(last, stages=stages, usage=usage, seed=seed, fingerprint=wrong)


def _two_figures(number: float) -> float:
    return float(f"{number:.1e}")


def _since(began: float) -> float:
    return round((time.monotonic() - began) * 1000, 3)


def read_source(source: bytes) -> tuple[str, str | None]:
    """The text of a submission, or why it cannot be one, in words for the student."""
    if len(source) > MAX_SOURCE_BYTES:
        return "", f"The source is {len(source) >> 10} KiB; at most {MAX_SOURCE_BYTES >> 10} KiB are judged."
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source[: error.start].count(b"\n") + 1
        return "", f"Line {line} is not UTF-8: save the file as UTF-8."
    if "\0" in text:
        return "", f"Line {text[: text.index(chr(0))].count(chr(10)) + 1} has a NUL character: remove it."
    return text, None


def _chosen_cases(
    judge: Judge,
    exercise: Exercise,
    kind: str,
    inputs: Mapping[str, Any] | None,
    case_name: str | None,
    stock: Stock,
    seed: int | None,
) -> tuple[tuple[Case, ...], int | None]:
    """The cases to judge by, and the seed of those that are fresh."""
    if kind != "submit" and inputs is not None:
        return (own_case(judge, exercise, inputs),), None
    cases = cases_of(judge, exercise)
    if kind == "submit":
        fresh = draw(judge, exercise, [seed])[0] if seed is not None else stock.take(judge, exercise)
        return (*cases, *fresh.cases), fresh.seed
    samples = tuple(case for case in cases if case.sample)  # a hidden case is never run or traced by its name
    if kind == "run":
        return samples, None
    chosen = [case for case in samples if case_name in (None, case.name)][:1]
    if not chosen:
        names = ", ".join(repr(case.name) for case in samples) or "none"
        raise ValueError(f"There is no sample case {case_name!r}; the sample cases are: {names}.")
    return tuple(chosen), None


def _names(cases: tuple[Case, ...]) -> list[CaseName]:
    """Samples by their names, which may be blank; hidden ones are numbered, since a name can give a case away."""
    hidden = 0
    names = []
    for n, case in enumerate(cases, 1):
        hidden += not case.sample
        own = case.name.strip() or f"sample {n - hidden}"
        names.append(CaseName(own if case.sample else f"hidden {hidden}", case.sample))
    return names


@dataclass
class _Judging:
    """One submission in its box, case by case, and the results so far."""

    judge: Judge
    exercise: Exercise
    source: str
    framework: str
    cases: tuple[Case, ...]
    names: list[CaseName]
    stages: Stages
    warmth: Warmth | None
    is_traced: bool
    keeps_box: bool = False
    checker: Checker | None = None
    box: Box | None = None
    boxes_lost: int = 0
    seconds_left: float = 0.0
    prints: str = ""  # while loading: they are the first case's
    has_failed: bool = False  # on a hidden case: later ones then tell nothing but their verdict
    peak_mb: float | None = None  # once the last case is over
    trace: str | None = None  # what the box reported about its own call, not yet read
    outcomes: dict[int, CallOutcome] = field(default_factory=dict)
    results: list[CaseResult] = field(default_factory=list)
    finding: Diagnosis | None = None  # what calling the function again has shown
    mistakes: list[KnownMistake | None] = field(default_factory=list)  # once it was asked for: that with these outcomes
    repair: Edit | None = None  # the change to the source that makes every case right

    def run(self) -> Iterator[CaseFinished]:
        """Each case's result. A box lost through our fault is replaced, and the case is judged again.

        Raises _InvalidSubmission for what is not a submission, TriesSpent, BoxLost where no box was available, and
        JudgeUnavailable.
        """
        while len(self.results) < len(self.cases):
            try:
                is_over = self._next_case(len(self.results))
            except BoxLost as error:
                self._replace_box(error)
                continue
            yield CaseFinished(len(self.results) - 1, self.results[-1])
            if is_over:
                yield from self.leave_rest()
                return
            if len(self.results) == sum(name.sample for name in self.names):
                self._experiment()
        if self.box is not None:
            self.peak_mb = _two_figures(self.box.peak_kb() / 1024)
            self._repair(self.box)

    def is_right(self) -> bool:
        return all(result.verdict == Verdict.accepted for result in self.results)

    def close(self) -> None:
        """Once is enough, and more do no harm."""
        checker, self.checker = self.checker, None
        box, self.box = self.box, None
        if checker is not None:
            checker.close()
        if box is not None and self.keeps_box:
            self.judge.let_go(box)
        elif box is not None:
            box.close()

    def _next_case(self, index: int) -> bool:
        """Judge one case. Returns whether it is the last that can be judged."""
        if self.box is None:
            self.box = self._take_box()
            if failed := self._load(self.box, self.names[index]):
                self.results.append(failed)
                return True
        seconds = min(self.exercise.limits.wall_seconds, self.seconds_left)
        reply = self._call(self.box, index, seconds)
        self.seconds_left -= reply.wall_ms / 1000
        self.stages.calls.append(round(reply.wall_ms, 3))
        began = time.monotonic()
        self.outcomes[index] = outcome_of(reply)
        self.results.append(self._result(self.box, index, reply, seconds))
        self.prints = ""
        self.stages.compare += _since(began)
        return isinstance(reply.answer, Stopped)

    def _experiment(self) -> None:
        """Before a hidden input enters the box: where a sample is wrong, call the function with other inputs.

        A box that does not survive this is replaced for the hidden cases.
        """
        wrong = [n for n, result in enumerate(self.results) if result.verdict != Verdict.accepted]
        box = self.box
        if not wrong or self.is_traced or box is None:
            return
        began = time.monotonic()
        experiments = Experiments(box, self.exercise, self.framework, self.source)
        variations = () if self.cases[0].own else variations_at_hand(self.judge, self.exercise)
        try:
            self.finding = experiments.finding(self.cases, self.outcomes, wrong, variations)
            self.box = experiments.box
        except BoxLost:
            box.close()
            self.box = None
        except Exception:
            log.exception("no experiments on a submission to %s", self.exercise.slug)
        self.stages.diagnose += _since(began)

    def _repair(self, box: Box) -> None:
        """When all cases are over and some are wrong: which change to the source would make them right."""
        wrong = [n for n, result in enumerate(self.results) if result.verdict != Verdict.accepted]
        if not wrong or self.is_traced:
            return
        began = time.monotonic()
        repairs = Repairs(box, self.exercise, self.framework, self.cases, self.outcomes, wrong, self.checker)
        try:
            mistakes = mistakes_at_hand(self.judge, self.exercise)
            self.mistakes = [] if mistakes is None else [self.mistake(wrong, mistakes)]
            self.repair = repairs.first(self.source, of_what_is_meant=any(self.mistakes))
        except BoxLost as lost:  # a verdict without its explanation is still a true verdict
            boxes_log.warning("no repairs of a submission to %s: %s", self.exercise.slug, lost)
        except Exception:
            log.exception("no repairs of a submission to %s", self.exercise.slug)
        self.stages.diagnose += _since(began)

    def mistake(self, wrong: Sequence[int], mistakes: Mapping[str, tuple[CallOutcome, ...]]) -> KnownMistake | None:
        """The known mistake with just these outcomes. A run has only the samples, which come first; for fresh cases no
        outcomes are known."""
        cases = self.cases
        if not mistakes or len(cases) < 2 or not any(n in self.outcomes for n in wrong):
            return None
        known = {name: outcomes[: len(cases)] for name, outcomes in mistakes.items()}
        fixed = {n: outcome for n, outcome in self.outcomes.items() if not cases[n].fresh}
        return known_mistake(self.exercise, cases, fixed, [n for n in wrong if n in fixed], known, self.framework)

    def _take_box(self) -> Box:
        began = time.monotonic()
        box = self.judge.take(self.framework, warmth=self.warmth)
        self.stages.box += _since(began)
        boxes_log.debug("box %s is taken, forked by zygote %s", box.pid, box.zygote_pid)
        return box

    def _load(self, box: Box, name: CaseName) -> CaseResult | None:
        """None when the module loaded. Raises _InvalidSubmission for what is not a submission."""
        entries = self.exercise.entries
        lines = self._lines_to_tell(len(self.results))
        loaded = load(box, self.source, entries, self.exercise, self.framework, lines=lines)
        self.stages.load += round(loaded.wall_ms, 3)
        self.seconds_left = self.exercise.limits.total_seconds - loaded.wall_ms / 1000
        self.prints = _prints(loaded) + ("\n" if loaded.prints_cut else "")
        failed = _load_failure(loaded, self.exercise, name)
        if failed is None:
            return None
        program = read_program(self.source, entries)
        words = (
            program and isinstance(loaded.answer, Stopped) and sentence(program, loaded.answer.where, self.framework)
        )
        failed = replace(failed, error=_in_words(failed.error, self.framework, self.source), diagnosis=words or None)
        return self._with_line(failed, loaded)

    def _call(self, box: Box, index: int, seconds: float) -> Reply:
        seconds, limits = max(0.0, seconds), self.exercise.limits
        request, lines = request_of(self.exercise, self.cases[index].inputs), self._lines_to_tell(index)
        if not self.is_traced:
            return box.ask(request, seconds, limits, lines=lines)
        request |= {"op": "trace", "seconds": min(seconds, limits.cpu_seconds)}
        reply = box.ask(request, seconds + REPORT_SECONDS, limits, lines=lines)
        self.trace = reply.trace
        return reply

    def _lines_to_tell(self, index: int) -> int:
        """How many lines the source has, if at a time limit of this case the student may be told which it was in.

        attack: go to a line that says what a hidden input was, and stay there.
        defence: only while no hidden case has begun does anybody ask for the line.
        """
        is_public = all(name.sample for name in self.names[: index + 1])
        return len(self.source.splitlines()) if is_public else 0

    def _with_line(self, result: CaseResult, reply: Reply) -> CaseResult:
        """With the line that the program was in when its time was up, where that is known."""
        if result.error is None or not isinstance(reply.answer, Stopped) or reply.answer.where == NOWHERE:
            return result
        line = line_of(read_program(self.source, self.exercise.entries), reply.answer.where)
        return replace(result, error=replace(result.error, line=line))

    def _result(self, box: Box, index: int, reply: Reply, seconds: float) -> CaseResult:
        case, name = self.cases[index], self.names[index]
        result = _case_result(self.exercise, case, name, reply, self.prints, seconds, self.checker)
        if result.verdict == Verdict.accepted:
            result = _of_own_arrays(self.exercise, self.framework, result, self.outcomes[index])
        if name.sample:
            if result.verdict == Verdict.accepted:
                return result
            numbers = _arrays(self.exercise, self.cases, index, self.outcomes[index], result.mismatch)
            result = replace(result, error=_in_words(result.error, self.framework, self.source), arrays=numbers)
            return self._with_line(result, reply)
        is_wrong = result.verdict != Verdict.accepted
        speaks = is_wrong and not self.has_failed
        self.has_failed = self.has_failed or is_wrong
        return _hidden(result, self.source, box.errors, self.framework, speaks)

    def _replace_box(self, error: BoxLost) -> None:
        """Raises the error where no box was available, TriesSpent where too many were lost."""
        if self.box is None:
            raise error
        self.boxes_lost += 1
        self.box.close()
        self.box = None
        if self.boxes_lost == TRIES:
            raise TriesSpent(f"{self.boxes_lost} boxes were lost: {error}") from None

    def leave_rest(self) -> Iterator[CaseFinished]:
        for index in range(len(self.results), len(self.names)):
            self.results.append(CaseResult(self.names[index].name, self.names[index].sample))
            yield CaseFinished(index, self.results[-1])


class _InvalidSubmission(Exception):
    def __init__(self, summary: str, error: StudentError | None = None) -> None:
        super().__init__(summary)
        self.summary, self.error = summary, error


def _load_failure(reply: Reply, exercise: Exercise, name: CaseName) -> CaseResult | None:
    """None when the module loaded. Raises _InvalidSubmission for what is not a submission."""
    match reply.answer:
        case Done():
            return None
        case Raised() as raised:
            verdict, error = _verdict_of(raised), _error(raised)
        case Stopped() as stopped:
            verdict, error = Verdict(stopped.reason), StudentError("Loading", stopped.text)
        case Unreadable() | Disallowed() | Missing() | Misplaced() | Uncallable() as problem:
            raise _invalid(problem, exercise)
        case Returned() | Ran() | Odd() | ReturnTooLarge() | TraceTooSlow():
            raise AssertionError("no answer to loading")
        case _:
            assert_never(reply.answer)
    return CaseResult(name.name, name.sample, verdict, reply.wall_ms, stdout=_prints(reply), error=error)


def _verdict_of(raised: Raised) -> Verdict:
    return Verdict.memory_limit if raised.memory else Verdict.runtime_error


_PLACES = {
    "method": "inside the class {}. Move it out, to the left margin, and remove `self` from its arguments.",
    "class": "inside the class {}. Move it out, to the left margin.",
    "function": "inside the function {}. Move it out, to the left margin.",
    "main": 'under `if __name__ == "__main__":`, which is true only when a file is run by itself. Move it out, to the '
    "left margin.",
    "branch": "under `{}`, in a part that was not run. Move it out, to the left margin.",
}


def _invalid(problem: Unloadable, exercise: Exercise) -> _InvalidSubmission:
    parameters = ", ".join(parameter.name for parameter in exercise.signature.parameters)
    entry = f"{exercise.entry}({parameters})"
    match problem:
        case Unreadable(type=error_type, message=message, line=line):
            at = f"Line {line}: " if line else ""
            return _InvalidSubmission(
                f"{at}{error_type}: {message}. Python cannot read the file.", StudentError(error_type, message, line)
            )
        case Disallowed(message=message, line=line):
            at = f"Line {line}: " if line else ""
            return _InvalidSubmission(f"{at}{message}", StudentError(DISALLOWED, message, line))
        case Missing(defined=defined):
            also = f" It defines {', '.join(defined)}." if defined else ""
            what = f"{problem.name or exercise.entry}" if exercise.is_scripted else f"function {entry}"
            text = f"There is no {what}.{also}"
            return _InvalidSubmission(text, StudentError("NameError", text, None))
        case Misplaced(line=line):
            place = _PLACES.get(problem.place, _PLACES["branch"]).format(problem.name)
            at = f"line {line}" if line else "your file"
            what = exercise.entry if exercise.is_scripted else f"function {entry}"
            text = f"There is no {what} at the top level: {at} defines one {place}"
            return _InvalidSubmission(text, StudentError("NameError", text, line))
        case Uncallable(line=line):
            text = f"{exercise.entry}{problem.signature} cannot be called with ({parameters}): {problem.message}."
            return _InvalidSubmission(text, StudentError("TypeError", text, line))
        case _:
            assert_never(problem)


def _case_result(
    exercise: Exercise,
    case: Case,
    name: CaseName,
    reply: Reply,
    before: str,
    seconds: float,
    checker: Checker | None,
) -> CaseResult:
    """One case's result, as for a sample; `_hidden` removes what a hidden case must not tell."""
    prints = before + _prints(reply) if name.sample else None
    views: dict[str, Any] = {}
    if name.sample:
        views = {"expected": case.expected_view, "inputs": case.inputs_text}
    base = CaseResult(name.name, name.sample, None, round(reply.wall_ms, 3), stdout=prints or None, **views)
    outcome = outcome_of(reply)
    match outcome:
        case Returned() | Ran() | Raised():
            return _compared(exercise, case, base, outcome, checker)
        case Odd(text=text):
            mismatch = odd_return(text, exercise.signature.parsed_returns)
            return replace(base, verdict=Verdict.wrong_answer, mismatch=mismatch)
        case ReturnTooLarge():
            error = StudentError("OutputLimit", f"Returned more than {exercise.limits.output_kb} KB.")
            return replace(base, verdict=Verdict.output_limit, error=error)
        case TraceTooSlow():
            return replace(base, verdict=Verdict.time_limit, error=StudentError("TimeLimit", _SLOW_TRACE))
        case Stopped(reason=reason, text=text):
            if reason == "time_limit" and seconds < exercise.limits.wall_seconds:
                text = f"All cases together took more than {exercise.limits.total_seconds:g} s of wall-clock time."
            error = StudentError(_STOPPED_TYPES.get(reason, "Stopped"), text)
            return replace(base, verdict=Verdict(reason), error=error)
        case Unreadable() | Disallowed() | Missing() | Misplaced() | Uncallable():
            raise AssertionError("no answer to a call")
        case _:
            assert_never(outcome)


def _compared(
    exercise: Exercise, case: Case, base: CaseResult, outcome: Returned | Ran | Raised, checker: Checker | None
) -> CaseResult:
    found = difference(exercise, case, outcome, checker)
    if isinstance(found, Raised):
        return replace(base, verdict=_verdict_of(found), error=_error(found), actual=_actual(case, outcome, base))
    if found is None:  # shown for the student's own input; elsewhere it equals the expected output
        shown = _actual(case, outcome, base) if case.own or exercise.checker is not None else None
        return replace(base, verdict=Verdict.accepted, actual=shown)
    return replace(base, verdict=Verdict.wrong_answer, mismatch=found, actual=_actual(case, outcome, base))


def _of_own_arrays(exercise: Exercise, framework: str, right: CaseResult, outcome: CallOutcome) -> CaseResult:
    """A right answer, or that its arrays are those of another framework than the submission's."""
    own = BY_NAME[framework]
    if exercise.returns_any_framework or not own.has_arrays or not isinstance(outcome, Returned):
        return right
    foreign = next((BY_NAME[name] for name in outcome.arrays if name != framework), None)
    if foreign is None:
        return right
    mismatch = Mismatch("type", f"Expected {own.array}, yours is {foreign.array}.", own.array, foreign.array)
    # the same sentence for a hidden case: it depends on the source and not on the input
    sentence = f"Your values are right, but this is {foreign.array}: on the {own.title} tab, return {own.array}."
    return replace(right, verdict=Verdict.wrong_answer, mismatch=mismatch, diagnosis=sentence)


def _actual(case: Case, outcome: Returned | Ran | Raised, base: CaseResult) -> ArrayView | None:
    """What a sample case shows of the student's own answer."""
    if not base.sample or isinstance(outcome, Raised):
        return None
    if isinstance(outcome, Ran):
        return ArrayView(None, "script", transcript(case.script or "", outcome.steps))
    return view(outcome.value)


def _arrays(
    exercise: Exercise, cases: tuple[Case, ...], index: int, outcome: CallOutcome, mismatch: Mismatch | None
) -> ComparedArrays | None:
    """The numbers of a wrong sample case, for a figure; None for a right one."""
    if mismatch is None or exercise.checker is not None:
        return None
    case, samples = cases[index], sum(case.sample for case in cases)
    values = compared_values(exercise, case, outcome)
    if values is None:
        return None
    declared, expected, actual = values
    return arrays(expected, actual, declared, case.dims, case.tolerance(exercise), mismatch, samples)


def _in_words(error: StudentError | None, framework: str, source: str, hidden: bool = False) -> StudentError | None:
    """`error` with its plain sentence; for a hidden case, only a sentence that quotes nothing of the message."""
    return error and replace(error, plain=plain(error.type, error.message, framework, source, error.line, hidden))


def _hidden(result: CaseResult, source: str, errors: frozenset[str], framework: str, speaks: bool) -> CaseResult:
    """What the judge tells about a hidden case: its verdict. Of the first that fails (`speaks`), also the step or the
    exception's type.

    attack: carry the input out by another way than prints: a message, the line at which it fails, the time that it
    takes, a class named after a number.
    defence: nothing is kept that the student's program could have made up after it saw the input. A type is named only
    if it existed before the student's code, or if the source spells it.
    """
    error, mismatch = result.error, result.mismatch
    if result.verdict == Verdict.accepted:
        return CaseResult(result.name, result.sample, result.verdict)
    if error and speaks:
        is_public = error.type in errors or error.type in re.findall(r"\w+", source) or error.type in _OURS
        in_words = _in_words(error, framework, source, hidden=True) if is_public else None
        error = StudentError(error.type if is_public else "Exception", plain=in_words.plain if in_words else None)
    return replace(
        result,
        wall_ms=None,
        error=error if speaks else None,
        mismatch=Mismatch(mismatch.step, "") if mismatch and speaks else None,
    )


_SLOW_TRACE = "No answer in time. A traced call is slower than a normal one and is stopped early, to show what it did."


_STOPPED_TYPES = {"time_limit": "TimeLimit", "memory_limit": "MemoryLimit", "output_limit": "OutputLimit"}
_OURS = (*_STOPPED_TYPES.values(), "Stopped")


def _prints(reply: Reply) -> str:
    return reply.prints + ("\n… more was printed; only the beginning is kept." if reply.prints_cut else "")


def _error(raised: Raised) -> StudentError:
    return StudentError(raised.type, raised.message, raised.line, raised.traceback)


# ------------------------------------------------------------------ the end


def _diagnosed(judging: _Judging) -> Finished:
    """The last event, with a diagnosis where one is known."""
    exercise, cases, outcomes, results = judging.exercise, judging.cases, judging.outcomes, judging.results
    source, framework, finding, repair = judging.source, judging.framework, judging.finding, judging.repair
    wrong = [n for n, result in enumerate(results) if result.verdict not in (None, Verdict.accepted)]
    if not wrong:
        return _finished(exercise, results, cases)
    mistake = judging.mistakes[0] if judging.mistakes else None
    if not judging.mistakes and any(n in outcomes for n in wrong) and len(cases) > 1 and exercise.mistakes:
        try:
            mistake = judging.mistake(wrong, mistakes_of(judging.judge, exercise))
        except (BrokenExercise, BoxLost):
            mistake = None  # a verdict without its explanation is still a true verdict
    unexplained = [n for n in wrong if results[n].diagnosis is None]
    diagnoses: dict[int, Diagnosis] = {}
    found = None
    try:
        if not mistake:
            diagnoses = diagnose(exercise, cases, outcomes, unexplained, source)
            found = look_at_source(source, framework, exercise, cases, outcomes, unexplained)
            found = with_repair(found, repair)
    except Exception:  # a verdict without its explanation is still a true verdict
        log.exception("no diagnosis of a submission to %s", exercise.slug)
    speaking = next((n for n in wrong if not results[n].sample), None)
    unasked = _same_error(cases, results, wrong)
    for n in wrong:
        if not results[n].sample and n != speaking:
            results[n] = replace(results[n], diagnosis=None)
            continue
        if mistake and n in outcomes:
            results[n] = replace(results[n], diagnosis=beside_mistake(mistake.feedback, repair, results[n].sample))
            continue
        if n not in unexplained:
            continue
        diagnosis = more_telling(diagnoses.get(n), finding) if n in outcomes else None
        message = "" if n in unasked else cases[n].rules.message
        sentence = explanation(found, diagnosis, message, results[n].sample)
        is_alone = found is None or found.name == "repaired"
        is_silent = found is None and finding is None and not diagnoses and all(results[m].error is None for m in wrong)
        if (speaking == wrong[0] or (is_silent and n == wrong[0])) and not message and diagnosis is None and is_alone:
            which = edge(cases, [place for place in outcomes if place not in wrong], wrong)
            sentence = " ".join(filter(None, (which, sentence))) or None
        error = results[n].error
        if error and found and found.name in BEFORE_ERRORS and sentence == found.sentence(results[n].sample):
            error = replace(error, plain=None)
        results[n] = replace(results[n], diagnosis=sentence, error=error)
    return _finished(exercise, results, cases, None, mistake.name if mistake else None)


def _same_error(cases: tuple[Case, ...], results: list[CaseResult], wrong: list[int]) -> set[int]:
    """The wrong cases that end as one without an author's sentence does, with the same error at the same line: the
    sentences for them are about something else."""
    errors = {n: (error.type, error.line) for n in wrong if (error := results[n].error) and results[n].sample}
    plain_errors = {errors[n] for n in errors if not cases[n].rules.message and cases[n].error is None}
    return {n for n in errors if cases[n].rules.message and errors[n] in plain_errors}


def _fingerprint_of(exercise: Exercise, cases: tuple[Case, ...], judging: _Judging) -> str | None:
    """None for what is right, and where it fails: a verdict is a true verdict without it."""
    if judging.is_right():
        return None
    try:
        if judging.outcomes:
            return fingerprint(exercise, cases, judging.outcomes)
        return fingerprint_unloaded(judging.results)
    except Exception:
        log.exception("no fingerprint of a submission to %s", exercise.slug)
        return None


def _finished(
    exercise: Exercise,
    results: list[CaseResult],
    cases: Sequence[Case] = (),
    invalid: str | None = None,
    mistake: str | None = None,
) -> Finished:
    weights = [case.rules.weight for case in cases] or [1.0] * len(results)
    if invalid is not None:
        return Finished(SubmissionResult(Verdict.invalid_submission, 0.0, invalid, None, None, tuple(results)))
    verdict = worst(result.verdict for result in results)
    right = sum(weight for result, weight in zip(results, weights, strict=True) if result.verdict == Verdict.accepted)
    share = right / sum(weights) if sum(weights) else float(verdict == Verdict.accepted)
    score = share if exercise.credit == "cases" else float(verdict == Verdict.accepted)
    diagnosis = next((result.diagnosis for result in results if result.diagnosis), None)
    return Finished(SubmissionResult(verdict, score, summary_of(results).text(), diagnosis, mistake, tuple(results)))
