"""Exercises: the list, the desk to work one at, and what is sent from it."""

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Header, Query, Request
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app.content.exercise import page
from app.content.picture import figure_in
from app.db import ID_MAX
from app.discussions.subjects import of_exercise
from app.discussions.threads import folds_of
from app.people import identity
from app.people.due import due_dates
from app.people.identity import Caller
from app.people.permission import Wish, may
from app.people.users import User
from app.practice.drafts import Newest, newest
from app.practice.exercises import chosen, met
from app.practice.hints import hints_of
from app.practice.intake import take_in, verdict_within
from app.practice.pages.submissions import panel_of
from app.practice.solutions import access_of
from app.practice.submissions import InvalidInput, Listed, SubmissionKind, Which, load_submission, submissions_of
from app.progress.progress import progress_along, progress_of
from app.progress.way import WayOn, after_exercise
from app.reading.catalog import Catalog
from app.reading.embedded import exercises_along, places_of
from app.state import can_make_cases, state_of
from app.web.arrays import figure_of_arrays
from app.web.errors import JudgeCannotRun, NotFound
from app.web.pictures import picture
from app.web.rendering import is_partial, render
from graders.exercise.built import is_broken
from graders.exercise.definition import Exercise
from graders.exercise.literal import example
from graders.exercise.materials import data_in
from graders.exercise.samples import RETURNS, SampleCase
from graders.frameworks import FRAMEWORKS

router = APIRouter()

VERDICT_WAIT_SECONDS = 0.3
HISTORY_LINES = 12


@dataclass(frozen=True)
class ExerciseLine:
    exercise: Exercise
    solved: bool
    tried: bool


@dataclass(frozen=True)
class Choices:
    """What the list can be filtered by."""

    difficulties: list[str]
    frameworks: list[str]
    tags: list[str]


@dataclass(frozen=True)
class History:
    """A page of what was sent, newest first; `more` is the id that the next page comes before. `which`: of what."""

    lines: tuple[Listed, ...]
    more: int | None
    before: int | None
    which: Which


@router.get("/exercises")
def index(
    request: Request, difficulty: str | None = None, framework: str | None = None, tag: str | None = None
) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        progress = progress_of(db, viewer)
        tried = {one.exercise for one in submissions_of(db, viewer, limit=500)}
    found = chosen(state.catalog, difficulty=difficulty, framework=framework, tag=tag)
    return render(
        request,
        "practice/exercises/index.html",
        filters={"difficulty": difficulty, "framework": framework, "tag": tag},
        choices=_choices(state.catalog.exercises.values()),
        exercises=[ExerciseLine(one, progress.has_solved(one.slug), one.slug in tried) for one in found],
    )


@dataclass(frozen=True)
class OwnField:
    """One argument of an input of one's own, as literal text."""

    name: str
    type: str
    text: str
    sample: str  # what it held before it was changed
    example: str
    fault: str | None

    @property
    def rows(self) -> int:
        return min(6, self.text.count("\n") + 1)


@dataclass(frozen=True)
class OwnInput:
    fields: tuple[OwnField, ...]
    is_cut: bool
    is_open: bool


@router.get("/exercises/{slug}")
def show(request: Request, slug: str, framework: str | None = None) -> Response:
    """The desk. It opens with what this person wrote last, or with the submission named by `from`."""
    return desk(request, slug, framework)


def desk(
    request: Request,
    slug: str,
    framework: str | None,
    source: str | None = None,
    own: OwnInput | None = None,
    status: int = 200,
    person_id: int | None = None,
) -> Response:
    """With `source` and `own`, what was sent and was not for the judge: nothing typed is lost.

    `person_id`: who they are, where this very request made them somebody; it brought no cookie.
    """
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        exercise = met(state.catalog, viewer, slug, request.query_params.get("variant"))
        if person_id is not None:  # a guest, who has the same variant as nobody
            viewer = db.get(User, person_id)
        words = page(exercise)
        access = access_of(db, viewer, slug)
        discussion = folds_of(db, state, [of_exercise(exercise)])[slug]
        hints = hints_of(db, viewer, slug, words.hints_html)
        due = due_dates(db, viewer, "exercise", slug)
        history = _history(db, viewer, slug)
        last = {name: newest(db, viewer, slug, name) for name in exercise.frameworks}
        way = _way_on(state.catalog, db, viewer, slug) if access.solved else None
        framework, sources = _opened(db, viewer, exercise, framework, last, request.query_params.get("from"))
    if source is not None:
        sources[framework] = source
    samples = state.catalog.samples(exercise, state.shelf)
    return render(
        request,
        "practice/exercises/show.html",
        status=status,
        exercise=exercise,
        variants_shown=exercise.variants.count > 1 and may(viewer, Wish.choose_variant),
        statement_html=words.statement_html,  # not all the words: hints and solution are not for everybody
        places=places_of(state.catalog.courses, slug),
        due=due,
        way=way,
        discussion=discussion,
        hints=hints,
        access=access,
        has_solution=bool(words.solution_html),
        framework=framework,
        sources=sources,
        newest=last,
        history=history,
        person=viewer.id if viewer is not None and not viewer.is_guest else "",
        provided=words.provided_html,
        data=sorted(data_in(exercise.files)),
        samples=samples,
        own=own or own_input(exercise, samples),
        is_broken=not can_make_cases(state) or is_broken(exercise),
        judge_is_ready=state.judge is None or state.judge.ready() or state.judge.why_not() is not None,
        related=[state.catalog.exercises[other] for other in exercise.related if other in state.catalog.exercises],
        idempotency_key=secrets.token_hex(16),
    )


