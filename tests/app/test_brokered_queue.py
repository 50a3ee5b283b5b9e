"""What several web processes have to agree on over a broker, and only there."""

import asyncio
import itertools
import queue
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from nats.aio.msg import Msg
from nats.js import api

from app.db import now
from app.operating.backlog import backlog_of
from app.people.users import User
from app.practice import gradings
from app.practice.gradings import Grading
from app.practice.submissions import Submission, read_order, submit
from app.queue.brokered import BrokeredQueue
from app.queue.dispatch import LOST_EXERCISES, MOST_UNREAD, NOTHING, ON_ITS_WAY, SETTLING_SECONDS, Dispatcher, Unread
from app.queue.events import Events
from app.queue.exercises import FetchedExercises
from app.queue.hands import Hands
from app.queue.messages import Assignment, Beat, Capabilities, Garbled, Reply, Want, pack, unpack, waiting_row
from app.queue.nats import Broker, BrokerAway, Message, NobodyListens
from app.queue.remote import WANT_SECONDS, RemoteJobs
from app.queue.roster import MOST_PROCESSES, Roster
from app.queue.tasks import NoWorker, Task, TaskFailed, Tasks
from app.queue.turns import Waiting
from app.web.metrics import Metrics
from graders.exercise.limits import CEILINGS
from graders.grade import Finished
from graders.verdict import State
from graders.worker import Job
from tests.app.desk import ACCEPTED, GATHER, Desk
from tests.app.listening import until_listening
from tests.broker import Server, running_broker
from tests.waiting import LIMIT_SECONDS, until, until_ended


class Worker:
    """A worker whose threads are the test's."""

    def __init__(self, url: str) -> None:
        self.broker = Broker(url, "test worker")
        self.jobs = RemoteJobs(self.broker, FetchedExercises(self.broker, None, CEILINGS), slots=8, beat_seconds=0.5)
        self.jobs.start()
        assert self.broker.open(LIMIT_SECONDS)

    def claim(self) -> Job:
        job = self.jobs.claim(LIMIT_SECONDS)
        assert job is not None
        return job

    def close(self) -> None:
        self.broker.hang_up()
        self.jobs.close()
        self.broker.close()


@pytest.fixture
def desk(migrated_postgres_copy: str) -> Iterator[Desk]:
    desk = Desk(migrated_postgres_copy)
    yield desk
    desk.close()


@pytest.fixture
def url(broker: Server) -> str:
    return broker.url(f"brokered-{uuid.uuid4().hex[:8]}")


Start = Callable[[], BrokeredQueue]


@pytest.fixture
def start(desk: Desk, url: str) -> Iterator[Start]:
    """Starts web processes without workers."""
    started: list[BrokeredQueue] = []

    def start() -> BrokeredQueue:
        web = BrokeredQueue(desk.db, desk.catalog, Events(), Metrics(), None, Broker(url, "test web"))
        started.append(web)
        web.start()
        return web

    yield start
    for web in started:
        web.close()


@pytest.fixture
def worker(url: str) -> Iterator[Worker]:
    worker = Worker(url)
    yield worker
    worker.close()


def send(desk: Desk, user: User, inputs: dict[str, Any] | None = None) -> Grading:
    """A submission, or a run on inputs of one's own; nobody is told, but the rows are looked through."""
    with desk.db.writing() as db:
        order = read_order(desk.exercise, "x = 1")
        _, grading = submit(db, user, order, desk.catalog.snapshot_ids[GATHER], None)
        if inputs is not None:
            sent = db.get_one(Submission, grading.submission_id)
            sent.kind, sent.inputs = "run", inputs
    return grading


def test_a_run_on_own_input_waits_for_what_an_earlier_leader_handed_out(
    desk: Desk, start: Start, worker: Worker
) -> None:
    """attack: a submission whispers its inputs to a friend, who has the reference answer them, when the leader has just
    changed and the next does not know when the submission began."""
    first = start()
    send(desk, desk.guest())
    attacking = worker.claim()
    start()
    answering = send(desk, desk.guest(), inputs={"x": "[1]"})
    first.close()
    later = send(desk, desk.guest())
    assert worker.claim().grading_id == later.id, "the run is passed over, and keeps nobody else"
    assert desk.row(answering.id).state == State.queued
    with desk.db.changing() as db:  # its worker ends with its process; here it finishes
        row = desk.row(attacking.grading_id)
        fence = gradings.held(row.id, row.attempt, worker.jobs.worker, row.round)
        assert gradings.finish(db, fence, ACCEPTED)
    with desk.db.changing() as db:
        row = desk.row(later.id)
        assert gradings.finish(db, gradings.held(row.id, row.attempt, worker.jobs.worker, row.round), ACCEPTED)
    assert worker.claim().grading_id == answering.id


