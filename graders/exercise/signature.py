"""The types of `[signature]`: those of an exercise's arguments and of its return value, with named dimensions.

`float32[N, T]` is an array; a dimension is an integer, a name, or a product (`T*d_model`). `int`, `float`, `bool`
and `str` are Python's; `tuple[a, b]` and `dict[str, a]` nest. An `int` argument named like a dimension fixes its size,
so that `returns = "float32[T*d_model]"` is known once `T` and `d_model` are.
"""

import ast
import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from graders.inside.wire import DTYPES

SCALARS: dict[str, type] = {"int": int, "float": float, "bool": bool, "str": str}
WIDE = frozenset({"int64", "uint64", "float64", "complex128"})
Dims = dict[str, int]


@dataclass(frozen=True)
class Scalar:
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Array:
    dtype: str
    dims: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.dtype}[{', '.join(self.dims)}]"

    def dims_text(self) -> str:
        """`(N, T, d_model)`; a single dimension has Python's comma: `(N,)`."""
        return f"({self.dims[0]},)" if len(self.dims) == 1 else f"({', '.join(self.dims)})"


@dataclass(frozen=True)
class Tuple:
    items: tuple["Type", ...]

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.items))}]"


@dataclass(frozen=True)
class Dict:
    value: "Type"

    def __str__(self) -> str:
        return f"dict[str, {self.value}]"


Type = Scalar | Array | Tuple | Dict


@dataclass(frozen=True)
class Parameter:
    name: str
    type: str
    parsed: Type


@dataclass(frozen=True)
class Signature:
    parameters: tuple[Parameter, ...]
    returns: str
    parsed_returns: Type

    def text(self, entry: str) -> str:
        """`entry(positions: float32[N, T], …) -> float32[N, T, d_model]`."""
        parameters = ", ".join(f"{parameter.name}: {parameter.type}" for parameter in self.parameters)
        return f"{entry}({parameters}) -> {self.returns}"

    @property
    def is_wide(self) -> bool:
        """Whether an array of 64-bit numbers is declared. JAX has those only in a special mode."""
        types = [*(parameter.parsed for parameter in self.parameters), self.parsed_returns]
        return any(array.dtype in WIDE for type_ in types for array in arrays_in(type_))

    def bind(self, inputs: dict[str, Any]) -> Dims:
        """Check one case's inputs against the declared types. Returns the dimensions that they fix.

        Raises ValueError, in words, when a name, a dtype or a shape differs from the declaration.
        """
        names = [parameter.name for parameter in self.parameters]
        if sorted(inputs) != sorted(names):
            raise ValueError(f"has the inputs {sorted(inputs)}, the signature declares {names}")
        dims: Dims = {}
        for parameter in self.parameters:
            match(parameter.parsed, inputs[parameter.name], dims, parameter.name)
        return dims


def arrays_in(declared: Type) -> list[Array]:
    """The arrays of a type, at any depth."""
    match declared:
        case Array():
            return [declared]
        case Tuple(items=items):
            return [array for item in items for array in arrays_in(item)]
        case Dict(value=value):
            return arrays_in(value)
    return []


class Misfit(ValueError):
    """An array whose axis `axis` has a different size than `dim` was fixed to."""

    def __init__(self, text: str, dim: str, axis: int, expected: int, size: int) -> None:
        super().__init__(text)
        self.dim, self.axis, self.expected, self.size = dim, axis, expected, size


def parse_type(text: str) -> Type:
    """Read one type. Raises ValueError, which names what is not understood."""
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise ValueError(f"cannot read the type {text!r}") from None
    return _type(node, text)


