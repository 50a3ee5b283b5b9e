"""The pool under attack: boxes come again whatever went wrong, and wait for nobody's own sizes."""

import os
import resource
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from graders.boxes import sandbox
from graders.boxes.pool import Judge
from graders.boxes.reply import Done
from graders.boxes.sandbox import Box, BoxLost
from graders.boxes.warmth import CompileCache, Warmth
from graders.exercise.built import cases_of
from graders.exercise.cases import warmth_of
from graders.exercise.definition import Exercise
from graders.exercise.runs import load
from graders.grade import Finished, grade
from graders.verdict import Verdict
from tests.conftest import require_boxes
from tests.waiting import LIMIT_SECONDS, exit_code, until, until_ended

from .conftest import judged, unhurried

FAILURES = 5  # of a keeper, in a row: each comes twice as long after the last


@pytest.fixture
def alone() -> Iterator[Judge]:
    """A judge for one test, with the cache of all."""
    with Judge(Path(os.environ["LECTERN_CACHE"]), frameworks=["numpy", "jax"], parked={"numpy": 1, "jax": 2}) as judge:
        require_boxes(judge)
        yield judge


def test_boxes_come_again_when_the_server_has_descriptors_again(
    alone: Judge, doubled: Exercise, capfd: pytest.CaptureFixture[str]
) -> None:
    """A thousand open connections: meanwhile no call that opens anything works."""
    assert judged(alone, doubled, doubled.reference.text, "numpy").verdict == Verdict.accepted
    keeper = alone.keepers["numpy"]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    descriptors: list[int] = []
    failures = 0

    def has_failed_often() -> bool:
        nonlocal failures
        for box in list(keeper.parked):
            box.kill()  # the keeper would have another
        use_up(descriptors)
        with keeper.changed:
            keeper.changed.notify_all()
        failures += capfd.readouterr().err.count("trying again")
        return failures >= FAILURES

    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        until(has_failed_often, lambda: f"it failed {failures} times", look_seconds=0.05)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for descriptor in descriptors:
            os.close(descriptor)
    assert judged(alone, doubled, doubled.reference.text, "numpy").verdict == Verdict.accepted
    until(lambda: groups(alone) <= 1 + len(keeper.parked), "one is left of a box that never came")


def test_a_box_is_killed_and_closed_at_the_same_time(alone: Judge) -> None:
    """A judge closes, and kills what is in use, while its users close it: the number of a closed descriptor is soon
    another box's."""
    interval = sys.getswitchinterval()
    try:
        sys.setswitchinterval(1e-5)
        with ThreadPoolExecutor(2) as killers:
            for _ in range(20):
                box = alone.take("numpy")
                ends = [killers.submit(kill_until_closed, box) for _ in range(2)]
                box.close()
                assert [end.result() for end in ends] == [None, None]
    finally:
        sys.setswitchinterval(interval)


def kill_until_closed(box: Box) -> None:
    while box.pidfd >= 0:
        box.kill()


