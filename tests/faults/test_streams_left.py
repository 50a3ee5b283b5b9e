"""A browser that leaves during the stream, a thousand times: the grading goes on, and nothing is left open."""

import os
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from app.settings import Settings
from app.web import edge, server
from graders.grade import Finished
from graders.verdict import SubmissionResult, Verdict
from tests.conftest import running
from tests.server_process import DOUBLED, REFERENCE, guest, one_exercise, serving
from tests.waiting import LIMIT_SECONDS, until

PATH = f"/api/v1/exercises/{DOUBLED}/submissions"
# Who waits for what a slow sender does not send, or for the end of its time, waits in vain.
PATIENT = {
    "app.web.server.HEAD_SECONDS": 2 * LIMIT_SECONDS,
    "app.web.server.BODY_SECONDS": 2 * LIMIT_SECONDS,
    "app.web.edge.BODY_SECONDS": 2 * LIMIT_SECONDS,
    "app.web.edge.BODY_PAUSE_SECONDS": 2 * LIMIT_SECONDS,
}


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, str]]:
    """The process and the address of a server that judges nothing, and gives everybody all the time."""
    with serving(tmp_path_factory.mktemp("patient"), PATIENT, LECTERN_WORKERS="0") as (process, url):
        yield process.pid, url


def sockets(pid: int) -> int:
    """Of the descriptors these alone: the database's own pool grows to its size and stays."""
    count = 0
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        try:
            count += descriptor.readlink().name.startswith("socket:")
        except FileNotFoundError:  # closed meanwhile
            pass
    return count


def threads(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def connect(url: str) -> socket.socket:
    parts = urlsplit(url)
    return socket.create_connection((parts.hostname or "", parts.port or 0), timeout=LIMIT_SECONDS)


def open_stream(url: str, path: str, token: str) -> socket.socket:
    connection, parts = connect(url), urlsplit(url)
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nAuthorization: {token}\r\n\r\n".encode())
    return connection


def test_a_thousand_streams_left_leave_nothing(patient: tuple[int, str]) -> None:
    pid, url = patient
    with guest(url) as client:
        id = client.post(PATH, json={"source": REFERENCE}).json()["id"]
        path, token = f"/api/v1/submissions/{id}/events", client.headers["Authorization"]
        before = sockets(pid)

        def come_and_go(number: int) -> None:
            with open_stream(url, path, token) as stream:
                if number % 3:  # some leave before the first event
                    assert b"200 OK" in stream.recv(4096)

        with ThreadPoolExecutor(20) as people:
            list(people.map(come_and_go, range(1000)))
        until(lambda: sockets(pid) <= before + 5, lambda: (sockets(pid), before), look_seconds=0.1)
        assert threads(pid) < 64  # a pool of forty, the queue's and NumPy's own
        assert client.get(f"/api/v1/submissions/{id}").json()["state"] == "queued"


def test_slow_senders_and_slow_readers_hold_up_nobody(patient: tuple[int, str]) -> None:
    """None of them is cut off here: who waited for them would wait for ever."""
    _, url = patient
    with guest(url) as client, ExitStack() as opened:
        token = client.headers["Authorization"]
        slow = [opened.enter_context(connect(url)) for _ in range(200)]
        for number, connection in enumerate(slow):
            if number % 2:
                head = f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token}\r\n"
                connection.sendall(f"{head}Content-Length: 500000\r\n\r\n{{".encode())  # and then no more of the body
            else:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        for _ in range(4):  # readers, who never read
            with guest(url) as reader:
                own = reader.post(PATH, json={"source": "x = 1\n" * 10_000}).json()["id"]
                stream = f"/api/v1/submissions/{own}/events", reader.headers["Authorization"]
            for _ in range(25):
                opened.enter_context(open_stream(url, *stream))
        for number in range(60):
            if number % 3:
                assert client.get(f"/exercises/{DOUBLED}").status_code == 200
            else:
                assert client.post(PATH, json={"source": "#" * 70_000}).status_code == 200
        assert not any(has_said_anything(connection) for connection in slow), "a slow sender is cut off, or answered"


