"""What goes wrong on our side of the wire, in one shape: a code, what happened, and what to do about it.

Raise a `Problem` anywhere below a route. `/api` answers it as JSON, a page as a page.
"""

from collections.abc import Callable, Mapping
from typing import Any

import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Match

from graders.text import storable

log = structlog.get_logger("lectern.web")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class Problem(Exception):
    """`message` and `hint` may quote what was sent. `link`: where its page leads on to, an address and its words.

    attack: half a surrogate pair, which JSON can say and no answer can be sent with. defence: it is quoted as a sign.
    """

    status = 500
    code = "internal"

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        status: int | None = None,
        link: tuple[str, str] = ("/", "Go to the courses"),
    ) -> None:
        super().__init__(message)
        self.message, self.hint = storable(message), hint and storable(hint)
        self.headers = dict(headers or {})
        self.status = status or type(self).status
        self.link = link

    def public(self) -> dict[str, Any]:
        return {"error": {"code": self.code, "message": self.message, "hint": self.hint}}


class NotFound(Problem):
    status, code = 404, "not_found"


class Unauthenticated(Problem):
    status, code = 401, "unauthenticated"


class Forbidden(Problem):
    status, code = 403, "forbidden"


class Invalid(Problem):
    status, code = 422, "invalid"


class Conflict(Problem):
    status, code = 409, "conflict"


class TooLarge(Problem):
    status, code = 413, "too_large"


class RateLimited(Problem):
    status, code = 429, "rate_limited"


class JudgeCannotRun(Problem):
    status, code = 503, "judge_unavailable"


class Passing(HTTPException):
    """A problem met while a body is read: the one kind of exception that passes through its reader."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.status, problem.message, problem.headers)
        self.problem = problem


class ErrorBody(BaseModel):
    code: str
    message: str
    hint: str | None


class ErrorOut(BaseModel):
    """What every failing call answers."""

    error: ErrorBody


def install(app: FastAPI) -> None:
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _validation)
    for kind in (OperationalError, InterfaceError, PoolTimeout):
        app.add_exception_handler(kind, _database)


def respond(request: Request, problem: Problem) -> Response:
    """The answer to a problem: JSON under /api (and for probes), a designed page elsewhere."""
    if is_api(request.url.path):
        return JSONResponse(problem.public(), problem.status, problem.headers)
    page: Callable[[Request, Problem], Response] = request.app.state.problem_page
    return page(request, problem)


def is_api(path: str) -> bool:
    return path == "/api" or path.startswith("/api/") or path in ("/healthz", "/readyz")


def unexpected(request: Request, error: Exception) -> Response:
    """A fault of ours: logged with its traceback, told without."""
    log.error("request_failed", method=request.method, path=request.url.path, exc_info=error)
    return respond(request, Problem("Something went wrong on our side.", "We have logged it. Try again in a moment."))


def restarting() -> Problem:
    """What a server that ends tells those it cannot wait for."""
    hint = "Nothing was lost. Try again in a moment."
    return Problem("This server is restarting.", hint, headers={"Retry-After": "5"}, status=503)


async def _problem(request: Request, error: Exception) -> Response:
    """What is not there any more may be somewhere else: 308 keeps the method, and the body that came along."""
    assert isinstance(error, Problem)
    if error.status == 404:
        moved: Callable[[str], str | None] = request.app.state.moved
        if (place := await run_in_threadpool(moved, request.url.path)) is not None:
            query = f"?{request.url.query}" if request.url.query else ""
            return RedirectResponse(place + query, 308)
    return respond(request, error)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return respond(request, _from_http(request, error))


def _from_http(request: Request, error: HTTPException) -> Problem:
    if isinstance(error, Passing):
        return error.problem
    headers = error.headers
    match error.status_code:
        case 404:
            return NotFound("There is nothing at this address.", "Check the address.", headers=headers)
        case 405:
            allow = ", ".join(_methods(request))
            hint = f"Use {allow}." if allow else None
            return Invalid(f"This address does not allow {request.method}.", hint, headers={"Allow": allow}, status=405)
        case 413:
            return TooLarge("The request is too large.", "Send less at once.", headers=headers)
        case 400:
            return Invalid("We could not read the request body.", "Send UTF-8 JSON.", headers=headers)
        case 401:
            return Unauthenticated("Sign in first.", headers=headers)
        case 403:
            return Forbidden("This is not allowed.", headers=headers)
        case status if status < 500:
            return Invalid(str(error.detail), headers=headers, status=status)
        case status:
            return Problem(str(error.detail), headers=headers, status=status)


def _methods(request: Request) -> list[str]:
    """Every method that a route of this path takes. Starlette knows only the first route's; HEAD is Edge's."""
    asked = {method for method in METHODS if _takes(request, method)}
    if "GET" in asked and not is_stream(request.url.path):
        asked.add("HEAD")
    return sorted(asked)


def _takes(request: Request, method: str) -> bool:
    scope = {**request.scope, "method": method}
    return any(route.matches(scope)[0] == Match.FULL for route in request.app.router.routes)


def is_stream(path: str) -> bool:
    """A stream of events is nothing but its body: it takes GET alone."""
    return path.endswith("/events")


async def _validation(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return respond(
        request,
        Invalid(
            "; ".join(_sentence(one) for one in error.errors()[:3]),
            "See /api/v1/openapi.json for what this call accepts." if is_api(request.url.path) else None,
        ),
    )


def _sentence(one: Mapping[str, Any]) -> str:
    where = ".".join(str(part) for part in one["loc"][1:]) or str(one["loc"][0])
    if one["type"] == "json_invalid":
        return f"The body is not JSON: {one.get('ctx', {}).get('error', 'it does not parse')}"
    return f"{where}: {one['msg']}"


async def _database(request: Request, error: Exception) -> Response:
    """Down, locked for too long, or its disk full: a wait may cure it, and nothing was half done."""
    cause = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    log.error("database_unavailable", method=request.method, path=request.url.path, cause=cause)
    full = "disk is full" in cause or "No space left" in cause
    message = "This server's disk is full." if full else "The database cannot be reached right now."
    return respond(
        request,
        Problem(
            message,
            "What was saved is safe. What you just sent may not be saved: try again in a moment.",
            headers={"Retry-After": "5"},
            status=507 if full else 503,
        ),
    )
