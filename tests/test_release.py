"""A release is one number, with which the change log begins. What contributors read and run is as it says."""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
VERSION = PROJECT["project"]["version"]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
PAGES = ("CONTRIBUTING.md", "CHANGELOG.md")
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")


def test_the_newest_release_in_the_change_log_is_the_version() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    newest = next(heading for heading in headings if heading != "[Unreleased]")
    assert re.fullmatch(rf"\[{re.escape(VERSION)}\] - \d{{4}}-\d\d-\d\d", newest)


def test_the_package_for_students_has_the_version_of_its_server() -> None:
    """pip builds it from its own folder, and so it cannot read ours."""
    assert tomllib.loads((ROOT / "cli" / "pyproject.toml").read_text())["project"]["version"] == VERSION


def test_every_place_that_the_pages_of_contributors_link_to_is_there() -> None:
    links = [(page, *link) for page in PAGES for link in LINK.findall((ROOT / page).read_text())]
    assert links
    missing = [
        f"{page}  {path}#{anchor}"
        for page, path, anchor in links
        if not (target := ROOT / (path or page)).exists() or (anchor and anchor not in anchors(target))
    ]
    assert not missing, "\n".join(missing)


def anchors(page: Path) -> set[str]:
    """Return the anchors that a forge gives the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_examples_of_good_tests_are_in_the_tree() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text()
    places = [ROOT / path for path, _ in LINK.findall(page) if path.startswith("tests/")]
    files = [file for place in places for file in (place.iterdir() if place.is_dir() else [place]) if file.is_file()]
    known = {line for file in files for line in file.read_text().splitlines()}
    examples = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(examples) == 3
    gone = [line for example in examples for line in example.splitlines() if line.strip() != "…" and line not in known]
    assert not gone, "\n".join(gone)


def test_the_hooks_run_what_is_here() -> None:
    (ours,) = HOOKS["repos"]
    assert ours["repo"] == "local"
    for hook in ours["hooks"]:
        assert hook["language"] == "pygrep" or hook["entry"].startswith(".venv/bin/python -m "), hook


def test_the_hook_types_what_mypy_types() -> None:
    """mypy walks folders with its `exclude`, but takes every file that is given to it by name."""
    settings = PROJECT["tool"]["mypy"]
    (hook,) = (hook for hook in HOOKS["repos"][0]["hooks"] if hook["id"] == "mypy")
    folders = [folder for folder in ROOT.iterdir() if not folder.name.startswith(".") and folder.name != "var"]
    files = [path.relative_to(ROOT).as_posix() for folder in folders for path in folder.rglob("*.py")]
    by_mypy = {
        file
        for file in files
        if file.partition("/")[0] in settings["files"]
        and not any(re.search(rule, file) for rule in settings["exclude"])
    }
    by_hook = {file for file in files if re.search(hook["files"], file) and not re.search(hook["exclude"], file)}
    assert by_mypy
    assert by_hook == by_mypy
