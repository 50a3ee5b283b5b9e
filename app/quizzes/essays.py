"""Answers that a person grades: which ones wait, and the grade, in points and with a comment.

A sitting that is submitted with such an answer has the score of its other answers until the last grade is there. A
grade may be changed; each time the sitting's score is added up again.
"""

import re
from dataclasses import dataclass

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.content.questions.asking import Presented, is_graded_by_hand, present, rubric_of
from app.content.questions.question import Question, UnknownVariant
from app.db import now
from app.people.audit import Thing, note
from app.people.identity import Caller
from app.people.permission import Wish, may
from app.people.users import User, hold
from app.quizzes.responses import SittingResponse, response_at, responses_of
from app.quizzes.sittings import Sitting, require_sitting
from app.reading.catalog import Catalog
from app.state import AppState
from app.web.errors import Forbidden, Invalid, NotFound
from graders.text import storable

log = structlog.get_logger("lectern.quizzes")

LISTED = 100  # sittings at once, those that wait longest first
MAX_COMMENT = 5000


@dataclass(frozen=True)
class Essay:
    """One answer to be graded, or graded. `rubric` is HTML, empty for none."""

    sitting: Sitting
    response: SittingResponse
    question: Question
    presented: Presented
    rubric: str

    @property
    def is_waiting(self) -> bool:
        return self.response.score is None

    @property
    def points(self) -> float | None:
        return None if self.response.score is None else self.response.score * self.presented.points


def waiting_essays(db: Session, viewer: User | None, catalog: Catalog) -> list[Essay]:
    """Of the sittings that wait longest. Raises Forbidden."""
    _require_grader(viewer)
    oldest = select(Sitting).where(Sitting.waiting > 0).order_by(Sitting.submitted_at, Sitting.id).limit(LISTED)
    found = ((sitting, response) for sitting in db.scalars(oldest).all() for response in responses_of(db, sitting.id))
    essays = (_essay(catalog, sitting, response) for sitting, response in found if response.score is None)
    return [essay for essay in essays if essay is not None]


def find_essay(db: Session, viewer: User | None, catalog: Catalog, id: str, place: str) -> Essay:
    """Raises Forbidden, NotFound."""
    _require_grader(viewer)
    essay = essay_in(db, catalog, require_sitting(db, viewer, id), place)
    if essay is None:
        raise NotFound("There is no such answer to grade.", "GET /essays lists those that wait.")
    return essay


def essay_in(db: Session, catalog: Catalog, sitting: Sitting, place: str) -> Essay | None:
    """The answer at this place, no matter who asks: for those who have a door of their own before it."""
    response = None if sitting.is_open else response_at(db, sitting.id, place)
    return _essay(catalog, sitting, response) if response and response.given is not None else None


def essays_in(db: Session, catalog: Catalog, sitting: Sitting) -> list[Essay]:
    """Those of one sitting that wait, as `essay_in`."""
    waiting = (response for response in responses_of(db, sitting.id) if response.score is None)
    essays = (_essay(catalog, sitting, response) for response in waiting if response.given is not None)
    return [essay for essay in essays if essay is not None]


def grade_essay(state: AppState, caller: Caller, id: str, place: str, points: str, comment: str) -> Essay:
    """Points of those that the question has, and what the student is told. Raises Forbidden, NotFound, Invalid."""
    with state.db.writing() as db:
        grader = caller.require_viewer(db, writes=True)
        essay = find_essay(db, grader, state.catalog, id, place)
        hold(db, essay.sitting.user_id)
        essay = find_essay(db, grader, state.catalog, id, place)  # as it is, now that nobody else writes
        put_grade(db, state.catalog, grader, essay, points, comment)
    return essay


def put_grade(db: Session, catalog: Catalog, grader: User, essay: Essay, points: str, comment: str) -> None:
    """As `grade_essay`, of an answer as it is now; its person is held alone. Raises Invalid."""
    score = _points_in(points, essay.presented.points) / essay.presented.points
    if len(comment) > MAX_COMMENT:
        raise Invalid("comment: this is too long.", f"A comment may have at most {MAX_COMMENT} characters.")
    if essay.is_waiting:
        essay.sitting.waiting -= 1
    essay.response.correct, essay.response.score = score == 1, score
    essay.response.comment, essay.response.graded_at = storable(comment).strip() or None, now()
    _add_up(db, catalog, essay.sitting)
    db.flush()
    detail = {"place": essay.response.place, "points": points.strip()}
    note(db, grader, Thing("sitting", str(essay.sitting.id)), "answer graded", detail)
    log.info("essay_graded", sitting=essay.sitting.id, place=essay.response.place, grader=grader.id)


def _require_grader(viewer: User | None) -> None:
    if not may(viewer, Wish.grade_answers):
        raise Forbidden("Only staff grade answers.", "Sign in as an instructor.")


def _essay(catalog: Catalog, sitting: Sitting, response: SittingResponse) -> Essay | None:
    """None for what is not graded by hand, and for what this release reads otherwise."""
    question = catalog.lesson_at(sitting.snapshot_id, sitting.lesson).questions.get(response.slug)
    if question is None or not is_graded_by_hand(question):
        return None
    try:
        presented = present(question, response.variant)
        return Essay(sitting, response, question, presented, rubric_of(question, response.variant))
    except UnknownVariant:
        return None


def _points_in(text: str, most: float) -> float:
    points = float(text) if re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,2})?", text.strip()) else -1.0
    if not 0 <= points <= most:
        raise Invalid(f"points: `{text[:20]}` is not a number from 0 to {most:g}.", "Use at most two decimals.")
    return points


def _add_up(db: Session, catalog: Catalog, sitting: Sitting) -> None:
    questions = catalog.lesson_at(sitting.snapshot_id, sitting.lesson).questions
    earned = (
        (response.score or 0.0) * float(questions[response.slug].points)
        for response in responses_of(db, sitting.id)
        if response.slug in questions
    )
    sitting.score = min(sum(earned), sitting.points)
