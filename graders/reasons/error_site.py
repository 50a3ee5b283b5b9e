"""What the source shows around the line of an error, so that a sentence about it names only what is there.

attack: a source that takes a minute to parse, or that ends the process: nested thousands deep, or megabytes long.
defence: only a short source is parsed (MAX_SOURCE). Python's parser refuses deep nesting by itself, and nothing
         here calls itself. What cannot be parsed counts as a source that shows nothing.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

MAX_SOURCE = 20_000  # characters of a source that is parsed
MAX_TEXT = 60  # characters of code that a sentence quotes
MAX_QUOTED = 60  # nodes of code that a sentence quotes

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_ALIASES = {
    "np": "numpy", "jnp": "jax.numpy", "F": "torch.nn.functional", "jax": "jax", "torch": "torch", "numpy": "numpy",
    "math": "math",
}  # fmt: skip


@lru_cache(maxsize=8)
def tree_of(source: str) -> ast.Module | None:
    """The source as a syntax tree; None if it is long, or cannot be parsed."""
    if len(source) > MAX_SOURCE:
        return None
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def dotted(node: ast.AST | None) -> str:
    """`np.linalg.inv` as text; of a longer expression the names after it: `.sum` for `(x + y).sum`; "" for others."""
    names: list[str] = []
    while isinstance(node, ast.Attribute) and len(names) < 10:
        names.append(node.attr)
        node = node.value
    names.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(names))


def quoted(node: ast.AST | None) -> str:
    """Short code as text, on one line; "" for code too long to quote."""
    if node is None or sum(1 for _, _ in zip(ast.walk(node), range(MAX_QUOTED + 1), strict=False)) > MAX_QUOTED:
        return ""
    try:
        text = ast.unparse(node)
    except RecursionError:
        return ""
    return text if len(text) <= MAX_TEXT and "\n" not in text and "`" not in text else ""


@dataclass(frozen=True)
class Site:
    """A source and the line of an error in it. `line` is None where no line of the source is known to raise it."""

    source: str
    line: int | None

    @cached_property
    def tree(self) -> ast.Module | None:
        return tree_of(self.source)

    @cached_property
    def statements(self) -> tuple[ast.stmt, ...]:
        """The statements that contain the line, the outermost first."""
        if self.tree is None or self.line is None:
            return ()
        found: list[ast.stmt] = []
        pending: list[ast.stmt] = list(self.tree.body)
        while inner := [each for each in pending if _begins(each) <= self.line <= (each.end_lineno or 0)]:
            found += inner
            pending = [each for outer in inner for each in _inner(outer)]
        return tuple(found)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All expressions of the statement at the line; of an `if`, a loop or a `with`, those before its colon."""
        found: list[ast.AST] = []
        for statement in self.statements:
            if isinstance(statement, Definition) and statement is not self.statements[-1]:
                continue
            for child in ast.iter_child_nodes(statement):
                if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                    continue
                if self._on_the_line(child) or statement is self.statements[-1]:
                    found += ast.walk(child)
        return tuple(found)

    @cached_property
    def heads(self) -> tuple[ast.stmt, ...]:
        """The statements that run at the line themselves: not those that only contain it."""
        return tuple(
            each
            for each in self.statements
            if each is self.statements[-1]
            or any(self._on_the_line(child) for child in ast.iter_child_nodes(each) if isinstance(child, ast.expr))
        )

    def _on_the_line(self, node: ast.AST) -> bool:
        begins, ends = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
        return begins is not None and ends is not None and self.line is not None and begins <= self.line <= ends

    @property
    def calls(self) -> tuple[ast.Call, ...]:
        return tuple(node for node in self.nodes if isinstance(node, ast.Call))

    def calls_of(self, *names: str) -> tuple[ast.Call, ...]:
        """The calls on the line whose function's last name is one of `names`."""
        return tuple(call for call in self.calls if dotted(call.func).rpartition(".")[2] in names)

    @cached_property
    def function(self) -> Function | None:
        """The innermost function whose body contains the line."""
        inside = [each for each in self.statements[:-1] if isinstance(each, Function)]
        return inside[-1] if inside else None

    @cached_property
    def owner(self) -> ast.ClassDef | None:
        """The innermost class around the line."""
        classes = [each for each in self.statements if isinstance(each, ast.ClassDef)]
        return classes[-1] if classes else None

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        return tuple(node for node in ast.walk(self.tree) if isinstance(node, Definition)) if self.tree else ()

    def classes(self, name: str) -> tuple[ast.ClassDef, ...]:
        return tuple(each for each in self.definitions if isinstance(each, ast.ClassDef) and each.name == name)

    def functions(self, name: str) -> tuple[Function, ...]:
        return tuple(each for each in self.definitions if isinstance(each, Function) and each.name == name)

    @cached_property
    def methods(self) -> frozenset[str]:
        """The names of all functions that the source defines in classes."""
        classes = [each for each in self.definitions if isinstance(each, ast.ClassDef)]
        return frozenset(inner.name for each in classes for inner in each.body if isinstance(inner, Function))

    @cached_property
    def bound(self) -> frozenset[str]:
        """All names that the source gives a value: variables, parameters, functions, classes, imports."""
        return frozenset(name for node in ast.walk(self.tree) for name in _binds(node)) if self.tree else frozenset()

    @cached_property
    def words(self) -> frozenset[str]:
        """All names in the source, of variables and of attributes."""
        found: set[str] = set(self.bound)
        for node in ast.walk(self.tree) if self.tree else ():
            if isinstance(node, ast.Name):
                found.add(node.id)
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
        return frozenset(found)

    @cached_property
    def aliases(self) -> dict[str, str]:
        """Modules by the names that the source calls them: np is numpy. Usual names count where nothing binds them."""
        found = {short: module for short, module in _ALIASES.items() if short not in self.bound}
        for node in ast.walk(self.tree) if self.tree else ():
            if isinstance(node, ast.Import):
                found |= {alias.asname: alias.name for alias in node.names if alias.asname}
                found |= {top: top for alias in node.names if not alias.asname and (top := alias.name.split(".")[0])}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        return found

    def imported(self, module: str) -> str | None:
        """The name by which the source has imported `module`, if it has."""
        for node in ast.walk(self.tree) if self.tree else ():
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name == module:
                        return alias.asname or alias.name
        return None

    def module_of(self, node: ast.AST) -> str:
        """The module that `np.linalg` in `np.linalg.inv` is, by its full name; "" if it is no module."""
        if not isinstance(node, ast.Attribute):
            return ""
        first, _, rest = dotted(node.value).partition(".")
        module = self.aliases.get(first, "")
        return f"{module}.{rest}" if module and rest else module

    def origin(self, node: ast.AST | None) -> ast.AST | None:
        """The expression that a name was given, if it was given one only; any other node itself."""
        for _ in range(3):
            if not isinstance(node, ast.Name) or (value := self._value_of(node.id)) is None:
                return node
            node = value
        return node

    def _value_of(self, name: str) -> ast.expr | None:
        last = self.statements[-1] if self.statements else None
        for scope in (self.function, self.tree):
            if scope is None:
                continue
            binding = [node for node in _in_scope(scope) if name in _binds(node) and node is not last]
            if binding:
                only = binding[0] if len(binding) == 1 else None
                return only.value if isinstance(only, ast.Assign) and isinstance(only.targets[0], ast.Name) else None
        return None


