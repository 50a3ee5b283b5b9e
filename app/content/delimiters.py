r"""Where mathematics begins and ends: `$…$` unless it is a price, `\(…\)` in a line, `\[…\]` on lines of its own."""

import re

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.dollarmath.index import math_inline_dollar
from mdit_py_plugins.utils import is_code_block

MAX_CHARACTERS = 4100  # between two brackets; a longer formula is not set anyway
MAX_LINES = 50  # attack: a bracket on every line, each of which looks for its end. defence: not far
_AMOUNT = r"\d[\d,]*(?:\.\d+)?"
_PRICE = re.compile(rf"{_AMOUNT}(?![\d.])")
_PRICE_IN_WORDS = re.compile(rf"{_AMOUNT}[.,;:]?\s+[A-Za-z]{{2,}}\s")
_CLOSING = re.compile(r"(?<!\\)\$")
_BRACKETS = {r"\(": (r"\)", "math_inline"), r"\[": (r"\]", "math_inline_double")}
_INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
_dollars = math_inline_dollar(allow_digits=False, allow_double=True)


def delimiters_plugin(parser: MarkdownIt) -> None:
    parser.use(dollarmath_plugin, allow_labels=False, allow_digits=False, double_inline=True)
    parser.inline.ruler.at("math_inline", _dollars_or_price)
    parser.inline.ruler.before("escape", "math_brackets", _in_brackets)
    parser.block.ruler.before("fence", "math_bracket_block", _bracket_block, _INTERRUPTS)


def is_price(text: str, at: int) -> bool:
    """Whether the `$` at this place stands before an amount of money: `$5 and $6` holds no formula."""
    if not _PRICE.match(text, at + 1):
        return False
    closing = _CLOSING.search(text, at + 1)
    if closing is None or text[closing.start() - 1].isspace() or text[closing.end() : closing.end() + 1].isdigit():
        return True
    return bool(_PRICE_IN_WORDS.match(text, at + 1, closing.start()))


def _dollars_or_price(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "$" or is_price(state.src, state.pos):
        return False
    if state.pos:
        return _dollars(state, silent)
    # The plugin looks at the character before the dollar, which at the beginning is the last one of all: in "$S$ may be
    # 0" that is a digit, and there would be no formula.
    whole = state.src
    state.src = f"{whole} "
    try:
        return _dollars(state, silent)
    finally:
        state.src = whole


def _in_brackets(state: StateInline, silent: bool) -> bool:
    opening = state.src[state.pos : state.pos + 2]
    if opening not in _BRACKETS:
        return False
    closing, kind = _BRACKETS[opening]
    end = state.src.find(closing, state.pos + 2, min(state.posMax, state.pos + MAX_CHARACTERS))
    content = state.src[state.pos + 2 : max(end, state.pos + 2)]
    if not content.strip():
        return False
    if not silent:
        token = state.push(kind, "math", 0)
        token.content, token.markup = content, opening
    state.pos = end + 2
    return True


def _bracket_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if is_code_block(state, start) or not _line(state, start).startswith(r"\["):
        return False
    last = _closing_line(state, start, end)
    if last is None:
        return False
    if not silent:
        lines = "\n".join(_line(state, number) for number in range(start, last + 1))
        token = state.push("math_block", "math", 0)
        token.block, token.map, token.markup = True, [start, last + 1], r"\["
        token.content = lines.strip().removeprefix(r"\[").removesuffix(r"\]")
        state.line = last + 1
    return True


def _closing_line(state: StateBlock, start: int, end: int) -> int | None:
    """The line that ends in the first closing bracket, if nothing stands behind it and no line before it is blank."""
    for number in range(start, min(end, start + MAX_LINES)):
        text = _line(state, number)
        if not text or (number > start and state.sCount[number] < state.blkIndent):
            return None
        if (at := text.find(r"\]")) >= 0:
            return number if at == len(text) - 2 else None
    return None


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].rstrip()
