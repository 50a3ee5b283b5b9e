"""Deliveries: events on their way to webhooks, signed, and tried again, by one thread of each process.

A delivery is claimed before it is sent, as letters are (people/outbox.py): several processes send each once, and one
that dies in between leaves that one to be sent again; its receiver knows it by its id. A webhook that fails is left
alone for ever longer, and switched off after three days. Of an answer, nothing is read but its status.
"""

import hashlib
import hmac
import http.client
import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from threading import Event, Thread, Timer

import structlog
from sqlalchemy import delete, or_, select, update

from app.classes.addresses import Network, Place, Refused, find_place
from app.classes.events import Delivery, Webhook
from app.db import Database, now

log = structlog.get_logger("lectern.classes")

POLL_SECONDS = 1.0
END_SECONDS = 1.0
PRUNE_SECONDS = 86_400.0
CONNECT_SECONDS, WHOLE_SECONDS = 5.0, 10.0
LEASE = timedelta(minutes=2)
BACKOFF = tuple(timedelta(seconds=seconds) for seconds in (10, 60, 300, 1800, 7200, 21_600))
MAX_ATTEMPTS = 12
FAILING = timedelta(days=3)  # in a row, and then it is switched off
KEPT = timedelta(days=30)
LOT = 500
NAME = "Lectern"
VERSION = "v1"


@dataclass(frozen=True)
class _Claimed:
    id: int
    attempt: int
    webhook_id: int
    url: str
    secret: str
    key: str
    event: str
    body: bytes


@dataclass(frozen=True)
class Outcome:
    """`status`: the answer's; None where there was none, and then `error` says why."""

    status: int | None
    error: str = ""

    @property
    def is_good(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """Of the moment and the body together: neither can be changed, and an old letter cannot be sent again as new."""
    digest = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256)
    return f"{VERSION}={digest.hexdigest()}"


