"""The publish gate: proves an exercise sound, by the very judge that students meet, before they meet it.

It proves that:

- the starter loads and is not accepted;
- cases.py yields the same inputs twice, and the reference the same bytes three times, in two boxes;
- every framework listed has a right answer; all are accepted, and the limits are five times their use (tolerance.py);
- every mistake gets its declared verdict, and is recognised as itself;
- fresh cases can be drawn and answered; on them right answers are right, and mistakes wrong (draws.py);
- the tolerance has room for the right answers' rounding, and none for half precision (tolerance.py);
- a checker rejects the reference's answer once it is changed (checkers.py), and scripts ask for values that can be
  compared (scripts.py);
- the cases kill at least 95% of the reference's mutants (mutants.py).

Of an exercise with variants it proves all that of each, and that the reference of one is accepted in no other: else two
students could share one answer.

`grade` judges starters, right answers and mistakes, each in a box of its own, like a student's. There is one shortcut.
Boxes for JAX take a second each to come up and compile, so mistakes in JAX first share a box, and not the one that
their known outcomes came from. If a mistake's verdict and recognition are as declared there, that is proof enough.
`grade` judges the others. For the same reason fresh cases are answered in a box that has compiled what they need: that
of a right answer's measurement, and that which the mistakes share.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numpy as np

from graders.boxes.pool import Judge
from graders.boxes.reply import CallOutcome, Raised, Ran, Returned, Stopped, is_out_of_memory
from graders.boxes.sandbox import Box
from graders.exercise.built import NoAnswer, answer_of, cases_of, mistakes_of
from graders.exercise.cases import Case, digest, fit, warmth_of
from graders.exercise.checker import Checker, checker_of
from graders.exercise.definition import BrokenExercise, Exercise, KnownMistake, Source
from graders.exercise.fault import Fault, fault_of, placed
from graders.exercise.fresh import FreshSet, Stock
from graders.exercise.runs import Measurement, inputs_of, measure, run
from graders.exercise.toml import line_of
from graders.frameworks import compiles
from graders.grade import DISALLOWED, Finished, grade
from graders.proof.checkers import checker_faults
from graders.proof.draws import draw_faults, draws_of, inputs_of_draws, mistakes_that_pass, passes_in
from graders.proof.mutants import Survivor, Trial, try_mutants
from graders.proof.report import Answer, Equivalent, Mistake, ProofReport, shown_cases
from graders.proof.report import Survivor as ShownSurvivor
from graders.proof.reveal import Revealed, worst_of
from graders.proof.scripts import script_faults
from graders.proof.telling import telling_of
from graders.proof.tolerance import headroom_faults, percent, tolerance_faults, usages_of
from graders.reasons.answers import share
from graders.reasons.diagnose import known_mistake
from graders.verdict import SubmissionResult, Verdict, worst

LEAST_SCORE = 0.95
MOST_EXCLUDED = 1 / 3
LEAST_MUTANTS = 6  # of fewer, a third is one or two, which is no sign of poor cases
IN_SMALL = 12  # survivors whose inputs are made small; who has more adds those cases first
ROOMY_KB = 64 << 10  # for a case's inputs, which may be larger than any answer
MutantCounts = dict[str, int | None]
P = ParamSpec("P")
T = TypeVar("T")


@dataclass
class GateReport:
    """One exercise's faults, the counts of its mutants (None where they could not be tried), and findings in words.

    `report`: what they are about, as data; empty where the exercise is broken, or nobody asked for it.
    """

    faults: list[Fault]
    counts: MutantCounts = field(default_factory=lambda: {"mutants": None, "killed": None, "equivalent": None})
    findings: list[str] = field(default_factory=list)
    report: ProofReport = field(default_factory=ProofReport)


def prove(
    exercise: Exercise,
    judge: Judge,
    folder: Path,
    say: Callable[[str], None] = lambda line: None,
    *,
    in_full: bool = False,
    lanes: Executor | None = None,
) -> GateReport:
    """All faults of an exercise that the judge can find, in all of its variants; `say`: what it does now. Raises
    JudgeUnavailable, BoxLost.

    `in_full`: with the report, for which each surviving mutant's input is made small. It is that of the first variant.
    `lanes`: where right answers and mistakes are judged, for a caller that proves several at once; None: two threads.
    """
    proved = _proved(exercise, judge, folder, say, in_full=in_full, lanes=lanes)
    for other in exercise.others:
        also = _proved(other, judge, folder, partial(_say_of, say, other), lanes=lanes)
        proved.faults += [_in_variant(fault, other) for fault in also.faults if fault not in proved.faults]
        proved.counts = _added(proved.counts, also.counts)
        proved.findings += [f"with {other.variant_words}: {finding}" for finding in also.findings[:1]]
    if exercise.others and not any(fault.severity == "error" for fault in proved.faults):
        say("judges the right answer of each variant in every other")
        proved.faults += _shared_answers(judge, exercise, folder)
    return proved


def _proved(
    exercise: Exercise,
    judge: Judge,
    folder: Path,
    say: Callable[[str], None],
    *,
    in_full: bool = False,
    lanes: Executor | None = None,
) -> GateReport:
    """As `prove`, of one variant."""
    proved = GateReport([])
    try:
        say("makes the cases")
        cases = cases_of(judge, exercise)
        proved.faults += _case_faults(judge, exercise, cases, folder)
        draws = draws_of(judge, exercise)
        right, wrong = 1 + len(exercise.solutions), len(exercise.mistakes)
        say(f"judges {len(cases)} cases: {right} right answers, {wrong} mistakes, the starters")
        stock = Stock()
        stock.put(exercise, draws)
        verdicts, measured, judged, passing = _judge_all(judge, exercise, cases, draws, stock, folder, lanes)
        outcomes = {path: measurement.further for path, measurement in measured.items()}
        proved.faults += draw_faults(judge, exercise, draws, outcomes, passing, folder)
        say("makes mutants of the reference")
        # without [source]: it is never the only defence, so the cases must kill what it would turn down
        unruled = replace(exercise, source_rules=())
        trial = try_mutants(judge, unruled, cases, measured[exercise.reference.path], say)
    except BrokenExercise as broken:
        proved.faults.append(placed(folder, fault_of(broken, folder.name)))
        return proved
    proved.faults += _determinism_faults(exercise, measured[exercise.reference.path], cases, folder)
    proved.faults += _overwrites(judge, exercise, cases, folder)
    proved.faults += headroom_faults(judge, exercise, cases, measured, folder)
    proved.faults += verdicts
    proved.faults += script_faults(exercise, cases, folder)
    checked, of_checker = checker_faults(judge, exercise, cases, folder)
    proved.faults += checked
    tolerance, findings = tolerance_faults(judge, exercise, cases, measured, folder)
    proved.faults += [*tolerance, *_mutant_faults(trial, folder)]
    proved.counts = {"mutants": trial.mutants, "killed": trial.killed, "equivalent": trial.excluded}
    proved.findings = [_summary(exercise, measured, verdicts, trial), *of_checker, *findings, *_excluded(trial)]
    if in_full:
        say("looks for small inputs that tell the surviving mutants")
        proved.report = _report(judge, exercise, cases, trial, judged, [*of_checker, *findings])
    return proved


def _report(
    judge: Judge,
    exercise: Exercise,
    cases: tuple[Case, ...],
    trial: Trial,
    judged: list[Answer | Mistake],
    findings: list[str],
) -> ProofReport:
    places = {source.path: n for n, source in enumerate([exercise.reference, *exercise.solutions])}
    places |= {mistake.source.path: n for n, mistake in enumerate(exercise.mistakes)}
    in_order = sorted(judged, key=lambda one: places[one.path])
    tolerance = exercise.tolerance
    return ProofReport(
        cases=shown_cases(exercise, cases),
        answers=tuple(one for one in in_order if isinstance(one, Answer)),
        mistakes=tuple(one for one in in_order if isinstance(one, Mistake)),
        survivors=tuple(_shown_survivor(judge, exercise, one, n) for n, one in enumerate(trial.survivors)),
        argued=tuple(_shown_survivor(judge, exercise, one, n) for n, one in enumerate(trial.argued)),
        equivalents=tuple(Equivalent(one.line, one.operator, one.diff) for one in trial.equivalents),
        draws=trial.inputs,
        tolerance=f"rtol = {tolerance.rtol:g}, atol = {tolerance.atol:g}",
        findings=tuple(findings),
    )


def _shown_survivor(judge: Judge, exercise: Exercise, one: Survivor, place: int) -> ShownSurvivor:
    in_small = place < IN_SMALL
    words = telling_of(judge, exercise, one.mutant, one.found, in_small=in_small) if one.argument is None else None
    mutant = one.mutant
    return ShownSurvivor(
        mutant.line, mutant.operator, mutant.diff, one.nearest, one.share, one.told_by, one.beyond, words, one.argument
    )


def _say_of(say: Callable[[str], None], variant: Exercise, line: str) -> None:
    say(f"with {variant.variant_words}: {line}")


def _in_variant(fault: Fault, variant: Exercise) -> Fault:
    """The fault, which says where it is found."""
    return replace(fault, message=f"With {variant.variant_words}: {fault.message}")


def _added(counts: MutantCounts, more: MutantCounts) -> MutantCounts:
    """None where either could not be tried."""
    return {
        name: None if count is None or (other := more[name]) is None else count + other
        for name, count in counts.items()
    }


def _shared_answers(judge: Judge, exercise: Exercise, folder: Path) -> list[Fault]:
    """A fault for the first two variants of which one's reference is accepted in the other; none if each is told from
    all others."""
    stocks = {one.variant: Stock() for one in (exercise, *exercise.others)}
    for one, other in permutations((exercise, *exercise.others), 2):
        result = _judged(judge, other, stocks[other.variant], one.reference)
        if result.verdict == Verdict.accepted:
            message = (
                f"The reference with {one.variant_words} is accepted with {other.variant_words}: two students could "
                "share one answer."
            )
            hint = "Add a case on which they differ, or choose values that are further apart."
            line = line_of(exercise.files["exercise.toml"].decode("utf-8-sig"), "variants")
            return [Fault("error", str(folder / "exercise.toml"), line, "variants-alike", message, hint)]
    return []


def admission_faults(exercise: Exercise, judge: Judge, folder: Path) -> list[Fault]:
    """The judging part of the gate: its cases are built, its right answers are accepted, its starters and mistakes are
    not. `import` asks this of what others wrote, and `serve` of what it publishes. Of an exercise with variants it is
    asked of each, until one has a fault. Raises JudgeUnavailable, BoxLost."""
    found = _admission_faults(exercise, judge, folder)
    for other in exercise.others:
        if found:
            break
        found = [_in_variant(fault, other) for fault in _admission_faults(other, judge, folder)]
    return found


def _admission_faults(exercise: Exercise, judge: Judge, folder: Path) -> list[Fault]:
    try:
        cases_of(judge, exercise)
        judged = partial(_judged, judge, exercise, Stock())
        starters = [Source("starter.py", exercise.starter(name), name) for name in exercise.frameworks]
        right = (exercise.reference, *exercise.solutions)
        found = [_right_fault(_judged_right(judged, source), source, folder, None) for source in right]
        found += [_starter_fault(judged(starter), starter, folder) for starter in starters]
        found += [_mistake_fault(judged(one.source), one, folder) for one in _never_wrong(judge, exercise)]
    except BrokenExercise as broken:
        return [placed(folder, fault_of(broken, folder.name))]
    return [fault for fault in found if fault]


def _never_wrong(judge: Judge, exercise: Exercise) -> list[KnownMistake]:
    """The mistakes whose known outcomes are right on every case."""
    if not exercise.mistakes:
        return []
    cases, known = cases_of(judge, exercise), mistakes_of(judge, exercise)
    checker = checker_of(judge, exercise)
    try:
        return [
            mistake
            for mistake in exercise.mistakes
            if all(
                share(exercise, case, outcome, checker) <= 1
                for case, outcome in zip(cases, known.get(mistake.name, ()), strict=True)
            )
        ]
    finally:
        if checker is not None:
            checker.close()


def _judge_all(
    judge: Judge,
    exercise: Exercise,
    cases: tuple[Case, ...],
    draws: Sequence[FreshSet],
    stock: Stock,
    folder: Path,
    shared: Executor | None,
) -> tuple[list[Fault], dict[str, Measurement], list[Answer | Mistake], list[str]]:
    """The faults of the starter, the right answers and the mistakes; the measurements of the right answers by path;
    what the right answers and the mistakes came to; and which mistakes no fresh case rejects.

    They are judged like submissions, two at a time. `stock`: the fresh cases that each of them meets. What needs no
    other is begun first, so that both cores have work: boxes for JAX compile for a second or two each.
    """
    judged = partial(_judged, judge, exercise, stock)
    right = [exercise.reference, *exercise.solutions]
    further = inputs_of_draws(draws)
    faults = []
    shown: list[Answer | Mistake] = []
    for framework in set(exercise.frameworks) - {source.framework for source in right}:
        hint = f"Add solutions/{framework}.py."
        message = f"There is no right answer in {framework}, which [frameworks] offers to students."
        faults.append(Fault("error", str(folder / "solutions"), None, "no-solution", message, hint))
    with _shared_or_two(shared) as lanes:
        known_outcomes = lanes.submit(mistakes_of, judge, exercise)
        measuring = {}
        for source in right:
            asked = (2, ()) if source is exercise.reference else (1, further)
            measuring[source.path] = lanes.submit(measure, judge, exercise, source, cases, *asked)
        starters = [Source("starter.py", exercise.starter(name), name) for name in exercise.frameworks]
        ends: list[Future[_End]] = [lanes.submit(_judge_starter, judged, starter, folder) for starter in starters]
        compiled = {mistake.name for mistake in exercise.mistakes if compiles(mistake.source.framework)}
        ends_of_mistakes: dict[str, Future[_End]] = {
            mistake.name: lanes.submit(_judge_mistake, judged, mistake, folder)
            for mistake in exercise.mistakes
            if mistake.name not in compiled
        }
        in_one_box = lanes.submit(_sound_in_one_box, judge, exercise, cases, draws, known_outcomes.result())
        measured = {path: measurement.result() for path, measurement in measuring.items()}
        for source in right:
            outcomes = [of_case[0] for of_case in measured[source.path].outcomes]
            worst = worst_of(judge, exercise, cases, outcomes)
            answer = _answer(judge, exercise, cases, source, measured[source.path])
            ends.append(lanes.submit(_judge_right, judged, source, folder, worst, answer))
        sound, passes = in_one_box.result()
        passing = lanes.submit(mistakes_that_pass, judge, exercise, draws, passes)
        for mistake in exercise.mistakes:
            if mistake.name in compiled - sound:
                ends_of_mistakes[mistake.name] = lanes.submit(_judge_mistake, judged, mistake, folder)
        ends += [ends_of_mistakes[mistake.name] for mistake in exercise.mistakes if mistake.name not in sound]
        for fault, one in [end.result() for end in ends]:
            if fault:
                faults.append(fault)
            if one:
                shown.append(one)
        paths = passing.result()
    shown += [_shown_mistake(one, one.verdict, one.feedback, True) for one in exercise.mistakes if one.name in sound]
    return faults, measured, shown, paths


class _Lanes:
    """Threads that run what is submitted here, two at a time."""

    def __init__(self, threads: Executor) -> None:
        self._threads = threads
        self.submitted: list[Future[Any]] = []

    def submit(self, task: Callable[P, T], *args: P.args, **options: P.kwargs) -> Future[T]:
        future = self._threads.submit(task, *args, **options)
        self.submitted.append(future)
        return future


@contextmanager
def _shared_or_two(shared: Executor | None) -> Iterator[_Lanes]:
    """What has not begun when a fault is raised is left out."""
    with nullcontext(shared) if shared is not None else ThreadPoolExecutor(2) as threads:
        lanes = _Lanes(threads)
        try:
            yield lanes
        finally:
            for future in lanes.submitted:
                future.cancel()
            wait(lanes.submitted)


_End = tuple[Fault | None, Answer | Mistake | None]


def _judge_starter(judged: Callable[[Source], SubmissionResult], starter: Source, folder: Path) -> _End:
    return _starter_fault(judged(starter), starter, folder), None


def _judged_right(judged: Callable[[Source], SubmissionResult], source: Source) -> SubmissionResult:
    """Judged once more if it ran out of time: limits are by the clock, and this machine may have other work."""
    result = judged(source)
    return judged(source) if result.verdict == Verdict.time_limit else result


def _judge_right(
    judged: Callable[[Source], SubmissionResult], source: Source, folder: Path, worst: Revealed | None, answer: Answer
) -> _End:
    result = _judged_right(judged, source)
    text = f"{worst or result.diagnosis or result.summary or ''}"
    text = "" if result.verdict == Verdict.accepted else text
    return _right_fault(result, source, folder, worst), replace(answer, verdict=f"{result.verdict}", text=text)


def _judge_mistake(judged: Callable[[Source], SubmissionResult], mistake: KnownMistake, folder: Path) -> _End:
    result = judged(mistake.source)
    if result.verdict == Verdict.time_limit != mistake.verdict:
        result = judged(mistake.source)  # limits are by the clock: see _judged_right
    is_recognised = result.mistake == mistake.name or _is_disallowed(result)
    sentence = result.diagnosis or result.summary or ""
    return _mistake_fault(result, mistake, folder), _shown_mistake(mistake, result.verdict, sentence, is_recognised)


def _shown_mistake(mistake: KnownMistake, verdict: Verdict | None, sentence: str, is_recognised: bool) -> Mistake:
    source = mistake.source
    return Mistake(
        mistake.name, source.path, source.framework, f"{mistake.verdict}", f"{verdict}", is_recognised, sentence
    )  # fmt: skip


def _answer(judge: Judge, exercise: Exercise, cases: tuple[Case, ...], source: Source, measured: Measurement) -> Answer:
    """What it uses of tolerance and limits; its verdict comes later."""
    with checker_of(judge, exercise) or nullcontext() as checker:
        used = max(
            (
                share(exercise, case, of_case[0], checker)
                for case, of_case in zip(cases, measured.outcomes, strict=True)
            ),
            default=0.0,
        )
    return Answer(source.path, source.framework, "", "", used, usages_of(exercise, measured))


def _starter_fault(result: SubmissionResult, starter: Source, folder: Path) -> Fault | None:
    path = str(folder / "starter.py")
    if result.verdict == Verdict.accepted:
        hint = "Remove the answer from it."
        return Fault("error", path, None, "starter-accepted", f"The starter is accepted in {starter.framework}.", hint)
    if result.verdict == Verdict.invalid_submission and not _is_disallowed(result):
        message = f"The starter is not a valid submission in {starter.framework}: {result.summary}"
        return Fault("error", path, None, "starter-invalid", message, "It must load and define the entry point.")
    return None


def _is_disallowed(result: SubmissionResult) -> bool:
    """Whether the source breaks [source], which a starter may."""
    return any(case.error is not None and case.error.type == DISALLOWED for case in result.cases)


_REMEDIES = {
    Verdict.wrong_answer: "Fix it, or widen [tolerance] if both answers are right.",
    Verdict.time_limit: "Make it or the cases smaller, or raise the seconds that it exceeds in [limits].",
    Verdict.memory_limit: "Make it or the cases smaller, or raise memory_mb in [limits].",
    Verdict.output_limit: "Print less, or raise output_kb in [limits].",
    Verdict.runtime_error: "Fix it: ./lectern grade shows where it fails.",
    Verdict.invalid_submission: "It must load and define what exercise.toml calls `entry`.",
    Verdict.internal_error: "Correct the exercise: the other faults say where.",
}


def _right_fault(result: SubmissionResult, source: Source, folder: Path, worst: Revealed | None) -> Fault | None:
    if result.verdict == Verdict.accepted:
        return None
    message = f"Must be accepted, but is judged {result.verdict}: {_sentence(result.summary)}"
    message += f" Worst on the {worst}" if worst else ""
    hint = "Fix it, or the pattern in [source]." if _is_disallowed(result) else _REMEDIES[result.verdict]
    return Fault("error", str(folder / source.path), None, "not-accepted", message, hint)


def _mistake_fault(result: SubmissionResult, mistake: KnownMistake, folder: Path) -> Fault | None:
    path = str(folder / mistake.source.path)
    if result.verdict != mistake.verdict:
        message = f"Must be judged {mistake.verdict}, but is judged {result.verdict}: {_sentence(result.summary)}"
        hint = "Add a case on which it differs from the reference."
        if result.verdict != Verdict.accepted:
            hint = f"Fix it, or add a line `# verdict: {result.verdict}` if this is how it should fail."
        return Fault("error", path, None, "mistake-verdict", message, hint)
    if result.mistake != mistake.name and not _is_disallowed(result):  # told by [source], before it could be recognised
        recognition = f"Is recognised as {result.mistake!r}" if result.mistake else "Is not recognised"
        hint = "Add a case on which it differs from the other mistakes, or merge the two."
        message = f"{recognition}: on every case another mistake has the same outcome."
        return Fault("error", path, None, "mistake-unrecognised", message, hint)
    return None


def _sound_in_one_box(
    judge: Judge,
    exercise: Exercise,
    cases: tuple[Case, ...],
    draws: Sequence[FreshSet],
    known_outcomes: dict[str, tuple[CallOutcome, ...]],
) -> tuple[set[str], dict[str, bool]]:
    """The names of the mistakes in a framework that compiles (JAX) which, run in a shared box, get their declared
    verdict and are recognised; and whether each that was run to its end is right on all draws, for which that box has
    compiled what it needs.

    They run in reverse order compared with their known outcomes, so that none depends on the one before it.
    """
    mistakes = [mistake for mistake in reversed(exercise.mistakes) if compiles(mistake.source.framework)]
    sound = set()
    passes: dict[str, bool] = {}
    boxes: dict[str, Box] = {}
    checker = checker_of(judge, exercise)
    try:
        for mistake in mistakes:
            framework = mistake.source.framework
            box = boxes.get(framework) or judge.take(framework, warmth=warmth_of(exercise, cases))
            boxes[framework] = box
            outcomes = tuple(run(judge, exercise, mistake.source, [case.inputs for case in cases], box))
            if any(isinstance(outcome, Stopped) for outcome in outcomes):
                boxes.pop(framework).close()
                continue
            if _is_sound(exercise, cases, mistake, outcomes, known_outcomes, checker):
                sound.add(mistake.name)
            passes[mistake.name], is_broken = passes_in(judge, exercise, mistake, draws, box)
            if is_broken:
                boxes.pop(framework).close()
    finally:
        for box in boxes.values():
            box.close()
        if checker is not None:
            checker.close()
    return sound, passes


def _is_error(outcome: CallOutcome) -> bool:
    return isinstance(outcome, Raised) or (isinstance(outcome, Ran) and outcome.error() is not None)


def _is_sound(
    exercise: Exercise,
    cases: tuple[Case, ...],
    mistake: KnownMistake,
    outcomes: tuple[CallOutcome, ...],
    known_outcomes: dict[str, tuple[CallOutcome, ...]],
    checker: Checker | None,
) -> bool:
    """Whether the outcomes, none of which broke the box, give the declared verdict and identify this mistake alone."""
    if any(map(is_out_of_memory, outcomes)):
        return False
    if len({id(outcome) for outcome in outcomes}) < len(outcomes):
        return False  # it did not load: all outcomes are one object
    wrong = [n for n, case in enumerate(cases) if share(exercise, case, outcomes[n], checker) > 1]
    raised = [n for n in wrong if _is_error(outcomes[n])]
    verdict = worst(
        Verdict.runtime_error if n in raised else Verdict.wrong_answer if n in wrong else Verdict.accepted
        for n in range(len(outcomes))
    )
    recognised = known_mistake(
        exercise, cases, dict(enumerate(outcomes)), wrong, known_outcomes, mistake.source.framework
    )
    return verdict == mistake.verdict and recognised == mistake


def _judged(judge: Judge, exercise: Exercise, stock: Stock, source: Source) -> SubmissionResult:
    *_, last = grade(exercise, source.text.encode(), source.framework, judge, stock=stock)
    assert isinstance(last, Finished)
    return last.result


def _determinism_faults(
    exercise: Exercise, measured: Measurement, cases: tuple[Case, ...], folder: Path
) -> list[Fault]:
    """A fault if the reference's answers differ: the expected ones, from another box, and those of two turns in one."""
    for case, outcomes in zip(cases, measured.outcomes, strict=True):
        for turn, outcome in enumerate(outcomes):
            if not _identical(exercise, case, outcome):
                when = "the second time in one box" if turn else "in another box"
                message = f"Gives a different answer {when}, on the case {case.name!r}."
                hint = "Seed all randomness from the inputs, and keep no state between calls."
                return [Fault("error", str(folder / "reference.py"), None, "not-deterministic", message, hint)]
    return []


