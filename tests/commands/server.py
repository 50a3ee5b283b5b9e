"""`lectern serve` as a process: a free port, its start, its first answer."""

import subprocess
from pathlib import Path

import httpx

from tests.waiting import LIMIT_SECONDS, until


def start(command: list[str], environment: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    with log.open("wb") as out:
        return subprocess.Popen(command, env=environment, stdout=out, stderr=out, start_new_session=True)


def wait_until_it_answers(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    def answers() -> bool:
        assert server.poll() is None, log.read_text()
        try:
            return httpx.get(url, timeout=LIMIT_SECONDS, verify=False).status_code < 500
        except httpx.TransportError:
            return False

    until(answers, log.read_text, look_seconds=0.05)
