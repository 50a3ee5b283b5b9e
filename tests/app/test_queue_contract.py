"""What every queue does, whatever it is made of. Another one is a line in QUEUES.

Asked of both sides: the web's (app/queue/contract.py) and the workers' (graders/worker.py), and of the rows.
"""

import asyncio
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

import pytest
from sqlalchemy import text, update

from app.db import Database, now
from app.people.users import User
from app.practice.gradings import Grading
from app.practice.submissions import Shown, load_submission
from app.queue.brokered import BrokeredQueue
from app.queue.contract import WebQueue
from app.queue.events import Events
from app.queue.exercises import FetchedExercises
from app.queue.local import LocalQueue
from app.queue.nats import Broker
from app.queue.remote import RemoteJobs
from app.queue.turns import Waiting
from app.reading.catalog import Catalog
from app.web.metrics import Metrics
from graders.exercise.limits import CEILINGS
from graders.grade import Finished
from graders.verdict import State, SubmissionResult, Verdict
from graders.worker import Job, Queue
from tests.app.desk import ACCEPTED, BEGAN, Desk
from tests.broker import Server
from tests.waiting import LIMIT_SECONDS, until, until_async, until_ended

Sides = tuple[WebQueue, Queue]
Make = Callable[[Database, Catalog, Events, float], Sides]


def local(request: pytest.FixtureRequest) -> Make:
    def make(database: Database, catalog: Catalog, events: Events, lease_seconds: float) -> Sides:
        queue = LocalQueue(database, catalog, events, Metrics(), lease_seconds=lease_seconds)
        return queue, queue

    return make


def jetstream(request: pytest.FixtureRequest) -> Make:
    server: Server = request.getfixturevalue("broker")
    installation = f"contract-{uuid.uuid4().hex[:8]}"

    def make(database: Database, catalog: Catalog, events: Events, lease_seconds: float) -> Sides:
        broker = Broker(server.url(installation), "contract")
        exercises = FetchedExercises(broker, None, CEILINGS)
        jobs = RemoteJobs(broker, exercises, slots=8, beat_seconds=lease_seconds / 3)
        return BrokeredQueue(database, catalog, events, Metrics(), None, broker, jobs, lease_seconds), jobs

    return make


QUEUES = [local, jetstream]


@dataclass(frozen=True)
class Process:
    """A queue as one process has it."""

    web: WebQueue
    jobs: Queue
    events: Events

    def claim(self, seconds: float = LIMIT_SECONDS) -> Job:
        job = self.jobs.claim(seconds)
        assert job is not None
        return job


class Office(Desk):
    """A desk where any number of processes have their queues."""

    def __init__(self, url: str, make: Make) -> None:
        super().__init__(url)
        self._make = make
        self._started: list[WebQueue] = []

    def process(self, lease_seconds: float = 600.0) -> Process:
        events = Events()
        process = Process(*self._make(self.db, self.catalog, events, lease_seconds), events)
        process.web.start()
        self._started.append(process.web)
        return process

    def put(self, process: Process, user: User) -> Grading:
        grading = self.send(user, neighbourhood="here")
        process.web.put(Waiting(grading.id, grading.submission_id, user.id, neighbourhood="here"))
        return grading

    def shown(self, grading: Grading, user: User) -> Shown:
        with self.db.reading() as db:
            return load_submission(db, grading.submission_id, user)

    def close(self) -> None:
        for web in self._started:
            web.close()
        super().close()


@pytest.fixture(params=QUEUES, ids=lambda make: make.__name__)
def office(request: pytest.FixtureRequest, database_url: str) -> Iterator[Office]:
    office = Office(database_url, request.param(request))
    yield office
    office.close()


def test_what_is_put_is_claimed_once_with_all_it_takes(office: Office) -> None:
    process = office.process()
    grading = office.put(process, office.guest())
    job = process.claim()
    assert (job.grading_id, job.attempt, job.source, job.framework) == (grading.id, 1, b"x = 1", "numpy")
    assert (job.kind, job.inputs, job.case_name) == ("submit", None, None)
    assert job.exercise.content_hash == office.exercise.content_hash
    row = office.row(grading.id)
    assert (row.state, row.attempt) == (State.running, 1), "counted before anyone runs it"
    assert row.started_at is not None
    assert process.jobs.claim(0) is None


def test_a_start_takes_up_what_waits_oldest_first(office: Office) -> None:
    sent = [office.send(office.guest()).id for _ in range(3)]
    process = office.process()
    assert [process.claim().grading_id for _ in sent] == sent
    assert process.jobs.claim(0) is None


def test_a_persons_gradings_are_judged_one_after_the_other(office: Office) -> None:
    process, eager, other = office.process(), office.guest(), office.guest()
    first, second = office.put(process, eager), office.put(process, eager)
    alone = office.put(process, other)
    job = process.claim()
    assert (job.grading_id, process.claim().grading_id) == (first.id, alone.id)
    assert process.jobs.claim(0) is None
    assert process.jobs.record(job, Finished(ACCEPTED))
    assert process.claim().grading_id == second.id


def places(
    office: "Office", process: "Process", user: User, sent: Sequence[Grading], awaited: list[int | None]
) -> bool:
    """Whether they are these. Where nobody leads at this moment, or a process stands still, a place is not known, and
    is asked for again."""

    def known() -> list[int | None] | None:
        row = [process.web.placed(office.shown(grading, user)).queue_position for grading in sent]
        is_known = all(place is not None or other is None for place, other in zip(row, awaited, strict=True))
        return row if is_known else None

    return until(known, "a place stays unknown") == awaited


