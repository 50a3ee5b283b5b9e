"""`test`: the groups of tests, by name."""

import importlib.util
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from app.commands.terminal import stop

ROOT = Path(__file__).resolve().parents[2]


def run_tests(
    groups: Annotated[
        list[str] | None,
        typer.Argument(help="app, browser, code, graders, …; default: all but machines, mutants."),
    ] = None,
) -> None:
    """Run the tests. A group whose browser or service is missing is skipped and named in the summary.

    With LECTERN_TEST_REQUIRE=sandbox,services,browser a missing one is a failure.
    """
    if importlib.util.find_spec("pytest") is None:
        raise stop(
            False,
            "not_found",
            "The packages that the tests need are not installed.",
            "Run `./lectern test`, which installs them.",
        )
    tests = ROOT / "tests"
    found = {path.name: [path] for path in tests.iterdir() if path.is_dir() and any(path.glob("test_*.py"))}
    found["code"] = sorted(tests.glob("test_*.py"))
    known = sorted(found)
    for group in groups or []:
        if group not in known:
            raise stop(False, "not_found", f"There is no test group {group!r}.", f"The groups are {', '.join(known)}.")
    # Without a group it is all of them but `machines` and `mutants` (tests/conftest.py), which take hours.
    chosen = [str(path) for group in groups or [] for path in found[group]] or [str(tests)]
    os.chdir(ROOT)
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *chosen])  # noqa: S606
