"""Questions of a lesson, and answers to them. What is right leaves this server only after an answer came in."""

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from app import auth
from app.content.question import Judged, Question, UnknownVariant, UnreadableAnswer, draw, judge_answer, present
from app.errors import Conflict, Invalid
from app.models.answer import add_answer, attempts, variant_seed
from app.state import state_of

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
    questions = list(state.catalog.lesson(course, lesson)[1].questions.values())
    with state.db.reading() as db:
        viewer = auth.viewer(db, request)
        made = attempts(db, viewer.id if viewer else None, [question.id for question in questions])
    drawn = [draw(one, variant_seed(viewer.id if viewer else None, one.id, made.get(one.id, 0))) for one in questions]
    return [QuestionAnswer.model_validate(present(one, variant)) for one, variant in zip(questions, drawn, strict=True)]


@router.post("/questions/{id}/answers")
def answer(request: Request, id: str, body: NewAnswer) -> JudgedAnswer:
    """Judged at once. What cannot be read is told so, and spends no attempt."""
    judged = record_answer(request, id, body.variant, body.answer)
    return JudgedAnswer(
        correct=judged.correct,
        score=judged.score,
        read_as=judged.read_as,
        feedback=judged.feedback_html,
        explanation=judged.explanation_html,
    )


def record_answer(request: Request, id: str, variant: int, given: Any) -> Judged:
    """Judge an answer and keep it, for the API and for pages alike. Raises NotFound, Conflict, Invalid."""
    state = state_of(request)
    question = state.catalog.question(id)
    state.limits.spend("answer", address=auth.address_of(request))
    judged = _judge(question, variant, given)
    with state.db.writing() as db:
        user = auth.require_user(db, request)
        state.limits.spend("answer", person=user.id)
        add_answer(db, user.id, question.id, variant, given, judged.correct, judged.score)
    return judged


def _judge(question: Question, variant: int, given: Any) -> Judged:
    if len(str(given)) > ANSWER_MAX_LENGTH:
        raise Invalid("answer: this is too long to be one.", f"An answer has at most {ANSWER_MAX_LENGTH} characters.")
    try:
        return judge_answer(question, variant, given)
    except UnknownVariant:
        raise Conflict("This question has changed since you loaded it.", "Load it again, then answer.") from None
    except UnreadableAnswer as error:
        raise Invalid(error.message, error.hint) from None
