"""Runs of a lesson's cell, which nobody keeps: the code goes in, what a notebook would show comes out."""

from app.content.cell import Cell
from app.people.identity import Caller
from app.reading.catalog import Catalog
from app.state import AppState
from app.web.errors import Invalid, NotFound
from app.web.limits import neighbourhood
from graders.cell import CellRun


def run(state: AppState, caller: Caller, cell: Cell, source: str) -> CellRun:
    """`source` in place of the author's code. Raises Invalid, RateLimited and JudgeCannotRun."""
    if len(source.encode("utf-8", "surrogatepass")) > state.settings.source_max_kb << 10:
        raise Invalid("Your code is too long.", f"A cell may hold at most {state.settings.source_max_kb} KB.")
    with state.db.reading() as db:
        viewer = caller.viewer(db)
    # nothing is kept of a run, and so it makes no guest: a new visitor counts by their address
    person, address = viewer.id if viewer else None, caller.address
    state.limits.spend("cell", person=person, address=address)
    with state.limits.holding("cell", person=person, address=address):
        return state.cells.run(cell, source, neighbourhood(address))


def find(catalog: Catalog, course: str, lesson: str, cell: str) -> Cell:
    """Raises NotFound.

    attack: before a sitting, the picture that a quiz asks about; or code of one's own after a quiz's earlier cells,
    which prints what they are. defence: a quiz shows its code in sittings, and runs none of it.
    """
    page = catalog.lesson(course, lesson)[1]
    found = None if page.is_quiz else page.cells.get(cell)
    if found is None:
        raise NotFound("There is no such cell.", "Reload the lesson.")
    return found
