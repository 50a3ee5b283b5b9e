"""What an accepted submission took, and where it stands among the others'."""

import math
from dataclasses import dataclass, replace
from typing import Literal

from fastapi import APIRouter, Request
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from app.people import identity
from app.people.permission import Wish, may
from app.people.users import User
from app.practice.shared_solutions import is_shared
from app.practice.standings import Standing, standing_of
from app.practice.submissions import Shown, load_submission
from app.progress.progress import progress_along
from app.progress.way import WayOn, after_exercise
from app.reading.embedded import exercises_along
from app.state import AppState, state_of
from app.web.filters import framework
from app.web.rendering import is_partial, render
from graders.exercise.definition import BrokenExercise
from graders.verdict import Verdict

router = APIRouter()

FEW = 20  # among fewer, one person is more than 5 %: people are counted, not percent


@dataclass(frozen=True)
class Performance:
    """In words. `is_whole`: also where it stands, which is asked for apart, so that no verdict waits for it."""

    id: int
    exercise: str
    framework: str
    took: str | None  # of old gradings nobody noted it
    is_whole: bool = False
    compared: str | None = None
    share: Literal["no", "guest", "off", "on"] = "no"  # whether others see it, for those who may change that
    way: WayOn | None = None  # for its author


@router.get("/submissions/{id}/standing")
def show(request: Request, id: str) -> Response:
    """The part of a panel that follows its verdict; by itself it is no page."""
    state = state_of(request)
    with state.db.reading() as db:
        person = identity.viewer(db, request)
        shown = load_submission(db, id, person)
        performance = performance_whole(state, db, shown, person)
    if not is_partial(request):
        return RedirectResponse(f"/submissions/{shown.id}", 303)
    return render(request, "practice/submissions/_standing.html", performance=performance)


def performance_briefly(shown: Shown) -> Performance | None:
    """What an accepted submission took, as its grading says; None for a run, and for what was not accepted."""
    grading, submission = shown.grading, shown.submission
    if submission.kind != "submit" or shown.verdict != Verdict.accepted:
        return None
    words = _took(grading.wall_ms, grading.peak_mb) if grading.wall_ms is not None else None
    return Performance(submission.id, submission.exercise, submission.framework, words)


def performance_whole(state: AppState, db: Session, shown: Shown, viewer: User | None) -> Performance | None:
    brief = performance_briefly(shown)
    return brief and replace(
        brief,
        is_whole=True,
        compared=_compared(state, db, shown),
        share=_share_state(db, shown, viewer),
        way=_way_on(state, db, shown, viewer),
    )


def _way_on(state: AppState, db: Session, shown: Shown, viewer: User | None) -> WayOn | None:
    if viewer is None or viewer.id != shown.submission.user_id:
        return None
    slug, catalog = shown.submission.exercise, state.catalog
    return after_exercise(slug, catalog, progress_along(db, viewer, exercises_along(catalog.courses, slug)))


def _took(wall_ms: float, peak_mb: float | None) -> str:
    """`about 0.82 ms and 3.1 MB`: two figures, for the third is noise."""
    if peak_mb is None:
        return f"about {took(wall_ms)}"
    return f"about {took(wall_ms)} and {'less than 1' if peak_mb < 1 else two_figures(peak_mb)} MB"


def took(wall_ms: float) -> str:
    """`0.82 ms`, `1.3 s`."""
    return f"{two_figures(wall_ms / 1000)} s" if wall_ms >= 995 else f"{two_figures(wall_ms)} ms"


def two_figures(number: float) -> str:
    """`0.82`, `3.1`, `47`, `120`."""
    if number <= 0:
        return "0"
    places = 1 - math.floor(math.log10(number))
    rounded = round(number, places)
    return f"{rounded:.{max(0, 1 - math.floor(math.log10(rounded)))}f}"


def _compared(state: AppState, db: Session, shown: Shown) -> str | None:
    """In a sentence; none where the others are too few to say anything fair."""
    if shown.grading.wall_ms is None:
        return None
    try:
        judging_hash = state.catalog.judged_by(shown.submission.snapshot_id).judging_hash
    except BrokenExercise:
        return None  # the exercise is read otherwise by now: there is nothing to compare with
    standing = standing_of(db, shown.submission, judging_hash, shown.grading.wall_ms)
    return in_words(standing, framework(shown.submission.framework)) if standing.is_told else None


def in_words(standing: Standing, name: str) -> str:
    others, slower, level = standing.others, standing.slower, standing.level
    them = f"the {others} others accepted in {name}"
    ties = f", tied with {level}" if level else ""
    if slower == others:
        return f"Faster than all of {them}."
    if slower:
        return f"Faster than {_share(slower, others)} of {them}{ties}."
    if level:
        return f"Tied with all of {them}." if level == others else f"Tied with {level} of {them}; the rest were faster."
    return f"All of {them} were faster."


def _share_state(db: Session, shown: Shown, viewer: User | None) -> Literal["no", "guest", "off", "on"]:
    is_own = viewer is not None and viewer.id == shown.submission.user_id
    if viewer is None or not may(viewer, Wish.see_whether_shared, shown.submission.user_id):
        return "no"
    if is_shared(db, shown.id):
        return "on"
    return "no" if not is_own else "guest" if viewer.is_guest else "off"


def _share(part: int, whole: int) -> str:
    if whole < FEW:
        return str(part)
    return f"about {min(99, max(1, round(100 * part / whole)))}%"
