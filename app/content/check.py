"""`lectern check`: the publish gate. Proves an exercise sound and reads a course's words, before a student does.

An exercise: the starter loads and is not accepted; cases.py yields the same inputs twice, and the reference the same
bytes three times, in two boxes; every framework listed has a right answer, and each is accepted, with five times its
time and memory to spare; every mistake gets its declared verdict and is recognised by its own text; fresh cases can be
drawn, the reference answers them, right answers are right and mistakes are wrong on them (draws.py); the tolerance has
room for the right answers' rounding and none for half precision; the cases kill at least 95 % of the reference's
mutants; statement, hints and solution render, their mathematics parses, their links resolve. A course: every lesson
renders, its questions are proved on every variant, what it embeds exists, every cell ends as it says, and what a
question says its code prints, it prints.

Starters, right answers and mistakes are judged by `grade`, each in a box of its own, as a student's would be. Only
mistakes in JAX, whose boxes take a second each to come up, first share one that the known outcomes did not come from:
where verdict and recognition are as declared there, that is proof enough; every other is judged by `grade` as well.
"""

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from app.content.answer import read_output
from app.content.cell import Cell
from app.content.course import Course, find_course_faults
from app.content.draws import draw_faults, draws_of
from app.content.exercise import find_exercise_faults, split_hints
from app.content.fault import Fault
from app.content.question import Question, answer_text, predicted_code, values_of
from app.content.reading import Reader, Unsound
from app.content.trial import fault_of
from graders.cases import Case, Measured, cases_of, inputs_of, measure, mistakes_of, run, warmth_of
from graders.cell import run_cell
from graders.compare import share_of_tolerance
from graders.diagnose import known_mistake
from graders.exercise import (
    CEILINGS,
    BrokenExercise,
    Exercise,
    Limits,
    Mistake,
    Source,
    read_exercise,
)
from graders.fresh import Stock
from graders.grade import Finished, grade
from graders.mutants import Survivor, Trial, share, try_mutants
from graders.pool import START_SECONDS, Judge, JudgeUnavailable
from graders.reply import Outcome, Raised, Returned, Stopped, is_out_of_memory
from graders.signature import Array, Dict, Tuple, Type
from graders.text import escaped
from graders.verdict import Result, Verdict, worst

Say = Callable[[str], None]

HEADROOM = 5  # a limit should be this many times what the right answers take
LEAST_SCORE = 0.95
MOST_EXCLUDED = 1 / 3
HONEST_SHARE = 0.5  # of the tolerance, that a right answer may use
ROUNDING_ROOM = 10  # a calibrated tolerance is this many times what right answers use
Counts = dict[str, int | None]


@dataclass
class Report:
    """All faults, by path; each exercise's mutants; and, in words, what was found out about it."""

    faults: list[Fault] = field(default_factory=list)
    exercises: dict[str, Counts] = field(default_factory=dict)
    findings: dict[str, list[str]] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return not any(fault.severity == "error" for fault in self.faults)

    def as_json(self) -> dict[str, Any]:
        return {"ok": self.ok, "faults": [vars(fault) for fault in self.faults], "exercises": self.exercises}


def check(
    paths: Iterable[Path],
    judge: Judge,
    siblings: set[str],
    say: Say = lambda line: None,
    named: bool = True,
    ceilings: Limits = CEILINGS,
    cache: Path | None = None,
) -> Report:
    """Check every exercise and course at or below `paths`. `siblings`: exercises that links may name.

    Each is first read in a process of its own (`reading`): what would crash or hang us is a fault like another.
    `cache`: where it keeps what it found sound. `named`: whether a person named these paths, who is told of one that
    holds nothing.
    Raises JudgeUnavailable and BoxLost where this machine cannot judge at all.
    """
    report = Report()
    exercises, courses, lost = find_folders(paths)
    report.faults += lost if named else []
    siblings = siblings | {folder.name for folder in exercises}
    with Reader(cache, ceilings) as reader:
        for folder in exercises:
            say(f"{escaped(folder.name)} …")
            checked = _check_exercise(folder, reader, judge, siblings)
            report.faults += checked.faults
            report.exercises[escaped(folder.name)] = checked.counts
            report.findings[escaped(folder.name)] = checked.findings
        for folder in courses:
            say(f"{escaped(folder.name)} …")
            report.faults += _check_course(folder, reader, judge, siblings)
    return report


