"""A mistake in an exercise or a key set right: a dry run first, then applied, then taken back to the last byte."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from app.classes import leases
from app.classes.classes import Class, new_code
from app.classes.regradings import Regrading
from app.db import Base, Database, FromNow
from app.people.outbox import OutgoingLetter
from app.practice.submissions import Submission
from app.settings import Settings
from tests.app.classes import ClassAtHand, account
from tests.conftest import BACKENDS, Running, require_boxes, running
from tests.server_process import DOUBLED, one_exercise
from tests.sittings import begin, save, submit, write_course
from tests.waiting import until

TWICE = "def doubled(x):\n    return x + x\n"
THRICE = "def doubled(x):\n    return 3 * x\n"
NOTHING = "def doubled(x):\n    return x\n"
PAGE = f"/api/v1/exercises/{DOUBLED}"


@pytest.fixture(scope="module", params=BACKENDS)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """With a judge, a course of quizzes, and an exercise whose reference is wrong: it triples."""
    data = tmp_path_factory.mktemp("regraded")
    url = request.getfixturevalue("postgres") if request.param == "postgresql" else ""
    exercises = one_exercise(data)
    reference = exercises / DOUBLED / "reference.py"
    reference.write_text(reference.read_text().replace("2", "3"))
    lessons = write_course(data / "lessons")
    settings = Settings(
        workers=1, data=data, database_url=url, exercises=(exercises,), lessons=(lessons,), rate_limits="off"
    )
    with running(settings) as server:
        assert server.state.judge is not None
        require_boxes(server.state.judge)
        yield server


def make_class(server: Running, who: str) -> tuple[ClassAtHand, Callable[[str], httpx.Client]]:
    """A class of its own for each test, and its students by name."""
    tag = new_code()
    teacher = account(server, f"{who}-{tag}@example.org", "instructor")
    body = {"course": "demo", "title": "Spring", "timezone": "UTC"}
    made = teacher.post("/api/v1/classes", json=body).raise_for_status().json()
    class_ = ClassAtHand(made["id"], made["join_code"], teacher)

    def student(name: str) -> httpx.Client:
        client = account(server, f"{name}-{tag}@example.org")
        class_.join(client)
        return client

    return class_, student


def sent(client: httpx.Client, source: str) -> dict[str, Any]:
    found = client.post(f"{PAGE}/submissions", json={"source": source}, params={"wait": 30}).json()
    return finished(client, f"/api/v1/submissions/{found['id']}")


def finished(client: httpx.Client, url: str, *, busy: tuple[str, ...] = ("queued", "running")) -> dict[str, Any]:
    def done() -> dict[str, Any] | None:
        row: dict[str, Any] = client.get(url).raise_for_status().json()
        return None if row["state"] in busy else row

    row = until(done, url, look_seconds=0.05)
    assert row is not None
    return row


def corrected(author: httpx.Client) -> str:
    """A draft with the right reference."""
    files = author.get(f"{PAGE}/files").raise_for_status().json()
    text = files["files"]["reference.py"].replace("3", "2")
    body = {"base": files["revision"], "files": {"reference.py": text}, "message": "twice"}
    saved = author.post(f"{PAGE}/revisions", json=body)
    assert saved.status_code == 201, saved.text
    return str(saved.json()["revision"])


def dry_run(class_: ClassAtHand, revision: str) -> dict[str, Any]:
    begun = class_.instructor.post(f"{PAGE}/regradings", json={"revision": revision, "class": class_.id})
    assert (begun.status_code, begun.json()["state"]) == (202, "queued"), begun.text
    return finished(class_.instructor, f"/api/v1/regradings/{begun.json()['id']}")


def rows(server: Running, user_ids: list[int]) -> dict[str, list[Any]]:
    """Every byte that is theirs, but of the regrading itself and what is computed and kept to be quick."""
    left_out = {"regrading_item", "gradebook_cell", "login", "outgoing_letter"}  # a letter that is out is out
    found: dict[str, list[Any]] = {}
    with server.state.db.reading() as db:
        for table in Base.metadata.sorted_tables:
            if table.name == "grading":
                submission = Base.metadata.tables["submission"]
                theirs = select(submission.c.id).where(submission.c.user_id.in_(user_ids))
                asked = select(table).where(table.c.submission_id.in_(theirs))
            elif table.name == "sitting_response":
                sitting = Base.metadata.tables["sitting"]
                theirs = select(sitting.c.id).where(sitting.c.user_id.in_(user_ids))
                asked = select(table).where(table.c.sitting_id.in_(theirs))
            elif table.name == "wrong_outcome":
                submission = Base.metadata.tables["submission"]
                theirs = select(submission.c.id).where(submission.c.user_id.in_(user_ids))
                asked = select(table).where(table.c.submission_id.in_(theirs))
            elif table.name == "user_account":
                asked = select(table).where(table.c.id.in_(user_ids))
            elif "user_id" in table.columns and table.name not in left_out:
                asked = select(table).where(table.c.user_id.in_(user_ids))
            else:
                continue
            own = {("effort", "changes"), ("grading", "stages")}  # a counter; and what is written a moment later
            columns = [column for column in table.columns if (table.name, column.name) not in own]
            asked = asked.with_only_columns(*columns).order_by(*table.primary_key.columns)
            found[table.name] = [tuple(row) for row in db.execute(asked)]
    return found


def test_a_wrong_reference_is_set_right_and_nobody_is_wronged(server: Running) -> None:
    class_, student = make_class(server, "ada")
    clients = {name: student(name) for name in ("eve", "bob", "dan")}
    verdicts = {
        name: sent(clients[name], source) for name, source in {"eve": TWICE, "bob": THRICE, "dan": NOTHING}.items()
    }
    assert [verdicts[name]["verdict"] for name in clients] == ["wrong_answer", "accepted", "wrong_answer"]
    class_.assign(DOUBLED)
    ids = {name: verdicts[name]["id"] for name in clients}
    people = [next(row["user"] for row in class_.gradebook()["rows"] if row["email"].startswith(name)) for name in ids]
    before = rows(server, people)
    assert [score(class_, name) for name in clients] == [0.0, 1.0, 0.0]

    revision = corrected(class_.instructor)
    found = dry_run(class_, revision)
    assert (found["state"], found["total"], found["done"], found["failed"]) == ("finished", 3, 3, 0)
    assert [(one["submission"], one["before"], one["after"]) for one in found["gain"]] == [(ids["eve"], 0.0, 1.0)]
    assert [(one["submission"], one["before"], one["after"]) for one in found["lose"]] == [(ids["bob"], 1.0, 0.0)]
    assert found["same"] == 1
    assert rows(server, people) == before, "nothing is live before it is applied"

    url = f"/api/v1/regradings/{found['id']}"
    applied = class_.instructor.post(f"{url}/application", json={"keep": "better", "message": "It tripled."})
    assert (applied.status_code, applied.json()["state"]) == (200, "applied")
    assert [score(class_, name) for name in clients] == [1.0, 1.0, 0.0]
    now = clients["eve"].get(f"/api/v1/submissions/{ids['eve']}").json()
    assert (now["verdict"], now["exercise_hash"]) == ("accepted", revision)
    assert clients["bob"].get(f"/api/v1/submissions/{ids['bob']}").json() == verdicts["bob"]
    assert [one["exercise"] for one in clients["eve"].get("/api/v1/me/progress").json()["exercises_solved"]] == [
        DOUBLED
    ]
    assert class_.instructor.post(f"{url}/application", json={"keep": "new"}).status_code == 409
    assert class_.instructor.delete(url).status_code == 409

    assert class_.instructor.delete(f"{url}/application").json()["state"] == "finished"
    assert rows(server, people) == before, "undone to the last byte"
    assert clients["eve"].get(f"/api/v1/submissions/{ids['eve']}").json() == verdicts["eve"]
    assert [score(class_, name) for name in clients] == [0.0, 1.0, 0.0]
    assert class_.instructor.delete(f"{url}/application").status_code == 409

    class_.instructor.post(f"{url}/application", json={"keep": "new"}).raise_for_status()
    assert [score(class_, name) for name in clients] == [1.0, 0.0, 0.0]
    assert clients["bob"].get("/api/v1/me/progress").json()["exercises_solved"] == []
    class_.instructor.delete(f"{url}/application").raise_for_status()
    assert rows(server, people) == before
    assert class_.instructor.delete(url).status_code == 204
    assert class_.instructor.get(url).status_code == 404


def score(class_: ClassAtHand, name: str) -> float | None:
    row = next(row for row in class_.gradebook()["rows"] if row["email"].startswith(name))
    return None if row["cells"][0] is None else float(row["cells"][0]["score"])


def test_what_is_sent_after_the_dry_run_is_left_as_it_is(server: Running) -> None:
    class_, student = make_class(server, "ada")
    eve = student("eve")
    first = sent(eve, TWICE)
    class_.assign(DOUBLED)
    found = dry_run(class_, corrected(class_.instructor))
    later = sent(eve, NOTHING)
    url = f"/api/v1/regradings/{found['id']}/application"
    class_.instructor.post(url, json={"keep": "new"}).raise_for_status()
    assert eve.get(f"/api/v1/submissions/{first['id']}").json()["verdict"] == "accepted"
    assert eve.get(f"/api/v1/submissions/{later['id']}").json() == later
    third = sent(eve, THRICE)
    class_.instructor.delete(url).raise_for_status()
    assert eve.get(f"/api/v1/submissions/{first['id']}").json() == first
    assert eve.get(f"/api/v1/submissions/{third['id']}").json() == third
    assert score(class_, "eve") == 1.0


def test_a_revision_that_cannot_be_read_or_is_not_there(server: Running) -> None:
    class_, student = make_class(server, "ada")
    ada = class_.instructor
    body = {"revision": "0" * 64, "class": class_.id}
    assert ada.post(f"{PAGE}/regradings", json=body).status_code == 404
    files = ada.get(f"{PAGE}/files").json()
    broken = {"base": files["revision"], "files": {"exercise.toml": "title = ["}, "message": ""}
    saved = ada.post(f"{PAGE}/revisions", json=broken).raise_for_status().json()
    refused = ada.post(f"{PAGE}/regradings", json={"revision": saved["revision"], "class": class_.id})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "invalid")
    undone = {"base": saved["revision"], "files": {"exercise.toml": files["files"]["exercise.toml"]}, "message": ""}
    ada.post(f"{PAGE}/revisions", json=undone).raise_for_status()
    assert student("eve").post(f"{PAGE}/regradings", json=body).status_code == 403
    outsider = account(server, f"{new_code()}@example.org", "instructor")
    assert outsider.post(f"{PAGE}/regradings", json=body).status_code == 404


def test_only_instructors_of_its_class_see_and_apply_a_regrading(server: Running) -> None:
    class_, student = make_class(server, "ada")
    eve = student("eve")
    found = dry_run(class_, class_.instructor.get(f"{PAGE}/files").json()["revision"])
    assert (found["total"], found["gain"], found["lose"]) == (0, [], [])
    url = f"/api/v1/regradings/{found['id']}"
    outsider = account(server, f"{new_code()}@example.org", "admin")
    for client, status in ((eve, 403), (outsider, 404)):
        assert client.get(url).status_code == status
        assert client.delete(url).status_code == status
        assert client.post(f"{url}/application", json={}).status_code == status
        assert client.delete(f"{url}/application").status_code == status


QUIZ_URL = "/api/v1/quizzes/demo/free"


def taken(client: httpx.Client, **answers: str) -> dict[str, Any]:
    sitting = begin(client, QUIZ_URL)
    for slug, answer in answers.items():
        assert save(client, sitting, slug, answer).status_code == 200
    return submit(client, sitting)


@pytest.mark.parametrize(
    ("action", "answer", "scores"),
    [("accept", "(T, N)", (1 / 3, 1 / 3, 0.0)), ("full", None, (1 / 3, 1 / 3, 1 / 3)), ("void", None, (0.0, 0.0, 0.0))],
)
def test_a_ruling_on_a_question_holds_for_all_and_is_taken_back(
    server: Running, action: str, answer: str | None, scores: tuple[float, ...]
) -> None:
    class_, student = make_class(server, "ada")
    clients = {name: student(name) for name in ("bob", "dan", "eve")}
    class_.assign("free", "quiz")
    taken(clients["bob"], shape="(N, T)")
    taken(clients["dan"], shape="(T,N)")
    taken(clients["eve"])
    people = [row["user"] for row in class_.gradebook()["rows"]]
    before = rows(server, people)
    body = {"question": "shape", "action": action, **({"answer": answer} if answer else {})}
    url = f"{class_.url}/quizzes/free/regradings"
    begun = class_.instructor.post(url, json=body)
    assert begun.status_code == 202, begun.text
    found = class_.instructor.get(f"/api/v1/regradings/{begun.json()['id']}").json()
    assert (found["state"], found["total"], found["ruling"]["action"]) == ("finished", 3, action)
    assert rows(server, people) == before
    one = f"/api/v1/regradings/{found['id']}/application"
    class_.instructor.post(one, json={"keep": "new"}).raise_for_status()
    got = [score(class_, name) for name in clients]
    assert got == pytest.approx(scores)
    predicted = {d["user"]: d["after"] for d in (*found["gain"], *found["lose"])}
    by_user = {row["user"]: row["cells"][0]["score"] for row in class_.gradebook()["rows"]}
    assert all(by_user[user] == pytest.approx(after) for user, after in predicted.items())
    late = student("zoe")
    taken(late, shape="(T, N)")
    assert score(class_, "zoe") == pytest.approx(scores[1])  # it holds for what is submitted later, too
    class_.instructor.delete(one).raise_for_status()
    assert rows(server, people) == before
    assert score(class_, "zoe") == 0.0


def test_a_ruling_names_a_question_of_the_quiz_and_an_answer(server: Running) -> None:
    class_, _ = make_class(server, "ada")
    url = f"{class_.url}/quizzes/free/regradings"
    asked = class_.instructor.post
    assert asked(url, json={"question": "nothing", "action": "full"}).status_code == 404
    assert asked(url, json={"question": "shape", "action": "accept"}).status_code == 422
    assert asked(url, json={"question": "shape", "action": "burn"}).status_code == 422
    assert (
        asked(f"{class_.url}/quizzes/nowhere/regradings", json={"question": "shape", "action": "full"}).status_code
        == 404
    )


def test_a_dry_run_goes_on_where_another_process_left_it(server: Running) -> None:
    """Its lease is over: the next process that looks takes it up, and judges what is left."""
    class_, student = make_class(server, "ada")
    sent(student("eve"), TWICE)
    with server.state.db.writing() as db:
        db.add(
            Regrading(
                class_id=class_.id, kind="exercise", slug=DOUBLED, state="running", owner="somebody who died",
                snapshot_id=server.state.catalog.snapshot_ids[DOUBLED], revision="x", leased_until=None,
            )
        )  # fmt: skip
        db.flush()
        id = db.scalars(select(Regrading.id).order_by(Regrading.id.desc())).first()
    server.state.regrader.look()
    assert finished(class_.instructor, f"/api/v1/regradings/{id}")["state"] == "finished"


def eve_address(class_: ClassAtHand) -> str:
    return str(next(row["email"] for row in class_.gradebook()["rows"] if row["email"].startswith("eve")))


def test_the_pages_lead_through_a_regrading_without_a_script(server: Running) -> None:
    class_, student = make_class(server, "ada")
    eve = student("eve")
    first = sent(eve, TWICE)
    class_.assign(DOUBLED)
    class_.assign("free", "quiz")
    ada, pages = class_.instructor, f"/classes/{class_.id}/regradings"
    revision = corrected(ada)
    assert revision[:8] in ada.get(pages, params={"exercise": DOUBLED}).text
    begun = ada.post(pages, data={"exercise": DOUBLED, "revision": revision})
    assert begun.status_code == 303, begun.text
    place = begun.headers["location"]
    finished(ada, f"/api/v1{place}")
    page = ada.get(place).text
    assert "1 would gain" in page
    assert "New submissions are still judged by another revision" in page
    compared = ada.get(f"{place}/submissions/{first['id']}").text
    assert "Wrong answer" in compared
    assert "Accepted" in compared
    assert ada.get(f"{place}/submissions/999999").status_code == 404
    sentence = "The reference tripled <b>."
    assert ada.post(f"{place}/application", data={"keep": "better", "message": sentence}).status_code == 303
    with server.state.db.reading() as db:
        to = db.scalars(select(OutgoingLetter.to).where(OutgoingLetter.kind == "regraded")).all()
        assert to.count(eve_address(class_)) == 1
    told = eve.get(f"/submissions/{first['id']}").text
    assert "Judged again" in told
    assert "The reference tripled &lt;b&gt;." in told
    assert ada.post(f"{place}/delete").status_code == 409
    assert ada.post(f"{place}/application/delete").status_code == 303
    assert "Judged again" not in eve.get(f"/submissions/{first['id']}").text
    assert ada.post(f"{place}/delete").status_code == 303
    assert ada.get(place).status_code == 404
    assert "shape" in ada.get(pages, params={"quiz": "free"}).text
    refused = ada.post(pages, data={"quiz": "free", "question": "shape", "action": "accept", "answer": ""})
    assert (refused.status_code, "say which answer is right too" in refused.text) == (422, True)
    outsider = account(server, f"{new_code()}@example.org", "admin")
    for client, status in ((eve, 403), (outsider, 404)):
        assert client.get(pages).status_code == status
        assert client.post(pages, data={"quiz": "free", "question": "shape", "action": "full"}).status_code == status


def test_what_was_judged_by_an_earlier_state_is_told(server: Running) -> None:
    class_, student = make_class(server, "ada")
    sent(student("eve"), TWICE)
    class_.assign(DOUBLED)
    page = f"/classes/{class_.id}/regradings"
    assert "?older=1" in class_.instructor.get(page).text
    assert "Judged by an earlier state" not in class_.instructor.get(page, params={"older": "1"}).text
    with server.state.db.writing() as db:
        other = server.state.catalog.course_snapshot_ids["demo"]  # any other state will do
        db.execute(update(Submission).where(Submission.exercise == DOUBLED).values(snapshot_id=other))
    assert "1 of 1 submissions" in class_.instructor.get(page, params={"older": "1"}).text


@pytest.fixture
def waiting(database_url: str) -> Iterator[tuple[Database, int]]:
    """A database in which nobody works, and a regrading that waits there."""
    database = Database(database_url)
    with database.writing() as db:
        db.add(class_ := Class(course="demo", title="Spring", timezone="UTC", join_code=new_code()))
        db.flush()
        db.add(regrading := Regrading(class_id=class_.id, kind="exercise", slug=DOUBLED))
    yield database, regrading.id
    database.close()


def claimed(database: Database, owner: str) -> int | None:
    with database.writing() as db:
        regrading = leases.claim(db, Regrading, owner)
        return regrading.id if regrading is not None else None


def test_a_process_that_is_killed_keeps_a_regrading_for_a_lease_and_no_longer(waiting: tuple[Database, int]) -> None:
    database, id = waiting
    assert claimed(database, "first") == id
    assert claimed(database, "second") is None
    with database.writing() as db:
        assert leases.LEASE_SECONDS <= 15
        db.execute(update(Regrading).values(leased_until=FromNow(-0.001)))  # so long has nobody renewed it
    assert claimed(database, "second") == id
    with database.writing() as db:
        assert not leases.renew(db, Regrading, id, "first"), "what it finds now does not count"


def test_a_lease_is_renewed_while_its_process_lives_and_given_back_as_it_ends(
    waiting: tuple[Database, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A submission may wait for minutes until students leave it a box; and an update of the server costs no lease."""
    database, id = waiting
    monkeypatch.setattr(leases, "RENEWALS", 1000)
    tended = leases.Tended(database, "first", (Regrading,))
    tended.start()
    assert claimed(database, "first") == id
    with tended.working_on(Regrading, id):
        with database.writing() as db:
            db.execute(update(Regrading).values(leased_until=FromNow(-60.0)))

        def is_renewed() -> bool:
            with database.reading() as db:
                return bool(db.scalar(select(Regrading.leased_until > FromNow(0.0))))

        until(is_renewed, "it is not renewed")
        assert claimed(database, "second") is None
    tended.close(60)
    assert claimed(database, "second") == id
