"""The audit log: what was done, by whom, to whom and when. No entry ever changes, and none holds a secret."""

import ast
import csv
import io
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import delete, func, select, text
from sqlalchemy.exc import DBAPIError

from app.operating.audit_log import ACTIONS, KINDS
from app.operating.settings_note import TOLD, note_settings
from app.people import accounts, password_change
from app.people.audit import AuditEntry, Thing, Told, Via, Wanted, note, search
from app.people.roles import give_role
from app.people.users import User
from app.quizzes.extra_time import give_time
from app.settings import Settings
from app.web.errors import Conflict
from tests.conftest import Running

ROOT = Path(__file__).resolve().parents[2]
BROWSER = {"Sec-Fetch-Site": "same-origin"}
PASSWORD, OTHER_PASSWORD = "a wide enough password", "another one of them"


def account(server: Running, email: str, role: str) -> httpx.Client:
    accounts.add_user(server.state.db, email, role, None)
    return server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, email)}", **BROWSER)


def told(server: Running, **wanted: str) -> list[Told]:
    with server.state.db.reading() as db:
        return search(db, Wanted(**wanted))


def actions(server: Running, **wanted: str) -> list[str]:
    return [one.entry.action for one in reversed(told(server, **wanted))]


def id_of(server: Running, email: str) -> int:
    with server.state.db.reading() as db:
        return db.scalars(select(User.id).where(User.email == email)).one()


def test_what_an_admin_does_to_a_person_is_told_with_both(server: Running) -> None:
    with account(server, "root@example.org", "admin") as admin:
        accounts.add_user(server.state.db, "eve@example.org", "student", None)
        id = id_of(server, "eve@example.org")
        admin.post(f"/users/{id}/role", data={"role": "instructor"})
        admin.post(f"/users/{id}/role", data={"role": "instructor"})  # nothing changes
        for what in ("sessions", "disabled", "disabled", "enabled"):
            admin.post(f"/users/{id}/access", data={"what": what})
    entries = told(server, email="eve@example.org")
    by = [(one.entry.action, one.who, one.to) for one in reversed(entries)]
    assert by == [
        ("account added", "the command line", "eve@example.org"),
        ("role changed", "root@example.org", "eve@example.org"),
        ("sessions ended", "root@example.org", "eve@example.org"),
        ("account disabled", "root@example.org", "eve@example.org"),
        ("account enabled", "root@example.org", "eve@example.org"),
    ]
    assert entries[3].entry.detail == {"from": "student", "to": "instructor"}


def test_what_is_done_on_the_command_line_is_told(server: Running) -> None:
    database = server.state.db
    accounts.add_user(database, "eve@example.org", "student", None)
    accounts.make_token(database, "eve@example.org")
    password_change.give_password(database, "eve@example.org", PASSWORD)
    give_role(database, "eve@example.org", "instructor")
    give_time(database, "eve@example.org", 1.5)
    assert {one.who for one in told(server, email="eve@example.org")} == {"the command line"}
    assert actions(server, kind="person") == [
        "account added",
        "token made",
        "password set",
        "role changed",
        "quiz time changed",
    ]


def test_what_somebody_does_with_their_own_account_is_told_and_outlives_it(server: Running) -> None:
    with account(server, "root@example.org", "admin"), server.client(**BROWSER) as eve:
        eve.post("/users", data={"email": "eve@example.org", "password": PASSWORD})
        id = id_of(server, "eve@example.org")
        eve.post("/me/password", data={"current": PASSWORD, "password": OTHER_PASSWORD})
        assert [one.who for one in told(server, action="password changed")] == ["eve@example.org"]
        gone = eve.post("/me/deletion", data={"password": OTHER_PASSWORD})
        assert gone.status_code == 200
    entries = [one for one in told(server, kind="person") if one.entry.slug == str(id)]
    assert [one.entry.action for one in entries] == ["account deleted", "password changed", "account added"]
    assert {(one.who, one.to) for one in entries} == {("a deleted account", str(id))}
    assert "eve@example.org" not in json.dumps([one.entry.detail for one in told(server)])


def test_what_is_refused_is_not_told(server: Running) -> None:
    with account(server, "root@example.org", "admin") as admin:
        before = actions(server)
        id = id_of(server, "root@example.org")
        assert admin.post(f"/users/{id}/access", data={"what": "disabled"}).status_code == 409
        with pytest.raises(Conflict):
            give_role(server.state.db, "root@example.org", "student")
        assert actions(server) == before


def test_an_entry_is_stored_with_what_it_tells_or_not_at_all(server: Running) -> None:
    def fail() -> None:
        with server.state.db.writing() as db:
            note(db, None, Thing("installation", "test"), "settings changed")
            db.flush()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert actions(server, kind="installation") == []


