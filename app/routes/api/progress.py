"""How far the caller has come."""

from datetime import datetime

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict

from app import auth
from app.models.progress import progress_of
from app.state import state_of

router = APIRouter(tags=["progress"])


class ReadAnswer(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    course: str
    lesson: str
    read_at: datetime


class RightAnswer(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    question: str
    first_right_at: datetime


class SolvedAnswer(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    exercise: str
    first_solved_at: datetime


class ProgressAnswer(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    lessons_read: list[ReadAnswer]
    questions_right: list[RightAnswer]
    exercises_solved: list[SolvedAnswer]


@router.get("/me/progress")
def show(request: Request) -> ProgressAnswer:
    """Lessons read, questions right, exercises solved; each earliest first."""
    with state_of(request).db.reading() as db:
        return ProgressAnswer.model_validate(progress_of(db, auth.require_viewer(db, request)))
