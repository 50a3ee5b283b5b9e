"""Mistakes that students report, beside the line of the content that they are about, where that can be told.

A report is a person's own words. What they quote, or name (“hint 2”, “the statement”), is looked for in the files as
they are now; where nothing is found, no place is shown rather than a wrong one.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.content.exercise import numbered_hints
from app.content.questions.question import Question
from app.discussions.mistakes import MistakeReport

SHOWN = 50
LEAST_QUOTED = 4  # characters: shorter quotations stand everywhere
# What a report may quote, in the order in which a student meets it. Not what is hidden from them.
READ_BY_STUDENTS = ("statement.md", "starter.py", "hints.md", "solution.md")
NAMED = {
    "statement.md": r"\b(statement|description|task)\b",
    "starter.py": r"\b(starter|template|given code)\b",
    "hints.md": r"\bhints?\b",
    "solution.md": r"\b(solution|explanation)\b",
    "cases.py": r"\b(samples?|cases?|expected (output|value)s?)\b",
}


@dataclass(frozen=True)
class Place:
    """`line` counts from 1; None: the file as a whole. `text`: that line."""

    path: str
    line: int | None = None
    text: str = ""


@dataclass(frozen=True)
class PlacedReport:
    """`has_changed`: the content is no longer as it was reported."""

    report: MistakeReport
    place: Place | None
    has_changed: bool


def reports_of_exercise(db: Session, slug: str, content_hash: str, files: Mapping[str, bytes]) -> list[PlacedReport]:
    """Those that are open first, then the newest. `files`: the exercise's, as they are now."""
    return [
        PlacedReport(report, place_of(report.text, files), report.content_hash != content_hash)
        for report in _reports(db, [f"exercise/{slug}"])
    ]


def reports_of_questions(
    db: Session, questions: Iterable[tuple[Question, Mapping[str, bytes]]]
) -> dict[str, list[PlacedReport]]:
    """By question. Each comes with its course's files: what a report quotes is looked for in the question's lines, or
    else it is about the question."""
    asked = {f"question/{question.id}": (question, files) for question, files in questions}
    found: dict[str, list[PlacedReport]] = defaultdict(list)
    for report in _reports(db, list(asked)):
        question, files = asked[report.subject]
        path = file_of(question)
        place = _quoted_place(report.text, {path: files.get(path, b"")}, question.line) or Place(path, question.line)
        found[question.id].append(PlacedReport(report, place, report.content_hash != question.content_hash))
    return found


def file_of(question: Question) -> str:
    """The lesson's file within its course. (Where it was read from may be a folder of the server.)"""
    return question.path.rpartition("/")[2]


def place_of(text: str, files: Mapping[str, bytes]) -> Place | None:
    """What a report of an exercise is about: the line that it quotes, or the part that it names."""
    own = {path: files[path] for path in READ_BY_STUDENTS if path in files}
    return _quoted_place(text, own) or _named_place(text, files)


def _reports(db: Session, subjects: Sequence[str]) -> list[MistakeReport]:
    wanted = select(MistakeReport).where(MistakeReport.subject.in_(subjects)).order_by(MistakeReport.id.desc())
    found = list(db.scalars(wanted.limit(SHOWN))) if subjects else []
    return sorted(found, key=lambda report: report.resolved_at is not None)


def _quoted_place(text: str, files: Mapping[str, bytes], first: int = 1) -> Place | None:
    """The one line that holds the longest quotation; None where several do. `first`: nothing above is looked at."""
    for quoted in sorted(_quotations(text), key=len, reverse=True):
        lines = [
            Place(path, number, line.strip())
            for path, data in files.items()
            for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1)
            if number >= first and quoted in _plain(line)
        ]
        if lines and (len(lines) == 1 or first > 1):
            return lines[0]
    return None


def _quotations(text: str) -> Iterator[str]:
    for match in _QUOTED.finditer(text):
        quoted = _plain(next(filter(None, match.groups())))
        if len(quoted) >= LEAST_QUOTED:
            yield quoted


_QUOTED = re.compile(r'`([^`\n]+)`|“([^”\n]+)”|"([^"\n]+)"|‘([^’\n]{6,})’|^>\s*(.+)$', re.MULTILINE)


def _plain(text: str) -> str:
    """As a page shows it: without Markdown's marks, on one line."""
    return " ".join(re.sub(r"[`*_$\\]", "", text).split()).casefold()


def _named_place(text: str, files: Mapping[str, bytes]) -> Place | None:
    named = [path for path, words in NAMED.items() if path in files and re.search(words, text, re.IGNORECASE)]
    if len(named) != 1:
        return None
    numbered = re.search(r"\bhint\s*#?\s*([0-9])\b", text, re.IGNORECASE)
    if named == ["hints.md"] and numbered:
        return _hint_place(files["hints.md"].decode("utf-8", "replace"), int(numbered[1]))
    return Place(named[0])


def _hint_place(hints: str, number: int) -> Place:
    starts = numbered_hints(hints)
    if not 1 <= number <= len(starts):
        return Place("hints.md")
    start = starts[number - 1]
    return Place("hints.md", hints.count("\n", 0, start) + 1, hints[start:].split("\n", 1)[0].strip())
