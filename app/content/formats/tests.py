"""Tests of other systems, as scripts: what they assert, or print, becomes the expressions that a script compares.

    self.assertEqual(f(2), 4)            f(2)
    assert np.allclose(f(x), [1, 2])     f(x)
    print(f(x), n)                       f(x)
    with self.assertRaises(ValueError):  f(-1), which raises: the exercise declares `raises`
        f(-1)

Of two sides that should be equal, the script keeps the one that the student's code has a part in; if that is both, it
keeps the comparison. What stands in a loop, a condition or a function is collected in the list `answers`, which the
script ends with. A value that no test looks at is not compared: `a.open()` becomes `_ = a.open()`.
"""

import ast
import copy
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from app.content.formats.source import BUILTINS, Module, modules_in, names_in

ANSWERS = "answers"
RAISED = "raised"
EQUAL = frozenset(
    f"assert{kind}Equal" for kind in ("", "List", "Dict", "Set", "Tuple", "Sequence", "MultiLine")
) | frozenset(("assert_equal", "assert_array_equal", "assert_string_equal"))
CLOSE = frozenset(
    ("assert_allclose", "assert_almost_equal", "assert_array_almost_equal", "assert_approx_equal", "assert_close")
)
SAME_VALUE = frozenset(("allclose", "array_equal", "isclose", "equal", "array_equiv"))
OPERATORS: dict[str, ast.cmpop] = {
    "assertNotEqual": ast.NotEq(),
    "assertIs": ast.Is(),
    "assertIsNot": ast.IsNot(),
    "assertIn": ast.In(),
    "assertNotIn": ast.NotIn(),
    "assertGreater": ast.Gt(),
    "assertGreaterEqual": ast.GtE(),
    "assertLess": ast.Lt(),
    "assertLessEqual": ast.LtE(),
}
OPAQUE = frozenset(("datetime", "decimal", "fractions", "uuid", "pathlib"))
KNOWN_IMPORTS = {"re": ast.Import([ast.alias("re")])}


@dataclass(frozen=True)
class Script:
    """`raises`: the exceptions that one of its expressions ends in; `checks_message`: a test looks at their text."""

    text: str
    raises: tuple[str, ...] = ()


@dataclass
class Suite:
    """A test file: what its tests may use beside their own lines.

    `entries`: the names that students define. `shared`: functions, values and methods of the tests, by name;
    `imports`: by the name that they bind. `prints`: what is printed counts, `as_text` where it is the text of objects;
    `expressions`: what stands alone, as at the end of a notebook's cell. `messages`: tests look at the text of
    exceptions, so that a test which does not must catch its own.
    """

    module: Module
    entries: frozenset[str]
    shared: dict[str, ast.stmt] = field(default_factory=dict)
    imports: dict[str, ast.stmt] = field(default_factory=dict)
    prints: bool = False
    as_text: bool = False
    expressions: bool = False
    messages: bool = False

    def script(self, body: Sequence[ast.stmt]) -> Script | None:
        """None where nothing in `body` is looked at."""
        return _Writer(self).script(body)


@dataclass(frozen=True)
class _Raising:
    """A block that must end in an exception. `look`: the expression over `error` that the test looks at, or None."""

    body: list[ast.stmt]
    types: list[ast.expr]
    look: ast.expr | None
    name: str | None  # under which the block's own test knows what was raised


