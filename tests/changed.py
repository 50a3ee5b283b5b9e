"""Choose the tests that reach what changed: `./lectern test --changed [REV]`, and the map that it reads.

    ./lectern test --map           run the tests under coverage.py, and write tests/reach.json.gz: which test reaches
                                   which function of app/, graders/ and cli/

The map names functions, not lines, so that it stays true while lines move. A function that many tests reach keeps
MOST_TESTS of them, the cheapest ones of as many files as possible. What runs in processes of their own (commands,
boxes) is not in the map. For what the map does not know, a test counts that imports the module or names the file.
"""

import ast
import gzip
import json
import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest

ROOT = Path(__file__).resolve().parents[1]
MAP = ROOT / "tests" / "reach.json.gz"
MAPPED = ("app", "graders", "cli")
MOST_TESTS = 40

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
    """Map each file that differs from `revision`, or is new, to the lines that changed. Empty: it is gone.

    Raises pytest.UsageError where git knows no such revision.
    """
    command = ["git", "diff", "--unified=0", "--no-color", "--no-ext-diff", revision, "--"]
    diff = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if diff.returncode:
        raise pytest.UsageError(f"--changed: git does not know {revision!r}. Name a commit, a branch or a tag.")
    changes: dict[str, set[int]] = {}
    path = ""
    for line in diff.stdout.splitlines():
        if line.startswith(("--- a/", "+++ b/")):
            path = line[6:]
        elif hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            # Where lines were only taken out, the line before and the line after are nearest.
            changes.setdefault(path, set()).update(range(first, first + count) if count else (first, first + 1))
    new = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"], cwd=root, capture_output=True, text=True
    )
    for name in new.stdout.splitlines():
        try:
            count = len((root / name).read_text().splitlines())
        except (OSError, UnicodeDecodeError):
            count = 1
        changes[name] = set(range(1, count + 1))
    return changes


class Chooser:
    """Which tests a change concerns."""

    def __init__(self, items: list[pytest.Item], reach: dict[str, Any], root: Path) -> None:
        self.root, self.reach = root, reach
        self.by_file: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in items:
            self.by_file[str(item.path.relative_to(root))].append(item)
        self.by_id = {item.nodeid: item for item in items}
        self.texts = {path: (root / path).read_text() for path in self.by_file}

    def choose(self, changes: dict[str, set[int]]) -> set[str]:
        chosen: set[str] = set()
        for path, lines in changes.items():
            chosen |= self._of_file(path, lines)
        return chosen

    def _of_file(self, path: str, lines: set[int]) -> set[str]:
        if path in self.by_file:
            return {item.nodeid for item in self.by_file[path]}
        if path.startswith("tests/"):
            return self._importing(path) if path.endswith(".py") else self._naming(Path(path).name)
        if path.endswith(".py") and path.partition("/")[0] in MAPPED and (self.root / path).exists():
            return self._of_module(path, lines)
        words = [part for part in (Path(path).stem, Path(path).parent.name) if len(part) > 3]
        return self._naming(path) | self._naming(Path(path).name) | self._items_with(words) | self._code()

    def _of_module(self, path: str, lines: set[int]) -> set[str]:
        functions = functions_of((self.root / path).read_text())
        reached: dict[str, list[int]] = self.reach.get("functions", {}).get(path, {})
        tests: list[str] = self.reach.get("tests", [])
        chosen: set[str] = set()
        for name in {functions.get(line, "") for line in lines}:
            known = [name] if name in reached else list(reached) if not name else []
            chosen |= {tests[number] for function in known for number in reached[function]} & self.by_id.keys()
        return (chosen or self._importing(path)) | self._code()

    def _importing(self, path: str) -> set[str]:
        module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        package, _, name = module.rpartition(".")
        imports = re.compile(rf"{re.escape(module)}\b|^ *from {re.escape(package)} import .*\b{name}\b", re.MULTILINE)
        return {item.nodeid for file, text in self.texts.items() if imports.search(text) for item in self.by_file[file]}

    def _naming(self, word: str) -> set[str]:
        return {item.nodeid for path, text in self.texts.items() if word in text for item in self.by_file[path]}

    def _items_with(self, words: list[str]) -> set[str]:
        return {nodeid for nodeid in self.by_id if any(f"[{word}" in nodeid or f"-{word}" in nodeid for word in words)}

    def _code(self) -> set[str]:
        """The rules that read every file, but for mypy and ruff, which `./lectern lint` runs."""
        quick = ("tests/test_boundaries.py", "tests/test_clocks.py")
        return {item.nodeid for path in quick for item in self.by_file.get(path, [])}


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
