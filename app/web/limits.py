"""Rate limits, per person and per address: a person types, a classroom shares an address, a script does neither.

Each key holds one number, the moment at which its allowance is full again (the generic cell rate algorithm), on the
monotonic clock: setting the server's clock neither opens nor shuts anything. The `limits` package measures by wall
clock and starts a timer thread for each burst, which is why this is not it.
"""

import hashlib
import ipaddress
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Literal

from starlette.concurrency import run_in_threadpool

from app.web.allowances import SharedAllowances, Spent
from app.web.errors import RateLimited

PRUNE_ABOVE = 20_000
LONGEST = 64  # characters of a neighbourhood: a column holds as many
Key = tuple[str, str, str]  # what, person or address, who


@dataclass(frozen=True)
class Rate:
    """So many at once, and then so many a second."""

    burst: int
    per_second: float


PERSON = {
    "submission": Rate(120, 1.0),
    "draft": Rate(120, 2.0),  # a tab saves once a second at most
    "note": Rate(120, 2.0),
    "answer": Rate(120, 1.0),
    "sitting": Rate(240, 4.0),  # each answer of a quiz is saved while it is typed, in more tabs than one
    "access_code": Rate(10, 1 / 30),  # codes that are tried to begin a quiz
    "cell": Rate(60, 0.5),
    "export": Rate(10, 0.02),
    "sign_in": Rate(10, 0.1),  # the person is the e-mail address that is tried
    "post": Rate(10, 1 / 30),  # in discussions: written, changed, or reported
    "revision": Rate(600, 0.5),  # whatever an author changes; a repository is published in one go
    "check": Rate(20, 1 / 30),  # of a revision once more, or of an older one
    "preview": Rate(60, 0.5),
    "class": Rate(240, 1.0),  # whatever is changed in one
    "similarity": Rate(120, 0.5),  # pages of it, each noted
    "join": Rate(10, 1 / 60),  # codes that are tried
    "lti_service": Rate(20, 1 / 30),  # what a platform is asked because somebody pressed a button
    "mistake": Rate(5, 1 / 300),  # reported in an exercise or a question, by guests too
    "mistake_letter": Rate(10, 1 / 600),  # to the whole staff: the person is nobody
    "verification": Rate(3, 1 / 900),
    "webhook": Rate(20, 1 / 60),  # made, changed, or tested
    "reset": Rate(3, 1 / 900),  # of an account's mailbox: three letters, and then four an hour
}
ADDRESS = {
    "submission": Rate(1200, 40.0),
    "draft": Rate(2400, 80.0),
    "note": Rate(2400, 80.0),
    "answer": Rate(1200, 40.0),
    "reading": Rate(4800, 160.0),  # a pause in someone's typing
    "sitting": Rate(4800, 160.0),
    "access_code": Rate(1200, 4.0),  # an exam that begins in one room
    "cell": Rate(600, 10.0),
    "export": Rate(100, 1.0),
    "sign_in": Rate(100, 1.0),
    "sign_up": Rate(100, 1.0),
    "reset": Rate(60, 0.1),
    "verification": Rate(60, 0.1),
    "token": Rate(300, 1.0),  # secret addresses that are tried: calendars, invitations, links to stop letters
    "webhook": Rate(200, 1.0),
    "post": Rate(200, 2.0),
    "revision": Rate(6000, 5.0),
    "check": Rate(200, 0.4),
    "preview": Rate(600, 10.0),
    "class": Rate(2400, 10.0),
    "similarity": Rate(1200, 4.0),
    "lti": Rate(2400, 20.0),  # each step of somebody who comes from a platform
    "lti_service": Rate(200, 0.5),
    "join": Rate(600, 1.0),  # a class that comes in at once, behind one address
    "mistake": Rate(60, 0.05),
    "guest": Rate(300, 0.5),  # a class that comes in at once, and then 1,800 an hour
}
# Gradings that wait or are judged, of one person and of one address: a class of 300 behind one address, each with
# four in the last minute before a deadline. Somebody past it holds nobody up (app/queue/turns.py): this bounds rows.
PRESENT = (120, 1200)
DAY_SECONDS = 86_400.0
# Of what holds a place while it runs, so many at once, of one person and of one address.
AT_ONCE = {
    "cell": (2, 6),
    "publication": (3, 12),  # each waits for the gate in a thread, of which there are 40
    "stream": (32, 4000),  # a tab follows one submission; a campus may share an address
}


