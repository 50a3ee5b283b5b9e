"""Moodle's embedded answers: `{2:SHORTANSWER:=Berlin#Yes.~%50%Bonn#Once.~*#No.}`, a gap in a text, in and out."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from app.content.formats.asked import choice_of, points_of, remark, typed_of
from app.content.formats.from_html import line_of, words_of
from app.content.formats.kind import NoCounterpart
from app.content.formats.numerical import numerical_of
from app.content.questions.question import Question

EMBEDDED = re.compile(
    r"\{([0-9]*):(SHORTANSWER(?:_C)?|SAC?|MWC?|NUMERICAL|NM|MULTICHOICE(?:_[VHS]+)?|MC[VHS]{0,2}"
    r"|MULTIRESPONSE(?:_[HS]+)?|MR[HS]{0,2}):((?:\\.|[^\\}]){0,2000}+)\}",
    re.DOTALL,
)
FIRST, LAST = "\ue010", "\ue011"  # for private use: around a gap's name while the text around it is converted


def without_gaps(html: str) -> tuple[str, list[Question], list[str]]:
    """The text with the name of each gap in its place, the gaps, and what was lost. Raises NoCounterpart."""
    gaps: list[Question] = []
    lost: list[str] = []

    def put_in(found: re.Match[str]) -> str:
        slug = f"gap-{len(gaps) + 1}"
        gap, missing = _gap(found[2], found[3])
        points, odd = points_of(found[1] or "1")
        gaps.append(replace(gap, slug=slug, points=points))
        lost.extend([*missing, *odd])
        return f"{FIRST}{slug}{LAST}"

    text = EMBEDDED.sub(put_in, html.replace(FIRST, "").replace(LAST, ""))
    return text, gaps, lost


def with_names(markdown: str) -> str:
    """A converted text with `[[gap-1]]` where its gaps are."""
    return markdown.replace(FIRST, "[[").replace(LAST, "]]")


def _gap(kind: str, inside: str) -> tuple[Question, list[str]]:
    answers = list(_answers(inside))
    if kind.startswith(("MULTIRESPONSE", "MR")):
        raise NoCounterpart("A gap in which several options are picked; a menu here has one.")
    if kind.startswith(("MULTICHOICE", "MC")):
        return choice_of("", [(line_of(text).text, share, feedback) for text, share, feedback in answers])
    if kind in ("NUMERICAL", "NM"):
        return numerical_of("", [_with_tolerance(*answer) for answer in answers])
    lost = ["that capitals count"] if kind.endswith("C") else []
    others = [feedback for text, _, feedback in answers if words_of(text) == "*"]
    typed = typed_of("text", "", [(words_of(text), share, feedback) for text, share, feedback in _typed(answers)])
    return replace(typed, other=remark(" ".join(others))), lost


def _typed(answers: list[tuple[str, Fraction, str]]) -> Iterator[tuple[str, Fraction, str]]:
    for text, share, feedback in answers:
        if words_of(text) == "*":
            continue
        if "*" in text:
            raise NoCounterpart(f"A gap accepts any text like `{text}`; here each spelling is written out.")
        yield text, share, feedback


def _with_tolerance(text: str, share: Fraction, feedback: str) -> tuple[str, str, Fraction, str]:
    number, _, tolerance = words_of(text).partition(":")
    return number, tolerance, share, feedback


def _answers(inside: str) -> Iterator[tuple[str, Fraction, str]]:
    """(its text, the share it earns, its feedback as Markdown) of each answer."""
    for part in re.split(r"(?<!\\)~", inside):
        if not part.strip():
            continue
        found = re.match(r"\s*(=|%(-?[0-9]+(?:\.[0-9]+)?)%)?(.*)", part, re.DOTALL)
        assert found
        text, _, feedback = _at_hash(found[3])
        share = Fraction(1) if found[1] == "=" else Fraction(found[2]) / 100 if found[2] else Fraction(0)
        yield _unescaped(text).strip(), share, line_of(_unescaped(feedback)).text


def _at_hash(text: str) -> tuple[str, str, str]:
    """At the first `#` that is neither escaped nor a part of `&#91;`."""
    found = re.search(r"(?<![\\&])#", text)
    return (text[: found.start()], "#", text[found.end() :]) if found else (text, "", "")


def _unescaped(text: str) -> str:
    return re.sub(r"\\([}#~/\"\\])", r"\1", text)


# ------------------------------------------------------------------ out


def embedded(gap: Question, answers: list[tuple[str, Fraction, str]]) -> str:
    """A gap as Moodle writes it; `answers` hold HTML."""
    kind = {"choice": "MULTICHOICE", "number": "NUMERICAL", "count": "NUMERICAL"}.get(gap.type, "SHORTANSWER")
    written = [
        f"{_share(share)}{_escaped(text)}{'#' if feedback else ''}{_escaped(feedback)}"
        for text, share, feedback in answers
    ]
    points = max(1, round(gap.points))
    return f"{{{points}:{kind}:{'~'.join(written)}}}"


def _share(share: Fraction) -> str:
    return "=" if share == 1 else f"%{float(share * 100):.5g}%" if share else ""


def _escaped(text: str) -> str:
    return re.sub(r"([}#~\\\"/])", r"\\\1", text)
