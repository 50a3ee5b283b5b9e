"""What goes wrong while people work: chosen at random by a seed, and undone a few seconds later."""

import contextlib
import heapq
import itertools
import os
import random
import signal
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from typing import Any

import psycopg
from sqlalchemy import func
from sqlalchemy.exc import DBAPIError

from app.db import Database
from app.practice import gradings
from app.practice.gradings import Grading
from app.queue.nats import Broker, Message
from benchmarks.processes import Process, alive
from benchmarks.soak.installation import Installation, Part

GONE_SECONDS = 30.0  # for what a killed process leaves to notice it, and to end
COPIES = 2  # of each message while a broker delivers again
TICK_SECONDS = 0.05
STRIKES = 1  # a grading that was begun more often is left in peace: struck three times, it is given up, as promised
HARMLESS = ("box killed", "database locked", "connections terminated", "replies delivered again")
Fault = Callable[[], bool]  # whether it could be made


class Faults:
    """One at a time is begun; some of them last, and then several overlap. `made` counts them by kind."""

    def __init__(self, installation: Installation, seed: int, every_seconds: float) -> None:
        self.made: Counter[str] = Counter()
        self.left: list[str] = []  # what a killed process left behind
        self.copies = 0
        self._installation, self._every = installation, every_seconds
        self._chance = random.Random(seed)
        self._undo: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self._unwell: set[str] = set()  # parts that are down, stopped or starting
        self._below: list[tuple[float, str, set[Process]]] = []  # what should end, and from when
        self._spy = _Copier(installation.queue) if installation.broker else None
        self._deck: list[str] = []
        self._database = Database(installation.database_url)

    # ---- its course ----

    def run(self, seconds: float) -> None:
        """Make faults for so long, then undo all of them."""
        end, due = time.monotonic() + seconds, time.monotonic() + self._pause()
        while (now := time.monotonic()) < end:
            self._undo_until(now)
            self._look_for_left(now)
            if now >= due:
                self._make_one()
                due = time.monotonic() + self._pause()
            time.sleep(TICK_SECONDS)
        self.recover()

    def recover(self) -> None:
        """Everything runs again."""
        while self._undo:
            self._undo_until(float("inf"))
        self._database.close()
        if self._spy is not None:
            self.copies = self._spy.copies
            self._spy.close()
        self._installation.wait_until_ready()

    def look_for_left(self, seconds: float = GONE_SECONDS) -> list[str]:
        """What of the processes below a killed one is still there, once they had their time."""
        deadline = time.monotonic() + seconds
        while self._below and time.monotonic() < deadline:
            self._look_for_left(time.monotonic())
            time.sleep(TICK_SECONDS)
        self._look_for_left(float("inf"))
        return self.left

    def _pause(self) -> float:
        return self._chance.uniform(0.5, 1.5) * self._every

    def _make_one(self) -> None:
        """The first of each kind before the second of any, then by weight. One that cannot be made now is put off."""
        kinds = self._kinds()
        if not self._deck:
            often = [kind for kind, (weight, _) in kinds.items() for _ in range(weight)] if self.made else list(kinds)
            self._deck = self._chance.sample(often, len(often))
        spared = self._has_struck()
        for place, kind in enumerate(self._deck):
            if (kind in HARMLESS or not spared) and kinds[kind][1]():
                self.made[kind] += 1
                del self._deck[place]
                return

    def _has_struck(self) -> bool:
        """Whether a grading that is not finished has lost an attempt already, or nobody can say."""
        asked = gradings.unfinished(func.max(Grading.attempt))
        try:
            with self._database.reading() as db:
                return (db.scalar(asked) or 0) > STRIKES
        except DBAPIError:
            return True

    def _kinds(self) -> dict[str, tuple[int, Fault]]:
        """Kind → how often, and how it is made."""
        installation = self._installation
        kinds: dict[str, tuple[int, Fault]] = {
            "box killed": (5, lambda: self._signal_below(Part.boxes, signal.SIGKILL)),
            "box stopped": (1, lambda: self._signal_below(Part.boxes, signal.SIGSTOP)),
            "zygote killed": (2, lambda: self._signal_below(Part.zygotes, signal.SIGKILL)),
            "web killed": (2, lambda: self._kill(installation.webs)),
            "web stopped": (2, lambda: self._stop(installation.webs, 6.0)),
            "web asked to end": (1, lambda: self._ask_to_end(installation.webs)),
        }
        if installation.is_sqlite:
            kinds["database locked"] = 3, self._lock_sqlite
        else:
            kinds["connections terminated"] = 2, self._terminate
        if installation.workers:
            kinds["worker killed"] = 3, lambda: self._kill(installation.workers)
            kinds["worker stopped"] = 3, lambda: self._stop(installation.workers, 20.0)
            kinds["worker asked to end"] = 1, lambda: self._ask_to_end(installation.workers)
        if installation.broker is not None:
            kinds["broker killed"] = 1, lambda: self._kill_broker(forget=False)
            kinds["broker killed, its files gone"] = 1, lambda: self._kill_broker(forget=True)
            kinds["replies delivered again"] = 2, self._deliver_again
        if installation.broker_proxy is not None:
            kinds["broker out of a worker's reach"] = 2, lambda: self._stall(installation.broker_proxy, 20.0)
        if installation.database_proxy is not None:
            kinds["database out of a web's reach"] = 1, lambda: self._stall(installation.database_proxy, 6.0)
        if installation.postgres is not None:
            kinds["database down"] = 1, self._restart_postgres
        return kinds

    def _later(self, seconds: float, undo: Callable[[], None]) -> None:
        heapq.heappush(self._undo, (time.monotonic() + seconds, next(self._numbers), undo))

    def _undo_until(self, moment: float) -> None:
        while self._undo and self._undo[0][0] <= moment:
            heapq.heappop(self._undo)[2]()

    def _look_for_left(self, now: float) -> None:
        waiting = []
        for since, name, below in self._below:
            if still := alive(below):
                if now - since < GONE_SECONDS:
                    waiting.append((since, name, still))
                else:
                    self.left.append(f"{len(still)} processes below {name} outlived it: {sorted(still)}")
        self._below = waiting

    # ---- processes ----

    def _well(self, parts: list[Part]) -> Part | None:
        found = [part for part in parts if part.name not in self._unwell and part.is_ready()]
        return self._chance.choice(found) if found else None

    def _signal_below(self, kind: Callable[[Part], list[int]], number: signal.Signals) -> bool:
        part = self._well(self._installation.judges)
        pids = kind(part) if part is not None else []
        if not pids:
            return False
        try:
            os.kill(self._chance.choice(sorted(pids)), number)
        except ProcessLookupError:
            return False
        return True

    def _kill(self, parts: list[Part]) -> bool:
        part = self._well(parts)
        if part is None:
            return False
        below = part.everything_below()
        part.kill()
        self._gone(part, below)
        return True

    def _ask_to_end(self, parts: list[Part]) -> bool:
        """As a rolling restart does: the next one starts when this one has ended."""
        part = self._well(parts)
        if part is None:
            return False
        self._unwell.add(part.name)
        below = part.everything_below()
        part.send(signal.SIGTERM)
        self._later(0.1, lambda: self._once_ended(part, below))
        return True

    def _once_ended(self, part: Part, below: set[Process]) -> None:
        if part.is_alive:
            self._later(0.1, lambda: self._once_ended(part, below))
        else:
            self._gone(part, below)

    def _gone(self, part: Part, below: set[Process]) -> None:
        self._unwell.add(part.name)
        self._below.append((time.monotonic(), part.name, below))
        self._later(self._chance.uniform(0, 2), lambda: self._start_again(part))

    def _start_again(self, part: Part) -> None:
        part.start()
        self._unwell.discard(part.name)  # `is_ready` says the rest

    def _stop(self, parts: list[Part], most_seconds: float) -> bool:
        part = self._well(parts)
        if part is None:
            return False
        self._unwell.add(part.name)
        part.send(signal.SIGSTOP)
        self._later(self._chance.uniform(0.5, most_seconds), lambda: self._go_on(part))
        return True

    def _go_on(self, part: Part) -> None:
        part.send(signal.SIGCONT)
        self._unwell.discard(part.name)

    # ---- the database ----

    def _lock_sqlite(self) -> bool:
        path = self._installation.database_url.partition("///")[2]
        seconds, begun = self._chance.uniform(1, 6), threading.Event()

        def hold() -> None:
            with closing(sqlite3.connect(path, timeout=5, isolation_level=None)) as connection:
                begun.set()
                with contextlib.suppress(sqlite3.OperationalError):
                    connection.execute("BEGIN EXCLUSIVE")
                    time.sleep(seconds)
                    connection.execute("ROLLBACK")

        threading.Thread(target=hold, daemon=True).start()
        return begun.wait(10)

    def _terminate(self) -> bool:
        """Half of the database's connections, by PostgreSQL itself."""
        url = self._installation.database_url.replace("postgresql+psycopg://", "postgresql://")
        try:
            with psycopg.connect(url, autocommit=True, connect_timeout=5) as admin:
                admin.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.5"
                )
        except psycopg.OperationalError:
            return False
        return True

    def _restart_postgres(self) -> bool:
        postgres = self._installation.postgres
        if postgres is None or "postgres" in self._unwell:
            return False
        self._unwell.add("postgres")
        postgres.stop(mode=self._chance.choice(("immediate", "fast")))
        self._later(self._chance.uniform(0, 4), self._start_postgres)
        return True

    def _start_postgres(self) -> None:
        postgres = self._installation.postgres
        assert postgres is not None
        postgres.start()
        self._unwell.discard("postgres")

    # ---- the broker ----

    def _kill_broker(self, *, forget: bool) -> bool:
        broker = self._installation.broker
        if broker is None or "broker" in self._unwell:
            return False
        self._unwell.add("broker")
        broker.kill(forget=forget)
        self._later(self._chance.uniform(0, 4), self._start_broker)
        return True

    def _start_broker(self) -> None:
        broker = self._installation.broker
        assert broker is not None
        broker.start()
        self._unwell.discard("broker")

    def _deliver_again(self) -> bool:
        assert self._spy is not None
        self._spy.is_on = True
        self._later(self._chance.uniform(2, 6), self._spy.rest)
        return True

    def _stall(self, proxy: Any, most_seconds: float) -> bool:
        name = f"proxy {proxy.port}"
        if name in self._unwell:
            return False
        self._unwell.add(name)
        proxy.stall()

        def go_on() -> None:
            proxy.pass_on()
            self._unwell.discard(name)

        self._later(self._chance.uniform(1, most_seconds), go_on)
        return True


class _Copier:
    """Hears every reply of a worker, and says it again while it is on."""

    def __init__(self, queue: str) -> None:
        self.is_on, self.copies = False, 0
        self._broker = Broker(queue, "soak")
        self._broker.open(10)
        self._stop = self._broker.listen(self._broker.subject("reply", ">"), self._hear)

    def rest(self) -> None:
        self.is_on = False

    def close(self) -> None:
        self._stop()
        self._broker.close()

    def _hear(self, message: Message) -> None:
        if self.is_on and not message.data.endswith(b" "):  # else it is a copy
            for number in range(1, COPIES + 1):
                self._broker.tell(message.subject, message.data + b" " * number)
                self.copies += 1
