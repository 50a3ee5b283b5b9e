"""`move-data`: from SQLite to PostgreSQL."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from app.commands.installation import close_to_others, read_settings
from app.commands.terminal import say, stop


def move_data(
    source: Annotated[
        Path | None, typer.Option("--from", help="SQLite's file; default: lectern.sqlite3 in LECTERN_DATA.")
    ] = None,
) -> None:
    """Move everything from SQLite to the empty PostgreSQL that DATABASE_URL names. The server must be stopped.

    Each row is compared afterwards. Interrupted, it goes on where it stopped when you run it again.
    """
    settings = read_settings()
    if not settings.database_url:
        message = "There is no database to move to."
        raise stop(False, "invalid", message, "Set DATABASE_URL to postgresql://user@host/name, an empty database.")
    close_to_others(settings)
    from app.backup import NoBackup, alone
    from app.moving import NotMoved, move

    file = source or settings.data / "lectern.sqlite3"
    try:
        with alone(settings.data, *([file.parent] if file.is_file() else [])):  # a server has its lock beside its file
            rows = move(file, settings.database_url, lambda line: say(line, sys.stderr))
    except (NotMoved, NoBackup) as problem:
        raise stop(False, "invalid", problem.message, problem.hint) from None
    say(f"{rows:,} rows moved, and all of them compared. Keep DATABASE_URL as it is, and start the server.")
