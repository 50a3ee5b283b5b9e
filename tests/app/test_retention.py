"""Retention: what has a limit is deleted in time, in lots, and told; what somebody goes on with stays; and by default
nothing is deleted that was not before."""

from datetime import datetime, timedelta

import httpx
import pytest
from sqlalchemy import select, update

from app.db import now
from app.operating.retention import rules, run_retention
from app.people import accounts
from app.people.audit import AuditEntry, Wanted, search
from app.people.resets import PasswordReset, open_reset
from app.people.users import Login, User, add_guest
from app.practice import drafts, old_sources
from app.practice.drafts import Draft
from app.practice.gradings import Grading
from app.practice.submissions import Submission
from app.settings import Settings
from graders.grade import Finished
from graders.verdict import CaseResult, SubmissionResult, Verdict
from tests.conftest import Running

SOURCE = "def softmax(x):\n    return x  # mine\n"
PATH = "/api/v1/exercises/softmax-rows"


def retain(server: Running, at: datetime | None = None, **settings: int) -> dict[str, int]:
    wanted = Settings.model_validate({"guest_days": 0, **settings})
    return run_retention(server.state.db, rules(wanted), at or now())


def submit(server: Running, client: httpx.Client, source: str = SOURCE, framework: str = "numpy") -> int:
    """Judged, with something printed."""
    body = {"source": source, "framework": framework}
    id = int(client.post(f"{PATH}/submissions", json=body).raise_for_status().json()["id"])
    job = server.state.jobs.claim(5)
    assert job is not None
    case = CaseResult("one", True, Verdict.wrong_answer, stdout="printed " * 20)
    server.state.jobs.record(job, Finished(SubmissionResult(Verdict.wrong_answer, 0.0, "No.", None, None, (case,))))
    return id


def sources(server: Running) -> dict[int, tuple[bytes, bool]]:
    with server.state.db.reading() as db:
        rows = db.execute(select(Submission.id, Submission.source, Submission.erased_at))
        return {id: (source, erased_at is not None) for id, source, erased_at in rows}


def stored_bytes(server: Running, email: str) -> int:
    with server.state.db.reading() as db:
        return db.scalars(select(User.stored_bytes).where(User.email == email)).one()


def account(server: Running, email: str) -> httpx.Client:
    accounts.add_user(server.state.db, email, "student", None)
    return server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, email)}")


def test_by_default_only_what_is_over_goes(server: Running) -> None:
    with account(server, "eve@example.org") as eve:
        ids = [submit(server, eve) for _ in range(2)]
        eve.put(f"{PATH}/drafts/numpy", json={"source": "x", "revision": 0})
    with server.state.db.reading() as db:
        entries = len(db.scalars(select(AuditEntry.id)).all())
    run = retain(server, now() + timedelta(days=3000), guest_days=Settings().guest_days)
    assert run == {"guests": 0, "sessions": 1}, "a token of a year is over"
    assert sources(server) == {id: (SOURCE.encode(), False) for id in ids}
    with server.state.db.reading() as db:
        assert len(db.scalars(select(AuditEntry.id)).all()) == entries


def test_sessions_and_links_go_when_they_are_over(server: Running) -> None:
    with account(server, "eve@example.org"), server.state.db.writing() as db:
        open_reset(db, db.scalars(select(User)).one())
    assert retain(server)["sessions"] == 0
    assert retain(server, now() + timedelta(hours=2))["sessions"] == 1
    assert retain(server, now() + timedelta(days=366))["sessions"] == 1
    with server.state.db.reading() as db:
        assert not db.scalars(select(Login)).all()
        assert not db.scalars(select(PasswordReset)).all()


