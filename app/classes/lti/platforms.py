"""Platforms: the learning management systems that may send us people, each with the addresses that it speaks from.

attack: an issuer that somebody else registers, to speak in a platform's name. defence: issuer and client id together
name a platform, once; its keys come from the address that was registered with them; and only an admin, or somebody whom
an admin or an instructor of a class has invited, registers one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from urllib.parse import urlsplit

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.lti.keys import remove_keys
from app.db import Base, Moment, now, read_id
from app.people.audit import Thing, note
from app.people.identity import Caller
from app.people.permission import Wish, may
from app.people.users import User
from app.web.errors import Conflict, Forbidden, Invalid, NotFound
from app.web.outgoing import MAX_URL, Outgoing
from graders.text import storable

MAX_ID, MAX_NAME, MAX_DEPLOYMENTS = 255, 120, 200


class Platform(Base):
    """`deployments`: those it may speak for; the first that launches becomes one where none is listed. `trusts_email`:
    its word for whose an e-mail address is counts. `frames`: other origins that its pages have. `key_name`: of our keys
    that are for it alone; "" for those that all others share."""

    __tablename__ = "lti_platform"
    __table_args__ = (UniqueConstraint("issuer", "client_id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(MAX_NAME))
    issuer: Mapped[str] = mapped_column(String(MAX_ID))
    client_id: Mapped[str] = mapped_column(String(MAX_ID))
    auth_url: Mapped[str] = mapped_column(String(MAX_URL))
    token_url: Mapped[str] = mapped_column(String(MAX_URL))
    token_audience: Mapped[str] = mapped_column(String(MAX_URL), default="", server_default="")
    jwks_url: Mapped[str] = mapped_column(String(MAX_URL))
    deployments: Mapped[list[str]] = mapped_column(JSON, default=list)
    frames: Mapped[list[str]] = mapped_column(JSON, default=list)
    trusts_email: Mapped[bool] = mapped_column(default=False)
    key_name: Mapped[str] = mapped_column(String(32), default="", server_default="")
    is_open: Mapped[bool] = mapped_column(default=True)
    registered_at: Mapped[datetime] = mapped_column(Moment, default=now)
    registered_by_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id", ondelete="SET NULL"), index=True)

    @property
    def as_thing(self) -> Thing:
        """As the audit log names it."""
        return Thing("platform", str(self.id))

    @property
    def origins(self) -> tuple[str, ...]:
        """Whose pages may hold our launch page in a frame."""
        found = [origin_of(url) for url in (self.issuer, self.auth_url)] + list(self.frames)
        return tuple(dict.fromkeys(origin for origin in found if origin))

    @property
    def host(self) -> str:
        return urlsplit(self.auth_url).hostname or self.issuer


@dataclass(frozen=True)
class Described:
    """A platform as a form, or the platform itself, describes it."""

    name: str = ""
    issuer: str = ""
    client_id: str = ""
    auth_url: str = ""
    token_url: str = ""
    token_audience: str = ""
    jwks_url: str = ""
    deployments: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    trusts_email: bool = False

    def require_sound(self, outgoing: Outgoing) -> "Described":
        """Raises Invalid."""
        for what in ("issuer", "client_id"):
            text = getattr(self, what)
            if not (0 < len(text) <= MAX_ID and text.isprintable() and storable(text) == text):
                raise Invalid(f"{what}: use 1 to {MAX_ID} characters.", "Copy it from the platform's page for tools.")
        for what in ("auth_url", "token_url", "jwks_url"):
            outgoing.require_url(getattr(self, what), what)
        if len(self.token_audience) > MAX_URL or not (self.token_audience + " ").isprintable():
            raise Invalid("token_audience: this is too long.", "Most platforms need none: leave it out.")
        if len(self.deployments) > MAX_DEPLOYMENTS or any(not 0 < len(one) <= MAX_ID for one in self.deployments):
            raise Invalid(f"deployments: use up to {MAX_DEPLOYMENTS}, of up to {MAX_ID} characters.", "One a line.")
        for frame in self.frames:
            if origin_of(frame) != frame:
                raise Invalid(f"frames: {frame[:80]!r} is no origin.", "Such as https://school.instructure.com.")
        name = " ".join(storable(self.name).split()) or urlsplit(self.auth_url).hostname or self.issuer
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return Described(**{**values, "name": name[:MAX_NAME]})


def origin_of(url: str) -> str | None:
    """The origin of a page at this address, as a browser compares it. None for what is no address of a page."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host or not host.isascii() or "*" in host:
        return None
    # attack: a `;` or a space in a host, which would begin another directive of our policy. defence: no such host
    if not all(letter.isalnum() or letter in "-._:" for letter in host):
        return None
    shown = f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{shown}" + (f":{port}" if port not in (None, usual) else "")


