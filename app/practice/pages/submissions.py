"""One submission: its page, its live panel, and the source that was sent."""

import math
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from fastapi import APIRouter, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.responses import PlainTextResponse, Response

from app.content.highlight import numbered
from app.content.highlight import rows as coloured
from app.people import identity
from app.people.identity import Caller
from app.people.permission import Wish, may
from app.practice.feedback import Feedback, feedback_on, lines_of
from app.practice.intake import Followed, LastEventId, reader
from app.practice.pages.standings import Performance, performance_briefly, performance_whole
from app.practice.submissions import Shown
from app.state import AppState, state_of
from app.web.arrays import Figure, figure_of_arrays
from app.web.arrays import figure as figure_of
from app.web.errors import JudgeCannotRun, NotFound
from app.web.outcomes import outcome_icon, outcome_tone, outcome_word
from app.web.rendering import is_partial, render, to_html
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.own_input import read_inputs
from graders.exercise.samples import arrays_of_inputs
from graders.exercise.signature import arrays_in
from graders.reasons.arrays import NamedArray
from graders.reasons.compare import view
from graders.reasons.trace import Trace, TraceEvent
from graders.verdict import ArrayView, CaseResult, State, Verdict, summary_of

router = APIRouter()


SILENT_LINES = 8  # so many in a row with nothing to tell are passed over in a trace
LINES_AROUND = 2
DRAWN_AT_ONCE = 600  # elements: of a larger array the heat maps come after the verdict


@dataclass(frozen=True)
class LineEvents:
    """What one line did in one function: once, or the first times and the last of `times`."""

    within: str  # "in the list", for what has no line of its own
    events: tuple[TraceEvent, ...]
    times: int


@dataclass(frozen=True)
class TracedLine:
    """A line of the source beside what it did; or, `number` None, so many `passed` lines with nothing to tell."""

    number: int | None
    html: str = ""
    done: tuple[LineEvents, ...] = ()
    passed: int = 0


@dataclass(frozen=True)
class Traced:
    lines: tuple[TracedLine, ...]
    dims: tuple[tuple[str, int], ...]
    note: str | None


@dataclass(frozen=True)
class JudgedAgain:
    """When, and why, as its instructor says."""

    at: datetime
    note: str | None


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
    trace: Traced | None
    figures: Mapping[int, Figure]  # by the case's place: of the opened one, unless it is large; others come when opened
    takes_arrays: bool  # some argument is an array, or has one in it
    has_newer: bool = False  # the exercise is judged otherwise now
    judged_again: JudgedAgain | None = None
    performance: Performance | None = None  # of what was accepted: its time and memory


@router.get("/submissions/{id}")
def show(request: Request, id: str) -> Response:
    state = state_of(request)
    shown = reader(state_of(request), Caller(request), id)()
    panel = panel_of(state, shown)
    if is_partial(request):
        return render(request, "practice/submissions/_status.html", panel=panel)
    exercise = state.catalog.exercises.get(panel.exercise)
    with state.db.reading() as db:
        person = identity.viewer(db, request)
        panel = replace(panel, performance=performance_whole(state, db, shown, person))
        is_own = person is not None and person.id == shown.submission.user_id
        feedback = feedback_on(db, shown.id) if is_own else Feedback()
    return render(
        request,
        "practice/submissions/show.html",
        panel=panel,
        source_html=numbered(shown.source),
        feedback=feedback,
        lines=lines_of(shown.source, feedback.remarks) if feedback.remarks else (),
        erased_at=shown.submission.erased_at,
        exercise_title=exercise.title if exercise else panel.exercise,
        stages=_stages(shown) if may(person, Wish.see_how_it_was_judged) else (),
        seed=shown.grading.seed if may(person, Wish.see_how_it_was_judged) else None,
    )


@router.get("/submissions/{id}/source")
def show_source(request: Request, id: str) -> Response:
    """Word for word, as text: what the desk puts into its editor."""
    return PlainTextResponse(reader(state_of(request), Caller(request), id)().source.encode("utf-8", "replace"))


@router.get("/submissions/{id}/cases/{number}/arrays")
def show_arrays(request: Request, id: str, number: int) -> Response:
    """The heat maps of one sample case that is wrong, `number` counted from 1: for the panel, or a page of its own."""
    shown = reader(state_of(request), Caller(request), id)()
    case = shown.cases[number - 1] if 0 < number <= len(shown.cases) else None
    # A hidden case has no arrays in its row; that it is a sample is asked all the same.
    if case is None or not case.sample or case.arrays is None:
        raise NotFound("There are no arrays to show for this case.", f"See submission {shown.id}.")
    figure = figure_of(case.arrays)
    if is_partial(request):
        return render(request, "practice/submissions/_arrays.html", figure=figure)
    exercise = state_of(request).catalog.exercises.get(shown.submission.exercise)
    title = exercise.title if exercise else shown.submission.exercise
    return render(
        request, "practice/submissions/arrays.html", figure=figure, case=case, id=shown.id, exercise_title=title
    )


