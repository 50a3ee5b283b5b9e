"""Registering with a platform that can do it by itself (LTI Dynamic Registration).

attack: anybody opens our address for registrations, and has us ask whatever server they name, or trust it. defence: an
admin or an instructor of a class has made an invitation, which is secret, good once, and for a day; what is asked
is asked with care (`app/web/outgoing.py`); and what we sign for it is signed with a key that no other platform knows.
"""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import ForeignKey, Index, LargeBinary, String, delete, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.lti.keys import jwks_path
from app.classes.lti.launches import DEEP_LINK, RESOURCE
from app.classes.lti.logins import LAUNCH_PATH
from app.classes.lti.platforms import Described, Platform, add_platform, origin_of
from app.classes.lti.services import MEMBERS_SCOPE, SCOPES
from app.classes.lti.wire import Refused, Wire
from app.db import Base, Moment, now
from app.people.users import User, hash_token, new_token
from app.web.errors import Conflict, Forbidden, Invalid, NotFound
from app.web.outgoing import Unreachable
from graders.text import headline

LASTS = timedelta(days=1)
MAX_WAITING = 20
TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"
PLATFORM = "https://purl.imsglobal.org/spec/lti-platform-configuration"


class LtiInvitation(Base):
    """`made_by_id` may register one platform. `used_at`: when it was begun to be used."""

    __tablename__ = "lti_invitation"
    __table_args__ = (
        Index("ix_lti_invitation_made_by_id", "made_by_id"),
        Index("ix_lti_invitation_expires_at", "expires_at"),
    )

    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    made_by_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    what_for: Mapped[str] = mapped_column(String(120), default="", server_default="")
    expires_at: Mapped[datetime] = mapped_column(Moment)
    used_at: Mapped[datetime | None] = mapped_column(Moment)


@dataclass(frozen=True)
class Configuration:
    """What a platform says of itself."""

    described: Described
    registration_url: str


def invite(db: Session, person: User, what_for: str) -> str:
    """The secret part of the address, which is stored nowhere. Who may is asked before. Raises Conflict."""
    db.execute(delete(LtiInvitation).where(LtiInvitation.expires_at <= now()))
    mine = select(LtiInvitation.token_hash).where(LtiInvitation.made_by_id == person.id)
    if len(db.scalars(mine.limit(MAX_WAITING)).all()) >= MAX_WAITING:
        raise Conflict(f"You have made {MAX_WAITING} invitations today.", "Use one of them, or wait until tomorrow.")
    token = new_token()
    row = LtiInvitation(token_hash=hash_token(token), made_by_id=person.id, what_for=what_for, expires_at=now() + LASTS)
    db.add(row)
    db.flush()
    return token


def require_invitation(db: Session, token: str) -> LtiInvitation:
    """Raises NotFound."""
    row = db.get(LtiInvitation, hash_token(token))
    if row is None or row.expires_at <= now() or row.used_at is not None:
        raise NotFound(
            "This invitation is unknown, used, or older than a day.",
            "Make a new one: on your class's page for connections, or at /lti/platforms.",
        )
    return row


def claim_invitation(db: Session, token: str) -> int:
    """From now on nobody else uses it. Returns who made it. Raises NotFound."""
    row = require_invitation(db, token)
    free = LtiInvitation.token_hash == row.token_hash, LtiInvitation.used_at.is_(None)
    claimed = db.execute(update(LtiInvitation).where(*free).values(used_at=now()).returning(LtiInvitation.made_by_id))
    made_by = claimed.scalar_one_or_none()
    if made_by is None:
        raise Conflict("This invitation is being used already.", "Wait for the other window.")
    return made_by


def give_back(db: Session, token: str) -> None:
    """What could not be registered may be tried again."""
    row = db.get(LtiInvitation, hash_token(token), populate_existing=True)
    if row is not None:
        row.used_at = None


