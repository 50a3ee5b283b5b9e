"""How far the caller has come."""

from datetime import datetime

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from app.people import identity
from app.progress.progress import progress_of
from app.quizzes.api.quizzes import close_own_due
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
    as_it_is: bool = Field(
        description="Whether the answer is right for the question as it is now; false: it was edited or removed since."
    )


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
    close_own_due(request)
    state = state_of(request)
    with state.db.reading() as db:
        progress = progress_of(db, identity.require_viewer(db, request))
    known = {one.id: one for course in state.catalog.courses.values() for one in course.questions}
    return ProgressAnswer(
        lessons_read=[ReadAnswer.model_validate(one) for one in progress.lessons_read],
        questions_right=[
            RightAnswer(
                question=one.question,
                first_right_at=one.first_right_at,
                as_it_is=one.question in known and progress.is_right(known[one.question]),
            )
            for one in progress.questions_right
        ],
        exercises_solved=[SolvedAnswer.model_validate(one) for one in progress.exercises_solved],
    )
