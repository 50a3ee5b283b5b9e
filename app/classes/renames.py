"""What a class has under the name of an exercise, a quiz or a course follows it to another name.

A frozen gradebook is never changed: it keeps the names of its day.
"""

from typing import Any

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from app.classes.assignments import Assignment, Extension
from app.classes.classes import Class
from app.classes.gradebook import GradebookCell, ScoreOverride
from app.classes.lti.contexts import Context
from app.classes.lti.scores import LineItem
from app.classes.regradings import Regrading
from app.classes.rubrics import HandGrade, Rubric
from app.classes.variant_reports import VariantReport
from app.teaching.redirects import move_rows, on_moved

# Every table in which a class has something under a slug: with its kind beside it, or of exercises alone. A test finds
# a table that is missing here.
BY_KIND = (Assignment, Extension, ScoreOverride, Rubric, Regrading)
OF_EXERCISES = (GradebookCell, HandGrade, VariantReport)


def follow(db: Session, kind: str, old: str, new: str, course: str) -> None:
    """`kind`: exercise, course or lesson; `course`: of a lesson, in which a class has it as a quiz."""
    tables: tuple[Any, ...] = BY_KIND
    match kind:
        case "exercise":
            for table in (*tables, LineItem):
                move_rows(db, table, {"slug": new}, and_(table.kind == "exercise", table.slug == old))
            of_exercises: tuple[Any, ...] = OF_EXERCISES
            for table in of_exercises:
                move_rows(db, table, {"slug": new}, table.slug == old)
        case "course":
            move_rows(db, Class, {"course": new}, Class.course == old)
        case "lesson":
            theirs = select(Class.id).where(Class.course == course)
            contexts = select(Context.id).where(Context.class_id.in_(theirs))
            quiz = and_(LineItem.kind == "quiz", LineItem.slug == old, LineItem.context_id.in_(contexts))
            move_rows(db, LineItem, {"slug": new}, quiz)
            for table in tables:
                which = and_(table.kind == "quiz", table.slug == old, table.class_id.in_(theirs))
                move_rows(db, table, {"slug": new}, which)


on_moved(follow)
