"""Markdown to tokens: markdown-it-py with its plugins, MyST's directives, links, and what can be wrong in a text."""

import re
from collections.abc import Sequence
from typing import cast

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from app.content.delimiters import delimiters_plugin
from app.content.misread import stray_formula
from app.content.page import Directive, Heading, Measured, Page
from app.content.prose import find_slips
from app.content.renderer import Renderer


def new_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "typographer": True}, renderer_cls=Renderer)
    parser.enable(["table", "smartquotes"])
    parser.use(colon_fence_plugin).use(delimiters_plugin)
    parser.use(amsmath_plugin).use(footnote_plugin).use(tasklists_plugin)
    parser.use(attrs_plugin, allowed=("id", "class")).use(attrs_block_plugin, allowed=("id", "class"))
    parser.core.ruler.after("block", "directives", _open_directives)
    parser.core.ruler.after("inline", "links", _resolve_links)
    parser.core.ruler.after("inline", "slips", find_slips)
    parser.use(anchors_plugin, min_level=1, max_level=6, slug_func=_anchor)
    parser.core.ruler.push("survey", _survey)
    renderer = cast(Renderer, parser.renderer)
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
DIRECTIVES = (*ADMONITIONS, "margin", "figure", "code-cell")
FIGURE_OPTIONS = ("alt", "class")
_HEADER = re.compile(r"\{([a-z-]+)\}\s*(.*)")
MAX_NESTING = 6  # of directives in one another
OPTION_LINE = re.compile(r":([a-z][a-z_-]*):(?:\s+(.*))?$")


def _open_directives(state: StateCore) -> None:
    """Replace each fence that is a directive by its tokens."""
    page: Page = state.env["page"]
    state.tokens = _expanded(state, page, state.tokens, top=True)


def _expanded(state: StateCore, page: Page, tokens: Sequence[Token], top: bool) -> list[Token]:
    out: list[Token] = []
    for token in tokens:
        if token.type == "colon_fence" or (token.type == "fence" and token.info.lstrip().startswith("{")):
            out.extend(_directive(state, page, token, top and token.level == 0))
        else:
            _require_closed_fence(state, page, token)
            out.append(token)
    return out


def _require_closed_fence(state: StateCore, page: Page, token: Token) -> None:
    if token.type == "fence" and token.map and not _is_closed(state.src, token):
        message = "The code opened here is never closed: all that follows is shown as code."
        page.fault(
            token.map[0], "directive", message, "End it with a line like the one that opens it, without the language."
        )


def _directive(state: StateCore, page: Page, token: Token, top: bool) -> list[Token]:
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
            f"End it with a line `{token.markup}`; a fence around it must be longer than its own.",
        )
    if name in page.blocks:
        if not top:
            page.fault(
                line,
                "directive",
                f"A {{{name}}} is inside another block.",
                "Move it to the left margin, between blocks.",
            )
            return []
        place = Token("handed_over", "", 0)
        place.content = page.hand_over(Directive(name, argument.strip(), token.content, page.first_line + line))
        return [place]
    if name in ADMONITIONS:
        return _admonition(state, page, token, name, argument.strip())
    if name == "margin":
        return _margin(state, page, token, argument.strip())
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


def _admonition(state: StateCore, page: Page, token: Token, name: str, title: str) -> list[Token]:
    assert token.map
    opening = Token("admonition_open", "aside", 1, attrs={"class": f"admonition {name}", "role": "note"}, block=True)
    return [
        opening,
        *_title(token, title, ADMONITIONS[name]),
        *_parsed(state, page, token.content, token.map[0] + 1),
        Token("admonition_close", "aside", -1, block=True),
    ]


def _title(token: Token, title: str, kind: str = "") -> list[Token]:
    """A paragraph with the kind of block, if it has a name, and the author's own title, if there is one."""
    assert token.map
    return [
        Token("paragraph_open", "p", 1, attrs={"class": "title"}, block=True),
        *([Token("kind", "", 0, content=kind)] if kind else []),
        *([Token("inline", "", 0, content=title, map=[token.map[0], token.map[0] + 1], children=[])] if title else []),
        Token("paragraph_close", "p", -1, block=True),
    ]


def _margin(state: StateCore, page: Page, token: Token, title: str) -> list[Token]:
    """A side remark. It stands beside a line of the text, so it must be between the blocks of the text."""
    assert token.map
    line = token.map[0]
    inside = _parsed(state, page, token.content, line + 1)
    if not inside:
        page.fault(line, "directive", "The {margin} is empty.", "Write the remark between its fences, or remove them.")
    if page.depth or token.level:
        page.fault(
            line,
            "directive",
            "A {margin} is inside another block.",
            "Put it between blocks, unindented, above the paragraph that it stands beside.",
        )
    for wide in inside:
        if what := _TOO_WIDE.get(wide.type):
            message = f"{what} in a {{margin}} has no room."
            first = wide.map[0] if wide.map else line
            page.fault(first, "directive", message, "Put it in the text; beside the text there is room for words only.")
    return [
        Token("margin_open", "aside", 1, attrs={"class": "margin", "role": "note"}, block=True),
        *(_title(token, title) if title else []),
        *inside,
        Token("margin_close", "aside", -1, block=True),
    ]


_TOO_WIDE = {"fence": "A listing", "code_block": "A listing", "table_open": "A table"}


