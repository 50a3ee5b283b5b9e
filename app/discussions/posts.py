"""Posts: what people ask and answer. A topic keeps the place of what was asked: its row says nothing of anybody, so
that replies stay where they are when the post that asked is deleted, by its author or with their account."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import ForeignKey, Index, String, Text, delete, exists, func, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.content.posted import post_html
from app.db import Base, Moment, now, read_id
from app.discussions.names import choose_name, name_of
from app.discussions.subjects import Subject, find_subject, is_discussed, require_readable
from app.people.audit import Thing, note
from app.people.belongings import Belonging, Row, exported, register
from app.people.identity import Caller
from app.people.permission import Wish, may
from app.people.quota import add_stored
from app.people.users import User
from app.state import AppState, require_room
from app.web.errors import Conflict, Forbidden, Invalid, NotFound
from graders.text import storable

log = structlog.get_logger("lectern.discussions")

MAX_TEXT = 5000
MAX_POSTS = 200  # of one topic, all of which a page shows


class Thread(Base):
    """All that is written about one subject."""

    __tablename__ = "discussion_thread"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(primary_key=True)
    subject: Mapped[str] = mapped_column(String(320), unique=True)
    is_locked: Mapped[bool] = mapped_column(default=False)


class Topic(Base):
    __tablename__ = "discussion_topic"
    __table_args__ = (Index("ix_discussion_topic_thread_id", "thread_id", "id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    thread_id: Mapped[int] = mapped_column(ForeignKey("discussion_thread.id", ondelete="CASCADE"))


class Post(Base):
    """`asks`: it began the topic. `hidden_why` is what its author reads once it is hidden."""

    __tablename__ = "discussion_post"
    __table_args__ = (
        # covers the count that pages show
        Index("ix_discussion_post_thread_id", "thread_id", "hidden_at"),
        Index("ix_discussion_post_topic_id", "topic_id"),
        Index("ix_discussion_post_user_id", "user_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    thread_id: Mapped[int] = mapped_column(ForeignKey("discussion_thread.id", ondelete="CASCADE"))
    topic_id: Mapped[int] = mapped_column(ForeignKey("discussion_topic.id", ondelete="CASCADE"))
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    asks: Mapped[bool]
    text: Mapped[str] = mapped_column(Text)
    is_spoiler: Mapped[bool]
    is_answer: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    edited_at: Mapped[datetime | None] = mapped_column(Moment)
    hidden_at: Mapped[datetime | None] = mapped_column(Moment)
    hidden_why: Mapped[str | None] = mapped_column(String(500))


# ---- reading --------------------------------------------------------------------------------------------------


def post_counts(db: Session, subjects: Sequence[Subject]) -> Mapping[str, int]:
    """How many posts each of these subjects has that everybody may see, by its key (absent: none)."""
    if not subjects:
        return {}
    seen = select(Thread.subject, func.count().label("posts")).join(Post, Post.thread_id == Thread.id)
    seen = seen.where(Thread.subject.in_([subject.key for subject in subjects]), Post.hidden_at.is_(None))
    return {row.subject: row.posts for row in db.execute(seen.group_by(Thread.subject))}


def thread_of(db: Session, subject: Subject) -> Thread | None:
    return db.scalar(select(Thread).where(Thread.subject == subject.key))


def find_post(
    db: Session, state: AppState, viewer: User | None, id: str, *, writes: bool = False
) -> tuple[Post, Subject]:
    """A post that this person may read, with what it is about. Raises NotFound, Forbidden.

    `writes`: nobody else changes it until this transaction ends.
    """
    number = read_id(id)
    wanted = select(Post, Thread.subject).join(Thread, Thread.id == Post.thread_id).where(Post.id == number)
    row = db.execute(wanted.with_for_update(of=Post) if writes else wanted).one_or_none() if number else None
    if row is None or (row.Post.hidden_at and not may(viewer, Wish.read_hidden_post, row.Post.user_id)):
        raise NotFound("There is no such post.", "Its author may have deleted it, or it is hidden.")
    subject = open_subject(state, *row.subject.split("/", 1))
    require_readable(db, viewer, subject)
    return row.Post, subject


def open_subject(state: AppState, kind: str, name: str) -> Subject:
    """Raises NotFound, also where there is no discussion of it."""
    subject = find_subject(state.catalog, kind, name)
    if not is_discussed(state.settings, state.catalog, subject):
        raise NotFound("There are no discussions here.", "Ask your instructor.")
    return subject


# ---- writing --------------------------------------------------------------------------------------------------


def require_writer(db: Session, caller: Caller) -> User:
    """The person, held alone. Raises Unauthenticated, Forbidden."""
    return _require_account(caller.require_viewer(db, writes=True))


def _require_account(person: User) -> User:
    if not may(person, Wish.write_posts):
        raise Forbidden("Guests can read discussions but not write in them.", "Sign up first: you keep all your work.")
    return person


def preview(state: AppState, caller: Caller, text: str) -> str:
    """As HTML, for its author. Raises Unauthenticated, Forbidden, Invalid, RateLimited."""
    with state.db.reading() as db:
        person = _require_account(caller.require_viewer(db))
    state.limits.spend("preview", person=person.id)
    return post_html(_read_text(text))


def write_post(
    state: AppState,
    caller: Caller,
    kind: str,
    name: str,
    text: str,
    *,
    topic: str = "",
    own_name: str = "",
    is_spoiler: bool = False,
) -> Post:
    """`topic`: the one it replies to; "": it begins one. `own_name`: what its author chooses to be called, where they
    have no name yet. Raises Unauthenticated, Forbidden, NotFound, Invalid, Conflict, RateLimited, TooLarge."""
    subject = open_subject(state, kind, name)
    with state.db.writing() as db:
        person = require_writer(db, caller)
        require_readable(db, person, subject)
        text = _read_text(text)
        thread = _held_thread(db, subject)
        _require_unlocked(thread, person)
        asks, place = not topic, _topic_of(db, thread, topic)
        if name_of(db, person) is None:
            choose_name(db, person, own_name)
        _count(state, caller, person, len(text.encode()))
        add_stored(db, person.id, len(text.encode()))
        post = Post(
            thread_id=thread.id, topic_id=place.id, user_id=person.id, asks=asks, text=text, is_spoiler=is_spoiler
        )
        db.add(post)
        db.flush()
    return post


def change_name(state: AppState, caller: Caller, name: str) -> None:
    """Raises Unauthenticated, Forbidden, Invalid, Conflict, RateLimited."""
    with state.db.writing() as db:
        person = require_writer(db, caller)
        state.limits.spend("post", person=person.id, address=caller.address)
        choose_name(db, person, name)


def change_post(state: AppState, caller: Caller, id: str, text: str, *, is_spoiler: bool) -> tuple[Post, Subject]:
    """Raises as `write_post` does; Forbidden for another's, and for one that is hidden: staff judged what it says."""
    with state.db.writing() as db:
        person = require_writer(db, caller)
        post, subject = find_post(db, state, person, id, writes=True)
        require_own(person, post)
        _require_unlocked(db.get_one(Thread, post.thread_id), person)
        if post.hidden_at is not None:
            raise Forbidden("This post is hidden, so it cannot be changed.", "Write another one, or delete it.")
        text = _read_text(text)
        more = len(text.encode()) - len(post.text.encode())
        _count(state, caller, person, max(more, 0))
        add_stored(db, person.id, more)
        post.text, post.is_spoiler, post.edited_at = text, is_spoiler, now()
    return post, subject


