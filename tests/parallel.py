"""Run the tests on all cores: collect once, fork workers, hand out files.

A worker is a fork of the process that has collected, so nothing is imported or collected twice (with pytest-xdist each
worker does it again: see docs/testing.md). Workers ask for one part after the other. A part is a file, or some tests of
a long one. A worker stays with a group as long as it can, since what a session sets up (a server, a judge, a browser)
is set up in each worker that needs it. Which group is next, and how long the rest may take, is estimated by
`tests/weights.json`.

The parent runs no test. It prints one line that says how far the run is, and the summary. A worker that dies fails the
test that it ran, and another one takes its place.
"""

import json
import os
import random
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[1]
WEIGHTS = Path(__file__).parent / "weights.json"
PART_SECONDS = 20.0  # of processor time, at most, in one part, where a file can be cut
UNKNOWN_SECONDS = 0.1  # of a test that the weights do not know
END_SECONDS = 60.0  # for a worker that is told to end, whose fixtures may have much to stop
SHORT_SECONDS = 20.0  # a run of no more than this needs no second process
MORE = 1  # workers than cores: some of what tests do is to wait
PREPARED = ("app", "browser", "commands", "faults", "graders")  # groups that use what tests/prepare.py makes


def group_of(test: str) -> str:
    """The group of a test, by its id: its folder in `tests`, or `code` for what lies in `tests` itself."""
    parts = test.partition("::")[0].split("/")
    return parts[1] if len(parts) > 2 else "code"


@dataclass
class Part:
    """Tests that one worker runs in their order."""

    group: str
    items: list[int]
    seconds: float


@dataclass
class Weights:
    """Processor seconds: of a file, of one test that is dear by itself, and of a test on the average of its file."""

    files: dict[str, float]
    tests: dict[str, float]

    @classmethod
    def read(cls) -> "Weights":
        data = json.loads(WEIGHTS.read_text()) if WEIGHTS.exists() else {}
        return cls(data.get("files", {}), data.get("tests", {}))

    def of(self, item: pytest.Item) -> float:
        return self.tests.get(item.nodeid, self.files.get(item.nodeid.partition("::")[0], UNKNOWN_SECONDS))


def parts_of(items: list[pytest.Item], weights: Weights) -> list[Part]:
    """Cut the tests into parts: by file, and a long file into runs of tests."""
    parts: list[Part] = []
    path: Path | None = None
    for number, item in enumerate(items):
        seconds = weights.of(item)
        if item.path != path or parts[-1].seconds + seconds > PART_SECONDS:
            path = item.path
            parts.append(Part(group_of(item.nodeid), [], 0.0))
        parts[-1].items.append(number)
        parts[-1].seconds += seconds
    return parts


class Plan:
    """Which part is next, for a worker of a group."""

    def __init__(self, parts: list[Part]) -> None:
        self.waiting: dict[str, list[Part]] = defaultdict(list)
        for part in reversed(parts):  # in the order of collection, from the end
            self.waiting[part.group].append(part)
        self.workers: dict[str, int] = defaultdict(int)
        self.prepared = True

    def next(self, group: str | None) -> Part | None:
        """Return the next part of this group, or of the group that has most left for each of its workers."""
        if group is not None and self.waiting.get(group):
            return self.waiting[group].pop()
        if group is not None:
            self.workers[group] -= 1
        groups = [name for name, parts in self.waiting.items() if parts and (self.prepared or name not in PREPARED)]
        if not groups:
            return None
        best = max(groups, key=lambda name: self.seconds(name) / (1 + self.workers[name]))
        self.workers[best] += 1
        return self.waiting[best].pop()

    def seconds(self, group: str) -> float:
        return sum(part.seconds for part in self.waiting[group])

    @property
    def is_empty(self) -> bool:
        return not any(self.waiting.values())


@dataclass
class Worker:
    """The parent's side of a forked process."""

    number: int
    pid: int
    channel: socket.socket
    group: str | None = None
    wants: bool = False
    part: list[int] = field(default_factory=list)  # what is not reported as finished yet
    running: str | None = None
    has_begun: bool = False
    buffer: bytes = b""

    def send(self, message: object) -> None:
        self.channel.sendall(json.dumps(message).encode() + b"\n")

    def messages(self) -> Iterator[Any] | None:
        """What has come; None where the worker is gone."""
        try:
            data = self.channel.recv(1 << 20)
        except ConnectionResetError:
            data = b""
        if not data:
            return None
        *lines, self.buffer = (self.buffer + data).split(b"\n")
        return (json.loads(line) for line in lines)


