"""A box's reply, as types: decoded and checked once, and then matched everywhere.

attack: a field that no reply has, a text for a number, line number one million, an answer to another kind of question.
defence: an envelope becomes one of these types, or it is not a reply. Each question accepts only the answers that fit
         it. Texts are cut to a readable length, and can be stored and shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, assert_never, get_args

from graders.boxes.where import NOWHERE, Where
from graders.frameworks import FRAMEWORKS
from graders.inside import wire
from graders.text import storable

TEXT_CHARACTERS = 8_192  # of any text in it
TRACE_CHARACTERS = 300 << 10  # of a trace, which is read further in trace.py
NAME_CHARACTERS = 100
LINES = 1 << 20  # mutants: a source that is judged has 64 KiB, so fewer lines than any of these


@dataclass(frozen=True)
class Done:
    """The module is loaded, or the box is warm."""


@dataclass(frozen=True)
class Returned:
    """`changed`: the places of the arguments that the call wrote into; `arrays`: the frameworks of the arrays in the
    value, as the box says (a student can have it say otherwise, and gains nothing)."""

    value: Any
    changed: tuple[int, ...] = ()
    arrays: tuple[str, ...] = ()


@dataclass(frozen=True)
class Raised:
    """An exception. `traceback` has the student's own frames, `line` is the last one's. `memory`: memory ran out.
    `part`: in a cell, the number of the source that raised it. `bases`: the classes that its type is derived from."""

    type: str
    message: str = ""
    line: int | None = None
    traceback: str | None = None
    memory: bool = False
    part: int | None = None
    bases: tuple[str, ...] = ()

    def is_a(self, name: str) -> bool:
        """Whether it is an exception of this class, or of one derived from it."""
        return name == self.type or name in self.bases


Step = tuple[int, str, Any]  # the line; "value", "odd" or "raised"; the value, what it is, or the exception's facts


@dataclass(frozen=True)
class Ran:
    """A script's steps: one for each expression statement that was run, and one for an exception, which ends it."""

    steps: tuple[Step, ...]

    def error(self) -> Raised | None:
        """The exception that ended it."""
        return raised_from(self.steps[-1][2]) if self.steps and self.steps[-1][1] == "raised" else None


@dataclass(frozen=True)
class Odd:
    """The value returned cannot cross the wall; `text` names it: “a generator”."""

    text: str


@dataclass(frozen=True)
class ReturnTooLarge:
    """The value returned is larger than its limit."""


@dataclass(frozen=True)
class TraceTooSlow:
    """The tracer ended the call because its time was over."""


@dataclass(frozen=True)
class Unreadable:
    """Python cannot compile the source."""

    type: str
    message: str
    line: int | None
    part: int | None = None


@dataclass(frozen=True)
class Missing:
    """The entry point `name` is not defined; `defined` are the functions that are."""

    defined: tuple[str, ...]
    name: str = ""


@dataclass(frozen=True)
class Misplaced:
    """The entry point is not at the top level, but in a `place`: method, class, function, main or branch."""

    place: str
    name: str
    line: int | None


@dataclass(frozen=True)
class Uncallable:
    """The entry point does not accept the arguments; `signature` is the student's."""

    signature: str
    message: str
    line: int | None


@dataclass(frozen=True)
class Disallowed:
    """The source breaks a rule of `[source]`: `message` is the exercise's sentence about it."""

    message: str
    line: int | None


@dataclass(frozen=True)
class Stopped:
    """The box ended because of the submission: `reason` is a verdict's name, `text` says how. `where`: at a time limit,
    where it was, if it was asked; not a part of what happened, which is the same elsewhere."""

    reason: str
    text: str
    where: Where = field(default=NOWHERE, compare=False)


Unloadable = Unreadable | Disallowed | Missing | Misplaced | Uncallable
CallOutcome = Returned | Ran | Raised | Odd | ReturnTooLarge | TraceTooSlow | Unloadable | Stopped  # of a call
BoxAnswer = Done | CallOutcome


@dataclass(frozen=True)
class Reply:
    """The result of one request. Time in milliseconds of wall clock. `trace`: the report of a traced call, not yet
    checked."""

    answer: BoxAnswer
    wall_ms: float
    prints: str = ""
    prints_cut: bool = False
    trace: str | None = field(default=None, repr=False)


