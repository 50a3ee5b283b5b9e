"""The pages of classes: each by each role, and what their forms do."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import httpx
import pytest

from app.classes.agenda import policy_words, status_of
from app.classes.gradebook import Cell
from app.classes.lateness import Terms
from app.classes.pages.gradebook import cell_html
from tests.app.classes import COURSE, GATHER, QUIZ, SOFTMAX, ClassAtHand, account, id_of, judged, make_class
from tests.conftest import Running

NOW = datetime(2027, 4, 8, 12, tzinfo=UTC)


def stamp(**delta: float) -> str:
    return (datetime.now(UTC) + timedelta(**delta)).isoformat().replace("+00:00", "Z")


@pytest.fixture
def people(server: Running) -> tuple[ClassAtHand, dict[str, httpx.Client]]:
    """A class in Berlin: its instructor, an assistant and a student; and an instructor of another class."""
    clients = {name: account(server, f"{name}@example.org") for name in ("assistant", "student")}
    clients["instructor"] = account(server, "instructor@example.org", "instructor")
    clients["outsider"] = account(server, "outsider@example.org", "instructor")
    made = make_class(server, clients["instructor"], "Europe/Berlin")
    make_class(server, clients["outsider"])
    for name in ("assistant", "student"):
        made.join(clients[name])
    url = f"{made.url}/roster/{id_of(server, 'assistant@example.org')}"
    clients["instructor"].patch(url, json={"role": "assistant"}).raise_for_status()
    return made, clients


People = tuple[ClassAtHand, dict[str, httpx.Client]]


def test_each_page_is_for_those_whose_it_is(server: Running, people: People) -> None:
    made, clients = people
    made.assign(due_at=stamp(days=3))
    student, place = id_of(server, "student@example.org"), f"exercise/{GATHER}"
    for_all, for_staff = [""], ["/roster", "/roster.csv", "/gradebook", "/gradebook.csv", f"/students/{student}"]
    for_instructors = [
        f"/roster/{student}", f"/roster/{student}/removal", "/schedule", "/schedule.toml", f"/students/{student}/view",
        f"/schedule/{place}/removal", "/settings",
    ]  # fmt: skip
    writes = [
        "/roster", "/roster/file", "/roster/replacement", "/roster/expected/removal", f"/roster/{student}",
        f"/roster/{student}/removal", "/schedule", "/schedule/assignments", "/schedule/file", "/schedule/replacement",
        f"/schedule/{place}/removal", f"/students/{student}/extensions", f"/students/{student}/scores", "/settings",
        "/join-code", "/archive", "/copies",
    ]  # fmt: skip
    allowed = {
        "student": for_all,
        "assistant": for_all + for_staff,
        "instructor": for_all + for_staff + for_instructors,
        "outsider": list[str](),
    }
    for name, client in clients.items():
        for path in for_all + for_staff + for_instructors:
            status = client.get(f"/classes/{made.id}{path}").status_code
            expected = 200 if path in allowed[name] else 404 if name == "outsider" else 403
            assert status == expected, (name, path)
        if name != "instructor":
            for path in writes:
                status = client.post(f"/classes/{made.id}{path}").status_code
                assert status == (404 if name == "outsider" else 403), (name, path)
    with server.client() as nobody:
        for path in for_all + for_staff + for_instructors:
            assert nobody.get(f"/classes/{made.id}{path}").status_code == 401, path
    assert clients["instructor"].get(made.url).json()["students"] == 1, "nothing was written"


def test_an_instructor_creates_a_class_and_students_may_not(server: Running, people: People) -> None:
    _, clients = people
    ada, eve = clients["instructor"], clients["student"]
    assert "Create a class" in ada.get("/classes").text
    assert "Create a class" not in eve.get("/classes").text
    wanted = {"title": "Autumn <b>", "course": "positions", "timezone": "Europe/Berlin"}
    assert eve.post("/classes", data=wanted).status_code == 403
    refused = ada.post("/classes", data=wanted | {"timezone": "Mars"})
    assert refused.status_code == 422
    assert 'value="Autumn &lt;b&gt;"' in refused.text, "what was typed is still there"
    made = ada.post("/classes", data=wanted)
    assert made.status_code == 303
    assert "Autumn &lt;b&gt;" in ada.get(made.headers["location"]).text
    assert "Autumn &lt;b&gt;" in ada.get("/classes").text


def test_a_link_shows_the_class_and_only_the_button_joins(server: Running, people: People) -> None:
    made, clients = people
    new = account(server, "new@example.org")
    link = f"/join/{made.join_code.upper()}"
    shown = new.get(link)
    assert (shown.status_code, "Join Spring" in shown.text) == (200, True)
    assert "You are not signed in" not in shown.text
    assert new.get(f"/classes/{made.id}").status_code == 404, "GET changes nothing"
    joined = new.post("/join", data={"code": made.join_code})
    assert joined.headers["location"] == f"/classes/{made.id}?joined=1"
    assert "you are in this class now" in new.get(joined.headers["location"]).text
    assert new.get(link).headers["location"] == f"/classes/{made.id}"
    refused = new.post("/join", data={"code": "nonsense"})
    assert (refused.status_code, "No class has this code" in refused.text) == (404, True)
    assert new.get("/join/nonsense").status_code == 404
    with server.client(**{"Sec-Fetch-Site": "same-origin"}) as guest:
        page = guest.get(link).text
        assert f"/users/new?back=/join/{made.join_code.upper()}" in page
        assert not guest.cookies, "nobody is a guest for looking"
        assert guest.post("/join", data={"code": made.join_code}).status_code == 303
        assert guest.get(f"/classes/{made.id}").status_code == 200
    assert clients["instructor"].get(made.url).json()["students"] == 3


def test_a_student_reads_what_is_due_what_it_is_worth_and_their_total(server: Running, people: People) -> None:
    made, clients = people
    eve = clients["student"]
    made.assign(due_at=stamp(hours=-30), late={"per_day": 0.1, "grace_minutes": 15}, attempts=3)
    made.assign(SOFTMAX, due_at=stamp(days=5))
    made.assign(QUIZ, "quiz", hidden_until=stamp(days=1))
    judged(server, eve, 0.5, at=datetime.now(UTC) - timedelta(hours=31))
    page = eve.get(f"/classes/{made.id}").text
    for words in ("50%", "Late now: worth 80%", "10% off for each day late; 15 minutes grace.", "1 of 3 attempts",
                  "50%: 0.5 of 1 points of weight in 1 assignment.", "Due in 5 days"):  # fmt: skip
        assert words in page, words
    assert "Test your understanding" not in page, "it is hidden yet"
    assert page.index("Learned absolute") < page.index("Softmax")
    staff = clients["instructor"].get(f"/classes/{made.id}").text
    assert "Hidden from students" in staff
    assert f"/join/{made.join_code}" in staff
    assert made.join_code not in clients["assistant"].get(f"/classes/{made.id}").text


def test_dates_are_by_the_clocks_of_the_class_and_of_the_reader(server: Running, people: People) -> None:
    made, clients = people
    made.assign(due_at="2027-04-08T16:00:00Z")
    url, eve = f"/classes/{made.id}", clients["student"]
    eve.cookies.set("lectern_offset", "-240")
    page = eve.get(url).text
    assert "Thu 8 April 2027, 18:00" in page
    assert "yours: " in page
    assert ">8 April 2027, 12:00<" in page
    eve.cookies.set("lectern_offset", "120")
    assert "yours" not in eve.get(url).text, "they are the same"


def test_where_an_assignment_stands_in_words() -> None:
    due = NOW + timedelta(hours=5)
    terms = Terms(due_at=due, closes_at=due + timedelta(days=20), per_day=0.1, grace_minutes=30)
    some = Cell(score=0.5, attempts=1)
    cases = [
        (NOW, Cell(), "Due in 5 hours"),
        (NOW - timedelta(days=3), Cell(), "Due in 3 days"),
        (due + timedelta(minutes=10), Cell(), "Just past its due date: 20 minutes of grace left"),
        (due + timedelta(hours=1), some, "Late now: worth 90%"),
        (due + timedelta(days=12), some, "Too late: worth nothing now"),
        (due + timedelta(days=21), Cell(is_missing=True), "Closed: missing"),
        (due + timedelta(days=21), some, "Closed"),
        (NOW, Cell(score=1.0, attempts=1), "Done"),
    ]
    for at, cell, words in cases:
        assert status_of(terms, cell, at).words == words
    assert status_of(Terms(attempts=1), some, NOW).words == "No attempts left"
    assert status_of(Terms(opens_at=NOW + timedelta(days=1)), some, NOW).words == "Opens tomorrow"
    assert status_of(Terms(excused=True), some, NOW).words == "Excused: it does not count"
    assert policy_words(Terms()) == ""
    assert policy_words(Terms(due_at=NOW, closes_at=NOW, per_day=0.1)) == "nothing counts after the due date"


def test_a_roster_file_is_shown_person_by_person_before_it_replaces(server: Running, people: People) -> None:
    made, clients = people
    ada, url = clients["instructor"], f"/classes/{made.id}/roster"
    text = "email,name,section,role\nassistant@example.org,Tim,,assistant\nnew@example.org,=1+1,B,\n"
    shown = ada.post(f"{url}/file", files={"file": ("roster.csv", text.encode())})
    assert shown.status_code == 200
    for words in ("1 will leave the class", "student@example.org", "1 will change", "name: none → Tim",
                  "1 will be added", "=1+1"):  # fmt: skip
        assert words in shown.text, words
    assert "new@example.org" not in ada.get(url).text, "nothing has changed yet"
    found = re.search(r'<textarea name="csv" hidden>(.*?)</textarea>', shown.text, re.S)
    assert found is not None
    csv = found[1].replace("&#39;", "'")
    assert ada.post(f"{url}/replacement", data={"csv": csv}).status_code == 303
    page = ada.get(url).text
    assert "=1+1" in page
    assert "student@example.org" not in page
    assert "Students, section B" in page
    faulty = ada.post(f"{url}/file", files={"file": ("roster.csv", b"email\nnobody\n")})
    assert (faulty.status_code, "line 2" in faulty.text) == (422, True)
    assert ada.post(f"{url}/file").status_code == 422
    forgotten = ada.post(f"{url}/expected/removal", data={"email": "new@example.org"})
    assert forgotten.status_code == 303
    assert "new@example.org" not in ada.get(url).text


def test_people_are_added_changed_and_removed_by_hand(server: Running, people: People) -> None:
    made, clients = people
    ada, url = clients["instructor"], f"/classes/{made.id}/roster"
    account(server, "late@example.org")
    assert ada.post(url, data={"email": "late@example.org", "section": "A"}).headers["location"].endswith("done=added")
    refused = ada.post(url, data={"email": "nonsense", "name": "Some<one"})
    assert (refused.status_code, "Some&lt;one" in refused.text) == (422, True)
    late = f"{url}/{id_of(server, 'late@example.org')}"
    assert ada.post(late, data={"name": "Late Comer", "section": "B", "role": "student"}).status_code == 303
    assert ada.post(late, data={"name": "x", "section": "B", "role": "king"}).status_code == 422
    assert "Late Comer" in ada.get(f"{url}?section=B").text
    assert "Late Comer" not in ada.get(f"{url}?q=assist").text
    assert "Their work stays theirs" in ada.get(f"{late}/removal").text
    assert ada.post(f"{late}/removal").status_code == 303
    assert ada.get(late).status_code == 404
    me = f"{url}/{id_of(server, 'instructor@example.org')}"
    refused = ada.post(f"{me}/removal")
    assert (refused.status_code, "Nobody would be left" in refused.text) == (409, True)


def fields(page: str) -> dict[str, str]:
    """What stands in the form of the schedule."""
    found = dict(re.findall(r'name="([a-z]+-\d+)" value="([^"]*)"', page))
    found |= dict(re.findall(r'<select id="[^"]*" name="([a-z]+-\d+)".*?<option value="([a-z]+)" selected>', page))
    return found


def test_the_schedule_is_one_form_and_a_fault_saves_nothing(people: People) -> None:
    made, clients = people
    ada, url = clients["instructor"], f"/classes/{made.id}/schedule"
    assert ada.post(f"{url}/assignments", data={"what": f"exercise/{GATHER}"}).status_code == 303
    assert ada.post(f"{url}/assignments", data={"what": f"quiz/{QUIZ}"}).status_code == 303
    assert ada.post(f"{url}/assignments", data={"what": f"quiz/{QUIZ}"}).status_code == 422
    assert ada.post(f"{url}/assignments", data={"what": ""}).status_code == 422
    sent = fields(ada.get(url).text)
    assert (sent["key-1"], sent["key-2"], sent["answers-2"]) == (f"exercise/{GATHER}", f"quiz/{QUIZ}", "submitted")
    assert ada.post(url, data=sent).headers["location"].endswith("done=same")
    sent |= {"due-1": "2027-04-08T18:00", "late-1": "12.5", "grace-1": "15", "attempts-1": "3", "weight-2": "0,5",
             "code-2": "sesame", "answers-2": "due"}  # fmt: skip
    wrong = ada.post(url, data=sent | {"due-2": "2027-03-28T02:30", "late-2": "much"})
    assert wrong.status_code == 422
    for words in ("does not exist in Europe/Berlin", "Late per day: this is not a number", 'value="much"',
                  'value="2027-04-08T18:00"'):  # fmt: skip
        assert words in wrong.text, words
    assert {one["due_at"] for one in ada.get(f"{made.url}/assignments").json()} == {None}
    assert ada.post(url, data=sent).headers["location"].endswith("done=saved")
    exercise, quiz = ada.get(f"{made.url}/assignments").json()
    assert exercise["due_at"] == "2027-04-08T16:00:00Z"
    assert exercise["late"] == {"per_day": 0.125, "grace_minutes": 15}
    assert (exercise["attempts"], quiz["weight"], quiz["access_code"], quiz["answers_shown"]) == (
        3, 0.5, "sesame", "due",
    )  # fmt: skip
    early = ada.post(url, data=fields(ada.get(url).text) | {"opens-1": "2027-04-09T00:00"})
    assert "Due: this is before opens." in early.text
    assert ada.post(f"{url}/quiz/{QUIZ}/removal").status_code == 303
    assert len(ada.get(f"{made.url}/assignments").json()) == 1


def test_the_gradebook_page_says_in_words_what_a_cell_is(server: Running, people: People) -> None:
    made, clients = people
    ada, eve = clients["instructor"], clients["student"]
    bob = account(server, "bob@example.org")
    made.join(bob)
    made.assign(due_at=stamp(hours=-30), late={"per_day": 0.1})
    made.assign(SOFTMAX, due_at=stamp(days=2))
    user = id_of(server, "student@example.org")
    ada.patch(f"{made.url}/roster/{user}", json={"name": "<i>Eve", "section": "A"}).raise_for_status()
    sent = judged(server, eve, 1.0)
    page = ada.get(f"/classes/{made.id}/gradebook").text
    assert (
        f'<a href="/classes/{made.id}/submissions/{sent}">80%</a><small><b class="late">2&nbsp;d late</b></small>'
        in page
    )
    assert "&lt;i&gt;Eve" in page
    assert "<i>Eve" not in page
    assert '<td class="missing">missing</td><td class="none">–</td>' in page
    filtered = ada.get(f"/classes/{made.id}/gradebook?section=A&q=eve").text
    assert "bob@example.org" not in filtered
    assert f"/students/{user}" in filtered
    for columns, words in (("lectern", "email,name"), ("canvas", "Points Possible"), ("moodle", "Email address")):
        assert words in ada.get(f"/classes/{made.id}/gradebook.csv?columns={columns}").text
    assert ada.get(f"/classes/{made.id}/gradebook.csv?columns=other").status_code == 422


def test_a_cell_of_the_gradebook() -> None:
    assert cell_html(Cell(is_excused=True, score=0.5), 1) == '<td class="excused">excused</td>'
    assert cell_html(Cell(score=0.5, sitting=3, is_waiting=True, attempts=2), 1) == (
        '<td><a href="/sittings/3">50%</a><small><b class="waits">to grade</b> 2×</small></td>'
    )
    assert "by hand" in cell_html(Cell(score=0.5, override="<script>"), 1)
    assert "<script>" not in cell_html(Cell(score=0.5, override="<script>"), 1)


def test_one_student_gets_an_extension_and_a_score_and_both_are_taken_back(server: Running, people: People) -> None:
    made, clients = people
    ada, eve = clients["instructor"], clients["student"]
    made.assign(due_at="2027-04-08T16:00:00Z", attempts=1)
    sent = judged(server, eve, 0.25)
    user = id_of(server, "student@example.org")
    url, what = f"/classes/{made.id}/students/{user}", f"exercise/{GATHER}"
    given = ada.post(f"{url}/extensions", data={"what": what, "due": "2027-04-10T18:00", "reason": "ill <b>"})
    assert given.status_code == 303
    page = ada.get(url).text
    for words in (
        f'href="/submissions/{sent}"',
        "Everything handed in (1)",
        "ill &lt;b&gt;",
        "Sat 10 April 2027, 18:00",
    ):
        assert words in page, words
    assert "You have an extension here: ill &lt;b&gt;" in eve.get(f"/classes/{made.id}").text
    early = ada.post(f"{url}/extensions", data={"what": what, "due": "2027-04-01T18:00"})
    assert (early.status_code, "before everybody" in early.text) == (422, True)
    assert ada.post(f"{url}/extensions", data={"what": what, "attempts": "many"}).status_code == 422
    assert ada.post(f"{url}/scores", data={"what": what, "score": "120", "why": "x"}).status_code == 422
    nameless = ada.post(f"{url}/scores", data={"what": what, "score": "80"})
    assert (nameless.status_code, 'value="80"' in nameless.text) == (422, True)
    assert ada.post(f"{url}/scores", data={"what": what, "score": "80%", "why": "Explained it."}).status_code == 303
    assert "Given by hand: Explained it." in eve.get(f"/classes/{made.id}").text
    assert ada.post(f"{url}/scores", data={"what": what, "do": "withdraw"}).status_code == 303
    assert ada.post(f"{url}/extensions", data={"what": what, "do": "take"}).status_code == 303
    assert ada.post(f"{url}/extensions", data={"what": what, "excused": "1"}).status_code == 303
    assert "Excused" in eve.get(f"/classes/{made.id}").text
    assert "Give this extension" not in clients["assistant"].get(url).text
    assistant = id_of(server, "assistant@example.org")
    assert ada.get(f"/classes/{made.id}/students/{assistant}").status_code == 404


def test_an_instructor_sees_what_the_student_sees_and_that_is_noted(server: Running, people: People) -> None:
    made, clients = people
    made.assign(due_at=stamp(days=2))
    made.assign(SOFTMAX, hidden_until=stamp(days=1))
    judged(server, clients["student"], 1.0)
    user = id_of(server, "student@example.org")
    own = clients["student"].get(f"/classes/{made.id}").text
    seen = clients["instructor"].get(f"/classes/{made.id}/students/{user}/view").text
    agenda = re.compile(r'<ol class="agenda">.*?</ol>', re.S)
    theirs, ours = agenda.search(own), agenda.search(seen)
    assert theirs is not None
    assert ours is not None
    assert ours[0] == theirs[0]
    assert "Softmax" not in ours[0]
    assert "You see this page as" in seen
    admin = account(server, "admin@example.org", "admin")
    log = admin.get("/admin/audit?action=viewed as a student").text
    assert "instructor@example.org" in log
    assert str(user) in log


def test_settings_change_the_class_and_copy_it_with_its_dates(server: Running, people: People) -> None:
    made, clients = people
    ada, url = clients["instructor"], f"/classes/{made.id}"
    made.assign(opens_at="2027-03-01T08:00:00Z", due_at="2027-03-08T17:00:00Z")
    sent = {"title": "Renamed", "timezone": "Europe/Berlin", "joining": "invitation", "drop_lowest": "1"}
    assert ada.post(f"{url}/settings", data=sent).status_code == 303
    found = ada.get(made.url).json()
    assert (found["title"], found["joining"], found["drop_lowest"]) == ("Renamed", "invitation", 1)
    for field, value in (("timezone", "Mars"), ("drop_lowest", "x"), ("title", " ")):
        assert ada.post(f"{url}/settings", data=sent | {field: value}).status_code == 422
    before = found["join_code"]
    assert ada.post(f"{url}/join-code").status_code == 303
    assert ada.get(made.url).json()["join_code"] != before
    copied = ada.post(f"{url}/copies", data={"title": "Autumn", "first": "2027-10-04"})
    assert copied.status_code == 303
    number = copied.headers["location"].split("/")[2]
    (one,) = ada.get(f"/api/v1/classes/{number}/assignments").json()
    assert (one["opens_at"], one["due_at"]) == ("2027-10-04T07:00:00Z", "2027-10-11T16:00:00Z")  # summer time
    assert ada.post(f"{url}/copies", data={"title": "Autumn", "days": "much"}).status_code == 422
    assert ada.post(f"{url}/copies", data={"title": "Autumn", "first": "9999-01-01"}).status_code == 422
    assert ada.post(f"{url}/archive", data={"archived": "yes"}).status_code == 303
    assert "archived" in ada.get("/classes").text
    assert ada.post(f"{url}/schedule/assignments", data={"what": f"exercise/{SOFTMAX}"}).status_code == 409
    assert ada.get(url).status_code == 200
    assert ada.post(f"{url}/archive", data={"archived": "no"}).status_code == 303
    assert ada.get(made.url).json()["archived"] is False


def test_staff_read_what_students_hand_in_to_what_is_assigned_and_nothing_else(server: Running) -> None:
    ada = account(server, "ada@example.org", "instructor")
    made, other = make_class(server, ada), make_class(server, ada, title="Other")
    eve, tim, ola = (account(server, f"{name}@example.org") for name in ("eve", "tim", "ola"))
    made.join(eve)
    for one, name, client in ((made, "tim", tim), (other, "ola", ola)):
        one.join(client)
        role = {"role": "assistant"}
        ada.patch(f"{one.url}/roster/{id_of(server, f'{name}@example.org')}", json=role).raise_for_status()
    made.assign()
    other.assign()
    sent, unassigned = judged(server, eve), judged(server, eve, exercise=SOFTMAX)
    body = {"source": "x = 1", "framework": "numpy", "kind": "run"}
    run = eve.post(f"/api/v1/exercises/{GATHER}/submissions", json=body).raise_for_status().json()["id"]
    for path in (f"/submissions/{sent}", f"/api/v1/submissions/{sent}"):
        assert tim.get(path).status_code == 200
        assert ola.get(path).status_code == 404, "of another class"
    assert tim.get(f"/submissions/{unassigned}").status_code == 404
    assert tim.get(f"/submissions/{run}").status_code == 404, "a run is handed in to nobody"
    assert eve.get(f"/submissions/{sent}").status_code == 200
    mate = account(server, "mate@example.org")
    made.join(mate)
    assert mate.get(f"/submissions/{sent}").status_code == 404, "students do not read each other"
    assert tim.post(f"/submissions/{sent}/shares").status_code in (403, 404), "to be read, and nothing else"
    made.instructor.delete(f"{made.url}/assignments/exercise/{GATHER}").raise_for_status()
    assert tim.get(f"/submissions/{sent}").status_code == 404


def test_staff_read_quiz_attempts_once_they_are_submitted(server: Running) -> None:
    ada = account(server, "ada@example.org", "instructor")
    made = make_class(server, ada)
    eve, tim = account(server, "eve@example.org"), account(server, "tim@example.org")
    made.join(eve)
    made.join(tim)
    ada.patch(f"{made.url}/roster/{id_of(server, 'tim@example.org')}", json={"role": "assistant"}).raise_for_status()
    sitting = eve.post(f"/api/v1/quizzes/positions/{QUIZ}/sittings").raise_for_status().json()["id"]
    made.assign(QUIZ, "quiz")
    assert tim.get(f"/sittings/{sitting}").status_code == 404, "it is still open"
    eve.post(f"/api/v1/sittings/{sitting}/submission").raise_for_status()
    assert tim.get(f"/sittings/{sitting}").status_code == 200
    assert tim.post(f"/sittings/{sitting}/submission").status_code == 404
    ada.delete(f"{made.url}/assignments/quiz/{QUIZ}").raise_for_status()
    assert tim.get(f"/sittings/{sitting}").status_code == 404


def test_somebody_expected_is_invited_again_once_a_day(server: Running, people: People) -> None:
    made, clients = people
    ada = clients["instructor"]
    lines = [{"email": "ada@example.org", "role": "instructor"}, {"email": "carla@example.org"}]
    ada.put(f"{made.url}/roster", json=lines)
    url = f"/classes/{made.id}/roster"
    assert "Invite again" in ada.get(url).text
    asked = {"email": "carla@example.org"}
    assert ada.post(f"{url}/expected/invitations", data=asked).headers["location"].endswith("done=invited")
    again = ada.post(f"{url}/expected/invitations", data=asked)
    assert (again.status_code, "They were invited again today." in again.text) == (409, True)
    assert ada.post(f"{url}/expected/invitations", data={"email": "nobody@example.org"}).status_code == 404


def test_the_pages_of_what_is_assigned_say_when_it_is_due_to_students_of_the_class_alone(server: Running) -> None:
    ada, eve, bob = (account(server, f"{name}@due.example.org", role) for name, role in (
        ("ada", "instructor"), ("eve", "student"), ("bob", "student")
    ))  # fmt: skip
    made = make_class(server, ada, "Europe/Zurich", title="Due <soon>")
    made.join(eve)
    due = datetime.now(UTC) + timedelta(days=3)
    made.assign(due_at=due.isoformat(), late={"per_day": 0.1}, attempts=5)
    made.assign(f"{COURSE}.{QUIZ}", "quiz", due_at=due.isoformat())
    day = due.astimezone(ZoneInfo("Europe/Zurich")).strftime("%H:%M")
    exercise, quiz = f"/exercises/{GATHER}", f"/courses/{COURSE}/{QUIZ}"
    for page in (exercise, quiz):
        text = eve.get(page).raise_for_status().text
        assert "Due in 3 days (" in text, page
        assert f"{day}, Europe/Zurich)" in text  # a student may be elsewhere
        assert f'<a href="/classes/{made.id}">Due &lt;soon&gt;</a>' in text
        assert "<soon>" not in text
        with server.client() as anyone:
            for other in (ada, bob, anyone):
                assert "Due in 3 days" not in other.get(page).text
    assert "10% off for each day late; the first 5 attempts count" in eve.get(exercise).text
    made.assign(due_at=due.isoformat(), hidden_until=due.isoformat())
    assert "Due in 3 days" not in eve.get(exercise).text
    extended = {"due_at": (due + timedelta(days=4)).isoformat()}
    place = f"{made.url}/extensions/{id_of(server, 'eve@due.example.org')}/quiz/{COURSE}.{QUIZ}"
    ada.put(place, json=extended).raise_for_status()
    assert "Due in 7 days" in eve.get(quiz).text
    ada.patch(made.url, json={"archived": True}).raise_for_status()
    assert "Due in" not in eve.get(quiz).text
