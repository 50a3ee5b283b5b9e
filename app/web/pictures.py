"""An author's picture, as an answer to a request."""

from starlette.responses import Response

from app.web.errors import NotFound

FIGURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


def picture(found: tuple[bytes, str] | None) -> Response:
    """`found`: its content and media type. Raises NotFound for None."""
    if found is None:
        raise NotFound("There is no such figure.")
    content, media_type = found
    # attack: an SVG with a script in it, opened by its own address. defence: no script runs on that page either.
    return Response(content, media_type=media_type, headers={"Content-Security-Policy": FIGURE_POLICY})
