"""Tables as CSV files, for spreadsheets and other systems."""

import csv
import io
from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response

# A spreadsheet takes what begins so for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def wants_csv(request: Request) -> bool:
    """Whether this caller of the API would rather have a table."""
    return "text/csv" in request.headers.get("accept", "").lower()


def csv_response(text: str, name: str) -> Response:
    """A file to keep. The mark at its beginning tells spreadsheets that it is UTF-8."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text.encode("utf-8-sig"), media_type="text/csv; charset=utf-8", headers=headers)


def write_csv(lines: Iterable[Iterable[object]]) -> str:
    """attack: a name that a spreadsheet runs as a formula on the instructor's machine. defence: an apostrophe before
    it, which spreadsheets hide and `unquoted` takes away. (Numbers are no text, and stay as they are.)"""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    for line in lines:
        writer.writerow([_quoted(field) if isinstance(field, str) else field for field in line])
    return text.getvalue()


def _quoted(field: str) -> str:
    return f"'{field}" if field.startswith(FORMULA) else field


def unquoted(field: str) -> str:
    field = field.strip()
    return field[1:] if field[:1] == "'" and field[1:].startswith(FORMULA) else field
