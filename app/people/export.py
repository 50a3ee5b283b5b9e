"""Everything that is someone's, as they may see it: what the page about their data lists, and what they download.

Rows are read a few at a time and written as they come, so an export takes no more memory for a hundred thousand
answers than for ten. What is no use to anyone but a thief (hashes of the password and of sessions' tokens) stays here.
"""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.db import Base, now
from app.people.belongings import Belonging, Row, belongings, exported, plain
from app.people.identity import Caller
from app.people.users import User
from app.state import AppState

FORMAT = "lectern-export-1"
AT_A_TIME = 500
IN_MEMORY_BYTES = 1 << 20  # what is longer waits on disk
CHUNK_BYTES = 1 << 16
EXPORT_HEADERS = {"Content-Disposition": 'attachment; filename="lectern.json"', "Cache-Control": "no-store"}
ACCOUNT_LEFT_OUT = frozenset({"password_hash"})


def export_file(state: AppState, caller: Caller) -> IO[bytes]:
    """The caller's export, at its beginning; to be closed. Raises Unauthenticated, RateLimited.

    Written whole before it is sent: a slow reader holds neither a transaction nor a connection.
    """
    state.limits.spend("export", address=caller.address)
    with state.db.snapshot() as db, ExitStack() as on_failure:
        person = caller.require_viewer(db)
        state.limits.spend("export", person=person.id)
        file = on_failure.enter_context(SpooledTemporaryFile(IN_MEMORY_BYTES))
        write_export(db, person, file)
        on_failure.pop_all()  # from here on the sender closes it
    file.seek(0)
    return file


def chunks(file: IO[bytes]) -> Iterator[bytes]:
    """What it holds, piece by piece; then it is closed."""
    with file:
        while chunk := file.read(CHUNK_BYTES):
            yield chunk


def write_export(db: Session, user: User, file: IO[bytes]) -> None:
    """One JSON object, a line for each row. `db` is a transaction that sees one moment throughout."""

    def put(text: str) -> None:
        file.write(text.encode())

    head = {"format": FORMAT, "exported_at": plain(now()), "account": exported(user, ACCOUNT_LEFT_OUT)}
    put("{" + ",\n".join(f"{_json(key)}: {_json(value)}" for key, value in head.items()))
    for section in belongings():
        put(f",\n{_json(section.key)}: [")
        for number, row in enumerate(rows_of(db, user.id, section)):
            put((",\n  " if number else "\n  ") + _json(row))
        put("]")
    put("}\n")


def rows_of(db: Session, user_id: int, section: Belonging) -> Iterator[Row]:
    if section.rows is not None:
        yield from section.rows(db, user_id)
        return
    mine = _mine(section.table, user_id).order_by(*section.table.__table__.primary_key)
    for row in db.scalars(mine.execution_options(yield_per=AT_A_TIME)):
        yield exported(row, section.left_out)
        db.expunge(row)


def counts_of(db: Session, user_id: int) -> dict[str, int]:
    """How much there is of each section, by its key."""
    return {
        section.key: db.scalar(
            select(func.count()).select_from(section.table).where(section.table.__table__.c.user_id == user_id)
        )
        or 0
        for section in belongings()
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": ")).encode("utf-8", "replace").decode()


def _mine(table: type[Base], user_id: int) -> Any:
    return select(table).where(table.__table__.c.user_id == user_id)
