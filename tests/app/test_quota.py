"""What is kept of a person has an end: inputs, runs, bytes, and guests who have left."""

import itertools
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select, text, update
from sqlalchemy.orm import Session

from app.db import Base, Database, now
from app.people.guests import let_go_of_guests
from app.people.quota import stored_bytes
from app.people.users import Role, User, add_guest, add_user
from app.practice.drafts import Draft
from app.practice.gradings import Grading
from app.practice.submissions import KEPT_RUNS, Submission, let_go_of_runs
from app.quizzes.answers import Answer
from app.quizzes.sittings import Sitting
from app.sweep import Sweep
from app.web.errors import RateLimited
from app.web.limits import RateLimits
from graders.grade import Finished
from graders.verdict import CaseResult, SubmissionResult, Verdict
from tests.conftest import Running, Serve
from tests.waiting import until, until_ended

GATHER = "learned-absolute-position-embedding"
SOFTMAX = "/api/v1/exercises/softmax-rows/submissions"
DRAFT = "/api/v1/exercises/softmax-rows/drafts/numpy"
CASES = (CaseResult("one", True, Verdict.accepted, stdout="é" * 5000),)
ACCEPTED = SubmissionResult(Verdict.accepted, 1.0, "All cases accepted.", None, None, CASES)


def judge_all(server: Running) -> None:
    while (job := server.state.jobs.claim(0)) is not None:
        assert server.state.jobs.record(job, Finished(ACCEPTED))


def person(server: Running) -> User:
    with server.state.db.reading() as db:
        return db.scalars(select(User).order_by(User.id)).first() or pytest.fail("nobody")


def sizes(db: Session, user_id: int) -> int:
    """What there really is, counted from the rows."""
    of = select(Submission).where(Submission.user_id == user_id)
    sent = sum(len(one.source) + stored_bytes(one.inputs) for one in db.scalars(of))
    judged = select(Grading).join(Submission, Submission.id == Grading.submission_id)
    judged = judged.where(Submission.user_id == user_id, Grading.state == "finished")
    told = sum(stored_bytes(one.cases) + stored_bytes(one.trace) for one in db.scalars(judged))
    return sent + told + sum(stored_bytes(one.given) for one in db.scalars(select(Answer)) if one.user_id == user_id)


@pytest.mark.parametrize("kind", ["run", "trace"])
@pytest.mark.parametrize("value", ["literal", "json"])
def test_inputs_of_ones_own_are_capped_as_sources_are(server: Running, kind: str, value: str) -> None:
    rows = [[1.0] * 100] * 200
    given: Any = json.dumps(rows) if value == "literal" else rows
    with server.guest() as client:
        answer = client.post(SOFTMAX, json={"source": "x", "kind": kind, "input": {"x": given}})
        assert answer.status_code == 413
        assert answer.json()["error"]["code"] == "too_large"
        assert "64 KiB" in answer.json()["error"]["message"]
        small: Any = json.dumps(rows[:2]) if value == "literal" else rows[:2]
        assert client.post(SOFTMAX, json={"source": "x", "kind": kind, "input": {"x": small}}).status_code == 202
    with server.state.db.reading() as db:
        assert db.scalar(select(func.count()).select_from(Submission)) == 1, "nothing is stored of what is refused"


def test_a_guest_who_stores_runs_with_inputs_is_bounded(server: Running) -> None:
    """The attack: as many runs as the rate allows, each with as much input as is read."""
    row = "[" + ", ".join(["1.0"] * 4000) + "]"
    with server.guest() as client:
        for number in range(KEPT_RUNS + 30):
            body = {"source": f"x = {number}", "kind": "run", "input": {"x": f"[{row}]"}}
            assert client.post(SOFTMAX, json=body).status_code in (202, 200)
            judge_all(server)
    with server.state.db.reading() as db:
        kept = list(db.scalars(select(Submission.source).order_by(Submission.id)))
        assert len(kept) == KEPT_RUNS, "the newest"
        assert kept[-1] == f"x = {KEPT_RUNS + 29}".encode()
        assert person(server).stored_bytes == sizes(db, person(server).id)


