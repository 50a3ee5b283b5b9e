"""A submission as a syntax tree, with what the looks ask of it.

attack: a source so deep or so large that reading it takes the judge's time, its memory or its stack.
defence: a box has compiled it before. It is read only up to MAX_CHARACTERS, MAX_NODES, MAX_STATEMENTS and
         MAX_DEPTH. A quoted part is cut from its line, and never printed from the tree.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

MAX_CHARACTERS = 24_000
MAX_NODES = 4_000
MAX_STATEMENTS = 400
MAX_DEPTH = 60  # from the file to a name in it; few programs have 20
MAX_QUOTED = 48  # characters of the student's own code within a sentence

Function = ast.FunctionDef | ast.AsyncFunctionDef
Loop = ast.For | ast.AsyncFor | ast.While
_PARTS = (ast.stmt, ast.expr, ast.excepthandler, ast.keyword, ast.arg, ast.arguments, ast.comprehension, ast.withitem)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass(frozen=True)
class Program:
    """`entries` are the functions that the exercise calls, `reached` are all whose names they use, at any remove."""

    lines: tuple[str, ...]
    tree: ast.Module
    parents: Mapping[ast.AST, ast.AST]
    entries: tuple[Function, ...]
    reached: tuple[Function, ...]

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the functions that are reached, and of the statements outside of every function."""
        return tuple(node for node in self.parents if self._is_reached(node))

    def _is_reached(self, node: ast.AST) -> bool:
        outer = [above for above in self.above(node) if isinstance(above, Function)]
        return not outer or any(function in self.reached for function in outer)

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """What the node is in, from the inside outwards."""
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    def function_of(self, node: ast.AST) -> Function | None:
        """The function that a node is directly in; None outside of all, and in a lambda or a class."""
        scope = next((above for above in self.above(node) if isinstance(above, _SCOPES)), None)
        return scope if isinstance(scope, Function) else None

    def loops_of(self, node: ast.AST) -> list[Loop]:
        """The loops of the same function that a node is in the body of, the innermost first."""
        loops: list[Loop] = []
        inner = node
        for above in self.above(node):
            if isinstance(above, _SCOPES):
                break
            if isinstance(above, Loop) and inner in above.body:
                loops.append(above)
            inner = above
        return loops

    def is_unconditional(self, node: ast.AST, within: ast.AST) -> bool:
        """Whether a statement is run each time that the body of `within`, a loop or a function, is run."""
        for above in self.above(node):
            if above is within:
                return True
            if not isinstance(above, ast.With | ast.AsyncWith):
                return False
        return False

    def own(self, function: ast.AST) -> Iterator[ast.AST]:
        """The nodes of a function, a loop or any other node, in order, without those of functions inside it."""
        pending = list(reversed(list(ast.iter_child_nodes(function))))
        while pending:
            node = pending.pop()
            yield node
            if not isinstance(node, _SCOPES):
                pending += reversed(list(ast.iter_child_nodes(node)))

    def quoted(self, node: ast.expr | ast.stmt) -> str | None:
        """The node as the student wrote it, if it is short and lies within one line; else None."""
        if node.end_lineno != node.lineno or node.end_col_offset is None or node.lineno > len(self.lines):
            return None
        line = self.lines[node.lineno - 1].encode()
        text = line[node.col_offset : node.end_col_offset].decode(errors="replace")
        return text if 0 < len(text) <= MAX_QUOTED and text.isprintable() and "`" not in text else None


def read_program(source: str, entries: Sequence[str]) -> Program | None:
    """The program, or None where it is too large or too deep to be looked at. Never raises."""
    if len(source) > MAX_CHARACTERS:
        return None
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None
    parents = _parents(tree)
    if parents is None or sum(isinstance(node, ast.stmt) for node in parents) > MAX_STATEMENTS:
        return None
    called = tuple(node for node in tree.body if isinstance(node, Function) and node.name in entries)
    return Program(tuple(source.split("\n")), tree, parents, called, tuple(_reached(tree, called, entries)))


def _parents(tree: ast.Module) -> dict[ast.AST, ast.AST] | None:
    """What each node is in, in the order of the source; None where there are too many, or they are too deep."""
    parents: dict[ast.AST, ast.AST] = {}
    pending: list[tuple[ast.AST, int]] = [(tree, 0)]
    while pending:
        node, depth = pending.pop()
        if len(parents) > MAX_NODES or depth > MAX_DEPTH:
            return None
        children = list(ast.iter_child_nodes(node))
        for child in children:
            if isinstance(child, _PARTS):
                parents[child] = node
        pending += [(child, depth + 1) for child in reversed(children)]
    return parents


def _reached(tree: ast.Module, entries: Sequence[Function], names: Sequence[str]) -> list[Function]:
    """The functions, and methods of classes, whose names are used from the entries on."""
    known = [node for node in ast.walk(tree) if isinstance(node, Function)]
    classes = {
        method: node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for method in node.body
        if isinstance(method, Function)
    }
    used = set(names)
    reached: dict[Function, None] = dict.fromkeys(entries)
    for node in tree.body:
        if not isinstance(node, Function | ast.ClassDef):
            used |= _names_in(node)
    fresh = True
    while fresh:
        for function in reached:
            used |= _names_in(function)
        found = [f for f in known if f not in reached and (f.name in used or classes.get(f) in used)]
        fresh = bool(found)
        reached |= dict.fromkeys(found)
    return list(reached)


def _names_in(node: ast.AST) -> set[str]:
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return names | {inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}


def dotted(node: ast.AST) -> str:
    """`np.linalg.norm` for an attribute of a name of a module, "" for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def names_of(node: ast.AST) -> set[str]:
    """All names that are read or written anywhere in a node."""
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def loads(node: ast.AST, name: str) -> Iterator[ast.Name]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and inner.id == name and isinstance(inner.ctx, ast.Load):
            yield inner


def stored(node: ast.AST) -> set[str]:
    """The names that get a value in a node: by `=`, `+=`, `:=`, `for`, `with`, `del`."""
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load)}
