"""Due dates in a person's calendar: theirs, at a secret address, and the same answer for as long as nothing changes."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import httpx
import icalendar
import pytest
from sqlalchemy import select, update

from app.classes.calendars import CalendarFeed
from app.db import now
from app.people.users import User
from tests.app.classes import BROWSER, GATHER, QUIZ, SOFTMAX, ClassAtHand, account, id_of, make_class
from tests.conftest import Running

DUE = datetime(2027, 3, 28, 22, 0, tzinfo=UTC)


@pytest.fixture
def made(server: Running) -> ClassAtHand:
    """A class, and Eve in it."""
    found = make_class(server, account(server, "ada@example.org", "instructor"), "Europe/Berlin", "Spring, early")
    found.assign(GATHER, due_at=DUE.isoformat())
    found.assign(QUIZ, "quiz", due_at=(DUE + timedelta(days=1)).isoformat())
    found.assign(SOFTMAX)
    return found


@pytest.fixture
def eve(server: Running, made: ClassAtHand) -> httpx.Client:
    client = account(server, "eve@example.org")
    made.join(client)
    return client


def link(client: httpx.Client) -> str:
    page = client.post("/me/calendar")
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-store")
    return page.text.partition('class="secret-link"><a href="')[2].partition('"')[0]


def events(server: Running, address: str) -> dict[str, datetime]:
    """As a calendar reads them: it brings no session."""
    with server.client() as calendar:
        answer = calendar.get(address)
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    found = icalendar.Calendar.from_ical(answer.content)
    assert not found.errors
    return {str(event["uid"]): event.decoded("dtstart") for event in found.walk("VEVENT")}


def test_a_calendar_shows_what_is_due_with_own_extensions(
    server: Running, made: ClassAtHand, eve: httpx.Client
) -> None:
    address = link(eve)
    uid, quiz = (f"class-{made.id}-{kind}@127.0.0.1" for kind in (f"exercise-{GATHER}", f"quiz-{QUIZ}"))
    assert events(server, address) == {uid: DUE, quiz: DUE + timedelta(days=1)}
    place = f"{made.url}/extensions/{id_of(server, 'eve@example.org')}"
    later = {"due_at": (DUE + timedelta(days=5)).isoformat()}
    made.instructor.put(f"{place}/exercise/{GATHER}", json=later).raise_for_status()
    made.instructor.put(f"{place}/quiz/{QUIZ}", json={"excused": True}).raise_for_status()
    assert events(server, address) == {uid: DUE + timedelta(days=5)}, "the same event at another time"
    assert set(events(server, link(made.instructor))) == {uid, quiz}
    made.instructor.patch(made.url, json={"archived": True}).raise_for_status()
    assert events(server, address) == {}


def test_what_is_hidden_yet_is_not_in_it(server: Running, made: ClassAtHand, eve: httpx.Client) -> None:
    made.assign(GATHER, due_at=DUE.isoformat(), hidden_until=(now() + timedelta(days=1)).isoformat())
    assert [uid for uid in events(server, link(eve)) if GATHER in uid] == []


def test_a_calendar_that_has_it_is_told_so(server: Running, made: ClassAtHand, eve: httpx.Client) -> None:
    address = link(eve)
    with server.client() as calendar:
        first = calendar.get(address)
        again = calendar.get(address)
        assert (again.content, again.headers["etag"]) == (first.content, first.headers["etag"])
        changed = parsedate_to_datetime(first.headers["last-modified"])
        assert abs(changed - now()) < timedelta(minutes=1)
        for headers in (
            {"If-None-Match": first.headers["etag"]},
            {"If-None-Match": f'"x", W/{first.headers["etag"]}'},
            {"If-Modified-Since": first.headers["last-modified"]},
        ):
            known = calendar.get(address, headers=headers)
            assert (known.status_code, known.content) == (304, b"")
        both = {"If-None-Match": '"x"', "If-Modified-Since": first.headers["last-modified"]}
        assert calendar.get(address, headers=both).status_code == 200
        assert calendar.get(address, headers={"If-Modified-Since": "tomorrow"}).status_code == 200
        made.assign(GATHER, due_at=(DUE + timedelta(hours=1)).isoformat())
        assert calendar.get(address, headers={"If-None-Match": first.headers["etag"]}).status_code == 200


def test_a_link_is_secret_and_ends(server: Running, eve: httpx.Client) -> None:
    old = link(eve)
    token = old.rpartition("/")[2].removesuffix(".ics")
    with server.state.db.reading() as db:
        row = db.scalars(select(CalendarFeed)).one()
        assert token.encode() != row.token_hash
    assert token not in eve.get("/me/calendar").text, "it is shown once"
    assert token not in eve.get("/me/export").text
    new = link(eve)
    with server.client(**BROWSER) as other:
        assert [other.get(address).status_code for address in (old, new, f"{new}x")] == [404, 200, 404]
        assert other.post("/me/calendar").status_code == 401
        with server.state.db.writing() as db:
            db.execute(update(User).where(User.email == "eve@example.org").values(disabled_at=now()))
        assert other.get(new).status_code == 404
        with server.state.db.writing() as db:
            db.execute(update(User).values(disabled_at=None))
        assert eve.post("/me/calendar/deletion").status_code == 303
        assert other.get(new).status_code == 404


def test_a_guests_link_goes_with_their_work(server: Running, made: ClassAtHand) -> None:
    with server.client(**BROWSER) as guest:
        body = {"email": "bob@example.org", "password": "a wide enough password"}
        guest.post("/users", data=body)
        guest.post("/sessions/delete")
        guest.post("/api/v1/enrolments", json={"join_code": made.join_code}).raise_for_status()
        address = link(guest)
        guest.post("/sessions", data=body)
        assert len(events(server, address)) == 2