class _Writer:
    """One test. `mine`: names that the student's code has a part in; `perhaps`: those that it may have changed."""

    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        self.mine = {*suite.entries, *_that_use(suite.shared, suite.entries)}
        self.perhaps: set[str] = set()
        self.values: dict[str, ast.expr] = {}  # what names were last bound to
        self.raises: tuple[str, ...] = ()
        self.parameters: dict[str, set[int]] = {}

    # -------------------------------------------------------------- a test, as a script

    def script(self, body: Sequence[ast.stmt]) -> Script | None:
        converted = _without_unused(list(self._statements(body, nested=False)), self._part_in)
        needed = self._needed(converted)
        if ANSWERS in names_in([*converted, *needed]):
            start = ast.parse(f"{ANSWERS} = []").body[0]
            converted = [start, *converted, ast.Expr(ast.Name(ANSWERS, ast.Load()))]
        elif not any(isinstance(node, ast.Expr) for node in converted):
            return None
        return Script(self._text([*needed, *converted]), self.raises)

    def _text(self, nodes: Sequence[ast.stmt]) -> str:
        lines = []
        for node in nodes:
            text = self.suite.module.written(ast.fix_missing_locations(node))
            lines.append(f"{text}\n" if isinstance(node, ast.FunctionDef | ast.ClassDef) else text)
        return "\n".join(lines)

    def _needed(self, converted: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Imports and shared definitions that the statements use, and those that these use, in order."""
        found: dict[str, ast.stmt] = {}
        wanted = self._free(converted)
        while wanted:
            name = wanted.pop()
            if name in found or name in self.suite.entries:
                continue
            if name in self.suite.shared:
                found[name] = self._shared(name)
                wanted |= self._free([found[name]]) - found.keys()
            elif node := self.suite.imports.get(name, KNOWN_IMPORTS.get(name)):
                found[name] = node
        order = [*self.suite.imports, *KNOWN_IMPORTS, *self.suite.shared]
        return [found[name] for name in dict.fromkeys(order) if name in found]

    def _free(self, nodes: Sequence[ast.stmt]) -> set[str]:
        bound = {name for node in nodes for name in _bound(node)}
        return names_in(nodes) - bound - {ANSWERS}

    def _shared(self, name: str) -> ast.stmt:
        node = self.suite.shared[name]
        if not isinstance(node, ast.FunctionDef):
            return node
        arguments = [argument.arg for argument in node.args.args]
        outer = set(self.mine)
        self.mine |= {arguments[n] for n in self.parameters.get(name, ()) if n < len(arguments)}
        function = copy.copy(node)
        function.body = list(self._statements(node.body, nested=True)) or [ast.Pass()]
        self.mine = outer
        return function

    # -------------------------------------------------------------- statements

    def _statements(self, body: Sequence[ast.stmt], nested: bool) -> Iterator[ast.stmt]:
        for place, node in enumerate(body):
            raising = self._raising(node)
            if raising is None:
                yield from self._statement(node, nested)
                continue
            raising, rest = self._with_look(raising, body[place + 1 :])
            if nested or rest or not self._may_end_with(raising):
                yield from self._caught(raising, nested)
                yield from self._statements(rest, nested)
            else:
                yield from self._ending(raising)
            return

    def _statement(self, node: ast.stmt, nested: bool) -> Iterator[ast.stmt]:
        self._learn(node)
        looks = self._looks(node)
        if looks is not None:
            yield from (self._answer(look, nested) for look in looks)
        elif isinstance(node, ast.With) and _method_of(node.items[0].context_expr) == "subTest":
            yield from self._statements(node.body, nested)
        elif isinstance(node, ast.Expr):
            if not isinstance(node.value, ast.Constant):
                yield node if nested or _is_procedure(node.value) else _assigned("_", node.value)
        else:
            yield self._with_inner(node)

    def _with_inner(self, node: ast.stmt) -> ast.stmt:
        """The statement with those inside it converted; itself where none is."""
        inner = {name: getattr(node, name) for name in ("body", "orelse", "finalbody") if getattr(node, name, None)}
        if not inner or isinstance(node, ast.ClassDef):
            return node
        changed = {name: list(self._statements(body, nested=True)) or [ast.Pass()] for name, body in inner.items()}
        handlers = [self._handler(handler) for handler in getattr(node, "handlers", ())]
        same = all(_dumps(changed[name]) == _dumps(inner[name]) for name in inner)
        if same and _dumps(handlers) == _dumps(getattr(node, "handlers", ())):
            return node
        fields = {**dict(ast.iter_fields(node)), **changed}
        return type(node)(**({**fields, "handlers": handlers} if handlers else fields))

    def _handler(self, handler: ast.ExceptHandler) -> ast.ExceptHandler:
        body = list(self._statements(handler.body, nested=True)) or [ast.Pass()]
        return ast.ExceptHandler(handler.type, handler.name, body)

    def _answer(self, look: ast.expr, nested: bool) -> ast.stmt:
        if not nested:
            return ast.Expr(look)
        function = ast.Attribute(ast.Name(ANSWERS, ast.Load()), "append", ast.Load())
        return ast.Expr(ast.Call(function, [look], []))

    # -------------------------------------------------------------- what a statement looks at

    def _looks(self, node: ast.stmt) -> list[ast.expr] | None:
        """The expressions that a check compares; None for a statement that checks nothing."""
        if isinstance(node, ast.Assert):
            return list(self._asserted(node.test))
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
            return self._alone(node)
        call = node.value
        if self.suite.prints and isinstance(call.func, ast.Name) and call.func.id == "print":
            shown = [argument for argument in call.args if not isinstance(argument, ast.Constant)]
            return [_called("str", argument) for argument in shown] if self.suite.as_text else shown
        if method := _method_of(call):
            return list(self._checked(method, call))
        return self._alone(node)

    def _alone(self, node: ast.stmt) -> list[ast.expr] | None:
        """What an expression shows that stands alone; None where nobody looks, or it is not the student's."""
        if not self.suite.expressions or not isinstance(node, ast.Expr) or not self._part_in(node.value):
            return None
        return list(self._asserted(node.value)) if _sides(node.value) else [node.value]

    def _checked(self, method: str, call: ast.Call) -> Iterator[ast.expr]:
        first, second = [*call.args, *_NOTHING][:2]
        if method in EQUAL | CLOSE:
            yield from self._equal(first, second)
        elif method == "assertAlmostEqual":
            yield from self._equal(first, second, _almost(call))
        elif method in ("assertCountEqual", "assertItemsEqual"):
            yield from self._equal(_sorted(first), _sorted(second))
        elif method in ("assertTrue", "assertFalse", "assert_", "assert_true"):
            yield _truth(first) if method != "assertFalse" else ast.UnaryOp(ast.Not(), first)
        elif method == "assertIsNone":
            yield first
        elif method == "assertIsNotNone":
            yield ast.Compare(first, [ast.IsNot()], [ast.Constant(None)])
        elif method == "assertIs" and isinstance(second, ast.Constant):
            yield first
        elif method in OPERATORS:
            yield ast.Compare(first, [OPERATORS[method]], [second])
        elif method in ("assertIsInstance", "assertNotIsInstance"):
            found = ast.Call(ast.Name("isinstance", ast.Load()), [first, second], [])
            yield found if method == "assertIsInstance" else ast.UnaryOp(ast.Not(), found)
        elif method in ("assertRegex", "assertNotRegex"):
            yield _search(second, first, negative=method == "assertNotRegex")

    def _asserted(self, test: ast.expr) -> Iterator[ast.expr]:
        """What `assert test` looks at: of `f(2) == 4` the call, of `a and b` both, else the truth of `test`."""
        sides = _sides(test)
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            for part in test.values:
                yield from self._asserted(part)
        elif sides:
            yield from self._equal(*sides, whole=test)
        elif self._part_in(test) or not isinstance(test, ast.Constant):
            yield _truth(test)

    def _equal(self, first: ast.expr, second: ast.expr, whole: ast.expr | None = None) -> Iterator[ast.expr]:
        """The side that the student's code has a part in; `whole`, the comparison, where that is both."""
        parts = self._part_in(first), self._part_in(second)
        if parts == (0, 0):
            literals = _is_literal(first), _is_literal(second)
            if literals == (True, True):
                return
            parts = int(not literals[0]), int(not literals[1])
        if parts[0] == parts[1]:
            yield whole or ast.Compare(first, [ast.Eq()], [second])
        else:
            kept, other = (first, second) if parts[0] > parts[1] else (second, first)
            yield _called("repr", kept) if self._is_opaque(other) else kept

    def _is_opaque(self, node: ast.expr) -> bool:
        """Whether a value is of a type that does not leave a box, a date for example: its `repr` does."""
        node = self.values.get(node.id, node) if isinstance(node, ast.Name) else node
        made_by = {name for call in ast.walk(node) if isinstance(call, ast.Call) for name in names_in([call.func])}
        return any(modules_in([self.suite.imports[name]]) & OPAQUE for name in made_by if name in self.suite.imports)

    def _part_in(self, node: ast.AST) -> int:
        """2 where the student's code has a part in it, 1 where it may have changed it, else 0."""
        names = names_in([node])
        return 2 if names & self.mine else 1 if names & self.perhaps else 0

    def _learn(self, node: ast.stmt) -> None:
        """Names that a statement makes the student's."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call):
                self._learn_call(inner)
        value = getattr(node, "value", None) or getattr(node, "iter", None)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            self.values[node.targets[0].id] = node.value
        if isinstance(node, ast.With):
            value = ast.Tuple([item.context_expr for item in node.items], ast.Load())
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and names_in([node]) & self.mine:
            self.mine.add(node.name)
        elif value is not None and self._part_in(value) == 2:
            self.mine |= _bound(node) | _roots(node)

    def _learn_call(self, call: ast.Call) -> None:
        mine = bool(names_in([call.func]) & self.mine)
        for place, argument in enumerate(call.args):
            if isinstance(call.func, ast.Name) and call.func.id in self.suite.shared and self._part_in(argument) == 2:
                self.parameters.setdefault(call.func.id, set()).add(place)
            if mine and isinstance(argument, ast.Name):
                self.perhaps.add(argument.id)

    # -------------------------------------------------------------- exceptions

    def _raising(self, node: ast.stmt) -> _Raising | None:
        if isinstance(node, ast.With) and len(node.items) == 1:
            item = node.items[0]
            name = item.optional_vars.id if isinstance(item.optional_vars, ast.Name) else None
            call = self._inlined(item.context_expr)
            return self._raising_call(call, node.body, name) if call else None
        if isinstance(node, ast.Expr) and (call := self._inlined(node.value)) and len(call.args) > 1:
            skipped = 2 if _method_of(call) == "assertRaisesRegex" else 1
            inner = ast.Expr(ast.Call(call.args[skipped], call.args[skipped + 1 :], call.keywords))
            return self._raising_call(call, [inner], None)
        if isinstance(node, ast.Try) and node.handlers and (body := _must_raise(node)) is not None:
            types = [handler.type or ast.Name("Exception", ast.Load()) for handler in node.handlers]
            return _Raising(body, types, None, None)
        return None

    def _raising_call(self, call: ast.Call, body: list[ast.stmt], name: str | None) -> _Raising:
        look = None
        if _method_of(call) == "assertRaisesRegex":
            text = ast.parse("str(error)", mode="eval").body
            look = _search(call.args[1], text)
        types = call.args[0].elts if isinstance(call.args[0], ast.Tuple) else [call.args[0]]
        return _Raising(body, types, look, name)

    def _inlined(self, node: ast.expr) -> ast.Call | None:
        """A call of assertRaises, also by way of a method that only returns one."""
        if not isinstance(node, ast.Call):
            return None
        if _method_of(node) in ("assertRaises", "assertRaisesRegex", "raises"):
            return node if node.args else None
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        shared = self.suite.shared.get(name)
        if not isinstance(shared, ast.FunctionDef) or not isinstance(shared.body[-1], ast.Return):
            return None
        inner = shared.body[-1].value
        if not isinstance(inner, ast.Call) or len(shared.body) > 1:
            return None
        names = [argument.arg for argument in shared.args.args]
        return self._inlined(_Replaced(dict(zip(names, node.args, strict=False))).visit(copy.deepcopy(inner)))

    def _with_look(self, raising: _Raising, later: Sequence[ast.stmt]) -> tuple[_Raising, list[ast.stmt]]:
        """The same with what the test looks at of the exception, such as `.args[0]`; and the statements that remain."""
        if raising.name is None:
            return raising, list(later)
        body = [node for node in raising.body if raising.name not in names_in([node])] or raising.body
        values: dict[str, ast.expr] = {}
        looks: list[ast.expr] = []
        rest: list[ast.stmt] = []
        for place, node in enumerate(later):
            if raising.name in _bound(node):  # the same name for another exception
                rest += later[place:]
                break
            if not names_in([node]) & {raising.name, *values}:
                rest.append(node)
                continue
            about = _Replaced(values, raising.name).visit(copy.deepcopy(node))
            if isinstance(about, ast.Assign) and isinstance(about.targets[0], ast.Name):
                values[about.targets[0].id] = about.value
            else:
                looks += self._looks_at_error(about)
        types = [look.comparators[0] for look in looks if isinstance(look, ast.Compare) and _is_type(look)]
        looks = [look for look in looks if not _is_type(look)]
        return _Raising(body, types or raising.types, looks[0] if looks else raising.look, raising.name), rest

    def _looks_at_error(self, node: ast.stmt) -> list[ast.expr]:
        outer = set(self.mine)
        self.mine |= {"error", *_error_types(node)}
        looks = self._looks(node) or []
        self.mine = outer
        return looks

    def _may_end_with(self, raising: _Raising) -> bool:
        """Whether the script may simply end in the exception: the exercise compares what the test looks at."""
        plain = [node for node in raising.types if isinstance(node, ast.Name) and node.id not in _BROAD]
        looks = raising.look is not None
        return (
            len(plain) == len(raising.types)
            and looks == self.suite.messages
            and (not looks or ast.unparse(raising.look or raising.types[0]) in ("error.args[0]", "str(error)"))
        )

    def _ending(self, raising: _Raising) -> Iterator[ast.stmt]:
        self.raises = tuple(ast.unparse(node) for node in raising.types)
        *before, last = raising.body
        for node in before:
            yield from self._statement(node, nested=False)
        value = getattr(last, "value", None)
        if isinstance(last, ast.Expr | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return) and value is not None:
            yield ast.Expr(value)
        else:
            yield from self._caught(_Raising([last], raising.types, None, None), nested=False)

    def _caught(self, raising: _Raising, nested: bool) -> Iterator[ast.stmt]:
        """`try` in the script itself: what the test looks at, or whether it was raised at all."""
        name = ast.Name(RAISED, ast.Store())
        look = raising.look or ast.Constant(True)
        handler = ast.ExceptHandler(ast.Tuple(raising.types, ast.Load()), "error", [_assigned(RAISED, look)])
        if len(raising.types) == 1:
            handler.type = raising.types[0]
        body = [inner for node in raising.body for inner in self._statement(node, nested=True)]
        nothing = ast.Constant(None if raising.look else False)
        yield ast.Try([*body, ast.Assign([name], nothing)], [handler], [], [])
        yield self._answer(ast.Name(RAISED, ast.Load()), nested)


_BROAD = frozenset(("Exception", "BaseException"))
_NOTHING = (ast.Constant(None), ast.Constant(None))


class _Replaced(ast.NodeTransformer):
    """Names replaced by what they stand for; `raised.exception`, `raised.value` become `error`."""

    def __init__(self, values: dict[str, ast.expr], raised: str | None = None) -> None:
        self.values, self.raised = values, raised

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if node.attr in ("exception", "value") and isinstance(node.value, ast.Name) and node.value.id == self.raised:
            return ast.Name("error", ast.Load())
        self.generic_visit(node)
        return node


class WithoutSelf(ast.NodeTransformer):
    """`self.helper` becomes `helper` for the methods and values of a test class; `first` is what calls itself self."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = frozenset(names)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls") and node.attr in self.names:
            return ast.copy_location(ast.Name(node.attr, node.ctx), node)
        return node


