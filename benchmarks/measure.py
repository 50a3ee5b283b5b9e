"""Measures what the parts cost, for the simulation: parts.py says what each figure is.

    .venv/bin/python -P -m benchmarks.measure [--out FILE.json] [--times 60] [--broker]

A server of its own, as in bench.py, is asked for one thing after the other, and the kernel's counts are read before and
after. `--broker` adds what a leader takes; it needs PostgreSQL and nats-server, as benchmarks/brokered.py does. Without
it these figures are kept from the file that is committed.
"""

import argparse
import asyncio
import json
import os
import platform
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from app.queue.nats import Broker, NobodyListens
from app.queue.turns import Turns, Waiting
from app.web.metrics import thread_seconds
from benchmarks import bench, cost
from benchmarks.browsing import Answer, Browser
from benchmarks.parts import MEASURED, Grading, Parts, read_parts
from benchmarks.simulation import CLAIM
from graders.exercise.reader import read_exercise
from tests.broker import running_broker
from tests.conftest import scratch_postgres

EVENT_LOOP_BEFORE = 0.6  # of what the event loop does for a grading: the rest is done once the verdict is there
STORED = 0.7  # of what is done to take a grading in: rows, in one transaction
SERVER_BESIDE = ("batches, stages", "boxes' keepers", "others")
COURSE = "positions"
LESSON, EXERCISE = f"/courses/{COURSE}/learned-embeddings", f"/exercises/{bench.GATHER}"
STREAMS, LOOKS = 400, 4
HANDED_OUT = 200


@dataclass(frozen=True)
class Task:
    """Something to submit, and what becomes of it."""

    framework: str
    what: str
    slug: str
    source: str

    @property
    def name(self) -> str:
        return f"{self.framework} {self.what}"

    @property
    def kind(self) -> str:
        return "run" if self.what == "run" else "submit"

    def require(self, answer: Answer) -> None:
        """Raises RuntimeError for any other verdict than the one it deserves."""
        verdict = answer.json().get("verdict") if answer.status == 200 else None
        if verdict != ("wrong_answer" if self.what == "wrong" else "accepted"):
            raise RuntimeError(f"{self.name}: {answer.status} {answer.body[:500]!r}")


def tasks_of(exercises: Path, names: Iterable[str]) -> dict[str, Task]:
    """By name. NumPy's are right, wrong and run; of other frameworks only what is right."""
    found = {}
    for framework, slug in (("numpy", bench.GATHER), ("torch", bench.GATHER), ("jax", bench.FLAX)):
        if framework in names:
            exercise = read_exercise(exercises / slug)
            right = bench.answer_of(exercise, framework)
            found[f"{framework} right"] = Task(framework, "right", slug, right)
            found[f"{framework} run"] = Task(framework, "run", slug, right)
            if framework == "numpy":
                wrong = exercise.files["mistakes/one-based.py"].decode()
                found["numpy wrong"] = Task(framework, "wrong", slug, wrong)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--out", type=Path, default=MEASURED, help="where to write; default: the committed file")
    parser.add_argument("--times", type=int, default=60, help="gradings of each kind; a quarter of it in JAX")
    parser.add_argument("--frameworks", default="numpy,torch,jax")
    parser.add_argument("--broker", action="store_true", help="a leader's figures, too")
    given = parser.parse_args()
    parts = measure(given.times, given.frameworks.split(","), read_parts() if MEASURED.exists() else None)
    parts.write(given.out)
    if given.broker:
        with_broker(parts).write(given.out)
    sys.stdout.write(given.out.read_text())


