"""A trace: what each line of the student's code assigned, as the box reported it, and checked.

attack: megabytes, markup, control characters, numbers that no database holds, a tree as deep as the stack.
defence: one text of bounded length is parsed here, field by field. What is not of its type and size is left out. The
         rest is plain words and numbers, escaped where they are shown. A forged trace deceives only the student who
         forged it, and earns nothing.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from graders.boxes.reply import LINES
from graders.exercise.dims import Dims, dim_size, factors_of
from graders.exercise.signature import Array, Signature, Type, arrays_in
from graders.text import printable

MAX_EVENTS = 1_000
MAX_CHANGES = 32
MAX_LOCALS = 500
MAX_NAME = 81
MAX_TEXT = 201
MAX_AXES = 64
LARGEST = 2**63
MARGIN_AT = 64  # the widest code, in characters, left of the margin in plain text

CUT = {
    "events": f"Only the first {MAX_EVENTS} events are shown.",
    "locals": f"The trace ends where your function has more than {MAX_LOCALS} variables.",
    "bytes": "The trace was longer than what is kept; its beginning is shown.",
    "time": "The trace ended early: your code was still running when its time for tracing was over.",
    "off": "Your program switched tracing off (sys.settrace), so the trace ends there.",
    "failed": "The trace ended early: your program left no room to follow it.",
}
_KINDS = {"call": "call", "return": "return"}
UNREADABLE = "The trace could not be read."
LOST = "The box was stopped before it could report its trace."


@dataclass(frozen=True)
class ValueFacts:
    """A value in facts: its shape, dtype and range, or a plain value's own text. `low` and `high` are finite."""

    kind: str  # array | traced | value | object
    type: str
    shape: tuple[int, ...] | None = None
    dims: tuple[str | None, ...] | None = None  # for each axis its name, if only one of that size is declared
    dtype: str | None = None
    low: float | None = None
    high: float | None = None
    nan: int = 0
    infinite: int = 0
    true: int | None = None
    modulus: bool = False  # complex numbers: low and high are of their absolute values
    grad: bool = False
    text: str | None = None

    @property
    def shape_text(self) -> str | None:
        return None if self.shape is None else _tuple(str(size) for size in self.shape)

    @property
    def dims_text(self) -> str | None:
        """`(N, T, d_model)`; None where no axis has a name."""
        if self.shape is None or not self.dims or not any(self.dims):
            return None
        return _tuple(name or str(size) for name, size in zip(self.dims, self.shape, strict=True))

    @property
    def range_text(self) -> str:
        """`−1.2 … 3.4`, `3 of 8 True`, or the values themselves if they are few; "" where none are known."""
        parts = []
        if self.kind == "traced":
            parts.append("traced: no values yet")
        elif self.text is not None:
            parts.append(self.text)
        elif self.true is not None:
            parts.append(f"{self.true} of {math.prod(self.shape or ())} True")
        elif self.low is not None and self.high is not None:
            low, high = _number(self.low), _number(self.high)
            name = "|z| " if self.modulus else ""
            parts.append(f"{name}all {low}" if low == high else f"{name}{low} … {high}")
        if self.shape is not None and 0 in self.shape:
            parts.append("empty")
        if self.nan and self.text is None:
            parts.append(f"{self.nan} NaN")
        if self.infinite and self.text is None:
            parts.append(f"{self.infinite} infinite")
        if self.grad:
            parts.append("requires grad")
        return ", ".join(parts)

    @property
    def summary(self) -> str:
        """`float32 (N, T) = (2, 4), 0 … 7`."""
        if self.shape is None:
            return self.text or self.type
        shape = f"{self.dims_text} = {self.shape_text}" if self.dims_text else str(self.shape_text)
        text = f"{self.dtype} {shape}" if self.dtype else shape
        return f"{text}, {self.range_text}" if self.range_text else text

    def public(self) -> dict[str, Any]:
        return {
            "summary": self.summary,
            "type": self.type,
            "shape": list(self.shape) if self.shape is not None else None,
            "dims": list(self.dims) if self.dims is not None else None,
            "dtype": self.dtype,
            "low": self.low,
            "high": self.high,
            "text": self.text,
        }


@dataclass(frozen=True)
class Change:
    """A local that a line bound, rebound, or (`in_place`) changed."""

    name: str
    in_place: bool
    value: ValueFacts

    def public(self) -> dict[str, Any]:
        return {"name": self.name, "in_place": self.in_place, **self.value.public()}


@dataclass(frozen=True)
class TraceEvent:
    """A line with effects, or a call with its arguments: the `nth` of `times` such events, since loops are folded."""

    kind: str  # call | line | return
    line: int
    function: str
    depth: int
    nth: int
    times: int
    changes: tuple[Change, ...] = ()
    returned: ValueFacts | None = None
    yielded: ValueFacts | None = None
    raised: str | None = None

    def public(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "line": self.line,
            "function": self.function,
            "depth": self.depth,
            "nth": self.nth,
            "times": self.times,
            "changes": [change.public() for change in self.changes],
            "returned": self.returned and self.returned.public(),
            "yielded": self.yielded and self.yielded.public(),
            "raised": self.raised,
        }


