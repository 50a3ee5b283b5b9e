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
from typing import Any

import numpy as np
import safetensors

from graders.inside import where

HEADER = struct.Struct(">II")
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
# To ask a dtype for its name runs NumPy's own Python, on the way of every array
_NAMES = {np.dtype(name): name for name in DTYPES if name != "bfloat16"}

# number in the blob → (safetensors' dtype, shape as written, the bytes)
Arrays = dict[str, tuple[str, list[int], bytes]]


class WireError(ValueError):
    """A frame or a value that does not follow the format. On the trusted side that is the box's fault, never ours."""


class OverCap(WireError):
    """A value or a frame over its cap."""


def encode(message: dict[str, Any], cap: int | None = None) -> bytes:
    """A frame of `message`, whose values may be None, bool, int, float, complex, str, list, tuple, set, dict and
    np.ndarray.

    Raises WireError for any other value, OverCap when the frame exceeds `cap` bytes.
    """
    arrays: Arrays = {}
    size = [0]
    tree = _pack(message, arrays, 0, [0], size, cap)
    text = json.dumps(tree, separators=(",", ":")).encode("utf-8", "surrogatepass")
    blob = _blob(arrays) if arrays else b""
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
        tree = json.loads(text.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise WireError(f"the envelope is not JSON: {str(error)[:200]}") from None
    arrays = _arrays(blob) if blob else {}
    message = _unpack(tree, arrays, 0, [0])
    if not isinstance(message, dict):
        raise WireError("a message is a dict")
    return message


def _count(depth: int, nodes: list[int]) -> None:
    nodes[0] += 1
    if depth > MAX_DEPTH:
        raise WireError(f"a value nested deeper than {MAX_DEPTH}")
    if nodes[0] > MAX_NODES:
        raise OverCap(f"a value of more than {MAX_NODES} parts")


def _pack(value: Any, arrays: Arrays, depth: int, nodes: list[int], size: list[int], cap: int | None) -> Any:
    _count(depth, nodes)
    class_ = type(value)
    if value is None or class_ is bool or class_ is str:
        return value
    if class_ is int:
        # JSON readers differ on large integers, and Python refuses over 4300 digits
        if value.bit_length() <= 63:
            return value
        if value.bit_length() > 8192:
            raise OverCap("an integer of more than 8192 bits")
        return {"i": hex(value)}
    if class_ is float:
        return value if math.isfinite(value) else {"f": repr(value)}
    if class_ is complex:
        return {"z": [repr(value.real), repr(value.imag)]}
    if class_ is list or class_ is tuple:
        return {"l" if class_ is list else "t": [_pack(item, arrays, depth + 1, nodes, size, cap) for item in value]}
    if class_ is dict and all(type(key) is str for key in value):
        return {"d": {key: _pack(item, arrays, depth + 1, nodes, size, cap) for key, item in value.items()}}
    if class_ is dict or class_ is set:
        if len(value) > MAX_KEYS:
            raise OverCap(f"a {class_.__name__} of more than {MAX_KEYS} items")
        items = value.items() if class_ is dict else value
        pairs = [_pack(list(item) if class_ is dict else item, arrays, depth + 1, nodes, size, cap) for item in items]
        return {"m" if class_ is dict else "s": pairs}
    if class_ is np.ndarray:
        return _pack_array(value, arrays, size, cap)
    raise WireError(f"a value of type {class_.__name__}")


def _pack_array(array: Any, arrays: Arrays, size: list[int], cap: int | None) -> Any:
    name = _NAMES.get(array.dtype) or array.dtype.name
    if name not in DTYPES:
        raise WireError(f"an array of dtype {name}")
    if array.ndim > MAX_DIMENSIONS:
        raise WireError(f"an array of {array.ndim} dimensions, the limit is {MAX_DIMENSIONS}")
    if _is_vast(array.shape):
        raise WireError(f"an array of shape {array.shape}")
    size[0] += array.nbytes
    if cap is not None and size[0] > cap:
        raise OverCap(f"{size[0]} bytes of arrays, the limit is {cap}")
    native = array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
    shape = list(native.shape)
    if name.startswith("complex"):
        shape.append(2)
    key = str(len(arrays))
    arrays[key] = (DTYPES[name][0], shape, native.tobytes())
    return {"a": key, "z": name} if name.startswith("complex") else {"a": key}


def _blob(arrays: Arrays) -> bytes:
    """As safetensors writes it: the length of a JSON header, the header, the bytes of the arrays. (The library's own
    `serialize` takes addresses, and to ask an array for its address imports half of ctypes into a box.)"""
    header: dict[str, Any] = {}
    end = 0
    for key, (dtype, shape, content) in arrays.items():
        header[key] = {"dtype": dtype, "shape": shape, "data_offsets": [end, end + len(content)]}
        end += len(content)
    text = json.dumps(header, separators=(",", ":")).encode()
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
    return np.dtype(name)


def _unpack(tree: Any, arrays: dict[str, Any], depth: int, nodes: list[int]) -> Any:
    _count(depth, nodes)
    class_ = type(tree)
    if tree is None or class_ in (bool, str, int):
        return tree
    if class_ is float:
        if not math.isfinite(tree):
            raise WireError("a bare non-finite number")
        return tree
    if class_ is not dict or not 1 <= len(tree) <= 2:
        raise WireError("a node of an unknown kind")
    try:
        return _node(tree, arrays, depth, nodes)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        if isinstance(error, WireError):
            raise
        raise WireError(f"a malformed node: {str(error)[:200]}") from None


def _node(tree: dict[str, Any], arrays: dict[str, Any], depth: int, nodes: list[int]) -> Any:
    if "a" in tree:
        array = arrays.pop(tree["a"])
        if "z" not in tree:
            return array
        return array.view(np.dtype({"complex64": "complex64", "complex128": "complex128"}[tree["z"]]))[..., 0]
    if len(tree) != 1:
        raise WireError("a node of two kinds")
    (tag, content), *_ = tree.items()
    if tag == "l":
        return [_unpack(item, arrays, depth + 1, nodes) for item in _listed(content)]
    if tag == "t":
        return tuple(_unpack(item, arrays, depth + 1, nodes) for item in _listed(content))
    if tag == "d":
        return {key: _unpack(item, arrays, depth + 1, nodes) for key, item in content.items()}
    if tag in ("m", "s"):
        items = [_unpack(item, arrays, depth + 1, nodes) for item in _keyed(content)]
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
