"""The code itself: ruff and mypy are green, and nothing committed names a machine."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def test_ruff_finds_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--quiet", "."], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_mypy_finds_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_file_names_this_machine_or_a_registrys_host() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    names = listed.stdout.splitlines() if listed.returncode == 0 else [str(p) for p in (ROOT / "app").rglob("*.py")]
    places = ["/" + "work/", "/opt/" + "pypi", "/" + "root/.pyenv"]
    hosts = ["files." + "pythonhosted", "pypi." + "org", "download." + "pytorch", "registry." + "npmjs"]
    bad = re.compile("|".join(places + hosts))
    for name in names:
        path = ROOT / name
        if (
            path.suffix in (".py", ".md", ".toml", ".json", ".yml", ".lock", ".html", ".css", ".js", "")
            and path.is_file()
        ):
            text = path.read_text(errors="replace")
            assert not bad.search(text), f"{name}: {bad.search(text)}"


def test_the_tour_shows_just_the_pictures_that_are_there() -> None:
    shown = set(re.findall(r"tour/([\w.-]+\.png)", (ROOT / "docs" / "tour.md").read_text()))
    assert shown == {path.name for path in (ROOT / "docs" / "tour").iterdir()}


DOCS = [ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_every_file_that_the_docs_link_to_is_there(path: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", path.read_text())
    assert not [link for link in links if not (path.parent / link).exists()]
