"""The web process that leads hands out what waits in the rows, by turns (turns.py), to workers that ask.

Each web process has a Dispatcher; one leads (leadership.py). It learns of a grading from the process that took it in,
and looks through the rows besides, so that what a crash left behind, or a message that was lost, waits for two looks
at most. A grading leaves for a worker when a thread there is free, and not before: what is on its way or being
judged is at most one for each free thread, of one person at most one, and a full broker never decides whose turn it is.

    web       put ─────────▶ leader                  a row waits
    worker    want ────────▶ leader                  a thread is free
              leader: the row is taken (attempt, owner, lease), committed
              leader ──the answer to want──▶ worker               the assignment, to begin with at once
              leader ──grade.interactive.<worker>──▶ worker       the same, kept by the broker until it is acknowledged
    worker    ──reply.<worker>──▶ a recorder         cases, verdict: rows are written (recorder.py), then acknowledged
    recorder  done ────────▶ leader                  the next turn

Workers that end are noticed in three ways: nobody listens on their subject any more (the broker says so twice, half a
second apart); their beats cease and the lease in the row runs out; they say so themselves. Each time the grading waits
again, as its author's first, and after three attempts it ends as our failure.
"""

import math
import queue
import re
import secrets
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

import structlog
from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection

from app.db import Database, FromNow, Statement
from app.practice import gradings
from app.practice.gradings import Grading
from app.practice.submissions import Submission, waiting
from app.queue.exercises import OfferedExercises
from app.queue.hold import Hold
from app.queue.leadership import Leadership
from app.queue.leases import LEASE_SECONDS, RENEWALS
from app.queue.messages import Assignment, Beat, Capabilities, Garbled, Want, unpack, waiting_row
from app.queue.nats import Broker, BrokerAway, Message, NobodyListens
from app.queue.recorder import DATABASE_TROUBLE, may_pass
from app.queue.roster import Roster, name_of
from app.queue.turns import PATIENCE_SECONDS, Turns, Waiting
from app.reading.snapshots import Snapshot
from graders.verdict import State

log = structlog.get_logger("lectern.queue")

LOOK_SECONDS = 0.5  # between two looks through the rows
LOOK_SHARE = 0.1  # of the leader's time, at most: a long queue is looked through less often
CANDIDATE_SECONDS = 0.2  # between two tries to lead
SETTLING_SECONDS = 2.0  # after it begins to lead, in which what was sent may not have been heard
PROBE_SECONDS = 0.3  # between two questions whether a worker that holds something still listens

SLOW_SECONDS = 2.0  # a round that took longer has left beats unheard
ROUND_SECONDS = 0.1  # of messages, before the rows are looked at and gradings handed out again
MOST_WANTS, SPARE_WANTS = 64, 16  # of one worker; beyond its threads, for what waits there until it is built
MOST_WANTS_OF_NAME = 2048
MOST_UNREAD = 1024  # messages of one name and kind
UNKEPT_SECONDS = 0.5  # after the broker has not kept an assignment, without handing out another
BACK_SECONDS = 3.0  # after the broker is back, in which workers come back

MOST_CHARACTERS = 32  # of a worker's name: the column `owner`
WORKER = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_.-]+")
GONE_SECONDS = 0.5  # between two answers that nobody listens: a connection that broke is back sooner
SILENT_SECONDS = 3.0  # between two such answers, beyond which the second is about another break
ELSEWHERE_SECONDS = 30.0  # in which what a worker gave back is for another, if there is one
HELD_SECONDS = 7200.0  # after which a worker's beats keep nothing any more: longer than anything may take
BROKERLESS_SECONDS = 3.0  # without a broker, after which another process may lead
CLOCK_SECONDS = 1.0  # by which the database's clock may differ from ours between two looks
LOST_EXERCISES, LOST_SECONDS = 32, 5.0  # so many in this time does a leader put at the broker again
NOTHING, ON_ITS_WAY = b"0", b"1"  # the latter is followed by what is on its way


@dataclass(eq=False)
class _Served:
    """A grading that a worker holds."""

    waiting: Waiting
    attempt: int
    worker: str
    since: float


@dataclass(frozen=True)
class _Wanting:
    worker: str
    want: Want
    message: Message
    until: float


