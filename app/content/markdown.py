"""Markdown to safe HTML: CommonMark with MyST's directives, mathematics, footnotes, tables and highlighted code.

How it stays safe. Raw HTML is escaped by the parser, and what the parser makes passes nh3 with the lists below.
Mathematics and the places of directives stand in it as placeholders that carry a random word made for this one
rendering, so that no author can write one; MathML never passes the sanitiser, it is put in afterwards, in one
sweep that does not look at what it has put in.

What it emits, for whoever writes the style sheet:

    h2#id h3#id …                             every heading has an id
    p, ul, ol, blockquote, hr, a[rel]         plain; `rel` only on links that leave the site
    div.table[tabindex] > table               cells carry .align-left .align-center .align-right
    pre.code[data-language][tabindex] > code  Pygments' short classes on spans (.k .n .s1 …)
    pre.output > code                         what a program printed (```output)
    aside.admonition.note|tip|warning > p.title
    figure > (img | any block), figcaption
    math                                      inline;  div.math > math for display (.tml-* classes as Temml's)
    sup.footnote-ref > a                      section.footnotes > ol > li.footnote-item, a.footnote-back
    ul.task-list > li.task-list-item > input[disabled]

Directives (`:::{name} argument`, an outer fence longer than the inner): note, tip, warning, figure, code-cell
here; those named in `blocks` (a lesson's question and exercise) are handed to the caller, in reading order.
"""

import re
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any, cast

import nh3
import pygments  # type: ignore[import-untyped]
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from pygments.util import ClassNotFound  # type: ignore[import-untyped]

from app.content.fault import Fault, Severity
from app.content.mathml import MathError, to_mathml
from app.content.misread import misread_lines, stray_formula

WORDS_PER_MINUTE = 180

Links = Callable[[str], str | None]
"""Where a relative link leads on the site; None if nowhere. Must be hashable: results are cached by it."""


@dataclass(frozen=True)
class Heading:
    level: int
    text: str
    anchor: str


@dataclass(frozen=True)
class Html:
    html: str


@dataclass(frozen=True)
class Directive:
    """A block handed to the caller as written. `line` is its opening fence; its body begins on the next line."""

    name: str
    argument: str
    body: str
    line: int


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

    `given` is put in for `{{name}}`; `path` and `first_line` say where the text stands, for the faults.
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
    rendered = render(body, links=links or OnDisk(str(Path(path).parent)), path=path, blocks=("question", "exercise"))
    return sorted({*faults, *rendered.faults}, key=lambda fault: (fault.line or 0, fault.code))


@dataclass(frozen=True)
class OnDisk:
    """Links that lead to a file that is there; where they lead on the site is not asked."""

    folder: str

    def __call__(self, href: str) -> str | None:
        if href.startswith("exercise:"):
            return href
        return href if (Path(self.folder) / href.split("#")[0]).exists() else None