def _way_on(catalog: Catalog, db: Session, viewer: User | None, slug: str) -> WayOn:
    return after_exercise(slug, catalog, progress_along(db, viewer, exercises_along(catalog.courses, slug)))


@router.get("/exercises/{slug}/figures/{name}")
def figure(request: Request, slug: str, name: str) -> Response:
    return picture(figure_in(state_of(request).catalog.exercise(slug).files, name))


@router.get("/exercises/{slug}/submissions")
def show_submissions(
    request: Request,
    slug: str,
    which: Which | None = None,
    before: Annotated[int | None, Query(ge=1, le=ID_MAX)] = None,
) -> Response:
    """What this person sent for it, a page at a time; as a part, the lines alone."""
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        exercise = met(state.catalog, viewer, slug, request.query_params.get("variant"))
        history = _history(db, viewer, slug, which, before)
    template = "practice/exercises/_submissions.html" if is_partial(request) else "practice/exercises/submissions.html"
    return render(request, template, exercise=exercise, history=history)


@router.get("/exercises/{slug}/samples/{number}/{name}")
def show_sample(request: Request, slug: str, number: int, name: str) -> Response:
    """One argument of a sample case, or what it returns, as heat maps; `number` counts from 1, as the statement does.

    attack: ask for the number of a hidden case.
    defence: what is looked through holds the samples alone.
    """
    state = state_of(request)
    with state.db.reading() as db:
        exercise = met(state.catalog, identity.viewer(db, request), slug, request.query_params.get("variant"))
    samples = state.catalog.samples(exercise, state.shelf)
    if not samples:
        raise JudgeCannotRun("The sample cases cannot be shown right now.", "Try again in a minute.")
    sample = samples[number - 1] if 0 < number <= len(samples) else None
    value = (sample.expected if name == RETURNS else sample.inputs.get(name)) if sample else None
    if sample is None or value is None:
        raise NotFound("There is no such value in the sample cases.", f"See the statement of {slug}.")
    figure = figure_of_arrays({name: value}, sample.arrays, whole=not is_partial(request))
    if is_partial(request):
        return render(request, "practice/submissions/_arrays.html", figure=figure)
    return render(
        request,
        "practice/exercises/sample.html",
        exercise=exercise,
        sample=sample,
        name=name,
        value=value,
        figure=figure,
    )


@router.post("/exercises/{slug}/submissions")
async def create_submission(
    request: Request,
    slug: str,
    source: Annotated[str, Form()] = "",
    framework: Annotated[str | None, Form()] = None,
    kind: Annotated[SubmissionKind, Form()] = "submit",
    own: Annotated[Literal["run", "trace"] | None, Form()] = None,
    case: Annotated[str | None, Form(max_length=200)] = None,
    idempotency_key: Annotated[str, Form(max_length=100)] = "",
    exercise_hash: Annotated[str | None, Form(max_length=64)] = None,
    key_header: Annotated[str, Header(alias="Idempotency-Key", max_length=100)] = "",
) -> Response:
    """Take the source in; the answer carries its panel, finished if the verdict is there within 300 ms.

    `own` runs or traces it on the input in the fields `input-…`, an argument each.
    """
    source = source.replace("\r\n", "\n")  # how forms send line ends
    kind = own or kind
    inputs = typed_inputs(await request.form()) if own else None
    case_name = case or None if kind == "trace" and not own else None  # the form sends its choice with every button
    key = _key(key_header or idempotency_key, source, framework, kind, case_name, inputs)
    state = state_of(request)
    try:
        received = await run_in_threadpool(
            take_in, state, Caller(request), slug, source,
            framework=framework, kind=kind, inputs=inputs, case_name=case_name, key=key, exercise_hash=exercise_hash,
        )  # fmt: skip
    except InvalidInput as invalid:
        return await run_in_threadpool(_show_faults, request, slug, framework, source, inputs or {}, invalid)
    shown = await verdict_within(state, received, VERDICT_WAIT_SECONDS)
    if not is_partial(request):
        return RedirectResponse(f"/submissions/{shown.id}", 303)
    return render(request, "practice/submissions/_status.html", panel=panel_of(state, shown))


