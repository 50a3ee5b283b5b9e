"""Spaced review: a question that was missed comes back, tomorrow at first and then less and less often.

When is for FSRS to say (py-fsrs, with its parameters as published and nothing random): the day on which the chance
to still know it has fallen to 90 in 100. It counts in whole days of the person's own, so what is due today is due
all day, whatever the hour it was answered at. A question that was right at once has no card and does not come back.
What a sitting asked and nobody answered was missed: the sitting shows its answer.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from fsrs import Card, Rating, Scheduler, State
from sqlalchemy import CheckConstraint, Double, ForeignKey, Index, String, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.content.questions.question import Question
from app.db import Base, Moment, now
from app.people.belongings import Belonging, Row, adopt, exported, register, wrote
from app.people.users import User
from app.quizzes.terms import quiz_of_question, untold_to
from app.web.day import day_of, start_of

DAILY_SET = 12
# Without steps of minutes each answer gives an interval in days, from one up; a course is not learned for decades.
SCHEDULER = Scheduler(
    desired_retention=0.9, learning_steps=(), relearning_steps=(), maximum_interval=365, enable_fuzzing=False
)


class ReviewCard(Base):
    """A question that comes back to someone. `stability` (days) and `difficulty` (1 to 10) are FSRS's.

    `reviews` counts how often it has come back. `due_at` is the beginning of the day, theirs, on which it does next.
    """

    __tablename__ = "review_card"
    __table_args__ = (
        CheckConstraint("reviews >= 0", "reviews"),
        Index("ix_review_card_user_id_due_at", "user_id", "due_at"),
    )

    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    question: Mapped[str] = mapped_column(String(300), primary_key=True)  # course.lesson.slug
    question_hash: Mapped[str] = mapped_column(String(64))
    stability: Mapped[float] = mapped_column(Double)
    difficulty: Mapped[float] = mapped_column(Double)
    reviews: Mapped[int]
    added_at: Mapped[datetime] = mapped_column(Moment)
    last_at: Mapped[datetime] = mapped_column(Moment)
    due_at: Mapped[datetime] = mapped_column(Moment)


@dataclass(frozen=True)
class Today:
    """Today's set: what is left of it in the order to ask it, and how much of it was answered.

    `later`: how many are due beside the set. `next_at`: when the next one comes that is not due yet.
    """

    cards: tuple[ReviewCard, ...] = ()
    answered: int = 0
    later: int = 0
    next_at: datetime | None = None


def new_card(db: Session, user: User, question: str, question_hash: str, score: float) -> ReviewCard:
    """A question missed for the first time; `score` below 1."""
    at = now()
    card = ReviewCard(user_id=user.id, question=question, reviews=0, added_at=at)
    _schedule(card, None, question_hash, score, at, user.offset_minutes)
    db.add(card)
    db.flush()
    return card


def review(db: Session, user: User, card: ReviewCard, question_hash: str, score: float) -> None:
    """An answer to a question that has a card: a review when it is due, else nothing.

    A question that was edited is another one: its card begins again with this answer, due or not.
    """
    at = now()
    is_same = card.question_hash == question_hash
    if is_same and card.due_at > at:
        return
    known = (card.stability, card.difficulty, day_of(card.last_at, user.offset_minutes)) if is_same else None
    card.reviews += 1
    _schedule(card, known, question_hash, score, at, user.offset_minutes)
    db.flush()


def _schedule(
    card: ReviewCard,
    known: tuple[float, float, date] | None,
    question_hash: str,
    score: float,
    at: datetime,
    offset_minutes: int,
) -> None:
    """`known`: its stability, its difficulty and the day of the last answer; None for the first."""
    today = day_of(at, offset_minutes)
    before = Card(card_id=1)
    if known is not None:
        stability, difficulty, last = known
        before = Card(card_id=1, state=State.Review, stability=stability, difficulty=difficulty, last_review=_utc(last))
    # FSRS's "hard" still means recalled. Of several options a few are right by chance: less than half is not.
    rating = Rating.Good if score >= 1 else Rating.Hard if score >= 0.5 else Rating.Again
    after, _ = SCHEDULER.review_card(before, rating, _utc(today))
    assert after.stability is not None
    assert after.difficulty is not None
    card.question_hash, card.stability, card.difficulty = question_hash, after.stability, after.difficulty
    card.last_at, card.due_at = at, start_of(after.due.date(), offset_minutes)


def _utc(day: date) -> datetime:
    """A day as FSRS takes it: it knows moments of UTC only, and counts whole days between them."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def card_of(db: Session, user: User | None, question: str) -> ReviewCard | None:
    return db.get(ReviewCard, (user.id, question)) if user is not None else None


