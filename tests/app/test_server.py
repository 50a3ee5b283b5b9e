"""The server as people start it: a process of its own, its signals, its port, its death."""

import gc
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.main import create_app
from app.settings import ROOT, Settings
from app.web.server import make_routes_ready
from benchmarks.processes import alive, descendants
from tests.server_process import DOUBLED, REFERENCE, SERVE, environment, guest, one_exercise, serving
from tests.waiting import LIMIT_SECONDS, exit_code, until


@pytest.mark.parametrize("sign", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.extra)])
def test_it_ends_at_once_leaving_no_process(tmp_path: Path, sign: signal.Signals) -> None:
    """Neither a program that runs, which has twenty minutes, nor a reader who waits for its verdict holds it up."""
    exercises = one_exercise(tmp_path / "endless")
    toml = exercises / DOUBLED / "exercise.toml"
    toml.write_text(toml.read_text().replace("wall_seconds = 10", "wall_seconds = 1200"))
    served = serving(
        tmp_path,
        LECTERN_EXERCISES=str(exercises),
        LECTERN_MAX_WALL_SECONDS="1200",
        LECTERN_MAX_CPU_SECONDS="1200",
        LECTERN_MAX_TOTAL_SECONDS="3600",
    )
    with served as (process, url), guest(url) as client:
        path = f"/api/v1/exercises/{DOUBLED}/submissions"
        id = client.post(path, json={"source": "while True: pass"}).json()["id"]
        with client.stream("GET", f"/api/v1/submissions/{id}/events") as stream:
            assert any('"state": "running"' in line for line in stream.iter_lines())
            before = {pid: ticks(pid) for pid, _ in descendants(process.pid)}
            until(lambda: is_busy(process.pid, before), "the endless loop does not run")
            below = descendants(process.pid)
            assert len(below) >= 3  # two of a zygote, a box
            process.send_signal(sign)
            exit_code(process)
        until(lambda: not alive(below), lambda: alive(below))


BUSY_TICKS = 50  # half a second of the processor: nothing takes as much here but an endless loop


def is_busy(server: int, before: dict[int, int]) -> bool:
    """Whether a process below the server's has computed for long, since they had so many ticks."""
    return any(ticks(pid) - before.get(pid, 0) > BUSY_TICKS for pid, _ in descendants(server))


def ticks(pid: int) -> int:
    """What the kernel counts of a process's own code."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b") ")[2].split()
    except OSError:
        return 0
    return int(fields[11])


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, str, Path]]:
    """The process of a server that no test changes, its address and its data."""
    data = tmp_path_factory.mktemp("served")
    with serving(data) as (process, url):
        yield process.pid, url, data


def test_pages_are_there_while_the_judge_warms_up_and_only_what_exercises_need_is_warmed(
    served: tuple[int, str, Path],
) -> None:
    pid, url, _ = served
    with guest(url) as client:
        assert client.get("/").status_code == 200
        path = f"/api/v1/exercises/{DOUBLED}/submissions"
        id = client.post(path, json={"source": REFERENCE}).json()["id"]
        assert verdict(client, id) == "accepted"
        assert client.get("/readyz").status_code == 200
        said = [cmdline(pid) for pid, _ in alive(descendants(pid))]
        assert any(b'"framework": "numpy"' in one for one in said)
        assert not any(b'"framework": "jax"' in one or b'"framework": "torch"' in one for one in said)


def cmdline(pid: int) -> bytes:
    """Nothing of a process that has ended since it was seen."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.extra
def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path = f"/api/v1/exercises/{DOUBLED}/submissions"
    key = {"Idempotency-Key": "once"}
    with serving(tmp_path, LECTERN_RATE_LIMITS="off") as (process, url), guest(url) as client:
        token = client.headers["Authorization"]
        ids = [client.post(path, json={"source": REFERENCE}).json()["id"] for _ in range(5)]
        ids.append(client.post(path, json={"source": REFERENCE}, headers=key).json()["id"])
        below = descendants(process.pid)
        process.kill()
        exit_code(process)
        # nobody tells them: they notice that the pipe to the server is gone
        until(lambda: not alive(below), lambda: alive(below))
    with (
        serving(tmp_path) as (_, url),
        httpx.Client(base_url=url, headers={"Authorization": token}, timeout=LIMIT_SECONDS, verify=False) as client,
    ):
        assert client.post(path, json={"source": REFERENCE}, headers=key).json()["id"] == ids[-1]
        for id in ids:
            assert verdict(client, id) == "accepted"


def verdict(client: httpx.Client, id: int) -> str:
    path = f"/api/v1/submissions/{id}"
    until(lambda: client.get(path).json()["state"] == "finished", "it is not judged", look_seconds=0.05)
    return str(client.get(path).json()["verdict"])


@pytest.mark.extra
def test_a_taken_port_is_said_so(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        answer = subprocess.run(
            SERVE, cwd=ROOT, env=environment(tmp_path, LECTERN_PORT=str(port)),
            capture_output=True, text=True, timeout=LIMIT_SECONDS,
        )  # fmt: skip
    assert answer.returncode == 2
    assert str(port) in answer.stderr
    assert "--port" in answer.stderr
    assert answer.stdout == ""


@pytest.mark.extra
def test_a_data_folder_has_one_server(served: tuple[int, str, Path]) -> None:
    _, _, data = served
    answer = subprocess.run(
        SERVE, cwd=ROOT, env=environment(data), capture_output=True, text=True,
        timeout=LIMIT_SECONDS,
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


def test_what_nobody_has_proved_is_shown_on_loopback_alone() -> None:
    for reached in ({"host": "0.0.0.0"}, {"origin": "https://lectern.example.org"}, {"hosts": "lectern.example.org"}):
        with pytest.raises(ValueError, match="refused"):
            Settings(edit="on", **reached)  # type: ignore[arg-type]
    Settings(edit="on", host="::1", origin="http://localhost:8000", hosts="127.0.0.1")


def test_a_database_url_names_its_driver() -> None:
    assert Settings(database_url="postgresql://a@b/c").database == "postgresql+psycopg://a@b/c"
    assert Settings(database_url="postgres://a@b/c").database == "postgresql+psycopg://a@b/c"
    assert Settings(data=Path("/x")).database == "sqlite+pysqlite:////x/lectern.sqlite3"


def test_what_a_route_needs_is_there_before_anybody_asks(tmp_path: Path) -> None:
    app = create_app(Settings(workers=0, data=tmp_path))

    def made() -> int:
        """What FastAPI makes of a route when an address is first compared with it."""
        gc.collect()
        return sum(type(each).__name__ == "_EffectiveRouteContext" for each in gc.get_objects())

    before = made()
    make_routes_ready(app)
    ready = made()
    assert ready > before + 50, "so many has the API"
    for method, path in (("GET", "/api/v1/nowhere"), ("POST", "/api/v1/exercises/x/submissions"), ("GET", "/nowhere")):
        scope = {"type": "http", "method": method, "path": path, "root_path": "", "headers": []}
        for route in app.router.routes:
            route.matches(scope)
    assert made() == ready
