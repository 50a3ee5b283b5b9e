"""What the tests of the web share."""

from collections.abc import Iterator

import pytest

from tests.app.classes import close_clients
from tests.app.desk import Desk


@pytest.fixture(autouse=True)
def closed_clients() -> Iterator[None]:
    """The clients of accounts that a test has opened are closed after it."""
    yield
    close_clients()


@pytest.fixture
def desk(database_url: str) -> Iterator[Desk]:
    desk = Desk(database_url)
    yield desk
    desk.close()
