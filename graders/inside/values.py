"""Values as the student's framework has them and as they cross the wall; and errors, as facts that cross it.

Students can read this file: it lies in the box.
"""

import gc
import inspect
import linecache
import re
import sys
from typing import Any

from graders.frameworks import BY_NAME
from graders.frameworks.kind import CannotCross
from graders.inside import wire

FILENAME = wire.SUBMISSION
MAX_MESSAGE = 2_000
MAX_FRAMES = 12
MAX_BASES = 20
# NumPy knows these names of dtypes once `ml_dtypes` is imported. Few programs use them: see COMMON in zygote.py.
_ML_DTYPES = re.compile(r"bfloat16|float[468]_e\d|\bu?int[24]\b")


class Frozen:
    """A value that is already encoded for the wire."""

    def __init__(self, frame: bytes) -> None:
        self.frame = frame


def know_dtypes(source: str) -> None:
    """Before this source runs: have NumPy know the dtypes that it names."""
    if _ML_DTYPES.search(source):
        import ml_dtypes  # noqa: F401


def into(framework: str, value: Any) -> Any:
    """Arrays as the framework's own; other values unchanged."""
    class_ = type(value)
    if class_ is list or class_ is tuple or class_ is set:
        return class_(into(framework, item) for item in value)
    if class_ is dict:
        return {key: into(framework, item) for key, item in value.items()}
    return BY_NAME[framework].arrive(value) if hasattr(value, "dtype") else value


def plain(value: Any, depth: int = 0, found: set[str] | None = None) -> Any:
    """A student's value as plain Python and plain NumPy. Raises WireError, in words, for what cannot cross.

    `found`: takes the names of the frameworks whose arrays are in it; NumPy's scalars are none.
    """
    if depth > wire.MAX_DEPTH:
        raise wire.WireError(f"a value nested deeper than {wire.MAX_DEPTH}")
    if value is None or type(value) in (bool, int, float, str, complex):
        return value
    for framework in BY_NAME.values():  # all of them: a student may return another framework's array
        try:
            array = framework.leave(value)
        except CannotCross as odd:
            raise wire.WireError(str(odd)) from None
        if array is not NotImplemented:
            if found is not None and not isinstance(value, sys.modules["numpy"].generic):
                found.add(framework.name)
            return array
    if isinstance(value, str):  # of a class of its own, as an enum's
        return str.__str__(value)
    if isinstance(value, int):
        return int.__index__(value)
    if type(value) in (list, tuple):
        return type(value)(plain(item, depth + 1, found) for item in value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return tuple(plain(item, depth + 1, found) for item in value)
    if isinstance(value, dict):
        return {_key(key, depth + 1): plain(item, depth + 1, found) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return {_key(item, depth + 1) for item in value}
    name = type(value).__name__
    if inspect.isgenerator(value) or inspect.iscoroutine(value) or inspect.isasyncgen(value):
        raise wire.WireError(f"a {name}: the function yields or awaits instead of returning")
    raise wire.WireError(f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {cut(name, 80)}")


def _key(key: Any, depth: int) -> Any:
    """A dict's key or a set's item: plain, and with a NumPy scalar as Python's, since an array is no key."""
    value = plain(key, depth)
    if hasattr(value, "dtype"):
        if value.ndim:
            raise wire.WireError("a set or a dict with an array for a key")
        value = value.item()
    if isinstance(value, tuple):
        value = tuple(_key(item, depth + 1) for item in value)
    try:
        hash(value)
    except TypeError:
        raise wire.WireError("a set or a dict with a key that is no plain value") from None
    return value


def unreadable(error: Exception) -> dict[str, Any]:
    """Why a source cannot be compiled."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return {"reason": "syntax", "type": type(error).__name__, "message": cut(str(message)), "line": line}


def format_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """As Python prints it, but with a line only of the student's own file: paths of the server tell them nothing."""
    place = f"line {lineno}: " if filename == FILENAME else ""
    return f"{place}{category.__name__}: {message}\n"


def raised(error: BaseException, filename: str = FILENAME) -> dict[str, Any]:
    """What the student's code raised: type, message, their own frames, and whether memory ran out."""
    frames: list[tuple[int, str]] = []
    trace = error.__traceback__
    while trace is not None and len(frames) < 1000:
        code = trace.tb_frame.f_code
        if code.co_filename == filename:
            frames.append((trace.tb_lineno, code.co_name))
        trace = trace.tb_next
    error.__traceback__ = None
    gc.collect()  # makes room for the report after a MemoryError
    try:
        message = str(error)
        message = message if type(message) is str else ""
    except BaseException:
        message = "(the exception's own text could not be made)"
    type_name = cut(str(type(error).__name__), 100)
    text = []
    if len(frames) > MAX_FRAMES:
        text.append(f"… {len(frames) - MAX_FRAMES} more calls …")
    for line, name in frames[-MAX_FRAMES:]:
        place = "" if name == "<module>" else f", in {cut(name, 80)}"
        text.append(f"line {line}{place}")
        if quoted := linecache.getline(filename, line).strip():
            text.append(f"    {cut(quoted, 200)}")
    return {
        "type": type_name,
        "bases": [cut(str(base.__name__), 100) for base in type(error).__mro__[1:-1]][:MAX_BASES],
        "message": cut(message),
        "line": frames[-1][0] if frames else None,
        "traceback": "\n".join(text),
        "memory": isinstance(error, MemoryError) or _framework_out_of_memory(type_name, message),
    }


def _framework_out_of_memory(type_name: str, message: str) -> bool:
    return (type_name == "RuntimeError" and "can't allocate memory" in message) or (
        type_name in ("XlaRuntimeError", "JaxRuntimeError") and "RESOURCE_EXHAUSTED" in message
    )


def cut(text: str, limit: int = MAX_MESSAGE) -> str:
    return text if len(text) <= limit else text[:limit] + " …"
