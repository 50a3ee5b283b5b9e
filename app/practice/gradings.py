"""One judging of a submission. Its row is the truth: the queue, the event stream and every page are read from it.

A worker owns a grading by its attempt number. Whoever comes back with another number comes late: another worker has
taken over, and what they bring is ignored.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    Select,
    String,
    Table,
    Text,
    Update,
    bindparam,
    column,
    select,
    table,
    text,
    update,
)
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.people.quota import stored_bytes
from app.people.users import User
from graders.grade import Usage
from graders.reasons.trace import Trace
from graders.text import storable
from graders.verdict import UNGRADED, CaseResult, State, SubmissionResult, Verdict

MAX_ATTEMPTS = 3


def _one_of(column: str, words: Sequence[str]) -> str:
    return f"{column} IN ({', '.join(repr(str(word)) for word in words)})"


class Grading(Base):
    __tablename__ = "grading"
    __table_args__ = (
        CheckConstraint(_one_of("state", list(State)), "state"),
        CheckConstraint(_one_of("verdict", list(Verdict)), "verdict"),
        CheckConstraint("(state = 'finished') = (verdict IS NOT NULL)", "finished_has_verdict"),
        CheckConstraint("score >= 0 AND score <= 1", "score"),
        CheckConstraint("attempt >= 0", "attempt"),
        Index("ix_grading_submission_id", "submission_id"),
        # Only what waits or runs: the queue is read back at start without a walk over a million finished rows.
        Index(
            "ix_grading_unfinished",
            "id",
            sqlite_where=text("state <> 'finished'"),
            postgresql_where=text("state <> 'finished'"),
        ),
        {"sqlite_autoincrement": True},  # an id once given is never given again
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submission.id", ondelete="CASCADE"))
    attempt: Mapped[int] = mapped_column(default=0)
    state: Mapped[str] = mapped_column(String(16), default=State.queued)
    verdict: Mapped[str | None] = mapped_column(String(32))
    score: Mapped[float | None]
    summary: Mapped[str | None] = mapped_column(Text)
    diagnosis: Mapped[str | None] = mapped_column(Text)
    mistake: Mapped[str | None] = mapped_column(String(200))
    cases: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    trace: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))  # graders/reasons/trace.py
    stages: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))  # milliseconds, for instructors
    wall_ms: Mapped[float | None]  # graders/grade.py: Usage
    peak_mb: Mapped[float | None]
    seed: Mapped[int | None] = mapped_column(BigInteger)  # of its fresh cases: graders/exercise/fresh.py
    # Where it was sent from (app/web/limits.py), for turns by neighbourhood, after a restart too. An address is
    # somebody's: it is there until the verdict and no longer.
    neighbourhood: Mapped[str | None] = mapped_column(String(64))
    queued_at: Mapped[datetime] = mapped_column(Moment, default=now)
    started_at: Mapped[datetime | None] = mapped_column(Moment)
    finished_at: Mapped[datetime | None] = mapped_column(Moment)


# Written as a table, not as objects: half a millisecond less on the way of each submission
TABLE = cast(Table, Grading.__table__)


def take(db: Session | Connection, grading_id: int) -> int | None:
    """Mark it running and count the attempt; returns the attempt, or None when it does not wait any more.

    Committed before anyone runs it: a submission that kills its worker has been counted each time.
    """
    taken = update(TABLE).where(TABLE.c.id == grading_id, TABLE.c.state == State.queued)
    attempt: int | None = db.scalar(
        taken.values(state=State.running, attempt=TABLE.c.attempt + 1, started_at=now(), cases=[]).returning(
            TABLE.c.attempt
        )
    )
    return attempt


def store_cases(db: Session | Connection, grading_id: int, attempt: int, cases: Sequence[CaseResult]) -> bool:
    """What is known so far. False: fenced off."""
    return _changed(db, grading_id, attempt, cases=[case.row() for case in cases])


def finish(
    db: Session | Connection,
    grading_id: int,
    attempt: int,
    result: SubmissionResult,
    trace: Trace | None = None,
    usage: Usage | None = None,
    seed: int | None = None,
) -> bool:
    """The verdict, whose bytes its author is charged with. False: fenced off."""
    _charge(db, grading_id, attempt, kept_bytes(result, trace))
    return _changed(db, grading_id, attempt, seed=seed, **_final(result, trace, usage))


def kept_bytes(result: SubmissionResult, trace: Trace | None) -> int:
    """What a finished grading's row holds that grows with what a submission prints and does."""
    return stored_bytes([case.row() for case in result.cases]) + (stored_bytes(trace.row()) if trace else 0)


