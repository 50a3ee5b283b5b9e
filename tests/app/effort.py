"""What work costs this thread's processor, for patterns alone: how often `re` looks at a character, nothing counts."""

import time
from collections.abc import Callable


def processor_seconds(work: Callable[[], object]) -> float:
    """They stand still while the machine does. A pattern that goes back and forth takes a hundred times as many."""
    began = time.thread_time()
    work()
    return time.thread_time() - began
