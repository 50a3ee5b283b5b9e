"""What is said in the terminal, and how a command stops."""

from __future__ import annotations

import os
import re
import sys
from typing import Any, NoReturn, TextIO

ACCEPTED, REJECTED, COULD_NOT = 0, 1, 2
# Control characters but tab and line feed, marks that turn the direction of text, and halves of surrogate pairs.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Stop(Exception):
    """The command cannot do what was asked: why, and what to do about it."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


def stop(message: str, hint: str) -> NoReturn:
    raise Stop(message, hint)


def printable(text: Any) -> str:
    """attack: an escape sequence in a text of the server writes over what was printed before, renames the window, or
    types into the shell. defence: none of its characters reaches the terminal, or a file that is shown there.
    """
    return _CONTROLS.sub("", str(text))


def say(line: str = "", where: TextIO | None = None) -> None:
    where = where or sys.stdout
    encoding = where.encoding or "utf-8"
    where.write(f"{printable(line)}\n".encode(encoding, "replace").decode(encoding))
    where.flush()


def say_in_colour(colour: int, word: str, rest: str) -> None:
    """`word` in the colour, where there is a terminal that shows colours; then the rest of the line."""
    if not sys.stdout.isatty() or "NO_COLOR" in os.environ:
        say(f"{word}{rest}")
        return
    sys.stdout.write(f"\x1b[1;{colour}m{printable(word)}\x1b[0m")
    say(rest)
