"""Runs of a lesson's cell, which nobody keeps: the code goes in, what a notebook would show comes out."""

import base64

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from app.content.cell import Cell
from app.people.identity import Caller
from app.reading.cell_runs import find, run
from app.state import state_of
from graders.cell import CellRun
from graders.verdict import StudentError

router = APIRouter(tags=["lessons"])


class NewRun(BaseModel):
    """The code to run instead of the author's. The cells that this one continues run first: those whose names are in
    `edited` with the code given there, the others as their author wrote them."""

    model_config = ConfigDict(extra="forbid", strict=True)

    source: str
    edited: dict[str, str] = Field(default_factory=dict)


class ValueOut(BaseModel):
    """The last expression's value. An array has a shape and a dtype, and its numbers as text."""

    type: str
    text: str
    shape: list[int] | None
    dtype: str | None


class FigureOut(BaseModel):
    """A picture, as PNG in base64; `alt` is what is written on it. Sizes in pixels."""

    png: str = Field(json_schema_extra={"contentEncoding": "base64", "contentMediaType": "image/png"})
    alt: str
    width: int
    height: int


class CellErrorOut(BaseModel):
    """`line` is the code's own; `cell` names the continued cell that it is of, if it is not of this one."""

    type: str
    message: str | None
    line: int | None
    plain: str | None
    cell: str | None


class RunOut(BaseModel):
    stdout: str
    value: ValueOut | None
    figures: list[FigureOut]
    notes: list[str]
    error: CellErrorOut | None
    wall_ms: float


@router.post("/courses/{course}/{lesson}/cells/{cell}/runs")
def create_run(request: Request, course: str, lesson: str, cell: str, body: NewRun) -> RunOut:
    """Runs in a sandbox: 10 s, 1 GB, 64 KB of prints, four figures of 512 KB each."""
    state = state_of(request)
    found = find(state.catalog, course, lesson, cell)
    return _run_out(run(state, Caller(request), found, body.source, body.edited), found)


def _run_out(ran: CellRun, cell: Cell) -> RunOut:
    figures = [{**vars(one), "png": base64.b64encode(one.png).decode()} for one in ran.figures]
    return RunOut(
        stdout=ran.prints,
        value=ValueOut.model_validate(vars(ran.value)) if ran.value else None,
        figures=[FigureOut.model_validate(one) for one in figures],
        notes=list(ran.notes),
        error=_error(ran.error, ran.earlier, cell) if ran.error else None,
        wall_ms=ran.wall_ms,
    )


def _error(error: StudentError, earlier: int | None, cell: Cell) -> CellErrorOut:
    return CellErrorOut(
        type=error.type,
        message=error.message,
        line=error.line,
        plain=error.plain,
        cell=None if earlier is None else cell.before_names[earlier],
    )
