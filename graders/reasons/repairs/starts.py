"""Edits of where a search starts: a largest number that starts above all others, a smallest one that starts below."""

import ast
from collections.abc import Iterator

from graders.reasons.repairs.edit import Edit, in_functions, name_of, start_of, whole_number
from graders.reasons.source.program import Function, Program, names_of, stored

_LARGEST = {"max", "maximum", "fmax"}
_SMALLEST = {"min", "minimum", "fmin"}


def starts(program: Program, framework: str) -> Iterator[Edit]:
    """`best = 0` above a search for the largest, with -inf in its place; for the smallest, inf."""
    for node in in_functions(program):
        function = program.function_of(node)
        if not isinstance(node, ast.Assign) or function is None or len(node.targets) != 1:
            continue
        for target, value in _given(node.targets[0], node.value):
            for kind, new in _searches(function, target.id):
                for start in (new, *_nearer(kind, value)):
                    yield Edit(kind, start_of(value)[0], target.id, start, ((value, start),))


def _given(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.Name, ast.expr]]:
    """The names that get a number in an assignment, also in one of several names at once."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for pair in zip(target.elts, value.elts, strict=True):
            yield from _given(*pair)
    elif isinstance(target, ast.Name) and _is_number(value):
        yield target, value


def _is_number(node: ast.expr) -> bool:
    number = node.operand if isinstance(node, ast.UnaryOp) else node
    return whole_number(node) is not None or (isinstance(number, ast.Constant) and type(number.value) is float)


def _nearer(kind: str, value: ast.expr) -> Iterator[str]:
    """0 for a start beyond it: where infinities are among the values, an infinite start may not do."""
    is_negative = isinstance(value, ast.UnaryOp)
    is_zero = isinstance(value, ast.Constant) and not value.value
    if not is_zero and is_negative == (kind == "start_low"):
        yield "0.0"


def _searches(function: Function, name: str) -> Iterator[tuple[str, str]]:
    """The kind and the right start of each search that the name is for."""
    called = {
        name_of(node)
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and any(_is_name(argument, name) for argument in node.args)
    }
    compared = set(_compared(function, name))
    if called & _LARGEST or "largest" in compared:
        yield "start_high", "float('-inf')"
    if called & _SMALLEST or "smallest" in compared:
        yield "start_low", "float('inf')"


def _compared(function: Function, name: str) -> Iterator[str]:
    """What `if x > name: name = x` looks for."""
    for node in ast.walk(function):
        if not isinstance(node, ast.If) or not any(name in stored(statement) for statement in node.body):
            continue
        for test in ast.walk(node.test):
            if not isinstance(test, ast.Compare) or len(test.ops) != 1:
                continue
            is_less = isinstance(test.ops[0], ast.Lt | ast.LtE)
            if not is_less and not isinstance(test.ops[0], ast.Gt | ast.GtE):
                continue
            small, large = (test.left, test.comparators[0]) if is_less else (test.comparators[0], test.left)
            if _is_name(small, name) and name not in names_of(large):
                yield "largest"
            elif _is_name(large, name) and name not in names_of(small):
                yield "smallest"


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
