"""What the gate found out, as data for a page: cases, right answers, mistakes and surviving mutants.

The words of a check are its faults and findings (gate.py). This is what they are about, with the numbers. It becomes
JSON and is read back as the same types: what cannot be read is a ValueError.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from functools import cache
from itertools import islice
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from graders.boxes.reply import CallOutcome, Ran, Returned, why_not_done
from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.exercise.signature import Type
from graders.inside.wire import SCRIPT
from graders.reasons.arrays import ArrayBlock, NamedArray
from graders.reasons.compare import arrays_of, view
from graders.reasons.script import transcript
from graders.verdict import ArrayView

MAX_BYTES = 768 << 10  # of all arrays' numbers in a report, before base64
MAX_ELEMENTS = 1_024  # of one array
ARRAYS_SHOWN = 6  # of one value


@dataclass(frozen=True)
class ShownValue:
    """An argument or an answer: its text, and its arrays' numbers."""

    name: str
    view: ArrayView
    arrays: tuple[NamedArray, ...] = ()


@dataclass(frozen=True)
class ShownCase:
    name: str
    sample: bool
    inputs: tuple[ShownValue, ...]
    expected: ShownValue
    script: str | None = None


@dataclass(frozen=True)
class Usage:
    """How much of one limit a right answer used. `unit` ends in words: `s for its slowest call`."""

    limit: str
    used: float
    granted: float
    unit: str

    @property
    def share(self) -> float:
        return self.used / self.granted if self.granted else math.inf


@dataclass(frozen=True)
class Answer:
    """The reference or a solution. `share`: of the tolerance that it uses, at most. `text`: why it is not accepted."""

    path: str
    framework: str
    verdict: str
    text: str
    share: float
    usages: tuple[Usage, ...]


@dataclass(frozen=True)
class Mistake:
    """A known mistake: the verdict that it should have and has, and the sentence that a student is told."""

    name: str
    path: str
    framework: str
    declared: str
    verdict: str
    is_recognised: bool
    sentence: str

    @property
    def is_sound(self) -> bool:
        return self.verdict == self.declared and self.is_recognised


@dataclass(frozen=True)
class Telling:
    """An input on which a mutant is not the reference. `snippet`: the case for cases.py; None where none can be
    written down. `actual` None: the mutant gave no value, `outcome` says what it did."""

    inputs: tuple[ShownValue, ...]
    expected: ShownValue
    actual: ShownValue | None
    outcome: str
    snippet: str | None
    script: str | None = None


@dataclass(frozen=True)
class Survivor:
    """A mutant that no case rejects. `beyond`: whether the telling input tells it by more than the tolerance.

    `argument`: the author's, why it must survive.
    """

    line: int
    operator: str
    diff: str
    nearest: str
    share: float
    told_by: str
    beyond: bool
    telling: Telling | None
    argument: str | None = None


@dataclass(frozen=True)
class Equivalent:
    """A mutant that no input told apart."""

    line: int
    operator: str
    diff: str


@dataclass(frozen=True)
class ProofReport:
    """`draws`: on how many inputs, beside the cases, mutants were tried."""

    cases: tuple[ShownCase, ...] = ()
    answers: tuple[Answer, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    survivors: tuple[Survivor, ...] = ()
    argued: tuple[Survivor, ...] = ()
    equivalents: tuple[Equivalent, ...] = ()
    draws: int = 0
    tolerance: str = ""
    findings: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """As JSON; `from_record` is the way back."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: object) -> "ProofReport":
        """Raises ValueError."""
        report: ProofReport = _read(cls, record)
        return report


# ------------------------------------------------------------------ values as they are shown


def shown_cases(exercise: Exercise, cases: Sequence[Case]) -> tuple[ShownCase, ...]:
    """All cases, hidden ones too: for those who wrote them."""
    each = _elements_each(exercise, cases)
    return tuple(shown_case(exercise, case, each) for case in cases)


def shown_case(exercise: Exercise, case: Case, elements: int = MAX_ELEMENTS) -> ShownCase:
    inputs = shown_inputs(exercise, case.inputs, elements)
    return ShownCase(case.name, case.sample, inputs, shown_expected(exercise, case, elements), case.script)


def shown_inputs(exercise: Exercise, inputs: Mapping[str, Any], elements: int = MAX_ELEMENTS) -> tuple[ShownValue, ...]:
    declared = {parameter.name: parameter.parsed for parameter in exercise.signature.parameters}
    return tuple(
        shown(name, value, declared.get(name), elements) for name, value in inputs.items() if name != SCRIPT
    )  # fmt: skip


def shown_expected(exercise: Exercise, case: Case, elements: int = MAX_ELEMENTS) -> ShownValue:
    declared = exercise.signature.parsed_returns if case.script is None and case.error is None else None
    arrays = _arrays(case.expected, declared, elements) if declared is not None else ()
    return ShownValue("returns", case.expected_view, arrays)


def shown_outcome(exercise: Exercise, case: Case, outcome: CallOutcome) -> tuple[ShownValue | None, str]:
    """What a file came to: its value; or, where there is none, what it did, in words."""
    if isinstance(outcome, Returned):
        return shown("returns", outcome.value, exercise.signature.parsed_returns, MAX_ELEMENTS), ""
    if isinstance(outcome, Ran) and case.script is not None:
        text = transcript(case.script, tuple(outcome.steps))
        return ShownValue("returns", ArrayView(None, "script", text)), ""
    return None, f"It {why_not_done(outcome)}."


def shown(name: str, value: Any, declared: Type | None, elements: int) -> ShownValue:
    return ShownValue(name, view(value), _arrays(value, declared, elements) if declared is not None else ())


def _arrays(value: Any, declared: Type, elements: int) -> tuple[NamedArray, ...]:
    try:
        found = [*islice(arrays_of(value, declared), ARRAYS_SHOWN)]
    except (TypeError, AttributeError, KeyError, IndexError):
        return ()  # a value of another type than declared has no place for them
    return tuple(replace(one, block=_cut(one.block, elements)) for one in found)


def _cut(block: ArrayBlock, elements: int) -> ArrayBlock:
    if math.prod(block.size) <= elements:
        return block
    cut = ArrayBlock.of(block.array(), elements)
    return replace(cut, dtype=block.dtype, shape=block.shape)


def _elements_each(exercise: Exercise, cases: Sequence[Case]) -> int:
    values = len(exercise.signature.parameters) + 1
    return max(16, min(MAX_ELEMENTS, MAX_BYTES // (8 * max(1, values * len(cases)))))


# ------------------------------------------------------------------ JSON, and back


def _read(wanted: Any, value: Any) -> Any:
    """`value` as the type that `asdict` and JSON made it of. Raises ValueError."""
    origin = get_origin(wanted)
    if is_dataclass(wanted) and isinstance(wanted, type):
        if not isinstance(value, Mapping) or value.keys() != {one.name for one in fields(wanted)}:
            raise ValueError(wanted.__name__)
        hints = _hints(wanted)
        return wanted(**{name: _read(hints[name], one) for name, one in value.items()})
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise ValueError(value)
        return tuple(_read(get_args(wanted)[0], one) for one in value)
    if origin in (Union, UnionType):
        options = get_args(wanted)
        if value is None and NoneType in options:
            return None
        return _read(next(option for option in options if option is not NoneType), value)
    if wanted is float and type(value) in (int, float):
        return float(value)
    if type(value) is not wanted:
        raise ValueError(value)
    return value


@cache
def _hints(wanted: type) -> Mapping[str, Any]:
    return get_type_hints(wanted)
