"""Grading one submission, as a generator of events: `Began`, a `CaseFinished` each, `Finished`.

The story on one screen; who listens is somebody else's business: the web's worker, `lectern grade`, `lectern check`
and the tests all consume the same events.
"""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import shorten
from typing import Any

from graders.arrays import Compared
from graders.cases import Case, Outcome, cases_of, load, mistakes_of, own_case, warmth_of
from graders.compare import arrays, compare, odd_return, view
from graders.diagnose import diagnose, known_mistake
from graders.exercise import BrokenExercise, Exercise, framework_mark
from graders.fresh import ON_DEMAND, Stock, draw
from graders.plain import plain
from graders.pool import Judge
from graders.sandbox import Box, BoxLost, Reply
from graders.text import storable
from graders.trace import Trace
from graders.trace import read as read_trace
from graders.verdict import UNGRADED, CaseResult, Mismatch, Result, StudentError, Verdict, worst
from graders.warmth import Warmth

MAX_SOURCE_BYTES = 64 << 10
TRIES = 3  # boxes lost through no fault of the submission before we give up on it
# The call that is traced is ended by the tracer, in time; on a busy machine its report takes a moment after that.
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
    """Where the time of one grading went, in milliseconds of wall clock. Its queue adds how long it was queued."""

    cases: float = 0.0  # the exercise's cases and expected outputs: built once, then at hand
    box: float = 0.0  # until a warm box was ours
    load: float = 0.0
    calls: list[float] = field(default_factory=list)  # one a case: there and back
    compare: float = 0.0  # of all cases together
    diagnose: float = 0.0


@dataclass(frozen=True)
class Usage:
    """What the calls of all cases took together.

    `wall_ms`: wall clock on this machine, from the inputs' leaving for the box to the outputs' being back; loading the
    module is not in it. `peak_mb`: the most memory at any time, loading included, beyond what the box had before the
    submission came: the framework's is not in it. None where the box was gone before it could be asked.

    attack: take a time, or as much memory, as says what a hidden input was. defence: two figures, which is what a
    student reads of them.
    """

    wall_ms: float
    peak_mb: float | None


@dataclass(frozen=True)
class Finished:
    result: Result
    reason: str | None = field(default=None)  # for the instructor's eyes: why it is an internal_error
    stages: Stages = field(default_factory=Stages)
    trace: Trace | None = field(default=None)  # of kind "trace" only
    usage: Usage | None = field(default=None)  # where every case was called
    seed: int | None = field(default=None)  # of the fresh cases, by which this can be judged once more


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
) -> Iterator[Event]:
    """Judge `source`. `kind` "run" judges the sample cases, or the one given by `inputs`, and earns no credit.

    "trace" judges one sample case, the first or the one named by `case_name`, or `inputs`, line by line. "submit"
    judges all cases, and fresh ones from `stock`; or, to make a verdict once more, those that `seed` drew.

    Raises JudgeUnavailable and, where no box could be had, BoxLost: ours, to be tried again.
    """
    stages = Stages()
    text, problem = read_source(source)
    framework = framework or framework_mark(text) or exercise.frameworks[0]
    if framework not in exercise.frameworks:
        problem = f"This exercise is not for {framework}: choose one of {', '.join(exercise.frameworks)}."
    try:
        began = time.monotonic()
        cases, seed = _chosen_cases(judge, exercise, kind, inputs, case_name, stock, seed)
        # attack: runs on inputs of one's own, so that boxes wait for those sizes and no longer for anybody else's.
        # defence: what boxes wait for is of the exercise's own samples, whatever is judged.
        warmth = warmth_of(exercise, cases_of(judge, exercise)) if framework == "jax" else None
        stages.cases = _since(began)
    except BrokenExercise as broken:
        yield Finished(Result(Verdict.internal_error, 0.0, UNGRADED, None, None, ()), str(broken))
        return
    except ValueError as error:
        yield Finished(Result(Verdict.invalid_submission, 0.0, str(error), None, None, ()))
        return
    names = _names(cases)
    yield Began(tuple(names))
    if problem:
        yield _finished(exercise, [CaseResult(name.name, name.sample) for name in names], problem)
        return

    results: list[CaseResult] = []
    outcomes: dict[int, Outcome] = {}
    traced = _Traced() if kind == "trace" else None
    peak = _Peak()
    try:
        judging = _judge_cases(judge, exercise, text, framework, cases, names, stages, peak, warmth, traced)
        for index, outcome, result in judging:
            results.append(result)
            if outcome is not None:
                outcomes[index] = outcome
            yield CaseFinished(index, result)
    except _Invalid as invalid:
        said = _in_words(invalid.error, framework, text)
        first = CaseResult(names[0].name, names[0].sample, Verdict.invalid_submission, error=said)
        rest = [CaseResult(name.name, name.sample) for name in names[1:]]
        yield CaseFinished(0, first)
        yield _finished(exercise, [first, *rest], invalid.summary)
        return
    except BoxLost as lost:
        if lost.args[1:] != ("tries",):
            raise
        done = [*results, *(CaseResult(name.name, name.sample) for name in names[len(results) :])]
        yield Finished(Result(Verdict.internal_error, 0.0, UNGRADED, None, None, tuple(done)), str(lost))
        return
    began = time.monotonic()
    last = _diagnosed(judge, exercise, cases, outcomes, results, framework)
    stages.diagnose = _since(began)
    if traced and traced.called:
        last = replace(last, trace=read_trace(traced.report, exercise.signature, cases[0].dims))
    usage = Usage(_two_figures(sum(stages.calls)), peak.mb) if len(stages.calls) == len(cases) else None
    yield replace(last, stages=stages, usage=usage, seed=seed)


