"""What changed between two sources: two submissions, or one and the starter, or one and the present draft."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from app.db import read_id
from app.people import identity
from app.people.users import User
from app.practice.differences import differences
from app.practice.drafts import load_draft, newest_source
from app.practice.editor import require_offered
from app.practice.submissions import Shown, load_submission, neighbours
from app.state import AppState, state_of
from app.web import credentials
from app.web.errors import Invalid, NotFound, TooLarge
from app.web.outcomes import outcome_icon, outcome_tone, outcome_word
from app.web.rendering import render
from graders.exercise.definition import BrokenExercise, Exercise

router = APIRouter()

WORDS = ("starter", "draft")
SIGNS = "− marks lines in the other version, + lines in yours"  # where no headings say so


class EditorText(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    source: str


@dataclass(frozen=True)
class Side:
    """One of the two, as its heading names it."""

    name: str  # an id, or one of WORDS
    title: str
    source: str
    verdict: str | None = None
    icon: str | None = None
    tone: str = "waiting"


@router.get("/exercises/{slug}/differences")
def choose(request: Request, slug: str, pick: Annotated[list[str] | None, Query()] = None) -> Response:
    """Where the boxes that were ticked in a list lead to. Raises Invalid."""
    state_of(request).catalog.exercise(slug)
    picked = sorted(set(pick or ()), key=_age)
    if len(picked) != 2 or all(read_id(name) is None for name in picked):
        raise Invalid("Select two versions to compare; at least one must be a submission.", "Go back and select two.")
    if read_id(picked[0]) is None:  # the address begins with a submission
        picked.reverse()
    if not all(name in WORDS or read_id(name) is not None for name in picked):
        raise Invalid("These cannot be compared.", "Go back and select two.")
    return RedirectResponse(f"/submissions/{picked[0]}/differences/{picked[1]}", 303)


@router.get("/submissions/{id}/differences/{other}")
def show(request: Request, id: str, other: str) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        first = load_submission(db, id, viewer)
        second = None if other in WORDS else load_submission(db, other, viewer)
        right = _submitted(second) if second else _named(db, state, viewer, first, other)
        earlier, _ = neighbours(db, first.submission)
        later = neighbours(db, second.submission)[1] if second else None
    left = _submitted(first)
    if other == "starter":  # what one began with stands on the left
        left, right = right, left
    exercise = state.catalog.exercises.get(first.submission.exercise)
    return render(
        request,
        "practice/differences/show.html",
        slug=first.submission.exercise,
        exercise_title=exercise.title if exercise else first.submission.exercise,
        left=left,
        right=right,
        differences=differences(left.source, right.source),
        previous=(earlier, first.id) if earlier and second else None,
        following=(second.id, later) if later and second else None,
    )


@router.post("/exercises/{slug}/drafts/{framework}/differences")
def compare(request: Request, slug: str, framework: str, draft: EditorText) -> Response:
    """From what the server has to what is in the editor, and stored nowhere."""
    state = state_of(request)
    require_offered(state.catalog.exercise(slug), framework)
    if len(draft.source.encode("utf-8", "surrogatepass")) > state.settings.source_max_kb << 10:
        raise TooLarge("This source is too large to compare.", "Remove any data from it.")
    state.limits.spend("draft", address=credentials.address_of(request))
    with state.db.reading() as db:
        theirs = newest_source(db, identity.viewer(db, request), slug, framework)
    if theirs is None:
        raise NotFound("There is no other version.", "Yours is the only one.")
    mine = draft.source.encode("utf-8", "replace").decode()
    return render(request, "practice/differences/_lines.html", differences=differences(theirs, mine), signs=SIGNS)


def _submitted(shown: Shown) -> Side:
    title = f"{ {'run': 'Run', 'trace': 'Trace'}.get(shown.submission.kind, 'Submission') } {shown.id}"
    if shown.verdict is None:
        return Side(str(shown.id), title, shown.source, "Waiting", "waiting")
    verdict, kind = shown.verdict, shown.submission.kind
    word = outcome_word(verdict, kind, shown.submission.inputs is not None)
    return Side(str(shown.id), title, shown.source, word, outcome_icon(verdict, kind), outcome_tone(verdict, kind))


def _named(db: Session, state: AppState, viewer: User | None, shown: Shown, word: str) -> Side:
    """The starter, or one's own draft: instructors, who see every submission, see nobody's drafts. Raises NotFound."""
    slug, framework = shown.submission.exercise, shown.submission.framework
    if word == "starter":
        exercise = _begun_with(state, shown)
        require_offered(exercise, framework)
        return Side(word, "The starter code", exercise.starter(framework))
    draft = load_draft(db, viewer, slug, framework) if viewer and viewer.id == shown.submission.user_id else None
    if draft is None:
        raise NotFound("There is no draft to compare.", "Type something in the editor first.")
    return Side(word, "Your draft", draft.source.decode("utf-8", "replace"))


def _begun_with(state: AppState, shown: Shown) -> Exercise:
    """The exercise as it is now in the variant of its author. Raises NotFound."""
    slug = shown.submission.exercise
    try:
        return state.catalog.current_for(slug, shown.submission.snapshot_id) or state.catalog.exercise(slug)
    except BrokenExercise:
        return state.catalog.exercise(slug)


def _age(name: str) -> tuple[int, int]:
    """Older first; the draft is newest of all, and the starter is what everything began with."""
    if name in WORDS:
        return (WORDS.index(name) * 2, 0)
    return (1, read_id(name) or 0)
