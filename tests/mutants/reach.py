"""A plugin of pytest's for the runs on a copy (trial.py): the tests that are likely to fail come first.

    --note-reach FILE --reach-of MODULE…   notes which test runs which lines of these modules, and how long it takes
    --noted FILE --mutated MODULE:LINE     those that reach the line come first, of these the quickest; where any does,
                                           those that do not even come near are left out, for they cannot notice; and a
                                           test that takes much longer than it did is ended, and has failed
    --only FILE                            only the tests that are listed there

Threads are followed, other processes are not. A line that only these reach counts as reached by nobody: all tests run.
A test that reaches a line only in another process may be left out. What would fail there then counts as surviving,
never the other way round.
"""

import json
import signal
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

NEAR_LINES = 5
HUNG_SECONDS, HUNG_TIMES = 30.0, 10.0  # a test hangs when it takes longer than both of these together
AGAIN_SECONDS = 10.0  # what is ended once more where its fixtures do not end either


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mutants")
    group.addoption("--note-reach", type=Path)
    group.addoption("--reach-of", action="append", default=[])
    group.addoption("--noted", type=Path)
    group.addoption("--mutated", default="")
    group.addoption("--only", type=Path)


def pytest_configure(config: pytest.Config) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # of a run in the background it is ignored
    if to := config.getoption("--note-reach"):
        config.pluginmanager.register(Noting(to, config.rootpath, config.getoption("--reach-of")))
    if noted := config.getoption("--noted"):
        module, _, line = config.getoption("--mutated").rpartition(":")
        config.pluginmanager.register(Nearest(json.loads(noted.read_text()), module, int(line)))
    if only := config.getoption("--only"):
        config.pluginmanager.register(Only(json.loads(only.read_text())))


class Noting:
    """Writes, by test: its seconds, and the lines that it reached, by module."""

    def __init__(self, to: Path, root: Path, modules: list[str]) -> None:
        self.to, self.modules = to, {str(root / module): module for module in modules}
        self.reached: dict[str, set[int]] = {}
        self.notes: dict[str, Any] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self.reached = {}
        threading.settrace(self._enter)
        sys.settrace(self._enter)
        began = time.monotonic()
        try:
            return (yield)
        finally:
            sys.settrace(None)
            lines = {module: sorted(found) for module, found in self.reached.items()}
            self.notes[item.nodeid] = {"seconds": time.monotonic() - began, "lines": lines}

    def pytest_sessionfinish(self) -> None:
        threading.settrace(None)
        self.to.write_text(json.dumps(self.notes))

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        module = self.modules.get(frame.f_code.co_filename)
        if module is None:
            return None

        def follow(frame: FrameType, event: str, argument: Any) -> Any:
            self.reached.setdefault(module, set()).add(frame.f_lineno)
            return follow

        return follow


class Nearest:
    """Puts the likely ones first, leaves out what cannot notice, and ends what hangs."""

    def __init__(self, notes: dict[str, Any], module: str, line: int) -> None:
        self.notes, self.module, self.line = notes, module, line

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: (self._distance(item.nodeid), self._seconds(item.nodeid)))
        if items and self._distance(items[0].nodeid) == 0:
            items[:] = [item for item in items if self._distance(item.nodeid) <= 1]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        signal.signal(signal.SIGALRM, _end)
        signal.setitimer(signal.ITIMER_REAL, HUNG_SECONDS + HUNG_TIMES * self._seconds(item.nodeid), AGAIN_SECONDS)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _distance(self, test: str) -> int:
        """0 for a test that runs the line itself, 1 for one that comes near, 2 for the others."""
        lines = self.notes.get(test, {}).get("lines", {}).get(self.module, [])
        nearest = min((abs(line - self.line) for line in lines), default=NEAR_LINES + 1)
        return 0 if nearest == 0 else 1 if nearest <= NEAR_LINES else 2

    def _seconds(self, test: str) -> float:
        return float(self.notes.get(test, {}).get("seconds", 0.0))


class Only:
    """Leaves out every test but those of a list."""

    def __init__(self, tests: list[str]) -> None:
        self.tests = set(tests)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.tests]


def _end(number: int, frame: FrameType | None) -> None:
    pytest.fail("it hangs")
