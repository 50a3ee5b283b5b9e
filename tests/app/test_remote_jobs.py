"""What a worker's threads do between two assignments. The test is the leader, at a real broker."""

import queue
import threading
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from app.queue.dispatch import NOTHING, ON_ITS_WAY
from app.queue.exercises import FetchedExercises, packed
from app.queue.messages import Assignment
from app.queue.nats import Broker, Message
from app.queue.remote import MAX_UNBUILT, RETRY_SECONDS, RemoteJobs
from graders.boxes.pool import Judge
from graders.exercise.limits import CEILINGS
from graders.exercise.preparer import Preparer
from graders.worker import Job
from tests.broker import Server
from tests.graders.conftest import DOUBLED_FILES, make_exercise
from tests.waiting import LIMIT_SECONDS, until, until_ended

# A state of its own, which no other test has built in this process
NEW = make_exercise("new", reference_py=DOUBLED_FILES["reference.py"] + "\n# new\n")
COMINGS = ["as the answer", "before the answer", "after an answer without it"]


class Leader:
    """Hands out what the test says, to one worker whose preparer builds nothing."""

    def __init__(self, url: str) -> None:
        self._broker, self._worker = Broker(url, "test web"), Broker(url, "test worker")
        self.exercises = FetchedExercises(self._worker, None, CEILINGS)
        self.jobs = RemoteJobs(self._worker, self.exercises, beat_seconds=0.5)
        self._judge = Judge(frameworks=["numpy"])
        self.jobs.preparer = Preparer([], self._judge, on_settled=self.jobs.look_again)
        self._wants: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._number = 0
        self.claimed: list[Job | None] = []
        assert self._broker.open(60)
        self._broker.set_up()
        self._broker.put_object(NEW.content_hash, packed(NEW.stored))
        self._broker.listen(self._broker.subject("want", ">"), self._wants.put)
        self.jobs.start()
        assert self._worker.open(60)
        self._broker.add_worker(self.jobs.worker)

    def close(self) -> None:
        self._worker.hang_up()
        self.jobs.close()
        self._worker.close()
        self._broker.close()
        self._judge.close()

    def claim(self) -> threading.Thread:
        """A thread that waits for one job."""
        thread = threading.Thread(target=lambda: self.claimed.append(self.jobs.claim(LIMIT_SECONDS)), daemon=True)
        thread.start()
        return thread

    def want(self) -> Message:
        """The next question of a thread that is free."""
        try:
            return self._wants.get(timeout=LIMIT_SECONDS)
        except queue.Empty:
            pytest.fail("no thread asks")

    def has_ended(self, thread: threading.Thread) -> bool:
        """Threads that ask meanwhile are told that nothing waits."""
        with suppress(queue.Empty):
            self._wants.get_nowait().answer(NOTHING)
        return not thread.is_alive()

    def assignment(self) -> Assignment:
        self._number += 1
        id = self._number
        return Assignment(id, 1, id, NEW.slug, NEW.content_hash, b"x = 1", "numpy", "submit", None, None, f"round-{id}")

    def deliver(self, assignment: Assignment) -> None:
        """As the broker keeps it."""
        subject = self._broker.subject("grade", "interactive", self.jobs.worker)
        self._broker.keep(subject, assignment.encoded(), assignment.id)

    def hand_out(self, coming: str, want: Message) -> Assignment:
        """As one of COMINGS says. Returns once the worker has been told."""
        assignment, answer = self.assignment(), ON_ITS_WAY
        if coming == "before the answer":
            self.deliver(assignment)
            handed_out = assignment.grading_id, assignment.attempt, assignment.round
            until(lambda: handed_out[:2] in self.jobs._held or handed_out in self.jobs._over, "it was not delivered")
        if coming != "after an answer without it":
            answer += assignment.encoded()
        want.answer(answer)
        if coming == "after an answer without it":
            self.deliver(assignment)
        return assignment


@pytest.fixture
def leader(broker: Server) -> Iterator[Leader]:
    leader = Leader(broker.url(f"remote-{uuid.uuid4().hex[:8]}"))
    yield leader
    leader.close()


def test_a_thread_that_can_hold_no_more_until_something_is_built_costs_no_processor(
    leader: Leader, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(MAX_UNBUILT):
        leader.deliver(leader.assignment())
    until(lambda: len(leader.jobs._unbuilt) == MAX_UNBUILT, "they are not held")
    rounds: list[float] = []
    following = leader.jobs._next

    def noted(seconds: float) -> Any:
        rounds.append(seconds)
        return following(seconds)

    monkeypatch.setattr(leader.jobs, "_next", noted)
    assert leader.jobs.claim(1.0) is None
    assert 0 < len(rounds) <= 3 * (1.0 / RETRY_SECONDS + MAX_UNBUILT), "it went round and round"


def test_a_thread_that_can_hold_no_more_begins_with_what_is_built(leader: Leader) -> None:
    for _ in range(MAX_UNBUILT):
        leader.deliver(leader.assignment())
    until(lambda: len(leader.jobs._unbuilt) == MAX_UNBUILT, "they are not held")
    thread = leader.claim()
    leader.jobs.preparer = None  # whatever comes is built
    leader.jobs.look_again()
    until(lambda: leader.has_ended(thread), "it waits on")
    [job] = leader.claimed
    assert job is not None
    assert job.exercise.content_hash == NEW.content_hash


@pytest.mark.parametrize("coming", COMINGS)
def test_what_waits_until_it_is_built_keeps_no_thread_from_others_work(leader: Leader, coming: str) -> None:
    thread = leader.claim()
    first = leader.hand_out(coming, leader.want())
    second = leader.hand_out(coming, leader.want())
    want = leader.want()
    assert {held.assignment.grading_id for held in leader.jobs._unbuilt} == {first.grading_id, second.grading_id}
    leader.jobs.preparer = None
    other = leader.hand_out(coming, want)
    until_ended(thread)
    [job] = leader.claimed
    assert job is not None
    assert job.grading_id == other.grading_id
    assert len(leader.jobs._unbuilt) == 2


@pytest.mark.parametrize("coming", COMINGS[:2])
def test_a_thread_whose_assignment_cannot_be_read_here_pauses_before_it_asks_again(
    leader: Leader, coming: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The leader puts it first again: the same thread took it three times within a millisecond, and none was left for
    a worker that can read it."""
    leader.exercises._ceilings = replace(CEILINGS, memory_mb=1)
    pauses: list[float | None] = []
    pause = leader.jobs._closed.wait

    def noted(seconds: float | None = None) -> bool:
        if threading.current_thread() is thread:
            pauses.append(seconds)
        return pause(seconds)

    monkeypatch.setattr(leader.jobs._closed, "wait", noted)
    thread = leader.claim()
    leader.hand_out(coming, leader.want())
    leader.want()
    assert pauses == [RETRY_SECONDS]
    assert not leader.jobs._held
