"""This installation: its settings, its database and its judge. Exit 2 where one of them cannot be."""

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from app.commands.terminal import say, stop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.db import Database
    from app.settings import Settings
    from graders.boxes.pool import Judge


def read_settings(**options: Any) -> "Settings":
    """The settings, or exit 2 naming what cannot be."""
    from pydantic import ValidationError

    from app.settings import Settings

    try:
        return Settings(**options)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'settings'}: {e['msg']}" for e in error.errors())
        raise stop(
            False, "invalid", faults.replace("Value error, ", ""), "Correct the option or the environment variable."
        ) from None


@contextmanager
def open_database() -> "Iterator[Database]":
    from app.db import Database
    from app.moving import half_moved

    settings = read_settings()
    close_to_others(settings)
    database = Database(settings.database, settings.database_connections, settings.statement_seconds)
    try:
        if (unfinished := half_moved(database)) is not None:
            raise stop(False, "conflict", unfinished.message, unfinished.hint)
        database.migrate()
        yield database
    finally:
        database.close()


def close_to_others(settings: "Settings") -> None:
    """For each command that writes to the data folder or the cache. Exit 2 where others can get at them."""
    from app.private import Exposed, keep_private

    try:
        keep_private(settings)
    except Exposed as exposed:
        raise stop(False, "forbidden", exposed.message, exposed.hint) from None


def open_judge(frameworks: tuple[str, ...], parked: int = 1) -> "Judge":
    """A judge for one command: a box at a time, its cache where the settings say."""
    from graders.boxes.pool import Judge

    settings = read_settings()
    close_to_others(settings)
    require = settings.sandbox == "on"
    if not require:
        warn_of_no_walls()
    return Judge(settings.cache_folder, dict.fromkeys(frameworks), dict.fromkeys(frameworks, parked), require)


def warn_of_no_walls() -> None:
    say("warning: LECTERN_SANDBOX=off: code runs without the walls that this machine lacks", sys.stderr)
