"""Signing up."""

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict

from app import auth
from app.routes.api.sessions import SessionAnswer
from app.state import state_of

router = APIRouter(tags=["users"])


class NewUser(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    email: str
    password: str


@router.post("/users", status_code=201)
def create(request: Request, user: NewUser) -> SessionAnswer:
    """The caller gets an account. A guest who signs up stays the same person, with all they did."""
    state = state_of(request)
    state.limits.spend("sign_up", address=auth.address_of(request))
    return SessionAnswer.of(auth.sign_up(state.db, request, user.email, user.password))
