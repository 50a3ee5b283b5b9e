"""Claims of this process: a grading is taken in its row, leased, and put back if the process that ran it is gone."""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

import structlog

from app.db import Database
from app.practice import gradings
from app.practice.gradings import Recovered
from app.practice.submissions import Submission
from app.queue.events import Events
from app.queue.leases import Leases
from app.queue.recorder import Key, Recorder, Running
from app.queue.turns import Waiting
from app.reading.catalog import Catalog
from app.web.limits import RateLimits
from app.web.metrics import Metrics
from graders.exercise.definition import Exercise
from graders.verdict import State
from graders.worker import Job

log = structlog.get_logger("lectern.queue")


@dataclass(frozen=True)
class Candidate:
    """A grading that may be claimed, and what it takes to judge it. `exercise`: None if its snapshot is unreadable."""

    waiting: Waiting
    submission: Submission
    exercise: Exercise | None


class Claims(Recorder):
    """A recorder of what this process runs itself.

    `requeue` is given what was abandoned and waits again, and whose gradings other processes run now, again and again.
    """

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        events: Events,
        metrics: Metrics,
        limits: RateLimits | None,
        lease_seconds: float,
        requeue: Callable[[list[Waiting], set[int]], None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(database, catalog, events, metrics, limits, clock=clock)
        self._requeue = requeue
        self._leases = Leases(database, lease_seconds, self._keys, self._lose, self._recover, self._doubted)
        self._doubts: set[int] = set()

    def take_up(self) -> tuple[list[Waiting], set[int]]:
        """Everything that waits to be judged, oldest first, and whose gradings other processes run."""
        found = self._leases.start()
        self.start()
        return found

    def close(self) -> None:
        """What runs keeps its row as it is, without a lease: the next process that looks puts it back."""
        super().close()
        self._leases.close()

    def read(self, waiting: Waiting) -> Candidate | None:
        """What it takes to judge this grading; None if its author has left, and took it along."""
        submission = waiting.submission
        if submission is None:
            with self._database.reading() as db:
                submission = db.get(Submission, waiting.submission_id)
            if submission is None:
                return None
        return Candidate(waiting, submission, self.exercise_of(submission))

    def claim(self, candidate: Candidate) -> Job | None:
        """Counts the attempt, and commits that before anyone runs it. None if it waits no more: the row is the truth.
        What cannot be judged at all ends here, as our failure."""
        grading_id, exercise, owner = candidate.waiting.grading_id, candidate.exercise, self._leases.owner
        with self._database.changing(durable=False) as db:  # forgotten by a power cut, it just waits again
            attempt = gradings.take(db, grading_id, owner, self._leases.seconds)
            if attempt is None:
                return None
            if exercise is None:
                gradings.finish(db, gradings.held(grading_id, attempt, owner), gradings.ungraded())
        self._events.announce(candidate.submission.id, finished=exercise is None)
        if exercise is None:
            self._metrics.given_up(candidate.submission.framework, candidate.submission.kind)
            return None
        return self.run(candidate.waiting, candidate.submission, exercise, attempt, owner).job

    def doubt(self, running: Running) -> None:
        """It was fenced off: another has it, or it is over, or it waits and nobody knows of it. The row will tell."""
        self._doubts.add(running.job.grading_id)

    def _doubted(self) -> set[int]:
        doubts, self._doubts = self._doubts, set()
        return doubts

    def _keys(self) -> list[Key]:
        return list(self._running)

    def _lose(self, keys: Collection[Key]) -> None:
        """Another process has taken over: the worker learns it with its next event, and stops."""
        for key in keys:
            if (running := self._running.get(key)) is not None:
                running.is_owned = False

    def _recover(self, recovered: list[Recovered], found: list[Waiting], elsewhere: set[int]) -> None:
        if recovered:
            log.warning("gradings_recovered", gradings=[grading.grading_id for grading in recovered])
        self._requeue(found, elsewhere)
        for grading in recovered:
            self._events.announce(grading.submission_id, finished=grading.state == State.finished)
        if given_up := [grading.submission_id for grading in recovered if grading.state == State.finished]:
            self.count_given_up(given_up)
