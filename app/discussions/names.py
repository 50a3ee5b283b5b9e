"""The name under which somebody writes in discussions: they choose it with their first post. We show nobody their
e-mail address there."""

import unicodedata

from sqlalchemy import ForeignKey, String
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.db import Base
from app.people.belongings import Belonging, register
from app.people.permission import Wish, may
from app.people.users import User
from app.web.errors import Conflict, Invalid

MAX_NAME = 40
# attack: a student who calls themselves “Staff”, or whom a mark that turns the direction calls so. defence: these words
# are the staff's, whose posts carry a mark besides; and unprintable characters are in no name.
RESERVED = ("staff", "instructor", "admin", "lectern", "moderator", "teacher")


class DiscussionName(Base):
    """`folded` is what no two people share: case, width and spaces are no difference."""

    __tablename__ = "discussion_name"

    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(String(MAX_NAME))
    folded: Mapped[str] = mapped_column(String(4 * MAX_NAME), unique=True)


def name_of(db: Session, user: User | None) -> str | None:
    row = db.get(DiscussionName, user.id) if user is not None else None
    return row.name if row is not None else None


def choose_name(db: Session, user: User, typed: str) -> str:
    """The person is held alone. Raises Invalid, Conflict."""
    name = " ".join(unicodedata.normalize("NFC", typed).split())
    folded = _folded(name)
    if not name or not folded:
        raise Invalid("name: type a name.", "It stands beside what you write.")
    if len(name) > MAX_NAME or not name.isprintable() or "@" in name:
        raise Invalid(
            f"name: use at most {MAX_NAME} printable characters, and no @.", "An e-mail address is not for everybody."
        )
    if not may(user, Wish.moderate) and any(word in folded for word in RESERVED):
        raise Invalid(f"name: `{name}` could be taken for staff.", "Choose another name.")
    row = db.get(DiscussionName, user.id)
    try:
        with db.begin_nested():
            if row is None:
                db.add(DiscussionName(user_id=user.id, name=name, folded=folded))
            else:
                row.name, row.folded = name, folded
    except IntegrityError:
        raise Conflict(f"Somebody else is called `{name}` here.", "Choose another name.") from None
    return name


def _folded(name: str) -> str:
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(sign for sign in folded if sign.isalnum())[: 4 * MAX_NAME]


register(
    Belonging(
        210,
        "discussion_name",
        "Your name in discussions",
        "The one you chose: others see it beside your posts.",
        DiscussionName,
        frozenset({"folded"}),
    )
)
