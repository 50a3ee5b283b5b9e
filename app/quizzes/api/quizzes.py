"""Quizzes, taken in sittings: begun, answered one question at a time, handed in once, then told what was right.

A sitting is its owner's: `require_attempt` decides, here and for the pages. What is right leaves this server with a
submitted sitting only.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session
from starlette.responses import JSONResponse, Response

from app.content.lesson import Lesson
from app.content.questions.asking import Judged, Presented, explanation_of, present
from app.content.questions.question import Question, UnknownVariant
from app.content.quiz import Asked, quiz_of
from app.people import identity
from app.people.users import User
from app.quizzes.api.questions import ANSWER_MAX_LENGTH, OptionAnswer
from app.quizzes.sittings import (
    Given,
    QuizAttempt,
    QuizResponse,
    Reading,
    Saved,
    Taken,
    attempts_of,
    close_due,
    judged,
    prepare_submission,
    read,
    require_attempt,
    response_at,
    response_beside,
    responses_of,
    save_response,
    start_attempt,
    submit,
    taken_by,
)
from app.state import AppState, require_room, state_of
from app.web.errors import Conflict, ErrorBody, Invalid, NotFound

router = APIRouter(tags=["quizzes"])

REVISION_MAX = 2**31 - 2


class AttemptLine(BaseModel):
    id: int
    number: int = Field(description="This person's first sitting of the quiz is 1.")
    state: Literal["open", "submitted"]
    started_at: datetime
    submitted_at: datetime | None
    score: float | None = Field(description="Points, of `questions`.")
    questions: int
    counts: bool = Field(description="Whether its score is the one that counts so far.")


class QuizAnswer(BaseModel):
    id: str
    title: str
    questions: int
    time_limit_seconds: int | None = Field(description="The caller's own, with the time that they are given.")
    attempts_allowed: int | None
    attempts_left: int | None
    counts: Literal["best", "last"]
    attempts: list[AttemptLine]


class ResponseAnswer(BaseModel):
    """An answer as the server has it. `read_as` and `problem` say how it is understood, not whether it is right."""

    answer: str | list[str] | None
    read_as: str | None
    problem: str | None = Field(description="Why it cannot be read, and how to fix it. Fixing it costs nothing.")
    flagged: bool
    revision: int


class SavedResponse(ResponseAnswer):
    remaining_seconds: float | None


class AskedAnswer(ResponseAnswer):
    """`correct`, `score`, `feedback` and `explanation` are null until the sitting is submitted."""

    id: str
    slug: str
    type: str
    section: str = Field(description="The heading it is under, as HTML; empty: none.")
    context_html: str = Field(description="The text before it and the questions that follow it.")
    prompt_html: str
    variant: int
    options: list[OptionAnswer]
    correct: bool | None
    score: float | None
    feedback: str | None
    explanation: str | None


class AttemptAnswer(BaseModel):
    id: int
    quiz: str
    number: int
    state: Literal["open", "submitted"]
    started_at: datetime
    deadline_at: datetime | None
    submitted_at: datetime | None
    remaining_seconds: float | None
    score: float | None
    questions: list[AskedAnswer]


class NewResponse(BaseModel):
    """`answer` as in POST /questions/{id}/answers; null takes it back."""

    model_config = ConfigDict(extra="forbid", strict=True)

    answer: str | list[str] | None
    revision: int = Field(ge=0, le=REVISION_MAX, description="The revision that this answer replaces; 0: none.")
    flagged: bool | None = Field(default=None, description="Flagged for later; null leaves it as it is.")
    seconds: float | None = Field(default=None, ge=0, description="Spent on this question so far, if known.")


class OtherResponse(BaseModel):
    """What another tab or device has saved since; null where the sitting is over, and no answer is taken any more."""

    error: ErrorBody
    response: SavedResponse | None


@dataclass(frozen=True)
class SittingQuestion:
    """One question of a sitting with what was answered; `judged` and `explanation` once it is submitted, `judged` None
    also for what was not answered or could not be read."""

    asked: Asked
    presented: Presented
    response: QuizResponse
    reading: Reading
    judged: Judged | None
    explanation: str | None

    @property
    def place(self) -> int:
        return self.response.place

    @property
    def is_answered(self) -> bool:
        return self.response.given is not None


@dataclass(frozen=True)
class Sitting:
    attempt: QuizAttempt
    lesson: Lesson  # as it was when the sitting began
    questions: tuple[SittingQuestion, ...]


@dataclass(frozen=True)
class Step:
    """From one question of a sitting on to another place; None: to the overview."""

    attempt: QuizAttempt
    question: Question
    slug: str
    to: int | None

    @property
    def address(self) -> str:
        overview = f"/attempts/{self.attempt.id}"
        return overview if self.to is None else f"{overview}/questions/{self.to}"


@router.get("/quizzes/{course}/{lesson}")
def show_quiz(request: Request, course: str, lesson: str) -> QuizAnswer:
    """A quiz, and the caller's sittings of it."""
    found = quiz_lesson(state_of(request), course, lesson)
    viewer, taken = own_taken(request, found)
    with state_of(request).db.reading() as db:
        attempts = attempts_of(db, viewer, course, lesson)
    return QuizAnswer(
        id=f"{course}.{lesson}",
        title=found.title,
        questions=len(found.questions),
        time_limit_seconds=time_limit_seconds(found, viewer),
        attempts_allowed=found.attempts,
        attempts_left=attempts_left(found, taken.count),
        counts=found.counts,
        attempts=[
            AttemptLine(
                id=one.id,
                number=one.number,
                state="open" if one.is_open else "submitted",
                started_at=one.started_at,
                submitted_at=one.submitted_at,
                score=one.score,
                questions=one.questions,
                counts=taken.counted is not None and one.id == taken.counted.id,
            )
            for one in attempts
        ],
    )


