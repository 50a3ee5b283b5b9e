"""A class whose instructor is a student on the site: what they may do there reaches nobody outside of it.

attack, in each: somebody is made an instructor of one class, and from there reads what people did elsewhere, or changes
what counts elsewhere.
"""

from types import SimpleNamespace

import httpx
import pytest

from app.classes.classes import Class, Enrolment, Member
from app.classes.lti.members import Listed, take_members
from app.classes.roster import MAX_OFFERS
from app.people.users import User
from app.people.verifications import verified
from tests.app.classes import COURSE, GATHER, QUIZ, ClassAtHand, account, id_of, judged, make_class
from tests.conftest import Running


@pytest.fixture
def run_by_mallory(server: Running) -> tuple[ClassAtHand, httpx.Client]:
    """Ada's class, in which Mallory, a student on the site, is an instructor too."""
    ada, mallory = account(server, "ada@example.org", "instructor"), account(server, "mallory@example.org")
    made = make_class(server, ada)
    made.join(mallory)
    place = f"{made.url}/roster/{id_of(server, 'mallory@example.org')}"
    ada.patch(place, json={"role": "instructor"}).raise_for_status()
    return made, mallory


Run = tuple[ClassAtHand, httpx.Client]


def test_they_make_no_class_by_copying_one(server: Running, run_by_mallory: Run) -> None:
    made, mallory = run_by_mallory
    assert mallory.post(f"{made.url}/copies", json={"title": "Mine"}).status_code == 403
    page = mallory.post(f"/classes/{made.id}/copies", data={"title": "Mine"})
    assert page.status_code == 403
    assert len(mallory.get("/api/v1/classes").json()) == 1
    assert made.instructor.post(f"{made.url}/copies", json={"title": "Autumn"}).status_code == 201


def test_they_judge_nothing_again_which_would_count_in_other_classes_too(server: Running, run_by_mallory: Run) -> None:
    made, mallory = run_by_mallory
    made.assign()
    made.assign(QUIZ, "quiz")
    body = {"question": "berts-positions", "action": "full"}
    rulings = f"{made.url}/quizzes/{QUIZ}/regradings"
    assert mallory.post(rulings, json=body).status_code == 403
    regrading = {"revision": "current", "class": made.id}
    assert mallory.post(f"/api/v1/exercises/{GATHER}/regradings", json=regrading).status_code == 403
    page = mallory.get(f"/classes/{made.id}/regradings?exercise={GATHER}")
    assert page.status_code == 403, "it lists revisions that are not published, and who wrote them"
    assert made.instructor.post(rulings, json=body).status_code == 202
    assert made.instructor.get(f"/classes/{made.id}/regradings?exercise={GATHER}").status_code == 200


def test_they_register_no_platform_that_this_server_then_trusts_with_its_key(
    server: Running, run_by_mallory: Run
) -> None:
    made, mallory = run_by_mallory
    assert mallory.post(f"/classes/{made.id}/lti/invitations").status_code == 403
    assert made.instructor.post(f"/classes/{made.id}/lti/invitations").status_code == 200


def test_people_fetched_from_a_platform_by_their_address_are_expected_and_not_enrolled(
    server: Running, run_by_mallory: Run
) -> None:
    made, mallory = run_by_mallory
    eve = account(server, "eve@example.org")
    sent = judged(server, eve)
    made.assign()
    listed = [Listed("subject-1", "student", "Eve", "eve@example.org")]
    states = []
    for email in ("mallory@example.org", "ada@example.org"):
        with server.state.db.writing() as db:
            class_, person = db.get_one(Class, made.id), db.get_one(User, id_of(server, email))
            member = Member(class_, db.get_one(Enrolment, (class_.id, person.id)), person)
            context = SimpleNamespace(id=1, platform_id=1, members_at=None)
            taken = take_members(db, member, context, listed)  # type: ignore[arg-type]
        states.append((taken.enrolled, taken.expected, mallory.get(f"/api/v1/submissions/{sent}").status_code))
        if email.startswith("mallory"):
            gone = made.instructor.post(
                f"/classes/{made.id}/roster/expected/removal", data={"email": "eve@example.org"}
            )
            assert gone.status_code == 303
    assert states == [(0, 1, 404), (1, 0, 200)]


def test_they_do_not_read_the_work_of_its_staff_by_making_them_students(server: Running, run_by_mallory: Run) -> None:
    made, mallory = run_by_mallory
    made.assign()
    sent = judged(server, made.instructor, source="def f(): return 'the answer'")
    place = f"{made.url}/roster/{id_of(server, 'ada@example.org')}"
    assert mallory.patch(place, json={"role": "student"}).status_code == 403
    assert mallory.get(f"/classes/{made.id}/submissions/{sent}").status_code == 404
    own = f"{made.url}/roster/{id_of(server, 'mallory@example.org')}"
    assert mallory.patch(own, json={"role": "assistant"}).status_code == 200
    assert mallory.get(made.url).json()["course"] == COURSE


def test_an_offered_place_is_taken_by_its_person_alone(server: Running, run_by_mallory: Run) -> None:
    """attack: expect the addresses of people who will come, assign an exercise, and read what they send to it."""
    made, mallory = run_by_mallory
    place = f"/classes/{made.id}/roster"
    assert mallory.post(place, data={"email": "new@example.org"}).status_code == 303
    newcomer = account(server, "new@example.org")
    with server.state.db.writing() as db:
        person = db.get_one(User, id_of(server, "new@example.org"))
        verified(db, person)
    assert newcomer.get("/api/v1/classes").json() == []
    made.join(newcomer)
    assert [one["id"] for one in newcomer.get("/api/v1/classes").json()] == [made.id]
    assert mallory.post(place, data={"email": "later@example.org"}).status_code == 303
    assert made.instructor.post(place, data={"email": "later@example.org"}).status_code == 303
    later = account(server, "later@example.org")
    assert [one["id"] for one in later.get("/api/v1/classes").json()] == [made.id]


def test_they_send_few_letters_in_our_name(server: Running, run_by_mallory: Run) -> None:
    made, mallory = run_by_mallory
    many = [{"email": f"stranger{n}@example.org"} for n in range(MAX_OFFERS + 1)]
    refused = mallory.put(f"{made.url}/roster", json=many)
    assert (refused.status_code, "the class's code" in refused.text) == (422, True)
    assert mallory.put(f"{made.url}/roster", json=many[1:]).status_code == 200
    one_more = mallory.post(f"/classes/{made.id}/roster", data={"email": "stranger0@example.org"})
    assert one_more.status_code == 422
    assert made.instructor.put(f"{made.url}/roster", json=many).status_code == 200
