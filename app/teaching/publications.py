"""Publications: a revision becomes what students get, once the gate has passed.

The publication is stored first, and the catalog told then. A server that ends between the two finds at its next start
that something else is published than it serves (`catch_up`).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import CheckConstraint, ForeignKey, Index, String, exists, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.content.reading import Unsound
from app.db import Base, Database, Moment, now
from app.people.audit import note
from app.people.identity import Caller
from app.people.users import User
from app.reading.catalog import Catalog
from app.state import AppState
from app.teaching.authors import require_author
from app.teaching.checks import Check, Checks
from app.teaching.files import Files
from app.teaching.redirects import require_both_names
from app.teaching.revisions import Content, Revision, files_of, require_content, revision_of
from app.teaching.subjects import Subject, subject_of
from app.web.errors import Conflict, Invalid, JudgeCannotRun
from graders.exercise.fault import Fault

log = structlog.get_logger("lectern.teaching")
MAX_WAIT_SECONDS = 120.0


class Publication(Base):
    """That a revision was made live, by whom and when."""

    __tablename__ = "publication"
    __table_args__ = (
        CheckConstraint("kind IN ('exercise', 'course')", "kind"),
        Index("ix_publication_kind_slug", "kind", "slug", "id"),
        Index("ix_publication_revision_id", "revision_id"),
        Index("ix_publication_author_id", "author_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    slug: Mapped[str] = mapped_column(String(120))
    revision_id: Mapped[int] = mapped_column(ForeignKey("revision.id", ondelete="CASCADE"))
    author_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)


class NotProved(Invalid):
    """The gate found errors in it."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        errors = sum(fault.severity == "error" for fault in faults)
        counted = "1 fault" if errors == 1 else f"{errors} faults"
        super().__init__(f"This revision did not pass the gate: {counted}.", "Correct them, save, and publish again.")
        self.faults = faults

    def public(self) -> dict[str, Any]:
        return {**super().public(), "faults": [vars(fault) for fault in self.faults]}


@dataclass(frozen=True)
class Published:
    id: int
    subject: Subject
    revision: str
    created_at: datetime


def publish(state: AppState, caller: Caller, subject: Subject, content_hash: str, seconds: float) -> Published:
    """Wait at most so long for the gate, then make this revision what students get, in every process.

    Raises Unauthenticated, NotFound, NotProved, JudgeCannotRun, RateLimited; Conflict while the gate is not finished,
    or where the folder and the browser are in conflict.
    """
    with state.db.reading() as db:
        asks = require_author(db, caller, subject).id
        require_both_names(db, caller, subject)
        files = files_of(db, revision_of(db, subject, content_hash).id)
        _require_settled(require_content(db, subject))
    # attack: forty that wait two minutes each for a gate that has much to do: no thread is left to answer a student.
    # defence: a few at once of one person.
    with state.limits.holding("publication", person=asks, address=caller.address):
        seconds = min(seconds, MAX_WAIT_SECONDS)
        check = require_proof(state.catalog, state.checks, subject, content_hash, files, seconds)
    with state.db.writing() as db:
        person = require_author(db, caller, subject, writes=True)
        require_both_names(db, caller, subject)
        published = record(db, person, subject, content_hash, check)
    serve(state.catalog, subject, files)
    return published


def require_proof(
    catalog: Catalog, checks: Checks, subject: Subject, content_hash: str, files: Files, seconds: float
) -> Check:
    """The gate's report on these files. Raises NotProved, Conflict, JudgeCannotRun."""
    try:
        catalog.read(subject.kind, subject.slug, files)
    except Unsound as unsound:
        raise NotProved(unsound.faults) from None
    checks.want(subject.kind, subject.slug, files)
    check = checks.wait(subject.kind, subject.slug, content_hash, seconds)
    if check.state != "finished" and not checks.can_run:
        raise JudgeCannotRun("This server has no judge to prove content with.", "Publish on a server with workers.")
    if check.state != "finished":
        raise Conflict("The gate has not finished yet.", "Ask again, with a longer `wait`.")
    if not check.ok:
        raise NotProved(tuple(check.faults))
    return check


def record(db: Session, person: User | None, subject: Subject, content_hash: str, check: Check) -> Published:
    """The row that says so; the caller tells the catalog once it is committed. Raises Conflict."""
    if not check.ok:
        raise ValueError("only what passed the gate is published")
    content = require_content(db, subject, writes=True)
    _require_settled(content)
    revision = revision_of(db, subject, content_hash)
    row = Publication(
        kind=subject.kind, slug=subject.slug, revision_id=revision.id, author_id=person.id if person else None
    )
    db.add(row)
    content.published_id = revision.id
    db.flush()
    note(db, person, subject, "published", {"revision": content_hash})
    return Published(row.id, subject, content_hash, row.created_at)


def serve(catalog: Catalog, subject: Subject, files: Files) -> None:
    """What has been proved and recorded."""
    catalog.publish(subject.kind, subject.slug, files, "browser", is_proved=True)
    log.info("content_published", content=str(subject))


def catch_up(database: Database, catalog: Catalog) -> None:
    """At the start, after the folders were read: serve what is published and is not what is served."""
    with database.reading() as db:
        stale = [
            (subject, files_of(db, revision_id))
            for subject, content_hash, revision_id in _published(db)
            if _served_hash(catalog, subject) != content_hash
        ]
    for subject, files in stale:
        try:
            serve(catalog, subject, files)
        except Unsound as unsound:  # by this release of Lectern
            log.error("content_left_out", content=str(subject), reason=str(unsound.fault))


def _published(db: Session) -> list[tuple[Subject, str, int]]:
    """Of all that passed the gate and was made live: what it is, its hash, its revision. What was taken from a folder
    since is not among it: the judge admits that."""
    has_passed = exists(select(Publication.id).where(Publication.revision_id == Content.published_id))
    rows = select(Content, Revision).join(Revision, Revision.id == Content.published_id).where(has_passed)
    return [
        (subject_of(content.kind, content.slug), revision.content_hash, revision.id)
        for content, revision in db.execute(rows)
    ]


def _served_hash(catalog: Catalog, subject: Subject) -> str | None:
    served = catalog.exercises if subject.kind == "exercise" else catalog.courses
    found = served.get(subject.slug)
    return found.content_hash if found is not None else None


def publications_of(db: Session, subject: Subject) -> list[tuple[Publication, Revision, str | None]]:
    """The newest first, each with its revision and its author's e-mail address."""
    rows = (
        select(Publication, Revision, User.email)
        .join(Revision, Revision.id == Publication.revision_id)
        .outerjoin(User, User.id == Publication.author_id)
        .where(Publication.kind == subject.kind, Publication.slug == subject.slug)
        .order_by(Publication.id.desc())
    )
    return [(publication, revision, email) for publication, revision, email in db.execute(rows)]


def _require_settled(content: Content) -> None:
    if content.conflict_id is not None:
        raise Conflict(
            "Its folder and the browser have both changed.",
            f"Decide which is right at /author/{content.kind}/{content.slug}/conflict.",
        )