def split_front_matter(text: str, path: str) -> tuple[dict[str, object], str, list[Fault]]:
    """(values, the body with as many blank lines in the front matter's place, faults): lines keep their numbers."""
    import yaml

    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    if not text.startswith("---\n"):
        return {}, text, []
    header, fence, body = text[4:].partition("\n---\n")
    if not fence:
        return (
            {},
            text,
            [
                Fault(
                    "error",
                    path,
                    1,
                    "front-matter",
                    "The front matter is never closed.",
                    "End it with a line of three dashes.",
                )
            ],
        )
    blank = "\n" * (header.count("\n") + 3)
    try:
        values = yaml.load(header, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 (both are safe)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 2 if mark else 1
        return (
            {},
            blank + body,
            [
                Fault(
                    "error",
                    path,
                    line,
                    "front-matter",
                    "The front matter is not YAML.",
                    "Write `name: value` lines; quote a value that holds a colon.",
                )
            ],
        )
    if not isinstance(values, dict):
        return (
            {},
            blank + body,
            [
                Fault(
                    "error",
                    path,
                    1,
                    "front-matter",
                    "The front matter holds no names.",
                    "Write `title: …` between the dashes.",
                )
            ],
        )
    return {str(name): value for name, value in values.items()}, blank + body, []


def substitute(text: str, given: Mapping[str, str]) -> str:
    """`{{name}}` becomes its value, in mathematics too; names that are not given stay."""
    return SUBSTITUTION.sub(lambda match: given.get(match[1], match[0]), text)


SUBSTITUTION = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")


@dataclass
class _Page:
    """One rendering under way: what the parser's rules and the renderer's put down."""

    path: str
    first_line: int
    links: Links | None
    blocks: frozenset[str]
    word: str = field(default_factory=lambda: secrets.token_hex(16))
    inserts: list[str] = field(default_factory=list)
    directives: list[Directive] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    outline: list[Heading] = field(default_factory=list)
    words: int = 0

    def fault(self, line: int, code: str, message: str, hint: str, severity: Severity = "error") -> None:
        self.faults.append(Fault(severity, self.path, self.first_line + line, code, message, hint))

    def insert(self, html: str) -> str:
        self.inserts.append(html)
        return f"insert-{self.word}-{len(self.inserts) - 1}-"

    def hand_over(self, directive: Directive) -> str:
        self.directives.append(directive)
        return f"block-{self.word}-{len(self.directives) - 1}-"


@lru_cache(maxsize=4096)
def _render(text: str, links: Links | None, path: str, first_line: int, blocks: frozenset[str]) -> Rendered:
    page = _Page(path, first_line, links, blocks)
    for line, garbled, meant in misread_lines(text):
        page.fault(
            line - 1,
            "misread",
            f"`{garbled}` is UTF-8 that was read as another encoding.",
            f"It was meant to be “{meant}”: restore it." if meant else "Restore the character that was there.",
        )
    env = {"page": page}
    html = _SANITISER.clean(cast(str, _PARSER.render(text, env)))
    parts: list[Html | Directive] = []
    for index, piece in enumerate(re.split(rf"block-{page.word}-(\d+)-", html)):
        if index % 2:
            parts.append(page.directives[int(piece)])
        elif piece.strip():
            parts.append(Html(re.sub(rf"insert-{page.word}-(\d+)-", lambda m: page.inserts[int(m[1])], piece)))
    minutes = -(-page.words // WORDS_PER_MINUTE)
    return Rendered(tuple(parts), tuple(page.outline), minutes, tuple(page.faults))


# ---- the parser -----------------------------------------------------------------------------------------------


def _new_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "typographer": True}, renderer_cls=_Renderer)
    parser.enable(["table", "smartquotes"])
    parser.use(colon_fence_plugin).use(dollarmath_plugin, allow_labels=False, allow_digits=False, double_inline=True)
    parser.use(amsmath_plugin).use(footnote_plugin).use(tasklists_plugin)
    parser.use(attrs_plugin, allowed=("id", "class")).use(attrs_block_plugin, allowed=("id", "class"))
    parser.core.ruler.after("block", "directives", _open_directives)
    parser.core.ruler.after("inline", "links", _resolve_links)
    parser.use(anchors_plugin, min_level=1, max_level=6, slug_func=_anchor)
    parser.core.ruler.push("survey", _survey)
    renderer = cast(_Renderer, parser.renderer)
    for rule in (
        "math_inline",
        "math_inline_double",
        "math_block",
        "amsmath",
        "footnote_ref",
        "footnote_block_open",
        "footnote_anchor",
    ):
        # The plugins registered functions of their own under these names; ours are methods of the renderer.
        renderer.rules[rule] = getattr(renderer, rule)
    return parser


def _anchor(title: str) -> str:
    return re.sub(r"[^\w]+", "-", title.lower()).strip("-") or "section"


