"""The types of `[signature]`: those of an exercise's arguments and of its return value, with named dimensions.

    int float number bool str complex None      Python's; a `number` is an int or a float
    float32[N, T]  float32[]  float32[...]      an array; `float[N]` and `int[N]` allow any width
    list[T]  tuple[A, B]  set[T]  dict[K, T]    any length; a tuple has the items named
    {mean: float, mode: int}                    a dict with exactly these keys
    T | None   A | B                            one of these; which one holds is fixed by the expected value
    any                                         whatever the expected value is

A name in a dimension has one size in a whole case, except inside a list, a set or a dict, where each item has its own.
An `int` argument named like a dimension fixes its size, so that `returns = "float32[T*d_model]"` is known once `T` and
`d_model` are. A name that stands in `returns` alone may have any size.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graders.exercise.dims import ANY_RANK, Dims, dim_size, is_name, names_in, read_dim
from graders.inside.wire import DTYPES

SCALARS: dict[str, type] = {
    "int": int, "float": float, "bool": bool, "str": str, "complex": complex, "number": float, "None": type(None),
}  # fmt: skip
WIDTHS = {"float": "f", "int": "iu"}  # dtypes of any width, with NumPy's kinds
WIDE = frozenset({"int64", "uint64", "float64", "complex128"})


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

    @property
    def any_rank(self) -> bool:
        return self.dims == (ANY_RANK,)

    def takes(self, dtype: Any) -> bool:
        """Whether arrays of this NumPy dtype are of this type."""
        if self.dtype in WIDTHS:
            return dtype.kind in WIDTHS[self.dtype] or (self.dtype == "float" and dtype.name == "bfloat16")
        return bool(dtype.name == self.dtype)


@dataclass(frozen=True)
class Tuple:
    items: tuple["Type", ...]

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.items))}]"


@dataclass(frozen=True)
class List:
    item: "Type"

    def __str__(self) -> str:
        return f"list[{self.item}]"


@dataclass(frozen=True)
class Set:
    item: "Type"

    def __str__(self) -> str:
        return f"set[{self.item}]"


@dataclass(frozen=True)
class Dict:
    key: "Type"
    value: "Type"

    def __str__(self) -> str:
        return f"dict[{self.key}, {self.value}]"


@dataclass(frozen=True)
class Record:
    """A dict with exactly these keys."""

    fields: tuple[tuple[str, "Type"], ...]

    def __str__(self) -> str:
        return "{" + ", ".join(f"{name}: {type_}" for name, type_ in self.fields) + "}"


@dataclass(frozen=True)
class Union:
    options: tuple["Type", ...]

    def __str__(self) -> str:
        return " | ".join(map(str, self.options))


@dataclass(frozen=True)
class Anything:
    def __str__(self) -> str:
        return "any"


Type = Scalar | Array | Tuple | List | Set | Dict | Record | Union | Anything
NONE, ANY = Scalar("None"), Anything()


@dataclass(frozen=True)
class Parameter:
    """An argument. `default` counts where `has_default`: cases may then leave the argument out."""

    name: str
    type: str
    parsed: Type
    default: Any = None
    has_default: bool = False


@dataclass(frozen=True)
class Signature:
    parameters: tuple[Parameter, ...]
    returns: str
    parsed_returns: Type
    required: int = field(init=False)  # how many arguments come before the first with a default

    def __post_init__(self) -> None:
        required = next((n for n, p in enumerate(self.parameters) if p.has_default), len(self.parameters))
        object.__setattr__(self, "required", required)

    def text(self, entry: str) -> str:
        """`entry(positions: float32[N, T], …) -> float32[N, T, d_model]`."""
        parameters = ", ".join(
            f"{parameter.name}: {parameter.type}" + (f" = {parameter.default!r}" if parameter.has_default else "")
            for parameter in self.parameters
        )
        return f"{entry}({parameters}) -> {self.returns}"

    @property
    def types(self) -> list[Type]:
        """Those of the arguments, and the one returned."""
        return [*(parameter.parsed for parameter in self.parameters), self.parsed_returns]

    @property
    def is_wide(self) -> bool:
        """Whether an array of 64-bit numbers is declared. JAX has those only in a special mode."""
        return any(array.dtype in WIDE for type_ in self.types for array in arrays_in(type_))

    def fit(self, inputs: Mapping[str, Any]) -> tuple[dict[str, Any], Dims]:
        """One case's inputs as the declared types have them, and the dimensions that they fix.

        Raises ValueError, in words, when a name, a dtype or a shape differs from the declaration.
        """
        names = [parameter.name for parameter in self.parameters]
        missing = [p.name for p in self.parameters if p.name not in inputs and not p.has_default]
        if missing or not set(inputs) <= set(names):
            raise ValueError(f"has the inputs {sorted(inputs)}, the signature declares {names}")
        dims: Dims = {}
        fitted = {p.name: match(p.parsed, inputs[p.name], dims, p.name) for p in self.parameters if p.name in inputs}
        for parameter in self.parameters:
            if parameter.name not in inputs and type(parameter.default) is int:
                dims.setdefault(parameter.name, parameter.default)
        return fitted, dims

    def bind(self, inputs: Mapping[str, Any]) -> Dims:
        """The dimensions that one case's inputs fix. Raises ValueError as `fit` does."""
        return self.fit(inputs)[1]

    def arguments(self, inputs: Mapping[str, Any]) -> list[Any]:
        """The inputs in the order of the signature. Arguments left out at the end are left out of the call; one left
        out before another is replaced by its default."""
        last = max((n for n, p in enumerate(self.parameters) if p.name in inputs), default=-1)
        return [inputs.get(parameter.name, parameter.default) for parameter in self.parameters[: last + 1]]


