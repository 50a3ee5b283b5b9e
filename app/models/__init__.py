"""The tables, a module a noun, and their verbs. Importing this package makes every table known to the metadata."""

from app.models import answer, course, grading, progress, submission, user

__all__ = ["answer", "course", "grading", "progress", "submission", "user"]
