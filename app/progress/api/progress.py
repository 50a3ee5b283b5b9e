"""How far the caller has come."""

from datetime import datetime

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from app.people import identity
from app.progress.progress import progress_of
from app.quizzes.sittings import close_due
from app.state import state_of

router = APIRouter(tags=["progress"])


class ReadOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    course: str
    lesson: str
    read_at: datetime


class RightOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    question: str
    first_right_at: datetime
    as_it_is: bool = Field(
        description="Whether the answer is right for the question as it is now; false: it was edited or removed since."
    )


class SolvedOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    exercise: str
    first_solved_at: datetime


class ProgressOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    lessons_read: list[ReadOut]
    questions_right: list[RightOut]
    exercises_solved: list[SolvedOut]


@router.get("/me/progress")
def show(request: Request) -> ProgressOut:
    """Lessons read, questions right, exercises solved; each earliest first."""
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.require_viewer(db, request)
    close_due(state.db, state.catalog, viewer.id)
    with state.db.reading() as db:
        progress = progress_of(db, viewer)
    known = {question.id: question for course in state.catalog.courses.values() for question in course.questions}
    return ProgressOut(
        lessons_read=[ReadOut.model_validate(read) for read in progress.lessons_read],
        questions_right=[
            RightOut(
                question=right.question,
                first_right_at=right.first_right_at,
                as_it_is=right.question in known and progress.is_right(known[right.question]),
            )
            for right in progress.questions_right
        ],
        exercises_solved=[SolvedOut.model_validate(solved) for solved in progress.exercises_solved],
    )
