"""Classes for tests: people with accounts, a class, and verdicts that a test writes itself."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx
from sqlalchemy import select, update

from app.people import accounts
from app.people.users import User
from app.practice.submissions import Submission
from graders.grade import Finished, Usage
from graders.verdict import CaseResult, SubmissionResult, Verdict
from tests.conftest import Running

GATHER = "learned-absolute-position-embedding"
SOFTMAX = "softmax-rows"
COURSE = "positions"
QUIZ = "test-your-understanding"
BROWSER = {"Sec-Fetch-Site": "same-origin"}


_OPEN: list[httpx.Client] = []


def close_clients() -> None:
    """Of the accounts that a test has opened."""
    while _OPEN:
        _OPEN.pop().close()


def account(server: Running, email: str, role: str = "student") -> httpx.Client:
    """Signed in, as a program and as a browser alike."""
    accounts.add_user(server.state.db, email, role, None)
    return again(server, email)


def again(server: Running, email: str) -> httpx.Client:
    """Another client of an account that is there."""
    _OPEN.append(server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, email)}", **BROWSER))
    return _OPEN[-1]


def id_of(server: Running, email: str) -> int:
    with server.state.db.reading() as db:
        return db.scalars(select(User.id).where(User.email == email)).one()


@dataclass(frozen=True)
class ClassAtHand:
    id: int
    join_code: str
    instructor: httpx.Client

    @property
    def url(self) -> str:
        return f"/api/v1/classes/{self.id}"

    def assign(self, slug: str = GATHER, kind: str = "exercise", **fields: Any) -> dict[str, Any]:
        done = self.instructor.put(f"{self.url}/assignments/{kind}/{slug}", json=fields)
        found: dict[str, Any] = done.raise_for_status().json()
        return found

    def join(self, client: httpx.Client) -> None:
        client.post("/api/v1/enrolments", json={"join_code": self.join_code}).raise_for_status()

    def gradebook(self) -> dict[str, Any]:
        found: dict[str, Any] = self.instructor.get(f"{self.url}/gradebook").raise_for_status().json()
        return found

    def cell(self, email: str, column: int = 0) -> dict[str, Any] | None:
        row = next(row for row in self.gradebook()["rows"] if row["email"] == email)
        found: dict[str, Any] | None = row["cells"][column]
        return found


def make_class(server: Running, instructor: httpx.Client, timezone: str = "UTC", title: str = "Spring") -> ClassAtHand:
    body = {"course": COURSE, "title": title, "timezone": timezone}
    made = instructor.post("/api/v1/classes", json=body).raise_for_status().json()
    return ClassAtHand(made["id"], made["join_code"], instructor)


def judged(
    server: Running,
    client: httpx.Client,
    score: float = 1.0,
    *,
    at: datetime | None = None,
    exercise: str = GATHER,
    source: str = "def f(): pass",
    mistake: str | None = None,
) -> int:
    """A submission that a test's worker gives this score. `at`: as if it had been sent then."""
    body = {"source": source, "framework": "numpy"}
    sent = client.post(f"/api/v1/exercises/{exercise}/submissions", json=body).raise_for_status().json()
    if at is not None:
        with server.state.db.writing() as db:
            db.execute(update(Submission).where(Submission.id == sent["id"]).values(created_at=at))
    job = server.state.jobs.claim(5)
    assert job is not None
    assert job.submission_id == sent["id"]
    verdict = Verdict.accepted if score == 1 else Verdict.wrong_answer
    case = CaseResult("first", True, verdict)
    result = SubmissionResult(verdict, score, "As the test says.", None, mistake, (case,))
    assert server.state.jobs.record(job, Finished(result, usage=Usage(1.5, 3.0)))
    return int(sent["id"])
