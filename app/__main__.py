"""The command line: its commands, each a module of `app.commands`."""

import gc
from typing import Annotated

import typer

from app.commands.backup import backup, restore
from app.commands.bench import bench
from app.commands.check import check
from app.commands.cluster import cluster
from app.commands.doctor import doctor
from app.commands.export import export
from app.commands.grade import grade
from app.commands.import_ import import_
from app.commands.move_data import move_data
from app.commands.new import new
from app.commands.schema import schema
from app.commands.serve import serve
from app.commands.tests import run_lint, run_tests
from app.commands.users import users
from app.commands.worker import worker

# A command imports some hundred thousand objects, which all stay. With Python's own threshold (700) the collector looks
# for garbage among them six hundred times, for a seventh of the time that importing takes. It stays so: what a request
# leaves behind is little, and what a server begins with is out of the collector's sight (`settle`).
gc.set_threshold(20_000, 20, 20)

cli = typer.Typer(
    name="lectern",
    help="Lectern: lessons, questions, and exercises that grade tensor code.",
    epilog="For students, in their own editor: login, logout, get, submit (docs/own-editor.md).",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def print_version(asked: bool) -> None:
    if asked:
        from app.operating.release import version

        typer.echo(f"Lectern {version()}")
        raise typer.Exit


@cli.callback()
def start(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Take the options that belong to no command."""


cli.command()(serve)
cli.command()(worker)
cli.command()(cluster)
cli.command("move-data")(move_data)
cli.command("test")(run_tests)
cli.command("lint")(run_lint)
cli.command()(grade)
cli.command()(check)
cli.add_typer(new, name="new")
cli.command()(schema)
cli.command("import")(import_)
cli.command()(export)
cli.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []})(bench)
cli.command()(doctor)
cli.command()(backup)
cli.command()(restore)
cli.add_typer(users, name="users")

if __name__ == "__main__":
    cli(prog_name="./lectern")
