"""`--version`: by the launcher, which needs nothing installed, and by the app."""

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.waiting import LIMIT_SECONDS

from .conftest import ROOT, Command

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def launched(folder: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [str(folder / "lectern"), "--version"]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=LIMIT_SECONDS)


def test_the_launcher_says_it_and_installs_nothing(tmp_path: Path) -> None:
    checkout = tmp_path / "a checkout"
    checkout.mkdir()
    for name in ("lectern", "pyproject.toml"):
        shutil.copy(ROOT / name, checkout)
    done = launched(checkout, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"Lectern {VERSION}\n", "")
    assert {path.name for path in checkout.iterdir()} == {"lectern", "pyproject.toml"}


@pytest.mark.parametrize("text", [None, "", '[tool.other]\nversion = "3"\n'], ids=["no file", "empty", "no project"])
def test_the_launcher_does_not_guess(tmp_path: Path, text: str | None) -> None:
    shutil.copy(ROOT / "lectern", tmp_path)
    if text is not None:
        (tmp_path / "pyproject.toml").write_text(text)
    assert launched(tmp_path, tmp_path).stdout == "Lectern unknown\n"


def test_the_app_says_the_same(lectern: Command) -> None:
    done = lectern("--version")
    assert (done.code, done.out, done.err) == (0, f"Lectern {VERSION}\n", "")
