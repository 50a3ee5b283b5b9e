"""What exercises need before the first student comes, made outside of the workers.

attack: an exercise whose reference never ends. A worker that built its cases would be blocked for as long as the limits
        allow, then the next worker, and every page that waits for its samples.
defence: neither pages nor workers build. A grading waits in its queue until its exercise is settled (built, or found to
         be broken), and all others go on. There is one exception: where two workers take the last set of fresh cases
         at once, one of them makes its own, in bounded time.

Its threads:

    preparer    every exercise in turn: expected outputs, what JAX is likely to compile, the outcomes of known mistakes;
                what is new or has changed goes first
    author      the cases of what is new or has changed, which somebody looks at as they save: a tenth of a second,
                beside steps of another exercise, or of an earlier save, that may take many
    builder     the exercises that a grading waits for, with fresh cases; two threads, so that a slow exercise does not
                hold up the next
    stocker     sets of fresh cases, between one submission and the next
"""

import logging
import subprocess
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence

from graders.boxes.keeper import JudgeUnavailable
from graders.boxes.patience import PatientJudge, Stale
from graders.boxes.pool import Judge
from graders.boxes.sandbox import BoxLost
from graders.boxes.warmth import FILL_SECONDS, NICE, NICEST, Call, at_common_sizes
from graders.exercise.built import cases_at_hand, cases_of, draws_any, forget_fault, is_built, mistakes_of
from graders.exercise.cases import warmth_of
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.fresh import Stock
from graders.exercise.variations import variations_of

AGAIN_SECONDS = 300.0  # after which a broken exercise is tried again: this machine may only have been busy
BUILDERS = 2
STOCK_SECONDS = 0.25  # between two checks for missing sets
BUSY_SECONDS = 0.25  # between two looks at an exercise that a builder is at work on

log = logging.getLogger("lectern.preparer")


