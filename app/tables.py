"""Every module with a table: importing this one makes all of them known to the metadata."""

from app.people import users
from app.practice import drafts, gradings, hints, shared_solutions, solutions, standings, submissions
from app.progress import progress
from app.quizzes import answers, reviews, sittings
from app.reading import search, snapshots

__all__ = [
    "answers",
    "drafts",
    "gradings",
    "hints",
    "progress",
    "reviews",
    "search",
    "shared_solutions",
    "sittings",
    "snapshots",
    "solutions",
    "standings",
    "submissions",
    "users",
]
