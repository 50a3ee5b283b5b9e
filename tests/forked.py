"""Lectern's commands as processes that are forked from one which has imported them, and started nothing.

To import takes a second of a core and more, most of what such a test would take. That `./lectern` itself starts is seen
in `test_serve` and `test_server`, that a command imports no more than it needs in `test_boundaries`.
"""

import importlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Self

from app.__main__ import cli
from app.settings import ROOT

# A process has one forkserver, and takes only what was named before its first fork: all of it is named here.
IMPORTED = (
    "app.__main__", "app.web.server", "app.main", "app.content.check", "app.people.accounts", "graders.proof.gate",
    "tests.forked", "tests.faults.judging", "tests.faults.brokering",
)  # fmt: skip
forkserver = get_context("forkserver")
forkserver.set_forkserver_preload([*IMPORTED])
WRITTEN = os.O_WRONLY | os.O_CREAT | os.O_APPEND


class Forked:
    """`./lectern ARGUMENTS`, with the part of subprocess.Popen that tests use; a session of its own.

    `out`, `err`: the files to which its output is added. `names`: what other values names of the product have there.
    """

    def __init__(
        self,
        arguments: list[str],
        environment: Mapping[str, str],
        *,
        out: Path,
        err: Path,
        stdin: Path | None = None,
        folder: Path = ROOT,
        names: Mapping[str, float] | None = None,
    ) -> None:
        streams = stdin or Path(os.devnull), out, err
        what = (arguments, dict(environment), folder, streams, dict(names or {}))
        self.process = forkserver.Process(target=_be_lectern, args=what)
        self.process.start()
        assert self.process.pid is not None
        self.pid = self.process.pid

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code, as of Popen. Raises subprocess.TimeoutExpired."""
        self.process.join(timeout)
        if (code := self.process.exitcode) is None:
            raise subprocess.TimeoutExpired("./lectern", timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.join()


def _be_lectern(
    arguments: list[str],
    environment: dict[str, str],
    folder: Path,
    streams: tuple[Path, Path, Path],
    names: dict[str, float],
) -> None:
    """Become the command, in the forked process, which ends with its code."""
    os.setsid()
    for number, (path, flags) in enumerate(zip(streams, (os.O_RDONLY, WRITTEN, WRITTEN), strict=True)):
        os.dup2(os.open(path, flags, 0o600), number)
    sys.stdin = os.fdopen(0, closefd=False)  # multiprocessing has put /dev/null there
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["./lectern", *arguments]
    for name, value in names.items():
        module: Any
        module, attribute = importlib.import_module(name.rpartition(".")[0]), name.rpartition(".")[2]
        assert hasattr(module, attribute), name
        setattr(module, attribute, value)
    cli(prog_name="./lectern")
