"""Python text that somebody else wrote: statements as they stand in it, and the names that they use. Nothing runs."""

import ast
import builtins
import copy
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from app.content.formats.kind import NoCounterpart

BUILTINS = frozenset(dir(builtins))
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Module:
    """A Python file, parsed. `path` is how a refusal calls it."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return parsed(self.text, self.path)

    @cached_property
    def _lines(self) -> list[bytes]:
        return [line.encode() for line in self.text.split("\n")]

    @property
    def imports(self) -> dict[str, ast.stmt]:
        """For each name that the top level imports, the statement that does, for that name alone."""
        return dict(_imported(self.tree.body))

    @property
    def definitions(self) -> dict[str, ast.stmt]:
        """The functions, classes and values of the top level, by name, in their order."""
        return {name: node for node in self.tree.body for name in _defined(node)}

    def written(self, node: ast.stmt) -> str:
        """A statement as it stands in the file, or, where it was changed, as `ast` writes it."""
        part = node.value if isinstance(node, ast.Expr) else node
        text = self._segment(part)
        return text if text is not None and _same(text, node) else ast.unparse(node)

    def _segment(self, node: ast.expr | ast.stmt) -> str | None:
        first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
        if first is None or last is None or last > len(self._lines):
            return None
        lines = self._lines[first - 1 : last]
        lines[-1] = lines[-1][: node.end_col_offset]
        indent = lines[0][: node.col_offset].decode(errors="replace")
        lines[0] = lines[0][node.col_offset :]
        if not indent.strip():
            return textwrap.dedent("\n".join([indent + lines[0].decode(), *(line.decode() for line in lines[1:])]))
        return "\n".join(line.decode() for line in lines)


def parsed(text: str, path: str) -> ast.Module:
    """Raises NoCounterpart for what is no Python."""
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise NoCounterpart(f"{path} does not compile: {error.msg}, line {error.lineno}.") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise NoCounterpart(f"{path} cannot be parsed: {error}.") from None


def is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def names_in(nodes: Iterable[ast.AST]) -> set[str]:
    """Every name that the nodes mention."""
    return {node.id for root in nodes for node in ast.walk(root) if isinstance(node, ast.Name)}


def modules_in(trees: Iterable[ast.AST]) -> set[str]:
    """Every module that the trees import."""
    nodes = [node for tree in trees for node in ast.walk(tree)]
    found = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    return found | {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}


def stub_of(module: Module, names: Iterable[str]) -> str:
    """The named functions and classes without their bodies: a starter where there is none that compiles."""
    found = module.definitions
    return "\n\n".join(ast.unparse(ast.fix_missing_locations(_emptied(found[name]))) for name in names if name in found)


def _emptied(node: ast.stmt) -> ast.stmt:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        empty = copy.copy(node)
        empty.body, empty.decorator_list = [ast.Pass()], []
        return empty
    if isinstance(node, ast.ClassDef):
        empty_class = copy.copy(node)
        empty_class.body = [_emptied(inner) for inner in node.body if isinstance(inner, ast.FunctionDef)]
        empty_class.body = empty_class.body or [ast.Pass()]
        return empty_class
    return ast.Assign(targets=[ast.Name(name, ast.Store()) for name in _defined(node)], value=ast.Constant(None))


def pieces_of(text: str) -> list[str]:
    """The statements of the top level that compile, each as it is written, where the whole does not."""
    lines = text.split("\n")
    starts = [n for n, line in enumerate(lines) if re.match(r"[^\s#)\]}]", line)]
    pieces = ["\n".join(lines[start:end]) for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)]
    return [piece.rstrip() for piece in pieces if is_python(piece)]


def _imported(body: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    for node in body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname or alias.name).partition(".")[0], ast.Import([alias])
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, ast.ImportFrom(node.module, [alias], node.level)
        elif isinstance(node, ast.Try):
            yield from _imported(node.body)


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, Definition):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    return []


def _same(text: str, node: ast.stmt) -> bool:
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return False
    return len(body) == 1 and ast.dump(body[0]) == ast.dump(node)
