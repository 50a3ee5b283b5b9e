"""Tasks: what a web process asks of a worker and waits for. A lesson's cell, an exercise's cases, an author's check.

A task is no grading: no row waits for it, and it may be done twice. So it goes to one worker directly, and what comes
back is an answer. If the worker ends or falls silent, another is asked.

    web     ──task.<worker>──▶ worker      frames; the last one says that all have come
    worker  ──the web's inbox──▶ web       busy · steps · parts · the end
    worker  ──asks the inbox, each second──▶ is anybody still there? If not, the task is stopped

attack: a worker sends an answer without end, or one that is none, or says again and again that it is still at it.
defence: an answer has a largest size, a task has a deadline whatever is said, and what cannot be read is a failure of
that worker's.
"""

import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog

from app.queue.messages import LARGEST, LARGEST_FIELDS, Garbled, pack, unpack
from app.queue.nats import Broker, BrokerAway, Conversation
from app.queue.roster import Roster

log = structlog.get_logger("lectern.queue")

FRAME_BYTES = 512 << 10
LOOK_SECONDS = 0.25  # between two looks whether the worker is there, and whether anybody still wants to know
SILENT_SECONDS = 6.0  # without a word from a worker that says one each second: another is asked
MOST_STEPS, STEP_CHARACTERS = 10_000, 500
TRIES = 3  # workers that may be lost on a task
PART, LAST, STEP, BUSY, GONE, FAILED, END = b"p", b"l", b"s", b"b", b"g", b"f", b"e"
_LENGTH = struct.Struct(">I")


class NoWorker(Exception):
    """No worker is there that could do it, or the broker is away."""


class AllBusy(Exception):
    """Every worker that could do it has as many tasks as it takes."""


class TaskFailed(Exception):
    """A worker could not do it, or workers were lost on it. Our failure: it may be tried again."""


class NotWanted(Exception):
    """Nobody wants to know any more."""


@dataclass(frozen=True)
class Task:
    """`kind` is one of the workers' (taskwork.py); `fields` are JSON, `blob` is what is not. `frameworks` and
    `memory_mb`: what a worker must be able to do."""

    kind: str
    fields: Mapping[str, Any]
    blob: bytes = b""
    frameworks: tuple[str, ...] = ()
    memory_mb: int = 0


@dataclass
class Joined:
    """Frames, as they come."""

    parts: list[bytes] = field(default_factory=list)
    size: int = 0

    def add(self, part: bytes) -> None:
        """Raises Garbled where it becomes too large."""
        self.size += len(part)
        if self.size > LARGEST:
            raise Garbled("it is too large")
        self.parts.append(part)

    def read(self) -> tuple[dict[str, Any], bytes]:
        """The fields, and the blob. Raises Garbled."""
        data = b"".join(self.parts)
        if len(data) < _LENGTH.size:
            raise Garbled("it is cut short")
        end = _LENGTH.size + _LENGTH.unpack_from(data)[0]
        return unpack(data[_LENGTH.size : end], LARGEST_FIELDS), data[end:]


def frames(fields: Mapping[str, Any], blob: bytes, last: bytes) -> Iterator[bytes]:
    """What `Joined` puts together again; the last frame begins with `last`."""
    packed = pack(fields)
    data = _LENGTH.pack(len(packed)) + packed + blob
    for start in range(0, len(data), FRAME_BYTES):
        yield PART + data[start : start + FRAME_BYTES]
    yield last


def _needs(task: Task) -> str:
    memory = [f"{task.memory_mb} MB of memory"] if task.memory_mb else []
    needed = ", ".join([*task.frameworks, *memory])
    return f": it needs {needed}" if needed else ""