class Deliveries:
    """`allowed`: networks that are not public and may be reached all the same."""

    def __init__(
        self, database: Database, allowed: tuple[Network, ...] = (), *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._database, self._allowed, self._clock = database, allowed, clock
        self._end = Event()
        self._prune_at = clock()
        self._thread = Thread(target=self._run, name="deliveries", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """What still waits is sent after the next start."""
        self._end.set()
        self._thread.join(END_SECONDS)

    def _run(self) -> None:
        while not self._end.wait(POLL_SECONDS):
            try:
                self.send_due(self._end.is_set)
                if self._clock() >= self._prune_at:
                    self._prune_at = self._clock() + PRUNE_SECONDS
                    self.prune()
            except Exception as error:  # a database that is away: the next round finds the same deliveries
                log.error("deliveries_failed", exc_info=error)

    def send_due(self, should_stop: Callable[[], bool] = lambda: False) -> int:
        """Tries what is due. Returns how many have arrived."""
        count = 0
        while not should_stop() and (claimed := self._claim()) is not None:
            outcome = self._send(claimed)
            self._record(claimed, outcome)
            count += outcome.is_good
        return count

    def prune(self) -> int:
        """Deletes those that are too old to be shown. Returns how many."""
        count = 0
        while not self._end.is_set():
            with self._database.writing() as db:
                old = select(Delivery.id).where(Delivery.created_at <= now() - KEPT).limit(LOT)
                ids = list(db.scalars(old))
                db.execute(delete(Delivery).where(Delivery.id.in_(ids)))
            count += len(ids)
            if len(ids) < LOT:
                break
        return count

    def _claim(self) -> _Claimed | None:
        at = now()
        waiting = Delivery.delivered_at.is_(None), Delivery.given_up_at.is_(None), Delivery.due_at <= at
        may = Webhook.disabled_at.is_(None), or_(Webhook.retry_at.is_(None), Webhook.retry_at <= at)
        first = select(Delivery, Webhook).join(Webhook, Webhook.id == Delivery.webhook_id).where(*waiting, *may)
        first = first.order_by(Delivery.due_at, Delivery.id).limit(1)
        with self._database.reading() as db:
            if db.execute(first).first() is None:
                return None
        with self._database.writing() as db:
            found = db.execute(first.with_for_update(of=Delivery, skip_locked=True)).first()
            if found is None:
                return None
            row, hook = found
            row.attempts += 1
            row.due_at = at + LEASE
            return _Claimed(row.id, row.attempts, hook.id, hook.url, hook.secret, row.key, row.event, row.body.encode())

    def _send(self, claimed: _Claimed) -> Outcome:
        try:
            return Outcome(_post(find_place(claimed.url, self._allowed), claimed))
        except Refused as error:
            return Outcome(None, str(error))
        except TimeoutError:
            return Outcome(None, "no answer in time")
        except (OSError, http.client.HTTPException, ValueError) as error:
            return Outcome(None, f"{type(error).__name__} {getattr(error, 'strerror', None) or ''}".strip())

    def _record(self, claimed: _Claimed, outcome: Outcome) -> None:
        mine = update(Delivery).where(Delivery.id == claimed.id, Delivery.attempts == claimed.attempt)
        with self._database.writing() as db:
            hook = db.get(Webhook, claimed.webhook_id, with_for_update=True)
            if hook is None:
                return
            result = {"status": outcome.status, "last_error": outcome.error[:120]}
            if outcome.is_good:
                db.execute(mine.values(**result, delivered_at=now(), body=""))
                hook.failures, hook.failing_since, hook.retry_at = 0, None, None
                return
            later = now() + BACKOFF[min(hook.failures, len(BACKOFF) - 1)]
            gives_up = claimed.attempt >= MAX_ATTEMPTS
            ended = {"given_up_at": now(), "body": ""} if gives_up else {}
            db.execute(mine.values(**result, due_at=later, **ended))
            hook.failures += 1
            hook.failing_since = hook.failing_since or now()
            hook.retry_at = later
            if now() - hook.failing_since >= FAILING:
                hook.disabled_at = now()
                left = update(Delivery).where(Delivery.webhook_id == hook.id, Delivery.delivered_at.is_(None))
                db.execute(left.where(Delivery.given_up_at.is_(None)).values(given_up_at=now(), body=""))
        log.warning("delivery_failed", webhook=claimed.webhook_id, delivery=claimed.id, status=outcome.status)


class _Connection(http.client.HTTPConnection):
    """To an address that was looked at, whatever its name leads to by now."""

    def __init__(self, place: Place) -> None:
        super().__init__(place.host, place.port, timeout=CONNECT_SECONDS)
        self._place = place

    def connect(self) -> None:
        self.sock = socket.create_connection((self._place.address, self._place.port), self.timeout)
        if self._place.is_tls:
            context, host = ssl.create_default_context(), self._place.host
            wrapped = context.wrap_socket(self.sock, server_hostname=host, do_handshake_on_connect=False)
            self.sock = wrapped  # so that a handshake that takes too long is cut off, too
            wrapped.do_handshake()


def _post(place: Place, claimed: _Claimed) -> int:
    """Returns the answer's status. attack: an answer that never ends, a byte a second. defence: the whole of it has ten
    seconds, and nothing is read after its headers."""
    timestamp = int(now().timestamp())
    headers = {
        "Host": place.host_header,
        "Content-Type": "application/json",
        "User-Agent": NAME,
        "Lectern-Event": claimed.event,
        "Lectern-Delivery": claimed.key,
        "Lectern-Timestamp": str(timestamp),
        "Lectern-Signature": signature(claimed.secret, timestamp, claimed.body),
        "Connection": "close",
    }
    connection = _Connection(place)
    is_over = Event()

    def cut() -> None:
        is_over.set()
        if connection.sock is not None:
            _shut(connection.sock)

    timer = Timer(WHOLE_SECONDS, cut)
    timer.daemon = True
    timer.start()
    try:
        connection.request("POST", place.path, claimed.body, headers)
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException):
        if is_over.is_set():
            raise TimeoutError from None
        raise
    else:
        if is_over.is_set():  # cut off in the middle of its headers
            raise TimeoutError
        return status
    finally:
        timer.cancel()
        connection.close()


def _shut(sock: socket.socket) -> None:
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # it has ended meanwhile
