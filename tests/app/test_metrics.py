"""What `/metrics` counts: gradings that nobody could judge, answers by route, and workers elsewhere."""

import re
import threading
import uuid
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from resource import RUSAGE_THREAD, getrusage

import pytest
from sqlalchemy import select, update

from app.db import now
from app.main import create_app
from app.practice.gradings import MAX_ATTEMPTS, Grading
from app.queue.brokered import BrokeredQueue
from app.queue.events import Events
from app.queue.exercises import FetchedExercises
from app.queue.local import LocalQueue
from app.queue.messages import Beat
from app.queue.nats import Broker
from app.queue.remote import RemoteJobs
from app.reading.catalog import Catalog
from app.reading.snapshots import SnapshotFile
from app.settings import Settings
from app.web.metrics import Metrics, thread_seconds
from graders.exercise.limits import CEILINGS
from graders.verdict import State
from graders.worker import Job, Queue
from tests.app.desk import GATHER, SHORT_LEASE_SECONDS, Desk
from tests.broker import Server
from tests.conftest import Running
from tests.waiting import LIMIT_SECONDS, until, until_ended

GIVEN_UP = 'lectern_gradings_total{framework="numpy",kind="submit",verdict="internal_error"}'


def value(metrics: Metrics, series: str) -> float | None:
    """None: there is no such series."""
    found = re.search(rf"^{re.escape(series)} (\S+)$", metrics.text().decode(), re.M)
    return float(found[1]) if found else None


def wait_for_one(metrics: Metrics) -> None:
    until(lambda: value(metrics, GIVEN_UP) == 1, "it was not counted")


def claim(jobs: Queue) -> Job:
    job = jobs.claim(LIMIT_SECONDS)
    assert job is not None
    return job


def give_back_three_times(jobs: Queue) -> None:
    for _ in range(MAX_ATTEMPTS):
        jobs.give_back(claim(jobs), "the box was killed")


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
def queue(desk: Desk, metrics: Metrics) -> LocalQueue:
    queue = LocalQueue(desk.db, desk.catalog, Events(), metrics, lease_seconds=SHORT_LEASE_SECONDS)
    desk.queues.append(queue)
    return queue


def test_a_rise_from_zero_can_be_seen(metrics: Metrics) -> None:
    """Prometheus' `increase` shows nothing for a series whose first value is 1 already."""
    assert value(metrics, GIVEN_UP) == 0


def test_what_is_given_up_after_three_attempts_is_counted_once(desk: Desk, queue: LocalQueue, metrics: Metrics) -> None:
    queue.start()
    desk.send(desk.guest(), queue)
    give_back_three_times(queue)
    assert value(metrics, GIVEN_UP) == 1


def test_what_is_given_up_because_its_process_ended_is_counted(desk: Desk, queue: LocalQueue, metrics: Metrics) -> None:
    queue.start()
    grading = desk.send(desk.guest())
    with desk.db.writing() as db:
        db.execute(update(Grading).values(state=State.running, attempt=MAX_ATTEMPTS, owner="gone"))
    wait_for_one(metrics)
    assert desk.row(grading.id).state == State.finished


def test_what_is_given_up_at_a_start_is_counted(desk: Desk, queue: LocalQueue, metrics: Metrics) -> None:
    grading = desk.send(desk.guest())
    with desk.db.writing() as db:
        db.execute(update(Grading).values(state=State.running, attempt=MAX_ATTEMPTS, owner="gone"))
    queue.start()
    assert value(metrics, GIVEN_UP) == 1
    assert desk.row(grading.id).state == State.finished


def test_what_cannot_be_judged_at_all_is_counted(desk: Desk, metrics: Metrics) -> None:
    grading = desk.send(desk.guest())
    with desk.db.writing() as db:
        for file in db.scalars(select(SnapshotFile).where(SnapshotFile.path == "exercise.toml")):
            file.content = b"not toml"
    queue = LocalQueue(desk.db, Catalog(desk.db), Events(), metrics)
    desk.queues.append(queue)
    queue.start()
    assert queue.claim(0) is None
    assert desk.row(grading.id).state == State.finished
    assert value(metrics, GIVEN_UP) == 1


Web = tuple[BrokeredQueue, RemoteJobs]


@pytest.fixture
def web(desk: Desk, metrics: Metrics, broker: Server) -> Iterator[Web]:
    """A web process over a broker that judges, too."""
    connection = Broker(broker.url(f"metrics-{uuid.uuid4().hex[:8]}"), "test web")
    jobs = RemoteJobs(connection, FetchedExercises(connection, None, CEILINGS), slots=8, beat_seconds=0.3)
    web = BrokeredQueue(desk.db, desk.catalog, Events(), metrics, None, connection, jobs, SHORT_LEASE_SECONDS)
    web.start()
    yield web, jobs
    web.close()


def test_what_workers_elsewhere_give_back_three_times_is_counted_once(desk: Desk, web: Web, metrics: Metrics) -> None:
    grading = desk.send(desk.guest())
    give_back_three_times(web[1])
    wait_for_one(metrics)
    assert desk.row(grading.id).state == State.finished


