"""The warm boxes that wait for a submission: `Judge` has a keeper for each framework, and hands out what they park."""

import threading
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from graders.boxes.cgroups import ControlGroups
from graders.boxes.keeper import START_SECONDS, JudgeUnavailable, Keeper
from graders.boxes.sandbox import Box
from graders.boxes.warmth import CompileCache, Warmth
from graders.frameworks import BY_NAME, FRAMEWORKS, compiles, home_of

BUILD_SECONDS = 60.0
# A box that is over is closed this much later: to kill it, and to have the next one forked, is in nobody's way then.
AFTER_SECONDS = 0.005


class Judge:
    """Boxes on demand. `cache_folder` keeps expected outputs and compiled programs between runs. `off` switches walls
    off, for tests. `parked`: how many boxes of a framework wait, or the fewest and the most.

    `require_walls=False` is LECTERN_SANDBOX=off: boxes are used even if walls are missing. `build_seconds`: the time
    that the reference may take for all cases of an exercise, and its mistakes for all cases.
    """

    def __init__(
        self,
        cache_folder: Path | None = None,
        frameworks: Iterable[str] = FRAMEWORKS,
        parked: Mapping[str, int | tuple[int, int]] | None = None,
        require_walls: bool = True,
        off: Iterable[str] = (),
        build_seconds: float = BUILD_SECONDS,
    ) -> None:
        self.cache_folder = cache_folder
        self.build_seconds = build_seconds
        self.off = tuple(off)
        self._expected: frozenset[str] = frozenset()
        self.compiled = CompileCache(cache_folder) if cache_folder else None
        self.groups = ControlGroups(off="cgroup" in self.off)
        self.keepers = {
            name: Keeper(name, _size(name, parked), require_walls, self.off, self.groups, self.compiled)
            for name in dict.fromkeys(map(home_of, frameworks))
        }
        self.patient: set[Box] = set()  # boxes in use for work that can wait (patience.py)
        self._over: list[Box] = []  # let go of, not yet closed
        self._closer: threading.Thread | None = None
        self._has_over = threading.Condition()
        self._is_closed = False

    def start(self, frameworks: Iterable[str] | None = None) -> None:
        """Begin to warm these, or every framework, in the background. Others begin when they are first used."""
        self._expected |= self.keepers.keys() & set(self.keepers if frameworks is None else map(home_of, frameworks))
        for name in self._expected:
            self.keepers[name].start()

    def take(
        self, framework: str, seconds: float = START_SECONDS, warmth: Warmth | None = None, spare: bool = False
    ) -> Box:
        """A warm box for the caller alone, who must close it; if possible one that was warmed for `warmth`.

        `spare`: only a box that no submission waits for, while another stays parked for the next submission.
        Raises JudgeUnavailable, or BoxLost after `seconds`.
        """
        if (home := home_of(framework)) not in self.keepers:
            raise JudgeUnavailable(f"This judge does not run {framework}.", "Start it with that framework.")
        keeper = self.keepers[home]
        keeper.start()
        return keeper.take_spare(seconds, warmth) if spare else keeper.take(seconds, warmth)

    def let_go(self, box: Box) -> None:
        """Have a taken box closed in a moment, by another thread: the student who waits for the verdict does not wait
        for that.

        attack: threads that go on after the last case. defence: the box is closed AFTER_SECONDS later, whatever they
        do.
        """
        with self._has_over:
            if not self._is_closed:
                self._over.append(box)
                if self._closer is None:
                    self._closer = threading.Thread(target=self._close_what_is_over, name="keeper-closer", daemon=True)
                    self._closer.start()
                self._has_over.notify()
                return
        box.close()

    def _close_what_is_over(self) -> None:
        while True:
            with self._has_over:
                self._has_over.wait_for(lambda: self._over or self._is_closed)
                self._has_over.wait_for(lambda: self._is_closed, AFTER_SECONDS)
                over, self._over = self._over, []
                is_last = self._is_closed
            for box in over:
                box.close()
            if is_last:
                return

    def expect(self, warmth: Warmth) -> None:
        """Warm boxes for this exercise, as if it had just been submitted to."""
        for name, keeper in self.keepers.items():
            if compiles(name):
                keeper.expect(warmth)

    def ready(self) -> bool:
        """Whether a submission in any framework that was started could be judged at once."""
        expected = [self.keepers[name] for name in self._expected or self.keepers]
        return all(keeper.has_been_ready for keeper in expected) and self.why_not() is None

    def why_not(self) -> JudgeUnavailable | None:
        """Why submissions cannot be judged on this machine; None when they can, or while that is unknown."""
        return next((keeper.refusal for keeper in self.keepers.values() if keeper.refusal), None)

    def walls(self) -> dict[str, str]:
        """The walls of the newest box: for each name "" when it is up, else why not."""
        return next((keeper.walls for keeper in self.keepers.values() if keeper.walls), {})

    def zygotes(self) -> dict[str, int]:
        """The process ids of the zygotes that run, by framework."""
        return {name: keeper.zygote_pid for name, keeper in self.keepers.items() if keeper.zygote}

    def parked(self) -> dict[str, float]:
        """How many warm boxes wait, by framework."""
        return {name: len(keeper.parked) for name, keeper in self.keepers.items()}

    def is_idle(self) -> bool:
        """Whether no box is in use."""
        return not self.boxes_in_use()

    def boxes_in_use(self) -> int:
        return sum(keeper.boxes_in_use for keeper in self.keepers.values())

    def clock(self) -> float:
        """Seconds, for the bounds on what an author's files may take: only their differences mean anything."""
        return time.monotonic()

    def close(self) -> None:
        """End every box and zygote. Takes at most a second."""
        with self._has_over:
            self._is_closed = True
            self._has_over.notify_all()
        if self._closer is not None:
            self._closer.join()
        for keeper in self.keepers.values():
            keeper.stop()
        for keeper in self.keepers.values():
            keeper.join()
        self.groups.close()

    def __enter__(self) -> "Judge":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _size(framework: str, parked: Mapping[str, int | tuple[int, int]] | None) -> int | tuple[int, int]:
    return BY_NAME[framework].parked if parked is None else parked.get(framework, 1)
