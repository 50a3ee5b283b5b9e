"""What a worker does for web processes besides judging submissions, by kind. The askers' side is elsewhere.py.

cell        a reader's cell, or a lab's code      beside submissions, as many at once as the worker has threads
example     an example of the gallery, judged     likewise
author      a cell as its author wrote it         one at a time
cases       an exercise's cases, or the outcomes  two at a time
mistakes    of its known mistakes
admit       whether an exercise may be published  low priority: one at a time, after students' submissions
check       the gate, for a revision              (graders/boxes/patience.py)
regrade     a submission, judged again            likewise, beside a check
"""

from collections.abc import Mapping
from dataclasses import astuple
from pathlib import Path
from typing import Any

from app.content.check import check_course_files, check_exercise_files
from app.content.reading import Reader
from app.queue.exercises import unpacked
from app.queue.messages import finished_row
from app.queue.tasks import NotWanted
from app.queue.workbench import Answer, Lane, Request
from app.reading.cells import CellTurns
from graders.boxes.keeper import START_SECONDS
from graders.boxes.patience import PatientJudge
from graders.boxes.pool import Judge
from graders.cell import WAITING_MOST, CellRun, run_cell
from graders.exercise.built import encoded_cases, encoded_mistakes, forget_fault
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.fault import Fault
from graders.exercise.limits import Limits
from graders.exercise.reader import exercise_from_files, require_ceilings
from graders.grade import Finished, grade
from graders.proof.gate import admission_faults
from graders.text import storable

BUILDERS, BUILDS_WAITING = 2, 16
REGRADES_WAITING = 4


class Taskwork:
    """`most`: how many cells run at once. `cache`: where it is kept which content is proved sound."""

    def __init__(self, judge: Judge, most: int, ceilings: Limits, cache: Path | None) -> None:
        self._judge, self._ceilings, self._cache = judge, ceilings, cache
        self._turns = CellTurns(most)
        self._most = most

    def lanes(self) -> list[Lane]:
        live = {"cell": self.cell, "example": self.example}
        builds = {"cases": self.cases, "mistakes": self.mistakes}
        patient = {"admit": self.admit, "check": self.check}
        return [
            Lane(live, self._most + WAITING_MOST),
            Lane({"author": self.author}, 1),
            Lane(builds, BUILDERS, BUILDS_WAITING),
            Lane(patient, 1),
            Lane({"regrade": self.regrade}, 1, REGRADES_WAITING),
        ]

    # ---- live ----

    def cell(self, request: Request) -> Answer:
        """Raises Busy, BoxLost, JudgeUnavailable."""
        with self._turns.turn(str(request.fields["neighbourhood"])):
            if request.is_stale():
                raise NotWanted
            return self._run(request).row(), b""

    def author(self, request: Request) -> Answer:
        return self._run(request, wait_seconds=START_SECONDS).row(), b""

    def _run(self, request: Request, **more: Any) -> CellRun:
        asked = request.fields
        return run_cell(
            self._judge,
            str(asked["source"]),
            str(asked["framework"]),
            before=[str(source) for source in asked["before"]],
            inputs=asked["inputs"],
            wants_result=bool(asked["wants_result"]),
            **more,
        )

    def example(self, request: Request) -> Answer:
        asked, exercise = request.fields, self._exercise(request)
        with self._turns.turn(str(asked["neighbourhood"])):
            source = str(asked["source"]).encode("utf-8", "replace")
            events = grade(exercise, source, str(asked["framework"]), self._judge)
            finished = next(event for event in events if isinstance(event, Finished))
        return finished_row(finished), b""

    # ---- what is built ----

    def cases(self, request: Request) -> Answer:
        """`again`: where it failed before, it is built once more. A broken exercise is an answer too."""
        try:
            exercise = self._exercise(request)
            if request.fields["again"]:
                forget_fault(exercise)
            return {"broken": None}, encoded_cases(self._judge, exercise)
        except BrokenExercise as broken:
            return {"broken": broken_row(broken)}, b""

    def mistakes(self, request: Request) -> Answer:
        try:
            return {"broken": None}, encoded_mistakes(self._judge, self._exercise(request))
        except BrokenExercise as broken:
            return {"broken": broken_row(broken)}, b""

    # ---- low priority ----

    def admit(self, request: Request) -> Answer:
        exercise = self._exercise(request)
        forget_fault(exercise)
        faults = admission_faults(exercise, PatientJudge(self._judge, request.is_stale), Path())
        return {"faults": [fault_row(fault) for fault in faults]}, b""

    def check(self, request: Request) -> Answer:
        """As `Checks` makes one where there is a judge (app/teaching/checks.py)."""
        asked = request.fields
        kind, slug, siblings = str(asked["kind"]), str(asked["slug"]), set(map(str, asked["siblings"]))
        files = unpacked(request.blob)
        judge = PatientJudge(self._judge, request.is_stale)
        with Reader(self._cache, _ceilings_of(asked) or self._ceilings) as reader:
            if kind == "exercise":
                proved = check_exercise_files(slug, files, reader, judge, siblings, request.say)
                report = proved.report.record() if proved.report.cases else None
                rows = [fault_row(fault) for fault in proved.faults]
                return {"faults": rows, "counts": proved.counts, "report": report, "embedded": []}, b""
            read = check_course_files(slug, files, reader, judge, siblings, request.say)
            rows = [fault_row(fault) for fault in read.faults]
            return {"faults": rows, "counts": {}, "report": None, "embedded": sorted(read.embedded)}, b""

    def regrade(self, request: Request) -> Answer:
        """By the fresh cases of its first verdict, so that a difference is the exercise's and not luck."""
        asked, exercise = request.fields, self._exercise(request)
        judge, seed = PatientJudge(self._judge, request.is_stale), asked["seed"]
        source = str(asked["source"]).encode("latin-1", "replace")
        wanted = int(seed) if seed is not None else None
        events = grade(exercise, source, str(asked["framework"]), judge, seed=wanted)
        return finished_row(next(event for event in events if isinstance(event, Finished))), b""

    def _exercise(self, request: Request) -> Exercise:
        """Raises BrokenExercise."""
        exercise = exercise_from_files(str(request.fields["slug"]), unpacked(request.blob))
        require_ceilings(exercise, self._ceilings)
        return exercise


def _ceilings_of(asked: Mapping[str, Any]) -> Limits | None:
    """What an exercise may ask for where it is published, which is not for a worker to say. None: the web process is
    of an earlier release, and does not say."""
    ceilings = asked.get("ceilings")
    return Limits(**ceilings) if isinstance(ceilings, dict) else None


def fault_row(fault: Fault) -> list[Any]:
    """As JSON; `fault_from` is the way back."""
    return [storable(part) if isinstance(part, str) else part for part in astuple(fault)]


def fault_from(row: Any) -> Fault:
    """Raises ValueError."""
    severity, path, line, code, message, hint = row
    if severity not in ("error", "warning") or not (line is None or isinstance(line, int)):
        raise ValueError("no fault")
    return Fault(severity, str(path), line, str(code), str(message), str(hint))


def broken_row(broken: BrokenExercise) -> Mapping[str, Any]:
    return {
        "path": storable(broken.path),
        "message": storable(broken.about_it),
        "hint": storable(broken.hint),
        "line": broken.line,
        "subject": broken.subject,
    }


def broken_from(row: Mapping[str, Any]) -> BrokenExercise:
    """Raises TypeError."""
    return BrokenExercise(**row)
