"""Drafts: saved as they are typed, never judged, and never overwritten by somebody who has not seen the other."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select

from app.people.users import User
from app.practice.drafts import Draft, newest
from app.practice.submissions import Submission
from tests.conftest import Running

GATHER = "learned-absolute-position-embedding"
PATH = f"/api/v1/exercises/{GATHER}/drafts/numpy"
SUBMISSIONS = f"/api/v1/exercises/{GATHER}/submissions"


def test_a_draft_is_saved_and_read_back_and_is_no_submission(server: Running) -> None:
    with server.guest() as client:
        assert client.get(PATH).status_code == 404
        first = client.put(PATH, json={"source": "x = 1", "revision": 0})
        assert (first.status_code, first.json()["revision"]) == (200, 1)
        second = client.put(PATH, json={"source": "x = 2", "revision": 1}).json()
        read = client.get(PATH).json()
        assert read == {"source": "x = 2", "revision": 2, "saved_at": second["saved_at"]}
    with server.state.db.reading() as db:
        assert db.scalar(select(func.count()).select_from(Submission)) == 0


def test_the_second_to_save_is_shown_the_other_and_nothing_is_overwritten(server: Running) -> None:
    with server.guest() as client:
        client.put(PATH, json={"source": "one", "revision": 0})
        saved = client.put(PATH, json={"source": "from this tab", "revision": 1}).json()
        for revision in (0, 1, 3, 999):
            other = client.put(PATH, json={"source": "from that tab", "revision": revision})
            assert other.status_code == 409
            assert other.json()["error"]["code"] == "conflict"
            assert other.json()["draft"] == {"source": "from this tab", **saved}
        mine = client.put(PATH, json={"source": "from that tab", "revision": 2})
        assert (mine.status_code, mine.json()["revision"]) == (200, 3)


def test_the_same_text_again_is_no_conflict(server: Running) -> None:
    with server.guest() as client:
        first = client.put(PATH, json={"source": "x", "revision": 0}).json()
        again = client.put(PATH, json={"source": "x", "revision": 0})
        assert (again.status_code, again.json()) == (200, first)


def test_of_many_at_once_exactly_one_is_taken(server: Running) -> None:
    with server.guest() as client, ThreadPoolExecutor(8) as tabs:
        said = [f"tab {number}" for number in range(8)]
        answers = list(tabs.map(lambda text: client.put(PATH, json={"source": text, "revision": 0}), said))
        assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
        assert client.get(PATH).json()["source"] in said


@pytest.mark.parametrize("source", ["", "\0", "a\0b\r\n", "\ud800", "x\udfff\U0001f600", "\u2028", "é" * 32_768])
def test_any_text_comes_back_as_it_was_sent(server: Running, source: str) -> None:
    body = json.dumps({"source": source, "revision": 0})  # ASCII: httpx has no bytes for half a surrogate pair
    with server.guest() as client:
        assert client.put(PATH, content=body, headers={"Content-Type": "application/json"}).status_code == 200
        assert client.get(PATH).json()["source"] == source
        other = client.put(PATH, json={"source": "another", "revision": 0})
        assert other.json()["draft"]["source"] == source
        assert client.get(f"/exercises/{GATHER}").status_code == 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"source": "x" * (64 << 10) + "x", "revision": 0}, 413),
        ({"source": "é" * 32_769, "revision": 0}, 413),
        ({"source": "x"}, 422),
        ({"source": "x", "revision": -1}, 422),
        ({"source": "x", "revision": 2**31 - 1}, 422),
        ({"source": "x", "revision": 2**63}, 422),
        ({"source": 7, "revision": 0}, 422),
        ({"source": "x", "revision": 0, "more": 1}, 422),
    ],
)
def test_what_is_no_draft_is_turned_down(server: Running, body: dict[str, object], status: int) -> None:
    with server.guest() as client:
        answer = client.put(PATH, json=body)
        assert answer.status_code == status
        assert answer.json()["error"]["message"]
        assert client.get(PATH).status_code == 404


def test_a_framework_that_is_not_offered_and_an_exercise_that_is_not_there(server: Running) -> None:
    draft = {"source": "x", "revision": 0}
    with server.guest() as client:
        assert client.put(PATH.replace("numpy", "cobol"), json=draft).status_code == 422
        assert client.put(PATH.replace(GATHER, "none"), json=draft).status_code == 404
        assert client.get(PATH.replace("numpy", "%00")).status_code == 404


def test_nobody_reads_or_changes_what_is_anothers(server: Running) -> None:
    with server.guest() as mine, server.guest() as theirs, server.client() as nobody:
        mine.put(PATH, json={"source": "mine", "revision": 0})
        assert theirs.get(PATH).status_code == nobody.get(PATH).status_code == 404
        assert theirs.put(PATH, json={"source": "theirs", "revision": 1}).json()["revision"] == 1
        assert nobody.put(PATH, json={"source": "nobody's", "revision": 0}).status_code == 401
        assert mine.get(PATH).json()["source"] == "mine"


def test_another_site_saves_nothing(server: Running) -> None:
    for site in ("cross-site", "same-site", "none"):
        with server.client(**{"Sec-Fetch-Site": site}) as client:
            for path in (PATH, PATH.removeprefix("/api/v1")):
                assert client.put(path, json={"source": "x", "revision": 0}).status_code == 403


def test_a_visitor_who_looks_is_nobody_and_the_first_thing_they_type_makes_a_guest(server: Running) -> None:
    with server.client(**{"Sec-Fetch-Site": "same-origin"}) as client:
        client.get(f"/exercises/{GATHER}")
        assert client.get(PATH).status_code == 404
        with server.state.db.reading() as db:
            assert db.scalar(select(func.count()).select_from(User)) == 0
        assert client.put(PATH, json={"source": "typed = 1", "revision": 0}).json()["revision"] == 1
        assert "typed = 1" in client.get(f"/exercises/{GATHER}").text
    with server.state.db.reading() as db:
        assert db.scalar(select(func.count()).select_from(User)) == 1


def test_a_desk_opened_before_an_update_saves_at_the_address_of_before(server: Running) -> None:
    with server.client(**{"Sec-Fetch-Site": "same-origin"}) as client:
        draft = {"source": "typed = 1", "revision": 0}
        saved = client.put(PATH.removeprefix("/api/v1"), json=draft, follow_redirects=True)
        assert saved.json()["revision"] == 1
        assert client.get(PATH.removeprefix("/api/v1"), follow_redirects=True).json()["source"] == "typed = 1"


def test_the_desk_opens_with_what_was_written_last(server: Running) -> None:
    with server.guest() as client:
        client.put(PATH, json={"source": "draft = 1", "revision": 0})
        id = client.post(SUBMISSIONS, json={"source": "sent = 1"}).json()["id"]
        with server.state.db.reading() as db:
            user = db.scalars(select(User)).one()
            last = newest(db, user, GATHER, "numpy")
        assert (last.source, last.revision, last.submission_id, last.is_draft) == ("sent = 1", 1, id, False)
        client.put(PATH, json={"source": "draft = 2", "revision": 1})
        with server.state.db.reading() as db:
            last = newest(db, user, GATHER, "numpy")
        assert (last.source, last.revision, last.submission_id, last.is_draft) == ("draft = 2", 2, id, True)


def test_who_signs_in_keeps_the_newer_of_two_drafts(server: Running) -> None:
    account = {"email": "a@example.org", "password": "ten letters and more"}
    with server.guest() as client:
        client.put(PATH, json={"source": "older", "revision": 0})
        client.post("/api/v1/users", json=account).raise_for_status()
    with server.guest() as client:
        client.put(PATH, json={"source": "newer", "revision": 0})
        token = client.post("/api/v1/sessions", json=account).raise_for_status().json()["token"]
    with server.client(Authorization=f"Bearer {token}") as client:
        assert (client.get(PATH).json()["source"], client.get(PATH).json()["revision"]) == ("newer", 2)
    with server.state.db.reading() as db:
        assert db.scalar(select(func.count()).select_from(Draft)) == 1


def test_the_api_says_what_it_takes(server: Running) -> None:
    with server.client() as client:
        calls = client.get("/api/v1/openapi.json").json()["paths"]["/api/v1/exercises/{slug}/drafts/{framework}"]
    assert set(calls) == {"put", "get"}
    assert "OtherDraftOut" in str(calls["put"]["responses"]["409"])
