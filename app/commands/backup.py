"""`backup` and `restore`: one file with everything that cannot be computed again."""

from pathlib import Path
from typing import Annotated

import typer

from app.commands.installation import close_to_others, open_database, read_settings
from app.commands.terminal import say, stop


def backup(
    to: Annotated[
        Path, typer.Argument(metavar="FILE|DIR", help="A new file, or a folder: the file is then named after the time.")
    ],
) -> None:
    """Write the database to one file, while the server runs."""
    from app.backup import NoBackup, back_up

    settings = read_settings()
    close_to_others(settings)
    try:
        written = back_up(settings, to)
    except NoBackup as problem:
        raise stop(False, "invalid", problem.message, problem.hint) from None
    say(f"{written}: {written.stat().st_size:,} bytes")


def restore(
    file: Annotated[Path, typer.Argument(help="What `backup` wrote.")],
    force: Annotated[bool, typer.Option("--force", help="Replace what the database holds.")] = False,
) -> None:
    """Replace the database with a backup. Stop the server first."""
    from app.backup import NoBackup
    from app.backup import restore as restore_backup
    from app.people.audit import Thing, Via, note

    settings = read_settings()
    close_to_others(settings)
    try:
        restore_backup(settings, file, force=force)
    except NoBackup as problem:
        raise stop(False, "invalid", problem.message, problem.hint) from None
    with open_database() as database, database.writing() as db:  # the tables of an older version are up to date by now
        note(db, None, Thing("installation", "database"), "restored", {"file": file.name[:100]}, Via.command_line)
    say(f"Restored {file}.")
