"""What the server publishes: exercises that the judge admits.

A state of an exercise that was never judged is judged by the first part of the gate, in the background: its cases are
made, its right answers are accepted, its starters and mistakes are not. What passed is recorded by its hash, in the
database and in the cache, and not judged again. What did not pass gives way to its last proved state, or leaves the
list.
"""

from collections.abc import Callable
from pathlib import Path

from app.reading.catalog import Catalog
from graders.boxes.pool import Judge
from graders.exercise.built import forget_fault
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.fault import Fault
from graders.proof.admitted import Admitted
from graders.proof.gate import admission_faults

TRIES = 2  # a fault must show twice: the machine may only have stood still


class Admission:
    """Asks the judge for the catalog, one exercise at a time; called from the threads of a `Preparer`."""

    def __init__(self, catalog: Catalog, judge: Judge | Callable[[Exercise], list[Fault]], admitted: Admitted) -> None:
        """`judge`: this process's own, or what asks another process for the faults."""
        self._catalog, self._judge, self._admitted = catalog, judge, admitted

    def __call__(self, exercise: Exercise) -> None:
        """Raises BrokenExercise for what is not admitted; JudgeUnavailable, BoxLost."""
        if self._catalog.is_proved(exercise):
            return
        if self._admitted.holds(exercise):
            self._catalog.judged(exercise, [])
            return
        for _ in range(TRIES):
            faults = self._faults_of(exercise)
            if not faults:
                self._admitted.note(exercise)
                break
        self._catalog.judged(exercise, faults)
        if faults:
            raise BrokenExercise(faults[0].path, faults[0].message, faults[0].hint, faults[0].line)

    def _faults_of(self, exercise: Exercise) -> list[Fault]:
        if not isinstance(self._judge, Judge):
            return self._judge(exercise)
        for variant in (exercise, *exercise.others):
            forget_fault(variant)
        return admission_faults(exercise, self._judge, Path())
