"""Everything that is someone's, as they may see it: what the page about their data lists, and what they download.

Rows are read a few at a time and written as they come, so an export takes no more memory for a hundred thousand
answers than for ten. What is no use to anyone but a thief (hashes of the password and of sessions' tokens) stays here.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.db import Base, now
from app.people.users import Login, User
from app.practice.drafts import Draft
from app.practice.gradings import Grading
from app.practice.hints import HintOpened
from app.practice.shared_solutions import SharedSolution
from app.practice.solutions import GiveUp
from app.practice.standings import BestTime
from app.practice.submissions import Shown, Submission
from app.quizzes.answers import Answer
from app.quizzes.responses import responses_of
from app.quizzes.reviews import ReviewCard
from app.quizzes.sittings import Sitting
from app.reading.lessons import LessonRead
from app.reading.snapshots import Snapshot

FORMAT = "lectern-export-1"
AT_A_TIME = 500
SUBMISSIONS_AT_A_TIME = 20  # a source and its trace may take a megabyte
Row = dict[str, Any]


@dataclass(frozen=True)
class Section:
    """One table with a `user_id`: the key in the export, and in plain words what is kept and what for."""

    key: str
    title: str
    why: str
    table: type[Base]
    left_out: frozenset[str] = frozenset()  # columns, beside `user_id`
    rows: Callable[[Session, int], Iterator[Row]] | None = None


def write_export(db: Session, user: User, file: IO[bytes]) -> None:
    """One JSON object, a line for each row. `db` is a transaction that sees one moment throughout."""

    def put(text: str) -> None:
        file.write(text.encode())

    head = {"format": FORMAT, "exported_at": _plain(now()), "account": _row(user, ACCOUNT_LEFT_OUT)}
    put("{" + ",\n".join(f"{_json(key)}: {_json(value)}" for key, value in head.items()))
    for section in SECTIONS:
        put(f",\n{_json(section.key)}: [")
        for number, row in enumerate(rows_of(db, user.id, section)):
            put((",\n  " if number else "\n  ") + _json(row))
        put("]")
    put("}\n")


def rows_of(db: Session, user_id: int, section: Section) -> Iterator[Row]:
    if section.rows is not None:
        yield from section.rows(db, user_id)
        return
    mine = _mine(section.table, user_id).order_by(*section.table.__table__.primary_key)
    for row in db.scalars(mine.execution_options(yield_per=AT_A_TIME)):
        yield _row(row, section.left_out)
        db.expunge(row)


def counts_of(db: Session, user_id: int) -> dict[str, int]:
    """How much there is of each section, by its key."""
    return {
        section.key: db.scalar(
            select(func.count()).select_from(section.table).where(section.table.__table__.c.user_id == user_id)
        )
        or 0
        for section in SECTIONS
    }


def _submissions(db: Session, user_id: int) -> Iterator[Row]:
    """Each with all its gradings, in the words of its page: a hidden case's inputs and values are in neither."""
    last = 0
    while True:
        page = select(Submission, Snapshot.content_hash).join(Snapshot, Snapshot.id == Submission.snapshot_id)
        page = page.where(Submission.user_id == user_id, Submission.id > last).order_by(Submission.id)
        sent = db.execute(page.limit(SUBMISSIONS_AT_A_TIME)).all()
        if not sent:
            return
        gradings: dict[int, list[Grading]] = {}
        judged = select(Grading).where(Grading.submission_id.in_([one.id for one, _ in sent])).order_by(Grading.id)
        for grading in db.scalars(judged):
            gradings.setdefault(grading.submission_id, []).append(grading)
        for submission, exercise_hash in sent:
            last = submission.id
            shown = [Shown(submission, grading, exercise_hash) for grading in gradings.get(submission.id, [])]
            yield {
                **_row(submission, SUBMISSION_LEFT_OUT),
                "exercise_hash": exercise_hash,
                "gradings": [_grading(one) for one in shown],
            }
        db.expunge_all()


def _sittings(db: Session, user_id: int) -> Iterator[Row]:
    """Each with what was saved in it, question by question."""
    for sitting in db.scalars(_mine(Sitting, user_id).order_by(Sitting.id)).all():
        responses = [_row(one, RESPONSE_LEFT_OUT) for one in responses_of(db, sitting.id)]
        yield {**_row(sitting, SITTING_LEFT_OUT), "responses": responses}


def _grading(shown: Shown) -> Row:
    public = shown.public()
    of_grading = ("state", "verdict", "score", "summary", "diagnosis", "mistake", "cases", "trace")
    measured = ("wall_ms", "peak_mb", "queued_at", "started_at", "finished_at")
    return {
        **{name: public[name] for name in of_grading if name in public},
        **{name: _plain(getattr(shown.grading, name)) for name in measured},
    }


def _row(row: Base, left_out: frozenset[str] = frozenset()) -> Row:
    names = (column.name for column in row.__table__.columns)
    return {name: _plain(getattr(row, name)) for name in names if name != "user_id" and name not in left_out}


def _plain(value: Any) -> Any:
    """As JSON has it. A source is text; one that is not UTF-8 is given as its bytes in hexadecimal digits."""
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return {"hex": value.hex()}
    return value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": ")).encode("utf-8", "replace").decode()


def _mine(table: type[Base], user_id: int) -> Any:
    return select(table).where(table.__table__.c.user_id == user_id)


ACCOUNT_LEFT_OUT = frozenset({"password_hash"})
SUBMISSION_LEFT_OUT = frozenset({"snapshot_id", "body_hash"})
SITTING_LEFT_OUT = frozenset({"snapshot_id"})
RESPONSE_LEFT_OUT = frozenset({"sitting_id"})
SECTIONS: tuple[Section, ...] = (
    Section("lessons_read", "Lessons read", "So that you can continue where you left off.", LessonRead),
    Section(
        "answers",
        "Answers to questions",
        "What you typed or picked, how it was read, whether it was right: for your progress, and so that we find and "
        "fix misleading questions.",
        Answer,
    ),
    Section(
        "sittings",
        "Quiz attempts",
        "When each began and ended, your answers and your score.",
        Sitting,
        SITTING_LEFT_OUT,
        _sittings,
    ),
    Section("review_cards", "Questions for review", "When a question that you missed comes back.", ReviewCard),
    Section(
        "submissions",
        "Submissions, runs and traces",
        "Your exact code and every verdict: an acknowledged submission is never lost. For runs and traces, only "
        "the newest 20 of each exercise.",
        Submission,
        SUBMISSION_LEFT_OUT,
        _submissions,
    ),
    Section("drafts", "Drafts", "What is in your editors, so that you do not lose it. Only you can see it.", Draft),
    Section("hints_opened", "Hints opened", "So that they stay open.", HintOpened),
    Section("give_ups", "Solutions opened", "So that a worked solution stays open to you.", GiveUp),
    Section("best_times", "Best times", "To compare times, for you and, without your name, for others.", BestTime),
    Section(
        "shared_solutions",
        "Solutions shared",
        "The ones you let others see, without your name.",
        SharedSolution,
    ),
    Section(
        "sessions",
        "Sessions",
        "Where you are signed in: when each began and when it ends. We do not record your IP address or browser.",
        Login,
        frozenset({"token_hash"}),
    ),
)
