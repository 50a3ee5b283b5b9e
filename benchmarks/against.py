"""Two trees of Lectern side by side, request by request: what a change costs on a machine whose speed wanders.

    .venv/bin/python -P -m benchmarks.against OTHER_TREE [--pairs 60]

OTHER_TREE is a checkout that has been set up (`./lectern setup` there). Both servers run at once, each on an empty data
folder and with only the exercises that are asked for: thirty keep a server busy for minutes after its first start. Once
both are quiet they are asked in turn: the same pages, then the same submissions. The ratio is the median of all pairs:
this tree's time ÷ the other's.
"""

import argparse
import os
import re
import shutil
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
from benchmarks.bench import is_calm

PAGES = ("/courses/positions/learned-embeddings", "/exercises/softmax-rows", "/healthz")
GATHER, FLAX = "learned-absolute-position-embedding", "flax-learned-pos"
TASKS = ((GATHER, "numpy", "reference.py"), (GATHER, "torch", "solutions/torch.py"), (FLAX, "jax", "reference.py"))
EXERCISES = (GATHER, FLAX, "softmax-rows")
CALM_SECONDS = 600  # at most, until boxes are parked, cases built and fresh ones made, in both
FIRST = 5  # of each, which are not counted


@contextmanager
def served(tree: Path) -> Iterator[tuple[httpx.Client, int]]:
    """A guest of a server that runs from this tree, and the server's process."""
    with tempfile.TemporaryDirectory() as folder:
        exercises = Path(folder) / "exercises"
        for name in EXERCISES:
            shutil.copytree(tree / "exercises" / name, exercises / name)
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path)
    parser.add_argument("--pairs", type=int, default=60)
    chosen = parser.parse_args()
    with ExitStack() as servers:
        trees = (chosen.other.resolve(), ROOT)
        (other, its_process), (here, our_process) = (servers.enter_context(served(tree)) for tree in trees)
        both = other, here
        deadline = time.monotonic() + CALM_SECONDS
        while not (is_calm(its_process) and is_calm(our_process)) and time.monotonic() < deadline:
            time.sleep(1)
        for path in PAGES:
            print(compared(path, chosen.pairs, both, partial(_read, path)), flush=True)
        for exercise, framework, file in TASKS:
            body = {"source": (ROOT / "exercises" / exercise / file).read_text(), "framework": framework}
            name = f"{exercise}, {framework}"
            print(compared(name, chosen.pairs, both, partial(_submit, exercise, body)), flush=True)
    return 0


def _read(path: str, client: httpx.Client) -> None:
    client.get(path).raise_for_status()


def _submit(exercise: str, body: dict[str, str], client: httpx.Client) -> None:
    reply = client.post(f"/api/v1/exercises/{exercise}/submissions?wait=30", json=body).raise_for_status().json()
    assert reply["verdict"] == "accepted", reply


if __name__ == "__main__":
    sys.exit(main())
