"""Web processes and workers are asked to end, one after the other, under load: nothing fails, nothing is lost."""

import json
import os
import signal
import subprocess
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from benchmarks.processes import descendants
from benchmarks.services import StallingProxy
from tests.faults.conftest import finished
from tests.forked import Forked
from tests.server_process import DOUBLED, REFERENCE, client_of, guest, serving
from tests.waiting import LIMIT_SECONDS, exit_code, until, until_ended

PATH = f"/api/v1/exercises/{DOUBLED}/submissions"
SLOW = f"import time\ntime.sleep(0.3)\n{REFERENCE}"
STUDENTS = 4
ENDLESS_CELL = """
import threading, time
for _ in range(4):
    threading.Thread(target=time.sleep, args=(600,)).start()
time.sleep(600)
"""
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
    tmp_path: Path, migrated_postgres_copy: str, broker_url: Callable[[str], str]
) -> None:
    """As proxies do it: a web process gets no new requests, then ends; what it was answering it answers. It has all the
    time for that here, so that nobody may be told that a server that stands still is restarting."""
    queue = broker_url("rolling")
    settings = {"DATABASE_URL": migrated_postgres_copy, "LECTERN_QUEUE": queue, "LECTERN_WORKERS": "0"}
    endless = {"app.web.server.GRACE_SECONDS": LIMIT_SECONDS}
    settings |= {"LECTERN_RATE_LIMITS": "off", "LECTERN_HOSTS": "127.0.0.1"}
    failed: list[str] = []
    acknowledged: list[tuple[str, int]] = []
    ended = threading.Event()
    with ExitStack() as stack:

        def web(name: str) -> tuple[Forked | subprocess.Popen[bytes], int]:
            process, url = stack.enter_context(serving(tmp_path / name, endless, **settings))
            return process, urlsplit(url).port or 0

        def worker(name: str) -> Forked:
            own = {"LECTERN_QUEUE": queue, "LECTERN_DATA": str(tmp_path / name), "LECTERN_WORKERS": "1"}
            (tmp_path / name).mkdir(mode=0o700)
            log = tmp_path / f"{name}.log"
            process = Forked(["worker", "--frameworks", "numpy"], {**os.environ, **own}, out=log, err=log)
            stack.callback(exit_code, process)
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
            exit_code(process)
        workers.append(worker("worker-1"))
        workers[0].send_signal(signal.SIGTERM)
        assert exit_code(workers[0]) == 0
        enough = len(acknowledged) + 2 * STUDENTS  # the new worker judges
        until(lambda: len(acknowledged) >= enough, lambda: failed)
        ended.set()
        until_ended(*students)
        assert not failed
        with client_of(url, "") as client:
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
        until(lambda: client.post(path, json={"source": "print(1)"}).status_code == 200, look_seconds=0.1)
        before = most_threads_below(process.pid)

        def run() -> None:
            answers.append(client.post(path, json={"source": ENDLESS_CELL}))

        running = threading.Thread(target=run)
        running.start()
        until(lambda: most_threads_below(process.pid) > before, "it does not run")
        process.send_signal(signal.SIGTERM)
        until_ended(running)
        exit_code(process)
    assert answers[0].status_code == 503
    assert answers[0].json()["error"]["message"] == "This server is restarting."
    assert int(answers[0].headers["Retry-After"]) > 0


def most_threads_below(server: int) -> int:
    """Of one process that the server has started. A box has one, unless what runs in it starts more."""

    def threads(pid: int) -> int:
        with suppress(OSError):  # it has ended
            return len([*Path(f"/proc/{pid}/task").iterdir()])
        return 0

    return max(threads(pid) for pid, _ in descendants(server))
