"""The compose file's cluster, without containers: its very commands, environment, secrets and order, as processes."""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from app.settings import ROOT
from benchmarks.processes import free_port
from tests.broker import running_broker
from tests.commands.conftest import Command
from tests.commands.server import start, wait_until_it_answers
from tests.conftest import scratch_postgres
from tests.needs import missing
from tests.server_process import one_exercise
from tests.waiting import LIMIT_SECONDS, exit_code, until, until_ended

WEBS, WORKERS = 2, 3
SUBMISSIONS = 12
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
CLUSTER = {name: service for name, service in SERVICES.items() if service.get("profiles") == ["cluster"]}


def test_secrets_are_made_once_and_a_worker_is_added_without_changing_them(lectern: Command, tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    assert lectern("cluster", str(folder)).code == 0
    assert folder.stat().st_mode & 0o777 == 0o700
    before = {path.name: path.read_text() for path in folder.iterdir()}
    assert {Path(secret["file"]).name for secret in COMPOSE["secrets"].values()} <= before.keys()
    assert lectern("cluster", str(folder), "--worker", "gpu-1").code == 0
    after = {path.name: path.read_text() for path in folder.iterdir()}
    assert after.keys() - before.keys() == {"gpu-1_password", "gpu-1_queue"}
    assert {name for name in before if before[name] != after[name]} == {"nats.conf"}
    assert after["nats.conf"].count("user: ") == 3
    for name in ("gpu.*", "web", "postgres"):
        refused = lectern("cluster", str(folder), "--worker", name)
        assert refused.code == 2
        assert "no name for a worker" in refused.err
    moved = lectern("cluster", str(folder), "--broker", "broker.example.org:4333", "--installation", "spring")
    assert moved.code == 0
    assert lectern("cluster", str(folder), "--worker", "gpu-2").code == 0
    url = (folder / "gpu-2_queue").read_text()
    assert url.endswith("@broker.example.org:4333/spring"), "the address is remembered"


def test_a_worker_without_a_broker_says_what_to_do(lectern: Command) -> None:
    alone = lectern("worker")
    assert alone.code == 2
    assert "LECTERN_QUEUE" in alone.err
    unknown = lectern("worker", "--queue", "nats://127.0.0.1:1", "--frameworks", "fortran")
    assert unknown.code == 2
    assert "fortran" in unknown.err
    assert lectern("worker", "--queue", "redis://x").code == 2


def test_no_container_is_privileged_and_no_secret_has_a_default() -> None:
    for name, service in CLUSTER.items():
        assert not service.get("privileged"), name
        assert service["read_only"] is True, name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["deploy"]["resources"]["limits"]["memory"], name
        assert (name == "proxy") == ("ports" in service), f"{name}: the proxy alone is reached from outside"
        for key, value in service.get("environment", {}).items():
            assert not re.search(r"(?i)password|secret|token", key) or key.endswith("_FILE"), (name, key)
            assert "@" not in str(value), (name, key)
    assert not {"DATABASE_URL", "LECTERN_QUEUE"} & CLUSTER["worker"]["environment"].keys()
    worker = [secret["source"] for secret in CLUSTER["worker"]["secrets"]]
    assert worker == ["worker_queue"], "a worker has the broker's address and no other"


class Origin(BaseHTTPRequestHandler):
    """Behind the proxy: a page, and an event stream whose second event waits until the first has arrived."""

    arrived = threading.Event()

    def do_GET(self) -> None:
        kind = "text/event-stream" if self.path == "/events" else "text/html; charset=utf-8"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(b"data: first\n\n" if self.path == "/events" else b"<p>word</p>" * 500)
        if self.path == "/events":
            self.wfile.flush()
            assert self.arrived.wait(LIMIT_SECONDS)
            self.wfile.write(b"data: second\n\n")

    def log_message(self, *_: object) -> None:
        pass


def test_the_proxy_packs_pages_and_passes_events_on_as_they_come(tmp_path: Path, processes: ExitStack) -> None:
    if not shutil.which("caddy"):
        missing("services", "caddy is not installed")
    origin = ThreadingHTTPServer(("127.0.0.1", 0), Origin)
    processes.callback(origin.server_close)
    threading.Thread(target=origin.serve_forever, daemon=True).start()
    processes.callback(origin.shutdown)
    # Not as in a container: the name of the webs is found by no resolver here.
    config = (ROOT / "deploy" / "Caddyfile").read_text()
    config, found = re.subn(r"dynamic a web 8000 \{[^}]*\}", f"to 127.0.0.1:{origin.server_port}", config)
    assert found == 1
    (tmp_path / "Caddyfile").write_text(config)
    address = f"http://127.0.0.1:{free_port()}"
    command = ["caddy", "run", "--config", str(tmp_path / "Caddyfile"), "--adapter", "caddyfile"]
    folders = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)}
    environment = {"LECTERN_DOMAIN": address, "PATH": os.environ["PATH"], **folders}
    proxy = start(command, environment, tmp_path / "log")
    processes.callback(exit_code, proxy)
    processes.callback(proxy.kill)
    wait_until_it_answers(address, proxy, tmp_path / "log")
    with httpx.Client(timeout=LIMIT_SECONDS, headers={"Accept-Encoding": "gzip"}) as client:
        page = client.get(address)
        assert page.headers["Content-Encoding"] == "gzip"
        assert page.text.startswith("<p>word</p>")
        with client.stream("GET", f"{address}/events") as events:
            lines = events.iter_lines()
            assert next(lines) == "data: first"
            Origin.arrived.set()
            assert [line for line in lines if line] == ["data: second"]
    ask, *arguments = CLUSTER["proxy"]["healthcheck"]["test"]
    assert ask == "CMD"
    healthy = subprocess.run(arguments, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    assert healthy.returncode == 0, healthy.stderr


@pytest.fixture
def processes() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def health_of_worker(data: Path) -> Callable[[], bool]:
    """Its health check, as the compose file has it, for this data folder."""
    ask, python, option, code = CLUSTER["worker"]["healthcheck"]["test"]
    assert (ask, python, option) == ("CMD", "python3", "-c")
    command = [sys.executable, "-c", code.replace("'/data/", f"'{data}/")]
    assert str(data) in command[2]
    return lambda: subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0


def age(file: Path) -> None:
    """As if nobody had touched it for a minute."""
    os.utime(file, (time.time() - 60,) * 2)


def wait_for_samples(address: str) -> None:
    """Wait until a worker has made them for the web process that shows them."""
    with httpx.Client(timeout=LIMIT_SECONDS, verify=False) as client:
        until(
            lambda: client.get(address).json().get("sample_cases"), lambda: client.get(address).text, look_seconds=0.1
        )


def test_web_processes_judge_nothing_themselves() -> None:
    assert CLUSTER["web"]["environment"]["LECTERN_WORKERS"] == "0"
    found = [
        entry["value"]
        for document in yaml.safe_load_all((ROOT / "deploy/kubernetes/web.yaml").read_text())
        if document["kind"] == "Deployment"
        for entry in document["spec"]["template"]["spec"]["containers"][0]["env"]
        if entry["name"] == "LECTERN_WORKERS"
    ]
    assert found == ["0"]


@pytest.mark.extra
@pytest.mark.usefixtures("walls")
def test_two_webs_and_three_workers_lose_nothing_when_one_is_killed(
    lectern: Command, tmp_path: Path, processes: ExitStack
) -> None:
    database = processes.enter_context(scratch_postgres())
    secrets = tmp_path / "secrets"
    assert lectern("cluster", str(secrets)).code == 0
    # Not as in containers: where the broker listens and keeps its files. (And this machine's may be older than 2.10,
    # which does not know `sync_interval`.)
    config = (secrets / "nats.conf").read_text()
    config = re.sub(r"(?m)^(listen|http|max_payload): .*\n|jetstream \{[^}]*\}\n", "", config)
    broker = processes.enter_context(running_broker(tmp_path / "broker", config))
    exercise, data = one_exercise(tmp_path), tmp_path / "data"

    def begin(name: str, number: int) -> tuple[subprocess.Popen[bytes], int]:
        service, port = CLUSTER[name], free_port()
        own = tmp_path / f"{name}-{number}"
        own.mkdir()
        for secret in service["secrets"]:
            source, target = (secret, secret) if isinstance(secret, str) else (secret["source"], secret["target"])
            text = (secrets / source).read_text().replace("nats:4222", f"127.0.0.1:{broker.port}")
            (own / target).write_text(database if source == "database_url" else text)
        environment = {key: str(value) for key, value in service["environment"].items()}
        assert environment["LECTERN_DATA"] == "/data"
        environment |= {
            "LECTERN_DATA": str(data / f"{name}-{number}"),
            "LECTERN_SECRETS": str(own),
            "LECTERN_CACHE": os.environ["LECTERN_CACHE"],
            "LECTERN_LOG_LEVEL": "debug",
            "PATH": os.environ["PATH"],
        }
        if name == "web":
            environment |= {
                "LECTERN_PORT": str(port),
                "LECTERN_HOST": "127.0.0.1",
                "LECTERN_ORIGIN": f"http://127.0.0.1:{port}",
                "LECTERN_EXERCISES": str(exercise),
                "LECTERN_LESSONS": str(tmp_path / "lessons"),
            }
        command = service["command"]
        assert command[0] == "./lectern"
        process = start([sys.executable, "-P", "-m", "app", *command[1:]], environment, own / "log")
        processes.callback(exit_code, process)
        processes.callback(process.kill)
        return process, port

    webs = [begin("web", number) for number in range(WEBS)]
    workers = [begin("worker", number)[0] for number in range(WORKERS)]
    for number, (web, port) in enumerate(webs):
        wait_until_it_answers(f"http://127.0.0.1:{port}/readyz", web, tmp_path / f"web-{number}" / "log")
    slug = next(exercise.iterdir()).name
    source = (exercise / slug / "reference.py").read_text()
    verdicts: list[str] = []
    healthy = [health_of_worker(data / f"worker-{number}") for number in range(WORKERS)]
    for is_healthy in healthy:
        until(is_healthy, look_seconds=0.2)
    workers[2].send_signal(signal.SIGSTOP)
    for name in ("worker.alive", "worker.ready"):
        age(data / "worker-2" / name)
    assert not healthy[2](), "it stands still"
    workers[2].send_signal(signal.SIGCONT)
    until(healthy[2], look_seconds=0.2)
    for _, port in webs:  # which have no judge of their own
        wait_for_samples(f"http://127.0.0.1:{port}/api/v1/exercises/{slug}")

    def submit(port: int, pause_seconds: float) -> None:
        address = f"http://127.0.0.1:{port}/api/v1"
        with httpx.Client(timeout=LIMIT_SECONDS, verify=False) as client:
            token = client.post(f"{address}/sessions", json={}).raise_for_status().json()["token"]
            client.headers["Authorization"] = f"Bearer {token}"
            slow = f"import time\ntime.sleep({pause_seconds})\n{source}"
            sent = client.post(f"{address}/exercises/{slug}/submissions?wait=30", json={"source": slow})
            submission = f"{address}/submissions/{sent.raise_for_status().json()['id']}"

            def verdict() -> str | None:
                now = client.get(submission).raise_for_status().json()
                return str(now["verdict"]) if now["state"] == "finished" else None

            verdicts.append(until(verdict, look_seconds=0.2) or "")

    students = [
        threading.Thread(target=submit, args=(webs[number % WEBS][1], 0.2 + number % 3 / 5))
        for number in range(SUBMISSIONS)
    ]
    for student in students:
        student.start()

    def stopped_at_work() -> bool:
        """Stop a worker, and let it go on where it judges nothing just now."""
        workers[0].send_signal(signal.SIGSTOP)
        log = (tmp_path / "worker-0" / "log").read_text()
        is_judging = log.count("grading_began") > log.count("grading_judged")
        if not is_judging:
            workers[0].send_signal(signal.SIGCONT)
        return is_judging

    until(stopped_at_work, look_seconds=0.05)
    workers[0].send_signal(signal.SIGKILL)
    until_ended(*students)
    logs = "\n".join((tmp_path / f"worker-{number}" / "log").read_text()[-1500:] for number in range(WORKERS))
    assert verdicts == ["accepted"] * SUBMISSIONS, logs
    for process in workers[1:]:
        process.send_signal(signal.SIGTERM)
        assert exit_code(process) == 0, "it finishes, and ends in good order"
