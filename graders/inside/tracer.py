"""Line by line through one call of the student's code: what each line assigned, as shape, dtype and range.

Python calls the hook before a line runs, so the effect of a line is seen at the next one. The locals are compared with
their earlier state: by identity, and by a digest where a value can change in place. Only facts are kept, never a value
of the student's, so that nothing lives longer or takes more memory than it does untraced.

    attack: a `__repr__`, `__len__` or `__array__` that hangs, lies or ends the process.
    defence: no method of an unknown class is ever called. Values are described by their exact type, and those of an
             unknown class by its name. A failure in here ends the trace, not the student's call.

Of a line with effects the first FIRST events and the last are kept, and the number of times: so loops are folded, even
those that call functions. Recording ends after RECORDED of the seconds, so that the call has the rest at its own speed.
After ENDED of them an exception ends the call itself: so an endless loop can be seen, where the judge's own limit would
leave nothing to see.

Students can read this file: it lies in the box. Its report is checked outside, like everything (reasons/trace.py).
"""

import ctypes
import json
import linecache
import math
import opcode
import sys
import threading
import time
import types
import zlib
from collections.abc import Callable
from typing import Any

MAX_EVENTS = 1_000
MAX_BYTES = 256 << 10
MAX_CHANGES = 32  # of one line
MAX_NAME = 80
MAX_TEXT = 200
MAX_LOCALS = 500
FIRST = 3
RECORDED, ENDED = 0.6, 0.9  # of the seconds that the call has
VALUES = 8  # an array of at most this many elements is written out
RANGE_ELEMENTS = 1 << 24
DIGEST_BYTES = 1 << 20
ITEMS = 4

_RETURNS = {opcode.opmap[name] for name in ("RETURN_VALUE", "YIELD_VALUE")}
_YIELD = opcode.opmap["YIELD_VALUE"]
_OPTIMISED, _VARARGS, _VARKEYWORDS, _GENERATOR = 0x01, 0x04, 0x08, 0x20  # of co_flags

Facts = dict[str, Any]


class OutOfTime(BaseException):
    """Ends the student's call while there is time to report what it did. It may be raised at any line, even ours."""