@router.post(
    "/quizzes/{course}/{lesson}/attempts",
    status_code=201,
    responses={200: {"model": AttemptAnswer, "description": "You already have an open sitting; this is it."}},
)
def create_attempt(request: Request, course: str, lesson: str, response: Response) -> AttemptAnswer:
    """Begin a sitting, or go on with the open one: there is one at a time."""
    attempt, is_new = start(request, course, lesson)
    response.status_code = 201 if is_new else 200
    return _public(find_sitting(request, str(attempt.id)))


@router.get("/attempts/{id}")
def show_attempt(request: Request, id: str) -> AttemptAnswer:
    """Your own; staff may read any that is submitted. One whose time is over is submitted, whoever looks."""
    return _public(find_sitting(request, id))


@router.put(
    "/attempts/{id}/answers/{slug}",
    response_model=SavedResponse,
    responses={
        409: {"model": OtherResponse, "description": "Another save came after `revision`, or the sitting is over."}
    },
)
def update_answer(request: Request, id: str, slug: str, body: NewResponse) -> SavedResponse | Response:
    """Keep an answer, if nobody saved since `revision`. It is read, not judged, and may be changed until the end."""
    try:
        saved, shown = save(request, id, slug, body.answer, body.revision, flagged=body.flagged, seconds=body.seconds)
    except Conflict as over:
        return _conflict(over, None)
    if saved.yours:
        return shown
    elsewhere = Conflict(
        "Another tab or device has saved a newer answer.",
        f"Save again with revision {shown.revision} to replace it, or use that one.",
    )
    return _conflict(elsewhere, shown)


def _conflict(problem: Conflict, saved: SavedResponse | None) -> Response:
    answer = OtherResponse(error=ErrorBody.model_validate(problem.public()["error"]), response=saved)
    return JSONResponse(answer.model_dump(mode="json"), problem.status)


@router.post("/attempts/{id}/submission")
def create_submission(request: Request, id: str) -> AttemptAnswer:
    """Hand the sitting in. Once is enough; again is the same."""
    hand_in(request, id)
    return _public(find_sitting(request, id))


# ---- what the pages do as well --------------------------------------------------------------------------------


def quiz_lesson(state: AppState, course: str, lesson: str) -> Lesson:
    """Raises NotFound."""
    found = state.catalog.lesson(course, lesson)[1]
    if not found.is_quiz:
        raise NotFound("There is no such quiz.", "This is a lesson: its questions are in its text.")
    return found


