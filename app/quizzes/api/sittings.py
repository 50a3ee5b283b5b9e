"""A sitting of a quiz: begun, answered one question at a time, handed in once, then told what was right.

It is its owner's: `require_sitting` decides, here and for the pages. What is right leaves this server with a submitted
sitting only.
"""

from datetime import datetime
from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from app.content.questions.kind import Reply
from app.people import identity
from app.people.identity import Caller
from app.people.users import User
from app.quizzes.answers import require_short
from app.quizzes.api.questions import OptionOut, PartOut
from app.quizzes.papers import Paper, PaperQuestion, paper_of
from app.quizzes.quizzes import quiz_lesson
from app.quizzes.responses import ReadBack, SittingResponse
from app.quizzes.sittings import hand_in, save_answer, start_sitting
from app.state import AppState, state_of
from app.web import credentials
from app.web.errors import Conflict, ErrorBody

router = APIRouter(tags=["quizzes"])

REVISION_MAX = 2**31 - 2


class ResponseOut(BaseModel):
    """An answer as the server has it. `read_as` and `problem` say how it is understood, not whether it is right."""

    answer: Reply | None
    read_as: str | None
    problem: str | None = Field(description="Why it cannot be read, and how to fix it. Fixing it costs nothing.")
    flagged: bool
    revision: int


class SavedResponseOut(ResponseOut):
    remaining_seconds: float | None


class AskedOut(ResponseOut):
    """`correct`, `score`, `feedback`, `comment` and `explanation` are null until the sitting is submitted, and in a
    class that tells answers later until then (`answers_shown`). `score` is the share of `points` that was earned, from
    0 to 1."""

    id: str
    slug: str
    type: str
    section: str = Field(description="The heading it is under, as HTML; empty: none.")
    context_html: str = Field(description="The text before it and the questions that follow it.")
    prompt_html: str
    variant: int
    points: float
    options: list[OptionOut]
    parts: list[PartOut]
    correct: bool | None
    score: float | None
    feedback: str | None
    comment: str | None = Field(description="Of the person who graded it.")
    explanation: str | None


class SittingOut(BaseModel):
    id: int
    quiz: str
    number: int
    state: Literal["open", "submitted"]
    started_at: datetime
    deadline_at: datetime | None
    submitted_at: datetime | None
    remaining_seconds: float | None
    score: float | None = Field(description="Of `points`.")
    points: float
    waiting: int = Field(description="Answers that a person has yet to grade; `score` is without them.")
    answers_shown: bool = Field(description="Whether its questions say what was right.")
    answers_shown_from: datetime | None = Field(description="Where they will; null: that is now, or not known yet.")
    questions: list[AskedOut]


