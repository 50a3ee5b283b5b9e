"""A thousand students in the last ten minutes before a deadline, over HTTP, on this machine.

    .venv/bin/python -P -m benchmarks.deadline_night [--students 1000] [--minutes 10] [--json]

A server with its default limits gets pages, answers, cells, runs, wrong and right submissions, and event streams where
a verdict takes longer than 300 ms; night.py says who does what. All students are guests in this one process, which
takes little of the two cores. It fails if anybody was refused (nobody here is beyond a limit), if a verdict was not the
one that was deserved, or if p99 of pages is above 250 ms. Beside it stands what the simulation says of these students,
with the cores as fast as they were found to be, and as free.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import bench, cost
from benchmarks.browsing import Answer, Browser
from benchmarks.measure import COURSE, EXERCISE, LESSON, Task, tasks_of
from benchmarks.night import JUDGED, PAGES, Night, Step, Student
from benchmarks.parts import Parts, Unreadable, read_parts
from benchmarks.simulate import amount, whole
from benchmarks.simulation import Installation, Outcome, percentile, simulate

PAGE_LIMIT_SECONDS = 0.25  # p99
REFUSALS = (429, 503)
SIGN_INS_AT_ONCE = 8
CELL = f"/api/v1/courses/{COURSE}/why-order-matters/cells/order-blind/runs"
CELL_SOURCE = "import numpy as np\nx = np.arange(6.0).reshape(2, 3)\nx @ x.T\n"


@dataclass
class Seen:
    """What the students met with. Seconds by kind of step."""

    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    refused: Counter[str] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)

    def waits(self) -> list[float]:
        return [each for kind in JUDGED for each in self.seconds[kind]]

    def pages(self) -> list[float]:
        return [each for kind in PAGES for each in self.seconds[kind]]


@dataclass(frozen=True)
class Machine:
    """Processor seconds while the night lasted; `free`: the share of a core that was left to the server."""

    seconds: float
    server: float
    client: float
    others: float
    cores: int
    free: float


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="benchmarks.deadline_night", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--students", type=whole, default=1000)
    parser.add_argument("--minutes", type=amount, default=10.0)
    parser.add_argument("--bunching", type=amount, default=4.0)
    parser.add_argument("--threads", type=whole, default=2, help="LECTERN_WORKERS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    try:
        parts = read_parts()
    except Unreadable as error:
        parser.error(str(error))
    night = Night(given.students, given.minutes, given.bunching, seed=given.seed)
    seen, machine = real(night, given.threads)
    factor, outcome = simulated(night, parts, machine, given.threads, given.seed)
    faults = faults_of(seen)
    if given.json:
        print(json.dumps(figures(night, seen, machine, outcome, factor, faults), indent=1))
    else:
        print(table(night, seen, machine, outcome, factor, faults))
    return 1 if faults else 0


def real(night: Night, threads: int) -> tuple[Seen, Machine]:
    students = night.draw()
    with tempfile.TemporaryDirectory(prefix="lectern-night-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        exercises = bench.write_exercises(folder, {bench.GATHER, bench.FLAX, "softmax-rows"})
        tasks = tasks_of(exercises, ["numpy"])
        bench.say("starting a server…")
        with bench.serving(folder, exercises, LECTERN_RATE_LIMITS="on", LECTERN_WORKERS=str(threads)) as server:
            bench.say("students come in…")
            crowd = asyncio.run(signed_in(server.port, students))
            cost.settle()
            bench.say(f"{night.minutes:g} minutes…")
            cores, own = cost.Cores.read(), cost.in_all(server.pid)
            client, began = time.process_time(), time.monotonic()
            seen = asyncio.run(live(students, crowd, tasks))
            seconds, client = time.monotonic() - began, time.process_time() - client
            after = cost.Cores.read()
            cost.settle()
            own = (cost.in_all(server.pid) - own) / 1000
    others = max(0.0, after.used + after.stolen - cores.used - cores.stolen - own - client)
    return seen, Machine(seconds, own, client, others, cores.count, after.free_since(cores, own))


async def signed_in(port: int, students: Sequence[Student]) -> list[Browser]:
    crowd = [Browser(port, student.address) for student in students]
    at_once = asyncio.Semaphore(SIGN_INS_AT_ONCE)

    async def sign_in(browser: Browser) -> None:
        async with at_once:
            await browser.sign_in()

    await asyncio.gather(*map(sign_in, crowd))
    return crowd


async def live(students: Sequence[Student], crowd: Sequence[Browser], tasks: dict[str, Task]) -> Seen:
    seen, began = Seen(), time.perf_counter()
    questions = await crowd[0].get(f"/api/v1/lessons/{COURSE}/learned-embeddings/questions")
    question = next(each for each in questions.json() if each["type"] == "count")

    async def one(student: Student, browser: Browser) -> None:
        await asyncio.sleep(max(0.0, student.begins_seconds - (time.perf_counter() - began)))
        for step in student.steps:
            await asyncio.sleep(step.pause_seconds)
            sent = time.perf_counter()
            try:
                answer = await take(step, browser, tasks, question)
            except (OSError, ValueError) as error:  # TimeoutError is an OSError
                seen.failed.append(f"{step.kind}: {type(error).__name__}: {error}")
                continue
            seen.seconds[step.kind].append(time.perf_counter() - sent)
            note(seen, step, answer, tasks)

    await asyncio.gather(*(one(*each) for each in zip(students, crowd, strict=True)))
    return seen


async def take(step: Step, browser: Browser, tasks: dict[str, Task], question: dict[str, Any]) -> Answer:
    if step.kind == "lesson":
        return await browser.get(LESSON)
    if step.kind == "exercise":
        return await browser.get(EXERCISE)
    if step.kind == "answer":
        # Who sees a question is asked in their own numbers: the answer may be wrong, and costs the same.
        order = {"variant": question["variant"], "answer": "512 * 768"}
        return await browser.post(f"/api/v1/questions/{question['id']}/answers", order)
    if step.kind == "cell":
        return await browser.post(CELL, {"source": CELL_SOURCE})
    task = tasks[f"{step.framework} {step.kind}"]
    return await browser.verdict(task.slug, task.source, task.framework, task.kind)


def note(seen: Seen, step: Step, answer: Answer, tasks: dict[str, Task]) -> None:
    if answer.status in REFUSALS:
        seen.refused[f"{step.kind}: {answer.status}"] += 1
    elif answer.status != 200:
        seen.failed.append(f"{step.kind}: {answer.status} {answer.body[:200]!r}")
    elif step.kind in JUDGED:
        try:
            tasks[f"{step.framework} {step.kind}"].require(answer)
        except (RuntimeError, ValueError) as error:
            seen.failed.append(str(error))


def simulated(night: Night, parts: Parts, machine: Machine, threads: int, seed: int) -> tuple[float, Outcome]:
    """How much slower the cores were than when the parts were measured, and the night on cores like these."""
    students = night.draw()
    installation = Installation(machine.cores, threads)
    as_measured = simulate(students, parts, installation, seed=seed)
    factor = machine.server / (as_measured.mean["cores"] * installation.cores * as_measured.seconds)
    slowed = Installation(machine.cores, threads, free=machine.free)
    return factor, simulate(students, parts.slower(factor), slowed, seed=seed)


def faults_of(seen: Seen) -> list[str]:
    found = [f"{count} refused, {what}" for what, count in seen.refused.items()]
    found += [f"{count} times: {what}" for what, count in Counter(seen.failed).most_common(5)]
    if (p99 := percentile(seen.pages(), 0.99)) > PAGE_LIMIT_SECONDS:
        found.append(f"p99 of pages is {p99 * 1000:.0f} ms; the limit is {PAGE_LIMIT_SECONDS * 1000:.0f}")
    return found


def table(night: Night, seen: Seen, machine: Machine, outcome: Outcome, factor: float, faults: list[str]) -> str:
    lines = [
        f"{night.students:,} students in {night.minutes:g} minutes on {machine.cores} cores: the server used "
        f"{machine.server / machine.seconds:.2f} of them, the students {machine.client / machine.seconds:.2f}, others "
        f"{machine.others / machine.seconds:.2f}. A core took {factor:.2f} times as long as in measured.json.",
        "",
        "| | requests | p50 | p95 | p99 | most |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    lines += [row(name, seen.seconds[name]) for name in sorted(seen.seconds)]
    lines.append(row("**pages**", seen.pages()))
    lines.append(row("**waits for a verdict**", seen.waits()))
    lines.append(row("simulated: pages", outcome.page_seconds))
    lines.append(row("simulated: waits", [judged.wait_seconds for judged in outcome.judged]))
    return "\n".join([*lines, "", *(faults or ["Nobody was refused, and every verdict was the one deserved."])])


def row(name: str, seconds: Sequence[float]) -> str:
    shown = [f"{percentile(seconds, at) * 1000:.0f} ms" for at in (0.5, 0.95, 0.99, 1.0)]
    return f"| {name} | {len(seconds):,} | {' | '.join(shown)} |"


def figures(
    night: Night, seen: Seen, machine: Machine, outcome: Outcome, factor: float, faults: list[str]
) -> dict[str, Any]:
    """Durations in seconds."""

    def shares(seconds: Sequence[float]) -> dict[str, float]:
        return {"count": len(seconds), **{f"p{at}": percentile(seconds, at / 100) for at in (50, 95, 99)}}

    return {
        "students": night.students,
        "minutes": night.minutes,
        "machine": vars(machine),
        "slower": factor,
        "steps": {name: shares(seconds) for name, seconds in seen.seconds.items()},
        "pages": shares(seen.pages()),
        "waits": shares(seen.waits()),
        "simulated": {
            "pages": shares(outcome.page_seconds),
            "waits": shares([judged.wait_seconds for judged in outcome.judged]),
        },
        "refused": dict(seen.refused),
        "faults": faults,
    }


if __name__ == "__main__":
    sys.exit(main())
