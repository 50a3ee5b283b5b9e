"""You change a password that you know; other sessions end, and a copy of this one's cookie is worth nothing."""

import httpx
import pytest

from app.people import accounts, password_change, passwords
from app.people.users import User
from tests.app.student import GATHER
from tests.conftest import Running

ADA, OLD, NEW = "ada@example.org", "a wide enough password", "another wide password"
BROWSER = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def ada(server: Running) -> Running:
    accounts.add_user(server.state.db, ADA, "student", OLD)
    return server


def sign_in(server: Running, password: str) -> int:
    with server.client() as client:
        return client.post("/api/v1/sessions", json={"email": ADA, "password": password}).status_code


def change(client: httpx.Client, current: str = OLD, password: str = NEW) -> httpx.Response:
    return client.post("/me/password", data={"current": current, "password": password})


def is_open(server: Running, **headers: str) -> bool:
    with server.client(**headers) as client:
        return client.get("/api/v1/me/progress").status_code == 200


def test_a_password_is_changed_and_every_other_session_ends(ada: Running) -> None:
    token = accounts.make_token(ada.state.db, ADA)
    with ada.client(**BROWSER) as client:
        client.post("/sessions", data={"email": ADA, "password": OLD})
        assert "Change your password" in client.get("/me").text
        stolen = client.cookies["lectern"]
        assert is_open(ada, Cookie=f"lectern={stolen}")
        done = change(client)
        assert (done.status_code, done.headers["location"]) == (303, "/me/password/changed")
        assert ADA in client.get("/me/password/changed").text
        assert not is_open(ada, Cookie=f"lectern={stolen}")
        assert is_open(ada, Cookie=f"lectern={client.cookies['lectern']}")
    assert not is_open(ada, Authorization=f"Bearer {token}")
    assert (sign_in(ada, OLD), sign_in(ada, NEW)) == (401, 201)


def test_a_program_keeps_its_own_token(ada: Running) -> None:
    mine, other = (accounts.make_token(ada.state.db, ADA) for _ in range(2))
    with ada.client(Authorization=f"Bearer {mine}") as client:
        assert change(client).status_code == 303
        assert client.get("/api/v1/me/progress").status_code == 200
    assert not is_open(ada, Authorization=f"Bearer {other}")


def test_who_does_not_know_the_password_changes_nothing_and_has_ten_tries(ada: Running) -> None:
    with ada.client(**BROWSER) as client:
        client.post("/sessions", data={"email": ADA, "password": OLD})
        for current in ("", "not this one", OLD.upper()):
            answer = change(client, current)
            assert (answer.status_code, "this is not your password" in answer.text) == (403, True)
        for _ in range(6):
            change(client, "guess after guess")
        assert change(client).status_code == 429
        assert ADA in client.get("/me").text
    with ada.client() as other:  # of the allowance for signing in
        assert other.post("/api/v1/sessions", json={"email": ADA, "password": OLD}).status_code == 429


def test_a_weak_password_is_refused_and_says_where(ada: Running) -> None:
    with ada.client(**BROWSER) as client:
        client.post("/sessions", data={"email": ADA, "password": OLD})
        for weak in ("short", "password123", "ada@example.org"):
            answer = change(client, password=weak)
            assert answer.status_code == 422
            assert 'aria-describedby="password-means problem" aria-invalid="true"' in answer.text
    assert sign_in(ada, OLD) == 201


def test_another_site_changes_nothing(ada: Running) -> None:
    with ada.client(**BROWSER) as client:
        client.post("/sessions", data={"email": ADA, "password": OLD})
        client.headers["Sec-Fetch-Site"] = "cross-site"
        assert change(client).status_code == 403
    assert sign_in(ada, OLD) == 201


def test_who_has_no_password_is_told_how_to_get_one(server: Running) -> None:
    accounts.add_user(server.state.db, ADA, "student", None)
    token = accounts.make_token(server.state.db, ADA)
    with server.client(Authorization=f"Bearer {token}", **BROWSER) as client:
        assert "has no password" in client.get("/me/password").text
        assert "Choose a password" in client.get("/me").text
        assert change(client, "").status_code == 409
    with server.client(**BROWSER) as client:
        assert "no account yet" in client.get("/me/password").text
        assert change(client).status_code == 401
        client.post(f"/exercises/{GATHER}/submissions", data={"source": "x = 1"})
        assert "no account yet" in client.get("/me/password").text
        assert change(client).status_code == 409
        assert "/me/password" not in client.get("/me").text


def test_a_password_that_changes_meanwhile_stays(ada: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def verified_too_late(hashed: str | None, password: str) -> bool:
        with ada.state.db.writing() as db:
            db.query(User).one().password_hash = passwords.hash_again("what the owner chose")
        return passwords.verify(hashed, password)

    with ada.client(**BROWSER) as client:
        client.post("/sessions", data={"email": ADA, "password": OLD})
        monkeypatch.setattr(password_change, "verify", verified_too_late)
        assert change(client).status_code == 401
    assert (sign_in(ada, NEW), sign_in(ada, "what the owner chose")) == (401, 201)
