"""Why it is wrong, found by calling the student's own function again: what its answer depends on, and what it should.

Called in the box of the submission, after the sample cases and before any hidden input enters it, and only where a
sample is wrong. So a right submission waits for nothing, and what is found here says nothing of hidden cases.

    the same input again         another answer: something is random, or is kept between calls
    two arguments exchanged      the right answer: they are taken the other way round
    an argument changed          the same answer: it is ignored, if those of right samples also stay as they are
    its first or last part       more parts of the answer change than for the reference: something carries over

A finding must hold on each wrong sample that was tried. `BUDGET_MS` bounds the calls' processor time: a
machine that stands still for a moment, or has much to do, must not change what a student reads.
"""

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from graders.boxes.reply import CallOutcome, Ran, Returned, Stopped, outcome_of
from graders.boxes.sandbox import Box
from graders.exercise.cases import Case, request_of
from graders.exercise.definition import Exercise
from graders.exercise.variations import Variation, axis_of, differs, moved
from graders.frameworks import compiles
from graders.reasons.answers import difference
from graders.reasons.pairs import Diagnosis

BUDGET_MS = 40.0
COMPILING_BUDGET_MS = 200.0
MAX_PAIRS = 3
_RANDOM = re.compile(
    r"random|rand[nipe]|normal|uniform|bernoulli|gumbel|dropout|shuffle|permutation|choice|sample|noise"
    r"|nn\.\w+\(|Embedding|Linear|Conv|empty",
    re.I,
)


