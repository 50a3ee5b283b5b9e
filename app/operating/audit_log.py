"""The audit log as admins read it: filtered, page by page, or as a file."""

import json
from collections.abc import Iterator

from app.db import Database
from app.people.accounts import readable_email
from app.people.audit import Told, Wanted, search
from app.people.belongings import plain
from app.web.csv_file import write_csv

# What an admin can look for. An action that is not listed here still shows; tests hold the list to what is written.
KINDS = (
    "person", "exercise", "course", "class", "post", "discussion", "report", "sitting", "submission", "installation",
    "platform",
)  # fmt: skip
ACTIONS = (
    "account added", "account deleted", "account disabled", "account enabled", "account linked", "account unlinked",
    "address confirmed", "answer graded", "assigned", "assignment changed", "assignment removed", "author listed",
    "author unlisted", "calendar made", "calendar removed", "class changed", "class copied", "class created",
    "class joined", "class role changed", "comment deleted", "conflict", "conflict settled", "connection added",
    "connection changed", "connection removed", "course connected", "course disconnected", "created",
    "discussion closed", "discussion opened", "extension given", "extension taken back", "gradebook frozen",
    "graded by hand", "key replaced", "password changed", "password reset", "password reset asked for",
    "password set", "people fetched", "person removed", "platform changed", "platform registered", "platform removed",
    "post deleted", "post hidden", "post shown", "published", "quiz time changed", "regrading applied",
    "regrading begun", "regrading deleted", "regrading taken back", "rename asked for", "renamed", "report resolved",
    "restored", "retention", "role changed", "roster replaced", "rubric changed", "saved", "schedule replaced",
    "score replaced", "score withdrawn", "scores not sent", "scores sent", "scores sent again", "sessions ended",
    "settings changed", "sharing stopped", "similarity exported", "similarity opened", "taken from its folder",
    "token made", "variants compared", "viewed as a student",
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
    return write_csv([cells]).encode()
