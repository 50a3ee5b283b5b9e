"""Runs of a lesson's cell, which nobody keeps: the code goes in, what a notebook would show comes out."""

from collections.abc import Mapping

from app.content.cell import Cell
from app.people.identity import Caller
from app.reading.catalog import Catalog
from app.state import AppState
from app.web.errors import Invalid, NotFound
from app.web.limits import neighbourhood
from graders.cell import CellRun


def run(state: AppState, caller: Caller, cell: Cell, source: str, edited: Mapping[str, str]) -> CellRun:
    """`source` in place of the author's code, after the cells that it continues: as `edited` has them, by name, and
    otherwise as their author wrote them. Raises Invalid, RateLimited and JudgeCannotRun."""
    for name in edited:
        if name not in cell.before_names:
            known = ", ".join(cell.before_names) or "none"
            raise Invalid(f"The cell `{name[:40]}` does not run before this one.", f"Cells that do: {known}.")
    for text in (source, *edited.values()):
        if len(text.encode("utf-8", "surrogatepass")) > state.settings.source_max_kb << 10:
            raise Invalid("Your code is too long.", f"A cell may hold at most {state.settings.source_max_kb} KB.")
    before = [edited.get(name, text) for name, text in zip(cell.before_names, cell.before, strict=True)]
    with state.db.reading() as db:
        viewer = caller.viewer(db)
    # nothing is kept of a run, and so it makes no guest: a new visitor counts by their address
    person, address = viewer.id if viewer else None, caller.address
    state.limits.spend("cell", person=person, address=address)
    with state.limits.holding("cell", person=person, address=address):
        return state.cells.run(cell, source, before, neighbourhood(address))


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
