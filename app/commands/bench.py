"""`bench`: how long a student waits."""

import os
import sys
from pathlib import Path

import typer

ROOT = Path(__file__).resolve().parents[2]


def bench(context: typer.Context) -> None:
    """Compare how long a student waits with a cold process, bubblewrap and bare calls; see benchmarks/README.md.

    --submissions N, --only NAME, --record (appends to benchmarks/results.md).
    """
    os.chdir(ROOT)
    os.execv(sys.executable, [sys.executable, "-P", str(ROOT / "benchmarks" / "bench.py"), *context.args])  # noqa: S606
