"""Runs of a lesson's cell, which nobody keeps: the code goes in, what a notebook would show comes out."""

import base64

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from app.content.cell import Cell
from app.people import identity
from app.state import state_of
from app.web.errors import Invalid, NotFound
from app.web.limits import neighbourhood
from graders.cell import CellRun
from graders.verdict import StudentError

router = APIRouter(tags=["lessons"])


class NewRun(BaseModel):
    """The code to run instead of the author's. The cells that this one continues run first, as they were written."""

    model_config = ConfigDict(extra="forbid", strict=True)

    source: str


class ValueAnswer(BaseModel):
    """The last expression's value. An array has a shape and a dtype, and its numbers as text."""

    type: str
    text: str
    shape: list[int] | None
    dtype: str | None


class FigureAnswer(BaseModel):
    """A picture, as PNG in base64; `alt` is what is written on it. Sizes in pixels."""

    png: str = Field(json_schema_extra={"contentEncoding": "base64", "contentMediaType": "image/png"})
    alt: str
    width: int
    height: int


class CellErrorAnswer(BaseModel):
    """`line` is the code's own; `cell` names the continued cell that it is of, if it is not of this one."""

    type: str
    message: str | None
    line: int | None
    plain: str | None
    cell: str | None


class RunAnswer(BaseModel):
    stdout: str
    value: ValueAnswer | None
    figures: list[FigureAnswer]
    notes: list[str]
    error: CellErrorAnswer | None
    wall_ms: float


@router.post("/courses/{course}/{lesson}/cells/{cell}/runs")
def create_run(request: Request, course: str, lesson: str, cell: str, body: NewRun) -> RunAnswer:
    """Runs in a sandbox: 10 s, 1 GB, 64 KB of prints, four figures of 512 KB each."""
    found = find(request, course, lesson, cell)
    return _answer(run(request, found, body.source), found)


def run(request: Request, cell: Cell, source: str) -> CellRun:
    """For the API and for pages alike. Raises Invalid, RateLimited and JudgeCannotRun."""
    state = state_of(request)
    if len(source.encode("utf-8", "surrogatepass")) > state.settings.source_max_kb << 10:
        raise Invalid("Your code is too long.", f"A cell may hold at most {state.settings.source_max_kb} KB.")
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
    # nothing is kept of a run, and so it makes no guest: who is nobody yet counts by their address
    person, address = viewer.id if viewer else None, identity.address_of(request)
    state.limits.spend("cell", person=person, address=address)
    with state.limits.holding("cell", person=person, address=address):
        return state.cells.run(cell, source, neighbourhood(address))


def find(request: Request, course: str, lesson: str, cell: str) -> Cell:
    """Raises NotFound.

    attack: before a sitting, the picture that a quiz asks about; or code of one's own after a quiz's earlier cells,
    which prints what they are. defence: a quiz shows its code in sittings, and runs none of it.
    """
    page = state_of(request).catalog.lesson(course, lesson)[1]
    found = None if page.is_quiz else page.cells.get(cell)
    if found is None:
        raise NotFound("There is no such cell.", "Reload the lesson.")
    return found


def _answer(ran: CellRun, cell: Cell) -> RunAnswer:
    figures = [{**vars(one), "png": base64.b64encode(one.png).decode()} for one in ran.figures]
    return RunAnswer(
        stdout=ran.prints,
        value=ValueAnswer.model_validate(vars(ran.value)) if ran.value else None,
        figures=[FigureAnswer.model_validate(one) for one in figures],
        notes=list(ran.notes),
        error=_error(ran.error, ran.earlier, cell) if ran.error else None,
        wall_ms=ran.wall_ms,
    )


def _error(error: StudentError, earlier: int | None, cell: Cell) -> CellErrorAnswer:
    return CellErrorAnswer(
        type=error.type,
        message=error.message,
        line=error.line,
        plain=error.plain,
        cell=None if earlier is None else cell.before_names[earlier],
    )
