"""The workers' side of the broker: `graders.worker.Queue` for threads that may be on any machine.

It has one connection, outwards, and no database: an assignment comes with its source, the exercise by its hash, and
whatever becomes of it goes back as replies, which the web's recorders write. A verdict counts as recorded when a
recorder has said so; only then is the assignment acknowledged. Until then it is sent again, for ten minutes, while the
web or the broker is away: what has been judged need not be judged again.
"""

import os
import queue
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog

from app.queue.dispatch import ON_ITS_WAY
from app.queue.exercises import FetchedExercises
from app.queue.leases import LEASE_SECONDS, RENEWALS
from app.queue.messages import Assignment, Beat, Capabilities, Garbled, Reply, ReplyKind, Want, unpack
from app.queue.nats import Broker, BrokerAway, Message, NobodyListens, NothingKept
from app.queue.recorder import BATCH_SECONDS, is_over
from app.queue.turns import PATIENCE_SECONDS
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.preparer import Preparer
from graders.grade import Began, CaseFinished, Event, Finished
from graders.verdict import CaseResult
from graders.worker import Job

log = structlog.get_logger("lectern.queue")

RETRY_SECONDS = 0.25
HELLO_SECONDS = 10.0  # a web process may have to give the broker every exercise first
ANSWER_SECONDS = 2.0
# After which a thread that waits looks whether something has come, for one that asked before it and has gone, and asks
# again.
WANT_SECONDS = 1.0
RECORDED_SECONDS = 3.0  # after which a reply is sent again: that it was recorded may not have been heard
GIVE_UP_SECONDS = 600.0  # of a reply that nobody records
MAX_UNBUILT = 16  # assignments that wait here until their exercise is built

REMEMBERED = 256  # assignments that are over, of which the broker may still send a copy

Key = tuple[int, int]
HandedOut = tuple[int, int, str]  # a grading, its attempt, and its round


@dataclass(eq=False)
class _Held:
    """An assignment that this process has."""

    assignment: Assignment
    message: Message | None  # the broker's, which keeps it for us; None: it has not come yet
    job: Job
    began: float
    told_at: float  # when the web last learned of its cases
    cases: list[CaseResult] = field(default_factory=list)
    is_dirty: bool = False
    is_lost: bool = False
    must_yield: bool = False
    recorded: threading.Event = field(default_factory=threading.Event)
    is_owned: bool = True

    @property
    def key(self) -> Key:
        return self.assignment.grading_id, self.assignment.attempt

    @property
    def fence(self) -> bytes:
        return b"%d %d" % self.key

    @property
    def handed_out(self) -> HandedOut:
        return _handed_out(self.assignment)

    def reply(self, kind: ReplyKind, **more: Any) -> Reply:
        return _reply(self.assignment, kind, **more)


