"""A forgotten password: a link by mail, that opens one account, once, for an hour, and says nothing to anybody else."""

import logging
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import httpx
import pytest
from sqlalchemy import func, select

from app.people import accounts
from app.people.password_change import give_password
from app.people.resets import PasswordReset, open_reset
from app.people.users import Login, User
from app.settings import Settings
from tests.app.mailbox import Mailbox, link_in, open_mailbox
from tests.app.student import GATHER
from tests.conftest import Running, Serve
from tests.waiting import LIMIT_SECONDS, until_ended

ADA, NOBODY = "ada@example.org", "nobody@example.org"
OLD, NEW = "a wide enough password", "another wide password"
BROWSER = {"Sec-Fetch-Site": "same-origin"}
ORIGIN = "http://lectern.example.org"
FROM = "Lectern <lectern@example.org>"


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with open_mailbox() as box:
        yield box


@pytest.fixture
def mailing(serve: Serve, mailbox: Mailbox) -> Running:
    """A server that mails, and Ada's account on it."""
    smtp = f"smtp://lectern:p%40ss@127.0.0.1:{mailbox.port}"
    server = serve(smtp=smtp, mail_from=FROM, origin=ORIGIN)
    accounts.add_user(server.state.db, ADA, "student", OLD)
    return server


@pytest.fixture
def ada(server: Running) -> Running:
    """A server that mails nothing, and Ada's account on it."""
    accounts.add_user(server.state.db, ADA, "student", OLD)
    return server


def link_to(server: Running, email: str = ADA) -> str:
    with server.state.db.writing() as db:
        return f"/password-resets/{open_reset(db, accounts.account_of(db, email))}"


def ask(client: httpx.Client, email: str) -> httpx.Response:
    return client.post("/password-resets", data={"email": email}, headers=BROWSER)


def use(client: httpx.Client, link: str, password: str = NEW) -> httpx.Response:
    client.get(link)
    return client.post("/password-resets/current", data={"password": password}, headers=BROWSER)


def sign_in(server: Running, password: str) -> int:
    with server.client() as client:
        return client.post("/api/v1/sessions", json={"email": ADA, "password": password}).status_code


def count(server: Running, table: type[PasswordReset | Login]) -> int:
    with server.state.db.reading() as db:
        return db.scalar(select(func.count()).select_from(table)) or 0


# ------------------------------------------------------------------ from the letter to the new password


def test_a_letter_leads_to_a_new_password(mailing: Running, mailbox: Mailbox) -> None:
    with mailing.client(**BROWSER) as client:
        answer = ask(client, " ADA@example.org")
        assert (answer.status_code, "Check your mail" in answer.text) == (200, True)
        (letter,) = mailbox.wait_for(count=1)
        assert (letter["To"], letter["From"]) == (ADA, FROM)
        assert f"{ORIGIN}/password-resets/" in letter.get_content()
        assert mailbox.signed_in == [("lectern", "p@ss")]
        page = client.get(link_in(letter), follow_redirects=True)
        assert f"For your account {ADA}" in page.text
        done = client.post("/password-resets/current", data={"password": NEW})
        assert (done.status_code, done.headers["location"]) == (303, "/me/password/changed")
        assert ADA in client.get("/me").text
    assert (sign_in(mailing, OLD), sign_in(mailing, NEW)) == (401, 201)


def test_who_was_added_without_a_password_chooses_one(server: Running) -> None:
    accounts.add_user(server.state.db, ADA, "student", None)
    with server.client(**BROWSER) as client:
        assert "has no password" not in client.get("/me/password").text
        assert use(client, link_to(server)).status_code == 303
    assert sign_in(server, NEW) == 201


def test_without_a_mail_server_the_operator_gets_the_link(serve: Serve, capfd: pytest.CaptureFixture[str]) -> None:
    server = serve()
    accounts.add_user(server.state.db, ADA, "student", OLD)
    with server.client() as client:
        answer = ask(client, ADA)
        other = ask(client, NOBODY)
    assert answer.text == other.text
    assert "Ask your instructor" in answer.text
    out, err = printed(server, capfd)
    assert f"New password for {ADA}, within an hour: http://127.0.0.1:8000/password-resets/" in out
    assert NOBODY not in out + err
    assert "reset_links_are_printed_here" in err