class Tracer:
    """Traces one call of code that was compiled under `filename`, which has `seconds` of wall clock."""

    def __init__(self, filename: str, seconds: float) -> None:
        self.filename = filename
        self.records_until = time.monotonic() + RECORDED * seconds
        self.seconds_left = (ENDED - RECORDED) * seconds
        self.cut: str | None = None
        self.events: list[Facts] = []
        self.last: dict[tuple[str, int, str], Facts] = {}
        self.times: dict[tuple[str, int, str], int] = {}
        self.depth = 0
        self.count = 0
        self.thread = threading.get_ident()
        self.done = threading.Event()
        self.deciding = threading.Lock()

    def call(self, function: Callable[..., Any], arguments: list[Any]) -> Any:
        """What the function returns. Raises what it raises, and OutOfTime."""
        sys.settrace(self.entered)
        try:
            return function(*arguments)
        finally:
            if sys.gettrace() != self.entered and self.cut is None:
                self.cut = "off"  # by the student's own sys.settrace
            sys.settrace(None)
            with self.deciding:
                self.done.set()

    def report(self) -> str:
        """The events in order of time, as JSON in ASCII of about MAX_BYTES at most."""
        events = sorted([*self.events, *self.last.values()], key=lambda event: event["at"])
        texts, size = [], 0
        for event in events[:MAX_EVENTS]:
            key = event.pop("key")
            event["times"] = self.times[key]
            del event["at"]
            text = json.dumps(event, allow_nan=False, separators=(",", ":"))
            size += len(text) + 1
            if size > MAX_BYTES:
                self.cut = self.cut or "bytes"
                break
            texts.append(text)
        if len(events) > MAX_EVENTS:
            self.cut = self.cut or "events"
        return f'{{"cut":{json.dumps(self.cut)},"events":[{",".join(texts)}]}}'

    # ------------------------------------------------------------------ the hook

    def entered(self, frame: types.FrameType, event: str, argument: Any) -> Any:
        """A function begins, or a generator continues."""
        code = frame.f_code
        if code.co_filename != self.filename:
            return None
        self.depth += 1
        if frame.f_trace is not None:
            return frame.f_trace  # a generator that continues
        try:
            return _Frame(self, frame).step
        except BaseException:  # at the recursion limit, or out of memory
            self.cut = self.cut or "failed"
            return None

    def add(self, kind: str, frame: types.FrameType, line: int, facts: Facts) -> None:
        key = (kind, line, frame.f_code.co_name)
        times = self.times[key] = self.times.get(key, 0) + 1
        self.count += 1
        event = {
            "at": self.count,
            "key": key,
            "kind": kind,
            "line": line,
            "function": _cut(frame.f_code.co_name, MAX_NAME),
            "depth": self.depth - 1,
            "nth": times,
            **facts,
        }
        if times > FIRST:
            self.last[key] = event
        elif len(self.events) < MAX_EVENTS:
            self.events.append(event)
        else:
            self.cut = self.cut or "events"

    def records(self) -> bool:
        """Whether to record. When the time for that is over, the call goes on untraced, and a timer ends it."""
        if self.cut is None and time.monotonic() > self.records_until:
            self.cut = "time"
        if self.cut is not None and sys.gettrace() == self.entered:
            sys.settrace(None)
            threading.Thread(target=self._end_late, daemon=True).start()
        return self.cut is None

    def _end_late(self) -> None:
        """Raise OutOfTime in the student's thread when its time is over, unless it is done by then."""
        seconds = self.seconds_left + max(0.0, self.records_until - time.monotonic())
        if self.done.wait(seconds):
            return
        with self.deciding:
            if not self.done.is_set():
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), ctypes.py_object(OutOfTime))


class _Frame:
    """One call of one function of the student's."""

    def __init__(self, tracer: Tracer, frame: types.FrameType) -> None:
        self.tracer = tracer
        self.line = _def_line(tracer.filename, frame.f_code)
        self.bindings: dict[str, tuple[int, Any]] = {}
        self.raising: str | None = None  # the last exception seen: one delayed by a `finally` is not reported again
        self.raised_at = -1  # the instruction that raised, until another line runs
        code = frame.f_code
        stars = bool(code.co_flags & _VARARGS) + bool(code.co_flags & _VARKEYWORDS)
        count = code.co_argcount + code.co_kwonlyargcount + stars
        parameters = set(code.co_varnames[:count])
        changes = self.changes(frame)
        if tracer.cut is None and (arguments := [change for change in changes if change["name"] in parameters]):
            tracer.add("call", frame, self.line, {"changes": arguments})

    def step(self, frame: types.FrameType, event: str, argument: Any) -> Any:
        tracer = self.tracer
        try:
            if event == "exception":
                self.raising, self.raised_at = _class_name(argument[0]), frame.f_lasti
            elif event == "line":
                if tracer.records() and (changes := self.changes(frame)):
                    tracer.add("line", frame, self.line, {"changes": changes})
                self.line, self.raised_at = frame.f_lineno, -1
            elif event == "return":
                try:
                    if tracer.records():
                        self.ended(frame, argument)
                finally:
                    self.raised_at = -1
                    tracer.depth -= 1
        except BaseException:  # at the recursion limit, or out of memory
            tracer.cut = tracer.cut or "failed"
        return self.step

    def ended(self, frame: types.FrameType, value: Any) -> None:
        """A return, a yield, or an exception that leaves this call."""
        facts: Facts = {"changes": self.changes(frame)}
        code = frame.f_code
        operation = code.co_code[frame.f_lasti] if 0 <= frame.f_lasti < len(code.co_code) else None
        if operation not in _RETURNS or self.raised_at == frame.f_lasti:  # the latter: thrown into a generator
            if self.raising not in (None, "GeneratorExit"):
                facts["raised"] = self.raising
        elif operation == _YIELD:
            facts["yielded"] = describe(value)
        elif code.co_flags & _OPTIMISED and not (value is None and _says_nothing(code)):
            facts["returned"] = describe(value)
        if facts["changes"] or len(facts) > 1:
            self.tracer.add("line" if "yielded" in facts else "return", frame, self.line, facts)

    def changes(self, frame: types.FrameType) -> list[Facts]:
        """The locals that were bound, rebound or changed in place since the last look."""
        local = frame.f_locals
        if type(local) is not dict:  # a class body's namespace may be a class of the student's
            return []
        if len(local) > MAX_LOCALS:  # comparing all of them at each line would take too long
            self.tracer.cut = self.tracer.cut or "locals"
        bindings: dict[str, tuple[int, Any]] = {}
        changes: list[Facts] = []
        for name, value in list(local.items())[:MAX_LOCALS]:
            if type(name) is not str or name[:1] == "." or name[:2] == "__":
                continue
            before = self.bindings.get(name)
            bindings[name] = now = (id(value), _digest(value))
            if now == before or len(changes) == MAX_CHANGES:
                continue
            facts = describe(value)
            if facts["kind"] == "object" and name in ("self", "cls"):
                continue
            changes.append(
                {"name": _cut(name, MAX_NAME), "in_place": before is not None and before[0] == now[0], **facts}
            )
        self.bindings = bindings
        return changes


