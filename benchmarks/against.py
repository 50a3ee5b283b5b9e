"""Two trees of Lectern side by side, request by request: what a change costs on a machine whose speed wanders.

    .venv/bin/python -P -m benchmarks.against OTHER_TREE [--pairs 60]
    .venv/bin/python -P -m benchmarks.against OTHER_TREE --cost [--rounds 14]

OTHER_TREE is a checkout that has been set up (`./lectern setup` there). Both servers run at once, each on an empty data
folder and with only the exercises that are asked for: thirty keep a server busy for minutes after its first start. Once
both are quiet they are asked in turn: the same pages, then the same submissions. The ratio is the median of all pairs:
this tree's time ÷ the other's.

`--cost` compares processor time, as `./lectern bench --cost` counts it, of NumPy submissions with five cases. In each
round first one server has BLOCK of them, then the other, and in the next round the other way round. A host's speed may
change by a tenth from one minute to the next: then runs of one server each are too far from each other.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import httpx

from app.settings import ROOT
from benchmarks import cost
from benchmarks.bench import is_calm, write_exercises

PAGES = ("/courses/positions/learned-embeddings", "/exercises/softmax-rows", "/healthz")
GATHER, FLAX = "learned-absolute-position-embedding", "flax-learned-pos"
TASKS = ((GATHER, "numpy", "reference.py"), (GATHER, "torch", "solutions/torch.py"), (FLAX, "jax", "reference.py"))
COST_TASK = ("gather-five", "numpy", "reference.py")
BLOCK, BLOCK_SECONDS = 60, 1.2  # submissions; and then, until the last boxes are replaced and counted
EXERCISES = {GATHER, FLAX, "softmax-rows", "gather-five"}
CALM_SECONDS = 600  # at most, until boxes are parked, cases built and fresh ones made, in both
FIRST = 5  # of each, which are not counted


@contextmanager
def served(tree: Path) -> Iterator[tuple[httpx.Client, int]]:
    """A guest of a server that runs from this tree, and the server's process."""
    with tempfile.TemporaryDirectory() as folder:
        exercises = write_exercises(Path(folder), EXERCISES, tree)
        environment = {
            **os.environ, "LECTERN_DATA": f"{folder}/data", "LECTERN_RATE_LIMITS": "off", "PYTHONPATH": str(tree),
            "LECTERN_EXERCISES": str(exercises),
        }  # fmt: skip
        command = [str(tree / ".venv/bin/python"), "-P", "-m", "app", "serve", "--port", "0"]
        with subprocess.Popen(command, cwd=tree, env=environment, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                url = next(found[1] for line in server.stdout if (found := re.search(r"(http://\S+)", line)))
                token = httpx.post(f"{url}/api/v1/sessions", json={}).raise_for_status().json()["token"]
                with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60) as client:
                    yield client, server.pid
            finally:
                server.terminate()


Both = tuple[httpx.Client, httpx.Client]
Pids = tuple[int, int]


def compared(name: str, pairs: int, both: Both, ask: Callable[[httpx.Client], object]) -> str:
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(FIRST + pairs):
        for client, times in zip(both, took, strict=True):
            began = time.perf_counter()
            ask(client)
            times.append((time.perf_counter() - began) * 1000)
            time.sleep(0.1)  # a box that was used is replaced beside nobody's request
    before, after = took[0][FIRST:], took[1][FIRST:]
    ratio = statistics.median(b / a for a, b in zip(before, after, strict=True))
    p50 = f"p50 {statistics.median(before):.1f} ms there, {statistics.median(after):.1f} here"
    return f"{name}: {p50}; by pairs {ratio:.2f}"


def cost_compared(rounds: int, both: Both, pids: Pids, ask: Callable[[httpx.Client], object]) -> Iterator[str]:
    """What `ask` costs, in milliseconds of a core: of each tree by part, and the ratios."""
    spent: tuple[list[cost.Spent], list[cost.Spent]] = ([], [])
    for number in range(-1, rounds):  # the first is not counted
        for side in (0, 1) if number % 2 else (1, 0):
            before = cost.apart(pids[side])
            for _ in range(BLOCK):
                ask(both[side])
            time.sleep(BLOCK_SECONDS)
            after = cost.apart(pids[side])
            spent[side].append({part: (after[part] - before[part]) / BLOCK for part in after})
    there, here = spent[0][1:], spent[1][1:]
    for name, blocks in (("there", there), ("here", here)):
        parts = {part: statistics.mean(block[part] for block in blocks) for part in blocks[0]}
        in_words = ", ".join(f"{part} {parts[part]:.1f}" for part in parts)
        yield f"{name}: {sum(parts.values()):.1f} ms of processor time ({in_words})"
    of_all = [(sum(one.values()), sum(other.values())) for one, other in zip(there, here, strict=True)]
    ratios = sorted(other / one for one, other in of_all)
    of_means = sum(other for _, other in of_all) / sum(one for one, _ in of_all)
    spread = f"from {ratios[0]:.2f} to {ratios[-1]:.2f}"
    yield f"here ÷ there: {of_means:.3f}; by rounds {statistics.median(ratios):.3f}, {spread}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path)
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--cost", action="store_true", help="compare processor time")
    parser.add_argument("--rounds", type=int, default=14, help="of --cost")
    chosen = parser.parse_args()
    with ExitStack() as servers:
        trees = (chosen.other.resolve(), ROOT)
        (other, its_process), (here, our_process) = (servers.enter_context(served(tree)) for tree in trees)
        both = other, here
        deadline = time.monotonic() + CALM_SECONDS
        while not (is_calm(its_process) and is_calm(our_process)) and time.monotonic() < deadline:
            time.sleep(1)
        if chosen.cost:
            exercise, body = COST_TASK[0], _body(GATHER, *COST_TASK[1:])
            for line in cost_compared(
                chosen.rounds, both, (its_process, our_process), partial(_submit, exercise, body)
            ):
                print(line, flush=True)
            return 0
        for path in PAGES:
            print(compared(path, chosen.pairs, both, partial(_read, path)), flush=True)
        for exercise, framework, file in TASKS:
            body = _body(exercise, framework, file)
            name = f"{exercise}, {framework}"
            print(compared(name, chosen.pairs, both, partial(_submit, exercise, body)), flush=True)
    return 0


def _body(exercise: str, framework: str, file: str) -> dict[str, str]:
    return {"source": (ROOT / "exercises" / exercise / file).read_text(), "framework": framework}


def _read(path: str, client: httpx.Client) -> None:
    client.get(path).raise_for_status()


def _submit(exercise: str, body: dict[str, str], client: httpx.Client) -> None:
    reply = client.post(f"/api/v1/exercises/{exercise}/submissions?wait=30", json=body).raise_for_status().json()
    assert reply["verdict"] == "accepted", reply


if __name__ == "__main__":
    sys.exit(main())
