"""The packages of the locks against the list of known vulnerabilities, where there is a network to ask it by."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LOCKS = ("requirements.lock", "requirements-test.lock")
# By which pip-audit says that it has found one. Whatever else it ends with tells nothing about the packages.
FOUND = "known vulnerabilit"
NOT_ASKED = "could not be audited"  # an index that knows files and no vulnerabilities


@pytest.mark.parametrize("lock", LOCKS)
def test_no_package_has_a_known_vulnerability(lock: str) -> None:
    """Skipped by name where nobody could be asked: that is not green. LECTERN_TEST_REQUIRE=audit makes it a failure."""
    command = [sys.executable, "-P", "-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner=off"]
    try:
        done = subprocess.run(
            [*command, "--requirement", lock], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
        )
    except subprocess.TimeoutExpired:
        told, was_asked = "no answer within two minutes", False
    else:
        told = done.stdout + done.stderr
        has_found = done.returncode != 0 and FOUND in told.casefold()
        assert not has_found, told
        was_asked = done.returncode == 0 and NOT_ASKED not in told
    if not was_asked and "audit" not in os.environ.get("LECTERN_TEST_REQUIRE", ""):
        pytest.skip(f"not audited: no network to the list of vulnerabilities ({lock})")
    assert was_asked, told
