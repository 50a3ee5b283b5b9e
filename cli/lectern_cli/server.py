"""One Lectern server, over its API.

attack: a server, or who pretends to be one, answers with a redirect to another place; urllib would follow it and send
the token there as well. defence: no redirect is followed, and the address is part of the key of each token.
"""

from __future__ import annotations

import http.client
import json
import re
import time
import uuid
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from lectern_cli.terminal import Stop, stop

SECONDS = 60  # without a byte from the server
MAX_BYTES = 32 << 20  # of one answer
MAX_EVENT_BYTES = 4 << 20
TRIES = 5
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
Answer = Mapping[str, Any]


class Unavailable(Stop):
    """The server says that it cannot do this at the moment."""


class Refused(Stop):
    """The server says why not: its status, and its whole answer."""

    def __init__(self, message: str, hint: str, status: int, answer: Answer) -> None:
        super().__init__(message, hint)
        self.status, self.answer = status, answer


class Unreachable(Stop):
    """There is no answer, or one that is not Lectern's."""


def read_address(text: str) -> str:
    """`https://host` or `https://host:port`, in one spelling."""
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    is_plain = parts.path in ("", "/") and not (parts.query or parts.fragment or "@" in parts.netloc)
    if parts.scheme not in ("http", "https") or not parts.hostname or not is_plain:
        stop(f"{text!r} is not the address of a server.", "Write it like https://lectern.example.org.")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    is_usual = port in (None, 443 if parts.scheme == "https" else 80)
    return f"{parts.scheme}://{host}" if is_usual else f"{parts.scheme}://{host}:{port}"


def is_in_the_clear(address: str) -> bool:
    """Whether others in the network can read what is sent there."""
    parts = urlsplit(address)
    return parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1")


def read_slug(text: str) -> str:
    """attack: `../../.ssh` as the name, of which a folder is made. defence: a name has letters, digits, hyphens."""
    if len(text) > 120 or not SLUG.fullmatch(text):
        stop(f"{text!r} is not the name of an exercise.", "Copy it from the address of its page: /exercises/<name>.")
    return text


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


_opener = build_opener(_NoRedirects)


class Server:
    """`seconds`: how long it may be silent before it counts as gone."""

    def __init__(self, address: str, token: str | None = None, seconds: float = SECONDS) -> None:
        self.address, self._token, self._seconds = address, token, seconds

    def get(self, path: str) -> Answer:
        return self._ask("GET", path)

    def post(self, path: str, body: Answer, **headers: str) -> Answer:
        return self._ask("POST", path, json.dumps(body).encode(), headers)

    def delete(self, path: str) -> None:
        self._open("DELETE", path).close()

    def submit(self, slug: str, body: Answer) -> Answer:
        """Sends it once, however often the connection breaks: the key is the same each time."""
        key = str(uuid.uuid4())
        for attempt in range(TRIES):
            try:
                return self.post(f"/exercises/{slug}/submissions?wait=0.3", body, **{"Idempotency-Key": key})
            except Unreachable:
                if attempt == TRIES - 1:
                    raise
                time.sleep(1 << attempt)
        raise AssertionError

    def follow(self, submission: Answer) -> Iterator[Answer]:
        """The submission as it is now, and each time it changes; the last is the finished one."""
        yield submission
        id = submission.get("id")
        if not isinstance(id, int):
            stop("The server's answer is not a submission.", _NOT_LECTERN)
        while submission.get("state") != "finished":
            try:
                for submission in self._events(f"/submissions/{id}/events"):
                    yield submission
            except Unreachable:
                pass  # what the stream did not say, the submission itself does
            if submission.get("state") != "finished":
                time.sleep(1)
                submission = self._still(id)
                yield submission

    def _still(self, id: int) -> Answer:
        for attempt in range(TRIES):
            try:
                return self.get(f"/submissions/{id}")
            except (Unreachable, Unavailable):
                time.sleep(1 << attempt)
        return stop("The connection is lost.", f"Your code was sent: see {self.address}/submissions/{id}.")

    def _events(self, path: str) -> Iterator[Answer]:
        with self._open("GET", path, accept="text/event-stream") as stream:
            try:
                while line := stream.readline(MAX_EVENT_BYTES):
                    name, _, value = line.partition(b":")
                    if name == b"data":
                        yield self._object(value)
            except (OSError, http.client.HTTPException) as error:
                raise Unreachable(f"The connection to {self.address} broke: {error}.", _NETWORK) from None

    def _ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        with self._open(method, path, body, headers) as answer:
            try:
                return self._object(answer.read(MAX_BYTES + 1))
            except (OSError, http.client.HTTPException) as error:
                raise Unreachable(f"The connection to {self.address} broke: {error}.", _NETWORK) from None

    def _object(self, content: bytes) -> Answer:
        try:
            found = json.loads(content)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            stop(f"{self.address} did not answer as Lectern does.", _NOT_LECTERN)
        return found

    def _open(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None,
        accept: str = "application/json",
    ) -> Any:  # fmt: skip
        request = Request(f"{self.address}/api/v1{path}", body, method=method)  # noqa: S310 (read_address: http, https)
        own = {"Accept": accept, "Content-Type": "application/json", "User-Agent": "lectern-cli"}
        if self._token:
            own["Authorization"] = f"Bearer {self._token}"
        for name, value in {**own, **(headers or {})}.items():
            request.add_header(name, value)
        try:
            return _opener.open(request, timeout=self._seconds)
        except HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except (URLError, OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise Unreachable(f"{self.address} does not answer: {reason}.", _NETWORK) from None

    def _refusal(self, error: HTTPError) -> Stop:
        if 300 <= error.code < 400:
            where = error.headers.get("Location", "another address")
            return Stop(f"{self.address} redirects to {where}.", "If you trust that server, name it with --server.")
        try:
            answer = json.loads(error.read(MAX_BYTES))
            found = answer["error"]
            message, hint = str(found["message"]), str(found["hint"] or "")
        except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
            kind = Unreachable if error.code in (502, 503, 504) else Stop
            return kind(f"{self.address} answered with the status {error.code}.", _NOT_LECTERN)
        if error.code == 401 and self._token:
            return Stop(message, f"Sign in again: login --server {self.address}")
        return Unavailable(message, hint) if error.code == 503 else Refused(message, hint, error.code, answer)


_NETWORK = "Check the address and your connection, then try again."
_NOT_LECTERN = "Check the address: it must be that of a Lectern server."