def fetch_configuration(wire: Wire, url: str) -> Configuration:
    """Raises Invalid, for an address that is not asked, and for an answer that is no platform's."""
    wire.outgoing.require_url(url, "openid_configuration")
    try:
        found = wire.json("GET", url)
    except (Unreachable, Refused) as why:
        raise Invalid(f"The platform's configuration cannot be read: {why}", "Start again from the platform.") from None
    found = found if isinstance(found, dict) else {}

    def text(name: str) -> str:
        value = found.get(name)
        return value.strip() if isinstance(value, str) else ""

    issuer = text("issuer")
    if not issuer or urlsplit(issuer).hostname != urlsplit(url).hostname:
        # attack: a server that describes somebody else's platform, with keys of its own.
        raise Invalid("The configuration's issuer is another server than the one that it was read from.", None)
    about = found.get(PLATFORM)
    about = about if isinstance(about, dict) else {}
    family = about.get("product_family_code")
    name = f"{headline(family)} at {urlsplit(url).hostname}" if isinstance(family, str) and family.isalnum() else ""
    audience = text("authorization_server")
    described = Described(
        name=name[:120], issuer=issuer, client_id="-", auth_url=text("authorization_endpoint"),
        token_url=text("token_endpoint"), token_audience=audience, jwks_url=text("jwks_uri"),
    )  # fmt: skip
    described.require_sound(wire.outgoing)
    endpoint = wire.outgoing.require_url(text("registration_endpoint"), "registration_endpoint")
    return Configuration(described, endpoint)


def register_there(wire: Wire, found: Configuration, registration_token: str, origin: str, key_name: str) -> Described:
    """We are a tool of the platform from now on. `key_name`: of the keys that it verifies us by. Raises Invalid."""
    if not all(letter.isprintable() and letter.isascii() for letter in registration_token[:8192]):
        raise Invalid("registration_token: this is no token.", "Start again from the platform.")
    body = json.dumps(tool_configuration(origin, key_name)).encode()
    try:
        made = wire.json(
            "POST", found.registration_url, body=body, kind="application/json", token=registration_token[:8192]
        )
    except (Unreachable, Refused) as why:
        raise Invalid(f"The platform did not register Lectern: {why}", "Start again from the platform.") from None
    made = made if isinstance(made, dict) else {}
    client_id = made.get("client_id")
    if not isinstance(client_id, str) or not client_id:
        raise Invalid("The platform registered Lectern without a client id.", "Register it by hand instead.")
    tool = made.get(TOOL)
    deployment = tool.get("deployment_id") if isinstance(tool, dict) else None
    values = {**vars(found.described), "client_id": client_id}
    return Described(**{**values, "deployments": (str(deployment),) if deployment else ()})


def register_here(db: Session, made_by: int, described: Described, wire: Wire, key_name: str) -> Platform:
    """Raises Invalid, Conflict; Forbidden where anyone who made the invitation cannot sign in any more."""
    by = db.get(User, made_by)
    if by is None or by.disabled_at is not None:
        raise Forbidden("Anyone who made this invitation has no account any more.", "Ask for a new invitation.")
    return add_platform(db, by, described, wire.outgoing, key_name)


def tool_configuration(origin: str, key_name: str = "") -> dict[str, Any]:
    """What a platform needs to know of us."""
    launch = origin + LAUNCH_PATH
    return {
        "application_type": "web",
        "client_name": "Lectern",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": f"{origin}/lti/login",
        "redirect_uris": [launch],
        "jwks_uri": origin + jwks_path(key_name),
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": " ".join([*SCOPES, MEMBERS_SCOPE]),
        TOOL: {
            "domain": urlsplit(origin).netloc,
            "description": "Lessons, quizzes and exercises in tensor code, graded at once.",
            "target_link_uri": launch,
            "claims": ["iss", "sub", "name", "given_name", "family_name", "email"],
            "messages": [
                {"type": RESOURCE, "target_link_uri": launch, "label": "Lectern"},
                {"type": DEEP_LINK, "target_link_uri": launch, "label": "Lectern assignments"},
            ],
        },
    }


def page_origin(url: str) -> str:
    """Whose frame a registration's page may lie in."""
    return origin_of(url) or ""
