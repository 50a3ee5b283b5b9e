"""The choice of the tests that run on PostgreSQL as well: those that ask it what no other test does.

    ./lectern test --twins    run all twins, and write tests/without_a_twin.json: those that ask nothing new

A twin is the same test on PostgreSQL, where SQLite has been tried already. It is worth its time if it executes a
statement that no other does, or if threads or processes meet in the database: locks differ most between the two. A
test that the list does not name has its twin, so a new test has one until somebody looks again.
"""

import json
import os
import re
from collections import defaultdict
from collections.abc import Collection, Generator, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from tests.parallel import ROOT

LIST = ROOT / "tests" / "without_a_twin.json"
# Here threads and processes meet, types are stored and read back, or tables are changed: each test has its twin.
MEET = (
    "tests/app/test_connections.py",
    "tests/app/test_drafts.py",
    "tests/app/test_events.py",
    "tests/app/test_migrations.py",
    "tests/app/test_queue.py",
    "tests/app/test_queue_contract.py",
    "tests/app/test_sheets.py",
    "tests/app/test_statements.py",
    "tests/commands/test_backup.py",
)
_BOUND = re.compile(r"%\(\w+\)s(::[A-Z\[\] ]+)?|\b\d+\b")
_MANY = re.compile(r"\?(, \?)+|\(\?\)(, \(\?\))+")


class Statements:
    """Record the statements that each test sends to PostgreSQL, without their values and how many those are."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.statements: dict[str, set[str]] = {}
        self._test = ""
        event.listen(Engine, "before_cursor_execute", self._record)

    def _record(self, connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if self._test and connection.dialect.name == "postgresql":
            self.statements.setdefault(self._test, set()).add(_MANY.sub("?", _BOUND.sub("?", statement)))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self._test = function_of(item) if is_twin(item) else ""
        try:
            return (yield)
        finally:
            self._test = ""

    @pytest.hookimpl(optionalhook=True)
    def pytest_worker_ends(self) -> None:
        self.write()

    def write(self) -> None:
        """Write what this process has recorded, for `write_list`."""
        data = {test: sorted(statements) for test, statements in self.statements.items()}
        (self.folder / f"{os.getpid()}.json").write_text(json.dumps(data))


def is_twin(item: pytest.Item) -> bool:
    """Tell whether the same test runs on SQLite."""
    call = getattr(item, "callspec", None)
    return call is not None and any(isinstance(value, str) and value == "postgresql" for value in call.params.values())


def function_of(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def is_worth_it(item: pytest.Item, listed: Collection[str]) -> bool:
    """Return False for a twin that asks PostgreSQL nothing that others do not ask."""
    return not (is_twin(item) and function_of(item) in listed)


def read_list() -> frozenset[str]:
    """Return the tests, without parameters, that need no twin."""
    by_file: dict[str, list[str]] = json.loads(LIST.read_text())
    return frozenset(f"{path}::{name}" for path, names in by_file.items() for name in names)


def write_list(folder: Path, passed: Iterable[str]) -> None:
    """Write the list from what the workers have recorded. A test that was skipped keeps its twin: nobody knows yet
    which statements it sends."""
    whole = {test.partition("[")[0] for test in passed}
    statements: dict[str, set[str]] = defaultdict(set)
    for recording in folder.glob("*.json"):
        for test, recorded in json.loads(recording.read_text()).items():
            statements[test].update(recorded)
    by_file: dict[str, list[str]] = defaultdict(list)
    for test in sorted(statements.keys() - cover(statements)):
        path, _, name = test.partition("::")
        if path not in MEET and test in whole:
            by_file[path].append(name)
    LIST.write_text(json.dumps(by_file, indent=1) + "\n")


def cover(statements: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """Choose tests that execute all statements between them: each time the one that adds most, the first by name of
    several. Those of MEET are chosen already."""
    left = {test: set(theirs) for test, theirs in sorted(statements.items())}
    chosen = {test for test in left if test.partition("::")[0] in MEET}
    missing = set[str]().union(*left.values()).difference(*(left[test] for test in chosen))
    while missing:
        best = max(left, key=lambda test: len(left[test] & missing))
        chosen.add(best)
        missing -= left.pop(best)
    return frozenset(chosen)
