"""Wait for an event, under the one limit that all tests share.

A test waits for what it needs, not for a time: `until(lambda: job.state == "finished")`. It never asserts how long
something took, and never sleeps to let something happen. The limit is only there so that a test which waits in vain
ends. It says nothing of the machine, which may stand still for seconds at any moment.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Protocol, TypeVar

LIMIT_SECONDS = 300.0
LIMIT_MS = LIMIT_SECONDS * 1000
FIRST_SECONDS, LOOK_SECONDS = 0.001, 0.1

T = TypeVar("T")
Reason = object | Callable[[], object]


def until(condition: Callable[[], T], otherwise: Reason = "", *, look_seconds: float = LOOK_SECONDS) -> T:
    """Return the first true value of `condition`.

    It is asked again after a thousandth of a second, then less and less often: at last every `look_seconds`, or as
    seldom as it takes so that asking fills a third of the time (it may be a request to a server).

    Raises AssertionError after LIMIT_SECONDS, with `otherwise`; a callable is called then, to say what was there.
    """
    pause = FIRST_SECONDS
    deadline = time.monotonic() + LIMIT_SECONDS
    while True:
        began = time.monotonic()
        if value := condition():
            return value
        asked = time.monotonic()
        assert asked < deadline, _text(otherwise)
        time.sleep(max(pause, 2 * (asked - began)))
        pause = min(1.3 * pause, look_seconds)


async def until_async(condition: Callable[[], T], otherwise: Reason = "", *, look_seconds: float = LOOK_SECONDS) -> T:
    """`until`, for a test that runs in an event loop, which goes on meanwhile."""
    pause = FIRST_SECONDS
    deadline = time.monotonic() + LIMIT_SECONDS
    while not (value := condition()):
        assert time.monotonic() < deadline, _text(otherwise)
        await asyncio.sleep(pause)
        pause = min(1.3 * pause, look_seconds)
    return value


def until_ended(*threads: threading.Thread) -> None:
    """Join these threads. Raises AssertionError where one does not end."""
    for thread in threads:
        thread.join(LIMIT_SECONDS)
        assert not thread.is_alive(), f"{thread.name} did not end"


class Waited(Protocol):
    """A process, as subprocess.Popen is one."""

    def wait(self, timeout: float | None = None) -> int: ...


def exit_code(process: Waited) -> int:
    """Wait for the end of a process, and return its exit code."""
    return process.wait(LIMIT_SECONDS)


def _text(otherwise: Reason) -> object:
    return otherwise() if callable(otherwise) else otherwise
