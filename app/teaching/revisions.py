"""Revisions: every state of an exercise or a course that an author saved, or that its folder was seen in.

A revision is called by the hash of its files. Saving names the revision that the change began from; when that is no
longer the newest, nothing is stored and the author gets the newer one. What cannot be read as content is a revision all
the same: only publishing asks for more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, String, UniqueConstraint, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.people.audit import note
from app.people.users import User
from app.teaching.files import Changes, Files, changed
from app.teaching.subjects import Subject
from app.web.errors import Conflict, Invalid, NotFound
from graders.exercise.folder import hash_files
from graders.text import storable

MAX_MESSAGE = 500
ORIGINS = ("folder", "browser", "import")


class FileContent(Base):
    """The bytes of a file, stored once whichever revisions hold them."""

    __tablename__ = "file_content"

    content_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class Revision(Base):
    """One save. Two rows may have one content: an earlier state that was restored."""

    __tablename__ = "revision"
    __table_args__ = (
        CheckConstraint("kind IN ('exercise', 'course')", "kind"),
        CheckConstraint("origin IN ('folder', 'browser', 'import')", "origin"),
        Index("ix_revision_kind_slug", "kind", "slug", "id"),
        Index("ix_revision_author_id", "author_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    slug: Mapped[str] = mapped_column(String(120))
    content_hash: Mapped[str] = mapped_column(String(64))
    origin: Mapped[str] = mapped_column(String(8))
    parent_id: Mapped[int | None] = mapped_column(ForeignKey("revision.id", ondelete="SET NULL"))
    author_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id", ondelete="SET NULL"))
    message: Mapped[str] = mapped_column(String(MAX_MESSAGE))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)


class RevisionFile(Base):
    __tablename__ = "revision_file"

    revision_id: Mapped[int] = mapped_column(ForeignKey("revision.id", ondelete="CASCADE"), primary_key=True)
    path: Mapped[str] = mapped_column(String(500), primary_key=True)
    content_hash: Mapped[str] = mapped_column(ForeignKey("file_content.content_hash"))


class Content(Base):
    """What each name stands for now: the newest revision, what is published, and what its folder last agreed to.

    `folder_hash`: the folder's state when folder and browser last agreed; None where there was never a folder.
    `conflict_id`: a later state of the folder, where both have changed since.
    """

    __tablename__ = "content"
    __table_args__ = (
        UniqueConstraint("kind", "slug", name="uq_content_kind_slug"),
        CheckConstraint("kind IN ('exercise', 'course')", "kind"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    slug: Mapped[str] = mapped_column(String(120))
    newest_id: Mapped[int] = mapped_column(ForeignKey("revision.id"))
    published_id: Mapped[int | None] = mapped_column(ForeignKey("revision.id"))
    folder_hash: Mapped[str | None] = mapped_column(String(64))
    conflict_id: Mapped[int | None] = mapped_column(ForeignKey("revision.id"))


@dataclass(frozen=True)
class Newest:
    """The newest revision, in plain values: the transaction that found it has ended."""

    id: int
    content_hash: str
    origin: str


class Outdated(Conflict):
    """The change began from a revision that is no longer the newest: `newest` is."""

    def __init__(self, newest: Revision) -> None:
        super().__init__(
            "Somebody has saved a newer revision since you began.",
            "Compare it with yours, then save again based on it. Nothing was overwritten.",
        )
        self.newest = Newest(newest.id, newest.content_hash, newest.origin)


@dataclass(frozen=True)
class FileChange:
    """What became of one file between two revisions; None: it was not there, or is gone."""

    path: str
    before: bytes | None
    after: bytes | None


# ---- reading --------------------------------------------------------------------------------------------------


def content_of(db: Session, subject: Subject, *, writes: bool = False) -> Content | None:
    """`writes`: nobody else saves or publishes it until this transaction ends."""
    row = select(Content).where(Content.kind == subject.kind, Content.slug == subject.slug)
    return db.scalar(row.with_for_update() if writes else row)


def require_content(db: Session, subject: Subject, *, writes: bool = False) -> Content:
    """Raises NotFound."""
    content = content_of(db, subject, writes=writes)
    if content is None:
        raise NotFound(f"There is no {subject.kind} of this name.", "See the list at /author.")
    return content


def newest(db: Session, subject: Subject) -> Revision:
    """The revision that the next change begins from. Raises NotFound."""
    return db.get_one(Revision, require_content(db, subject).newest_id)


def revision_of(db: Session, subject: Subject, content_hash: str) -> Revision:
    """The last that was saved with this content. Raises NotFound."""
    named = Revision.kind == subject.kind, Revision.slug == subject.slug, Revision.content_hash == content_hash
    revision = db.scalar(select(Revision).where(*named).order_by(Revision.id.desc()).limit(1))
    if revision is None:
        raise NotFound("There is no such revision.", f"See its history at {subject.desk_url}/revisions.")
    return revision


def files_of(db: Session, revision_id: int) -> dict[str, bytes]:
    """By path, sorted."""
    rows = (
        select(RevisionFile.path, FileContent.content)
        .join(FileContent, FileContent.content_hash == RevisionFile.content_hash)
        .where(RevisionFile.revision_id == revision_id)
    )
    return dict(sorted((path, content) for path, content in db.execute(rows)))


def list_revisions(
    db: Session, subject: Subject, first: int = 0, count: int | None = None
) -> list[tuple[Revision, str | None]]:
    """The newest first, each with its author's e-mail address."""
    rows = (
        select(Revision, User.email)
        .outerjoin(User, User.id == Revision.author_id)
        .where(Revision.kind == subject.kind, Revision.slug == subject.slug)
        .order_by(Revision.id.desc())
    )
    return [(revision, email) for revision, email in db.execute(rows.offset(first).limit(count))]


