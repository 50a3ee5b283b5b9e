"""A class's terms for an assigned quiz: its attempts, its code, its dates, and when its answers are told; in the pages,
in the API, and wherever else an answer could be told."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from app.classes.assignments import Assignment, Extension
from app.people import accounts
from app.people.users import User
from app.quizzes.sittings import Sitting, close_due
from app.settings import Settings
from tests.app.classes import BROWSER, ClassAtHand, account, close_clients, id_of
from tests.conftest import BACKENDS, Running, running, scratch_postgres
from tests.sittings import FREE, LAST, TIMED, begin, save, submit, write_course

OPENED: list[httpx.Client] = []
JSON = {"Content-Type": "application/json"}
SECRETS = ("secret-explanation", "secret-feedback", "this-is-right -- Yes", "The other way round")


@pytest.fixture(scope="module", params=BACKENDS)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("terms")
    (data / "exercises").mkdir()
    lessons = write_course(data / "lessons")
    with ExitStack() as open_ones:
        url = open_ones.enter_context(scratch_postgres()) if request.param == "postgresql" else ""
        settings = Settings(
            workers=0, data=data, database_url=url, lessons=(lessons,), exercises=(data / "exercises",),
            rate_limits="off",
        )  # fmt: skip
        yield open_ones.enter_context(running(settings))


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_clients()
    while OPENED:
        OPENED.pop().close()


NAMES = iter(range(10_000))


def person(server: Running, role: str = "student") -> tuple[str, httpx.Client]:
    email = f"p{next(NAMES)}@example.org"
    return email, account(server, email, role)


def account_again(server: Running, email: str) -> httpx.Client:
    """Of somebody who has an account."""
    opened = server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, email)}", **BROWSER)
    OPENED.append(opened)
    return opened


def new_class(server: Running) -> ClassAtHand:
    _, ada = person(server, "instructor")
    made = ada.post("/api/v1/classes", json={"course": "demo", "title": "Spring"}).raise_for_status().json()
    return ClassAtHand(made["id"], made["join_code"], ada)


def stamp(**ahead: float) -> str:
    return (datetime.now(UTC) + timedelta(**ahead)).isoformat()


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def set_dates(server: Running, class_: ClassAtHand, slug: str, **dates: datetime | None) -> None:
    """As time passes: dates that were to come are over."""
    with server.state.db.writing() as db:
        mine = Assignment.class_id == class_.id, Assignment.slug == slug
        db.execute(update(Assignment).where(*mine).values(**dates))


def past(**delta: float) -> datetime:
    return datetime.now(UTC) - timedelta(**delta)


def test_a_class_says_how_many_attempts_count_and_an_extension_gives_one_more(server: Running) -> None:
    class_, (email, eve), (_, bob) = new_class(server), person(server), person(server)
    class_.join(eve)
    class_.assign("free", "quiz", attempts=1)
    assert eve.get(FREE).json()["attempts_left"] == 1
    submit(eve, begin(eve, FREE))
    refused = eve.post(f"{FREE}/sittings")
    assert refused.status_code == 409
    assert "your only attempt" in refused.json()["error"]["message"]
    assert "You have used your only attempt" in eve.get("/courses/demo/free").text
    given = class_.instructor.put(f"{class_.url}/extensions/{id_of(server, email)}/quiz/free", json={"attempts": 2})
    assert given.status_code == 200
    assert (eve.get(FREE).json()["attempts_allowed"], eve.get(FREE).json()["attempts_left"]) == (2, 1)
    submit(eve, begin(eve, FREE))
    assert eve.post(f"{FREE}/sittings").status_code == 409
    for _ in range(3):  # who is in no such class has the quiz's own terms
        submit(bob, begin(bob, FREE))


def test_an_extension_gives_more_than_the_quizs_own_attempts_and_a_class_may_give_more_too(server: Running) -> None:
    class_, (email, eve) = new_class(server), person(server)
    class_.join(eve)
    class_.assign("last", "quiz")
    assert eve.get(LAST).json()["attempts_allowed"] == 2
    class_.instructor.put(f"{class_.url}/extensions/{id_of(server, email)}/quiz/last", json={"attempts": 3})
    assert eve.get(LAST).json()["attempts_allowed"] == 3
    class_.assign("timed", "quiz", attempts=5)
    assert eve.get(TIMED).json()["attempts_left"] == 5


def test_what_was_practised_before_it_opened_takes_no_attempt_away(server: Running) -> None:
    class_, (_, eve) = new_class(server), person(server)
    class_.join(eve)
    submit(eve, begin(eve, FREE))
    class_.assign("free", "quiz", attempts=1, opens_at=stamp(seconds=0))
    assert eve.get(FREE).json()["attempts_left"] == 1
    done = submit(eve, begin(eve, FREE))
    assert eve.post(f"{FREE}/sittings").status_code == 409
    lines = {one["id"]: one["counts"] for one in eve.get(FREE).json()["attempts"]}
    assert len(lines) == 2
    assert done["number"] == 2


def test_a_code_is_asked_for_before_it_is_begun_and_staff_need_none(server: Running) -> None:
    class_, (_, eve), (helper, bob) = new_class(server), person(server), person(server)
    class_.join(eve)
    class_.join(bob)
    class_.instructor.patch(
        f"{class_.url}/roster/{id_of(server, helper)}", json={"role": "assistant"}
    ).raise_for_status()
    class_.assign("free", "quiz", access_code="Plum tree")
    assert eve.get(FREE).json()["needs_access_code"] is True
    assert bob.get(FREE).json()["needs_access_code"] is False
    page = eve.get("/courses/demo/free").text
    assert 'name="access_code"' in page
    assert "Plum tree" not in page
    for sent in (None, {"access_code": "plum tree"}, {"access_code": ""}):
        refused = eve.post(f"{FREE}/sittings", content=json.dumps(sent) if sent else None, headers=JSON)
        assert refused.status_code == 403, refused.text
    wrong = eve.post("/courses/demo/free/sittings", data={"access_code": "x"}, headers=BROWSER)
    assert (wrong.status_code, "This is not the access code." in wrong.text) == (403, True)
    begun = eve.post(f"{FREE}/sittings", json={"access_code": " Plum tree "})
    assert begun.status_code == 201
    assert eve.post(f"{FREE}/sittings").json()["id"] == begun.json()["id"], "what is open goes on without it"
    assert bob.post(f"{FREE}/sittings").status_code == 201


def test_few_codes_may_be_tried(server: Running) -> None:
    class_, (_, eve) = new_class(server), person(server)
    class_.join(eve)
    class_.assign("free", "quiz", access_code="right")
    server.state.limits.enabled = True
    try:
        tried = [eve.post(f"{FREE}/sittings", json={"access_code": str(n)}).status_code for n in range(12)]
    finally:
        server.state.limits.enabled = False
    assert tried == [403] * 10 + [429] * 2


def test_it_cannot_be_begun_before_it_opens_and_ends_when_it_closes(server: Running) -> None:
    class_, (_, eve) = new_class(server), person(server)
    class_.join(eve)
    opens, closes = stamp(hours=1), stamp(minutes=90)
    class_.assign("timed", "quiz", opens_at=opens, closes_at=closes)
    refused = eve.post(f"{TIMED}/sittings")
    assert (refused.status_code, "opens in your class" in refused.json()["error"]["message"]) == (409, True)
    page = eve.get("/courses/demo/timed").text
    assert "This quiz opens in your class at" in page
    assert 'action="/courses/demo/timed/sittings"' not in page
    assert moment(eve.get(TIMED).json()["opens_at"]) == moment(opens)
    closing = datetime.now(UTC) + timedelta(minutes=15)
    set_dates(server, class_, "timed", opens_at=past(hours=1), closes_at=closing)
    sitting = begin(eve, TIMED)  # 20 minutes are its own time
    assert moment(sitting["deadline_at"]) == closing


def test_other_dates_given_while_somebody_sits_extend_and_never_shorten(server: Running) -> None:
    class_, (email, eve) = new_class(server), person(server)
    class_.join(eve)
    due = stamp(minutes=2)
    class_.assign("free", "quiz", due_at=due, closes_at=stamp(minutes=5))
    sitting = begin(eve, FREE)
    deadline = moment(sitting["deadline_at"])
    place = f"{class_.url}/extensions/{id_of(server, email)}/quiz/free"
    class_.instructor.put(place, json={"due_at": stamp(minutes=32)}).raise_for_status()
    extended = moment(eve.get(f"/api/v1/sittings/{sitting['id']}").json()["deadline_at"])
    assert timedelta(minutes=29) < extended - deadline < timedelta(minutes=31)
    class_.instructor.delete(place).raise_for_status()
    class_.assign("free", "quiz", due_at=due, closes_at=stamp(minutes=3))
    assert moment(eve.get(f"/api/v1/sittings/{sitting['id']}").json()["deadline_at"]) == extended
    class_.assign("free", "quiz", due_at=due, closes_at=stamp(hours=3))
    assert moment(eve.get(f"/api/v1/sittings/{sitting['id']}").json()["deadline_at"]) > extended
    class_.assign("free", "quiz")
    assert eve.get(f"/api/v1/sittings/{sitting['id']}").json()["deadline_at"] is None


def test_what_has_closed_is_practice_again(server: Running) -> None:
    class_, (_, eve) = new_class(server), person(server)
    class_.join(eve)
    class_.assign("free", "quiz", attempts=1, access_code="code", closes_at=stamp(hours=1))
    begun = eve.post(f"{FREE}/sittings", json={"access_code": "code"}).raise_for_status().json()
    set_dates(server, class_, "free", closes_at=past(minutes=1))
    with server.state.db.writing() as db:
        db.execute(update(Sitting).where(Sitting.id == begun["id"]).values(deadline_at=past(minutes=1)))
    assert close_due(server.state.db, server.state.catalog, id_of(server, f"{eve_of(server, begun['id'])}")) == 1
    again = begin(eve, FREE)
    assert (again["number"], again["deadline_at"]) == (2, None)
    class_.instructor.patch(class_.url, json={"archived": True}).raise_for_status()
    assert eve.get(FREE).json()["needs_access_code"] is False


def eve_of(server: Running, sitting: int) -> str:
    with server.state.db.reading() as db:
        user_id = db.get_one(Sitting, sitting).user_id
        email = db.get_one(User, user_id).email
    assert email
    return email


def sat(client: httpx.Client, quiz: str = FREE) -> dict[str, Any]:
    """Submitted with one answer right and one wrong."""
    sitting = begin(client, quiz)
    save(client, sitting, "shape", "(N, T)")
    shown = next(one for one in sitting["questions"] if one["slug"] == "pick")
    wrong = next(one["key"] for one in shown["options"] if "this-is-wrong" in one["html"])
    save(client, sitting, "pick", wrong)
    return submit(client, sitting)


def told(server: Running, client: httpx.Client, sitting: int) -> str:
    """All that somebody can have of their own attempt, from wherever it is told."""
    pages = [
        f"/sittings/{sitting}", f"/api/v1/sittings/{sitting}", "/review", "/api/v1/me/reviews", "/progress",
        "/api/v1/me/progress", "/me/export", "/courses/demo/free", "/discussions/question/demo.free.shape",
        "/review/practice", "/courses/demo", "/",
    ]  # fmt: skip
    return "\n".join(client.get(page).text for page in pages)


def test_answers_are_told_from_the_due_date_on_and_nowhere_before(server: Running) -> None:
    class_, (_, eve) = new_class(server), person(server)
    class_.join(eve)
    due = stamp(hours=2)
    class_.assign("free", "quiz", due_at=due, answers_shown="due")
    assert "shown from" in eve.get("/courses/demo/free").text
    done = sat(eve)
    assert (done["score"], done["points"], done["answers_shown"]) == (1, 3, False)
    assert moment(done["answers_shown_from"]) == moment(due)
    for one in done["questions"]:
        assert [one[name] for name in ("correct", "score", "feedback", "explanation", "comment")] == [None] * 5
    before = told(server, eve, done["id"])
    assert not [secret for secret in SECRETS if secret in before]
    assert "Your class shows right answers and explanations" in before
    assert "1 of 3" in before
    assert "demo.free" not in str(eve.get("/api/v1/me/progress").json()["questions_right"])
    exported = eve.get("/api/v1/me/export").json()
    assert not [one for one in exported["answers"] if "correct" in one or "score" in one]
    assert not [one for row in exported["sittings"] for one in row["responses"] if "correct" in one or "score" in one]
    assert exported["review_cards"] == []
    assert eve.get("/api/v1/me/reviews").json() == []
    # attack: ask the API for the answers of an assignment that is not due yet, question by question
    for slug in ("shape", "count", "pick"):
        id = f"demo.free.{slug}"
        refused = eve.post(f"/api/v1/questions/{id}/answers", json={"variant": 0, "answer": "(N, T)"})
        assert (refused.status_code, "secret" in refused.text) == (403, False)
        assert eve.post(f"/api/v1/questions/{id}/readings", json={"variant": 0, "answer": "1"}).status_code == 403
        for page in (f"/questions/{id}/answers", f"/review/questions/{id}/answers", f"/review/practice/{id}/answers"):
            assert eve.post(page, data={"variant": "0", "answer": "(N, T)"}).status_code == 403
        assert eve.get(f"/questions/{id}", headers={"Lectern-Partial": "1"}).status_code == 403
    assert eve.get("/api/v1/lessons/demo/free/questions").status_code == 403
    assert eve.get("/discussions/question/demo.free.shape").status_code == 403
    # staff of the site read it as ever, and the student too once it is due
    _, staff = person(server, "instructor")
    assert "secret-explanation" in staff.get(f"/sittings/{done['id']}").text
    set_dates(server, class_, "free", due_at=past(seconds=1))
    after = eve.get(f"/api/v1/sittings/{done['id']}").json()
    assert after["answers_shown"] is True
    assert {one["slug"]: one["correct"] for one in after["questions"]} == {"shape": True, "count": False, "pick": False}
    assert "secret-explanation" in eve.get(f"/sittings/{done['id']}").text
    assert eve.get("/discussions/question/demo.free.shape").status_code == 200
    assert "demo.free.shape" in str(eve.get("/api/v1/me/progress").json()["questions_right"])
    assert eve.get("/api/v1/lessons/demo/free/questions").status_code == 200
    assert eve.get("/api/v1/me/export").json()["review_cards"]


def test_a_quiz_with_limits_in_a_class_is_asked_in_attempts_alone(server: Running) -> None:
    class_, (_, eve), (_, bob) = new_class(server), person(server), person(server)
    class_.join(eve)
    class_.assign("free", "quiz", attempts=2)
    question = "/api/v1/questions/demo.free.shape/answers"
    assert eve.post(question, json={"variant": 0, "answer": "(T, N)"}).status_code == 403
    assert bob.post(question, json={"variant": 0, "answer": "(T, N)"}).status_code == 200
    done = sat(eve)
    assert done["answers_shown"] is True
    begin(eve, FREE)
    assert eve.get("/api/v1/me/reviews").json() == []


def test_of_several_classes_the_most_generous_dates_and_the_strictest_about_answers(server: Running) -> None:
    one, other, (email, eve) = new_class(server), new_class(server), person(server)
    one.join(eve)
    other.join(eve)
    late = stamp(hours=9)
    one.assign("free", "quiz", attempts=1, closes_at=stamp(hours=1))
    other.assign("free", "quiz", attempts=3, due_at=stamp(hours=8), closes_at=late, answers_shown="closed")
    found = eve.get(FREE).json()
    assert (found["attempts_allowed"], moment(found["closes_at"]), found["answers_shown"]) == (3, moment(late), False)
    assert moment(found["answers_shown_from"]) == moment(late)
    with server.state.db.writing() as db:
        db.add(
            Extension(class_id=other.id, user_id=id_of(server, email), kind="quiz", slug="free",
                      due_at=datetime.now(UTC) + timedelta(hours=10))
        )  # fmt: skip
    assert moment(eve.get(FREE).json()["answers_shown_from"]) > moment(late) + timedelta(hours=1)
    other.instructor.delete(f"{other.url}/extensions/{id_of(server, email)}/quiz/free").raise_for_status()
    other.assign("free", "quiz", answers_shown="closed")
    page = eve.get("/courses/demo/free").text
    assert "your class has not said when" in page
    assert eve.get(FREE).json()["answers_shown_from"] is None
    sitting = sat(eve)
    assert "it has not said when" in eve.get(f"/sittings/{sitting['id']}").text


def test_an_attempt_counts_in_the_classes_whose_terms_it_met(server: Running) -> None:
    """attack: have a class of one's friends assign the exam's quiz with another code, or without one; or begin it there
    before the exam opens, and submit it once that is open."""
    exam, friends, (email, eve) = new_class(server), new_class(server), person(server)
    exam.join(eve)
    friends.join(eve)
    exam.assign("free", "quiz", access_code="exam", attempts=1)
    friends.assign("free", "quiz", access_code="friends", attempts=9)
    first = eve.post(f"{FREE}/sittings", json={"access_code": "friends"}).raise_for_status().json()
    submit(eve, first)
    assert exam.cell(email) is None
    assert (friends.cell(email) or {})["attempts"] == 1
    second = eve.post(f"{FREE}/sittings", json={"access_code": "exam"})
    assert second.status_code == 201, "what did not count there takes no attempt away"
    submit(eve, second.json())
    assert (exam.cell(email) or {})["attempts"] == 1
    assert (friends.cell(email) or {})["attempts"] == 1


def test_what_was_begun_before_joining_without_the_code_does_not_count(server: Running) -> None:
    class_, (email, eve) = new_class(server), person(server)
    class_.assign("free", "quiz", access_code="code", attempts=1)
    submit(eve, begin(eve, FREE))
    early = begin(eve, FREE)
    class_.join(eve)
    submit(eve, early)
    assert class_.cell(email) is None
    late = eve.post(f"{FREE}/sittings", json={"access_code": "code"})
    assert late.status_code == 201
    submit(eve, late.json())
    assert (class_.cell(email) or {})["attempts"] == 1
    assert eve.post(f"{FREE}/sittings", json={"access_code": "code"}).status_code == 409


def test_what_was_begun_elsewhere_before_it_opened_does_not_count(server: Running) -> None:
    exam, friends, (email, eve) = new_class(server), new_class(server), person(server)
    exam.join(eve)
    friends.join(eve)
    exam.assign("free", "quiz", opens_at=stamp(hours=1))
    friends.assign("free", "quiz")
    begun = begin(eve, FREE)
    set_dates(server, exam, "free", opens_at=datetime.now(UTC))
    submit(eve, begun)
    assert exam.cell(email) is None
    assert (friends.cell(email) or {})["attempts"] == 1
    submit(eve, begin(eve, FREE))
    assert (exam.cell(email) or {})["attempts"] == 1


def test_what_a_guest_sat_without_the_code_does_not_count_once_they_sign_in(server: Running) -> None:
    class_, email = new_class(server), f"p{next(NAMES)}@example.org"
    accounts.add_user(server.state.db, email, "student", "a wide enough password")
    eve = account_again(server, email)
    class_.join(eve)
    class_.assign("free", "quiz", access_code="code")
    with server.guest() as guest:
        sat(guest)
        signed_in = guest.post("/api/v1/sessions", json={"email": email, "password": "a wide enough password"})
        assert signed_in.status_code == 201
    assert len(eve.get(FREE).json()["attempts"]) == 1
    assert class_.cell(email) is None
    class_.assign("free", "quiz")
    assert (class_.cell(email) or {})["attempts"] == 1
