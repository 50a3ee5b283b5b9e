"""Questions of a lesson, and answers to them. What is right leaves this server only after an answer came in."""

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from app.content.expression import UnreadableAnswer
from app.content.questions.asking import read_answer
from app.content.questions.kind import Reply
from app.content.questions.question import UnknownVariant
from app.people import identity
from app.people.identity import Caller
from app.quizzes.answers import record_answer
from app.quizzes.questions import changed, judge, own_question, present_to, require_open
from app.state import state_of
from app.web import credentials

router = APIRouter(tags=["questions"])


class OptionOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    key: str
    html: str


class PartOut(BaseModel):
    """Of a matching question an item; of a cloze a gap, which has options where one of them is to be picked."""

    model_config = ConfigDict(from_attributes=True)

    key: str
    html: str
    options: list[OptionOut]


class QuestionOut(BaseModel):
    """A question as it may be seen before it is answered. `points` is left out where it counts 1, and `parts` where its
    type has none."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    type: str
    prompt_html: str
    variant: int
    options: list[OptionOut]
    points: float = Field(default=1.0, description="What it counts in a sitting.")
    parts: list[PartOut] = Field(default_factory=list)


class NewAnswer(BaseModel):
    """choice: the option's key; choices and order: the keys in a list; matching: of each item's key the key of its
    option; cloze: a list of what goes into each gap, in their order, typed or an option's key; all else the text
    typed."""

    model_config = ConfigDict(extra="forbid", strict=True)

    variant: int = Field(ge=-(2**31), lt=2**31)
    answer: Reply
    seconds: float | None = Field(
        default=None, ge=0, description="From the question being shown to your answer, if known."
    )


class NewReading(BaseModel):
    """What is typed so far, in the form that an answer has."""

    model_config = ConfigDict(extra="forbid", strict=True)

    variant: int = Field(ge=-(2**31), lt=2**31)
    answer: Reply


class ReadingProblemOut(BaseModel):
    message: str
    hint: str


class ReadingOut(BaseModel):
    """`read_as` is null where there is nothing to be understood, as in a pick, or where there is a problem."""

    read_as: str | None
    problem: ReadingProblemOut | None


class JudgedOut(BaseModel):
    """`feedback` and `explanation` are HTML. `feedback` is what the author says of this answer, or else what it has in
    common with the right one; null where there is nothing to say."""

    correct: bool
    score: float
    read_as: str | None
    feedback: str | None
    explanation: str | None


@router.get("/lessons/{course}/{lesson}/questions", response_model_exclude_defaults=True)
def index(request: Request, course: str, lesson: str) -> list[QuestionOut]:
    """Each in the variant that is the caller's for this attempt."""
    state = state_of(request)
    questions = state.catalog.questions(course, lesson)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        require_open(db, viewer, state.catalog.lesson(course, lesson)[1])
        presented = present_to(db, viewer, questions.values())
    return [QuestionOut.model_validate(question) for question in presented.values()]


@router.post("/questions/{id}/answers")
def answer(request: Request, id: str, body: NewAnswer) -> JudgedOut:
    """Judged at once. An answer that cannot be read is refused with the remedy, and spends no attempt."""
    state = state_of(request)
    question = own_question(state_of(request), Caller(request), id)
    state.limits.spend("answer", address=credentials.address_of(request))
    judged = judge(question, body.variant, body.answer)
    with state.db.writing() as db:
        user = identity.require_user(db, request)
        record_answer(db, user, state, question, body.variant, body.answer, judged, seconds=body.seconds)
    return JudgedOut(
        correct=judged.correct,
        score=judged.score,
        read_as=judged.read_as,
        feedback=judged.feedback_html,
        explanation=judged.explanation_html,
    )


@router.post("/questions/{id}/readings")
def read(request: Request, id: str, body: NewReading) -> ReadingOut:
    """How an answer would be understood, while it is typed. Nothing is judged, kept or counted.

    attack: one answer after the other is tried out here, where no attempt is spent. defence: reading knows what the
    question shows and nothing of what is right; to ask needs no account, and makes none.
    """
    question = own_question(state_of(request), Caller(request), id)
    state_of(request).limits.spend("reading", address=credentials.address_of(request))
    try:
        return ReadingOut(read_as=read_answer(question, body.variant, body.answer), problem=None)
    except UnknownVariant:
        raise changed() from None
    except UnreadableAnswer as error:
        return ReadingOut(read_as=None, problem=ReadingProblemOut(message=error.message, hint=error.hint))