def delete_post(state: AppState, caller: Caller, id: str) -> Subject:
    """Its text is gone; where others have replied, the topic keeps its place. Raises NotFound, Forbidden."""
    with state.db.writing() as db:
        person = require_writer(db, caller)
        post, subject = find_post(db, state, person, id, writes=True)
        require_own(person, post)
        add_stored(db, person.id, -len(post.text.encode()))
        note(db, person, Thing("post", str(post.id)), "post deleted")
        db.execute(delete(Post).where(Post.id == post.id))
        left = exists().where(Post.topic_id == post.topic_id)
        db.execute(delete(Topic).where(Topic.id == post.topic_id, ~left))
    return subject


def choose_answer(state: AppState, caller: Caller, id: str, *, is_answer: bool) -> tuple[Post, Subject]:
    """One reply of a topic answers it, as the person who asked or staff say. Raises NotFound, Forbidden, Conflict."""
    with state.db.writing() as db:
        person = require_writer(db, caller)
        post, subject = find_post(db, state, person, id, writes=True)
        if post.asks:
            raise Conflict("This post asks the question.", "Mark a reply to it.")
        if not may(person, Wish.choose_answer, asker_of(db, post.topic_id)):
            raise Forbidden("Only the person who asked, or staff, can say what answers it.", "Thank them in a reply.")
        if is_answer:
            db.execute(update(Post).where(Post.topic_id == post.topic_id).values(is_answer=False))
        post.is_answer = is_answer
        db.flush()
    return post, subject


