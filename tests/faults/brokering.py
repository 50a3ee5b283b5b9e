"""Web processes without pages, and workers without a database, each a process that a test may kill or stop."""

import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from multiprocessing.synchronize import Event
from pathlib import Path

from app.db import Database
from app.queue.brokered import BrokeredQueue
from app.queue.events import Events
from app.queue.messages import Beat
from app.queue.nats import Broker, Message
from app.queue.workshop import Workshop
from app.reading.catalog import Catalog
from app.settings import Settings
from app.web.metrics import Metrics
from tests.faults.processes import started
from tests.forked import forkserver
from tests.waiting import LIMIT_SECONDS, until


@contextmanager
def worker(queue: str, folder: Path, beat_seconds: float = 5.0) -> Iterator[ForkServerProcess]:
    """A worker with one thread, whose boxes are warm."""
    ready = forkserver.Event()
    with started(forkserver.Process(target=_work, args=(queue, folder, beat_seconds, ready)), ready) as process:
        yield process


def _work(queue: str, folder: Path, beat_seconds: float, ready: Event) -> None:
    logging.getLogger("lectern").setLevel(logging.ERROR)
    settings = Settings(queue=queue, data=folder, cache=folder / "cache", workers=1)
    workshop = Workshop(settings, ("numpy",), beat_seconds)
    workshop.start()
    until(workshop.judge.ready)
    ready.set()
    signal.pause()


@contextmanager
def web(queue: str, database: str, lease_seconds: float = 15.0) -> Iterator[ForkServerProcess]:
    """What a web process has of the queue: it hands out if it leads, and writes down what workers reply."""
    ready = forkserver.Event()
    with started(forkserver.Process(target=_record, args=(queue, database, lease_seconds, ready)), ready) as process:
        yield process


def _record(queue: str, url: str, lease_seconds: float, ready: Event) -> None:
    logging.getLogger("lectern").setLevel(logging.ERROR)
    database = Database(url)
    broker = Broker(queue, "web")
    BrokeredQueue(database, Catalog(database), Events(), Metrics(), None, broker, lease_seconds=lease_seconds).start()
    ready.set()
    signal.pause()


def until_let_go(queue: str, worker: str, grading_id: int, resume: Callable[[], None]) -> None:
    """Let a worker that stands still go on, and wait until it has nothing more to say of this grading.

    What it holds is in its beats. It replies before its next beat, and a reply is kept until a recorder has seen to it.
    """
    spy, held = Broker(queue, "spy"), list[set[int]]()

    def on_beat(message: Message) -> None:
        held.append({grading_id for grading_id, _ in Beat.decoded(message.data).held})

    assert spy.open(LIMIT_SECONDS)
    try:
        spy.listen(spy.subject("beat", worker), on_beat)
        resume()
        until(lambda: held and grading_id not in held[-1], lambda: f"it holds {held[-1:]}")
        until(lambda: spy.streams()[spy.stream("replies")] == 0, "replies are not recorded")
    finally:
        spy.close()
