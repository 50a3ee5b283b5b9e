"""Practice: questions that someone has met, asked again at any time, beside the daily review.

It asks what they have missed before, then what they have not seen for longest. What was asked today comes last, so
that a round of practice goes through everything before it repeats itself. It is an answer like any in a lesson: when a
question comes back in the review stays as it is.
"""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.content.questions.question import Question
from app.db import now
from app.people.users import User
from app.quizzes.answers import Answer
from app.quizzes.questions import open_question
from app.reading.catalog import Catalog
from app.web.day import day_of, start_of
from app.web.errors import Forbidden, NotFound


def practised_next(db: Session, user: User | None, catalog: Catalog) -> Question | None:
    """None for someone who has met no question that may be practised.

    attack: practise the questions of a quiz that counts until the next attempt at it. defence: only what anyone may
    answer at any time is asked (`open_question`); such a quiz comes back in the review alone.
    """
    if user is None:
        return None
    began = start_of(day_of(now(), user.offset_minutes), user.offset_minutes)
    seen_at = func.max(Answer.created_at)
    was_missed = func.min(Answer.score) < 1
    met = (
        select(Answer.question)
        .where(Answer.user_id == user.id)
        .group_by(Answer.question)
        .order_by(seen_at >= began, was_missed.desc(), seen_at, Answer.question)
    )
    for id in db.scalars(met):
        try:
            return open_question(db, user, catalog, id)
        except (NotFound, Forbidden):
            continue  # it is gone, or asked in attempts alone
    return None