def own_taken(request: Request, lesson: Lesson, before: int | None = None) -> tuple[User | None, Taken]:
    """(who asks; their sittings of this quiz, none of them past its time and still open)."""
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        taken = taken_by(db, viewer, lesson, before)
    if viewer is not None and taken.open is not None and taken.open.is_due():
        close_due(state.db, state.catalog, viewer.id)
        with state.db.reading() as db:
            taken = taken_by(db, viewer, lesson, before)
    return viewer, taken


def close_own_due(request: Request) -> None:
    """For whatever shows how far someone has come: what their time is up for is submitted first."""
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
    if viewer is not None:
        close_due(state.db, state.catalog, viewer.id)


def attempts_left(lesson: Lesson, begun: int) -> int | None:
    return None if lesson.attempts is None else max(0, lesson.attempts - begun)


def time_limit_seconds(lesson: Lesson, viewer: User | None) -> int | None:
    if lesson.time_limit is None:
        return None
    return round(lesson.time_limit * 60 * (viewer.time_multiplier if viewer else 1))


def start(request: Request, course: str, lesson: str) -> tuple[QuizAttempt, bool]:
    """Raises NotFound, Conflict, RateLimited, Unauthenticated."""
    state = state_of(request)
    found = quiz_lesson(state, course, lesson)
    state.limits.spend("sitting", address=identity.address_of(request))
    with state.db.writing() as db:
        user = identity.require_user(db, request)
        state.limits.spend("sitting", person=user.id)
        require_room(state, user, 0)
        return start_attempt(db, state.catalog, user, found)


def find_sitting(request: Request, id: str) -> Sitting:
    """The sitting as it is shown to whoever asks. Raises Unauthenticated, NotFound."""
    state = state_of(request)
    with state.db.reading() as db:
        attempt = require_attempt(db, id, identity.require_viewer(db, request))
        responses = responses_of(db, attempt)
    if attempt.is_due():
        close_due(state.db, state.catalog, attempt.user_id)
        with state.db.reading() as db:
            attempt = require_attempt(db, id, identity.require_viewer(db, request))
            responses = responses_of(db, attempt)
    lesson = state.catalog.lesson_at(attempt.snapshot_id, attempt.lesson)
    asked = {one.question.slug: one for one in quiz_of(lesson).questions}
    questions = (_asked(asked[one.slug], one, attempt.is_open) for one in responses if one.slug in asked)
    return Sitting(attempt, lesson, tuple(one for one in questions if one is not None))


def find_step(request: Request, id: str, place: str, go: str) -> Step:
    """From the question at this place to where `go` says: `next`, `previous`, `stay`, a place, or else the overview.

    Reads these two of the sitting's questions and no other. Raises Unauthenticated, NotFound.
    """
    state = state_of(request)
    with state.db.reading() as db:
        attempt = require_attempt(db, id, identity.require_viewer(db, request))
        questions = state.catalog.lesson_at(attempt.snapshot_id, attempt.lesson).questions
        response = response_at(db, attempt, place)
        if response is None or not _is_asked(questions, response):
            raise NotFound("There is no such question in this sitting.", "Go back to its overview.")
        to = _place_after(db, attempt, questions, response.place, go)
    return Step(attempt, questions[response.slug], response.slug, to)


def _place_after(
    db: Session, attempt: QuizAttempt, questions: Mapping[str, Question], place: int, go: str
) -> int | None:
    if go == "stay":
        return place
    if go not in ("next", "previous"):
        named = response_at(db, attempt, go)
        return named.place if named is not None and _is_asked(questions, named) else None
    at = place
    while (beside := response_beside(db, attempt, at, is_next=go == "next")) is not None:
        if _is_asked(questions, beside):
            return beside.place
        at = beside.place
    return None if go == "next" else place


def _is_asked(questions: Mapping[str, Question], response: QuizResponse) -> bool:
    """Not where this release reads the file otherwise: `present` would raise UnknownVariant."""
    question = questions.get(response.slug)
    return question is not None and 0 <= response.variant < question.variants


