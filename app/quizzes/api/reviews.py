"""What comes back to the caller today. Answering is answering: POST /api/v1/questions/{id}/answers."""

from datetime import datetime

from fastapi import APIRouter, Request

from app.people import identity
from app.quizzes.api.questions import QuestionOut
from app.quizzes.questions import present_to, reviewed_by
from app.quizzes.reviews import today_of
from app.state import state_of

router = APIRouter(tags=["reviews"])


class DueOut(QuestionOut):
    """A question that is due, since the beginning of the day `due_at`."""

    due_at: datetime


@router.get("/me/reviews", response_model_exclude_defaults=True)
def index(request: Request) -> list[DueOut]:
    """The rest of today's set, in the order to ask it, each question in other numbers than the last time.

    A question comes back once its first answer was wrong, or partly right. At most twelve a day; empty: come tomorrow.
    """
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.require_viewer(db, request)
        reviewed = reviewed_by(db, viewer, state.catalog)
        cards = today_of(db, viewer, reviewed).cards
        due = [question for card in cards if (question := reviewed(card.question, card.question_hash))]
        presented = present_to(db, viewer, due)
    shown = ((card, QuestionOut.model_validate(presented[card.question])) for card in cards)
    return [DueOut(**dict(question), due_at=card.due_at) for card, question in shown]
