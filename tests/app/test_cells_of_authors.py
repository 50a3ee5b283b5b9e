"""Cells that workers elsewhere run, which restart, answer nonsense or are not there: no lesson breaks, and each output
of an author is made in the end.

The workers are hand-made: they beat and answer over a real broker, and say what a test has them say.
"""

import threading
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.content.cell import Cell
from app.queue.exercises import FetchedExercises
from app.queue.messages import Capabilities
from app.queue.nats import Broker
from app.queue.remote import RemoteJobs, process_name
from app.queue.workbench import Answer, Lane, Request, Work, Workbench
from app.reading.cells import AGAIN_SECONDS, Elsewhere, LessonCells
from app.settings import Settings
from graders.boxes.sandbox import BoxLost
from graders.cell import CellRun
from graders.exercise.limits import CEILINGS
from graders.verdict import StudentError
from tests.broker import Server
from tests.conftest import Running, running
from tests.waiting import LIMIT_SECONDS, until, until_ended

LESSON = """---
title: Cells
---

:::{code-cell} python
:name: made
first = 1
:::

:::{code-cell} python
:name: next
second = 2
:::
"""
PAGE = "/courses/cells/cells"


@contextmanager
def web(queue: str, data: Path, lessons: Path) -> Iterator[Running]:
    """A web process without a judge."""
    settings = Settings(
        data=data, cache=data / "cache", queue=queue, workers=0, exercises=(data / "none",), lessons=(lessons,),
        rate_limits="off",
    )  # fmt: skip
    with running(settings) as site:
        yield site


@pytest.fixture
def site(broker: Server, tmp_path: Path) -> Iterator[Running]:
    """With a lesson, whose cells the first worker makes that comes."""
    course = tmp_path / "lessons" / "cells"
    course.mkdir(parents=True)
    (course / "course.toml").write_text('title = "Cells"\nblurb = "Code to run"\n')
    (course / "01-cells.md").write_text(LESSON)
    with web(a_queue(broker), tmp_path / "web", tmp_path / "lessons") as site:
        yield site


@pytest.fixture(scope="module")
def queue(broker: Server) -> str:
    return a_queue(broker)


def a_queue(broker: Server) -> str:
    return broker.url(f"authors-{uuid.uuid4().hex[:8]}")


@pytest.fixture(scope="module")
def elsewhere(queue: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Elsewhere]:
    """The workers, as a web process without lessons knows them."""
    data = tmp_path_factory.mktemp("web")
    with web(queue, data, data / "none") as site:
        assert site.state.elsewhere is not None
        yield site.state.elsewhere


@pytest.fixture
def cells(elsewhere: Elsewhere, tmp_path: Path) -> Iterator[LessonCells]:
    cells = LessonCells(None, tmp_path / "cells", 1, elsewhere)
    yield cells
    cells.close()


@contextmanager
def working(queue: str, folder: Path, work: Work) -> Iterator[None]:
    """A worker that does cells of NumPy so, and is gone at the end of the block."""
    broker = Broker(queue, process_name("worker"))
    exercises = FetchedExercises(broker, folder / "exercises", CEILINGS)
    jobs = RemoteJobs(broker, exercises, Capabilities(("numpy",)), 1, 0.3)
    jobs.does_tasks = True
    bench = Workbench(broker, broker.subject("task", jobs.worker), [Lane({"author": work, "cell": work}, 1, 8)])
    bench.start()
    jobs.start()
    broker.open()
    try:
        yield
    finally:
        jobs.drain(0.0)
        broker.hang_up()
        bench.close()
        jobs.close()
        broker.close()


def honest(request: Request) -> Answer:
    return CellRun(prints=f"ran {request.fields['source']}\n").row(), b""


def shows(site: Running, *texts: str) -> bool:
    with site.client() as client:
        page = client.get(PAGE)
    assert page.status_code == 200, page.text
    return all(text in page.text for text in texts)


def threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "cells"}


def cell(source: str, framework: str = "numpy") -> Cell:
    return Cell("cell", source, framework)


def test_a_worker_that_answers_nonsense_breaks_no_lesson(site: Running, tmp_path: Path) -> None:
    asked: list[str] = []

    def odd(request: Request) -> Answer:
        asked.append(request.fields["source"])
        fields, blob = honest(request)
        nonsense: dict[str, dict[str, Any]] = {
            "first = 1": {"prints": 5},
            "second = 2": {"error": vars(StudentError("NameError")), "earlier": 0},
        }
        return {**fields, **(nonsense[asked[-1]] if asked.count(asked[-1]) == 1 else {})}, blob

    with working(site.state.settings.queue, tmp_path, odd):
        until(lambda: len(set(asked)) == 2, "nobody was asked for both cells")
        until(lambda: shows(site, "ran first = 1", "ran second = 2"), "they were not asked for again")


def test_a_reader_is_told_that_their_cell_has_not_run_where_a_worker_answers_nonsense(
    site: Running, tmp_path: Path
) -> None:
    def odd(request: Request) -> Answer:
        fields, blob = honest(request)
        return {**fields, **({"wall_ms": "long"} if request.fields["source"] == "odd" else {})}, blob

    with working(site.state.settings.queue, tmp_path, odd), site.guest() as guest:
        until(lambda: shows(site, "ran first = 1"), "the worker is not there")
        refused = guest.post(f"/api/v1{PAGE}/cells/made/runs", json={"source": "odd"})
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
        assert "Your code is still here" in refused.text
        answer = guest.post(f"/api/v1{PAGE}/cells/made/runs", json={"source": "sound"})
        assert answer.raise_for_status().json()["stdout"] == "ran sound\n"


