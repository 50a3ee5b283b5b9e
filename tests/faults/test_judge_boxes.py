"""Boxes and zygotes killed, and memory short, in a judge by itself: nobody is told anything wrong, nothing is lost."""

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from app.content.check import check
from graders.boxes.pool import Judge
from graders.boxes.sandbox import READY_SECONDS, Box
from graders.exercise.built import cases_of
from graders.exercise.definition import Exercise
from graders.grade import Finished, grade
from graders.proof.gate import admission_faults
from graders.verdict import Verdict
from tests.conftest import note_taken, require_boxes
from tests.graders.conftest import DOUBLED_FILES, FIXED, judged, make_exercise, unhurried
from tests.server_process import DOUBLED, one_exercise

RIGHT = "def doubled(x):\n    return 2 * x\n"
SLOW = "import time\ntime.sleep(0.02)\ndef doubled(x):\n    time.sleep(0.03)\n    return 2 * x\n"
SLOWER = SLOW.replace("0.03", "0.5")  # still at work when something is done to its box
KILLING_SECONDS = 12.0
LIMIT_SECONDS = 6.0  # of one call, twelve times what SLOWER takes


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge(frameworks=["numpy"], parked={"numpy": 2}) as judge:
        require_boxes(judge)
        yield judge


@pytest.fixture(scope="module")
def doubled(judge: Judge) -> Exercise:
    """Three cases, whose expected outputs are known, and none that is drawn: the next box that is taken is a
    submission's."""
    exercise = make_exercise(cases_py=FIXED)
    cases_of(judge, exercise)
    return unhurried(exercise)


