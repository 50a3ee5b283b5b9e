"""What JAX may compile before a submission comes: which library calls, and at which sizes.

A JAX submission spends nearly all of its time compiling, mostly library functions at the exercise's sizes. An author
names the likely ones in exercise.toml:

    [warm]
    jax = ["normal(float32[32, d_model])", "rows(float32[32, d_model], T)", "flatten(float32[T, d_model])"]

A box that waits for this exercise has made these calls (inside/warm.py) in memory. A cache on disk holds them, and the
usual calls on the arrays of the signature, for boxes that waited for another exercise. Sizes come from the *sample*
cases, which are public, as [warm] is. Nothing is read from the reference or a hidden case, here or in the box.

A hidden case may have a size that no sample has. So the cache also holds the declared calls at the sizes that anybody
would choose (COMMON_SIZES): the same for every exercise, whatever its hidden cases are.
"""

import ast
import contextlib
import hashlib
import itertools
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from graders.boxes import proc
from graders.exercise.dims import Dims, dim_size, names_in
from graders.exercise.signature import Array, Signature, arrays_in, has_dims, parse_type
from graders.inside.wire import DTYPES

ZYGOTE = Path(__file__).parent.parent / "inside" / "zygote.py"
FILL_SECONDS = 300.0
NICE = 10  # how much the process that compiles gives way to others
NICEST = 19
MAX_ELEMENTS = 1 << 20  # of one array; the box refuses more too
COMMON_SIZES = (4, 8, 2, 3, 16, 6, 10, 1, 5, 32, 12, 64)  # the likeliest first
COMMON_CALLS = 144  # of one declaration
COMMON_DECLARATIONS = 16
TWENTY_PROGRAMS = frozenset({"elementwise", "reductions"})  # to compile; of each of the others there are one to three

Argument = Array | str | int  # an array, a name (of a dtype or a dimension) or a number
Call = tuple[Any, ...]  # plain JSON: name, arguments


@dataclass(frozen=True)
class DeclaredCall:
    """A call as an author wrote it, with names for sizes."""

    name: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Warmth:
    """One exercise's calls. Boxes that wait for it make `calls`; `fill` goes only into the cache on disk."""

    calls: tuple[Call, ...]
    fill: tuple[Call, ...]
    wide: bool

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(json.dumps([self.calls, self.fill, self.wide]).encode()).hexdigest()[:16]


def read_calls(texts: Iterable[str], signature: Signature) -> tuple[DeclaredCall, ...]:
    """Parse `[warm]`. Raises ValueError, in words, for a call outside the catalogue or an unknown size."""
    dimensions = _dimensions(signature)
    return tuple(_read_call(text, dimensions) for text in texts)


def warmth_of(declared: Sequence[DeclaredCall], signature: Signature, samples: Iterable[Dims]) -> Warmth:
    """The calls for sample cases with the dimensions `samples`, each call once."""
    calls: dict[Call, None] = {}
    fill: dict[Call, None] = {}
    arrays = [array for type_ in signature.types for array in arrays_in(type_) if array.dtype in DTYPES]
    for dims in samples:
        sample_calls = [call for declaration in declared if (call := _at(declaration, dims))]
        calls.update(dict.fromkeys(sample_calls))
        declared_arrays = [
            argument for declaration in declared for argument in declaration.arguments if isinstance(argument, Array)
        ]
        sized = {sized: None for array in [*arrays, *declared_arrays] if (sized := _sized(array, dims))}
        fill.update(dict.fromkeys(_usual(list(sized), dims)))
    return Warmth(tuple(calls), tuple(call for call in fill if call not in calls), signature.is_wide)


def at_common_sizes(declared: Sequence[DeclaredCall]) -> Iterable[tuple[Call, ...]]:
    """The calls of each declaration at sizes that a hidden case may have: one tuple a declaration, at most
    COMMON_DECLARATIONS of them."""
    found = (tuple(_at_common_sizes(declaration)) for declaration in declared)
    return itertools.islice((calls for calls in found if calls), COMMON_DECLARATIONS)


