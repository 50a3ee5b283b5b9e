"""Cells of a Jupyter notebook, and an exercise from those that belong together. The notebook is JSON; nothing runs."""

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from app.content.formats.draft import Draft, ScriptCase, named_apart, slug_of
from app.content.formats.kind import MAX_FILE_BYTES, Item, NoCounterpart, OwnTests, Refused
from app.content.formats.source import Definition, Module, is_python, modules_in, names_in, stub_of
from app.content.formats.tests import Suite, free_names
from graders.text import title_of

MAGIC = re.compile(r"^\s*[%!?].*$", re.MULTILINE)
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
FRAMEWORKS = ("torch", "jax", "numpy")

PROGRAM = """
def outcome(test):
    names = {"__name__": "__main__"}
    try:
        exec(compile(source, "solution", "exec"), names)
        exec(compile(test, "test", "exec"), names)
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:300]

result = [outcome(test) for test in tests]
"""


@dataclass(frozen=True)
class Cell:
    kind: str
    text: str
    metadata: Mapping[str, Any]


@dataclass(frozen=True)
class Tests:
    """One cell's tests, or the hidden part of it."""

    name: str
    text: str
    hidden: bool = False


@dataclass
class Question:
    """What a notebook asks for: `before` is the code of earlier cells, `reference` and `starter` its own two forms."""

    name: str
    notebook: str
    prompt: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    reference: list[str] = field(default_factory=list)
    starter: list[str] = field(default_factory=list)
    tests: list[Tests] = field(default_factory=list)
    expressions: bool = False  # an expression that stands alone is looked at

    def item(self) -> Item:
        """Raises NoCounterpart where no script can look at what it asks for."""
        if not self.tests:
            raise NoCounterpart("No test belongs to it: it is graded by hand.")
        suites = [(test, self._suite(test)) for test in self.tests]
        scripts = [(test, suite.script(_flat(suite.module.tree.body))) for test, suite in suites]
        found = [(test, script) for test, script in scripts if script]
        if not found:
            raise NoCounterpart("None of its tests compares anything that a script could.")
        names = named_apart([(test.name, script.text) for test, script in found])
        cases = [
            ScriptCase(name, script, not test.hidden) for (name, script), (test, _) in zip(names, found, strict=True)
        ]
        warnings = [] if any(test.hidden for test, _ in found) else ["None of its tests is hidden: add hidden cases."]
        draft = Draft(
            title=self._title(),
            entry=self.entries,
            statement="\n\n".join(self.prompt) or self._title(),
            starter=self._starter(),
            reference=self.solution.text,
            cases=sorted(cases, key=lambda case: not case.sample),
            framework=framework_of(self.solution.text),
            raises=tuple(dict.fromkeys(name for _, script in found for name in script.raises)),
        )
        return Item(self.slug, draft.files(), warnings=tuple(warnings), own_tests=self._own_tests())

    @property
    def slug(self) -> str:
        if not (slug := slug_of(f"{self.notebook} {self.name}")):
            raise NoCounterpart("It has no name to make an address of.")
        return slug

    @cached_property
    def earlier(self) -> Module:
        return Module("the notebook", "\n".join(text for text in self.before if is_python(text)))

    @cached_property
    def needed(self) -> str:
        """What its own cells use of earlier ones, which students get too."""
        return needed_of(self.earlier, "\n".join(self.reference))

    @cached_property
    def solution(self) -> Module:
        return Module(f"the solution of {self.name}", _joined(self.needed, *self.reference))

    @cached_property
    def entries(self) -> list[str]:
        """What the tests use of its own cells."""
        own = Module(f"the solution of {self.name}", _joined(*self.reference)).definitions
        used = names_in([node for test in self.tests for node in Module(test.name, test.text).tree.body])
        if not (found := [name for name in own if name in used]):
            raise NoCounterpart("Its tests use nothing that its solution defines.")
        return found

    def _suite(self, test: Tests) -> Suite:
        module = Module(f"the test {test.name}", test.text)
        shared = {name: node for name, node in self.earlier.definitions.items() if name not in self.entries}
        imports = {**self.earlier.imports, **self.solution.imports, **module.imports}
        return Suite(module, frozenset(self.entries), shared, imports, expressions=self.expressions)

    def _title(self) -> str:
        headings = [match[1] for text in self.prompt for match in HEADING.finditer(text)]
        return headings[-1] if headings else title_of(self.name)

    def _starter(self) -> str:
        own = _joined(*self.starter) if is_python(_joined(*self.starter)) else ""
        defined = Module("starter.py", own).definitions
        missing = [name for name in self.entries if name not in defined]
        return _joined(self.needed, own, stub_of(self.solution, missing))

    def _own_tests(self) -> OwnTests:
        inputs = {"source": self.solution.text, "tests": [test.text for test in self.tests]}
        return OwnTests(len(self.tests), PROGRAM, inputs, framework_of(self.solution.text), self._disagreements)

    def _disagreements(self, result: Any) -> list[str]:
        if not isinstance(result, list):
            return ["Its tests did not run to their end"]
        pairs = zip(self.tests, result, strict=True)
        return [f"The test {test.name!r} fails on its solution: {text}" for test, text in pairs if text]


