"""Where desks used to save drafts: one that was opened before an update goes on at the API's address."""

from fastapi import APIRouter
from starlette.responses import RedirectResponse

router = APIRouter()


@router.api_route("/exercises/{slug}/drafts/{framework}", methods=["GET", "PUT"])
def moved(slug: str, framework: str) -> RedirectResponse:
    return RedirectResponse(f"/api/v1/exercises/{slug}/drafts/{framework}", 308)
