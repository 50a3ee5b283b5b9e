"""A class through the API: created, joined, its roster, its assignments, and what they come to."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from tests.app.classes import GATHER, QUIZ, SOFTMAX, account, id_of, judged, make_class
from tests.conftest import Running

NOW = datetime.now(UTC)


def stamp(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


def ago(**delta: float) -> str:
    return stamp(datetime.now(UTC) - timedelta(**delta))


def test_an_instructor_makes_a_class_and_a_student_joins_by_its_code(server: Running) -> None:
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, "eve@example.org")
    body = {"course": "positions", "title": "  Spring   2027 ", "timezone": "Europe/Berlin"}
    made = ada.post("/api/v1/classes", json=body)
    assert made.status_code == 201
    found = made.json()
    assert {"course": "positions", "title": "Spring 2027", "timezone": "Europe/Berlin"}.items() <= found.items()
    assert eve.get(f"/api/v1/classes/{found['id']}").status_code == 404
    code = found["join_code"].upper()
    joined = eve.post("/api/v1/enrolments", json={"join_code": f" {code[:5]}-{code[5:]}"})
    assert (joined.status_code, joined.json()["class"], joined.json()["role"]) == (201, found["id"], "student")
    seen = eve.get(f"/api/v1/classes/{found['id']}").json()
    assert (seen["role"], seen["join_code"], seen["students"]) == ("student", None, 1)
    again = eve.post("/api/v1/enrolments", json={"join_code": code}).json()
    assert again["class"] == found["id"]
    assert ada.post("/api/v1/enrolments", json={"join_code": code}).json()["role"] == "instructor"
    assert [one["id"] for one in eve.get("/api/v1/classes").json()] == [found["id"]]


@pytest.mark.parametrize("role", ["guest", "student"])
def test_only_instructors_of_the_site_create_classes(server: Running, role: str) -> None:
    with server.guest() if role == "guest" else account(server, "eve@example.org") as client:
        assert client.post("/api/v1/classes", json={"course": "positions", "title": "Mine"}).status_code == 403


@pytest.mark.parametrize(
    ("field", "value"),
    [("course", "nowhere"), ("title", "  "), ("timezone", "Europe/Atlantis"), ("timezone", "../etc/passwd")],
)
def test_what_no_class_can_be_is_refused_with_its_remedy(server: Running, field: str, value: str) -> None:
    ada = account(server, "ada@example.org", "instructor")
    body = {"course": "positions", "title": "Spring", "timezone": "UTC", field: value}
    refused = ada.post("/api/v1/classes", json=body)
    assert refused.status_code == 422
    assert field in refused.json()["error"]["message"]
    assert refused.json()["error"]["hint"]


def test_a_code_that_was_replaced_opens_nothing_and_an_archived_class_takes_nobody(server: Running) -> None:
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, "eve@example.org")
    made = make_class(server, ada)
    changed = ada.patch(made.url, json={"new_join_code": True}).json()
    assert eve.post("/api/v1/enrolments", json={"join_code": made.join_code}).status_code == 404
    ada.patch(made.url, json={"archived": True}).raise_for_status()
    assert eve.post("/api/v1/enrolments", json={"join_code": changed["join_code"]}).status_code == 409
    assert ada.put(f"{made.url}/assignments/exercise/{GATHER}", json={}).status_code == 409
    ada.patch(made.url, json={"archived": False, "joining": "invitation"}).raise_for_status()
    assert eve.post("/api/v1/enrolments", json={"join_code": changed["join_code"]}).status_code == 404


def test_a_roster_goes_in_and_out_as_csv(server: Running) -> None:
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, "eve@example.org")
    made = make_class(server, ada)
    made.join(account(server, "old@example.org"))
    text = 'Section;Role;Name;E-mail\nA;;"=HYPERLINK(1)";EVE@example.org\nB;assistant;Bob;bob@example.org\n'
    done = ada.put(f"{made.url}/roster", content=text.encode("utf-8-sig"), headers={"Content-Type": "text/csv"})
    assert done.status_code == 200
    counts = {name: done.json()[name] for name in ("added", "changed", "removed", "expected")}
    assert counts == {"added": 2, "changed": 0, "removed": 1, "expected": 1}
    people = {one["email"]: one for one in ada.get(f"{made.url}/roster").json()["roster"]}
    assert people.keys() == {"ada@example.org", "eve@example.org", "bob@example.org"}
    assert people["eve@example.org"] == {
        "user": id_of(server, "eve@example.org"), "email": "eve@example.org", "name": "=HYPERLINK(1)", "section": "A",
        "role": "student", "state": "enrolled",
    }  # fmt: skip
    assert (people["bob@example.org"]["state"], people["bob@example.org"]["user"]) == ("expected", None)
    out = ada.get(f"{made.url}/roster", headers={"Accept": "text/csv"})
    assert out.headers["content-type"].startswith("text/csv")
    assert "eve@example.org,'=HYPERLINK(1),A,student" in out.text  # no formula for a spreadsheet
    same = ada.put(f"{made.url}/roster", content=out.content, headers={"Content-Type": "text/csv"}).json()
    assert (same["added"], same["changed"], same["removed"]) == (0, 0, 0)
    assert eve.get(made.url).json()["role"] == "student"


def test_a_faulty_roster_changes_nothing_and_names_every_line(server: Running) -> None:
    ada = account(server, "ada@example.org", "instructor")
    made = make_class(server, ada)
    lines = [
        {"email": "eve@example.org"},
        {"email": "nobody"},
        {"email": "eve@example.org"},
        {"email": "a@b.org", "role": "king"},
    ]
    refused = ada.put(f"{made.url}/roster", json=lines)
    assert refused.status_code == 422
    message = refused.json()["error"]["message"]
    assert "line 2" in message and "line 3" in message and "line 4" in message  # noqa: PT018
    assert len(ada.get(f"{made.url}/roster").json()["roster"]) == 1
    faulty = b"email,role\n\nnobody,student\n"
    told = ada.put(f"{made.url}/roster", content=faulty, headers={"Content-Type": "text/csv"}).json()["error"][
        "message"
    ]
    assert "line 3: email" in told, "as a text editor counts them"
    assert ".." not in told
    for body in (b"", b"\xff\xfe", b"name\nAda\n"):
        assert ada.put(f"{made.url}/roster", content=body, headers={"Content-Type": "text/csv"}).status_code == 422


def test_somebody_expected_is_in_the_class_once_they_sign_up(server: Running) -> None:
    ada = account(server, "ada@example.org", "instructor")
    made = make_class(server, ada)
    lines = [{"email": "eve@example.org", "name": "Eve", "section": "A"}]
    ada.put(f"{made.url}/roster", json={"roster": lines}).raise_for_status()
    with server.client() as anonymous:
        body = {"email": "Eve@Example.org", "password": "a wide enough password"}
        token = anonymous.post("/api/v1/users", json=body).raise_for_status().json()["token"]
    with server.client(Authorization=f"Bearer {token}") as eve:
        assert eve.get(made.url).json()["role"] == "student"
    people = {one["email"]: one for one in ada.get(f"{made.url}/roster").json()["roster"]}
    assert (people["eve@example.org"]["name"], people["eve@example.org"]["state"]) == ("Eve", "enrolled")


def test_a_student_who_runs_a_class_puts_nobodys_account_into_it(server: Running) -> None:
    """attack: be made an instructor of a class, add an account, assign an exercise, and read what it sent."""
    ada, mallory, eve = (account(server, f"{name}@example.org", role) for name, role in (
        ("ada", "instructor"), ("mallory", "student"), ("eve", "student")
    ))  # fmt: skip
    made = make_class(server, ada)
    made.join(mallory)
    ada.patch(f"{made.url}/roster/{id_of(server, 'mallory@example.org')}", json={"role": "instructor"})
    sent = judged(server, eve)
    made.assign()
    lines = [{"email": "mallory@example.org", "role": "instructor"}, {"email": "ada@example.org", "role": "instructor"},
             {"email": "eve@example.org", "name": "Eve", "section": "A"}]  # fmt: skip
    mallory.put(f"{made.url}/roster", json={"roster": lines}).raise_for_status()
    mallory.post(f"/classes/{made.id}/roster", data={"email": "eve@example.org", "name": "Eve", "section": "A"})
    assert mallory.get(f"/api/v1/submissions/{sent}").status_code == 404
    assert eve.get(made.url).status_code == 404
    people = {one["email"]: one for one in ada.get(f"{made.url}/roster").json()["roster"]}
    assert people["eve@example.org"]["state"] == "expected"
    made.join(eve)  # she wants to
    people = {one["email"]: one for one in ada.get(f"{made.url}/roster").json()["roster"]}
    assert {key: people["eve@example.org"][key] for key in ("name", "section", "state")} == {
        "name": "Eve", "section": "A", "state": "enrolled",
    }  # fmt: skip
    assert len(people) == 3
    assert mallory.get(f"/api/v1/submissions/{sent}").status_code == 200


def test_the_last_instructor_stays(server: Running) -> None:
    ada = account(server, "ada@example.org", "instructor")
    made = make_class(server, ada)
    me = id_of(server, "ada@example.org")
    assert ada.delete(f"{made.url}/roster/{me}").status_code == 409
    assert ada.patch(f"{made.url}/roster/{me}", json={"role": "student"}).status_code == 409
    assert ada.get(made.url).json()["role"] == "instructor"
    assert ada.put(f"{made.url}/roster", json=[{"email": "ada@example.org", "role": "student"}]).status_code == 409


def test_scores_are_the_best_attempt_after_lateness(server: Running) -> None:
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, "eve@example.org")
    made = make_class(server, ada)
    made.join(eve)
    made.assign(due_at=ago(hours=30), late={"per_day": 0.1, "grace_minutes": 15}, weight=2)
    assert made.cell("eve@example.org") is None
    assert made.gradebook()["rows"][0]["total"] == 0  # missing, and due
    judged(server, eve, 0.5, at=datetime.now(UTC) - timedelta(hours=31))
    cell = made.cell("eve@example.org")
    assert cell is not None
    assert (cell["score"], cell["late_days"], cell["attempts"]) == (0.5, 0, 1)
    late = judged(server, eve, 1.0)
    cell = made.cell("eve@example.org")
    assert cell is not None
    assert cell | {"score": 0.8, "late_days": 2, "attempts": 2, "submission": late, "raw": 1.0} == cell
    book = made.gradebook()
    assert book["columns"] == [
        {"kind": "exercise", "slug": GATHER, "title": book["columns"][0]["title"], "weight": 2.0,
         "due_at": book["columns"][0]["due_at"]}
    ]  # fmt: skip
    assert book["rows"][0]["total"] == 0.8
    assert "80%" in book["rows"][0]["total_text"]


def test_an_extension_gives_one_person_another_date_and_is_seen_at_once(server: Running) -> None:
    ada = account(server, "ada@example.org", "instructor")
    eve, bob = account(server, "eve@example.org"), account(server, "bob@example.org")
    made = make_class(server, ada)
    made.join(eve)
    made.join(bob)
    made.assign(due_at=ago(days=2), closes_at=ago(days=1), late={"per_day": 0.5})
    for client in (eve, bob):
        judged(server, client, 1.0)
    assert (made.cell("eve@example.org"), made.cell("bob@example.org")) == (None, None)  # it had closed
    user = id_of(server, "eve@example.org")
    url = f"{made.url}/extensions/{user}/exercise/{GATHER}"
    due = stamp(datetime.now(UTC) + timedelta(hours=1))
    assert ada.put(url, json={"due_at": due, "attempts": None}).json()["due_at"] == due
    cell = made.cell("eve@example.org")
    assert cell is not None
    assert (cell["score"], cell["late_days"]) == (1.0, 0)
    assert made.cell("bob@example.org") is None
    assert eve.get(f"{made.url}/assignments").json()[0]["due_at"] == due
    assert bob.get(f"{made.url}/assignments").json()[0]["due_at"] != due
    assert ada.put(url, json={"due_at": ago(days=30)}).status_code == 422
    ada.delete(url).raise_for_status()
    assert made.cell("eve@example.org") is None


def test_so_many_attempts_count_and_more_by_an_extension(server: Running) -> None:
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, "eve@example.org")
    made = make_class(server, ada)
    made.join(eve)
    made.assign(attempts=1)
    judged(server, eve, 0.25)
    judged(server, eve, 1.0)
    cell = made.cell("eve@example.org")
    assert cell is not None
    assert (cell["score"], cell["attempts"]) == (0.25, 2)
    url = f"{made.url}/extensions/{id_of(server, 'eve@example.org')}/exercise/{GATHER}"
    ada.put(url, json={"attempts": 2}).raise_for_status()
    cell = made.cell("eve@example.org")
    assert cell is not None
    assert cell["score"] == 1.0


def test_totals_weigh_drop_and_excuse(server: Running) -> None:
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, "eve@example.org")
    made = make_class(server, ada)
    made.join(eve)
    made.assign(GATHER, weight=3)
    made.assign(SOFTMAX, weight=1, due_at=ago(hours=1))
    judged(server, eve, 1.0)
    row = made.gradebook()["rows"][0]
    assert row["total"] == 0.75
    assert "1 missing" in row["total_text"]
    ada.patch(made.url, json={"drop_lowest": 1}).raise_for_status()
    assert made.gradebook()["rows"][0]["total"] == 1.0
    ada.patch(made.url, json={"drop_lowest": 0}).raise_for_status()
    user = id_of(server, "eve@example.org")
    ada.put(f"{made.url}/extensions/{user}/exercise/{SOFTMAX}", json={"excused": True}).raise_for_status()
    row = made.gradebook()["rows"][0]
    assert (row["total"], "1 excused" in row["total_text"]) == (1.0, True)
    url = f"{made.url}/scores/{user}/exercise/{GATHER}"
    assert ada.put(url, json={"score": 0.5, "reason": ""}).status_code == 422
    ada.put(url, json={"score": 0.5, "reason": "copied from the lecture"}).raise_for_status()
    cell = made.cell("eve@example.org", [c["slug"] for c in made.gradebook()["columns"]].index(GATHER))
    assert cell is not None
    assert (cell["score"], cell["raw"], cell["override"]) == (0.5, 1.0, "copied from the lecture")
    own = eve.get(f"{made.url}/grades").json()["rows"]
    assert len(own) == 1
    assert own[0]["total"] == 0.5
    ada.delete(url).raise_for_status()
    assert made.gradebook()["rows"][0]["total"] == 1.0


def test_a_quiz_counts_by_its_best_attempt(server: Running) -> None:
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, "eve@example.org")
    made = make_class(server, ada)
    made.join(eve)
    assert made.assign(f"positions.{QUIZ}", "quiz")["slug"] == QUIZ
    begun = eve.post(f"/api/v1/quizzes/positions/{QUIZ}/sittings").raise_for_status().json()
    eve.post(f"/api/v1/sittings/{begun['id']}/submission").raise_for_status()
    cell = made.cell("eve@example.org")
    assert cell is not None
    assert (cell["score"], cell["attempts"], cell["sitting"], cell["submission"]) == (0.0, 1, begun["id"], None)
    url = f"{made.url}/scores/{id_of(server, 'eve@example.org')}/quiz/positions.{QUIZ}"  # named with its course
    ada.put(url, json={"score": 0.5, "reason": "a power cut"}).raise_for_status()
    assert ada.delete(url).status_code == 204


@pytest.mark.parametrize(
    ("columns", "first"), [("lectern", "email"), ("canvas", "Student"), ("moodle", "Email address")]
)
def test_the_gradebook_goes_out_as_csv(server: Running, columns: str, first: str) -> None:
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, "eve@example.org")
    made = make_class(server, ada)
    made.join(eve)
    made.assign()
    judged(server, eve, 1.0)
    out = ada.get(f"{made.url}/gradebook", params={"columns": columns}, headers={"Accept": "text/csv"})
    head, *lines = out.content.decode("utf-8-sig").splitlines()
    assert head.startswith(first)
    assert any("eve@example.org" in line and "100" in line for line in lines)
    if columns == "canvas":
        assert lines[0].split(",")[0].strip() == "Points Possible"


def test_a_copy_has_the_schedule_at_the_same_wall_time(server: Running) -> None:
    ada = account(server, "ada@example.org", "instructor")
    made = make_class(server, ada, "Europe/Berlin")
    made.assign(due_at="2027-03-20T22:00:00Z", weight=2, access_code="secret")  # 23:00 in winter time
    copied = ada.post(f"{made.url}/copies", json={"title": "Autumn", "days": 28}).raise_for_status().json()
    rows = ada.get(f"/api/v1/classes/{copied['id']}/assignments").json()
    assert [(one["slug"], one["due_at"], one["weight"], one["access_code"]) for one in rows] == [
        (GATHER, "2027-04-17T21:00:00Z", 2.0, None)  # 23:00 in summer time
    ]
    assert copied["students"] == 0


def test_students_do_not_see_what_is_hidden(server: Running) -> None:
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, "eve@example.org")
    made = make_class(server, ada)
    made.join(eve)
    made.assign(hidden_until=stamp(datetime.now(UTC) + timedelta(days=1)))
    assert eve.get(f"{made.url}/assignments").json() == []
    assert eve.get(f"{made.url}/assignments/exercise/{GATHER}").status_code == 404
    assert len(ada.get(f"{made.url}/assignments").json()) == 1
    assert eve.get(f"{made.url}/grades").json()["columns"] == []


def test_dates_out_of_order_are_refused(server: Running) -> None:
    ada = account(server, "ada@example.org", "instructor")
    made = make_class(server, ada)
    url = f"{made.url}/assignments/exercise/{GATHER}"
    assert ada.put(url, json={"due_at": "2027-01-02T00:00:00Z", "opens_at": "2027-01-03T00:00:00Z"}).status_code == 422
    assert ada.put(url, json={"due_at": "2027-01-02T00:00:00"}).status_code == 422  # in whose time zone?
    assert ada.put(f"{made.url}/assignments/exercise/nothing", json={}).status_code == 404
    assert ada.put(f"{made.url}/assignments/quiz/learned-embeddings", json={}).status_code == 404


CALLS: dict[str, tuple[str, str, Any]] = {
    "show": ("GET", "", None),
    "assignments": ("GET", "/assignments", None),
    "grades": ("GET", "/grades", None),
    "roster": ("GET", "/roster", None),
    "gradebook": ("GET", "/gradebook", None),
    "change": ("PATCH", "", {"title": "Other"}),
    "copy": ("POST", "/copies", {"title": "Copy"}),
    "replace roster": ("PUT", "/roster", [{"email": "ada@example.org", "role": "instructor"}]),
    "change person": ("PATCH", "/roster/{student}", {"section": "B"}),
    "remove person": ("DELETE", "/roster/{student}", None),
    "assign": ("PUT", f"/assignments/exercise/{SOFTMAX}", {}),
    "one assignment": ("GET", f"/assignments/exercise/{GATHER}", None),
    "unassign": ("DELETE", f"/assignments/exercise/{GATHER}", None),
    "extend": ("PUT", "/extensions/{student}/exercise/" + GATHER, {"attempts": 2}),
    "take extension back": ("DELETE", "/extensions/{student}/exercise/" + GATHER, None),
    "replace score": ("PUT", "/scores/{student}/exercise/" + GATHER, {"score": 1, "reason": "why"}),
    "withdraw score": ("DELETE", "/scores/{student}/exercise/" + GATHER, None),
}
STAFF_READS = {"show", "assignments", "one assignment", "roster", "gradebook"}
ALLOWED = {
    "student": {"show", "assignments", "one assignment", "grades"},
    "assistant": STAFF_READS,
    "instructor": CALLS.keys() - {"grades"},
    "nobody": set[str](),
    "other": set[str](),  # an instructor of another class, and of the site
    "admin": set[str](),
}


@pytest.mark.parametrize("who", sorted(ALLOWED))
def test_the_table_of_rights_route_by_route(server: Running, who: str) -> None:
    """Each call by each role; of another class none, whatever somebody is elsewhere or on the site."""
    ada, eve = account(server, "ada@example.org", "instructor"), account(server, "eve@example.org")
    made = make_class(server, ada)
    made.join(eve)
    made.assign()
    student = id_of(server, "eve@example.org")
    clients: dict[str, httpx.Client] = {"instructor": ada, "student": eve}
    if who == "assistant":
        clients[who] = account(server, "bob@example.org")
        made.join(clients[who])
        ada.patch(
            f"{made.url}/roster/{id_of(server, 'bob@example.org')}", json={"role": "assistant"}
        ).raise_for_status()
    elif who in ("other", "admin"):
        clients[who] = account(server, f"{who}@example.org", "instructor" if who == "other" else "admin")
        make_class(server, clients[who], title="Theirs")
    elif who == "nobody":
        clients[who] = account(server, "mallory@example.org")
    outside = who in ("nobody", "other", "admin")
    for name, (method, path, body) in CALLS.items():
        url = made.url + path.format(student=student)
        answer = clients[who].request(method, url, **({} if body is None else {"json": body}))
        if name in ALLOWED[who]:
            assert answer.status_code < 300 or (answer.status_code == 404 and method == "DELETE"), (who, name)
            if name in ("remove person", "replace roster"):
                made.join(eve)
            if name == "unassign":
                made.assign()
        else:
            assert answer.status_code == (404 if outside else 403), (who, name, answer.text)
    with server.client() as nobody:
        assert nobody.get(made.url).status_code == 401