class Hooks:
    def pytest_worker_ends(self) -> None:
        """Called in a worker after its last test."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(Hooks)


def pytest_configure(config: pytest.Config) -> None:
    cores = len(os.sched_getaffinity(0))
    asked = config.getoption("--workers")
    if asked is not None and asked < 1:
        raise pytest.UsageError(f"--workers {asked}: it takes at least one.")
    option = config.option
    is_watched = option.usepdb or option.trace or option.capture == "no"
    if asked != 1 and not (is_watched or option.collectonly or option.showfixtures):
        run = Run(config, asked or cores + MORE, least_seconds=0.0 if asked else SHORT_SECONDS)
        config.pluginmanager.register(run, "lectern-run")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lectern")
    group.addoption(
        "--workers", type=int, help="processes that run tests; 1: this one alone (default: one more than cores)"
    )


class Run:
    """The parent of the workers, as a plugin of pytest's."""

    def __init__(self, config: pytest.Config, workers: int, least_seconds: float) -> None:
        self.config, self.count, self.least_seconds = config, workers, least_seconds
        self.weights = Weights.read()
        self.folder = Path()  # for all that this run writes, once it has begun
        self.is_running = False
        self.workers: list[Worker] = []
        self.forked = 0
        self.began = time.monotonic()
        self.preparing: subprocess.Popen[bytes] | None = None

    # ------------------------------------------------------------------ the loop

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        parts = parts_of(session.items, self.weights)
        if session.testsfailed or len(parts) < 2 or sum(part.seconds for part in parts) < self.least_seconds:
            self.config.pluginmanager.unregister(self)
            return None
        if others := [thread.name for thread in threading.enumerate() if thread is not threading.main_thread()]:
            raise pytest.UsageError(
                f"Collecting the tests has started threads ({', '.join(others)}), which a forked worker lacks. "
                "No module of tests may start one when it is imported: let a fixture do it."
            )
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup
                signal.signal(number, _interrupt)
        self.session, self.plan = session, Plan(parts)
        self.items = session.items
        self.left = sum(part.seconds for part in parts)
        self.whole, self.done = self.left, 0
        self.finished: set[str] = set()
        self.folder = _scratch()
        self.is_running = True
        self.config.add_cleanup(partial(shutil.rmtree, self.folder, ignore_errors=True))
        os.environ["TMPDIR"] = tempfile.tempdir = str(self.folder)
        self._prepare()
        self.line = Line(self.config)
        try:
            for _ in range(min(self.count, len(parts))):
                self.workers.append(self._fork())
            while self.workers:
                self._turn()
        finally:
            self.line.clear()
            self._end()
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        if self.done != len(self.items):
            raise pytest.UsageError(f"Only {self.done:,} of {len(self.items):,} tests have run.")
        return True

    def _end(self) -> None:
        """End what still runs: nothing, unless the run is interrupted or stops at a failure."""
        for worker in self.workers:
            os.kill(worker.pid, signal.SIGTERM)
            worker.channel.close()  # one that is about to say something must not wait until it is heard
        for worker in self.workers:
            ended = os.pidfd_open(worker.pid)
            if not select.select([ended], [], [], END_SECONDS)[0]:
                os.kill(worker.pid, signal.SIGKILL)
            os.close(ended)
            os.waitpid(worker.pid, 0)
        if self.preparing is not None and self.preparing.poll() is None:
            self.preparing.kill()  # its judge ends with it
            self.preparing.wait()

    def _turn(self) -> None:
        """Read what workers say, and give parts to those that want one."""
        if self.preparing is not None and self.preparing.poll() is not None:
            if self.preparing.returncode:
                raise pytest.UsageError(f"tests/prepare.py failed:\n{(self.folder / 'prepared').read_text()[-4000:]}")
            self.preparing, self.plan.prepared = None, True
        ready, _, _ = select.select([worker.channel for worker in self.workers], [], [], 0.2)
        for worker in [worker for worker in self.workers if worker.channel in ready]:
            messages = worker.messages()
            if messages is None:
                self._replace(worker)
                continue
            for message in messages:
                self._take(worker, message)
        for worker in [worker for worker in self.workers if worker.wants]:
            self._give(worker)
        self.line.show(self._progress)

    def _give(self, worker: Worker) -> None:
        stops = bool(self.session.shouldfail or self.session.shouldstop)
        part = None if stops else self.plan.next(worker.group)
        if part is None and not stops and not self.plan.is_empty:
            worker.group = None
            return  # what is left waits for what is prepared
        worker.wants = False
        worker.group = part.group if part else None
        worker.part += part.items if part else []
        worker.send(part.items if part else None)

    def _take(self, worker: Worker, message: dict[str, Any]) -> None:
        kind = message["kind"]
        if kind == "wants":
            worker.wants = worker.has_begun = True
        elif kind == "starts":
            worker.running = message["id"]
        elif kind == "report":
            report = self.config.hook.pytest_report_from_serializable(config=self.config, data=message["report"])
            if report.skipped and isinstance(report.longrepr, list):
                report.longrepr = tuple(report.longrepr)  # as pytest knows it; JSON has no tuples
            self.config.hook.pytest_runtest_logreport(report=report)
            if report.failed:
                crash = getattr(report.longrepr, "reprcrash", None)
                why = str(crash.message if crash else report.longrepr).partition("\n")[0]
                self.line.write(f"FAILED {report.nodeid}: {why[:200]}")
        elif kind == "finished":
            number = worker.part.pop(0)
            self.done, worker.running = self.done + 1, None
            self.left -= self.weights.of(self.items[number])

    def _replace(self, worker: Worker) -> None:
        """Let a worker go that has finished; one that died fails its test, and another goes on after it."""
        self.workers.remove(worker)
        worker.channel.close()
        _, status = os.waitpid(worker.pid, 0)
        if status == 0 and not worker.part:
            return
        if not worker.has_begun:
            raise pytest.UsageError("A process that was to run tests could not begin. It has said why above.")
        how = (
            f"signal {os.WTERMSIG(status)}"
            if os.WIFSIGNALED(status)
            else f"exit code {os.waitstatus_to_exitcode(status)}"
        )
        nodeid = worker.running or (self.items[worker.part[0]].nodeid if worker.part else f"worker {worker.number}")
        report = pytest.TestReport(
            nodeid, (nodeid.partition("::")[0], None, nodeid), {}, "failed",
            f"The process that ran this test ended by {how}.", "call",
        )  # fmt: skip
        self.config.hook.pytest_runtest_logreport(report=report)
        self.done += bool(worker.part)
        rest = worker.part[1:]
        if rest:
            group = group_of(self.items[rest[0]].nodeid)
            self.plan.waiting[group].append(Part(group, rest, sum(self.weights.of(self.items[n]) for n in rest)))
        if not self.plan.is_empty and not (self.session.shouldfail or self.session.shouldstop):
            self.workers.append(self._fork())

    def _progress(self) -> str:
        seconds = time.monotonic() - self.began
        share = 1 - self.left / self.whole
        groups = ", ".join(sorted({worker.group for worker in self.workers if worker.group}))
        rest = f", about {duration(seconds / share - seconds)} left" if share > 0.05 else ""
        failed = f", {self.session.testsfailed} failed" if self.session.testsfailed else ""
        return (
            f"{share:4.0%}  {self.done:,} of {len(self.items):,} tests{failed}, {duration(seconds)}{rest}  ({groups})"
        )

    def _prepare(self) -> None:
        """Start to make what all servers share, if enough tests need it to be worth its half minute."""
        needing = [part for group in PREPARED for part in self.plan.waiting.get(group, [])]
        if "LECTERN_TEST_CACHE" in os.environ or sum(part.seconds for part in needing) < 180:
            return
        os.environ["LECTERN_TEST_CACHE"] = str(self.folder / "cache")
        with (self.folder / "prepared").open("wb") as log:
            command = [sys.executable, "-m", "tests.prepare", os.environ["LECTERN_TEST_CACHE"]]
            self.preparing = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        self.plan.prepared = False

    # ------------------------------------------------------------------ workers

    def _fork(self) -> Worker:
        number, self.forked = self.forked, self.forked + 1
        ours, theirs = socket.socketpair()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            ours.close()
            for other in self.workers:
                other.channel.close()
            _work(self.config, self.session, theirs, self.folder / f"worker-{number}")
        theirs.close()
        return Worker(number, pid, ours)

    # ------------------------------------------------------------------ reports

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport | pytest.CollectReport) -> tuple[str, str, str] | None:
        """No letters: the line says how far it is. pytest's own count them all the same."""
        if not self.is_running or isinstance(report, pytest.CollectReport):
            return None
        if report.when in ("setup", "teardown"):
            name = "error" if report.failed else "skipped" if report.skipped else ""
        else:
            name = report.outcome
        return name, "", ""