_BY_NAME: Mapping[str, type[CallOutcome]] = {outcome.__name__: outcome for outcome in get_args(CallOutcome)}
# The answers that each question may have.
_FITTING: Mapping[str, tuple[type, ...]] = {
    "load": (Done, Raised, Unreadable, Disallowed, Missing, Misplaced, Uncallable),
    "call": (Returned, Raised, Odd, ReturnTooLarge),
    "calls": (Returned, Raised),
    "script": (Ran, Raised, ReturnTooLarge),
    "trace": (Returned, Ran, Raised, Odd, ReturnTooLarge, TraceTooSlow),
    "warm": (Done, Raised),
    "cases": (Returned, Raised, Missing),
    "cell": (Returned, Raised, Odd, ReturnTooLarge, Unreadable),
    "variants": (Returned, Raised, ReturnTooLarge),
}
_RAISED = {"bases": list, "type": str, "message": str, "line": int, "traceback": str, "memory": bool}
_PROBLEM = {"reason": str, "type": str, "message": str, "line": int, "yours": str, "defined": list}
_ENVELOPE = {"n": int, "ok": bool, "value": bool, "steps": bool, "odd": str,
             "too_large": str, "raised": _RAISED, "problem": _PROBLEM,
             "trace": str, "too_slow": bool, "changed": list, "arrays": list, "part": int}  # fmt: skip


