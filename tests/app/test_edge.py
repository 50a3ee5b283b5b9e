"""The edge of the web: methods, icons, documented bodies; connections and bodies that do not end."""

import re
import select
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from app.settings import Settings
from app.web import edge, held
from app.web import server as lectern
from app.web.errors import RateLimited
from app.web.held import Bodies, Connections
from app.web.limits import neighbourhood
from tests.conftest import Running, Serve, running
from tests.sittings import TIMED, begin, put_off, save, submit, write_course
from tests.waiting import LIMIT_SECONDS, until

DRAFT = "/api/v1/exercises/learned-absolute-position-embedding/drafts/numpy"

JSON_TYPES: dict[str, Any] = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float),
                              "boolean": bool, "null": type(None)}  # fmt: skip

# ------------------------------------------------------------------ methods and the icon


def test_a_refused_method_is_told_all_that_the_address_takes(server: Running) -> None:
    with server.guest() as client:
        for path, allow in {
            "/api/v1/exercises": "GET, HEAD",
            "/api/v1/sessions": "POST",
            "/api/v1/sessions/current": "DELETE",
            "/api/v1/me": "DELETE",
            "/me/deletion": "GET, HEAD, POST",
            DRAFT: "GET, HEAD, PUT",
            "/api/v1/submissions/1/events": "GET",
            "/favicon.ico": "GET, HEAD",
            "/api/v1/openapi.json": "GET, HEAD",
        }.items():
            answer = client.patch(path)
            assert (answer.status_code, answer.headers["allow"]) == (405, allow), path
            assert allow in answer.text
            for method in allow.split(", "):
                assert client.request(method, path).status_code != 405, (method, path)


def test_no_route_takes_a_method_that_allow_does_not_name(server: Running) -> None:
    """Of every path in the API's own description."""
    with server.guest() as client:
        described = client.get("/api/v1/openapi.json").json()["paths"]
        for path, methods in described.items():
            answer = client.request("LOCK", re.sub(r"\{\w+\}", "1", path))
            named = {method.upper() for method in methods}
            stream = path.endswith("/events")
            assert set(answer.headers["allow"].split(", ")) == named | (
                {"HEAD"} if "GET" in named and not stream else set()
            )


def test_the_icon_that_browsers_ask_for_unasked_is_there(server: Running) -> None:
    with server.client() as client:
        answer = client.get("/favicon.ico")
        head = client.head("/favicon.ico")
    assert answer.status_code == head.status_code == 200
    assert answer.headers["content-type"] == "image/vnd.microsoft.icon"
    assert "max-age" in answer.headers["cache-control"]
    assert answer.content[:6] == b"\0\0\1\0\3\0"  # an icon, in three sizes
    assert answer.content.count(b"\x89PNG") == 3


# ------------------------------------------------------------------ bodies as documented


def test_what_a_quiz_answers_is_what_is_documented(tmp_path: Path) -> None:
    (tmp_path / "exercises").mkdir()
    settings = Settings(
        workers=0, data=tmp_path, lessons=(write_course(tmp_path),), exercises=(tmp_path / "exercises",)
    )
    with running(settings) as server, server.guest() as client, server.guest() as stranger:
        described = client.get("/api/v1/openapi.json").json()
        seen = set()

        def check(answer: httpx.Response) -> int:
            require_documented(described, answer)
            seen.add((answer.request.method, answer.status_code))
            return answer.status_code

        assert check(client.get(TIMED)) == 200
        sitting = begin(client)
        own = f"/api/v1/sittings/{sitting['id']}"
        assert check(client.post(f"{TIMED}/sittings")) == 200
        assert check(save(client, sitting, "shape", "(N, T)")) == 200
        assert check(save(client, sitting, "shape", "(other,)")) == 409
        assert check(save(client, sitting, "nothing", "1")) == 404
        assert check(client.put(f"{own}/answers/shape", json={})) == 422
        assert check(save(stranger, sitting, "shape", "(N,)")) == 404
        assert check(client.get(own)) == 200
        assert check(client.post(f"{own}/submission")) == 200
        after = save(client, sitting, "shape", "(later,)", 1)
        assert check(after) == 409
        assert after.json()["response"] is None
        assert "This attempt was submitted" in after.json()["error"]["message"]
        late = begin(client)
        put_off(server, late, seconds=-60)
        timed_out = save(client, late, "shape", "(N, T)")
        assert check(timed_out) == 409
        assert timed_out.json()["response"] is None
        submit(client, begin(client))
        assert check(client.post(f"{TIMED}/sittings")) == 409
        assert check(client.get(TIMED)) == 200
        assert len(seen) == 7


