"""What someone answered to a question: one row an attempt, kept as given, with what an item analysis needs.

A row names the content of the question that it was an answer to. A question that is edited is another one from then
on: what was answered before stays what it was, and counts for the question as it was.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from enum import StrEnum

from sqlalchemy import JSON, CheckConstraint, Double, ForeignKey, Index, String, func, select, text, tuple_, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.content.questions.asking import Judged
from app.content.questions.question import Question
from app.db import Base, Database, Moment, now
from app.people.belongings import Belonging, Row, exported, register, take_over, wrote
from app.people.quota import add_stored, stored_bytes
from app.people.users import User
from app.quizzes.reviews import ReviewCard, new_card, review
from app.quizzes.terms import quiz_of_question, untold_to
from app.state import AppState, require_room
from app.web.errors import Invalid

MAX_SECONDS = 86_400.0
MAX_LENGTH = 20_000  # characters of the longest answer that any type takes; each has its own limit below it


class Occasion(StrEnum):
    """Where it was answered: in a lesson's text, in a sitting of a quiz, in the daily review."""

    lesson = "lesson"
    sitting = "sitting"
    review = "review"


class Answer(Base):
    """`given` is what was typed or picked, `read_as` how it was understood. `seconds` is from shown to answered, as
    the browser says. `question_hash` is None in rows from before it was kept."""

    __tablename__ = "answer"
    __table_args__ = (
        CheckConstraint("score >= 0 AND score <= 1", "score"),
        CheckConstraint("occasion IN ('lesson', 'sitting', 'review')", "occasion"),
        CheckConstraint("seconds >= 0", "seconds"),
        # covers what progress asks for, so that someone's hundred thousand answers are counted without being read
        Index("ix_answer_user_id_question", "user_id", "question", "question_hash", "correct", "score", "created_at"),
        Index("ix_answer_user_id_created_at", "user_id", "created_at"),
        Index("ix_answer_question_question_hash", "question", "question_hash"),
        Index("ix_answer_sitting_id", "sitting_id"),
        # The wrong ones alone: what is counted of each question, and its newest, without a walk over the right ones.
        Index(
            "ix_answer_wrong", "question", "question_hash", "id", "user_id",
            sqlite_where=text("correct = false"), postgresql_where=text("correct = false"),
        ),
    )  # fmt: skip

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    question: Mapped[str] = mapped_column(String(300))  # course.lesson.slug
    question_hash: Mapped[str | None] = mapped_column(String(64))
    variant: Mapped[int]
    attempt: Mapped[int]  # this person's first answer to this question is 1
    occasion: Mapped[str] = mapped_column(String(16))
    given: Mapped[object] = mapped_column(JSON)
    read_as: Mapped[str | None] = mapped_column(String(500))
    correct: Mapped[bool]
    score: Mapped[float]
    seconds: Mapped[float | None] = mapped_column(Double)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    sitting_id: Mapped[int | None] = mapped_column(ForeignKey("sitting.id", ondelete="SET NULL"))


def record_answer(
    db: Session,
    user: User,
    state: AppState,
    question: Question,
    variant: int,
    reply: object,
    judged: Judged,
    *,
    seconds: float | None = None,
    occasion: Occasion = Occasion.lesson,
) -> Answer:
    """As `add_answer`, where someone sends one: what they may send and keep is counted. Raises RateLimited,
    TooLarge."""
    state.limits.spend("answer", person=user.id)
    require_room(state, user, stored_bytes(reply))
    return add_answer(db, user.id, question, variant, reply, judged, seconds=seconds, occasion=occasion)


def add_answer(
    db: Session,
    user_id: int,
    question: Question,
    variant: int,
    reply: object,
    judged: Judged,
    *,
    seconds: float | None = None,
    occasion: Occasion = Occasion.lesson,
    sitting_id: int | None = None,
) -> Answer:
    """`db` is a writing transaction that holds the person alone (`identity.require_user`), so that attempts are counted
    without gap or double."""
    answer = Answer(
        user_id=user_id,
        question=question.id,
        question_hash=question.content_hash,
        variant=variant,
        attempt=attempts(db, user_id, [question.id]).get(question.id, 0) + 1,
        occasion=occasion,
        given=reply,
        read_as=judged.read_as and judged.read_as[:500],
        correct=judged.correct,
        score=judged.score,
        seconds=None if seconds is None else min(max(seconds, 0.0), MAX_SECONDS),
        sitting_id=sitting_id,
    )
    db.add(answer)
    db.flush()
    add_stored(db, user_id, stored_bytes(reply))
    _follow_up(db, answer, question.content_hash)
    return answer