@router.get("/submissions/{id}/cases/{number}/inputs")
def show_inputs(request: Request, id: str, number: int) -> Response:
    """The inputs of one sample case as heat maps, `number` counted from 1: for the panel, or a page of its own."""
    shown = reader(state_of(request), Caller(request), id)()
    case = shown.cases[number - 1] if 0 < number <= len(shown.cases) else None
    # attack: ask by number for what a hidden case was called with.
    # defence: its row says that it is none of the samples; and only samples are ever looked through below.
    if case is None or not case.sample:
        raise NotFound("There are no inputs to show for this case.", f"See submission {shown.id}.")
    state = state_of(request)
    values, arrays = _inputs(state, shown, number)
    figure = figure_of_arrays(values, arrays, whole=not is_partial(request))
    if is_partial(request):
        return render(request, "practice/submissions/_arrays.html", figure=figure)
    exercise = state.catalog.exercises.get(shown.submission.exercise)
    title = exercise.title if exercise else shown.submission.exercise
    return render(
        request, "practice/submissions/inputs.html", figure=figure, case=case, id=shown.id, exercise_title=title
    )


def _inputs(
    state: AppState, shown: Shown, number: int
) -> tuple[Mapping[str, ArrayView], Mapping[str, tuple[NamedArray, ...]]]:
    """What the sample case was called with, as the exercise had it then: (as texts, the arrays), by argument."""
    submission = shown.submission
    try:
        exercise = state.catalog.judged_by(submission.snapshot_id)
        if submission.inputs is not None:
            inputs = read_inputs(exercise, submission.inputs)
            return {name: view(value) for name, value in inputs.items()}, arrays_of_inputs(exercise, inputs)
    except (BrokenExercise, ValueError):
        raise NotFound("These inputs can no longer be read.", f"See submission {shown.id}.") from None
    samples = state.catalog.samples(exercise, state.shelf)
    if not samples:
        raise JudgeCannotRun("The sample cases cannot be shown right now.", "Try again in a minute.")
    if submission.kind == "trace":  # has one case, the one named
        found = [one for one in samples if submission.case_name in (None, one.name)][:1]
    else:
        found = samples[number - 1 : number]
    if not found:
        raise NotFound("There is no such sample case.", f"See submission {shown.id}.")
    return found[0].inputs, found[0].arrays


@router.get("/submissions/{id}/events", response_class=EventSourceResponse)
async def events(
    request: Request, id: str, read: Followed, last_event_id: LastEventId = None
) -> AsyncIterator[ServerSentEvent]:
    """The panel, rendered again each time something changed; the last one is the finished one."""
    state = state_of(request)
    async for mark, shown in state.events.follow(int(id), read, last_event_id):
        html = to_html(request, "practice/submissions/_status.html", panel=panel_of(state, shown))
        yield ServerSentEvent(raw_data=html, id=mark)


def panel_of(state: AppState, shown: Shown) -> Panel:
    grading, submission = shown.grading, shown.submission
    cases, trace = shown.cases, shown.trace
    # What a trace's one case came to is said above it; the trace itself is what was asked for.
    opened = None if trace else next((case.name for case in cases if _went_wrong(case)), None)
    return Panel(
        id=submission.id,
        exercise=submission.exercise,
        kind=submission.kind,
        framework=submission.framework,
        created_at=submission.created_at,
        state=grading.state,
        word=_word(shown),
        icon=outcome_icon(shown.verdict, submission.kind) if shown.verdict else "waiting",
        tone=outcome_tone(shown.verdict, submission.kind),
        score=grading.score,
        summary=_summary(shown, opened),
        diagnosis=grading.diagnosis,
        waiting_words=waiting_words(shown, judge_is_ready=state.judge is None or state.judge.ready()),
        cases=cases,
        opened=opened,
        trace=_traced(trace, shown.source) if trace else None,
        figures=_figures(cases, opened) if shown.is_finished else {},
        takes_arrays=_takes_arrays(state.catalog.exercises.get(submission.exercise)),
        has_newer=state.catalog.has_changed(submission.exercise, grading.snapshot_id or submission.snapshot_id),
        judged_again=_judged_again(shown),
        performance=performance_briefly(shown),
    )


def _judged_again(shown: Shown) -> JudgedAgain | None:
    grading = shown.grading
    is_again = grading.snapshot_id is not None and grading.finished_at is not None
    return JudgedAgain(grading.finished_at, grading.note) if is_again and grading.finished_at else None


