"""The gradebook as CSV, in the columns that this or another system imports."""

from typing import Literal

from app.classes.gradebook import Gradebook, Row
from app.web.csv_file import write_csv

Columns = Literal["lectern", "canvas", "moodle"]


def gradebook_csv(book: Gradebook, columns: Columns = "lectern") -> str:
    """One line a student. Scores are percentages; a cell that does not count is empty.

    canvas: as Canvas exports its gradebook, so that it imports it: Student, ID, SIS Login ID, Section, the assignments,
    and a second line with the points possible. moodle: Email address first, by which Moodle's import finds people.
    """
    titles = _distinct([column.title for column in book.columns])
    match columns:
        case "canvas":
            head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *titles]
            possible = ["    Points Possible", "", "", "", "", *("100" for _ in titles)]
            lines = [[row.student.label, "", "", row.student.email or "", row.student.section] for row in book.rows]
            return write_csv([head, possible, *_with_scores(lines, book.rows)])
        case "moodle":
            head = ["Email address", "Full name", *titles, "Course total"]
            lines = [[row.student.email or "", row.student.label] for row in book.rows]
        case "lectern":
            head = ["email", "name", "section", *titles, "total"]
            lines = [[row.student.email or "", row.student.name, row.student.section] for row in book.rows]
    scored = _with_scores(lines, book.rows)
    return write_csv([head, *([*line, _percent(row.total.score)] for line, row in zip(scored, book.rows, strict=True))])


def _with_scores(lines: list[list[str]], rows: tuple[Row, ...]) -> list[list[object]]:
    return [
        [*line, *("" if percentage is None else percentage for percentage in row.percentages)]
        for line, row in zip(lines, rows, strict=True)
    ]


def _percent(score: float | None) -> object:
    return "" if score is None else round(100 * score, 4)


def _distinct(titles: list[str]) -> list[str]:
    """Two columns of one name would be one for anyone who imports them."""
    found: list[str] = []
    for title in titles:
        name, number = title, 1
        while name in found:
            number += 1
            name = f"{title} ({number})"
        found.append(name)
    return found
