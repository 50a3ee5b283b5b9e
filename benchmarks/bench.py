"""`./lectern bench`: what a student waits for, beside what others take, in one run. README.md says how to read it.

A server of its own on an empty data folder (rate limits off, loopback) judges right answers: one after the other at a
student's pace, then as many as it can, then a burst. Between the submissions the same answer on the same cases is run
as a cold process, inside bubblewrap where that is installed, and as bare calls in a process that has everything
imported: the floor. Times are this machine's; quote the ratios.
"""

import argparse
import asyncio
import json
import os
import platform
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from benchmarks import cost
from graders.boxes.pool import Judge
from graders.exercise.built import cases_of
from graders.exercise.definition import Exercise
from graders.exercise.reader import read_exercise
from graders.inside.walls import ENVIRONMENT

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
RESULTS = HERE / "results.md"
GATHER, FLAX = "learned-absolute-position-embedding", "flax-learned-pos"
FIVE = {"gather-five": (GATHER, "gather.py"), "flax-five": (FLAX, "flax.py")}


@dataclass(frozen=True)
class Task:
    slug: str
    framework: str
    target_ms: float | None = None  # p50, through HTTP
    target_per_second: float | None = None
    pause: float = 0.05  # between submissions: a student's pace

    @property
    def name(self) -> str:
        return f"{self.slug}, {self.framework}"


TASKS = (
    Task("gather-five", "numpy", 15, 80),
    Task("gather-five", "torch", 25, 50),
    Task("gather-five", "jax", None, None, 0.6),
    Task("flax-five", "jax", 600, 3, 0.6),
    Task(GATHER, "numpy"),
    Task(FLAX, "jax", None, None, 0.6),
)
PEER_RUNS = 5
# What a grader does that starts Python for each submission; told "bare", it times the calls alone.
PEER = """
import sys, time
framework, entry, count, bare = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "bare"
import numpy as np
space = {}
exec(open("answer.py").read(), space)
def into(value):
    if not isinstance(value, np.ndarray): return value
    if framework == "jax":
        import jax.numpy; return jax.numpy.asarray(value)
    if framework == "torch":
        import torch; return torch.from_numpy(value)
    return value
def plain(value):
    return np.asarray(value.detach() if framework == "torch" else value)
cases = []
for n in range(count):
    case = np.load(f"{n}.npz", allow_pickle=False)
    names = sorted(name for name in case.files if name[0] == "i")
    given = [case[name] if case[name].ndim else case[name].item() for name in names]
    cases.append((given, case["expected"]))
if bare and framework == "jax":
    import jax; jax.random.PRNGKey(0).block_until_ready()
times = []
for _ in range(1 if not bare or framework == "jax" else 20):
    began = time.perf_counter()
    for given, expected in cases:
        result = plain(space[entry](*map(into, given)))
    times.append((time.perf_counter() - began) * 1000)
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)
if bare: print(sorted(times)[len(times) // 2])
"""


