"""Says whether a call is quick: beside a loop of known length, by processor time, which a busy machine adds little to.

Counting what is called would not do here: patterns that go back over a text again and again, and numbers of a million
digits, are one call.
"""

import time
from collections.abc import Callable
from functools import cache

STEPS = 200_000  # of a loop of Python: some 8 ms of a processor that has nothing else to do
TRIES = 40


def is_quick(call: Callable[[], object]) -> bool:
    """Say whether a call can cost less than the loop. What else the machine does only adds to it: one run shows it."""
    return _seconds(call) < _loop_seconds() or any(_seconds(call) < _seconds(_loop) for _ in range(TRIES))


@cache
def _loop_seconds() -> float:
    """Measure the loop at its quickest, once."""
    return min(_seconds(_loop) for _ in range(5))


def _seconds(call: Callable[[], object]) -> float:
    """Measure this thread's processor time."""
    began = time.thread_time()
    call()
    return time.thread_time() - began


def _loop() -> int:
    return sum(n & 1 for n in range(STEPS))
