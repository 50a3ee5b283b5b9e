"""Rulings on a question of a quiz: an answer that is right too, a question that counts no more, full credit for all,
or judged by the question as it is published now. A ruling is a regrading: a dry run first, then applied, then perhaps
taken back. While it is applied it holds for what is submitted later as well.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.classes.assignments import quizzes_of
from app.classes.classes import Class
from app.content.expression import UnreadableAnswer
from app.content.questions.asking import answer_text, is_graded_by_hand, read_answer
from app.content.questions.kind import Reply
from app.content.questions.question import Question, UnknownVariant, values_of
from app.content.substitution import substitute
from app.quizzes.answers import Answer
from app.quizzes.responses import SittingResponse, as_saved, judged, responses_of
from app.quizzes.sittings import Sitting
from app.reading.catalog import Catalog
from app.web.errors import Invalid, NotFound

Action = Literal["accept", "void", "full", "key"]
ACTIONS: Mapping[str, str] = {
    "accept": "accept this answer too",
    "void": "leave the question out",
    "full": "full credit for everybody",
    "key": "judge by the question as it is published now",
}


@dataclass(frozen=True)
class Ruling:
    """`question`: its slug in the quiz. `answer`: of "accept", with `{{name}}` for what a variant draws."""

    question: str
    action: Action
    answer: Reply | None = None

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(frozen=True)
class Outcome:
    """What a quiz attempt comes to: by place, whether an answer is right and its score; and the sums. `changed`: the
    places whose response is another."""

    responses: Mapping[int, tuple[bool | None, float | None]]
    score: float
    points: float
    changed: frozenset[int]

    @property
    def share(self) -> float:
        return self.score / self.points if self.points else 0.0


def read_ruling(catalog: Catalog, class_: Class, slug: str, question: str, action: str, answer: Any) -> Ruling:
    """Raises NotFound, Invalid."""
    if slug not in quizzes_of(catalog, class_):
        raise NotFound(f"There is no quiz called {slug[:120]!r} in the course {class_.course}.", None)
    asked = catalog.courses[class_.course].lesson(slug)
    found = asked.questions.get(question) if asked is not None else None
    if found is None:
        raise NotFound(f"There is no question called {question[:120]!r} in this quiz.", "Use its slug.")
    match action:
        case "accept":
            saved = as_saved(answer) if isinstance(answer, str | list | dict) else None
            if saved is None:
                raise Invalid("answer: say which answer is right too.", "Type it as a student would.")
            if is_graded_by_hand(found):
                raise Invalid("answer: this question is graded by hand.", "Grade its answers at /essays.")
            return Ruling(question, action, saved)
        case "void" | "full" | "key":
            return Ruling(question, action)
    raise Invalid(f"action: {action[:40]!r} is unknown.", f"Use one of {', '.join(ACTIONS)}.")


def ruled(db: Session, catalog: Catalog, sitting: Sitting, rulings: Iterable[Ruling]) -> Outcome:
    """What an attempt comes to under these rulings, one after the other. Nothing is written."""
    questions = catalog.lesson_at(sitting.snapshot_id, sitting.lesson).questions
    course = catalog.courses.get(sitting.course)
    lesson = course.lesson(sitting.lesson) if course is not None else None
    today = lesson.questions if lesson is not None else {}
    responses = responses_of(db, sitting.id)
    found = {one.place: (one.correct, one.score) for one in responses}
    voided: set[int] = set()
    for ruling in rulings:
        for one in responses:
            question = questions.get(one.slug)
            if one.slug != ruling.question or question is None:
                continue
            if ruling.action == "void":
                voided.add(one.place)
            else:
                found[one.place] = _ruled(ruling, question, today.get(one.slug), one, found[one.place])
    counted = [one for one in responses if one.slug in questions and one.place not in voided]
    points = sum(float(questions[one.slug].points) for one in counted)
    score = sum((found[one.place][1] or 0.0) * float(questions[one.slug].points) for one in counted)
    changed = frozenset(one.place for one in responses if found[one.place] != (one.correct, one.score))
    return Outcome(found, min(score, points), points, changed)


def _ruled(
    ruling: Ruling,
    question: Question,
    today: Question | None,
    response: SittingResponse,
    before: tuple[bool | None, float | None],
) -> tuple[bool | None, float | None]:
    if ruling.action == "full":
        return True, 1.0
    if ruling.action == "accept":
        is_same = response.given is not None and _is_same(question, response.variant, response.given, ruling.answer)
        return (True, 1.0) if is_same else before
    if today is None or is_graded_by_hand(today):
        return before
    try:
        outcome = judged(today, response.variant, response.given)
    except UnknownVariant:  # in numbers that it is not asked in any more
        return before
    return (outcome.correct, outcome.score) if outcome is not None else (False, 0.0)


def _is_same(question: Question, variant: int, reply: Reply, accepted: Reply | None) -> bool:
    """Whether two answers are understood alike, in the numbers of a variant."""
    try:
        if isinstance(accepted, str):
            values = values_of(question, variant)
            accepted = substitute(accepted, {**values, "answer": answer_text(question, values)})
        read = read_answer(question, variant, reply), read_answer(question, variant, accepted)
    except (UnreadableAnswer, UnknownVariant):
        read = None, None
    if read[0] is not None and read[0] == read[1]:
        return True
    return _plain(reply) == _plain(accepted)


def _plain(reply: Reply | None) -> object:
    return " ".join(reply.casefold().split()) if isinstance(reply, str) else reply


# ---- written, and taken back ----------------------------------------------------------------------------------


def write_outcome(db: Session, sitting: Sitting, outcome: Outcome) -> dict[str, Any]:
    """Writes it, and returns as JSON what takes it back. The person is held alone."""
    responses = responses_of(db, sitting.id)
    undo: dict[str, Any] = {
        "score": sitting.score,
        "points": sitting.points,
        "responses": {str(one.place): [one.correct, one.score] for one in responses if one.place in outcome.changed},
        "answers": {},
    }
    answers = {
        one.question.rpartition(".")[2]: one
        for one in db.scalars(select(Answer).where(Answer.sitting_id == sitting.id).order_by(Answer.id))
    }
    for one in responses:
        if one.place not in outcome.changed:
            continue
        one.correct, one.score = outcome.responses[one.place]
        answer = answers.get(one.slug)
        if answer is not None:
            undo["answers"][str(answer.id)] = [answer.correct, answer.score]
            answer.correct, answer.score = bool(one.correct), one.score or 0.0
    sitting.points = outcome.points
    sitting.score = outcome.score
    db.flush()
    return undo


def take_outcome_back(db: Session, sitting: Sitting, undo: Mapping[str, Any]) -> None:
    """The attempt is again what it was. The person is held alone."""
    for one in responses_of(db, sitting.id):
        if (before := undo["responses"].get(str(one.place))) is not None:
            one.correct, one.score = before
    ids = [int(id) for id in undo["answers"]]
    for answer in db.scalars(select(Answer).where(Answer.id.in_(ids))):
        answer.correct, answer.score = undo["answers"][str(answer.id)]
    sitting.points, sitting.score = undo["points"], undo["score"]
    db.flush()
