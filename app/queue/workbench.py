"""A worker's side of tasks.py: takes what web processes ask of it, does so much at a time, and answers.

attack: a web process has more to ask than a worker can do. defence: each kind of work has its threads and a bounded
line; beyond that the worker says that it is busy, and another is asked. Nothing waits here that nobody waits for: once
a second each asker is asked whether it still listens.
"""

import queue
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog

from app.queue.messages import Garbled
from app.queue.nats import Broker, Message
from app.queue.tasks import BUSY, END, FAILED, GONE, LAST, PART, STEP, Joined, NotWanted, frames
from graders.boxes.keeper import JudgeUnavailable
from graders.boxes.patience import Stale
from graders.boxes.sandbox import BoxLost
from graders.cell import Busy

log = structlog.get_logger("lectern.tasks")

TEND_SECONDS = 1.0
PARTIAL_SECONDS = 60.0  # after which a request that was never whole is forgotten
MOST_PARTIAL = 256
MOST_FAILURE_CHARACTERS = 500


@dataclass(eq=False)
class Request:
    """A task that is here: what it asks for, and the way back to who asked."""

    fields: dict[str, Any]
    blob: bytes
    say: Callable[[str], None]  # how far it is
    is_stale: Callable[[], bool]


Answer = tuple[Mapping[str, Any], bytes]
Work = Callable[[Request], Answer]


@dataclass(frozen=True)
class Lane:
    """Kinds of work that share `threads`; so many more wait in `line`."""

    kinds: Mapping[str, Work]
    threads: int
    line: int = 0


@dataclass(eq=False)
class _Here:
    inbox: str
    kind: str
    request: Request
    stale: threading.Event


@dataclass(eq=False)
class _Partial:
    began: float
    joined: Joined = field(default_factory=Joined)


class Workbench:
    """`subject`: where tasks come in."""

    def __init__(
        self, broker: Broker, subject: str, lanes: list[Lane], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._broker, self._subject, self._clock = broker, subject, clock
        self._partial: dict[str, _Partial] = {}  # by asker; on the broker's loop alone
        self._here: dict[str, _Here] = {}  # by asker
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._lines: dict[str, tuple[Work, queue.SimpleQueue[_Here | None], threading.BoundedSemaphore]] = {}
        self._threads = [threading.Thread(target=self._tend, name="lectern-tasks", daemon=True)]
        self._ends: list[queue.SimpleQueue[_Here | None]] = []
        for lane in lanes:
            line: queue.SimpleQueue[_Here | None] = queue.SimpleQueue()
            places = threading.BoundedSemaphore(lane.threads + lane.line)
            self._lines.update({kind: (work, line, places) for kind, work in lane.kinds.items()})
            self._ends += [line] * lane.threads
            name = f"lectern-{next(iter(lane.kinds))}"
            self._threads += [
                threading.Thread(target=self._serve, args=(line, places), name=name, daemon=True)
                for _ in range(lane.threads)
            ]

    def start(self) -> None:
        self._broker.listen(self._subject, self._on_frame)
        for thread in self._threads:
            thread.start()

    def close(self, seconds: float = 1.0) -> None:
        """Those who wait are told that this worker ends, and ask another."""
        self._closed.set()
        with self._lock:
            here = list(self._here.values())
        for each in here:
            each.stale.set()
            self._broker.tell(each.inbox, GONE)
        for line in self._ends:
            line.put(None)
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, deadline - time.monotonic()))

    # ---- what comes in, on the broker's loop ----

    def _on_frame(self, message: Message) -> None:
        asker = message.asker
        if not asker:
            return
        if message.data[:1] == PART:
            if asker not in self._partial:
                self._forget_partial()
            try:
                self._partial.setdefault(asker, _Partial(self._clock())).joined.add(message.data[1:])
            except Garbled:
                del self._partial[asker]
        elif message.data[:1] == LAST:
            partial = self._partial.pop(asker, None)
            if partial is None or not self._take(asker, partial.joined):
                self._broker.tell(asker, BUSY)

    def _forget_partial(self) -> None:
        since = self._clock() - PARTIAL_SECONDS
        self._partial = {one: partial for one, partial in self._partial.items() if partial.began > since}
        while len(self._partial) >= MOST_PARTIAL:
            del self._partial[next(iter(self._partial))]

    def _take(self, asker: str, joined: Joined) -> bool:
        """Whether it will be done here. Raises nothing: what cannot be read is refused."""
        try:
            fields, blob = joined.read()
            kind, its = str(fields["kind"]), dict(fields["fields"])
        except (Garbled, KeyError, TypeError, ValueError) as garbled:
            log.error("task_garbled", reason=str(garbled))
            return False
        if kind not in self._lines or self._closed.is_set():
            return False
        _, line, places = self._lines[kind]
        if not places.acquire(blocking=False):
            return False
        stale = threading.Event()
        request = Request(its, blob, lambda text: self._broker.tell(asker, STEP + text.encode()), stale.is_set)
        here = _Here(asker, kind, request, stale)
        with self._lock:
            self._here[asker] = here
        line.put(here)
        return True

    # ---- its threads ----

    def _serve(self, line: "queue.SimpleQueue[_Here | None]", places: threading.BoundedSemaphore) -> None:
        while (here := line.get()) is not None:
            try:
                if not here.stale.is_set():
                    self._do(here)
            finally:
                with self._lock:
                    self._here.pop(here.inbox, None)
                places.release()

    def _do(self, here: _Here) -> None:
        work = self._lines[here.kind][0]
        try:
            fields, blob = work(here.request)
            for frame in frames(fields, blob, END):
                self._broker.tell(here.inbox, frame)
        except Busy:
            self._broker.tell(here.inbox, BUSY)
        except (Stale, NotWanted):
            pass
        except (BoxLost, JudgeUnavailable) as error:
            self._fail(here, f"{type(error).__name__}: {error}")
        except Exception as error:
            log.exception("task_failed", kind=here.kind)
            self._fail(here, f"{type(error).__name__}: {error}")

    def _fail(self, here: _Here, reason: str) -> None:
        if not self._closed.is_set():  # else it was told to ask another
            log.warning("task_not_done", kind=here.kind, reason=reason)
            self._broker.tell(here.inbox, FAILED + reason[:MOST_FAILURE_CHARACTERS].encode("utf-8", "replace"))

    def _tend(self) -> None:
        """Says to each asker that it is being worked on, and learns who has gone."""
        while not self._closed.wait(TEND_SECONDS):
            with self._lock:
                here = list(self._here.values())
            for each in here:
                self._broker.probe(each.inbox, TEND_SECONDS, each.stale.set)
