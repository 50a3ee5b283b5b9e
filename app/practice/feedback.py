"""What people said of a submission: remarks on its lines, and points that somebody gave by hand. Other rooms register
what they know here, since this one imports none of them; the submission's author reads it beside their code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup
from sqlalchemy.orm import Session

from app.content.highlight import rows


@dataclass(frozen=True)
class Remark:
    """On one line. `html` is rendered and safe. `id` and `is_own`: for those who may change it."""

    id: int
    line: int
    html: str
    author: str
    created_at: datetime
    edited_at: datetime | None = None
    is_own: bool = False
    may_delete: bool = False


@dataclass(frozen=True)
class Mark:
    """What one criterion earned; `earned` None: not said yet."""

    title: str
    text: str
    points: float
    earned: float | None


@dataclass(frozen=True)
class Assessment:
    """Points given by hand, criterion by criterion; `weight`: what they are of the score, in [0, 1]."""

    where: str
    marks: tuple[Mark, ...]
    weight: float
    comment_html: str
    author: str
    graded_at: datetime

    @property
    def earned(self) -> float:
        return sum(mark.earned or 0.0 for mark in self.marks)

    @property
    def points(self) -> float:
        return sum(mark.points for mark in self.marks)


@dataclass(frozen=True)
class Feedback:
    remarks: tuple[Remark, ...] = ()
    assessments: tuple[Assessment, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.remarks or self.assessments)


@dataclass(frozen=True)
class SourceLine:
    """A line of the source in colour, with what was said of it."""

    number: int
    html: Markup
    remarks: tuple[Remark, ...]


# (db, the submission's id): in the words of its author's page.
Source = Callable[[Session, int], Feedback]
_registered: list[Source] = []


def ask_for_feedback(source: Source) -> None:
    """From now on this is asked as well."""
    _registered.append(source)


def feedback_on(db: Session, submission_id: int) -> Feedback:
    found = [source(db, submission_id) for source in _registered]
    return Feedback(
        tuple(remark for one in found for remark in one.remarks),
        tuple(assessment for one in found for assessment in one.assessments),
    )


def lines_of(source: str, remarks: Sequence[Remark]) -> tuple[SourceLine, ...]:
    by_line: dict[int, list[Remark]] = {}
    for remark in remarks:
        by_line.setdefault(remark.line, []).append(remark)
    lines = enumerate(rows(source), 1)
    return tuple(SourceLine(number, html, tuple(by_line.get(number, ()))) for number, html in lines)
