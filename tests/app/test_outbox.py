"""Letters wait in the database until they are sent: each once, by the first process that finds it, and not for ever."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from app.db import Database, now
from app.people import accounts
from app.people.outbox import (
    BACKOFF,
    LEASE,
    MAX_ATTEMPTS,
    LetterChoice,
    Outbox,
    OutgoingLetter,
    forget_letters,
    post,
)
from app.people.users import User
from app.web.mail import MailServer
from tests.app.mailbox import Mailbox, link_in, open_mailbox

ORIGIN = "https://lectern.example.org"
FROM = "Lectern <lectern@example.org>"
ADA = "ada@example.org"


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = Database(database_url)
    yield database
    database.close()


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with open_mailbox() as box:
        yield box


def outbox_to(database: Database, box: Mailbox, off: tuple[str, ...] = ()) -> Outbox:
    return Outbox(database, ORIGIN, MailServer(f"smtp://127.0.0.1:{box.port}", FROM), off)


def write(database: Database, dedupe: str = "one", kind: str = "regraded", user_id: int | None = None) -> bool:
    with database.writing() as db:
        return post(db, kind, ADA, "A score", "It is 1 now.", dedupe=dedupe, path="/classes/1", user_id=user_id)


def letters(database: Database) -> list[OutgoingLetter]:
    with database.reading() as db:
        return list(db.scalars(select(OutgoingLetter).order_by(OutgoingLetter.id)))


def make_due(database: Database) -> None:
    with database.writing() as db:
        db.execute(update(OutgoingLetter).values(due_at=now()))


def test_a_letter_is_sent_once_and_its_text_is_not_kept(database: Database, mailbox: Mailbox) -> None:
    assert write(database)
    assert not write(database), "the same thing is told once"
    outbox = outbox_to(database, mailbox)
    assert (outbox.send_due(), outbox.send_due()) == (1, 0)
    (letter,) = mailbox.letters
    assert (letter["To"], letter["From"], letter["Subject"]) == (ADA, FROM, "A score")
    assert link_in(letter, "classes") == "/classes/1"
    (row,) = letters(database)
    assert (row.text, row.sent_at is not None, row.attempts) == ("", True, 1)


def test_what_is_rolled_back_is_not_told(database: Database, mailbox: Mailbox) -> None:
    with suppress(ZeroDivisionError), database.writing() as db:
        post(db, "regraded", ADA, "A score", "text", dedupe="one", path="/")
        raise ZeroDivisionError
    assert outbox_to(database, mailbox).send_due() == 0


def test_several_processes_send_each_letter_once(database: Database, mailbox: Mailbox) -> None:
    for number in range(20):
        write(database, str(number))
    boxes = [outbox_to(database, mailbox) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(lambda outbox: outbox.send_due(), boxes)) == 20
    assert len(mailbox.letters) == 20


def test_a_server_that_is_away_is_asked_ever_more_rarely_and_not_for_ever(database: Database) -> None:
    with open_mailbox() as box:
        outbox = outbox_to(database, box)
    write(database, "one")
    write(database, "two")
    assert outbox.send_due() == 0
    first, second = letters(database)
    assert (first.attempts, second.attempts) == (1, 0), "nobody answered the first: the second is not tried"
    assert "ConnectionRefusedError" in first.last_error
    assert abs(first.due_at - now() - BACKOFF[0]) < timedelta(seconds=30)
    for _ in range(2 * MAX_ATTEMPTS):
        make_due(database)
        outbox.send_due()
    assert [(row.attempts, row.given_up_at is not None, row.text) for row in letters(database)] == [
        (MAX_ATTEMPTS, True, "")
    ] * 2


def test_an_address_that_is_refused_is_not_tried_again(database: Database) -> None:
    write(database)
    with open_mailbox(refuses=True) as box:
        assert outbox_to(database, box).send_due() == 0
    (row,) = letters(database)
    assert (row.attempts, row.given_up_at is not None) == (1, True)
    assert ADA not in row.last_error


def test_a_letter_of_a_process_that_died_is_sent_after_its_lease(database: Database, mailbox: Mailbox) -> None:
    write(database)
    with database.writing() as db:  # as `send_due` claims it
        db.execute(update(OutgoingLetter).values(attempts=1, due_at=now() + LEASE))
    outbox = outbox_to(database, mailbox)
    assert outbox.send_due() == 0
    make_due(database)
    assert outbox.send_due() == 1


def test_nothing_is_sent_that_its_receiver_or_the_operator_switched_off(database: Database, mailbox: Mailbox) -> None:
    user = accounts.add_user(database, ADA, "student", None)
    write(database, "theirs", user_id=user.id)
    write(database, "the operator's", "due")
    with database.writing() as db:
        db.add(LetterChoice(user_id=user.id, kind="regraded"))
    assert outbox_to(database, mailbox, ("due",)).send_due() == 0
    assert [row.last_error for row in letters(database)] == [
        "switched off by its receiver",
        "switched off by the operator",
    ]
    write(database, "disabled", "due", user.id)
    with database.writing() as db:
        db.execute(update(User).values(disabled_at=now()))
    assert outbox_to(database, mailbox).send_due() == 0
    assert not mailbox.letters


def test_a_letter_says_how_to_stop_it_in_one_click(database: Database, mailbox: Mailbox) -> None:
    user = accounts.add_user(database, ADA, "student", None)
    write(database, user_id=user.id)
    outbox_to(database, mailbox).send_due()
    (letter,) = mailbox.letters
    path = link_in(letter, "unsubscriptions")
    assert letter["List-Unsubscribe"] == f"<{ORIGIN}/api/v1{path}>"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    (row,) = letters(database)
    assert path.rpartition("/")[2] not in repr(vars(row)), "the token is stored as its hash"


def test_without_a_mail_server_letters_are_printed(database: Database, capfd: pytest.CaptureFixture[str]) -> None:
    write(database)
    assert Outbox(database, ORIGIN, None).send_due() == 1
    assert f"{ORIGIN}/classes/1" in capfd.readouterr().out


def test_old_letters_are_forgotten(database: Database) -> None:
    write(database, "old")
    with database.writing() as db:
        db.execute(update(OutgoingLetter).values(created_at=now() - timedelta(days=91)))
    write(database, "new")
    assert forget_letters(database, now() - timedelta(days=90)) == 1
    assert [row.dedupe for row in letters(database)] == ["new"]
