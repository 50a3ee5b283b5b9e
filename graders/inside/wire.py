"""The one format that crosses the wall, used by both sides.

A frame is two lengths, a JSON envelope and a safetensors blob: `>II` (bytes of JSON, bytes of blob), JSON, blob.
The envelope holds the tree of a value: scalars as themselves, arrays by their number in the blob.

    attack: a frame whose header claims 7 TiB, a shape that multiplies to nothing, an object dtype, a pickle,
            a tree ten thousand deep, one array named twenty thousand times, nothing times 2**61, whose copy in a
            wider dtype NumPy refuses to make.
    defence: lengths are checked against a cap before a byte is read; dtypes come from a list; shape × itemsize must
            equal the bytes that came; the sides of an empty array are capped as well; depth and node count are
            capped; an array has one place in the tree, so a value is never larger than its bytes; nothing here can
            run code.

Students can read this file: it lies in the box. It holds no secret and needs none.
"""

import json
import math
import struct
from collections.abc import Iterable
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any

import numpy as np
import safetensors

from graders.inside import where

HEADER = struct.Struct(">II")
# What a zygote is asked for: the user that a root server's box becomes, whether it does, and how many threads and
# seconds of processor time it may use
BOX = struct.Struct("=I?II")
SUBMISSION = "submission.py"  # the file name of the student's source, also in what a box tells of its calls
SCRIPT = "script()"  # the key of a script among a case's inputs: no identifier, so no argument has this name
WHERE_SIGNAL = where.SIGNAL  # by it the server asks a box for the line that it is in
MAX_DIMENSIONS = 8
MAX_DEPTH = 16
MAX_NODES = 20_000
MAX_KEYS = 2_000  # of a set, or of a dict whose keys are not all strings
MAX_ELEMENTS = 1 << 40  # product of the sides, with 0 counted as 1: such an array fits into any dtype's limits

# our name → (safetensors' name, bytes an element). Complex numbers travel as pairs of floats.
DTYPES: dict[str, tuple[str, int]] = {
    "bool": ("BOOL", 1),
    "int8": ("I8", 1),
    "int16": ("I16", 2),
    "int32": ("I32", 4),
    "int64": ("I64", 8),
    "uint8": ("U8", 1),
    "uint16": ("U16", 2),
    "uint32": ("U32", 4),
    "uint64": ("U64", 8),
    "float16": ("F16", 2),
    "float32": ("F32", 4),
    "float64": ("F64", 8),
    "bfloat16": ("BF16", 2),
    "complex64": ("F32", 4),
    "complex128": ("F64", 8),
}
_BACK = {theirs: ours for ours, (theirs, _) in DTYPES.items() if not ours.startswith("complex")}
_DTYPES = {name: np.dtype(name) for name in DTYPES if name != "bfloat16"}
# To ask a dtype for its name runs NumPy's own Python, on the way of every array
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}

_READER = json.JSONDecoder()

# number in the blob → (safetensors' dtype, shape as written, the bytes)
Arrays = dict[str, tuple[str, list[int], bytes]]


class WireError(ValueError):
    """A frame or a value that does not follow the format. On the trusted side that is the box's fault, never ours."""


class OverCap(WireError):
    """A value or a frame over its cap."""


class _Writing:
    """A frame on its way out: what has been counted so far, and the arrays for its blob."""

    __slots__ = ("arrays", "cap", "nodes", "size")

    def __init__(self, cap: int | None) -> None:
        self.arrays: Arrays = {}
        self.cap, self.nodes, self.size = cap, 0, 0


def encode(message: dict[str, Any], cap: int | None = None) -> bytes:
    """A frame of `message`, whose values may be None, bool, int, float, complex, str, list, tuple, set, dict and
    np.ndarray.

    The text is written in one pass. To build a tree first, for json.dumps, took twice as long, in each call of each
    submission, on both sides.

    Raises WireError for any other value, OverCap when the frame exceeds `cap` bytes.
    """
    writing = _Writing(cap)
    text = _text(message, writing, 0).encode()  # ASCII: all else is escaped
    blob = _blob(writing.arrays) if writing.arrays else b""
    if cap is not None and len(text) + len(blob) > cap:
        raise OverCap(f"{len(text) + len(blob)} bytes, the limit is {cap}")
    return HEADER.pack(len(text), len(blob)) + text + blob


def lengths(header: bytes, cap: int) -> tuple[int, int]:
    """The two lengths that a frame announces. Raises OverCap, before that much is allocated."""
    text, blob = HEADER.unpack(header)
    if text + blob > cap:
        raise OverCap(f"{text + blob} bytes announced, the limit is {cap}")
    return text, blob