@dataclass
class Experiments:
    """The calls that are made of one submission's function. `box` is None once a call has ended it."""

    box: Box | None
    exercise: Exercise
    framework: str
    source: str
    spent_ms: float = 0.0  # of work
    waited_seconds: float = 0.0
    wrong: dict[int, CallOutcome] = field(default_factory=dict)
    right: dict[int, CallOutcome] = field(default_factory=dict)

    def finding(
        self,
        cases: Sequence[Case],
        outcomes: Mapping[int, CallOutcome],
        is_wrong: Collection[int],
        variations: Sequence[Variation],
    ) -> Diagnosis | None:
        """What the calls show; None where nothing is sure. `outcomes`: of the samples, by index into `cases`, and which
        of them are wrong.

        Raises BoxLost.
        """
        answered = {n: outcome for n, outcome in outcomes.items() if isinstance(outcome, Returned | Ran)}
        self.wrong = {n: outcome for n, outcome in answered.items() if n in is_wrong}
        self.right = {n: outcome for n, outcome in answered.items() if n not in is_wrong}
        if not self.wrong or len(self.wrong) < len(is_wrong):
            return None
        return (
            self._changes_between_calls(cases)
            or self._exchanged(cases)
            or self._ignored(cases, variations)
            or self._carried_over(cases, variations)
        )

    # ------------------------------------------------------------------ what is tried

    def _changes_between_calls(self, cases: Sequence[Case]) -> Diagnosis | None:
        n, before = next(iter(self.wrong.items()))
        after = self._call(cases[n].inputs)
        if after is None or not _differ(before, after):
            return None
        text = (
            "Called again with the same input, your function gives another answer: something in it is random, such as "
            "dropout that is left on, numbers that are drawn without a seed, or a layer that each call makes."
        )
        if not _RANDOM.search(self.source):
            text = (
                "Called again with the same input, your function gives another answer: it keeps something from one "
                "call to the next, such as a list or a number outside of the function."
            )
        return Diagnosis("changes_between_calls", "", text, text)

    def _exchanged(self, cases: Sequence[Case]) -> Diagnosis | None:
        for first, second in self._pairs(cases):
            if all(self._is_right(cases[n], {first: second, second: first}) for n in self.wrong):
                text = (
                    f"With `{first}` and `{second}` exchanged your answer is right: you take them the other way round."
                )
                return Diagnosis("arguments_exchanged", first, text, text)
        return None

    def _ignored(self, cases: Sequence[Case], variations: Sequence[Variation]) -> Diagnosis | None:
        """Arguments whose every change leaves the student's answer as it was."""
        ignored, heeded = set[str](), set[str]()
        for variation in variations:
            if variation.part != "all" or variation.case not in self.wrong or variation.argument in heeded:
                continue
            after = self._call(variation.inputs(cases[variation.case]))
            if after is None:
                return None
            if _is_nothing(after):  # what is always None, empty or NaN depends on nothing, and that is not the cause
                return None
            same = isinstance(after, Returned) and not _differ(self.wrong[variation.case], after)
            (ignored if same else heeded).add(variation.argument)
        ignored -= heeded
        if not ignored:
            return None
        ignored -= self._heeded_where_right(cases, variations, ignored)
        names = [parameter.name for parameter in self.exercise.signature.parameters if parameter.name in ignored]
        if not names:
            return None
        if len(names) == len(self.exercise.signature.parameters) and len(names) > 1:
            text = "Your output depends on none of the arguments' values: it stays the same whichever of them changes."
        elif len(names) > 1:
            listed = f"{', '.join(f'`{name}`' for name in names[:-1])} and `{names[-1]}`"
            text = f"Your output does not depend on {listed}: it stays the same when their values change."
        else:
            changes = f"when {self._its_value(cases, names[0])} changes"
            text = f"Your output does not depend on `{names[0]}`: it stays the same {changes}."
            if not _is_used(self.source, self.exercise, names[0]):
                text += " Your function never uses it."
        return Diagnosis("argument_ignored", ",".join(names), text, text)

    def _heeded_where_right(
        self, cases: Sequence[Case], variations: Sequence[Variation], ignored: set[str]
    ) -> set[str]:
        """Those of the ignored arguments that change the answer of a sample that is right: so they are ignored only
        under some condition."""
        heeded = set[str]()
        for variation in variations:
            before = self.right.get(variation.case)
            if variation.part != "all" or before is None or variation.argument not in ignored - heeded:
                continue
            after = self._call(variation.inputs(cases[variation.case]))
            if after is not None and _differ(before, after):
                heeded.add(variation.argument)
        return heeded

    def _its_value(self, cases: Sequence[Case], name: str) -> str:
        value = cases[next(iter(self.wrong))].inputs.get(name)
        return "what is in it" if isinstance(value, np.ndarray | list | str) else "its value"

    def _carried_over(self, cases: Sequence[Case], variations: Sequence[Variation]) -> Diagnosis | None:
        """An argument and an axis along which parts of the answer depend on parts of the argument that they should
        not depend on; or do not depend on those that they should."""
        found: dict[tuple[str, str], list[tuple[str, set[int], set[int], int]]] = {}
        for variation in variations:
            n = variation.case
            if variation.part == "all" or n not in self.wrong:
                continue
            axis, before = axis_of(self.exercise, variation.axis), self.wrong[n]
            after = self._call(variation.inputs(cases[n]))
            if axis is None or not isinstance(after, Returned) or not isinstance(before, Returned):
                continue
            if (places := moved(before.value, after.value, axis)) is None or before.value.ndim <= axis:
                continue
            of_axis = found.setdefault((variation.argument, variation.axis), [])
            of_axis.append((variation.part, set(variation.moves), set(places), before.value.shape[axis]))
        kinds = {key: kind for key, seen in found.items() if (kind := _kind(seen)) is not None}
        if len(kinds) != 1:
            return None
        ((argument, axis_name),) = kinds
        text = _SENTENCES[kinds[argument, axis_name]].format(axis=axis_name, argument=argument)
        if re.search(r"\.(reshape|view)\(", self.source):
            text = text.replace(_TAKEN_OVER_ALL, _MIXED)
        return Diagnosis("carried_over", f"{argument},{axis_name}", text, text)

    # ------------------------------------------------------------------ calls

    def _call(self, inputs: Mapping[str, Any]) -> CallOutcome | None:
        """The outcome of one more call; None where the budget is spent or the call ended the box."""
        budget = COMPILING_BUDGET_MS if compiles(self.framework) else BUDGET_MS
        seconds = self.exercise.limits.wall_seconds / 2 - self.waited_seconds
        if self.box is None or self.spent_ms > budget or seconds <= 0:
            return None
        before = self.box.cpu_seconds()
        reply = self.box.ask(request_of(self.exercise, inputs), seconds, self.exercise.limits)
        self.spent_ms += min(reply.wall_ms, (self.box.cpu_seconds() - before) * 1000)
        self.waited_seconds += reply.wall_ms / 1000
        if isinstance(reply.answer, Stopped):
            self.box.close()
            self.box = None
            return None
        return outcome_of(reply)

    def _pairs(self, cases: Sequence[Case]) -> list[tuple[str, str]]:
        """Pairs of arguments that could be taken for each other: both arrays, or both whole numbers, and so on."""
        case = cases[next(iter(self.wrong))]
        if case.script is not None:
            return []
        names = [parameter.name for parameter in self.exercise.signature.parameters if parameter.name in case.inputs]
        alike = [
            (first, second)
            for first, second in combinations(names, 2)
            if type(case.inputs[first]) is type(case.inputs[second])
            and differs(case.inputs[first], case.inputs[second])
        ]
        return alike[:MAX_PAIRS]

    def _is_right(self, case: Case, exchanged: Mapping[str, str]) -> bool:
        inputs = {name: case.inputs[exchanged.get(name, name)] for name in case.inputs}
        outcome = self._call(inputs)
        return isinstance(outcome, Returned) and difference(self.exercise, case, outcome) is None