def _two_figures(number: float) -> float:
    return float(f"{number:.1e}")


def _since(began: float) -> float:
    return round((time.monotonic() - began) * 1000, 3)


@dataclass
class _Peak:
    """The most memory that the box had, once its last case is over."""

    mb: float | None = None


@dataclass
class _Traced:
    """What the box said of its own call, as yet unread."""

    called: bool = False
    report: Any = None


def read_source(source: bytes) -> tuple[str, str | None]:
    """The text of a submission, and what makes it none, in words for the student."""
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
    samples = tuple(case for case in cases if case.sample)  # a hidden case is neither run nor traced by its name
    if kind == "run":
        return samples, None
    chosen = [case for case in samples if case_name in (None, case.name)][:1]
    if not chosen:
        known = ", ".join(repr(case.name) for case in samples) or "none"
        raise ValueError(f"There is no sample case {case_name!r}; the sample cases are: {known}.")
    return tuple(chosen), None


def _names(cases: tuple[Case, ...]) -> list[CaseName]:
    """Samples by their names, which may be none; hidden ones are numbered, since a name can give a case away."""
    hidden = 0
    names = []
    for n, case in enumerate(cases, 1):
        hidden += not case.sample
        own = case.name.strip() or f"sample {n - hidden}"
        names.append(CaseName(own if case.sample else f"hidden {hidden}", case.sample))
    return names


def _judge_cases(
    judge: Judge,
    exercise: Exercise,
    text: str,
    framework: str,
    cases: tuple[Case, ...],
    names: list[CaseName],
    stages: Stages,
    peak: _Peak,
    warmth: Warmth | None,
    traced: _Traced | None = None,
) -> Iterator[tuple[int, Outcome | None, CaseResult]]:
    """Case by case through a box; a box that was lost by our fault is replaced, and the case is judged again."""
    box: Box | None = None
    lost = 0
    index = 0
    left = exercise.limits.total_seconds
    prints = ""
    has_failed = False  # a hidden case: no other speaks after it
    try:
        while index < len(cases):
            try:
                if box is None:
                    began = time.monotonic()
                    box = judge.take(framework, warmth=warmth)
                    stages.box += _since(began)
                    loaded = load(box, text, exercise.entry, exercise, framework)
                    stages.load += round(loaded.wall_ms, 3)
                    left = exercise.limits.total_seconds - loaded.wall_ms / 1000
                    prints = loaded.prints
                    if failed := _load_failure(loaded, exercise, names[index]):
                        yield index, None, replace(failed, error=_in_words(failed.error, framework, text))
                        yield from _unjudged(names, index + 1)
                        return
                seconds = min(exercise.limits.wall_seconds, left)
                reply = _call(box, exercise, cases[index], seconds, traced)
            except BoxLost as error:
                lost += 1
                if box is None:
                    raise
                box.close()
                box = None
                if lost == TRIES:
                    raise BoxLost(f"{lost} boxes were lost: {error}", "tries") from None
                continue
            left -= reply.wall_ms / 1000
            stages.calls.append(round(reply.wall_ms, 3))
            began = time.monotonic()
            outcome, result = _case_result(exercise, cases[index], names[index], reply, prints, seconds)
            if names[index].sample:
                numbers = _arrays(exercise, cases, index, outcome, result.mismatch)
                result = replace(result, error=_in_words(result.error, framework, text), arrays=numbers)
            else:
                is_wrong = result.verdict != Verdict.accepted
                result = _hidden(result, text, box.errors, framework, speaks=is_wrong and not has_failed)
                has_failed = has_failed or is_wrong
            prints = ""
            stages.compare += _since(began)
            yield index, outcome, result
            index += 1
            if reply.stopped:
                yield from _unjudged(names, index)
                return
        if box is not None:
            peak.mb = _two_figures(box.peak_kb() / 1024)
    finally:
        if box is not None:
            box.close()