def test_without_descriptors_the_watchdog_is_not_blind(alone: Judge, doubled: Exercise) -> None:
    """What cannot be watched is not judged: it is ours, and judged again."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    box = alone.take("numpy")
    source = "import time\ndef doubled(x):\n    time.sleep(3600)\n    return x\n"
    try:
        assert load(box, source, doubled.entries, doubled, "numpy").answer == Done()
        # The first three are in use: nothing can be opened, whatever other threads of this process close meanwhile
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
        with pytest.raises(BoxLost):
            box.data_bytes()
        with pytest.raises(BoxLost):
            box.ask({"op": "call", "args": [1.0], "seed": None}, LIMIT_SECONDS, doubled.limits)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        box.close()


def use_up(descriptors: list[int]) -> None:
    """Open what may be opened."""
    try:
        while True:
            descriptors.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        pass


def groups(judge: Judge) -> int:
    """How many boxes have a control group; 0 where there are none."""
    return max((len(list(folder.glob("box-*")))
                for folder in judge.groups.folders.values()), default=0)  # fmt: skip


@pytest.mark.extra
def test_a_students_own_inputs_do_not_decide_what_boxes_wait_for(alone: Judge, flax: Exercise) -> None:
    wanted = warmth_of(flax, cases_of(alone, flax))
    assert wanted is not None
    source = b"def learned_pos_embed_forward(seed, T, d_model):\n    return None\n"
    for d_model in (5, 7):
        for kind in ("run", "trace"):
            *_, last = grade(flax, source, "jax", alone, kind, {"seed": 1, "T": 3, "d_model": d_model})
            assert isinstance(last, Finished)
            assert last.result.verdict == Verdict.wrong_answer
    *_, last = grade(flax, source, "jax", alone, "trace")  # of one sample alone
    assert list(alone.keepers["jax"].warmths) == [wanted.digest]


@pytest.mark.extra
def test_library_calls_that_no_box_lives_through_do_not_leave_everybody_without(
    alone: Judge, doubled: Exercise, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("graders.boxes.sandbox.WARM_SECONDS", 0.2)
    endless = Warmth(tuple(("normal", ("float32", (size, 3))) for size in range(1, 2000)), (), False)
    alone.expect(endless)
    assert judged(alone, unhurried(doubled), doubled.reference.text, "jax").verdict == Verdict.accepted
    alone.expect(endless)
    keeper = alone.keepers["jax"]
    wait_for_parked(alone, "jax", 2)
    assert capfd.readouterr().err.count("did not warm up") <= 2
    boxes = list(keeper.parked)
    waits: list[float | None] = []
    wait = keeper.changed.wait

    def noted(seconds: float | None = None) -> bool:
        waits.append(seconds)
        return wait(seconds)

    monkeypatch.setattr(keeper.changed, "wait", noted)
    with keeper.changed:
        keeper.changed.notify_all()
    until(lambda: waits, "it did not look again, or found something to do")
    assert waits == [None], "it has nothing to do until something changes"
    assert list(keeper.parked) == boxes, "boxes that nothing can warm are left to wait"
    assert "did not warm up" not in capfd.readouterr().err


def test_boxes_wait_for_the_exercises_that_were_used_last(alone: Judge) -> None:
    """Three were, and two boxes wait, which came before: they are warmed now, and neither for the first."""
    warmths = [Warmth((("normal", ("float32", (size, 3))),), (), False) for size in (2, 3, 4)]
    keeper = alone.keepers["jax"]
    alone.start(["jax"])
    wait_for_parked(alone, "jax", 2)
    with keeper.changed:  # it sees none of them before it sees all
        for warmth in warmths:
            alone.expect(warmth)
    until(lambda: len(parked := list(keeper.parked)) == 2 and all(box.warmth for box in parked))
    assert {box.warmth for box in list(keeper.parked)} == {warmth.digest for warmth in warmths[1:]}


def test_boxes_are_forked_while_others_are_in_use(doubled: Exercise, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside one submission the pool keeps still; where half of it is gone it does not wait for anybody to be done."""
    monkeypatch.setattr("graders.boxes.keeper.CALM_SECONDS", 600.0)
    with Judge(frameworks=["numpy"], parked={"numpy": 4}) as judge:
        require_boxes(judge)
        keeper = judge.keepers["numpy"]
        wait_for_parked(judge, "numpy", 4)
        boxes = []
        for _ in range(12):  # and none given back
            boxes.append(judge.take("numpy"))
            until(lambda: len(keeper.parked) > 0)
        for box in boxes:
            box.close()


