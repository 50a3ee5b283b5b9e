"""What exercises need before anybody asks, made by threads of their own."""

import contextlib
import os
import signal
import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graders.boxes.patience import PatientJudge
from graders.boxes.pool import Judge
from graders.boxes.warmth import COMMON_SIZES, NICEST, Warmth, at_common_sizes
from graders.exercise.built import cases_at_hand, cases_of, is_built
from graders.exercise.cases import Case, warmth_of
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.fresh import LEAST, Stock
from graders.exercise.preparer import Preparer
from tests.conftest import require_boxes
from tests.graders.conftest import make_exercise, uncached
from tests.waiting import LIMIT_SECONDS, until, until_ended

pytestmark = pytest.mark.usefixtures("common_sizes")
RIGHT = "def doubled(x):\n    return 2 * x\n"
DRAWN = """
import numpy as np

def sample_cases(rng):
    yield "one", {"x": np.ones(3, np.float32)}

def hidden_cases(rng):
    yield "drawn", {"x": rng.standard_normal(2).astype(np.float32)}
"""


def test_what_is_wanted_is_built_and_told(judge: Judge) -> None:
    settled = threading.Event()
    exercise = make_exercise("wanted", reference_py=uncached(RIGHT))
    preparer = Preparer([], judge, on_settled=settled.set)
    assert not preparer.is_settled(exercise)
    assert cases_at_hand(judge, exercise) is None
    preparer.start()
    try:
        preparer.want(exercise)
        assert settled.wait(LIMIT_SECONDS)
        assert preparer.is_settled(exercise)
        assert is_built(judge, exercise)
    finally:
        preparer.close()


