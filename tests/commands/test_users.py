"""`users` as an operator types it: passwords, roles, and the list."""

import pytest

from tests.commands.conftest import Command

ADA, GRACE = "ada@example.org", "grace@example.org"


@pytest.fixture
def staffed(lectern: Command) -> Command:
    """A data folder with two accounts: one with a password, one with a token."""
    added = lectern("users", "add", ADA, "--role", "instructor", "--password-stdin", stdin="a long enough one\n")
    assert added.code == 0, added.err
    assert lectern("users", "add", GRACE, "--role", "student").code == 0
    return lectern


def test_accounts_are_listed(staffed: Command) -> None:
    assert staffed("users", "token", GRACE).code == 0
    listed = staffed("users", "list", "--json")
    ada, grace = listed.json["users"]
    assert set(ada) == {"email", "role", "created_at", "signed_in_at", "disabled_at"}
    assert (ada["email"], ada["role"], ada["signed_in_at"]) == (ADA, "instructor", None)
    assert (grace["email"], grace["role"]) == (GRACE, "student")
    assert grace["signed_in_at"].endswith("Z")
    assert "argon2" not in listed.out
    lines = staffed("users", "list").out.splitlines()
    assert [line.split()[:2] for line in lines] == [[ADA, "instructor"], [GRACE, "student"]]
    assert "not signed in" in lines[0]
    assert "not signed in" not in lines[1]


def test_without_a_terminal_it_says_how_to_set_a_password(lectern: Command) -> None:
    added = lectern("users", "add", GRACE, "--role", "student")
    assert (added.code, added.out) == (0, f"{GRACE} is now a student.\n")
    for command in ("password", "token"):
        assert f"./lectern users {command} {GRACE}" in added.err


def test_no_accounts_are_said(lectern: Command) -> None:
    listed = lectern("users", "list")
    assert (listed.code, listed.out) == (0, "")
    assert "users add" in listed.err
    assert lectern("users", "list", "--json").json == {"users": []}


def test_a_password_is_set_and_sessions_end(staffed: Command) -> None:
    assert staffed("users", "token", GRACE).code == 0
    done = staffed("users", "password", GRACE, "--password-stdin", stdin="correct horse in a stable\n")
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{GRACE} has a new password. 1 session ended, API tokens included.\n"
    assert staffed("users", "list", "--json").json["users"][1]["signed_in_at"] is None
    assert "No sessions ended" in staffed("users", "password", ADA, "--password-stdin", stdin="a kettle of fish\n").out


def test_a_password_that_cannot_be_set_is_refused(staffed: Command) -> None:
    good = "a kettle of fish\n"
    for email, stdin, why in (
        (GRACE, "short\n", "at least 10"),
        (GRACE, "password123\n", "people try first"),
        (GRACE, "Grace2026!!\n", "too close"),
        ("nobody@example.org", good, "no account"),
        ("nonsense", good, "email"),
    ):
        refused = staffed("users", "password", email, "--password-stdin", stdin=stdin)
        assert (refused.code, refused.out, why in refused.err) == (2, "", True), refused.err
    without = staffed("users", "password", GRACE, stdin=good)
    assert (without.code, "--password-stdin" in without.err) == (2, True)


def test_roles_are_given_and_the_last_instructor_stays(staffed: Command) -> None:
    last = staffed("users", "role", ADA, "student")
    assert (last.code, last.out) == (2, "")
    assert "last instructor" in last.err
    assert staffed("users", "role", GRACE, "admin").out == f"{GRACE} is now an admin.\n"
    assert staffed("users", "role", ADA, "student").out == f"{ADA} is now a student.\n"
    assert [one["role"] for one in staffed("users", "list", "--json").json["users"]] == ["student", "admin"]
    for email, role, why in (
        (ADA, "guest", "no role"),
        (ADA, "boss", "no role"),
        ("x@example.org", "admin", "account"),
    ):
        refused = staffed("users", "role", email, role)
        assert (refused.code, why in refused.err) == (2, True), refused.err
