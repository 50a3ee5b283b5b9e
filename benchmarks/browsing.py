"""A browser that takes hardly any processor time, so that a crowd of them can share two cores with the server.

Every request has a connection of its own, from the address that its student is to have: all of 127.0.0.0/8 is this
machine's.
"""

import asyncio
import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Browser:
    """One student's. `token` is empty until `sign_in` has made a guest."""

    def __init__(self, port: int, address: str = "127.0.0.1", token: str = "") -> None:
        self.port, self.address, self.token = port, address, token

    async def sign_in(self) -> None:
        answer = await self.request("POST", "/api/v1/sessions", {})
        if answer.status >= 300:
            raise RuntimeError(f"no guest for {self.address}: {answer.status} {answer.body[:300]!r}")
        self.token = answer.json()["token"]

    async def get(self, path: str) -> Answer:
        return await self.request("GET", path)

    async def post(self, path: str, body: object) -> Answer:
        return await self.request("POST", path, body)

    async def request(self, method: str, path: str, body: object = None) -> Answer:
        """Raises OSError, or TimeoutError after two minutes."""
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n"
        if self.token:
            head += f"Authorization: Bearer {self.token}\r\n"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        async with asyncio.timeout(120):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))
            try:
                writer.write(f"{head}\r\n".encode() + content)
                received = await reader.read(-1)
            finally:
                writer.close()
        return _read(received)

    async def verdict(self, slug: str, source: str, framework: str, kind: str = "submit", wait: float = 0.3) -> Answer:
        """As a page does: what is not judged within `wait` seconds is followed until it is. The last answer, which is
        the refusal where it was refused."""
        order = {"source": source, "framework": framework, "kind": kind}
        answer = await self.post(f"/api/v1/exercises/{slug}/submissions?wait={wait:g}", order)
        if answer.status != 202:
            return answer
        events = await self.get(f"/api/v1/submissions/{answer.json()['id']}/events")
        if events.status != 200:
            return events
        last = events.body.rpartition(b"data:")[2].partition(b"\n")[0]
        return Answer(200, last)


def _read(received: bytes) -> Answer:
    head, _, body = received.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 "):
        raise ConnectionError(f"the server hung up: {received[:100]!r}")
    if b"transfer-encoding: chunked" in head.lower():
        body = _joined(body)
    return Answer(int(head[9:12]), body)


def _joined(body: bytes) -> bytes:
    """Chunks, without their lengths."""
    found = []
    while body:
        length, _, rest = body.partition(b"\r\n")
        size = int(length.partition(b";")[0], 16)
        if not size:
            break
        found.append(rest[:size])
        body = rest[size + 2 :]
    return b"".join(found)