def _says_nothing(code: types.CodeType) -> bool:
    """Whether it always returns None."""
    return bool(code.co_flags & _GENERATOR) or code.co_name == "__init__"


def _def_line(filename: str, code: types.CodeType) -> int:
    """The line of the `def`: Python's own first line of a function is that of its first decorator."""
    first = code.co_firstlineno
    for line in range(first, first + 20):
        text = linecache.getline(filename, line).lstrip()
        if text.startswith(("def ", "async def ")):
            return line
        if not text.startswith(("@", "#")) and text.strip():
            break
    return first


# ------------------------------------------------------------------ values


def describe(value: Any) -> Facts:
    """A value as facts that fit into JSON. Calls no method of an unknown class."""
    kind = _kind(value)
    try:
        if kind == "numpy":
            import numpy

            plain = numpy.ndarray.view(value, numpy.ndarray)
            return _array("ndarray", plain.shape, _dtype_name(plain.dtype), plain)
        if kind == "numpy scalar":
            import numpy

            return _array(_class_name(type(value)), (), _dtype_name(value.dtype), numpy.asarray(value))
        if kind == "jax":
            return _jax(value)
        if kind == "traced":
            aval = value.aval
            return {"kind": "traced", "type": "Tracer", "shape": _sizes(aval.shape), "dtype": _cut(str(aval.dtype), 20)}
        if kind == "torch":
            return _torch(value)
    except BaseException:
        return {"kind": "object", "type": _class_name(type(value)), "text": "not readable"}
    if kind in ("object", "function", "module", "class"):
        name = _class_name(type(value)) if kind == "object" else kind
        return {"kind": "object", "type": name, "text": name}
    return {"kind": "value", "type": _class_name(type(value)), "text": _cut(_words(value, 0), MAX_TEXT)}


def _array(type_: str, shape: Any, dtype: str, plain: Any, **more: Any) -> Facts:
    facts: Facts = {"kind": "array", "type": type_, "shape": _sizes(shape), "dtype": _cut(dtype, 20), **more}
    if plain is not None:
        try:
            facts.update(_range(plain))
        except BaseException:
            facts["text"] = "its range could not be taken"
    return facts


