"""Runs of a lesson's cell: its output where scripts run, the whole lesson where they do not; and its pictures."""

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from app.people.identity import Caller
from app.progress.lessons import OwnRun
from app.reading.cell_runs import find, run
from app.reading.pages.lessons import show_lesson
from app.state import state_of
from app.web.errors import NotFound, Problem
from app.web.rendering import is_partial, render

router = APIRouter()
_EDITED = "edited-"


@router.post("/courses/{course}/{lesson}/cells/{cell}/runs")
async def create_run(request: Request, course: str, lesson: str, cell: str) -> Response:
    """The form has `source`, and for each cell above that the reader has edited, `edited-` and its name."""
    sent = await request.form()
    form = {name: str(value).replace("\r\n", "\n") for name, value in sent.items()}  # how forms send line ends
    edited = {name.removeprefix(_EDITED): text for name, text in form.items() if name.startswith(_EDITED)}
    return await run_in_threadpool(_run, request, course, lesson, cell, form.get("source", ""), edited)


@router.get("/courses/{course}/{lesson}/cells/{cell}/figures/{number}")
def show_figure(request: Request, course: str, lesson: str, cell: str, number: int, v: str = "") -> Response:
    """A picture of the author's own output, `number` from 1; with its digest as `v` it never changes."""
    run = state_of(request).cells.output(find(state_of(request).catalog, course, lesson, cell))
    if run is None or not 0 < number <= len(run.figures):
        raise NotFound("There is no such figure.", "Reload the lesson: its code may have changed.")
    figure = run.figures[number - 1]
    kept = "public, max-age=31536000, immutable" if v == figure.digest else "no-cache"
    return Response(figure.png, media_type="image/png", headers={"Cache-Control": kept})


def _run(request: Request, course: str, lesson: str, cell: str, source: str, edited: dict[str, str]) -> Response:
    found = find(state_of(request).catalog, course, lesson, cell)
    try:
        ran = run(state_of(request), Caller(request), found, source, edited)
    except Problem as problem:
        if is_partial(request):
            raise
        return show_lesson(request, course, lesson, OwnRun(cell, source, None, problem))  # with what was typed
    if is_partial(request):
        return render(request, "reading/cells/_output.html", cell=found, run=ran, figures_at=None)
    return show_lesson(request, course, lesson, OwnRun(cell, source, ran))
