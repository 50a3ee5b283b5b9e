"""What `./lectern test` adds to pytest: which tests run, and the summary.

Tests marked `extra` run with `--all` only, or where their file is named: PostgreSQL twins, drills, further widths and
themes, the second user, the simulation. Everything else is the product once, on SQLite, as one user.
"""

import shlex
import shutil
import tempfile
from collections import Counter, defaultdict
from functools import partial
from pathlib import Path

import pytest

from tests.changed import Chooser, Mapping, changes_since, read_map, write_map
from tests.costs import Costs, Table, write_tables
from tests.parallel import ROOT, duration, group_of
from tests.twins import Statements, is_twin, is_worth_it, read_list, write_list

SLOWEST = 10


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lectern")
    group.addoption("--all", action="store_true", help="also the tests marked `extra`")
    group.addoption("--changed", metavar="REV", help="only the tests that reach what changed since REV")
    group.addoption("--twins", action="store_true", help="write tests/without_a_twin.json, from all twins")
    group.addoption("--map", action="store_true", help="write tests/reach.json.gz, which --changed reads")
    group.addoption("--costs", action="store_true", help="write the processor time of tests to docs/testing.md")


# After tests/conftest.py, which marks the drills.
@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--twins"):
        keep(config, items, [item for item in items if is_twin(item)])
        return
    listed = read_list()
    by_name = {argument for argument in config.args if "[" in argument}
    keep(
        config, items,
        [item for item in items if is_worth_it(item, listed) or any(each.endswith(item.nodeid) for each in by_name)],
    )  # fmt: skip
    if not config.getoption("--all"):
        # What is named by its file runs whole, and so does a group in which all is extra.
        named = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
        plain = {parent for item in items if not _is_extra(item) for parent in item.path.parents}
        whole = [path for path in named if path not in plain]
        keep(
            config, items, [item for item in items if not _is_extra(item) or {item.path, *item.path.parents} & {*whole}]
        )
    revision = config.getoption("--changed")
    if revision:
        changes = changes_since(revision, config.rootpath)
        chosen = Chooser(items, read_map(), config.rootpath).choose(changes)
        keep(config, items, [item for item in items if item.nodeid in chosen])


def _is_extra(item: pytest.Item) -> bool:
    return item.get_closest_marker("extra") is not None


def keep(config: pytest.Config, items: list[pytest.Item], chosen: list[pytest.Item]) -> None:
    """Leave only these, and count the others as deselected."""
    numbers = set(map(id, chosen))
    if others := [item for item in items if id(item) not in numbers]:
        config.hook.pytest_deselected(items=others)
    items[:] = chosen


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Summary(config), "lectern-summary")
    for option, recorder in (("--costs", Costs), ("--map", Mapping), ("--twins", Statements)):
        if config.getoption(option):
            folder = Path(tempfile.mkdtemp(prefix="lectern-tests-"))
            config.add_cleanup(partial(shutil.rmtree, folder, ignore_errors=True))
            config.pluginmanager.register(recorder(folder), f"lectern{option}")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Write down what was recorded."""
    config = session.config
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and config.getoption("--changed"):
        session.exitstatus = pytest.ExitCode.OK  # no test reaches what changed
    is_whole = is_of_everything(config) and exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    line = config.get_terminal_writer().line
    if costs := config.pluginmanager.get_plugin("lectern--costs"):
        costs.write()
        table = Table.read(costs.folder)
        if is_whole:
            write_tables(table, whole=config.getoption("--all"))
        else:
            line("\n" + table.markdown())
    summary = config.pluginmanager.get_plugin("lectern-summary")
    assert isinstance(summary, Summary)
    if statements := config.pluginmanager.get_plugin("lectern--twins"):
        statements.write()
        if is_whole and not summary.failures:
            write_list(statements.folder, [test for test, outcome in summary.outcomes.items() if outcome == "passed"])
        else:
            line("\ntests/without_a_twin.json stays as it was: all twins must run, and none may fail.")
    if mapping := config.pluginmanager.get_plugin("lectern--map"):
        mapping.write()
        if is_whole:
            write_map(mapping.folder, summary.seconds)
        else:
            line("\ntests/reach.json.gz stays as it was: that takes all tests, from the first to the last.")


def is_of_everything(config: pytest.Config) -> bool:
    """Tell whether a run is of all tests: none was left out by its path, its name, a marker or a change."""
    option = config.option
    chosen = option.keyword or option.markexpr or config.getoption("--changed") or config.getoption("--deselect")
    return not chosen and [Path(argument) for argument in config.args] == [ROOT / "tests"]


OUTCOMES = ("passed", "skipped", "failed")  # the worst of a test's set-up, call and teardown counts


class Summary:
    """Counts by group, reasons of skips, the slowest tests, and how to repeat a failure alone."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.outcomes: dict[str, str] = {}
        self.seconds: dict[str, float] = defaultdict(float)
        self.skips: dict[tuple[str, str], int] = defaultdict(int)
        self.failures: dict[str, None] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        group = group_of(report.nodeid)
        self.seconds[report.nodeid] += report.duration
        before = self.outcomes.get(report.nodeid, "passed")
        self.outcomes[report.nodeid] = max(before, report.outcome, key=OUTCOMES.index)
        if report.failed:
            self.failures[report.nodeid] = None
        elif report.skipped:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
            self.skips[group, str(reason).removeprefix("Skipped: ")] += 1

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.outcomes:
            return
        write = terminalreporter.write_line
        terminalreporter.section("by group")
        by_group: dict[str, Counter[str]] = defaultdict(Counter)
        for test, outcome in self.outcomes.items():
            by_group[group_of(test)][outcome] += 1
        for group, counts in sorted(by_group.items()):
            numbers = ", ".join(f"{counts[name]:,} {name}" for name in OUTCOMES if counts[name])
            write(f"{group:10} {numbers}")
        for (group, reason), count in sorted(self.skips.items()):
            write(f"skipped in {group}: {count} × {reason}")
        if len(self.seconds) > SLOWEST:
            terminalreporter.section("slowest")
            for test in sorted(self.seconds, key=lambda test: -self.seconds[test])[:SLOWEST]:
                write(f"{duration(self.seconds[test]):>12}  {test}")
        if self.failures:
            terminalreporter.section("to repeat a failure alone")
            for test in self.failures:
                write(f"./lectern test {shlex.quote(test)}")
