"""TOML that an instructor wrote: bounded before it is parsed, and free of values that cannot be printed.

attack: fifty thousand brackets, a name of ten thousand dots, a number of a million digits. For each bracket or dot
Python's parser, and code that prints the result, recurses once more; or it raises something else than TOMLDecodeError.
defence: brackets and dots are counted first, and numbers have 64 bits, as TOML says.
"""

import re
import tomllib
from typing import Any

MAX_NESTING = 16
MAX_DOTS = 16
MAX_CHARACTERS = 64 << 10
_NUMBER_BITS = 63


class TomlFault(Exception):
    """What is wrong, without a full stop, and the line if it is known."""

    def __init__(self, message: str, hint: str, line: int | None) -> None:
        super().__init__(message)
        self.message, self.hint, self.line = message, hint, line


def read_toml(text: str) -> dict[str, Any]:
    """Raises TomlFault."""
    if len(text) > MAX_CHARACTERS:
        message = f"is larger than {MAX_CHARACTERS >> 10} KiB"
        raise TomlFault(message, "keep a few names and values in it, and the rest in Markdown", None)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    _require_shallow(text)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else len(text.splitlines())
        raise TomlFault(f"is not TOML: {error}", "correct the line named", line) from None
    except (ValueError, RecursionError) as error:
        reason = "a number in it is too long" if isinstance(error, ValueError) else "it is nested too deep"
        raise TomlFault(f"is not TOML: {reason}", "write shorter numbers and fewer brackets", _longest(text)) from None
    _require_small(table, text)
    return table


def _require_shallow(text: str) -> None:
    """Raises TomlFault for too many brackets or dots, not counting those in texts and comments. A line that is not TOML
    may be counted wrongly, but is a fault anyway."""
    depth = 0
    for token in _TOKEN.finditer(text):
        word = token[0]
        if len(word) == 1 and word in "[{":
            depth += 1
        elif len(word) == 1 and word in "]}":
            depth -= 1
        if depth > MAX_NESTING or (word[0] not in "\"'#" and word.count(".") > MAX_DOTS):
            line = text.count("\n", 0, token.start()) + 1
            message = f"is nested more than {MAX_NESTING} deep"
            raise TomlFault(message, "write plain `name = value` lines", line)


_TOKEN = re.compile(
    r"""\"{3}(?:[^"\\]|\\.|"(?!""))*+(?:"{3})?|'{3}(?:[^']|'(?!''))*+(?:'{3})?|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?"""
    r"""|\#[^\n]*+|[\[\]{}]|(?:[\w-]++(?:[ \t]*+\.[ \t]*+)?+)++""",
    re.DOTALL,
)


def _require_small(table: dict[str, Any], text: str) -> None:
    """Raises TomlFault for what counting brackets misses: quoted names with dots between them, and large numbers."""
    pending: list[tuple[Any, int]] = [(table, 0)]
    while pending:
        value, depth = pending.pop()
        if isinstance(value, dict | list):
            if depth > MAX_NESTING:
                message = f"is nested more than {MAX_NESTING} deep"
                raise TomlFault(message, "write plain `name = value` lines", _longest(text))
            pending.extend((item, depth + 1) for item in (value.values() if isinstance(value, dict) else value))
        elif isinstance(value, int) and value.bit_length() > _NUMBER_BITS:
            raise TomlFault("holds a number of more than 64 bits", "write a smaller one", _longest(text))


def _longest(text: str) -> int:
    """The number of the line with the longest word."""
    words = ((max(map(len, line.split()), default=0), -number) for number, line in enumerate(text.split("\n"), 1))
    return -max(words)[1]
