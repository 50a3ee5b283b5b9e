"""The words and marks that templates and pages use for values: filters, by their own names, in FILTERS."""

import math
import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from app.web.arrays import is_mapped
from app.web.outcomes import case_word, outcome_icon, outcome_tone, outcome_word
from graders.frameworks import BY_NAME
from graders.text import headline
from graders.verdict import ArrayView

STEP_WORDS = {
    "type": "The output is of another type.",
    "shape": "The shape differs.",
    "dtype": "The dtype differs.",
    "non_finite": "NaN or infinity is in different places.",
    "closeness": "The values differ.",
}


def framework(name: str) -> str:
    return BY_NAME[name].title if name in BY_NAME else name


def kind_word(kind: str) -> str:
    return {"run": "Run", "trace": "Trace"}.get(kind, "Submission")


def step_word(step: str) -> str:
    return STEP_WORDS.get(step, step)


def python(value: object) -> str:
    """A plain value as Python writes it."""
    return repr(value)


def kind(view: ArrayView) -> str:
    """`float32[2, 3]`, or the bare type where there is no shape."""
    return f"{view.dtype}[{', '.join(map(str, view.shape))}]" if view.shape is not None else view.dtype


def fitted(text: str, width: int) -> str:
    """An array as NumPy prints it, its rows broken again so that no line is wider than its column on the page."""
    rows: list[str] = []
    for line in text.split("\n"):
        begun = _ROW.match(rows[-1]) if rows and "]" not in rows[-1] else None
        if begun:
            rows[-1] = f"{rows[-1].rstrip()} {line[begun.end() :]}"
        else:
            rows.append(line)
    return "\n".join(_broken(row, width) for row in rows)


def _broken(row: str, width: int) -> str:
    begun = _ROW.match(row)
    if not begun or len(row) <= width:
        return row
    first, *others = row[begun.end() :].split(", ")
    lines = [begun[0] + first]
    for cell in others:
        if len(lines[-1]) + len(", ") + len(cell) < width:
            lines[-1] += f", {cell}"
        else:
            lines[-1] += ","
            lines.append(" " * begun.end() + cell)
    return "\n".join(lines)


_ROW = re.compile(r" *\[+")


def milliseconds(wall_ms: float) -> str:
    """`0.4 ms`, `12 ms`, `1.3 s`: three figures are noise."""
    if wall_ms >= 1000:
        return f"{wall_ms / 1000:.1f} s"
    return f"{wall_ms:.0f} ms" if wall_ms >= 10 else f"{wall_ms:.1f} ms"


def base64(data: bytes) -> str:
    return b64encode(data).decode()


@pass_context
def moment(context: Context, at: datetime) -> Markup:
    """`21 November 2026, 23:10` where the reader is, who is told nothing of UTC then; in UTC where that is not known.

    js/day.js writes it again where the browser knows better: on a first page, and on the other side of a summer time.
    """
    offset = context["offset_minutes"]
    here = at.astimezone(UTC) + timedelta(minutes=offset or 0)
    words = f"{here.day} {here:%B %Y, %H:%M}{' UTC' if offset is None else ''}"
    exact = at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    known = "" if offset is None else offset
    return Markup('<time datetime="{}" data-offset="{}">{}</time>').format(exact, known, words)


def duration(seconds: float) -> str:
    """`45 seconds`, `20 minutes`, `1 h 30 min`."""
    if seconds < 60:
        return f"{seconds:.0f} second{'' if round(seconds) == 1 else 's'}"
    hours, minutes = divmod(round(seconds / 60), 60)
    if hours:
        return f"{hours} h {minutes} min" if minutes else f"{hours} hour{'' if hours == 1 else 's'}"
    return f"{minutes} minute{'' if minutes == 1 else 's'}"


def size(count: int) -> str:
    """Of bytes: `0`, `812 KB`, `4.3 MB`, `12 GB`."""
    value, unit = float(count), "bytes"
    for larger in ("KB", "MB", "GB", "TB"):
        if value < 1000:
            break
        value, unit = value / 1000, larger
    return f"{value:.1f} {unit}" if unit != "bytes" and value < 10 else f"{value:.0f} {unit}"


def clock(seconds: float) -> str:
    """`8:05`, `1:02:03`: what is left, as it is counted down."""
    minutes, second = divmod(math.ceil(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def points(score: float) -> str:
    """`6`, `6.5`, `5.33`."""
    return f"{score:.2f}".rstrip("0").rstrip(".")


def ticks(text: str) -> Markup:
    """A sentence, escaped: with a capital, unless it begins with code; what stands between backticks is set as code."""
    return Markup(re.sub(r"`([^`\n]+)`", r"<code>\1</code>", str(escape(headline(text)))))  # noqa: S704 (escaped first)


# Colours and cursor moves, titles of windows, and what else steers a terminal; no character is looked at twice.
_STEERS_A_TERMINAL = re.compile(
    r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]?|\][^\x07\x1b\n]*+\x07?|[@-Z\\^_])?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
)


def printed(text: str) -> str:
    """What was printed, without what would steer a terminal: a page would show the colours of a table as `[31m`."""
    return _STEERS_A_TERMINAL.sub("", text)


def with_filter(filters: Mapping[str, str | None], key: str, value: str) -> str:
    """The query that also asks for `key=value`, or no longer does when it already did."""
    wanted = {**filters, key: None if filters[key] == value else value}
    return urlencode({name: chosen for name, chosen in wanted.items() if chosen})


FILTERS: dict[str, Callable[..., Any]] = {
    filter.__name__: filter
    for filter in (
        framework,
        headline,
        python,
        outcome_word,
        outcome_icon,
        outcome_tone,
        case_word,
        kind_word,
        step_word,
        kind,
        fitted,
        milliseconds,
        base64,
        moment,
        duration,
        size,
        clock,
        points,
        ticks,
        printed,
        with_filter,
        is_mapped,
    )
}
