"""The queue over a broker: how long until a worker starts, and how long until another does when it is killed.

    .venv/bin/python -P benchmarks/brokered.py [--times 300] [--kills 20]

Needs PostgreSQL (LECTERN_TEST_POSTGRES, or postgres at 127.0.0.1) and nats-server, which it starts on a port and in a
folder of its own. The first figure is of two processes, a web's and a worker's: what is timed is `put` → leader → the
row taken and committed → the answer to the thread that asks → `claim` returns there. The second kills the process that
holds a grading, by SIGKILL, and asks the row until another has it.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app.db import Database  # noqa: E402
from app.people.users import add_guest  # noqa: E402
from app.practice.gradings import Grading  # noqa: E402
from app.practice.submissions import read_order, submit  # noqa: E402
from app.queue.brokered import BrokeredQueue  # noqa: E402
from app.queue.events import Events  # noqa: E402
from app.queue.exercises import FetchedExercises  # noqa: E402
from app.queue.nats import Broker  # noqa: E402
from app.queue.remote import RemoteJobs  # noqa: E402
from app.queue.turns import Waiting  # noqa: E402
from app.reading.catalog import Catalog  # noqa: E402
from app.web import log  # noqa: E402
from app.web.metrics import Metrics  # noqa: E402
from graders.exercise.limits import CEILINGS  # noqa: E402
from graders.grade import Finished  # noqa: E402
from graders.verdict import State, SubmissionResult, Verdict  # noqa: E402
from tests.broker import running_broker  # noqa: E402
from tests.conftest import scratch_postgres  # noqa: E402
from tests.server_process import one_exercise  # noqa: E402

RIGHT = SubmissionResult(Verdict.accepted, 1.0, "", None, None, ())
SLEEPS = "import time\ndef doubled(x):\n    time.sleep(1.5)\n    return 2 * x\n"


class Course:
    """A database with one exercise, and the queue over it as one web process has it."""

    def __init__(self, database_url: str, queue: str, folder: Path, slots: int = 0) -> None:
        """`slots`: the threads of this process that judge."""
        self.db = Database(database_url.replace("postgresql://", "postgresql+psycopg://"))
        self.db.migrate()
        self.catalog = Catalog(self.db)
        self.catalog.import_folders([one_exercise(folder)], [])
        broker = Broker(queue, "benchmark")
        self.jobs = RemoteJobs(broker, FetchedExercises(broker, None, CEILINGS), slots=slots)
        own = self.jobs if slots else None
        self.queue = BrokeredQueue(self.db, self.catalog, Events(), Metrics(), None, broker, own)
        self.queue.start()

    def send(self, source: str) -> Waiting:
        slug = next(iter(self.catalog.exercises))
        with self.db.writing() as db:
            user = add_guest(db)
            order = read_order(self.catalog.exercises[slug], source)
            _, grading = submit(db, user, order, self.catalog.snapshot_ids[slug], None)
        return Waiting(grading.id, grading.submission_id, user.id, neighbourhood=f"n{user.id}")

    def row(self, sent: Waiting) -> Grading:
        with self.db.reading() as db:
            return db.get_one(Grading, sent.grading_id)


def claims(queue: str) -> None:
    """In a process of its own, as `lectern worker` is: claims, says when (by the clock that all processes share), and
    accepts whatever it is."""
    broker = Broker(queue, "benchmark-worker")
    jobs = RemoteJobs(broker, FetchedExercises(broker, None, CEILINGS))
    assert broker.open()
    jobs.start()
    while True:
        if (job := jobs.claim(5)) is not None:
            print(time.perf_counter(), flush=True)
            jobs.record(job, Finished(RIGHT))


def started_after(course: Course, queue: str, times: int) -> list[float]:
    """Milliseconds from `put` until `claim` returns in the worker's process, one at a time."""
    taken = []
    command = [sys.executable, "-P", __file__, "--claims", queue]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process, ExitStack() as stack:
        stack.callback(process.kill)
        assert process.stdout is not None
        for _ in range(times):
            time.sleep(0.03)  # it waits, as an idle worker does
            sent = course.send("x = 1")  # and the web puts what it has just stored
            began = time.perf_counter()
            course.queue.put(sent)
            taken.append((float(process.stdout.readline()) - began) * 1000)
            while course.row(sent).state != State.finished:
                time.sleep(0.005)
    return taken[times // 10 :]


def worker(queue: str, folder: Path, number: int) -> tuple[subprocess.Popen[bytes], str]:
    """A worker with one thread, and its name in the rows."""
    log = folder / f"worker-{number}.log"
    environment = {**os.environ, "LECTERN_QUEUE": queue, "LECTERN_DATA": str(folder / f"worker-{number}")}
    environment |= {"LECTERN_CACHE": str(folder / "cache")}
    command = [sys.executable, "-P", "-m", "app", "worker", "--workers", "1", "--frameworks", "numpy"]
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
    while (found := re.search(r"worker=(\S+)", log.read_text())) is None:
        assert process.poll() is None, log.read_text()
        time.sleep(0.05)
    return process, found[1]


def taken_over_after(course: Course, queue: str, folder: Path, kills: int) -> list[float]:
    """Milliseconds from the death of the process that holds a grading until another has it."""
    workers = {name: process for process, name in (worker(queue, folder, number) for number in range(2))}
    taken = []
    for number in range(kills):
        sent = course.send(SLEEPS)
        while (row := course.row(sent)).state != State.running:
            time.sleep(0.005)
        victim = workers.pop(str(row.owner))
        began = time.perf_counter()
        victim.send_signal(signal.SIGKILL)
        while (row := course.row(sent)).attempt < 2 or row.state == State.queued:
            time.sleep(0.002)
        taken.append((time.perf_counter() - began) * 1000)
        victim.wait()
        process, name = worker(queue, folder, number + 2)
        workers[name] = process
        while course.row(sent).state != State.finished:
            time.sleep(0.01)
    for process in workers.values():
        process.kill()
    return taken


def told(name: str, figures: list[float]) -> None:
    figures = sorted(figures)
    p95, most = figures[int(len(figures) * 0.95) - 1], figures[-1]
    print(f"{name}: p50 {median(figures):.2f} ms, p95 {p95:.2f}, most {most:.2f} ({len(figures)} times)")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--claims", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    log.configure()  # as servers and workers do: what is not shown costs nothing
    if chosen.claims:
        claims(chosen.claims)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(running_broker(folder / "broker"))
        course = Course(stack.enter_context(scratch_postgres()), server.url("start"), folder)
        told("from put to a worker's start", started_after(course, server.url("start"), chosen.times))
        course.queue.close()
        if not chosen.kills:
            return
        course = Course(stack.enter_context(scratch_postgres()), server.url("kill"), folder)
        told(
            "from a worker's death to the next one's start",
            taken_over_after(course, server.url("kill"), folder, chosen.kills),
        )
        course.queue.close()


if __name__ == "__main__":
    main()
