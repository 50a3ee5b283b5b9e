"""The audit log as admins read it: filtered, page by page, or as a file."""

import csv
import io
import json
from collections.abc import Iterator

from app.db import Database
from app.people.accounts import readable_email
from app.people.audit import Told, Wanted, search
from app.people.belongings import plain

# What an admin can look for. An action that is not listed here still shows; tests hold the list to what is written.
KINDS = ("person", "exercise", "course", "post", "discussion", "report", "sitting", "submission", "installation")
ACTIONS = (
    "account added", "account deleted", "account disabled", "account enabled", "answer graded", "author listed",
    "author unlisted", "conflict", "conflict settled", "created", "discussion closed", "discussion opened",
    "password changed", "password reset", "password reset asked for", "password set", "post deleted", "post hidden",
    "post shown", "published", "quiz time changed", "rename asked for", "renamed", "report resolved", "restored",
    "retention", "role changed", "saved", "sessions ended", "settings changed", "sharing stopped",
    "taken from its folder", "token made",
)  # fmt: skip
PAGE = 50
LOT = 1000  # entries of a file in one transaction
COLUMNS = ("at", "who", "via", "kind", "name", "action", "detail")


def read_wanted(kind: str, action: str, email: str) -> Wanted:
    """As a form names it. An address that is none is nobody's."""
    return Wanted(
        kind if kind in KINDS else "",
        action if action in ACTIONS else "",
        (readable_email(email) or "nobody") if email.strip() else "",
    )


def as_csv(database: Database, wanted: Wanted) -> Iterator[bytes]:
    """A header, then an entry a line, the newest first. `detail` is JSON."""
    yield _line(COLUMNS)
    before: int | None = None
    while True:
        with database.reading() as db:
            found = search(db, wanted, before, LOT)
        if not found:
            return
        yield b"".join(map(_row, found))
        before = found[-1].entry.id


def _row(told: Told) -> bytes:
    entry = told.entry
    detail = json.dumps(entry.detail, ensure_ascii=False)
    return _line((plain(entry.at), told.who, entry.via, entry.kind, told.to, entry.action, detail))


def _line(cells: tuple[str, ...]) -> bytes:
    """attack: an address or a name that a spreadsheet takes for a formula. defence: such a cell begins with a `'`."""
    written = io.StringIO()
    csv.writer(written).writerow([f"'{cell}" if cell[:1] in "=+-@\t\r" and cell else cell for cell in cells])
    return written.getvalue().encode()