@contextmanager
def none_forked(judge: Judge, framework: str) -> Iterator[None]:
    """Meanwhile its zygote stands still: no further box comes."""
    zygote = judge.zygotes()[framework]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sandbox, "STILL_SECONDS", 600.0)  # it would be replaced
        os.kill(zygote, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(zygote, signal.SIGCONT)


def wait_for_parked(judge: Judge, framework: str, count: int) -> None:
    until(lambda: judge.parked()[framework] >= count, f"no {count} boxes wait")


def test_the_last_box_that_waits_is_a_submissions(alone: Judge) -> None:
    """Cells come one after the other and keep what they take: a submission finds a box at once all the same."""
    wait_for_parked(alone, "numpy", 1)
    with none_forked(alone, "numpy"):
        with pytest.raises(BoxLost, match="to spare"):
            alone.take("numpy", 0.3, spare=True)
        assert alone.parked()["numpy"] == 1
    boxes = []
    for _ in range(3):
        boxes.append(alone.take("numpy", LIMIT_SECONDS, spare=True))
        assert alone.parked()["numpy"] >= 1
        alone.take("numpy", 0).close()  # at once, or it would be lost
    for box in boxes:
        box.close()


def test_submissions_that_wait_come_before_a_cell_that_waited_longer(alone: Judge) -> None:
    wait_for_parked(alone, "numpy", 1)
    keeper = alone.keepers["numpy"]
    served: list[Box] = []
    waited: list[int] = []

    def cell() -> None:
        with keeper.changed:  # held while it looks, given up while it waits
            served.append(alone.take("numpy", LIMIT_SECONDS, spare=True))
            waited.append(keeper.submissions_waiting)

    def submission() -> None:
        served.append(alone.take("numpy", LIMIT_SECONDS))

    callers = [threading.Thread(target=call) for call in (cell, submission, submission)]
    with none_forked(alone, "numpy"):
        last_box = alone.take("numpy", 0)
        callers[0].start()
        until(lambda: keeper.cells_waiting == 1)
        for caller in callers[1:]:
            caller.start()
        until(lambda: keeper.submissions_waiting == 2)
    until_ended(*callers)
    for box in (last_box, *served):
        box.close()
    assert len(served) == 3
    assert waited == [0], "submissions that still waited when the cell had its box"


def test_while_a_submission_waits_no_box_is_to_spare(alone: Judge) -> None:
    """However many are parked: a waiter wakes a moment after the box came, and it must still be there."""
    keeper = alone.keepers["numpy"]
    alone.take("numpy", LIMIT_SECONDS, spare=True).close()
    wait_for_parked(alone, "numpy", 1)
    with keeper.changed:
        keeper.submissions_waiting += 1  # the moment between
    try:
        wait_for_parked(alone, "numpy", 1)

        def are_two_parked() -> bool:
            """It is forked because somebody waits for one to spare, and may take its time to come."""
            with pytest.raises(BoxLost, match="to spare"):
                alone.take("numpy", 0.5, spare=True)
            return alone.parked()["numpy"] == 2

        until(are_two_parked, "there would have been one")
        with pytest.raises(BoxLost, match="to spare"):
            alone.take("numpy", 0, spare=True)
    finally:
        with keeper.changed:
            keeper.submissions_waiting -= 1
    alone.take("numpy", LIMIT_SECONDS, spare=True).close()


def test_a_verdict_does_not_wait_until_its_box_has_been_taken_away(alone: Judge, doubled: Exercise) -> None:
    keeper = alone.keepers["numpy"]
    events = grade(doubled, doubled.reference.text.encode(), "numpy", alone, keeps_box=True)
    last = next(event for event in events if isinstance(event, Finished))
    assert last.result.verdict == Verdict.accepted
    (box,) = (box for box in keeper.handed_out if box.channel.fileno() != -1)
    assert box.is_quiet(), "while the verdict is being recorded its box is left alone"
    assert next(events, None) is None
    until(lambda: box.channel.fileno() == -1 and not alone.boxes_in_use())


def test_who_stops_at_the_verdict_leaves_no_box(alone: Judge, doubled: Exercise) -> None:
    events = grade(doubled, doubled.reference.text.encode(), "numpy", alone)
    assert next(event for event in events if isinstance(event, Finished)).result.verdict == Verdict.accepted
    assert not alone.boxes_in_use()


def test_a_box_that_is_let_go_of_ends_with_its_judge_at_the_latest(tmp_path: Path) -> None:
    with Judge(tmp_path, frameworks=["numpy"], parked={"numpy": 1}) as judge:
        require_boxes(judge)
        box = judge.take("numpy")
        judge.let_go(box)
    assert box.channel.fileno() == -1
    late = threading.Thread(target=judge.let_go, args=(box,))
    late.start()
    until_ended(late)


def test_a_submission_that_is_explained_has_no_box_meanwhile(alone: Judge, doubled: Exercise) -> None:
    """Explaining may take boxes of its own, and what the submission has started ends before."""
    events = grade(doubled, b"def doubled(x):\n    return 3 * x\n", "numpy", alone, keeps_box=True)
    last = next(event for event in events if isinstance(event, Finished))
    assert last.result.verdict == Verdict.wrong_answer
    until(lambda: not alone.boxes_in_use())


@pytest.mark.parametrize(
    "call",
    [
        ("counted", 1 << 33),
        ("matmul", ("float32", (1 << 17, 1)), ("float32", (1, 1 << 17))),
        ("take", ("float32", (1, 1 << 17)), ("int32", (1 << 17,))),
    ],
)
def test_compiling_ahead_takes_no_more_memory_than_its_own(
    tmp_path: Path, call: tuple[object, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    """Sixty-four gigabytes, asked for by small arrays: refused, where all that is small is compiled."""
    cache = CompileCache(tmp_path)
    filling = cache.fill([call, ("counted", 7)], False)
    assert filling is not None
    assert exit_code(filling) == 0
    assert "too many to warm up with" in capfd.readouterr().err
    assert list(cache.folder.glob("*-cache")), "the small one is in there"
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 3 << 20, "KiB, of any child so far"


def test_what_is_not_expected_is_not_warmed_before_somebody_asks_for_it() -> None:
    with Judge(frameworks=["numpy", "torch"], parked={"numpy": 1, "torch": 1}) as judge:
        judge.start(["numpy"])
        require_boxes(judge)
        assert judge.ready()
        assert judge.zygotes().keys() == {"numpy"}
        judge.take("torch").close()
        assert judge.zygotes().keys() == {"numpy", "torch"}
