"""Choose the tests that reach what changed: `./lectern test --changed [REV]`, and the map that it reads.

    ./lectern test --map           run the tests under coverage.py, and write tests/reach.json.gz: which test reaches
                                   which function of app/, graders/ and cli/

The map names functions, not lines, so that it stays true while lines move. A function that many tests reach keeps
MOST_TESTS of them, the cheapest ones of as many files as possible. What runs in processes of their own (commands,
boxes) is not in the map. For what the map does not know, tests count that import the module or have its name, or else
all of that part of the tree.
"""

import ast
import gzip
import json
import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest

ROOT = Path(__file__).resolve().parents[1]
MAP = ROOT / "tests" / "reach.json.gz"
MAPPED = ("app", "graders", "cli")
MOST_TESTS = 40
SCHEMA = ("tests/app/test_migrations.py", "tests/app/test_indexes.py")
# Whose tests they are, where nothing better is known.
GROUPS = (
    ("app/commands/", "tests/commands"),
    ("app/content/", "tests/content"),
    ("app/", "tests/app"),
    ("cli/", "tests/commands"),
    ("graders/", "tests/graders"),
)

Function = tuple[str, str]  # path, qualified name


def functions_of(source: str) -> dict[int, str]:
    """Map each line of a module to the innermost function around it; lines outside of functions are left out."""
    lines: dict[int, str] = {}

    def visit(node: ast.AST, name: str, is_function: bool) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{name}.{child.name}".lstrip(".")
                is_inner = not isinstance(child, ast.ClassDef)
                if is_inner:
                    first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
                    lines.update(dict.fromkeys(range(first, (child.end_lineno or first) + 1), inner))
                visit(child, inner, is_inner)
            else:
                visit(child, name, is_function)

    visit(ast.parse(source), "", False)
    return lines


# ---------------------------------------------------------------------- what changed


def changes_since(revision: str, root: Path) -> dict[str, set[int]]:
    """Map each file that differs from `revision`, or is new, to the lines that changed; all of them where git shows no
    lines (a moved or a binary file). A file that is gone is in it, too.

    Raises pytest.UsageError where git knows no such revision.
    """
    diff = ["diff", "--no-renames", "--no-color", "--no-ext-diff", "--src-prefix=a/", "--dst-prefix=b/"]
    names = _git(root, *diff, "--name-only", "-z", revision, "--")
    if names is None:
        raise pytest.UsageError(f"--changed: git does not know {revision!r}. Name a commit, a branch or a tag.")
    changes: dict[str, set[int]] = {name: set() for name in names.split("\0") if name}
    path = ""
    for line in (_git(root, *diff, "--unified=0", revision, "--") or "").splitlines():
        if line.startswith(("--- a/", "+++ b/")):
            path = line[6:].removesuffix("\t")
        elif (hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)) and path in changes:
            first, count = int(hunk[1]), int(hunk[2] or 1)
            # Where lines were only taken out, the line before and the line after are nearest.
            changes[path].update(range(first, first + count) if count else (first, first + 1))
    changes |= {name: set() for name in (_git(root, *NEW) or "").split("\0") if name}
    return {name: lines or _lines_of(root / name) for name, lines in changes.items()}


NEW = ("ls-files", "--others", "--exclude-standard", "-z")


def _git(root: Path, *arguments: str) -> str | None:
    command = ["git", "-c", "core.quotePath=false", *arguments]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, errors="replace")
    return None if run.returncode else run.stdout


def _lines_of(path: Path) -> set[int]:
    try:
        return set(range(1, len(path.read_text().splitlines()) + 1)) or {1}
    except (OSError, UnicodeDecodeError):
        return {1}


