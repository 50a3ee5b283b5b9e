"""`serve`: pages, API and judge."""

import sys
from typing import Annotated

import typer

from app.commands.installation import read_settings, warn_of_no_walls
from app.commands.terminal import say


def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; default: LECTERN_HOST, then 127.0.0.1.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port; default: LECTERN_PORT, then 8000.")] = None,
    edit: Annotated[
        bool, typer.Option("--edit", help="For authors, on this machine alone: what you save shows on the open page.")
    ] = False,
) -> None:
    """Migrate the database, import the content, then serve pages and judge submissions until Ctrl-C."""
    options: dict[str, str | int] = {
        name: value for name, value in (("host", host), ("port", port)) if value is not None
    }
    if edit:
        options["edit"] = "on"
    settings = read_settings(**options)
    from app.web.server import serve as run_server

    if settings.sandbox == "off":
        warn_of_no_walls()
    if not settings.database_url and not (settings.data / "lectern.sqlite3").exists():
        say("First start on an empty data folder. To author and to see classes, make an instructor:", sys.stderr)
        say("  ./lectern users add you@example.org --role instructor", sys.stderr)
    raise typer.Exit(run_server(settings))
