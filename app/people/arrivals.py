"""What is done when somebody has an account: other rooms register it here, since this one imports none.

`is_confirmed`: that the address is theirs is known, because an operator made the account, because they opened a link in
a letter to it, or because this Lectern cannot send any and takes people's word.
"""

from collections.abc import Callable

from sqlalchemy.orm import Session

from app.people.users import User

# (db, user, is_confirmed): in the transaction that makes the account, or confirms its address.
Arrival = Callable[[Session, User, bool], None]
_registered: list[Arrival] = []


def on_arrival(arrival: Arrival) -> None:
    _registered.append(arrival)


def arrived(db: Session, user: User, *, is_confirmed: bool) -> None:
    for arrival in _registered:
        arrival(db, user, is_confirmed)
