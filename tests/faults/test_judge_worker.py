"""A worker killed or stopped while it judges, a submission that does so each time, an exercise that is broken.

Real processes over a real database: what the server starts for judging, without its pages. The queue is in process, so
that a worker that dies takes its server with it, and the next start finds what it left in the rows.
"""

import logging
import os
import random
import resource
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
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
from benchmarks.processes import alive, descendants
from graders.boxes.cgroups import ControlGroup, ControlGroups
from graders.boxes.pool import Judge
from graders.verdict import State, Verdict
from graders.worker import Worker
from tests.conftest import require_boxes, used_bytes
from tests.faults.judging import judging
from tests.graders.conftest import DOUBLED_FILES, make_exercise

RIGHT = "def doubled(x):\n    return 2 * x\n"
SLOW = "import time\ndef doubled(x):\n    time.sleep(0.08)\n    return 2 * x\n"
EATS = "def doubled(x):\n    kept = bytearray(b'x') * (250 << 20)\n    return 2 * x\n"
KILLS = 20
SPARE_MB = 24  # not enough for an array of 36 MB
THREADS = 1000
TRIES = 5
GRADING_SECONDS = 0.3  # SLOW's three cases, and what is done before and after them


class Desk:
    """A database with one exercise, to which submissions are handed in; its limits of time are nobody's concern."""

    def __init__(self, folder: Path, **files: str) -> None:
        self.folder = folder
        files.setdefault(
            "exercise_toml", DOUBLED_FILES["exercise.toml"].replace("wall_seconds = 2", "wall_seconds = 10")
        )
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

    def wait(self, waiting: Waiting, state: State, attempt: int | None = None, seconds: float = 60) -> Grading:
        deadline = time.monotonic() + seconds
        while (row := self.row(waiting)).state != state or (attempt is not None and row.attempt != attempt):
            assert time.monotonic() < deadline, (row.state, row.attempt, row.verdict)
            time.sleep(0.005)
        return row

    def wait_for_begin(self, waiting: Waiting) -> None:
        """Until it is judged, or has been: on a machine that stood still just then."""
        deadline = time.monotonic() + 120
        while self.row(waiting).attempt == 0:
            assert time.monotonic() < deadline
            time.sleep(0.005)


@pytest.fixture
def desk(tmp_path: Path, walls: None) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.db.close()


@pytest.fixture(scope="module")
def walls() -> None:
    with Judge(frameworks=["numpy"], parked={"numpy": 1}) as judge:
        require_boxes(judge)


def test_a_worker_killed_at_any_point_of_a_grading_judges_it_once(desk: Desk) -> None:
    chance = random.Random(7)
    sent: list[Waiting] = []
    orphans = set()
    cut_short = 0
    for kill in range(3 * KILLS):  # ever later in the grading; what was cut short is judged first by the next
        if kill >= KILLS and cut_short >= KILLS // 2:
            break  # on a machine that stands still for moments, some are judged before they can be cut short
        point = kill % KILLS
        sent.append(waiting := desk.send(SLOW))
        with judging(desk.folder) as process:
            desk.wait_for_begin(waiting)
            time.sleep((point + chance.random()) / KILLS * GRADING_SECONDS)
            orphans |= descendants(process.pid or 0)
            process.kill()
            process.join()
        cut_short += desk.row(waiting).state != State.finished
    with judging(desk.folder):
        rows = [desk.wait(waiting, State.finished) for waiting in sent]
    assert {(row.verdict, row.score) for row in rows} == {(Verdict.accepted, 1.0)}
    assert {row.attempt for row in rows} <= {1, 2}
    assert sum(row.attempt == 2 for row in rows) >= KILLS // 2
    deadline = time.monotonic() + 120
    while left := alive(orphans):
        assert time.monotonic() < deadline, left
        time.sleep(0.02)


def test_a_worker_that_stood_still_comes_too_late(desk: Desk) -> None:
    """Another takes over when its lease is over. What the first one says when it goes on is of an earlier attempt, and
    ignored."""
    for _ in range(TRIES):
        waiting = desk.send(SLOW.replace("0.08", "3.0"))
        with judging(desk.folder, lease_seconds=4.0) as stopped:
            desk.wait(waiting, State.running, attempt=1)
            time.sleep(0.3)
            os.kill(stopped.pid or 0, signal.SIGSTOP)
            while desk.is_locked():  # a file of SQLite's that is held by who stands still is held for good
                os.kill(stopped.pid or 0, signal.SIGCONT)
                time.sleep(0.02)
                os.kill(stopped.pid or 0, signal.SIGSTOP)
            with judging(desk.folder, lease_seconds=4.0):
                row = desk.wait(waiting, State.finished)
            assert row.verdict == Verdict.accepted
            if row.attempt == 1:
                continue  # something has let it go on, and it was quicker than its lease
            os.kill(stopped.pid or 0, signal.SIGCONT)
            after = desk.send(RIGHT)  # nobody told the first one of it: its next start would
            time.sleep(1)
            again = desk.row(waiting)
            assert (again.verdict, again.attempt, again.finished_at, again.cases) == (
                row.verdict, row.attempt, row.finished_at, row.cases,
            )  # fmt: skip
            assert stopped.is_alive(), "it lives, and knows that it was not its turn any more"
        with judging(desk.folder):
            assert desk.wait(after, State.finished).verdict == Verdict.accepted
            return
    pytest.fail("it was quicker each time")


