"""Probes: `/healthz` says that pages answer, `/readyz` that a submission can be judged; `/metrics` for operators."""

from fastapi import APIRouter, Request
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel
from starlette.responses import Response

from app.people import identity
from app.state import state_of
from app.web.errors import JudgeCannotRun

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
            "Operators: run ./lectern doctor" if refusal else "Try again soon.",
            headers={"Retry-After": "2"},
        )
    if state.queue.is_cut_off():
        raise JudgeCannotRun(
            "The broker has turned this server away.",
            "Operators: check the name and the password in LECTERN_QUEUE",
            headers={"Retry-After": "10"},
        )
    if state.judge is None and not state.queue.can_judge():
        raise JudgeCannotRun(
            "No worker is there to judge submissions.",
            "Operators: start ./lectern worker with a worker's URL in LECTERN_QUEUE",
            headers={"Retry-After": "2"},
        )
    return Health(status="ok")


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """For staff: how many sit in class and where the judge is slow is nobody else's business."""
    state = state_of(request)
    with state.db.reading() as db:
        identity.require_staff(db, request)
    return Response(state.metrics.text(), media_type=CONTENT_TYPE_LATEST)
