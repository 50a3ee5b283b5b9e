"""`bench`: how long a student waits; `bench soak`: what an installation promises while parts of it are killed."""

import os
import sys
from pathlib import Path

import typer

ROOT = Path(__file__).resolve().parents[2]


def bench(context: typer.Context) -> None:
    """Compare how long a student waits with a cold process, bubblewrap and bare calls; see benchmarks/README.md.

    --submissions N, --only NAME, --record (appends to benchmarks/results.md). `bench soak --help`: an installation of
    its own under load while parts of it are killed, and an audit of what it promised.
    """
    os.chdir(ROOT)
    program = [str(ROOT / "benchmarks" / "bench.py"), *context.args]
    if context.args[:1] == ["soak"]:
        program = ["-m", "benchmarks.soak", *context.args[1:]]
    os.execv(sys.executable, [sys.executable, "-P", *program])  # noqa: S606