ADMONITIONS = {"note": "Note", "tip": "Tip", "warning": "Warning"}
DIRECTIVES = (*ADMONITIONS, "figure", "code-cell")
_HEADER = re.compile(r"\{([a-z-]+)\}\s*(.*)")
OPTION_LINE = re.compile(r":([a-z][a-z_-]*):(?:\s+(.*))?$")


def _open_directives(state: StateCore) -> None:
    """Replace each fence that is a directive by its tokens."""
    page: _Page = state.env["page"]
    state.tokens = _expanded(state, page, state.tokens, top=True)


def _expanded(state: StateCore, page: _Page, tokens: Sequence[Token], top: bool) -> list[Token]:
    out: list[Token] = []
    for token in tokens:
        if token.type == "colon_fence" or (token.type == "fence" and token.info.lstrip().startswith("{")):
            out.extend(_directive(state, page, token, top and token.level == 0))
        else:
            out.append(token)
    return out


def _directive(state: StateCore, page: _Page, token: Token, top: bool) -> list[Token]:
    assert token.map
    line = token.map[0]
    header = _HEADER.match(token.info.strip())
    if not header:
        known = token.info.strip().split(" ")[0]
        page.fault(
            line,
            "directive",
            f"`{token.markup}{token.info}` is not a directive.",
            f"Write `{token.markup}{{{known or 'note'}}}`, with the name in braces.",
        )
        return _parsed(state, page, token.content, line + 1)
    name, argument = header.groups()
    if not _is_closed(state.src, token):
        page.fault(
            line,
            "directive",
            f"The {{{name}}} opened here is never closed.",
            f"End it with a line `{token.markup}`; a fence around it needs more characters than it has.",
        )
    if name in page.blocks:
        if not top:
            page.fault(
                line,
                "directive",
                f"A {{{name}}} stands inside another block.",
                "Move it to the left margin, between blocks.",
            )
            return []
        place = Token("handed_over", "", 0)
        place.content = page.hand_over(Directive(name, argument.strip(), token.content, page.first_line + line))
        return [place]
    if name in ADMONITIONS:
        return _admonition(state, page, token, name, argument.strip())
    if name == "figure":
        return _figure(state, page, token, argument.strip())
    if name == "code-cell":
        cell = Token(
            "fence",
            "code",
            0,
            content=_without_options(token.content)[0],
            info=argument.strip() or "python",
            map=token.map,
        )
        return [cell]
    page.fault(
        line,
        "directive",
        f"There is no directive {{{name}}} here.",
        f"Known here: {', '.join(sorted({*DIRECTIVES, *page.blocks}))}.",
    )
    return _parsed(state, page, token.content, line + 1)


def _is_closed(source: str, token: Token) -> bool:
    """Whether the fence's last line closes it: a fence that is not closed runs to the end of what holds it."""
    assert token.map
    return len(token.content.splitlines()) <= token.map[1] - token.map[0] - 2


def _admonition(state: StateCore, page: _Page, token: Token, name: str, title: str) -> list[Token]:
    assert token.map
    opening = Token("admonition_open", "aside", 1, attrs={"class": f"admonition {name}", "role": "note"}, block=True)
    heading = Token("paragraph_open", "p", 1, attrs={"class": "title"}, block=True)
    words = Token(
        "inline", "", 0, content=title or ADMONITIONS[name], map=[token.map[0], token.map[0] + 1], children=[]
    )
    return [
        opening,
        heading,
        words,
        Token("paragraph_close", "p", -1, block=True),
        *_parsed(state, page, token.content, token.map[0] + 1),
        Token("admonition_close", "aside", -1, block=True),
    ]