class Chooser:
    """Which tests a change concerns."""

    def __init__(self, items: list[pytest.Item], reach: dict[str, Any], root: Path) -> None:
        self.root, self.reach = root, reach
        self.by_file: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in items:
            self.by_file[str(item.path.relative_to(root))].append(item)
        self.by_id = {item.nodeid: item for item in items}
        self.texts = {path: (root / path).read_text() for path in self.by_file}
        helpers = {str(path.relative_to(root)): path for path in (root / "tests").rglob("*.py")}
        self.helpers = {
            name: path.read_text(errors="replace") for name, path in helpers.items() if name not in self.texts
        }

    def choose(self, changes: dict[str, set[int]]) -> set[str]:
        chosen: set[str] = set()
        for path, lines in changes.items():
            chosen |= self._of_file(path, lines)
        return chosen | self._rules() if changes else chosen

    def _of_file(self, path: str, lines: set[int]) -> set[str]:
        if path in self.by_file:
            return self._items([path])
        top = path.partition("/")[0]
        if top == "tests":
            return self._of_helper(path)
        if path.endswith(".py") and top in MAPPED:
            return self._of_module(path, lines)
        words = [part for part in (Path(path).stem, Path(path).parent.name) if len(part) > 3]
        tests = self._naming(path) | self._naming(Path(path).name) | self._items_with(words)
        return tests | (self._items(SCHEMA) if top == "migrations" else set())

    def _of_module(self, path: str, lines: set[int]) -> set[str]:
        """By the map, function by function. What it does not know runs in a process of its own, or is new: then the
        tests that import the module or have its name; if there are none, those of its part of the tree."""
        place = self.root / path
        functions = functions_of(place.read_text()) if place.exists() else {}
        reached: dict[str, list[int]] = self.reach.get("functions", {}).get(path, {})
        tests: list[str] = self.reach.get("tests", [])
        chosen: set[str] = set()
        is_unknown = False
        for name in {functions.get(line, "") for line in lines}:
            known = [name] if name in reached else list(reached) if not name else []
            found = {tests[number] for function in known for number in reached[function]} & self.by_id.keys()
            is_unknown |= not found
            chosen |= found
        if is_unknown:
            named = [file for file in self.by_file if Path(file).stem == f"test_{Path(path).stem.strip('_')}"]
            group = next(group for start, group in GROUPS if path.startswith(start))
            chosen |= self._importing(path) | self._items(named) or self._below(group)
        return chosen

    def _of_helper(self, path: str) -> set[str]:
        """A file of the tests that is none itself: a module, or what tests read."""
        if Path(path).name == "conftest.py":
            return self._below(str(Path(path).parent))
        if found := self._importing(path) | self._naming(Path(path).name):
            return found
        for folder in Path(path).parents[:-1]:
            if found := self._naming(folder.name, r"[\"'/]") if folder.name != "tests" else set():
                return found
            if any(Path(file).parent == folder for file in self.by_file):
                return self._below(str(folder))
        return set(self.by_id)

    def _importing(self, path: str) -> set[str]:
        """The tests that import a module, themselves or by modules of the tests; by a conftest, all below it."""
        importing: set[str] = set()
        new = {path}
        while new:
            imports = [_imports(each) for each in new]
            found = {
                file
                for file, text in (self.texts | self.helpers).items()
                if any(
                    pattern.search(text) and (near is None or Path(file).parent == near)
                    for both in imports
                    for pattern, near in both
                )
            }
            new = found - importing - {path}
            importing |= new
        folders = [str(Path(file).parent) for file in importing if Path(file).name == "conftest.py"]
        return self._items(importing & self.by_file.keys()).union(*map(self._below, folders))

    def _items(self, files: Iterable[str]) -> set[str]:
        return {item.nodeid for file in files for item in self.by_file.get(file, [])}

    def _below(self, folder: str) -> set[str]:
        return self._items([file for file in self.by_file if Path(file).is_relative_to(folder)])

    def _naming(self, word: str, around: str = "") -> set[str]:
        naming = re.compile(f"{around}{re.escape(word)}{around}")
        return self._items([file for file, text in self.texts.items() if naming.search(text)])

    def _items_with(self, words: list[str]) -> set[str]:
        return {nodeid for nodeid in self.by_id if any(f"[{word}" in nodeid or f"-{word}" in nodeid for word in words)}

    def _rules(self) -> set[str]:
        """Those that read every file, but for mypy and ruff, which `./lectern lint` runs."""
        return self._items(["tests/test_boundaries.py", "tests/test_clocks.py"])


