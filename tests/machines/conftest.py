"""One machine at a time, for the tests of one file; and what they found, in short, at the end."""

from collections.abc import Iterator
from datetime import date

import pytest

from tests.needs import missing

from .image import Kind, lacks
from .machine import Machine, running

FOUND = pytest.StashKey[list[str]]()


@pytest.fixture(scope="module")
def machine(request: pytest.FixtureRequest) -> Iterator[Machine]:
    """The machine that the file's KIND says."""
    kind: Kind = request.module.KIND
    if lacking := lacks(kind):
        missing("machines", f"machines: {lacking}")
    with running(kind) as machine:
        found = f"{date.today()} {kind.processor}, Linux {machine.kernel}, under {machine.accelerator}"
        request.config.stash.setdefault(FOUND, []).append(found)
        yield machine


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for line in config.stash.get(FOUND, []):
        terminalreporter.write_line(line)


@pytest.fixture
def note(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """Lines for the summary."""
    lines: list[str] = []
    yield lines
    request.config.stash.setdefault(FOUND, []).extend(f"  {request.node.name}: {line}" for line in lines)
