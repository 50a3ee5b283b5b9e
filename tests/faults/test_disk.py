"""The disk is full, or the database is locked: told clearly or waited for, nothing lost, resumed alone."""

import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from tests.faults.conftest import fill
from tests.server_process import DOUBLED, REFERENCE, guest, serving

PATH = f"/api/v1/exercises/{DOUBLED}/submissions"
SLOW = f"import time\ntime.sleep(6)\n{REFERENCE}"
BROWSER = {"Sec-Fetch-Site": "same-origin"}


def verdict_of(client: httpx.Client, id: int) -> str:
    deadline = time.monotonic() + 120
    while (body := client.get(f"/api/v1/submissions/{id}").json())["state"] != "finished":
        assert time.monotonic() < deadline, body
        time.sleep(0.05)
    return str(body["verdict"])


def test_a_full_disk_is_said_and_what_runs_is_judged_when_there_is_room(small_disk: Path) -> None:
    with serving(small_disk, LECTERN_WORKERS="1") as (_, url), guest(url) as client:
        browser = httpx.Client(base_url=url, headers=BROWSER, timeout=60, verify=False)
        assert browser.post(f"/exercises/{DOUBLED}/submissions", data={"source": REFERENCE}).status_code == 303
        first = client.post(PATH, params={"wait": 30}, json={"source": REFERENCE})
        assert first.json()["verdict"] == "accepted"
        running = client.post(PATH, json={"source": SLOW}).json()["id"]
        while client.get(f"/api/v1/submissions/{running}").json()["state"] == "queued":
            time.sleep(0.02)

        filler = fill(small_disk)
        answers = [client.post(PATH, json={"source": REFERENCE}) for _ in range(3)]
        assert {answer.status_code for answer in answers} == {507}
        assert answers[0].json()["error"]["message"] == "This server's disk is full."
        assert answers[0].headers["retry-after"]
        page = browser.post(f"/exercises/{DOUBLED}/submissions", data={"source": REFERENCE})
        assert (page.status_code, "The disk is full" in page.text) == (507, True)
        newcomer = httpx.post(
            f"{url}/sessions", data={"email": "a@example.org", "password": "x"}, headers=BROWSER, timeout=60
        )
        assert newcomer.status_code == 401  # what only reads goes on
        for path in ("/", "/exercises", f"/exercises/{DOUBLED}", "/progress", f"/submissions/{first.json()['id']}"):
            assert client.get(path).status_code == 200
        time.sleep(8)  # its verdict is due, and cannot be stored
        assert client.get(f"/api/v1/submissions/{running}").json()["state"] == "running"

        filler.unlink()
        assert verdict_of(client, running) == "accepted"
        assert client.post(PATH, params={"wait": 30}, json={"source": REFERENCE}).json()["verdict"] == "accepted"
        browser.close()
        database = sqlite3.connect(small_disk / "lectern.sqlite3")
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("SELECT count(*), max(attempt) FROM grading").fetchone() == (4, 1)
        database.close()


def test_a_locked_database_is_waited_for_by_everybody(tmp_path: Path) -> None:
    """Ten seconds: reading goes on, writers wait, and nobody is sent away."""
    with serving(tmp_path, LECTERN_WORKERS="1") as (_, url), guest(url) as client:
        assert client.post(PATH, params={"wait": 30}, json={"source": REFERENCE}).json()["verdict"] == "accepted"
        other = sqlite3.connect(tmp_path / "lectern.sqlite3", isolation_level=None, check_same_thread=False)
        other.execute("BEGIN EXCLUSIVE")
        with ThreadPoolExecutor(30) as people:
            release = threading.Timer(10, other.execute, ["ROLLBACK"])
            release.start()
            sent = [people.submit(client.post, PATH, json={"source": REFERENCE}) for _ in range(20)]
            slowest = 0.0
            while release.is_alive():
                began = time.monotonic()
                assert client.get(f"/exercises/{DOUBLED}").status_code == 200
                slowest = max(slowest, time.monotonic() - began)
                time.sleep(0.1)
            assert slowest < 8  # who waited for the lock would have waited longer
            answers = [future.result() for future in sent]
        other.close()
        assert {answer.status_code for answer in answers} == {202}
        assert {verdict_of(client, answer.json()["id"]) for answer in answers} == {"accepted"}
