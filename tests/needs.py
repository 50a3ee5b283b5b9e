"""What a machine may lack: the tests that need it are skipped, and fail where it is required."""

import os
from typing import Literal, NoReturn

import pytest

Kind = Literal["sandbox", "walls", "services", "browser", "machines", "audit"]


def missing(kind: Kind, why: str) -> NoReturn:
    """Skip the test, and say why. Fail it instead if LECTERN_TEST_REQUIRE lists this kind, as it does in CI: a skip
    there could hide a fault of ours."""
    if kind in os.environ.get("LECTERN_TEST_REQUIRE", "").split(","):
        pytest.fail(f"{why} (LECTERN_TEST_REQUIRE names {kind})")
    pytest.skip(why)
