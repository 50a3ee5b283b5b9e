"""`worker`: a judge for web processes elsewhere."""

from typing import Annotated

import typer

from app.commands.installation import close_to_others, read_settings, warn_of_no_walls
from app.commands.terminal import stop


def worker(
    queue: Annotated[
        str | None,
        typer.Option(help="The broker, as nats://NAME:PASSWORD@HOST:4222/INSTALLATION; default: LECTERN_QUEUE."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Submissions judged at once; default: LECTERN_WORKERS, then 2.")
    ] = None,
    frameworks: Annotated[str, typer.Option(help="Judge these alone, as numpy,torch; default: all.")] = "",
) -> None:
    """Judge for web processes elsewhere, over a broker, until Ctrl-C. Needs no database."""
    options = {name: value for name, value in (("queue", queue), ("workers", workers)) if value is not None}
    settings = read_settings(**options)
    from graders.frameworks import FRAMEWORKS

    chosen = tuple(name for name in frameworks.replace(",", " ").split())
    if settings.queue == "local":
        message = "A worker needs a broker: with the local queue, ./lectern serve judges by itself."
        raise stop(
            False, "invalid", message, "Give --queue nats://…, or set LECTERN_QUEUE. docs/operating.md says how."
        )
    if settings.workers == 0:
        raise stop(False, "invalid", "LECTERN_WORKERS=0 judges nothing.", "Use at least --workers 1.")
    if unknown := [name for name in chosen if name not in FRAMEWORKS]:
        names = ", ".join(FRAMEWORKS)
        raise stop(False, "invalid", f"{unknown[0]} is no framework.", f"Use some of {names}.")
    close_to_others(settings)
    if settings.sandbox == "off":
        warn_of_no_walls()
    from app.queue.workshop import work

    raise typer.Exit(work(settings, chosen or tuple(FRAMEWORKS)))