def _check_exercise(folder: Path, reader: Reader, judge: Judge, siblings: set[str]) -> "Checked":
    try:
        reader.exercise(folder)
        return check_exercise(folder, judge, siblings)
    except Unsound as unsound:
        return Checked([_in(folder, unsound.fault)])
    except RecursionError:
        message = "A file of it is nested too deep to be tried out."
        hint = "Write it in steps, with fewer brackets in one another."
        return Checked([Fault("error", escaped(str(folder)), None, "nested", message, hint)])


def _check_course(folder: Path, reader: Reader, judge: Judge, siblings: set[str]) -> list[Fault]:
    try:
        read = reader.course(folder)
    except Unsound as unsound:
        return [_in(folder, unsound.fault)]
    links = [_in(folder, fault) for fault in read.faults]
    course = read.course
    return [
        *links, *find_course_faults(course, siblings), *check_cells(course, judge), *check_predictions(course, judge)
    ]  # fmt: skip


def _in(folder: Path, fault: Fault) -> Fault:
    """A fault as its folder tells it, with the path from here."""
    return replace(fault, path=escaped(str(folder / fault.path)))


def find_folders(paths: Iterable[Path]) -> tuple[list[Path], list[Path], list[Fault]]:
    """The exercise and course folders at or just below each path; a fault for a path that holds neither."""
    exercises: list[Path] = []
    courses: list[Path] = []
    faults = []
    for path in paths:
        found = False
        for place in _places(path):
            if os.path.lexists(place / "exercise.toml"):
                exercises.append(place.resolve())
            elif os.path.lexists(place / "course.toml"):
                courses.append(place.resolve())
            else:
                continue
            found = True
        if not found:
            hint = "Name an exercise's or a course's folder, or one that holds some."
            message = "There is no exercise and no course here." if path.is_dir() else "There is no such folder."
            faults.append(Fault("error", str(path), None, "nothing", message, hint))
    return exercises, courses, faults


def _places(path: Path) -> list[Path]:
    try:
        return [path, *sorted(path.iterdir())]
    except OSError:
        return []


def check_cells(course: Course, judge: Judge) -> list[Fault]:
    """Run every cell of a course's lessons, each in a box of its own; a fault for each that does not end as it says."""
    cells = [(lesson.path, cell) for lesson in course.lessons for cell in lesson.cells.values()]
    with ThreadPoolExecutor(2) as side_by_side:
        found = side_by_side.map(lambda one: _cell_fault(judge, *one), cells)
        return [fault for fault in found if fault]


def _cell_fault(judge: Judge, path: str, cell: Cell) -> Fault | None:
    ran = run_cell(judge, cell.source, cell.framework, before=cell.before, wait_seconds=START_SECONDS)
    error = ran.error
    if error is None and ran.notes:
        return Fault("error", path, cell.line, "cell-figures", ran.notes[0], "Draw fewer or smaller ones.")
    if error is None and cell.raises is None:
        return None
    if error is None:
        message = f"The cell {cell.name} ends well, and says `:raises: {cell.raises}`."
        return Fault("error", path, cell.line, "cell-ends-well", message, "Take `:raises:` out.")
    if ran.earlier is None and error.type == cell.raises:
        return None
    if ran.earlier is not None:
        where = f"{cell.before_names[ran.earlier]}, which {cell.name} continues,"
        line = cell.line
    else:
        where, line = cell.name, cell.line + (error.line or 1) - 1
    hint = f"Mend it, or, if that is what it shows, give it a line `:raises: {error.type}`."
    message = f"The cell {where} ends in {error.type}: {error.message or 'no message'}."
    return Fault("error", path, line, "cell-raises", message, hint)


