"""Who judges elsewhere, as their beats say: for `/readyz`, the figures, and whom to give a task."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from app.queue.messages import Beat

MOST_PROCESSES = 256  # of one name
WORKER_SECONDS = 12.0  # without a beat, a worker does not count as there


def name_of(worker: str) -> str:
    """What it is let in by: processes of one name trust each other."""
    return worker.partition(".")[0]


class Roster:
    """May be used from any thread."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._beats: dict[str, tuple[float, Beat]] = {}
        self._busy: Counter[str] = Counter()  # by worker: tasks that this process has given it
        self._lock = threading.Lock()

    def heard(self, worker: str, beat: Beat) -> None:
        """attack: a machine invents one process after the other, which its name allows, until the memory is full.
        defence: of one name so many processes count, and what is silent is forgotten."""
        now, name = self._clock(), name_of(worker)
        with self._lock:
            for gone in [each for each, (at, _) in self._beats.items() if at < now - WORKER_SECONDS]:
                del self._beats[gone]
            if worker in self._beats or sum(name_of(each) == name for each in self._beats) < MOST_PROCESSES:
                self._beats[worker] = now, beat

    def slots(self, worker: str) -> int | None:
        """How many it judges at once, by its last beat; None for one that is not there."""
        with self._lock:
            at, beat = self._beats.get(worker, (0.0, None))
        return beat.slots if beat is not None and at > self._clock() - WORKER_SECONDS else None

    def forget(self, worker: str) -> None:
        """The broker says that it is gone. If it comes back, it beats."""
        with self._lock:
            self._beats.pop(worker, None)

    def there(self) -> dict[str, Beat]:
        """Those whose last beat is not long ago, by name."""
        since = self._clock() - WORKER_SECONDS
        with self._lock:
            return {name: beat for name, (at, beat) in self._beats.items() if at > since}

    def ages(self) -> dict[str, float]:
        """Seconds since the last beat of each that is there."""
        now = self._clock()
        with self._lock:
            return {name: now - at for name, (at, _) in self._beats.items() if at > now - WORKER_SECONDS}

    def threads(self) -> int:
        """How many submissions all workers that are there can judge at once."""
        return sum(beat.slots for beat in self.there().values())

    def can_judge(self) -> bool:
        """Whether any worker is there that is warm."""
        return any(beat.parked for beat in self.there().values())

    def pick(self, frameworks: Collection[str], memory_mb: int, but: Collection[str] = ()) -> str | None:
        """The worker that does tasks, can do this one, and has the fewest of this process's for its threads. None where
        there is none, except those that are named. What names no framework may turn out to need any: it goes to a
        worker that has all of them, where one is there."""
        able = {
            name: beat
            for name, beat in self.there().items()
            if beat.does_tasks and name not in but and beat.capabilities.can_all(frameworks, memory_mb)
        }
        if not able:
            return None
        if not frameworks:
            able = {name: beat for name, beat in able.items() if not beat.capabilities.frameworks} or able
        shares = {name: self._busy[name] / max(1, beat.slots) for name, beat in able.items()}
        least = min(shares.values())
        return random.choice([name for name, share in shares.items() if share == least])  # noqa: S311 (no secret)

    @contextmanager
    def occupied(self, worker: str) -> Iterator[None]:
        with self._lock:
            self._busy[worker] += 1
        try:
            yield
        finally:
            with self._lock:
                self._busy[worker] -= 1
                self._busy = +self._busy
