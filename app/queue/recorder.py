"""What becomes of gradings, in their rows: claimed, filled in case by case, finished or put back, and then announced.

A queue decides whose turn it is; everything it learns goes through here. Each write is fenced: a worker whose attempt
is over changes nothing, and learns it. Cases are stored in batches, the verdict at once, and what a database in trouble
refuses is tried again until it is back.
"""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import structlog
from sqlalchemy import select
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection

from app.db import Database
from app.practice import gradings
from app.practice.efforts import keep_effort
from app.practice.gradings import Fence
from app.practice.outcomes import keep_outcome
from app.practice.standings import keep_best
from app.practice.submissions import Shown, Submission
from app.queue.events import Events
from app.queue.turns import Waiting
from app.reading.catalog import Catalog
from app.web import tracing
from app.web.limits import RateLimits
from app.web.metrics import Metrics
from graders.cache import RecentCache
from graders.exercise.definition import BrokenExercise, Exercise
from graders.grade import CaseName, Finished
from graders.verdict import CaseResult, State, Verdict
from graders.worker import Job

log = structlog.get_logger("lectern.queue")

BATCH_SECONDS = 0.1
RETRY_SECONDS = 0.5
STAGES_SECONDS = 0.5
REFUSALS = 3  # mutants: that a refused verdict ends is tested; after how many tries is no promise
REMEMBERED = 64  # verdicts just written: a request that waits for one asks within milliseconds
# To be tried again: a claim that is dropped would wait for a restart. SQLite that has no memory says MemoryError.
DATABASE_TROUBLE = (DBAPIError, NoConnection, MemoryError)
READ_ONLY, TOO_MUCH = "25006", "54"  # SQLSTATE: a server that is being replaced; a class, beyond what can be kept
T = TypeVar("T")
Key = tuple[int, int]  # a grading and its attempt


@dataclass(eq=False)
class Running:
    """A grading that a worker holds: what is known of it, and when the rows last learned of it."""

    job: Job
    submission: Submission
    waiting: Waiting  # whose turn it is: signing up may give the submission to another
    waited_ms: float
    owner: str
    stored_at: float
    round: str | None = None
    cases: list[CaseResult] = field(default_factory=list)
    is_dirty: bool = False
    is_owned: bool = True

    @property
    def key(self) -> Key:
        return self.job.grading_id, self.job.attempt

    @property
    def fence(self) -> Fence:
        return gradings.held(*self.key, self.owner, self.round)


@dataclass(frozen=True)
class Recorded:
    """A verdict as it was stored. `is_owned` is False where it was fenced off: nothing was written."""

    verdict: Finished
    is_owned: bool
    recorded_ms: float


def is_over(cases: Sequence[CaseResult], result: CaseResult) -> bool:
    """Whether nothing is left to be judged after this case's result: it was the last, or it broke its box."""
    broke = result.verdict in (None, Verdict.time_limit, Verdict.memory_limit, Verdict.output_limit)
    return broke or all(case.verdict is not None for case in cases)


