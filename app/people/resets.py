"""Password resets: a link that lets the reader of an account's mail choose a new password, once, for an hour.

attack: read the database, or a backup, and open a link in somebody's name. defence: the token has 256 random bits and
is stored as its hash alone. There is no key that could leak, and that would sign links for everybody.
"""

from datetime import datetime, timedelta

from sqlalchemy import ForeignKey, Index, LargeBinary, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, now
from app.people.belongings import Belonging, register
from app.people.users import User, hash_token, hold, new_token

RESET_LIFE = timedelta(hours=1)


class PasswordReset(Base):
    """A link that nobody has used yet. All of an account's links go when its password changes (password_change.py)."""

    __tablename__ = "password_reset"
    __table_args__ = (Index("ix_password_reset_user_id", "user_id"),)

    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    expires_at: Mapped[datetime] = mapped_column(Moment)


def open_reset(db: Session, user: User) -> str:
    """A new link's token, which is stored nowhere else. Links that are too old, of anybody, are deleted."""
    db.execute(delete(PasswordReset).where(PasswordReset.expires_at <= now()))
    token = new_token()
    db.add(PasswordReset(token_hash=hash_token(token), user_id=user.id, expires_at=now() + RESET_LIFE))
    return token


def user_by_reset(db: Session, token: str) -> User | None:
    """Whose link this is; None for one that is unknown, used or too old, or of an account that is disabled."""
    asked = select(User).join(PasswordReset, PasswordReset.user_id == User.id)
    asked = asked.where(PasswordReset.token_hash == hash_token(token), PasswordReset.expires_at > now())
    return db.scalar(asked.where(User.disabled_at.is_(None)))


def use_reset(db: Session, token: str) -> User | None:
    """As `user_by_reset`, and the link is used up: of two who open it at once, one gets the account."""
    user = user_by_reset(db, token)
    if user is None:
        return None
    hold(db, user.id)
    mine = PasswordReset.token_hash == hash_token(token), PasswordReset.expires_at > now()
    used = db.scalars(delete(PasswordReset).where(*mine).returning(PasswordReset.user_id)).all()
    return db.get_one(User, user.id, populate_existing=True) if used else None


def forget_expired_resets(db: Session, before: datetime) -> int:
    """Links that were too old by then. Returns how many."""
    return db.execute(delete(PasswordReset).where(PasswordReset.expires_at <= before)).rowcount  # type: ignore[attr-defined, no-any-return]


def close_resets(db: Session, user_id: int) -> None:
    db.execute(delete(PasswordReset).where(PasswordReset.user_id == user_id))


register(
    Belonging(
        120,
        "password_resets",
        "Password resets",
        "When you asked for a new password, and until when the link works that we sent. We delete it once it is used "
        "or too old.",
        PasswordReset,
        frozenset({"token_hash"}),
    )
)
