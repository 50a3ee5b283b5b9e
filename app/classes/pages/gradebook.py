"""The gradebook as a page: students by assignments, fifty students at a time; and as files for other systems.

A page has two thousand cells. Each is a few numbers of ours, written here as HTML: a template takes ten times as long.
"""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from markupsafe import Markup, escape
from starlette.responses import Response

from app.classes.agenda import percent
from app.classes.assignments import url_of
from app.classes.classes import require_member
from app.classes.exports import Columns, gradebook_csv
from app.classes.gradebook import Cell, Gradebook, Row, gradebook_of
from app.classes.rights import Right
from app.classes.roster import students_of
from app.classes.walltime import wall_short, wall_words
from app.db import read_id
from app.people.identity import Caller
from app.state import state_of
from app.web.csv_file import csv_response
from app.web.rendering import render

router = APIRouter()

PAGE = 25  # students at once: with 40 assignments, a thousand cells


@router.get("/classes/{class_id}/gradebook")
def index(request: Request, class_id: str, q: str = "", section: str = "", page: str = "1") -> Response:
    state, number = state_of(request), read_id(page) or 1
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.see_gradebook)
        everybody = students_of(db, member.class_)
    part = q.strip().casefold()
    listed = [
        one
        for one in everybody
        if (not section or one.section == section)
        and (not part or part in f"{one.name}\n{one.email or ''}\n{one.label}".casefold())
    ]
    book = gradebook_of(state.db, state.catalog, member.class_, listed[(number - 1) * PAGE : number * PAGE])
    return render(
        request,
        "classes/gradebook/index.html",
        member=member,
        tab="grades",
        count=len(listed),
        everybody=len(everybody),
        columns=len(book.columns),
        head=_head(book),
        body=Markup("").join(_line(book, row) for row in book.rows),
        sections=sorted({one.section for one in everybody if one.section}, key=str.casefold),
        section=section,
        q=q,
        page=number,
        has_next=len(listed) > number * PAGE,
        query=urlencode({"q": q, "section": section}),
    )


@router.get("/classes/{class_id}/gradebook.csv")
def download(
    request: Request,
    class_id: str,
    columns: Annotated[Columns, Query(description="Of the file: as this or another system has them.")] = "lectern",
) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.see_gradebook)
    book = gradebook_of(state.db, state.catalog, member.class_)
    return csv_response(gradebook_csv(book, columns), f"gradebook-{member.class_.id}-{columns}.csv")


def _head(book: Gradebook) -> Markup:
    """Each assignment with its due date."""
    zone = book.class_.zone
    cells = []
    for column in book.columns:
        due = column.assignment.due_at
        words = Markup("")
        if due is not None:
            words = Markup('<span class="due" title="{}">due {}</span>').format(
                wall_words(due, zone), wall_short(due, zone)
            )
        url = url_of(book.class_, *column.key)
        cells.append(Markup('<th scope="col"><a href="{}">{}</a>{}</th>').format(url, column.title, words))
    return Markup("").join(cells)


def _line(book: Gradebook, row: Row) -> Markup:
    student, total = row.student, row.total.score
    section = f'<span class="meta">{escape(student.section)}</span>' if student.section else ""
    head = (
        f'<tr><th scope="row"><a href="/classes/{book.class_.id}/students/{student.user}">{escape(student.label)}</a>'
        f'{section}</th><td class="total">{"–" if total is None else percent(total)}</td>'
    )
    return Markup(head + "".join(cell_html(cell, book.class_.id) for cell in row.cells) + "</tr>")  # noqa: S704 (what is not ours is escaped)


def cell_html(cell: Cell, class_id: int) -> str:
    """Numbers of ours and words of ours alone: nothing here needs to be escaped."""
    if cell.is_excused:
        return '<td class="excused">excused</td>'
    if cell.score is None:
        return '<td class="missing">missing</td>' if cell.is_missing else '<td class="none">–</td>'
    if cell.submission is not None:
        score = f'<a href="/classes/{class_id}/submissions/{cell.submission}">{percent(cell.score)}</a>'
    elif cell.sitting is not None:
        score = f'<a href="/sittings/{cell.sitting}">{percent(cell.score)}</a>'
    else:
        score = percent(cell.score)
    marks = []
    if cell.override is not None:
        marks.append('<b class="by-hand">by hand</b>')
    elif cell.late_days:
        marks.append(f'<b class="late">{cell.late_days}&nbsp;d late</b>')
    if cell.is_waiting:
        marks.append('<b class="waits">to grade</b>')
    if cell.attempts > 1:
        marks.append(f"{cell.attempts}×")
    return f"<td>{score}<small>{' '.join(marks)}</small></td>" if marks else f"<td>{score}</td>"
