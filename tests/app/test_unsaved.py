"""What authors type: kept, saved together, and never over what somebody else has saved."""

from collections.abc import Iterator

import httpx
import pytest

from app.people import accounts
from tests.conftest import Running


@pytest.fixture
def authors(server: Running) -> Iterator[tuple[httpx.Client, httpx.Client]]:
    clients = []
    for email in ("ada@example.org", "bob@example.org"):
        accounts.add_user(server.state.db, email, "instructor", "a wide enough password")
        clients.append(server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, email)}"))
    files = {"exercise.toml": 'title = "T"\n', "statement.md": "One.\n", "hints.md": "1. A.\n"}
    clients[0].post("/api/v1/exercises/kept-texts/revisions", json={"files": files}).raise_for_status()
    yield clients[0], clients[1]
    for client in clients:
        client.close()


def base(client: httpx.Client) -> str:
    return str(client.get("/api/v1/exercises/kept-texts/files").json()["revision"])


def files(client: httpx.Client) -> dict[str, str]:
    return dict(client.get("/api/v1/exercises/kept-texts/files").json()["files"])


def keep(client: httpx.Client, path: str, text: str, began: str, revision: int = 0) -> httpx.Response:
    sent = {"text": text, "base": began, "revision": revision}
    return client.put(f"/api/v1/exercises/kept-texts/unsaved/{path}", json=sent)


def save(client: httpx.Client, path: str, text: str, began: str, revision: int = 0) -> httpx.Response:
    form = {"path": path, "text": text.replace("\n", "\r\n"), "base": began, "unsaved": str(revision)}
    return client.post("/author/exercise/kept-texts/revisions", data=form)


def test_a_second_tab_is_told_what_the_first_typed(authors: tuple[httpx.Client, httpx.Client]) -> None:
    ada, bob = authors
    began = base(ada)
    first = keep(ada, "hints.md", "1. B.\n", began)
    assert (first.status_code, first.json().get("revision")) == (200, 1), first.text
    other = keep(ada, "hints.md", "1. C.\n", began)
    assert (other.status_code, other.json()["unsaved"]["text"]) == (409, "1. B.\n")
    assert keep(ada, "hints.md", "1. C.\n", began, 1).json()["revision"] == 2
    assert keep(bob, "hints.md", "1. D.\n", began).json()["revision"] == 1, "another's texts are no business of hers"
    assert "1. C." in ada.get("/author/exercise/kept-texts?file=hints.md").text
    assert "1. C." not in bob.get("/author/exercise/kept-texts?file=hints.md").text
    assert files(ada)["hints.md"] == "1. A.\n", "nothing is a revision yet"


def test_saving_makes_one_revision_of_all_that_was_typed(authors: tuple[httpx.Client, httpx.Client]) -> None:
    ada, bob = authors
    began = base(ada)
    keep(ada, "hints.md", "1. B.\n", began)
    assert save(bob, "exercise.toml", 'title = "U"\n', began).status_code == 303
    # Bob touched another file: the two come together by themselves.
    assert save(ada, "statement.md", "Two.\n", began).headers["location"].endswith("?file=statement.md")
    assert files(ada) == {"exercise.toml": 'title = "U"\n', "statement.md": "Two.\n", "hints.md": "1. B.\n"}
    assert len(ada.get("/api/v1/exercises/kept-texts/revisions").json()["revisions"]) == 3


def test_what_two_have_changed_is_shown_side_by_side(authors: tuple[httpx.Client, httpx.Client]) -> None:
    ada, bob = authors
    began = base(ada)
    save(bob, "statement.md", "Bob’s.\n", began)
    clash = save(ada, "statement.md", "Ada’s.\n", began)
    assert clash.headers["location"] == "/author/exercise/kept-texts/clashes"
    assert files(ada)["statement.md"] == "Bob’s.\n"
    page = ada.get(clash.headers["location"]).text
    assert "Bob’s." in page
    assert "Ada’s." in page
    chosen = {"base": base(ada), "keep:statement.md": "right"}
    assert ada.post("/author/exercise/kept-texts/clashes", data=chosen).status_code == 303
    assert files(ada)["statement.md"] == "Bob’s.\n"
    # What gave way is in the history.
    revisions = ada.get("/api/v1/exercises/kept-texts/revisions").json()["revisions"]
    aside = next(one["revision"] for one in revisions if one["message"].startswith("Set aside"))
    one = ada.get(f"/api/v1/exercises/kept-texts/revisions/{aside}").json()
    assert "+Ada’s." in one["difference"][0]["diff"]
    assert ada.get("/author/exercise/kept-texts/clashes").status_code == 303, "nothing is left to decide"


def test_students_see_no_page_of_the_desk(server: Running, authors: tuple[httpx.Client, httpx.Client]) -> None:
    accounts.add_user(server.state.db, "sue@example.org", "student", "a wide enough password")
    token = accounts.make_token(server.state.db, "sue@example.org")
    place = "/author/exercise/kept-texts"
    with server.client(Authorization=f"Bearer {token}") as sue:
        for path in ("/author", place, f"{place}/revisions", f"{place}/name", f"{place}/conflict", f"{place}/clashes"):
            assert sue.get(path).status_code == 404, path
        for path, form in (
            ("/author", {"kind": "exercise", "name": "mine"}), (f"{place}/copies", {"name": "mine"}),
            (f"{place}/names", {"name": "mine"}), (f"{place}/files", {"change": "delete", "path": "hints.md"}),
            (f"{place}/publications", {"revision": "x"}), (f"{place}/restorations", {"revision": "x", "base": "y"}),
        ):  # fmt: skip
            assert sue.post(path, data=form).status_code == 404, path
        assert save(sue, "hints.md", "x", "y").status_code == 404
        assert keep(sue, "hints.md", "x", "y").status_code == 404
        assert sue.post(f"{place}/pictures?name=x.png", content=b"\x89PNG\r\n\x1a\n").status_code == 404
        assert sue.post(f"{place}/views", json={"path": "hints.md", "text": "x"}).status_code == 404
