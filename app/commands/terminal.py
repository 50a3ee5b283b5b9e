"""What a command says, and how it stops when it cannot do what was asked."""

import json
import sys
from typing import TextIO

import typer

ACCEPTED, REJECTED, COULD_NOT = 0, 1, 2


def say(line: str, where: TextIO | None = None) -> None:
    (where or sys.stdout).write(f"{line}\n")


def stop(as_json: bool, code: str, message: str, hint: str) -> typer.Exit:
    """Exit 2, saying what and what to do: as JSON on stdout, or in words on stderr."""
    if as_json:
        say(json.dumps({"error": {"code": code, "message": message, "hint": hint}}, ensure_ascii=False))
    else:
        say(f"lectern: {message}\n         {hint}", sys.stderr)
    return typer.Exit(COULD_NOT)


def counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
