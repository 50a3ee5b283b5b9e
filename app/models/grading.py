"""One judging of a submission. Its row is the truth: the queue, the event stream and every page are read from it.

A worker owns a grading by its attempt number. Whoever comes back with another number comes late: another worker has
taken over, and what they bring is ignored.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import (
    JSON,
    CheckConstraint,
    ForeignKey,
    Index,
    Select,
    String,
    Table,
    Text,
    bindparam,
    select,
    text,
    update,
)
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from graders.grade import Usage
from graders.trace import Trace
from graders.verdict import UNGRADED, CaseResult, Result, State, Verdict

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
    trace: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))  # graders/trace.py
    stages: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))  # milliseconds, for instructors
    wall_ms: Mapped[float | None]  # graders/grade.py: Usage
    peak_mb: Mapped[float | None]
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
    result: Result,
    trace: Trace | None = None,
    usage: Usage | None = None,
) -> bool:
    """The verdict. False: fenced off."""
    return _changed(db, grading_id, attempt, **_final(result, trace, usage))


def finished(
    submission_id: int,
    grading_id: int,
    attempt: int,
    result: Result,
    trace: Trace | None = None,
    usage: Usage | None = None,
) -> Grading:
    """The row that `finish` has just written, for those who wait for it: it need not be read back."""
    return Grading(id=grading_id, submission_id=submission_id, attempt=attempt, **_final(result, trace, usage))


def _final(result: Result, trace: Trace | None, usage: Usage | None) -> dict[str, Any]:
    told = {"trace": trace.row()} if trace else {}
    used = {"wall_ms": usage.wall_ms, "peak_mb": usage.peak_mb} if usage else {}
    return {"state": State.finished, "finished_at": now(), **outcome(result), **told, **used}


def store_stages(db: Session | Connection, stages: Mapping[int, Mapping[str, Any]]) -> None:
    """Where the time went, by grading. Written after the verdicts: nobody waits for it."""
    rows = [{"id_": grading_id, "stages": dict(one)} for grading_id, one in stages.items()]
    db.execute(update(TABLE).where(TABLE.c.id == bindparam("id_")), rows)


def put_back(db: Session | Connection, grading_id: int, attempt: int) -> State | None:
    """Our failure: it waits again, or after three attempts it ends, uncharged. None: fenced off."""
    if attempt < MAX_ATTEMPTS:
        return State.queued if _changed(db, grading_id, attempt, state=State.queued, cases=[]) else None
    return State.finished if finish(db, grading_id, attempt, ungraded()) else None


def recover(db: Session) -> None:
    """At start nobody is running anything: what a crash cut short waits again, or had its three attempts."""
    for grading_id, attempt in db.execute(
        unfinished(Grading.id, Grading.attempt).where(Grading.state == State.running)
    ).all():
        put_back(db, grading_id, attempt)


def ungraded() -> Result:
    """How a grading ends when the failure is ours."""
    return Result(Verdict.internal_error, 0.0, UNGRADED, None, None, ())


def outcome(result: Result) -> dict[str, Any]:
    """A result as the columns of its row."""
    return {
        "verdict": result.verdict,
        "score": result.score,
        "summary": _storable(result.summary),
        "diagnosis": _storable(result.diagnosis),
        "mistake": result.mistake,
        "cases": [case.row() for case in result.cases],
    }


def unfinished(*columns: Any) -> Select[Any]:
    """Selects from what waits or runs, in the words of the partial index."""
    return select(*columns).where(text("grading.state <> 'finished'"))


def _changed(db: Session | Connection, grading_id: int, attempt: int, **values: Any) -> bool:
    owned = update(TABLE).where(TABLE.c.id == grading_id, TABLE.c.attempt == attempt, TABLE.c.state == State.running)
    return bool(db.execute(owned.values(**values)).rowcount)  # type: ignore[attr-defined]


def _storable(said: str | None) -> str | None:
    # PostgreSQL refuses a NUL in a text, and neither database takes half a surrogate pair.
    return said.replace("\0", "\ufffd").encode("utf-8", "replace").decode() if said is not None else None
