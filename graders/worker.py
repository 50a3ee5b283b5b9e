"""Claim → grade → record. Where submissions come from and where verdicts go is given from outside, as a `Queue`."""

import logging
import subprocess
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from graders.cases import cases_of, mistakes_of, warmth_of
from graders.exercise import BrokenExercise, Exercise
from graders.grade import Event, Finished, grade
from graders.pool import Judge, JudgeUnavailable
from graders.sandbox import BoxLost
from graders.warmth import FILL_SECONDS, Call

CLAIM_SECONDS = 1.0
PAUSE_SECONDS = 0.5  # after a failure of ours, so that a machine in trouble is not asked a thousand times a second

log = logging.getLogger("lectern.worker")


@dataclass(frozen=True)
class Job:
    """One grading to do. `attempt` counts the claims of it: a late result of an earlier attempt is ignored."""

    grading_id: int
    attempt: int
    exercise: Exercise
    source: bytes
    framework: str
    kind: str = "submit"
    inputs: Mapping[str, Any] | None = None
    case_name: str | None = None  # of a trace: which sample case; None: the first


class Queue(Protocol):
    """Where gradings wait. Rows are its truth; it may be in process or a broker."""

    def claim(self, seconds: float) -> Job | None:
        """The next job, waiting at most `seconds`. Its attempt is saved before it is handed out."""

    def record(self, job: Job, event: Event) -> bool:
        """Store and announce one event. False: another attempt has taken over; stop."""

    def give_back(self, job: Job, reason: str) -> None:
        """Our failure, not the student's: queue it again, or after three attempts finish it as internal_error."""


class Preparer:
    """A thread that builds what exercises need before the first student asks: expected outputs, what JAX is likely to
    compile, the outcomes of known mistakes. It begins once a box is warm, one exercise at a time; a broken exercise is
    logged and passed over.
    """

    def __init__(self, exercises: Iterable[Exercise], judge: Judge) -> None:
        self.exercises, self.judge = tuple(exercises), judge
        self._stopping = threading.Event()
        self._compiling: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="preparer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self, seconds: float = 5.0) -> None:
        self._stopping.set()
        compiling = self._compiling
        if compiling:
            compiling.kill()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _run(self) -> None:
        for prepare in (self._prepare_cases, self._prepare_boxes, self._prepare_mistakes, self._prepare_cache):
            for exercise in self.exercises:
                if self._stopping.is_set():
                    return
                try:
                    prepare(exercise)
                except BrokenExercise as broken:
                    log.error("%s is broken: %s", exercise.slug, broken)
                except (BoxLost, JudgeUnavailable) as error:
                    if not self._stopping.is_set():
                        log.warning("%s is not prepared: %s", exercise.slug, error)

    def _prepare_cases(self, exercise: Exercise) -> None:
        cases_of(self.judge, exercise)

    def _prepare_mistakes(self, exercise: Exercise) -> None:
        mistakes_of(self.judge, exercise)

    def _prepare_boxes(self, exercise: Exercise) -> None:
        """What the exercise declares: compiled at once, and made in the boxes that wait."""
        warmth = warmth_of(exercise, cases_of(self.judge, exercise))
        if warmth is not None and warmth.calls:
            self._compile(warmth.calls, warmth.wide)
            self.judge.expect(warmth)

    def _prepare_cache(self, exercise: Exercise) -> None:
        """The usual calls on the exercise's arrays: only on disk, and when there is nothing better to do."""
        warmth = warmth_of(exercise, cases_of(self.judge, exercise))
        if warmth is not None:
            self._compile(warmth.fill, warmth.wide)

    def _compile(self, calls: Sequence[Call], wide: bool) -> None:
        compiled = self.judge.compiled
        if compiled is None:
            return
        self._compiling = compiled.fill(calls, wide)
        if self._compiling is None:
            return
        try:
            if self._stopping.is_set():  # closed while it was being started
                self._compiling.kill()
            if self._compiling.wait(FILL_SECONDS) == 0:
                compiled.filled(calls, wide)
        except subprocess.TimeoutExpired:
            log.warning("compiling ahead took more than %g s", FILL_SECONDS)
            self._compiling.kill()
            self._compiling.wait()
        finally:
            self._compiling = None


class Worker:
    """A thread that judges, one submission at a time, until it is closed."""

    def __init__(self, queue: Queue, judge: Judge) -> None:
        self.queue, self.judge = queue, judge
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self, seconds: float = 5.0) -> None:
        """Stop claiming; wait for the grading at hand. The judge must be closed first to cut that short."""
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
                self._judge(job)

    def _judge(self, job: Job) -> None:
        try:
            for event in grade(
                job.exercise, job.source, job.framework, self.judge, job.kind, job.inputs, job.case_name
            ):
                if isinstance(event, Finished) and event.reason:
                    log.error("grading %s: %s: %s", job.grading_id, job.exercise.slug, event.reason)
                if not self.queue.record(job, event):
                    return
        except (BoxLost, JudgeUnavailable) as error:
            self._give_back(job, str(error))
        except Exception as error:  # a fault of ours must never become a verdict on the student
            log.exception("grading %s failed", job.grading_id)
            self._give_back(job, f"{type(error).__name__}: {error}")

    def _give_back(self, job: Job, reason: str) -> None:
        if self._stopping.is_set():
            return  # still "running" in its row: queued again at the next start
        try:
            self.queue.give_back(job, reason)
        except Exception:
            log.exception("giving back grading %s failed", job.grading_id)
        self._stopping.wait(PAUSE_SECONDS)
