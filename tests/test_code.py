"""The code itself: ruff and mypy are green, and nothing committed names a machine."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sources import ROOT


def test_ruff_finds_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--quiet", "."], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.extra  # half a minute; `./lectern lint` does it by itself
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
    kinds = (".py", ".md", ".toml", ".json", ".yml", ".lock", ".html", ".css", ".js", "")
    files = [ROOT / name for name in names if Path(name).suffix in kinds and (ROOT / name).is_file()]
    offences = [
        f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, found.start()) + 1}  {found[0]}"
        for path, text in ((path, path.read_text(errors="replace")) for path in files)
        for found in bad.finditer(text)
    ]
    assert not offences, "\n".join(offences)


def test_the_tour_shows_just_the_pictures_that_are_there() -> None:
    shown = set(re.findall(r"tour/([\w.-]+\.png)", (ROOT / "docs" / "tour.md").read_text()))
    assert shown == {path.name for path in (ROOT / "docs" / "tour").iterdir()}


def test_every_file_that_the_docs_link_to_is_there() -> None:
    links = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
    offences = [
        f"{path.relative_to(ROOT)}:{number}  {link}"
        for path in [ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]
        for number, line in enumerate(path.read_text().splitlines(), 1)
        for link in links.findall(line)
        if not (path.parent / link).exists()
    ]
    assert not offences, "\n".join(offences)
