"""Passwords: who waits for a hash holds up nobody else, and one account is one account however its address is typed."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from argon2.exceptions import VerificationError
from sqlalchemy import text

from app.db import Database
from app.people import accounts, passwords
from app.people.hashing import Hashing
from app.people.users import user_by_email
from app.quizzes import extra_time
from app.web.errors import RateLimited
from tests.conftest import Running, Serve
from tests.waiting import LIMIT_SECONDS, until

PASSWORD = "a wide enough password"
ACCOUNT = {"email": "ada@example.org", "password": PASSWORD}
WRONG = "not this one at all"
BROWSER = {"Sec-Fetch-Site": "same-origin"}
CROWD = 100  # more than there are threads for pages


class Still:
    """A hash that takes until somebody says that it is over."""

    def __init__(self) -> None:
        self.begun, self.is_over = threading.Semaphore(0), threading.Event()

    def verify(self, hashed: str, password: bytes) -> bool:
        self.begun.release()
        self.is_over.wait(LIMIT_SECONDS)
        raise VerificationError


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)  # no hash is the database's business
def test_a_hundred_sign_ins_hold_up_no_page(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve(rate_limits="off")
    monkeypatch.setattr(passwords, "_hasher", hasher := Still())
    hashing = server.app.state.hashing
    with ThreadPoolExecutor(CROWD) as crowd, server.client() as client:
        client.get("/")
        try:
            tries = [crowd.submit(_sign_in, server, number) for number in range(CROWD)]
            assert hasher.begun.acquire(timeout=LIMIT_SECONDS)

            def answered() -> list[int]:
                return [each.result() for each in tries if each.done()]

            until(lambda: hashing._waiting + len(answered()) >= CROWD - hashing._threads_max, "some are not there")
            pages = [client.get("/").status_code for _ in range(20)]
            assert set(answered()) <= {503}, "nobody's password is verified yet"
        finally:
            hasher.is_over.set()
        assert {each.result() for each in tries} <= {401, 503}
    assert pages == [200] * 20


def _sign_in(server: Running, number: int) -> int:
    body = {"email": f"nobody{number}@example.org", "password": WRONG}
    with server.client() as client:
        return client.post("/api/v1/sessions", json=body).status_code


@contextmanager
def busy(hashing: Hashing, waiting: int, address: str = "192.0.2.1") -> Iterator[threading.Event]:
    """Its one thread stands still, and so many wait, until the event that this gives is set, or at the end."""
    begun, released = threading.Event(), threading.Event()

    def stand_still() -> None:
        begun.set()
        released.wait(LIMIT_SECONDS)

    with ThreadPoolExecutor(waiting + 1) as people:
        people.submit(asyncio.run, hashing.run(address, stand_still))
        assert begun.wait(LIMIT_SECONDS)
        for _ in range(waiting):
            people.submit(asyncio.run, hashing.run(address, bool))
        try:
            until(lambda: hashing._waiting == waiting, "they do not wait")
            yield released
        finally:
            released.set()


def test_past_the_end_of_the_line_the_answer_is_503_on_page_and_api(serve: Serve) -> None:
    server = serve()
    accounts.add_user(server.state.db, ACCOUNT["email"], "student", PASSWORD)
    full = server.app.state.hashing = Hashing(threads=1, places=1)
    new = {"email": "grace@example.org", "password": PASSWORD}
    with server.client() as program, server.client(**BROWSER) as browser:
        signed_in = program.post("/api/v1/sessions", json=ACCOUNT).json()["token"]
        own = {"Authorization": f"Bearer {signed_in}"}
        cookie = browser.post("/sessions", data=ACCOUNT).status_code
        assert cookie == 303
        with busy(full, 1, "127.0.0.1"):
            answers = [
                program.post("/api/v1/sessions", json=ACCOUNT),
                program.post("/api/v1/sessions", json={"email": "nobody@example.org", "password": PASSWORD}),
                program.post("/api/v1/users", json=new),
                program.request("DELETE", "/api/v1/me", json={"password": PASSWORD}, headers=own),
                browser.post("/sessions", data=ACCOUNT),
                browser.post("/users", data=new),
                browser.post("/me/deletion", data={"password": PASSWORD}),
            ]
            assert program.get("/").status_code == 200
            assert program.post("/api/v1/sessions", json={}).status_code == 201  # a guest needs no hash
        for answer in answers:
            assert answer.status_code == 503, answer.request.url
            assert int(answer.headers["retry-after"]) > 0
            assert "Too many people are signing in" in answer.text
        assert answers[0].json()["error"]["code"] == "rate_limited"
        assert program.get("/api/v1/me/progress", headers=own).status_code == 200  # nothing was deleted
        until(lambda: not full._waiting, "some wait on")
        assert program.post("/api/v1/sessions", json=ACCOUNT).status_code == 201


def test_neighbourhoods_take_turns_at_the_hash() -> None:
    hashing, done = Hashing(threads=1, places=20), []

    async def crowd(released: threading.Event) -> None:
        many = [asyncio.ensure_future(hashing.run("192.0.2.1", lambda: done.append("many"))) for _ in range(6)]
        await asyncio.sleep(0)
        one = asyncio.ensure_future(hashing.run("2001:db8::1", lambda: done.append("one")))
        await asyncio.sleep(0)
        released.set()
        await asyncio.gather(*many, one)

    with busy(hashing, 0) as released:
        asyncio.run(crowd(released))
    assert done.index("one") <= 1
    assert len(done) == 7


def test_who_fills_the_line_shuts_out_no_one_else() -> None:
    hashing = Hashing(threads=1, places=8)

    async def crowd(released: threading.Event) -> list[object]:
        many = [asyncio.ensure_future(hashing.run(f"2001:db8::{n}", bool)) for n in range(12)]  # one neighbourhood
        await asyncio.sleep(0)
        few = [asyncio.ensure_future(hashing.run(f"192.0.2.{n}", bool)) for n in range(3)]
        await asyncio.sleep(0)
        released.set()
        return [await asyncio.gather(*each, return_exceptions=True) for each in (many, few)]

    with busy(hashing, 0) as released:
        many, few = asyncio.run(crowd(released))
    assert few == [False] * 3
    assert isinstance(many, list)
    assert sum(isinstance(one, RateLimited) for one in many) == 7  # four came too late, three gave way


def test_a_server_that_ends_leaves_nobody_waiting() -> None:
    hashing = Hashing(threads=1, places=8)

    async def waiting() -> None:
        left = asyncio.ensure_future(hashing.run("192.0.2.2", bool))
        await asyncio.sleep(0)
        hashing.close()
        with pytest.raises(RateLimited):
            await left
        with pytest.raises(RateLimited):
            await hashing.run("192.0.2.2", bool)

    with busy(hashing, 0):
        asyncio.run(waiting())


# ------------------------------------------------------------------ one account, one spelling


def spellings(count: int) -> list[str]:
    """`ada@example.org`, as the account reads it, with letters of full width in its domain, a new choice each."""
    wide = {letter: chr(ord(letter) + 0xFEE0) for letter in "example"}
    return [
        "ada@" + "".join(wide[letter] if number >> place & 1 else letter for place, letter in enumerate("example"))
        + ".org"
        for number in range(count)
    ]  # fmt: skip


def test_sixty_spellings_are_one_account_with_one_accounts_tries(server: Running) -> None:
    accounts.add_user(server.state.db, ACCOUNT["email"], "student", PASSWORD)
    with server.client() as client:
        statuses = [
            client.post("/api/v1/sessions", json={"email": email, "password": WRONG}).status_code
            for email in spellings(60)
        ]
    assert statuses.count(401) <= 12  # ten at once, and one every ten seconds
    assert set(statuses) == {401, 429}


@pytest.mark.parametrize(
    "typed",
    [
        "ADA@EXAMPLE.ORG",
        "  ada@example.org\t",
        "\u3000ada@example.org\xa0",
        "ａｄａ@example.org",
        "ada＠example.org",
        "ada@example。org",
        "a\u200bd\u200da@example.org",
        "\ufeffada@example.org\u2060",
        "ada@exam\xadple.org",
        "ⓐⓓⓐ@ⓔxample.org",
    ],
)
def test_what_looks_the_same_is_the_same_account(server: Running, typed: str) -> None:
    accounts.add_user(server.state.db, ACCOUNT["email"], "student", PASSWORD)
    assert accounts.read_email(typed) == "ada@example.org"
    with server.client() as client:
        assert client.post("/api/v1/sessions", json={"email": typed, "password": PASSWORD}).status_code == 201
        assert client.post("/api/v1/users", json={"email": typed, "password": PASSWORD}).status_code == 409
        for _ in range(15):
            client.post("/api/v1/sessions", json={"email": "ada@example.org", "password": WRONG})
        assert client.post("/api/v1/sessions", json={"email": typed, "password": PASSWORD}).status_code == 429
    assert accounts.make_token(server.state.db, typed)
    assert extra_time.give_time(server.state.db, typed, 2) == 0


def test_an_international_domain_has_two_ways_to_be_written_and_one_account() -> None:
    for typed in ("ada@bücher.example", "ada@xn--bcher-kva.example", "ADA@BÜCHER.example", "ada@bu\u0308cher.example"):
        assert accounts.read_email(typed) == "ada@bücher.example"


@pytest.mark.parametrize("email", ["ada@example.org", "ﬁ@example.org", "ſ@example.org", "ada@straße.de", "İ@x.org",
                                   "e\u0301@example.org", "a\u0345b@example.org", "Ⅷ@example.org"])  # fmt: skip
def test_to_normalise_again_changes_nothing(email: str) -> None:
    once = accounts.read_email(email)
    assert accounts.read_email(once) == once


def test_deleting_an_account_takes_from_the_same_allowance(server: Running) -> None:
    with server.client() as client:
        token = client.post("/api/v1/users", json=ACCOUNT).json()["token"]
        for email in spellings(15):
            client.post("/api/v1/sessions", json={"email": email, "password": WRONG})
        own = {"Authorization": f"Bearer {token}"}
        answer = client.request("DELETE", "/api/v1/me", json={"password": PASSWORD}, headers=own)
    assert answer.status_code == 429


def test_an_address_that_was_stored_under_the_older_reading_is_found(database_url: str) -> None:
    from alembic import command
    from alembic.config import Config

    from app.db import MIGRATIONS

    database = Database(database_url)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))

    def migrate(to: str) -> None:
        with database.engine.execution_options(lectern_writes="FULL").begin() as connection:
            config.attributes["connection"] = connection
            (command.upgrade if to == "head" else command.downgrade)(config, to)

    migrate("202611221730")
    with database.writing() as db:
        for email in ("ａｄａ@example.org", "ｂｏｂ@example.org", "bob@example.org"):
            db.execute(  # in the columns of that time
                text(
                    "INSERT INTO user_account (email, role, created_at, time_multiplier, stored_bytes) "
                    "VALUES (:email, 'student', '2026-11-22 12:00:00', 1, 0)"
                ),
                {"email": email},
            )
    migrate("head")
    with database.reading() as db:
        assert user_by_email(db, accounts.read_email("ａｄａ@example.org")) is not None
        bob = user_by_email(db, accounts.read_email("ｂｏｂ@example.org"))
        assert bob is not None
        assert bob.id == 3  # whose address it is; nobody gets into another's account
    database.close()
