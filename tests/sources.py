"""Source files as syntax trees, parsed once in a test run, and the list of all that breaks a rule."""

import ast
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Yields the line and the offence of each place in a file that breaks a rule.
Rule = Callable[[Path], Iterable[tuple[int, str]]]


def python_files(*folders: str) -> list[Path]:
    """List the Python files in these folders of the project, by their paths in it."""
    return sorted(path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob("*.py"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file's syntax tree. Paths begin at the project's root."""
    return tuple(ast.walk(ast.parse((ROOT / path).read_text())))


@cache
def imports(path: Path) -> dict[str, int]:
    """Return every module that a file imports, at its top or later, with its first line."""
    lines: dict[str, int] = {}
    for node in nodes(path):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            lines.setdefault(name, node.lineno)
    return lines


def assert_kept(rule: Rule, paths: Iterable[Path]) -> None:
    """Raise AssertionError with every place where one of these files breaks this rule."""
    offences = [f"{path}:{line}  {what}" for path in paths for line, what in sorted({*rule(path)})]
    assert not offences, "\n".join(offences)
