"""All that is someone's: exported whole, without what is not theirs to see, and deleted whole."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import Table, func, insert, select
from sqlalchemy.orm import Session

from app.classes.assignments import Assignment, Extension
from app.classes.calendars import CalendarFeed
from app.classes.classes import Class, Enrolment, new_code
from app.classes.comments import LineComment
from app.classes.frozen import FrozenGradebook, FrozenRow
from app.classes.gradebook import GradebookCell, ScoreOverride
from app.classes.lti.accounts import LtiAccount
from app.classes.lti.contexts import Context
from app.classes.lti.platforms import Platform
from app.classes.lti.scores import LineItem, SentScore
from app.classes.regradings import Regrading, RegradingItem
from app.classes.rubrics import HandGrade
from app.classes.variant_reports import VariantReport, VariantReportItem
from app.db import Base, now
from app.people import accounts
from app.people.belongings import belongings
from app.people.export import AT_A_TIME
from app.people.oidc import OidcIdentity
from app.people.outbox import LetterChoice, post
from app.people.resets import open_reset
from app.people.users import User, user_by_token
from app.people.verifications import Verification
from app.practice.gradings import Grading
from app.queue.turns import Waiting
from app.quizzes.answers import Answer
from app.teaching.authors import ContentAuthor
from app.teaching.unsaved import UnsavedText
from graders.grade import Began, CaseFinished, CaseName, Finished, Usage
from tests.app.student import ACCEPTED, GATHER, HIDDEN, LESSON, SECRET, miss, right_answer, send, send_accepted, single
from tests.conftest import Running

PASSWORD = "a wide enough password"
BROWSER = {"Sec-Fetch-Site": "same-origin"}


def of_a_person() -> Iterator[Table]:
    """Every table with a `user_id`, and every table whose rows hang on such a table's."""
    known: set[str] = set()
    tables = Base.metadata.sorted_tables  # whatever is named comes first
    for table in tables:
        named = {key.column.table.name for column in table.columns for key in column.foreign_keys}
        if "user_id" in table.columns or named & known:
            known.add(table.name)
            yield table


def rows(server: Running, user_id: int) -> dict[str, int]:
    with server.state.db.reading() as db:
        return {
            table.name: db.scalar(select(func.count()).select_from(table).where(table.c.user_id == user_id)) or 0
            for table in of_a_person()
            if "user_id" in table.columns
        }


def work(server: Running, client: httpx.Client) -> int:
    """A person who did everything there is to do. Returns the submission's id."""
    client.post("/courses/positions/why-order-matters/reads", headers=BROWSER)
    note = {"section": "", "text": "mine alone"}
    client.post("/courses/positions/why-order-matters/notes", data=note, headers=BROWSER)
    miss(server, client, 1)
    answered = single(client.get(LESSON).json())[1]
    send(client, answered, right_answer(server, answered))
    client.put(
        f"/api/v1/exercises/{GATHER}/drafts/numpy", json={"source": "draft 日本", "revision": 0}
    ).raise_for_status()
    client.post(f"/api/v1/exercises/{GATHER}/hints", json={}).raise_for_status()
    assert client.post("/exercises/softmax-rows/give-ups", headers=BROWSER).status_code == 303
    client.post("/api/v1/quizzes/positions/test-your-understanding/sittings").raise_for_status()
    with server.state.db.writing() as db:
        person = user_by_token(db, client.headers["Authorization"].removeprefix("Bearer "))
        assert person is not None
        open_reset(db, person)
    with server.state.db.writing() as db:
        db.add(ContentAuthor(kind="exercise", slug=GATHER, user_id=person.id))
        text = {"kind": "exercise", "slug": GATHER, "path": "hints.md", "base": "", "text": "1. Look."}
        db.add(UnsavedText(user_id=person.id, **text))
    attend(server, person.id)
    discuss(server, client)
    id = send_accepted(server, client)
    assert client.post(f"/submissions/{id}/shares", headers=BROWSER).status_code in (200, 303)
    have_graded(server, person.id, id)
    return id


