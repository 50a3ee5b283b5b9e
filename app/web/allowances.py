"""Allowances that all web processes on one PostgreSQL share: a limit is the same however many there are.

One row for each key holds the moment at which its allowance is full again, by the database's clock; one statement asks,
decides and counts. It has connections of its own, a few: it is asked while a request holds another, and would wait
for itself. The table is not logged: after a crash of PostgreSQL all allowances are full again.

attack: a thousand requests at once wait here for a database that stands still, and no page is answered. defence: a
request waits a quarter of a second at most, and a failure is not tried again for RETRY_SECONDS. Until then each process
keeps to its own count, which is always kept besides: what gets through is at most so many times as there are processes.
"""

import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import structlog
from sqlalchemy import Float, LargeBinary, delete, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, Database, make_engine

log = structlog.get_logger("lectern.limits")

CONNECTIONS = 4
CONNECTION_SECONDS = 0.25
ANSWER_SECONDS = 1.0
RETRY_SECONDS = 2.0
SAY_SECONDS = 60.0
STRANGE_SECONDS = 60.0  # beyond what any allowance lasts: the clock was set back, and the row says nothing
PRUNE_SECONDS = 600.0


class Allowance(Base):
    """`key`: a digest of what is limited and of whom. `full_at`: in seconds since 1970."""

    __tablename__ = "allowance"

    key: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    full_at: Mapped[float] = mapped_column(Float(53))


@dataclass(frozen=True)
class Spent:
    """One use. `seconds`: until this much is there again; `burst_seconds`: until all of it is."""

    key: tuple[str, str, str]
    seconds: float
    burst_seconds: float


_SPEND = text(
    """
    WITH moment AS (SELECT extract(epoch FROM clock_timestamp())::float8 AS t),
    asked AS (
        SELECT * FROM unnest(
            CAST(:keys AS bytea[]), CAST(:seconds AS float8[]), CAST(:bursts AS float8[])
        ) AS one(key, seconds, burst)
    ),
    known AS (SELECT key, full_at FROM allowance WHERE key IN (SELECT key FROM asked) ORDER BY key FOR UPDATE),
    after AS (
        SELECT asked.key, burst, t,
            CASE WHEN known.full_at > t AND known.full_at <= t + burst + :strange THEN known.full_at ELSE t END
                + seconds AS full_at
        FROM asked CROSS JOIN moment LEFT JOIN known ON known.key = asked.key
    ),
    refusal AS (SELECT max(full_at - t - burst) AS seconds FROM after),
    kept AS (
        INSERT INTO allowance (key, full_at)
        SELECT after.key, CASE WHEN :always THEN least(after.full_at, t + burst) ELSE after.full_at END
        FROM after, refusal
        WHERE :always OR refusal.seconds <= 1e-6
        ORDER BY after.key
        ON CONFLICT (key) DO UPDATE SET full_at = excluded.full_at
    )
    SELECT seconds FROM refusal
    """
)


class SharedAllowances:
    """`database` must be PostgreSQL. May be used from any thread but an event loop's."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.monotonic) -> None:
        url = database.engine.url.render_as_string(hide_password=False)
        engine = make_engine(url, CONNECTIONS, ANSWER_SECONDS, CONNECTION_SECONDS)
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._lock, self._clock = threading.Lock(), clock
        self._away_until = 0.0
        self._said_at = self._pruned_at = -SAY_SECONDS

    def close(self) -> None:
        self._engine.dispose()

    def spend(self, uses: Sequence[Spent], *, always: bool = False) -> float:
        """Counts all of them, or none. After how many seconds they may be tried again; 0: they are counted. `always`:
        they are counted whatever that says. Never raises: where the database is away, it says 0."""
        if not uses or self._clock() < self._away_until:
            return 0.0
        asked = {
            "keys": [_digest(use.key) for use in uses],
            "seconds": [use.seconds for use in uses],
            "bursts": [use.burst_seconds for use in uses],
            "always": always,
            "strange": STRANGE_SECONDS,
        }
        try:
            with self._engine.connect() as connection:
                refusal = connection.execute(_SPEND, asked).scalar_one()
        except SQLAlchemyError as error:
            self._note_away(error)
            return 0.0
        return float(refusal) if refusal > 1e-6 and not always else 0.0

    def prune(self) -> None:
        """Forget whose allowances are full, now and then. Raises what the database does."""
        if self._clock() < self._pruned_at + PRUNE_SECONDS:
            return
        self._pruned_at = self._clock()
        with self._engine.connect() as connection:
            full = text("full_at < extract(epoch FROM clock_timestamp())")
            connection.execute(delete(Allowance).where(full))

    def _note_away(self, error: Exception) -> None:
        with self._lock:
            now = self._clock()
            self._away_until = now + RETRY_SECONDS
            if now > self._said_at + SAY_SECONDS:
                self._said_at = now
                log.warning("limits_not_shared", cause=str(error), meanwhile="each web process keeps its own count")


def _digest(key: tuple[str, str, str]) -> bytes:
    return hashlib.blake2b("\0".join(key).encode(errors="surrogatepass"), digest_size=16).digest()
