"""`lectern serve` as a process: a free port, its start, its first answer."""

import subprocess
import time
from pathlib import Path

import httpx


def start(command: list[str], environment: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    with log.open("wb") as out:
        return subprocess.Popen(command, env=environment, stdout=out, stderr=out, start_new_session=True)


def wait_until_it_answers(url: str, server: subprocess.Popen[bytes], log: Path, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert server.poll() is None, log.read_text()
        try:
            if httpx.get(url, timeout=60).status_code < 500:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError(log.read_text())
