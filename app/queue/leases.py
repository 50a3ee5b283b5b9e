"""Which process runs a grading. A claim is leased; a live process renews its leases, and what has none is put back.

attack: a second server starts on the same database and queues again what the first one is running: it is judged twice,
and counts as a failed attempt. defence: a claim names its owner, and only a claim whose lease is over is put back.

attack: a process stands still (a stopped container, a laptop that sleeps) past its lease, then goes on and writes its
verdict over another's. defence: no lease says who may write. Each write is fenced by attempt and owner in the row
itself, so what comes late changes nothing. With its next renewal a process also learns what it has lost.

attack: two machines whose clocks differ take each other's gradings. defence: only the database's clock is asked.

attack: the database itself is killed, and has forgotten a claim that was committed a moment ago: claims do not wait for
its disk. The verdict is fenced off, since nobody has claimed the row, and as nobody knows of it, it waits for ever.
defence: of a grading that ends without a verdict of ours the row is read once more, and if it waits, it waits here.

attack: a server is killed and started again, and students wait for leases that nobody holds. defence: a process
that runs gradings on a file of SQLite's keeps a lock beside it, which the kernel takes back however the process ends.
One that finds nobody there as it starts puts everything back at once. A database on the network cannot tell a dead
process from a slow one: there the lease is waited for, unless the server ended in good order.
"""

import fcntl
import secrets
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import structlog

from app.db import Database
from app.practice import gradings
from app.practice.gradings import Recovered
from app.practice.submissions import waiting
from app.queue.recorder import Key
from app.queue.turns import Waiting

log = structlog.get_logger("lectern.queue")

LEASE_SECONDS = 15.0
RENEWALS = 3  # in the time of a lease: one that fails, or comes late, loses nothing
END_SECONDS = 1.0  # a server ends within two seconds: a database that is away is not waited for


class Leases:
    """`running` says what this process runs; `lose` is told what another has taken over; `requeue` is given what was
    abandoned by anybody, and whose gradings other processes run now. `let_go` gives, once, the gradings that this
    process has stopped running without a verdict of its own: where nobody else has them, they wait again."""

    def __init__(
        self,
        database: Database,
        seconds: float,
        running: Callable[[], Collection[Key]],
        lose: Callable[[Collection[Key]], None],
        requeue: Callable[[list[Recovered], list[Waiting], set[int]], None],
        let_go: Callable[[], set[int]],
    ) -> None:
        self.owner = secrets.token_hex(16)
        self.seconds = seconds
        self._database, self._running, self._lose, self._requeue = database, running, lose, requeue
        self._let_go, self._doubtful = let_go, set[int]()
        self._presence = _Presence(database.file)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._tend_on, name="lectern-leases", daemon=True)

    def start(self) -> tuple[list[Waiting], set[int]]:
        """Everything that waits to be judged, oldest first, and whose gradings other processes run."""
        with self._presence.entering() as is_alone, self._database.writing() as db:
            recovered = gradings.recover(db.connection(), is_alone=is_alone)
            found, elsewhere = waiting(db), gradings.judged_elsewhere(db, self.owner)
        self._requeue(recovered, [], elsewhere)  # for what is given up; what waits again is among `found`
        self._thread.start()
        return found, elsewhere

    def close(self) -> None:
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(END_SECONDS)
        self._presence.leave()

    def tend(self) -> None:
        """Renew, then put back what is abandoned: in one transaction, so that what is ours is not taken for that."""
        self._doubtful |= self._let_go()
        with self._database.changing(durable=False) as db:
            running = self._running()  # as late as it can be: what was claimed meanwhile is ours, too
            grading_ids = [grading_id for grading_id, _ in running]
            held = gradings.renew(db, self.owner, grading_ids, self.seconds) if running else set()
            recovered = gradings.recover(db)
            abandoned = self._doubtful | {grading.grading_id for grading in recovered}
            found = waiting(db, abandoned) if abandoned else []
            elsewhere = gradings.judged_elsewhere(db, self.owner)
        self._doubtful.clear()
        self._lose([key for key in running if key not in held])
        self._requeue(recovered, found, elsewhere)

    def _tend_on(self) -> None:
        while not self._closed.wait(self.seconds / RENEWALS):
            self._try(self.tend)
        if self._running():
            self._try(self._release)

    def _release(self) -> None:
        with self._database.changing(durable=False) as db:
            gradings.release(db, self.owner)

    def _try(self, step: Callable[[], None]) -> None:
        try:
            step()
        except Exception as error:  # noqa: BLE001 (logged; a thread that ended here would lose every lease)
            log.warning("leases_not_tended", cause=str(error))


class _Presence:
    """A lock beside SQLite's file, shared by every process that runs gradings on it. (Not on the file itself: a
    process that closes that loses SQLite's own locks.)"""

    def __init__(self, database: Path | None) -> None:
        self._path = database and database.with_name(f"{database.name}.lock")
        self._lock: IO[str] | None = None

    @contextmanager
    def entering(self) -> Iterator[bool]:
        """Whether nobody else is there. A process that comes while the block runs waits for its end."""
        if self._path is None:
            yield False
            return
        self._lock = self._path.open("w")
        is_alone = self._is_nobody_there(self._lock)
        if not is_alone:
            fcntl.flock(self._lock, fcntl.LOCK_SH)
        try:
            yield is_alone
        finally:
            fcntl.flock(self._lock, fcntl.LOCK_SH)

    def leave(self) -> None:
        if self._lock is not None:
            self._lock.close()

    def _is_nobody_there(self, lock: IO[str]) -> bool:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
