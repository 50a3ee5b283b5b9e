"""The simulation of a deadline night: what must hold of it whatever its parts cost. How it compares with a real server
is the business of `benchmarks.simulate --check`, which needs a machine that has time for it."""

import asyncio
import json
import math
import random
import statistics
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.browsing import Browser
from benchmarks.capacity import needs
from benchmarks.cost import Cores
from benchmarks.night import JUDGED, Night, Step, Student
from benchmarks.parts import MEASURED, Grading, Parts, Unreadable, processor_ms, read_parts
from benchmarks.simulation import CLAIM, Installation, Judged, Outcome, constant, exponential, percentile, simulate
from tests.conftest import Running

pytestmark = pytest.mark.extra

ROOT = Path(__file__).resolve().parents[2]
GRADING = Grading(
    intake_ms=2, store_ms=2, answer_ms=1, worker_ms=9, record_ms=3, calls_ms=6, beside_ms=2, fresh_ms=1, behind_ms=15,
    idle_ms=1, rounds=7,
)  # fmt: skip
PARTS = Parts(
    "2026-11-24", "made up", {"numpy right": GRADING}, page_ms=8, answer_ms=4, commit_ms=2, stream_ms=3, look_ms=1,
    stream_kb=30, submission_kb=2, turn_us=0.3, hand_out_ms=4, hop_ms=1, held=1, spread=0.3,
)  # fmt: skip
FREE = replace(GRADING.slower(0), idle_ms=0, rounds=1)
NOTHING_ELSE = replace(
    PARTS, page_ms=0, answer_ms=0, commit_ms=0, stream_ms=0, look_ms=0, turn_us=0, hand_out_ms=0, hop_ms=0
)
CROWDED = Night(students=150, minutes=0.5)  # more than two cores can judge in that time
INSTALLATIONS = [
    Installation(cores=2, threads=2),
    Installation(cores=4, threads=1),
    Installation(cores=2, threads=2, webs=2, workers=3),
]


@pytest.fixture(scope="module", params=INSTALLATIONS, ids=["two threads", "one thread", "over a broker"])
def crowded(request: pytest.FixtureRequest) -> tuple[Installation, Outcome]:
    return request.param, simulate(CROWDED.draw(), PARTS, request.param)


def test_each_submission_ends_once(crowded: tuple[Installation, Outcome]) -> None:
    _, outcome = crowded
    sent = [(student.number, step.kind) for student in CROWDED.draw() for step in student.steps if step.kind in JUDGED]
    assert sorted((each.student, each.what.split()[1]) for each in outcome.judged) == sorted(sent)
    for each in outcome.judged:
        assert each.sent <= each.queued <= each.begun < each.ended <= each.told


def test_a_thread_judges_one_at_a_time_and_so_is_a_student_judged(crowded: tuple[Installation, Outcome]) -> None:
    installation, outcome = crowded
    by_thread, by_student = defaultdict(list), defaultdict(list)
    for each in outcome.judged:
        by_thread[each.thread].append(each)
        by_student[each.student].append(each)
    assert len(by_thread) <= installation.threads * (installation.workers or 1)
    for group in (*by_thread.values(), *by_student.values()):
        assert all(before.ended <= after.begun for before, after in pairwise(sorted(group, key=lambda one: one.begun)))


def test_nobody_waits_while_a_thread_is_idle() -> None:
    installation = Installation(cores=2, threads=3)
    judged = simulate(CROWDED.draw(), PARTS, installation).judged
    assert sum(each.begun - each.queued > 0.01 for each in judged) > 10, "nobody had to wait"
    ended_before: dict[int, float] = {}
    for each in sorted(judged, key=lambda one: one.begun):
        eligible = max(each.queued, ended_before.get(each.student, 0.0))
        ended_before[each.student] = each.ended
        if each.begun > eligible:
            assert busy_throughout(judged, eligible, each.begun) == installation.threads


def busy_throughout(judged: list[Judged], since: float, until: float) -> int:
    """How many threads judge something at every moment between the two."""
    count = 0
    for thread in {each.thread for each in judged}:
        at = since
        for each in sorted((one for one in judged if one.thread == thread), key=lambda one: one.begun):
            if each.begun <= at < each.ended:
                at = each.ended
        count += at >= until
    return count


