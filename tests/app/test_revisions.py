"""Revisions: what is saved is never lost, never overwritten, and meets its folder without either side losing."""

import base64
from collections.abc import Iterator

import httpx
import pytest
from sqlalchemy.orm import Session

from app.db import Database
from app.people import accounts
from app.people.audit import entries_of
from app.people.users import Role, User, add_user, user_by_email
from app.teaching import revisions
from app.teaching.authors import list_author, may_author
from app.teaching.folders import FolderTruth, Keep, conflict_of, settle
from app.teaching.revisions import Outdated, files_of, newest, require_content
from app.teaching.subjects import Subject
from app.web.errors import Conflict, Invalid
from graders.exercise.folder import hash_files
from tests.conftest import Running, Serve

SUBJECT = Subject("exercise", "doubling")
FIRST = {"statement.md": b"Double it.\n", "reference.py": b"def solve(x): return 2 * x\n"}
EDITED = {**FIRST, "statement.md": b"Double each number.\n"}
IN_THE_FOLDER = {**FIRST, "reference.py": b"def solve(x):\n    return x + x\n"}


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = Database(database_url)
    yield database
    database.close()


def saved(database: Database, base: dict[str, bytes] | None, **changes: bytes | None) -> str:
    files = {name.replace("_md", ".md").replace("_py", ".py"): content for name, content in changes.items()}
    with database.writing() as db:
        return revisions.save(db, None, SUBJECT, hash_files(base) if base else None, files, "").content_hash


def seen_in_folder(database: Database, files: dict[str, bytes]) -> dict[str, bytes] | None:
    served = FolderTruth(database).files(SUBJECT.kind, SUBJECT.slug, files)
    return dict(served) if served is not None else None


def newest_files(database: Database) -> dict[str, bytes]:
    with database.reading() as db:
        return files_of(db, newest(db, SUBJECT).id)


def publish_newest(database: Database) -> None:
    with database.writing() as db:
        content = require_content(db, SUBJECT, writes=True)
        content.published_id = content.newest_id


def test_a_save_from_an_older_revision_is_turned_down_with_the_newer_one(database: Database) -> None:
    saved(database, None, statement_md=b"one")
    first = {"statement.md": b"one"}
    saved(database, first, statement_md=b"two")
    with pytest.raises(Outdated) as refused:
        saved(database, first, statement_md=b"three")
    assert refused.value.newest.content_hash == hash_files({"statement.md": b"two"})
    assert newest_files(database) == {"statement.md": b"two"}
    assert saved(database, first, statement_md=b"two") == hash_files({"statement.md": b"two"}), "sent twice"


def test_every_state_stays_and_can_be_restored(database: Database) -> None:
    saved(database, None, statement_md=b"one")
    saved(database, {"statement.md": b"one"}, statement_md=b"two", hints_md=b"a hint")
    two = {"statement.md": b"two", "hints.md": b"a hint"}
    with database.writing() as db:
        revisions.restore(db, None, SUBJECT, hash_files(two), hash_files({"statement.md": b"one"}))
    assert newest_files(database) == {"statement.md": b"one"}
    with database.reading() as db:
        assert len(revisions.list_revisions(db, SUBJECT)) == 3
        assert files_of(db, revisions.revision_of(db, SUBJECT, hash_files(two)).id) == two
        assert [told.entry.action for told in entries_of(db, SUBJECT)] == ["saved", "saved", "created"]
    changes = revisions.difference({"statement.md": b"one"}, two)
    assert [(change.path, change.before) for change in changes] == [("hints.md", None), ("statement.md", b"one")]


BAD_PATHS = (
    "../up.py",
    "/etc/passwd",
    "a//b",
    "a/./b",
    ".hidden",
    "a\\b",
    "a\nb",
    "",
    "x" * 300,
    "a/" * 12 + "b",
    "cases.py/x",
)


def test_a_path_that_leaves_its_folder_is_refused(database: Database) -> None:
    saved(database, None, cases_py=b"")
    for path in BAD_PATHS:
        with pytest.raises(Invalid), database.writing() as db:
            revisions.save(db, None, SUBJECT, hash_files({"cases.py": b""}), {path: b""}, "")
    assert newest_files(database) == {"cases.py": b""}


def test_the_side_that_has_changed_is_right(database: Database) -> None:
    assert seen_in_folder(database, FIRST) is None
    assert seen_in_folder(database, EDITED) is None, "the folder alone has changed"
    assert newest_files(database) == EDITED
    draft = {**EDITED, "hints.md": b"a hint"}
    saved(database, EDITED, hints_md=b"a hint")
    assert seen_in_folder(database, EDITED) is None, "a draft is not served"
    publish_newest(database)
    assert seen_in_folder(database, EDITED) == draft, "the browser alone has changed"
    assert seen_in_folder(database, draft) is None, "exported: both sides agree again"
    assert seen_in_folder(database, FIRST) is None, "and the folder leads from there"
    assert newest_files(database) == FIRST


