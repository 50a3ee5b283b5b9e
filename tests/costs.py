"""Count the processor time of tests and fixtures, and write it down as tables.

    ./lectern test --costs            count while the tests run; write the tables to docs/testing.md
    ./lectern test --all --costs      the same of all tests; also write tests/weights.json, by which workers get them
    ./lectern test --costs GROUP      count, and print the tables

Wall-clock time says how busy a machine is, processor time what a test costs. A test is charged for its own process,
for each process that it starts (servers, boxes, browsers) and for what those do later while it runs. Where the kernel
lets us, a control group of each worker counts them all (`cpuacct` of version 1, `cpu.stat` of version 2). Elsewhere
only this process and its children that have ended are counted. PostgreSQL runs elsewhere and is never counted.
"""

import json
import os
import time
from collections import defaultdict
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.parallel import group_of

ROOT = Path(__file__).resolve().parents[1]
DOCS, WEIGHTS = ROOT / "docs" / "testing.md", ROOT / "tests" / "weights.json"
FIXTURES, DEAREST = 25, 50
DEAR_SECONDS = 5.0
V1, V2 = Path("/sys/fs/cgroup/cpuacct"), Path("/sys/fs/cgroup")


class Meter:
    """The processor seconds of this process and of all that it starts."""

    def __init__(self) -> None:
        self.group: Path | None = None
        self._read: Callable[[], float] = _of_children
        for root, read in ((V1, _usage_v1), (V2, _usage_v2)):
            if not (root / "cgroup.procs").exists():
                continue
            for left in root.glob("lectern-costs-*"):
                if not Path("/proc", left.name.rpartition("-")[2]).exists():
                    with suppress(OSError):  # somebody is in it
                        left.rmdir()
            group = root / f"lectern-costs-{os.getpid()}"
            try:
                group.mkdir()
                (group / "cgroup.procs").write_text(str(os.getpid()))
                read(group)
            except OSError:
                continue
            self.group, self._read = group, partial(read, group)
            return

    def seconds(self) -> float:
        return self._read()

    def close(self) -> None:
        """Leave the group. It is removed where nothing is left in it."""
        if self.group is None:
            return
        with suppress(OSError):  # processes that it started are still there
            (self.group.parent / "cgroup.procs").write_text(str(os.getpid()))
            self.group.rmdir()


def _usage_v1(group: Path) -> float:
    return int((group / "cpuacct.usage").read_text()) / 1e9


def _usage_v2(group: Path) -> float:
    return int((group / "cpu.stat").read_text().split()[1]) / 1e6


def _of_children() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


