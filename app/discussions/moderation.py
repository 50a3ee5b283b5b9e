"""What staff do: hide and show posts, close a discussion, and work through what people report."""

from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.content.posted import post_html
from app.db import now, read_id
from app.discussions.mistakes import MistakeReport
from app.discussions.names import DiscussionName
from app.discussions.posts import Post, Thread
from app.discussions.reports import PostReport, open_reports, read_reason
from app.discussions.subjects import Subject, subject_at
from app.people import audit
from app.people.identity import Caller
from app.people.permission import Wish, may
from app.people.users import User
from app.reading.catalog import Catalog
from app.state import AppState
from app.web.errors import Forbidden, NotFound

log = structlog.get_logger("lectern.discussions")

LISTED = 50  # of each kind, those that wait longest first


@dataclass(frozen=True)
class ReportedPost:
    """A post with its open reports. `subject` None: what it is about is gone."""

    post: Post
    author: str
    html: str
    subject: Subject | None
    reports: Sequence[PostReport]


@dataclass(frozen=True)
class ReportedMistake:
    """`has_changed`: what it is about is no longer as it was reported."""

    report: MistakeReport
    subject: Subject | None

    @property
    def has_changed(self) -> bool:
        return self.subject is not None and self.subject.content_hash != self.report.content_hash


@dataclass(frozen=True)
class ReportQueue:
    posts: Sequence[ReportedPost]
    mistakes: Sequence[ReportedMistake]


def require_moderator(db: Session, caller: Caller, *, writes: bool = False) -> User:
    """Raises Unauthenticated, Forbidden."""
    person = caller.require_viewer(db, writes=writes)
    if not may(person, Wish.moderate):
        raise Forbidden("This is for instructors.", "Sign in as an instructor.")
    return person


def open_report_count(db: Session) -> int:
    """Posts and mistakes that wait for staff."""
    posts = select(func.count(func.distinct(PostReport.post_id))).where(PostReport.resolved_at.is_(None))
    mistakes = select(func.count()).select_from(MistakeReport).where(MistakeReport.resolved_at.is_(None))
    return (db.scalar(posts) or 0) + (db.scalar(mistakes) or 0)


def report_queue(db: Session, catalog: Catalog) -> ReportQueue:
    """What waits, for those whom `require_moderator` let in."""
    first = func.min(PostReport.created_at)
    waiting = select(PostReport.post_id).where(PostReport.resolved_at.is_(None)).group_by(PostReport.post_id)
    ids = list(db.scalars(waiting.order_by(first, PostReport.post_id).limit(LISTED)))
    mistakes = select(MistakeReport).where(MistakeReport.resolved_at.is_(None))
    oldest = mistakes.order_by(MistakeReport.created_at, MistakeReport.id).limit(LISTED)
    return ReportQueue(
        [_reported(db, catalog, id) for id in ids],
        [ReportedMistake(report, subject_at(catalog, report.subject)) for report in db.scalars(oldest)],
    )


def _reported(db: Session, catalog: Catalog, post_id: int) -> ReportedPost:
    wanted = (
        select(Post, Thread.subject, DiscussionName.name)
        .join(Thread, Thread.id == Post.thread_id)
        .outerjoin(DiscussionName, DiscussionName.user_id == Post.user_id)
        .where(Post.id == post_id)
    )
    post, subject, name = db.execute(wanted).one()
    html = post_html(post.text)
    return ReportedPost(post, name or "Somebody", html, subject_at(catalog, subject), open_reports(db, post_id))


def hide_post(state: AppState, caller: Caller, id: str, reason: str) -> Post:
    """Its author reads the reason; open reports of it are resolved. Raises Unauthenticated, Forbidden, NotFound,
    Invalid."""
    with state.db.writing() as db:
        person = require_moderator(db, caller, writes=True)
        post, reason = _held_post(db, id), read_reason(reason)
        post.hidden_at, post.hidden_why, post.is_answer = now(), reason, False
        _resolve(db, post, f"Hidden: {reason}")
        audit.note(db, person, audit.Thing("post", str(post.id)), "post hidden")
    log.info("post_hidden", post=post.id, by=person.id, reason=reason)
    return post


def show_post(state: AppState, caller: Caller, id: str, note: str) -> Post:
    """Everybody sees it again, or still; open reports of it are resolved with the note. Raises as `hide_post` does."""
    with state.db.writing() as db:
        person = require_moderator(db, caller, writes=True)
        post, note = _held_post(db, id), read_reason(note)
        post.hidden_at = post.hidden_why = None
        _resolve(db, post, f"Left as it is: {note}")
        audit.note(db, person, audit.Thing("post", str(post.id)), "post shown")
    log.info("post_shown", post=post.id, by=person.id, reason=note)
    return post


def _held_post(db: Session, id: str) -> Post:
    """Also one of a discussion that is turned off, or whose exercise is gone: its reports still wait."""
    number = read_id(id)
    post = db.get(Post, number, with_for_update=True) if number is not None else None
    if post is None:
        raise NotFound("There is no such post.", "Its author may have deleted it.")
    return post


def _resolve(db: Session, post: Post, resolution: str) -> None:
    for report in open_reports(db, post.id):
        report.resolved_at, report.resolution = now(), resolution


def resolve_mistake(state: AppState, caller: Caller, id: str, note: str) -> None:
    """Who reported it reads the note. Raises Unauthenticated, Forbidden, NotFound, Invalid."""
    with state.db.writing() as db:
        person = require_moderator(db, caller, writes=True)
        number = read_id(id)
        report = db.get(MistakeReport, number, with_for_update=True) if number is not None else None
        if report is None:
            raise NotFound("There is no such report.", "Who sent it may have deleted their account.")
        report.resolution, report.resolved_at = read_reason(note), now()
        audit.note(db, person, audit.Thing("report", str(report.id)), "report resolved")
    log.info("mistake_resolved", report=report.id, by=person.id)


def lock_thread(state: AppState, caller: Caller, id: str, *, is_locked: bool) -> str:
    """Students read it, and write no more. Returns the key of its subject. Raises Unauthenticated, Forbidden,
    NotFound."""
    with state.db.writing() as db:
        person = require_moderator(db, caller, writes=True)
        number = read_id(id)
        thread = db.get(Thread, number, with_for_update=True) if number is not None else None
        if thread is None:
            raise NotFound("There is no such discussion.", "Go back to the exercise or the lesson.")
        thread.is_locked = is_locked
        subject = thread.subject
        action = "discussion closed" if is_locked else "discussion opened"
        audit.note(db, person, audit.Thing("discussion", str(thread.id)), action)
    log.info("thread_locked" if is_locked else "thread_unlocked", thread=number, by=person.id)
    return subject
