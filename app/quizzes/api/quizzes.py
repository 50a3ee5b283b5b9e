"""A quiz, and the caller's sittings of it. (`sittings`: one sitting, from its start on.)"""

from datetime import datetime
from typing import Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from app.people import identity
from app.quizzes.quizzes import overview_of, sittings_of
from app.quizzes.sittings import Sitting
from app.state import state_of

router = APIRouter(tags=["quizzes"])


class SittingLineOut(BaseModel):
    id: int
    number: int = Field(description="This person's first sitting of the quiz is 1.")
    state: Literal["open", "submitted"]
    started_at: datetime
    submitted_at: datetime | None
    score: float | None = Field(description="Of `points`.")
    points: float
    questions: int
    counts: bool = Field(description="Whether its score is the one that counts so far.")


class QuizOut(BaseModel):
    id: str
    title: str
    questions: int
    time_limit_seconds: int | None = Field(description="The caller's own, with the time that they are given.")
    attempts_allowed: int | None
    attempts_left: int | None
    counts: Literal["best", "last"]
    opens_at: datetime | None = Field(description="The caller's class opens it then; null: it may be begun.")
    closes_at: datetime | None = Field(description="An attempt that begins now ends then, if not before.")
    needs_access_code: bool
    answers_shown: bool = Field(description="Whether the answers of a submitted attempt are told by now.")
    answers_shown_from: datetime | None
    attempts: list[SittingLineOut]


@router.get("/quizzes/{course}/{lesson}")
def show_quiz(request: Request, course: str, lesson: str) -> QuizOut:
    """A quiz, and the caller's sittings of it."""
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
    overview = overview_of(state.db, viewer, state.catalog, course, lesson)
    with state.db.reading() as db:
        sittings = sittings_of(db, viewer, course, lesson)
    quiz, counted = overview.lesson, overview.taken.counted
    return QuizOut(
        id=f"{course}.{lesson}",
        title=quiz.title,
        questions=quiz.asked,
        time_limit_seconds=overview.time_limit_seconds,
        attempts_allowed=overview.attempts_allowed,
        attempts_left=overview.attempts_left,
        counts=quiz.counts,
        opens_at=overview.opens_at,
        closes_at=overview.closes_at,
        needs_access_code=overview.needs_code,
        answers_shown=overview.withheld is None,
        answers_shown_from=overview.withheld.until if overview.withheld is not None else None,
        attempts=[_line(sitting, counts=counted is not None and sitting.id == counted.id) for sitting in sittings],
    )


def _line(sitting: Sitting, *, counts: bool) -> SittingLineOut:
    return SittingLineOut(
        id=sitting.id,
        number=sitting.number,
        state="open" if sitting.is_open else "submitted",
        started_at=sitting.started_at,
        submitted_at=sitting.submitted_at,
        score=sitting.score,
        points=sitting.points,
        questions=sitting.questions,
        counts=counts,
    )
