"""Webhooks: signed, sent once, tried again, switched off; never into a network that is not theirs to reach."""

import hashlib
import hmac
import ipaddress
import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from app.classes.addresses import Refused, find_place, read_url
from app.classes.deliveries import FAILING, MAX_ATTEMPTS, Deliveries, signature
from app.classes.events import EVENTS, Delivery, Webhook, announce
from app.db import now
from app.web.errors import Invalid
from tests.app.classes import GATHER, ClassAtHand, account, id_of, judged, make_class
from tests.conftest import Running
from tests.waiting import LOOK_SECONDS, until, until_ended

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)


@dataclass
class Receiver:
    """A system that gets webhooks: what it was sent, and how it answers. `drips`: a header that never ends."""

    url: str = ""
    status: int = 204
    location: str = ""
    drips: bool = False
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    def events(self) -> list[str]:
        return [json.loads(body)["event"] for _, body in self.got]


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            receiver.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
            if receiver.drips:
                self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
                while not receiver.ended.wait(LOOK_SECONDS):
                    try:
                        self.wfile.write(b"a")
                    except OSError:
                        return
                return
            self.send_response(receiver.status)
            if receiver.location:
                self.send_header("Location", receiver.location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        receiver.url = f"http://127.0.0.1:{server.server_address[1]}/hook?of=lectern"
        try:
            yield receiver
        finally:
            receiver.ended.set()
            server.shutdown()
            until_ended(thread)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture
def quiet(server: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    """A server whose own thread delivers nothing while a test does it itself."""
    monkeypatch.setattr(server.app.state.deliveries, "send_due", lambda should_stop: 0)
    return server


@pytest.fixture
def made(quiet: Running) -> ClassAtHand:
    return make_class(quiet, account(quiet, "ada@example.org", "instructor"))


def place(made: ClassAtHand) -> str:
    return f"/classes/{made.id}/connections"


def add(made: ClassAtHand, url: str, *events: str) -> str:
    """The secret, as the page shows it once."""
    page = made.instructor.post(f"{place(made)}/webhooks", data={"url": url, "events": list(events or EVENTS)})
    assert page.status_code == 200, page.text
    return page.text.partition('<code class="secret">')[2].partition("<")[0]


def sender(server: Running) -> Deliveries:
    return Deliveries(server.state.db, LOOPBACK)


def tell(server: Running, made: ClassAtHand, **data: Any) -> None:
    with server.state.db.writing() as db:
        announce(db, made.id, "grade.changed", data)


def hook(server: Running) -> Webhook:
    with server.state.db.reading() as db:
        return db.scalars(select(Webhook)).one()


def rows(server: Running) -> list[Delivery]:
    with server.state.db.reading() as db:
        return list(db.scalars(select(Delivery).order_by(Delivery.id)))


def make_due(server: Running) -> None:
    with server.state.db.writing() as db:
        db.execute(update(Delivery).values(due_at=now()))
        db.execute(update(Webhook).values(retry_at=None))


# ------------------------------------------------------------------ what is sent


def test_a_delivery_is_signed_over_its_moment_and_body(quiet: Running, made: ClassAtHand, receiver: Receiver) -> None:
    secret = add(made, receiver.url)
    assert secret.startswith("whsec_")
    assert secret not in made.instructor.get(place(made)).text, "it is shown once"
    tell(quiet, made, person=7)
    before = int(time.time())
    assert sender(quiet).send_due() == 1
    ((headers, body),) = receiver.got
    stamp = headers["lectern-timestamp"]
    assert before <= int(stamp) <= time.time()
    expected = hmac.new(secret.encode(), f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()
    assert headers["lectern-signature"] == f"v1={expected}"
    assert signature(secret, int(stamp) + 1, body) != headers["lectern-signature"]
    told = json.loads(body)
    assert (told["event"], told["class"], told["data"]) == ("grade.changed", made.id, {"person": 7})
    assert told["id"] == headers["lectern-delivery"]
    (row,) = rows(quiet)
    assert (row.status, row.body, row.delivered_at is not None) == (204, "", True)
    assert "204, delivered" in made.instructor.get(place(made)).text


def test_what_happens_in_a_class_is_told(quiet: Running, made: ClassAtHand, receiver: Receiver) -> None:
    add(made, receiver.url)
    other = make_class(quiet, account(quiet, "bob@example.org", "instructor"), title="Other")
    eve = account(quiet, "eve@example.org")
    made.join(eve)
    other.join(eve)
    made.assign(GATHER)
    judged(quiet, eve, 0.5)
    judged(quiet, eve, 1.0)
    id = id_of(quiet, "eve@example.org")
    score = f"{made.url}/scores/{id}/exercise/{GATHER}"
    made.instructor.put(score, json={"score": 0.9, "reason": "Why not"}).raise_for_status()
    made.instructor.delete(f"{made.url}/roster/{id}").raise_for_status()
    judged(quiet, eve, 1.0)  # is no student of the class any more
    assert sender(quiet).send_due() == len(receiver.got)
    expected = ["class.roster_changed", "submission.accepted", "grade.changed", "class.roster_changed"]
    assert receiver.events() == expected
    accepted = json.loads(receiver.got[1][1])
    assert accepted["data"]["person"] == id
    assert "eve@example.org" not in "".join(body.decode() for _, body in receiver.got)


def test_a_webhook_gets_what_it_wants_and_no_more(quiet: Running, made: ClassAtHand, receiver: Receiver) -> None:
    add(made, receiver.url, "regrading.applied")
    made.join(account(quiet, "eve@example.org"))
    tell(quiet, made)
    assert sender(quiet).send_due() == 0
    assert made.instructor.post(f"{place(made)}/webhooks/{hook(quiet).id}/tests").status_code == 303
    assert sender(quiet).send_due() == 1
    assert receiver.events() == ["ping"]


def test_several_processes_send_each_delivery_once(quiet: Running, made: ClassAtHand, receiver: Receiver) -> None:
    add(made, receiver.url)
    for number in range(12):
        tell(quiet, made, person=number)
    with ThreadPoolExecutor(3) as pool:
        assert sum(pool.map(lambda one: one.send_due(), [sender(quiet) for _ in range(3)])) == 12
    assert len({headers["lectern-delivery"] for headers, _ in receiver.got}) == len(receiver.got) == 12


# ------------------------------------------------------------------ what fails


def test_a_webhook_that_fails_is_left_alone_and_then_switched_off(
    quiet: Running, made: ClassAtHand, receiver: Receiver
) -> None:
    add(made, receiver.url)
    receiver.status = 500
    tell(quiet, made, person=1)
    tell(quiet, made, person=2)
    assert sender(quiet).send_due() == 0
    assert (len(receiver.got), hook(quiet).failures) == (1, 1), "the second waits too"
    make_due(quiet)
    receiver.status = 200
    assert sender(quiet).send_due() == 2
    assert (hook(quiet).failures, hook(quiet).failing_since) == (0, None)
    receiver.status = 410
    tell(quiet, made, person=3)
    sender(quiet).send_due()
    make_due(quiet)
    with quiet.state.db.writing() as db:
        db.execute(update(Webhook).values(failing_since=now() - FAILING - timedelta(seconds=1)))
    sender(quiet).send_due()
    assert hook(quiet).disabled_at is not None
    assert rows(quiet)[-1].given_up_at is not None
    tell(quiet, made, person=4)
    assert len(rows(quiet)) == 3, "nothing is kept for one that is off"
    assert "Switched off" in made.instructor.get(place(made)).text
    tests = f"{place(made)}/webhooks/{hook(quiet).id}/tests"
    assert made.instructor.post(tests).status_code == 409
    made.instructor.post(f"{place(made)}/webhooks/{hook(quiet).id}", data={"events": ["grade.changed"]})
    assert (hook(quiet).disabled_at, hook(quiet).wanted) == (None, ("grade.changed",))


def test_a_delivery_is_not_tried_for_ever(quiet: Running, made: ClassAtHand, receiver: Receiver) -> None:
    add(made, receiver.url)
    receiver.status = 500
    tell(quiet, made)
    for _ in range(MAX_ATTEMPTS + 2):
        make_due(quiet)
        sender(quiet).send_due()
    (row,) = rows(quiet)
    assert (row.attempts, row.given_up_at is not None, row.body) == (MAX_ATTEMPTS, True, "")


def test_a_redirect_is_not_followed(quiet: Running, made: ClassAtHand, receiver: Receiver) -> None:
    with receiving() as other:
        add(made, receiver.url)
        receiver.status, receiver.location = 307, other.url
        tell(quiet, made)
        assert sender(quiet).send_due() == 0
        assert (len(receiver.got), other.got) == (1, [])
    assert rows(quiet)[0].status == 307


def test_an_answer_that_does_not_end_is_cut_off(
    quiet: Running, made: ClassAtHand, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.classes.deliveries.WHOLE_SECONDS", 0.1)
    add(made, receiver.url)
    receiver.drips = True
    tell(quiet, made)
    assert sender(quiet).send_due() == 0
    assert rows(quiet)[0].last_error == "no answer in time"


# ------------------------------------------------------------------ where it may reach


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "localhost", "[::1]", "0.0.0.0", "10.1.2.3", "192.168.0.1", "172.16.0.9", "169.254.169.254",
        "100.64.0.1", "[fe80::1]", "[fc00::1]", "[::ffff:10.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[2002:7f00:1::]",
        "224.0.0.1", "255.255.255.255", "2130706433", "0x7f.1", "127.1",
        "[fec0::1]", "[64:ff9b:1::a00:1]", "[::127.0.0.1]", "192.0.0.8", "192.88.99.1",
    ],
)  # fmt: skip
def test_no_address_of_the_operators_network_is_reached(host: str) -> None:
    with pytest.raises(OSError):
        find_place(read_url(f"https://{host}/"), ())


@pytest.mark.parametrize(
    "url",
    ["", "ftp://example.org", "file:///etc/passwd", "https://", "https://a:b@example.org", "https://example.org/#x",
     "https://exa mple.org", "https://example.org:99999", "https://example.org\\@10.0.0.1", "//example.org", "x" * 600],
)  # fmt: skip
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(Invalid):
        read_url(url)


def test_a_public_address_is_reached_by_tls_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def public(host: str, port: int, **more: object) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found[host]]

    found = {"one.example.org": ["93.184.216.34"], "two.example.org": ["93.184.216.34", "10.0.0.1"]}
    monkeypatch.setattr(socket, "getaddrinfo", public)
    reached = find_place("https://one.example.org:8443/a?b", ())
    assert (reached.address, reached.path, reached.host_header) == ("93.184.216.34", "/a?b", "one.example.org:8443")
    with pytest.raises(Refused, match="encrypted"):
        find_place("http://one.example.org/", ())
    with pytest.raises(Refused, match="public"):
        find_place("https://two.example.org/", ())


def test_a_server_delivers_nothing_to_itself(server: Running, receiver: Receiver) -> None:
    """With its own thread, and as it is set up where nobody allows anything."""
    made = make_class(server, account(server, "ada@example.org", "instructor"))
    add(made, receiver.url)
    made.instructor.post(f"{place(made)}/webhooks/{hook(server).id}/tests")
    until(lambda: rows(server)[0].last_error, "it was not tried")
    assert (receiver.got, rows(server)[0].last_error) == ([], "the address is not public")


# ------------------------------------------------------------------ who may


def test_only_instructors_of_the_class_see_its_connections(quiet: Running, made: ClassAtHand) -> None:
    add(made, "https://example.org/hook")
    id = hook(quiet).id
    eve, bob = account(quiet, "eve@example.org"), account(quiet, "bob@example.org", "instructor")
    made.join(eve)
    theirs = make_class(quiet, bob)

    def asked(client: httpx.Client, of: ClassAtHand = made) -> list[int]:
        url = place(of)
        wanted = {"url": "https://example.org", "events": "grade.changed"}
        return [
            client.get(url).status_code,
            client.post(f"{url}/webhooks", data=wanted if of is made else {}).status_code,
            *(client.post(f"{url}/webhooks/{id}{path}").status_code for path in ("", "/secret", "/tests", "/deletion")),
        ]

    assert set(asked(eve)) == {403}
    assert set(asked(bob)) == {404}
    assert asked(bob, theirs) == [200, 422, 404, 404, 404, 404], "another class's webhook is not theirs"
    assert hook(quiet).url == "https://example.org/hook"


def test_a_webhook_is_renewed_and_removed(quiet: Running, made: ClassAtHand, receiver: Receiver) -> None:
    old = add(made, receiver.url)
    id = hook(quiet).id
    page = made.instructor.post(f"{place(made)}/webhooks/{id}/secret")
    assert old not in page.text
    assert hook(quiet).secret in page.text
    tell(quiet, made)
    made.instructor.post(f"{place(made)}/webhooks/{id}/deletion")
    assert sender(quiet).send_due() == 0
    assert rows(quiet) == []
    for events in ([], ["grade.changed", "everything"]):
        wrong = made.instructor.post(f"{place(made)}/webhooks", data={"url": receiver.url, "events": events})
        assert wrong.status_code == 422
