"""The tables, a module a noun, and their verbs. Importing this package makes every table known to the metadata."""

from app.models import (
    answer,
    course,
    draft,
    grading,
    hint,
    progress,
    quiz_attempt,
    review,
    search,
    shared_solution,
    solution,
    standing,
    submission,
    user,
)

__all__ = [
    "answer",
    "course",
    "draft",
    "grading",
    "hint",
    "progress",
    "quiz_attempt",
    "review",
    "search",
    "shared_solution",
    "solution",
    "standing",
    "submission",
    "user",
]