def require_admin(db: Session, caller: Caller, *, writes: bool = False) -> User:
    """Raises Unauthenticated, Forbidden."""
    person = caller.require_viewer(db, writes=writes)
    if not may(person, Wish.operate):
        raise Forbidden("Only admins connect learning management systems.", "Ask an admin of this Lectern.")
    return person


def platforms(db: Session) -> list[Platform]:
    return list(db.scalars(select(Platform).order_by(Platform.name, Platform.id)))


def require_platform(db: Session, id: int | str) -> Platform:
    """Raises NotFound."""
    number = read_id(id)
    found = db.get(Platform, number) if number is not None else None
    if found is None:
        raise NotFound("There is no such platform.", "Those that are registered are listed at /lti/platforms.")
    return found


def find_platform(db: Session, issuer: str, client_id: str) -> Platform:
    """As a platform names itself. `client_id`: "" where it does not say. Raises NotFound."""
    named = select(Platform).where(Platform.issuer == storable(issuer)[:MAX_ID], Platform.is_open)
    if client_id:
        named = named.where(Platform.client_id == storable(client_id)[:MAX_ID])
    found: Sequence[Platform] = db.scalars(named.limit(2)).all()
    if len(found) != 1:
        raise NotFound(
            "This learning management system is not registered here.",
            "Ask the person who set this tool up there: its issuer and its client id must be registered in Lectern.",
        )
    return found[0]


def add_platform(
    db: Session, by: User | None, described: Described, outgoing: Outgoing, key_name: str = ""
) -> Platform:
    """Raises Invalid; Conflict where it is registered."""
    sound = described.require_sound(outgoing)
    _require_new(db, sound, None)
    row = Platform(registered_by_id=by.id if by is not None else None, key_name=key_name)
    _fill(row, sound)
    db.add(row)
    db.flush()
    note(db, by, row.as_thing, "platform registered", {"issuer": row.issuer, "client_id": row.client_id})
    return row


def change_platform(db: Session, by: User, row: Platform, described: Described, outgoing: Outgoing) -> Platform:
    """Raises Invalid, Conflict."""
    sound = described.require_sound(outgoing)
    _require_new(db, sound, row.id)
    before = {one.name: getattr(row, one.name) for one in fields(sound)}
    _fill(row, sound)
    db.flush()
    changed = [name for name, value in before.items() if value != getattr(row, name)]
    if changed:
        note(db, by, row.as_thing, "platform changed", {"changed": changed, "trusts_email": row.trusts_email})
    return row


def remove_platform(db: Session, by: User, row: Platform) -> None:
    """With the connections of its courses. The people stay, and their work; they need another way to sign in."""
    note(db, by, row.as_thing, "platform removed", {"issuer": row.issuer, "client_id": row.client_id})
    remove_keys(db, row.key_name)
    db.delete(row)
    db.flush()


def take_deployment(db: Session, row: Platform, deployment: str) -> None:
    """Raises Forbidden for one that it may not speak for."""
    if deployment in row.deployments:
        return
    if row.deployments:
        raise Forbidden(
            f"The deployment {deployment[:80]!r} of {row.name} is not registered here.",
            "An admin of this Lectern can add it, at /lti/platforms.",
        )
    row.deployments = [deployment]
    note(db, None, row.as_thing, "platform changed", {"changed": ["deployments"], "deployment": deployment})
    db.flush()


def _require_new(db: Session, sound: Described, id: int | None) -> None:
    same = select(Platform.id).where(Platform.issuer == sound.issuer, Platform.client_id == sound.client_id)
    found = db.scalar(same)
    if found is not None and found != id:
        raise Conflict("A platform with this issuer and client id is registered already.", "Change that one instead.")


def _fill(row: Platform, sound: Described) -> None:
    for one in fields(sound):
        value = getattr(sound, one.name)
        setattr(row, one.name, list(value) if isinstance(value, tuple) else value)
