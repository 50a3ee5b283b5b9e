"""Hints: one at a time, in order, counted once, and in neither page nor API before."""

import httpx
import pytest
from sqlalchemy import func, select

from app.content.exercise import split_hints
from app.people import accounts
from app.practice.hints import HintOpened
from tests.conftest import Running

FLAX = "flax-learned-pos"
PAGE = f"/exercises/{FLAX}"
API = f"/api/v1/exercises/{FLAX}"
BROWSER = {"Sec-Fetch-Site": "same-origin"}
# Words of the second and third hint, in prose, as they stand in HTML
SECOND, THIRD = "In the function there are two calls", "The full declaration"


def rows(server: Running) -> int:
    with server.state.db.reading() as db:
        return db.scalar(select(func.count()).select_from(HintOpened)) or 0


def test_what_was_not_opened_is_in_neither_page_nor_api(server: Running) -> None:
    exercise = server.state.catalog.exercises[FLAX]
    assert SECOND in split_hints(exercise.hints)[1]
    assert THIRD in split_hints(exercise.hints)[2]
    with server.guest() as client:
        for opened in (0, 1):
            for path in (PAGE, API):
                text = client.get(path).text
                assert SECOND not in text
                assert THIRD not in text
            said = client.get(API).json()["hints"]
            assert (said["of"], len(said["opened"])) == (3, opened)
            if not opened:
                client.post(f"{API}/hints", json={}).raise_for_status()


def test_they_open_in_order_and_stay_open(server: Running) -> None:
    with server.guest() as client:
        first = client.post(f"{API}/hints", json={}).raise_for_status().json()
        assert (first["number"], first["of"]) == (1, 3)
        second = client.post(f"{API}/hints", json={"number": 2}).json()
        assert second["number"] == 2
        assert SECOND in second["html"]
        assert client.get(API).json()["hints"] == {"of": 3, "opened": [first, second]}
        page = client.get(PAGE).text
    assert "2 of 3 hints opened" in page
    assert "Hint 3 of 3" in page
    assert SECOND in page
    assert THIRD not in page


def test_nobody_skips_ahead(server: Running) -> None:
    with server.guest() as client:
        answer = client.post(f"{API}/hints", json={"number": 2})
        assert answer.status_code == 409
        assert "Open hint 1 first" in answer.json()["error"]["hint"]
        assert client.post(f"{API}/hints", json={"number": 0}).status_code == 422
        for _ in range(3):
            client.post(f"{API}/hints", json={}).raise_for_status()
        assert client.post(f"{API}/hints", json={"number": 4}).status_code == 404
    assert rows(server) == 3


def test_a_double_click_counts_once(server: Running) -> None:
    with server.guest() as client:
        for _ in range(2):
            answer = client.post(f"{API}/hints", json={"number": 1})
            assert (answer.status_code, answer.json()["number"]) == (200, 1)
    assert rows(server) == 1


def test_without_a_script_the_desk_opens_at_the_hint(server: Running) -> None:
    with server.client(**BROWSER) as client:
        answer = client.post(f"{PAGE}/hints", data={"number": "1"})
        assert (answer.status_code, answer.headers["location"]) == (303, f"{PAGE}#hint-1")
        assert 'id="hint-1"' in client.get(PAGE).text
        part = client.post(f"{PAGE}/hints", data={"number": "2"}, headers={"Lectern-Partial": "1"})
    assert part.text.lstrip().startswith("<section")
    assert SECOND in part.text
    assert THIRD not in part.text


@pytest.mark.parametrize("other", ["guest", "nobody"])
def test_they_are_opened_for_oneself_only(server: Running, other: str) -> None:
    with server.guest() as client:
        client.post(f"{API}/hints", json={}).raise_for_status()
    with server.guest() if other == "guest" else server.client() as somebody:
        assert somebody.get(API).json()["hints"]["opened"] == []


def test_signing_in_brings_the_guests_hints_along(server: Running) -> None:
    accounts.add_user(server.state.db, "ada@example.org", "student", "a wide enough password")
    token = accounts.make_token(server.state.db, "ada@example.org")
    with server.client(Authorization=f"Bearer {token}") as ada, server.guest() as guest:
        ada.post(f"{API}/hints", json={}).raise_for_status()
        for _ in range(2):
            guest.post(f"{API}/hints", json={}).raise_for_status()
        sign_in(guest)
        assert len(ada.get(API).json()["hints"]["opened"]) == 2
    assert rows(server) == 2


def sign_in(client: httpx.Client) -> None:
    body = {"email": "ada@example.org", "password": "a wide enough password"}
    client.post("/api/v1/sessions", json=body).raise_for_status()
