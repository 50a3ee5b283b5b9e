"""Dimensions of `[signature]`: a whole number, a name, or an expression such as `T*d_model` or `(H - k)//s + 1`.

A dimension is kept as text. Its size follows from the sizes of the names in it.
"""

import ast
import operator
from collections.abc import Callable, Mapping
from functools import cache

Dims = dict[str, int]
ANY_RANK = "..."  # as the only dimension: any number of axes

_OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
LARGEST = 1 << 62


def read_dim(node: ast.expr, text: str) -> str:
    """The dimension of a syntax tree, as text. Raises ValueError, which quotes `text`, for anything else."""
    match node:
        case ast.Constant(value=int(size)) if size >= 0:
            return str(size)
        case ast.Name(id=name):
            return name
        case ast.BinOp(left=left, op=ast.Mult(), right=right) if _is_product(node):
            return f"{read_dim(left, text)}*{read_dim(right, text)}"
    if not _is_expression(node):
        raise ValueError(
            f"{ast.unparse(node)!r} in {text!r} is not a dimension: use an integer, a name, or an expression of both "
            "with + - * // %"
        )
    return ast.unparse(node)


def dim_size(dim: str, dims: Mapping[str, int]) -> int | None:
    """The size of a dimension such as `T*d_model`; None where a name is not in `dims`, or where no such size exists."""
    if dim == ANY_RANK:
        return None
    try:
        size = _size(_parsed(dim), dims)
    except (KeyError, ZeroDivisionError):
        return None
    return size if 0 <= size <= LARGEST else None


@cache
def names_in(dim: str) -> frozenset[str]:
    """The names that a dimension depends on."""
    if dim == ANY_RANK:
        return frozenset()
    return frozenset(node.id for node in ast.walk(_parsed(dim)) if isinstance(node, ast.Name))


def factors_of(dim: str) -> list[str]:
    """The factors of a product such as `T*d_model`; any other dimension is its own only factor."""
    return dim.split("*") if _is_product(_parsed(dim) if dim != ANY_RANK else None) else [dim]


def is_name(dim: str) -> bool:
    return dim.isidentifier()


@cache
def _parsed(dim: str) -> ast.expr:
    return ast.parse(dim, mode="eval").body


def _size(node: ast.expr, dims: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int(size)):
            return size
        case ast.Name(id=name):
            return dims[name]
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATORS[type(op)](_size(left, dims), _size(right, dims))
    raise KeyError(ast.unparse(node))


def _is_product(node: ast.expr | None) -> bool:
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return all(_is_product(side) or isinstance(side, ast.Name | ast.Constant) for side in (left, right))
    return False


def _is_expression(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=value):
            return type(value) is int
        case ast.Name():
            return True
        case ast.BinOp(left=left, op=op, right=right):
            return type(op) in _OPERATORS and _is_expression(left) and _is_expression(right)
    return False
