"""`users`: accounts, from the machine that holds the database."""

import sys
from typing import Annotated

import typer

from app.commands.installation import open_database
from app.commands.terminal import counted, say, stop

users = typer.Typer(help="Manage accounts.", no_args_is_help=True)


@users.command("add")
def add_user(
    email: str,
    role: Annotated[str, typer.Option(help="student, instructor or admin")],
    password_stdin: Annotated[bool, typer.Option("--password-stdin", help="Read the password from stdin.")] = False,
) -> None:
    """Create an account. Asks for the password unless --password-stdin; without a terminal, sets none."""
    from app.people import accounts
    from app.web.errors import Problem

    password: str | None = None
    if password_stdin:
        password = sys.stdin.readline().rstrip("\n")
    elif sys.stdin.isatty():
        password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    try:
        with open_database() as database:
            user = accounts.add_user(database, email, role, password)
    except Problem as problem:
        raise stop(False, problem.code, problem.message, problem.hint or "") from None
    say(f"{user.email} is now {'an' if role[0] in 'aeiou' else 'a'} {role}.")
    if password is None:
        say(f"No password was set. For an API token, run ./lectern users token {email}", sys.stderr)


@users.command("token")
def make_token(email: str) -> None:
    """Print a new bearer token for an account."""
    from app.people import accounts
    from app.web.errors import Problem

    try:
        with open_database() as database:
            say(accounts.make_token(database, email))
    except Problem as problem:
        raise stop(False, problem.code, problem.message, problem.hint or "") from None


@users.command("time")
def give_time(
    email: str,
    multiplier: Annotated[float, typer.Argument(help="1 to 10; 1.5 gives 30 minutes for a quiz of 20.")],
) -> None:
    """Give someone more time in quizzes, also in open attempts. A deadline is never moved forward."""
    from app.quizzes import extra_time
    from app.web.errors import Problem

    try:
        with open_database() as database:
            extended = extra_time.give_time(database, email, multiplier)
    except Problem as problem:
        raise stop(False, problem.code, problem.message, problem.hint or "") from None
    say(f"{email} now has {multiplier:g} times the usual time in quizzes.")
    if extended:
        say(f"{counted(extended, 'open attempt')} extended.")