def count_revisions(db: Session, subject: Subject) -> int:
    named = Revision.kind == subject.kind, Revision.slug == subject.slug
    return db.scalar(select(func.count()).select_from(Revision).where(*named)) or 0


def difference(before: Files, after: Files) -> list[FileChange]:
    """The files that differ, by path."""
    paths = sorted(before.keys() | after.keys())
    return [
        FileChange(path, before.get(path), after.get(path)) for path in paths if before.get(path) != after.get(path)
    ]


# ---- writing --------------------------------------------------------------------------------------------------


def save(
    db: Session, person: User | None, subject: Subject, base: str | None, changes: Changes, message: str
) -> Revision:
    """A new revision: that of `base` with these changes. The caller has asked whether the person may.

    The same content as the newest is no new revision. `base` None: this name is new.
    Raises Outdated, Invalid, TooLarge, NotFound; Conflict where a new name is taken.
    """
    content = content_of(db, subject, writes=True)
    if content is None:
        if base is not None:
            raise NotFound(f"There is no {subject.kind} of this name.", "Leave `base` out to begin a new one.")
        return begin(db, person, subject, changed({}, changes), message)
    latest = db.get_one(Revision, content.newest_id)
    files = files_of(db, latest.id)
    if base != latest.content_hash:
        # The same change twice: its first answer was lost on the way.
        if base is not None and _is_repeated(db, subject, base, latest, changes):
            return latest
        raise Outdated(latest)
    return _append(db, person, subject, content, latest, changed(files, changes), message)


def begin(
    db: Session, person: User | None, subject: Subject, files: Files, message: str, origin: str = "browser"
) -> Revision:
    """The first revision of a name that nothing has yet. Raises Invalid where it holds nothing."""
    if not files:
        raise Invalid("A revision needs at least one file.", "Begin from a template at /author.")
    revision = _store(db, person, subject, None, files, message, origin)
    row = {"kind": subject.kind, "slug": subject.slug, "newest_id": revision.id}
    if db.scalar(_insert(db)(Content).values(row).on_conflict_do_nothing().returning(Content.id)) is None:
        raise Conflict(f"The name {subject.slug} is taken by another {subject.kind}.", "Choose another name.")
    note(db, person, subject, "created", {"revision": revision.content_hash, "origin": origin})
    return revision


def replace_all(
    db: Session, person: User | None, subject: Subject, base: str, files: Files, message: str, origin: str = "browser"
) -> Revision:
    """A new revision that holds exactly these files. Raises as `save`."""
    content = require_content(db, subject, writes=True)
    latest = db.get_one(Revision, content.newest_id)
    if base != latest.content_hash:
        raise Outdated(latest)
    return _append(db, person, subject, content, latest, files, message, origin)


def restore(db: Session, person: User | None, subject: Subject, base: str, content_hash: str) -> Revision:
    """An earlier state becomes the newest revision; everything between stays in the history. Raises as `save`."""
    earlier = revision_of(db, subject, content_hash)
    message = f"Restored the revision of {earlier.created_at:%Y-%m-%d %H:%M} UTC"
    return replace_all(db, person, subject, base, files_of(db, earlier.id), message)


def add_folder_state(db: Session, content: Content, subject: Subject, files: Files) -> Revision:
    """A state that the folder was seen in, which does not become the newest by itself."""
    return _store(db, None, subject, content.newest_id, files, "Changed in the folder", "folder")


def _append(
    db: Session,
    person: User | None,
    subject: Subject,
    content: Content,
    latest: Revision,
    files: Files,
    message: str,
    origin: str = "browser",
) -> Revision:
    if not files:
        raise Invalid("This would remove the last file.", "Keep at least one.")
    if hash_files(files) == latest.content_hash:
        return latest
    revision = _store(db, person, subject, latest.id, files, message, origin)
    content.newest_id = revision.id
    db.flush()
    note(
        db, person, subject, "saved", {"revision": revision.content_hash, "base": latest.content_hash, "origin": origin}
    )
    return revision


def _is_repeated(db: Session, subject: Subject, base: str, latest: Revision, changes: Changes) -> bool:
    before = files_of(db, revision_of(db, subject, base).id)
    try:
        return hash_files(changed(before, changes)) == latest.content_hash
    except (Invalid, NotFound):
        return False


def _store(
    db: Session, person: User | None, subject: Subject, parent_id: int | None, files: Files, message: str, origin: str
) -> Revision:
    revision = Revision(
        kind=subject.kind, slug=subject.slug, content_hash=hash_files(files), origin=origin, parent_id=parent_id,
        author_id=person.id if person is not None else None, message=storable(message.strip())[:MAX_MESSAGE],
    )  # fmt: skip
    db.add(revision)
    db.flush()
    hashes = _store_contents(db, files)
    db.add_all(RevisionFile(revision_id=revision.id, path=path, content_hash=hashes[path]) for path in files)
    db.flush()
    return revision


def _store_contents(db: Session, files: Files) -> Mapping[str, str]:
    hashes = {path: sha256(content).hexdigest() for path, content in files.items()}
    known = _known(db, sorted(set(hashes.values())))
    new = {hashes[path]: content for path, content in files.items() if hashes[path] not in known}
    for name, content in sorted(new.items()):  # in one order: two savers wait for each other in no circle
        row = {"content_hash": name, "content": content}
        db.execute(_insert(db)(FileContent).values(row).on_conflict_do_nothing())
    return hashes


def _insert(db: Session) -> Any:
    return sqlite.insert if db.get_bind().dialect.name == "sqlite" else postgresql.insert


def _known(db: Session, hashes: Sequence[str]) -> set[str]:
    return set(db.scalars(select(FileContent.content_hash).where(FileContent.content_hash.in_(hashes))))