def attend(server: Running, user_id: int) -> None:
    """They are in a class, which has given them more time, and a score."""
    with server.state.db.writing() as db:
        class_ = Class(course="positions", title="Spring", timezone="UTC", join_code=new_code())
        db.add(class_)
        db.flush()
        its = {"class_id": class_.id, "user_id": user_id}
        db.add(Enrolment(**its, role="student"))
        db.add(Assignment(class_id=class_.id, kind="exercise", slug=GATHER))
        db.add(Extension(**its, kind="exercise", slug=GATHER, attempts=2))
        db.add(ScoreOverride(**its, kind="exercise", slug=GATHER, score=0.5, reason="Why not"))
        db.add(GradebookCell(**its, slug=GATHER, changes=1, terms="t"))
        regrading = Regrading(class_id=class_.id, kind="exercise", slug=GATHER)
        db.add(regrading)
        db.flush()
        db.add(RegradingItem(regrading_id=regrading.id, id=1, user_id=user_id, before_score=0.0))
        frozen = FrozenGradebook(class_id=class_.id, why="Why not", columns=[])
        db.add(frozen)
        db.flush()
        db.add(FrozenRow(frozen_id=frozen.id, user_id=user_id, name="", section="", cells=[]))
        come_from_a_campus(db, class_.id, user_id)
        db.add(CalendarFeed(user_id=user_id, token_hash=uuid4().bytes))
        db.add(OidcIdentity(issuer="https://login.example.org", subject=uuid4().hex, user_id=user_id))
        db.add(LetterChoice(user_id=user_id, kind="due"))
        db.add(Verification(token_hash=uuid4().bytes, user_id=user_id, expires_at=now()))
        post(db, "due", "ada@example.org", "Due", "Text", dedupe=uuid4().hex, user_id=user_id)


def have_graded(server: Running, user_id: int, submission_id: int) -> None:
    """By hand, with a comment on a line, in a class of theirs; and compared with others' variants."""
    snapshot_id = server.state.catalog.snapshot_ids[GATHER]
    with server.state.db.writing() as db:
        its = {"class_id": db.scalars(select(Enrolment.class_id).where(Enrolment.user_id == user_id)).first()}
        its |= {"user_id": user_id, "submission_id": submission_id}
        db.add(LineComment(**its, line=1, text="Why?"))
        db.add(HandGrade(**its, slug=GATHER, points={"k": 1.0}))
        compared = VariantReport(class_id=its.pop("class_id"), slug=GATHER, snapshot_id=snapshot_id, left_out=0)
        db.add(compared)
        db.flush()
        db.add(VariantReportItem(**its, report_id=compared.id, is_accepted=False, judged_in="a = 1", own="a = 2"))


def come_from_a_campus(db: Session, class_id: int, user_id: int) -> None:
    """They come in from a learning management system, to which a score of theirs goes back."""
    url = f"https://{uuid4().hex}.example.org/"
    campus = Platform(name="Campus", issuer=url, client_id="1", auth_url=url, token_url=url, jwks_url=url)
    db.add(campus)
    db.flush()
    db.add(LtiAccount(platform_id=campus.id, subject="s", user_id=user_id))
    course = Context(platform_id=campus.id, deployment="1", context="1", class_id=class_id)
    db.add(course)
    db.flush()
    column = LineItem(context_id=course.id, kind="exercise", slug=GATHER)
    db.add(column)
    db.flush()
    db.add(SentScore(line_item_id=column.id, user_id=user_id, score=0.5))


def discuss(server: Running, client: httpx.Client) -> None:
    """They ask, report what somebody else asks, and report a mistake."""
    page, asked = f"/discussions/exercise/{GATHER}", {"text": "Why?", "own_name": uuid4().hex}
    assert client.post(f"{page}/posts", data=asked, headers=BROWSER).status_code == 303
    number = uuid4().hex
    with account(server, f"{number}@example.org") as other:
        asked = {"text": "Buy this", "own_name": number}
        reply = other.post(f"{page}/posts", data=asked, headers=BROWSER).headers["location"].rpartition("-")[2]
    assert client.post(f"/posts/{reply}/reports", data={"reason": "Spam"}, headers=BROWSER).status_code == 303
    assert client.post(f"{page}/mistakes", data={"text": "Wrong"}, headers=BROWSER).status_code == 303


@pytest.fixture
def ada(server: Running) -> Iterator[httpx.Client]:
    with account(server, "ada@example.org") as client:
        yield client


def account(server: Running, email: str, role: str = "student", password: str | None = PASSWORD) -> httpx.Client:
    accounts.add_user(server.state.db, email, role, password)
    return server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, email)}")


def id_of(server: Running, email: str) -> int:
    with server.state.db.reading() as db:
        return db.scalars(select(User.id).where(User.email == email)).one()


def leave(client: httpx.Client, **body: Any) -> httpx.Response:
    return client.request("DELETE", "/api/v1/me", json=body)


def test_every_table_of_a_persons_is_in_the_export() -> None:
    of_others = {Grading.__tablename__, "sitting_response"}
    # an export with it would tell what hidden cases are like
    exported = {section.table.__tablename__ for section in belongings()} | of_others | {"wrong_outcome"}
    assert {table.name for table in of_a_person()} == exported
    assert len({section.key for section in belongings()}) == len(belongings())


