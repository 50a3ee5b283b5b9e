"""Plots as SVG, drawn on the server: columns, a curve of what is left, and a bar of shares.

A plot says what it shows in a title and a description, for those who do not see it, and has the table that it was drawn
from; its colours are classes of plots.css. It is as wide as a phone, and grows no wider than its text bears.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

WIDTH, HEIGHT = 360, 132  # units are pixels where it has its natural width
TOP, BOTTOM, LEFT = 18, 112, 30
MOST_LABELS = 12


@dataclass(frozen=True)
class Plot:
    """`head` and `rows`: the table behind it."""

    name: str
    title: str
    description: str
    svg: Markup
    head: tuple[str, ...]
    rows: tuple[tuple[str | int, ...], ...]


@dataclass(frozen=True)
class Share:
    """A part of a whole. `tone`: good, bad, limit or rest."""

    tone: str
    label: str
    count: int


def columns(name: str, title: str, description: str, head: tuple[str, str], counts: Sequence[tuple[str, int]]) -> Plot:
    """A column for each count, with its number on it."""
    most = max((count for _, count in counts), default=0) or 1
    step = WIDTH / max(1, len(counts))
    each = _every(len(counts))
    marks = [_line(0, BOTTOM, WIDTH, BOTTOM)]
    for place, (label, count) in enumerate(counts):
        middle, high = (place + 0.5) * step, (BOTTOM - TOP) * count / most
        if count:
            marks.append(_rect("plot-fill", middle - step * 0.36, BOTTOM - high, step * 0.72, high))
        marks.append(_text("plot-value" if count else "plot-none", middle, BOTTOM - high - 5, str(count)))
        if place % each == 0:
            marks.append(_text("plot-label", middle, HEIGHT - 4, label))
    return Plot(name, title, description, _svg(name, title, description, marks, HEIGHT), head, tuple(counts))


def curve(
    name: str, title: str, description: str, head: tuple[str, ...], points: Sequence[tuple[str, int]], whole: int
) -> Plot:
    """How many of `whole` are left at each point, from the left to the right."""
    step = (WIDTH - LEFT - 10) / max(1, len(points) - 1)
    scale = (BOTTOM - TOP) / (whole or 1)
    places = [(LEFT + place * step, BOTTOM - count * scale) for place, (_, count) in enumerate(points)]
    each = _every(len(points))
    marks = [_line(LEFT, BOTTOM, WIDTH, BOTTOM), _line(LEFT, TOP, WIDTH, TOP)]
    marks += [_text("plot-end", LEFT - 6, TOP + 4, str(whole)), _text("plot-end", LEFT - 6, BOTTOM + 4, "0")]
    if places:
        drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        area = f"{LEFT},{BOTTOM} {drawn} {places[-1][0]:.1f},{BOTTOM}"
        marks.append(Markup('<polygon class="plot-area" points="{}"/>').format(area))
        marks.append(Markup('<polyline class="plot-line" points="{}"/>').format(drawn))
    for place, ((x, y), (label, count)) in enumerate(zip(places, points, strict=True)):
        dot = Markup('<circle class="plot-dot" cx="{}" cy="{}" r="3"><title>{}: {}</title></circle>')
        marks.append(dot.format(f"{x:.1f}", f"{y:.1f}", label, count))
        if place % each == 0 or place == len(points) - 1:
            kind = "plot-label" if place < len(points) - 1 else "plot-last"
            marks.append(_text(kind, x if place < len(points) - 1 else WIDTH, HEIGHT - 4, label))
    return Plot(name, title, description, _svg(name, title, description, marks, HEIGHT), head, tuple(points))


def shares(name: str, title: str, parts: Sequence[Share]) -> Markup:
    """One bar, in parts; what they are is said beside it."""
    whole = sum(part.count for part in parts) or 1
    at, marks = 0.0, []
    for part in parts:
        wide = WIDTH * part.count / whole
        if part.count:
            marks.append(_rect(f"plot-{part.tone}", at, 0, wide, 10))
        at += wide
    description = ", ".join(f"{part.count} {part.label}" for part in parts)
    return _svg(name, title, description, marks, 10, stretches=True)


def _every(count: int) -> int:
    """Which labels are written: all, or each so many."""
    return -(-count // MOST_LABELS) if count > MOST_LABELS else 1


def _rect(kind: str, x: float, y: float, wide: float, high: float) -> Markup:
    return Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>').format(
        kind, *(f"{number:.1f}" for number in (x, y, wide, high))
    )


def _line(x1: float, y1: float, x2: float, y2: float) -> Markup:
    return Markup('<line class="plot-axis" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(x1, y1, x2, y2)


def _text(kind: str, x: float, y: float, text: str) -> Markup:
    return Markup('<text class="{}" x="{}" y="{}">{}</text>').format(kind, f"{x:.1f}", f"{y:.1f}", text)


def _svg(
    name: str, title: str, description: str, marks: Iterable[Markup], height: int, *, stretches: bool = False
) -> Markup:
    return Markup(
        '<svg class="plot" viewBox="0 0 {} {}"{} role="img" aria-labelledby="{}-title {}-told">'
        '<title id="{}-title">{}</title><desc id="{}-told">{}</desc>{}</svg>'
    ).format(
        WIDTH, height, Markup(' preserveAspectRatio="none"') if stretches else "", name, name, name, title, name,
        description, Markup("").join(marks),
    )  # fmt: skip
