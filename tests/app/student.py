"""What a student does before a test looks: answers questions right or wrong, solves an exercise."""

from typing import Any

import httpx

from app.content.expression import UnreadableAnswer
from app.content.questions.asking import answer_text, judge_answer
from app.content.questions.question import values_of
from graders.grade import Finished, Usage
from graders.verdict import CaseResult, Mismatch, SubmissionResult, Verdict
from tests.conftest import Running

LESSON = "/api/v1/lessons/positions/learned-embeddings/questions"
GATHER = "learned-absolute-position-embedding"
SECRET = "seven-of-the-hidden-case"
HIDDEN = CaseResult(
    "hidden 1", False, Verdict.accepted, stdout=SECRET, inputs=SECRET,
    mismatch=Mismatch("closeness", SECRET, SECRET, SECRET, (1, 2)),
)  # fmt: skip
ACCEPTED = SubmissionResult(Verdict.accepted, 1.0, "All cases accepted.", None, None, (HIDDEN,))


def right_answer(server: Running, shown: dict[str, Any]) -> str | list[str]:
    """As its author says: the keys of what is marked right, or the author's answer in the numbers it is asked in."""
    question = server.state.catalog.question(shown["id"])
    keys = [choice.key for choice in question.choices if choice.right]
    if keys:
        return keys[0] if question.type == "choice" else keys
    return answer_text(question, values_of(question, shown["variant"]))


def wrong_answer(server: Running, shown: dict[str, Any]) -> str:
    question = server.state.catalog.question(shown["id"])
    for one in [*(option["key"] for option in shown["options"]), "999983", "(999983,)", "okapi"]:
        try:
            if not judge_answer(question, shown["variant"], one).correct:
                return str(one)
        except UnreadableAnswer:
            continue
    raise AssertionError(shown["id"])


def send(client: httpx.Client, shown: dict[str, Any], answer: str | list[str]) -> None:
    body = {"variant": shown["variant"], "answer": answer}
    client.post(f"/api/v1/questions/{shown['id']}/answers", json=body).raise_for_status()


def single(shown: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The questions whose answer is one string."""
    return [one for one in shown if one["type"] not in ("choices", "order", "matching", "cloze")]


def miss(server: Running, client: httpx.Client, count: int) -> list[dict[str, Any]]:
    """Answers so many questions wrong, and as many others right."""
    shown = single(client.get(LESSON).json())[:count]
    for one in shown:
        send(client, one, wrong_answer(server, one))
    return shown


def send_accepted(server: Running, client: httpx.Client, source: str = "def f(): pass") -> int:
    body = {"source": source, "framework": "numpy"}
    id = int(client.post(f"/api/v1/exercises/{GATHER}/submissions", json=body).raise_for_status().json()["id"])
    job = server.state.jobs.claim(1)
    assert job is not None
    assert server.state.jobs.record(job, Finished(ACCEPTED, usage=Usage(1.5, 3.0)))
    return id
