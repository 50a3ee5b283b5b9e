"""Edits for values that are equal: a lookup by value finds the first of them each time.

The edit gives the first time the first of them, the second time the second, and so on. If that makes every case right,
the lookup is the cause.
"""

import ast
from collections.abc import Iterator

from graders.reasons.repairs.edit import Edit, gap, in_functions, name_of, start_of, text_of
from graders.reasons.source.program import Program

_NEXT = (
    "_last = {}; _place = lambda xs, x: _last.update({(tuple(xs), x): "
    "(list(xs) * 2).index(x, _last.get((tuple(xs), x), -1) + 1) % len(xs)}) or _last[tuple(xs), x]"
)


def lookups(program: Program, framework: str) -> Iterator[Edit]:
    for node in in_functions(program):
        found = _lookup(node) if isinstance(node, ast.Call | ast.Subscript) else None
        function = program.function_of(node)
        if found is None or function is None:
            continue
        first = next((each for each in function.body if not _is_docstring(each)), None)
        for xs, x in (found, found[::-1]) if not isinstance(node, ast.Call) else (found,):
            if first is not None:
                before = f"{_NEXT}\n{' ' * first.col_offset}"
                parts = ((gap(first), before), (node, f"_place({text_of(xs)}, {text_of(x)})"))
                yield Edit("first_of_equal", start_of(node)[0], text_of(node), "", parts, hint=_name(node))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _lookup(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """Where is looked, and what for: `xs.index(x)`, `np.where(xs == x)[0][0]`, `np.argmax(xs == x)`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr == "index" and len(node.args) == 1:
            return node.func.value, node.args[0]
        if node.func.attr == "argmax":
            return _equality((node.args or [node.func.value])[0])
    inner: ast.AST = node
    while isinstance(inner, ast.Subscript) and isinstance(inner.slice, ast.Constant) and inner.slice.value == 0:
        inner = inner.value
    is_found = inner is not node and isinstance(inner, ast.Call)
    if is_found and name_of(inner) in ("where", "nonzero", "flatnonzero", "argwhere"):  # type: ignore[arg-type]
        return _equality(inner.args[0]) if inner.args else None  # type: ignore[attr-defined]
    return None


def _equality(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
        return node.left, node.comparators[0]
    return None


def _name(node: ast.AST) -> str:
    calls = [inner for inner in ast.walk(node) if isinstance(inner, ast.Call)]
    names = [name_of(call) for call in calls if name_of(call) in ("index", "where", "argmax", "nonzero", "argwhere")]
    return f"`{names[0]}`" if names else ""
