"""The sweep: what is done as time passes is done as it starts, and again and again, whatever else fails."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from app import sweep
from app.db import Database, now
from app.operating.retention import Rule
from app.people.users import User, add_guest
from app.quizzes.sittings import Sitting
from app.settings import Settings
from app.sweep import Sweep
from tests.conftest import Running, Serve, running
from tests.sittings import begin, put_off, write_course
from tests.waiting import LIMIT_SECONDS, until, until_ended


@pytest.fixture
def server(serve: Serve, tmp_path: Path) -> Running:
    return serve(lessons=write_course(tmp_path / "lessons"))


@contextmanager
def sweeping(server: Running, guest_days: int = 0, retention: tuple[Rule, ...] = ()) -> Iterator[Sweep]:
    sweep = Sweep(server.state.db, server.state.catalog, guest_days, retention)
    sweep.start()
    yield sweep
    sweep.close()
    until_ended(*sweep._threads)


def close_one(server: Running, client: httpx.Client) -> dict[str, Any]:
    """Begins a sitting, lets its time be over, and waits until it is closed."""
    sitting = begin(client)
    put_off(server, sitting, minutes=-1)
    until(lambda: not row(server, sitting).is_open, "the sweep has not closed it")
    return sitting


def row(server: Running, sitting: dict[str, Any]) -> Sitting:
    with server.state.db.reading() as db:
        return db.get_one(Sitting, sitting["id"])


def add_idle_guest(server: Running, days: int) -> int:
    with server.state.db.writing() as db:
        guest = add_guest(db)
        guest.created_at = now() - timedelta(days=days)
        return guest.id


def is_there(server: Running, user_id: int) -> bool:
    with server.state.db.reading() as db:
        return db.get(User, user_id) is not None


def test_sittings_are_closed_round_after_round(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "SWEEP_SECONDS", 0.01)
    with server.guest() as client, sweeping(server):
        closed = [close_one(server, client) for _ in range(3)]
    assert [one["number"] for one in closed] == [1, 2, 3]
    assert all(row(server, one).submitted_at == row(server, one).deadline_at for one in closed)


def test_guests_are_looked_at_as_it_starts_and_not_in_each_round(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "SWEEP_SECONDS", 0.01)
    monkeypatch.setattr(sweep, "RETENTION_SECONDS", 0.0)
    idle, young = add_idle_guest(server, 31), add_idle_guest(server, 29)
    rounds: list[datetime] = []

    def delete(database: Database, before: datetime, should_stop: Callable[[], bool]) -> int:
        rounds.append(before)
        return 0

    with sweeping(server, guest_days=30, retention=(Rule("rounds", "nothing", None, delete),)):
        until(lambda: len(rounds) > 0, "no round")  # so the first look at guests is over, and `later` is not met by it
        assert not is_there(server, idle)
        later = add_idle_guest(server, 31)
        begun = len(rounds)
        until(lambda: len(rounds) > begun + 1, "no further round")  # so at least one whole round is over
        assert is_there(server, later), "until the next hour"
    assert is_there(server, young)


def test_what_fails_in_a_round_ends_neither_that_round_nor_the_next(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "SWEEP_SECONDS", 0.01)
    monkeypatch.setattr(sweep, "GUESTS_SECONDS", 0.01)
    with server.guest() as client:
        lost = begin(client)
        put_off(server, lost, minutes=-1)
        with server.state.db.writing() as db:
            db.get_one(Sitting, lost["id"]).lesson = "which-no-release-reads"
        with sweeping(server, guest_days=30):
            for _ in range(2):
                idle = add_idle_guest(server, 31)
                until(lambda idle=idle: not is_there(server, idle), "they are not let go")  # type: ignore[misc]
            close_one(server, client)
        assert row(server, lost).is_open


def test_sittings_are_closed_while_retention_takes_its_time(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "SWEEP_SECONDS", 0.01)
    lessons = (write_course(tmp_path / "lessons"),)
    settings = Settings(workers=0, data=tmp_path / "var", database_url=database_url, lessons=lessons)
    with running(settings) as server, server.guest() as client:
        sitting = begin(client)  # and here the server's own sweep ends, which would close it
    has_begun, has_ended = Event(), Event()

    def delete(database: Database, before: datetime, should_stop: Callable[[], bool]) -> int:
        has_begun.set()
        until(should_stop, "nobody stops it")
        has_ended.set()
        return 0

    with sweeping(server, retention=(Rule("slow", "a million", None, delete),)):
        assert has_begun.wait(LIMIT_SECONDS)
        put_off(server, sitting, minutes=-1)
        until(lambda: not row(server, sitting).is_open, "the sweep has not closed it")
        assert not has_ended.is_set()
    assert has_ended.is_set(), "it stops with the server"
    server.state.db.close()
