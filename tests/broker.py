"""A NATS server with JetStream of a test's own: its port, its folder, its end."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


class Server:
    """`nats-server` on a free port. It can be stopped, killed and started again, with its memory or without."""

    def __init__(self, folder: Path, config: str = "") -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._config = folder / "nats.conf"
        # No test pulls the plug: each message would wait for the disk. How it is in earnest: docs/operating.md.
        store = folder / "jetstream"
        self._config.write_text(
            f'listen: "127.0.0.1:{self.port}"\njetstream {{ store_dir: "{store}" }}\nmax_payload: 8MB\n{config}'
        )
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, installation: str, user: str = "") -> str:
        return f"nats://{user + '@' if user else ''}127.0.0.1:{self.port}/{installation}"

    def start(self) -> None:
        program = shutil.which("nats-server", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        assert program is not None
        with (self.folder / "nats.log").open("ab") as output:
            self._process = subprocess.Popen([program, "-c", str(self._config)], stdout=output, stderr=output)
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert self._process.poll() is None, (self.folder / "nats.log").read_text()[-2000:]
                assert time.monotonic() < deadline
                time.sleep(0.02)

    def kill(self, *, forget: bool = False) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None
        if forget:
            shutil.rmtree(self.folder / "jetstream", ignore_errors=True)


@contextmanager
def running_broker(folder: Path, config: str = "") -> Iterator[Server]:
    """Skips where there is no nats-server, unless services are required."""
    if shutil.which("nats-server", path=f"{os.environ.get('PATH', '')}:/usr/sbin") is None:
        if "services" in os.environ.get("LECTERN_TEST_REQUIRE", ""):
            pytest.fail("nats-server is not installed")
        pytest.skip("nats-server is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    server = Server(folder, config)
    server.start()
    try:
        yield server
    finally:
        server.kill()
