"""A few threads for what a handler of the broker's must not wait for, and a bounded line before them."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

import structlog

END_SECONDS = 0.5

log = structlog.get_logger("lectern.queue")


class Hands:
    """Of steps with one key only the newest waits, and never two run at once.

    attack: a machine that judges for the class sends messages faster than they can be handled, and a thread for each
    fills the memory. defence: so many wait, by key, and what comes beyond that is dropped. What is handed in here is
    said again by itself, or made up for by a later message.
    """

    def __init__(self, name: str, threads: int, most: int) -> None:
        self._most = most
        self._waiting: OrderedDict[Hashable, Callable[[], None]] = OrderedDict()
        self._running: set[Hashable] = set()
        self._changed = threading.Condition()
        self._closed = False
        self._threads = [threading.Thread(target=self._run, name=name, daemon=True) for _ in range(threads)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """What waits is dropped; what runs is waited for, but not for long."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()
        deadline = time.monotonic() + END_SECONDS
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, deadline - time.monotonic()))

    def do(self, key: Hashable, step: Callable[[], None]) -> bool:
        """Whether it will be done, unless a newer one of this key comes. Never waits."""
        with self._changed:
            if self._closed or (key not in self._waiting and len(self._waiting) >= self._most):
                return False
            self._waiting[key] = step
            self._changed.notify()
            return True

    def _run(self) -> None:
        while (found := self._next()) is not None:
            key, step = found
            try:
                step()
            except Exception:
                log.warning("message_not_handled", exc_info=True)
            finally:
                with self._changed:
                    self._running.discard(key)
                    self._changed.notify()

    def _next(self) -> tuple[Hashable, Callable[[], None]] | None:
        with self._changed:
            while not self._closed:
                free = next((key for key in self._waiting if key not in self._running), None)
                if free is not None:
                    self._running.add(free)
                    return free, self._waiting.pop(free)
                self._changed.wait()
        return None