def asker_of(db: Session, topic_id: int) -> int | None:
    """Whose post began the topic; None where it was deleted."""
    return db.scalar(select(Post.user_id).where(Post.topic_id == topic_id, Post.asks))


def require_own(person: User, post: Post) -> None:
    if not may(person, Wish.change_post, post.user_id):
        raise Forbidden("Only the author of a post can change or delete it.", "You can report it, or reply to it.")


def _read_text(text: str) -> str:
    text = storable(text.replace("\r\n", "\n")).strip("\n").rstrip()
    if not text.strip():
        raise Invalid("text: this post is empty.", "Write what you want to say.")
    if len(text) > MAX_TEXT:
        raise Invalid(f"text: this has {len(text):,} characters.", f"A post may have at most {MAX_TEXT:,}. Shorten it.")
    return text


def _held_thread(db: Session, subject: Subject) -> Thread:
    """Made for the first post; nobody else writes in it until this transaction ends."""
    insert = (sqlite.insert if db.get_bind().dialect.name == "sqlite" else postgresql.insert)(Thread)
    row: Any = insert.values(subject=subject.key, is_locked=False).on_conflict_do_nothing()
    db.execute(row)
    return db.scalars(select(Thread).where(Thread.subject == subject.key).with_for_update()).one()


def _topic_of(db: Session, thread: Thread, id: str) -> Topic:
    if not id:
        topic = Topic(thread_id=thread.id)
        db.add(topic)
        db.flush()
        return topic
    number = read_id(id)
    found = db.get(Topic, number) if number is not None else None
    if found is None or found.thread_id != thread.id:
        raise NotFound("What you reply to is no longer there.", "Copy what you wrote, and ask it as a new question.")
    count = db.scalar(select(func.count()).select_from(Post).where(Post.topic_id == found.id)) or 0
    if count >= MAX_POSTS:
        raise Conflict(f"This question has {count} replies, which is the limit.", "Ask a new question.")
    return found


def _require_unlocked(thread: Thread, person: User) -> None:
    if thread.is_locked and not may(person, Wish.moderate):
        raise Forbidden("Staff have closed this discussion.", "You can still read it.")


def _count(state: AppState, caller: Caller, person: User, more_bytes: int) -> None:
    state.limits.spend("post", person=person.id, address=caller.address)
    require_room(state, person, more_bytes)


def _rows(db: Session, user_id: int) -> Any:
    mine = select(Post, Thread.subject).join(Thread, Thread.id == Post.thread_id).where(Post.user_id == user_id)
    for post, subject in db.execute(mine.order_by(Post.id)):
        row: Row = {"subject": subject, **exported(post, frozenset({"thread_id"}))}
        yield row


register(
    Belonging(
        220,
        "posts",
        "Posts in discussions",
        "What you asked and answered, which others read with the name you chose.",
        Post,
        rows=_rows,
    )
)