def _takes_arrays(exercise: Exercise | None) -> bool:
    return exercise is not None and any(arrays_in(one.parsed) for one in exercise.signature.parameters)


def _figures(cases: tuple[CaseResult, ...], opened: str | None) -> dict[int, Figure]:
    """What stands open is drawn at once, if that is quick."""
    for n, case in enumerate(cases):
        if case.name == opened and case.arrays and math.prod(case.arrays.expected.size) <= DRAWN_AT_ONCE:
            return {n: figure_of(case.arrays)}
    return {}


def _summary(shown: Shown, opened: str | None) -> str | None:
    """Without what it says of the case whose details stand open below it, where that is said again."""
    stored = shown.grading.summary
    if not shown.cases or shown.verdict in (None, Verdict.accepted, Verdict.invalid_submission, Verdict.internal_error):
        return stored
    summary = summary_of(shown.cases)
    return summary.text(with_detail=False) if summary.total == 1 or summary.start == opened else stored


def _went_wrong(case: CaseResult) -> bool:
    return case.sample and case.verdict not in (None, Verdict.accepted)


WITHIN = {
    "<listcomp>": "in the list", "<setcomp>": "in the set", "<dictcomp>": "in the dict",
    "<genexpr>": "in the generator", "<lambda>": "in the lambda",
}  # fmt: skip


COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>")


def _traced(trace: Trace, source: str) -> Traced:
    """The source's lines, each with what it did; long stretches that did nothing are passed over."""
    by_line: dict[int, dict[tuple[str, str], list[TraceEvent]]] = {}
    for event in trace.events:
        if event.function in COMPREHENSIONS and event.returned:
            continue  # what it makes is told by the line it stands in
        by_line.setdefault(event.line, {}).setdefault((event.kind, event.function), []).append(event)
    lines: list[TracedLine] = []
    silent: list[TracedLine] = []
    for number, html in enumerate(coloured(source), 1):
        done = tuple(
            LineEvents(WITHIN.get(function, ""), tuple(events), events[-1].times)
            for (_, function), events in by_line.get(number, {}).items()
        )
        line = TracedLine(number, html, done)
        if not done:
            silent.append(line)
            continue
        lines += [*_shortened(silent, first=not lines), line]
        silent = []
    return Traced((*lines, *_shortened(silent, first=not lines, last=True)), trace.dims, trace.note)


def _shortened(silent: list[TracedLine], *, first: bool, last: bool = False) -> list[TracedLine]:
    """Without its middle; of what stands before and after everything traced, only the lines next to that."""
    before, after = 0 if first else LINES_AROUND, 0 if last else LINES_AROUND
    passed = len(silent) - before - after
    if len(silent) <= SILENT_LINES or passed <= 1:
        return silent
    return [*silent[:before], TracedLine(None, passed=passed), *silent[len(silent) - after :]]


STAGE_WORDS = {
    "queued": "Waited in the queue",
    "cases": "Made or looked up the expected outputs",
    "box": "Waited for a warm box",
    "load": "Loaded the module",
    "calls": "Ran all cases",
    "compare": "Compared",
    "diagnose": "Looked for the cause",
    "recorded": "Recorded the verdict",
}


def _stages(shown: Shown) -> tuple[tuple[str, float], ...]:
    """Where the time of a grading went, in milliseconds, in words; for instructors."""
    timed = shown.grading.stages or {}
    return tuple(
        (words, sum(timed[name]) if name == "calls" else timed[name])
        for name, words in STAGE_WORDS.items()
        if name in timed
    )


def _word(shown: Shown) -> str:
    if shown.verdict is None:
        return _state_word(shown.grading.state)
    if shown.submission.inputs is not None and not shown.cases and shown.verdict == Verdict.invalid_submission:
        return "Nothing to compare with"  # the code may be fine: it is the input that has no answer
    return outcome_word(shown.verdict, shown.submission.kind, shown.submission.inputs is not None)


def _state_word(state: str) -> str:
    return "Judging" if state == State.running else "Waiting"


def waiting_words(shown: Shown, *, judge_is_ready: bool) -> str:
    # An attempt is counted when it begins: one that waits with a count has failed, and so has one before a second.
    if shown.grading.attempt > (shown.grading.state == State.running):
        return "Judging failed because of us, not you. We are trying again; your code is saved."
    if shown.grading.state == State.running:
        judged = sum(case.verdict is not None for case in shown.cases)
        return f"{judged} of {len(shown.cases)} cases judged." if shown.cases else "Your code is being loaded."
    if not judge_is_ready:
        return "The judge is warming up. Your code is saved and will be judged as soon as it is ready."
    if shown.queue_position and shown.queue_position > 1:
        return f"Number {shown.queue_position} in the queue. Your code is saved; you can leave this page and come back."
    return "Next in the queue."
