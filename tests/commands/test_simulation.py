"""The simulation of a deadline night (benchmarks/simulation.py): what one grading takes, added up by hand."""

from dataclasses import replace

import pytest

from benchmarks.cost import Cores
from benchmarks.night import Step, Student
from benchmarks.parts import Grading, Parts
from benchmarks.simulation import Installation, constant, simulate

GRADING = Grading(
    intake_ms=2, store_ms=1, answer_ms=1, worker_ms=6, record_ms=2, calls_ms=4, beside_ms=0, fresh_ms=0, behind_ms=10,
    idle_ms=1, rounds=2,
)  # fmt: skip
PARTS = Parts(
    "", "", {"numpy right": GRADING}, page_ms=0, answer_ms=0, commit_ms=0, stream_ms=0, look_ms=0, stream_kb=0,
    submission_kb=0, turn_us=0, hand_out_ms=0, hop_ms=0, held=1, spread=0,
)  # fmt: skip
ALONE = 0.018  # taken in 2, sockets 1, stored 1, claimed 1 (half of what is recorded), judged 6 + 4, recorded 2, told 1


def waits(begins: list[float], grading: Grading = GRADING, parked: int | None = None, free: float = 1.0) -> list[float]:
    """Seconds that each waits who submits at these moments, with one thread that judges and two cores."""
    students = [Student(number, "127.0.0.1", at, (Step("right", 0.0),)) for number, at in enumerate(begins)]
    parts = replace(PARTS, gradings={"numpy right": grading})
    outcome = simulate(students, parts, Installation(threads=1, parked=parked, free=free), draw=constant)
    return [judged.wait_seconds for judged in outcome.judged]


def test_a_grading_alone_takes_what_its_parts_take() -> None:
    assert waits([0.0]) == [pytest.approx(ALONE)]


def test_cores_that_others_use_are_slower() -> None:
    assert waits([0.0], free=0.5) == [pytest.approx(2 * ALONE - 0.001)]  # for sockets nobody works


def test_a_box_is_begun_once_none_waits_and_its_submission_waits_for_it() -> None:
    first, second = waits([0.0, 0.001], replace(GRADING, behind_ms=100), parked=1)
    assert first < 0.05
    assert second > 0.08  # the kernel's 12 ms for its mounts, and 70 of its beginning
    assert waits([0.0, 0.001], replace(GRADING, behind_ms=100), parked=2)[1] < 0.05


def test_fresh_cases_are_made_while_nothing_is_judged() -> None:
    slow = replace(GRADING, fresh_ms=10)  # 320 for a batch
    assert waits([float(second) for second in range(80)], slow) == [pytest.approx(ALONE)] * 80
    assert max(waits([0.05 * number for number in range(80)], slow)) > 1.5 * ALONE, "who comes meanwhile waits longer"


def test_what_the_host_of_a_virtual_machine_takes_is_not_free() -> None:
    before, after = Cores(2, used=100.0, stolen=5.0, at=0.0), Cores(2, used=108.0, stolen=7.0, at=10.0)
    assert after.free_since(before, own_seconds=8.0) == pytest.approx(0.8)
    assert after.free_since(before, own_seconds=4.0) == pytest.approx(0.8 * 0.8), "others used 4 of 20 seconds"
    assert before.free_since(replace(before, at=-1.0), 0.0) == 1.0
