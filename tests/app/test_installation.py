"""Admins see how the installation is doing; for everybody else there is nothing at that address."""

import shutil
import threading
from pathlib import Path

import httpx
import pytest
from sqlalchemy import event

from app.people import accounts
from app.people.roles import Account, list_accounts
from app.people.users import add_guest
from app.settings import ROOT
from app.web.errors import Conflict
from tests.conftest import Running, Serve

BROWSER = {"Sec-Fetch-Site": "same-origin"}
REFERENCE = "def softmax(x):\n    return x\n"


def account(server: Running, email: str, role: str) -> httpx.Client:
    accounts.add_user(server.state.db, email, role, None)
    return server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, email)}", **BROWSER)


def test_there_is_nothing_here_for_anybody_but_admins(server: Running) -> None:
    with account(server, "root@example.org", "admin") as admin:
        assert admin.get("/admin").status_code == 200
        assert 'href="/admin"' in admin.get("/me").text
    unknown = {"Authorization": "Bearer nothing"}
    others = [account(server, f"{role}@example.org", role) for role in ("student", "instructor")]
    for client in (*others, server.guest(), server.client(), server.client(**unknown)):
        with client:
            for path in ("/admin", "/admin/audit", "/admin/audit.csv"):
                assert client.get(path).status_code == 404, path
            assert 'href="/admin"' not in client.get("/exercises").text


def test_it_tells_what_waits_and_since_when(server: Running) -> None:
    with account(server, "root@example.org", "admin") as admin, account(server, "eve@example.org", "student") as eve:
        assert "Nothing waits" in admin.get("/admin").text
        for kind in ("submit", "submit", "run"):
            body = {"framework": "numpy", "source": REFERENCE, "kind": kind}
            assert eve.post("/api/v1/exercises/softmax-rows/submissions", json=body).status_code == 202
        page = admin.get("/admin").text
        assert "3 waiting, 0 running." in page
        job = server.state.jobs.claim(0)
        assert job is not None
        page = admin.get("/admin").text
        assert "2 waiting, 1 running." in page
        assert "a worker is judging an earlier submission of the same person" in page
        assert "Being judged" in page
        server.state.jobs.give_back(job, "a test gives it back")
        assert "tried 1 of 3 times without a verdict" in admin.get("/admin").text


def test_it_tells_what_is_broken_where_and_since_when(serve: Serve, tmp_path: Path) -> None:
    folder = tmp_path / "exercises" / "broken-one"
    whole = ROOT / "exercises" / "softmax-rows"
    shutil.copytree(whole, folder)
    told = (folder / "exercise.toml").read_text()
    (folder / "exercise.toml").write_text("\n\nbroken = = 3\n" + told)
    server = serve(exercises=tmp_path / "exercises")
    with account(server, "root@example.org", "admin") as admin:
        page = admin.get("/admin").text
    assert "exercise.toml:3" in page
    assert 'href="/author/exercise/broken-one"' in page
    assert "not published, since <time" in page


def test_it_tells_of_disk_staff_and_release(server: Running) -> None:
    with account(server, "root@example.org", "admin") as admin, account(server, "ann@example.org", "instructor"):
        page = " ".join(admin.get("/admin").text.split())
    assert '<a href="/users?of=instructor">Instructors</a></dt><dd>1</dd>' in page
    assert "SQLite 3" in page or "PostgreSQL " in page
    assert "<dt>Lectern</dt><dd>0." in page
    disk = server.state.disk.read()
    assert disk.database_bytes > 0
    assert 0 < disk.free_bytes <= disk.total_bytes


