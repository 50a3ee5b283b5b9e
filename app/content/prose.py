"""What an author meant as markup, and Markdown shows as it is: `::{note}`, `-[ ]`, `[^1]` without its note, `<b>`.

Each check reads one block's words: what the parser left as text, with CODE, OTHER or ESCAPED where it made something
of its own of a piece. So what is escaped by a backslash, or stands in code, is never taken for a slip.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from app.content.page import Page
from graders.exercise.fault import Severity

CODE, OTHER, ESCAPED = "\ue000", "\ue001", "\ue002"  # for private use: no text that is read means anything by them
_STANDS_FOR = {"softbreak": "\n", "hardbreak": "\n", "code_inline": CODE, "text_special": ESCAPED}
_TAGS = (
    "a|abbr|b|big|blockquote|body|br|button|center|code|dd|del|details|div|dl|dt|em|font|form|h[1-6]|head|hr|html|i"
    "|iframe|img|input|ins|kbd|label|li|link|mark|meta|ol|p|pre|q|s|samp|script|section|select|small|span|strike"
    "|strong|style|sub|summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|tr|tt|u|ul|var|video"
)


@dataclass(frozen=True)
class Slip:
    """`{0}` in `message` and `hint` is what the pattern found."""

    pattern: re.Pattern[str]
    code: str
    message: str
    hint: str
    severity: Severity = "error"


SLIPS = (
    Slip(
        re.compile(r"^[ \t]*:{1,2}\s?\{[a-z-]+\}", re.MULTILINE), "directive",
        "`{0}` is not a directive, and is shown as it is.", "A directive has three colons: `:::{{note}}`.",
    ),
    Slip(
        re.compile(r"^[ \t]*(?:[-*+]|\d{1,2}[.)])\[[ xX]?\]", re.MULTILINE), "task-list",
        "`{0}` is no option and no task, and is shown as it is.", "Put a space before the bracket: `- [ ] text`.",
    ),
    Slip(
        re.compile(r"\[\^[^\]\s]{1,80}\]"), "footnote",
        "There is no note for `{0}`.", "Write it at the left margin: `{0}: the note`.",
    ),
    Slip(
        re.compile(rf"</?(?:{_TAGS})(?:\s[^<>]*=[^<>]*)?\s?/?>|<!--", re.IGNORECASE), "html",
        "`{0}` is HTML, and is shown as it is.",
        "Use Markdown: `**bold**`, `*italic*`, `:::{{note}}`, or a code span.", "warning",
    ),
    Slip(
        re.compile(r"^[ \t]*\|.*\|[ \t]*$|^[ \t|]*:?-{3,}:?[ \t]*\|[ \t|:-]*$", re.MULTILINE), "table",
        "`{0}` looks like a row of a table, and is shown as it is.",
        "A table has a row `|---|---|` below its first line, with as many columns as that line.",
    ),
    Slip(
        re.compile(r"(?<![\d$])\$(?![\d$])|(?<!\d)\$(?=\s|$)"), "dollar",
        "A `$` here begins no formula, and is shown as it is.",
        "Close the formula with another `$`, or write `\\$` for a dollar sign.",
    ),
    Slip(
        re.compile(r"^#{2,6}[^\s#].*$", re.MULTILINE), "heading",
        "`{0}` is not a heading: a space is missing.", "Write `## Heading`.",
    ),
    Slip(
        re.compile(r"\[[^\[\]\n]+\] +\((?:https?://|[\w./-]+\.md)[^)\n]*\)"), "link",
        "`{0}` is not a link: there is a space between its brackets.", "Remove the space.",
    ),
    Slip(
        re.compile(r"(?<![\w\]\[])\[[^\[\]\n]+\]\[[^\[\]\n]+\]"), "link",
        "`{0}` is not a link: the name in its second bracket is not defined.",
        "Write `[text](address)`, or put code in backticks.", "warning",
    ),
    Slip(
        re.compile(rf"\{{[a-z:-]+\}}{CODE}"), "role",
        "A role in braces before code is not read, and is shown as it is.",
        "Write `$…$` for mathematics and plain backticks for code.", "warning",
    ),
    Slip(
        re.compile(r"(?<![\w*])\*\*(?=[^\s*])|(?<=[^\s*])\*\*(?![\w*])"), "emphasis",
        "A `**` here has no partner, and is shown as it is.", "Close it, or put code in backticks.", "warning",
    ),
    Slip(
        re.compile(r"`+"), "code",
        "A backtick here has no partner, and is shown as it is.", "Close the code with another backtick.", "warning",
    ),
)  # fmt: skip
_BOX = re.compile(r"\[\s*[xX]?\s*\]")
_TASK = re.compile(r"\[[ xX]\]\s")
_ROW_END = re.compile(r"(?<!\\)\|")


def find_slips(state: StateCore) -> None:
    """A rule of the parser, after its inline rules and before anything is joined."""
    page: Page = state.env["page"]
    source = state.src.split("\n")
    uneven: set[int] = set()
    for index, block in enumerate(state.tokens):
        if block.type == "inline" and block.map and block.map[0] in uneven:
            continue  # a row that was cut in the wrong places: its pieces are no second fault
        if block.type == "inline":
            _find_in_words(page, block, _words_of(block))
            if index > 1 and state.tokens[index - 2].type == "list_item_open":
                _find_odd_box(page, block)
        elif block.type == "table_open":
            uneven |= _find_uneven_row(page, state.tokens, index, source)
        elif block.type == "code_block":
            _find_indented_directive(page, block)
    _find_unused_notes(page, state)


def _words_of(block: Token) -> str:
    children = block.children or []
    return "".join(token.content if token.type == "text" else _STANDS_FOR.get(token.type, OTHER) for token in children)


def _find_in_words(page: Page, block: Token, words: str) -> None:
    """The first of each kind: a page of them is read no better."""
    first = block.map[0] if block.map else 0
    for slip in SLIPS:
        if found := slip.pattern.search(words):
            piece = found[0].strip()
            line = first + words.count("\n", 0, found.start() + len(found[0]) - len(found[0].lstrip()))
            page.fault(line, slip.code, slip.message.format(piece), slip.hint.format(piece), slip.severity)


def _find_odd_box(page: Page, block: Token) -> None:
    box = _BOX.match(block.content)
    if box and not _TASK.match(block.content):
        message = f"`{box[0]}` is no box of a task list, and is shown as it is."
        page.fault(block.map[0] if block.map else 0, "task-list", message, "Write `- [ ] text` or `- [x] text`.")


def _find_uneven_row(page: Page, tokens: Sequence[Token], opening: int, source: list[str]) -> set[int]:
    """The lines of rows with more cells than the table has columns: Markdown drops these cells without a word."""
    columns = 0
    uneven: dict[int, int] = {}
    for token in _until(tokens, opening, "table_close"):
        if token.type == "th_open":
            columns += 1
        elif token.type == "tr_open" and columns and token.map and (cells := _cells(source, token.map[0])) > columns:
            uneven[token.map[0]] = cells
    for line, cells in list(uneven.items())[:1]:
        message = f"This row has {cells} cells, but the table has {columns} columns: the last cells are not shown."
        hint = "Write a `|` inside a cell as `\\|`, in code and mathematics too, or give the table more columns."
        page.fault(line, "table", message, hint)
    return set(uneven)


def _until(tokens: Sequence[Token], start: int, end: str) -> Iterator[Token]:
    return itertools.takewhile(lambda token: token.type != end, itertools.islice(tokens, start, None))


def _cells(source: list[str], line: int) -> int:
    row = source[line].strip().lstrip("> ") if line < len(source) else ""
    return len(_ROW_END.split(row.removeprefix("|").removesuffix("|"))) if row else 0


def _find_indented_directive(page: Page, block: Token) -> None:
    if found := re.match(r":{3,}\{[a-z-]+\}|`{3,}", block.content):
        message = f"`{found[0]}` is indented by four spaces, so it is shown as code."
        page.fault(block.map[0] if block.map else 0, "directive", message, "Move it to the left margin.")


def _find_unused_notes(page: Page, state: StateCore) -> None:
    refs = state.env.get("footnotes", {}).get("refs", {})
    for label in (name.removeprefix(":") for name, count in refs.items() if count < 0):
        before = state.src.partition(f"[^{label}]:")[0]
        message = f"Nothing refers to the note `[^{label}]`, so it is not shown."
        page.fault(before.count("\n"), "footnote", message, f"Write `[^{label}]` where it belongs.", "warning")