class RemoteJobs:
    """graders.worker.Queue over a broker."""

    def __init__(
        self,
        broker: Broker,
        exercises: FetchedExercises,
        capabilities: Capabilities | None = None,
        slots: int = 1,
        beat_seconds: float = LEASE_SECONDS / RENEWALS,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`slots`: how many threads will claim. The worker's name is its credentials' and a number of its own."""
        self._broker, self._exercises, self._clock = broker, exercises, clock
        self.capabilities, self._slots = capabilities or Capabilities(), slots
        self.worker = f"{broker.address.user or 'any'}.{secrets.token_hex(4)}"
        self.preparer: Preparer | None = None
        self.on_exercise: Callable[[Exercise], None] = lambda exercise: None
        self.on_welcome: Callable[[Mapping[str, str]], None] = lambda offered: None  # exercises, each with its hash
        self.parked: Callable[[], int] = lambda: 1
        self.does_tasks = False
        self._beat_seconds = beat_seconds
        self._arrived: queue.SimpleQueue[_Held | None] = queue.SimpleQueue()
        self._incoming: queue.SimpleQueue[Assignment | None] = queue.SimpleQueue()
        # Each comes twice: as the answer to the thread that asked, which begins with it at once, and from the broker,
        # which keeps it until it is acknowledged.
        self._coming: dict[HandedOut, Message | None] = {}  # until its exercise is here
        self._over: OrderedDict[HandedOut, None] = OrderedDict()  # those that ended last
        self._unbuilt: deque[_Held] = deque()
        self._held: dict[Key, _Held] = {}
        self._lock = threading.Lock()
        self._closed, self._draining = threading.Event(), threading.Event()
        self._is_unknown = threading.Event()  # to the broker: at first, and where it has lost its memory
        self._is_unknown.set()
        self._threads = [
            threading.Thread(target=self._receive, name="lectern-assignments", daemon=True),
            threading.Thread(target=self._beat, name="lectern-beats", daemon=True),
            threading.Thread(target=self._tell_cases, name="lectern-cases", daemon=True),
        ]

    @property
    def is_known(self) -> bool:
        """Whether the web process that leads has answered, since the broker was last reached."""
        return not self._is_unknown.is_set()

    # ---- its life ----

    def start(self) -> None:
        subject, listen = self._broker.subject, self._broker.listen
        listen(subject("deliver", self.worker), self._on_delivered)
        listen(subject("recorded", self.worker), self._on_recorded)
        listen(subject("lost", self.worker), self._on_lost)
        listen(subject("yield", self.worker), self._on_yield)
        listen(subject("prepare", self.worker), self._on_prepare)
        listen(subject("probe", self.worker), lambda message: message.answer(b""))
        self._broker.on_reconnect.append(self._is_unknown.set)
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """What is held is left to its lease, unless it was given back before."""
        self._closed.set()
        self._incoming.put(None)
        for _ in range(self._slots):
            self._arrived.put(None)
        for thread in self._threads:
            if thread.is_alive():
                thread.join(2.0)

    def drain(self, seconds: float) -> bool:
        """Claim nothing more; wait until nothing is held. Whether that is so within `seconds`."""
        self._draining.set()
        deadline = self._clock() + seconds
        while (self._held or self._coming) and self._clock() < deadline:
            time.sleep(0.02)
        return not (self._held or self._coming)

    def look_again(self) -> None:
        """An exercise has been built: what waited for it may begin."""
        with self._lock:
            waiting, self._unbuilt = self._unbuilt, deque()
        for held in waiting:
            self._offer(held)

    # ---- what workers ask ----

    def claim(self, seconds: float) -> Job | None:
        deadline = self._clock() + seconds
        while not self._closed.is_set() and not (self._draining.is_set() and not self._held):
            if (held := self._next(0.0)) is not None:
                return held.job
            left = deadline - self._clock()
            if self._draining.is_set():
                held = self._next(min(left, RETRY_SECONDS)) if left > 0 else None  # what was on its way as it began
            elif len(self._unbuilt) < MAX_UNBUILT:
                if self._ask_for_one(max(0.0, left)):  # it is here, or on its way
                    held = self._next(max(left, RECORDED_SECONDS))
            elif left > 0:  # until something is built: it comes here, or others take it and there is room for more
                held = self._next(min(left, RETRY_SECONDS))
            if held is not None:
                return held.job
            if deadline - self._clock() <= 0:
                held = self._next(0.0)
                return held.job if held is not None else None
        return None

    def record(self, job: Job, event: Event) -> bool:
        held = self._held_for(job)
        if held is None or self._closed.is_set():
            return False
        if held.is_lost:
            self._forget(held)
            return False
        match event:
            case Finished():
                return self._finish(held, held.reply("verdict", finished=event))
            case Began(cases=cases):
                held.cases = [CaseResult(case.name, case.sample) for case in cases]
            case CaseFinished(index=index, result=result):
                held.cases[index] = result
                if held.must_yield and not is_over(held.cases, result):
                    self._finish(held, held.reply("yielded"))
                    return False
                if self._clock() - held.began > PATIENCE_SECONDS:
                    self._broker.tell(self._broker.subject("progress", self.worker), b'{"grading":%d}' % held.key[0])
        held.is_dirty = True
        return True

    def give_back(self, job: Job, reason: str) -> None:
        held = self._held_for(job)
        if held is not None and not self._closed.is_set():
            names = {"submission": job.submission_id, "grading": job.grading_id, "attempt": job.attempt}
            log.warning("grading_given_back", **names, reason=reason)
            self._finish(held, held.reply("failure", reason=reason[:2000]))

    def _ask_for_one(self, seconds: float) -> bool:
        """Whether an assignment to begin with has come, or is on its way. Waits so long for the leader to have one."""
        # Not for long while something waits to be built: then this thread may be the one to begin with it
        want = Want(min(seconds, RETRY_SECONDS if self._unbuilt else WANT_SECONDS), self.capabilities)
        try:
            answer = self._broker.ask(
                self._broker.subject("want", self.worker), want.encoded(), seconds + ANSWER_SECONDS
            )
        except (BrokerAway, NobodyListens):  # nobody leads at this moment
            self._closed.wait(min(seconds, RETRY_SECONDS))
            return False
        if len(answer) > len(ON_ITS_WAY):
            try:
                assignment = Assignment.decoded(answer[len(ON_ITS_WAY) :])
            except Garbled as garbled:
                log.error("assignment_garbled", reason=str(garbled))
                return False
            if self._is_new(assignment, None):
                if (held := self._take(assignment)) is not None:
                    return self._offer(held)
            elif _handed_out(assignment) not in self._over:
                return True
            self._closed.wait(RETRY_SECONDS)  # refused: others have it first, who may be able to judge it
            return False
        return answer == ON_ITS_WAY  # as a leader of an earlier release says it

    def _next(self, seconds: float) -> _Held | None:
        """None after `seconds`, and where what came waits until it is built: then there is time to ask for more."""
        try:
            return self._arrived.get(timeout=seconds) if seconds else self._arrived.get_nowait()
        except queue.Empty:
            return None

    def _finish(self, held: _Held, reply: Reply) -> bool:
        """Returns once a recorder has written it: whether it counted."""
        data, subject, times = reply.encoded(), self._broker.subject("reply", self.worker), 0
        deadline = self._clock() + GIVE_UP_SECONDS
        while not self._closed.is_set() and self._clock() < deadline and not held.is_lost:
            try:
                self._broker.keep(subject, data, f"{reply.id}-{times}" if times else reply.id)
            except (BrokerAway, NobodyListens) as away:
                names = {"submission": held.job.submission_id, "grading": held.key[0]}
                log.warning("reply_not_sent", **names, reason=str(away), remedy="trying again")
                self._closed.wait(RETRY_SECONDS)
                continue
            if held.recorded.wait(RECORDED_SECONDS):
                self._forget(held)
                return held.is_owned
            times += 1
        if held.is_lost:
            self._forget(held)
        else:
            self._let_go(held)  # without beats its lease runs out, and another judges it
        return False

    def _forget(self, held: _Held) -> None:
        self._let_go(held, is_over=True)
        if held.message is not None:
            held.message.acknowledge()

    def _let_go(self, held: _Held, *, is_over: bool = False) -> None:
        with self._lock:  # what comes of it finds it, or finds that it is over
            if self._held.get(held.key) is held:
                del self._held[held.key]
            if is_over:
                self._note_over(held.handed_out)

    def _note_over(self, handed_out: HandedOut) -> None:
        """The broker need not keep it: what comes of it from now on is acknowledged. Call with the lock held."""
        self._over[handed_out] = None
        while len(self._over) > REMEMBERED:
            self._over.popitem(last=False)

    def _held_for(self, job: Job) -> _Held | None:
        """None for a job whose attempt has been handed to this worker once more since."""
        held = self._held.get((job.grading_id, job.attempt))
        return held if held is not None and held.job is job else None

    # ---- what comes ----

    def _on_delivered(self, message: Message) -> None:
        """From now on beats name it, however long its exercise takes to come."""
        try:
            assignment = Assignment.decoded(message.data)
        except Garbled as garbled:
            log.error("assignment_garbled", reason=str(garbled))
            message.acknowledge()
            return
        if self._is_new(assignment, message):
            self._incoming.put(assignment)

    def _receive(self) -> None:
        while (delivered := self._incoming.get()) is not None:
            try:
                held = self._take(delivered)
                if held is not None and not self._offer(held):
                    self._arrived.put(None)  # a thread may have been told that it is on its way
            except Exception:
                log.exception("assignment_not_taken")

    def _is_new(self, assignment: Assignment, message: Message | None) -> bool:
        """Whether it is to be taken now: then it is coming. `message`: the broker's; None: it is a thread's answer."""
        handed_out = _handed_out(assignment)
        with self._lock:
            known = self._held.get(handed_out[:2])
            if known is not None and known.handed_out == handed_out:
                known.message = message or known.message  # the first, or once more, since a beat came late
                return False
            if handed_out in self._coming:
                self._coming[handed_out] = message or self._coming[handed_out]
                return False
            if handed_out not in self._over:
                self._coming[handed_out] = message
                return True
        if message is not None:
            message.acknowledge()
        return False

    def _take(self, assignment: Assignment) -> _Held | None:
        """What is coming is held from now on, to be offered; None: it is refused."""
        handed_out, held, is_over = _handed_out(assignment), None, False
        try:
            exercise = self._exercises.get(assignment.exercise, assignment.exercise_hash)
            moment = self._clock()
            held = _Held(assignment, None, _job(assignment, exercise), began=moment, told_at=moment)
        except (BrokenExercise, BrokerAway, NothingKept, NobodyListens) as error:
            is_over = self._refuse(assignment, str(error))
        finally:
            with self._lock:
                message, former = self._coming.pop(handed_out), self._held.get(handed_out[:2])
                if held is not None:
                    held.message, self._held[held.key] = message, held
                    if former is not None:  # of an earlier round: what its thread says of it counts no more
                        former.is_lost, former.is_owned = True, False
                        self._note_over(former.handed_out)
                elif is_over:
                    self._note_over(handed_out)
        if held is not None and former is not None:
            former.recorded.set()
            if former.message is not None:
                former.message.acknowledge()
        if held is None:
            if is_over and message is not None:
                message.acknowledge()
            return None
        names = {"submission": assignment.submission_id, "grading": assignment.grading_id}
        log.debug("assignment_taken", **names, attempt=assignment.attempt)
        self.on_exercise(exercise)
        return held

    def _refuse(self, assignment: Assignment, reason: str) -> bool:
        """Whether that is kept. If not, the assignment is delivered again."""
        names = {"submission": assignment.submission_id, "grading": assignment.grading_id}
        log.error("assignment_refused", **names, exercise=assignment.exercise, reason=reason)
        reply = _reply(assignment, "failure", reason=reason)
        try:
            self._broker.keep(self._broker.subject("reply", self.worker), reply.encoded(), reply.id)
        except (BrokerAway, NobodyListens):
            return False
        return True

    def _offer(self, held: _Held) -> bool:
        """To the threads, or to wait until its exercise is built: that holds no thread. Whether to the threads."""
        preparer, exercise = self.preparer, held.job.exercise
        if preparer is None or preparer.is_settled(exercise, held.job.kind):
            held.began = self._clock()
            self._arrived.put(held)
            return True
        with self._lock:
            self._unbuilt.append(held)
        preparer.want(exercise)
        return False

    def _on_recorded(self, message: Message) -> None:
        fields = unpack(message.data)
        held = self._held.get((fields["grading"], fields["attempt"]))
        if held is not None and held.assignment.round == fields["round"]:
            held.is_owned = bool(fields["owned"])
            held.recorded.set()

    def _on_lost(self, message: Message) -> None:
        if (held := self._named(message)) is not None:
            held.is_lost = True

    def _on_yield(self, message: Message) -> None:
        if (held := self._named(message)) is not None:
            held.must_yield = True

    def _on_prepare(self, message: Message) -> None:
        """What was published meanwhile."""
        self.on_welcome({str(slug): str(content_hash) for slug, content_hash in unpack(message.data).items()})

    def _named(self, message: Message) -> _Held | None:
        return next((held for held in list(self._held.values()) if held.fence == message.data), None)

    # ---- what goes by itself ----

    def _beat(self) -> None:
        while not self._closed.is_set():
            try:
                self._beat_once()
                if self._is_unknown.is_set() and self._say_hello():
                    self._is_unknown.clear()
            except Exception:  # a thread that ended here would lose every lease
                log.exception("beat_failed")
            self._closed.wait(
                min(RETRY_SECONDS, self._beat_seconds) if self._is_unknown.is_set() else self._beat_seconds
            )

    def _beat_once(self) -> None:
        messages = {handed_out[:2]: message for handed_out, message in list(self._coming.items())}
        messages |= {held.key: held.message for held in list(self._held.values())}
        beat = Beat(tuple(messages), self.capabilities, self._slots, self.parked(), self.does_tasks)
        self._broker.tell(self._broker.subject("beat", self.worker), beat.encoded())
        for message in messages.values():
            if message is not None:
                message.beat()

    def _say_hello(self) -> bool:
        """From then on what is sent to this worker is delivered to it."""
        try:
            offered = self._broker.ask(self._broker.subject("hello", self.worker), b"", HELLO_SECONDS)
            self.on_welcome({str(slug): str(content_hash) for slug, content_hash in unpack(offered).items()})
            return True
        except (BrokerAway, NobodyListens, Garbled):
            return False

    def _tell_cases(self) -> None:
        """What cases brought, at most once in BATCH_SECONDS for each: not by the worker's thread, which has more to do,
        and not at all of what is over before."""
        while not self._closed.wait(BATCH_SECONDS / 2):
            now = self._clock()
            for held in list(self._held.values()):
                if held.is_dirty and now - held.told_at >= BATCH_SECONDS and not held.recorded.is_set():
                    held.is_dirty, held.told_at = False, now
                    reply = held.reply("cases", cases=tuple(held.cases))
                    self._broker.tell(self._broker.subject("cases", self.worker), reply.encoded())


def _handed_out(assignment: Assignment) -> HandedOut:
    return assignment.grading_id, assignment.attempt, assignment.round


def _job(assignment: Assignment, exercise: Exercise) -> Job:
    return Job(
        assignment.grading_id,
        assignment.attempt,
        exercise,
        assignment.source,
        assignment.framework,
        assignment.kind,
        assignment.inputs,
        assignment.case_name,
        assignment.submission_id,
        assignment.trace,
    )


def _reply(of: Assignment, kind: ReplyKind, **more: Any) -> Reply:
    return Reply(kind, of.grading_id, of.attempt, of.submission_id, of.round, trace=of.trace, **more)


def process_name(kind: str) -> str:
    """For the broker's own listings."""
    return f"lectern {kind} {os.uname().nodename} {os.getpid()}"