def decode(text: bytes, blob: bytes) -> dict[str, Any]:
    """The message of a frame; arrays are fresh, C-ordered and plain. Raises WireError on anything else."""
    try:
        envelope = text.decode("utf-8", "surrogatepass")
        tree, end = _READER.raw_decode(envelope)  # json.loads also looks for blanks around it
    except (ValueError, RecursionError) as error:
        raise WireError(f"the envelope is not JSON: {str(error)[:200]}") from None
    if end != len(envelope):
        raise WireError("the envelope is more than JSON")
    message = _value(tree, _Reading(_arrays(blob) if blob else {}), 0)
    if not isinstance(message, dict):
        raise WireError("a message is a dict")
    return message


def _text(value: Any, writing: _Writing, depth: int) -> str:
    """The JSON of a value, as json.dumps would write it without spaces."""
    writing.nodes += 1
    if depth > MAX_DEPTH or writing.nodes > MAX_NODES:
        raise _too_many(depth)
    class_ = type(value)
    if class_ is str:
        return _quoted(value)
    if value is None:
        return "null"
    if class_ is bool:
        return "true" if value else "false"
    if class_ is int:
        # JSON readers differ on large integers, and Python refuses over 4300 digits
        if value.bit_length() <= 63:
            return repr(value)
        if value.bit_length() > 8192:
            raise OverCap("an integer of more than 8192 bits")
        return f'{{"i":"{value:#x}"}}'
    if class_ is float:
        return repr(value) if math.isfinite(value) else f'{{"f":"{value!r}"}}'
    if class_ is np.ndarray:
        return _array_text(value, writing)
    if class_ is list or class_ is tuple:
        items = [_text(item, writing, depth + 1) for item in value]
        return f'{{"{"l" if class_ is list else "t"}":[{",".join(items)}]}}'
    if class_ is dict and all(type(key) is str for key in value):
        items = [f"{_quoted(key)}:{_text(item, writing, depth + 1)}" for key, item in value.items()]
        return f'{{"d":{{{",".join(items)}}}}}'
    if class_ is dict or class_ is set:
        if len(value) > MAX_KEYS:
            raise OverCap(f"a {class_.__name__} of more than {MAX_KEYS} items")
        pairs = [list(item) for item in value.items()] if class_ is dict else value
        items = [_text(pair, writing, depth + 1) for pair in pairs]
        return f'{{"{"m" if class_ is dict else "s"}":[{",".join(items)}]}}'
    if class_ is complex:
        return f'{{"z":["{value.real!r}","{value.imag!r}"]}}'
    raise WireError(f"a value of type {class_.__name__}")


def _too_many(depth: int) -> WireError:
    if depth > MAX_DEPTH:
        return WireError(f"a value nested deeper than {MAX_DEPTH}")
    return OverCap(f"a value of more than {MAX_NODES} parts")


def _array_text(array: Any, writing: _Writing) -> str:
    name = _NAMES.get(array.dtype) or array.dtype.name
    if name not in DTYPES:
        raise WireError(f"an array of dtype {name}")
    if array.ndim > MAX_DIMENSIONS:
        raise WireError(f"an array of {array.ndim} dimensions, the limit is {MAX_DIMENSIONS}")
    if _is_vast(array.shape):
        raise WireError(f"an array of shape {array.shape}")
    writing.size += array.nbytes
    if writing.cap is not None and writing.size > writing.cap:
        raise OverCap(f"{writing.size} bytes of arrays, the limit is {writing.cap}")
    native = array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
    shape = list(native.shape)
    if name.startswith("complex"):
        shape.append(2)
    key = str(len(writing.arrays))
    writing.arrays[key] = (DTYPES[name][0], shape, native.tobytes())
    return f'{{"a":"{key}","z":"{name}"}}' if name.startswith("complex") else f'{{"a":"{key}"}}'


def _blob(arrays: Arrays) -> bytes:
    """As safetensors writes it: the length of a JSON header, the header, the bytes of the arrays. (The library's own
    `serialize` takes addresses, and to ask an array for its address imports half of ctypes into a box.)"""
    entries = []
    end = 0
    for key, (dtype, shape, content) in arrays.items():
        begin, end = end, end + len(content)
        sides = ",".join(map(str, shape))
        entries.append(f'"{key}":{{"dtype":"{dtype}","shape":[{sides}],"data_offsets":[{begin},{end}]}}')
    text = f"{{{','.join(entries)}}}".encode()
    text += b" " * (-len(text) % 8)
    return b"".join([len(text).to_bytes(8, "little"), text, *(content for _, _, content in arrays.values())])


