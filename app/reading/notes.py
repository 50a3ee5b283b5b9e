"""Notes: what a student marks and writes down beside a lesson's text. Nobody else ever sees them, staff neither.

A note says what it is about as the W3C's Web Annotation Data Model does: the exact words, a little of what stands
before and after them, and the section they were in. So it finds its place again after the lesson was edited
(app/reading/note_places.py). A note without a quotation is about its whole section.

Nothing that was typed is overwritten by somebody who never saw it: a change names the revision that it was typed over.
Where that is no longer the newest, the change becomes a note of its own beside the other.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, func, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now, read_id
from app.people.belongings import Belonging, register, wrote
from app.people.identity import Caller
from app.people.permission import Wish, may
from app.people.quota import add_stored
from app.people.users import User
from app.state import AppState, require_room
from app.web.errors import Conflict, Invalid, NotFound, TooLarge
from graders.text import storable

COLOURS = ("yellow", "green", "blue")
TEXT_MAX = 4000  # characters
QUOTE_MAX = 1500
AROUND_MAX = 64  # of what stands before a quotation, and after it
SECTION_MAX = 200
KEY_MAX = 64
PER_LESSON = 200
PER_PERSON = 1000


class Note(Base):
    """`quote` is empty for a note on a whole section, and `section` for what stands before the first heading. `text`
    is empty for a highlight alone. `key` is the browser's own name for it: sent twice, it is stored once."""

    __tablename__ = "note"
    __table_args__ = (
        UniqueConstraint("user_id", "key"),
        Index("ix_note_user_id_course_lesson", "user_id", "course", "lesson"),
        {"sqlite_autoincrement": True},  # the number of a deleted note, in an old tab, is never another's
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    course: Mapped[str] = mapped_column(String(120))
    lesson: Mapped[str] = mapped_column(String(120))
    key: Mapped[str | None] = mapped_column(String(KEY_MAX))
    section: Mapped[str] = mapped_column(String(SECTION_MAX))
    quote: Mapped[str] = mapped_column(Text)
    before: Mapped[str] = mapped_column(String(AROUND_MAX))
    after: Mapped[str] = mapped_column(String(AROUND_MAX))
    colour: Mapped[str] = mapped_column(String(16))
    text: Mapped[str] = mapped_column(Text)
    revision: Mapped[int] = mapped_column(default=1)  # one more each time it is changed
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    changed_at: Mapped[datetime] = mapped_column(Moment, default=now)


@dataclass(frozen=True)
class NewNote:
    """A note as it is sent: what it is about, and what is to be kept of it."""

    section: str
    quote: str = ""
    before: str = ""
    after: str = ""
    colour: str = COLOURS[0]
    text: str = ""
    key: str | None = None


@dataclass(frozen=True)
class Kept:
    """A note as it is stored now. `is_beside`: it was to be a change, and stands beside what another tab made of it."""

    note: Note
    is_beside: bool = False


def keep_note(state: AppState, caller: Caller, course: str, lesson: str, sent: NewNote) -> Note:
    """Store a note on a lesson; the same one, sent again, is the one that is stored already.

    Raises NotFound, Invalid, TooLarge, RateLimited, Unauthenticated, Forbidden.
    """
    if state.catalog.lesson(course, lesson)[1].is_quiz:
        raise Invalid("A quiz takes no notes.", "Write it on a lesson.")
    new = _checked(sent)
    state.limits.spend("note", address=caller.address)
    with state.db.writing() as db:
        user = caller.require_user(db)  # a double click waits here, and then finds the first one's note
        state.limits.spend("note", person=user.id)
        return _added(state, caller, db, user, course, lesson, new)


def change_note(state: AppState, caller: Caller, id: str, colour: str, text: str, revision: int) -> Kept:
    """Change a note that was at `revision`. Raises NotFound, Invalid, TooLarge, RateLimited, Unauthenticated."""
    new = _checked(NewNote("", quote="some", colour=colour, text=text))
    state.limits.spend("note", address=caller.address)
    with state.db.writing() as db:
        user = caller.viewer(db, writes=True)
        note = load_note(db, id, user)
        assert user is not None, "nobody has no note"
        state.limits.spend("note", person=user.id)
        if not note.quote and not new.text:
            raise Invalid("The note is empty.", "Write something, or delete the note.")
        if (note.colour, note.text) == (new.colour, new.text):
            return Kept(note)  # it was saved before, and the answer was lost on the way
        if note.revision != revision:
            beside = NewNote(note.section, note.quote, note.before, note.after, new.colour, new.text)
            return Kept(_added(state, caller, db, user, note.course, note.lesson, beside), is_beside=True)
        _count(state, caller, db, user, len(new.text.encode()) - len(note.text.encode()))
        note.colour, note.text, note.revision, note.changed_at = new.colour, new.text, revision + 1, now()
        return Kept(note)


def delete_note(state: AppState, caller: Caller, id: str, revision: int) -> Note:
    """Delete a note, if it is still as it was at `revision`; returns what it was. Raises NotFound, Conflict."""
    with state.db.writing() as db:
        user = caller.viewer(db, writes=True)
        note = load_note(db, id, user)
        if note.revision != revision:
            raise Conflict("This note was changed in another tab or on another device.", "Read it, then delete it.")
        add_stored(db, note.user_id, -_size(note))
        db.delete(note)
        return note


def load_note(db: Session, id: str, person: User | None) -> Note:
    """Their own. Raises NotFound for anybody else's, as for one that never was."""
    number = read_id(id)
    note = db.get(Note, number) if number is not None else None
    if note is None or not may(person, Wish.keep_note, note.user_id):
        raise NotFound("You have no such note.", "See all your notes at /me/notes.")
    return note


def notes_on(db: Session, user_id: int | None, course: str, lesson: str) -> list[Note]:
    """A person's own notes on a lesson, the oldest first. None: nobody has any, and the database is not asked."""
    if user_id is None:
        return []
    mine = select(Note).where(Note.user_id == user_id, Note.course == course, Note.lesson == lesson)
    return list(db.scalars(mine.order_by(Note.id)))


def notes_of(db: Session, person: User | None) -> list[Note]:
    """All that is theirs, the oldest first."""
    return list(db.scalars(select(Note).where(Note.user_id == person.id).order_by(Note.id))) if person else []


def _checked(sent: NewNote) -> NewNote:
    """As it can be stored. Raises Invalid, TooLarge."""
    if sent.colour not in COLOURS:
        raise Invalid("colour: there is no such colour.", f"Use one of {', '.join(COLOURS)}.")
    text = storable(sent.text.replace("\r\n", "\n")).strip()
    if len(text) > TEXT_MAX:
        raise TooLarge(f"Your note has {len(text):,} characters; {TEXT_MAX:,} fit.", "Write two notes instead.")
    if len(sent.quote) > QUOTE_MAX:
        raise TooLarge(f"More than {QUOTE_MAX:,} characters are selected.", "Select less, or write on the section.")
    if not text and not sent.quote.strip():
        raise Invalid("The note is empty.", "Write something in it.")
    if max(len(sent.before), len(sent.after)) > AROUND_MAX or len(sent.section) > SECTION_MAX:
        raise Invalid("The note’s place cannot be read.", "Reload the lesson.")
    if sent.key is not None and not 0 < len(sent.key) <= KEY_MAX:
        raise Invalid(f"key: give 1 to {KEY_MAX} characters.", "Reload the lesson.")
    return NewNote(
        storable(sent.section),
        storable(sent.quote),
        storable(sent.before),
        storable(sent.after),
        sent.colour,
        text,
        storable(sent.key) if sent.key is not None else None,
    )


def _added(state: AppState, caller: Caller, db: Session, user: User, course: str, lesson: str, new: NewNote) -> Note:
    """`db` holds this person alone, so that no two requests pass the counts together."""
    there = notes_on(db, user.id, course, lesson)
    if known := next((note for note in there if _is_same(note, new)), None):
        return known
    if len(there) >= PER_LESSON:
        raise TooLarge(f"You have {PER_LESSON} notes on this lesson, which is the limit.", "Delete one first.")
    if (db.scalar(select(func.count()).select_from(Note).where(Note.user_id == user.id)) or 0) >= PER_PERSON:
        raise TooLarge(f"You have {PER_PERSON:,} notes, which is the limit.", "Delete some at /me/notes first.")
    note = Note(user_id=user.id, course=course, lesson=lesson, **vars(new))
    _count(state, caller, db, user, _size(note))
    db.add(note)
    db.flush()
    return note


def _is_same(note: Note, new: NewNote) -> bool:
    if new.key is not None and note.key is not None:
        return note.key == new.key
    return all(getattr(note, name) == getattr(new, name) for name in ("section", "quote", "before", "colour", "text"))


def _count(state: AppState, caller: Caller, db: Session, user: User, more_bytes: int) -> None:
    """Raises TooLarge and RateLimited, before anything is stored."""
    if more_bytes > 0:
        require_room(state, user, more_bytes)
        state.limits.spend_bytes(caller.address, more_bytes)
    add_stored(db, user.id, more_bytes)


def _size(note: Note) -> int:
    return sum(len(part.encode()) for part in (note.section, note.quote, note.before, note.after, note.text))


def _merge(db: Session, _catalog: object, guest: User, user: User) -> None:
    """All of them; where both have one by the same key, the guest's goes on without."""
    theirs = update(Note).where(Note.user_id == guest.id).execution_options(synchronize_session=False)
    taken = select(Note.key).where(Note.user_id == user.id, Note.key.is_not(None)).scalar_subquery()
    db.execute(theirs.where(Note.key.in_(taken)).values(key=None))
    db.execute(theirs.values(user_id=user.id))


register(
    Belonging(
        65,
        "notes",
        "Notes",
        "What you marked and wrote down in lessons. Only you can see it.",
        Note,
        merge=_merge,
        worked=wrote(Note.user_id, Note.changed_at),
    )
)
