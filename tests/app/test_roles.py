"""An admin sees who has an account and changes roles; nobody else does, and somebody stays who can."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import httpx
import pytest
from sqlalchemy import select

from app.people import accounts
from app.people.roles import PAGE, give_role
from app.people.users import Role, User, add_guest, add_user
from app.web.errors import Conflict
from tests.conftest import Running

BROWSER = {"Sec-Fetch-Site": "same-origin"}


def account(server: Running, email: str, role: str) -> httpx.Client:
    accounts.add_user(server.state.db, email, role, None)
    token = accounts.make_token(server.state.db, email)
    return server.client(Authorization=f"Bearer {token}", **BROWSER)


def id_of(server: Running, email: str) -> int:
    with server.state.db.reading() as db:
        return db.scalars(select(User.id).where(User.email == email)).one()


def role_of(server: Running, email: str) -> str:
    with server.state.db.reading() as db:
        return db.scalars(select(User.role).where(User.email == email)).one()


def give(server: Running, by: httpx.Client, email: str, role: str, **form: str) -> httpx.Response:
    return by.post(f"/users/{id_of(server, email)}/role", data={"role": role, **form})


def test_a_colleague_who_signed_up_becomes_an_instructor(server: Running) -> None:
    with account(server, "root@example.org", "admin") as admin, account(server, "eve@example.org", "student") as eve:
        assert eve.get("/metrics").status_code == 403
        assert "People and their roles" in admin.get("/me").text
        done = give(server, admin, "eve@example.org", "instructor", q="eve", page="1")
        assert (done.status_code, role_of(server, "eve@example.org")) == (303, "instructor")
        page = admin.get(done.headers["location"]).text
        assert "eve@example.org is now an instructor." in page
        assert eve.get("/metrics").status_code == 200  # at once, where they are signed in
        give(server, admin, "eve@example.org", "student")
        assert eve.get("/metrics").status_code == 403


@pytest.mark.parametrize(("role", "status"), [("guest", 403), ("student", 403), ("instructor", 403), ("admin", 303)])
def test_only_an_admin_changes_roles_also_their_own(server: Running, role: str, status: int) -> None:
    accounts.add_user(server.state.db, "root@example.org", "admin", None)
    accounts.add_user(server.state.db, "eve@example.org", "student", None)
    if role == "guest":
        client = server.guest()
        client.headers.update(BROWSER)
    else:
        client = account(server, "me@example.org", role)
    with client:
        assert client.get("/users").status_code == (200 if role == "admin" else 403)
        assert give(server, client, "eve@example.org", "admin").status_code == status
        assert role_of(server, "eve@example.org") == ("admin" if role == "admin" else "student")
        assert ("People and their roles" in client.get("/me").text) == (role == "admin")
        if role != "guest":
            assert give(server, client, "me@example.org", "admin").status_code == status
            assert role_of(server, "me@example.org") == role


def test_nobody_and_another_site_change_nothing(server: Running) -> None:
    with account(server, "root@example.org", "admin"), server.client(**BROWSER) as nobody:
        accounts.add_user(server.state.db, "eve@example.org", "student", None)
        assert nobody.get("/users").status_code == 401
        assert give(server, nobody, "eve@example.org", "admin").status_code == 401
        accounts.add_user(server.state.db, "pass@example.org", "admin", "a wide enough password")
        nobody.post("/sessions", data={"email": "pass@example.org", "password": "a wide enough password"})
        assert nobody.get("/users").status_code == 200  # an admin by now
        path = f"/users/{id_of(server, 'eve@example.org')}/role"
        other = nobody.post(path, data={"role": "admin"}, headers={"Sec-Fetch-Site": "cross-site"})
        assert (other.status_code, role_of(server, "eve@example.org")) == (403, "student")


@pytest.mark.parametrize("role", ["guest", "root", "", "Admin", "admin\0"])
def test_there_are_no_other_roles(server: Running, role: str) -> None:
    with account(server, "root@example.org", "admin") as admin, account(server, "eve@example.org", "student"):
        answer = give(server, admin, "eve@example.org", role)
    assert (answer.status_code, "There is no role" in answer.text) == (422, True)
    assert role_of(server, "eve@example.org") == "student"


def test_a_guest_and_nobody_have_no_role_to_change(server: Running) -> None:
    with server.state.db.writing() as db:
        guest = add_guest(db).id
    with account(server, "root@example.org", "admin") as admin:
        for id in (str(guest), "999999", "0", "x", str(2**40)):
            assert admin.post(f"/users/{id}/role", data={"role": "admin"}).status_code == 404, id
    with server.state.db.reading() as db:
        assert db.get_one(User, guest).role == "guest"


def test_the_last_admin_and_the_last_on_the_staff_stay(server: Running) -> None:
    with account(server, "root@example.org", "admin") as admin:
        for role in ("student", "instructor"):
            answer = give(server, admin, "root@example.org", role)
            assert (answer.status_code, "is the last" in answer.text) == (409, True)
        assert give(server, admin, "root@example.org", "admin").status_code == 303
        accounts.add_user(server.state.db, "two@example.org", "admin", None)
        assert give(server, admin, "root@example.org", "instructor").status_code == 303
        assert admin.get("/users").status_code == 403
    with pytest.raises(Conflict, match="last admin"):
        give_role(server.state.db, "two@example.org", "student")
    assert role_of(server, "two@example.org") == "admin"


def test_the_command_line_leaves_an_instructor(server: Running) -> None:
    for email in ("one@example.org", "two@example.org"):
        accounts.add_user(server.state.db, email, "instructor", None)
    give_role(server.state.db, " ONE@example.org", "student")
    with pytest.raises(Conflict, match="last instructor"):
        give_role(server.state.db, "two@example.org", "student")
    assert (role_of(server, "one@example.org"), role_of(server, "two@example.org")) == ("student", "instructor")


def test_two_admins_who_depose_each_other_at_once_leave_one(server: Running) -> None:
    emails = ["one@example.org", "two@example.org"]
    with account(server, emails[0], "admin") as one, account(server, emails[1], "admin") as two:
        ids = [id_of(server, email) for email in emails]
        for _ in range(5):
            with ThreadPoolExecutor(2) as people:
                sent = [
                    people.submit(one.post, f"/users/{ids[1]}/role", data={"role": "student"}),
                    people.submit(two.post, f"/users/{ids[0]}/role", data={"role": "student"}),
                ]
                assert sorted(each.result().status_code for each in sent) == [303, 403]
            assert sorted(role_of(server, email) for email in emails) == ["admin", "student"]
            with server.state.db.writing() as db:
                for id in ids:
                    db.get_one(User, id).role = Role.admin


def test_people_are_found_by_a_part_of_their_address(server: Running) -> None:
    with server.state.db.writing() as db:
        for number in range(PAGE + 5):
            add_user(db, f"student{number:03}@example.org", Role.student, None)
        add_user(db, "100%_sure@example.org", Role.student, None)
        add_guest(db)
    with account(server, "root@example.org", "admin") as admin:
        first, second = admin.get("/users").text, admin.get("/users?page=2").text
        assert (first.count('/role"'), second.count('/role"')) == (PAGE, 7)
        assert "page=2" in first
        assert "page=3" not in second
        assert admin.get("/users?q=STUDENT001").text.count('/role"') == 1
        for special in ("%25_", "%25", "_sure"):
            assert admin.get(f"/users?q={special}").text.count('/role"') == 1, special
        assert "No account matches" in admin.get("/users?q=okapi").text
        for odd in ("q=%00", "page=0", "page=x", f"page={2**31 - 1}", "changed=eve%00", "q=%27%22%3Cscript%3E"):
            answer = admin.get(f"/users?{odd}")
            assert (answer.status_code, "<script>" in answer.text.split("<main")[1]) == (200, False), odd


def test_the_page_says_when_somebody_signed_in(server: Running) -> None:
    with account(server, "root@example.org", "admin") as admin:
        accounts.add_user(server.state.db, "eve@example.org", "student", None)
        today = datetime.now(UTC)
        assert "no open session" in admin.get("/users?q=eve").text
        assert f'signed in <time datetime="{today:%Y-%m-%d}' in admin.get("/users?q=root").text
