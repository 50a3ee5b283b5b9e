"""The one reader of /proc: what a box names its threads, no reader of ours believes or stumbles over."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from graders.boxes import proc
from graders.boxes.pool import Judge
from graders.cell import run_cell
from graders.exercise.definition import Exercise
from graders.exercise.limits import Limits
from graders.verdict import Verdict
from tests.conftest import require_boxes
from tests.waiting import until

from .conftest import judged, make_exercise

NAMES = [
    b"\xff\xfe",
    b"a) T 1 2 3 (b",
    b"a b\nT",
    b"\rRssAnon:\t1",
    b"\rThreads:\t9",
    b"\nVmHWM:\t1",
    b") T 0",
    b"\x1c\x85T",
]
NAMED = """
import ctypes, os, sys
ctypes.CDLL(None).prctl(15, bytes.fromhex(sys.argv[1]), 0, 0, 0)
print(os.getpid(), flush=True)
sys.stdin.read()
"""


@pytest.fixture(params=NAMES, ids=repr)
def named(request: pytest.FixtureRequest) -> Iterator[int]:
    """A process of ours with such a name, that waits."""
    child = subprocess.Popen(
        [sys.executable, "-c", NAMED, request.param.hex()], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin
    assert child.stdout
    with child:
        yield int(child.stdout.readline())
        child.stdin.close()


def test_a_process_of_any_name_is_read_for_what_it_is(named: int) -> None:
    assert not proc.is_stopped(named)
    fields = proc.after_name(proc.read(f"/proc/{named}/stat"))
    assert fields[0] in ("S", "R")
    assert fields[1] == str(proc.numbers(proc.read("/proc/self/status"), {"Pid"})["Pid"])
    status = proc.numbers(proc.read(f"/proc/{named}/status"), {"Name", "Pid", "Threads", "RssAnon", "VmHWM"})
    assert status["Pid"] == named
    assert status["Threads"] == 1
    assert status["RssAnon"] > 100
    assert status["VmHWM"] > 1000
    assert "Name" not in status
    assert proc.threads(named) == [named]


COMPUTING = """
import threading, time
while time.thread_time() < 0.05: pass  # some ticks of the kernel's
def compute():
    while True: pass
threading.Thread(target=compute, daemon=True).start()
print(flush=True)
input()
"""


def test_time_of_another_thread_is_not_counted_as_the_first_threads() -> None:
    with subprocess.Popen([sys.executable, "-c", COMPUTING], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin
        assert child.stdout
        child.stdout.readline()
        before = proc.first_thread_seconds(child.pid)
        assert before > 0
        clock = (~child.pid << 3) | 2  # of all its threads: clock_getcpuclockid(3)
        until(lambda: time.clock_gettime(clock) > 10 * before)
        assert proc.first_thread_seconds(child.pid) < 2 * before
        child.kill()
    assert proc.first_thread_seconds(child.pid) == 0.0


def test_a_process_that_has_gone_or_says_nothing_is_nothing(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert not proc.is_stopped(child.pid)
    with pytest.raises(FileNotFoundError):
        proc.read(f"/proc/{child.pid}/stat")
    (tmp_path / "empty").write_text("")
    assert proc.lines(tmp_path / "empty") == proc.after_name("") == []
    assert proc.numbers("", {"Pid"}) == {}


def test_of_a_status_only_lines_of_the_kernel_with_numbers_are_read() -> None:
    status = (
        "Name:\t12\nThreads:\t3\nVmHWM:\t  4096 kB\r VmPTE:\t8 kB\nRssAnon:\t7x\nUid:\t1\t2\nVmSwap:\t\nXThreads:\t9\n"
    )
    names = {"Name", "Threads", "VmHWM", "VmPTE", "RssAnon", "Uid", "VmSwap"}
    assert proc.numbers(status, names) == {"Threads": 3, "VmHWM": 4096, "Uid": 1}


def test_lines_are_the_kernels_and_bytes_of_any_kind_are_characters(tmp_path: Path) -> None:
    (tmp_path / "mountinfo").write_bytes(b"one\x0b\xff\r\x1ctwo\nthree\n")
    first, second = proc.lines(tmp_path / "mountinfo")
    assert first.encode("utf-8", "surrogateescape") == b"one\x0b\xff\r\x1ctwo"
    assert second == "three"


def test_nothing_else_on_the_trusted_side_reads_proc() -> None:
    root = Path(__file__).resolve().parents[2]
    files = [path for folder in ("graders", "app") for path in (root / folder).rglob("*.py")]
    for path in files:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if "/proc/" in line and ("open(" in line or "read_" in line or "Path(" in line):
                ours = path.name == "proc.py" or path.is_relative_to(root / "graders/inside")
                assert ours or "clear_refs" in line, f"{path}:{number}: {line}"


# ------------------------------------------------------------------ by a submission, and by a cell

RENAMED = """
import ctypes, os, time
libc = ctypes.CDLL(None)
def rename(name):
    libc.prctl(15, name, 0, 0, 0)
"""


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_a_submission_of_any_name_that_takes_too_long_is_told_so(judge: Judge, doubled: Exercise, name: bytes) -> None:
    source = f"{RENAMED}\ndef doubled(x):\n    rename({name!r})\n    time.sleep(60)\n"
    result = judged(judge, doubled, source, "numpy")
    assert result.verdict == Verdict.time_limit, result.summary


@pytest.mark.parametrize("name", NAMES[:2], ids=repr)
def test_a_cell_of_any_name_that_takes_too_long_is_told_so(judge: Judge, name: bytes) -> None:
    run = run_cell(
        judge, f"{RENAMED}\nrename({name!r})\ntime.sleep(60)", limits=Limits(wall_seconds=1.0, memory_mb=256)
    )
    assert run.error is not None
    assert run.error.type == "TimeLimit"


def test_a_name_does_not_stand_in_for_the_memory_of_a_main_thread_that_has_ended() -> None:
    """The account of a process whose first thread has ended names no sizes: what a thread's name says is none."""
    exercise = make_exercise(
        exercise_toml="""
title = "Doubled"
entry = "doubled"
frameworks = ["numpy"]
[signature]
x = "float32[N]"
returns = "float32[N]"
[limits]
wall_seconds = 20
memory_mb = 256
"""
    )
    source = f"""{RENAMED}
import platform, threading
def doubled(x):
    threading.Thread(target=time.sleep, args=(60,)).start()
    rename(b"\\rRssAnon:\\t1")
    libc.syscall({{"x86_64": 60, "aarch64": 93}}[platform.machine()], 0)
"""
    with Judge(frameworks=["numpy"], parked={"numpy": 1}) as judge:
        require_boxes(judge)
        result = judged(judge, exercise, source, "numpy")
    assert result.verdict == Verdict.runtime_error, result.summary
    assert "main thread" in result.summary


def test_what_has_been_killed_is_ending_before_anybody_has_waited_for_it() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert not proc.is_ending(child.pid)
        child.kill()
        until(lambda: proc.is_ending(child.pid))
    assert proc.is_ending(child.pid), "it is gone"
