"""Publications: only what passed the gate is served, and who is in the middle keeps what they began with."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.people import accounts
from app.people.audit import entries_of
from app.people.users import user_by_email
from app.reading.catalog import Catalog
from app.settings import Settings
from app.teaching.subjects import Subject
from app.web.errors import RateLimited
from app.web.limits import PERSON, Rate
from graders.exercise.folder import hash_files
from tests.app.thresholds import REFERENCE, sound_thresholds, thresholds
from tests.conftest import Running, require_boxes, running
from tests.waiting import LIMIT_SECONDS, until

PAGE = "/api/v1/exercises/thresholds"
WAIT = {"wait": "110"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """With a judge, and no folder."""
    data = tmp_path_factory.mktemp("published")
    settings = Settings(workers=1, data=data, exercises=(data / "exercises",), lessons=(data / "lessons",))
    with running(settings) as server:
        assert server.state.judge is not None
        require_boxes(server.state.judge)
        yield server


def client(server: Running, email: str, role: str) -> httpx.Client:
    accounts.add_user(server.state.db, email, role, None)
    token = accounts.make_token(server.state.db, email)
    return server.client(Authorization=f"Bearer {token}", **{"Sec-Fetch-Site": "same-origin"})


def save(author: httpx.Client, base: str | None, files: dict[str, bytes]) -> str:
    texts = {path: content.decode() for path, content in files.items()}
    answer = author.post(f"{PAGE}/revisions", json={"base": base, "files": texts, "message": "m"})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["revision"])


def publish(author: httpx.Client, revision: str, page: str = PAGE) -> httpx.Response:
    """Waits for the gate, however busy the machine is."""

    def answer() -> httpx.Response | None:
        told = author.post(f"{page}/publications", json={"revision": revision}, params=WAIT, timeout=LIMIT_SECONDS)
        return None if told.status_code == 409 and "gate has not finished" in told.text else told

    told = until(answer, "the gate does not finish")
    assert told is not None
    return told


def submit(student: httpx.Client, **more: Any) -> dict[str, Any]:
    sent = student.post(f"{PAGE}/submissions", json={"source": REFERENCE, **more}, params={"wait": "30"}).json()
    url = f"/api/v1/submissions/{sent['id']}"
    until(lambda: student.get(url).json()["state"] == "finished", url, look_seconds=0.05)
    return dict(student.get(url).json())


def test_from_a_draft_to_a_verdict(server: Running) -> None:
    with client(server, "ada@example.org", "instructor") as ada, server.guest() as student:
        weak = save(ada, None, thresholds())
        refused = publish(ada, weak)
        assert refused.status_code == 422
        assert {fault["code"] for fault in refused.json()["faults"]} >= {"mutant-lives", "mutation-score"}
        assert student.get(PAGE).status_code == 404, "a draft, and one that the gate turned down"

        sound = save(ada, weak, sound_thresholds())
        assert publish(ada, sound).status_code == 201
        assert student.get(PAGE).json()["slug"] == "thresholds"
        assert ada.get(f"{PAGE}/revisions").json()["revisions"][0]["state"] == "published"
        check = ada.get(f"{PAGE}/revisions/{sound}").json()["check"]
        assert (check["state"], check["ok"], check["mutants"] > 0) == ("finished", True, True)
        first = submit(student)
        assert (first["verdict"], first["exercise_hash"]) == ("accepted", sound)

        another = Catalog(server.state.db)
        another.look()
        assert another.exercises["thresholds"].content_hash == sound, "another process serves it too"
        another.close()

        stricter = {
            **sound_thresholds(),
            "exercise.toml": sound_thresholds()["exercise.toml"] + b"\n[limits]\nwall_seconds = 4\n",
        }
        newer = save(ada, sound, stricter)
        assert publish(ada, newer).status_code == 201
        assert submit(student)["exercise_hash"] == newer == hash_files(stricter)
        begun = submit(student, exercise_hash=sound)
        assert (begun["verdict"], begun["exercise_hash"]) == ("accepted", sound), "they keep what they began with"
        assert "has changed since" in student.get(f"/submissions/{begun['id']}").text
        assert submit(student, exercise_hash=weak)["exercise_hash"] == newer, "what was never served judges nothing"
        with server.state.db.reading() as db:
            actions = [told.entry.action for told in entries_of(db, Subject("exercise", "thresholds"))]
        assert actions == ["published", "saved", "published", "saved", "created"]


def test_a_start_serves_what_was_published(server: Running, tmp_path: Path) -> None:
    catalog = Catalog(server.state.db)
    catalog.import_folders([tmp_path], [], is_judged=True)
    assert catalog.exercises["thresholds"].content_hash == server.state.catalog.exercises["thresholds"].content_hash


COURSE = "/api/v1/courses/contract"
LESSON = "---\ntitle: One\n---\nText.\n"
COVER = 'title = "Contract"\nblurb = "What programs rely on."\n'


def test_what_programs_rely_on(server: Running) -> None:
    """The shapes and statuses of the design, exactly."""
    with client(server, "cat@example.org", "instructor") as cat:
        files = {"course.toml": COVER, "01-one.md": LESSON, "figures/x.bin": {"base64": "//4="}}
        first = cat.post(f"{COURSE}/revisions", json={"base": None, "files": files, "message": "m"})
        assert (first.status_code, first.json().keys(), first.json()["state"]) == (201, {"revision", "state"}, "draft")
        base = first.json()["revision"]
        assert cat.get(f"{COURSE}/files").json() == {"revision": base, "origin": "browser", "files": files}

        def save_files(**files: object) -> httpx.Response:
            body = {"base": base, "files": {name.replace("__", "."): text for name, text in files.items()}}
            return cat.post(f"{COURSE}/revisions", json={**body, "message": ""})

        unread = save_files(course__toml="title = ", **{"figures/x.bin": None}).json()["revision"]
        assert unread != base, "what cannot be read is kept all the same"
        stale = save_files(course__toml="x")
        assert (stale.status_code, stale.json()["error"]["code"]) == (409, "conflict")
        assert stale.json()["newest"]["revision"] == unread
        listed = cat.get(f"{COURSE}/revisions").json()
        assert [one["revision"] for one in listed["revisions"]] == [unread, base]
        one = cat.get(f"{COURSE}/revisions/{unread}").json()
        assert {change["path"]: change["change"] for change in one["difference"]} == {
            "course.toml": "changed", "figures/x.bin": "removed"
        }  # fmt: skip
        assert one["check"] is None, "the gate was not asked"

        refused = publish(cat, unread, COURSE)
        assert (refused.status_code, refused.json().keys()) == (422, {"error", "faults"})
        assert refused.json()["faults"][0].keys() == {"severity", "path", "line", "code", "message", "hint"}
        base = unread
        sound = save_files(course__toml=COVER).json()["revision"]
        live = publish(cat, sound, COURSE)
        assert (live.status_code, live.json().keys()) == (201, {"id", "revision", "created_at"})
        check = cat.get(f"{COURSE}/revisions/{sound}").json()["check"]
        assert check.keys() == {"state", "ok", "faults", "mutants", "killed", "equivalent"}

        for path, body in (
            ("revisions", {"base": sound, "files": {}, "message": ""}),
            ("publications", {"revision": sound}),
            ("agreements", {"keep": "folder", "folder": sound, "base": sound}),
        ):
            assert cat.post(f"{COURSE}/{path}", json={**body, "more": 1}).status_code == 422, path
        base = sound
        for path in (
            "../x.md",
            "/etc/passwd",
            "a//b",
            ".git/config",
            "a/../b",
            "a\\b",
            "x\u0000",
            "",
            "x" * 300,
            "\u202e",
        ):
            assert save_files(**{path: "x"}).status_code == 422, path
        assert save_files(**{"01-one.md/x": "x"}).status_code == 422, "a file and a folder at once"
        assert save_files(**{"x.md": {"base64": "no"}}).status_code == 422
        others = cat.get(f"{PAGE}/files")
        if others.status_code == 200:
            elses = {"revision": others.json()["revision"]}
            assert cat.post(f"{COURSE}/publications", json=elses).status_code == 404, "of another subject"


def test_so_many_changes_of_one_person(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Revisions are never let go: a person who saves without end is asked to wait, and nothing is stored."""
    monkeypatch.setitem(PERSON, "revision", Rate(600, 1e-6))  # none comes back while a process stands still
    with client(server, "dan@example.org", "instructor") as dan, server.state.db.reading() as db:
        person = user_by_email(db, "dan@example.org")
        assert person is not None
        with suppress(RateLimited):
            while True:
                server.state.limits.spend("revision", person=person.id)
        for path, form in (
            ("/author", {"kind": "course", "name": "flood"}),
            ("/author/course/contract/copies", {"name": "f"}),
        ):
            answer = dan.post(path, data=form)
            assert (answer.status_code, "retry-after" in answer.headers) == (429, True)
        body = {"base": None, "files": {"a.md": "x"}, "message": ""}
        assert dan.post("/api/v1/courses/flood/revisions", json=body).status_code == 429
        assert dan.get("/api/v1/courses/flood/files").status_code == 404
        newest = dan.get(f"{COURSE}/files").json()["revision"]
        again = [dan.post("/author/course/contract/checks", data={"revision": newest}).status_code for _ in range(30)]
        assert {*again} == {303, 429}