def test_the_guests_work_becomes_the_accounts(ada: Running) -> None:
    with ada.client(**BROWSER) as client:
        id = client.post(f"/api/v1/exercises/{GATHER}/submissions", json={"source": "x = 1"}).json()["id"]
        guest = client.cookies["lectern"]
        assert use(client, link_to(ada)).status_code == 303
        assert client.cookies["lectern"] != guest
        assert client.get(f"/api/v1/submissions/{id}").status_code == 200
    with ada.state.db.reading() as db:
        assert list(db.scalars(select(User.email))) == [ADA]


# ------------------------------------------------------------------ attacks on the link


def test_a_link_works_once(ada: Running) -> None:
    link = link_to(ada)
    with ada.client() as client, ada.client() as thief:
        assert use(client, link).status_code == 303
        assert use(thief, link, "the password of a thief").status_code == 404
        assert "This link does not work" in thief.get("/password-resets/current").text
    assert (sign_in(ada, NEW), count(ada, PasswordReset)) == (201, 0)


def test_of_two_who_use_a_link_at_once_one_gets_in(ada: Running) -> None:
    link = link_to(ada)
    passwords = [f"{number} is the number of my password" for number in range(6)]
    with ada.client() as client, ThreadPoolExecutor(6) as people:
        client.get(link)
        cookie = {**BROWSER, "Cookie": f"lectern_reset={client.cookies['lectern_reset']}"}
        sent = [
            people.submit(httpx.post, f"{ada.url}/password-resets/current", data={"password": one}, headers=cookie)
            for one in passwords
        ]
        statuses = [one.result().status_code for one in sent]
    assert sorted(statuses) == [303, 404, 404, 404, 404, 404]
    assert sign_in(ada, passwords[statuses.index(303)]) == 201


def test_looking_at_a_link_does_not_use_it_up(ada: Running) -> None:
    link = link_to(ada)
    with ada.client() as scanner:
        assert (scanner.get(link).status_code, scanner.head(link).status_code) == (303, 303)
        assert scanner.get("/password-resets/current").status_code == 200
    with ada.client() as client:
        assert use(client, link).status_code == 303


def test_a_link_dies_of_age(ada: Running) -> None:
    link, other = link_to(ada), link_to(ada)
    with ada.state.db.writing() as db:
        for reset in db.scalars(select(PasswordReset)):
            assert reset.expires_at - reset.created_at <= timedelta(hours=1, seconds=1)
            reset.expires_at -= timedelta(hours=1, seconds=1)
    with ada.client() as client:
        assert [use(client, one).status_code for one in (link, other)] == [404, 404]
    assert sign_in(ada, OLD) == 201
    link_to(ada)
    assert count(ada, PasswordReset) == 1  # what is too old is not kept


@pytest.mark.parametrize("how", ["another link", "the page", "the command line"])
def test_a_link_dies_when_the_password_changes(ada: Running, how: str) -> None:
    link, other = link_to(ada), link_to(ada)
    with ada.client(**BROWSER) as client:
        if how == "another link":
            assert use(client, other).status_code == 303
        elif how == "the page":
            client.post("/sessions", data={"email": ADA, "password": OLD})
            assert client.post("/me/password", data={"current": OLD, "password": NEW}).status_code == 303
        else:
            give_password(ada.state.db, ADA, NEW)
    with ada.client() as thief:
        assert use(thief, link, "the password of a thief").status_code == 404
    assert sign_in(ada, NEW) == 201


def test_a_link_opens_its_own_account_alone(ada: Running) -> None:
    accounts.add_user(ada.state.db, "grace@example.org", "admin", OLD)
    with ada.client(**BROWSER) as client:
        client.get(link_to(ada))
        form = {"password": NEW, "email": "grace@example.org"}
        assert client.post("/password-resets/current", data=form).status_code == 303
        assert ADA in client.get("/me").text
    with ada.client() as client:
        signed_in = client.post("/api/v1/sessions", json={"email": "grace@example.org", "password": OLD})
    assert signed_in.status_code == 201


def test_every_other_session_of_the_account_ends(ada: Running) -> None:
    accounts.add_user(ada.state.db, "grace@example.org", "student", OLD)
    tokens = [accounts.make_token(ada.state.db, email) for email in (ADA, ADA, "grace@example.org")]
    with ada.client(**BROWSER) as client:
        assert use(client, link_to(ada)).status_code == 303
        assert client.get("/api/v1/me/progress").status_code == 200
    statuses = []
    for token in tokens:
        with ada.client(Authorization=f"Bearer {token}") as client:
            statuses.append(client.get("/api/v1/me/progress").status_code)
    assert statuses == [401, 401, 200]


