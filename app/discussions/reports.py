"""Reports of posts. Those of three people hide a post until staff look at it."""

from datetime import datetime

import structlog
from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, func, select, text
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.discussions.posts import Post, find_post, require_writer
from app.discussions.subjects import Subject
from app.people.belongings import Belonging, register
from app.people.identity import Caller
from app.people.permission import Wish, may
from app.people.users import User
from app.state import AppState
from app.web.errors import Conflict, Invalid
from graders.text import storable

log = structlog.get_logger("lectern.discussions")

MAX_REASON = 500
ENOUGH = 3  # people
HIDDEN_BY_REPORTS = "Three people reported it. Staff will look at it."


class PostReport(Base):
    """One a person and post. `resolution`: what staff did, and said about it."""

    __tablename__ = "post_report"
    __table_args__ = (
        UniqueConstraint("post_id", "user_id"),
        Index("ix_post_report_user_id", "user_id"),
        Index(
            "ix_post_report_open", "created_at",
            sqlite_where=text("resolved_at IS NULL"), postgresql_where=text("resolved_at IS NULL"),
        ),
    )  # fmt: skip

    id: Mapped[int] = mapped_column(primary_key=True)
    post_id: Mapped[int] = mapped_column(ForeignKey("discussion_post.id", ondelete="CASCADE"))
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    reason: Mapped[str] = mapped_column(String(MAX_REASON))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    resolved_at: Mapped[datetime | None] = mapped_column(Moment)
    resolution: Mapped[str | None] = mapped_column(String(600))


def report_post(state: AppState, caller: Caller, id: str, reason: str) -> Subject:
    """Raises Unauthenticated, Forbidden, NotFound, Invalid, Conflict, RateLimited.

    attack: one person with one account after another has what they dislike hidden. defence: it takes three accounts,
    staff's own posts are never hidden so, and once staff have looked it takes three others.
    """
    with state.db.writing() as db:
        person = require_writer(db, caller)
        post, subject = find_post(db, state, person, id, writes=True)
        if post.user_id == person.id:
            raise Conflict("This is your own post.", "You can delete it.")
        reason = read_reason(reason)
        state.limits.spend("post", person=person.id, address=caller.address)
        _require_first(db, post, person)
        db.add(PostReport(post_id=post.id, user_id=person.id, reason=reason))
        db.flush()
        if _is_enough(db, post):
            post.hidden_at, post.hidden_why = now(), HIDDEN_BY_REPORTS
            log.info("post_hidden_by_reports", post=post.id)
    return subject


def read_reason(reason: str) -> str:
    """Raises Invalid."""
    reason = storable(reason).strip()
    if not reason:
        raise Invalid("reason: say why.", "One sentence is enough.")
    if len(reason) > MAX_REASON:
        raise Invalid("reason: this is too long.", f"It may have at most {MAX_REASON} characters.")
    return reason


def open_reports(db: Session, post_id: int) -> list[PostReport]:
    waiting = select(PostReport).where(PostReport.post_id == post_id, PostReport.resolved_at.is_(None))
    return list(db.scalars(waiting.order_by(PostReport.id)))


def _require_first(db: Session, post: Post, person: User) -> None:
    mine = select(PostReport.id).where(PostReport.post_id == post.id, PostReport.user_id == person.id)
    if db.scalar(mine) is not None:
        raise Conflict("You have reported this post before.", "Staff see each report once.")


def _is_enough(db: Session, post: Post) -> bool:
    if post.hidden_at is not None or may(db.get_one(User, post.user_id), Wish.moderate):
        return False
    waiting = select(func.count()).where(PostReport.post_id == post.id, PostReport.resolved_at.is_(None))
    return (db.scalar(waiting) or 0) >= ENOUGH


register(
    Belonging(
        230,
        "post_reports",
        "Posts you reported",
        "Why you did, and what staff decided. We do not tell its author who you are.",
        PostReport,
    )
)
