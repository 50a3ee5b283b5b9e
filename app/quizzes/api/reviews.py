"""What comes back to the caller today. Answering is answering: POST /api/v1/questions/{id}/answers."""

from datetime import datetime

from fastapi import APIRouter, Request

from app.content.questions.asking import present
from app.content.questions.question import draw
from app.people import identity
from app.quizzes.answers import attempts, variant_seed
from app.quizzes.api.questions import QuestionAnswer
from app.quizzes.reviews import today_of
from app.quizzes.sittings import reviewed_by
from app.state import state_of

router = APIRouter(tags=["reviews"])


class DueAnswer(QuestionAnswer):
    """A question that is due, since the beginning of the day `due_at`."""

    due_at: datetime


@router.get("/me/reviews")
def index(request: Request) -> list[DueAnswer]:
    """The rest of today's set, in the order to ask it, each question in other numbers than the last time.

    A question comes back once its first answer was wrong, or partly right. At most twelve a day; empty: come tomorrow.
    """
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.require_viewer(db, request)
        cards = today_of(db, viewer, reviewed_by(db, state.catalog, viewer)).cards
        made = attempts(db, viewer.id, [card.question for card in cards])
    answers = []
    for card in cards:
        question = state.catalog.reviewed(card.question, card.question_hash)
        assert question is not None  # or the card would not be in today's set
        variant = draw(question, variant_seed(viewer.id, question.id, made.get(question.id, 0)))
        shown = QuestionAnswer.model_validate(present(question, variant))
        answers.append(DueAnswer(**dict(shown), due_at=card.due_at))
    return answers
