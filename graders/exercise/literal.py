"""Values as Python literals, which `own_input.read_inputs` reads back. A student starts from them to try the code on an
input of their own, so they are short, and easy to read and change."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from graders.exercise.dims import Dims, dim_size
from graders.exercise.signature import (
    Anything,
    Array,
    Dict,
    List,
    Record,
    Scalar,
    Set,
    Signature,
    Tuple,
    Type,
    Union,
    has_dims,
    resolved,
)

MAX_CHARACTERS = 1000  # of one argument: nobody reads or changes more
LINE = 60
SIZES = (None, 8, 4, 3, 2)  # dimensions are cut to these, one after the other, until everything is short enough


@dataclass(frozen=True)
class Literals:
    """A text for each argument; "" where there is no short literal for it. `is_cut`: values were made smaller."""

    texts: Mapping[str, str]
    is_cut: bool = False


def literals(signature: Signature, inputs: Mapping[str, Any], dims: Dims) -> Literals:
    """The literals of one case's inputs. Large arrays are cut along the same dimensions, so they still fit."""
    dimensions = _named_dims(signature)
    for most in SIZES:
        sizes = {name: min(size, most) if most and name in dimensions else size for name, size in dims.items()}
        texts = {
            parameter.name: _written(parameter.parsed, inputs[parameter.name], sizes, parameter.name)
            for parameter in signature.parameters
            if parameter.name in inputs
        }
        if all(text and len(text) <= MAX_CHARACTERS for text in texts.values()):
            return Literals(texts, sizes != dims)
    return Literals({name: text if len(text) <= MAX_CHARACTERS else "" for name, text in texts.items()}, True)


def example(declared: Type) -> str:
    """A small literal of a type, as an example in an error message: `[[0.0, 1.0], [2.0, 3.0]]`."""
    match declared:
        case Array(dtype=dtype, dims=dims):
            sizes = [size if (size := dim_size(dim, {})) is not None else 2 for dim in dims]
            dtype = WIDEST.get(dtype, dtype)
            if np.prod(sizes) > 16:
                return f"{'[' * len(sizes)}{_number(_zero(dtype))}, …{']' * len(sizes)}"
            return _text(np.arange(np.prod(sizes)).reshape(sizes).astype(_zero(dtype).dtype))
        case Tuple(items=items):
            return f"({', '.join(map(example, items))}{',' * (len(items) == 1)})"
        case List(item=item):
            return f"[{_quoted(item)}, {_quoted(item)}]"
        case Set(item=item):
            return f"{{{_quoted(item)}}}"
        case Dict(key=key, value=value):
            name = "'name'" if key == Scalar("str") else _quoted(key)
            return f"{{{name}: {_quoted(value)}}}"
        case Record(fields=fields):
            return "{" + ", ".join(f"{name!r}: {_quoted(type_)}" for name, type_ in fields) + "}"
        case Union(options=options):
            return example(options[0])
        case Anything():
            return "3"
        case Scalar(name=name):
            return _EXAMPLES[name]


WIDEST = {"float": "float64", "int": "int64"}  # what an array of any width is made of
_EXAMPLES = {"int": "3", "float": "0.5", "number": "0.5", "complex": "1+2j", "bool": "True", "str": "text",
             "None": "None"}  # fmt: skip


def _quoted(declared: Type) -> str:
    """An example inside another value, where a text has quotes."""
    return repr(example(declared)) if declared == Scalar("str") else example(declared)


def _zero(dtype: str) -> Any:
    return np.zeros((), dtype if dtype != "bfloat16" else "float32")


def _named_dims(signature: Signature) -> set[str]:
    """The names that are sizes of an array. Other whole numbers, such as a seed, are not cut."""
    return {name for type_ in signature.types for name in has_dims(type_)}


def _written(declared: Type, value: Any, sizes: Dims, name: str) -> str:
    """The literal, or "" where there is none, as for a complex infinity."""
    if declared == Scalar("str"):
        return str(value)  # students type a text without quotes
    try:
        return _text(_cut(declared, value, sizes, name))
    except ValueError:
        return ""


def _cut(declared: Type, value: Any, sizes: Dims, name: str) -> Any:
    match resolved(declared, value):
        case Array(dims=dims) as array:
            return value if array.any_rank else value[tuple(slice(dim_size(dim, sizes)) for dim in dims)]
        case Tuple(items=items):
            return tuple(_cut(type_, item, sizes, "") for type_, item in zip(items, value, strict=True))
        case Dict(value=type_):
            return {key: _cut(type_, item, {}, "") for key, item in value.items()}
        case Record(fields=fields):
            return {key: _cut(type_, value[key], sizes, "") for key, type_ in fields}
        case Scalar(name="int"):
            return min(value, sizes.get(name, value))
    return value


def _text(value: Any) -> str:
    """Raises ValueError for what has no literal."""
    if isinstance(value, np.ndarray):
        return _array(value, 1)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, set):
        return f"{{{', '.join(sorted(map(_text, value)))}}}" if value else "set()"
    if isinstance(value, list | tuple):
        inside = ", ".join(map(_text, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(value) == 1)})"
    return repr(value) if isinstance(value, str) or value is None else _number(value)


def _array(array: Any, depth: int) -> str:
    if array.ndim == 0:
        return _number(array[()])
    if array.ndim == 1:
        return "[" + ", ".join(map(_number, array)) + "]"
    rows = [_array(row, depth + 1) for row in array]
    line = "[" + ", ".join(rows) + "]"
    if len(line) <= LINE and "\n" not in line:
        return line
    return "[" + (",\n" + " " * depth).join(rows) + "]"


def _number(number: Any) -> str:
    """The shortest text that is this number in its own precision; `inf` and `nan`, as `literal_reader` reads them.
    Raises ValueError for complex numbers that hold them."""
    if isinstance(number, bool | np.bool_ | int | np.integer):
        return str(number)
    if isinstance(number, complex | np.complexfloating):
        if not np.isfinite(number):
            raise ValueError("no literal is this number")
        return str(number)
    return str(number)