@dataclass
class Latency:
    """Milliseconds from request to verdict, through HTTP; `judged` without HTTP, queue and database."""

    task: Task
    cases: int = 0
    times: list[float] = field(default_factory=list)
    judged: list[float] = field(default_factory=list)
    cold: list[float] = field(default_factory=list)
    bwrap: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)

    def p(self, share: float) -> float:
        ordered = sorted(self.times)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main() -> None:
    parser = argparse.ArgumentParser(prog="./lectern bench", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--submissions", type=int, default=50, help="submissions of each task, one after another")
    parser.add_argument("--record", action="store_true", help="append to benchmarks/results.md")
    parser.add_argument("--only", help="only tasks whose name contains this")
    parser.add_argument("--cost", action="store_true", help="only what a submission takes of the processors")
    given = parser.parse_args()
    tasks = [task for task in TASKS if not given.only or given.only in task.name]
    if not tasks:
        parser.error(f"no task has that name; there are {'; '.join(task.name for task in TASKS)}")
    text = cost_of(tasks, given.only) if given.cost else run(tasks, given.submissions, given.only)
    sys.stdout.write(text)
    if given.record:
        with RESULTS.open("a") as file:
            file.write(f"\n{text}")


def cost_of(tasks: list[Task], only: str | None) -> str:
    with tempfile.TemporaryDirectory(prefix="lectern-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        exercises = write_exercises(folder, {task.slug for task in tasks} if only else None)
        with serving(folder, exercises) as server:
            token = cost.staff_token(server.environment)
            lines = [measure_cost(server, exercises, task, token) for task in tasks]
    return "\n".join([*cost.heading(), *lines, ""])


def run(tasks: list[Task], submissions: int, only: str | None) -> str:
    with tempfile.TemporaryDirectory(prefix="lectern-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        exercises = write_exercises(folder, {task.slug for task in tasks} if only else None)
        peers = {task: write_peer(folder, exercises, task) for task in tasks}
        say("starting a server…")
        with serving(folder, exercises) as server:
            idle = f"Memory when idle, all zygotes and pool: {memory_mb(server.pid):.0f} MB (proportional set size)."
            page = measure_page(server) if not only else ""
            first = first_and_later(server, exercises) if not only else ""
            rows = []
            for task in tasks:
                say(f"{task.name}: latency…")
                rows.append(measure_latency(server, exercises, task, peers[task], submissions))
            flows, costs = [], []
            token = cost.staff_token(server.environment)
            for task in tasks:
                if task.target_per_second:
                    say(f"{task.name}: throughput…")
                    flows.append(measure_throughput(server, exercises, task))
                    say(f"{task.name}: processor time…")
                    costs.append(measure_cost(server, exercises, task, token))
            burst = measure_burst(server, exercises) if not only else ""
    return report(rows, flows, costs, [idle, first, burst, page], submissions, only)


# ------------------------------------------------------------------ the server and its exercises


@dataclass
class Server:
    url: str
    pid: int
    port: int
    data: Path
    environment: dict[str, str]

    def token(self) -> str:
        return str(httpx.post(f"{self.url}/api/v1/sessions", json={}).raise_for_status().json()["token"])


def write_exercises(folder: Path, only: set[str] | None = None, tree: Path = ROOT) -> Path:
    """The exercises that a `tree` ships, and the two with five cases; or `only` some of them, which are prepared in
    less time."""
    exercises = folder / "exercises"
    shutil.copytree(tree / "exercises", exercises)
    for slug, (original, cases) in FIVE.items():
        shutil.copytree(tree / "exercises" / original, exercises / slug)
        shutil.copy(tree / "benchmarks" / "five" / cases, exercises / slug / "cases.py")
        shutil.rmtree(exercises / slug / "mistakes")
    for path in exercises.iterdir():
        if only is not None and path.is_dir() and path.name not in only:
            shutil.rmtree(path)
    return exercises


@contextmanager
def serving(folder: Path, exercises: Path, **settings: str) -> Iterator[Server]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = int(probe.getsockname()[1])
    environment = {
        **os.environ, "LECTERN_DATA": str(folder / "data"), "LECTERN_PORT": str(port),
        "LECTERN_RATE_LIMITS": "off", "LECTERN_EXERCISES": str(exercises), **settings,
    }  # fmt: skip
    log = (folder / "log").open("wb")
    command = [sys.executable, "-P", "-m", "app", "serve"]
    process = subprocess.Popen(command, env=environment, cwd=ROOT, stdout=log, stderr=log)
    try:
        server = Server(f"http://127.0.0.1:{port}", process.pid, port, folder / "data", environment)
        deadline = time.monotonic() + 1200  # it builds thirty exercises, of which JAX compiles many
        while not is_ready(server) or not is_calm(process.pid):
            if time.monotonic() > deadline or process.poll() is not None:
                raise SystemExit(f"the server did not become ready:\n{(folder / 'log').read_text()[-2000:]}")
            time.sleep(0.2)
        yield server
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)
        log.close()


def is_ready(server: Server) -> bool:
    try:
        return httpx.get(f"{server.url}/readyz").status_code == 200
    except httpx.TransportError:
        return False


def is_calm(pid: int) -> bool:
    """Whether the server has prepared what it prepares after a start: for five seconds no box of it came or went, and
    nothing ran. (Boxes that went take their seconds with them: processor time alone may stand still, or fall, at work.)
    """
    boxes, before = set(family(pid)), cpu_seconds(pid)
    time.sleep(5)
    return set(family(pid)) == boxes and cpu_seconds(pid) - before < 0.5


def family(pid: int) -> list[int]:
    found = [pid]
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            for child in map(int, children.read_text().split()):
                found += family(child)
        except OSError:
            continue
    return found


def cpu_seconds(pid: int) -> float:
    total = 0
    for one in family(pid):
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int) -> float:
    """The proportional set sizes of the server and everything below it, summed."""
    total = 0
    for one in family(pid):
        try:
            lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


# ------------------------------------------------------------------ submitting


def answer_of(exercise: Exercise, framework: str) -> str:
    """A right answer as most people write it."""
    plain = exercise.files.get(f"solutions/{framework}.py")
    if exercise.reference.framework == framework:
        return exercise.reference.text
    assert plain is not None
    return plain.decode()


def body_of(exercises: Path, task: Task) -> bytes:
    source = answer_of(read_exercise(exercises / task.slug), task.framework)
    return json.dumps({"source": source, "framework": task.framework}).encode()


class Student:
    """One connection, kept open; hardly any work of its own, which the server would lack."""

    def __init__(self, server: Server, token: str) -> None:
        self.server, self.token = server, token

    async def __aenter__(self) -> "Student":
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        return self

    async def __aexit__(self, *error: object) -> None:
        self.writer.close()
        await self.writer.wait_closed()

    async def submit(self, slug: str, body: bytes) -> tuple[float, dict[str, Any]]:
        """Milliseconds until the verdict was here, and the submission."""
        head = (
            f"POST /api/v1/exercises/{slug}/submissions?wait=30 HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
            f"Authorization: Bearer {self.token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        began = time.perf_counter()
        self.writer.write(head.encode() + body)
        submission = json.loads(await self._answer())
        took = (time.perf_counter() - began) * 1000
        if submission.get("verdict") != "accepted":
            raise SystemExit(f"a right answer was not accepted: {json.dumps(submission)[:1000]}")
        return took, submission

    async def get(self, path: str) -> bytes:
        self.writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n\r\n".encode())
        return await self._answer()

    async def _answer(self) -> bytes:
        head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0])
        return await self.reader.readexactly(length)


