"""The API, version 1: JSON over HTTP, described at /api/v1/openapi.json."""

from typing import Any

from fastapi import APIRouter

from app.errors import ErrorAnswer
from app.routes.api import (
    cells,
    drafts,
    exercises,
    hints,
    labs,
    me,
    progress,
    questions,
    quizzes,
    reviews,
    search,
    sessions,
    submissions,
    users,
)

_FAILURES: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer, "description": description}
    for status, description in {
        401: "No valid token or session.",
        403: "Not allowed.",
        404: "Not there, or not yours.",
        408: "The rest of the request did not come in time.",
        409: "In conflict with what is there.",
        413: "Too large.",
        421: "Asked by a name that is not this server's.",
        422: "Not as this call takes it.",
        429: "Too many at once; see Retry-After.",
        500: "Our failure.",
        503: "Not just now; see Retry-After.",
        507: "The disk is full; see Retry-After.",
    }.items()
}

router = APIRouter(prefix="/api/v1", responses=_FAILURES)
MODULES = (sessions, users, me, exercises, hints, drafts, submissions, questions, quizzes, cells, labs, progress)
for module in (*MODULES, reviews, search):
    router.include_router(module.router)