def _that_use(shared: dict[str, ast.stmt], names: Iterable[str]) -> set[str]:
    """The shared functions that use any of the names, directly or by way of another."""
    found = set(names)
    while more := {name for name, node in shared.items() if name not in found and names_in([node]) & found}:
        found |= more
    return found


def _method_of(node: ast.AST) -> str:
    """`assertEqual` of `self.assertEqual(…)`, `assert_allclose` of `np.testing.assert_allclose(…)`; else ""."""
    if not isinstance(node, ast.Call):
        return ""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    known = EQUAL | CLOSE | OPERATORS.keys() | _OTHERS
    in_camels = re.sub(r"_(\w)", lambda match: match[1].upper(), name)  # nose's assert_not_equal
    return next((spelling for spelling in (name, in_camels) if spelling in known), "")


_OTHERS = frozenset(
    f"assert{kind}"
    for kind in (
        "AlmostEqual", "CountEqual", "ItemsEqual", "True", "False", "_", "_true", "IsNone", "IsNotNone", "IsInstance",
        "NotIsInstance", "Regex", "NotRegex", "Raises", "RaisesRegex",
    )
) | {"subTest", "raises"}  # fmt: skip


def _sides(test: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """What a test finds equal: the sides of `a == b`, `(a == b).all()`, `np.allclose(a, b)`, `abs(a - b) < 1e-6`."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = test.left, test.comparators[0]
        if isinstance(test.ops[0], ast.Eq) or (isinstance(test.ops[0], ast.Is) and isinstance(right, ast.Constant)):
            return left, right
        if isinstance(test.ops[0], ast.Lt | ast.LtE) and _name_of(left) in ("abs", "fabs", "absolute"):
            inner = left.args[0] if isinstance(left, ast.Call) and left.args else None
            if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Sub):
                return inner.left, inner.right
    if isinstance(test, ast.Call):
        name = _name_of(test)
        if name in SAME_VALUE and len(test.args) >= 2:
            return test.args[0], test.args[1]
        if name == "all" and isinstance(test.func, ast.Attribute) and not test.args:
            return _sides(test.func.value)
        if name == "all" and len(test.args) == 1:
            return _sides(test.args[0])
    return None


def _name_of(node: ast.AST) -> str:
    function = node.func if isinstance(node, ast.Call) else node
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _almost(call: ast.Call) -> ast.expr:
    """`assertAlmostEqual` of two answers, as it is defined."""
    places = next((word.value for word in call.keywords if word.arg == "places"), ast.Constant(7))
    first, second = call.args[:2]
    close = _called("abs", ast.BinOp(first, ast.Sub(), second))
    rounded = ast.Call(ast.Name("round", ast.Load()), [close, places], [])
    return ast.BoolOp(
        ast.Or(),
        [ast.Compare(first, [ast.Eq()], [second]), ast.Compare(rounded, [ast.Eq()], [ast.Constant(0)])],
    )


def _sorted(node: ast.expr) -> ast.expr:
    key = ast.keyword("key", ast.Name("repr", ast.Load()))
    return ast.Call(ast.Name("sorted", ast.Load()), [node], [key])


def _search(pattern: ast.expr, text: ast.expr, negative: bool = False) -> ast.expr:
    call = ast.Call(ast.Attribute(ast.Name("re", ast.Load()), "search", ast.Load()), [pattern, text], [])
    return ast.Compare(call, [ast.Is() if negative else ast.IsNot()], [ast.Constant(None)])


def _truth(node: ast.expr) -> ast.expr:
    is_bool = isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
    is_bool = is_bool or _name_of(node) in ("isinstance", "hasattr", "callable", "bool", "all", "any", "issubclass")
    return node if is_bool else _called("bool", node)


def _called(name: str, argument: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])


def _is_literal(node: ast.expr) -> bool:
    return not any(isinstance(inner, ast.Name | ast.Call | ast.Attribute) for inner in ast.walk(node))


def _is_procedure(node: ast.expr) -> bool:
    """A call for its effect alone that gives None: it reads better as it is."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith("random.seed")


def _error_types(node: ast.stmt) -> set[str]:
    """The names that a statement compares `type(error)` with, so that the comparison stays whole."""
    return names_in([node]) if "type(error)" in ast.unparse(node) else set()


def _is_type(look: ast.expr) -> bool:
    return isinstance(look, ast.Compare) and "type(error)" in ast.unparse(look)


def _must_raise(node: ast.Try) -> list[ast.stmt] | None:
    """The body of `try: …; assert False`, or of `try: … else: raise AssertionError`; else None."""
    if any(isinstance(inner, ast.Assert) for handler in node.handlers for inner in ast.walk(handler)):
        return None
    if len(node.body) > 1 and _fails(node.body[-1]):
        return node.body[:-1]
    return node.body if len(node.orelse) == 1 and _fails(node.orelse[0]) else None


def _fails(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assert):
        return isinstance(node.test, ast.Constant) and not node.test.value
    return isinstance(node, ast.Raise) and node.exc is not None and _name_of(node.exc) == "AssertionError"


def _assigned(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _bound(node: ast.AST) -> set[str]:
    """The names that a statement binds, also inside it."""
    found = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)}
    found |= {inner.arg for inner in ast.walk(node) if isinstance(inner, ast.arg)}
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef | ast.ClassDef):
            found.add(inner.name)
        elif isinstance(inner, ast.Import | ast.ImportFrom):
            found |= {(alias.asname or alias.name).partition(".")[0] for alias in inner.names}
    return found