def _type(node: ast.expr, text: str) -> Type:
    match node:
        case ast.Name(id=name) if name in SCALARS:
            return Scalar(name)
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)):
            return Tuple(tuple(_type(item, text) for item in items))
        case ast.Subscript(value=ast.Name(id="tuple"), slice=item):
            return Tuple((_type(item, text),))
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[ast.Name(id="str"), value])):
            return Dict(_type(value, text))
        case ast.Subscript(value=ast.Name(id=dtype), slice=ast.Tuple(elts=dims)) if dtype in DTYPES:
            return Array(dtype, tuple(_dim(dim, text) for dim in dims))
        case ast.Subscript(value=ast.Name(id=dtype), slice=dim) if dtype in DTYPES:
            return Array(dtype, (_dim(dim, text),))
    known = ", ".join([*SCALARS, "tuple[…]", "dict[str, …]", *(f"{dtype}[…]" for dtype in DTYPES)])
    raise ValueError(f"does not know the type {ast.unparse(node)!r} in {text!r}; use one of {known}")


def _dim(node: ast.expr, text: str) -> str:
    match node:
        case ast.Constant(value=int(size)) if size >= 0:
            return str(size)
        case ast.Name(id=name):
            return name
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return f"{_dim(left, text)}*{_dim(right, text)}"
    raise ValueError(f"{ast.unparse(node)!r} in {text!r} is not a dimension: use an integer, a name or a product")


def dim_size(dim: str, dims: Dims) -> int | None:
    """The size of a dimension such as `T*d_model`, or None where a name is not in `dims`."""
    sizes = [int(factor) if factor.isdigit() else dims.get(factor) for factor in dim.split("*")]
    return None if None in sizes else math.prod(size for size in sizes if size is not None)


def match(declared: Type, value: Any, dims: Dims, where: str) -> None:
    """Check `value` (plain Python and NumPy) against `declared`, binding names in `dims`; ValueError if it differs."""
    if isinstance(declared, Scalar):
        if type(value) is not SCALARS[declared.name]:
            raise ValueError(f"{where} is declared {declared} but is {describe(value)}")
        if isinstance(value, int) and declared.name == "int" and where.isidentifier():
            dims.setdefault(where, value)
    elif isinstance(declared, Tuple):
        if not isinstance(value, tuple | list) or len(value) != len(declared.items):
            raise ValueError(f"{where} is declared {declared} but is {describe(value)}")
        for position, (item, type_) in enumerate(zip(value, declared.items, strict=True)):
            match(type_, item, dims, f"{where}[{position}]")
    elif isinstance(declared, Dict):
        if not isinstance(value, dict):
            raise ValueError(f"{where} is declared {declared} but is {describe(value)}")
        for key, item in value.items():
            match(declared.value, item, dims, f"{where}[{key!r}]")
    else:
        _match_array(declared, value, dims, where)


def _match_array(declared: Array, value: Any, dims: Dims, where: str) -> None:
    if not isinstance(value, np.ndarray):
        raise ValueError(f"{where} is declared {declared} but is {describe(value)}")
    if value.dtype.name != declared.dtype:
        raise ValueError(f"{where} is declared {declared} but has dtype {value.dtype.name}")
    if value.ndim != len(declared.dims):
        raise ValueError(f"{where} is declared {declared} but has shape {value.shape}")
    for axis, (dim, size) in enumerate(zip(declared.dims, value.shape, strict=True)):
        if re.fullmatch(r"[A-Za-z_]\w*", dim):
            expected: int | None = dims.setdefault(dim, size)
        else:
            expected = dim_size(dim, dims)
        if expected is not None and expected != size:
            text = f"{where} is declared {declared} but has shape {value.shape}: {dim} is {expected} elsewhere"
            raise Misfit(text, dim, axis, expected, size)


def describe(value: Any) -> str:
    """What a value is, in a few words for a student: `an array float32 (2, 4)`, `None`, `a list of 3`."""
    if isinstance(value, np.ndarray):
        return f"an array {value.dtype.name} {value.shape}"
    if value is None:
        return "None"
    if isinstance(value, list | tuple | dict):
        return f"a {type(value).__name__} of {len(value)}"
    class_name = type(value).__name__
    return f"{'an' if class_name[0] in 'aeiou' else 'a'} {class_name}"
