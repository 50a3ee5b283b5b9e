"""Event streams: they tell the truth, end when they should, and leave nothing behind."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.practice.gradings import Grading
from app.queue import events as events_module
from app.web.limits import AT_ONCE
from graders.grade import Began, CaseFinished, CaseName, Finished
from graders.verdict import CaseResult, SubmissionResult, Verdict
from tests.conftest import Running, Serve
from tests.waiting import LIMIT_SECONDS, until, until_ended

PATH = "/api/v1/exercises/learned-absolute-position-embedding/submissions"
ACCEPTED = CaseResult("one", True, Verdict.accepted)


@pytest.fixture
def by_nudges_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks again by themselves, and no time is ever up."""

    async def until_nudged(event: asyncio.Event, seconds: float) -> None:
        await event.wait()

    monkeypatch.setattr(events_module, "_within", until_nudged)


def events_of(stream: httpx.Response) -> Iterator[dict[str, Any]]:
    for line in stream.iter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


@pytest.mark.usefixtures("by_nudges_alone")
def test_a_stream_shows_each_change_and_ends_with_the_verdict(server: Running) -> None:
    queue = server.state.jobs
    with server.guest() as client:
        id = client.post(PATH, json={"source": "x = 1"}).json()["id"]
        with client.stream("GET", f"/api/v1/submissions/{id}/events") as stream:
            events = events_of(stream)
            first = next(events)
            assert (first["id"], first["state"], first["queue_position"]) == (id, "queued", 1)
            job = queue.claim(LIMIT_SECONDS)
            assert job is not None
            assert next(events)["state"] == "running"
            queue.record(job, Began((CaseName("one", True), CaseName("two", True))))
            queue.record(job, CaseFinished(0, ACCEPTED))
            event = next(events)
            while not any(case["verdict"] for case in event["cases"]):
                event = next(events)
            assert [case["verdict"] for case in event["cases"]] == ["accepted", None]
            queue.record(job, Finished(SubmissionResult(Verdict.accepted, 1.0, "Right.", None, None, (ACCEPTED,))))
            *_, last = events
            assert (last["state"], last["verdict"]) == ("finished", "accepted")
        assert client.get(f"/api/v1/submissions/{id}").json() == last


def test_a_stream_of_a_finished_submission_is_one_event(server: Running) -> None:
    with server.guest() as client:
        id = client.post(PATH, json={"source": "#" * 70_000}).json()["id"]
        with client.stream("GET", f"/api/v1/submissions/{id}/events") as stream:
            assert [event["state"] for event in events_of(stream)] == ["finished"]


def test_a_nudge_that_is_lost_is_made_up_for(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events_module, "LOOK_AGAIN_SECONDS", 0.2)
    with server.guest() as client:
        id = client.post(PATH, json={"source": "x = 1"}).json()["id"]
        with client.stream("GET", f"/api/v1/submissions/{id}/events") as stream:
            events = events_of(stream)
            next(events)
            with server.state.db.writing() as db:  # another process finishes it: no nudge reaches this one
                grading = db.query(Grading).one()
                grading.state, grading.verdict, grading.score = "finished", "accepted", 1.0
            assert next(events)["verdict"] == "accepted"


def test_a_guest_who_signs_in_meanwhile_ends_their_stream(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events_module, "LOOK_AGAIN_SECONDS", 0.2)
    account = {"email": "ada@example.org", "password": "a wide enough password"}
    with server.client() as client:
        assert client.post("/api/v1/users", json=account).status_code == 201
    with server.guest() as guest:
        id = guest.post(PATH, json={"source": "x = 1"}).json()["id"]
        with guest.stream("GET", f"/api/v1/submissions/{id}/events") as stream:
            events = events_of(stream)
            next(events)
            with server.client(**dict(guest.headers)) as same:
                assert same.post("/api/v1/sessions", json=account).status_code == 201
            assert list(events) == []


@pytest.mark.usefixtures("by_nudges_alone")
def test_who_waits_is_answered_when_the_verdict_comes(server: Running) -> None:
    queue = server.state.jobs

    def judge() -> None:
        job = queue.claim(LIMIT_SECONDS)
        assert job is not None
        until(lambda: server.state.events.listeners, "nobody waits")
        queue.record(job, Finished(SubmissionResult(Verdict.accepted, 1.0, "Right.", None, None, (ACCEPTED,))))

    worker = threading.Thread(target=judge)
    worker.start()
    with server.guest() as client:
        answer = client.post(PATH, params={"wait": 30}, json={"source": "x = 1"})
    until_ended(worker)
    assert answer.status_code == 200
    assert answer.json()["verdict"] == "accepted"
    assert server.state.events.listeners == 0


def test_browsers_that_leave_leak_nothing(server: Running) -> None:
    def descriptors() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    with server.guest() as client:
        id = client.post(PATH, json={"source": "x = 1"}).json()["id"]
        path = f"/api/v1/submissions/{id}/events"
        for number in range(120):
            if number == 20:
                before = descriptors(), threading.active_count()
            with server.client(**dict(client.headers)) as leaving, leaving.stream("GET", path) as stream:
                next(events_of(stream))
        until(
            lambda: not server.state.events.listeners and descriptors() <= before[0] + 5,
            lambda: (server.state.events.listeners, descriptors(), before),
        )
        assert threading.active_count() <= before[1] + 2
        assert client.get(f"/api/v1/submissions/{id}").json()["state"] == "queued"  # the grading goes on


