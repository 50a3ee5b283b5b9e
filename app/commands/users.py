"""`users`: accounts, from the machine that holds the database."""

import json
import sys
from typing import Annotated

import typer

from app.commands.installation import open_database
from app.commands.terminal import counted, say, stop
from graders.text import headline

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

    password = _read_password(password_stdin)
    try:
        with open_database() as database:
            user = accounts.add_user(database, email, role, password)
    except Problem as problem:
        raise stop(False, problem.code, problem.message, problem.hint or "") from None
    say(_is_now(user.email, role))
    if password is None:
        say(f"No password was set. To set one, run ./lectern users password {email}", sys.stderr)
        say(f"For an API token, run ./lectern users token {email}", sys.stderr)


@users.command("password")
def set_password(
    email: str,
    password_stdin: Annotated[bool, typer.Option("--password-stdin", help="Read the password from stdin.")] = False,
) -> None:
    """Set somebody's password and end their sessions. Asks for the password unless --password-stdin."""
    from app.people import password_change
    from app.web.errors import Problem

    password = _read_password(password_stdin)
    if password is None:
        raise stop(False, "invalid", "There is no terminal to ask for the password.", "Use --password-stdin.")
    try:
        with open_database() as database:
            ended = password_change.give_password(database, email, password)
    except Problem as problem:
        raise stop(False, problem.code, problem.message, problem.hint or "") from None
    say(f"{email} has a new password. {headline(counted(ended, 'session'))} ended, API tokens included.")


@users.command("role")
def set_role(
    email: str, role: Annotated[str, typer.Argument(metavar="ROLE", help="student, instructor or admin")]
) -> None:
    """Make somebody who has an account a student, an instructor or an admin."""
    from app.people import roles
    from app.web.errors import Problem

    try:
        with open_database() as database:
            roles.give_role(database, email, role)
    except Problem as problem:
        raise stop(False, problem.code, problem.message, problem.hint or "") from None
    say(_is_now(email, role))


@users.command("list")
def list_users(
    as_json: Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")] = False,
) -> None:
    """List the accounts: e-mail, role, when it was created, and when its newest open session began."""
    from app.people import roles

    with open_database() as database, database.reading() as db:
        accounts = roles.list_accounts(db)
    if as_json:
        say(json.dumps({"users": [account.as_json() for account in accounts]}, ensure_ascii=False))
        return
    width = max((len(account.email) for account in accounts), default=0)
    for account in accounts:
        signed_in = f"signed in {account.signed_in_at:%Y-%m-%d}" if account.signed_in_at else "not signed in"
        say(f"{account.email:{width}}  {account.role:10}  created {account.created_at:%Y-%m-%d}  {signed_in}")
    if not accounts:
        say("There are no accounts. Create one: ./lectern users add EMAIL --role ROLE", sys.stderr)


def _read_password(from_stdin: bool) -> str | None:
    """From stdin, or typed twice; None without a terminal."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\n")
    return typer.prompt("Password", hide_input=True, confirmation_prompt=True) if sys.stdin.isatty() else None


def _is_now(email: str | None, role: str) -> str:
    return f"{email} is now {'an' if role[0] in 'aeiou' else 'a'} {role}."


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