def check_predictions(course: Course, judge: Judge) -> list[Fault]:
    """Run the code of every `predict`, once for each set of given values; a fault for each that prints otherwise."""
    asked = [question for lesson in course.lessons for question in lesson.questions.values()]
    tasks = [(one, draw) for one in asked if one.type == "predict" for draw in range(one.draws)]
    with ThreadPoolExecutor(2) as side_by_side:
        found = side_by_side.map(lambda task: _prediction_fault(judge, *task), tasks)
        faults = [fault for fault in found if fault]
    return list({(fault.path, fault.line): fault for fault in reversed(faults)}.values())[::-1]  # one a question


def _prediction_fault(judge: Judge, question: Question, draw: int) -> Fault | None:
    values = values_of(question, draw)
    where = " for " + ", ".join(f"{name} = {value}" for name, value in values.items()) if values else ""
    try:
        ran = run_cell(judge, predicted_code(question, values) or "", question.framework, wait_seconds=START_SECONDS)
    except JudgeUnavailable as refused:
        message = f"What {question.slug} prints is not verified: {refused.message}"
        return Fault("warning", question.path, question.line, "predict-unverified", message, refused.hint)
    stated = answer_text(question, values)
    if ran.error is not None:
        message = f"The code of {question.slug} ends in {ran.error.type}{where}: {ran.error.message or 'no message'}."
        hint = "Catch the error and print it, or mend the code: what is predicted is what it prints."
        return Fault("error", question.path, question.line, "predict-raises", message, hint)
    if read_output(ran.prints) == read_output(stated):
        return None
    change = [*(f"-{line}" for line in stated.splitlines()), *(f"+{line}" for line in ran.prints.splitlines())]
    message = "\n".join([f"The code of {question.slug} prints something else than its answer says{where}.", *change])
    hint = "Correct `:answer:`; further lines of it are indented by two spaces."
    return Fault("error", question.path, question.line, "predict-wrong", message, hint)


@dataclass
class Checked:
    """One exercise's faults; its mutants, null where they could not be tried; and what was found out, in words."""

    faults: list[Fault]
    counts: Counts = field(default_factory=lambda: {"mutants": None, "killed": None, "equivalent": None})
    findings: list[str] = field(default_factory=list)


def check_exercise(folder: Path, judge: Judge, siblings: set[str]) -> Checked:
    """Every fault of one exercise folder."""
    try:
        exercise = read_exercise(folder)
    except BrokenExercise as broken:
        return Checked([_broken(folder, broken)])
    checked = Checked(
        [
            *find_exercise_faults(exercise, str(folder)),
            *_link_faults(exercise, folder, siblings),
            *_hint_faults(exercise, folder),
        ]
    )
    try:
        cases = cases_of(judge, exercise)
        checked.faults += _case_faults(judge, exercise, cases, folder)
        draws = draws_of(judge, exercise)
        stock = Stock()
        stock.put(exercise, draws)
        verdicts, measured = _judge_all(judge, exercise, cases, stock, folder)
        checked.faults += draw_faults(judge, exercise, draws, folder)
        trial = try_mutants(judge, exercise, cases, measured[exercise.reference.path])
    except BrokenExercise as broken:
        checked.faults.append(_broken(folder, broken))
        return checked
    checked.faults += _determinism_faults(measured[exercise.reference.path], cases, folder)
    checked.faults += _headroom_faults(judge, exercise, cases, measured, folder)
    checked.faults += verdicts
    tolerance, told = _tolerance_faults(judge, exercise, cases, measured, folder)
    checked.faults += [*tolerance, *_mutant_faults(trial, folder)]
    checked.counts = {"mutants": trial.mutants, "killed": trial.killed, "equivalent": trial.excluded}
    checked.findings = [_summary(exercise, measured, verdicts, trial), *told, *_excluded(trial)]
    return checked


