"""XML from strangers, as a tree: bounded, and without entities of its own.

attack: an entity that holds ten of another, nine times over, which grows to gigabytes; an external entity, which reads
a file of this machine or asks another one; a document nested so deeply that the stack ends; 200 MB of it. defence: its
size is looked at first; a declaration of an entity ends the reading; expat fetches nothing, and the name of a DTD is
passed over; the tree has bounds, and nothing that reads it calls itself without them.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from html.entities import html5
from pathlib import Path
from xml.parsers import expat

from app.content.formats.kind import NoCounterpart

MAX_BYTES = 64 << 20
MAX_ELEMENTS = 500_000
MAX_DEPTH = 60


@dataclass
class Element:
    """`tag` and the names of `attributes` are without their namespaces, in small letters. `content` is in its order."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    content: "list[Element | str]" = field(default_factory=list)

    @property
    def children(self) -> "list[Element]":
        return [part for part in self.content if isinstance(part, Element)]

    def all(self, *tags: str) -> "list[Element]":
        return [child for child in self.children if child.tag in tags]

    def first(self, *path: str) -> "Element | None":
        """What is found one step after another: `first("answer", "text")`."""
        found: Element | None = self
        for tag in path:
            found = next(iter(found.all(tag)), None) if found else None
        return found

    def within(self, *tags: str) -> "Iterator[Element]":
        """Every element below this one with one of the tags, in their order."""
        for child in self.children:
            if child.tag in tags:
                yield child
            yield from child.within(*tags)

    def own_text(self, *path: str) -> str:
        """All text in what `path` leads to, without space around it; "" where nothing is there."""
        found = self.first(*path)
        return "".join(found.texts()).strip() if found else ""

    def texts(self) -> "Iterator[str]":
        for part in self.content:
            if isinstance(part, str):
                yield part
            else:
                yield from part.texts()

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)


def markup(element: Element, replaced: "Callable[[Element], str | None]" = lambda element: None) -> str:
    """What is within an element, as HTML. `replaced`: what stands there for an element, or None where it stays."""
    return "".join(
        escape(part, quote=False) if isinstance(part, str) else _as_html(part, replaced) for part in element.content
    )


def _as_html(element: Element, replaced: "Callable[[Element], str | None]") -> str:
    if (stands := replaced(element)) is not None:
        return stands
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in element.attributes.items())
    return f"<{element.tag}{attributes}>{markup(element, replaced)}</{element.tag}>"


def without_controls(text: str) -> str:
    """Without the characters that XML has no way to write."""
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "", text)


def read_bytes(path: Path, largest: int = MAX_BYTES) -> bytes:
    """Raises NoCounterpart for what is too large."""
    with path.open("rb") as file:
        content = file.read(largest + 1)
    if len(content) > largest:
        raise NoCounterpart(f"It is larger than {largest >> 20} MB: export fewer questions at a time.")
    return content


def tree_of(content: bytes) -> Element:
    """The root of an XML document. Raises NoCounterpart."""
    if len(content) > MAX_BYTES:
        raise NoCounterpart(f"It is larger than {MAX_BYTES >> 20} MB: export fewer questions at a time.")
    builder = _Builder()
    try:
        builder.parser.Parse(content, True)
    except expat.ExpatError as error:
        message = expat.ErrorString(error.code)
        raise NoCounterpart(f"It is not XML: {message}, line {error.lineno}.") from None
    except (ValueError, LookupError) as error:  # an encoding that nobody knows
        raise NoCounterpart(f"It is not XML: {error}.") from None
    return builder.root.children[0]


class _Builder:
    def __init__(self) -> None:
        self.root = Element("")
        self.open = [self.root]
        self.count = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._entity
        self.parser.SkippedEntityHandler = self._skipped

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if len(self.open) > MAX_DEPTH or self.count > MAX_ELEMENTS:
            raise NoCounterpart(f"It has more than {MAX_ELEMENTS:,} elements, or is more than {MAX_DEPTH} deep.")
        element = Element(_local(tag), {_local(name): value for name, value in attributes.items()})
        self.open[-1].content.append(element)
        self.open.append(element)

    def _end(self, tag: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        self.open[-1].content.append(text)

    def _entity(self, name: str, *rest: object) -> None:
        raise NoCounterpart(f"It declares an entity, `{name[:40]}`: write out what it stands for, and remove it.")

    def _skipped(self, name: str, is_parameter: bool) -> None:
        """`&nbsp;`, which the DTD would declare."""
        if not is_parameter:
            self._text(html5.get(f"{name};", f"&{name};"))


def _local(name: str) -> str:
    return name.rpartition(":")[2].lower()


ROOT_TAG = re.compile(rb"<\s*(?:[\w.-]+:)?([A-Za-z][\w.-]*)[\s/>]")
LOOKED_AT = 64 << 10


def root_tag(content: bytes) -> str:
    """The name of a document's first element, by a first look at its beginning; "" where it is no XML."""
    head = content[:LOOKED_AT]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = head.decode("utf-16", "ignore").encode()
    head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    first, *others = head.split(b"<!--")
    head = b"".join([first, *(other.partition(b"-->")[2] for other in others)]).lstrip()
    found = ROOT_TAG.search(head) if head.startswith(b"<") else None
    return found[1].decode().lower() if found else ""
