"""What people write in discussions, as safe HTML: CommonMark with tables, and no more.

attack: markup, scripts and pictures from elsewhere in what everybody reads; a formula or a listing that takes minutes.
defence: raw HTML is escaped by the parser, pictures, headings, directives and mathematics are not read at all, only
Python is coloured, by patterns that look at no character twice (`highlight`), and the result passes a sanitiser with a
shorter list than an author's text has. The length is bounded by the caller.
"""

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Any, cast

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from app.content.highlight import listing

PYTHON = ("", "python", "py", "python3", "numpy", "jax", "torch")
SHORT_CODE = 60  # characters of code within a line that are a name or a call, and no solution
CODE_WITHHELD = '<p class="withheld">Code, hidden until you have {0}.</p>\n'


def post_html(text: str, *, code_after: str = "") -> str:
    """`code_after`: what its reader has yet to do, “solved this exercise”, before code is sent to them; "": nothing."""
    return _rendered(text, code_after)


@lru_cache(maxsize=1024)
def _rendered(text: str, code_after: str) -> str:
    return _SANITISER.clean(cast(str, _PARSER.render(text, {"code_after": code_after})))


class _Renderer(RendererHTML):
    """markdown-it's renderer looks its rules up by the name of the method."""

    def fence(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return _block(tokens[index].content, tokens[index].info.strip().split(" ")[0].lower(), env)

    def code_block(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return _block(tokens[index].content, "", env)

    def code_inline(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        code = tokens[index].content
        if env["code_after"] and len(code) > SHORT_CODE:
            return '<em class="withheld">code, hidden</em>'
        return f"<code>{escape(code)}</code>"

    def table_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return '<div class="table" tabindex="0"><table>\n'

    def table_close(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return "</table></div>\n"

    def th_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return '<th scope="col">'

    def td_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return "<td>"


def _block(code: str, language: str, env: Any) -> str:
    """attack: read a classmate's solution from the page's source. defence: it is not in the page."""
    if env["code_after"]:
        return CODE_WITHHELD.format(escape(env["code_after"]))
    marked = listing(code) if language in PYTHON else escape(code)
    return f'<pre class="code" tabindex="0"><code>{marked}</code></pre>\n'


def _new_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "typographer": True}, renderer_cls=_Renderer)
    parser.enable(["table", "strikethrough", "smartquotes"])
    parser.disable(["image", "heading", "lheading", "hr"])
    return parser


_PARSER = _new_parser()
_SANITISER = nh3.Cleaner(
    tags=set("a blockquote br code div em li ol p pre s span strong table tbody td th thead tr ul".split()),  # noqa: SIM905
    attributes={
        "a": {"href", "title"},
        "div": {"class", "tabindex"},
        "em": {"class"},
        "ol": {"start"},
        "p": {"class"},
        "pre": {"class", "tabindex"},
        "span": {"class"},
        "th": {"scope"},
    },
    url_schemes={"http", "https", "mailto"},
    link_rel="nofollow ugc noopener noreferrer",
)
