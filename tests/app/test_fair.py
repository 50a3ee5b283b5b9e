"""One address and everybody else: real servers, real boxes, and guests whose submissions sleep. What is asserted is the
order in which they are judged, which no machine that stands still for a while changes."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import httpx
import pytest
from sqlalchemy import select, update

from app.people.users import User
from app.practice.gradings import Grading
from app.practice.submissions import Submission, waiting
from app.queue import turns
from app.reading.cells import CellTurns
from app.settings import Settings
from app.web.errors import RateLimited
from app.web.limits import PRESENT, RateLimits, neighbourhood
from graders.cell import Busy
from graders.verdict import Verdict
from tests.conftest import Running, Serve, require_boxes, running
from tests.server_process import DOUBLED, REFERENCE, one_exercise

PATH = f"/api/v1/exercises/{DOUBLED}/submissions"
ELSEWHERE = "127.0.0.2"
SLEEPS = "import time\ndef doubled(x):\n    time.sleep(1.2)\n    return 2 * x\n"
CROWD = 8


@pytest.fixture(scope="module")
def judging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with two workers and its default limits."""
    data = tmp_path_factory.mktemp("fair")
    settings = Settings(data=data, workers=2, exercises=(one_exercise(data),), lessons=(data / "none",))
    with running(settings) as server:
        assert server.state.judge is not None
        require_boxes(server.state.judge)
        with guest(server) as client:
            warmed = client.post(PATH, params={"wait": 30}, json={"source": REFERENCE}).json()
        assert warmed["verdict"] == "accepted"
        yield server


@contextmanager
def guest(server: Running, address: str = "127.0.0.1") -> Iterator[httpx.Client]:
    """A guest at an address of their own: all of 127.0.0.0/8 is this machine."""
    transport = httpx.HTTPTransport(local_address=address)
    with httpx.Client(base_url=server.url, transport=transport, timeout=120) as client:
        token = client.post("/api/v1/sessions", json={}).raise_for_status().json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        yield client


def test_a_crowd_that_sleeps_at_one_address_makes_room_for_a_neighbour(
    judging: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight guests of one address, each with one submission that holds a worker for 3.6 s; then somebody else."""
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 1.0)
    with ExitStack() as guests:
        crowd = [guests.enter_context(guest(judging)) for _ in range(CROWD)]
        honest = guests.enter_context(guest(judging, ELSEWHERE))
        sent = [client.post(PATH, json={"source": SLEEPS}).raise_for_status().json()["id"] for client in crowd]
        deadline = time.monotonic() + 120
        while judging.state.queue.counts()["running"] < 2:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        mine = honest.post(PATH, params={"wait": 30}, json={"source": REFERENCE}).json()
        assert mine["verdict"] == "accepted"
        with judging.state.db.reading() as db:
            judged_first = db.scalars(
                select(Grading.submission_id).where(Grading.submission_id.in_(sent), Grading.state == "finished")
            ).all()
        assert len(judged_first) <= 2, "the two that ran when the neighbour came, at most"
        for client, id in zip(crowd, sent, strict=True):
            while (shown := client.get(f"/api/v1/submissions/{id}").json())["state"] != "finished":
                assert time.monotonic() < deadline + 120
                time.sleep(0.05)
            assert shown["verdict"] == "accepted", "who made room is judged whole, later"
    with judging.state.db.reading() as db:
        attempts = set(db.scalars(select(Grading.attempt).where(Grading.submission_id.in_(sent))))
        assert attempts == {1}, "making room is no failed attempt"
        assert not db.scalars(select(Grading.neighbourhood).where(Grading.neighbourhood.is_not(None))).all()


def test_what_a_neighbour_waits_for_does_not_grow_with_the_crowd(
    judging: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The neighbour's wait beside two sleepers and beside sixteen, counted in gradings that ended before theirs."""
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 0.5)
    quick = SLEEPS.replace("1.2", "0.7")
    ended = []
    for size in (2, 16):
        with ExitStack() as guests:
            crowd = [guests.enter_context(guest(judging)) for _ in range(size)]
            honest = guests.enter_context(guest(judging, ELSEWHERE))
            sent = [client.post(PATH, json={"source": quick}).raise_for_status().json()["id"] for client in crowd]
            while judging.state.queue.counts()["running"] < 2:
                time.sleep(0.005)
            assert honest.post(PATH, params={"wait": 30}, json={"source": REFERENCE}).json()["verdict"] == "accepted"
            with judging.state.db.reading() as db:
                done = select(Grading.id).where(Grading.submission_id.in_(sent), Grading.state == "finished")
                ended.append(len(db.scalars(done).all()))
            for client, id in zip(crowd, sent, strict=True):
                while client.get(f"/api/v1/submissions/{id}").json()["state"] != "finished":
                    time.sleep(0.05)
    assert ended[1] <= 2, ended