def test_what_is_broken_is_settled_and_tried_again_later(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    settled = threading.Event()
    exercise = make_exercise("broken", reference_py="def doubled(x):\n    raise ValueError('ours')\n")
    preparer = Preparer([], judge, on_settled=settled.set)
    preparer.start()
    try:
        preparer.want(exercise)
        assert settled.wait(LIMIT_SECONDS)
        assert preparer.is_settled(exercise), "who submits to it is told at once"
        monkeypatch.setattr("graders.exercise.preparer.AGAIN_SECONDS", 0.0)
        assert not preparer.is_settled(exercise), "this machine may only have been busy"
        settled.clear()
        preparer.want(exercise)
        assert settled.wait(LIMIT_SECONDS)
    finally:
        preparer.close()


def test_an_exercise_without_an_end_keeps_none_from_being_built() -> None:
    endless = make_exercise("endless", reference_py="import time\ndef doubled(x):\n    time.sleep(3600)\n")
    endless = replace(endless, limits=replace(endless.limits, wall_seconds=3000.0))
    other = make_exercise("other")
    settled = threading.Event()
    with Judge(frameworks=["numpy"], parked={"numpy": 2}) as judge:  # of its own: closing it ends what has no end
        preparer = Preparer([endless], judge, on_settled=settled.set)
        preparer.start()
        preparer.want(endless)
        preparer.want(other)
        assert settled.wait(LIMIT_SECONDS)
        assert preparer.is_settled(other)
        assert not preparer.is_settled(endless)
        preparer.close(0)


def test_the_cases_of_what_changed_wait_for_no_mistake_of_what_it_was(judge: Judge) -> None:
    """An author who saves, looks and saves again sees cases, while what takes seconds runs behind them."""
    begun, built = threading.Event(), threading.Event()
    before, after = (make_exercise(slug, reference_py=uncached(RIGHT)) for slug in ("before", "after"))
    admitted = []

    def admit(exercise: Exercise) -> None:
        admitted.append(exercise.slug)
        if exercise is before:
            begun.set()
            assert built.wait(LIMIT_SECONDS), "it waited for this"

    preparer = Preparer([before], judge, admit=admit, on_built=lambda one: built.set() if one is after else None)
    preparer.start()
    try:
        assert begun.wait(LIMIT_SECONDS)
        preparer.replace([after])
        assert built.wait(LIMIT_SECONDS)
        assert cases_at_hand(judge, after) is not None
        until(lambda: is_built(judge, after) and len(admitted) == 2, "the other steps follow")
        assert admitted == ["before", "after"]
    finally:
        preparer.close()


def test_sets_of_fresh_cases_are_made_while_nothing_is_judged(judge: Judge) -> None:
    plain = make_exercise()
    toml = plain.files["exercise.toml"].decode().replace('["numpy", "jax", "torch"]', '["numpy"]')
    exercise, stock = make_exercise("stocked", exercise_toml=toml), Stock(batch=LEAST)
    preparer = Preparer([exercise], judge, stock)
    preparer.start()
    try:
        until(lambda: not stock.wants(exercise))
        assert stock.counts()["waiting"] == LEAST
        stock.take(judge, exercise)
        until(lambda: not stock.wants(exercise))
        assert stock.counts()["waiting"] >= 4 * LEAST - LEAST, "it is submitted to: a burst is prepared for"
    finally:
        preparer.close()


def test_sets_are_made_beside_submissions_that_never_pause(judge: Judge) -> None:
    """A box is in use all the time, as on the night of a deadline: half of the sets are made good all the same."""
    plain = make_exercise()
    toml = plain.files["exercise.toml"].decode().replace('["numpy", "jax", "torch"]', '["numpy"]')
    exercise, stock = make_exercise("stocked-beside", exercise_toml=toml), Stock(batch=4)
    preparer = Preparer([exercise], judge, stock)
    preparer.start()
    try:
        stock.take(judge, exercise)
        until(lambda: not stock.wants(exercise))
        submission = judge.take("numpy")
        try:
            while not stock.is_running_down(exercise):
                stock.take(judge, exercise)
            assert not stock.is_low(exercise)
            assert not stock.is_urgent()
            until(lambda: not stock.is_running_down(exercise))
        finally:
            submission.close()
    finally:
        preparer.close()


def test_few_sets_of_what_is_submitted_to_now_are_urgent(
    judge: Judge, doubled: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    stock = Stock(batch=LEAST)
    stock.take(judge, doubled)
    assert stock.is_urgent()
    stock.fill(judge, doubled)
    assert not stock.is_urgent()
    while not stock.is_low(doubled):
        stock.take(judge, doubled)
    assert stock.is_urgent()
    monkeypatch.setattr("graders.exercise.fresh.NOW_SECONDS", 0.0)
    assert not stock.is_urgent(), "nobody has submitted to it for a while"


def test_a_batch_that_somebody_waits_for_is_urgent(judge: Judge, doubled: Exercise) -> None:
    """As a builder does, for a submission to an exercise of which there are none: it has not come as far as taking."""
    stock, seen = Stock(batch=LEAST), list[bool]()

    def is_urgent() -> bool:
        seen.append(stock.is_urgent())
        return seen[-1]

    submission = judge.take("numpy")
    patient = PatientJudge(judge, lambda: False, is_urgent, spare=False)
    stocker = threading.Thread(target=stock.fill, args=(patient, doubled))
    builder = threading.Thread(target=stock.fill, args=(judge, doubled))
    try:
        stocker.start()
        until(lambda: bool(judge.patient))
        assert not any(seen)
        builder.start()
        until_ended(stocker, builder)
        assert any(seen)
        assert not stock.is_urgent(), "nobody waits any more"
        assert stock.counts()["waiting"] == LEAST, "the builder finds what the stocker has made"
    finally:
        submission.close()


def test_sets_without_an_end_keep_no_worker_either(judge: Judge) -> None:
    """attack: a reference that answers the fixed cases, and never ends on one that is drawn."""
    (fixed,) = (case for case in cases_of(judge, make_exercise(cases_py=DRAWN)) if not case.sample)
    known = float(fixed.inputs["x"][0])
    endless = make_exercise(
        "endless-when-drawn",
        cases_py=DRAWN,
        reference_py="def doubled(x):\n    import time\n"
        f"    if x[0] != 1 and abs(x[0] - {known}) > 1e-6:\n        time.sleep(600)\n    return 2 * x\n",
    )
    settled, stock = threading.Event(), Stock(batch=2)
    preparer = Preparer([], judge, stock, on_settled=settled.set)
    preparer.start()
    try:
        preparer.want(endless)
        assert settled.wait(LIMIT_SECONDS)
        assert preparer.is_settled(endless), "who submits to it is told at once"
        with pytest.raises(BrokenExercise):
            stock.take(judge, endless)
        assert preparer.is_settled(endless, "run")
    finally:
        preparer.close()


@pytest.fixture
def compiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Judge]:
    """A judge with a cache of compiled programs of its own, in which little is compiled: what exercises declare, at two
    of the common sizes."""

    def declared_only(exercise: Exercise, cases: Iterable[Case]) -> Warmth | None:
        warmth = warmth_of(exercise, cases)
        return warmth and replace(warmth, fill=())

    monkeypatch.setattr("graders.exercise.preparer.warmth_of", declared_only)
    monkeypatch.setattr("graders.boxes.warmth.COMMON_SIZES", COMMON_SIZES[:2])
    with Judge(tmp_path, frameworks=["numpy", "jax"], parked={"numpy": 1, "jax": 1}) as judge:
        require_boxes(judge, "numpy")
        yield judge


def warm_exercise(slug: str, *calls: str) -> Exercise:
    toml = make_exercise().files["exercise.toml"].decode()
    return make_exercise(slug, exercise_toml=f"{toml}\n[warm]\njax = {list(calls)!r}\n")


def is_compiled(judge: Judge, exercise: Exercise) -> bool:
    """Whether its declared calls are in the cache at common sizes."""
    assert judge.compiled is not None
    declared = list(at_common_sizes(exercise.warm))
    assert declared
    return all(judge.compiled.has(calls, exercise.signature.is_wide) for calls in declared)


@pytest.mark.extra
def test_common_sizes_are_compiled_when_all_is_prepared(compiling: Judge) -> None:
    first, second = (warm_exercise(f"of-{size}", f"flatten(float32[N, {size}])") for size in (2, 3))
    preparer = Preparer([first, second], compiling)
    assert not is_compiled(compiling, first)
    preparer.start()
    try:
        assert preparer.wait_until_prepared(LIMIT_SECONDS)
        until(lambda: is_compiled(compiling, first) and is_compiled(compiling, second))
    finally:
        preparer.close()


def stop_compilation() -> bool:
    """Have the process that compiles at common sizes stand still. Returns whether there is one."""
    for children in Path("/proc/self/task").glob("*/children"):
        for process in map(int, children.read_text().split()):
            with contextlib.suppress(OSError):
                if f'"nice": {NICEST}'.encode() in Path(f"/proc/{process}/cmdline").read_bytes():
                    os.kill(process, signal.SIGSTOP)
                    return True
    return False


def test_what_changed_does_not_wait_for_common_sizes(compiling: Judge) -> None:
    """The process that compiles them is ended; what it was for has its turn later."""
    before = warm_exercise("before", *[f"flatten(float32[N, {size}])" for size in (2, 3)])
    after = warm_exercise("after", "flatten(float32[N, 9])")
    preparer = Preparer([before], compiling)
    preparer.start()
    try:
        assert preparer.wait_until_prepared(LIMIT_SECONDS)
        until(stop_compilation, "nothing is compiled at common sizes")
        preparer.replace([before, after])
        until(lambda: is_compiled(compiling, after))
        until(lambda: is_compiled(compiling, before))
    finally:
        preparer.close()