def _follow_up(db: Session, answer: Answer, content_hash: str) -> None:
    """What was missed at the first answer comes back; what came back is scheduled again."""
    user = db.get_one(User, answer.user_id)
    card = db.get(ReviewCard, (user.id, answer.question))
    if card is not None:
        review(db, user, card, content_hash, answer.score)
    elif answer.score < 1 and _is_first(db, answer):
        new_card(db, user, answer.question, content_hash, answer.score)


def leave_unanswered(db: Session, user: User, question: Question) -> None:
    """A question that a sitting asked for nothing, and whose answer is then shown: it comes back as if missed. One
    that comes back already keeps its day, since an empty field says nothing of what is known; and what was answered
    before had its first answer then. `db` as for `add_answer`."""
    card = db.get(ReviewCard, (user.id, question.id))
    if card is not None and card.question_hash != question.content_hash:
        review(db, user, card, question.content_hash, 0.0)
    elif card is None and not _is_answered(db, user.id, question.id, question.content_hash):
        new_card(db, user, question.id, question.content_hash, 0.0)


def _is_first(db: Session, answer: Answer) -> bool:
    if answer.attempt == 1:
        return True
    return not _is_answered(db, answer.user_id, answer.question, answer.question_hash, but=answer.id)


def _is_answered(db: Session, user_id: int, question: str, content_hash: str | None, but: int = 0) -> bool:
    """Whether the question as it is now was ever answered; rows from before hashes were kept may be of it."""
    before = select(Answer.id).where(Answer.user_id == user_id, Answer.question == question, Answer.id != but)
    same = (Answer.question_hash == content_hash) | Answer.question_hash.is_(None)
    return db.scalar(before.where(same).limit(1)) is not None


def carry_over(database: Database, questions: Iterable[Question]) -> None:
    """At the start: what was answered before a question's hash was made as it is now is an answer to it still."""
    hashes = {(one.id, one.former_hash): one.content_hash for one in questions if one.former_hash != one.content_hash}
    tables: tuple[type[Answer], type[ReviewCard]] = (Answer, ReviewCard)
    for table in tables:
        key = tuple_(table.question, table.question_hash)
        with database.reading() as db:  # by these alone: a start does not read every answer that was ever given
            found = select(table.question, table.question_hash).where(key.in_(list(hashes))).distinct()
            former = [(id, name) for id, name in db.execute(found) if name is not None]
        if not former:
            continue
        with database.writing() as db:
            for id, name in former:
                of_it = table.question == id, table.question_hash == name
                changed = update(table).where(*of_it).values(question_hash=hashes[id, name])
                db.execute(changed.execution_options(synchronize_session=False))


def attempts(db: Session, user_id: int | None, questions: Sequence[str]) -> dict[str, int]:
    """How often this person has answered each of these questions (absent: never)."""
    if user_id is None or not questions:
        return {}
    counted = select(Answer.question, func.count().label("times")).where(
        Answer.user_id == user_id, Answer.question.in_(questions)
    )
    return {row.question: row.times for row in db.execute(counted.group_by(Answer.question))}


def variant_seed(user_id: int | None, question: str, attempt: int) -> str:
    """What a question's variant is drawn from: another one for each person and each attempt, the same on reload."""
    return f"{user_id or 'visitor'}:{question}:{attempt}"


def require_short(reply: object, most: int = MAX_LENGTH) -> None:
    """Raises Invalid for an answer that is longer than any can be, or than one of its type can."""
    if len(str(reply)) > most:
        raise Invalid("answer: this is too long.", f"An answer may have at most {most} characters.")


def _exported(db: Session, user_id: int) -> Iterator[Row]:
    """What their class has not told them yet comes along later."""
    untold = untold_to(db, user_id, now())
    mine = select(Answer).where(Answer.user_id == user_id).order_by(Answer.id)
    for answer in db.scalars(mine.execution_options(yield_per=500)):
        yield exported(answer, TOLD_LATER if quiz_of_question(answer.question) in untold else frozenset())
        db.expunge(answer)


TOLD_LATER = frozenset({"correct", "score"})
register(
    Belonging(
        20,
        "answers",
        "Answers to questions",
        "What you typed or picked, how it was read, whether it was right: for your progress, and so that we find and "
        "fix misleading questions.",
        Answer,
        rows=_exported,
        merge=take_over(Answer),
        worked=wrote(Answer.user_id, Answer.created_at),
    )
)
