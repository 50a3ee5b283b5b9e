"""Trying mutants: a copy of the tree, one mutant at a time in it, and the nearest tests on that."""

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from graders.proof.mutants import Mutant, arguments_of
from tests.changed import functions_of, read_map
from tests.mutants.targets import ROOT, Target

LEAST_SECONDS, TIMES = 120.0, 5.0  # at most so long, and so many times as long as without a mutant, for all tests
FURTHER_SECONDS = 900.0  # for at most MOST_TESTS tests of the whole suite
END_SECONDS = 20.0  # for a run that is interrupted to drop its databases
NOT_COPIED = (".*", "var", "__pycache__", "benchmarks")


@dataclass(frozen=True)
class Tried:
    """One mutant's fate. `killer`: the test that failed, or what else became of the run; None: it lives."""

    path: str
    mutant: Mutant
    killer: str | None
    seconds: float
    argument: str | None = None  # the author's, why it must live

    @property
    def fate(self) -> str:
        return "killed" if self.killer else "argued" if self.argument else "SURVIVES"

    def __str__(self) -> str:
        why = self.killer or self.argument or ""
        line = f"{self.fate:8}  {self.path}:{self.mutant.line}  {self.mutant.operator}  {self.seconds:.0f} s  {why}"
        return line if self.killer else f"{line}\n{self.mutant.diff}"


@dataclass
class Tally:
    """The fates of all mutants that were tried."""

    tried: list[Tried] = field(default_factory=list)

    def count(self, fate: str) -> int:
        return sum(one.fate == fate for one in self.tried)

    @property
    def score(self) -> float:
        """Killed of those that nobody argues for; 1 where there is none."""
        counted = len(self.tried) - self.count("argued")
        return self.count("killed") / counted if counted else 1.0

    def __str__(self) -> str:
        killed, argued, living = (self.count(fate) for fate in ("killed", "argued", "SURVIVES"))
        return f"{len(self.tried)} mutants: {killed} killed, {argued} argued, {living} surviving ({self.score:.0%})"


class Copy:
    """A copy of the tree, which the tests in it take for the only one. `.venv` is shared: nobody writes there."""

    def __init__(self, folder: Path) -> None:
        self.root, self.folder = folder / "tree", folder
        self.reach = read_map()
        shutil.copytree(ROOT, self.root, ignore=shutil.ignore_patterns(*NOT_COPIED))

    def note(self, target: Target) -> float:
        """Run the nearest tests without a mutant, and note what each of them reaches; the seconds that they take.

        They must pass, or that they fail on a mutant would mean nothing.
        """
        modules = [option for module in target.modules(self.root) for option in ("--reach-of", module)]
        began = time.monotonic()
        killer = self._run(target.tests, ["--note-reach", str(self._notes(target)), *modules], 3600.0)
        assert killer is None, f"The nearest tests of {target.name!r} fail without a mutant: {killer}\n{self._said()}"
        return time.monotonic() - began

    def try_mutant(self, target: Target, path: str, mutant: Mutant, unmutated_seconds: float) -> Tried:
        """Try the nearest tests, then those of the whole suite that reach the function, by the map of `--changed`."""
        place = self.root / path
        before = place.read_text()
        argument = arguments_of(before).get(mutant.line)
        began = time.monotonic()
        try:
            _write(place, mutant.text)
            options = ["-x", "--noted", str(self._notes(target)), "--mutated", f"{path}:{mutant.line}"]
            killer = self._run(target.tests, options, max(LEAST_SECONDS, TIMES * unmutated_seconds))
            function = functions_of(before).get(mutant.line, "")
            if killer is None and argument is None and (further := self._reaching(path, function)):
                only = self.folder / "only.json"
                only.write_text(json.dumps(further))
                files = sorted({test.partition("::")[0] for test in further})
                killer = self._run(files, ["-x", "--only", str(only)], FURTHER_SECONDS)
        finally:
            _write(place, before)
        return Tried(path, mutant, killer, time.monotonic() - began, argument)

    def _reaching(self, path: str, function: str) -> list[str]:
        """Return the tests that the map has for a function: at most MOST_TESTS, of as many files as possible."""
        tests: list[str] = self.reach.get("tests", [])
        numbers: list[int] = self.reach.get("functions", {}).get(path, {}).get(function, [])
        return [tests[number] for number in numbers if (self.root / tests[number].partition("::")[0]).exists()]

    def _notes(self, target: Target) -> Path:
        return self.folder / f"{target.name}.json"

    def _run(self, tests: Iterable[str], options: list[str], seconds: float) -> str | None:
        """None where all tests pass; else the first that fails, or how the run ended."""
        cache = self.folder / "cache"  # filled by the first run; a mutant's own is a copy, which it may spoil
        if "-x" in options:
            shutil.rmtree(self.folder / "own", ignore_errors=True)
            cache = Path(shutil.copytree(cache, self.folder / "own"))
        cache.mkdir(mode=0o700, exist_ok=True)
        places = {"PYTHONPATH": self.root, "LECTERN_ROOT": self.root, "LECTERN_TEST_CACHE": cache}
        environment = {**os.environ, **{name: str(path) for name, path in places.items()}}
        command = [sys.executable, "-P", "-m", "pytest", "-q", "-m", "not extra", "-p", "tests.mutants.reach"]
        command += [*options, *tests]
        with (
            (self.folder / "said").open("wb") as said,
            subprocess.Popen(
                command, cwd=self.root, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                start_new_session=True,
            ) as running,
        ):  # fmt: skip
            code = _ended(running, seconds)
        if code in (pytest.ExitCode.NO_TESTS_COLLECTED, pytest.ExitCode.USAGE_ERROR) and "-x" not in options:
            raise AssertionError(self._said())
        if code == 0 or ("--only" in options and code == pytest.ExitCode.NO_TESTS_COLLECTED):
            return None
        failed = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - |$)", self._said(), re.MULTILINE)
        return failed[1] if failed else "no end" if code is None else f"exit status {code}"

    def _said(self) -> str:
        return (self.folder / "said").read_text(errors="replace")[-8000:]


def _ended(running: subprocess.Popen[bytes], seconds: float) -> int | None:
    """Its exit status; None for what had to be ended. Whatever ends us ends it too."""
    try:
        return running.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        for number in (signal.SIGINT, signal.SIGKILL):
            if running.poll() is None:
                os.killpg(running.pid, number)
                with suppress(subprocess.TimeoutExpired):
                    running.wait(END_SECONDS)


def _write(path: Path, text: str) -> None:
    """Without the bytecode of what stood there, which Python would take for the same if the size and the second are."""
    path.write_text(text)
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)
