"""The commands as a person types them: real processes, real walls, a data folder of their own."""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

import pytest

from app.__main__ import cli
from graders.boxes.pool import Judge
from tests.conftest import require_boxes
from tests.waiting import LIMIT_SECONDS

ROOT = Path(__file__).resolve().parents[2]
Command = Callable[..., "Said"]
WRITTEN = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """stdout, which must be exactly one JSON object."""
        return json.loads(self.out)


# What the commands import, once for all of them: that took most of a second each, of two cores that are all there is.
# That a command imports no more than it needs is seen in test_boundaries.
IMPORTED = ["app.__main__", "app.web.server", "app.content.check", "app.people.accounts", "graders.proof.gate"]


@pytest.fixture(scope="session")
def started() -> ForkServerContext:
    """Where the commands' processes come from."""
    context = get_context("forkserver")
    context.set_forkserver_preload(IMPORTED)
    return context


@pytest.fixture
def lectern(tmp_path: Path, started: ForkServerContext) -> Command:
    def run(*arguments: str | Path, stdin: str = "", **environment: str) -> Said:
        patience = {"LECTERN_BUILD_SECONDS": "600"}  # what compiles takes more than a minute beside all other groups
        variables = {**os.environ, "LECTERN_DATA": str(tmp_path / "data"), **patience, **environment}
        streams = [tmp_path / f".std{name}" for name in ("in", "out", "err")]
        streams[0].write_text(stdin)
        streams[2].touch(0o600)
        process = started.Process(target=be_lectern, args=([*map(str, arguments)], variables, tmp_path, streams))
        process.start()
        written = -1
        while process.exitcode is None and streams[2].stat().st_size > written:
            written = streams[2].stat().st_size
            process.join(LIMIT_SECONDS)  # once more, as long as it goes on saying what it does
        if process.exitcode is None:
            process.kill()
            raise AssertionError(f"./lectern {' '.join(map(str, arguments))} did not end: {streams[2].read_text()}")
        return Said(process.exitcode, streams[1].read_text(), streams[2].read_text())

    return run


def be_lectern(arguments: list[str], environment: dict[str, str], folder: Path, streams: list[Path]) -> None:
    """Become `./lectern ARGUMENTS`: in the forked process, which ends with the command's code."""
    for number, (path, flags) in enumerate(zip(streams, (os.O_RDONLY, WRITTEN, WRITTEN), strict=True)):
        os.dup2(os.open(path, flags, 0o600), number)
    sys.stdin = os.fdopen(0, closefd=False)  # multiprocessing has put /dev/null there
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["./lectern", *arguments]
    cli(prog_name="./lectern")


@pytest.fixture(scope="session")
def walls() -> None:
    """Skip where this machine cannot hold a submission, unless it is required to."""
    with Judge(frameworks=["numpy"], parked={"numpy": 1}) as judge:
        require_boxes(judge)
