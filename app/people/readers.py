"""Who else may read a person's work: other rooms register it here, since this one imports none.

The doors of submissions and sittings (`load_submission`, `require_sitting`) ask `may_read`: the rule of the site first,
then what is registered. A registered reader opens what was handed in, to be read, and nothing else.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from sqlalchemy.orm import Session

from app.people.permission import Wish, may
from app.people.users import User


@dataclass(frozen=True)
class Work:
    """What a person handed in: to an exercise, or to the quiz of a course, whose slug is then `slug`."""

    owner_id: int
    kind: Literal["exercise", "quiz"]
    slug: str
    course: str = ""


# Whether this person may read it though it is not theirs.
Reader = Callable[[Session, User, Work], bool]
_registered: list[Reader] = []


def let_read(reader: Reader) -> None:
    _registered.append(reader)


def may_read(db: Session, person: User | None, wish: Wish, work: Work, *, is_handed_in: bool = True) -> bool:
    """As `permission.may`; and for what was handed in, as other rooms say. Nobody (None) may read nothing."""
    if may(person, wish, work.owner_id):
        return True
    return person is not None and is_handed_in and any(reader(db, person, work) for reader in _registered)
