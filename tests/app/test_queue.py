"""The local queue: turns, attempts, recovery. Its rows are asked, not its memory."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import delete, event, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection

from app.db import now
from app.people.users import User
from app.practice.gradings import Grading, kept_bytes
from app.practice.pages.submissions import waiting_words
from app.practice.sheets import read_cases
from app.practice.submissions import Shown, Submission, load_submission, waiting
from app.queue import local, recorder
from app.queue import turns as rules
from app.queue.events import Events
from app.queue.local import LocalQueue
from app.queue.recorder import Running
from app.queue.turns import Turns, Waiting
from app.reading.catalog import Catalog
from app.reading.snapshots import SnapshotFile
from app.web.metrics import Metrics
from graders.boxes.pool import Judge
from graders.exercise.preparer import Preparer
from graders.grade import CaseFinished, Finished, Stages
from graders.verdict import CaseResult, State, SubmissionResult, Verdict
from graders.worker import Job, Queue
from tests.app.desk import ACCEPTED, BEGAN, GATHER, SHORT_LEASE_SECONDS, Desk
from tests.faults.judging import claiming
from tests.waiting import LIMIT_SECONDS, until, until_ended


def test_it_is_a_queue(desk: Desk) -> None:
    queue: Queue = desk.queue()
    assert queue.claim(0) is None


class Clock:
    """The time of a thread that asks the queue: it moves on as that thread waits."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setattr(local, "time", clock := Clock())
    return clock