def test_the_neighbourhood_is_known_after_a_restart_and_forgotten_with_the_verdict(serve: Serve) -> None:
    server = serve()
    with guest(server) as one, guest(server, ELSEWHERE) as other:
        path = "/api/v1/exercises/softmax-rows/submissions"
        for client in (one, other):
            body = {"source": "x", "kind": "run"}
            assert client.post(path, json=body).status_code == 202
        with server.state.db.writing() as db:
            db.execute(update(User).values(created_at=User.created_at).where(User.id == 0))
        with server.state.db.reading() as db:
            found = waiting(db)
        assert [(wait.neighbourhood, wait.exercise, wait.kind, wait.has_inputs) for wait in found] == [
            ("127.0.0.1", "softmax-rows", "run", False),
            (ELSEWHERE, "softmax-rows", "run", False),
        ]
        assert all(wait.is_newcomer for wait in found)
        export = one.get("/api/v1/me/export").text
        assert "neighbourhood" not in export
    queue = server.state.jobs
    while (job := queue.claim(0)) is not None:
        queue.give_back(job, "one")
    with server.state.db.reading() as db:
        assert set(db.scalars(select(Grading.verdict))) == {Verdict.internal_error}
        assert set(db.scalars(select(Grading.neighbourhood))) == {None}


def test_as_many_wait_of_a_person_and_of_an_address_as_may(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve()
    monkeypatch.setattr("app.web.limits.PRESENT", (3, 5))
    path = "/api/v1/exercises/softmax-rows/submissions"
    with guest(server) as one, guest(server) as another, guest(server, ELSEWHERE) as neighbour:
        assert [one.post(path, json={"source": "x"}).status_code for _ in range(4)] == [202, 202, 202, 429]
        answers = [another.post(path, json={"source": "x"}) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [202, 202, 429]
        assert int(answers[-1].headers["Retry-After"]) > 0
        assert "5 submissions from your address are waiting" in answers[-1].json()["error"]["message"]
        assert neighbour.post(path, json={"source": "x"}).status_code == 202
        with server.state.db.reading() as db:
            assert len(db.scalars(select(Submission.id)).all()) == 6, "nothing is stored of what is refused"


def test_a_class_of_three_hundred_may_send_two_each_in_the_last_minute() -> None:
    limits = RateLimits()
    for present in range(600):
        limits.spend("submission", address="203.0.113.7")
        limits.require_place(1, present)
    assert PRESENT[1] >= 4 * 300
    with pytest.raises(RateLimited):
        limits.require_place(0, PRESENT[1])


def test_an_address_of_old_is_itself_behind_a_socket_of_new() -> None:
    """A server that listens on :: sees IPv4 mapped; all of IPv4 is one /64 then."""
    assert neighbourhood("::ffff:192.0.2.1") == neighbourhood("192.0.2.1") != neighbourhood("::ffff:192.0.2.2")
    assert len(neighbourhood("a name that no address has" * 10)) <= 64


class Room:
    """Threads that hold a place until they are told to go, in the order they were let in."""

    def __init__(self, most: int) -> None:
        self.turns = CellTurns(most)
        self.entered: list[str] = []
        self.leave: dict[str, threading.Event] = {}
        self.threads: list[threading.Thread] = []

    def come(self, name: str, place: str) -> None:
        self.leave[name] = threading.Event()
        thread = threading.Thread(target=self._sit, args=(name, place), daemon=True)
        self.threads.append(thread)
        present = len(self.turns._turns) + len(self.turns._let_in)
        thread.start()
        wait_until(lambda: len(self.turns._turns) + len(self.turns._let_in) > present)

    def _sit(self, name: str, place: str) -> None:
        with self.turns.turn(place, 60):
            self.entered.append(name)
            self.leave[name].wait(120)


def wait_until(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def test_who_waits_for_a_cell_behind_a_crowd_of_one_address_is_next() -> None:
    room = Room(2)
    for number in range(6):
        room.come(f"crowd {number}", "203.0.113.7")
    room.come("neighbour", "198.51.100.4")
    assert sorted(room.entered) == ["crowd 0", "crowd 1"]
    room.leave["crowd 1"].set()
    wait_until(lambda: len(room.entered) == 3)
    assert room.entered[2] == "neighbour"
    for event in room.leave.values():
        event.set()
    for thread in room.threads:
        thread.join(120)
    assert len(room.entered) == 7


def test_who_was_not_let_in_is_told_so_and_takes_no_place() -> None:
    room = Room(1)
    room.come("first", "203.0.113.7")
    with pytest.raises(Busy), room.turns.turn("198.51.100.4", 0.05):
        pass
    room.leave["first"].set()
    room.threads[0].join(120)
    with room.turns.turn("198.51.100.4", 10):
        pass
    assert not room.turns._running
