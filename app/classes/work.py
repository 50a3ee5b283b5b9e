"""All that one student handed in to the assignments of a class, as its staff read it: each attempt, and its score."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.classes.assignments import Assignment
from app.classes.classes import Class
from app.practice.efforts import judged_submissions
from app.quizzes.sittings import Sitting


@dataclass(frozen=True)
class Handed:
    """A submission that was judged, or a quiz attempt. `score`: in [0, 1], before lateness. `waiting`: answers that a
    person has yet to grade."""

    url: str
    label: str
    at: datetime
    score: float
    waiting: int = 0


def work_of(
    db: Session, class_: Class, user_id: int, assignments: Sequence[Assignment]
) -> Mapping[tuple[str, str], Sequence[Handed]]:
    """By assignment, the newest first."""
    found: dict[tuple[str, str], list[Handed]] = defaultdict(list)
    exercises = [row.slug for row in assignments if row.kind == "exercise"]
    quizzes = [row.slug for row in assignments if row.kind == "quiz"]
    if exercises:
        for row in db.execute(judged_submissions([user_id], exercises)):
            url, label = f"/submissions/{row.id}", f"Submission {row.id}"
            found["exercise", row.exercise].append(Handed(url, label, row.created_at, row.score or 0.0))
    if quizzes:
        columns = (Sitting.id, Sitting.lesson, Sitting.number, Sitting.submitted_at, Sitting.score, Sitting.points)
        taken = select(*columns, Sitting.waiting).where(
            Sitting.user_id == user_id, Sitting.course == class_.course, Sitting.lesson.in_(quizzes),
            Sitting.submitted_at.is_not(None),
        )  # fmt: skip
        for row in db.execute(taken.order_by(Sitting.id)):
            score = row.score / row.points if row.points else 0.0
            one = Handed(f"/sittings/{row.id}", f"Attempt {row.number}", row.submitted_at, score, row.waiting)
            found["quiz", row.lesson].append(one)
    return {key: some[::-1] for key, some in found.items()}
