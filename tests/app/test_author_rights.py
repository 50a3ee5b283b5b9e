"""Who may enter the author's room: every route of it, found where it is declared, asked by everybody who may not.

A route that is added later, and forgets to ask, fails here: nobody listed its address by hand. What a caller sends is
as right as can be, so that the one reason for turning them down is who they are.
"""

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute

from app.people import accounts
from app.people.users import user_by_email
from app.settings import ROOT, Settings
from app.teaching.api import publications as api_publications
from app.teaching.api import revisions as api_revisions
from app.teaching.api import unsaved as api_unsaved
from app.teaching.authors import list_author
from app.teaching.pages import authors, checks, desk, gallery, live, outcomes, pictures, previews, questions, revisions
from app.teaching.revisions import begin
from app.teaching.subjects import Subject
from graders.exercise.fault import Fault
from tests.app.thresholds import thresholds
from tests.conftest import Running, running

PAGES = (authors, checks, desk, gallery, live, outcomes, pictures, previews, questions, revisions)
API = (api_publications, api_revisions, api_unsaved)
SECRET = "only-its-authors-know-this"
CLOSED, DRAFT, COURSE = "softmax-rows", "planned-for-june", "planned-course"
LESSON = f"""---
title: {SECRET}
---
::::{{question}} rows
:type: count
:answer: 4
:mistake: 5 -> {SECRET}
How many?
:::{{explain}}
{SECRET}
:::
::::
"""
ABSENT = "0" * 64
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC")


@dataclass(frozen=True)
class Place:
    method: str
    path: str

    @property
    def has_subject(self) -> bool:
        """Whether it is about one exercise or course. The list and the gallery are for all staff."""
        return not self.path.startswith("/author/gallery") and self.path not in ("/author", "/live/events")


def places() -> list[Place]:
    """Of every module of the room: a module that is missing here is missed below."""
    found: list[Place] = []
    for prefix, modules in (("", PAGES), ("/api/v1", API)):
        for module in modules:
            router: APIRouter = module.router
            for route in router.routes:
                assert isinstance(route, APIRoute)
                for method in route.methods or ():
                    found += [Place(method, prefix + path) for path in _kinds(route.path)]
    return found


def _kinds(path: str) -> list[str]:
    """The same address for a course and for an exercise."""
    if "{kind}" in path:
        return [path.replace("{kind}", kind) for kind in ("exercise", "course")]
    if "{kinds}" in path:
        return [path.replace("{kinds}", kind) for kind in ("exercises", "courses")]
    return [path]


PLACES = places()
NAMES = {
    "lesson": "first", "question": "rows", "id": "living-examples.questions.x", "name": "x.png", "number": "1",
    "submission": "1", "lab": "rotation", "cell": "x", "path:path": "statement.md",
}  # fmt: skip


def addressed(place: Place, slug: str, revision: str) -> str:
    names = NAMES | {"slug": slug, "course": slug, "revision": revision}
    return re.sub(r"\{([a-z:]+)\}", lambda found: names[found[1]], place.path)


def is_course(place: Place) -> bool:
    return "/course" in place.path


