"""Passwords are hashed beside the pages: in threads of their own, for a line that ends, in turns.

attack: two hundred sign-ins at once. Each takes a core for a while and 64 MiB on purpose; in the threads that make
pages they would hold them all, and everybody waits who only reads.
defence: a page's thread never hashes. What waits for a hash holds neither a thread nor a database session, the line
has an end, neighbourhoods take turns in it, and the threads that hash give way to those that make pages.
"""

import asyncio
import contextlib
import os
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from app.web.errors import RateLimited
from app.web.limits import neighbourhood

T = TypeVar("T")

PLACES_PER_CORE = 64  # a class that signs in at the same moment waits some seconds, and nobody is sent away
THREADS_MAX = 8  # of 64 MiB each while they hash
NICENESS = 5
RETRY_SECONDS = 5


class Hashing:
    """`await run(address, work)`: the result of `work`, done in a thread of this pool."""

    def __init__(self, threads: int | None = None, places: int | None = None) -> None:
        cores = os.cpu_count() or 1
        self.places = places or PLACES_PER_CORE * cores
        self._threads_max = threads or max(1, min(THREADS_MAX, cores // 2))  # argon2 uses more than one core by itself
        self._lines: OrderedDict[str, deque[_Job]] = OrderedDict()  # the neighbourhood whose turn it is stands first
        self._waiting = self._idle = 0
        self._threads: list[threading.Thread] = []
        self._changed = threading.Condition()
        self._closed = False

    async def run(self, address: str, work: Callable[[], T]) -> T:
        """Raises RateLimited, as 503, when the line is full; and whatever `work` raises."""
        loop = asyncio.get_running_loop()
        job = _Job(work, loop, loop.create_future())
        with self._changed:
            self._stand_in_line(neighbourhood(address), job)
            if not self._idle and len(self._threads) < self._threads_max:
                thread = threading.Thread(target=self._work, name="hashing", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._changed.notify()
        found: T = await job.future
        return found

    def close(self) -> None:
        """Everyone who still waits is answered 503."""
        with self._changed:
            self._closed = True
            left = [job for line in self._lines.values() for job in line]
            self._lines.clear()
            self._waiting = 0
            self._changed.notify_all()
        for job in left:
            job.fail(_full())

    def _stand_in_line(self, who: str, job: "_Job") -> None:
        """attack: one address fills the line. defence: who comes with a shorter line of their own takes the last place
        of the longest, so that an address can shut out itself alone."""
        if self._closed:
            raise _full()
        if self._waiting >= self.places:
            longest = max(self._lines.values(), key=len)
            if len(longest) <= len(self._lines.get(who, ())) + 1:
                raise _full()
            longest.pop().fail(_full())
            self._waiting -= 1
        self._lines.setdefault(who, deque()).append(job)
        self._waiting += 1

    def _work(self) -> None:
        with contextlib.suppress(OSError):  # on Linux the priority is the thread's own, and of those that it starts
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        while (job := self._next()) is not None:
            job.do()

    def _next(self) -> "_Job | None":
        """Of the neighbourhood whose turn it is; None when this ends."""
        with self._changed:
            self._idle += 1
            self._changed.wait_for(lambda: self._lines or self._closed)
            self._idle -= 1
            if self._closed:
                return None
            who, line = self._lines.popitem(last=False)
            job = line.popleft()
            self._waiting -= 1
            if line:
                self._lines[who] = line
            return job


@dataclass(frozen=True)
class _Job:
    work: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]

    def do(self) -> None:
        try:
            result = self.work()
        except Exception as error:  # noqa: BLE001 (raised again where it is waited for)
            self.fail(error)
        else:
            self._tell(self.future.set_result, result)

    def fail(self, error: Exception) -> None:
        self._tell(self.future.set_exception, error)

    def _tell(self, settle: Callable[[Any], None], what: Any) -> None:
        def tell() -> None:
            if not self.future.done():
                settle(what)

        with contextlib.suppress(RuntimeError):  # the server has ended meanwhile, and nobody waits
            self.loop.call_soon_threadsafe(tell)


def _full() -> RateLimited:
    return RateLimited(
        "Too many people are signing in right now.",
        f"Nothing was changed. Try again in {RETRY_SECONDS} s.",
        headers={"Retry-After": str(RETRY_SECONDS)},
        status=503,
    )