class Costs:
    """Charge processor time to tests, and within them to fixtures. What a fixture asks for is charged to itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.collection = 0.0
        self._begin()

    def _begin(self) -> None:
        self.process, self.meter = os.getpid(), Meter()
        self.tests: dict[str, dict[str, float]] = {}
        self.fixtures: dict[str, list[float]] = defaultdict(list)
        self._inner = [0.0]

    def pytest_collection_finish(self) -> None:
        self.collection = self.meter.seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        if os.getpid() != self.process:  # a worker, forked from the process that has collected
            self._begin()
            self.collection = 0.0
        began, wall = self.meter.seconds(), time.monotonic()
        try:
            return (yield)
        finally:
            cost = self.tests.setdefault(item.nodeid, {"setup": 0.0, "call": 0.0, "teardown": 0.0})
            cost["all"], cost["wall"] = self.meter.seconds() - began, time.monotonic() - wall

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self._phase(item, "setup"))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self._phase(item, "call"))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self._phase(item, "teardown"))

    def _phase(self, item: pytest.Item, name: str) -> Generator[None, Any, Any]:
        began = self.meter.seconds()
        try:
            return (yield)
        finally:
            costs = self.tests.setdefault(item.nodeid, {"setup": 0.0, "call": 0.0, "teardown": 0.0})
            costs[name] = self.meter.seconds() - began

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, Any, Any]:
        began = self.meter.seconds()
        self._inner.append(0.0)
        try:
            return (yield)
        finally:
            whole = self.meter.seconds() - began
            own = whole - self._inner.pop()
            self._inner[-1] += whole
            self.fixtures[f"{fixturedef.argname} ({fixturedef.scope})"].append(own)

    @pytest.hookimpl(optionalhook=True)
    def pytest_worker_ends(self) -> None:
        self.write()

    def write(self) -> None:
        """Write what this process has counted, for `read_costs`."""
        # Without a control group, who has started the workers would count all that they have used once more.
        total = self.meter.seconds() if self.meter.group or self.tests else time.process_time()
        data = {"total": total, "collection": self.collection, "tests": self.tests, "fixtures": self.fixtures}
        (self.folder / f"{os.getpid()}.json").write_text(json.dumps(data))
        self.meter.close()


@dataclass
class Table:
    """What a whole run has cost, in processor seconds."""

    total: float = 0.0
    collection: float = 0.0
    tests: dict[str, dict[str, float]] = field(default_factory=dict)
    fixtures: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def read(cls, folder: Path) -> "Table":
        table = cls()
        for path in folder.glob("*.json"):
            data = json.loads(path.read_text())
            table.total += data["total"]
            table.collection += data["collection"]
            table.tests |= data["tests"]
            for name, costs in data["fixtures"].items():
                table.fixtures[name] += costs
        return table

    def markdown(self) -> str:
        """The tables of docs/testing.md: by group, by fixture, and the dearest tests."""
        groups: dict[str, list[float]] = defaultdict(list)
        for test, cost in self.tests.items():
            groups[group_of(test)].append(cost["all"])
        rows = ["| group | tests | processor seconds |", "|---|---:|---:|"]
        for name, costs in sorted(groups.items(), key=lambda entry: -sum(entry[1])):
            rows.append(f"| `{name}` | {len(costs):,} | {sum(costs):.0f} |")
        other = self.total - self.collection - sum(map(sum, groups.values()))
        rows.append(f"| collecting them, once | | {self.collection:.0f} |")
        rows.append(f"| what servers share, handing out | | {other:.0f} |")
        rows.append(f"| **all** | **{len(self.tests):,}** | **{self.total:.0f}** |")
        rows += ["", "| fixture (scope) | times | processor seconds |", "|---|---:|---:|"]
        for name, costs in sorted(self.fixtures.items(), key=lambda entry: -sum(entry[1]))[:FIXTURES]:
            rows.append(f"| `{name}` | {len(costs):,} | {sum(costs):.1f} |")
        rows += ["", "| test | processor seconds |", "|---|---:|"]
        for test, cost in sorted(self.tests.items(), key=lambda entry: -entry[1]["all"])[:DEAREST]:
            rows.append(f"| `{test.removeprefix('tests/').replace('|', chr(92) + '|')}` | {cost['all']:.1f} |")
        return "\n".join(rows)

    def weights(self) -> dict[str, dict[str, float]]:
        """What `tests/parallel.py` plans by: a test's average in each file, and what is far dearer than that."""
        by_file: dict[str, list[float]] = defaultdict(list)
        for test, cost in self.tests.items():
            if cost["all"] < DEAR_SECONDS:
                by_file[test.partition("::")[0]].append(cost["all"])
        files = {path: round(sum(costs) / len(costs), 3) for path, costs in sorted(by_file.items())}
        dear = {test: round(cost["all"], 1) for test, cost in sorted(self.tests.items()) if cost["all"] >= DEAR_SECONDS}
        return {"files": files, "tests": dear}


def write_tables(table: Table, whole: bool) -> None:
    """Put the tables into docs/testing.md, and the weights of a run with `--all` into tests/weights.json."""
    name = "all" if whole else "default"
    begin, end = f"<!-- costs of {name} -->", f"<!-- end of {name} -->"
    text = DOCS.read_text()
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    DOCS.write_text(f"{before}{begin}\n{table.markdown()}\n{end}{after}")
    if whole:
        WEIGHTS.write_text(json.dumps(table.weights(), indent=1) + "\n")