@pytest.mark.parametrize("installation", [Installation(cores=8), Installation(workers=1, webs=2, web_cores=4)])
def test_more_workers_make_no_wait_longer(installation: Installation) -> None:
    parts, p95 = replace(PARTS, gradings={"numpy right": replace(GRADING, calls_ms=60)}), []
    for more in (1, 2, 4):
        one = replace(installation, workers=more) if installation.is_brokered else replace(installation, threads=more)
        outcome = simulate(CROWDED.draw(), parts, one)
        p95.append(percentile([each.wait_seconds for each in outcome.judged], 0.95))
    assert all(after <= before * 1.1 for before, after in pairwise(p95)), p95
    assert p95[0] > 1.5 * p95[-1], "one worker was enough"


@pytest.mark.parametrize(("threads", "load"), [(1, 0.6), (2, 0.7), (3, 0.8)])
def test_waits_are_those_of_the_theory_where_there_is_one(threads: int, load: float) -> None:
    """Erlang's formula for M/M/c: arrivals at random, durations exponential, nothing shared but the threads, and a box
    for each from the beginning."""
    mean_ms = 2.0
    per_second = load * threads / mean_ms * 1000
    parts = replace(NOTHING_ELSE, gradings={"numpy right": replace(FREE, calls_ms=mean_ms)})
    waited = []
    for seed in range(3):
        draws, at, students = random.Random(seed), 0.0, []
        for number in range(3000):
            at += draws.expovariate(per_second)
            students.append(Student(number, f"n{number}", at, (Step("right", 0.0),)))
        installation = Installation(cores=threads, threads=threads, parked=len(students))
        outcome = simulate(students, parts, installation, seed=seed, draw=exponential)
        waited += [each.begun - each.queued for each in outcome.judged[400:]]
    assert statistics.mean(waited) * 1000 == pytest.approx(erlang_wait_ms(threads, load, mean_ms), rel=0.2)


def erlang_wait_ms(threads: int, load: float, mean_ms: float) -> float:
    """Mean time in the queue of M/M/c."""
    offered = load * threads
    last = offered**threads / math.factorial(threads) / (1 - load)
    all_busy = last / (sum(offered**n / math.factorial(n) for n in range(threads)) + last)
    return all_busy * mean_ms / threads / (1 - load)


def test_threads_of_one_process_share_an_interpreter_and_boxes_do_not() -> None:
    students = [Student(number, "n", 0.0, (Step("right", 0.0),)) for number in range(200)]
    inside = replace(NOTHING_ELSE, gradings={"numpy right": replace(FREE, worker_ms=10)}, spread=0)
    outside = replace(NOTHING_ELSE, gradings={"numpy right": replace(FREE, calls_ms=10)}, spread=0)
    eight = Installation(cores=8, threads=8, parked=len(students))
    assert simulate(students, inside, eight).seconds == pytest.approx(2.0, rel=0.05)
    assert simulate(students, replace(inside, held=0.5), eight).seconds == pytest.approx(1.0, rel=0.05)
    assert simulate(students, outside, eight).seconds == pytest.approx(0.25, rel=0.05)


def test_a_student_with_many_submissions_delays_another_by_one_grading() -> None:
    many = [Student(1, "one", 0.0, (Step("right", 0.0),))] * 50
    single = Student(2, "other", 0.1, (Step("right", 0.0),))
    outcome = simulate([*many, single], PARTS, Installation(cores=2, threads=2))
    own = next(each for each in outcome.judged if each.student == 2)
    assert own.wait_seconds < 0.5 < max(each.wait_seconds for each in outcome.judged)


def test_parts_in_use_add_up_to_what_was_asked_of_them() -> None:
    students = Night(students=40, minutes=1).draw()
    outcome = simulate(students, replace(PARTS, spread=0), Installation(cores=2))
    steps = [step.kind for student in students for step in student.steps]
    asked = sum(step in JUDGED for step in steps) * (processor_ms(GRADING) + CLAIM * GRADING.record_ms)
    asked += sum(step in ("lesson", "exercise") for step in steps) * PARTS.page_ms
    asked += steps.count("answer") * PARTS.answer_ms + steps.count("cell") * (
        GRADING.intake_ms + GRADING.calls_ms + GRADING.beside_ms + GRADING.behind_ms
    )
    used = outcome.mean["cores"] * 2 * outcome.seconds * 1000
    assert used == pytest.approx(asked, rel=0.02)


