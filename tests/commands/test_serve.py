"""`lectern serve`, `doctor` and `users`, as processes."""

import os
import signal
import socket
import sys
from pathlib import Path

import httpx
import pytest
import yaml

from benchmarks.processes import free_port
from graders.boxes import proc
from tests.commands.server import start, wait_until_it_answers
from tests.server_process import one_exercise
from tests.waiting import LIMIT_SECONDS, exit_code, until

from .conftest import ROOT, Command


def descendants(of: int) -> set[int]:
    parents = {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                parents[int(path.name)] = int(proc.after_name(proc.read(path / "stat"))[1])
            except OSError:
                continue
    found, grown = {of}, True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        found, grown = found | more, bool(more)
    return found - {of}


def left_of(started: set[int]) -> list[bytes]:
    """What the kernel says of those processes that have not ended."""
    left = (Path(f"/proc/{pid}/stat") for pid in started)
    return [stat.read_bytes() for stat in left if stat.exists()]


@pytest.mark.usefixtures("walls")
def test_serve_prints_its_address_judges_and_ends_on_ctrl_c_leaving_no_process(tmp_path: Path) -> None:
    port = free_port()
    environment = {**os.environ, "LECTERN_DATA": str(tmp_path / "data"), "LECTERN_PORT": str(port)}
    log = tmp_path / "log"
    server = start([sys.executable, "-P", "-m", "app", "serve"], environment, log)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_it_answers(url, server, log)
        assert f"Lectern is at {url}" in log.read_text()
        assert "users add" in log.read_text()  # how to make the first instructor
        token = httpx.post(f"{url}/api/v1/sessions", json={}, timeout=LIMIT_SECONDS).json()["token"]
        source = (ROOT / "exercises/learned-absolute-position-embedding/reference.py").read_text()
        answer = httpx.post(
            f"{url}/api/v1/exercises/learned-absolute-position-embedding/submissions?wait=30",
            json={"source": source}, headers={"Authorization": f"Bearer {token}"}, timeout=LIMIT_SECONDS,
        )  # fmt: skip
        assert answer.json()["verdict"] == "accepted"
        started = descendants(server.pid)
        assert started
        os.kill(server.pid, signal.SIGINT)
        exit_code(server)
        until(lambda: not left_of(started), lambda: left_of(started))
    finally:
        server.kill()


@pytest.mark.extra
@pytest.mark.usefixtures("walls")
def test_a_server_killed_outright_leaves_no_process_either(tmp_path: Path) -> None:
    port = free_port()
    environment = {**os.environ, "LECTERN_DATA": str(tmp_path / "data"), "LECTERN_PORT": str(port)}
    environment |= {"LECTERN_EXERCISES": str(one_exercise(tmp_path)), "LECTERN_LESSONS": str(tmp_path / "lessons")}
    server = start([sys.executable, "-P", "-m", "app", "serve"], environment, tmp_path / "log")
    try:
        wait_until_it_answers(f"http://127.0.0.1:{port}/readyz", server, tmp_path / "log")
        started = descendants(server.pid)
    finally:
        server.kill()
        server.wait()
    until(lambda: not left_of(started), lambda: left_of(started))


def test_a_taken_port_is_said_with_a_remedy(lectern: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        process = lectern("serve", "--port", str(listener.getsockname()[1]))
    assert process.code == 2
    assert "already in use" in process.err
    assert "--port" in process.err


@pytest.mark.parametrize("variable", ["LECTERN_SANDBOX", "LECTERN_RATE_LIMITS"])
def test_what_is_for_this_machine_only_is_refused_off_loopback(lectern: Command, variable: str) -> None:
    process = lectern("serve", "--host", "0.0.0.0", **{variable: "off"})
    assert process.code == 2
    assert variable in process.err


@pytest.mark.usefixtures("walls")
def test_doctor_names_each_wall(lectern: Command) -> None:
    process = lectern("doctor")
    assert process.code == 0
    for wall in ("uid", "user", "pid", "mount", "net", "landlock", "seccomp", "rlimits", "watchdog"):
        assert wall in process.out
    assert "The judge can run here." in process.out


def test_users_are_added_and_given_tokens(lectern: Command) -> None:
    process = lectern(
        "users", "add", "teach@example.org", "--role", "instructor", "--password-stdin", stdin="a long enough one\n"
    )
    assert process.code == 0, process.err
    assert "instructor" in process.out
    token = lectern("users", "token", "teach@example.org")
    assert token.code == 0
    assert len(token.out.strip()) >= 32
    assert lectern("users", "add", "teach@example.org", "--role", "instructor").code == 2
    assert lectern("users", "add", "nonsense", "--role", "instructor").code == 2
    assert lectern("users", "token", "nobody@example.org").code == 2
    longer = lectern("users", "time", "teach@example.org", "1.5")
    assert (longer.code, longer.out) == (0, "teach@example.org now has 1.5 times the usual time in quizzes.\n")
    for email, times in (("teach@example.org", "0.5"), ("teach@example.org", "nan"), ("nobody@example.org", "2")):
        assert lectern("users", "time", email, times).code == 2


def test_an_unknown_test_group_is_said(lectern: Command) -> None:
    process = lectern("test", "nonsense")
    assert process.code == 2
    assert "graders" in process.err
    assert "machines" in process.err


# ------------------------------------------------------------------ the container's command, without the container


@pytest.mark.extra
@pytest.mark.usefixtures("walls")
def test_the_compose_files_very_command_and_environment_serve(tmp_path: Path) -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    service = compose["services"]["lectern"]
    assert [name for name, each in compose["services"].items() if "profiles" not in each] == ["lectern"]
    port = free_port()
    environment = {key: str(value) for key, value in service["environment"].items()}
    assert environment["LECTERN_DATA"].startswith("/")
    environment |= {"LECTERN_DATA": str(tmp_path / "data"), "LECTERN_PORT": str(port), "PATH": os.environ["PATH"]}
    environment |= {"LECTERN_EXERCISES": str(one_exercise(tmp_path)), "LECTERN_LESSONS": str(tmp_path / "lessons")}
    command = service["command"]
    assert command[0] == "./lectern"
    server = start([sys.executable, "-P", "-m", "app", *command[1:]], environment, tmp_path / "log")
    try:
        wait_until_it_answers(f"http://127.0.0.1:{port}/healthz", server, tmp_path / "log")
        assert httpx.get(f"http://127.0.0.1:{port}/", timeout=LIMIT_SECONDS).status_code == 200
    finally:
        server.send_signal(signal.SIGTERM)
        exit_code(server)
