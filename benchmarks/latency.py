"""Submit → verdict through HTTP, beside a cold process, in one run.

    .venv/bin/python benchmarks/latency.py [--submissions 50] [--record]

Starts a server of its own on an empty data folder (rate limits off, loopback), submits the right answer to each
exercise in each framework one after the other, and between blocks runs the same answer as a cold process: import the
framework, call every case, compare. Times are this machine's; the ratio is what to quote.
"""

import argparse
import json
import os
import platform
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx
import numpy as np

from graders.cases import cases_of
from graders.exercise import Exercise, read_exercise
from graders.pool import Judge

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).with_name("results.md")
TASKS = (
    ("learned-absolute-position-embedding", "numpy"),
    ("learned-absolute-position-embedding", "torch"),
    ("learned-absolute-position-embedding", "jax"),
    ("flax-learned-pos", "jax"),
)
COLD_RUNS = 5
COLD = """
import sys, numpy as np
framework, entry, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
space = {}
exec(open("answer.py").read(), space)
def into(value):
    if not isinstance(value, np.ndarray): return value
    if framework == "jax":
        import jax.numpy; return jax.numpy.asarray(value)
    if framework == "torch":
        import torch; return torch.from_numpy(value)
    return value
for n in range(count):
    case = np.load(f"{n}.npz", allow_pickle=False)
    names = sorted(name for name in case.files if name[0] == "i")
    arguments = [into(case[name] if case[name].ndim else case[name].item()) for name in names]
    result = space[entry](*arguments)
    result = result.detach() if framework == "torch" else result
    np.testing.assert_allclose(np.asarray(result), case["expected"], rtol=1e-5, atol=1e-6)
"""


@dataclass(frozen=True)
class Measured:
    """Milliseconds."""

    exercise: str
    framework: str
    cases: int
    p50: float
    p95: float
    judged: float  # the sum of its cases' own times, p50
    cold: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--submissions", type=int, default=50)
    parser.add_argument("--record", action="store_true", help="append to benchmarks/results.md")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(Path(folder), given.submissions)
    text = table(rows, given.submissions)
    print(text)
    if given.record:
        with RESULTS.open("a") as file:
            file.write(f"\n{text}\n")


def measure(folder: Path, submissions: int) -> list[Measured]:
    port = free_port()
    environment = {
        **os.environ,
        "LECTERN_DATA": str(folder / "data"), "LECTERN_PORT": str(port), "LECTERN_RATE_LIMITS": "off",
    }  # fmt: skip
    log = (folder / "log").open("wb")
    server = subprocess.Popen([sys.executable, "-P", "-m", "app", "serve"], env=environment, stdout=log, stderr=log)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
            wait_until_ready(client)
            token = client.post("/api/v1/sessions", json={}).raise_for_status().json()["token"]
            client.headers["Authorization"] = f"Bearer {token}"
            return [measure_one(client, folder, *task, submissions) for task in TASKS]
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(20)
        log.close()


def measure_one(client: httpx.Client, folder: Path, slug: str, framework: str, submissions: int) -> Measured:
    exercise = read_exercise(ROOT / "exercises" / slug)
    right = [exercise.reference, *exercise.solutions]
    source = next(answer.text for answer in right if answer.framework == framework)
    place, cases = write_cold(folder, exercise, framework, source)
    submit(client, slug, framework, source)  # its expected outputs are built by the first
    times, judged, cold = [], [], []
    for n in range(submissions):
        if n % max(1, submissions // COLD_RUNS) == 0:
            cold.append(run_cold(place, exercise.entry, framework, cases))
            time.sleep(1)
        took, inside = submit(client, slug, framework, source)
        times.append(took)
        judged.append(inside)
        time.sleep(0.05 if framework != "jax" else 0.6)  # a student's pace: the pool has a warm box again
    times.sort()
    p95 = times[min(len(times) - 1, round(0.95 * len(times)))]
    p50, inside = statistics.median(times), statistics.median(judged)
    return Measured(slug, framework, cases, p50, p95, inside, statistics.median(cold))


def submit(client: httpx.Client, slug: str, framework: str, source: str) -> tuple[float, float]:
    """Milliseconds from request to verdict, and of the cases alone."""
    began = time.perf_counter()
    answer = client.post(
        f"/api/v1/exercises/{slug}/submissions", params={"wait": 30}, json={"source": source, "framework": framework}
    )
    took = (time.perf_counter() - began) * 1000
    submission = answer.raise_for_status().json()
    assert submission["verdict"] == "accepted", json.dumps(submission)[:500]
    return took, sum(case["wall_ms"] for case in submission["cases"])


def write_cold(folder: Path, exercise: Exercise, framework: str, source: str) -> tuple[Path, int]:
    place = folder / f"{exercise.slug}-{framework}"
    place.mkdir()
    (place / "answer.py").write_text(source)
    (place / "cold.py").write_text(COLD)
    with Judge(None, {"numpy", exercise.frameworks[0]}, {}) as judge:
        cases = cases_of(judge, exercise)
    for n, case in enumerate(cases):
        inputs = {f"i{at}": np.asarray(value) for at, value in enumerate(case.arguments(exercise))}
        np.savez(place / f"{n}.npz", allow_pickle=False, expected=case.expected, **inputs)
    return place, len(cases)


def run_cold(place: Path, entry: str, framework: str, cases: int) -> float:
    environment = {"PATH": os.environ["PATH"], "OMP_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu"}
    began = time.perf_counter()
    command = [sys.executable, "cold.py", framework, entry, str(cases)]
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return (time.perf_counter() - began) * 1000


def wait_until_ready(client: httpx.Client) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            if client.get("/readyz").status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    raise SystemExit("the server did not become ready")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def table(rows: list[Measured], submissions: int) -> str:
    cores = len(os.sched_getaffinity(0))
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    lines = [
        f"## Submit → verdict, {when}",
        "",
        f"`.venv/bin/python benchmarks/latency.py --submissions {submissions}` · {cores} cores, Python "
        f"{platform.python_version()}, SQLite with `synchronous=FULL` · milliseconds",
        "",
        "| exercise | framework | cases | p50 | p95 | cases alone, p50 | cold process, median | cold ÷ p50 |",
        "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        lines.append(
            f"| {row.exercise} | {row.framework} | {row.cases} | {row.p50:.1f} | {row.p95:.1f} | {row.judged:.1f} "
            f"| {row.cold:.0f} | {row.cold / row.p50:.0f} × |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
