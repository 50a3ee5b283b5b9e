"""What the server starts for judging, without its pages, as a process of its own that a test may kill or stop.

Forked from one process that has imported everything and started nothing: to import it again would cost more than all
the rest of a start.
"""

import logging
import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from multiprocessing.synchronize import Event
from pathlib import Path

from app.db import Database
from app.queue.events import Events
from app.queue.leases import LEASE_SECONDS
from app.queue.local import LocalQueue
from app.reading.catalog import Catalog
from app.web.metrics import Metrics
from graders.boxes.cgroups import ControlGroup
from graders.boxes.pool import Judge
from graders.worker import Worker

START_SECONDS = 60.0
_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload([__name__])


@contextmanager
def _started(process: ForkServerProcess, is_ready: Event) -> Iterator[None]:
    """From when it says that it is ready until the end of the block, which kills it."""
    process.start()
    try:
        deadline = time.monotonic() + START_SECONDS
        while not is_ready.wait(0.1):
            assert process.is_alive(), process.exitcode
            assert time.monotonic() < deadline
        yield
    finally:
        process.kill()
        process.join()


@contextmanager
def judging(
    folder: Path, group: ControlGroup | None = None, lease_seconds: float = LEASE_SECONDS
) -> Iterator[ForkServerProcess]:
    """A process that judges what waits in the database in `folder`, with a box that is warm already; in `group`, with
    all that it starts."""
    begun = _processes.Event()
    groups = group and list(group.folders.values())
    process = _processes.Process(target=_judge, args=(folder, begun, groups, lease_seconds))
    with _started(process, begun):
        yield process


def _judge(folder: Path, begun: Event, groups: list[Path] | None, lease_seconds: float) -> None:
    for group in groups or ():
        (group / "cgroup.procs").write_text("0")  # the process that writes
    logging.getLogger("lectern").setLevel(logging.ERROR)
    db = Database(f"sqlite+pysqlite:///{folder / 'lectern.sqlite3'}")
    catalog = Catalog(db)
    catalog.import_folders([folder / "exercises"], [folder / "lessons"])
    queue = LocalQueue(db, catalog, Events(), Metrics(), lease_seconds=lease_seconds)
    queue.start()
    judge = Judge(folder / "cache", frameworks=["numpy"], parked={"numpy": 1})
    judge.start()
    while not judge.ready():
        time.sleep(0.01)
    Worker(queue, judge).start()
    begun.set()
    while True:
        time.sleep(60)  # until it is killed


@contextmanager
def claiming(url: str, lease_seconds: float) -> Iterator[ForkServerProcess]:
    """A process that has claimed what is next in this database, and holds it until it is killed."""
    claimed = _processes.Event()
    process = _processes.Process(target=_claim, args=(url, lease_seconds, claimed))
    with _started(process, claimed):
        yield process


def _claim(url: str, lease_seconds: float, claimed: Event) -> None:
    db = Database(url)
    queue = LocalQueue(db, Catalog(db), Events(), Metrics(), lease_seconds=lease_seconds)
    queue.start()
    if queue.claim(START_SECONDS) is not None:
        claimed.set()
    while True:
        time.sleep(60)  # until it is killed
