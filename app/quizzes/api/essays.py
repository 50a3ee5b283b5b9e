"""Answers that a person grades, for staff: those that wait, and the grade of one."""

from datetime import datetime

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from app.people import identity
from app.people.identity import Caller
from app.quizzes.essays import MAX_COMMENT, Essay, grade_essay, waiting_essays
from app.state import state_of

router = APIRouter(tags=["quizzes"])


class EssayOut(BaseModel):
    """`answer` is what the student wrote. `earned` is null while it waits for its grade."""

    sitting: int
    place: int
    question: str
    prompt_html: str
    rubric_html: str
    answer: str
    points: float
    earned: float | None
    comment: str | None
    submitted_at: datetime | None


class Grade(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    points: float = Field(ge=0, description="Of the question's points, with at most two decimals.")
    comment: str = Field(default="", max_length=MAX_COMMENT)


@router.get("/essays")
def index(request: Request) -> list[EssayOut]:
    """Those that wait longest, of at most a hundred sittings. For staff."""
    state = state_of(request)
    with state.db.reading() as db:
        return [_public(essay) for essay in waiting_essays(db, identity.require_viewer(db, request), state.catalog)]


@router.put("/essays/{sitting}/{place}/grade")
def update(request: Request, sitting: str, place: str, body: Grade) -> EssayOut:
    """Points and a comment for one answer, which may be changed. For staff."""
    return _public(grade_essay(state_of(request), Caller(request), sitting, place, f"{body.points:g}", body.comment))


def _public(essay: Essay) -> EssayOut:
    return EssayOut(
        sitting=essay.sitting.id,
        place=essay.response.place,
        question=essay.question.id,
        prompt_html=essay.presented.prompt_html,
        rubric_html=essay.rubric,
        answer=str(essay.response.given),
        points=essay.presented.points,
        earned=essay.points,
        comment=essay.response.comment,
        submitted_at=essay.sitting.submitted_at,
    )
