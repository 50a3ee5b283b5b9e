"""Many processes, one queue: any of them may end at any time, and each grading has one verdict.

Real processes over a real broker of the test's own. What each program deserves is known: a right one is accepted, a
wrong one is not, whichever worker judges it.
"""

import os
import random
import signal
import socket
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest
from sqlalchemy import func, select

from app.db import Database
from app.people.users import User, add_guest
from app.practice.gradings import Grading
from app.practice.outcomes import WrongOutcome
from app.practice.sheets import read_cases
from app.practice.submissions import read_order, submit
from app.queue.nats import Broker, Message
from app.reading.catalog import Catalog
from benchmarks.processes import descendants
from graders.verdict import State, Verdict
from tests.broker import Server, running_broker
from tests.faults.brokering import until_let_go, web, worker
from tests.faults.processes import until_gone
from tests.server_process import one_exercise
from tests.waiting import LIMIT_SECONDS, until

pytestmark = pytest.mark.usefixtures("walls")

SLOW = "import time\ndef doubled(x):\n    time.sleep(0.1)\n    return {answer}\n"
POISON = "import time\ndef doubled(x):\n    time.sleep(600)\n"  # its worker is killed by the test each time
RIGHT, WRONG = SLOW.format(answer="2 * x"), SLOW.format(answer="3 * x")
KILLS = 3
TRIES = 10


@dataclass(frozen=True)
class Sent:
    grading_id: int
    deserves: Verdict


class Class:
    """A database with one exercise and many students, and what was sent to it. Nobody has published any of it: that is
    what a web process leaves behind that was killed after its commit."""

    def __init__(self, url: str, folder: Path, broker: Server) -> None:
        exercises = one_exercise(folder)
        self.url, self.folder, self.broker = url, folder, broker
        self.queue = broker.url(f"faults-{uuid.uuid4().hex[:8]}")
        self.db = Database(url)
        self.catalog = Catalog(self.db)
        self.catalog.import_folders([exercises], [])
        self.sent: list[Sent] = []
        self._processes = ExitStack()

    def student(self) -> User:
        with self.db.writing() as db:
            return add_guest(db)

    def send(self, source: str = RIGHT, user: User | None = None) -> Sent:
        user = user or self.student()
        with self.db.writing() as db:
            order = read_order(self.catalog.exercises["doubled"], source)
            snapshot_id = self.catalog.snapshot_ids["doubled"]
            _, grading = submit(db, user, order, snapshot_id, None, neighbourhood=f"n{user.id}")
        self.sent.append(Sent(grading.id, Verdict.accepted if source == RIGHT else Verdict.wrong_answer))
        return self.sent[-1]

    def web(self, lease_seconds: float = 15.0) -> ForkServerProcess:
        return self._processes.enter_context(web(self.queue, self.url, lease_seconds))

    def worker(self, beat_seconds: float = 5.0) -> ForkServerProcess:
        return self._processes.enter_context(worker(self.queue, self.folder, beat_seconds))

    def row(self, sent: Sent) -> Grading:
        with self.db.reading() as db:
            return db.get_one(Grading, sent.grading_id)

    def until(self, state: State, sent: Sent) -> Grading:
        return self._until(lambda row: row.state == state, sent)

    def until_attempt(self, attempt: int, sent: Sent) -> Grading:
        """It is running for this time, or has been: that may be over before we look."""
        return self._until(lambda row: row.attempt >= attempt, sent)

    def until_cases(self, count: int, sent: Sent) -> Grading:
        """So many of its cases are judged, or it is."""

        def is_so_far(row: Grading) -> bool:
            if row.state == State.finished:
                return True
            judged = sum(case.verdict is not None for case in read_cases(row.cases, None))
            return row.attempt > 0 and judged >= count

        return self._until(is_so_far, sent)

    def _until(self, is_so: Callable[[Grading], bool], sent: Sent) -> Grading:
        rows = [self.row(sent)]

        def look() -> bool:
            rows[0] = self.row(sent)
            return is_so(rows[0])

        until(look, lambda: (rows[0].state, rows[0].attempt, rows[0].owner))
        return rows[0]

    def audit(self) -> None:
        """Each has exactly one verdict, the right one, and nothing that is counted was counted twice."""
        for sent in self.sent:
            row = self.until(State.finished, sent)
            assert row.verdict == sent.deserves, (row.summary, row.attempt)
            assert row.cases
        wrong = sum(sent.deserves == Verdict.wrong_answer for sent in self.sent)
        with self.db.reading() as db:
            assert db.scalar(select(func.count()).select_from(Grading)) == len(self.sent)
            assert db.scalar(select(func.count()).select_from(WrongOutcome)) == wrong

    def close(self) -> None:
        self._processes.close()
        self.db.close()