def test_one_person_has_so_many_streams_and_others_have_theirs(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AT_ONCE, "stream", (3, 5))
    server = serve()
    with server.guest() as client, server.guest() as other, ExitStack() as streams:
        id, another = (one.post(PATH, json={"source": "x = 1"}).json()["id"] for one in (client, other))

        def follow(person: httpx.Client, address: str) -> httpx.Response:
            return streams.enter_context(person.stream("GET", address))

        for prefix in ("/api/v1", "", "/api/v1"):  # the pages' streams are as many descriptors
            assert follow(client, f"{prefix}/submissions/{id}/events").status_code == 200
        for prefix in ("/api/v1", ""):
            refused = follow(client, f"{prefix}/submissions/{id}/events")
            assert (refused.status_code, refused.headers["Retry-After"]) == (429, "5")
        for status in (200, 200, 429):  # five of one address
            assert follow(other, f"/api/v1/submissions/{another}/events").status_code == status
        streams.close()
        until(lambda: not server.state.limits._held, "somebody who left is counted for ever")
        assert follow(client, f"/api/v1/submissions/{id}/events").status_code == 200


@pytest.mark.usefixtures("by_nudges_alone")
def test_open_streams_and_waits_end_at_once_with_the_server(serve: Serve) -> None:
    server = serve()
    opened, ended = threading.Barrier(4, timeout=LIMIT_SECONDS), []
    guest = server.guest()
    id = guest.post(PATH, json={"source": "x = 1"}).json()["id"]

    def follow() -> None:
        path = f"/api/v1/submissions/{id}/events"
        with server.client(**dict(guest.headers)) as client, client.stream("GET", path) as stream:
            events = events_of(stream)
            next(events)
            opened.wait()
            ended.append(list(events))

    def wait() -> None:
        with server.client(**dict(guest.headers)) as client:
            opened.wait()
            ended.append(client.post(PATH, params={"wait": 30}, json={"source": "x = 2"}).json())

    threads = [threading.Thread(target=target) for target in (follow, follow, wait)]
    for thread in threads:
        thread.start()
    opened.wait()
    until(lambda: server.state.events.listeners == 3, "not all of them wait")
    server.server.handle_exit(15, None)
    until_ended(*threads)
    guest.close()
    assert len(ended) == 3


@pytest.mark.usefixtures("by_nudges_alone")
def test_a_wait_that_begins_as_the_server_stops_ends_with_it(serve: Serve) -> None:
    server = serve()  # its own: it stops, and others share theirs
    with server.guest() as client:
        server.state.events.close()
        answer = client.post(PATH, params={"wait": 30}, json={"source": "x = 1"})
    assert answer.status_code == 202
    assert answer.json()["state"] == "queued"


def marked_events_of(stream: httpx.Response) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each event with its id."""
    data = ""
    mark = ""
    for line in stream.iter_lines():
        if line.startswith("data: "):
            data = line.removeprefix("data: ")
        elif line.startswith("id: "):
            mark = line.removeprefix("id: ")
        elif not line and data:
            yield mark, json.loads(data)
            data = ""


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "at another process"])
def test_a_stream_that_was_cut_off_goes_on_without_a_lost_or_doubled_event(serve: Serve, elsewhere: bool) -> None:
    first = serve()
    second = serve() if elsewhere else first
    queue = first.state.jobs
    with first.guest() as client, second.client(**dict(client.headers)) as again:
        id = client.post(PATH, json={"source": "x = 1"}).json()["id"]
        address = f"/api/v1/submissions/{id}/events"
        with client.stream("GET", address) as stream:
            _, shown = next(marked_events_of(stream))
            assert shown["state"] == "queued"
        job = queue.claim(LIMIT_SECONDS)
        assert job is not None
        queue.record(job, Began((CaseName("one", True), CaseName("two", True))))
        with client.stream("GET", address) as stream:
            events = marked_events_of(stream)
            mark, shown = next(events)
            while not shown["cases"]:
                mark, shown = next(events)
        with again.stream("GET", address, headers={"Last-Event-ID": mark}) as stream:
            events = marked_events_of(stream)
            queue.record(job, CaseFinished(0, ACCEPTED))
            mark, shown = next(events)
            assert [case["verdict"] for case in shown["cases"]] == ["accepted", None], "nothing that has come before"
        # what happens while nobody listens is not lost
        queue.record(job, Finished(SubmissionResult(Verdict.accepted, 1.0, "Right.", None, None, (ACCEPTED,))))
        with again.stream("GET", address, headers={"Last-Event-ID": mark}) as stream:
            ((mark, shown),) = marked_events_of(stream)
            assert (shown["state"], shown["verdict"]) == ("finished", "accepted")
        with again.stream("GET", address, headers={"Last-Event-ID": mark}) as stream:
            assert list(marked_events_of(stream)) == [], "it had the last one"
        for strange in ("", "x" * 5000, "0"):
            with again.stream("GET", address, headers={"Last-Event-ID": strange}) as stream:
                assert [event["state"] for _, event in marked_events_of(stream)] == ["finished"]
