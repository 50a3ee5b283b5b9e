"""The tool's own keys: what we sign with them, platforms verify by the address at which we publish them.

attack: a platform that somebody invited gives the token address of another one, and we sign for it what the other takes
for ours. defence: a platform that registered itself has a key of its own, with a `name` that nobody guesses, published
at `/lti/jwks/NAME` alone. Those that an admin registers by hand share the key without a name, at `/lti/jwks`.

A key is made at first use, and kept in the database, since every web process signs. Anyone who can read that table can
speak to platforms as us: it is guarded as the database is, leaves it in no export, and a new key replaces it at any
time. A key that was replaced stays published for a day, for what it has signed.
"""

import secrets
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from joserfc import jwt
from joserfc.jwk import RSAKey
from sqlalchemy import String, Text, delete, or_, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.people.audit import Thing, note
from app.people.users import User

BITS = 2048
PUBLISHED_AFTER = timedelta(days=1)
TOKEN_SECONDS = 300


class ToolKey(Base):
    """Of each name, the newest that is not replaced signs."""

    __tablename__ = "lti_key"

    kid: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(32), default="", server_default="")
    private_key: Mapped[str] = mapped_column(Text)
    made_at: Mapped[datetime] = mapped_column(Moment, default=now)
    replaced_at: Mapped[datetime | None] = mapped_column(Moment)

    @property
    def key(self) -> RSAKey:
        return _read_key(self.private_key, self.kid)


@lru_cache(maxsize=16)
def _read_key(private_key: str, kid: str) -> RSAKey:
    """Return the key of a text, read once: reading checks it, which takes as long as many signatures."""
    return RSAKey.import_key(private_key, {"kid": kid, "use": "sig", "alg": "RS256"})


def new_name() -> str:
    """For the keys of one platform."""
    return secrets.token_hex(16)


def jwks_path(name: str) -> str:
    """Where the keys of this name are published."""
    return f"/lti/jwks/{name}" if name else "/lti/jwks"


def published(db: Session, name: str = "") -> dict[str, Any]:
    """The public halves of this name's keys, as a JSON Web Key Set."""
    still = or_(ToolKey.replaced_at.is_(None), ToolKey.replaced_at > now() - PUBLISHED_AFTER)
    rows = db.scalars(select(ToolKey).where(still, ToolKey.name == name).order_by(ToolKey.made_at.desc()))
    return {"keys": [row.key.as_dict(private=False) for row in rows]}


def signing_key(db: Session, name: str = "") -> ToolKey | None:
    signs = select(ToolKey).where(ToolKey.name == name, ToolKey.replaced_at.is_(None))
    return db.scalar(signs.order_by(ToolKey.made_at.desc(), ToolKey.kid).limit(1))


def ensure_key(db: Session, name: str = "") -> ToolKey:
    """The one that signs, made now if there is none. Two processes at once make two, and both are published."""
    return signing_key(db, name) or _make(db, name)


def remove_keys(db: Session, name: str) -> None:
    """Of a platform that is gone; those without a name stay."""
    if name:
        db.execute(delete(ToolKey).where(ToolKey.name == name))


def replace_key(db: Session, admin: User) -> ToolKey:
    """From now on new ones sign: that of a name is made when it is first used."""
    db.execute(update(ToolKey).where(ToolKey.replaced_at.is_(None)).values(replaced_at=now()))
    made = _make(db, "")
    note(db, admin, Thing("platform", "our key"), "key replaced", {"kid": made.kid})
    return made


def _make(db: Session, name: str) -> ToolKey:
    key = RSAKey.generate_key(BITS)
    row = ToolKey(kid=secrets.token_hex(8), name=name, private_key=key.as_pem(private=True).decode())
    db.add(row)
    db.flush()
    return row


def signed(key: ToolKey, claims: dict[str, Any]) -> str:
    """A token of ours, good for five minutes from now."""
    at = int(now().timestamp())
    claims = {"iat": at, "exp": at + TOKEN_SECONDS, "jti": secrets.token_urlsafe(16), **claims}
    return jwt.encode({"alg": "RS256", "kid": key.kid}, claims, key.key)
