"""What the tests of the web share."""

from collections.abc import Iterator

import pytest

from tests.app.classes import close_clients


@pytest.fixture(autouse=True)
def closed_clients() -> Iterator[None]:
    """The clients of accounts that a test has opened are closed after it."""
    yield
    close_clients()