class Tasks:
    """The web's side. Every method may be called from any thread but the event loops'."""

    def __init__(self, broker: Broker, roster: Roster, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._broker, self._roster, self._clock = broker, roster, clock
        self._closed = threading.Event()

    def close(self) -> None:
        """Those who wait learn that nobody is there."""
        self._closed.set()

    def can_run(self) -> bool:
        """Whether a worker is there that does tasks."""
        return self._roster.pick((), 0) is not None

    def run(
        self,
        task: Task,
        seconds: float,
        on_step: Callable[[str], None] = lambda line: None,
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> tuple[dict[str, Any], bytes]:
        """The answer's fields and its blob, within `seconds`. `on_step` is told how far it is; `is_wanted` is asked
        four times a second. Raises NoWorker, AllBusy, TaskFailed, NotWanted."""
        deadline = self._clock() + seconds
        but: set[str] = set()
        was_busy, lost = False, 0
        while lost < TRIES:
            worker = self._roster.pick(task.frameworks, task.memory_mb, but)
            if worker is None:
                break
            but.add(worker)
            try:
                with self._roster.occupied(worker):
                    answer = self._ask(worker, task, deadline, on_step, is_wanted)
            except BrokerAway as away:
                raise NoWorker(f"the broker is away: {away}") from None
            except (_Gone, Garbled) as gone:
                lost += 1
                log.warning("task_lost", kind=task.kind, worker=worker, reason=str(gone), remedy="asking another")
                continue
            if answer is not None:
                return answer
            was_busy = True
        if was_busy:
            raise AllBusy
        if lost:
            raise TaskFailed("the workers that were asked are gone")
        raise NoWorker(f"no connected worker can do this{_needs(task)}")

    def _ask(
        self, worker: str, task: Task, deadline: float, on_step: Callable[[str], None], is_wanted: Callable[[], bool]
    ) -> tuple[dict[str, Any], bytes] | None:
        """None: it is busy. Raises _Gone, Garbled, BrokerAway, TaskFailed, NotWanted."""
        conversation = self._broker.converse()
        try:
            request = {"kind": task.kind, "fields": task.fields}
            conversation.say(self._broker.subject("task", worker), frames(request, task.blob, LAST))
            return self._listen(conversation, worker, deadline, on_step, is_wanted)
        finally:
            conversation.close()

    def _listen(
        self,
        conversation: Conversation,
        worker: str,
        deadline: float,
        on_step: Callable[[str], None],
        is_wanted: Callable[[], bool],
    ) -> tuple[dict[str, Any], bytes] | None:
        answer, heard_at, steps = Joined(), self._clock(), 0
        is_gone = threading.Event()
        while True:
            message = conversation.next(LOOK_SECONDS)
            if self._clock() > deadline:
                raise TaskFailed("it took too long")
            if self._closed.is_set():
                raise NoWorker("this process ends")
            if not is_wanted():
                raise NotWanted
            if message is None:
                self._require_life(worker, is_gone, heard_at)
                continue
            if message.says_nobody:
                self._roster.forget(worker)
                raise _Gone("nobody listens there")
            heard_at = self._clock()
            kind, rest = message.data[:1], message.data[1:]
            match kind:
                case b"":
                    message.answer(b"")  # it asks whether anybody is still there
                case b"s":
                    steps += 1
                    if steps > MOST_STEPS:
                        raise Garbled("it says too much")
                    on_step(rest[: 4 * STEP_CHARACTERS].decode("utf-8", "replace")[:STEP_CHARACTERS])
                case b"p":
                    answer.add(rest)
                case b"b":
                    return None
                case b"g":
                    self._roster.forget(worker)
                    raise _Gone("it ends")
                case b"f":
                    raise TaskFailed(rest.decode("utf-8", "replace"))
                case b"e":
                    return answer.read()
                case _:
                    raise Garbled("no frame of ours")

    def _require_life(self, worker: str, is_gone: threading.Event, heard_at: float) -> None:
        """Raises _Gone."""
        now = self._clock()
        if is_gone.is_set():
            self._roster.forget(worker)
            raise _Gone("it has ended")
        if now > heard_at + SILENT_SECONDS:
            raise _Gone("it is silent")
        self._broker.probe(self._broker.subject("probe", worker), 4 * LOOK_SECONDS, is_gone.set)


class _Gone(Exception):
    """The worker that was asked is there no more."""