def ask(client: httpx.Client, place: Place, slug: str, revision: str) -> httpx.Response:
    url, method = addressed(place, slug, revision), place.method
    if method == "GET":
        answer = client.get(url, params={"pick": [revision, revision]} if url.endswith("/differences") else {})
    elif method == "PUT":
        answer = client.put(url, json={"text": "x", "base": revision, "revision": 0})
    elif url.startswith("/api/"):
        bodies = {
            "revisions": {"base": revision, "files": {"statement.md": "x"}, "message": ""},
            "publications": {"revision": revision},
            "agreements": {"keep": "folder", "folder": revision, "base": revision},
        }
        answer = client.post(url, json=bodies[url.rpartition("/")[2]])
    elif url.endswith("/views"):
        answer = client.post(url, json={"path": "statement.md", "text": "x"})
    elif url.endswith("/readings"):
        answer = client.post(url, json={"variant": 0, "answer": "1"})
    elif url.endswith("/pictures"):
        answer = client.post(url, content=PNG, params={"name": "x.png"})
    else:
        form = {
            "kind": "exercise", "name": "another-name", "revision": revision, "base": revision, "folder": revision,
            "path": "statement.md", "text": "x", "change": "add", "to": "notes.md", "code": "x = 1",
            "sentence": "Look.", "answer": "5", "answers": "5", "variant": "0", "do": "save-text",
            "source": "x", "framework": "numpy",
        }  # fmt: skip
        answer = client.post(url, data=form)
    return answer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Without the folder's own judge; `softmax-rows` is what students have, the others are drafts."""
    data = tmp_path_factory.mktemp("rights")
    with running(Settings(workers=0, data=data, rate_limits="off", edit="off")) as server:
        for email, role in (
            ("listed@example.org", "instructor"), ("other@example.org", "instructor"), ("sam@example.org", "student"),
            ("root@example.org", "admin"),
        ):  # fmt: skip
            accounts.add_user(server.state.db, email, role, None)
        files = thresholds(statement_md=SECRET, cases_py=f"# {SECRET}\n")
        lessons = {"course.toml": f'title = "{SECRET}"\nblurb = "b"\n'.encode(), "01-first.md": LESSON.encode()}
        with server.state.db.writing() as db:
            listed = user_by_email(db, "listed@example.org")
            assert listed is not None
            begin(db, listed, Subject("exercise", DRAFT), {**files, "figures/x.png": PNG}, SECRET)
            begin(db, listed, Subject("course", COURSE), {**lessons, "figures/x.png": PNG}, SECRET)
            for kind, slug in (("exercise", DRAFT), ("exercise", CLOSED), ("course", COURSE), ("course", "positions")):
                list_author(db, listed, Subject(kind, slug), "listed@example.org")  # type: ignore[arg-type]
        yield server


def client_of(server: Running, who: str) -> httpx.Client:
    if who == "nobody":
        return server.client(**{"Sec-Fetch-Site": "same-origin"})
    if who == "guest":
        return server.guest()
    return server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, f'{who}@example.org')}")


def newest_of(server: Running, kind: str, slug: str) -> str:
    with client_of(server, "root") as root:
        return str(root.get(f"/api/v1/{kind}s/{slug}/files").raise_for_status().json()["revision"])


def held(server: Running) -> str:
    """All that anybody could have changed. (Accounts and tokens are made meanwhile, and told in the audit log.)"""
    tables = ("content", "revision", "publication", "redirect", "content_author", "unsaved_text", "audit_entry")
    with server.state.db.reading() as db:
        which = {"audit_entry": "WHERE kind <> 'person'"}
        rows = {
            name: [tuple(row) for row in db.connection().exec_driver_sql(f"SELECT * FROM {name} {which.get(name, '')}")]
            for name in tables
        }
    return json.dumps(rows, default=str)


def test_every_module_of_the_room_is_asked() -> None:
    room = ROOT / "app" / "teaching"
    found = {f"{path.parent.name}.{path.stem}" for name in ("pages", "api") for path in (room / name).glob("[a-z]*.py")}
    assert found == {".".join(module.__name__.rsplit(".", 2)[1:]) for module in (*PAGES, *API)}


