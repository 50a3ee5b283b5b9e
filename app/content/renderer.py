"""Tokens to HTML, and the sanitiser that the HTML passes. What is emitted is listed at the top of `markdown`."""

import re
from collections.abc import Sequence
from html import escape
from typing import Any

import nh3
import pygments
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from app.content.highlight import listing
from app.content.mathml import MathError, to_mathml
from app.content.page import Page, TooSlow
from graders.text import headline


class Renderer(RendererHTML):
    """markdown-it's renderer looks its rules up by the name of the method."""

    def handed_over(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return tokens[index].content

    def math_inline(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return _math(env["page"], tokens[index], display=False)

    def math_inline_double(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return _math(env["page"], tokens[index], display=True)

    def math_block(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return _math_block(env["page"], tokens[index])

    def amsmath(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return _math_block(env["page"], tokens[index])

    def fence(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        token = tokens[index]
        language = token.info.strip().split(" ")[0]
        return _code(env["page"], token.content, language, token.map[0] if token.map else 0)

    def code_block(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return _code(env["page"], tokens[index].content, "", 0)

    def kind(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return f'<span class="kind">{escape(tokens[index].content)}</span>'

    def table_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return '<div class="table" role="group" aria-label="Table" tabindex="0"><table>\n'

    def table_close(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return "</table></div>\n"

    def th_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return f'<th scope="col"{_alignment(tokens[index])}>'

    def td_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return f"<td{_alignment(tokens[index])}>"

    def footnote_ref(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        number = int(tokens[index].meta["id"]) + 1
        again = int(tokens[index].meta.get("subId", 0))
        place = f"fnref{number}:{again}" if again else f"fnref{number}"
        return (
            f'<sup class="footnote-ref"><a href="#fn{number}" id="{place}" aria-label="Note {number}">'
            f"{number}</a></sup>"
        )

    def footnote_block_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return '<section class="footnotes" aria-label="Notes">\n<ol>\n'

    def footnote_anchor(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        number = int(tokens[index].meta["id"]) + 1
        again = int(tokens[index].meta.get("subId", 0))
        back = f"fnref{number}:{again}" if again else f"fnref{number}"
        return f' <a href="#{back}" class="footnote-back" aria-label="Back to the text, note {number}">↩\ufe0e</a>'


def _math(page: Page, token: Token, display: bool) -> str:
    tex = token.content.strip()
    try:
        return page.insert(to_mathml(tex, display))
    except MathError as error:
        # A formula in a paragraph has no map of its own: `_survey` left its line in meta.
        first = int(token.meta["line"]) if "line" in token.meta else (token.map or [0])[0] + 1
        line = first + tex[: error.offset or 0].count("\n")
        page.fault(
            line,
            "math",
            f"The formula `{tex if len(tex) < 60 else tex[:60] + '…'}` cannot be typeset: {error.message}",
            "Check its braces and the names of its commands.",
        )
        return f'<code class="broken-math">{escape(tex)}</code>'


def _math_block(page: Page, token: Token) -> str:
    scrolls = ' tabindex="0"' if len(token.content) > 80 else ""
    return f'<div class="math" role="group" aria-label="Formula"{scrolls}>{_math(page, token, display=True)}</div>\n'


_FORMATTER = HtmlFormatter(nowrap=True)
_PYTHON = ("python", "py", "python3", "py3")
MAX_COLOURED_CHARACTERS = 64 << 10
MAX_COLOURED_LINE = 1000
MEASURE_CHARACTERS = 58  # of code that fit in a line of text: `--measure` in tokens.css


def _code(page: Page, code: str, language: str, line: int) -> str:
    if language == "output":
        named = 'role="group" aria-label="Output" tabindex="0"'
        return f'<pre class="output{_wide(code)}" {named}><code>{escape(code)}</code></pre>\n'
    return _listing(_coloured(page, code, language, line), language or "text", code)


def _coloured(page: Page, code: str, language: str, line: int) -> str:
    """attack: a listing that Pygments' patterns take minutes to give up on. defence: Python, which is nearly all that
    is listed, has patterns of our own, which look at no character twice; what others get is short, in short lines; and
    where that is still too much, the trial of its folder ends and says so (app/content/trial.py)."""
    if language in _PYTHON:
        return listing(code)
    if not language or language == "text":
        return escape(code)
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        message = f"There is no highlighting for `{language}`."
        page.fault(line, "language", message, "Use another name for the language, or write `text`.", "warning")
        return escape(code)
    longest = max(map(len, code.split("\n")))
    if len(code) > MAX_COLOURED_CHARACTERS or longest > MAX_COLOURED_LINE:
        what, most = (
            ("listing", MAX_COLOURED_CHARACTERS) if longest <= MAX_COLOURED_LINE else ("line", MAX_COLOURED_LINE)
        )
        message = f"A {what} of more than {most} characters in `{language}` is shown without colours."
        page.fault(line, "listing", message, "Shorten it, or write `text` for its language.", "warning")
        return escape(code)
    try:
        return str(pygments.highlight(code, lexer, _FORMATTER))
    except TooSlow as slow:
        raise TooSlow("Colouring this listing", page.first_line + line, "write `text` for its language") from slow


def code_html(source: str) -> str:
    """A listing in Python, as a fence would be."""
    return _listing(listing(source), "python", source)


def _listing(marked: str, language: str, code: str) -> str:
    name = "Code" if language == "text" else f"Code in {headline(language)}"
    return (
        f'<pre class="code{_wide(code)}" data-language="{escape(language)}" role="group" aria-label="{escape(name)}"'
        f' tabindex="0"><code>{marked}</code></pre>\n'
    )


def is_wide(code: str) -> bool:
    """Whether its longest line needs more room than the text has: it extends into the margin, where there is one."""
    return max(map(len, code.split("\n"))) > MEASURE_CHARACTERS


def _wide(code: str) -> str:
    return " wide" if is_wide(code) else ""


def _alignment(token: Token) -> str:
    """The table plugin writes `style="text-align:right"`, which the pages' CSP forbids."""
    found = re.search(r"text-align:(left|center|right)", str(token.attrGet("style") or ""))
    return f' class="align-{found[1]}"' if found else ""


SANITISER = nh3.Cleaner(
    tags=set(
        "a aside blockquote br code div em figcaption figure h1 h2 h3 h4 h5 h6 hr img input li ol p pre"  # noqa: SIM905
        " section span strong sup table tbody td th thead tr ul".split()
    ),
    attributes={
        "*": {"id", "class"},
        "a": {"href", "title", "rel", "aria-label"},
        "aside": {"role"},
        "div": {"tabindex", "role", "aria-label"},
        "img": {"src", "alt", "title", "loading", "width", "height"},
        "input": {"checked", "disabled"},
        "ol": {"start"},
        "section": {"aria-label"},
        "pre": {"data-language", "tabindex", "role", "aria-label"},
        "th": {"scope"},
    },
    tag_attribute_values={"input": {"type": {"checkbox"}}},
    url_schemes={"http", "https", "mailto"},
    link_rel=None,
)