_TAKEN_OVER_ALL = "something, such as a maximum, a sum or a norm, is taken over all of them."
_MIXED = "something is taken over all of them, such as a maximum or a sum, or a reshape mixes them."
_SENTENCES = {
    "before": "Along {axis}, your answer for one place also depends on the places before it in `{argument}`: something "
    "carries over from one to the next, such as a sum or an array that is not made new for each, or that of the first "
    "is used for all.",
    "after": "Along {axis}, your answer for one place also depends on the places after it in `{argument}`.",
    "all": "Along {axis}, your answer for one place depends on all places of `{argument}`, but should depend on its "
    f"own alone: {_TAKEN_OVER_ALL}",
    "own": "Along {axis}, your answer for one place depends on its own place in `{argument}` alone, but should depend "
    "on others too.",
}


def _kind(seen: Sequence[tuple[str, set[int], set[int], int]]) -> str | None:
    """In which way the student's answer depends on the wrong places: the key of its sentence.

    `seen`: of each variation its part, the places that move for the reference and for the student, and how many there
    are.
    """
    first = [entry for entry in seen if entry[0] == "first"]
    last = [entry for entry in seen if entry[0] == "last"]
    if not first or not last or any(size < 2 for _, _, _, size in seen):
        return None
    if all(right == {0} for _, right, _, _ in first) and all(right == {size - 1} for _, right, _, size in last):
        to_later = all(yours > right for _, right, yours, _ in first)
        to_earlier = all(yours > right for _, right, yours, _ in last)
        alone_first = all(yours <= right for _, right, yours, _ in first)
        alone_last = all(yours <= right for _, right, yours, _ in last)
        if to_later and to_earlier:
            return "all"
        if to_later and alone_last:
            return "before"
        return "after" if to_earlier and alone_first else None
    is_own = all(yours == {0} < right for _, right, yours, _ in first)
    return "own" if is_own and all(yours == {size - 1} < right for _, right, yours, size in last) else None


def _is_nothing(outcome: CallOutcome) -> bool:
    """Whether an answer is None, empty, or nothing but NaN."""
    if not isinstance(outcome, Returned):
        return False
    if isinstance(outcome.value, np.ndarray) and outcome.value.dtype.kind == "f":
        return bool(np.isnan(outcome.value).all())
    return outcome.value is None or (isinstance(outcome.value, list | tuple | dict | str) and not outcome.value)


def _differ(before: CallOutcome, after: CallOutcome) -> bool:
    if isinstance(before, Returned) and isinstance(after, Returned):
        return differs(before.value, after.value)
    if isinstance(before, Ran) and isinstance(after, Ran):
        values = [[content for _, kind, content in steps if kind == "value"] for steps in (before.steps, after.steps)]
        return differs(*values)
    return True


def _is_used(source: str, exercise: Exercise, argument: str) -> bool:
    """Whether the entry point reads the parameter that gets this argument, whatever the student calls it."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    entries = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == exercise.entry]
    place = [parameter.name for parameter in exercise.signature.parameters].index(argument)
    if len(entries) != 1 or place >= len(entries[0].args.args):
        return True
    own = entries[0].args.args[place].arg
    return any(isinstance(node, ast.Name) and node.id == own for node in ast.walk(entries[0]))
