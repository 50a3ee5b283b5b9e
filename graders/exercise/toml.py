"""TOML that an instructor wrote: bounded before it is parsed, and free of values that cannot be printed.

attack: fifty thousand brackets, a name of ten thousand dots, a number of a million digits. For each bracket or dot
Python's parser, and code that prints the result, recurses once more; or it raises something else than TOMLDecodeError.
defence: brackets and dots are counted first, and numbers have 64 bits, as TOML says.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MAX_NESTING = 16
MAX_DOTS = 16
MAX_CHARACTERS = 64 << 10
MAX_FAULTS = 20  # of one file
MAX_STATEMENT_LINES = 40  # that look like statements of their own
_NUMBER_BITS = 63


class TomlFault(Exception):
    """What is wrong, without a full stop, and the line if it is known."""

    def __init__(self, message: str, hint: str, line: int | None) -> None:
        super().__init__(message)
        self.message, self.hint, self.line = message, hint, line


@dataclass(frozen=True)
class ReadToml:
    """What could be read of a file, and what is wrong in the rest, in the order of its lines.

    `lost`: names in what could not be read, and the sections around them, so that nobody calls them missing.
    `is_whole`: whether there is a table at all.
    """

    table: dict[str, Any]
    faults: tuple[TomlFault, ...] = ()
    lost: frozenset[str] = frozenset()
    is_whole: bool = True


def read_toml(text: str) -> ReadToml:
    if len(text) > MAX_CHARACTERS:
        message = f"is larger than {MAX_CHARACTERS >> 10} KiB"
        fault = TomlFault(message, "keep a few names and values in it, and the rest in Markdown", None)
        return ReadToml({}, (fault,), is_whole=False)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    try:
        _require_shallow(text)
        read = _without_broken_lines(text)
        _require_small(read.table, text)
    except TomlFault as fault:
        return ReadToml({}, (fault,), is_whole=False)
    return read


def line_of(text: str, key: str) -> int | None:
    """The line that sets `limits.wall_seconds`, or begins the section `limits`."""
    section, _, name = key.rpartition(".")
    place, own = "", None
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            place = header[1].strip()
            if place == key:
                return number
        elif (found := _NAME.match(line)) and (place == section or (not place and not section)):
            if found[1].strip("\"'") in (name, key):
                return number
        elif found and not place and found[1].strip("\"'") in (key, section):
            own = number  # `limits = {wall_seconds = 5}`
    return own


_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$")
_NAME = re.compile(r"""\s*("[^"\n]*"|'[^'\n]*'|[\w.-]+)\s*=""")
_STATEMENT = re.compile(rf"{_HEADER.pattern}|{_NAME.pattern}|\s*\[")


def _without_broken_lines(text: str) -> ReadToml:
    """The parser stops at the first fault. So the statement that it stops at is blanked, and the rest is read again."""
    faults: list[TomlFault] = []
    lost: set[str] = set()
    lines = text.split("\n")
    while True:
        try:
            return ReadToml(_parsed("\n".join(lines)), tuple(faults), frozenset(lost))
        except TomlFault as fault:
            if len(faults) == MAX_FAULTS or fault.line is None:
                raise (faults[0] if faults else fault) from None
            start, end = _statement_at(lines, fault.line - 1)
            faults.append(_explained(fault, lines[start], start + 1))
            lost |= _names_in(lines, start, end)
            if not any(lines[start:end]):
                raise faults[0] from None  # blank already, and a fault all the same
            lines[start:end] = [""] * (end - start)


def _parsed(text: str) -> dict[str, Any]:
    """Raises TomlFault."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at (?:line (\d+).*|end of document)\)$", str(error))
        line = int(place[1]) if place and place[1] else len(text.rstrip("\n").split("\n"))
        raise TomlFault(str(error)[: place.start()] if place else str(error), "correct this line", line) from None
    except (ValueError, RecursionError) as error:
        reason = "a number in it is too long" if isinstance(error, ValueError) else "it is nested too deep"
        raise TomlFault(f"is not TOML: {reason}", "write shorter numbers and fewer brackets", _longest(text)) from None


def _statement_at(lines: list[str], at: int) -> tuple[int, int]:
    """The lines from the one that begins the statement here to the one that begins the next; a section's header goes
    with all of its names, which would otherwise become names of the section above."""
    at = min(at, len(lines) - 1)
    starts = [n for n in range(at + 1) if _STATEMENT.match(lines[n])]
    for start, end in _never_closed(lines, starts):
        return start, end
    start = starts[-1] if starts else at
    if lines[at].strip() and _is_complete(lines[start:at]):
        start = at  # text that belongs to nothing above it
    ends = _HEADER if lines[start].lstrip().startswith("[") else _STATEMENT
    end = next((n for n in range(max(start, at) + 1, len(lines)) if ends.match(lines[n])), len(lines))
    return start, end


def _never_closed(lines: list[str], starts: list[int]) -> Iterator[tuple[int, int]]:
    """A statement before the last one that no line completes: a bracket or quote that is never closed is noticed only
    further down."""
    place = 0
    while place < len(starts) - 1:
        ends = starts[place + 1 : place + 1 + MAX_STATEMENT_LINES]
        done = next((n for n, end in enumerate(ends) if _is_complete(lines[starts[place] : end])), None)
        if done is None:
            yield starts[place], starts[place + 1]
            return
        place += done + 1


def _is_complete(statement: list[str]) -> bool:
    text = "\n".join(statement)
    try:
        return bool(text.strip()) and tomllib.loads(text) is not None
    except ValueError:
        return False


def _names_in(lines: list[str], start: int, end: int) -> set[str]:
    """The names that these lines set, and the sections that they are in."""
    section = next((found[1].strip() for line in lines[:start][::-1] if (found := _HEADER.match(line))), "")
    names = {section} - {""}
    for line in lines[start:end]:
        if header := re.match(r"\s*\[+\s*([\w.-]+)", line):
            section = header[1]
            names.add(section)
        elif found := _NAME.match(line):
            name = found[1].strip("\"'")
            names.add(f"{section}.{name}" if section else name)
    return names


def _explained(fault: TomlFault, statement: str, line: int) -> TomlFault:
    hint = next((hint for words, hint in _HINTS if words in fault.message), "correct this line")
    name, _, value = statement.partition("=")
    if fault.message.startswith("Invalid value") and re.match(r"\s*[A-Za-z]", value):
        hint = f'put text in quotes: {name.strip()} = "{value.strip()}"'
    return TomlFault(f"is not TOML: {fault.message}", hint, line)


_HINTS = (
    ("Expected '=' after a key", "write `name = value`"),
    ("Unescaped '\\'", "write the backslash twice, or put the text in single quotes"),
    ("Illegal character", "close the quotes on the same line, or use three of them for several lines"),
    ("Unterminated string", "close the quotes"),
    ("Unclosed array", "close its bracket, and put a comma between the items"),
    ("Cannot overwrite a value", "keep one of the two lines that set it"),
    ("Cannot declare", "write the section once, with all of its names below it"),
    ("Expected newline or end of document", "write one `name = value` on each line"),
    ("Invalid value", "write a value after the sign: a text in quotes, a number, true, false, or a list in brackets"),
)


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
