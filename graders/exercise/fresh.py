"""Fresh cases: hidden ones drawn for one submission alone, and never used again.

attack: two programs on one machine always find a way to whisper to each other, so every hidden input gets out in time.
        Its answer is easy to get: run the code on it as your own input. Then a table of known answers, without any
        softmax, passes every case that was used before.
defence: a known hidden input is worth nothing. Beside the fixed hidden cases every submission meets FRESH others, from
         the same `hidden_cases(rng)` under a secret seed of its own. No table holds their answers.

The fixed cases remain for what they are good at: edges written by hand, warmth, and the outcomes of known mistakes.
The seed is kept with the grading, so that the verdict can be repeated.

A `Stock` makes sets ahead, since the reference needs a box and a moment to answer them, and no student should wait.
"""

import logging
import math
import random
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from graders.boxes.pool import Judge
from graders.boxes.sandbox import BoxLost
from graders.exercise.built import answers, built_of
from graders.exercise.cases import Case
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.runs import SEED_BITS, hidden_draws, seed_of
from graders.inside import wire

FRESH = 2  # fresh cases for each submission
BOXES = 3  # boxes that may be lost over one draw
TRIES = 8  # draws in a row that may fail before the exercise counts as broken
KEPT = 64  # sets that wait for an exercise in use: a burst of 50 submissions finds one each
LEAST = 16  # below this, more sets are made at once: making them no longer gives way to submissions
NOW_SECONDS = 10.0  # after the last submission to an exercise the next one is not expected at once
BATCH = 32  # sets made together, with one box for the generator and one for the reference
STOCK_BYTES = 16 << 20  # of one exercise's sets
EXERCISES = 256  # exercises that have a shelf

log = logging.getLogger("lectern.fresh")


@dataclass(frozen=True)
class FreshSet:
    """The cases that `seed` draws for one submission. For an exercise that draws none, both are empty."""

    seed: int | None
    cases: tuple[Case, ...]


def new_seed() -> int:
    """A seed that nobody can guess."""
    return secrets.randbits(SEED_BITS)


def draw(judge: Judge, exercise: Exercise, seeds: Sequence[int]) -> list[FreshSet]:
    """The set of each seed, with the reference's answers. A seed draws the same set at any time and on any machine.

    Raises BrokenExercise where a generator or the reference fails on one of them; BoxLost, JudgeUnavailable.
    """
    places = built_of(judge, exercise).drawn
    if not places:
        return [FreshSet(None, ()) for _ in seeds]
    requests = [request for seed in seeds for request in _draws_of(seed, places)]
    draws = hidden_draws(judge, exercise, requests)
    drawn = [case for cases in draws for case in cases]
    if len(drawn) != FRESH * len(seeds):
        raise BrokenExercise(
            "cases.py",
            "yields fewer cases under another seed",
            "yield the same cases each time, and draw their numbers only",
            subject="hidden_cases",
        )
    cases = list(answers(judge, exercise, drawn, fresh=True))
    return [FreshSet(seed, tuple(cases[FRESH * n : FRESH * (n + 1)])) for n, seed in enumerate(seeds)]


def _draws_of(seed: int, places: Sequence[int]) -> list[tuple[int, list[int]]]:
    """The draws, and the places in them, that the set of `seed` is made of. One draw, if it has enough places."""
    if len(places) >= FRESH:
        return [(seed, sorted(random.Random(seed).sample(places, FRESH)))]  # noqa: S311 (the seed is the secret)
    turns = [seed_of(f"{seed}:{number}") for number in range(FRESH)]
    return [(turn, [place]) for turn in turns for place in places][:FRESH]


@dataclass
class _Shelf:
    """The sets of one exercise that wait. `making` is held while more are made. `broken`: why none can be made.
    `taken_at`: when a submission last took one, on the stock's clock. `awaited`: how many wait for
    `making`."""

    sets: deque[FreshSet] = field(default_factory=deque)
    most: int = KEPT
    is_used: bool = False
    taken_at: float = -math.inf
    awaited: int = 0
    broken: BrokenExercise | None = None
    making: threading.Lock = field(default_factory=threading.Lock)