def _figure(state: StateCore, page: Page, token: Token, source: str) -> list[Token]:
    """An image with its caption, or any blocks whose last paragraph is the caption."""
    assert token.map
    body, options, skipped = _without_options(token.content)
    inside = _parsed(state, page, body, token.map[0] + 1 + skipped)
    shown: list[Token] = []
    caption = inside
    for option in sorted(set(options) - set(FIGURE_OPTIONS)):
        hint = f"Known: {', '.join(FIGURE_OPTIONS)}."
        page.fault(token.map[0], "figure", f"A figure has no option `{option}`.", hint, "warning")
    if options.get("class", "wide") != "wide":
        message = f"`:class: {options['class']}` is not a class of figures."
        page.fault(
            token.map[0], "figure", message, "Write `:class: wide`, which extends it into the margin, or leave it out."
        )
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
        if not caption and options.get("alt"):
            message = f"The figure {source} has no caption."
            hint = "Write below its `:alt:` line what readers should see in it."
            page.fault(token.map[0], "figure", message, hint, "warning")
    elif len(inside) >= 3 and inside[-3].type == "paragraph_open":
        shown, caption = inside[:-3], inside[-3:]
    else:
        message = "The figure has no picture and no caption."
        page.fault(token.map[0], "figure", message, "Write `:::{figure} figures/NAME.svg`, `:alt:` and a caption.")
    attributes: dict[str, str | int | float] = {"class": "wide"} if options.get("class") == "wide" else {}
    out = [Token("figure_open", "figure", 1, attrs=attributes, block=True), *shown]
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


def _parsed(state: StateCore, page: Page, text: str, line: int) -> list[Token]:
    """Blocks inside a directive, in the same environment: footnotes and references reach across.

    attack: directives in directives, until the stack ends. defence: what stands deeper than anyone could read is a
    fault, and is left out.
    """
    if page.depth == MAX_NESTING:
        page.fault(
            line,
            "directive",
            f"Directives are nested more than {MAX_NESTING} levels deep here.",
            "Close some of them first: the innermost ones are not shown.",
        )
        return []
    tokens: list[Token] = []
    state.md.block.parse(text, state.md, state.env, tokens)
    for token in tokens:
        if token.map:
            token.map = [token.map[0] + line, token.map[1] + line]
    page.depth += 1
    expanded = _expanded(state, page, tokens, top=False)
    page.depth -= 1
    return expanded


def _resolve_links(state: StateCore) -> None:
    page: Page = state.env["page"]
    for block, token in _inline_tokens(state.tokens):
        if token.type == "link_open":
            _resolve_link(page, token, block)
        elif token.type == "image":
            _resolve_picture(page, token, block)
            _require_words(page, token, block)
            token.attrSet("loading", "lazy")


def _inline_tokens(tokens: Sequence[Token]) -> list[tuple[Token, Token]]:
    return [(block, token) for block in tokens if block.children for token in block.children]


def _resolve_link(page: Page, token: Token, block: Token) -> None:
    target = str(token.attrGet("href") or "")
    if not target:
        token.attrs.pop("href", None)
        message = "A link here leads nowhere: there is nothing between its brackets."
        page.fault(_line_of(block, "]("), "link", message, "Write an address, or remove the brackets.")
    elif re.match(r"(https?:)?//", target, re.IGNORECASE):
        token.attrSet("rel", "noopener noreferrer")
    elif target.startswith(("#", "/", "mailto:")) or page.links is None:
        return
    elif (found := page.links(target)) is not None:
        token.attrSet("href", found)
    else:
        del token.attrs["href"]
        page.fault(
            _line_of(block, target),
            "link",
            f"The link to {target} leads nowhere.",
            "Give the path from this file to a file that exists, or a full https:// address.",
        )


def _resolve_picture(page: Page, token: Token, block: Token) -> None:
    """A picture is the course's own: what is elsewhere no page may load (`img-src 'self'`)."""
    target = str(token.attrGet("src") or "")
    if not target:
        token.attrs.pop("src", None)
        message = "A picture here has no address: there is nothing between its brackets."
        page.fault(_line_of(block, "]("), "link", message, "Write figures/NAME, or remove the picture.")
        return
    found = None if re.match(r"[\w+.-]*:|/", target) else page.links(target) if page.links else target
    if found is not None:
        token.attrSet("src", found)
        if isinstance(page.links, Measured) and (size := page.links.size(target)):
            token.attrSet("width", str(size[0]))
            token.attrSet("height", str(size[1]))
            if page.links.moves(target):
                token.attrSet("class", "moves")
        return
    del token.attrs["src"]
    hint = "Put it in the folder figures/ beside this file, as .svg, .png, .jpg or .webp, and write figures/NAME."
    page.fault(_line_of(block, target), "link", f"The picture {target} would not be shown.", hint)


def _require_words(page: Page, token: Token, block: Token) -> None:
    """A picture in a paragraph; a figure's has been looked at."""
    if block.content and not token.content.strip():
        source = str(token.attrGet("src") or "")
        message = f"The picture {source} has no alternative text."
        hint = "Say between its brackets what it shows, for those who cannot see it: `![two hands](figures/NAME)`."
        page.fault(_line_of(block, source), "figure", message, hint)


def _line_of(block: Token, piece: str) -> int:
    """The line that `piece` of this inline block stands on (the block's first, if it is not found as written)."""
    first = block.map[0] if block.map else 0
    return first + block.content[: max(block.content.find(piece), 0)].count("\n")


def _survey(state: StateCore) -> None:
    """The last look at the tokens: outline, words, links to anchors, formulas that lost their delimiters."""
    page: Page = state.env["page"]
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
                    "There is a first-level heading in the text.",
                    "The page title is set elsewhere: start with `##`.",
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


def _find_stray(page: Page, block: Token, token: Token) -> None:
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
            "A `$$` here is never closed.",
            "Close the formula, or write `\\$` for a dollar sign.",
        )