def worker_of(message: Message, broker: Broker, kind: str) -> str:
    """attack: write under another worker's name. defence: the broker lets each write under its own alone, and the name
    is read from the subject, never from what is in the message.

    attack: a name with a NUL in it, at which PostgreSQL fails; then the leader does, and each leader after it.
    defence: raises Garbled for one that no worker of ours has, or that no row could hold.
    """
    worker = message.subject.removeprefix(broker.subject(kind) + ".")
    if len(worker) > MOST_CHARACTERS:
        raise Garbled("the name of the worker is too long")
    if not WORKER.fullmatch(worker):
        raise Garbled("that is no name of a worker")
    return worker


# Made once: the leader is one thread, and making a statement costs more than running it
_COLUMNS = (
    Submission.exercise, Submission.source, Submission.framework, Submission.kind, Submission.inputs,
    Submission.case_name, Snapshot.content_hash,
)  # fmt: skip
_SENT = (
    select(*_COLUMNS).join(Snapshot, Snapshot.id == Submission.snapshot_id).where(Submission.id == bindparam("taken"))
)
_CLAIM = gradings.TAKE.returning(gradings.TABLE.c.submission_id).cte("claim")
_TAKE_AND_READ = Statement(  # there and back once: between `put` and a start nothing takes longer than the database
    select(_CLAIM.c.attempt, *_COLUMNS)
    .join(Submission, Submission.id == _CLAIM.c.submission_id)
    .join(Snapshot, Snapshot.id == Submission.snapshot_id)
)

_CLOCK = select(FromNow(0.0))


