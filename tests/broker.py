"""A NATS server with JetStream of a test's own: its port, its folder, its end."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.services import Nats as Server
from benchmarks.services import ServiceMissing
from tests.needs import missing

__all__ = ["Server", "running_broker"]


@contextmanager
def running_broker(folder: Path, config: str = "") -> Iterator[Server]:
    """Skips where there is no nats-server, unless services are required."""
    try:
        Server.program()
    except ServiceMissing as error:
        missing("services", str(error))
    folder.mkdir(parents=True, exist_ok=True)
    server = Server(folder, config)
    server.start()
    try:
        yield server
    finally:
        server.kill()