def test_the_same_seed_is_the_same_night_and_another_is_another() -> None:
    night = Night(students=60)
    assert night.draw() == night.draw()
    assert night.draw() != replace(night, seed=2).draw()
    first, second = (simulate(night.draw(), PARTS, Installation()) for _ in range(2))
    assert first == second


def test_students_come_before_the_deadline_and_most_of_them_late() -> None:
    night = Night(students=2000, minutes=10, bunching=4)
    ends = [s.begins_seconds + sum(step.pause_seconds for step in s.steps) for s in night.draw()]
    assert max(ends) <= 600
    first, last = sum(end < 60 for end in ends), sum(end > 540 for end in ends)
    assert 2 < last / first < 8
    assert all(student.steps[-2].kind == "right" for student in night.draw())


@pytest.mark.parametrize("students", [60, 400])
def test_with_what_the_sums_say_is_needed_nobody_waits_long(students: int) -> None:
    night = Night(students=students, minutes=1)
    need = needs(night, PARTS)
    if need.is_one_server:
        installation = Installation(cores=need.cores, threads=2)
    else:
        workers = math.ceil(need.cores / 2)
        installation = Installation(cores=2, threads=2, webs=need.webs, workers=workers, web_cores=1)
    outcome = simulate(night.draw(), PARTS, installation)
    assert need.is_one_server == (students == 60)
    assert percentile([each.wait_seconds for each in outcome.judged], 0.95) < 1.0
    in_ten_seconds = Counter(each.sent // 10 for each in outcome.judged)
    assert max(in_ten_seconds.values()) / 10 < 1.3 * need.gradings  # chance is in it


def test_what_is_needed_grows_with_the_students() -> None:
    few, many = (needs(Night(students=count), PARTS) for count in (10_000, 100_000))
    assert many.gradings == pytest.approx(10 * few.gradings)
    assert many.database_gb == pytest.approx(10 * few.database_gb)
    assert 8 * few.cores < many.cores <= 10 * few.cores
    assert (few.installations, many.installations) == (1, math.ceil(many.leader / 0.7))


def test_the_committed_measurement_can_be_read_and_says_when_it_was() -> None:
    parts = read_parts(MEASURED)
    assert parts.measured_at.startswith("20")
    assert processor_ms(parts.grading("numpy", "wrong")) > 0
    assert parts.grading("torch", "wrong") == parts.grading("torch", "right")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"page_ms": -1}, "page_ms is -1; expected a number, 0 or more"),
        ({"pages_ms": 1}, "pages_ms is unknown"),
        ({"held": 1.5}, "held is 1.5; expected a share, 1 at most"),
        ({"gradings": {}}, "“gradings” names no framework"),
        ({"gradings": {"numpy right": {"worker_ms": 1}}}, "numpy right: answer_ms is missing"),
    ],
)
def test_a_measurement_that_cannot_be_used_is_refused_with_the_remedy(
    tmp_path: Path, change: dict[str, object], told: str
) -> None:
    PARTS.write(path := tmp_path / "measured.json")
    assert read_parts(path) == PARTS
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(Unreadable, match=told):
        read_parts(path)


def test_a_framework_without_a_measurement_is_refused() -> None:
    with pytest.raises(Unreadable, match="no cost of torch was measured"):
        simulate(Night(students=1, mix=(("torch", 1.0),)).draw(), PARTS, Installation())


def test_slower_cores_slow_what_they_do_and_not_the_disk() -> None:
    slower = PARTS.slower(2)
    assert slower.page_ms == 16
    assert processor_ms(slower.gradings["numpy right"]) == 2 * processor_ms(GRADING)
    assert (slower.commit_ms, slower.gradings["numpy right"].rounds) == (PARTS.commit_ms, 7)


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "benchmarks.simulate", *arguments]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True)