def _identical(exercise: Exercise, case: Case, outcome: CallOutcome) -> bool:
    try:
        expected, error = answer_of(exercise, case.dims, outcome)
    except (ValueError, NoAnswer):
        return False
    return _same([case.expected], [expected]) and error == case.error


def _same(a: Any, b: Any) -> bool:
    """To the bit."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, tuple | list) and isinstance(b, tuple | list):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    return type(a) is type(b) and repr(a) == repr(b)


# ------------------------------------------------------------------ mutants


def _mutant_faults(trial: Trial, folder: Path) -> list[Fault]:
    path = str(folder / "reference.py")
    faults = [_survivor_fault(survivor, path) for survivor in trial.survivors]
    if not trial.mutants:
        message = "No mutant could be made from the reference, so nothing shows that the cases are any good."
        faults.append(
            Fault(
                "warning",
                path,
                None,
                "no-mutants",
                message,
                "Write out its steps instead of calling one library function.",
            )
        )
    if trial.mutants >= LEAST_MUTANTS and len(trial.equivalents) > MOST_EXCLUDED * trial.mutants:
        message = (
            f"{len(trial.equivalents)} of {trial.mutants} mutants count as equivalent to the reference, more than a "
            "third: the change made no difference on any input that we derived from yours."
        )
        hint = "In cases.py, yield inputs on which they differ, drawn from `rng`, or simplify the reference."
        faults.append(Fault("error", path, None, "mutants-equivalent", message, hint))
    if trial.score is not None and trial.score < LEAST_SCORE:
        message = (
            f"The cases kill {trial.killed} of {trial.counted} mutants of the reference, "
            f"{math.floor(100 * trial.score)}%: at least {100 * LEAST_SCORE:g}% must be killed."
        )
        hint = "Add cases on which the survivors, listed one by one, differ from the reference."
        faults.append(Fault("error", path, None, "mutation-score", message, hint))
    for line in trial.stale:
        message = "This comment excuses a surviving mutant, but no mutant of its line survives."
        faults.append(Fault("warning", path, line, "stale-argument", message, "Remove the comment."))
    return faults


def _survivor_fault(survivor: Survivor, path: str) -> Fault:
    hint = f"Add a case such as {survivor.told_by} to cases.py"
    if not survivor.beyond:
        hint = f"It differs only within the tolerance, on {survivor.told_by}: tighten [tolerance]"
    hint += ", or say above the line why it must survive: `# mutants: …`."
    message = f"No case detects this change of the reference; {_nearest(survivor)}.\n{survivor.mutant.diff}"
    return Fault("warning", path, survivor.mutant.line, "mutant-lives", message, hint)


def _nearest(survivor: Survivor) -> str:
    if survivor.share:
        return f"the closest is {survivor.nearest!r}, at {percent(survivor.share)} of the tolerance"
    return "every case gives the same numbers"


def _excluded(trial: Trial) -> Iterator[str]:
    """The mutants that do not count: in full those with an argument, in one line each the equivalent ones."""
    for survivor in trial.argued:
        yield f"survives, for the reason given on line {survivor.mutant.line}: {survivor.argument}"
        yield from (f"  {line}" for line in survivor.mutant.diff.splitlines())
        apart = "differs" if survivor.beyond else "differs only within the tolerance"
        yield f"  {_nearest(survivor)}; it {apart} on {survivor.told_by}"
    if trial.equivalents:
        yield f"equivalent on all cases and on {trial.inputs} further inputs:"
    for mutant in trial.equivalents:
        changed = [line for line in mutant.diff.splitlines() if line.startswith("+")]
        yield f"  line {mutant.line}, {mutant.operator}: {' '.join(line[1:].strip() for line in changed)}"


def _summary(exercise: Exercise, measured: dict[str, Measurement], verdicts: list[Fault], trial: Trial) -> str:
    """`23 mutants: 22 killed, 1 equivalent, 0 live (100%); 20 of 20 mistakes recognised; slowest call 3 ms of 5 s`."""
    live = f"{len(trial.survivors)} live" + (f", {len(trial.argued)} argued" if trial.argued else "")
    missed_count = sum(fault.code.startswith("mistake-") for fault in verdicts)
    wall_ms, cpu_ms = max((measurement.slowest_ms for measurement in measured.values()), default=(0.0, 0.0))
    score = "no score" if trial.score is None else f"{math.floor(100 * trial.score)}%"
    count = len(exercise.mistakes)
    return (
        f"{trial.mutants} mutants: {trial.killed} killed, {len(trial.equivalents)} equivalent, {live} "
        f"({score}); {count - missed_count} of {count} mistakes recognised; "
        f"slowest call {wall_ms:.3g} ms of {exercise.limits.wall_seconds:g} s by the clock, "
        f"{cpu_ms:.3g} ms of {exercise.limits.cpu_seconds:g} s of processor time"
    )


# ------------------------------------------------------------------ cases and words


def _case_faults(judge: Judge, exercise: Exercise, cases: tuple[Case, ...], folder: Path) -> list[Fault]:
    path = str(folder / "cases.py")
    faults = []
    again = [fit(exercise, drawn.inputs)[0] for drawn in inputs_of(judge, exercise)]
    if not _same([dict(case.inputs) for case in cases], again):
        hint = "Draw everything random from `rng`, which is seeded with the name of the exercise."
        faults.append(Fault("error", path, None, "not-deterministic", "Yields different inputs the second time.", hint))
    for sample, least, generator in ((True, 1, "sample_cases"), (False, 1, "hidden_cases")):
        if sum(case.sample == sample for case in cases) < least:
            message = f"{generator} yields no cases."
            faults.append(Fault("error", path, None, "no-cases", message, "Yield at least one case."))
    faults += [*_repeated(cases, path), *_not_a_number(exercise, cases, folder)]
    names = [case.name for case in cases]
    for name in sorted({name for name in names if names.count(name) > 1}):
        message = f"Two cases are named {name!r}."
        faults.append(Fault("warning", path, None, "same-name", message, "Name each after what it tests."))
    return faults


def _repeated(cases: tuple[Case, ...], path: str) -> Iterator[Fault]:
    """Cases with the inputs of an earlier one. A hidden one that repeats a sample is known to every student."""
    first: dict[bytes, Case] = {}
    for case in cases:
        earlier = first.setdefault(digest(case.inputs), case)
        if earlier is case:
            continue
        if earlier.sample and not case.sample:
            message = f"The hidden case {case.name!r} is the same as the sample {earlier.name!r}, which students see."
            yield Fault("error", path, None, "hidden-is-sample", message, "Draw its numbers from `rng`.")
        else:
            message = f"The cases {earlier.name!r} and {case.name!r} have the same inputs."
            yield Fault("warning", path, None, "same-inputs", message, "Change one, or remove it.")


_NAN_ARGUED = re.compile(r"^\s*#\s*NaN is right:\s*\S", re.MULTILINE)


def _not_a_number(exercise: Exercise, cases: tuple[Case, ...], folder: Path) -> Iterator[Fault]:
    found = next((case for case in cases if _holds_nan(case.expected)), None)
    if found is not None and not _NAN_ARGUED.search(exercise.reference.text):
        message = f"The reference gives NaN on the case {found.name!r}."
        hint = "Correct it or the case. If NaN is right there, say why in a comment: `# NaN is right: …`."
        yield Fault("error", str(folder / "reference.py"), None, "not-a-number", message, hint)


def _holds_nan(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "fc" and bool(np.isnan(value).any())
    if isinstance(value, dict):
        return any(map(_holds_nan, value.values()))
    if isinstance(value, list | tuple | set | frozenset):
        return any(map(_holds_nan, value))
    return isinstance(value, float | complex) and value != value


def _overwrites(judge: Judge, exercise: Exercise, cases: tuple[Case, ...], folder: Path) -> list[Fault]:
    """A fault if the reference writes into its inputs: it is called as it is, and then asked for its arguments."""
    entry, text = exercise.entry, exercise.reference.text
    asks = f"\n\n_called = {entry}\n\n\ndef {entry}(*inputs):\n    _called(*inputs)\n    return inputs\n"
    roomy = replace(exercise, limits=replace(exercise.limits, output_kb=ROOMY_KB))
    source = replace(exercise.reference, text=text + asks)
    called = [case for case in cases if case.script is None]
    outcomes = run(judge, roomy, source, [case.inputs for case in called])
    for case, outcome in zip(called, outcomes, strict=True):
        if isinstance(outcome, Returned) and not _same(tuple(exercise.signature.arguments(case.inputs)), outcome.value):
            message = f"The reference writes into its inputs, on the case {case.name!r}."
            hint = "Let it work on a copy, such as `x.copy()`: students read it as an example."
            return [Fault("warning", str(folder / "reference.py"), None, "writes-inputs", message, hint)]
    return []


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."