@pytest.fixture
def course(migrated_postgres_copy: str, tmp_path: Path, broker: Server) -> Iterator[Class]:
    course = Class(migrated_postgres_copy, tmp_path, broker)
    yield course
    course.close()


@pytest.fixture
def lone_course(migrated_postgres_copy: str, tmp_path: Path) -> Iterator[Class]:
    """With a broker of its own, which may be killed."""
    with running_broker(tmp_path / "broker") as server:
        course = Class(migrated_postgres_copy, tmp_path, server)
        yield course
        course.close()


def test_a_killed_worker_loses_nothing_and_leaves_nothing(course: Class) -> None:
    course.web()
    workers = [course.worker(), course.worker()]
    chance = random.Random(16)
    rounds: list[list[Sent]] = []
    for kill in range(KILLS):  # ever later in a grading
        # One that three workers in turn died with would rightly end as our failure.
        for before in rounds[-2] if len(rounds) > 1 else []:
            course.until(State.finished, before)
        sent = [course.send(chance.choice((RIGHT, WRONG))) for _ in range(3)]
        rounds.append(sent)
        course.until_cases(kill, sent[0])
        victim = workers.pop(chance.randrange(2))
        assert victim.pid is not None
        left = descendants(victim.pid)
        os.kill(victim.pid, signal.SIGKILL)
        victim.join()
        workers.append(course.worker())
        until_gone(left)
    course.audit()


def test_a_stopped_worker_is_overtaken_and_what_it_says_later_changes_nothing(course: Class) -> None:
    course.web(lease_seconds=4.0)
    for _ in range(TRIES):
        stopped = course.worker(beat_seconds=0.3)
        assert stopped.pid is not None
        sent = course.send(WRONG)
        first = course.until_attempt(1, sent)
        os.kill(stopped.pid, signal.SIGSTOP)
        other = course.worker(beat_seconds=0.3)
        finished = course.until(State.finished, sent)
        if finished.attempt > first.attempt:
            break
        stopped.kill()  # it was quicker, or something has let it go on
        other.kill()
    assert finished.attempt > first.attempt
    assert first.owner is not None
    assert stopped.pid is not None
    until_let_go(course.queue, first.owner, sent.grading_id, partial(os.kill, stopped.pid, signal.SIGCONT))
    again = course.send(RIGHT)
    course.until(State.finished, again)
    row = course.row(sent)
    assert (row.attempt, row.finished_at, row.verdict) == (finished.attempt, finished.finished_at, finished.verdict)
    course.audit()


def test_a_killed_web_process_that_led_is_followed_by_the_next(course: Class) -> None:
    leader = course.web()
    course.worker()
    course.until(State.finished, course.send())  # so it leads
    course.web()
    sent = [course.send() for _ in range(4)]
    course.until_attempt(1, sent[0])
    leader.kill()
    leader.join()
    sent += [course.send(WRONG) for _ in range(2)]
    course.audit()


