"""The queue inside the server: the order is kept in memory, everything else in the rows.

People and neighbourhoods take turns (turns.py). A grading may end for others' sake while it is judged: then it waits
again, first of its author's. After a crash what waits is read back from the rows, oldest first.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import structlog
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection

from app.db import Database
from app.practice import gradings
from app.practice.standings import keep_best
from app.practice.submissions import Shown, Submission, waiting
from app.queue.events import Events
from app.queue.hold import Hold
from app.queue.turns import Turns, Waiting
from app.reading.catalog import Catalog
from app.web.limits import RateLimits
from app.web.metrics import Metrics
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.preparer import Preparer
from graders.grade import Began, CaseFinished, Event, Finished
from graders.reasons.trace import Trace
from graders.verdict import CaseResult, Result, State, Verdict
from graders.worker import Job

log = structlog.get_logger("lectern.queue")

BATCH_SECONDS = 0.1
RETRY_SECONDS = 0.5
STAGES_SECONDS = 0.5
REFUSALS = 3
# To be tried again: a claim that is dropped would wait for a restart. SQLite that has no memory says MemoryError.
DATABASE_TROUBLE = (DBAPIError, NoConnection, MemoryError)
READ_ONLY, TOO_MUCH = "25006", "54"  # SQLSTATE: a server that is being replaced; a class, beyond what can be kept
T = TypeVar("T")


@dataclass
class _Running:
    """A grading that a worker holds: what is known of it, and when the rows last learned of it."""

    job: Job
    submission: Submission
    one: Waiting  # whose turn it is: signing up may give the submission to another
    waited_ms: float
    cases: list[CaseResult] = field(default_factory=list)
    stored_at: float = field(default_factory=time.monotonic)
    is_dirty: bool = False
    is_owned: bool = True


class _Unbuilt(Exception):
    """The grading cannot begin yet: its exercise must be built first."""

    def __init__(self, exercise: Exercise, preparer: Preparer) -> None:
        super().__init__(exercise.slug)
        self.exercise, self.preparer = exercise, preparer


class LocalQueue:
    """graders.worker.Queue over the server's database. `start` reads back what waits; `close` ends claims."""

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        events: Events,
        metrics: Metrics,
        limits: RateLimits | None = None,
    ) -> None:
        self._database, self._catalog, self._events = database, catalog, events
        self.metrics, self._limits = metrics, limits
        self._turns = Turns()
        self._hold = Hold(self._turns.serving)
        self._running: dict[tuple[int, int], _Running] = {}
        self._lock = threading.Lock()
        self._arrived = threading.Condition(self._lock)  # for claims
        self._dirtied = threading.Condition(self._lock)  # for the batch thread
        self._storing = threading.Lock()
        self.preparer: Preparer | None = None  # who says which exercises can be judged by
        self._closed = False
        self._ended = threading.Event()
        self._timed: dict[int, dict[str, Any]] = {}
        self._batches = threading.Thread(target=self._store_batches, name="lectern-batches", daemon=True)
        self._stages = threading.Thread(target=self._store_stages, name="lectern-stages", daemon=True)

    def start(self) -> None:
        with self._database.writing() as db:
            gradings.recover(db)
            found = waiting(db)
        with self._lock:
            for one in found:
                self._turns.add(one)
        if found:
            log.info("queue_recovered", waiting=len(found))
        self._batches.start()
        self._stages.start()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._arrived.notify_all()
            self._dirtied.notify_all()
        self._ended.set()
        for thread in (self._batches, self._stages):
            if thread.is_alive():
                thread.join()

    def put(self, one: Waiting) -> None:
        """Called after the commit: what is in here is in the rows."""
        with self._lock:
            self._turns.add(one)
            self._arrived.notify()

    def build_by(self, preparer: Preparer) -> None:
        """From now on a grading waits until `preparer` has settled its exercise, and holds no worker meanwhile."""
        self._hold.preparer = preparer

    def look_again(self) -> None:
        """What may begin has changed: whoever waits to claim looks again."""
        with self._lock:
            self._arrived.notify_all()

    def present(self, user_id: int, neighbourhood: str) -> tuple[int, int]:
        """How many gradings of this person wait or run, and how many of this neighbourhood."""
        with self._lock:
            return self._turns.present_of(user_id), self._turns.present_near(neighbourhood)

    def placed(self, shown: Shown) -> Shown:
        """The submission with its place in the queue."""
        if shown.grading.state != State.queued:
            return shown
        with self._lock:
            return replace(shown, queue_position=self._turns.position(shown.grading.id, shown.submission.user_id))

    def counts(self) -> dict[str, float]:
        """How many gradings wait, and how many run."""
        with self._lock:
            return {"waiting": len(self._turns), "running": len(self._running)}

    def claim(self, seconds: float) -> Job | None:
        deadline = time.monotonic() + seconds
        while (one := self._next(deadline)) is not None:
            job = self._take(one)
            if job is not None:
                return job
        return None

    def record(self, job: Job, event: Event) -> bool:
        running = self._running.get((job.grading_id, job.attempt))
        if running is None or self._closed:
            return False
        match event:
            case Finished():
                return self._finish(running, event)
            case Began(cases=cases):
                running.cases = [CaseResult(case.name, case.sample) for case in cases]
            case CaseFinished(index=index, result=result):
                running.cases[index] = result
                if not _is_ending(running, result) and self._should_yield(running):
                    return self._yield(running)
        with self._lock:
            running.is_dirty = True
            self._dirtied.notify()
        if not running.is_owned:  # another attempt has it: this one is over
            self._running.pop((job.grading_id, job.attempt), None)
            self._next_turn(running.one.user_id)
        return running.is_owned

    def give_back(self, job: Job, reason: str) -> None:
        running = self._running.pop((job.grading_id, job.attempt), None)
        if running is None or self._closed:
            return  # closed: its row says running, and the next start queues it again
        log.warning("grading_given_back", grading=job.grading_id, attempt=job.attempt, reason=reason)
        try:
            state = self._insist(lambda db: gradings.put_back(db, job.grading_id, job.attempt))
            if state == State.queued:
                with self._lock:
                    self._turns.add(replace(running.one, since=time.monotonic()), first=True)
        finally:
            self._next_turn(running.one.user_id)
        self._events.announce(running.submission.id, finished=state == State.finished)

    def _should_yield(self, running: _Running) -> bool:
        with self._lock:
            return self._turns.should_yield(running.one.user_id, self._hold.may_begin)

    def _yield(self, running: _Running) -> bool:
        """Let it wait again, for people of another neighbourhood have no worker at all. Returns what `record` does."""
        job = running.job
        self._running.pop((job.grading_id, job.attempt), None)
        log.info("grading_yielded", grading=job.grading_id, attempt=job.attempt)
        waits = False
        try:
            waits = self._insist(lambda db: gradings.wait_again(db, job.grading_id, job.attempt))
        finally:
            with self._lock:
                if waits:
                    self._turns.add(running.one, first=True)
                self._turns.done(running.one.user_id, yielded=True)
                self._arrived.notify()
        self._events.announce(running.submission.id, finished=False)
        return False

    def _next(self, deadline: float) -> Waiting | None:
        with self._lock:
            while not self._closed:
                one = self._turns.next(self._hold.may_begin)
                if one is not None:
                    return one
                left = deadline - time.monotonic()
                if left <= 0:
                    return None
                self._arrived.wait(left)
            return None

    def _next_turn(self, user_id: int) -> None:
        with self._lock:
            self._turns.done(user_id)
            self._arrived.notify()

    def _take(self, one: Waiting) -> Job | None:
        job = None
        try:
            job = self._taken(one)
        except _Unbuilt as unbuilt:
            with self._lock:
                self._hold.until_built(one.grading_id, unbuilt.exercise)
                self._turns.add(one, first=True)
            unbuilt.preparer.want(unbuilt.exercise)
        except DATABASE_TROUBLE as error:
            log.error("claim_failed", grading=one.grading_id, cause=str(error))
            with self._lock:
                self._turns.add(one, first=True)
            time.sleep(RETRY_SECONDS)
        finally:
            if job is None:
                self._next_turn(one.user_id)
        return job

    def _taken(self, one: Waiting) -> Job | None:
        waited_ms = (time.monotonic() - one.since) * 1000
        submission = one.submission
        if submission is None:
            with self._database.reading() as db:
                submission = db.get(Submission, one.submission_id)
            if submission is None:
                return None  # its author has left, and took it along
        try:
            exercise = self._catalog.judged_by(submission.snapshot_id)
        except BrokenExercise as error:
            log.error("exercise_broken", exercise=submission.exercise, reason=str(error))
            exercise = None
        preparer = self._hold.preparer
        if exercise is not None and preparer is not None and not preparer.is_settled(exercise, submission.kind):
            raise _Unbuilt(exercise, preparer)
        with self._database.changing(durable=False) as db:  # forgotten by a power cut, it just waits again
            attempt = gradings.take(db, one.grading_id)
            if attempt is None:
                return None  # finished or taken since: the row is the truth
            if exercise is None:
                gradings.finish(db, one.grading_id, attempt, gradings.ungraded())
        self._events.announce(one.submission_id, finished=exercise is None)
        if exercise is None:
            return None
        job = Job(
            one.grading_id,
            attempt,
            exercise,
            submission.source,
            submission.framework,
            submission.kind,
            submission.inputs,
            submission.case_name,
        )
        self._running[one.grading_id, attempt] = _Running(
            job, submission, replace(one, submission=submission), waited_ms
        )
        return job

    def _finish(self, running: _Running, last: Finished) -> bool:
        job, result = running.job, last.result
        began = time.monotonic()
        try:
            owned = self._insist(lambda db: _recorded(db, running, last))
        except Exception as error:
            if self._closed:
                raise
            log.exception("verdict_refused", grading=job.grading_id, attempt=job.attempt)
            last = replace(last, result=gradings.ungraded(), reason=str(error), trace=None, usage=None)
            result = last.result
            owned = self._insist(lambda db: _recorded(db, running, last))
        self._running.pop((job.grading_id, job.attempt), None)
        self._next_turn(running.one.user_id)
        shown = None
        if owned:
            self._charge(running.one.neighbourhood, result, last.trace)
            grading = gradings.finished(
                running.submission.id, job.grading_id, job.attempt, result, last.trace, last.usage
            )
            shown = Shown(running.submission, grading, job.exercise.content_hash)
        self._events.announce(running.submission.id, finished=True, shown=shown)
        if owned:
            recorded_ms = (time.monotonic() - began) * 1000
            timed = {"queued": round(running.waited_ms, 3), **vars(last.stages), "recorded": round(recorded_ms, 3)}
            with self._lock:
                self._timed[job.grading_id] = timed
            self.metrics.graded(job, result, timed)
        return owned

    def _charge(self, neighbourhood: str, result: Result, trace: Trace | None) -> None:
        if self._limits is not None and neighbourhood:
            self._limits.charge("stored_bytes", neighbourhood, gradings.kept_bytes(result, trace))

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
                refused += not _may_pass(error)
                if self._closed or refused == REFUSALS:
                    raise
                log.error("grading_not_stored", cause=str(error), remedy="trying again")
                time.sleep(RETRY_SECONDS)

    def _store_stages(self) -> None:
        """Store where the time went, some gradings at a time and after their verdicts."""
        while not self._ended.wait(STAGES_SECONDS):
            self._flush_stages()
        self._flush_stages()

    def _flush_stages(self) -> None:
        with self._lock:
            timed, self._timed = self._timed, {}
        if timed:
            try:
                with self._database.changing(durable=False) as db:
                    gradings.store_stages(db, timed)
            except Exception as error:  # noqa: BLE001 (as above)
                log.warning("stages_not_stored", cause=str(error))  # they explain a verdict, they are none

    def _store_batches(self) -> None:
        """Store what cases brought, at most once in BATCH_SECONDS for each grading.

        Not by the worker itself: a case that takes seconds would keep its neighbours' results from the page.
        """
        while (running := self._next_dirty()) is not None:
            wait_seconds = running.stored_at + BATCH_SECONDS - time.monotonic()
            if wait_seconds > 0:
                time.sleep(wait_seconds)
            if self._running.get((running.job.grading_id, running.job.attempt)) is running:
                self._store(running)

    def _next_dirty(self) -> _Running | None:
        with self._lock:
            while not self._closed:
                dirty = [running for running in list(self._running.values()) if running.is_dirty]
                if dirty:
                    return min(dirty, key=lambda running: running.stored_at)
                self._dirtied.wait()
        return None

    def _store(self, running: _Running) -> None:
        running.is_dirty, running.stored_at = False, time.monotonic()
        job = running.job
        try:
            with self._storing, self._database.changing(durable=False) as db:
                if self._running.get((job.grading_id, job.attempt)) is not running:
                    return  # it made room since, and may be judged again by the same number of attempt
                running.is_owned = gradings.store_cases(db, job.grading_id, job.attempt, running.cases)
        except Exception as error:  # noqa: BLE001 (said; and a thread that ended here would store nobody's any more)
            log.warning("cases_not_stored", cause=str(error))  # the verdict will bring them all
        self._events.announce(running.submission.id)