def measure_latency(server: Server, exercises: Path, task: Task, peer: Path, submissions: int) -> Latency:
    row = Latency(task, cases=len(list(peer.glob("*.npz"))))
    body = body_of(exercises, task)
    ids: list[int] = []
    entry = read_exercise(exercises / task.slug).entry

    async def go() -> None:
        token = server.token()
        async with Student(server, token) as student:
            await student.submit(task.slug, body)  # its expected outputs are built by the first
        some = max(1, submissions // PEER_RUNS)
        for first in range(0, submissions, some):
            run_peers(row, peer, entry)
            await asyncio.sleep(2)
            # As a browser does, over a connection that is there. The server hangs up on who is silent for long.
            async with Student(server, token) as student:
                await student.get("/healthz")
                for _ in range(min(some, submissions - first)):
                    await asyncio.sleep(task.pause)
                    took, submission = await student.submit(task.slug, body)
                    row.times.append(took)
                    ids.append(submission["id"])

    asyncio.run(go())
    row.judged = calls_ms(server, ids)
    return row


def calls_ms(server: Server, ids: list[int]) -> list[float]:
    """What the calls of each submission took together. A hidden case tells no time: the row does."""
    deadline = time.monotonic() + 30
    with closing(sqlite3.connect(server.data / "lectern.sqlite3")) as db:
        while True:  # stages are stored after the verdict
            marks = ",".join("?" * len(ids))
            rows = db.execute(f"SELECT stages FROM grading WHERE submission_id IN ({marks})", ids).fetchall()
            if all(stages for (stages,) in rows) or time.monotonic() > deadline:
                return [sum(json.loads(stages)["calls"]) for (stages,) in rows if stages]
            time.sleep(0.2)


def measure_throughput(server: Server, exercises: Path, task: Task) -> str:
    """As many as it can for four students at once; then at half that pace, each at its own time."""
    body = body_of(exercises, task)
    count = 24 if task.framework == "jax" else 240
    assert task.target_per_second

    async def flood() -> float:
        async def one(token: str) -> None:
            async with Student(server, token) as student:
                for _ in range(count // 4):
                    await student.submit(task.slug, body)

        tokens = [server.token() for _ in range(4)]
        began = time.perf_counter()
        await asyncio.gather(*map(one, tokens))
        return count / (time.perf_counter() - began)

    async def half(per_second: float) -> list[float]:
        async def one(token: str, begins: float) -> float:
            await asyncio.sleep(begins)
            async with Student(server, token) as student:
                return (await student.submit(task.slug, body))[0]

        tokens = [server.token() for _ in range(count // 2)]
        await asyncio.sleep(2)
        return sorted(await asyncio.gather(*(one(token, n / per_second) for n, token in enumerate(tokens))))

    per_second = asyncio.run(flood())
    times = asyncio.run(half(per_second / 2))
    p50, p99 = times[len(times) // 2], times[min(len(times) - 1, int(0.99 * len(times)))]
    return (
        f"| {task.name} | {task.target_per_second:g} | {per_second:.1f} | {p50:.1f} | {p99:.1f} | {p99 / p50:.1f} × |"
    )


def measure_cost(server: Server, exercises: Path, task: Task, token: str) -> str:
    """What one takes of the processors when they come one after the other: no worker stands idle, none is held up."""
    body = body_of(exercises, task)
    count = 40 if task.framework == "jax" else 300

    async def submit(times: int) -> None:
        async with Student(server, server.token()) as student:
            for _ in range(times):
                await student.submit(task.slug, body)

    asyncio.run(submit(count // 4))  # as many boxes wait as will
    cost.settle()
    before = cost.by_part(server.pid, server.url, token)
    asyncio.run(submit(count))
    cost.settle()
    return cost.line(task.name, before, cost.by_part(server.pid, server.url, token), count)


def measure_burst(server: Server, exercises: Path) -> str:
    """Fifty submissions at once: forty of one student, one each of ten others."""
    say("a burst…")
    body = body_of(exercises, TASKS[0])
    finished: list[tuple[str, int]] = []

    async def one(token: str) -> None:
        async with Student(server, token) as student:
            _, submission = await student.submit(TASKS[0].slug, body)
            finished.append((token, submission["id"]))

    async def go() -> tuple[float, str]:
        busy, others = server.token(), [server.token() for _ in range(10)]
        began = time.perf_counter()
        await asyncio.gather(*(one(busy) for _ in range(40)), *(one(token) for token in others))
        return time.perf_counter() - began, busy

    took, busy = asyncio.run(go())
    last_other = max(place for place, (token, _) in enumerate(finished) if token != busy)
    ids = [id for token, id in finished if token == busy]
    # two workers finish side by side: neighbours may arrive the other way round
    late = sum(id < max(ids[: max(0, n - 1)], default=0) for n, id in enumerate(ids))
    return (
        f"A burst of 50 at once, 40 from one student and 1 each from ten others: {50 / took:.0f} per second; the ten "
        f"others had their verdicts among the first {last_other + 1}; of the busy student's, out of order: {late}."
    )


def first_and_later(server: Server, exercises: Path) -> str:
    say("the first JAX submission after the start…")
    task = next(task for task in TASKS if task.slug == "flax-five")
    body = body_of(exercises, task)

    async def go() -> tuple[float, float]:
        async with Student(server, server.token()) as student:
            times = [(await student.submit(task.slug, body))[0]]
            for _ in range(9):
                await asyncio.sleep(task.pause)
                times.append((await student.submit(task.slug, body))[0])
            return times[0], statistics.median(times[1:])

    first, later = asyncio.run(go())
    ratio = f"{first / later:.1f} ×"
    return f"The first Flax submission after the start: {first:.0f} ms, later ones {later:.0f} ms ({ratio})."


def measure_page(server: Server) -> str:
    say("a lesson page…")
    with httpx.Client(base_url=server.url) as client:
        path = "/courses/positions/why-order-matters"
        times = []
        for _ in range(200):
            began = time.perf_counter()
            client.get(path).raise_for_status()
            times.append((time.perf_counter() - began) * 1000)
    p50 = statistics.median(times)
    return f"A lesson page, including HTTP and client: {p50:.1f} ms, p50 of 200 (target: 3 ms of server time)."


# ------------------------------------------------------------------ the peers


def write_peer(folder: Path, exercises: Path, task: Task) -> Path:
    """A folder with the answer, the cases and a script, for a peer that starts a process each time."""
    exercise = read_exercise(exercises / task.slug)
    place = folder / f"peer-{task.slug}-{task.framework}"
    place.mkdir()
    (place / "answer.py").write_text(answer_of(exercise, task.framework))
    (place / "peer.py").write_text(PEER)
    with Judge(None, {"numpy", exercise.frameworks[0]}, {}) as judge:
        cases = [case for case in cases_of(judge, exercise) if case.script is None]  # a script's are not for `PEER`
    for n, case in enumerate(cases):
        inputs = {f"i{at}": np.asarray(value) for at, value in enumerate(exercise.signature.arguments(case.inputs))}
        np.savez(place / f"{n}.npz", allow_pickle=False, expected=case.expected, **inputs)
    return place


def run_peers(row: Latency, place: Path, entry: str) -> None:
    plain = {"PATH": os.environ["PATH"], "OMP_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, "peer.py", row.task.framework, entry, str(row.cases)]
    row.cold.append(timed([*command, "cold"], place, plain)[0])
    if bwrap := shutil.which("bwrap"):
        walls = [bwrap, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--unshare-all", "--die-with-parent"]
        row.bwrap.append(timed([*walls, *command, "cold"], place, plain)[0])
    # The floor: the calls alone, everything imported; JAX with our options and a cache that the run before has filled.
    bare = {**ENVIRONMENT, "HOME": str(place), "TMPDIR": str(place), "JAX_COMPILATION_CACHE_DIR": str(place / "jax"),
            "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0"}  # fmt: skip
    if row.task.framework == "jax" and not row.bare:
        timed([*command, "bare"], place, bare)
    row.bare.append(float(timed([*command, "bare"], place, bare)[1]))


def timed(command: list[str], place: Path, environment: dict[str, str]) -> tuple[float, str]:
    began = time.perf_counter()
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{command[0]} failed: {done.stderr[-1000:]}")
    return (time.perf_counter() - began) * 1000, done.stdout


# ------------------------------------------------------------------ the report


def report(
    rows: list[Latency], flows: list[str], costs: list[str], lines: list[str], submissions: int, only: str | None
) -> str:
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    command = f"./lectern bench --submissions {submissions}" + (f" --only {only}" if only else "")
    load = os.getloadavg()[0]
    text = [
        f"## {when}",
        "",
        f"`{command}` · {len(os.sched_getaffinity(0))} cores, Python {platform.python_version()}, SQLite with "
        f"`synchronous=FULL`, load average {load:.1f} at the end · milliseconds from request to verdict through HTTP",
        "",
        "| exercise | cases | target | p50 | p95 | cases alone | bare calls | p50 − bare | cold process | bubblewrap "
        "| cold ÷ p50 |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        bare, cold = statistics.median(row.bare), statistics.median(row.cold)
        bwrap = f"{statistics.median(row.bwrap):.0f}" if row.bwrap else "not installed"
        target = f"{row.task.target_ms:g}" if row.task.target_ms else ""
        text.append(
            f"| {row.task.name} | {row.cases} | {target} | {row.p(0.5):.1f} | {row.p(0.95):.1f} "
            f"| {statistics.median(row.judged):.1f} | {bare:.2f} | {row.p(0.5) - bare:.1f} | {cold:.0f} | {bwrap} "
            f"| {cold / row.p(0.5):.0f} × |"
        )
    if flows:
        text += ["", "| at four students at once | target per second | judged per second | p50 at half that load | p99 "
                 "| p99 ÷ p50 |", "|---|--:|--:|--:|--:|--:|", *flows]  # fmt: skip
    if costs:
        text += ["", *cost.heading(), *costs]
    text += ["", *(f"- {line}" for line in lines if line)]
    return "\n".join(text) + "\n"


def say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    main()