@pytest.mark.parametrize("who", ["nobody", "guest", "sam", "other"])
def test_who_may_not_author_it_learns_nothing_and_changes_nothing(server: Running, who: str) -> None:
    revisions_of = {
        slug: newest_of(server, kind, slug)
        for kind, slug in (("exercise", DRAFT), ("exercise", CLOSED), ("course", COURSE), ("course", "positions"))
    }
    before = held(server)
    wrong: list[tuple[Place, str, int | str]] = []
    with client_of(server, who) as client:
        for place in PLACES:
            if who == "other" and not place.has_subject:
                continue
            nowhere = ask(client, place, "there-is-none", ABSENT)
            for slug in (COURSE, "positions") if is_course(place) else (DRAFT, CLOSED):
                there = ask(client, place, slug, revisions_of[slug])
                expected = {401} if who == "nobody" else {404}
                if there.status_code not in expected | ({404} if place.path == "/live/events" else set()):
                    wrong.append((place, slug, there.status_code))
                # Staff are told that a name is taken, since they may begin something new.
                elif SECRET in there.text or (who != "other" and error_of(there) != error_of(nowhere)):
                    wrong.append((place, slug, error_of(there)))
    assert wrong == []
    assert held(server) == before


def error_of(answer: httpx.Response) -> str:
    """What is told, without the address that a page repeats."""
    if "json" in answer.headers["content-type"]:
        return str(answer.json()["error"]["message"])
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", "".join(re.findall(r"<main.*?</main>", answer.text, re.DOTALL))))


@pytest.mark.parametrize("who", ["listed", "root"])
def test_who_may_is_let_in(server: Running, who: str) -> None:
    """Or the test above would pass for a room that is shut to everybody."""
    with client_of(server, who) as client:
        for place in PLACES:
            kind, slug = ("course", COURSE) if is_course(place) else ("exercise", DRAFT)
            if place.method == "GET" and not place.path.endswith("/events"):
                answer = ask(client, place, slug, newest_of(server, kind, slug))
                assert answer.status_code not in (401, 403), place
                assert "nothing of this name" not in answer.text, place
        assert SECRET in client.get(f"/preview/exercises/{DRAFT}").text


def test_another_site_writes_nothing_here_with_an_authors_cookie(server: Running) -> None:
    cookie = f"lectern={accounts.make_token(server.state.db, 'listed@example.org')}"
    before = held(server)
    with server.client(Cookie=cookie, **{"Sec-Fetch-Site": "cross-site"}) as evil:
        for place in (one for one in PLACES if one.method != "GET"):
            slug = COURSE if is_course(place) else DRAFT
            assert ask(evil, place, slug, ABSENT).status_code == 403, place
    assert held(server) == before


def test_lists_name_nothing_that_is_closed(server: Running) -> None:
    with client_of(server, "other") as other, client_of(server, "listed") as listed:
        for path in ("/author", "/author/gallery", "/search?q=planned", f"/search?q={SECRET}"):
            assert DRAFT not in other.get(path).text.replace(f'value="{SECRET}"', "")
        assert DRAFT in listed.get("/author").text


def test_a_files_name_is_no_part_of_an_address(server: Running) -> None:
    """A name with signs that an address reads otherwise opens that file, and no other."""
    odd = "notes&file=course.toml#x %41.md"
    with client_of(server, "listed") as listed:
        added = listed.post(f"/author/course/{COURSE}/files", data={"change": "add", "to": odd})
        assert added.status_code == 303, added.text
        assert httpx.URL(server.url).join(added.headers["location"]).params.get_list("file") == [odd]
        listed.post(f"/author/course/{COURSE}/files", data={"change": "delete", "path": odd})


def test_why_a_folder_is_held_is_told_to_those_who_may_author_it(server: Running) -> None:
    """attack: an instructor reads the faults of a folder whose authors are listed: lines of a draft, with its names."""
    fault = Fault("error", "cases.py", 1, "broken-exercise", f"Here is {SECRET}.", "Correct it.")
    server.state.catalog.note_faults(unsound={("exercise", CLOSED): (fault,), ("course", "positions"): (fault,)})
    try:
        for who, is_told in (("sam", False), ("other", False), ("listed", True), ("root", True)):
            token = accounts.make_token(server.state.db, f"{who}@example.org")
            with server.client(Cookie=f"lectern={token}") as client:
                for path in ("/", "/courses/positions"):
                    assert (SECRET in client.get(path).text) is is_told, (who, path)
    finally:
        server.state.catalog.note_faults(unsound={})
