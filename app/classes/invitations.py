"""Invitations: letters to people who were put on a class's roster, and the link that gives a kept place to its reader.

attack: guess a link, or read one from the database, and take a place on the staff. defence: a link has 256 random bits,
is made when its letter is sent, and is stored as its hash; it ends once the place is taken, or after 30 days.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ForeignKeyConstraint, Index, LargeBinary, String, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.classes import Class, Enrolment, Member, member_of
from app.classes.rights import ClassRole
from app.classes.roster import ExpectedPerson, on_added
from app.db import Base, Moment, now
from app.people.audit import note
from app.people.identity import Caller
from app.people.outbox import Kind, OutgoingLetter, post_all, register_kind
from app.people.users import User, hash_token, new_token
from app.people.verifications import verified
from app.web.errors import Conflict, NotFound

LIFE = timedelta(days=30)
PATH = "/invitations"
EXPECTED = """\
You are invited to the class “{title}” as {role}.

To join it, open this link within 30 days. You can create an account there, or use one that you have.
"""
ENROLLED = """\
You are now in the class “{title}” as {role}. Its assignments and their dates are here:
"""
A = {ClassRole.student: "a student", ClassRole.assistant: "an assistant", ClassRole.instructor: "an instructor"}
DEAD = NotFound(
    "This invitation is not valid any more.", "It works once, for 30 days. Ask your instructor for another."
)


class Invitation(Base):
    """A link to a place that is kept. It goes with the place, once that is taken or given up."""

    __tablename__ = "invitation"
    __table_args__ = (
        ForeignKeyConstraint(
            ["class_id", "email"],
            ["expected_person.class_id", "expected_person.email"],
            name="fk_invitation_class_id",
            ondelete="CASCADE",
        ),
        Index("ix_invitation_class_id_email", "class_id", "email"),
    )

    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    class_id: Mapped[int]
    email: Mapped[str] = mapped_column(String(254))
    expires_at: Mapped[datetime] = mapped_column(Moment)


def invite(db: Session, member: Member, rows: Sequence[Enrolment | ExpectedPerson]) -> None:
    """A letter to each: one that opens the kept place, or one that tells them they are in the class. Nobody gets two of
    a class, however often they are taken off its roster and put on again."""
    class_ = member.class_
    ids = [row.user_id for row in rows if isinstance(row, Enrolment) and row.user_id != member.user.id]
    found = db.execute(select(User.id, User.email).where(User.id.in_(ids)))
    emails = {one.id: one.email for one in found}
    letters: list[dict[str, Any]] = []
    for row in rows:
        common: dict[str, Any] = {"kind": "invitation", "about": str(class_.id)}
        if isinstance(row, ExpectedPerson):
            body, subject = EXPECTED, f"You are invited to {class_.title}"
            common |= {"to": row.email, "user_id": None, "path": None}
        elif (email := emails.get(row.user_id)) is not None:
            body, subject = ENROLLED, f"You are in the class {class_.title}"
            common |= {"to": email, "user_id": row.user_id, "path": f"/classes/{class_.id}"}
        else:
            continue
        common |= {"subject": subject, "text": body.format(title=class_.title, role=A[ClassRole(row.role)])}
        letters.append({**common, "dedupe": f"invitation/{class_.id}/{common['to']}"})
    post_all(db, letters)


def invite_again(db: Session, member: Member, email: str) -> None:
    """Another letter to somebody who is expected, at most one a day. Raises NotFound, Conflict."""
    row = db.get(ExpectedPerson, (member.class_.id, email))
    if row is None:
        raise NotFound("Nobody is expected under this address.", "Reload the page.")
    title = member.class_.title
    body = EXPECTED.format(title=title, role=A[ClassRole(row.role)])
    letter = {
        "kind": "invitation", "to": email, "subject": f"You are invited to {title}", "text": body, "path": None,
        "user_id": None, "about": str(member.class_.id),
        "dedupe": f"invitation/{member.class_.id}/{email}/{now().date().isoformat()}",
    }  # fmt: skip
    if not post_all(db, [letter]):
        raise Conflict("They were invited again today.", "Wait until tomorrow, or tell them the class's code.")


def place_by(db: Session, token: str) -> tuple[ExpectedPerson, Class]:
    """The place that a link opens, and in which class. Raises NotFound."""
    hers = select(Invitation).where(Invitation.token_hash == hash_token(token), Invitation.expires_at > now())
    invitation = db.scalar(hers)
    place = db.get(ExpectedPerson, (invitation.class_id, invitation.email)) if invitation is not None else None
    if place is None:
        raise DEAD
    class_ = db.get_one(Class, place.class_id)
    if class_.archived_at is not None:
        raise DEAD
    return place, class_


def accept(db: Session, caller: Caller, token: str) -> Member:
    """The place is the caller's, whichever address their account has: the link was sent to who may have it. Raises
    Unauthenticated, NotFound, and Conflict for a guest."""
    person = caller.require_viewer(db, writes=True)
    if person.is_guest:
        raise Conflict("You need an account to take this place.", "Create one, or sign in.")
    place, class_ = place_by(db, token)
    email, role = place.email, place.role
    enrolment = db.get(Enrolment, (class_.id, person.id))
    if enrolment is None:
        fields = {"role": role, "name": place.name, "section": place.section}
        db.add(Enrolment(class_id=class_.id, user_id=person.id, **fields))
    elif role != ClassRole.student and enrolment.role == ClassRole.student:
        enrolment.role = role
    db.delete(place)
    db.flush()
    note(db, person, class_.as_thing, "class joined", {"person": person.id, "as": role})
    if person.email == email:
        verified(db, person)
    return member_of(db, person, class_.id)


def forget_expired_invitations(db: Session, before: datetime) -> int:
    """Links that were too old by then. Returns how many."""
    return db.execute(delete(Invitation).where(Invitation.expires_at <= before)).rowcount  # type: ignore[attr-defined, no-any-return]


def _make_link(db: Session, letter: OutgoingLetter) -> str | None:
    place = db.get(ExpectedPerson, (int(letter.about), letter.to))
    if place is None or db.get_one(Class, place.class_id).archived_at is not None:
        return None
    place.invited_at = now()
    forget_expired_invitations(db, now())
    token = new_token()
    invitation = Invitation(class_id=place.class_id, email=place.email, expires_at=now() + LIFE)
    invitation.token_hash = hash_token(token)
    db.add(invitation)
    return f"{PATH}/{token}"


register_kind(Kind("invitation", make_link=_make_link))
on_added.append(invite)
