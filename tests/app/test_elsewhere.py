"""A web process that judges nothing itself, and a worker over a broker: every page and feature works all the same."""

import os
import signal
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.people import accounts
from app.queue.brokered import BrokeredQueue
from app.queue.nats import Broker, Message
from app.queue.tasks import PART, Joined
from app.queue.workshop import ALIVE, READY, Workshop
from app.settings import Settings
from graders.boxes.pool import Judge
from tests.app.listening import until_listening
from tests.app.thresholds import sound_thresholds
from tests.broker import Server
from tests.conftest import Running, require_boxes, running
from tests.faults.brokering import worker
from tests.server_process import DOUBLED, REFERENCE, one_exercise
from tests.waiting import LIMIT_SECONDS, until, until_ended

LESSON = """---
title: Cells
---

:::{code-cell} python
:name: made
import numpy as np
print("made", "by the author")
np.arange(4.0).reshape(2, 2)
:::

:::{code-cell}
:name: next
:continues:
np.abs(-3)
:::
"""
PAGE = "/courses/cells/cells"
RUNS = f"/api/v1{PAGE}/cells/next/runs"


@pytest.fixture(scope="module", autouse=True)
def boxes(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Judge(tmp_path_factory.mktemp("boxes"), frameworks=["numpy"], parked={"numpy": 1}) as judge:
        require_boxes(judge)


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders with one exercise and one course."""
    folder = tmp_path_factory.mktemp("content")
    one_exercise(folder)
    (folder / "lessons" / "cells").mkdir(parents=True)
    (folder / "lessons" / "cells" / "course.toml").write_text('title = "Cells"\nblurb = "Code to run"\n')
    (folder / "lessons" / "cells" / "01-cells.md").write_text(LESSON)
    return folder


@pytest.fixture(scope="module")
def queue(broker: Server) -> str:
    return broker.url(f"elsewhere-{uuid.uuid4().hex[:8]}")


Web = Callable[..., Running]


@pytest.fixture(scope="module")
def begin(content: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """Starts web processes without a judge, each with a data folder of its own."""
    with ExitStack() as webs:

        def begin(queue: str, **more: Any) -> Running:
            data = tmp_path_factory.mktemp("web")
            chosen: dict[str, Any] = {
                "data": data,
                "cache": data / "cache",
                "queue": queue,
                "workers": 0,
                "exercises": (content / "exercises",),
                "lessons": (content / "lessons",),
                "rate_limits": "off",
                **more,
            }
            return webs.enter_context(running(Settings(**chosen)))

        yield begin


@pytest.fixture(scope="module")
def workshop(queue: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    data = tmp_path_factory.mktemp("worker")
    settings = Settings(data=data, cache=data / "cache", queue=queue, workers=2)
    workshop = Workshop(settings, ("numpy",), beat_seconds=0.3)
    workshop.start()
    yield workshop
    workshop.close(0.0)


@pytest.fixture(scope="module")
def site(begin: Web, queue: str, workshop: Workshop) -> Running:
    site = begin(queue)
    until(lambda: httpx.get(f"{site.url}/readyz", timeout=LIMIT_SECONDS).status_code == 200, "no worker has beaten")
    return site


def test_a_worker_says_in_two_files_that_it_goes_on_and_that_it_is_known(
    broker: Server, begin: Web, tmp_path: Path
) -> None:
    queue = broker.url(f"marks-{uuid.uuid4().hex[:8]}")
    settings = Settings(data=tmp_path, cache=tmp_path / "cache", queue=queue, workers=1)
    (tmp_path / READY).touch()  # by the process before
    workshop = Workshop(settings, ("numpy",), beat_seconds=0.3)
    workshop.start()
    try:
        workshop.mark()
        assert (tmp_path / ALIVE).exists()
        assert not (tmp_path / READY).exists(), "no web process is there"
        begin(queue)

        def is_ready() -> bool:
            workshop.mark()
            return (tmp_path / READY).exists()

        until(is_ready, "no web process has answered it")
    finally:
        workshop.close(0.0)
    assert not (tmp_path / READY).exists(), "it has ended"


def test_sample_cases_and_authors_outputs_are_made_by_a_worker(site: Running) -> None:
    with site.client() as client:
        until(lambda: client.get(f"/api/v1/exercises/{DOUBLED}").json().get("sample_cases"), "no sample case was made")
        until(lambda: client.get(f"/api/v1/exercises/{DOUBLED}/samples").status_code == 200, "not in whole")
        samples = client.get(f"/api/v1/exercises/{DOUBLED}/samples").json()
        assert samples["cases"]
        until(lambda: "made by the author" in client.get(PAGE).text, "the author's output was not made")
        assert "float64[2, 2]" in client.get(PAGE).text
    assert site.state.judge is None


def test_an_exercise_is_admitted_by_a_worker(site: Running) -> None:
    exercise = site.state.catalog.exercises[DOUBLED]
    until(lambda: site.state.catalog.is_proved(exercise), "nobody has admitted it")


def test_a_readers_cell_runs_on_a_worker(site: Running) -> None:
    with site.guest() as guest:
        said = guest.post(RUNS, json={"source": "np.ones(2)"}).raise_for_status().json()
        assert said["value"] == {"type": "ndarray", "text": "[1. 1.]", "shape": [2], "dtype": "float64"}
        raised = guest.post(RUNS, json={"source": "\nnothing"}).json()["error"]
        assert (raised["type"], raised["line"]) == ("NameError", 2)
        large = guest.post(RUNS, json={"source": "# " + "x" * 60_000 + "\n'end'"}).raise_for_status().json()
        assert large["value"]["text"] == "'end'"


def test_what_a_student_sends_is_judged(site: Running) -> None:
    with site.guest() as guest:
        sent = guest.post(f"/api/v1/exercises/{DOUBLED}/submissions?wait=30", json={"source": REFERENCE})
        assert sent.raise_for_status().json()["verdict"] == "accepted"


def test_without_a_worker_pages_answer_and_a_cell_says_why_it_does_not_run(begin: Web, broker: Server) -> None:
    lonely = begin(broker.url(f"lonely-{uuid.uuid4().hex[:8]}"))
    with lonely.guest() as guest:
        assert guest.get("/readyz").status_code == 503
        assert guest.get(PAGE).status_code == 200
        assert guest.get(f"/exercises/{DOUBLED}").status_code == 200
        refused = guest.post(RUNS, json={"source": "1"})
        assert refused.status_code == 503
        assert "Retry-After" in refused.headers
        assert "worker" in refused.text


@dataclass
class Runs:
    """Of cells with one source. `asked`: the workers that were asked, by the inbox that their answer goes to. `begun`:
    the inboxes in which a worker that is at it has asked whether anybody still waits."""

    asked: dict[str, str] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)

    def workers(self) -> set[str]:
        return {worker for inbox, worker in self.asked.copy().items() if inbox in self.begun}


@contextmanager
def watching(queue: str, source: str) -> Iterator[Runs]:
    broker, runs = Broker(queue, "listener"), Runs()

    def note_task(message: Message) -> None:
        if message.data.startswith(PART):
            (joined := Joined()).add(message.data.removeprefix(PART))
            if joined.read()[0]["fields"].get("source") == source:
                runs.asked[message.asker] = message.subject

    def note_answer(message: Message) -> None:
        if message.asker and not message.data:
            runs.begun.add(message.subject)

    try:
        assert broker.open(LIMIT_SECONDS)
        broker.listen(broker.subject("task", ">"), note_task)
        broker.listen("_INBOX.>", note_answer)
        until_listening(broker)
        yield runs
    finally:
        broker.close()


def test_a_cell_whose_worker_is_killed_runs_on_another(site: Running, queue: str, tmp_path: Path) -> None:
    source = "import time\ntime.sleep(3)\n'slept'"
    answers: list[httpx.Response] = []

    def run() -> None:
        with site.guest() as guest:
            answers.append(guest.post(RUNS, json={"source": source}, timeout=LIMIT_SECONDS))

    assert isinstance(site.state.queue, BrokeredQueue)
    roster = site.state.queue.roster
    with worker(queue, tmp_path, 0.3) as victim, watching(queue, source) as runs:
        until(lambda: len(roster.there()) == 2 and not roster._busy, "the workers have not beaten, or are busy")
        both = [threading.Thread(target=run) for _ in range(2)]
        for number, each in enumerate(both, 1):  # the second goes to the other worker, which has nothing to do
            each.start()
            until(lambda number=number: len(runs.asked) == number, "no worker was asked")  # type: ignore[misc]
        until(lambda: len(runs.workers()) == 2, lambda: f"only {runs.workers()} run it")
        assert victim.pid is not None
        os.kill(victim.pid, signal.SIGKILL)
        until_ended(*both)
    assert [answer.status_code for answer in answers] == [200, 200], [answer.text for answer in answers]
    assert [answer.json()["value"]["text"] for answer in answers] == ["'slept'"] * 2


@pytest.fixture
def author(site: Running) -> Iterator[httpx.Client]:
    email = f"{uuid.uuid4().hex[:8]}@example.org"
    accounts.add_user(site.state.db, email, "instructor", None)
    token = accounts.make_token(site.state.db, email)
    with site.client(Authorization=f"Bearer {token}", **{"Sec-Fetch-Site": "same-origin"}) as author:
        yield author


def test_an_author_saves_has_it_checked_previews_and_publishes(site: Running, author: httpx.Client) -> None:
    page = "/api/v1/exercises/thresholds"
    texts = {path: content.decode() for path, content in sound_thresholds().items()}
    saved = author.post(f"{page}/revisions", json={"base": None, "files": texts, "message": "m"})
    assert saved.status_code == 201, saved.text
    revision = saved.json()["revision"]
    until(lambda: "The cases are being made" not in author.get("/preview/exercises/thresholds").text, "no cases")
    assert "has no judge" not in author.get("/preview/exercises/thresholds").text

    def is_published() -> bool:
        answer = author.post(
            f"{page}/publications", json={"revision": revision}, params={"wait": "60"}, timeout=LIMIT_SECONDS
        )
        assert answer.status_code in (201, 409), answer.text
        return answer.status_code == 201

    until(is_published, "the gate never finished")
    check = author.get(f"{page}/revisions/{revision}").json()["check"]
    assert (check["state"], check["ok"], check["mutants"] > 0) == ("finished", True, True)
    assert author.get(page).json()["slug"] == "thresholds"


def test_an_example_of_the_gallery_is_judged(site: Running, author: httpx.Client) -> None:
    exercise = site.state.catalog.exercises[DOUBLED]
    assert site.state.elsewhere is not None
    finished = site.state.elsewhere.grade(exercise, REFERENCE, "numpy", "here")
    assert finished.result.verdict == "accepted"


def test_what_a_class_sent_is_judged_again_by_a_worker(site: Running, author: httpx.Client) -> None:
    page = f"/api/v1/exercises/{DOUBLED}"
    made = author.post("/api/v1/classes", json={"course": "cells", "title": "Elsewhere"}).raise_for_status().json()
    source = REFERENCE + "# é\n"
    with site.guest() as guest:
        guest.post("/api/v1/enrolments", json={"join_code": made["join_code"]}).raise_for_status()
        sent = guest.post(f"{page}/submissions?wait=30", json={"source": source}).raise_for_status().json()
    until(lambda: author.get(f"/api/v1/submissions/{sent['id']}").json()["state"] == "finished", "it is not judged")
    files = author.get(f"{page}/files").raise_for_status().json()
    thrice = {"reference.py": files["files"]["reference.py"].replace("2", "3")}
    saved = author.post(f"{page}/revisions", json={"base": files["revision"], "files": thrice, "message": "m"})
    body = {"revision": saved.raise_for_status().json()["revision"], "class": made["id"]}
    place = f"/api/v1/regradings/{author.post(f'{page}/regradings', json=body).raise_for_status().json()['id']}"
    until(lambda: author.get(place).json()["state"] == "finished", "nobody judged it again")
    found = author.get(place).json()
    assert [(one["submission"], one["before"], one["after"]) for one in found["lose"]] == [(sent["id"], 1.0, 0.0)]
    assert found["failed"] == 0
