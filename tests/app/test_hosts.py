"""By which names a server is reached: a page of another site that had its own name point to us gets nothing."""

import socket
from urllib.parse import urlsplit

import pytest

from app.settings import Settings
from app.web import server as lectern
from app.web.errors import Problem
from app.web.hosts import Hosts
from tests.conftest import Running, Serve
from tests.waiting import LIMIT_SECONDS

OURS = ("127.0.0.1", "127.0.0.1:8000", "127.9.9.9", "localhost", "LOCALHOST:1", "localhost.", "[::1]", "[::1]:8000")
THEIRS = ("evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example", "192.0.2.7",
          "127.0.0.1.nip.io", "xn--localhost-.example", "[2001:db8::1]", "0.0.0.0", "2130706433", "0x7f.1")  # fmt: skip
MALFORMED = ("", " ", "a b", "127.0.0.1@evil.example", "evil.example/127.0.0.1", "127.0.0.1:port", "[::1", "::1",
             "127.0.0.1:8000:8000", "localhost,evil.example", "localhost\\evil", "localhost\x80")  # fmt: skip


def said(server: Running, *lines: str, target: str = "/", version: str = "1.1") -> bytes:
    """The whole answer to a request with these lines as its head."""
    parts = urlsplit(server.url)
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=LIMIT_SECONDS) as connection:
        head = "\r\n".join([f"GET {target} HTTP/{version}", "Connection: close", *lines])
        connection.sendall(f"{head}\r\n\r\n".encode("latin-1"))
        answer = b""
        while part := connection.recv(65_536):
            answer += part
    return answer


def status(answer: bytes) -> int:
    return int(answer.split()[1])


def test_on_this_machine_only_its_own_names_are_answered(server: Running) -> None:
    for host in OURS:
        assert status(said(server, f"Host: {host}")) == 200, host
    for host in THEIRS:
        answer = said(server, f"Host: {host}", target="/api/v1/exercises")
        assert status(answer) == 421, host
        assert b"LECTERN_HOSTS" in answer
        assert b"content-security-policy" in answer.lower()
    assert status(said(server, "Host: evil.example")) == 421  # as a page, too
    for path in ("/static/x/css/base.css", "/healthz", "/api/v1/openapi.json", "/favicon.ico"):
        assert status(said(server, "Host: evil.example", target=path)) == 421, path


def test_what_is_no_name_is_refused_and_so_is_none_and_two(server: Running) -> None:
    for host in MALFORMED:
        assert status(said(server, f"Host: {host}")) == 400, host
    assert status(said(server)) == 400
    assert status(said(server, "Host: localhost", "Host: localhost")) == 400
    assert status(said(server, "Host: localhost", "Host: evil.example")) == 400
    assert status(said(server, version="1.0")) == 200  # an old program; browsers always name the host
    assert status(said(server, "Host: evil.example", version="1.0")) == 421


def test_a_forwarded_name_counts_for_nothing(server: Running) -> None:
    assert status(said(server, "Host: evil.example", "X-Forwarded-Host: localhost", "Forwarded: host=localhost")) == 421
    assert status(said(server, "Host: localhost", "X-Forwarded-Host: evil.example")) == 200


def test_a_target_that_names_its_host_names_the_same(serve: Serve) -> None:
    server = serve(protocol=lectern.Protocol)
    netloc = urlsplit(server.url).netloc
    assert status(said(server, f"Host: {netloc}", target=f"{server.url}/")) == 200
    assert status(said(server, f"Host: {netloc}", target="http://evil.example/")) == 400
    assert status(said(server, "Host: evil.example", target=f"{server.url}/")) == 400
    assert status(said(server, "Host: evil.example", target="http://evil.example/")) == 421
    assert status(said(server, "Host: [::1]", target="http://[::1]/")) == 200


def test_a_public_server_answers_to_its_origin_and_what_its_operator_lists(serve: Serve) -> None:
    server = serve(origin="https://Lectern.example.org:8443", hosts="old.example.org, 10.0.0.5,[2001:db8::5]")
    for host in ("lectern.example.org", "lectern.example.org:8443", "LECTERN.example.org.", "old.example.org",
                 "10.0.0.5", "[2001:DB8:0::5]:80", "localhost"):  # fmt: skip
        assert status(said(server, f"Host: {host}")) == 200, host
    for host in ("evil.example", "example.org", "10.0.0.6", "lectern.example.org.evil.example"):
        assert status(said(server, f"Host: {host}")) == 421, host
    assert status(said(server, "Host: 10.0.0.6", target="/healthz")) == 200  # a probe knows no name
    assert status(said(server, "Host: evil.example", target="/readyz")) == 421


@pytest.mark.parametrize(
    ("settings", "ours", "theirs"),
    [
        ({"host": "0.0.0.0"}, ("192.168.1.7", "[fe80::1]", "localhost"), ("laptop.local", "evil.example")),
        ({"host": "::"}, ("192.168.1.7", "127.0.0.1"), ("laptop.local",)),
        ({"host": "0.0.0.0", "hosts": "laptop.local"}, ("laptop.local", "192.168.1.7"), ("evil.example",)),
        ({"host": "192.168.1.7", "origin": "http://lectern.test"}, ("192.168.1.7", "lectern.test"), ("192.168.1.8",)),
        ({"host": "0.0.0.0", "origin": "http://127.0.0.1:8000"}, ("127.0.0.1:8000", "localhost:8000"), ("172.17.0.2",)),
        ({"host": "lectern.test"}, ("lectern.test",), ("evil.example",)),
        ({"host": "::1"}, ("[::1]", "localhost"), ("[2001:db8::1]", "evil.example")),
    ],
)  # fmt: skip
def test_off_loopback_addresses_are_taken_where_there_is_no_public_name(
    settings: dict[str, str], ours: tuple[str, ...], theirs: tuple[str, ...]
) -> None:
    hosts = Hosts(Settings(**settings))  # type: ignore[arg-type]
    assert [host for host in ours if refused(hosts, host)] == []
    assert [host for host in theirs if not refused(hosts, host)] == []


def refused(hosts: Hosts, host: str) -> bool:
    scope = {"headers": [(b"host", host.encode())], "path": "/", "http_version": "1.1", "state": {}}
    try:
        hosts.require_ours(scope)
    except Problem as problem:
        return problem.status == 421
    return False


def test_a_list_of_names_that_holds_none_is_said_at_the_start() -> None:
    for hosts in ("http://lectern.example.org", "a b", "lectern.example.org:80", "*"):
        with pytest.raises(ValueError, match="LECTERN_HOSTS"):
            Settings(hosts=hosts)
    assert Settings(hosts=" a.example , b.example,").host_names == ("a.example", "b.example")
