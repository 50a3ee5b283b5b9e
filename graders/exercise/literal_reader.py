"""A literal as someone typed it, read into a value: Python's own literals, and the floats that have none.

attack:  the text is code: `__import__("os").system("…")`, or a name of the judge's.
defence: it is parsed and never evaluated. Three spellings of infinity and NaN become numbers; after that,
         `ast.literal_eval` takes nothing but literals.
"""

import ast
import math
from collections.abc import Iterator
from typing import Any

from graders.exercise.signature import Anything, Array, Scalar, Type, parts_of

# Without case, as float() reads them: `inf`, `Infinity`, `NaN`; also as `np.inf` and as `float("-inf")`.
_FLOATS = {"inf": math.inf, "infinity": math.inf, "nan": math.nan}
_MODULES = {"np", "numpy", "jnp", "math", "torch"}
_SCALARS = {"float", "number", "complex"}
_DTYPES = ("float", "bfloat", "complex")


def read_literal(text: str) -> Any:
    """Raises ValueError, with what cannot be read and what would be right."""
    try:
        tree = _Floats().visit(ast.parse(text.strip(), mode="eval"))
    except SyntaxError:
        raise ValueError(_syntax_remedy(text)) from None
    except (ValueError, MemoryError, RecursionError):
        raise ValueError("is not a Python literal such as [[0, 1], [2, 3]]") from None
    try:
        return ast.literal_eval(tree)
    except (ValueError, TypeError, MemoryError, RecursionError):
        raise ValueError(_remedy(tree)) from None


def holds_floats(declared: Type) -> bool:
    """Whether a value of this type can be, or hold, infinity or NaN."""
    match declared:
        case Array(dtype=dtype):
            return dtype.startswith(_DTYPES)
        case Scalar(name=name):
            return name in _SCALARS
        case Anything():
            return True
    return any(map(holds_floats, parts_of(declared)))


def not_finite(value: Any) -> Iterator[float]:
    """The infinities and NaNs in nested lists and tuples."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from not_finite(item)
    elif isinstance(value, float) and not math.isfinite(value):
        yield value


class _Floats(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.expr:
        return _constant(node, node.id)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        is_module = isinstance(node.value, ast.Name) and node.value.id in _MODULES
        return _constant(node, node.attr) if is_module else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str(text))], keywords=[]):
                try:
                    return ast.Constant(float(text))
                except ValueError:
                    return node
        return node


def _constant(node: ast.expr, name: str) -> ast.expr:
    number = _FLOATS.get(name.lower())
    return node if number is None else ast.Constant(number)


def _syntax_remedy(text: str) -> str:
    if text.count("[") != text.count("]"):
        return "is not a Python literal such as [[0, 1], [2, 3]]: a bracket has no partner"
    if text.strip().startswith("[") and "," not in text:
        return "is not a Python literal such as [[0, 1], [2, 3]]: put a comma between two numbers"
    return "is not a Python literal such as [[0, 1], [2, 3]]"


def _remedy(tree: ast.AST) -> str:
    """What of it is no literal, named."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name):
                return f"is not a Python literal: nothing knows the name {name[:40]!r} here; write the value itself"
            case ast.Call() | ast.BinOp() | ast.Attribute() | ast.Subscript() | ast.ListComp():
                return "is not a Python literal such as [[0, 1], [2, 3]]: nothing in it is computed"
    return "is not a Python literal such as [[0, 1], [2, 3]]"
