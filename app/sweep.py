"""What is done as time passes, as long as the server runs: sittings whose time is over and at which nobody looks are
closed, gradebooks are copied at their deadlines, guests who have left are let go, allowances that are full again are
forgotten, and once a day what retention has a limit for is deleted. Guests and retention may have millions of rows to
go through: they have a thread of their own, and so have gradebooks, which take a while to compute, and letters about
what is due; sittings are closed on time meanwhile."""

import time
from collections.abc import Callable
from datetime import timedelta
from threading import Event, Thread

import structlog

from app.classes.frozen import freeze_due
from app.db import Database, now
from app.operating.retention import Rule, run_retention
from app.people.guests import let_go_of_guests
from app.quizzes.sittings import close_due
from app.reading.catalog import Catalog

log = structlog.get_logger("lectern.sweep")

SWEEP_SECONDS = 15.0
GUESTS_SECONDS = 3600.0
REMIND_SECONDS = 900.0
RETENTION_SECONDS = 86_400.0
FREEZE_SECONDS = 60.0
END_SECONDS = 1.0


class Sweep:
    """Once as it starts, for what became due while no server ran, and then again and again. `guest_days` 0: guests stay
    for good. `retention`: the rules of the daily run, without that for guests, who are looked at every hour. `remind`:
    writes letters about what is due, and stops when it is told to."""

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        guest_days: int = 0,
        retention: tuple[Rule, ...] = (),
        forget_allowances: Callable[[], None] = lambda: None,
        remind: Callable[[Callable[[], bool]], int] | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._forget_allowances = forget_allowances
        self._database, self._catalog, self._guest_days = database, catalog, guest_days
        self._retention = tuple(rule for rule in retention if rule.name != "guests")
        self._remind, self._clock = remind, clock
        self._guests_at = self._retention_at = clock()  # when they are looked at next
        self._freeze_at = self._remind_at = clock()
        self._end = Event()
        self._threads = (
            self._thread("lectern-sweep", self._close_sittings, self._forget_allowances),
            self._thread("lectern-freeze", self._freeze_gradebooks),
            self._thread("lectern-retention", self._let_guests_go, self._retain),
            self._thread("lectern-reminders", self._remind_people),
        )

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        self._end.set()
        until = time.monotonic() + END_SECONDS
        for thread in self._threads:  # what they are about is one sitting, one lot: the next start finds the others
            thread.join(max(0.0, until - time.monotonic()))

    def _thread(self, name: str, *sweeps: Callable[[], None]) -> Thread:
        return Thread(target=self._run, args=sweeps, name=name, daemon=True)

    def _run(self, *sweeps: Callable[[], None]) -> None:
        while True:
            for sweep in sweeps:
                try:
                    sweep()
                except Exception as error:  # a database that is away for a while: the next round finds the same ones
                    log.error("sweep_failed", exc_info=error)
            if self._end.wait(SWEEP_SECONDS):
                return

    def _close_sittings(self) -> None:
        if closed := close_due(self._database, self._catalog):
            log.info("sittings_closed", count=closed)

    def _freeze_gradebooks(self) -> None:
        if self._clock() < self._freeze_at:
            return
        self._freeze_at = self._clock() + FREEZE_SECONDS
        if count := freeze_due(self._database, self._catalog):
            log.info("gradebooks_frozen", count=count)

    def _let_guests_go(self) -> None:
        if not self._guest_days or self._clock() < self._guests_at:
            return
        self._guests_at = self._clock() + GUESTS_SECONDS
        since = now() - timedelta(days=self._guest_days)
        if count := let_go_of_guests(self._database, since, self._end.is_set):
            log.info("guests_let_go", count=count, without_work_days=self._guest_days)

    def _retain(self) -> None:
        if self._clock() >= self._retention_at:
            self._retention_at = self._clock() + RETENTION_SECONDS
            run_retention(self._database, self._retention, now(), self._end.is_set)

    def _remind_people(self) -> None:
        if self._remind is None or self._clock() < self._remind_at:
            return
        self._remind_at = self._clock() + REMIND_SECONDS
        if count := self._remind(self._end.is_set):
            log.info("reminders_written", count=count)
