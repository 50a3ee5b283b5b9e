"""People and their sessions. A guest is a person who has not said who they are: a row like any other."""

import hashlib
import secrets
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Double,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    bindparam,
    delete,
    select,
    text,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base, Moment, Statement, as_loaded, now


class Role(StrEnum):
    guest = "guest"
    student = "student"
    instructor = "instructor"
    admin = "admin"


_ON_STAFF = text("role IN ('instructor', 'admin')")


class User(Base):
    """Guests have neither e-mail nor password; someone an admin added may have no password yet."""

    __tablename__ = "user_account"  # "user" is a reserved word in PostgreSQL
    __table_args__ = (
        CheckConstraint("role IN ('guest', 'student', 'instructor', 'admin')", "role"),
        CheckConstraint("(role = 'guest') = (email IS NULL)", "guest_has_no_email"),
        CheckConstraint("time_multiplier >= 1 AND time_multiplier <= 10", "time_multiplier"),
        Index("ix_user_account_staff", "role", sqlite_where=_ON_STAFF, postgresql_where=_ON_STAFF),
        {"sqlite_autoincrement": True},  # an id once given is never given again
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str | None] = mapped_column(String(254), unique=True)
    password_hash: Mapped[str | None] = mapped_column(String(255))
    role: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    time_multiplier: Mapped[float] = mapped_column(Double, default=1.0, server_default="1")  # of a quiz's time limit
    stored_bytes: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")  # app/people/quota.py
    utc_offset_minutes: Mapped[int | None]  # app/web/day.py: how far east of UTC their browser was when they last wrote
    disabled_at: Mapped[datetime | None] = mapped_column(Moment)  # app/people/access.py; None: they may sign in

    # app/people/verifications.py: since when the address is known to be theirs; None: they only say so
    verified_at: Mapped[datetime | None] = mapped_column(Moment)

    @property
    def offset_minutes(self) -> int:
        """What their days are reckoned by."""
        return self.utc_offset_minutes or 0

    @property
    def is_guest(self) -> bool:
        return self.role == Role.guest

    @property
    def is_staff(self) -> bool:
        """May see other people's submissions."""
        return self.role in (Role.instructor, Role.admin)


class Login(Base):
    """A session. The token is known to its holder alone: a person who reads this table can sign in as nobody."""

    __tablename__ = "login"
    __table_args__ = (Index("ix_login_user_id", "user_id"),)

    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    expires_at: Mapped[datetime] = mapped_column(Moment)


def add_guest(db: Session) -> User:
    return _added(db, User(role=Role.guest))


def add_user(db: Session, email: str, role: Role, password_hash: str | None) -> User:
    """`email` as `accounts.read_email` returns it. Raises IntegrityError when someone has it."""
    return _added(db, User(email=email, role=role, password_hash=password_hash))


def _added(db: Session, user: User) -> User:
    db.add(user)
    db.flush()
    return user


def user_by_email(db: Session, email: str) -> User | None:
    return db.scalar(select(User).where(User.email == email))


def open_login(db: Session, user: User, days: int) -> str:
    """A new session of this person; returns the token, which is stored nowhere else."""
    token = new_token()
    db.add(Login(token_hash=hash_token(token), user_id=user.id, expires_at=now() + timedelta(days=days)))
    return token


def new_token() -> str:
    """256 random bits, in 43 letters, digits, - and _."""
    return secrets.token_urlsafe(32)


def user_by_token(db: Session, token: str, *, alone: bool = False) -> User | None:
    """`alone`: until this transaction ends no other one writes for this person (on SQLite none writes at all)."""
    found = (_OF_TOKEN_ALONE if alone else _OF_TOKEN).run(db, {"hash": hash_token(token), "at": now()}).rows
    return as_loaded(db, User, dict(zip(_COLUMNS, found[0], strict=True))) if found else None


# Asked with every request
_COLUMNS = tuple(column.name for column in User.__table__.columns)
_OF_HASH = (
    select(*User.__table__.columns)
    .join(Login, Login.user_id == User.id)
    .where(Login.token_hash == bindparam("hash"), Login.expires_at > bindparam("at", type_=Moment()))
    .where(User.disabled_at.is_(None))
)
_OF_TOKEN = Statement(_OF_HASH)
_OF_TOKEN_ALONE = Statement(_OF_HASH.with_for_update(of=User, key_share=True))


def close_login(db: Session, token: str) -> None:
    db.execute(delete(Login).where(Login.token_hash == hash_token(token)))


def close_logins(db: Session, user_id: int, but: str | None = None) -> int:
    """All sessions of this person, except the one of the token `but`. Returns how many have ended."""
    theirs = delete(Login).where(Login.user_id == user_id)
    if but is not None:
        theirs = theirs.where(Login.token_hash != hash_token(but))
    return len(db.scalars(theirs.returning(Login.token_hash)).all())


def hold(db: Session, *users: int) -> None:
    """Until this transaction ends no other one writes for these people (on SQLite none writes at all)."""
    db.execute(select(User.id).where(User.id.in_(users)).order_by(User.id).with_for_update(key_share=True))


def lock_staff(db: Session) -> list[int]:
    """The ids of instructors and admins who can sign in, none of whom comes or goes until this transaction ends."""
    staff = select(User.id).where(User.role.in_((Role.instructor, Role.admin)), User.disabled_at.is_(None))
    staff = staff.order_by(User.id)
    return list(db.scalars(staff.with_for_update()))


def delete_user(db: Session, user: User) -> None:
    """Every table's rows of theirs go with the row: each names it with ON DELETE CASCADE."""
    db.execute(delete(User).where(User.id == user.id).execution_options(synchronize_session=False))
    db.expunge(user)


def forget_expired_logins(db: Session, before: datetime | None = None) -> int:
    """Those that are over by now, or by then. Returns how many."""
    return db.execute(delete(Login).where(Login.expires_at <= (before or now()))).rowcount  # type: ignore[attr-defined, no-any-return]


def hash_token(token: str) -> bytes:
    # A plain hash is enough: the token has 256 random bits, so there is nothing to guess.
    return hashlib.sha256(token.encode(errors="replace")).digest()
