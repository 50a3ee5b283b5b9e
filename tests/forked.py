"""Commands of Lectern as processes, forked from one process that has imported the product and started nothing.

An import takes a second of a core and more: most of what such a test would take. `test_serve` and `test_server` start
`./lectern` itself; `test_boundaries` checks that a command imports no more than it needs.
"""

import importlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Self

from app.__main__ import cli
from app.settings import ROOT

# A process has one forkserver, which imports only what is named before its first fork. So all of it is named here.
IMPORTED = (
    "app.__main__", "app.web.server", "app.main", "app.content.check", "app.people.accounts", "graders.proof.gate",
    "tests.forked", "tests.faults.judging", "tests.faults.brokering",
)  # fmt: skip
forkserver = get_context("forkserver")
forkserver.set_forkserver_preload([*IMPORTED])
WRITTEN = os.O_WRONLY | os.O_CREAT | os.O_APPEND


class Forked:
    """A process that runs `./lectern ARGUMENTS` in a session of its own, with the part of Popen that tests use.

    Its output is appended to the files `out` and `err`. `names` gives names of the product other values in it.
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
        run = (arguments, dict(environment), folder, streams, dict(names or {}))
        self.process = forkserver.Process(target=_be_lectern, args=run)
        self.process.start()
        assert self.process.pid is not None
        self.pid = self.process.pid

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code. Raises subprocess.TimeoutExpired."""
        self.process.join(timeout)
        if (code := self.process.exitcode) is None:
            raise subprocess.TimeoutExpired("./lectern", timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it ended at this moment, and its exit code is still on the way
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