def test_what_is_handed_in_is_never_let_go_nor_what_is_still_to_be_judged(server: Running) -> None:
    with server.guest() as client:
        for number in range(3):
            client.post(SOFTMAX, json={"source": f"submit {number}"}).raise_for_status()
        judge_all(server)
        for number in range(KEPT_RUNS + 5):
            client.post(SOFTMAX, json={"source": f"run {number}", "kind": "run"}).raise_for_status()
        other = f"/api/v1/exercises/{GATHER}/submissions"
        client.post(other, json={"source": "elsewhere", "kind": "run"}).raise_for_status()
        with server.state.db.reading() as db:
            assert db.scalar(select(func.count()).select_from(Submission)) == 3 + KEPT_RUNS + 5 + 1
        judge_all(server)
        client.post(SOFTMAX, json={"source": "last", "kind": "trace"}).raise_for_status()
    with server.state.db.reading() as db:
        kinds = dict(db.execute(select(Submission.kind, func.count()).group_by(Submission.kind)).all())
        assert kinds == {"submit": 3, "run": KEPT_RUNS - 1 + 1, "trace": 1}


def test_the_count_is_what_there_is_whatever_happens(server: Running) -> None:
    """Verdicts, a source too large to judge, a deleted run, a guest who turns out to have an account."""
    with server.guest() as client, server.client() as account:
        email = {"email": "ada@example.org", "password": "correct horse battery"}
        account.post("/api/v1/users", json=email).raise_for_status()
        client.post(SOFTMAX, json={"source": "é = 1"}).raise_for_status()
        client.post(SOFTMAX, json={"source": "#" * 70_000}).raise_for_status()
        client.post(SOFTMAX, json={"source": "r", "kind": "run", "input": {"x": "[[1.0, 2.0]]"}}).raise_for_status()
        judge_all(server)
        question = "positions.test-your-understanding.none"
        client.post(f"/api/v1/questions/{question}/answers", json={"answer": "1"})
        with server.state.db.reading() as db:
            guest = db.scalars(select(User).where(User.role == Role.guest)).one()
            assert guest.stored_bytes == sizes(db, guest.id) > 75_000
        client.post("/api/v1/sessions", json=email).raise_for_status()
    with server.state.db.reading() as db:
        known = db.scalars(select(User)).one()
        assert known.stored_bytes == sizes(db, known.id) > 75_000


def test_who_has_filled_their_quota_is_told_the_remedy_before_anything_is_stored(serve: Serve) -> None:
    server = serve(guest_quota_mb=1, quota_mb=2)
    with server.guest() as client:
        codes = []
        for number in range(40):
            answer = client.post(SOFTMAX, json={"source": f"{number}" + "#" * 60_000})
            codes.append(answer.status_code)
            judge_all(server)
        assert codes.count(202) == 11
        assert answer.status_code == 413
        error = answer.json()["error"]
        assert "1 MB" in error["message"]
        assert "Create an account" in error["hint"]
        assert client.put(DRAFT, json={"source": "x", "revision": 0}).is_success
        with server.state.db.reading() as db:
            assert db.scalar(select(func.count()).select_from(Submission)) == 11
        account = {"email": "ada@example.org", "password": "correct horse battery"}
        client.post("/api/v1/users", json=account).raise_for_status()
        assert client.post(SOFTMAX, json={"source": "#" * 60_000}).status_code == 202, "an account has room for more"
    with server.guest() as neighbour:
        assert neighbour.post(SOFTMAX, json={"source": "x"}).status_code == 202


def test_verdicts_to_come_have_room_kept_for_them(serve: Serve) -> None:
    server = serve(guest_quota_mb=1)
    with server.guest() as client:
        codes = [client.post(SOFTMAX, json={"source": "#" * 1000}).status_code for _ in range(20)]
        assert codes == [202] * 16 + [429] * 4
        judge_all(server)
        assert client.post(SOFTMAX, json={"source": "x"}).status_code == 202


def test_an_address_has_a_quota_too_which_opens_again() -> None:
    clock = [100.0]
    limits = RateLimits(address_bytes=1 << 20, clock=lambda: clock[0])
    for _ in range(16):
        limits.spend_bytes("203.0.113.7", 60_000)
    limits.charge("stored_bytes", "203.0.113.7", 60_000)  # what came of them
    with pytest.raises(RateLimited) as refused:
        limits.spend_bytes("203.0.113.7", 60_000)
    assert "1 MB" in refused.value.message
    limits.spend_bytes("198.51.100.4", 60_000)
    clock[0] += float(refused.value.headers["Retry-After"])
    limits.spend_bytes("203.0.113.7", 60_000)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = Database(database_url)
    yield database
    database.close()


