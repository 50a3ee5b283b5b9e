"""`lectern check`: what an instructor wrote, read and proved before a student meets it.

An exercise: the gate proves it (graders/proof/gate.py); statement, hints and solution render, their mathematics parses,
their links resolve. A course: every lesson renders, its questions are proved on every variant, what it embeds exists,
every cell ends as it says, and what a question says its code prints, it prints.
"""

import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from app.content.cell import Cell
from app.content.course import Course, course_slug, find_course_faults
from app.content.exercise_faults import find_exercise_faults
from app.content.questions.asking import answer_text
from app.content.questions.predict import predicted_code, read_output
from app.content.questions.question import Question, values_of, where
from app.content.questions.table import kind_of
from app.content.reading import Reader, Unsound, require_one_folder
from graders.boxes.keeper import START_SECONDS, JudgeUnavailable
from graders.boxes.pool import Judge
from graders.boxes.sandbox import BoxLost
from graders.cell import run_cell
from graders.exercise.built import forget_fault
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.fault import Fault, faults_of, placed
from graders.exercise.limits import CEILINGS, Limits
from graders.exercise.reader import read_exercise
from graders.proof.admitted import Admitted
from graders.proof.gate import GateReport, MutantCounts, prove
from graders.text import escaped

TRIES = 3
MAX_PRINTED = 20  # lines of an output that a fault shows
Say = Callable[[str], None]
T = TypeVar("T")


@dataclass
class Report:
    """All faults, by path; each exercise's mutants; and, in words, what was found out about it."""

    faults: list[Fault] = field(default_factory=list)
    exercises: dict[str, MutantCounts] = field(default_factory=dict)
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
    admitted: Admitted | None = None,
) -> Report:
    """Check every exercise and course at or below `paths`. `siblings`: exercises that links may name.

    Each is first read in a process of its own (`reading`): what would crash or hang us is a fault like another.
    `cache`: where it keeps what it found sound. `named`: whether a person named these paths, who is told of one that
    holds nothing. `admitted`: where it records the exercises without a fault, which `serve` then need not judge.
    Raises JudgeUnavailable where this machine cannot judge at all, and BoxLost where it loses one box after the other.
    """
    report = Report()
    exercises, courses, lost = find_folders(paths)
    report.faults += lost if named else []
    report.faults += [*_same_name("exercise", exercises), *_same_name("course", courses)]
    siblings = siblings | {folder.name for folder in exercises}
    # Two exercises at once, whose right answers and mistakes share two threads: while one of them waits for its last
    # ones, or draws cases, the other keeps both cores at work. Where this ends early the threads end first.
    with Reader(cache, ceilings) as reader, _ending_early() as at_once, _ending_early() as lanes:
        check_one = partial(_check_exercise, reader, judge, siblings, say, admitted, lanes)
        for folder, checked in zip(exercises, at_once.map(check_one, exercises), strict=True):
            report.faults += checked.faults
            report.exercises[escaped(folder.name)] = checked.counts
            report.findings[escaped(folder.name)] = checked.findings
        for folder in courses:
            say(f"{escaped(folder.name)} …")
            report.faults += _tried_again(partial(check_course, folder, reader, judge, siblings), folder, say)
    report.faults = list(dict.fromkeys(report.faults))
    return report


def _tried_again(check: Callable[[], T], folder: Path, say: Say) -> T:
    """A box that is lost through no fault of the author's costs one folder some time, and not the whole check. Raises
    BoxLost after TRIES."""
    for _ in range(TRIES - 1):
        try:
            return check()
        except BoxLost as lost:
            say(f"{escaped(folder.name)}: a sandbox was lost ({lost}). Checking it again.")
    return check()


def _say_of(name: str, say: Say, line: str) -> None:
    say(f"{name}: {line}")


@contextmanager
def _ending_early() -> Iterator[ThreadPoolExecutor]:
    """Two threads; what they have not begun when this ends is left out."""
    threads = ThreadPoolExecutor(2)
    try:
        yield threads
    finally:
        threads.shutdown(cancel_futures=True)


def _check_exercise(
    reader: Reader,
    judge: Judge,
    siblings: set[str],
    say: Say,
    admitted: Admitted | None,
    lanes: Executor,
    folder: Path,
) -> GateReport:
    name = escaped(folder.name)
    say(f"{name} …")
    try:
        reader.exercise(folder)
        prove_it = partial(check_exercise, folder, judge, siblings, partial(_say_of, name, say), admitted, lanes)
        return _tried_again(prove_it, folder, say)
    except Unsound as unsound:
        return GateReport([placed(folder, fault) for fault in unsound.faults])
    except RecursionError:
        return GateReport([_nested(escaped(str(folder)))])


