"""A right submission is accepted, whatever becomes of the machine: what is lost, killed or stopped is judged again, and
no moment in which nothing ran is charged to anybody."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress

import pytest

from app.settings import ROOT
from graders.boxes.pool import Judge
from graders.boxes.reply import Done
from graders.boxes.sandbox import Box, BoxLost
from graders.exercise.built import cases_of
from graders.exercise.cases import request_of
from graders.exercise.definition import Exercise
from graders.exercise.preparer import Preparer
from graders.exercise.runs import load
from graders.verdict import SubmissionResult, Verdict
from tests.conftest import note_taken, require_boxes

from .conftest import DOUBLED_FILES, FIXED, judged, make_exercise, unhurried

RIGHT = "def doubled(x):\n    return 2 * x\n"
CHECKER = """
import time
{before}
def accept(inputs, output, expected):
    time.sleep(0.5)
    return None if abs(output - expected).max() < 1e-5 else "It is not twice as much."
"""


def checked(before: str = "", wall_seconds: int = 20) -> Exercise:
    """Judged by a checker, which takes its time."""
    toml = DOUBLED_FILES["exercise.toml"].replace("wall_seconds = 2", f"wall_seconds = {wall_seconds}")
    return make_exercise("checked", exercise_toml=toml, cases_py=FIXED, checker_py=CHECKER.format(before=before))


@pytest.fixture
def at_work(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[list[Box], "Future[SubmissionResult]"]]:
    """A right submission while its checker is asked: the boxes that were handed out, the second of them the checker's,
    and what becomes of it."""
    exercise = checked()
    assert judged(judge, exercise, RIGHT, "numpy").verdict == Verdict.accepted  # its cases are built now
    boxes = note_taken(judge, monkeypatch)
    with ThreadPoolExecutor(1) as student:
        answer = student.submit(judged, judge, exercise, RIGHT, "numpy")
        while len(boxes) < 2:
            time.sleep(0.001)
        time.sleep(0.2)
        yield boxes, answer


def test_a_checkers_box_that_is_killed_is_replaced(
    at_work: tuple[list[Box], "Future[SubmissionResult]"],
) -> None:
    boxes, answer = at_work
    with suppress(ProcessLookupError):
        os.kill(boxes[1].pid, signal.SIGKILL)
    assert answer.result().verdict == Verdict.accepted
    assert len(boxes) == 4, "both were replaced, once"


def test_a_checkers_box_that_was_stopped_answers_no_later_question(
    at_work: tuple[list[Box], "Future[SubmissionResult]"],
) -> None:
    boxes, answer = at_work
    os.kill(boxes[1].pid, signal.SIGSTOP)
    while len(boxes) < 3 and not answer.done():
        time.sleep(0.001)
    with suppress(ProcessLookupError):
        os.kill(boxes[1].pid, signal.SIGCONT)
    assert answer.result().verdict == Verdict.accepted


def test_a_checker_that_had_to_wait_once_makes_no_answer_wrong(judge: Judge) -> None:
    """Where the machine stood still for longer than a call may take, just as it was asked."""
    wait = f"time.sleep(max(0, {time.time() + 9} - time.time()))"
    assert judged(judge, checked(wait, wall_seconds=5), RIGHT, "numpy").verdict == Verdict.accepted


def test_a_reference_that_had_to_wait_once_makes_no_exercise_broken(judge: Judge) -> None:
    built = threading.Event()
    waits = (
        f"import time\ndef doubled(x):\n    time.sleep(max(0, {time.time() + 7.5} - time.time()))\n    return 2 * x\n"
    )
    toml = DOUBLED_FILES["exercise.toml"].replace("wall_seconds = 2", "wall_seconds = 5")
    exercise = make_exercise("waited", exercise_toml=toml, cases_py=FIXED, reference_py=waits)
    preparer = Preparer([exercise], judge, on_built=lambda one: built.set())
    preparer.start()
    try:
        assert built.wait(120), "it was taken for broken"
    finally:
        preparer.close()
    assert judged(judge, exercise, RIGHT, "numpy").verdict == Verdict.accepted


def test_a_step_that_fails_for_no_known_reason_ends_no_thread(judge: Judge) -> None:
    """As where the disk is full, or the database away."""
    first, second = make_exercise("first"), make_exercise("second")
    admitted: list[str] = []

    def admit(exercise: Exercise) -> None:
        admitted.append(exercise.slug)
        if exercise is first:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    preparer = Preparer([first, second], judge, admit=admit)
    preparer.start()
    try:
        assert preparer.wait_until_prepared(120)
        assert admitted == ["first", "second"]
    finally:
        preparer.close()


@pytest.mark.parametrize("seconds", [1.0, 5.0])
def test_a_box_that_is_stopped_from_outside_is_charged_with_nothing(
    judge: Judge, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """It goes on, or another is taken: a call that takes 0.5 s of the 2 that it may."""
    exercise = make_exercise(cases_py=FIXED)
    source = "import time\ndef doubled(x):\n    time.sleep(0.5)\n    return 2 * x\n"
    judged(judge, exercise, RIGHT, "numpy")
    boxes = note_taken(judge, monkeypatch)
    with ThreadPoolExecutor(1) as student:
        answer = student.submit(judged, judge, exercise, source, "numpy")
        while not boxes:
            time.sleep(0.001)
        for _ in range(2 if seconds < 2 else 1):
            with suppress(ProcessLookupError):
                os.kill(boxes[0].pid, signal.SIGSTOP)
                time.sleep(seconds)
                os.kill(boxes[0].pid, signal.SIGCONT)
    assert answer.result().verdict == Verdict.accepted


def test_a_signal_that_no_box_can_send_is_none_of_its_own() -> None:
    """Without a namespace of process numbers, where the kernel does not keep it away."""
    exercise = unhurried(make_exercise(cases_py=FIXED))
    with Judge(frameworks=["numpy"], parked={"numpy": 1}, require_walls=False, off=("pid",)) as judge:
        require_boxes(judge)
        question = request_of(exercise, cases_of(judge, exercise)[0].inputs)
        box: Box = judge.take("numpy")
        source = "import time\ndef doubled(x):\n    time.sleep(60)\n"
        assert isinstance(load(box, source, exercise.entries, exercise, "numpy").answer, Done)
        threading.Timer(0.5, os.kill, (box.pid, signal.SIGTERM)).start()
        with pytest.raises(BoxLost):
            box.ask(question, 20.0, exercise.limits)
        box.close()


SHORT_OF_MEMORY = """
import resource, sys
import numpy as np
from graders.inside import wire
frame = wire.encode({"v": np.ones(9 << 20, np.float32)})
text, blob = wire.lengths(frame[: wire.HEADER.size], 1 << 30)
begins = wire.HEADER.size
parts = frame[begins : begins + text], frame[begins + text :]
data = int(next(line for line in open("/proc/self/status") if line.startswith("VmData")).split()[1]) << 10
resource.setrlimit(resource.RLIMIT_DATA, (data + (24 << 20), resource.RLIM_INFINITY))
try:
    wire.decode(*parts)
except MemoryError:
    print("out of memory")
"""


def test_no_room_to_decode_an_answer_is_no_fault_of_the_answer() -> None:
    """The library that reads it panics then, which is no Exception: it ended the thread that judges."""
    environment = {name: value for name, value in os.environ.items() if name != "RUST_BACKTRACE"}
    done = subprocess.run(
        [sys.executable, "-c", SHORT_OF_MEMORY], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "out of memory\n", done.stderr[-2000:]
