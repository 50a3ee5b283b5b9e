"""Nudges from other threads to those who wait on the event loop: for a submission, or for whatever else has a key.

A nudge carries a submission's id, or another thing's key, and whether it is finished: no row, so that one can come
from another process too. A follower reads the row again, so a lost, late or doubled nudge can show nothing false, and
nothing is kept for those who went away.
"""

import asyncio
import hashlib
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from starlette.concurrency import run_in_threadpool

from app.practice.submissions import Shown
from app.web.errors import NotFound
from graders.cache import RecentCache

# A queue position moves without a nudge of its own, and a nudge is never relied on: look again this often.
LOOK_AGAIN_SECONDS = 2.0
REMEMBERED = 1024  # submissions that finished most recently

Key = int | str  # a submission's id; another thing's name


class Followable(Protocol):
    """What is shown of a thing, as of now."""

    @property
    def is_finished(self) -> bool: ...

    def public(self) -> object:
        """Equal for what looks the same."""


F = TypeVar("F", bound=Followable)


@dataclass(eq=False)
class _Listener:
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    finished: asyncio.Event = field(default_factory=asyncio.Event)


class Events:
    """Made on any thread, opened on the event loop; `announce` may be called from any thread at any time."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listeners: dict[Key, set[_Listener]] = {}
        self._followers: Counter[Key] = Counter()  # by key; `until_finished` waits for the end alone
        self._closing = False
        self._finished: RecentCache[Key, bool] = RecentCache(REMEMBERED)

    def open(self) -> None:
        self._loop, self._closing = asyncio.get_running_loop(), False

    def close(self) -> None:
        """Every stream and every wait ends now. Safe in a signal handler."""
        self._closing = True
        self._call(self._wake_all)

    @property
    def listeners(self) -> int:
        return sum(len(listeners) for listeners in self._listeners.values())

    def announce(self, key: Key, *, finished: bool = False) -> None:
        """Called after the commit: what changed is in the row. A follower that begins later reads it there."""
        if finished or key in self._followers:  # else the loop, which has one thread, would wake up for nobody
            self._call(self._wake, key, finished)

    async def follow(self, key: Key, read: Callable[[], F], after: str | None = None) -> AsyncIterator[tuple[str, F]]:
        """What `read` finds, each time it is something new, until it is finished or the server stops; each with its id.

        `after`: the id of the last one that a stream has had which was cut off. An id is made of what is shown, and so
        any process knows it: a stream goes on at whichever it reaches, with what is shown now, unless that is the same.

        `read` runs in a thread and opens and closes its own session: none is held while we wait.
        """
        before = after
        with self._listening(key) as listener, self._following(key):
            while not self._closing:
                listener.changed.clear()
                try:
                    shown = await run_in_threadpool(read)
                except NotFound:
                    return  # its author signed in meanwhile: the guest whose it was is gone
                if (current := id_of(shown.public())) != before:
                    before = current
                    yield current, shown
                if shown.is_finished:
                    return
                await _within(listener.changed, LOOK_AGAIN_SECONDS)

    async def until_finished(
        self,
        submission_id: int,
        read: Callable[[], Shown],
        seconds: float,
        recall: Callable[[int], Shown | None],
    ) -> Shown:
        """The submission when it is finished, or as it stands when time is up. Holds neither thread nor session.

        `recall` is asked first, and on the event loop: it has what was written in this process a moment ago.
        """

        async def found() -> Shown:
            recalled = recall(submission_id)
            return recalled if recalled is not None else await run_in_threadpool(read)

        deadline = self._clock() + seconds
        with self._listening(submission_id) as listener:
            # What finished before we listened is remembered for a while; else there is nothing to read yet.
            if submission_id not in self._finished and not self._closing:
                await _within(listener.finished, min(seconds, LOOK_AGAIN_SECONDS))
                listener.finished.clear()
            shown = await found()
            while not shown.is_finished and not self._closing and (left := deadline - self._clock()) > 0:
                await _within(listener.finished, min(left, LOOK_AGAIN_SECONDS))
                listener.finished.clear()
                shown = await found()
            return shown

    @contextmanager
    def _listening(self, key: Key) -> Iterator[_Listener]:
        listener = _Listener()
        self._listeners.setdefault(key, set()).add(listener)
        try:
            yield listener
        finally:
            listeners = self._listeners[key]
            listeners.discard(listener)
            if not listeners:
                del self._listeners[key]

    @contextmanager
    def _following(self, key: Key) -> Iterator[None]:
        self._followers[key] += 1
        try:
            yield
        finally:
            self._followers[key] -= 1
            if not self._followers[key]:
                del self._followers[key]

    def _call(self, wake: Callable[..., None], *details: object) -> None:
        if self._loop is not None:
            try:
                self._loop.call_soon_threadsafe(wake, *details)
            except RuntimeError:  # the loop closed: nobody listens any more
                self._loop = None

    def _wake(self, key: Key, finished: bool) -> None:
        if finished:
            self._finished.put(key, True)
        for listener in self._listeners.get(key, ()):
            listener.changed.set()
            if finished:
                listener.finished.set()

    def _wake_all(self) -> None:
        for key in list(self._listeners):
            self._wake(key, True)


def id_of(public: object) -> str:
    """Equal for what looks the same, in every process."""
    text = json.dumps(public, sort_keys=True, separators=(",", ":"), default=repr)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


async def _within(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        pass