class Recorder:
    """Used by any number of threads. `start` begins what is stored by and by, `close` ends it.

    `one_at_a_time`: of its writes. SQLite has one writer anyway; and where a grading that made room may be claimed
    again by the same number of attempt, cases of before must not be written after that.
    """

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        events: Events,
        metrics: Metrics,
        limits: RateLimits | None,
        *,
        one_at_a_time: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database, self._catalog, self._events = database, catalog, events
        self._metrics, self._limits, self._clock = metrics, limits, clock
        self._running: dict[Key, Running] = {}
        self._stages_of: dict[int, dict[str, Any]] = {}  # by grading, until they are stored
        self._finished: RecentCache[int, Shown] = RecentCache(REMEMBERED)  # by submission
        self._lock = threading.Lock()
        self._dirtied = threading.Condition(self._lock)  # for the batch thread
        self._storing: AbstractContextManager[object] = threading.Lock() if one_at_a_time else nullcontext()
        self._closed = threading.Event()
        self._threads = [
            threading.Thread(target=self._store_batches, name="lectern-batches", daemon=True),
            threading.Thread(target=self._store_stages, name="lectern-stages", daemon=True),
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            self._dirtied.notify_all()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def __len__(self) -> int:
        """How many gradings run."""
        return len(self._running)

    def longest_wait_seconds(self) -> float:
        with self._database.reading() as db:
            return gradings.longest_wait_seconds(db)

    def exercise_of(self, submission: Submission) -> Exercise | None:
        """What it is judged by; None if its snapshot is unreadable."""
        try:
            return self._catalog.judged_by(submission.snapshot_id)
        except BrokenExercise as error:
            log.error("exercise_broken", exercise=submission.exercise, reason=str(error))
            return None

    def run(
        self,
        waiting: Waiting,
        submission: Submission,
        exercise: Exercise,
        attempt: int,
        owner: str,
        round: str | None = None,
    ) -> Running:
        """What is told of this attempt from now on is stored, as long as `owner` holds it, in this `round`."""
        job = Job(
            waiting.grading_id,
            attempt,
            exercise,
            submission.source,
            submission.framework,
            submission.kind,
            submission.inputs,
            submission.case_name,
            submission.id,
            waiting.trace,
        )
        moment = self._clock()
        waited_ms = (moment - waiting.since) * 1000
        running = Running(job, submission, replace(waiting, submission=submission), waited_ms, owner, moment, round)
        self._running[running.key] = running
        return running

    def running(self, job: Job) -> Running | None:
        return self._running.get((job.grading_id, job.attempt))

    def drop(self, job: Job) -> Running | None:
        """Nothing more is stored of this attempt."""
        return self._running.pop((job.grading_id, job.attempt), None)

    # ---- while it runs ----

    def begin(self, running: Running, cases: Sequence[CaseName]) -> None:
        running.cases = [CaseResult(case.name, case.sample) for case in cases]

    def add_case(self, running: Running, index: int, result: CaseResult) -> None:
        running.cases[index] = result

    def store_soon(self, running: Running) -> bool:
        """The next batch brings what is known so far. False if another attempt has taken over."""
        with self._lock:
            running.is_dirty = True
            self._dirtied.notify()
        return running.is_owned

    def _store_batches(self) -> None:
        """Store what cases brought, at most once in BATCH_SECONDS for each grading.

        Not by the worker itself: a case that takes seconds would keep its neighbours' results from the page.
        """
        while (running := self._next_dirty()) is not None:
            wait_seconds = running.stored_at + BATCH_SECONDS - self._clock()
            if wait_seconds > 0:
                time.sleep(wait_seconds)
            if self._running.get(running.key) is running:
                self._store_cases(running)

    def _next_dirty(self) -> Running | None:
        with self._lock:
            while not self._closed.is_set():
                dirty = [running for running in list(self._running.values()) if running.is_dirty]
                if dirty:
                    return min(dirty, key=lambda running: running.stored_at)
                self._dirtied.wait()
        return None

    def _store_cases(self, running: Running) -> None:
        running.is_dirty, running.stored_at = False, self._clock()
        try:
            with self._storing, self._database.changing(durable=False) as db:
                if self._running.get(running.key) is not running:
                    return  # it made room since, and may be judged again by the same number of attempt
                running.is_owned = gradings.store_cases(db, running.fence, running.cases)
        except Exception as error:  # noqa: BLE001 (logged; and a thread that ended here would store nobody's any more)
            log.warning("cases_not_stored", cause=str(error))  # the verdict will bring them all
        self._events.announce(running.submission.id)

    # ---- its end ----

    def store_verdict(self, running: Running, verdict: Finished) -> Recorded:
        """Returns once the verdict is in its row. One that the database refuses for good becomes our failure; raises
        where even that is refused, or where the database is away as we close."""
        began = time.monotonic()
        try:
            is_owned = self._insist(lambda db: write_verdict(db, running.fence, running, verdict))
        except Exception as error:
            if self._closed.is_set():
                raise
            names = {"submission": running.submission.id, "grading": running.job.grading_id}
            log.exception("verdict_refused", **names, attempt=running.job.attempt)
            verdict = replace(verdict, result=gradings.ungraded(), reason=str(error), trace=None, usage=None)
            is_owned = self._insist(lambda db: write_verdict(db, running.fence, running, verdict))
        self.drop(running.job)
        return Recorded(verdict, is_owned, (time.monotonic() - began) * 1000)

    def conclude(self, running: Running, recorded: Recorded) -> None:
        """After the verdict: it is announced, charged to where it came from, and measured."""
        if recorded.is_owned:
            self._remember(running, recorded.verdict)
        self._events.announce(running.submission.id, finished=True)
        if recorded.is_owned:
            self._charge(running, recorded.verdict)
            self._measure(running, recorded)
        self._tell(running, recorded)

    def finished(self, submission_id: int) -> Shown | None:
        """A submission whose verdict was written here a moment ago, as its rows have it. None: read them."""
        return self._finished.get(submission_id)

    def _remember(self, running: Running, verdict: Finished) -> None:
        """Events carry ids only, and reading the rows costs a waiting request a tenth of the time it takes to judge."""
        grading = gradings.as_finished(
            running.submission.id, *running.key, verdict.result, verdict.trace, verdict.usage
        )
        content_hash, results = running.job.exercise.content_hash, verdict.result.cases
        shown = Shown(running.submission, grading, content_hash, results=results)
        self._finished.put(running.submission.id, shown)

    def _tell(self, running: Running, recorded: Recorded) -> None:
        job, verdict = running.job, recorded.verdict.result.verdict
        names = {"submission": running.submission.id, "grading": job.grading_id, "attempt": job.attempt}
        log.debug("grading_recorded", **names, verdict=str(verdict), counts=recorded.is_owned)
        if job.trace:
            sent, took = running.submission.created_at.timestamp(), recorded.recorded_ms / 1000
            tracing.past("queue wait", job.trace, sent, running.waited_ms / 1000, **names)
            tracing.past("record", job.trace, time.time() - took, took, **names, verdict=str(verdict))

    def _charge(self, running: Running, verdict: Finished) -> None:
        place = running.waiting.neighbourhood
        if self._limits is not None and place:
            own = running.job.inputs is not None
            more_bytes = gradings.kept_bytes(verdict.result, verdict.trace, has_own_input=own)
            self._limits.charge("stored_bytes", place, more_bytes)

    def _measure(self, running: Running, recorded: Recorded) -> None:
        verdict = recorded.verdict
        queued, stored = round(running.waited_ms, 3), round(recorded.recorded_ms, 3)
        stages = {"queued": queued, **vars(verdict.stages), "recorded": stored}
        with self._lock:
            self._stages_of[running.job.grading_id] = stages
        self._metrics.graded(running.job, verdict.result, stages)

    def put_back(self, running: Running) -> State | None:
        """Our failure: it waits again, or has had its attempts and is finished. None: fenced off."""
        state = self._insist(lambda db: gradings.put_back(db, running.fence, running.job.attempt))
        if state == State.finished:
            self._metrics.given_up(running.job.framework, running.job.kind)
        return state

    def count_given_up(self, submission_ids: Sequence[int]) -> None:
        """Each has a grading that has just ended as our failure, committed. What it was is in the rows alone, which may
        be asked: it is rare."""
        asked = select(Submission.id, Submission.framework, Submission.kind).where(Submission.id.in_(submission_ids))
        try:
            with self._database.reading() as db:
                known = {id: (framework, kind) for id, framework, kind in db.execute(asked)}
        except DATABASE_TROUBLE as error:
            log.warning("given_up_not_read", submissions=list(submission_ids), cause=str(error))
            known = {}
        for id in submission_ids:
            self._metrics.given_up(*known.get(id, ("unknown", "unknown")))

    def wait_again(self, running: Running) -> bool:
        """It made room for others, which counts as no attempt. False: fenced off."""
        return self._insist(lambda db: gradings.wait_again(db, running.fence))

    def announce(self, running: Running, *, finished: bool = False) -> None:
        self._events.announce(running.submission.id, finished=finished)

    def _insist(self, write: Callable[[Connection], T]) -> T:
        """A verdict is not lost to a database that is away for a while: try until it is back, or we are closed.

        Raises for what it refuses each time: three times, since a person who signs up meanwhile may be the reason.
        """
        refused = 0
        while True:
            try:
                with self._storing, self._database.changing() as db:
                    return write(db)
            except DATABASE_TROUBLE as error:
                refused += not may_pass(error)
                if self._closed.is_set() or refused == REFUSALS:
                    raise
                log.error("grading_not_stored", cause=str(error), remedy="trying again")
                time.sleep(RETRY_SECONDS)

    # ---- stages ----

    def _store_stages(self) -> None:
        """Store where the time went, some gradings at a time and after their verdicts."""
        while not self._closed.wait(STAGES_SECONDS):
            self._flush_stages()
        self._flush_stages()

    def _flush_stages(self) -> None:
        with self._lock:
            stages_of, self._stages_of = self._stages_of, {}
        if stages_of:
            try:
                with self._database.changing(durable=False) as db:
                    gradings.store_stages(db, stages_of)
            except Exception as error:  # noqa: BLE001 (as above)
                log.warning("stages_not_stored", cause=str(error))  # they explain a verdict, they are none


def write_verdict(db: Connection, fence: Fence, running: Running, verdict: Finished) -> bool:
    """Write the verdict and, with it, what it took if that is its author's best, or how it is wrong. False: fenced
    off."""
    job, usage = running.job, verdict.usage
    own = job.inputs is not None
    is_owned = gradings.finish(db, fence, verdict.result, verdict.trace, usage, verdict.seed, has_own_input=own)
    if is_owned and usage and verdict.result.verdict == Verdict.accepted and job.kind == "submit":
        keep_best(db, running.submission.id, job.exercise.judging_hash, usage)
    if is_owned and job.kind == "submit":
        keep_outcome(db, running.submission.id, verdict)
        keep_effort(db, running.submission.id, verdict.result.verdict, verdict.result.score)
    return is_owned


def may_pass(error: Exception) -> bool:
    """Whether the database is in trouble, which may end by itself; else it refuses this very value, and always will."""
    if not isinstance(error, DBAPIError):
        return isinstance(error, NoConnection | MemoryError)
    state = getattr(error.orig, "sqlstate", None) or ""
    if isinstance(error, OperationalError | InterfaceError):  # away, locked, its disk full
        return not state.startswith(TOO_MUCH)
    return error.connection_invalidated or state == READ_ONLY