def _judge_all(
    judge: Judge, exercise: Exercise, cases: tuple[Case, ...], stock: Stock, folder: Path
) -> tuple[list[Fault], dict[str, Measured]]:
    """Judge the starter, every right answer and every mistake, through the very judge that students meet; and measure
    the right answers, by path. Two at a time. `stock`: the fresh cases that each of them meets."""
    tasks: list[Callable[[], Fault | None]] = []
    judged = partial(_judged, judge, exercise, stock)
    for framework in exercise.frameworks:
        starter = Source("starter.py", exercise.starter(framework), framework)
        tasks.append(partial(_starter_fault, judged, starter, folder))
    right = [exercise.reference, *exercise.solutions]
    tasks += [partial(_right_fault, judged, source, folder) for source in right]
    faults = []
    for framework in set(exercise.frameworks) - {source.framework for source in right}:
        hint = f"Add solutions/{framework}.py with `# framework: {framework}` on its first line."
        message = f"No right answer is in {framework}, which [frameworks] offers to students."
        faults.append(Fault("error", str(folder / "solutions"), None, "no-solution", message, hint))
    with ThreadPoolExecutor(2) as side_by_side:
        known = side_by_side.submit(mistakes_of, judge, exercise)
        measuring = [
            side_by_side.submit(measure, judge, exercise, source, cases, 2 if source is exercise.reference else 1)
            for source in right
        ]
        measured = {source.path: one.result() for source, one in zip(right, measuring, strict=True)}
        sound = _sound_in_one_box(judge, exercise, cases, known.result())
        doubtful = [mistake for mistake in exercise.mistakes if mistake.name not in sound]
        tasks += [partial(_mistake_fault, judged, mistake, folder) for mistake in doubtful]
        for fault in side_by_side.map(lambda task: task(), tasks):
            if fault:
                faults.append(fault)
    return faults, measured


def _starter_fault(judged: Callable[[Source], Result], starter: Source, folder: Path) -> Fault | None:
    result = judged(starter)
    path = str(folder / "starter.py")
    if result.verdict == Verdict.accepted:
        hint = "Take the answer out of it."
        return Fault("error", path, None, "starter-accepted", f"The starter is accepted in {starter.framework}.", hint)
    if result.verdict == Verdict.invalid_submission:
        message = f"The starter is no submission in {starter.framework}: {result.summary}"
        return Fault("error", path, None, "starter-invalid", message, "Let it define the entry point and load.")
    return None


def _right_fault(judged: Callable[[Source], Result], source: Source, folder: Path) -> Fault | None:
    result = judged(source)
    if result.verdict == Verdict.accepted:
        return None
    message = f"Must be accepted, is judged {result.verdict}: {_sentence(result.summary)}"
    hint = "Mend it, or widen [tolerance] if both answers are right."
    return Fault("error", str(folder / source.path), None, "not-accepted", message, hint)


def _mistake_fault(judged: Callable[[Source], Result], mistake: Mistake, folder: Path) -> Fault | None:
    path = str(folder / mistake.source.path)
    result = judged(mistake.source)
    if result.verdict != mistake.verdict:
        message = f"Must be judged {mistake.verdict}, is judged {result.verdict}: {_sentence(result.summary)}"
        hint = "Add a case that tells it from the reference."
        if result.verdict != Verdict.accepted:
            hint = f"Mend it, or, if that is how it fails, give it a line `# verdict: {result.verdict}`."
        return Fault("error", path, None, "mistake-verdict", message, hint)
    if result.mistake != mistake.name:
        seen = f"as {result.mistake!r}" if result.mistake else "not at all"
        hint = "Add a case on which it differs from the other mistakes, or make one of the two."
        message = f"Is recognised {seen}: its outcome on every case is another mistake's too."
        return Fault("error", path, None, "mistake-unrecognised", message, hint)
    return None


def _sound_in_one_box(
    judge: Judge, exercise: Exercise, cases: tuple[Case, ...], known: dict[str, tuple[Outcome, ...]]
) -> set[str]:
    """The names of the mistakes in JAX that, run one after the other, have the verdict declared and are recognised.

    They run in the other order than when their known outcomes were found, so that none leans on its neighbour.
    """
    mistakes = [mistake for mistake in reversed(exercise.mistakes) if mistake.source.framework == "jax"]
    sound = set()
    box = None
    try:
        for mistake in mistakes:
            box = box or judge.take("jax", warmth=warmth_of(exercise, cases))
            outcomes = tuple(run(judge, exercise, mistake.source, [case.inputs for case in cases], box))
            if any(isinstance(outcome, Stopped) for outcome in outcomes):
                box.close()
                box = None
            elif _is_sound(exercise, cases, mistake, outcomes, known):
                sound.add(mistake.name)
    finally:
        if box is not None:
            box.close()
    return sound


