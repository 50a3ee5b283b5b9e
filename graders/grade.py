"""Grading one submission, as a generator of events: `Began`, a `CaseFinished` each, `Finished`.

The story on one screen; who listens is somebody else's business: the web's worker, `lectern grade`, `lectern check`
and the tests all consume the same events.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from textwrap import shorten
from typing import Any

from graders.cases import Case, Outcome, cases_of, load, mistakes_of, own_case
from graders.compare import compare, odd_return, view
from graders.diagnose import known_mistake, rearranged
from graders.exercise import BrokenExercise, Exercise, framework_mark
from graders.pool import Judge
from graders.sandbox import Box, BoxLost, Reply, clean
from graders.verdict import UNGRADED, CaseResult, Mismatch, Result, StudentError, Verdict, worst

MAX_SOURCE_BYTES = 64 << 10
TRIES = 3  # boxes lost through no fault of the submission before we give up on it


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


@dataclass(frozen=True)
class Finished:
    result: Result
    reason: str | None = field(default=None)  # for the instructor's eyes: why it is an internal_error


Event = Began | CaseFinished | Finished


def grade(
    exercise: Exercise,
    source: bytes,
    framework: str | None,
    judge: Judge,
    kind: str = "submit",
    inputs: Mapping[str, Any] | None = None,
) -> Iterator[Event]:
    """Judge `source`. `kind` "run" judges the sample cases, or the one given by `inputs`, and earns no credit.

    Raises JudgeUnavailable and, where no box could be had, BoxLost: ours, to be tried again.
    """
    text, problem = read_source(source)
    framework = framework or framework_mark(text) or exercise.frameworks[0]
    if framework not in exercise.frameworks:
        problem = f"This exercise is not for {framework}: choose one of {', '.join(exercise.frameworks)}."
    try:
        cases = _chosen_cases(judge, exercise, kind, inputs)
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
    try:
        for index, outcome, result in _judge_cases(judge, exercise, text, framework, cases, names):
            results.append(result)
            if outcome is not None:
                outcomes[index] = outcome
            yield CaseFinished(index, result)
    except _Invalid as invalid:
        first = CaseResult(names[0].name, names[0].sample, Verdict.invalid_submission, error=invalid.error)
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
    yield _diagnosed(judge, exercise, cases, outcomes, results, framework)


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


def _chosen_cases(judge: Judge, exercise: Exercise, kind: str, inputs: Mapping[str, Any] | None) -> tuple[Case, ...]:
    if kind == "run" and inputs is not None:
        return (own_case(judge, exercise, inputs),)
    cases = cases_of(judge, exercise)
    return tuple(case for case in cases if case.sample) if kind == "run" else cases


def _names(cases: tuple[Case, ...]) -> list[CaseName]:
    """Samples by their names; hidden ones are numbered, since a name can give a case away."""
    hidden = 0
    names = []
    for case in cases:
        hidden += not case.sample
        names.append(CaseName(case.name if case.sample else f"hidden {hidden}", case.sample))
    return names


def _judge_cases(
    judge: Judge, exercise: Exercise, text: str, framework: str, cases: tuple[Case, ...], names: list[CaseName]
) -> Iterator[tuple[int, Outcome | None, CaseResult]]:
    """Case by case through a box; a box that was lost by our fault is replaced, and the case is judged again."""
    box: Box | None = None
    lost = 0
    index = 0
    left = exercise.limits.total_seconds
    prints = ""
    try:
        while index < len(cases):
            try:
                if box is None:
                    box = judge.take(framework)
                    loaded = load(box, text, exercise.entry, exercise, framework)
                    left = exercise.limits.total_seconds - loaded.wall_ms / 1000
                    prints = loaded.prints
                    if failed := _load_failure(loaded, exercise, names[index]):
                        yield index, None, failed
                        yield from _unjudged(names, index + 1)
                        return
                seconds = min(exercise.limits.wall_seconds, left)
                reply = _call(box, exercise, cases[index], seconds)
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
            outcome, result = _case_result(exercise, cases[index], names[index], reply, prints, seconds)
            if not names[index].sample:
                result = _hidden(result, text, box.errors)
            prints = ""
            yield index, outcome, result
            index += 1
            if reply.stopped:
                yield from _unjudged(names, index)
                return
    finally:
        if box is not None:
            box.close()


def _call(box: Box, exercise: Exercise, case: Case, seconds: float) -> Reply:
    return box.ask({"op": "call", "args": case.arguments(exercise)}, max(0.0, seconds), exercise.limits)


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


def _invalid(problem: Mapping[str, Any], exercise: Exercise) -> _Invalid:
    line = problem.get("line") if isinstance(problem.get("line"), int) else None
    wanted = ", ".join(parameter.name for parameter in exercise.signature.parameters)
    message = clean(str(problem.get("message") or ""))
    if problem.get("kind") == "syntax":
        kind = clean(str(problem.get("type")))
        at = f"Line {line}: " if line else ""
        return _Invalid(f"{at}{kind}: {message}. Python cannot read the file.", StudentError(kind, message, line))
    if problem.get("kind") == "missing":
        defined = [clean(name) for name in problem.get("defined") or []][:8]
        also = f" It defines {', '.join(defined)}." if defined else ""
        text = f"There is no function {exercise.entry}({wanted}).{also}"
        return _Invalid(text, StudentError("NameError", text, None))
    text = f"{exercise.entry}{clean(str(problem.get('yours')))} cannot be called with ({wanted}): {message}."
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
    if raised := message.get("raised"):
        verdict = Verdict.memory_limit if raised.get("memory") else Verdict.runtime_error
        return Outcome(raised=raised), replace(base, verdict=verdict, error=_error(raised))
    if "too_large" in message:
        error = StudentError("OutputLimit", f"Returned more than {exercise.limits.output_kb} KB.")
        return Outcome(stopped="output_limit"), replace(base, verdict=Verdict.output_limit, error=error)
    if "odd" in message:
        odd = clean(str(message["odd"]))
        mismatch = odd_return(odd, exercise.signature.parsed_returns)
        return Outcome(odd=odd), replace(base, verdict=Verdict.wrong_answer, mismatch=mismatch)
    actual = message.get("value")
    outcome = Outcome(value=(actual,))
    found = compare(case.expected, actual, exercise.signature.parsed_returns, case.dims, exercise.tolerance)
    if found is None:
        return outcome, replace(base, verdict=Verdict.accepted)
    shown = {"actual": view(actual)} if name.sample else {}
    return outcome, replace(base, verdict=Verdict.wrong_answer, mismatch=found, **shown)


def _hidden(result: CaseResult, source: str, errors: frozenset[str]) -> CaseResult:
    """What leaves the judge of a hidden case: the step, the type of an exception and the student's own line.

    attack: carry the input out by another way than prints: a message, a quoted line that was compiled on the spot, a
    class named after a number.
    defence: nothing is kept that the student's program could have made up after it saw the input. A type is told if
    it was there before the student, or if the source spells it; a line, if the source has it.
    """
    error, mismatch = result.error, result.mismatch
    if error:
        told = error.type in errors or error.type in re.findall(r"\w+", source) or error.type in _OURS
        line = error.line if error.line and error.line <= source.count("\n") + 1 else None
        error = StudentError(error.type if told else "Exception", None, line)
    return replace(result, error=error, mismatch=mismatch and Mismatch(mismatch.step, ""))


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
        mistake = known_mistake(exercise, cases, outcomes, wrong, known, framework)
    for n in wrong:
        if n in outcomes:
            why = mistake.told if mistake else rearranged(exercise, cases[n], outcomes[n])
            results[n] = replace(results[n], diagnosis=why)
    return _finished(exercise, results, None, mistake.name if mistake else None)


def _known(judge: Judge, exercise: Exercise, cases: tuple[Case, ...]) -> dict[str, tuple[Outcome, ...]]:
    """The known mistakes' outcomes on just these cases: a run has only the samples, which come first."""
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
    text = f"{count} First to look at: {first.name}."
    if first.mismatch and first.mismatch.text:
        text += f" {first.mismatch.text[:1].upper()}{first.mismatch.text[1:]}"
    elif first.error:
        at = f" (line {first.error.line})" if first.error.line else ""
        said = first.error.message if first.sample and first.error.message else ""
        text += f" {first.error.type}{at}{': ' + shorten(said, 200, placeholder=' …') if said else ''}"
    return text