def test_what_was_said_of_an_earlier_round_changes_nothing(desk: Desk) -> None:
    """It made room, and is attempt 1 again of the same worker."""
    grading = send(desk, desk.guest())
    with desk.db.changing() as db:
        assert gradings.take(db, grading.id, "gpu.1", 600.0, "round-1") == 1
        first = gradings.held(grading.id, 1, "gpu.1", "round-1")
        assert gradings.wait_again(db, first)
        assert gradings.take(db, grading.id, "gpu.1", 600.0, "round-2") == 1
    with desk.db.changing() as db:
        assert not gradings.finish(db, first, ACCEPTED)
        assert not gradings.store_cases(db, first, ())
        assert gradings.wait_again(db, first) is False
    assert desk.row(grading.id).state == State.running
    with desk.db.changing() as db:
        assert gradings.finish(db, gradings.held(grading.id, 1, "gpu.1", "round-2"), ACCEPTED)


def test_an_end_does_not_wait_for_a_broker_that_does_not_answer(broker: Server) -> None:
    asker, silent = (Broker(broker.url("silent"), name) for name in ("asker", "silent"))
    assert asker.open(LIMIT_SECONDS)
    assert silent.open(LIMIT_SECONDS)
    is_asked = threading.Event()
    silent.listen(silent.subject("probe", "any.1"), lambda message: is_asked.set())
    until_listening(silent)
    ended: list[Exception] = []

    def ask() -> None:
        try:
            asker.ask(asker.subject("probe", "any.1"), b"", 2 * LIMIT_SECONDS)
        except Exception as error:  # noqa: BLE001 (asserted below)
            ended.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    assert is_asked.wait(LIMIT_SECONDS)
    asker.hang_up()
    until_ended(thread)
    (error,) = ended
    assert isinstance(error, BrokerAway)
    asker.close()
    silent.close()


def test_the_roster_names_who_can_and_spreads_tasks() -> None:
    roster = Roster()
    assert roster.pick(("numpy",), 0) is None
    roster.heard("any.1", Beat((), Capabilities(), 2, 1, does_tasks=True))
    roster.heard("any.2", Beat((), Capabilities(("torch",)), 2, 1, does_tasks=True))
    roster.heard("web.1", Beat((), Capabilities(), 4, 0))
    assert roster.threads() == 8
    assert roster.can_judge()
    assert roster.pick(("numpy",), 0) == "any.1"
    assert roster.pick(("numpy",), 0, {"any.1"}) is None
    assert roster.pick(("numpy", "torch"), 0) == "any.1", "a worker must know all that is asked for"
    assert {roster.pick((), 0) for _ in range(50)} == {"any.1"}, "what it will need is not known yet"
    assert roster.pick((), 0, {"any.1"}) == "any.2"
    with roster.occupied("any.1"):
        assert roster.pick(("torch",), 0) == "any.2", "it has less to do"
    roster.forget("any.1")
    assert roster.pick(("numpy",), 0) is None


def test_of_one_name_so_many_processes_count() -> None:
    """attack: a machine invents one process after the other."""
    roster = Roster()
    for number in range(MOST_PROCESSES + 50):
        roster.heard(f"gpu.{number}", Beat(()))
    roster.heard("lab.1", Beat((), slots=3))
    assert len(roster.there()) == MOST_PROCESSES + 1
    assert (roster.slots("gpu.0"), roster.slots("lab.1"), roster.slots(f"gpu.{MOST_PROCESSES}")) == (1, 3, None)


def test_what_one_name_says_leaves_room_for_the_others() -> None:
    unread = Unread()
    assert all(unread.add(("beat", "gpu")) for _ in range(MOST_UNREAD))
    assert not unread.add(("beat", "gpu"))
    assert unread.add(("beat", "lab"))
    assert unread.add(("want", "gpu"))
    unread.read(("beat", "gpu"))
    assert unread.add(("beat", "gpu"))


