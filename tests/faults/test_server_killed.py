"""kill -9 of the server at any point: what was acknowledged is judged, once."""

import signal
import sqlite3
import threading
from pathlib import Path

import httpx
import pytest

from tests.faults.conftest import verdict_on
from tests.server_process import DOUBLED, REFERENCE, client_of, guest, serving
from tests.waiting import exit_code, until, until_ended

PATH = f"/api/v1/exercises/{DOUBLED}/submissions"
SOURCE = f"import time\ntime.sleep(0.2)\n{REFERENCE}"


UNFINISHED = "SELECT count(*) FROM grading WHERE state <> 'finished'"


@pytest.mark.parametrize(
    "killed_when",
    ["SELECT count(*) > 2 FROM submission", "SELECT count(*) > 3 FROM grading WHERE state = 'finished'"],
    ids=["the first are sent", "some are judged"],
)
def test_everything_queued_is_judged_exactly_once(tmp_path: Path, killed_when: str) -> None:
    acknowledged: dict[str, int] = {}
    with serving(tmp_path, LECTERN_RATE_LIMITS="off") as (process, url), guest(url) as client:
        token = client.headers["Authorization"]
        assert verdict_on(client, REFERENCE) == "accepted"

        def send() -> None:
            try:
                for number in range(1000):
                    key = f"{threading.get_ident()}-{number}"
                    answer = client.post(PATH, json={"source": SOURCE}, headers={"Idempotency-Key": key})
                    acknowledged[key] = answer.json()["id"]
            except httpx.TransportError:
                pass  # between the request and its answer: it may be in, or not

        senders = [threading.Thread(target=send) for _ in range(3)]
        for sender in senders:
            sender.start()
        database = sqlite3.connect(tmp_path / "lectern.sqlite3")
        until(lambda: acknowledged and database.execute(killed_when).fetchone() == (1,), lambda: acknowledged)
        process.send_signal(signal.SIGKILL)
        until_ended(*senders)
        exit_code(process)
    keys = sorted(acknowledged)[:40]
    for key in set(acknowledged) - set(keys):  # a few are enough to judge again
        database.execute("DELETE FROM submission WHERE idempotency_key = ?", (key,))
    database.execute("DELETE FROM grading WHERE submission_id NOT IN (SELECT id FROM submission)")
    database.commit()
    with serving(tmp_path, LECTERN_RATE_LIMITS="off") as (_, url), client_of(url, token) as client:
        for key in keys:  # sent again after the crash, it is the same submission
            again = client.post(PATH, json={"source": SOURCE}, headers={"Idempotency-Key": key})
            assert again.json()["id"] == acknowledged[key]
        until(lambda: database.execute(UNFINISHED).fetchone() == (0,), "something waits", look_seconds=0.05)
    rows = database.execute(
        "SELECT idempotency_key, count(*), min(verdict), max(verdict), max(attempt) FROM submission"
        " JOIN grading ON submission_id = submission.id GROUP BY submission.id"
    ).fetchall()
    database.close()
    assert {key for key, *_ in rows} >= set(keys)
    assert {row[1:4] for row in rows} == {(1, "accepted", "accepted")}
    assert all(attempt <= 2 for *_, attempt in rows)  # only what the kill cut short was begun twice
