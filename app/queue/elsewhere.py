"""What a web process without a judge has workers do, besides judging submissions: the askers' side of taskwork.py."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from app.queue.exercises import packed
from app.queue.messages import finished_from_row
from app.queue.tasks import AllBusy, NotWanted, NoWorker, Task, TaskFailed, Tasks
from app.queue.taskwork import broken_from, fault_from
from graders.boxes.keeper import START_SECONDS, JudgeUnavailable
from graders.boxes.patience import Stale
from graders.boxes.sandbox import BoxLost
from graders.cell import Busy, CellRun
from graders.exercise.built import Keeps, keep_cases, keep_mistakes, note_fault
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.fault import Fault
from graders.exercise.limits import Limits
from graders.exercise.reader import exercise_from_files
from graders.grade import Finished
from graders.proof.report import ProofReport

CELL_SECONDS = 60.0  # a turn, a box, ten seconds of running; and once more, if its worker is lost
AUTHOR_SECONDS = START_SECONDS + 60.0
BUILD_SECONDS = 3600.0  # an exercise's own bound is what ends it (`build_seconds`)
CHECK_SECONDS = 6 * 3600.0
REGRADE_SECONDS = 600.0
AT_ONCE = 8  # cells that one web process has running, each of which holds one of its threads


@dataclass(frozen=True)
class Found:
    """What the gate found about a revision."""

    faults: tuple[Fault, ...]
    counts: Mapping[str, int | None]
    report: ProofReport | None
    embedded: frozenset[str]


class Elsewhere:
    """Every method waits, and may be called from any thread."""

    def __init__(self, tasks: Tasks, shelf: Keeps, ceilings: Limits) -> None:
        """`shelf`: where the cases that workers have made are kept. `ceilings`: what an exercise may ask for here."""
        self._tasks, self.shelf, self._ceilings = tasks, shelf, ceilings
        self.at_once = AT_ONCE

    def close(self) -> None:
        """Those who wait learn that nobody is there."""
        self._tasks.close()

    @property
    def can_run(self) -> bool:
        """Whether a worker is there."""
        return self._tasks.can_run()

    # ---- cells ----

    def run_cell(
        self,
        source: str,
        framework: str = "numpy",
        before: Sequence[str] = (),
        inputs: Mapping[str, Any] | None = None,
        wants_result: bool = False,
        neighbourhood: str = "",
    ) -> CellRun:
        """As graders.cell runs it, on a worker. Raises Busy, BoxLost, JudgeUnavailable."""
        asked = _cell(source, framework, before, inputs, wants_result)
        return self._cell_run(
            Task("cell", {**asked, "neighbourhood": neighbourhood}, frameworks=_named(framework)), CELL_SECONDS
        )

    def run_authors(self, source: str, framework: str, before: Sequence[str]) -> CellRun:
        """A cell as its author wrote it. Raises as `run_cell` does."""
        task = Task("author", _cell(source, framework, before), frameworks=_named(framework))
        return self._cell_run(task, AUTHOR_SECONDS)

    def _cell_run(self, task: Task, seconds: float) -> CellRun:
        """attack: a worker answers what no cell gives, and everybody who reads the lesson is shown it. defence: each
        field is read with suspicion (graders/cell.py); if one is odd, the worker has failed."""
        fields, _ = self._ask(task, seconds)
        try:
            return CellRun.from_row(fields, before=len(task.fields["before"]))
        except ValueError as error:
            raise BoxLost(f"a worker's answer cannot be read: {error}") from None

    def grade(self, exercise: Exercise, source: str, framework: str, neighbourhood: str) -> Finished:
        """An example, judged as a submission is. Raises Busy, BoxLost, JudgeUnavailable."""
        asked = {"slug": exercise.slug, "source": source, "framework": framework, "neighbourhood": neighbourhood}
        fields, _ = self._ask(_of(exercise, "example", asked, framework), CELL_SECONDS)
        try:
            return finished_from_row(fields)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BoxLost(f"a worker's answer cannot be read: {error!r}") from None

    def regrade(
        self, exercise: Exercise, source: bytes, framework: str, seed: int | None, is_stale: Callable[[], bool]
    ) -> Finished:
        """A submission judged again, after students' submissions. Raises Busy, BoxLost, JudgeUnavailable, Stale."""
        asked = {"slug": exercise.slug, "source": source.decode("latin-1"), "framework": framework, "seed": seed}
        task = _of(exercise, "regrade", asked, framework)
        fields, _ = self._ask(task, REGRADE_SECONDS, is_wanted=lambda: not is_stale())
        try:
            return finished_from_row(fields)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BoxLost(f"a worker's answer cannot be read: {error!r}") from None

    # ---- exercises ----

    def build(self, exercise: Exercise, *, again: bool = False) -> None:
        """From now on its cases are at hand. Raises BrokenExercise, Busy, BoxLost, JudgeUnavailable."""
        fields, blob = self._ask(_of(exercise, "cases", {"slug": exercise.slug, "again": again}), BUILD_SECONDS)
        if fields.get("broken"):
            broken = broken_from(fields["broken"])
            note_fault(exercise, broken)
            raise broken
        self._keep(keep_cases, exercise, blob)

    def build_mistakes(self, exercise: Exercise) -> None:
        """Likewise the outcomes of its known mistakes."""
        fields, blob = self._ask(_of(exercise, "mistakes", {"slug": exercise.slug}), BUILD_SECONDS)
        if fields.get("broken"):
            raise broken_from(fields["broken"])
        self._keep(keep_mistakes, exercise, blob)

    def admission_faults(self, exercise: Exercise) -> list[Fault]:
        """As the gate's of that name. Raises Busy, BoxLost, JudgeUnavailable."""
        fields, _ = self._ask(_of(exercise, "admit", {"slug": exercise.slug}), BUILD_SECONDS)
        try:
            return [fault_from(row) for row in fields["faults"]]
        except (KeyError, TypeError, ValueError) as error:
            raise BoxLost(f"a worker's answer cannot be read: {error!r}") from None

    def check(
        self,
        kind: str,
        slug: str,
        files: Mapping[str, bytes],
        siblings: set[str],
        say: Callable[[str], None],
        is_stale: Callable[[], bool],
    ) -> Found:
        """The gate on a revision. Raises Busy, BoxLost, JudgeUnavailable; Stale once it is that."""
        asked = {"kind": kind, "slug": slug, "siblings": sorted(siblings), "ceilings": asdict(self._ceilings)}
        task = Task("check", asked, packed(files), *_needs_of_check(kind, slug, files))
        fields, _ = self._ask(task, CHECK_SECONDS, say, lambda: not is_stale())
        try:
            faults = tuple(fault_from(row) for row in fields["faults"])
            report = ProofReport.from_record(fields["report"]) if fields["report"] is not None else None
            counts = {str(name): count for name, count in fields["counts"].items()}
            return Found(faults, counts, report, frozenset(map(str, fields["embedded"])))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BoxLost(f"a worker's answer cannot be read: {error!r}") from None

    # ---- the question itself ----

    def _keep(self, keep: Callable[[Keeps, Exercise, bytes], None], exercise: Exercise, blob: bytes) -> None:
        try:
            keep(self.shelf, exercise, blob)
        except ValueError as error:
            raise BoxLost(f"a worker's answer cannot be read: {error}") from None

    def _ask(
        self,
        task: Task,
        seconds: float,
        say: Callable[[str], None] = lambda line: None,
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> tuple[dict[str, Any], bytes]:
        """In the words of those who have a judge. Raises Busy, BoxLost, JudgeUnavailable, Stale."""
        try:
            return self._tasks.run(task, seconds, say, is_wanted)
        except AllBusy:
            raise Busy from None
        except NoWorker as nobody:
            raise JudgeUnavailable(str(nobody), "Start ./lectern worker with a worker's URL in LECTERN_QUEUE") from None
        except TaskFailed as failed:
            raise BoxLost(str(failed)) from None
        except NotWanted:
            raise Stale from None


def _cell(
    source: str,
    framework: str,
    before: Sequence[str],
    inputs: Mapping[str, Any] | None = None,
    wants_result: bool = False,
) -> dict[str, Any]:
    return {
        "source": source,
        "framework": framework,
        "before": list(before),
        "inputs": None if inputs is None else dict(inputs),
        "wants_result": wants_result,
    }


def _of(exercise: Exercise, kind: str, fields: Mapping[str, Any], framework: str = "") -> Task:
    """`framework`: the one that is asked for; without one, a worker must know all that the exercise is for."""
    frameworks = _named(framework) or _frameworks_of(exercise)
    return Task(kind, fields, packed(exercise.stored), frameworks, _memory_of(exercise))


def _named(framework: str) -> tuple[str, ...]:
    return (framework,) if framework else ()


def _frameworks_of(exercise: Exercise) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*exercise.frameworks, exercise.reference.framework)))


def _memory_of(exercise: Exercise) -> int:
    return max(variant.limits.memory_mb for variant in (exercise, *exercise.others))


def _needs_of_check(kind: str, slug: str, files: Mapping[str, bytes]) -> tuple[tuple[str, ...], int]:
    """The frameworks and the memory. Any worker can say what is wrong with files that are no exercise."""
    if kind != "exercise":
        return (), 0
    try:
        exercise = exercise_from_files(slug, files)
    except BrokenExercise:
        return (), 0
    return _frameworks_of(exercise), _memory_of(exercise)