def test_a_web_process_that_led_and_stands_still_is_followed_by_the_next(course: Class) -> None:
    leader = course.web()
    course.worker()
    course.until(State.finished, course.send())  # so it leads
    course.web()
    assert leader.pid is not None
    os.kill(leader.pid, signal.SIGSTOP)
    sent = [course.send(source) for source in (RIGHT, WRONG)]
    course.until(State.finished, sent[0])
    os.kill(leader.pid, signal.SIGCONT)
    course.send(WRONG)
    course.audit()


def test_what_no_worker_of_ours_would_send_is_dropped_and_the_queue_goes_on(course: Class) -> None:
    """attack: messages at which a web process fails."""
    course.web()
    course.worker()
    course.until(State.finished, course.send())
    spy = Broker(course.queue, "spy")
    assert spy.open(LIMIT_SECONDS)
    junk = [b"", b"{}", b"[]", b"\xff", b"[" * 5000, b'{"grading":{}}', b'{"held":[[1e999,1]],"slots":1}', b"\x00"]
    long_name = f"any.{'x' * 60}"
    for data in junk:
        for kind in ("put", "done", "place", "exercise", "nudge"):
            spy.tell(spy.subject(kind), data)
        for kind in ("want", "beat", "hello", "progress", "cases"):
            for worker_name in ("any.1", long_name):
                spy.tell(spy.subject(kind, worker_name), data)
        spy.keep(spy.subject("reply", "any.1"), data, f"junk-{data[:20]!r}")
    for source in (RIGHT, WRONG):
        course.send(source)
    course.audit()
    spy.close()


@pytest.mark.parametrize("forgets", [False, True], ids=["remembers", "forgets"])
def test_a_broker_that_is_killed_loses_nothing(lone_course: Class, forgets: bool) -> None:
    course = lone_course
    course.web()
    course.worker()
    sent = [course.send(source) for source in (RIGHT, WRONG, RIGHT, WRONG)]
    course.until_attempt(1, sent[0])
    course.broker.kill(forget=forgets)
    sent.append(course.send(RIGHT))
    until_missed(course.broker.port)
    course.broker.start()
    course.audit()


def until_missed(port: int) -> None:
    """Wait until two processes at least have tried to come back to a broker that is away."""
    with socket.create_server(("127.0.0.1", port)) as listener, ExitStack() as opened:
        listener.settimeout(LIMIT_SECONDS)
        for _ in range(2):  # the first waits for an answer, and does not try again meanwhile
            opened.enter_context(listener.accept()[0])


def test_a_reply_that_comes_twice_counts_once(course: Class) -> None:
    """At once, to two web processes, and again when it is long over."""
    spy = Broker(course.queue, "spy")
    copies: list[bytes] = []

    def copy(message: Message) -> None:
        if not message.data.endswith(b" "):  # else it is a copy of its own
            copies.append(message.data)
            for number in range(3):
                spy.tell(message.subject, message.data + b" " * (number + 1))

    assert spy.open(LIMIT_SECONDS)
    course.web()
    course.web()
    course.worker()
    course.until(State.finished, course.send())
    stop = spy.listen(spy.subject("reply", ">"), copy)
    for source in (RIGHT, WRONG, RIGHT):
        course.send(source)
    course.audit()
    stop()
    spy.close()
    assert copies
    course.audit()


def test_what_no_worker_can_judge_ends_as_our_failure_and_the_others_go_on(course: Class) -> None:
    """Three attempts are counted before they begin, whatever kills the workers."""
    course.web()
    poison = course.send(POISON)
    for attempt in (1, 2, 3):
        victim = course.worker()
        row = course.until_attempt(attempt, poison)
        assert (row.state, row.attempt) == (State.running, attempt)
        victim.kill()
        victim.join()
        fine = course.send()
    course.worker()
    row = course.until(State.finished, poison)
    assert (row.verdict, row.attempt) == (Verdict.internal_error, 3)
    assert course.until(State.finished, fine).verdict == Verdict.accepted
