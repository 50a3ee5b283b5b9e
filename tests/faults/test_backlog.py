"""Five hundred submissions of one student wait, and then another student sends one."""

import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from sqlalchemy import func, select

from app.db import Database
from app.people import accounts
from app.practice.gradings import Grading
from tests.faults.conftest import Backend, Finished
from tests.server_process import DOUBLED, REFERENCE, serving

PATH = f"/api/v1/exercises/{DOUBLED}/submissions"
BACKLOG = 500


@pytest.mark.usefixtures("walls")
def test_one_students_five_hundred_do_not_delay_anothers_one(
    tmp_path: Path, backend: Backend, finished: Finished
) -> None:
    data = tmp_path / "data"
    settings = {**backend.settings, "LECTERN_RATE_LIMITS": "off"}
    slow = f"import time\ntime.sleep(0.3)\n{REFERENCE}"
    with ExitStack() as stack:
        process, url = stack.enter_context(serving(data, LECTERN_WORKERS="0", **settings))
        database = Database(backend.settings.get("DATABASE_URL") or f"sqlite+pysqlite:///{data / 'lectern.sqlite3'}")
        stack.callback(database.close)
        many, one = (stack.enter_context(student(database, url, email)) for email in ("a@example.org", "b@example.org"))
        with ThreadPoolExecutor(8) as pool:
            answers = list(
                pool.map(lambda number: many.post(PATH, json={"source": f"{slow}# {number}"}), range(BACKLOG))
            )
        assert {answer.status_code for answer in answers} == {202}
        sent = one.post(PATH, json={"source": REFERENCE}).json()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=120)
        _, url = stack.enter_context(serving(data, LECTERN_WORKERS="1", **settings))
        one.base_url = url
        assert finished(one, sent["id"])["verdict"] == "accepted"
        with database.reading() as db:
            at = db.scalar(select(Grading.finished_at).where(Grading.submission_id == sent["id"]))
            before = db.scalar(select(func.count()).where(Grading.finished_at < at))
        assert before is not None
        assert before <= 2, f"{before} of the other student's were judged first"


def student(database: Database, url: str, email: str) -> httpx.Client:
    """With an account: new guests come after everybody else for a minute."""
    accounts.add_user(database, email, "student", None)
    token = accounts.make_token(database, email)
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=120)
