"""Deep-ML's open problems: `solution.py` is the reference, each test a script whose prints become expressions.

A problem is a folder of `questions/`, or a file of `build/` that holds the same as JSON. A test is a program and the
text that it prints after the solution; a box says whether the solution does print that.
"""

import ast
import itertools
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from app.content.formats.draft import Draft, halved, slug_of
from app.content.formats.kind import MAX_FILE_BYTES, Item, NoCounterpart, OwnTests, Refused, files_of, text_of
from app.content.formats.source import Module, is_python, pieces_of, stub_of
from app.content.formats.tests import Script, Suite, free_names

NAME = "deep-ml"
TESTS = "tests.json"
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
TOKEN = re.compile(rf"{NUMBER.pattern}|[A-Za-z_]+")
TYPE = re.compile(r"\b(?:(?:np|numpy)\.(?:float|int|uint|bool|str|array)\d*_?(?=\()|array(?=\()|dtype=[\w.]+)")
SHOWN = 120  # characters of a text in a message

PROGRAM = """
import contextlib, io

def printed(test):
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(solution + "\\n" + test, "test", "exec"), {"__name__": "__main__"})
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"[:300]
    return out.getvalue()[:20000], None

result = [printed(test) for test in tests]
"""


def recognises(path: Path) -> bool:
    return next(_places(path), None) is not None


def items(path: Path) -> Iterator[Item | Refused]:
    taken: set[str] = set()
    for place in _places(path):
        try:
            problem = _Problem(_of_json(place) if place.is_file() else _of_folder(place))
            slug = problem.slug(place.stem, taken)
            taken.add(slug)
            yield problem.item(slug)
        except NoCounterpart as error:
            yield Refused(place.name, str(error))


def _places(path: Path) -> Iterator[Path]:
    """The problem at `path`, those in it, or those of the whole repository."""
    if path.is_file():
        if path.suffix == ".json" and _looks_like_one(path):
            yield path
        return
    if _is_problem(path):
        yield path
        return
    for folder in (path / "questions", path):
        if found := sorted((inner for inner in folder.glob("*") if _is_problem(inner)), key=_order):
            yield from found
            return
    for folder in (path / "build", path):
        if found := sorted((file for file in folder.glob("*.json") if _looks_like_one(file)), key=_order):
            yield from found
            return


def _is_problem(path: Path) -> bool:
    is_whole = (path / TESTS).is_file() and (path / "solution.py").is_file()
    return is_whole and not path.name.startswith("_") and not path.is_symlink()


def _looks_like_one(path: Path) -> bool:
    try:
        return {"test_cases", "solution", "starter_code"} <= _of_json(path).keys()
    except NoCounterpart:
        return False


def _order(path: Path) -> tuple[int, str]:
    number = re.match(r"\d+", path.name)
    return int(number[0]) if number else 0, path.name


def _of_folder(folder: Path) -> dict[str, Any]:
    files = files_of(folder)
    found = {**_json(files, "meta.json"), "test_cases": _json_of(text_of(files, TESTS), TESTS)}
    found["example"] = _json(files, "example.json")
    found.update(solution=text_of(files, "solution.py"), description=text_of(files, "description.md"))
    for key, name in (("starter_code", "starter_code.py"), ("learn_section", "learn.md")):
        found[key] = text_of(files, name) if name in files else ""
    return found


def _of_json(path: Path) -> dict[str, Any]:
    """Raises NoCounterpart. A link is not followed, as in a folder (`files_of`)."""
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW)) as file:
            data = file.read(MAX_FILE_BYTES)
    except OSError as error:
        raise NoCounterpart(f"{path.name} cannot be read: {error.strerror}.") from None
    found = _json_of(data, path.name)
    return found if isinstance(found, dict) else {}


