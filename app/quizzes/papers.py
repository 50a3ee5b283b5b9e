"""The paper of a sitting: its questions as they are shown to the person who sits, with their answers. What was right
is on it once the sitting is submitted, and not before; where their class tells it later, not before then."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from app.content.lesson import Lesson
from app.content.questions.asking import (
    Judged,
    Presented,
    explanation_of,
    is_graded_by_hand,
    present,
    rubric_of,
)
from app.content.questions.question import Question, UnknownVariant
from app.content.quiz import QuizQuestion, quiz_of
from app.db import Database
from app.people.users import User
from app.quizzes.questions import Answered
from app.quizzes.responses import (
    ReadBack,
    SittingResponse,
    judged,
    read_back,
    response_at,
    response_beside,
    responses_of,
)
from app.quizzes.sittings import Sitting, close_due, require_sitting
from app.quizzes.terms import Withheld, withheld_from
from app.reading.catalog import Catalog
from app.web.errors import NotFound


@dataclass(frozen=True)
class PaperQuestion:
    """One question of a sitting with what was answered; `judged` and `explanation` once it is told what was right,
    `judged` None also for what was not answered or could not be read."""

    asked: QuizQuestion
    presented: Presented
    response: SittingResponse
    reading: ReadBack
    judged: Judged | None
    explanation: str | None
    rubric: str = ""  # once it is graded
    is_told: bool = False  # what was right

    @property
    def correct(self) -> bool | None:
        return self.response.correct if self.is_told else None

    @property
    def score(self) -> float | None:
        """The share of its points that was earned."""
        return self.response.score if self.is_told else None

    @property
    def comment(self) -> str | None:
        """Of the person who graded it."""
        return self.response.comment if self.is_told else None

    @property
    def is_graded(self) -> bool:
        return self.response.graded_at is not None

    @property
    def is_by_hand(self) -> bool:
        """Whether a person grades it."""
        return is_graded_by_hand(self.asked.question)

    @property
    def is_waiting(self) -> bool:
        """Whether a person has yet to grade it."""
        return self.is_by_hand and self.is_answered and not self.is_graded

    @property
    def place(self) -> int:
        return self.response.place

    @property
    def answered(self) -> Answered:
        return Answered(self.response.given or "", unreadable=self.reading.problem)

    @property
    def is_answered(self) -> bool:
        return self.response.given is not None


@dataclass(frozen=True)
class Paper:
    """`withheld`: it is submitted, and what was right is told later."""

    sitting: Sitting
    lesson: Lesson  # as it was when the sitting began
    questions: tuple[PaperQuestion, ...]
    withheld: Withheld | None = None

    @property
    def has_weights(self) -> bool:
        """Whether some question counts more than another, so that each says its points."""
        return len({question.presented.points for question in self.questions}) > 1

    def question_at(self, place: str) -> PaperQuestion:
        """The one at this place, as an address names it. Raises NotFound."""
        for question in self.questions:
            if str(question.place) == place:
                return question
        raise NotFound("There is no such question in this attempt.", "Go back to the overview.")


@dataclass(frozen=True)
class Step:
    """From one question of a sitting on to another place; None: to the overview."""

    sitting: Sitting
    question: Question
    to: int | None


def paper_of(database: Database, viewer: User, catalog: Catalog, id: str) -> Paper:
    """The sitting as it is shown to this person; one whose time is over is submitted first. Raises NotFound."""
    sitting, responses, withheld = _load(database, viewer, id)
    if sitting.is_due():
        close_due(database, catalog, sitting.user_id)
        sitting, responses, withheld = _load(database, viewer, id)
    lesson = catalog.lesson_at(sitting.snapshot_id, sitting.lesson)
    asked = {each.question.slug: each for each in quiz_of(lesson).questions}
    is_told = not sitting.is_open and withheld is None
    questions = (_shown(asked[each.slug], each, is_told) for each in responses if each.slug in asked)
    return Paper(sitting, lesson, tuple(question for question in questions if question is not None), withheld)


def _load(database: Database, viewer: User, id: str) -> tuple[Sitting, list[SittingResponse], Withheld | None]:
    """What staff read of somebody else's is withheld from nobody."""
    with database.reading() as db:
        sitting = require_sitting(db, viewer, id)
        is_own = not sitting.is_open and sitting.user_id == viewer.id
        withheld = withheld_from(db, viewer.id, sitting.course, sitting.lesson) if is_own else None
        return sitting, responses_of(db, sitting.id), withheld


def _shown(asked: QuizQuestion, response: SittingResponse, is_told: bool) -> PaperQuestion | None:
    question, variant, reply = asked.question, response.variant, response.given
    try:
        outcome = judged(question, variant, reply) if is_told else None
        explanation = explanation_of(question, variant) if is_told else None
        reading = read_back(question, variant, reply)
        rubric = rubric_of(question, variant) if is_told and response.graded_at is not None else ""
        shown = present(question, variant)
        return PaperQuestion(asked, shown, response, reading, outcome, explanation, rubric, is_told)
    except UnknownVariant:
        return None


# ---- from one question to the next ----------------------------------------------------------------------------


def find_step(db: Session, viewer: User, catalog: Catalog, id: str, place: str, go: str) -> Step:
    """From the question at this place to where `go` says: `next`, `previous`, `stay`, a place, or else the overview.

    Reads these two of the sitting's questions and no other. Raises NotFound.
    """
    sitting = require_sitting(db, viewer, id)
    questions = catalog.lesson_at(sitting.snapshot_id, sitting.lesson).questions
    response = response_at(db, sitting.id, place)
    if response is None or not _is_asked(questions, response):
        raise NotFound("There is no such question in this sitting.", "Go back to its overview.")
    return Step(sitting, questions[response.slug], _place_after(db, sitting.id, questions, response.place, go))


def _place_after(db: Session, sitting_id: int, questions: Mapping[str, Question], place: int, go: str) -> int | None:
    if go == "stay":
        return place
    if go not in ("next", "previous"):
        named = response_at(db, sitting_id, go)
        return named.place if named is not None and _is_asked(questions, named) else None
    at = place
    while (beside := response_beside(db, sitting_id, at, is_next=go == "next")) is not None:
        if _is_asked(questions, beside):
            return beside.place
        at = beside.place
    return None if go == "next" else place


def _is_asked(questions: Mapping[str, Question], response: SittingResponse) -> bool:
    """Not where this release reads the file otherwise: `present` would raise UnknownVariant."""
    question = questions.get(response.slug)
    return question is not None and 0 <= response.variant < question.variants
