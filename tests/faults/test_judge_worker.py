"""A worker killed or stopped while it judges, a submission that does so each time, an exercise that is broken.

Real processes over a real database: what the server starts for judging, without its pages. The queue is in process, so
that a worker that dies takes its server with it, and the next start finds what it left in the rows.
"""

import logging
import os
import resource
import signal
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import pytest

from app.db import Database
from app.people.users import add_guest
from app.practice.gradings import Grading
from app.practice.submissions import read_order, submit
from app.queue.events import Events
from app.queue.local import LocalQueue
from app.queue.turns import Waiting
from app.reading.catalog import Catalog
from app.web.metrics import Metrics
from benchmarks.processes import descendants
from graders.boxes.cgroups import ControlGroup, ControlGroups
from graders.boxes.pool import Judge
from graders.verdict import State, Verdict
from graders.worker import Worker
from tests.conftest import used_bytes
from tests.faults.judging import Halt, judging
from tests.faults.processes import until_gone
from tests.graders.conftest import DOUBLED_FILES, make_exercise
from tests.needs import missing
from tests.waiting import until

RIGHT = "def doubled(x):\n    return 2 * x\n"
SLOW = "import time\ndef doubled(x):\n    time.sleep(0.08)\n    return 2 * x\n"
TELLS = SLOW.replace("    time", "    print('at work', flush=True)\n    time")
EATS = "def doubled(x):\n    kept = bytearray(b'x') * (250 << 20)\n    return 2 * x\n"
CASES = 5  # three, and two that are drawn
SPARE_MB = 24  # not enough for an array of 36 MB
THREADS = 1000


def patient_toml(wall_seconds: int) -> str:
    return DOUBLED_FILES["exercise.toml"].replace("wall_seconds = 2", f"wall_seconds = {wall_seconds}")


class Desk:
    """A database with one exercise, to which submissions are handed in; its limits of time are nobody's concern."""

    def __init__(self, folder: Path, **files: str) -> None:
        self.folder = folder
        files.setdefault("exercise_toml", patient_toml(wall_seconds=10))
        for name, data in make_exercise(**files).files.items():
            path = folder / "exercises" / "doubled" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        self.db = Database(f"sqlite+pysqlite:///{folder / 'lectern.sqlite3'}")
        self.db.migrate()
        self.catalog = Catalog(self.db)
        self.catalog.import_folders([folder / "exercises"], [folder / "lessons"])
        with self.db.writing() as db:
            self.user = add_guest(db)

    def send(self, source: str) -> Waiting:
        with self.db.writing() as db:
            order = read_order(self.catalog.exercises["doubled"], source)
            _, grading = submit(db, self.user, order, self.catalog.snapshot_ids["doubled"], None)
            return Waiting(grading.id, grading.submission_id, self.user.id)

    def row(self, waiting: Waiting) -> Grading:
        with self.db.reading() as db:
            return db.get_one(Grading, waiting.grading_id)

    def is_locked(self) -> bool:
        try:
            with closing(sqlite3.connect(self.folder / "lectern.sqlite3", timeout=0, isolation_level=None)) as asking:
                asking.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
        return False

    def wait(self, waiting: Waiting, state: State, attempt: int | None = None) -> Grading:
        rows = [self.row(waiting)]

        def is_so() -> bool:
            rows[0] = self.row(waiting)
            return rows[0].state == state and attempt in (None, rows[0].attempt)

        until(is_so, lambda: (rows[0].state, rows[0].attempt, rows[0].verdict))
        return rows[0]


@pytest.fixture
def desk(tmp_path: Path, walls: None) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.db.close()


def test_a_worker_killed_at_any_point_of_a_grading_judges_it_once(desk: Desk) -> None:
    """It stands still at the point as it is killed. What was cut short is judged first by the next worker."""
    sent: dict[str, Waiting] = {}
    orphans = set()
    for point in Halt.points(CASES):
        sent[point] = waiting = desk.send(TELLS)
        halt = Halt(waiting.grading_id, point)
        with judging(desk.folder, halt=halt) as process:
            halt.until_reached()
            orphans |= descendants(process.pid or 0)
            process.kill()
            process.join()
        assert desk.row(waiting).state == (State.finished if point == "verdict told" else State.running), point
    with judging(desk.folder):
        rows = {point: desk.wait(waiting, State.finished) for point, waiting in sent.items()}
    assert {(row.verdict, row.score) for row in rows.values()} == {(Verdict.accepted, 1.0)}
    assert {point: row.attempt for point, row in rows.items()} == {**dict.fromkeys(rows, 2), "verdict told": 1}
    assert {len(row.cases) for row in rows.values()} == {CASES}
    until_gone(orphans)