def _call(box: Box, exercise: Exercise, case: Case, seconds: float, traced: _Traced | None = None) -> Reply:
    seconds = max(0.0, seconds)
    request: dict[str, Any] = {"op": "call", "args": case.arguments(exercise)}
    if traced:
        request |= {"op": "trace", "seconds": min(seconds, exercise.limits.cpu_seconds)}
        seconds += REPORT_SECONDS
    reply = box.ask(request, seconds, exercise.limits)
    if traced:
        traced.called, traced.report = True, (reply.message or {}).get("trace")
    return reply


def _unjudged(names: list[CaseName], start: int) -> Iterator[tuple[int, None, CaseResult]]:
    for index in range(start, len(names)):
        yield index, None, CaseResult(names[index].name, names[index].sample)


class _Invalid(Exception):
    def __init__(self, summary: str, error: StudentError | None = None) -> None:
        super().__init__(summary)
        self.summary, self.error = summary, error


def _load_failure(reply: Reply, exercise: Exercise, name: CaseName) -> CaseResult | None:
    """None when the module loaded. Raises _Invalid for what is no submission at all."""
    message = reply.message
    if message is None:
        assert reply.stopped
        verdict = Verdict(reply.stopped.reason)
        error = StudentError("Loading", reply.stopped.text)
        return CaseResult(name.name, name.sample, verdict, reply.wall_ms, stdout=_prints(reply), error=error)
    problem = message.get("problem")
    if isinstance(problem, dict):
        raise _invalid(problem, exercise)
    if raised := message.get("raised"):
        verdict = Verdict.memory_limit if raised.get("memory") else Verdict.runtime_error
        return CaseResult(
            name.name, name.sample, verdict, reply.wall_ms, stdout=_prints(reply), error=_error(raised)
        )  # fmt: skip
    return None


_PLACES = {
    "method": "inside the class {}. Move it out, to the left margin, and take `self` from its arguments.",
    "class": "inside the class {}. Move it out, to the left margin.",
    "function": "inside the function {}. Move it out, to the left margin.",
    "main": 'under `if __name__ == "__main__":`, which holds only where a file is run by itself. Move it out, to the '
    "left margin.",
    "branch": "under `{}`, in a part that was not run. Move it out, to the left margin.",
}


def _invalid(problem: Mapping[str, Any], exercise: Exercise) -> _Invalid:
    line = problem.get("line") if isinstance(problem.get("line"), int) else None
    wanted = ", ".join(parameter.name for parameter in exercise.signature.parameters)
    message = storable(str(problem.get("message") or ""))
    if problem.get("kind") == "syntax":
        kind = storable(str(problem.get("type")))
        at = f"Line {line}: " if line else ""
        return _Invalid(f"{at}{kind}: {message}. Python cannot read the file.", StudentError(kind, message, line))
    if problem.get("kind") == "missing":
        defined = [storable(name) for name in problem.get("defined") or []][:8]
        also = f" It defines {', '.join(defined)}." if defined else ""
        text = f"There is no function {exercise.entry}({wanted}).{also}"
        return _Invalid(text, StudentError("NameError", text, None))
    if problem.get("kind") == "misplaced":
        place = _PLACES.get(str(problem.get("type")), _PLACES["branch"]).format(storable(str(problem.get("message"))))
        at = f"line {line}" if line else "your file"
        text = f"There is no function {exercise.entry}({wanted}) at the top level: {at} defines one {place}"
        return _Invalid(text, StudentError("NameError", text, line))
    text = f"{exercise.entry}{storable(str(problem.get('yours')))} cannot be called with ({wanted}): {message}."
    return _Invalid(text, StudentError("TypeError", text, line))