class Link:
    """The worker's side: reports go to the parent, parts come from it."""

    def __init__(self, config: pytest.Config, channel: socket.socket) -> None:
        self.config, self.channel, self.lines = config, channel, channel.makefile("rb")

    def send(self, **message: object) -> None:
        self.channel.sendall(json.dumps(message).encode() + b"\n")

    def part(self) -> list[int] | None:
        self.send(kind="wants")
        line = self.lines.readline()
        part: list[int] | None = json.loads(line) if line else None
        return part

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        self.send(kind="report", report=data)


def _work(config: pytest.Config, session: pytest.Session, channel: socket.socket, folder: Path) -> NoReturn:
    """Be a worker: run parts until there are no more, and end."""
    code = 1
    try:
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, _interrupt)
        random.seed()
        folder.mkdir(mode=0o711)  # PostgreSQL, which tests start, runs as another user
        os.environ["TMPDIR"] = os.environ["PYTEST_DEBUG_TEMPROOT"] = tempfile.tempdir = str(folder)
        if config.option.basetemp is not None:  # whoever asks first empties it
            config._tmp_path_factory._given_basetemp = folder / "basetemp"  # type: ignore[attr-defined]
        manager = config.pluginmanager
        for plugin in [manager.get_plugin("terminalreporter"), manager.get_plugin("lectern-run")]:
            manager.unregister(plugin)
        capture: Any = manager.get_plugin("capturemanager")
        if capture is not None:  # its files are the parent's: what is written would be mixed with that of others
            capture.stop_global_capturing()
            capture.start_global_capturing()
        link = Link(config, channel)
        manager.register(link)
        _run_parts(session, link)
        config.hook.pytest_worker_ends()
        code = 0
    except BaseException as error:  # noqa: BLE001 (whatever it is, the parent is told by the exit code)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # a second one would leave behind what is not torn down yet
        if not isinstance(error, KeyboardInterrupt | BrokenPipeError):
            os.write(2, traceback.format_exc().encode())
        _tear_down(session)
    finally:
        os._exit(code)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """End as after Ctrl-C. pytest takes any other exception within a test for that test's failure."""
    raise KeyboardInterrupt


