"""The thread that sends scores to platforms, as long as the server runs. Each web process has one."""

from threading import Event, Thread

import structlog

from app.classes.lti.scores import compare, due_contexts, send_waiting
from app.classes.lti.wire import Wire
from app.db import Database
from app.reading.catalog import Catalog

log = structlog.get_logger("lectern.lti")

ROUND_SECONDS = 15.0
END_SECONDS = 1.0  # for the call that is under way: what it sends is sent again otherwise


class Passback:
    def __init__(self, database: Database, catalog: Catalog, wire: Wire) -> None:
        self._database, self._catalog, self._wire = database, catalog, wire
        self._end = Event()
        self._thread = Thread(target=self._run, name="lti-scores", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._end.set()
        self._thread.join(END_SECONDS)

    def once(self) -> int:
        """One round: how many scores were sent."""
        for context in due_contexts(self._database):
            if not self._end.is_set():
                compare(self._database, self._catalog, context)
        return send_waiting(self._database, self._catalog, self._wire, self._end.is_set)

    def _run(self) -> None:
        while not self._end.wait(ROUND_SECONDS):
            try:
                if sent := self.once():
                    log.info("scores_sent", count=sent)
            except Exception as error:  # a database that is away for a while: the next round finds the same ones
                log.error("scores_not_sent", exc_info=error)
