"""A database with exercises, and queues over it: what the tests of the queue stand on."""

import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from app.db import Database
from app.people.users import User, add_guest
from app.practice.gradings import Grading
from app.practice.submissions import read_order, submit
from app.queue.events import Events
from app.queue.leases import LEASE_SECONDS
from app.queue.local import LocalQueue
from app.queue.turns import Waiting
from app.reading.catalog import Catalog
from app.web.metrics import Metrics
from graders.exercise.definition import Exercise
from graders.grade import Began, CaseName
from graders.verdict import CaseResult, SubmissionResult, Verdict
from tests.conftest import CATALOG
from tests.faults.judging import claiming

GATHER = "learned-absolute-position-embedding"
ACCEPTED = SubmissionResult(
    Verdict.accepted, 1.0, "All cases accepted.", None, None, (CaseResult("one", True, Verdict.accepted),)
)
SHORT_LEASE_SECONDS = 1.0
BEGAN = Began((CaseName("one", True), CaseName("hidden 1", False)))


@cache
def one_exercise() -> Path:
    """A folder with one exercise of the catalogue: to import all of it takes four times as long."""
    folder = Path(tempfile.mkdtemp())
    (folder / GATHER).symlink_to(CATALOG / "exercises" / GATHER)
    return folder


class Desk:
    """A database with exercises, and queues over it as a server would have them."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.db = Database(url)
        self.db.migrate()
        self.catalog = Catalog(self.db)
        self.catalog.import_folders([one_exercise()], [])
        self.queues: list[LocalQueue] = []

    def queue(self, lease_seconds: float = LEASE_SECONDS, clock: Callable[[], float] = time.monotonic) -> LocalQueue:
        queue = LocalQueue(self.db, self.catalog, Events(), Metrics(), lease_seconds=lease_seconds, clock=clock)
        self.queues.append(queue)
        queue.start()
        return queue

    def crash(self) -> None:
        """A server on this database that is killed while it judges what is next. Where the next start can know that it
        is dead, its lease is as good as endless."""
        with claiming(self.url, 600.0 if self.db.is_sqlite else SHORT_LEASE_SECONDS):
            pass

    @property
    def exercise(self) -> Exercise:
        return self.catalog.exercises[GATHER]

    def guest(self) -> User:
        with self.db.writing() as db:
            return add_guest(db)

    def send(self, user: User, queue: LocalQueue | None = None, neighbourhood: str | None = None) -> Grading:
        with self.db.writing() as db:
            order = read_order(self.exercise, "x = 1")
            snapshot_id = self.catalog.snapshot_ids[GATHER]
            _, grading = submit(db, user, order, snapshot_id, None, neighbourhood=neighbourhood)
        if queue is not None:
            queue.put(Waiting(grading.id, grading.submission_id, user.id))
        return grading

    def row(self, id: int) -> Grading:
        with self.db.reading() as db:
            return db.get_one(Grading, id)

    def close(self) -> None:
        for queue in self.queues:
            queue.close()
        self.db.close()
