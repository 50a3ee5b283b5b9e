"""Efforts: one row for each person and exercise that they sent something to for credit, so that a class's pages read a
row and not all that was ever sent. Written with each verdict; `recount` makes a row from the submissions again.

`changes` grows with each verdict: what was computed from an effort's submissions is valid as long as it is the same.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Double, ForeignKey, Index, String, bindparam, delete, func, select, text
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, Statement
from app.people.belongings import Belonging, register
from app.people.users import User
from app.practice.gradings import Grading
from app.practice.submissions import Submission
from graders.verdict import Verdict

# What is no attempt: nothing was judged, or the failure is ours.
NO_ATTEMPTS = frozenset({Verdict.internal_error, Verdict.invalid_submission})


class Effort(Base):
    """`attempts`: submissions that were judged; `wrong`: those of them that were not accepted. `until_solved`: how many
    it took, the accepted one among them; None as long as there is none."""

    __tablename__ = "effort"
    __table_args__ = (
        Index("ix_effort_exercise_user_id", "exercise", "user_id"),
        # All that a class's page of forty exercises asks for: no row is read, and a verdict that solves nothing writes
        # no more than before.
        Index("ix_effort_user_id_exercise_solved_at", "user_id", "exercise", "solved_at"),
    )

    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    exercise: Mapped[str] = mapped_column(String(120), primary_key=True)
    changes: Mapped[int] = mapped_column(default=0)
    attempts: Mapped[int] = mapped_column(default=0)
    wrong: Mapped[int] = mapped_column(default=0)
    best_score: Mapped[float] = mapped_column(Double, default=0.0)
    first_at: Mapped[datetime] = mapped_column(Moment)
    last_at: Mapped[datetime] = mapped_column(Moment)
    solved_at: Mapped[datetime | None] = mapped_column(Moment)
    until_solved: Mapped[int | None]


# Whose submission it is, is read where it is written: signing in may have given a guest's to an account meanwhile.
_KEEP = Statement(
    text("""
    INSERT INTO effort (user_id, exercise, changes, attempts, wrong, best_score, first_at, last_at, solved_at,
                        until_solved)
    SELECT user_id, exercise, 1, 1, :wrong, :score, created_at, created_at,
           CASE WHEN :wrong = 0 THEN created_at END, CASE WHEN :wrong = 0 THEN 1 END
    FROM submission WHERE id = :submission_id
    ON CONFLICT (user_id, exercise) DO UPDATE SET
        changes = effort.changes + 1,
        attempts = effort.attempts + 1,
        wrong = effort.wrong + excluded.wrong,
        best_score = CASE WHEN excluded.best_score > effort.best_score THEN excluded.best_score
                          ELSE effort.best_score END,
        first_at = CASE WHEN excluded.first_at < effort.first_at THEN excluded.first_at ELSE effort.first_at END,
        last_at = CASE WHEN excluded.last_at > effort.last_at THEN excluded.last_at ELSE effort.last_at END,
        solved_at = COALESCE(effort.solved_at, excluded.solved_at),
        until_solved = CASE WHEN effort.until_solved IS NULL AND excluded.solved_at IS NOT NULL
                            THEN effort.attempts + 1 ELSE effort.until_solved END
""").bindparams(bindparam("submission_id"), bindparam("wrong"), bindparam("score"))
)


# (db, submission_id): who tells others of an accepted submission, with its verdict. Other rooms register here.
on_accepted: list[Callable[[Session | Connection, int], None]] = []


def keep_effort(db: Session | Connection, submission_id: int, verdict: Verdict | str, score: float) -> None:
    """With the verdict of a submission for credit, in its transaction."""
    if verdict not in NO_ATTEMPTS:
        wrong = int(verdict != Verdict.accepted)
        _KEEP.run(db, {"submission_id": submission_id, "wrong": wrong, "score": score})
        if not wrong:
            for tell in on_accepted:
                tell(db, submission_id)


def recount(db: Session, user_id: int, exercises: Sequence[str]) -> None:
    """These efforts of a person from what they sent: after a guest's work has moved, or verdicts were replaced."""
    before = {
        row.exercise: row.changes
        for row in db.execute(
            select(Effort.exercise, Effort.changes).where(Effort.user_id == user_id, Effort.exercise.in_(exercises))
        )
    }
    theirs = delete(Effort).where(Effort.user_id == user_id, Effort.exercise.in_(exercises))
    db.execute(theirs.execution_options(synchronize_session="fetch"))
    made: dict[str, list[Any]] = {}
    for row in db.execute(judged_submissions([user_id], exercises)):
        made.setdefault(row.exercise, []).append(row)
    for exercise, rows in made.items():
        solved = next((place for place, row in enumerate(rows) if row.verdict == Verdict.accepted), None)
        db.add(
            Effort(
                user_id=user_id,
                exercise=exercise,
                changes=before.get(exercise, 0) + len(rows) + 1,
                attempts=len(rows),
                wrong=sum(row.verdict != Verdict.accepted for row in rows),
                best_score=max(row.score for row in rows),
                first_at=rows[0].created_at,
                last_at=rows[-1].created_at,
                solved_at=None if solved is None else rows[solved].created_at,
                until_solved=None if solved is None else solved + 1,
            )
        )
    db.flush()


def judged_submissions(user_ids: Sequence[int], exercises: Sequence[str]) -> Any:
    """A statement: (user_id, exercise, id, created_at, verdict, score) of what these people sent to these for credit,
    each by its newest grading, in the order it was sent; what is no attempt is left out."""
    newest = select(func.max(Grading.id)).where(Grading.submission_id == Submission.id).correlate(Submission)
    columns = (Submission.user_id, Submission.exercise, Submission.id, Submission.created_at)
    return (
        select(*columns, Grading.verdict, Grading.score)
        .join(Grading, Grading.id == newest.scalar_subquery())
        .where(Submission.user_id.in_(user_ids), Submission.exercise.in_(exercises), Submission.kind == "submit")
        .where(Grading.verdict.is_not(None), Grading.verdict.not_in(NO_ATTEMPTS))
        .order_by(Submission.id)
    )


def _merge(db: Session, _catalog: Any, guest: User, user: User) -> None:
    """After the guest's submissions have moved."""
    exercises = list(db.scalars(select(Effort.exercise).where(Effort.user_id == guest.id)))
    db.execute(delete(Effort).where(Effort.user_id == guest.id).execution_options(synchronize_session=False))
    if exercises:
        recount(db, user.id, exercises)


register(
    Belonging(
        95,
        "efforts",
        "Attempts at exercises",
        "For each exercise how many attempts you made, and when you solved it: counted from your submissions.",
        Effort,
        merge=_merge,
    )
)
