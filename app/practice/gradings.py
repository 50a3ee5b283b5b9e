"""One judging of a submission. Its row is the truth: the queue, the event stream and every page are read from it.

A worker owns a grading by its attempt number and by the process it belongs to. One that comes back with others comes
late: another worker has taken over, and what it brings is ignored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    ColumnElement,
    Float,
    ForeignKey,
    Index,
    Select,
    String,
    Table,
    Text,
    and_,
    bindparam,
    column,
    func,
    literal_column,
    or_,
    select,
    table,
    text,
    update,
)
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, FromNow, Moment, Statement, as_read, now
from app.people.quota import stored_bytes
from app.people.users import User
from app.practice.sheets import CaseSheet, kept_cases, store_sheet, whole_rows
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
        # What a deletion asks of each grading that goes: few were replaced.
        Index(
            "ix_grading_replaced_by_id",
            "replaced_by_id",
            sqlite_where=text("replaced_by_id IS NOT NULL"),
            postgresql_where=text("replaced_by_id IS NOT NULL"),
        ),
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
    cases: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)  # app/practice/sheets.py
    sheet_id: Mapped[int | None] = mapped_column(ForeignKey("case_sheet.id"))  # once it is finished
    # Judged again (app/practice/replacements.py): by which state of the exercise, where it is not the submission's; and
    # which grading counts in this one's place.
    snapshot_id: Mapped[int | None] = mapped_column(ForeignKey("snapshot.id"))
    replaced_by_id: Mapped[int | None] = mapped_column(ForeignKey("grading.id"))
    note: Mapped[str | None] = mapped_column(String(500))  # why it was judged again, for its author
    trace: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))  # graders/reasons/trace.py
    stages: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))  # milliseconds, for instructors
    wall_ms: Mapped[float | None]  # graders/grade.py: Usage
    peak_mb: Mapped[float | None]
    seed: Mapped[int | None] = mapped_column(BigInteger)  # of its fresh cases: graders/exercise/fresh.py
    # Where it was sent from (app/web/limits.py), for turns by neighbourhood, after a restart too. An address is
    # somebody's: it is there until the verdict and no longer.
    neighbourhood: Mapped[str | None] = mapped_column(String(64))
    # While it runs: the process that holds it, and until when it does unless it says so again (app/queue/leases.py).
    owner: Mapped[str | None] = mapped_column(String(32))
    round: Mapped[str | None] = mapped_column(String(8))  # over a broker: which hand-out of this attempt it is
    leased_until: Mapped[datetime | None] = mapped_column(Moment)  # by the database's clock
    queued_at: Mapped[datetime] = mapped_column(Moment, default=now)
    started_at: Mapped[datetime | None] = mapped_column(Moment)
    finished_at: Mapped[datetime | None] = mapped_column(Moment)


# Written as a table, not as objects: half a millisecond less on the way of each submission
TABLE = cast(Table, Grading.__table__)
_SENT = table("submission", column("id"), column("user_id"))
NOBODYS = {"owner": None, "leased_until": None, "round": None}
# What a verdict writes; what it empties is beside it, in `finish` below
FINAL = (
    "finished_at", "verdict", "score", "summary", "diagnosis", "mistake", "cases", "trace",
    "wall_ms", "peak_mb", "seed",
)  # fmt: skip


class FencedRows:
    """The statements that write what is known of a grading, or end it, under a `condition`. Made once: to make them
    each time costs more than to execute them."""

    def __init__(self, condition: ColumnElement[bool]) -> None:
        self.condition = condition
        new = {name: bindparam(f"new_{name}", type_=TABLE.c[name].type) for name in FINAL}
        sheet = select(CaseSheet.id).where(CaseSheet.digest == bindparam("digest")).scalar_subquery()
        ended = {"state": State.finished, "neighbourhood": None, **NOBODYS, "sheet_id": sheet}
        finish = update(TABLE).where(condition).values(**new, **ended)
        self.finish = Statement(finish.returning(TABLE.c.id, TABLE.c.sheet_id))
        self.cases = Statement(
            update(TABLE).where(condition).values(cases=bindparam("new_cases", type_=TABLE.c.cases.type))
        )
        # In one statement, for signing up may give the submission to another
        author = select(_SENT.c.user_id).join(TABLE, TABLE.c.submission_id == _SENT.c.id).where(condition)
        charge = update(User).where(User.id == author.scalar_subquery())
        charge = charge.values(stored_bytes=User.stored_bytes + bindparam("more_bytes"))
        self.charge = Statement(charge.execution_options(synchronize_session=False))


@dataclass(frozen=True)
class Fence:
    """The condition by which a row is still one's own, and what it is asked with."""

    rows: FencedRows
    values: Mapping[str, Any]


_SAME = and_(TABLE.c.id == bindparam("held_id"), TABLE.c.attempt == bindparam("held_attempt"))
_HELD = FencedRows(and_(_SAME, TABLE.c.owner == bindparam("held_owner"), TABLE.c.state == State.running))
_HELD_IN_ROUND = FencedRows(and_(_HELD.condition, TABLE.c.round == bindparam("held_round")))


