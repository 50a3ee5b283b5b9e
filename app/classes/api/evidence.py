"""What a class understands and what not, for its staff: the figures of each page."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Literal

from fastapi import APIRouter, Request
from pydantic import AwareDatetime, BaseModel, ConfigDict
from sqlalchemy.orm import Session

from app.classes.classes import require_member
from app.classes.evidence import overview_of
from app.classes.evidence_exercises import exercise_evidence
from app.classes.evidence_lessons import lesson_evidence
from app.classes.evidence_questions import question_evidence
from app.classes.evidence_scope import Scope, scope_of
from app.classes.evidence_stuck import stuck_now
from app.classes.evidence_students import student_evidence
from app.classes.rights import Right
from app.people.identity import Caller
from app.state import state_of

router = APIRouter(tags=["classes"])
EVIDENCE = "/classes/{class_id}/evidence"


class _Figures(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class StandingOut(_Figures):
    """In students. `gave_up`: opened the worked solution and have not solved it; `came_back`: solved it after that."""

    exercise: str
    title: str
    students: int
    tried: int
    solved: int
    trying: int
    gave_up: int
    came_back: int
    not_begun: int


class QuartilesOut(_Figures):
    count: int
    lower: float
    median: float
    upper: float


class MistakeHitOut(_Figures):
    """`mistake` is null for an outcome that nobody has named; `told` is then what students read. `who`: user ids."""

    mistake: str | None
    told: str
    people: int
    solved: int
    submissions: int
    who: list[int]


class CaseHitOut(_Figures):
    name: str
    people: int


class HintOutcomeOut(_Figures):
    """Of those who opened it, `went_on` sent something afterwards; with the first of that, `better` scored higher than
    before and `accepted` solved the exercise."""

    number: int
    opened: int
    went_on: int
    better: int
    accepted: int


class ExerciseEvidenceOut(_Figures):
    """`wrong`: submissions that were not accepted. `attempts`: people by how many attempts they needed, from 1; the
    last number is for ten and more. `minutes`: from the first attempt to the one that solved it. `cases`: of the
    `failing` people who have not solved it, how many fail each case with their newest wrong submission. `unsolved`:
    user ids."""

    standing: StandingOut
    wrong: int
    attempts: list[int]
    minutes: QuartilesOut | None
    mistakes: list[MistakeHitOut]
    other_mistakes: int
    failing: int
    cases: list[CaseHitOut]
    hints: list[HintOutcomeOut]
    unsolved: list[int]


class QuestionFiguresOut(_Figures):
    """Of first answers. `difficulty`: the share that is right. `discrimination`: the correlation with the rest score,
    of `compared` people. `flags`: why the question may be broken, a sentence each."""

    question: str
    lesson: str
    students: int
    people: int
    right: int
    difficulty: float | None
    discrimination: float | None
    compared: int
    flags: list[str]


class AnswerHitOut(_Figures):
    """`formula`: what gives this answer in every variant, or "". `best`: those in the upper half by rest score. `who`:
    user ids."""

    answer: str
    formula: str
    gap: str
    is_right: bool
    told: str
    people: int
    best: int
    who: list[int]


class BandOut(_Figures):
    people: int
    right: int


class QuestionEvidenceOut(_Figures):
    """`bands`: thirds of the people by rest score, the lowest first. `later_right`: who was right only later."""

    figures: QuestionFiguresOut
    answers: list[AnswerHitOut]
    bands: list[BandOut]
    later_right: int


class StepOut(_Figures):
    """`people`: who answered it or sent something; `reached`: who did that, or anything later in the lesson."""

    kind: Literal["question", "exercise", "read"]
    slug: str
    title: str
    people: int
    reached: int


class LessonEvidenceOut(_Figures):
    lesson: str
    title: str
    students: int
    begun: int
    read: int
    steps: list[StepOut]
    questions: list[QuestionFiguresOut]


class NamedStudentOut(_Figures):
    user: int
    name: str


class EventOut(_Figures):
    """`id`: of the submission or the quiz attempt. `number`: of the hint or the quiz attempt."""

    at: datetime
    what: Literal["submission", "answer", "quiz_begun", "quiz_submitted", "lesson_read", "hint", "give_up"]
    slug: str
    title: str
    id: int | None
    number: int | None
    verdict: str | None
    mistake: str | None
    score: float | None


class StudentEvidenceOut(_Figures):
    """The newest first. `before`: what to ask for to have the next page; null on the last."""

    person: NamedStudentOut
    tried: int
    solved: int
    exercises: int
    lessons_read: int
    lessons: int
    events: list[EventOut]
    before: datetime | None


class StuckOut(_Figures):
    """`mistake`: the known one, if it is the same each time; `is_same`: whether the outcome is."""

    person: NamedStudentOut
    exercise: str
    title: str
    failed: int
    since: datetime
    last: datetime
    submission: int
    mistake: str | None
    is_same: bool
    sentence: str


class LessonFiguresOut(_Figures):
    lesson: str
    title: str
    students: int
    read: int
    asked: int
    right: int


class OverviewOut(_Figures):
    """`exercises`: those first that most people met and have not solved; `untried`: that nobody has met."""

    students: int
    stuck: list[StuckOut]
    exercises: list[StandingOut]
    untried: list[StandingOut]
    flagged: list[QuestionFiguresOut]
    lessons: list[LessonFiguresOut]


@contextmanager
def _looking(request: Request, class_id: str) -> Iterator[tuple[Session, Scope]]:
    """The door. Raises what `require_member` raises."""
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.see_evidence)
        yield db, scope_of(db, state.catalog, member.class_)


@router.get(EVIDENCE)
def index(request: Request, class_id: str) -> OverviewOut:
    """What is not understood now. For the class's staff, as all evidence."""
    with _looking(request, class_id) as (db, scope):
        return OverviewOut.model_validate(overview_of(db, scope))


