"""The commands as a person types them: real processes, real walls, a data folder of their own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from graders.boxes.pool import Judge
from tests.conftest import require_boxes

ROOT = Path(__file__).resolve().parents[2]
Command = Callable[..., "Said"]


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """stdout, which must be exactly one JSON object."""
        return json.loads(self.out)


@pytest.fixture
def lectern(tmp_path: Path) -> Command:
    def run(*arguments: str | Path, stdin: str = "", **environment: str) -> Said:
        variables = {**os.environ, "LECTERN_DATA": str(tmp_path / "data"), **environment}
        command = [sys.executable, "-P", "-m", "app", *map(str, arguments)]
        done = subprocess.run(
            command, input=stdin, capture_output=True, text=True, env=variables, cwd=tmp_path, timeout=300
        )
        return Said(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture(scope="session")
def walls() -> None:
    """Skip where this machine cannot hold a submission, unless it is required to."""
    with Judge(frameworks=["numpy"], parked={"numpy": 1}) as judge:
        require_boxes(judge)