class Unread:
    """attack: a machine says so much that others' beats are read too late, and what they judge is taken for abandoned.
    defence: of one name so many messages of a kind wait to be read, and what comes beyond that is dropped: workers ask
    again, and beat again."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()

    def add(self, key: tuple[str, str]) -> bool:
        """Whether it may wait."""
        with self._lock:
            if self._counts[key] >= MOST_UNREAD:
                return False
            self._counts[key] += 1
            return True

    def read(self, key: tuple[str, str]) -> None:
        with self._lock:
            self._counts[key] -= 1
            if self._counts[key] <= 0:
                del self._counts[key]


class Dispatcher:
    """`announce(submission_id, finished)` is called after each change of a row; `memory_mb_of(slug)` is how much memory
    an exercise grants. One thread does all of it."""

    def __init__(
        self,
        database: Database,
        broker: Broker,
        announce: Callable[[int, bool], None],
        exercises: OfferedExercises,
        memory_mb_of: Callable[[str], int],
        lease_seconds: float,
        roster: Roster,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._roster, self._clock = roster, clock
        self._database, self._broker, self._announce = database, broker, announce
        self._exercises, self._memory_mb_of = exercises, memory_mb_of
        self._lease_seconds = lease_seconds
        self._leadership = Leadership(database, clock=clock)
        self._inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._turns, self._hold = Turns(clock), Hold(lambda: iter(()))
        self._known: set[int] = set()  # gradings that wait in `_turns`
        self._workers: set[str] = set()  # that hold something, as the rows say
        self._served: dict[int, _Served] = {}
        self._wanting: deque[_Wanting] = deque()
        self._stops: list[Callable[[], None]] = []
        self._looked_at = self._probed_at = self._patient_until = self._leads_since = self._paused_until = 0.0
        # Gradings that the last look left, since their message may be on its way, and whose they are. None: the next
        # look leaves nothing.
        self._unheard: dict[int, int] | None = None
        self._traces: dict[int, str] = {}  # by grading, of what is unfinished: rows do not have it
        self._failed: dict[int, dict[str, float]] = {}  # by grading: workers that gave it back, and when
        self._silent: dict[str, float] = {}  # workers of which the broker said that nobody listens, since when
        self._clocks: tuple[float, float] | None = None  # the database's and ours, at the last look
        self._had_broker_at = clock()
        self._lost_exercises: deque[float] = deque(maxlen=LOST_EXERCISES)
        self._stepped_at = 0.0
        self._unread = Unread()
        self._look_seconds = LOOK_SECONDS
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lectern-dispatcher", daemon=True)

    @property
    def is_leading(self) -> bool:
        return bool(self._stops)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closed.set()
        self._inbox.put(lambda: None)
        if self._thread.is_alive():
            self._thread.join(5.0)

    # ---- the thread ----

    def _run(self) -> None:
        try:
            while not self._closed.is_set():
                try:
                    self._step()
                except DATABASE_TROUBLE as error:
                    log.warning("dispatcher_waits_for_the_database", cause=str(error))
                    self._resign()
                    self._closed.wait(CANDIDATE_SECONDS)
                except Exception:
                    log.exception("dispatcher_failed")
                    self._resign()
                    self._closed.wait(CANDIDATE_SECONDS)
        finally:
            self._resign()

    def _step(self) -> None:
        if not self._has_broker():
            self._resign()
            self._closed.wait(CANDIDATE_SECONDS)
            return
        if not self._leadership.is_mine():
            if self.is_leading:
                self._resign()
            self._closed.wait(CANDIDATE_SECONDS)
            return
        if not self.is_leading:
            self._begin()
        began = self._clock()
        if began - self._stepped_at > SLOW_SECONDS:
            self._be_patient()
        self._stepped_at = began
        self._look_when_due()
        self._hand_out()
        if self._clock() - began > SLOW_SECONDS:
            self._be_patient()
        try:
            step = self._inbox.get(timeout=self._seconds_left())
            until = self._clock() + ROUND_SECONDS
            while True:  # what has come, beats among it, then one round of looking and handing out
                step()
                if self._clock() > until:
                    break
                step = self._inbox.get_nowait()
        except queue.Empty:
            pass
        self._hand_out()  # without asking whether it still leads: a process that does not takes no row (`taking`)

    def _has_broker(self) -> bool:
        """A leader that the broker does not reach hears no worker, and would take from all of them what they hold."""
        now = self._clock()
        if self._broker.is_connected:
            self._had_broker_at = now
        return now - self._had_broker_at < BROKERLESS_SECONDS

    def _be_patient(self) -> None:
        """Beats went unheard for a while, and leases ran out through no fault of the workers: wait for the next."""
        self._patient_until = self._clock() + min(self._lease_seconds, LEASE_SECONDS) / RENEWALS + 1.0

    def _seconds_left(self) -> float:
        now = self._clock()
        due = min(self._looked_at + self._look_seconds, self._probed_at + PROBE_SECONDS)
        due = min([due, *(wanting.until for wanting in self._wanting)])
        return max(0.001, due - now)

    def _begin(self) -> None:
        self._turns = Turns(self._clock)
        self._hold = Hold(self._turns.serving)
        self._known, self._workers, self._served, self._wanting = set(), set(), {}, deque()
        self._unheard = None
        self._traces.clear()
        self._failed, self._silent, self._clocks = {}, {}, None
        self._looked_at = 0.0
        self._leads_since = self._clock()
        self._be_patient()
        self._inbox, self._unread = (
            queue.SimpleQueue(),
            Unread(),
        )  # not what was said to an earlier leader
        subject, listen = self._broker.subject, self._broker.listen
        self._stops = [
            listen(subject("put"), self._posting(self._on_put)),
            listen(subject("want", ">"), self._posting(self._on_want, "want")),
            listen(subject("done"), self._posting(self._on_done)),
            listen(subject("beat", ">"), self._posting(self._on_beat, "beat")),
            listen(subject("progress", ">"), self._posting(self._on_progress, "progress")),
            listen(subject("place"), self._posting(self._on_place)),
            listen(subject("exercise"), self._posting(self._on_exercise, "exercise")),
        ]
        log.info("dispatcher_leads")

    def _resign(self) -> None:
        for stop in self._stops:
            stop()
        self._stops = []
        self._leadership.resign()
        for wanting in self._wanting:
            wanting.message.answer(NOTHING)
        self._wanting.clear()

    def _posting(self, handle: Callable[[Message], None], of_workers: str = "") -> Callable[[Message], None]:
        """`of_workers`: the subject that they say it on; "": web processes say it, who are trusted."""

        def handled(message: Message) -> None:
            """attack: a worker sends what makes the leader fail, and another lead, ten times a second. defence: a
            message that cannot be handled is dropped, whatever the reason; only a database that is away ends it."""
            try:
                handle(message)
            except Exception as error:
                if isinstance(error, DATABASE_TROUBLE) and may_pass(error):
                    raise
                log.warning("message_not_handled", subject=message.subject, reason=str(error))

        inbox, unread = self._inbox, self._unread

        def come(message: Message) -> None:
            if not of_workers:
                inbox.put(lambda: handled(message))
                return
            key = of_workers, name_of(message.subject.removeprefix(self._broker.subject(of_workers) + "."))
            if unread.add(key):
                inbox.put(partial(read, key, message))

        def read(key: tuple[str, str], message: Message) -> None:
            unread.read(key)
            handled(message)

        return come

    # ---- the rows ----

    def _look_when_due(self) -> None:
        now = self._clock()
        if now >= self._looked_at + self._look_seconds:
            self._look()
            self._looked_at = self._clock()
            self._look_seconds = max(LOOK_SECONDS, (self._looked_at - now) / LOOK_SHARE)
        if now >= self._probed_at + PROBE_SECONDS:
            self._probed_at = now
            self._probe()

    def _look(self) -> None:
        """What the rows say, against what is known here: they are the truth."""
        with self._database.changing(durable=False) as db:
            if self._clock_has_jumped(db):
                self._be_patient()
            recovered = gradings.recover(db) if self._clock() > self._patient_until else []
            columns = (
                Grading.id, Grading.attempt, Grading.state, Grading.owner,
                Submission.user_id, Submission.exercise, Submission.kind,
            )  # fmt: skip
            found = gradings.unfinished(*columns).join(Submission, Submission.id == Grading.submission_id)
            rows = {row.id: row for row in db.execute(found)}
            unknown = [
                id for id, row in rows.items()
                if row.state == State.queued and (id not in self._known or id in self._served)
            ]  # fmt: skip
            found_now: dict[int, int] = {}
            if self._unheard is not None:  # a message that is on its way says more than the row
                fresh = [id for id in unknown if rows[id].attempt == 0 and id not in self._served]
                found_now = {id: rows[id].user_id for id in fresh if id not in self._unheard}
            unknown = [id for id in unknown if id not in found_now]
            self._unheard = found_now
            new = waiting(db, unknown) if unknown else []
        for grading in recovered:
            log.warning(
                "grading_recovered", submission=grading.submission_id, grading=grading.grading_id, state=grading.state
            )
            self._announce(grading.submission_id, grading.state == State.finished)
        had_turns = set(self._served)
        for id, served in list(self._served.items()):
            row = rows.get(id)
            if row is None or (row.state, row.attempt, row.owner) != (State.running, served.attempt, served.worker):
                self._let_go(id)
                self._broker.tell(self._broker.subject("lost", served.worker), b"%d %d" % (id, served.attempt))
        for entry in new:
            self._add(entry, first=entry.grading_id in had_turns or rows[entry.grading_id].attempt > 0)
        self._traces = {id: trace for id, trace in self._traces.items() if id in rows}
        self._failed = {id: workers for id, workers in self._failed.items() if id in rows}
        running = {id: row for id, row in rows.items() if row.state == State.running}
        others = [row for id, row in running.items() if id not in self._served]  # as another leader handed out
        self._hold.elsewhere = {row.user_id for row in others}
        self._hold.judged_elsewhere = {row.exercise for row in others if row.kind == "submit"}
        self._workers = {row.owner for row in running.values() if row.owner and "." in row.owner}

    def _clock_has_jumped(self, db: Connection) -> bool:
        """Leases end by the database's clock. Where that was set, or its machine stood still, all of them would have
        ended before any worker could renew one."""
        at: datetime = db.execute(_CLOCK).scalar_one()
        now = at.timestamp(), self._clock()
        before, self._clocks = self._clocks, now
        return before is not None and abs((now[0] - before[0]) - (now[1] - before[1])) > CLOCK_SECONDS

    def _add(self, entry: Waiting, *, first: bool = False) -> None:
        if entry.grading_id not in self._known and entry.grading_id not in self._served:
            self._known.add(entry.grading_id)
            self._turns.add(entry, first=first)

    def _let_go(self, grading_id: int, *, yielded: bool = False) -> None:
        served = self._served.pop(grading_id, None)
        if served is not None:
            self._turns.done(served.waiting.user_id, yielded=yielded)

    # ---- what is said ----

    def put(self, waiting: Waiting) -> bool:
        """Whether this process leads, and so knows of the grading without a message. May be called from any thread."""
        if not self.is_leading:
            return False
        # If this process leads no more when it comes to that, the next leader finds the row.
        self._inbox.put(partial(self._put, waiting_row(waiting)))
        return True

    def _on_put(self, message: Message) -> None:
        self._put(unpack(message.data))

    def _put(self, fields: dict[str, Any]) -> None:
        """It waits for its turn from now on. Nothing may overtake what its author sent before it: a leader that has
        just begun has not heard all of that, and an earlier message may be lost, whose row the last look has seen. Then
        the leader looks at once, for the rows have everything in its order."""
        id, unheard = int(fields["grading_id"]), self._unheard or {}
        unheard.pop(id, None)
        if trace := fields.get("trace"):
            self._traces[id] = str(trace)
        is_settling = self._clock() < self._leads_since + SETTLING_SECONDS
        if is_settling or any(user == fields["user_id"] and other < id for other, user in unheard.items()):
            self._unheard, self._looked_at = None, 0.0
            return
        try:
            self._add(Waiting(**fields))
        except TypeError as error:
            raise Garbled(str(error)) from None

    def _on_want(self, message: Message) -> None:
        want = Want.decoded(message.data)
        worker = worker_of(message, self._broker, "want")
        asked = sum(served.worker == worker for served in self._served.values())
        asked += sum(wanting.worker == worker for wanting in self._wanting)
        of_name = sum(name_of(wanting.worker) == name_of(worker) for wanting in self._wanting)
        slots = self._roster.slots(worker)
        may_hold = min(MOST_WANTS, MOST_WANTS if slots is None else slots) + SPARE_WANTS
        if asked >= may_hold or of_name >= MOST_WANTS_OF_NAME:  # it holds more than it has threads for
            message.answer(NOTHING)
            return
        self._wanting.append(_Wanting(worker, want, message, self._clock() + want.seconds))

    def _on_done(self, message: Message) -> None:
        """A recorder has written: its grading is over, or waits again."""
        fields = unpack(message.data)
        served = self._served.get(fields["grading"])
        # attack: make room at once, each time, which counts as no attempt. defence: it is for another then.
        is_early = served is not None and self._clock() - served.since < PATIENCE_SECONDS
        if served is not None and fields["state"] == State.queued and (is_early or not fields["yielded"]):
            self._failed.setdefault(served.waiting.grading_id, {})[served.worker] = self._clock()
        self._let_go(fields["grading"], yielded=bool(fields["yielded"]))
        if fields["state"] == State.queued:
            with self._database.reading() as db:
                again = waiting(db, [fields["grading"]])
            for entry in again:
                self._add(entry, first=True)

    def _on_beat(self, message: Message) -> None:
        beat = Beat.decoded(message.data)
        worker = worker_of(message, self._broker, "beat")
        ids = [grading_id for grading_id, _ in beat.held]
        self._silent.pop(worker, None)
        # attack: take what there is, and beat for ever. defence: after HELD_SECONDS it is somebody else's turn.
        since = self._clock() - HELD_SECONDS
        ids = [id for id in ids if (served := self._served.get(id)) is None or served.since > since]
        if not ids or self._roster.slots(worker) is None:
            return
        with self._database.changing(durable=False) as db:
            held = gradings.renew(db, worker, ids, self._lease_seconds)
        for grading_id, attempt in set(beat.held) - held:
            self._broker.tell(self._broker.subject("lost", worker), b"%d %d" % (grading_id, attempt))

    def _on_progress(self, message: Message) -> None:
        """A case of something that has run for long is over: it may have to make room."""
        fields = unpack(message.data)
        served = self._served.get(fields["grading"])
        if threads := self._roster.threads():  # none: their beats have not come yet
            self._turns.workers_are(threads)
        if served is None:
            return
        beat = self._roster.there().get(served.worker)

        def may_begin(each: Waiting) -> bool:  # on that worker's thread, which is the one that would become free
            able = beat is None or beat.capabilities.can(each.framework, self._memory_mb_of(each.exercise))
            return able and self._hold.may_begin(each)

        if self._turns.should_yield(served.waiting.user_id, may_begin):
            key = b"%d %d" % (served.waiting.grading_id, served.attempt)
            self._broker.tell(self._broker.subject("yield", served.worker), key)

    def _on_place(self, message: Message) -> None:
        fields = unpack(message.data)
        self._look_when_due()  # what was sent a moment ago may be in the rows alone
        place = self._turns.position(fields["grading"], fields["user"])
        message.answer(b"%d" % (place or 0))

    def _on_exercise(self, message: Message) -> None:
        """A worker does not find an exercise: the broker has lost it.

        attack: say so without end, and the leader does nothing but read files and send them. defence: so many in a
        while; workers ask again.
        """
        now = self._clock()
        full = len(self._lost_exercises) == LOST_EXERCISES and self._lost_exercises[0] > now - LOST_SECONDS
        if not full:
            self._lost_exercises.append(now)
            self._exercises.forget()
            self._exercises.offer(message.data.decode("ascii", "replace"))
        message.answer(b"")

    # ---- handing out ----

    def _hand_out(self) -> None:
        """Each thread that waits, in the order in which they asked, is given whose turn it is among what it can.

        attack: ask two thousand times for what nobody has, so that each round looks through all that waits as often.
        defence: where nothing was found, the same capabilities are not looked for again in this round.
        """
        fruitless: set[Capabilities] = set()
        for _ in range(len(self._wanting)):
            now = self._clock()
            wanting = self._wanting.popleft()
            if wanting.until < now and wanting.want.seconds:
                wanting.message.answer(NOTHING)
                continue
            capabilities = wanting.want.capabilities
            if now >= self._paused_until and capabilities not in fruitless:
                if self._give(wanting):
                    continue
                if not self._failed:  # what this worker has given back may be for another that can do the same
                    fruitless.add(capabilities)
            if wanting.until <= now:
                wanting.message.answer(NOTHING)
            else:
                self._wanting.append(wanting)

    def _give(self, wanting: _Wanting) -> bool:
        """Whether it has its answer."""

        def may_begin(each: Waiting) -> bool:
            memory_mb = self._memory_mb_of(each.exercise)
            able = wanting.want.capabilities.can(each.framework, memory_mb)
            return able and not self._is_for_another(each, wanting.worker, memory_mb) and self._hold.may_begin(each)

        while (entry := self._turns.next(may_begin)) is not None:
            self._known.discard(entry.grading_id)
            try:
                assignment = self._take(entry, wanting.worker)
            except DATABASE_TROUBLE:
                self._turns.done(entry.user_id)
                raise
            if assignment is None:
                self._turns.done(entry.user_id)
                continue
            self._served[entry.grading_id] = _Served(entry, assignment.attempt, wanting.worker, self._clock())
            if not self._send(assignment, wanting):
                self._take_back(entry, assignment, wanting.worker)
                return True
            log.debug(
                "grading_handed_out",
                submission=assignment.submission_id,
                grading=assignment.grading_id,
                attempt=assignment.attempt,
                worker=wanting.worker,
            )
            self._announce(assignment.submission_id, False)
            return True
        return False

    def _is_for_another(self, each: Waiting, worker: str, memory_mb: int) -> bool:
        """Whether `worker` gave it back a while ago, and one that has not is there: an older release, or one whose
        boxes all fail, would have all three attempts within a moment."""
        failed = self._failed.get(each.grading_id, {})
        return self._clock() - failed.get(worker, -ELSEWHERE_SECONDS) < ELSEWHERE_SECONDS and any(
            name not in failed and beat.capabilities.can(each.framework, memory_mb)
            for name, beat in self._roster.there().items()
        )

    def _take(self, entry: Waiting, worker: str) -> Assignment | None:
        """The row becomes the worker's, and the attempt is counted, before anybody runs it. None: it waits no more."""
        round = secrets.token_hex(4)
        mine = entry.grading_id, worker, self._lease_seconds, round
        with self._leadership.taking() as db:
            if self._database.is_sqlite:  # which has no statement that writes and reads other tables
                attempt = gradings.take(db, *mine)
                found = [] if attempt is None else db.execute(_SENT, {"taken": entry.submission_id}).all()
                taken = [(attempt, *row) for row in found]
            else:
                taken = [tuple(row) for row in _TAKE_AND_READ.run(db, gradings.claim(*mine)).rows]
        if not taken:
            return None
        ((attempt, exercise, source, framework, kind, inputs, case_name, content_hash),) = taken
        return Assignment(
            entry.grading_id,
            attempt,
            entry.submission_id,
            exercise,
            content_hash,
            source,
            framework,
            kind,
            inputs,
            case_name,
            round,
            self._traces.get(entry.grading_id, ""),
        )

    def _send(self, assignment: Assignment, wanting: _Wanting) -> bool:
        """Whether the broker keeps it until the worker is done. The thread that asked has it before, and does not wait
        for the broker's disk: where it is not kept it is taken back, and what the thread says after that does not
        count."""
        data, subject = assignment.encoded(), self._broker.subject("grade", "interactive", wanting.worker)
        is_answered = False
        try:
            for _ in range(2):
                try:
                    self._exercises.offer(assignment.exercise_hash)
                    if not is_answered:
                        wanting.message.answer(ON_ITS_WAY + data if wanting.want.takes_it else ON_ITS_WAY)
                        is_answered = True
                    self._broker.keep(subject, data, assignment.id)
                    return True
                except NobodyListens:  # the broker has lost its memory
                    if not self._set_up_again(wanting.worker):
                        return False
            return False
        except BrokerAway as away:
            names = {"submission": assignment.submission_id, "grading": assignment.grading_id}
            log.error("assignment_not_sent", **names, reason=str(away))
            return False
        finally:
            if not is_answered:
                wanting.message.answer(NOTHING)

    def _set_up_again(self, worker: str) -> bool:
        try:
            self._broker.set_up()
            self._broker.add_worker(worker)
        except (BrokerAway, NobodyListens):
            return False
        self._exercises.forget()
        return True

    def _take_back(self, entry: Waiting, assignment: Assignment, worker: str) -> None:
        """The broker does not keep it: it waits as if it had not been taken. A worker's thread may have it all the
        same, so nothing is handed out for a moment: threads would take one after the other, and none would count."""
        self._paused_until = self._clock() + UNKEPT_SECONDS
        self._let_go(entry.grading_id)
        fence = gradings.held(assignment.grading_id, assignment.attempt, worker, assignment.round)
        with self._database.changing(durable=False) as db:
            if gradings.wait_again(db, fence):
                self._add(entry, first=True)

    # ---- workers that are gone ----

    def _probe(self) -> None:
        """Ask each worker that holds something whether it is there. One that stands still is left to its lease: to be
        slow is no fault. Where the broker says that nobody listens, `_bury` decides."""
        if self._clock() < self._broker.is_back_since + BACK_SECONDS:
            return  # workers that come back a moment later would be taken for gone
        for worker in self._workers | {served.worker for served in self._served.values()}:
            bury = partial(self._inbox.put, partial(self._bury, worker))
            self._broker.probe(self._broker.subject("probe", worker), PROBE_SECONDS, bury)

    def _bury(self, worker: str) -> None:
        """The broker says that nobody listens. The worker is gone if it says so again after GONE_SECONDS: a connection
        that breaks is made again before."""
        now = self._clock()
        if now - self._silent.get(worker, -math.inf) > SILENT_SECONDS:  # the first, or the first of another break
            self._silent[worker] = now
        if now - self._silent[worker] < GONE_SECONDS:
            return
        del self._silent[worker]
        held = gradings.unfinished(Grading.id, Grading.attempt, Grading.submission_id)
        with self._database.changing() as db:
            found = [
                (row, gradings.put_back(db, gradings.held(row.id, row.attempt, worker), row.attempt))
                for row in db.execute(held.where(Grading.state == State.running, Grading.owner == worker)).all()
            ]
            again = waiting(db, [row.id for row, state in found if state == State.queued])
        self._workers.discard(worker)
        self._roster.forget(worker)
        for row, state in found:
            names = {"submission": row.submission_id, "grading": row.id, "attempt": row.attempt}
            log.warning("worker_is_gone", worker=worker, **names)
            self._let_go(row.id)
            self._announce(row.submission_id, state == State.finished)
        for entry in again:
            self._hold.elsewhere.discard(entry.user_id)
            self._add(entry, first=True)