def arrays_in(declared: Type) -> list[Array]:
    """The arrays of a type, at any depth."""
    if isinstance(declared, Array):
        return [declared]
    return [array for part in parts_of(declared) for array in arrays_in(part)]


def parts_of(declared: Type) -> tuple[Type, ...]:
    """The types that a type is made of."""
    match declared:
        case Tuple(items=parts) | Union(options=parts):
            return parts
        case List(item=item) | Set(item=item):
            return (item,)
        case Dict(key=key, value=value):
            return (key, value)
        case Record(fields=fields):
            return tuple(type_ for _, type_ in fields)
    return ()


def has_dims(declared: Type) -> set[str]:
    """The names of all dimensions of a type."""
    return {name for array in arrays_in(declared) for dim in array.dims for name in names_in(dim)}


class Misfit(ValueError):
    """An array whose axis `axis` has a different size than `dim` was fixed to."""

    def __init__(self, text: str, dim: str, axis: int, expected: int, size: int) -> None:
        super().__init__(text)
        self.dim, self.axis, self.expected, self.size = dim, axis, expected, size


# ------------------------------------------------------------------ reading types


def parse_type(text: str) -> Type:
    """Read one type. Raises ValueError, which names what is not understood."""
    try:
        node = ast.parse(_parseable(text), mode="eval").body
    except SyntaxError:
        raise ValueError(f"cannot read the type {text!r}") from None
    return _type(node, text)


def parse_parameter(name: str, text: str) -> Parameter:
    """Read `bool = False`: a type, and perhaps a default. Raises ValueError."""
    match ast.parse("_: " + _parseable(text)).body if _is_annotation(text) else []:
        case [ast.AnnAssign(annotation=annotation, value=ast.expr() as value)]:
            declared = _type(annotation, text)
            default = _default(name, declared, value)
            return Parameter(name, ast.unparse(annotation).replace("[()]", "[]"), declared, default, True)
    return Parameter(name, text, parse_type(text))


def _is_annotation(text: str) -> bool:
    try:
        return len(ast.parse("_: " + _parseable(text)).body) == 1
    except SyntaxError:
        return False


def _default(name: str, declared: Type, node: ast.expr) -> Any:
    for child in ast.walk(node):
        if isinstance(child, ast.Name) and child.id in ("true", "false", "none", "null"):  # as TOML and JSON write them
            node = ast.parse({"true": "True", "false": "False"}.get(ast.unparse(node), "None"), mode="eval").body
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError):
        raise ValueError(f"the default {ast.unparse(node)!r} is not a plain value: use a number, a text, …") from None
    try:
        return match(declared, value, {}, f"the default of {name}")
    except ValueError as error:
        raise ValueError(str(error)) from None


