"""Light, dark, or as the system has it: a cookie that the server renders, so that no page flashes."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.state import state_of
from app.web.rendering import THEMES, own_path

router = APIRouter()

YEAR_SECONDS = 365 * 86_400


@router.post("/theme")
def update(request: Request, theme: Annotated[str, Form()] = "", back: Annotated[str, Form()] = "/") -> Response:
    response = RedirectResponse(own_path(back), 303)
    if theme in THEMES:
        response.set_cookie(
            "lectern_theme", theme, max_age=YEAR_SECONDS, samesite="lax", secure=state_of(request).settings.is_https
        )
    else:
        response.delete_cookie("lectern_theme")
    return response