def today_of(
    db: Session, user: User | None, reviewed: Callable[[str, str], Question | None], *, more: bool = False
) -> Today:
    """`reviewed` (`questions.reviewed_by`) finds a card's question; what was removed waits for nobody.

    `more`: a person who has answered today's set may go on with what else is due.
    """
    if user is None:
        return Today()
    at = now()
    mine = select(ReviewCard).where(ReviewCard.user_id == user.id)
    due = [
        card
        for card in db.scalars(mine.where(ReviewCard.due_at <= at).order_by(ReviewCard.due_at, ReviewCard.question))
        if reviewed(card.question, card.question_hash)
    ]
    began = start_of(day_of(at, user.offset_minutes), user.offset_minutes)
    done = select(func.count(), func.max(ReviewCard.last_at)).where(
        ReviewCard.user_id == user.id, ReviewCard.last_at >= began, ReviewCard.reviews > 0
    )
    answered, last_at = db.execute(done).one()
    room = DAILY_SET if more else max(0, DAILY_SET - answered)
    last = None
    if last_at is not None and due:
        last = db.scalar(
            select(ReviewCard.question).where(ReviewCard.user_id == user.id, ReviewCard.last_at == last_at).limit(1)
        )
    coming = mine.where(ReviewCard.due_at > at).order_by(ReviewCard.due_at)
    next_at = next((card.due_at for card in db.scalars(coming) if reviewed(card.question, card.question_hash)), None)
    return Today(tuple(interleaved(due[:room], last and _lesson(last))), answered, len(due[room:]), next_at)


def interleaved(cards: Sequence[ReviewCard], after: str | None = None) -> list[ReviewCard]:
    """One of each lesson in turn, the oldest first; not at once of the lesson `after`, if there is another.

    What comes one lesson at a time is told apart by its place; mixed, each question has to be recognised.
    """
    lessons: dict[str, list[ReviewCard]] = {}
    for card in cards:
        lessons.setdefault(_lesson(card.question), []).append(card)
    if after in lessons:
        lessons[after] = lessons.pop(after)  # to the end
    lines = list(lessons.values())
    longest = max(map(len, lines), default=0)
    return [line[turn] for turn in range(longest) for line in lines if turn < len(line)]


def _lesson(question: str) -> str:
    return question.rpartition(".")[0]


def _merge(db: Session, _catalog: Any, guest: User, user: User) -> None:
    """Of two cards for one question the account's stays, due when the earlier of the two is."""
    for card in db.scalars(select(ReviewCard).where(ReviewCard.user_id == guest.id)).all():
        if adopt(db, card, user) is None:
            kept = db.get_one(ReviewCard, (user.id, card.question))
            kept.due_at = min(kept.due_at, card.due_at)


def _exported(db: Session, user_id: int) -> Iterator[Row]:
    """That there is a card tells that the question was missed: not while their class has not told so."""
    untold = untold_to(db, user_id, now())
    mine = select(ReviewCard).where(ReviewCard.user_id == user_id).order_by(ReviewCard.question)
    for card in db.scalars(mine).all():
        if quiz_of_question(card.question) not in untold:
            yield exported(card)


register(
    Belonging(
        40,
        "review_cards",
        "Questions for review",
        "When a question that you missed comes back.",
        ReviewCard,
        rows=_exported,
        merge=_merge,
        worked=wrote(ReviewCard.user_id, ReviewCard.last_at),
    )
)