def test_a_task_has_an_end_whatever_its_worker_says(url: str) -> None:
    """attack: a worker says again and again that it is still at it."""
    web, worker, roster = Broker(url, "web"), Broker(url, "worker"), Roster()
    roster.heard("any.1", Beat((), does_tasks=True))
    moment, looks, errors = 0.0, itertools.count(), list[Exception]()
    asked: queue.SimpleQueue[Message] = queue.SimpleQueue()

    def stay(asker: str) -> None:
        with suppress(NobodyListens, BrokerAway):
            while True:
                worker.ask(asker, b"", LIMIT_SECONDS)

    def is_wanted() -> bool:
        """It has stayed for a while, and then time is up."""
        nonlocal moment
        if next(looks) == 50:
            moment += 3601
        return True

    def run() -> None:
        try:
            Tasks(web, roster, clock=lambda: moment).run(Task("cell", {}), 3600, is_wanted=is_wanted)
        except (TaskFailed, NoWorker) as error:
            errors.append(error)

    try:
        assert web.open(LIMIT_SECONDS)
        assert worker.open(LIMIT_SECONDS)

        staying = threading.Thread(target=lambda: stay(asked.get().asker), daemon=True)
        staying.start()
        worker.listen(worker.subject("task", "any.1"), asked.put)
        until_listening(worker)
        asking = threading.Thread(target=run, daemon=True)
        asking.start()
        until_ended(asking)
        assert [str(error) for error in errors] == ["it took too long"]
    finally:
        web.close()
        worker.close()


@pytest.fixture
def leader(desk: Desk, url: str, broker: Server) -> Iterator[Dispatcher]:
    """One that has just begun to lead, and whose thread is the test's."""
    web = BrokeredQueue(desk.db, desk.catalog, Events(), Metrics(), None, Broker(url, "test web"))
    leader = web._dispatcher
    assert web._broker.open(LIMIT_SECONDS)
    web._broker.set_up()
    assert leader._leadership.is_mine()
    leader._begin()
    yield leader
    leader._resign()
    web._broker.close()


def put(leader: Dispatcher, user: User, sent: Grading) -> None:
    """The message that follows the commit."""
    waiting = Waiting(sent.id, sent.submission_id, user.id, exercise=GATHER, trace=f"00-trace-{sent.id}")
    leader._on_put(Message(leader._broker, Msg(leader._broker._client, "put", data=pack(waiting_row(waiting)))))


def handed_out(leader: Dispatcher) -> dict[int, str]:
    """What waits, each with the name of its span as a worker gets it."""
    traces = {}
    while (entry := leader._turns.next()) is not None:
        assignment = leader._take(entry, "gpu.1")
        assert assignment is not None
        traces[entry.grading_id] = assignment.trace
    return traces


def test_a_look_through_the_rows_leaves_what_was_sent_a_moment_ago_to_its_message(
    desk: Desk, leader: Dispatcher
) -> None:
    """The message names the span; rows do not, and a look between the commit and the message took the grading without
    it. One whose message never comes waits for the next look."""
    left_behind = send(desk, desk.guest())
    leader._look()
    assert handed_out(leader) == {left_behind.id: ""}, "what was sent to an earlier leader waits no longer"
    leader._leads_since -= SETTLING_SECONDS
    person = desk.guest()
    heard, lost = send(desk, person), send(desk, desk.guest())
    leader._look()
    assert handed_out(leader) == {}
    put(leader, person, heard)
    assert handed_out(leader) == {heard.id: f"00-trace-{heard.id}"}
    leader._look()
    assert handed_out(leader) == {lost.id: ""}
    leader._look()
    assert handed_out(leader) == {}


@pytest.mark.parametrize("is_second_seen", [False, True])
def test_what_is_sent_after_a_lost_message_does_not_overtake_it(
    desk: Desk, leader: Dispatcher, is_second_seen: bool
) -> None:
    leader._look()
    leader._leads_since -= SETTLING_SECONDS
    person = desk.guest()
    lost = send(desk, person)
    if not is_second_seen:
        leader._look()
    heard = send(desk, person)
    if is_second_seen:
        leader._look()
    put(leader, person, heard)
    leader._look_when_due()
    first = leader._turns.next()
    assert first is not None
    assert first.grading_id == lost.id
    leader._turns.done(person.id)
    assert handed_out(leader) == {heard.id: f"00-trace-{heard.id}"}


