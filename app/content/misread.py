"""Text that lost something on its way here: UTF-8 read as another encoding, formulas without their delimiters."""

import re
from collections.abc import Iterator

MACROS = (
    "alpha|approx|begin|beta|bmod|cdot|cdots|cos|dots|exp|frac|gamma|geq|in|infty|lambda|ldots|left|leq|ln|log"
    "|mathbb|mathbf|mathcal|mathrm|neq|omega|operatorname|pi|prod|right|sigma|sin|sqrt|sum|tan|text|theta|times|to"
)
_FORMULA = re.compile(rf"\\(?:{MACROS})(?![A-Za-z])|[A-Za-z0-9)\]][_^]\{{")


def stray_formula(prose: str) -> str | None:
    """The piece of mathematics in `prose` (text outside code and mathematics), if there is any."""
    found = _FORMULA.search(prose)
    return prose[found.start() : found.start() + 40].split("\n")[0] if found else None


def misread_lines(text: str) -> Iterator[tuple[int, str, str | None]]:
    """(line from 1, the garbled piece, what it was meant to be if that can be told)."""
    for number, line in enumerate(text.split("\n"), 1):
        if found := _GARBLED.search(line):
            yield number, found.group(), _restored(found.group())
        elif "\ufffd" in line:
            yield number, "\ufffd", None


def _bytes_of() -> dict[str, int]:
    """Every character that a byte above 0x7F can have become, in the encodings that are mistaken for UTF-8."""
    table: dict[str, int] = {}
    for encoding in ("latin-1", "cp1252", "cp1253"):
        for byte in range(0x80, 0x100):
            table.setdefault(bytes([byte]).decode(encoding, errors="replace"), byte)
    table.pop("\ufffd", None)
    return table


_BYTES = _bytes_of()


def _any_of(low: int, high: int) -> str:
    return "[" + "".join(re.escape(c) for c, byte in _BYTES.items() if low <= byte <= high) + "]"


_TAIL = _any_of(0x80, 0xBF)
# Only the leads that garbled punctuation, emoji and accents begin with: “CAFÉ” and « café » are not garbled.
_GARBLED = re.compile(rf"{_any_of(0xF0, 0xF4)}{_TAIL}{{3}}|[âβãγïο]{_TAIL}{{2}}|[ÂÃÎÏÐÑ]{_TAIL}")


def _restored(garbled: str) -> str | None:
    try:
        return bytes(_BYTES[character] for character in garbled).decode("utf-8")
    except (KeyError, UnicodeDecodeError):
        return None