def _range(array: Any) -> Facts:
    """Smallest and largest finite value; how many are NaN, infinite or True. A few values are written out."""
    import numpy

    if array.size == 0 or array.size > RANGE_ELEMENTS:
        return {}
    dtype_kind = array.dtype.kind
    if array.dtype.name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        array, dtype_kind = array.astype(numpy.float32), "f"
    facts: Facts = {}
    if dtype_kind in "biufc" and array.size <= VALUES:
        facts["text"] = _cut(_nested(array.tolist()), MAX_TEXT)
    with numpy.errstate(all="ignore"):
        if dtype_kind == "b":
            facts["true"] = int(numpy.count_nonzero(array))
        elif dtype_kind in "iu":
            facts.update(low=int(array.min()), high=int(array.max()))
        elif dtype_kind in "fc":
            if dtype_kind == "c":
                facts["modulus"] = True
                array = numpy.abs(array)
            low, high = float(array.min()), float(array.max())
            if not (math.isfinite(low) and math.isfinite(high)):
                finite = array[numpy.isfinite(array)]
                nan = int(numpy.count_nonzero(numpy.isnan(array)))
                facts.update(nan=nan, infinite=int(array.size - finite.size - nan))
                low, high = (float(finite.min()), float(finite.max())) if finite.size else (math.nan, math.nan)
            if math.isfinite(low) and math.isfinite(high):
                facts.update(low=low, high=high)
    return facts


def _jax(value: Any) -> Facts:
    import numpy

    dtype = str(value.dtype)
    plain = None if dtype.startswith("key") or value.is_deleted() else numpy.asarray(value)
    return _array("Array", value.shape, dtype, plain)


def _torch(value: Any) -> Facts:
    import torch

    with torch._C.DisableTorchFunctionSubclass():
        shape, dtype = tuple(value.shape), str(value.dtype).removeprefix("torch.")
        more: Facts = {"grad": True} if value.requires_grad else {}
        plain = None
        if value.numel() <= RANGE_ELEMENTS:
            try:
                detached = value.detach()
                if dtype == "bfloat16":
                    detached = detached.float()
                plain = detached.resolve_conj().resolve_neg().numpy()
            except BaseException:  # sparse, quantised, or inside vmap: no values to read
                plain = None
        return _array("Parameter" if type(value) is torch.nn.Parameter else "Tensor", shape, dtype, plain, **more)


def _words(value: Any, depth: int) -> str:
    """A plain value: scalars written out, containers by their length and first items."""
    class_ = type(value)
    if value is None or class_ is bool or value is Ellipsis:
        return repr(value)
    if class_ is int:
        return repr(value) if value.bit_length() <= 128 else f"an integer of {value.bit_length()} bits"
    if class_ is float:
        return f"{value:.6g}"
    if class_ is complex:
        return f"{value:.4g}"
    if class_ is str:
        return repr(value[:60]) + (" …" if len(value) > 60 else "")
    if class_ is bytes or class_ is bytearray:
        return f"{len(value)} bytes"
    if class_ is range:
        return repr(value)
    if class_ is slice:
        parts = (value.start, value.stop, value.step)
        return f"slice({', '.join(_words(part, 2) for part in parts)})"
    if _kind(value) == "sizes":
        return f"({', '.join(map(repr, tuple.__iter__(value)))}{',' if tuple.__len__(value) == 1 else ''})"
    if class_ is tuple or class_ is list:
        return _items(value, class_, depth)
    if class_ is dict:
        items = [f"{_words(key, 2)}: {_words(item, depth + 1)}" for key, item in list(value.items())[:ITEMS]]
        if depth > 1 or not value:
            return f"dict of {len(value)}"
        return f"dict of {len(value)}: {', '.join(items)}{', …' if len(value) > ITEMS else ''}"
    if class_ is set or class_ is frozenset:
        return f"{class_.__name__} of {len(value)}"
    facts = describe(value)
    if facts.get("shape") is not None:
        return f"{facts['dtype']}[{', '.join(map(str, facts['shape']))}]"
    return str(facts.get("text") or facts["type"])