@pytest.mark.parametrize("token", ["", "x" * 43, "x" * 42, "../../me", "%00", "x" * 5000])
def test_a_link_that_nobody_sent_opens_nothing(ada: Running, token: str) -> None:
    link_to(ada)
    with ada.client() as client:
        assert use(client, f"/password-resets/{token}").status_code == 404
    assert (sign_in(ada, OLD), count(ada, PasswordReset)) == (201, 1)


def test_a_weak_password_does_not_use_the_link_up(ada: Running) -> None:
    link = link_to(ada)
    with ada.client() as client:
        for weak, why in (("short", "at least 10"), ("password123", "people try first"), ("ada1234567", "too close")):
            answer = use(client, link, weak)
            assert (answer.status_code, why in answer.text) == (422, True)
            assert f"For your account {ADA}" in answer.text
        assert use(client, link).status_code == 303


def test_the_token_is_neither_stored_nor_at_the_address_of_a_page(ada: Running) -> None:
    link = link_to(ada)
    token = link.rpartition("/")[2]
    with ada.state.db.reading() as db:
        assert token.encode() not in db.scalars(select(PasswordReset.token_hash)).one()
    with ada.client() as client:
        opened = client.get(link)
        assert opened.status_code == 303
        assert opened.headers["referrer-policy"] == "no-referrer"
        assert opened.headers["cache-control"] == "no-store"
        cookie = {part.strip() for part in opened.headers["set-cookie"].split(";")}
        assert {"HttpOnly", "SameSite=lax", "Path=/password-resets"} <= cookie
        page = client.get(opened.headers["location"])
        assert token not in opened.headers["location"] + page.text
        assert page.headers["cache-control"] == "no-store"
        assert "//" not in page.text.replace("https://", "//").split("<body>")[0].replace(f"{ada.url}/", "/")
        done = client.post(opened.headers["location"], data={"password": NEW}, headers=BROWSER)
        assert 'lectern_reset="";' in done.headers["set-cookie"]


def test_on_https_the_cookie_of_a_link_is_secure(serve: Serve) -> None:
    server = serve(origin="https://lectern.example.org")
    with server.client() as client:
        assert "Secure" in client.get(f"/password-resets/{'x' * 43}").headers["set-cookie"]


def test_another_site_can_neither_ask_nor_choose(ada: Running) -> None:
    link = link_to(ada)
    with ada.client() as client:
        client.get(link)
        for path, form in (("", {"email": ADA}), ("/current", {"password": NEW})):
            answer = client.post(f"/password-resets{path}", data=form, headers={"Sec-Fetch-Site": "cross-site"})
            assert answer.status_code == 403
        # a browser on plain http names its origin alone
        chosen = client.post("/password-resets/current", data={"password": NEW}, headers={"Origin": ada.url})
        assert chosen.status_code == 303
    assert sign_in(ada, NEW) == 201


# ------------------------------------------------------------------ attacks on the question who has an account


def test_the_answer_is_the_same_for_everybody(mailing: Running, mailbox: Mailbox) -> None:
    with mailing.client() as client:
        answers = [ask(client, email) for email in (ADA, NOBODY, "no address", "")]
        mailbox.wait_for(count=1)
        ask(client, ADA)
        mailbox.wait_for(count=2)  # in the order in which they were asked for: nobody else got one
    assert len({answer.text for answer in answers}) == 1
    assert [answer.status_code for answer in answers] == [200] * 4
    headers = [{k: v for k, v in answer.headers.items() if k not in ("date", "x-request-id")} for answer in answers]
    assert headers[0] == headers[1] == headers[2] == headers[3]
    assert {letter["To"] for letter in mailbox.letters} == {ADA}


