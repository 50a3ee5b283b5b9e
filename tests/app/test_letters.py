"""Letters: an address is confirmed, a class invites, what is due is told once, and each can be switched off."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from sqlalchemy import select, update

from app.classes.classes import Class
from app.classes.letters import regraded, remind
from app.db import now
from app.people.audit import AuditEntry
from app.people.outbox import OutgoingLetter
from app.people.users import User
from tests.app.classes import BROWSER, GATHER, QUIZ, SOFTMAX, account, id_of, judged, make_class
from tests.app.mailbox import Mailbox, link_in, open_mailbox
from tests.conftest import Running, Serve

ORIGIN = "http://lectern.example.org"
PASSWORD = "a wide enough password"
EVE = "eve@example.org"


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with open_mailbox() as box:
        yield box


@pytest.fixture
def mailing(serve: Serve, mailbox: Mailbox) -> Running:
    return serve(smtp=f"smtp://127.0.0.1:{mailbox.port}", mail_from="Lectern <l@example.org>", origin=ORIGIN)


def sign_up(client: httpx.Client, email: str) -> None:
    done = client.post("/users", data={"email": email, "password": PASSWORD})
    assert done.status_code == 303, done.text


def user(server: Running, email: str) -> User:
    with server.state.db.reading() as db:
        return db.scalars(select(User).where(User.email == email)).one()


def waiting(server: Running, kind: str) -> list[OutgoingLetter]:
    with server.state.db.reading() as db:
        return list(db.scalars(select(OutgoingLetter).where(OutgoingLetter.kind == kind).order_by(OutgoingLetter.id)))


# ------------------------------------------------------------------ confirming an address


def test_an_address_is_confirmed_by_who_reads_its_mail(mailing: Running, mailbox: Mailbox) -> None:
    ada = account(mailing, "ada@example.org", "instructor")
    made = make_class(mailing, ada)
    roster = [{"email": EVE, "role": "assistant"}]
    ada.put(f"{made.url}/roster", json={"roster": roster}).raise_for_status()
    mailbox.wait_for(count=1)  # the invitation
    with mailing.client(**BROWSER) as eve:
        sign_up(eve, EVE)
        assert eve.get(made.url).status_code == 404, "a place on the staff waits for the confirmation"
        assert "not confirmed" in eve.get("/me").text
        letter = mailbox.wait_for(count=2)[1]
        assert (letter["To"], "List-Unsubscribe" in letter) == (EVE, False)
        link = link_in(letter, "verifications")
        assert "Confirm" in eve.get(link, follow_redirects=True).text
        assert user(mailing, EVE).verified_at is None, "opening the link changes nothing"
        assert eve.post("/verifications/current").headers["location"] == "/me?letter=confirmed"
        assert "not confirmed" not in eve.get("/me").text
        assert eve.get(made.url).json()["role"] == "assistant"
        assert eve.get(link, follow_redirects=True).status_code == 404, "it works once"
    assert user(mailing, EVE).verified_at is not None


def test_nobody_confirms_an_account_that_somebody_else_made(mailing: Running, mailbox: Mailbox) -> None:
    with mailing.client(**BROWSER) as mallory, mailing.client(**BROWSER) as eve:
        sign_up(mallory, EVE)
        link = link_in(mailbox.wait_for(count=1)[0], "verifications")
        assert "Sign in to confirm" in eve.get(link, follow_redirects=True).text
        assert eve.post("/verifications/current").status_code == 401
        sign_up(eve, "other@example.org")
        eve.get(link)
        assert eve.post("/verifications/current").status_code == 403
    assert user(mailing, EVE).verified_at is None


def test_a_new_password_by_mail_confirms_too(mailing: Running, mailbox: Mailbox) -> None:
    with mailing.client(**BROWSER) as eve:
        sign_up(eve, EVE)
        mailbox.wait_for(count=1)
        eve.post("/password-resets", data={"email": EVE})
        eve.get(link_in(mailbox.wait_for(count=2)[1]))
        assert eve.post("/password-resets/current", data={"password": PASSWORD + "!"}).status_code == 303
    assert user(mailing, EVE).verified_at is not None


def test_a_letter_can_be_asked_for_again_but_not_for_ever(mailing: Running, mailbox: Mailbox) -> None:
    with mailing.client(**BROWSER) as eve:
        sign_up(eve, EVE)
        mailbox.wait_for(count=1)
        asked = [eve.post("/verifications").status_code for _ in range(4)]
        assert asked == [303, 303, 303, 429]
        mailbox.wait_for(count=4)


def test_without_mail_nobody_is_asked_and_operators_accounts_are_confirmed(server: Running) -> None:
    with server.client(**BROWSER) as eve:
        sign_up(eve, EVE)
        assert "not confirmed" not in eve.get("/me").text
        assert eve.post("/verifications").status_code == 409
    account(server, "ada@example.org")
    assert user(server, "ada@example.org").verified_at is not None
    assert not waiting(server, "verification")


# ------------------------------------------------------------------ invitations


def test_who_is_expected_makes_an_account_from_the_invitation(serve: Serve, mailbox: Mailbox) -> None:
    smtp = f"smtp://127.0.0.1:{mailbox.port}"
    server = serve(smtp=smtp, mail_from="l@example.org", origin=ORIGIN, registration="invitation")
    ada = account(server, "ada@example.org", "instructor")
    made = make_class(server, ada, title="Spring <b>2027</b>")
    roster = [{"email": EVE, "role": "assistant", "name": "Eve"}, {"email": "ada@example.org", "role": "instructor"}]
    for _ in range(2):
        ada.put(f"{made.url}/roster", json={"roster": roster}).raise_for_status()
    (letter,) = mailbox.wait_for(count=1)
    assert (letter["To"], letter["Subject"]) == (EVE, "You are invited to Spring <b>2027</b>")
    link = link_in(letter, "invitations")
    with server.client(**BROWSER) as eve:
        page = eve.get(link, follow_redirects=True)
        assert "Spring &lt;b&gt;2027&lt;/b&gt;" in page.text
        assert "as an assistant" in page.text
        assert eve.post("/invitations/current/account", data={"password": "short"}).status_code == 422
        done = eve.post("/invitations/current/account", data={"password": PASSWORD})
        assert (done.status_code, done.headers["location"]) == (303, f"/classes/{made.id}")
        assert eve.get(made.url).json()["role"] == "assistant"
    assert user(server, EVE).verified_at is not None
    with server.client(**BROWSER) as mallory:
        assert mallory.get(link, follow_redirects=True).status_code == 404, "the place is taken"
        assert mallory.post("/invitations/current/account", data={"password": PASSWORD}).status_code == 404
    assert len(mailbox.letters) == 1


def test_an_invitation_is_taken_with_another_account(mailing: Running, mailbox: Mailbox) -> None:
    ada, bob = account(mailing, "ada@example.org", "instructor"), account(mailing, "bob@example.org")
    made = make_class(mailing, ada)
    made.join(bob)
    ada.put(f"{made.url}/roster", json={"roster": [{"email": "bob@example.org"}, {"email": EVE, "role": "assistant"}]})
    bob.get(link_in(mailbox.wait_for(count=1)[0], "invitations"))
    assert f"sent to {EVE}" in bob.get("/invitations/current").text
    assert bob.post("/invitations/current").status_code == 303
    assert bob.get(made.url).json()["role"] == "assistant"
    states = {one["email"]: one["state"] for one in ada.get(f"{made.url}/roster").json()["roster"]}
    assert states == {"ada@example.org": "enrolled", "bob@example.org": "enrolled"}


def test_who_has_an_account_is_told_that_they_are_in(mailing: Running, mailbox: Mailbox) -> None:
    ada, _ = account(mailing, "ada@example.org", "instructor"), account(mailing, EVE)
    made = make_class(mailing, ada)
    ada.put(f"{made.url}/roster", json=[{"email": EVE}]).raise_for_status()
    (letter,) = mailbox.wait_for(count=1)
    assert (letter["To"], link_in(letter, "classes")) == (EVE, f"/classes/{made.id}")


def test_a_place_that_was_given_up_is_not_invited(mailing: Running, mailbox: Mailbox) -> None:
    ada = account(mailing, "ada@example.org", "instructor")
    made = make_class(mailing, ada)
    ada.put(f"{made.url}/roster", json=[{"email": EVE}]).raise_for_status()
    link = link_in(mailbox.wait_for(count=1)[0], "invitations")
    ada.put(f"{made.url}/roster", json=[{"email": "bob@example.org"}]).raise_for_status()
    with mailing.client(**BROWSER) as eve:
        assert eve.get(link, follow_redirects=True).status_code == 404
    assert mailbox.wait_for(count=2)[1]["To"] == "bob@example.org"


# ------------------------------------------------------------------ what is due tomorrow

NOON = datetime(2027, 3, 27, 12, 0, tzinfo=UTC)  # summer time begins in Berlin that night


def due(server: Running, at: datetime) -> int:
    return remind(server.state.db, server.state.catalog, at)


def stamp(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


def test_what_is_due_tomorrow_and_not_solved_is_told_once(mailing: Running, mailbox: Mailbox) -> None:
    server = mailing
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, EVE)
    bob = account(server, "bob@example.org")
    made = make_class(server, ada, "Europe/Berlin")
    made.join(eve)
    made.join(bob)
    end_of_day = datetime(2027, 3, 28, 22, 0, tzinfo=UTC)  # midnight in Berlin, where it is summer by then
    made.assign(GATHER, due_at=stamp(end_of_day))
    made.assign(SOFTMAX, due_at=stamp(end_of_day + timedelta(minutes=1)))
    made.assign(QUIZ, "quiz", due_at=stamp(datetime(2027, 3, 28, 8, 0, tzinfo=UTC)))
    judged(server, bob)  # solves one of the two
    assert due(server, NOON - timedelta(hours=1, minutes=1)) == 0, "it is not noon in Berlin yet"
    assert due(server, NOON) == 2
    assert due(server, NOON + timedelta(hours=3)) == 0
    letter, other = sorted(mailbox.wait_for(count=2), key=lambda one: str(one["To"]), reverse=True)
    assert (letter["To"], letter["Subject"]) == (EVE, "Due tomorrow: 2 assignments")
    assert "On Sunday, 28 March" in letter.get_content()
    assert "- 10:00 (Europe/Berlin): " in letter.get_content()
    assert "- 24:00 (Europe/Berlin): " in letter.get_content()
    assert other["Subject"].startswith("Due tomorrow: ")
    assert "24:00" not in other.get_content()
    assert due(server, NOON + timedelta(days=1)) == 2, "the next one is of the next day"


def test_an_extension_moves_the_letter_and_some_get_none(server: Running) -> None:
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, EVE)
    bob = account(server, "bob@example.org")
    made = make_class(server, ada)
    made.join(eve)
    made.join(bob)
    made.assign(GATHER, due_at=stamp(NOON + timedelta(hours=20)))
    more = {"due_at": stamp(NOON + timedelta(days=3))}
    eve_id, bob_id = id_of(server, EVE), id_of(server, "bob@example.org")
    ada.put(f"{made.url}/extensions/{eve_id}/exercise/{GATHER}", json=more).raise_for_status()
    ada.put(f"{made.url}/extensions/{bob_id}/exercise/{GATHER}", json={"excused": True}).raise_for_status()
    assert due(server, NOON) == 0
    assert due(server, NOON + timedelta(days=2)) == 1
    assert [one.to for one in waiting(server, "due")] == [EVE]
    ada.patch(made.url, json={"archived": True}).raise_for_status()
    with server.state.db.writing() as db:
        db.execute(update(OutgoingLetter).values(dedupe="x"))
    assert due(server, NOON + timedelta(days=2)) == 0, "an archived class says nothing"


def test_a_day_in_two_classes_is_one_letter(mailing: Running, mailbox: Mailbox) -> None:
    server = mailing
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, EVE)
    for zone, title in (("Pacific/Auckland", "East"), ("America/Los_Angeles", "West")):
        made = make_class(server, ada, zone, title)
        made.join(eve)
        noon = datetime(2027, 3, 28, 12, 0, tzinfo=UTC)
        made.assign(GATHER, due_at=stamp(noon + timedelta(hours=-9 if title == "East" else 12)))
    written = [due(server, datetime(2027, 3, 26, hour, 0, tzinfo=UTC)) for hour in range(20, 24)]
    written += [due(server, datetime(2027, 3, 27, hour, 0, tzinfo=UTC)) for hour in range(24)]
    assert sum(written) == 1
    (letter,) = mailbox.wait_for(count=1)
    assert "in East" in letter.get_content()
    assert "in West" in letter.get_content()


# ------------------------------------------------------------------ switching letters off


def test_a_regrading_is_told_and_its_letter_stops_the_next(mailing: Running, mailbox: Mailbox) -> None:
    ada, eve = account(mailing, "ada@example.org", "instructor"), account(mailing, EVE)
    made = make_class(mailing, ada)
    made.join(eve)

    def tell(sentence: str) -> None:
        with mailing.state.db.writing() as db:
            hers = db.scalars(select(User).where(User.email == EVE)).one()
            regraded(db, db.get_one(Class, made.id), hers, sentence)

    tell("Softmax: 40% became 100%.")
    tell("Softmax: 40% became 100%.")
    (letter,) = mailbox.wait_for(count=1)
    assert "Softmax: 40% became 100%." in letter.get_content()
    link = link_in(letter, "unsubscriptions")
    with mailing.client() as program, mailing.client(**BROWSER) as browser:
        assert browser.get(link).status_code == 200
        assert program.get(f"/api/v1{link}").headers["location"] == link
        assert "checked" in eve.get("/me/letters").text.partition('value="regraded"')[2][:80], "looking changes nothing"
        click = {"List-Unsubscribe": "One-Click"}
        assert program.post(f"/api/v1{link}", data=click).status_code == 204
        assert program.post(f"/api/v1{link}", data=click).status_code == 204
        assert program.post(f"/api/v1{link}x", data=click).status_code == 404
        assert "Switched off" in browser.post(link).text
    assert "checked" not in eve.get("/me/letters").text.partition('value="regraded"')[2][:80]
    tell("Softmax: 100% became 40%.")
    with mailing.state.db.writing() as db:
        db.execute(update(OutgoingLetter).where(OutgoingLetter.sent_at.is_(None)).values(due_at=now()))
    mailing.state.outbox.send_due()
    assert len(mailbox.letters) == 1
    assert eve.post("/me/letters", data={"wanted": ["regraded"]}).status_code == 303
    assert "checked" in eve.get("/me/letters").text.partition('value="regraded"')[2][:80]


def test_no_letter_says_who_did_what_in_the_log(server: Running) -> None:
    """A confirmation is told in the audit log by the person's number."""
    with server.client(**BROWSER) as eve:
        sign_up(eve, EVE)
    with server.state.db.reading() as db:
        assert EVE not in repr([entry.detail for entry in db.scalars(select(AuditEntry))])
