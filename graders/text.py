"""Text that others wrote, made safe to store in a database, send in a page, or print on one line."""

import os
import re

_NOT_STORABLE = re.compile("[\\x00\\ud800-\\udfff]")


def storable(text: str) -> str:
    """`text` with U+FFFD for NUL, which PostgreSQL refuses, and for lone surrogates, which have no UTF-8."""
    return _NOT_STORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def is_storable(text: str) -> bool:
    return _NOT_STORABLE.search(text) is None


# `solve(x, axis)`, `x.shape`, `d_model`, `x =`, `n`: names that would be others with a capital. Words end otherwise.
_BEGINS_WITH_CODE = re.compile(
    r"(?!e\.g\.|i\.e\.)(?:[A-Za-z_]\w*(?:[(\[]|\.\w|\s*[=+*<>@])|\w*[_\d]|[b-hj-z]\b(?!['’.]))"
)


def headline(text: str) -> str:
    """`text` with a capital, if it begins with a plain word. Code (`solve(x)`) and names (`RoPE`, `xPos`) stay.

    Call this, and never `str.capitalize`, which makes `Rope` of `RoPE`.
    """
    first = text.split(None, 1)[0] if text.strip() else ""
    if first != first.lower() or _BEGINS_WITH_CODE.match(text):
        return text
    return text[:1].upper() + text[1:]


def title_of(name: str) -> str:
    """A title from the name of a file or folder: `RoPE scaling` of `RoPE-scaling`."""
    return headline(name.replace("_", " ").replace("-", " "))


def printable(text: str) -> str:
    """`text` with U+FFFD for each unprintable character, which includes line ends and marks that turn the direction."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def escaped(name: str) -> str:
    """A file's name on one line; bytes that are not UTF-8 and characters that steer a terminal become escapes."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
