"""Claim → grade → record. Where submissions come from, and where verdicts go, is behind a `Queue`."""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from graders.boxes.keeper import JudgeUnavailable
from graders.boxes.pool import Judge
from graders.boxes.sandbox import BoxLost
from graders.exercise.definition import Exercise
from graders.exercise.fresh import Stock
from graders.grade import Event, Finished, grade

CLAIM_SECONDS = 1.0
PAUSE_SECONDS = 0.5  # after a failure of ours, so that a machine in trouble is not asked a thousand times a second

log = logging.getLogger("lectern.worker")


@dataclass(frozen=True)
class Job:
    """One grading to do. `attempt` counts its claims: a late result of an earlier attempt is ignored."""

    grading_id: int
    attempt: int
    exercise: Exercise
    source: bytes
    framework: str
    kind: str = "submit"
    inputs: Mapping[str, Any] | None = None
    case_name: str | None = None  # of a trace: which sample case; None: the first
    submission_id: int = 0  # for those who watch; and what names the span that it belongs to (app/web/tracing.py)
    trace: str = ""


class Queue(Protocol):
    """Where gradings wait: in this process, or at a broker. The rows in the database are the truth."""

    def claim(self, seconds: float) -> Job | None:
        """The next job, or None after `seconds`. Its attempt is saved before the job is handed out."""

    def record(self, job: Job, event: Event) -> bool:
        """Store and announce one event. Returns False when another attempt has taken over: then stop."""

    def give_back(self, job: Job, reason: str) -> None:
        """After a failure of ours: queue the job again, or after three attempts finish it as internal_error."""


Watch = Callable[[Job], AbstractContextManager[Callable[[Event], None]]]


@contextmanager
def unwatched(job: Job) -> Iterator[Callable[[Event], None]]:
    yield lambda event: None


class Worker:
    """A thread that judges, one submission at a time, until it is closed."""

    def __init__(self, queue: Queue, judge: Judge, stock: Stock | None = None, watch: Watch = unwatched) -> None:
        """`watch`: entered around each job, in this thread; what it gives is called with each event."""
        self.queue, self.judge, self.stock, self.watch = queue, judge, stock or Stock(), watch
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self, seconds: float = 5.0) -> None:
        """Stop claiming, and wait for the current grading. Close the judge first to cut that short."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                job = self.queue.claim(CLAIM_SECONDS)
            except Exception:
                log.exception("claiming failed")
                self._stopping.wait(PAUSE_SECONDS)
                continue
            if job is not None:
                with self.watch(job) as saw:
                    self._judge(job, saw)

    def _judge(self, job: Job, saw: Callable[[Event], None]) -> None:
        try:
            for event in grade(
                job.exercise, job.source, job.framework, self.judge, job.kind, job.inputs, job.case_name, self.stock,
                keeps_box=True,
            ):  # fmt: skip
                if isinstance(event, Finished) and event.reason:
                    log.error("grading %s: %s: %s", job.grading_id, job.exercise.slug, event.reason)
                saw(event)
                if not self.queue.record(job, event):
                    return
        except (BoxLost, JudgeUnavailable) as error:
            self._give_back(job, str(error))
        # our fault must never become a verdict on the student, nor end this thread: a library may panic
        except BaseException as error:
            log.exception("grading %s failed", job.grading_id)
            self._give_back(job, f"{type(error).__name__}: {error}")

    def _give_back(self, job: Job, reason: str) -> None:
        if self._stopping.is_set():
            return  # its row still says "running": it is queued again at the next start
        try:
            self.queue.give_back(job, reason)
        except Exception:
            log.exception("giving back grading %s failed", job.grading_id)
        self._stopping.wait(PAUSE_SECONDS)
