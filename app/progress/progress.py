"""How far someone has come: lessons read, questions right, exercises solved."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from sqlalchemy import Row, ScalarSelect, func, select
from sqlalchemy.orm import Session

from app.content.questions.question import Question
from app.db import now
from app.people.users import User
from app.practice.gradings import Grading
from app.practice.solutions import GiveUp
from app.practice.submissions import Submission
from app.quizzes.answers import Answer
from app.quizzes.terms import quiz_of_question, untold_to
from app.reading.lessons import lessons_read


@dataclass(frozen=True)
class Read:
    course: str
    lesson: str
    read_at: datetime


@dataclass(frozen=True)
class Right:
    """A question that was answered right at least once. `hashes`: in which contents (app/quizzes/answers.py); None
    among them is an answer from before they were kept, which counts for the question as it is."""

    question: str
    first_right_at: datetime
    hashes: frozenset[str | None] = frozenset()


@dataclass(frozen=True)
class Solved:
    """An exercise with at least one accepted submission."""

    exercise: str
    first_solved_at: datetime
    gave_up_at: datetime | None = None

    @property
    def after_reading(self) -> bool:
        """Whether they had given up before, and could read the worked solution."""
        return self.gave_up_at is not None and self.gave_up_at < self.first_solved_at


@dataclass(frozen=True)
class Progress:
    lessons_read: tuple[Read, ...] = ()
    questions_right: tuple[Right, ...] = ()
    exercises_solved: tuple[Solved, ...] = ()

    def has_read(self, course: str, lesson: str) -> bool:
        return any((read.course, read.lesson) == (course, lesson) for read in self.lessons_read)

    def has_solved(self, exercise: str) -> bool:
        return any(solved.exercise == exercise for solved in self.exercises_solved)

    def solved_after_reading(self, exercise: str) -> bool:
        return any(solved.after_reading for solved in self.exercises_solved if solved.exercise == exercise)

    def is_right(self, question: Question) -> bool:
        """As it is asked now; that it was right before it was edited is told apart by `was_right`."""
        hashes = self._hashes.get(question.id, frozenset())
        return question.content_hash in hashes or None in hashes

    def was_right(self, question: str) -> bool:
        """In whatever wording."""
        return question in self._hashes

    @cached_property
    def _hashes(self) -> dict[str, frozenset[str | None]]:
        return {right.question: right.hashes for right in self.questions_right}


def progress_of(db: Session, user: User | None) -> Progress:
    """Earliest first. Nobody in particular has made none."""
    if user is None:
        return Progress()
    untold = untold_to(db, user.id, now())
    right = (
        select(Answer.question, Answer.question_hash, func.min(Answer.created_at))
        .where(Answer.user_id == user.id, Answer.correct)
        .group_by(Answer.question, Answer.question_hash)
        .order_by(func.min(Answer.created_at))
    )
    solved = (
        select(Submission.exercise, func.min(Submission.created_at), func.min(GiveUp.given_up_at))
        .join(Grading, Grading.submission_id == Submission.id)
        .outerjoin(GiveUp, (GiveUp.user_id == Submission.user_id) & (GiveUp.exercise == Submission.exercise))
        .where(Submission.user_id == user.id, Submission.kind == "submit", Grading.verdict == "accepted")
        .where(Grading.replaced_by_id.is_(None))
        .group_by(Submission.exercise)
        .order_by(func.min(Submission.created_at))
    )
    return Progress(
        tuple(Read(row.course, row.lesson, row.read_at) for row in lessons_read(db, user)),
        _rights(row for row in db.execute(right) if quiz_of_question(row.question) not in untold),
        tuple(Solved(*row) for row in db.execute(solved)),
    )


def progress_along(db: Session, user: User | None, exercises: Iterable[str]) -> Progress:
    """As `progress_of`, of no questions, and of the exercises only these: one look into an index for each, however
    much someone has sent. For pages that ask what comes next."""
    slugs = tuple(dict.fromkeys(exercises))
    if user is None:
        return Progress()
    read = tuple(Read(row.course, row.lesson, row.read_at) for row in lessons_read(db, user))
    if not slugs:
        return Progress(read)
    row = db.execute(select(*(_first_solved(user, slug) for slug in slugs))).one()
    return Progress(read, (), tuple(Solved(slug, at) for slug, at in zip(slugs, row, strict=True) if at is not None))


def _first_solved(user: User, exercise: str) -> ScalarSelect[datetime]:
    accepted = (
        select(Submission.created_at)
        .join(Grading, Grading.submission_id == Submission.id)
        .where(Submission.user_id == user.id, Submission.exercise == exercise)
        .where(Submission.kind == "submit", Grading.verdict == "accepted", Grading.replaced_by_id.is_(None))
    )
    return accepted.order_by(Submission.id).limit(1).scalar_subquery()


def _rights(rows: Iterable[Row[str, str | None, datetime]]) -> tuple[Right, ...]:
    """One a question, of rows that are one a content of it; earliest first."""
    rights: dict[str, Right] = {}
    for question, content, at in rows:
        before = rights.get(question)
        hashes = before.hashes if before else frozenset()
        rights[question] = Right(question, before.first_right_at if before else at, hashes | {content})
    return tuple(rights.values())


def best_scores(db: Session, user: User | None) -> dict[tuple[str, str | None], float]:
    """The best score in each question and content that this person has answered."""
    if user is None:
        return {}
    best = select(Answer.question, Answer.question_hash, func.max(Answer.score)).where(Answer.user_id == user.id)
    rows, untold = db.execute(best.group_by(Answer.question, Answer.question_hash)), untold_to(db, user.id, now())
    return {(row[0], row[1]): row[2] for row in rows if quiz_of_question(row[0]) not in untold}
