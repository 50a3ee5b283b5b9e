"""What exercises need before the first student comes, made by workers for a web process without a judge.

The same as graders/exercise/preparer.py promises to pages: they wait for nothing, and show what is at hand. What
students' submissions need is prepared by the workers themselves (workshop.py).
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable

import structlog

from app.queue.elsewhere import Elsewhere
from graders.boxes.keeper import JudgeUnavailable
from graders.boxes.sandbox import BoxLost
from graders.cell import Busy
from graders.exercise.built import cases_at_hand, forget_fault, is_broken, mistakes_at_hand
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.preparer import AGAIN_SECONDS

log = structlog.get_logger("lectern.queue")

THREADS = 2
BUSY_SECONDS = 1.0  # after which workers that were busy, or not there, are asked again
LOST_SECONDS = 5.0


class RemotePreparer:
    """Has workers make the cases of `exercises`, and of those that `want` names, and has each admitted.

    `admit` and `on_built` are called from other threads, as a `Preparer` calls them.
    """

    def __init__(
        self,
        exercises: Iterable[Exercise],
        elsewhere: Elsewhere,
        admit: Callable[[Exercise], None],
        on_built: Callable[[Exercise], None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._elsewhere, self._admit, self._on_built, self._clock = elsewhere, admit, on_built, clock
        self._due: OrderedDict[int, Exercise] = OrderedDict((id(exercise), exercise) for exercise in exercises)
        self._all = dict(self._due)  # keeps them, so that no other has the id of one of them
        self._busy: set[str] = set()  # by judging hash
        self._not_before: dict[str, float] = {}  # by judging hash
        self._changed = threading.Condition()
        self._stopping = False
        self._threads = [
            threading.Thread(target=self._run, name="lectern-preparing", daemon=True) for _ in range(THREADS)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self, seconds: float = 5.0) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, deadline - time.monotonic()))

    def want(self, exercise: Exercise) -> None:
        """Somebody looks at it: it is next."""
        with self._changed:
            if exercise.judging_hash not in self._busy:
                self._due[id(exercise)] = exercise
                self._due.move_to_end(id(exercise), last=False)
                self._changed.notify()

    def replace(self, exercises: Iterable[Exercise]) -> None:
        """From now on these are all. What is new among them is next."""
        with self._changed:
            before, self._all = self._all, {id(exercise): exercise for exercise in exercises}
            new = {key: exercise for key, exercise in self._all.items() if key not in before}
            left = {key: exercise for key, exercise in self._due.items() if key in self._all or key not in before}
            self._due = OrderedDict({**new, **left})
            for exercise in new.values():
                self._not_before.pop(exercise.judging_hash, None)
                forget_fault(exercise)
            self._changed.notify_all()

    def is_settled(self, _exercise: Exercise, _kind: str) -> bool:
        """Nothing waits here for an exercise to be built: each worker builds what it is handed."""
        return True

    # ---- its threads ----

    def _run(self) -> None:
        while (exercise := self._next()) is not None:
            again_in = self._prepare(exercise)
            with self._changed:
                self._busy.discard(exercise.judging_hash)
                if again_in is not None:
                    self._not_before[exercise.judging_hash] = self._clock() + again_in
                    self._due[id(exercise)] = exercise
                self._changed.notify_all()

    def _next(self) -> Exercise | None:
        with self._changed:
            while not self._stopping:
                now = self._clock()
                waits = {key: self._not_before.get(one.judging_hash, 0.0) - now for key, one in self._due.items()}
                free = (key for key, one in self._due.items() if waits[key] <= 0 and one.judging_hash not in self._busy)
                if (key := next(free, None)) is not None:
                    exercise = self._due.pop(key)
                    self._busy.add(exercise.judging_hash)
                    return exercise
                self._changed.wait(min((wait for wait in waits.values() if wait > 0), default=None))
        return None

    def _prepare(self, exercise: Exercise) -> float | None:
        """Returns after how many seconds it is tried again; None: it is done."""
        try:
            self._make(exercise)
        except BrokenExercise as broken:
            log.error("exercise_broken", exercise=exercise.slug, reason=str(broken))
            return AGAIN_SECONDS
        except (Busy, JudgeUnavailable):
            return BUSY_SECONDS
        except BoxLost as lost:
            if not self._stopping:
                log.warning("exercise_not_prepared", exercise=exercise.slug, reason=str(lost), remedy="trying again")
            return LOST_SECONDS
        except Exception:  # of the database, say: a thread that ended here would prepare nothing more
            log.exception("exercise_not_prepared", exercise=exercise.slug)
            return LOST_SECONDS
        return None

    def _make(self, exercise: Exercise) -> None:
        shelf = self._elsewhere.shelf
        if cases_at_hand(shelf, exercise) is None:
            try:
                self._elsewhere.build(exercise, again=is_broken(exercise))
            except BrokenExercise:
                self._admit(exercise)
                raise
        self._on_built(exercise)
        self._admit(exercise)
        if exercise.mistakes and mistakes_at_hand(shelf, exercise) is None:
            self._elsewhere.build_mistakes(exercise)