def has_said_anything(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        connection.recv(1)
    except BlockingIOError:
        return False
    return True


def test_a_head_that_never_ends_is_cut_off(patient: tuple[int, str]) -> None:
    """For its size: its time does not end here."""
    _, url = patient
    for start in (
        b"GET /",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: ",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: a",
    ):
        with connect(url) as connection:
            sent = 0
            connection.sendall(start)
            try:
                while sent < 64 << 20:
                    sent += connection.send(b"a" * 65_536)
            except TimeoutError:
                raise
            except OSError:
                pass
            assert sent < 8 << 20  # what fits into the buffers on the way
    with guest(url) as client:
        assert client.get("/", headers={"X-Large": "a" * 30_000}).status_code == 200
        large = client.post(PATH, json={"source": "#" * 900_000})  # a body is no head
        assert large.status_code == 200
        assert client.get("/").status_code == 200


def test_a_request_that_does_not_go_on_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge, "BODY_PAUSE_SECONDS", 0.3)
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.3)
    settings = Settings(data=tmp_path, exercises=(one_exercise(tmp_path),), lessons=(tmp_path / "lessons",), workers=0)
    with running(settings, http=server.Protocol) as lectern, lectern.guest() as client:
        token = client.headers["Authorization"]
        post = (
            f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token}\r\nContent-Type: application/json\r\n"
        )

        def let_go() -> None:
            for request, answer in (
                ("", b""),
                ("GET / HTTP/1.1\r\nHost:", b""),
                (f"{post}Content-Length: 50\r\n\r\n{{", b"HTTP/1.1 408"),
            ):
                with connect(lectern.url) as connection:
                    connection.sendall(request.encode())
                    assert connection.recv(4096)[: len(answer)] == answer

        let_go()
        id = client.post(PATH, json={"source": "x = 1"}).json()["id"]
        with open_stream(lectern.url, f"/api/v1/submissions/{id}/events", token) as stream:  # which waits, rightly
            assert b"200 OK" in stream.recv(4096)
            let_go()  # whose time begins after that of the stream
            queue = lectern.state.jobs
            job = queue.claim(1)
            assert job is not None
            queue.record(job, Finished(SubmissionResult(Verdict.accepted, 1.0, "Right.", None, None, ())))
            said_last = b""
            while part := stream.recv(4096):
                said_last += part
                if b'"finished"' in said_last:
                    break
            assert b'"accepted"' in said_last


def test_slow_bodies_of_one_address_take_neither_the_memory_nor_anybodys_turn(tmp_path: Path) -> None:
    """Three hundred bodies of a megabyte, each a byte short, without an account. None of them is given up for its time
    here: a neighbour who waited for them would wait for ever."""
    with serving(tmp_path, PATIENT, LECTERN_WORKERS="0") as (process, url), neighbour(url) as honest:
        honest.get("/")
        before = resident_bytes(process.pid)
        head = f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        with ExitStack() as opened:
            for _ in range(300):
                slow = opened.enter_context(connect(url))
                try:
                    slow.sendall(f"{head}Content-Length: 1000001\r\n\r\n".encode() + b" " * 1_000_000)
                except TimeoutError:
                    raise
                except OSError:  # refused while it was sent
                    pass
            for number in range(20):
                if number % 2:
                    assert honest.get(f"/exercises/{DOUBLED}").status_code == 200
                else:
                    assert honest.post(PATH, json={"source": "#" * 70_000}).status_code == 200
            memory_taken = all_taken_in(process.pid, honest) - before
        assert memory_taken < 300_000_000 / 3, memory_taken


def neighbour(url: str) -> httpx.Client:
    """A guest at another address."""
    with guest(url) as client:
        token = client.headers["Authorization"]
    address = httpx.HTTPTransport(local_address="127.0.0.2")
    return httpx.Client(base_url=url, timeout=LIMIT_SECONDS, transport=address, headers={"Authorization": token})


def all_taken_in(pid: int, honest: httpx.Client) -> int:
    """The memory of a process when it has stopped to grow: what was sent waits for it in the kernel's buffers, and each
    time that it answers it has also read of what is there."""
    seen = [resident_bytes(pid)]
    while len(seen) < 20 or seen[-1] > seen[-20] + (1 << 20):
        assert honest.get("/").status_code == 200
        seen.append(resident_bytes(pid))
    return max(seen)


def resident_bytes(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