@dataclass(frozen=True)
class Recovered:
    """A grading whose owner is gone, and what became of it: it waits again, or is finished."""

    grading_id: int
    submission_id: int
    state: State


def take(
    db: Session | Connection, grading_id: int, owner: str, lease_seconds: float, round: str | None = None
) -> int | None:
    """Mark it running and count the attempt; returns the attempt, or None when it does not wait any more.

    Committed before anyone runs it: a submission that kills its worker has been counted each time.
    """
    rows = _TAKE.run(db, claim(grading_id, owner, lease_seconds, round)).rows
    return int(rows[0][0]) if rows else None


def claim(grading_id: int, owner: str, lease_seconds: float, round: str | None) -> dict[str, Any]:
    """The values of TAKE."""
    return {
        "waiting": grading_id, "claimant": owner, "lease_seconds": lease_seconds, "begins": now(),
        "claimed_round": round,
    }  # fmt: skip


# What `take` does. A public statement, so that the queue over a broker can make one of it and what it reads besides.
TAKE = (
    update(TABLE)
    .where(TABLE.c.id == bindparam("waiting"), TABLE.c.state == State.queued)
    .values(
        state=State.running,
        attempt=TABLE.c.attempt + 1,
        owner=bindparam("claimant"),
        round=bindparam("claimed_round"),
        leased_until=FromNow(bindparam("lease_seconds", type_=Float)),
        started_at=bindparam("begins", type_=Moment()),
        cases=[],
    )
    .returning(TABLE.c.attempt)
)
_TAKE = Statement(TAKE)


def held(grading_id: int, attempt: int, owner: str, round: str | None = None) -> Fence:
    """The fence of a claim: true of its row until somebody else has taken over, or it is over.

    attack: a process makes room at attempt 1, and the answer to its commit is lost on the way. When it tries again,
    another process has claimed the row, as attempt 1 too. defence: the fence names the owner as well.

    attack: what made room is attempt 1 again, and is handed to the same worker again; what that said the first time
    comes late. defence: over a broker the fence names the round as well, another each time that it is handed out.
    """
    values = {"held_id": grading_id, "held_attempt": attempt, "held_owner": owner}
    return Fence(_HELD, values) if round is None else Fence(_HELD_IN_ROUND, {**values, "held_round": round})


def store_cases(db: Session | Connection, fence: Fence, cases: Sequence[CaseResult]) -> bool:
    """What is known so far. False: fenced off."""
    return bool(fence.rows.cases.run(db, {**fence.values, "new_cases": whole_rows(cases)}).count)


def finish(
    db: Session | Connection,
    fence: Fence,
    result: SubmissionResult,
    trace: Trace | None = None,
    usage: Usage | None = None,
    seed: int | None = None,
    *,
    has_own_input: bool = False,
) -> bool:
    """The verdict, whose bytes its author is charged with. False: fenced off."""
    kept = kept_cases(result.cases, has_own_input=has_own_input)
    digest = kept.digest
    # Charged before the verdict is written, not after: who deletes a person holds their row, and then their gradings'.
    fence.rows.charge.run(db, {**fence.values, "more_bytes": _bytes_of(kept.rows, trace)})
    final = {**_final(result, kept.rows, trace, usage), "seed": seed}
    new = {f"new_{name}": final.get(name) for name in FINAL}
    rows = fence.rows.finish.run(db, {**fence.values, **new, "digest": digest}).rows
    for id, sheet_id in rows:
        if digest is not None and sheet_id is None:  # the first of its kind
            store_sheet(db, kept)
            sheet = select(CaseSheet.id).where(CaseSheet.digest == digest).scalar_subquery()
            db.execute(update(TABLE).where(TABLE.c.id == id).values(sheet_id=sheet))
    return bool(rows)


def as_finished(
    submission_id: int,
    grading_id: int,
    attempt: int,
    result: SubmissionResult,
    trace: Trace | None = None,
    usage: Usage | None = None,
) -> Grading:
    """The row that `finish` has just written, for those who wait for it: it need not be read back. It is without its
    cases, which `Shown.results` has."""
    final = _final(result, [], trace, usage)
    return as_read(Grading, {"id": grading_id, "submission_id": submission_id, "attempt": attempt, **final})


def kept_bytes(result: SubmissionResult, trace: Trace | None, *, has_own_input: bool = False) -> int:
    """What a finished grading's row holds that grows with what a submission prints and does."""
    return _bytes_of(kept_cases(result.cases, has_own_input=has_own_input).rows, trace)


def _bytes_of(rows: list[dict[str, Any]], trace: Trace | None) -> int:
    return stored_bytes(rows) + (stored_bytes(trace.row()) if trace else 0)


def _final(
    result: SubmissionResult, rows: list[dict[str, Any]], trace: Trace | None, usage: Usage | None
) -> dict[str, Any]:
    traced = {"trace": trace.row()} if trace else {}
    used = {"wall_ms": usage.wall_ms, "peak_mb": usage.peak_mb} if usage else {}
    ended = {"state": State.finished, "finished_at": now(), "neighbourhood": None}
    return {**ended, **NOBODYS, **outcome(result, rows), **traced, **used}


