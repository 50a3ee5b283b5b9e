"""The disk is full, or the database is locked: told clearly or waited for, nothing lost, resumed alone."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import httpx
from sqlalchemy import text

from app.db import Database
from tests.faults.conftest import fill, finished, until_begun, verdict_on
from tests.server_process import DOUBLED, REFERENCE, guest, serving
from tests.waiting import LIMIT_MS, LIMIT_SECONDS, until

PATH = f"/api/v1/exercises/{DOUBLED}/submissions"
SLOW = f"import time\ntime.sleep(3)\n{REFERENCE}"
TRIES = 10
PATIENCE_MS = text("PRAGMA busy_timeout")
BROWSER = {"Sec-Fetch-Site": "same-origin"}


def test_a_full_disk_is_said_and_what_runs_is_judged_when_there_is_room(small_disk: Path) -> None:
    with serving(small_disk, LECTERN_WORKERS="1") as (_, url), guest(url) as client:
        browser = httpx.Client(base_url=url, headers=BROWSER, timeout=LIMIT_SECONDS, verify=False)
        assert browser.post(f"/exercises/{DOUBLED}/submissions", data={"source": REFERENCE}).status_code == 303
        first = client.post(PATH, json={"source": REFERENCE}).json()["id"]
        assert finished(client, first)["verdict"] == "accepted"
        slow: list[int] = []
        for _ in range(TRIES):
            slow.append(client.post(PATH, json={"source": SLOW}).json()["id"])
            until_begun(client, slow[-1])
            filler = fill(small_disk)
            if until_begun(client, slow[-1]) == "running":
                break
            filler.unlink()  # it was quicker

        answers = [client.post(PATH, json={"source": REFERENCE}) for _ in range(3)]
        assert {answer.status_code for answer in answers} == {507}
        assert answers[0].json()["error"]["message"] == "This server's disk is full."
        assert answers[0].headers["retry-after"]
        page = browser.post(f"/exercises/{DOUBLED}/submissions", data={"source": REFERENCE})
        assert (page.status_code, "The disk is full" in page.text) == (507, True)
        who = {"email": "a@example.org", "password": "x"}
        newcomer = httpx.post(f"{url}/sessions", data=who, headers=BROWSER, timeout=LIMIT_SECONDS)
        assert newcomer.status_code == 401  # what only reads goes on
        for path in ("/", "/exercises", f"/exercises/{DOUBLED}", "/progress", f"/submissions/{first}"):
            assert client.get(path).status_code == 200
        log = small_disk.with_name(f"{small_disk.name}.log")
        until(lambda: "grading_not_stored" in log.read_text(), "its verdict is not due")
        assert client.get(f"/api/v1/submissions/{slow[-1]}").json()["state"] == "running"

        filler.unlink()
        assert finished(client, slow[-1])["verdict"] == "accepted"
        assert verdict_on(client, REFERENCE) == "accepted"
        browser.close()
        database = sqlite3.connect(small_disk / "lectern.sqlite3")
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("SELECT count(*), max(attempt) FROM grading").fetchone() == (3 + len(slow), 1)
        database.close()


def test_a_locked_database_is_waited_for_by_everybody(tmp_path: Path) -> None:
    """Reading goes on, writers wait for ten seconds and more, and nobody is sent away."""
    with (
        closing(Database(f"sqlite+pysqlite:///{tmp_path / 'other.sqlite3'}")) as database,
        database.reading() as reader,
        database.changing() as writer,
    ):
        assert min(connection.execute(PATIENCE_MS).scalar_one() for connection in (reader, writer)) >= 10_000
    endless = {"app.db.BUSY_MS": int(LIMIT_MS)}  # here: for as long as reading takes
    with serving(tmp_path, endless, LECTERN_WORKERS="1") as (_, url), guest(url) as client:
        assert verdict_on(client, REFERENCE) == "accepted"
        other = sqlite3.connect(tmp_path / "lectern.sqlite3", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        with ThreadPoolExecutor(20) as people:
            sent = [people.submit(client.post, PATH, json={"source": REFERENCE}) for _ in range(20)]
            for _ in range(20):  # who waited for the lock would wait for ever: it is let go of after that
                assert client.get(f"/exercises/{DOUBLED}").status_code == 200
            assert not any(future.done() for future in sent)
            other.execute("ROLLBACK")
            answers = [future.result() for future in sent]
        other.close()
        assert {answer.status_code for answer in answers} == {202}
        assert {finished(client, answer.json()["id"])["verdict"] for answer in answers} == {"accepted"}