class Stock:
    """Sets of fresh cases that wait for submissions, by judging hash. Each is handed out once.

    `batch`: how many are made at a time. In memory only: no submission has met the sets that are lost with the process.
    """

    def __init__(self, batch: int = BATCH, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.batch, self._clock = batch, clock
        self._shelves: OrderedDict[str, _Shelf] = OrderedDict()
        self._guard = threading.Lock()

    def take(self, judge: Judge, exercise: Exercise) -> FreshSet:
        """A set for this submission alone; made now if none waits.

        Raises BrokenExercise, BoxLost, JudgeUnavailable.
        """
        shelf = self._shelf(exercise)
        shelf.is_used, shelf.taken_at = True, self._clock()
        while True:
            try:
                return shelf.sets.popleft()
            except IndexError:
                pass
            with self._making(shelf):  # others that find none wait for the same batch
                if shelf.sets:
                    continue
                if shelf.broken:
                    raise shelf.broken.again()
                self._make(judge, exercise, shelf)

    def put(self, exercise: Exercise, sets: Iterable[FreshSet]) -> None:
        """Add sets that were drawn elsewhere."""
        self._shelf(exercise).sets.extend(sets)

    def is_settled(self, exercise: Exercise) -> bool:
        """Whether a set is ready, or none can be made, so that nobody has to wait for one."""
        shelf = self._shelf(exercise)
        return bool(shelf.sets) or shelf.broken is not None

    def forget_fault(self, exercise: Exercise) -> None:
        """Try to make sets again for a broken exercise."""
        self._shelf(exercise).broken = None

    def fill(self, judge: Judge, exercise: Exercise) -> None:
        """Make one more batch; if another thread is making one, only wait for it. Raises as `take` does. After a
        BrokenExercise `take` raises it too."""
        shelf = self._shelf(exercise)
        had = len(shelf.sets)
        with self._making(shelf):
            if len(shelf.sets) > had:
                return
            try:
                self._make(judge, exercise, shelf)
            except BrokenExercise as broken:
                shelf.broken = broken.again()
                raise

    def wants(self, exercise: Exercise) -> bool:
        """Whether more sets should be made when nothing else is to be done."""
        shelf = self._shelf(exercise)
        return shelf.broken is None and len(shelf.sets) < min(shelf.most, KEPT if shelf.is_used else LEAST)

    def is_running_down(self, exercise: Exercise) -> bool:
        """Whether it is in use and half of its sets are gone: then more are made, also while submissions are judged."""
        shelf = self._shelf(exercise)
        return shelf.is_used and len(shelf.sets) < min(KEPT, shelf.most) // 2

    def is_low(self, exercise: Exercise) -> bool:
        """Whether it is in use, and so few sets are left that submissions may soon have to wait."""
        shelf = self._shelf(exercise)
        return shelf.is_used and len(shelf.sets) < min(LEAST, shelf.most)

    def is_urgent(self) -> bool:
        """Whether somebody waits for a batch, or an exercise that is submitted to now has few sets left."""
        since = self._clock() - NOW_SECONDS
        with self._guard:
            return any(
                shelf.awaited
                or (shelf.taken_at > since and shelf.broken is None and len(shelf.sets) < min(LEAST, shelf.most))
                for shelf in self._shelves.values()
            )

    def counts(self) -> dict[str, float]:
        """How many sets wait, in all."""
        with self._guard:
            return {"waiting": sum(len(shelf.sets) for shelf in self._shelves.values())}

    def _shelf(self, exercise: Exercise) -> _Shelf:
        with self._guard:
            shelf = self._shelves.setdefault(exercise.judging_hash, _Shelf())
            self._shelves.move_to_end(exercise.judging_hash)
            while len(self._shelves) > EXERCISES:
                self._shelves.popitem(last=False)
            return shelf

    @contextmanager
    def _making(self, shelf: _Shelf) -> Iterator[None]:
        """Holds `making`. While another thread waits for it, `is_urgent` is true, so that the holder hurries."""
        with self._guard:
            shelf.awaited += 1
        try:
            shelf.making.acquire()
        finally:
            with self._guard:
                shelf.awaited -= 1
        try:
            yield
        finally:
            shelf.making.release()

    def _make(self, judge: Judge, exercise: Exercise, shelf: _Shelf) -> None:
        sets = _sound(judge, exercise, [new_seed() for _ in range(self.batch)])
        shelf.most = max(1, min(KEPT, STOCK_BYTES // max(map(_bytes, sets))))
        shelf.sets.extend(sets)


def _sound(judge: Judge, exercise: Exercise, seeds: Sequence[int]) -> list[FreshSet]:
    """The sets of `seeds`. If the exercise fails on one, one other set instead: no student is charged for that."""
    deadline = judge.clock() + judge.build_seconds
    try:
        return _drawn(judge, exercise, seeds)
    except BrokenExercise as broken:
        log.error("%s is broken on some draws: %s", exercise.slug, broken)
    tries = 0
    while True:
        try:
            return _drawn(judge, exercise, [new_seed()])
        except BrokenExercise:
            tries += 1
            if tries == TRIES or judge.clock() > deadline:
                raise


def _drawn(judge: Judge, exercise: Exercise, seeds: Sequence[int]) -> list[FreshSet]:
    """As `draw`, but a box lost through our fault is replaced, as a submission's is."""
    for _ in range(BOXES - 1):
        try:
            return draw(judge, exercise, seeds)
        except BoxLost as error:
            log.warning("fresh cases of %s are drawn again: %s", exercise.slug, error)
    return draw(judge, exercise, seeds)


def _bytes(fresh: FreshSet) -> int:
    return len(wire.encode({"cases": [[dict(case.inputs), case.expected] for case in fresh.cases]}))


ON_DEMAND = Stock(batch=1)  # for a process that judges one submission and ends