@pytest.mark.parametrize("owner", ["gone", "gone.1"], ids=["its lease is over", "nobody listens"])
def test_what_the_leader_gives_up_is_counted(desk: Desk, web: Web, metrics: Metrics, owner: str) -> None:
    grading = desk.send(desk.guest())
    leased_until = now() + timedelta(seconds=600 if "." in owner else -600)
    claimed = {"state": State.running, "attempt": MAX_ATTEMPTS, "owner": owner, "leased_until": leased_until}
    with desk.db.writing() as db:
        db.execute(update(Grading).values(**claimed))
    wait_for_one(metrics)
    assert desk.row(grading.id).state == State.finished


def answers(server: Running, method: str, route: str, status: str) -> float:
    labels = f'{{method="{method}",route="{route}",status="{status}"}}'
    return value(server.state.metrics, f"lectern_http_seconds_count{labels}") or 0.0


def test_answers_are_counted_by_the_template_of_their_route(server: Running) -> None:
    asked = [
        ("GET", "/healthz", "/healthz", "2xx"),
        ("GET", "/submissions/987654", "/submissions/{id}", "4xx"),
        ("GET", "/api/v1/submissions/987654", "/api/v1/submissions/{id}", "4xx"),
        ("GET", "/nowhere/987654", "unmatched", "4xx"),
        ("GET", "/static/987654/nothing.css", "/static/", "4xx"),
        ("HEAD", "/healthz", "/healthz", "2xx"),
    ]
    with server.guest() as guest:
        for method, path, route, status in asked:
            before = answers(server, "GET", route, status)
            guest.request(method, path)
            assert answers(server, "GET", route, status) == before + 1, path
    assert "/987654" not in server.state.metrics.text().decode()


def test_addresses_and_methods_without_end_make_no_series_without_end(server: Running) -> None:
    def series() -> set[str]:
        return set(re.findall(r"^lectern_http_seconds_count\S+", server.state.metrics.text().decode(), re.M))

    def ask() -> None:
        for method in ("GET", "POST", "PROPFIND", "MKCOL", "REPORT"):
            for path in (f"/{uuid.uuid4().hex}", f"/api/v1/{uuid.uuid4().hex}", f"/static/{uuid.uuid4().hex}/x"):
                client.request(method, path)

    with server.client() as client:
        ask()
        known = series()
        for _ in range(10):
            ask()
    assert series() == known


def test_a_stream_counts_until_its_answer_begins(server: Running) -> None:
    with server.guest() as guest:
        order = {"source": "x = 1", "framework": "numpy"}
        sent = guest.post(f"/api/v1/exercises/{GATHER}/submissions", json=order).raise_for_status().json()
        route = "/api/v1/submissions/{id}/events"
        before = answers(server, "GET", route, "2xx")
        with guest.stream("GET", f"/api/v1/submissions/{sent['id']}/events") as stream:
            assert stream.status_code == 200
            assert answers(server, "GET", route, "2xx") == before + 1, "the stream is still open"
    assert answers(server, "GET", route, "2xx") == before + 1


def test_workers_elsewhere_are_shown_while_they_are_there(
    migrated_postgres_copy: str, broker: Server, tmp_path: Path
) -> None:
    installation = broker.url(f"metrics-{uuid.uuid4().hex[:8]}")
    settings = Settings(workers=0, data=tmp_path, database_url=migrated_postgres_copy, queue=installation)
    state = create_app(settings).state
    state.queue.roster.heard("gpu.1", Beat(((7, 1), (8, 1)), slots=4, parked=3))
    assert value(state.metrics, 'lectern_worker_boxes_parked{worker="gpu.1"}') == 3
    assert value(state.metrics, 'lectern_worker_held{worker="gpu.1"}') == 2
    state.queue.roster.forget("gpu.1")
    assert 'worker="' not in state.metrics.text().decode()
    state.db.close()


def test_the_process_shows_its_own_memory_and_descriptors(metrics: Metrics) -> None:
    assert (value(metrics, "process_resident_memory_bytes") or 0) > 1 << 20
    assert (value(metrics, "process_open_fds") or 0) > 2


def test_the_processor_time_of_a_thread_that_has_ended_still_counts() -> None:
    """A thread of the pool ends once it has been idle for ten seconds. A counter that falls then shows up in a query's
    `rate` as work that nobody did. Each pool gives its threads new numbers, of which no series is made."""

    def processor_seconds() -> float:
        """Of the thread that asks, as the kernel counts them."""
        used = getrusage(RUSAGE_THREAD)
        return used.ru_utime + used.ru_stime

    def work() -> None:
        while processor_seconds() < 0.1:
            pass
        busy.set()
        may_end.wait()

    totals = [0.0]
    for number in range(2):
        busy, may_end = threading.Event(), threading.Event()
        thread = threading.Thread(target=work, name=f"some-pool-{number}_{number}")
        thread.start()
        assert busy.wait(LIMIT_SECONDS)
        totals.append(thread_seconds()["some-pool"])
        may_end.set()
        until_ended(thread)
        totals.append(thread_seconds()["some-pool"])
    assert not any(name.startswith("some-pool-") for name in thread_seconds())
    assert totals[1] >= 0.1
    assert totals[2] >= totals[1]
    assert totals[3] >= totals[2] + 0.1
    assert totals[4] >= totals[3]
