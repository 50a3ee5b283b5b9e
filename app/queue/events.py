"""Nudges from worker threads to those who wait for a submission on the event loop.

A nudge carries the id of a submission, and whether it is finished: no row, so that one can come from another process
too. A follower reads the row again, so a lost, late or doubled nudge can show nothing false, and nothing is kept for
those who went away.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool

from app.practice.submissions import Shown
from app.web.errors import NotFound
from graders.cache import RecentCache

# A queue position moves without a nudge of its own, and a nudge is never relied on: look again this often.
LOOK_AGAIN_SECONDS = 2.0
REMEMBERED = 1024  # submissions that finished most recently


@dataclass(eq=False)
class _Listener:
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    finished: asyncio.Event = field(default_factory=asyncio.Event)


class Events:
    """Made on any thread, opened on the event loop; `announce` may be called from any thread at any time."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listeners: dict[int, set[_Listener]] = {}
        self._closing = False
        self._finished: RecentCache[int, bool] = RecentCache(REMEMBERED)

    def open(self) -> None:
        self._loop, self._closing = asyncio.get_running_loop(), False

    def close(self) -> None:
        """Every stream and every wait ends now. Safe in a signal handler."""
        self._closing = True
        self._call(self._wake_all)

    @property
    def listeners(self) -> int:
        return sum(len(listeners) for listeners in self._listeners.values())

    def announce(self, submission_id: int, *, finished: bool = False) -> None:
        """Called after the commit: what changed is in the row."""
        self._call(self._wake, submission_id, finished)

    async def follow(self, submission_id: int, read: Callable[[], Shown]) -> AsyncIterator[Shown]:
        """What `read` finds, each time it is something new, until the submission is finished or the server stops.

        `read` runs in a thread and opens and closes its own session: none is held while we wait.
        """
        before = None
        with self._listening(submission_id) as listener:
            while not self._closing:
                listener.changed.clear()
                try:
                    shown = await run_in_threadpool(read)
                except NotFound:
                    return  # its author signed in meanwhile: the guest whose it was is gone
                if (current := shown.public()) != before:
                    before = current
                    yield shown
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

        deadline = time.monotonic() + seconds
        with self._listening(submission_id) as listener:
            # What finished before we listened is remembered for a while; else there is nothing to read yet.
            if submission_id not in self._finished and not self._closing:
                await _within(listener.finished, min(seconds, LOOK_AGAIN_SECONDS))
                listener.finished.clear()
            shown = await found()
            while not shown.is_finished and not self._closing and (left := deadline - time.monotonic()) > 0:
                await _within(listener.finished, min(left, LOOK_AGAIN_SECONDS))
                listener.finished.clear()
                shown = await found()
            return shown

    @contextmanager
    def _listening(self, submission_id: int) -> Iterator[_Listener]:
        listener = _Listener()
        self._listeners.setdefault(submission_id, set()).add(listener)
        try:
            yield listener
        finally:
            listeners = self._listeners[submission_id]
            listeners.discard(listener)
            if not listeners:
                del self._listeners[submission_id]

    def _call(self, wake: Callable[..., None], *details: object) -> None:
        if self._loop is not None:
            try:
                self._loop.call_soon_threadsafe(wake, *details)
            except RuntimeError:  # the loop closed: nobody listens any more
                self._loop = None

    def _wake(self, submission_id: int, finished: bool) -> None:
        if finished:
            self._finished.put(submission_id, True)
        for listener in self._listeners.get(submission_id, ()):
            listener.changed.set()
            if finished:
                listener.finished.set()

    def _wake_all(self) -> None:
        for submission_id in list(self._listeners):
            self._wake(submission_id, True)


async def _within(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        pass
