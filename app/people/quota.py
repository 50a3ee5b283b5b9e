"""How much is kept of a person: a count of bytes in their row, so that asking costs nothing however much it is.

What grows with what they send is counted: sources, inputs, verdicts with their prints, traces, answers, notes. A draft
is one row an exercise and framework, and a lesson read is one row a lesson: those are bounded by the content.
"""

import json
from dataclasses import dataclass

from sqlalchemy import bindparam, update
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Session

from app.db import Statement
from app.people.users import User
from app.settings import Settings
from app.web.errors import RateLimited, TooLarge

# Kept free for each verdict that is still to come: what a submission prints is stored once it is judged.
VERDICT_BYTES = 64 << 10


@dataclass(frozen=True)
class Quota:
    """Bytes that may be kept of a person: of a guest, and of an account."""

    guest_bytes: int
    account_bytes: int

    def of(self, user: User) -> int:
        return self.guest_bytes if user.is_guest else self.account_bytes

    def require_room(self, user: User, more_bytes: int, verdicts: int = 0) -> None:
        """Raises TooLarge where `more_bytes` more would be too many; RateLimited where they would be with so many
        `verdicts` that are still to come."""
        most = self.of(user)
        if user.stored_bytes + more_bytes > most:
            raise TooLarge(
                f"Your submissions, runs, answers and notes fill the {_megabytes(most)} of storage for "
                f"{'a guest' if user.is_guest else 'one person'}. This was not stored.",
                f"Create an account: it keeps your work and has room for {_megabytes(self.account_bytes)}."
                if user.is_guest
                else "Ask the operator of this server for more room. You can download all your data at /me.",
            )
        if verdicts and user.stored_bytes + more_bytes + verdicts * VERDICT_BYTES > most:
            raise RateLimited(
                f"{verdicts} of your submissions wait to be judged; their verdicts may fill your remaining storage.",
                "Wait until they are judged, then send this again.",
                headers={"Retry-After": "10"},
            )


def quota_of(settings: Settings) -> Quota:
    return Quota(settings.guest_quota_mb << 20, settings.quota_mb << 20)


def add_stored(db: Session | Connection, user_id: int, more_bytes: int) -> None:
    if more_bytes:
        _ADD.run(db, {"person": user_id, "more": more_bytes})


_ADD = Statement(
    update(User)
    .where(User.id == bindparam("person"))
    .values(stored_bytes=User.stored_bytes + bindparam("more"))
    .execution_options(synchronize_session=False)
)


def stored_bytes(value: object) -> int:
    """Of a value in a column of JSON; None is no value."""
    return len(json.dumps(value)) if value is not None else 0


def _megabytes(count: int) -> str:
    return f"{count / (1 << 20):g} MB"