class CompileCache:
    """The cache of compiled programs, below `folder`: a separate one for each release, option and processor."""

    def __init__(self, folder: Path, *, wall_clock: Callable[[], float] = time.time) -> None:
        self.folder, self._wall_clock = folder / "jax" / _machine(), wall_clock

    def open(self) -> str:
        """The folder's path, created if needed; "" where that fails."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            # Boxes of another user read here. The folder above is closed, and nothing in here is secret.
            for folder in (self.folder.parent, self.folder):
                folder.chmod(0o755)
            return str(self.folder)
        except OSError:
            return ""  # a cache that cannot be written is only slower

    def fill(self, calls: Sequence[Call], wide: bool, nice: int = NICE) -> subprocess.Popen[bytes] | None:
        """Begin to compile `calls` into the cache, in a separate process; None when they are already there. Raises
        OSError where no process can be started."""
        if not calls or not self.open() or self.has(calls, wide):
            return None
        for left in self.folder.parent.glob("tmp*"):  # by a process that was killed
            with contextlib.suppress(OSError):
                if left.stat().st_mtime < self._wall_clock() - 2 * FILL_SECONDS:
                    shutil.rmtree(left)
        config = json.dumps({"framework": "jax", "fill": calls, "wide": wide, "cache": str(self.folder), "nice": nice})
        # It runs only our own code on a few numbers, so it needs no box. The zygote's program, for the same options.
        return subprocess.Popen(
            [sys.executable, "-I", "-B", str(ZYGOTE), config],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env={}, cwd="/", start_new_session=True,
        )  # fmt: skip

    def has(self, calls: Sequence[Call], wide: bool) -> bool:
        """Whether all of them were compiled."""
        return self._marker(calls, wide).exists()

    def filled(self, calls: Sequence[Call], wide: bool) -> None:
        """Record that `calls` are in the cache."""
        try:
            self._marker(calls, wide).touch()
        except OSError:
            pass

    def _marker(self, calls: Sequence[Call], wide: bool) -> Path:
        digest = hashlib.sha256(json.dumps([calls, wide]).encode()).hexdigest()
        return self.folder / f"{digest[:32]}.filled"


def _usual(arrays: list[tuple[str, tuple[int, ...]]], dims: Dims) -> Iterable[Call]:
    """The calls that solutions usually make on arrays of these dtypes and sizes."""
    sizes = sorted({size for size in dims.values() if 0 < size <= 4096})
    for dtype, shape in arrays:
        array = [dtype, list(shape)]
        yield _call("filled", array)
        if dtype.startswith(("float", "bfloat")):
            yield from (_call(name, array) for name in ("normal", "uniform", "elementwise"))
            yield _call("cast", array, "int32")
            if shape and 0 not in shape:
                yield _call("reductions", array)
        else:
            yield _call("cast", array, "float32")
        if len(shape) > 1:
            yield from (_call(name, array) for name in ("flatten", "transpose", "row"))
        if shape:
            yield from (_call("rows", array, size) for size in sizes if size < shape[0])
        for other, indices in arrays:
            if len(shape) == 2 and dtype.startswith("float") and shape != indices and len(indices) < 3:
                integers = other if other.startswith(("int", "uint")) else "int32"
                yield _call("take", array, [integers, list(indices)])
            if len(shape) == 2 == len(indices) and shape[1] == indices[0] and dtype == other:
                yield _call("matmul", array, [other, list(indices)])
    yield from (_call("counted", size) for size in sizes)


def _call(name: str, *arguments: Any) -> Call:
    def frozen(value: Any) -> Any:
        return tuple(frozen(item) for item in value) if isinstance(value, list | tuple) else value

    return (name, *(frozen(argument) for argument in arguments))


def _at(declared: DeclaredCall, dims: Dims) -> Call | None:
    """A declared call at the sizes of one sample case; None where the case lacks one of them."""
    arguments: list[Any] = []
    for argument in declared.arguments:
        if isinstance(argument, Array):
            sized = _sized(argument, dims)
            if sized is None:
                return None
            arguments.append(sized)
        elif isinstance(argument, str) and argument not in DTYPES:
            if argument not in dims:
                return None
            arguments.append(dims[argument])
        else:
            arguments.append(argument)
    return _call(declared.name, *arguments)


def _at_common_sizes(declared: DeclaredCall) -> Iterable[Call]:
    """A declared call at each combination of common sizes: of as many sizes as COMMON_CALLS has room for."""
    names = sorted({name for argument in declared.arguments for name in _names(argument)})
    if not names or declared.name in TWENTY_PROGRAMS:
        return
    count = max(count for count in range(1, len(COMMON_SIZES) + 1) if count ** len(names) <= COMMON_CALLS)
    for sizes in itertools.product(COMMON_SIZES[:count], repeat=len(names)):
        if (call := _at(declared, dict(zip(names, sizes, strict=True)))) is not None:
            yield call


def _names(argument: Argument) -> set[str]:
    """The dimensions that it names."""
    if isinstance(argument, Array):
        return {name for dim in argument.dims for name in names_in(dim)}
    return {argument} if isinstance(argument, str) and argument not in DTYPES else set()


def _sized(array: Array, dims: Mapping[str, int]) -> tuple[str, tuple[int, ...]] | None:
    sizes = [dim_size(dim, dict(dims)) for dim in array.dims]
    known_sizes = tuple(size for size in sizes if size is not None)
    if len(known_sizes) < len(sizes) or math.prod(known_sizes) > MAX_ELEMENTS:
        return None
    return array.dtype, known_sizes


def _dimensions(signature: Signature) -> set[str]:
    """Names that a case binds: dimensions of arrays, and `int` arguments."""
    names = {name for parameter in signature.parameters for name in has_dims(parameter.parsed)}
    return names | {parameter.name for parameter in signature.parameters if parameter.type == "int"}


def _read_call(text: str, dimensions: set[str]) -> DeclaredCall:
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise ValueError(f"cannot read {text!r}; write a call such as rows(float32[N, T], T)") from None
    name, nodes = (node.func, node.args) if isinstance(node, ast.Call) and not node.keywords else (node, [])
    if not isinstance(name, ast.Name) or name.id not in catalogue():
        raise ValueError(f"does not know the call {text!r}; use one of {', '.join(catalogue())}")
    parameters = catalogue()[name.id]
    if len(nodes) != len(parameters):
        raise ValueError(f"{name.id} takes {', '.join(parameters) or 'nothing'}, and is given {len(nodes)} in {text!r}")
    arguments = tuple(_read_argument(argument_node, text, dimensions) for argument_node in nodes)
    for parameter, argument in zip(parameters, arguments, strict=True):
        expected_type = {"count": int, "dtype": str}.get(parameter, Array)
        fits = isinstance(argument, expected_type) or (parameter == "count" and argument in dimensions)
        if not fits or (parameter == "dtype" and argument not in DTYPES):
            raise ValueError(f"{text!r}: {parameter} cannot be {argument}")
    return DeclaredCall(name.id, arguments)


def _read_argument(node: ast.expr, text: str, dimensions: set[str]) -> Argument:
    match node:
        case ast.Name(id=name) if name in DTYPES or name in dimensions:
            return name
        case ast.Constant(value=int(number)) if number > 0:
            return number
    parsed = parse_type(ast.unparse(node))
    if not isinstance(parsed, Array):
        raise ValueError(f"{ast.unparse(node)!r} in {text!r} is no array, dimension or dtype")
    for name in sorted(_names(parsed) - dimensions):
        names = ", ".join(sorted(dimensions))
        raise ValueError(f"{name!r} in {text!r} is not a dimension of the arguments: {names}")
    return parsed


@cache
def catalogue() -> dict[str, tuple[str, ...]]:
    """The library calls, with the names of their arguments. They are read from inside/warm.py, which belongs to the box
    and is not imported here."""
    body = ast.parse((ZYGOTE.parent / "warm.py").read_text()).body
    listed = next(node for node in body if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "CATALOGUE")
    return {
        node.name: tuple(argument.arg for argument in node.args.args)
        for node in body
        if isinstance(node, ast.FunctionDef) and node.lineno < listed.lineno
    }


@cache
def _machine() -> str:
    """A digest of the releases, the options and the processor that compiled programs are for."""
    features = platform.processor() + platform.machine()
    try:
        features += next((line for line in proc.lines("/proc/cpuinfo") if line.startswith(("flags", "Features"))), "")
    except OSError:
        pass
    releases = [f"{name}={version(name)}" for name in ("jax", "jaxlib", "flax", "numpy")]
    options = ZYGOTE.read_bytes() + (ZYGOTE.parent / "warm.py").read_bytes()
    description = json.dumps([releases, features, hashlib.sha256(options).hexdigest(), os.cpu_count()])
    return hashlib.sha256(description.encode()).hexdigest()[:16]
