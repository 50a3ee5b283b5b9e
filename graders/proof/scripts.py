"""What a script cannot prove, found in its syntax tree and in the reference's answers.

- `a == b` between what students made: its answer is the student's own `__eq__`, which can say anything. We compare the
  values of expression statements, so those should be written instead.
- an expression whose value is an object: it cannot leave the box, so it is not compared.

The first is a heuristic. It follows names, as the author writes them, from the entry points through assignments.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.exercise.fault import Fault

HONEST_CALLS = frozenset({"len", "int", "float", "bool", "id", "callable", "isinstance", "issubclass", "hasattr"})
MAX_FAULTS = 5  # of each kind


def script_faults(exercise: Exercise, cases: Sequence[Case], folder: Path) -> list[Fault]:
    """Warnings about the statements of all scripts, each statement once."""
    scripts = [case for case in cases if case.script is not None]
    compared = _each_once((text, case.name) for case in scripts for text in comparisons(case, exercise.entries))
    odd = _each_once((f"{text}` is {what}", case.name) for case in scripts for text, what in _not_compared(case))
    path = str(folder / "cases.py")
    return [
        *(_comparison_fault(path, text, name) for text, name in compared),
        *(_odd_fault(path, text, name) for text, name in odd),
    ]


def _comparison_fault(path: str, text: str, case: str) -> Fault:
    message = f"`{text}` in the case {case!r} asks the student's own object: its `__eq__` can answer what it likes."
    hint = "Write the values as statements of their own; they are compared with the reference's."
    return Fault("warning", path, None, "script-compares", message, hint)


def _odd_fault(path: str, text: str, case: str) -> Fault:
    message = f"`{text} in the case {case!r}, so it is not compared."
    hint = "Ask for numbers, texts, lists or arrays of it, or assign it to a name if its value does not matter."
    return Fault("warning", path, None, "script-not-compared", message, hint)


def _each_once(found: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Each text with the first case that has it, at most MAX_FAULTS."""
    first: dict[str, str] = {}
    for text, name in found:
        first.setdefault(text, name)
    return list(first.items())[:MAX_FAULTS]


def _not_compared(case: Case) -> Iterator[tuple[str, str]]:
    """The statements whose values cannot leave the box, and what these are."""
    statements = {node.lineno: node for node in ast.parse(case.script or "").body}
    for line, kind, content in case.expected:
        if kind == "odd" and line in statements:
            yield ast.unparse(statements[line]), content


def comparisons(case: Case, entries: Iterable[str]) -> Iterator[str]:
    """The comparisons that ask something of the student's, other than whether it is the same object."""
    tree = ast.parse(case.script or "")
    theirs = _names_of(tree, set(entries))
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, ops=ops, comparators=others):
                is_identity = all(isinstance(op, ast.Is | ast.IsNot) for op in ops)
                if not is_identity and any(_is_theirs(part, theirs) for part in (left, *others)):
                    yield ast.unparse(node)


def _names_of(tree: ast.Module, names: set[str]) -> set[str]:
    """`names`, and all that are made of them."""
    while True:
        found = {name for node in ast.walk(tree) for name in _made_of(node, names)}
        if found <= names:
            return names
        names = names | found


def _made_of(node: ast.AST, theirs: set[str]) -> Iterator[str]:
    match node:
        case ast.Assign(targets=targets, value=value) if _is_theirs(value, theirs):
            yield from (name for target in targets for name in _targets(target))
        case ast.AnnAssign(target=target, value=ast.expr() as value) if _is_theirs(value, theirs):
            yield from _targets(target)
        case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value) if _is_theirs(
            value, theirs
        ):
            yield from _targets(target)
        case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value) if _is_theirs(
            value, theirs
        ):
            yield from _targets(target)
        case ast.withitem(context_expr=value, optional_vars=ast.expr() as target) if _is_theirs(value, theirs):
            yield from _targets(target)
        case ast.FunctionDef(name=name, body=body) if any(_is_theirs(part, theirs) for part in body):
            yield name


def _targets(target: ast.expr) -> Iterator[str]:
    return (node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))


def _is_theirs(node: ast.AST, theirs: set[str]) -> bool:
    """Whether a value is made of one of these names, and not by a builtin that returns a number of Python's own."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in HONEST_CALLS:
            return False
        case ast.Name(id=name):
            return name in theirs
    return any(_is_theirs(child, theirs) for child in ast.iter_child_nodes(node))