def test_a_place_is_known_as_soon_as_what_was_sent(desk: Desk, leader: Dispatcher) -> None:
    """Of a leader that settles, whose rows say what waits."""
    person = desk.guest()
    leader._look()
    sent = send(desk, person)
    put(leader, person, sent)
    asked = pack({"grading": sent.id, "user": person.id})
    leader._on_place(Message(leader._broker, Msg(leader._broker._client, "place", data=asked)))
    assert leader._turns.position(sent.id, person.id) == 1


def test_what_is_sent_as_a_leader_settles_is_not_left_for_the_look_after(desk: Desk, leader: Dispatcher) -> None:
    leader._look()
    person = desk.guest()
    sent = send(desk, person)
    put(leader, person, sent)
    leader._leads_since -= SETTLING_SECONDS
    leader._look_when_due()
    assert handed_out(leader) == {sent.id: f"00-trace-{sent.id}"}


def test_the_span_of_what_a_look_found_first_is_known(desk: Desk, leader: Dispatcher) -> None:
    person = desk.guest()
    sent = send(desk, person)
    leader._look()
    put(leader, person, sent)
    leader._look()
    assert handed_out(leader) == {sent.id: f"00-trace-{sent.id}"}
    with desk.db.changing() as db:
        row = desk.row(sent.id)
        assert gradings.finish(db, gradings.held(row.id, row.attempt, "gpu.1", row.round), ACCEPTED)
    leader._look()
    assert not leader._traces, "nothing is kept of what is over"


def test_a_web_process_that_leads_knows_of_what_it_takes_in_without_a_message(desk: Desk, leader: Dispatcher) -> None:
    leader._look()
    leader._leads_since -= SETTLING_SECONDS
    person = desk.guest()
    sent = send(desk, person)
    waiting = Waiting(sent.id, sent.submission_id, person.id, exercise=GATHER, trace="00-trace")
    assert leader.put(waiting)
    leader._inbox.get_nowait()()
    assert handed_out(leader) == {sent.id: "00-trace"}
    leader._resign()
    assert not leader.put(waiting), "another leads, and is told"


def test_a_thread_that_asks_is_given_its_assignment_before_the_broker_delivers_it(
    desk: Desk, start: Start, url: str
) -> None:
    """The broker delivers nothing to this worker, which has not said hello."""
    start()
    asking = Broker(url, "test worker")
    assert asking.open(LIMIT_SECONDS)
    sent = send(desk, desk.guest())
    answers: list[bytes] = []

    def is_answered() -> bool:
        with suppress(NobodyListens):  # nobody leads yet
            answers.append(asking.ask(asking.subject("want", "gpu.1"), Want(WANT_SECONDS).encoded(), LIMIT_SECONDS))
        return answers != [] and answers[-1].startswith(ON_ITS_WAY)

    until(is_answered, "nothing was handed out")
    assignment = Assignment.decoded(answers[-1][len(ON_ITS_WAY) :])
    row = desk.row(sent.id)
    assert (row.state, row.owner) == (State.running, "gpu.1"), "taken before anybody can begin"
    assert (assignment.grading_id, assignment.attempt, assignment.round) == (sent.id, row.attempt, row.round)
    assert assignment.source == b"x = 1"
    asking.close()


def test_a_worker_of_an_earlier_release_is_told_alone_that_something_is_on_its_way(
    desk: Desk, start: Start, url: str
) -> None:
    """It takes an answer of any other kind for none, and asks for more than it has threads for."""
    start()
    asking = Broker(url, "test worker")
    assert asking.open(LIMIT_SECONDS)
    send(desk, desk.guest())
    want = pack({"seconds": WANT_SECONDS, "frameworks": [], "memory_mb": 0, "gpu": False})
    answers: set[bytes] = set()

    def is_answered() -> bool:
        with suppress(NobodyListens):
            answers.add(asking.ask(asking.subject("want", "gpu.1"), want, LIMIT_SECONDS))
        return ON_ITS_WAY in answers

    until(is_answered, "nothing was handed out")
    assert answers <= {NOTHING, ON_ITS_WAY}
    asking.close()


