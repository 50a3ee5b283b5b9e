"""The locks: exact, each file by its hash, and just what is needed, where it is needed."""

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.sources import ROOT, assert_kept, imports, python_files

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
HASHED = ["requirements.lock", "requirements-cuda.lock", "requirements-test.lock"]


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def entries(lock: str) -> list[str]:
    """A lock's entries, each with its hashes, on a line."""
    text = (ROOT / lock).read_text().replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def names(lock: str) -> set[str]:
    return {plain(entry.partition("==")[0]) for entry in entries(lock)}


def brought(wanted: list[str]) -> set[str]:
    """What these requirements bring, by what is installed here."""
    found: set[str] = set()
    waiting = [(requirement, "") for requirement in map(Requirement, wanted)]
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = plain(requirement.name)
        for each in {"", *requirement.extras}:
            if (key := f"{name}[{each}]") not in found:
                found.add(key)
                waiting += [(Requirement(line), each) for line in requires(name) or []]
    return {key.partition("[")[0] for key in found}


@pytest.mark.parametrize("lock", HASHED)
def test_each_line_names_one_release_and_the_hashes_of_its_files(lock: str) -> None:
    for entry in entries(lock):
        assert re.fullmatch(r"[a-z0-9.-]+==[\w.]+( +--hash=sha256:[0-9a-f]{64})+ *", entry), entry


def test_torch_alone_has_no_hash() -> None:
    assert entries("requirements-torch.lock") == ["torch==2.13.0"]


def test_no_package_is_in_two_locks() -> None:
    every = [name for path in ROOT.glob("requirements*.lock") for name in names(path.name)]
    assert sorted(every) == sorted(set(every))


def test_the_server_has_what_it_asks_for_and_nothing_else() -> None:
    needed = brought(PROJECT["dependencies"])
    needed = {
        name for name in needed if name not in names("requirements-cuda.lock")
    }  # this machine's torch may be either
    assert names("requirements.lock") | {"torch"} == needed


def test_the_tests_have_what_they_ask_for_besides_and_nothing_else() -> None:
    needed = brought(PROJECT["optional-dependencies"]["test"])
    assert names("requirements-test.lock") == needed - names("requirements.lock")


def test_what_no_server_needs_is_not_installed_with_it() -> None:
    assert not names("requirements.lock") & {"pytest", "playwright", "hypothesis", "mypy", "ruff", "coverage"}


def test_every_command_but_the_tests_finds_all_it_imports_in_the_servers_lock() -> None:
    installed = packages_distributions()
    known = names("requirements.lock") | {"torch"}
    brings = {module for module, names in installed.items() if known & set(map(plain, names))}
    brings |= {"app", "graders", "benchmarks", *sys.stdlib_module_names}

    def unlocked(path: Path) -> Iterator[tuple[int, str]]:
        return ((line, f"imports {name}") for name, line in imports(path).items() if name.split(".")[0] not in brings)

    assert_kept(unlocked, sorted(production_files()))


def production_files() -> set[Path]:
    """What a server may load: all but the tests, and of the benchmarks those that `./lectern bench` is made of."""
    files = {*python_files("app", "graders", "migrations", "exercises", "lessons", "templates")}
    waiting = [Path("benchmarks", "bench.py"), *python_files("benchmarks/soak")]
    while waiting:
        if (path := waiting.pop()) not in files:
            files.add(path)
            named = re.findall(r"from benchmarks\.(\w+) import|from benchmarks import (\w+)", (ROOT / path).read_text())
            waiting += [Path("benchmarks", f"{first or second}.py") for first, second in named]
    return files
