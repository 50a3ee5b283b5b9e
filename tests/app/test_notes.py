"""Notes on lessons: whose they are, how many there may be, what survives an edit, and what goes along."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from app.db import now
from app.people import accounts
from app.people.guests import let_go_of_guests
from app.people.users import User
from app.reading import notes as notes_module
from app.reading.notes import QUOTE_MAX, TEXT_MAX, Note
from app.web import limits
from app.web.limits import RateLimits
from tests.conftest import Running, Serve

LESSON = "/courses/positions/sinusoidal-encodings"
QUIZ = "/courses/positions/test-your-understanding"
BROWSER = {"Sec-Fetch-Site": "same-origin"}
PART = {**BROWSER, "Lectern-Partial": "1"}


@pytest.fixture
def ada(server: Running) -> Iterator[httpx.Client]:
    with browser(server) as client:
        yield client


def browser(server: Running) -> httpx.Client:
    """A new visitor, whose cookie is kept."""
    return server.client(**BROWSER)


def add(client: httpx.Client, text: str = "mine alone", lesson: str = LESSON, **fields: str) -> httpx.Response:
    return client.post(f"{lesson}/notes", data={"section": "", "text": text, **fields})


def listed(client: httpx.Client, lesson: str = LESSON) -> list[dict[str, Any]]:
    html = client.get(f"{lesson}/notes", headers=PART).raise_for_status().text
    return [json.loads(unescape(note)) for note in re.findall(r"data-note='([^']*)'", html)]


def one(client: httpx.Client) -> dict[str, Any]:
    (note,) = listed(client)
    return note


def change(client: httpx.Client, note: dict[str, Any], text: str, **headers: str) -> httpx.Response:
    fields = {"text": text, "colour": note["colour"], "revision": note["revision"]}
    return client.post(f"/me/notes/{note['id']}", data=fields, headers=headers)


def stored(server: Running) -> list[Note]:
    with server.state.db.reading() as db:
        return list(db.scalars(select(Note).order_by(Note.id)))


def test_a_note_is_written_changed_and_deleted_without_javascript(ada: httpx.Client) -> None:
    answer = add(ada, "look at this again", section="one-row-by-hand")
    note = one(ada)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{LESSON}#note-{note['id']}")
    page = ada.get(LESSON).text
    assert f'id="note-{note["id"]}"' in page
    assert "look at this again" in page
    assert note["section"] == "one-row-by-hand"
    edit = ada.get(f"/me/notes/{note['id']}").text
    assert "look at this again</textarea>" in edit
    assert change(ada, note, "seen").status_code == 303
    changed = one(ada)
    assert (changed["text"], changed["revision"]) == ("seen", 2)
    answer = ada.post(f"/me/notes/{note['id']}/deletion", data={"revision": 2})
    assert (answer.status_code, answer.headers["location"]) == (303, "/me/notes")
    assert listed(ada) == []


def test_a_newcomers_first_note_is_in_the_list_that_answers_it(ada: httpx.Client) -> None:
    assert "look at this" in ada.post(f"{LESSON}/notes", data={"text": "look at this"}, headers=PART).text


def test_nobody_else_sees_a_note_or_changes_it_staff_neither(server: Running, ada: httpx.Client) -> None:
    add(ada)
    note = one(ada)
    accounts.add_user(server.state.db, "root@example.org", "admin", "a wide enough password")
    token = accounts.make_token(server.state.db, "root@example.org")
    with browser(server) as nobody, server.guest() as guest, server.client(Authorization=f"Bearer {token}") as admin:
        for other in (nobody, guest, admin):
            for answer in (
                other.get(f"/me/notes/{note['id']}"),
                change(other, note, ""),
                change(other, note, "not theirs", **PART),
                other.post(f"/me/notes/{note['id']}/deletion", data={"revision": 1}),
            ):
                assert answer.status_code == 404
            assert listed(other) == []
            for path in (LESSON, "/me/notes"):
                assert "mine alone" not in other.get(path).text
            markdown = other.get("/me/notes.md")
            assert markdown.status_code == (401 if other is nobody else 200)
            assert "mine alone" not in markdown.text
    assert ada.get(f"/me/notes/{note['id']}").status_code == 200
    assert [kept.text for kept in stored(server)] == ["mine alone"]


def test_another_site_writes_no_note(server: Running, ada: httpx.Client) -> None:
    answer = ada.post(f"{LESSON}/notes", data={"text": "x"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert stored(server) == []


def test_looking_makes_no_guest(server: Running, ada: httpx.Client) -> None:
    for path in (LESSON, "/me/notes", f"{LESSON}/notes"):
        assert ada.get(path).status_code in (200, 303)
    with server.state.db.reading() as db:
        assert db.scalars(select(User)).all() == []


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"text": "x" * (TEXT_MAX + 1)}, 413, "4,000"),
        ({"quote": "x" * (QUOTE_MAX + 1)}, 413, "Select less"),
        ({"text": "  "}, 422, "empty"),
        ({"text": "x", "colour": "pink"}, 422, "colour"),
        ({"text": "x", "before": "y" * 65}, 422, "Reload"),
        ({"text": "x", "section": "y" * 201}, 422, "Reload"),
        ({"text": "x", "key": "y" * 65}, 422, "key"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_a_remedy(
    server: Running, ada: httpx.Client, fields: dict[str, str], status: int, words: str
) -> None:
    answer = ada.post(f"{LESSON}/notes", data={"section": "", **fields}, headers=PART)
    assert answer.status_code == status
    assert words in answer.text
    assert stored(server) == []


def test_a_quiz_and_what_is_not_there_take_no_notes(ada: httpx.Client) -> None:
    assert add(ada, lesson=QUIZ).status_code == 422
    assert add(ada, lesson="/courses/positions/none").status_code == 404
    assert ada.get("/me/notes/0").status_code == ada.get("/me/notes/99999999999").status_code == 404


def test_text_that_no_database_takes_is_kept_as_near_as_can_be(ada: httpx.Client) -> None:
    add(ada, "a\0b <script>alert(1)</script>\r\nc")
    assert one(ada)["text"] == "a\ufffdb <script>alert(1)</script>\nc"
    for path in (LESSON, "/me/notes"):
        assert "<script>alert(1)" not in ada.get(path).text


def test_there_may_be_so_many_on_a_lesson_and_of_a_person(
    server: Running, ada: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notes_module, "PER_LESSON", 3)
    monkeypatch.setattr(notes_module, "PER_PERSON", 4)
    for number in range(3):
        assert add(ada, f"note {number}").status_code == 303
    assert add(ada, "one too many").status_code == 413
    other = "/courses/positions/learned-embeddings"
    assert add(ada, "elsewhere", other).status_code == 303
    assert add(ada, "too many of all", other).status_code == 413
    assert len(stored(server)) == 4


def test_notes_count_towards_the_storage_and_a_deleted_one_gives_it_back(serve: Serve) -> None:
    server = serve(guest_quota_mb=1)
    with browser(server) as ada:
        for number in range(63):
            add(ada, f"{number:02}" + "\N{CJK UNIFIED IDEOGRAPH-65E5}" * (TEXT_MAX - 2))
        assert bytes_of(server) == sum(len(note.text.encode()) for note in stored(server))
        server.app.state.limits = RateLimits()
        while (answer := add(ada, f"{len(stored(server)):02}" + "é" * (TEXT_MAX - 2))).status_code == 303:
            assert len(stored(server)) < 200
        assert answer.status_code == 413
        assert "storage" in answer.text
        for note in listed(ada)[:2]:
            ada.post(f"/me/notes/{note['id']}/deletion", data={"revision": 1})
        assert bytes_of(server) == sum(len(note.text.encode()) for note in stored(server))
        assert add(ada, "there is room again").status_code == 303
        (short,) = (note for note in listed(ada) if note["text"] == "there is room again")
        change(ada, short, "room")
        assert bytes_of(server) == sum(len(note.text.encode()) for note in stored(server))


def bytes_of(server: Running) -> int:
    with server.state.db.reading() as db:
        return db.scalars(select(User.stored_bytes)).one()


def test_a_script_is_slowed_down(ada: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(limits.PERSON, "note", limits.Rate(1, 1e-6))
    add(ada)
    for answer in (add(ada, "another"), change(ada, one(ada), "changed")):
        assert answer.status_code == 429
        assert "Retry-After" in answer.headers
    assert one(ada)["text"] == "mine alone"


def test_the_same_note_sent_twice_is_one(server: Running, ada: httpx.Client) -> None:
    """The reply was lost on the way, or somebody clicked twice."""
    for _ in range(2):
        assert add(ada, "once", key="k-1").status_code == 303
        assert add(ada, "no key").status_code == 303
    assert [note.text for note in stored(server)] == ["once", "no key"]


def test_of_two_tabs_neither_overwrites_the_other(ada: httpx.Client) -> None:
    add(ada, "first", quote="some words")
    note = one(ada)
    change(ada, note, "from one tab", **PART)
    answer = change(ada, note, "from the other", **PART)
    assert answer.status_code == 200
    assert "Both versions are kept" in answer.text
    change(ada, note, "from the other", **PART)  # and its reply was lost
    assert [(one["text"], one["quote"]) for one in listed(ada)] == [
        ("from one tab", "some words"),
        ("from the other", "some words"),
    ]
    page = ada.get(change(ada, note, "without a script").headers["location"])
    assert "Both versions are kept" in page.text


def test_what_is_written_on_a_note_that_another_tab_deleted_is_shown(ada: httpx.Client) -> None:
    add(ada)
    note = one(ada)
    ada.post(f"/me/notes/{note['id']}/deletion", data={"revision": 1})
    answer = change(ada, note, "typed meanwhile")
    assert answer.status_code == 404
    assert "typed meanwhile</textarea>" in answer.text


def test_a_note_that_another_tab_changed_is_not_deleted_unseen(ada: httpx.Client) -> None:
    add(ada)
    note = one(ada)
    change(ada, note, "newer")
    answer = ada.post(f"/me/notes/{note['id']}/deletion", data={"revision": 1})
    assert answer.status_code == 409
    assert "newer</textarea>" in answer.text
    assert one(ada)["text"] == "newer"


def test_all_notes_are_on_a_page_and_in_a_file(ada: httpx.Client) -> None:
    assert "no notes yet" in ada.get("/me/notes").text
    add(ada, "about *frequencies*", section="the-two-formulas", quote="sine and [cosine]")
    add(ada, "elsewhere", "/courses/positions/why-order-matters")
    page = ada.get("/me/notes").text
    assert page.index("elsewhere") < page.index("about *frequencies*"), "in the order of the lessons"
    assert f'href="{LESSON}#note-' in page
    file = ada.get("/me/notes.md")
    assert file.headers["content-type"] == "text/markdown; charset=utf-8"
    assert file.headers["content-disposition"] == 'attachment; filename="notes.md"'
    assert f"{ada.base_url}{LESSON}".replace("//c", "/c") in file.text
    assert "> sine and \\[cosine\\]\n\nabout *frequencies*" in file.text


def write_course(folder: Path, text: str) -> None:
    course = folder / "demo"
    course.mkdir(parents=True, exist_ok=True)
    (course / "course.toml").write_text('title = "Demo"\nblurb = "One lesson."\n')
    (course / "01-one.md").write_text(f"---\ntitle: One\n---\n{text}\n")


def test_a_note_finds_its_text_again_or_is_listed_as_about_what_has_gone(serve: Serve, tmp_path: Path) -> None:
    server = serve(lessons=(tmp_path / "lessons",))
    where = "/courses/demo/one"
    edit = edit_of(server, tmp_path / "lessons")
    edit("## Here\n\nThe sum $x_i + 1$ is small.\n\n## There\n\nNothing yet.\n\n## Later\n\nThe end.")
    with browser(server) as ada:
        add(ada, "moves", where, section="here", quote="The sum xi+1 is small.")
        add(ada, "goes", where, section="later", quote="The end.")
        add(ada, "section goes", where, section="there")
        assert outline(ada, where) == {"Here": ["moves"], "There": ["section goes"], "Later": ["goes"]}
        edit("## Here\n\nNew words.\n\n## Moved\n\nNow: the sum. The sum $x_i+1$\nis *small*.\n\n## Later\n\nGone.")
        gone = "The text that these notes were about has changed"
        assert outline(ada, where) == {"Moved": ["moves"], gone: ["goes", "section goes"]}
        assert gone in ada.get("/me/notes").text
        assert "has changed" in ada.get("/me/notes.md").text
        edit(None)
        assert ada.get(where).status_code == 404
        assert "This lesson is no longer here" in ada.get("/me/notes").text
        note = stored(server)[0]
        answer = ada.post(f"/me/notes/{note.id}", data={"text": "still mine", "colour": "green", "revision": 1})
        assert answer.headers["location"] == f"/me/notes#note-{note.id}"


def edit_of(server: Running, folder: Path) -> Any:
    def edit(text: str | None) -> None:
        write_course(folder, text or "")
        if text is None:
            for path in sorted((folder / "demo").iterdir()):
                path.unlink()
            (folder / "demo").rmdir()
        server.state.catalog.import_folders([], [folder])

    return edit


def outline(client: httpx.Client, lesson: str) -> dict[str, list[str]]:
    html = client.get(f"{lesson}/notes", headers=PART).text
    found = {}
    for section in html.split("<h3>")[1:]:
        heading = re.sub(r"<[^>]+>", "", section.partition("</h3>")[0]).strip()
        found[heading] = re.findall(r'class="written">([^<]*)<', section)
    return found


def test_notes_are_exported_and_go_with_the_account(server: Running) -> None:
    with server.guest() as ada:
        add(ada, "日本", quote="some words", colour="green")
        (note,) = ada.get("/api/v1/me/export").json()["notes"]
        assert (note["text"], note["quote"], note["colour"]) == ("日本", "some words", "green")
        assert "user_id" not in note
        assert ada.request("DELETE", "/api/v1/me", json={}).status_code == 204
    assert stored(server) == []


def test_a_guest_who_turns_out_to_have_an_account_keeps_them_all(server: Running) -> None:
    password = "a wide enough password"
    accounts.add_user(server.state.db, "ada@example.org", "student", password)
    with browser(server) as at_home, browser(server) as at_school:
        signed_in = {"email": "ada@example.org", "password": password}
        assert at_home.post("/sessions", data=signed_in).status_code == 303
        add(at_home, "at home", key="same")
        add(at_school, "at school", key="same")
        add(at_school, "at school too")
        assert at_school.post("/sessions", data=signed_in).status_code == 303
        assert [note["text"] for note in listed(at_school)] == ["at home", "at school", "at school too"]
        assert bytes_of(server) == sum(len(f"{note.quote}{note.text}".encode()) for note in stored(server))


def test_a_guest_who_signs_up_keeps_them(server: Running, ada: httpx.Client) -> None:
    add(ada)
    ada.post("/users", data={"email": "ada@example.org", "password": "a wide enough password"})
    assert one(ada)["text"] == "mine alone"


def test_a_guest_who_wrote_a_note_lately_is_not_let_go(server: Running, ada: httpx.Client) -> None:
    add(ada)
    with server.state.db.writing() as db:
        db.scalars(select(User)).one().created_at = now() - timedelta(days=400)
    assert let_go_of_guests(server.state.db, now() - timedelta(days=1)) == 0
    assert let_go_of_guests(server.state.db, now() + timedelta(days=1)) == 1
    assert stored(server) == []
