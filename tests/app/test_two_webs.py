"""Two web processes on one PostgreSQL and one broker, and a worker: what happens at one holds at the other."""

import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from app.queue.workshop import Workshop
from app.reading import catalog as catalog_module
from app.settings import Settings
from app.web import allowances
from app.web.limits import PERSON
from graders.boxes.pool import Judge
from tests.broker import Server
from tests.conftest import Running, require_boxes, running
from tests.graders.conftest import make_exercise
from tests.server_process import DOUBLED, REFERENCE, one_exercise
from tests.waiting import until


@pytest.fixture
def webs(
    migrated_postgres_copy: str, broker: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Running, Running, str]]:
    """Two, and the address of their queue. Neither looks by itself whether the other has changed something: it learns
    it, or the test fails."""
    monkeypatch.setattr(catalog_module, "FOLLOW_SECONDS", 3600.0)
    monkeypatch.setattr(allowances, "ANSWER_SECONDS", 60)  # where the database stands still, each counts by itself
    queue = broker.url(f"two-{uuid.uuid4().hex[:8]}")
    with ExitStack() as started:

        def web(number: int) -> Running:
            data = tmp_path / f"web-{number}"
            settings = Settings(
                data=data,
                cache=data / "cache",
                database_url=migrated_postgres_copy,
                queue=queue,
                workers=0,
                exercises=(one_exercise(tmp_path),),
                lessons=(tmp_path / "lessons",),
            )
            return started.enter_context(running(settings))

        yield web(1), web(2), queue


def judged(guest: httpx.Client) -> tuple[str, str]:
    """The verdict on a right answer, and by which exercise."""
    sent = guest.post(f"/api/v1/exercises/{DOUBLED}/submissions", json={"source": REFERENCE}).json()
    url = f"/api/v1/submissions/{sent['id']}"
    until(lambda: guest.get(url).json()["state"] == "finished", "it is not judged")
    row = guest.get(url).json()
    return row["verdict"], row["exercise_hash"]


def test_what_one_publishes_the_other_serves_and_a_worker_judges_by_it(
    webs: tuple[Running, Running, str], tmp_path: Path
) -> None:
    first, second, queue = webs
    with Judge(tmp_path / "boxes", frameworks=["numpy"], parked={"numpy": 1}) as judge:
        require_boxes(judge)
    settings = Settings(data=tmp_path / "worker", cache=tmp_path / "worker" / "cache", queue=queue, workers=1)
    workshop = Workshop(settings, ("numpy",), beat_seconds=0.3)
    workshop.start()
    try:
        until(lambda: first.state.queue.can_judge() and second.state.queue.can_judge(), "no worker has beaten")
        files = first.state.catalog.exercises[DOUBLED].files
        changed = {**files, "statement.md": files["statement.md"] + b"\nOne sentence more.\n"}
        assert make_exercise().files.keys() == changed.keys()
        first.state.catalog.publish("exercise", DOUBLED, changed, "browser", is_proved=True)
        published = first.state.catalog.exercises[DOUBLED].content_hash
        until(lambda: second.state.catalog.exercises[DOUBLED].content_hash == published, "the other has not heard")
        until(lambda: workshop.has_prepared(published), "the worker has not heard")
        for web in (first, second):
            with web.guest() as guest:
                assert "One sentence more." in guest.get(f"/exercises/{DOUBLED}").text
                assert judged(guest) == ("accepted", published)
        second.state.catalog.retire("exercise", DOUBLED)
        until(lambda: DOUBLED not in first.state.catalog.exercises, "the first has not heard")
    finally:
        workshop.close(0.0)


def test_two_web_processes_do_not_double_a_limit(webs: tuple[Running, Running, str]) -> None:
    first, second, _ = webs
    wrong = {"email": "nobody@example.org", "password": "guessed by a script"}
    with first.client() as one, second.client() as other:
        answers = [client.post("/api/v1/sessions", json=wrong).status_code for client in (one, other) * 8]
        assert answers.count(401) >= PERSON["sign_in"].burst
        assert answers.count(401) < 2 * PERSON["sign_in"].burst - 2, "each allows as many as both may"
        assert answers[-1] == 429