def store_stages(db: Session | Connection, stages_of: Mapping[int, Mapping[str, Any]]) -> None:
    """Where the time went, by grading. Written after the verdicts: nobody waits for it."""
    rows = [{"id_": grading_id, "stages": dict(stages)} for grading_id, stages in stages_of.items()]
    db.execute(update(TABLE).where(TABLE.c.id == bindparam("id_")), rows)


def put_back(db: Session | Connection, fence: Fence, attempt: int) -> State | None:
    """Our failure: it waits again, or after three attempts it ends, uncharged. None: fenced off."""
    if attempt < MAX_ATTEMPTS:
        return State.queued if _changed(db, fence, state=State.queued, cases=[], **NOBODYS) else None
    return State.finished if finish(db, fence, ungraded()) else None


def wait_again(db: Session | Connection, fence: Fence) -> bool:
    """It made room for others: it waits as if it had never begun, and no attempt is counted. False: fenced off."""
    uncounted = TABLE.c.attempt - 1
    return _changed(db, fence, state=State.queued, cases=[], attempt=uncounted, started_at=None, **NOBODYS)


def renew(
    db: Session | Connection, owner: str, grading_ids: Sequence[int], lease_seconds: float
) -> set[tuple[int, int]]:
    """Leases of what its owner still runs begin again. Returns those, each with its attempt; others took the rest."""
    mine = update(TABLE).where(TABLE.c.id.in_(grading_ids), TABLE.c.owner == owner, TABLE.c.state == State.running)
    renewed = mine.values(leased_until=FromNow(lease_seconds)).returning(TABLE.c.id, TABLE.c.attempt)
    return {(row.id, row.attempt) for row in db.execute(renewed)}


def release(db: Session | Connection, owner: str) -> None:
    """The owner ends: the next process that looks may put back what it ran."""
    mine = update(TABLE).where(text("grading.state <> 'finished'"), TABLE.c.owner == owner)
    db.execute(mine.values(leased_until=None))


def recover(db: Session | Connection, *, is_alone: bool = False) -> list[Recovered]:
    """What nobody runs any more waits again, or has had its three attempts: that whose lease is over. `is_alone`: no
    other process runs gradings here, so that no lease means anything."""
    running = TABLE.c.state == State.running
    lapsed = or_(TABLE.c.leased_until.is_(None), TABLE.c.leased_until < FromNow(0))
    abandoned = running if is_alone else and_(running, lapsed)
    same = FencedRows(and_(_SAME, abandoned))
    found = []
    for row in db.execute(unfinished(TABLE.c.id, TABLE.c.submission_id, TABLE.c.attempt).where(abandoned)).all():
        # asked again where it is changed: its owner may have renewed it, or another have put it back, since
        fence = Fence(same, {"held_id": row.id, "held_attempt": row.attempt})
        state = put_back(db, fence, row.attempt)
        if state is not None:
            found.append(Recovered(row.id, row.submission_id, state))
    return found


def judged_elsewhere(db: Session | Connection, owner: str) -> set[int]:
    """Whose gradings other owners run: by person."""
    people = unfinished(_SENT.c.user_id).join_from(TABLE, _SENT, TABLE.c.submission_id == _SENT.c.id)
    return set(db.scalars(people.where(TABLE.c.state == State.running, TABLE.c.owner != owner)))


def longest_wait_seconds(db: Session | Connection) -> float:
    """How long the oldest waiting grading has waited; 0 where none waits."""
    since = db.scalar(unfinished(func.min(TABLE.c.queued_at)).where(TABLE.c.state == State.queued))
    return max(0.0, (now() - since).total_seconds()) if since is not None else 0.0


def ungraded() -> SubmissionResult:
    """How a grading ends when the failure is ours."""
    return SubmissionResult(Verdict.internal_error, 0.0, UNGRADED, None, None, ())


def outcome(result: SubmissionResult, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A result as the columns of its row; `rows` are its cases."""
    return {
        "verdict": result.verdict,
        "score": result.score,
        "summary": storable(result.summary),
        "diagnosis": result.diagnosis and storable(result.diagnosis),
        "mistake": result.mistake,
        "cases": rows,
    }


def unfinished(*columns: Any) -> Select[Any]:
    """Selects from what waits or runs, in the words of the partial index."""
    return select(*columns).where(text("grading.state <> 'finished'"))


def is_unfinished(grading: Any) -> ColumnElement[bool]:
    """The same words of an alias of the table: what is asked by it finds the partial index too."""
    return cast(ColumnElement[bool], grading.state != literal_column("'finished'"))


def _changed(db: Session | Connection, fence: Fence, **values: Any) -> bool:
    changed = update(TABLE).where(fence.rows.condition).values(**values)
    return bool(db.execute(changed, fence.values).rowcount)  # type: ignore[attr-defined]
