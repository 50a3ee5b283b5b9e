"""Who a platform's person is here: one account a person of each platform.

attack: a platform says that somebody has an address, or a name, which is somebody else's here. defence: it is believed
about no account that it did not make itself. An account that exists is joined to a platform's person by its owner, who
is signed in and enters its password; or by the address where an admin has said that this platform's word for addresses
counts, and then never to an account on the staff of this site.

attack: send a launch of one's own through somebody else's browser, who presses "use this account", and come in to it
from then on. defence: the page says whose account there it is, and asks for the password; a letter tells the owner;
`/me/systems` lists and ends it, and a new password ends it too.

attack: make an account under the address of somebody who has none yet, wait until they ask for a new password, and be
inside when they are. defence: where a platform's word for addresses does not count, the account has an address that is
nobody's (`.invalid` never is).
"""

import secrets
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, String, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.classes import LETTERS
from app.classes.lti.launches import Launch, LaunchClaims
from app.classes.lti.platforms import MAX_ID, Platform
from app.db import Base, Moment, now
from app.people import audit, users
from app.people.arrivals import arrived
from app.people.audit import note
from app.people.belongings import Belonging, register, take_over
from app.people.guests import keep_work
from app.people.identity import Caller, renew
from app.people.oidc import has_identity
from app.people.outbox import Kind, post, register_kind
from app.people.users import Role, User
from app.people.ways_in import on_close
from app.reading.catalog import Catalog
from app.web.errors import Conflict, Forbidden, NotFound

NOBODYS = "lms.invalid"
STAFF = (Role.instructor, Role.admin)
CONNECTED = """\
{theirs} can now open your account {email} from there, without a password. You allowed this with your password a moment
ago.

If that was not you, disconnect it here and change your password:
"""


