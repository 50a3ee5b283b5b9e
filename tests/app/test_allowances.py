"""Allowances that several processes share: one limit for all, and what happens when the database is away."""

import threading
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from app.db import Database
from app.web import allowances
from app.web.allowances import SharedAllowances, Spent
from app.web.errors import RateLimited
from app.web.limits import ADDRESS, PERSON, RateLimits
from tests.waiting import LIMIT_SECONDS, until_ended

SLOW = 1e6  # seconds: nothing comes back while a test runs


def use(name: str = "who", burst: int = 3) -> Spent:
    return Spent(("what", "person", name), SLOW, burst * SLOW)


@pytest.fixture
def database(migrated_postgres_copy: str) -> Iterator[Database]:
    database = Database(migrated_postgres_copy)
    yield database
    database.close()


@pytest.fixture
def processes(database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[SharedAllowances]]:
    """As two processes have them; a database that stands still for a moment does not make each count by itself."""
    monkeypatch.setattr(allowances, "ANSWER_SECONDS", LIMIT_SECONDS)
    shared = [SharedAllowances(database) for _ in range(2)]
    yield shared
    for each in shared:
        each.close()


def test_both_count_together_and_what_is_refused_counts_nothing(processes: list[SharedAllowances]) -> None:
    first, second = processes
    assert [first.spend([use()]), second.spend([use()]), first.spend([use()])] == [0, 0, 0]
    for each in processes:
        assert SLOW * 0.9 < each.spend([use()]) <= SLOW
    assert second.spend([use("another"), use()]) > 0
    assert [first.spend([use("another")]) for _ in range(3)] == [0, 0, 0], "its refusal counted nothing of the other"


def test_many_at_once_get_as_many_as_there_are(processes: list[SharedAllowances]) -> None:
    processes[0].spend([use(burst=20)])
    got: list[float] = []

    def ask(shared: SharedAllowances) -> None:
        got.extend(shared.spend([use(burst=20), use("same", burst=1000)]) for _ in range(8))

    threads = [threading.Thread(target=ask, args=(processes[number % 2],)) for number in range(4)]
    for thread in threads:
        thread.start()
    until_ended(*threads)
    assert got.count(0) == 19


def test_what_has_been_brought_about_is_counted_and_the_next_refused(processes: list[SharedAllowances]) -> None:
    first, second = processes
    for _ in range(5):
        assert first.spend([use()], always=True) == 0
    assert second.spend([use()]) > 0


def test_a_clock_that_was_set_back_shuts_nobody_out(database: Database, processes: list[SharedAllowances]) -> None:
    processes[0].spend([use()])
    with database.writing() as db:
        db.execute(text("UPDATE allowance SET full_at = full_at + 1e9"))
    assert processes[1].spend([use()]) == 0


def test_what_is_full_again_is_forgotten(database: Database, processes: list[SharedAllowances]) -> None:
    processes[0].spend([use(), Spent(("what", "person", "quick"), 0.0, 1.0)])
    processes[0].prune()
    with database.reading() as db:
        assert db.scalar(text("SELECT count(*) FROM allowance")) == 1


def test_while_the_database_is_away_each_keeps_to_its_own_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure is not waited for each time."""
    moment, failures = 1.0, list[Exception]()
    note_away = SharedAllowances._note_away

    def noted(self: SharedAllowances, error: Exception) -> None:
        failures.append(error)
        note_away(self, error)

    monkeypatch.setattr(SharedAllowances, "_note_away", noted)
    broken = Database("postgresql+psycopg://nobody@127.0.0.1:1/none")
    shared = SharedAllowances(broken, clock=lambda: moment)
    limits = [RateLimits(shared=shared), RateLimits(shared=shared)]
    for each in limits:
        for _ in range(PERSON["reset"].burst):
            each.spend("reset", person="ada")
        with pytest.raises(RateLimited):
            each.spend("reset", person="ada")
    assert len(failures) == 1
    moment += allowances.RETRY_SECONDS
    limits[0].spend("reset", person="bob")
    assert len(failures) == 2
    shared.close()
    broken.close()


def test_bytes_and_both_of_person_and_address_are_shared(database: Database, processes: list[SharedAllowances]) -> None:
    first, second = (RateLimits(address_bytes=1000, shared=shared) for shared in processes)
    first.spend_bytes("192.0.2.1", 900)
    with pytest.raises(RateLimited, match="stored per day"):
        second.spend_bytes("192.0.2.1", 200)
    second.charge("stored_bytes", "192.0.2.1", 500)
    with pytest.raises(RateLimited):
        first.spend_bytes("192.0.2.1", 90)
    for number in range(ADDRESS["mistake"].burst):
        (first, second)[number % 2].spend("mistake", person=number, address="192.0.2.2")
    with pytest.raises(RateLimited):
        second.spend("mistake", person="new", address="192.0.2.2")
