"""Boxes and zygotes killed, and memory short, in a judge by itself: nobody is told anything wrong, nothing is lost."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from app.content.check import check
from graders.boxes import proc, sandbox
from graders.boxes.pool import Judge
from graders.boxes.sandbox import Box
from graders.exercise.built import cases_of
from graders.exercise.definition import Exercise
from graders.grade import Finished, grade
from graders.proof.gate import admission_faults
from graders.verdict import Verdict
from tests.conftest import note_taken, require_boxes
from tests.graders.conftest import DOUBLED_FILES, FIXED, differs_at_first, judged, make_exercise, unhurried
from tests.server_process import DOUBLED, one_exercise
from tests.waiting import LIMIT_SECONDS, until, until_ended

RIGHT = "def doubled(x):\n    return 2 * x\n"
SLOW = "import time\ntime.sleep(0.02)\ndef doubled(x):\n    time.sleep(0.03)\n    return 2 * x\n"
# It says that it is at work, and is that for a while longer.
TELLS = """
import time
def work():
    print("at work", flush=True)
    time.sleep(0.1)
work()
def doubled(x):
    work()
    return 2 * x
"""
CALL_SECONDS = 6.0  # the limit of one call, sixty times what it takes
QUESTIONS = 4  # that a box is asked: to load, and each of the three cases
MOMENTS = ("before it is asked", "at work", "after it has answered")


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


Strike = Callable[[Box], None]


@pytest.fixture
def strike(boxes: list[Box], judge: Judge, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Has something done to the boxes that are handed out next, one after the other: each at a point of its work."""
    take = judge.take

    def plan(act: Strike, *points: tuple[int, str] | None) -> None:
        """Each a question, from 1, and one of MOMENTS. None: this box is left alone."""
        left = list(points)

        def taken(*arguments: Any, **options: Any) -> Box:
            box = take(*arguments, **options)
            if left and (point := left.pop(0)):
                watch(box, point, act)
            return box

        monkeypatch.setattr(judge, "take", taken)

    def watch(box: Box, point: tuple[int, str], act: Strike) -> None:
        ask, take_prints, questions = box.ask, box.take_prints, [0]

        def pass_by(moment: str) -> None:
            if (questions[0], moment) == point:
                act(box)

        def asked(*arguments: Any, **options: Any) -> Any:
            questions[0] += 1
            pass_by("before it is asked")
            reply = ask(*arguments, **options)
            pass_by("after it has answered")
            return reply

        def printed(prints: bytearray) -> int:
            count = take_prints(prints)
            if count:
                pass_by("at work")
            return count

        monkeypatch.setattr(box, "ask", asked)
        monkeypatch.setattr(box, "take_prints", printed)

    return plan


def kill(box: Box) -> None:
    with suppress(ProcessLookupError):
        os.kill(box.pid, signal.SIGKILL)


def test_boxes_killed_at_any_point_are_noticed_by_nobody(
    judge: Judge, doubled: Exercise, boxes: list[Box], strike: Callable[..., None]
) -> None:
    """Before each question, while a box is at work on it, and after the answer; of each other submission the second
    box, too, at another point. (The third loss would be internal_error.)"""
    killed: list[int] = []

    def kill_it(box: Box) -> None:
        kill(box)
        killed.append(box.pid)

    points = list(product(range(1, QUESTIONS + 1), MOMENTS))
    rejudged = 0
    for number, (first, second) in enumerate(zip(points, reversed(points), strict=True)):
        boxes.clear()
        strike(kill_it, first, *([second] if number % 2 else []))
        assert judged(judge, doubled, TELLS, "numpy").verdict == Verdict.accepted
        assert 1 <= len(boxes) <= 3
        rejudged += len(boxes) - 1
        if first[1] == "before it is asked":
            assert len(boxes) > 1, f"{first}: its end was not noticed"
    assert len(set(killed)) >= len(points)
    assert rejudged >= len(points) - 1, "what was killed after its last answer is all that need not be judged again"


