"""What a box said, as types: decoded and checked once, and matched by everyone after.

attack: a field that no reply has, a number that is a text, a line of a million, an answer to another kind of question.
defence: an envelope becomes one of these or it is no reply, and each question has the answers that fit it. A text is
         as long as anybody reads, and can be stored and shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, assert_never, get_args

from graders.inside import wire
from graders.text import storable

TEXT_CHARACTERS = 8_192  # of any text in it
TRACE_CHARACTERS = 300 << 10  # of a trace, which is read further in trace.py
NAME_CHARACTERS = 100
LINES = 1 << 20


@dataclass(frozen=True)
class Done:
    """It was loaded, or is warm."""


@dataclass(frozen=True)
class Returned:
    """`changed`: the places of the arguments that the call wrote into."""

    value: Any
    changed: tuple[int, ...] = ()


@dataclass(frozen=True)
class Raised:
    """An exception: the student's own frames as `traceback`, the last of them at `line`. `memory`: there was none left.
    `part`: of a cell, the number of the source that raised it."""

    type: str
    message: str = ""
    line: int | None = None
    traceback: str | None = None
    memory: bool = False
    part: int | None = None


@dataclass(frozen=True)
class Odd:
    """What was returned is nothing that crosses the wall; `text` names it: “a generator”."""

    text: str


@dataclass(frozen=True)
class ReturnTooLarge:
    """What was returned is larger than its limit."""


@dataclass(frozen=True)
class TraceTooSlow:
    """A traced call was ended by its tracer, which had no time left."""


@dataclass(frozen=True)
class Unreadable:
    """Python cannot compile the source."""

    type: str
    message: str
    line: int | None
    part: int | None = None


@dataclass(frozen=True)
class Missing:
    """The entry point is nowhere; `defined` are the functions that there are."""

    defined: tuple[str, ...]


@dataclass(frozen=True)
class Misplaced:
    """The entry point is not at the top level, but in a `place` (method, class, function, main, branch) of a name."""

    place: str
    name: str
    line: int | None


@dataclass(frozen=True)
class Uncallable:
    """The entry point does not take the arguments: `signature` is the student's."""

    signature: str
    message: str
    line: int | None


@dataclass(frozen=True)
class Stopped:
    """The box is gone because of the submission: `reason` is a verdict's name, `text` says how."""

    reason: str
    text: str


Unloadable = Unreadable | Missing | Misplaced | Uncallable
CallOutcome = Returned | Raised | Odd | ReturnTooLarge | TraceTooSlow | Unloadable | Stopped  # what a call comes to
BoxAnswer = Done | CallOutcome


@dataclass(frozen=True)
class Reply:
    """What one request came to. Time in wall-clock milliseconds. `trace`: of a traced call, what its tracer reported,
    unread."""

    answer: BoxAnswer
    wall_ms: float
    prints: str = ""
    prints_cut: bool = False
    trace: str | None = field(default=None, repr=False)


_BY_NAME: Mapping[str, type[CallOutcome]] = {outcome.__name__: outcome for outcome in get_args(CallOutcome)}
# What each question may be answered by.
_FITTING: Mapping[str, tuple[type, ...]] = {
    "load": (Done, Raised, Unreadable, Missing, Misplaced, Uncallable),
    "call": (Returned, Raised, Odd, ReturnTooLarge),
    "trace": (Returned, Raised, Odd, ReturnTooLarge, TraceTooSlow),
    "warm": (Done, Raised),
    "cases": (Returned, Raised, Missing),
    "cell": (Returned, Raised, Odd, ReturnTooLarge, Unreadable),
}
_RAISED = {"type": str, "message": str, "line": int, "traceback": str, "memory": bool}
_PROBLEM = {"reason": str, "type": str, "message": str, "line": int, "yours": str, "defined": list}
_ENVELOPE = {"n": int, "ok": bool, "value": bool, "odd": str, "too_large": str, "raised": _RAISED, "problem": _PROBLEM,
             "trace": str, "too_slow": bool, "changed": list, "part": int}  # fmt: skip


def read_envelope(envelope: Mapping[str, Any]) -> dict[str, Any]:
    """Its fields, each of its declared type; those that are None are left out. Raises WireError."""
    return _shaped(envelope, _ENVELOPE)


def read_answer(operation: str, envelope: Mapping[str, Any], value: Any) -> BoxAnswer:
    """The answer to a question of this kind, of an envelope that `read_envelope` gave. Raises WireError."""
    answer = _answer(envelope, value)
    if not isinstance(answer, _FITTING[operation]):
        raise wire.WireError("an answer to another kind of question")
    return answer


def _answer(envelope: Mapping[str, Any], value: Any) -> BoxAnswer:
    part = envelope.get("part")
    match envelope:
        case {"raised": raised}:
            return Raised(
                raised.get("type") or "Exception",
                raised.get("message", ""),
                raised.get("line"),
                raised.get("traceback") or None,
                raised.get("memory", False),
                part,
            )
        case {"problem": problem}:
            return _unloadable(problem, part)
        case {"too_slow": True}:
            return TraceTooSlow()
        case {"too_large": _}:
            return ReturnTooLarge()
        case {"odd": text}:
            return Odd(text)
        case {"value": True}:
            changed = envelope.get("changed", [])
            return Returned(value, tuple(int(place) for place in changed if place.isascii() and place.isdecimal()))
        case {"ok": True}:
            return Done()
    raise wire.WireError("a reply that answers nothing")


def _unloadable(problem: Mapping[str, Any], part: int | None) -> Unloadable:
    message, line = problem.get("message", ""), problem.get("line")
    match problem.get("reason"):
        case "syntax":
            return Unreadable(problem.get("type") or "SyntaxError", message, line, part)
        case "missing":
            return Missing(tuple(problem.get("defined", [])[:8]))
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
    """What a call came to: to a call, `Done` is no answer."""
    assert not isinstance(reply.answer, Done)
    return reply.answer


def is_out_of_memory(outcome: CallOutcome) -> bool:
    return isinstance(outcome, Raised) and outcome.memory


def ended_by(outcome: CallOutcome) -> str | None:
    """The name of the verdict that an outcome is by itself; None for what was returned or raised, or is odd."""
    match outcome:
        case Stopped():
            return outcome.reason
        case ReturnTooLarge():
            return "output_limit"
        case TraceTooSlow():
            return "time_limit"
        case Unreadable() | Missing() | Misplaced() | Uncallable():
            return "invalid_submission"
        case Returned() | Raised() | Odd():
            return None
        case _:
            assert_never(outcome)


def pack(outcome: CallOutcome) -> list[Any]:
    """For the wire format; `unpack` is the way back."""
    return [type(outcome).__name__, {item.name: getattr(outcome, item.name) for item in fields(outcome)}]


def unpack(packed: Any) -> CallOutcome:
    """Raises ValueError, KeyError or TypeError for what `pack` did not make."""
    name, values = packed
    return _BY_NAME[name](**values)


def why_not_done(answer: BoxAnswer) -> str | None:
    """In words for the author of a file that was to be loaded or called; None where nothing is wrong."""
    match answer:
        case Done() | Returned():
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
        case Odd():
            return f"returns {answer.text}"
        case ReturnTooLarge():
            return "returns more than it may"
        case TraceTooSlow():
            return "takes too long"
        case _:
            assert_never(answer)