class LtiAccount(Base):
    """A platform's person, and whose account is theirs here."""

    __tablename__ = "lti_account"
    __table_args__ = (Index("ix_lti_account_user_id", "user_id"),)

    platform_id: Mapped[int] = mapped_column(ForeignKey("lti_platform.id", ondelete="CASCADE"), primary_key=True)
    subject: Mapped[str] = mapped_column(String(MAX_ID), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    linked_at: Mapped[datetime] = mapped_column(Moment, default=now)


class Choice(StrEnum):
    """What somebody who comes for the first time does: use the account they are signed in with, or have a new one."""

    none = ""
    this = "this"
    new = "new"


@dataclass(frozen=True)
class MustChoose:
    """They come for the first time, and have not said how. `email`: of the account they are signed in with, if any;
    `has_password`: whether it has one, which joining it asks for."""

    email: str | None
    has_password: bool = False


def enter(
    db: Session,
    caller: Caller,
    catalog: Catalog,
    launch: Launch,
    platform: Platform,
    choice: Choice,
    proven: User | None = None,
) -> User | MustChoose:
    """Signs in anyone who comes with a launch, in a window of ours. `proven`: the caller, where they have just entered
    their password. Raises Forbidden, Conflict."""
    claims, before = launch.launch, caller.viewer(db, writes=True)
    known = db.get(LtiAccount, (platform.id, claims.subject))
    if known is None:
        found = _newcomer(db, platform, claims, before, choice, proven)
        if isinstance(found, MustChoose):
            return found
        person = found
        db.add(LtiAccount(platform_id=platform.id, subject=claims.subject, user_id=person.id))
        db.flush()
        note(db, person, audit.person(person.id), "account linked", {"platform": platform.id})
        if choice == Choice.this and person.email is not None:
            theirs = f"{claims.name or claims.email or 'Somebody'} at {platform.name}"
            post(
                db, "account", person.email, f"{theirs} was connected to your account",
                CONNECTED.format(email=person.email, theirs=theirs),
                dedupe=f"account/{platform.id}/{person.id}/{now():%Y-%m-%dT%H:%M:%S.%f}", user_id=person.id,
                path="/me/systems",
            )  # fmt: skip
    else:
        person = db.get_one(User, known.user_id, populate_existing=True)
    _require_may_sign_in(person, before)
    launch.holder_id = person.id
    if before is None or before.id != person.id:
        renew(db, caller.request, person)
        if before is not None and before.is_guest:
            keep_work(db, catalog, before, person)
    db.flush()
    return person


def _require_may_sign_in(person: User, before: User | None) -> None:
    """attack: a platform's operator signs in as the admin who joined their account to it. defence: an admin signs in
    here, with a password; a launch takes them no further than where they are."""
    if person.disabled_at is not None:
        raise Forbidden("This account is disabled.", "Ask the person who runs this server.")
    if person.role == Role.admin and (before is None or before.id != person.id):
        raise Forbidden(
            "This is the account of an admin, who signs in with a password.",
            "Sign in first, then open this again from your course.",
        )


def _newcomer(
    db: Session, platform: Platform, claims: LaunchClaims, before: User | None, choice: Choice, proven: User | None
) -> User | MustChoose:
    if choice == Choice.this:
        if before is None or before.is_guest:
            raise Conflict("You are not signed in any more.", "Sign in first, then open this again from your course.")
        if proven is None or proven.id != before.id or proven.password_hash != before.password_hash:
            raise Forbidden("Your password has just changed.", "Enter the new one.")
        return before
    signed_in = before if before is not None and not before.is_guest else None
    if platform.trusts_email and claims.email:
        theirs = users.user_by_email(db, claims.email)
        is_theirs = theirs is None or theirs.role not in STAFF
        if is_theirs and (signed_in is None or theirs is signed_in or choice == Choice.new):
            return theirs or _added(db, claims.email, platform, is_confirmed=True)
    if choice == Choice.none:
        if signed_in is None:
            return MustChoose(None)
        return MustChoose(signed_in.email, signed_in.password_hash is not None)
    return _added(db, _nobodys_address(), platform, is_confirmed=False)


def _added(db: Session, email: str, platform: Platform, *, is_confirmed: bool) -> User:
    person = users.add_user(db, email, Role.student, None)
    note(db, person, audit.person(person.id), "account added", {"role": "student", "platform": platform.id})
    arrived(db, person, is_confirmed=is_confirmed)
    return person


def _nobodys_address() -> str:
    """No mail is ever sent to it, nobody can sign up with it, and it tells nothing of whose it is."""
    return f"{''.join(secrets.choice(LETTERS) for _ in range(16))}@{NOBODYS}"


def systems_of(db: Session, user_id: int) -> list[tuple[LtiAccount, Platform]]:
    """Accounts elsewhere that sign in to this one, the newest first."""
    mine = select(LtiAccount, Platform).join(Platform, Platform.id == LtiAccount.platform_id)
    rows = db.execute(mine.where(LtiAccount.user_id == user_id).order_by(LtiAccount.linked_at.desc()))
    return [(account, platform) for account, platform in rows]


def disconnect_account(db: Session, person: User, platform_id: int, subject: str) -> None:
    """From now on this account elsewhere no longer signs in to the person's own. Raises NotFound, and Conflict where no
    way in would be left."""
    row = db.get(LtiAccount, (platform_id, subject))
    if row is None or row.user_id != person.id:
        raise NotFound("There is no such connection.", "Reload the page.")
    others = len(systems_of(db, person.id)) - 1
    if person.password_hash is None and not others and not has_identity(db, person.id):
        raise Conflict(
            "This is your only way in: your account has no password.",
            "Choose a password first, at /me/password; or delete the account, at /me/deletion.",
        )
    db.delete(row)
    note(db, person, audit.person(person.id), "account unlinked", {"platform": platform_id})
    db.flush()


def _close(db: Session, user_id: int) -> None:
    db.execute(delete(LtiAccount).where(LtiAccount.user_id == user_id))


def accounts_of(db: Session, platform_id: int, user_ids: list[int]) -> dict[int, str]:
    """What a platform calls these people: by their number here. Of several accounts there, the first."""
    found: dict[int, str] = {}
    mine = select(LtiAccount).where(LtiAccount.platform_id == platform_id, LtiAccount.user_id.in_(user_ids))
    for row in db.scalars(mine.order_by(LtiAccount.linked_at.desc(), LtiAccount.subject.desc())):
        found[row.user_id] = row.subject
    return found


on_close(_close)
register_kind(Kind("account"))
register(
    Belonging(
        380,
        "lms_accounts",
        "Learning management systems",
        "Which account of yours in another system is joined to this one, so that you can come in from there.",
        LtiAccount,
        merge=take_over(LtiAccount),
    )
)