def _history(
    db: Session, viewer: User | None, slug: str, which: Which | None = None, before: int | None = None
) -> History:
    """Nothing chosen: the submissions; the runs, while there is no submission."""
    if which is None:
        submitted = _history(db, viewer, slug, "submissions", before)
        return submitted if submitted.lines or before else _history(db, viewer, slug, "runs")
    lines = submissions_of(db, viewer, exercise=slug, which=which, before=before, limit=HISTORY_LINES + 1)
    shown = tuple(lines[:HISTORY_LINES])
    return History(shown, shown[-1].id if len(lines) > HISTORY_LINES else None, before, which)


def typed_inputs(form: Mapping[str, object]) -> dict[str, str]:
    prefix = "input-"
    return {
        name.removeprefix(prefix): typed
        for name, typed in form.items()
        if name.startswith(prefix) and isinstance(typed, str)
    }


def _show_faults(
    request: Request, slug: str, framework: str | None, source: str, inputs: Mapping[str, str], invalid: InvalidInput
) -> Response:
    """The fields again, what was typed in them, and beside each what is wrong with it."""
    state = state_of(request)
    with state.db.reading() as db:
        exercise = met(state.catalog, identity.viewer(db, request), slug, request.query_params.get("variant"))
    if not invalid.faults:  # not of one field
        raise invalid
    own = own_input(exercise, state.catalog.samples(exercise, state.shelf), inputs, invalid.faults)
    if is_partial(request):
        return render(request, "practice/exercises/_input.html", status=invalid.status, exercise=exercise, own=own)
    return desk(request, slug, framework, source, own, invalid.status)


def own_input(
    exercise: Exercise,
    samples: Sequence[SampleCase],
    typed: Mapping[str, str] | None = None,
    faults: Mapping[str, str] | None = None,
) -> OwnInput:
    """The fields as typed, or else as the first sample case has them."""
    texts: Mapping[str, str] = samples[0].literals.texts if samples else {}
    typed = typed or {}
    fields = tuple(
        OwnField(
            one.name,
            one.type,
            typed.get(one.name, texts.get(one.name, "")),
            texts.get(one.name, ""),
            example(one.parsed) if not one.has_default else f"{one.default!r}, if left empty",
            (faults or {}).get(one.name),
        )
        for one in exercise.signature.parameters
    )
    is_open = bool(faults) or any(one.text.split() != one.sample.split() for one in fields)
    return OwnInput(fields, bool(samples) and samples[0].literals.is_cut, is_open)


def _opened(
    db: Session,
    viewer: User | None,
    exercise: Exercise,
    framework: str | None,
    last: Mapping[str, Newest],
    submission_id: str | None,
) -> tuple[str, dict[str, str]]:
    """(the framework picked, what the editor holds in each): what was written last, else the starter."""
    sources = {name: one.source if one.source is not None else exercise.starter(name) for name, one in last.items()}
    if submission_id:
        shown = load_submission(db, submission_id, viewer)
        if shown.submission.exercise == exercise.slug and shown.submission.framework in sources:
            framework = shown.submission.framework
            sources[framework] = shown.source
    if framework not in sources:
        written = {name: one.written_at for name, one in last.items() if one.written_at is not None}
        framework = max(written, key=written.__getitem__) if written else exercise.frameworks[0]
    return framework, sources


def _key(
    attempt: str,
    source: str,
    framework: str | None,
    kind: SubmissionKind,
    case_name: str | None,
    inputs: Mapping[str, str] | None,
) -> str | None:
    """One key for a page and a source: sent twice it is one submission, changed and sent again another."""
    if not attempt:
        return None
    return hashlib.sha256(repr((attempt, source, framework, kind, case_name, inputs)).encode()).hexdigest()


def _choices(exercises: Iterable[Exercise]) -> Choices:
    exercises = list(exercises)
    return Choices(
        [level for level in ("easy", "medium", "hard") if any(one.difficulty == level for one in exercises)],
        [name for name in FRAMEWORKS if any(name in one.frameworks for one in exercises)],
        sorted({tag for one in exercises for tag in one.tags}),
    )
