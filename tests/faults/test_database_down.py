"""The database goes down under fifty gradings, and comes back: a clear 503, no wrong verdict, and nobody helps."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from benchmarks.services import Postgres
from tests.broker import running_broker
from tests.faults.conftest import fill, finished, psycopg_url, verdict_on
from tests.server_process import DOUBLED, REFERENCE, guest, serving

PATH = f"/api/v1/exercises/{DOUBLED}/submissions"
SLOW = "import time\ntime.sleep(0.05)\n"
RIGHT, WRONG = SLOW + REFERENCE, SLOW + REFERENCE.replace("2 *", "3 *")
GRADINGS = 50
STUDENTS = 5


@pytest.fixture(params=["local", "nats"])
def settings(request: pytest.FixtureRequest, tmp_path: Path, private_postgres: Postgres) -> Iterator[dict[str, str]]:
    with ExitStack() as stack:
        queue = "local"
        if request.param == "nats":
            queue = stack.enter_context(running_broker(tmp_path / "broker")).url("down")
        url = psycopg_url(private_postgres.url("lectern"))
        yield {"DATABASE_URL": url, "LECTERN_QUEUE": queue, "LECTERN_RATE_LIMITS": "off"}


@pytest.mark.usefixtures("walls")
def test_a_database_that_is_restarted_under_fifty_gradings(
    tmp_path: Path, private_postgres: Postgres, settings: dict[str, str]
) -> None:
    with serving(tmp_path / "data", **settings) as (process, url), ExitStack() as stack:
        students = [stack.enter_context(guest(url)) for _ in range(STUDENTS)]
        first = students[0].post(PATH, json={"source": RIGHT}).json()
        assert finished(students[0], first["id"])["verdict"] == "accepted"
        sent = []
        for number in range(GRADINGS):
            student, source = students[number % STUDENTS], WRONG if number % 3 == 0 else RIGHT
            sent.append((student, student.post(PATH, json={"source": source}).raise_for_status().json()["id"], source))
        private_postgres.stop(mode="immediate")

        refused = students[0].post(PATH, json={"source": RIGHT})
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
        assert refused.json()["error"]["message"] == "The database cannot be reached right now."
        page = students[0].get(f"/submissions/{first['id']}")
        assert (page.status_code, "The database cannot be reached right now" in page.text) == (503, True)
        assert "What was saved is safe" in page.text
        assert process.poll() is None

        private_postgres.start()
        for student, id, source in sent:
            assert finished(student, id)["verdict"] == ("accepted" if source is RIGHT else "wrong_answer")
    with psycopg.connect(private_postgres.url("lectern")) as database:
        count = sql.SQL("SELECT count(*), count(DISTINCT submission_id), max(attempt) FROM grading")
        row = database.execute(count).fetchone()
    assert row is not None
    assert row[:2] == (GRADINGS + 1, GRADINGS + 1)
    assert row[2] <= 3


@pytest.mark.usefixtures("walls")
def test_a_data_disk_of_postgresql_that_is_full_is_told_and_resumed(
    tmp_path: Path, private_postgres: Postgres, small_disk: Path
) -> None:
    """Its tables are on a file system of their own that fills up."""
    small_disk.chmod(0o711)  # PostgreSQL runs as another user
    tables = small_disk / "tables"
    tables.mkdir()
    os.chown(tables, *private_postgres.owner)
    with psycopg.connect(private_postgres.url(), autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE TABLESPACE small LOCATION {}").format(sql.Literal(str(tables))))
        admin.execute("CREATE DATABASE on_small TABLESPACE small")
    url = psycopg_url(private_postgres.url("on_small"))
    large = "#" * 60_000 + "\n" + REFERENCE  # a row of its own pages
    with (
        serving(tmp_path / "data", DATABASE_URL=url, LECTERN_RATE_LIMITS="off") as (_, address),
        guest(address) as client,
    ):
        assert verdict_on(client, RIGHT) == "accepted"
        running = client.post(PATH, json={"source": "import time\ntime.sleep(1)\n" + REFERENCE}).json()["id"]
        filler = fill(small_disk)
        statuses = set()
        for number in range(30):
            answer = client.post(PATH, json={"source": f"{large}# {number}\n"})
            statuses.add(answer.status_code)
            if answer.status_code == 507:
                break
        assert statuses <= {202, 507}
        assert answer.status_code == 507
        assert answer.json()["error"]["message"] == "This server's disk is full."
        assert client.get(f"/exercises/{DOUBLED}").status_code == 200
        filler.unlink()
        assert finished(client, running)["verdict"] == "accepted"
        assert verdict_on(client, RIGHT) == "accepted"
