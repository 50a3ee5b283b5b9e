"""What fresh cases cost: the same exercise with hidden cases that are drawn, and with the same ones written down.

    .venv/bin/python -P -m benchmarks.fresh [--submissions 60]

One server, the two in turn. First at a student's pace: what a student waits for. Then, 64 of each at once: whether
anybody waits for a set that is not made yet. Then as many as it can: processor time a submission, of the server and all
of its boxes, those included that make the sets. It is read from a control group, which needs root (cgroup v1 or v2).
"""

import argparse
import asyncio
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.bench import ROOT, Server, Student, Task, body_of, is_calm, say, serving

PAIRS = (
    (Task("softmax-rows", "numpy"), Task("softmax-rows-fixed", "numpy")),
    (Task("flax-learned-pos", "jax"), Task("flax-learned-pos-fixed", "jax")),
)
PAUSE_SECONDS = 0.1
BURST = 50


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--submissions", type=int, default=60)
    submissions = options.parse_args().submissions
    with tempfile.TemporaryDirectory(prefix="lectern-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        with accounted() as seconds, serving(folder, _exercises(folder)) as server:
            for pair in PAIRS:
                _measure(server, folder / "exercises", pair, submissions, seconds)


def _exercises(folder: Path) -> Path:
    """The shipped ones, and a twin of each whose hidden cases ask no `rng` that comes from outside."""
    exercises = folder / "exercises"
    shutil.copytree(ROOT / "exercises", exercises)
    for drawn, fixed in PAIRS:
        shutil.copytree(exercises / drawn.slug, exercises / fixed.slug)
        cases = exercises / fixed.slug / "cases.py"
        inner = "def hidden_cases(rng):\n    rng = np.random.default_rng(4711)\n"
        text = cases.read_text().replace("def hidden_cases(rng):\n", inner)
        cases.write_text(text if "import numpy" in text else f"import numpy as np\n{text}")
    return exercises


@contextmanager
def accounted() -> Iterator["Seconds"]:
    """This process, and so the server that it starts, in a control group that counts processor time."""
    v1 = Path("/sys/fs/cgroup/cpuacct")
    root = v1 if v1.is_dir() else Path("/sys/fs/cgroup")
    group = root / f"lectern-bench-{os.getpid()}"
    group.mkdir()
    (group / "cgroup.procs").write_text(str(os.getpid()))
    try:
        yield Seconds(group)
    finally:
        (root / "cgroup.procs").write_text(str(os.getpid()))
        for _ in range(50):
            try:
                group.rmdir()
                break
            except OSError:
                time.sleep(0.1)


class Seconds:
    """Processor seconds of everything in the group, those that ended included, without this process's own."""

    def __init__(self, group: Path) -> None:
        self.group = group

    def __call__(self) -> float:
        usage = self.group / "cpuacct.usage"
        if usage.exists():
            total = int(usage.read_text()) / 1e9
        else:
            fields = dict(line.split() for line in (self.group / "cpu.stat").read_text().splitlines())
            total = int(fields["usage_usec"]) / 1e6
        return total - time.process_time()


def _measure(server: Server, exercises: Path, pair: tuple[Task, Task], submissions: int, seconds: Seconds) -> None:
    bodies = {task: body_of(exercises, task) for task in pair}
    times: dict[Task, list[float]] = {task: [] for task in pair}
    drawn, fixed = pair

    async def one(task: Task, token: str) -> float:
        async with Student(server, token) as student:
            took, _ = await student.submit(task.slug, bodies[task])
        return took

    async def at_a_students_pace() -> None:
        token = server.token()
        for task in pair:
            await one(task, token)
        while not is_calm(server.pid):
            await asyncio.sleep(0.2)
        for n in range(submissions):
            for task in pair if n % 2 else reversed(pair):
                times[task].append(await one(task, token))
                await asyncio.sleep(PAUSE_SECONDS)

    async def all_at_once(task: Task) -> float:
        tokens = [server.token() for _ in range(BURST)]
        began = time.perf_counter()
        await asyncio.gather(*(one(task, token) for token in tokens))
        return time.perf_counter() - began

    async def one_after_the_other(task: Task) -> float:
        token = server.token()
        before = seconds()
        for _ in range(submissions):
            await one(task, token)
        while not is_calm(server.pid):
            await asyncio.sleep(0.2)
        return (seconds() - before) * 1000 / submissions

    asyncio.run(at_a_students_pace())
    p50 = {task: statistics.median(times[task]) for task in pair}
    ratio = statistics.median(a / b for a, b in zip(times[drawn], times[fixed], strict=True))
    say(f"{drawn.name}, {submissions} of each, alternating, p50: {p50[drawn]:.1f} ms with fresh cases, "
          f"{p50[fixed]:.1f} ms "
        f"without (pair by pair {ratio:.2f})")  # fmt: skip
    burst = {task: asyncio.run(all_at_once(task)) for task in pair}
    say(f"  {BURST} at once, until the last verdict: {burst[drawn]:.2f} s and {burst[fixed]:.2f} s")
    spent = {task: asyncio.run(one_after_the_other(task)) for task in pair}
    say(f"  processor time per submission, all parts: {spent[drawn]:.1f} ms and {spent[fixed]:.1f} ms, including "
          f"making "
        "the sets")  # fmt: skip


if __name__ == "__main__":
    main()
