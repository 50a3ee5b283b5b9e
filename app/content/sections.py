"""What a rendered text says, in plain words, section by section: what is searched, and what a snippet is cut from."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

from app.content.page import Heading

NO_HEADING = Heading(0, "", "")


@dataclass(frozen=True)
class Section:
    """`heading` is NO_HEADING for what stands before the first."""

    heading: Heading
    text: str


def sections(html: str) -> tuple[Section, ...]:
    """The sections of HTML that our renderer made, in order; the notes at the end are one of their own."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return tuple(
        Section(heading, text)
        for heading, pieces in reader.found
        if (text := re.sub(r"\s+", " ", "".join(pieces)).strip()) or heading is not NO_HEADING
    )


_ENDS_A_LINE = frozenset(
    "p li pre div td th tr h1 h2 h3 h4 h5 h6 figcaption blockquote br math mtr".split()  # noqa: SIM905
)
_VOID = frozenset(("br", "hr", "img", "input"))
_JOINTS = {"msub": "_", "msup": "^", "mfrac": "/"}
_RELATIONS = frozenset("=≈≠<>≤≥→⋅·×+−∈≡")


class _Reader(HTMLParser):
    """Formulas are read as one would type them: d_model, 1/2, x^2."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[Heading, list[str]]] = [(NO_HEADING, [])]
        self._open: list[tuple[str, int]] = []  # the elements that are open, with how many have begun in each
        self._title: list[str] | None = None
        self._anchor = ""
        self._unread = 0  # how deep we are in what is not text: the mark of a note, the way back from one

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = dict(attributes)
        if self._open:
            parent, begun = self._open[-1]
            self._open[-1] = (parent, begun + 1)
            if begun and parent in _JOINTS:
                self._write(_JOINTS[parent])
        if tag in ("h2", "h3", "h4") and named.get("id"):
            self._anchor, self._title = named["id"] or "", []
        elif named.get("class") == "footnotes":
            self.found.append((Heading(2, "Notes", "fn1"), []))
        elif tag == "img" and named.get("alt"):
            self._write(f" {named['alt']} ")
        if self._unread or named.get("class") in ("footnote-ref", "footnote-back"):
            self._unread += tag not in _VOID
        if tag in _ENDS_A_LINE:
            self._write(" " if tag != "math" else "")
        if tag not in _VOID:
            self._open.append((tag, 0))

    def handle_endtag(self, tag: str) -> None:
        if self._open:
            self._open.pop()
        self._unread -= self._unread > 0
        if tag in ("h2", "h3", "h4") and self._title is not None:
            title = re.sub(r"\s+", " ", "".join(self._title)).strip()
            self._title = None
            self.found.append((Heading(int(tag[1]), title, self._anchor), []))
        elif tag in _ENDS_A_LINE and tag != "math":
            self._write(" ")

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1][0] == "mo" and data in _RELATIONS:
            data = f" {data} "
        self._write(data)

    def _write(self, text: str) -> None:
        if not self._unread:
            (self._title if self._title is not None else self.found[-1][1]).append(text)