def test_everything_of_theirs_is_exported_and_nothing_else(server: Running, ada: httpx.Client) -> None:
    id = work(server, ada)
    with server.guest() as other:
        send_accepted(server, other, "not hers")
    answer = ada.get("/me/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="lectern.json"'
    assert answer.headers["cache-control"] == "no-store"
    mine = answer.json()
    assert mine["account"]["email"] == "ada@example.org"
    counted = rows(server, id_of(server, "ada@example.org"))
    for section in belongings():
        assert len(mine[section.key]) == counted[section.table.__tablename__] > 0, section.key
        assert "user_id" not in mine[section.key][0]
    (sent,) = mine["submissions"]
    assert (sent["id"], sent["source"]) == (id, "def f(): pass")
    (grading,) = sent["gradings"]
    assert (grading["verdict"], grading["wall_ms"]) == ("accepted", 1.5)
    assert grading["cases"] == ada.get(f"/api/v1/submissions/{id}").json()["cases"]
    assert grading["cases"][0]["name"] == "hidden 1"
    assert mine["drafts"][0]["source"] == "draft 日本"
    assert mine["answers"][0]["given"]
    assert mine["sittings"][0]["responses"][0]["slug"] == "shape-of-the-table"
    for secret in (SECRET, "not hers", "argon2", "password_hash", "token_hash"):
        assert secret not in answer.text
    assert set(ada.get("/api/v1/me/export").json()) == set(mine)


def test_sources_that_are_no_text_and_answers_of_any_number_come_along(server: Running) -> None:
    with server.guest() as client:
        body = {"source": "\ud800 half a pair"}
        client.post(
            f"/api/v1/exercises/{GATHER}/submissions",
            content=json.dumps(body),
            headers={"Content-Type": "application/json"},
        ).raise_for_status()
        for number in range(30):
            client.post(f"/api/v1/exercises/{GATHER}/submissions", json={"source": str(number)}).raise_for_status()
        mine = client.get("/api/v1/me/export").json()
    assert [one["source"] for one in mine["submissions"][1:]] == [str(number) for number in range(30)]
    assert bytes.fromhex(mine["submissions"][0]["source"]["hex"]).endswith(b" half a pair")
    assert mine["submissions"][0]["gradings"][0]["state"] == "queued"


def test_ever_so_many_answers_come_along(server: Running) -> None:
    with server.guest() as client:
        client.post("/courses/positions/why-order-matters/reads", headers=BROWSER)
        count = 2 * AT_A_TIME + 1
        row = {"question": "a.b.c", "variant": 0, "attempt": 1, "occasion": "lesson", "given": "1", "correct": True}
        with server.state.db.writing(durable=False) as db:
            user_id = db.scalars(select(User.id)).one()
            db.execute(insert(Answer), [{**row, "user_id": user_id, "score": 1.0} for _ in range(count)])
        mine = client.get("/api/v1/me/export").json()
    assert len({one["id"] for one in mine["answers"]}) == count
    assert mine["lessons_read"][0]["lesson"] == "why-order-matters"


def test_nobody_has_nothing(server: Running) -> None:
    with server.client(**BROWSER) as client:
        assert client.get("/api/v1/me/export").status_code == 401
        assert client.get("/me/export").status_code == 401
        assert leave(client).status_code == 401
        assert "We haven’t stored anything about you yet" in client.get("/me").text
        assert "nothing to delete" in client.get("/me/deletion").text
        assert client.post("/me/deletion", data={"confirmation": "delete me"}).headers["location"] == "/"
    with server.state.db.reading() as db:
        assert db.scalar(select(User.id)) is None


def test_leaving_leaves_nothing_and_takes_nothing_of_others(server: Running, ada: httpx.Client) -> None:
    with account(server, "bob@example.org") as bob:
        for client in (ada, bob):
            work(server, client)
        ids = [id_of(server, email) for email in ("ada@example.org", "bob@example.org")]
        assert all(rows(server, ids[0]).values()), rows(server, ids[0])  # a new table belongs in `work`
        before = rows(server, ids[1])
        assert leave(ada, password=PASSWORD).status_code == 204
        assert set(rows(server, ids[0]).values()) == {0}
        assert rows(server, ids[1]) == before
        assert bob.get("/api/v1/me/progress").status_code == 200
    assert ada.get("/api/v1/me/progress").status_code == 401
    with server.state.db.reading() as db:
        kept = db.scalars(select(Grading.submission_id)).all()
        assert len(kept) == 1  # bob's
        assert db.get(User, ids[0]) is None


def test_an_account_gives_its_password_and_has_ten_tries(server: Running, ada: httpx.Client) -> None:
    for body in ({}, {"password": "another wide password"}):
        assert leave(ada, **body).status_code == 403
    for _ in range(8):
        leave(ada, password="guess upon guess")
    answer = leave(ada, password=PASSWORD)
    assert answer.status_code == 429
    assert "Retry-After" in answer.headers
    with server.client() as client:  # the same allowance as signing in
        body = {"email": "ada@example.org", "password": PASSWORD}
        assert client.post("/api/v1/sessions", json=body).status_code == 429
    assert ada.get("/api/v1/me/progress").status_code == 200


def test_without_a_script_the_page_says_goodbye_and_the_cookie_goes(server: Running) -> None:
    with server.client(**BROWSER) as client:
        client.post("/users", data={"email": "eve@example.org", "password": PASSWORD})
        page = client.get("/me/deletion").text
        assert "your account eve@example.org" in page
        wrong = client.post("/me/deletion", data={"password": "not the password"})
        assert wrong.status_code == 403
        assert "not your password" in wrong.text
        answer = client.post("/me/deletion", data={"password": PASSWORD})
        assert answer.status_code == 200
        assert "Goodbye." in answer.text
        assert "eve@example.org" not in answer.text
        assert "Max-Age=0" in answer.headers["set-cookie"]
        assert "We haven’t stored anything about you yet" in client.get("/me").text
    with server.state.db.reading() as db:
        assert db.scalar(select(User.id)) is None


def test_a_guest_types_that_they_mean_it(server: Running) -> None:
    with server.client(**BROWSER) as client:
        client.post("/courses/positions/why-order-matters/reads")
        assert client.post("/me/deletion", data={"confirmation": "yes"}).status_code == 422
        assert "You are a guest" in client.get("/me").text
        assert "Goodbye." in client.post("/me/deletion", data={"confirmation": " Delete me"}).text
    with server.guest() as client:
        assert leave(client).status_code == 204
    with server.state.db.reading() as db:
        assert db.scalar(select(User.id)) is None


def test_who_was_added_without_a_password_types_it_too(server: Running) -> None:
    with account(server, "tim@example.org", password=None) as tim:
        assert tim.post("/me/deletion", headers=BROWSER, data={}).status_code == 422
        assert leave(tim).status_code == 204


def test_another_site_deletes_nobody(server: Running) -> None:
    with server.client(**BROWSER) as client:
        client.post("/courses/positions/why-order-matters/reads")
        answer = client.post(
            "/me/deletion", data={"confirmation": "delete me"}, headers={"Sec-Fetch-Site": "cross-site"}
        )
        assert answer.status_code == 403
        assert "You are a guest" in client.get("/me").text


def test_the_last_one_on_the_staff_stays(server: Running) -> None:
    with account(server, "one@example.org", "instructor") as one, account(server, "two@example.org", "admin") as two:
        assert leave(one, password=PASSWORD).status_code == 204
        answer = leave(two, password=PASSWORD)
        assert answer.status_code == 409
        assert "users add" in answer.json()["error"]["hint"]
        assert two.get("/api/v1/me/progress").status_code == 200


def test_what_is_being_judged_is_let_go(server: Running) -> None:
    """One grading runs, two wait; their author leaves. The worker goes on, and everybody else has their turn."""
    queue = server.state.jobs
    running = server.state.queue.counts()["running"]  # of tests before, that claimed and let lie
    with server.guest() as client, server.guest() as other:
        for number in range(3):
            client.post(f"/api/v1/exercises/{GATHER}/submissions", json={"source": str(number)}).raise_for_status()
        theirs = other.post(f"/api/v1/exercises/{GATHER}/submissions", json={"source": "x"}).json()["id"]
        job = queue.claim(1)
        assert job is not None
        queue.record(job, Began((CaseName("hidden 1", False),)))
        assert leave(client).status_code == 204
        queue.record(job, CaseFinished(0, HIDDEN))
        assert not queue.record(job, Finished(ACCEPTED, usage=Usage(1.0, 1.0)))
        queue.give_back(job, "its box was lost")  # whichever of the two comes
        following = queue.claim(1)
        assert following is not None
        assert queue.record(following, Finished(ACCEPTED, usage=Usage(1.0, 1.0)))
        assert other.get(f"/api/v1/submissions/{theirs}").json()["state"] == "finished"
        assert queue.claim(0.05) is None
        assert server.state.queue.counts()["running"] == running


def test_what_waited_since_before_a_restart_is_let_go_too(server: Running) -> None:
    """After a restart a line holds ids alone."""
    with server.guest() as client:
        id = int(client.post(f"/api/v1/exercises/{GATHER}/submissions", json={"source": "x"}).json()["id"])
        with server.state.db.reading() as db:
            grading = db.scalars(select(Grading.id).where(Grading.submission_id == id)).one()
        assert leave(client).status_code == 204
    server.state.queue.put(Waiting(grading, id, 0))
    assert server.state.jobs.claim(0.05) is None
