"""Questions asked one at a time, in a lesson's text and in the daily review: whom each is asked, how it is shown before
an answer and after one. (What a sitting asks is in `papers`.)"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.content.expression import UnreadableAnswer
from app.content.lesson import Lesson
from app.content.questions.asking import Judged, Presented, judge_answer, present
from app.content.questions.kind import Reply
from app.content.questions.question import Question, UnknownVariant, draw
from app.db import now
from app.people.identity import Caller
from app.people.users import User
from app.quizzes.answers import attempts, require_short, variant_seed
from app.quizzes.reviews import card_of
from app.quizzes.sittings import Sitting
from app.quizzes.terms import NONE, all_terms_of, terms_of
from app.reading.catalog import Catalog
from app.state import AppState
from app.web.errors import Conflict, Forbidden, Invalid


@dataclass(frozen=True)
class Answered:
    """An answer and what came of it, to be shown with the question: `keys` and `typed` in its fields."""

    reply: Reply = ""
    correct: bool = False
    score: float = 0.0
    read_as: str | None = None
    unreadable: str | None = None
    feedback_html: str | None = None
    explanation_html: str | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.reply,) if isinstance(self.reply, str) else tuple(self.reply)

    @property
    def pairs(self) -> Mapping[str, str]:
        return self.reply if isinstance(self.reply, dict) else {}

    @property
    def typed(self) -> str:
        return self.reply if isinstance(self.reply, str) else ""


@dataclass(frozen=True)
class ShownQuestion:
    """`shown_at`: seconds of the epoch; the form carries it, since a page without scripts measures no time itself."""

    question: Presented
    answered: Answered | None
    was_right: bool
    has_variants: bool
    shown_at: int = field(default_factory=lambda: int(now().timestamp()))
    kind: Literal["question"] = "question"


def open_question(db: Session, viewer: User | None, catalog: Catalog, id: str) -> Question:
    """As `Catalog.question`, less what counts in a class of theirs. Raises NotFound, Forbidden."""
    question = catalog.question(id)
    course, lesson, _ = id.split(".")
    require_open(db, viewer, catalog.lesson(course, lesson)[1])
    return question


def require_open(db: Session, viewer: User | None, lesson: Lesson) -> None:
    """Raises Forbidden where a class of theirs asks the questions of this quiz in attempts alone (`terms`)."""
    if lesson.is_quiz and terms_of(db, viewer, lesson.course_slug, lesson.slug).is_counted_at(now()):
        raise Forbidden(
            "In your class the questions of this quiz are only asked in an attempt.",
            f"Start an attempt on its page, {lesson.url}.",
        )


def question_for(db: Session, viewer: User | None, catalog: Catalog, id: str) -> Question:
    """What this person may answer now: what anyone may, and of a quiz that counts what comes back to them today.
    Raises NotFound, Forbidden."""
    try:
        return open_question(db, viewer, catalog, id)
    except Forbidden:
        card = card_of(db, viewer, id)
        reviewed = reviewed_by(db, viewer, catalog)
        question = reviewed(id, card.question_hash) if card and card.due_at <= now() else None
        if question is None:
            raise
        return question


def reviewed_by(db: Session, user: User | None, catalog: Catalog) -> Callable[[str, str], Question | None]:
    """Finds what may come back to this person now: `Catalog.reviewed`, less what a sitting asks them at this moment.

    attack: in the second sitting of a quiz that counts, answer in the review what the first one missed, in the very
    numbers of the second, and be told what is right. defence: while a sitting is open, nothing of its quiz comes back;
    and where a class tells the answers later, nothing before then.
    """
    at, sat, terms = now(), set[tuple[str, str]](), all_terms_of(db, user.id if user is not None else None)
    if user is not None:
        mine = select(Sitting.course, Sitting.lesson).where(Sitting.user_id == user.id)
        sat = {(row.course, row.lesson) for row in db.execute(mine.where(Sitting.submitted_at.is_(None)))}

    def reviewed(id: str, content_hash: str) -> Question | None:
        question = catalog.reviewed(id, content_hash)
        if question is None:
            return None
        course, lesson, _ = question.id.split(".")
        asked = terms.get((course, lesson), NONE)
        if not asked.tells_at(at):
            return None
        in_class = catalog.lesson(course, lesson)[1].is_quiz and asked.is_counted_at(at)
        if in_class and question.content_hash != content_hash:
            return None
        is_counted = in_class or catalog.lesson(course, lesson)[1].is_counted
        return None if is_counted and (course, lesson) in sat else question

    return reviewed


def present_to(db: Session, viewer: User | None, questions: Iterable[Question]) -> dict[str, Presented]:
    """These questions by id, each in the variant that is this person's for their next attempt."""
    user_id = viewer.id if viewer else None
    asked = list(questions)
    times = attempts(db, user_id, [question.id for question in asked])
    return {
        question.id: present(question, draw(question, variant_seed(user_id, question.id, times.get(question.id, 0))))
        for question in asked
    }


def ask(
    db: Session, viewer: User | None, questions: Iterable[Question], was_right: Callable[[Question], bool]
) -> dict[str, ShownQuestion]:
    """As `present_to`, before an answer. `was_right`: whether they are told that they got it right before."""
    asked = {question.id: question for question in questions}
    return {
        id: ShownQuestion(presented, None, was_right(asked[id]), asked[id].draws > 1)
        for id, presented in present_to(db, viewer, asked.values()).items()
    }


def judge(question: Question, variant: int, reply: Reply) -> Judged:
    """Raises Conflict when the question has changed since it was shown, Invalid for what cannot be read."""
    require_short(reply)
    try:
        return judge_answer(question, variant, reply)
    except UnknownVariant:
        raise changed() from None
    except UnreadableAnswer as error:
        raise Invalid(error.message, error.hint) from None


def changed() -> Conflict:
    return Conflict("This question has changed since you loaded it.", "Reload it, then answer.")


def own_question(state: AppState, caller: Caller, id: str) -> Question:
    """Raises NotFound, Forbidden."""
    with suppress(Forbidden):
        question = state.catalog.question(id)
        course, lesson, _ = id.split(".")
        if not state.catalog.lesson(course, lesson)[1].is_quiz:
            return question  # what anyone may answer needs nobody's name
    with state.db.reading() as db:
        return question_for(db, caller.viewer(db), state.catalog, id)