def _items(value: Any, class_: type, depth: int) -> str:
    plain = all(type(item) in (int, bool, float, str, type(None)) for item in value[: ITEMS * 2])
    if plain and len(value) <= ITEMS * 2:
        inner = ", ".join(_words(item, 2) for item in value)
        return f"[{inner}]" if class_ is list else f"({inner}{',' if len(value) == 1 else ''})"
    if depth > 1:
        return f"{class_.__name__} of {len(value)}"
    inner = ", ".join(_words(item, depth + 1) for item in value[:ITEMS])
    return f"{class_.__name__} of {len(value)}: {inner}{', …' if len(value) > ITEMS else ''}"


def _nested(value: Any) -> str:
    if type(value) is list:
        return f"[{', '.join(_nested(item) for item in value)}]"
    return f"{value:.4g}" if type(value) in (float, complex) else repr(value)


# ------------------------------------------------------------------ kinds of values


def _digest(value: Any) -> Any:
    """Differs after the value was changed in place, as far as a cheap check can tell. None for other values."""
    kind = _kind(value)
    try:
        if kind == "numpy":
            import numpy

            plain = numpy.ndarray.view(value, numpy.ndarray)
            if plain.nbytes > DIGEST_BYTES:
                plain = plain.flat[:: plain.size // 4096 + 1]
            return plain.shape, zlib.crc32(plain.tobytes())
        if kind == "torch":
            return value._version
        if kind == "list":
            return len(value), tuple(map(id, value[:64]))
        if kind == "dict":
            return len(value), tuple(map(id, list(value.values())[:64]))
        if kind == "set":
            return len(value)
    except BaseException:
        return None
    return None


_KINDS: dict[int, tuple[type, str]] = {}  # by address: a class of the student's may have a hash of its own
_EXACT = {list: "list", dict: "dict", set: "set", types.FunctionType: "function", types.ModuleType: "module"}
_EXACT |= dict.fromkeys((types.BuiltinFunctionType, types.MethodType, types.LambdaType), "function")
_EXACT |= dict.fromkeys((int, float, complex, bool, str, bytes, bytearray, tuple, frozenset, range, slice), "plain")
_EXACT |= dict.fromkeys((type(None), type(Ellipsis)), "plain")
_KINDS.update({id(kind): (kind, word) for kind, word in _EXACT.items()})


def _kind(value: Any) -> str:
    class_ = type(value)
    entry = _KINDS.get(id(class_))
    if entry is None:
        entry = _KINDS[id(class_)] = (class_, _kind_of(class_))
    return entry[1]


def _kind_of(class_: type) -> str:
    ancestors = {id(ancestor) for ancestor in type.__getattribute__(class_, "__mro__")}

    def is_a(module: str, *names: str) -> bool:
        target: Any = sys.modules.get(module)
        for name in names:
            target = getattr(target, name, None)
        return target is not None and id(target) in ancestors

    if is_a("jax._src.core", "Tracer"):
        return "traced"
    if is_a("jax._src.array", "ArrayImpl") or is_a("jax._src.prng", "PRNGKeyArray"):
        return "jax"
    if is_a("torch", "Size"):
        return "sizes"
    if is_a("torch", "Tensor"):
        return "torch"
    if is_a("numpy", "ndarray"):
        return "numpy"
    if is_a("numpy", "generic"):
        return "numpy scalar"
    if is_a("builtins", "type"):
        return "class"
    return "object"


def _class_name(class_: Any) -> str:
    try:
        return _cut(type.__dict__["__name__"].__get__(class_), MAX_NAME)
    except BaseException:
        return "object"


def _dtype_name(dtype: Any) -> str:
    return str(dtype.name)


def _sizes(shape: Any) -> list[int]:
    return [size if type(size) is int else -1 for size in tuple(shape)]


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else str.__getitem__(text, slice(0, limit)) + "…"