def _is_sound(
    exercise: Exercise,
    cases: tuple[Case, ...],
    mistake: Mistake,
    outcomes: tuple[Outcome, ...],
    known: dict[str, tuple[Outcome, ...]],
) -> bool:
    """Whether outcomes, none of which broke the box, come to the declared verdict and to this mistake alone."""
    if any(map(is_out_of_memory, outcomes)):
        return False
    if len({id(outcome) for outcome in outcomes}) < len(outcomes):
        return False  # it did not load: one outcome for all
    wrong = [n for n, case in enumerate(cases) if share(exercise, case, outcomes[n]) > 1]
    raised = [n for n, outcome in enumerate(outcomes) if isinstance(outcome, Raised)]
    verdict = worst(
        Verdict.runtime_error if n in raised else Verdict.wrong_answer if n in wrong else Verdict.accepted
        for n in range(len(outcomes))
    )
    found = known_mistake(exercise, cases, dict(enumerate(outcomes)), wrong, known, mistake.source.framework)
    return verdict == mistake.verdict and found == mistake


def _judged(judge: Judge, exercise: Exercise, stock: Stock, source: Source) -> Result:
    *_, last = grade(exercise, source.text.encode(), source.framework, judge, stock=stock)
    assert isinstance(last, Finished)
    return last.result


def _determinism_faults(measured: Measured, cases: tuple[Case, ...], folder: Path) -> list[Fault]:
    """The expected outputs came from another box; the reference has been run twice more in one."""
    for case, outcomes in zip(cases, measured.outcomes, strict=True):
        for turn, outcome in enumerate(outcomes):
            if not _identical(case.expected, outcome):
                when = "the second time in one box" if turn else "in another box"
                message = f"Gives another answer {when}, on the case {case.name!r}."
                hint = "Seed what is random, from the inputs, and keep nothing between calls."
                return [Fault("error", str(folder / "reference.py"), None, "not-deterministic", message, hint)]
    return []


def _identical(expected: Any, outcome: Outcome) -> bool:
    return isinstance(outcome, Returned) and _same(expected, outcome.value)