def test_what_waits_and_runs_is_counted_and_placed(office: Office) -> None:
    process, user = office.process(), office.guest()
    first, second = office.put(process, user), office.put(process, user)
    assert process.web.present(user.id, "here") == (2, 2)
    assert process.web.counts() == {"waiting": 2, "running": 0}
    assert places(office, process, user, (first, second), [1, 2])
    job = process.claim()
    assert process.web.present(user.id, "here") == (2, 2)
    assert process.web.counts() == {"waiting": 1, "running": 1}
    assert places(office, process, user, (first, second), [None, 1])
    assert process.jobs.record(job, Finished(ACCEPTED))
    assert process.web.present(user.id, "here") == (1, 1)
    assert process.web.counts() == {"waiting": 1, "running": 0}


def test_the_longest_wait_is_that_of_what_waits(office: Office) -> None:
    process = office.process()
    assert process.web.longest_wait_seconds() == 0
    grading = office.put(process, office.guest())
    with office.db.writing() as db:
        db.execute(update(Grading).values(queued_at=now() - timedelta(seconds=600)))
    assert 600 <= process.web.longest_wait_seconds() < 1200
    process.claim()
    assert office.row(grading.id).state == State.running
    assert process.web.longest_wait_seconds() == 0


def test_a_verdict_is_in_its_row_and_is_remembered_as_it_is_there(office: Office) -> None:
    process, user = office.process(), office.guest()
    grading = office.put(process, user)
    job = process.claim()
    assert process.jobs.record(job, BEGAN)
    assert process.web.finished(grading.submission_id) is None
    assert process.jobs.record(job, Finished(ACCEPTED))
    row = office.shown(grading, user)
    assert (row.grading.state, row.verdict, row.grading.attempt) == (State.finished, Verdict.accepted, 1)
    remembered = process.web.finished(grading.submission_id)
    assert remembered is None or remembered.public() == row.public()
    assert not process.jobs.record(job, Finished(ACCEPTED)), "there is one verdict"


def test_a_waiting_reader_is_told_by_an_event_and_reads_the_row(office: Office) -> None:
    """An event is an id: one of another process would do."""
    process, user = office.process(), office.guest()

    async def wait() -> Shown:
        process.events.open()
        grading = office.put(process, user)
        following = asyncio.ensure_future(
            process.events.until_finished(
                grading.submission_id, lambda: office.shown(grading, user), 3600, lambda submission_id: None
            )
        )
        await until_async(lambda: process.events.listeners, "nobody waits")
        job = await asyncio.to_thread(process.claim)
        assert await asyncio.to_thread(process.jobs.record, job, Finished(ACCEPTED))
        return await asyncio.wait_for(following, LIMIT_SECONDS)

    shown = asyncio.run(wait())
    assert (shown.grading.state, shown.verdict) == (State.finished, Verdict.accepted)


def test_given_back_three_times_it_ends_and_others_have_their_turn(office: Office) -> None:
    process, user = office.process(), office.guest()
    grading, behind = office.put(process, user), office.put(process, user)
    for attempt in (1, 2, 3):
        job = process.claim()
        assert (job.grading_id, job.attempt) == (grading.id, attempt)
        process.jobs.give_back(job, "the box was lost")
    row = office.row(grading.id)
    assert (row.state, row.verdict, row.attempt) == (State.finished, Verdict.internal_error, 3)
    assert process.claim().grading_id == behind.id


def test_another_process_leaves_alone_what_is_leased_and_takes_what_is_not(office: Office) -> None:
    first, second = office.process(), office.process(lease_seconds=0.3)
    grading = office.put(first, office.guest())
    job = first.claim()
    assert second.jobs.claim(1) is None
    with office.db.writing() as db:
        db.execute(update(Grading).values(leased_until=now() - timedelta(seconds=1)))
    again = second.claim()
    assert (again.grading_id, again.attempt) == (grading.id, 2)
    late = Finished(SubmissionResult(Verdict.wrong_answer, 0.0, "late", None, None, ()))
    assert not first.jobs.record(job, late)
    assert second.jobs.record(again, Finished(ACCEPTED))
    assert not first.jobs.record(job, late)
    assert office.row(grading.id).verdict == Verdict.accepted


def test_what_a_process_ran_that_ended_is_judged_by_the_next(office: Office) -> None:
    first = office.process()
    grading = office.put(first, office.guest())
    job = first.claim()
    first.web.close()
    assert not first.jobs.record(job, Finished(ACCEPTED)), "it is closed"
    again = office.process().claim()
    assert (again.grading_id, again.attempt) == (grading.id, 2)


def test_a_claim_waits_no_longer_than_it_is_asked_to_and_wakes_at_the_end(office: Office) -> None:
    process = office.process()
    claims: list[Job | None] = []

    def ask(seconds: float) -> threading.Thread:
        thread = threading.Thread(target=lambda: claims.append(process.jobs.claim(seconds)), daemon=True)
        thread.start()
        return thread

    until_ended(ask(0.1))
    assert claims.pop() is None
    waiting = [ask(3600) for _ in range(3)]
    grading = office.put(process, office.guest())
    until(lambda: claims, "nobody has it")
    assert [job and job.grading_id for job in claims] == [grading.id], "the others wait for more"
    process.web.close()
    until_ended(*waiting)
    assert claims[1:] == [None, None]
    office.put(process, office.guest())
    assert process.jobs.claim(0) is None


def test_no_grading_is_lost_to_a_database_in_trouble(office: Office) -> None:
    process, user = office.process(), office.guest()
    grading = office.put(process, user)
    with office.db.writing() as db:
        db.execute(text("ALTER TABLE grading RENAME TO elsewhere"))
    assert process.jobs.claim(0.1) is None
    with office.db.writing() as db:
        db.execute(text("ALTER TABLE elsewhere RENAME TO grading"))
    job = process.claim()
    assert (job.grading_id, job.attempt) == (grading.id, 1)
