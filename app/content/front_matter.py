"""What stands between the dashes at the head of a text: names and values, in the part of YAML that one needs there.

attack: fifty thousand brackets, in which libyaml's composer overflows the stack; `&a [*a, *a]`, which grows with
every line; a tag that makes an object; `2026-02-30`, which is no date and raises. defence: its size is looked at
first; then the parser's events are read one by one, without anything that calls itself; an anchor, an alias and a
tag are faults; a value is a text, a whole number, true or false, and nothing else.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from graders.exercise.fault import Fault
from graders.text import is_storable

MAX_CHARACTERS = 16 << 10
MAX_NESTING = 4
_NUMBER = re.compile(r"[-+]?[0-9]{1,18}")
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "~": None, "": None}
_PLAIN = "Write `name: value` lines; quote a value that contains a colon."


def split_front_matter(text: str, path: str) -> tuple[dict[str, object], str, list[Fault]]:
    """(values, the body with as many blank lines in the front matter's place, faults): lines keep their numbers."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    if not text.startswith("---\n"):
        return {}, text, []
    header, fence, body = text[4:].partition("\n---\n")
    if not fence:
        hint = "End it with a line of three dashes."
        return {}, text, [Fault("error", path, 1, "front-matter", "The front matter is never closed.", hint)]
    body = "\n" * (header.count("\n") + 3) + body
    try:
        return _read(header), body, []
    except _Unreadable as error:
        return {}, body, [Fault("error", path, error.line, "front-matter", error.message, error.hint)]


class _Unreadable(Exception):
    def __init__(self, line: int, message: str, hint: str = _PLAIN) -> None:
        super().__init__(message)
        self.line, self.message, self.hint = line, message, hint


@dataclass
class _Open:
    """A mapping or a list that is being read; `name` waits for its value."""

    value: dict[str, object] | list[object]
    name: str | None = field(default=None)

    def put(self, value: object) -> None:
        if isinstance(self.value, list):
            self.value.append(value)
        elif self.name is None:
            self.name = str(value)
        else:
            self.value[self.name] = value
            self.name = None


def _read(header: str) -> dict[str, object]:
    if len(header) > MAX_CHARACTERS:
        message = f"The front matter has {len(header)} characters; {MAX_CHARACTERS} are allowed."
        raise _Unreadable(1, message, "Move text below it.")
    document: list[object] = []
    path = [_Open(document)]
    for event in _events(header):
        line = event.start_mark.line + 2 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            message = "The front matter has an anchor or an alias (`&` or `*`)."
            raise _Unreadable(line, message, "Write out the value itself.")
        if getattr(event, "tag", None):
            raise _Unreadable(line, "The front matter has a tag (`!`).", "Leave it out, or quote the value.")
        match event:
            case yaml.ScalarEvent(value=text):
                if not is_storable(text):  # `"\ud800"` and `"\0"` are YAML
                    raise _Unreadable(line, "The front matter has a character that cannot be shown.", "Remove it.")
                path[-1].put(_value(text) if event.style is None else text)
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                if len(path) > MAX_NESTING:
                    message = f"The front matter is nested more than {MAX_NESTING} deep."
                    raise _Unreadable(line, message, "Write plain `name: value` lines.")
                path.append(_Open({} if isinstance(event, yaml.MappingStartEvent) else []))
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                closed = path.pop()
                if isinstance(path[-1].value, dict) and path[-1].name is None:
                    raise _Unreadable(line, "A name in the front matter is a list.")
                path[-1].put(closed.value)
    if len(document) != 1 or not isinstance(document[0], dict):
        raise _Unreadable(1, "The front matter has no `name: value` lines.", "Write `title: …` between the dashes.")
    return document[0]


def _events(header: str) -> Iterator[yaml.Event]:
    try:
        yield from yaml.parse(f"{header}\n", Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise _Unreadable(mark.line + 2 if mark else 1, "The front matter is not YAML.") from None


def _value(text: str) -> object:
    return int(text) if _NUMBER.fullmatch(text) else _WORDS.get(text, text)