def test_a_claim_waits_for_work_and_no_longer(desk: Desk, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = desk.queue(clock=clock.monotonic)
    monkeypatch.setattr(queue._arrived, "wait", clock.sleep)
    assert queue.claim(600) is None
    assert clock.waits == [600]


@contextmanager
def claims_that_wait(queue: LocalQueue, count: int) -> Iterator[list[Job | None]]:
    """Workers that wait an hour for work, and what they have got by the end of the block, or soon after."""
    jobs: list[Job | None] = []
    workers = [threading.Thread(target=lambda: jobs.append(queue.claim(3600)), daemon=True) for _ in range(count)]
    for worker in workers:
        worker.start()
    waiters = queue._arrived._waiters  # type: ignore[attr-defined]
    until(lambda: len(waiters) == count, "they do not wait")
    yield jobs
    until_ended(*workers)


def test_a_wait_for_work_ends_as_the_queue_closes(desk: Desk) -> None:
    queue = desk.queue()
    with claims_that_wait(queue, 2) as jobs:
        queue.close()
    assert jobs == [None, None]


def test_a_wait_for_work_ends_as_it_comes(desk: Desk) -> None:
    queue = desk.queue()
    with claims_that_wait(queue, 1) as jobs:
        sent = desk.send(desk.guest(), queue)
    assert [job and job.grading_id for job in jobs] == [sent.id]


@pytest.mark.parametrize("ends", ["judged", "given back for good", "gone with its author"])
def test_a_wait_for_work_ends_as_the_persons_turn_ends(desk: Desk, ends: str) -> None:
    queue, user = desk.queue(), desk.guest()
    desk.send(user, queue)
    running = queue.claim(0)
    assert running is not None
    following = desk.send(user, queue)
    with claims_that_wait(queue, 1) as jobs:
        if ends == "judged":
            queue.record(running, Finished(ACCEPTED))
        elif ends == "given back for good":
            with desk.db.writing() as db:
                db.execute(update(Grading).values(attempt=3).where(Grading.id == running.grading_id))
            queue.give_back(running, "fenced off: a later attempt has it")
        else:
            with desk.db.writing() as db:
                db.execute(delete(Grading).where(Grading.id == running.grading_id))
            queue.record(running, Finished(ACCEPTED))
    assert [job and job.grading_id for job in jobs] == [following.id]


def test_what_waits_and_runs_is_counted_by_person_and_neighbourhood(desk: Desk) -> None:
    queue, user, neighbour = desk.queue(), desk.guest(), desk.guest()
    for person in (user, user, neighbour):
        grading = desk.send(person)
        queue.put(Waiting(grading.id, grading.submission_id, person.id, neighbourhood="here"))
    assert queue.counts() == {"waiting": 3, "running": 0}
    assert queue.present(user.id, "here") == (2, 3)
    job = queue.claim(0)
    assert job is not None
    assert queue.counts() == {"waiting": 2, "running": 1}
    assert queue.present(user.id, "here") == (2, 3), "what runs is there too"
    assert queue.record(job, Finished(ACCEPTED))
    assert queue.counts() == {"waiting": 2, "running": 0}
    assert queue.present(user.id, "here") == (1, 2)
    assert queue.present(user.id, "elsewhere") == (1, 0)


def test_a_queue_that_is_closed_takes_and_gives_nothing(desk: Desk) -> None:
    """What ran is found by the next start."""
    queue, user = desk.queue(), desk.guest()
    sent = [desk.send(user, queue), desk.send(desk.guest(), queue)]
    job = queue.claim(0)
    assert job is not None
    queue.close()
    assert queue.claim(0) is None
    assert queue.record(job, Finished(ACCEPTED)) is False
    queue.give_back(job, "the judge is closed")
    assert [desk.row(one.id).state for one in sent] == [State.running, State.queued]
    again = desk.queue()
    assert {claimed(again), claimed(again)} == {one.id for one in sent}


def test_what_cannot_be_claimed_keeps_its_author_from_nothing(desk: Desk) -> None:
    """A grading that was taken or deleted meanwhile: the row is the truth."""
    queue, user = desk.queue(), desk.guest()
    taken, gone, following = (desk.send(user, queue) for _ in range(3))
    with desk.db.writing() as db:
        db.execute(update(Grading).values(state=State.running, attempt=1).where(Grading.id == taken.id))
        db.execute(delete(Submission).where(Submission.id == gone.submission_id))
    assert claimed(queue) == following.id
    assert desk.row(taken.id).attempt == 1, "the worker that took it has it"


def test_a_grading_that_makes_room_for_a_neighbour_waits_again_as_if_it_had_not_begun(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "PATIENCE_SECONDS", 0.0)
    queue = desk.queue()

    def put(neighbourhood: str) -> Grading:
        user = desk.guest()
        grading = desk.send(user)
        queue.put(Waiting(grading.id, grading.submission_id, user.id, neighbourhood=neighbourhood))
        return grading

    oldest, newest = put("crowd"), put("crowd")
    jobs = [queue.claim(0), queue.claim(0)]
    assert [job and job.grading_id for job in jobs] == [oldest.id, newest.id]
    first, last = (job for job in jobs if job is not None)
    assert queue.record(last, BEGAN)
    assert queue.record(last, CaseFinished(0, CaseResult("one", True, Verdict.accepted))), "nobody else waits"
    assert queue.record(last, BEGAN)
    neighbour = put("elsewhere")
    assert queue.record(first, BEGAN)
    assert queue.record(first, CaseFinished(0, CaseResult("one", True, Verdict.accepted))), "the oldest never does"
    assert not queue.record(last, CaseFinished(0, CaseResult("one", True, Verdict.accepted)))
    row = desk.row(newest.id)
    assert (row.state, row.attempt, row.cases, row.started_at) == (State.queued, 0, [], None)
    assert not queue.record(last, Finished(ACCEPTED)), "it was taken from this worker"
    assert claimed(queue) == neighbour.id
    again = queue.claim(0)
    assert again is not None
    assert (again.grading_id, again.attempt) == (newest.id, 1)
    queue.record(again, BEGAN)
    broke = CaseResult("one", True, Verdict.time_limit)
    put("a third place")
    assert queue.record(again, CaseFinished(0, broke)), "what has lost its box is over at once"


def test_a_grading_that_another_has_taken_over_is_left_and_its_person_goes_on(desk: Desk) -> None:
    queue, user = desk.queue(), desk.guest()
    first, following = desk.send(user, queue), desk.send(user, queue)
    job = queue.claim(0)
    assert job is not None
    with desk.db.writing() as db:
        db.execute(update(Grading).values(attempt=2).where(Grading.id == first.id))
    until(lambda: not queue.record(job, BEGAN), "it goes on for nothing")
    assert claimed(queue) == following.id
    row = desk.row(first.id)
    assert (row.state, row.attempt, row.cases) == (State.running, 2, [])


def test_where_the_time_went_is_stored_by_the_end_at_the_latest(desk: Desk, capfd: pytest.CaptureFixture[str]) -> None:
    moment = 50.0
    queue = desk.queue(clock=lambda: moment)
    grading = desk.send(desk.guest(), queue)
    moment += 2.5
    job = queue.claim(0)
    assert job is not None
    moment += 1
    queue.record(job, Finished(ACCEPTED, stages=Stages(load=1.5)))
    queue.close()
    stages = desk.row(grading.id).stages
    assert stages is not None
    assert (stages["queued"], stages["load"]) == (2500, 1.5)
    assert stages["recorded"] > 0
    desk.queue().close()
    assert "stages_not_stored" not in "".join(capfd.readouterr()), "there was nothing to store"


class StateError(Exception):
    """As a driver of PostgreSQL raises it."""

    def __init__(self, sqlstate: str) -> None:
        super().__init__(sqlstate)
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("error", "passes"),
    [
        (MemoryError(), True),
        (NoConnection(), True),
        (ValueError(), False),
        (OperationalError("", None, Exception("database is locked")), True),
        (InterfaceError("", None, Exception("gone")), True),
        (IntegrityError("", None, Exception("CHECK")), False),
        (DBAPIError("", None, Exception("cut off"), connection_invalidated=True), True),
        (OperationalError("", None, StateError("57P03")), True),
        (OperationalError("", None, StateError("54000")), False),
        (InternalError("", None, StateError("25006")), True),
        (InternalError("", None, StateError("25001")), False),
    ],
)
def test_trouble_that_may_pass_is_told_from_a_value_that_is_refused(error: Exception, passes: bool) -> None:
    assert recorder.may_pass(error) is passes


