"""Mutants of our own code: one small fault each, such as we might make, in our own text.

What `lectern check` does to references (graders/proof/mutants.py) with other operators: a reference computes, and our
code decides, stores, waits and recovers.

branch       a condition that is always or never true; one half of an `and` or `or`; one side of an `if … else …`
negated      a condition the other way round
comparison   `<` for `<=` and for `>=`, `==` for `!=`, `in` for `not in`; `and` for `or`
constant     a number that is one more, one less or twice as much; True for False
statement    a call, a raise, a yield, a change of a variable, an early return, a `continue` or `break` that is gone
return       None for what is returned; of a function that says `-> bool`, the opposite
handler      an exception that is caught, and nothing else is done about it
arithmetic, term, slice, function, unary    as of a reference: `+` for `-`, `[:n - 1]` for `[:n]`, `min` for `max`

Nobody could tell some changes from our code, or only by repeating it. These are never made, by rule:

words        docstrings, messages, types and annotations, `if TYPE_CHECKING`, `__repr__`
log          what is logged
pauses       how long, and whether, we sleep or wait before we look again
amounts      the value of a constant whose name says a unit (`RETRY_SECONDS`, `TEXT_CHARACTERS`): each is a choice, made
             in one place. Where it is used is changed like everything else
unseen       `durable=` (only a power cut shows it), `daemon=` (only the end of the process), `repr=`, `timeout=`,
             `synchronize_session=` (what a session that ends there knows)
columns      how a column is declared, but for its default: migrations make the tables
"""

import ast
import random
from collections.abc import Mapping

from graders.proof.mutants import Finder, Mutant, mutants_by

_LOGS = frozenset({"log", "logger", "logging"})
_PAUSES = frozenset({"sleep", "wait", "join"})
_UNITS = ("_SECONDS", "_MS", "_HOURS", "_DAYS", "_BYTES", "_KB", "_MB", "_CHARACTERS")
_UNSEEN = frozenset({"durable", "daemon", "repr", "timeout", "synchronize_session"})
_SWAPPED = frozenset({"min", "max", "any", "all"})

Function = ast.FunctionDef | ast.AsyncFunctionDef


def mutants_of_code(source: str) -> list[Mutant]:
    """Every mutant of a module of ours, in the order of its lines, no two alike."""
    finder = CodeFinder(source)
    return mutants_by(finder, finder.found())


def sample(sources: Mapping[str, str], count: int, seed: str) -> list[tuple[str, Mutant]]:
    """So many mutants of these modules, by path; each change is as likely as every other, wherever it stands."""
    finders = {path: CodeFinder(text) for path, text in sources.items()}
    changes = [(path, change) for path, finder in finders.items() for change in finder.found()]
    random.Random(seed).shuffle(changes)
    chosen: dict[tuple[str, Mutant], None] = {}
    for path, change in changes:
        chosen |= dict.fromkeys((path, mutant) for mutant in mutants_by(finders[path], [change]))
        if len(chosen) >= count:
            break
    return sorted(chosen, key=lambda one: (one[0], one[1].line))


class CodeFinder(Finder, ast.NodeVisitor):
    """Notes the changes that are listed above."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.function: Function | None = None  # the innermost one around what is visited

    # -------------------------------------------------------------- statements

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._function(node)

    def _function(self, node: Function) -> None:
        if node.name == "__repr__":
            return
        around, self.function = self.function, node
        self.visit_all([default for default in [*node.args.defaults, *node.args.kw_defaults] if default is not None])
        self.visit_all(node.body)
        self.function = around

    def visit_Expr(self, node: ast.Expr) -> None:
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        if not isinstance(value, ast.Call | ast.Yield | ast.YieldFrom) or _is_log(value) or _is_pause(value):
            return
        self.note("statement", node, "pass")
        self.visit(value)

    def visit_Assign(self, node: ast.Assign) -> None:
        if any(isinstance(target, ast.Name) and _is_amount(target.id) for target in node.targets):
            return
        if any(isinstance(part, ast.Attribute) for target in node.targets for part in _parts(target)):
            self.note("statement", node, "pass")
        super().visit_Assign(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        self.note("statement", node, "pass")

    def visit_Raise(self, node: ast.Raise) -> None:
        self.note("statement", node, "pass")

    def visit_Return(self, node: ast.Return) -> None:
        assert self.function is not None
        if node is not self.function.body[-1]:
            self.note("statement", node, "pass")
        if node.value is None:
            return
        if _is_named(self.function.returns, "bool"):
            self.note("return", node.value, f"not {self.text(node.value)}")
        else:
            self.note("return", node.value, "None")
        self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" in self.plain(node.test):
            return
        self._negate(node.test)
        super().visit_If(node)

    def visit_While(self, node: ast.While) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_match_case(self, node: ast.match_case) -> None:
        if node.guard is not None:
            self._negate(node.guard)
        self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        done = [one for one in node.body if not (isinstance(one, ast.Expr) and _is_log(one.value))]
        if done and not isinstance(done[0], ast.Pass):
            start, end = self.start(node.body[0]), self.end(node.body[-1])
            self.changes.append(("handler", node.body[0].lineno, start, end, "pass"))
        self.visit_all(node.body)

    # -------------------------------------------------------------- expressions

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negate(node.test)
        super().visit_IfExp(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for condition in node.ifs:
            self._negate(condition)
        super().visit_comprehension(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = _name(node.func)
        if _is_log(node):
            return
        if name in _SWAPPED:
            self.swap_name(node.func)
        self.visit(node.func)
        is_column = name == "mapped_column"
        if not is_column and not _is_pause(node):
            self.visit_all(node.args)
        for keyword in node.keywords:
            if keyword.arg == "default" if is_column else keyword.arg not in _UNSEEN:
                self.visit(keyword.value)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.visit(node.value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for part in parts:
            if isinstance(part, ast.Slice):
                self.slice(part)
            else:
                self.visit(part)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if not isinstance(node.op, ast.BitOr) or not _is_type(node.left):
            super().visit_BinOp(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, str):
            super().visit_Constant(node)

    def _negate(self, test: ast.expr) -> None:
        self.note("negated", test, f"not {self.text(test)}")


def _parts(target: ast.expr) -> list[ast.expr]:
    """What is assigned to, one by one: of `a, b.c = …` they are two."""
    return target.elts if isinstance(target, ast.Tuple) else [target]


def _name(function: ast.expr) -> str:
    """The last name of `a.b.c`."""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _is_named(node: ast.expr | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_log(node: ast.AST) -> bool:
    """`log.error(…)`"""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in _LOGS
    )


def _is_pause(node: ast.AST) -> bool:
    """`time.sleep(0.5)`, `self._ended.wait(1)`, `thread.join(5)`; but not `", ".join(words)`, which is no wait."""
    if not isinstance(node, ast.Call) or _name(node.func) not in _PAUSES:
        return False
    of = node.func.value if isinstance(node.func, ast.Attribute) else None
    return not isinstance(of, ast.Constant | ast.JoinedStr)


def _is_amount(name: str) -> bool:
    return name.isupper() and name.endswith(_UNITS)


def _is_type(node: ast.expr) -> bool:
    """Of `A | B | None`, the first: a class, by its capital letter."""
    while isinstance(node, ast.BinOp):
        node = node.left
    return _name(node)[:1].isupper() and not _name(node).isupper()