def _case_result(
    exercise: Exercise, case: Case, name: CaseName, reply: Reply, before: str, seconds: float
) -> tuple[Outcome, CaseResult]:
    """One case's result, as a sample's; `_hidden` takes away what a hidden case does not tell."""
    prints = before + _prints(reply) if name.sample else None
    shown: dict[str, Any] = {}
    if name.sample:
        shown = {"expected": case.expected_view, "inputs": case.inputs_text}
    base = CaseResult(name.name, name.sample, None, round(reply.wall_ms, 3), stdout=prints or None, **shown)
    message = reply.message
    if message is None:
        assert reply.stopped
        text = reply.stopped.text
        if reply.stopped.reason == "time_limit" and seconds < exercise.limits.wall_seconds:
            text = f"All cases together took more than {exercise.limits.total_seconds:g} s of wall-clock time."
        error = StudentError(_STOPPED_TYPES.get(reply.stopped.reason, "Stopped"), text)
        return Outcome(stopped=reply.stopped.reason), replace(base, verdict=Verdict(reply.stopped.reason), error=error)
    if message.get("too_slow"):
        error = StudentError("TimeLimit", _SLOW_TRACE)
        return Outcome(stopped="time_limit"), replace(base, verdict=Verdict.time_limit, error=error)
    if raised := message.get("raised"):
        verdict = Verdict.memory_limit if raised.get("memory") else Verdict.runtime_error
        return Outcome(raised=raised), replace(base, verdict=verdict, error=_error(raised))
    if "too_large" in message:
        error = StudentError("OutputLimit", f"Returned more than {exercise.limits.output_kb} KB.")
        return Outcome(stopped="output_limit"), replace(base, verdict=Verdict.output_limit, error=error)
    if "odd" in message:
        odd = storable(str(message["odd"]))
        mismatch = odd_return(odd, exercise.signature.parsed_returns)
        return Outcome(odd=odd), replace(base, verdict=Verdict.wrong_answer, mismatch=mismatch)
    actual = message.get("value")
    outcome = Outcome(value=(actual,), changed=_written(exercise, message.get("changed") or ()))
    found = compare(case.expected, actual, exercise.signature.parsed_returns, case.dims, exercise.tolerance)
    if found is None:  # on one's own input it is what one asked for; elsewhere it is as expected
        return outcome, replace(base, verdict=Verdict.accepted, actual=view(actual) if case.own else None)
    shown = {"actual": view(actual)} if name.sample else {}
    return outcome, replace(base, verdict=Verdict.wrong_answer, mismatch=found, **shown)


def _arrays(
    exercise: Exercise, cases: tuple[Case, ...], index: int, outcome: Outcome, found: Mismatch | None
) -> Compared | None:
    """The numbers of a sample case that is wrong, for a figure of them; of a right one there is nothing to see."""
    if found is None or outcome.value is None:
        return None
    case, samples = cases[index], sum(case.sample for case in cases)
    declared = exercise.signature.parsed_returns
    return arrays(case.expected, outcome.value[0], declared, case.dims, exercise.tolerance, found, samples)


def _in_words(error: StudentError | None, framework: str, source: str, hidden: bool = False) -> StudentError | None:
    """`error` with the plain sentence for it; of a hidden case's, only such as holds nothing of the message."""
    return error and replace(error, plain=plain(error.type, error.message, framework, source, error.line, hidden))


def _hidden(result: CaseResult, source: str, errors: frozenset[str], framework: str, speaks: bool) -> CaseResult:
    """What leaves the judge of a hidden case: of the first that fails (`speaks`) the step or the type of an exception;
    of every other its verdict.

    attack: carry the input out by another way than prints: a message, the line at which it fails, the time that it
    takes, a class named after a number.
    defence: nothing is kept that the student's program could have made up after it saw the input. A type is told if
    it was there before the student, or if the source spells it.
    """
    error, mismatch = result.error, result.mismatch
    if error and speaks:
        told = error.type in errors or error.type in re.findall(r"\w+", source) or error.type in _OURS
        said = _in_words(error, framework, source, hidden=True) if told else None
        error = StudentError(error.type if told else "Exception", plain=said.plain if said else None)
    return replace(
        result,
        wall_ms=None,
        error=error if speaks else None,
        mismatch=Mismatch(mismatch.step, "") if mismatch and speaks else None,
    )


