"""A launch: what a platform says, in a token that it signed, of who comes from where, and what they come for.

What holds of it is kept for an hour, under a key that is good for as long: the page that answers a launch may lie in a
frame, where there is no cookie to know it by. `holder_id` is who has gone on with it; from then on it is theirs alone.
"""

import hmac
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.lti.logins import LAUNCH_PATH, Begun, own_target
from app.classes.lti.platforms import MAX_ID, Platform, origin_of
from app.classes.lti.wire import Unverified
from app.classes.rights import ClassRole
from app.db import Base, Moment, now
from app.people.accounts import readable_email
from app.people.users import hash_token, new_token
from app.web.errors import Forbidden, Invalid, NotFound
from graders.text import storable

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/"
GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
NAMES = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
RESOURCE, DEEP_LINK = "LtiResourceLinkRequest", "LtiDeepLinkingRequest"
MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"
LASTS = timedelta(hours=1)
SKEW_SECONDS, OLDEST_SECONDS = 60, 3600
MAX_TITLE, MAX_PERSON, MAX_DATA = 200, 200, 20_000
MAX_TOKEN = 64 << 10
AGAIN = "Go back to your course, and open this again from there."


@dataclass(frozen=True)
class LaunchClaims:
    """What a launch says. `role`: in the context, in our words; None for who has none there. `line_item`: the column
    of the platform's gradebook that belongs to the link. `return_url`, `data`, `takes_line_items` and `takes_many`: of
    a deep link."""

    message: str
    subject: str
    deployment: str
    target: str
    role: str | None
    name: str
    email: str
    context: str
    context_title: str
    line_item: str
    line_items: str
    grade_scopes: list[str]
    memberships: str
    page: str
    return_url: str
    data: str
    takes_line_items: bool
    takes_many: bool

    @property
    def is_deep_link(self) -> bool:
        return self.message == DEEP_LINK

    @property
    def is_teaching(self) -> bool:
        return self.role == ClassRole.instructor


