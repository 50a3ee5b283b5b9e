"""What a source must use or must not, held against its syntax tree before any of it runs.

A rule is plain JSON, made by graders/exercise/source_rules.py: {"required", "forms", "sentence"}. `forms` are
alternatives, each a list that begins with its kind, a function of FORMS below.

It is never the only defence: `getattr(torch, "soft" + "max")` is not found here. Cases decide what is right.
"""

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Any


def broken(tree: ast.Module, rules: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The problem that the first broken rule is, with the line where it is broken if there is one."""
    names = _Names(tree)
    for rule in rules:
        lines = [line for form in rule["forms"] for line in FORMS[form[0]](tree, names, *form[1:])]
        if rule["required"] != bool(lines):
            return {"reason": "rule", "message": rule["sentence"], "line": min(lines, default=None)}
    return None


class _Names:
    """What the names of a source stand for: imports and their aliases, and what the source defines itself."""

    def __init__(self, tree: ast.Module) -> None:
        self.imported: dict[str, str] = {}
        self.modules: list[tuple[str, int]] = []  # every dotted name that is imported, and its line
        self.starred: list[str] = []
        self.defined: set[str] = set()
        for node in ast.walk(tree):
            self._take(node)
        self.roots = {name.partition(".")[0] for name, _ in self.modules}
        for node in ast.walk(tree):  # `f = torch.softmax`: f is torch.softmax from here on
            if (
                isinstance(node, ast.Assign)
                and (full := self.full(node.value))
                and full.partition(".")[0] in self.roots
            ):
                self.imported.update({target.id: full for target in node.targets if isinstance(target, ast.Name)})

    def _take(self, node: ast.AST) -> None:
        match node:
            case ast.Import(names=aliases):
                for alias in aliases:
                    root = alias.name.partition(".")[0]
                    self.imported[alias.asname or root] = alias.name if alias.asname else root
                    self.modules.append((alias.name, node.lineno))
            case ast.ImportFrom(module=str(module), names=aliases):
                self.modules.append((module, node.lineno))
                for alias in aliases:
                    if alias.name == "*":
                        self.starred.append(module)
                    else:
                        self.imported[alias.asname or alias.name] = f"{module}.{alias.name}"
                        self.modules.append((f"{module}.{alias.name}", node.lineno))
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                self.defined.add(name)
            case ast.arg(arg=name):
                self.defined.add(name)

    def full(self, node: ast.AST) -> str | None:
        """`torch.nn.functional.softmax` for `F.softmax`; None for what is no dotted name."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        return ".".join([self.imported.get(node.id, node.id), *reversed(parts)])

    def stand_for(self, node: ast.AST) -> list[str]:
        """All that a dotted name may stand for: with `from torch import *`, `softmax` may be torch's."""
        full = self.full(node)
        if full is None:
            return []
        root = full.partition(".")[0]
        return [full, *(f"{module}.{full}" for module in self.starred if root not in self.defined)]


def _node(tree: ast.Module, names: _Names, *classes: str) -> Iterator[int]:
    """A statement or an expression by its keyword: `for` is a loop, and a comprehension's."""
    for node in ast.walk(tree):
        if type(node).__name__ in classes:
            yield getattr(node.target if isinstance(node, ast.comprehension) else node, "lineno", 1)


def _operator(tree: ast.Module, names: _Names, *classes: str) -> Iterator[int]:
    for node in ast.walk(tree):
        operators = getattr(node, "ops", None) or [getattr(node, "op", None)]
        if any(type(operator).__name__ in classes for operator in operators):
            yield getattr(node, "lineno", 1)


def _import(tree: ast.Module, names: _Names, module: str) -> Iterator[int]:
    yield from (line for name, line in names.modules if _is_in(name, module))


def _class(tree: ast.Module, names: _Names, name: str, bases: list[list[str]]) -> Iterator[int]:
    """A class of that name with all of these bases, each given by all that it may stand for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == name:
            own = [f".{full}" for base in node.bases for full in names.stand_for(base)]
            if all(any(full.endswith(f".{one}") for full in own for one in base) for base in bases):
                yield node.lineno


def _def(tree: ast.Module, names: _Names, name: str, parameters: list[str] | None) -> Iterator[int]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name != name:
            continue
        if parameters is None or parameters == names_of(node.args):
            yield node.lineno


def names_of(arguments: ast.arguments) -> list[str]:
    """The names of a function's parameters, in order, with their stars."""
    positional = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    starred = [f"*{arguments.vararg.arg}"] if arguments.vararg else []
    doubly_starred = [f"**{arguments.kwarg.arg}"] if arguments.kwarg else []
    return [*positional, *starred, *(argument.arg for argument in arguments.kwonlyargs), *doubly_starred]


def _name(tree: ast.Module, names: _Names, name: str) -> Iterator[int]:
    """A name is used, or one below it: `numpy.linalg` by `np.linalg.solve`. To import it is not to use it."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
            continue
        if isinstance(node, ast.Name) and node.id in names.defined and node.id not in names.imported:
            continue
        if any(_is_in(full, name) for full in names.stand_for(node)):
            yield node.lineno


def _method(tree: ast.Module, names: _Names, name: str) -> Iterator[int]:
    """`.softmax(` is called on a value: not on a module, and not on an object of a class that defines it itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name:
            root = (names.full(node.func) or "").partition(".")[0]
            is_own = root in ("self", "cls") and name in names.defined
            if root not in names.roots and not is_own:
                yield node.lineno


def _is_in(name: str, module: str) -> bool:
    return name == module or name.startswith(f"{module}.")


FORMS: Mapping[str, Callable[..., Iterator[int]]] = {
    "node": _node, "operator": _operator, "import": _import, "class": _class, "def": _def, "name": _name,
    "method": _method,
}  # fmt: skip
