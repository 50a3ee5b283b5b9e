"""A discussion as one person may read it: what each post shows them, and what they may do with it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.content.posted import post_html
from app.discussions.names import DiscussionName, name_of
from app.discussions.posts import Post, Topic, post_counts, thread_of
from app.discussions.reports import PostReport
from app.discussions.subjects import AFTER, Subject, has_solved, is_discussed, of_question, require_readable
from app.people.permission import Wish, may
from app.people.users import User
from app.state import AppState
from app.web.errors import NotFound

TOPICS = 20  # on one page


@dataclass(frozen=True)
class Fold:
    """What a page shows of a discussion before it is opened. `is_open`: there is one; a mistake is reported anyway."""

    subject: Subject
    is_open: bool
    count: int


@dataclass(frozen=True)
class ShownPost:
    """`html` None: its reader is not sent it, for the reason in `withheld`."""

    id: int
    author: str
    is_staff: bool
    is_own: bool
    html: str | None
    withheld: Literal["", "hidden", "spoiler"]
    is_hidden: bool
    hidden_why: str | None
    is_spoiler: bool
    is_answer: bool
    created_at: datetime
    edited_at: datetime | None
    may_change: bool
    may_choose: bool
    may_report: bool
    was_reported: bool


@dataclass(frozen=True)
class ShownTopic:
    """`question` None: the post that asked is gone, and its replies are not."""

    id: int
    question: ShownPost | None
    replies: tuple[ShownPost, ...]

    @property
    def answer(self) -> ShownPost | None:
        return next((reply for reply in self.replies if reply.is_answer), None)


@dataclass(frozen=True)
class ShownThread:
    """`may_write`: this person has an account, and the thread is not closed to them. `more`: older topics come before
    the one of this number; `is_first`: none are newer. `after`: what a reader has yet to do before code is shown; ""
    where they did it."""

    subject: Subject
    id: int | None
    is_locked: bool
    topics: tuple[ShownTopic, ...]
    more: int | None
    is_first: bool
    own_name: str | None
    has_account: bool
    may_write: bool
    may_moderate: bool
    after: str


def folds_of(db: Session, state: AppState, subjects: Iterable[Subject]) -> Mapping[str, Fold]:
    """By the subject's name. One question to the database, however many subjects."""
    found = list(subjects)
    is_open = {subject.key: is_discussed(state.settings, state.catalog, subject) for subject in found}
    counts = post_counts(db, [subject for subject in found if is_open[subject.key]])
    return {subject.name: Fold(subject, is_open[subject.key], counts.get(subject.key, 0)) for subject in found}


def folds_in(db: Session, state: AppState, course: str, lesson: str) -> Mapping[str, Fold]:
    """Of all questions of a lesson or quiz, by their ids; none where the lesson is gone."""
    try:
        found = state.catalog.lesson(course, lesson)[1]
    except NotFound:
        return {}
    return folds_of(db, state, [of_question(found, question) for question in found.questions.values()])


def show_thread(
    db: Session,
    viewer: User | None,
    subject: Subject,
    *,
    before: int | None = None,
    post: int | None = None,
    topic: int | None = None,
) -> ShownThread:
    """The newest topics first; `before`: those older than the one of this number; `post`, `topic`: those where this
    one is seen. Raises Forbidden."""
    require_readable(db, viewer, subject)
    thread = thread_of(db, subject)
    if thread is not None and (post or topic):
        before = _page_of(db, thread.id, topic or _topic_of(db, thread.id, post))
    sees_all = may(viewer, Wish.read_spoilers) or has_solved(db, viewer, subject)
    after = "" if sees_all else AFTER[subject.kind]
    ids = _topic_ids(db, thread.id, before) if thread is not None else []
    shown = ids[:TOPICS]
    moderates = may(viewer, Wish.moderate)
    has_account = may(viewer, Wish.write_posts)
    is_locked = thread is not None and thread.is_locked
    return ShownThread(
        subject=subject,
        id=thread.id if thread is not None else None,
        is_locked=is_locked,
        topics=_topics(db, viewer, shown, after),
        more=shown[-1] if len(ids) > TOPICS else None,
        is_first=before is None,
        own_name=name_of(db, viewer),
        has_account=has_account,
        may_write=has_account and (moderates or not is_locked),
        may_moderate=moderates,
        after=after,
    )


