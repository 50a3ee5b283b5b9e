"""Guests, accounts, cookies and tokens."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Literal

import httpx
import pytest
from argon2 import Parameters, PasswordHasher, extract_parameters
from sqlalchemy import event, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from app.people import accounts, passwords, sessions
from app.people.users import Login, User
from app.web import limits
from app.web.day import COOKIE
from app.web.errors import Invalid, RateLimited
from app.web.limits import Rate
from tests.conftest import Running, Serve
from tests.waiting import LIMIT_SECONDS

GATHER = "learned-absolute-position-embedding"
PASSWORD = "a wide enough password"
NOBODY = passwords._nobody  # before the fixture that makes passwords quick
JSON = {"Content-Type": "application/json"}
BROWSER = {"Sec-Fetch-Site": "same-origin"}


def sign_up(client: httpx.Client, email: str = "ada@example.org", password: str = PASSWORD) -> httpx.Response:
    return client.post("/api/v1/users", content=json.dumps({"email": email, "password": password}), headers=JSON)


def submit(client: httpx.Client) -> int:
    answer = client.post(f"/api/v1/exercises/{GATHER}/submissions", json={"source": "x = 1"})
    assert answer.status_code == 202, answer.text
    return int(answer.json()["id"])


def test_a_guest_is_made_for_the_asking(server: Running) -> None:
    with server.client() as client:
        answer = client.post("/api/v1/sessions", json={})
    assert answer.status_code == 201
    body = answer.json()
    assert set(body) == {"token", "user"}
    assert body["user"]["role"] == "guest"
    assert isinstance(body["user"]["id"], int)
    assert "set-cookie" not in answer.headers  # a program keeps the token; a cookie beside it would be in its way


def test_a_reader_leaves_no_row(server: Running) -> None:
    with server.client() as client:
        for path in ("/", "/api/v1/exercises", f"/api/v1/exercises/{GATHER}", "/exercises"):
            assert client.get(path).status_code == 200, path
    with server.state.db.reading() as db:
        assert db.query(Login).count() == 0


def test_signing_up_keeps_the_guests_work_and_the_person(server: Running) -> None:
    with server.guest() as client:
        id = submit(client)
        answer = sign_up(client)
        assert answer.status_code == 201, answer.text
        assert answer.json()["user"]["role"] == "student"
        assert client.get(f"/api/v1/submissions/{id}").status_code == 200  # the program's own token goes on
        token = answer.json()["token"]
    with server.client(Authorization=f"Bearer {token}") as client:
        assert client.get(f"/api/v1/submissions/{id}").status_code == 200


def test_signing_in_brings_the_guests_work_into_the_account(server: Running) -> None:
    with server.client() as client:
        account = sign_up(client).json()["user"]["id"]
    with server.guest() as client:
        id = submit(client)
        answer = client.post("/api/v1/sessions", json={"email": "ada@example.org", "password": PASSWORD})
        assert answer.status_code == 201
        assert answer.json()["user"] == {"id": account, "role": "student"}
        assert client.get(f"/api/v1/submissions/{id}").status_code == 401  # the guest is no more
    with server.client(Authorization=f"Bearer {answer.json()['token']}") as client:
        assert client.get(f"/api/v1/submissions/{id}").status_code == 200


def test_both_used_the_same_idempotency_key_and_may_still_be_merged(server: Running) -> None:
    key = {"Idempotency-Key": "one"}
    path = f"/api/v1/exercises/{GATHER}/submissions"
    with server.client() as client:
        token = sign_up(client).json()["token"]
    with server.client(Authorization=f"Bearer {token}") as client:
        first = client.post(path, json={"source": "x = 1"}, headers=key).json()["id"]
    with server.guest() as client:
        second = client.post(path, json={"source": "x = 2"}, headers=key).json()["id"]
        assert (
            client.post("/api/v1/sessions", json={"email": "ada@example.org", "password": PASSWORD}).status_code == 201
        )
    with server.client(Authorization=f"Bearer {token}") as client:
        assert client.get(f"/api/v1/submissions/{second}").status_code == 200
        assert client.post(path, json={"source": "x = 1"}, headers=key).json()["id"] == first


def test_a_session_ends_when_it_is_ended(server: Running) -> None:
    with server.guest() as client:
        assert client.get("/api/v1/me/progress").status_code == 200
        ended = client.delete("/api/v1/sessions/current")
        assert ended.status_code == 204
        assert "set-cookie" not in ended.headers, "a program has none"
        gone = client.get("/api/v1/me/progress")
    assert gone.status_code == 401
    assert gone.json()["error"]["code"] == "unauthenticated"
    assert gone.headers["www-authenticate"] == "Bearer"


def test_a_browser_that_signs_out_forgets_its_cookie(server: Running) -> None:
    with server.client(**BROWSER) as client:
        submit(client)
        assert "lectern" in client.cookies
        assert client.delete("/api/v1/sessions/current").status_code == 204
        assert "lectern" not in client.cookies


def test_nobody_ends_a_session_without_one(server: Running) -> None:
    with server.client(**BROWSER) as client:
        assert client.delete("/api/v1/sessions/current").status_code == 401


def test_a_password_is_hashed_again_only_where_its_cost_is_no_longer_ours(server: Running) -> None:
    def stored() -> str:
        with server.state.db.reading() as db:
            return str(db.query(User).one().password_hash)

    with server.client() as client:
        sign_up(client).raise_for_status()
        credentials = {"email": "ada@example.org", "password": PASSWORD}
        first = stored()
        client.post("/api/v1/sessions", json=credentials).raise_for_status()
        assert stored() == first
        cheap = PasswordHasher(time_cost=1, memory_cost=16, parallelism=1).hash(PASSWORD)
        with server.state.db.writing() as db:
            db.query(User).one().password_hash = cheap
        client.post("/api/v1/sessions", json=credentials).raise_for_status()
        assert stored() != cheap
        assert not passwords.needs_hash_again(stored())
        client.post("/api/v1/sessions", json=credentials).raise_for_status()


def test_a_session_ends_when_it_is_old(serve: Serve) -> None:
    server = serve()
    with server.guest() as client:
        with server.state.db.writing() as db:
            for login in db.query(Login):
                login.expires_at = login.created_at
        assert client.get("/api/v1/me/progress").status_code == 401


def test_tokens_are_not_in_the_database(server: Running) -> None:
    with server.client() as client:
        token = client.post("/api/v1/sessions", json={}).json()["token"]
    with server.state.db.reading() as db:
        stored = db.query(Login).one().token_hash
    assert len(token) >= 43  # 256 bits
    assert token.encode() not in stored


def test_a_wrong_password_and_an_unknown_address_are_told_alike(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasher = passwords._hasher
    costs: list[Parameters] = []

    class Noting(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
            costs.append(extract_parameters(str(hash)))
            return hasher.verify(hash, password)

    assert not PasswordHasher().check_needs_rehash(NOBODY), "nobody's costs as much as anybody's"
    monkeypatch.setattr(passwords, "_hasher", Noting(hasher.time_cost, hasher.memory_cost, hasher.parallelism))
    with server.client() as client:
        sign_up(client)
        costs.clear()
        answers = [
            client.post("/api/v1/sessions", json={"email": email, "password": "not this one"})
            for email in ("ada@example.org", "nobody@example.org", "no address")
        ]
    assert [answer.status_code for answer in answers] == [401, 401, 401]
    assert answers[0].json() == answers[1].json() == answers[2].json()
    assert len(costs) == 3, "a hash was verified each time"
    assert costs[0] == costs[1] == costs[2]


@pytest.mark.parametrize("password", ["", "short", "x" * 1001])
def test_a_password_has_a_length(server: Running, password: str) -> None:
    with server.client() as client:
        answer = sign_up(client, password=password)
    assert answer.status_code == 422
    assert "password" in answer.json()["error"]["message"]


@pytest.mark.parametrize("length", [passwords.PASSWORD_MIN_LENGTH, passwords.PASSWORD_MAX_LENGTH])
def test_the_shortest_and_the_longest_password_open_what_they_were_set_for(length: int) -> None:
    password = ("a wide enough password, " * 100)[:length]
    assert passwords.verify(passwords.hash_password(password), password)


@pytest.mark.parametrize("length", [passwords.PASSWORD_MIN_LENGTH - 1, passwords.PASSWORD_MAX_LENGTH + 1])
def test_a_password_beyond_its_limits_is_nobodys(length: int) -> None:
    with pytest.raises(Invalid, match="password"):
        passwords.hash_password("x" * length)


@pytest.mark.parametrize(
    "spellings", [("ada@example.org", " ADA@example.org", "\uff41da@example.org"), ("ada", "ADA", " ada")]
)
def test_other_spellings_of_an_address_have_no_tries_of_their_own(
    server: Running, monkeypatch: pytest.MonkeyPatch, spellings: tuple[str, ...]
) -> None:
    monkeypatch.setitem(limits.PERSON, "sign_in", Rate(2, 1e-6))
    with server.client() as client:
        tries = [client.post("/api/v1/sessions", json={"email": email, "password": "wrong"}) for email in spellings]
        other = client.post("/api/v1/sessions", json={"email": "grace@example.org", "password": "wrong"})
    assert [one.status_code for one in (*tries, other)] == [401, 401, 429, 401]


@pytest.mark.parametrize(
    "email", ["ada", "ada@", "@example.org", "a b@example.org", "ada@example.org\0", "\ud800@example.org"]
)
def test_an_address_is_an_address(server: Running, email: str) -> None:
    with server.client() as client:
        assert sign_up(client, email=email).status_code == 422


def test_a_password_may_be_anything_typed(server: Running) -> None:
    password = "half a pair \ud800, a NUL \0, \N{SNOWMAN}"
    with server.client() as client:
        assert sign_up(client, password=password).status_code == 201
        body = json.dumps({"email": "ada@example.org", "password": password})
        assert client.post("/api/v1/sessions", content=body, headers=JSON).status_code == 201


def test_one_address_is_one_account_however_it_is_spelled(server: Running) -> None:
    with server.client() as client:
        assert sign_up(client, email="Ada@Example.org").status_code == 201
    with server.client() as client:
        answer = sign_up(client, email=" ada@example.ORG ")
        assert answer.status_code == 409
        assert answer.json()["error"]["code"] == "conflict"
        signed_in = client.post("/api/v1/sessions", json={"email": "ADA@example.org", "password": PASSWORD})
        assert signed_in.status_code == 201


def test_half_of_the_credentials_is_no_guest(server: Running) -> None:
    with server.client() as client:
        assert client.post("/api/v1/sessions", json={"email": "ada@example.org"}).status_code == 422
        assert client.post("/api/v1/sessions", json={"name": "ada"}).status_code == 422


def test_a_browser_gets_a_cookie_and_a_new_one_when_it_signs_in(server: Running) -> None:
    with server.client(**BROWSER) as client:
        submit(client)
        first = client.cookies["lectern"]
        sign_up(client)
        second = client.cookies["lectern"]
        assert second != first
    with server.client(Cookie=f"lectern={first}") as client:  # attack: a cookie planted before the sign-up
        assert client.get("/api/v1/me/progress").status_code == 401
    with server.client(Cookie=f"lectern={second}") as client:
        assert client.get("/api/v1/me/progress").status_code == 200


def test_the_cookie_is_out_of_reach_of_scripts(server: Running) -> None:
    with server.client(**BROWSER) as client:
        cookie = client.post(f"/api/v1/exercises/{GATHER}/submissions", json={"source": ""}).headers["set-cookie"]
    assert cookie.startswith("lectern=")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    assert "Secure" not in cookie  # plain http: a browser would drop it


def test_on_https_the_cookie_is_bound_to_the_host(serve: Serve) -> None:
    server = serve(origin="https://lectern.example.org")
    with server.client(**BROWSER) as client:
        answer = client.post(f"/api/v1/exercises/{GATHER}/submissions", json={"source": ""})
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-lectern=")
    assert "Secure" in cookie
    assert "Domain" not in cookie
    assert "strict-transport-security" in answer.headers


def test_a_program_without_a_token_is_told_to_get_one_and_becomes_nobody(server: Running) -> None:
    path = f"/api/v1/exercises/{GATHER}/submissions"
    with server.client() as client:
        refused = client.post(path, json={"source": "x = 1"})
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert "/api/v1/sessions" in refused.json()["error"]["hint"]
    with server.state.db.reading() as db:
        assert db.query(User).count() == 0
    with server.client(**BROWSER) as browser:
        assert browser.post(path, json={"source": "x = 1"}).status_code == 202
    with server.state.db.reading() as db:
        assert db.query(User).count() == 1


def test_an_old_cookie_is_a_new_visitor(server: Running) -> None:
    with server.client(Cookie="lectern=stale", **BROWSER) as client:
        assert client.get("/").status_code == 200
        assert submit(client)


def test_by_invitation_nobody_comes_in_alone(serve: Serve) -> None:
    server = serve(registration="invitation")
    accounts.add_user(server.state.db, "ada@example.org", "student", PASSWORD)
    with server.client() as client:
        assert client.post("/api/v1/sessions", json={}).status_code == 403
        assert sign_up(client, email="eve@example.org").status_code == 403
        signed_in = client.post("/api/v1/sessions", json={"email": "ada@example.org", "password": PASSWORD})
        assert signed_in.status_code == 201


def test_the_command_line_adds_people_and_makes_tokens(server: Running) -> None:
    accounts.add_user(server.state.db, "grace@example.org", "instructor", None)
    token = accounts.make_token(server.state.db, "Grace@example.org")
    with server.guest() as student:
        id = submit(student)
    with server.client(Authorization=f"Bearer {token}") as instructor:
        assert instructor.get(f"/api/v1/submissions/{id}").status_code == 200
    with server.client() as client:  # nobody can guess a password that is not there
        wrong = client.post("/api/v1/sessions", json={"email": "grace@example.org", "password": PASSWORD})
    assert wrong.status_code == 401


@pytest.mark.parametrize(("role", "status"), [("student", 403), ("instructor", 200), ("admin", 200)])
def test_the_sites_own_figures_are_for_staff(server: Running, role: str, status: int) -> None:
    accounts.add_user(server.state.db, "grace@example.org", role, None)
    token = accounts.make_token(server.state.db, "grace@example.org")
    with server.client(Authorization=f"Bearer {token}") as person, server.guest() as guest, server.client() as nobody:
        assert [client.get("/metrics").status_code for client in (person, guest, nobody)] == [status, 403, 401]


def test_no_character_that_nobody_sees_makes_another_account() -> None:
    """Of each stretch of them the first and the last; what stands beside it is seen."""
    unseen = (
        0xAD,
        0x34F,
        0x115F,
        0x1160,
        0x17B4,
        0x17B5,
        0x180B,
        0x180F,
        0x200B,
        0x3164,
        0xFE00,
        0xFE0F,
        0xFFA0,
        0xE0100,
        0xE01EF,
    )
    for number in unseen:
        assert accounts.readable_email(f"a{chr(number)}da@example.org") == "ada@example.org", hex(number)
    for number in (
        0x34E,
        0x350,
        0x115E,
        0x1161,
        0x17B3,
        0x17B6,
        0x180A,
        0x1810,
        0x3163,
        0x3165,
        0xFE10,
        0xFF9F,
        0xFFA1,
    ):
        assert accounts.readable_email(f"a{chr(number)}da@example.org") != "ada@example.org", hex(number)


def test_who_has_an_account_signs_out_before_making_another(server: Running) -> None:
    with server.client() as client:
        token = sign_up(client).json()["token"]
    with server.client(Authorization=f"Bearer {token}") as ada:
        answer = sign_up(ada, email="another@example.org", password="another wide password")
        assert answer.status_code == 409
        assert answer.json()["error"]["hint"] == "Sign out first to create another one."
    with server.state.db.reading() as db:
        assert list(db.scalars(select(User.email))) == ["ada@example.org"]


@pytest.mark.parametrize("change", ["another password", "removed"])
@pytest.mark.parametrize("wish", ["sign in", "leave"])
def test_a_password_that_changes_while_it_is_verified_opens_nothing(
    server: Running, monkeypatch: pytest.MonkeyPatch, wish: str, change: str
) -> None:
    with server.client() as client:
        token = sign_up(client).json()["token"]

    def verified_too_late(hashed: str | None, password: str) -> bool:
        with server.state.db.writing() as db:
            ada = db.scalars(select(User).where(User.email == "ada@example.org")).one()
            if change == "removed":
                db.delete(ada)
            else:
                ada.password_hash = passwords.hash_again("another wide password")
        return passwords.verify(hashed, password)

    monkeypatch.setattr(sessions, "verify", verified_too_late)
    with server.client() as client:
        if wish == "sign in":
            answer = client.post("/api/v1/sessions", json={"email": "ada@example.org", "password": PASSWORD})
        else:
            body, bearer = {"password": PASSWORD}, {"Authorization": f"Bearer {token}"}
            answer = client.request("DELETE", "/api/v1/me", json=body, headers=bearer)
    assert answer.status_code == 401, answer.text
    with server.state.db.reading() as db:
        assert list(db.scalars(select(User.email))) == ([] if change == "removed" else ["ada@example.org"])


def test_a_guest_who_signs_up_with_a_taken_address_is_told_so_on_the_page(server: Running) -> None:
    with server.client() as client:
        sign_up(client)
    with server.client(**BROWSER) as client:
        client.post(f"/exercises/{GATHER}/submissions", data={"source": "x = 1"})
        before = client.cookies["lectern"]
        answer = client.post("/users", data={"email": "ada@example.org", "password": PASSWORD})
        assert answer.status_code == 409
        assert "already an account" in answer.text
        assert "Sign out" not in answer.text  # still the guest they were
        assert client.cookies["lectern"] == before
        assert client.get("/progress").text.count("sent once") == 1


def test_a_session_that_could_not_be_stored_takes_no_cookie_away(server: Running) -> None:
    def no_room(session: Session) -> None:
        raise OperationalError("COMMIT", None, Exception("database or disk is full"))

    with server.client(**BROWSER) as client:
        client.post(f"/exercises/{GATHER}/submissions", data={"source": "x = 1"})
        before = client.cookies["lectern"]
        event.listen(Session, "before_commit", no_room)
        try:
            answer = client.post("/users", data={"email": "ada@example.org", "password": PASSWORD})
        finally:
            event.remove(Session, "before_commit", no_room)
        assert answer.status_code == 507
        assert "ada@example.org" not in answer.text
        assert client.cookies["lectern"] == before
        assert "sent once" in client.get("/progress").text


def test_two_clicks_at_once_are_two_turns(server: Running) -> None:
    """Marked as read twice, and signed in, all at once: each finds what the one before left, and none fails."""
    account = {"email": "ada@example.org", "password": PASSWORD}
    with server.client() as client:
        sign_up(client)
    for _ in range(5):
        with server.client(**BROWSER) as browser, ThreadPoolExecutor(8) as people:
            browser.post("/courses/positions/why-order-matters/reads")
            cookie = {**BROWSER, "Cookie": f"lectern={browser.cookies['lectern']}"}
            with server.client(**cookie) as client:
                read = [people.submit(client.post, "/courses/positions/learned-embeddings/reads") for _ in range(6)]
                desk = f"/exercises/{GATHER}/submissions"
                sent = [people.submit(client.post, desk, data={"source": str(one) * 70_000}) for one in range(6)]
                people.submit(client.post, "/sessions", data=account)
                assert {one.result().status_code for one in read} == {303}
                # 404: it came in as the guest's, and was the account's before the answer was written
                assert {one.result().status_code for one in sent} <= {303, 404}


def test_each_address_has_its_own_turns(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(limits.ADDRESS, "guest", Rate(5, 1e-6))  # none comes back while a process stands still
    other = httpx.HTTPTransport(local_address="127.0.0.2", verify=False)
    with (
        server.client() as here,
        httpx.Client(base_url=server.url, transport=other, timeout=LIMIT_SECONDS) as elsewhere,
    ):
        with suppress(RateLimited):
            for _ in range(10_000):
                server.state.limits.spend("guest", address="127.0.0.1")
        assert here.post("/api/v1/sessions", json={}).status_code == 429
        assert elsewhere.post("/api/v1/sessions", json={}).status_code == 201


def test_where_somebody_is_stays_known_when_a_program_says_nothing_of_it(server: Running) -> None:
    def write(offset: str) -> int | None:
        client.headers["Cookie"] = offset
        submit(client)
        with server.state.db.reading() as db:
            return db.scalars(select(User.utc_offset_minutes)).one()

    with server.guest() as client:
        offsets = [write(f"{COOKIE}={minutes}") if minutes else write("") for minutes in ("", "120", "", "x", "-60")]
    assert offsets == [None, 120, 120, 120, -60]