def _json(files: Mapping[str, bytes], name: str) -> dict[str, Any]:
    """An object of a file that may be missing or broken: it holds only words about the problem."""
    try:
        found = json.loads(files.get(name, b"{}"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _json_of(text: str | bytes, name: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NoCounterpart(f"{name} is not JSON: {error}.") from None


@dataclass(frozen=True)
class _Problem:
    """One problem, with the keys of the JSON that Deep-ML builds."""

    data: Mapping[str, Any]

    def slug(self, name: str, taken: set[str]) -> str:
        """From its title; with its number where another has the same."""
        number = str(self.data.get("id") or "")
        title = slug_of(str(self.data.get("title") or "") or re.sub(r"^\d+_", "", name))
        slug = f"{title}-{number}" if title in taken else title
        if not slug or slug in taken:
            raise NoCounterpart("It has no title to make an address of.")
        return slug

    def item(self, slug: str) -> Item:
        scripts, lost = self._scripts()
        if not scripts:
            raise NoCounterpart(f"None of its tests can be a script: {'; '.join(lost) or 'there are none'}.")
        starter, warnings = self._starter()
        draft = Draft(
            title=self._text("title").strip() or slug,
            entry=self.entries,
            statement=self._statement(),
            starter=starter,
            reference=self.solution.text,
            cases=halved([(f"test {n}", script.text) for n, script in scripts]),
            difficulty=self._difficulty(),
            tags=[tag] if (tag := slug_of(self._text("category"))) else [],
            solution=self._text("learn_section"),
        )
        warnings += [f"{text}; this test is left out." for text in lost]
        if all(_only_orders(script.text) for _, script in scripts):
            warnings.append(
                "Its tests only ask which of two answers is larger: any answers in that order are accepted."
            )
        return Item(slug, draft.files(), warnings=tuple(warnings), own_tests=self._own_tests())

    def _text(self, key: str) -> str:
        value = self.data.get(key)
        return value if isinstance(value, str) else ""

    def _difficulty(self) -> str:
        level = self._text("difficulty").lower()
        return level if level in ("easy", "medium", "hard") else "medium"

    def _statement(self) -> str:
        description = re.sub(r"<[^>\n]{1,200}>", "", self._text("description")).strip()
        example = self.data.get("example")
        if not isinstance(example, dict) or not example:
            return description
        shown = [("Input", "input"), ("Output", "output")]
        parts = [f"{title}:\n\n```python\n{example.get(key)}\n```" for title, key in shown if example.get(key)]
        reasoning = example.get("reasoning")
        return "\n\n".join([description, "## Example", *parts, *([str(reasoning)] if reasoning else [])])

    # -------------------------------------------------------------- its code

    @cached_property
    def solution(self) -> Module:
        """With what a test's surroundings made for it: a file of ours stands alone."""
        text = self._text("solution")
        if is_python(text):
            text = _standing_alone(text, self._starter_module())
        return Module("solution.py", text)

    @cached_property
    def defining(self) -> Module:
        """What says which names there are: the starter, where the solution does not compile. It is flagged later."""
        return self.solution if is_python(self.solution.text) else self._starter_module()

    def _starter_module(self) -> Module:
        """The starter, or what of it compiles."""
        text = self._text("starter_code")
        return Module("starter_code.py", text if is_python(text) else "\n\n\n".join(pieces_of(text)))

    @cached_property
    def tests(self) -> Sequence[Mapping[str, str]]:
        tests = self.data.get("test_cases")
        if not isinstance(tests, list):
            raise NoCounterpart("Its tests are no list.")
        kept = [test for test in tests if isinstance(test, dict) and isinstance(test.get("test"), str)]
        return [{"test": test["test"], "expected": str(test.get("expected_output", ""))} for test in kept]

    @cached_property
    def entries(self) -> list[str]:
        """What the tests use of the solution, in the solution's order."""
        sources = [test["test"] for test in self.tests if is_python(test["test"])]
        used = {name for source in sources for name in free_names(ast.parse(source).body)}
        found = [name for name in self.defining.definitions if name in used]
        if not found:
            raise NoCounterpart("Its tests use nothing that its solution defines.")
        return found

    def _starter(self) -> tuple[str, list[str]]:
        module = self._starter_module()
        whole = module.text == self._text("starter_code")
        warnings = [] if whole else ["Its starter does not compile: what does was kept, the rest made empty."]
        text = f"{_imports(module.text)}{module.text}"
        if missing := [name for name in self.entries if name not in module.definitions]:
            text = f"{text.rstrip()}\n\n\n{stub_of(self.defining, missing)}\n".lstrip("\n")
            if whole:
                warnings.append(f"Its starter does not define {', '.join(missing)}, which its tests use: added, empty.")
        return text, warnings

    def _scripts(self) -> tuple[list[tuple[int, Script]], list[str]]:
        """The scripts with the number of their test, and why other tests have none."""
        found, lost = [], []
        for number, test in enumerate(self.tests, 1):
            if not is_python(test["test"]):
                lost.append(f"Test {number} does not compile")
            elif script := self._script(test["test"]):
                found.append((number, script))
            else:
                lost.append(f"Test {number} prints nothing of the student's")
        return found, lost

    def _script(self, test: str) -> Script | None:
        module = Module("the test", test)
        imports = {**self.defining.imports, **KNOWN}
        entries = [self.defining.definitions[name] for name in self.entries]
        as_text = any(isinstance(node, ast.ClassDef) and _shows_itself(node) for node in entries)
        suite = Suite(module, frozenset(self.entries), imports=imports, prints=True, as_text=as_text)
        return suite.script(module.tree.body)

    def _own_tests(self) -> OwnTests:
        tests = [test["test"] for test in self.tests]
        expected = [test["expected"] for test in self.tests]
        inputs = {"solution": self.solution.text, "tests": tests}
        return OwnTests(len(tests), PROGRAM, inputs, "numpy", lambda result: _disagreements(result, expected))


KNOWN: dict[str, ast.stmt] = {"np": ast.Import([ast.alias("numpy", "np")]), "math": ast.Import([ast.alias("math")])}


def _only_orders(script: str) -> bool:
    """Whether all that a script shows is `a < b`."""
    shown = [node.value for node in ast.parse(script).body if isinstance(node, ast.Expr)]
    orders = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
    return all(isinstance(value, ast.Compare) and isinstance(value.ops[0], orders) for value in shown)


def _shows_itself(node: ast.ClassDef) -> bool:
    return any(isinstance(inner, ast.FunctionDef) and inner.name in ("__repr__", "__str__") for inner in node.body)


def _standing_alone(text: str, starter: Module) -> str:
    """A solution with the imports that it lacks, and with what only the starter defines."""
    defined = Module("solution.py", text).definitions
    extra = [node for name, node in starter.definitions.items() if name not in defined]
    lacks = free_names(ast.parse(text).body) & starter.definitions.keys()
    if lacks:
        kept = [node for node in starter.tree.body if node in extra or isinstance(node, ast.Import | ast.Expr)]
        text = "\n\n\n".join([*map(starter.written, kept), text])
    return f"{_imports(text)}{text}"


def _imports(text: str) -> str:
    """The imports of well-known modules that a file uses and lacks."""
    free = free_names(ast.parse(text).body)
    return "".join(f"{ast.unparse(node)}\n" for name, node in KNOWN.items() if name in free)


def _disagreements(result: Any, expected: Sequence[str]) -> list[str]:
    if not isinstance(result, list) or len(result) != len(expected):
        return ["Its tests did not run to their end"]
    found = []
    for number, ((printed, error), text) in enumerate(zip(result, expected, strict=True), 1):
        if error:
            found.append(f"Test {number} ends in {error}")
        elif not _agree(printed, text):
            theirs, ours = _where_they_differ(text, printed)
            found.append(f"Test {number} expects {theirs}, but the solution prints {ours}")
    return found


def _agree(printed: str, expected: str) -> bool:
    """Whether two texts have the same words and numbers, to the last place that `expected` shows, or are one value."""
    if _value(printed) is not None and _value(printed) == _value(expected):
        return True
    ours, theirs = _tokens(printed), _tokens(expected)
    return len(ours) == len(theirs) and all(map(_same, ours, theirs))


def _tokens(text: str) -> list[str]:
    return TOKEN.findall(TYPE.sub("", text))


def _value(text: str) -> Any:
    """What a text writes as a Python literal, or None: dicts are equal in any order."""
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _same(ours: str, theirs: str) -> bool:
    if not (NUMBER.fullmatch(ours) and NUMBER.fullmatch(theirs)):
        return ours == theirs
    a, b = float(ours), float(theirs)
    return abs(a - b) <= max(_last_place(theirs), 1e-6 * abs(b))


def _last_place(number: str) -> float:
    mantissa, _, exponent = number.lower().partition("e")
    return float(10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))) if "." in mantissa else 0.0


def _where_they_differ(*texts: str) -> list[str]:
    """Both as lines that can be read, cut around the first character that differs."""
    lines = [" ".join(text.split()) for text in texts]
    alike = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(*lines, strict=False)))
    start = max(0, alike - SHOWN // 2)
    return [
        repr(f"{'…' if start else ''}{line[start:][:SHOWN]}{'…' if len(line) > start + SHOWN else ''}")
        for line in lines
    ]
