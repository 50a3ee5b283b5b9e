"""What a neighbour waits for beside a crowd of one address whose submissions sleep, and what quotas cost.

    .venv/bin/python -P -m benchmarks.fair [--crowd 300] [--arrivals 12] [--workers 2]
    .venv/bin/python -P -m benchmarks.fair --rows 1000000

The first starts a server with its default limits, and an exercise with the default ones (5 s a call, 15 s in all). The
crowd are guests of 127.0.0.1, each with one submission that sleeps 4.9 s a call; when one is judged its guest sends the
next. A neighbour at 127.0.0.2 comes at odd times, and what counts is from their submission to their verdict. The second
fills a SQLite file with so many submissions and times what taking one in asks of it.
"""

import argparse
import random
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
from sqlalchemy import text

from app.db import Database, now
from app.people.quota import Quota
from app.people.users import User
from app.practice.submissions import has_history, let_go_of_runs
from app.settings import Settings
from tests.conftest import Running, running
from tests.server_process import DOUBLED, REFERENCE, one_exercise

PATH = f"/api/v1/exercises/{DOUBLED}/submissions"
SLEEPS = "import time\ndef doubled(x):\n    time.sleep(4.9)\n    return 2 * x\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--crowd", type=int, default=300)
    parser.add_argument("--arrivals", type=int, default=12)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rows", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if asked.rows:
            measure_quota(Path(folder), asked.rows)
        else:
            measure_waits(Path(folder), asked.crowd, asked.arrivals, asked.workers)
    return 0


def measure_waits(folder: Path, crowd: int, arrivals: int, workers: int) -> None:
    exercises = one_exercise(folder)
    toml = exercises / DOUBLED / "exercise.toml"
    toml.write_text(toml.read_text().replace("wall_seconds = 10", "wall_seconds = 5\ntotal_seconds = 15"))
    settings = Settings(data=folder, workers=workers, exercises=(exercises,), lessons=(folder / "none",))
    with running(settings) as server, ThreadPoolExecutor(32) as pool:
        neighbour = guest(server, "127.0.0.2")
        alone = [wait_of(neighbour) for _ in range(5)]
        list(pool.map(lambda _: guest(server, "127.0.0.1").post(PATH, json={"source": SLEEPS}), range(crowd)))
        waits = []
        for _ in range(arrivals):
            time.sleep(random.uniform(0.5, 8.0))
            waits.append(wait_of(neighbour))
    print(f"alone: {statistics.median(alone):.2f} s, p50")
    print(
        f"beside {crowd} that sleep, {workers} workers: {statistics.median(waits):.2f} s p50, {max(waits):.2f} s at "
        f"most"
    )
    print("each:", " ".join(f"{wait:.1f}" for wait in waits))


def guest(server: Running, address: str) -> httpx.Client:
    client = httpx.Client(base_url=server.url, transport=httpx.HTTPTransport(local_address=address), timeout=120)
    token = client.post("/api/v1/sessions", json={}).raise_for_status().json()["token"]
    client.headers["Authorization"] = f"Bearer {token}"
    return client


def wait_of(client: httpx.Client) -> float:
    began = time.monotonic()
    shown = client.post(PATH, params={"wait": 30}, json={"source": REFERENCE}).raise_for_status().json()
    while shown["state"] != "finished":
        time.sleep(0.05)
        shown = client.get(f"/api/v1/submissions/{shown['id']}").json()
    assert shown["verdict"] == "accepted", shown
    return time.monotonic() - began


def measure_quota(folder: Path, rows: int) -> None:
    """Of one person who has a tenth of all rows, in one exercise; the others' are a thousand people's."""
    database = Database(f"sqlite+pysqlite:///{folder / 'lectern.sqlite3'}")
    database.migrate()
    at = now().replace(tzinfo=None).isoformat(" ")
    with database.writing() as db:
        db.execute(text("INSERT INTO snapshot VALUES (1, 'exercise', 'x', 'hash', 1, :at)").bindparams(at=at))
        for id in range(1, 1002):
            db.execute(text(f"INSERT INTO user_account (id, role, created_at) VALUES ({id}, 'guest', '{at}')"))
        columns = "(user_id, snapshot_id, exercise, framework, kind, source, created_at)"
        series = f"WITH RECURSIVE s(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM s WHERE value < {rows})"
        person = "CASE WHEN value % 10 = 0 THEN 1 ELSE 2 + value % 1000 END"
        kind = "CASE WHEN value % 100000 = 0 THEN 'run' ELSE 'submit' END"
        chosen = f"SELECT {person}, 1, 'x', 'numpy', {kind}, 'x = 1', '{at}' FROM s"
        db.execute(text(f"INSERT INTO submission {columns} {series} {chosen}"))
        db.execute(
            text(
                "INSERT INTO grading (submission_id, attempt, state, verdict, cases, queued_at)"
                f" SELECT id, 1, 'finished', 'accepted', '[]', '{at}' FROM submission"
            )
        )
    took = []
    for _ in range(200):
        with database.writing(durable=False) as db:
            user = db.get_one(User, 1)
            began = time.perf_counter()
            Quota(32 << 20, 256 << 20).require_room(user, 1000, 1)
            has_history(db, user)
            let_go_of_runs(db, user, "x")
            took.append((time.perf_counter() - began) * 1000)
    took.sort()
    print(f"{rows:,} submissions, {rows // 10:,} of this person: {took[100]:.2f} ms p50, {took[190]:.2f} ms p95")
    database.close()


if __name__ == "__main__":
    sys.exit(main())
