"""A platform's browser that comes to sign in: what it is sent back with, and what is kept of that here.

attack: a token that was made for another sign-in, or is sent twice. defence: each sign-in has a state and a nonce of
its own. Both are kept on the server, since browsers give a page in a frame no cookie; both are good once, and for ten
minutes.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlencode, urlsplit

from sqlalchemy import ForeignKey, Index, LargeBinary, String, delete
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.lti.platforms import Platform, find_platform
from app.db import Base, Moment, now
from app.people.users import hash_token, new_token
from app.web.errors import Invalid
from app.web.rendering import own_path

MAX_HINT, MAX_TARGET = 4096, 500
LASTS = timedelta(minutes=10)
LAUNCH_PATH = "/lti/launch"


class LtiLogin(Base):
    """A sign-in that has begun."""

    __tablename__ = "lti_login"
    __table_args__ = (Index("ix_lti_login_expires_at", "expires_at"), Index("ix_lti_login_platform_id", "platform_id"))

    state_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    nonce_hash: Mapped[bytes] = mapped_column(LargeBinary(32))
    platform_id: Mapped[int] = mapped_column(ForeignKey("lti_platform.id", ondelete="CASCADE"))
    target: Mapped[str] = mapped_column(String(MAX_TARGET))
    expires_at: Mapped[datetime] = mapped_column(Moment)


@dataclass(frozen=True)
class Asked:
    """What a platform's browser brings."""

    iss: str = ""
    login_hint: str = ""
    target_link_uri: str = ""
    lti_message_hint: str = ""
    client_id: str = ""


@dataclass(frozen=True)
class Begun:
    platform_id: int
    nonce_hash: bytes
    target: str


def begin_login(db: Session, asked: Asked, platform: Platform, origin: str) -> str:
    """Where the browser goes on to. Raises Invalid."""
    if not 0 < len(asked.login_hint) <= MAX_HINT or len(asked.lti_message_hint) > MAX_HINT:
        raise Invalid("login_hint: the platform did not say who signs in.", "Open this again from your course there.")
    target = own_target(asked.target_link_uri, origin)
    state, nonce = new_token(), new_token()
    row = LtiLogin(
        state_hash=hash_token(state), nonce_hash=hash_token(nonce), platform_id=platform.id, target=target,
        expires_at=now() + LASTS,
    )  # fmt: skip
    db.add(row)
    fields = {
        "scope": "openid",
        "response_type": "id_token",
        "response_mode": "form_post",
        "prompt": "none",
        "client_id": platform.client_id,
        "redirect_uri": origin + LAUNCH_PATH,
        "login_hint": asked.login_hint,
        "state": state,
        "nonce": nonce,
    }
    if asked.lti_message_hint:
        fields["lti_message_hint"] = asked.lti_message_hint
    return f"{platform.auth_url}{'&' if urlsplit(platform.auth_url).query else '?'}{urlencode(fields)}"


def platform_of(db: Session, asked: Asked) -> Platform:
    """Raises NotFound."""
    return find_platform(db, asked.iss, asked.client_id)


def own_target(url: str, origin: str) -> str:
    """The path on our site that a platform links to. Raises Invalid.

    attack: a target elsewhere, to which we would send somebody who has just signed in. defence: our origin alone.
    """
    path = url.removeprefix(origin)
    if not url.startswith(origin + "/") or len(path) > MAX_TARGET or own_path(path) != path:
        raise Invalid("target_link_uri: this address is not on this Lectern.", f"It must begin with {origin}/.")
    return path


def finish_login(db: Session, state: str) -> Begun | None:
    """Takes it away: anyone who comes second finds none. The rows of what never went on go with it."""
    gone = delete(LtiLogin).where(LtiLogin.state_hash == hash_token(state), LtiLogin.expires_at > now())
    found = db.execute(gone.returning(LtiLogin.platform_id, LtiLogin.nonce_hash, LtiLogin.target)).one_or_none()
    db.execute(delete(LtiLogin).where(LtiLogin.expires_at <= now()))
    return Begun(*found) if found is not None else None
