"""`test` and `lint`: the project's own checks, by name."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from app.commands.terminal import say, stop

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"


def run_tests(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GROUP|PATH…] [-- PYTEST…]",
            help="groups (app, browser, code, …), files or single tests; what follows `--` goes to pytest.",
        ),
    ] = None,
    whole: Annotated[
        bool,
        typer.Option("--all", help="what CI runs: PostgreSQL, drills, second user, every width and theme too"),
    ] = False,
    changed: Annotated[
        bool, typer.Option("--changed", help="the tests that reach what changed since REV (default: HEAD)")
    ] = False,
    costs: Annotated[
        bool, typer.Option("--costs", help="count processor time, and write it to docs/testing.md")
    ] = False,
    mapped: Annotated[bool, typer.Option("--map", help="write tests/reach.json.gz, which --changed reads")] = False,
    twins: Annotated[
        bool, typer.Option("--twins", help="write tests/without_a_twin.json, by which PostgreSQL is left out")
    ] = False,
) -> None:
    """Run the tests: the whole product once, on all cores, with SQLite.

    A test whose browser or service is missing is skipped and named in the summary.
    With LECTERN_TEST_REQUIRE=sandbox,walls,services,browser it fails.
    """
    _require("pytest")
    names, options = _split(arguments or [])
    if changed:
        revisions = [name for name in names if not _paths(name)]
        if len(revisions) > 1:
            raise stop(
                False,
                "invalid",
                f"--changed compares with one revision, not with {', '.join(revisions)}.",
                f"The groups are {', '.join(sorted(_groups()))}; a file is named by its path, tests/app/test_me.py.",
            )
        names = [name for name in names if name not in revisions]
        options += ["--changed", revisions[0] if revisions else "HEAD"]
    if whole:
        options.append("--all")
    options += [option for option, is_set in (("--costs", costs), ("--map", mapped), ("--twins", twins)) if is_set]
    for name in names:
        if not _paths(name):
            raise stop(
                False,
                "not_found",
                f"There is no test group or file {name!r}.",
                f"The groups are {', '.join(sorted(_groups()))}; a file is named by its path, tests/app/test_me.py.",
            )
    paths = [path for name in names for path in _paths(name)] or [str(TESTS)]
    os.chdir(ROOT)
    # A shell may forbid bytecode (images do): each process that a test starts would compile what it imports.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run([sys.executable, "-m", "compileall", "-q", "app", "cli", "graders", "migrations"], check=False)
    command = [sys.executable, "-m", "pytest", "-p", "tests.parallel", "-p", "tests.suite", *paths, *options]
    os.execv(sys.executable, command)  # noqa: S606


def run_lint(
    paths: Annotated[list[Path] | None, typer.Argument(help="files or folders; default: all.")] = None,
) -> None:
    """Check the code: ruff, the format and mypy, one after the other. Exit 1 if any of them complains."""
    _require("ruff")
    chosen = [str(path.resolve()) for path in paths or []]
    os.chdir(ROOT)
    # --force-exclude: pyproject.toml says what is not ours to format, also of what is named here.
    tools = (["ruff", "check", "--force-exclude"], ["ruff", "format", "--check", "--force-exclude"], ["mypy"])
    failed = False
    for name, *options in tools:
        say(f"{name} {' '.join(options[:1])}".rstrip(), sys.stderr)
        everything = [] if name == "mypy" else ["."]  # mypy has its list in pyproject.toml
        command = [sys.executable, "-m", name, *options, *(chosen or everything)]
        failed |= subprocess.run(command, check=False).returncode != 0
    raise typer.Exit(int(failed))


def _require(package: str) -> None:
    if importlib.util.find_spec(package) is None:
        raise stop(
            False,
            "not_found",
            "The packages that the tests need are not installed.",
            "Run `./lectern setup --test`, which installs them.",
        )


def _split(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Split what is named from what goes to pytest, which begins with the first option."""
    first = next((place for place, word in enumerate(arguments) if word.startswith("-")), len(arguments))
    return arguments[:first], arguments[first:]


def _groups() -> dict[str, list[str]]:
    groups = {path.name: [str(path)] for path in TESTS.iterdir() if path.is_dir() and any(path.glob("test_*.py"))}
    groups["code"] = sorted(str(path) for path in TESTS.glob("test_*.py"))
    return groups


def _paths(name: str) -> list[str]:
    """Return the paths of a group, or of a file or a test in it by its path; nothing for any other name."""
    if name in (groups := _groups()):
        return groups[name]
    file, _, test = name.partition("::")
    path = next((place for place in (Path.cwd() / file, ROOT / file) if place.exists()), None)
    if path is None or not path.resolve().is_relative_to(TESTS):
        return []
    return [f"{path.resolve()}::{test}" if test else str(path.resolve())]
