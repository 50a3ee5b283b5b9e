"""Mistakes that people report in an exercise or a question. A report names the state it is about."""

from datetime import datetime

import structlog
from sqlalchemy import ForeignKey, Index, String, Text, select, text
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.discussions.letters import MistakeLetter
from app.discussions.subjects import Subject, find_subject
from app.people.belongings import Belonging, register, take_over, wrote
from app.people.identity import Caller
from app.people.quota import add_stored
from app.people.users import User
from app.practice.submissions import load_submission
from app.state import AppState, require_room
from app.web.errors import Invalid, NotFound, RateLimited
from graders.text import storable

log = structlog.get_logger("lectern.discussions")

MAX_TEXT = 2000
LISTED = 50


class MistakeReport(Base):
    """`content_hash`, `framework` and `submission_id` say what it is about, as it was when it was reported."""

    __tablename__ = "mistake_report"
    __table_args__ = (
        Index("ix_mistake_report_user_id_created_at", "user_id", "created_at"),
        Index("ix_mistake_report_submission_id", "submission_id"),
        Index("ix_mistake_report_subject_id", "subject", "id"),
        Index(
            "ix_mistake_report_open", "created_at",
            sqlite_where=text("resolved_at IS NULL"), postgresql_where=text("resolved_at IS NULL"),
        ),
        {"sqlite_autoincrement": True},
    )  # fmt: skip

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    subject: Mapped[str] = mapped_column(String(320))
    title: Mapped[str] = mapped_column(String(300))
    text: Mapped[str] = mapped_column(Text)
    content_hash: Mapped[str] = mapped_column(String(64))
    framework: Mapped[str | None] = mapped_column(String(16))
    submission_id: Mapped[int | None] = mapped_column(ForeignKey("submission.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    resolved_at: Mapped[datetime | None] = mapped_column(Moment)
    resolution: Mapped[str | None] = mapped_column(String(500))


def report_mistake(
    state: AppState, caller: Caller, kind: str, name: str, words: str, framework: str = "", submission: str = ""
) -> MistakeReport:
    """By anybody, a guest too. `submission`: one of theirs that shows it. Raises NotFound, Invalid, RateLimited,
    TooLarge, Forbidden."""
    subject = find_subject(state.catalog, kind, name)
    words = _read_text(words)
    state.limits.spend("mistake", address=caller.address)
    with state.db.writing() as db:
        person = caller.require_user(db)
        state.limits.spend("mistake", person=person.id)
        require_room(state, person, len(words.encode()))
        report = MistakeReport(
            user_id=person.id,
            subject=subject.key,
            title=subject.title[:300],
            text=words,
            content_hash=subject.content_hash,
            framework=framework if framework in subject.frameworks else None,
            submission_id=_own_submission(db, person, subject, submission),
        )
        add_stored(db, person.id, len(words.encode()))
        db.add(report)
        db.flush()
    _write_to_staff(state, report)
    return report


def mistakes_of(db: Session, user: User | None) -> list[MistakeReport]:
    """What this person has reported, the newest first."""
    if user is None:
        return []
    mine = select(MistakeReport).where(MistakeReport.user_id == user.id)
    return list(db.scalars(mine.order_by(MistakeReport.created_at.desc(), MistakeReport.id.desc()).limit(LISTED)))


def _read_text(words: str) -> str:
    words = storable(words.replace("\r\n", "\n")).strip()
    if not words:
        raise Invalid("text: say what is wrong.", "For example: the statement says (N, T), the sample shows (T, N).")
    if len(words) > MAX_TEXT:
        raise Invalid(f"text: this has {len(words):,} characters.", f"It may have at most {MAX_TEXT:,}. Shorten it.")
    return words


def _own_submission(db: Session, person: User, subject: Subject, id: str) -> int | None:
    """attack: have staff look at another's submission as if it were theirs. defence: it is their own, of this
    exercise. Raises Invalid."""
    if not id or subject.kind != "exercise":
        return None
    try:
        sent = load_submission(db, id, person).submission
    except NotFound:
        sent = None
    if sent is None or sent.user_id != person.id or sent.exercise != subject.name:
        raise Invalid("submission: this is not a submission of yours to this exercise.", "Pick one from the list.")
    return sent.id


def _write_to_staff(state: AppState, report: MistakeReport) -> None:
    """attack: report all day, and fill the staff's mailboxes. defence: ten letters at once, then six an hour; the queue
    has what no letter tells."""
    try:
        state.limits.spend("mistake_letter", person="staff")
    except RateLimited:
        log.info("mistake_letter_left_out", report=report.id)
        return
    state.mistake_letters.send(MistakeLetter(report.title, report.text))


register(
    Belonging(
        240,
        "mistake_reports",
        "Mistakes you reported",
        "In exercises and questions: so that we correct them, and you see what staff answer.",
        MistakeReport,
        merge=take_over(MistakeReport),
        worked=wrote(MistakeReport.user_id, MistakeReport.created_at),
    )
)