def test_the_answer_waits_neither_for_the_mail_server_nor_for_the_database(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mail server that says nothing, and somebody who writes for a long time: who has an account is asked of both,
    and the answer comes before."""
    monkeypatch.setattr("app.web.mail.TIMEOUT_SECONDS", 3600.0)
    with open_mailbox(hangs=True) as box:
        server = serve(smtp=f"smtp://127.0.0.1:{box.port}", mail_from=FROM, origin=ORIGIN)
        accounts.add_user(server.state.db, ADA, "student", OLD)
        written = threading.Event()

        def write() -> None:
            with server.state.db.writing() as db:
                accounts.account_of(db, ADA).password_hash = "changed"
                db.flush()
                written.wait()

        writer = threading.Thread(target=write)
        writer.start()
        with server.client() as client:
            client.get("/password-resets/new")
            try:
                answers = [ask(client, email) for email in (ADA, NOBODY)]
            finally:
                written.set()
                until_ended(writer)
            answers += [ask(client, email) for email in (ADA, NOBODY)]
    assert [answer.status_code for answer in answers] == [200] * 4


def test_an_account_gets_three_letters_and_an_unknown_address_as_many_tries(mailing: Running, mailbox: Mailbox) -> None:
    with mailing.client() as client:
        for spellings in ((ADA, "ADA@example.org", " ada@example.org", "\uff41da@example.org"), (NOBODY,) * 4):
            answers = [ask(client, email) for email in spellings]
            assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
            assert int(answers[3].headers["retry-after"]) <= 900
            assert "Too many requests" in answers[3].text
    assert len(mailbox.wait_for(count=3)) == 3


def test_an_address_asks_for_so_many(ada: Running) -> None:
    with ada.client() as client:
        statuses = [ask(client, f"student{number}@example.org").status_code for number in range(62)]
    assert statuses[:60] == [200] * 60
    assert 429 in statuses[60:]


# ------------------------------------------------------------------ what the log and the settings keep to themselves


@pytest.mark.parametrize("trouble", ["refuses", "gone", "cannot encrypt"])
def test_a_letter_that_cannot_be_sent_is_logged_without_what_it_says(
    serve: Serve, capfd: pytest.CaptureFixture[str], trouble: str
) -> None:
    with open_mailbox(refuses=trouble == "refuses") as box:
        port = 9 if trouble == "gone" else box.port
        # `127.1` is this machine, but not by a name that says so: it must encrypt, and the server here cannot
        host = "127.1" if trouble == "cannot encrypt" else "127.0.0.1"
        server = serve(smtp=f"smtp://lectern:hunter-of-secrets@{host}:{port}", mail_from=FROM, origin=ORIGIN)
        accounts.add_user(server.state.db, ADA, "student", OLD)
        with server.client() as client:
            assert "Check your mail" in ask(client, ADA).text
        out, err = printed(server, capfd)
        assert "reset_link_not_sent" in err
        assert (box.letters, box.signed_in if trouble == "cannot encrypt" else []) == ([], [])
    for secret in (ADA, "/password-resets/", "hunter-of-secrets"):
        assert secret not in err + out


def printed(server: Running, capfd: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """All that was printed and logged, once the thread that makes links is through with all of them.

    It is read once, at the end: `readouterr` loses lines that are written while it reads.
    """
    server.state.reset_links.close(LIMIT_SECONDS)
    logging.shutdown()
    output = capfd.readouterr()
    return output.out, output.err


def test_a_letter_that_is_sent_leaves_no_link_in_the_log(
    mailing: Running, mailbox: Mailbox, capfd: pytest.CaptureFixture[str]
) -> None:
    with mailing.client() as client:
        ask(client, ADA)
        token = link_in(mailbox.wait_for(count=1)[0]).rpartition("/")[2]
        assert use(client, f"/password-resets/{token}").status_code == 303
    output = capfd.readouterr()
    assert token not in output.out + output.err
    assert ADA not in output.out + output.err


@pytest.mark.parametrize(
    "wrong",
    [
        {"smtp": "smtp://a:secret@mail.example.org"},
        {"smtp": "smtp://a:secret@mail.example.org", "mail_from": FROM},
        {"smtp": "smtp://a:secret@mail.example.org", "origin": ORIGIN},
        {"smtp": "https://a:secret@mail.example.org", "mail_from": FROM, "origin": ORIGIN},
        {"smtp": "smtp://a:secret@mail.example.org:nine", "mail_from": FROM, "origin": ORIGIN},
        {"smtp": "smtp://", "mail_from": FROM, "origin": ORIGIN},
        {"mail_from": "nobody"},
        {"mail_from": f"{FROM}\r\nBcc: {NOBODY}"},
    ],
)
def test_settings_that_cannot_send_mail_are_refused_without_the_password(wrong: dict[str, str]) -> None:
    """attack: where no origin is configured, links would lead to the host name that the sender of a request named."""
    with pytest.raises(ValueError, match=r"LECTERN_(SMTP|MAIL_FROM)") as refused:
        Settings.model_validate(wrong)
    assert "secret" not in str(refused.value)


def test_settings_show_no_password() -> None:
    settings = Settings.model_validate(
        {"smtp": "smtps://a:hunter2@mail.example.org", "mail_from": FROM, "origin": ORIGIN}
    )
    assert "hunter2" not in f"{settings!r} {settings}"
