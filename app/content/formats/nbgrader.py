"""nbgrader's source notebooks: a solution cell is an exercise, the test cells that follow it are its cases.

`### BEGIN SOLUTION` … `### END SOLUTION` is in the reference only, `### BEGIN HIDDEN TESTS` … `### END HIDDEN TESTS`
is a hidden case. What nbgrader grades by hand is refused.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from app.content.formats.kind import Item, Refused
from app.content.formats.notebook import Cell, Question, Tests, any_cell, code_of, items_of
from app.content.formats.source import is_python

NAME = "nbgrader"
SOLUTION = re.compile(r"^([ \t]*)### BEGIN SOLUTION.*?^[ \t]*### END SOLUTION[^\n]*$", re.MULTILINE | re.DOTALL)
HIDDEN = re.compile(
    r"^[ \t]*### BEGIN HIDDEN TESTS[^\n]*\n(.*?)^[ \t]*### END HIDDEN TESTS[^\n]*$", re.MULTILINE | re.DOTALL
)
MARKS = re.compile(r"^[ \t]*### (?:BEGIN|END) [A-Z ]+\n?", re.MULTILINE)
EMPTY = "# YOUR CODE HERE\nraise NotImplementedError()"


def recognises(path: Path) -> bool:
    return any_cell(path, _role)


def items(path: Path) -> Iterator[Item | Refused]:
    return items_of(path, _questions)


def _role(cell: Cell) -> str:
    """`solution`, `tests`, `manual` (graded by hand) or "" for any other cell."""
    mark = cell.metadata.get("nbgrader")
    if not isinstance(mark, dict):
        return ""
    if mark.get("task") or (mark.get("grade") and mark.get("solution")):
        return "manual"
    if mark.get("solution"):
        return "solution" if cell.kind == "code" else "manual"
    return "tests" if mark.get("grade") and cell.kind == "code" else ""


def _questions(notebook: str, cells: list[Cell]) -> Iterator[Question | Refused]:
    question: Question | None = None
    prompt: list[str] = []
    before: list[str] = []
    for number, cell in enumerate(cells, 1):
        role = _role(cell)
        name = str(cell.metadata.get("nbgrader", {}).get("grade_id") or f"cell {number}") if role else ""
        if role == "manual":
            yield Refused(f"{notebook}.ipynb: {name}", "nbgrader has it graded by hand.")
        elif role == "solution":
            if question is not None and question.tests:
                yield question
                before += question.reference
                question = None
            question = question or Question(name, notebook, prompt, list(before))
            prompt = []
            question.reference.append(MARKS.sub("", code_of(cell)))
            question.starter.append(_emptied(code_of(cell)))
        elif role == "tests" and question is not None:
            question.tests += _tests(name, code_of(cell))
        elif cell.kind == "markdown":
            prompt.append(cell.text.strip())
        elif cell.kind == "code" and not role and is_python(code_of(cell)):
            before.append(code_of(cell))
    if question is not None:
        yield question


def _emptied(text: str) -> str:
    """The code as students get it; where no region is marked, nbgrader leaves out the whole cell."""
    if not SOLUTION.search(text):
        return EMPTY
    return SOLUTION.sub(lambda match: "\n".join(f"{match[1]}{line}" for line in EMPTY.split("\n")), text)


def _tests(name: str, text: str) -> list[Tests]:
    """What students see of a cell, and the cell with what they do not."""
    visible = HIDDEN.sub("", text).strip("\n")
    shown = [Tests(name, visible)] if visible.strip() else []
    return [*shown, Tests(f"{name}, hidden", MARKS.sub("", text), hidden=True)] if HIDDEN.search(text) else shown