def test_a_box_killed_while_a_wrong_answer_is_explained_costs_no_verdict(
    judge: Judge, doubled: Exercise, strike: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    killed: list[int] = []

    def kill_it(box: Box) -> None:
        kill(box)
        killed.append(box.pid)

    question = 0
    while len(killed) == question:  # until there are no more questions
        question += 1
        strike(kill_it, (question, "before it is asked"))
        assert judged(judge, doubled, "def doubled(x):\n    return 3 * x\n", "numpy").verdict == Verdict.wrong_answer
    assert question > QUESTIONS + 1, "nothing was explained"
    assert [record.exc_text for record in caplog.records if record.name == "lectern.diagnosis"] == []


def test_a_box_killed_while_fresh_cases_are_drawn_is_replaced(
    judge: Judge, boxes: list[Box], strike: Callable[..., None]
) -> None:
    drawn = make_exercise()
    cases_of(judge, drawn)
    for place in (0, 1):  # the box of the generators, and that of the reference
        boxes.clear()
        strike(kill, *[None] * place, (1, "before it is asked"))
        last = [*grade(drawn, RIGHT.encode(), "numpy", judge)][-1]
        assert isinstance(last, Finished)
        assert last.result.verdict == Verdict.accepted
        # Two to draw with, as many again from the one that was killed on, and the submission's own.
        assert len(boxes) == 4 + place


def test_a_check_whose_box_is_killed_tries_that_exercise_again(
    judge: Judge, strike: Callable[..., None], tmp_path: Path
) -> None:
    """It proves for minutes, and one loss in all that time was the end of it."""
    folder = one_exercise(tmp_path) / DOUBLED
    said: list[str] = []
    strike(kill, (1, "before it is asked"))
    assert check([folder], judge, set(), said.append).exercises.keys() == {DOUBLED}
    assert any("a sandbox was lost" in line for line in said)


def test_a_zygote_killed_before_the_fork_is_replaced(judge: Judge, doubled: Exercise) -> None:
    for _ in range(2):
        zygote = judge.zygotes()["numpy"]
        os.kill(zygote, signal.SIGKILL)
        for _ in range(4):  # more than were parked
            assert judged(judge, doubled, RIGHT, "numpy").verdict == Verdict.accepted
        assert judge.zygotes()["numpy"] != zygote


def test_a_zygote_killed_takes_its_boxes_along_and_is_our_failure(
    judge: Judge, doubled: Exercise, boxes: list[Box], strike: Callable[..., None]
) -> None:
    strike(lambda box: os.kill(box.zygote_pid, signal.SIGKILL), (2, "at work"))
    assert judged(judge, doubled, TELLS, "numpy").verdict == Verdict.accepted
    assert len(boxes) == 2, "it was judged again in another box"
    until(lambda: not Path(f"/proc/{boxes[0].pid}").exists(), "the box outlived its guard")
    assert judged(judge, doubled, RIGHT, "numpy").verdict == Verdict.accepted


def test_a_zygote_that_forks_no_more_leaves_its_boxes_at_work(
    judge: Judge, doubled: Exercise, boxes: list[Box], strike: Callable[..., None]
) -> None:
    """Its control socket is closed, as after a box that failed to come up. It guards those that it has."""
    zygote = judge.zygotes()["numpy"]
    strike(lambda box: judge.keepers["numpy"].retire_zygote(), (2, "at work"))
    assert judged(judge, doubled, TELLS, "numpy").verdict == Verdict.accepted
    assert len(boxes) == 1, "the box that was at work went on"
    for _ in range(4):  # more than were parked: the last of them was forked by another
        assert judged(judge, doubled, RIGHT, "numpy").verdict == Verdict.accepted
    until(
        lambda: not Path(f"/proc/{zygote}/fd").exists() or judge.zygotes()["numpy"] == zygote,
        "it outlived its last box",
    )


def test_a_zygote_killed_before_it_replies_is_replaced(
    judge: Judge, doubled: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands still when it is asked for a box, and dies with the request unread."""
    keeper, asked = judge.keepers["numpy"], threading.Event()
    begin, wait_ready = keeper.begin, Box.wait_ready
    stopped: list[int] = []

    def begun() -> Box:
        if not stopped:  # here: a box that the keeper began before this test comes from a zygote that runs
            os.kill(keeper.zygote_pid, signal.SIGSTOP)
            until(lambda: proc.is_stopped(keeper.zygote_pid), "the zygote goes on")
            stopped.append(keeper.zygote_pid)
        box = begin()
        asked.set()
        return box

    # It is given up neither for standing still nor for being slow.
    monkeypatch.setattr(sandbox, "STILL_SECONDS", 2 * LIMIT_SECONDS)
    monkeypatch.setattr(Box, "wait_ready", lambda box, zygote: wait_ready(box, 2 * LIMIT_SECONDS, zygote))
    monkeypatch.setattr(keeper, "begin", begun)
    with ThreadPoolExecutor(6) as students:
        answers = [students.submit(judged, judge, doubled, RIGHT, "numpy") for _ in range(6)]
        until(lambda: asked.is_set() and keeper.submissions_waiting, "nobody waits for a box that was asked for")
        os.kill(stopped[0], signal.SIGKILL)
    assert {answer.result().verdict for answer in answers} == {Verdict.accepted}


def test_a_box_that_was_stopped_is_our_failure_too(
    judge: Judge, doubled: Exercise, boxes: list[Box], strike: Callable[..., None]
) -> None:
    """SIGSTOP from outside, which no program can send itself in a box: no time limit of the student's is up."""
    hurried = replace(doubled, limits=replace(doubled.limits, wall_seconds=CALL_SECONDS))
    stopped: list[Box] = []

    def stop(box: Box) -> None:
        os.kill(box.pid, signal.SIGSTOP)
        stopped.append(box)

    def is_replaced() -> bool:
        if stopped:  # and the one that lets it go on stops it too
            with suppress(ProcessLookupError):
                os.kill(stopped[0].pid, signal.SIGSTOP)
        return len(boxes) > 1 or answer.done()

    strike(stop, (2, "at work"))
    with ThreadPoolExecutor(1) as student:
        answer = student.submit(judged, judge, hurried, TELLS, "numpy")
        until(is_replaced, "it is waited for")
    assert answer.result().verdict == Verdict.accepted
    assert len(boxes) == 2
    assert judged(judge, doubled, RIGHT, "numpy").verdict == Verdict.accepted


def test_a_zygote_that_was_stopped_is_replaced(
    judge: Judge, doubled: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGSTOP, and never continued: it is not waited for as one that has much to do is, for which nobody here waits."""
    wait_ready = Box.wait_ready
    monkeypatch.setattr(Box, "wait_ready", lambda box, zygote: wait_ready(box, 2 * LIMIT_SECONDS, zygote))
    zygote = judge.zygotes()["numpy"]
    for _ in range(20):  # more than were parked
        with suppress(ProcessLookupError):
            os.kill(zygote, signal.SIGSTOP)  # once more: something may have let it go on
        assert judged(judge, doubled, RIGHT, "numpy").verdict == Verdict.accepted
        if judge.zygotes()["numpy"] != zygote:
            break
    assert judge.zygotes()["numpy"] != zygote


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
        until_ended(*eaters)
    assert set(honest) == {Verdict.accepted}
    assert set(hungry) == {Verdict.memory_limit}


def test_a_right_answer_that_had_to_wait_once_is_no_fault_of_the_exercise(
    judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a machine with other work, where a box may wait for longer than the exercise's limit. Here the first
    box waits."""
    toml = DOUBLED_FILES["exercise.toml"].replace('"numpy", "jax", "torch"', '"numpy"')
    toml = toml.replace("wall_seconds = 2", "wall_seconds = 20")
    right, waits = "def doubled(x):\n    return x + x\n", "__import__('time').sleep(600) or "
    exercise = make_exercise(cases_py=FIXED, exercise_toml=toml, solutions__waits_py=right)
    first = differs_at_first(judge, monkeypatch, "x + x", f"{waits}x + x", seconds=0.5)
    assert admission_faults(exercise, judge, tmp_path) == []
    assert first, "nobody has loaded it"