@dataclass(frozen=True)
class Trace:
    """The events in order of time. Where the trace is `cut`, `note` tells the student why."""

    events: tuple[TraceEvent, ...] = ()
    dims: tuple[tuple[str, int], ...] = ()  # the case's named sizes
    cut: bool = False
    note: str | None = None

    def public(self) -> dict[str, Any]:
        """The trace as the API shows it, under the key `trace` of a submission of kind `trace`."""
        return {
            "events": [event.public() for event in self.events],
            "dims": dict(self.dims),
            "cut": self.cut,
            "note": self.note,
        }

    def row(self) -> dict[str, Any]:
        """Everything, as JSON for the database; `from_row` is the way back."""
        return asdict(self)

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Trace":
        def value_facts(value: Mapping[str, Any] | None) -> ValueFacts | None:
            if value is None:
                return None
            return ValueFacts(**{**value, **{key: value[key] and tuple(value[key]) for key in ("shape", "dims")}})

        events = []
        for event in row["events"]:
            changes = tuple(Change(**{**change, "value": value_facts(change["value"])}) for change in event["changes"])
            events.append(
                TraceEvent(
                    **{
                        **event,
                        "changes": changes,
                        "returned": value_facts(event["returned"]),
                        "yielded": value_facts(event["yielded"]),
                    }
                )
            )
        dims = tuple((name, size) for name, size in row["dims"])
        return cls(tuple(events), dims, row["cut"], row["note"])


def read(report: Any, signature: Signature, dims: Dims) -> Trace:
    """The trace of a box's report, with the case's dimensions named. None: the box was stopped first. Never raises."""
    sizes = _named_sizes(signature, dims)
    if report is None:
        return Trace((), _shown(sizes), True, LOST)
    try:
        tree = json.loads(report)
    except (ValueError, TypeError, RecursionError):
        tree = None
    if type(tree) is not dict or type(tree.get("events")) is not list:
        return Trace((), _shown(sizes), True, UNREADABLE)
    labels = _labels(sizes)
    read_events = [_event(event, labels) for event in tree["events"][:MAX_EVENTS]]
    events = _as_declared([event for event in read_events if event], signature, dims)
    cut = tree.get("cut")
    note = CUT.get(cut) if type(cut) is str else None
    return Trace(tuple(events), _shown(sizes), note is not None, note)


def beside(trace: Trace, source: str) -> list[str]:
    """The source as plain text, with each line's effects in a margin: of a loop, those of its first and last round."""
    notes: dict[int, list[str]] = {}
    for event in trace.events:
        if 1 < event.nth < event.times:
            continue
        times = "" if event.times == 1 else f"\N{MULTIPLICATION SIGN}{event.times} "
        rounds = times if event.nth == 1 else f"{' ' * (len(times) - 1)} last: "
        notes.setdefault(event.line, []).extend(f"{rounds}{text}" for text in _notes(event))
    source = re.sub(r"(\r\n?|\n)\Z", "", source)
    code = [line.expandtabs(4) for line in re.split(r"\r\n?|\n", source)]
    width = min(max((len(line) for line in code), default=0), MARGIN_AT)
    lines = []
    for number, line in enumerate(code, 1):
        first, *more = notes.get(number) or [""]
        if len(line) > width and first:
            lines.append(f"{number:4}  {line}")
            lines.append(f"      {'':{width}}  \N{BOX DRAWINGS LIGHT VERTICAL} {first}")
        else:
            lines.append(f"{number:4}  {line:{width}}  \N{BOX DRAWINGS LIGHT VERTICAL} {first}".rstrip())
        lines += [f"      {'':{width}}  \N{BOX DRAWINGS LIGHT VERTICAL} {text}" for text in more]
    return lines


def _notes(event: TraceEvent) -> list[str]:
    notes = [
        f"{change.name}{' (in place)' if change.in_place else ''}"
        f"{' = ' if change.value.shape is None else ': '}{change.value.summary}"
        for change in event.changes
    ]
    if event.returned:
        notes.append(f"returns {event.returned.summary}")
    if event.yielded:
        notes.append(f"yields {event.yielded.summary}")
    if event.raised:
        notes.append(f"raises {event.raised}")
    return notes


# ------------------------------------------------------------------ field by field


def _event(fields: Any, labels: Mapping[int, str]) -> TraceEvent | None:
    if type(fields) is not dict or type(fields.get("changes")) is not list:
        return None
    line, function = _count(fields.get("line"), LINES), _text(fields.get("function"), MAX_NAME)
    if not line or not function:
        return None
    changes = [_change(change, labels) for change in fields["changes"][:MAX_CHANGES]]
    times = _count(fields.get("times"), LARGEST) or 1
    return TraceEvent(
        _KINDS.get(_text(fields.get("kind"), MAX_NAME) or "", "line"),
        line,
        function,
        _count(fields.get("depth"), LINES) or 0,
        min(_count(fields.get("nth"), LARGEST) or 1, times),
        times,
        tuple(change for change in changes if change),
        _value_facts(fields.get("returned"), labels),
        _value_facts(fields.get("yielded"), labels),
        _text(fields.get("raised"), MAX_NAME),
    )


