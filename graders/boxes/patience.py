"""The judge, for work that can wait: checks, regradings and the making of fresh cases, beside students' submissions."""

import contextlib
import os
import threading
import time
from collections.abc import Callable
from functools import partial

from graders.boxes import proc
from graders.boxes.keeper import START_SECONDS
from graders.boxes.pool import Judge
from graders.boxes.sandbox import Box
from graders.boxes.warmth import Warmth

PATIENCE_SECONDS = 0.25  # before each question, while others are at work; then it goes on, or it would never end
LOOK_SECONDS = 0.005
NICE = 5


class Stale(BaseException):
    """Nobody wants to know any more. Like `asyncio.CancelledError`, it ends what carries on after an error."""


class PatientJudge(Judge):
    """Hands out boxes of `judge` that come after everybody else's.

    attack: an author saves once a second, and each check keeps boxes and both processors busy while a class hands in.
    defence: a box is taken only while another stays parked for the next submission. Before each question it waits until
             no other box is in use, a quarter of a second at most, and its processes come later on the processor. So a
             submission waits for one call of a check at most. What it waits does not count against what an author's
             files may take (`clock`).

    `is_stale` and `is_urgent` are asked before each question. Once the first is true, `Stale` is raised; while the
    second is true, nothing waits. `spare=False` is for work that a submission may soon need: it takes any parked box,
    at normal priority. Patient work does not wait for other patient work.
    """

    def __init__(
        self,
        judge: Judge,
        is_stale: Callable[[], bool],
        is_urgent: Callable[[], bool] = lambda: False,
        *,
        spare: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.cache_folder, self.build_seconds, self.off = judge.cache_folder, judge.build_seconds, judge.off
        self.compiled, self.groups, self.keepers = judge.compiled, judge.groups, judge.keepers
        self._expected = frozenset[str]()
        self.patient = judge.patient
        self._spare = spare
        self._is_stale, self._is_urgent = is_stale, is_urgent
        self._clock, self._waited = clock, threading.local()

    def take(
        self, framework: str, seconds: float = START_SECONDS, warmth: Warmth | None = None, spare: bool = True
    ) -> Box:
        """A spare box, or any, as the constructor was told; `spare` is ignored here. Raises as `Judge.take`, and
        Stale."""
        began = self._clock()
        self._give_way()
        box = super().take(framework, seconds, warmth, spare=self._spare)
        self.patient.add(box)
        box.on_close = partial(self._closed, box, box.on_close)
        box.on_ask = self._give_way_and_count
        if self._spare:
            with contextlib.suppress(OSError):
                for thread in proc.threads(box.pid):
                    os.setpriority(os.PRIO_PROCESS, thread, NICE)
        self._count(began)
        return box

    def let_go(self, box: Box) -> None:
        """At once: no student waits for what it was about, and a box less is in others' way."""
        box.close()

    def clock(self) -> float:
        """Without what this thread has waited for others."""
        return self._clock() - float(getattr(self._waited, "seconds", 0.0))

    def close(self) -> None:
        """The keepers are the other judge's."""

    def _closed(self, box: Box, returned: Callable[[], None] | None) -> None:
        self.patient.discard(box)
        if returned is not None:
            returned()

    def _give_way_and_count(self) -> None:
        began = self._clock()
        self._give_way()
        self._count(began)

    def _give_way(self) -> None:
        deadline = self._clock() + PATIENCE_SECONDS
        while not self._is_stale():
            if self._is_urgent() or not self._others_work() or self._clock() > deadline:
                return
            time.sleep(LOOK_SECONDS)
        raise Stale

    def _others_work(self) -> bool:
        waiting = any(keeper.submissions_waiting for keeper in self.keepers.values())
        return waiting or self.boxes_in_use() > len(self.patient)

    def _count(self, began: float) -> None:
        self._waited.seconds = getattr(self._waited, "seconds", 0.0) + self._clock() - began
