"""A right submission is accepted, whatever becomes of the machine: what is lost, killed or stopped is judged again, and
no moment in which nothing ran is charged to anybody."""

import errno
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress

import pytest

from app.settings import ROOT
from graders.boxes import proc, sandbox
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
from tests.waiting import LIMIT_SECONDS, until, until_ended

from .conftest import FIXED, StoppedClock, differs_at_first, judged, make_exercise, uncached, unhurried, when_asked

RIGHT = "def doubled(x):\n    return 2 * x\n"
ACCEPT = "def accept(inputs, output, expected):\n"
CHECKER = f"{ACCEPT}    return None if abs(output - expected).max() < 1e-5 else 'It is not twice as much.'\n"
# At each call, until the box has once been stopped and continued.
UNTIL_CONTINUED = "    while not continued: time.sleep(0.01)\n"
NOTES_IT = "import signal, time\ncontinued = []\nsignal.signal(signal.SIGCONT, lambda *_: continued.append(True))\n"
ENDLESS = "import time\ntime.sleep(3600)\n"
SOON = 0.5  # seconds, for a box that does not answer


def checked() -> Exercise:
    """Judged by a checker, with time for it on a busy machine."""
    return unhurried(make_exercise("checked", cases_py=FIXED, checker_py=CHECKER))


@pytest.fixture
def at_work(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[list[Box], "Future[SubmissionResult]"]]:
    """A right submission while its checker is asked: the boxes that were handed out, the second of them the checker's,
    and what becomes of it. This checker answers once it has been stopped and continued."""
    exercise = checked()
    assert judged(judge, exercise, RIGHT, "numpy").verdict == Verdict.accepted  # its cases are built now
    boxes = note_taken(judge, monkeypatch)
    checkers = differs_at_first(judge, monkeypatch, ACCEPT, NOTES_IT + ACCEPT + UNTIL_CONTINUED)
    with ThreadPoolExecutor(1) as student:
        answer = student.submit(judged, judge, exercise, RIGHT, "numpy")
        until(lambda: checkers and checkers[0].number == 2)
        assert boxes[1:] == checkers
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
    until(lambda: len(boxes) > 2 or answer.done())
    with suppress(ProcessLookupError):
        os.kill(boxes[1].pid, signal.SIGCONT)
    assert answer.result().verdict == Verdict.accepted


def test_a_checker_that_had_to_wait_once_makes_no_answer_wrong(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the machine stood still for longer than a call may take, just as it was asked."""
    waited = differs_at_first(judge, monkeypatch, ACCEPT, ENDLESS + ACCEPT, SOON)
    assert judged(judge, checked(), RIGHT, "numpy").verdict == Verdict.accepted
    assert waited


def test_a_reference_that_had_to_wait_once_makes_no_exercise_broken(
    judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = threading.Event()
    reference = uncached(RIGHT)
    exercise = unhurried(make_exercise("waited", cases_py=FIXED, reference_py=reference))
    waited = differs_at_first(judge, monkeypatch, reference, ENDLESS + reference, SOON)
    preparer = Preparer([exercise], judge, on_built=lambda one: built.set())
    preparer.start()
    try:
        assert built.wait(LIMIT_SECONDS), "it was taken for broken"
    finally:
        preparer.close()
    assert waited
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
        assert preparer.wait_until_prepared(LIMIT_SECONDS)
        assert admitted == ["first", "second"]
    finally:
        preparer.close()


@pytest.mark.parametrize(("times", "boxes"), [(5, 1), (8, 2)], ids=["it goes on", "another is taken"])
def test_a_box_that_is_stopped_from_outside_is_charged_with_nothing(
    judge: Judge, monkeypatch: pytest.MonkeyPatch, times: int, boxes: int
) -> None:
    """Each time it stands still for half a second of the two that a call may take."""
    exercise = make_exercise(cases_py=FIXED)
    judged(judge, exercise, RIGHT, "numpy")
    monkeypatch.setattr(sandbox, "time", clock := StoppedClock())
    handed_out = note_taken(judge, monkeypatch)
    stopped = differs_at_first(judge, monkeypatch, RIGHT, NOTES_IT + RIGHT.replace("\n", f"\n{UNTIL_CONTINUED}", 1))
    with ThreadPoolExecutor(1, thread_name_prefix="student") as student:
        answer = student.submit(judged, judge, exercise, RIGHT, "numpy")
        until(lambda: stopped and stopped[0].number == 2)
        os.kill(stopped[0].pid, signal.SIGSTOP)
        until(lambda: proc.is_stopped(stopped[0].pid))
        for _ in range(times):
            clock.let_pass(0.5, "student_0", answer)
        with suppress(ProcessLookupError):
            os.kill(stopped[0].pid, signal.SIGCONT)
    assert answer.result().verdict == Verdict.accepted
    assert len(handed_out) == boxes


def test_a_signal_that_no_box_can_send_is_none_of_its_own() -> None:
    """Without a namespace of process numbers, where the kernel does not keep it away."""
    exercise = unhurried(make_exercise(cases_py=FIXED))
    with Judge(frameworks=["numpy"], parked={"numpy": 1}, require_walls=False, off=("pid",)) as judge:
        require_boxes(judge)
        question = request_of(exercise, cases_of(judge, exercise)[0].inputs)
        box: Box = judge.take("numpy")
        source = "import time\ndef doubled(x):\n    time.sleep(3600)\n"
        assert isinstance(load(box, source, exercise.entries, exercise, "numpy").answer, Done)
        killer = when_asked(box, lambda: os.kill(box.pid, signal.SIGTERM))
        with pytest.raises(BoxLost):
            box.ask(question, LIMIT_SECONDS, exercise.limits)
        until_ended(killer)
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
        [sys.executable, "-c", SHORT_OF_MEMORY],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LIMIT_SECONDS,
    )  # fmt: skip
    assert done.stdout == "out of memory\n", done.stderr[-2000:]
