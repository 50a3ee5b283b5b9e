"""What the locks name against the lists of known vulnerabilities, where there is a network to ask them by.

A test is skipped by name where nobody could be asked: that is not green. LECTERN_TEST_REQUIRE=audit makes it a failure.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.needs import missing
from tests.waiting import LIMIT_SECONDS

ROOT = Path(__file__).resolve().parents[1]
VENDORED = ROOT / "app" / "static" / "vendor"  # scripts that pages load, bundled from packages of npm
# torch has no hash (`lectern` says why), and nothing in its lock but its own name.
LOCKS = {
    "requirements.lock": "--require-hashes",
    "requirements-test.lock": "--require-hashes",
    "requirements-cuda.lock": "--require-hashes",
    "requirements-torch.lock": "--no-deps",
}
# By which pip-audit says that it has found one. Whatever else it ends with tells nothing about the packages.
FOUND = "known vulnerabilit"
NOT_ASKED = "could not be audited"  # an index that knows files and no vulnerabilities


@pytest.fixture(scope="module")
def unasked() -> list[str]:
    """Locks about which nobody could be asked: then there is nobody to ask about the others."""
    return []


@pytest.mark.parametrize("lock", LOCKS)
def test_no_package_has_a_known_vulnerability(lock: str, unasked: list[str]) -> None:
    command = [sys.executable, "-P", "-m", "pip_audit", "--disable-pip", LOCKS[lock], "--progress-spinner=off"]
    done = None if unasked else asked([*command, "--requirement", lock], ROOT)
    if done is None:
        was_asked, told = False, "no answer"
    else:
        told = done.stdout + done.stderr
        has_found = done.returncode != 0 and FOUND in told.casefold()
        assert not has_found, told
        was_asked = done.returncode == 0 and NOT_ASKED not in told
    if not was_asked:
        unasked.append(lock)
    require(was_asked, lock, told)


def test_no_script_that_pages_load_has_a_known_vulnerability() -> None:
    npm = shutil.which("npm")
    done = asked([npm, "audit", "--package-lock-only", "--json"], VENDORED) if npm else None
    told = done.stdout if done is not None else ""
    try:
        found = json.loads(told)["metadata"]["vulnerabilities"]["total"]
    except (ValueError, KeyError, TypeError):
        found = None
    require(found is not None, "package-lock.json", told or "npm gave no answer")
    assert found == 0, told


def asked(command: list[str], folder: Path) -> subprocess.CompletedProcess[str] | None:
    """None: there was no answer in time."""
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None


def require(was_asked: bool, lock: str, told: str) -> None:
    if not was_asked:
        print(told)
        missing("audit", f"not audited: no network to the list of vulnerabilities ({lock})")
