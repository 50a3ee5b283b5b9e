"""Submissions on their way: checked, stored, queued, waited for and followed. For pages and the API alike."""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import structlog
from fastapi import Depends, Header
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from app.people.identity import Caller
from app.people.quota import stored_bytes
from app.people.users import User
from app.practice.drafts import keep_draft
from app.practice.submissions import (
    Order,
    Shown,
    SubmissionKind,
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
from app.web import tracing
from app.web.errors import Invalid, JudgeCannotRun, TooLarge
from app.web.limits import neighbourhood
from graders.exercise.definition import Exercise
from graders.verdict import SubmissionResult, Verdict

log = structlog.get_logger("lectern.web")


@dataclass(frozen=True)
class Received:
    """A submission that is stored, and whose it is."""

    shown: Shown
    user: User


def take_in(
    state: AppState,
    caller: Caller,
    slug: str,
    source: str,
    *,
    framework: str | None = None,
    kind: SubmissionKind = "submit",
    inputs: Mapping[str, Any] | None = None,
    case_name: str | None = None,
    key: str | None = None,
    exercise_hash: str | None = None,
) -> Received:
    """Check, store and queue a submission, for the API and for pages alike: one transaction, then the queue.

    `exercise_hash`: the state of the exercise that they began with; one that was replaced lately judges them still.

    Raises NotFound, Invalid, Conflict, RateLimited, Unauthenticated; JudgeCannotRun, with a draft kept.
    """
    exercise, snapshot_id = state.catalog.begun(slug, exercise_hash, _sender(state, caller, slug, exercise_hash))
    _require_small(inputs, state.settings)
    order = read_order(exercise, source, framework, kind, inputs, case_name)
    if case_name is not None:
        _require_sample(state, exercise, case_name)
    state.limits.spend("submission", address=caller.address)
    cannot_judge = state.judge.why_not() if state.judge is not None else None
    with tracing.span("intake", exercise=slug, framework=order.framework, kind=order.kind):
        user, shown = _stored(
            state, caller, order, key, _refusal(order, state.settings), exercise.content_hash, snapshot_id,
            tracing.current(), draft_only=cannot_judge is not None,
        )  # fmt: skip
    if shown is None:
        log.error("judge_unavailable", reason=str(cannot_judge), remedy=cannot_judge.hint if cannot_judge else None)
        raise JudgeCannotRun(
            "This server cannot judge submissions right now.",
            "Your code is saved as a draft: send it again later. Operators: run ./lectern doctor",
            headers={"Retry-After": "60"},
        )
    return Received(shown, user)


def _sender(state: AppState, caller: Caller, slug: str, exercise_hash: str | None) -> User | None:
    """Who they are, where that changes what they are judged by: an exercise without variants may have had some in the
    state that they began with. Raises NotFound, Unauthenticated."""
    current = state.catalog.exercise(slug)
    if current.variants.count == 1 and exercise_hash in (None, current.content_hash):
        return None
    with state.db.reading() as db:
        return caller.viewer(db)


def _require_small(inputs: Mapping[str, Any] | None, settings: Settings) -> None:
    """Raises TooLarge, before anything of them is read."""
    if stored_bytes(inputs) > settings.source_max_kb << 10:
        raise TooLarge(
            f"input: your inputs are larger than {settings.source_max_kb} KiB together.",
            "Use smaller arrays: a few rows are enough to see what your code does.",
        )


def _require_sample(state: AppState, exercise: Exercise, case_name: str) -> None:
    """Raises Invalid for a name that no sample case has. While the judge warms up they are not known: it will say."""
    known = [sample.name for sample in state.catalog.samples(exercise, state.shelf)]
    if known and case_name not in known:
        raise Invalid("case: there is no sample case of this name.", f"The sample cases are {', '.join(known)}.")


async def verdict_within(state: AppState, received: Received, seconds: float) -> Shown:
    """The submission when finished, or as it stands when time is up. Waiting holds neither thread nor session."""
    if received.shown.is_finished or seconds <= 0:
        return received.shown
    id, user = received.shown.id, received.user
    read = lambda: read_as(state, id, user)  # noqa: E731
    return await state.events.until_finished(id, read, seconds, state.queue.finished)


def read_as(state: AppState, id: int | str, viewer: User | None) -> Shown:
    """The submission with its place in the queue, as `viewer` may see it. Raises NotFound."""
    with state.db.reading() as db:
        shown = load_submission(db, id, viewer)
    return state.queue.placed(shown)


def _stored(
    state: AppState,
    caller: Caller,
    order: Order,
    key: str | None,
    refusal: SubmissionResult | None,
    exercise_hash: str,
    snapshot_id: int,
    trace: str,
    *,
    draft_only: bool,
) -> tuple[User, Shown | None]:
    """The submission, or an earlier one for a key seen before; None: kept as a draft."""
    near = neighbourhood(caller.address)
    with state.db.writing() as db:
        user = caller.require_user(db)  # a double click waits here, and then finds the first one's submission
        known = earlier(db, user, key, order)
        if known is None:
            state.limits.spend("submission", person=user.id)
            if draft_only and refusal is None:
                keep_draft(db, user, order)
                return user, None
            _require_place(state, user, near, order)
            state.limits.spend_bytes(caller.address, order.stored_bytes)
            if order.kind != "submit":
                let_go_of_runs(db, user, order.exercise)
            sent, grading = submit(db, user, order, snapshot_id, key, refusal, neighbourhood=near)
            is_newcomer = not has_history(db, user)
    if known is not None:
        return user, read_as(state, known, user)
    if refusal is None:
        has_inputs = order.inputs is not None
        state.queue.put(
            Waiting(
                grading.id,
                sent.id,
                user.id,
                sent,
                order.exercise,
                order.kind,
                has_inputs,
                near,
                is_newcomer,
                order.framework,
                trace,
            )
        )
    log.debug("submission_received", submission=sent.id, grading=grading.id, exercise=order.exercise, kind=order.kind)
    return user, state.queue.placed(Shown(sent, grading, exercise_hash))


def _require_place(state: AppState, user: User, near: str, order: Order) -> None:
    """Raises RateLimited and TooLarge, before anything is stored."""
    of_person, of_address = state.queue.present(user.id, near)
    state.limits.require_place(of_person, of_address)
    require_room(state, user, order.stored_bytes, of_person)


def _refusal(order: Order, settings: Settings) -> SubmissionResult | None:
    """What needs no judge to be turned down."""
    if len(order.source) <= settings.source_max_kb << 10:
        return None
    summary = f"Your source is larger than {settings.source_max_kb} KiB. Shorten it: remove any data from it."
    return SubmissionResult(Verdict.invalid_submission, 0.0, summary, None, None, ())


def reader(state: AppState, caller: Caller, id: str) -> Callable[[], Shown]:
    """Reads this submission for the caller, as often as called. Raises NotFound."""
    return _reader(state, caller, id)[1]


def _reader(state: AppState, caller: Caller, id: str) -> tuple[User | None, Callable[[], Shown]]:
    with state.db.reading() as db:
        viewer = caller.viewer(db)
        load_submission(db, id, viewer)
    return viewer, lambda: read_as(state, id, viewer)


async def followed(request: Request, id: str) -> AsyncIterator[Callable[[], Shown]]:
    """`reader` for as long as a stream lasts: so many at once. Raises NotFound, RateLimited."""
    state, caller = state_of(request), Caller(request)
    viewer, read = await run_in_threadpool(_reader, state, caller, id)
    person = viewer.id if viewer else None
    with state.limits.holding("stream", person=person, address=caller.address):
        yield read


Followed = Annotated[Callable[[], Shown], Depends(followed)]
LastEventId = Annotated[str | None, Header(description="The id of the last event that has come.")]
