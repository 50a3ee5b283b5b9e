"""What waits must not always begin: asked of each grading whose turn it would be, with the queue's lock held."""

from collections.abc import Callable, Iterable

from app.queue.turns import Waiting
from graders.exercise.definition import Exercise
from graders.exercise.preparer import Preparer


class Hold:
    """`preparer`: who builds exercises, and says which are built; None where nothing is judged.

    attack: while a submission is judged, it whispers its fresh inputs to a program outside, which has the reference
            answer them by runs on one's own input, and whispers the answers back.
    defence: such a run begins when all submissions to its exercise that were being judged as it arrived have ended.
            Those that began later meet other inputs (graders/exercise/fresh.py). Of those that another process handed
            out, before this one led, nobody knows when they began: such a run waits for all of them.
    """

    def __init__(self, serving: Callable[[], Iterable[tuple[Waiting, int]]]) -> None:
        self._serving = serving
        self.preparer: Preparer | None = None
        self.elsewhere: set[int] = set()  # people of whom another process judges something
        self.judged_elsewhere: set[str] = set()  # exercises to which another process handed out a submission
        self._unbuilt: dict[int, Exercise] = {}  # by grading

    def until_built(self, grading_id: int, exercise: Exercise) -> None:
        """The grading waits, and holds no worker, until its exercise can be judged by."""
        self._unbuilt[grading_id] = exercise

    def may_begin(self, waiting: Waiting) -> bool:
        if waiting.user_id in self.elsewhere:
            return False
        exercise = self._unbuilt.get(waiting.grading_id)
        if exercise is not None:
            if self.preparer is not None and not self.preparer.is_settled(exercise, waiting.kind):
                self.preparer.want(exercise)  # what was made since has gone to others
                return False
            del self._unbuilt[waiting.grading_id]
        return not (waiting.has_inputs and self._would_answer(waiting))

    def _would_answer(self, run: Waiting) -> bool:
        return run.exercise in self.judged_elsewhere or any(
            served.kind == "submit" and served.exercise == run.exercise and began < run.arrival
            for served, began in self._serving()
        )
