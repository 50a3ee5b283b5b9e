"""The API, version 1: JSON over HTTP, described at /api/v1/openapi.json."""

from typing import Any

from fastapi import APIRouter
from starlette.routing import Match
from starlette.types import Scope

from app.classes.api import assignments, classes, evidence, frozen, grading, regradings, similarity
from app.people.api import letters, me, sessions, users
from app.practice.api import drafts, exercises, hints, samples, submissions
from app.progress.api import progress
from app.quizzes.api import essays, questions, quizzes, reviews, sittings
from app.reading.api import cells, labs, search
from app.teaching.api import publications, revisions, unsaved
from app.web.errors import ErrorOut
from app.web.tracing import API

# A failure names its schema, not its `model`: FastAPI would build a validator for each status of each route, again in
# each application, and the first request would wait for them. One module names the model, which adds the schema.
_ERROR = {"application/json": {"schema": {"$ref": f"#/components/schemas/{ErrorOut.__name__}"}}}
_FAILURES: dict[int | str, dict[str, Any]] = {
    status: {"description": description, "content": _ERROR}
    for status, description in {
        401: "No valid token or session.",
        403: "Not allowed.",
        404: "Not found, or not yours.",
        408: "The rest of the request did not arrive in time.",
        409: "Conflicts with what is stored.",
        413: "Too large.",
        421: "Requested under a host name that is not this server's.",
        422: "Not valid for this call.",
        429: "Too many requests; see Retry-After.",
        500: "A failure on our side.",
        503: "Temporarily unavailable; see Retry-After.",
        507: "The disk is full; see Retry-After.",
    }.items()
}


class _Api(APIRouter):
    """A request tries one router after the other. So the address of a page skips all of these, and the one that
    students wait for comes first."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        return super().matches(scope) if self.prefix in scope["path"] else (Match.NONE, {})


router = _Api(prefix=API, responses=_FAILURES)
MODULES = (submissions, sessions, users, me, exercises, samples, hints, drafts, questions, quizzes, sittings, essays)
AND_MORE = (cells, labs, progress, reviews, search, revisions, publications, unsaved, letters)
CLASSES = (assignments, classes, evidence, frozen, grading, regradings, similarity)
_WITH_MODEL: dict[int | str, dict[str, Any]] = {401: {"model": ErrorOut, "description": _FAILURES[401]["description"]}}
for number, module in enumerate((*MODULES, *AND_MORE, *CLASSES)):
    router.include_router(module.router, responses=None if number else _WITH_MODEL)
