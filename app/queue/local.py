"""The queue inside the server: memory alone, and no row. What becomes of a grading is the recorder's (recorder.py).

People and neighbourhoods take turns (turns.py), and what must not begin yet is held (hold.py). A grading may end for
others' sake while it is judged: then it waits again, first of its author's. After a crash what waits is read back from
the rows, oldest first.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import structlog

from app.db import Database
from app.practice.submissions import Shown
from app.queue.claims import Candidate, Claims
from app.queue.contract import Crew
from app.queue.events import Events
from app.queue.hold import Hold
from app.queue.leases import LEASE_SECONDS
from app.queue.recorder import DATABASE_TROUBLE, RETRY_SECONDS, Running, is_over
from app.queue.turns import Turns, Waiting
from app.reading.catalog import Catalog
from app.web.limits import RateLimits
from app.web.metrics import Metrics
from graders.exercise.definition import Exercise
from graders.exercise.preparer import Preparer
from graders.grade import Began, CaseFinished, Event, Finished
from graders.verdict import CaseResult, State
from graders.worker import Job

log = structlog.get_logger("lectern.queue")

CLOSED_SECONDS = 0.05  # until a worker that has not been stopped yet may ask again


class LocalQueue:
    """graders.worker.Queue over the server's database. `start` reads back what waits; `close` ends claims."""

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        events: Events,
        metrics: Metrics,
        limits: RateLimits | None = None,
        lease_seconds: float = LEASE_SECONDS,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._recorder = Claims(database, catalog, events, metrics, limits, lease_seconds, self._requeue, clock=clock)
        self._turns = Turns(clock)
        self._hold = Hold(self._turns.serving)
        self._lock = threading.Lock()
        self._arrived = threading.Condition(self._lock)  # for claims
        self._closed = False

    def start(self) -> None:
        found, elsewhere = self._recorder.take_up()
        with self._lock:
            for waiting in found:
                self._turns.add(waiting)
            self._hold.elsewhere = elsewhere
        if found:
            log.info("queue_recovered", waiting=len(found))

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._arrived.notify_all()
        self._recorder.close()

    # ---- what the web asks ----

    def put(self, waiting: Waiting) -> None:
        """Called after the commit: what is in here is in the rows."""
        with self._lock:
            self._turns.add(waiting)
            self._arrived.notify()

    def build_by(self, preparer: Preparer) -> None:
        """From now on a grading waits until `preparer` has settled its exercise, and holds no worker meanwhile."""
        self._hold.preparer = preparer

    def look_again(self) -> None:
        """What may begin has changed: claims that wait look again."""
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

    def finished(self, submission_id: int) -> Shown | None:
        """A submission whose verdict was written here a moment ago. None: its rows must be read."""
        return self._recorder.finished(submission_id)

    def counts(self) -> dict[str, float]:
        """How many gradings wait, and how many run."""
        with self._lock:
            return {"waiting": len(self._turns), "running": len(self._recorder)}

    def longest_wait_seconds(self) -> float:
        return self._recorder.longest_wait_seconds()

    def workers(self) -> dict[str, float]:
        return {}

    def crews(self) -> list[Crew]:
        return []

    def nobody_for(self, framework: str, exercise: str) -> str:
        return ""

    def can_judge(self) -> bool:
        """This process judges, or is not meant to."""
        return True

    def is_cut_off(self) -> bool:
        return False

    # ---- what workers ask ----

    def claim(self, seconds: float) -> Job | None:
        if self._closed:
            time.sleep(CLOSED_SECONDS)
            return None
        deadline = self._clock() + seconds
        while (waiting := self._next(deadline)) is not None:
            try:
                job = self._take(waiting)
            except DATABASE_TROUBLE as error:
                log.error(
                    "claim_failed", submission=waiting.submission_id, grading=waiting.grading_id, cause=str(error)
                )
                time.sleep(RETRY_SECONDS)
                if self._clock() >= deadline:
                    return None
            else:
                if job is not None:
                    names = {"submission": job.submission_id, "grading": job.grading_id, "attempt": job.attempt}
                    log.debug("grading_claimed", **names)
                    return job
        return None

    def record(self, job: Job, event: Event) -> bool:
        running = self._recorder.running(job)
        if running is None or self._closed:
            return False
        match event:
            case Finished():
                return self._finish(running, event)
            case Began(cases=cases):
                self._recorder.begin(running, cases)
            case CaseFinished(index=index, result=result):
                self._recorder.add_case(running, index, result)
                if self._should_yield(running, result):
                    return self._yield(running)
        is_owned = self._recorder.store_soon(running)
        if not is_owned:  # another attempt has taken over
            self._recorder.drop(job)
            self._recorder.doubt(running)
            self._end_turn(running)
        return is_owned

    def give_back(self, job: Job, reason: str) -> None:
        running = self._recorder.drop(job)
        if running is None or self._closed:
            return  # closed: its row says running, and the next start queues it again
        names = {"submission": job.submission_id, "grading": job.grading_id, "attempt": job.attempt}
        log.warning("grading_given_back", **names, reason=reason)
        try:
            state = self._recorder.put_back(running)
            if state == State.queued:
                self._wait_first(replace(running.waiting, since=self._clock()))
            elif state is None:
                self._recorder.doubt(running)
        finally:
            self._end_turn(running)
        self._recorder.announce(running, finished=state == State.finished)

    def _next(self, deadline: float) -> Waiting | None:
        with self._lock:
            while not self._closed:
                waiting = self._turns.next(self._hold.may_begin)
                if waiting is not None:
                    return waiting
                left = deadline - self._clock()
                if left <= 0:
                    return None
                self._arrived.wait(left)
            return None

    def _take(self, waiting: Waiting) -> Job | None:
        """Turns a turn into a claim. What cannot begin after all, or is not claimed because the database is in trouble,
        waits again where it was. Raises DATABASE_TROUBLE."""
        job = None
        try:
            candidate = self._recorder.read(waiting)
            if candidate is not None and not self._is_held(candidate):
                job = self._recorder.claim(candidate)
        except DATABASE_TROUBLE:
            self._wait_first(waiting)
            raise
        finally:
            if job is None:
                with self._lock:
                    self._turns.done(waiting.user_id)
                    self._arrived.notify()
        return job

    def _is_held(self, candidate: Candidate) -> bool:
        """Whether its exercise must be built first: then it is held until that is done."""
        preparer, exercise = self._hold.preparer, candidate.exercise
        if exercise is None or preparer is None or preparer.is_settled(exercise, candidate.submission.kind):
            return False
        self._wait_first(candidate.waiting, until_built=exercise)
        preparer.want(exercise)
        return True

    def _finish(self, running: Running, verdict: Finished) -> bool:
        recorded = self._recorder.store_verdict(running, verdict)
        if not recorded.is_owned:
            self._recorder.doubt(running)
        self._end_turn(running)
        self._recorder.conclude(running, recorded)
        return recorded.is_owned

    def _should_yield(self, running: Running, result: CaseResult) -> bool:
        if is_over(running.cases, result):
            return False
        with self._lock:
            return self._turns.should_yield(running.waiting.user_id, self._hold.may_begin)

    def _yield(self, running: Running) -> bool:
        """Let it wait again, for people of another neighbourhood have no worker at all. Returns what `record` does."""
        job = running.job
        self._recorder.drop(job)
        log.info("grading_yielded", submission=job.submission_id, grading=job.grading_id, attempt=job.attempt)
        try:
            if self._recorder.wait_again(running):
                self._wait_first(running.waiting)
            else:
                self._recorder.doubt(running)
        finally:
            self._end_turn(running, yielded=True)
        self._recorder.announce(running)
        return False

    def _wait_first(self, waiting: Waiting, until_built: Exercise | None = None) -> None:
        """It had its turn, and waits again before what the same person sent later."""
        with self._lock:
            # mutants: None would hold nothing back
            if until_built is not None:
                self._hold.until_built(waiting.grading_id, until_built)
            self._turns.add(waiting, first=True)

    def _requeue(self, found: list[Waiting], elsewhere: set[int]) -> None:
        """What was abandoned waits again, before what its author sent later. What another process is judging holds its
        author's line: no verdict overtakes the one before it."""
        with self._lock:
            for waiting in reversed(found):
                self._turns.add(waiting, first=True)
            if found or elsewhere != self._hold.elsewhere:
                self._hold.elsewhere = elsewhere
                self._arrived.notify_all()

    def _end_turn(self, running: Running, *, yielded: bool = False) -> None:
        with self._lock:
            self._turns.done(running.waiting.user_id, yielded=yielded)
            self._arrived.notify()
