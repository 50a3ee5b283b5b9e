"""What is done as time passes, as long as the server runs: sittings whose time is over and at which nobody looks are
closed, and guests who have left are let go."""

import time
from datetime import timedelta
from threading import Event, Thread

import structlog

from app.db import Database, now
from app.people.guests import let_go_of_guests
from app.quizzes.sittings import close_due
from app.reading.catalog import Catalog

log = structlog.get_logger("lectern.sweep")

SWEEP_SECONDS = 15.0
GUESTS_SECONDS = 3600.0
END_SECONDS = 1.0


class Sweep:
    """Once as it starts, for what became due while no server ran, and then again and again. `guest_days` 0: guests stay
    for good."""

    def __init__(self, database: Database, catalog: Catalog, guest_days: int = 0) -> None:
        self._database, self._catalog, self._guest_days = database, catalog, guest_days
        self._guests_at = time.monotonic()  # when guests are looked at next
        self._end = Event()
        self._thread = Thread(target=self._run, name="lectern-sweep", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._end.set()
        self._thread.join(END_SECONDS)  # what it is about is one sitting: the next start finds the others

    def _run(self) -> None:
        while True:
            for sweep in (self._close_sittings, self._let_guests_go):
                try:
                    sweep()
                except Exception as error:  # a database that is away for a while: the next round finds the same ones
                    log.error("sweep_failed", exc_info=error)
            if self._end.wait(SWEEP_SECONDS):
                return

    def _close_sittings(self) -> None:
        if closed := close_due(self._database, self._catalog):
            log.info("sittings_closed", count=closed)

    def _let_guests_go(self) -> None:
        if not self._guest_days or time.monotonic() < self._guests_at:
            return
        self._guests_at = time.monotonic() + GUESTS_SECONDS
        since = now() - timedelta(days=self._guest_days)
        if count := let_go_of_guests(self._database, since, self._end.is_set):
            log.info("guests_let_go", count=count, without_work_days=self._guest_days)