def _is_vast(shape: Iterable[int]) -> bool:
    return math.prod(max(1, side) for side in shape) > MAX_ELEMENTS


def _arrays(blob: bytes) -> dict[str, Any]:
    try:
        entries = safetensors.deserialize(blob)  # type: ignore[no-untyped-call]
    except BaseException as error:  # SafetensorError, or its name in a future version
        # short of memory it panics, which is no Exception; that is nobody's frame's fault
        if isinstance(error, MemoryError) or not isinstance(error, Exception):
            raise MemoryError("there is no room to decode it") from None
        raise WireError(f"the blob is not safetensors: {str(error)[:200]}") from None
    arrays: dict[str, Any] = {}
    for key, entry in entries:
        name, shape, data = _BACK.get(entry["dtype"]), entry["shape"], entry["data"]
        if name is None:
            raise WireError(f"an array of dtype {entry['dtype']}")
        if len(shape) > MAX_DIMENSIONS + 1:
            raise WireError(f"an array of {len(shape)} dimensions")
        if _is_vast(shape):
            raise WireError(f"an array of shape {shape}")
        if math.prod(shape) * DTYPES[name][1] != len(data):
            raise WireError(f"an array of shape {shape} in {len(data)} bytes")
        arrays[key] = np.frombuffer(bytearray(data), dtype=dtype_of(name)).reshape(shape)
    return arrays


def dtype_of(name: str) -> Any:
    """The NumPy dtype of one of our names."""
    if name == "bfloat16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return _DTYPES[name]


class _Reading:
    """A frame on its way in: the arrays that nothing has named yet, and how many values have been counted."""

    __slots__ = ("arrays", "nodes")

    def __init__(self, arrays: dict[str, Any]) -> None:
        self.arrays, self.nodes = arrays, 0


def _value(tree: Any, reading: _Reading, depth: int) -> Any:
    reading.nodes += 1
    if depth > MAX_DEPTH or reading.nodes > MAX_NODES:
        raise _too_many(depth)
    class_ = type(tree)
    if class_ is str or class_ is bool or class_ is int or tree is None:
        return tree
    if class_ is float:
        if not math.isfinite(tree):
            raise WireError("a bare non-finite number")
        return tree
    if class_ is not dict or not 1 <= len(tree) <= 2:
        raise WireError("a node of an unknown kind")
    try:
        return _node(tree, reading, depth)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        if isinstance(error, WireError):
            raise
        raise WireError(f"a malformed node: {str(error)[:200]}") from None


def _node(tree: dict[str, Any], reading: _Reading, depth: int) -> Any:
    if "a" in tree:
        array = reading.arrays.pop(tree["a"])
        if "z" not in tree:
            return array
        return array.view(np.dtype({"complex64": "complex64", "complex128": "complex128"}[tree["z"]]))[..., 0]
    if len(tree) != 1:
        raise WireError("a node of two kinds")
    ((tag, content),) = tree.items()
    if tag == "d":
        return {key: _value(item, reading, depth + 1) for key, item in content.items()}
    if tag == "l":
        return [_value(item, reading, depth + 1) for item in _listed(content)]
    if tag == "t":
        return tuple([_value(item, reading, depth + 1) for item in _listed(content)])
    if tag in ("m", "s"):
        items = [_value(item, reading, depth + 1) for item in _keyed(content)]
        return dict(items) if tag == "m" else set(items)
    if tag == "i":
        return int(_short(content), 16)
    if tag == "f":
        return float(_short(content))
    if tag == "z":
        return complex(float(_short(content[0])), float(_short(content[1])))
    raise WireError(f"a node of unknown kind {str(tag)[:20]!r}")


def _listed(content: Any) -> list[Any]:
    if type(content) is not list:
        raise WireError("a list that is no list")
    return content


def _keyed(content: Any) -> list[Any]:
    # attack: keys that all have one hash, so that to collect them takes the square of their number.
    # defence: few keys. Strings need no cap: their hashes are salted.
    if len(_listed(content)) > MAX_KEYS:
        raise OverCap(f"more than {MAX_KEYS} keys")
    return _listed(content)


def _short(content: Any) -> str:
    if type(content) is not str or len(content) > 2100:
        raise WireError("a number that is no short string")
    return content