def _parseable(text: str) -> str:
    """`float32[]`, which is not Python, as `float32[()]`."""
    return re.sub(r"\[\s*\]", "[()]", text.strip())


def _type(node: ast.expr, text: str) -> Type:
    match node:
        case ast.Constant(value=None):
            return NONE
        case ast.Name(id="any"):
            return ANY
        case ast.Name(id=name) if name in SCALARS:
            return Scalar(name)
        case ast.BinOp(op=ast.BitOr()):
            return Union(tuple(_options(node, text)))
        case ast.Dict(keys=[_, *_] as keys, values=values) if all(isinstance(k, ast.Name | ast.Constant) for k in keys):
            names = [key.id if isinstance(key, ast.Name) else str(getattr(key, "value", "")) for key in keys]
            return Record(tuple((name, _type(value, text)) for name, value in zip(names, values, strict=True)))
        case ast.Subscript(value=ast.Name(id=name), slice=inside):
            parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            if (read := _compound(name, parts, text)) is not None:
                return read
    known = ", ".join([*SCALARS, "any", "list[…]", "tuple[…]", "set[…]", "dict[…, …]", "{name: …}",
                       *(f"{dtype}[…]" for dtype in DTYPES)])  # fmt: skip
    raise ValueError(f"does not know the type {ast.unparse(node)!r} in {text!r}; use one of {known}")


def _compound(name: str, parts: list[ast.expr], text: str) -> Type | None:
    match name, parts:
        case "tuple", _:
            return Tuple(tuple(_type(part, text) for part in parts))
        case "list", [item]:
            return List(_type(item, text))
        case "set", [item]:
            return Set(_type(item, text))
        case "dict", [key, value]:
            return Dict(_type(key, text), _type(value, text))
        case _, [ast.Constant(value=value)] if value is ... and (name in DTYPES or name in WIDTHS):
            return Array(name, (ANY_RANK,))
        case _ if name in DTYPES or name in WIDTHS:
            return Array(name, tuple(read_dim(part, text) for part in parts))
    return None


def _options(node: ast.expr, text: str) -> Iterator[Type]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from _options(node.left, text)
        yield from _options(node.right, text)
    else:
        yield _type(node, text)


# ------------------------------------------------------------------ values of types


def match(declared: Type, value: Any, dims: Dims, where: str) -> Any:
    """`value` (plain Python and NumPy) as `declared` has it: a NumPy scalar becomes Python's where one is declared.

    Binds names in `dims`. Raises ValueError, in words, where the value is of another type.
    """
    match declared:
        case Scalar():
            return _match_scalar(declared, value, dims, where)
        case Array():
            _match_array(declared, value, dims, where)
            return value
        case Anything():
            return plain_numbers(value)
        case Union():
            return _match_option(declared, value, dims, where)
        case Tuple(items=items) if isinstance(value, tuple | list) and len(value) == len(items):
            pairs = enumerate(zip(value, items, strict=True))
            return type(value)(match(type_, item, dims, f"{where}[{n}]") for n, (item, type_) in pairs)
        case List(item=type_) if isinstance(value, tuple | list):
            return [match(type_, item, dict(dims), f"{where}[{n}]") for n, item in enumerate(value)]
        case Set(item=type_) if isinstance(value, set):
            return {match(type_, item, dict(dims), f"an item of {where}") for item in value}
        case Dict() if isinstance(value, dict):
            return {
                match(declared.key, key, dict(dims), f"a key of {where}"):
                match(declared.value, item, dict(dims), f"{where}[{key!r}]")
                for key, item in value.items()
            }  # fmt: skip
        case Record(fields=fields) if isinstance(value, dict) and value.keys() == {name for name, _ in fields}:
            return {name: match(type_, value[name], dims, f"{where}[{name!r}]") for name, type_ in fields}
    raise ValueError(f"{where} is declared {declared} but is {describe(value)}")


