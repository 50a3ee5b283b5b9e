"""Sessions: a guest's for the asking, or one's own with e-mail and password."""

from typing import Annotated, Literal

from fastapi import APIRouter, Body, Request
from pydantic import BaseModel, ConfigDict, model_validator
from starlette.concurrency import run_in_threadpool

from app.people import identity, sessions
from app.people.identity import SignedIn
from app.state import state_of
from app.web.credentials import address_of

router = APIRouter(tags=["sessions"])


class Credentials(BaseModel):
    """Empty for a guest."""

    model_config = ConfigDict(extra="forbid", strict=True)

    email: str | None = None
    password: str | None = None

    @model_validator(mode="after")
    def _both_or_none(self) -> "Credentials":
        if (self.email is None) != (self.password is None):
            raise ValueError("give both email and password, or neither for a guest")
        return self


class Person(BaseModel):
    id: int
    role: Literal["guest", "student", "instructor", "admin"]


class SessionOut(BaseModel):
    token: str
    user: Person

    @classmethod
    def of(cls, signed_in: SignedIn) -> "SessionOut":
        return cls.model_validate(
            {"token": signed_in.token, "user": {"id": signed_in.user.id, "role": signed_in.user.role}}
        )


@router.post("/sessions", status_code=201)
async def create(request: Request, credentials: Annotated[Credentials | None, Body()] = None) -> SessionOut:
    """Sign in; with `{}`, as a guest. A guest who signs in keeps their work."""
    state = state_of(request)
    if credentials is None or credentials.email is None or credentials.password is None:
        await state.limits.spend_soon("guest", address=address_of(request))
        return SessionOut.of(await run_in_threadpool(identity.open_guest, state.db, request))
    return SessionOut.of(await sessions.sign_in(state.db, request, credentials.email, credentials.password))


@router.delete("/sessions/current", status_code=204)
def delete_current(request: Request) -> None:
    """Sign out: this token, or this cookie, is worth nothing from now on."""
    sessions.sign_out(state_of(request).db, request)