class Preparer:
    """Builds what `exercises` need, and the exercises that `want` names. A broken exercise is logged and skipped.

    `on_settled` is called from another thread whenever a wanted exercise is settled. `admit` is called, from another
    thread too, once the cases of an exercise have been made, or cannot be; it raises BrokenExercise where the exercise
    must not be published. `on_built` is called, likewise, as soon as the cases of an exercise are at hand.
    """

    def __init__(
        self,
        exercises: Iterable[Exercise],
        judge: Judge,
        stock: Stock | None = None,
        on_settled: Callable[[], None] = lambda: None,
        admit: Callable[[Exercise], None] = lambda exercise: None,
        on_built: Callable[[Exercise], None] = lambda exercise: None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.exercises, self.judge, self.stock = tuple(exercises), judge, stock or Stock()
        self._on_settled, self._admit, self._on_built, self._clock = on_settled, admit, on_built, clock
        self._wanted: OrderedDict[str, Exercise] = OrderedDict()
        self._busy: set[str] = set()  # by judging hash: what the threads are working on
        self._tried_at: dict[str, float] = {}  # by judging hash: when building failed
        self._changed = threading.Condition()
        self._stopping, self._is_prepared = threading.Event(), threading.Event()
        self._compiling: subprocess.Popen[bytes] | None = None
        self._compiling_common: subprocess.Popen[bytes] | None = None  # the same, where nobody waits for it
        self._due = deque(self._steps_of(self.exercises))
        self._unhurried: deque[Exercise] = deque()  # what is compiled for them only once all are prepared
        self._new: list[Exercise] = []  # their cases are not made yet; the other steps come after
        self._threads = [
            threading.Thread(target=run, name=name, daemon=True)
            for name, run in (
                ("preparer", self._prepare),
                ("author", self._prepare_new),
                *[("builder", self._build)] * BUILDERS,
                ("stocker", self._keep_stock),
            )
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self, seconds: float = 5.0) -> None:
        with self._changed:
            self._stopping.set()
            self._changed.notify_all()
        compiling = self._compiling
        if compiling:
            compiling.kill()
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, deadline - time.monotonic()))

    def wait_until_prepared(self, seconds: float) -> bool:
        """Whether nothing is left to be made ahead, at the latest after so long."""
        return self._is_prepared.wait(seconds)

    def is_settled(self, exercise: Exercise, kind: str = "submit") -> bool:
        """Whether a submission to it can be judged, or refused as broken, without waiting. A run needs no fresh
        cases."""
        tried_at = self._tried_at.get(exercise.judging_hash)
        if tried_at is not None:
            return self._clock() < tried_at + AGAIN_SECONDS
        if not is_built(self.judge, exercise):
            return False
        return kind != "submit" or self.stock.is_settled(exercise) or not draws_any(self.judge, exercise)

    def want(self, exercise: Exercise) -> None:
        """Build it as soon as possible: a grading waits for it."""
        with self._changed:
            self._wanted[exercise.judging_hash] = exercise
            self._changed.notify_all()

    def replace(self, exercises: Iterable[Exercise]) -> None:
        """From now on these are all. What is new among them is prepared, before what still waits from the start; what
        has gone is left as it is. A state is new if it was read again, though its files may be as they were."""
        with self._changed:
            known = {id(exercise) for exercise in self.exercises}
            self.exercises = tuple(exercises)
            new = [exercise for exercise in self.exercises if id(exercise) not in known]
            for exercise in new:
                if self._tried_at.pop(exercise.judging_hash, None) is not None:
                    forget_fault(exercise)
                    self.stock.forget_fault(exercise)
            self._new.extend(new)
            if new:
                self._is_prepared.clear()
                if (compiling := self._compiling_common) is not None:
                    compiling.kill()  # nobody waits for it; its exercise has another turn
            self._changed.notify_all()

    # ------------------------------------------------------------------ every exercise, in turn

    def _prepare(self) -> None:
        while (due := self._next_due()) is not None:
            exercise, prepare = due
            if prepare == self._compile_common:  # no builder has to wait for it, and nothing depends on it
                try:
                    prepare(exercise)
                except Exception:
                    log.exception("%s is not compiled at common sizes", exercise.slug)
            elif self._begin(exercise):
                try:
                    self._attempt(exercise, prepare)
                finally:
                    self._end(exercise)
            else:  # a builder is at work on it: the others first
                with self._changed:
                    self._due.append(due)
                    self._changed.wait(BUSY_SECONDS)

    def _steps_of(self, exercises: Sequence[Exercise]) -> list[tuple[Exercise, Callable[[Exercise], None]]]:
        steps = (self._prepare_cases, self._prepare_boxes, self._admit, self._prepare_mistakes, self._prepare_cache)
        return [(exercise, prepare) for prepare in steps for exercise in exercises]

    def _next_due(self) -> tuple[Exercise, Callable[[Exercise], None]] | None:
        """Waits for the next; None when this ends."""
        with self._changed:
            while not self._stopping.is_set():
                while self._due:
                    exercise, prepare = self._due.popleft()
                    if self._is_current(exercise):
                        return exercise, prepare
                if not self._new:
                    self._is_prepared.set()
                    while self._unhurried:
                        if self._is_current(exercise := self._unhurried.popleft()):
                            return exercise, self._compile_common
                self._changed.wait()
        return None

    def _is_current(self, exercise: Exercise) -> bool:
        return any(exercise is current for current in self.exercises)

    def _begin(self, exercise: Exercise) -> bool:
        """Reserve it for this thread; False when another works on it. Two would wait for each other without an end."""
        with self._changed:
            if exercise.judging_hash in self._busy:
                return False
            self._busy.add(exercise.judging_hash)
            return True

    def _end(self, exercise: Exercise) -> None:
        with self._changed:
            self._busy.discard(exercise.judging_hash)
            self._changed.notify_all()

    def _attempt(self, exercise: Exercise, prepare: Callable[[Exercise], None]) -> bool:
        """Run `prepare`. Returns whether it succeeded; a failure is logged, and nobody waits for a while."""
        try:
            prepare(exercise)
        except BrokenExercise as broken:
            log.error("%s is broken: %s", exercise.slug, broken)
        except (BoxLost, JudgeUnavailable) as error:
            if not self._stopping.is_set():
                log.warning("%s is not prepared: %s", exercise.slug, error)
        except Exception:  # what waits for it is judged all the same, and tells; this thread goes on for the others
            log.exception("%s is not prepared", exercise.slug)
        else:
            return True
        self._tried_at[exercise.judging_hash] = self._clock()
        return False

    def _prepare_cases(self, exercise: Exercise) -> None:
        try:
            cases_of(self.judge, exercise)
        except BrokenExercise:
            self._admit(exercise)
            raise
        self._on_built(exercise)

    def _prepare_mistakes(self, exercise: Exercise) -> None:
        mistakes_of(self.judge, exercise)
        variations_of(self.judge, exercise)

    def _prepare_boxes(self, exercise: Exercise) -> None:
        """The calls that the exercise declares: compile them, and have the parked boxes make them."""
        warmth = warmth_of(exercise, cases_of(self.judge, exercise))
        if warmth is not None and warmth.calls:
            self._compile(warmth.calls, warmth.wide)
            self.judge.expect(warmth)

    def _prepare_cache(self, exercise: Exercise) -> None:
        """The usual calls on the exercise's arrays: compile them into the cache on disk, last of all."""
        warmth = warmth_of(exercise, cases_of(self.judge, exercise))
        if warmth is not None:
            self._compile(warmth.fill, warmth.wide)
            if exercise.warm:
                self._unhurried.append(exercise)

    def _compile_common(self, exercise: Exercise) -> None:
        """The declared calls at common sizes, which a hidden case may have: tens of seconds, for which nobody waits."""
        for calls in at_common_sizes(exercise.warm):
            self._compile(calls, exercise.signature.is_wide, is_common=True)
            with self._changed:
                if self._new or self._due:
                    self._unhurried.append(exercise)  # the declarations that are done are kept
                    return

    def _compile(self, calls: Sequence[Call], wide: bool, is_common: bool = False) -> None:
        compiled = self.judge.compiled
        if compiled is None:
            return
        try:
            self._compiling = compiled.fill(calls, wide, NICEST if is_common else NICE)
        except OSError as error:  # it would only have been quicker
            log.warning("nothing is compiled ahead: %s", error)
        if self._compiling is None:
            return
        try:
            with self._changed:
                self._compiling_common = self._compiling if is_common else None
                is_unwanted = self._stopping.is_set() or (is_common and bool(self._new or self._due))
            if is_unwanted:  # closed, or changed, while this process started
                self._compiling.kill()
            if self._compiling.wait(FILL_SECONDS) == 0:
                compiled.filled(calls, wide)
        except subprocess.TimeoutExpired:
            log.warning("compiling ahead took more than %g s", FILL_SECONDS)
            self._compiling.kill()
            self._compiling.wait()
        finally:
            self._compiling = self._compiling_common = None

    # ------------------------------------------------------------------ what has changed

    def _prepare_new(self) -> None:
        while (exercise := self._next_new()) is not None:
            try:
                self._attempt(exercise, self._prepare_cases)
            finally:
                with self._changed:
                    self._due.extendleft(reversed(self._steps_of([exercise])[1:]))
                    self._new = [other for other in self._new if other is not exercise]
                self._end(exercise)

    def _next_new(self) -> Exercise | None:
        """Waits for the next that no other thread is at work on; None when this ends. It stays among the new until its
        cases are made."""
        with self._changed:
            while not self._stopping.is_set():
                count = len(self._new)
                self._new = [exercise for exercise in self._new if self._is_current(exercise)]
                if len(self._new) < count:
                    self._changed.notify_all()  # the preparer may have waited for what is gone
                free = next((exercise for exercise in self._new if exercise.judging_hash not in self._busy), None)
                if free is not None:
                    self._busy.add(free.judging_hash)
                    return free
                self._changed.wait()
        return None

    # ------------------------------------------------------------------ what gradings wait for

    def _build(self) -> None:
        while (exercise := self._next_wanted()) is not None:
            try:
                self._settle(exercise)
            finally:
                self._end(exercise)
            self._on_settled()
            if cases_at_hand(self.judge, exercise) is not None:
                self._attempt(exercise, self._admit)

    def _settle(self, exercise: Exercise) -> None:
        if self._tried_at.pop(exercise.judging_hash, None) is not None:
            forget_fault(exercise)
            self.stock.forget_fault(exercise)
        if self._attempt(exercise, self._prepare_cases):
            self._attempt(exercise, self._prepare_mistakes)
            if not self.is_settled(exercise):
                self._attempt(exercise, self._fill)

    def _next_wanted(self) -> Exercise | None:
        with self._changed:
            while not self._stopping.is_set():
                free = next((key for key in self._wanted if key not in self._busy), None)
                if free is not None:
                    self._busy.add(free)
                    return self._wanted.pop(free)
                self._changed.wait()
        return None

    # ------------------------------------------------------------------ fresh cases

    def _keep_stock(self) -> None:
        while not self._stopping.wait(STOCK_SECONDS):
            for exercise in self.exercises:
                if self._stopping.is_set():
                    return
                if self._is_due_again(exercise):
                    self.want(exercise)
                elif self._should_fill(exercise):
                    try:
                        self._attempt(exercise, self._fill_between)
                    except Stale:
                        return
                    self._on_settled()

    def _is_due_again(self, exercise: Exercise) -> bool:
        """Whether it failed a while ago: nobody may be able to ask for it, since it is not published."""
        return self._is_prepared.is_set() and exercise.judging_hash in self._tried_at and not self.is_settled(exercise)

    def _should_fill(self, exercise: Exercise) -> bool:
        if not self.stock.wants(exercise) or cases_at_hand(self.judge, exercise) is None:
            return False
        if exercise.judging_hash in self._tried_at and self.is_settled(exercise):
            return False  # it failed a short while ago
        if self.stock.is_low(exercise):
            return True
        return self._is_prepared.is_set() and (self.judge.is_idle() or self.stock.is_running_down(exercise))

    def _fill_between(self, exercise: Exercise) -> None:
        """Make a batch, and give way to submissions before each question, unless the stock is urgent. Raises Stale when
        this closes."""
        self.stock.fill(PatientJudge(self.judge, self._stopping.is_set, self.stock.is_urgent, spare=False), exercise)

    def _fill(self, exercise: Exercise) -> None:
        self.stock.fill(self.judge, exercise)