def test_guests_without_work_are_let_go_and_nobody_else(serve: Serve) -> None:
    server = serve()
    db_ = server.state.db
    long_ago, since = now() - timedelta(days=40), now() - timedelta(days=30)
    kept: set[int] = set()
    with db_.writing() as db:
        idle = [add_guest(db).id for _ in range(3)]
        account = add_user(db, "ada@example.org", Role.student, None).id
    with server.guest() as works, server.guest() as drafts, server.guest() as worked, server.guest() as sits:
        works.post(SOFTMAX, json={"source": "x"}).raise_for_status()
        drafts.put(
            "/api/v1/exercises/softmax-rows/drafts/numpy", json={"source": "x", "revision": 0}
        ).raise_for_status()
        worked.post(SOFTMAX, json={"source": "x"}).raise_for_status()
        sits.post("/api/v1/quizzes/positions/test-your-understanding/sittings").raise_for_status()
        with db_.writing() as db:
            db.execute(update(User).values(created_at=long_ago))
            last = max(db.scalars(select(Submission.user_id)))
            db.execute(update(Submission).where(Submission.user_id == last).values(created_at=long_ago))
            db.execute(text("UPDATE login SET created_at = :at").bindparams(at=long_ago.replace(tzinfo=None)))
            kept = {min(db.scalars(select(Submission.user_id))), account, *db.scalars(select(Draft.user_id))}
            kept |= set(db.scalars(select(Sitting.user_id)))
            young = add_guest(db).id
        assert let_go_of_guests(db_, since) == len(idle) + 1 + (len(kept) == 3)
        with db_.reading() as db:
            assert set(db.scalars(select(User.id))) == kept | {young}
            for table in Base.metadata.sorted_tables:
                if "user_id" in table.c:
                    assert set(db.scalars(select(table.c.user_id))) <= kept | {young}, table.name
        assert worked.get("/api/v1/me/export").status_code == 401
    assert let_go_of_guests(db_, since) == 0


def test_more_guests_than_one_lot_are_let_go(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.people.guests.LOT", 7)
    with database.writing() as db:
        for _ in range(40):
            add_guest(db)
        db.execute(update(User).where(User.id % 4 != 0).values(created_at=now() - timedelta(days=40)))
    lots = itertools.count()

    def should_stop() -> bool:
        return next(lots) < 0

    assert let_go_of_guests(database, now() - timedelta(days=30), should_stop) == 30
    assert next(lots) == 6, "each guest is looked at once"
    with database.reading() as db:
        assert db.scalar(select(func.count()).select_from(User)) == 10


def test_the_sweep_lets_guests_go_as_it_starts_unless_told_not_to(serve: Serve) -> None:
    server = serve()
    with server.state.db.writing() as db:
        add_guest(db)
        db.execute(update(User).values(created_at=now() - timedelta(days=40)))

    def count() -> int:
        with server.state.db.reading() as db:
            return db.scalar(select(func.count()).select_from(User)) or 0

    stays = Sweep(server.state.db, server.state.catalog, 0)
    stays._end.set()  # one round
    stays.start()
    until_ended(*stays._threads)
    assert count() == 1
    goes = Sweep(server.state.db, server.state.catalog, 30)
    goes.start()
    until(lambda: count() == 0, "it lets nobody go")
    goes.close()


def test_letting_runs_go_charges_back_what_they_held(server: Running) -> None:
    with server.guest() as client:
        for number in range(KEPT_RUNS):
            client.post(SOFTMAX, json={"source": f"run {number}" * 50, "kind": "run"}).raise_for_status()
        judge_all(server)
    user = person(server)
    with server.state.db.writing() as db:
        let_go_of_runs(db, user, "softmax-rows")
    with server.state.db.reading() as db:
        assert db.scalar(select(func.count()).select_from(Submission)) == KEPT_RUNS - 1
        assert person(server).stored_bytes == sizes(db, user.id)