def check_course(folder: Path, reader: Reader, judge: Judge, siblings: set[str] | None) -> list[Fault]:
    """Every fault of one course folder. `siblings`: the exercises that it may embed; None: any."""
    try:
        read = reader.course(folder)
    except Unsound as unsound:
        return [placed(folder, fault) for fault in unsound.faults]
    beside = {course_slug(path.parent.name) for path in folder.parent.glob("*/course.toml")}
    faults = _course_faults(read.course, judge, siblings, courses=beside if siblings is not None else None)
    return [*(placed(folder, fault) for fault in read.faults), *faults]


def _course_faults(
    course: Course,
    judge: Judge,
    siblings: set[str] | None,
    say: Say = lambda line: None,
    courses: set[str] | None = None,
) -> Iterator[Fault]:
    say("reads the lessons")
    yield from find_course_faults(course, siblings, courses)
    say("runs the cells")
    yield from check_cells(course, judge)
    say("runs the code whose output is asked for")
    yield from check_predictions(course, judge)


# ---- files that lie in no folder ---------------------------------------------------------------------------------


def check_exercise_files(
    slug: str,
    files: Mapping[str, bytes],
    reader: Reader,
    judge: Judge,
    siblings: set[str],
    say: Say = lambda line: None,
    admitted: Admitted | None = None,
) -> GateReport:
    """As a folder of that name would be checked, with the report in full; the faults' paths are within it."""
    place = Path("exercises") / slug
    try:
        say("reads the files")
        exercise = reader.exercise_of(slug, files).exercise
        forget_fault(exercise)  # that its cases could not be made before: the machine may only have been busy
        proved = _check_read_exercise(exercise, place, judge, siblings, say, admitted, in_full=True)
    except Unsound as unsound:
        return GateReport([*unsound.faults])
    except RecursionError:
        return GateReport([_nested("")])
    return replace(proved, faults=_each_once_within(place, proved.faults))


@dataclass(frozen=True)
class CourseReport:
    """The faults of a course, and the exercises that it embeds: which of them exist may change at any time."""

    faults: list[Fault]
    embedded: frozenset[str] = frozenset()


def check_course_files(
    slug: str,
    files: Mapping[str, bytes],
    reader: Reader,
    judge: Judge,
    siblings: set[str],
    say: Say = lambda line: None,
) -> CourseReport:
    """As a folder of that name would be checked; the faults' paths are within it."""
    place = Path("lessons") / slug
    try:
        say("reads the files")
        course = reader.course_of(slug, files, str(place)).course
        embedded = frozenset(name for lesson in course.lessons for name in lesson.render().exercises)
        return CourseReport(_each_once_within(place, _course_faults(course, judge, siblings, say)), embedded)
    except Unsound as unsound:
        return CourseReport([*unsound.faults])
    except RecursionError:
        return CourseReport([_nested("")])


def _each_once_within(place: Path, faults: Iterable[Fault]) -> list[Fault]:
    """With the paths as they are within that folder; "" is the folder itself."""
    return list(dict.fromkeys(replace(fault, path=_path_within(place, fault.path)) for fault in faults))


def _path_within(place: Path, path: str) -> str:
    return "" if path == str(place) else path.removeprefix(f"{place}/")


def _nested(path: str) -> Fault:
    hint = "Write it in steps, with fewer nested brackets."
    return Fault("error", path, None, "nested", "A file is nested too deeply to be checked.", hint)


def find_folders(paths: Iterable[Path]) -> tuple[list[Path], list[Path], list[Fault]]:
    """The exercise and course folders at or just below each path; a fault for a path that holds neither."""
    exercises: list[Path] = []
    courses: list[Path] = []
    faults = []
    for path in paths:
        covered = [place for place in _places(path) if _has_a_cover(place)] or [*_owner_of(path)]
        exercises += [place.resolve() for place in covered if os.path.lexists(place / "exercise.toml")]
        courses += [place.resolve() for place in covered if not os.path.lexists(place / "exercise.toml")]
        if not covered:
            hint = "Name the folder of an exercise or a course, a folder of these, or a file in one."
            message = "There is no exercise or course here."
            faults.append(Fault("error", str(path), None, "nothing", message, hint))
    return list(dict.fromkeys(exercises)), list(dict.fromkeys(courses)), faults


def _same_name(kind: str, folders: Iterable[Path]) -> list[Fault]:
    """A fault for each slug that several folders have: a server could serve only one of them."""
    found: dict[str, list[Path]] = {}
    for folder in folders:
        found.setdefault(folder.name if kind == "exercise" else course_slug(folder.name), []).append(folder)
    return [fault for slug, places in found.items() if (fault := _same_name_fault(kind, slug, places))]


def _same_name_fault(kind: str, slug: str, folders: list[Path]) -> Fault | None:
    try:
        require_one_folder(kind, slug, folders)
    except Unsound as unsound:
        return replace(unsound.fault, path=str(folders[-1]))
    return None


def _owner_of(path: Path) -> Iterator[Path]:
    """The folder of the exercise or course that a file, or a folder within it, belongs to."""
    holders = (folder for folder in path.absolute().parents if _has_a_cover(folder))
    yield from itertools.islice(holders, 1)


