"""`serve`: pages, API and judge; or a demo of them."""

import os
import shutil
import signal
import socket
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.installation import read_settings, warn_of_no_walls
from app.commands.terminal import say, stop

if TYPE_CHECKING:
    from app.settings import Settings

# What says where real work is kept: a demo has nothing to do with it.
REAL = ("DATABASE_URL", "LECTERN_DATA", "LECTERN_QUEUE")
DELETE_TRIES = 5  # what a process that ends has open may be written once more


def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; default: LECTERN_HOST, then 127.0.0.1.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port; default: LECTERN_PORT, then 8000.")] = None,
    edit: Annotated[
        bool, typer.Option("--edit", help="For authors, on this machine alone: what you save shows on the open page.")
    ] = False,
    demo: Annotated[
        bool, typer.Option("--demo", help="Look around a filled class of made-up people. Nothing is kept.")
    ] = False,
) -> None:
    """Migrate the database, import the content, then serve pages and judge submissions until Ctrl-C."""
    options: dict[str, str | int] = {
        name: value for name, value in (("host", host), ("port", port)) if value is not None
    }
    if demo:
        raise typer.Exit(_serve_demo(options, edit=edit))
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


def _serve_demo(options: dict[str, str | int], *, edit: bool) -> int:
    """In a folder that is deleted at the end, whichever way that comes but for a kill that nothing survives."""
    if edit:
        raise stop(False, "invalid", "A demo is not edited.", "Use --edit without --demo, on a folder of your own.")
    if named := [name for name in REAL if os.environ.get(name)]:
        raise stop(
            False, "invalid", f"{' and '.join(named)} says where real work is kept: a demo is never put beside it.",
            f"Unset it for the demo: env {' '.join(f'-u {name}' for name in named)} ./lectern serve --demo",
        )  # fmt: skip
    folder = Path(tempfile.mkdtemp(prefix="lectern-demo-"))
    mine = os.getpid()

    def end(number: int, _frame: FrameType | None) -> None:
        if os.getpid() == mine:  # a fork of this process, before it is another program, is ended by the signal alone
            sys.exit(128 + number)
        os._exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    try:
        return _run_demo(_demo_settings(options, folder), folder)
    finally:
        if os.getpid() == mine:
            _delete(folder)


def _demo_settings(options: dict[str, str | int], folder: Path) -> "Settings":
    """Nothing of the environment's that leads out of this machine, or to anybody's work."""
    from app.settings import ROOT, is_loopback

    own = {"database_url": "", "queue": "local", "data": folder, "exercises": ROOT / "exercises"}
    own |= {"lessons": folder / "lessons", "smtp": "", "origin": "", "hosts": "", "trusted_proxies": "", "traces": ""}
    if options.get("port") == 0:  # its links name it before the server has one
        with socket.create_server(("127.0.0.1", 0)) as free:
            options = {**options, "port": free.getsockname()[1]}
    settings = read_settings(**own, **options)
    if not is_loopback(settings.host):
        raise stop(
            False, "forbidden", f"A demo signs in without a password: it is not served on {settings.host}.",
            "Leave out --host and LECTERN_HOST, so that only this machine reaches it.",
        )  # fmt: skip
    return settings


def _run_demo(settings: "Settings", folder: Path) -> int:
    from app.classes.demo import write_lessons
    from app.settings import ROOT
    from app.web.server import serve as run_server

    if settings.sandbox == "off":
        warn_of_no_walls()
    write_lessons(ROOT / "lessons", folder / "lessons")
    say("A demo is being prepared: it takes less than a minute. Ctrl-C ends it, and deletes all of it.")
    return run_server(settings, is_demo=True)


def _delete(folder: Path) -> None:
    for _ in range(DELETE_TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
    say(f"lectern: {folder} could not be deleted\n         Delete it by hand.", sys.stderr)
