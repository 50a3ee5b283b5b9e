"""Questions of a lesson, and answers to them. What is right leaves this server only after an answer came in."""

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session

from app.content.expression import UnreadableAnswer
from app.content.questions.asking import Judged, judge_answer, present, read_answer
from app.content.questions.question import Question, UnknownVariant, draw
from app.db import now
from app.people import identity
from app.people.quota import stored_bytes
from app.people.users import User
from app.quizzes.answers import Occasion, add_answer, attempts, variant_seed
from app.quizzes.reviews import card_of
from app.quizzes.sittings import reviewed_by
from app.state import AppState, require_room, state_of
from app.web.errors import Conflict, Forbidden, Invalid

router = APIRouter(tags=["questions"])

ANSWER_MAX_LENGTH = 2000


class OptionAnswer(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    key: str
    html: str


class QuestionAnswer(BaseModel):
    """A question as it may be seen before it is answered."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    type: str
    prompt_html: str
    variant: int
    options: list[OptionAnswer]


class NewAnswer(BaseModel):
    """choice: the option's key; choices and order: the keys in a list; all else the text typed."""

    model_config = ConfigDict(extra="forbid", strict=True)

    variant: int = Field(ge=-(2**31), lt=2**31)
    answer: str | list[str]
    seconds: float | None = Field(
        default=None, ge=0, description="From the question being shown to your answer, if known."
    )


class NewReading(BaseModel):
    """What is typed so far, in the form that an answer has."""

    model_config = ConfigDict(extra="forbid", strict=True)

    variant: int = Field(ge=-(2**31), lt=2**31)
    answer: str | list[str]


class ReadingProblem(BaseModel):
    message: str
    hint: str


class ReadingAnswer(BaseModel):
    """`read_as` is null where there is nothing to be understood, as in a pick, or where there is a problem."""

    read_as: str | None
    problem: ReadingProblem | None


class JudgedAnswer(BaseModel):
    """`feedback` and `explanation` are HTML."""

    correct: bool
    score: float
    read_as: str | None
    feedback: str | None
    explanation: str | None


@router.get("/lessons/{course}/{lesson}/questions")
def index(request: Request, course: str, lesson: str) -> list[QuestionAnswer]:
    """Each in the variant that is the caller's for this attempt."""
    state = state_of(request)
    questions = list(state.catalog.questions(course, lesson).values())
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        made = attempts(db, viewer.id if viewer else None, [question.id for question in questions])
    drawn = [draw(one, variant_seed(viewer.id if viewer else None, one.id, made.get(one.id, 0))) for one in questions]
    return [QuestionAnswer.model_validate(present(one, variant)) for one, variant in zip(questions, drawn, strict=True)]


@router.post("/questions/{id}/answers")
def answer(request: Request, id: str, body: NewAnswer) -> JudgedAnswer:
    """Judged at once. An answer that cannot be read is refused with the remedy, and spends no attempt."""
    judged = record_answer(request, id, body.variant, body.answer, seconds=body.seconds)
    return JudgedAnswer(
        correct=judged.correct,
        score=judged.score,
        read_as=judged.read_as,
        feedback=judged.feedback_html,
        explanation=judged.explanation_html,
    )


@router.post("/questions/{id}/readings")
def read(request: Request, id: str, body: NewReading) -> ReadingAnswer:
    """How an answer would be understood, while it is typed. Nothing is judged, kept or counted.

    attack: one answer after the other is tried out here, where no attempt is spent. defence: reading knows what the
    question shows and nothing of what is right; to ask needs no account, and makes none.
    """
    state = state_of(request)
    question = own_question(request, id)
    state.limits.spend("reading", address=identity.address_of(request))
    try:
        return ReadingAnswer(read_as=read_answer(question, body.variant, body.answer), problem=None)
    except UnknownVariant:
        raise _changed() from None
    except UnreadableAnswer as error:
        return ReadingAnswer(read_as=None, problem=ReadingProblem(message=error.message, hint=error.hint))


def record_answer(
    request: Request,
    id: str,
    variant: int,
    given: Any,
    *,
    seconds: float | None = None,
    occasion: Occasion = Occasion.lesson,
) -> Judged:
    """Judge an answer and keep it, for the API and for pages alike. Raises NotFound, Conflict, Invalid."""
    state = state_of(request)
    question = own_question(request, id)
    state.limits.spend("answer", address=identity.address_of(request))
    judged = _judge(question, variant, given)
    with state.db.writing() as db:
        user = identity.require_user(db, request)
        state.limits.spend("answer", person=user.id)
        require_room(state, user, stored_bytes(given))
        add_answer(db, user.id, question, variant, given, judged, seconds=seconds, occasion=occasion)
    return judged


def own_question(request: Request, id: str) -> Question:
    """As `question_for`, for the person of this request."""
    state = state_of(request)
    try:
        return state.catalog.question(id)
    except Forbidden:
        with state.db.reading() as db:
            return question_for(state, db, identity.viewer(db, request), id)


def question_for(state: AppState, db: Session, viewer: User | None, id: str) -> Question:
    """What this person may answer now: what anyone may, and of a quiz that counts what comes back to them today.
    Raises NotFound, Forbidden."""
    try:
        return state.catalog.question(id)
    except Forbidden:
        card = card_of(db, viewer, id)
        reviewed = reviewed_by(db, state.catalog, viewer)
        question = reviewed(id, card.question_hash) if card and card.due_at <= now() else None
        if question is None:
            raise
        return question


def _judge(question: Question, variant: int, given: Any) -> Judged:
    if len(str(given)) > ANSWER_MAX_LENGTH:
        raise Invalid("answer: this is too long.", f"An answer may have at most {ANSWER_MAX_LENGTH} characters.")
    try:
        return judge_answer(question, variant, given)
    except UnknownVariant:
        raise _changed() from None
    except UnreadableAnswer as error:
        raise Invalid(error.message, error.hint) from None


def _changed() -> Conflict:
    return Conflict("This question has changed since you loaded it.", "Reload it, then answer.")
