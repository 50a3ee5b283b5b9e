"""kill -9 of the server at any point: what was acknowledged is judged, once."""

import random
import signal
import sqlite3
import threading
import time
from pathlib import Path

import httpx
import pytest

from tests.server_process import DOUBLED, REFERENCE, guest, serving

PATH = f"/api/v1/exercises/{DOUBLED}/submissions"
SOURCE = f"import time\ntime.sleep(0.2)\n{REFERENCE}"


@pytest.mark.parametrize("seed", range(2))
def test_everything_queued_is_judged_exactly_once(tmp_path: Path, seed: int) -> None:
    acknowledged: dict[str, int] = {}
    with serving(tmp_path, LECTERN_RATE_LIMITS="off") as (process, url), guest(url) as client:
        token = client.headers["Authorization"]
        assert client.post(PATH, params={"wait": 30}, json={"source": REFERENCE}).json()["verdict"] == "accepted"
        begun = threading.Event()

        def send() -> None:
            try:
                for number in range(1000):
                    key = f"{threading.get_ident()}-{number}"
                    answer = client.post(PATH, json={"source": SOURCE}, headers={"Idempotency-Key": key})
                    acknowledged[key] = answer.json()["id"]
                    begun.set()
            except httpx.TransportError:
                pass  # between the request and its answer: it may be in, or not

        senders = [threading.Thread(target=send) for _ in range(3)]
        for sender in senders:
            sender.start()
        begun.wait()
        time.sleep(random.Random(seed).uniform(0.2, 0.8))
        process.send_signal(signal.SIGKILL)
        for sender in senders:
            sender.join()
        process.wait()
    keys = sorted(acknowledged)[:40]
    with (
        serving(tmp_path, LECTERN_RATE_LIMITS="off", LECTERN_WORKERS="0") as (_, url),
        httpx.Client(base_url=url, headers={"Authorization": token}, timeout=60, verify=False) as client,
    ):
        for key in keys:  # sent again after the crash, it is the same submission
            again = client.post(PATH, json={"source": SOURCE}, headers={"Idempotency-Key": key})
            assert again.json()["id"] == acknowledged[key]
    database = sqlite3.connect(tmp_path / "lectern.sqlite3")
    for key in set(acknowledged) - set(keys):  # a few are enough to judge again
        database.execute("DELETE FROM submission WHERE idempotency_key = ?", (key,))
    database.execute("DELETE FROM grading WHERE submission_id NOT IN (SELECT id FROM submission)")
    database.commit()
    with serving(tmp_path):
        deadline = time.monotonic() + 120
        while database.execute("SELECT count(*) FROM grading WHERE state <> 'finished'").fetchone()[0]:
            assert time.monotonic() < deadline
            time.sleep(0.1)
    rows = database.execute(
        "SELECT idempotency_key, count(*), min(verdict), max(verdict), max(attempt) FROM submission"
        " JOIN grading ON submission_id = submission.id GROUP BY submission.id"
    ).fetchall()
    database.close()
    assert {key for key, *_ in rows} >= set(keys)
    assert {row[1:4] for row in rows} == {(1, "accepted", "accepted")}
    assert all(attempt <= 2 for *_, attempt in rows)  # only what the kill cut short was begun twice