def _change(fields: Any, labels: Mapping[int, str]) -> Change | None:
    value = _value_facts(fields, labels)
    name = _text(fields.get("name"), MAX_NAME) if value else None
    return Change(name, fields.get("in_place") is True, value) if value and name else None


def _value_facts(fields: Any, labels: Mapping[int, str]) -> ValueFacts | None:
    if type(fields) is not dict or fields.get("kind") not in ("array", "traced", "value", "object"):
        return None
    shape = fields.get("shape")
    if type(shape) is not list or len(shape) > MAX_AXES or any(_count(size, LARGEST) is None for size in shape):
        shape = None
    dtype = _text(fields.get("dtype"), 21)
    sizes = tuple(shape) if shape is not None else None
    facts = ValueFacts(
        fields["kind"],
        _text(fields.get("type"), MAX_NAME) or "object",
        sizes,
        tuple(labels.get(size) for size in sizes) if sizes is not None else None,
        dtype if dtype and re.fullmatch(r"\w+(<\w+>)?", dtype, re.ASCII) else None,
        nan=_count(fields.get("nan"), LARGEST) or 0,
        infinite=_count(fields.get("infinite"), LARGEST) or 0,
        true=_count(fields.get("true"), LARGEST),
        modulus=fields.get("modulus") is True,
        grad=fields.get("grad") is True,
        text=_text(fields.get("text"), MAX_TEXT),
    )
    low, high = _finite(fields.get("low")), _finite(fields.get("high"))
    return replace(facts, low=low, high=high) if low is not None and high is not None else facts


def _count(number: Any, largest: int) -> int | None:
    return number if type(number) is int and 0 <= number < largest else None


def _finite(number: Any) -> float | None:
    if type(number) is int and -LARGEST <= number < 2 * LARGEST:
        return number
    return number if type(number) is float and math.isfinite(number) else None


def _text(text: Any, limit: int) -> str | None:
    """Printable characters only: no line ends, and no marks that turn the direction of the text."""
    if type(text) is not str or not text:
        return None
    return printable(text[:limit])


# ------------------------------------------------------------------ named dimensions


def _named_sizes(signature: Signature, dims: Dims) -> dict[str, int]:
    """Each dimension that the signature names, and each product of them, with its size in this case."""
    sizes: dict[str, int] = {}
    for declared in signature.types:
        for dim in (dim for array in arrays_in(declared) for dim in array.dims):
            for name in (*factors_of(dim), dim):
                size = dim_size(name, dims)
                if size is not None and not name.isdigit():
                    sizes[name] = size
    return sizes


def _labels(sizes: Mapping[str, int]) -> dict[int, str]:
    """Size → the only dimension that has it. Size 1 names nothing, since keepdims and None make axes of it."""
    counts = Counter(sizes.values())
    return {size: name for name, size in sizes.items() if size > 1 and counts[size] == 1}


def _as_declared(events: list[TraceEvent], signature: Signature, dims: Dims) -> list[TraceEvent]:
    """The events, with the signature's dimensions on the entry point's arguments and return value."""
    entry = events[0] if events and events[0].kind == "call" and events[0].depth == 0 else None
    if entry is None or len(entry.changes) != len(signature.parameters):
        return events

    def declared(event: TraceEvent) -> TraceEvent:
        if (event.function, event.depth) != (entry.function, 0):
            return event
        if event.kind == "call" and len(event.changes) == len(signature.parameters):
            pairs = zip(event.changes, signature.parameters, strict=True)
            changes = [
                replace(change, value=_named_as(change.value, parameter.parsed, dims)) for change, parameter in pairs
            ]
            return replace(event, changes=tuple(changes))
        returned = event.returned and _named_as(event.returned, signature.parsed_returns, dims)
        return replace(event, returned=returned)

    return [declared(event) for event in events]


def _named_as(value: ValueFacts, declared: Type, dims: Dims) -> ValueFacts:
    """`value` with its declared dimensions, if it has their sizes."""
    if not isinstance(declared, Array) or value.shape != tuple(dim_size(dim, dims) for dim in declared.dims):
        return value
    return replace(value, dims=tuple(None if dim.isdigit() else dim for dim in declared.dims))


def _shown(sizes: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple((name, size) for name, size in sizes.items() if "*" not in name)


def _tuple(parts: Any) -> str:
    inner = [*parts]
    return f"({inner[0]},)" if len(inner) == 1 else f"({', '.join(inner)})"


def _number(value: float) -> str:
    """Four significant figures, with a minus sign as wide as a plus."""
    text = str(value) if type(value) is int and abs(value) < 10**7 else f"{value:.4g}"
    return text.replace("-", "\N{MINUS SIGN}", 1) if text.startswith("-") else text
