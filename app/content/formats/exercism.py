"""Exercism's Python track: `.meta/example.py` is the reference, each test method of `*_test.py` a script.

An exercise is a folder with `.meta/config.json`, which names its files. Tests are classes of unittest.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from app.content.formats.draft import Draft, halved, slug_of
from app.content.formats.kind import Item, NoCounterpart, OwnTests, Refused, files_of, text_of
from app.content.formats.source import Module, is_python, modules_in, names_in, parsed, stub_of
from app.content.formats.tests import Script, Suite, WithoutSelf
from graders.text import title_of

NAME = "exercism"
CONFIG = ".meta/config.json"
HEADING = re.compile(r"\A\s*# (?:Introduction|Instructions|Instructions append)\s*$", re.MULTILINE)
DIFFICULTIES = ((3, "easy"), (6, "medium"), (10, "hard"))

# It runs in a box, as unittest runs it at home; `result` holds the tests that fail, each with the end of its message.
PROGRAM = """
import io, sys, types, unittest

def module_of(name, source):
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(source, name, "exec"), module.__dict__)
    return module

for name, source in modules:
    module = module_of(name, source)
tests = unittest.defaultTestLoader.loadTestsFromModule(module)
found = unittest.TextTestRunner(stream=io.StringIO()).run(tests)
result = [[str(test).split()[0], text.strip().splitlines()[-1][:300]] for test, text in found.failures + found.errors]
"""


def recognises(path: Path) -> bool:
    return next(_folders(path), None) is not None


def items(path: Path) -> Iterator[Item | Refused]:
    for folder in _folders(path):
        try:
            yield _Exercise(files_of(folder, ".meta", ".docs"), folder.name).item()
        except NoCounterpart as error:
            yield Refused(folder.name, str(error))


def _folders(path: Path) -> Iterator[Path]:
    """The exercise at `path`, those in it, or those of a whole track."""
    if (path / CONFIG).is_file():
        yield path
        return
    for pattern in ("*", "exercises/practice/*", "practice/*"):
        yield from sorted(
            folder for folder in path.glob(pattern) if (folder / CONFIG).is_file() and not folder.is_symlink()
        )


@dataclass(frozen=True)
class _Exercise:
    files: Mapping[str, bytes]
    name: str

    def item(self) -> Item:
        if (slug := slug_of(self.name)) == "":
            raise NoCounterpart("Its folder's name has no letters to make an address of.")
        suite = self._suite()
        scripts = self._scripts(suite)
        if not scripts:
            raise NoCounterpart("No test compares anything that a script could.")
        raised = dict.fromkeys(name for _, script in scripts for name in script.raises)
        starter, warnings = self._starter(suite)
        draft = Draft(
            title=self._title(),
            entry=sorted(suite.entries, key=self._place),
            statement=self._statement(),
            starter=_of_provided(starter, self._helpers()),
            reference=_of_provided(self.reference.text, self._helpers()),
            cases=halved([(name, script.text) for name, script in scripts]),
            framework="python",
            difficulty=self._difficulty(),
            tags=["python"],
            raises=tuple(raised),
            messages=suite.messages and bool(raised),
            provided=self._provided(suite),
        )
        return Item(slug, draft.files(), warnings=tuple(warnings), own_tests=self._own_tests())

    # -------------------------------------------------------------- its files

    @cached_property
    def config(self) -> Mapping[str, Any]:
        try:
            config = json.loads(text_of(self.files, CONFIG))
            lists = config["files"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise NoCounterpart(f"{CONFIG} does not name its files.") from None
        if not isinstance(lists, dict) or not all(_are_strings(names) for names in lists.values()):
            raise NoCounterpart(f"{CONFIG} does not list its files by what they are.")
        return dict(config)

    def _named(self, *roles: str) -> list[str]:
        return [name for role in roles for name in self.config["files"].get(role, [])]

    def _module(self, names: Sequence[str], what: str) -> Module:
        if not names:
            raise NoCounterpart(f"{CONFIG} names no {what}.")
        return Module(names[0], text_of(self.files, names[0]))

    @cached_property
    def reference(self) -> Module:
        return self._module(self._named("example", "exemplar"), "example")

    @cached_property
    def tests(self) -> Module:
        return self._module(self._named("test"), "test")

    @cached_property
    def module_name(self) -> str:
        """What the tests import the student's file as."""
        return self._module(self._named("solution"), "solution").path.removesuffix(".py")

    def _helpers(self) -> dict[str, str]:
        """Python files beside the student's and the tests, by module name: tests may bring their own."""
        others = {*self._named("solution"), self.tests.path}
        names = [name for name in self.files if name.endswith(".py") and "/" not in name and name not in others]
        return {name.removesuffix(".py"): text_of(self.files, name) for name in names}

    def _provided(self, suite: Suite) -> dict[str, bytes]:
        """The helpers that the example, a test or another helper imports."""
        helpers = self._helpers()
        trees = [*suite.imports.values(), self.reference.tree, *(Module(n, text).tree for n, text in helpers.items())]
        used = {name.removeprefix("provided.") for name in modules_in(trees)}
        found = {name: _of_provided(text, helpers) for name, text in helpers.items() if name in used}
        return {f"provided/{name}.py": text.encode() for name, text in found.items()}

    def _place(self, name: str) -> tuple[int, str]:
        names = list(self.reference.definitions)
        return (names.index(name) if name in names else len(names)), name

    # -------------------------------------------------------------- its words

    def _title(self) -> str:
        return title_of(self.name)

    def _difficulty(self) -> str:
        number = self.config.get("difficulty")
        if not isinstance(number, int):
            return "medium"
        return next((name for most, name in DIFFICULTIES if number <= most), "hard")

    def _statement(self) -> str:
        names = ("introduction.md", "instructions.md", "instructions.append.md")
        texts = [text_of(self.files, f".docs/{name}") for name in names if f".docs/{name}" in self.files]
        if not texts:
            raise NoCounterpart(".docs/instructions.md is missing.")
        return "\n\n".join(HEADING.sub("", text).strip() for text in texts)

    def _starter(self, suite: Suite) -> tuple[str, list[str]]:
        stub = self._module(self._named("solution"), "solution")
        missing = sorted(suite.entries - stub.definitions.keys()) if is_python(stub.text) else []
        if is_python(stub.text) and not missing:
            return stub.text, []
        names = missing or sorted(suite.entries, key=self._place)
        kept = f"{stub.text.rstrip()}\n\n\n" if missing and stub.text.strip() else ""
        warning = f"Its stub does not define {', '.join(names)}: empty ones were made from the example."
        return f"{kept}{stub_of(self.reference, names)}\n", [warning]

    # -------------------------------------------------------------- its tests

    def _suite(self) -> Suite:
        """Raises NoCounterpart for tests that do not look at the student's file."""
        entries, names = self._entries()
        if not entries:
            raise NoCounterpart(f"{self.tests.path} imports nothing of {self.module_name}.py.")
        if set(names.renamed.values()) & {node.id for node in _stored(self.tests.tree)}:
            raise NoCounterpart("Its tests use a name of the student's file for something else.")
        tree = _AsInScripts(names).visit(self.tests.tree)
        shared = {name: node for name, node in self.tests.definitions.items() if not _is_tests(node)}
        for case in filter(_is_tests, tree.body):
            shared.update(_inside(case))
        others = {name: node for name, node in self.tests.imports.items() if not self._is_ours(node)}
        helpers = self._helpers()
        imports = {name: parsed(_of_provided(ast.unparse(node), helpers), "").body[0] for name, node in others.items()}
        suite = Suite(self.tests, frozenset(entries), shared, imports)
        self._require_convertible(suite)
        return suite

    def _entries(self) -> tuple[set[str], "_Names"]:
        """The names that the tests use of the student's file, and how the tests call them."""
        found, modules, renamed = set[str](), set[str](), dict[str, str]()
        for node in ast.walk(self.tests.tree):
            if isinstance(node, ast.ImportFrom) and node.module == self.module_name:
                found |= {alias.name for alias in node.names}
                renamed.update({alias.asname: alias.name for alias in node.names if alias.asname})
            elif isinstance(node, ast.Import):
                modules |= {alias.asname or alias.name for alias in node.names if alias.name == self.module_name}
        if "*" in found:
            found = set(self.reference.definitions) & names_in([self.tests.tree])
        for node in ast.walk(self.tests.tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
                found.add(node.attr)
        return found, _Names(frozenset(modules), renamed)

    def _is_ours(self, node: ast.stmt) -> bool:
        names = [alias.name for alias in getattr(node, "names", ())]
        return getattr(node, "module", None) == self.module_name or self.module_name in names

    def _require_convertible(self, suite: Suite) -> None:
        """Raises NoCounterpart for tests that replace what the student's code calls."""
        if "unittest.mock" in self.tests.text or suite.imports.keys() & {"mock", "patch"}:
            raise NoCounterpart("Its tests replace what the student's code calls (unittest.mock).")

    def _scripts(self, suite: Suite) -> list[tuple[str, Script]]:
        """One for each test method. Texts of exceptions count where each method that ends in one looks at them."""
        methods = list(self._methods())
        suite.messages = True
        scripts = [(name, suite.script(body)) for name, body in methods]
        if not any(script and script.raises for _, script in scripts):
            suite.messages = False
            scripts = [(name, suite.script(body)) for name, body in methods]
        return [(name, script) for name, script in scripts if script]

    def _methods(self) -> Iterator[tuple[str, Sequence[ast.stmt]]]:
        for case in self.tests.tree.body:
            if not isinstance(case, ast.ClassDef) or not _is_tests(case):
                continue
            set_up = getattr(_inside(case).get("setUp"), "body", [])
            for node in case.body:
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test") and not _is_skipped(node):
                    yield node.name.removeprefix("test").strip("_").replace("_", " "), [*set_up, *node.body]

    def _own_tests(self) -> OwnTests:
        modules = [*map(list, self._helpers().items()), [self.module_name, self.reference.text]]
        modules.append([self.tests.path.removesuffix(".py"), self.tests.text])
        return OwnTests(len(list(self._methods())), PROGRAM, {"modules": modules}, "python", _failures)


def _failures(result: Any) -> list[str]:
    """What the program left, or `None` where it did not come to its end."""
    if not isinstance(result, list):
        return ["Its tests did not run to their end"]
    return [f"{name}: {text}" for name, text in result]


@dataclass(frozen=True)
class _Names:
    """How tests call what is the student's: by way of their file (`modules`), or by other names (`renamed`)."""

    modules: frozenset[str]
    renamed: Mapping[str, str]


class _AsInScripts(ast.NodeTransformer):
    """`bowling.score` becomes `score`, and so does what `from bowling import score as its_score` named."""

    def __init__(self, names: _Names) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        name = self.names.renamed.get(node.id)
        return ast.copy_location(ast.Name(name, node.ctx), node) if name else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id in self.names.modules:
            return ast.copy_location(ast.Name(node.attr, node.ctx), node)
        self.generic_visit(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        self.generic_visit(node)
        return WithoutSelf(_inside(node)).visit(node) if _is_tests(node) else node


def _of_provided(text: str, helpers: Iterable[str]) -> str:
    """Python text that imports helper files as they lie in an exercise's folder, in `provided/`."""
    for name in helpers:
        text = re.sub(
            rf"^(\s*)from {re.escape(name)} import\b", rf"\1from provided.{name} import", text, flags=re.MULTILINE
        )
        text = re.sub(rf"^(\s*)import {re.escape(name)}$", rf"\1from provided import {name}", text, flags=re.MULTILINE)
    return text


def _stored(tree: ast.AST) -> Iterator[ast.Name]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node


def _is_tests(node: ast.stmt) -> bool:
    return isinstance(node, ast.ClassDef) and any("TestCase" in ast.unparse(base) for base in node.bases)


def _inside(case: ast.stmt) -> dict[str, ast.stmt]:
    """The helpers of a test class by name: its methods without `self`, and its values."""
    assert isinstance(case, ast.ClassDef)
    found: dict[str, ast.stmt] = {}
    for node in case.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("test"):
            found[node.name] = _as_function(node)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node
    return found


def _as_function(method: ast.FunctionDef) -> ast.FunctionDef:
    arguments = method.args.args
    if arguments and arguments[0].arg in ("self", "cls"):
        without = ast.arguments(**{**dict(ast.iter_fields(method.args)), "args": arguments[1:]})
        method = ast.FunctionDef(**{**dict(ast.iter_fields(method)), "args": without, "decorator_list": []})
    return method


def _is_skipped(node: ast.FunctionDef) -> bool:
    return any("skip" in ast.unparse(decorator) for decorator in node.decorator_list)


def _are_strings(names: Any) -> bool:
    return isinstance(names, list) and all(isinstance(name, str) for name in names)
