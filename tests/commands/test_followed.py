"""One submission is followed through all log lines, on one machine and over a broker; and, where a collector is named,
through the spans of its trace. Real processes, whose stderr is read."""

import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from app.settings import ROOT
from benchmarks.processes import free_port
from tests.broker import running_broker
from tests.commands.server import start, wait_until_it_answers
from tests.server_process import DOUBLED, REFERENCE, environment
from tests.waiting import LIMIT_SECONDS, exit_code, until


class Collector:
    """An OTLP receiver: spans by name, from whichever process. A few bytes of a span's attributes are kept."""

    def __init__(self) -> None:
        self.spans: list[tuple[str, Any]] = []  # the service's name, and the span
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                import gzip

                body = self.rfile.read(int(self.headers["content-length"]))
                if self.headers.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
                told = ExportTraceServiceRequest.FromString(body)
                for resource in told.resource_spans:
                    names = {one.key: one.value.string_value for one in resource.resource.attributes}
                    for scope in resource.scope_spans:
                        outer.spans += [(names["service.name"], span) for span in scope.spans]
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def named(self, name: str) -> list[tuple[str, Any]]:
        return [(service, span) for service, span in list(self.spans) if span.name == name]


QUEUES = [pytest.param(False, id="local"), pytest.param(True, id="brokered", marks=pytest.mark.extra)]


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    thread = threading.Thread(target=collector.server.serve_forever, daemon=True)
    thread.start()
    yield collector
    collector.server.shutdown()
    thread.join()
    collector.server.server_close()


@contextmanager
def installation(folder: Path, *, brokered: bool, **settings: str) -> Iterator[tuple[str, list[Path]]]:
    """The address of a web process, and the logs of all its processes: itself, and a worker where there is a broker."""
    with ExitStack() as processes:

        def begin(name: str, command: list[str], **more: str) -> subprocess.Popen[bytes]:
            own = {key: value for key, value in environment(folder, **settings, **more).items() if value}
            process = start([sys.executable, "-P", "-m", "app", *command], own, folder / f"{name}.log")
            processes.callback(exit_code, process)
            processes.callback(process.terminate)
            return process

        more = {"LECTERN_LOG_LEVEL": "debug", "LECTERN_PORT": str(port := free_port())}
        if brokered:
            broker = processes.enter_context(running_broker(folder / "broker"))
            more["LECTERN_QUEUE"] = broker.url("followed")
            begin("worker", ["worker"], **more, LECTERN_WORKERS="1")
            more["LECTERN_WORKERS"] = "0"
        web = begin("web", ["serve"], **more)
        url = f"http://127.0.0.1:{port}"
        wait_until_it_answers(f"{url}/readyz", web, folder / "web.log")
        yield url, [folder / f"{name}.log" for name in ("web", *(("worker",) if brokered else ()))]


def submit(url: str) -> tuple[int, str]:
    """The submission's id, and that of the request that sent it."""
    with httpx.Client(base_url=url, timeout=LIMIT_SECONDS, verify=False) as client:
        token = client.post("/api/v1/sessions", json={}).raise_for_status().json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        path = f"/api/v1/exercises/{DOUBLED}/submissions?wait=30"
        answer = client.post(path, json={"source": REFERENCE}).raise_for_status()
        id = answer.json()["id"]

        def now() -> dict[str, Any]:
            submission: dict[str, Any] = client.get(f"/api/v1/submissions/{id}").raise_for_status().json()
            return submission

        until(lambda: now()["state"] == "finished", now, look_seconds=0.1)
        assert now()["verdict"] == "accepted"
        return id, answer.headers["x-request-id"]


@pytest.mark.extra
@pytest.mark.usefixtures("walls")
@pytest.mark.parametrize("brokered", QUEUES)
def test_one_submission_is_followed_through_every_log_line_about_it(tmp_path: Path, brokered: bool) -> None:
    with installation(tmp_path, brokered=brokered, LECTERN_LOG_FORMAT="json") as (url, logs):
        submit(url)  # another one, whose lines are not this one's
        id, request = submit(url)
        steps = {"submission_received", "grading_began", "grading_judged", "grading_recorded"}
        steps |= {"grading_handed_out", "assignment_taken"} if brokered else {"grading_claimed"}
        until(lambda: steps <= {line["event"] for line in lines_of(logs, id)}, lambda: lines_of(logs, id))
        mine = lines_of(logs, id)
    received = next(line for line in mine if line["event"] == "submission_received")
    assert received["request"] == request
    gradings = {line["grading"] for line in mine}
    assert len(gradings) == 1
    boxes = [line for line in mine if line.get("logger") == "lectern.boxes"]
    assert boxes, "what the judge says of its box names the submission too"
    everything = [line for log in logs for line in read(log)]
    about = [line for line in everything if line.get("grading") in gradings]
    assert about == [line for line in about if line.get("submission") == id], "no line of it is without its name"
    if brokered:
        elsewhere = {line["event"] for line in lines_of(logs[1:], id)}
        assert {"assignment_taken", "grading_began", "grading_judged"} <= elsewhere
    assert REFERENCE.splitlines()[0] not in "".join(log.read_text() for log in logs), "no source is in a log"