def test_a_submission_whose_worker_dies_each_time_is_let_go_and_its_neighbours_flow(desk: Desk) -> None:
    poison, neighbour = desk.send(SLOW.replace("0.08", "3.0")), desk.send(RIGHT)
    for attempt in (1, 2, 3):
        with judging(desk.folder) as process:
            assert desk.wait(poison, State.running, attempt).attempt == attempt, "counted before it is run"
            process.kill()
            process.join()
    with judging(desk.folder):
        row = desk.wait(poison, State.finished)
        assert (row.verdict, row.score, row.attempt) == (Verdict.internal_error, 0.0, 3)
        assert row.summary == "We could not grade this. It does not count against you."
        assert desk.wait(neighbour, State.finished).verdict == Verdict.accepted


def test_a_submission_whose_box_dies_each_time_is_let_go_and_its_neighbours_flow(desk: Desk) -> None:
    """Three boxes an attempt, three attempts: nine deaths by somebody unknown, and no verdict on the student."""
    queue = LocalQueue(desk.db, desk.catalog, Events(), Metrics())
    queue.start()
    with Judge(frameworks=["numpy"], parked={"numpy": 1}) as judge:
        worker = Worker(queue, judge)
        worker.start()
        poison = desk.send(SLOW.replace("0.08", "0.5"))
        neighbours = [desk.send(RIGHT) for _ in range(2)]
        for waiting in (poison, *neighbours):
            queue.put(waiting)
        deadline = time.monotonic() + 120
        while desk.row(poison).state != State.finished:
            assert time.monotonic() < deadline
            if desk.row(poison).state == State.running:
                for box in list(judge.keepers["numpy"].handed_out):
                    box.kill()
            time.sleep(0.05)
        assert desk.row(poison).verdict == Verdict.internal_error
        assert {desk.wait(waiting, State.finished).verdict for waiting in neighbours} == {Verdict.accepted}
        queue.close()
        judge.close()
        worker.close()


def test_a_machine_that_stands_still_costs_nobody_a_verdict(tmp_path: Path, walls: None) -> None:
    """A paused container, or one whose machine was taken away for a while: all of it is stopped, and goes on later, in
    whatever order. A call that computes for half a second of the twelve that it may is no slow one."""
    desk = Desk(tmp_path, exercise_toml=DOUBLED_FILES["exercise.toml"].replace("wall_seconds = 2", "wall_seconds = 12"))
    burns = (
        "import time\ndef doubled(x):\n    began = time.process_time()\n"
        "    while time.process_time() - began < 0.5: pass\n    return 2 * x\n"
    )
    first, sent = desk.send(RIGHT), desk.send(burns)
    with judging(desk.folder) as process:
        assert process.pid is not None
        assert desk.wait(first, State.finished).verdict == Verdict.accepted
        desk.wait_for_begin(sent)
        time.sleep(0.3)
        whole = [process.pid, *(pid for pid, _ in descendants(process.pid))]
        for pid in whole:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(14)
        for pid in reversed(whole):
            os.kill(pid, signal.SIGCONT)
        found = desk.wait(sent, State.finished)
        assert found.verdict == Verdict.accepted, found.cases
    desk.db.close()


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
    first, short, mended = (desk.send(SLOW.replace("0.08", "3.0")) for _ in range(3))
    with judging(desk.folder) as process:
        assert process.pid is not None
        assert desk.wait(first, State.finished).verdict == Verdict.accepted
        desk.wait(short, State.running)
        squeeze(process.pid, SPARE_MB)
        deadline = time.monotonic() + 120
        while process.is_alive() and desk.row(short).state != State.finished:  # some libraries abort it at once
            assert time.monotonic() < deadline
            time.sleep(0.02)
    with judging(desk.folder):
        assert desk.wait(mended, State.finished).verdict == Verdict.accepted
        assert desk.wait(short, State.finished).verdict in (Verdict.accepted, Verdict.internal_error)
    desk.db.close()


def test_a_server_whose_memory_runs_out_under_a_box_keeps_everybodys_verdicts_true(desk: Desk) -> None:
    """The whole server has less to give than a submission is granted: the kernel ends something of ours."""
    groups = ControlGroups()
    group = groups.make(THREADS)
    if not isinstance(group, ControlGroup):
        pytest.skip(f"no control groups: {group}")
    try:
        sent = [desk.send(source) for source in (RIGHT, SLOW.replace("0.08", "0.8"), EATS, RIGHT)]
        with judging(desk.folder, group) as process:
            desk.wait(sent[1], State.running)
            group.limit(used_bytes(group) + (200 << 20))
            right, slow, ate, after = [desk.wait(waiting, State.finished, seconds=90) for waiting in sent]
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
    deadline = time.monotonic() + 120
    for folder, _, _ in os.walk(group, topdown=False):
        while Path(folder).exists():
            try:
                Path(folder).rmdir()
            except OSError:
                assert time.monotonic() < deadline, folder
                time.sleep(0.05)


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
    tmp_path: Path, walls: None, caplog: pytest.LogCaptureFixture, files: dict[str, str], says: str
) -> None:
    desk = Desk(tmp_path, **files)
    queue = LocalQueue(desk.db, desk.catalog, Events(), Metrics())
    queue.start()
    with caplog.at_level(logging.ERROR, "lectern.worker"), Judge(frameworks=["numpy"], parked={"numpy": 1}) as judge:
        worker = Worker(queue, judge)
        worker.start()
        waiting = desk.send(RIGHT)
        queue.put(waiting)
        row = desk.wait(waiting, State.finished)
        queue.close()
        judge.close()
        worker.close()
    assert (row.verdict, row.score) == (Verdict.internal_error, 0.0)
    assert row.summary == "We could not grade this. It does not count against you."
    assert f"grading {waiting.grading_id}: doubled: {says}" in caplog.text
    desk.db.close()
