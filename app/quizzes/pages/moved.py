"""The addresses that sittings had before, of pages and of the API, for every method.

A page that was open when the server was updated saves answers and submits there, and people keep bookmarks. Each is an
address for an address, whether or not there is such a sitting and for every sender: the new address tells that.
"""

from urllib.parse import quote

from fastapi import APIRouter
from starlette.responses import RedirectResponse

router = APIRouter()
METHODS = ["GET", "POST", "PUT"]


@router.api_route("/attempts/{id}", methods=METHODS)
@router.api_route("/attempts/{id}/{rest:path}", methods=METHODS)
def moved_page(id: str, rest: str = "") -> RedirectResponse:
    return RedirectResponse(f"/sittings/{_quoted(id, rest)}", 308)


@router.api_route("/api/v1/attempts/{id}", methods=METHODS)
@router.api_route("/api/v1/attempts/{id}/{rest:path}", methods=METHODS)
def moved_call(id: str, rest: str = "") -> RedirectResponse:
    return RedirectResponse(f"/api/v1/sittings/{_quoted(id, rest)}", 308)


@router.post("/courses/{course}/{lesson}/attempts")
def moved_start(course: str, lesson: str) -> RedirectResponse:
    return RedirectResponse(f"/courses/{quote(course, safe='')}/{quote(lesson, safe='')}/sittings", 308)


@router.post("/api/v1/quizzes/{course}/{lesson}/attempts")
def moved_start_call(course: str, lesson: str) -> RedirectResponse:
    return RedirectResponse(f"/api/v1/quizzes/{quote(course, safe='')}/{quote(lesson, safe='')}/sittings", 308)


def _quoted(id: str, rest: str) -> str:
    """attack: an address whose redirect adds a header, or leads to another site. defence: each character is quoted, and
    what comes before it is ours."""
    return f"{quote(id, safe='')}/{quote(rest)}".rstrip("/")
