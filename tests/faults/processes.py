"""Processes of a drill's own, which it may stop or kill."""

from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from multiprocessing.synchronize import Event

from benchmarks.processes import Process, alive
from tests.waiting import until


@contextmanager
def started(process: ForkServerProcess, is_ready: Event) -> Iterator[ForkServerProcess]:
    """Yield it when it says that it is ready; kill it at the end of the block."""
    process.start()
    try:
        until(lambda: is_ready.is_set() or not process.is_alive(), "it did not get ready")
        assert is_ready.is_set(), process.exitcode
        yield process
    finally:
        process.kill()
        process.join()


def until_gone(processes: set[Process]) -> None:
    """Wait for the end of what a killed process leaves behind."""
    until(lambda: not alive(processes), lambda: alive(processes))
