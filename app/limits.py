"""Rate limits, per person and per address: a person types, a classroom shares an address, a script does neither.

Each key holds one number, the moment at which its allowance is full again (the generic cell rate algorithm), on the
monotonic clock: setting the server's clock neither opens nor shuts anything. The `limits` package measures by wall
clock and starts a timer thread for each burst, which is why this is not it.
"""

import ipaddress
import math
import time
from dataclasses import dataclass
from threading import Lock

from app.errors import RateLimited

PRUNE_ABOVE = 20_000


@dataclass(frozen=True)
class Rate:
    """So many at once, and then so many a second."""

    burst: int
    per_second: float


PERSON = {
    "submission": Rate(120, 1.0),
    "answer": Rate(120, 1.0),
    "sign_in": Rate(10, 0.1),  # the person is the e-mail address that is tried
}
ADDRESS = {
    "submission": Rate(1200, 40.0),
    "answer": Rate(1200, 40.0),
    "sign_in": Rate(100, 1.0),
    "sign_up": Rate(100, 1.0),
    "guest": Rate(300, 3.0),
}


class RateLimits:
    def __init__(self, *, enabled: bool = True) -> None:
        self.enabled = enabled
        self._full_at: dict[tuple[str, str, str], float] = {}
        self._lock = Lock()

    def spend(self, what: str, *, person: object = None, address: str | None = None) -> None:
        """Count one of `what` against whoever is named. Raises RateLimited, and then counts nothing."""
        if not self.enabled:
            return
        if person is not None and what in PERSON:
            self._spend((what, "person", str(person)), PERSON[what])
        if address is not None and what in ADDRESS:
            self._spend((what, "address", neighbourhood(address)), ADDRESS[what])

    def _spend(self, key: tuple[str, str, str], rate: Rate) -> None:
        with self._lock:
            now = time.monotonic()
            full_at = max(self._full_at.get(key, now), now) + 1 / rate.per_second
            wait_seconds = full_at - now - rate.burst / rate.per_second
            if wait_seconds > 1e-6:
                seconds = math.ceil(wait_seconds)
                raise RateLimited(
                    "That is more at once than this server takes from one "
                    f"{'person' if key[1] == 'person' else 'address'}.",
                    f"Wait {seconds} s, then try again.",
                    headers={"Retry-After": str(seconds)},
                )
            self._full_at[key] = full_at
            if len(self._full_at) > PRUNE_ABOVE:
                self._full_at = {one: at for one, at in self._full_at.items() if at > now}


def neighbourhood(address: str) -> str:
    """One IPv6 subscriber holds 2^64 addresses: they count as one."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((parsed, 64), strict=False)) if parsed.version == 6 else address