def _figure(state: StateCore, page: _Page, token: Token, source: str) -> list[Token]:
    """An image with its caption, or any blocks whose last paragraph is the caption."""
    assert token.map
    body, options, skipped = _without_options(token.content)
    inside = _parsed(state, page, body, token.map[0] + 1 + skipped)
    shown: list[Token] = []
    caption = inside
    if source:
        if not options.get("alt"):
            page.fault(
                token.map[0],
                "figure",
                f"The figure {source} has no alternative text.",
                "Add a line `:alt: what it shows, for those who cannot see it`.",
            )
        image = Token("image", "img", 0, attrs={"src": source, "alt": ""}, content=options.get("alt", ""))
        image.children = [Token("text", "", 0, content=options.get("alt", ""))]
        shown = [Token("inline", "", 0, map=token.map, children=[image], content="")]
    elif len(inside) >= 3 and inside[-3].type == "paragraph_open":
        shown, caption = inside[:-3], inside[-3:]
    out = [Token("figure_open", "figure", 1, block=True), *shown]
    if caption:
        out += [
            Token("caption_open", "figcaption", 1, block=True),
            *caption,
            Token("caption_close", "figcaption", -1, block=True),
        ]
    return [*out, Token("figure_close", "figure", -1, block=True)]


def _without_options(body: str) -> tuple[str, dict[str, str], int]:
    """The body after its leading `:name: value` lines, those, and how many there were."""
    lines = body.split("\n")
    options: dict[str, str] = {}
    while lines and (option := OPTION_LINE.match(lines[0])):
        options[option[1]] = (option[2] or "").strip()
        lines.pop(0)
    return "\n".join(lines), options, len(options)


def _parsed(state: StateCore, page: _Page, text: str, line: int) -> list[Token]:
    """Blocks inside a directive, in the same environment: footnotes and references reach across."""
    tokens: list[Token] = []
    state.md.block.parse(text, state.md, state.env, tokens)
    for token in tokens:
        if token.map:
            token.map = [token.map[0] + line, token.map[1] + line]
    return _expanded(state, page, tokens, top=False)


def _resolve_links(state: StateCore) -> None:
    page: _Page = state.env["page"]
    for block, token in _inline_tokens(state.tokens):
        if token.type == "link_open":
            _resolve(page, token, "href", block)
        elif token.type == "image":
            _resolve(page, token, "src", block)
            token.attrSet("loading", "lazy")


def _inline_tokens(tokens: Sequence[Token]) -> list[tuple[Token, Token]]:
    return [(block, token) for block in tokens if block.children for token in block.children]


def _resolve(page: _Page, token: Token, attribute: str, block: Token) -> None:
    target = str(token.attrGet(attribute) or "")
    if re.match(r"(https?:)?//", target, re.IGNORECASE):
        token.attrSet("rel", "noopener noreferrer")
    elif target.startswith(("#", "/", "mailto:")) or page.links is None:
        return
    elif (found := page.links(target)) is not None:
        token.attrSet(attribute, found)
    else:
        del token.attrs[attribute]
        page.fault(
            _line_of(block, target),
            "link",
            f"The link to {target} leads nowhere.",
            "Give the path from this file to a file that exists, or a full https:// address.",
        )


def _line_of(block: Token, piece: str) -> int:
    """The line that `piece` of this inline block stands on (the block's first, if it is not found as written)."""
    first = block.map[0] if block.map else 0
    before, found, _ = block.content.partition(piece)
    return first + before.count("\n") if found else first


def _survey(state: StateCore) -> None:
    """The last look at the tokens: outline, words, links to anchors, formulas that lost their delimiters."""
    page: _Page = state.env["page"]
    anchors = {str(token.attrGet("id")) for token in state.tokens if token.attrGet("id")}
    for index, block in enumerate(state.tokens):
        if block.type == "heading_open":
            inline = state.tokens[index + 1]
            level = int(block.tag[1])
            page.outline.append(Heading(level, _plain_text(inline), str(block.attrGet("id"))))
            if level == 1:
                page.fault(
                    block.map[0] if block.map else 0,
                    "heading",
                    "A first-level heading stands in the text.",
                    "The page's title is set elsewhere: begin with `##`.",
                    "warning",
                )
        elif block.type in ("fence", "code_block"):
            page.words += 2 * len(block.content.split())  # code is read slowly
        for token in block.children or ():
            if token.type == "text":
                page.words += len(token.content.split())
                _find_stray(page, block, token)
            elif token.type == "link_open":
                href = str(token.attrGet("href") or "")
                if href.startswith("#") and href[1:] not in anchors:
                    page.fault(
                        _line_of(block, href),
                        "link",
                        f"There is no heading {href} in this text.",
                        "Use the heading's words in lower case, joined by dashes.",
                    )
            elif token.type.startswith("math"):
                page.words += 5
                token.meta["line"] = _line_of(block, token.content)


