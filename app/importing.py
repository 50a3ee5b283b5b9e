"""`lectern import`: what a foreign format yields, judged like content of ours, and written as folders.

An exercise is *imported* if it passes the judging part of the publish gate: it loads, its cases are built, its own
solution is accepted and its starter is not. A course is, if nothing in it is a fault. Otherwise an item is written all
the same, and *flagged* with the faults. Foreign code runs in boxes only. There, the tests that an exercise came with
also say whether they agree with its solution: where one does not, that is a warning, since the solution is what
students are compared with; where none does, a fault.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.content.check import check_course
from app.content.formats.kind import Format, Item, OwnTests, Refused
from app.content.reading import Reader
from graders.boxes.pool import Judge
from graders.cell import run_cell
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.fault import Fault, Severity, faults_of, placed
from graders.exercise.limits import CEILINGS, Limits
from graders.exercise.reader import exercise_from_files, require_ceilings
from graders.proof.gate import admission_faults

Say = Callable[[str], None]
MAX_DISAGREEMENTS = 5  # that are shown of one item


@dataclass
class Report:
    """What became of each item, in their order."""

    format: str
    imported: list[dict[str, Any]] = field(default_factory=list)
    flagged: list[dict[str, Any]] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.flagged and not self.refused

    def as_json(self) -> dict[str, Any]:
        flagged = [{**entry, "faults": [vars(fault) for fault in entry["faults"]]} for entry in self.flagged]
        refused = [vars(item) for item in self.refused]
        return {"format": self.format, "imported": self.imported, "flagged": flagged, "refused": refused}


def import_all(
    format_: Format, path: Path, into: Path, judge: Judge, say: Say = lambda line: None, ceilings: Limits = CEILINGS
) -> Report:
    """Write each item of `path` below `into`, and tell what became of it.

    Raises JudgeUnavailable and BoxLost, and OSError where `into` cannot be written to.
    """
    report = Report(format_.NAME)
    for item in format_.items(path):
        say(f"{item.name} …")
        if isinstance(item, Refused):
            report.refused.append(item)
        elif why := _cannot_be_written(item, into):
            report.refused.append(Refused(item.name, why))
        else:
            folder = _write(item, into)
            _judge(item, folder, judge, ceilings, report)
    return report


def _judge(item: Item, folder: Path, judge: Judge, ceilings: Limits, report: Report) -> None:
    find = _faults if item.kind == "exercise" else _course_faults
    faults = list(find(item, folder, judge, ceilings))
    faults += [Fault("warning", str(folder), None, "import", text, "") for text in item.warnings]
    if any(fault.severity == "error" for fault in faults):
        report.flagged.append({"name": item.name, "path": str(folder), "faults": faults})
    else:
        warnings = [fault.message for fault in faults]
        report.imported.append({"name": item.name, "path": str(folder), "warnings": warnings})


def _faults(item: Item, folder: Path, judge: Judge, ceilings: Limits) -> Iterator[Fault]:
    try:
        exercise = exercise_from_files(item.name, item.files)
        require_ceilings(exercise, ceilings)
    except BrokenExercise as broken:
        yield from (placed(folder, fault) for fault in faults_of(broken, item.name))
        return
    found = admission_faults(exercise, judge, folder)
    yield from found
    if item.own_tests and not found:
        yield from _disagreements(item.own_tests, exercise, folder, judge)


def _course_faults(item: Item, folder: Path, judge: Judge, ceilings: Limits) -> Iterator[Fault]:
    """What keeps it from being served; what `check` only advises is for its author to look at there."""
    with Reader(None, ceilings) as reader:
        found = check_course(folder, reader, judge, None)
    yield from (fault for fault in found if fault.severity == "error")


def _disagreements(own: OwnTests, exercise: Exercise, folder: Path, judge: Judge) -> Iterator[Fault]:
    """Where the tests that it came with do not agree with its solution, which a box finds out."""
    run = run_cell(judge, own.program, own.framework, inputs=own.inputs, wants_result=True)
    path = str(folder / "reference.py")
    if run.error:
        message = f"The tests that it came with end in {run.error.type}: {run.error.message}"
        yield Fault("warning", path, None, "own-tests", message, "")
        return
    found = own.disagreements(run.result)
    severity: Severity = "error" if len(found) >= own.count else "warning"
    for text in found[:MAX_DISAGREEMENTS]:
        hint = "Students are compared with the solution: correct it, or the cases."
        yield Fault(severity, path, None, "own-tests", f"{text}.", hint)


# ------------------------------------------------------------------ writing


def _cannot_be_written(item: Item, into: Path) -> str | None:
    """Why an item is not written: what is there stays.

    attack: a file named `../../.bashrc` in a foreign archive.
    defence: every path must stay in its folder, whatever the format made of it.
    """
    names = [item.name, *item.files]
    if any(Path(name).is_absolute() or ".." in Path(name).parts or "\0" in name for name in names):
        return "It names a file outside of its folder."
    if (there := into / item.name).exists() and not _is_same(item, there):
        return f"{there} is there already, and is another: move it or remove it."
    return None


def _is_same(item: Item, folder: Path) -> bool:
    return all((folder / name).is_file() and (folder / name).read_bytes() == data for name, data in item.files.items())


def _write(item: Item, into: Path) -> Path:
    folder = into / item.name
    for name, content in item.files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return folder
