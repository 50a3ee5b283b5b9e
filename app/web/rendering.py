"""Pages: one Jinja2 environment, with the filters of filters.py and the static files of assets.py.

Templates see `viewer`, `theme`, `here`, `live`, `is_demo` and `static` on every page, and fail on any other name
that was not given. `live`: with `serve --edit`, what its author is told about what they saved. `is_demo`: with
`serve --demo`, so that each page says that nothing is kept.
A browser that swaps a part of a page asks with the header `Lectern-Partial`; what it gets is a `_partial.html`.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.content.questions.table import KINDS
from app.web.assets import assets
from app.web.day import offset_in
from app.web.errors import Problem
from app.web.filters import FILTERS

ROOT = Path(__file__).resolve().parents[2]
THEMES = ("light", "dark")
HEADINGS = {
    401: "Sign in first",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    413: "Too large",
    422: "Invalid request",
    429: "Too many requests",
    503: "Temporarily unavailable",
    507: "The disk is full",
}


def render(
    request: Request, template: str, /, *, status: int = 200, headers: Mapping[str, str] | None = None, **context: Any
) -> HTMLResponse:
    return HTMLResponse(to_html(request, template, **context), status, headers)


def to_html(request: Request, template: str, /, **context: Any) -> str:
    theme = request.cookies.get("lectern_theme", "")
    context.setdefault("here", request.url.path)
    context.setdefault("offset_minutes", offset_in(request))
    context.setdefault("viewer", getattr(request.state, "viewer", None))
    context.setdefault("is_demo", request.app.state.demo is not None)
    context.setdefault("live", request.app.state.live and request.app.state.live.page(request.url.path))
    return _environment.get_template(template).render(
        theme=theme if theme in THEMES else "", static=assets.url, **context
    )


def render_problem(request: Request, problem: Problem) -> Response:
    """A problem as a page, or as a few lines where a part of a page was asked for."""
    heading = HEADINGS.get(problem.status) or ("Something went wrong" if problem.status >= 500 else "That did not work")
    template = "errors/_problem.html" if is_partial(request) else "errors/show.html"
    return render(request, template, status=problem.status, headers=problem.headers, heading=heading, problem=problem)


def is_partial(request: Request) -> bool:
    return "lectern-partial" in request.headers


def own_path(path: str) -> str:
    """Where to go back to. attack: a link that sends somebody who signs in here on to a look-alike elsewhere."""
    return path if re.fullmatch(r"/(?![/\\\\])[\x21-\x7e]*", path) else "/"


def font(name: str) -> Markup:
    """A font that the page needs at once."""
    return Markup('<link rel="preload" href="{}" as="font" type="font/woff2" crossorigin>').format(
        assets.url(f"vendor/fonts/{name}.woff2")
    )


_environment = Environment(
    loader=FileSystemLoader(ROOT / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,  # a lesson includes some thirty parts: it would look at each file's date, on every page
)
_environment.filters.update(FILTERS)
_environment.globals["font"] = font
_environment.globals["question_scripts"] = sorted({kind.WIDGET.script for kind in KINDS.values()} - {""})
_environment.globals["icon"] = _environment.get_template("_icons.html").module.icon  # type: ignore[attr-defined]
