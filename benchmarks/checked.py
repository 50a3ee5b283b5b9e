"""The simulation beside a real server, on this machine and in one run: `benchmarks.simulate --check`.

A server with two threads that judge, and then one with one, gets bursts of right NumPy answers: at 40 and 70 per cent
of what it was seen to judge, and all at once. What the parts cost, and what others leave of a core, is taken from the
kernel's counts around each burst. Then the same students do the same in the simulation. How long students wait and how
many are judged in a second is compared: none of it is among the costs.

Each burst is sent ROUNDS times, each time at other moments, and the middle of what was seen is compared with the middle
of what was simulated: of 240 submissions a single pause of the machine by half a second decides what p95 is.
"""

import asyncio
import os
import random
import re
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import bench, cost
from benchmarks.browsing import Browser
from benchmarks.measure import Calm, Kernel, Task, calm_of, durable_commit_ms, grading_of, tasks_of
from benchmarks.night import Step, Student
from benchmarks.parts import Parts, processor_ms
from benchmarks.simulation import Installation, percentile, simulate

LIMIT = 0.15
PEOPLE = 20
ROUNDS = 3
DRAWS = 12  # of the simulation, whose chance then hardly shows
SHARES = (0.4, 0.7, None)  # of what is judged at most; None: all at once
FAR_TOO_MANY = 100_000.0


@dataclass(frozen=True)
class Burst:
    """What was sent, how long each waited (seconds), how many were judged in a second, and what one of them cost."""

    name: str
    students: Sequence[Student]
    waits: Sequence[float]
    per_second: float
    each: cost.Spent
    held: float  # parts.py
    free: float  # the share of the cores that others left meanwhile
    parked: int  # boxes that waited before it


def main(submissions: int, seed: int) -> int:
    """0 if every figure is within LIMIT, 1 otherwise."""
    cores = len(os.sched_getaffinity(0))
    print(f"Load average {os.getloadavg()[0]:.1f} on {cores} cores before the run.\n")
    print("| threads | burst | cores free | figure | real | simulated | simulated ÷ real |")
    print("|--:|---|--:|---|--:|--:|--:|")
    worst, most = 0.0, {}
    for threads in (2, 1):
        calm, rounds = run(threads, submissions, seed)
        for bursts in zip(*rounds, strict=True):
            figures = zip(*(simulated_beside(calm, burst, cores, threads, seed) for burst in bursts), strict=True)
            free = statistics.median(burst.free for burst in bursts)
            for measured in figures:
                name = measured[0][0]
                real, simulated = (statistics.median(each[at] for each in measured) for at in (1, 2))
                ratio = simulated / real
                worst = max(worst, abs(ratio - 1))
                cells = [str(threads), bursts[0].name, f"{free:.0%}", name, f"{real:.1f}", f"{simulated:.1f}"]
                print(f"| {' | '.join(cells)} | {ratio:.2f} |")
                most[threads] = real, simulated  # the last: judged per second, all at once
    (two, simulated_two), (one, simulated_one) = most[2], most[1]
    print(f"\nTwo threads judge {two / one:.2f} times what one does; simulated {simulated_two / simulated_one:.2f}.")
    print(f"Farthest from the real run: {worst:.0%} (limit {LIMIT:.0%}).")
    return 0 if worst <= LIMIT else 1


def simulated_beside(calm: Calm, burst: Burst, cores: int, threads: int, seed: int) -> list[tuple[str, float, float]]:
    """Names, what was seen, and what was simulated."""
    parts = parts_of(calm, burst)
    grading = parts.gradings["numpy right"]
    bench.say(
        f"{burst.name}: {processor_ms(grading):.1f} ms of a core each; {burst.free:.0%} of the cores free; "
        f"interpreter {parts.held:.0%}; {grading}; {calm}"
    )
    installation = Installation(cores, threads, free=burst.free, parked=burst.parked)
    return compared(burst, parts, installation, seed)


