"""Verifications: whether an account's e-mail address is known to be its holder's; a link in a letter shows that it is.

It is known where an operator made the account, where its holder has opened a link that was sent to the address, and
where a provider of sign-in says so (oidc.py). A person who has not confirmed theirs learns as everybody does.

attack: sign up under somebody else's address, and let them confirm it: they open the link in good faith, and the
account whose password the attacker chose has their name. defence: who confirms must be signed in to the account.
"""

from datetime import datetime, timedelta

from sqlalchemy import ForeignKey, Index, LargeBinary, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.people import audit
from app.people.arrivals import arrived
from app.people.audit import note
from app.people.belongings import Belonging, register
from app.people.identity import Caller
from app.people.outbox import Kind, OutgoingLetter, post, register_kind
from app.people.users import User, hash_token, new_token
from app.web.errors import Forbidden, NotFound

LIFE = timedelta(days=14)
PATH = "/verifications"
SUBJECT = "Confirm your e-mail address for Lectern"
TEXT = """\
Somebody, probably you, made a Lectern account with the address {email}.

To confirm that the address is yours, open this link within two weeks. You need to be signed in to the account.

If it was not you, do nothing: without your confirmation the address counts as unconfirmed.
"""
DEAD = NotFound("This link is not valid, or has expired.", "A link works once, for two weeks. Ask for another at /me.")


class Verification(Base):
    """A link that nobody has used yet."""

    __tablename__ = "verification"
    __table_args__ = (Index("ix_verification_user_id", "user_id"),)

    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    expires_at: Mapped[datetime] = mapped_column(Moment)


def ask_to_verify(db: Session, user: User) -> None:
    """A letter with a link, which is made when the letter is sent."""
    if user.email is not None and user.verified_at is None:
        dedupe = f"verification/{user.id}/{now().isoformat()}"
        post(db, "verification", user.email, SUBJECT, TEXT.format(email=user.email), dedupe=dedupe, user_id=user.id)


def verified(db: Session, user: User) -> None:
    """The address is known to be theirs from now on, and what waits for that is theirs too."""
    db.execute(delete(Verification).where(Verification.user_id == user.id))
    if user.verified_at is not None:
        return
    user.verified_at = now()
    db.flush()
    note(db, user, audit.person(user.id), "address confirmed")
    arrived(db, user, is_confirmed=True)


def user_to_verify(db: Session, token: str) -> User:
    """Whose address this link confirms. Raises NotFound."""
    asked = select(User).join(Verification, Verification.user_id == User.id)
    asked = asked.where(Verification.token_hash == hash_token(token), Verification.expires_at > now())
    user = db.scalar(asked.where(User.disabled_at.is_(None)))
    if user is None:
        raise DEAD
    return user


def confirm(db: Session, caller: Caller, token: str) -> User:
    """Raises NotFound, Unauthenticated, and Forbidden for somebody else than the account's holder."""
    user = user_to_verify(db, token)
    person = caller.require_viewer(db, writes=True)
    if person.id != user.id:
        raise Forbidden("This link is for another account.", f"Sign in as {user.email}, then open it again.")
    verified(db, person)
    return person


def forget_expired_verifications(db: Session, before: datetime) -> int:
    """Links that were too old by then. Returns how many."""
    return db.execute(delete(Verification).where(Verification.expires_at <= before)).rowcount  # type: ignore[attr-defined, no-any-return]


def _make_link(db: Session, letter: OutgoingLetter) -> str | None:
    user = db.get(User, letter.user_id)
    if user is None or user.verified_at is not None:
        return None
    token = new_token()
    db.add(Verification(token_hash=hash_token(token), user_id=user.id, expires_at=now() + LIFE))
    return f"{PATH}/{token}"


register_kind(Kind("verification", make_link=_make_link))
register(
    Belonging(
        372,
        "verifications",
        "Links to confirm your address",
        "When we sent you a link to confirm your e-mail address, and until when it works. We delete it once it is used "
        "or too old.",
        Verification,
        frozenset({"token_hash"}),
    )
)
