"""Text that others wrote, made so that a database keeps it, a page can be sent with it, or a line can show it."""

import os
import re

_NOT_STORABLE = re.compile("[\\x00\\ud800-\\udfff]")


def storable(text: str) -> str:
    """`text` with U+FFFD for NUL, which PostgreSQL refuses, and for lone surrogates, which have no UTF-8."""
    return _NOT_STORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def is_storable(text: str) -> bool:
    return _NOT_STORABLE.search(text) is None


def printable(text: str) -> str:
    """`text` with U+FFFD for whatever is not printed: line ends too, and marks that turn the direction of writing."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def escaped(name: str) -> str:
    """A file's name on one line: bytes that are not UTF-8, and what steers a terminal, as escapes."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