def test_what_the_broker_cannot_keep_is_handed_out_again_and_no_thread_is_lost_to_it(
    desk: Desk, start: Start, worker: Worker
) -> None:
    """Its disk is full, say. The thread that asked has the assignment all the same."""
    web, broker = start(), worker.broker
    until(lambda: worker.jobs._is_unknown.is_set() is False, "it was not welcomed")
    jobs = broker.stream("jobs")

    def keep_at_most(messages: int) -> None:
        async def change() -> None:
            stream = broker._client.jetstream()
            config = (await stream.stream_info(jobs)).config
            await stream.update_stream(config.evolve(max_msgs=messages, discard=api.DiscardPolicy.NEW))

        asyncio.run_coroutine_threadsafe(change(), broker._loop).result(LIMIT_SECONDS)

    keep_at_most(1)
    other = send(desk, desk.guest())
    kept = worker.claim()
    until(lambda: web._broker.streams()[jobs] == 1, "the one that fills it is not kept")
    sent = send(desk, desk.guest())
    first = worker.claim()
    held = worker.jobs._held[first.grading_id, first.attempt]
    again = worker.claim()
    assert (first.grading_id, again.grading_id, again.attempt) == (sent.id, sent.id, first.attempt)
    assert held.recorded.wait(0), "a thread that waits for a recorder learns that it waits for nothing"
    assert not worker.jobs.record(first, Finished(ACCEPTED))
    assert worker.jobs.record(kept, Finished(ACCEPTED))
    keep_at_most(-1)
    worker.jobs.record(again, Finished(ACCEPTED))  # counts if it was handed out after that
    if desk.row(sent.id).state != State.finished:
        assert worker.jobs.record(worker.claim(), Finished(ACCEPTED))
    assert {(desk.row(each.id).state, desk.row(each.id).attempt) for each in (sent, other)} == {(State.finished, 1)}
    until(lambda: web._broker.streams()[jobs] == 0, "it is kept, and will be delivered again")


def test_what_the_broker_delivers_of_what_is_held_or_over_is_not_judged_again(
    desk: Desk, start: Start, worker: Worker
) -> None:
    """Each assignment comes twice: as the answer to a thread, and from the broker, which may deliver it once more."""
    web, broker = start(), worker.broker
    sent = send(desk, desk.guest())
    job = worker.claim()
    held = worker.jobs._held[job.grading_id, job.attempt]
    copy, subject = held.assignment.encoded(), broker.subject("grade", "interactive", worker.jobs.worker)
    until(lambda: held.message is not None, "the broker's message did not come")
    first = held.message
    assert first is not None
    web._broker.keep(subject, copy, "once more")
    until(lambda: held.message is not first, "the second message did not come")
    assert worker.jobs.claim(0.0) is None
    assert worker.jobs.record(job, Finished(ACCEPTED))
    first.acknowledge()  # a real second delivery is the same message to the broker
    web._broker.keep(subject, copy, "after it was over")
    jobs = web._broker.stream("jobs")
    until(lambda: web._broker.streams()[jobs] == 0, "it is kept, and will be delivered again")
    assert worker.jobs.claim(0.0) is None
    assert (desk.row(sent.id).state, desk.row(sent.id).attempt) == (State.finished, 1)


def test_a_job_that_cannot_be_read_is_let_go_of(desk: Desk, start: Start, worker: Worker) -> None:
    start()
    grading = send(desk, desk.guest())
    job = worker.claim()
    broker = worker.broker
    id = f"verdict-{grading.id}-{job.attempt}-{desk.row(grading.id).round}"
    broker.keep(broker.subject("reply", worker.jobs.worker), b'{"of a newer release":1}', id)
    assert not worker.jobs.record(job, Finished(ACCEPTED)), "it is the same message to the broker"
    again = worker.claim()
    assert (again.grading_id, again.attempt) == (grading.id, 2)
    assert worker.jobs.record(again, Finished(ACCEPTED))
    assert desk.row(grading.id).state == State.finished


