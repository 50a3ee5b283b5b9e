"""Similarity: which accepted submissions of a class are alike, two of them beside each other, and all of them as a zip.
For the class's instructors."""

from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import RedirectResponse, Response

from app.classes.assignments import require_assignment
from app.classes.classes import Member, require_member
from app.classes.dolos import dolos_zip
from app.classes.resemblance import OWN
from app.classes.rights import Right
from app.classes.similarity import beside, note_exported, note_opened, overview_of, report_of, sources_of
from app.classes.variant_reports import OF_EACH, begin_report, shown_report
from app.content.highlight import rows
from app.people.identity import Caller
from app.state import state_of
from app.web.rendering import render

router = APIRouter()

PAIRS_SHOWN = 20  # of a cluster


@dataclass(frozen=True)
class Line:
    """`run`: which of the marked ones it is in, from 1; 0: in none. `begins`: the first line of it."""

    number: int
    html: Markup
    run: int
    begins: bool


@router.get("/classes/{class_id}/similarity")
def index(request: Request, class_id: str) -> Response:
    state = state_of(request)
    member = _require(request, class_id, None)
    found = overview_of(state.db, state.catalog, member.class_)
    note_opened(state.db, member)
    return render(
        request,
        "classes/similarity/index.html",
        member=member,
        tab="similarity",
        exercises=[(row, state.catalog.exercises[row.slug].title, report) for row, report in found],
    )


@router.get("/classes/{class_id}/similarity/{slug}")
def show(request: Request, class_id: str, slug: str) -> Response:
    state = state_of(request)
    member = _require(request, class_id, slug)
    report, people = report_of(state.db, state.catalog, member.class_, slug)
    exercise = state.catalog.exercise(slug)
    has_variants = exercise.variants.count > 1
    variants = shown_report(state.db, state.catalog, member.class_, slug) if has_variants else None
    note_opened(state.db, member, slug=slug)
    return render(
        request,
        "classes/similarity/show.html",
        member=member,
        tab="similarity",
        slug=slug,
        title=exercise.title,
        report=report,
        people=people,
        has_variants=has_variants,
        variants=variants,
        of_each=OF_EACH,
        pairs_shown=PAIRS_SHOWN,
        own=OWN,
    )


@router.post("/classes/{class_id}/similarity/{slug}/variants")
def compare_variants(request: Request, class_id: str, slug: str) -> Response:
    """Have it found out whose submissions fit the variant of somebody else, in the place of what was found before."""
    state = state_of(request)
    begin_report(state.db, state.catalog, Caller(request), class_id, slug)
    state.regrader.look()
    return RedirectResponse(f"/classes/{class_id}/similarity/{slug}#variants", 303)


@router.get("/classes/{class_id}/similarity/{slug}/dolos.zip")
def export(request: Request, class_id: str, slug: str, names: str = "") -> Response:
    """`names=1`: with the students' names."""
    state = state_of(request)
    member = _require(request, class_id, slug, "export")
    sent = sources_of(state.db, state.catalog, member.class_, slug)
    data = dolos_zip(state.catalog.exercises[slug], sent, with_names=names == "1")
    note_exported(state.db, member, slug=slug, names=names == "1", files=len(sent))
    headers = {"Content-Disposition": f'attachment; filename="similarity-{member.class_.id}-{slug}.zip"'}
    return Response(data, media_type="application/zip", headers=headers)


@router.get("/classes/{class_id}/similarity/{slug}/{left}/{right}")
def compare(request: Request, class_id: str, slug: str, left: str, right: str) -> Response:
    state = state_of(request)
    member = _require(request, class_id, slug)
    found, people = beside(state.db, state.catalog, member.class_, slug, left, right)
    both = [found.left.submission, found.right.submission]
    note_opened(state.db, member, slug=slug, submissions=both)
    on_left = [(run.left_first, run.left_last) for run in found.runs]
    on_right = [(run.right_first, run.right_last) for run in found.runs]
    return render(
        request,
        "classes/similarity/compare.html",
        member=member,
        tab="similarity",
        slug=slug,
        title=state.catalog.exercises[slug].title,
        found=found,
        people=people,
        sides=[
            ("left", found.left, _lines(found.left_source, on_left)),
            ("right", found.right, _lines(found.right_source, on_right)),
        ],
    )


def _require(request: Request, class_id: str, slug: str | None, what: str = "similarity") -> Member:
    """The door, and the count. Raises NotFound, Forbidden, RateLimited."""
    state, caller = state_of(request), Caller(request)
    with state.db.reading() as db:
        member = require_member(db, caller, class_id, Right.see_similarity)
        if slug is not None:
            require_assignment(db, member, "exercise", slug)
    state.limits.spend(what, person=member.user.id, address=caller.address)
    return member


def _lines(source: str, spans: Sequence[tuple[int, int]]) -> list[Line]:
    """In colour, each with the run that it is in: of two that share a line, the one that begins there or before."""
    run_of: dict[int, int] = {}
    for number, (first, last) in enumerate(spans, 1):
        for line in range(first, last + 1):
            run_of.setdefault(line, number)
    found = []
    for number, row in enumerate(rows(source), 1):
        run = run_of.get(number, 0)
        found.append(Line(number, row, run, begins=bool(run) and run_of.get(number - 1) != run))
    return found
