"""`lectern check`: the publish gate. Proves an exercise sound and reads a course's words, before a student does.

An exercise: the starter loads and is not accepted; the reference, twice, gives the same bytes; every framework listed
has a right answer, and each is accepted; every mistake gets its declared verdict and is recognised by its own text;
the tolerance rejects the same answers in half precision; statement, hints and solution render, their mathematics
parses, their links resolve. A course: every lesson renders, its questions are answerable, what it embeds exists.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from app.content.course import find_course_faults, read_course
from app.content.exercise import find_exercise_faults, split_hints
from app.content.fault import Fault
from graders.cases import Case, Outcome, cases_of, mistakes_of, run
from graders.compare import compare
from graders.exercise import BrokenExercise, Exercise, Mistake, Source, read_exercise
from graders.grade import Finished, grade
from graders.pool import Judge
from graders.signature import Array
from graders.verdict import Result, Verdict

Say = Callable[[str], None]


@dataclass
class Report:
    """All faults, by path; and what is known of each exercise's cases (mutants are not made yet: null)."""

    faults: list[Fault] = field(default_factory=list)
    exercises: dict[str, dict[str, int | None]] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return not any(fault.severity == "error" for fault in self.faults)

    def as_json(self) -> dict[str, Any]:
        return {"ok": self.ok, "faults": [vars(fault) for fault in self.faults], "exercises": self.exercises}


def check(paths: Iterable[Path], judge: Judge, siblings: set[str], say: Say = lambda line: None) -> Report:
    """Check every exercise and course at or below `paths`. `siblings`: exercises that links may name.

    Raises JudgeUnavailable and BoxLost where this machine cannot judge at all.
    """
    report = Report()
    exercises, courses, lost = find_folders(paths)
    report.faults += lost
    siblings = siblings | {folder.name for folder in exercises}
    for folder in exercises:
        say(f"{folder.name} …")
        report.exercises[folder.name] = {"mutants": None, "killed": None, "equivalent": None}
        report.faults += check_exercise(folder, judge, siblings)
    for folder in courses:
        say(f"{folder.name} …")
        report.faults += find_course_faults(read_course(folder), siblings)
    return report


def find_folders(paths: Iterable[Path]) -> tuple[list[Path], list[Path], list[Fault]]:
    """The exercise and course folders at or just below each path; a fault for a path that holds neither."""
    exercises: list[Path] = []
    courses: list[Path] = []
    faults = []
    for path in paths:
        places = [path, *sorted(path.iterdir())] if path.is_dir() else []
        found = False
        for place in places:
            if (place / "exercise.toml").is_file():
                exercises.append(place.resolve())
            elif (place / "course.toml").is_file():
                courses.append(place.resolve())
            else:
                continue
            found = True
        if not found:
            hint = "Name an exercise's or a course's folder, or one that holds some."
            faults.append(Fault("error", str(path), None, "nothing", "There is no exercise and no course here.", hint))
    return exercises, courses, faults


def check_exercise(folder: Path, judge: Judge, siblings: set[str]) -> list[Fault]:
    """Every fault of one exercise folder."""
    try:
        exercise = read_exercise(folder)
    except BrokenExercise as broken:
        return [_broken(folder, broken)]
    faults = [
        *find_exercise_faults(exercise, str(folder)),
        *_link_faults(exercise, folder, siblings),
        *_hint_faults(exercise, folder),
    ]
    try:
        cases = cases_of(judge, exercise)
        mistakes_of(judge, exercise)
    except BrokenExercise as broken:
        return [*faults, _broken(folder, broken)]
    faults += _case_faults(cases, folder)
    faults += _determinism_faults(judge, exercise, cases, folder)
    faults += _tolerance_faults(exercise, cases, folder)
    return faults + _verdict_faults(judge, exercise, folder)


def _verdict_faults(judge: Judge, exercise: Exercise, folder: Path) -> list[Fault]:
    """Judge the starter, every right answer and every mistake, through the very judge that students meet."""
    tasks: list[Callable[[], Fault | None]] = []
    for framework in exercise.frameworks:
        starter = Source("starter.py", exercise.starter(framework), framework)
        tasks.append(partial(_starter_fault, judge, exercise, starter, folder))
    right = [exercise.reference, *exercise.solutions]
    tasks += [partial(_right_fault, judge, exercise, source, folder) for source in right]
    tasks += [partial(_mistake_fault, judge, exercise, known, folder) for known in exercise.mistakes]
    faults = []
    for framework in set(exercise.frameworks) - {source.framework for source in right}:
        hint = f"Add solutions/{framework}.py with `# framework: {framework}` on its first line."
        message = f"No right answer is in {framework}, which [frameworks] offers to students."
        faults.append(Fault("error", str(folder / "solutions"), None, "no-solution", message, hint))
    with ThreadPoolExecutor(2) as side_by_side:
        for fault in side_by_side.map(lambda task: task(), tasks):
            if fault:
                faults.append(fault)
    return faults