WRITES = """
import sys
import structlog
from app.web.log import configure, write_line

configure("info", "json")
structlog.get_logger("lectern.queue").info("dispatcher_leads")
write_line("Lectern is at http://127.0.0.1", sys.stdout)
"""


def test_a_line_and_its_end_are_one_write() -> None:
    """Or what another thread or process writes to the same file stands between the two, and no line of JSON is one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)  # of which each write is a message
    ours.settimeout(LIMIT_SECONDS)
    with ours, theirs:
        unbuffered = {**os.environ, "PYTHONUNBUFFERED": "1"}
        subprocess.run(
            [sys.executable, "-P", "-c", WRITES],
            cwd=ROOT,
            env=unbuffered,
            stdout=theirs.fileno(),
            stderr=theirs.fileno(),
            check=True,
        )
        logged, told = ours.recv(4096), ours.recv(4096)
    assert json.loads(logged)["event"] == "dispatcher_leads"
    assert logged.endswith(b"}\n")
    assert told == b"Lectern is at http://127.0.0.1\n"


def lines_of(logs: list[Path], submission: int) -> list[dict[str, Any]]:
    return [line for log in logs for line in read(log) if line.get("submission") == submission]


def read(log: Path) -> list[dict[str, Any]]:
    whole = [line for line in log.read_text().splitlines(keepends=True) if line.endswith("\n")]
    return [json.loads(line) for line in whole if line.startswith("{")]


@pytest.mark.usefixtures("walls")
@pytest.mark.parametrize("brokered", QUEUES)
def test_a_trace_goes_from_the_request_to_the_record(tmp_path: Path, collector: Collector, brokered: bool) -> None:
    with installation(tmp_path, brokered=brokered, LECTERN_TRACES=collector.url) as (url, _):
        id, _ = submit(url)
        wanted = {"intake", "queue wait", "judge", "box", "case", "record"}
        route = "POST /api/v1/exercises/{slug}/submissions"

        def lacking() -> set[str]:
            return {*wanted, route} - {span.name for _, span in list(collector.spans)}

        until(lambda: not lacking(), lacking)
    ((web, request),) = collector.named(route)
    ((_, intake),) = collector.named("intake")
    ((judge_service, judge),) = collector.named("judge")
    assert (web, judge_service) == ("lectern-web", "lectern-worker" if brokered else "lectern-web")
    assert {request.trace_id} == {span.trace_id for name in wanted for _, span in collector.named(name)}
    assert (request.parent_span_id, intake.parent_span_id) == (b"", request.span_id)
    for name, parent in (
        ("queue wait", intake),
        ("judge", intake),
        ("record", intake),
        ("box", judge),
        ("case", judge),
    ):
        assert {span.parent_span_id for _, span in collector.named(name)} == {parent.span_id}, name
    attributes = {one.key: one.value for one in judge.attributes}
    assert (attributes["submission"].int_value, attributes["exercise"].string_value) == (id, DOUBLED)
    assert all(span.start_time_unix_nano <= span.end_time_unix_nano for _, span in collector.spans)
    told = "".join(str(span) for _, span in collector.spans)
    assert "Bearer" not in told
    assert REFERENCE.splitlines()[0] not in told


@pytest.mark.extra
def test_without_a_collector_nothing_of_it_is_imported() -> None:
    asked = (
        "import sys, app.main, app.queue.workshop; from app.web import tracing; end = tracing.start('', 'x'); end();"
        "print(*[name for name in sys.modules if re.match('opentelemetry|requests$|google', name)])"
    )
    own = {**os.environ, "DATABASE_URL": ""}
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"import re; {asked}"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
        env=own,
    )
    assert not re.findall(r"opentelemetry\.sdk\S*|requests", done.stdout)


@pytest.mark.parametrize("traces", ["collector:4318", "ftp://collector", "http://me:secret@collector:4318"])
def test_what_is_no_collector_is_refused(traces: str, tmp_path: Path) -> None:
    own = environment(tmp_path, LECTERN_TRACES=traces)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "app", "serve"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=own,
        timeout=LIMIT_SECONDS,
    )
    assert done.returncode == 2
    assert "LECTERN_TRACES must be the URL of a collector" in done.stderr
    assert "secret" not in done.stderr
