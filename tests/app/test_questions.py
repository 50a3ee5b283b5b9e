"""Questions, answers, progress: nothing right leaves before an answer came in."""

from typing import Any

import httpx
import pytest

from app.people.users import User
from app.progress.progress import progress_of
from app.quizzes.answers import Answer
from app.quizzes.api.questions import QuestionOut
from app.reading.lessons import mark_read
from tests.app.student import right_answer
from tests.conftest import CATALOG, Running

LESSON = "/api/v1/lessons/positions/test-your-understanding/questions"


@pytest.fixture
def shown(server: Running) -> list[dict[str, Any]]:
    with server.client() as client:
        answer = client.get(LESSON)
    assert answer.status_code == 200
    questions: list[dict[str, Any]] = answer.json()
    return questions


def test_questions_are_shown_without_their_answers(server: Running, shown: list[dict[str, Any]]) -> None:
    assert len(shown) >= 2
    assert {one["type"] for one in shown} >= {"shape", "count"}
    for one in shown:
        QuestionOut.model_validate(one)
        assert set(one) == {"id", "type", "prompt_html", "variant", "options"}
        assert all(set(option) == {"key", "html"} for option in one["options"])
        explanation = server.state.catalog.question(one["id"]).explanation
        assert not explanation or explanation[:40] not in str(one)


def test_everything_answered_right_is_progress(server: Running) -> None:
    with server.guest() as client:
        questions = client.get(LESSON).json()
        for one in questions:
            answer = client.post(
                f"/api/v1/questions/{one['id']}/answers",
                json={"variant": one["variant"], "answer": right_answer(server, one)},
            )
            assert answer.status_code == 200, answer.text
            assert set(answer.json()) == {"correct", "score", "read_as", "feedback", "explanation"}
            assert (answer.json()["correct"], answer.json()["score"]) == (True, 1.0), one["id"]
        progress = client.get("/api/v1/me/progress").json()
    assert {one["question"] for one in progress["questions_right"]} == {one["id"] for one in questions}


def test_an_attempt_draws_another_variant_and_a_reload_does_not(server: Running) -> None:
    questions = server.state.catalog.courses["positions"].lessons[-1].questions.values()
    question = next(one for one in questions if one.type == "count" and one.variants > 5)
    with server.guest() as client:
        seen = set()
        for _ in range(8):
            variants = [
                next(one["variant"] for one in client.get(LESSON).json() if one["id"] == question.id) for _ in range(2)
            ]
            assert variants[0] == variants[1]
            seen.add(variants[0])
            body = {"variant": variants[0], "answer": "0"}
            client.post(f"/api/v1/questions/{question.id}/answers", json=body)
    assert len(seen) > 1


def answers_of(server: Running) -> int:
    with server.state.db.reading() as db:
        return db.query(Answer).count()


def post(client: httpx.Client, id: str, **body: Any) -> httpx.Response:
    return client.post(f"/api/v1/questions/{id}/answers", json=body)


def test_what_cannot_be_read_spends_no_attempt(server: Running, shown: list[dict[str, Any]]) -> None:
    count = next(one for one in shown if one["type"] == "count")
    with server.guest() as client:
        unreadable = post(client, count["id"], variant=count["variant"], answer="about a dozen?")
        assert (unreadable.status_code, unreadable.json()["error"]["code"]) == (422, "invalid")
        unknown = post(client, count["id"], variant=10**6, answer="1")
        assert (unknown.status_code, unknown.json()["error"]["code"]) == (409, "conflict")
        for body in ({}, {"variant": "0", "answer": "1"}, {"variant": 0}, {"variant": 0, "answer": 1},
                     {"variant": 10**30, "answer": "1"}, {"variant": 0, "answer": "1", "correct": True},
                     {"variant": 0, "answer": "1" * 5000}):  # fmt: skip
            assert post(client, count["id"], **body).status_code == 422, body
        assert post(client, "positions.nope.nope", variant=0, answer="1").status_code == 404
        assert post(client, "nope", variant=0, answer="1").status_code == 404
    assert answers_of(server) == 0


def test_a_wrong_answer_is_kept_and_is_no_progress(server: Running, shown: list[dict[str, Any]]) -> None:
    count = next(one for one in shown if one["type"] == "count")
    with server.guest() as client:
        answer = post(client, count["id"], variant=count["variant"], answer="1")
        assert (answer.json()["correct"], answer.json()["score"]) == (False, 0.0)
        assert answer.json()["explanation"]
        assert client.get("/api/v1/me/progress").json()["questions_right"] == []
    assert answers_of(server) == 1


def test_a_lesson_read_twice_is_read_once(server: Running) -> None:
    with server.guest() as client:
        with server.state.db.writing() as db:
            user = db.query(User).one()
            for _ in range(2):
                mark_read(db, user, "positions", "learned-embeddings")
        read = client.get("/api/v1/me/progress").json()["lessons_read"]
    assert [(one["course"], one["lesson"]) for one in read] == [("positions", "learned-embeddings")]
    with server.state.db.reading() as db:
        assert progress_of(db, db.query(User).one()).has_read("positions", "learned-embeddings")
        assert progress_of(db, None).lessons_read == ()


def test_an_exercise_is_all_there_to_begin_with(server: Running) -> None:
    with server.client() as client:
        lines = client.get("/api/v1/exercises").json()
        assert {"flax-learned-pos", "learned-absolute-position-embedding"} <= {line["slug"] for line in lines}
        for line in lines:
            one = client.get(f"/api/v1/exercises/{line['slug']}").json()
            assert {key: one[key] for key in line} == line
            assert set(one["starter"]) == set(one["frameworks"])
            assert one["entry"] in one["signature"]["text"]
            assert one["statement"] == (CATALOG / "exercises" / line["slug"] / "statement.md").read_text()
            assert "<p>" in one["statement_html"]
            assert "reference" not in one
            assert "solution" not in one
        jax = client.get("/api/v1/exercises", params={"framework": "torch"}).json()
        assert "flax-learned-pos" not in {line["slug"] for line in jax}
        tag = lines[0]["tags"][0]
        assert all(tag in line["tags"] for line in client.get("/api/v1/exercises", params={"tag": tag}).json())
        found = client.get("/api/v1/exercises", params={"q": "FLAX"}).json()
        assert [line["slug"] for line in found] == ["flax-learned-pos"]