class NewSitting(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    access_code: str = Field("", max_length=80, description="Where your class asks for one.")


class NewResponse(BaseModel):
    """`answer` as in POST /questions/{id}/answers; null takes it back."""

    model_config = ConfigDict(extra="forbid", strict=True)

    answer: Reply | None
    revision: int = Field(ge=0, le=REVISION_MAX, description="The revision that this answer replaces; 0: none.")
    flagged: bool | None = Field(default=None, description="Flagged for later; null leaves it as it is.")
    seconds: float | None = Field(default=None, ge=0, description="Spent on this question so far, if known.")


class OtherResponseOut(BaseModel):
    """What another tab or device has saved since; null where the sitting is over, and no answer is taken any more."""

    error: ErrorBody
    response: SavedResponseOut | None


@router.post(
    "/quizzes/{course}/{lesson}/sittings",
    status_code=201,
    responses={200: {"model": SittingOut, "description": "You already have an open sitting; this is it."}},
)
def create_sitting(
    request: Request, course: str, lesson: str, response: Response, sent: NewSitting | None = None
) -> SittingOut:
    """Begin a sitting, or go on with the open one: there is one at a time."""
    state = state_of(request)
    quiz = quiz_lesson(state.catalog, course, lesson)
    address, code = credentials.address_of(request), sent.access_code if sent is not None else ""
    state.limits.spend("sitting", address=address)
    with state.db.writing() as db:
        user = identity.require_user(db, request)
        sitting, is_new = start_sitting(db, user, state, quiz, code, address=address)
    response.status_code = 201 if is_new else 200
    return _public(state, user, str(sitting.id))


@router.get("/sittings/{id}")
def show_sitting(request: Request, id: str) -> SittingOut:
    """Your own; staff may read any that is submitted. One whose time is over is submitted when anybody looks."""
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.require_viewer(db, request)
    return _public(state, viewer, id)


@router.put(
    "/sittings/{id}/answers/{slug}",
    response_model=SavedResponseOut,
    responses={
        409: {"model": OtherResponseOut, "description": "Another save came after `revision`, or the sitting is over."}
    },
)
def update_answer(request: Request, id: str, slug: str, body: NewResponse) -> SavedResponseOut | Response:
    """Keep an answer, if nobody saved since `revision`. It is read, not judged, and may be changed until the end."""
    state = state_of(request)
    require_short(body.answer)
    state.limits.spend("sitting", address=credentials.address_of(request))
    with state.db.writing() as db:
        user = identity.require_viewer(db, request, writes=True)
        save = save_answer(
            db, user, state, id, slug, body.answer, body.revision, flagged=body.flagged, seconds=body.seconds
        )
    if save.saved is None:
        return _conflict(save.over(), None)
    response = save.saved.response
    shown = SavedResponseOut(
        **_response(response, save.read_back(state.catalog)), remaining_seconds=save.sitting.remaining_seconds()
    )
    if save.saved.yours:
        return shown
    elsewhere = Conflict(
        "Another tab or device has saved a newer answer.",
        f"Save again with revision {shown.revision} to replace it, or use that one.",
    )
    return _conflict(elsewhere, shown)


def _conflict(problem: Conflict, saved: SavedResponseOut | None) -> Response:
    other = OtherResponseOut(error=ErrorBody.model_validate(problem.public()["error"]), response=saved)
    return JSONResponse(other.model_dump(mode="json"), problem.status)


@router.post("/sittings/{id}/submission")
def create_submission(request: Request, id: str) -> SittingOut:
    """Hand the sitting in. Once is enough; again is the same."""
    state = state_of(request)
    user = hand_in(state, Caller(request), id)
    return _public(state, user, id)


def _public(state: AppState, viewer: User, id: str) -> SittingOut:
    paper: Paper = paper_of(state.db, viewer, state.catalog, id)
    sitting = paper.sitting
    return SittingOut(
        id=sitting.id,
        quiz=f"{sitting.course}.{sitting.lesson}",
        number=sitting.number,
        state="open" if sitting.is_open else "submitted",
        started_at=sitting.started_at,
        deadline_at=sitting.deadline_at,
        submitted_at=sitting.submitted_at,
        remaining_seconds=sitting.remaining_seconds(),
        score=sitting.score,
        points=sitting.points,
        waiting=sitting.waiting,
        answers_shown=not sitting.is_open and paper.withheld is None,
        answers_shown_from=paper.withheld.until if paper.withheld is not None else None,
        questions=[_asked(question) for question in paper.questions],
    )


def _asked(question: PaperQuestion) -> AskedOut:
    response, presented = question.response, question.presented
    return AskedOut(
        **_response(response, question.reading),
        id=presented.id,
        slug=response.slug,
        type=presented.type,
        section=question.asked.section,
        context_html=question.asked.context,
        prompt_html=presented.prompt_html,
        variant=response.variant,
        points=presented.points,
        options=[OptionOut.model_validate(option) for option in presented.options],
        parts=[PartOut.model_validate(part) for part in presented.parts],
        correct=question.correct,
        score=question.score,
        feedback=question.judged.feedback_html if question.judged else None,
        comment=question.comment,
        explanation=question.explanation,
    )


def _response(response: SittingResponse, reading: ReadBack) -> dict[str, Any]:
    return {
        "answer": response.given,
        "read_as": reading.read_as,
        "problem": reading.problem,
        "flagged": response.flagged,
        "revision": response.revision,
    }