def require_documented(described: dict[str, Any], answer: httpx.Response) -> None:
    """The body has exactly what the description says of this call and status."""
    path = answer.request.url.path
    [template] = [one for one in described["paths"] if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", one), path)]
    stated = described["paths"][template][answer.request.method.lower()]["responses"][str(answer.status_code)]
    problem = mismatch(described, stated["content"]["application/json"]["schema"], answer.json(), "body")
    assert problem is None, (answer.request.method, path, answer.status_code, problem)


def mismatch(described: dict[str, Any], schema: dict[str, Any], value: Any, at: str) -> str | None:
    """Where `value` is not as `schema` says; of JSON Schema what FastAPI writes for answers."""
    if "$ref" in schema:
        return mismatch(described, described["components"]["schemas"][schema["$ref"].rpartition("/")[2]], value, at)
    if "anyOf" in schema:
        found = [mismatch(described, one, value, at) for one in schema["anyOf"]]
        return None if None in found else "; ".join(str(one) for one in found)
    if not isinstance(value, JSON_TYPES[schema["type"]]) or value not in schema.get("enum", [value]):
        return f"{at}: {value!r} is no {schema['type']}"
    if isinstance(value, dict) and "properties" in schema:
        if set(schema.get("required", ())) - set(value) or set(value) - set(schema["properties"]):
            return f"{at} has {sorted(value)}"
        stated = {name: one for name, one in schema["properties"].items() if name in value}
        inner = (mismatch(described, one, value[name], f"{at}.{name}") for name, one in stated.items())
        return next((one for one in inner if one), None)
    if isinstance(value, list):
        inner = (mismatch(described, schema["items"], one, f"{at}[{n}]") for n, one in enumerate(value))
        return next((one for one in inner if one), None)
    return None


# ------------------------------------------------------------------ connections


def connect(server: Running, source: str = "127.0.0.1") -> socket.socket:
    parts = urlsplit(server.url)
    return socket.create_connection(
        (parts.hostname or "", parts.port or 0), timeout=LIMIT_SECONDS, source_address=(source, 0)
    )


def get(server: Running, source: str, *lines: str, path: str = "/healthz") -> bytes:
    """The whole answer."""
    with connect(server, source) as connection:
        try:
            head = (f"GET {path} HTTP/1.1", "Host: localhost", "Connection: close", *lines)
            connection.sendall("\r\n".join((*head, "", "")).encode())
        except OSError:  # it was refused before it had said all
            pass
        return rest(connection)


def rest(connection: socket.socket) -> bytes:
    answer = b""
    try:
        while part := connection.recv(65_536):
            answer += part
    except ConnectionResetError:  # it was closed on what it had not read yet
        pass
    return answer


@contextmanager
def crowd(server: Running, count: int, source: str = "127.0.0.1") -> Iterator[list[socket.socket]]:
    with ExitStack() as opened:
        yield [opened.enter_context(connect(server, source)) for _ in range(count)]


@pytest.fixture
def protocol(serve: Serve) -> Running:
    return serve(protocol=lectern.Protocol)


def test_one_neighbourhood_cannot_have_all_connections(protocol: Running, database_url: str) -> None:
    connections: Connections = protocol.state.connections
    trusting = connections.most_each
    assert trusting >= 700, "a class of some hundred, each with two tabs and what it loads"
    connections.most_each, connections.most = 20, 40
    with crowd(protocol, 20):
        until(lambda: connections._all >= 20, "they are not connected")
        refused = get(protocol, "127.0.0.1")
        assert refused.startswith(b"HTTP/1.1 429")
        assert b"connections" in refused
        assert b"retry-after" in refused
        assert get(protocol, "127.0.0.2").startswith(b"HTTP/1.1 200")  # somebody else
        with crowd(protocol, 20, "127.0.0.3"):
            until(lambda: connections._all >= 40, "they are not connected")
            assert get(protocol, "127.0.0.2").startswith(b"HTTP/1.1 503")
    until(lambda: connections._all == 0, "somebody who left is counted for ever")
    assert get(protocol, "127.0.0.1").startswith(b"HTTP/1.1 200")
    until(lambda: not connections._held, "somebody who holds nothing is remembered")


def test_a_trusted_proxys_own_connections_are_everybodys(tmp_path: Path) -> None:
    more = {"http": lectern.Protocol, "proxy_headers": True, "forwarded_allow_ips": "127.0.0.1"}
    with running(Settings(workers=0, data=tmp_path, trusted_proxies="127.0.0.1"), **more) as server:
        server.state.connections.most_each = 5
        with crowd(server, 10):
            until(lambda: server.state.connections._all >= 10, "they are not connected")
            assert get(server, "127.0.0.1", "X-Forwarded-For: 192.0.2.1").startswith(b"HTTP/1.1 200")
            with crowd(server, 5, "127.0.0.2"):
                until(lambda: server.state.connections._all >= 15, "they are not connected")
                assert get(server, "127.0.0.2", "X-Forwarded-For: 192.0.2.1").startswith(b"HTTP/1.1 429")


def test_ipv6_counts_by_prefix_and_ipv4_by_address_however_it_is_written() -> None:
    assert neighbourhood("2001:db8::1") == neighbourhood("2001:db8::ffff:2") != neighbourhood("2001:db8:0:1::1")
    assert neighbourhood("::ffff:192.0.2.1") == neighbourhood("192.0.2.1") != neighbourhood("::ffff:192.0.2.2")


# ------------------------------------------------------------------ bodies

HEAD = f"PUT {DRAFT} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: "


def begin_body(connection: socket.socket, token: str, length: int, sent: int) -> None:
    connection.sendall(f"{HEAD}{token}\r\nContent-Length: {length}\r\n\r\n".encode() + b"{" * sent)


def answered(connections: list[socket.socket]) -> list[socket.socket]:
    return select.select(connections, [], [], 0)[0]


def test_unfinished_bodies_are_bounded_by_neighbourhood(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held.Bodies.__init__, "__defaults__", (4 << 20, 64 << 20))
    server = serve(protocol=lectern.Protocol)
    with server.guest() as client, ExitStack() as opened:
        token = client.headers["Authorization"]
        crowded = [opened.enter_context(connect(server)) for _ in range(12)]
        for connection in crowded:
            begin_body(connection, token, 1_000_000, 900_000)
        # four have room, in whatever order their parts came
        until(lambda: len(answered(crowded)) >= 8, lambda: f"{len(answered(crowded))} are refused")
        assert {rest(connection)[:12] for connection in answered(crowded)} <= {b"HTTP/1.1 429", b""}
        other = opened.enter_context(connect(server, "127.0.0.2"))
        body = b'{"source": "x = 1", "revision": 0}'
        other.sendall(f"{HEAD}{token}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
        assert rest(other).startswith(b"HTTP/1.1 200")  # the honest neighbour's


def test_where_all_is_taken_the_heaviest_gives_way() -> None:
    bodies = Bodies(most_each=100, most=150)
    heavy = [bodies.begin("192.0.2.1") for _ in range(2)]
    for body in heavy:
        bodies.take(body, 50, True)
    light = bodies.begin("2001:db8::1")
    bodies.take(light, 40, True)
    newcomer = bodies.begin("192.0.2.9")
    bodies.take(newcomer, 30, False)
    assert [body.given_up for body in (*heavy, light, newcomer)] == [True, False, False, False]
    again = bodies.begin("192.0.2.1")
    with pytest.raises(RateLimited) as refused:
        bodies.take(again, 60, True)
    assert refused.value.status == 429 if bodies.held_by["192.0.2.1"] + 60 > 100 else 503
    for body in (*heavy, light, newcomer, again):
        bodies.end(body)
    assert bodies.held == 0
    assert not bodies.held_by


def test_a_body_has_a_deadline_however_steadily_it_drips(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge, "BODY_SECONDS", 1.0)
    server = serve(protocol=lectern.Protocol)
    with server.guest() as client, connect(server) as connection:
        begin_body(connection, client.headers["Authorization"], 100_000, 1)

        def is_answered() -> bool:
            if not answered([connection]):
                connection.sendall(b" ")
            return answered([connection]) != []

        until(is_answered, "it drips for ever", look_seconds=0.05)
        answer = rest(connection)
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"connection: close" in answer.lower()
    assert b"within" in answer


def test_what_drips_on_after_its_answer_is_cut_off(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lectern, "BODY_SECONDS", 0.5)
    monkeypatch.setattr(lectern, "BODY_GRACE_SECONDS", 0.5)
    server = serve(protocol=lectern.Protocol)
    with connect(server) as connection:
        connection.sendall(b"POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n")
        connection.setblocking(False)
        answer = bytearray()

        def is_cut_off() -> bool:
            """A byte for each look, for as long as anybody listens."""
            try:
                connection.sendall(b" ")
                part = connection.recv(65_536)
            except BlockingIOError:
                return False
            except OSError:
                return True
            answer.extend(part)
            return part == b""

        until(is_cut_off, "somebody listens for ever", look_seconds=0.05)
    assert answer.startswith(b"HTTP/1.1 40")


def test_a_stream_takes_no_body(server: Running) -> None:
    with server.guest() as client:
        answer = client.request("GET", "/api/v1/submissions/1/events", content=b"x" * 10)
    assert answer.status_code == 422
