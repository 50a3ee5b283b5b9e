"""Fresh cases: hidden ones drawn for one submission alone, and never used again.

attack: two programs on one machine can always whisper to each other somewhere, so that every hidden input there ever
        was gets out, and its answer with it: a run on one's own input tells it. A table of them, and no softmax at
        all, passes every case that was met before.
defence: a hidden input that is known is worth nothing. Beside the fixed hidden cases every submission meets FRESH
         others, from the same `hidden_cases(rng)` under a secret seed of its own. No table holds their answers.

The fixed cases stay for what they are good at: edges written by hand, warmth, and the outcomes of known mistakes.
A seed is kept with its grading, so that the verdict can be made again.

A `Stock` has sets made ahead: their answers take the reference a box and a moment, for which no student should wait.
"""

import logging
import random
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graders.boxes.pool import Judge
from graders.boxes.sandbox import BoxLost
from graders.exercise.built import answers, built_of
from graders.exercise.cases import Case
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.runs import SEED_BITS, hidden_draws, seed_of
from graders.inside import wire

FRESH = 2  # cases that each submission meets alone
BOXES = 3  # that may be lost over one draw
TRIES = 8  # draws that an exercise may fail on, one after the other, before it is broken
KEPT = 64  # sets that wait, of an exercise that is submitted to: a burst of 50 finds one each
LEAST = 16  # below so many, more are made whatever else the processor does
BATCH = 32  # made together: one box for the generator and one for the reference serve all of them
STOCK_BYTES = 16 << 20  # of one exercise's sets
EXERCISES = 256  # that have a shelf

log = logging.getLogger("lectern.fresh")


@dataclass(frozen=True)
class FreshSet:
    """What one submission meets alone: the cases that `seed` draws. Of an exercise that draws none: nothing."""

    seed: int | None
    cases: tuple[Case, ...]


def new_seed() -> int:
    """A seed that nobody can guess."""
    return secrets.randbits(SEED_BITS)


def draw(judge: Judge, exercise: Exercise, seeds: Sequence[int]) -> list[FreshSet]:
    """The set of each seed, with the reference's answers: the same whenever and wherever it is drawn.

    Raises BrokenExercise where a generator or the reference fails on one of them; BoxLost, JudgeUnavailable.
    """
    places = built_of(judge, exercise).drawn
    if not places:
        return [FreshSet(None, ()) for _ in seeds]
    requests = [request for seed in seeds for request in _draws_of(seed, places)]
    draws = hidden_draws(judge, exercise, requests)
    drawn = [(False, name, inputs) for cases in draws for name, inputs in cases]
    if len(drawn) != FRESH * len(seeds):
        raise BrokenExercise(
            "cases.py",
            "yields fewer cases under another seed",
            "yield the same cases each time, and draw their numbers only",
            subject="hidden_cases",
        )
    cases = [
        Case(name, False, inputs, dims, expected, fresh=True)
        for (_, name, inputs), (dims, expected) in zip(drawn, answers(judge, exercise, drawn), strict=True)
    ]
    return [FreshSet(seed, tuple(cases[FRESH * n : FRESH * (n + 1)])) for n, seed in enumerate(seeds)]


def _draws_of(seed: int, places: Sequence[int]) -> list[tuple[int, list[int]]]:
    """Which places of which draws the set of `seed` is made of: of one draw, where that has as many as are needed."""
    if len(places) >= FRESH:
        return [(seed, sorted(random.Random(seed).sample(places, FRESH)))]  # noqa: S311 (the seed is the secret)
    turns = [seed_of(f"{seed}:{number}") for number in range(FRESH)]
    return [(turn, [place]) for turn in turns for place in places][:FRESH]


@dataclass
class _Shelf:
    """The sets of one exercise that wait. `making`: held by who makes more. `broken`: why none can be made."""

    sets: deque[FreshSet] = field(default_factory=deque)
    most: int = KEPT
    is_used: bool = False
    broken: BrokenExercise | None = None
    making: threading.Lock = field(default_factory=threading.Lock)


