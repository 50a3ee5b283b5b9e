"""Text that others wrote, made safe to store in a database, send in a page, or print on one line."""

import os
import re

_NOT_STORABLE = re.compile("[\\x00\\ud800-\\udfff]")


def storable(text: str) -> str:
    """`text` with U+FFFD for NUL, which PostgreSQL refuses, and for lone surrogates, which have no UTF-8."""
    return _NOT_STORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def is_storable(text: str) -> bool:
    return _NOT_STORABLE.search(text) is None


def printable(text: str) -> str:
    """`text` with U+FFFD for each unprintable character, which includes line ends and marks that turn the direction."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def escaped(name: str) -> str:
    """A file's name on one line; bytes that are not UTF-8 and characters that steer a terminal become escapes."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