def _topic_of(db: Session, thread_id: int, post_id: int | None) -> int | None:
    return db.scalar(select(Post.topic_id).where(Post.id == post_id, Post.thread_id == thread_id))


def _page_of(db: Session, thread_id: int, topic: int | None) -> int | None:
    """Before which topic the page begins that has this one; None: the first page has it."""
    return None if topic is None or topic in _topic_ids(db, thread_id, None)[:TOPICS] else topic + 1


def _topic_ids(db: Session, thread_id: int, before: int | None) -> list[int]:
    """Of those that still have a post."""
    held = select(Post.id).where(Post.topic_id == Topic.id).exists()
    wanted = select(Topic.id).where(Topic.thread_id == thread_id, held)
    if before is not None:
        wanted = wanted.where(Topic.id < before)
    return list(db.scalars(wanted.order_by(Topic.id.desc()).limit(TOPICS + 1)))


def _topics(db: Session, viewer: User | None, ids: Sequence[int], after: str) -> tuple[ShownTopic, ...]:
    wanted = (
        select(Post, User, DiscussionName.name)
        .join(User, User.id == Post.user_id)
        .outerjoin(DiscussionName, DiscussionName.user_id == Post.user_id)
        .where(Post.topic_id.in_(ids))
        .order_by(Post.topic_id.desc(), Post.asks.desc(), Post.id)
    )
    rows = db.execute(wanted).all() if ids else []
    reported = _reported_by(db, viewer, [row.Post.id for row in rows])
    topics = []
    for topic_id, group in groupby(rows, lambda row: row.Post.topic_id):
        members = list(group)
        asker = members[0].Post.user_id if members[0].Post.asks else None
        posts = [_shown(viewer, post, user, name, asker, after, reported) for post, user, name in members]
        question = posts[0] if members[0].Post.asks else None
        topics.append(ShownTopic(topic_id, question, tuple(posts[1:] if question else posts)))
    return tuple(topics)


def _reported_by(db: Session, viewer: User | None, posts: Sequence[int]) -> set[int]:
    if viewer is None or not posts:
        return set()
    return set(
        db.scalars(select(PostReport.post_id).where(PostReport.user_id == viewer.id, PostReport.post_id.in_(posts)))
    )


def _shown(
    viewer: User | None, post: Post, author: User, name: str | None, asker: int | None, after: str, reported: set[int]
) -> ShownPost:
    """attack: read from the page's source what the page hides. defence: what is withheld is not rendered at all."""
    is_own = viewer is not None and viewer.id == post.user_id
    has_account = may(viewer, Wish.write_posts)
    code_after = "" if may(viewer, Wish.read_spoilers, post.user_id) else after
    withheld: Literal["", "hidden", "spoiler"] = ""
    if post.hidden_at is not None and not may(viewer, Wish.read_hidden_post, post.user_id):
        withheld = "hidden"
    elif post.is_spoiler and code_after:
        withheld = "spoiler"
    knows_why = may(viewer, Wish.read_hidden_post, post.user_id)
    return ShownPost(
        id=post.id,
        author=name or "Somebody",
        is_staff=may(author, Wish.moderate),
        is_own=is_own,
        html=None if withheld else post_html(post.text, code_after=code_after),
        withheld=withheld,
        is_hidden=post.hidden_at is not None,
        hidden_why=post.hidden_why if knows_why else None,
        is_spoiler=post.is_spoiler,
        is_answer=post.is_answer,
        created_at=post.created_at,
        edited_at=post.edited_at,
        may_change=may(viewer, Wish.change_post, post.user_id),
        may_choose=has_account and not post.asks and may(viewer, Wish.choose_answer, asker),
        may_report=has_account and not is_own and not post.hidden_at,
        was_reported=post.id in reported,
    )