def _charge(db: Session | Connection, grading_id: int, attempt: int, more_bytes: int) -> None:
    """Before the verdict is written, not after: who deletes a person holds their row, and then their gradings'. In one
    statement, for signing up may give the submission to another."""
    sent = table("submission", column("id"), column("user_id"))
    author = select(sent.c.user_id).join(TABLE, TABLE.c.submission_id == sent.c.id)
    running = (TABLE.c.id == grading_id, TABLE.c.attempt == attempt, TABLE.c.state == State.running)
    counted = update(User).where(User.id == author.where(*running).scalar_subquery())
    counted = counted.values(stored_bytes=User.stored_bytes + more_bytes)
    db.execute(counted.execution_options(synchronize_session=False))


def _final(result: SubmissionResult, trace: Trace | None, usage: Usage | None) -> dict[str, Any]:
    told = {"trace": trace.row()} if trace else {}
    used = {"wall_ms": usage.wall_ms, "peak_mb": usage.peak_mb} if usage else {}
    return {"state": State.finished, "finished_at": now(), "neighbourhood": None, **outcome(result), **told, **used}


def store_stages(db: Session | Connection, stages: Mapping[int, Mapping[str, Any]]) -> None:
    """Where the time went, by grading. Written after the verdicts: nobody waits for it."""
    rows = [{"id_": grading_id, "stages": dict(one)} for grading_id, one in stages.items()]
    db.execute(update(TABLE).where(TABLE.c.id == bindparam("id_")), rows)


def put_back(db: Session | Connection, grading_id: int, attempt: int) -> State | None:
    """Our failure: it waits again, or after three attempts it ends, uncharged. None: fenced off."""
    if attempt < MAX_ATTEMPTS:
        return State.queued if _changed(db, grading_id, attempt, state=State.queued, cases=[]) else None
    return State.finished if finish(db, grading_id, attempt, ungraded()) else None


def wait_again(db: Session | Connection, grading_id: int, attempt: int) -> bool:
    """It made room for others: it waits as if it had never begun, and no attempt is counted. False: fenced off."""
    owned = _owned(grading_id, attempt).values(state=State.queued, cases=[], attempt=attempt - 1, started_at=None)
    return bool(db.execute(owned).rowcount)  # type: ignore[attr-defined]


def recover(db: Session) -> None:
    """At start nobody is running anything: what a crash cut short waits again, or had its three attempts."""
    for grading_id, attempt in db.execute(
        unfinished(Grading.id, Grading.attempt).where(Grading.state == State.running)
    ).all():
        put_back(db, grading_id, attempt)


def ungraded() -> SubmissionResult:
    """How a grading ends when the failure is ours."""
    return SubmissionResult(Verdict.internal_error, 0.0, UNGRADED, None, None, ())


def outcome(result: SubmissionResult) -> dict[str, Any]:
    """A result as the columns of its row."""
    return {
        "verdict": result.verdict,
        "score": result.score,
        "summary": storable(result.summary),
        "diagnosis": result.diagnosis and storable(result.diagnosis),
        "mistake": result.mistake,
        "cases": [case.row() for case in result.cases],
    }


def unfinished(*columns: Any) -> Select[Any]:
    """Selects from what waits or runs, in the words of the partial index."""
    return select(*columns).where(text("grading.state <> 'finished'"))


def _changed(db: Session | Connection, grading_id: int, attempt: int, **values: Any) -> bool:
    return bool(db.execute(_owned(grading_id, attempt).values(**values)).rowcount)  # type: ignore[attr-defined]


def _owned(grading_id: int, attempt: int) -> Update:
    return update(TABLE).where(TABLE.c.id == grading_id, TABLE.c.attempt == attempt, TABLE.c.state == State.running)
