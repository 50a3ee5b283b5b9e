"""The commands as a person types them: real processes, real walls, a data folder of their own."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from graders.boxes.pool import Judge
from tests.conftest import require_boxes
from tests.forked import Forked
from tests.waiting import LIMIT_SECONDS

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
        patience = {"LECTERN_BUILD_SECONDS": "600"}  # what compiles takes more than a minute beside all other groups
        variables = {**os.environ, "LECTERN_DATA": str(tmp_path / "data"), **patience, **environment}
        streams = [tmp_path / f".std{name}" for name in ("in", "out", "err")]
        for path, text in zip(streams, (stdin, "", ""), strict=True):
            path.write_text(text)
            path.chmod(0o600)
        given, out, err = streams
        process = Forked([*map(str, arguments)], variables, out=out, err=err, stdin=given, folder=tmp_path)
        written = -1
        while process.poll() is None and err.stat().st_size > written:
            written = err.stat().st_size
            process.process.join(LIMIT_SECONDS)  # once more, as long as it goes on saying what it does
        if process.poll() is None:
            process.kill()
            raise AssertionError(f"./lectern {' '.join(map(str, arguments))} did not end: {err.read_text()}")
        return Said(process.wait(), out.read_text(), err.read_text())

    return run


@pytest.fixture(scope="session")
def walls() -> None:
    """Skip where this machine cannot hold a submission, unless it is required to."""
    with Judge(frameworks=["numpy"], parked={"numpy": 1}) as judge:
        require_boxes(judge)