def _plain_text(inline: Token) -> str:
    return "".join(
        token.content for token in inline.children or () if token.type in ("text", "code_inline", "math_inline")
    )


def _find_stray(page: _Page, block: Token, token: Token) -> None:
    if stray := stray_formula(token.content):
        page.fault(
            _line_of(block, stray),
            "formula",
            f"`{stray}` looks like a formula without its delimiters.",
            "Put it between dollar signs: `$…$`, or `$$…$$` on lines of its own.",
        )
    elif "$$" in token.content:
        page.fault(
            _line_of(block, "$$"),
            "formula",
            "A `$$` here has no partner.",
            "Close the formula, or write `\\$` for a dollar.",
        )


# ---- the renderer ---------------------------------------------------------------------------------------------


class _Renderer(RendererHTML):
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

    def table_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return '<div class="table" tabindex="0"><table>\n'

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


def _math(page: _Page, token: Token, display: bool) -> str:
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
            f"The formula `{tex if len(tex) < 60 else tex[:60] + '…'}` cannot be set: {error.message}",
            "Check its braces and the names of its commands.",
        )
        return f'<code class="broken-math">{escape(tex)}</code>'


def _math_block(page: _Page, token: Token) -> str:
    scrolls = ' tabindex="0"' if len(token.content) > 80 else ""
    return f'<div class="math"{scrolls}>{_math(page, token, display=True)}</div>\n'


_FORMATTER = HtmlFormatter(nowrap=True)


def _code(page: _Page, code: str, language: str, line: int) -> str:
    if language == "output":
        return f'<pre class="output" tabindex="0"><code>{escape(code)}</code></pre>\n'
    marked = escape(code)
    if language and language != "text":
        try:
            marked = pygments.highlight(code, get_lexer_by_name(language, stripnl=False), _FORMATTER)
        except ClassNotFound:
            page.fault(
                line,
                "language",
                f"No highlighting is known for `{language}`.",
                "Name the language, or write `text`.",
                "warning",
            )
    return f'<pre class="code" data-language="{escape(language or "text")}" tabindex="0"><code>{marked}</code></pre>\n'


def _alignment(token: Token) -> str:
    """The table plugin writes `style="text-align:right"`, which the pages' CSP forbids."""
    found = re.search(r"text-align:(left|center|right)", str(token.attrGet("style") or ""))
    return f' class="align-{found[1]}"' if found else ""


# ---- the sanitiser --------------------------------------------------------------------------------------------

_SANITISER = nh3.Cleaner(
    tags=set(
        "a aside blockquote br code div em figcaption figure h1 h2 h3 h4 h5 h6 hr img input li ol p pre"  # noqa: SIM905
        " section span strong sup table tbody td th thead tr ul".split()
    ),
    attributes={
        "*": {"id", "class"},
        "a": {"href", "title", "rel", "aria-label"},
        "aside": {"role"},
        "div": {"tabindex"},
        "img": {"src", "alt", "title", "loading"},
        "input": {"checked", "disabled"},
        "ol": {"start"},
        "section": {"aria-label"},
        "pre": {"data-language", "tabindex"},
        "th": {"scope"},
    },
    tag_attribute_values={"input": {"type": {"checkbox"}}},
    url_schemes={"http", "https", "mailto"},
    link_rel=None,
)
_PARSER = _new_parser()
