"""Edits of dtypes: an array made without one, or with another than the one that is asked for."""

import ast
from collections.abc import Iterator

from graders.reasons.repairs.edit import Edit, calls, changed, name_of, text_of, with_argument
from graders.reasons.source.program import Program, dotted

# where the dtype stands among the arguments, and whether it is float64 in NumPy where none is given
_MAKERS = {"zeros": 1, "ones": 1, "empty": 1, "full": 2, "array": 1, "asarray": 1}
_OF_FLOATS = {"zeros", "ones", "empty", "eye", "identity", "linspace"}
_SCALARS = {"sqrt", "log", "exp", "sin", "cos", "float64"}
_WIDE, _NARROW = {"float", "float64", "double"}, {"float32", "single"}


def dtypes(program: Program, framework: str) -> Iterator[Edit]:
    """For NumPy and PyTorch: what JAX makes is float32 whatever is asked for."""
    module = {"numpy": "np", "torch": "torch"}.get(framework)
    if module is None:
        return
    default, other = ("float64", "float32") if module == "np" else ("float32", "float64")
    for call in calls(program):
        name = name_of(call)
        given = _dtype_of(call, name)
        if given is not None:
            known = dotted(given).rpartition(".")[2]
            others = ("float32",) if known in _WIDE else ("float64",) if known in _NARROW else ("float32", "float64")
            for width in others if name in _MAKERS else ():
                new = f"{module}.{width}"
                yield changed("dtype_given", given, new, (text_of(call), with_argument(call, given, new)))
        elif name in _OF_FLOATS and dotted(call.func) == f"{module}.{name}":
            new = f"{text_of(call)[:-1]}, dtype={module}.{other})"
            kind = "dtype_default_double" if default == "float64" else "dtype_default_single"
            yield changed(kind, call, new)
        elif name in _SCALARS and module == "np" and isinstance(program.parents.get(call), ast.BinOp):
            yield changed("scalar_dtype", call, f"np.float32({text_of(call)})")


def _dtype_of(call: ast.Call, name: str) -> ast.expr | None:
    named = next((keyword.value for keyword in call.keywords if keyword.arg == "dtype"), None)
    place = _MAKERS.get(name)
    return named or (call.args[place] if place is not None and len(call.args) > place else None)