def _roots(node: ast.stmt) -> set[str]:
    """`a` of `a.b[0] = …`."""
    targets = [*getattr(node, "targets", ()), *filter(None, [getattr(node, "target", None)])]
    return names_in(targets)


def _without_unused(body: list[ast.stmt], part_in: Callable[[ast.AST], int]) -> list[ast.stmt]:
    """Without values that nothing uses any more.

    attack: `expected = [1, 2]` stays in a script, and the student's code reads it from the frame that calls it.
    defence: what only the test's own side of a comparison used is left out.
    """
    kept: list[ast.stmt] = []
    used: set[str] = set()
    for node in reversed(body):
        is_plain = isinstance(node, ast.Assign) and all(isinstance(target, ast.Name) for target in node.targets)
        if is_plain and not _bound(node) & used and not part_in(node) and not _calls(node):
            continue
        used |= names_in([node]) if not is_plain else names_in([getattr(node, "value", node)])
        kept.insert(0, node)
    return kept


def _calls(node: ast.AST) -> bool:
    """Whether it may have an effect beside its value: it calls what is no builtin."""
    calls = (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))
    return any(not (isinstance(call.func, ast.Name) and call.func.id in BUILTINS - {"input", "next"}) for call in calls)


def _dumps(nodes: Sequence[ast.AST]) -> list[str]:
    return [ast.dump(node) for node in nodes]


def free_names(body: Sequence[ast.stmt]) -> set[str]:
    """The names that statements use and do not bind, builtins aside."""
    return names_in(body) - {name for node in body for name in _bound(node)} - BUILTINS
