"""The difference between two sources, line by line, and within a line word by word.

attack: difflib compares each line with every equal one, and looks again on both sides of what it finds: a source of
64 KiB made of few lines, many times over, holds up every thread of the server for minutes. defence: what both begin
and end with is taken off first; of the rest at most `LINES_MAX` lines a side are compared, and a line that occurs
oftener than `COMMON` times leads nowhere (it still matches beside one that does). Words within lines are compared
until `WORDS_BUDGET` pairs of them are spent. What was not compared counts as changed, and `cut` says so.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import escape
from itertools import pairwise

from markupsafe import Markup

from app.content.highlight import pieces_by_line

LINES_MAX = 600
COMMON = 12
PAIRS_MAX = 200  # of lines, whose words are compared
WORDS_BUDGET = 20_000
LINES_AROUND = 3  # unchanged ones, shown around each change

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
Span = tuple[int, int]


@dataclass(frozen=True)
class Line:
    number: int
    html: Markup


@dataclass(frozen=True)
class Block:
    """Lines of both sides: unchanged ones (`same`), changed ones, or so many `passed` over."""

    same: bool
    left: tuple[Line, ...] = ()
    right: tuple[Line, ...] = ()
    passed: int = 0
    unseen: int = 0  # changed lines beyond those that are shown


@dataclass(frozen=True)
class Differences:
    blocks: tuple[Block, ...]
    added: int
    removed: int
    cut: bool  # too long, or too much alike, to be compared to the end

    @property
    def is_equal(self) -> bool:
        return not self.added and not self.removed


def differences(left: str, right: str) -> Differences:
    """From `left` to `right`. Line ends of all kinds are one; a missing one at the very end is no difference."""
    before, after = pieces_by_line(left), pieces_by_line(right)
    old, new = [_text(line) for line in before], [_text(line) for line in after]
    matched, cut = _matched(old, new)
    words = _Words()
    blocks: list[Block] = []
    added = removed = i = j = 0
    for begin_i, begin_j, size in matched:
        if begin_i > i or begin_j > j:
            marks = words.marked(old[i:begin_i], new[j:begin_j])
            blocks.append(
                Block(
                    same=False,
                    left=tuple(_line(before, at, marks[0].get(at - i, ())) for at in range(i, begin_i)[:LINES_MAX]),
                    right=tuple(_line(after, at, marks[1].get(at - j, ())) for at in range(j, begin_j)[:LINES_MAX]),
                    unseen=max(0, begin_i - i - LINES_MAX) + max(0, begin_j - j - LINES_MAX),
                )
            )
            removed, added = removed + begin_i - i, added + begin_j - j
        i, j = begin_i + size, begin_j + size
        blocks += _unchanged(before, after, begin_i, begin_j, size, first=not blocks, last=i == len(old))
    return Differences(tuple(blocks), added, removed, cut)


def _matched(old: list[str], new: list[str]) -> tuple[list[tuple[int, int, int]], bool]:
    """(where equal stretches begin on both sides and how long they are, the last one at the end; whether cut)."""
    head = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    most = min(len(old), len(new)) - head
    tail = next((n for n in range(most) if old[-1 - n] != new[-1 - n]), most)
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    cut = max(len(a), len(b)) > LINES_MAX
    a, b = a[:LINES_MAX], b[:LINES_MAX]
    often = Counter(b)
    matcher = SequenceMatcher(lambda line: often[line] > COMMON, a, b, autojunk=False)
    inner = [(head + i, head + j, size) for i, j, size in matcher.get_matching_blocks() if size]
    ends = [(0, 0, head), *inner, (len(old) - tail, len(new) - tail, tail)]
    return ends, cut


def _unchanged(
    before: list[list[tuple[str, str]]],
    after: list[list[tuple[str, str]]],
    i: int,
    j: int,
    size: int,
    *,
    first: bool,
    last: bool,
) -> Iterator[Block]:
    """An equal stretch, without its middle; at the very beginning and end only what stands next to a change."""
    opening, closing = 0 if first else LINES_AROUND, 0 if last else LINES_AROUND
    if size <= opening + closing + 1:
        opening, closing = size, 0
    for begin, end in ((0, opening), (size - closing, size)):
        if begin and (passed := size - opening - closing):
            yield Block(same=True, passed=passed)
        if end > begin:
            yield Block(
                same=True,
                left=tuple(_line(before, i + at, ()) for at in range(begin, end)),
                right=tuple(_line(after, j + at, ()) for at in range(begin, end)),
            )


class _Words:
    """Marks what changed within lines that take each other's place, until the budget is spent."""

    def __init__(self) -> None:
        self.budget, self.pairs = WORDS_BUDGET, PAIRS_MAX

    def marked(self, old: list[str], new: list[str]) -> tuple[dict[int, tuple[Span, ...]], dict[int, tuple[Span, ...]]]:
        left: dict[int, tuple[Span, ...]] = {}
        right: dict[int, tuple[Span, ...]] = {}
        for at, (a, b) in enumerate(zip(old[: self.pairs], new, strict=False)):
            self.pairs -= 1
            words, others = _WORD.findall(a), _WORD.findall(b)
            cost = len(words) * len(others)
            if cost > self.budget:
                continue
            self.budget -= cost
            matcher = SequenceMatcher(None, words, others, autojunk=False)
            if matcher.ratio() > 0.4:  # two lines that have nothing in common are not one that changed
                changed = [code for code in matcher.get_opcodes() if code[0] != "equal"]
                left[at] = tuple(_spans(words, [(one[1], one[2]) for one in changed]))
                right[at] = tuple(_spans(others, [(one[3], one[4]) for one in changed]))
        return left, right


def _spans(words: list[str], changed: list[Span]) -> Iterator[Span]:
    """Runs of words as runs of characters."""
    ends = [0]
    for word in words:
        ends.append(ends[-1] + len(word))
    return ((ends[begin], ends[end]) for begin, end in changed if end > begin)


def _line(lines: list[list[tuple[str, str]]], at: int, marks: tuple[Span, ...]) -> Line:
    return Line(at + 1, Markup("".join(_html(lines[at], marks))))  # noqa: S704 (escaped below, piece by piece)


def _html(pieces: list[tuple[str, str]], marks: tuple[Span, ...]) -> Iterator[str]:
    begin = 0
    for kind, text in pieces:
        cuts = sorted({0, len(text)} | {at - begin for mark in marks for at in mark if 0 < at - begin < len(text)})
        for low, high in pairwise(cuts):
            shown = escape(text[low:high])
            if any(mark[0] <= begin + low < mark[1] for mark in marks):
                shown = f"<mark>{shown}</mark>"
            yield f'<span class="{kind}">{shown}</span>' if kind else shown
        begin += len(text)


def _text(pieces: list[tuple[str, str]]) -> str:
    return "".join(text for _, text in pieces)
