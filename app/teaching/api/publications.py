"""Publications: a revision that passed the gate becomes what students get."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from app.people.belongings import plain
from app.people.identity import Caller
from app.state import state_of
from app.teaching.api.revisions import FaultOut
from app.teaching.publications import MAX_WAIT_SECONDS, publish
from app.teaching.subjects import Subject, subject_of
from app.web.errors import ErrorBody

router = APIRouter(tags=["authoring"])


class NewPublication(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    revision: str = Field(max_length=64)


class NotProvedOut(BaseModel):
    error: ErrorBody
    faults: list[FaultOut]


class PublicationOut(BaseModel):
    id: int
    revision: str
    created_at: str = Field(description="RFC 3339, UTC")


NOT_PUBLISHED: dict[int | str, dict[str, Any]] = {
    422: {"model": NotProvedOut, "description": "The gate found faults in it."},
    409: {"description": "The gate has not finished within `wait`, or folder and browser are in conflict."},
}
Wait = Annotated[float, Query(ge=0, le=MAX_WAIT_SECONDS, description="Seconds to wait for the gate.")]


@router.post("/exercises/{slug}/publications", status_code=201, response_model=PublicationOut, responses=NOT_PUBLISHED)
def publish_exercise(request: Request, slug: str, sent: NewPublication, wait: Wait = 0.0) -> Response:
    """Make a revision what students get, in all processes at once; only once it has passed the gate."""
    return _publish(request, subject_of("exercise", slug), sent, wait)


@router.post("/courses/{course}/publications", status_code=201, response_model=PublicationOut, responses=NOT_PUBLISHED)
def publish_course(request: Request, course: str, sent: NewPublication, wait: Wait = 0.0) -> Response:
    """Make a revision what students get, in all processes at once; only once it has passed the gate."""
    return _publish(request, subject_of("course", course), sent, wait)


def _publish(request: Request, subject: Subject, sent: NewPublication, wait: float) -> Response:
    published = publish(state_of(request), Caller(request), subject, sent.revision, wait)
    answer = {"id": published.id, "revision": published.revision, "created_at": plain(published.created_at)}
    return JSONResponse(answer, 201, {"Cache-Control": "no-store"})