def test_the_command_prints_a_line_for_each_installation(tmp_path: Path) -> None:
    PARTS.write(path := tmp_path / "measured.json")
    few = ("--students", "20", "--minutes", "1", "--measured", str(path))
    done = command(*few, "--workers", "1,2")
    assert done.returncode == 0, done.stderr
    assert "made up" in done.stdout
    assert [line.split(" | ")[0] for line in done.stdout.splitlines()[4:]] == [
        "| 2 webs × 2 cores, 1 workers × 2 cores, 2 threads each",
        "| 2 webs × 2 cores, 2 workers × 2 cores, 2 threads each",
    ]
    (told,) = json.loads(command(*few, "--json").stdout)
    assert told["judged"] > 20
    assert 0 < told["wait"]["p50"] <= told["wait"]["p99"]
    assert told["saturates_first"] in told["busiest"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--mix", "numpy"), "write numpy=0.7,torch=0.3"),
        (("--students", "0"), "0: 1 or more"),
        (("--measured", "nowhere.json"), "Make one with benchmarks.measure"),
    ],
)
def test_a_wrong_option_is_refused_with_the_remedy(arguments: tuple[str, str], told: str) -> None:
    done = command(*arguments)
    assert done.returncode == 2
    assert told in done.stderr


def test_the_browser_of_the_load_talks_to_a_server(server: Running) -> None:
    async def visit() -> tuple[int, int, str]:
        browser = Browser(int(server.url.rpartition(":")[2]), "127.0.7.9")
        await browser.sign_in()
        page, missing = await browser.get("/exercises"), await browser.get("/exercises/nothing-like-it")
        return page.status, missing.status, browser.token

    page, missing, token = asyncio.run(visit())
    assert (page, missing) == (200, 404)
    assert token


# ------------------------------------------------------------------ added up by hand

SIMPLE = Grading(
    intake_ms=2, store_ms=1, answer_ms=1, worker_ms=6, record_ms=2, calls_ms=4, beside_ms=0, fresh_ms=0, behind_ms=10,
    idle_ms=1, rounds=2,
)  # fmt: skip
ALONE = 0.018  # taken in 2, sockets 1, stored 1, claimed 1 (half of what is recorded), judged 6 + 4, recorded 2, told 1


def waits(begins: list[float], grading: Grading = SIMPLE, parked: int | None = None, free: float = 1.0) -> list[float]:
    """Seconds that each waits who submits at these moments, with one thread that judges and two cores."""
    students = [Student(number, "127.0.0.1", at, (Step("right", 0.0),)) for number, at in enumerate(begins)]
    parts = replace(NOTHING_ELSE, gradings={"numpy right": grading})
    outcome = simulate(students, parts, Installation(threads=1, parked=parked, free=free), draw=constant)
    return [judged.wait_seconds for judged in outcome.judged]


def test_a_grading_alone_takes_what_its_parts_take() -> None:
    assert waits([0.0]) == [pytest.approx(ALONE)]


def test_cores_that_others_use_are_slower() -> None:
    assert waits([0.0], free=0.5) == [pytest.approx(2 * ALONE - 0.001)]  # for sockets nobody works


def test_a_box_is_begun_once_none_waits_and_its_submission_waits_for_it() -> None:
    first, second = waits([0.0, 0.001], replace(SIMPLE, behind_ms=100), parked=1)
    assert first < 0.05
    assert second > 0.08  # the kernel's 12 ms for its mounts, and 70 of its beginning
    assert waits([0.0, 0.001], replace(SIMPLE, behind_ms=100), parked=2)[1] < 0.05


def test_fresh_cases_are_made_while_nothing_is_judged() -> None:
    slow = replace(SIMPLE, fresh_ms=10)  # 320 for a batch
    assert waits([float(second) for second in range(80)], slow) == [pytest.approx(ALONE)] * 80
    assert max(waits([0.05 * number for number in range(80)], slow)) > 1.5 * ALONE, "who comes meanwhile waits longer"


def test_what_the_host_of_a_virtual_machine_takes_is_not_free() -> None:
    before, after = Cores(2, used=100.0, stolen=5.0, at=0.0), Cores(2, used=108.0, stolen=7.0, at=10.0)
    assert after.free_since(before, own_seconds=8.0) == pytest.approx(0.8)
    assert after.free_since(before, own_seconds=4.0) == pytest.approx(0.8 * 0.8), "others used 4 of 20 seconds"
    assert before.free_since(replace(before, at=-1.0), 0.0) == 1.0