def test_hands_take_the_newest_of_a_key_and_drop_what_is_too_much() -> None:
    hands, done, may_go_on = Hands("test", 2, 3), list[str](), threading.Event()
    began = threading.Event()

    def wait() -> None:
        began.set()
        assert may_go_on.wait(LIMIT_SECONDS)

    hands.start()
    assert hands.do("held", wait)
    assert hands.do("other", wait)
    until(began.is_set, "nothing began")
    until(lambda: hands.do("one", lambda: done.append("old")), "no place")
    until(lambda: hands.do("two", lambda: done.append("two")) and hands.do("three", lambda: done.append("three")), "-")
    assert hands.do("one", lambda: done.append("new")), "it takes the place of the one before"
    assert not hands.do("four", lambda: done.append("four"))
    may_go_on.set()
    until(lambda: len(done) >= 3, "not done")
    assert sorted(done) == ["new", "three", "two"]
    hands.close()
    assert not hands.do("late", lambda: None)


def test_what_a_worker_says_is_recorded_with_its_round(desk: Desk, start: Start, worker: Worker) -> None:
    start()
    grading = send(desk, desk.guest())
    job = worker.claim()
    assert desk.row(grading.id).round
    assert worker.jobs.record(job, Finished(ACCEPTED))
    row = desk.row(grading.id)
    assert (row.state, row.round, row.owner) == (State.finished, None, None)


# ---- workers that fail, lie, or are cut off ----


def test_what_one_worker_gave_back_is_for_another_where_there_is_one(desk: Desk, leader: Dispatcher) -> None:
    """An older release, or one whose boxes all fail, is free again at once, and had all three attempts."""
    bad, good = "old.1", "new.1"
    for name in bad, good:
        leader._roster.heard(name, Beat((), Capabilities(), 1, 1))
    leader._leads_since -= SETTLING_SECONDS
    sent = send(desk, desk.guest())
    leader._look()
    leader._look()
    asked: list[bytes] = []

    def ask(worker: str) -> None:
        want = Msg(leader._broker._client, leader._broker.subject("want", worker), data=Want(30.0).encoded())
        message = Message(leader._broker, want)
        message.answer = asked.append  # type: ignore[method-assign, assignment]
        leader._on_want(message)
        leader._hand_out()

    def give_back(worker: str) -> None:
        row = desk.row(sent.id)
        assert (row.state, row.owner) == (State.running, worker)
        with desk.db.changing() as db:
            fence = gradings.held(sent.id, row.attempt, worker, row.round)
            assert gradings.put_back(db, fence, row.attempt) == State.queued
        done = pack({"grading": sent.id, "state": State.queued, "yielded": False})
        leader._on_done(Message(leader._broker, Msg(leader._broker._client, "done", data=done)))

    ask(bad)
    give_back(bad)
    ask(bad)
    assert desk.row(sent.id).state == State.queued, "it is for the other"
    ask(good)
    give_back(good)
    ask(good)
    assert desk.row(sent.id).owner == bad, "both have failed: the one that asked first has it"


def test_a_connection_that_breaks_for_a_moment_costs_no_attempt(desk: Desk, leader: Dispatcher) -> None:
    sent = send(desk, desk.guest())
    leader._look()
    assert handed_out(leader) == {sent.id: ""}
    leader._bury("gpu.1")
    assert desk.row(sent.id).state == State.running
    beat = Beat(((sent.id, 1),)).encoded()
    leader._on_beat(
        Message(leader._broker, Msg(leader._broker._client, leader._broker.subject("beat", "gpu.1"), data=beat))
    )
    leader._bury("gpu.1")
    assert desk.row(sent.id).state == State.running, "it was heard meanwhile"
    leader._silent["gpu.1"] -= 60
    leader._bury("gpu.1")
    assert desk.row(sent.id).state == State.running, "its connection broke a minute ago, and now again"

    def is_buried() -> bool:
        leader._bury("gpu.1")
        return desk.row(sent.id).state == State.queued

    until(is_buried, "it is gone, and nobody says so")