class RateLimits:
    """`address_bytes`: how much one neighbourhood may have stored, at once and then each day. `shared`: the count that
    several processes have together; this one keeps its own besides. What is *held* (AT_ONCE) is each process's own."""

    def __init__(
        self,
        *,
        enabled: bool = True,
        address_bytes: int = 1 << 30,
        shared: SharedAllowances | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.enabled = enabled
        self._shared, self._clock = shared, clock
        self._bytes = Rate(address_bytes, address_bytes / DAY_SECONDS)
        self._full_at: dict[Key, float] = {}
        self._held: Counter[Key] = Counter()
        self._lock = Lock()

    def spend(self, what: str, *, person: object = None, address: str | None = None) -> None:
        """Count one of `what` against the person and the address. Raises RateLimited, and then counts nothing."""
        if not self.enabled:
            return
        asked: list[tuple[Key, Rate]] = []
        if address is not None and what in ADDRESS:
            asked.append(((what, "address", neighbourhood(address)), ADDRESS[what]))
        if person is not None and what in PERSON:
            asked.append(((what, "person", _short(str(person))), PERSON[what]))
        if self._shared is not None:
            with self._lock:  # what is refused here need not be asked there
                now = self._clock()
                for key, rate in asked:
                    self._full_again(key, rate, now)
            uses = [Spent(key, 1 / rate.per_second, rate.burst / rate.per_second) for key, rate in asked]
            if wait_seconds := self._shared.spend(uses):
                raise _too_many(wait_seconds)
        with self._lock:
            now = self._clock()
            self._full_at.update([(key, self._full_again(key, rate, now)) for key, rate in asked])
            if len(self._full_at) > PRUNE_ABOVE:
                self._full_at = {one: at for one, at in self._full_at.items() if at > now}

    async def spend_soon(self, what: str, *, person: object = None, address: str | None = None) -> None:
        """As `spend`, on an event loop, which does not wait for the database."""
        if self._shared is None:
            self.spend(what, person=person, address=address)
        else:
            await run_in_threadpool(partial(self.spend, what, person=person, address=address))

    def spend_bytes(self, address: str, count: int) -> None:
        """Count what one request has stored against its neighbourhood. Raises RateLimited, and then counts nothing."""
        if not self.enabled:
            return
        key = ("stored_bytes", "address", neighbourhood(address))
        if self._shared is not None:
            with self._lock:
                self._bytes_full_again(key, count)
            if wait_seconds := self._shared.spend([self._bytes_spent(key, count)]):
                raise self._too_many_bytes(wait_seconds)
        with self._lock:
            self._full_at[key] = self._bytes_full_again(key, count)

    def _bytes_spent(self, key: Key, count: int) -> Spent:
        return Spent(key, count / self._bytes.per_second, self._bytes.burst / self._bytes.per_second)

    def _bytes_full_again(self, key: Key, count: int) -> float:
        """Raises RateLimited."""
        now = self._clock()
        full_at = max(self._full_at.get(key, now), now) + count / self._bytes.per_second
        wait_seconds = full_at - now - self._bytes.burst / self._bytes.per_second
        if wait_seconds > 0:
            raise self._too_many_bytes(wait_seconds)
        return full_at

    def _too_many_bytes(self, wait_seconds: float) -> RateLimited:
        return RateLimited(
            f"Your network has reached its limit of {self._bytes.burst >> 20} MB stored per day.",
            f"Try again in {_in_words(wait_seconds)}, or send this from another network.",
            headers={"Retry-After": str(math.ceil(wait_seconds))},
        )

    def charge(self, what: Literal["stored_bytes"], near: str, count: int) -> None:
        """Count what a neighbourhood has brought about already: it is not refused, but what comes next may be."""
        key = (what, "address", near)
        if self._shared is not None:
            self._shared.spend([self._bytes_spent(key, count)], always=True)
        with self._lock:
            now = self._clock()
            self._full_at[key] = max(self._full_at.get(key, now), now) + count / self._bytes.per_second

    def require_place(self, of_person: int, of_address: int) -> None:
        """Raises RateLimited where as many gradings of a person or of their neighbourhood wait as may."""
        for whose, present, most in (("you", of_person, PRESENT[0]), ("your address", of_address, PRESENT[1])):
            if self.enabled and present >= most:
                raise RateLimited(
                    f"{present:,} submissions from {whose} are waiting to be judged, which is the limit.",
                    "Wait until some are judged, then send this again.",
                    headers={"Retry-After": "10"},
                )

    @contextmanager
    def holding(self, what: str, *, person: object = None, address: str) -> Iterator[None]:
        """One of `what` is running until this ends. Raises RateLimited.

        attack: loops without end, as often as the rate allows, in all the places that there are: it allows as many
                as a place is held for seconds, and nobody else gets a turn; or streams of a submission that waits,
                until the server has no descriptor left. defence: nobody holds them all.
        """
        of_person, of_address = AT_ONCE[what]
        asked: list[tuple[Key, int]] = [((what, "address", neighbourhood(address)), of_address)]
        if person is not None:
            asked.append(((what, "person", _short(str(person))), of_person))
        with self._lock:
            for key, most in asked:
                if self.enabled and self._held[key] >= most:
                    who = "You have" if key[1] == "person" else "Your network has"
                    raise RateLimited(
                        f"{who} {most} running already, which is the limit.",
                        "Wait until one has finished, then try again.",
                        headers={"Retry-After": "5"},
                    )
            self._held.update([key for key, _ in asked])
        try:
            yield
        finally:
            with self._lock:
                self._held.subtract([key for key, _ in asked])
                self._held = +self._held  # nobody who holds nothing is remembered

    def _full_again(self, key: Key, rate: Rate, now: float) -> float:
        """The moment at which this allowance is full again after one more. Raises RateLimited."""
        full_at = max(self._full_at.get(key, now), now) + 1 / rate.per_second
        wait_seconds = full_at - now - rate.burst / rate.per_second
        if wait_seconds > 1e-6:
            raise _too_many(wait_seconds)
        return full_at


def _too_many(wait_seconds: float) -> RateLimited:
    seconds = math.ceil(wait_seconds)
    return RateLimited("Too many requests.", f"Try again in {seconds} s.", headers={"Retry-After": str(seconds)})


def _in_words(seconds: float) -> str:
    return f"{math.ceil(seconds)} s" if seconds < 120 else f"{math.ceil(seconds / 60)} minutes"


def neighbourhood(address: str) -> str:
    """One IPv6 subscriber holds 2^64 addresses: they count as one."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address[:LONGEST]
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)  # as an IPv4 peer is called where IPv6 is listened on: else all were one
    return str(ipaddress.ip_network((parsed, 64), strict=False)) if parsed.version == 6 else address


def _short(person: str) -> str:
    """attack: names of a megabyte each, a new one every time, kept here. defence: a name takes 16 bytes."""
    return hashlib.blake2b(person.encode(errors="surrogatepass"), digest_size=16).hexdigest()
