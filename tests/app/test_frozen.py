"""Frozen copies of the gradebook: by hand, by itself at a deadline, once, and never changed."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update

from app.classes.assignments import Assignment
from app.classes.frozen import FrozenGradebook, FrozenRow, freeze_due
from app.sweep import Sweep
from tests.app.classes import GATHER, QUIZ, SOFTMAX, ClassAtHand, account, close_clients, id_of, judged, make_class
from tests.conftest import Running
from tests.waiting import until


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_clients()


def ahead(**delta: float) -> str:
    return (datetime.now(UTC) + timedelta(**delta)).isoformat()


def copies(server: Running, class_: ClassAtHand) -> list[FrozenGradebook]:
    with server.state.db.reading() as db:
        return list(db.scalars(select(FrozenGradebook).where(FrozenGradebook.class_id == class_.id)))


def let_close(server: Running, class_: ClassAtHand, slug: str = GATHER, **ago: float) -> None:
    with server.state.db.writing() as db:
        mine = Assignment.class_id == class_.id, Assignment.slug == slug
        db.execute(update(Assignment).where(*mine).values(closes_at=datetime.now(UTC) - timedelta(**ago)))


def test_a_copy_by_hand_stays_as_it_was_and_is_compared_with_today(server: Running) -> None:
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, "eve@example.org")
    class_ = make_class(server, ada)
    class_.join(eve)
    class_.assign()
    class_.assign(SOFTMAX)
    judged(server, eve, 0.5)
    page = f"/classes/{class_.id}/frozen"
    assert ada.post(page, data={"what": "", "why": " "}).status_code == 422
    assert ada.post(page, data={"what": "exercise/nothing", "why": "x"}).status_code == 404
    made = ada.post(page, data={"what": "", "why": "Before the appeals"})
    assert made.status_code == 303
    copy = made.headers["location"]
    assert "Every score is today what it was then." in ada.get(copy).text
    judged(server, eve, 1.0)
    changed = ada.get(copy).text
    assert "1 of 2 scores has changed since." in changed
    assert "50%" in changed
    assert "100%" in changed
    lines = list(csv.reader(io.StringIO(ada.get(f"{copy}/gradebook.csv").content.decode("utf-8-sig"))))
    assert lines[0][:3] == ["email", "name", "section"]
    assert lines[0][-1] == "total"
    assert (lines[1][0], "50.0" in lines[1]) == ("eve@example.org", True)
    assert "Before the appeals" in ada.get(page).text
    one = ada.post(page, data={"what": f"exercise/{GATHER}", "why": "This one"}).headers["location"]
    assert len(next(csv.reader(io.StringIO(ada.get(f"{one}/gradebook.csv").text)))) == 4
    exported = eve.get("/api/v1/me/export").json()["frozen_scores"]
    assert [line["why"] for line in exported] == ["Before the appeals", "This one"]
    assert not [route for route in server.app.openapi()["paths"] if "frozen" in route and "put" in route]


def test_who_may_see_and_make_copies(server: Running) -> None:
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, "eve@example.org")
    bob, other = account(server, "bob@example.org"), account(server, "other@example.org", "instructor")
    class_, another = make_class(server, ada), make_class(server, other)
    for client in (eve, bob):
        class_.join(client)
    ada.patch(f"{class_.url}/roster/{id_of(server, 'bob@example.org')}", json={"role": "assistant"}).raise_for_status()
    page = f"/classes/{class_.id}/frozen"
    copy = ada.post(page, data={"why": "x"}).headers["location"]
    assert [client.get(page).status_code for client in (ada, bob, eve, other)] == [200, 200, 403, 404]
    assert [client.get(copy).status_code for client in (ada, bob, eve, other)] == [200, 200, 403, 404]
    assert [client.post(page, data={"why": "y"}).status_code for client in (bob, eve, other)] == [403, 403, 404]
    number = copy.rpartition("/")[2]
    assert other.get(f"/classes/{another.id}/frozen/{number}").status_code == 404
    assert other.get(f"/classes/{another.id}/frozen/{number}/gradebook.csv").status_code == 404


def test_a_deadline_makes_one_copy_and_another_date_another(server: Running) -> None:
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, "eve@example.org")
    class_ = make_class(server, ada)
    class_.join(eve)
    class_.assign(closes_at=ahead(hours=1))
    class_.assign(SOFTMAX, due_at=ahead(hours=1))
    judged(server, eve, 0.5)
    database, catalog = server.state.db, server.state.catalog
    assert freeze_due(database, catalog) == 0
    let_close(server, class_, seconds=10)
    assert freeze_due(database, catalog) == 0, "a minute passes first"
    let_close(server, class_, minutes=2)
    with database.writing() as db:
        db.execute(update(Assignment).values(opens_at=None))
    assert freeze_due(database, catalog) == 1
    assert freeze_due(database, catalog) == 0
    let_close(server, class_, minutes=90)
    assert freeze_due(database, catalog) == 1
    assert freeze_due(database, catalog, datetime.now(UTC) + timedelta(hours=2)) == 1, "due, and it never closes"
    found = copies(server, class_)
    assert [(one.slug, one.why.split()[0], one.by_id) for one in found] == [
        (GATHER, "Closed", None), (GATHER, "Closed", None), (SOFTMAX, "Due", None),
    ]  # fmt: skip
    let_close(server, class_, days=40)
    assert freeze_due(database, catalog) == 0, "what was over long before is not copied"
    assert "made by itself" in ada.get(f"/classes/{class_.id}/frozen").text


def test_what_waits_for_the_judge_is_waited_for_but_not_for_ever(server: Running) -> None:
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, "eve@example.org")
    class_ = make_class(server, ada)
    class_.join(eve)
    class_.assign(closes_at=ahead(hours=1))
    body = {"source": "def f(): pass", "framework": "numpy"}
    eve.post(f"/api/v1/exercises/{GATHER}/submissions", json=body).raise_for_status()
    database, catalog, later = server.state.db, server.state.catalog, datetime.now(UTC) + timedelta(hours=1, minutes=2)
    assert freeze_due(database, catalog, later) == 0
    assert freeze_due(database, catalog, later + timedelta(hours=1)) == 1
    assert copies(server, class_)[0].slug == GATHER


def test_the_sweep_makes_it_and_archived_classes_are_left_alone(server: Running) -> None:
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, "eve@example.org")
    class_, archived = make_class(server, ada), make_class(server, ada)
    class_.join(eve)
    for one in (class_, archived):
        one.assign(QUIZ, "quiz", closes_at=ahead(hours=1))
        let_close(server, one, QUIZ, minutes=5)
    ada.patch(archived.url, json={"archived": True}).raise_for_status()
    sweep = Sweep(server.state.db, server.state.catalog)
    sweep.start()
    until(lambda: copies(server, class_), "the sweep makes none")
    sweep.close()
    assert copies(server, archived) == []
    with server.state.db.reading() as db:
        (row,) = db.scalars(select(FrozenRow)).all()
    assert (row.email, row.cells) == ("eve@example.org", [None])
