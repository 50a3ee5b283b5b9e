"""Every module with a table: importing this one makes all of them known to the metadata."""

from app.discussions import mistakes, names, posts, reports
from app.people import resets, users
from app.practice import drafts, gradings, hints, shared_solutions, solutions, standings, submissions
from app.quizzes import answers, responses, reviews, sittings
from app.reading import lessons, notes, search, snapshots

__all__ = [
    "answers",
    "drafts",
    "gradings",
    "hints",
    "lessons",
    "mistakes",
    "names",
    "notes",
    "posts",
    "reports",
    "resets",
    "responses",
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
