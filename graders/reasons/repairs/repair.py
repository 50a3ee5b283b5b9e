"""The one small change to a submission that makes it right, and so says what is wrong with it.

Known from repairing programs by mutation: the program is changed in one place after another (`edits.py`), and each
changed program is called on the cases. One that answers all of them shows the cause, whatever the exercise is about.

    the first wrong case    every changed program is called on it; nearly all fail
    all other cases         the few that are left must answer these too, those that were right among them

It is done in the submission's own box, when its last case is over: nothing follows it there. For a hidden case the
sentence is a fixed one; which one it is tells a few bits, as for `diagnose`.

    attack: changed code that never ends, or eats the box. defence: variants.py counts its lines; beyond that there are
            the box's limits, and WAIT_SECONDS. A box that does not survive this costs a sentence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from graders.boxes.reply import CallOutcome, Odd, Raised, Ran, Returned, variants_read
from graders.boxes.sandbox import Box
from graders.exercise.cases import Case, request_of
from graders.exercise.checker import Checker
from graders.exercise.definition import Exercise
from graders.frameworks import compiles
from graders.reasons.answers import difference
from graders.reasons.repairs.edit import Edit
from graders.reasons.repairs.edits import edits
from graders.reasons.repairs.probes import PROBE, probes
from graders.reasons.repairs.removals import HIDING, removals
from graders.reasons.source.program import Program, read_program

# Of processor time in the box, for one request. Nearly all submissions need far less, so that how fast the machine is
# does not change what a student reads: MAX_EDITS of edits.py is what bounds them.
BUDGET_MS: Mapping[str, int] = {"torch": 150}
COMPILING_BUDGET_MS = 800
DEFAULT_BUDGET_MS = 80
WAIT_SECONDS = 4.0
MAX_CANDIDATES = 12  # that are called on all cases
MAX_CASES = 24
MAX_PROBES = 4
ENOUGH_RIGHT = 3  # right cases that do not set a probe off
MOST_LEFT = 0.4  # of the wrong cases may remain wrong, by a second fault
# Not numbers, operators, names and places, which a case's own sizes may make right.
TOLD_IN_PART = frozenset({
    "dropped", "shared", "shared_rows", "input_changed", "self_missing", "class_for_self", "axis", "axes",
    "axis_missing", "keepdims", "keepdims_extra", "transposed", "not_transposed", "dtype", "call_extra", "exception",
    "truth", "mask_inverted", "few_rounds", "stops_early",
    "made_in_loop", "not_reset", "loop_name", "iterator", "exchanged", "overflow",
})  # fmt: skip
FEW = 4  # different numbers, for which a single case is enough evidence


@dataclass(frozen=True)
class Repairs:
    """One submission whose cases are over. `wrong`: indices into `cases`, samples first."""

    box: Box
    exercise: Exercise
    framework: str
    cases: Sequence[Case]
    outcomes: Mapping[int, CallOutcome]
    wrong: Sequence[int]
    checker: Checker | None

    def first(self, source: str, of_what_is_meant: bool = False) -> Edit | None:
        """The likeliest edit after which every case is right, or at least every sample; None if none is found.
        `of_what_is_meant`: only of the edits that may stand beside a known mistake.

        Raises BoxLost, BrokenExercise where a checker does.
        """
        examined = [n for n in self.wrong if isinstance(self.outcomes.get(n), Returned | Ran | Raised | Odd)]
        if not examined or len(examined) < len(self.wrong):
            return None
        program = read_program(source, self.exercise.entries)
        if program is None:
            return None
        first = examined[0]
        repair = self._best(program, edits(program, self.framework, of_what_is_meant), first)
        if repair is not None and repair.kind in HIDING:
            repair = self._best(program, removals(program, repair), first) or repair
        if (repair is None or not repair.is_whole) and not of_what_is_meant:
            return self._probed(program) or repair
        return repair

    def _best(self, program: Program, found: Sequence[Edit], first: int) -> Edit | None:
        """Of those that make the case `first` right, the first that is proved by the others."""
        answers = self._called([edit.applied(program) for edit in found], [first])
        fitting = [edit for edit, outcomes in zip(found, answers, strict=False) if self._is_right(first, outcomes[:1])]
        fitting.sort(key=lambda edit: edit.rank)
        return self._proved(program, fitting[:MAX_CANDIDATES], first)

    def _probed(self, program: Program) -> Edit | None:
        """The only probe that every wrong case sets off, and hardly a right one."""
        right = [n for n, outcome in self.outcomes.items() if n not in self.wrong and isinstance(outcome, Returned)]
        telling = [n for n in right if self._is_telling(n)]
        if len(telling) < ENOUGH_RIGHT:
            return None
        numbers = [*self.wrong, *telling][:MAX_CASES]
        found = []
        for probe in list(probes(program, self.framework))[:MAX_PROBES]:
            answers = self._called([probe.applied(program)], numbers)
            outcomes = answers[0] if answers else []
            is_set_off = [isinstance(outcome, Raised) and outcome.is_a(PROBE) for outcome in outcomes]
            if len(is_set_off) == len(numbers) and all(is_set_off[: len(self.wrong)]):
                harmless = sum(is_set_off[len(self.wrong) :])
                if harmless * 4 <= len(telling) - harmless >= ENOUGH_RIGHT:
                    found.append(probe)
        return found[0] if len(found) == 1 else None

    def _is_telling(self, n: int) -> bool:
        """Whether something was expected of a case: an empty answer goes past most of a program."""
        expected = self.cases[n].expected
        return bool(expected.size) if isinstance(expected, np.ndarray) else bool(expected)

    def _proved(self, program: Program, candidates: Sequence[Edit], first: int) -> Edit | None:
        """The first candidate that every other case agrees with; else the first that is right in every sample, in most
        of the wrong cases, and in all that were right before."""
        others = [n for n in self.outcomes if n != first]
        others.sort(key=lambda n: (n not in self.wrong, not self.cases[n].sample))
        others = others[: MAX_CASES - 1]
        if not others:
            return candidates[0] if candidates and self._is_rich(first) else None
        most: Edit | None = None
        for edit in candidates:
            answers = self._called([edit.applied(program)], others)
            outcomes = answers[0] if answers else []
            failing = [n for place, n in enumerate(others) if not self._is_right(n, outcomes[place : place + 1])]
            if not failing:
                return edit
            keeps = all(n in self.wrong and not self.cases[n].sample for n in failing)
            if (
                edit.kind in TOLD_IN_PART
                and keeps
                and most is None
                and len(failing) <= MOST_LEFT * len(self.wrong)
                and self._is_rich(first)
            ):
                most = replace(edit, is_whole=False)
        return most

    def _called(self, sources: Sequence[str], numbers: Sequence[int]) -> list[list[CallOutcome]]:
        budget = COMPILING_BUDGET_MS if compiles(self.framework) else BUDGET_MS.get(self.framework, DEFAULT_BUDGET_MS)
        request = {
            "op": "variants",
            "sources": list(sources),
            "inputs": [request_of(self.exercise, self.cases[n].inputs) for n in numbers],
            "entries": [*self.exercise.entries],
            "milliseconds": budget,
        }
        reply = self.box.ask(request, WAIT_SECONDS, self.exercise.limits) if sources else None
        if reply is None or not isinstance(reply.answer, Returned):
            return []
        return variants_read(reply.answer.value)

    def _is_right(self, n: int, outcomes: Sequence[CallOutcome]) -> bool:
        """Whether there is an outcome, and it is right for this case."""
        if not outcomes or not isinstance(outcomes[0], Returned | Ran | Raised):
            return False
        return difference(self.exercise, self.cases[n], outcomes[0], self.checker) is None

    def _is_rich(self, n: int) -> bool:
        """Whether a case's answer is more than a number or a word that could be right by chance."""
        expected = self.cases[n].expected
        arrays = list(expected.values()) if isinstance(expected, dict) else [expected]
        if all(isinstance(array, np.ndarray) for array in arrays):
            return sum(len(np.unique(array.ravel()[:256])) for array in arrays) >= FEW
        return isinstance(expected, list | tuple | dict | str) and len(expected) >= FEW
