"""Otter-Grader's source notebooks: what stands between `# BEGIN QUESTION` and `# END QUESTION` is an exercise.

Raw cells mark its parts. `# SOLUTION` at the end of a line, and `# BEGIN SOLUTION` … `# END SOLUTION` in a cell, are in
the reference only. A test is a cell of assertions or expressions; `hidden: true` in its configuration makes it hidden.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from app.content.formats.kind import Item, Refused
from app.content.formats.notebook import Cell, Question, Tests, any_cell, code_of, items_of
from app.content.formats.source import is_python

NAME = "otter"
MARK = re.compile(r"#\s*(BEGIN|END)\s+(QUESTION|SOLUTION|PROMPT|TESTS)\b", re.IGNORECASE)
REGION = re.compile(
    r"^([ \t]*)# BEGIN SOLUTION( NO PROMPT)?[^\n]*\n.*?^[ \t]*# END SOLUTION[^\n]*$", re.MULTILINE | re.DOTALL
)
REGION_MARKS = re.compile(r"^[ \t]*# (?:BEGIN|END) SOLUTION[^\n]*\n?", re.MULTILINE)
PROMPT = re.compile(r'^[ \t]*"""\s*# BEGIN PROMPT\n(.*?)^[ \t]*""";?\s*# END PROMPT[^\n]*\n?', re.MULTILINE | re.DOTALL)
CONFIGURATION = re.compile(
    r'^"""\s*# BEGIN TEST CONFIG\n(.*?)^""";?\s*# END TEST CONFIG[^\n]*\n?', re.MULTILINE | re.DOTALL
)
HIDDEN = re.compile(r"^\s*hidden:\s*true\s*$|^#+\s*hidden\b", re.MULTILINE | re.IGNORECASE)
LINE = re.compile(r"^([ \t]*)(.*?)#\s*SOLUTION( NO PROMPT)?\s*$", re.MULTILINE)
NAMED = re.compile(r"^\s*name:\s*[\"']?([\w .-]+?)[\"']?\s*$", re.MULTILINE)
BY_HAND = re.compile(r"^\s*manual:\s*true\s*$", re.MULTILINE | re.IGNORECASE)


def recognises(path: Path) -> bool:
    return any_cell(path, lambda cell: _mark(cell) == ("BEGIN", "QUESTION"))


def items(path: Path) -> Iterator[Item | Refused]:
    return items_of(path, _questions)


def _mark(cell: Cell) -> tuple[str, str] | None:
    """What a cell marks, as ("BEGIN", "TESTS"); None for a cell with content of its own."""
    match = MARK.match(cell.text.strip()) if cell.kind != "code" else None
    return (match[1].upper(), match[2].upper()) if match else None


def _questions(notebook: str, cells: list[Cell]) -> Iterator[Question | Refused]:
    question: Question | None = None
    part = ""
    before: list[str] = []
    for cell in cells:
        mark = _mark(cell)
        if mark == ("BEGIN", "QUESTION"):
            name = match[1] if (match := NAMED.search(cell.text)) else f"question {len(before) + 1}"
            question = Question(name, notebook, before=list(before), expressions=True)
            if BY_HAND.search(cell.text):
                yield Refused(f"{notebook}.ipynb: {name}", "Otter has it graded by hand.")
                question = None
        elif mark == ("END", "QUESTION"):
            if question is not None:
                yield question
                before += question.reference
            question = None
        elif mark is not None:
            part = mark[1] if mark[0] == "BEGIN" else ""
        elif question is None:
            if cell.kind == "code" and is_python(code_of(cell)):
                before.append(code_of(cell))
        else:
            _add(question, part, cell)


def _add(question: Question, part: str, cell: Cell) -> None:
    if part == "TESTS" and cell.kind == "code":
        text = code_of(cell)
        name = f"{question.name} {len(question.tests) + 1}"
        question.tests.append(Tests(name, CONFIGURATION.sub("", text).strip("\n"), bool(HIDDEN.search(text))))
    elif part == "SOLUTION" and cell.kind == "code":
        question.reference.append(_solved(code_of(cell)))
        question.starter.append(_emptied(code_of(cell)))
    elif cell.kind == "markdown" and part != "SOLUTION":
        question.prompt.append(cell.text.strip())


def _solved(text: str) -> str:
    text = REGION_MARKS.sub("", PROMPT.sub("", text))
    return LINE.sub(lambda match: f"{match[1]}{match[2].rstrip()}", text)


def _emptied(text: str) -> str:
    """The code as students get it: regions and lines of the solution are `...`, a value's right side too."""
    text = REGION.sub(lambda match: "" if match[2] else f"{match[1]}...", text)
    text = LINE.sub(_emptied_line, text)
    return PROMPT.sub(lambda match: match[1], text)


def _emptied_line(match: re.Match[str]) -> str:
    indent, code, no_prompt = match[1], match[2].rstrip(), match[3]
    if no_prompt:
        return ""
    value = re.match(r"([\w.\[\]'\", ]+?)\s*=(?!=)", code)
    return f"{indent}{value[1]} = ..." if value else f"{indent}..."
