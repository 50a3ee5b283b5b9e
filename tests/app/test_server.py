"""The server as people start it: a process of its own, its signals, its port, its death."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from app.settings import ROOT, Settings

GATHER = "learned-absolute-position-embedding"
REFERENCE = (ROOT / "exercises" / GATHER / "reference.py").read_text()
SERVE = "import sys; from app.server import serve; from app.settings import Settings; sys.exit(serve(Settings()))"


def environment(data: Path, **settings: str) -> dict[str, str]:
    return {**os.environ, "LECTERN_DATA": str(data), "LECTERN_PORT": "0", "DATABASE_URL": "", **settings}


@contextmanager
def serving(data: Path, **settings: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-P", "-c", SERVE]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment(data, **settings), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.fullmatch(r"Lectern is at (http://127\.0\.0\.1:\d+)\n", line)
            assert found, (line, process.stderr and process.poll() is not None and process.stderr.read())
            yield process, found[1]
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def descendants(pid: int) -> set[tuple[int, str]]:
    """Every process below this one, as (id, time it began): an id alone may be given again."""
    parents: dict[int, list[tuple[int, str]]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and (seen := _status(int(folder.name))):
            parents.setdefault(seen[0], []).append((int(folder.name), seen[1]))
    found, left = set(), [pid]
    while left:
        children = parents.get(left.pop(), [])
        found.update(children)
        left.extend(child for child, _ in children)
    return found


def alive(processes: set[tuple[int, str]]) -> set[tuple[int, str]]:
    return {(pid, began) for pid, began in processes if (seen := _status(pid)) and seen[1] == began}


def _status(pid: int) -> tuple[int, str] | None:
    """(parent, time it began); None when it is gone, or only a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] == "Z" else (int(fields[1]), fields[19])


def guest(url: str) -> httpx.Client:
    token = httpx.post(f"{url}/api/v1/sessions", json={}, verify=False).raise_for_status().json()["token"]
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60, verify=False)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_within_two_seconds_leaving_no_process(tmp_path: Path, sign: signal.Signals) -> None:
    with serving(tmp_path) as (process, url), guest(url) as client:
        path = f"/api/v1/exercises/{GATHER}/submissions"
        id = client.post(path, json={"source": "while True: pass"}).json()["id"]
        with client.stream("GET", f"/api/v1/submissions/{id}/events") as stream:
            assert any('"state": "running"' in line for line in stream.iter_lines())
            below = descendants(process.pid)
            assert len(below) >= 3  # the judge's zygotes and their boxes, one of them soon in an endless loop
            time.sleep(1)
            below = descendants(process.pid)
            began = time.monotonic()
            process.send_signal(sign)
            process.wait(10)
            assert time.monotonic() - began < 2
        deadline = time.monotonic() + 2
        while alive(below):
            assert time.monotonic() < deadline, alive(below)
            time.sleep(0.02)


def test_pages_are_there_while_the_judge_warms_up(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, url), guest(url) as client:
        assert client.get("/").status_code == 200
        answer = client.post(f"/api/v1/exercises/{GATHER}/submissions", params={"wait": 30}, json={"source": REFERENCE})
        assert answer.json()["verdict"] == "accepted"


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path = f"/api/v1/exercises/{GATHER}/submissions"
    key = {"Idempotency-Key": "once"}
    with serving(tmp_path, LECTERN_RATE_LIMITS="off") as (process, url), guest(url) as client:
        token = client.headers["Authorization"]
        ids = [client.post(path, json={"source": REFERENCE}).json()["id"] for _ in range(5)]
        ids.append(client.post(path, json={"source": REFERENCE}, headers=key).json()["id"])
        below = descendants(process.pid)
        process.kill()
        process.wait()
        deadline = time.monotonic() + 5
        while alive(below):  # nobody tells them: they notice that the pipe to the server is gone
            assert time.monotonic() < deadline, alive(below)
            time.sleep(0.02)
    with (
        serving(tmp_path) as (_, url),
        httpx.Client(base_url=url, headers={"Authorization": token}, verify=False) as client,
    ):
        assert client.post(path, json={"source": REFERENCE}, headers=key).json()["id"] == ids[-1]
        for id in ids:
            deadline = time.monotonic() + 30
            while (body := client.get(f"/api/v1/submissions/{id}").json())["state"] != "finished":
                assert time.monotonic() < deadline
                time.sleep(0.05)
            assert body["verdict"] == "accepted"


def test_a_taken_port_is_said_so(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        answer = subprocess.run(
            [sys.executable, "-P", "-c", SERVE], cwd=ROOT, env=environment(tmp_path, LECTERN_PORT=str(port)),
            capture_output=True, text=True, timeout=30,
        )  # fmt: skip
    assert answer.returncode == 2
    assert str(port) in answer.stderr
    assert "--port" in answer.stderr
    assert answer.stdout == ""


def test_a_data_folder_has_one_server(tmp_path: Path) -> None:
    with serving(tmp_path, LECTERN_WORKERS="0"):
        answer = subprocess.run(
            [sys.executable, "-P", "-c", SERVE], cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True,
            timeout=30,
        )  # fmt: skip
    assert answer.returncode == 2
    assert "LECTERN_DATA" in answer.stderr


def test_what_is_dangerous_is_refused_off_loopback() -> None:
    for setting in ("rate_limits", "sandbox"):
        for host in ("0.0.0.0", "192.0.2.1", "::", "lectern.example.org"):
            with pytest.raises(ValueError, match="refused"):
                Settings(host=host, **{setting: "off"})  # type: ignore[arg-type]
        for host in ("127.0.0.1", "::1", "localhost"):
            Settings(host=host, **{setting: "off"})  # type: ignore[arg-type]


def test_a_database_url_names_its_driver() -> None:
    assert Settings(database_url="postgresql://a@b/c").database == "postgresql+psycopg://a@b/c"
    assert Settings(database_url="postgres://a@b/c").database == "postgresql+psycopg://a@b/c"
    assert Settings(data=Path("/x")).database == "sqlite+pysqlite:////x/lectern.sqlite3"