def measure(times: int, frameworks: list[str], before: Parts | None) -> Parts:
    with tempfile.TemporaryDirectory(prefix="lectern-measure-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        exercises = bench.write_exercises(folder, {bench.GATHER, bench.FLAX, "softmax-rows"})
        with bench.serving(folder, exercises) as server:
            commit_ms = durable_commit_ms(folder)
            meter = Meter(server, commit_ms)
            kernel = Kernel.read(server.pid)
            empty_kb, asked = database_kb(server.data), 0
            gradings, spreads = {}, {}
            for task in tasks_of(exercises, frameworks).values():
                bench.say(f"{task.name}…")
                count = max(8, times // 4) if task.framework == "jax" else times
                gradings[task.name], spreads[task.name] = meter.grading(task, count)
                asked += count + max(4, count // 4)
            size_kb = (database_kb(server.data) - empty_kb) / asked
            held = Kernel.read(server.pid).held_since(kernel)
            bench.say("pages, answers, streams…")
            page_ms = statistics.mean([meter.request(path, times * 2) for path in (LESSON, EXERCISE)])
            answer_ms = meter.answer(times * 2)
            stream_ms, look_ms, stream_kb = meter.streams(exercises)
    known = before or Parts("", "", {}, 0, 0, 0, 0, 0, 0, 0, 0, hand_out_ms=0, hop_ms=0, held=1, spread=0)
    return replace(
        known,
        measured_at=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        machine=f"{len(os.sched_getaffinity(0))} cores, Python {platform.python_version()}, "
        f"load average {os.getloadavg()[0]:.1f}",
        gradings=gradings,
        page_ms=round(page_ms, 2),
        answer_ms=round(answer_ms, 2),
        commit_ms=round(commit_ms, 2),
        stream_ms=round(stream_ms, 2),
        look_ms=round(look_ms, 2),
        stream_kb=round(stream_kb, 1),
        submission_kb=round(size_kb, 2),
        turn_us=round(turn_us(), 3),
        held=round(held, 2),
        spread=round(spreads["numpy right"], 2),
    )


@dataclass(frozen=True)
class Kernel:
    """Seconds of a process, in its own code and in the kernel."""

    own: float
    system: float

    @classmethod
    def read(cls, pid: int) -> "Kernel":
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks = os.sysconf("SC_CLK_TCK")
        return cls(int(fields[11]) / ticks, int(fields[12]) / ticks)

    def held_since(self, before: "Kernel") -> float:
        """The share in which its threads held the interpreter. Python's calls of the kernel let go of it; its memory's
        faults, and what it takes to wake another thread, do not. They are about half: with all or none of it the
        simulation was too slow or too quick by a tenth, with one thread or with two (benchmarks/checked.py)."""
        own, system = self.own - before.own, self.system - before.system
        return (own + system / 2) / (own + system) if own + system else 1.0


class Meter:
    """Asks one server for one thing after the other."""

    def __init__(self, server: bench.Server, commit_ms: float) -> None:
        self.server, self.token, self.commit_ms = server, cost.staff_token(server.environment), commit_ms

    def read(self) -> cost.Spent:
        return cost.by_part(self.server.pid, self.server.url, self.token)

    def grading(self, task: Task, times: int) -> tuple[Grading, float]:
        """What one costs, and its spread."""

        async def submit(count: int) -> tuple[list[int], list[float]]:
            browser = Browser(self.server.port)
            await browser.sign_in()
            ids, took = [], []
            for _ in range(count):
                began = time.perf_counter()
                answer = await browser.verdict(task.slug, task.source, task.framework, task.kind, wait=30)
                took.append((time.perf_counter() - began) * 1000)
                task.require(answer)
                ids.append(answer.json()["id"])
                await asyncio.sleep(0.1)  # until the next box is there
            return ids, took

        asyncio.run(submit(max(4, times // 4)))
        cost.settle()
        before = self.read()
        ids, took = asyncio.run(submit(times))
        cost.settle()
        after = self.read()
        each = {part: max(0.0, after[part] - before[part]) / times for part in after}
        calm = calm_of(self.server.data, ids, took, each, self.commit_ms)
        return grading_of(each, calm), calm.spread

    def request(self, path: str, times: int) -> float:
        """Processor time of the web process for one GET, in ms."""
        return self._each(times, lambda browser: browser.get(path))

    def answer(self, times: int) -> float:
        path = f"/api/v1/lessons/{COURSE}/learned-embeddings/questions"
        question = next(
            one for one in asyncio.run(Browser(self.server.port).get(path)).json() if one["type"] == "count"
        )
        order = {"variant": question["variant"], "answer": "512 * 768"}
        return self._each(times, lambda browser: browser.post(f"/api/v1/questions/{question['id']}/answers", order))

    def _each(self, times: int, ask: Callable[[Browser], Awaitable[Answer]]) -> float:
        async def go(count: int) -> None:
            browser = Browser(self.server.port)
            await browser.sign_in()
            for _ in range(count):
                answer = await ask(browser)
                if answer.status != 200:
                    raise RuntimeError(f"{answer.status} {answer.body[:500]!r}")

        asyncio.run(go(times // 4))
        before = bench.cpu_seconds(self.server.pid)
        asyncio.run(go(times))
        return (bench.cpu_seconds(self.server.pid) - before) * 1000 / times

    def streams(self, exercises: Path) -> tuple[float, float, float]:
        """Of an event stream: processor ms to open and close it, and of each look; KB while it is open.

        What it follows must not end meanwhile: it sleeps as long as its exercise lets it, and others wait behind it.
        """
        task = tasks_of(exercises, ["numpy"])["numpy right"]
        path = f"/api/v1/exercises/{task.slug}/submissions"
        sleeps = f"import time\n{task.source}\n" + "_answer = learned_absolute_position_embedding\n"
        sleeps += "def learned_absolute_position_embedding(*given):\n    time.sleep(4)\n    return _answer(*given)\n"

        async def open_and_close() -> tuple[float, float, float]:
            for _ in range(2):  # both workers
                browser = Browser(self.server.port)
                await browser.sign_in()
                await browser.post(path, {"source": sleeps, "framework": "numpy"})
            follower = Browser(self.server.port)
            await follower.sign_in()
            order = {"source": task.source, "framework": "numpy"}
            id = (await follower.post(path, order)).json()["id"]
            memory, began = own_kb(self.server.pid), bench.cpu_seconds(self.server.pid)
            tasks = [asyncio.create_task(follower.get(f"/api/v1/submissions/{id}/events")) for _ in range(STREAMS)]
            await asyncio.sleep(2.0)
            opened = bench.cpu_seconds(self.server.pid)
            memory = own_kb(self.server.pid) - memory
            await asyncio.sleep(2.0 * LOOKS)
            looked = bench.cpu_seconds(self.server.pid)
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(1.0)
            return opened - began, looked - opened, memory

        opened, looked, memory = asyncio.run(open_and_close())
        return opened * 1000 / STREAMS, looked * 1000 / STREAMS / LOOKS, memory / STREAMS


def grading_of(each: cost.Spent, calm: "Calm") -> Grading:
    """`each`: processor ms by part, of one grading."""
    taking, loop, workers, boxes = each["taking in"], each["event loop"], each["workers"], each["boxes"]
    record_ms = min(max(calm.recorded_ms - calm.commit_ms, 0.0), workers / 2)
    calls_ms = calm.calls_share * boxes
    told = taking + loop + workers + calls_ms + 2 * calm.commit_ms
    return Grading(
        intake_ms=round((1 - STORED) * taking + EVENT_LOOP_BEFORE * loop, 2),
        store_ms=round(STORED * taking, 2),
        answer_ms=round((1 - EVENT_LOOP_BEFORE) * loop, 2),
        worker_ms=round(workers - (1 + CLAIM) * record_ms, 2),
        record_ms=round(record_ms, 2),
        calls_ms=round(calls_ms, 2),
        beside_ms=round(sum(each[part] for part in SERVER_BESIDE), 2),
        fresh_ms=round(each["fresh cases"], 2),
        behind_ms=round(each["zygotes"] + boxes - calls_ms, 2),
        idle_ms=round(max(0.0, calm.wall_ms - told), 2),
        rounds=calm.rounds,
    )


@dataclass(frozen=True)
class Calm:
    """Of gradings that came one after the other, by the clock, undisturbed. `calls_share`: of their boxes' processor
    time, what was spent while the worker's thread waited."""

    wall_ms: float
    recorded_ms: float
    commit_ms: float
    calls_share: float
    rounds: int
    spread: float


def calm_of(data: Path, ids: list[int], took: list[float], each: cost.Spent, commit_ms: float) -> Calm:
    """`took`: ms from request to answer; `each`: processor ms by part, of one.

    While it has a grading, a worker's thread works or waits for its box. Other waits, as for a lock, are short here.
    What it works to claim the grading comes before the stages.
    """
    stages = stages_of(data, ids)
    worked_ms = each["workers"] - CLAIM * max(0.0, stages.recorded_ms - commit_ms)
    waited_ms = stages.ran_ms + stages.recorded_ms - commit_ms - worked_ms
    share = min(1.0, max(0.0, waited_ms) / each["boxes"]) if each["boxes"] else 0.0
    return Calm(undisturbed(took), stages.recorded_ms, commit_ms, share, stages.rounds, spread_of(took))


def spread_of(times: list[float]) -> float:
    """Standard deviation ÷ mean, without what a machine does once in a while."""
    ordered = sorted(times)
    low, high = ordered[int(0.16 * len(ordered))], ordered[int(0.84 * len(ordered))]
    return (high - low) / 2 / statistics.median(ordered)


@dataclass(frozen=True)
class Stages:
    """By the clock, undisturbed: from the claim to the verdict, and storing it. They overlap by what comes before the
    verdict's row is written, some tenths of a millisecond."""

    ran_ms: float
    recorded_ms: float
    rounds: int  # cases that were called


def stages_of(data: Path, ids: list[int]) -> Stages:
    deadline = time.monotonic() + 30
    marks = ",".join("?" * len(ids))
    while True:  # stages are stored after the verdict
        with closing(sqlite3.connect(data / "lectern.sqlite3")) as db:
            asked = f"SELECT stages, started_at, finished_at FROM grading WHERE submission_id IN ({marks})"
            rows = [row for row in db.execute(asked, ids) if all(row)]
        found = [json.loads(stages) for stages, _, _ in rows]
        if len(found) == len(ids) or time.monotonic() > deadline:
            break
        time.sleep(0.2)
    if not found:
        raise RuntimeError("no grading has stages")
    times = [[datetime.fromisoformat(time) for time in (began, ended)] for _, began, ended in rows]
    ran = undisturbed([(ended - began).total_seconds() * 1000 for began, ended in times])
    rounds = statistics.median(len(each["calls"]) for each in found)
    recorded = undisturbed([each["recorded"] for each in found])
    return Stages(ran, recorded, max(1, round(rounds)))


def undisturbed(times: list[float]) -> float:
    """The median: a host that takes its virtual machine's cores away for moments hardly moves it."""
    return statistics.median(times)


def durable_commit_ms(folder: Path, times: int = 60) -> float:
    """Of one row, as the server writes: write-ahead log, flushed (`synchronous = FULL`)."""
    with closing(sqlite3.connect(folder / "commits.sqlite3", isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("CREATE TABLE row (content TEXT)")
        took = []
        for _ in range(times):
            began = time.perf_counter()
            db.execute("INSERT INTO row VALUES (?)", ("x" * 1000,))
            took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


def database_kb(data: Path) -> float:
    """The database's pages in use, indexes and all."""
    with closing(sqlite3.connect(data / "lectern.sqlite3")) as db:
        used, free, size = (
            db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
    return float((used - free) * size) / 1024


def own_kb(pid: int) -> float:
    """The memory of this one process."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith("Pss:")))


def turn_us(people: int = 2000, turns: int = 40) -> float:
    """To choose whose turn it is: for each person who waits."""
    queue = Turns()
    for number in range(people):
        queue.add(Waiting(number, number, number, neighbourhood=f"n{number // 25}"))
    began = time.thread_time()
    for _ in range(turns):
        turn = queue.next()
        assert turn is not None
        queue.done(turn.user_id)
    return (time.thread_time() - began) * 1e6 / turns / people


# ------------------------------------------------------------------ over a broker


def with_broker(parts: Parts) -> Parts:
    """What a leader takes for each grading that it hands out, when one process has both sides and nothing is judged."""
    from benchmarks.brokered import RIGHT, Course
    from graders.grade import Finished

    bench.say("a leader…")
    with (
        tempfile.TemporaryDirectory() as name,
        running_broker(Path(name) / "broker") as broker,
        scratch_postgres() as url,
    ):
        hop = hop_ms(broker.url("hops"))
        course = Course(url, broker.url("measure"), Path(name), slots=4)
        first, *sent = [course.send("x = 1") for _ in range(HANDED_OUT + 1)]
        left = threading.Semaphore(0)

        def take() -> None:
            while (job := course.jobs.claim(5)) is not None:
                course.jobs.record(job, Finished(RIGHT))
                left.release()

        threads = [threading.Thread(target=take, daemon=True) for _ in range(4)]
        for thread in threads:
            thread.start()
        course.queue.put(first)  # somebody leads once this one is over
        if not left.acquire(timeout=60):
            raise RuntimeError("no grading was handed out within a minute")
        before, began = thread_seconds(), time.perf_counter()
        for each in sent:
            course.queue.put(each)
        for _ in sent:
            if not left.acquire(timeout=60):
                raise RuntimeError("a grading was not handed out within a minute")
        seconds, after = time.perf_counter() - began, thread_seconds()
        for thread in threads:
            thread.join()
        course.queue.close()
    leads = after.get("lectern-dispatcher", 0.0) - before.get("lectern-dispatcher", 0.0)
    bench.say(
        f"handed out {HANDED_OUT / seconds:.0f} a second; the leader's thread {leads * 1000 / HANDED_OUT:.2f} ms each"
    )
    return replace(parts, hand_out_ms=round(leads * 1000 / HANDED_OUT + 2 * hop, 2), hop_ms=round(hop, 2))


def hop_ms(url: str, times: int = 200) -> float:
    """One message from one client to another, by half of what there and back take."""
    asking, answering = Broker(url, "asks"), Broker(url, "answers")
    try:
        if not (asking.open() and answering.open()):
            raise RuntimeError("the broker does not answer")
        stop = answering.listen(answering.subject("hop"), lambda message: message.answer(b""))
        deadline = time.monotonic() + 30
        while True:  # until the broker knows who listens
            try:
                asking.ask(asking.subject("hop"), b"", 10)
                break
            except NobodyListens:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
        took = []
        for _ in range(times):
            began = time.perf_counter()
            asking.ask(asking.subject("hop"), b"", 10)
            took.append((time.perf_counter() - began) * 1000)
        stop()
    finally:
        asking.close()
        answering.close()
    return statistics.median(took) / 2


if __name__ == "__main__":
    main()
