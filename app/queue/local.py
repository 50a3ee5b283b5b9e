"""The queue inside the server: the order is kept in memory, everything else in the rows.

Students take turns: each has a line of their own, and one grading is taken from each line in turn, so five hundred
submissions of one delay the one submission of another by a single grading. After a crash the order is read back
from the rows, oldest first.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection
from sqlalchemy.orm import Session

from app.db import Database
from app.events import Events
from app.models import grading as gradings
from app.models.course import Catalog
from app.models.submission import Shown, Submission, Waiting, waiting
from graders.exercise import BrokenExercise
from graders.grade import Began, CaseFinished, Event, Finished
from graders.verdict import CaseResult, Result, State
from graders.worker import Job

log = structlog.get_logger("lectern.queue")

BATCH_SECONDS = 0.1
RETRY_SECONDS = 0.5
DATABASE_TROUBLE = (DBAPIError, NoConnection)  # to be tried again: a claim that is dropped would wait for a restart
T = TypeVar("T")


class Turns:
    """Lines of waiting gradings, one a student, served in turn."""

    def __init__(self) -> None:
        self._lines: OrderedDict[int, deque[Waiting]] = OrderedDict()

    def add(self, one: Waiting, *, first: bool = False) -> None:
        line = self._lines.setdefault(one.user_id, deque())
        if first:
            line.appendleft(one)
        else:
            line.append(one)

    def next(self) -> Waiting | None:
        if not self._lines:
            return None
        user_id, line = self._lines.popitem(last=False)
        one = line.popleft()
        if line:
            self._lines[user_id] = line  # to the end: everybody else comes first
        return one

    def position(self, grading_id: int, user_id: int) -> int | None:
        """1 for whoever is next; None for what does not wait here."""
        before = next(
            (place for place, one in enumerate(self._lines.get(user_id, ())) if one.grading_id == grading_id), None
        )
        if before is None:
            return None
        position, seen = before + 1, False
        for other, line in self._lines.items():
            if other == user_id:
                seen = True
            else:
                position += min(len(line), before if seen else before + 1)
        return position


@dataclass
class _Running:
    """A grading that a worker holds: what is known of it, and when the rows last learned of it."""

    job: Job
    submission_id: int
    user_id: int
    cases: list[CaseResult] = field(default_factory=list)
    stored_at: float = field(default_factory=time.monotonic)
    is_dirty: bool = False
    is_owned: bool = True


class LocalQueue:
    """graders.worker.Queue over the server's database. `start` reads back what waits; `close` ends claims."""

    def __init__(self, database: Database, catalog: Catalog, events: Events) -> None:
        self._database, self._catalog, self._events = database, catalog, events
        self._turns = Turns()
        self._running: dict[tuple[int, int], _Running] = {}
        self._lock = threading.Lock()
        self._arrived = threading.Condition(self._lock)  # for claims
        self._dirtied = threading.Condition(self._lock)  # for the batch thread
        self._storing = threading.Lock()
        self._closed = False
        self._batches = threading.Thread(target=self._store_batches, name="lectern-batches", daemon=True)

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

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._arrived.notify_all()
            self._dirtied.notify_all()
        if self._batches.is_alive():
            self._batches.join()

    def put(self, one: Waiting) -> None:
        """Called after the commit: what is in here is in the rows."""
        with self._lock:
            self._turns.add(one)
            self._arrived.notify()

    def placed(self, shown: Shown) -> Shown:
        """The submission with its place in the queue."""
        if shown.grading.state != State.queued:
            return shown
        with self._lock:
            return replace(shown, queue_position=self._turns.position(shown.grading.id, shown.submission.user_id))

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
            case Finished(result=result):
                return self._finish(running, result)
            case Began(cases=cases):
                running.cases = [CaseResult(case.name, case.sample) for case in cases]
            case CaseFinished(index=index, result=result):
                running.cases[index] = result
        with self._lock:
            running.is_dirty = True
            self._dirtied.notify()
        return running.is_owned

    def give_back(self, job: Job, reason: str) -> None:
        running = self._running.pop((job.grading_id, job.attempt), None)
        if running is None or self._closed:
            return  # closed: its row says running, and the next start queues it again
        log.warning("grading_given_back", grading=job.grading_id, attempt=job.attempt, reason=reason)
        state = self._insist(lambda db: gradings.put_back(db, job.grading_id, job.attempt))
        if state == State.queued:
            with self._lock:
                self._turns.add(Waiting(job.grading_id, running.submission_id, running.user_id), first=True)
                self._arrived.notify()
        self._events.announce(running.submission_id, finished=state == State.finished)

    def _next(self, deadline: float) -> Waiting | None:
        with self._lock:
            while not self._closed:
                one = self._turns.next()
                if one is not None:
                    return one
                left = deadline - time.monotonic()
                if left <= 0:
                    return None
                self._arrived.wait(left)
            return None

    def _take(self, one: Waiting) -> Job | None:
        try:
            return self._taken(one)
        except DATABASE_TROUBLE as error:
            log.error("claim_failed", grading=one.grading_id, cause=str(error))
            with self._lock:
                self._turns.add(one, first=True)
            time.sleep(RETRY_SECONDS)
            return None

    def _taken(self, one: Waiting) -> Job | None:
        with self._database.reading() as db:
            submission = db.get_one(Submission, one.submission_id)
        try:
            exercise = self._catalog.judged_by(submission.snapshot_id)
        except BrokenExercise as error:
            log.error("exercise_broken", exercise=submission.exercise, reason=str(error))
            exercise = None
        with self._database.writing(durable=False) as db:  # forgotten by a power cut, it just waits again
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
        )
        self._running[one.grading_id, attempt] = _Running(job, one.submission_id, one.user_id)
        return job

    def _finish(self, running: _Running, result: Result) -> bool:
        job = running.job
        owned = self._insist(lambda db: gradings.finish(db, job.grading_id, job.attempt, result))
        self._running.pop((job.grading_id, job.attempt), None)
        self._events.announce(running.submission_id, finished=True)
        return owned

    def _insist(self, write: Callable[[Session], T]) -> T:
        """A verdict is not lost to a database that is away for a while: try until it is back, or we are closed."""
        while True:
            try:
                with self._storing, self._database.writing() as db:
                    return write(db)
            except DATABASE_TROUBLE as error:
                if self._closed:
                    raise
                log.error("grading_not_stored", cause=str(error), remedy="trying again")
                time.sleep(RETRY_SECONDS)

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
        try:
            with self._storing, self._database.writing(durable=False) as db:
                running.is_owned = gradings.store_cases(db, running.job.grading_id, running.job.attempt, running.cases)
        except DATABASE_TROUBLE as error:
            log.warning("cases_not_stored", cause=str(error))  # the verdict will bring them all
        self._events.announce(running.submission_id)
