"""The walls and the attacks that want out, once more as an ordinary user, where the tests run as root.

What differs by user is how the walls are put up: without root there are other control groups, other mounts, no uid to
drop to. Everything else is the same, and is tested once.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.settings import ROOT
from tests.waiting import LIMIT_SECONDS

pytestmark = pytest.mark.extra

USER = 61_184  # a number that no distribution gives to anybody
NOT_COPIED = (".*", "var", "__pycache__", "failures")
COMMAND = ["-m", "pytest", "-q", "tests/graders/test_walls.py", "tests/graders/test_hostile.py"]
SELECTION = ["-k", "test_walls or esc-"]
FIVE_LIMITS = 5 * LIMIT_SECONDS  # it is a run of a hundred tests


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that this user may enter, whatever lies above our own."""
    folder = Path(tempfile.mkdtemp(prefix="lectern-second-user-", dir="/tmp"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.skipif(os.getuid() != 0, reason="this is an ordinary user already")
def test_the_walls_hold_for_an_ordinary_user(place: Path) -> None:
    tree, scratch = place / "tree", place / "scratch"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*NOT_COPIED))
    scratch.mkdir()
    python, packages = _environment(tree / ".venv")
    subprocess.run(["chown", "-R", f"{USER}:{USER}", str(tree), str(scratch)], check=True)
    # Only now: they may be links to our own files, whose owner must stay who it is.
    _copy(next(Path(sys.prefix, "lib").glob("python3*/site-packages")), packages)
    owner = Path(pytest.__file__).stat().st_uid
    assert owner == os.getuid(), f"our own packages belong to {owner}: whoever that is could change what we run"
    run = subprocess.run(
        [python, *COMMAND, *SELECTION], cwd=tree, user=USER, group=USER, extra_groups=[], timeout=FIVE_LIMITS,
        env={
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(scratch), "USER": "lectern",
            "TMPDIR": str(scratch), "LECTERN_TEST_REQUIRE": "sandbox",
        },
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-20_000:]
    assert " passed" in run.stdout


def _environment(folder: Path) -> tuple[str, Path]:
    """Make a .venv with an interpreter that this user may run: root's may lie in root's home.

    Returns the interpreter, and where packages belong.
    """
    version = f"python3.{sys.version_info.minor}"
    interpreters = [
        os.path.realpath(sys.executable),
        *filter(None, [shutil.which(version, path="/usr/local/bin:/usr/bin")]),
    ]
    interpreter = next((python for python in interpreters if _may_run(python)), None)
    assert interpreter, f"no {version} that an ordinary user may run among {interpreters} (apt-get install {version})"
    subprocess.run([interpreter, "-m", "venv", "--without-pip", str(folder)], check=True)
    packages = folder / "lib" / version / "site-packages"
    shutil.rmtree(packages)
    return str(folder / "bin" / "python"), packages


def _copy(ours: Path, packages: Path) -> None:
    """Put our packages there, by links where both are on one file system."""
    linked = subprocess.run(["cp", "-al", str(ours), str(packages)], capture_output=True)
    if linked.returncode:
        shutil.rmtree(packages, ignore_errors=True)
        subprocess.run(["cp", "-a", str(ours), str(packages)], check=True)
    (packages / "lectern.pth").unlink(missing_ok=True)  # it would lead back here


def _may_run(python: str) -> bool:
    try:
        return subprocess.run([python, "-c", ""], user=USER, group=USER, extra_groups=[]).returncode == 0
    except OSError:
        return False
