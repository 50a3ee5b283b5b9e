"""Markdown to safe HTML: CommonMark with MyST's directives, mathematics, footnotes, tables and highlighted code.

How it stays safe. Raw HTML is escaped by the parser, and what the parser makes passes nh3 with the lists below.
Mathematics and the places of directives stand in it as placeholders that carry a random word made for this one
rendering, so that no author can write one; MathML never passes the sanitiser, it is put in afterwards, in one
sweep that does not look at what it has put in.

What it emits, for the author of the style sheet:

    h2#id h3#id …                             every heading has an id
    p, ul, ol, blockquote, hr, a[rel]         plain; `rel` only on links that leave the site
    div.table[tabindex] > table               cells carry .align-left .align-center .align-right
    pre.code[data-language][tabindex] > code  Pygments' short classes on spans (.k .n .s1 …)
    pre.output > code                         what a program printed (```output)
    aside.admonition.note|tip|warning > p.title > span.kind
    aside.margin[> p.title]                   a side remark
    figure[.wide] > (img | any block), figcaption
    math                                      inline;  div.math > math for display (.tml-* classes as Temml's)
    pre.wide                                  its lines are longer than those of the text
    span.joined > math                        with the punctuation that touches it: `white-space: nowrap`
    sup.footnote-ref > a                      section.footnotes > ol > li.footnote-item, a.footnote-back
    ul.task-list > li.task-list-item > input[disabled]

What may be wider than its place (div.table, div.math, pre) is a group with a name, for those who come to scroll it.

Directives (`:::{name} argument`, an outer fence longer than the inner): note, tip, warning, margin, figure, code-cell
here; those named in `blocks` (a lesson's question, exercise and lab) are handed to the caller, in reading order.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import cast

from app.content.front_matter import split_front_matter
from app.content.misread import misread_lines
from app.content.page import Directive, Heading, Links, Page
from app.content.parser import new_parser
from app.content.renderer import SANITISER
from app.content.substitution import substitute
from graders.exercise.fault import Fault

WORDS_PER_MINUTE = 180


@dataclass(frozen=True)
class Html:
    html: str


@dataclass(frozen=True)
class Rendered:
    parts: tuple[Html | Directive, ...]
    outline: tuple[Heading, ...]
    minutes: int
    faults: tuple[Fault, ...]

    @property
    def html(self) -> str:
        return "".join(part.html for part in self.parts if isinstance(part, Html))


def render(
    text: str,
    *,
    links: Links | None = None,
    given: Mapping[str, str] | None = None,
    path: str = "",
    first_line: int = 1,
    blocks: Collection[str] = (),
) -> Rendered:
    """`text` as HTML, with what is wrong in it. Never raises for what an author wrote.

    `given` is put in for `{{name}}` and `{{name - 1}}`; `path` and `first_line` say where the text stands, for the
    faults.
    """
    if given is not None:
        text = substitute(text, given)
    return _render(text, links, path, first_line, frozenset(blocks))


def render_inline(text: str, *, links: Links | None = None, given: Mapping[str, str] | None = None) -> str:
    """As `render`, for a label or an option: one paragraph loses its `<p>`."""
    html = render(text, links=links, given=given).html.strip()
    inner = html.removeprefix("<p>").removesuffix("</p>")
    return inner if "<p>" not in inner and len(inner) == len(html) - 7 else html


def find_faults(text: str, path: str, links: Links | None = None) -> list[Fault]:
    """Everything wrong in the Markdown file at `path`. Without `links`, relative links are looked up on disk."""
    _, body, faults = split_front_matter(text, path)
    links = links or OnDisk(str(Path(path).parent))
    rendered = render(body, links=links, path=path, blocks=("question", "exercise", "lab"))
    return sorted({*faults, *rendered.faults}, key=lambda fault: (fault.line or 0, fault.code))


@dataclass(frozen=True)
class OnDisk:
    """Links that lead to a file that is there; where they lead on the site is not asked."""

    folder: str

    def __call__(self, href: str) -> str | None:
        if href.startswith("exercise:"):
            return href
        return href if (Path(self.folder) / href.split("#")[0]).exists() else None


@lru_cache(maxsize=4096)
def _render(text: str, links: Links | None, path: str, first_line: int, blocks: frozenset[str]) -> Rendered:
    page = Page(path, first_line, links, blocks)
    for line, garbled, meant in misread_lines(text):
        page.fault(
            line - 1,
            "misread",
            f"`{garbled}` is UTF-8 that was read as another encoding.",
            f"It was meant to be “{meant}”: restore it." if meant else "Restore the character that was there.",
        )
    env = {"page": page}
    html = SANITISER.clean(cast(str, _PARSER.render(text, env)))
    parts: list[Html | Directive] = []
    for index, piece in enumerate(re.split(rf"block-{page.word}-(\d+)-", html)):
        if index % 2:
            parts.append(page.directives[int(piece)])
        elif piece.strip():
            parts.append(Html(_with_inserts(piece, page)))
    minutes = -(-page.words // WORDS_PER_MINUTE)
    return Rendered(tuple(parts), tuple(page.outline), minutes, tuple(page.faults))


def _with_inserts(html: str, page: Page) -> str:
    """Formulas for their placeholders, in one sweep; punctuation that touches one must not begin a line of its own."""

    def insert(match: re.Match[str]) -> str:
        before, number, after = match.groups()
        formula = page.inserts[int(number)]
        return f'<span class="joined">{before}{formula}{after}</span>' if before or after else formula

    return re.sub(rf"([(\[“‘]*)insert-{page.word}-(\d+)-([.,;:!?)\]’”…]*)", insert, html)


_PARSER = new_parser()
