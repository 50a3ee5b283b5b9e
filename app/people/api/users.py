"""Signing up."""

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict

from app.people import sessions
from app.people.api.sessions import SessionOut
from app.state import state_of

router = APIRouter(tags=["users"])


class NewUser(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    email: str
    password: str


@router.post("/users", status_code=201)
async def create(request: Request, user: NewUser) -> SessionOut:
    """The caller gets an account. A guest who signs up stays the same person, with all they did."""
    return SessionOut.of(await sessions.sign_up(state_of(request).db, request, user.email, user.password))
