"""kill -9 of the server amid a quiz: every answer that was acknowledged is there, and the deadline stays."""

import signal
import sqlite3
import threading
from pathlib import Path

import httpx

from tests.server_process import client_of, guest, serving
from tests.sittings import begin, write_course
from tests.waiting import LIMIT_SECONDS, exit_code, until, until_ended


def test_what_was_saved_outlives_the_server_and_the_deadline_does_not_move(tmp_path: Path) -> None:
    (tmp_path / "exercises").mkdir()
    settings = {
        "LECTERN_WORKERS": "0",
        "LECTERN_RATE_LIMITS": "off",
        "LECTERN_LESSONS": str(write_course(tmp_path / "lessons")),
        "LECTERN_EXERCISES": str(tmp_path / "exercises"),
    }
    acknowledged: dict[str, int] = {}
    with serving(tmp_path, **settings) as (process, url), guest(url) as client:
        token = client.headers["Authorization"]
        sitting = begin(client)
        begun = threading.Barrier(3)

        def type_on(slug: str) -> None:
            try:
                for revision in range(10_000):
                    body = {"answer": f"({revision},)", "revision": revision}
                    answer = client.put(f"/api/v1/sittings/{sitting['id']}/answers/{slug}", json=body)
                    acknowledged[slug] = answer.json()["revision"]
                    if revision == 5:
                        begun.wait(LIMIT_SECONDS)
            except httpx.TransportError:
                pass  # between the answer and its acknowledgement: it may be in, or not

        writers = [threading.Thread(target=type_on, args=(slug,)) for slug in ("shape", "count")]
        for writer in writers:
            writer.start()
        begun.wait(LIMIT_SECONDS)
        process.send_signal(signal.SIGKILL)
        until_ended(*writers)
        exit_code(process)
    assert min(acknowledged.values()) > 5
    path = f"/api/v1/sittings/{sitting['id']}"
    with serving(tmp_path, **settings) as (process, url):
        with client_of(url, token) as client:
            found = client.get(path).json()
            assert (found["state"], found["deadline_at"]) == ("open", sitting["deadline_at"])
            for question in found["questions"][:2]:
                assert question["revision"] >= acknowledged[question["slug"]]
                assert question["answer"] == f"({question['revision'] - 1},)"
        process.send_signal(signal.SIGKILL)
        exit_code(process)
    database = sqlite3.connect(tmp_path / "lectern.sqlite3")
    database.execute("UPDATE sitting SET deadline_at = datetime('now', '-1 minute') || '.000000'")
    database.commit()
    closed = "SELECT submitted_at = deadline_at, score FROM sitting"
    with serving(tmp_path, **settings):  # nobody looks: the server itself closes what became due while it was away
        until(lambda: database.execute(closed).fetchone() == (1, 0.0), lambda: database.execute(closed).fetchone())
    assert database.execute("SELECT count(*) FROM answer WHERE sitting_id = 1").fetchone() == (1,)  # no count is `(7,)`
    database.close()
