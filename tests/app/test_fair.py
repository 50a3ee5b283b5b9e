"""One address and everybody else: real servers and real boxes. What is asserted is the order in which guests are
judged, which no machine that stands still for a while changes."""

import threading
from collections.abc import Iterator
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
from graders.grade import Began, CaseFinished, Event
from graders.verdict import Verdict
from graders.worker import Job
from tests.conftest import Running, Serve, require_boxes, running
from tests.server_process import DOUBLED, REFERENCE, one_exercise
from tests.waiting import LIMIT_SECONDS, until, until_ended

PATH = f"/api/v1/exercises/{DOUBLED}/submissions"
ELSEWHERE = "127.0.0.2"


@pytest.fixture(scope="module")
def judging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with two workers and its default limits."""
    data = tmp_path_factory.mktemp("fair")
    settings = Settings(data=data, workers=2, exercises=(one_exercise(data),), lessons=(data / "none",))
    with running(settings) as server:
        assert server.state.judge is not None
        require_boxes(server.state.judge)
        with guest(server) as client:
            assert verdict(client, send(client)) == "accepted"
        yield server


@contextmanager
def guest(server: Running, address: str = "127.0.0.1") -> Iterator[httpx.Client]:
    """A guest at an address of their own: all of 127.0.0.0/8 is this machine."""
    transport = httpx.HTTPTransport(local_address=address, verify=False)
    with httpx.Client(base_url=server.url, transport=transport, timeout=LIMIT_SECONDS) as client:
        token = client.post("/api/v1/sessions", json={}).raise_for_status().json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        yield client


@pytest.mark.parametrize("size", [2, 16])
def test_a_crowd_of_any_size_at_one_address_makes_room_for_a_neighbour(
    judging: Running, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Guests of one address hold both workers, and all the others wait. Then somebody else comes, and is the next: the
    first of the crowd stays at its first case until that one is judged, the second until that one waits."""
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 0.0)
    began: list[int] = []  # submissions, as they begin
    somebody_waits, somebody_is_judged = threading.Event(), threading.Event()
    record = judging.state.jobs.record

    def held(job: Job, event: Event) -> bool:
        if isinstance(event, Began):
            began.append(job.submission_id)
        if isinstance(event, CaseFinished) and job.submission_id in began[:2]:
            (somebody_is_judged if job.submission_id == began[0] else somebody_waits).wait(LIMIT_SECONDS)
        return record(job, event)

    monkeypatch.setattr(judging.state.jobs, "record", held)
    with ExitStack() as guests:
        crowd = [guests.enter_context(guest(judging)) for _ in range(size)]
        honest = guests.enter_context(guest(judging, ELSEWHERE))
        guests.callback(somebody_is_judged.set)
        guests.callback(somebody_waits.set)
        sent = [send(crowd[0])]
        until(lambda: began == sent, "the first does not begin")
        sent += [send(client) for client in crowd[1:]]
        until(lambda: len(began) == 2, "the second does not begin")
        mine = send(honest)
        somebody_waits.set()
        assert verdict(honest, mine) == "accepted"
        assert began[2] == mine, "who held a worker ends, and no other of the crowd comes first"
        somebody_is_judged.set()
        for client, id in zip(crowd, sent, strict=True):
            assert verdict(client, id) == "accepted", "who made room is judged whole, later"
        assert sorted(began) == sorted([*sent, mine, began[1]]), "the second made room, and began again"
    with judging.state.db.reading() as db:
        attempts = set(db.scalars(select(Grading.attempt).where(Grading.submission_id.in_(sent))))
        assert attempts == {1}, "making room is no failed attempt"
        assert not db.scalars(select(Grading.neighbourhood).where(Grading.neighbourhood.is_not(None))).all()


def send(client: httpx.Client) -> int:
    return int(client.post(PATH, json={"source": REFERENCE}).raise_for_status().json()["id"])


def verdict(client: httpx.Client, id: int) -> str:
    until(lambda: client.get(f"/api/v1/submissions/{id}").json()["state"] == "finished", "it is not judged")
    return str(client.get(f"/api/v1/submissions/{id}").json()["verdict"])


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
        until(lambda: len(self.turns._turns) + len(self.turns._let_in) > present, f"{name} does not come")

    def _sit(self, name: str, place: str) -> None:
        with self.turns.turn(place, 60):
            self.entered.append(name)
            self.leave[name].wait(LIMIT_SECONDS)


def test_who_waits_for_a_cell_behind_a_crowd_of_one_address_is_next() -> None:
    room = Room(2)
    for number in range(6):
        room.come(f"crowd {number}", "203.0.113.7")
    room.come("neighbour", "198.51.100.4")
    assert sorted(room.entered) == ["crowd 0", "crowd 1"]
    room.leave["crowd 1"].set()
    until(lambda: len(room.entered) == 3, "nobody is let in")
    assert room.entered[2] == "neighbour"
    for event in room.leave.values():
        event.set()
    until_ended(*room.threads)
    assert len(room.entered) == 7


def test_who_was_not_let_in_is_told_so_and_takes_no_place() -> None:
    room = Room(1)
    room.come("first", "203.0.113.7")
    with pytest.raises(Busy), room.turns.turn("198.51.100.4", 0.05):
        pass
    room.leave["first"].set()
    until_ended(room.threads[0])
    with room.turns.turn("198.51.100.4", 10):
        pass
    assert not room.turns._running
