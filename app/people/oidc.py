"""Signing in by a provider (OpenID Connect): begun in a browser, ended in the same, and tied to one account for good.

attack: the end of an attacker's sign-in, sent to a victim's browser, which then works in the attacker's account; or the
same end twice. defence: what was begun is a row, named by `state`, that works once, for ten minutes, and in the browser
that began it, which has a cookie. PKCE ties the code to it, and the nonce the token.
attack: an account at the provider with somebody's address, to get into theirs here. defence: an account is found by its
address only where the provider has confirmed that, and not where another identity of this provider has it already.
attack: sign up here under somebody's address before they come, and keep a way in. defence: an account whose address
nobody has confirmed loses its password and its sessions when it is tied.
"""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ForeignKey, Index, LargeBinary, String, UniqueConstraint, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.people import audit, users
from app.people.accounts import readable_email
from app.people.audit import note
from app.people.belongings import Belonging, register
from app.people.guests import keep_work
from app.people.identity import Caller, renew, require_open
from app.people.provider import Claims, Provider
from app.people.resets import close_resets
from app.people.users import Role, User, hash_token, new_token
from app.people.verifications import verified
from app.people.ways_in import close_ways_in
from app.state import AppState
from app.web.errors import Conflict, Forbidden, Unauthenticated

LIFE = timedelta(minutes=10)
MAX_BACK = 500
DEAD = Forbidden("This sign-in has ended, or was begun in another browser.", "Start it again.")


class OidcSignIn(Base):
    """A sign-in that was begun. `browser_hash`: of what its cookie holds. `verifier`: for PKCE, of no use without the
    code. `back`: the page to return to."""

    __tablename__ = "oidc_sign_in"
    __table_args__ = (Index("ix_oidc_sign_in_expires_at", "expires_at"),)

    state_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    browser_hash: Mapped[bytes] = mapped_column(LargeBinary(32))
    nonce: Mapped[str] = mapped_column(String(64))
    verifier: Mapped[str] = mapped_column(String(128))
    back: Mapped[str] = mapped_column(String(MAX_BACK))
    expires_at: Mapped[datetime] = mapped_column(Moment)


class OidcIdentity(Base):
    """Who this account is at a provider. `subject` is the provider's name for them, which never changes."""

    __tablename__ = "oidc_identity"
    __table_args__ = (UniqueConstraint("user_id", "issuer"),)

    issuer: Mapped[str] = mapped_column(String(255), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    linked_at: Mapped[datetime] = mapped_column(Moment, default=now)


@dataclass(frozen=True)
class Begun:
    """`address`: where the browser goes. `browser`: what it keeps meanwhile."""

    address: str
    browser: str


@dataclass(frozen=True)
class Ended:
    """`is_linked`: an account that was there before can be signed in to this way from now on."""

    back: str
    is_linked: bool


def begin(state: AppState, provider: Provider, back: str) -> Begun:
    """Raises ProviderAway."""
    name, browser, nonce, verifier = new_token(), new_token(), secrets.token_urlsafe(32), secrets.token_urlsafe(64)
    challenge = urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    address = provider.address(name, nonce, challenge)
    row = OidcSignIn(
        state_hash=hash_token(name), browser_hash=hash_token(browser), nonce=nonce, verifier=verifier,
        back=back if len(back) <= MAX_BACK else "/", expires_at=now() + LIFE,
    )  # fmt: skip
    with state.db.writing() as db:
        db.execute(delete(OidcSignIn).where(OidcSignIn.expires_at <= now()))
        db.add(row)
    return Begun(address, browser)


def end(state: AppState, caller: Caller, provider: Provider, name: str, browser: str, code: str) -> Ended:
    """The caller is signed in; a guest's work becomes theirs. `name`: the `state` that came back. Raises ProviderAway,
    Forbidden, Conflict."""
    begun = _take(state, name, browser)
    if not code:
        raise Forbidden("The sign-in was not finished.", "Start it again, or sign in with your password.")
    claims = provider.claims_for(code, begun.verifier, begun.nonce)
    with state.db.writing() as db:
        try:
            before = caller.viewer(db, writes=True)
        except Unauthenticated:
            before = None  # an old session is no reason not to sign in
        guest = before if before is not None and before.is_guest else None
        person, is_linked = _person_of(db, state, claims, guest)
        if person.disabled_at is not None:
            raise Forbidden("This account is disabled.", "Ask the person who runs this server.")
        renew(db, caller.request, person)
        if guest is not None and guest.id != person.id:
            keep_work(db, state.catalog, guest, person)
    return Ended(begun.back, is_linked)


def _take(state: AppState, name: str, browser: str) -> OidcSignIn:
    """The sign-in that ends now: of two who bring the same, one has it. Raises Forbidden."""
    with state.db.writing() as db:
        row = db.scalar(select(OidcSignIn).where(OidcSignIn.state_hash == hash_token(name)).with_for_update())
        if row is None or row.expires_at <= now():
            raise DEAD
        if not hmac.compare_digest(row.browser_hash, hash_token(browser)):
            raise DEAD  # and it can still end where it began
        db.delete(row)
    return row


def _person_of(db: Session, state: AppState, claims: Claims, guest: User | None) -> tuple[User, bool]:
    """(whose identity this is, whether their account was tied to it just now)."""
    known = db.get(OidcIdentity, (claims.issuer, claims.subject))
    if known is not None:
        return db.get_one(User, known.user_id), False
    email = readable_email(claims.email) if claims.email is not None else None
    if email is None:
        raise Forbidden(
            "Your provider has not confirmed your e-mail address.", "Confirm it there, or sign in with your password."
        )
    person = users.user_by_email(db, email)
    is_linked = person is not None
    if person is not None:
        _require_untied(db, claims, person)
        if person.verified_at is None:
            person.password_hash = None
            close_resets(db, person.id)
            close_ways_in(db, person.id)
            users.close_logins(db, person.id)
    else:
        require_open(state.settings)
        person = guest if guest is not None else users.add_user(db, email, Role.student, None)
        person.email, person.role = email, Role.student
        note(db, person, audit.person(person.id), "account added", {"role": Role.student.value})
        db.flush()
    db.add(OidcIdentity(issuer=claims.issuer, subject=claims.subject, user_id=person.id))
    note(db, person, audit.person(person.id), "account linked", {"issuer": claims.issuer})
    verified(db, person)
    db.flush()
    return person, is_linked


def has_identity(db: Session, user_id: int) -> bool:
    """Whether this account can be signed in to by a provider."""
    return db.scalar(select(OidcIdentity.subject).where(OidcIdentity.user_id == user_id).limit(1)) is not None


def _require_untied(db: Session, claims: Claims, person: User) -> None:
    """attack: an address that the provider has given to somebody else by now. defence: it is not the same person."""
    theirs = OidcIdentity.user_id == person.id, OidcIdentity.issuer == claims.issuer
    if db.scalar(select(OidcIdentity.subject).where(*theirs)) is not None:
        raise Conflict(
            "This account belongs to another identity at your provider.", "Ask the person who runs this server."
        )


register(
    Belonging(
        374,
        "identities",
        "Identities at providers of sign-in",
        "By which name your organisation’s sign-in knows you, so that it leads to this account.",
        OidcIdentity,
    )
)
