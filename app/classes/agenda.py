"""What a person has before them in a class: each assignment with its dates, its policy in words, and where they stand.

A student's has their own dates and scores; the staff's has those that hold for everybody.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from app.classes.assignments import Assignment, Extension, extensions_of, title_of, url_of
from app.classes.classes import Class
from app.classes.gradebook import Cell, Total, gradebook_of
from app.classes.lateness import Terms
from app.classes.roster import Listed
from app.db import Database, now
from app.reading.catalog import Catalog
from app.web.day import until
from app.web.filters import duration


@dataclass(frozen=True)
class Status:
    """In a word or a few. `tone`: of its mark: good, late, bad, open or quiet."""

    words: str
    tone: str


@dataclass(frozen=True)
class Item:
    """An assignment, as one person has it. `cell`: what theirs comes to; None for the staff. `is_dropped`: it is left
    out of the total as one of the lowest."""

    assignment: Assignment
    title: str
    url: str
    terms: Terms
    status: Status
    policy: str
    cell: Cell | None = None
    is_dropped: bool = False
    extension: Extension | None = None

    @property
    def attempts(self) -> str:
        """`2 of 5 attempts`; empty where there is nothing to say."""
        made, most = self.cell.attempts if self.cell else 0, self.terms.attempts
        if most is not None:
            return f"{made} of {_attempts(most)}" if self.cell else f"at most {_attempts(most)}"
        return _attempts(made) if made else ""

    @property
    def score(self) -> str:
        """`80%`; empty where there is none."""
        return "" if self.cell is None or self.cell.score is None else percent(self.cell.score)


@dataclass(frozen=True)
class Agenda:
    items: Sequence[Item]
    total: Total | None = None


def student_agenda(database: Database, catalog: Catalog, class_: Class, student: Listed) -> Agenda:
    """As this student sees it. Opens transactions of its own: it is called with none open."""
    at = now()
    book = gradebook_of(database, catalog, class_, [student], at=at, hides_hidden=True)
    with database.reading() as db:
        theirs: Mapping[tuple[str, str], Extension] = {}
        if student.user is not None:
            theirs = extensions_of(db, class_, [student.user]).get(student.user, {})
    row = book.rows[0]
    items = []
    for column, cell in zip(book.columns, row.cells, strict=True):
        extension = theirs.get(column.key)
        terms = column.assignment.terms(class_.timezone, extension)
        items.append(
            Item(
                column.assignment, column.title, url_of(class_, *column.key), terms, status_of(terms, cell, at),
                policy_words(terms), cell, column.key in row.total.dropped, extension,
            )
        )  # fmt: skip
    return Agenda(tuple(items), row.total)


def staff_agenda(catalog: Catalog, class_: Class, rows: Sequence[Assignment]) -> Agenda:
    """As the dates are for everybody."""
    at = now()
    items = []
    for row in rows:
        terms = row.terms(class_.timezone)
        title, url = title_of(catalog, class_, *row.key), url_of(class_, *row.key)
        status = Status("Hidden from students", "quiet") if row.is_hidden_at(at) else status_of(terms, None, at)
        items.append(Item(row, title, url, terms, status, policy_words(terms)))
    return Agenda(tuple(items))


def status_of(terms: Terms, cell: Cell | None, at: datetime) -> Status:
    """Where it stands at this moment."""
    if terms.excused:
        return Status("Excused: it does not count", "quiet")
    if terms.opens_at is not None and at < terms.opens_at:
        return Status(f"Opens {_when(terms.opens_at, at, terms)}", "quiet")
    if cell is not None and cell.score == 1:
        return Status("Done", "good")
    if not terms.is_open_at(at):
        missing = cell is not None and not cell.attempts and cell.score is None
        return Status("Closed: missing", "bad") if missing else Status("Closed", "quiet")
    if cell is not None and terms.attempts is not None and cell.attempts >= terms.attempts:
        return Status("No attempts left", "quiet")
    if terms.is_due_at(at):
        return Status(*_late(terms, cell, at))
    if terms.due_at is None:
        return Status("Open", "open")
    if at > terms.due_at:
        left = terms.due_at + timedelta(minutes=terms.grace_minutes) - at
        return Status(f"Just past its due date: {_short(left)} of grace left", "late")
    return Status(f"Due {_when(terms.due_at, at, terms)}", "open")


def _late(terms: Terms, cell: Cell | None, at: datetime) -> tuple[str, str]:
    missing = cell is not None and not cell.attempts and cell.score is None
    worth = terms.worth(1.0, at)
    if terms.per_day == 0:
        return ("Past its due date: missing, but still worth 100%" if missing else "Past its due date"), "late"
    if worth == 0:
        return "Too late: worth nothing now", "bad"
    return f"Late now: worth {percent(worth)}", "late"


def policy_words(terms: Terms) -> str:
    """`10% off for each day late; 15 minutes grace`. Empty without a due date, after which nothing is late."""
    if terms.due_at is None:
        return ""
    grace = f"{duration(60 * terms.grace_minutes)} grace" if terms.grace_minutes else ""
    if terms.closes_at is not None and terms.closes_at <= terms.due_at:
        return "nothing counts after the due date"
    if terms.per_day == 0:
        off = "no points off for being late"
    elif terms.per_day == 1:
        off = "nothing counts once it is late"
    else:
        off = f"{percent(terms.per_day)} off for each day late"
    return f"{off}; {grace}" if grace else off


def percent(score: float) -> str:
    return f"{round(100 * score, 1):g}%"


def _attempts(count: int) -> str:
    return "1 attempt" if count == 1 else f"{count} attempts"


def _when(moment: datetime, at: datetime, terms: Terms) -> str:
    """`in 20 minutes`, `in 5 hours`, `tomorrow`, `in 3 days`: by the calendar of the class's time zone."""
    left = moment - at
    zone = ZoneInfo(terms.timezone)
    days = (moment.astimezone(zone).date() - at.astimezone(zone).date()).days
    return f"in {_short(left)}" if left < timedelta(hours=24) and days < 2 else until(days)


def _short(left: timedelta) -> str:
    minutes = max(1, round(left.total_seconds() / 60))
    if minutes < 60:
        return "1 minute" if minutes == 1 else f"{minutes} minutes"
    hours = round(minutes / 60)
    return "1 hour" if hours == 1 else f"{hours} hours"
