"""What an accepted submission took, and where it stands: counted once a person, ties said, few not ranked."""

from collections.abc import Iterator

import httpx
import pytest
from sqlalchemy import select

from app.people import accounts
from app.practice.gradings import Grading
from app.practice.pages.standings import in_words, two_figures
from app.practice.standings import BestTime, Standing
from graders.grade import Finished, Usage
from graders.verdict import SubmissionResult, Verdict
from tests.conftest import Running

GATHER = "learned-absolute-position-embedding"
PATH = f"/api/v1/exercises/{GATHER}/submissions"
PART = {"Lectern-Partial": "1"}
CREDENTIALS = {"email": "ada@example.org", "password": "a wide enough password"}


def sent(
    server: Running,
    client: httpx.Client,
    wall_ms: float,
    *,
    verdict: Verdict = Verdict.accepted,
    peak_mb: float = 3.06,
    **more: str,
) -> int:
    """A submission that took so long, by the way of every submission but the judge; returns its id."""
    body = {"source": f"x = {wall_ms}", "framework": "numpy", **more}
    id = int(client.post(PATH, json=body).raise_for_status().json()["id"])
    job = server.state.jobs.claim(1)
    assert job is not None
    result = SubmissionResult(verdict, float(verdict == Verdict.accepted), "As it went.", None, None, ())
    assert server.state.jobs.record(job, Finished(result, usage=Usage(wall_ms, peak_mb)))
    return id


@pytest.fixture
def others(server: Running) -> Iterator[list[httpx.Client]]:
    """Five people, whose best are 1, 2, 3, 4 and 5 ms."""
    clients = [server.guest() for _ in range(5)]
    for number, client in enumerate(clients, 1):
        sent(server, client, float(number))
    yield clients
    for client in clients:
        client.close()


def standing(client: httpx.Client, id: int) -> str:
    answer = client.get(f"/submissions/{id}/standing", headers=PART)
    assert answer.status_code == 200
    return answer.text


def test_what_it_took_is_kept_with_the_grading(server: Running) -> None:
    with server.guest() as client:
        id = sent(server, client, 0.8234)
        body = client.get(f"/api/v1/submissions/{id}").json()
        assert not {"wall_ms", "peak_mb"} & set(body)  # the submission's shape is a contract
        assert "About 0.82 ms and 3.1 MB." in client.get(f"/submissions/{id}", headers=PART).text
    with server.state.db.reading() as db:
        assert db.execute(select(Grading.wall_ms, Grading.peak_mb)).all() == [(0.8234, 3.06)]


def test_it_stands_among_the_others_best(server: Running, others: list[httpx.Client]) -> None:
    sent(server, others[0], 9.0)  # slower than before: their best stays
    with server.guest() as client:
        id = sent(server, client, 2.5)
        assert "Faster than 3 of the 5 others accepted in NumPy." in standing(client, id)
        assert "Faster than 3 of the 5" in client.get(f"/submissions/{id}").text  # without a script, too
        assert "Faster than" not in client.get(f"/submissions/{id}", headers=PART).text  # no verdict waits for it
    with server.state.db.reading() as db:
        assert sorted(db.scalars(select(BestTime.wall_ms))) == [1.0, 2.0, 2.5, 3.0, 4.0, 5.0]


def test_ties_are_level_and_oneself_is_no_other(server: Running, others: list[httpx.Client]) -> None:
    with server.guest() as client:
        sent(server, client, 0.5)
        id = sent(server, client, 3.05)  # within the noise of the third
        assert "Faster than 2 of the 5 others accepted in NumPy, tied with 1." in standing(client, id)


def test_a_handful_is_not_ranked(server: Running, others: list[httpx.Client]) -> None:
    with server.guest() as client:
        id = sent(server, client, 2.5, framework="torch")
        assert "others accepted" not in standing(client, id)
    assert "others accepted" not in standing(others[0], sent(server, others[0], 0.9))  # four others are too few


def test_only_what_was_accepted_for_credit_counts(server: Running, others: list[httpx.Client]) -> None:
    with server.guest() as client:
        wrong = sent(server, client, 0.1, verdict=Verdict.wrong_answer)
        run = sent(server, client, 0.1, kind="run")
        for id in (wrong, run):
            assert "About" not in standing(client, id)
    with server.state.db.reading() as db:
        assert len(db.scalars(select(BestTime)).all()) == 5


def test_what_was_measured_on_other_cases_is_not_compared(server: Running, others: list[httpx.Client]) -> None:
    with server.state.db.writing() as db:
        for one in db.scalars(select(BestTime)):
            one.judging_hash = "of the cases before"
    with server.guest() as client:
        assert "others accepted" not in standing(client, sent(server, client, 2.5))
    sent(server, others[0], 9.0)
    with server.state.db.reading() as db:
        assert 9.0 in db.scalars(select(BestTime.wall_ms)).all()  # slower, and on the cases that count now


def test_it_is_ones_own_to_see(server: Running) -> None:
    with server.guest() as client, server.guest() as other:
        id = sent(server, client, 1.0)
        assert other.get(f"/submissions/{id}/standing", headers=PART).status_code == 404


def test_signing_in_keeps_the_better_of_two(server: Running) -> None:
    accounts.add_user(server.state.db, CREDENTIALS["email"], "student", CREDENTIALS["password"])
    token = accounts.make_token(server.state.db, CREDENTIALS["email"])
    with server.client(Authorization=f"Bearer {token}") as ada, server.guest() as guest:
        sent(server, ada, 2.0)
        sent(server, guest, 1.0)
        sent(server, guest, 7.0, framework="torch")
        guest.post("/api/v1/sessions", json=CREDENTIALS).raise_for_status()
    with server.state.db.reading() as db:
        found = db.execute(select(BestTime.framework, BestTime.wall_ms).order_by(BestTime.framework)).all()
    assert found == [("numpy", 1.0), ("torch", 7.0)]


@pytest.mark.parametrize(
    ("standing", "words"),
    [
        (Standing(41, 30, 0), "Faster than about 73% of the 41 others accepted in JAX."),
        (Standing(41, 41, 0), "Faster than all of the 41 others accepted in JAX."),
        (Standing(1000, 999, 0), "Faster than about 99% of the 1000 others accepted in JAX."),
        (Standing(41, 0, 41), "Tied with all of the 41 others accepted in JAX."),
        (Standing(41, 0, 2), "Tied with 2 of the 41 others accepted in JAX; the rest were faster."),
        (Standing(6, 0, 0), "All of the 6 others accepted in JAX were faster."),
        (Standing(6, 4, 2), "Faster than 4 of the 6 others accepted in JAX, tied with 2."),
    ],
)
def test_it_is_said_fairly(standing: Standing, words: str) -> None:
    assert in_words(standing, "JAX") == words


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0"), (0.8234, "0.82"), (0.996, "1.0"), (3.06, "3.1"), (9.96, "10"), (47.3, "47"), (123, "120")],
)
def test_two_figures_and_no_more(number: float, words: str) -> None:
    assert two_figures(number) == words
