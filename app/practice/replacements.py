"""Verdicts in place of others: a submission is judged by another state of its exercise, and that counts from now on.

What was judged before stays, with the state that it was judged by (`Grading.snapshot_id`); it only counts no more
(`replaced_by_id`). So a replacement can be taken back, and every row is again as it was.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from app.db import now
from app.people.quota import add_stored
from app.practice.gradings import Grading, kept_bytes, outcome
from app.practice.outcomes import WrongOutcome, keep_outcome
from app.practice.sheets import CaseSheet, kept_cases, store_sheet
from app.practice.submissions import Submission
from graders.grade import Finished
from graders.verdict import State


@dataclass(frozen=True)
class Replaced:
    """What `restore_verdict` needs: the rows that were there, as JSON."""

    grading_id: int
    before_id: int
    bytes: int
    wrong_outcome: dict[str, Any] | None

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))


def newest_gradings(db: Session, submission_ids: Iterable[int]) -> dict[int, Grading]:
    """Of each submission the grading that counts."""
    newest = select(func.max(Grading.id)).where(Grading.submission_id.in_(list(submission_ids)))
    found = select(Grading).where(Grading.id.in_(newest.group_by(Grading.submission_id)))
    return {one.submission_id: one for one in db.scalars(found)}


def replace_verdict(
    db: Session, submission: Submission, before: Grading, finished: Finished, snapshot_id: int, note: str | None = None
) -> Replaced:
    """From now on this verdict counts, by that state of the exercise. `before`: the grading that counts now; `note`:
    why, for its author. The person's efforts are to be counted again (`efforts.recount`)."""
    kept = kept_cases(finished.result.cases, has_own_input=False)
    sheet_id = None
    if kept.digest is not None:
        store_sheet(db, kept)
        sheet_id = db.scalar(select(CaseSheet.id).where(CaseSheet.digest == kept.digest))
    usage, at = finished.usage, now()
    grading = Grading(
        submission_id=submission.id,
        attempt=1,
        state=State.finished,
        **outcome(finished.result, kept.rows),
        sheet_id=sheet_id,
        snapshot_id=snapshot_id,
        note=note,
        seed=finished.seed,
        wall_ms=usage.wall_ms if usage else None,
        peak_mb=usage.peak_mb if usage else None,
        queued_at=at,
        started_at=at,
        finished_at=at,
    )
    db.add(grading)
    db.flush()
    before.replaced_by_id = grading.id
    size = kept_bytes(finished.result, None)
    add_stored(db, submission.user_id, size)
    wrong = db.get(WrongOutcome, submission.id)
    row = {"fingerprint": wrong.fingerprint, "mistake": wrong.mistake} if wrong is not None else None
    replaced = Replaced(grading.id, before.id, size, row)
    if wrong is not None:
        db.expunge(wrong)  # it is written as a statement
    keep_outcome(db, submission.id, finished)
    db.flush()
    return replaced


def restore_verdict(db: Session, submission: Submission, replaced: Replaced) -> None:
    """What counted before counts again. The person's efforts are to be counted again."""
    db.execute(update(Grading).where(Grading.id == replaced.before_id).values(replaced_by_id=None))
    db.execute(delete(Grading).where(Grading.id == replaced.grading_id))
    add_stored(db, submission.user_id, -replaced.bytes)
    db.execute(delete(WrongOutcome).where(WrongOutcome.submission_id == submission.id))
    if replaced.wrong_outcome is not None:
        db.add(WrongOutcome(submission_id=submission.id, exercise=submission.exercise, **replaced.wrong_outcome))
    db.flush()
