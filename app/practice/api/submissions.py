"""Submissions: taken in, waited for, shown, followed."""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import structlog
from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse

from app.people import identity
from app.people.quota import stored_bytes
from app.people.users import User
from app.practice.api.exercises import FrameworkName
from app.practice.drafts import keep_draft
from app.practice.submissions import (
    Kind,
    Order,
    Shown,
    earlier,
    has_history,
    let_go_of_runs,
    load_submission,
    read_order,
    submit,
)
from app.queue.turns import Waiting
from app.settings import Settings
from app.state import AppState, require_room, state_of
from app.web.errors import Invalid, JudgeCannotRun, TooLarge
from app.web.limits import neighbourhood
from graders.exercise.definition import Exercise
from graders.verdict import Result, State, Verdict

router = APIRouter(tags=["submissions"])
log = structlog.get_logger("lectern.web")


class NewSubmission(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    source: str
    framework: FrameworkName | None = None
    kind: Kind = "submit"
    input: dict[str, Any] | None = Field(
        None, description="For a run or a trace: a value for each argument, as literal text or JSON."
    )
    case: str | None = Field(
        None, max_length=200, description="For a trace: the name of a sample case; without it and `input`, the first."
    )


class CaseError(BaseModel):
    type: str
    message: str | None
    line: int | None


class CaseMismatch(BaseModel):
    step: Literal["type", "shape", "dtype", "non_finite", "closeness"]
    text: str | None
    expected: str | None
    actual: str | None
    index: list[int] | None


class CaseAnswer(BaseModel):
    name: str
    sample: bool
    verdict: Verdict | None
    wall_ms: float | None
    diagnosis: str | None
    stdout: str | None
    error: CaseError | None
    mismatch: CaseMismatch | None


class SeenAnswer(BaseModel):
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


class ChangeAnswer(SeenAnswer):
    """A local that the line bound or rebound, or that was changed `in_place`."""

    name: str
    in_place: bool


class TraceEventAnswer(BaseModel):
    """What a line did, a call's arguments, or a return. Loops are folded: of the `times` a line did something its
    first three are here and the last, `nth` being which."""

    kind: Literal["call", "line", "return"]
    line: int
    function: str
    depth: int
    nth: int
    times: int
    changes: list[ChangeAnswer]
    returned: SeenAnswer | None
    yielded: SeenAnswer | None
    raised: str | None = Field(description="The type of the exception that left the function here.")


class TraceAnswer(BaseModel):
    """In order of time, at most 1,000 events. `note` says why it is not all, where `cut`."""

    events: list[TraceEventAnswer]
    dims: dict[str, int] = Field(description="The case's named dimensions.")
    cut: bool
    note: str | None


class SubmissionAnswer(BaseModel):
    id: int
    exercise: str
    exercise_hash: str
    framework: FrameworkName
    kind: Kind
    state: State
    verdict: Verdict | None
    score: float | None
    summary: str | None
    diagnosis: str | None
    mistake: str | None
    queue_position: int | None
    created_at: str = Field(description="RFC 3339, UTC")
    cases: list[CaseAnswer]


class TracedAnswer(SubmissionAnswer):
    """A submission of kind `trace`."""

    trace: TraceAnswer | None


@router.post(
    "/exercises/{slug}/submissions",
    status_code=202,
    response_model=SubmissionAnswer,
    responses={
        200: {"model": SubmissionAnswer, "description": "The verdict came within `wait`."},
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
    one sample case, or `input`, line by line, and its answer has one more key, `trace` (the schema TracedAnswer).
    """
    taken = await run_in_threadpool(
        take_in,
        request,
        slug,
        submission.source,
        framework=submission.framework,
        kind=submission.kind,
        inputs=submission.input,
        case_name=submission.case,
        key=idempotency_key,
    )
    shown = await verdict_within(request, taken, wait)
    return JSONResponse(
        shown.public(), 200 if shown.is_finished else 202, {"Location": f"/api/v1/submissions/{shown.id}"}
    )


@router.get("/submissions/{id}", response_model=TracedAnswer | SubmissionAnswer)
def show(request: Request, id: str) -> JSONResponse:
    """Your own; instructors see everybody's."""
    return JSONResponse(reader(request, id)().public())


def reader(request: Request, id: str) -> Callable[[], Shown]:
    """Reads this submission for whoever asks, as often as called. Raises NotFound."""
    return _reader(request, id)[1]


def _reader(request: Request, id: str) -> tuple[User | None, Callable[[], Shown]]:
    with state_of(request).db.reading() as db:
        viewer = identity.viewer(db, request)
        load_submission(db, id, viewer)
    return viewer, lambda: read_as(request, id, viewer)


async def followed(request: Request, id: str) -> AsyncIterator[Callable[[], Shown]]:
    """`reader` for as long as a stream lasts: so many at once. Raises NotFound, RateLimited."""
    viewer, read = await run_in_threadpool(_reader, request, id)
    person = viewer.id if viewer else None
    with state_of(request).limits.holding("stream", person=person, address=identity.address_of(request)):
        yield read


Followed = Annotated[Callable[[], Shown], Depends(followed)]


@router.get("/submissions/{id}/events", response_class=EventSourceResponse)
async def events(request: Request, id: str, read: Followed) -> AsyncIterator[ServerSentEvent]:
    """The submission, each time it changes; the last event is the finished one."""
    async for shown in state_of(request).events.follow(int(id), read):
        yield ServerSentEvent(data=shown.public())


@dataclass(frozen=True)
class Taken:
    """A submission that is in, and whose it is."""

    shown: Shown
    user: User


def take_in(
    request: Request,
    slug: str,
    source: str,
    *,
    framework: str | None = None,
    kind: Kind = "submit",
    inputs: Mapping[str, Any] | None = None,
    case_name: str | None = None,
    key: str | None = None,
) -> Taken:
    """Check, store and queue a submission, for the API and for pages alike: one transaction, then the queue.

    Raises NotFound, Invalid, Conflict, RateLimited, Unauthenticated; JudgeCannotRun, with a draft kept.
    """
    state = state_of(request)
    exercise = state.catalog.exercise(slug)
    _require_small(inputs, state.settings)
    order = read_order(exercise, source, framework, kind, inputs, case_name)
    if case_name is not None:
        _require_sample(state, exercise, case_name)
    state.limits.spend("submission", address=identity.address_of(request))
    cannot_judge = state.judge.why_not() if state.judge is not None else None
    user, shown = _stored(
        request, order, key, _refusal(order, state.settings), exercise.content_hash, draft_only=cannot_judge is not None
    )
    if shown is None:
        log.error("judge_unavailable", reason=str(cannot_judge), remedy=cannot_judge.hint if cannot_judge else None)
        raise JudgeCannotRun(
            "This server cannot judge submissions right now.",
            "Your code is saved as a draft: send it again later. Operators: run ./lectern doctor",
            headers={"Retry-After": "60"},
        )
    return Taken(shown, user)


def _require_small(inputs: Mapping[str, Any] | None, settings: Settings) -> None:
    """Raises TooLarge, before anything of them is read."""
    if stored_bytes(inputs) > settings.source_max_kb << 10:
        raise TooLarge(
            f"input: your inputs are larger than {settings.source_max_kb} KiB together.",
            "Use smaller arrays: a few rows are enough to see what your code does.",
        )


def _require_sample(state: AppState, exercise: Exercise, case_name: str) -> None:
    """Raises Invalid for a name that no sample case has. While the judge warms up they are not known: it will say."""
    known = [sample.name for sample in state.catalog.samples(exercise, state.judge)]
    if known and case_name not in known:
        raise Invalid("case: there is no sample case of this name.", f"The sample cases are {', '.join(known)}.")


async def verdict_within(request: Request, taken: Taken, seconds: float) -> Shown:
    """The submission when finished, or as it stands when time is up. Waiting holds neither thread nor session."""
    if taken.shown.is_finished or seconds <= 0:
        return taken.shown
    read = lambda: read_as(request, taken.shown.id, taken.user)  # noqa: E731
    return await state_of(request).events.until_finished(taken.shown.id, read, seconds)


def read_as(request: Request, id: int | str, viewer: User | None) -> Shown:
    state = state_of(request)
    with state.db.reading() as db:
        shown = load_submission(db, id, viewer)
    return state.queue.placed(shown)


def _stored(
    request: Request, order: Order, key: str | None, refusal: Result | None, exercise_hash: str, *, draft_only: bool
) -> tuple[User, Shown | None]:
    """The submission, or an earlier one for a key seen before; None: kept as a draft."""
    state = state_of(request)
    address = identity.address_of(request)
    near = neighbourhood(address)
    with state.db.writing() as db:
        user = identity.require_user(
            db, request
        )  # a double click waits here, and then finds the first one's submission
        known = earlier(db, user, key, order)
        if known is None:
            state.limits.spend("submission", person=user.id)
            if draft_only and refusal is None:
                keep_draft(db, user, order)
                return user, None
            _require_place(state, user, near, order)
            state.limits.spend_bytes(address, order.stored_bytes)
            if order.kind != "submit":
                let_go_of_runs(db, user, order.exercise)
            snapshot_id = state.catalog.snapshot_ids[order.exercise]
            sent, grading = submit(db, user, order, snapshot_id, key, refusal, neighbourhood=near)
            is_newcomer = not has_history(db, user)
    if known is not None:
        return user, read_as(request, known, user)
    if refusal is None:
        has_inputs = order.inputs is not None
        state.queue.put(
            Waiting(grading.id, sent.id, user.id, sent, order.exercise, order.kind, has_inputs, near, is_newcomer)
        )
    return user, state.queue.placed(Shown(sent, grading, exercise_hash))


def _require_place(state: AppState, user: User, near: str, order: Order) -> None:
    """Raises RateLimited and TooLarge, before anything is stored."""
    of_person, of_address = state.queue.present(user.id, near)
    state.limits.require_place(of_person, of_address)
    require_room(state, user, order.stored_bytes, of_person)


def _refusal(order: Order, settings: Settings) -> Result | None:
    """What needs no judge to be turned down."""
    if len(order.source) <= settings.source_max_kb << 10:
        return None
    summary = f"Your source is larger than {settings.source_max_kb} KiB. Shorten it: remove any data from it."
    return Result(Verdict.invalid_submission, 0.0, summary, None, None, ())
