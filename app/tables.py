"""Every module with a table: importing this one makes all of them known to the metadata."""

from app.discussions import mistakes, names, posts, reports
from app.people import audit, resets, users
from app.practice import drafts, gradings, hints, outcomes, shared_solutions, sheets, solutions, standings, submissions
from app.quizzes import answers, responses, reviews, sittings
from app.reading import lessons, notes, search, snapshots
from app.teaching import authors, checks, publications, redirects, revisions, unsaved
from app.teaching import outcomes as named_outcomes
from app.web import allowances

__all__ = [
    "allowances",
    "answers",
    "audit",
    "authors",
    "checks",
    "drafts",
    "gradings",
    "hints",
    "lessons",
    "mistakes",
    "named_outcomes",
    "names",
    "notes",
    "outcomes",
    "posts",
    "publications",
    "redirects",
    "reports",
    "resets",
    "responses",
    "reviews",
    "revisions",
    "search",
    "shared_solutions",
    "sheets",
    "sittings",
    "snapshots",
    "solutions",
    "standings",
    "submissions",
    "unsaved",
    "users",
]