def _run_parts(session: pytest.Session, link: Link) -> None:
    part = link.part()
    while part:
        following: list[int] | None = None
        for place, number in enumerate(part):
            item = session.items[number]
            if place + 1 < len(part):
                nextitem: pytest.Item | None = session.items[part[place + 1]]
            else:  # what a session has set up stays for the next part
                following = link.part()
                nextitem = session.items[following[0]] if following else None
            link.send(kind="starts", id=item.nodeid)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=nextitem)
            link.send(kind="finished")
        part = following


def _tear_down(session: pytest.Session) -> None:
    """What fixtures have set up ends also where a worker is ended early."""
    try:
        session._setupstate.teardown_exact(None)
    except BaseException:  # noqa: BLE001 (it ends in any case)
        os.write(2, traceback.format_exc().encode())


def _scratch() -> Path:
    """A folder for all that the tests write: in memory where there is enough, since their databases are synchronous."""
    memory = Path("/dev/shm")
    for place in (memory, Path(tempfile.gettempdir())):
        for left in place.glob("lectern-tests-*-*"):
            pid = left.name.split("-")[2]
            if pid.isdigit() and not Path(f"/proc/{pid}").exists():
                shutil.rmtree(left, ignore_errors=True)  # of a run that was killed, if it is ours
    prefix = f"lectern-tests-{os.getpid()}-"
    if memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 4 << 30:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=memory))
    else:
        folder = Path(tempfile.mkdtemp(prefix=prefix))
    folder.chmod(0o711)
    return folder


class Line:
    """One line at the bottom of a terminal; elsewhere a line now and then."""

    def __init__(self, config: pytest.Config) -> None:
        self.writer = config.get_terminal_writer()
        self.last, self.step = 0.0, 0.5 if self.writer.hasmarkup else 30.0

    def show(self, text: Any) -> None:
        if time.monotonic() - self.last < self.step:
            return
        self.last = time.monotonic()
        if self.writer.hasmarkup:
            self.writer.write("\r\x1b[K" + text()[: self.writer.fullwidth - 1], flush=True)
        else:
            self.writer.line(text())
            self.writer.flush()

    def write(self, text: str) -> None:
        """Write a line that stays."""
        self.clear()
        self.writer.line(text)
        self.writer.flush()

    def clear(self) -> None:
        if self.writer.hasmarkup:
            self.writer.write("\r\x1b[K", flush=True)


def duration(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"
