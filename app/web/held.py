"""What senders hold of this server before they have said all: connections, and the bodies of requests on their way.

Both are counted by neighbourhood and in all, by the event loop's thread alone. The bounds are far above what a class
behind one address needs, each of whose tabs may hold an event stream, and far below what this process can hold.
"""

import asyncio
import resource
from collections import Counter
from dataclasses import dataclass

from app.web.errors import Problem, RateLimited
from app.web.limits import neighbourhood

CONNECTIONS_EACH = 5000  # above the streams that an address may follow (app/web/limits.py)
DESCRIPTORS_KEPT = 256  # for the database, the judge's boxes and files
BODIES_EACH_BYTES = 32 << 20
BODIES_BYTES = 128 << 20
RETRY = {"Retry-After": "5", "Connection": "close"}


class Connections:
    """attack: connections that say nothing, or little, until this process has no descriptor left for anybody else.
    defence: a neighbourhood has three quarters of what there is at most, and some are never given away."""

    def __init__(self) -> None:
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.most = max(soft - DESCRIPTORS_KEPT, soft // 2)
        self.most_each = min(CONNECTIONS_EACH, self.most * 3 // 4)
        self._held: Counter[str] = Counter()
        self._all = 0

    def open(self, address: str | None) -> Problem | None:
        """Count one more, also one that is refused, until it is closed. `address` None: a proxy, through which all
        may come; what came through it is told apart later."""
        self._all += 1
        if address is not None:
            self._held[neighbourhood(address)] += 1
        if self._all > self.most:
            return RateLimited("This server has no room for another connection.", "Try again soon.", status=503)
        if address is not None and self._held[neighbourhood(address)] > self.most_each:
            return RateLimited("Your network has too many open connections.", "Close some, then try again.")
        return None

    def close(self, address: str | None) -> None:
        self._all -= 1
        if address is not None:
            who = neighbourhood(address)
            self._held[who] -= 1
            if not self._held[who]:
                del self._held[who]


@dataclass(eq=False)
class Body:
    """One request's, from its first byte until the request is answered."""

    who: str
    held: int = 0
    given_up: bool = False
    wait: asyncio.Timeout | None = None  # for its next part, while there is one to come


class Bodies:
    """attack: hundreds of bodies of a megabyte, each a byte short and another byte every half minute: memory, without
    an account. defence: bytes are bounded by neighbourhood and in all, and where all are taken it is the neighbourhood
    with the most that gives way, so that it can shut out itself alone."""

    def __init__(self, most_each: int = BODIES_EACH_BYTES, most: int = BODIES_BYTES) -> None:
        self.most_each, self.most = most_each, most
        self.held_by: Counter[str] = Counter()
        self._on_their_way: dict[Body, None] = {}  # oldest first

    @property
    def held(self) -> int:
        return self.held_by.total()

    def begin(self, address: str) -> Body:
        return Body(neighbourhood(address))

    def take(self, body: Body, size: int, more: bool) -> None:
        """`size` bytes of it have come. Raises RateLimited: 429 or 503."""
        if self.held_by[body.who] + size > self.most_each:
            raise _too_many("Your network is sending too much at once.", 429)
        if self.held + size > self.most:
            self._make_room(body.who, size)
        self.held_by[body.who] += size
        body.held += size
        if more:
            self._on_their_way[body] = None
        else:
            self._on_their_way.pop(body, None)

    def end(self, body: Body) -> None:
        """The request is answered, or given up."""
        self._on_their_way.pop(body, None)
        if body.held:
            self.held_by[body.who] -= body.held
            body.held = 0
            if not self.held_by[body.who]:
                del self.held_by[body.who]

    def _make_room(self, who: str, size: int) -> None:
        while self.held + size > self.most:
            most, _ = self.held_by.most_common(1)[0]
            left = next((body for body in self._on_their_way if body.who == most), None)
            if most == who or left is None:
                raise busy()
            left.given_up = True
            if left.wait is not None:
                left.wait.reschedule(0)  # nobody waits for its next part any longer
            self.end(left)


def busy() -> RateLimited:
    return _too_many("This server is receiving as much as it can right now.", 503)


def _too_many(message: str, status: int) -> RateLimited:
    return RateLimited(message, "Nothing was changed. Try again in a moment.", headers=RETRY, status=status)
