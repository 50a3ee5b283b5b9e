"""What the page of an exercise or a quiz says to a student of a class that assigns it: when it is due for them, and
what lateness costs."""

from collections.abc import Iterator

from sqlalchemy.orm import Session

from app.classes.agenda import policy_words, status_of
from app.classes.assignments import assigned_to
from app.classes.walltime import wall_words
from app.db import now
from app.people.due import DueDate, Kind, tell_due_dates


def due_dates(db: Session, user_id: int, kind: Kind, slug: str, course: str) -> Iterator[DueDate]:
    """Of each class in which this person is a student, that is not archived, and that shows the assignment by now."""
    at = now()
    in_course = course if kind == "quiz" else None
    for class_, assignment, extension in assigned_to(db, user_id, kind, slug=slug, course=in_course):
        if assignment.is_hidden_at(at):
            continue
        terms = assignment.terms(class_.timezone, extension)
        status = status_of(terms, None, at)
        moment = terms.opens_at if terms.opens_at is not None and at < terms.opens_at else terms.due_at
        on = "" if moment is None else f" ({wall_words(moment, class_.zone)}, {class_.timezone})"
        parts = (policy_words(terms), _attempts(terms.attempts))
        costs = "; ".join(part for part in parts if part)
        yield DueDate(class_.title, f"/classes/{class_.id}", status.words + on, status.tone, costs)


def _attempts(most: int | None) -> str:
    if most is None:
        return ""
    return "the first attempt counts" if most == 1 else f"the first {most} attempts count"


tell_due_dates(due_dates)
