"""What a file comes to on each case, hidden ones by their names: for those who wrote the cases, never for students."""

import math
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from graders.boxes.pool import Judge
from graders.boxes.reply import CallOutcome, Raised, Ran, Returned, Stopped, why_not_done
from graders.exercise.cases import Case
from graders.exercise.checker import Checker, checker_of
from graders.exercise.definition import Exercise, Source
from graders.exercise.limits import Tolerance
from graders.exercise.runs import run
from graders.proof.tolerance import percent
from graders.reasons.answers import difference, share
from graders.verdict import Mismatch


@dataclass(frozen=True)
class Revealed:
    """`share`: of the tolerance that it uses, infinite for what no tolerance accepts. `text`: a sentence."""

    case: Case
    share: float
    text: str

    @property
    def is_right(self) -> bool:
        return self.share <= 1

    def __str__(self) -> str:
        kind = "sample" if self.case.sample else "fresh" if self.case.fresh else "hidden"
        return f"{kind} case {self.case.name!r}: {self.text}"


def reveal(judge: Judge, exercise: Exercise, source: Source, cases: Sequence[Case]) -> Iterator[Revealed]:
    """Raises BoxLost, JudgeUnavailable."""
    outcomes = run(judge, exercise, source, [case.inputs for case in cases])
    with checker_of(judge, exercise) or nullcontext() as checker:
        for case, outcome in zip(cases, outcomes, strict=True):
            yield revealed(exercise, case, outcome, checker)


def worst_of(
    judge: Judge, exercise: Exercise, cases: Sequence[Case], outcomes: Sequence[CallOutcome]
) -> Revealed | None:
    """The case on which it is wrong, by the most; None where it is right on all."""
    with checker_of(judge, exercise) or nullcontext() as checker:
        found = [revealed(exercise, case, outcome, checker) for case, outcome in zip(cases, outcomes, strict=True)]
    return max((one for one in found if not one.is_right), key=lambda one: one.share, default=None)


def revealed(exercise: Exercise, case: Case, outcome: CallOutcome, checker: Checker | None = None) -> Revealed:
    used = share(exercise, case, outcome, checker)
    if used <= 1:
        return Revealed(case, used, f"Right, at {percent(used)} of the tolerance." if used else "Right.")
    wrong = difference(exercise, case, outcome, checker) if isinstance(outcome, Returned | Ran | Raised) else outcome
    if isinstance(wrong, Mismatch):
        return Revealed(case, used, f"{wrong.text} {_accepting(case.tolerance(exercise), used)}".rstrip())
    if isinstance(wrong, Stopped):
        return Revealed(case, used, wrong.text)
    outcome = wrong if wrong is not None else outcome
    where = f" (line {outcome.line})" if isinstance(outcome, Raised) and outcome.line else ""
    return Revealed(case, used, f"It {why_not_done(outcome)}{where}.")


def _accepting(tolerance: Tolerance, used: float) -> str:
    """The tolerance that would accept it, if any would."""
    if not math.isfinite(used):
        return ""
    rtol, atol = (_rounded_up(one * used) for one in (tolerance.rtol, tolerance.atol))
    return f"That is {used:.3g} times the tolerance: rtol = {rtol:g}, atol = {atol:g} would accept it."


def _rounded_up(number: float) -> float:
    """To two figures."""
    if not number:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(number)) - 1)
    return math.ceil(number / unit) * unit
