"""Wrong outcomes: a row for each submission that was judged wrong, in one narrow table, so that an exercise's authors
see which are frequent without a walk over all that was ever sent."""

from sqlalchemy import ForeignKey, Index, String, bindparam, delete, text
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Statement
from graders.grade import Finished
from graders.verdict import Verdict

# What a known mistake may end in. (What is no submission at all, such as a file that Python cannot read, is none.)
WRONG = frozenset(
    {Verdict.wrong_answer, Verdict.runtime_error, Verdict.time_limit, Verdict.memory_limit, Verdict.output_limit}
)


class WrongOutcome(Base):
    """`fingerprint`: graders/reasons/fingerprint.py; None in rows from before it was taken. `mistake`: the known one
    that it was recognised as.

    attack: learn from two of one's own that are equal what a hidden case is like. defence: neither a page nor the API
    nor an export of a student's shows this table.
    """

    __tablename__ = "wrong_outcome"
    __table_args__ = (Index("ix_wrong_outcome_exercise_submission_id", "exercise", "submission_id"),)

    submission_id: Mapped[int] = mapped_column(
        ForeignKey("submission.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    exercise: Mapped[str] = mapped_column(String(120))
    fingerprint: Mapped[str | None] = mapped_column(String(32))
    mistake: Mapped[str | None] = mapped_column(String(200))


_KEEP = Statement(
    text("""
    INSERT INTO wrong_outcome (submission_id, exercise, fingerprint, mistake)
    SELECT id, exercise, :fingerprint, :mistake FROM submission WHERE id = :submission_id
    ON CONFLICT (submission_id) DO UPDATE SET fingerprint = excluded.fingerprint, mistake = excluded.mistake
""").bindparams(bindparam("submission_id"), bindparam("fingerprint"), bindparam("mistake"))
)
_FORGET = Statement(delete(WrongOutcome).where(WrongOutcome.submission_id == bindparam("sent")))


def keep_outcome(db: Session | Connection, submission_id: int, verdict: Finished) -> None:
    """Of a submission for credit. Judged again, its newest outcome counts."""
    result = verdict.result
    if result.verdict in WRONG:
        found = {"fingerprint": verdict.fingerprint, "mistake": result.mistake}
        _KEEP.run(db, {"submission_id": submission_id, **found})
    elif result.verdict == Verdict.accepted:
        _FORGET.run(db, {"sent": submission_id})