def _imports(path: str) -> list[tuple[re.Pattern[str], Path | None]]:
    """Return patterns that find an import of a module; the folder of the importing file, where it must be that one."""
    module = path.removeprefix("cli/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    package, _, name = module.rpartition(".")
    absolute = rf"^ *(?:import|from) {re.escape(module)}\b|^ *from {re.escape(package)} import [^#]*\b{name}\b"
    relative = rf"^ *from \.{name} import|^ *from \. import [^#]*\b{name}\b"
    return [(re.compile(absolute, re.MULTILINE), None), (re.compile(relative, re.MULTILINE), Path(path).parent)]


def read_map() -> dict[str, Any]:
    reach: dict[str, Any] = json.loads(gzip.decompress(MAP.read_bytes())) if MAP.exists() else {}
    return reach


# ---------------------------------------------------------------------- the map


class Mapping:
    """Note in each worker which test reaches which lines, and write them down at its end."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.process = folder, 0
        self.coverage: coverage.Coverage

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if self.process != os.getpid():
            self._begin()
        self.coverage.switch_context(nodeid)

    def _begin(self) -> None:
        self.process = os.getpid()
        own = [str(ROOT / name / "*") for name in MAPPED]
        self.coverage = coverage.Coverage(data_file=str(self.folder / f"{os.getpid()}.coverage"), include=own)
        self.coverage.start()

    @pytest.hookimpl(optionalhook=True)
    def pytest_worker_ends(self) -> None:
        self.write()

    def write(self) -> None:
        if self.process == os.getpid():
            self.coverage.stop()
            self.coverage.save()


def reached_in(folder: Path) -> Iterator[tuple[Function, str]]:
    """Yield (function, test) for all that the workers noted."""
    for path in folder.glob("*.coverage"):
        data = coverage.CoverageData(str(path))
        data.read()
        for name in data.measured_files():
            module = str(Path(name).relative_to(ROOT))
            functions = functions_of(Path(name).read_text())
            seen: set[tuple[str, str]] = set()
            for line, tests in data.contexts_by_lineno(name).items():
                if line in functions:
                    seen |= {(functions[line], test) for test in tests if test}
            for function, test in seen:
                yield (module, function), test


def write_map(folder: Path, seconds: dict[str, float]) -> None:
    """Write the map: for each function the cheapest tests that reach it, of as many files as there are."""
    reached: dict[Function, set[str]] = defaultdict(set)
    for function, test in reached_in(folder):
        reached[function].add(test)
    functions: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for (module, name), tests in sorted(reached.items()):
        functions[module][name] = _spread(tests, seconds)
    names = sorted({test for module in functions.values() for tests in module.values() for test in tests})
    number = {name: place for place, name in enumerate(names)}
    lines = [
        f"{json.dumps(module)}: "
        + json.dumps(
            {name: sorted(number[test] for test in tests) for name, tests in of_module.items()}, separators=(",", ":")
        )
        for module, of_module in functions.items()
    ]
    tests_json = ",\n".join(json.dumps(name) for name in names)
    text = '{"tests": [\n' + tests_json + '\n],\n"functions": {\n' + ",\n".join(lines) + "\n}}\n"
    MAP.write_bytes(gzip.compress(text.encode(), mtime=0))


def _spread(tests: set[str], seconds: dict[str, float]) -> list[str]:
    """Choose at most MOST_TESTS: the cheapest of each file in turn."""
    by_file: dict[str, list[str]] = defaultdict(list)
    for test in sorted(tests, key=lambda test: (-seconds.get(test, 0.0), test)):
        by_file[test.partition("::")[0]].append(test)
    chosen: list[str] = []
    while by_file and len(chosen) < MOST_TESTS:
        for file in sorted(by_file, key=lambda file: seconds.get(by_file[file][-1], 0.0)):
            chosen.append(by_file[file].pop())
            if not by_file[file]:
                del by_file[file]
    return chosen[:MOST_TESTS]