def notebooks_of(path: Path) -> Iterator[Path]:
    """The notebook at `path`, or those below it, without checkpoints."""
    if path.is_file():
        if path.suffix == ".ipynb":
            yield path
        return
    for found in sorted(path.rglob("*.ipynb")):
        if not any(part.startswith(".") for part in found.relative_to(path).parts) and not found.is_symlink():
            yield found


def items_of(
    path: Path, questions: Callable[[str, list[Cell]], Iterator[Question | Refused]]
) -> Iterator[Item | Refused]:
    """What `questions` finds in each notebook at `path`, as items. A notebook that cannot be read is refused."""
    for notebook in notebooks_of(path):
        try:
            cells = cells_of(notebook)
        except NoCounterpart as error:
            yield Refused(notebook.name, str(error))
            continue
        for question in questions(notebook.stem, cells):
            try:
                yield question if isinstance(question, Refused) else question.item()
            except NoCounterpart as error:
                yield Refused(f"{notebook.name}: {question.name}", str(error))


def any_cell(path: Path, test: Callable[[Cell], object]) -> bool:
    """Whether a notebook at `path` has a cell like that."""
    for notebook in notebooks_of(path):
        try:
            if any(map(test, cells_of(notebook))):
                return True
        except NoCounterpart:
            continue
    return False


def cells_of(path: Path) -> list[Cell]:
    """Raises NoCounterpart for what is no notebook."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise NoCounterpart(f"It is larger than {MAX_FILE_BYTES >> 20} MB: clear its outputs.")
        cells = json.loads(data)["cells"]
        return [Cell(cell["cell_type"], _text(cell["source"]), _dict(cell.get("metadata"))) for cell in cells]
    except OSError as error:
        raise NoCounterpart(f"It cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise NoCounterpart("It is no notebook of format 4: open it in Jupyter, and save it.") from None


def code_of(cell: Cell) -> str:
    """Its code without lines that only Jupyter reads."""
    return MAGIC.sub("", cell.text).strip("\n")


def framework_of(text: str) -> str:
    """The framework that a file imports; `python` where it imports none."""
    imported = {name.partition(".")[0] for name in modules_in([ast.parse(text)])} if is_python(text) else set()
    return next((name for name in FRAMEWORKS if name in imported), "python")


def needed_of(earlier: Module, own: str) -> str:
    """The imports and definitions of earlier cells that a cell's code uses."""
    if not is_python(own):
        return ""
    mine = Module("", own).definitions
    found: dict[int, ast.stmt] = {}
    wanted = free_names(ast.parse(own).body)
    while wanted:
        name = wanted.pop()
        node = earlier.definitions.get(name) or earlier.imports.get(name)
        if node is not None and id(node) not in found and name not in mine:
            found[id(node)] = node
            wanted |= free_names([node])
    imports = sorted(ast.unparse(node) for node in found.values() if isinstance(node, ast.Import | ast.ImportFrom))
    definitions = [earlier.written(node) for node in earlier.tree.body if id(node) in found]
    return "\n\n\n".join(filter(None, ["\n".join(imports), *definitions]))


def _flat(body: Iterable[ast.stmt]) -> list[ast.stmt]:
    """Statements, with those of `def test_…(names)` in its place: its parameters are names of the notebook."""
    flat: list[ast.stmt] = []
    for node in body:
        is_test = isinstance(node, ast.FunctionDef) and node.name.startswith("test")
        flat += node.body if is_test and isinstance(node, Definition) else [node]
    return flat


def _joined(*texts: str) -> str:
    return "\n\n\n".join(text.strip("\n") for text in texts if text.strip())


def _text(source: str | list[str]) -> str:
    return source if isinstance(source, str) else "".join(source)


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
