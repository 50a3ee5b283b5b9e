"""Texts that an author has typed and not saved as a revision: kept like students' drafts, a row a person and file.

Saving makes one revision of all of a person's texts of one exercise or course. A file that somebody else has changed
meanwhile is not overwritten: both texts are shown, and the author decides (`Clash`). Files that only one of them has
touched come together by themselves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import CheckConstraint, ColumnElement, ForeignKey, Index, String, Text, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.people.belongings import Belonging, register, take_over_new, wrote
from app.people.users import User
from app.teaching.files import require_path, require_size
from app.teaching.revisions import Revision, content_of, files_of, newest, require_content, revision_of, save
from app.teaching.subjects import Subject
from app.web.errors import Invalid, NotFound, TooLarge
from graders.exercise.folder import MAX_FILES
from graders.text import is_storable


class UnsavedText(Base):
    """What somebody last had in the editor of one file. `base`: the revision that it began from."""

    __tablename__ = "unsaved_text"
    __table_args__ = (
        CheckConstraint("kind IN ('exercise', 'course')", "kind"),
        Index("ix_unsaved_text_kind_slug", "kind", "slug"),
    )

    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    slug: Mapped[str] = mapped_column(String(120), primary_key=True)
    path: Mapped[str] = mapped_column(String(500), primary_key=True)
    base: Mapped[str] = mapped_column(String(64))
    text: Mapped[str] = mapped_column(Text)
    revision: Mapped[int] = mapped_column(default=1)  # one more each time it is written; 0 is what never was
    saved_at: Mapped[datetime] = mapped_column(Moment, default=now)


@dataclass(frozen=True)
class Kept:
    """A text as the server has it now. `yours`: it is what was just sent; otherwise another tab's came between."""

    text: str
    revision: int
    saved_at: datetime
    yours: bool


@dataclass(frozen=True)
class Clash:
    """A file that somebody else has changed since this person began. `theirs` None: it is gone there."""

    path: str
    mine: str
    theirs: str | None


class Clashes(Exception):
    """Nothing was stored as a revision; each text is where it was."""

    def __init__(self, clashes: tuple[Clash, ...]) -> None:
        super().__init__(", ".join(clash.path for clash in clashes))
        self.clashes = clashes


def keep(db: Session, person: User, subject: Subject, path: str, text: str, base: str, revision: int) -> Kept:
    """Compare and set, as a student's draft is. Raises Invalid, TooLarge, NotFound."""
    require_path(path)
    if not is_storable(text):
        raise Invalid("The text holds a character that cannot be stored.", "Remove NUL characters.")
    require_size(path, text.encode())
    stored = _row(db, person, subject, path)
    if stored is None:
        began = files_of(db, revision_of(db, subject, base).id)
        if began.get(path) == text.encode():
            return Kept(text, 0, now(), yours=True)  # nothing is unsaved
        if len(unsaved_of(db, person, subject)) >= MAX_FILES:
            raise TooLarge("Too many files have unsaved texts.", "Save them first.")
        row = UnsavedText(
            user_id=person.id, kind=subject.kind, slug=subject.slug, path=path, base=base, text=text,
            revision=revision + 1, saved_at=now(),
        )  # fmt: skip
        db.add(row)
        db.flush()
        return Kept(text, row.revision, row.saved_at, yours=True)
    if stored.text != text:
        if stored.revision != revision:
            return Kept(stored.text, stored.revision, stored.saved_at, yours=False)
        stored.text, stored.revision, stored.saved_at = text, revision + 1, now()
        db.flush()
    return Kept(text, stored.revision, stored.saved_at, yours=True)


def unsaved_of(db: Session, person: User, subject: Subject) -> dict[str, UnsavedText]:
    """By path: what this person has typed and not saved."""
    rows = select(UnsavedText).where(*_named(person, subject)).order_by(UnsavedText.path)
    return {row.path: row for row in db.scalars(rows)}


def with_unsaved(files: Mapping[str, bytes], texts: Mapping[str, UnsavedText]) -> dict[str, bytes]:
    return {**files, **{path: row.text.encode() for path, row in texts.items()}}


def save_unsaved(db: Session, person: User, subject: Subject, message: str) -> Revision:
    """One revision of all that this person has typed. Raises Clashes, and as `save`."""
    require_content(db, subject, writes=True)  # nobody saves between the look and the save
    texts = unsaved_of(db, person, subject)
    latest = newest(db, subject)
    files = files_of(db, latest.id)
    if clashes := tuple(_clashes(db, subject, texts, latest, files)):
        raise Clashes(clashes)
    changes = {path: row.text.encode() for path, row in texts.items()}
    revision = save(db, person, subject, latest.content_hash, changes, message)
    forget_unsaved(db, person, subject)
    return revision


def clashes_of(db: Session, person: User, subject: Subject) -> tuple[Clash, ...]:
    """The files of which both this person's text and a newer revision differ from what it began from."""
    latest = newest(db, subject)
    return tuple(_clashes(db, subject, unsaved_of(db, person, subject), latest, files_of(db, latest.id)))


def _clashes(
    db: Session, subject: Subject, texts: Mapping[str, UnsavedText], latest: Revision, files: Mapping[str, bytes]
) -> list[Clash]:
    began: dict[str, dict[str, bytes]] = {latest.content_hash: dict(files)}
    found = []
    for path, row in texts.items():
        if row.base not in began:
            try:
                began[row.base] = files_of(db, revision_of(db, subject, row.base).id)
            except NotFound:
                began[row.base] = {}
        theirs = files.get(path)
        if theirs not in (began[row.base].get(path), row.text.encode()):
            found.append(Clash(path, row.text, theirs.decode("utf-8", "replace") if theirs is not None else None))
    return found


def forget_unsaved(db: Session, person: User, subject: Subject, path: str | None = None) -> None:
    named = [*_named(person, subject), *([UnsavedText.path == path] if path is not None else [])]
    db.execute(delete(UnsavedText).where(*named).execution_options(synchronize_session="fetch"))


def has_unsaved(db: Session, person: User) -> set[tuple[str, str]]:
    """(kind, slug) of all of which this person has unsaved texts."""
    rows = select(UnsavedText.kind, UnsavedText.slug).where(UnsavedText.user_id == person.id).distinct()
    return {(kind, slug) for kind, slug in db.execute(rows)}


def newest_hash(db: Session, subject: Subject) -> str | None:
    content = content_of(db, subject)
    return db.get_one(Revision, content.newest_id).content_hash if content is not None else None


def _row(db: Session, person: User, subject: Subject, path: str) -> UnsavedText | None:
    return db.get(UnsavedText, (person.id, subject.kind, subject.slug, path))


def _named(person: User, subject: Subject) -> tuple[ColumnElement[bool], ...]:
    return UnsavedText.user_id == person.id, UnsavedText.kind == subject.kind, UnsavedText.slug == subject.slug


register(
    Belonging(
        265,
        "unsaved_texts",
        "Texts you are writing",
        "What is in your editors at the author's desk and not saved yet, so that you do not lose it. Only you see it.",
        UnsavedText,
        merge=take_over_new(UnsavedText),
        worked=wrote(UnsavedText.user_id, UnsavedText.saved_at),
    )
)
