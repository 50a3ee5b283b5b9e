r"""Our Markdown as HTML that other systems show: formulas between `\(…\)` and `\[…\]`, which MathJax finds there."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from mdit_py_plugins.colon_fence import colon_fence_plugin

from app.content.delimiters import delimiters_plugin
from app.content.substitution import substitute

Picture = Callable[[str], str]  # from `figures/NAME` to what the other system calls it


def html_of(text: str, values: Mapping[str, str], picture: Picture = str) -> str:
    tokens = _PARSER.parse(substitute(text, values).strip("\n"))
    for token in _inline(tokens):
        if token.type == "image":
            token.attrSet("src", picture(str(token.attrGet("src"))))
        elif token.type == "link_open" and not _leads_out(token):
            token.attrs = {}
    return str(_PARSER.renderer.render(tokens, _PARSER.options, {})).strip()


def line_html(text: str, values: Mapping[str, str], picture: Picture = str) -> str:
    """Of one paragraph what is in it."""
    html = html_of(text, values, picture)
    inner = html.removeprefix("<p>").removesuffix("</p>")
    return inner if len(html) - len(inner) == 7 and "<p>" not in inner else html


def not_shown(text: str) -> Iterator[str]:
    """What of a text the HTML does not hold."""
    tokens = _PARSER.parse(text)
    for token in tokens:
        if token.type == "colon_fence":
            yield f"the directive {token.info.strip().split(' ')[0]}, of which the text is kept"
    for token in _inline(tokens):
        if token.type == "link_open" and not _leads_out(token):
            yield f"the link to {token.attrGet('href')}, of which the text is kept"


def figures_in(text: str) -> list[str]:
    """The `figures/NAME` that a text shows."""
    sources = (str(token.attrGet("src")) for token in _inline(_PARSER.parse(text)) if token.type == "image")
    return [source.removeprefix("./") for source in sources]


def _leads_out(token: Token) -> bool:
    return str(token.attrGet("href")).startswith(("https://", "http://", "mailto:"))


def _inline(tokens: Sequence[Token]) -> list[Token]:
    return [token for block in tokens for token in block.children or ()]


class _Renderer(RendererHTML):
    def math_inline(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return f"\\({escape(tokens[index].content.strip())}\\)"

    def math_block(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return f"<p>\\[{escape(tokens[index].content.strip())}\\]</p>\n"

    def math_inline_double(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return f"\\[{escape(tokens[index].content.strip())}\\]"

    def colon_fence(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return f"<p>{escape(tokens[index].content.strip())}</p>\n"


def _new_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")
    parser.use(colon_fence_plugin).use(delimiters_plugin)
    for rule in ("math_inline", "math_inline_double", "math_block", "colon_fence"):
        # The plugins registered functions of their own under these names.
        parser.renderer.rules[rule] = getattr(parser.renderer, rule)  # type: ignore[attr-defined]
    return parser


_PARSER = _new_parser()
