"""`login`, `logout`, `get`, `submit` and `publish`: from `lectern-cli`, or from `./lectern` in a checkout."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from pathlib import Path

from lectern_cli import tokens
from lectern_cli.folder import Origin, read_framework, read_origin, say_what_is_there, write_folder
from lectern_cli.publish import PUBLISH_SECONDS, publish_all
from lectern_cli.server import Server, Unavailable, is_in_the_clear, read_address, read_slug
from lectern_cli.terminal import COULD_NOT, Stop, say, stop
from lectern_cli.verdict import show

NAMES = ("login", "logout", "get", "submit", "publish")
MAX_SOURCE_BYTES = 1 << 20


def main(arguments: list[str] | None = None, program: str = "lectern-cli") -> int:
    """The exit status: 0 done, or accepted; 1 not accepted; 2 could not."""
    chosen = _parser(program).parse_args(arguments)
    try:
        status: int = chosen.command(chosen)
        return status
    except Stop as reason:
        say(f"{program}: {reason.message}\n{' ' * len(program)}  {reason.hint}", sys.stderr)
        return COULD_NOT
    except KeyboardInterrupt:
        say("\nInterrupted. What was sent is judged all the same.", sys.stderr)
        return 130


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(program, description="Lectern in your own editor.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: object, words: str) -> argparse.ArgumentParser:
        found = commands.add_parser(name, help=words, description=words)
        found.set_defaults(command=run)
        found.add_argument("--server", metavar="URL", help="default: LECTERN_SERVER, then the one you are signed in to")
        return found

    login = command("login", sign_in, "Sign in to a server, and keep its token on this machine.")
    login.add_argument("--guest", action="store_true", help="without an account")
    login.add_argument("--email", help="asked for if it is missing")
    login.add_argument("--password-stdin", action="store_true", help="read the password from stdin")
    command("logout", sign_out, "Sign out of a server, and delete its token from this machine.")
    get = command("get", get_exercise, "Write an exercise as a folder: statement, starter and sample cases.")
    get.add_argument("exercise", metavar="SLUG")
    get.add_argument("--framework", help="default: the exercise's first")
    get.add_argument(
        "--into", type=Path, default=Path(), metavar="FOLDER", help="where the folder is made; default: here"
    )
    submit = command(
        "submit", submit_file, "Submit a file and show the verdict. Exit status: 0 accepted, 1 not, 2 could not."
    )
    submit.add_argument("file", type=Path, metavar="FILE")
    submit.add_argument("--exercise", metavar="SLUG", help="default: that of the folder")
    submit.add_argument("--framework", help="default: that of the folder")
    submit.add_argument("--run", action="store_true", help="on the sample cases only, not for credit")
    publish = command(
        "publish",
        publish_folders,
        "Publish a folder of exercises and lessons. Exit status: 0 all live, 1 not, 2 could not.",
    )
    publish.add_argument(
        "--from",
        type=Path,
        required=True,
        dest="folder",
        metavar="DIR",
        help="holds exercises/ and lessons/, or is one of these",
    )
    publish.add_argument("--message", default="", help="for the history of revisions; for example the commit")
    publish.add_argument("--replace", action="store_true", help="also where the browser has a newer draft")
    return parser


def sign_in(chosen: argparse.Namespace) -> int:
    address = _address(chosen.server, needs_token=False)
    if is_in_the_clear(address):
        say(f"note: {address} is not encrypted: others in the network can read what you send.", sys.stderr)
    before = tokens.all_kept().get(address)
    # A guest who signs in keeps their work: so the server is told who they were.
    server = Server(address, before.token if before and before.is_guest and not chosen.guest else None)
    body = {} if chosen.guest else _credentials(chosen)
    token = server.post("/sessions", body).get("token")
    if not tokens.is_token(token):
        stop("The server sent no token.", "Check the address: it must be that of a Lectern server.")
    who = body.get("email", "guest")
    tokens.keep(address, str(token), who)
    say(f"Signed in to {address} as {'a guest' if chosen.guest else who}.")
    return 0


def _credentials(chosen: argparse.Namespace) -> dict[str, str]:
    try:
        email = chosen.email or input("E-mail: ").strip()
        password = sys.stdin.readline().rstrip("\n") if chosen.password_stdin else getpass.getpass("Password: ")
    except EOFError:
        stop("There is no terminal to ask in.", "Use --email and --password-stdin, or --guest.")
    return {"email": email, "password": password}


def sign_out(chosen: argparse.Namespace) -> int:
    address = _address(chosen.server)
    try:
        Server(address, _token(address)).delete("/sessions/current")
    finally:
        tokens.forget(address)
    say(f"Signed out of {address}.")
    return 0


def get_exercise(chosen: argparse.Namespace) -> int:
    slug, address = read_slug(chosen.exercise), _address(chosen.server, needs_token=False)
    server = Server(address)  # exercises are public: no token is needed, so none is sent
    exercise = server.get(f"/exercises/{slug}")
    framework = _framework(exercise.get("frameworks"), chosen.framework)
    try:
        samples = server.get(f"/exercises/{slug}/samples")
    except Unavailable as reason:
        samples = None
        say(f"note: without the sample cases. {reason.message} Then get it again: your solution.py stays.", sys.stderr)
    for name in (samples or {}).get("left_out", []):
        say(f"note: the sample case {name!r} cannot be sent: it is on the page only.", sys.stderr)
    folder = chosen.into / slug
    write_folder(folder, Origin(address, slug, framework), exercise, samples)
    say_what_is_there(folder, samples is not None)
    return 0


def _framework(offered: object, wanted: str | None) -> str:
    names = [str(name) for name in offered] if isinstance(offered, list) else []
    if wanted and wanted not in names:
        stop(f"This exercise is not for {wanted}.", f"Use --framework with one of {', '.join(names)}.")
    return read_framework(wanted or (names[0] if names else ""))


def submit_file(chosen: argparse.Namespace) -> int:
    source, origin = _source(chosen.file), read_origin(chosen.file)
    slug = chosen.exercise or (origin and origin.exercise)
    if not slug:
        stop(f"Nothing beside {chosen.file} says which exercise it solves.", "Name it with --exercise.")
    address = _address(chosen.server or (origin.server if origin and not chosen.exercise else None))
    server = Server(address, _token(address))
    body = {"source": source, "kind": "run" if chosen.run else "submit"}
    framework = chosen.framework or (origin.framework if origin and not chosen.exercise else None)
    if framework:
        body["framework"] = read_framework(framework)
    return show(server.follow(server.submit(read_slug(slug), body)))


def publish_folders(chosen: argparse.Namespace) -> int:
    """A program signs in with LECTERN_TOKEN, which `./lectern users token` makes; a person with `login`."""
    address = _address(chosen.server)
    token = os.environ.get("LECTERN_TOKEN") or _token(address)
    if not tokens.is_token(token):
        stop("LECTERN_TOKEN is not a token.", "Make one on the server: ./lectern users token EMAIL")
    return publish_all(Server(address, token, PUBLISH_SECONDS), chosen.folder, chosen.message, chosen.replace)


def _source(file: Path) -> str:
    try:
        content = file.read_bytes()
    except OSError as error:
        stop(f"Cannot read {file}: {error.strerror}.", "Name a Python file.")
    if len(content) > MAX_SOURCE_BYTES:
        stop(f"{file} is larger than {MAX_SOURCE_BYTES >> 10} KiB.", "Submit the file with your solution only.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        return stop(f"{file}:{line} is not UTF-8.", "Save the file as UTF-8.")


def _address(named: str | None, needs_token: bool = True) -> str:
    """The server that was named, or the only one that this student is signed in to."""
    named = named or os.environ.get("LECTERN_SERVER")
    if named:
        return read_address(named)
    known = list(tokens.all_kept())
    if len(known) == 1:
        return read_address(known[0])
    if not known and needs_token:
        stop("You are not signed in.", "Run login --server URL first.")
    return stop("Which server?", f"Name it with --server{': ' + ', '.join(known) if known else ' URL'}.")


def _token(address: str) -> str:
    found = tokens.all_kept().get(address)
    if found is None or not tokens.is_token(found.token):
        stop(f"You are not signed in to {address}.", f"If you trust it: login --server {address}")
    return found.token