class Stock:
    """Sets of fresh cases that wait for submissions, by judging hash; each is handed out once.

    `batch`: how many are made at a time. In memory only: what is lost with the process has been met by nobody.
    """

    def __init__(self, batch: int = BATCH) -> None:
        self.batch = batch
        self._shelves: OrderedDict[str, _Shelf] = OrderedDict()
        self._guard = threading.Lock()

    def take(self, judge: Judge, exercise: Exercise) -> FreshSet:
        """A set that nobody has met and nobody else will; made now where none waits.

        Raises BrokenExercise, BoxLost, JudgeUnavailable.
        """
        shelf = self._shelf(exercise)
        shelf.is_used = True
        while True:
            try:
                return shelf.sets.popleft()
            except IndexError:
                pass
            with shelf.making:  # others who find nothing wait for the same batch
                if shelf.sets:
                    continue
                if shelf.broken:
                    raise shelf.broken.again()
                self._make(judge, exercise, shelf)

    def put(self, exercise: Exercise, sets: Iterable[FreshSet]) -> None:
        """Sets that were drawn elsewhere, to be handed out first."""
        self._shelf(exercise).sets.extend(sets)

    def is_settled(self, exercise: Exercise) -> bool:
        """Whether a set waits, or none ever will: nobody has to wait for one."""
        shelf = self._shelf(exercise)
        return bool(shelf.sets) or shelf.broken is not None

    def forget_fault(self, exercise: Exercise) -> None:
        """Make sets again of what was broken."""
        self._shelf(exercise).broken = None

    def fill(self, judge: Judge, exercise: Exercise) -> None:
        """Make one more batch, unless someone is making one: then wait for that. Raises as `take` does, and so does
        `take` from then on."""
        shelf = self._shelf(exercise)
        had = len(shelf.sets)
        with shelf.making:
            if len(shelf.sets) > had:
                return
            try:
                self._make(judge, exercise, shelf)
            except BrokenExercise as broken:
                shelf.broken = broken.again()
                raise

    def wants(self, exercise: Exercise) -> bool:
        """Whether more sets should be made when there is nothing better to do."""
        shelf = self._shelf(exercise)
        return shelf.broken is None and len(shelf.sets) < min(shelf.most, KEPT if shelf.is_used else LEAST)

    def is_low(self, exercise: Exercise) -> bool:
        """Whether it is submitted to, and the next submissions may soon have to wait for theirs."""
        shelf = self._shelf(exercise)
        return shelf.is_used and len(shelf.sets) < min(LEAST, shelf.most)

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

    def _make(self, judge: Judge, exercise: Exercise, shelf: _Shelf) -> None:
        sets = _sound(judge, exercise, [new_seed() for _ in range(self.batch)])
        shelf.most = max(1, min(KEPT, STOCK_BYTES // max(map(_bytes, sets))))
        shelf.sets.extend(sets)


def _sound(judge: Judge, exercise: Exercise, seeds: Sequence[int]) -> list[FreshSet]:
    """The sets of `seeds`; where the exercise fails on one, another set: no student is charged for that."""
    deadline = time.monotonic() + judge.build_seconds
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
            if tries == TRIES or time.monotonic() > deadline:
                raise


def _drawn(judge: Judge, exercise: Exercise, seeds: Sequence[int]) -> list[FreshSet]:
    """As `draw`; a box that was lost by our fault is replaced, as that of a submission is."""
    for _ in range(BOXES - 1):
        try:
            return draw(judge, exercise, seeds)
        except BoxLost as error:
            log.warning("fresh cases of %s are drawn again: %s", exercise.slug, error)
    return draw(judge, exercise, seeds)


def _bytes(fresh: FreshSet) -> int:
    return len(wire.encode({"cases": [[dict(case.inputs), case.expected] for case in fresh.cases]}))


ON_DEMAND = Stock(batch=1)  # for a process that judges one submission and ends