@pytest.mark.parametrize("point", ["case 1", "verdict"])
def test_a_worker_that_stood_still_comes_too_late(desk: Desk, point: str) -> None:
    """Another takes over when its lease is over. What the first one says when it goes on is of an earlier attempt, and
    ignored."""
    waiting = desk.send(RIGHT)
    halt = Halt(waiting.grading_id, point)
    with judging(desk.folder, lease_seconds=2.0, halt=halt) as stopped:
        halt.until_reached()
        assert stopped.pid is not None
        stop(stopped.pid, desk)
        with judging(desk.folder, lease_seconds=2.0):
            row = desk.wait(waiting, State.finished)
        assert (row.verdict, row.attempt) == (Verdict.accepted, 2)
        after = desk.send(RIGHT)  # nobody told the first one of it: its next start would
        os.kill(stopped.pid, signal.SIGCONT)
        halt.go_on()
        halt.until_refused()
        again = desk.row(waiting)
        assert (again.verdict, again.attempt, again.finished_at, again.cases) == (
            row.verdict, row.attempt, row.finished_at, row.cases,
        )  # fmt: skip
        assert stopped.is_alive(), "it lives, and knows that it was not its turn any more"
    with judging(desk.folder):
        assert desk.wait(after, State.finished).verdict == Verdict.accepted


def stop(pid: int, desk: Desk) -> None:
    """A file of SQLite's that is held by who stands still is held for good: not while it has that."""

    def is_stopped() -> bool:
        os.kill(pid, signal.SIGSTOP)
        if not desk.is_locked():
            return True
        os.kill(pid, signal.SIGCONT)
        return False

    until(is_stopped, "it has the database each time")


def test_a_submission_whose_worker_dies_each_time_is_let_go_and_its_neighbours_flow(desk: Desk) -> None:
    poison, neighbour = desk.send(RIGHT), desk.send(RIGHT)
    for attempt in (1, 2, 3):
        halt = Halt(poison.grading_id, "begin")
        with judging(desk.folder, halt=halt) as process:
            halt.until_reached()
            assert desk.wait(poison, State.running, attempt).attempt == attempt, "counted before it is run"
            process.kill()
            process.join()
    with judging(desk.folder):
        row = desk.wait(poison, State.finished)
        assert (row.verdict, row.score, row.attempt) == (Verdict.internal_error, 0.0, 3)
        assert row.summary == "We could not grade this. It does not count against you."
        assert desk.wait(neighbour, State.finished).verdict == Verdict.accepted


def test_a_submission_whose_box_dies_each_time_is_let_go_and_its_neighbours_flow(tmp_path: Path, judge: Judge) -> None:
    """Three boxes an attempt, three attempts: nine deaths by somebody unknown, and no verdict on the student."""
    desk = Desk(tmp_path, exercise_toml=patient_toml(wall_seconds=30))
    queue = LocalQueue(desk.db, desk.catalog, Events(), Metrics())
    queue.start()
    worker = Worker(queue, judge)
    worker.start()
    poison = desk.send(SLOW.replace("0.08", "600"))
    neighbours = [desk.send(RIGHT) for _ in range(2)]
    for waiting in (poison, *neighbours):
        queue.put(waiting)

    def is_let_go() -> bool:
        state = desk.row(poison).state
        if state == State.running:
            for box in list(judge.keepers["numpy"].handed_out):
                box.kill()
        return state == State.finished

    until(is_let_go, look_seconds=0.05)
    assert desk.row(poison).verdict == Verdict.internal_error
    assert {desk.wait(waiting, State.finished).verdict for waiting in neighbours} == {Verdict.accepted}
    queue.close()
    worker.close()
    desk.db.close()


def test_a_machine_that_stands_still_costs_nobody_a_verdict(tmp_path: Path, walls: None) -> None:
    """A paused container, or one whose machine was taken away for a while: all of it is stopped, and goes on later, in
    whatever order. A call that computes for half a second of the twelve that it may is no slow one."""
    desk = Desk(tmp_path, exercise_toml=patient_toml(wall_seconds=12))
    burns = (
        "import time\ndef doubled(x):\n    print('at work', flush=True)\n    began = time.process_time()\n"
        "    while time.process_time() - began < 0.5: pass\n    return 2 * x\n"
    )
    first, sent = desk.send(RIGHT), desk.send(burns)
    halt = Halt(sent.grading_id, "at work on case 0")
    with judging(desk.folder, halt=halt) as process:
        assert process.pid is not None
        assert desk.wait(first, State.finished).verdict == Verdict.accepted
        halt.until_reached()
        halt.go_on()
        whole = [process.pid, *(pid for pid, _ in descendants(process.pid))]
        send(signal.SIGSTOP, whole)
        time.sleep(14)
        send(signal.SIGCONT, reversed(whole))
        row = desk.wait(sent, State.finished)
        assert row.verdict == Verdict.accepted, row.cases
    desk.db.close()


def send(number: signal.Signals, pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):  # a box that was over
            os.kill(pid, number)