@pytest.mark.parametrize(
    "change", ["action = 'saved'", "at = '2001-01-01'", "slug = '1'", "detail = '7'", "actor_id = {id}", "id = 999999"]
)
def test_the_database_refuses_to_change_an_entry(server: Running, change: str) -> None:
    user = accounts.add_user(server.state.db, "eve@example.org", "student", None)
    statement = f"UPDATE audit_entry SET {change.format(id=user.id)}"
    with pytest.raises(DBAPIError, match="never changed"), server.state.db.changing() as db:
        db.execute(text(statement))
    assert actions(server, kind="person") == ["account added"]


def test_only_admins_read_it_page_by_page_and_as_a_file(server: Running) -> None:
    with account(server, "root@example.org", "admin") as admin:
        with server.state.db.writing() as db:
            for number in range(60):
                note(db, None, Thing("exercise", f"e{number}"), "saved", {"revision": "ab" * 8})
        first = admin.get("/admin/audit?action=saved").text
        assert "e59" in first
        assert "e10<" in first
        assert "e9<" not in first
        path = next(part.split('"')[0] for part in first.split('href="') if "before=" in part.split('"')[0])
        assert "exercise e9<" in admin.get(path.replace("&amp;", "&")).text
        answer = admin.get("/admin/audit.csv?action=saved")
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert "attachment" in answer.headers["content-disposition"]
    assert [row["name"] for row in rows] == [f"e{number}" for number in reversed(range(60))]
    assert json.loads(rows[0]["detail"]) == {"revision": "ab" * 8}
    assert {row["who"] for row in rows} == {"the server"}


def test_a_cell_of_the_file_is_no_formula(server: Running) -> None:
    """attack: somebody signs up as `=cmd@example.org`, and an admin opens the file in a spreadsheet."""
    with account(server, "root@example.org", "admin") as admin:
        accounts.add_user(server.state.db, "=cmd|a@example.org", "student", None)
        rows = list(csv.DictReader(io.StringIO(admin.get("/admin/audit.csv").text)))
    assert rows[0]["name"] == "'=cmd|a@example.org"


def test_settings_are_told_when_they_change_and_no_secret_is_among_them(server: Running) -> None:
    def start(**settings: Any) -> None:
        with server.state.db.writing() as db:
            note_settings(db, Settings(**settings))

    for settings in ({}, {"guest_days": 7}, {"guest_days": 7}, {"guest_days": 7, "quota_mb": 9}, {}):
        start(database_url="postgresql://me:very-secret@db/lectern", **settings)
    changes = [one.entry.detail for one in reversed(told(server, action="settings changed"))]
    assert changes == [
        {"guest_days": {"from": 30, "to": 7}},
        {"quota_mb": {"from": 256, "to": 9}},
        {"guest_days": {"from": 7, "to": 30}, "quota_mb": {"from": 9, "to": 256}},
    ]
    assert {"database_url", "queue", "smtp"}.isdisjoint(TOLD)


def test_every_action_that_is_written_can_be_looked_for() -> None:
    """The words of each `note(…)` in the code are in the page's list."""
    written, kinds = set(), set()
    sources = [path.read_text() for path in (ROOT / "app").rglob("*.py")]
    trees = [ast.parse(source) for source in sources if "note(" in source or "Thing(" in source]
    for call in (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = ast.unparse(call.func) if isinstance(call.func, ast.Name | ast.Attribute) else ""
        if name in ("note", "audit.note"):
            found = [*call.args, *(keyword.value for keyword in call.keywords)][3]
            written |= {one.value for one in ast.walk(found) if isinstance(one, ast.Constant)}
        elif name.endswith("Thing"):
            kinds |= {one.value for one in call.args[:1] if isinstance(one, ast.Constant)}
    assert written
    assert kinds
    assert {action for action in written if isinstance(action, str)} <= {*ACTIONS}
    assert kinds <= {*KINDS}


def test_whose_account_is_deleted_is_forgotten_as_actor_and_the_entry_stays(server: Running) -> None:
    user = accounts.add_user(server.state.db, "eve@example.org", "admin", None)
    with server.state.db.writing() as db:
        note(db, db.get_one(User, user.id), Thing("post", "7"), "post hidden")
    with server.state.db.writing() as db:
        db.execute(delete(User).where(User.id == user.id))
    with server.state.db.reading() as db:
        assert db.scalar(select(func.count()).select_from(AuditEntry)) == 2
    assert told(server, action="post hidden")[0].who == "a deleted account"
    assert told(server, action="post hidden")[0].entry.via == Via.web