def run(threads: int, submissions: int, seed: int) -> tuple[Calm, list[list[Burst]]]:
    """A real server's bursts, round by round, and what its parts cost while they lasted. The last burst of a round is
    all at once."""
    with tempfile.TemporaryDirectory(prefix="lectern-check-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        exercises = bench.write_exercises(folder, {bench.GATHER})
        task = tasks_of(exercises, ["numpy"])["numpy right"]
        with bench.serving(folder, exercises, LECTERN_WORKERS=str(threads)) as server:
            commit_ms = durable_commit_ms(folder)
            token = cost.staff_token(server.environment)
            crowd = asyncio.run(signed_in(server.port))
            most = asyncio.run(send(crowd, task, spaced(submissions, FAR_TOO_MANY, seed)))[1]
            cost.settle()
            before = cost.by_part(server.pid, server.url, token)
            waits, _, ids = asyncio.run(send(crowd, task, one_by_one(submissions // 2)))
            cost.settle()
            after = cost.by_part(server.pid, server.url, token)
            each = {part: max(0.0, after[part] - before[part]) / len(ids) for part in after}
            calm = calm_of(server.data, ids, [wait * 1000 for wait in waits], each, commit_ms)

            def burst_of(share: float | None, seed: int) -> Burst:
                cost.settle()
                students = spaced(submissions, FAR_TOO_MANY if share is None else share * most, seed)
                before = cost.by_part(server.pid, server.url, token)
                parked = parked_boxes(server.url, token)
                cores, kernel = cost.Cores.read(), Kernel.read(server.pid)
                waits, per_second, _ = asyncio.run(send(crowd, task, students))
                # At once: boxes that were parked before are counted now, and those that are parked now are not yet.
                after = cost.by_part(server.pid, server.url, token)
                each = {part: max(0.0, after[part] - before[part]) / submissions for part in after}
                free = cost.Cores.read().free_since(cores, (after["all"] - before["all"]) / 1000)
                held = Kernel.read(server.pid).held_since(kernel)
                name = "all at once" if share is None else f"{share * most:.0f} a second"
                return Burst(name, students, waits, per_second, each, held, free, parked)

            rounds = [[burst_of(share, seed + 1 + number) for share in SHARES] for number in range(ROUNDS)]
    return calm, rounds


def parts_of(calm: Calm, burst: Burst) -> Parts:
    """Of a burst, which asks for nothing but gradings."""
    grading = grading_of(burst.each, calm)
    return Parts(
        "", "", {"numpy right": grading}, page_ms=0, answer_ms=0, commit_ms=round(calm.commit_ms, 2), stream_ms=0,
        look_ms=0, stream_kb=0, submission_kb=0, turn_us=0, hand_out_ms=0, hop_ms=0, held=burst.held,
        spread=calm.spread,
    )  # fmt: skip


def compared(burst: Burst, parts: Parts, installation: Installation, seed: int) -> list[tuple[str, float, float]]:
    outcomes = [simulate(burst.students, parts, installation, seed=seed + draw) for draw in range(DRAWS)]
    waits = [[judged.wait_seconds for judged in outcome.judged] for outcome in outcomes]
    began = min(student.begins_seconds for student in burst.students)
    per_second = statistics.mean(len(each) / (o.seconds - began) for each, o in zip(waits, outcomes, strict=True))
    found = []
    for name, at in (("wait p50, ms", 0.5), ("wait p95, ms", 0.95)):
        simulated = statistics.mean(percentile(each, at) for each in waits)
        found.append((name, percentile(burst.waits, at) * 1000, simulated * 1000))
    return [*found, ("judged per second", burst.per_second, per_second)]


def spaced(count: int, per_second: float, seed: int) -> list[Student]:
    """So many, each with one submission, at random moments; PEOPLE of them in turn are one student's requests."""
    draws = random.Random(seed)
    at, found = 0.0, []
    for number in range(count):
        at += draws.expovariate(per_second)
        found.append(Student(number % PEOPLE, "127.0.0.1", at, (Step("right", 0.0),)))
    return found


def one_by_one(count: int) -> list[Student]:
    """A quarter of a second apart."""
    return [Student(number % PEOPLE, "127.0.0.1", number / 4, (Step("right", 0.0),)) for number in range(count)]


def parked_boxes(url: str, token: str) -> int:
    """NumPy's."""
    found = re.search(r'^lectern_boxes_parked\{framework="numpy"\} (\S+)$', cost.metrics(url, token), re.MULTILINE)
    assert found is not None
    return round(float(found[1]))


async def signed_in(port: int) -> list[Browser]:
    crowd = [Browser(port) for _ in range(PEOPLE)]
    for browser in crowd:
        await browser.sign_in()
    return crowd


async def send(crowd: list[Browser], task: Task, students: Sequence[Student]) -> tuple[list[float], float, list[int]]:
    """Seconds that each waited, how many were judged in a second, and the submissions' ids."""
    began = time.perf_counter()

    async def one(student: Student) -> tuple[float, int]:
        await asyncio.sleep(student.begins_seconds - (time.perf_counter() - began))
        sent = time.perf_counter()
        answer = await crowd[student.number].verdict(task.slug, task.source, task.framework, wait=30)
        task.require(answer)
        return time.perf_counter() - sent, answer.json()["id"]

    found = await asyncio.gather(*map(one, students))
    seconds = time.perf_counter() - began - students[0].begins_seconds
    return [wait for wait, _ in found], len(found) / seconds, [id for _, id in found]
