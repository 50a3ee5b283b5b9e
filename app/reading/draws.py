"""Which variant of an exercise somebody has: drawn by who they are, and the same on every server and after each start.

attack: a student computes from the public code who has the same variant, to know whose file to ask for. defence: what
is drawn depends on a secret of this installation. It is made once, lies in the database alone, and is in no page, log
or export. (Two who compare their pages still learn whether they have the same: that is no secret.)
"""

import hashlib
import hmac
import secrets
from datetime import datetime

from sqlalchemy import LargeBinary, String, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.people.users import Role, User

PURPOSE = "variants"
KEY_BYTES = 32


class InstallationSecret(Base):
    """`purpose`: what it is for, one each, so that none can be learnt from the use of another."""

    __tablename__ = "installation_secret"

    purpose: Mapped[str] = mapped_column(String(32), primary_key=True)
    secret: Mapped[bytes] = mapped_column(LargeBinary)
    made_at: Mapped[datetime] = mapped_column(Moment, default=now)


def drawing_key(db: Session) -> bytes | None:
    """None where nothing was ever served."""
    return db.scalar(select(InstallationSecret.secret).where(InstallationSecret.purpose == PURPOSE))


def ensure_drawing_key(db: Session) -> bytes:
    """Made now if there is none. The caller has its turn among servers (`take_turn`): two at once would make two."""
    known = drawing_key(db)
    if known is None:
        known = secrets.token_bytes(KEY_BYTES)
        db.add(InstallationSecret(purpose=PURPOSE, secret=known))
        db.flush()
    return known


def drawn(key: bytes, person: User | None, slug: str, count: int) -> int:
    """The number of a student's variant, of `count`. Everybody else has the first: guests, who may be anyone's second
    window, and staff, who look at whichever they like."""
    if count == 1 or person is None or person.role != Role.student:
        return 0
    digest = hmac.new(key, f"{person.id}:{slug}".encode(), hashlib.sha256).digest()
    return int.from_bytes(digest) % count