def test_an_old_source_is_erased_with_what_it_printed_and_the_verdict_stays(server: Running) -> None:
    with account(server, "eve@example.org") as eve:
        first, newest, other = submit(server, eve), submit(server, eve), submit(server, eve, framework="torch")
        assert retain(server, now() + timedelta(days=29), source_days=30)["sources"] == 0
        before = stored_bytes(server, "eve@example.org")
        assert retain(server, now() + timedelta(days=31), source_days=30)["sources"] == 1
        assert retain(server, now() + timedelta(days=31), source_days=30)["sources"] == 0
        assert sources(server) == {
            first: (b"", True),
            newest: (SOURCE.encode(), False),
            other: (SOURCE.encode(), False),
        }
        page = eve.get(f"/submissions/{first}").text
        shown = eve.get(f"/api/v1/submissions/{first}").json()
        assert eve.get("/me/export").status_code == 200
    assert "We deleted this code and its output" in page
    assert (shown["verdict"], shown["cases"]) == ("wrong_answer", [])
    with server.state.db.reading() as db:
        assert "printed" not in str(db.scalars(select(Grading.cases).where(Grading.submission_id == first)).one())
        told = search(db, Wanted(action="retention"))
    assert [one.entry.detail["erased"] for one in told] == [1]
    after = stored_bytes(server, "eve@example.org")
    assert before - after > len(SOURCE) + len("printed " * 20)
    assert after == 2 * (before - after), "of three alike one is gone"


def test_what_is_not_judged_yet_and_what_is_shared_stays(server: Running) -> None:
    with account(server, "eve@example.org") as eve:
        waiting = int(eve.post(f"{PATH}/submissions", json={"source": SOURCE}).json()["id"])
        eve.post(f"{PATH}/submissions", json={"source": SOURCE})
    assert retain(server, now() + timedelta(days=31), source_days=30)["sources"] == 0
    assert sources(server)[waiting] == (SOURCE.encode(), False)


def test_sources_of_many_people_go_in_lots(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(old_sources, "LOT", 2)
    with account(server, "eve@example.org") as eve, account(server, "sam@example.org") as sam:
        for _ in range(3):
            submit(server, eve)
            submit(server, sam)
    assert retain(server, now() + timedelta(days=31), source_days=30)["sources"] == 4
    assert stored_bytes(server, "eve@example.org") == stored_bytes(server, "sam@example.org") > 0


def test_drafts_go_that_nobody_changes(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "LOT", 1)
    for name in ("eve", "sam", "ann"):
        with account(server, f"{name}@example.org") as client:
            client.put(f"{PATH}/drafts/numpy", json={"source": name, "revision": 0}).raise_for_status()
    with server.state.db.writing() as db:
        db.execute(update(Draft).where(Draft.source != b"sam").values(saved_at=now() - timedelta(days=8)))
    assert retain(server, draft_days=9)["drafts"] == 0
    assert retain(server, draft_days=7)["drafts"] == 2
    with server.state.db.reading() as db:
        assert [draft.source for draft in db.scalars(select(Draft))] == [b"sam"]


def test_old_entries_of_the_audit_log_go_and_that_is_told(server: Running) -> None:
    for name in ("eve", "sam"):
        accounts.add_user(server.state.db, f"{name}@example.org", "student", None)
    assert retain(server, now() + timedelta(days=9), audit_days=10)["audit"] == 0
    assert retain(server, now() + timedelta(days=11), audit_days=10)["audit"] >= 2
    with server.state.db.reading() as db:
        (left,) = search(db, Wanted())
    assert (left.entry.action, left.entry.slug) == ("retention", "audit log")


def test_guests_go_as_before_and_that_is_told(server: Running) -> None:
    with server.state.db.writing() as db:
        add_guest(db)
    assert retain(server, now() + timedelta(days=29), guest_days=30)["guests"] == 0
    assert retain(server, now() + timedelta(days=31), guest_days=30)["guests"] == 1
    with server.state.db.reading() as db:
        assert [one.entry.slug for one in search(db, Wanted(action="retention"))] == ["guests"]


def test_a_rule_that_fails_stops_no_other(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    with server.state.db.changing() as db:
        db.exec_driver_sql("ALTER TABLE draft RENAME TO draft_away")
    try:
        assert retain(server, draft_days=1, audit_days=1).keys() == {"sessions", "audit"}
    finally:
        with server.state.db.changing() as db:
            db.exec_driver_sql("ALTER TABLE draft_away RENAME TO draft")
