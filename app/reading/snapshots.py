"""Snapshots: every state of an exercise or a course that was ever served, by the hash of its files.

The judge reads a snapshot and never the live folder, so that a verdict names what it was judged by, whatever happens to
the folder in the meantime.
"""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    UniqueConstraint,
    select,
    text,
    true,
    update,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.content.course import Course
from app.db import Base, Moment, now
from graders.exercise.definition import Exercise


class Snapshot(Base):
    """One state of a folder, or of what was written elsewhere. `is_current`: what is served of it; `origin`: where it
    came from, which alone may retire it. `proved_at`: when the judge first admitted an exercise. `served_until`: when
    another state took its place.

    Of an exercise with variants the first one is served and proved for all. Each other has a snapshot too, which is
    never current: submissions name it.
    """

    __tablename__ = "snapshot"
    __table_args__ = (
        CheckConstraint("kind IN ('exercise', 'course')", "kind"),
        CheckConstraint("origin IN ('folder', 'browser', 'import')", "origin"),
        UniqueConstraint("kind", "slug", "content_hash", name="uq_snapshot_kind_slug_content_hash"),
        Index("ix_snapshot_kind_is_current", "kind", "is_current"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    slug: Mapped[str] = mapped_column(String(120))
    content_hash: Mapped[str] = mapped_column(String(64))
    is_current: Mapped[bool]
    origin: Mapped[str] = mapped_column(String(8), default="folder", server_default="folder")
    imported_at: Mapped[datetime] = mapped_column(Moment, default=now)
    proved_at: Mapped[datetime | None] = mapped_column(Moment, default=None)
    served_until: Mapped[datetime | None] = mapped_column(Moment, default=None)


class SnapshotFile(Base):
    __tablename__ = "snapshot_file"

    snapshot_id: Mapped[int] = mapped_column(ForeignKey("snapshot.id", ondelete="CASCADE"), primary_key=True)
    path: Mapped[str] = mapped_column(String(500), primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


def take_turn(db: Session) -> None:
    """Servers that store content at once do it one after the other: the second finds it stored. (Writers of SQLite take
    turns anyway.)"""
    if db.get_bind().dialect.name != "sqlite":
        db.execute(text("SELECT pg_advisory_xact_lock(7265747275)"))


def slug_of(db: Session, snapshot_id: int) -> str:
    return db.scalars(select(Snapshot.slug).where(Snapshot.id == snapshot_id)).one()


def hash_of(db: Session, snapshot_id: int) -> str:
    return db.scalars(select(Snapshot.content_hash).where(Snapshot.id == snapshot_id)).one()


def current_id(db: Session, kind: str, slug: str) -> int | None:
    """The snapshot that is served under this name."""
    current = select(Snapshot.id).where(Snapshot.kind == kind, Snapshot.slug == slug, Snapshot.is_current)
    return db.scalar(current)


def current_ids(db: Session) -> dict[tuple[str, str], int]:
    """Everything that is served: snapshots by kind and slug."""
    current = select(Snapshot.kind, Snapshot.slug, Snapshot.id).where(Snapshot.is_current)
    return {(kind, slug): id for kind, slug, id in db.execute(current)}


def origin_of(db: Session, snapshot_id: int) -> str:
    return db.scalars(select(Snapshot.origin).where(Snapshot.id == snapshot_id)).one()


def is_proved(db: Session, snapshot_id: int) -> bool:
    """Whether the judge has admitted this state of an exercise."""
    return db.scalar(select(Snapshot.proved_at).where(Snapshot.id == snapshot_id)) is not None


def note_proof(db: Session, snapshot_id: int) -> None:
    """Record that the judge has admitted this state."""
    unproved = Snapshot.id == snapshot_id, Snapshot.proved_at.is_(None)
    db.execute(update(Snapshot).where(*unproved).values(proved_at=now()))


def proved_before(db: Session, slug: str, content_hash: str) -> int | None:
    """The newest state of an exercise that the judge has admitted; None where there is none, or where it has admitted
    this one."""
    proved = select(Snapshot).where(Snapshot.kind == "exercise", Snapshot.slug == slug, Snapshot.proved_at.is_not(None))
    states = db.scalars(proved.order_by(Snapshot.id.desc())).all()
    return None if not states or any(state.content_hash == content_hash for state in states) else states[0].id


def waits_for_judge(db: Session, slug: str, content_hash: str) -> bool:
    """Whether this state was never proved, is not what is served now, and may not be the first of a new installation,
    which shows what it holds at once."""
    state = select(Snapshot).where(Snapshot.kind == "exercise", Snapshot.slug == slug)
    known = db.scalar(state.where(Snapshot.content_hash == content_hash))
    if known is not None:
        return known.proved_at is None and not known.is_current
    return db.scalar(select(Snapshot.id).where(Snapshot.kind == "exercise").limit(1)) is not None


def instead_of(db: Session, slug: str, snapshot_id: int) -> int | None:
    """The proved state of an exercise that is served as long as this one is not; None: nothing is."""
    current = current_id(db, "exercise", slug)
    if current is None or (current != snapshot_id and is_proved(db, current)):
        return current
    return proved_before(db, slug, hash_of(db, snapshot_id))


def serve_only(db: Session, snapshot_id: int | None, kind: str, slug: str) -> None:
    """Of all states under this name this one becomes what is served; None: none of them."""
    named = Snapshot.kind == kind, Snapshot.slug == slug
    others = Snapshot.id != snapshot_id if snapshot_id is not None else true()
    ended = {"is_current": False, "served_until": now()}
    db.execute(update(Snapshot).where(*named, Snapshot.is_current, others).values(ended))
    if snapshot_id is not None:
        begun = {"is_current": True, "served_until": None}
        db.execute(update(Snapshot).where(Snapshot.id == snapshot_id).values(begun))


def served_lately(db: Session, slug: str, content_hash: str, since: datetime) -> int | None:
    """A state of an exercise that was served until after `since`, and is no longer."""
    state = Snapshot.kind == "exercise", Snapshot.slug == slug, Snapshot.content_hash == content_hash
    return db.scalar(select(Snapshot.id).where(*state, ~Snapshot.is_current, Snapshot.served_until > since))


def from_elsewhere(db: Session, kind: str) -> list[tuple[int, str]]:
    """(id, slug) of what is served and came from no folder."""
    current = select(Snapshot.id, Snapshot.slug).where(
        Snapshot.kind == kind, Snapshot.is_current, Snapshot.origin != "folder"
    )
    return [(id, slug) for id, slug in db.execute(current)]


def has_file(db: Session, snapshot_id: int, path: str) -> bool:
    named = SnapshotFile.snapshot_id == snapshot_id, SnapshotFile.path == path
    return db.scalar(select(SnapshotFile.path).where(*named)) is not None


def files_of(db: Session, snapshot_id: int) -> dict[str, bytes]:
    rows = db.execute(select(SnapshotFile.path, SnapshotFile.content).where(SnapshotFile.snapshot_id == snapshot_id))
    return {row.path: row.content for row in rows}


def store(db: Session, kind: str, folders: Mapping[str, Exercise | Course]) -> dict[str, int]:
    """Of this kind exactly these become what is served; returns their ids by slug. What came by another way than a
    folder is retired by that way alone, or by a folder of its name."""
    retired = Snapshot.kind == kind, Snapshot.is_current, (Snapshot.origin == "folder") | Snapshot.slug.in_(folders)
    db.execute(update(Snapshot).where(*retired).values(is_current=False, served_until=now()))
    ids = {slug: keep(db, kind, folder) for slug, folder in folders.items()}
    db.execute(update(Snapshot).where(Snapshot.id.in_(ids.values())).values(is_current=True, served_until=None))
    return ids


def keep(db: Session, kind: str, state: Exercise | Course, origin: str | None = None) -> int:
    """The snapshot of this state, stored if it is new, with one for each other variant of an exercise. `origin`: where
    it comes from now; None leaves that as it was, and what is new comes from a folder."""
    if isinstance(state, Exercise):
        for other in state.others:
            _kept(db, kind, other, other.stored, origin)
        return _kept(db, kind, state, state.stored, origin)
    return _kept(db, kind, state, state.files, origin)


def snapshots_of(db: Session, exercise: Exercise) -> dict[str, int]:
    """The snapshots of all variants of an exercise, by content hash; given its first variant."""
    hashes = [one.content_hash for one in (exercise, *exercise.others)]
    named = Snapshot.kind == "exercise", Snapshot.slug == exercise.slug, Snapshot.content_hash.in_(hashes)
    rows = db.execute(select(Snapshot.content_hash, Snapshot.id).where(*named))
    return {row.content_hash: row.id for row in rows}


def snapshot_by_hash(db: Session, slug: str, content_hash: str) -> int | None:
    """Of any state of an exercise, served or not."""
    named = Snapshot.kind == "exercise", Snapshot.slug == slug, Snapshot.content_hash == content_hash
    return db.scalar(select(Snapshot.id).where(*named))


def _kept(db: Session, kind: str, state: Exercise | Course, files: Mapping[str, bytes], origin: str | None) -> int:
    slug, content_hash = state.slug, state.content_hash
    known = db.scalar(
        select(Snapshot).where(Snapshot.kind == kind, Snapshot.slug == slug, Snapshot.content_hash == content_hash)
    )
    if known is None:
        known = Snapshot(kind=kind, slug=slug, content_hash=content_hash, is_current=False, origin=origin or "folder")
        db.add(known)
        db.flush()
        db.add_all(SnapshotFile(snapshot_id=known.id, path=path, content=content) for path, content in files.items())
    elif origin is not None:
        known.origin = origin
    return known.id
