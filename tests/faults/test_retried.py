"""A request that is sent again, because its answer was lost or its sender clicked twice: one submission."""

import signal
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from sqlalchemy import func, select

from app.db import Database
from app.practice.gradings import Grading
from app.practice.submissions import Submission
from tests.faults.conftest import Backend, finished
from tests.server_process import DOUBLED, REFERENCE, client_of, guest, serving
from tests.waiting import LIMIT_SECONDS, exit_code, until, until_ended

PATH = f"/api/v1/exercises/{DOUBLED}/submissions"
PAIRS = 100


def counted(url: str) -> tuple[int, int]:
    """Submissions and gradings."""
    database = Database(url)
    try:
        with database.reading() as db:
            counts = [db.scalar(select(func.count()).select_from(table)) or 0 for table in (Submission, Grading)]
    finally:
        database.close()
    return counts[0], counts[1]


def database_of(backend: Backend, data: Path) -> str:
    return backend.settings.get("DATABASE_URL") or f"sqlite+pysqlite:///{data / 'lectern.sqlite3'}"


@pytest.mark.usefixtures("walls")
def test_a_web_process_killed_between_its_commit_and_its_answer(tmp_path: Path, backend: Backend) -> None:
    """The student's browser sends it again, with the same key: to the next start, or to another web process."""
    body, key = {"source": REFERENCE}, {"Idempotency-Key": "the only one"}
    with ExitStack() as stack:
        # Without a worker: there is no verdict to answer with.
        process, url = stack.enter_context(serving(tmp_path / "one", LECTERN_WORKERS="0", **backend.settings))
        client = stack.enter_context(guest(url))
        lost: list[httpx.TransportError] = []

        def send() -> None:
            try:
                client.post(PATH, params={"wait": 30}, json=body, headers=key)
            except httpx.TransportError as error:
                lost.append(error)

        sender = threading.Thread(target=send)
        sender.start()
        # Committed, and the answer is to wait.
        until(lambda: counted(database_of(backend, tmp_path / "one")) == (1, 1), "it is not committed")
        process.send_signal(signal.SIGKILL)
        exit_code(process)
        until_ended(sender)
        assert lost, "it had its answer before it was killed"
        data = tmp_path / ("two" if backend.settings else "one")
        _, url = stack.enter_context(serving(data, LECTERN_WORKERS="1", **backend.settings))
        with client_of(url, client.headers["Authorization"]) as again:
            answer = again.post(PATH, json=body, headers=key)
            assert answer.status_code in (200, 202)
            assert finished(again, answer.json()["id"])["verdict"] == "accepted"
            assert again.post(PATH, json=body, headers=key).json()["id"] == answer.json()["id"]
    assert counted(database_of(backend, tmp_path / "one")) == (1, 1)


def test_a_hundred_double_clicks_at_two_web_processes(
    tmp_path: Path, migrated_postgres_copy: str, broker_url: Callable[[str], str]
) -> None:
    settings = {
        "DATABASE_URL": migrated_postgres_copy, "LECTERN_QUEUE": broker_url("clicks"), "LECTERN_WORKERS": "0",
        "LECTERN_RATE_LIMITS": "off",
    }  # fmt: skip
    with ExitStack() as stack:
        urls = [stack.enter_context(serving(tmp_path / name, **settings))[1] for name in ("one", "two")]
        first = stack.enter_context(guest(urls[0]))
        second = stack.enter_context(client_of(urls[1], first.headers["Authorization"]))
        both, barrier = (first, second), threading.Barrier(2, timeout=LIMIT_SECONDS)

        def click(number: int, which: int) -> tuple[int, int]:
            barrier.wait()
            headers = {"Idempotency-Key": f"key {number}"}
            answer = both[which].post(PATH, json={"source": REFERENCE}, headers=headers)
            return answer.status_code, answer.json()["id"]

        with ThreadPoolExecutor(2) as pool:
            answers = [pair for number in range(PAIRS) for pair in pool.map(click, (number, number), (0, 1))]
    assert {status for status, _ in answers} == {202}
    assert Counter(Counter(id for _, id in answers).values()) == {2: PAIRS}
    assert counted(migrated_postgres_copy) == (PAIRS, PAIRS)
