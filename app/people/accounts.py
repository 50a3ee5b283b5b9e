"""Accounts: the address that names one, and what the command line does with them."""

import unicodedata

from email_validator import EmailNotValidError, validate_email
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.db import Database, now
from app.people import users
from app.people.arrivals import arrived
from app.people.audit import Via, note, person
from app.people.passwords import hash_password
from app.people.users import Role, User
from app.web.errors import Conflict, Invalid, NotFound

COMMAND_LINE_TOKEN_DAYS = 365
ACCOUNT_ROLES = (Role.student, Role.instructor, Role.admin)  # a guest becomes a student by signing up


def add_user(database: Database, email: str, role: str, password: str | None) -> User:
    """For the command line. Raises Invalid, Conflict."""
    email = read_email(email)
    wanted = read_role(role)
    hashed = hash_password(password, email) if password is not None else None
    try:
        with database.writing() as db:
            user = users.add_user(db, email, wanted, hashed)
            user.verified_at = now()
            note(db, None, person(user.id), "account added", {"role": role}, Via.command_line)
            arrived(db, user, is_confirmed=True)
            return user
    except IntegrityError:
        raise Conflict(f"There is already an account {email}.", "See ./lectern users token.") from None


def read_role(role: str) -> Role:
    """Raises Invalid for what is none, or none that an account can have."""
    if role not in ACCOUNT_ROLES:
        raise Invalid(f"There is no role {role}.", "Use student, instructor or admin.")
    return Role(role)


def make_token(database: Database, email: str) -> str:
    """For the command line: a bearer token that holds for a year. Raises Invalid, NotFound, Conflict."""
    with database.writing() as db:
        user = account_of(db, email)
        if user.disabled_at is not None:
            raise Conflict(
                f"{email} is disabled, and no token of theirs is valid.", "An admin can enable it at /users."
            )
        note(db, None, person(user.id), "token made", {"days": COMMAND_LINE_TOKEN_DAYS}, Via.command_line)
        return users.open_login(db, user, COMMAND_LINE_TOKEN_DAYS)


def account_of(db: Session, email: str) -> User:
    """The account with this address, in whatever spelling. Raises Invalid, NotFound."""
    email = read_email(email)
    user = users.user_by_email(db, email)
    if user is None:
        raise NotFound(f"There is no account {email}.", f"Create it: ./lectern users add {email} --role student")
    return user


def read_email(email: str) -> str:
    """The address as it is stored, looked up and counted by: one spelling a person. Raises Invalid.

    The one normalisation there is: compatible forms (full-width letters, ligatures), case, the two ways to write an
    international domain, space around it, and characters without a width are no difference.
    """
    try:
        found = validate_email(_folded(email).strip(), check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise Invalid(f"email: {error}", "Check the spelling of the address.") from None
    return _folded(found.normalized)


def readable_email(email: str) -> str | None:
    """As `read_email`; None for what is no address, which is nobody's account."""
    try:
        return read_email(email)
    except Invalid:
        return None


def _folded(text: str) -> str:
    """Unicode's own folding for names that are compared (NFKC_Casefold): to fold it again changes nothing."""
    seen = "".join(each for each in text if unicodedata.category(each) != "Cf" and each not in _UNSEEN)
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold())


# Those that Unicode lets nobody see, besides the format characters: fillers and variation selectors.
_UNSEEN = frozenset(map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *range(0x180B, 0x1810),
                              *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))  # fmt: skip