def test_a_claim_that_the_database_fails_is_tried_again_before_what_came_later(desk: Desk) -> None:
    queue = desk.queue()
    user = desk.guest()
    first, second = desk.send(user, queue), desk.send(user, queue)
    jobs: list[Job | None] = []
    failed = threading.Event()
    event.listen(desk.db.engine, "handle_error", lambda context: failed.set())
    with desk.db.engine.begin() as connection:
        connection.execute(text("ALTER TABLE grading RENAME TO gone"))
    worker = threading.Thread(target=lambda: jobs.append(queue.claim(LIMIT_SECONDS)), daemon=True)
    worker.start()
    assert failed.wait(LIMIT_SECONDS), "it was not claimed at all"
    with desk.db.engine.begin() as connection:
        connection.execute(text("ALTER TABLE gone RENAME TO grading"))
    until_ended(worker)
    (job,) = jobs
    assert job is not None, "it would wait until the server starts again"
    assert (job.grading_id, job.attempt) == (first.id, 1)
    assert queue.record(job, Finished(ACCEPTED))
    assert claimed(queue) == second.id


def test_the_attempt_is_saved_before_the_job_is_handed_out(desk: Desk) -> None:
    queue = desk.queue()
    grading = desk.send(desk.guest(), queue)
    job = queue.claim(1)
    assert job is not None
    assert (job.grading_id, job.attempt, job.source, job.framework) == (grading.id, 1, b"x = 1", "numpy")
    assert job.exercise.content_hash == desk.exercise.content_hash
    row = desk.row(grading.id)
    assert (row.state, row.attempt) == (State.running, 1)
    assert row.started_at is not None


def test_students_take_turns(desk: Desk) -> None:
    queue = desk.queue()
    eager, other = desk.guest(), desk.guest()
    many = [desk.send(eager, queue).id for _ in range(20)]
    one = desk.send(other, queue).id
    claimed = []
    for _ in range(4):
        job = queue.claim(0)
        assert job is not None
        claimed.append(job.grading_id)
        queue.record(job, Finished(ACCEPTED))
    assert claimed == [many[0], one, many[1], many[2]]


def test_a_students_submissions_are_judged_one_after_the_other(desk: Desk) -> None:
    """However many workers there are: a verdict never overtakes the one before it."""
    queue = desk.queue()
    eager, other = desk.guest(), desk.guest()
    first, second = desk.send(eager, queue).id, desk.send(eager, queue).id
    running = queue.claim(0)
    assert running is not None
    assert running.grading_id == first
    assert queue.claim(0) is None, "the second waits for the first, though a worker is free"
    alone = desk.send(other, queue).id
    beside = queue.claim(0)
    assert beside is not None
    assert beside.grading_id == alone
    queue.give_back(running, "a box was lost")
    again = queue.claim(0)
    assert again is not None
    assert (again.grading_id, again.attempt) == (first, 2)
    assert queue.claim(0) is None
    queue.record(again, Finished(ACCEPTED))
    following = queue.claim(0)
    assert following is not None
    assert following.grading_id == second


