"""One submission: its page, its live panel, and the source that was sent."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.responses import Response

from app.highlight import numbered
from app.models.submission import Shown
from app.rendering import TONES, VERDICT_WORDS, is_partial, render, to_html
from app.routes.api.submissions import reader
from app.state import AppState, state_of
from graders.verdict import CaseResult, State, Verdict

router = APIRouter()


@dataclass(frozen=True)
class Panel:
    """The verdict, or what is known so far, in the words and marks of the page."""

    id: int
    exercise: str
    kind: str
    framework: str
    created_at: datetime
    state: str
    word: str
    icon: str
    tone: str
    score: float | None
    summary: str | None
    diagnosis: str | None
    waiting_words: str
    cases: tuple[CaseResult, ...]
    opened: str | None  # the case whose details are unfolded: the first sample case that went wrong


@router.get("/submissions/{id}")
def show(request: Request, id: str) -> Response:
    state = state_of(request)
    shown = reader(request, id)()
    panel = panel_of(state, shown)
    if is_partial(request):
        return render(request, "submissions/_status.html", panel=panel)
    exercise = state.catalog.exercises.get(panel.exercise)
    return render(
        request,
        "submissions/show.html",
        panel=panel,
        source_html=numbered(shown.source),
        exercise_title=exercise.title if exercise else panel.exercise,
    )


@router.get("/submissions/{id}/events", response_class=EventSourceResponse)
async def events(
    request: Request, id: str, read: Annotated[Callable[[], Shown], Depends(reader)]
) -> AsyncIterator[ServerSentEvent]:
    """The panel, rendered anew each time something changed; the last one is the finished one."""
    state = state_of(request)
    async for shown in state.events.follow(int(id), read):
        yield ServerSentEvent(raw_data=to_html(request, "submissions/_status.html", panel=panel_of(state, shown)))


def panel_of(state: AppState, shown: Shown) -> Panel:
    grading, submission = shown.grading, shown.submission
    cases = shown.cases
    return Panel(
        id=submission.id,
        exercise=submission.exercise,
        kind=submission.kind,
        framework=submission.framework,
        created_at=submission.created_at,
        state=grading.state,
        word=VERDICT_WORDS[shown.verdict] if shown.verdict else _state_word(grading.state),
        icon=shown.verdict or "waiting",
        tone=TONES[shown.verdict] if shown.verdict else "waiting",
        score=grading.score,
        summary=grading.summary,
        diagnosis=grading.diagnosis,
        waiting_words=_waiting_words(shown, judge_is_ready=state.judge is None or state.judge.ready()),
        cases=cases,
        opened=next(
            (case.name for case in cases if case.sample and case.verdict not in (None, Verdict.accepted)), None
        ),
    )


def _state_word(state: str) -> str:
    return "Judging" if state == State.running else "Waiting"


def _waiting_words(shown: Shown, *, judge_is_ready: bool) -> str:
    if shown.grading.state == State.running:
        judged = sum(case.verdict is not None for case in shown.cases)
        return f"{judged} of {len(shown.cases)} cases judged." if shown.cases else "Your code is being loaded."
    if not judge_is_ready:
        return "The judge is warming up. Your code is saved, and is judged as soon as it is ready."
    if shown.queue_position and shown.queue_position > 1:
        return f"Number {shown.queue_position} in the queue. It is saved; you may leave this page and come back."
    return "Next in the queue."
