"""What opens an account beside its password and its sessions. Other rooms register what they keep of that here, since
this one imports none: an account elsewhere that signs in to this one, a secret address that shows what is in it.

attack: a thief who was signed in for a minute has tied an account of their own to this one, or made its secret address,
and is still there when the password has changed. defence: a new password ends these too (password_change.py).
"""

from collections.abc import Callable

from sqlalchemy.orm import Session

# (db, the person's id): ends them, in the transaction that changes the password.
Close = Callable[[Session, int], None]
_registered: list[Close] = []


def on_close(close: Close) -> None:
    _registered.append(close)


def close_ways_in(db: Session, user_id: int) -> None:
    for close in _registered:
        close(db, user_id)