def test_the_place_in_the_queue_is_the_number_of_turns_away() -> None:
    turns = Turns()
    sent = [Waiting(id, id, user) for id, user in ((1, 7), (2, 7), (3, 7), (4, 8), (5, 9), (6, 9))]
    for one in sent:
        turns.add(one)
    places = {one.grading_id: turns.position(one.grading_id, one.user_id) for one in sent}
    served = []
    while (following := turns.next()) is not None:
        served.append(following.grading_id)
        turns.done(following.user_id)
    assert places == {id: served.index(id) + 1 for id in served}
    assert turns.position(1, 7) is None


def test_a_verdict_is_stored_and_announced(desk: Desk) -> None:
    queue = desk.queue()
    user = desk.guest()
    grading = desk.send(user, queue)
    job = queue.claim(1)
    assert job is not None
    assert queue.record(job, BEGAN)
    assert queue.record(job, Finished(ACCEPTED))
    with desk.db.reading() as db:
        shown = load_submission(db, grading.submission_id, user)
    assert (shown.grading.state, shown.verdict, shown.grading.score) == (State.finished, Verdict.accepted, 1.0)
    assert shown.cases == ACCEPTED.cases


def test_cases_are_there_while_a_slow_one_is_judged(desk: Desk) -> None:
    queue = desk.queue()
    grading = desk.send(desk.guest(), queue)
    job = queue.claim(1)
    assert job is not None
    queue.record(job, BEGAN)
    queue.record(job, CaseFinished(0, CaseResult("one", True, Verdict.accepted, 0.4)))

    def verdicts() -> list[Verdict | None]:
        return [case.verdict for case in read_cases(desk.row(grading.id).cases, None)]

    until(lambda: verdicts() == ["accepted", None], verdicts)
    assert desk.row(grading.id).state == State.running


