"""Closes the sittings whose time is over and at which nobody looks, as long as the server runs."""

from threading import Event, Thread

import structlog

from app.db import Database
from app.models.course import Catalog
from app.models.quiz_attempt import close_due

log = structlog.get_logger("lectern.sweep")

SWEEP_SECONDS = 15.0
END_SECONDS = 1.0


class Sweep:
    """Once as it starts, for what became due while no server ran, and then again and again."""

    def __init__(self, database: Database, catalog: Catalog) -> None:
        self._database, self._catalog = database, catalog
        self._end = Event()
        self._thread = Thread(target=self._run, name="lectern-sweep", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._end.set()
        self._thread.join(END_SECONDS)  # what it is about is one sitting: the next start finds the others

    def _run(self) -> None:
        while True:
            try:
                if closed := close_due(self._database, self._catalog):
                    log.info("sittings_closed", count=closed)
            except Exception as error:  # a database that is away for a while: the next round finds the same ones
                log.error("sweep_failed", exc_info=error)
            if self._end.wait(SWEEP_SECONDS):
                return
