"""A NATS server with JetStream of a test's own: its port, its folder, its end."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.services import Nats as Server
from benchmarks.services import ServiceMissing

__all__ = ["Server", "running_broker"]


@contextmanager
def running_broker(folder: Path, config: str = "") -> Iterator[Server]:
    """Skips where there is no nats-server, unless services are required."""
    try:
        Server.program()
    except ServiceMissing as missing:
        if "services" in os.environ.get("LECTERN_TEST_REQUIRE", ""):
            pytest.fail(str(missing))
        pytest.skip(str(missing))
    folder.mkdir(parents=True, exist_ok=True)
    server = Server(folder, config)
    server.start()
    try:
        yield server
    finally:
        server.kill()
