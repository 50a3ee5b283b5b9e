"""Submissions: taken in, waited for, shown, followed."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse

from app.people.identity import Caller
from app.practice.api.exercises import FrameworkName
from app.practice.intake import Followed, LastEventId, reader, take_in, verdict_within
from app.practice.submissions import SubmissionKind
from app.state import state_of
from graders.verdict import State, Verdict

router = APIRouter(tags=["submissions"])


class NewSubmission(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    source: str
    framework: FrameworkName | None = None
    kind: SubmissionKind = "submit"
    input: dict[str, Any] | None = Field(
        None, description="For a run or a trace: a value for each argument, as literal text or JSON."
    )
    case: str | None = Field(
        None, max_length=200, description="For a trace: the name of a sample case; without it and `input`, the first."
    )
    exercise_hash: str | None = Field(
        None,
        max_length=64,
        description="The state of the exercise that you began with. If it was replaced less than a day ago, it judges.",
    )


class CaseErrorOut(BaseModel):
    type: str
    message: str | None
    line: int | None


class CaseMismatchOut(BaseModel):
    step: Literal["type", "shape", "dtype", "non_finite", "closeness"]
    text: str | None
    expected: str | None
    actual: str | None
    index: list[int] | None


class CaseOut(BaseModel):
    name: str
    sample: bool
    verdict: Verdict | None
    wall_ms: float | None
    diagnosis: str | None
    stdout: str | None
    error: CaseErrorOut | None
    mismatch: CaseMismatchOut | None


class SeenOut(BaseModel):
    """A value, summarised: never whole, but where it is small."""

    summary: str = Field(description="A summary in one line: `float32 (N, T) = (2, 4), 0 … 7`")
    type: str
    shape: list[int] | None
    dims: list[str | None] | None = Field(
        description="For each axis, the signature's dimension of that size in this case, if there is exactly one."
    )
    dtype: str | None
    low: float | int | None = Field(description="Smallest finite value; for complex numbers, of the absolute values.")
    high: float | int | None
    text: str | None = Field(description="The value itself, if it is small or not an array.")


class ChangeOut(SeenOut):
    """A local that the line bound or rebound, or that was changed `in_place`."""

    name: str
    in_place: bool


class TraceEventOut(BaseModel):
    """What a line did, a call's arguments, or a return. Loops are folded: of the `times` a line did something its
    first three are here and the last, `nth` being which."""

    kind: Literal["call", "line", "return"]
    line: int
    function: str
    depth: int
    nth: int
    times: int
    changes: list[ChangeOut]
    returned: SeenOut | None
    yielded: SeenOut | None
    raised: str | None = Field(description="The type of the exception that left the function here.")


class TraceOut(BaseModel):
    """In order of time, at most 1,000 events. `note` says why it is not all, where `cut`."""

    events: list[TraceEventOut]
    dims: dict[str, int] = Field(description="The case's named dimensions.")
    cut: bool
    note: str | None


class SubmissionOut(BaseModel):
    id: int
    exercise: str
    exercise_hash: str
    framework: FrameworkName
    kind: SubmissionKind
    state: State
    verdict: Verdict | None
    score: float | None
    summary: str | None
    diagnosis: str | None
    mistake: str | None
    queue_position: int | None
    created_at: str = Field(description="RFC 3339, UTC")
    cases: list[CaseOut]


class TracedOut(SubmissionOut):
    """A submission of kind `trace`."""

    trace: TraceOut | None


@router.post(
    "/exercises/{slug}/submissions",
    status_code=202,
    response_model=SubmissionOut,
    responses={
        200: {"model": SubmissionOut, "description": "The verdict came within `wait`."},
        202: {"description": "Accepted for judging. An acknowledged submission is never lost."},
    },
)
async def create(
    request: Request,
    slug: str,
    submission: NewSubmission,
    wait: Annotated[float, Query(ge=0, le=30, description="Seconds to wait for the verdict.")] = 0,
    idempotency_key: Annotated[str | None, Header(min_length=1, max_length=200)] = None,
) -> JSONResponse:
    """Have a source judged. The same Idempotency-Key with the same body is the same submission.

    Kind `submit` judges every case and counts for credit; `run` judges the sample cases, or `input`; `trace` follows
    one sample case, or `input`, line by line, and its answer has one more key, `trace` (the schema TracedOut).
    """
    state = state_of(request)
    received = await run_in_threadpool(
        take_in,
        state,
        Caller(request),
        slug,
        submission.source,
        framework=submission.framework,
        kind=submission.kind,
        inputs=submission.input,
        case_name=submission.case,
        key=idempotency_key,
        exercise_hash=submission.exercise_hash,
    )
    shown = await verdict_within(state, received, wait)
    return JSONResponse(
        shown.public(), 200 if shown.is_finished else 202, {"Location": f"/api/v1/submissions/{shown.id}"}
    )


@router.get("/submissions/{id}", response_model=TracedOut | SubmissionOut)
def show(request: Request, id: str) -> JSONResponse:
    """Your own; instructors see everybody's."""
    return JSONResponse(reader(state_of(request), Caller(request), id)().public())


@router.get("/submissions/{id}/events", response_class=EventSourceResponse)
async def events(
    request: Request, id: str, read: Followed, last_event_id: LastEventId = None
) -> AsyncIterator[ServerSentEvent]:
    """The submission, each time it changes; the last event is the finished one. With `Last-Event-ID` a stream goes on
    where another was cut off, at whichever server."""
    async for mark, shown in state_of(request).events.follow(int(id), read, last_event_id):
        yield ServerSentEvent(data=shown.public(), id=mark)