def test_a_worker_that_is_out_of_memory_has_no_wrong_verdict_on_anybody(tmp_path: Path, walls: None) -> None:
    """Only the process that judges is short of it: boxes and zygotes have theirs. It cannot hold what a box answers."""
    toml = make_exercise().files["exercise.toml"].decode().replace("output_kb = 64", "output_kb = 65536")
    toml = toml.replace("memory_mb = 256", "memory_mb = 900").replace("wall_seconds = 2", "wall_seconds = 10")
    desk = Desk(
        tmp_path,
        exercise_toml=toml,
        cases_py="import numpy as np\ndef sample_cases(rng):\n    yield 'one', {'x': np.ones(1, np.float32)}\n"
        "def hidden_cases(rng):\n    yield 'large', {'x': np.ones(9 << 20, np.float32)}\n",
    )
    first, short, mended = (desk.send(RIGHT) for _ in range(3))
    halt = Halt(short.grading_id, "begin")
    with judging(desk.folder, halt=halt) as process:
        assert process.pid is not None
        assert desk.wait(first, State.finished).verdict == Verdict.accepted
        halt.until_reached()
        squeeze(process.pid, SPARE_MB)
        halt.go_on()
        # Some libraries abort it at once.
        until(lambda: not process.is_alive() or desk.row(short).state == State.finished, "it is judged for ever")
    with judging(desk.folder):
        assert desk.wait(mended, State.finished).verdict == Verdict.accepted
        assert desk.wait(short, State.finished).verdict in (Verdict.accepted, Verdict.internal_error)
    desk.db.close()


def test_a_server_whose_memory_runs_out_under_a_box_keeps_everybodys_verdicts_true(desk: Desk) -> None:
    """The whole server has less to give than a submission is granted: the kernel ends something of ours."""
    groups = ControlGroups()
    group = groups.make(THREADS)
    if not isinstance(group, ControlGroup):
        missing("walls", f"no control groups: {group}")
    try:
        sent = [desk.send(source) for source in (RIGHT, SLOW, EATS, RIGHT)]
        halt = Halt(sent[1].grading_id, "case 0")
        with judging(desk.folder, group, halt=halt) as process:
            halt.until_reached()
            group.limit(used_bytes(group) + (200 << 20))
            halt.go_on()
            right, slow, ate, after = [desk.wait(waiting, State.finished) for waiting in sent]
            assert process.is_alive()
        assert {right.verdict, slow.verdict, after.verdict} == {Verdict.accepted}
        # not its own limit, of 256 MB, was reached, but ours
        assert ate.verdict == Verdict.internal_error, ate.cases
    finally:
        for folder in group.folders.values():
            remove(folder)
        groups.close()


def remove(group: Path) -> None:
    """A group and those below it, once what a killed server leaves in them has noticed and ended."""

    def is_removed(folder: Path) -> bool:
        with suppress(OSError):
            folder.rmdir()
        return not folder.exists()

    for folder, _, _ in os.walk(group, topdown=False):
        until(partial(is_removed, Path(folder)), folder)


def squeeze(pid: int, spare_mb: int) -> None:
    """Let a process have no more memory of its own than it has, and a little."""
    status = Path(f"/proc/{pid}/status").read_text(errors="replace")
    has_kb = int(status.split("VmData:")[1].split()[0])
    resource.prlimit(pid, resource.RLIMIT_DATA, ((has_kb << 10) + (spare_mb << 20), resource.RLIM_INFINITY))


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"reference_py": "def doubled(x):\n    return x / None\n"}, "reference.py"),
        ({"reference_py": "import os\ndef doubled(x):\n    os._exit(0)\n"}, "reference.py"),
        ({"cases_py": "def sample_cases(rng):\n    yield 1 / 0\ndef hidden_cases(rng): return []\n"}, "cases.py"),
        ({"cases_py": "def sample_cases(rng):\n    yield 'x', {}\ndef hidden_cases(rng): return []\n"}, "cases.py"),
    ],
    ids=["reference raises", "reference exits", "cases raise", "cases do not fit"],
)  # fmt: skip
def test_a_broken_exercise_is_our_failure_and_the_log_says_where(
    tmp_path: Path, judge: Judge, caplog: pytest.LogCaptureFixture, files: dict[str, str], says: str
) -> None:
    desk = Desk(tmp_path, **files)
    queue = LocalQueue(desk.db, desk.catalog, Events(), Metrics())
    queue.start()
    with caplog.at_level(logging.ERROR, "lectern.worker"):
        worker = Worker(queue, judge)
        worker.start()
        waiting = desk.send(RIGHT)
        queue.put(waiting)
        row = desk.wait(waiting, State.finished)
        queue.close()
        worker.close()
    assert (row.verdict, row.score) == (Verdict.internal_error, 0.0)
    assert row.summary == "We could not grade this. It does not count against you."
    assert f"grading {waiting.grading_id}: doubled: {says}" in caplog.text
    desk.db.close()
