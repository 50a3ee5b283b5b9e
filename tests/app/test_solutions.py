"""The worked solution, for those who solved the exercise or gave it up; others' solutions, for those who solved it."""

from collections.abc import Iterator

import httpx
import pytest
from sqlalchemy import delete, func, select

from app.people import accounts
from app.people.users import User, user_by_token
from app.practice.gradings import Grading
from app.practice.shared_solutions import SharedSolution, count_tokens
from app.practice.solutions import GiveUp
from app.practice.submissions import SubmissionKind, read_order, submit
from graders.verdict import SubmissionResult, Verdict
from tests.conftest import Running

FLAX = "flax-learned-pos"
PAGE = f"/exercises/{FLAX}"
API = f"/api/v1/exercises/{FLAX}"
BROWSER = {"Sec-Fetch-Site": "same-origin"}
WORDS = "Slices are clamped, as everywhere in Python."  # of solution.md, as it stands in HTML


def judged(
    server: Running,
    client: httpx.Client,
    source: str,
    verdict: Verdict = Verdict.accepted,
    kind: SubmissionKind = "submit",
    wall_ms: float = 1.0,
) -> int:
    """A finished submission of this client's, written as a worker would leave it; returns its id."""
    exercise = server.state.catalog.exercises[FLAX]
    result = SubmissionResult(verdict, float(verdict == Verdict.accepted), "As it went.", None, None, ())
    with server.state.db.writing() as db:
        order = read_order(exercise, source, kind=kind)
        sent, grading = submit(db, person(server, client), order, server.state.catalog.snapshot_ids[FLAX], None, result)
        db.get_one(Grading, grading.id).wall_ms = wall_ms
        return sent.id


def person(server: Running, client: httpx.Client) -> User:
    with server.state.db.reading() as db:
        user = user_by_token(db, client.headers["Authorization"].removeprefix("Bearer "))
    assert user is not None
    return user


@pytest.fixture
def student(server: Running) -> Iterator[httpx.Client]:
    with account(server, "ada@example.org") as client:
        yield client


def account(server: Running, email: str, role: str = "student") -> httpx.Client:
    accounts.add_user(server.state.db, email, role, None)
    return server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, email)}", **BROWSER)


def test_nobody_reads_it_before(server: Running, student: httpx.Client) -> None:
    assert WORDS in server.state.catalog.exercises[FLAX].solution
    judged(server, student, "x = 1", Verdict.wrong_answer)
    judged(server, student, "x = 1", kind="run")  # accepted on the samples, and for no credit
    with server.client() as nobody:
        for client in (nobody, student):
            answer = client.get(f"{PAGE}/solution")
            assert answer.status_code == 403
            assert "Give up and read it" in answer.text
            for path in (f"{PAGE}/solution", f"{PAGE}/give-ups/new", PAGE, API):
                assert WORDS not in client.get(path).text, path


def test_a_solver_reads_it(server: Running, student: httpx.Client) -> None:
    judged(server, student, "x = 1")
    answer = student.get(f"{PAGE}/solution")
    assert answer.status_code == 200
    assert WORDS in answer.text
    assert "now that you have your own" in student.get(PAGE).text
    assert WORDS not in student.get(PAGE).text  # there is a page for it


def test_staff_read_it(server: Running) -> None:
    with account(server, "grace@example.org", "instructor") as client:
        assert WORDS in client.get(f"{PAGE}/solution").text


def test_giving_up_is_asked_for_twice_and_recorded_once(server: Running, student: httpx.Client) -> None:
    asked = student.get(f"{PAGE}/give-ups/new")
    assert asked.status_code == 200
    assert "it counts as solved" in asked.text
    assert count(server) == 0  # looking at the question is no answer
    for _ in range(2):
        answer = student.post(f"{PAGE}/give-ups")
        assert (answer.status_code, answer.headers["location"]) == (303, f"{PAGE}/solution")
    assert count(server) == 1
    assert WORDS in student.get(f"{PAGE}/solution").text


def test_solved_after_reading_counts_as_solved_and_says_so(server: Running, student: httpx.Client) -> None:
    student.post(f"{PAGE}/give-ups")
    judged(server, student, "x = 1")
    assert [one["exercise"] for one in student.get("/api/v1/me/progress").json()["exercises_solved"]] == [FLAX]
    assert "solved after reading the solution" in student.get("/progress").text


def test_a_solver_has_nothing_to_give_up(server: Running, student: httpx.Client) -> None:
    judged(server, student, "x = 1")
    student.post(f"{PAGE}/give-ups")
    assert count(server) == 0
    assert "after reading" not in student.get("/progress").text


def count(server: Running) -> int:
    with server.state.db.reading() as db:
        return db.scalar(select(func.count()).select_from(GiveUp)) or 0


OTHERS = f"{PAGE}/solutions"
MINE = "rows = 'a line of my own'"


@pytest.fixture
def classmate(server: Running) -> Iterator[httpx.Client]:
    """Somebody who has solved it too."""
    with account(server, "alan@example.org") as client:
        judged(server, client, "x = 'of the classmate'")
        yield client


def shared(client: httpx.Client, id: int) -> httpx.Response:
    return client.post(f"/submissions/{id}/shares")