def _asked(asked: Asked, response: QuizResponse, is_open: bool) -> SittingQuestion | None:
    question, variant, given = asked.question, response.variant, response.given
    try:
        outcome = None if is_open else judged(question, variant, given)
        told = None if is_open else explanation_of(question, variant)
        reading = read(question, variant, given)
        return SittingQuestion(asked, present(question, variant), response, reading, outcome, told)
    except UnknownVariant:
        return None


def save(
    request: Request,
    id: str,
    slug: str,
    given: Given,
    revision: int,
    *,
    flagged: bool | None = None,
    seconds: float | None = None,
) -> tuple[Saved, SavedResponse]:
    """Raises Unauthenticated, NotFound, Invalid, RateLimited, and Conflict when the sitting is over."""
    state = state_of(request)
    if len(str(given)) > ANSWER_MAX_LENGTH:
        raise Invalid("answer: this is too long.", f"An answer may have at most {ANSWER_MAX_LENGTH} characters.")
    state.limits.spend("sitting", address=identity.address_of(request))
    saved = None
    with state.db.writing() as db:
        user = identity.require_viewer(db, request, writes=True)
        state.limits.spend("sitting", person=user.id)
        attempt = require_attempt(db, id, user, writes=True)
        if attempt.is_due():
            submit(db, state.catalog, attempt)
        elif attempt.is_open:
            saved = save_response(db, attempt, slug, given, revision, flagged=flagged, seconds=seconds)
    if saved is None:
        raise is_over(attempt)
    response = saved.response
    question = state.catalog.lesson_at(attempt.snapshot_id, attempt.lesson).questions.get(slug)
    reading = read(question, response.variant, response.given) if question else Reading()
    shown = SavedResponse(**_response(response, reading), remaining_seconds=attempt.remaining_seconds())
    return saved, shown


def is_over(attempt: QuizAttempt) -> Conflict:
    at = attempt.submitted_at
    when = f" at {at:%H:%M:%S} UTC" if at else ""
    if at is not None and at == attempt.deadline_at:
        what = f"The time for this attempt ran out{when}, before this answer arrived."
    else:
        what = f"This attempt was submitted{when}, before this answer arrived."
    return Conflict(what, "The answers saved before then count; this one does not.")


def hand_in(request: Request, id: str) -> None:
    """Submitted once, however often it is asked for. Raises Unauthenticated, NotFound, RateLimited."""
    state = state_of(request)
    state.limits.spend("sitting", address=identity.address_of(request))
    with state.db.reading() as db:
        attempt = require_attempt(db, id, identity.require_viewer(db, request))
        prepare_submission(db, state.catalog, attempt)
    with state.db.writing() as db:
        user = identity.require_viewer(db, request, writes=True)
        submit(db, state.catalog, require_attempt(db, id, user, writes=True))


def _public(sitting: Sitting) -> AttemptAnswer:
    attempt = sitting.attempt
    return AttemptAnswer(
        id=attempt.id,
        quiz=f"{attempt.course}.{attempt.lesson}",
        number=attempt.number,
        state="open" if attempt.is_open else "submitted",
        started_at=attempt.started_at,
        deadline_at=attempt.deadline_at,
        submitted_at=attempt.submitted_at,
        remaining_seconds=attempt.remaining_seconds(),
        score=attempt.score,
        questions=[_asked_answer(one) for one in sitting.questions],
    )


def _asked_answer(one: SittingQuestion) -> AskedAnswer:
    return AskedAnswer(
        **_response(one.response, one.reading),
        id=one.presented.id,
        slug=one.response.slug,
        type=one.presented.type,
        section=one.asked.section,
        context_html=one.asked.context,
        prompt_html=one.presented.prompt_html,
        variant=one.response.variant,
        options=[OptionAnswer.model_validate(option) for option in one.presented.options],
        correct=one.response.correct,
        score=one.response.score,
        feedback=one.judged.feedback_html if one.judged else None,
        explanation=one.explanation,
    )


def _response(response: QuizResponse, reading: Reading) -> dict[str, Any]:
    return {
        "answer": response.given,
        "read_as": reading.read_as,
        "problem": reading.problem,
        "flagged": response.flagged,
        "revision": response.revision,
    }