def resolved(declared: Type, expected: Any) -> Type:
    """The type of an expected value: which alternative holds, and what `any` stands for."""
    if isinstance(declared, Union):
        return next((resolved(option, expected) for option in declared.options if _fits(option, expected)), ANY)
    return type_of(expected) if isinstance(declared, Anything) else declared


def type_of(value: Any) -> Type:
    """The type that a value shows by itself. A list's items may each have another."""
    match value:
        case None:
            return NONE
        case np.ndarray():
            return Array(value.dtype.name, tuple(map(str, value.shape)))
        case list() | tuple():
            return List(ANY)
        case set():
            return Set(ANY)
        case dict():
            return Dict(ANY, ANY)
    return Scalar(type(value).__name__)


def plain_numbers(value: Any) -> Any:
    """A value with NumPy's scalars, at any depth, as Python's."""
    if isinstance(value, np.ndarray):
        return scalar_of(value) if value.ndim == 0 else value
    if isinstance(value, list | tuple):
        return type(value)(map(plain_numbers, value))
    if isinstance(value, dict):
        return {key: plain_numbers(item) for key, item in value.items()}
    return value


def scalar_of(value: Any) -> Any:
    """A 0-d array's number as Python's; any other value unchanged."""
    if not isinstance(value, np.ndarray) or value.ndim:
        return value
    return float(value) if value.dtype.name == "bfloat16" else value.item()


def is_scalar(name: str, value: Any) -> bool:
    """Whether a plain Python value is of the scalar type `name`. An int is a float too; a bool is never a number."""
    if name in ("float", "number"):
        return type(value) in (int, float)
    if name == "complex":
        return type(value) in (int, float, complex)
    return type(value) is SCALARS[name]


def _match_scalar(declared: Scalar, value: Any, dims: Dims, where: str) -> Any:
    number = scalar_of(value)
    if not is_scalar(declared.name, number):
        raise ValueError(f"{where} is declared {declared} but is {describe(value)}")
    if declared.name == "float":
        number = float_of(number, where)
    if declared.name == "int" and where.isidentifier():
        dims.setdefault(where, number)
    return number


def float_of(number: int | float, where: str) -> float:
    try:
        return float(number)
    except OverflowError:
        raise ValueError(f"{where} is too large for a float") from None


def _match_option(declared: Union, value: Any, dims: Dims, where: str) -> Any:
    for option in declared.options:
        bound = dict(dims)
        try:
            fitted = match(option, value, bound, where)
        except ValueError:
            continue
        dims.update(bound)
        return fitted
    raise ValueError(f"{where} is declared {declared} but is {describe(value)}")


def _fits(declared: Type, value: Any) -> bool:
    try:
        match(declared, value, {}, "")
    except ValueError:
        return False
    return True


def _match_array(declared: Array, value: Any, dims: Dims, where: str) -> None:
    if not isinstance(value, np.ndarray):
        raise ValueError(f"{where} is declared {declared} but is {describe(value)}")
    if not declared.takes(value.dtype):
        raise ValueError(f"{where} is declared {declared} but has dtype {value.dtype.name}")
    if declared.any_rank:
        return
    if value.ndim != len(declared.dims):
        raise ValueError(f"{where} is declared {declared} but has shape {value.shape}")
    for axis, (dim, size) in enumerate(zip(declared.dims, value.shape, strict=True)):
        expected = dims.setdefault(dim, size) if is_name(dim) else dim_size(dim, dims)
        if expected is not None and expected != size:
            text = f"{where} is declared {declared} but has shape {value.shape}: {dim} is {expected} elsewhere"
            raise Misfit(text, dim, axis, expected, size)


def describe(value: Any) -> str:
    """What a value is, in a few words for a student: `an array float32 (2, 4)`, `None`, `a list of 3`."""
    if isinstance(value, np.ndarray):
        return f"an array {value.dtype.name} {value.shape}"
    if value is None:
        return "None"
    if isinstance(value, list | tuple | dict | set):
        return f"a {type(value).__name__} of {len(value)}"
    class_name = type(value).__name__
    return f"{'an' if class_name[0] in 'aeiou' else 'a'} {class_name}"