class Launch(Base):
    __tablename__ = "lti_launch"
    __table_args__ = (
        Index("ix_lti_launch_expires_at", "expires_at"),
        Index("ix_lti_launch_platform_id", "platform_id"),
        Index("ix_lti_launch_holder_id", "holder_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    platform_id: Mapped[int] = mapped_column(ForeignKey("lti_platform.id", ondelete="CASCADE"))
    claims: Mapped[dict[str, Any]] = mapped_column("said", JSON)
    holder_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    expires_at: Mapped[datetime] = mapped_column(Moment)

    @property
    def launch(self) -> LaunchClaims:
        return LaunchClaims(**self.claims)


def read_launch(claims: dict[str, Any], platform: Platform, begun: Begun, origin: str) -> LaunchClaims:
    """`claims`: of a token whose signature is the platform's. Raises Unverified, Invalid."""
    _require_for_us(claims, platform, begun)
    message = claims.get(CLAIM + "message_type")
    if message not in (RESOURCE, DEEP_LINK):
        raise Unverified(f"it is a message of the type {str(message)[:60]!r}")
    if claims.get(CLAIM + "version") != "1.3.0":
        raise Unverified("it is not of LTI 1.3.0")
    deployment = _text(claims.get(CLAIM + "deployment_id"), MAX_ID)
    if not deployment:
        raise Unverified("it names no deployment")
    link = _part(claims, DEEP_LINKING + "deep_linking_settings")
    if message == DEEP_LINK:
        target = LAUNCH_PATH
        if not _url(link.get("deep_link_return_url")):
            raise Unverified("it does not say where to return to")
    else:
        target = own_target(_text(claims.get(CLAIM + "target_link_uri"), 1000), origin)
        if target != begun.target:
            raise Unverified("it leads elsewhere than its sign-in did")
    context, grades = _part(claims, CLAIM + "context"), _part(claims, GRADES)
    scopes = grades.get("scope")
    presented = _part(claims, CLAIM + "launch_presentation")
    name = _text(claims.get("name"), MAX_PERSON) or " ".join(
        filter(None, (_text(claims.get(part), 99) for part in ("given_name", "family_name")))
    )
    return LaunchClaims(
        message=message,
        subject=_text(claims.get("sub"), MAX_ID),
        deployment=deployment,
        target=target,
        role=class_role(claims.get(CLAIM + "roles")),
        name=name,
        email=readable_email(_text(claims.get("email"), 254)) or "",
        context=_text(context.get("id"), MAX_ID),
        context_title=(_text(context.get("title"), MAX_TITLE) or _text(context.get("label"), MAX_TITLE)),
        line_item=_url(grades.get("lineitem")),
        line_items=_url(grades.get("lineitems")),
        grade_scopes=[_text(one, 200) for one in scopes[:10]] if isinstance(scopes, list) else [],
        memberships=_url(_part(claims, NAMES).get("context_memberships_url")),
        page=origin_of(_url(presented.get("return_url"))) or "",
        return_url=_url(link.get("deep_link_return_url")),
        data=_text(link.get("data"), MAX_DATA, exact=True),
        takes_line_items=link.get("accept_lineitem") is not False,
        takes_many=link.get("accept_multiple") is not False,
    )


def _require_for_us(claims: dict[str, Any], platform: Platform, begun: Begun) -> None:
    """That the token is this platform's, for us, for this sign-in, and for now. Raises Unverified."""
    if claims.get("iss") != platform.issuer:
        raise Unverified("it is another platform's")
    audience = claims.get("aud")
    listed = audience if isinstance(audience, list) else [audience]
    party = claims.get("azp")
    if platform.client_id not in listed or (len(listed) > 1 and party is None):
        raise Unverified("it is meant for another tool")
    if party is not None and party != platform.client_id:
        raise Unverified("it is meant for another tool")
    at, issued, expires = now().timestamp(), claims.get("iat"), claims.get("exp")
    for moment in (issued, expires):
        if isinstance(moment, bool) or not isinstance(moment, int | float):
            raise Unverified("it does not say when it was made, and until when it holds")
    assert isinstance(issued, int | float)
    assert isinstance(expires, int | float)
    if expires <= at - SKEW_SECONDS or issued < at - OLDEST_SECONDS:
        raise Unverified("it has expired")
    if issued > at + SKEW_SECONDS:
        raise Unverified("it was made in the future: one of the two clocks is wrong")
    nonce = claims.get("nonce")
    if not isinstance(nonce, str) or not hmac.compare_digest(hash_token(nonce), begun.nonce_hash):
        raise Unverified("it belongs to another sign-in")
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_ID or storable(subject) != subject:
        raise Unverified("it does not say who comes")


def class_role(roles: object) -> str | None:
    """The one role that somebody with these has here: the highest. Roles in the platform as a whole count for nothing.

    attack: an administrator of the platform, or a teacher of another of its courses, who is staff in this one.
    """
    named = {one for one in roles if isinstance(one, str)} if isinstance(roles, list) else set()
    short = {one.removeprefix(f"{MEMBERSHIP}#") for one in named if one.startswith(f"{MEMBERSHIP}#") or ":" not in one}
    assistant = f"{MEMBERSHIP}/Instructor#TeachingAssistant"
    # A teaching assistant is named as an instructor too: the narrower of the two holds.
    if assistant in named or "TeachingAssistant" in short:
        return ClassRole.assistant
    if "Instructor" in short:
        return ClassRole.instructor
    return ClassRole.student if short & {"Learner", "Student"} else None


def keep_launch(db: Session, platform: Platform, claims: LaunchClaims) -> str:
    """Returns its key."""
    db.execute(delete(Launch).where(Launch.expires_at <= now()))
    token = new_token()
    row = Launch(token_hash=hash_token(token), platform_id=platform.id, claims=asdict(claims), expires_at=now() + LASTS)
    db.add(row)
    db.flush()
    return token


def find_launch(db: Session, token: str) -> Launch:
    """By its key, for as long as nobody has gone on with it. The row is held. Raises NotFound."""
    wanted = select(Launch).where(Launch.token_hash == hash_token(token), Launch.expires_at > now())
    row = db.scalar(wanted.with_for_update())
    if row is None or row.holder_id is not None:
        raise NotFound("This page has been used, or is too old.", AGAIN)
    return row


def require_launch(db: Session, holder_id: int, id: int | None) -> Launch:
    """Raises NotFound for everybody else's."""
    row = db.get(Launch, id) if id is not None else None
    if row is None or row.holder_id != holder_id or row.expires_at <= now():
        raise NotFound("There is no such launch, or it is too old.", AGAIN)
    return row


def refused(why: Unverified, platform: Platform) -> Forbidden:
    return Forbidden(f"Lectern does not accept what {platform.name} sent: {why}.", AGAIN)


def _part(claims: dict[str, Any], name: str) -> dict[str, Any]:
    found = claims.get(name)
    return found if isinstance(found, dict) else {}


def _text(value: object, most: int, *, exact: bool = False) -> str:
    """Nothing for what is no text. `exact`: it goes back as it came, or not at all."""
    if not isinstance(value, str):
        return ""
    if exact:
        if len(value) > most:
            raise Invalid("deep_linking_settings: `data` is too long.", AGAIN)
        return value
    return " ".join(storable(value).split())[:most]


def _url(value: object) -> str:
    text = value if isinstance(value, str) and len(value) <= 2000 else ""
    return text if origin_of(text) else ""