@router.get(f"{EVIDENCE}/stuck")
def stuck(request: Request, class_id: str) -> list[StuckOut]:
    """Who has failed at one exercise at least six times within the last half hour, and has not solved it."""
    with _looking(request, class_id) as (db, scope):
        return [StuckOut.model_validate(one) for one in stuck_now(db, scope)]


@router.get(f"{EVIDENCE}/exercise/{{slug}}")
def exercise(request: Request, class_id: str, slug: str) -> ExerciseEvidenceOut:
    """Who solved it, after how many attempts and how long; on what they failed, and what helped."""
    state = state_of(request)
    with _looking(request, class_id) as (db, scope):
        found = exercise_evidence(db, scope, slug, state.catalog.exercises.get(slug), state.shelf)
        return ExerciseEvidenceOut.model_validate(found)


@router.get(f"{EVIDENCE}/question/{{question}}")
def question(request: Request, class_id: str, question: str) -> QuestionEvidenceOut:
    """An item analysis of first answers, and whether the question may be broken. `question`: course.lesson.slug."""
    with _looking(request, class_id) as (db, scope):
        return QuestionEvidenceOut.model_validate(question_evidence(db, scope, question))


@router.get(f"{EVIDENCE}/lesson/{{lesson}}")
def lesson(request: Request, class_id: str, lesson: str) -> LessonEvidenceOut:
    """How far its readers come, step by step."""
    with _looking(request, class_id) as (db, scope):
        return LessonEvidenceOut.model_validate(lesson_evidence(db, scope, lesson))


@router.get(f"{EVIDENCE}/student/{{user}}")
def student(request: Request, class_id: str, user: str, before: AwareDatetime | None = None) -> StudentEvidenceOut:
    """What they did in this class's course and its assignments. `before`: a moment, with its offset."""
    with _looking(request, class_id) as (db, scope):
        return StudentEvidenceOut.model_validate(student_evidence(db, scope, user, before))
