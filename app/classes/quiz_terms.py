"""What classes ask of their students' attempts at assigned quizzes, for `app.quizzes.terms`: a class that is archived
asks nothing, nor does one of its staff."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from app.classes.assignments import assigned_to
from app.classes.lateness import Terms
from app.quizzes.terms import NEVER, Quiz, SittingTerms, ask_for_terms


def quiz_terms(db: Session, user_id: int, quiz: Quiz | None = None) -> Iterator[SittingTerms]:
    """Of each class in which this person is a student and the quiz is assigned; None: of every quiz."""
    course, slug = quiz or (None, None)
    for class_, assignment, extension in assigned_to(db, user_id, "quiz", slug=slug, course=course):
        terms = assignment.terms(class_.timezone, extension)
        yield SittingTerms(
            quiz=(class_.course, assignment.slug),
            class_id=class_.id,
            attempts=assignment.attempts,
            at_least=extension.attempts if extension is not None else None,
            opens_at=terms.opens_at,
            closes_at=terms.closes_at,
            access_code=assignment.access_code,
            answers_from=_answers_from(assignment.answers_shown, terms),
        )


def _answers_from(shown: str, terms: Terms) -> datetime | None:
    """What is never due is waited for until it closes, and what never closes until it is due; without either date
    nothing is told until it has one."""
    due = None if terms.due_at is None else terms.due_at + timedelta(minutes=terms.grace_minutes)
    if shown == "submitted":
        return None
    return (due or terms.closes_at or NEVER) if shown == "due" else (terms.closes_at or due or NEVER)


ask_for_terms(quiz_terms)