@pytest.fixture
def boxes(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> list[Box]:
    """The boxes as they are handed out."""
    return note_taken(judge, monkeypatch)


def test_boxes_killed_at_random_points_are_noticed_by_nobody(judge: Judge, doubled: Exercise, boxes: list[Box]) -> None:
    """As many as fit into KILLING_SECONDS, and a few on a machine that stands still: while it loads, during a call,
    between two, and when all is said."""
    chance = random.Random(3)
    deadline, last = time.monotonic() + KILLING_SECONDS, time.monotonic() + 240
    killed = rejudged = 0
    while time.monotonic() < deadline or ((killed < 5 or rejudged < 3) and time.monotonic() < last):
        boxes.clear()
        with ThreadPoolExecutor(1) as student:
            answer = student.submit(judged, judge, doubled, SLOW, "numpy")
            for _ in range(chance.choice((1, 1, 2))):  # the third loss would be internal_error
                seen = len(boxes)
                time.sleep(chance.uniform(0, 0.15))
                if len(boxes) > max(0, seen - 1) and not answer.done():
                    try:
                        os.kill(boxes[-1].pid, signal.SIGKILL)
                        killed += 1
                    except ProcessLookupError:
                        pass
        assert answer.result().verdict == Verdict.accepted
        assert 1 <= len(boxes) <= 3
        rejudged += len(boxes) - 1
    assert killed >= 5
    assert rejudged >= 3, "hardly a kill met a submission at work"


def test_a_box_killed_while_fresh_cases_are_drawn_is_replaced(judge: Judge, boxes: list[Box]) -> None:
    drawn = make_exercise()
    cases_of(judge, drawn)
    for place in (0, 1):  # the box of the generators, and that of the reference
        boxes.clear()
        with ThreadPoolExecutor(1) as student:
            answer = student.submit(lambda: [*grade(drawn, RIGHT.encode(), "numpy", judge)][-1])
            while len(boxes) <= place:
                assert not answer.done(), "it was to draw its own"
                time.sleep(0.0005)
            with suppress(ProcessLookupError):  # it was quicker
                os.kill(boxes[place].pid, signal.SIGKILL)
        last = answer.result()
        assert isinstance(last, Finished)
        assert last.result.verdict == Verdict.accepted


def test_a_check_whose_box_is_killed_tries_that_exercise_again(judge: Judge, boxes: list[Box], tmp_path: Path) -> None:
    """It proves for minutes, and one loss in all that time was the end of it."""
    folder = one_exercise(tmp_path) / DOUBLED
    cases = folder / "cases.py"
    cases.write_text(f"{cases.read_text()}\nimport time\ntime.sleep(4)\n")  # the kill meets it at work
    said: list[str] = []
    with ThreadPoolExecutor(1) as author:
        report = author.submit(check, [folder], judge, set(), said.append)
        while not boxes:
            assert not report.done()
            time.sleep(0.0005)
        os.kill(boxes[0].pid, signal.SIGKILL)
    assert report.result().exercises.keys() == {DOUBLED}
    assert any("a sandbox was lost" in line for line in said)


def test_a_zygote_killed_before_the_fork_is_replaced(judge: Judge, doubled: Exercise) -> None:
    for _ in range(2):
        zygote = judge.zygotes()["numpy"]
        os.kill(zygote, signal.SIGKILL)
        for _ in range(4):  # more than were parked
            assert judged(judge, doubled, RIGHT, "numpy").verdict == Verdict.accepted
        assert judge.zygotes()["numpy"] != zygote


def test_a_zygote_killed_takes_its_boxes_along_and_is_our_failure(
    judge: Judge, doubled: Exercise, boxes: list[Box]
) -> None:
    with ThreadPoolExecutor(1) as student:
        answer = student.submit(judged, judge, doubled, SLOWER, "numpy")
        while not boxes:
            time.sleep(0.001)
        os.kill(judge.zygotes()["numpy"], signal.SIGKILL)
    assert answer.result().verdict == Verdict.accepted
    assert len(boxes) == 2, "it was judged again in another box"
    deadline = time.monotonic() + 120
    while Path(f"/proc/{boxes[0].pid}").exists():
        assert time.monotonic() < deadline, "the box outlived its guard"
        time.sleep(0.01)
    assert judged(judge, doubled, RIGHT, "numpy").verdict == Verdict.accepted


def test_a_zygote_that_forks_no_more_leaves_its_boxes_at_work(
    judge: Judge, doubled: Exercise, boxes: list[Box]
) -> None:
    """Its control socket is closed, as after a box that failed to come up. It guards those that it has."""
    zygote = judge.zygotes()["numpy"]
    with ThreadPoolExecutor(1) as student:
        answer = student.submit(judged, judge, doubled, SLOWER, "numpy")
        while not boxes:
            time.sleep(0.001)
        judge.keepers["numpy"].retire_zygote()
    assert answer.result().verdict == Verdict.accepted
    assert len(boxes) == 1, "the box that was at work went on"
    for _ in range(4):  # more than were parked: the last of them was forked by another
        assert judged(judge, doubled, RIGHT, "numpy").verdict == Verdict.accepted
    deadline = time.monotonic() + 120
    while Path(f"/proc/{zygote}/fd").exists() and judge.zygotes()["numpy"] != zygote:
        assert time.monotonic() < deadline, "it outlived its last box"
        time.sleep(0.01)


def test_a_zygote_killed_before_it_replies_is_replaced(judge: Judge, doubled: Exercise) -> None:
    """It stands still when it is asked for a box, and dies with the request unread."""
    zygote = judge.zygotes()["numpy"]
    os.kill(zygote, signal.SIGSTOP)
    with ThreadPoolExecutor(6) as students:
        answers = [students.submit(judged, judge, doubled, RIGHT, "numpy") for _ in range(6)]
        time.sleep(0.3)
        assert sum(answer.done() for answer in answers) < 6, "some wait for a box that has been asked for"
        os.kill(zygote, signal.SIGKILL)
    assert {answer.result().verdict for answer in answers} == {Verdict.accepted}


def test_a_box_that_was_stopped_is_our_failure_too(judge: Judge, doubled: Exercise, boxes: list[Box]) -> None:
    """SIGSTOP from outside, which no program can send itself in a box: no time limit of the student's is up."""
    hurried = replace(doubled, limits=replace(doubled.limits, wall_seconds=LIMIT_SECONDS))
    with ThreadPoolExecutor(1) as student:
        answer = student.submit(judged, judge, hurried, SLOWER, "numpy")
        while not boxes:
            time.sleep(0.001)
        stopped = boxes[0]
        while len(boxes) == 1 and not answer.done():  # and the one that lets it go on stops it too
            with suppress(ProcessLookupError):
                os.kill(stopped.pid, signal.SIGSTOP)
            time.sleep(0.01)
    assert answer.result().verdict == Verdict.accepted
    assert len(boxes) == 2
    assert judged(judge, doubled, RIGHT, "numpy").verdict == Verdict.accepted


def test_a_zygote_that_was_stopped_is_replaced(judge: Judge, doubled: Exercise) -> None:
    """SIGSTOP, and never continued: it is not waited for as one that has much to do is."""
    zygote = judge.zygotes()["numpy"]
    began = time.monotonic()
    for _ in range(20):  # more than were parked
        with suppress(ProcessLookupError):
            os.kill(zygote, signal.SIGSTOP)  # once more: something may have let it go on
        assert judged(judge, doubled, RIGHT, "numpy").verdict == Verdict.accepted
        if judge.zygotes()["numpy"] != zygote:
            break
    assert judge.zygotes()["numpy"] != zygote
    assert time.monotonic() - began < READY_SECONDS, "it was given the time of one that starts"


def test_memory_eaten_beside_an_honest_submission_is_told_to_whom_it_belongs(judge: Judge, doubled: Exercise) -> None:
    eats = (
        "import time\ndef doubled(x):\n    kept = []\n    while True:\n        kept.append(bytearray(4 << 20))\n"
        "        time.sleep(0.001)\n"
    )
    doubled = unhurried(doubled)
    stop = threading.Event()
    hungry: list[Verdict] = []

    def eat() -> None:
        while not stop.is_set():
            hungry.append(judged(judge, doubled, eats, "numpy").verdict)

    eaters = [threading.Thread(target=eat) for _ in range(2)]
    for eater in eaters:
        eater.start()
    try:
        honest = [judged(judge, doubled, SLOW, "numpy").verdict for _ in range(15)]
    finally:
        stop.set()
        for eater in eaters:
            eater.join()
    assert set(honest) == {Verdict.accepted}
    assert set(hungry) == {Verdict.memory_limit}


def test_a_right_answer_that_had_to_wait_once_is_no_fault_of_the_exercise(judge: Judge, tmp_path: Path) -> None:
    """As on a machine with other work, where a box may wait for longer than the exercise's limit of six seconds."""
    toml = DOUBLED_FILES["exercise.toml"].replace('"numpy", "jax", "torch"', '"numpy"')
    toml = toml.replace("wall_seconds = 2", "wall_seconds = 6")
    waits = (
        f"import time\ndef doubled(x):\n    time.sleep(max(0, {time.time() + 7.5} - time.time()))\n    return x + x\n"
    )
    exercise = make_exercise(cases_py=FIXED, exercise_toml=toml, solutions__waits_py=waits)
    assert admission_faults(exercise, judge, tmp_path) == []