def _has_a_cover(folder: Path) -> bool:
    return any(os.path.lexists(folder / cover) for cover in ("exercise.toml", "course.toml"))


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
        return Fault("error", path, cell.line, "cell-figures", ran.notes[0], "Draw fewer or smaller figures.")
    if error is None and cell.raises is None:
        return None
    if error is None:
        message = f"The cell {cell.name} says `:raises: {cell.raises}` but ends without an error."
        return Fault("error", path, cell.line, "cell-ends-well", message, "Remove `:raises:`.")
    if ran.earlier is None and error.type == cell.raises:
        return None
    if ran.earlier is not None:
        where = f"{cell.before_names[ran.earlier]}, which runs before {cell.name},"
        line = cell.line
    else:
        where, line = cell.name, cell.line + (error.line or 1) - 1
    hint = f"Fix it, or add `:raises: {error.type}` if the error is intended."
    message = f"The cell {where} ends in {error.type}: {error.message or 'no message'}."
    return Fault("error", path, line, "cell-raises", message, hint)


def check_predictions(course: Course, judge: Judge) -> list[Fault]:
    """Run all code whose output is an answer, once for each set of given values; a fault for each that prints
    otherwise."""
    asked = [question for lesson in course.lessons for question in lesson.questions.values()]
    tasks = [(one, draw) for one in asked if kind_of(one).WRITTEN.is_output for draw in range(one.draws)]
    with ThreadPoolExecutor(2) as side_by_side:
        found = side_by_side.map(lambda task: _prediction_fault(judge, *task), tasks)
        faults = [fault for fault in found if fault]
    return list({(fault.path, fault.line): fault for fault in reversed(faults)}.values())[::-1]  # one a question


def _prediction_fault(judge: Judge, question: Question, draw: int) -> Fault | None:
    values = values_of(question, draw)
    try:
        ran = run_cell(judge, predicted_code(question, values) or "", question.framework, wait_seconds=START_SECONDS)
    except JudgeUnavailable as refused:
        message = f"The output of {question.slug} was not verified: {refused.message}"
        return Fault("warning", question.path, question.line, "predict-unverified", message, refused.hint)
    stated, variant = answer_text(question, values), where(values)
    if ran.error is not None:
        message = f"The code of {question.slug} ends in {ran.error.type}{variant}: {ran.error.message or 'no message'}."
        if ran.prints:
            message = "\n".join([f"{message} Before that, it printed:", *(f"+{line}" for line in _lines(ran.prints))])
        hint = "Catch the error and print it, or correct the code: students predict what it prints."
        return Fault("error", question.path, question.line, "predict-raises", message, hint)
    if read_output(ran.prints) == read_output(stated):
        return None
    printed, answered = _lines(ran.prints), _lines(stated)
    what = f"prints `{printed[0]}`" if len(printed) == 1 else f"prints {len(printed)} lines" if printed else "is silent"
    sentence = f"The code of {question.slug} {what}, which is not what its answer says{variant}."
    message = "\n".join([sentence, *(f"-{line}" for line in answered), *(f"+{line}" for line in printed)])
    hint = "Correct `:answer:`: what is printed stands after `+` above. Further lines are indented by two spaces."
    return Fault("error", question.path, question.line, "predict-wrong", message, hint)


def _lines(prints: str) -> list[str]:
    lines = prints.rstrip("\n").splitlines()
    return [*lines[:MAX_PRINTED], f"… and {len(lines) - MAX_PRINTED} more"] if len(lines) > MAX_PRINTED else lines


def check_exercise(
    folder: Path,
    judge: Judge,
    siblings: set[str],
    say: Say = lambda line: None,
    admitted: Admitted | None = None,
    lanes: Executor | None = None,
) -> GateReport:
    """Every fault of one exercise folder. `lanes`: as in `prove`."""
    try:
        exercise = read_exercise(folder)
    except BrokenExercise as broken:
        return GateReport([placed(folder, fault) for fault in faults_of(broken, folder.name)])
    return _check_read_exercise(exercise, folder, judge, siblings, say, admitted, lanes=lanes)


def _check_read_exercise(
    exercise: Exercise,
    folder: Path,
    judge: Judge,
    siblings: set[str],
    say: Say,
    admitted: Admitted | None,
    in_full: bool = False,
    lanes: Executor | None = None,
) -> GateReport:
    words = find_exercise_faults(exercise, str(folder))
    proved = prove(exercise, judge, folder, say, in_full=in_full, lanes=lanes)
    faults = [*words, *_link_faults(exercise, folder, siblings), *proved.faults]
    if admitted and not any(fault.severity == "error" for fault in faults):
        admitted.note(exercise)
    return replace(proved, faults=faults)


def _link_faults(exercise: Exercise, folder: Path, siblings: set[str]) -> list[Fault]:
    path = str(folder / "exercise.toml")
    return [
        Fault(
            "warning",
            path,
            None,
            "related",
            f"There is no exercise {slug!r}.",
            "Until it exists, the page leaves it out.",
        )
        for slug in exercise.related
        if slug not in siblings
    ]
