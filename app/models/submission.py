"""Submissions: what a student sent, word for word, and everything one may ask about it."""

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import (
    JSON,
    CheckConstraint,
    ColumnElement,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    UniqueConstraint,
    func,
    select,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.errors import Conflict, Invalid, NotFound
from app.models.course import Snapshot
from app.models.grading import Grading, outcome, unfinished
from app.models.user import User
from graders.cases import input_faults, read_inputs
from graders.exercise import FRAMEWORKS, Exercise, framework_mark
from graders.trace import Trace
from graders.verdict import CaseResult, Result, State, Verdict

Kind = Literal["submit", "run", "trace"]
ID_MAX = 2**31 - 1


class InvalidInput(Invalid):
    """An input of one's own that cannot be read: `faults` says what is wrong, by argument."""

    def __init__(self, message: str, hint: str, faults: Mapping[str, str]) -> None:
        super().__init__(message, hint)
        self.faults = faults


class Submission(Base):
    """Never changed once written."""

    __tablename__ = "submission"
    __table_args__ = (
        CheckConstraint("kind IN ('submit', 'run', 'trace')", "kind"),
        CheckConstraint(f"framework IN ({', '.join(map(repr, FRAMEWORKS))})", "framework"),
        CheckConstraint("(idempotency_key IS NULL) = (body_hash IS NULL)", "key_has_body_hash"),
        UniqueConstraint("user_id", "idempotency_key", name="uq_submission_user_id_idempotency_key"),
        Index("ix_submission_user_id_id", "user_id", "id"),
        Index("ix_submission_user_id_exercise", "user_id", "exercise", "id"),
        Index("ix_submission_user_id_created_at", "user_id", "created_at"),
        {"sqlite_autoincrement": True},  # an id once given is never given again
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    snapshot_id: Mapped[int] = mapped_column(ForeignKey("snapshot.id"))
    exercise: Mapped[str] = mapped_column(String(120))
    framework: Mapped[str] = mapped_column(String(16))
    kind: Mapped[str] = mapped_column(String(8))
    source: Mapped[bytes] = mapped_column(LargeBinary)
    inputs: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    case_name: Mapped[str | None] = mapped_column(String(200))  # of a trace: which sample case; None: the first
    idempotency_key: Mapped[str | None] = mapped_column(String(200))
    body_hash: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)


@dataclass(frozen=True)
class Order:
    """What someone asks to have judged, checked against the exercise."""

    exercise: str
    source: bytes
    framework: str
    kind: Kind
    inputs: Mapping[str, Any] | None
    case_name: str | None = None  # of a trace

    @property
    def body_hash(self) -> str:
        said = [self.exercise, self.source.hex(), self.framework, self.kind, self.inputs and dict(self.inputs)]
        if self.case_name is not None:
            said.append(self.case_name)
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Shown:
    """A submission with its newest grading, as a page and the API show it."""

    submission: Submission
    grading: Grading
    exercise_hash: str
    queue_position: int | None = None

    @property
    def id(self) -> int:
        return self.submission.id

    @property
    def source(self) -> str:
        return self.submission.source.decode("utf-8", "replace")

    @property
    def is_finished(self) -> bool:
        return self.grading.state == State.finished

    @property
    def verdict(self) -> Verdict | None:
        return Verdict(self.grading.verdict) if self.grading.verdict else None

    @property
    def cases(self) -> tuple[CaseResult, ...]:
        return tuple(CaseResult.from_row(row) for row in self.grading.cases)

    @property
    def trace(self) -> Trace | None:
        return Trace.from_row(self.grading.trace) if self.grading.trace else None

    def public(self) -> dict[str, Any]:
        """The submission, everywhere the same; a trace has its own key too, null until it is there."""
        grading, submission = self.grading, self.submission
        traced = {"trace": self.trace and self.trace.public()} if submission.kind == "trace" else {}
        return {
            "id": submission.id,
            "exercise": submission.exercise,
            "exercise_hash": self.exercise_hash,
            "framework": submission.framework,
            "kind": submission.kind,
            "state": grading.state,
            "verdict": grading.verdict,
            "score": grading.score,
            "summary": grading.summary,
            "diagnosis": grading.diagnosis,
            "mistake": grading.mistake,
            "queue_position": self.queue_position if grading.state == State.queued else None,
            "created_at": submission.created_at.isoformat().replace("+00:00", "Z"),
            "cases": [case.public() for case in self.cases],
            **traced,
        }


@dataclass(frozen=True)
class Waiting:
    """A grading in the queue, and whose it is."""

    grading_id: int
    submission_id: int
    user_id: int
    submission: Submission | None = None  # at hand when it was just sent; after a restart it is read again
    since: float = field(default_factory=time.monotonic)


@dataclass(frozen=True)
class Listed:
    """A line in a list of submissions."""

    id: int
    exercise: str
    framework: str
    kind: str
    created_at: datetime
    state: str
    verdict: str | None
    score: float | None
    started_at: datetime | None
    finished_at: datetime | None

    @property
    def judged_ms(self) -> float | None:
        """From when a worker took it until its verdict; None for what needed no judge, or has none yet."""
        if self.started_at is None or self.finished_at is None:
            return None
        return (self.finished_at - self.started_at).total_seconds() * 1000


def read_order(
    exercise: Exercise,
    source: str,
    framework: str | None = None,
    kind: Kind = "submit",
    inputs: Mapping[str, Any] | None = None,
    case_name: str | None = None,
) -> Order:
    """Raises Invalid. `inputs` names a value for each argument, as literal text or as JSON."""
    mark = framework_mark(source)
    framework = framework or (mark if mark in exercise.frameworks else exercise.frameworks[0])
    if framework not in exercise.frameworks:
        raise Invalid(
            f"framework: this exercise is not offered in {framework}.", f"Use one of {', '.join(exercise.frameworks)}."
        )
    if inputs is not None:
        if kind == "submit":
            raise Invalid("input: only a run takes an input of your own, or a trace.", 'Send "kind": "run" with it.')
        try:
            read_inputs(exercise, inputs)
            _require_json(inputs)
        except (ValueError, RecursionError, MemoryError) as error:
            signature = exercise.signature.text(exercise.entry)
            raise InvalidInput(
                f"input: {error}", f"The signature is {signature}.", input_faults(exercise, inputs)
            ) from None
    if case_name is not None and (kind != "trace" or inputs is not None):
        raise Invalid(
            "case: only a trace takes a case, and no input beside it.", 'Send "kind": "trace" and one of the two.'
        )
    if case_name is not None and not case_name.isprintable():  # nor could a database keep it
        raise Invalid("case: there is no sample case of this name.", "Write it as the exercise shows it.")
    # JSON can say half a surrogate pair: it is kept as said, and the judge finds that it is no UTF-8.
    return Order(exercise.slug, source.encode("utf-8", "surrogatepass"), framework, kind, inputs, case_name)


def earlier(db: Session, user: User, key: str | None, order: Order) -> int | None:
    """The submission that this idempotency key already made. Raises Conflict when it was for something else."""
    if key is None:
        return None
    held = select(Submission.id, Submission.body_hash).where(
        Submission.user_id == user.id, Submission.idempotency_key == key
    )
    row = db.execute(held).one_or_none()
    if row is None:
        return None
    if row.body_hash != order.body_hash:
        raise Conflict("This Idempotency-Key was used for another request.", "Use a new key for a new submission.")
    return int(row.id)


def submit(
    db: Session, user: User, order: Order, snapshot_id: int, key: str | None, result: Result | None = None
) -> tuple[Submission, Grading]:
    """A submission and its grading, waiting; or finished at once when the `result` needs no judge."""
    submission = Submission(
        user_id=user.id,
        snapshot_id=snapshot_id,
        exercise=order.exercise,
        framework=order.framework,
        kind=order.kind,
        source=order.source,
        inputs=dict(order.inputs) if order.inputs is not None else None,
        case_name=order.case_name,
        idempotency_key=key,
        body_hash=order.body_hash if key is not None else None,
    )
    db.add(submission)
    db.flush()
    grading = Grading(submission_id=submission.id, state=State.queued)
    if result is not None:
        grading = Grading(submission_id=submission.id, state=State.finished, finished_at=now(), **outcome(result))
    db.add(grading)
    db.flush()
    return submission, grading


def load_submission(db: Session, id: int | str, viewer: User | None) -> Shown:
    """The one door to a submission: its author and staff pass. Raises NotFound, for what is not yours too."""
    missing = NotFound(
        "There is no such submission, or it is not yours.",
        "Sign in as the person who sent it." if viewer is None or viewer.is_guest else None,
    )
    number = _number(id)
    if number is None or viewer is None:
        raise missing
    seen = (
        select(Submission, Grading, Snapshot.content_hash)
        .join(Grading, _latest_grading())
        .join(Snapshot, Snapshot.id == Submission.snapshot_id)
        .where(Submission.id == number)
    )
    row = db.execute(seen).one_or_none()
    if row is None or not (row[0].user_id == viewer.id or viewer.is_staff):
        raise missing
    return Shown(*row)


def submissions_of(
    db: Session, user: User | None, *, exercise: str | None = None, before: int | None = None, limit: int = 50
) -> list[Listed]:
    """Newest first; `before` is the id that the page before ended with."""
    if user is None:
        return []
    lines = (
        select(
            Submission.id,
            Submission.exercise,
            Submission.framework,
            Submission.kind,
            Submission.created_at,
            Grading.state,
            Grading.verdict,
            Grading.score,
            Grading.started_at,
            Grading.finished_at,
        )
        .join(Grading, _latest_grading())
        .where(Submission.user_id == user.id)
    )
    if exercise is not None:
        lines = lines.where(Submission.exercise == exercise)
    if before is not None:
        lines = lines.where(Submission.id < before)
    found: Sequence[Any] = db.execute(lines.order_by(Submission.id.desc()).limit(limit)).all()
    return [Listed(*row) for row in found]


def neighbours(db: Session, of: Submission) -> tuple[int | None, int | None]:
    """The ids of what the same person sent for the same exercise just before and just after."""
    same = (Submission.user_id == of.user_id, Submission.exercise == of.exercise)
    return (
        db.scalar(select(func.max(Submission.id)).where(*same, Submission.id < of.id)),
        db.scalar(select(func.min(Submission.id)).where(*same, Submission.id > of.id)),
    )


def waiting(db: Session) -> list[Waiting]:
    """Everything that waits to be judged, oldest first."""
    rows = unfinished(Grading.id, Grading.submission_id, Submission.user_id).where(Grading.state == State.queued)
    rows = rows.join(Submission, Submission.id == Grading.submission_id).order_by(Grading.id)
    return [Waiting(*row) for row in db.execute(rows)]


def _latest_grading() -> ColumnElement[bool]:
    """Joins a submission with the newest of its gradings."""
    newest = select(func.max(Grading.id)).where(Grading.submission_id == Submission.id).correlate(Submission)
    return Grading.id == newest.scalar_subquery()


def _require_json(inputs: Mapping[str, Any]) -> None:
    """Python reads NaN and Infinity in JSON, which has neither, as PostgreSQL says aloud. Raises ValueError."""
    try:
        json.dumps(inputs, allow_nan=False)
    except ValueError:
        raise ValueError("JSON has no NaN and no Infinity. As literal text, 1e999 is infinite.") from None


def _number(id: int | str) -> int | None:
    """An id as the database may be asked for it: PostgreSQL raises past the 32 bits of the column."""
    said = str(id)
    if not (said.isascii() and said.isdecimal() and len(said) <= 10):
        return None
    return number if (number := int(said)) <= ID_MAX else None
