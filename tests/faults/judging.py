"""What the server starts for judging, without its pages, as a process of its own that a test may kill or stop."""

import logging
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from multiprocessing.synchronize import Event as Told
from pathlib import Path
from typing import Any

from app.db import Database
from app.queue import recorder
from app.queue.events import Events
from app.queue.leases import LEASE_SECONDS
from app.queue.local import LocalQueue
from app.reading.catalog import Catalog
from app.web.metrics import Metrics
from graders.boxes.cgroups import ControlGroup
from graders.boxes.pool import Judge
from graders.boxes.sandbox import Box
from graders.grade import Began, CaseFinished, Event
from graders.worker import Job, Worker
from tests.faults.processes import started
from tests.forked import forkserver
from tests.waiting import LIMIT_SECONDS, until


class Halt:
    """A point of one grading at which its worker stands still until it is told to go on."""

    def __init__(self, grading_id: int, point: str) -> None:
        """`point`: one of `points`."""
        self.grading_id, self.point = grading_id, point
        self._reached, self._goes_on, self._refused = forkserver.Event(), forkserver.Event(), forkserver.Event()

    @staticmethod
    def points(cases: int) -> list[str]:
        """The points of a grading with so many cases, in their order: claimed, before the queue is told a thing, in the
        middle of the transaction that writes the verdict, and after it. A program that prints in each call has others,
        while it is at work on a case."""
        of_cases = [point for case in range(cases) for point in (f"at work on case {case}", f"case {case}")]
        return ["claimed", "begin", *of_cases, "verdict", "verdict written", "verdict told"]

    def pass_by(self, grading_id: int, point: str) -> None:
        """Called by the worker wherever it comes by."""
        if (grading_id, point) == (self.grading_id, self.point):
            self._reached.set()
            self._goes_on.wait()

    def refuse(self, grading_id: int) -> None:
        """Called where the queue will hear no more of a grading from this worker."""
        if grading_id == self.grading_id:
            self._refused.set()

    def until_reached(self) -> None:
        until(self._reached.is_set, f"nobody came to: {self.point}", look_seconds=0.002)

    def until_refused(self) -> None:
        until(self._refused.is_set, "what comes too late was not refused")

    def go_on(self) -> None:
        self._goes_on.set()


class _HaltingQueue(LocalQueue):
    def __init__(self, *arguments: Any, halt: Halt, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._halt, self._at_work = halt, (0, 0)  # a grading, and a case of it
        take_prints, write_verdict = Box.take_prints, recorder.write_verdict

        def taken(box: Box, prints: bytearray) -> int:
            count = take_prints(box, prints)
            if count:
                grading_id, case = self._at_work
                halt.pass_by(grading_id, f"at work on case {case}")
            return count

        def written(db: Any, fence: Any, running: recorder.Running, verdict: Any) -> bool:
            is_owned = write_verdict(db, fence, running, verdict)
            halt.pass_by(running.job.grading_id, "verdict written")
            return is_owned

        # This process is the drill's own, and ends with it.
        Box.take_prints = taken  # type: ignore[assignment, method-assign]
        recorder.write_verdict = written

    def claim(self, seconds: float) -> Job | None:
        job = super().claim(seconds)
        if job is not None:
            self._halt.pass_by(job.grading_id, "claimed")
        return job

    def record(self, job: Job, event: Event) -> bool:
        match event:
            case Began():
                what, self._at_work = "begin", (job.grading_id, 0)
            case CaseFinished():
                case = self._at_work[1]
                what, self._at_work = f"case {case}", (job.grading_id, case + 1)
            case _:
                what = "verdict"
        self._halt.pass_by(job.grading_id, what)
        is_owned = super().record(job, event)
        if not is_owned:
            self._halt.refuse(job.grading_id)
        self._halt.pass_by(job.grading_id, f"{what} told")
        return is_owned


@contextmanager
def judging(
    folder: Path, group: ControlGroup | None = None, lease_seconds: float = LEASE_SECONDS, halt: Halt | None = None
) -> Iterator[ForkServerProcess]:
    """A process that judges what waits in the database in `folder`, with a box that is warm already; in `group`, with
    all that it starts."""
    begun = forkserver.Event()
    groups = group and list(group.folders.values())
    process = forkserver.Process(target=_judge, args=(folder, begun, groups, lease_seconds, halt))
    with started(process, begun):
        yield process


def _judge(folder: Path, begun: Told, groups: list[Path] | None, lease_seconds: float, halt: Halt | None) -> None:
    for group in groups or ():
        (group / "cgroup.procs").write_text("0")  # the process that writes
    logging.getLogger("lectern").setLevel(logging.ERROR)
    db = Database(f"sqlite+pysqlite:///{folder / 'lectern.sqlite3'}")
    catalog = Catalog(db)
    catalog.import_folders([folder / "exercises"], [folder / "lessons"])
    arguments = db, catalog, Events(), Metrics(), None, lease_seconds
    queue = LocalQueue(*arguments) if halt is None else _HaltingQueue(*arguments, halt=halt)
    queue.start()
    judge = Judge(folder / "cache", frameworks=["numpy"], parked={"numpy": 1})
    judge.start()
    until(judge.ready)
    Worker(queue, judge).start()
    begun.set()
    signal.pause()


@contextmanager
def claiming(url: str, lease_seconds: float) -> Iterator[ForkServerProcess]:
    """A process that has claimed what is next in this database, and holds it until it is killed."""
    claimed = forkserver.Event()
    process = forkserver.Process(target=_claim, args=(url, lease_seconds, claimed))
    with started(process, claimed):
        yield process


def _claim(url: str, lease_seconds: float, claimed: Told) -> None:
    db = Database(url)
    queue = LocalQueue(db, Catalog(db), Events(), Metrics(), lease_seconds=lease_seconds)
    queue.start()
    if queue.claim(LIMIT_SECONDS) is not None:
        claimed.set()
    signal.pause()