def test_it_asks_no_machine_and_few_questions(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer than a page that everybody has, and as many whatever there is. That none walks a large table is asked of
    every page at once (test_indexes.py)."""

    def refuse(*arguments: object, **more: object) -> None:
        raise AssertionError(f"it asks {arguments}")

    asked: list[str] = []

    def note(connection: object, cursor: object, statement: str, *more: object) -> None:
        if threading.current_thread().name.startswith("AnyIO"):  # what the server does by itself is not the page's
            asked.append(statement)

    def questions(client: httpx.Client, path: str) -> int:
        asked.clear()
        client.get(path).raise_for_status()
        return len(asked)

    with account(server, "root@example.org", "admin") as admin:
        admin.get("/admin").raise_for_status()
        monkeypatch.setattr("socket.create_connection", refuse)
        monkeypatch.setattr("subprocess.Popen", refuse)
        event.listen(server.state.db.engine, "before_cursor_execute", note)
        try:
            few, everybodys = questions(admin, "/admin"), questions(admin, "/progress")
            with server.state.db.writing() as db:
                for _ in range(30):
                    add_guest(db)
            again = questions(admin, "/admin")
        finally:
            event.remove(server.state.db.engine, "before_cursor_execute", note)
    assert 0 < few == again < everybodys


@pytest.mark.parametrize("who", ["disabled", "sessions"])
def test_an_admin_signs_somebody_out_everywhere(server: Running, who: str) -> None:
    with account(server, "root@example.org", "admin") as admin, account(server, "eve@example.org", "student") as eve:
        accounts.add_user(server.state.db, "ann@example.org", "student", "a wide enough password")
        assert eve.get("/api/v1/me/export").status_code == 200
        id = next(entry.id for entry in listed(server) if entry.email == "eve@example.org")
        assert eve.post(f"/users/{id}/access", data={"what": who}).status_code == 403
        done = admin.post(f"/users/{id}/access", data={"what": who, "q": "eve"})
        assert done.status_code == 303
        assert eve.get("/api/v1/me/export").status_code == 401
        page = admin.get(done.headers["location"]).text
        assert ("cannot sign in" if who == "disabled" else "signed out everywhere") in page
        if who == "sessions":
            accounts.make_token(server.state.db, "eve@example.org")
            return
        with pytest.raises(Conflict):
            accounts.make_token(server.state.db, "eve@example.org")
        again = admin.post(f"/users/{id}/access", data={"what": "enabled"})
        assert again.status_code == 303
        accounts.make_token(server.state.db, "eve@example.org")


def test_who_is_disabled_is_refused_with_the_right_password_and_told_nothing_with_a_wrong_one(server: Running) -> None:
    with account(server, "root@example.org", "admin") as admin, server.client(**BROWSER) as eve:
        accounts.add_user(server.state.db, "eve@example.org", "student", "a wide enough password")
        id = next(entry.id for entry in listed(server) if entry.email == "eve@example.org")
        admin.post(f"/users/{id}/access", data={"what": "disabled"})
        right = {"email": "eve@example.org", "password": "a wide enough password"}
        assert eve.post("/api/v1/sessions", json=right).status_code == 403
        assert eve.post("/api/v1/sessions", json={**right, "password": "another password"}).status_code == 401
        admin.post(f"/users/{id}/access", data={"what": "enabled"})
        assert eve.post("/api/v1/sessions", json=right).status_code in (200, 201)


def test_the_last_admin_is_not_disabled(server: Running) -> None:
    with account(server, "root@example.org", "admin") as admin, account(server, "ann@example.org", "admin"):
        ids = {entry.email: entry.id for entry in listed(server)}
        assert admin.post(f"/users/{ids['ann@example.org']}/access", data={"what": "disabled"}).status_code == 303
        refused = admin.post(f"/users/{ids['root@example.org']}/access", data={"what": "disabled"})
        assert refused.status_code == 409
        demoted = admin.post(f"/users/{ids['root@example.org']}/role", data={"role": "student"})
        assert demoted.status_code == 409, "who is disabled is no other admin"
        assert admin.post(f"/users/{ids['ann@example.org']}/access", data={"what": "erase"}).status_code == 422
        assert admin.get("/users?of=admin").text.count('class="who"') == 2
        assert admin.get("/users?of=instructor").text.count('class="who"') == 0


def listed(server: Running) -> list[Account]:
    with server.state.db.reading() as db:
        return list_accounts(db)
