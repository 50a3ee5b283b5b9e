"""Web processes and workers are asked to end, one after the other, under load: nothing fails, nothing is lost."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from app.settings import ROOT
from benchmarks.services import StallingProxy
from tests.faults.conftest import PATIENCE_SECONDS, Finished
from tests.server_process import DOUBLED, REFERENCE, guest, serving

PATH = f"/api/v1/exercises/{DOUBLED}/submissions"
SLOW = f"import time\ntime.sleep(0.3)\n{REFERENCE}"
STUDENTS = 4
LESSON = """---
title: Cells
---
:::{code-cell} python
:name: sum
print(1 + 1)
:::
"""


@pytest.mark.usefixtures("walls")
def test_two_webs_and_a_worker_are_replaced_without_a_failed_request(
    tmp_path: Path, migrated_postgres_copy: str, broker_url: Callable[[str], str], finished: Finished
) -> None:
    """As proxies do it: a web process gets no new requests, then ends; what it was answering it answers."""
    queue = broker_url("rolling")
    settings = {"DATABASE_URL": migrated_postgres_copy, "LECTERN_QUEUE": queue, "LECTERN_WORKERS": "0"}
    settings |= {"LECTERN_RATE_LIMITS": "off", "LECTERN_HOSTS": "127.0.0.1"}
    failed: list[str] = []
    acknowledged: list[tuple[str, int]] = []
    ended = threading.Event()
    with ExitStack() as stack:

        def web(name: str) -> tuple[subprocess.Popen[str], int]:
            process, url = stack.enter_context(serving(tmp_path / name, **settings))
            return process, urlsplit(url).port or 0

        def worker(name: str) -> subprocess.Popen[bytes]:
            own = {"LECTERN_QUEUE": queue, "LECTERN_DATA": str(tmp_path / name), "LECTERN_WORKERS": "1"}
            (tmp_path / name).mkdir(mode=0o700)
            command = [sys.executable, "-P", "-m", "app", "worker", "--frameworks", "numpy"]
            process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **own})
            stack.callback(process.wait, 60)
            stack.callback(process.kill)
            return process

        webs = [web("web-0"), web("web-1")]
        workers = [worker("worker-0")]
        proxy = StallingProxy(*(port for _, port in webs))
        stack.callback(proxy.close)
        url = f"http://127.0.0.1:{proxy.port}"
        with guest(url) as first:
            sent = first.post(PATH, json={"source": REFERENCE}).raise_for_status().json()
            assert finished(first, sent["id"])["verdict"] == "accepted"

        def study(number: int) -> None:
            with guest(url) as student:
                student.headers["Connection"] = "close"  # each request is the proxy's to place
                while not ended.is_set():
                    for method in ("POST", "GET"):
                        try:
                            if method == "POST":
                                answer = student.post(PATH, params={"wait": 5}, json={"source": SLOW})
                            else:
                                answer = student.get(f"/exercises/{DOUBLED}")
                        except httpx.TransportError as error:
                            failed.append(f"{method}: {type(error).__name__}: {error}")
                            continue
                        # what a process that stands still has not answered a second after it was asked to end
                        is_late = answer.status_code == 503 and "is restarting" in answer.text
                        if is_late and answer.elapsed.total_seconds() >= 1:
                            continue
                        if answer.status_code not in (200, 202):
                            failed.append(f"{method}: {answer.status_code} {answer.text[:200]}")
                        elif method == "POST":
                            acknowledged.append((student.headers["Authorization"], answer.json()["id"]))

        students = [threading.Thread(target=study, args=(number,)) for number in range(STUDENTS)]
        for student in students:
            student.start()
        for number, (process, port) in enumerate(list(webs)):
            webs.append(web(f"web-{number + 2}"))  # a new one is there before an old one ends
            proxy.targets = [other for _, other in webs if other != port]
            webs.remove((process, port))
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=120)
        workers.append(worker("worker-1"))
        workers[0].send_signal(signal.SIGTERM)
        assert workers[0].wait(120) == 0
        enough = len(acknowledged) + 2 * STUDENTS  # the new worker judges
        deadline = time.monotonic() + PATIENCE_SECONDS
        while len(acknowledged) < enough:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        ended.set()
        for student in students:
            student.join()
        assert not failed
        with httpx.Client(base_url=url, timeout=60) as client:
            for token, id in acknowledged:
                client.headers["Authorization"] = token
                shown = finished(client, id)
                assert shown["verdict"] == "accepted", json.dumps(shown)[:500]
    assert len({id for _, id in acknowledged}) == len(acknowledged)


@pytest.mark.usefixtures("walls")
def test_what_takes_longer_than_a_server_that_ends_may_wait_is_told_to_try_again(tmp_path: Path) -> None:
    """A cell that runs for seconds: a 503 that says so, and not that something went wrong."""
    course = tmp_path / "lessons" / "demo"
    course.mkdir(parents=True)
    (course / "course.toml").write_text('title = "Demo"\nblurb = "Of the tests."\n')
    (course / "01-cells.md").write_text(LESSON)
    path = "/api/v1/courses/demo/cells/cells/sum/runs"
    answers: list[httpx.Response] = []
    with serving(tmp_path, LECTERN_WORKERS="1", LECTERN_RATE_LIMITS="off") as (process, url), guest(url) as client:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while client.post(path, json={"source": "print(1)"}).status_code != 200:
            assert time.monotonic() < deadline
            time.sleep(0.1)

        def run() -> None:
            answers.append(client.post(path, json={"source": "import time\ntime.sleep(8)"}))

        running = threading.Thread(target=run)
        running.start()
        time.sleep(1)
        process.send_signal(signal.SIGTERM)
        running.join()
        process.communicate(timeout=120)
    assert answers[0].status_code == 503
    assert answers[0].json()["error"]["message"] == "This server is restarting."
    assert int(answers[0].headers["Retry-After"]) > 0
