"""`cluster`: the secrets of many machines, and the broker's configuration."""

import json
import secrets
from pathlib import Path
from typing import Annotated

import typer

from app.commands.terminal import say, stop

DEFAULTS = {"installation": "lectern", "broker": "nats:4222", "database": "postgres:5432"}
TAKEN = ("web", "postgres")  # they have passwords of their own


def cluster(
    folder: Annotated[Path, typer.Argument(help="Where to write them. Existing ones stay as they are.")],
    worker: Annotated[
        list[str] | None,
        typer.Option(help="A name for workers, with a password of its own; may repeat. Default: worker."),
    ] = None,
    installation: Annotated[
        str | None, typer.Option(help="The name that streams and subjects begin with; default: lectern.")
    ] = None,
    broker: Annotated[
        str | None, typer.Option(help="Where web processes and workers reach the broker; default: nats:4222.")
    ] = None,
    database: Annotated[
        str | None, typer.Option(help="Where web processes reach PostgreSQL; default: postgres:5432.")
    ] = None,
) -> None:
    """Write passwords for PostgreSQL, the web and each name of workers, the URLs with them, and nats.conf.

    Run again with one more --worker, it adds that one, and changes no password and no address. Nobody but you can enter
    the folder.
    """
    from app.queue.credentials import WEB, broker_config, require_name

    try:
        for name in worker or ():
            require_name(name)
            if name in TAKEN:
                raise ValueError(f"{name!r} is no name for a worker: that is taken")
    except ValueError as error:
        raise stop(False, "invalid", str(error), "Choose another name with --worker.") from None
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    options = _remembered(folder, {"installation": installation, "broker": broker, "database": database})
    installation, broker, database = options["installation"], options["broker"], options["database"]
    workers = list(dict.fromkeys([*_known(folder), *(worker or ())])) or ["worker"]
    passwords = {name: _password(folder, name) for name in (WEB, *workers)}
    _write(folder / "nats.conf", broker_config(installation, passwords))
    for name in (WEB, *workers):
        _write(folder / f"{name}_queue", f"nats://{name}:{passwords[name]}@{broker}/{installation}")
    postgres = _password(folder, "postgres")
    _write(folder / "database_url", f"postgresql+psycopg://lectern:{postgres}@{database}/lectern")
    say(f"Written to {folder}: nats.conf, database_url, {', '.join(f'{name}_queue' for name in (WEB, *workers))}")


def _known(folder: Path) -> list[str]:
    """The names of workers that have a password there already."""
    names = [path.name.removesuffix("_password") for path in sorted(folder.glob("*_password"))]
    return [name for name in names if name not in TAKEN]


def _remembered(folder: Path, options: dict[str, str | None]) -> dict[str, str]:
    """These options where they are given, else as they were the last time, else their defaults."""
    path = folder / "cluster.json"
    before = json.loads(path.read_text()) if path.exists() else DEFAULTS
    chosen = {**before, **{name: value for name, value in options.items() if value is not None}}
    _write(path, json.dumps(chosen, indent=1))
    return chosen


def _password(folder: Path, name: str) -> str:
    """As it was written, or a new one."""
    path = folder / f"{name}_password"
    if not path.exists():
        _write(path, secrets.token_hex(24))
    return path.read_text().strip()


def _write(path: Path, text: str) -> None:
    """Any user inside a container can read it; outside, the folder is private."""
    path.write_text(text)
    path.chmod(0o644)
