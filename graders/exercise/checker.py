"""`checker.py`: the author's rule where many answers are right.

    def accept(inputs, output, expected):
        return None if … else "The sentence for the student."

attack: an answer that lies about itself; a checker that a student's code has changed.
defence: the checker runs in a box of its own, which has no student's code in it. It gets plain values, no objects, and
         its reply is a sentence or None.
"""

import math
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

from graders.boxes.pool import Judge
from graders.boxes.reply import BoxAnswer, Done, Raised, Returned, why_not_done
from graders.boxes.sandbox import Box, BoxLost
from graders.exercise.cases import Case
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.runs import is_late, load
from graders.text import storable

ENTRY = "accept"
MAX_CHARACTERS = 500
UNREADABLE = "The exercise's checker cannot read your answer: look at its size, and for NaN and infinite numbers."


class Checker:
    """An exercise's checker in its box, which comes up at the first answer. Close it after the submission."""

    def __init__(
        self,
        judge: Judge,
        exercise: Exercise,
        seconds: float = math.inf,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.judge, self.exercise, self._clock = judge, exercise, clock
        self.seconds_left = seconds  # for answers on which it fails
        self.box: Box | None = None

    def __enter__(self) -> "Checker":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        if self.box is not None:
            self.box.close()
            self.box = None

    def sentence(self, case: Case, output: Any) -> str | None:
        """Why the answer is not accepted; None if it is. Raises BrokenExercise, BoxLost, JudgeUnavailable.

        attack: an answer on which the checker fails or takes for ever, so that the exercise seems to be at fault and
                the judge is kept busy.
        defence: a checker that can read the reference's answer is sound, so the fault is the answer's. Such answers
                 may use up the time of one submission; after that the checker is not asked again.
        """
        for is_last in (False, True):
            if self.seconds_left <= 0:
                break
            began = self._clock()
            try:
                return self.ask(case.inputs, output, case.expected, case.name)
            except BrokenExercise as broken:
                self.seconds_left -= self._clock() - began
                self._ask_of_reference(case)
                if is_last or not broken.is_late:
                    break
        return UNREADABLE

    def _ask_of_reference(self, case: Case) -> None:
        """Raises BrokenExercise where the checker cannot read the right answer either. What was stopped is asked once
        more, here and above: the machine may have stood still."""
        try:
            self.ask(case.inputs, case.expected, case.expected, case.name)
        except BrokenExercise as broken:
            if not broken.is_late:
                raise
            self.ask(case.inputs, case.expected, case.expected, case.name)

    def ask(self, inputs: Mapping[str, Any], output: Any, expected: Any, case: str) -> str | None:
        request = {"op": "call", "args": [dict(inputs), output, expected], "seed": 0}
        limits = self.exercise.limits
        try:
            answer = self._box().ask(request, limits.wall_seconds, limits).answer
        except BoxLost:
            self.close()  # if it lives, what it still says would answer the next question
            raise
        match answer:
            case Returned(value=None):
                return None
            case Returned(value=str(sentence)) if sentence.strip():
                return storable(sentence.strip()[:MAX_CHARACTERS])
            case Returned():
                self.close()
                text = f"returns neither None nor a sentence on the case {case!r}"
                raise BrokenExercise("checker.py", text, "return None for a right answer, a sentence for a wrong one")
        self.close()
        text = f"{why_not_done(answer)} on the case {case!r}"
        raise _broken(answer, text, "make it answer for every value of the declared type")

    def _box(self) -> Box:
        if self.box is None:
            source = self.exercise.checker
            assert source is not None
            self.box = self.judge.take("numpy")
            try:
                answer = load(self.box, source.text, [ENTRY], self.exercise, "numpy", parameters=[3]).answer
            except BoxLost:
                self.close()
                raise
            if not isinstance(answer, Done):
                self.close()
                raise _broken(answer, f"does not load: {why_not_done(answer)}", "correct it")
        return self.box


def _broken(answer: BoxAnswer, text: str, hint: str) -> BrokenExercise:
    line = answer.line if isinstance(answer, Raised) else None
    broken = BrokenExercise("checker.py", text, hint, line)
    broken.is_late = is_late(answer)
    return broken


def checker_of(judge: Judge, exercise: Exercise, seconds: float = math.inf) -> Checker | None:
    return Checker(judge, exercise, seconds) if exercise.checker is not None else None