def test_a_quick_grading_is_two_commits(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases are gathered until `is_over`, which a quick grading is not there to see."""
    is_over = threading.Event()
    still = SimpleNamespace(monotonic=time.monotonic, sleep=lambda seconds: is_over.wait(LIMIT_SECONDS))
    monkeypatch.setattr(recorder, "time", still)
    monkeypatch.setattr(recorder, "BATCH_SECONDS", 600.0)
    monkeypatch.setattr(recorder, "STAGES_SECONDS", 600.0)
    queue = desk.queue(lease_seconds=3600.0)  # their renewals are commits too, in a rhythm of their own
    stored: list[int] = []  # gradings, with each batch
    store = queue._recorder._store_cases

    def noted(running: Running) -> None:
        store(running)
        stored.append(running.job.grading_id)

    monkeypatch.setattr(queue._recorder, "_store_cases", noted)
    commits: list[int] = []
    event.listen(desk.db.engine, "commit", lambda connection: commits.append(1))

    def claim() -> Job:
        desk.send(desk.guest(), queue)
        commits.clear()
        job = queue.claim(1)
        assert job is not None
        queue.record(job, BEGAN)
        return job

    try:
        job = claim()
        for index in range(2):
            queue.record(job, CaseFinished(index, CaseResult("one", True, Verdict.accepted)))
        queue.record(job, Finished(ACCEPTED))
        assert len(commits) == 2  # the claim, and the verdict with every case
    finally:
        is_over.set()
    slow = claim()
    until(lambda: stored, "no batch is stored")
    assert stored == [slow.grading_id], "what came with the verdict is not written once more"


def test_what_a_verdict_stores_is_charged_to_its_author_and_once(desk: Desk) -> None:
    def charged() -> list[int]:
        with desk.db.reading() as db:
            return [db.get_one(User, person.id).stored_bytes for person in (author, other)]

    queue, author, other = desk.queue(), desk.guest(), desk.guest()
    desk.send(author, queue)
    job = queue.claim(0)
    assert job is not None
    before = charged()
    assert queue.record(job, Finished(ACCEPTED))
    kept = kept_bytes(ACCEPTED, None)
    assert kept > 0
    assert charged() == [before[0] + kept, before[1]]
    assert not queue.record(job, Finished(ACCEPTED)), "it is over"
    assert charged() == [before[0] + kept, before[1]]


def test_a_late_result_is_ignored(desk: Desk) -> None:
    queue = desk.queue()
    grading = desk.send(desk.guest(), queue)
    stopped = queue.claim(1)
    assert stopped is not None
    with desk.db.writing() as db:  # as if a sweeper had given it to another worker
        db.execute(update(Grading).values(state=State.queued))
    other = desk.queue()
    current = other.claim(1)
    assert current is not None
    assert current.attempt == 2
    wrong = SubmissionResult(Verdict.wrong_answer, 0.0, "late", None, None, ())
    assert queue.record(stopped, Finished(wrong)) is False
    assert desk.row(grading.id).state == State.running
    assert other.record(current, Finished(ACCEPTED)) is True
    assert queue.record(stopped, Finished(wrong)) is False
    assert desk.row(grading.id).verdict == Verdict.accepted


def test_given_back_three_times_it_does_not_count_against_the_student(desk: Desk) -> None:
    queue = desk.queue()
    user = desk.guest()
    grading, behind = desk.send(user, queue), desk.send(user, queue)
    for attempt in (1, 2, 3):
        job = queue.claim(1)
        assert job is not None
        assert (job.grading_id, job.attempt) == (grading.id, attempt)
        queue.give_back(job, "the box was killed")
    row = desk.row(grading.id)
    assert (row.state, row.verdict, row.attempt) == (State.finished, Verdict.internal_error, 3)
    assert row.summary == "We could not grade this. It does not count against you."
    job = queue.claim(1)
    assert job is not None
    assert job.grading_id == behind.id  # the neighbour flows


def test_what_a_crash_cut_short_is_queued_again_oldest_first(desk: Desk) -> None:
    user = desk.guest()
    running, waiting = desk.send(user), desk.send(user)
    desk.crash()
    assert (desk.row(running.id).state, desk.row(waiting.id).state) == (State.running, State.queued)
    queue = desk.queue(SHORT_LEASE_SECONDS)
    claimed = []
    for seconds in (0 if desk.db.is_sqlite else 30, 0):  # on one machine at once
        job = queue.claim(seconds)
        assert job is not None
        claimed.append((job.grading_id, job.attempt))
        queue.record(job, Finished(ACCEPTED))
    assert claimed == [(running.id, 2), (waiting.id, 1)]
    assert queue.claim(0) is None


def test_a_submission_that_kills_the_server_each_time_is_let_go(desk: Desk) -> None:
    grading = desk.send(desk.guest())
    for attempt in (1, 2, 3):
        desk.crash()
        row = desk.row(grading.id)
        assert (row.state, row.attempt) == (State.running, attempt)
    queue = desk.queue(SHORT_LEASE_SECONDS)
    assert queue.claim(0) is None
    if desk.db.is_sqlite:
        assert desk.row(grading.id).state == State.finished
    until(lambda: desk.row(grading.id).state == State.finished, "it is not given up")
    assert queue.claim(0) is None
    assert desk.row(grading.id).verdict == Verdict.internal_error


def test_what_an_older_release_was_running_is_judged_again_at_once(desk: Desk) -> None:
    """It knew of no leases, and was stopped before this one was started."""
    grading = desk.send(desk.guest())
    with desk.db.writing() as db:
        db.execute(update(Grading).values(state=State.running, attempt=1))
    desk.queue()  # beside which the next is not alone
    job = desk.queue().claim(0)
    assert job is not None
    assert (job.grading_id, job.attempt) == (grading.id, 2)


def test_a_second_servers_start_leaves_alone_what_the_first_one_runs(desk: Desk) -> None:
    """Two processes on one database, the first of which goes on and on."""
    user = desk.guest()
    running, behind = desk.send(user), desk.send(user)
    other = desk.send(desk.guest())
    # Renewed three times in its lease, so that a machine may stand still for a while.
    with claiming(desk.url, lease_seconds=15.0):
        first = desk.row(running.id).leased_until
        assert first is not None
        second = desk.queue(SHORT_LEASE_SECONDS)
        assert claimed(second) == other.id
        until(lambda: (desk.row(running.id).leased_until or first) > first, "it is not renewed")
        assert second.claim(SHORT_LEASE_SECONDS) is None, "what is behind it would overtake it"
        row = desk.row(running.id)
        assert (row.state, row.attempt) == (State.running, 1)
        assert desk.row(behind.id).state == State.queued
    # Here the first is killed, and renews it no more.
    with desk.db.writing() as db:
        db.execute(update(Grading).where(Grading.id == running.id).values(leased_until=now() - timedelta(seconds=1)))
    job = second.claim(LIMIT_SECONDS)
    assert job is not None
    assert (job.grading_id, job.attempt) == (running.id, 2)
    assert second.record(job, Finished(ACCEPTED))
    assert claimed(second) == behind.id


def test_a_server_that_stood_still_past_its_lease_comes_too_late(desk: Desk) -> None:
    user = desk.guest()
    grading = desk.send(user)
    first = desk.queue(lease_seconds=3600.0)  # which renews nothing for as long as this test lasts
    job = first.claim(1)
    assert job is not None
    with desk.db.writing() as db:  # that time is over
        db.execute(update(Grading).values(leased_until=now() - timedelta(seconds=1)))
    second = desk.queue(SHORT_LEASE_SECONDS)
    again = second.claim(1)
    assert again is not None
    assert (again.grading_id, again.attempt) == (grading.id, 2)
    wrong = SubmissionResult(Verdict.wrong_answer, 0.0, "late", None, None, ())
    assert not first.record(job, Finished(wrong))
    first.give_back(job, "late")
    row = desk.row(grading.id)
    assert (row.state, row.attempt) == (State.running, 2)
    assert second.record(again, Finished(ACCEPTED))
    row = desk.row(grading.id)
    assert (row.verdict, row.owner, row.leased_until) == (Verdict.accepted, None, None)


def test_a_lease_that_ran_out_takes_nothing_from_whom_nobody_replaced(desk: Desk) -> None:
    """A machine that slept for an hour, with one server on it."""
    queue = desk.queue(SHORT_LEASE_SECONDS)
    grading = desk.send(desk.guest(), queue)
    job = queue.claim(1)
    assert job is not None
    first = desk.row(grading.id).leased_until
    until(lambda: desk.row(grading.id).leased_until != first)  # none that began before the claim is under way
    with desk.db.writing() as db:
        db.execute(update(Grading).values(leased_until=now() - timedelta(hours=1)))
    until(lambda: (desk.row(grading.id).leased_until or now()) > now() - timedelta(minutes=30))
    row = desk.row(grading.id)
    assert (row.state, row.attempt) == (State.running, 1)
    assert queue.record(job, Finished(ACCEPTED))


def test_a_server_that_has_lost_a_grading_learns_it_with_its_next_renewal(desk: Desk) -> None:
    queue = desk.queue(SHORT_LEASE_SECONDS)
    grading = desk.send(desk.guest(), queue)
    job = queue.claim(1)
    assert job is not None
    assert queue.record(job, BEGAN)
    with desk.db.writing() as db:
        db.execute(update(Grading).where(Grading.id == grading.id).values(owner="another", attempt=2))
    until(lambda: not queue.record(job, CaseFinished(0, CaseResult("one", True, Verdict.accepted))))
    assert queue.counts()["running"] == 0


def test_more_may_wait_than_a_statement_takes_ids(desk: Desk) -> None:
    user = desk.guest()
    sent = [desk.send(user).id for _ in range(3)]
    with desk.db.reading() as db:
        assert [each.grading_id for each in waiting(db, range(2, 200_000))] == sent[1:]


@pytest.mark.parametrize("ends", ["verdict", "case", "failure"])
def test_a_claim_that_the_database_has_forgotten_is_made_again(desk: Desk, ends: str) -> None:
    """Claims do not wait for its disk: a PostgreSQL that is killed may not know of the last ones when it is back."""
    queue = desk.queue(SHORT_LEASE_SECONDS)
    user = desk.guest()
    grading, behind = desk.send(user, queue), desk.send(user, queue)
    job = queue.claim(1)
    assert job is not None
    with desk.db.writing() as db:
        forgotten = update(Grading).where(Grading.id == grading.id)
        db.execute(forgotten.values(state=State.queued, attempt=0, owner=None, leased_until=None, started_at=None))
    if ends == "verdict":
        assert not queue.record(job, Finished(ACCEPTED))
    elif ends == "case":
        assert queue.record(job, BEGAN)
        until(lambda: not queue.record(job, CaseFinished(0, CaseResult("one", True, Verdict.accepted))))
    else:
        queue.give_back(job, "the box was lost")
    seen: set[int] = set()
    while seen != {grading.id, behind.id}:
        again = queue.claim(LIMIT_SECONDS)
        assert again is not None, "nobody knows of it"
        assert queue.record(again, Finished(ACCEPTED))
        seen.add(again.grading_id)
    assert {desk.row(each.id).verdict for each in (grading, behind)} == {Verdict.accepted}
    assert (queue.counts(), queue.claim(0)) == ({"waiting": 0, "running": 0}, None)


def test_a_server_that_ends_in_good_order_leaves_its_gradings_to_the_next_at_once(desk: Desk) -> None:
    grading = desk.send(desk.guest())
    first = desk.queue(lease_seconds=3600.0)
    assert claimed(first) == grading.id
    first.close()
    job = desk.queue().claim(0)
    assert job is not None
    assert (job.grading_id, job.attempt) == (grading.id, 2)


def test_attempts_of_the_same_number_are_told_apart_by_their_owner(desk: Desk) -> None:
    """One that makes room counts for nothing, so that the next process to claim it has its number."""
    first, second = desk.queue(), desk.queue()
    grading = desk.send(desk.guest(), first)
    job = first.claim(1)
    assert job is not None
    running = first._recorder.running(job)
    assert running is not None
    assert first._recorder.wait_again(running)
    second.put(Waiting(grading.id, grading.submission_id, 0))
    again = second.claim(1)
    assert again is not None
    assert again.attempt == job.attempt
    assert not first._recorder.wait_again(running), "as if the answer to its first try had been lost"
    assert desk.row(grading.id).state == State.running
    assert second.record(again, Finished(ACCEPTED))


def test_a_worker_that_asks_a_closed_queue_does_so_now_and_then(desk: Desk, clock: Clock) -> None:
    queue = desk.queue(clock=clock.monotonic)
    queue.close()
    for _ in range(20):
        assert queue.claim(600) is None
    assert clock.waits == [local.CLOSED_SECONDS] * 20, "it would ask all the time until it is told to end"
    assert sum(clock.waits) > 0.3


def test_a_claim_is_not_lost_to_a_database_in_trouble(desk: Desk, clock: Clock) -> None:
    """It fails once the turn is taken: the grading waits again, no attempt is counted, and others' turns come."""
    queue = desk.queue(clock=clock.monotonic)
    user = desk.guest()
    grading, behind = desk.send(user, queue), desk.send(user, queue)
    with desk.db.writing() as db:
        db.execute(text("ALTER TABLE grading RENAME TO elsewhere"))
    assert queue.claim(0.1) is None
    assert clock.waits == [recorder.RETRY_SECONDS], "by then the time is up"
    with desk.db.writing() as db:
        db.execute(text("ALTER TABLE elsewhere RENAME TO grading"))
    assert queue.counts() == {"waiting": 2, "running": 0}
    job = queue.claim(1)
    assert job is not None
    assert (job.grading_id, job.attempt) == (grading.id, 1)
    assert queue.record(job, Finished(ACCEPTED))
    assert claimed(queue) == behind.id


def test_the_judge_reads_the_snapshot_not_the_folder(desk: Desk) -> None:
    desk.send(desk.guest())
    fresh = Catalog(desk.db)  # a server whose folders are gone
    fresh.import_folders([Path("/nowhere")], [Path("/nowhere")])
    queue = LocalQueue(desk.db, fresh, Events(), Metrics())
    queue.start()
    job = queue.claim(0)
    queue.close()
    assert job is not None
    assert job.exercise.content_hash == desk.exercise.content_hash


def test_a_snapshot_that_cannot_be_read_is_our_failure(desk: Desk) -> None:
    grading = desk.send(desk.guest())
    with desk.db.writing() as db:
        for file in db.scalars(select(SnapshotFile).where(SnapshotFile.path == "exercise.toml")):
            file.content = b"not toml"
    fresh = Catalog(desk.db)
    queue = LocalQueue(desk.db, fresh, Events(), Metrics())
    queue.start()
    assert queue.claim(0) is None
    queue.close()
    assert desk.row(grading.id).verdict == Verdict.internal_error


def test_what_a_student_says_can_be_stored(desk: Desk) -> None:
    queue = desk.queue()
    desk.send(desk.guest(), queue)
    job = queue.claim(1)
    assert job is not None
    said = "a NUL \0, half a pair \ud800, and \N{SNOWMAN}"
    cases = (CaseResult("one", True, Verdict.wrong_answer, stdout=said),)
    assert queue.record(job, Finished(SubmissionResult(Verdict.wrong_answer, 0.0, said, said, None, cases)))
    row = desk.row(job.grading_id)
    assert row.summary == "a NUL \ufffd, half a pair \ufffd, and \N{SNOWMAN}"
    assert row.cases[0]["stdout"] == said


def test_what_the_database_will_never_take_ends_as_our_failure_and_its_worker_goes_on(desk: Desk) -> None:
    queue = desk.queue()
    user = desk.guest()
    first, behind = desk.send(user, queue), desk.send(user, queue)
    job = queue.claim(1)
    assert job is not None
    impossible = Finished(replace(ACCEPTED, score=2.0))  # against a constraint of the table
    worker = threading.Thread(target=queue.record, args=(job, impossible), daemon=True)
    worker.start()
    until_ended(worker)
    row = desk.row(first.id)
    assert (row.state, row.verdict, row.score, row.attempt) == (State.finished, Verdict.internal_error, 0.0, 1)
    assert row.summary == "We could not grade this. It does not count against you."
    job = queue.claim(1)
    assert job is not None
    assert job.grading_id == behind.id
    assert queue.record(job, Finished(ACCEPTED))


def test_a_case_that_cannot_be_stored_keeps_nobody_elses_from_the_page(desk: Desk) -> None:
    queue = desk.queue()
    for said in (b"bytes", "well"):  # the first is nothing that a row holds
        sent = desk.send(desk.guest(), queue)
        job = queue.claim(1)
        assert job is not None
        queue.record(job, BEGAN)
        queue.record(job, CaseFinished(0, CaseResult("one", True, Verdict.accepted, stdout=said)))  # type: ignore[arg-type]
    until(lambda: [case.get("stdout") for case in desk.row(sent.id).cases or []][:1] == ["well"], "it is kept back")


def test_who_waits_for_another_try_is_told_whose_failure_it_was(desk: Desk) -> None:
    queue = desk.queue()
    grading = desk.send(desk.guest(), queue)

    def words() -> str:
        with desk.db.reading() as db:
            submission = db.get_one(Submission, grading.submission_id)
        shown = queue.placed(Shown(submission, desk.row(grading.id), ""))
        return waiting_words(shown, judge_is_ready=True)

    assert words() == "Next in the queue."
    job = queue.claim(1)
    assert job is not None
    assert "failed" not in words()
    queue.give_back(job, "the box was lost")
    assert words().startswith("Judging failed because of us, not you. We are trying again;")
    assert queue.claim(1) is not None
    assert words().startswith("Judging failed because of us, not you")


def test_a_run_on_own_input_waits_for_submissions_that_began_before(desk: Desk) -> None:
    """attack: a submission whispers the fresh inputs that it is being judged by, and a friend runs the reference on
    them. The friend's answer must come when the submission is over.
    """
    queue = desk.queue()
    attacker, friend, other = desk.guest(), desk.guest(), desk.guest()

    def put(user: User, **what: Any) -> Grading:
        grading = desk.send(user)
        queue.put(Waiting(grading.id, grading.submission_id, user.id, exercise=GATHER, **what))
        return grading

    put(attacker)
    attacking = queue.claim(1)
    assert attacking is not None
    answering = put(friend, kind="run", has_inputs=True)
    assert queue.claim(0) is None, "the run would answer while the submission is being judged"
    samples = put(other, kind="run")
    assert claimed(queue) == samples.id, "a run on the samples tells nothing new"
    later = put(desk.guest())
    assert claimed(queue) == later.id, "what is held keeps nobody else"
    queue.record(attacking, Finished(ACCEPTED))
    assert claimed(queue) == answering.id, "a submission that began later meets other inputs"


def test_what_waits_for_its_exercise_to_be_built_holds_no_worker_and_begins_when_that_is_settled(desk: Desk) -> None:
    """This judge runs no framework, so that the exercise is soon found to be one that cannot be built."""
    queue = desk.queue()
    with Judge(frameworks=[]) as judge:
        preparer = Preparer([], judge, on_settled=queue.look_again)
        queue.build_by(preparer)
        held = desk.send(desk.guest(), queue)
        assert queue.claim(0) is None
        assert (desk.row(held.id).state, desk.row(held.id).attempt) == (State.queued, 0)
        assert queue.counts() == {"waiting": 1, "running": 0}
        with claims_that_wait(queue, 1) as jobs:
            preparer.start()
        preparer.close()
    assert [job and job.grading_id for job in jobs] == [held.id]


def claimed(queue: LocalQueue) -> int:
    job = queue.claim(1)
    assert job is not None
    return job.grading_id