@lru_cache(maxsize=16)
def site_of(source: str, line: int | None) -> Site:
    """One site for all rules that look at the same error."""
    return Site(source, line)


def fields_of(owner: ast.ClassDef) -> frozenset[str]:
    """The names that a class's body gives a type: the fields of a dataclass, and of a Flax module."""
    return frozenset(
        each.target.id for each in owner.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    )


def plain_values_of(owner: ast.ClassDef) -> frozenset[str]:
    """The names that a class's body gives a value and no type."""
    return frozenset(
        target.id
        for each in owner.body
        if isinstance(each, ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name)
    )


def methods_of(owner: ast.ClassDef) -> dict[str, Function]:
    return {each.name: each for each in owner.body if isinstance(each, Function)}


def attributes_of(owner: ast.ClassDef) -> frozenset[str]:
    """All that an object of the class is known to have: fields, values, methods, and what `self.name = …` sets."""
    stored = {
        node.attr
        for node in ast.walk(owner)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }
    return frozenset(stored | fields_of(owner) | plain_values_of(owner) | methods_of(owner).keys())


def is_module(owner: ast.ClassDef) -> bool:
    """Whether a class is derived from `nn.Module`, as in Flax and PyTorch."""
    return any(dotted(base).rpartition(".")[2] == "Module" for base in owner.bases)


def returns_of(function: Function) -> tuple[ast.Return, ...]:
    """The `return` statements of a function itself, not of functions inside it."""
    return tuple(node for node in _in_scope(function) if isinstance(node, ast.Return))


def yields(function: Function) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in _in_scope(function))


def _begins(statement: ast.stmt) -> int:
    decorators = statement.decorator_list if isinstance(statement, Definition) else []
    return min([statement.lineno, *(each.lineno for each in decorators)])


def _inner(statement: ast.stmt) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from child.body


def _in_scope(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function's or a module's body, without those of functions and classes inside."""
    pending = list(ast.iter_child_nodes(scope))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, Definition | ast.Lambda):
            pending += ast.iter_child_nodes(node)


def _binds(node: ast.AST) -> tuple[str, ...]:
    """The names that one node gives a value."""
    match node:
        case ast.Assign(targets=targets):
            return tuple(_stored(targets))
        case ast.AugAssign(target=ast.Name(id=name)) | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
            return (name,)
        case ast.For(target=target) | ast.AsyncFor(target=target) | ast.comprehension(target=target):
            return tuple(_stored([target]))
        case ast.NamedExpr(target=ast.Name(id=name)) | ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
            return (name,)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.withitem(optional_vars=ast.expr() as target):
            return tuple(_stored([target]))
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return tuple(alias.asname or alias.name.split(".")[0] for alias in names)
        case ast.Global(names=global_names) | ast.Nonlocal(names=global_names):
            return tuple(global_names)
    return ()


def _stored(targets: list[ast.expr]) -> Iterator[str]:
    for target in targets:
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
