"""Who may do what in a class, route by route: every page and every call of the API that is about one, by each role in
it, in it and in another, by who is in none, and by site roles, which open nothing.

A new route is missed here until somebody says which right it asks for; and the chapter of `docs/classes.md` is the
table in the code.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.classes.regradings import Regrading
from app.classes.rights import RULES, ClassRole, Right, as_markdown, may_in_class
from tests.app.classes import GATHER, QUIZ, ClassAtHand, account, again, id_of, judged, make_class
from tests.conftest import Running

DOCS = Path(__file__).resolve().parents[2] / "docs" / "classes.md"
STUDENT, ASSISTANT, INSTRUCTOR = "student", "assistant", "instructor"
EVERYBODY, STAFF, TEACHERS = {STUDENT, ASSISTANT, INSTRUCTOR}, {ASSISTANT, INSTRUCTOR}, {INSTRUCTOR}
# Written again on purpose: a slip in the table of the code shows here.
WHO: dict[str, set[str]] = {
    "see_class": EVERYBODY, "see_own_grades": {STUDENT}, "see_people": STAFF, "see_hidden_assignments": STAFF,
    "see_gradebook": STAFF, "read_work": STAFF, "comment": STAFF, "grade_by_hand": STAFF, "see_evidence": STAFF,
    "change_people": TEACHERS, "change_schedule": TEACHERS, "give_extensions": TEACHERS, "change_scores": TEACHERS,
    "freeze": TEACHERS, "regrade": TEACHERS, "see_similarity": TEACHERS, "view_as_student": TEACHERS,
    "change_class": TEACHERS, "copy_class": TEACHERS, "connect": TEACHERS, "register_platform": TEACHERS,
    "move_people": TEACHERS,
}  # fmt: skip

API, PAGE = "/api/v1/classes/{class_id}", "/classes/{class_id}"
SCHEDULE, PERSON = "/{kind}/{slug}", "/{user}"
# Method and path → the right. Below `API`, below `PAGE`, and of regradings, which have an address of their own.
ROUTES: dict[tuple[str, str], str] = {
    ("GET", API): "see_class",
    ("PATCH", API): "change_class",
    ("GET", f"{API}/assignments"): "see_class",
    ("GET", f"{API}/assignments{SCHEDULE}"): "see_class",
    ("PUT", f"{API}/assignments{SCHEDULE}"): "change_schedule",
    ("DELETE", f"{API}/assignments{SCHEDULE}"): "change_schedule",
    ("PUT", f"{API}/comments/{{comment}}"): "comment",
    ("DELETE", f"{API}/comments/{{comment}}"): "comment",
    ("POST", f"{API}/copies"): "copy_class",
    ("PUT", f"{API}/essays/{{sitting}}/{{place}}/grade"): "grade_by_hand",
    ("GET", f"{API}/evidence"): "see_evidence",
    ("GET", f"{API}/evidence/exercise/{{slug}}"): "see_evidence",
    ("GET", f"{API}/evidence/lesson/{{lesson}}"): "see_evidence",
    ("GET", f"{API}/evidence/question/{{question}}"): "see_evidence",
    ("GET", f"{API}/evidence/stuck"): "see_evidence",
    ("GET", f"{API}/evidence/student{PERSON}"): "see_evidence",
    ("PUT", f"{API}/extensions{PERSON}{SCHEDULE}"): "give_extensions",
    ("DELETE", f"{API}/extensions{PERSON}{SCHEDULE}"): "give_extensions",
    ("GET", f"{API}/frozen"): "see_gradebook",
    ("POST", f"{API}/frozen"): "freeze",
    ("GET", f"{API}/frozen/{{frozen}}"): "see_gradebook",
    ("GET", f"{API}/gradebook"): "see_gradebook",
    ("GET", f"{API}/grades"): "see_own_grades",
    ("GET", f"{API}/grading"): "grade_by_hand",
    ("POST", f"{API}/grading/claims"): "grade_by_hand",
    ("DELETE", f"{API}/grading/claims/{{item}}"): "grade_by_hand",
    ("POST", f"{API}/quizzes/{{slug}}/regradings"): "regrade",
    ("GET", f"{API}/regradings"): "regrade",
    ("GET", f"{API}/roster"): "see_people",
    ("PUT", f"{API}/roster"): "change_people",
    ("PATCH", f"{API}/roster{PERSON}"): "change_people",
    ("DELETE", f"{API}/roster{PERSON}"): "change_people",
    ("GET", f"{API}/rubrics{SCHEDULE}"): "grade_by_hand",
    ("PUT", f"{API}/rubrics{SCHEDULE}"): "change_schedule",
    ("PUT", f"{API}/scores{PERSON}{SCHEDULE}"): "change_scores",
    ("DELETE", f"{API}/scores{PERSON}{SCHEDULE}"): "change_scores",
    ("GET", f"{API}/similarity/{{slug}}"): "see_similarity",
    ("GET", f"{API}/submissions/{{id}}/comments"): "read_work",
    ("POST", f"{API}/submissions/{{id}}/comments"): "comment",
    ("PUT", f"{API}/submissions/{{id}}/grade"): "grade_by_hand",
    ("GET", "/api/v1/regradings/{id}"): "regrade",
    ("DELETE", "/api/v1/regradings/{id}"): "regrade",
    ("POST", "/api/v1/regradings/{id}/application"): "regrade",
    ("DELETE", "/api/v1/regradings/{id}/application"): "regrade",
    ("GET", PAGE): "see_class",
    ("POST", f"{PAGE}/archive"): "change_class",
    ("POST", f"{PAGE}/comments/{{comment}}"): "comment",
    ("POST", f"{PAGE}/comments/{{comment}}/delete"): "comment",
    ("GET", f"{PAGE}/connections"): "connect",
    ("POST", f"{PAGE}/connections/webhooks"): "connect",
    ("POST", f"{PAGE}/connections/webhooks/{{id}}"): "connect",
    ("POST", f"{PAGE}/connections/webhooks/{{id}}/deletion"): "connect",
    ("POST", f"{PAGE}/connections/webhooks/{{id}}/secret"): "connect",
    ("POST", f"{PAGE}/connections/webhooks/{{id}}/tests"): "connect",
    ("POST", f"{PAGE}/copies"): "copy_class",
    ("GET", f"{PAGE}/essays/{{id}}/{{place}}"): "grade_by_hand",
    ("POST", f"{PAGE}/essays/{{id}}/{{place}}/grade"): "grade_by_hand",
    ("GET", f"{PAGE}/evidence"): "see_evidence",
    ("GET", f"{PAGE}/evidence/exercise/{{slug}}"): "see_evidence",
    ("GET", f"{PAGE}/evidence/lesson/{{lesson}}"): "see_evidence",
    ("GET", f"{PAGE}/evidence/question/{{question}}"): "see_evidence",
    ("GET", f"{PAGE}/evidence/stuck"): "see_evidence",
    ("GET", f"{PAGE}/evidence/student{PERSON}"): "see_evidence",
    ("GET", f"{PAGE}/frozen"): "see_gradebook",
    ("POST", f"{PAGE}/frozen"): "freeze",
    ("GET", f"{PAGE}/frozen/{{frozen}}"): "see_gradebook",
    ("GET", f"{PAGE}/frozen/{{frozen}}/gradebook.csv"): "see_gradebook",
    ("GET", f"{PAGE}/gradebook"): "see_gradebook",
    ("GET", f"{PAGE}/gradebook.csv"): "see_gradebook",
    ("GET", f"{PAGE}/grading"): "grade_by_hand",
    ("POST", f"{PAGE}/grading/next"): "grade_by_hand",
    ("POST", f"{PAGE}/grading/release"): "grade_by_hand",
    ("POST", f"{PAGE}/join-code"): "change_class",
    ("GET", f"{PAGE}/lti"): "connect",
    ("POST", f"{PAGE}/lti/invitations"): "register_platform",
    ("POST", f"{PAGE}/lti/{{id}}/delete"): "connect",
    ("POST", f"{PAGE}/lti/{{id}}/members"): "connect",
    ("POST", f"{PAGE}/lti/{{id}}/retries"): "connect",
    ("POST", f"{PAGE}/lti/{{id}}/scores"): "connect",
    ("POST", f"{PAGE}/lti/{{id}}/scores/delete"): "connect",
    ("GET", f"{PAGE}/regradings"): "regrade",
    ("POST", f"{PAGE}/regradings"): "regrade",
    ("GET", f"{PAGE}/roster"): "see_people",
    ("POST", f"{PAGE}/roster"): "change_people",
    ("GET", f"{PAGE}/roster.csv"): "see_people",
    ("POST", f"{PAGE}/roster/expected/invitations"): "change_people",
    ("POST", f"{PAGE}/roster/expected/removal"): "change_people",
    ("POST", f"{PAGE}/roster/file"): "change_people",
    ("POST", f"{PAGE}/roster/replacement"): "change_people",
    ("GET", f"{PAGE}/roster{PERSON}"): "change_people",
    ("POST", f"{PAGE}/roster{PERSON}"): "change_people",
    ("GET", f"{PAGE}/roster{PERSON}/removal"): "change_people",
    ("POST", f"{PAGE}/roster{PERSON}/removal"): "change_people",
    ("GET", f"{PAGE}/rubrics"): "change_schedule",
    ("GET", f"{PAGE}/rubrics{SCHEDULE}"): "change_schedule",
    ("POST", f"{PAGE}/rubrics{SCHEDULE}"): "change_schedule",
    ("GET", f"{PAGE}/schedule"): "change_schedule",
    ("POST", f"{PAGE}/schedule"): "change_schedule",
    ("GET", f"{PAGE}/schedule.toml"): "change_schedule",
    ("POST", f"{PAGE}/schedule/assignments"): "change_schedule",
    ("POST", f"{PAGE}/schedule/file"): "change_schedule",
    ("POST", f"{PAGE}/schedule/replacement"): "change_schedule",
    ("GET", f"{PAGE}/schedule{SCHEDULE}/removal"): "change_schedule",
    ("POST", f"{PAGE}/schedule{SCHEDULE}/removal"): "change_schedule",
    ("GET", f"{PAGE}/settings"): "change_class",
    ("POST", f"{PAGE}/settings"): "change_class",
    ("GET", f"{PAGE}/similarity"): "see_similarity",
    ("GET", f"{PAGE}/similarity/{{slug}}"): "see_similarity",
    ("GET", f"{PAGE}/similarity/{{slug}}/dolos.zip"): "see_similarity",
    ("GET", f"{PAGE}/similarity/{{slug}}/{{left}}/{{right}}"): "see_similarity",
    ("POST", f"{PAGE}/similarity/{{slug}}/variants"): "see_similarity",
    ("GET", f"{PAGE}/students{PERSON}"): "see_gradebook",
    ("POST", f"{PAGE}/students{PERSON}/extensions"): "give_extensions",
    ("POST", f"{PAGE}/students{PERSON}/scores"): "change_scores",
    ("GET", f"{PAGE}/students{PERSON}/view"): "view_as_student",
    ("GET", f"{PAGE}/submissions/{{id}}"): "read_work",
    ("POST", f"{PAGE}/submissions/{{id}}/comments"): "comment",
    ("POST", f"{PAGE}/submissions/{{id}}/grade"): "grade_by_hand",
    ("GET", "/regradings/{id}"): "regrade",
    ("POST", "/regradings/{id}/application"): "regrade",
    ("POST", "/regradings/{id}/application/delete"): "regrade",
    ("POST", "/regradings/{id}/delete"): "regrade",
    ("GET", "/regradings/{id}/submissions/{submission}"): "regrade",
}
# What a call of the API has to be sent, to be read at all.
BODIES: dict[tuple[str, str], Any] = {
    ("PATCH", API): {"title": "Other"},
    ("PUT", f"{API}/assignments{SCHEDULE}"): {},
    ("PUT", f"{API}/comments/{{comment}}"): {"text": "Why?"},
    ("POST", f"{API}/copies"): {"title": "Copy"},
    ("PUT", f"{API}/essays/{{sitting}}/{{place}}/grade"): {"points": 1.0},
    ("PUT", f"{API}/extensions{PERSON}{SCHEDULE}"): {"attempts": 2},
    ("POST", f"{API}/frozen"): {"why": "Why not"},
    ("POST", f"{API}/grading/claims"): {},
    ("POST", f"{API}/quizzes/{{slug}}/regradings"): {"question": "shape-of-the-table", "action": "full"},
    ("PUT", f"{API}/roster"): [],
    ("PATCH", f"{API}/roster{PERSON}"): {"section": "B"},
    ("PUT", f"{API}/rubrics{SCHEDULE}"): {"criteria": []},
    ("PUT", f"{API}/scores{PERSON}{SCHEDULE}"): {"score": 1.0, "reason": "why"},
    ("POST", f"{API}/submissions/{{id}}/comments"): {"line": 1, "text": "Why?"},
    ("PUT", f"{API}/submissions/{{id}}/grade"): {"points": {}},
    ("POST", "/api/v1/regradings/{id}/application"): {"keep": "better"},
}


def routes(server: Running) -> Iterator[tuple[str, str]]:
    """Of a class, from the application itself."""
    included: Any
    for included in server.app.routes:
        contexts = included.effective_route_contexts() if hasattr(included, "effective_route_contexts") else [included]
        for route in contexts:
            if "{class_id}" in route.path or "/regradings/" in route.path:
                yield from ((method, route.path) for method in route.methods - {"HEAD"})


def test_every_route_says_which_right_it_asks_for(server: Running) -> None:
    assert sorted(routes(server)) == sorted(ROUTES)


def test_the_table_in_the_code_cell_by_cell() -> None:
    assert WHO.keys() == {right.name for right in Right} == {right.name for right in RULES}
    for name, roles in WHO.items():
        for role in ClassRole:
            assert may_in_class(role, Right[name]) == (role in roles), (name, role)
    assert as_markdown() in DOCS.read_text(), "print it with: python -m app.classes.rights"


@pytest.fixture
def class_(server: Running) -> ClassAtHand:
    made = make_class(server, account(server, "ada@example.org", "instructor"))
    for email in ("eve@example.org", "bob@example.org"):
        made.join(account(server, email))
    bob = id_of(server, "bob@example.org")
    made.instructor.patch(f"{made.url}/roster/{bob}", json={"role": ASSISTANT}).raise_for_status()
    made.assign()
    made.assign(QUIZ, "quiz")
    return made


def places(server: Running, class_: ClassAtHand) -> dict[str, Any]:
    with server.state.db.writing() as db:
        regrading = Regrading(class_id=class_.id, kind="exercise", slug=GATHER, state="finished")
        db.add(regrading)
        db.flush()
        number = regrading.id
    return {
        "class_id": class_.id, "kind": "exercise", "slug": GATHER, "user": id_of(server, "eve@example.org"),
        "comment": 1, "sitting": 1, "place": 1, "frozen": 1, "item": 1, "lesson": "learned-embeddings",
        "question": "positions.learned-embeddings.x", "left": 1, "right": 2, "submission": 1, "regrading": number,
    }  # fmt: skip


def ask(client: httpx.Client, key: tuple[str, str], at: dict[str, Any], submission: int) -> httpx.Response:
    method, path = key
    id = at["regrading"] if "/regradings/{id}" in path else submission
    slug = QUIZ if "/quizzes/" in path else at["slug"]
    url = path.format(**{**at, "id": id, "slug": slug})
    body = {"json": BODIES[key]} if key in BODIES else {"data": {}} if method == "POST" else {}
    return client.request(method, url, follow_redirects=False, **body)


@pytest.mark.parametrize("who", ["student", "assistant", "instructor", "instructor of another", "nobody's", "admin"])
def test_each_route_by_each_role(server: Running, class_: ClassAtHand, who: str) -> None:
    emails = {"student": "eve", "assistant": "bob", "instructor": "ada"}
    submission = judged(server, again(server, "eve@example.org"), 1.0)
    at = places(server, class_)
    if who in emails:
        client = again(server, f"{emails[who]}@example.org")
    else:
        client = account(server, "mallory@example.org", "admin" if who == "admin" else "instructor")
        if who == "instructor of another":
            make_class(server, client, title="Theirs")
    last = {("DELETE", "/api/v1/regradings/{id}"), ("POST", "/regradings/{id}/delete")}
    for key in sorted(ROUTES, key=lambda key: key in last):
        answer = ask(client, key, at, submission)
        if who not in emails:
            assert answer.status_code == 404, (who, key, answer.text[:300])
        elif who in WHO[ROUTES[key]]:
            assert answer.status_code not in (401, 403, 405, 500), (who, key, answer.text[:300])
        else:
            assert answer.status_code == 403, (who, key, answer.status_code, answer.text[:300])


def test_signed_out_nothing_of_a_class_is_there(server: Running, class_: ClassAtHand) -> None:
    at = places(server, class_)
    with server.client(**{"Sec-Fetch-Site": "same-origin"}) as nobody:
        for key in ROUTES:
            assert ask(nobody, key, at, 1).status_code == 401, key
