"""What waits and what runs, as the rows say: the same whichever queue hands it out, and whichever process is asked."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session, aliased

from app.db import now
from app.practice import gradings
from app.practice.gradings import Grading
from app.practice.submissions import Submission
from graders.verdict import State

LISTED = 20


@dataclass(frozen=True)
class Depth:
    """Of one kind: how many gradings wait and run, and since when the oldest has waited."""

    kind: str
    waiting: int
    running: int
    oldest_at: datetime | None

    @property
    def oldest_seconds(self) -> float:
        return max(0.0, (now() - self.oldest_at).total_seconds()) if self.oldest_at else 0.0


@dataclass(frozen=True)
class Run:
    """A grading that a worker holds. `attempt` counts from 1; above, a worker before this one did not finish it."""

    grading_id: int
    submission_id: int
    exercise: str
    framework: str
    kind: str
    attempt: int
    owner: str | None
    started_at: datetime | None


@dataclass(frozen=True)
class Held:
    """A grading that waits although a worker may be free, and why."""

    grading_id: int
    submission_id: int
    exercise: str
    kind: str
    queued_at: datetime
    why: str


@dataclass(frozen=True)
class Backlog:
    depths: list[Depth]
    runs: list[Run]
    held: list[Held]

    @property
    def waiting(self) -> int:
        return sum(depth.waiting for depth in self.depths)

    @property
    def running(self) -> int:
        return sum(depth.running for depth in self.depths)


def backlog_of(
    db: Session, is_built: Callable[[str, str], bool], nobody_for: Callable[[str, str], str] = lambda *_: ""
) -> Backlog:
    """`is_built`: asked with an exercise's slug and a kind whether it can be judged at once. `nobody_for`: with a
    framework and a slug, why nobody is there who can (queue/contract.py). Of what runs and of what is held, the
    oldest."""
    return Backlog(_depths(db), _runs(db), _held(db, is_built, nobody_for))


def _depths(db: Session) -> list[Depth]:
    queued = Grading.state == State.queued
    figures = (
        Submission.kind,
        func.count().filter(queued),
        func.count().filter(~queued),
        func.min(Grading.queued_at).filter(queued),
    )
    counted = gradings.unfinished(*figures).join_from(Grading, Submission, Submission.id == Grading.submission_id)
    return [Depth(*row) for row in db.execute(counted.group_by(Submission.kind).order_by(Submission.kind))]


def _runs(db: Session) -> list[Run]:
    columns = (
        Grading.id, Submission.id, Submission.exercise, Submission.framework, Submission.kind, Grading.attempt,
        Grading.owner, Grading.started_at,
    )  # fmt: skip
    running = gradings.unfinished(*columns).join_from(Grading, Submission, Submission.id == Grading.submission_id)
    running = running.where(Grading.state == State.running).order_by(Grading.id).limit(LISTED)
    return [Run(*row) for row in db.execute(running)]


def _held(db: Session, is_built: Callable[[str, str], bool], nobody_for: Callable[[str, str], str]) -> list[Held]:
    """Among the oldest that wait: those that were given back, those whose author's other one runs (no verdict overtakes
    the one before it), those whose exercise is being built, and those that no worker can judge."""
    other, others = aliased(Grading), aliased(Submission)
    is_behind = exists(
        select(other.id)
        .join(others, others.id == other.submission_id)
        .where(
            gradings.is_unfinished(other), other.state == State.running, others.user_id == Submission.user_id,
            other.id < Grading.id,
        )
    )  # fmt: skip
    columns = (
        Grading.id, Submission.id, Submission.exercise, Submission.framework, Submission.kind, Grading.queued_at,
        Grading.attempt, is_behind,
    )  # fmt: skip
    waiting = gradings.unfinished(*columns).join_from(Grading, Submission, Submission.id == Grading.submission_id)
    rows = db.execute(waiting.where(Grading.state == State.queued).order_by(Grading.id).limit(10 * LISTED)).all()
    found = []
    for grading, submission, exercise, framework, kind, queued_at, attempt, behind in rows:
        if why := nobody_for(framework, exercise) or _why(attempt, behind, is_built(exercise, kind)):
            found.append(Held(grading, submission, exercise, kind, queued_at, why))
    return found[:LISTED]


def _why(attempt: int, is_behind: bool, is_built: bool) -> str:
    if not is_built:
        return "its exercise is being built"
    if is_behind:
        return "a worker is judging an earlier submission of the same person"
    return f"tried {attempt} of {gradings.MAX_ATTEMPTS} times without a verdict" if attempt else ""