def test_nothing_is_shown_without_consent(server: Running, student: httpx.Client, classmate: httpx.Client) -> None:
    id = judged(server, student, MINE)
    assert "a line of my own" not in classmate.get(OTHERS).text
    assert "Share this solution" in student.get(f"/submissions/{id}").text
    answer = shared(student, id)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/submissions/{id}#standing")
    text = classmate.get(OTHERS).text
    assert "a line of my own" in text
    assert "A classmate’s" in text
    assert "ada" not in text  # nobody's name goes with it
    assert "Yours" in student.get(OTHERS).text


def test_taken_back_it_is_gone_at_once(server: Running, student: httpx.Client, classmate: httpx.Client) -> None:
    id = judged(server, student, MINE)
    for _ in range(2):
        shared(student, id)
    part = student.post(f"/submissions/{id}/shares/delete", headers={"Lectern-Partial": "1"})
    assert "Share this solution" in part.text
    assert "a line of my own" not in classmate.get(OTHERS).text


def test_it_opens_once_ones_own_is_accepted(server: Running, student: httpx.Client, classmate: httpx.Client) -> None:
    shared(classmate, judged(server, classmate, MINE))
    judged(server, student, "x = 1", Verdict.wrong_answer)
    student.post(f"{PAGE}/give-ups")  # opens the author's solution, not the classmates'
    with server.client() as nobody:
        for client in (student, nobody):
            answer = client.get(OTHERS)
            assert answer.status_code == 403
            assert f'href="{PAGE}"' in answer.text, "the way to it"
            assert "a line of my own" not in answer.text
            assert OTHERS not in client.get(PAGE).text
    judged(server, student, "x = 1")
    assert "a line of my own" in student.get(OTHERS).text
    assert OTHERS in student.get(PAGE).text
    with account(server, "grace@example.org", "instructor") as staff:
        assert "a line of my own" in staff.get(OTHERS).text


def test_guests_may_look_and_share_none(server: Running, classmate: httpx.Client) -> None:
    shared(classmate, judged(server, classmate, MINE))
    with server.guest() as guest:
        guest.headers.update(BROWSER)
        id = judged(server, guest, "x = 1")
        assert "a line of my own" in guest.get(OTHERS).text
        assert "sign up" in guest.get(f"/submissions/{id}").text
        answer = shared(guest, id)
        assert answer.status_code == 403
        assert "Sign up" in answer.text


def test_only_its_author_shares_and_only_what_was_accepted(
    server: Running, student: httpx.Client, classmate: httpx.Client
) -> None:
    id = judged(server, student, MINE)
    assert shared(classmate, id).status_code == 404
    with account(server, "grace@example.org", "instructor") as staff:
        assert shared(staff, id).status_code == 403
    for verdict, kind in ((Verdict.wrong_answer, "submit"), (Verdict.accepted, "run")):
        assert shared(student, judged(server, student, MINE, verdict, kind)).status_code == 409  # type: ignore[arg-type]
    with server.state.db.reading() as db:
        assert db.scalars(select(SharedSolution)).all() == []


def test_the_fastest_and_the_shortest_come_first(
    server: Running, student: httpx.Client, classmate: httpx.Client
) -> None:
    for number in range(1, 8):
        shared(classmate, judged(server, classmate, f"n{number} = 0" + " + 1" * (7 - number), wall_ms=float(number)))
    judged(server, student, "x = 1")
    text = student.get(OTHERS).text
    quick, short = text.split(">Shortest<")
    assert [name for name in names() if f"{name} " in quick] == ["n1", "n2", "n3", "n4", "n5"]
    assert [name for name in names() if f"{name} " in short] == ["n3", "n4", "n5", "n6", "n7"]
    assert short.index("n7 ") < short.index("n3 ")


def names() -> list[str]:
    return [f"n{number}" for number in range(1, 8)]


def test_the_same_tokens_are_shown_once(server: Running, student: httpx.Client, classmate: httpx.Client) -> None:
    shared(classmate, judged(server, classmate, "twin = 1", wall_ms=2.0))
    shared(student, judged(server, student, "twin  =  1  # a comment of mine"))
    quick = classmate.get(OTHERS).text.split(">Shortest<")[0]
    assert quick.count("twin") == 1
    assert "a comment of mine" in quick  # the faster of the two


def test_leaving_takes_ones_own_along(server: Running, student: httpx.Client, classmate: httpx.Client) -> None:
    shared(student, judged(server, student, MINE))
    with server.state.db.writing() as db:
        db.execute(delete(User).where(User.email == "ada@example.org"))
    assert "a line of my own" not in classmate.get(OTHERS).text
    with server.state.db.reading() as db:
        assert db.scalars(select(SharedSolution)).all() == []


def test_what_other_cases_accepted_is_not_shown(
    server: Running, student: httpx.Client, classmate: httpx.Client
) -> None:
    shared(student, judged(server, student, MINE))
    with server.state.db.writing() as db:
        db.scalars(select(SharedSolution)).one().judging_hash = "of the cases before"
    assert "a line of my own" not in classmate.get(OTHERS).text


def test_tokens_are_counted_as_python_reads_them() -> None:
    assert count_tokens("x = 1")[0] == 3
    assert count_tokens("\ufeffx=1  # why\n\n\n") == count_tokens("x   = 1")
    assert count_tokens("a_very_long_name = 1")[0] == 3
    assert count_tokens("if x:\n    y\nz")[1] != count_tokens("if x:\n    y\n    z")[1]
    assert count_tokens("if x:\n    y") == count_tokens("if x:\n\ty")
    assert count_tokens("(")[0] == 1  # no Python; counted all the same