def _same(a: Any, b: Any) -> bool:
    """To the bit."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, tuple | list) and isinstance(b, tuple | list):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    return type(a) is type(b) and repr(a) == repr(b)


# ------------------------------------------------------------------ limits


def _headroom_faults(
    judge: Judge, exercise: Exercise, cases: tuple[Case, ...], measured: dict[str, Measured], folder: Path
) -> list[Fault]:
    """A limit that a right answer comes near fails honest students on a busy day."""
    faults = []
    for source in [exercise.reference, *exercise.solutions]:
        short = _short_of(exercise, measured[source.path])
        if short:  # once more: this machine may have been busy with something else
            again = _short_of(exercise, measure(judge, exercise, source, cases))
            short = [least for least in short if least[0] in {name for name, *_ in again}]
        for limit, used, granted, unit in short:
            message = f"{source.path} takes {used:.3g} {unit} of {granted:g}: less than {HEADROOM} × headroom."
            wanted = math.ceil(HEADROOM * used) or 1
            hint = f"Set {limit} = {wanted} in [limits], or make the cases smaller."
            line = _line_of(exercise, limit) or _line_of(exercise, "[limits]")
            faults.append(Fault("warning", str(folder / "exercise.toml"), line, "headroom", message, hint))
    return faults


def _short_of(exercise: Exercise, measured: Measured) -> list[tuple[str, float, float, str]]:
    """The limits of which more than a fifth was taken: name, how much, of how much, unit."""
    limits = exercise.limits
    slowest = max([measured.load_ms, *measured.calls_ms]) / 1000
    taken = [
        ("wall_seconds", slowest, limits.wall_seconds, "s for its slowest call"),
        ("total_seconds", (measured.load_ms + sum(measured.calls_ms)) / 1000, limits.total_seconds, "s in all"),
        ("memory_mb", measured.memory_kb / 1024, limits.memory_mb, "MB of memory"),
        ("output_kb", measured.output_kb, limits.output_kb, "KB for its largest answer"),
    ]
    return [(name, used, granted, unit) for name, used, granted, unit in taken if HEADROOM * used > granted]


# ------------------------------------------------------------------ tolerance

_HALF_ARGUED = re.compile(r"^\s*#\s*half precision passes:\s*(\S.*?)\s*$", re.MULTILINE)


def _tolerance_faults(
    judge: Judge, exercise: Exercise, cases: tuple[Case, ...], measured: dict[str, Measured], folder: Path
) -> tuple[list[Fault], list[str]]:
    """Whether the right answers' rounding has room, and half precision none.

    Whatever half precision computes, its answer is of numbers that float16 can hold: none is nearer to the expected
    ones than those rounded to float16. Where that says nothing (answers that float16 holds exactly), the reference is
    run on inputs rounded so.
    """
    declared, path = exercise.signature.parsed_returns, str(folder / "exercise.toml")
    if not _is_fine(declared):
        return [], []
    line = _line_of(exercise, "[tolerance]")
    honest = {
        source.path: max(share(exercise, case, found[0]) for case, found in zip(cases, outcomes, strict=True))
        for source in exercise.solutions
        if (outcomes := measured[source.path].outcomes)
    }
    used = max((one for one in honest.values() if one <= 1), default=0.0)
    half = max(_half_share(exercise, case) for case in cases)
    if half <= 1:
        half = max(half, _half_inputs_share(judge, exercise, cases))
    faults, told = [], []
    advice = _calibrated(exercise, cases, used, half)
    for name, one in honest.items():
        if HONEST_SHARE < one <= 1:
            message = f"{name} is right and uses {_percent(one)} of the tolerance: the next student's may use it up."
            faults.append(Fault("warning", path, line, "tolerance-tight", message, advice or "Widen [tolerance]."))
    if half <= 1:
        argued = _HALF_ARGUED.search(exercise.files["exercise.toml"].decode())
        if argued:
            told.append(f"half precision passes, as is argued: {argued[1]}")
        else:
            hint = advice or "Tighten [tolerance], or give cases values that float16 cannot hold."
            hint += " If it is to pass, say why in a comment there: `# half precision passes: …`."
            message = "Half precision is within the tolerance on every case."
            faults.append(Fault("error", path, line, "tolerance-loose", message, hint))
    else:
        if math.isinf(half):
            told.append("half precision fails, since it cannot hold the answers")
        else:
            told.append(f"half precision fails, at {half:.3g} times the tolerance")
        if honest:
            which = "; of the tolerance" if math.isinf(half) else ", of which"
            told[-1] += f"{which} the solutions use {_percent(used)}"
    return faults, told


def _is_fine(declared: Type) -> bool:
    """Whether answers hold more digits than half precision has."""
    if isinstance(declared, Tuple):
        return any(map(_is_fine, declared.items))
    if isinstance(declared, Dict):
        return _is_fine(declared.value)
    return declared.dtype in ("float32", "float64") if isinstance(declared, Array) else declared.name == "float"


def _halved(value: Any) -> Any:
    """Rounded to half precision, in the dtype that it had."""
    if isinstance(value, np.ndarray) and value.dtype.name in ("float32", "float64"):
        with np.errstate(over="ignore"):
            return value.astype(np.float16).astype(value.dtype)
    if isinstance(value, tuple | list):
        return type(value)(map(_halved, value))
    if isinstance(value, dict):
        return {key: _halved(item) for key, item in value.items()}
    return float(_halved(np.array(value))) if isinstance(value, float) else value


def _half_share(exercise: Exercise, case: Case) -> float:
    declared = exercise.signature.parsed_returns
    return share_of_tolerance(case.expected, _halved(case.expected), declared, case.dims, exercise.tolerance)


def _half_inputs_share(judge: Judge, exercise: Exercise, cases: tuple[Case, ...]) -> float:
    """How far the reference is off that is given inputs rounded to half precision, on the case where it is most."""
    halved = [_halved(dict(case.inputs)) for case in cases]
    outcomes = run(judge, exercise, exercise.reference, halved)
    return max(share(exercise, case, outcome) for case, outcome in zip(cases, outcomes, strict=True))


def _calibrated(exercise: Exercise, cases: tuple[Case, ...], used: float, half: float) -> str | None:
    """A tolerance with ten times the room that right answers need, where half precision is not within that."""
    tolerance, declared = exercise.tolerance, exercise.signature.parsed_returns

    def last_digit(case: Case) -> float:
        other = _next_number(case.expected)
        return share_of_tolerance(case.expected, other, declared, case.dims, tolerance)

    needed = max(used, *(step for case in cases if math.isfinite(step := last_digit(case))), 0.0) * ROUNDING_ROOM
    if not 0 < needed < half / ROUNDING_ROOM or not tolerance.rtol + tolerance.atol:
        return None
    rtol, atol = (float(f"{one * needed:.0e}") for one in (tolerance.rtol, tolerance.atol))
    return f"Calibrated to the right answers it would be rtol = {rtol:g}, atol = {atol:g}."


def _next_number(value: Any) -> Any:
    """Each number moved to its neighbour: the least error that an honest answer may have."""
    if isinstance(value, np.ndarray) and value.dtype.name in ("float32", "float64"):
        return np.nextafter(value, np.array(np.inf, value.dtype))
    if isinstance(value, tuple | list):
        return type(value)(map(_next_number, value))
    if isinstance(value, dict):
        return {key: _next_number(item) for key, item in value.items()}
    return math.nextafter(value, math.inf) if isinstance(value, float) else value


# ------------------------------------------------------------------ mutants


def _mutant_faults(trial: Trial, folder: Path) -> list[Fault]:
    path = str(folder / "reference.py")
    faults = [_survivor_fault(survivor, path) for survivor in trial.survivors]
    if not trial.mutants:
        message = "No mutant could be made of the reference: nothing shows that the cases are any good."
        faults.append(Fault("warning", path, None, "no-mutants", message, "Write it in steps of your own."))
    if trial.excluded > MOST_EXCLUDED * trial.mutants:
        message = (
            f"{trial.excluded} of {trial.mutants} mutants count as equivalent to the reference, more than a third: "
            "what they change shows on no input that we made from yours."
        )
        hint = "Let cases.py yield inputs on which they differ, drawn from `rng`, or simplify the reference."
        faults.append(Fault("error", path, None, "mutants-equivalent", message, hint))
    if trial.score < LEAST_SCORE:
        counted = trial.mutants - trial.excluded
        message = (
            f"The cases kill {trial.killed} of {counted} mutants of the reference, {math.floor(100 * trial.score)} %: "
            f"at least {100 * LEAST_SCORE:g} % must be."
        )
        hint = "Add cases that tell the survivors from the reference; they are listed one by one."
        faults.append(Fault("error", path, None, "mutation-score", message, hint))
    for line in trial.stale:
        message = "This line argues for a mutant, and none of its line lives."
        faults.append(Fault("warning", path, line, "stale-argument", message, "Take the comment out."))
    return faults


def _survivor_fault(survivor: Survivor, path: str) -> Fault:
    hint = f"Add a case such as {survivor.told_by} to cases.py"
    if not survivor.beyond:
        hint = f"It differs within the tolerance, on {survivor.told_by}: tighten [tolerance]"
    hint += ", or say above the line why it must live: `# mutants: …`."
    message = f"No case tells this change from the reference; {_nearest(survivor)}.\n{survivor.mutant.diff}"
    return Fault("warning", path, survivor.mutant.line, "mutant-lives", message, hint)


def _nearest(survivor: Survivor) -> str:
    if survivor.share:
        return f"nearest is {survivor.nearest!r}, at {_percent(survivor.share)} of the tolerance"
    return "every case gives the same numbers"


def _excluded(trial: Trial) -> Iterator[str]:
    """The mutants that do not count: those argued, in full, and those equivalent, a line each."""
    for survivor in trial.argued:
        yield f"lives, as is argued on line {survivor.mutant.line}: {survivor.argument}"
        yield from (f"  {line}" for line in survivor.mutant.diff.splitlines())
        apart = "differs" if survivor.beyond else "differs within the tolerance"
        yield f"  {_nearest(survivor)}; it {apart} on {survivor.told_by}"
    if trial.equivalents:
        yield f"equivalent on all cases and on {trial.inputs} further inputs:"
    for mutant in trial.equivalents:
        changed = [line for line in mutant.diff.splitlines() if line.startswith("+")]
        yield f"  line {mutant.line}, {mutant.operator}: {' '.join(line[1:].strip() for line in changed)}"


def _summary(exercise: Exercise, measured: dict[str, Measured], verdicts: list[Fault], trial: Trial) -> str:
    """`23 mutants: 22 killed, 1 equivalent, 0 live (100 %); 20 of 20 mistakes recognised; slowest call 3 ms of 5 s`."""
    live = f"{len(trial.survivors)} live" + (f", {len(trial.argued)} argued" if trial.argued else "")
    missed = sum(fault.code.startswith("mistake-") for fault in verdicts)
    slowest = max((ms for one in measured.values() for ms in one.calls_ms), default=0.0)
    known = len(exercise.mistakes)
    return (
        f"{trial.mutants} mutants: {trial.killed} killed, {len(trial.equivalents)} equivalent, {live} "
        f"({math.floor(100 * trial.score)} %); {known - missed} of {known} mistakes recognised; "
        f"slowest call {slowest:.3g} ms of {exercise.limits.wall_seconds:g} s"
    )


# ------------------------------------------------------------------ cases and words


def _case_faults(judge: Judge, exercise: Exercise, cases: tuple[Case, ...], folder: Path) -> list[Fault]:
    path = str(folder / "cases.py")
    faults = []
    again = [dict(inputs) for _, _, inputs in inputs_of(judge, exercise)]
    if not _same([dict(case.inputs) for case in cases], again):
        hint = "Draw everything random from `rng`, which is seeded by the exercise's name."
        faults.append(Fault("error", path, None, "not-deterministic", "Yields other inputs the second time.", hint))
    for sample, least, generator in ((True, 1, "sample_cases"), (False, 1, "hidden_cases")):
        if sum(case.sample == sample for case in cases) < least:
            message = f"{generator} yields no case."
            faults.append(Fault("error", path, None, "no-cases", message, "Yield at least one."))
    names = [case.name for case in cases]
    for name in sorted({name for name in names if names.count(name) > 1}):
        message = f"Two cases are named {name!r}."
        faults.append(Fault("warning", path, None, "same-name", message, "Name each for what it tries."))
    return faults


def _link_faults(exercise: Exercise, folder: Path, siblings: set[str]) -> list[Fault]:
    path = str(folder / "exercise.toml")
    return [
        Fault("warning", path, None, "related", f"There is no exercise {slug!r}.", "The page leaves it out until then.")
        for slug in exercise.related
        if slug not in siblings
    ]


def _hint_faults(exercise: Exercise, folder: Path) -> list[Fault]:
    faults = []
    if not split_hints(exercise.hints):
        message, hint = "There are no hints.", "Number them in hints.md, from gentle to concrete."
        faults.append(Fault("warning", str(folder / "hints.md"), None, "no-hints", message, hint))
    if not exercise.solution.strip():
        message, hint = "There is no worked solution.", "Explain one in solution.md; it is shown once solved."
        faults.append(Fault("warning", str(folder / "solution.md"), None, "no-worked-solution", message, hint))
    return faults


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share >= 1e-3 or not share else "less than 0.1 %"


def _line_of(exercise: Exercise, key: str) -> int | None:
    """The line of exercise.toml that begins with a key or a section."""
    lines = exercise.files["exercise.toml"].decode().splitlines()
    return next((n for n, line in enumerate(lines, 1) if re.match(rf"\s*{re.escape(key)}(?!\w)", line)), None)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _broken(folder: Path, broken: BrokenExercise) -> Fault:
    return _in(folder, fault_of(broken, folder.name))