def _is_ending(running: _Running, result: CaseResult) -> bool:
    """Whether nothing is left to be judged of it: the last case, or one that broke its box."""
    broke = result.verdict in (None, Verdict.time_limit, Verdict.memory_limit, Verdict.output_limit)
    return broke or all(case.verdict is not None for case in running.cases)


def _may_pass(error: Exception) -> bool:
    """Whether the database is in trouble, which may end by itself; else it refuses this very value, and always will."""
    if not isinstance(error, DBAPIError):
        return isinstance(error, NoConnection | MemoryError)
    state = getattr(error.orig, "sqlstate", None) or ""
    if isinstance(error, OperationalError | InterfaceError):  # away, locked, its disk full
        return not state.startswith(TOO_MUCH)
    return error.connection_invalidated or state == READ_ONLY


def _recorded(db: Connection, running: _Running, last: Finished) -> bool:
    """Write the verdict and, with it, what it took if that is its author's best. False: fenced off."""
    job = running.job
    owned = gradings.finish(db, job.grading_id, job.attempt, last.result, last.trace, last.usage, last.seed)
    if owned and last.usage and last.result.verdict == Verdict.accepted and job.kind == "submit":
        keep_best(db, running.submission.id, job.exercise.judging_hash, last.usage)
    return owned