@pytest.mark.parametrize("keep", Keep)
def test_a_conflict_loses_neither_side(database: Database, keep: Keep) -> None:
    seen_in_folder(database, FIRST)
    saved(database, FIRST, statement_md=EDITED["statement.md"])
    assert seen_in_folder(database, IN_THE_FOLDER) == FIRST, "students keep what was published"
    assert newest_files(database) == EDITED
    with database.reading() as db:
        conflict = conflict_of(db, SUBJECT)
        assert conflict is not None
        assert files_of(db, conflict.id) == IN_THE_FOLDER
    with database.writing() as db:
        person = user(db, "ada@example.org")
        with pytest.raises(Conflict):
            settle(db, person, SUBJECT, keep, hash_files(FIRST), hash_files(EDITED))
        settle(db, person, SUBJECT, keep, conflict.content_hash, hash_files(EDITED))
    assert newest_files(database) == (IN_THE_FOLDER if keep is Keep.folder else EDITED)
    assert seen_in_folder(database, IN_THE_FOLDER) == FIRST, "settled, and not published yet"
    publish_newest(database)
    assert seen_in_folder(database, IN_THE_FOLDER) == (None if keep is Keep.folder else EDITED)
    with database.reading() as db:
        assert conflict_of(db, SUBJECT) is None


def test_a_conflict_ends_when_the_folder_goes_back(database: Database) -> None:
    seen_in_folder(database, FIRST)
    saved(database, FIRST, statement_md=EDITED["statement.md"])
    seen_in_folder(database, IN_THE_FOLDER)
    assert seen_in_folder(database, FIRST) is None
    with database.reading() as db:
        assert conflict_of(db, SUBJECT) is None
    assert newest_files(database) == EDITED


def user(db: Session, email: str, role: str = "instructor") -> User:
    return add_user(db, email, Role(role), None)


def test_where_authors_are_listed_they_alone_may(database: Database) -> None:
    with database.writing() as db:
        ada, bob, eve = (user(db, f"{name}@example.org") for name in ("ada", "bob", "eve"))
        root, sue = user(db, "root@example.org", "admin"), user(db, "sue@example.org", "student")
        assert [may_author(db, person, SUBJECT) for person in (ada, bob, root, sue, None)] == [
            True, True, True, False, False,
        ]  # fmt: skip
        list_author(db, ada, SUBJECT, "bob@example.org")
        db.flush()
        assert [may_author(db, person, SUBJECT) for person in (ada, bob, eve, root)] == [True, True, False, True]
        with pytest.raises(Invalid):
            list_author(db, ada, SUBJECT, "sue@example.org")


# ---- the API --------------------------------------------------------------------------------------------------


def client(server: Running, email: str, role: str = "instructor") -> httpx.Client:
    with server.state.db.reading() as db:
        is_known = user_by_email(db, email) is not None
    if not is_known:
        accounts.add_user(server.state.db, email, role, "a wide enough password")
    return server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, email)}")


def test_files_and_revisions_over_the_api(serve: Serve) -> None:
    server = serve()
    with client(server, "ada@example.org") as ada, client(server, "bob@example.org") as bob:
        held = ada.get("/api/v1/exercises/softmax-rows/files").raise_for_status().json()
        assert (held["origin"], "reference.py" in held["files"]) == ("folder", True)
        change = {
            "base": held["revision"],
            "files": {"statement.md": "Shorter.", "figures/a.png": _PNG},
            "message": "x",
        }
        answer = ada.post("/api/v1/exercises/softmax-rows/revisions", json=change)
        assert (answer.status_code, answer.json()["state"]) == (201, "draft")
        refused = bob.post(
            "/api/v1/exercises/softmax-rows/revisions", json={**change, "files": {"statement.md": "Other"}}
        )
        assert refused.status_code == 409
        assert refused.json()["error"]["code"] == "conflict"
        assert refused.json()["newest"]["revision"] == answer.json()["revision"]
        assert refused.json()["newest"]["files"]["figures/a.png"] == _PNG
        one = bob.get(f"/api/v1/exercises/softmax-rows/revisions/{answer.json()['revision']}").json()
        assert (one["author"], one["message"], one["against"]) == ("ada@example.org", "x", held["revision"])
        assert {change["path"]: change["change"] for change in one["difference"]} == {
            "figures/a.png": "added", "statement.md": "changed",
        }  # fmt: skip
        assert "+Shorter." in one["difference"][1]["diff"]
        listed = bob.get("/api/v1/exercises/softmax-rows/revisions").json()
        assert [row["state"] for row in listed["revisions"]] == ["draft", "published"]
        begun = bob.post("/api/v1/courses/brand-new/revisions", json={"files": {"course.toml": 'title = "N"'}})
        assert begun.status_code == 201
        assert bob.get("/api/v1/courses/brand-new/files").json()["files"] == {"course.toml": 'title = "N"'}
        assert bob.post("/api/v1/courses/Brand New/revisions", json={"files": {"course.toml": ""}}).status_code == 422


def test_who_may_not_author_learns_of_no_draft(serve: Serve) -> None:
    server = serve()
    page = "/api/v1/exercises/softmax-rows"
    with server.client() as nobody, server.guest() as guest, client(server, "sue@example.org", "student") as student:
        assert nobody.get(f"{page}/files").status_code == 401
        for other in (guest, student):
            assert other.get(f"{page}/files").status_code == 404
            assert other.get(f"{page}/revisions").status_code == 404
            assert other.post(f"{page}/revisions", json={"files": {}}).status_code == 404
            assert other.post("/api/v1/exercises/new-name/revisions", json={"files": {"a": "b"}}).status_code == 404
            conflict = {"keep": "folder", "folder": "", "base": ""}
            assert other.post(f"{page}/agreements", json=conflict).status_code == 404


_PNG = {"base64": base64.b64encode(b"\x89PNG\r\n\x1a\n\0").decode()}
