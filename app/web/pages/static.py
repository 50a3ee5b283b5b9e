"""Style sheets, modules and fonts, at addresses that carry their hash; and the icon that browsers ask for unasked."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.web.assets import assets
from app.web.errors import NotFound

router = APIRouter(include_in_schema=False)


@router.get("/static/{version}/{path:path}")
async def show(request: Request, version: str, path: str) -> Response:
    asset = assets.files.get(path)
    if not asset:
        raise NotFound("There is no such file.")
    # A page from before an update may ask with the old hash: it is served, but not kept.
    headers = {"Cache-Control": "public, max-age=31536000, immutable" if version == assets.version else "no-cache"}
    if asset.zipped:
        headers["Vary"] = "Accept-Encoding"
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(asset.zipped, media_type=asset.media_type, headers={**headers, "Content-Encoding": "gzip"})
    return Response(asset.body, media_type=asset.media_type, headers=headers)


@router.get("/favicon.ico")
async def icon() -> Response:
    """img/lectern.svg in three sizes, for what shows no page of ours: a file, a feed, an error of a proxy's."""
    asset = assets.files["img/favicon.ico"]
    return Response(asset.body, media_type=asset.media_type, headers={"Cache-Control": "public, max-age=86400"})