def _starter_fault(judge: Judge, exercise: Exercise, starter: Source, folder: Path) -> Fault | None:
    result = _judged(judge, exercise, starter)
    path = str(folder / "starter.py")
    if result.verdict == Verdict.accepted:
        hint = "Take the answer out of it."
        return Fault("error", path, None, "starter-accepted", f"The starter is accepted in {starter.framework}.", hint)
    if result.verdict == Verdict.invalid_submission:
        message = f"The starter is no submission in {starter.framework}: {result.summary}"
        return Fault("error", path, None, "starter-invalid", message, "Let it define the entry point and load.")
    return None


def _right_fault(judge: Judge, exercise: Exercise, source: Source, folder: Path) -> Fault | None:
    result = _judged(judge, exercise, source)
    if result.verdict == Verdict.accepted:
        return None
    message = f"Must be accepted, is judged {result.verdict}: {_sentence(result.summary)}"
    hint = "Mend it, or widen [tolerance] if both answers are right."
    return Fault("error", str(folder / source.path), None, "not-accepted", message, hint)


def _mistake_fault(judge: Judge, exercise: Exercise, mistake: Mistake, folder: Path) -> Fault | None:
    path = str(folder / mistake.source.path)
    result = _judged(judge, exercise, mistake.source)
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


def _judged(judge: Judge, exercise: Exercise, source: Source) -> Result:
    *_, last = grade(exercise, source.text.encode(), source.framework, judge)
    assert isinstance(last, Finished)
    return last.result


def _determinism_faults(judge: Judge, exercise: Exercise, cases: tuple[Case, ...], folder: Path) -> list[Fault]:
    again = run(judge, exercise, exercise.reference, [case.inputs for case in cases])
    for case, outcome in zip(cases, again, strict=True):
        if not _identical(case.expected, outcome):
            message = f"Gives another answer the second time, on the case {case.name!r}."
            hint = "Seed what is random, from the inputs."
            return [Fault("error", str(folder / "reference.py"), None, "not-deterministic", message, hint)]
    return []


def _identical(expected: Any, outcome: Outcome) -> bool:
    def same(a: Any, b: Any) -> bool:
        if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
            return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
        if isinstance(a, tuple | list) and isinstance(b, tuple | list):
            return len(a) == len(b) and all(map(same, a, b))
        if isinstance(a, dict) and isinstance(b, dict):
            return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
        return type(a) is type(b) and repr(a) == repr(b)

    return outcome.value is not None and same(expected, outcome.value[0])


def _tolerance_faults(exercise: Exercise, cases: tuple[Case, ...], folder: Path) -> list[Fault]:
    """A tolerance that half precision passes tells right from wrong in too few digits."""
    declared = exercise.signature.parsed_returns
    if not isinstance(declared, Array) or declared.dtype not in ("float32", "float64"):
        return []
    for case in cases:
        with np.errstate(over="ignore"):
            halved = case.expected.astype(np.float16).astype(case.expected.dtype)
        if compare(case.expected, halved, declared, case.dims, exercise.tolerance):
            return []
    hint = "Tighten [tolerance], or give cases values that float16 cannot hold."
    message = "The expected outputs, rounded to half precision, are within the tolerance on every case."
    return [Fault("error", str(folder / "exercise.toml"), None, "tolerance-loose", message, hint)]


def _case_faults(cases: tuple[Case, ...], folder: Path) -> list[Fault]:
    path = str(folder / "cases.py")
    faults = []
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


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _broken(folder: Path, broken: BrokenExercise) -> Fault:
    hint = broken.hint[:1].upper() + broken.hint[1:] + "."
    name, _, rest = broken.message.partition(" ")
    is_key = "_" in name or rest.startswith(("is ", "has ", "does ", "must "))
    if is_key and name == name.lower() and name != "there":
        message = f"`{name}` {rest}."  # a key of theirs, as they wrote it
    else:
        message = broken.message[:1].upper() + broken.message[1:] + "."
    return Fault("error", str(folder / broken.path), broken.line, "broken-exercise", message, hint)