def test_a_cell_whose_only_worker_restarts_is_made_by_the_next_one(
    cells: LessonCells, queue: str, tmp_path: Path
) -> None:
    cells.prepare([cell("first"), cell("second")])
    has_begun, may_end = threading.Event(), threading.Event()

    def slow(request: Request) -> Answer:
        has_begun.set()
        may_end.wait(LIMIT_SECONDS)
        raise BoxLost("it ends")

    with ExitStack() as first:
        first.enter_context(working(queue, tmp_path, slow))
        first.callback(may_end.set)
        assert has_begun.wait(LIMIT_SECONDS)
    with working(queue, tmp_path, honest):
        until(lambda: cells.output(cell("first")) and cells.output(cell("second")), "one was given up for good")


def test_a_cell_that_cannot_be_made_is_tried_later_and_later_beside_the_others(
    elsewhere: Elsewhere, queue: str, tmp_path: Path
) -> None:
    moment, tried = 0.0, list[float]()

    def failing(request: Request) -> Answer:
        if request.fields["source"] != "lost":
            return honest(request)
        tried.append(moment)
        raise BoxLost("no box of it comes back")

    with working(queue, tmp_path, failing):
        cells = LessonCells(None, tmp_path / "cells", 1, elsewhere, clock=lambda: moment)
        cells.prepare([cell("lost"), cell("sound")])

        def is_tried_thrice() -> bool:
            nonlocal moment
            moment += AGAIN_SECONDS / 10
            cells.prepare([])  # it looks at the clock
            return len(tried) >= 3

        until(is_tried_thrice, "it was given up for good")
        assert cells.output(cell("sound")), "it waits for the one that is lost"
        cells.close()
    assert tried[1] - tried[0] >= AGAIN_SECONDS
    assert tried[2] - tried[1] >= 2 * AGAIN_SECONDS


def test_what_no_worker_can_run_holds_up_nothing_else(cells: LessonCells, queue: str, tmp_path: Path) -> None:
    for number in range(20):
        cells.prepare([cell(f"torch{number}", "torch")])
    cells.prepare([cell("numpy")])
    with working(queue, tmp_path, honest):
        until(lambda: cells.output(cell("numpy")), "it waits for a worker with PyTorch")


def test_what_was_changed_last_is_made_first(cells: LessonCells, queue: str, tmp_path: Path) -> None:
    cells.prepare([cell("first"), cell("second")])
    asked: list[str] = []
    has_begun, may_end = threading.Event(), threading.Event()

    def slow(request: Request) -> Answer:
        asked.append(request.fields["source"])
        has_begun.set()
        may_end.wait(LIMIT_SECONDS)
        return honest(request)

    with working(queue, tmp_path, slow):
        assert has_begun.wait(LIMIT_SECONDS)
        cells.prepare([cell("changed")], course="another")
        may_end.set()
        until(lambda: len(asked) == 3, "one was not made")
    assert asked == ["first", "changed", "second"]


def test_changes_without_a_worker_leave_one_thread(queue: str, tmp_path: Path) -> None:
    others = threads()
    lessons = tmp_path / "lessons"
    lessons.mkdir()
    data = tmp_path / "web"
    settings = Settings(data=data, cache=data / "cache", queue=queue, workers=0, exercises=(), lessons=(lessons,))
    with running(settings) as site:
        for number in range(20):
            site.state.cells.prepare([cell(f"{number}")])
        (thread,) = threads() - others
        with working(queue, tmp_path, honest):
            for number in range(20):
                until(lambda number=number: site.state.cells.output(cell(f"{number}")), "it was lost")  # type: ignore[misc]
    until_ended(thread)  # with the server


def test_what_is_wanted_of_a_course_takes_the_place_of_what_was(cells: LessonCells, queue: str, tmp_path: Path) -> None:
    asked: list[str] = []

    def noted(request: Request) -> Answer:
        asked.append(request.fields["source"])
        return honest(request)

    told: list[str] = []
    for number in range(5):
        wanted = [cell(f"one {number}"), cell("kept")]
        cells.prepare(wanted, lambda number=number: told.append(f"one {number}"), "one")  # type: ignore[misc]
    cells.prepare([cell("another")], course="another")
    cells.prepare([cell("of several")])
    with working(queue, tmp_path, noted):
        for source in ("one 4", "kept", "another"):
            until(lambda source=source: cells.output(cell(source)), "it was replaced")  # type: ignore[misc]
        until(lambda: len(asked) == 4, "what is of no course alone was not made")
        until(lambda: len(told) == 2, "not each is told")
    assert sorted(asked) == ["another", "kept", "of several", "one 4"]
    assert told == ["one 4"] * 2


def test_closing_ends_what_waits_to_be_tried_again(cells: LessonCells) -> None:
    others = threads()
    cells.prepare([cell("1")])
    until(lambda: threads() - others, "nothing was begun")
    (thread,) = threads() - others
    cells.close()
    until_ended(thread)
    cells.prepare([cell("2")])
    assert not threads() - others, "what is closed begins nothing"
