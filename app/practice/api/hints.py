"""Hints, one at a time."""

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from app.content.exercise import page
from app.people import identity
from app.practice.hints import open_hint
from app.state import state_of

router = APIRouter(tags=["exercises"])


class NewHint(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    number: int | None = Field(None, ge=1, description="Default: the next one. Opening a hint again changes nothing.")


class HintOut(BaseModel):
    number: int
    of: int
    html: str


@router.post("/exercises/{slug}/hints")
def create(request: Request, slug: str, hint: NewHint | None = None) -> HintOut:
    """Opens the next hint. They open strictly in order: 409 for one whose turn has not come."""
    state = state_of(request)
    state.catalog.exercise(slug)  # before anybody waits for their turn
    with state.db.writing() as db:
        user = identity.require_user(db, request)
        words = page(state.catalog.for_person(slug, user)).hints_html
        number = open_hint(db, user, slug, words, hint.number if hint else None)
    return HintOut(number=number, of=len(words), html=words[number - 1])
