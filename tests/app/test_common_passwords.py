"""What people try first is nobody's password; what only looks like it may be one; and older ones still open."""

import pytest

from app.people import accounts, passwords
from app.people.common_passwords import LIST
from app.people.users import Role, add_user
from app.web.errors import Invalid
from tests.conftest import Running

ADA = "ada.lovelace@example.org"
COMMON = [
    "password123",
    "PASSWORD123",
    "Qwertyuiop",
    "1234567890",
    "Sunshine2024!",
    "!!dragon1987!!",
    "passwordpassword",
    "password password",
    "Correct Horse Battery Staple",
    "xxxxxxxxxxxx",
    "abcabcabcabca",
    "dragondragon",
    "!!!!!!!!!!!!",
]
NAMES = [ADA, "ada.lovelace", "AdaLovelace99!", "lectern2026", "Lectern-lectern"]
OWN = [
    "a wide enough password",
    "dragon 4815 kettle",
    "sunshine on the third tuesday",
    "master-90210-48151",  # a common word, and eleven signs that nobody knows
    "ada and the analytical engine",
    "abcdabcdzabcd",
    "ünlü şairlerden biri",
    "短いけれど忘れられない文章",
]


def refusal(password: str) -> str:
    try:
        passwords.require_password(password, ADA)
    except Invalid as invalid:
        return invalid.message
    return ""


def test_a_common_password_is_refused() -> None:
    assert [password for password in COMMON if "people try first" not in refusal(password)] == []


def test_the_accounts_own_name_is_refused() -> None:
    assert [password for password in NAMES if "too close to your e-mail" not in refusal(password)] == []


def test_what_only_looks_like_it_is_a_password() -> None:
    assert [password for password in OWN if refusal(password)] == []


def test_another_persons_name_is_no_name_of_yours() -> None:
    passwords.require_password("AdaLovelace99!", "grace@example.org")


def test_the_list_is_as_it_is_read() -> None:
    lines = [line for line in LIST.read_text().splitlines() if not line.startswith("# ")]
    assert len(lines) == len(set(lines)) > 1000
    assert all(line == line.strip().casefold() and len(line) >= 4 for line in lines)


def test_signing_up_says_which_password_is_refused_and_what_to_do(server: Running) -> None:
    with server.client() as client:
        for password in ("password123", "Ada.Lovelace99"):
            answer = client.post("/api/v1/users", json={"email": ADA, "password": password})
            assert answer.status_code == 422
            assert "few words" in answer.json()["error"]["hint"]
        page = client.post(
            "/users", data={"email": ADA, "password": "password123"}, headers={"Sec-Fetch-Site": "same-origin"}
        )
    assert page.status_code == 422
    assert "people try first" in page.text
    assert 'aria-describedby="password-means problem"' in page.text


def test_the_command_line_refuses_it_too(server: Running) -> None:
    with pytest.raises(Invalid, match="people try first"):
        accounts.add_user(server.state.db, ADA, "student", "password123")


def test_one_that_somebody_has_already_still_opens(server: Running) -> None:
    with server.state.db.writing() as db:
        add_user(db, ADA, Role.student, passwords.hash_again("password123"))
    with server.client() as client:
        answer = client.post("/api/v1/sessions", json={"email": ADA, "password": "password123"})
    assert answer.status_code == 201
