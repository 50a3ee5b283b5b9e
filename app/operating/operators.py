"""Who may see how the installation is doing."""

from sqlalchemy.orm import Session

from app.people.identity import Caller
from app.people.permission import Wish, may
from app.people.users import User
from app.web.errors import NotFound, Unauthenticated


def require_operator(db: Session, caller: Caller) -> User:
    """Raises NotFound for everybody but admins: to them there is nothing here."""
    try:
        person = caller.viewer(db)
    except Unauthenticated:
        person = None
    if person is None or not may(person, Wish.operate):
        raise NotFound("There is nothing at this address.", "Check the address.")
    return person
