"""A write with a cookie comes from our own pages, or not at all."""

import pytest

from tests.conftest import Running, Serve

PATH = "/api/v1/exercises/learned-absolute-position-embedding/submissions"
BODY = {"source": "x = 1"}


def cookie_of(server: Running) -> str:
    with server.client(**{"Sec-Fetch-Site": "same-origin"}) as client:
        assert client.post(PATH, json=BODY).status_code == 202
        return f"lectern={client.cookies['lectern']}"


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", ""])
def test_another_site_is_refused(server: Running, site: str) -> None:
    with server.client(Cookie=cookie_of(server), **{"Sec-Fetch-Site": site, "Origin": server.url}) as client:
        answer = client.post(PATH, json=BODY)
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "forbidden"


def test_our_own_page_is_let_in(server: Running) -> None:
    with server.client(Cookie=cookie_of(server), **{"Sec-Fetch-Site": "same-origin"}) as client:
        assert client.post(PATH, json=BODY).status_code == 202


def test_an_older_browser_names_its_origin(server: Running) -> None:
    cookie = cookie_of(server)
    for origin, status in ((server.url, 202), ("https://evil.example", 403), ("null", 403)):
        with server.client(Cookie=cookie, Origin=origin) as client:
            assert client.post(PATH, json=BODY).status_code == status, origin


def test_a_cookie_without_either_is_refused(server: Running) -> None:
    with server.client(Cookie=cookie_of(server)) as client:
        assert client.post(PATH, json=BODY).status_code == 403
        assert client.delete("/api/v1/sessions/current").status_code == 403
        assert client.get("/api/v1/me/progress").status_code == 200  # reading is no write


def test_a_bearer_token_needs_no_origin(server: Running) -> None:
    with server.guest() as client:
        assert client.post(PATH, json=BODY, headers={"Origin": "https://evil.example"}).status_code == 202


def test_a_program_without_a_session_is_told_to_get_one(server: Running) -> None:
    with server.client() as client:
        answer = client.post(PATH, json=BODY)
    assert answer.status_code == 401
    assert "/api/v1/sessions" in answer.json()["error"]["hint"]


def test_a_form_from_another_site_changes_nothing(server: Running) -> None:
    form = {"email": "ada@example.org", "password": "a wide enough password"}
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {}):
        with server.client(**headers) as client:
            assert client.post("/users", data=form).status_code == 403
            assert client.post("/sessions", data=form).status_code == 403


def test_the_public_address_is_the_origin(serve: Serve) -> None:
    server = serve(origin="http://lectern.test:81")
    for origin, status in (("http://lectern.test:81", 202), (server.url, 403)):
        with server.client(Origin=origin) as client:
            assert client.post(PATH, json=BODY).status_code == status, origin
