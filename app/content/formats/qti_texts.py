"""Texts and pictures of a QTI file: HTML in it, and files beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from app.content.formats.bank import Bank
from app.content.formats.elements import Element, markup
from app.content.formats.from_html import blocks_of, line_of

BASES = ("$IMS-CC-FILEBASE$/", "$IMS_CC_FILEBASE$/", "%24IMS-CC-FILEBASE%24/")  # as Canvas writes addresses


@dataclass
class Texts:
    """`path` of the file that they stand in; `lost`: what did not become Markdown."""

    bank: Bank
    path: str
    files: Mapping[str, bytes]
    lost: list[str] = field(default_factory=list)

    def blocks(self, html: str) -> str:
        words = blocks_of(html, self.picture)
        self.lost += [what for what in words.lost if what not in self.lost]
        return words.text

    def line(self, html: str) -> str:
        words = line_of(html, self.picture)
        self.lost += [what for what in words.lost if what not in self.lost]
        return words.text

    def of(self, element: Element | None) -> str:
        return self.line(markup(element)) if element else ""

    def picture(self, source: str) -> str | None:
        """attack: `file:///etc/passwd`, `../../secret.png`. defence: only what the package holds is looked up."""
        source = source.partition("?")[0]
        for base in BASES:
            source = source.removeprefix(base)
        plain = unquote(source)
        beside = normpath(join(dirname(self.path), plain))
        places = (beside, plain, f"web_resources/{plain}")
        found = next((place for place in places if place in self.files), None)
        return self.bank.figure(plain, self.files[found]) if found else None