def test_leases_do_not_end_because_the_databases_clock_was_set(desk: Desk, leader: Dispatcher) -> None:
    sent = send(desk, desk.guest())
    leader._look()
    assert handed_out(leader) == {sent.id: ""}
    leader._patient_until = 0.0
    at, own = leader._clocks or (0.0, 0.0)
    leader._clocks = at - 3600.0, own  # as if it had been set forward by an hour since
    with desk.db.writing() as db:
        db.get_one(Grading, sent.id).leased_until = now() - timedelta(seconds=3000)
    leader._look()
    assert desk.row(sent.id).state == State.running, "its worker may renew it first"
    leader._patient_until = 0.0
    leader._look()
    assert desk.row(sent.id).state == State.queued


def test_a_leader_without_a_broker_leads_no_more(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running_broker(tmp_path / "nats") as own:
        web = BrokeredQueue(desk.db, desk.catalog, Events(), Metrics(), None, Broker(own.url("spring"), "test web"))
        web.start()
        try:
            until(lambda: web._dispatcher.is_leading, "nobody leads")
            own.kill()
            until(lambda: not web._dispatcher.is_leading, "it still leads")
            steps, has_broker = list[bool](), web._dispatcher._has_broker

            def counted() -> bool:
                steps.append(web._dispatcher.is_leading)
                return has_broker()

            monkeypatch.setattr(web._dispatcher, "_has_broker", counted)
            until(lambda: len(steps) > 4, "it tries no more")
            assert not any(steps)
            own.start()
            until(lambda: web._dispatcher.is_leading, "nobody leads again")
        finally:
            web.close()


@pytest.mark.parametrize(
    "name", ["gpu.\0", "gpu", "gpu.a b", "g\N{LATIN SMALL LETTER U WITH DIAERESIS}.1", "x." + "1" * 40]
)
def test_a_name_that_no_worker_has_is_refused_before_the_database_sees_it(leader: Dispatcher, name: str) -> None:
    message = Msg(leader._broker._client, leader._broker.subject("want", name), data=Want(1.0).encoded())
    with pytest.raises(Garbled):
        leader._on_want(Message(leader._broker, message))


@pytest.mark.parametrize("round", ["\0", "\ud800", "a" * 9, 7, None])
def test_a_round_that_no_leader_has_made_is_no_reply(round: Any) -> None:
    row = pack({
        "kind": "failure", "grading_id": 1, "attempt": 1, "submission_id": 1, "round": "abc", "cases": [],
        "finished": None, "reason": "",
    })  # fmt: skip
    assert Reply.decoded(row).round == "abc"
    with pytest.raises(Garbled):
        Reply.decoded(pack({**unpack(row), "round": round}))


def test_who_asks_for_what_nobody_has_does_not_have_it_looked_for_each_time(desk: Desk, leader: Dispatcher) -> None:
    people = [desk.guest() for _ in range(3)]
    for person in people:
        send(desk, person)
    leader._look()
    looks: list[str] = []
    leader._memory_mb_of = lambda slug: looks.append(slug) or 4096  # type: ignore[func-returns-value]
    want = Want(30.0, Capabilities(memory_mb=16)).encoded()
    for number in range(100):
        subject = leader._broker.subject("want", f"small.{number}")
        leader._on_want(Message(leader._broker, Msg(leader._broker._client, subject, data=want)))
    leader._hand_out()
    assert len(looks) <= 3 * len(people)


def test_exercises_that_are_said_to_be_lost_are_offered_so_often_and_no_more(leader: Dispatcher) -> None:
    forgotten: list[int] = []
    leader._exercises.forget = lambda: forgotten.append(1)  # type: ignore[method-assign]
    for _ in range(500):
        leader._on_exercise(Message(leader._broker, Msg(leader._broker._client, "exercise", data=b"0" * 64)))
    assert 1 <= len(forgotten) <= 2 * LOST_EXERCISES


def test_an_operator_reads_that_no_worker_can_judge_what_waits(desk: Desk, url: str) -> None:
    web = BrokeredQueue(desk.db, desk.catalog, Events(), Metrics(), None, Broker(url, "test web"))
    send(desk, desk.guest())

    def why() -> list[str]:
        with desk.db.reading() as db:
            return [held.why for held in backlog_of(db, lambda slug, kind: True, web.nobody_for).held]

    web.roster.heard("gpu.1", Beat((), Capabilities(("torch",)), 4, 1))
    (reason,) = why()
    assert reason.startswith("no connected worker can judge numpy with")
    web.roster.heard("any.1", Beat((), Capabilities(), 4, 1))
    assert why() == []
