"""Five hundred submissions of one student wait, and then another student sends one."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import func, select

from app.db import Database
from app.people import accounts
from app.practice.gradings import Grading
from app.settings import Settings
from tests.conftest import running
from tests.faults.conftest import Backend, finished
from tests.server_process import DOUBLED, REFERENCE, client_of, one_exercise

PATH = f"/api/v1/exercises/{DOUBLED}/submissions"
BACKLOG = 500


@pytest.mark.usefixtures("walls")
def test_one_students_five_hundred_do_not_delay_anothers_one(tmp_path: Path, backend: Backend) -> None:
    settings = Settings(
        data=tmp_path / "data", exercises=(one_exercise(tmp_path),), lessons=(tmp_path / "lessons",), workers=0,
        rate_limits="off", database_url=backend.settings.get("DATABASE_URL", ""),
        queue=backend.settings.get("LECTERN_QUEUE", "local"),
    )  # fmt: skip
    slow = f"import time\ntime.sleep(0.3)\n{REFERENCE}"
    with running(settings) as server, ExitStack() as stack:
        emails = ("a@example.org", "b@example.org")
        tokens = [token_of_student(server.state.db, email) for email in emails]
        many, one = (stack.enter_context(client_of(server.url, token)) for token in tokens)
        with ThreadPoolExecutor(8) as pool:
            answers = list(
                pool.map(lambda number: many.post(PATH, json={"source": f"{slow}# {number}"}), range(BACKLOG))
            )
        assert {answer.status_code for answer in answers} == {202}
        sent = one.post(PATH, json={"source": REFERENCE}).json()
    with running(settings.model_copy(update={"workers": 1})) as server:
        with client_of(server.url, tokens[1]) as one:
            assert finished(one, sent["id"])["verdict"] == "accepted"
        with server.state.db.reading() as db:
            at = db.scalar(select(Grading.finished_at).where(Grading.submission_id == sent["id"]))
            before = db.scalar(select(func.count()).where(Grading.finished_at < at))
        assert before is not None
        assert before <= 2, f"{before} of the other student's were judged first"


def token_of_student(database: Database, email: str) -> str:
    """With an account: new guests come after everybody else for a minute."""
    accounts.add_user(database, email, "student", None)
    return f"Bearer {accounts.make_token(database, email)}"
