"""What a machine may lack: the tests that need it are skipped, and fail where it is required."""

import os
from typing import Literal, NoReturn

import pytest

Kind = Literal["sandbox", "walls", "services", "browser", "machines", "audit"]


def missing(kind: Kind, why: str) -> NoReturn:
    """Skip the test, saying why. Fail it where LECTERN_TEST_REQUIRE names this kind (`sandbox,services,browser`), as CI
    does: else a fault of ours could pass for a machine's."""
    if kind in os.environ.get("LECTERN_TEST_REQUIRE", "").split(","):
        pytest.fail(f"{why} (LECTERN_TEST_REQUIRE names {kind})")
    pytest.skip(why)