_SLOW_TRACE = "No answer in time. A traced call is slower than a plain one, and is ended early, to tell what it did."


def _written(exercise: Exercise, numbers: Sequence[str]) -> tuple[str, ...]:
    """The names of the arguments that the box says its program has written into."""
    return tuple(one.name for n, one in enumerate(exercise.signature.parameters) if str(n) in numbers)


_STOPPED_TYPES = {"time_limit": "TimeLimit", "memory_limit": "MemoryLimit", "output_limit": "OutputLimit"}
_OURS = (*_STOPPED_TYPES.values(), "Stopped")


def _prints(reply: Reply) -> str:
    return reply.prints + ("\n… more was printed; only the beginning is kept." if reply.prints_cut else "")


def _error(raised: Mapping[str, Any]) -> StudentError:
    return StudentError(
        raised.get("type") or "Exception",
        raised.get("message") or "",
        raised.get("line"),
        raised.get("traceback") or None,
    )


# ------------------------------------------------------------------ the end


def _diagnosed(
    judge: Judge,
    exercise: Exercise,
    cases: tuple[Case, ...],
    outcomes: dict[int, Outcome],
    results: list[CaseResult],
    framework: str,
) -> Finished:
    """The last event, with the reason why where one is known."""
    wrong = [n for n, result in enumerate(results) if result.verdict not in (None, Verdict.accepted)]
    mistake = None
    if any(n in outcomes for n in wrong) and len(cases) > 1 and exercise.mistakes:
        try:
            known = _known(judge, exercise, cases)
        except (BrokenExercise, BoxLost):
            known = {}  # a verdict without its explanation is still a true verdict
        fixed = {n: outcome for n, outcome in outcomes.items() if not cases[n].fresh}
        mistake = known_mistake(exercise, cases, fixed, [n for n in wrong if n in fixed], known, framework)
    found = {} if mistake else diagnose(exercise, cases, outcomes, wrong)
    speaking = next((n for n in wrong if not results[n].sample), None)
    for n in wrong:
        if not results[n].sample and n != speaking:
            continue
        if mistake and n in outcomes:
            results[n] = replace(results[n], diagnosis=mistake.told)
        elif n in found:
            results[n] = replace(results[n], diagnosis=found[n].told(results[n].sample))
    return _finished(exercise, results, None, mistake.name if mistake else None)


def _known(judge: Judge, exercise: Exercise, cases: tuple[Case, ...]) -> dict[str, tuple[Outcome, ...]]:
    """The known mistakes' outcomes on just these cases: a run has only the samples, which come first. Of the fresh
    cases nobody knows them."""
    return {name: found[: len(cases)] for name, found in mistakes_of(judge, exercise).items()}


def _finished(
    exercise: Exercise, results: list[CaseResult], invalid: str | None = None, mistake: str | None = None
) -> Finished:
    right = sum(result.verdict == Verdict.accepted for result in results)
    if invalid is not None:
        return Finished(Result(Verdict.invalid_submission, 0.0, invalid, None, None, tuple(results)))
    verdict = worst(result.verdict for result in results)
    share = right / len(results)
    score = share if exercise.credit == "cases" else float(verdict == Verdict.accepted)
    diagnosis = next((result.diagnosis for result in results if result.diagnosis), None)
    return Finished(Result(verdict, score, _summary(results, right), diagnosis, mistake, tuple(results)))


def _summary(results: list[CaseResult], right: int) -> str:
    total = len(results)
    if right == total:
        return "The case is right." if total == 1 else f"All {total} cases are right."
    first = next(result for result in results if result.verdict not in (None, Verdict.accepted))
    count = f"{right} of {total} cases {'is' if right == 1 else 'are'} right."
    text = f"{count} First to look at: {first.name}." if total > 1 else "The case is not right."
    if first.mismatch and first.mismatch.text:
        text += f" {first.mismatch.text[:1].upper()}{first.mismatch.text[1:]}"
    elif first.error:
        at = f" (line {first.error.line})" if first.error.line else ""
        said = first.error.message if first.sample and first.error.message else ""
        text += f" {first.error.type}{at}{': ' + shorten(said, 200, placeholder=' …') if said else ''}"
    return text
