"""Web processes without pages, and workers without a database, each a process that a test may kill or stop."""

import logging
import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from multiprocessing.synchronize import Event
from pathlib import Path

from app.db import Database
from app.queue.brokered import BrokeredQueue
from app.queue.events import Events
from app.queue.nats import Broker
from app.queue.workshop import Workshop
from app.reading.catalog import Catalog
from app.settings import Settings
from app.web.metrics import Metrics

START_SECONDS = 120.0
_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload([__name__])


@contextmanager
def _started(process: ForkServerProcess, is_ready: Event) -> Iterator[ForkServerProcess]:
    """From when it says that it is ready until the end of the block, which kills it."""
    process.start()
    try:
        deadline = time.monotonic() + START_SECONDS
        while not is_ready.wait(0.1):
            assert process.is_alive(), process.exitcode
            assert time.monotonic() < deadline
        yield process
    finally:
        process.kill()
        process.join()


@contextmanager
def worker(queue: str, folder: Path, beat_seconds: float = 5.0) -> Iterator[ForkServerProcess]:
    """A worker with one thread, whose boxes are warm."""
    ready = _processes.Event()
    with _started(_processes.Process(target=_work, args=(queue, folder, beat_seconds, ready)), ready) as process:
        yield process


def _work(queue: str, folder: Path, beat_seconds: float, ready: Event) -> None:
    logging.getLogger("lectern").setLevel(logging.ERROR)
    settings = Settings(queue=queue, data=folder, cache=folder / "cache", workers=1)
    workshop = Workshop(settings, ("numpy",), beat_seconds)
    workshop.start()
    while not workshop.judge.ready():
        time.sleep(0.01)
    ready.set()
    while True:
        time.sleep(60)  # until it is killed


@contextmanager
def web(queue: str, database: str, lease_seconds: float = 15.0) -> Iterator[ForkServerProcess]:
    """What a web process has of the queue: it hands out if it leads, and writes down what workers reply."""
    ready = _processes.Event()
    with _started(_processes.Process(target=_record, args=(queue, database, lease_seconds, ready)), ready) as process:
        yield process


def _record(queue: str, url: str, lease_seconds: float, ready: Event) -> None:
    logging.getLogger("lectern").setLevel(logging.ERROR)
    database = Database(url)
    broker = Broker(queue, "web")
    BrokeredQueue(database, Catalog(database), Events(), Metrics(), None, broker, lease_seconds=lease_seconds).start()
    ready.set()
    while True:
        time.sleep(60)  # until it is killed