def read_envelope(envelope: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an envelope, each of its declared type, without those that are None. Raises WireError."""
    return _shaped(envelope, _ENVELOPE)


def read_answer(operation: str, envelope: Mapping[str, Any], value: Any) -> BoxAnswer:
    """The answer to a question of this kind, from an envelope that `read_envelope` has checked. Raises WireError."""
    answer = _answer(envelope, value)
    if not isinstance(answer, _FITTING[operation]):
        raise wire.WireError("an answer to another kind of question")
    return answer


def _answer(envelope: Mapping[str, Any], value: Any) -> BoxAnswer:
    part = envelope.get("part")
    match envelope:
        case {"raised": raised}:
            return _raised(raised, part)
        case {"problem": problem}:
            return _unloadable(problem, part)
        case {"too_slow": True}:
            return TraceTooSlow()
        case {"too_large": _}:
            return ReturnTooLarge()
        case {"odd": text}:
            return Odd(text)
        case {"value": True, "steps": True}:
            return Ran(_steps(value))
        case {"value": True}:
            changed = envelope.get("changed", [])
            places = tuple(int(place) for place in changed if place.isascii() and place.isdecimal())
            return Returned(value, places, tuple(name for name in envelope.get("arrays", []) if name in FRAMEWORKS))
        case {"ok": True}:
            return Done()
    raise wire.WireError("a reply that answers nothing")


def _raised(facts: Mapping[str, Any], part: int | None = None) -> Raised:
    return Raised(
        facts.get("type") or "Exception",
        facts.get("message", ""),
        facts.get("line"),
        facts.get("traceback") or None,
        facts.get("memory", False),
        part,
        tuple(facts.get("bases", [])),
    )


def raised_from(facts: Any) -> Raised:
    """The exception of a script's last step. Raises WireError for anything else."""
    if type(facts) is not dict:
        raise wire.WireError("an exception without facts")
    return _raised(_shaped(facts, _RAISED))


def variants_read(value: Any) -> list[list[CallOutcome]]:
    """The outcomes of each changed source on each input, from the value of an answer; none where it is malformed."""
    if type(value) is not list or not all(type(answers) is list for answers in value):
        return []
    try:
        return [[_of_variant(answer) for answer in answers] for answers in value]
    except wire.WireError:
        return []


def _of_variant(answer: Any) -> CallOutcome:
    match answer:
        case ("value", content):
            return Returned(content)
        case ("steps", content):
            return Ran(_steps(content))
        case ("odd", None):
            return Odd("")
        case ("raised", [str(), *_] as names) if all(type(name) is str for name in names):
            kept = [storable(name[:NAME_CHARACTERS]) for name in names]
            return Raised(kept[0], "", None, None, False, None, tuple(kept))
    raise wire.WireError("a variant of another form")


def _steps(value: Any) -> tuple[Step, ...]:
    if type(value) is not list:
        raise wire.WireError("steps that are no list")
    return tuple(map(_step, value))


def _step(value: Any) -> Step:
    """attack: an exception without a type, or with texts that cannot be stored.
    defence: what a step holds is read field by field, as the same facts in an envelope are.
    """
    match value:
        case (int(line), "value", content) if 0 < line < LINES:
            return line, "value", content
        case (int(line), "odd", str(text)) if 0 < line < LINES:
            return line, "odd", storable(text[:TEXT_CHARACTERS])
        case (int(line), "raised", dict(facts)) if 0 < line < LINES:
            return line, "raised", {"type": "Exception", "message": "", **_shaped(facts, _RAISED)}
    raise wire.WireError("a step of another form")


def _unloadable(problem: Mapping[str, Any], part: int | None) -> Unloadable:
    message, line = problem.get("message", ""), problem.get("line")
    match problem.get("reason"):
        case "syntax":
            return Unreadable(problem.get("type") or "SyntaxError", message, line, part)
        case "rule":
            return Disallowed(message, line)
        case "missing":
            return Missing(tuple(problem.get("defined", [])[:8]), message)
        case "misplaced":
            return Misplaced(problem.get("type", ""), message, line)
        case "signature":
            return Uncallable(problem.get("yours", ""), message, line)
    raise wire.WireError("a problem without a reason")


def _shaped(envelope: Mapping[str, Any], shape: Mapping[str, Any]) -> dict[str, Any]:
    fields_read: dict[str, Any] = {}
    for name, value in envelope.items():
        declared = shape.get(name)
        if declared is None:
            raise wire.WireError("a field that no reply has")
        if value is None:
            continue
        if isinstance(declared, Mapping) and type(value) is dict:
            fields_read[name] = _shaped(value, declared)
        elif type(value) is not declared:
            raise wire.WireError("a field of another type")
        elif declared is str:
            fields_read[name] = storable(value[: TRACE_CHARACTERS if name == "trace" else TEXT_CHARACTERS])
        elif declared is list:
            fields_read[name] = [storable(item[:NAME_CHARACTERS]) for item in value if type(item) is str]
        elif name == "line":
            if 0 < value < LINES:
                fields_read[name] = value
        else:
            fields_read[name] = value
    return fields_read


def outcome_of(reply: Reply) -> CallOutcome:
    """The outcome of a call. `Done` is not one."""
    assert not isinstance(reply.answer, Done)
    return reply.answer


def is_out_of_memory(outcome: CallOutcome) -> bool:
    error = outcome.error() if isinstance(outcome, Ran) else outcome
    return isinstance(error, Raised) and error.memory


def ended_by(outcome: CallOutcome) -> str | None:
    """The verdict's name if the outcome decides it alone; None for Returned, Ran, Raised and Odd."""
    match outcome:
        case Stopped():
            return outcome.reason
        case ReturnTooLarge():
            return "output_limit"
        case TraceTooSlow():
            return "time_limit"
        case Unreadable() | Disallowed() | Missing() | Misplaced() | Uncallable():
            return "invalid_submission"
        case Returned() | Ran() | Raised() | Odd():
            return None
        case _:
            assert_never(outcome)


def pack(outcome: CallOutcome) -> list[Any]:
    """The outcome as plain values for the wire format; `unpack` reverses it."""
    return [
        type(outcome).__name__,
        {item.name: getattr(outcome, item.name) for item in fields(outcome) if item.compare},
    ]


def unpack(packed: Any) -> CallOutcome:
    """Raises ValueError, KeyError or TypeError for what `pack` did not make."""
    name, values = packed
    return _BY_NAME[name](**values)


def why_not_done(answer: BoxAnswer) -> str | None:
    """What went wrong, in words for the author of a file that was loaded or called; None where nothing did."""
    match answer:
        case Done() | Returned() | Ran():
            return None
        case Stopped():
            return answer.text
        case Raised():
            return f"raises {answer.type}: {answer.message}"
        case Unreadable():
            return f"cannot be read by Python: {answer.message}"
        case Missing():
            return "lacks the function"
        case Misplaced():
            return f"has the function inside the {answer.place} {answer.name}"
        case Uncallable():
            return answer.message
        case Disallowed():
            return f"breaks [source] of exercise.toml: {answer.message}"
        case Odd():
            return f"returns {answer.text}"
        case ReturnTooLarge():
            return "returns more than it may"
        case TraceTooSlow():
            return "takes too long"
        case _:
            assert_never(answer)
