"""Probes: `/healthz` says that pages answer, `/readyz` that a submission can be judged."""

from fastapi import APIRouter, Request
from pydantic import BaseModel

from app.errors import JudgeCannotRun
from app.state import state_of

router = APIRouter()


class Health(BaseModel):
    status: str


@router.get("/healthz")
async def healthz() -> Health:
    return Health(status="ok")


@router.get("/readyz")
def readyz(request: Request) -> Health:
    state = state_of(request)
    state.db.answers()
    if state.judge is not None and not state.judge.ready():
        refusal = state.judge.why_not()
        raise JudgeCannotRun(
            "This server cannot judge submissions." if refusal else "The judge is warming up.",
            "The operator: ./lectern doctor" if refusal else "Ask again.",
            headers={"Retry-After": "2"},
        )
    return Health(status="ok")
