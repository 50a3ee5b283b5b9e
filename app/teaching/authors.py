"""Who may write, prove and publish what: staff, and where authors are listed, those alone (and admins)."""

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base
from app.people.audit import note
from app.people.belongings import Belonging, register, take_over_new
from app.people.identity import Caller
from app.people.permission import Wish, may
from app.people.users import Role, User, user_by_email
from app.state import state_of
from app.teaching.subjects import Subject
from app.web.errors import Conflict, Invalid, NotFound


class ContentAuthor(Base):
    """One of those who may author this. Where nobody is listed, all staff may."""

    __tablename__ = "content_author"
    __table_args__ = (
        CheckConstraint("kind IN ('exercise', 'course')", "kind"),
        Index("ix_content_author_user_id", "user_id"),
    )

    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    slug: Mapped[str] = mapped_column(String(120), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)


def may_author(db: Session, person: User | None, subject: Subject) -> bool:
    if person is None or not may(person, Wish.author_content):
        return False
    listed = author_ids(db, subject)
    return not listed or person.role == Role.admin or person.id in listed


def author_ids(db: Session, subject: Subject) -> set[int]:
    named = ContentAuthor.kind == subject.kind, ContentAuthor.slug == subject.slug
    return set(db.scalars(select(ContentAuthor.user_id).where(*named)))


def authors_of(db: Session, subject: Subject) -> list[str]:
    """The listed authors' e-mail addresses, sorted; empty where all staff may."""
    named = ContentAuthor.kind == subject.kind, ContentAuthor.slug == subject.slug
    emails = select(User.email).join(ContentAuthor, ContentAuthor.user_id == User.id).where(*named)
    return sorted(email for email in db.scalars(emails) if email)


def closed_to(db: Session, person: User | None) -> set[tuple[str, str]]:
    """(kind, slug) of all that has listed authors and not this person."""
    if person is not None and person.role == Role.admin:
        return set()
    rows = db.execute(select(ContentAuthor.kind, ContentAuthor.slug, ContentAuthor.user_id)).all()
    own = {(kind, slug) for kind, slug, user_id in rows if person is not None and user_id == person.id}
    return {(kind, slug) for kind, slug, _ in rows} - own


def require_author(
    db: Session, caller: Caller, subject: Subject, *, writes: bool = False, spends: str = "revision"
) -> User:
    """Raises Unauthenticated; NotFound for everybody who may not: a draft's name tells what is planned; RateLimited
    where they write. `spends`: what a write is counted as."""
    person = caller.require_viewer(db, writes=writes)
    if not may_author(db, person, subject):
        raise NotFound("There is nothing of this name that you may author.", "See the list at /author.")
    if writes:
        _spend(caller, person, spends)
    return person


def require_any_author(db: Session, caller: Caller, *, writes: bool = False) -> User:
    """For what has no subject yet: the list of content, and something new. Raises Unauthenticated, NotFound."""
    person = caller.require_viewer(db, writes=writes)
    if not may(person, Wish.author_content):
        raise NotFound("There is no such page.", "Sign in as an instructor to author content.")
    if writes:
        _spend(caller, person, "revision")
    return person


def _spend(caller: Caller, person: User, what: str) -> None:
    """attack: revisions without end, which are never let go, from an instructor's stolen token. defence: all who may
    write are counted here, where each of them comes by."""
    state_of(caller.request).limits.spend(what, person=person.id, address=caller.address)


def list_author(db: Session, actor: User, subject: Subject, email: str) -> None:
    """From now on only listed authors may author this. Who lists the first is listed too, except admins.

    Raises NotFound, Invalid, Conflict.
    """
    person = user_by_email(db, email.strip().casefold())
    if person is None:
        raise NotFound(f"There is no account with the address {email[:200]}.", "Check the spelling.")
    if not may(person, Wish.author_content):
        raise Invalid(f"{person.email} is no instructor.", "An admin can make them one, at /users.")
    listed = author_ids(db, subject)
    if person.id in listed:
        raise Conflict(f"{person.email} is listed already.", None)
    if not listed and actor.role != Role.admin and actor.id != person.id:
        db.add(ContentAuthor(kind=subject.kind, slug=subject.slug, user_id=actor.id))
    db.add(ContentAuthor(kind=subject.kind, slug=subject.slug, user_id=person.id))
    note(db, actor, subject, "author listed", {"email": person.email})


def list_as(db: Session, subject: Subject, other: Subject) -> None:
    """Who may not author `other` may not author this either: every author of that one is listed here too."""
    for user_id in sorted(author_ids(db, other) - author_ids(db, subject)):
        db.add(ContentAuthor(kind=subject.kind, slug=subject.slug, user_id=user_id))
    db.flush()


def unlist_author(db: Session, actor: User, subject: Subject, email: str) -> None:
    """Once nobody is listed, all staff may author it again. Raises NotFound."""
    person = user_by_email(db, email.strip().casefold())
    row = db.get(ContentAuthor, (subject.kind, subject.slug, person.id)) if person is not None else None
    if row is None:
        raise NotFound(f"{email[:200]} is not listed.", "Reload the page.")
    db.delete(row)
    note(db, actor, subject, "author unlisted", {"email": email})


register(
    Belonging(
        260,
        "content_you_may_author",
        "Content you may author",
        "Exercises and courses where you are a listed author.",
        ContentAuthor,
        merge=take_over_new(ContentAuthor),
    )
)
